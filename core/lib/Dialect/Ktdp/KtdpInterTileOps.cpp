//===- KtdpInterTileOps.cpp - Values from tile to tile --------------------===//

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/Placement.h"
#include "ktir/Dialect/Ktdp/TileSets.h"

#include "llvm/ADT/DenseMap.h"

#include <unordered_map>

using namespace mlir;
using namespace ktir::ktdp;

//===----------------------------------------------------------------------===//
// Sets of tiles
//===----------------------------------------------------------------------===//

/// Checks a set of tiles per group, `(i)[g]` (PR-4, CO-2, CO-3, RE-5).
static LogicalResult verifyTilesPerGroup(Operation *op, StringRef name,
                                         IntegerSet set) {
  if (set.getNumSymbols() != 1)
    return op->emitOpError() << "`" << name
                             << "` must have exactly one symbol (the group "
                                "index g)";
  if (set.getNumDims() != 1)
    return op->emitOpError() << "`" << name
                             << "` must have exactly one dimension (the tile "
                                "id i)";
  return success();
}

//===----------------------------------------------------------------------===//
// InterTileProduceOp
//===----------------------------------------------------------------------===//

/// R1: a tile produces for at most one group.
static LogicalResult verifyDisjointGroups(InterTileProduceOp op) {
  std::optional<SmallVector<GroupTiles>> groups =
      enumerateGroupTiles(op.getFuture().getType().getGroups().getValue(),
                          op.getProducerTilesPerGroup());
  if (!groups)
    return success();
  std::unordered_map<int64_t, int64_t> groupOf;
  for (const GroupTiles &group : *groups)
    for (int64_t tile : group.tiles) {
      auto [it, inserted] = groupOf.try_emplace(tile, group.group);
      if (!inserted) // PR-5
        return op.emitOpError()
               << "producer_tiles_per_group for groups " << it->second
               << " and " << group.group << " are not disjoint";
    }
  return success();
}

LogicalResult InterTileProduceOp::verify() {
  Block &block = getProducer().front();
  if (block.getNumArguments() != 1 ||
      !block.getArgument(0).getType().isIndex()) // PR-1
    return emitOpError("producer region must take a single `index` group-id "
                       "argument");
  if (failed(verifyTilesPerGroup(*this, "producer_tiles_per_group",
                                 getProducerTilesPerGroup())) ||
      failed(verifyDisjointGroups(*this)))
    return failure();
  auto yield = dyn_cast<YieldPartialOp>(block.getTerminator());
  if (!yield)
    return success(); // The trait has said so.
  ArrayRef<RankedTensorType> partials = getFuture().getType().getPartialTypes();
  if (yield.getValues().size() != partials.size()) // PR-6
    return emitOpError() << "yield_partial yields " << yield.getValues().size()
                         << " values but the future carries " << partials.size()
                         << " partial type(s)";
  for (auto [index, type, partial] :
       llvm::enumerate(yield.getValues().getTypes(), partials))
    if (type != partial) // PR-7
      return emitOpError() << "yield_partial operand #" << index << " type "
                           << type << " does not match future partial type "
                           << partial;
  return success();
}

LogicalResult YieldReducedOp::verify() {
  if (isa<InterTileReduceOp, InterTileReduceScatterOp>((*this)->getParentOp()))
    return success();
  return emitOpError("expects parent op 'ktdp.inter_tile_reduce' or "
                     "'ktdp.inter_tile_reduce_scatter'");
}

//===----------------------------------------------------------------------===//
// Deliveries
//===----------------------------------------------------------------------===//

/// Checks the sets of tiles of a delivery (CO-2 to CO-5).
static LogicalResult verifySets(DeliveryOpInterface op) {
  if (failed(verifyTilesPerGroup(op, "consumer_tiles_per_group",
                                 op.getConsumerTilesPerGroup())))
    return failure();
  std::optional<IntegerSet> dependency = op.getProducerDependencyPerConsumer();
  if (!dependency)
    return success();
  if (dependency->getNumSymbols() != 1 && dependency->getNumSymbols() != 2)
    return op.emitOpError("`producer_dependency_per_consumer` must have one "
                          "symbol (c) or two symbols (c, g)");
  if (dependency->getNumDims() != 1)
    return op.emitOpError("`producer_dependency_per_consumer` must have "
                          "exactly one dimension (the producer tile id p)");
  return success();
}

/// Checks that results are the partials, unchanged (CO-1, RE-1).
static LogicalResult verifyWholeResults(DeliveryOpInterface op) {
  if (!llvm::equal(op->getResultTypes(),
                   op.getFuture().getType().getPartialTypes()))
    return op.emitOpError("failed to verify that result types must match "
                          "future partial types");
  return success();
}

/// Checks results that are shares of partials, or joined.
static LogicalResult verifyPlacedResults(DeliveryOpInterface op) {
  ArrayRef<RankedTensorType> partials =
      op.getFuture().getType().getPartialTypes();
  if (op->getNumResults() != partials.size())
    return op.emitOpError() << "expected " << partials.size()
                            << " results, one for each partial type of the "
                               "future, but got "
                            << op->getNumResults();
  const PlacementDimensions dimensions = getPlacementDimensions(op);
  for (auto [role, partial, result] :
       llvm::enumerate(partials, op->getResultTypes()))
    if (failed(verifyPlacement(op, dimensions, partial,
                               cast<RankedTensorType>(result), role)))
      return failure();
  return success();
}

/// Checks a combiner: it maps two values of each partial type to one (RE-3,
/// RE-4, RE-6, RE-7).
static LogicalResult verifyCombiner(DeliveryOpInterface op) {
  Block &block = op.getCombinerRegion()->front();
  ArrayRef<RankedTensorType> partials =
      op.getFuture().getType().getPartialTypes();
  const size_t roles = partials.size();
  if (block.getNumArguments() != 2 * roles) // RE-3
    return op.emitOpError() << "reducer region must take 2*N arguments, got "
                            << block.getNumArguments();
  for (size_t i = 0; i < roles; ++i)
    if (block.getArgument(i).getType() != partials[i] ||
        block.getArgument(roles + i).getType() != partials[i]) // RE-4
      return op.emitOpError() << "reducer region argument pair #" << i
                              << " must both have partial type " << partials[i];
  auto yield = dyn_cast<YieldReducedOp>(block.getTerminator());
  if (!yield)
    return success();                    // The trait has said so.
  if (yield.getValues().size() != roles) // RE-6
    return op.emitOpError()
           << "yield_reduced yields " << yield.getValues().size()
           << " values but expected " << roles;
  for (auto [index, type] : llvm::enumerate(yield.getValues().getTypes()))
    if (type != partials[index]) // RE-7
      return op.emitOpError()
             << "yield_reduced operand #" << index << " type " << type
             << " must match partial type " << partials[index];
  return success();
}

LogicalResult InterTileConsumeOp::verify() {
  return failure(failed(verifyWholeResults(*this)) ||
                 failed(verifySets(*this)));
}

LogicalResult InterTileReduceOp::verify() {
  if (failed(verifyWholeResults(*this)))
    return failure();
  if (!llvm::equal(getIdentity().getTypes(), getResultTypes())) // RE-2, R11
    return emitOpError("failed to verify that identity types must match result "
                       "types");
  return failure(failed(verifySets(*this)) || failed(verifyCombiner(*this)));
}

LogicalResult InterTileReduceScatterOp::verify() {
  if (failed(verifyPlacedResults(*this)))
    return failure();
  if (!llvm::equal(getIdentity().getTypes(),
                   getFuture().getType().getPartialTypes())) // PL-4, R11
    return emitOpError("failed to verify that identity types must match "
                       "partial types");
  return failure(failed(verifySets(*this)) || failed(verifyCombiner(*this)));
}

LogicalResult InterTileGatherOp::verify() {
  return failure(failed(verifyPlacedResults(*this)) ||
                 failed(verifySets(*this)));
}

LogicalResult InterTileAllToAllOp::verify() {
  return failure(failed(verifyPlacedResults(*this)) ||
                 failed(verifySets(*this)));
}

LogicalResult InterTileScatterOp::verify() {
  return failure(failed(verifyPlacedResults(*this)) ||
                 failed(verifySets(*this)));
}
