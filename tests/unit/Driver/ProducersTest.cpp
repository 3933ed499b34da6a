//===- ProducersTest.cpp - Kernels as real producers write them -----------===//
//
// Every kernel of tests/inputs/producers/ against its formula, computed here in
// f64. Tolerances follow from the roundings: results in f16 have one of 2^-11
// relative, intermediate f16 values each add one, sums and functions in f32 are
// far below that.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "TestKernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>

using namespace ktir;
using namespace ktir::test;

namespace {

using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

int64_t sizeOf(const Shape &shape) {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

/// Numbers between -1 and 1 that are multiples of 1/128, so exact in f16.
Values noise(int64_t count, uint32_t seed) {
  Values values(count);
  for (double &value : values) {
    seed = seed * 1664525 + 1013904223;
    value = (int(seed >> 24) - 128) / 128.0;
  }
  return values;
}

Tensor tensorOf(const std::string &dtype, const Shape &shape,
                const Values &values) {
  Tensor tensor{dtype, shape, {}};
  unsigned size = dtypeBytes(dtype);
  tensor.data.resize(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) {
    uint8_t *to = tensor.data.data() + i * size;
    if (dtype == "f16") {
      uint16_t bits = reference::toHalf(reference::roundHalf(values[i]));
      std::memcpy(to, &bits, 2);
    } else if (dtype == "f32") {
      float single = float(values[i]);
      std::memcpy(to, &single, 4);
    } else {
      int64_t integer = int64_t(values[i]);
      std::memcpy(to, &integer, size);
    }
  }
  return tensor;
}

Values valuesOf(const Tensor &tensor) {
  Values values(size_t(tensor.elements()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (tensor.dtype == "f16") {
      uint16_t bits;
      std::memcpy(&bits, &tensor.data[i * 2], 2);
      values[i] = reference::fromHalf(bits);
    } else {
      float single;
      std::memcpy(&single, &tensor.data[i * 4], 4);
      values[i] = single;
    }
  }
  return values;
}

/// A program as level `ktir` runs it.
Executable prepared(const std::string &text, bool strict) {
  CompileOptions options;
  options.to = Level::Ktir;
  options.strict = strict;
  Compilation compilation = compile(text, options);
  EXPECT_TRUE(compilation.succeeded());
  Executable executable = prepare(compilation, "", Level::Ktir);
  for (const Diagnostic &diagnostic : executable.diagnostics())
    ADD_FAILURE() << diagnostic.message;
  EXPECT_TRUE(executable.valid());
  return executable;
}

/// A kernel of the folder, its arguments, and one run of it.
class Producer {
public:
  explicit Producer(const std::string &file) {
    const std::string text =
        readSource("tests/inputs/producers/" + file + ".mlir");
    executable = prepared(text, /*strict=*/false);
    FormatResult formatted = format(text, file);
    EXPECT_TRUE(formatted.text.has_value());
    rewritten = prepared(formatted.text.value_or(""), /*strict=*/true);
  }

  /// Binds the next argument to a tensor.
  const Values &tensor(const std::string &dtype, const Shape &shape,
                       Values values) {
    inputs.push_back(values);
    ArgumentValue argument;
    argument.name = nextName();
    argument.value = tensorOf(dtype, shape, values);
    arguments.push_back(std::move(argument));
    return inputs.back();
  }
  const Values &half(const Shape &shape, uint32_t seed) {
    return tensor("f16", shape, noise(sizeOf(shape), seed));
  }
  /// Binds the next argument to a tensor of what no result is.
  void result(const std::string &dtype, const Shape &shape) {
    tensor(dtype, shape, Values(sizeOf(shape), -77));
  }
  void integer(int64_t value) {
    ArgumentValue argument;
    argument.name = nextName();
    argument.value = value;
    arguments.push_back(argument);
  }
  void real(double value) {
    ArgumentValue argument;
    argument.name = nextName();
    argument.value = value;
    arguments.push_back(argument);
  }

  /// Runs round robin and under a random interleaving, and then as `ktir fmt`
  /// writes it, all of which must agree.
  void run(bool warns = false, OutOfView policy = OutOfView::Pad) {
    LaunchOptions options;
    options.outOfView = policy;
    outputs = launched(executable, options, warns);
    options.interleaving = 5;
    const std::vector<Output> interleaved =
        launched(executable, options, warns);
    options.interleaving.reset();
    const std::vector<Output> again = launched(rewritten, options, warns);
    ASSERT_EQ(interleaved.size(), outputs.size());
    ASSERT_EQ(again.size(), outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(interleaved[i].tensor.data, outputs[i].tensor.data);
      EXPECT_EQ(again[i].tensor.data, outputs[i].tensor.data);
    }
  }

  /// Values of the tensor argument at position `argument`.
  Values read(size_t argument) const {
    for (const Output &output : outputs)
      if (output.name == executable.kernel().arguments[argument].name)
        return valuesOf(output.tensor);
    return {};
  }

  Executable executable, rewritten;
  std::vector<ArgumentValue> arguments;
  std::vector<Output> outputs;
  Report report;

private:
  std::vector<Output> launched(const Executable &program,
                               const LaunchOptions &options, bool warns) {
    Launch next = launch(program, arguments, options);
    EXPECT_EQ(finish(next), LaunchStatus::Finished)
        << next.findings()[0].message;
    EXPECT_EQ(next.findings().empty(), !warns);
    for (const Diagnostic &finding : next.findings())
      EXPECT_EQ(finding.severity, Severity::Warning) << finding.message;
    report = next.report();
    return next.outputs();
  }
  std::string nextName() const {
    return executable.kernel().arguments[arguments.size()].name;
  }
  std::deque<Values> inputs; // references to it are handed out
};

/// Expects |found - expected| <= relative * |expected| + absolute.
void expectNear(const Values &found, const Values &expected, double relative,
                double absolute) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i],
                relative * std::fabs(expected[i]) + absolute)
        << "element " << i;
}

constexpr double ulp = 1.0 / 2048; // half a unit in the last place of f16

TEST(ProducersTest, UnpackSticks) {
  Producer p("unpack_sticks");
  const Values &w = p.half({4, 4096, 64}, 1);
  p.result("f16", {64, 256, 64});
  p.integer(0);
  p.run();
  Values expected(64 * 256 * 64);
  for (int a = 0; a < 64; ++a)
    for (int n = 0; n < 256; ++n)
      for (int b = 0; b < 64; ++b)
        expected[(a * 256 + n) * 64 + b] =
            w[((n / 64) * 4096 + 64 * a + b) * 64 + n % 64];
  EXPECT_EQ(p.read(1), expected);
  // The loaded block and the turned one fill the scratchpad exactly.
  EXPECT_EQ(p.report.scratchpadPeak, 2097152u);
}

TEST(ProducersTest, TwinLinear) {
  Producer p("twin_linear");
  const Values &x = p.half({6, 1, 5, 64}, 1);
  const Values &a = p.half({4, 320, 64}, 2);
  const Values &b = p.half({4, 320, 64}, 3);
  p.result("f16", {6, 1, 4, 64});
  for (int i = 0; i < 3; ++i)
    p.integer(0);
  p.run();
  Values expected(6 * 256);
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 256; ++n) {
      double left = 0, right = 0;
      for (int k = 0; k < 320; ++k) {
        int64_t at = ((n / 64) * 320 + k) * 64 + n % 64;
        left += x[m * 320 + k] * a[at];
        right += x[m * 320 + k] * b[at];
      }
      expected[m * 256 + n] = left * right;
    }
  // Sums of 320 products of size 1/4 in f32, and their product.
  expectNear(p.read(3), expected, 1.1 * ulp, 1e-3);
}

TEST(ProducersTest, GateInPlace) {
  Producer p("gate_inplace");
  const Values x = p.half({1, 6, 4, 64}, 1);
  Values positive = noise(256, 2);
  for (double &value : positive)
    value = value * value + 0.125;
  for (double &value : positive)
    value = reference::roundHalf(value);
  const Values &v = p.tensor("f16", {1, 1, 4, 64}, positive);
  const Values &w = p.half({1, 1, 1, 64}, 3);
  p.integer(0);
  p.run();
  Values expected(6 * 256);
  for (int i = 0; i < 6 * 256; ++i) {
    double gate = x[i] / (1 + std::exp(-x[i]));
    gate = std::min(std::max(gate, -0.25), 7.0) / std::sqrt(v[i % 256] + 1e-5);
    expected[i] = reference::roundHalf(gate) * w[i % 64];
  }
  // One rounding before the product and one after.
  expectNear(p.read(0), expected, 3.1 * ulp, 1e-6);
}

/// R rows of memory, S of them used.
void reluAttention(int64_t R, int64_t S, bool warns) {
  SCOPED_TRACE("R " + std::to_string(R) + ", S " + std::to_string(S));
  const int64_t Z = (S + 15) / 16 * 16, H = 3;
  Producer p("relu_attn_varlen");
  Values q = noise(R * H * 64, 1), k = noise(H * R * 64, 2),
         v = noise(H * R * 64, 3), bias = noise(S * Z, 4);
  for (int64_t i = 0; i < H * R * 64; ++i) {
    // Columns beyond 40, and what lies beyond the used rows, are zero.
    if (i % 64 >= 40 || i / 64 % R >= S)
      k[i] = v[i] = 0;
    if (i / (H * 64) >= S)
      q[i] = 0;
  }
  for (int64_t i = 0; i < S * Z; ++i)
    if (i % Z >= S)
      bias[i] = -1e4;
  p.tensor("f16", {R, H, 1, 64}, q);
  p.tensor("f16", {H, R, 64}, k);
  p.tensor("f16", {H, R, 64}, v);
  p.tensor("f32", {S, Z}, bias);
  const double c = 0.25;
  p.real(c);
  p.result("f16", {R, H, 1, 64});
  p.result("f32", {H, Z});
  for (int64_t value : {S, Z, H, int64_t(192), 64 * R, int64_t(64), Z})
    p.integer(value);
  p.run(warns);
  Values out = p.read(5), top = p.read(6), expected(S * H * 64), highest;
  Values found(out.begin(), out.begin() + S * H * 64);
  for (int64_t i = 0; i < S; ++i)
    for (int64_t h = 0; h < H; ++h) {
      double sum = 0, maximum = -1e30;
      Values weighted(64, 0);
      for (int64_t j = 0; j < Z; ++j) {
        double s = 0;
        if (j < S)
          for (int64_t d = 0; d < 40; ++d)
            s += q[(i * H + h) * 64 + d] * k[(h * R + j) * 64 + d];
        s = c * s + bias[i * Z + j];
        maximum = std::max(maximum, s);
        double weight = std::max(s, 0.0);
        sum += weight;
        if (j < S)
          for (int64_t d = 0; d < 64; ++d)
            weighted[d] +=
                reference::roundHalf(weight) * v[(h * R + j) * 64 + d];
      }
      for (int64_t d = 0; d < 64; ++d)
        expected[(i * H + h) * 64 + d] = weighted[d] / (1 + sum);
      EXPECT_NEAR(top[h * Z + i], maximum, 1e-5);
    }
  // The weights are rounded to f16 from f32 values that may fall to the other
  // side of a tie; each then is off by 2^-11 of itself.
  expectNear(found, expected, 1.1 * ulp, 3 * ulp);
}

TEST(ProducersTest, ReluAttentionVarlen) {
  // Also with whole blocks, tiles hang over views of 40 of 64 columns.
  reluAttention(16, 16, true);
  reluAttention(48, 48, true);
  reluAttention(32, 24, true);
  // Blocks of 16 rows over 24 that end with the memory.
  reluAttention(24, 24, true);
  reluAttention(7, 7, true);
}

TEST(ProducersTest, SplitMerge) {
  Producer p("split_merge");
  Values part = noise(24 * 49, 1);
  // The second split of the third row is absent.
  part[(4 * 2 + 1) * 49 + 48] = std::numeric_limits<double>::infinity();
  p.tensor("f16", {24, 49}, part);
  p.result("f16", {6});
  p.result("f16", {6, 48});
  p.integer(4);
  p.run();
  Values total(6), merged(6 * 48);
  for (int r = 0; r < 6; ++r) {
    double maximum = -INFINITY, sum = 0;
    double logits[4];
    for (int s = 0; s < 4; ++s) {
      double l = part[(4 * r + s) * 49 + 48];
      logits[s] = l == INFINITY ? -INFINITY : l;
      maximum = std::max(maximum, logits[s]);
    }
    for (double l : logits)
      sum += std::exp(l - maximum);
    total[r] = maximum + std::log(sum);
    for (int d = 0; d < 48; ++d) {
      double value = 0;
      for (int s = 0; s < 4; ++s)
        value += std::exp(logits[s] - maximum) * part[(4 * r + s) * 49 + d];
      merged[r * 48 + d] = value / sum;
    }
  }
  // Everything is f16: four weights, products and sums of size 4.
  expectNear(p.read(1), total, 4 * ulp, 8 * ulp);
  expectNear(p.read(2), merged, 0, 12 * ulp);
}

TEST(ProducersTest, PickAndRank) {
  Producer p("pick_and_rank");
  const Values &x = p.half({6, 384}, 1);
  Values picks(30), mine(6);
  for (int i = 0; i < 30; ++i)
    picks[i] = (i * 97 + 13) % 384;
  for (int i = 0; i < 6; ++i)
    mine[i] = (i * 151 + 383) % 384;
  p.tensor("i64", {6, 5}, picks);
  p.tensor("i64", {6}, mine);
  p.result("f16", {6, 5});
  p.result("f16", {6});
  p.integer(384);
  p.integer(128);
  p.run();
  Values logp(30), rank(6);
  for (int r = 0; r < 6; ++r) {
    double sum = 0;
    for (int c = 0; c < 384; ++c) {
      sum += std::exp(x[r * 384 + c]);
      rank[r] += x[r * 384 + c] >= x[r * 384 + int(mine[r])];
    }
    for (int j = 0; j < 5; ++j)
      logp[r * 5 + j] = x[r * 384 + int(picks[r * 5 + j])] - std::log(sum);
  }
  expectNear(p.read(3), logp, 3 * ulp, 1e-4);
  EXPECT_EQ(p.read(4), rank);
}

TEST(ProducersTest, SlotCausal) {
  Producer p("slot_causal");
  const Values &q = p.half({2, 8, 3, 64}, 1);
  const Values &k = p.half({20, 3, 64}, 2);
  const Values &v = p.half({20, 3, 64}, 3);
  Values slots(16);
  for (int i = 0; i < 16; ++i)
    slots[i] = (i * 7 + 3) % 20;
  p.tensor("i32", {2, 8}, slots);
  p.result("f16", {2, 3, 8, 64});
  const double c = 0.125;
  p.real(c);
  p.run();
  Values expected(2 * 3 * 8 * 64);
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 3; ++h)
      for (int i = 0; i < 8; ++i) {
        double weights[8], sum = 0;
        for (int j = 0; j < 8; ++j) {
          double s = 0;
          for (int d = 0; d < 64; ++d)
            s += q[((b * 8 + i) * 3 + h) * 64 + d] *
                 k[(int(slots[b * 8 + j]) * 3 + h) * 64 + d];
          weights[j] = std::exp(c * s + (i >= j ? 0 : -1e4));
          sum += weights[j];
        }
        for (int d = 0; d < 64; ++d) {
          double value = 0;
          for (int j = 0; j < 8; ++j)
            value +=
                weights[j] / sum * v[(int(slots[b * 8 + j]) * 3 + h) * 64 + d];
          expected[((b * 3 + h) * 8 + i) * 64 + d] = value;
        }
      }
  // The weights, which sum to 1, may be rounded to f16 before the product.
  expectNear(p.read(4), expected, 1.1 * ulp, 2 * ulp);
}

TEST(ProducersTest, TurnAndFile) {
  Producer p("turn_and_file");
  const Values x = p.half({5, 96}, 1);
  const Values &cs = p.half({5, 16}, 2);
  const Values &sn = p.half({5, 16}, 3);
  Values slot = {7, 0, 11, 3, 4}, alt = {2, 9, 1, 10, 5};
  p.tensor("i64", {5}, slot);
  p.tensor("f16", {5}, alt);
  const Values cache = p.half({12, 96}, 4), copy = p.half({12, 96}, 5);
  p.integer(3);
  p.run();
  Values turned(5 * 96), filed = cache, copied = copy;
  for (int t = 0; t < 5; ++t) {
    for (int h = 0; h < 3; ++h)
      for (int i = 0; i < 16; ++i) {
        int a = t * 96 + h * 32 + i, b = a + 16;
        double c = cs[t * 16 + i], s = sn[t * 16 + i];
        turned[a] = x[a] * c - x[b] * s;
        turned[b] = x[b] * c + x[a] * s;
      }
    for (int i = 0; i < 96; ++i) {
      filed[int(slot[t]) * 96 + i] = turned[t * 96 + i];
      copied[int(alt[t]) * 96 + i] = turned[t * 96 + i];
    }
  }
  // Two products and a sum, each rounded; the products are at most 1.
  expectNear(p.read(0), turned, ulp, 2 * ulp);
  expectNear(p.read(5), filed, ulp, 2 * ulp);
  expectNear(p.read(6), copied, ulp, 2 * ulp);
}

/// C columns used of P (and Q) in a row of memory.
void varCenter(int64_t C, int64_t P, int64_t Q, bool warns) {
  SCOPED_TRACE("C " + std::to_string(C) + ", P " + std::to_string(P));
  Producer p("var_center");
  Values x = noise(4 * P, 1);
  for (int64_t i = 0; i < 4 * P; ++i)
    if (i % P >= C)
      x[i] = 0;
  p.tensor("f16", {4, P}, x);
  const Values &g = p.half({1, C}, 2);
  p.result("f16", {4, Q});
  for (int64_t value : {int64_t(4), C, P, Q})
    p.integer(value);
  const double eps = 1.0 / 1024;
  p.real(eps);
  p.run(warns);
  Values out = p.read(2), found, expected;
  for (int64_t r = 0; r < 4; ++r) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < C; ++i) {
      mean += x[r * P + i] / C;
      square += x[r * P + i] * x[r * P + i] / C;
    }
    for (int64_t i = 0; i < C; ++i) {
      expected.push_back((x[r * P + i] - mean) /
                         std::sqrt(square - mean * mean + eps) * g[i]);
      found.push_back(out[r * Q + i]);
    }
    // Nothing is written beyond the view.
    for (int64_t i = C; i < Q; ++i)
      EXPECT_EQ(out[r * Q + i], -77);
  }
  expectNear(found, expected, 1.1 * ulp, 1e-4);
}

TEST(ProducersTest, VarCenter) {
  varCenter(256, 256, 256, false);
  varCenter(128, 384, 128, false);
  varCenter(200, 256, 256, true);
  varCenter(200, 200, 200, true);
  varCenter(1, 1, 1, true);
}

TEST(ProducersTest, OverhangIsAnErrorUnderTrap) {
  Producer p("var_center");
  p.half({4, 200}, 1);
  p.half({1, 200}, 2);
  p.result("f16", {4, 200});
  for (int64_t value : {4, 200, 200, 200})
    p.integer(value);
  p.real(0.5);
  LaunchOptions trap;
  trap.outOfView = OutOfView::Trap;
  Launch run = launch(p.executable, p.arguments, trap);
  ASSERT_EQ(finish(run), LaunchStatus::Failed);
  EXPECT_EQ(run.findings()[0].message,
            "'ktdp.load' on tile 0 (loop values 1): coordinates 200 to 255 of "
            "dimension 1 lie outside the view, whose extent is 200");
}

TEST(ProducersTest, OldForms) {
  Producer p("old_forms");
  const Values &table = p.half({10, 64}, 1);
  Values ids = {9, 0, 4, 4};
  p.tensor("i64", {4}, ids);
  Values gain = noise(64, 2);
  for (double &value : gain)
    value = 2 * value;
  p.tensor("f16", {64}, gain);
  p.result("f16", {4, 64});
  p.result("f16", {4});
  p.run();
  Values out(256), count(4);
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 64; ++c) {
      out[r * 64 + c] =
          reference::roundHalf(table[int(ids[r]) * 64 + c] * gain[c]);
      count[r] += out[r * 64 + c] >= 0.5;
    }
  EXPECT_EQ(p.read(3), out);
  EXPECT_EQ(p.read(4), count);
}

TEST(ProducersTest, AGroupRunsOnTheSameBuffers) {
  // What one kernel leaves is what the next one finds, seen with another
  // shape: the repacked weight, [64, 256, 64], read as [4, 4096, 64] again.
  Producer first("unpack_sticks");
  const Values w = first.half({4, 4096, 64}, 1);
  first.result("f16", {64, 256, 64});
  first.integer(0);
  first.run();
  Producer second("unpack_sticks");
  Values middle = first.read(1);
  second.tensor("f16", {4, 4096, 64}, middle);
  second.result("f16", {64, 256, 64});
  second.integer(0);
  second.run();
  Values expected(64 * 256 * 64);
  for (int a = 0; a < 64; ++a)
    for (int n = 0; n < 256; ++n)
      for (int b = 0; b < 64; ++b) {
        // Element of the second's input, which is an element of the first's
        // output, which is one of its input.
        int64_t from = ((n / 64) * 4096 + 64 * a + b) * 64 + n % 64;
        int64_t a1 = from / (256 * 64), n1 = from / 64 % 256, b1 = from % 64;
        expected[(a * 256 + n) * 64 + b] =
            w[((n1 / 64) * 4096 + 64 * a1 + b1) * 64 + n1 % 64];
      }
  EXPECT_EQ(second.read(1), expected);
}

} // namespace
