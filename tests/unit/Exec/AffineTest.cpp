//===- AffineTest.cpp - Sets and orders -----------------------------------===//

#include "Affine.h"
#include "EngineTestSupport.h"

#include "mlir/AsmParser/AsmParser.h"

#include <random>

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

// Constraints of every kind, and sets in which few points are left.
TEST(AffineTest, PointsAreThoseForWhichEveryConstraintHolds) {
  std::mt19937 random(7);
  auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  const std::string orders[] = {
      "(a, b, c) -> (a, b, c)", "(a, b, c) -> (c, a, b)",
      "(a, b, c) -> (b, c, a)", "(a, b, c) -> (100 * a - c, b)"};
  const unsigned slowest[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
  for (unsigned round = 0; round < 400; ++round) {
    const int64_t m = pick(-3, 3);
    std::string constraints;
    struct Extra {
      int a, b, c, m, constant, modulus;
      bool equality;
    };
    std::vector<Extra> extras;
    for (int i = pick(1, 3); i-- > 0;) {
      Extra e{pick(-3, 3),  pick(-3, 3), pick(-3, 3),    pick(-1, 1),
              pick(-4, 12), 0,           pick(0, 3) == 0};
      if (pick(0, 3) == 0)
        e.modulus = pick(2, 5);
      extras.push_back(e);
      std::string sum =
          "(" + std::to_string(e.a) + ") * a + (" + std::to_string(e.b) +
          ") * b + (" + std::to_string(e.c) + ") * c + (" +
          std::to_string(e.m) + ") * m + (" + std::to_string(e.constant) + ")";
      if (e.modulus)
        sum = "(" + sum + ") mod " + std::to_string(e.modulus) + " - 1";
      constraints += ", " + sum + (e.equality ? " == 0" : " >= 0");
    }
    const unsigned which = round % 4;
    const auto found = points("(a, b, c)[m] : (a + 2 >= 0, 4 - a >= 0, b - 1 "
                              ">= 0, 6 - b >= 0, c >= 0, 5 - c >= 0" +
                                  constraints + ")",
                              orders[which], {m});
    std::vector<std::vector<int64_t>> expected;
    for (int64_t a = -2; a <= 4; ++a)
      for (int64_t b = 1; b <= 6; ++b)
        for (int64_t c = 0; c <= 5; ++c)
          if (llvm::all_of(extras, [&](const Extra &e) {
                int64_t sum =
                    e.a * a + e.b * b + e.c * c + e.m * m + e.constant;
                if (e.modulus)
                  sum = ((sum % e.modulus) + e.modulus) % e.modulus - 1;
                return e.equality ? sum == 0 : sum >= 0;
              }))
            expected.push_back({a, b, c});
    llvm::sort(expected, [&](const auto &left, const auto &right) {
      auto key = [&](const std::vector<int64_t> &p) {
        if (which == 3)
          return std::vector<int64_t>{100 * p[0] - p[2], p[1]};
        const unsigned *order = slowest[which];
        return std::vector<int64_t>{p[order[0]], p[order[1]], p[order[2]]};
      };
      return key(left) < key(right);
    });
    std::vector<int64_t> flat;
    for (const std::vector<int64_t> &point : expected)
      flat.insert(flat.end(), point.begin(), point.end());
    // Boxes are not listed.
    if (!found.isBox)
      EXPECT_EQ(found.list, flat) << constraints << " in " << orders[which];
    EXPECT_EQ(found.count, int64_t(expected.size()));
  }
}

TEST(AffineTest, OrdersThatMustBeSortedAllowFewerPoints) {
  std::string error;
  auto set = parseSet("(a, b) : (a >= 0, 1023 - a >= 0, b >= 0, 1023 - b >= 0, "
                      "a - b >= 0)");
  EXPECT_TRUE(CompiledSet::get(set, mlir::AffineMap()).enumerate({}, error));
  EXPECT_FALSE(CompiledSet::get(set, parseMap("(a, b) -> (a * 1024 + b)"))
                   .enumerate({}, error));
  EXPECT_EQ(error, "the set has an order that is no permutation and lies "
                   "within 1048576 points, more than the 524288 that are "
                   "sorted");
}

// Constraints count as points do.
TEST(AffineTest, SetsWithManyConstraintsAllowFewerPoints) {
  for (const char *constraint : {"a - b + 4096 >= 0", "(a + b) mod 2 == 0"}) {
    std::string set = "(a, b) : (a >= 0, 2047 - a >= 0, b >= 0, 2047 - b >= 0";
    for (int i = 0; i < 3000; ++i)
      set += std::string(", ") + constraint;
    std::string error;
    // Kept apart from each other, which MLIR does not.
    for (int i = 0; i < 60; ++i)
      set += ", a - b + " + std::to_string(4097 + i) + " >= 0, (a + b + " +
             std::to_string(i) + ") mod " + std::to_string(2 + i) + " >= 0";
    EXPECT_FALSE(CompiledSet::get(parseSet(set + ")"), mlir::AffineMap())
                     .enumerate({}, error));
    EXPECT_NE(error.find("on the 4194304 points within its bounds would take "
                         "too long"),
              std::string::npos)
        << error;
  }
}

// The one point without coordinates, or none, by what the symbols are.
TEST(AffineTest, SetsWithoutDimensions) {
  for (int64_t symbol : {3, 4}) {
    const auto found = points("()[s] : (s mod 2 == 0)", "", {symbol});
    EXPECT_EQ(found.count, symbol == 4);
    EXPECT_TRUE(found.list.empty());
  }
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
