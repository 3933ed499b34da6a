//===- KtirLevelTest.cpp - Running KTIR -----------------------------------===//

#include "EngineTestSupport.h"

#include "llvm/ADT/StringExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

//===----------------------------------------------------------------------===//
// Whole kernels
//===----------------------------------------------------------------------===//

TEST(KtirLevelTest, CompleteProgram) {
  // o = 2 x + y with x[r][c] = (64 r + c) / 8 and y = 1 (ktir.md, appendix A).
  Fixture f(readInput("ktir/axpy.mlir"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(512, [](int i) { return i / 8.0f; }));
  f.fill(1000, make(512, [](int) { return 1.0f; }));
  EXPECT_EQ(f.run({0, 1000, 2000}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(2000, 512), make(512, [](int i) { return i / 4.0f + 1; }));
  EXPECT_TRUE(f.found("*").empty()) << f.messages();
  // Four tiles, each with two rows of 64 from two tensors.
  std::vector<InstanceCounters> counters = f.last->counters();
  ASSERT_EQ(counters.size(), 4u);
  EXPECT_EQ(counters[3].name, "tile 3");
  EXPECT_EQ(counters[3].bytesRead, 2 * 2 * 64 * 2u);
  EXPECT_EQ(counters[3].bytesWritten, 2 * 64 * 2u);
  EXPECT_EQ(counters[3].elements, 2 * 128u);
}

TEST(KtirLevelTest, BlockAdd) {
  Fixture f(readInput("ktir/ew_block.mlir"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const int n = 96 * 128;
  f.fill(0, make(n, [](int i) { return float(i % 37); }));
  f.fill(n, make(n, [](int i) { return float(i % 11) - 5; }));
  EXPECT_EQ(f.run({0, n, 2 * n}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(2 * n, n),
            make(n, [](int i) { return float(i % 37) + (float(i % 11) - 5); }));
  // Two loads and the sum are alive at once; the empty tensor takes nothing.
  EXPECT_EQ(f.last->scratchpadPeak(), 3 * 48 * 128 * 2u);
}

TEST(KtirLevelTest, LoopWithConstantBases) {
  Fixture f(readInput("ktir/ew_loop_const.mlir"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const int n = 96 * 64;
  f.fill(0, make(n, [](int i) { return float(i % 100); }));
  f.fill(12288, make(n, [](int i) { return float(i % 7); }));
  // In slices of three instructions, which must not matter.
  EXPECT_EQ(f.run({}, {}, 3), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(24576, n),
            make(n, [](int i) { return float(i % 100) + float(i % 7); }));
  EXPECT_EQ(f.last->scratchpadPeak(), 3 * 64 * 2u);
}

TEST(KtirLevelTest, LaunchesDecodeNothing) {
  Fixture f(readInput("ktir/axpy.mlir"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  // Addresses are bound when a run begins; of the module nothing is needed.
  f.module = nullptr;
  f.fill(0, make(512, [](int) { return 1.0f; }));
  f.fill(512, make(512, [](int) { return 2.0f; }));
  f.fill(1024, make(512, [](int) { return 5.0f; }));
  // 2 x + y.
  ASSERT_EQ(f.run({0, 512, 2000}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(2000, 512), std::vector<float>(512, 4));
  ASSERT_EQ(f.run({512, 1024, 4000}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(4000, 512), std::vector<float>(512, 9));
}

TEST(KtirLevelTest, ShapesThatDifferAreNamed) {
  // Known at run time only.
  Fixture f("func.func @k(%m: index, %n: index) {\n"
            "  %a = tensor.empty(%m) : tensor<?x4xf16>\n"
            "  %b = tensor.empty(%n) : tensor<?x4xf16>\n"
            "  %s = arith.addf %a, %b : tensor<?x4xf16>\n"
            "  return\n}\n",
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({3, 5}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("operand 1 has shape 5x4, expected 3x4, that of "
                              "the first tensor"),
            std::string::npos)
      << f.messages();
}

TEST(KtirLevelTest, RunsShareAProgram) {
  Fixture f(readInput("ktir/axpy.mlir"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(1024, [](int) { return 1.0f; }));
  std::unique_ptr<Memory> other = f.program->makeMemory();
  for (int i = 0; i < 1024; ++i) {
    uint16_t two = half(2);
    other->device().write(i * 2, &two, 2);
  }
  // Interleaved by hand, in memories of their own.
  exec::Run a(f.program, *f.memory, {{0}, {512}, {2000}});
  exec::Run b(f.program, *other, {{0}, {512}, {4000}});
  while (a.status() == RunStatus::Running || b.status() == RunStatus::Running) {
    a.advance(5);
    b.advance(7);
  }
  EXPECT_EQ(a.status(), RunStatus::Finished);
  EXPECT_EQ(b.status(), RunStatus::Finished);
  EXPECT_EQ(f.read(2000, 1)[0], 3.0f);
  uint16_t result;
  other->device().read(4000 * 2, &result, 2);
  EXPECT_EQ(fromHalf(result), 6.0f);
}

TEST(KtirLevelTest, DeviceNumericsRoundToDl16) {
  // In DL16, with 9 fraction bits, 1 + 2^-9 is the next value after 1, and
  // 1 + 2^-10 a tie that rounds away from zero; in IEEE half it is exact.
  const char *text = R"(
    func.func @k(%x: index, %y: index, %o: index) {
      %xv = ktdp.construct_memory_view %x, sizes: [1], strides: [1] {coordinate_set = affine_set<(a) : (a == 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf16>
      %yv = ktdp.construct_memory_view %y, sizes: [1], strides: [1] {coordinate_set = affine_set<(a) : (a == 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf16>
      %ov = ktdp.construct_memory_view %o, sizes: [1], strides: [1] {coordinate_set = affine_set<(a) : (a == 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf16>
      %xt = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(a) : (a == 0)>, access_tile_order = affine_map<(a) -> (a)>} : memref<1xf16> -> !ktdp.access_tile<1xindex>
      %yt = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(a) : (a == 0)>, access_tile_order = affine_map<(a) -> (a)>} : memref<1xf16> -> !ktdp.access_tile<1xindex>
      %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(a) : (a == 0)>, access_tile_order = affine_map<(a) -> (a)>} : memref<1xf16> -> !ktdp.access_tile<1xindex>
      %a = ktdp.load %xt : <1xindex> -> tensor<1xf16>
      %b = ktdp.load %yt : <1xindex> -> tensor<1xf16>
      %s = arith.addf %a, %b : tensor<1xf16>
      ktdp.store %s, %ot : tensor<1xf16>, <1xindex>
      return
    })";
  Fixture f(text, Level::Ktir, "", "", NumericsMode::Device);
  ASSERT_TRUE(f) << f.errors;
  // DL16 codes: 1 is exponent 31, and 2^-10 exponent 21, both without fraction.
  uint16_t one = 31 << 9, small = 21 << 9;
  f.memory->device().write(0, &one, 2);
  f.memory->device().write(2, &small, 2);
  EXPECT_EQ(f.run({0, 1, 2}), RunStatus::Finished) << f.messages();
  uint16_t sum;
  f.memory->device().read(4, &sum, 2);
  EXPECT_EQ(sum, (31 << 9) + 1);
}

//===----------------------------------------------------------------------===//
// Access tiles
//===----------------------------------------------------------------------===//

/// A kernel on one tile that loads from a 4x8 view of the argument %x through a
/// tile and stores the result densely at %o.
static std::string copyKernel(const std::string &subscript,
                              const std::string &set, const std::string &order,
                              const std::string &shape, int count,
                              const std::string &dense) {
  std::string n = std::to_string(count), last = std::to_string(count - 1);
  return R"(
    func.func @k(%x: index, %o: index, %i: index) {
      %xv = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b >= 0, -b + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
      %t = ktdp.construct_access_tile %xv[)" +
         subscript + R"(] {access_tile_set = affine_set<)" + set +
         R"(>, access_tile_order = affine_map<)" + order +
         R"(>} : memref<4x8xf16> -> !ktdp.access_tile<)" + shape + R"(xindex>
      %v = ktdp.load %t : <)" +
         shape + "xindex> -> tensor<" + shape + R"(xf16>
      )" +
         dense + R"(
      %ov = ktdp.construct_memory_view %o, sizes: [)" +
         n +
         R"(], strides: [1] {coordinate_set = affine_set<(a) : (a >= 0, -a + )" +
         last +
         R"( >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<)" +
         n + R"(xf16>
      %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(a) : (a >= 0, -a + )" +
         last +
         R"( >= 0)>, access_tile_order = affine_map<(a) -> (a)>} : memref<)" +
         n + R"(xf16> -> !ktdp.access_tile<)" + n + R"(xindex>
      ktdp.store %d, %ot : tensor<)" +
         n + "xf16>, <" + n + R"(xindex>
      return
    })";
}

static std::string collapse(const std::string &shape, int count) {
  return "%d = tensor.collapse_shape %v [[0, 1]] : tensor<" + shape +
         "xf16> into tensor<" + std::to_string(count) + "xf16>";
}

TEST(KtirLevelTest, PermutedOrderTransposes) {
  // AC-S3: element (j, i) of the tile is base coordinate (i, j).
  Fixture f(copyKernel("%i, 2",
                       "(a, b) : (a >= 0, -a + 1 >= 0, b >= 0, "
                       "-b + 3 >= 0)",
                       "(a, b) -> (b, a)", "4x2", 8, collapse("4x2", 8)),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i); }));
  ASSERT_EQ(f.run({0, 100, 1}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(100, 8),
            make(8, [](int k) { return float((1 + k % 2) * 8 + 2 + k / 2); }));
}

TEST(KtirLevelTest, TrianglesPackInOrder) {
  // AC-S4: the points (0,0) (1,0) (1,1) (2,0) (2,1) (2,2) one after another.
  Fixture f(copyKernel("1, %i",
                       "(a, b) : (a >= 0, -a + 2 >= 0, b >= 0, "
                       "a - b >= 0)",
                       "(a, b) -> (a, b)", "2x3", 6, collapse("2x3", 6)),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i); }));
  ASSERT_EQ(f.run({0, 100, 4}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(100, 6), (std::vector<float>{12, 20, 21, 28, 29, 30}));
}

TEST(KtirLevelTest, PointsHaveToFillTheTile) {
  // AC-S1: a triangle of six points is no 2x2 tile.
  Fixture f(copyKernel("1, %i",
                       "(a, b) : (a >= 0, -a + 2 >= 0, b >= 0, "
                       "a - b >= 0)",
                       "(a, b) -> (a, b)", "2x2", 4, collapse("2x2", 4)),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0, 100, 4}), RunStatus::Failed);
  ASSERT_EQ(f.found("AC-S1").size(), 1u) << f.messages();
  EXPECT_EQ(lineOf(f.found("AC-S1")[0].location), 4u);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Loads rows %i, %i + 1.
static Fixture rows() {
  return Fixture(copyKernel("%i, 0",
                            "(a, b) : (a >= 0, -a + 1 >= 0, b >= 0, "
                            "-b + 7 >= 0)",
                            "(a, b) -> (a, b)", "2x8", 16, collapse("2x8", 16)),
                 Level::Ktir);
}

TEST(KtirLevelTest, LastRowsLieInside) {
  // AC-S2: tile coordinate t is base coordinate (2, 0) + t.
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i); }));
  RunOptions trap;
  trap.outOfView = OutOfViewPolicy::Trap;
  EXPECT_EQ(f.run({0, 100, 2}, trap), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(100, 16), make(16, [](int i) { return float(16 + i); }));
}

TEST(KtirLevelTest, OverhangReadsAsZeroWithAWarning) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(40, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, 100, 3}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(100, 16),
            make(16, [](int i) { return i < 8 ? float(24 + i) : 0.0f; }));
  ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
  Finding finding = f.found("*")[0];
  EXPECT_EQ(finding.severity, FindingSeverity::Warning);
  EXPECT_EQ(lineOf(finding.location), 5u);
  EXPECT_EQ(finding.message,
            "'ktdp.load' on tile 0: coordinate 4 of dimension 0 lies outside "
            "the view, whose extent is 4; elements outside read as zero");
}

TEST(KtirLevelTest, NegativeOverhang) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i + 1); }));
  EXPECT_EQ(f.run({0, 100, -1}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(100, 16),
            make(16, [](int i) { return i < 8 ? 0.0f : float(i - 7); }));
  EXPECT_EQ(f.found("*").size(), 1u);
}

TEST(KtirLevelTest, OverhangTraps) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(40, [](int i) { return float(i); }));
  RunOptions trap;
  trap.outOfView = OutOfViewPolicy::Trap;
  EXPECT_EQ(f.run({0, 100, 3}, trap), RunStatus::Failed);
  ASSERT_EQ(f.found("*").size(), 1u);
  EXPECT_EQ(f.found("*")[0].severity, FindingSeverity::Error);
}

/// Coordinates at the ends of the numbers there are lie outside, too: all
/// zeros, or an error.
TEST(KtirLevelTest, FarOverhang) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(40, [](int i) { return float(i + 1); }));
  RunOptions trap;
  trap.outOfView = OutOfViewPolicy::Trap;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  for (int64_t row : {most, most - 1, most - 2, -most - 1, -most, most / 2}) {
    EXPECT_EQ(f.run({0, 100, row}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(100, 16), make(16, [](int) { return 0.0f; })) << row;
    EXPECT_EQ(f.found("*").size(), 1u) << row << ": " << f.messages();
    EXPECT_EQ(f.run({0, 100, row}, trap), RunStatus::Failed) << row;
  }
}

TEST(KtirLevelTest, OutsideMemoryIsAnError) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  // The view of 32 elements ends exactly at the end of the 128 GB, or one past.
  int64_t end = (int64_t(128) << 30) / 2;
  f.fill(end - 32, make(32, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({end - 32, 100, 2}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.run({end - 31, 100, 2}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-3").size(), 1u) << f.messages();
  EXPECT_EQ(lineOf(f.found("E-3")[0].location), 5u);
  // Without checks too: there is nothing to read.
  RunOptions unchecked;
  unchecked.checks = false;
  EXPECT_EQ(f.run({end - 31, 100, 2}, unchecked), RunStatus::Failed);
  EXPECT_EQ(f.run({-1, 100, 0}), RunStatus::Failed);
}

TEST(KtirLevelTest, ReadsOfUnwrittenMemory) {
  Fixture f = rows();
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(31, [](int i) { return float(i); }));
  // Rows 1 and 2 are written; the last element of row 3 is not.
  EXPECT_EQ(f.run({0, 100, 1}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.run({0, 100, 2}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-6").size(), 1u) << f.messages();
  EXPECT_NE(f.found("E-6")[0].message.find("coordinate (3, 7)"),
            std::string::npos)
      << f.messages();
  EXPECT_NE(f.found("E-6")[0].message.find("byte 62"), std::string::npos);
  RunOptions unchecked;
  unchecked.checks = false;
  EXPECT_EQ(f.run({0, 100, 2}, unchecked), RunStatus::Finished);
}

/// Every tile stores a row of 8 ones at row %r of %o.
static std::string storeKernel(const std::string &row) {
  return R"(
    func.func @k(%o: index) attributes {grid = [3]} {
      %c1 = arith.constant 1 : index
      %t = ktdp.get_compute_tile_id : index
      %r = )" +
         row + R"(
      %ov = ktdp.construct_memory_view %o, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b >= 0, -b + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
      %ot = ktdp.construct_access_tile %ov[%r, 0] {access_tile_set = affine_set<(a, b) : (a == 0, b >= 0, -b + 7 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : memref<4x8xf16> -> !ktdp.access_tile<1x8xindex>
      %v = arith.constant dense<1.0> : tensor<1x8xf16>
      ktdp.store %v, %ot : tensor<1x8xf16>, <1x8xindex>
      return
    })";
}

TEST(KtirLevelTest, TilesThatWriteTheirOwnRowsDoNotRace) {
  Fixture f(storeKernel("arith.muli %t, %c1 : index"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(0, 24), make(24, [](int) { return 1.0f; }));
}

TEST(KtirLevelTest, TilesThatWriteOneRowRace) {
  Fixture f(storeKernel("arith.divsi %t, %c1 : index"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0}), RunStatus::Finished) << f.messages();
  Fixture race(storeKernel("arith.minsi %t, %c1 : index"), Level::Ktir);
  ASSERT_TRUE(race) << race.errors;
  EXPECT_EQ(race.run({0}), RunStatus::Failed);
  ASSERT_EQ(race.found("E-7").size(), 1u) << race.messages();
  Finding finding = race.found("E-7")[0];
  EXPECT_EQ(lineOf(finding.location), 9u);
  ASSERT_EQ(finding.notes.size(), 1u);
  EXPECT_EQ(finding.notes[0].message,
            "'ktdp.store' on tile 1 is the other access");
  // In any interleaving; without checks the last writer wins.
  RunOptions random;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    random.interleaving = seed;
    EXPECT_EQ(race.run({0}, random), RunStatus::Failed) << seed;
    EXPECT_EQ(race.found("E-7").size(), 1u);
  }
  RunOptions unchecked;
  unchecked.checks = false;
  EXPECT_EQ(race.run({0}, unchecked), RunStatus::Finished);
}

TEST(KtirLevelTest, DivisionByZeroEndsTheRun) {
  Fixture f(storeKernel("arith.divsi %c1, %t : index"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0}), RunStatus::Failed);
  ASSERT_EQ(f.last->findings().size(), 1u);
  EXPECT_EQ(f.last->findings()[0].message,
            "'arith.divsi' on tile 0: division by zero");
  EXPECT_EQ(lineOf(f.last->findings()[0].location), 5u);
}

TEST(KtirLevelTest, UninitialisedTensorsAreReported) {
  const char *text = R"(
    func.func @k(%o: index) {
      %e = tensor.empty() : tensor<8xf16>
      %c = arith.constant dense<2.0> : tensor<8xf16>
      %s = arith.addf %e, %c : tensor<8xf16>
      %u = linalg.add ins(%c, %c : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
      return
    })";
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0}), RunStatus::Failed);
  ASSERT_EQ(f.last->findings().size(), 1u) << f.messages();
  EXPECT_EQ(f.found("UP-2").size(), 1u);
  EXPECT_EQ(lineOf(f.last->findings()[0].location), 5u);
}

/// `count` sums of 64 KB are alive at once.
static std::string bigKernel(unsigned count) {
  std::string text = "func.func @k() {\n"
                     "%c = arith.constant dense<1.0> : tensor<32768xf16>\n";
  for (unsigned i = 0; i < count; ++i)
    text +=
        "%s" + std::to_string(i) + " = arith.addf %c, %c : tensor<32768xf16>\n";
  // The last use of every sum comes after the last sum.
  for (unsigned i = 0; i < count; ++i)
    text += "%u" + std::to_string(i) + " = tensor.collapse_shape %s" +
            std::to_string(i) +
            " [[0]] : tensor<32768xf16> into tensor<32768xf16>\n";
  return text + "return\n}";
}

TEST(KtirLevelTest, ScratchpadOverflow) {
  // 2 MB hold 32 tensors of 64 KB.
  Fixture fits(bigKernel(32), Level::Ktir);
  ASSERT_TRUE(fits) << fits.errors;
  EXPECT_EQ(fits.run({}), RunStatus::Finished) << fits.messages();
  EXPECT_EQ(fits.last->scratchpadPeak(), uint64_t(2) << 20);
  Fixture full(bigKernel(33), Level::Ktir);
  ASSERT_TRUE(full) << full.errors;
  EXPECT_EQ(full.run({}), RunStatus::Failed);
  ASSERT_EQ(full.last->findings().size(), 1u) << full.messages();
  EXPECT_EQ(lineOf(full.last->findings()[0].location), 35u);
}

//===----------------------------------------------------------------------===//
// Structured ops and control
//===----------------------------------------------------------------------===//

/// Runs `body`, which defines %r : tensor<2x4xf16> from %x and %y of that type
/// and %n, and returns what it stores.
static std::vector<float> compute(const std::string &body,
                                  const std::vector<float> &x,
                                  const std::vector<float> &y, int64_t n = 0) {
  std::string view =
      R"(, sizes: [2, 4], strides: [4, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 1 >= 0, b >= 0, -b + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x4xf16>
  )";
  auto tile = [](const std::string &of) {
    return "ktdp.construct_access_tile " + of +
           R"([0, 0] {access_tile_set = affine_set<(a, b) : (a >= 0, -a + 1 >= 0, b >= 0, -b + 3 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : memref<2x4xf16> -> !ktdp.access_tile<2x4xindex>
  )";
  };
  std::string text = "func.func @k(%px: index, %py: index, %po: index, %n: "
                     "index) {\n%xv = ktdp.construct_memory_view %px" +
                     view + "%yv = ktdp.construct_memory_view %py" + view +
                     "%ov = ktdp.construct_memory_view %po" + view +
                     "%xt = " + tile("%xv") + "%yt = " + tile("%yv") +
                     "%ot = " + tile("%ov") +
                     "%x = ktdp.load %xt : <2x4xindex> -> tensor<2x4xf16>\n"
                     "%y = ktdp.load %yt : <2x4xindex> -> tensor<2x4xf16>\n" +
                     body +
                     "\nktdp.store %r, %ot : tensor<2x4xf16>, <2x4xindex>\n"
                     "return\n}";
  Fixture f(text, Level::Ktir);
  EXPECT_TRUE(f) << f.errors;
  if (!f)
    return {};
  f.fill(0, x);
  f.fill(8, y);
  EXPECT_EQ(f.run({0, 8, 16, n}), RunStatus::Finished) << f.messages();
  return f.read(16, 8);
}

static const std::vector<float> xs = {1, 2, 3, 4, 5, 6, 7, 8};
static const std::vector<float> ys = {10, 20, 30, 40, 50, 60, 70, 80};

TEST(KtirLevelTest, GenericWithAChainOfOps) {
  std::vector<float> result = compute(R"(
    %e = tensor.empty() : tensor<2x4xf16>
    %h = arith.constant 0.5 : f16
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %y : tensor<2x4xf16>, tensor<2x4xf16>) outs(%e : tensor<2x4xf16>) {
      ^bb0(%p: f16, %q: f16, %o: f16):
        %m = arith.mulf %p, %q : f16
        %c = arith.constant 2.0 : f16
        %d = arith.subf %m, %c : f16
        %s = arith.mulf %d, %h : f16
        linalg.yield %s : f16
    } -> tensor<2x4xf16>)",
                                      xs, ys);
  EXPECT_EQ(result, make(8, [](int i) { return (xs[i] * ys[i] - 2) * 0.5f; }));
}

TEST(KtirLevelTest, GenericBroadcastsAndTransposes) {
  // r[a][b] = x[a][b] + w[b][a] where w is y seen as 4x2.
  std::vector<float> result = compute(R"(
    %f = tensor.collapse_shape %y [[0, 1]] : tensor<2x4xf16> into tensor<8xf16>
    %w = tensor.expand_shape %f [[0, 1]] output_shape [4, 2] : tensor<8xf16> into tensor<4x2xf16>
    %e = tensor.empty() : tensor<2x4xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<2x4xf16>, tensor<4x2xf16>) outs(%e : tensor<2x4xf16>) {
      ^bb0(%p: f16, %q: f16, %o: f16):
        %s = arith.addf %p, %q : f16
        linalg.yield %s : f16
    } -> tensor<2x4xf16>)",
                                      xs, ys);
  EXPECT_EQ(result, make(8, [](int i) {
              int a = i / 4, b = i % 4;
              return xs[i] + ys[b * 2 + a];
            }));
}

TEST(KtirLevelTest, GenericReadsItsIndex) {
  std::vector<float> result = compute(R"(
    %e = tensor.empty() : tensor<2x4xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<2x4xf16>) outs(%e : tensor<2x4xf16>) {
      ^bb0(%p: f16, %o: f16):
        %a = linalg.index 0 : index
        %b = linalg.index 1 : index
        %k = arith.constant 10 : index
        %m = arith.muli %a, %k : index
        %t = arith.addi %m, %b : index
        %i = arith.index_cast %t : index to i32
        %g = arith.sitofp %i : i32 to f16
        %s = arith.addf %p, %g : f16
        linalg.yield %s : f16
    } -> tensor<2x4xf16>)",
                                      xs, ys);
  EXPECT_EQ(result,
            make(8, [](int i) { return xs[i] + 10 * (i / 4) + i % 4; }));
}

TEST(KtirLevelTest, FillAndOuts) {
  std::vector<float> result = compute(R"(
    %e = tensor.empty() : tensor<2x4xf16>
    %c = arith.constant 3.0 : f16
    %i = linalg.fill ins(%c : f16) outs(%e : tensor<2x4xf16>) -> tensor<2x4xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<2x4xf16>) outs(%i : tensor<2x4xf16>) {
      ^bb0(%p: f16, %o: f16):
        %s = arith.addf %p, %o : f16
        linalg.yield %s : f16
    } -> tensor<2x4xf16>)",
                                      xs, ys);
  EXPECT_EQ(result, make(8, [](int i) { return xs[i] + 3; }));
}

TEST(KtirLevelTest, LoopsCarryTensors) {
  // x, y = y, x + y, n times.
  std::string body = R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<2x4xf16>, tensor<2x4xf16>) {
      %s = arith.addf %a, %b : tensor<2x4xf16>
      scf.yield %b, %s : tensor<2x4xf16>, tensor<2x4xf16>
    }
    %r = arith.subf %l#1, %l#0 : tensor<2x4xf16>)";
  EXPECT_EQ(compute(body, xs, ys, 0),
            make(8, [](int i) { return ys[i] - xs[i]; }));
  // x, y, x + y, x + 2 y, 2 x + 3 y: after three rounds the last two.
  EXPECT_EQ(compute(body, xs, ys, 3),
            make(8, [](int i) { return xs[i] + ys[i]; }));
}

TEST(KtirLevelTest, BranchesAndSelects) {
  std::string body = R"(
    %c5 = arith.constant 5 : index
    %k = arith.cmpi slt, %n, %c5 : index
    %b = scf.if %k -> (tensor<2x4xf16>) {
      scf.yield %x : tensor<2x4xf16>
    } else {
      %d = arith.divf %y, %x : tensor<2x4xf16>
      scf.yield %d : tensor<2x4xf16>
    }
    %r = arith.maximumf %b, %b : tensor<2x4xf16>)";
  EXPECT_EQ(compute(body, xs, ys, 4), xs);
  EXPECT_EQ(compute(body, xs, ys, 5), make(8, [](int) { return 10.0f; }));
}

TEST(KtirLevelTest, I32ArithmeticWraps) {
  // 2^31 - 1 + 1 wraps to -2^31, whose quotient by 2^27 is -16.
  std::string body = R"(
    %m = arith.constant 2147483647 : i32
    %one = arith.constant 1 : i32
    %d = arith.constant 134217728 : i32
    %s = arith.addi %m, %one : i32
    %q = arith.divsi %s, %d : i32
    %f = arith.sitofp %q : i32 to f16
    %e = tensor.empty() : tensor<2x4xf16>
    %r = linalg.fill ins(%f : f16) outs(%e : tensor<2x4xf16>) -> tensor<2x4xf16>)";
  EXPECT_EQ(compute(body, xs, ys), make(8, [](int) { return -16.0f; }));
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

TEST(KtirLevelTest, UnknownOpsAreNamedBeforeTheRun) {
  Fixture f("memref.global @g : memref<4xf16>\nfunc.func @k() {\n"
            "%a = memref.get_global @g : memref<4xf16>\nreturn }",
            Level::Ktir);
  EXPECT_FALSE(f);
  EXPECT_EQ(f.errors, "op 'memref.get_global' cannot be executed: the engine "
                      "has no handler for it\n");
}

TEST(KtirLevelTest, KernelsAreFoundByName) {
  const char *two = "func.func @a() { return }\nfunc.func @b() { return }";
  EXPECT_TRUE(Fixture(two, Level::Ktir, "b"));
  Fixture unnamed(two, Level::Ktir);
  EXPECT_FALSE(unnamed);
  EXPECT_EQ(unnamed.errors, "cannot be executed: no kernel was named and the "
                            "module holds 2\n");
  Fixture missing(two, Level::Ktir, "c");
  EXPECT_FALSE(missing);
  EXPECT_EQ(missing.errors,
            "cannot be executed: no function with a body is called 'c'\n");
}

TEST(KtirLevelTest, GridsLargerThanTheDevice) {
  Fixture fits("func.func @k() attributes {grid = [4, 8]} { return }",
               Level::Ktir);
  ASSERT_TRUE(fits) << fits.errors;
  EXPECT_EQ(fits.run({}), RunStatus::Finished);
  EXPECT_EQ(fits.last->counters().size(), 32u);
  EXPECT_FALSE(Fixture("func.func @k() attributes {grid = [33]} { return }",
                       Level::Ktir));
}

TEST(KtirLevelTest, DeepNestingNeedsNoStack) {
  // One thousand nested loops of one iteration, decoded and run.
  const unsigned depth = 1000;
  std::string text = "func.func @k(%n: index) {\n%c0 = arith.constant 0 : "
                     "index\n%c1 = arith.constant 1 : index\n";
  for (unsigned i = 0; i < depth; ++i)
    text += "scf.for %i" + std::to_string(i) + " = %c0 to %n step %c1 {\n";
  text += std::string(depth, '}') + "return }";
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({1}), RunStatus::Finished);
}

TEST(KtirLevelTest, ALoopWithoutEndStopsAtTheLimit) {
  const char *text = R"(
    func.func @k() {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 1000000000000 : index
      scf.for %i = %c0 to %n step %c1 {
        %j = arith.addi %i, %c1 : index
      }
      return
    })";
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  options.limit = 100000;
  EXPECT_EQ(f.run({}, options), RunStatus::Failed);
  ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
  EXPECT_NE(f.found("*")[0].message.find(
                "stopped after 100000 steps, the limit of this run"),
            std::string::npos)
      << f.messages();
  // In slices, the limit counts them together.
  EXPECT_EQ(f.run({}, options, 777), RunStatus::Failed);
  EXPECT_EQ(f.last->instructionsDone(), 100000u);
}

TEST(KtirLevelTest, Df16ScalarsAreBoundAsCodes) {
  // The square root of 4 in DL16: 2 has exponent 32 with bias 31.
  const char *text = R"(
    func.func @k(%a: !spyreop.df16, %o: index) {
      %r = spyreop.sqrt %a : !spyreop.df16
      %s = tensor.splat %r : tensor<3x!spyreop.df16>
      %v = ktdp.construct_memory_view %o, sizes: [3], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x!spyreop.df16>
      %t = ktdp.construct_access_tile %v[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<3x!spyreop.df16> -> !ktdp.access_tile<3xindex>
      ktdp.store %s, %t : tensor<3x!spyreop.df16>, <3xindex>
      return
    })";
  Fixture f(text, Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({4, 100}), RunStatus::Finished) << f.messages();
  for (int i = 0; i < 3; ++i) {
    uint16_t code;
    f.memory->device().read((100 + i) * 2, &code, 2);
    EXPECT_EQ(code, 32 << 9);
  }
}
