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
/// Computes the coordinates of one indirect tile.
class IndirectTile {
public:
  IndirectTile(Instance &self, const Instruction &instruction,
               const CompiledSet::Points &points, const View &base)
      : self(self), payload(instruction.as<IndirectPayload>()),
        site(instruction.site), points(points), base(base) {}

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
  Outcome direct(size_t dim);
  Outcome indirect(size_t dim);
  Outcome divides() {
    return self.run.fail(self, site, "", "division by zero in a subscript");
  }

  Instance &self;
  const IndirectPayload &payload;
  uint32_t site;
  const CompiledSet::Points &points;
  const View &base;
  int64_t run = 1, count = 0;
  SmallVector<int64_t, 4> at; ///< values of the variables
  std::vector<int64_t> coordinates;
};
} // namespace

template <typename F> Outcome IndirectTile::forEachPoint(F body) {
  size_t variables = points.lower.size();
  at.assign(points.lower.begin(), points.lower.end());
  for (int64_t k = 0; k < count; ++k) {
    if (!points.isBox)
      at.assign(points.list.begin() + k * variables,
                points.list.begin() + (k + 1) * variables);
    if (body(k) == Outcome::Fail)
      return Outcome::Fail;
    if (points.isBox)
      nextPoint(at, points, run > 1 ? variables - 1 : variables);
  }
  return Outcome::Next;
}

Outcome IndirectTile::direct(size_t dim) {
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

/// Reads the indices in one access. Neighbouring points often share one.
Outcome IndirectTile::indirect(size_t dim) {
  size_t rank = payload.subscripts.size();
  const Subscript &subscript = payload.subscripts[dim];
  size_t indexRank = subscript.exprs.size();
  auto places = std::make_shared<std::vector<int64_t>>();
  std::vector<uint32_t> placeOf(count);
  SmallVector<int64_t, 4> place(indexRank);
  Outcome outcome = forEachPoint([&](int64_t k) {
    for (size_t d = 0; d < indexRank; ++d) {
      std::optional<int64_t> value = evaluate(subscript.exprs[d]);
      if (!value)
        return divides();
      place[d] = *value;
    }
    if (k == 0 ||
        !std::equal(place.begin(), place.end(), places->end() - indexRank))
      places->insert(places->end(), place.begin(), place.end());
    placeOf[k] = indexRank ? places->size() / indexRank - 1 : 0;
    return Outcome::Next;
  });
  if (outcome == Outcome::Fail)
    return outcome;

  Selection selection;
  selection.start.assign(indexRank, 0);
  selection.points = places;
  int64_t read = selection.count();
  std::vector<uint8_t> bytes(read * subscript.bytes);
  const View &view = self.views[subscript.view];
  if (transfer(self, view, selection, bytes.data(), /*isWrite=*/false, site) ==
      Outcome::Fail)
    return Outcome::Fail;
  std::vector<int64_t> indices(read);
  for (int64_t i = 0; i < read; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * subscript.bytes, subscript.bytes);
    indices[i] = subscript.isSigned
                     ? llvm::SignExtend64(bits, subscript.bytes * 8)
                     : int64_t(bits);
    if (indices[i] >= 0 && indices[i] < base.sizes[dim])
      continue;
    std::string where;
    for (size_t d = 0; d < indexRank; ++d)
      where += (d ? ", " : "") + std::to_string((*places)[i * indexRank + d]);
    return self.run.fail(self, site, "IA-S3",
                         "the index at (" + where + ") of the index view is " +
                             Twine(indices[i]) + ", expected 0 to " +
                             Twine(base.sizes[dim] - 1) + " for dimension " +
                             Twine(dim) + " of the base");
  }
  for (int64_t k = 0; k < count; ++k)
    coordinates[k * rank + dim] = indices[placeOf[k]];
  return Outcome::Next;
}

Outcome IndirectTile::fill(Selection &selection) {
  size_t rank = payload.subscripts.size();
  count = points.count;
  if (payload.hasRuns && points.isBox && !base.partitions && count) {
    run = points.extent.back();
    count /= run;
  }
  coordinates.resize(count * rank);
  for (size_t dim = 0; dim < rank && count; ++dim)
    if ((payload.subscripts[dim].isIndirect ? indirect(dim) : direct(dim)) ==
        Outcome::Fail)
      return Outcome::Fail;
  self.run.ticks += count * rank / 64;
  selection.start.assign(rank, 0);
  selection.points =
      std::make_shared<const std::vector<int64_t>>(std::move(coordinates));
  selection.run = run;
  return Outcome::Next;
}

/// a: tile slot.
static Outcome runIndirectTile(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<IndirectPayload>();
  Tile &tile = self.tiles[instruction.a];
  payload.base.evaluate(self, tile.view);
  CompiledSet::Points storage;
  const CompiledSet::Points *points =
      payload.points.evaluate(self, instruction.site, storage);
  if (!points ||
      payload.points.setShape(self, instruction.site, *points, tile,
                              "variables_space_set") == Outcome::Fail)
    return Outcome::Fail;
  return IndirectTile(self, instruction, *points, tile.view)
      .fill(tile.selection);
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
