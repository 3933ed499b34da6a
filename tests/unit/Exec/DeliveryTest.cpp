//===- DeliveryTest.cpp - Values from tile to tile ------------------------===//
//
// Tile t of every kernel here starts with row t of %x, whose element (t, c) is
// 64 t + c; what it receives goes to a place of its own in %o.
//
//===----------------------------------------------------------------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

#include <cmath>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

const char *const allOfFour = "affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>";
const char *const oneGroup = "affine_set<(g) : (g == 0)>";

constexpr int64_t out = 4096;

/// Publishes `%value` of `partial` from the tiles `producers`.
std::string produce(const std::string &producers, const std::string &groups,
                    const std::string &partial,
                    const std::string &value = "%x_row") {
  return "%f = ktdp.inter_tile_produce producer_tiles_per_group = " +
         producers + " -> <(" + partial + "), groups = " + groups +
         "> {\n^bb0(%g: index):\nktdp.yield_partial " + value + " : " +
         partial + "\n}\n";
}

std::string type(const Shape &shape) {
  return "tensor<" + dims(shape, "f16") + ">";
}

/// A kernel on `tiles` tiles: `partial` is the shape of each tile's part of %x,
/// `result` that of what `exchange` leaves in %y.
std::string exchangeKernel(int tiles, const Shape &partial, const Shape &result,
                           const std::string &exchange) {
  Shape all = partial, results = result;
  all.insert(all.begin(), tiles);
  results.insert(results.begin(), tiles);
  Shape one = partial, oneResult = result;
  one.insert(one.begin(), 1);
  oneResult.insert(oneResult.begin(), 1);
  std::string zeros;
  for (size_t d = 0; d < partial.size(); ++d)
    zeros += ", %c0";
  auto groups = [](size_t rank) {
    std::string text = "[[0, 1]";
    for (size_t d = 2; d <= rank; ++d)
      text += ", [" + std::to_string(d) + "]";
    return text + "]";
  };
  std::string expanded;
  for (int64_t extent : oneResult)
    expanded += (expanded.empty() ? "" : ", ") + std::to_string(extent);
  return kernel("%x: index, %o: index", tiles,
                loadFrom("x_one", "x", all, "%t" + zeros, one) +
                    "%x_row = tensor.collapse_shape %x_one " +
                    groups(partial.size()) + " : " + type(one) + " into " +
                    type(partial) + "\n" + exchange +
                    "%y_one = tensor.expand_shape %y " + groups(result.size()) +
                    " output_shape [" + expanded + "] : " + type(result) +
                    " into " + type(oneResult) + "\n" +
                    storeTo("y_one", "o", results, "%t" + zeros, oneResult));
}

/// Runs `text` round robin and under random interleavings, which must agree;
/// returns `count` elements of %o.
std::vector<float> runAll(const std::string &text, size_t inputs,
                          size_t count) {
  std::vector<float> first;
  for (std::optional<uint64_t> seed :
       {std::optional<uint64_t>(), std::optional<uint64_t>(1),
        std::optional<uint64_t>(2), std::optional<uint64_t>(77)}) {
    Fixture f(text, Level::Ktir);
    EXPECT_TRUE(f) << f.errors << text;
    if (!f)
      return {};
    f.fill(0, make(inputs, [](int i) { return float(i); }));
    RunOptions options;
    options.interleaving = seed;
    EXPECT_EQ(f.run({0, out}, options), RunStatus::Finished) << f.messages();
    EXPECT_TRUE(f.found("*").empty()) << f.messages();
    std::vector<float> result = f.read(out, count);
    if (!seed)
      first = result;
    EXPECT_EQ(result, first) << "seed " << seed.value_or(0);
  }
  return first;
}

std::string sum(const std::string &t) {
  return "{\n^bb0(%l: " + t + ", %r: " + t +
         "):\n%a = arith.addf %l, %r : " + t +
         "\nktdp.yield_reduced %a : " + t + "\n}\n";
}

TEST(DeliveryTest, ConsumeBroadcasts) {
  // Tile 5 of 8 is the only producer (§4.14).
  std::string t = type({64});
  std::string text = exchangeKernel(
      8, {64}, {64},
      produce("affine_set<(i)[g] : (i - 5 == 0)>", oneGroup, t) +
          "%y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = "
          "affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)> : <(" +
          t + "), groups = " + oneGroup + "> -> " + t + "\n");
  EXPECT_EQ(runAll(text, 512, 512),
            make(512, [](int i) { return float(5 * 64 + i % 64); }));
}

TEST(DeliveryTest, ValuesWithoutDimensions) {
  // Tile 1's first element, 64, as a tensor of rank 0, summed with itself.
  std::string t = type({64}), scalar = "tensor<f16>";
  std::string text = exchangeKernel(
      2, {64}, {64},
      "%first = tensor.extract %x_row[%c0] : " + t +
          "\n%one = tensor.from_elements %first : " + scalar + "\n" +
          produce("affine_set<(i)[g] : (i - 1 == 0)>", oneGroup, scalar,
                  "%one") +
          "%z = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = "
          "affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)> : <(" +
          scalar + "), groups = " + oneGroup + "> -> " + scalar +
          "\n%d = arith.addf %z, %z : " + scalar +
          "\n%s = tensor.extract %d[] : " + scalar +
          "\n%y = tensor.splat %s : " + t + "\n");
  EXPECT_EQ(runAll(text, 128, 128), std::vector<float>(128, 128.0f));
}

TEST(DeliveryTest, ConsumeRoutes) {
  // Tile c hears tile 7 - c.
  std::string t = type({64});
  std::string all = "affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>";
  std::string text = exchangeKernel(
      8, {64}, {64},
      produce(all, oneGroup, t) +
          "%y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = " + all +
          ", producer_dependency_per_consumer = affine_set<(p)[c] : (p + c - "
          "7 == 0)> : <(" +
          t + "), groups = " + oneGroup + "> -> " + t + "\n");
  EXPECT_EQ(runAll(text, 512, 512),
            make(512, [](int i) { return float((7 - i / 64) * 64 + i % 64); }));
}

TEST(DeliveryTest, ReduceInPairs) {
  // Groups of two neighbours; both get the sum.
  std::string t = type({64});
  std::string pairs =
      "affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>";
  std::string groups = "affine_set<(g) : (g >= 0, -g + 3 >= 0)>";
  std::string text = exchangeKernel(
      8, {64}, {64},
      "%zero = arith.constant dense<0.0> : " + t + "\n" +
          produce(pairs, groups, t) +
          "%y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = " +
          pairs + ", identity(%zero : " + t + ") : <(" + t +
          "), groups = " + groups + "> -> " + t + " " + sum(t));
  EXPECT_EQ(runAll(text, 512, 512), make(512, [](int i) {
              int pair = i / 128, c = i % 64;
              return float(2 * pair * 64 + c + (2 * pair + 1) * 64 + c);
            }));
}

TEST(DeliveryTest, ReduceFoldsInAscendingOrder) {
  // Each step rounds to f16, where 2048 + 1 is 2048: 1 + 1 + 2048 = 2050 tells
  // the ascending order from any that takes 2048 earlier.
  std::string t = type({64});
  std::string text = exchangeKernel(
      4, {64}, {64},
      "%zero = arith.constant dense<0.0> : " + t + "\n" +
          produce(allOfFour, oneGroup, t) +
          "%y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = " +
          allOfFour + ", identity(%zero : " + t + ") : <(" + t +
          "), groups = " + oneGroup + "> -> " + t + " " + sum(t));
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const float parts[] = {1, 1, 2048, 0};
  f.fill(0, make(256, [&](int i) { return parts[i / 64]; }));
  ASSERT_EQ(f.run({0, out}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(out, 1)[0], 2050.0f);
}

TEST(DeliveryTest, ReduceToOneServesOnlyThatTile) {
  std::string t = type({64});
  auto text = [&](const std::string &use) {
    return exchangeKernel(
        4, {64}, {64},
        "%zero = arith.constant dense<0.0> : " + t + "\n" +
            produce(allOfFour, oneGroup, t) +
            "%s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = "
            "affine_set<(i)[g] : (i - 2 == 0)>, identity(%zero : " +
            t + ") : <(" + t + "), groups = " + oneGroup + "> -> " + t + " " +
            sum(t) + use);
  };
  EXPECT_EQ(runAll(text("%c2 = arith.constant 2 : index\n"
                        "%mine = arith.cmpi eq, %t, %c2 : index\n"
                        "%y = scf.if %mine -> (" +
                        t + ") {\nscf.yield %s : " + t +
                        "\n} else {\nscf.yield %x_row : " + t + "\n}\n"),
                   256, 256),
            make(256, [](int i) {
              int c = i % 64;
              return i / 64 == 2 ? float(64 * (0 + 1 + 2 + 3) + 4 * c)
                                 : float(i);
            }));
  // Another tile that uses the value is told so.
  Fixture f(text("%y = arith.addf %s, %s : " + t + "\n"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("*")[0].message,
            "'arith.addf' on tile 0: operand 0 was delivered to other tiles; "
            "expected a tile of consumer_tiles_per_group to use it");
  // So is one that loads through an access tile over it.
  Fixture g(text("%zeroth = arith.constant 0 : index\n"
                 "%part = ktdp.construct_access_tile %s[%zeroth] "
                 "{access_tile_order = affine_map<(a) -> (a)>, access_tile_set "
                 "= affine_set<(a) : (a >= 0, -a + 63 >= 0)>} : " +
                 t + " -> !ktdp.access_tile<64xindex>\n" +
                 "%y = ktdp.load %part : <64xindex> -> " + t + "\n"),
            Level::Ktir);
  ASSERT_TRUE(g) << g.errors;
  g.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(g.run({0, out}), RunStatus::Failed);
  ASSERT_EQ(g.found("*").size(), 1u) << g.messages();
  EXPECT_EQ(g.found("*")[0].message,
            "'ktdp.load' on tile 0: the tensor that the tile selects of was "
            "delivered to other tiles; expected a tile of "
            "consumer_tiles_per_group to use it");
}

TEST(DeliveryTest, RolesFoldTogether) {
  // (m, s) pairs folded as the running maximum and the sum rescaled to it, here
  // by powers of two, so that every step is exact: tile t has m = t and s = 1,
  // so that the fold is m = 3, s = 2^-3 + 2^-2 + 2^-1 + 1.
  std::string t = type({2});
  std::string roles = t + ", " + t;
  std::string text =
      "%low = arith.constant dense<-32.0> : " + t + "\n" +
      "%zero = arith.constant dense<0.0> : " + t + "\n" +
      "%one = arith.constant dense<1.0> : " + t + "\n" +
      "%ti = arith.index_cast %t : index to i32\n"
      "%tf = arith.sitofp %ti : i32 to f16\n"
      "%e = tensor.empty() : " +
      t + "\n%m = linalg.fill ins(%tf : f16) outs(%e : " + t + ") -> " + t +
      "\n%f = ktdp.inter_tile_produce producer_tiles_per_group = " +
      std::string(allOfFour) + " -> <(" + roles + "), groups = " + oneGroup +
      "> {\n^bb0(%g: index):\nktdp.yield_partial %m, %one : " + roles +
      "\n}\n%y, %top = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = " +
      allOfFour + ", identity(%low, %zero : " + roles + ") : <(" + roles +
      "), groups = " + oneGroup + "> -> " + roles + " {\n^bb0(%lm: " + t +
      ", %ls: " + t + ", %rm: " + t + ", %rs: " + t + "):\n" +
      "%mm = arith.maximumf %lm, %rm : " + t +
      // The larger is one more than the smaller, except for the identity,
      // whose sum is zero.
      "\n%half = arith.constant dense<0.5> : " + t +
      "\n%sl = arith.mulf %ls, %half : " + t +
      "\n%ss = arith.addf %sl, %rs : " + t +
      "\nktdp.yield_reduced %mm, %ss : " + roles + "\n}\n";
  std::string both = exchangeKernel(
      4, {2}, {2}, text + "%unused = arith.addf %top, %top : " + t + "\n");
  EXPECT_EQ(runAll(both, 8, 8), std::vector<float>(8, 3.0f));
  // The other role.
  size_t at = both.find("%y, %top");
  both.replace(at, 8, "%top, %y");
  EXPECT_EQ(runAll(both, 8, 8), std::vector<float>(8, 1.875f));
}

TEST(DeliveryTest, GatherJoinsInOrderOfTheProducers) {
  std::string t = type({1, 64});
  std::string end = " : <(" + t + "), groups = " + std::string(oneGroup) + ">";
  // Along one dimension: row p is that of producer p.
  std::string rows = exchangeKernel(
      4, {1, 64}, {4, 64},
      produce(allOfFour, oneGroup, t) +
          "%y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = " +
          allOfFour + ", gather_dimensions = [0]" + end + " -> " +
          type({4, 64}) + "\n");
  EXPECT_EQ(runAll(rows, 256, 1024),
            make(1024, [](int i) { return float(i % 256); }));
  // Along two, the last fastest: pieces at (0,0) (0,1) (1,0) (1,1).
  std::string blocks = exchangeKernel(
      4, {1, 64}, {2, 128},
      produce(allOfFour, oneGroup, t) +
          "%y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = " +
          allOfFour + ", gather_dimensions = [0, 1]" + end + " -> " +
          type({2, 128}) + "\n");
  EXPECT_EQ(runAll(blocks, 256, 1024), make(1024, [](int i) {
              int row = i % 256 / 128, column = i % 128;
              return float((2 * row + column / 64) * 64 + column % 64);
            }));
}

TEST(DeliveryTest, ManyElementsTakeTurns) {
  // Tile t gives 600,001 times 64 t; the last of both are subtracted.
  std::string t = type({64}), wide = type({1, 600001}),
              both = type({2, 600001});
  std::string text = exchangeKernel(
      2, {64}, {64},
      "%first = tensor.extract %x_row[%c0] : " + t +
          "\n%many = tensor.splat %first : " + wide + "\n" +
          produce("affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>", oneGroup, wide,
                  "%many") +
          "%z = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = "
          "affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>, gather_dimensions = "
          "[0] : <(" +
          wide + "), groups = " + oneGroup + "> -> " + both +
          "\n%one = arith.constant 1 : index\n%last = arith.constant 600000 : "
          "index\n%a = tensor.extract %z[%c0, %last] : " +
          both + "\n%b = tensor.extract %z[%one, %last] : " + both +
          "\n%s = arith.subf %b, %a : f16\n%y = tensor.splat %s : " + t + "\n");
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors << text;
  f.fill(0, make(128, [](int i) { return float(i); }));
  RunOptions options;
  options.checks = false; // more than a scratchpad holds
  exec::Run run(f.program, *f.memory, {{0}, {out}}, options);
  uint64_t turns = 1, instructions = 0;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  ASSERT_EQ(run.status(), RunStatus::Finished);
  EXPECT_EQ(f.read(out, 128), std::vector<float>(128, 64.0f));
  for (const InstanceCounters &tile : run.counters())
    instructions += tile.instructions;
  // Of half a million elements each: 2 of the splat and 3 of the delivery.
  EXPECT_GE(turns, instructions + 2 * (1 + 2));
}

TEST(DeliveryTest, ScatterSplitsTheOnlyValue) {
  // Tile 1 has rows 8..15 of 64; consumer l gets two of them.
  std::string t = type({8, 64});
  std::string text = exchangeKernel(
      4, {8, 64}, {2, 64},
      produce("affine_set<(i)[g] : (i - 1 == 0)>", oneGroup, t) +
          "%y = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = " +
          allOfFour + ", scatter_dimensions = [0] : <(" + t +
          "), groups = " + oneGroup + "> -> " + type({2, 64}) + "\n");
  // Values up to 2047 are exact in f16.
  EXPECT_EQ(runAll(text, 2048, 512),
            make(512, [](int i) { return float(512 + i); }));
}

TEST(DeliveryTest, AllToAllTransposesBlocks) {
  // Consumer l gets row l of all four, side by side.
  std::string t = type({4, 16});
  std::string text = exchangeKernel(
      4, {4, 16}, {1, 64},
      produce(allOfFour, oneGroup, t) +
          "%y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = " +
          allOfFour + ", split_dimensions = [0], concat_dimensions = [1] : <(" +
          t + "), groups = " + oneGroup + "> -> " + type({1, 64}) + "\n");
  EXPECT_EQ(runAll(text, 256, 256), make(256, [](int i) {
              int l = i / 64, p = i % 64 / 16, c = i % 16;
              return float(p * 64 + l * 16 + c);
            }));
}

TEST(DeliveryTest, AllToAllBetweenSetsOfDifferentSize) {
  // Tiles 0 and 1 produce, four consume: each gets its row of both.
  std::string t = type({4, 16});
  std::string text = exchangeKernel(
      4, {4, 16}, {1, 32},
      produce("affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>", oneGroup, t) +
          "%y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = " +
          allOfFour + ", split_dimensions = [0], concat_dimensions = [1] : <(" +
          t + "), groups = " + oneGroup + "> -> " + type({1, 32}) + "\n");
  EXPECT_EQ(runAll(text, 256, 128), make(128, [](int i) {
              int l = i / 32, p = i % 32 / 16, c = i % 16;
              return float(p * 64 + l * 16 + c);
            }));
}

TEST(DeliveryTest, ReduceScatterSplitsTheFold) {
  std::string t = type({4, 16});
  std::string text = exchangeKernel(
      4, {4, 16}, {1, 16},
      "%zero = arith.constant dense<0.0> : " + t + "\n" +
          produce(allOfFour, oneGroup, t) +
          "%y = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group "
          "= " +
          allOfFour + ", scatter_dimensions = [0], identity(%zero : " + t +
          ") : <(" + t + "), groups = " + oneGroup + "> -> " + type({1, 16}) +
          " " + sum(t));
  EXPECT_EQ(runAll(text, 256, 64), make(64, [](int i) {
              return float(64 * (0 + 1 + 2 + 3) + 4 * i);
            }));
}

TEST(DeliveryTest, DeliveriesInALoopPairUp) {
  // Tile c hears tile 3 - c three times; the value doubles on the way.
  std::string t = type({64});
  std::string text = exchangeKernel(
      4, {64}, {64},
      "%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
      "%y = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x_row) -> (" +
          t + ") {\n" + produce(allOfFour, oneGroup, t, "%v") +
          "%r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = " +
          allOfFour +
          ", producer_dependency_per_consumer = affine_set<(p)[c] : (p + c - "
          "3 == 0)> : <(" +
          t + "), groups = " + oneGroup + "> -> " + t +
          "\n%d = arith.addf %r, %r : " + t + "\nscf.yield %d : " + t +
          "\n}\n");
  // After three exchanges every row is the other tile's, times eight.
  EXPECT_EQ(runAll(text, 256, 256), make(256, [](int i) {
              return float(8 * ((3 - i / 64) * 64 + i % 64));
            }));
}

TEST(DeliveryTest, AMissingProducerIsADeadlock) {
  // Only tiles below 3 reach the exchange, which waits for tile 3 as well.
  std::string t = type({64});
  std::string text = exchangeKernel(
      4, {64}, {64},
      "%c3 = arith.constant 3 : index\n"
      "%go = arith.cmpi ult, %t, %c3 : index\n"
      "%y = scf.if %go -> (" +
          t + ") {\n" + produce(allOfFour, oneGroup, t) +
          "%r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = " +
          allOfFour +
          ", producer_dependency_per_consumer = affine_set<(p)[c] : (p + c - "
          "3 == 0)> : <(" +
          t + "), groups = " + oneGroup + "> -> " + t + "\nscf.yield %r : " +
          t + "\n} else {\nscf.yield %x_row : " + t + "\n}\n");
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-5").size(), 1u) << f.messages();
  Finding deadlock = f.found("E-5")[0];
  EXPECT_EQ(deadlock.message,
            "'ktdp.inter_tile_consume' on tile 0: deadlock: 1 of 4 instances "
            "wait and none can proceed");
  ASSERT_EQ(deadlock.notes.size(), 1u);
  EXPECT_EQ(deadlock.notes[0].message,
            "tile 0 waits for tile 3 (finished) to produce for delivery 1");
}

TEST(DeliveryTest, AValueNobodyTakesIsReported) {
  // Every tile produces, but tile 3 never takes what tile 0 sent it.
  std::string t = type({64});
  std::string text = exchangeKernel(
      4, {64}, {64},
      produce(allOfFour, oneGroup, t) +
          "%c3 = arith.constant 3 : index\n"
          "%go = arith.cmpi ult, %t, %c3 : index\n"
          "%y = scf.if %go -> (" +
          t +
          ") {\n%r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = " +
          allOfFour +
          ", producer_dependency_per_consumer = affine_set<(p)[c] : (p + c - "
          "3 == 0)> : <(" +
          t + "), groups = " + oneGroup + "> -> " + t + "\nscf.yield %r : " +
          t + "\n} else {\nscf.yield %x_row : " + t + "\n}\n");
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("*")[0].message,
            "'ktdp.inter_tile_produce' on tile 0: published 1 times, but some "
            "consumer took only 0; expected every producer and consumer of a "
            "group to reach production and delivery equally often");
}

/// Tile 0 writes a row that tile 1 reads, with or without a delivery between.
std::string handOver(bool ordered) {
  std::string t = type({64});
  return kernel(
      "%x: index, %o: index", 2,
      loadFrom("x_row", "x", {2, 64}, "%t, %c0", {1, 64}) +
          "%is0 = arith.cmpi eq, %t, %c0 : index\n"
          "scf.if %is0 {\n" +
          storeTo("x_row", "o", {2, 64}, "%c0, %c0", {1, 64}) + "}\n" +
          (ordered
               ? produce("affine_set<(i)[g] : (i == 0)>", oneGroup,
                         type({1, 64})) +
                     "%y = ktdp.inter_tile_consume(%f) "
                     "consumer_tiles_per_group = affine_set<(i)[g] : (i - 1 "
                     "== 0)> : <(" +
                     type({1, 64}) + "), groups = " + oneGroup + "> -> " +
                     type({1, 64}) + "\n"
               : "") +
          "scf.if %is0 {\n} else {\n" +
          loadFrom("z", "o", {2, 64}, "%c0, %c0", {1, 64}) +
          storeTo("z", "o", {2, 64}, "%t, %c0", {1, 64}) + "}\n");
}

TEST(DeliveryTest, ADeliveryOrdersMemory) {
  EXPECT_EQ(runAll(handOver(true), 128, 128),
            make(128, [](int i) { return float(i % 64); }));
  Fixture f(handOver(false), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(128, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-7").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("E-7")[0].message,
            "'ktdp.load' on tile 1: reads byte 8192 of device memory, "
            "coordinate (0, 0) of the view, which tile 0 writes, and nothing "
            "orders the two accesses");
}

TEST(DeliveryTest, TilesBeyondTheGridAreRefused) {
  std::string t = type({64});
  Fixture f(exchangeKernel(
                2, {64}, {64},
                produce(allOfFour, oneGroup, t) +
                    "%z = ktdp.inter_tile_gather(%f) consumer_tiles_per_group "
                    "= affine_set<(i)[g] : (i == 0)>, gather_dimensions = [0] "
                    ": <(" +
                    t + "), groups = " + oneGroup + "> -> " + type({256}) +
                    "\n%y = arith.addf %x_row, %x_row : " + t + "\n"),
            Level::Ktir);
  EXPECT_FALSE(f);
  EXPECT_NE(f.errors.find("producer_tiles_per_group names tile 2, the grid has "
                          "2 tiles"),
            std::string::npos)
      << f.errors;
}

// Sets with more members than are looked at, and one that no bound shows.
TEST(DeliveryTest, FarTooManyTilesAreRefused) {
  std::string t = type({64});
  auto consuming = [&](const std::string &consumers) {
    return exchangeKernel(
        2, {64}, {64},
        produce("affine_set<(i)[g] : (i == 0)>", oneGroup, t) +
            "%y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = "
            "affine_set<(i)[g] : (" +
            consumers + ")> : <(" + t + "), groups = " + oneGroup + "> -> " +
            t + "\n");
  };
  for (const char *last : {"65536", "1000000000"}) {
    Fixture f(consuming("i >= 0, -i + " + std::string(last) + " >= 0"),
              Level::Ktir);
    EXPECT_FALSE(f);
    EXPECT_NE(f.errors.find("consumer_tiles_per_group reaches up to tile " +
                            std::string(last) + ", the grid has 2 tiles"),
              std::string::npos)
        << f.errors;
  }
  EXPECT_EQ(runAll(consuming("i >= 0"), 128, 128),
            make(128, [](int i) { return float(i % 64); }));
}

} // namespace
