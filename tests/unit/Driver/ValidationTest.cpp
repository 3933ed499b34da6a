//===- ValidationTest.cpp - The same bytes at every level -----------------===//
//
// Translation validation of every family over sizes, interleavings and channel
// depths, and of every example. The expected bytes come from the families'
// formulas, so that an error common to all levels is found too.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Effort.h"
#include "TestKernels.h"

#include <gtest/gtest.h>

using namespace ktir;
using namespace ktir::test;

namespace {
class FamilyTest : public testing::TestWithParam<std::string> {};
class ExampleTest : public testing::TestWithParam<std::string> {};
} // namespace

static constexpr unsigned manySeeds = effort(20, 4);

static std::string describeFailure(const std::vector<Diagnostic> &findings) {
  return findings.empty() ? "" : findings[0].message;
}

/// Round robin, then `seeds` random interleavings, each with the device's
/// channel depths and with depth 1.
static std::vector<LaunchOptions> interleavings(unsigned seeds) {
  std::vector<LaunchOptions> all;
  for (unsigned seed = 0; seed <= seeds; ++seed)
    for (bool shallow : {false, true}) {
      LaunchOptions options;
      if (seed > 0)
        options.interleaving = seed;
      if (shallow)
        options.channelDepth = 1;
      all.push_back(options);
    }
  return all;
}

TEST_P(FamilyTest, EveryLevelGivesTheFormulasBytes) {
  const KernelFamily &family = kernelFamily(GetParam());
  for (int64_t tiles : {1, 2, 5, 32})
    for (int64_t rows : {1, 3, 48}) {
      SCOPED_TRACE(std::to_string(tiles) + " tiles, " + std::to_string(rows) +
                   " rows");
      Compilation compilation =
          compile(kernelText(family, tiles, rows), CompileOptions());
      ASSERT_TRUE(compilation.succeeded())
          << describeFailure(compilation.diagnostics());
      const std::vector<ArgumentValue> arguments =
          kernelArguments(family, tiles, rows);
      const std::vector<Tensor> expected = expectedOutputs(family, arguments);
      // All interleavings on the smaller sizes; the largest would only repeat
      // what these show, at many times the cost.
      const unsigned seeds = tiles * rows <= 240 ? manySeeds : 1;
      for (Level level : {Level::Ktir, Level::Dataflow}) {
        Executable executable = prepare(compilation, "", level);
        ASSERT_TRUE(executable.valid())
            << describeFailure(executable.diagnostics());
        for (const LaunchOptions &options : interleavings(seeds)) {
          Launch run = launch(executable, arguments, options);
          ASSERT_EQ(finish(run), LaunchStatus::Finished)
              << toString(level) << ", seed "
              << options.interleaving.value_or(0) << ": "
              << describeFailure(run.findings());
          ASSERT_TRUE(run.findings().empty())
              << toString(level) << ": " << describeFailure(run.findings());
          for (size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(outputOf(run, family.outputs[i]).data, expected[i].data)
                << toString(level) << ", seed "
                << options.interleaving.value_or(0) << ", output "
                << family.outputs[i];
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, FamilyTest, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const KernelFamily &family : kernelFamilies())
                             names.push_back(family.name);
                           return names;
                         }()),
                         [](const auto &info) { return info.param; });

static std::vector<StageValidation>
validateAll(const Compilation &compilation,
            const std::vector<ArgumentValue> &arguments,
            const LaunchOptions &options) {
  Validation validation(compilation, "", arguments, options);
  while (validation.advanceFor(1000)) {
  }
  return validation.results();
}

/// Runs `text` on a JSON of arguments at all levels and interleavings, and
/// expects every executed stage to leave the same bytes.
static void expectValid(const std::string &text, const std::string &json,
                        unsigned seeds) {
  Compilation compilation = compile(text, CompileOptions());
  ASSERT_TRUE(compilation.succeeded())
      << describeFailure(compilation.diagnostics());
  std::vector<Diagnostic> problems;
  const std::vector<ArgumentValue> arguments =
      parseArguments(json, "run.json", nullptr, problems);
  ASSERT_TRUE(problems.empty()) << describeFailure(problems);
  for (const LaunchOptions &options : interleavings(seeds)) {
    bool ktir = false, dataflow = false;
    for (const StageValidation &result :
         validateAll(compilation, arguments, options)) {
      const StageInfo &stage = compilation.stages()[result.stage];
      if (stage.level != Level::Ktir && stage.level != Level::Dataflow) {
        EXPECT_FALSE(result.executed);
        EXPECT_EQ(result.message, std::string("level '") +
                                      toString(stage.level) +
                                      "' has no engine");
        continue;
      }
      EXPECT_TRUE(result.executed) << stage.name << ": " << result.message;
      EXPECT_TRUE(result.matches) << stage.name << ": " << result.message;
      ktir = ktir || stage.level == Level::Ktir;
      dataflow = dataflow || stage.level == Level::Dataflow;
    }
    EXPECT_TRUE(ktir && dataflow);
  }
}

TEST_P(ExampleTest, EveryStageLeavesTheSameBytes) {
  const std::string folder = "examples/" + GetParam() + "/";
  // The residual example is 64 times the size of the others.
  const unsigned seeds = GetParam() == "residual" ? 1 : manySeeds;
  expectValid(readSource(folder + "kernel.mlir"),
              readSource(folder + "run.json"), seeds);
}

INSTANTIATE_TEST_SUITE_P(All, ExampleTest,
                         testing::Values("vector-add", "axpy", "residual",
                                         "llama-copy", "llama-neg", "llama-add",
                                         "llama-sub", "llama-mul"),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             if (c == '-')
                               c = '_';
                           return name;
                         });

TEST(Validation, TestKernelsAgree) {
  const std::string input = R"({"dtype": "f16", "shape": [20, 192], )";
  const std::string zero = input + "\"fill\": 0}";
  auto normal = [&](int seed) {
    return input + "\"random\": \"normal\", \"seed\": " + std::to_string(seed) +
           "}";
  };
  expectValid(readSource("tests/inputs/kernels/two_stores.mlir"),
              "{\"a\": " + normal(1) + ", \"b\": " + normal(2) +
                  ", \"sum\": " + zero + ", \"difference\": " + zero + "}",
              manySeeds);
  expectValid(readSource("tests/inputs/kernels/three_inputs.mlir"),
              "{\"a\": " + normal(1) + ", \"b\": " + normal(2) +
                  ", \"c\": " + normal(3) + ", \"out\": " + zero + "}",
              manySeeds);
  expectValid(readSource("tests/inputs/kernels/used_twice.mlir"),
              "{\"a\": " + normal(1) + ", \"out\": " + zero + "}", manySeeds);
}

// A run that fails is a stage that does not match, and the message says why.
TEST(Validation, NamesWhyAStageDidNotRun) {
  Compilation compilation =
      compile(kernelText(kernelFamily("add"), 2, 1), CompileOptions());
  std::vector<StageValidation> results = validateAll(compilation, {}, {});
  ASSERT_FALSE(results.empty());
  EXPECT_FALSE(results[0].executed);
  EXPECT_FALSE(results[0].matches);
  EXPECT_EQ(results[0].message.rfind("missing arguments of kernel 'add'", 0),
            0u);
}

TEST(Validation, NamesTheFirstDifference) {
  Output a{"x", Tensor{"f16", {2, 2}, {0, 0x3C, 0, 0x40, 0, 0, 0, 0}}};
  std::vector<uint8_t> b = a.tensor.data;
  Comparison same(a);
  same.add(0, b.data(), 8);
  EXPECT_EQ(same.text("input"), "");
  b[3] = 0x44; // 4 where 2 was
  b[6] = 1;    // the smallest half, 2^-24, where 0 was
  // In one piece, and in pieces of every length.
  for (uint64_t length : {8, 6, 4, 2}) {
    Comparison comparison(a);
    for (uint64_t at = 0; at < 8; at += length)
      comparison.add(at, b.data() + at, std::min(length, 8 - at));
    EXPECT_EQ(comparison.text("input"),
              "'x' differs in 2 of 4 elements, first at [0, 1]: 2 after stage "
              "'input', 4 here");
  }
}

// A validation that is asked for no time does something each time, and finds
// what one in one go does.
TEST(Validation, GoesOnInTurns) {
  const KernelFamily &family = kernelFamily("add");
  Compilation compilation = compile(kernelText(family, 2, 48), {});
  const auto arguments = kernelArguments(family, 2, 48);
  const std::vector<StageValidation> expected =
      validateAll(compilation, arguments, {});
  Validation validation(compilation, "", arguments);
  size_t turns = 1;
  while (validation.advanceFor(0))
    ++turns;
  EXPECT_GT(turns, compilation.stages().size());
  ASSERT_EQ(validation.results().size(), expected.size());
  for (size_t stage = 0; stage < expected.size(); ++stage) {
    const StageValidation &result = validation.results()[stage];
    EXPECT_EQ(result.stage, stage);
    EXPECT_EQ(result.executed, expected[stage].executed);
    EXPECT_EQ(result.matches, expected[stage].matches);
    EXPECT_EQ(result.message, expected[stage].message);
  }
}
