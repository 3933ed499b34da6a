//===- ArgumentsTest.cpp - ARGS.json --------------------------------------===//

#include "HostTensor.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ktir;

namespace {
struct Parsed {
  std::vector<ArgumentValue> arguments;
  std::vector<Diagnostic> diagnostics;
};
} // namespace

static Parsed parse(const std::string &json) {
  Parsed parsed;
  auto reader =
      [](const std::string &path) -> std::optional<std::vector<uint8_t>> {
    if (path == "two.npy")
      return writeNpy(Tensor{"f16", {2}, {0, 0x3C, 0, 0x40}});
    if (path == "bad.npy")
      return std::vector<uint8_t>{1, 2, 3};
    return std::nullopt;
  };
  parsed.arguments =
      parseArguments(json, "args.json", reader, parsed.diagnostics);
  return parsed;
}

static Tensor tensorOf(const std::string &json) {
  Parsed parsed = parse("{\"x\": " + json + "}");
  EXPECT_TRUE(parsed.diagnostics.empty())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].message);
  if (parsed.arguments.size() != 1)
    return {};
  return std::get<Tensor>(parsed.arguments[0].value);
}

static std::string errorOf(const std::string &json) {
  Parsed parsed = parse("{\"x\": " + json + "}");
  EXPECT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_TRUE(parsed.arguments.empty());
  return parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].message;
}

TEST(Arguments, NumbersKeepTheirKindAndOrder) {
  Parsed parsed = parse(R"({"n": 3, "eps": 1e-5, "m": -7, "flag": true})");
  ASSERT_EQ(parsed.arguments.size(), 4u);
  EXPECT_EQ(parsed.arguments[0].name, "n");
  EXPECT_EQ(std::get<int64_t>(parsed.arguments[0].value), 3);
  EXPECT_EQ(std::get<double>(parsed.arguments[1].value), 1e-5);
  EXPECT_EQ(std::get<int64_t>(parsed.arguments[2].value), -7);
  EXPECT_EQ(std::get<int64_t>(parsed.arguments[3].value), 1);
  EXPECT_TRUE(parsed.arguments[0].bound);
}

TEST(Arguments, NpyFiles) {
  Tensor tensor = tensorOf(R"({"npy": "two.npy"})");
  EXPECT_EQ(tensor.dtype, "f16");
  EXPECT_EQ(tensor.shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(elementAsDouble(tensor, 1), 2);
  // The same bits read as another type of two bytes.
  EXPECT_EQ(tensorOf(R"({"npy": "two.npy", "dtype": "bf16"})").dtype, "bf16");
  EXPECT_EQ(errorOf(R"({"npy": "none.npy"})"),
            "argument 'x': cannot read 'none.npy': there is no such "
            "file, or none that can be read");
  EXPECT_EQ(errorOf(R"({"npy": "bad.npy"})"),
            "argument 'x': 'bad.npy': not a .npy file: it does not start with "
            "the NumPy magic string");
  EXPECT_EQ(errorOf(R"({"npy": "two.npy", "shape": [3]})"),
            "argument 'x': 'shape' is [3] but the file holds [2]");
  EXPECT_EQ(errorOf(R"({"npy": "two.npy", "dtype": "f32"})"),
            "argument 'x': 'dtype' is \"f32\" but the file holds f16");
  EXPECT_EQ(errorOf(R"({"npy": 3})"),
            "argument 'x': expected a file name for 'npy', found 3");
}

TEST(Arguments, Fill) {
  Tensor tensor = tensorOf(R"({"dtype": "f16", "shape": [2, 3], "fill": 0.1})");
  ASSERT_EQ(tensor.data.size(), 12u);
  // 0.1 rounds to 0x2E66 in half precision.
  for (size_t i = 0; i < 12; i += 2) {
    EXPECT_EQ(tensor.data[i], 0x66);
    EXPECT_EQ(tensor.data[i + 1], 0x2E);
  }
  EXPECT_TRUE(std::isinf(elementAsDouble(
      tensorOf(R"({"dtype": "f32", "shape": [1], "fill": "-inf"})"), 0)));
  EXPECT_TRUE(
      tensorOf(R"({"dtype": "f32", "shape": [0], "fill": 1})").data.empty());
}

// 2^60 + 2^36 + 1, 2^63 + 2^39 + 1: each lies beyond the middle of two f32, and
// its nearest double in the middle.
TEST(Arguments, IntegersForFloatsRoundOnce) {
  Tensor tensor = tensorOf(R"({"dtype": "f32", "shape": [3], "data":
      [1152921573326323713, -1152921573326323713, 9223372586610589697]})");
  EXPECT_EQ(elementAsDouble(tensor, 0), 0x1p60 + 0x1p37);
  EXPECT_EQ(elementAsDouble(tensor, 1), -(0x1p60 + 0x1p37));
  EXPECT_EQ(elementAsDouble(tensor, 2), 0x1p63 + 0x1p40);
  Tensor zeros = tensorOf(R"({"dtype": "f32", "shape": [3], "data":
      [-0.0, 0, -9.223372036854775808e18]})");
  EXPECT_TRUE(std::signbit(elementAsDouble(zeros, 0)));
  EXPECT_FALSE(std::signbit(elementAsDouble(zeros, 1)));
  EXPECT_EQ(elementAsDouble(zeros, 2), -0x1p63);
}

TEST(Arguments, TypesGivenAsTheirBits) {
  EXPECT_EQ(errorOf(R"({"dtype": "i4", "shape": [4], "fill": 0})"),
            "argument 'x': expected 'dtype' to be one of i1, i8, si8, i16, "
            "si16, i32, si32, i64, si64, index, f16, bf16, f32, f64, found "
            "\"i4\"; its elements are given as i8");
}

TEST(Arguments, DataFlatAndNested) {
  Tensor flat =
      tensorOf(R"({"dtype": "i32", "shape": [2, 2], "data": [1, 2, 3, -4]})");
  Tensor nested = tensorOf(
      R"({"dtype": "i32", "shape": [2, 2], "data": [[1, 2], [3, -4]]})");
  EXPECT_EQ(flat.data, nested.data);
  EXPECT_EQ(elementText(flat, 3), "-4");
  EXPECT_EQ(errorOf(R"({"dtype": "i32", "shape": [3], "data": [1, 2]})"),
            "argument 'x': expected 3 elements in 'data' for shape [3], found "
            "2");
  EXPECT_EQ(errorOf(R"({"dtype": "i8", "shape": [2], "data": [1, 300]})"),
            "argument 'x': element 1 of 'data': the value 300 does not fit i8");
  EXPECT_EQ(errorOf(R"({"dtype": "i8", "shape": [1], "data": [1.5]})"),
            "argument 'x': element 0 of 'data': expected an integer for dtype "
            "i8, found 1.5");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [1], "data": ["one"]})"),
            "argument 'x': element 0 of 'data': expected a number, \"inf\", "
            "\"-inf\" or \"nan\", found \"one\"");
}

TEST(Arguments, RandomIsReproducible) {
  const std::string json =
      R"({"dtype": "f16", "shape": [64], "random": "normal", "seed": 1, "scale": 0.5})";
  EXPECT_EQ(tensorOf(json).data, tensorOf(json).data);
  EXPECT_NE(
      tensorOf(json).data,
      tensorOf(
          R"({"dtype": "f16", "shape": [64], "random": "normal", "seed": 2, "scale": 0.5})")
          .data);
  Tensor integers = tensorOf(
      R"({"dtype": "f16", "shape": [64], "random": "integers", "low": 3, "high": 5})");
  for (int64_t i = 0; i < 64; ++i)
    EXPECT_TRUE(elementAsDouble(integers, i) == 3 ||
                elementAsDouble(integers, i) == 4);
  EXPECT_EQ(errorOf(R"({"dtype": "i32", "shape": [1], "random": "normal"})"),
            "argument 'x': random \"normal\" needs a float dtype, found i32; "
            "use \"integers\"");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [1], "random": "gauss"})"),
            "argument 'x': expected 'random' to be \"normal\", \"uniform\" or "
            "\"integers\", found \"gauss\"");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [1], "random": "integers"})"),
            "argument 'x': random \"integers\" needs 'low' and 'high'");
  EXPECT_EQ(
      errorOf(
          R"({"dtype": "f16", "shape": [1], "random": "uniform", "low": 2, "high": 2})"),
      "argument 'x': expected 'low' below 'high'");
  EXPECT_EQ(
      errorOf(
          R"({"dtype": "f16", "shape": [1], "random": "uniform", "scale": 2})"),
      "argument 'x': 'scale' does not belong to random \"uniform\"");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [1], "fill": 0, "seed": 2})"),
            "argument 'x': 'seed' belongs to 'random', found it beside 'fill'");
}

TEST(Arguments, SeedsHave64Bits) {
  auto bytes = [](const std::string &seed) {
    return tensorOf(R"({"dtype": "i64", "shape": [4], "random": "integers",
        "low": 0, "high": 4294967296, "seed": )" +
                    seed + "}")
        .data;
  };
  auto error = [](const std::string &seed) {
    return errorOf(R"({"dtype": "f16", "shape": [1], "random": "normal",
        "seed": )" +
                   seed + "}");
  };
  // Modulo 2^64.
  EXPECT_EQ(bytes("18446744073709551615"), bytes("-1"));
  EXPECT_EQ(bytes("9223372036854775808"), bytes("-9223372036854775808"));
  EXPECT_NE(bytes("18446744073709551614"), bytes("-1"));
  const std::string expected =
      "argument 'x': expected an integer from -2^63 to 2^64 - 1 for 'seed', "
      "found ";
  EXPECT_EQ(error("18446744073709551616"), expected + "1.8446744073709552e+19");
  EXPECT_EQ(error("9.5e18"), expected + "9.5e+18");
  EXPECT_EQ(error("0.5"), expected + "0.5");
  EXPECT_EQ(error("\"one\""), expected + "\"one\"");
}

// The double 2^63 is no 64-bit integer, whatever rounding makes of its text.
TEST(Arguments, IntegersEndAt64Bits) {
  EXPECT_EQ(
      errorOf(
          R"({"dtype": "i64", "shape": [1], "fill": 9223372036854775808.0})"),
      "argument 'x': expected an integer for dtype i64, found "
      "9.2233720368547758e+18");
  EXPECT_EQ(elementText(tensorOf(R"({"dtype": "i64", "shape": [1],
      "fill": 9223372036854775807})"),
                        0),
            "9223372036854775807");
  EXPECT_EQ(elementText(tensorOf(R"({"dtype": "i64", "shape": [1],
      "fill": -9.223372036854775808e18})"),
                        0),
            "-9223372036854775808");
}

TEST(Arguments, PlacedTensorsAreBoundToNothing) {
  Parsed parsed = parse(
      R"({"t": {"dtype": "f16", "shape": [4], "fill": 1, "at": 640},
          "u": {"dtype": "f16", "shape": [4], "fill": 1, "at": 0, "space": "ct_local", "tile": 3}})");
  ASSERT_EQ(parsed.arguments.size(), 2u);
  EXPECT_FALSE(parsed.arguments[0].bound);
  EXPECT_EQ(*parsed.arguments[0].placement.at, 640);
  EXPECT_EQ(parsed.arguments[0].placement.tile, -1);
  EXPECT_EQ(parsed.arguments[1].placement.tile, 3);
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [4], "fill": 1, "tile": 3})"),
            "argument 'x': 'tile' needs 'at', an element address");
  EXPECT_EQ(
      errorOf(
          R"({"dtype": "f16", "shape": [4], "fill": 1, "at": 0, "space": "LX"})"),
      "argument 'x': expected 'space' to be \"global\" or \"ct_local\", found "
      "\"LX\"");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [4], "fill": 1, "at": -1})"),
            "argument 'x': expected 'at' to be at least 0, found -1");
}

TEST(Arguments, WrongForms) {
  EXPECT_EQ(errorOf("[1]"),
            "argument 'x': expected a number or an object, found an array");
  EXPECT_EQ(errorOf("null"),
            "argument 'x': expected a number or an object, found null");
  EXPECT_EQ(errorOf("{}"), "argument 'x': expected exactly one of 'npy', "
                           "'fill', 'random', 'data', found none");
  EXPECT_EQ(errorOf(R"({"fill": 0, "data": []})"),
            "argument 'x': expected exactly one of 'npy', 'fill', 'random', "
            "'data', found 'fill' and 'data'");
  EXPECT_EQ(errorOf(R"({"fil": 0})"),
            "argument 'x': unknown key 'fil'; did you mean 'fill'?");
  EXPECT_EQ(errorOf(R"({"shape": [1], "fill": 0})"),
            "argument 'x': expected 'dtype', one of i1, i8, si8, i16, si16, "
            "i32, si32, i64, si64, index, f16, bf16, f32, f64");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "fill": 0})"),
            "argument 'x': expected 'shape', an array of extents");
  EXPECT_EQ(errorOf(R"({"dtype": "f16", "shape": [-2], "fill": 0})"),
            "argument 'x': expected extents of 'shape' to be integers from 0, "
            "found -2");
  EXPECT_EQ(
      errorOf(R"({"dtype": "f16", "shape": [1000000, 1000000], "fill": 0})"),
      "argument 'x': the tensor is larger than the limit of 1073741824 bytes");
}

// At the value at fault, or at a key that should not be there.
TEST(Arguments, ErrorsPointAtTheirCause) {
  auto culprit = [](const std::string &json) -> std::string {
    const std::string text = "{\"x\": " + json + " }";
    Parsed parsed = parse(text);
    if (parsed.diagnostics.size() != 1 || parsed.diagnostics[0].range.line != 1)
      return "nowhere";
    const SourceRange &range = parsed.diagnostics[0].range;
    return text.substr(range.column - 1, range.endColumn - range.column);
  };
  auto tensor = [&](const std::string &rest, const std::string &dtype = "f16",
                    const std::string &shape = "[2]") {
    return culprit("{\"dtype\": \"" + dtype + "\", \"shape\": " + shape + ", " +
                   rest + "}");
  };
  EXPECT_EQ(culprit("[1]"), "[1]");
  EXPECT_EQ(culprit("{\"dtype\": \"f16\"}"), "{\"dtype\": \"f16\"}");
  EXPECT_EQ(tensor("\"fill\" : \"x\""), "\"x\"");
  EXPECT_EQ(tensor("\"fill\": 0, \"fil\": 1"), "\"fil\"");
  EXPECT_EQ(tensor("\"fill\": 0", "f17"), "\"f17\"");
  EXPECT_EQ(tensor("\"fill\": 0", "f16", "[-1]"), "[-1]");
  EXPECT_EQ(tensor("\"fill\": 0, \"seed\": 1"), "\"seed\"");
  EXPECT_EQ(tensor("\"data\": [1, 2, 3]"), "[1, 2, 3]");
  EXPECT_EQ(tensor("\"random\": \"odd\""), "\"odd\"");
  EXPECT_EQ(tensor("\"random\": \"normal\", \"seed\": 0.5"), "0.5");
  EXPECT_EQ(tensor("\"random\": \"normal\", \"low\": 1"), "\"low\"");
  EXPECT_EQ(tensor("\"random\": \"normal\", \"scale\": []"), "[]");
  EXPECT_EQ(tensor("\"random\": \"normal\"", "i32"), "\"i32\"");
  EXPECT_EQ(tensor("\"fill\": 0, \"at\": -1"), "-1");
  EXPECT_EQ(tensor("\"fill\": 0, \"tile\": 1"), "\"tile\"");
  EXPECT_EQ(tensor("\"fill\": 0, \"at\": 1, \"space\": \"l1\""), "\"l1\"");
  EXPECT_EQ(culprit("{\"npy\": \"bad.npy\"}"), "\"bad.npy\"");
  EXPECT_EQ(culprit("{\"npy\": \"two.npy\", \"shape\": [3]}"), "[3]");
}

TEST(Arguments, ErrorsPointIntoTheFile) {
  Parsed parsed = parse("{\"a\": 1,\n \"b\": {}, \"c\": 2}");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].range.file, "args.json");
  EXPECT_EQ(parsed.diagnostics[0].range.line, 2u);
  EXPECT_EQ(parsed.diagnostics[0].range.column, 7u);
  EXPECT_EQ(parsed.diagnostics[0].range.endColumn, 9u);
  EXPECT_EQ(parsed.arguments.size(), 2u);

  parsed = parse("{\"a\": 1,\n \"b\" 2}");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].range.line, 2u);
  EXPECT_EQ(parsed.diagnostics[0].message.rfind("not valid JSON: ", 0), 0u);

  parsed = parse("{\"a\": 1, \"a\": 2}");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].message, "argument 'a' is given twice");

  parsed = parse("[]");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].message,
            "expected an object of argument names, found an array");

  parsed = parse(std::string(100000, '['));
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].message, "brackets nest deeper than 256");
}
