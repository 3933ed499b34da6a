//===- LinalgTest.cpp - Structured ops ------------------------------------===//
//
// Expected values are sums and products written out as plain loops in f32 or
// f64, term after term in ascending order, as the language rules say.
//
//===----------------------------------------------------------------------===//

#include "TensorKernel.h"

#include <cmath>
#include <limits>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

/// Values with few bits and of both signs, whose sums do round.
static std::vector<float> sample(size_t count, int seed) {
  return make(count, [&](size_t i) {
    return fromHalf(half(float(int((i * 37 + seed * 11) % 101) - 50) / 7.0f));
  });
}

static float roundHalf(float value) { return fromHalf(half(value)); }

/// C[m][n] + A[m][k] B[k][n] with f32 sums in ascending k.
static std::vector<float> multiply(const std::vector<float> &a,
                                   const std::vector<float> &b,
                                   std::vector<float> c, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = c[i * n + j];
      for (int l = 0; l < k; ++l) {
        float product = a[i * k + l] * b[l * n + j];
        sum += product;
      }
      c[i * n + j] = sum;
    }
  return c;
}

static std::vector<float> transposed(const std::vector<float> &a, int rows,
                                     int columns) {
  return make(a.size(),
              [&](size_t i) { return a[i % rows * columns + i / rows]; });
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

struct MatmulSize {
  int m, n, k;
};
class MatmulTest : public testing::TestWithParam<MatmulSize> {};

TEST_P(MatmulTest, WidensToTheAccumulator) {
  // UP-1: C + A.B in the element type of C.
  auto [m, n, k] = GetParam();
  std::string M = std::to_string(m), N = std::to_string(n),
              K = std::to_string(k);
  TensorKernel f({{"%a", M + "x" + K + "xf16"},
                  {"%b", K + "x" + N + "xf16"},
                  {"%c", M + "x" + N + "xf32"}},
                 "%r = linalg.matmul ins(%a, %b : tensor<" + M + "x" + K +
                     "xf16>, tensor<" + K + "x" + N +
                     "xf16>) outs(%c : tensor<" + M + "x" + N +
                     "xf32>) -> tensor<" + M + "x" + N + "xf32>",
                 {{"%r", M + "x" + N + "xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(m * k, 1), b = sample(k * n, 2),
                     c = sample(m * n, 3);
  f.setHalves(0, a);
  f.setHalves(1, b);
  f.set(2, c);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.get<float>(0, m * n), multiply(a, b, c, m, n, k));
  // Every product counts as work.
  EXPECT_GE(f.fixture.last->instructionsDone(), uint64_t(m) * n * k / 64);
}
INSTANTIATE_TEST_SUITE_P(
    Sizes, MatmulTest,
    testing::Values(MatmulSize{1, 1, 1}, MatmulSize{3, 5, 7},
                    MatmulSize{5, 17, 259}, MatmulSize{131, 33, 64},
                    MatmulSize{9, 300, 31}, MatmulSize{70, 3, 300}));

TEST(LinalgTest, MatmulInHalfRoundsOnce) {
  TensorKernel f({{"%a", "7x300xf16"}, {"%b", "300x5xf16"}},
                 R"(%e = tensor.empty() : tensor<7x5xf16>
    %r = linalg.matmul ins(%a, %b : tensor<7x300xf16>, tensor<300x5xf16>) outs(%e : tensor<7x5xf16>) -> tensor<7x5xf16>
    %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<7x300xf16>, tensor<300x5xf16>) outs(%e : tensor<7x5xf16>) {
    ^bb0(%x: f16, %y: f16, %c: f16):
      %p = arith.mulf %x, %y : f16
      %t = arith.addf %c, %p : f16
      linalg.yield %t : f16
    } -> tensor<7x5xf16>)",
                 {{"%r", "7x5xf16"}, {"%s", "7x5xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(2100, 1), b = sample(1500, 2);
  f.setHalves(0, a);
  f.setHalves(1, b);
  // An uninitialised accumulator is 0 and no finding (UP-2).
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> expected =
      multiply(a, b, std::vector<float>(35), 7, 5, 300);
  for (float &value : expected)
    value = roundHalf(value);
  EXPECT_EQ(f.getHalves(0, 35), expected);
  EXPECT_EQ(f.getHalves(1, 35), expected);
}

TEST(LinalgTest, MatmulForms) {
  // A (4x6) and B (6x9), each also given transposed, and B as one row of
  // elements for every n.
  std::string maps = "indexing_maps = [";
  TensorKernel f({{"%a", "4x6xf16"},
                  {"%at", "6x4xf16"},
                  {"%b", "6x9xf16"},
                  {"%bt", "9x6xf16"},
                  {"%v", "6xf16"}},
                 R"(%z = arith.constant dense<0.0> : tensor<4x9xf32>
    %zm = arith.constant dense<0.0> : tensor<4xf32>
    %zn = arith.constant dense<0.0> : tensor<9xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %r0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%at, %b : tensor<6x4xf16>, tensor<6x9xf16>) outs(%z : tensor<4x9xf32>) -> tensor<4x9xf32>
    %r1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %bt : tensor<4x6xf16>, tensor<9x6xf16>) outs(%z : tensor<4x9xf32>) -> tensor<4x9xf32>
    %r2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %v : tensor<4x6xf16>, tensor<6xf16>) outs(%z : tensor<4x9xf32>) -> tensor<4x9xf32>
    %r3 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%at, %bt : tensor<6x4xf16>, tensor<9x6xf16>) outs(%z : tensor<4x9xf32>) -> tensor<4x9xf32>
    %r4 = linalg.matvec ins(%a, %v : tensor<4x6xf16>, tensor<6xf16>) outs(%zm : tensor<4xf32>) -> tensor<4xf32>
    %r5 = linalg.vecmat ins(%v, %b : tensor<6xf16>, tensor<6x9xf16>) outs(%zn : tensor<9xf32>) -> tensor<9xf32>
    %d = linalg.dot ins(%v, %v : tensor<6xf16>, tensor<6xf16>) outs(%z0 : tensor<f32>) -> tensor<f32>
    %r6 = tensor.expand_shape %d [] output_shape [1] : tensor<f32> into tensor<1xf32>)",
                 {{"%r0", "4x9xf32"},
                  {"%r1", "4x9xf32"},
                  {"%r2", "4x9xf32"},
                  {"%r3", "4x9xf32"},
                  {"%r4", "4xf32"},
                  {"%r5", "9xf32"},
                  {"%r6", "1xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(24, 1), b = sample(54, 2), v = sample(6, 3);
  f.setHalves(0, a);
  f.setHalves(1, transposed(a, 4, 6));
  f.setHalves(2, b);
  f.setHalves(3, transposed(b, 6, 9));
  f.setHalves(4, v);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> zeros(36), product = multiply(a, b, zeros, 4, 9, 6);
  EXPECT_EQ(f.get<float>(0, 36), product);
  EXPECT_EQ(f.get<float>(1, 36), product);
  EXPECT_EQ(f.get<float>(3, 36), product);
  std::vector<float> column = multiply(a, v, std::vector<float>(4), 4, 1, 6);
  EXPECT_EQ(f.get<float>(2, 36),
            make(36, [&](size_t i) { return column[i / 9]; }));
  EXPECT_EQ(f.get<float>(4, 4), column);
  EXPECT_EQ(f.get<float>(5, 9), multiply(v, b, std::vector<float>(9), 1, 9, 6));
  EXPECT_EQ(f.get<float>(6, 1), multiply(v, v, std::vector<float>(1), 1, 1, 6));
}

TEST(LinalgTest, BatchProducts) {
  TensorKernel f({{"%a", "3x5x7xf16"},
                  {"%b", "3x7x2xf16"},
                  {"%v", "3x7xf16"},
                  {"%u", "3x5xf16"}},
                 R"(%z = arith.constant dense<0.0> : tensor<3x5x2xf32>
    %z5 = arith.constant dense<0.0> : tensor<3x5xf32>
    %z7 = arith.constant dense<0.0> : tensor<3x7xf32>
    %z0 = arith.constant dense<0.0> : tensor<5x2xf32>
    %r0 = linalg.batch_matmul ins(%a, %b : tensor<3x5x7xf16>, tensor<3x7x2xf16>) outs(%z : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
    %r1 = linalg.batch_matvec ins(%a, %v : tensor<3x5x7xf16>, tensor<3x7xf16>) outs(%z5 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %r2 = linalg.batch_vecmat ins(%u, %a : tensor<3x5xf16>, tensor<3x5x7xf16>) outs(%z7 : tensor<3x7xf32>) -> tensor<3x7xf32>
    %r3 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x5x7xf16>, tensor<3x7x2xf16>) outs(%z0 : tensor<5x2xf32>) -> tensor<5x2xf32>)",
                 {{"%r0", "3x5x2xf32"},
                  {"%r1", "3x5xf32"},
                  {"%r2", "3x7xf32"},
                  {"%r3", "5x2xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(105, 1), b = sample(42, 2), v = sample(21, 3),
                     u = sample(15, 4);
  f.setHalves(0, a);
  f.setHalves(1, b);
  f.setHalves(2, v);
  f.setHalves(3, u);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> products, columns, rows, sum(10);
  auto part = [](const std::vector<float> &all, int i, int size) {
    return std::vector<float>(all.begin() + i * size,
                              all.begin() + (i + 1) * size);
  };
  auto append = [](std::vector<float> &to, const std::vector<float> &from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (int i = 0; i < 3; ++i) {
    append(products, multiply(part(a, i, 35), part(b, i, 14),
                              std::vector<float>(10), 5, 2, 7));
    append(columns, multiply(part(a, i, 35), part(v, i, 7),
                             std::vector<float>(5), 5, 1, 7));
    append(rows, multiply(part(u, i, 5), part(a, i, 35), std::vector<float>(7),
                          1, 7, 5));
    sum = multiply(part(a, i, 35), part(b, i, 14), sum, 5, 2, 7);
  }
  EXPECT_EQ(f.get<float>(0, 30), products);
  EXPECT_EQ(f.get<float>(1, 15), columns);
  EXPECT_EQ(f.get<float>(2, 21), rows);
  EXPECT_EQ(f.get<float>(3, 10), sum);
}

TEST(LinalgTest, IntegerAndDoubleMatmul) {
  TensorKernel f(
      {{"%a", "3x5xi8"},
       {"%b", "5x2xi8"},
       {"%c", "3x2xi32"},
       {"%x", "2x3xf64"},
       {"%y", "3x2xf64"}},
      R"(%r = linalg.matmul ins(%a, %b : tensor<3x5xi8>, tensor<5x2xi8>) outs(%c : tensor<3x2xi32>) -> tensor<3x2xi32>
    %e = tensor.empty() : tensor<2x2xf64>
    %s = linalg.matmul ins(%x, %y : tensor<2x3xf64>, tensor<3x2xf64>) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>)",
      {{"%r", "3x2xi32"}, {"%s", "2x2xf64"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<int8_t> a, b;
  for (int i = 0; i < 15; ++i)
    a.push_back(int8_t(i * 17 - 120));
  for (int i = 0; i < 10; ++i)
    b.push_back(int8_t(90 - i * 21));
  std::vector<int32_t> c = {1, -2, 3, -4, 5, 2147483647};
  f.set(0, a);
  f.set(1, b);
  f.set(2, c);
  std::vector<double> x = {0.1, 0.2, 0.3, -1, 1e-3, 7},
                      y = {3, 0.7, 1e10, -2, 0.1, 0.9};
  f.set(3, x);
  f.set(4, y);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      uint32_t sum = c[i * 2 + j]; // wraps
      for (int k = 0; k < 5; ++k)
        sum += uint32_t(a[i * 5 + k] * b[k * 2 + j]);
      c[i * 2 + j] = int32_t(sum);
    }
  EXPECT_EQ(f.get<int32_t>(0, 6), c);
  std::vector<double> expected;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        double product = x[i * 3 + k] * y[k * 2 + j];
        sum += product;
      }
      expected.push_back(sum);
    }
  EXPECT_EQ(f.get<double>(1, 4), expected);
}

TEST(LinalgTest, ContractionTakesTurns) {
  // Two blocks of rows and columns; a small budget suspends it in between.
  TensorKernel f({{"%a", "256x600xf16"}, {"%b", "600x512xf16"}},
                 R"(%e = tensor.empty() : tensor<256x512xf32>
    %r = linalg.matmul ins(%a, %b : tensor<256x600xf16>, tensor<600x512xf16>) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>)",
                 {{"%r", "256x512xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(256 * 600, 1), b = sample(600 * 512, 2);
  f.setHalves(0, a);
  f.setHalves(1, b);
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, {});
  int turns = 0;
  while (run.advance(100) == RunStatus::Running)
    ++turns;
  EXPECT_EQ(run.status(), RunStatus::Finished);
  EXPECT_GE(turns, 4);
  EXPECT_EQ(f.get<float>(0, 256 * 512),
            multiply(a, b, std::vector<float>(256 * 512), 256, 512, 600));
}

/// Runs by small budgets and returns how often that stopped in between.
static int runInTurns(TensorKernel &f) {
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, {});
  int turns = 0;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  EXPECT_EQ(run.status(), RunStatus::Finished);
  EXPECT_TRUE(run.findings().empty()) << run.findings()[0].message;
  return turns;
}

/// One that takes a turn for each of its few instructions.
static std::unique_ptr<TensorKernel> shortKernel() {
  auto kernel =
      std::make_unique<TensorKernel>(std::vector<TensorValue>{{"%a", "8xf32"}},
                                     "%r = arith.addf %a, %a : tensor<8xf32>\n",
                                     std::vector<TensorValue>{{"%r", "8xf32"}});
  kernel->set(0, std::vector<float>(8));
  return kernel;
}

TEST(LinalgTest, LongSumsOfProductsTakeTurns) {
  // One sum of 5000 times 4001 products, in the order of both loops.
  TensorKernel f({{"%a", "5000xf16"}, {"%b", "4001xf16"}, {"%i", "1xf32"}},
                 R"(%r = linalg.generic {indexing_maps = [
      affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d2)>,
      affine_map<(d0, d1, d2) -> (d0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<5000xf16>, tensor<4001xf16>) outs(%i : tensor<1xf32>) {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %u = arith.extf %x : f16 to f32
      %v = arith.extf %y : f16 to f32
      %p = arith.mulf %u, %v : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
    } -> tensor<1xf32>)",
                 {{"%r", "1xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(5000, 1), b = sample(4001, 2), i = {0.25f};
  f.setHalves(0, a);
  f.setHalves(1, b);
  f.set(2, i);
  const int whole = runInTurns(f);
  float sum = i[0];
  for (float x : a)
    for (float y : b) {
      float product = x * y;
      sum += product;
    }
  EXPECT_EQ(f.get<float>(0, 1), std::vector<float>{sum});
  // One more than an op that is done at once.
  EXPECT_GT(whole, runInTurns(*shortKernel()) + 1);
}

TEST(LinalgTest, LoopsOfManyPointsTakeTurns) {
  // Each op has 1501 times 1999 points, more than a turn: sums along either
  // loop, an index of each kind of loop, a value that is carried from step to
  // step, and two results at once.
  constexpr int m = 1501, n = 1999;
  TensorKernel f({{"%a", "1501xf32"}, {"%b", "1999xf32"}},
                 R"(%em = tensor.empty() : tensor<1501xf32>
    %en = tensor.empty() : tensor<1999xf32>
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0e30 : f32
    %half = arith.constant 0.5 : f32
    %zm = linalg.fill ins(%zero : f32) outs(%em : tensor<1501xf32>) -> tensor<1501xf32>
    %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<1999xf32>) -> tensor<1999xf32>
    %lm = linalg.fill ins(%low : f32) outs(%em : tensor<1501xf32>) -> tensor<1501xf32>
    %rows, %highest = linalg.generic {indexing_maps = [
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<1501xf32>, tensor<1999xf32>)
      outs(%zm, %lm : tensor<1501xf32>, tensor<1501xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32, %h: f32):
      %d = arith.subf %x, %y : f32
      %t = arith.addf %s, %d : f32
      %g = arith.maximumf %h, %d : f32
      linalg.yield %t, %g : f32, f32
    } -> (tensor<1501xf32>, tensor<1501xf32>)
    %columns = linalg.generic {indexing_maps = [
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a, %b : tensor<1501xf32>, tensor<1999xf32>)
      outs(%zn : tensor<1999xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.addi %i, %j : index
      %w = arith.index_cast %k : index to i32
      %q = arith.sitofp %w : i32 to f32
      %d = arith.mulf %q, %x : f32
      %t = arith.addf %s, %d : f32
      linalg.yield %t : f32
    } -> tensor<1999xf32>
    %carried = linalg.generic {indexing_maps = [
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a, %b : tensor<1501xf32>, tensor<1999xf32>)
      outs(%zn : tensor<1999xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %d = arith.mulf %s, %half : f32
      %c = arith.addf %d, %x : f32
      %t = arith.subf %c, %y : f32
      linalg.yield %t : f32
    } -> tensor<1999xf32>)",
                 {{"%rows", "1501xf32"},
                  {"%highest", "1501xf32"},
                  {"%columns", "1999xf32"},
                  {"%carried", "1999xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(m, 3), b = sample(n, 4);
  f.set(0, a);
  f.set(1, b);
  EXPECT_GT(runInTurns(f), runInTurns(*shortKernel()) + 10);
  std::vector<float> rows(m), highest(m, -1e30f), columns(n), carried(n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      rows[i] += a[i] - b[j];
      highest[i] = std::max(highest[i], a[i] - b[j]);
      float product = float(i + j) * a[i];
      columns[j] += product;
      float decayed = carried[j] * 0.5f;
      carried[j] = decayed + a[i] - b[j];
    }
  EXPECT_EQ(f.get<float>(0, m), rows);
  EXPECT_EQ(f.get<float>(1, m), highest);
  EXPECT_EQ(f.get<float>(2, n), columns);
  EXPECT_EQ(f.get<float>(3, n), carried);
}

TEST(LinalgTest, IndicesOfTurns) {
  // Results as large as the loops, whose innermost is longer than a turn.
  TensorKernel f({{"%a", "8xf32"}},
                 R"(%e = tensor.empty() : tensor<2x2200000xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<2x2200000xi32>) {
    ^bb0(%s: i32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 3000000 : index
      %k = arith.muli %i, %c : index
      %l = arith.addi %k, %j : index
      %w = arith.index_cast %l : index to i32
      linalg.yield %w : i32
    } -> tensor<2x2200000xi32>)",
                 {{"%r", "2x2200000xi32"}});
  ASSERT_TRUE(f) << f.messages();
  RunOptions options;
  options.checks = false; // more than a scratchpad holds
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, options);
  while (run.advance(1) == RunStatus::Running) {
  }
  EXPECT_EQ(run.status(), RunStatus::Finished);
  std::vector<int32_t> found = f.get<int32_t>(0, 4400000);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2200000; ++j)
      ASSERT_EQ(found[i * 2200000 + j], i * 3000000 + j);
}

TEST(LinalgTest, NoTurnIsLong) {
  // 10^10 points, by each of the ways that loops are run.
  for (const char *combine : {"addf", "maximumf", "subf"}) {
    TensorKernel f({{"%a", "100000xf32"}, {"%b", "100000xf32"}},
                   std::string(R"(%e = tensor.empty() : tensor<1xf32>
    %z = arith.constant 0.0 : f32
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %r = linalg.generic {indexing_maps = [
      affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d2)>,
      affine_map<(d0, d1, d2) -> (d0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<100000xf32>, tensor<100000xf32>)
      outs(%i : tensor<1xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %p = arith.mulf %x, %y : f32
      %t = arith.)") + combine +
                       R"( %s, %p : f32
      linalg.yield %t : f32
    } -> tensor<1xf32>)",
                   {{"%r", "1xf32"}});
    ASSERT_TRUE(f) << f.messages();
    f.set(0, sample(100000, 1));
    f.set(1, sample(100000, 2));
    exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, {});
    // Loading takes two.
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(run.advance(1), RunStatus::Running) << combine;
    // 64 points count as one instruction.
    EXPECT_LT(run.instructionsDone(), 10u << 14) << combine;
  }
}

TEST(LinalgTest, FunctionsOfManyElementsTakeTurns) {
  constexpr size_t n = 50001;
  TensorKernel f({{"%a", "50001xf64"}}, "%r = math.erf %a : tensor<50001xf64>",
                 {{"%r", "50001xf64"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<double> a;
  for (size_t i = 0; i < n; ++i)
    a.push_back(double(i) * 1e-4 - 2.5);
  f.set(0, a);
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, {});
  uint64_t longest = 0, before = 0;
  while (run.advance(1) == RunStatus::Running) {
    longest = std::max(longest, run.instructionsDone() - before);
    before = run.instructionsDone();
  }
  EXPECT_EQ(run.status(), RunStatus::Finished);
  std::vector<double> results = f.get<double>(0, n);
  for (size_t i = 0; i < n; ++i)
    ASSERT_NEAR(results[i], std::erf(a[i]), 1e-15) << i;
  // 64 elements count as one instruction; a load or store is one turn.
  EXPECT_LE(longest, n / 64 + 2);
  exec::Run stepped(f.fixture.program, *f.fixture.memory, {{0}}, {});
  size_t turns = 0;
  while (stepped.advance(1) == RunStatus::Running)
    ++turns;
  EXPECT_GE(turns, n >> 14);
}

TEST(LinalgTest, FillsOfManyElementsTakeTurns) {
  constexpr size_t n = 3000001;
  TensorKernel f({}, R"(%v = arith.constant 2.5 : f32
    %e = tensor.empty() : tensor<3000001xf32>
    %r = linalg.fill ins(%v : f32) outs(%e : tensor<3000001xf32>) -> tensor<3000001xf32>
    %c = arith.constant 3000000 : index
    %x = tensor.extract %r[%c] : tensor<3000001xf32>
    %l = tensor.from_elements %x : tensor<1xf32>)",
                 {{"%l", "1xf32"}, {"%r", "3000001xf32"}});
  ASSERT_TRUE(f) << f.messages();
  exec::RunOptions options;
  options.checks = false; // it does not fit a scratchpad
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, options);
  size_t turns = 0;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  EXPECT_EQ(run.status(), RunStatus::Finished);
  EXPECT_GE(turns, n >> 19);
  EXPECT_EQ(f.get<float>(0, 1)[0], 2.5f);
  EXPECT_EQ(f.get<float>(1, n), std::vector<float>(n, 2.5f));
}

TEST(LinalgTest, SumsAndInitialValuesOfManyElementsTakeTurns) {
  constexpr int n = 300001;
  TensorKernel f({{"%a", "3x300001xf32"}, {"%c", "300001x3xf32"}},
                 R"(%v = arith.constant 0.0 : f32
    %z = arith.constant 0 : index
    %e = tensor.empty() : tensor<3xf32>
    %i = linalg.fill ins(%v : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<3x300001xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
    %r = linalg.generic {indexing_maps = [
      affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3x300001xf32>) outs(%c : tensor<300001x3xf32>) {
    ^bb0(%x: f32, %y: f32):
      %d = arith.subf %y, %x : f32
      linalg.yield %d : f32
    } -> tensor<300001x3xf32>
    %kept = tensor.extract %c[%z, %z] : tensor<300001x3xf32>
    %l = tensor.from_elements %kept : tensor<1xf32>)",
                 {{"%s", "3xf32"}, {"%r", "300001x3xf32"}, {"%l", "1xf32"}});
  ASSERT_TRUE(f) << f.messages();
  // Whole numbers whose sums are exact.
  auto a = [](int row, int column) { return float((row + column) % 7); };
  auto c = [](int row, int column) {
    return float((2 * row + column) % 5 + 1);
  };
  f.set(0, make(3 * n, [&](int i) { return a(i / n, i % n); }));
  f.set(1, make(3 * n, [&](int i) { return c(i / 3, i % 3); }));
  exec::RunOptions options;
  options.checks = false; // they do not fit a scratchpad
  exec::Run run(f.fixture.program, *f.fixture.memory, {{0}}, options);
  size_t turns = 1;
  while (run.advance(1) == RunStatus::Running)
    ++turns;
  EXPECT_EQ(run.status(), RunStatus::Finished);
  // Of half a million elements each: 2 of the sum, of the values that the
  // generic op begins with, and of its loops.
  EXPECT_GE(turns, run.counters()[0].instructions + 1 + 2 + 1);
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int column = 0; column < n; ++column)
      sum += a(row, column);
    EXPECT_EQ(f.get<float>(0, 3)[row], float(sum)) << row;
  }
  EXPECT_TRUE(f.get<float>(1, 3 * n) == make(3 * n, [&](int i) {
                return c(i / 3, i % 3) - a(i % 3, i / 3);
              }));
  EXPECT_EQ(f.get<float>(2, 1)[0], c(0, 0));
}

TEST(LinalgTest, EmptyTensorsHaveNothingUndefined) {
  TensorKernel f({{"%a", "3x5xf32"}}, R"(%e = tensor.empty() : tensor<0x5xf32>
    %s = arith.addf %e, %e : tensor<0x5xf32>
    %r = tensor.concat dim(0) %s, %a : (tensor<0x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %k = tensor.empty() : tensor<3x0xf32>
    %z = arith.constant 1.0 : f32
    %o = tensor.empty() : tensor<3x5xf32>
    %i = linalg.fill ins(%z : f32) outs(%o : tensor<3x5xf32>) -> tensor<3x5xf32>
    %m = linalg.matmul ins(%k, %e : tensor<3x0xf32>, tensor<0x5xf32>) outs(%i : tensor<3x5xf32>) -> tensor<3x5xf32>)",
                 {{"%r", "3x5xf32"}, {"%m", "3x5xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(15, 1);
  f.set(0, a);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.messages(), "");
  EXPECT_EQ(f.get<float>(0, 15), a);
  EXPECT_EQ(f.get<float>(1, 15), std::vector<float>(15, 1.0f));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST(LinalgTest, SumsAccumulateInSingle) {
  // UP-6: one rounding, at the end.
  // 3 x 1000: 1000 terms of 16 bits, whose sum in f16 would lose most of them.
  TensorKernel f(
      {{"%x", "3x1000xf16"}, {"%i", "3xf16"}},
      R"(%r = linalg.reduce { arith.addf } ins(%x : tensor<3x1000xf16>) outs(%i : tensor<3xf16>) dimensions = [1]
    %e = tensor.empty() : tensor<1000xf16>
    %s = linalg.reduce ins(%x : tensor<3x1000xf16>) outs(%e : tensor<1000xf16>) dimensions = [0]
      (%a: f16, %b: f16) {
        %t = arith.addf %b, %a : f16
        linalg.yield %t : f16
      })",
      {{"%r", "3xf16"}, {"%s", "1000xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(3000, 5), i = {1, 2, 3};
  f.setHalves(0, x);
  f.setHalves(1, i);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> rows, columns;
  for (int r = 0; r < 3; ++r) {
    float sum = i[r];
    for (int c = 0; c < 1000; ++c)
      sum += x[r * 1000 + c];
    rows.push_back(roundHalf(sum));
  }
  for (int c = 0; c < 1000; ++c) {
    float sum = 0;
    for (int r = 0; r < 3; ++r)
      sum += x[r * 1000 + c];
    columns.push_back(roundHalf(sum));
  }
  EXPECT_EQ(f.getHalves(0, 3), rows);
  EXPECT_EQ(f.getHalves(1, 1000), columns);
}

TEST(LinalgTest, SumsOfManyRows) {
  // More rows than are folded side by side, and a rest of each kind.
  TensorKernel f({{"%x", "5x37x517xf32"}},
                 R"(%e = tensor.empty() : tensor<5x37xf32>
    %r = linalg.reduce { arith.addf } ins(%x : tensor<5x37x517xf32>) outs(%e : tensor<5x37xf32>) dimensions = [2]
    %e2 = tensor.empty() : tensor<37xf32>
    %s = linalg.reduce { arith.addf } ins(%x : tensor<5x37x517xf32>) outs(%e2 : tensor<37xf32>) dimensions = [0, 2]
    %e3 = tensor.empty() : tensor<f32>
    %t0 = linalg.reduce { arith.mulf } ins(%r : tensor<5x37xf32>) outs(%e3 : tensor<f32>) dimensions = [0, 1]
    %t = tensor.expand_shape %t0 [] output_shape [1] : tensor<f32> into tensor<1xf32>)",
                 {{"%r", "5x37xf32"}, {"%s", "37xf32"}, {"%t", "1xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x =
      make(5 * 37 * 517, [](size_t i) { return 1.0f / float(i % 1009 + 3); });
  f.set(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> rows, both(37, 0.0f);
  for (int r = 0; r < 5 * 37; ++r) {
    float sum = 0;
    for (int c = 0; c < 517; ++c) {
      sum += x[r * 517 + c];
      both[r % 37] += x[r * 517 + c];
    }
    rows.push_back(sum);
  }
  float product = 1;
  for (float value : rows)
    product *= value;
  EXPECT_EQ(f.get<float>(0, 5 * 37), rows);
  EXPECT_EQ(f.get<float>(1, 37), both);
  EXPECT_EQ(f.get<float>(2, 1), std::vector<float>{product});
}

TEST(LinalgTest, ExtremaStartFromTheirIdentity) {
  const char *body = R"(%e = tensor.empty() : tensor<3xf16>
    %r0 = linalg.reduce { arith.maximumf } ins(%x : tensor<3x70xf16>) outs(%e : tensor<3xf16>) dimensions = [1]
    %r1 = linalg.reduce { arith.minimumf } ins(%x : tensor<3x70xf16>) outs(%e : tensor<3xf16>) dimensions = [1]
    %r2 = linalg.reduce { arith.maxnumf } ins(%x : tensor<3x70xf16>) outs(%e : tensor<3xf16>) dimensions = [1]
    %r3 = linalg.reduce { arith.minnumf } ins(%x : tensor<3x70xf16>) outs(%e : tensor<3xf16>) dimensions = [1]
    %e70 = tensor.empty() : tensor<70xf16>
    %r4 = linalg.reduce { arith.maximumf } ins(%x : tensor<3x70xf16>) outs(%e70 : tensor<70xf16>) dimensions = [0])";
  TensorKernel f({{"%x", "3x70xf16"}}, body,
                 {{"%r0", "3xf16"},
                  {"%r1", "3xf16"},
                  {"%r2", "3xf16"},
                  {"%r3", "3xf16"},
                  {"%r4", "70xf16"}});
  ASSERT_TRUE(f) << f.messages();
  // Rows of negative and of positive numbers, and one with a NaN.
  std::vector<float> x = make(210, [](size_t i) {
    return i < 70 ? -1.0f - float((i * 13) % 70) : 2.0f + float((i * 11) % 70);
  });
  x[140 + 33] = std::numeric_limits<float>::quiet_NaN();
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_TRUE(f.fixture.found("*").empty()) << f.messages();
  float top = 0, bottom = 100;
  for (int c = 0; c < 70; ++c)
    if (c != 33) {
      top = std::max(top, x[140 + c]);
      bottom = std::min(bottom, x[140 + c]);
    }
  std::vector<float> maximum = f.getHalves(0, 3), minimum = f.getHalves(1, 3);
  EXPECT_EQ(maximum[0], -1);
  EXPECT_EQ(maximum[1], 71);
  EXPECT_TRUE(std::isnan(maximum[2]));
  EXPECT_EQ(minimum[0], -70);
  EXPECT_EQ(minimum[1], 2);
  EXPECT_TRUE(std::isnan(minimum[2]));
  EXPECT_EQ(f.getHalves(2, 3), (std::vector<float>{-1, 71, top}));
  EXPECT_EQ(f.getHalves(3, 3), (std::vector<float>{-70, 2, bottom}));
  std::vector<float> columns = f.getHalves(4, 70);
  for (int c = 0; c < 70; ++c) {
    if (c == 33)
      EXPECT_TRUE(std::isnan(columns[c]));
    else
      EXPECT_EQ(columns[c], std::max(x[70 + c], x[140 + c])) << c;
  }
}

TEST(LinalgTest, IntegerReductions) {
  std::string body = "%e = tensor.empty() : tensor<2xi32>\n";
  std::vector<TensorValue> results;
  const char *ops[] = {"addi",  "muli",  "andi",  "ori",  "xori",
                       "maxsi", "minsi", "maxui", "minui"};
  for (const char *op : ops) {
    std::string name = std::string("%r_") + op;
    body += name + " = linalg.reduce { arith." + op +
            " } ins(%x : tensor<2x75xi32>) outs(%e : tensor<2xi32>) "
            "dimensions = [1]\n";
    results.push_back({name, "2xi32"});
  }
  TensorKernel f({{"%x", "2x75xi32"}}, body, results);
  ASSERT_TRUE(f) << f.messages();
  std::vector<int32_t> x;
  for (int i = 0; i < 150; ++i)
    x.push_back(int32_t(uint32_t(i + 1) * 2654435761u) | 1);
  f.set(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int op = 0; op < 9; ++op)
    for (int r = 0; r < 2; ++r) {
      uint32_t acc = x[r * 75];
      for (int c = 1; c < 75; ++c) {
        uint32_t y = x[r * 75 + c];
        acc = op == 0   ? acc + y
              : op == 1 ? acc * y
              : op == 2 ? acc & y
              : op == 3 ? acc | y
              : op == 4 ? acc ^ y
              : op == 5 ? uint32_t(std::max(int32_t(acc), int32_t(y)))
              : op == 6 ? uint32_t(std::min(int32_t(acc), int32_t(y)))
              : op == 7 ? std::max(acc, y)
                        : std::min(acc, y);
      }
      EXPECT_EQ(f.get<int32_t>(op, 2)[r], int32_t(acc)) << ops[op];
    }
}

TEST(LinalgTest, SeveralOutputs) {
  // The largest element and its place, which depend on each other, beside a
  // sum, which does not.
  TensorKernel f({{"%x", "3x45xf16"}},
                 R"(%low = arith.constant 0xFC00 : f16
    %z = arith.constant 0 : i32
    %e0 = tensor.empty() : tensor<3xf16>
    %e1 = tensor.empty() : tensor<3xi32>
    %i0 = linalg.fill ins(%low : f16) outs(%e0 : tensor<3xf16>) -> tensor<3xf16>
    %i1 = linalg.fill ins(%z : i32) outs(%e1 : tensor<3xi32>) -> tensor<3xi32>
    %r:3 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x45xf16>) outs(%i0, %i1, %e0 : tensor<3xf16>, tensor<3xi32>, tensor<3xf16>) {
    ^bb0(%a: f16, %m: f16, %w: i32, %s: f16):
      %c = linalg.index 1 : index
      %ci = arith.index_cast %c : index to i32
      %g = arith.cmpf ogt, %a, %m : f16
      %m2 = arith.select %g, %a, %m : f16
      %w2 = arith.select %g, %ci, %w : i32
      %s2 = arith.addf %s, %a : f16
      linalg.yield %m2, %w2, %s2 : f16, i32, f16
    } -> (tensor<3xf16>, tensor<3xi32>, tensor<3xf16>))",
                 {{"%r#0", "3xf16"}, {"%r#1", "3xi32"}, {"%r#2", "3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(135, 8);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int r = 0; r < 3; ++r) {
    int best = 0;
    float sum = 0;
    for (int c = 0; c < 45; ++c) {
      if (x[r * 45 + c] > x[r * 45 + best])
        best = c;
      sum += x[r * 45 + c];
    }
    EXPECT_EQ(f.getHalves(0, 3)[r], x[r * 45 + best]);
    EXPECT_EQ(f.get<int32_t>(1, 3)[r], best);
    EXPECT_EQ(f.getHalves(2, 3)[r], roundHalf(sum));
  }
}

TEST(LinalgTest, OtherCombinersRoundEveryStep) {
  // UP-5: in ascending order.
  // s <- s / 2 + x: two ops in the combiner, each rounded to f16, in order.
  TensorKernel f({{"%x", "2x33xf16"}, {"%i", "2xf16"}},
                 R"(%h = arith.constant 0.5 : f16
    %r = linalg.reduce ins(%x : tensor<2x33xf16>) outs(%i : tensor<2xf16>) dimensions = [1]
      (%a: f16, %s: f16) {
        %t = arith.mulf %s, %h : f16
        %u = arith.addf %t, %a : f16
        linalg.yield %u : f16
      })",
                 {{"%r", "2xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(66, 8), expected = {1, 7};
  f.setHalves(0, x);
  f.setHalves(1, expected);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 33; ++c)
      expected[r] = roundHalf(roundHalf(expected[r] * 0.5f) + x[r * 33 + c]);
  EXPECT_EQ(f.getHalves(0, 2), expected);
}

TEST(LinalgTest, TermsOfASum) {
  // A rounded term (x * y + 1 is two f16 ops), and squares, which are not
  // rounded before they are added.
  TensorKernel f({{"%x", "3x65xf16"}, {"%y", "65xf16"}},
                 R"(%one = arith.constant 1.0 : f16
    %e = tensor.empty() : tensor<3xf16>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<3x65xf16>, tensor<65xf16>) outs(%e, %e : tensor<3xf16>, tensor<3xf16>) {
    ^bb0(%a: f16, %b: f16, %s: f16, %q: f16):
      %p = arith.mulf %a, %b : f16
      %t = arith.addf %p, %one : f16
      %s2 = arith.addf %t, %s : f16
      %d = arith.subf %a, %b : f16
      %sq = arith.mulf %d, %d : f16
      %q2 = arith.addf %q, %sq : f16
      linalg.yield %s2, %q2 : f16, f16
    } -> (tensor<3xf16>, tensor<3xf16>))",
                 {{"%r#0", "3xf16"}, {"%r#1", "3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(195, 4), y = sample(65, 9);
  f.setHalves(0, x);
  f.setHalves(1, y);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int r = 0; r < 3; ++r) {
    float sum = 0, squares = 0;
    for (int c = 0; c < 65; ++c) {
      float a = x[r * 65 + c], b = y[c], d = roundHalf(a - b), square = d * d;
      sum += roundHalf(roundHalf(a * b) + 1);
      squares += square;
    }
    EXPECT_EQ(f.getHalves(0, 3)[r], roundHalf(sum));
    EXPECT_EQ(f.getHalves(1, 3)[r], roundHalf(squares));
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

TEST(LinalgTest, AnyIndexingMap) {
  // Sliding sums (d0 + d1), a division, a constant, and an output that is a
  // slice of its initial value.
  TensorKernel f({{"%x", "9xf16"}, {"%m", "4x3xf16"}},
                 R"(%w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
    %e7 = tensor.empty() : tensor<7xf16>
    %r0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<9xf16>, tensor<3xf16>) outs(%e7 : tensor<7xf16>) {
    ^bb0(%a: f16, %b: f16, %c: f16):
      %p = arith.mulf %a, %b : f16
      %s = arith.addf %c, %p : f16
      linalg.yield %s : f16
    } -> tensor<7xf16>
    %e18 = tensor.empty() : tensor<18xf16>
    %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<9xf16>) outs(%e18 : tensor<18xf16>) {
    ^bb0(%a: f16, %c: f16):
      linalg.yield %a : f16
    } -> tensor<18xf16>
    %e4 = tensor.empty() : tensor<4xf16>
    %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m : tensor<4x3xf16>) outs(%e4 : tensor<4xf16>) {
    ^bb0(%a: f16, %c: f16):
      linalg.yield %a : f16
    } -> tensor<4xf16>
    %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 2)>], iterator_types = ["parallel"]} ins(%r2 : tensor<4xf16>) outs(%m : tensor<4x3xf16>) {
    ^bb0(%a: f16, %c: f16):
      linalg.yield %a : f16
    } -> tensor<4x3xf16>
    %e34 = tensor.empty() : tensor<3x4xf16>
    %r4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x3xf16>) outs(%e34 : tensor<3x4xf16>) {
    ^bb0(%a: f16, %c: f16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %ten = arith.constant 10 : index
      %k = arith.muli %i, %ten : index
      %l = arith.addi %k, %j : index
      %li = arith.index_cast %l : index to i32
      %lf = arith.sitofp %li : i32 to f16
      %s = arith.addf %a, %lf : f16
      linalg.yield %s : f16
    } -> tensor<3x4xf16>)",
                 {{"%r0", "7xf16"},
                  {"%r1", "18xf16"},
                  {"%r2", "4xf16"},
                  {"%r3", "4x3xf16"},
                  {"%r4", "3x4xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = make(9, [](int i) { return float(i * i) - 20; });
  std::vector<float> m = make(12, [](int i) { return float(i) + 0.5f; });
  f.setHalves(0, x);
  f.setHalves(1, m);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 7),
            make(7, [&](int i) { return x[i] + 2 * x[i + 1] + 3 * x[i + 2]; }));
  EXPECT_EQ(f.getHalves(1, 18), make(18, [&](int i) { return x[i / 2]; }));
  EXPECT_EQ(f.getHalves(2, 4), make(4, [&](int i) { return m[3 * i + 1]; }));
  EXPECT_EQ(f.getHalves(3, 12),
            make(12, [&](int i) { return i % 3 == 2 ? m[i - 1] : m[i]; }));
  EXPECT_EQ(f.getHalves(4, 12), make(12, [&](int i) {
              return m[i % 4 * 3 + i / 4] + float(i / 4 * 10 + i % 4);
            }));
}

TEST(LinalgTest, MovingOps) {
  TensorKernel f({{"%x", "3x5xf16"}, {"%y", "3x5xf16"}},
                 R"(%s = arith.constant 2.5 : f16
    %e35 = tensor.empty() : tensor<3x5xf16>
    %e53 = tensor.empty() : tensor<5x3xf16>
    %e325 = tensor.empty() : tensor<3x2x5xf16>
    %r0 = linalg.fill ins(%s : f16) outs(%e35 : tensor<3x5xf16>) -> tensor<3x5xf16>
    %r1 = linalg.transpose ins(%x : tensor<3x5xf16>) outs(%e53 : tensor<5x3xf16>) permutation = [1, 0]
    %r2 = linalg.broadcast ins(%x : tensor<3x5xf16>) outs(%e325 : tensor<3x2x5xf16>) dimensions = [1]
    %r3 = linalg.copy ins(%x : tensor<3x5xf16>) outs(%e35 : tensor<3x5xf16>) -> tensor<3x5xf16>
    %r4 = linalg.map { arith.subf } ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%e35 : tensor<3x5xf16>)
    %c = arith.cmpf olt, %x, %y : tensor<3x5xf16>
    %r5 = linalg.select ins(%c, %x, %y : tensor<3x5xi1>, tensor<3x5xf16>, tensor<3x5xf16>) outs(%e35 : tensor<3x5xf16>) -> tensor<3x5xf16>
    %r6 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%e35 : tensor<3x5xf16>) -> tensor<3x5xf16>
    %r7 = linalg.map { arith.addf } ins(%x, %x : tensor<3x5xf16>, tensor<3x5xf16>) outs(%x : tensor<3x5xf16>)
    %r8 = arith.addf %x, %r7 : tensor<3x5xf16>)",
                 {{"%r0", "3x5xf16"},
                  {"%r1", "5x3xf16"},
                  {"%r2", "3x2x5xf16"},
                  {"%r3", "3x5xf16"},
                  {"%r4", "3x5xf16"},
                  {"%r5", "3x5xf16"},
                  {"%r6", "3x5xf16"},
                  {"%r7", "3x5xf16"},
                  {"%r8", "3x5xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = make(15, [](int i) { return float(i) - 4; });
  std::vector<float> y = make(15, [](int i) { return float(i * 7 % 15) - 7; });
  f.setHalves(0, x);
  f.setHalves(1, y);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  auto expect = [&](int result, int count, auto value) {
    EXPECT_EQ(f.getHalves(result, count),
              make(count, [&](int i) { return float(value(i)); }))
        << result;
  };
  expect(0, 15, [&](int) { return 2.5f; });
  expect(1, 15, [&](int i) { return x[i % 3 * 5 + i / 3]; });
  expect(2, 30, [&](int i) { return x[i / 10 * 5 + i % 5]; });
  expect(3, 15, [&](int i) { return x[i]; });
  expect(4, 15, [&](int i) { return x[i] - y[i]; });
  expect(5, 15, [&](int i) { return std::min(x[i], y[i]); });
  expect(6, 15, [&](int i) { return x[i] * y[i]; });
  expect(7, 15, [&](int i) { return 2 * x[i]; });
  expect(8, 15, [&](int i) { return 3 * x[i]; });
}

TEST(LinalgTest, NamedElementwise) {
  const char *two[] = {"add", "sub", "mul", "div", "max", "min"};
  const char *one[] = {"negf", "abs", "ceil", "floor", "square"};
  std::string body = "%e = tensor.empty() : tensor<13xf16>\n";
  std::vector<TensorValue> results;
  for (const char *op : two)
    body += std::string("%r_") + op + " = linalg." + op +
            " ins(%x, %y : tensor<13xf16>, tensor<13xf16>) outs(%e : "
            "tensor<13xf16>) -> tensor<13xf16>\n";
  for (const char *op : one)
    body += std::string("%r_") + op + " = linalg." + op +
            " ins(%x : tensor<13xf16>) outs(%e : tensor<13xf16>) -> "
            "tensor<13xf16>\n";
  for (const char *op : two)
    results.push_back({std::string("%r_") + op, "13xf16"});
  for (const char *op : one)
    results.push_back({std::string("%r_") + op, "13xf16"});
  TensorKernel f({{"%x", "13xf16"}, {"%y", "13xf16"}}, body, results);
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(13, 2), y = sample(13, 6);
  f.setHalves(0, x);
  f.setHalves(1, y);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  auto expect = [&](int result, auto value) {
    EXPECT_EQ(f.getHalves(result, 13),
              make(13, [&](int i) { return roundHalf(value(x[i], y[i])); }))
        << result;
  };
  expect(0, [](float a, float b) { return a + b; });
  expect(1, [](float a, float b) { return a - b; });
  expect(2, [](float a, float b) { return a * b; });
  expect(3, [](float a, float b) { return a / b; });
  expect(4, [](float a, float b) { return std::max(a, b); });
  expect(5, [](float a, float b) { return std::min(a, b); });
  expect(6, [](float a, float) { return -a; });
  expect(7, [](float a, float) { return std::fabs(a); });
  expect(8, [](float a, float) { return std::ceil(a); });
  expect(9, [](float a, float) { return std::floor(a); });
  expect(10, [](float a, float) { return a * a; });
}

//===----------------------------------------------------------------------===//
// Values and buffers
//===----------------------------------------------------------------------===//

TEST(LinalgTest, OutsKeepTheirValue) {
  // UP-3: no change of a value can be seen.
  // One tensor is the accumulator of two products and is stored afterwards.
  TensorKernel f(
      {{"%a", "2x3xf16"}, {"%b", "3x2xf16"}, {"%c", "2x2xf32"}},
      R"(%r = linalg.matmul ins(%a, %b : tensor<2x3xf16>, tensor<3x2xf16>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
    %s = linalg.matmul ins(%a, %b : tensor<2x3xf16>, tensor<3x2xf16>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
    %t = linalg.copy ins(%c : tensor<2x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>)",
      {{"%r", "2x2xf32"}, {"%s", "2x2xf32"}, {"%t", "2x2xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(6, 1), b = sample(6, 2), c = {1, 2, 3, 4};
  f.setHalves(0, a);
  f.setHalves(1, b);
  f.set(2, c);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.get<float>(0, 4), multiply(a, b, c, 2, 2, 3));
  EXPECT_EQ(f.get<float>(1, 4), multiply(a, b, c, 2, 2, 3));
  EXPECT_EQ(f.get<float>(2, 4), c);
}

TEST(LinalgTest, DyingAccumulatorIsReused) {
  // The loop carries one 64 x 64 f32 accumulator, which is updated in place:
  // beside it only the two operands are alive.
  TensorKernel f({{"%a", "64x64xf16"}, {"%b", "64x64xf16"}},
                 R"(%z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %e = tensor.empty() : tensor<64x64xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %i) -> tensor<64x64xf32> {
      %s = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%acc : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %s : tensor<64x64xf32>
    })",
                 {{"%r", "64x64xf32"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> a = sample(4096, 1), b = sample(4096, 2), c(4096);
  f.setHalves(0, a);
  f.setHalves(1, b);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int i = 0; i < 3; ++i)
    c = multiply(a, b, c, 64, 64, 64);
  EXPECT_EQ(f.get<float>(0, 4096), c);
  EXPECT_EQ(f.fixture.last->scratchpadPeak(), 4096 * (4 + 2 + 2u));
}

TEST(LinalgTest, ReadOfAnUninitialisedTensor) {
  // UP-2: where it is no identity, the read is reported.
  TensorKernel f({{"%x", "5xf16"}},
                 R"(%e = tensor.empty() : tensor<5xf16>
    %r = linalg.add ins(%x, %e : tensor<5xf16>, tensor<5xf16>) outs(%e : tensor<5xf16>) -> tensor<5xf16>
    %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<5xf16>) outs(%e : tensor<5xf16>) {
    ^bb0(%a: f16, %c: f16):
      %t = arith.addf %a, %c : f16
      linalg.yield %t : f16
    } -> tensor<5xf16>)",
                 {{"%r", "5xf16"}, {"%s", "5xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(5, 1);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Failed);
  EXPECT_EQ(f.fixture.found("UP-2").size(), 2u) << f.messages();
  EXPECT_EQ(f.getHalves(0, 5), x);
  EXPECT_EQ(f.getHalves(1, 5), x);
}

TEST(LinalgTest, DeviceNumerics) {
  // In mode `device` f16 elements are DL16 codes, also inside a product.
  const char *body =
      R"(%e = tensor.empty() : tensor<3x2xf16>
    %r = linalg.matmul ins(%a, %b : tensor<3x5xf16>, tensor<5x2xf16>) outs(%e : tensor<3x2xf16>) -> tensor<3x2xf16>)";
  TensorKernel f({{"%a", "3x5xf16"}, {"%b", "5x2xf16"}}, body,
                 {{"%r", "3x2xf16"}}, "", NumericsMode::Device);
  ASSERT_TRUE(f) << f.messages();
  auto dl16 = [](float value) { return numerics::encodeDL16(value); };
  std::vector<float> a, b;
  std::vector<uint16_t> aCodes, bCodes, expected;
  for (int i = 0; i < 15; ++i)
    a.push_back(numerics::roundDL16(float(i * 13 % 15) / 3.0f));
  for (int i = 0; i < 10; ++i)
    b.push_back(numerics::roundDL16(1.0f - float(i) / 7.0f));
  for (float value : a)
    aCodes.push_back(dl16(value));
  for (float value : b)
    bCodes.push_back(dl16(value));
  f.set(0, aCodes);
  f.set(1, bCodes);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (float value : multiply(a, b, std::vector<float>(6), 3, 2, 5))
    expected.push_back(dl16(value));
  EXPECT_EQ(f.get<uint16_t>(0, 6), expected);
}

//===----------------------------------------------------------------------===//
// Extents and errors
//===----------------------------------------------------------------------===//

TEST(LinalgTest, DynamicExtentsAreChecked) {
  TensorKernel f({},
                 R"(%c5 = arith.constant 5 : index
    %z = arith.constant 1.0 : f16
    %e5 = tensor.empty(%c5) : tensor<?xf16>
    %en = tensor.empty(%n) : tensor<?xf16>
    %x = linalg.fill ins(%z : f16) outs(%e5 : tensor<?xf16>) -> tensor<?xf16>
    %y = linalg.fill ins(%z : f16) outs(%en : tensor<?xf16>) -> tensor<?xf16>
    %r = linalg.add ins(%x, %y : tensor<?xf16>, tensor<?xf16>) outs(%e5 : tensor<?xf16>) -> tensor<?xf16>)",
                 {});
  ASSERT_TRUE(f) << f.messages();
  EXPECT_EQ(f.run(5), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.run(4), RunStatus::Failed);
  ASSERT_EQ(f.fixture.found("*").size(), 1u);
  EXPECT_NE(f.fixture.found("*")[0].message.find(
                "operand 1 has extent 4 in dimension 0, expected 5"),
            std::string::npos)
      << f.messages();
}

TEST(LinalgTest, EmptyExtents) {
  // Nothing is added to an accumulator, and a maximum of nothing is -inf.
  TensorKernel f({{"%c", "2xf16"}},
                 R"(%z = arith.constant 0 : index
    %one = arith.constant 1.0 : f16
    %ex = tensor.empty(%z) : tensor<2x?xf16>
    %x = linalg.fill ins(%one : f16) outs(%ex : tensor<2x?xf16>) -> tensor<2x?xf16>
    %e = tensor.empty() : tensor<2xf16>
    %r = linalg.reduce { arith.addf } ins(%x : tensor<2x?xf16>) outs(%c : tensor<2xf16>) dimensions = [1]
    %s = linalg.reduce { arith.maximumf } ins(%x : tensor<2x?xf16>) outs(%e : tensor<2xf16>) dimensions = [1])",
                 {{"%r", "2xf16"}, {"%s", "2xf16"}});
  ASSERT_TRUE(f) << f.messages();
  f.setHalves(0, {3, 4});
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  float low = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(f.getHalves(0, 2), (std::vector<float>{3, 4}));
  EXPECT_EQ(f.getHalves(1, 2), (std::vector<float>{low, low}));
}

TEST(LinalgTest, RefusedOps) {
  Fixture memory(R"(
    func.func @k(%x: index) {
      %v = ktdp.construct_memory_view %x, sizes: [4], strides: [1] {coordinate_set = affine_set<(a) : (a >= 0, -a + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
      linalg.add ins(%v, %v : memref<4xf16>, memref<4xf16>) outs(%v : memref<4xf16>)
      return
    })",
                 Level::Ktir);
  EXPECT_FALSE(memory);
  EXPECT_NE(memory.errors.find("op 'linalg.add' on memory cannot be executed"),
            std::string::npos)
      << memory.errors;
  TensorKernel convolution(
      {{"%x", "8xf16"}, {"%w", "3xf16"}, {"%o", "6xf16"}},
      "%r = linalg.conv_1d ins(%x, %w : tensor<8xf16>, tensor<3xf16>) outs(%o "
      ": tensor<6xf16>) -> tensor<6xf16>",
      {});
  EXPECT_FALSE(convolution);
  EXPECT_NE(
      convolution.messages().find("op 'linalg.conv_1d' cannot be executed"),
      std::string::npos)
      << convolution.messages();
}

//===----------------------------------------------------------------------===//
// Reductions of spyreop
//===----------------------------------------------------------------------===//

// A pair has the halves of the mode, as the two values by themselves do.
TEST(LinalgTest, MomentsAsAPairOfHalves) {
  const char *maps = R"(#in = affine_map<(r, c) -> (r, c)>
    #row = affine_map<(r, c) -> (r, 0)>
)";
  for (NumericsMode mode : {NumericsMode::Ieee, NumericsMode::Device}) {
    TensorKernel f({{"%x", "2x64xf16"}},
                   R"(%e = tensor.empty() : tensor<2x1xf16>
    %m:2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x64xf16>) outs(%e, %e : tensor<2x1xf16>, tensor<2x1xf16>) {
    ^bb0(%a: f16, %o: f16, %p: f16):
      %u, %v = spyreop.exx2 %a : f16
      linalg.yield %u, %v : f16, f16
    } -> (tensor<2x1xf16>, tensor<2x1xf16>)
    %ep = tensor.empty() : tensor<2x1x!spyreop.fp16_fused>
    %pair = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x64xf16>) outs(%ep : tensor<2x1x!spyreop.fp16_fused>) {
    ^bb0(%a: f16, %o: !spyreop.fp16_fused):
      %u = spyreop.exx2_fused %a : f16 -> !spyreop.fp16_fused
      linalg.yield %u : !spyreop.fp16_fused
    } -> tensor<2x1x!spyreop.fp16_fused>
    %s = linalg.generic {indexing_maps = [#in, #in], iterator_types = ["parallel", "parallel"]} ins(%pair : tensor<2x1x!spyreop.fp16_fused>) outs(%e : tensor<2x1xf16>) {
    ^bb0(%a: !spyreop.fp16_fused, %o: f16):
      %u = spyreop.layernormscale_fused %a : !spyreop.fp16_fused -> f16
      linalg.yield %u : f16
    } -> tensor<2x1xf16>
    %t = linalg.generic {indexing_maps = [#in, #in, #in], iterator_types = ["parallel", "parallel"]} ins(%m#0, %m#1 : tensor<2x1xf16>, tensor<2x1xf16>) outs(%e : tensor<2x1xf16>) {
    ^bb0(%a: f16, %q: f16, %o: f16):
      %u = spyreop.layernormscale %a squares %q : f16
      linalg.yield %u : f16
    } -> tensor<2x1xf16>)",
                   {{"%s", "2x1xf16"}, {"%t", "2x1xf16"}}, maps, mode);
    ASSERT_TRUE(f) << f.messages();
    bool isDevice = mode == NumericsMode::Device;
    std::vector<uint16_t> codes;
    double mean = 0, squares = 0;
    for (int i = 0; i < 64; ++i) {
      float value = float(i % 16) / 8 - 0.5f;
      mean += value / 64;
      squares += value * value / 64;
      codes.push_back(isDevice ? numerics::encodeDL16(value) : half(value));
    }
    codes.insert(codes.end(), codes.begin(), codes.end());
    f.set(0, codes);
    EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
    std::vector<uint16_t> scales = f.get<uint16_t>(0, 2);
    EXPECT_EQ(scales, f.get<uint16_t>(1, 2));
    for (uint16_t code : scales)
      EXPECT_NEAR(isDevice ? numerics::decodeDL16(code) : fromHalf(code),
                  1 / std::sqrt(squares - mean * mean + 1e-5), 0.01);
  }
}

TEST(LinalgTest, Moments) {
  // Means of 65 elements and of their squares, as two values and as a pair,
  // from which the scale is computed; the norm finds the mean that belongs to
  // its operand.
  const char *maps = R"(#in = affine_map<(r, c) -> (r, c)>
    #row = affine_map<(r, c) -> (r, 0)>
    #all = affine_map<(r, c) -> (c)>
)";
  TensorKernel f({{"%x", "3x65xf32"}, {"%w", "65xf32"}, {"%b", "65xf32"}},
                 R"(%e = tensor.empty() : tensor<3x1xf32>
    %m:2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x65xf32>) outs(%e, %e : tensor<3x1xf32>, tensor<3x1xf32>) {
    ^bb0(%a: f32, %o: f32, %p: f32):
      %u, %v = spyreop.exx2 %a : f32
      linalg.yield %u, %v : f32, f32
    } -> (tensor<3x1xf32>, tensor<3x1xf32>)
    %ep = tensor.empty() : tensor<3x1x!spyreop.fp32_fused>
    %pair = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x65xf32>) outs(%ep : tensor<3x1x!spyreop.fp32_fused>) {
    ^bb0(%a: f32, %o: !spyreop.fp32_fused):
      %u = spyreop.exx2_fused %a : f32 -> !spyreop.fp32_fused
      linalg.yield %u : !spyreop.fp32_fused
    } -> tensor<3x1x!spyreop.fp32_fused>
    %s = linalg.generic {indexing_maps = [#in, #in], iterator_types = ["parallel", "parallel"]} ins(%pair : tensor<3x1x!spyreop.fp32_fused>) outs(%e : tensor<3x1xf32>) {
    ^bb0(%a: !spyreop.fp32_fused, %o: f32):
      %u = spyreop.layernormscale_fused %a : !spyreop.fp32_fused -> f32
      linalg.yield %u : f32
    } -> tensor<3x1xf32>
    %t = linalg.generic {indexing_maps = [#in, #in, #in], iterator_types = ["parallel", "parallel"]} ins(%m#0, %m#1 : tensor<3x1xf32>, tensor<3x1xf32>) outs(%e : tensor<3x1xf32>) {
    ^bb0(%a: f32, %q: f32, %o: f32):
      %u = spyreop.layernormscale %a squares %q : f32
      linalg.yield %u : f32
    } -> tensor<3x1xf32>
    %ey = tensor.empty() : tensor<3x65xf32>
    %y = linalg.generic {indexing_maps = [#in, #row, #row, #row, #all, #all, #in], iterator_types = ["parallel", "parallel"]} ins(%x, %m#0, %m#1, %t, %w, %b : tensor<3x65xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<65xf32>, tensor<65xf32>) outs(%ey : tensor<3x65xf32>) {
    ^bb0(%a: f32, %mean: f32, %q: f32, %sc: f32, %wt: f32, %bi: f32, %o: f32):
      %u = spyreop.layernormnorm %a squares %q scale %sc weight %wt bias %bi : f32
      linalg.yield %u : f32
    } -> tensor<3x65xf32>)",
                 {{"%m#0", "3x1xf32"},
                  {"%m#1", "3x1xf32"},
                  {"%s", "3x1xf32"},
                  {"%t", "3x1xf32"},
                  {"%y", "3x65xf32"}},
                 maps);
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(195, 4), w = sample(65, 5), b = sample(65, 6);
  f.set(0, x);
  f.set(1, w);
  f.set(2, b);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  std::vector<float> means, squares;
  for (int r = 0; r < 3; ++r) {
    float sum = 0, square = 0;
    for (int c = 0; c < 65; ++c) {
      float a = x[r * 65 + c], product = a * a;
      sum += a;
      square += product;
    }
    means.push_back(sum / 65);
    squares.push_back(square / 65);
  }
  EXPECT_EQ(f.get<float>(0, 3), means);
  EXPECT_EQ(f.get<float>(1, 3), squares);
  EXPECT_EQ(f.get<float>(2, 3), f.get<float>(3, 3));
  std::vector<float> y = f.get<float>(4, 195);
  for (int i = 0; i < 195; ++i) {
    double mean = means[i / 65];
    double scale = 1 / std::sqrt(squares[i / 65] - mean * mean + 1e-5);
    double expected = (x[i] - mean) * scale * w[i % 65] + b[i % 65];
    EXPECT_NEAR(y[i], expected, 1e-4 + 1e-5 * std::fabs(expected)) << i;
  }
}

TEST(LinalgTest, MomentsOfHalvesRoundOnce) {
  TensorKernel f({{"%x", "2x300xf16"}},
                 R"(%e = tensor.empty() : tensor<2xf16>
    %m:2 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x300xf16>) outs(%e, %e : tensor<2xf16>, tensor<2xf16>) {
    ^bb0(%a: f16, %o: f16, %p: f16):
      %u, %v = spyreop.exx2 %a : f16
      linalg.yield %v, %u : f16, f16
    } -> (tensor<2xf16>, tensor<2xf16>))",
                 {{"%m#0", "2xf16"}, {"%m#1", "2xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(600, 3);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int r = 0; r < 2; ++r) {
    float sum = 0, square = 0;
    for (int c = 0; c < 300; ++c) {
      float a = x[r * 300 + c], product = a * a;
      sum += a;
      square += product;
    }
    EXPECT_EQ(f.getHalves(0, 2)[r], roundHalf(square / 300));
    EXPECT_EQ(f.getHalves(1, 2)[r], roundHalf(sum / 300));
  }
}

TEST(LinalgTest, SliceReduction) {
  const char *kinds[] = {"add", "sub", "max", "min", "mul", "abs_max"};
  std::string body;
  std::vector<TensorValue> results;
  for (const char *kind : kinds)
    for (const char *scope : {"in_slice", "across_slice"}) {
      std::string name = std::string("%r_") + kind + "_" + scope;
      body += name +
              " = spyreop.slice_reduction %x {reduction_kind = "
              "#spyreop.reduction_kind<" +
              kind + ">, reduction_scope = #spyreop.reduction_scope<" + scope +
              ">} : tensor<3x64xf16> -> tensor<3x64xf16>\n";
      results.push_back({name, "3x64xf16"});
    }
  TensorKernel f({{"%x", "3x64xf16"}}, body, results);
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = sample(192, 7);
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  for (int result = 0; result < 12; ++result) {
    int kind = result / 2;
    bool inSlice = result % 2 == 0;
    std::vector<float> found = f.getHalves(result, 192);
    for (int i = 0; i < 192; ++i) {
      int lane = i % 64, fold = inSlice ? lane / 8 : lane;
      if (inSlice ? lane % 8 != 0 : lane >= 8) {
        EXPECT_TRUE(std::isnan(found[i])) << kinds[kind] << " lane " << i;
        continue;
      }
      auto term = [&](int t) {
        return x[i - lane + (inSlice ? fold * 8 + t : t * 8 + fold)];
      };
      float value = kind == 5 ? std::fabs(term(0)) : term(0);
      for (int t = 1; t < 8; ++t) {
        float next = term(t);
        value = kind == 0   ? value + next
                : kind == 1 ? value - next
                : kind == 2 ? std::max(value, next)
                : kind == 3 ? std::min(value, next)
                : kind == 4 ? value * next
                            : std::max(value, std::fabs(next));
      }
      EXPECT_EQ(found[i], roundHalf(value)) << kinds[kind] << " lane " << i;
    }
  }
}
