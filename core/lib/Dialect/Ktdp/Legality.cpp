//===- Legality.cpp - Rules of KTIR that span operations ------------------===//

#include "ktir/Dialect/Ktdp/Legality.h"

#include "DeliveryLegality.h"
#include "StickGrid.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Dialect/Support/IntegerSets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ktir::ktdp {

#define GEN_PASS_DEF_KTIRCHECKLEGALITY
#include "ktir/Dialect/Ktdp/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> getGrid(FunctionOpInterface kernel) {
  Attribute attribute = kernel->getAttr("grid");
  if (!attribute)
    return SmallVector<int64_t>{1}; // MF-3
  auto grid = dyn_cast<ArrayAttr>(attribute);
  if (!grid || grid.empty())
    return kernel.emitError("Grid must have at least one dimension");
  SmallVector<int64_t> extents;
  for (Attribute extent : grid) {
    auto integer = dyn_cast<IntegerAttr>(extent);
    if (!integer || integer.getValue().getSignificantBits() > 64)
      return kernel.emitError("Grid size must be integer attribute");
    extents.push_back(integer.getValue().getSExtValue());
    if (extents.back() <= 0)
      return kernel.emitError()
             << "Grid size must be positive (got " << extents.back() << ")";
  }
  return extents;
}

/// ID-3: one id per grid dimension.
static LogicalResult checkTileIds(GetComputeTileIdOp op,
                                  FunctionOpInterface kernel, size_t rank) {
  if (op.getNumResults() == rank)
    return success();
  InFlightDiagnostic diag = op.emitError()
                            << "get_compute_tile_id result count ("
                            << op.getNumResults()
                            << ") does not match grid rank (" << rank << ")";
  diag.attachNote(kernel.getLoc()) << "the grid is that of this kernel";
  return diag;
}

static LogicalResult checkKernel(FunctionOpInterface kernel,
                                 const LegalityOptions &options) {
  if (kernel.isExternal())
    return success();
  FailureOr<SmallVector<int64_t>> grid = getGrid(kernel);
  if (failed(grid))
    return failure();
  // Functions without a grid are helpers, which may return values and ask for
  // ids of whatever grid calls them.
  if (!kernel->hasAttr("grid"))
    return success();
  bool legal = true;
  if (kernel.getNumResults() != 0) { // MF-1
    kernel.emitError("expected a kernel without results, for it has a grid "
                     "(MF-1)");
    legal = false;
  }
  if (!kernel.getFunctionBody().hasOneBlock()) { // MF-1
    kernel.emitError("expected a kernel body of one block, for it has a grid "
                     "(MF-1)");
    legal = false;
  }
  int64_t tiles = 1;
  bool overflows = false;
  for (int64_t extent : *grid)
    overflows = overflows || llvm::MulOverflow(tiles, extent, tiles);
  if (options.maxTiles > 0 && (overflows || tiles > options.maxTiles)) { // MF-4
    InFlightDiagnostic diag =
        kernel.emitError() << "expected a grid of at most " << options.maxTiles
                           << " tiles, the cores of the device, but got ";
    llvm::interleave(*grid, diag, " x ");
    diag << " (MF-4)";
    legal = false;
  }
  kernel.walk([&](GetComputeTileIdOp op) {
    if (failed(checkTileIds(op, kernel, grid->size())))
      legal = false;
  });
  return success(legal);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// What the dialect leaves unchecked of a view, and what is most likely a slip.
static void warnAboutView(ConstructMemoryViewOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  for (auto [dimension, size, extent] :
       llvm::enumerate(op.getStaticSizes(), type.getShape())) {
    if (ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size))
      op.emitWarning() << "expected an SSA value for the size of dimension "
                       << dimension << ", which is '?' in " << Type(type)
                       << ", but got " << size << " (KL-1)";
    else if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size) &&
             size != extent)
      op.emitWarning() << "expected size " << extent << " in dimension "
                       << dimension << ", as " << Type(type) << " has, but got "
                       << size << " (KL-1)";
  }
  const IntegerSet set = op.getCoordinateSet();
  if (set.getNumDims() != type.getRank())
    op.emitWarning() << "expected a coordinate_set of " << type.getRank()
                     << " dimensions, as the view has, but got "
                     << set.getNumDims() << " (KL-2)";
  if (set.getNumSymbols() != op.getSizes().size())
    op.emitWarning() << "expected a coordinate_set of " << op.getSizes().size()
                     << " symbols, one for each SSA size, but got "
                     << set.getNumSymbols() << " (KL-2)";
  if (Attribute space = type.getMemorySpace();
      space && space != op.getMemorySpaceAttr())
    op.emitWarning() << "expected the memory space " << op.getMemorySpaceAttr()
                     << " in the memref type, but got " << space << " (KL-3)";
}

/// KL-4: along each axis a joined view ends where the last partition does.
static LogicalResult checkDistributedView(ConstructDistributedMemoryViewOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  SmallVector<int64_t> ends(type.getRank(), 0);
  for (Value view : op.getViews()) {
    auto construct = view.getDefiningOp<ConstructMemoryViewOp>();
    std::optional<IntegerBox> box =
        construct ? getBoundingBox(construct.getCoordinateSet()) : std::nullopt;
    if (!box || box->lower.size() != ends.size())
      return success(); // Known only in a run.
    for (auto [end, lower, extent] :
         llvm::zip_equal(ends, box->lower, box->extent))
      end = std::max(end, lower + extent);
  }
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(extent) && extent != ends[axis])
      return op.emitOpError()
             << "declared shape axis " << axis << " has extent " << extent
             << ", but its partitions end at " << ends[axis] << " (KL-4)";
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether `op` is a constant for intrinsics in bodies of `linalg.generic`,
/// out of which canonicalization moves it.
static bool isHoistedConstant(Operation *op) {
  return isa<spyreop::ConstantOp>(op) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return user->getParentOfType<linalg::GenericOp>() != nullptr;
         });
}

/// The list of §2.7, and where the intrinsics may stand. A module may carry the
/// device it is meant for.
static LogicalResult checkDialect(Operation *op) {
  static const llvm::StringSet<> legal = {"ktdp",   "arith",  "func",
                                          "linalg", "math",   "memref",
                                          "scf",    "tensor", "ktdf_arch"};
  const StringRef dialect = op->getName().getDialectNamespace();
  if (legal.contains(dialect) || isa<ModuleOp>(op))
    return success();
  if (dialect == "spyreop") {
    if (op->getParentOfType<linalg::GenericOp>() || isHoistedConstant(op))
      return success();
    return op->emitOpError("expected to stand in the body of a "
                           "'linalg.generic' (KL-5)");
  }
  return op->emitOpError() << "is not part of KTIR, which takes operations of "
                              "ktdp, arith, func, linalg, math, memref, scf, "
                              "tensor and spyreop (KL-5)";
}

LogicalResult checkLegality(ModuleOp module, const LegalityOptions &options) {
  // A module of other things, such as a device, is no program.
  if (llvm::all_of(*module.getBody(), [](Operation &op) {
        auto function = dyn_cast<FunctionOpInterface>(op);
        return function && function.isExternal();
      }))
    return module.emitError("expected at least one kernel: a 'func.func' with "
                            "a body (MF-1)");
  bool legal = true;
  auto require = [&](LogicalResult result) {
    if (failed(result))
      legal = false;
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (options.strict)
      require(checkDialect(op));
    if (auto kernel = dyn_cast<FunctionOpInterface>(op))
      require(checkKernel(kernel, options));
    else if (auto view = dyn_cast<ConstructMemoryViewOp>(op))
      warnAboutView(view);
    else if (auto tile = dyn_cast<ConstructAccessTileOp>(op))
      warnOffStickGrid(tile);
    else if (auto tile = dyn_cast<ConstructIndirectAccessTileOp>(op))
      warnOffStickGrid(tile);
    else if (auto joined = dyn_cast<ConstructDistributedMemoryViewOp>(op))
      require(checkDistributedView(joined));
    else if (auto production = dyn_cast<InterTileProduceOp>(op))
      require(checkProduction(production));
    else if (auto delivery = dyn_cast<DeliveryOpInterface>(op))
      require(checkDelivery(delivery));
  });
  return success(legal);
}

namespace {
struct KtirCheckLegality
    : public ktir::ktdp::impl::KtirCheckLegalityBase<KtirCheckLegality> {
  using KtirCheckLegalityBase::KtirCheckLegalityBase;

  void runOnOperation() override {
    LegalityOptions options;
    options.strict = strict;
    options.maxTiles = maxTiles;
    if (failed(checkLegality(getOperation(), options)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

} // namespace ktir::ktdp
