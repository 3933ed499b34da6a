//===- ConstructThreeStagePipeline.cpp - KTIR to pipelines ----------------===//
//
// Follows spec scheduler.md §2.3: one vector per iteration, a loop per
// dimension, and a pipeline of load, compute and store around one fused
// `linalg.generic`.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/Support/AffineSubscript.h"
#include "ktir/Dialect/Support/IntegerSets.h"
#include "ktir/Schedule/ComputeGroups.h"
#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_CONSTRUCTTHREESTAGEPIPELINE
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

/// Extents of one vector: from the last dimension to the first, as many
/// elements of each as divide both its extent and the lanes that are left.
static SmallVector<int64_t> chooseVectorShape(ArrayRef<int64_t> shape,
                                              int64_t lanes) {
  SmallVector<int64_t> vector(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 0 && lanes > 1;) {
    vector[d] = std::gcd(shape[d], lanes);
    lanes /= vector[d];
  }
  return vector;
}

namespace {
/// Builds the pipeline of one compute group.
class PipelineBuilder {
public:
  PipelineBuilder(func::FuncOp func, ComputeGroup &group, const Device &device)
      : func(func), group(group), device(device),
        builder(func.getBody().front().getTerminator()) {}

  LogicalResult build();

private:
  /// The memory of a view, as the device names it.
  LogicalResult placeView(TileAccess &access);
  ktdf::FifoSlotType slotType(const TileAccess &access);
  void buildLoadStage();
  void buildComputeStage(StringRef computeKind);
  void buildStoreStage();
  /// The subscript of the vector that the current iteration moves.
  AffineMap vectorSubscript(TileAccess &access, SmallVector<Value> &operands);
  /// Scalar code of the group's operations; returns a value per store.
  SmallVector<Value> buildScalars(OpBuilder &body, ValueRange inputs);

  func::FuncOp func;
  ComputeGroup &group;
  const Device &device;
  OpBuilder builder;

  SmallVector<int64_t> vectorShape;
  int64_t vectorSize = 1;
  SmallVector<Value> inductionVars;
  DenseMap<Operation *, Value> memory; // view -> memref in a device memory
  // Results of the private region: a slot per load, a slot per store, and the
  // two tokens between the three stages.
  SmallVector<Value> loadSlots, storeSlots, tokens;
  std::string computeKind;
};
} // namespace

LogicalResult PipelineBuilder::placeView(TileAccess &access) {
  ktdp::ConstructMemoryViewOp view = access.view;
  if (memory.contains(view))
    return success();
  std::optional<StringRef> kind =
      device.getMemoryKind(view.getMemorySpaceAttr());
  if (!kind)
    return view.emitOpError() << "expected a memory space that the device "
                                 "maps to a memory, but found "
                              << view.getMemorySpaceAttr();
  auto type = cast<MemRefType>(view.getType());
  auto placed =
      MemRefType::Builder(type).setMemorySpace(builder.getStringAttr(*kind));
  memory[view] = memref::MemorySpaceCastOp::create(
      builder, view.getLoc(), MemRefType(placed), view.getResult());
  return success();
}

ktdf::FifoSlotType PipelineBuilder::slotType(const TileAccess &access) {
  StringRef kind = getMemoryKind(memory[access.view].getType());
  return access.isStore()
             ? ktdf::FifoSlotType::get(builder.getContext(), computeKind, kind,
                                       vectorSize, access.elementType())
             : ktdf::FifoSlotType::get(builder.getContext(), kind, computeKind,
                                       vectorSize, access.elementType());
}

LogicalResult PipelineBuilder::build() {
  Type element = group.stores.front().elementType();
  FailureOr<StringRef> compute = device.getComputeKind(func);
  if (failed(compute))
    return failure();
  computeKind = compute->str();
  std::optional<int64_t> lanes = device.getLanes(computeKind, element);
  if (!lanes)
    return func.emitError() << "unit '" << computeKind
                            << "' states no number of lanes for " << element;
  ArrayRef<int64_t> shape = group.stores.front().shape;
  vectorShape = chooseVectorShape(shape, *lanes);
  for (int64_t extent : vectorShape)
    vectorSize *= extent;

  for (TileAccess &access : group.loads)
    if (failed(placeView(access)))
      return failure();
  for (TileAccess &access : group.stores)
    if (failed(placeView(access)))
      return failure();

  for (auto [extent, size] : llvm::zip_equal(shape, vectorShape))
    inductionVars.push_back(
        createParallelLoop(builder, func.getLoc(), extent / size)
            .getInductionVar());

  auto pipeline = ktdf::PipelineOp::create(builder, func.getLoc());
  builder.setInsertionPointToStart(&pipeline.getBody().front());
  SmallVector<Type> types;
  for (TileAccess &access : group.loads)
    types.push_back(slotType(access));
  for (TileAccess &access : group.stores)
    types.push_back(slotType(access));
  types.append(2, ktdf::TokenType::get(builder.getContext()));
  auto privateOp = createPrivate(builder, func.getLoc(), types);
  ResultRange results = privateOp.getResults();
  llvm::append_range(loadSlots, results.take_front(group.loads.size()));
  llvm::append_range(storeSlots,
                     results.slice(group.loads.size(), group.stores.size()));
  llvm::append_range(tokens, results.take_back(2));

  buildLoadStage();
  buildComputeStage(computeKind);
  buildStoreStage();
  if (group.wholeTile)
    func->setAttr(kWholeTileAttr, builder.getUnitAttr());
  return success();
}

AffineMap PipelineBuilder::vectorSubscript(TileAccess &access,
                                           SmallVector<Value> &operands) {
  AffineMap base = access.tile.getBaseMap();
  MLIRContext *context = builder.getContext();
  operands = llvm::to_vector(access.tile.getIndices());
  // Symbols of the tile's subscript become dimensions: a transfer has none.
  SmallVector<AffineExpr> symbols;
  for (unsigned s = 0; s < base.getNumSymbols(); ++s)
    symbols.push_back(getAffineDimExpr(base.getNumDims() + s, context));
  SmallVector<AffineExpr> results;
  std::optional<IntegerBox> box = getAsBox(access.tile.getAccessTileSet());
  for (auto [d, expr] : llvm::enumerate(base.getResults())) {
    AffineExpr iv = getAffineDimExpr(base.getNumInputs() + d, context);
    results.push_back(expr.replaceSymbols(symbols) + box->lower[d] +
                      iv * vectorShape[d]);
  }
  llvm::append_range(operands, inductionVars);
  AffineMap map = AffineMap::get(operands.size(), 0, results, context);
  normalizeAffineSubscript(map, operands);
  return map;
}

void PipelineBuilder::buildLoadStage() {
  OpBuilder::InsertionGuard guard(builder);
  auto stage = ktdf::StageOp::create(builder, func.getLoc(), ValueRange(),
                                     ValueRange{tokens[0]});
  builder.setInsertionPointToStart(&stage.getBody().front());
  for (auto [access, slot] : llvm::zip_equal(group.loads, loadSlots)) {
    SmallVector<Value> operands;
    AffineMap map = vectorSubscript(access, operands);
    ktdf::DataTransferOp::create(builder, access.op->getLoc(),
                                 memory[access.view], map, operands,
                                 vectorShape, slot);
  }
}

void PipelineBuilder::buildStoreStage() {
  OpBuilder::InsertionGuard guard(builder);
  auto stage = ktdf::StageOp::create(builder, func.getLoc(),
                                     ValueRange{tokens[1]}, ValueRange());
  builder.setInsertionPointToStart(&stage.getBody().front());
  for (auto [access, slot] : llvm::zip_equal(group.stores, storeSlots)) {
    SmallVector<Value> operands;
    AffineMap map = vectorSubscript(access, operands);
    ktdf::DataTransferOp::create(builder, access.op->getLoc(), slot,
                                 memory[access.view], map, operands,
                                 vectorShape);
  }
}

void PipelineBuilder::buildComputeStage(StringRef computeKind) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = func.getLoc();
  auto stage = ktdf::StageOp::create(builder, loc, ValueRange{tokens[0]},
                                     ValueRange{tokens[1]}, {computeKind});
  builder.setInsertionPointToStart(&stage.getBody().front());

  SmallVector<Value> inputs, outs;
  SmallVector<Type> types;
  for (auto [access, slot] : llvm::zip_equal(group.loads, loadSlots))
    inputs.push_back(ktdf::ReadFromFifoOp::create(
        builder, access.op->getLoc(),
        RankedTensorType::get(vectorShape, access.elementType()), slot));
  for (TileAccess &access : group.stores) {
    outs.push_back(tensor::EmptyOp::create(builder, access.op->getLoc(),
                                           vectorShape, access.elementType()));
    types.push_back(outs.back().getType());
  }
  SmallVector<AffineMap> maps(
      inputs.size() + outs.size(),
      builder.getMultiDimIdentityMap(vectorShape.size()));
  SmallVector<utils::IteratorType> iterators(vectorShape.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, types, inputs, outs, maps, iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        linalg::YieldOp::create(
            body, loc, buildScalars(body, arguments.take_front(inputs.size())));
      });
  for (auto [access, result, slot] :
       llvm::zip_equal(group.stores, generic.getResults(), storeSlots))
    ktdf::WriteToFifoOp::create(builder, access.op->getLoc(), result, slot);
}

SmallVector<Value> PipelineBuilder::buildScalars(OpBuilder &body,
                                                 ValueRange inputs) {
  IRMapping scalars;
  for (auto [access, input] : llvm::zip_equal(group.loads, inputs))
    scalars.map(cast<ktdp::LoadOp>(access.op).getResult(), input);

  // A constant, splat or scalar, becomes a scalar of the body.
  auto scalarOf = [&](Value value) -> Value {
    if (Value known = scalars.lookupOrNull(value))
      return known;
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    TypedAttr attr = constant.getValue();
    if (auto elements = dyn_cast<SplatElementsAttr>(attr))
      attr = cast<TypedAttr>(elements.getSplatValue<Attribute>());
    Value scalar = arith::ConstantOp::create(body, constant.getLoc(), attr);
    scalars.map(value, scalar);
    return scalar;
  };

  for (Operation *op : group.compute) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      for (Value operand : op->getOperands())
        scalarOf(operand);
      Operation *scalar = body.clone(*op, scalars);
      scalar->getResult(0).setType(
          getElementTypeOrSelf(op->getResult(0).getType()));
      continue;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (linalgOp.payloadUsesValueFromOperand(&operand))
        scalars.map(linalgOp.getMatchingBlockArgument(&operand),
                    scalarOf(operand.get()));
    for (Operation &inner : linalgOp.getBlock()->without_terminator()) {
      for (Value operand : inner.getOperands())
        scalarOf(operand);
      body.clone(inner, scalars);
    }
    Operation *yield = linalgOp.getBlock()->getTerminator();
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), yield->getOperands()))
      scalars.map(result, scalarOf(value));
  }
  SmallVector<Value> results;
  for (TileAccess &access : group.stores)
    results.push_back(scalarOf(cast<ktdp::StoreOp>(access.op).getData()));
  return results;
}

/// Erases the tensor form of the group, users before producers.
static void eraseTensorCode(func::FuncOp func, ComputeGroup &group) {
  for (TileAccess &access : group.stores)
    access.op->erase();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(func.getBody().front()))) {
    if (isa<ktdp::LoadOp, ktdp::ConstructAccessTileOp>(op) ||
        isElementwiseCompute(&op) || isa<tensor::EmptyOp>(op) ||
        (isa<arith::ConstantOp>(op) && op.use_empty()))
      op.erase();
  }
}

namespace {
struct ConstructThreeStagePipeline
    : public ktir::impl::ConstructThreeStagePipelineBase<
          ConstructThreeStagePipeline> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](func::FuncOp func) {
      if (func.isDeclaration() ||
          func.getBody().getOps<ktdp::StoreOp>().empty())
        return WalkResult::skip();
      FailureOr<std::vector<ComputeGroup>> groups = collectComputeGroups(func);
      if (failed(groups))
        return WalkResult::interrupt();
      if (groups->size() != 1) {
        func.emitError() << "expected one compute group per function, but "
                            "found "
                         << groups->size()
                         << "; run 'compute-group-extraction' first";
        return WalkResult::interrupt();
      }
      if (failed(PipelineBuilder(func, groups->front(), *device).build()))
        return WalkResult::interrupt();
      eraseTensorCode(func, groups->front());
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
