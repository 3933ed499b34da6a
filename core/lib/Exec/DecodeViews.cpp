//===- DecodeViews.cpp - Memory views -------------------------------------===//

#include "DecodeKtdp.h"
#include "Runtime.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// construct_memory_view
//===----------------------------------------------------------------------===//

namespace {
/// A size or stride: a constant, or a scalar slot.
struct Extent {
  bool isConstant;
  int64_t value;
};

struct ViewPayload : Payload {
  SmallVector<Extent, 4> sizes, strides;
  unsigned elementBytes = 0;
  bool device = true;
  int64_t tile = -1; ///< owner of a scratchpad; -1 the executing tile
  /// Where the view is part of a distributed one.
  std::optional<CompiledSet> coordinates;
};
} // namespace

static int64_t evaluate(const Instance &self, const Extent &extent) {
  return extent.isConstant ? extent.value : self.scalars[extent.value];
}

/// Charges a view on a scratchpad to it; reports an overflow.
static void coverScratchpad(Instance &self, const View &view, int64_t owner,
                            uint32_t site) {
  int64_t low = view.base, high = view.base + view.elementBytes;
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
    if (size == 0)
      return;
    (stride < 0 ? low : high) += (size - 1) * stride;
  }
  // What lies outside is an error of an access, but hardly meant.
  if (self.run.options.checks && (low < 0 || high > view.space->size()))
    self.run.report(self, FindingSeverity::Warning, site, "",
                    "the view takes bytes " + llvm::Twine(low) + " to " +
                        llvm::Twine(high - 1) + " of " + view.space->name() +
                        ", which has " + llvm::Twine(view.space->size()) +
                        " bytes; accesses outside of it end the run");
  low = std::max<int64_t>(low, 0);
  high = std::min<int64_t>(high, view.space->size());
  if (low < high && size_t(owner) < self.run.accounts.size())
    self.run.coverScratchpad(self, owner, low, high, site);
}

/// a: view slot; b: offset in elements.
static Outcome runView(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<ViewPayload>();
  View &view = self.views[instruction.a];
  int64_t owner = payload.tile < 0 ? self.core : payload.tile;
  if (payload.device) {
    view.space = &self.run.memory.device();
  } else {
    if (owner >= int64_t(self.run.memory.cores()))
      return self.run.fail(self, instruction.site, "",
                           "ct_id is " + llvm::Twine(owner) +
                               ", the device has " +
                               llvm::Twine(self.run.memory.cores()) + " cores");
    view.space = &self.run.memory.scratchpad(owner);
  }
  view.elementBytes = payload.elementBytes;
  view.pads = true;
  int64_t offset = self.scalars[instruction.b];
  if (llvm::MulOverflow(offset, int64_t(payload.elementBytes), view.base))
    return self.run.fail(self, instruction.site, "D2",
                         "offset " + llvm::Twine(offset) +
                             " lies outside any memory");
  view.sizes.clear();
  view.coordinateSymbols.clear();
  view.coordinateOffset.clear();
  SmallVector<int64_t, 4> strides;
  for (auto [size, stride] : llvm::zip_equal(payload.sizes, payload.strides)) {
    view.sizes.push_back(evaluate(self, size));
    strides.push_back(evaluate(self, stride));
    if (view.sizes.back() < 0)
      return self.run.fail(self, instruction.site, "",
                           "a size is " + llvm::Twine(view.sizes.back()) +
                               ", expected at least 0");
    if (payload.coordinates && !size.isConstant)
      view.coordinateSymbols.push_back(view.sizes.back());
  }
  view.coordinates = payload.coordinates ? &*payload.coordinates : nullptr;
  if (!view.setStrides(strides))
    return self.run.fail(self, instruction.site, "D2", beyondMemory);
  if (!payload.device)
    coverScratchpad(self, view, owner, instruction.site);
  return Outcome::Next;
}

LogicalResult ktir::exec::decodeMemoryView(Decoder &decoder, Operation *op) {
  auto construct = cast<ktdp::ConstructMemoryViewOp>(op);
  auto type = cast<MemRefType>(construct.getResult().getType());
  std::optional<numerics::DType> element = getDType(type.getElementType());
  if (!element)
    return op->emitError() << "cannot be executed: element type "
                           << type.getElementType();
  auto *payload = decoder.makePayload<ViewPayload>();
  payload->elementBytes = numerics::byteSize(*element);
  auto convert = [&](ArrayRef<OpFoldResult> values,
                     SmallVectorImpl<Extent> &into) {
    for (OpFoldResult value : values) {
      if (auto constant = dyn_cast<Attribute>(value))
        into.push_back({true, cast<IntegerAttr>(constant).getInt()});
      else
        into.push_back({false, decoder.use(cast<Value>(value))});
    }
  };
  convert(construct.getMixedSizes(), payload->sizes);
  convert(construct.getMixedStrides(), payload->strides);
  ktdp::MemorySpaceAttr space = construct.getMemorySpace();
  payload->device = space.getKind() == ktdp::MemorySpaceKind::Global;
  payload->tile = space.getCtId();
  // Any view may reach a distributed one through a loop, so that its set is
  // kept wherever there is one in the kernel.
  if (decoder.hasDistributedViews) {
    IntegerSet set = construct.getCoordinateSet();
    if (set.getNumDims() != unsigned(type.getRank()) ||
        set.getNumSymbols() != construct.getSizes().size())
      return op->emitError()
             << "cannot be executed: coordinate_set of a part of a distributed "
                "view has "
             << set.getNumDims() << " dimensions and " << set.getNumSymbols()
             << " symbols, expected " << type.getRank() << ", the rank, and "
             << construct.getSizes().size() << ", the number of SSA sizes";
    payload->coordinates = CompiledSet::get(set, AffineMap());
  }
  uint32_t offset = decoder.use(construct.getOffset());
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runView);
  instruction.a = result;
  instruction.b = offset;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// construct_distributed_memory_view
//===----------------------------------------------------------------------===//

namespace {
struct DistributedPayload : Payload {
  SmallVector<uint32_t, 4> views;
  SmallVector<int64_t, 4> sizes; ///< -1: as the partitions say
  unsigned elementBytes = 0;
};
} // namespace

/// Makes the box of `part` the least that has those of `points` that lie in it.
static void shrinkToPoints(Partition &part, const CompiledSet::Points &points) {
  if (points.isBox)
    return;
  const size_t rank = part.lower.size();
  const SmallVector<int64_t, 4> lower = part.lower, extent = part.extent;
  SmallVector<int64_t, 4> upper(rank, 0);
  part.extent.assign(rank, 0);
  bool isFirst = true;
  for (int64_t k = 0; k < points.count; ++k) {
    ArrayRef<int64_t> at(points.list.data() + k * rank, rank);
    bool isInside = true;
    for (size_t d = 0; d < rank; ++d)
      isInside &= at[d] >= lower[d] && at[d] - lower[d] < extent[d];
    if (!isInside)
      continue;
    for (size_t d = 0; d < rank; ++d) {
      part.lower[d] = isFirst ? at[d] : std::min(part.lower[d], at[d]);
      upper[d] = isFirst ? at[d] : std::max(upper[d], at[d]);
      part.extent[d] = upper[d] - part.lower[d] + 1;
    }
    isFirst = false;
  }
}

/// Finds which coordinates `part.view` holds, and where.
static bool findBounds(Partition &part, std::string &error) {
  const View &view = part.view;
  std::optional<CompiledSet::Points> points =
      view.coordinates->enumerate(view.coordinateSymbols, error);
  if (!points)
    return false;
  part.lower = points->lower;
  part.extent = points->extent;
  part.isBox = points->isBox;
  shrinkToPoints(part, *points);
  for (auto [d, offset] : llvm::enumerate(view.coordinateOffset)) {
    int64_t skipped = std::min(offset, part.extent[d]);
    part.lower[d] += skipped;
    part.extent[d] = std::min(part.extent[d] - skipped, view.sizes[d]);
  }
  part.origin = part.lower;
  if (!view.coordinateOffset.empty())
    shrinkToPoints(part, *points);
  return true;
}

/// What is no partition.
static const char *const distributedWords =
    "a distributed view or a part of one";
static const char *const noSetWords =
    "a view without a coordinate set that says what it holds";

/// Of operand `number`, which is not what a distributed view consists of.
static std::string noPartition(unsigned number, llvm::StringRef what) {
  return ("operand " + llvm::Twine(number) + " is " + what +
          "; expected a view of construct_memory_view, or a subview of one "
          "with its rank and strides of 1")
      .str();
}

/// Fails for what is known not to be a partition.
static LogicalResult checkPartition(Operation *op, unsigned number,
                                    Value view) {
  auto refuse = [&](Operation *def, const char *what) {
    InFlightDiagnostic diag = op->emitError() << "cannot be executed: "
                                              << noPartition(number, what);
    diag.attachNote(def->getLoc()) << "the view is made here";
    return diag;
  };
  Operation *lost = nullptr; ///< where the set no longer says what is held
  while (Operation *def = view.getDefiningOp()) {
    if (isa<ktdp::ConstructDistributedMemoryViewOp>(def))
      return refuse(def, distributedWords);
    if (auto subview = dyn_cast<memref::SubViewOp>(def)) {
      bool keepsSet = subview.getDroppedDims().none();
      for (auto [size, stride] : llvm::zip_equal(subview.getStaticSizes(),
                                                 subview.getStaticStrides()))
        keepsSet &= ShapedType::isDynamic(stride) || stride == 1 ||
                    ShapedType::isDynamic(size) || size <= 1;
      if (!keepsSet)
        lost = def;
    } else if (isa<memref::ReinterpretCastOp>(def)) {
      lost = def;
    } else if (!isa<memref::CastOp>(def)) {
      break;
    }
    view = def->getOperand(0);
  }
  if (lost)
    return refuse(lost, noSetWords);
  return success();
}

/// a: view slot.
static Outcome runDistributed(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<DistributedPayload>();
  auto parts = std::make_shared<std::vector<Partition>>();
  auto distribution = std::make_shared<Distribution>();
  SmallVector<int64_t, 4> upper(payload.sizes.size(), 0);
  for (auto [number, slot] : llvm::enumerate(payload.views)) {
    Partition part;
    part.view = self.views[slot];
    if (!part.view.coordinates)
      return self.run.fail(self, instruction.site, "",
                           noPartition(number, part.view.distribution
                                                   ? distributedWords
                                                   : noSetWords));
    std::string error;
    if (!findBounds(part, error))
      return self.run.fail(self, instruction.site, "",
                           "coordinate_set of operand " + llvm::Twine(number) +
                               ": " + error);
    if (!llvm::is_contained(part.extent, 0))
      for (size_t d = 0; d < upper.size(); ++d)
        upper[d] = std::max(upper[d], part.lower[d] + part.extent[d]);
    parts->push_back(std::move(part));
  }
  View &view = self.views[instruction.a];
  view = View();
  view.elementBytes = payload.elementBytes;
  view.pads = true;
  view.sizes.assign(payload.sizes.begin(), payload.sizes.end());
  for (size_t d = 0; d < upper.size(); ++d) {
    if (view.sizes[d] < 0)
      view.sizes[d] = upper[d];
    else if (view.sizes[d] != upper[d])
      return self.run.fail(
          self, instruction.site, "",
          "construct_distributed_memory_view: declared shape axis " +
              llvm::Twine(d) + " is " + llvm::Twine(view.sizes[d]) +
              ", the coordinate sets of the partitions reach " +
              llvm::Twine(upper[d]));
  }
  distribution->partitions = std::move(parts);
  for (int d = 0; d < int(upper.size()); ++d)
    distribution->axes.push_back({/*origin=*/0, /*step=*/1, d});
  view.distribution = std::move(distribution);
  return Outcome::Next;
}

LogicalResult ktir::exec::decodeDistributedView(Decoder &decoder,
                                                Operation *op) {
  auto construct = cast<ktdp::ConstructDistributedMemoryViewOp>(op);
  auto type = cast<MemRefType>(construct.getResult().getType());
  std::optional<numerics::DType> element = getDType(type.getElementType());
  if (!element)
    return op->emitError() << "cannot be executed: element type "
                           << type.getElementType();
  if (construct.getViews().empty())
    return decoder.unsupported(op, "a distributed view without partitions, "
                                   "expected at least one");
  auto *payload = decoder.makePayload<DistributedPayload>();
  payload->elementBytes = numerics::byteSize(*element);
  for (auto [number, view] : llvm::enumerate(construct.getViews())) {
    if (failed(checkPartition(op, number, view)))
      return failure();
    payload->views.push_back(decoder.use(view));
  }
  for (int64_t extent : type.getShape())
    payload->sizes.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runDistributed);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}
