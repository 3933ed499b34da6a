//===- FunctionsLevelTest.cpp - arith, math and spyreop on values ---------===//
//
// Kernels of one op, on tensors, in the body of a structured op, and on
// scalars.
//
//===----------------------------------------------------------------------===//

#include "EngineTestSupport.h"

#include "ktir/Exec/Numerics/Float16.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

constexpr size_t n = 67;
/// Elements between the operands in device memory.
constexpr size_t distance = 1024;

/// Bytes of an element type.
size_t bytesOf(const std::string &type) {
  if (type == "f16" || type == "bf16" || type == "i16" ||
      type == "!spyreop.df16")
    return 2;
  if (type == "f64" || type == "i64" || type == "index" ||
      type == "!spyreop.fp32_fused")
    return 8;
  return type == "i8" || type == "i1" || type == "i4" ? 1 : 4;
}

std::string view(const std::string &name, const std::string &type,
                 size_t byteOffset) {
  std::string count = std::to_string(n);
  std::string at = std::to_string(byteOffset / bytesOf(type));
  return "  %" + name + "_at = arith.constant " + at + " : index\n  %" + name +
         "_view = ktdp.construct_memory_view %" + name + "_at, sizes: [" +
         count +
         "], strides: [1] {coordinate_set = #set, memory_space = "
         "#ktdp.memory_space<global>} : memref<" +
         count + "x" + type + ">\n  %" + name +
         "_tile = ktdp.construct_access_tile %" + name +
         "_view[%c0] {access_tile_set = #set, access_tile_order = #id} : "
         "memref<" +
         count + "x" + type + "> -> !ktdp.access_tile<" + count + "xindex>\n";
}

/// How an op is applied.
enum class Place { Body, Scalar };

const std::string prologue =
    "#set = affine_set<(i) : (i >= 0, -i + " + std::to_string(n - 1) +
    " >= 0)>\n#id = affine_map<(i) -> (i)>\nmodule {\n";

/// The text of a kernel that computes `%r` of type `result` by `body` from
/// elements `%a`, `%b`, ... of the types `operands`, for n elements.
std::string bodyKernel(const std::string &body,
                       const std::vector<std::string> &operands,
                       const std::string &result) {
  std::string count = std::to_string(n);
  std::string text = prologue + "func.func @k() attributes {grid = [1]} {\n"
                                "  %c0 = arith.constant 0 : index\n";
  std::string ins, types, arguments, maps = "#id";
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string name(1, char('a' + i));
    std::string tensor = "tensor<" + count + "x" + operands[i] + ">";
    text += view("t" + name, operands[i], i * distance * 8);
    text += "  %t" + name + " = ktdp.load %t" + name +
            "_tile : !ktdp.access_tile<" + count + "xindex> -> " + tensor +
            "\n";
    ins += (i ? ", %t" : "%t") + name;
    types += (i ? ", " : "") + tensor;
    arguments += "%" + name + ": " + operands[i] + ", ";
    maps += ", #id";
  }
  std::string tensor = "tensor<" + count + "x" + result + ">";
  text += view("r", result, operands.size() * distance * 8);
  return text + "  %e = tensor.empty() : " + tensor +
         "\n  %o = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\"]} ins(" + ins + " : " + types +
         ") outs(%e : " + tensor + ") {\n  ^bb0(" + arguments +
         "%out: " + result + "):\n" + body +
         "\n    linalg.yield %r : " + result + "\n  } -> " + tensor +
         "\n  ktdp.store %o, %r_tile : " + tensor + ", !ktdp.access_tile<" +
         count + "xindex>\n  return\n}\n}\n";
}

/// The same for one set of elements, whose bits are the kernel's arguments; all
/// elements of the result are alike.
std::string scalarKernel(const std::string &body,
                         const std::vector<std::string> &operands,
                         const std::string &result) {
  std::string arguments, casts;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string name(1, char('a' + i));
    bool isInteger = operands[i][0] == 'i';
    std::string bits = isInteger
                           ? operands[i]
                           : "i" + std::to_string(8 * bytesOf(operands[i]));
    arguments +=
        (i ? ", %" : "%") + name + (isInteger ? "" : "_bits") + ": " + bits;
    if (!isInteger)
      casts += "  %" + name + " = arith.bitcast %" + name + "_bits : " + bits +
               " to " + operands[i] + "\n";
  }
  std::string count = std::to_string(n);
  std::string tensor = "tensor<" + count + "x" + result + ">";
  return prologue + "func.func @k(" + arguments +
         ") attributes {grid = [1]} {\n"
         "  %c0 = arith.constant 0 : index\n" +
         casts + body + "\n" + view("r", result, 0) +
         "  %e = tensor.empty() : " + tensor +
         "\n  %o = linalg.fill ins(%r : " + result + ") outs(%e : " + tensor +
         ") -> " + tensor + "\n  ktdp.store %o, %r_tile : " + tensor +
         ", !ktdp.access_tile<" + count + "xindex>\n  return\n}\n}\n";
}

/// Results of `body` for raw elements.
template <class Out, class In>
std::vector<Out> evaluate(const std::string &body,
                          const std::vector<std::string> &operands,
                          const std::string &result, Place place,
                          const std::vector<std::vector<In>> &inputs,
                          NumericsMode mode = NumericsMode::Ieee) {
  bool isBody = place == Place::Body;
  std::string text = isBody ? bodyKernel(body, operands, result)
                            : scalarKernel(body, operands, result);
  Fixture f(text, Level::Ktir, "", "", mode);
  EXPECT_TRUE(f) << f.errors << text;
  std::vector<Out> results(n);
  if (!f)
    return results;
  if (isBody) {
    for (size_t i = 0; i < operands.size(); ++i)
      f.memory->device().write(i * distance * 8, inputs[i].data(),
                               n * sizeof(In));
    EXPECT_EQ(f.run({}), RunStatus::Finished) << f.messages() << text;
    f.memory->device().read(operands.size() * distance * 8, results.data(),
                            n * sizeof(Out));
    return results;
  }
  for (size_t k = 0; k < n; ++k) {
    std::vector<int64_t> arguments;
    for (size_t i = 0; i < operands.size(); ++i) {
      // Slots hold integers sign-extended.
      std::conditional_t<
          sizeof(In) == 1, int8_t,
          std::conditional_t<
              sizeof(In) == 2, int16_t,
              std::conditional_t<sizeof(In) == 4, int32_t, int64_t>>>
          bits;
      std::memcpy(&bits, &inputs[i][k], sizeof(In));
      arguments.push_back(bits);
    }
    EXPECT_EQ(f.run(arguments), RunStatus::Finished) << f.messages() << text;
    f.memory->device().read((n - 1) * sizeof(Out), &results[k], sizeof(Out));
  }
  return results;
}

/// Halves of both signs around zero, and special ones.
std::vector<uint16_t> halves(float step, float start = 0) {
  std::vector<uint16_t> values;
  for (size_t i = 0; i < n; ++i)
    values.push_back(half(start + step * (float(i) - float(n / 2))));
  return values;
}

uint16_t nearestHalf(double value) { return numerics::encodeF16(value); }

struct SpyreCase {
  const char *body;
  double (*formula)(double, double, double);
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const SpyreCase spyreCases[] = {
    {"%r = spyreop.exp %a : T",
     [](double a, double, double) { return std::exp(a); }},
    {"%r = spyreop.realdiv %a, %b : T",
     [](double a, double b, double) { return a / b; }},
    {"%r = spyreop.reciprocal %a : T",
     [](double a, double, double) { return 1 / a; }},
    {"%r = spyreop.rsqrt %b : T",
     [](double, double b, double) { return 1 / std::sqrt(b); }},
    {"%r = spyreop.sigmoid %a : T",
     [](double a, double, double) { return sigmoid(a); }},
    {"%r = spyreop.silu %a : T",
     [](double a, double, double) { return a * sigmoid(a); }},
    {"%r = spyreop.sqrt %b : T",
     [](double, double b, double) { return std::sqrt(b); }},
    {"%r = spyreop.select %a, %b, %c : T",
     [](double a, double b, double c) { return a != 0 ? b : c; }},
    {"%r = spyreop.compare <equal> %a, %c : T",
     [](double a, double, double c) { return double(a == c); }},
    {"%r = spyreop.compare <notequal> %a, %c : T",
     [](double a, double, double c) { return double(a < c || a > c); }},
    {"%r = spyreop.compare <greaterthan> %a, %c : T",
     [](double a, double, double c) { return double(a > c); }},
    {"%r = spyreop.compare <greaterequal> %a, %c : T",
     [](double a, double, double c) { return double(a >= c); }},
    {"%r = spyreop.compare <lesserthan> %a, %c : T",
     [](double a, double, double c) { return double(a < c); }},
    {"%r = spyreop.compare <lesserequal> %a, %c : T",
     [](double a, double, double c) { return double(a <= c); }},
    {"%r = spyreop.layernormscale %a squares %b : T",
     [](double a, double b, double) {
       return 1 / std::sqrt(b - a * a + double(1e-5f));
     }},
    {"%r = spyreop.layernormscale %a squares %b {eps = 2.5e+2 : f32} : T",
     [](double a, double b, double) { return 1 / std::sqrt(b - a * a + 250); }},
    // %b is taken for the mean.
    {"%r = spyreop.layernormnorm %a squares %b scale %c weight %c bias %a : T",
     [](double a, double b, double c) { return (a - b) * c * c + a; }},
    {"%k = spyreop.constant 1.5 : f32\n%r = spyreop.realdiv %a, %b : T",
     [](double a, double b, double) { return a / b; }},
};
const SpyreCase halfCases[] = {
    {"%r = spyreop.gelu %a : T",
     [](double a, double, double) {
       return a * std::erfc(-a * std::sqrt(0.5)) / 2;
     }},
    {"%r = spyreop.softplus %a beta 2.0 threshold 9.0 : T",
     [](double a, double, double) {
       return 2 * a > 9 ? a : std::log1p(std::exp(2 * a)) / 2;
     }},
};

std::string withType(std::string body, const std::string &type) {
  for (size_t at; (at = body.find(": T")) != std::string::npos;)
    body.replace(at, 3, ": " + type);
  return body;
}

void checkHalf(const SpyreCase &spyreCase) {
  std::vector<std::vector<uint16_t>> inputs = {
      halves(0.375f), halves(0.25f, 10), halves(0.5f, 4)};
  // A NaN, infinities and a negative zero.
  const uint16_t special[] = {0x7E00, 0x7C00, 0xFC00, 0x8000};
  std::copy(special, special + 4, inputs[0].begin() + 3);
  for (Place place : {Place::Body, Place::Scalar}) {
    std::vector<uint16_t> results =
        evaluate<uint16_t>(withType(spyreCase.body, "f16"),
                           {"f16", "f16", "f16"}, "f16", place, inputs);
    for (size_t i = 0; i < n; ++i) {
      double value =
          spyreCase.formula(fromHalf(inputs[0][i]), fromHalf(inputs[1][i]),
                            fromHalf(inputs[2][i]));
      uint16_t expected = std::isnan(value) ? 0x7E00 : nearestHalf(value);
      EXPECT_EQ(results[i], expected)
          << spyreCase.body << " of " << fromHalf(inputs[0][i]) << ", "
          << fromHalf(inputs[1][i]) << ", " << fromHalf(inputs[2][i]) << " is "
          << fromHalf(results[i]) << ", not " << value;
    }
  }
}

void checkDF16(const SpyreCase &spyreCase) {
  std::vector<std::vector<uint16_t>> inputs(3);
  for (size_t i = 0; i < n; ++i) {
    inputs[0].push_back(numerics::encodeDL16(0.375f * (float(i) - 33)));
    inputs[1].push_back(numerics::encodeDL16(0.25f * float(i) + 1));
    inputs[2].push_back(numerics::encodeDL16(0.5f * (float(i) - 21)));
  }
  std::string type = "!spyreop.df16";
  std::vector<uint16_t> results =
      evaluate<uint16_t>(withType(spyreCase.body, type), {type, type, type},
                         type, Place::Body, inputs);
  for (size_t i = 0; i < n; ++i) {
    double value = spyreCase.formula(numerics::decodeDL16(inputs[0][i]),
                                     numerics::decodeDL16(inputs[1][i]),
                                     numerics::decodeDL16(inputs[2][i]));
    EXPECT_EQ(results[i], numerics::encodeDL16(value))
        << spyreCase.body << " at " << i;
  }
}

TEST(SpyreOpTest, OnF16) {
  for (const SpyreCase &spyreCase : spyreCases)
    checkHalf(spyreCase);
  for (const SpyreCase &spyreCase : halfCases)
    checkHalf(spyreCase);
}

TEST(SpyreOpTest, OnDF16) {
  for (const SpyreCase &spyreCase : spyreCases)
    checkDF16(spyreCase);
  for (const SpyreCase &spyreCase : halfCases)
    checkDF16(spyreCase);
}

TEST(SpyreOpTest, OnF32) {
  std::vector<std::vector<float>> inputs = {
      make(n, [](int i) { return 0.37f * float(i - 33); }),
      make(n, [](int i) { return 0.23f * float(i) + 1; }),
      make(n, [](int i) { return 0.51f * float(i - 21); })};
  inputs[0][5] = -INFINITY;
  inputs[0][6] = NAN;
  for (const SpyreCase &spyreCase : spyreCases)
    for (Place place : {Place::Body, Place::Scalar}) {
      std::vector<float> results =
          evaluate<float>(withType(spyreCase.body, "f32"),
                          {"f32", "f32", "f32"}, "f32", place, inputs);
      for (size_t i = 0; i < n; ++i) {
        double value =
            spyreCase.formula(inputs[0][i], inputs[1][i], inputs[2][i]);
        if (std::isnan(value))
          EXPECT_TRUE(std::isnan(results[i])) << spyreCase.body << " at " << i;
        else if (std::isinf(value) || value == 0)
          EXPECT_EQ(results[i], float(value)) << spyreCase.body << " at " << i;
        else
          EXPECT_NEAR(results[i], value, std::fabs(value) * 0x1p-23)
              << spyreCase.body << " at " << i;
      }
    }
}

TEST(SpyreOpTest, OnIntegers) {
  std::vector<std::vector<uint32_t>> inputs(3);
  for (uint32_t i = 0; i < n; ++i) {
    inputs[0].push_back(i * 0x9E3779B9u);
    inputs[1].push_back(i * 0x85EBCA6Bu + 1);
    inputs[2].push_back(i * 0xC2B2AE35u + 7);
  }
  struct {
    const char *body;
    uint32_t (*formula)(uint32_t, uint32_t, uint32_t);
  } cases[] = {{"%r = spyreop.addi32toi32 %a, %b",
                [](uint32_t a, uint32_t b, uint32_t) { return a + b; }},
               {"%r = spyreop.muli32toi32 %a, %b",
                [](uint32_t a, uint32_t b, uint32_t) { return a * b; }},
               {"%r = spyreop.idx32toaddr %a base %b stride %c",
                [](uint32_t a, uint32_t b, uint32_t c) { return b + c * a; }}};
  for (const auto &function : cases)
    for (Place place : {Place::Body, Place::Scalar}) {
      std::vector<uint32_t> results = evaluate<uint32_t>(
          function.body, {"i32", "i32", "i32"}, "i32", place, inputs);
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(results[i],
                  function.formula(inputs[0][i], inputs[1][i], inputs[2][i]))
            << function.body;
    }
  std::vector<std::vector<uint64_t>> wide(2);
  for (uint64_t i = 0; i < n; ++i)
    for (size_t k = 0; k < 2; ++k)
      wide[k].push_back((i + k) * 0x9E3779B97F4A7C15u);
  std::vector<uint64_t> sums =
      evaluate<uint64_t>("%r = spyreop.addi64toi64 %a, %b", {"i64", "i64"},
                         "i64", Place::Body, wide);
  for (size_t i = 0; i < n; ++i)
    EXPECT_EQ(sums[i], wide[0][i] + wide[1][i]);
}

TEST(SpyreOpTest, ScaleOfAPair) {
  std::vector<std::vector<uint32_t>> pairs(1);
  for (size_t i = 0; i < n; ++i)
    pairs[0].push_back(half(float(i) / 8) |
                       uint32_t(half(float(i * i) / 64 + 2 + float(i % 5)))
                           << 16);
  std::vector<uint16_t> results = evaluate<uint16_t>(
      "%r = spyreop.layernormscale_fused %a : !spyreop.fp16_fused -> f16",
      {"!spyreop.fp16_fused"}, "f16", Place::Body, pairs);
  for (size_t i = 0; i < n; ++i) {
    double mean = fromHalf(uint16_t(pairs[0][i]));
    double squares = fromHalf(uint16_t(pairs[0][i] >> 16));
    EXPECT_EQ(results[i], nearestHalf(1 / std::sqrt(squares - mean * mean +
                                                    double(1e-5f))));
  }
  std::vector<std::vector<uint64_t>> wide(1);
  for (size_t i = 0; i < n; ++i) {
    float parts[2] = {float(i), float(i * i) + 3};
    uint64_t pair;
    std::memcpy(&pair, parts, 8);
    wide[0].push_back(pair);
  }
  std::vector<float> scales = evaluate<float>(
      "%r = spyreop.layernormscale_fused %a : !spyreop.fp32_fused -> f32",
      {"!spyreop.fp32_fused"}, "f32", Place::Body, wide);
  for (float scale : scales)
    EXPECT_EQ(scale, float(1 / std::sqrt(3 + double(1e-5f))));
}

TEST(SpyreOpTest, ConstantsInModeDevice) {
  std::vector<uint16_t> results = evaluate<uint16_t, uint16_t>(
      "%k = spyreop.constant 2.5 : f16\n"
      "%s = spyreop.compare <lesserthan> %a, %k : f16\n"
      "%r = spyreop.select %s, %k, %a : f16",
      {"f16"}, "f16", Place::Scalar,
      {std::vector<uint16_t>(n, numerics::encodeDL16(2.25f))},
      NumericsMode::Device);
  EXPECT_EQ(results, std::vector<uint16_t>(n, numerics::encodeDL16(2.5f)));
}

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

struct FloatCase {
  const char *body;
  double (*formula)(double, double, double);
};
const FloatCase floatCases[] = {
    {"%r = arith.addf %a, %b : T",
     [](double a, double b, double) { return a + b; }},
    {"%r = arith.subf %a, %b : T",
     [](double a, double b, double) { return a - b; }},
    {"%r = arith.mulf %a, %b : T",
     [](double a, double b, double) { return a * b; }},
    {"%r = arith.divf %a, %b : T",
     [](double a, double b, double) { return a / b; }},
    {"%r = arith.remf %a, %b : T",
     [](double a, double b, double) { return std::fmod(a, b); }},
    {"%r = arith.negf %a : T", [](double a, double, double) { return -a; }},
    {"%r = arith.maximumf %a, %c : T",
     [](double a, double, double c) { return std::fmax(a, c); }},
    {"%r = arith.minnumf %a, %c : T",
     [](double a, double, double c) { return std::fmin(a, c); }},
    {"%r = math.absf %a : T",
     [](double a, double, double) { return std::fabs(a); }},
    {"%r = math.acos %d : T",
     [](double, double, double d) { return std::acos(d / 1024); }},
    {"%r = math.atan2 %a, %b : T",
     [](double a, double b, double) { return std::atan2(a, b); }},
    {"%r = math.ceil %a : T",
     [](double a, double, double) { return std::ceil(a); }},
    {"%r = math.clampf %a to [%c, %b] : T",
     [](double a, double b, double c) {
       return std::fmax(std::fmin(a, b), c);
     }},
    {"%r = math.copysign %b, %a : T",
     [](double a, double b, double) { return std::copysign(b, a); }},
    {"%r = math.cos %a : T",
     [](double a, double, double) { return std::cos(a); }},
    {"%r = math.erf %a : T",
     [](double a, double, double) { return std::erf(a); }},
    {"%r = math.exp %a : T",
     [](double a, double, double) { return std::exp(a); }},
    {"%r = math.floor %a : T",
     [](double a, double, double) { return std::floor(a); }},
    {"%r = math.fma %a, %b, %c : T",
     [](double a, double b, double c) { return a * b + c; }},
    {"%k = arith.constant 3 : i32\n%r = math.fpowi %a, %k : T, i32",
     [](double a, double, double) { return a * a * a; }},
    {"%r = math.log %b : T",
     [](double, double b, double) { return std::log(b); }},
    {"%r = math.log1p %b : T",
     [](double, double b, double) { return std::log1p(b); }},
    {"%r = math.log2 %b : T",
     [](double, double b, double) { return std::log2(b); }},
    {"%r = math.powf %b, %a : T",
     [](double a, double b, double) { return std::pow(b, a); }},
    {"%r = math.round %a : T",
     [](double a, double, double) { return std::round(a); }},
    {"%r = math.roundeven %a : T",
     [](double a, double, double) { return std::nearbyint(a); }},
    {"%r = math.rsqrt %b : T",
     [](double, double b, double) { return 1 / std::sqrt(b); }},
    {"%r = math.sin %a : T",
     [](double a, double, double) { return std::sin(a); }},
    {"%r = math.sqrt %b : T",
     [](double, double b, double) { return std::sqrt(b); }},
    {"%r = math.tanh %a : T",
     [](double a, double, double) { return std::tanh(a); }},
    {"%r = math.trunc %a : T",
     [](double a, double, double) { return std::trunc(a); }},
};

TEST(MathOpsTest, OnF16InBodiesAndOnScalars) {
  std::vector<std::vector<uint16_t>> inputs = {
      halves(0.375f), halves(0.25f, 10), halves(0.125f, -4)};
  for (const FloatCase &function : floatCases) {
    std::string body = withType(function.body, "f16");
    bool scaled = body.find("%d") != std::string::npos;
    // An argument between -1 and 1.
    if (scaled)
      body = "%s = arith.constant 9.765625e-04 : f16\n%d = arith.mulf %c, %s : "
             "f16\n" +
             body;
    for (Place place : {Place::Body, Place::Scalar}) {
      std::vector<uint16_t> results =
          evaluate<uint16_t>(body, {"f16", "f16", "f16"}, "f16", place, inputs);
      for (size_t i = 0; i < n; ++i) {
        double value =
            function.formula(fromHalf(inputs[0][i]), fromHalf(inputs[1][i]),
                             fromHalf(inputs[2][i]));
        EXPECT_EQ(results[i], std::isnan(value) ? 0x7E00 : nearestHalf(value))
            << body << " at " << i << ": " << value;
      }
    }
  }
}

TEST(MathOpsTest, OnF32AndBF16) {
  std::vector<std::vector<float>> inputs = {
      make(n, [](int i) { return 0.375f * float(i - 33); }),
      make(n, [](int i) { return 0.25f * float(i) + 0.5f; }),
      make(n, [](int i) { return 0.125f * float(i - 70); })};
  std::vector<std::vector<uint16_t>> codes(3);
  for (size_t k = 0; k < 3; ++k)
    for (float value : inputs[k])
      codes[k].push_back(numerics::encodeBF16(value));
  for (const FloatCase &function : floatCases) {
    if (std::string(function.body).find("%d") != std::string::npos)
      continue;
    for (Place place : {Place::Body, Place::Scalar}) {
      std::vector<float> results =
          evaluate<float>(withType(function.body, "f32"), {"f32", "f32", "f32"},
                          "f32", place, inputs);
      std::vector<uint16_t> shorter =
          evaluate<uint16_t>(withType(function.body, "bf16"),
                             {"bf16", "bf16", "bf16"}, "bf16", place, codes);
      for (size_t i = 0; i < n; ++i) {
        // All arguments are bf16 numbers too.
        double value =
            function.formula(inputs[0][i], inputs[1][i], inputs[2][i]);
        EXPECT_NEAR(results[i], value, std::fabs(value) * 0x1p-23)
            << function.body << " at " << i;
        EXPECT_EQ(shorter[i], numerics::encodeBF16(value))
            << function.body << " at " << i;
      }
    }
  }
}

TEST(MathOpsTest, ComparisonsOfFloats) {
  std::vector<std::vector<float>> inputs(2);
  const float values[] = {0.0f, -0.0f, 1.5f, -2.0f, INFINITY, NAN, 1e-40f, 3};
  for (size_t i = 0; i < n; ++i) {
    inputs[0].push_back(values[i % 8]);
    inputs[1].push_back(values[i / 8 % 8]);
  }
  struct {
    const char *predicate;
    bool (*holds)(float, float);
  } cases[] = {
      {"oeq", [](float a, float b) { return a == b; }},
      {"olt", [](float a, float b) { return a < b; }},
      {"oge", [](float a, float b) { return a >= b; }},
      {"one", [](float a, float b) { return a < b || a > b; }},
      {"ult", [](float a, float b) { return !(a >= b); }},
      {"une", [](float a, float b) { return a != b; }},
      {"uno", [](float a, float b) { return std::isnan(a) || std::isnan(b); }}};
  for (const auto &comparison : cases)
    for (Place place : {Place::Body, Place::Scalar}) {
      std::vector<uint8_t> results = evaluate<uint8_t>(
          std::string("%s = arith.cmpf ") + comparison.predicate +
              ", %a, %b : f32\n%r = arith.extui %s : i1 to i8",
          {"f32", "f32"}, "i8", place, inputs);
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(results[i], comparison.holds(inputs[0][i], inputs[1][i]))
            << comparison.predicate << " " << inputs[0][i] << ", "
            << inputs[1][i];
    }
  struct {
    const char *name;
    bool (*holds)(float);
  } classes[] = {{"isnan", [](float a) { return bool(std::isnan(a)); }},
                 {"isinf", [](float a) { return bool(std::isinf(a)); }},
                 {"isfinite", [](float a) { return bool(std::isfinite(a)); }},
                 {"isnormal", [](float a) { return bool(std::isnormal(a)); }}};
  for (const auto &function : classes) {
    std::vector<uint8_t> results =
        evaluate<uint8_t>(std::string("%s = math.") + function.name +
                              " %a : f32\n%r = arith.extui %s : i1 to i8",
                          {"f32", "f32"}, "i8", Place::Body, inputs);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(results[i], function.holds(inputs[0][i]))
          << function.name << " " << inputs[0][i];
  }
}

/// A result of type i32 by a formula of two i32.
void checkIntegers(const std::string &body,
                   int64_t (*formula)(int32_t, int32_t)) {
  std::vector<std::vector<int32_t>> inputs(2);
  for (size_t i = 0; i < n; ++i) {
    inputs[0].push_back(int32_t(uint32_t(i) * 0x9E3779B9u));
    inputs[1].push_back(int32_t(i % 7) - 2);
  }
  for (Place place : {Place::Body, Place::Scalar}) {
    std::vector<int32_t> results =
        evaluate<int32_t>(body, {"i32", "i32"}, "i32", place, inputs);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(results[i], int32_t(formula(inputs[0][i], inputs[1][i])))
          << body << " of " << inputs[0][i] << ", " << inputs[1][i];
  }
}

TEST(MathOpsTest, Integers) {
  checkIntegers("%r = arith.shli %a, %b : i32", [](int32_t a, int32_t b) {
    return int64_t(b >= 0 ? uint32_t(a) << b : 0);
  });
  checkIntegers("%r = arith.shrui %a, %b : i32", [](int32_t a, int32_t b) {
    return int64_t(b >= 0 ? uint32_t(a) >> b : 0);
  });
  checkIntegers("%r = arith.shrsi %a, %b : i32", [](int32_t a, int32_t b) {
    return int64_t(b >= 0 ? a >> b : a < 0 ? -1 : 0);
  });
  checkIntegers("%s = arith.trunci %a : i32 to i8\n"
                "%r = arith.extsi %s : i8 to i32",
                [](int32_t a, int32_t) { return int64_t(int8_t(a)); });
  checkIntegers("%s = arith.trunci %a : i32 to i8\n"
                "%r = arith.extui %s : i8 to i32",
                [](int32_t a, int32_t) { return int64_t(uint8_t(a)); });
  checkIntegers("%s = arith.trunci %a : i32 to i1\n"
                "%r = arith.extsi %s : i1 to i32",
                [](int32_t a, int32_t) { return int64_t(a & 1 ? -1 : 0); });
  checkIntegers("%s = arith.trunci %a : i32 to i4\n"
                "%t = arith.addi %s, %s : i4\n"
                "%r = arith.extsi %t : i4 to i32",
                [](int32_t a, int32_t) {
                  int low = int(2 * uint32_t(a) & 15);
                  return int64_t(low & 8 ? low - 16 : low);
                });
  checkIntegers("%s = arith.index_cast %a : i32 to index\n"
                "%r = arith.index_cast %s : index to i32",
                [](int32_t a, int32_t) { return int64_t(a); });
  checkIntegers("%s = arith.index_castui %a : i32 to index\n"
                "%h = arith.constant 16 : index\n"
                "%t = arith.shrsi %s, %h : index\n"
                "%r = arith.index_cast %t : index to i32",
                [](int32_t a, int32_t) { return int64_t(uint32_t(a) >> 16); });
  checkIntegers("%r = math.absi %a : i32",
                [](int32_t a, int32_t) { return std::abs(int64_t(a)); });
  checkIntegers("%r = math.ctpop %a : i32", [](int32_t a, int32_t) {
    return int64_t(__builtin_popcount(uint32_t(a)));
  });
  checkIntegers("%r = math.ctlz %a : i32", [](int32_t a, int32_t) {
    return int64_t(a == 0 ? 32 : __builtin_clz(uint32_t(a)));
  });
  checkIntegers("%k = arith.constant 5 : i32\n%r = math.ipowi %b, %k : i32",
                [](int32_t, int32_t b) { return int64_t(b) * b * b * b * b; });
}

/// Bits that are spread over all `T`, and those at the ends of its ranges.
template <class T> std::vector<std::vector<T>> integersOfAllKinds() {
  std::vector<std::vector<T>> inputs(2);
  for (size_t i = 0; i < n; ++i) {
    inputs[0].push_back(T(uint64_t(i) * 0x9E3779B97F4A7C15u));
    inputs[1].push_back(T(uint64_t(i) * 0xC2B2AE3D27D4EB4Fu + 3));
  }
  const T ends[] = {std::numeric_limits<T>::min(),
                    std::numeric_limits<T>::max(), T(-1), 0, 1};
  for (size_t i = 0; i < 25; ++i) {
    inputs[0][i] = ends[i / 5];
    inputs[1][i] = ends[i % 5];
  }
  return inputs;
}

/// Ops on integers of type `type` with two results, on scalars and in a body.
template <class T> void checkTwoResults(const std::string &type) {
  using U = std::make_unsigned_t<T>;
  constexpr int width = 8 * sizeof(T);
  std::vector<std::vector<T>> inputs = integersOfAllKinds<T>();
  struct {
    const char *op;
    T (*low)(T, T);
    T (*high)(T, T);
  } const cases[] = {
      {"mulsi_extended", [](T a, T b) { return T(uint64_t(U(a)) * U(b)); },
       [](T a, T b) { return T(__int128(a) * b >> width); }},
      {"mului_extended", [](T a, T b) { return T(uint64_t(U(a)) * U(b)); },
       [](T a, T b) { return T((unsigned __int128)(U(a)) * U(b) >> width); }},
      {"addui_extended", [](T a, T b) { return T(U(a) + U(b)); },
       [](T a, T b) { return T(((unsigned __int128)(U(a)) + U(b)) >> width); }},
  };
  for (const auto &test : cases)
    for (Place place : {Place::Body, Place::Scalar})
      for (bool wantsHigh : {false, true}) {
        std::string text = wantsHigh ? "%l, %h = arith." : "%r, %h = arith.";
        text += std::string(test.op) + " %a, %b : " + type;
        bool isCarry = std::string(test.op) == "addui_extended";
        if (isCarry)
          text += ", i1";
        if (wantsHigh)
          text += isCarry ? "\n%r = arith.extui %h : i1 to " + type
                          : "\n%z = arith.constant 0 : " + type +
                                "\n%r = arith.addi %h, %z : " + type;
        std::vector<T> results =
            evaluate<T>(text, {type, type}, type, place, inputs);
        for (size_t i = 0; i < n; ++i)
          ASSERT_EQ(results[i], (wantsHigh ? test.high : test.low)(
                                    inputs[0][i], inputs[1][i]))
              << text << " of " << int64_t(inputs[0][i]) << ", "
              << int64_t(inputs[1][i]);
      }
}

TEST(MathOpsTest, IntegersWithTwoResults) {
  checkTwoResults<int8_t>("i8");
  checkTwoResults<int16_t>("i16");
  checkTwoResults<int32_t>("i32");
  checkTwoResults<int64_t>("i64");
}

/// The signed value of the low four bits.
int32_t nibble(int32_t a) { return int32_t(uint32_t(a) << 28) >> 28; }

TEST(MathOpsTest, ProductsOfFewBits) {
  // Of i1 and i4, whose registers are wider than they are.
  checkIntegers(
      "%s = arith.trunci %a : i32 to i4\n"
      "%t = arith.trunci %b : i32 to i4\n"
      "%l, %h = arith.mulsi_extended %s, %t : i4\n"
      "%r = arith.extsi %h : i4 to i32",
      [](int32_t a, int32_t b) { return int64_t(nibble(a) * nibble(b) >> 4); });
  checkIntegers(
      "%s = arith.trunci %a : i32 to i4\n"
      "%t = arith.trunci %b : i32 to i4\n"
      "%l, %h = arith.mului_extended %s, %t : i4\n"
      "%r = arith.extui %h : i4 to i32",
      [](int32_t a, int32_t b) { return int64_t((a & 15) * (b & 15) >> 4); });
  checkIntegers("%s = arith.trunci %a : i32 to i1\n"
                "%t = arith.trunci %b : i32 to i1\n"
                "%l, %h = arith.mulsi_extended %s, %t : i1\n"
                "%r = arith.extui %h : i1 to i32",
                [](int32_t, int32_t) { return int64_t(0); });
}

TEST(MathOpsTest, SineAndCosineInOne) {
  std::vector<std::vector<float>> inputs(1);
  for (size_t i = 0; i < n; ++i)
    inputs[0].push_back(float(i) * 0.37f - 20.0f);
  for (Place place : {Place::Body, Place::Scalar}) {
    std::string op = "%s, %c = math.sincos %a : f32\n";
    std::vector<float> sines = evaluate<float>(op + "%r = arith.negf %s : f32",
                                               {"f32"}, "f32", place, inputs);
    std::vector<float> cosines = evaluate<float>(
        op + "%r = arith.negf %c : f32", {"f32"}, "f32", place, inputs);
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(sines[i], -std::sin(double(inputs[0][i])), 1e-7);
      EXPECT_NEAR(cosines[i], -std::cos(double(inputs[0][i])), 1e-7);
    }
  }
}

TEST(MathOpsTest, ConversionsOfFloats) {
  // 2049 and 4097 need rounding in f16; 70000 is out of its range.
  std::vector<std::vector<int32_t>> inputs(1);
  const int32_t values[] = {0,         1,        -1,      2049,
                            2051,      -4097,    70000,   INT32_MIN,
                            INT32_MAX, 16777217, 33554435};
  for (size_t i = 0; i < n; ++i)
    inputs[0].push_back(values[i % 11]);
  for (Place place : {Place::Body, Place::Scalar}) {
    std::vector<uint16_t> shorter = evaluate<uint16_t>(
        "%r = arith.sitofp %a : i32 to f16", {"i32"}, "f16", place, inputs);
    std::vector<float> unsignedFloats = evaluate<float>(
        "%r = arith.uitofp %a : i32 to f32", {"i32"}, "f32", place, inputs);
    std::vector<uint16_t> truncated =
        evaluate<uint16_t>("%s = arith.sitofp %a : i32 to f64\n"
                           "%r = arith.truncf %s : f64 to bf16",
                           {"i32"}, "bf16", place, inputs);
    for (size_t i = 0; i < n; ++i) {
      int32_t value = inputs[0][i];
      EXPECT_EQ(shorter[i], nearestHalf(value));
      EXPECT_EQ(unsignedFloats[i], float(uint32_t(value)));
      EXPECT_EQ(truncated[i], numerics::encodeBF16(double(value)));
    }
  }
  std::vector<std::vector<float>> floats(1);
  const float reals[] = {0.0f,   -0.75f, 1.5f, -2.5f, 127.9f,
                         200.0f, -1e10f, NAN,  1e20f, -129.0f};
  for (size_t i = 0; i < n; ++i)
    floats[0].push_back(reals[i % 10]);
  for (Place place : {Place::Body, Place::Scalar}) {
    std::vector<int32_t> wide = evaluate<int32_t>(
        "%r = arith.fptosi %a : f32 to i32", {"f32"}, "i32", place, floats);
    std::vector<int8_t> narrow = evaluate<int8_t>(
        "%r = arith.fptosi %a : f32 to i8", {"f32"}, "i8", place, floats);
    std::vector<uint8_t> narrowUnsigned = evaluate<uint8_t>(
        "%r = arith.fptoui %a : f32 to i8", {"f32"}, "i8", place, floats);
    auto saturate = [](double value, double low, double high) {
      return std::isnan(value)
                 ? 0.0
                 : std::fmin(std::fmax(std::trunc(value), low), high);
    };
    for (size_t i = 0; i < n; ++i) {
      double value = floats[0][i];
      EXPECT_EQ(wide[i], saturate(value, INT32_MIN, INT32_MAX)) << value;
      EXPECT_EQ(narrow[i], saturate(value, -128, 127)) << value;
      EXPECT_EQ(narrowUnsigned[i], saturate(value, 0, 255)) << value;
    }
  }
  std::vector<std::vector<uint16_t>> halfInputs = {halves(1.25f)};
  for (Place place : {Place::Body, Place::Scalar}) {
    std::vector<float> extended = evaluate<float>(
        "%r = arith.extf %a : f16 to f32", {"f16"}, "f32", place, halfInputs);
    std::vector<uint16_t> bits =
        evaluate<uint16_t>("%r = arith.bitcast %a : f16 to i16", {"f16"}, "i16",
                           place, halfInputs);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(extended[i], fromHalf(halfInputs[0][i]));
    EXPECT_EQ(bits, halfInputs[0]);
  }
}

TEST(MathOpsTest, NibblesAndSignedTypesInMemory) {
  std::vector<std::vector<uint8_t>> bytes(1);
  for (size_t i = 0; i < n; ++i)
    bytes[0].push_back(uint8_t(i * 37));
  std::vector<int32_t> nibbles = evaluate<int32_t>(
      "%r = arith.extsi %a : i4 to i32", {"i4"}, "i32", Place::Body, bytes);
  for (size_t i = 0; i < n; ++i) {
    int low = bytes[0][i] & 15;
    EXPECT_EQ(nibbles[i], low & 8 ? low - 16 : low);
  }
}

} // namespace
