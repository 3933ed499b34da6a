//===- TensorTest.cpp - Tensor ops ----------------------------------------===//

#include "TensorKernel.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

static std::vector<float> ramp(size_t count) {
  return make(count, [](size_t i) { return float(i) - 7; });
}

/// Expects `message` in the last finding of a run that failed.
static void expectFailure(TensorKernel &f, int64_t n,
                          const std::string &message) {
  ASSERT_TRUE(f) << f.messages();
  EXPECT_EQ(f.run(n), RunStatus::Failed);
  ASSERT_FALSE(f.fixture.found("*").empty());
  EXPECT_NE(f.fixture.found("*").back().message.find(message),
            std::string::npos)
      << f.messages();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(TensorTest, ReshapesCopyNothing) {
  TensorKernel f({{"%x", "6x5xf16"}},
                 R"(%s = arith.constant dense<[5, 2, 3]> : tensor<3xindex>
    %r0 = tensor.reshape %x(%s) : (tensor<6x5xf16>, tensor<3xindex>) -> tensor<5x2x3xf16>
    %r1 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf16> into tensor<2x3x5xf16>
    %r2 = tensor.collapse_shape %r1 [[0, 1, 2]] : tensor<2x3x5xf16> into tensor<30xf16>
    %d = tensor.cast %x : tensor<6x5xf16> to tensor<?x5xf16>
    %r3 = tensor.cast %d : tensor<?x5xf16> to tensor<6x5xf16>
    %r4 = tensor.bitcast %x : tensor<6x5xf16> to tensor<6x5xi16>
    %r5 = tensor.extract_slice %x[0, 0] [6, 5] [1, 1] : tensor<6x5xf16> to tensor<6x5xf16>
    %e = tensor.empty() : tensor<1x5x2x3xf16>
    %r6 = tensor.insert_slice %r0 into %e[0, 0, 0, 0] [1, 5, 2, 3] [1, 1, 1, 1] : tensor<5x2x3xf16> into tensor<1x5x2x3xf16>)",
                 {{"%r0", "5x2x3xf16"},
                  {"%r1", "2x3x5xf16"},
                  {"%r2", "30xf16"},
                  {"%r3", "6x5xf16"},
                  {"%r4", "6x5xi16"},
                  {"%r5", "6x5xf16"},
                  {"%r6", "1x5x2x3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  f.setHalves(0, ramp(30));
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int result = 0; result < 7; ++result)
    EXPECT_EQ(f.getHalves(result, 30), ramp(30)) << result;
  EXPECT_EQ(f.fixture.last->scratchpadPeak(), 60u);
}

TEST(TensorTest, DimAndRank) {
  TensorKernel f({},
                 R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = tensor.empty(%n) : tensor<?x7xf16>
    %d0 = tensor.dim %x, %c0 : tensor<?x7xf16>
    %d1 = tensor.dim %x, %c1 : tensor<?x7xf16>
    %k = arith.subi %n, %c1 : index
    %r = tensor.rank %x : tensor<?x7xf16>
    %t = tensor.from_elements %d0, %d1, %r : tensor<3xindex>)",
                 {{"%t", "3xindex"}});
  ASSERT_TRUE(f) << f.messages();
  EXPECT_EQ(f.run(9), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.get<int64_t>(0, 3), (std::vector<int64_t>{9, 7, 2}));
}

TEST(TensorTest, ShapesAreChecked) {
  TensorKernel cast({}, R"(%x = tensor.empty(%n) : tensor<?xf16>
    %r = tensor.cast %x : tensor<?xf16> to tensor<4xf16>)",
                    {});
  expectFailure(cast, 5, "dimension 0 has extent 5, the result's type says 4");
  TensorKernel dim({}, R"(%x = tensor.empty() : tensor<2x3xf16>
    %d = tensor.dim %x, %n : tensor<2x3xf16>)",
                   {});
  expectFailure(dim, 2, "dimension 2 of a tensor of rank 2");
  TensorKernel empty({}, "%x = tensor.empty(%n) : tensor<3x?xf16>", {});
  expectFailure(empty, -1,
                "the extent of dimension 1 is -1, expected at least 0");
  TensorKernel large({}, "%x = tensor.empty(%n) : tensor<3x?xf16>", {});
  expectFailure(large, int64_t(1) << 40, "expected at most 67108864");
  TensorKernel reshape({}, R"(%x = tensor.empty() : tensor<6xf16>
    %s = tensor.from_elements %n : tensor<1xindex>
    %r = tensor.reshape %x(%s) : (tensor<6xf16>, tensor<1xindex>) -> tensor<?xf16>)",
                       {});
  expectFailure(reshape, 5, "the result has 5 elements, the source has 6");
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

TEST(TensorTest, SplatAndElements) {
  TensorKernel f({{"%x", "3x4xi8"}},
                 R"(%c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %h = arith.constant -2.5 : f16
    %v = tensor.extract %x[%c2, %c1] : tensor<3x4xi8>
    %w = arith.extsi %v : i8 to i32
    %r0 = tensor.splat %h : tensor<3x5xf16>
    %r1d = tensor.splat %w[%n] : tensor<?x3xi32>
    %r1 = tensor.cast %r1d : tensor<?x3xi32> to tensor<2x3xi32>
    %r2 = tensor.insert %v into %x[%c1, %c2] : tensor<3x4xi8>
    %r3 = tensor.from_elements %w, %w : tensor<2xi32>
    %r4 = arith.addi %x, %x : tensor<3x4xi8>)",
                 {{"%r0", "3x5xf16"},
                  {"%r1", "2x3xi32"},
                  {"%r2", "3x4xi8"},
                  {"%r3", "2xi32"},
                  {"%r4", "3x4xi8"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<int8_t> x;
  for (int i = 0; i < 12; ++i)
    x.push_back(int8_t(5 - 3 * i));
  f.set(0, x);
  EXPECT_EQ(f.run(2), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 15), std::vector<float>(15, -2.5f));
  EXPECT_EQ(f.get<int32_t>(1, 6), std::vector<int32_t>(6, 5 - 3 * 9));
  EXPECT_EQ(f.get<int32_t>(3, 2), std::vector<int32_t>(2, 5 - 3 * 9));
  // The tensor itself has not changed.
  std::vector<int8_t> twice;
  for (int8_t value : x)
    twice.push_back(2 * value);
  EXPECT_EQ(f.get<int8_t>(4, 12), twice);
  x[6] = x[9];
  EXPECT_EQ(f.get<int8_t>(2, 12), x);
}

TEST(TensorTest, ElementsAreChecked) {
  TensorKernel extract({{"%x", "3x4xf16"}},
                       R"(%c1 = arith.constant 1 : index
    %v = tensor.extract %x[%c1, %n] : tensor<3x4xf16>)",
                       {});
  expectFailure(extract, 4, "index 4 in dimension 1, whose extent is 4");
  TensorKernel insert({{"%x", "3x4xf16"}},
                      R"(%c1 = arith.constant 1 : index
    %h = arith.constant 1.0 : f16
    %v = tensor.insert %h into %x[%n, %c1] : tensor<3x4xf16>)",
                      {});
  expectFailure(insert, -1, "index -1 in dimension 0, whose extent is 3");
  TensorKernel undefined({}, R"(%x = tensor.empty() : tensor<4xf16>
    %v = tensor.extract %x[%n] : tensor<4xf16>)",
                         {});
  expectFailure(undefined, 2, "operand 0 is an uninitialised tensor");
}

TEST(TensorTest, Generate) {
  // A causal mask as a block program, and a body that reads another tensor,
  // which runs element by element; both with a rank above 1 and n > 512.
  TensorKernel f({{"%x", "7xf16"}},
                 R"(%low = arith.constant 0xFC00 : f16
    %zero = arith.constant 0.0 : f16
    %r0 = tensor.generate {
    ^bb0(%i: index, %j: index):
      %c = arith.cmpi sge, %i, %j : index
      %m = arith.select %c, %zero, %low : f16
      tensor.yield %m : f16
    } : tensor<5x601xf16>
    %r1d = tensor.generate %n {
    ^bb0(%i: index, %j: index):
      %c7 = arith.constant 7 : index
      %k = arith.addi %i, %j : index
      %l = arith.remsi %k, %c7 : index
      %v = tensor.extract %x[%l] : tensor<7xf16>
      tensor.yield %v : f16
    } : tensor<?x11xf16>
    %r1 = tensor.cast %r1d : tensor<?x11xf16> to tensor<3x11xf16>
    %c0 = arith.constant 0 : index
    %r2 = tensor.generate %c0 {
    ^bb0(%i: index):
      %v = tensor.extract %x[%i] : tensor<7xf16>
      tensor.yield %v : f16
    } : tensor<?xf16>)",
                 {{"%r0", "5x601xf16"}, {"%r1", "3x11xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(7);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(3), RunStatus::Finished) << f.messages();
  float low = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(f.getHalves(0, 5 * 601), make(5 * 601, [&](int i) {
              return i / 601 >= i % 601 ? 0.0f : low;
            }));
  EXPECT_EQ(f.getHalves(1, 33),
            make(33, [&](int i) { return x[(i / 11 + i % 11) % 7]; }));
}

TEST(TensorTest, ManyElementsAreGeneratedInTurns) {
  // Indices of either dimension, and a value from outside, beyond one turn.
  constexpr int64_t rows = 3, columns = 220001;
  TensorKernel f({},
                 R"(%r = tensor.generate {
    ^bb0(%i: index, %j: index):
      %c = arith.constant 1000000 : index
      %k = arith.muli %i, %c : index
      %l = arith.addi %k, %j : index
      %m = arith.addi %l, %n : index
      %w = arith.index_cast %m : index to i8
      tensor.yield %w : i8
    } : tensor<3x220001xi8>)",
                 {{"%r", "3x220001xi8"}});
  ASSERT_TRUE(f) << f.messages();
  exec::Run run(f.fixture.program, *f.fixture.memory, {{17}}, {});
  int turns = 0;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  ASSERT_EQ(run.status(), RunStatus::Finished);
  EXPECT_GE(turns, int(run.counters()[0].instructions) + 1);
  std::vector<int8_t> expected;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      expected.push_back(int8_t(i * 1000000 + j + 17));
  EXPECT_EQ(f.get<int8_t>(0, rows * columns), expected);
}

// Every op that copies more elements than one turn does: the same elements,
// and no turn that copies them all.
TEST(TensorTest, CopiesOfManyElementsTakeTurns) {
  constexpr int64_t rows = 3, columns = 220001;
  TensorKernel f({{"%x", "3x220001xi8"}, {"%i", "5x1xi32"}, {"%j", "3x1xi32"}},
                 R"(%v = arith.constant 77 : i8
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %r0 = tensor.extract_slice %x[0, 1] [3, 220000] [1, 1] : tensor<3x220001xi8> to tensor<3x220000xi8>
    %r1 = tensor.insert_slice %r0 into %x[0, 0] [3, 220000] [1, 1] : tensor<3x220000xi8> into tensor<3x220001xi8>
    %r2 = tensor.concat dim(1) %r0, %x : (tensor<3x220000xi8>, tensor<3x220001xi8>) -> tensor<3x440001xi8>
    %r3 = tensor.splat %v : tensor<3x220001xi8>
    %r4 = tensor.insert %v into %x[%c1, %c7] : tensor<3x220001xi8>
    %r5 = tensor.pad %x low[1, 2] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %v : i8
    } : tensor<3x220001xi8> to tensor<4x220006xi8>
    %r6 = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x220001xi8>, tensor<5x1xi32>) -> tensor<5x220001xi8>
    %w = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 1, 220001] : tensor<3x220001xi8> into tensor<3x1x220001xi8>
    %r7 = tensor.scatter %w into %x[%j] scatter_dims([0]) unique : (tensor<3x1x220001xi8>, tensor<3x220001xi8>, tensor<3x1xi32>) -> tensor<3x220001xi8>)",
                 {{"%r0", "3x220000xi8"},
                  {"%r1", "3x220001xi8"},
                  {"%r2", "3x440001xi8"},
                  {"%r3", "3x220001xi8"},
                  {"%r4", "3x220001xi8"},
                  {"%r5", "4x220006xi8"},
                  {"%r6", "5x220001xi8"},
                  {"%r7", "3x220001xi8"}});
  ASSERT_TRUE(f) << f.messages();
  auto at = [](int64_t i, int64_t j) { return int8_t(31 * i + 3 * j); };
  const std::vector<int32_t> gathered = {2, 0, 2, 1, 0}, scattered = {1, 2, 0};
  auto tensor = [](int64_t height, int64_t width, auto value) {
    std::vector<int8_t> all;
    for (int64_t i = 0; i < height; ++i)
      for (int64_t j = 0; j < width; ++j)
        all.push_back(value(i, j));
    return all;
  };
  f.set(0, tensor(rows, columns, at));
  f.set(1, gathered);
  f.set(2, scattered);
  RunOptions options;
  options.checks = false; // more than a scratchpad holds
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, options);
  uint64_t turns = 0;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  ASSERT_EQ(run.status(), RunStatus::Finished);
  // Of half a million elements each: 2 of r0, r3, r4 and of the source of r5,
  // 3 of r1, r2, r6 and r7, and 2 of the padding.
  EXPECT_GE(turns, run.counters()[0].instructions - 1 + 13);
  auto expectResult = [&](size_t result, int64_t height, int64_t width,
                          auto value) {
    EXPECT_TRUE(f.get<int8_t>(result, height * width) ==
                tensor(height, width, value))
        << "result " << result;
  };
  expectResult(0, 3, columns - 1,
               [&](int64_t i, int64_t j) { return at(i, j + 1); });
  expectResult(1, 3, columns, [&](int64_t i, int64_t j) {
    return at(i, j + 1 < columns ? j + 1 : j);
  });
  expectResult(2, 3, 2 * columns - 1, [&](int64_t i, int64_t j) {
    return at(i, j < columns - 1 ? j + 1 : j - columns + 1);
  });
  expectResult(3, 3, columns, [](int64_t, int64_t) { return int8_t(77); });
  expectResult(4, 3, columns, [&](int64_t i, int64_t j) {
    return i == 1 && j == 7 ? int8_t(77) : at(i, j);
  });
  expectResult(5, 4, columns + 5, [&](int64_t i, int64_t j) {
    return i >= 1 && j >= 2 && j < columns + 2 ? at(i - 1, j - 2) : int8_t(77);
  });
  expectResult(6, 5, columns,
               [&](int64_t i, int64_t j) { return at(gathered[i], j); });
  expectResult(7, 3, columns, [&](int64_t i, int64_t j) {
    const auto place = std::find(scattered.begin(), scattered.end(), i);
    return at(place - scattered.begin(), j);
  });
}

TEST(TensorTest, Pad) {
  TensorKernel f({{"%x", "2x3xf16"}},
                 R"(%p = arith.constant 9.0 : f16
    %r0 = tensor.pad %x low[1, 0] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %p : f16
    } : tensor<2x3xf16> to tensor<3x5xf16>
    %r1d = tensor.pad %x low[%n, 1] high[1, %n] {
    ^bb0(%i: index, %j: index):
      %k = arith.addi %i, %j : index
      %ki = arith.index_cast %k : index to i32
      %kf = arith.sitofp %ki : i32 to f16
      tensor.yield %kf : f16
    } : tensor<2x3xf16> to tensor<?x?xf16>
    %r1 = tensor.cast %r1d : tensor<?x?xf16> to tensor<5x6xf16>)",
                 {{"%r0", "3x5xf16"}, {"%r1", "5x6xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(6);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(2), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 15), make(15, [&](int i) {
              int r = i / 5 - 1, c = i % 5;
              return r >= 0 && c < 3 ? x[r * 3 + c] : 9.0f;
            }));
  EXPECT_EQ(f.getHalves(1, 30), make(30, [&](int i) {
              int r = i / 6 - 2, c = i % 6 - 1;
              return r >= 0 && r < 2 && c >= 0 && c < 3 ? x[r * 3 + c]
                                                        : float(i / 6 + i % 6);
            }));
  TensorKernel negative({{"%x", "3xf16"}},
                        R"(%p = arith.constant 9.0 : f16
    %r = tensor.pad %x low[%n] high[0] {
    ^bb0(%i: index):
      tensor.yield %p : f16
    } : tensor<3xf16> to tensor<?xf16>)",
                        {});
  expectFailure(negative, -1,
                "the padding of dimension 0 is -1, expected at least 0");
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

TEST(TensorTest, ExtractSlice) {
  TensorKernel f(
      {{"%x", "4x5x3xf16"}},
      R"(%r0 = tensor.extract_slice %x[1, 0, 0] [2, 5, 3] [1, 1, 1] : tensor<4x5x3xf16> to tensor<2x5x3xf16>
    %r1 = tensor.extract_slice %x[0, %n, 2] [4, 2, 1] [1, 2, 1] : tensor<4x5x3xf16> to tensor<4x2xf16>
    %r2d = tensor.extract_slice %x[3, 4, 0] [%n, %n, 3] [-1, -2, 1] : tensor<4x5x3xf16> to tensor<?x?x3xf16>
    %r2 = tensor.cast %r2d : tensor<?x?x3xf16> to tensor<1x1x3xf16>)",
      {{"%r0", "2x5x3xf16"}, {"%r1", "4x2xf16"}, {"%r2", "1x1x3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(60);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(1), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 30), make(30, [&](int i) { return x[15 + i]; }));
  EXPECT_EQ(f.getHalves(1, 8), make(8, [&](int i) {
              return x[i / 2 * 15 + (1 + i % 2 * 2) * 3 + 2];
            }));
  EXPECT_EQ(f.getHalves(2, 3), make(3, [&](int i) { return x[57 + i]; }));
  // From 2 in steps of 2, the second one is 4; from 3, it is 5.
  f.fixture.last.reset();
  EXPECT_EQ(f.run(3), RunStatus::Failed);
  EXPECT_NE(f.messages().find("the slice goes from 3 to 5 in dimension 1, "
                              "whose extent is 5"),
            std::string::npos)
      << f.messages();
}

TEST(TensorTest, InsertSlice) {
  TensorKernel f(
      {{"%x", "4x5xf16"}, {"%y", "2x3xf16"}, {"%z", "3xf16"}},
      R"(%r0 = tensor.insert_slice %y into %x[1, 2] [2, 3] [1, 1] : tensor<2x3xf16> into tensor<4x5xf16>
    %r1 = tensor.insert_slice %z into %r0[%n, 0] [1, 3] [1, 2] : tensor<3xf16> into tensor<4x5xf16>
    %r2 = arith.addf %x, %r0 : tensor<4x5xf16>
    %e = tensor.empty() : tensor<5xf16>
    %r3 = tensor.insert_slice %z into %e[1] [3] [1] : tensor<3xf16> into tensor<5xf16>)",
      {{"%r1", "4x5xf16"}, {"%r2", "4x5xf16"}, {"%r3", "5xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(20), y = {50, 51, 52, 53, 54, 55},
                     z = {80, 81, 82};
  f.setHalves(0, x);
  f.setHalves(1, y);
  f.setHalves(2, z);
  EXPECT_EQ(f.run(3), RunStatus::Finished) << f.messages();
  std::vector<float> first = x;
  for (int i = 0; i < 6; ++i)
    first[(1 + i / 3) * 5 + 2 + i % 3] = y[i];
  EXPECT_EQ(f.getHalves(1, 20),
            make(20, [&](int i) { return x[i] + first[i]; }));
  for (int i = 0; i < 3; ++i)
    first[15 + 2 * i] = z[i];
  EXPECT_EQ(f.getHalves(0, 20), first);
  std::vector<float> last = f.getHalves(2, 5);
  EXPECT_EQ(std::vector<float>(last.begin() + 1, last.begin() + 4), z);
  TensorKernel extent({{"%x", "4xf16"}},
                      R"(%c3 = arith.constant 3 : index
    %e = tensor.empty(%n) : tensor<?xf16>
    %r = tensor.insert_slice %e into %x[0] [%c3] [1] : tensor<?xf16> into tensor<4xf16>)",
                      {});
  expectFailure(extent, 2, "operand 0 has extent 2 in dimension 0, expected 3");
}

TEST(TensorTest, InsertionReusesADyingTensor) {
  // A loop fills a tensor row by row; only it, the row and the input live.
  TensorKernel f({{"%x", "1x64xf16"}},
                 R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %e = tensor.empty() : tensor<8x64xf16>
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %e) -> tensor<8x64xf16> {
      %u = arith.addf %x, %x : tensor<1x64xf16>
      %s = tensor.insert_slice %u into %t[%i, 0] [1, 64] [1, 1] : tensor<1x64xf16> into tensor<8x64xf16>
      scf.yield %s : tensor<8x64xf16>
    })",
                 {{"%r", "8x64xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(64);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 512),
            make(512, [&](int i) { return 2 * x[i % 64]; }));
  EXPECT_EQ(f.fixture.last->scratchpadPeak(), (8 + 1 + 1) * 64 * 2u);
}

TEST(TensorTest, Concat) {
  TensorKernel f(
      {{"%x", "2x3xf16"}, {"%y", "2x1xf16"}},
      R"(%r0 = tensor.concat dim(1) %x, %y, %x : (tensor<2x3xf16>, tensor<2x1xf16>, tensor<2x3xf16>) -> tensor<2x7xf16>
    %r1 = tensor.concat dim(0) %x, %x : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<4x3xf16>)",
      {{"%r0", "2x7xf16"}, {"%r1", "4x3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(6), y = {40, 41};
  f.setHalves(0, x);
  f.setHalves(1, y);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 14), make(14, [&](int i) {
              int r = i / 7, c = i % 7;
              return c < 3 ? x[r * 3 + c] : c == 3 ? y[r] : x[r * 3 + c - 4];
            }));
  EXPECT_EQ(f.getHalves(1, 12), make(12, [&](int i) { return x[i % 6]; }));
  TensorKernel extents({{"%x", "2x3xf16"}},
                       R"(%e = tensor.empty(%n) : tensor<?x1xf16>
    %r = tensor.concat dim(1) %x, %e : (tensor<2x3xf16>, tensor<?x1xf16>) -> tensor<2x4xf16>)",
                       {});
  expectFailure(extents, 3,
                "operand 1 has extent 3 in dimension 0, expected 2");
}

TEST(TensorTest, GatherAndScatter) {
  TensorKernel f(
      {{"%x", "5x3xf16"},
       {"%i", "2x2x1xi32"},
       {"%j", "2x1xi64"},
       {"%w", "2x3xf16"}},
      R"(%r0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<5x3xf16>, tensor<2x2x1xi32>) -> tensor<2x2x1x3xf16>
    %r1 = tensor.gather %x[%j] gather_dims([1]) : (tensor<5x3xf16>, tensor<2x1xi64>) -> tensor<2x5xf16>
    %we = tensor.expand_shape %w [[0], [1, 2]] output_shape [2, 1, 3] : tensor<2x3xf16> into tensor<2x1x3xf16>
    %r2 = tensor.scatter %we into %x[%j] scatter_dims([0]) unique : (tensor<2x1x3xf16>, tensor<5x3xf16>, tensor<2x1xi64>) -> tensor<5x3xf16>)",
      {{"%r0", "2x2x1x3xf16"}, {"%r1", "2x5xf16"}, {"%r2", "5x3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = ramp(15), w = {70, 71, 72, 73, 74, 75};
  std::vector<int32_t> i = {4, 0, 4, 2};
  std::vector<int64_t> j = {2, 0};
  f.setHalves(0, x);
  f.set(1, i);
  f.set(2, j);
  f.setHalves(3, w);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 12),
            make(12, [&](int e) { return x[i[e / 3] * 3 + e % 3]; }));
  EXPECT_EQ(f.getHalves(1, 10),
            make(10, [&](int e) { return x[e % 5 * 3 + j[e / 5]]; }));
  for (int e = 0; e < 6; ++e)
    x[j[e / 3] * 3 + e % 3] = w[e];
  EXPECT_EQ(f.getHalves(2, 15), x);
  f.set(1, std::vector<int32_t>{4, 5, 0, 0});
  expectFailure(f, 0, "index 5 in dimension 0, whose extent is 5");
}
