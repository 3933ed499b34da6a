//===- DecodeTensorSlices.cpp - tensor: parts of tensors ------------------===//

#include "Elementwise.h"
#include "TensorOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using llvm::Twine;

namespace {
struct SlicePayload : Payload {
  MixedNumbers offsets, sizes, strides;
  llvm::SmallBitVector dropped;     ///< dimensions that the small tensor lacks
  SmallVector<int64_t, 4> expected; ///< of the small tensor, -1: dynamic
  unsigned elementBytes;
};

/// A slice of a tensor with its numbers known.
struct Slice {
  bool isWhole = true;
  int64_t begin = 0;             ///< bytes
  SmallVector<int64_t, 4> shape; ///< of the small tensor
  /// Of the small tensor's dimensions in the large one, in bytes.
  SmallVector<int64_t, 4> strides;
};
} // namespace

/// Fails when the slice is not inside a tensor of `shape`.
static Outcome getSlice(Instance &self, const Instruction &instruction,
                        ArrayRef<int64_t> shape, Slice &slice) {
  const auto &payload = instruction.as<SlicePayload>();
  const SmallVector<int64_t, 4> offsets = payload.offsets.get(self),
                                sizes = payload.sizes.get(self),
                                strides = payload.strides.get(self),
                                large = getStrides(shape, payload.elementBytes);
  if (checkExtents(self, instruction.site, sizes) == Outcome::Fail)
    return Outcome::Fail;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t first = offsets[d], size = sizes[d];
    int64_t steps, last;
    // An empty slice reaches nothing; a wild stride is outside.
    if (llvm::MulOverflow(size - 1, strides[d], steps) ||
        llvm::AddOverflow(first, steps, last))
      last = -1;
    if (size > 0 &&
        (first < 0 || first >= extent || last < 0 || last >= extent))
      return self.run.fail(self, instruction.site, "",
                           "the slice goes from " + Twine(first) + " to " +
                               Twine(last) + " in dimension " + Twine(d) +
                               ", whose extent is " + Twine(extent));
    slice.isWhole &=
        first == 0 && size == extent && (size <= 1 || strides[d] == 1);
    // Of an empty or a single step the distance means nothing.
    const int64_t step = size > 1 ? strides[d] : 0;
    slice.begin += size > 0 ? first * large[d] : 0;
    if (payload.dropped.test(d))
      continue;
    slice.shape.push_back(size);
    slice.strides.push_back(step * large[d]);
  }
  return checkStatic(self, instruction.site, payload.expected, slice.shape);
}

/// a: result; b: source. The whole of a tensor is shared, not copied.
static Outcome runExtractSlice(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<SlicePayload>();
  const Tensor &source = self.tensors[instruction.b];
  Slice slice;
  if (getSlice(self, instruction, source.shape, slice) == Outcome::Fail)
    return Outcome::Fail;
  if (slice.isWhole || source.isUndefined()) {
    Tensor result;
    result.data = source.data;
    result.isForOthers = source.isForOthers;
    result.shape = slice.shape;
    self.tensors[instruction.a] = std::move(result);
    return Outcome::Next;
  }
  CopiedTensor work(self, self.makeTensor(slice.shape, payload.elementBytes,
                                          instruction.site));
  work.add({work.result.data.data(),
            getStrides(slice.shape, payload.elementBytes),
            source.data.data() + slice.begin, slice.strides, slice.shape,
            payload.elementBytes});
  return beginCopies(self, instruction, std::move(work));
}

/// a: result; b: source; c: destination; immediate: the destination dies.
static Outcome runInsertSlice(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<SlicePayload>();
  const Tensor &source = self.tensors[instruction.b];
  Tensor &target = self.tensors[instruction.c];
  Slice slice;
  if (getSlice(self, instruction, target.shape, slice) == Outcome::Fail)
    return Outcome::Fail;
  if (!llvm::equal(slice.shape, source.shape)) {
    for (auto [d, extent] : llvm::enumerate(slice.shape))
      if (extent != source.shape[d])
        return self.run.fail(self, instruction.site, "",
                             "operand 0 has extent " + Twine(source.shape[d]) +
                                 " in dimension " + Twine(d) + ", expected " +
                                 Twine(extent));
  }
  if (checkReadable(self, instruction.site, 0, source) == Outcome::Fail ||
      checkNotForOthers(self, instruction.site, 1, target) == Outcome::Fail)
    return Outcome::Fail;
  if (slice.isWhole && !source.isUndefined()) {
    self.run.event(self, "compute", self.run.ticks, 0, instruction.site);
    Tensor result;
    result.data = source.data;
    result.shape = target.shape;
    self.tensors[instruction.a] = std::move(result);
    return Outcome::Next;
  }
  CopiedTensor work = CopiedTensor::writable(
      self, instruction.site,
      instruction.immediate ? std::move(target) : target, payload.elementBytes);
  work.add(work.result.data.data() + slice.begin, slice.strides, source,
           payload.elementBytes);
  return beginCopies(self, instruction, std::move(work));
}

/// `small` is the type of the tensor that is taken out or put in.
template <typename Op>
static SlicePayload *makeSlice(Decoder &decoder, Op op, Type small) {
  auto *payload = decoder.makePayload<SlicePayload>();
  payload->offsets = MixedNumbers(decoder, op.getMixedOffsets());
  payload->sizes = MixedNumbers(decoder, op.getMixedSizes());
  payload->strides = MixedNumbers(decoder, op.getMixedStrides());
  payload->dropped = op.getDroppedDims();
  payload->expected = getStaticShape(small);
  payload->elementBytes = getElementBytes(small);
  return payload;
}

static LogicalResult decodeExtractSlice(Decoder &decoder, Operation *op) {
  auto extract = cast<tensor::ExtractSliceOp>(op);
  if (!getElementBytes(extract.getType()))
    return decoder.unsupported(op, "element type of the tensor");
  SlicePayload *payload = makeSlice(decoder, extract, extract.getType());
  uint32_t source = decoder.use(extract.getSource());
  uint32_t result = decoder.define(extract.getResult());
  Instruction &instruction = decoder.emit(op, runExtractSlice);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

static LogicalResult decodeInsertSlice(Decoder &decoder, Operation *op) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  if (!getElementBytes(insert.getType()))
    return decoder.unsupported(op, "element type of the tensor");
  SlicePayload *payload = makeSlice(decoder, insert, insert.getSourceType());
  uint32_t source = decoder.use(insert.getSource());
  uint32_t target = decoder.use(insert.getDest());
  uint32_t result = decoder.define(insert.getResult());
  Instruction &instruction = decoder.emit(op, runInsertSlice);
  instruction.a = result;
  instruction.b = source;
  instruction.c = target;
  instruction.immediate = insert.getSource() != insert.getDest() &&
                          decoder.dies(insert.getDest(), op);
  instruction.payload = payload;
  return success();
}

void ktir::exec::decodeParallelInsert(Decoder &decoder,
                                      tensor::ParallelInsertSliceOp op,
                                      uint32_t target) {
  SlicePayload *payload = makeSlice(decoder, op, op.getSourceType());
  uint32_t source = decoder.use(op.getSource());
  Instruction &instruction = decoder.emit(op, runInsertSlice);
  instruction.a = instruction.c = target;
  instruction.b = source;
  instruction.immediate = true;
  instruction.payload = payload;
}

//===----------------------------------------------------------------------===//
// tensor.concat
//===----------------------------------------------------------------------===//

namespace {
struct ConcatPayload : Payload {
  SmallVector<uint32_t, 4> inputs;
  unsigned dim;
  unsigned elementBytes;
  SmallVector<int64_t, 4> expected;
};
} // namespace

static Outcome runConcat(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<ConcatPayload>();
  SmallVector<int64_t, 4> shape = self.tensors[payload.inputs[0]].shape;
  shape[payload.dim] = 0;
  for (auto [i, slot] : llvm::enumerate(payload.inputs)) {
    const Tensor &input = self.tensors[slot];
    for (auto [d, extent] : llvm::enumerate(input.shape)) {
      if (d == payload.dim)
        shape[d] += extent;
      else if (extent != shape[d])
        return self.run.fail(self, instruction.site, "",
                             "operand " + Twine(i) + " has extent " +
                                 Twine(extent) + " in dimension " + Twine(d) +
                                 ", expected " + Twine(shape[d]));
    }
    if (checkReadable(self, instruction.site, i, input) == Outcome::Fail)
      return Outcome::Fail;
  }
  if (checkExtents(self, instruction.site, shape) == Outcome::Fail ||
      checkStatic(self, instruction.site, payload.expected, shape) ==
          Outcome::Fail)
    return Outcome::Fail;
  CopiedTensor work(
      self, self.makeTensor(shape, payload.elementBytes, instruction.site));
  SmallVector<int64_t, 4> strides = getStrides(shape, payload.elementBytes);
  uint8_t *to = work.result.data.data();
  for (uint32_t slot : payload.inputs) {
    const Tensor &input = self.tensors[slot];
    work.add(to, strides, input, payload.elementBytes);
    to += input.shape[payload.dim] * strides[payload.dim];
  }
  return beginCopies(self, instruction, std::move(work));
}

static LogicalResult decodeConcat(Decoder &decoder, Operation *op) {
  auto concat = cast<tensor::ConcatOp>(op);
  auto *payload = decoder.makePayload<ConcatPayload>();
  payload->dim = concat.getDim();
  payload->elementBytes = getElementBytes(concat.getType());
  if (!payload->elementBytes)
    return decoder.unsupported(op, "element type of the tensor");
  payload->expected = getStaticShape(concat.getType());
  for (Value input : concat.getInputs())
    payload->inputs.push_back(decoder.use(input));
  uint32_t result = decoder.define(concat.getResult());
  Instruction &instruction = decoder.emit(op, runConcat);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// tensor.gather and tensor.scatter
//===----------------------------------------------------------------------===//

namespace {
struct GatherPayload : Payload {
  SmallVector<int64_t, 4> dims; ///< of the large tensor
  numerics::DType indexType;
  unsigned elementBytes;
  SmallVector<int64_t, 4> expected; ///< of the windows together, -1: dynamic
  bool isScatter;
};
} // namespace

namespace {
/// Copies of windows of a large tensor, one for each row of indices.
class Windows : public CopiedTensor {
public:
  using CopiedTensor::CopiedTensor;
  Windows(CopiedTensor base) : CopiedTensor(std::move(base)) {}

  Outcome copy(Instance &self, const Instruction &instruction,
               uint64_t count) override;

  /// The large tensor and windows that lie side by side, `distance` bytes
  /// apart: gather reads the large one, scatter writes it.
  uint8_t *to;
  SmallVector<int64_t, 4> toStrides;
  Place from;
  int64_t distance = 0;
  SmallVector<int64_t, 4> shape;  ///< of the large tensor
  SmallVector<int64_t, 4> window; ///< extents
  const uint8_t *index;           ///< of the next window
  int64_t number = 0;             ///< of windows
  int64_t next = 0;

private:
  std::optional<ElementCopy> current;
};
} // namespace

Outcome Windows::copy(Instance &self, const Instruction &instruction,
                      uint64_t count) {
  const auto &payload = instruction.as<GatherPayload>();
  uint64_t spent = copyAdded(self, count), copied = 0;
  if (!isDone())
    return Outcome::Jump;
  // What a window costs beside its elements, in the time of one.
  constexpr uint64_t perWindow = 8;
  ArrayRef<int64_t> strides = payload.isScatter ? toStrides : from.strides;
  while (spent < count && (current || next < number)) {
    if (!current) {
      int64_t offset = 0;
      for (int64_t d : payload.dims) {
        const int64_t at = readElement(index, payload.indexType);
        index += numerics::byteSize(payload.indexType);
        if (at < 0 || at >= shape[d])
          return self.run.fail(self, instruction.site, "",
                               "index " + Twine(at) + " in dimension " +
                                   Twine(d) + ", whose extent is " +
                                   Twine(shape[d]));
        offset += at * strides[d];
      }
      const int64_t place = next++ * distance;
      current.emplace(to + (payload.isScatter ? offset : place), toStrides,
                      from.data + (payload.isScatter ? place : offset),
                      from.strides, window, payload.elementBytes);
      spent += perWindow;
    }
    const uint64_t now = current->advance(count);
    copied += now;
    spent += now;
    if (!current->left())
      current.reset();
  }
  self.work(copied);
  return current || next < number ? Outcome::Jump : Outcome::Next;
}

/// a: result; b: large tensor; c: indices; d: windows (scatter); immediate: the
/// large tensor dies (scatter).
static Outcome runGather(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<GatherPayload>();
  const Tensor &indices = self.tensors[instruction.c];
  Tensor &large = self.tensors[instruction.b];
  if (indices.isUndefined())
    return self.run.fail(self, instruction.site, "UP-2",
                         "the indices are an uninitialised tensor");
  // The windows are the tensor without the gathered coordinates.
  SmallVector<int64_t, 4> window = large.shape;
  for (int64_t d : payload.dims)
    window[d] = 1;
  SmallVector<int64_t, 4> all(indices.shape.begin(), indices.shape.end() - 1);
  size_t fullRank = all.size() + window.size();
  for (auto [d, extent] : llvm::enumerate(window))
    if (payload.expected.size() == fullRank ||
        !llvm::is_contained(payload.dims, int64_t(d)))
      all.push_back(extent);
  if (checkStatic(self, instruction.site, payload.expected, all) ==
          Outcome::Fail ||
      checkExtents(self, instruction.site, all) == Outcome::Fail)
    return Outcome::Fail;

  const SmallVector<int64_t, 4> dense =
      getStrides(window, payload.elementBytes);
  int64_t windowBytes = payload.elementBytes;
  for (int64_t extent : window)
    windowBytes *= extent;
  std::optional<Windows> work;
  if (payload.isScatter) {
    const Tensor &source = self.tensors[instruction.d];
    if (!llvm::equal(source.shape, all))
      return self.run.fail(self, instruction.site, "",
                           "operand 0 has shape " + shapeText(source.shape) +
                               ", expected " + shapeText(all) +
                               ", that of the indexed windows");
    if (checkReadable(self, instruction.site, 0, source) == Outcome::Fail ||
        checkNotForOthers(self, instruction.site, 1, large) == Outcome::Fail)
      return Outcome::Fail;
    work.emplace(
        CopiedTensor::writable(self, instruction.site,
                               instruction.immediate ? std::move(large) : large,
                               payload.elementBytes));
    work->to = work->result.data.data();
    work->toStrides = getStrides(work->result.shape, payload.elementBytes);
    work->from = getPlace(source, payload.elementBytes);
    if (source.isUndefined()) {
      work->from.strides.assign(window.size(), 0);
    } else {
      work->from.strides = dense;
      work->distance = windowBytes;
    }
    work->shape = work->result.shape;
  } else {
    if (checkReadable(self, instruction.site, 0, large) == Outcome::Fail)
      return Outcome::Fail;
    work.emplace(self,
                 self.makeTensor(all, payload.elementBytes, instruction.site));
    work->to = work->result.data.data();
    work->toStrides = dense;
    work->from = getPlace(large, payload.elementBytes);
    work->distance = windowBytes;
    work->shape = large.shape;
  }
  work->window = std::move(window);
  work->index = indices.data.data();
  if (!payload.dims.empty())
    work->number = indices.elements() / int64_t(payload.dims.size());
  return beginCopies(self, instruction, std::move(*work));
}

static LogicalResult decodeGather(Decoder &decoder, Operation *op) {
  auto *payload = decoder.makePayload<GatherPayload>();
  Value large, indices, windows;
  if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    large = gather.getSource();
    indices = gather.getIndices();
    payload->dims.assign(gather.getGatherDims().begin(),
                         gather.getGatherDims().end());
    payload->expected = getStaticShape(gather.getType());
    payload->isScatter = false;
  } else {
    auto scatter = cast<tensor::ScatterOp>(op);
    large = scatter.getDest();
    indices = scatter.getIndices();
    windows = scatter.getSource();
    payload->dims.assign(scatter.getScatterDims().begin(),
                         scatter.getScatterDims().end());
    payload->expected = getStaticShape(windows.getType());
    payload->isScatter = true;
  }
  payload->elementBytes = getElementBytes(large.getType());
  std::optional<numerics::DType> indexType =
      getDType(getElementTypeOrSelf(indices));
  if (!payload->elementBytes || !indexType)
    return decoder.unsupported(op, "element type of a tensor");
  payload->indexType = *indexType;
  uint32_t from = decoder.use(large), at = decoder.use(indices);
  uint32_t put = windows ? decoder.use(windows) : 0;
  bool dies = windows && windows != large && indices != large &&
              decoder.dies(large, op);
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, runGather);
  instruction.a = result;
  instruction.b = from;
  instruction.c = at;
  instruction.d = put;
  instruction.immediate = dies;
  instruction.payload = payload;
  return success();
}

void ktir::exec::addTensorSliceHandlers(DecodeTable &table) {
  table["tensor.extract_slice"] = decodeExtractSlice;
  table["tensor.insert_slice"] = decodeInsertSlice;
  table["tensor.concat"] = decodeConcat;
  table["tensor.gather"] = decodeGather;
  table["tensor.scatter"] = decodeGather;
}
