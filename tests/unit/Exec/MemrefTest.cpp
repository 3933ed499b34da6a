//===- MemrefTest.cpp - Ops on views of memory ----------------------------===//

#include "EngineTestSupport.h"

#include <limits>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

/// A kernel with a 4 x 8 view of %x and an 8 x 4 view of %o.
static std::string kernel(const std::string &body) {
  return R"(
    func.func @k(%x: index, %o: index, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %xv = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b >= 0, -b + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
      %ov = ktdp.construct_memory_view %o, sizes: [8, 4], strides: [4, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x4xf16>
  )" + body +
         "\nreturn\n}";
}

static std::vector<float> ramp(int count) {
  return make(count, [](size_t i) { return float(i) + 1; });
}

TEST(MemrefTest, LoadAndStore) {
  Fixture f(kernel(R"(%v = memref.load %xv[%n, %c2] : memref<4x8xf16>
    memref.store %v, %ov[%c1, %c0] : memref<8x4xf16>
    %d = memref.dim %ov, %c1 : memref<8x4xf16>
    %k = arith.index_cast %d : index to i32
    %f = arith.sitofp %k : i32 to f16
    memref.store %f, %ov[%c1, %c1] : memref<8x4xf16>)"),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, ramp(32));
  EXPECT_EQ(f.run({0, 100, 3}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(104, 2), (std::vector<float>{27, 4}));
  std::vector<InstanceCounters> counters = f.last->counters();
  EXPECT_EQ(counters[0].bytesRead, 2u);
  EXPECT_EQ(counters[0].bytesWritten, 4u);
}

TEST(MemrefTest, AccessesAreChecked) {
  Fixture f(kernel("%v = memref.load %xv[%n, %c2] : memref<4x8xf16>"),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  // Never written (E-6), and outside the view.
  EXPECT_EQ(f.run({0, 100, 1}), RunStatus::Failed);
  EXPECT_EQ(f.found("E-6").size(), 1u) << f.messages();
  f.fill(0, ramp(32));
  EXPECT_EQ(f.run({0, 100, 4}), RunStatus::Finished);
  ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("*")[0].severity, FindingSeverity::Warning);
  EXPECT_NE(f.messages().find("lies outside the view"), std::string::npos)
      << f.messages();
}

TEST(MemrefTest, OtherShapesOfDistributedViewsAreRefused) {
  // Behind subviews and casts, too.
  const std::string distributed =
      "%p = ktdp.construct_memory_view %n, sizes: [4, 8], strides: [8, 1] "
      "{coordinate_set = affine_set<(a, b) : (a - 4 >= 0, -a + 7 >= 0, b >= 0, "
      "-b + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : "
      "memref<4x8xf16>\n"
      "%d = ktdp.construct_distributed_memory_view(%xv, %p : memref<4x8xf16>, "
      "memref<4x8xf16>) : memref<8x8xf16>\n";
  for (const char *shape :
       {"%s = memref.reinterpret_cast %d to offset: [0], sizes: [64], strides: "
        "[1] : memref<8x8xf16> to memref<64xf16>",
        "%e = memref.cast %d : memref<8x8xf16> to memref<?x8xf16>\n"
        "%f = memref.subview %e[2, 3] [3, 4] [1, 1] : memref<?x8xf16> to "
        "memref<3x4xf16, strided<[8, 1], offset: 19>>\n"
        "%s = memref.reinterpret_cast %f to offset: [0], sizes: [64], strides: "
        "[1] : memref<3x4xf16, strided<[8, 1], offset: 19>> to "
        "memref<64xf16>"}) {
    Fixture f(kernel(distributed + shape), Level::Ktir);
    EXPECT_FALSE(f) << shape;
    EXPECT_NE(f.errors.find(
                  "cannot be executed: another shape of a distributed view"),
              std::string::npos)
        << f.errors;
  }
  // Known in the run only.
  Fixture f(kernel(distributed +
                   "%l = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %d) "
                   "-> (memref<8x8xf16>) {\nscf.yield %v : memref<8x8xf16>\n}\n"
                   "%s = memref.reinterpret_cast %l to offset: [0], sizes: "
                   "[64], strides: [1] : memref<8x8xf16> to memref<64xf16>"),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0, 100, 64}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("another shape of a distributed view; expected "
                              "one of a view on a single memory"),
            std::string::npos)
      << f.messages();
}

TEST(MemrefTest, SubviewsAndCopies) {
  // Every other column of rows n and n + 1, one row of it as rank 1.
  Fixture f(
      kernel(
          R"(%s = memref.subview %xv[%n, 1] [2, 4] [1, 2] : memref<4x8xf16> to memref<2x4xf16, strided<[8, 2], offset: ?>>
    %t = memref.subview %ov[2, 0] [2, 4] [1, 1] : memref<8x4xf16> to memref<2x4xf16, strided<[4, 1], offset: 8>>
    memref.copy %s, %t : memref<2x4xf16, strided<[8, 2], offset: ?>> to memref<2x4xf16, strided<[4, 1], offset: 8>>
    %row = memref.subview %s[1, 0] [1, 4] [1, 1] : memref<2x4xf16, strided<[8, 2], offset: ?>> to memref<4xf16, strided<[2], offset: ?>>
    %v = memref.load %row[%c2] : memref<4xf16, strided<[2], offset: ?>>
    memref.store %v, %ov[%c0, %c0] : memref<8x4xf16>
    %d = memref.cast %ov : memref<8x4xf16> to memref<?x4xf16>
    memref.store %v, %d[%c0, %c1] : memref<?x4xf16>
    %flat = memref.reinterpret_cast %row to offset: [%n], sizes: [3], strides: [9] : memref<4xf16, strided<[2], offset: ?>> to memref<3xf16, strided<[9], offset: ?>>
    %w = memref.load %flat[%c2] : memref<3xf16, strided<[9], offset: ?>>
    memref.store %w, %ov[%c0, %c2] : memref<8x4xf16>)"),
      Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, ramp(32));
  EXPECT_EQ(f.run({0, 100, 2}), RunStatus::Finished) << f.messages();
  auto x = [](int row, int column) { return float(row * 8 + column + 1); };
  EXPECT_EQ(f.read(108, 8),
            make(8, [&](int i) { return x(2 + i / 4, 1 + i % 4 * 2); }));
  EXPECT_EQ(f.read(100, 3), (std::vector<float>{x(3, 5), x(3, 5), 2 + 18 + 1}));
  EXPECT_EQ(f.run({0, 100, 3}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("the view goes from 3 to 4 in dimension 0, whose "
                              "extent is 4"),
            std::string::npos)
      << f.messages();
}

TEST(MemrefTest, ExtentsOfViewsAreChecked) {
  Fixture dim(kernel("%d = memref.dim %xv, %n : memref<4x8xf16>"), Level::Ktir);
  ASSERT_TRUE(dim) << dim.errors;
  EXPECT_EQ(dim.run({0, 100, 2}), RunStatus::Failed);
  EXPECT_NE(dim.messages().find("dimension 2 of a view of rank 2"),
            std::string::npos);
  const char *rows =
      "%s = memref.subview %xv[0, 0] [%n, 8] [1, 1] : memref<4x8xf16> to "
      "memref<?x8xf16, strided<[8, 1]>>\n";
  Fixture cast(kernel(std::string(rows) +
                      "%c = memref.cast %s : memref<?x8xf16, strided<[8, 1]>> "
                      "to memref<3x8xf16, strided<[8, 1]>>"),
               Level::Ktir);
  ASSERT_TRUE(cast) << cast.errors;
  EXPECT_EQ(cast.run({0, 100, 3}), RunStatus::Finished) << cast.messages();
  EXPECT_EQ(cast.run({0, 100, 2}), RunStatus::Failed);
  EXPECT_NE(cast.messages().find(
                "dimension 0 has extent 2, the result's type says 3"),
            std::string::npos)
      << cast.messages();
  Fixture copy(kernel(std::string(rows) +
                      "memref.copy %s, %xv : memref<?x8xf16, strided<[8, 1]>> "
                      "to memref<4x8xf16>"),
               Level::Ktir);
  ASSERT_TRUE(copy) << copy.errors;
  EXPECT_EQ(copy.run({0, 100, 2}), RunStatus::Failed);
  EXPECT_NE(
      copy.messages().find("operand 1 has extent 4 in dimension 0, expected 2"),
      std::string::npos)
      << copy.messages();
}

// By a condition of one bit, and none that is known before.
TEST(MemrefTest, ViewsAndTilesAreSelected) {
  const std::string body = R"(
    %b = arith.cmpi eq, %n, %c1 : index
    %s = memref.subview %xv[1, 2] [2, 3] [2, 2] : memref<4x8xf16> to memref<2x3xf16, strided<[16, 2], offset: 10>>
    %r = memref.subview %xv[0, 0] [2, 3] [2, 2] : memref<4x8xf16> to memref<2x3xf16, strided<[16, 2]>>
    %s2 = memref.cast %s : memref<2x3xf16, strided<[16, 2], offset: 10>> to memref<2x3xf16, strided<[16, 2], offset: ?>>
    %r2 = memref.cast %r : memref<2x3xf16, strided<[16, 2]>> to memref<2x3xf16, strided<[16, 2], offset: ?>>
    %v = arith.select %b, %s2, %r2 : memref<2x3xf16, strided<[16, 2], offset: ?>>
    %e = memref.load %v[%c1, %c2] : memref<2x3xf16, strided<[16, 2], offset: ?>>
    memref.store %e, %ov[%c0, %c0] : memref<8x4xf16>
    %t0 = ktdp.construct_access_tile %xv[%c0, %c0] {access_tile_set = affine_set<(a, b) : (a == 0, b >= 0, -b + 2 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : memref<4x8xf16> -> !ktdp.access_tile<1x3xindex>
    %t1 = ktdp.construct_access_tile %xv[%c2, %c1] {access_tile_set = affine_set<(a, b) : (a == 0, b >= 0, -b + 2 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : memref<4x8xf16> -> !ktdp.access_tile<1x3xindex>
    %t = arith.select %b, %t1, %t0 : !ktdp.access_tile<1x3xindex>
    %d = ktdp.load %t : !ktdp.access_tile<1x3xindex> -> tensor<1x3xf16>
    %to = ktdp.construct_access_tile %ov[%c1, %c0] {access_tile_set = affine_set<(a, b) : (a == 0, b >= 0, -b + 2 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : memref<8x4xf16> -> !ktdp.access_tile<1x3xindex>
    ktdp.store %d, %to : tensor<1x3xf16>, !ktdp.access_tile<1x3xindex>)";
  Fixture f(kernel(body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  for (int chosen : {1, 0}) {
    f.fill(0, ramp(32)); // element (i, j) is 8 i + j + 1
    ASSERT_EQ(f.run({0, 100, chosen}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(100, 1)[0], chosen ? 8.0f * 3 + 6 + 1 : 8.0f * 2 + 4 + 1);
    EXPECT_EQ(f.read(104, 3), make(3, [&](int j) {
                return chosen ? 8.0f * 2 + 1 + j + 1 : j + 1.0f;
              }));
  }
}

// Other ops of arith on views have no meaning here, though MLIR allows them.
TEST(MemrefTest, CastsOfElementsOfViewsAreRefused) {
  for (const char *op :
       {"%b = arith.bitcast %xv : memref<4x8xf16> to memref<4x8xi16>",
        "%v = arith.bitcast %xv : memref<4x8xf16> to memref<4x8xi16>\n"
        "%b = arith.index_cast %v : memref<4x8xi16> to memref<4x8xindex>"}) {
    Fixture f(kernel(op), Level::Ktir);
    EXPECT_FALSE(f) << op;
    EXPECT_NE(f.errors.find("cannot be executed: type 'memref<4x8xf16>'"),
              std::string::npos)
        << f.errors;
  }
}

// No address wraps: not of a view, nor of a shape that another is given.
TEST(MemrefTest, ViewsBeyondEveryAddressAreRefused) {
  struct Case {
    int64_t size, stride;
    bool isRefused;
  };
  for (const Case &each : {Case{int64_t(1) << 33, int64_t(1) << 32, true},
                           {3, int64_t(1) << 62, true},
                           {3, std::numeric_limits<int64_t>::min(), true},
                           {2, (int64_t(1) << 62) - 400,
                            true}, // in bytes twice that, from 1000 on
                           {2, (int64_t(1) << 62) - 600, false},
                           {1, int64_t(1) << 62, false},
                           {0, int64_t(1) << 62, false}})
    for (bool isCast : {false, true}) {
      const std::string view =
          "ktdp.construct_memory_view %o, sizes: [%n], strides: [%t] "
          "{coordinate_set = affine_set<(a)[s] : (a >= 0, s - a - 1 >= 0)>, "
          "memory_space = #ktdp.memory_space<global>} : "
          "memref<?xf16, strided<[?]>>\n";
      Fixture f(kernel("%t = arith.constant " + std::to_string(each.stride) +
                       " : index\n" +
                       (isCast ? "%v = memref.reinterpret_cast %ov to offset: "
                                 "[0], sizes: [%n], strides: [%t] : "
                                 "memref<8x4xf16> to memref<?xf16, "
                                 "strided<[?]>>"
                               : "%v = " + view)),
                Level::Ktir);
      ASSERT_TRUE(f) << f.errors;
      EXPECT_EQ(f.run({0, 500, each.size}),
                each.isRefused ? RunStatus::Failed : RunStatus::Finished)
          << each.size << " x " << each.stride << ' ' << f.messages();
      EXPECT_EQ(f.found("D2").size(), size_t(each.isRefused)) << f.messages();
    }
}

TEST(MemrefTest, NothingAllocates) {
  for (const char *op : {"memref.alloc", "memref.alloca"}) {
    Fixture f(kernel(std::string("%a = ") + op + "() : memref<4xf16>"),
              Level::Ktir);
    EXPECT_FALSE(f);
    EXPECT_NE(f.errors.find(std::string("op '") + op +
                            "' cannot be executed: nothing allocates memory"),
              std::string::npos)
        << f.errors;
  }
}
