//===- CaptureTest.cpp - Values of names of a text ------------------------===//

#include "HostTensor.h"
#include "TestKernels.h"
#include "TextScan.h"

#include <gtest/gtest.h>

using namespace ktir;
using namespace ktir::test;

namespace {

// Tile t reads row t of x (3 by 5) and keeps twice of it; in the branches %v
// has two meanings.
const char *const text =
    R"(#row = affine_set<(i, j) : (i == 0, j >= 0, -j + 4 >= 0)>
#all = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 4 >= 0)>
#id = affine_map<(i, j) -> (i, j)>
module {
  func.func @k(%x: index, %scale: f16) attributes {grid = [3]} {
    %tile = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %view = ktdp.construct_memory_view %x, sizes: [3, 5], strides: [5, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<3x5xf16>
    %place = ktdp.construct_access_tile %view[%tile, %c0] {access_tile_set = #row, access_tile_order = #id} : memref<3x5xf16> -> !ktdp.access_tile<1x5xindex>
    %row = ktdp.load %place : <1x5xindex> -> tensor<1x5xf16>
    %twice = arith.addf %row, %row : tensor<1x5xf16>
    %isOne = arith.cmpi eq, %tile, %c1 : index
    scf.if %isOne {
      %v = arith.addi %tile, %c1 : index
      %w = arith.muli %v, %v : index
    } else {
      %v = arith.subi %c1, %tile : index
      %w = arith.muli %v, %v : index
    }
    return
  }
}
)";

Executable prepared(Numerics numerics = Numerics::Ieee) {
  CompileOptions options;
  options.to = Level::Ktir;
  Compilation compilation = compile(text, options);
  EXPECT_TRUE(compilation.succeeded())
      << (compilation.diagnostics().empty()
              ? ""
              : compilation.diagnostics()[0].message);
  ExecutableOptions preparing;
  preparing.numerics = numerics;
  return prepare(compilation, "", Level::Ktir, preparing);
}

/// x[r][c] = 5 r + c.
std::vector<ArgumentValue> arguments() {
  Tensor x{"f16", {3, 5}, std::vector<uint8_t>(30)};
  for (int64_t i = 0; i < 15; ++i)
    setElement(x, *dtypeFormat(x.dtype), i, double(i));
  return {{"x", true, x, {}}, {"scale", true, 0.375, {}}};
}

Launch launched(const std::vector<Capture> &captures,
                Numerics numerics = Numerics::Ieee) {
  LaunchOptions options;
  options.captures = captures;
  Launch run = launch(prepared(numerics), arguments(), options);
  finish(run);
  return run;
}

Capture named(const std::string &name, const std::string &instance = "") {
  Capture capture;
  capture.name = name;
  capture.instance = instance;
  return capture;
}

Capture at(unsigned line, unsigned column, const std::string &instance = "") {
  Capture capture;
  capture.line = line;
  capture.column = column;
  capture.instance = instance;
  return capture;
}

/// The only error of a launch with one capture.
std::string errorOf(const Capture &capture) {
  Launch run = launched({capture});
  EXPECT_TRUE(run.rejected());
  EXPECT_EQ(run.findings().size(), 1u);
  return run.findings().empty() ? "" : run.findings()[0].message;
}

TEST(Capture, ByName) {
  for (Numerics numerics : {Numerics::Ieee, Numerics::Device}) {
    Launch run = launched({named("%twice", "2"), named("tile", "1"),
                           named("scale"), named("isOne", "1"), named("place")},
                          numerics);
    ASSERT_EQ(run.status(), LaunchStatus::Finished);
    const std::vector<CapturedValue> values = run.captured();
    ASSERT_EQ(values.size(), 5u);
    EXPECT_EQ(values[0].name, "%twice");
    EXPECT_EQ(values[0].instance, "tile 2");
    EXPECT_EQ(values[0].type, "tensor<1x5xf16>");
    EXPECT_EQ(values[0].executions, 1u);
    EXPECT_EQ(values[0].range.line, 12u);
    EXPECT_EQ(values[0].range.column, 5u);
    ASSERT_TRUE(values[0].tensor);
    EXPECT_EQ(values[0].tensor->shape, (std::vector<int64_t>{1, 5}));
    for (int64_t c = 0; c < 5; ++c)
      EXPECT_EQ(elementAsDouble(*values[0].tensor, c), 2.0 * (10 + c));
    ASSERT_TRUE(values[1].tensor);
    EXPECT_EQ(values[1].tensor->dtype, "index");
    EXPECT_TRUE(values[1].tensor->shape.empty());
    EXPECT_EQ(elementAsDouble(*values[1].tensor, 0), 1);
    ASSERT_TRUE(values[2].tensor);
    EXPECT_EQ(values[2].tensor->dtype, "f16");
    EXPECT_EQ(elementAsDouble(*values[2].tensor, 0), 0.375);
    ASSERT_TRUE(values[3].tensor);
    EXPECT_EQ(values[3].tensor->data, std::vector<uint8_t>{1});
    EXPECT_FALSE(values[4].tensor);
    EXPECT_NE(values[4].text.find("1 x 5 access tile, [0, 0..4]"),
              std::string::npos)
        << values[4].text;
  }
}

TEST(Capture, ByPositionOfDefinitionOrUse) {
  // The two meanings of %v: 1 + 1 on tile 1, 1 - 2 on tile 2. Line 16, column
  // 24 is a use of the first.
  Launch run = launched({at(15, 7, "1"), at(16, 24, "1"), at(18, 7, "2"),
                         at(15, 7, "2"), at(11, 6, "0")});
  ASSERT_EQ(run.status(), LaunchStatus::Finished);
  const std::vector<CapturedValue> values = run.captured();
  ASSERT_TRUE(values[0].tensor && values[1].tensor && values[2].tensor);
  EXPECT_EQ(elementAsDouble(*values[0].tensor, 0), 2);
  EXPECT_EQ(values[1].name, "%v");
  EXPECT_EQ(values[1].range.line, 15u);
  EXPECT_EQ(elementAsDouble(*values[1].tensor, 0), 2);
  EXPECT_EQ(elementAsDouble(*values[2].tensor, 0), -1);
  // Tile 2 takes the other branch.
  EXPECT_EQ(values[3].executions, 0u);
  EXPECT_EQ(values[3].text, "never defined");
}

TEST(Capture, WhatDoesNotExist) {
  EXPECT_EQ(errorOf(named("%twise")),
            "there is no value '%twise' in kernel 'k'; did you mean '%twice'?");
  EXPECT_EQ(errorOf(named("%v")),
            "'%v' is the name of 2 values; name one by its line and column: "
            "15:7, 18:7");
  EXPECT_EQ(errorOf(named("%row", "3")),
            "the kernel runs on 3 tiles, expected a number below that, found "
            "3");
  EXPECT_EQ(errorOf(named("%row", "x")),
            "expected the number of a tile, found 'x'");
  EXPECT_EQ(errorOf(named("%row#1")),
            "'%row' has 1 results, expected a number below that after '#', "
            "found 1");
  EXPECT_EQ(errorOf(at(1, 1)),
            "there is no name of a value at line 1, column 1");
  Capture zeroth = named("%row");
  zeroth.execution = 0;
  EXPECT_EQ(errorOf(zeroth), "executions are counted from 1, found 0");
}

// The same numbers and the same report with captures as without.
TEST(Capture, ChangesNothing) {
  Launch plain = launched({});
  Launch run = launched({named("%row", "1"), named("%c0", "2")});
  EXPECT_EQ(reportJson(plain.report()), reportJson(run.report()));
  EXPECT_TRUE(plain.captured().empty());
}

// At level dataflow instances are units; the names are those of its own text.
TEST(Capture, UnitsOfDataflow) {
  const KernelFamily &family = kernelFamily("axpy"); // 2.5 x + y
  CompileOptions options;
  Compilation lowered = compile(kernelText(family, 2, 3), options);
  ASSERT_TRUE(lowered.succeeded());
  const std::string dataflow = lowered.stageText(lowered.stages().size() - 1);
  Compilation compilation = compile(dataflow, options);
  ASSERT_TRUE(compilation.succeeded());
  Executable executable = prepare(compilation, "", Level::Dataflow);
  ASSERT_TRUE(executable.valid());
  std::vector<ArgumentValue> arguments = kernelArguments(family, 2, 3);
  for (size_t i = 0; i < arguments.size(); ++i)
    arguments[i].name = "arg" + std::to_string(i);

  // The factor in the compute unit, by the place of its name.
  const SourceText source("kernel.mlir", dataflow);
  const size_t op = dataflow.find("vectorchain.constant_bitstream");
  ASSERT_NE(op, std::string::npos);
  const size_t name = dataflow.rfind('%', op);
  const SourceRange place = source.rangeOf(name, name + 1);
  LaunchOptions launching;
  launching.captures = {named("%arg0"),
                        at(place.line, place.column, "C1-sfu-CL0"),
                        at(place.line, place.column, "C0-l1lu-CL0")};
  Launch run = launch(executable, arguments, launching);
  ASSERT_EQ(finish(run), LaunchStatus::Finished) << run.findings()[0].message;
  const std::vector<CapturedValue> values = run.captured();
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].instance, "host");
  ASSERT_TRUE(values[0].tensor);
  EXPECT_EQ(values[0].tensor->dtype, "index");
  ASSERT_TRUE(values[1].tensor);
  EXPECT_EQ(elementAsDouble(*values[1].tensor, 0), 2.5);
  // The load unit runs another program.
  EXPECT_EQ(values[2].executions, 0u);

  launching.captures[0].instance = "C1-sfu-CL";
  Launch wrong = launch(executable, arguments, launching);
  ASSERT_TRUE(wrong.rejected());
  EXPECT_EQ(wrong.findings()[0].message.find("there is no unit 'C1-sfu-CL'"),
            0u);
}

// A KTIR name has no value once its kernel is lowered.
TEST(Capture, NamesBelongToTheLevelOfTheText) {
  CompileOptions options;
  Compilation compilation =
      compile(kernelText(kernelFamily("add"), 2, 3), options);
  ASSERT_TRUE(compilation.succeeded());
  LaunchOptions launching;
  launching.captures = {named("out_result", "1")};
  const std::vector<ArgumentValue> arguments =
      kernelArguments(kernelFamily("add"), 2, 3);
  Launch asWritten =
      launch(prepare(compilation, "", Level::Ktir), arguments, launching);
  EXPECT_EQ(finish(asWritten), LaunchStatus::Finished);
  EXPECT_TRUE(asWritten.captured()[0].tensor);
  launching.captures[0].instance = "";
  Launch lowered =
      launch(prepare(compilation, "", Level::Dataflow), arguments, launching);
  ASSERT_TRUE(lowered.rejected());
  EXPECT_EQ(lowered.findings()[0].message,
            "'%out_result' is no value of the program at level 'dataflow' any "
            "more");
}

TEST(Capture, StepsHaveRanges) {
  Launch run = launch(prepared(), arguments());
  LaunchStep step = run.step(1, 100);
  EXPECT_TRUE(step.done);
  EXPECT_EQ(step.op, "ktdp.get_compute_tile_id");
  EXPECT_EQ(step.range.line, 6u);
  unsigned steps = 1;
  for (; step.done; step = run.step(1, 100))
    ++steps;
  EXPECT_GT(steps, 8u);
  // The other tiles have done nothing yet.
  EXPECT_TRUE(step.ended);
  EXPECT_EQ(step.status, LaunchStatus::Running);
  EXPECT_EQ(run.report().instances[0].instructions, 0u);
  EXPECT_EQ(finish(run), LaunchStatus::Finished);
}

} // namespace
