//===- DecodeTiles.cpp - Access tiles -------------------------------------===//

#include "DecodeKtdp.h"
#include "Runtime.h"
#include "Transfer.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// What both kinds of tile share
//===----------------------------------------------------------------------===//

namespace {
/// What coordinates are selected of: a view, or a tensor.
struct BaseOfTile {
  SlotKind kind = SlotKind::View;
  uint32_t slot = 0;
  unsigned elementBytes = 0; ///< of a tensor

  static std::optional<BaseOfTile> get(Decoder &decoder, Value base);
  /// Makes `view` what coordinates are selected of now.
  void evaluate(const Instance &self, View &view) const;
};

/// A set of points in order, and the extents of the tile's type.
struct PointsOfTile {
  CompiledSet set;
  SmallVector<uint32_t, 4> symbols;
  SmallVector<int64_t, 4> shape; ///< -1 for `?`
  /// The points where no symbol changes them.
  std::optional<CompiledSet::Points> fixed;
  std::shared_ptr<const std::vector<int64_t>> fixedList;

  LogicalResult decode(Decoder &decoder, Operation *op, IntegerSet points,
                       AffineMap order, ValueRange symbolValues,
                       ktdp::AccessTileType type, StringRef name);
  /// The points now; null after an error.
  const CompiledSet::Points *evaluate(Instance &self, uint32_t site,
                                      CompiledSet::Points &storage) const;
  /// Gives `tile` its shape, `points` elements in all.
  Outcome setShape(Instance &self, uint32_t site,
                   const CompiledSet::Points &points, Tile &tile,
                   StringRef name) const;
};
} // namespace

std::optional<BaseOfTile> BaseOfTile::get(Decoder &decoder, Value base) {
  BaseOfTile result;
  if (auto type = dyn_cast<RankedTensorType>(base.getType())) {
    std::optional<numerics::DType> element = getDType(type.getElementType());
    if (!element)
      return std::nullopt;
    result.kind = SlotKind::Tensor;
    result.elementBytes = numerics::byteSize(*element);
  } else if (!isa<MemRefType>(base.getType())) {
    return std::nullopt;
  }
  result.slot = decoder.use(base);
  return result;
}

void BaseOfTile::evaluate(const Instance &self, View &view) const {
  if (kind == SlotKind::View) {
    view = self.views[slot];
    return;
  }
  const Tensor &tensor = self.tensors[slot];
  view = View();
  view.tensor = tensor.data;
  view.isForOthers = tensor.isForOthers;
  view.elementBytes = elementBytes;
  view.pads = true;
  view.sizes.assign(tensor.shape.begin(), tensor.shape.end());
  view.strides.resize(view.sizes.size());
  int64_t stride = elementBytes;
  for (size_t d = view.sizes.size(); d-- > 0; stride *= view.sizes[d])
    view.strides[d] = stride;
}

LogicalResult PointsOfTile::decode(Decoder &decoder, Operation *op,
                                   IntegerSet points, AffineMap order,
                                   ValueRange symbolValues,
                                   ktdp::AccessTileType type, StringRef name) {
  for (Value symbol : symbolValues)
    symbols.push_back(decoder.use(symbol));
  set = CompiledSet::get(points, order);
  for (int64_t extent : type.getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  if (set.getNumSymbols() != 0)
    return success();
  std::string error;
  fixed = set.enumerate({}, error);
  if (!fixed)
    return decoder.unsupported(op, name + ": " + Twine(error));
  if (!fixed->isBox)
    fixedList = std::make_shared<const std::vector<int64_t>>(fixed->list);
  return success();
}

const CompiledSet::Points *
PointsOfTile::evaluate(Instance &self, uint32_t site,
                       CompiledSet::Points &storage) const {
  if (fixed)
    return &*fixed;
  SmallVector<int64_t, 4> values;
  for (uint32_t slot : symbols)
    values.push_back(self.scalars[slot]);
  std::string error;
  std::optional<CompiledSet::Points> found = set.enumerate(values, error);
  if (!found) {
    self.run.fail(self, site, "AC-S1", error);
    return nullptr;
  }
  storage = std::move(*found);
  self.run.ticks += storage.isBox ? 0 : storage.count / 64;
  return &storage;
}

Outcome PointsOfTile::setShape(Instance &self, uint32_t site,
                               const CompiledSet::Points &points, Tile &tile,
                               StringRef name) const {
  // Extents that the type leaves open are those of a box; a set that is none
  // fills the one open extent with what remains.
  tile.shape.assign(shape.begin(), shape.end());
  int64_t known = 1;
  for (int64_t extent : tile.shape)
    known *= extent < 0 ? 1 : extent;
  for (size_t j = 0; j < tile.shape.size(); ++j)
    if (tile.shape[j] < 0)
      tile.shape[j] = points.isBox ? points.extent[points.order[j]]
                      : known      ? points.count / known
                                   : 0;
  if (!self.checkShape(tile.shape, site))
    return Outcome::Fail;
  int64_t expected = 1;
  for (int64_t extent : tile.shape)
    expected *= extent;
  if (expected != points.count)
    return self.run.fail(self, site, "AC-S1",
                         name + Twine(" has ") + Twine(points.count) +
                             " points, the tile has " + Twine(expected) +
                             " elements");
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// construct_access_tile
//===----------------------------------------------------------------------===//

namespace {
struct TilePayload : Payload {
  BaseOfTile base;
  PointsOfTile points;
  SmallVector<CompiledExpr, 4> origin;
  SmallVector<uint32_t, 4> indices;
};
} // namespace

/// a: tile slot.
static Outcome runTile(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<TilePayload>();
  Tile &tile = self.tiles[instruction.a];
  payload.base.evaluate(self, tile.view);
  Selection &selection = tile.selection;

  CompiledSet::Points storage;
  const CompiledSet::Points *points =
      payload.points.evaluate(self, instruction.site, storage);
  if (!points)
    return Outcome::Fail;
  selection.start.clear();
  for (const CompiledExpr &expr : payload.origin) {
    std::optional<int64_t> value = expr.evaluateOn(
        [&](unsigned i) { return self.scalars[payload.indices[i]]; });
    if (!value)
      return self.run.fail(self, instruction.site, "",
                           "division by zero in the base coordinate");
    selection.start.push_back(*value);
  }
  if (points->isBox) {
    selection.points = nullptr;
    selection.extent = points->extent;
    selection.order = points->order;
    for (size_t d = 0; d < selection.start.size(); ++d)
      selection.start[d] += points->lower[d];
  } else {
    selection.points = payload.points.fixed
                           ? payload.points.fixedList
                           : std::make_shared<const std::vector<int64_t>>(
                                 std::move(storage.list));
  }
  return payload.points.setShape(self, instruction.site, *points, tile,
                                 "access_tile_set");
}

LogicalResult ktir::exec::decodeAccessTile(Decoder &decoder, Operation *op) {
  auto construct = cast<ktdp::ConstructAccessTileOp>(op);
  std::optional<BaseOfTile> base =
      BaseOfTile::get(decoder, construct.getBase());
  if (!base)
    return op->emitError() << "cannot be executed: an access tile of "
                           << construct.getBase().getType();
  int64_t rank = cast<ShapedType>(construct.getBase().getType()).getRank();
  if (construct.getBaseMap().getNumResults() != uint64_t(rank))
    return op->emitError() << "cannot be executed: "
                           << construct.getBaseMap().getNumResults()
                           << " subscripts on a base of rank " << rank;
  auto *payload = decoder.makePayload<TilePayload>();
  payload->base = *base;
  payload->origin = compileMap(construct.getBaseMap());
  for (Value index : construct.getIndices())
    payload->indices.push_back(decoder.use(index));
  if (failed(payload->points.decode(
          decoder, op, construct.getAccessTileSet(),
          construct.getAccessTileOrder(), construct.getSymbols(),
          construct.getResult().getType(), "access_tile_set")))
    return failure();
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runTile);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// construct_indirect_access_tile
//===----------------------------------------------------------------------===//

namespace {
/// A subscript of one base dimension, over captured values, then variables.
struct Subscript {
  /// Of a direct one the coordinate, of an indirect one where the index lies.
  SmallVector<CompiledExpr, 2> exprs;
  bool isIndirect = false;
  uint32_t view = 0; ///< slot of the index view
  unsigned bytes = 0;
  bool isSigned = true;
};

struct IndirectPayload : Payload {
  BaseOfTile base;
  PointsOfTile points;
  SmallVector<uint32_t, 4> captured;
  SmallVector<Subscript, 4> subscripts;
  /// The last variable only moves along the last dimension of the base, so
  /// that its values make a run.
  bool hasRuns = false;
};
} // namespace

/// Moves `at` to the next point of a box; dimensions from `dims` on stay.
static void nextPoint(SmallVectorImpl<int64_t> &at,
                      const CompiledSet::Points &box, size_t dims) {
  for (size_t j = dims; j-- > 0;) {
    unsigned d = box.order[j];
    if (++at[d] < box.lower[d] + box.extent[d])
      return;
    at[d] = box.lower[d];
  }
}

namespace {
/// Computes the coordinates of one indirect tile, in turns where it has many.
class IndirectTile : public Unfinished {
public:
  IndirectTile(Instance &self, const Instruction &instruction, const View &base)
      : self(self), payload(instruction.as<IndirectPayload>()),
        site(instruction.site), base(base) {}

  /// Finds the points; Fail when there is no such tile.
  Outcome begin(Tile &tile);
  /// Goes on for one turn: Jump where more is left, else `selection` is filled.
  Outcome fill(Selection &selection);

private:
  std::optional<int64_t> evaluate(const CompiledExpr &expr) const {
    size_t captured = payload.captured.size();
    return expr.evaluateOn([&](unsigned i) -> int64_t {
      return i < captured ? self.scalars[payload.captured[i]]
                          : at[i - captured];
    });
  }
  template <typename F> Outcome forEachPoint(F body);
  Outcome direct();
  Outcome indirect();
  Outcome gatherPlaces();
  Outcome checkIndex(int64_t i);
  Outcome divides() {
    return self.run.fail(self, site, "", "division by zero in a subscript");
  }

  Instance &self;
  const IndirectPayload &payload;
  uint32_t site;
  const View &base;
  CompiledSet::Points storage;
  const CompiledSet::Points *points = nullptr;
  int64_t run = 1, count = 0;
  SmallVector<int64_t, 4> at; ///< values of the variables
  std::vector<int64_t> coordinates;

  size_t dim = 0;   ///< dimension of the base that is under way
  int64_t next = 0; ///< point, or index, of the loop under way
  int64_t left = 0; ///< steps of the turn
  uint64_t turnTicks = 0;
  /// Of an indirect subscript: where its indices lie, which of them each point
  /// has, and their values.
  enum class Phase : uint8_t { Places, Read, Check, Spread };
  Phase phase = Phase::Places;
  Selection places;
  std::vector<int64_t> placeList;
  std::vector<uint32_t> placeOf;
  std::vector<uint8_t> bytes;
  std::optional<LongTransfer> reading;
  std::vector<int64_t> indices;
};
} // namespace

/// Points of an indirect tile at most: a scratchpad of elements of one byte.
static constexpr int64_t maxIndirectPoints = int64_t(1) << 22;
/// Steps of a turn: some hundredths of a second at most, also in WebAssembly.
static constexpr int64_t stepsPerTurn = int64_t(1) << 17;

/// Calls `body` with the number of each point, in as many turns as it takes.
template <typename F> Outcome IndirectTile::forEachPoint(F body) {
  size_t variables = points->lower.size();
  if (next == 0)
    at.assign(points->lower.begin(), points->lower.end());
  for (; next < count; ++next) {
    if (left-- <= 0)
      return Outcome::Jump;
    if (!points->isBox)
      at.assign(points->list.begin() + next * variables,
                points->list.begin() + (next + 1) * variables);
    if (body(next) == Outcome::Fail)
      return Outcome::Fail;
    if (points->isBox)
      nextPoint(at, *points, run > 1 ? variables - 1 : variables);
  }
  next = 0;
  return Outcome::Next;
}

Outcome IndirectTile::begin(Tile &tile) {
  points = payload.points.evaluate(self, site, storage);
  if (!points ||
      payload.points.setShape(self, site, *points, tile,
                              "variables_space_set") == Outcome::Fail)
    return Outcome::Fail;
  count = points->count;
  if (payload.hasRuns && points->isBox && !base.distribution && count) {
    run = points->extent.back();
    count /= run;
  }
  if (count > maxIndirectPoints)
    return self.run.fail(self, site, "",
                         "an indirect tile of " + Twine(count) +
                             (run > 1 ? " runs" : " points") +
                             ", expected at most " + Twine(maxIndirectPoints));
  coordinates.resize(count * payload.subscripts.size());
  return Outcome::Next;
}

Outcome IndirectTile::direct() {
  size_t rank = payload.subscripts.size();
  const CompiledExpr &expr = payload.subscripts[dim].exprs.front();
  return forEachPoint([&](int64_t k) {
    std::optional<int64_t> value = evaluate(expr);
    if (!value)
      return divides();
    coordinates[k * rank + dim] = *value;
    return Outcome::Next;
  });
}

/// Neighbouring points often share an index.
Outcome IndirectTile::gatherPlaces() {
  const Subscript &subscript = payload.subscripts[dim];
  size_t indexRank = subscript.exprs.size();
  placeOf.resize(count);
  SmallVector<int64_t, 4> place(indexRank);
  return forEachPoint([&](int64_t k) {
    for (size_t d = 0; d < indexRank; ++d) {
      std::optional<int64_t> value = evaluate(subscript.exprs[d]);
      if (!value)
        return divides();
      place[d] = *value;
    }
    if (k == 0 ||
        !std::equal(place.begin(), place.end(), placeList.end() - indexRank))
      placeList.insert(placeList.end(), place.begin(), place.end());
    placeOf[k] = indexRank ? placeList.size() / indexRank - 1 : 0;
    return Outcome::Next;
  });
}

/// Takes index `i` of those that were read.
Outcome IndirectTile::checkIndex(int64_t i) {
  const Subscript &subscript = payload.subscripts[dim];
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * subscript.bytes, subscript.bytes);
  indices[i] = subscript.isSigned
                   ? llvm::SignExtend64(bits, subscript.bytes * 8)
                   : int64_t(bits);
  if (indices[i] >= 0 && indices[i] < base.sizes[dim])
    return Outcome::Next;
  std::string where;
  size_t indexRank = subscript.exprs.size();
  for (size_t d = 0; d < indexRank; ++d)
    where +=
        (d ? ", " : "") + std::to_string((*places.points)[i * indexRank + d]);
  return self.run.fail(self, site, "IA-S3",
                       "the index at (" + where + ") of the index view is " +
                           Twine(indices[i]) + ", expected 0 to " +
                           Twine(base.sizes[dim] - 1) + " for dimension " +
                           Twine(dim) + " of the base");
}

/// Reads the indices in one access.
Outcome IndirectTile::indirect() {
  const Subscript &subscript = payload.subscripts[dim];
  if (phase == Phase::Places) {
    if (Outcome outcome = gatherPlaces(); outcome != Outcome::Next)
      return outcome;
    places = Selection();
    places.start.assign(subscript.exprs.size(), 0);
    places.points = std::make_shared<const std::vector<int64_t>>(
        std::exchange(placeList, {}));
    bytes.resize(places.count() * subscript.bytes);
    indices.resize(places.count());
    reading.emplace(self, self.views[subscript.view], places, bytes.data(),
                    /*isWrite=*/false, site);
    phase = Phase::Read;
  }
  if (phase == Phase::Read) {
    if (Outcome outcome = reading->advance(); outcome != Outcome::Next)
      return outcome;
    reading.reset();
    phase = Phase::Check;
  }
  if (phase == Phase::Check) {
    for (; next < int64_t(indices.size()); ++next) {
      if (left-- <= 0)
        return Outcome::Jump;
      if (checkIndex(next) == Outcome::Fail)
        return Outcome::Fail;
    }
    next = 0;
    phase = Phase::Spread;
  }
  const size_t rank = payload.subscripts.size();
  for (; next < count; ++next) {
    if (left-- <= 0)
      return Outcome::Jump;
    coordinates[next * rank + dim] = indices[placeOf[next]];
  }
  next = 0;
  phase = Phase::Places;
  return Outcome::Next;
}

Outcome IndirectTile::fill(Selection &selection) {
  const size_t rank = payload.subscripts.size();
  left = stepsPerTurn;
  for (; dim < rank && count; ++dim) {
    Outcome outcome =
        payload.subscripts[dim].isIndirect ? indirect() : direct();
    if (outcome == Outcome::Jump) {
      turnTicks += stepsPerTurn / 64;
      self.run.ticks += stepsPerTurn / 64;
    }
    if (outcome != Outcome::Next)
      return outcome;
  }
  const uint64_t allTicks = count * rank / 64;
  self.run.ticks += std::max(allTicks, turnTicks) - turnTicks;
  selection.start.assign(rank, 0);
  selection.points =
      std::make_shared<const std::vector<int64_t>>(std::move(coordinates));
  selection.run = run;
  return Outcome::Next;
}

/// a: tile slot.
static Outcome runIndirectTile(Instance &self, const Instruction &instruction) {
  Tile &tile = self.tiles[instruction.a];
  if (!self.unfinished) {
    instruction.as<IndirectPayload>().base.evaluate(self, tile.view);
    auto work = std::make_unique<IndirectTile>(self, instruction, tile.view);
    if (work->begin(tile) == Outcome::Fail)
      return Outcome::Fail;
    self.unfinished = std::move(work);
  }
  auto &work = static_cast<IndirectTile &>(*self.unfinished);
  Outcome outcome = work.fill(tile.selection);
  if (outcome != Outcome::Jump)
    self.unfinished.reset();
  return outcome;
}

/// Whether the last variable moves along the last dimension of the base and
/// nowhere else.
static bool hasRuns(ktdp::ConstructIndirectAccessTileOp op,
                    ArrayRef<Subscript> subscripts) {
  unsigned variables = op.getNumVariables();
  if (variables == 0 || subscripts.empty() || subscripts.back().isIndirect ||
      !op.getVariablesSpaceOrder().isIdentity())
    return false;
  unsigned last = op.getCaptured().size() + variables - 1;
  for (const Subscript &subscript : subscripts)
    for (const CompiledExpr &expr : subscript.exprs) {
      bool isLast = &subscript == &subscripts.back();
      if (!expr.isLinear() || expr.getFactor(last) != (isLast ? 1 : 0))
        return false;
    }
  return true;
}

LogicalResult ktir::exec::decodeIndirectTile(Decoder &decoder, Operation *op) {
  auto construct = cast<ktdp::ConstructIndirectAccessTileOp>(op);
  std::optional<BaseOfTile> base =
      BaseOfTile::get(decoder, construct.getBase());
  if (!base)
    return op->emitError() << "cannot be executed: an access tile of "
                           << construct.getBase().getType();
  if (!construct.getVariablesSpaceOrder().isPermutation())
    return decoder.unsupported(
        op, "variables_space_order is no permutation (IA-S5)");
  auto *payload = decoder.makePayload<IndirectPayload>();
  payload->base = *base;
  for (Value value : construct.getCaptured())
    payload->captured.push_back(decoder.use(value));
  auto nextView = construct.getIndexViews().begin();
  for (unsigned d = 0, e = construct.getPerDimSubscriptMaps().size(); d < e;
       ++d) {
    Subscript &subscript = payload->subscripts.emplace_back();
    subscript.exprs = compileMap(construct.getSubscriptMap(d));
    subscript.isIndirect = construct.isIndirect(d);
    if (!subscript.isIndirect)
      continue;
    Value view = *nextView++;
    Type element = cast<MemRefType>(view.getType()).getElementType();
    if (!element.isIntOrIndex() || !getDType(element))
      return op->emitError()
             << "cannot be executed: index elements of type " << element
             << ", expected an integer or index (IA-S2)";
    subscript.view = decoder.use(view);
    subscript.bytes = numerics::byteSize(*getDType(element));
    subscript.isSigned = !element.isUnsignedInteger() && !element.isInteger(1);
  }
  if (failed(payload->points.decode(
          decoder, op, construct.getVariablesSpaceSet(),
          construct.getVariablesSpaceOrder(), construct.getSymbols(),
          construct.getResult().getType(), "variables_space_set")))
    return failure();
  payload->hasRuns = hasRuns(construct, payload->subscripts);
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runIndirectTile);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}
