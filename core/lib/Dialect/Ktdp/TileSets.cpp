//===- TileSets.cpp - Which tiles a set names -----------------------------===//

#include "ktir/Dialect/Ktdp/TileSets.h"

#include "ktir/Dialect/Support/IntegerSets.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace ktir::ktdp {

static constexpr int64_t kMostIds = int64_t(1) << 16;
static constexpr int64_t kMostIdsInAll = int64_t(1) << 20;

/// The members of `set`, one dimension and no symbols.
static std::optional<TileIds> enumerate(IntegerSet set) {
  if (set.getNumDims() != 1 || set.getNumSymbols() != 0)
    return std::nullopt;
  std::optional<IntegerBox> box = getBoundingBox(set);
  if (!box || box->extent[0] > kMostIds)
    return std::nullopt;
  TileIds members;
  for (int64_t i = 0; i < box->extent[0]; ++i) {
    const int64_t id = box->lower[0] + i;
    if (containsPoint(set, {id}))
      members.push_back(id);
  }
  return members;
}

std::optional<TileIds> enumerateGroups(IntegerSet set) {
  return enumerate(set);
}

/// `set` with `symbols` bound and no negative members; null when it has other
/// dimensions or symbols.
static IntegerSet bindTiles(IntegerSet set, ArrayRef<int64_t> symbols) {
  if (set.getNumDims() != 1 || set.getNumSymbols() != symbols.size())
    return IntegerSet();
  MLIRContext *context = set.getContext();
  SmallVector<AffineExpr> values;
  for (int64_t symbol : symbols)
    values.push_back(getAffineConstantExpr(symbol, context));
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    constraints.push_back(set.getConstraint(i).replaceSymbols(values));
    equalities.push_back(set.isEq(i));
  }
  constraints.push_back(getAffineDimExpr(0, context));
  equalities.push_back(false);
  return IntegerSet::get(1, 0, constraints, equalities);
}

std::optional<TileIds> enumerateTiles(IntegerSet set,
                                      ArrayRef<int64_t> symbols) {
  IntegerSet bound = bindTiles(set, symbols);
  return bound ? enumerate(bound) : std::nullopt;
}

std::optional<int64_t> getHighestTile(IntegerSet set,
                                      ArrayRef<int64_t> symbols) {
  IntegerSet bound = bindTiles(set, symbols);
  std::optional<IntegerBox> box = bound ? getBoundingBox(bound) : std::nullopt;
  if (!box)
    return std::nullopt;
  return box->lower[0] + box->extent[0] - 1;
}

std::optional<SmallVector<GroupTiles>>
enumerateGroupTiles(IntegerSet groups, IntegerSet tilesPerGroup) {
  std::optional<TileIds> indices = enumerateGroups(groups);
  if (!indices)
    return std::nullopt;
  SmallVector<GroupTiles> result;
  int64_t tried = 0;
  for (int64_t group : *indices) {
    std::optional<TileIds> tiles = enumerateTiles(tilesPerGroup, {group});
    if (!tiles)
      return std::nullopt;
    tried += tiles->size() + 1;
    if (tried > kMostIdsInAll)
      return std::nullopt;
    result.push_back({group, std::move(*tiles)});
  }
  return result;
}

std::optional<TileIds> enumerateDependency(IntegerSet dependency,
                                           int64_t consumer, int64_t group) {
  if (dependency.getNumSymbols() == 1)
    return enumerateTiles(dependency, {consumer});
  return enumerateTiles(dependency, {consumer, group});
}

} // namespace ktir::ktdp
