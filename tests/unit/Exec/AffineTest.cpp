//===- AffineTest.cpp - Sets and orders -----------------------------------===//

#include "Affine.h"
#include "EngineTestSupport.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace ktir::exec;

static mlir::IntegerSet parseSet(const std::string &text) {
  return mlir::parseIntegerSet(text, &test::context());
}

static mlir::AffineMap parseMap(const std::string &text) {
  return llvm::cast<mlir::AffineMapAttr>(
             mlir::parseAttribute("affine_map<" + text + ">", &test::context()))
      .getValue();
}

static CompiledSet::Points points(const std::string &set,
                                  const std::string &order = "",
                                  std::vector<int64_t> symbols = {}) {
  std::string error;
  auto found = CompiledSet::get(parseSet(set), order.empty() ? mlir::AffineMap()
                                                             : parseMap(order))
                   .enumerate(symbols, error);
  EXPECT_TRUE(found) << error;
  return found.value_or(CompiledSet::Points());
}

TEST(AffineTest, DivisionsRoundAsTheLanguageSays) {
  auto evaluate = [](const std::string &map, int64_t input) {
    return CompiledExpr::get(parseMap(map).getResult(0), 1)
        .evaluate(llvm::ArrayRef(input));
  };
  EXPECT_EQ(evaluate("(d0) -> (d0 floordiv 4)", -5), -2);
  EXPECT_EQ(evaluate("(d0) -> (d0 ceildiv 4)", -5), -1);
  EXPECT_EQ(evaluate("(d0) -> (d0 mod 4)", -5), 3);
  EXPECT_EQ(evaluate("(d0) -> (3 * d0 - 7)", 2), -1);
}

TEST(AffineTest, BoxWithSymbols) {
  auto box = points("(a, b)[m] : (a - 1 >= 0, m - a >= 0, b == 3)", "", {4});
  EXPECT_TRUE(box.isBox);
  EXPECT_EQ(box.lower, (llvm::SmallVector<int64_t, 4>{1, 3}));
  EXPECT_EQ(box.extent, (llvm::SmallVector<int64_t, 4>{4, 1}));
  EXPECT_EQ(box.count, 4);
}

TEST(AffineTest, EmptyBox) {
  EXPECT_EQ(points("(a) : (a - 5 >= 0, 4 - a >= 0)").count, 0);
}

TEST(AffineTest, TriangleInLexicographicOrder) {
  auto triangle = points("(a, b) : (a >= 0, 2 - a >= 0, b >= 0, a - b >= 0)");
  EXPECT_FALSE(triangle.isBox);
  EXPECT_EQ(triangle.list,
            (std::vector<int64_t>{0, 0, 1, 0, 1, 1, 2, 0, 2, 1, 2, 2}));
}

TEST(AffineTest, EvenPointsDescending) {
  auto even =
      points("(a) : (a >= 0, 7 - a >= 0, a mod 2 == 0)", "(d0) -> (-d0)");
  EXPECT_EQ(even.list, (std::vector<int64_t>{6, 4, 2, 0}));
}

TEST(AffineTest, UnboundedAndAmbiguousSetsAreErrors) {
  std::string error;
  EXPECT_FALSE(
      CompiledSet::get(parseSet("(a, b) : (a >= 0, 3 - a >= 0, b >= 0)"),
                       mlir::AffineMap())
          .enumerate({}, error));
  EXPECT_EQ(error, "the set does not bound dimension 1");
  EXPECT_FALSE(CompiledSet::get(parseSet("(a) : (a >= 0, 3 - a >= 0)"),
                                parseMap("(d0) -> (d0 floordiv 2)"))
                   .enumerate({}, error));
  EXPECT_EQ(error, "the order gives two points of the set one key");
}
