//===- DecodeMemref.cpp - memref ------------------------------------------===//
//
// Ops on views of memory. Memory itself belongs to the device: views are made
// by `ktdp.construct_memory_view`, and nothing allocates.
//
//===----------------------------------------------------------------------===//

#include "DecodeKtdp.h"
#include "TensorOps.h"
#include "Transfer.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::DType;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Parts and other forms of a view
//===----------------------------------------------------------------------===//

namespace {
struct SubviewPayload : Payload {
  MixedNumbers offsets, sizes, strides;
  llvm::SmallBitVector dropped;
  SmallVector<int64_t, 4> expected; ///< sizes of the result's type
};
} // namespace

static const char *const shapeOfDistributed =
    "another shape of a distributed view; expected one of a view on a single "
    "memory, from which a distributed view is then made";

/// Where views of a source begin: behind subviews and casts.
static Value rootOf(Value view) {
  while (Operation *def = view.getDefiningOp()) {
    if (!isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp>(def))
      break;
    view = def->getOperand(0);
  }
  return view;
}

/// What a subview of a view of `source` consists of; `dims` are its dimensions
/// for those of that view, -1 for dropped ones.
static std::shared_ptr<const Distribution> getPart(const Distribution &source,
                                                   ArrayRef<int> dims,
                                                   ArrayRef<int64_t> offsets,
                                                   ArrayRef<int64_t> sizes,
                                                   ArrayRef<int64_t> steps) {
  auto part = std::make_shared<Distribution>(source);
  for (Distribution::Axis &axis : part->axes) {
    if (axis.dim < 0)
      continue;
    const size_t d = axis.dim;
    axis.dim = dims[d];
    // Where there is nothing to come to, numbers may be any.
    if (sizes[d] > 0)
      axis.origin += axis.step * offsets[d];
    axis.step = sizes[d] > 1 ? axis.step * steps[d] : 1;
  }
  return part;
}

static std::string badSize(size_t dim, int64_t size) {
  return ("the size of dimension " + Twine(dim) + " is " + Twine(size) +
          ", expected at least 0")
      .str();
}

/// a: result; b: source.
static Outcome runSubview(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<SubviewPayload>();
  View view = self.views[instruction.b];
  SmallVector<int64_t, 4> offsets = payload.offsets.get(self),
                          sizes = payload.sizes.get(self),
                          steps = payload.strides.get(self), kept, strides;
  if (view.layout)
    return self.run.fail(self, instruction.site, "",
                         "the layout of the view is not linear");
  // Its own dimensions, of those of the source.
  SmallVector<int, 4> dims;
  bool keepsSet = payload.dropped.none();
  for (auto [d, extent] : llvm::enumerate(view.sizes)) {
    if (sizes[d] < 0)
      return self.run.fail(self, instruction.site, "", badSize(d, sizes[d]));
    int64_t span, last;
    if (llvm::MulOverflow(sizes[d] - 1, steps[d], span) ||
        llvm::AddOverflow(offsets[d], span, last))
      last = std::numeric_limits<int64_t>::max(); // or further
    if (sizes[d] > 0 &&
        (offsets[d] < 0 || last < 0 || offsets[d] >= extent || last >= extent))
      return self.run.fail(self, instruction.site, "",
                           "the view goes from " + Twine(offsets[d]) + " to " +
                               Twine(last) + " in dimension " + Twine(d) +
                               ", whose extent is " + Twine(extent));
    keepsSet &= sizes[d] <= 1 || steps[d] == 1;
    const bool isDropped = payload.dropped.test(d);
    dims.push_back(isDropped ? -1 : int(kept.size()));
    if (!isDropped)
      kept.push_back(sizes[d]);
    if (view.distribution)
      continue;
    // Of nothing, and of a single element, numbers may be any.
    if (sizes[d] > 0)
      view.base += offsets[d] * view.strides[d];
    if (!isDropped)
      strides.push_back(sizes[d] > 1 ? steps[d] * view.strides[d]
                                     : view.strides[d]);
  }
  if (view.distribution)
    view.distribution =
        getPart(*view.distribution, dims, offsets, sizes, steps);
  if (!keepsSet)
    view.coordinates = nullptr;
  if (view.coordinates) {
    view.coordinateOffset.resize(sizes.size(), 0);
    for (size_t d = 0; d < sizes.size(); ++d)
      view.coordinateOffset[d] += sizes[d] ? offsets[d] : 0;
  }
  view.sizes = std::move(kept);
  view.strides = std::move(strides);
  if (checkStatic(self, instruction.site, payload.expected, view.sizes) ==
      Outcome::Fail)
    return Outcome::Fail;
  self.views[instruction.a] = std::move(view);
  return Outcome::Next;
}

static LogicalResult decodeSubview(Decoder &decoder, Operation *op) {
  auto subview = cast<memref::SubViewOp>(op);
  auto *payload = decoder.makePayload<SubviewPayload>();
  payload->offsets = MixedNumbers(decoder, subview.getMixedOffsets());
  payload->sizes = MixedNumbers(decoder, subview.getMixedSizes());
  payload->strides = MixedNumbers(decoder, subview.getMixedStrides());
  payload->dropped = subview.getDroppedDims();
  payload->expected = getStaticShape(subview.getType());
  uint32_t source = decoder.use(subview.getSource());
  uint32_t result = decoder.define(subview.getResult());
  Instruction &instruction = decoder.emit(op, runSubview);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

/// a: result; b: the view of the whole memory.
static Outcome runReinterpret(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<SubviewPayload>();
  View view = self.views[instruction.b];
  if (view.distribution)
    return self.run.fail(self, instruction.site, "", shapeOfDistributed);
  int64_t offset = payload.offsets.get(self)[0], bytes;
  if (llvm::MulOverflow(offset, int64_t(view.elementBytes), bytes) ||
      llvm::AddOverflow(view.base, bytes, view.base))
    return self.run.fail(self, instruction.site, "",
                         "offset " + Twine(offset) +
                             " lies outside any memory");
  view.layout = nullptr;
  view.coordinates = nullptr;
  view.sizes = payload.sizes.get(self);
  for (auto [d, size] : llvm::enumerate(view.sizes))
    if (size < 0)
      return self.run.fail(self, instruction.site, "", badSize(d, size));
  if (!view.setStrides(payload.strides.get(self)))
    return self.run.fail(self, instruction.site, "D2", beyondMemory);
  if (checkStatic(self, instruction.site, payload.expected, view.sizes) ==
      Outcome::Fail)
    return Outcome::Fail;
  self.views[instruction.a] = std::move(view);
  return Outcome::Next;
}

static LogicalResult decodeReinterpret(Decoder &decoder, Operation *op) {
  auto reinterpret = cast<memref::ReinterpretCastOp>(op);
  // Offsets count from the beginning of the memory that the view is a part of.
  Value root = rootOf(reinterpret.getSource());
  if (auto distributed =
          root.getDefiningOp<ktdp::ConstructDistributedMemoryViewOp>()) {
    InFlightDiagnostic diag = op->emitError()
                              << "cannot be executed: " << shapeOfDistributed;
    diag.attachNote(distributed.getLoc())
        << "the distributed view is made here";
    return diag;
  }
  if (!isa<MemRefType>(root.getType()))
    return decoder.unsupported(op, "a view without rank");
  auto *payload = decoder.makePayload<SubviewPayload>();
  payload->offsets = MixedNumbers(decoder, reinterpret.getMixedOffsets());
  payload->sizes = MixedNumbers(decoder, reinterpret.getMixedSizes());
  payload->strides = MixedNumbers(decoder, reinterpret.getMixedStrides());
  payload->expected = getStaticShape(reinterpret.getType());
  uint32_t source = decoder.use(root);
  uint32_t result = decoder.define(reinterpret.getResult());
  Instruction &instruction = decoder.emit(op, runReinterpret);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

static Outcome runCast(Instance &self, const Instruction &instruction) {
  const View &view = self.views[instruction.b];
  if (checkStatic(self, instruction.site,
                  instruction.as<SubviewPayload>().expected,
                  view.sizes) == Outcome::Fail)
    return Outcome::Fail;
  self.views[instruction.a] = View(view);
  return Outcome::Next;
}

static LogicalResult decodeCast(Decoder &decoder, Operation *op) {
  auto cast = llvm::cast<memref::CastOp>(op);
  if (!isa<MemRefType>(cast.getSource().getType()) ||
      !isa<MemRefType>(cast.getType()))
    return decoder.unsupported(op, "a view without rank");
  auto *payload = decoder.makePayload<SubviewPayload>();
  payload->expected = getStaticShape(cast.getType());
  uint32_t source = decoder.use(cast.getSource());
  uint32_t result = decoder.define(cast.getResult());
  Instruction &instruction = decoder.emit(op, runCast);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

/// a: result; b: view; c: dimension.
static Outcome runDim(Instance &self, const Instruction &instruction) {
  const View &view = self.views[instruction.b];
  int64_t dim = self.scalars[instruction.c];
  if (dim < 0 || dim >= int64_t(view.sizes.size()))
    return self.run.fail(self, instruction.site, "",
                         "dimension " + Twine(dim) + " of a view of rank " +
                             Twine(view.sizes.size()));
  self.scalars[instruction.a] = view.sizes[dim];
  return Outcome::Next;
}

static LogicalResult decodeDim(Decoder &decoder, Operation *op) {
  auto dim = cast<memref::DimOp>(op);
  if (!isa<MemRefType>(dim.getSource().getType()))
    return decoder.unsupported(op, "a view without rank");
  uint32_t source = decoder.use(dim.getSource());
  uint32_t index = decoder.use(dim.getIndex());
  uint32_t result = decoder.define(dim.getResult());
  Instruction &instruction = decoder.emit(op, runDim);
  instruction.a = result;
  instruction.b = source;
  instruction.c = index;
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
struct AccessPayload : Payload {
  SmallVector<uint32_t, 4> indices;
  DType type;
};
} // namespace

/// `extents` elements of a view from `start`, in row-major order.
static Selection selectBox(ArrayRef<int64_t> start, ArrayRef<int64_t> extents) {
  Selection selection;
  selection.start.assign(start.begin(), start.end());
  selection.extent.assign(extents.begin(), extents.end());
  for (unsigned d = 0; d < extents.size(); ++d)
    selection.order.push_back(d);
  return selection;
}

/// Every element of `view`, in row-major order.
static Selection selectAll(const View &view) {
  SmallVector<int64_t, 4> zeros(view.sizes.size(), 0);
  return selectBox(zeros, view.sizes);
}

/// a: scalar; b: view; immediate: whether the scalar is stored.
static Outcome runAccess(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<AccessPayload>();
  SmallVector<int64_t, 4> start;
  for (uint32_t slot : payload.indices)
    start.push_back(self.scalars[slot]);
  SmallVector<int64_t, 4> ones(start.size(), 1);
  uint64_t bits = self.scalars[instruction.a];
  uint8_t *packed = reinterpret_cast<uint8_t *>(&bits);
  if (!instruction.immediate)
    bits = 0;
  if (transfer(self, self.views[instruction.b], selectBox(start, ones), packed,
               instruction.immediate, instruction.site) == Outcome::Fail)
    return Outcome::Fail;
  if (!instruction.immediate)
    self.scalars[instruction.a] = readElement(packed, payload.type);
  return Outcome::Next;
}

static LogicalResult decodeAccess(Decoder &decoder, Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  Value view = load ? load.getMemRef() : store.getMemRef();
  std::optional<DType> type = getDType(getElementTypeOrSelf(view));
  if (!type)
    return decoder.unsupported(op, "element type of the view");
  auto *payload = decoder.makePayload<AccessPayload>();
  payload->type = *type;
  for (Value index : load ? load.getIndices() : store.getIndices())
    payload->indices.push_back(decoder.use(index));
  uint32_t from = decoder.use(view);
  uint32_t scalar = load ? decoder.define(load.getResult())
                         : decoder.use(store.getValueToStore());
  Instruction &instruction = decoder.emit(op, runAccess);
  instruction.a = scalar;
  instruction.b = from;
  instruction.immediate = bool(store);
  instruction.payload = payload;
  return success();
}

/// The first half of a copy. a: tensor slot; b: source; c: target.
static Outcome runCopyOut(Instance &self, const Instruction &instruction) {
  const View &source = self.views[instruction.b];
  Buffer packed;
  Selection all;
  if (!self.unfinished) {
    const View &target = self.views[instruction.c];
    for (auto [d, extent] : llvm::enumerate(source.sizes))
      if (target.sizes[d] != extent)
        return self.run.fail(self, instruction.site, "",
                             "operand 1 has extent " + Twine(target.sizes[d]) +
                                 " in dimension " + Twine(d) + ", expected " +
                                 Twine(extent));
    if (checkExtents(self, instruction.site, source.sizes) == Outcome::Fail)
      return Outcome::Fail;
    all = selectAll(source);
    // On its way from memory to memory it takes no scratchpad.
    packed = Buffer::allocate(all.count() * source.elementBytes, nullptr);
  }
  Outcome outcome = transferInTurns(self, source, all, packed,
                                    /*isWrite=*/false, instruction.site);
  if (outcome == Outcome::Next)
    self.tensors[instruction.a].data = std::move(packed);
  return outcome;
}

/// The second half. a: tensor slot; b: target.
static Outcome runCopyIn(Instance &self, const Instruction &instruction) {
  const View &target = self.views[instruction.b];
  Buffer packed = std::move(self.tensors[instruction.a].data);
  Selection all = selectAll(target);
  return transferInTurns(self, target, all, packed, /*isWrite=*/true,
                         instruction.site);
}

static LogicalResult decodeCopy(Decoder &decoder, Operation *op) {
  auto copy = cast<memref::CopyOp>(op);
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!source || !target || source.getRank() != target.getRank() ||
      source.getElementType() != target.getElementType())
    return decoder.unsupported(op, "expected two views of one rank and "
                                   "element type");
  uint32_t from = decoder.use(copy.getSource());
  uint32_t to = decoder.use(copy.getTarget());
  uint32_t packed = decoder.newTensor();
  Instruction &out = decoder.emit(op, runCopyOut);
  out.a = packed;
  out.b = from;
  out.c = to;
  Instruction &in = decoder.emit(op, runCopyIn);
  in.a = packed;
  in.b = to;
  return success();
}

static LogicalResult refuseAllocation(Decoder &, Operation *op) {
  return op->emitError() << "op '" << op->getName().getStringRef()
                         << "' cannot be executed: nothing allocates memory; "
                            "views of it are made by "
                            "'ktdp.construct_memory_view', and a tensor takes "
                            "scratchpad by itself";
}

void ktir::exec::addMemrefHandlers(DecodeTable &table) {
  table["memref.subview"] = decodeSubview;
  table["memref.reinterpret_cast"] = decodeReinterpret;
  table["memref.cast"] = decodeCast;
  table["memref.dim"] = decodeDim;
  table["memref.load"] = decodeAccess;
  table["memref.store"] = decodeAccess;
  table["memref.copy"] = decodeCopy;
  for (const char *name : {"alloc", "alloca", "dealloc", "realloc"})
    table[("memref." + Twine(name)).str()] = refuseAllocation;
}
