//===- ValueTexts.cpp - Sentences about values of ktdp --------------------===//

#include "ValueTexts.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/TileSets.h"
#include "ktir/Dialect/Support/IntegerSets.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ktir {

static std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// `96 × 64 f16`.
static std::string shapeWords(mlir::ShapedType type) {
  std::string text;
  if (type.hasRank())
    for (int64_t extent : type.getShape()) {
      text += text.empty() ? "" : " × ";
      text +=
          mlir::ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
    }
  return text + (text.empty() ? "" : " ") + printed(type.getElementType());
}

/// `an` where the number or the word is spoken with a vowel first.
static std::string withArticle(const std::string &words) {
  const bool isEight = words[0] == '8' ||
                       llvm::StringRef(words).starts_with("11 ") ||
                       llvm::StringRef(words).starts_with("18 ");
  const bool isVowel = llvm::StringRef("aefi").contains(words[0]);
  return (isEight || isVowel ? "an " : "a ") + words;
}

std::string ValueTexts::nameOf(mlir::Value value) const {
  const bool isTileId = bool(value.getDefiningOp<ktdp::GetComputeTileIdOp>());
  if (isTileId && value.getDefiningOp()->getNumResults() == 1)
    return "t";
  std::string name = index.nameOf(value);
  if (name.empty())
    return "?";
  // The name of the tile's id is taken.
  return name == "%t" && !isTileId ? name : name.substr(1);
}

std::string ValueTexts::text(const ktdp::LinearForm &form) const {
  return ktdp::formText(form, [&](mlir::Value value) { return nameOf(value); });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static std::string placeWords(ktdp::MemorySpaceAttr space) {
  if (space.getKind() == ktdp::MemorySpaceKind::Global)
    return "in device memory";
  if (space.getCtId() >= 0)
    return "in the scratchpad of tile " + std::to_string(space.getCtId());
  return "in the scratchpad of the executing tile";
}

std::string ValueTexts::view(mlir::Value value, bool withLayout) const {
  auto type = llvm::cast<mlir::ShapedType>(value.getType());
  std::string words = withArticle(shapeWords(type));
  if (llvm::isa<mlir::TensorType>(type))
    return words + " tensor";
  words += " view";
  if (auto view = value.getDefiningOp<ktdp::ConstructMemoryViewOp>()) {
    words += " " + placeWords(view.getMemorySpace());
    if (!withLayout)
      return words;
    llvm::SmallVector<std::string> strides;
    for (mlir::OpFoldResult stride : view.getMixedStrides()) {
      std::optional<ktdp::LinearForm> form;
      if (auto number = llvm::dyn_cast<mlir::Attribute>(stride)) {
        form.emplace();
        form->constant = llvm::cast<mlir::IntegerAttr>(number).getInt();
      } else {
        form = ktdp::linearForm(llvm::cast<mlir::Value>(stride));
      }
      strides.push_back(form ? text(*form) : "?");
    }
    if (!strides.empty())
      words += ", strides " + llvm::join(strides, ", ");
    if (std::optional<ktdp::LinearForm> base =
            ktdp::linearForm(view.getOffset()))
      words += ", from element " + text(*base) + " on";
    return words;
  }
  if (auto joined =
          value.getDefiningOp<ktdp::ConstructDistributedMemoryViewOp>()) {
    llvm::SmallSetVector<llvm::StringRef, 4> places;
    std::vector<std::string> spelled;
    for (mlir::Value part : joined.getViews())
      if (auto view = part.getDefiningOp<ktdp::ConstructMemoryViewOp>())
        spelled.push_back(placeWords(view.getMemorySpace()));
    for (const std::string &place : spelled)
      places.insert(place);
    words += " of " + std::to_string(joined.getViews().size()) + " partitions";
    constexpr unsigned mostPlaces = 4;
    if (!places.empty() && places.size() <= mostPlaces)
      words += " " + llvm::join(places, ", ");
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// The coordinates along one dimension of a base.
struct DimensionWords {
  std::string text; ///< empty: not known
  bool isSingle = false;
  bool isExact = true;
};
} // namespace

/// Joins what is known about every dimension of a tile.
static std::string joinDimensions(llvm::ArrayRef<DimensionWords> dimensions) {
  static const char *const names[][2] = {
      {"element", "elements"}, {"row", "rows"}, {"column", "columns"}};
  const bool isNamed = dimensions.size() == 1 || dimensions.size() == 2;
  std::string words;
  for (auto [number, dimension] : llvm::enumerate(dimensions)) {
    words += words.empty() ? "" : ", ";
    if (!isNamed) {
      words += dimension.text.empty() ? "?" : dimension.text;
      continue;
    }
    const char *const *name = names[dimensions.size() == 1 ? 0 : number + 1];
    if (dimension.text.empty())
      words += std::string("some ") + name[1];
    else if (!dimension.isExact)
      words += std::string("some of ") + name[1] + " " + dimension.text;
    else
      words +=
          std::string(name[dimension.isSingle ? 0 : 1]) + " " + dimension.text;
  }
  if (dimensions.empty())
    return "the element";
  return isNamed ? words : "coordinates [" + words + "]";
}

std::string ValueTexts::tile(mlir::Value value) const {
  mlir::Value base;
  llvm::SmallVector<ktdp::SubscriptDimension> operands;
  std::optional<IntegerBox> box;
  bool isBox = false;
  llvm::SmallVector<DimensionWords> dimensions;
  auto add = [&](mlir::AffineExpr expression) {
    DimensionWords words;
    if (auto found = ktdp::linearRange(expression, operands)) {
      const std::string first = text(found->first), last = text(found->last);
      words.isSingle = first == last;
      words.text = words.isSingle ? first : first + " … " + last;
      words.isExact = words.isSingle || (found->isDense && isBox);
    }
    dimensions.push_back(words);
  };
  auto addVariables = [&](mlir::IntegerSet set) {
    box = getAsBox(set);
    isBox = box.has_value();
    if (!box)
      box = getBoundingBox(set);
    if (box)
      for (auto [lower, extent] : llvm::zip_equal(box->lower, box->extent))
        operands.push_back({{}, lower, extent});
  };

  if (auto direct = value.getDefiningOp<ktdp::ConstructAccessTileOp>()) {
    base = direct.getBase();
    mlir::AffineMap map = direct.getBaseMap();
    for (mlir::Value index : direct.getIndices())
      operands.push_back({index, 0, 1});
    addVariables(direct.getAccessTileSet());
    // Element p of the tile is coordinate f(x) + p of the base.
    for (auto [number, result] : llvm::enumerate(map.getResults()))
      add(result + mlir::getAffineDimExpr(direct.getIndices().size() + number,
                                          map.getContext()));
  } else if (auto indirect =
                 value.getDefiningOp<ktdp::ConstructIndirectAccessTileOp>()) {
    base = indirect.getBase();
    for (mlir::Value captured : indirect.getCaptured())
      operands.push_back({captured, 0, 1});
    addVariables(indirect.getVariablesSpaceSet());
    unsigned nextView = 0;
    for (unsigned i = 0, e = indirect.getPerDimSubscriptMaps().size(); i < e;
         ++i) {
      if (!indirect.isIndirect(i)) {
        add(indirect.getSubscriptMap(i).getResult(0));
        continue;
      }
      DimensionWords words;
      const std::string from =
          index.nameOf(indirect.getIndexViews()[nextView++]);
      words.text = "read from " + (from.empty() ? "an index view" : from);
      dimensions.push_back(words);
    }
  } else {
    return {};
  }
  return joinDimensions(dimensions) + " of " + view(base, false);
}

//===----------------------------------------------------------------------===//
// Futures
//===----------------------------------------------------------------------===//

/// `2g, 2g+1` where the tiles of every group are the same multiple of it and
/// numbers of their own; absent where they are not.
static std::optional<std::string>
tilesByGroup(llvm::ArrayRef<ktdp::GroupTiles> groups) {
  const ktdp::TileIds &first = groups.front().tiles;
  if (first.empty())
    return std::nullopt;
  int64_t factor = 0;
  if (groups.size() > 1) {
    const ktdp::GroupTiles &next = groups[1];
    const int64_t distance = next.group - groups.front().group;
    if (next.tiles.size() != first.size() ||
        (next.tiles[0] - first[0]) % distance)
      return std::nullopt;
    factor = (next.tiles[0] - first[0]) / distance;
  }
  for (const ktdp::GroupTiles &group : groups) {
    if (group.tiles.size() != first.size())
      return std::nullopt;
    for (size_t i = 0; i < first.size(); ++i)
      if (group.tiles[i] !=
          first[i] + factor * (group.group - groups.front().group))
        return std::nullopt;
  }
  auto member = [&](int64_t tile) {
    const int64_t constant = tile - factor * groups.front().group;
    if (factor == 0)
      return std::to_string(constant);
    std::string text = factor == 1    ? "g"
                       : factor == -1 ? "-g"
                                      : std::to_string(factor) + "g";
    if (constant)
      text += (constant > 0 ? "+" : "") + std::to_string(constant);
    return text;
  };
  constexpr size_t mostListed = 4;
  std::string text;
  if (first.size() <= mostListed) {
    for (int64_t tile : first)
      text += (text.empty() ? "" : ", ") + member(tile);
    return text;
  }
  const bool isRun = first.back() - first.front() == int64_t(first.size()) - 1;
  if (!isRun)
    return std::nullopt;
  return member(first.front()) + " … " + member(first.back());
}

/// `tiles 2g, 2g+1 of each of 4 groups`.
static std::string tilesWords(mlir::IntegerSet groups, mlir::IntegerSet tiles) {
  auto members = ktdp::enumerateGroupTiles(groups, tiles);
  if (!members || members->empty())
    return "some tiles of each group";
  const std::string ofGroups =
      members->size() == 1
          ? ""
          : " of each of " + std::to_string(members->size()) + " groups";
  std::optional<std::string> listed = tilesByGroup(*members);
  if (!listed)
    return "some tiles" + ofGroups;
  return (members->front().tiles.size() == 1 ? "tile " : "tiles ") + *listed +
         ofGroups;
}

std::string ValueTexts::future(mlir::Value value) const {
  auto production = value.getDefiningOp<ktdp::InterTileProduceOp>();
  if (!production)
    return "published by tiles of another production";
  auto type = llvm::cast<ktdp::TileFutureType>(value.getType());
  return "published by " + tilesWords(type.getGroups().getValue(),
                                      production.getProducerTilesPerGroup());
}

/// What a consumer gets of the values published.
static const char *deliveredWords(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, const char *>(op)
      .Case([](ktdp::InterTileConsumeOp) { return "the value"; })
      .Case([](ktdp::InterTileReduceOp) { return "the fold of the values"; })
      .Case([](ktdp::InterTileReduceScatterOp) {
        return "a share of the fold of the values";
      })
      .Case([](ktdp::InterTileGatherOp) { return "the joined values"; })
      .Case([](ktdp::InterTileAllToAllOp) { return "shares of the values"; })
      .Case([](ktdp::InterTileScatterOp) { return "a share of the value"; })
      .Default([](mlir::Operation *) { return "values"; });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::string ValueTexts::integer(mlir::Value value) const {
  if (auto id = value.getDefiningOp<ktdp::GetComputeTileIdOp>()) {
    mlir::ArrayAttr grid;
    for (mlir::Operation *parent = id->getParentOp(); parent && !grid;
         parent = parent->getParentOp())
      grid = parent->getAttrOfType<mlir::ArrayAttr>("grid");
    const unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    std::string words =
        id->getNumResults() == 1
            ? "the id of the executing tile, `t`"
            : "coordinate " + std::to_string(number) + " of the executing tile";
    if (grid && number < grid.size())
      if (auto extent = llvm::dyn_cast<mlir::IntegerAttr>(grid[number]))
        words += ": 0 … " + std::to_string(extent.getInt() - 1);
    return words;
  }
  if (llvm::isa<mlir::BlockArgument>(value))
    return {};
  std::optional<ktdp::LinearForm> form = ktdp::linearForm(value);
  return form ? "equals " + text(*form) : "";
}

//===----------------------------------------------------------------------===//
// describe
//===----------------------------------------------------------------------===//

std::string ValueTexts::describe(mlir::Value value) const {
  mlir::Operation *op = value.getDefiningOp();
  if (llvm::isa<ktdp::TileFutureType>(value.getType()))
    return future(value);
  if (llvm::isa<ktdp::AccessTileType>(value.getType()))
    return tile(value);
  if (value.getType().isIntOrIndex())
    return integer(value);
  if (llvm::isa_and_nonnull<ktdp::ConstructMemoryViewOp,
                            ktdp::ConstructDistributedMemoryViewOp>(op))
    return view(value, /*withLayout=*/true);
  if (auto load = llvm::dyn_cast_if_present<ktdp::LoadOp>(op)) {
    const std::string from = tile(load.getTile());
    return from.empty() ? "" : "loaded from " + from;
  }
  if (auto delivery =
          llvm::dyn_cast_if_present<ktdp::DeliveryOpInterface>(op)) {
    mlir::Value published = delivery.getFuture();
    auto type = llvm::cast<ktdp::TileFutureType>(published.getType());
    return std::string(deliveredWords(op)) + " " + future(published) +
           ", received by " +
           tilesWords(type.getGroups().getValue(),
                      delivery.getConsumerTilesPerGroup());
  }
  return {};
}

std::string ValueTexts::describe(mlir::Operation *op) const {
  if (auto store = llvm::dyn_cast<ktdp::StoreOp>(op)) {
    const std::string to = tile(store.getTile());
    return to.empty() ? "" : "stores to " + to;
  }
  return {};
}

} // namespace ktir
