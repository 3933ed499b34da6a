//===- DecodeDeliveries.cpp - Values from tile to tile --------------------===//

#include "DecodeKtdp.h"
#include "Deliveries.h"
#include "Elementwise.h"
#include "Runtime.h"
#include "TensorOps.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/Placement.h"
#include "ktir/Dialect/Ktdp/TileSets.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

void ExchangeState::release(const Exchange::Consumer &consumer) {
  uint64_t number = tiles[consumer.tile].consumed++;
  for (uint32_t producer : consumer.waits) {
    --find(producer, number)->readers;
    Tile &tile = tiles[producer];
    while (!tile.published.empty() && tile.published.front().readers == 0) {
      tile.published.pop_front();
      ++tile.first;
    }
  }
}

namespace {
/// Finds the tiles of an exchange.
class ExchangeBuilder {
public:
  ExchangeBuilder(Decoder &decoder, ktdp::InterTileProduceOp production,
                  ktdp::DeliveryOpInterface delivery)
      : decoder(decoder), production(production), delivery(delivery),
        exchange(decoder.makePayload<Exchange>()) {}

  /// Null after an error.
  Exchange *run();

private:
  std::optional<ktdp::TileIds> evaluate(Operation *op, IntegerSet set,
                                        ArrayRef<int64_t> symbols,
                                        StringRef name);
  LogicalResult addGroup(int64_t index);
  LogicalResult enroll(Operation *op, std::vector<int32_t> &table,
                       uint32_t tile, StringRef does);

  Decoder &decoder;
  ktdp::InterTileProduceOp production;
  ktdp::DeliveryOpInterface delivery;
  Exchange *exchange;
};
} // namespace

/// The tiles of the grid in `set`; an id beyond the grid is an error where the
/// bounds of the set show it (§4.10).
std::optional<ktdp::TileIds>
ExchangeBuilder::evaluate(Operation *op, IntegerSet set,
                          ArrayRef<int64_t> symbols, StringRef name) {
  int64_t tiles = decoder.program.tiles();
  ktdp::TileIds found;
  if (std::optional<ktdp::TileIds> all = ktdp::enumerateTiles(set, symbols)) {
    for (int64_t tile : *all)
      if (tile >= tiles) {
        op->emitError() << "cannot be executed: " << name << " names tile "
                        << tile << ", the grid has " << tiles << " tiles";
        return std::nullopt;
      }
    return all;
  }
  if (std::optional<int64_t> highest = ktdp::getHighestTile(set, symbols);
      highest && *highest >= tiles) {
    op->emitError() << "cannot be executed: " << name << " reaches up to tile "
                    << *highest << ", the grid has " << tiles << " tiles";
    return std::nullopt;
  }
  CompiledSet compiled = CompiledSet::get(set, AffineMap());
  for (int64_t tile = 0; tile < tiles; ++tile)
    if (compiled.contains(tile, symbols))
      found.push_back(tile);
  return found;
}

LogicalResult ExchangeBuilder::enroll(Operation *op,
                                      std::vector<int32_t> &table,
                                      uint32_t tile, StringRef does) {
  if (table[tile] >= 0)
    return op->emitError() << "cannot be executed: tile " << tile << ' ' << does
                           << " for groups "
                           << exchange->groups[table[tile]].index << " and "
                           << exchange->groups.back().index
                           << ", expected at most one";
  table[tile] = exchange->groups.size() - 1;
  return success();
}

LogicalResult ExchangeBuilder::addGroup(int64_t index) {
  std::optional<ktdp::TileIds> producers =
      evaluate(production, production.getProducerTilesPerGroup(), index,
               "producer_tiles_per_group");
  std::optional<ktdp::TileIds> consumers =
      evaluate(delivery, delivery.getConsumerTilesPerGroup(), index,
               "consumer_tiles_per_group");
  if (!producers || !consumers)
    return failure();
  Exchange::Group &group = exchange->groups.emplace_back();
  group.index = index;
  for (int64_t tile : *producers) {
    if (failed(enroll(production, exchange->producerGroup, tile, "produces")))
      return failure();
    group.producers.push_back(tile);
  }
  std::optional<IntegerSet> dependency =
      delivery.getProducerDependencyPerConsumer();
  for (int64_t tile : *consumers) {
    if (failed(enroll(delivery, exchange->consumerGroup, tile, "consumes")))
      return failure();
    exchange->consumerPosition[tile] = group.consumers.size();
    Exchange::Consumer &consumer = group.consumers.emplace_back();
    consumer.tile = tile;
    consumer.waits = group.producers;
    if (dependency) {
      SmallVector<int64_t, 2> symbols = {tile};
      if (dependency->getNumSymbols() == 2)
        symbols.push_back(index);
      std::optional<ktdp::TileIds> waits = evaluate(
          delivery, *dependency, symbols, "producer_dependency_per_consumer");
      if (!waits)
        return failure();
      consumer.waits.clear();
      for (int64_t producer : *waits) {
        if (!llvm::is_contained(group.producers, producer))
          return delivery->emitError()
                 << "cannot be executed: consumer tile " << tile
                 << " waits for tile " << producer
                 << ", which does not produce for its group (R3)";
        consumer.waits.push_back(producer);
      }
    }
    for (uint32_t producer : consumer.waits)
      ++exchange->readers[producer];
  }
  return success();
}

Exchange *ExchangeBuilder::run() {
  int64_t tiles = decoder.program.tiles();
  exchange->number = decoder.program.exchanges.size();
  decoder.program.exchanges.push_back(exchange);
  exchange->produceSite = decoder.siteOf(production);
  exchange->producerGroup.assign(tiles, -1);
  exchange->consumerGroup.assign(tiles, -1);
  exchange->consumerPosition.assign(tiles, -1);
  exchange->readers.assign(tiles, 0);
  decoder.program.ordered = true;
  std::optional<ktdp::TileIds> indices = ktdp::enumerateGroups(
      production.getFuture().getType().getGroups().getValue());
  if (!indices) {
    production.emitError() << "cannot be executed: the groups are not bounded "
                              "by constants, or more than 65536";
    return nullptr;
  }
  for (int64_t index : *indices)
    if (failed(addGroup(index)))
      return nullptr;
  return exchange;
}

//===----------------------------------------------------------------------===//
// inter_tile_produce
//===----------------------------------------------------------------------===//

/// a: scalar slot of the group index; immediate: where other tiles go on.
static Outcome runProduce(Instance &self, const Instruction &instruction) {
  const auto &exchange = instruction.as<Exchange>();
  int32_t group = exchange.producerGroup[self.id];
  if (group < 0) {
    self.pc = instruction.immediate;
    return Outcome::Jump;
  }
  self.scalars[instruction.a] = exchange.groups[group].index;
  return Outcome::Next;
}

namespace {
struct PublishPayload : Payload {
  const Exchange *exchange;
  SmallVector<uint32_t, 2> values;
};
} // namespace

static Outcome runPublish(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<PublishPayload>();
  const Exchange &exchange = *payload.exchange;
  ExchangeState &state = self.run.exchanges[exchange.number];
  ++self.messages;
  ExchangeState::Tile &tile = state.tiles[self.id];
  // What nobody waits for is gone at once (R4 refuses it).
  if (exchange.readers[self.id] == 0) {
    ++tile.first;
    return Outcome::Next;
  }
  ExchangeState::Publication &publication = tile.published.emplace_back();
  for (uint32_t slot : payload.values)
    publication.values.push_back(self.tensors[slot]);
  publication.clock = self.clock.snapshot();
  publication.time = self.time++;
  publication.readers = exchange.readers[self.id];
  self.run.event(self, "send", self.run.ticks, 0, instruction.site);
  self.run.wake(state.waiting);
  return Outcome::Next;
}

LogicalResult ktir::exec::decodeProduction(Decoder &decoder, Operation *op) {
  auto production = cast<ktdp::InterTileProduceOp>(op);
  if (!production.getFuture().hasOneUse())
    return decoder.unsupported(
        op, "the future has not exactly one use, its delivery (R2)");
  auto delivery = dyn_cast<ktdp::DeliveryOpInterface>(
      *production.getFuture().getUsers().begin());
  if (!delivery)
    return decoder.unsupported(op, "the future is not used by a delivery");
  Exchange *exchange = ExchangeBuilder(decoder, production, delivery).run();
  if (!exchange)
    return failure();
  decoder.exchanges[op] = exchange;

  Block *block = &production.getProducer().front();
  uint32_t group = decoder.define(block->getArgument(0));
  uint32_t begin = decoder.here();
  Instruction &first = decoder.emit(op, runProduce);
  first.a = group;
  first.payload = exchange;
  decoder.enter(block, [&decoder, block, exchange, begin] {
    auto *payload = decoder.makePayload<PublishPayload>();
    payload->exchange = exchange;
    Operation *yield = block->getTerminator();
    for (Value value : yield->getOperands())
      payload->values.push_back(decoder.use(value));
    decoder.emit(yield, runPublish).payload = payload;
    decoder.at(begin).immediate = decoder.here();
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Deliveries
//===----------------------------------------------------------------------===//

namespace {
struct DeliveryPayload : Payload {
  struct Role {
    uint32_t result; ///< tensor slot
    unsigned elementBytes;
    SmallVector<int64_t, 4> shape; ///< of the result; -1: that of the partial
    SmallVector<int64_t, 4> split, concat; ///< dimensions
  };
  /// How one consumer's pieces are cut and placed, per role.
  struct Layout {
    SmallVector<ktdp::PlacementFactors, 1> roles;
  };
  const Exchange *exchange;
  SmallVector<Role, 1> roles;
  /// Per group, per consumer.
  std::vector<std::vector<Layout>> layouts;

  // Of a combining delivery.
  bool combines = false;
  SmallVector<uint32_t, 2> identity, left, right; ///< tensor slots
  uint32_t cursor = 0; ///< scalar slot: partials combined so far
};
} // namespace

/// Digits of `index` in mixed radix, the last fastest (§4.17).
static SmallVector<int64_t, 4> digits(int64_t index,
                                      ArrayRef<int64_t> factors) {
  SmallVector<int64_t, 4> result(factors.size());
  for (size_t k = factors.size(); k-- > 0;) {
    result[k] = index % factors[k];
    index /= factors[k];
  }
  return result;
}

/// Adds to `work` the copy of the piece of `partial` that is for consumer
/// number `consumer` to where producer number `producer` goes in the result.
static void place(const DeliveryPayload::Role &role,
                  const ktdp::PlacementFactors &factors, const Tensor &partial,
                  int64_t producer, int64_t consumer, CopiedTensor &work) {
  SmallVector<int64_t, 4> extent(partial.shape);
  Place from = getPlace(partial, role.elementBytes);
  SmallVector<int64_t, 4> to = getStrides(work.result.shape, role.elementBytes);
  uint8_t *place = work.result.data.data();
  SmallVector<int64_t, 4> share = digits(consumer, factors.split);
  for (auto [k, d] : llvm::enumerate(role.split)) {
    extent[d] /= factors.split[k];
    from.data += share[k] * extent[d] * from.strides[d];
  }
  SmallVector<int64_t, 4> position = digits(producer, factors.concat);
  for (auto [k, d] : llvm::enumerate(role.concat))
    place += position[k] * extent[d] * to[d];
  work.add({place, to, from.data, from.strides, extent, role.elementBytes},
           CopiedTensor::Counts::No);
}

namespace {
/// The results of a delivery on a consumer, in the order of the roles.
struct Assembly : Unfinished {
  SmallVector<CopiedTensor, 1> results;
};
} // namespace

/// Begins the results on a consumer of the values that `partialOf(producer
/// number, role)` gives.
template <typename PartialOf>
static Outcome assemble(Instance &self, const Instruction &instruction,
                        size_t partials, PartialOf partialOf) {
  const auto &payload = instruction.as<DeliveryPayload>();
  const Exchange &exchange = *payload.exchange;
  int32_t position = exchange.consumerPosition[self.id];
  const DeliveryPayload::Layout &layout =
      payload.layouts[exchange.consumerGroup[self.id]][position];
  auto assembly = std::make_unique<Assembly>();
  for (auto [r, role] : llvm::enumerate(payload.roles)) {
    SmallVector<int64_t, 4> shape(role.shape);
    for (auto [d, extent] : llvm::enumerate(shape))
      if (extent < 0 && partials)
        extent = partialOf(0, r).shape[d];
    CopiedTensor &work = assembly->results.emplace_back(
        self, self.makeTensor(shape, role.elementBytes, instruction.site));
    for (size_t p = 0; p < partials; ++p) {
      const Tensor &partial = partialOf(p, r);
      if (!payload.combines)
        self.cost.exchangedBytes +=
            uint64_t(partial.elements()) * role.elementBytes;
      if (partial.isUndefined() &&
          checkReadable(self, instruction.site, 0, partial) == Outcome::Fail)
        return Outcome::Fail;
      place(role, layout.roles[r], partial, p, position, work);
    }
  }
  self.unfinished = std::move(assembly);
  return Outcome::Next;
}

/// A turn of a delivery whose results were begun; the last one defines them.
/// immediate: where to go on then.
static Outcome deliver(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<DeliveryPayload>();
  auto &results = static_cast<Assembly &>(*self.unfinished).results;
  for (CopiedTensor &work : results)
    if (work.copy(self, instruction, self.pointsPerTurn(instruction.site)) ==
        Outcome::Jump)
      return Outcome::Jump;
  for (auto [role, work] : llvm::zip_equal(payload.roles, results))
    self.tensors[role.result] = std::move(work.result);
  for (uint32_t slot : payload.left)
    self.tensors[slot] = Tensor();
  self.unfinished.reset();
  const Exchange &exchange = *payload.exchange;
  self.run.exchanges[exchange.number].release(*exchange.consumer(self.id));
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// immediate: past the delivery.
static Outcome runDelivery(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return deliver(self, instruction);
  const auto &payload = instruction.as<DeliveryPayload>();
  const Exchange &exchange = *payload.exchange;
  const Exchange::Consumer *consumer = exchange.consumer(self.id);
  if (!consumer) {
    for (const DeliveryPayload::Role &role : payload.roles) {
      Tensor &result = self.tensors[role.result];
      result = Tensor();
      for (int64_t extent : role.shape)
        result.shape.push_back(std::max<int64_t>(extent, 0));
      result.isForOthers = true;
    }
    self.pc = instruction.immediate;
    return Outcome::Jump;
  }
  ExchangeState &state = self.run.exchanges[exchange.number];
  uint64_t number = state.tiles[self.id].consumed;
  for (uint32_t producer : consumer->waits)
    if (!state.find(producer, number)) {
      Wait wait;
      wait.kind = Wait::Kind::Delivery;
      wait.exchange = &exchange;
      return self.run.block(self, wait, state.waiting);
    }
  // A delivery orders everything before the production before everything
  // after it (ktir.md §8.10).
  for (uint32_t producer : consumer->waits) {
    const ExchangeState::Publication &from = *state.find(producer, number);
    self.clock.join(from.clock, producer, from.time);
  }
  self.run.event(self, "receive", self.run.ticks, 0, instruction.site);
  if (payload.combines) {
    for (auto [left, identity] :
         llvm::zip_equal(payload.left, payload.identity))
      self.tensors[left] = self.tensors[identity];
    // The partial passes every other tile of the ring.
    for (auto [role, value] : llvm::zip_equal(payload.roles, payload.identity))
      self.cost.exchangedBytes += uint64_t(self.run.program.tiles() - 1) *
                                  self.tensors[value].elements() *
                                  role.elementBytes;
    self.scalars[payload.cursor] = 0;
    return Outcome::Next;
  }
  if (assemble(self, instruction, consumer->waits.size(),
               [&](size_t p, size_t r) -> const Tensor & {
                 return state.find(consumer->waits[p], number)->values[r];
               }) == Outcome::Fail)
    return Outcome::Fail;
  return deliver(self, instruction);
}

/// Hands the combiner the next partial, in ascending order of the producers;
/// immediate: past the delivery.
static Outcome runCombineNext(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return deliver(self, instruction);
  const auto &payload = instruction.as<DeliveryPayload>();
  const Exchange &exchange = *payload.exchange;
  const Exchange::Consumer &consumer = *exchange.consumer(self.id);
  ExchangeState &state = self.run.exchanges[exchange.number];
  uint64_t number = state.tiles[self.id].consumed;
  int64_t &cursor = self.scalars[payload.cursor];
  while (uint64_t(cursor) < consumer.waits.size()) {
    const ExchangeState::Publication &from =
        *state.find(consumer.waits[cursor++], number);
    bool isFirst = cursor == 1;
    for (auto [r, value] : llvm::enumerate(from.values)) {
      self.tensors[payload.right[r]] = value;
      // An undefined identity is left out.
      isFirst &= self.tensors[payload.left[r]].isUndefined();
    }
    if (!isFirst)
      return Outcome::Next;
    for (auto [left, right] : llvm::zip_equal(payload.left, payload.right))
      self.tensors[left] = std::move(self.tensors[right]);
  }
  if (assemble(self, instruction, 1, [&](size_t, size_t r) -> const Tensor & {
        return self.tensors[payload.left[r]];
      }) == Outcome::Fail)
    return Outcome::Fail;
  return deliver(self, instruction);
}

/// How the values of each consumer are placed; they are known now, since the
/// types are static where anything is split or joined.
static LogicalResult findLayouts(Decoder &decoder,
                                 ktdp::DeliveryOpInterface delivery,
                                 DeliveryPayload &payload) {
  ktdp::PlacementDimensions dimensions = ktdp::getPlacementDimensions(delivery);
  auto future = cast<ktdp::TileFutureType>(delivery.getFuture().getType());
  for (const Exchange::Group &group : payload.exchange->groups) {
    auto &layouts = payload.layouts.emplace_back();
    for (const Exchange::Consumer &consumer : group.consumers) {
      DeliveryPayload::Layout &layout = layouts.emplace_back();
      bool hands = dimensions.split.empty() && dimensions.concat.empty();
      // A value that is handed out whole has one source; a fold makes one.
      if (hands && !payload.combines && consumer.waits.size() != 1)
        return delivery->emitError()
               << "cannot be executed: consumer tile " << consumer.tile
               << " depends on " << consumer.waits.size()
               << " producers, expected one (R8)";
      for (auto [r, result] : llvm::enumerate(delivery->getResultTypes())) {
        ktdp::PlacementFactors &factors = layout.roles.emplace_back();
        if (hands)
          continue;
        auto partial = cast<RankedTensorType>(future.getPartialTypes()[r]);
        ktdp::PlacementProblem problem = ktdp::findPlacementFactors(
            dimensions, partial, cast<RankedTensorType>(result),
            dimensions.concat.empty() ? 1 : consumer.waits.size(),
            dimensions.split.empty() ? 1 : group.consumers.size(), factors);
        if (problem != ktdp::PlacementProblem::None)
          return delivery->emitError()
                 << "cannot be executed: " << partial << " from "
                 << consumer.waits.size() << " producers does not become "
                 << result << " on each of " << group.consumers.size()
                 << " consumers (R9, R12)";
      }
    }
  }
  return success();
}

LogicalResult ktir::exec::decodeDelivery(Decoder &decoder, Operation *op) {
  auto delivery = cast<ktdp::DeliveryOpInterface>(op);
  Operation *production = delivery.getFuture().getDefiningOp();
  Exchange *exchange = decoder.exchanges.lookup(production);
  if (!exchange)
    return decoder.unsupported(op, "the production is not in the same kernel");
  auto *payload = decoder.makePayload<DeliveryPayload>();
  payload->exchange = exchange;
  Region *combiner = delivery.getCombinerRegion();
  payload->combines = combiner != nullptr;
  ktdp::PlacementDimensions dimensions = ktdp::getPlacementDimensions(delivery);
  for (Value result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    std::optional<numerics::DType> element = getDType(type.getElementType());
    if (!element)
      return op->emitError()
             << "cannot be executed: element type " << type.getElementType();
    DeliveryPayload::Role &role = payload->roles.emplace_back();
    role.elementBytes = numerics::byteSize(*element);
    for (int64_t extent : type.getShape())
      role.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    role.split.assign(dimensions.split.begin(), dimensions.split.end());
    role.concat.assign(dimensions.concat.begin(), dimensions.concat.end());
  }
  if (failed(findLayouts(decoder, delivery, *payload)))
    return failure();
  if (combiner) {
    // Identities are all operands but the future.
    for (Value operand : op->getOperands().drop_front())
      payload->identity.push_back(decoder.use(operand));
    payload->cursor = decoder.newScalar();
  }
  for (auto [role, result] : llvm::zip_equal(payload->roles, op->getResults()))
    role.result = decoder.define(result);
  uint32_t begin = decoder.here();
  decoder.emit(op, runDelivery).payload = payload;
  if (!combiner) {
    decoder.at(begin).immediate = decoder.here();
    return success();
  }

  Block *block = &combiner->front();
  size_t roles = payload->roles.size();
  for (BlockArgument argument : block->getArguments())
    (argument.getArgNumber() < roles ? payload->left : payload->right)
        .push_back(decoder.define(argument));
  decoder.emit(op, runCombineNext).payload = payload;
  decoder.enter(block, [&decoder, op, block, payload, begin] {
    Operation *yield = block->getTerminator();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()),
                    payload->left);
    decoder.emitJump(op, begin + 1);
    decoder.at(begin).immediate = decoder.here();
    decoder.at(begin + 1).immediate = decoder.here();
    return success();
  });
  return success();
}
