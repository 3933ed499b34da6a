//===- KtdpTypesTest.cpp - What text cannot say about ktdp's types --------===//

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/Placement.h"
#include "ktir/Dialect/Ktdp/TileSets.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ktir::ktdp;

namespace {
class KtdpTypes : public ::testing::Test {
protected:
  KtdpTypes() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<KtdpDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
  }

  IntegerSet set(StringRef text) {
    return cast<IntegerSetAttr>(
               parseAttribute(("affine_set<" + text + ">").str(), &context))
        .getValue();
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Float16Type::get(&context));
  }
  PlacementProblem place(ArrayRef<int64_t> split, ArrayRef<int64_t> concat,
                         ArrayRef<int64_t> partial, ArrayRef<int64_t> result,
                         int64_t producers, int64_t consumers) {
    PlacementDimensions dimensions{split, concat, "split", "concat"};
    return findPlacementFactors(dimensions, tensor(partial), tensor(result),
                                producers, consumers, factors);
  }

  MLIRContext context;
  std::string message;
  PlacementFactors factors;
};
} // namespace

// AT-T2
TEST_F(KtdpTypes, NegativeExtentIsRefused) {
  auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
  Type index = IndexType::get(&context);
  EXPECT_FALSE(AccessTileType::getChecked(emit, &context,
                                          ArrayRef<int64_t>{4, -4}, index));
  EXPECT_EQ(message, "tile dimension size must be dynamic or >= 0");
  EXPECT_TRUE(AccessTileType::getChecked(
      emit, &context, ArrayRef<int64_t>{0, ShapedType::kDynamic}, index));
}

// TF-T2
TEST_F(KtdpTypes, FutureWithoutRolesIsRefused) {
  auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
  auto groups = IntegerSetAttr::get(set("(g) : (g == 0)"));
  EXPECT_FALSE(TileFutureType::getChecked(
      emit, &context, ArrayRef<RankedTensorType>{}, groups));
  EXPECT_EQ(message, "tile_future must carry at least one partial type");
}

TEST_F(KtdpTypes, TilesAreMembersFromZeroUp) {
  // Pairs of tiles: group 3 is tiles 6 and 7.
  IntegerSet pairs = set("(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)");
  EXPECT_EQ(enumerateTiles(pairs, {3}), (TileIds{6, 7}));
  // Negative ids are never tiles.
  EXPECT_EQ(enumerateTiles(pairs, {-1}), TileIds{});
  EXPECT_EQ(enumerateTiles(set("(i)[g] : (-i + g >= 0)"), {2}),
            (TileIds{0, 1, 2}));
  // Every third of ten.
  EXPECT_EQ(enumerateTiles(set("(i)[g] : (i mod 3 == 0, -i + 9 >= 0)"), {0}),
            (TileIds{0, 3, 6, 9}));
  EXPECT_EQ(enumerateTiles(set("(i)[g] : (i >= 0)"), {0}), std::nullopt);
  EXPECT_EQ(enumerateTiles(set("(i)[g] : (-i + 100000000 >= 0)"), {0}),
            std::nullopt);
}

TEST_F(KtdpTypes, FactorsFollowFromTypes) {
  // Sixteen pieces of [1, 64] in eight rows of two.
  EXPECT_EQ(place({}, {0, 1}, {1, 64}, {8, 128}, 16, 1),
            PlacementProblem::None);
  EXPECT_EQ(factors.concat, (SmallVector<int64_t, 4>{8, 2}));
  // A row for each of four consumers, from all four producers side by side.
  EXPECT_EQ(place({0}, {1}, {4, 64}, {1, 256}, 4, 4), PlacementProblem::None);
  EXPECT_EQ(factors.split, (SmallVector<int64_t, 4>{4}));
  EXPECT_EQ(factors.concat, (SmallVector<int64_t, 4>{4}));
  // The stick axis takes no factor: [2, 16, 64] from four is [8, 16, 64].
  EXPECT_EQ(place({}, {0, 2}, {2, 16, 64}, {8, 16, 64}, 4, 1),
            PlacementProblem::None);
  EXPECT_EQ(factors.concat, (SmallVector<int64_t, 4>{4, 1}));
  // One axis in both lists: halves of eight rows from two producers.
  EXPECT_EQ(place({0}, {0}, {8, 64}, {4, 64}, 2, 4), PlacementProblem::None);
  EXPECT_EQ(factors.split, (SmallVector<int64_t, 4>{4}));
  EXPECT_EQ(factors.concat, (SmallVector<int64_t, 4>{2}));
}

TEST_F(KtdpTypes, FactorsThatDoNotFitAreNamed) {
  EXPECT_EQ(place({0}, {}, {8, 64}, {2, 64}, 1, 3), PlacementProblem::Split);
  EXPECT_EQ(place({}, {0}, {1, 64}, {4, 64}, 3, 1), PlacementProblem::Concat);
  // Two shared axes of 4 and 64, four ways each: 4 x 1, 2 x 2 and 1 x 4 fit.
  EXPECT_EQ(place({0, 1}, {0, 1}, {4, 64}, {4, 64}, 4, 4),
            PlacementProblem::Ambiguous);
  EXPECT_EQ(place({0}, {}, {ShapedType::kDynamic, 64}, {2, 64}, 1, 3),
            PlacementProblem::Dynamic);
}
