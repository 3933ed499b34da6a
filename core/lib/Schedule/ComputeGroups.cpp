//===- ComputeGroups.cpp - Stores and what they are computed from ---------===//

#include "ktir/Schedule/ComputeGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ktir;

/// The float operations that the vector unit computes as the tensor form does.
static bool isVectorArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::MaximumFOp,
             arith::MinimumFOp>(op);
}

bool ktir::isElementwiseCompute(Operation *op) {
  if (isa<linalg::LinalgOp>(op))
    return true;
  return isVectorArithmetic(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

SmallVector<Value> ktir::getElementwiseInputs(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return llvm::to_vector(op->getOperands());
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands())
    if (linalgOp.payloadUsesValueFromOperand(&operand))
      inputs.push_back(operand.get());
  return inputs;
}

//===----------------------------------------------------------------------===//
// Operations one by one
//===----------------------------------------------------------------------===//

static LogicalResult checkElementType(Operation *op, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF16())
    return success();
  return op->emitOpError() << "expected elements of type 'f16', but found "
                           << element
                           << "; the scheduler lowers f16 kernels only";
}

/// Checks a linalg operation: elementwise over equal shapes, its body made of
/// vector arithmetic and constants.
static LogicalResult checkLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op->emitOpError("expected tensor operands");
  for (auto [position, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind != utils::IteratorType::parallel)
      return op->emitOpError()
             << "expected an elementwise operation, but iterator " << position
             << " is a " << utils::stringifyIteratorType(kind);
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isIdentity())
      return op->emitOpError("is not lowered by the scheduler: expected "
                             "operands of equal shape, each with the identity "
                             "indexing map; write a repeated value as a "
                             "constant");
  for (Value value : op->getOperands())
    if (failed(checkElementType(op, value.getType())))
      return failure();
  for (Operation &inner : *op.getBlock()) {
    if (isa<linalg::YieldOp, arith::ConstantOp>(inner))
      continue;
    if (!isVectorArithmetic(&inner))
      return inner.emitOpError("is not lowered to the vector unit; expected "
                               "'arith.addf', 'arith.subf', 'arith.mulf', "
                               "'arith.maximumf' or 'arith.minimumf'");
  }
  // A value from outside the body must be known at compile time.
  for (Operation &inner : *op.getBlock()) {
    for (Value operand : inner.getOperands()) {
      if (operand.getParentBlock() == op.getBlock() ||
          operand.getDefiningOp<arith::ConstantOp>())
        continue;
      InFlightDiagnostic diag =
          inner.emitOpError("expected scalars from outside the body to be "
                            "constants");
      diag.attachNote(operand.getLoc()) << "this value is known at launch only";
      return diag;
    }
  }
  return success();
}

static LogicalResult checkOperation(Operation &op) {
  if (isa<func::ReturnOp, ktdp::GetComputeTileIdOp, ktdp::ConstructMemoryViewOp,
          ktdp::ConstructAccessTileOp, tensor::EmptyOp>(op))
    return success();
  if (auto load = dyn_cast<ktdp::LoadOp>(op))
    return checkElementType(&op, load.getResult().getType());
  if (auto store = dyn_cast<ktdp::StoreOp>(op))
    return checkElementType(&op, store.getData().getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<ElementsAttr>(constant.getValue());
    if (elements && !elements.isSplat())
      return op.emitOpError("expected a constant tensor with one value for "
                            "all elements");
    return success();
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return checkLinalg(linalgOp);
  if (isElementwiseCompute(&op))
    return checkElementType(&op, op.getResult(0).getType());
  // Address arithmetic; whether it can be followed shows where it is used.
  if (isa<arith::ArithDialect>(op.getDialect()) &&
      llvm::all_of(op.getResultTypes(),
                   [](Type type) { return type.isIntOrIndex(); }))
    return success();
  return op.emitOpError("is not lowered by the scheduler yet; it takes loads, "
                        "elementwise f16 additions, subtractions, products, "
                        "maxima and minima, and stores");
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Collects the loads and compute operations that `store` depends on.
static LogicalResult collectSlice(ktdp::StoreOp store,
                                  llvm::SetVector<Operation *> &slice) {
  SmallVector<std::pair<Value, Operation *>> pending{
      {store.getData(), store.getOperation()}};
  bool loads = false;
  while (!pending.empty()) {
    auto [value, user] = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && isa<arith::ConstantOp>(op))
      continue;
    if (op && isa<tensor::EmptyOp>(op)) {
      InFlightDiagnostic diag =
          user->emitOpError("reads a tensor that was never written");
      diag.attachNote(op->getLoc()) << "made here without contents";
      return diag;
    }
    if (!op || (!isa<ktdp::LoadOp>(op) && !isElementwiseCompute(op)))
      return user->emitOpError("expected a tensor that was loaded or computed "
                               "elementwise");
    loads |= isa<ktdp::LoadOp>(op);
    if (!slice.insert(op) || isa<ktdp::LoadOp>(op))
      continue;
    for (Value input : getElementwiseInputs(op))
      pending.push_back({input, op});
  }
  if (!loads)
    return store.emitOpError("expected a value that depends on a load");
  return success();
}

/// Reports that two accesses would run in the wrong order.
static LogicalResult reportOrder(const TileAccess &first,
                                 const TileAccess &second, StringRef why) {
  InFlightDiagnostic diag = second.op->emitOpError(why);
  diag.attachNote(first.op->getLoc()) << "the other access is here";
  return diag;
}

/// Checks the accesses of one group against each other.
static LogicalResult orderWithinGroup(ComputeGroup &group) {
  for (TileAccess &store : group.stores) {
    for (TileAccess &load : group.loads) {
      if (!store.mayOverlap(load))
        continue;
      if (store.op->isBeforeInBlock(load.op))
        return reportOrder(store, load,
                           "reads what an earlier store of the same compute "
                           "group may have written; the scheduler loads "
                           "everything before it stores");
      group.wholeTile |= !store.sameElements(load);
    }
    for (TileAccess &other : group.stores)
      if (other.op != store.op && store.mayOverlap(other))
        group.wholeTile |= !store.sameElements(other);
  }
  return success();
}

/// Checks that running `earlier` as a whole before `later` keeps the order of
/// every pair of accesses that may touch the same memory.
static LogicalResult orderBetweenGroups(ComputeGroup &earlier,
                                        ComputeGroup &later) {
  auto check = [](TileAccess &first, TileAccess &second) -> LogicalResult {
    if (first.op->isBeforeInBlock(second.op) || !first.mayOverlap(second))
      return success();
    return reportOrder(second, first,
                       "touches memory that another compute group touches in "
                       "between, but the scheduler runs each group as a "
                       "whole; expected the accesses of a group next to each "
                       "other, or a store to a tensor of its own");
  };
  for (TileAccess &store : earlier.stores) {
    for (TileAccess &load : later.loads)
      if (failed(check(store, load)))
        return failure();
    for (TileAccess &other : later.stores)
      if (failed(check(store, other)))
        return failure();
  }
  for (TileAccess &load : earlier.loads)
    for (TileAccess &store : later.stores)
      if (failed(check(load, store)))
        return failure();
  return success();
}

FailureOr<std::vector<ComputeGroup>>
ktir::collectComputeGroups(func::FuncOp func) {
  FailureOr<int64_t> numTiles = getNumTiles(func);
  if (failed(numTiles))
    return failure();
  if (func.getNumResults() != 0) {
    func.emitError("expected a kernel without results (MF-1)");
    return failure();
  }
  if (!func.getBody().hasOneBlock()) {
    func.emitError("expected a kernel body of one block (MF-1)");
    return failure();
  }
  Block &body = func.getBody().front();
  for (Operation &op : body)
    if (failed(checkOperation(op)))
      return failure();

  // Stores that share a load or a computation belong together.
  llvm::EquivalenceClasses<Operation *> classes;
  DenseMap<Operation *, Operation *> storeOf;
  SmallVector<Operation *> stores;
  for (auto store : body.getOps<ktdp::StoreOp>()) {
    llvm::SetVector<Operation *> slice;
    if (failed(collectSlice(store, slice)))
      return failure();
    stores.push_back(store);
    classes.insert(store);
    for (Operation *op : slice) {
      auto [it, inserted] = storeOf.try_emplace(op, store);
      if (!inserted)
        classes.unionSets(it->second, store);
    }
  }
  if (stores.empty()) {
    func.emitError("expected a kernel that stores something");
    return failure();
  }

  // Groups run in the order of their last stores.
  SmallVector<Operation *> leaders;
  for (Operation *store : llvm::reverse(stores)) {
    Operation *leader = classes.getLeaderValue(store);
    if (!llvm::is_contained(leaders, leader))
      leaders.push_back(leader);
  }
  std::reverse(leaders.begin(), leaders.end());

  std::vector<ComputeGroup> groups(leaders.size());
  TileValues values(*numTiles);
  for (Operation &op : body) {
    Operation *store = isa<ktdp::StoreOp>(op) ? &op : storeOf.lookup(&op);
    if (!store)
      continue;
    ComputeGroup &group =
        groups[llvm::find(leaders, classes.getLeaderValue(store)) -
               leaders.begin()];
    if (!isa<ktdp::LoadOp, ktdp::StoreOp>(op)) {
      group.compute.push_back(&op);
      continue;
    }
    FailureOr<TileAccess> access = analyzeTileAccess(&op, values, *numTiles);
    if (failed(access))
      return failure();
    (access->isStore() ? group.stores : group.loads)
        .push_back(std::move(*access));
  }
  for (auto [position, group] : llvm::enumerate(groups)) {
    if (failed(orderWithinGroup(group)))
      return failure();
    for (ComputeGroup &later : llvm::drop_begin(groups, position + 1))
      if (failed(orderBetweenGroups(group, later)))
        return failure();
  }
  return groups;
}
