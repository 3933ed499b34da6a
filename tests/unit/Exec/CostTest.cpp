//===- CostTest.cpp - The analytic cost model -----------------------------===//
//
// Counts and cycles by the formulas of docs/cost-model.md, worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

/// Runs `text` and estimates with the profile `name`.
CostEstimate estimate(const std::string &text, const char *name,
                      const std::vector<int64_t> &arguments, size_t inputs) {
  Fixture f(text, Level::Ktir);
  EXPECT_TRUE(f) << f.errors;
  if (!f)
    return {};
  f.fill(0, make(inputs, [](int i) { return float(i % 7); }));
  EXPECT_EQ(f.run(arguments), RunStatus::Finished) << f.messages();
  std::vector<CostCounters> tiles;
  for (const InstanceCounters &counters : f.last->counters())
    tiles.push_back(counters.cost);
  for (const CostProfile &profile : costProfiles())
    if (profile.name == name)
      return estimateCost(profile, tiles);
  ADD_FAILURE() << "no profile " << name;
  return {};
}

const char *const arguments = "%x: index, %y: index, %o: index";

/// o = x + y on `tiles` tiles of `elements` elements each.
std::string vectorAdd(int tiles, int64_t elements, const std::string &element) {
  Shape all = {tiles, elements}, one = {1, elements};
  std::string t = "tensor<" + dims(one, element) + ">";
  return kernel(arguments, tiles,
                loadFrom("a", "x", all, "%t, %c0", one, element) +
                    loadFrom("b", "y", all, "%t, %c0", one, element) +
                    "%s = arith.addf %a, %b : " + t + "\n" +
                    storeTo("s", "o", all, "%t, %c0", one, element));
}

TEST(CostTest, KnownResultsOfTheInterpreter) {
  // 4,096 f16 on 32 tiles of 128: 2 cycles of compute and 192 of memory, three
  // accesses of two sticks with a 32nd of 128 bytes per cycle.
  CostEstimate small =
      estimate(vectorAdd(32, 128, "f16"), "interpreter", {0, 4096, 8192}, 8192);
  ASSERT_EQ(small.tiles.size(), 32u);
  for (const TileCost &tile : small.tiles) {
    EXPECT_EQ(tile.compute, 2);
    EXPECT_EQ(tile.memory, 192);
    EXPECT_EQ(tile.communication, 0);
    EXPECT_EQ(tile.serial(), 194);
    EXPECT_EQ(tile.overlapped(), 192);
    EXPECT_STREQ(tile.bottleneck(), "memory");
  }
  // 1,024 elements of 4 bytes on one tile: 16 and 96.
  CostEstimate one =
      estimate(vectorAdd(1, 1024, "f32"), "interpreter", {0, 1024, 2048}, 4096);
  ASSERT_EQ(one.tiles.size(), 1u);
  EXPECT_EQ(one.tiles[0].compute, 16);
  EXPECT_EQ(one.tiles[0].memory, 96);
  EXPECT_EQ(one.tiles[0].serial(), 112);
}

TEST(CostTest, RooflineOfAVectorAdd) {
  // 4,096 additions over 3 * 4,096 * 2 bytes: a sixth of an operation per byte,
  // for which 128 bytes per cycle allow 21.3 per cycle of the chip's 2,048; it
  // reaches 4,096 / 194.
  CostEstimate add =
      estimate(vectorAdd(32, 128, "f16"), "interpreter", {0, 4096, 8192}, 8192);
  EXPECT_FALSE(add.chip.isMatrix);
  EXPECT_EQ(add.chip.operations, 4096);
  EXPECT_EQ(add.chip.bytes, 24576);
  EXPECT_DOUBLE_EQ(add.chip.intensity, 1.0 / 6);
  EXPECT_EQ(add.chip.peak, 2048);
  EXPECT_DOUBLE_EQ(add.chip.memoryBound, 128.0 / 6);
  EXPECT_DOUBLE_EQ(add.chip.achieved, 4096.0 / 194);
  EXPECT_DOUBLE_EQ(add.chip.attainment, 192.0 / 194);
  // A core has a 32nd of everything.
  EXPECT_EQ(add.core.peak, 64);
  EXPECT_DOUBLE_EQ(add.core.memoryBound, 4.0 / 6);
  EXPECT_DOUBLE_EQ(add.core.attainment, 192.0 / 194);
}

TEST(CostTest, TheMeasuredProfile) {
  // Two thirds read, one third written: (R + W) / 150 and what turning round
  // costs on the lesser, the written third.
  CostEstimate add =
      estimate(vectorAdd(32, 128, "f16"), "measured", {0, 4096, 8192}, 8192);
  double bytes = 6 * 128, written = 2 * 128;
  EXPECT_NEAR(add.tiles[0].memory,
              32 * (bytes / 150 + written * (2.0 / 105 - 2.0 / 150)), 1e-9);
}

TEST(CostTest, AnAccessTakesWholeSticksOnce) {
  // Rows of 65 f16, 130 bytes: 4 neighbouring rows are 520 bytes, 5 sticks,
  // though each row touches 2; the result is 512 bytes.
  std::string text =
      kernel(arguments, 1,
             loadFrom("a", "x", {8, 65}, "%c0, %c0", {4, 64}) +
                 storeTo("a", "o", {4, 64}, "%c0, %c0", {4, 64}));
  CostEstimate rows = estimate(text, "interpreter", {0, 0, 4096}, 520);
  // 4 rows of 64 at distance 65: bytes 0 .. 3 * 130 + 127 = 517.
  EXPECT_EQ(rows.tiles[0].memory, 5 + 4);
  // A column of 64 elements, 128 bytes apart, touches 64 sticks; read again by
  // a second access, 64 more.
  std::string columns =
      kernel(arguments, 1,
             loadFrom("a", "x", {64, 64}, "%c0, %c0", {64, 1}) +
                 loadFrom("b", "y", {64, 64}, "%c0, %c0", {64, 1}) +
                 "%s = arith.addf %a, %b : tensor<64x1xf16>\n" +
                 storeTo("s", "o", {64, 1}, "%c0, %c0", {64, 1}));
  CostEstimate column = estimate(columns, "interpreter", {0, 0, 8192}, 4096);
  EXPECT_EQ(column.tiles[0].memory, 64 + 64 + 1);
  EXPECT_EQ(column.tiles[0].compute, 1);
}

TEST(CostTest, OperationsByTheirKind) {
  // On 64 elements, in cycles: exp 4, its square 1, a generic with a fused
  // multiply and add 1 for the result and 2 for the body, a cast, a splat and
  // a broadcast nothing.
  std::string t = "tensor<64xf16>", wide = "tensor<64xf32>";
  std::string text = kernel(
      arguments, 1,
      loadFrom("a", "x", {64}, "%c0", {64}) + "%e = math.exp %a : " + t +
          "\n%q = arith.mulf %e, %e : " + t +
          "\n%g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, "
          "affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(%q "
          ": " +
          t + ") outs(%q : " + t +
          ") {\n^bb0(%i: f16, %old: f16):\n%m = arith.mulf %i, %i : f16\n%s = "
          "arith.addf %m, %i : f16\nlinalg.yield %s : f16\n} -> " +
          t + "\n%w = arith.extf %g : " + t + " to " + wide +
          "\n%n = arith.truncf %w : " + wide + " to " + t + "\n" +
          storeTo("n", "o", {64}, "%c0", {64}));
  CostEstimate kinds = estimate(text, "interpreter", {0, 0, 4096}, 64);
  EXPECT_EQ(kinds.tiles[0].compute, 4 + 1 + 3);
}

TEST(CostTest, MatrixProducts) {
  // 64 x 64 x 64: 2 * 64^3 operations at 1,024 per cycle.
  std::string text = kernel(
      arguments, 1,
      loadFrom("a", "x", {64, 64}, "%c0, %c0", {64, 64}) +
          loadFrom("b", "y", {64, 64}, "%c0, %c0", {64, 64}) +
          "%zero = arith.constant dense<0.0> : tensor<64x64xf32>\n"
          "%p = linalg.matmul ins(%a, %b : tensor<64x64xf16>, "
          "tensor<64x64xf16>) outs(%zero : tensor<64x64xf32>) -> "
          "tensor<64x64xf32>\n"
          "%r = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>\n" +
          storeTo("r", "o", {64, 64}, "%c0, %c0", {64, 64}));
  CostEstimate product = estimate(text, "interpreter", {0, 4096, 8192}, 8192);
  EXPECT_EQ(product.tiles[0].compute, 2.0 * 64 * 64 * 64 / 1024);
  EXPECT_TRUE(product.core.isMatrix);
  EXPECT_EQ(product.core.peak, 1024);
  CostEstimate measured = estimate(text, "measured", {0, 4096, 8192}, 8192);
  EXPECT_EQ(measured.tiles[0].compute, 64.0 * 64 * 64 / 1140);
}

TEST(CostTest, AReductionPaysItsCombinerCalls) {
  std::string text =
      kernel(arguments, 1,
             loadFrom("a", "x", {4, 64}, "%c0, %c0", {4, 64}) +
                 "%zero = arith.constant dense<0.0> : tensor<4xf16>\n"
                 "%s = linalg.reduce {arith.addf} ins(%a : tensor<4x64xf16>) "
                 "outs(%zero : tensor<4xf16>) dimensions = [1]\n" +
                 storeTo("s", "o", {4}, "%c0", {4}));
  CostEstimate sums = estimate(text, "interpreter", {0, 0, 4096}, 256);
  EXPECT_EQ(sums.tiles[0].compute, 4);
}

TEST(CostTest, AReductionBetweenTilesGoesRoundTheRing) {
  // 3 other tiles, 128 bytes each, at 64 per cycle; four additions of 64
  // elements to the identity.
  std::string t = "tensor<1x64xf16>";
  std::string all = "affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>";
  std::string groups = "affine_set<(g) : (g == 0)>";
  std::string text = kernel(
      arguments, 4,
      loadFrom("a", "x", {4, 64}, "%t, %c0", {1, 64}) +
          "%zero = arith.constant dense<0.0> : " + t +
          "\n%f = ktdp.inter_tile_produce producer_tiles_per_group = " + all +
          " -> <(" + t + "), groups = " + groups +
          "> {\n^bb0(%g: index):\nktdp.yield_partial %a : " + t +
          "\n}\n%s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = " +
          all + ", identity(%zero : " + t + ") : <(" + t +
          "), groups = " + groups + "> -> " + t + " {\n^bb0(%l: " + t +
          ", %r: " + t + "):\n%m = arith.addf %l, %r : " + t +
          "\nktdp.yield_reduced %m : " + t + "\n}\n" +
          storeTo("s", "o", {4, 64}, "%t, %c0", {1, 64}));
  CostEstimate sum = estimate(text, "interpreter", {0, 0, 4096}, 256);
  EXPECT_EQ(sum.tiles[3].communication, 3 * 128.0 / 64);
  EXPECT_EQ(sum.tiles[3].compute, 4);
  // The measured ring is free.
  EXPECT_EQ(
      estimate(text, "measured", {0, 0, 4096}, 256).tiles[3].communication, 0);
}

} // namespace
