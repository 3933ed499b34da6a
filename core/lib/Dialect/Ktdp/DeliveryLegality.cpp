//===- DeliveryLegality.cpp - Rules between tiles -------------------------===//

#include "DeliveryLegality.h"

#include "ktir/Dialect/Ktdp/Placement.h"
#include "ktir/Dialect/Ktdp/TileSets.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using namespace mlir;

namespace ktir::ktdp {

//===----------------------------------------------------------------------===//
// Production
//===----------------------------------------------------------------------===//

LogicalResult checkProduction(InterTileProduceOp op) {
  op.getProducer().walk([&](Operation *inner) {
    if (hasEffect<MemoryEffects::Write>(inner))
      inner->emitWarning("expected no stores in a producer region, which names "
                         "the data to publish (KL-8)");
  });
  if (op.getFuture().hasOneUse())
    return success();
  InFlightDiagnostic diag =
      op.emitError("future result must have exactly one use"); // R2
  for (Operation *user : op.getFuture().getUsers())
    diag.attachNote(user->getLoc()) << "used here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Delivery
//===----------------------------------------------------------------------===//

namespace {
/// Which rules apply to a kind of delivery (§4.18).
struct Applicable {
  bool dependency = false;   ///< R3, R4
  bool uniformity = false;   ///< R5 to R7
  bool oneSource = false;    ///< R8
  bool reducesWhole = false; ///< R13, R14
};

/// The tiles of one group of a delivery, all known.
struct Group {
  int64_t index;
  TileIds producers, consumers;
  /// Producers that each consumer waits for, in the order of the consumers;
  /// nullopt where a bound is not a constant.
  std::vector<std::optional<TileIds>> dependencies;

  bool knowsDependencies() const {
    return llvm::all_of(dependencies,
                        [](const auto &tiles) { return tiles.has_value(); });
  }
};

/// Checks one delivery.
class DeliveryChecker {
public:
  explicit DeliveryChecker(DeliveryOpInterface op)
      : op(op), production(op.getFuture().getDefiningOp<InterTileProduceOp>()) {
  }

  LogicalResult check();

private:
  static Applicable applicable(Operation *op);
  /// The groups; false when a set is not bounded by constants.
  bool enumerate();
  InFlightDiagnostic report();

  LogicalResult checkCombiner();
  LogicalResult checkConsumers();
  LogicalResult checkDependencies(const Group &group);
  LogicalResult checkOneSource(const Group &group);
  LogicalResult checkReduced(const Group &group);
  LogicalResult checkUniformity();
  LogicalResult checkPlacement(const Group &group);
  void warnSharedDependencies(const Group &group);

  DeliveryOpInterface op;
  InterTileProduceOp production;
  std::vector<Group> groups;
};
} // namespace

static bool contains(const TileIds &tiles, int64_t tile) {
  return std::binary_search(tiles.begin(), tiles.end(), tile);
}

Applicable DeliveryChecker::applicable(Operation *op) {
  Applicable rules;
  rules.dependency = !isa<InterTileScatterOp>(op);
  rules.uniformity =
      isa<InterTileGatherOp, InterTileAllToAllOp, InterTileScatterOp>(op);
  rules.oneSource = isa<InterTileConsumeOp, InterTileScatterOp>(op);
  rules.reducesWhole = isa<InterTileReduceOp>(op);
  return rules;
}

InFlightDiagnostic DeliveryChecker::report() {
  InFlightDiagnostic diag = op->emitError();
  diag.attachNote(production.getLoc()) << "values are produced here";
  return diag;
}

bool DeliveryChecker::enumerate() {
  const IntegerSet indices =
      production.getFuture().getType().getGroups().getValue();
  std::optional<SmallVector<GroupTiles>> producers =
      enumerateGroupTiles(indices, production.getProducerTilesPerGroup());
  std::optional<SmallVector<GroupTiles>> consumers =
      enumerateGroupTiles(indices, op.getConsumerTilesPerGroup());
  if (!producers || !consumers)
    return false;
  std::optional<IntegerSet> dependency = op.getProducerDependencyPerConsumer();
  // What is tried in all is bounded, however large the sets are.
  int64_t left = int64_t(1) << 20;
  for (auto [from, to] : llvm::zip_equal(*producers, *consumers)) {
    Group group{from.group, std::move(from.tiles), std::move(to.tiles), {}};
    for (int64_t consumer : group.consumers) {
      std::optional<TileIds> &waits = group.dependencies.emplace_back();
      if (!dependency)
        waits = group.producers;
      else if (left > 0)
        waits = enumerateDependency(*dependency, consumer, group.index);
      left -= waits ? waits->size() + 1 : 1;
    }
    groups.push_back(std::move(group));
  }
  return true;
}

LogicalResult DeliveryChecker::checkCombiner() {
  Region *combiner = op.getCombinerRegion();
  if (!combiner)
    return success();
  WalkResult result = combiner->walk([&](Operation *inner) {
    if (isMemoryEffectFree(inner))
      return WalkResult::advance();
    InFlightDiagnostic diag =
        op.emitOpError("expected a combiner without side effects (R10)");
    diag.attachNote(inner->getLoc()) << "this operation has some";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult DeliveryChecker::checkConsumers() {
  std::unordered_map<int64_t, int64_t> groupOf;
  for (const Group &group : groups)
    for (int64_t tile : group.consumers) {
      auto [it, inserted] = groupOf.try_emplace(tile, group.index);
      if (!inserted)
        return op.emitOpError()
               << "expected each tile to consume for one group, but tile "
               << tile << " does for groups " << it->second << " and "
               << group.index << " (KL-7)";
    }
  return success();
}

LogicalResult DeliveryChecker::checkDependencies(const Group &group) {
  for (auto [consumer, waits] :
       llvm::zip_equal(group.consumers, group.dependencies)) {
    if (!waits)
      continue;
    for (int64_t producer : *waits)
      if (!contains(group.producers, producer)) { // R3
        InFlightDiagnostic diag = report();
        diag << "producer_dependency_per_consumer for consumer " << consumer
             << " group " << group.index << " references producer tile "
             << producer << " which is not in producer_tiles_per_group";
        return diag;
      }
  }
  if (!group.knowsDependencies())
    return success();
  std::unordered_set<int64_t> waitedFor;
  for (const auto &waits : group.dependencies)
    waitedFor.insert(waits->begin(), waits->end());
  for (int64_t producer : group.producers)
    if (!waitedFor.count(producer)) { // R4
      InFlightDiagnostic diag = report();
      diag << "producer_dependency_per_consumer for group " << group.index
           << " does not cover producer tile " << producer
           << " (no consumer has it as a dependency)";
      return diag;
    }
  return success();
}

LogicalResult DeliveryChecker::checkOneSource(const Group &group) {
  if (isa<InterTileScatterOp>(op)) { // PL-3
    if (group.producers.size() == 1)
      return success();
    InFlightDiagnostic diag = report();
    diag << "expected one producer per group to scatter from, but group "
         << group.index << " has " << group.producers.size() << " (R8)";
    return diag;
  }
  if (!op.getProducerDependencyPerConsumer() && group.producers.size() > 1) {
    InFlightDiagnostic diag = report();
    diag << "producer_tiles_per_group for group " << group.index << " has "
         << group.producers.size()
         << " producers, so producer_dependency_per_consumer is required to "
            "name each consumer tile's single source";
    return diag;
  }
  for (auto [consumer, waits] :
       llvm::zip_equal(group.consumers, group.dependencies))
    if (waits && waits->size() != 1) {
      InFlightDiagnostic diag = report();
      diag << "consumer tile " << consumer << " in group " << group.index
           << " depends on " << waits->size()
           << " producers; inter_tile_consume delivers one contribution per "
              "consumer tile, so exactly one is required";
      return diag;
    }
  return success();
}

LogicalResult DeliveryChecker::checkReduced(const Group &group) {
  for (int64_t consumer : group.consumers)
    if (!contains(group.producers, consumer)) { // R13
      InFlightDiagnostic diag = report();
      diag << "consumer_tiles_per_group for group " << group.index
           << " is not a subset of producer_tiles_per_group (a consumer tile "
              "that did not produce is unsupported; see open question Q1)";
      return diag;
    }
  if (group.consumers.size() > 1 &&
      group.consumers.size() < group.producers.size()) { // R14
    InFlightDiagnostic diag = report();
    diag << "consumer_tiles_per_group for group " << group.index
         << " is a strict subset of producer_tiles_per_group with more than "
            "one tile (reduce-to-subset is unsupported; only all-reduce and "
            "reduce-to-one are supported)";
    return diag;
  }
  return success();
}

void DeliveryChecker::warnSharedDependencies(const Group &group) {
  if (!op.getProducerDependencyPerConsumer() || !group.knowsDependencies())
    return;
  std::unordered_map<int64_t, int64_t> consumerOf;
  for (auto [consumer, waits] :
       llvm::zip_equal(group.consumers, group.dependencies))
    for (int64_t producer : *waits) {
      auto [it, inserted] = consumerOf.try_emplace(producer, consumer);
      if (inserted)
        continue;
      op->emitWarning() << "consumers " << it->second << " and " << consumer
                        << " of group " << group.index
                        << " both depend on producer tile " << producer
                        << "; whether that is allowed is contested (R5)";
      return;
    }
}

LogicalResult DeliveryChecker::checkUniformity() {
  std::optional<size_t> producers, waiting;
  for (const Group &group : groups) {
    if (!producers)
      producers = group.producers.size();
    if (group.producers.size() != *producers) { // R7
      InFlightDiagnostic diag = report();
      diag << "expected groups of equally many producers, but group "
           << groups.front().index << " has " << *producers << " and group "
           << group.index << " has " << group.producers.size() << " (R7)";
      return diag;
    }
    for (auto [consumer, waits] :
         llvm::zip_equal(group.consumers, group.dependencies)) {
      if (!waits)
        continue;
      if (!waiting)
        waiting = waits->size();
      if (waits->size() != *waiting) // R6
        return op.emitOpError()
               << "expected consumers to depend on equally many producers, "
                  "but consumer "
               << consumer << " of group " << group.index << " depends on "
               << waits->size() << " and another one on " << *waiting
               << " (R6)";
    }
  }
  return success();
}

LogicalResult DeliveryChecker::checkPlacement(const Group &group) {
  const PlacementDimensions dimensions = getPlacementDimensions(op);
  if ((dimensions.split.empty() && dimensions.concat.empty()) ||
      group.consumers.empty())
    return success();
  const auto &waits = group.dependencies.front();
  if (!waits)
    return success();
  for (auto [role, partial, type] : llvm::enumerate(
           op.getFuture().getType().getPartialTypes(), op->getResultTypes())) {
    PlacementFactors factors;
    const int64_t producers = dimensions.concat.empty() ? 1 : waits->size();
    const int64_t consumers =
        dimensions.split.empty() ? 1 : group.consumers.size();
    const PlacementProblem problem =
        findPlacementFactors(dimensions, partial, cast<RankedTensorType>(type),
                             producers, consumers, factors);
    switch (problem) {
    case PlacementProblem::None:
    case PlacementProblem::Dynamic:
      break;
    case PlacementProblem::Split: {
      InFlightDiagnostic diag = report();
      diag << "result #" << role << " does not split " << partial << " among "
           << "the " << consumers << " consumers of group " << group.index
           << " (R9)";
      return diag;
    }
    case PlacementProblem::Concat: {
      InFlightDiagnostic diag = report();
      diag << "result #" << role << " does not join the values of " << producers
           << " producers in group " << group.index << " (R12)";
      return diag;
    }
    case PlacementProblem::Ambiguous: {
      InFlightDiagnostic diag = report();
      diag << "result #" << role << " can be split and joined in several ways "
           << "that its type does not tell apart (KL-9)";
      return diag;
    }
    }
  }
  return success();
}

LogicalResult DeliveryChecker::check() {
  if (failed(checkCombiner()))
    return failure();
  // Where the production is not known, neither are its tiles.
  if (!production || !enumerate())
    return success();
  const Applicable rules = applicable(op);
  if (failed(checkConsumers()))
    return failure();
  for (const Group &group : groups) {
    if (rules.dependency && failed(checkDependencies(group)))
      return failure();
    if (rules.oneSource && failed(checkOneSource(group)))
      return failure();
    if (rules.reducesWhole && failed(checkReduced(group)))
      return failure();
  }
  if (rules.uniformity && failed(checkUniformity()))
    return failure();
  for (const Group &group : groups) {
    if (failed(checkPlacement(group)))
      return failure();
    if (rules.uniformity)
      warnSharedDependencies(group);
  }
  return success();
}

LogicalResult checkDelivery(DeliveryOpInterface op) {
  return DeliveryChecker(op).check();
}

} // namespace ktir::ktdp
