//===- FusionTest.cpp - Chains of elementwise ops -------------------------===//
//
// A run with a trace executes the ops of a chain one by one, so that it tells
// what the chain must do as well: the same bytes, counts, peak and findings.
//
//===----------------------------------------------------------------------===//

#include "TensorKernel.h"

#include "Fusion.h"
#include "Program.h"
#include "gtest/gtest.h"

#include <random>
#include <sstream>

using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

/// Instructions that stand for a chain.
unsigned countChains(const Program &program) {
  unsigned count = 0;
  for (const Instruction &instruction : program.impl().routines[0]->code)
    count += instruction.run == runFused;
  return count;
}

/// Everything that a run reports, in words.
std::string describe(const Run &run) {
  std::ostringstream text;
  text << "status " << int(run.status()) << ", ticks " << run.instructionsDone()
       << ", peak " << run.scratchpadPeak() << '\n';
  for (const InstanceCounters &of : run.counters())
    text << of.name << ": " << of.instructions << ' ' << of.bytesRead << ' '
         << of.bytesWritten << ' ' << of.elements << ' ' << of.scratchpadPeak
         << ' ' << of.cost.vectorElements << ' '
         << of.cost.transcendentalElements << '\n';
  for (const ScratchpadUse &use : run.scratchpadAtPeak(0))
    text << use.op.str() << " at " << lineOf(use.location) << ": " << use.bytes
         << '\n';
  for (const Finding &finding : run.findings())
    text << lineOf(finding.location) << ": " << finding.message << " ["
         << finding.rule << "]\n";
  return text.str();
}

/// Runs `kernel` on its inputs with and without a trace and compares.
void expectSame(TensorKernel &kernel, const std::vector<size_t> &resultBytes,
                RunOptions options = {}) {
  std::vector<std::vector<uint8_t>> results[2];
  std::string words[2];
  for (bool traced : {false, true}) {
    for (size_t i = 0; i < resultBytes.size(); ++i)
      kernel.setResult(i, std::vector<uint8_t>(resultBytes[i], 0xA5));
    options.trace = traced;
    kernel.fixture.run({0}, options);
    words[traced] = describe(*kernel.fixture.last);
    for (size_t i = 0; i < resultBytes.size(); ++i)
      results[traced].push_back(kernel.get<uint8_t>(i, resultBytes[i]));
  }
  EXPECT_EQ(words[0], words[1]);
  for (size_t i = 0; i < resultBytes.size(); ++i)
    EXPECT_TRUE(results[0][i] == results[1][i]) << "result " << i;
}

struct RandomKernel {
  std::vector<TensorValue> inputs, results;
  std::string body;
};

/// A kernel of elementwise ops and broadcasts on tensors of `rows` times
/// `columns` elements.
RandomKernel makeKernel(unsigned seed, int64_t rows, int64_t columns) {
  std::mt19937 random(seed);
  std::string m = std::to_string(rows), n = std::to_string(columns);
  std::string shape = m + "x" + n + "x";
  auto tensor = [&](const std::string &type) {
    return "tensor<" + shape + type + ">";
  };
  RandomKernel kernel;
  kernel.inputs = {{"%x", shape + "f16"}, {"%y", shape + "f32"},
                   {"%z", shape + "f16"}, {"%r", m + "xf16"},
                   {"%k", n + "xf32"},    {"%w", shape + "bf16"},
                   {"%q", m + "xbf16"}};
  std::vector<TensorValue> values = {
      {"%x", "f16"}, {"%y", "f32"}, {"%z", "f16"}, {"%w", "bf16"}};
  std::string &text = kernel.body;
  text = "%c_f16 = arith.constant 1.5 : f16\n"
         "%c_f32 = arith.constant -0.75 : f32\n"
         "%c_bf16 = arith.constant 3.0 : bf16\n";
  const std::string types[] = {"f16", "f32", "bf16"};
  for (const std::string &type : types)
    text += "%e_" + type + " = tensor.empty() : " + tensor(type) + "\n";
  auto pick = [&](const std::string &type) {
    std::vector<std::string> names;
    for (const TensorValue &value : values)
      if (value.type == type)
        names.push_back(value.name);
    return names[random() % names.size()];
  };
  for (int i = 0; i < 14; ++i) {
    std::string type = types[random() % 3];
    std::string other = type != "f32" ? "f32" : types[random() % 2 * 2];
    std::string name = "%v" + std::to_string(i), of = " : " + tensor(type);
    std::string begin = name + " = ", a = pick(type), b = pick(type);
    std::string out = " outs(%e_" + type + of + ") ";
    switch (random() % 8) {
    case 0:
    case 1: {
      const char *ops[] = {"addf", "subf",     "mulf",
                           "divf", "maximumf", "minnumf"};
      text += begin + "arith." + ops[random() % 6] + " " + a + ", " + b + of;
      break;
    }
    case 2: {
      const char *ops[] = {"math.exp", "math.rsqrt", "math.absf", "arith.negf"};
      text += begin + ops[random() % 4] + " " + a + of;
      break;
    }
    case 3:
      text += begin + (type != "f32" ? "arith.truncf " : "arith.extf ") +
              pick(other) + " : " + tensor(other) + " to " + tensor(type);
      break;
    case 4:
      text += begin + "linalg.broadcast ins(" +
              (type == "f16"    ? "%r : tensor<" + m
               : type == "bf16" ? "%q : tensor<" + m
                                : "%k : tensor<" + n) +
              "x" + type + ">)" + out + "dimensions = [" +
              (type != "f32" ? "1" : "0") + "]";
      break;
    case 5:
      text += name + "_b = arith.cmpf ugt, " + a + ", " + b + of + "\n" +
              begin + "arith.select " + name + "_b, " + b + ", " + a +
              " : tensor<" + shape + "i1>, " + tensor(type);
      break;
    case 6:
      text += begin + "linalg.fill ins(%c_" + type + " : " + type + ")" + out +
              "-> " + tensor(type);
      break;
    case 7:
      text += begin + "linalg.sub ins(" + a + ", " + b + of + ", " +
              tensor(type) + ")" + out + "-> " + tensor(type);
      break;
    }
    text += "\n";
    values.push_back({name, type});
  }
  for (const TensorValue &value :
       {values.back(), values[4 + random() % (values.size() - 5)]})
    kernel.results.push_back({value.name, shape + value.type});
  return kernel;
}

/// Any bits: among them NaNs of all kinds, infinities and subnormals.
template <typename T>
std::vector<T> makeBits(std::mt19937 &random, size_t count) {
  std::vector<T> bits(count);
  for (T &value : bits)
    value = T(random());
  return bits;
}

} // namespace

TEST(FusionTest, RandomChainsDoWhatTheirOpsDo) {
  struct Extents {
    int64_t rows, columns;
  };
  unsigned chains = 0, seed = 0;
  for (Extents extents : {Extents{1, 1}, Extents{3, 257}, Extents{1, 1000},
                          Extents{5, 300}, Extents{7, 33}, Extents{2, 513}})
    for (NumericsMode mode : {NumericsMode::Ieee, NumericsMode::Device})
      for (int repeat = 0; repeat < 8; ++repeat) {
        auto [rows, columns] = extents;
        RandomKernel text = makeKernel(++seed, rows, columns);
        SCOPED_TRACE(text.body);
        TensorKernel kernel(text.inputs, text.body, text.results, "", mode);
        ASSERT_TRUE(kernel) << kernel.fixture.errors;
        chains += countChains(*kernel.fixture.program);
        std::mt19937 random(seed);
        size_t count = rows * columns;
        kernel.set(0, makeBits<uint16_t>(random, count));
        kernel.set(1, makeBits<uint32_t>(random, count));
        kernel.set(2, makeBits<uint16_t>(random, count));
        kernel.set(3, makeBits<uint16_t>(random, rows));
        kernel.set(4, makeBits<uint32_t>(random, columns));
        kernel.set(5, makeBits<uint16_t>(random, count));
        kernel.set(6, makeBits<uint16_t>(random, rows));
        std::vector<size_t> bytes;
        for (const TensorValue &result : text.results)
          bytes.push_back(count * (result.type.back() == '6' ? 2 : 4));
        expectSame(kernel, bytes);
        RunOptions options;
        options.checks = false;
        options.interleaving = seed;
        expectSame(kernel, bytes, options);
      }
  EXPECT_GT(chains, 100u);
}

TEST(FusionTest, IntegerChainsAndMasks) {
  TensorKernel kernel({{"%x", "3x257xi32"}, {"%y", "3x257xi32"}},
                      "%p = arith.cmpi slt, %x, %y : tensor<3x257xi32>\n"
                      "%q = arith.cmpi eq, %x, %y : tensor<3x257xi32>\n"
                      "%m = arith.xori %p, %q : tensor<3x257xi1>\n"
                      "%a = arith.muli %x, %y : tensor<3x257xi32>\n"
                      "%b = arith.select %m, %a, %y : tensor<3x257xi1>, "
                      "tensor<3x257xi32>\n"
                      "%w = arith.extsi %b : tensor<3x257xi32> to "
                      "tensor<3x257xi64>\n",
                      {{"%w", "3x257xi64"}});
  ASSERT_TRUE(kernel) << kernel.fixture.errors;
  EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
  std::mt19937 random(5);
  std::vector<int32_t> x = makeBits<int32_t>(random, 771);
  std::vector<int32_t> y = makeBits<int32_t>(random, 771);
  std::copy_n(x.begin(), 40, y.begin());
  kernel.set(0, x);
  kernel.set(1, y);
  expectSame(kernel, {771 * 8});
  std::vector<int64_t> found = kernel.get<int64_t>(0, 771);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i],
              x[i] <= y[i] ? int32_t(uint32_t(x[i]) * uint32_t(y[i])) : y[i]);
}

// A chain is the same whatever stands in memory before it runs again: what a
// loop defines in every iteration replaces what it defined before.
TEST(FusionTest, ChainsInLoops) {
  TensorKernel kernel(
      {{"%x", "2x300xf32"}},
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c5 = arith.constant 5 : index\n"
      "%r = scf.for %i = %c0 to %c5 step %c1 iter_args(%v = %x) -> "
      "(tensor<2x300xf32>) {\n"
      "%a = arith.addf %v, %x : tensor<2x300xf32>\n"
      "%b = arith.mulf %a, %a : tensor<2x300xf32>\n"
      "%c = arith.subf %b, %a : tensor<2x300xf32>\n"
      "scf.yield %c : tensor<2x300xf32>\n}\n",
      {{"%r", "2x300xf32"}});
  ASSERT_TRUE(kernel) << kernel.fixture.errors;
  EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
  std::vector<float> x = make(600, [](size_t i) { return i * 0.001f; });
  kernel.set(0, x);
  expectSame(kernel, {600 * 4});
  EXPECT_EQ(kernel.messages(), "");
  std::vector<float> found = kernel.get<float>(0, 600);
  for (size_t i = 0; i < found.size(); ++i) {
    float v = x[i];
    for (int k = 0; k < 5; ++k) {
      float a = v + x[i], b = a * a;
      v = b - a;
    }
    EXPECT_EQ(found[i], v);
  }
}

// The sum of powers is computed together with them.
TEST(FusionTest, SumsOfPowers) {
  auto run = [](const std::string &rows, const std::string &start,
                const std::string &op, float scale) {
    SCOPED_TRACE(rows + " rows, from " + start + " on, " + op);
    std::string shape = rows + "x1000xf32", row = rows + "xf32";
    std::string tensor = "tensor<" + shape + ">", sums = "tensor<" + row + ">";
    // Of two iterations, the second one sees other powers.
    TensorKernel kernel(
        {{"%x", shape}, {"%m", row}},
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c2 = arith.constant 2 : index\n"
        "%start = arith.constant " +
            start + " : f32\n%one = tensor.empty() : " + sums +
            "\n%wide = tensor.empty() : " + tensor +
            "\n%r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %x, "
            "%w = %m) -> (" +
            tensor + ", " + sums + ") {\n%b = linalg.broadcast ins(%w : " +
            sums + ") outs(%wide : " + tensor +
            ") dimensions = [1]\n%s = arith.subf %v, %b : " + tensor +
            "\n%e = math.exp %s : " + tensor +
            "\n%z = linalg.fill ins(%start : f32) outs(%one : " + sums +
            ") -> " + sums + "\n%t = linalg.reduce { " + op +
            " } ins(%e : " + tensor + ") outs(%z : " + sums +
            ") dimensions = [1]\nscf.yield %e, %t : " + tensor + ", " + sums +
            "\n}\n",
        {{"%r#0", shape}, {"%r#1", row}});
    ASSERT_TRUE(kernel) << kernel.fixture.errors;
    EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
    size_t m = std::stoul(rows);
    std::mt19937 random(3);
    if (scale == 0) {
      kernel.set(0, makeBits<uint32_t>(random, m * 1000));
    } else {
      kernel.set(0, make(m * 1000, [&](size_t i) {
                   return scale * float(random() % 1000) / 1000;
                 }));
    }
    kernel.set(1, std::vector<float>(m, scale));
    expectSame(kernel, {m * 4000, m * 4});
    if (scale == 0 || op != "arith.addf")
      return;
    std::vector<float> powers = kernel.get<float>(0, m * 1000);
    std::vector<float> found = kernel.get<float>(1, m);
    for (size_t r = 0; r < m; ++r) {
      float sum = std::stof(start);
      for (size_t i = 0; i < 1000; ++i)
        sum += powers[r * 1000 + i];
      EXPECT_EQ(found[r], sum);
    }
  };
  for (const char *start : {"0.0", "-0.0", "0.75"})
    for (float scale : {0.0f, 1.0f, 60.0f, 300.0f})
      run("1", start, "arith.addf", scale);
  run("1", "0.0", "arith.maximumf", 1);
  run("3", "0.0", "arith.addf", 1);
}

TEST(FusionTest, LongOpsTakeTheirTurnsAlone) {
  // One size on each side of what an op of functions does in one turn.
  for (const char *size : {"16384", "40000"}) {
    std::string type = std::string(size) + "xf32";
    TensorKernel kernel({{"%x", type}},
                        "%e = math.exp %x : tensor<" + type +
                            ">\n%a = arith.addf %e, %x : tensor<" + type +
                            ">\n%r = arith.mulf %a, %e : tensor<" + type + ">",
                        {{"%r", type}});
    ASSERT_TRUE(kernel) << kernel.messages();
    EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
    std::vector<float> x;
    for (int i = 0; i < std::stoi(size); ++i)
      x.push_back(float(i % 1001) * 0.01f - 5.0f);
    kernel.set(0, x);
    for (std::optional<uint64_t> seed :
         {std::optional<uint64_t>(), std::optional<uint64_t>(1),
          std::optional<uint64_t>(2)}) {
      RunOptions options;
      options.interleaving = seed;
      expectSame(kernel, {x.size() * sizeof(float)}, options);
    }
  }
}

TEST(FusionTest, FindingsComeFromTheOpAtFault) {
  // An uninitialised operand in the middle.
  TensorKernel undefined({{"%x", "300xf16"}},
                         "%e = tensor.empty() : tensor<300xf16>\n"
                         "%a = arith.addf %x, %x : tensor<300xf16>\n"
                         "%b = arith.mulf %a, %e : tensor<300xf16>\n"
                         "%c = arith.subf %b, %x : tensor<300xf16>\n",
                         {{"%c", "300xf16"}});
  ASSERT_TRUE(undefined) << undefined.fixture.errors;
  EXPECT_EQ(countChains(*undefined.fixture.program), 1u);
  undefined.setHalves(0, std::vector<float>(300, 1));
  expectSame(undefined, {600});
  std::vector<Finding> found = undefined.fixture.found("UP-2");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("arith.mulf"), std::string::npos);

  // A division by zero.
  TensorKernel division({{"%x", "300xi32"}, {"%y", "300xi32"}},
                        "%a = arith.addi %x, %x : tensor<300xi32>\n"
                        "%b = arith.divsi %a, %y : tensor<300xi32>\n"
                        "%c = arith.addi %b, %x : tensor<300xi32>\n",
                        {{"%c", "300xi32"}});
  ASSERT_TRUE(division) << division.fixture.errors;
  std::vector<int32_t> ones(300, 1);
  division.set(0, ones);
  ones[299] = 0;
  division.set(1, ones);
  expectSame(division, {1200});
  ASSERT_EQ(division.fixture.found("*").size(), 1u);
  EXPECT_NE(division.fixture.messages().find("arith.divsi"), std::string::npos);
  EXPECT_NE(division.fixture.messages().find("division by zero"),
            std::string::npos);
}

TEST(FusionTest, AFullScratchpadIsFoundWhereItFills) {
  // Six values of half a megabyte live until the end.
  std::string body, type = "tensor<131072xf32>";
  std::vector<TensorValue> results;
  for (int i = 0; i < 6; ++i) {
    std::string name = "%v" + std::to_string(i);
    body += name + " = arith.addf %x, " +
            (i ? "%v" + std::to_string(i - 1) : "%x") + " : " + type + "\n";
    results.push_back({name, "131072xf32"});
  }
  TensorKernel kernel({{"%x", "131072xf32"}}, body, results);
  ASSERT_TRUE(kernel) << kernel.fixture.errors;
  EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
  kernel.set(0, std::vector<float>(131072, 1));
  expectSame(kernel, std::vector<size_t>(6, 131072 * 4));
  ASSERT_FALSE(kernel.fixture.found("*").empty());
  EXPECT_NE(kernel.fixture.messages().find("scratchpad overflow"),
            std::string::npos);
}

TEST(FusionTest, LimitsAndStepsSeeEveryOp) {
  TensorKernel kernel({{"%x", "300xf32"}},
                      "%a = arith.addf %x, %x : tensor<300xf32>\n"
                      "%b = math.exp %a : tensor<300xf32>\n"
                      "%c = arith.subf %b, %x : tensor<300xf32>\n",
                      {{"%c", "300xf32"}});
  ASSERT_TRUE(kernel) << kernel.fixture.errors;
  EXPECT_EQ(countChains(*kernel.fixture.program), 1u);
  kernel.set(0, std::vector<float>(300, 1));
  RunOptions options;
  for (options.limit = 1; options.limit < 60; ++options.limit)
    expectSame(kernel, {1200}, options);
  ktir::exec::Run run(kernel.fixture.program, *kernel.fixture.memory, {{0, 0}});
  std::vector<std::string> ops;
  while (true) {
    Step step = run.step(0, 100);
    if (step.kind != Step::Kind::Done)
      break;
    ops.push_back(step.op.str());
  }
  for (const char *op : {"arith.addf", "math.exp", "arith.subf"})
    EXPECT_EQ(std::count(ops.begin(), ops.end(), op), 1) << op;
}
