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
  SmallVector<int64_t, 4> offsets, sizes, strides;
  bool isWhole = true;
  int64_t begin = 0;                   ///< bytes
  SmallVector<int64_t, 4> byteStrides; ///< of the slice in the large tensor
  SmallVector<int64_t, 4> shape;       ///< of the small tensor
};
} // namespace

/// Fails when the slice is not inside a tensor of `shape`.
static Outcome getSlice(Instance &self, const Instruction &instruction,
                        ArrayRef<int64_t> shape, Slice &slice) {
  const auto &payload = instruction.as<SlicePayload>();
  slice.offsets = payload.offsets.get(self);
  slice.sizes = payload.sizes.get(self);
  slice.strides = payload.strides.get(self);
  slice.byteStrides = getStrides(shape, payload.elementBytes);
  if (checkExtents(self, instruction.site, slice.sizes) == Outcome::Fail)
    return Outcome::Fail;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t first = slice.offsets[d], size = slice.sizes[d];
    int64_t steps, last;
    // An empty slice reaches nothing; a wild stride is outside.
    if (llvm::MulOverflow(size - 1, slice.strides[d], steps) ||
        llvm::AddOverflow(first, steps, last))
      last = -1;
    if (size > 0 &&
        (first < 0 || first >= extent || last < 0 || last >= extent))
      return self.run.fail(self, instruction.site, "",
                           "the slice goes from " + Twine(first) + " to " +
                               Twine(last) + " in dimension " + Twine(d) +
                               ", whose extent is " + Twine(extent));
    slice.isWhole &=
        first == 0 && size == extent && (size <= 1 || slice.strides[d] == 1);
    slice.begin += first * slice.byteStrides[d];
    slice.byteStrides[d] *= slice.strides[d];
    if (!payload.dropped.test(d))
      slice.shape.push_back(size);
  }
  return checkStatic(self, instruction.site, payload.expected, slice.shape);
}

/// a: result; b: source. The whole of a tensor is shared, not copied.
static Outcome runExtractSlice(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<SlicePayload>();
  const Tensor &source = self.tensors[instruction.b];
  Slice slice;
  if (getSlice(self, instruction, source.shape, slice) == Outcome::Fail)
    return Outcome::Fail;
  Tensor result;
  if (slice.isWhole || source.isUndefined()) {
    result.data = source.data;
    result.isForOthers = source.isForOthers;
    result.shape = slice.shape;
  } else {
    uint64_t begin = self.run.ticks;
    result =
        self.makeTensor(slice.shape, payload.elementBytes, instruction.site);
    copyElements(result.data.data(),
                 getStrides(slice.sizes, payload.elementBytes),
                 source.data.data() + slice.begin, slice.byteStrides,
                 slice.sizes, payload.elementBytes);
    self.work(result.elements());
    self.run.event(self, "compute", begin, 0, instruction.site);
  }
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

/// a: result; b: source; c: destination; immediate: the destination dies.
static Outcome runInsertSlice(Instance &self, const Instruction &instruction) {
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
  uint64_t begin = self.run.ticks;
  Tensor result;
  if (slice.isWhole && !source.isUndefined()) {
    result.data = source.data;
    result.shape = target.shape;
  } else {
    result = makeWritable(self, instruction.site,
                          instruction.immediate ? std::move(target) : target,
                          payload.elementBytes);
    SmallVector<int64_t, 4> from =
        getStrides(slice.sizes, payload.elementBytes);
    const uint8_t *data = source.data.data();
    if (source.isUndefined()) {
      from.assign(from.size(), 0);
      data = reinterpret_cast<const uint8_t *>(&zeroElement);
    }
    copyElements(result.data.data() + slice.begin, slice.byteStrides, data,
                 from, slice.sizes, payload.elementBytes);
    self.work(source.elements());
  }
  self.run.event(self, "compute", begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
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
  const auto &payload = instruction.as<ConcatPayload>();
  uint64_t begin = self.run.ticks;
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
  Tensor result =
      self.makeTensor(shape, payload.elementBytes, instruction.site);
  SmallVector<int64_t, 4> strides = getStrides(shape, payload.elementBytes);
  uint8_t *to = result.data.data();
  for (uint32_t slot : payload.inputs) {
    const Tensor &input = self.tensors[slot];
    SmallVector<int64_t, 4> from =
        getStrides(input.shape, payload.elementBytes);
    const uint8_t *data = input.data.data();
    if (input.isUndefined()) {
      from.assign(from.size(), 0);
      data = reinterpret_cast<const uint8_t *>(&zeroElement);
    }
    copyElements(to, strides, data, from, input.shape, payload.elementBytes);
    to += input.shape[payload.dim] * strides[payload.dim];
  }
  self.work(result.elements());
  self.run.event(self, "compute", begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
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

/// a: result; b: large tensor; c: indices; d: windows (scatter); immediate: the
/// large tensor dies (scatter).
static Outcome runGather(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<GatherPayload>();
  uint64_t begin = self.run.ticks;
  const Tensor &indices = self.tensors[instruction.c];
  Tensor &large = self.tensors[instruction.b];
  SmallVector<int64_t, 4> shape = large.shape;
  if (indices.isUndefined())
    return self.run.fail(self, instruction.site, "UP-2",
                         "the indices are an uninitialised tensor");
  // The windows are the tensor without the gathered coordinates.
  SmallVector<int64_t, 4> window = shape;
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

  Tensor result, zeros;
  uint8_t *dense = nullptr; // the windows
  SmallVector<int64_t, 4> strides = getStrides(shape, payload.elementBytes);
  SmallVector<int64_t, 4> windowStrides =
      getStrides(window, payload.elementBytes);
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
    if (source.isUndefined())
      windowStrides.assign(windowStrides.size(), 0);
    else
      dense = source.data.data();
    result = makeWritable(self, instruction.site,
                          instruction.immediate ? std::move(large) : large,
                          payload.elementBytes);
  } else {
    if (checkReadable(self, instruction.site, 0, large) == Outcome::Fail)
      return Outcome::Fail;
    if (large.isUndefined())
      zeros = makeWritable(self, instruction.site, large, payload.elementBytes);
    result = self.makeTensor(all, payload.elementBytes, instruction.site);
    dense = result.data.data();
  }
  int64_t windowBytes = payload.elementBytes;
  for (int64_t extent : window)
    windowBytes *= extent;
  int64_t each = payload.dims.size();
  int64_t count = each ? indices.elements() / each : 0;
  unsigned indexBytes = numerics::byteSize(payload.indexType);
  const uint8_t *next = indices.data.data();
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (int64_t d : payload.dims) {
      int64_t at = readElement(next, payload.indexType);
      next += indexBytes;
      if (at < 0 || at >= shape[d])
        return self.run.fail(self, instruction.site, "",
                             "index " + Twine(at) + " in dimension " +
                                 Twine(d) + ", whose extent is " +
                                 Twine(shape[d]));
      offset += at * strides[d];
    }
    if (!payload.isScatter)
      copyElements(dense + i * windowBytes, windowStrides,
                   (zeros.data ? zeros : large).data.data() + offset, strides,
                   window, payload.elementBytes);
    else
      copyElements(result.data.data() + offset, strides,
                   dense ? dense + i * windowBytes
                         : reinterpret_cast<const uint8_t *>(&zeroElement),
                   windowStrides, window, payload.elementBytes);
  }
  self.work(uint64_t(count) * (windowBytes / payload.elementBytes));
  self.run.event(self, "compute", begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
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
