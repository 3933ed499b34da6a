//===- ExamplesTest.cpp - Every example against its formula ---------------===//
//
// Runs every folder of examples/ in both numeric modes and several
// interleavings, with the arguments of its run.json and those of further
// sizes, and compares what it leaves with a formula that is computed without
// the library (ExampleReference.h).
//
//===----------------------------------------------------------------------===//

#include "ExampleReference.h"
#include "SourceFolder.h"
#include "TestKernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace ktir;
using namespace ktir::test;

namespace {
class ExampleFormulaTest : public testing::TestWithParam<std::string> {};
} // namespace

/// The folders of examples/, by name.
static std::vector<std::string> exampleFolders() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(
           std::filesystem::path(sourceFolder()) / "examples"))
    if (entry.is_directory())
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

static const ExampleReference *findReference(const std::string &name) {
  for (const ExampleReference &reference : exampleReferences())
    if (reference.name == name)
      return &reference;
  return nullptr;
}

static std::string firstMessage(const std::vector<Diagnostic> &diagnostics) {
  return diagnostics.empty() ? "" : diagnostics[0].message;
}

/// Where a result is farther from the formula than it may be; empty: nowhere.
static std::string firstMistake(const ExpectedTensor &expected,
                                const Tensor &found) {
  const std::vector<double> values = tensorValues(found);
  if (values.size() != expected.values.size())
    return "'" + expected.name + "' has " + std::to_string(values.size()) +
           " elements, expected " + std::to_string(expected.values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double bound = expected.bounds.empty() ? 0 : expected.bounds[i];
    if (!(std::fabs(values[i] - expected.values[i]) <= bound))
      return "'" + expected.name + "' element " + std::to_string(i) +
             ": expected " + std::to_string(expected.values[i]) + " +- " +
             std::to_string(bound) + ", found " + std::to_string(values[i]);
  }
  return "";
}

/// Runs at `level` in all modes and interleavings.
static void expectFormula(const Compilation &compilation, Level level,
                          const ExampleReference &reference,
                          const std::vector<ArgumentValue> &arguments) {
  for (Numerics numerics : {Numerics::Ieee, Numerics::Device}) {
    SCOPED_TRACE(std::string(toString(level)) +
                 (numerics == Numerics::Ieee ? ", ieee" : ", device"));
    const HalfFormat half = halfFormat(numerics);
    std::vector<ExpectedTensor> expected =
        reference.formula(exampleInputs(arguments, half), half);
    // What is read back is IEEE half in both modes.
    for (ExpectedTensor &tensor : expected)
      if (tensor.bounds.empty())
        for (double &value : tensor.values)
          value = halfFormat(Numerics::Ieee).round(value);

    ExecutableOptions options;
    options.numerics = numerics;
    Executable executable = prepare(compilation, "", level, options);
    ASSERT_TRUE(executable.valid()) << firstMessage(executable.diagnostics());
    std::vector<Tensor> first;
    for (uint64_t seed : {0, 1, 2}) {
      LaunchOptions launchOptions;
      if (seed > 0)
        launchOptions.interleaving = seed;
      Launch run = launch(executable, arguments, launchOptions);
      ASSERT_EQ(finish(run), LaunchStatus::Finished)
          << "seed " << seed << ": " << firstMessage(run.findings());
      ASSERT_TRUE(run.findings().empty())
          << "seed " << seed << ": " << firstMessage(run.findings());
      for (size_t i = 0; i < expected.size(); ++i) {
        const Tensor found = outputOf(run, expected[i].name);
        // The first run stands against the formula, the others against it.
        if (seed == 0) {
          EXPECT_EQ(firstMistake(expected[i], found), "");
          first.push_back(found);
        } else {
          EXPECT_TRUE(found.data == first[i].data)
              << "'" << expected[i].name << "' differs with seed " << seed;
        }
      }
    }
  }
}

TEST_P(ExampleFormulaTest, LeavesWhatItsFormulaSays) {
  const ExampleReference *reference = findReference(GetParam());
  ASSERT_NE(reference, nullptr) << "the example has no formula";
  const std::string folder = "examples/" + reference->name + "/";
  std::vector<std::string> argumentTexts = reference->sizes;
  argumentTexts.insert(argumentTexts.begin(), readSource(folder + "run.json"));

  Compilation compilation =
      compile(readSource(folder + "kernel.mlir"), CompileOptions());
  const bool lowered = compilation.succeeded();
  EXPECT_TRUE(lowered || !reference->reachesDataflow)
      << firstMessage(compilation.diagnostics());
  // A refusal to lower comes with the reason, and leaves the KTIR to run.
  EXPECT_TRUE(lowered || !compilation.diagnostics().empty());
  for (const std::string &text : argumentTexts) {
    SCOPED_TRACE(text.substr(0, 100));
    std::vector<Diagnostic> problems;
    const std::vector<ArgumentValue> arguments =
        parseArguments(text, "run.json", nullptr, problems);
    ASSERT_TRUE(problems.empty()) << firstMessage(problems);
    expectFormula(compilation, Level::Ktir, *reference, arguments);
    if (lowered)
      expectFormula(compilation, Level::Dataflow, *reference, arguments);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExampleFormulaTest,
                         testing::ValuesIn(exampleFolders()),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A bound that everything meets would say nothing.
TEST_P(ExampleFormulaTest, HasBoundsFarBelowItsValues) {
  const ExampleReference *reference = findReference(GetParam());
  ASSERT_NE(reference, nullptr) << "the example has no formula";
  std::vector<std::string> texts = reference->sizes;
  texts.push_back(readSource("examples/" + reference->name + "/run.json"));
  for (const std::string &text : texts) {
    std::vector<Diagnostic> problems;
    const std::vector<ArgumentValue> arguments =
        parseArguments(text, "run.json", nullptr, problems);
    const HalfFormat half = halfFormat(Numerics::Device);
    for (const ExpectedTensor &expected :
         reference->formula(exampleInputs(arguments, half), half)) {
      double values = 0, bounds = 0;
      for (double value : expected.values)
        values += std::fabs(value);
      for (double bound : expected.bounds)
        bounds += bound;
      EXPECT_GT(values, 0);
      EXPECT_LT(bounds, 0.02 * values) << text.substr(0, 100);
    }
  }
}

TEST(Examples, TheTableNamesFoldersThatExist) {
  const std::vector<std::string> folders = exampleFolders();
  for (const ExampleReference &reference : exampleReferences())
    EXPECT_EQ(std::count(folders.begin(), folders.end(), reference.name), 1)
        << reference.name;
}

// The strict language, in the form that `ktir fmt` writes. The kernels that are
// written as producers write them are neither, and say so.
TEST_P(ExampleFormulaTest, IsStrictAndCanonical) {
  const std::string name = GetParam();
  if (name.rfind("llama-", 0) == 0) {
    CompileOptions strict;
    strict.strict = true;
    EXPECT_FALSE(
        compile(readSource("examples/" + name + "/kernel.mlir"), strict)
            .succeeded());
    return;
  }
  const std::string text = readSource("examples/" + name + "/kernel.mlir");
  CompileOptions options;
  options.strict = true;
  options.to = Level::Ktir;
  Compilation compilation = compile(text, options);
  EXPECT_TRUE(compilation.succeeded());
  EXPECT_TRUE(compilation.diagnostics().empty())
      << firstMessage(compilation.diagnostics());
  const FormatResult formatted = format(text, "kernel.mlir");
  ASSERT_TRUE(formatted.text.has_value());
  EXPECT_EQ(*formatted.text, text);
}
