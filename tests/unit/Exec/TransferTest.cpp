//===- TransferTest.cpp - Accesses of very many runs ----------------------===//
//
// Those that take several turns do what they do in one, whatever runs between.
//
//===----------------------------------------------------------------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

// More elements than a turn has runs, and no round numbers.
constexpr int64_t rows = 300, columns = 301, all = rows * columns;
constexpr int64_t out = 200000;

const std::string turned = "affine_map<(d0, d1) -> (d1, d0)>";
const std::string inputType = "memref<300x301xf16>";

float value(int64_t i) { return float(i % 2039); }

/// A tile of the whole view `base`, its columns slowest.
std::string turnedTile(const std::string &base, const std::string &subscripts) {
  return "%" + base + "_turned = ktdp.construct_access_tile %" + base + "[" +
         subscripts + "] {access_tile_set = " + boxSet({rows, columns}) +
         ", access_tile_order = " + turned + "} : " + inputType +
         " -> !ktdp.access_tile<301x300xindex>\n";
}

/// Runs one instruction or turn at a time, and returns how many turns there
/// were beyond the instructions.
int64_t countTurns(Fixture &f, const std::vector<int64_t> &arguments,
                   RunOptions options = {}) {
  std::vector<ScalarArgument> scalars;
  for (int64_t argument : arguments)
    scalars.push_back({argument});
  f.last = std::make_unique<Run>(f.program, *f.memory, scalars, options);
  int64_t advances = 1;
  while (f.last->advance(1) == RunStatus::Running)
    ++advances;
  EXPECT_EQ(f.last->status(), RunStatus::Finished) << f.messages();
  int64_t instructions = 0;
  for (const InstanceCounters &counters : f.last->counters())
    instructions += counters.instructions;
  return advances - instructions;
}

const char *const arguments = "%x: index, %o: index";

/// `body` on a view `%v` of the input; a single tile.
Fixture inputKernel(const std::string &body) {
  return Fixture(kernel(arguments, 1, view("v", "x", {rows, columns}) + body),
                 Level::Ktir);
}

TEST(TransferTest, LoadsAndStoresTakeTurns) {
  for (bool stores : {false, true}) {
    SCOPED_TRACE(stores);
    Fixture f =
        stores ? Fixture(kernel(arguments, 1,
                                view("v", "o", {rows, columns}) +
                                    turnedTile("v", "%c0, %c0") +
                                    loadFrom("a", "x", {columns, rows},
                                             "%c0, %c0", {columns, rows}) +
                                    store("a", "v_turned", {columns, rows})),
                         Level::Ktir)
               : inputKernel(turnedTile("v", "%c0, %c0") +
                             load("a", "v_turned", {columns, rows}) +
                             storeTo("a", "o", {columns, rows}, "%c0, %c0",
                                     {columns, rows}));
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(all, value));
    EXPECT_GE(countTurns(f, {0, out}), 1);
    const int64_t width = stores ? rows : columns;
    const int64_t height = all / width;
    EXPECT_EQ(f.read(out, all), make(all, [&](int64_t i) {
                return value(i % height * width + i / height);
              }));
  }
}

TEST(TransferTest, TurnsOfTilesMix) {
  // Each tile writes its own copy; what it holds between its turns is its own.
  std::string body =
      view("v", "x", {rows, columns}) + turnedTile("v", "%c0, %c0") +
      load("a", "v_turned", {columns, rows}) +
      "%n = arith.constant 301 : index\n%first = arith.muli %t, %n : index\n" +
      storeTo("a", "o", {3 * columns, rows}, "%first, %c0", {columns, rows});
  for (uint64_t seed : {1, 2, 3}) {
    Fixture f(kernel(arguments, 3, body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(all, value));
    RunOptions options;
    options.interleaving = seed;
    EXPECT_GE(countTurns(f, {0, out}, options), 3);
    EXPECT_EQ(f.read(out, 3 * all), make(3 * all, [&](int64_t i) {
                return value(i % all % rows * columns + i % all / rows);
              }));
    // A column of 301 f16 meets all sticks of the input once an access.
    const uint64_t sticks = (all * 2 + 127) / 128;
    for (const InstanceCounters &counters : f.last->counters())
      EXPECT_EQ(counters.cost.sticksRead, sticks);
  }
}

TEST(TransferTest, WhatHangsOverIsZero) {
  Fixture f = inputKernel(
      "%two = arith.constant 2 : index\n" + turnedTile("v", "%c0, %two") +
      load("a", "v_turned", {columns, rows}) +
      storeTo("a", "o", {columns, rows}, "%c0, %c0", {columns, rows}));
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(all, value));
  EXPECT_GE(countTurns(f, {0, out}), 1);
  EXPECT_EQ(f.read(out, all), make(all, [&](int64_t i) {
              const int64_t column = i / rows + 2;
              return column < columns ? value(i % rows * columns + column) : 0;
            }));
  EXPECT_EQ(f.found("*").size(), 1u) << f.messages();
}

TEST(TransferTest, PointsTakeTurns) {
  // The lower triangle, row by row.
  constexpr int64_t side = 400, points = side * (side + 1) / 2;
  std::string type = std::to_string(points);
  Fixture f(
      kernel(arguments, 1,
             view("v", "x", {side, side}) +
                 "%tri = ktdp.construct_access_tile %v[%c0, %c0] "
                 "{access_tile_set = affine_set<(d0, d1) : (-d0 + 399 >= 0, d1 "
                 ">= 0, d0 - d1 >= 0)>, access_tile_order = " +
                 identity(2) +
                 "} : memref<400x400xf16> -> !ktdp.access_tile<1x" + type +
                 "xindex>\n" + load("a", "tri", {1, points}) +
                 storeTo("a", "o", {1, points}, "%c0, %c0", {1, points})),
      Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(side * side, value));
  EXPECT_GE(countTurns(f, {0, out}), 1);
  std::vector<float> expected;
  for (int64_t i = 0; i < side; ++i)
    for (int64_t j = 0; j <= i; ++j)
      expected.push_back(value(i * side + j));
  EXPECT_EQ(f.read(out, points), expected);
}

/// Loads X[k, I[m]] for m < `m` and k < `k`, in this order.
std::string indirectKernel(int64_t m, int64_t k) {
  Shape shape = {m, k};
  std::string type = dims(shape, "index");
  return kernel(arguments, 1,
                view("X", "x", {400, 400}) +
                    "%i = arith.constant 500000 : index\n" +
                    view("I", "i", {m}, "i32") +
                    "%tile = ktdp.construct_indirect_access_tile "
                    "intermediate_variables(%m, %k) %X[(%k), ind(%I[%m])] "
                    "{variables_space_set = " +
                    boxSet(shape) + ", variables_space_order = " + identity(2) +
                    "} : memref<400x400xf16>, memref<" + std::to_string(m) +
                    "xi32> -> !ktdp.access_tile<" + type + ">\n" +
                    load("a", "tile", shape) +
                    storeTo("a", "o", shape, "%c0, %c0", shape));
}

TEST(TransferTest, IndirectTilesTakeTurns) {
  constexpr int64_t m = 363, k = 365;
  Fixture f(indirectKernel(m, k), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(400 * 400, value));
  std::vector<int32_t> indices;
  for (int64_t i = 0; i < m; ++i)
    indices.push_back(int32_t(i * 7919 % 400));
  f.memory->device().write(500000 * 4, indices.data(), 4 * indices.size());
  // Both subscripts and the load.
  EXPECT_GE(countTurns(f, {0, out}), 3);
  EXPECT_EQ(f.read(out, m * k), make(m * k, [&](int64_t i) {
              return value(i % k * 400 + indices[i / k]);
            }));
}

TEST(TransferTest, IndirectTilesHaveALimit) {
  Fixture f(indirectKernel(2049, 2048), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0, out}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("an indirect tile of 4196352 points, expected at "
                              "most 4194304"),
            std::string::npos)
      << f.messages();
}

TEST(TransferTest, PartitionsTakeTurns) {
  // Two halves of the rows; where both hold the row between them, the view is
  // looked at point by point.
  for (int64_t common : {0, 1}) {
    const Shape first = {150 + common, columns}, second = {150, columns};
    std::string body =
        view("A", "x", first, "f16", "global", boxSet(first)) +
        "%far = arith.constant 45150 : index\n" +
        "%y = arith.addi %x, %far : index\n" +
        view("B", "y", second, "f16", "global", boxSet(second, {150, 0})) +
        "%D = ktdp.construct_distributed_memory_view(%A, %B : memref<" +
        dims(first, "f16") + ">, memref<" + dims(second, "f16") +
        ">) : " + inputType + "\n" + turnedTile("D", "%c0, %c0") +
        load("a", "D_turned", {columns, rows}) +
        storeTo("a", "o", {columns, rows}, "%c0, %c0", {columns, rows});
    Fixture f(kernel(arguments, 1, body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(all, value));
    EXPECT_GE(countTurns(f, {0, out}), 1);
    EXPECT_EQ(f.read(out, all), make(all, [&](int64_t i) {
                return value(i % rows * columns + i / rows);
              }));
  }
}

TEST(TransferTest, CopiesOfViewsTakeTurns) {
  // From a view whose columns are dense to one whose rows are.
  std::string body =
      "%s = ktdp.construct_memory_view %x, sizes: [300, 301], strides: [1, "
      "300] {coordinate_set = " +
      boxSet({rows, columns}) +
      ", memory_space = #ktdp.memory_space<global>} : " + inputType + "\n" +
      view("d", "o", {rows, columns}) + "memref.copy %s, %d : " + inputType +
      " to " + inputType + "\n";
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(all, value));
  EXPECT_GE(countTurns(f, {0, out}), 1);
  EXPECT_EQ(f.read(out, all), make(all, [&](int64_t i) {
              return value(i % columns * rows + i / columns);
            }));
  EXPECT_EQ(f.last->counters()[0].scratchpadPeak, 0u);
}

TEST(TransferTest, RunsCanBeDroppedBetweenTurns) {
  // Wherever they are: what they hold goes with them, and another run begins
  // anew.
  std::string body =
      turnedTile("v", "%c0, %c0") + load("a", "v_turned", {columns, rows}) +
      storeTo("a", "o", {columns, rows}, "%c0, %c0", {columns, rows});
  Fixture f = inputKernel(body);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(all, value));
  for (int stop = 1; stop < 20; ++stop) {
    exec::Run run(f.program, *f.memory, {{0}, {out}}, {});
    for (int i = 0; i < stop; ++i)
      run.advance(1);
    // A limit in the midst of an access ends the run, too.
    RunOptions limited;
    limited.limit = stop * 100;
    exec::Run another(f.program, *f.memory, {{0}, {out}}, limited);
    while (another.advance(1) == RunStatus::Running)
      ;
  }
  EXPECT_GE(countTurns(f, {0, out}), 1);
  EXPECT_EQ(f.read(out, all), make(all, [&](int64_t i) {
              return value(i % rows * columns + i / rows);
            }));
}

TEST(TransferTest, PagesHaveALimit) {
  // 100 elements, each in a page of its own: 6.5 of 8 MB, and of 4.
  std::string body =
      loadFrom("a", "x", {100, 1}, "%c0, %c0", {100, 1}) +
      "%v = ktdp.construct_memory_view %o, sizes: [100, 1], strides: [32768, "
      "1] {coordinate_set = " +
      boxSet({100, 1}) +
      ", memory_space = #ktdp.memory_space<global>} : memref<100x1xf16>\n" +
      tile("far", "v", "memref<100x1xf16>", "%c0, %c0", {100, 1}) +
      store("a", "far", {100, 1});
  for (uint64_t megabytes : {8, 4}) {
    Fixture f(kernel(arguments, 1, body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(100, value));
    RunOptions options;
    options.maxPageBytes = megabytes << 20;
    RunStatus status = f.run({0, out}, options);
    EXPECT_EQ(status, megabytes == 8 ? RunStatus::Finished : RunStatus::Failed);
    if (megabytes == 4)
      EXPECT_NE(f.messages().find("bytes in pages of 65536 that are written in "
                                  "part at least, expected at most 4194304"),
                std::string::npos)
          << f.messages();
  }
}

/// Each of two tiles stores 100 elements, each of them in a page of its own.
static std::string scatter() {
  return loadFrom("a", "x", {100, 1}, "%c0, %c0", {100, 1}) +
         "%id = ktdp.get_compute_tile_id : index\n"
         "%v = ktdp.construct_memory_view %o, sizes: [100, 2], strides: "
         "[32768, 1] {coordinate_set = " +
         boxSet({100, 2}) +
         ", memory_space = #ktdp.memory_space<global>} : memref<100x2xf16>\n" +
         tile("far", "v", "memref<100x2xf16>", "%c0, %id", {100, 1}) +
         store("a", "far", {100, 1});
}

TEST(TransferTest, RecordsOfTheRaceCheckCountAsPages) {
  // 6.5 MB of pages in blocks of 2 MB, and a block of records.
  for (bool checks : {false, true}) {
    Fixture f(kernel(arguments, 2, scatter()), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(100, value));
    RunOptions options;
    options.checks = checks;
    options.maxPageBytes = uint64_t(9) << 20;
    RunStatus status = f.run({0, out}, options);
    EXPECT_EQ(status, checks ? RunStatus::Failed : RunStatus::Finished);
    if (checks)
      EXPECT_NE(f.messages().find("and the records of the race check "),
                std::string::npos)
          << f.messages();
  }
}

TEST(TransferTest, AHostWithoutMemoryEndsTheRun) {
  Fixture f(kernel(arguments, 2, scatter()), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const Memory &like = *f.memory;
  f.memory = std::make_unique<Memory>(
      like.device().size(), like.cores(), like.scratchpadSize(),
      std::make_shared<PageStore>(2 * PageStore::blockBytes));
  f.fill(0, make(100, value));
  ASSERT_EQ(f.run({0, out}), RunStatus::Failed);
  const std::vector<Finding> found = f.found("*");
  ASSERT_EQ(found.size(), 1u) << f.messages();
  EXPECT_NE(
      found[0].message.find(
          "'ktdp.store' on tile 0: out of memory: memories take 4194304 "
          "bytes in pages of 65536 that are written in part at least, and "
          "the records of the race check "),
      std::string::npos)
      << f.messages();
}

TEST(TransferTest, SticksOfManyRunsCountOnce) {
  // Rows of two sticks, column by column: 153,600 runs of two bytes.
  constexpr int64_t height = 1200, width = 128;
  std::string body =
      "%v = ktdp.construct_memory_view %x, sizes: [1200, 128], strides: [128, "
      "1] {coordinate_set = " +
      boxSet({height, width}) +
      ", memory_space = #ktdp.memory_space<global>} : memref<1200x128xf16>\n"
      "%t1 = ktdp.construct_access_tile %v[%c0, %c0] {access_tile_set = " +
      boxSet({height, width}) + ", access_tile_order = " + turned +
      "} : memref<1200x128xf16> -> !ktdp.access_tile<128x1200xindex>\n" +
      load("a", "t1", {width, height});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(height * width, value));
  ASSERT_EQ(f.run({0, out}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.last->counters()[0].cost.sticksRead, 2400u);
}

} // namespace
