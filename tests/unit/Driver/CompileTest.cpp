//===- CompileTest.cpp - Diagnostics, signatures and stages ---------------===//

#include "TestKernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace ktir;
using namespace ktir::test;

static Compilation compileAt(const std::string &text, Level to,
                             bool strict = false) {
  CompileOptions options;
  options.to = to;
  options.strict = strict;
  return compile(text, options);
}

/// The bytes of `range` in a text of which it lies on one line.
static std::string textAt(const std::string &text, const SourceRange &range) {
  EXPECT_EQ(range.line, range.endLine);
  size_t start = 0;
  for (unsigned line = 1; line < range.line; ++line)
    start = text.find('\n', start) + 1;
  return text.substr(start + range.column - 1, range.endColumn - range.column);
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

TEST(Compile, ParseErrorsHaveTheTokenAndNoCrash) {
  const std::string text = "module {\n  func.func @k(%x: indx) {\n    return\n"
                           "  }\n}\n";
  Compilation compilation = compileAt(text, Level::Ktir);
  EXPECT_FALSE(compilation.succeeded());
  ASSERT_EQ(compilation.diagnostics().size(), 1u);
  const Diagnostic &diagnostic = compilation.diagnostics()[0];
  EXPECT_EQ(diagnostic.severity, Severity::Error);
  EXPECT_EQ(diagnostic.range.file, "kernel.mlir");
  EXPECT_EQ(diagnostic.range.line, 2u);
  EXPECT_EQ(textAt(text, diagnostic.range), "indx");
  EXPECT_TRUE(compilation.stages().empty());
  EXPECT_EQ(compilation.stageText(0), "");
}

TEST(Compile, GarbageIsDiagnosed) {
  for (const std::string &text :
       {std::string("\x00\xff{{{", 5), std::string("%"),
        std::string("module {"), std::string("\"a"),
        std::string("#m = affine_map<(d0) -> (d0 +"), std::string(5000, '<'),
        std::string("loc(")}) {
    Compilation compilation = compileAt(text, Level::Dataflow);
    EXPECT_FALSE(compilation.succeeded());
    ASSERT_FALSE(compilation.diagnostics().empty());
    EXPECT_GE(compilation.diagnostics()[0].range.line, 1u);
  }
}

TEST(Compile, VerifierErrorsPointAtTheOpInSpiteOfLocations) {
  const std::string text = R"(#id = affine_map<(d0) -> (d0)>
#set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
module {
  func.func @k(%x: index loc("other.py":1:1)) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index loc("other.py":2:1)
    %v = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<64xf16> loc("other.py":3:1)
    %t = ktdp.construct_access_tile %v[%c0] {access_tile_order = #id, access_tile_set = #set} : memref<64xf16> -> !ktdp.access_tile<64xindex> loc("other.py":3:5)
    %d = ktdp.load %t : <64xindex> -> tensor<32xf16> loc("other.py":4:1)
    return
  }
}
)";
  Compilation compilation = compileAt(text, Level::Ktir);
  ASSERT_EQ(compilation.diagnostics().size(), 1u);
  const Diagnostic &diagnostic = compilation.diagnostics()[0];
  EXPECT_EQ(diagnostic.range.file, "kernel.mlir");
  EXPECT_EQ(textAt(text, diagnostic.range), "ktdp.load");
  EXPECT_EQ(diagnostic.message, "'ktdp.load' op access tile shape must match "
                                "result tensor shape");
  EXPECT_EQ(diagnostic.rule, "LD-2");
}

TEST(Compile, NotesHaveRanges) {
  const std::string text =
      "module {\n  func.func private @f()\n  func.func private @f()\n}\n";
  Compilation compilation = compileAt(text, Level::Ktir);
  ASSERT_EQ(compilation.diagnostics().size(), 1u);
  ASSERT_EQ(compilation.diagnostics()[0].notes.size(), 1u);
  EXPECT_EQ(compilation.diagnostics()[0].range.line, 3u);
  EXPECT_EQ(compilation.diagnostics()[0].notes[0].range.line, 2u);
}

TEST(Compile, StrictRefusesLegacyForms) {
  const std::string text = kernelText(kernelFamily("producer_copy"), 2, 3);
  EXPECT_TRUE(compileAt(text, Level::Ktir).succeeded());
  Compilation strict = compileAt(text, Level::Ktir, true);
  EXPECT_FALSE(strict.succeeded());
  ASSERT_FALSE(strict.diagnostics().empty());
  EXPECT_NE(strict.diagnostics()[0].message.find("spyre_memory_space"),
            std::string::npos);
  // The switch belongs to one call.
  EXPECT_TRUE(compileAt(text, Level::Ktir).succeeded());
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

TEST(Compile, SignatureOfAProducerKernel) {
  const std::string text = readSource("examples/llama-mul/kernel.mlir");
  Compilation compilation = compileAt(text, Level::Ktir);
  ASSERT_EQ(compilation.kernels().size(), 1u);
  const KernelInfo &kernel = compilation.kernels()[0];
  EXPECT_EQ(kernel.name, "fused_mul_0");
  EXPECT_EQ(kernel.grid, (std::vector<int64_t>{32}));
  EXPECT_EQ(textAt(text, kernel.range), "@fused_mul_0");
  ASSERT_EQ(kernel.arguments.size(), 3u);
  const ArgumentInfo &x = kernel.arguments[0];
  EXPECT_EQ(x.name, "arg0");
  EXPECT_EQ(x.type, "index");
  EXPECT_EQ(x.role, ArgumentInfo::Role::Tensor);
  EXPECT_EQ(x.dtype, "f16");
  EXPECT_EQ(x.shape, (std::vector<int64_t>{1, 12, 224, 64}));
  EXPECT_EQ(x.strides, (std::vector<int64_t>{172032, 14336, 64, 1}));
  EXPECT_EQ(x.span, 12 * 224 * 64);
  EXPECT_TRUE(x.exactShape);
  // Stored through the tile that was loaded.
  EXPECT_EQ(x.access, ArgumentInfo::Access::ReadWrite);
  EXPECT_EQ(kernel.arguments[1].access, ArgumentInfo::Access::Read);
  EXPECT_EQ(kernel.arguments[2].role, ArgumentInfo::Role::Unused);
  EXPECT_EQ(kernel.arguments[2].type, "i32");
}

TEST(Compile, BasesThroughIndexArithmetic) {
  Compilation compilation = compileAt(R"(
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
module {
  func.func @k(%base: index, %rows: index, %step: index, %other: index) {
    %c256 = arith.constant 256 : index
    %far = arith.addi %base, %c256 : index
    %v = ktdp.construct_memory_view %far, sizes: [4, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<4x64xf32>
    %w = ktdp.construct_memory_view %other, sizes: [%rows, 64], strides: [%step, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
    return
  }
}
)",
                                      Level::Ktir);
  ASSERT_TRUE(compilation.succeeded());
  const std::vector<ArgumentInfo> &arguments =
      compilation.kernels()[0].arguments;
  // MF-3: no grid is one tile.
  EXPECT_EQ(compilation.kernels()[0].grid, (std::vector<int64_t>{1}));
  EXPECT_EQ(arguments[0].role, ArgumentInfo::Role::Tensor);
  EXPECT_EQ(arguments[0].dtype, "f32");
  EXPECT_EQ(arguments[0].span, 256 + 4 * 64);
  EXPECT_FALSE(arguments[0].exactShape);
  EXPECT_EQ(arguments[1].role, ArgumentInfo::Role::Scalar);
  EXPECT_EQ(arguments[2].role, ArgumentInfo::Role::Scalar);
  EXPECT_EQ(arguments[3].shape, (std::vector<int64_t>{-1, 64}));
  EXPECT_EQ(arguments[3].strides, (std::vector<int64_t>{-1, 1}));
  EXPECT_EQ(arguments[3].span, 0);
  EXPECT_FALSE(arguments[3].exactShape);
}

TEST(Compile, HelpersAreNoKernels) {
  Compilation compilation = compileAt(R"(module {
  func.func private @helper(%i: index) -> index {
    return %i : index
  }
  func.func @first() attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %r = call @helper(%c0) : (index) -> index
    return
  }
  func.func @second() attributes {grid = [4 : index, 8 : index]} {
    return
  }
}
)",
                                      Level::Ktir);
  ASSERT_EQ(compilation.kernels().size(), 2u);
  EXPECT_EQ(compilation.kernels()[0].name, "first");
  EXPECT_EQ(compilation.kernels()[1].grid, (std::vector<int64_t>{4, 8}));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

TEST(Compile, LevelsByTheirNames) {
  for (Level level : {Level::Ktir, Level::Schedule, Level::Units,
                      Level::Dataflow, Level::Container})
    EXPECT_EQ(levelFromString(toString(level)), level);
  EXPECT_FALSE(levelFromString("dfir"));
}

TEST(Compile, StagesGoDownTheLevels) {
  Compilation compilation =
      compileAt(kernelText(kernelFamily("add"), 2, 3), Level::Dataflow);
  ASSERT_TRUE(compilation.succeeded());
  const std::vector<StageInfo> &stages = compilation.stages();
  ASSERT_GT(stages.size(), 4u);
  EXPECT_EQ(stages[0].name, "input");
  EXPECT_EQ(stages[0].level, Level::Ktir);
  EXPECT_EQ(stages.back().level, Level::Dataflow);
  bool levels[4] = {};
  for (size_t i = 0; i < stages.size(); ++i) {
    levels[unsigned(stages[i].level)] = true;
    EXPECT_FALSE(stages[i].opCounts.empty());
    if (i == 0)
      continue;
    EXPECT_GE(stages[i].level, stages[i - 1].level);
    // "changed" is what a reader of the texts would say.
    EXPECT_EQ(stages[i].changed,
              compilation.stageText(i) != compilation.stageText(i - 1))
        << stages[i].name;
    EXPECT_GE(stages[i].milliseconds, 0);
  }
  for (bool reached : levels)
    EXPECT_TRUE(reached);
  // One func, one grid: counted in the input's text.
  for (const auto &[name, count] : stages[0].opCounts)
    if (name == "ktdp.construct_memory_view") {
      EXPECT_EQ(count, 3u);
    }
}

TEST(Compile, StopsAtTheLevelAsked) {
  const std::string text = kernelText(kernelFamily("add"), 2, 3);
  for (Level level :
       {Level::Ktir, Level::Schedule, Level::Units, Level::Dataflow}) {
    Compilation compilation = compileAt(text, level);
    EXPECT_TRUE(compilation.succeeded());
    EXPECT_EQ(compilation.level(), level);
    EXPECT_EQ(compilation.inputLevel(), Level::Ktir);
  }
  EXPECT_EQ(compileAt(text, Level::Ktir).stages().size(), 1u);
}

TEST(Compile, StopsAfterThePassAsked) {
  CompileOptions options;
  options.stopAfter = "ktir-legality-check";
  Compilation compilation =
      compile(kernelText(kernelFamily("add"), 2, 3), options);
  EXPECT_TRUE(compilation.succeeded());
  EXPECT_EQ(compilation.stages().back().name, "ktir-legality-check");
  options.stopAfter = "no-such-pass";
  compilation = compile(kernelText(kernelFamily("add"), 2, 3), options);
  EXPECT_FALSE(compilation.succeeded());
  ASSERT_EQ(compilation.diagnostics().size(), 1u);
  EXPECT_EQ(compilation.diagnostics()[0].message,
            "there is no pass 'no-such-pass'");
}

TEST(Compile, AKernelOutsideTheClassKeepsTheStagesBefore) {
  const std::string text =
      readSource("tests/inputs/kernels/outside_class.mlir");
  Compilation compilation = compileAt(text, Level::Dataflow);
  EXPECT_FALSE(compilation.succeeded());
  ASSERT_EQ(compilation.diagnostics().size(), 1u);
  EXPECT_EQ(textAt(text, compilation.diagnostics()[0].range), "arith.divf");
  ASSERT_FALSE(compilation.stages().empty());
  EXPECT_EQ(compilation.stages()[0].name, "input");
  EXPECT_EQ(compilation.level(), Level::Ktir);
  EXPECT_EQ(compilation.kernels().size(), 1u);
  EXPECT_TRUE(compileAt(text, Level::Ktir).succeeded());
}

TEST(Compile, DataflowTextReadsBackUnchanged) {
  Compilation lowered =
      compileAt(kernelText(kernelFamily("residual"), 2, 3), Level::Dataflow);
  ASSERT_TRUE(lowered.succeeded());
  const std::string text = lowered.stageText(lowered.stages().size() - 1);
  Compilation again = compileAt(text, Level::Dataflow);
  ASSERT_TRUE(again.succeeded());
  EXPECT_EQ(again.inputLevel(), Level::Dataflow);
  EXPECT_EQ(again.stages().size(), 1u);
  EXPECT_EQ(again.stageText(0), text);
  ASSERT_EQ(again.kernels().size(), 1u);
  EXPECT_EQ(again.kernels()[0].name, "residual");
  EXPECT_EQ(again.kernels()[0].arguments.size(), 4u);
}

TEST(Compile, CompilingTwiceGivesTheSameText) {
  const std::string text = kernelText(kernelFamily("two_stores"), 5, 3);
  Compilation first = compileAt(text, Level::Dataflow);
  Compilation second = compileAt(text, Level::Dataflow);
  ASSERT_EQ(first.stages().size(), second.stages().size());
  for (size_t i = 0; i < first.stages().size(); ++i)
    EXPECT_EQ(first.stageText(i), second.stageText(i));
}

TEST(Compile, DevicesComeFromTheCaller) {
  CompileOptions options;
  options.device = readSource("devices/spyre.mlir");
  options.deviceName = "my/machine.mlir";
  const std::string text = kernelText(kernelFamily("add"), 2, 3);
  Compilation compilation = compile(text, options);
  ASSERT_TRUE(compilation.succeeded());
  EXPECT_NE(compilation.stageText(compilation.stages().size() - 1)
                .find("import(\"my/machine.mlir\")"),
            std::string::npos);

  options.device = "module {}";
  EXPECT_FALSE(compile(text, options).succeeded());
  options.device = "not a device";
  Compilation broken = compile(text, options);
  EXPECT_FALSE(broken.succeeded());
  EXPECT_FALSE(broken.diagnostics().empty());
}

TEST(Compile, ListsOfDimensionsAreListsOfIntegers) {
  // What MLIR's parser would take for an attribute that is there.
  for (const char *list : {"f16", "[f16]", "[1, ]", "[1 0]", "[1, 0", "{}"}) {
    const std::string text =
        std::string("func.func @k(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) {\n"
                    "  %c = linalg.transpose ins(%a : tensor<2x3xf16>) "
                    "outs(%b : tensor<3x2xf16>) permutation = ") +
        list + "\n  return\n}\n";
    Compilation compilation = compileAt(text, Level::Ktir);
    EXPECT_FALSE(compilation.succeeded()) << list;
    ASSERT_FALSE(compilation.diagnostics().empty()) << list;
    EXPECT_NE(compilation.diagnostics()[0].range.line, 0u) << list;
  }
}

TEST(Compile, IteratorTypesAreStrings) {
  for (const char *list : {"[0]", "[f16, \"parallel\"]", "[\"parallel\" 1]"}) {
    const std::string text =
        std::string("#m = affine_map<(i) -> (i)>\n"
                    "func.func @k(%a: tensor<2xf16>) {\n"
                    "  %c = linalg.generic {indexing_maps = [#m], "
                    "iterator_types = ") +
        list +
        "} outs(%a : tensor<2xf16>) {\n  ^bb0(%x: f16):\n"
        "    linalg.yield %x : f16\n  } -> tensor<2xf16>\n  return\n}\n";
    Compilation compilation = compileAt(text, Level::Ktir);
    EXPECT_FALSE(compilation.succeeded()) << list;
    ASSERT_FALSE(compilation.diagnostics().empty()) << list;
    EXPECT_NE(compilation.diagnostics()[0].message.find("list of strings"),
              std::string::npos);
    EXPECT_EQ(compilation.diagnostics()[0].range.line, 3u) << list;
  }
}

//===----------------------------------------------------------------------===//
// Edits of older forms
//===----------------------------------------------------------------------===//

/// `text` with each of `edits` applied once.
static std::string edited(const std::string &text,
                          const std::vector<TextEdit> &edits) {
  std::vector<size_t> lines = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines.push_back(i + 1);
  // From the end, so that places stay; at one place the last goes in first.
  std::map<std::pair<size_t, size_t>, std::vector<std::string>> places;
  for (const TextEdit &edit : edits) {
    const SourceRange &range = edit.range;
    std::vector<std::string> &there =
        places[{lines[range.line - 1] + range.column - 1,
                lines[range.endLine - 1] + range.endColumn - 1}];
    if (std::find(there.begin(), there.end(), edit.text) == there.end())
      there.push_back(edit.text);
  }
  std::string result = text;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    std::string inserted;
    for (const std::string &part : place->second)
      inserted += part;
    result.replace(place->first.first, place->first.second - place->first.first,
                   inserted);
  }
  return result;
}

/// Three ops that each write over the result of the one before, of which the
/// last is used, and one that has nothing to do with them.
static const char *const chainedForms = R"(module {
  func.func @f(%a: tensor<4xf16>, %b: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
    %s = tensor.empty() : tensor<4xf16>
    %t = tensor.empty() : tensor<4xf16>
    linalg.add ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%s : tensor<4xf16>)
    linalg.sub ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%t : tensor<4xf16>)
    linalg.mul ins(%s, %b : tensor<4xf16>, tensor<4xf16>) outs(%s : tensor<4xf16>)
    linalg.add ins(%s, %t : tensor<4xf16>, tensor<4xf16>) outs(%s : tensor<4xf16>)
    return %s, %t : tensor<4xf16>, tensor<4xf16>
  }
}
)";

TEST(Compile, EachEditAloneKeepsTheProgram) {
  for (const std::string &text :
       {std::string(chainedForms),
        readSource("tests/inputs/legacy/every_form.mlir")}) {
    const std::optional<std::string> meant = format(text, "a.mlir").text;
    ASSERT_TRUE(meant);
    const Compilation compilation = compile(text, {});
    std::vector<TextEdit> all;
    unsigned mended = 0;
    for (const Diagnostic &diagnostic : compilation.diagnostics()) {
      if (diagnostic.rule.rfind("LF-", 0) != 0)
        continue;
      SCOPED_TRACE(diagnostic.message);
      ASSERT_FALSE(diagnostic.edits.empty());
      ++mended;
      all.insert(all.end(), diagnostic.edits.begin(), diagnostic.edits.end());
      const FormatResult again =
          format(edited(text, diagnostic.edits), "a.mlir");
      ASSERT_TRUE(again.text) << again.diagnostics[0].message;
      EXPECT_EQ(*again.text, *meant);
    }
    EXPECT_GE(mended, 4u);
    CompileOptions strict;
    strict.strict = true;
    strict.to = Level::Ktir;
    const std::string mendedText = edited(text, all);
    const Compilation checked = compile(mendedText, strict);
    for (const Diagnostic &diagnostic : checked.diagnostics())
      EXPECT_NE(diagnostic.rule.rfind("LF-", 0), 0u) << diagnostic.message;
    EXPECT_EQ(format(mendedText, "a.mlir").text, meant);
  }
}

TEST(Compile, LongChainsHaveTheirEditsOnce) {
  std::string text = "module {\n  func.func @f(%a: tensor<4xf16>) -> "
                     "tensor<4xf16> {\n    %s = tensor.empty() : "
                     "tensor<4xf16>\n";
  constexpr unsigned count = 1000;
  for (unsigned i = 0; i < count; ++i)
    text += "    linalg.add ins(%a, %s : tensor<4xf16>, tensor<4xf16>) "
            "outs(%s : tensor<4xf16>)\n";
  text += "    return %s : tensor<4xf16>\n  }\n}\n";
  const Compilation compilation = compile(text, {});
  size_t edits = 0;
  std::vector<TextEdit> first;
  for (const Diagnostic &diagnostic : compilation.diagnostics()) {
    if (first.empty())
      first = diagnostic.edits;
    edits += diagnostic.edits.size();
  }
  // A name, a type, and each use but those of the first.
  EXPECT_EQ(edits, 4 * count - 1);
  EXPECT_EQ(format(edited(text, first), "a.mlir").text,
            format(text, "a.mlir").text);
}
