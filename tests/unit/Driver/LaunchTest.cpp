//===- LaunchTest.cpp - Running kernels -----------------------------------===//

#include "Reference.h"
#include "TestKernels.h"

#include "llvm/Support/Compiler.h"

#include <gtest/gtest.h>

#ifdef __linux__
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>
#endif

using namespace ktir;
using namespace ktir::test;

static Compilation compileTo(const std::string &text, Level to) {
  CompileOptions options;
  options.to = to;
  return compile(text, options);
}

static std::string firstFinding(const Launch &run) {
  return run.findings().empty() ? "" : run.findings()[0].message;
}

// Every family at level ktir against its formula.
TEST(Launch, KtirGivesTheValuesOfTheFormulas) {
  for (const KernelFamily &family : kernelFamilies()) {
    Compilation compilation = compileTo(kernelText(family, 5, 3), Level::Ktir);
    ASSERT_TRUE(compilation.succeeded()) << family.name;
    Executable executable = prepare(compilation, "", Level::Ktir);
    ASSERT_TRUE(executable.valid())
        << family.name << ": " << executable.diagnostics()[0].message;
    const std::vector<ArgumentValue> arguments = kernelArguments(family, 5, 3);
    Launch run = launch(executable, arguments);
    ASSERT_EQ(finish(run), LaunchStatus::Finished)
        << family.name << ": " << firstFinding(run);
    EXPECT_TRUE(run.findings().empty()) << firstFinding(run);
    const std::vector<Tensor> expected = expectedOutputs(family, arguments);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(outputOf(run, family.outputs[i]).data, expected[i].data)
          << family.name << " " << family.outputs[i];
    EXPECT_EQ(run.report().instances.size(), 5u);
    EXPECT_EQ(run.traceJson(), "[]");
  }
}

// Loads and stores of device memory in bytes, by the shapes.
TEST(Launch, ReportCountsBytes) {
  Compilation compilation =
      compileTo(kernelText(kernelFamily("add"), 2, 3), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  Launch run = launch(executable, kernelArguments(kernelFamily("add"), 2, 3));
  ASSERT_EQ(finish(run), LaunchStatus::Finished);
  const Report report = run.report();
  EXPECT_EQ(report.bytesRead, 2u * 2 * 3 * columns * 2);
  EXPECT_EQ(report.bytesWritten, 2u * 3 * columns * 2);
  EXPECT_EQ(report.elements, 2u * 3 * columns);
  EXPECT_EQ(report.instances[1].name, "tile 1");
}

TEST(Launch, OneExecutableManyLaunches) {
  const KernelFamily &family = kernelFamily("add");
  Executable executable;
  {
    // The executable outlives the compilation it came from.
    Compilation compilation = compileTo(kernelText(family, 2, 1), Level::Ktir);
    executable = prepare(compilation, "", Level::Ktir);
  }
  std::vector<ArgumentValue> arguments = kernelArguments(family, 2, 1);
  for (int i = 0; i < 3; ++i) {
    std::get<Tensor>(arguments[0].value).data[0] ^= uint8_t(i);
    Launch run = launch(executable, arguments);
    ASSERT_EQ(finish(run), LaunchStatus::Finished);
    EXPECT_EQ(outputOf(run, "out").data,
              expectedOutputs(family, arguments)[0].data);
  }
}

// Arguments that are given away lose their elements, and nothing else changes.
TEST(Launch, TakesArgumentsOver) {
  const KernelFamily &family = kernelFamily("add");
  Compilation compilation = compileTo(kernelText(family, 5, 3), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  for (Numerics mode : {Numerics::Ieee, Numerics::Device}) {
    ExecutableOptions options;
    options.numerics = mode;
    executable = prepare(compilation, "", Level::Ktir, options);
    std::vector<ArgumentValue> arguments = kernelArguments(family, 5, 3);
    Launch kept = launch(executable, arguments);
    ASSERT_EQ(finish(kept), LaunchStatus::Finished);
    Launch taken = launch(executable, std::move(arguments));
    for (const ArgumentValue &argument : arguments)
      EXPECT_TRUE(std::get<Tensor>(argument.value).data.empty());
    EXPECT_EQ(taken.outputCount(), 0u);
    ASSERT_EQ(finish(taken), LaunchStatus::Finished);
    const std::vector<Output> outputs = kept.outputs();
    ASSERT_EQ(taken.outputCount(), outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Output header = taken.outputHeader(i);
      EXPECT_EQ(header.name, outputs[i].name);
      EXPECT_EQ(header.tensor.dtype, outputs[i].tensor.dtype);
      EXPECT_EQ(header.tensor.shape, outputs[i].tensor.shape);
      ASSERT_EQ(taken.outputBytes(i), outputs[i].tensor.data.size());
      std::vector<uint8_t> data(taken.outputBytes(i));
      // In two pieces.
      const uint64_t middle = data.size() / 16 * 8;
      taken.readOutput(i, middle, data.size() - middle, data.data() + middle);
      taken.readOutput(i, 0, middle, data.data());
      EXPECT_EQ(data, outputs[i].tensor.data);
    }
    // Storage of an earlier launch does not show through.
    std::vector<Output> again(outputs.size() + 1);
    again[0].tensor.data.assign(3, 0xFF);
    taken.readOutputs(again);
    ASSERT_EQ(again.size(), outputs.size());
    EXPECT_EQ(again[0].tensor.data, outputs[0].tensor.data);
  }
}

TEST(Launch, GeneratedElementsAreThoseThatAreStored) {
  // Tensors of several pieces, also one that no argument names, as host halves
  // and as those of the device.
  const char *text = R"(
    func.func @copy(%x: index, %o: index) attributes {grid = [1]} {
      %c0 = arith.constant 0 : index
      %v = ktdp.construct_memory_view %x, sizes: [300, 301], strides: [301, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 299 >= 0, b >= 0, -b + 300 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<300x301xf16>
      %w = ktdp.construct_memory_view %o, sizes: [300, 301], strides: [301, 1] {coordinate_set = affine_set<(a, b) : (a >= 0, -a + 299 >= 0, b >= 0, -b + 300 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<300x301xf16>
      memref.copy %v, %w : memref<300x301xf16> to memref<300x301xf16>
      return
    })";
  const char *json = R"({
    "x": {"dtype": "f16", "shape": [300, 301], "random": "normal", "seed": 3},
    "o": {"dtype": "f16", "shape": [300, 301], "fill": 1.5},
    "aside": {"dtype": "f64", "shape": [70001], "random": "uniform", "seed": 4, "at": 1000003},
    "near": {"dtype": "i32", "shape": [5], "random": "integers", "low": -9, "high": 9, "at": 7, "space": "ct_local"}
  })";
  Compilation compilation = compileTo(text, Level::Ktir);
  for (Numerics numerics : {Numerics::Ieee, Numerics::Device}) {
    Executable executable = prepare(compilation, "", Level::Ktir, {numerics});
    std::vector<Output> results[2];
    for (Contents contents : {Contents::Stored, Contents::Generated}) {
      std::vector<Diagnostic> problems;
      std::vector<ArgumentValue> arguments =
          parseArguments(json, "args.json", nullptr, problems, contents);
      ASSERT_TRUE(problems.empty()) << problems[0].message;
      const bool isStored = contents == Contents::Stored;
      EXPECT_NE(std::get<Tensor>(arguments[0].value).data.empty(), isStored);
      Launch run = launch(executable, arguments);
      unsigned pieces = 0;
      while (run.progress().done == 0 &&
             run.advance(1) == LaunchStatus::Running)
        ++pieces;
      // 180,600 bytes twice and 560,008 in pieces of 131,072.
      EXPECT_GE(pieces, isStored ? 0u : 2 + 2 + 5 + 1u);
      while (run.advance(100) == LaunchStatus::Running)
        ;
      ASSERT_EQ(run.status(), LaunchStatus::Finished) << firstFinding(run);
      results[isStored] = run.outputs();
    }
    ASSERT_EQ(results[0].size(), 4u);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ(results[0][i].tensor.data, results[1][i].tensor.data) << i;
    EXPECT_EQ(results[0][0].tensor.data, results[0][1].tensor.data);
  }
}

TEST(Launch, AdvancesByBudget) {
  const KernelFamily &family = kernelFamily("add");
  Compilation compilation = compileTo(kernelText(family, 32, 48), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  Launch run = launch(executable, kernelArguments(family, 32, 48));
  EXPECT_EQ(run.status(), LaunchStatus::Running);
  EXPECT_TRUE(run.outputs().empty());
  unsigned steps = 0;
  uint64_t done = 0;
  while (run.advance(100) == LaunchStatus::Running) {
    ++steps;
    EXPECT_GE(run.progress().done, done);
    done = run.progress().done;
  }
  EXPECT_GT(steps, 10u);
  EXPECT_EQ(run.status(), LaunchStatus::Finished);
  EXPECT_EQ(run.advance(100), LaunchStatus::Finished);
}

TEST(Launch, ArgumentsThatDoNotFitRunNothing) {
  const KernelFamily &family = kernelFamily("add");
  Compilation compilation = compileTo(kernelText(family, 2, 1), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  std::vector<ArgumentValue> arguments = kernelArguments(family, 2, 1);
  arguments.pop_back();
  Launch run = launch(executable, arguments);
  EXPECT_EQ(run.status(), LaunchStatus::Failed);
  EXPECT_TRUE(run.rejected());
  EXPECT_EQ(firstFinding(run), "missing arguments of kernel 'add': 'out' (a "
                               "tensor of f16 [2, 128])");
  EXPECT_EQ(run.advance(10), LaunchStatus::Failed);
}

TEST(Launch, KernelsAreChosenByName) {
  Compilation compilation = compileTo("module {\n  func.func @one() {\n    "
                                      "return\n  }\n  func.func @two() {\n    "
                                      "return\n  }\n}\n",
                                      Level::Ktir);
  EXPECT_TRUE(prepare(compilation, "two", Level::Ktir).valid());
  EXPECT_EQ(prepare(compilation, "", Level::Ktir).diagnostics()[0].message,
            "the text holds several kernels, name one: 'one', 'two'");
  EXPECT_EQ(prepare(compilation, "tow", Level::Ktir).diagnostics()[0].message,
            "there is no kernel 'tow'; did you mean 'two'?");
  EXPECT_EQ(
      prepare(compilation, "one", Level::Dataflow).diagnostics()[0].message,
      "cannot run at level 'dataflow': the program was compiled to level "
      "'ktir' only; compile it further");
  EXPECT_EQ(prepareStage(compilation, "one", 7).diagnostics()[0].message,
            "there is no stage 7, the compilation has 1");
}

// Reading past the end of a tensor meets memory that nobody wrote.
TEST(Launch, OverrunsAreFound) {
  const std::string text = R"(#s = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>
#id = affine_map<(d0) -> (d0)>
module {
  func.func @k(%x: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %past = arith.addi %x, %c64 : index
    %v = ktdp.construct_memory_view %past, sizes: [128], strides: [1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
    %w = ktdp.construct_memory_view %y, sizes: [128], strides: [1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
    %t = ktdp.construct_access_tile %v[%c0] {access_tile_order = #id, access_tile_set = #s} : memref<128xf16> -> !ktdp.access_tile<128xindex>
    %u = ktdp.construct_access_tile %w[%c0] {access_tile_order = #id, access_tile_set = #s} : memref<128xf16> -> !ktdp.access_tile<128xindex>
    %d = ktdp.load %t : <128xindex> -> tensor<128xf16>
    ktdp.store %d, %u : tensor<128xf16>, <128xindex>
    return
  }
}
)";
  Compilation compilation = compileTo(text, Level::Ktir);
  ASSERT_TRUE(compilation.succeeded());
  Executable executable = prepare(compilation, "", Level::Ktir);
  ASSERT_TRUE(executable.valid());
  // The address is given, so that the size is not checked at binding.
  ArgumentValue table, x, y;
  table.name = "table";
  table.bound = false;
  table.value = Tensor{"f16", {128}, std::vector<uint8_t>(256)};
  table.placement.at = 4096;
  x.name = "x";
  x.value = int64_t(4096);
  y.name = "y";
  y.value = Tensor{"f16", {128}, std::vector<uint8_t>(256)};
  Launch run = launch(executable, {table, x, y});
  EXPECT_EQ(finish(run), LaunchStatus::Failed);
  EXPECT_FALSE(run.rejected());
  ASSERT_FALSE(run.findings().empty());
  EXPECT_EQ(run.findings()[0].range.line, 12u);
  EXPECT_EQ(run.findings()[0].range.file, "kernel.mlir");
  // Without checks the missing bytes read as zero.
  LaunchOptions unchecked;
  unchecked.checks = false;
  Launch again = launch(executable, {table, x, y}, unchecked);
  EXPECT_EQ(finish(again), LaunchStatus::Finished);
  // Tensors bound to no argument come after those that are.
  ASSERT_EQ(again.outputs().size(), 2u);
  EXPECT_EQ(again.outputs()[0].name, "y");
  EXPECT_EQ(again.outputs()[1].name, "table");
}

// In numerics `device` values pass through DL16, which has nine fraction bits:
// 1 + 2^-10 is halfway between two of them and rounds away from zero to
// 1 + 2^-9.
TEST(Launch, DeviceNumericsRoundOnTheWayIn) {
  const KernelFamily &family = kernelFamily("copy");
  Compilation compilation = compileTo(kernelText(family, 1, 1), Level::Ktir);
  ExecutableOptions options;
  options.numerics = Numerics::Device;
  Executable executable = prepare(compilation, "", Level::Ktir, options);
  ASSERT_TRUE(executable.valid());
  std::vector<ArgumentValue> arguments = kernelArguments(family, 1, 1);
  Tensor &input = std::get<Tensor>(arguments[0].value);
  input.data[0] = 0x01;
  input.data[1] = 0x3C;
  Launch run = launch(executable, arguments);
  ASSERT_EQ(finish(run), LaunchStatus::Finished) << firstFinding(run);
  Tensor output = outputOf(run, "out");
  EXPECT_EQ(output.data[0], 0x02);
  EXPECT_EQ(output.data[1], 0x3C);
}

// Elements that the host hands over when they are needed, of tensors of several
// pages; what such a source lacks in bytes is told as of any other tensor.
TEST(Launch, TensorsWithTheirElementsElsewhere) {
  const KernelFamily &family = kernelFamily("add");
  constexpr int tiles = 5, rows = 48;
  Compilation compilation =
      compileTo(kernelText(family, tiles, rows), Level::Ktir);
  const std::vector<ArgumentValue> given = kernelArguments(family, tiles, rows);
  std::vector<ArgumentValue> arguments = given;
  uint64_t asked = 0, expected = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto *from = std::get_if<Tensor>(&given[i].value);
    if (!from)
      continue;
    expected += from->data.size();
    Tensor &tensor = std::get<Tensor>(arguments[i].value);
    tensor.data.clear();
    tensor.source = [&asked, from](uint64_t offset, uint64_t count,
                                   uint8_t *into) {
      asked += count;
      std::copy_n(from->data.begin() + offset, count, into);
    };
    EXPECT_EQ(tensor.bytes(), from->data.size());
  }
  for (Numerics mode : {Numerics::Ieee, Numerics::Device}) {
    ExecutableOptions options;
    options.numerics = mode;
    Executable executable = prepare(compilation, "", Level::Ktir, options);
    asked = 0;
    Launch run = launch(executable, arguments);
    ASSERT_EQ(finish(run), LaunchStatus::Finished) << firstFinding(run);
    EXPECT_EQ(asked, expected);
    Launch plain = launch(executable, given);
    ASSERT_EQ(finish(plain), LaunchStatus::Finished);
    EXPECT_EQ(outputOf(run, "out").data, outputOf(plain, "out").data);
  }
  Executable executable = prepare(compilation, "", Level::Ktir);
  std::get<Tensor>(arguments[0].value).shape = {3};
  Launch run = launch(executable, arguments);
  EXPECT_TRUE(run.rejected());
}

#if defined(__linux__) && !LLVM_ADDRESS_SANITIZER_BUILD
namespace {
/// Leaves the process `bytes` bytes of address space beyond what it has.
class AddressLimit {
public:
  explicit AddressLimit(uint64_t bytes) {
    getrlimit(RLIMIT_AS, &before);
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before;
    limit.rlim_cur = pages * uint64_t(getpagesize()) + bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before); }

private:
  rlimit before;
};
} // namespace

TEST(Launch, AHostWithoutMemoryIsToldOf) {
  Compilation compilation =
      compileTo(kernelText(kernelFamily("add"), 2, 1), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  std::vector<ArgumentValue> arguments =
      kernelArguments(kernelFamily("add"), 2, 1);
  std::vector<Diagnostic> problems;
  std::vector<ArgumentValue> large = parseArguments(
      R"({"large": {"dtype": "i8", "shape": [1073741824], "fill": 1,
                    "at": 1048576}})",
      "args.json", nullptr, problems, Contents::Generated);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  arguments.push_back(large[0]);
  for (bool isReadLater : {false, true}) {
    std::get<Tensor>(arguments.back().value).isReadLater = isReadLater;
    AddressLimit limit(uint64_t(64) << 20);
    Launch run = launch(executable, arguments);
    EXPECT_EQ(run.status(),
              isReadLater ? LaunchStatus::Running : LaunchStatus::Failed);
    EXPECT_EQ(finish(run), LaunchStatus::Failed);
    EXPECT_FALSE(run.rejected());
    EXPECT_EQ(run.outputCount(), 0u);
    ASSERT_EQ(run.findings().size(), 1u);
    EXPECT_EQ(firstFinding(run).find("out of memory: 'large' takes 1073741824 "
                                     "bytes, and the host gives no more than "),
              0u)
        << firstFinding(run);
  }
  Launch run = launch(executable, kernelArguments(kernelFamily("add"), 2, 1));
  EXPECT_EQ(finish(run), LaunchStatus::Finished);
}
#endif

TEST(Launch, TracesInChromeFormat) {
  const KernelFamily &family = kernelFamily("add");
  Compilation compilation = compileTo(kernelText(family, 2, 1), Level::Ktir);
  Executable executable = prepare(compilation, "", Level::Ktir);
  LaunchOptions options;
  options.trace = true;
  Launch run = launch(executable, kernelArguments(family, 2, 1), options);
  ASSERT_EQ(finish(run), LaunchStatus::Finished);
  const std::string trace = run.traceJson();
  EXPECT_NE(trace.find("\"thread_name\""), std::string::npos);
  EXPECT_NE(trace.find("\"tile 1\""), std::string::npos);
  EXPECT_NE(trace.find("\"ph\":\"X\""), std::string::npos);
}
