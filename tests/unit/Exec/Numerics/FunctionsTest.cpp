//===- FunctionsTest.cpp - Functions of floats ------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The reference is the host's mathematical library in `long double`, which is
// good enough where that has 64 bits or more.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "ktir/Exec/Numerics/BlockProgram.h"
#include "gtest/gtest.h"

#include <cfloat>
#include <optional>
#include <string>

using namespace ktir::numerics;
using reference::bitCast;

namespace {

using Real = long double;

/// The double next to `value` that has an odd last bit, unless a double is
/// equal to it: rounding that again is rounding `value`.
double toOdd(Real value) {
  double nearest = double(value);
  if (Real(nearest) == value || std::isnan(nearest) || std::isinf(nearest))
    return nearest;
  double other =
      std::nextafter(nearest, Real(nearest) < value ? reference::infinity
                                                    : -reference::infinity);
  return bitCast<uint64_t>(nearest) & 1 ? nearest : other;
}

/// Rounds the last bit up where the sum with a positive number that is too
/// small for it did not show.
Real notHalf(Real x, Real result) {
  return x != 0 && result == x / 2 ? std::nextafter(result, Real(INFINITY))
                                   : result;
}

/// x * erfc(-x / sqrt(2)) / 2. Far out erfc falls like exp(-z^2), so that the
/// rounding of its argument z has to be made good.
Real gelu(Real x) {
  Real z = -x * std::sqrt(Real(0.5)), square = x * x;
  Real excess = std::fma(z, z, -square / 2) - std::fma(x, x, -square) / 2;
  Real correction = z > 1 && z < 100 ? std::exp(excess) : 1;
  return notHalf(x, x * std::erfc(z) * correction / 2);
}

struct Function {
  const char *name;
  Opcode opcode;
  Real (*reference)(Real);
};
const Function functions[] = {
    {"exp", Opcode::ExpF, [](Real x) { return std::exp(x); }},
    {"exp2", Opcode::Exp2F, [](Real x) { return std::exp2(x); }},
    {"expm1", Opcode::ExpM1F, [](Real x) { return std::expm1(x); }},
    {"log", Opcode::LogF, [](Real x) { return std::log(x); }},
    {"log2", Opcode::Log2F, [](Real x) { return std::log2(x); }},
    {"log10", Opcode::Log10F, [](Real x) { return std::log10(x); }},
    {"log1p", Opcode::Log1pF, [](Real x) { return std::log1p(x); }},
    {"sqrt", Opcode::SqrtF, [](Real x) { return std::sqrt(x); }},
    {"rsqrt", Opcode::RsqrtF, [](Real x) { return 1 / std::sqrt(x); }},
    {"cbrt", Opcode::CbrtF, [](Real x) { return std::cbrt(x); }},
    {"sin", Opcode::SinF, [](Real x) { return std::sin(x); }},
    {"cos", Opcode::CosF, [](Real x) { return std::cos(x); }},
    {"tan", Opcode::TanF, [](Real x) { return std::tan(x); }},
    {"asin", Opcode::AsinF, [](Real x) { return std::asin(x); }},
    {"acos", Opcode::AcosF, [](Real x) { return std::acos(x); }},
    {"atan", Opcode::AtanF, [](Real x) { return std::atan(x); }},
    {"sinh", Opcode::SinhF, [](Real x) { return std::sinh(x); }},
    {"cosh", Opcode::CoshF, [](Real x) { return std::cosh(x); }},
    {"tanh", Opcode::TanhF, [](Real x) { return std::tanh(x); }},
    {"asinh", Opcode::AsinhF, [](Real x) { return std::asinh(x); }},
    {"acosh", Opcode::AcoshF, [](Real x) { return std::acosh(x); }},
    {"atanh", Opcode::AtanhF, [](Real x) { return std::atanh(x); }},
    {"erf", Opcode::ErfF, [](Real x) { return std::erf(x); }},
    {"erfc", Opcode::ErfcF, [](Real x) { return std::erfc(x); }},
    {"sigmoid", Opcode::SigmoidF,
     [](Real x) { return 1 / (1 + std::exp(-x)); }},
    {"silu", Opcode::SiluF,
     [](Real x) { return notHalf(x, x / (1 + std::exp(-x))); }},
    {"gelu", Opcode::GeluF, gelu},
    {"reciprocal", Opcode::ReciprocalF, [](Real x) { return 1 / x; }},
};

struct Format {
  DType type;
  double (*value)(unsigned);
  uint16_t (*code)(double);
};
const Format formats[] = {
    {DType::F16, reference::f16Value, reference::f16Code},
    {DType::BF16, reference::bf16Value, reference::bf16Code},
    {DType::DF16, reference::dl16Value, reference::dl16Code},
};

BlockProgram build(BlockProgram::Builder &builder, Reg result) {
  builder.output(result);
  std::optional<BlockProgram> program = builder.finish();
  EXPECT_TRUE(program) << builder.getError();
  return *program;
}

/// A program of one op.
BlockProgram single(Opcode opcode, DType type, size_t operands = 1) {
  BlockProgram::Builder builder;
  std::vector<Reg> inputs;
  for (size_t i = 0; i < operands; ++i)
    inputs.push_back(builder.input(type));
  return build(builder, builder.op(opcode, inputs));
}

template <class Out, class In>
std::vector<Out> apply(const BlockProgram &program,
                       const std::vector<std::vector<In>> &inputs) {
  std::vector<BlockInput> sources;
  for (const std::vector<In> &input : inputs)
    sources.push_back({input.data(), 1});
  std::vector<Out> result(inputs[0].size());
  BlockOutput output = {result.data(), 1};
  Scratch scratch;
  run(program, sources.data(), &output, result.size(), scratch);
  return result;
}

const std::vector<uint16_t> &allCodes() {
  static const std::vector<uint16_t> codes = [] {
    std::vector<uint16_t> result(0x10000);
    for (unsigned code = 0; code < 0x10000; ++code)
      result[code] = uint16_t(code);
    return result;
  }();
  return codes;
}

class FunctionTest : public testing::TestWithParam<Function> {};

TEST_P(FunctionTest, Of16BitsIsCorrectlyRounded) {
  for (const Format &format : formats) {
    std::vector<uint16_t> results = apply<uint16_t, uint16_t>(
        single(GetParam().opcode, format.type), {allCodes()});
    for (unsigned code = 0; code < 0x10000; ++code) {
      double x = format.value(code);
      ASSERT_EQ(results[code], format.code(toOdd(GetParam().reference(x))))
          << GetParam().name << "(" << x << ") as " << name(format.type);
    }
  }
}

/// Distance of a result from its exact value in units of the last place of the
/// nearest number of a type with `digits` digits and lowest unit `lowest`.
double ulps(Real result, Real exact, int digits, int lowest) {
  if (result == exact)
    return 0;
  int exponent = std::ilogb(exact) - digits + 1;
  return double(
      std::fabs(std::ldexp(result - exact, -std::max(exponent, lowest))));
}

/// Arguments whose function values matter: of all magnitudes, near one, near
/// multiples of pi / 2, and special ones.
std::vector<double> makeArguments(size_t count, int exponents) {
  reference::Random random(17);
  std::vector<double> arguments = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   2.0,
                                   reference::infinity,
                                   -reference::infinity,
                                   reference::nan,
                                   1.5707963267948966,
                                   -3.141592653589793,
                                   88.72,
                                   -103.97,
                                   709.78,
                                   -745.13};
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = random();
    double fraction = 1.0 + double(bits >> 12) * 0x1p-52;
    int exponent = int(bits % uint64_t(2 * exponents)) - exponents;
    switch (i % 4) {
    case 0:
      break;
    case 1:
      exponent = int(bits % 16) - 10;
      break;
    case 2: // near one
      exponent = 0;
      fraction = 1.0 + (fraction - 1.5) * std::ldexp(1.0, -int(bits % 24));
      break;
    case 3: // near multiples of pi / 2
      exponent = 0;
      fraction = double(1 + bits % 100000) * 1.5707963267948966;
      break;
    }
    double value = std::ldexp(fraction, exponent);
    arguments.push_back(bits & 1 << 11 ? -value : value);
  }
  return arguments;
}

/// The same value with the same sign, or both NaN.
template <class T> void expectSame(T result, Real exact, double argument) {
  if (std::isnan(exact)) {
    EXPECT_TRUE(std::isnan(result)) << argument;
    return;
  }
  EXPECT_EQ(Real(result), exact) << argument;
  EXPECT_EQ(std::signbit(result), std::signbit(exact)) << argument;
}

TEST_P(FunctionTest, OfF32IsWithinItsBound) {
  auto bound = [](float result) {
    if (GetParam().opcode != Opcode::ExpF)
      return 0.51;
    return result < FLT_MIN ? 1.0 : 0.75;
  };
  std::vector<float> arguments;
  for (double argument : makeArguments(100000, 140))
    arguments.push_back(float(argument));
  std::vector<float> results =
      apply<float, float>(single(GetParam().opcode, DType::F32), {arguments});
  for (size_t i = 0; i < arguments.size(); ++i) {
    Real exact = GetParam().reference(arguments[i]);
    float rounded = float(exact);
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0)
      expectSame(results[i], rounded, arguments[i]);
    else
      ASSERT_LE(ulps(results[i], exact, 24, -149), bound(rounded))
          << GetParam().name << "(" << arguments[i] << ")";
  }
}

TEST_P(FunctionTest, OfF64IsWithinItsBound) {
  std::vector<double> arguments = makeArguments(20000, 1060);
  std::vector<double> results =
      apply<double, double>(single(GetParam().opcode, DType::F64), {arguments});
  for (size_t i = 0; i < arguments.size(); ++i) {
    Real exact = GetParam().reference(arguments[i]);
    double rounded = double(exact);
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0)
      expectSame(results[i], rounded, arguments[i]);
    else
      ASSERT_LE(ulps(results[i], exact, 53, -1074),
                std::fabs(rounded) < DBL_MIN ? 1.0 : 0.52)
          << GetParam().name << "(" << arguments[i] << ")";
  }
}

INSTANTIATE_TEST_SUITE_P(All, FunctionTest, testing::ValuesIn(functions),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(FunctionsTest, PowersOf16BitsAreCorrectlyRounded) {
  reference::Random random(5);
  for (const Format &format : formats) {
    std::vector<std::vector<uint16_t>> inputs(2);
    for (size_t i = 0; i < 100000; ++i) {
      uint64_t bits = random();
      uint16_t x = uint16_t(bits);
      // Every fourth exponent is a small integer or half of one, for which
      // powers hit the middle between two numbers.
      uint16_t y = bits >> 62 == 0
                       ? format.code(double(bits >> 32 & 15) / 2 - 2)
                       : uint16_t(bits >> 16);
      inputs[0].push_back(x);
      inputs[1].push_back(y);
    }
    std::vector<uint16_t> results =
        apply<uint16_t>(single(Opcode::PowF, format.type, 2), inputs);
    std::vector<uint16_t> angles =
        apply<uint16_t>(single(Opcode::Atan2F, format.type, 2), inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      double x = format.value(inputs[0][i]), y = format.value(inputs[1][i]);
      ASSERT_EQ(results[i], format.code(toOdd(std::pow(Real(x), Real(y)))))
          << x << " ^ " << y << " as " << name(format.type);
      ASSERT_EQ(angles[i], format.code(toOdd(std::atan2(Real(x), Real(y)))))
          << x << ", " << y << " as " << name(format.type);
    }
  }
}

TEST(FunctionsTest, PowersOfF32AndF64) {
  std::vector<double> arguments = makeArguments(20000, 6);
  for (double special : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 1e300,
                         -1e300, 9007199254740993.0, reference::infinity,
                         -reference::infinity, reference::nan})
    for (size_t i = 0; i < 15; ++i)
      arguments.insert(arguments.begin() + i, special);
  std::vector<std::vector<double>> wide(2);
  std::vector<std::vector<float>> narrow(2);
  for (size_t i = 0; i < arguments.size(); ++i) {
    // Pairs every special value with every other, and with random ones.
    double x = arguments[i], y = arguments[(i * 7 + i / 15) % arguments.size()];
    wide[0].push_back(x);
    wide[1].push_back(y);
    narrow[0].push_back(float(x));
    narrow[1].push_back(float(y));
  }
  std::vector<double> powers =
      apply<double>(single(Opcode::PowF, DType::F64, 2), wide);
  std::vector<float> shorter =
      apply<float>(single(Opcode::PowF, DType::F32, 2), narrow);
  for (size_t i = 0; i < powers.size(); ++i) {
    double exact = std::pow(wide[0][i], wide[1][i]);
    if (std::isnan(exact) || std::isinf(exact) || exact == 0)
      expectSame(powers[i], exact, wide[0][i]);
    else
      ASSERT_LE(ulps(powers[i], std::pow(Real(wide[0][i]), Real(wide[1][i])),
                     53, -1074),
                std::fabs(exact) < DBL_MIN ? 1.0 : 0.52)
          << wide[0][i] << " ^ " << wide[1][i];
    Real x = narrow[0][i], y = narrow[1][i];
    float rounded = float(std::pow(x, y));
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0)
      expectSame(shorter[i], rounded, double(x));
    else
      ASSERT_LE(ulps(shorter[i], std::pow(x, y), 24, -149), 0.51)
          << x << " ^ " << y;
  }
}

/// `value * 2^-48` with 53 bits, the last of which is odd unless it is exact.
double fromUnits(__int128 value) {
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -(unsigned __int128)value : value;
  int exponent = -48;
  bool sticky = false;
  while (rest >> 52 != 0) {
    sticky |= rest & 1;
    rest >>= 1;
    ++exponent;
  }
  double result =
      std::ldexp(double(uint64_t(rest) << 1 | sticky), exponent - 1);
  return negative ? -result : result;
}

TEST(FunctionsTest, FmaOfF16RoundsOnce) {
  reference::Random random(6);
  std::vector<std::vector<uint16_t>> inputs(3);
  for (size_t i = 0; i < 300000; ++i) {
    uint64_t bits = random();
    for (unsigned k = 0; k < 3; ++k)
      inputs[k].push_back(uint16_t(bits >> 16 * k));
    // Many products cancel against the third operand.
    if (bits >> 62 == 0)
      inputs[2].back() =
          reference::f16Code(-reference::f16Value(inputs[0].back()) *
                             reference::f16Value(inputs[1].back()));
  }
  std::vector<uint16_t> results =
      apply<uint16_t>(single(Opcode::FmaF, DType::F16, 3), inputs);
  for (size_t i = 0; i < results.size(); ++i) {
    double a = reference::f16Value(inputs[0][i]);
    double b = reference::f16Value(inputs[1][i]);
    double c = reference::f16Value(inputs[2][i]);
    double exact = a * b + c;
    // Halves are multiples of 2^-24, so this is exact in integers.
    if (std::isfinite(exact) && exact != 0)
      exact = fromUnits(__int128(a * 0x1p24) * __int128(b * 0x1p24) +
                        __int128(c * 0x1p24) * (1 << 24));
    ASSERT_EQ(results[i], reference::f16Code(exact))
        << a << " * " << b << " + " << c;
  }
}

TEST(FunctionsTest, FmaOfF32RoundsOnce) {
  reference::Random random(7);
  std::vector<std::vector<float>> inputs(3);
  auto push = [&](float a, float b, float c) {
    inputs[0].push_back(a);
    inputs[1].push_back(b);
    inputs[2].push_back(c);
  };
  // The product is the middle of two numbers, and more than 53 bits away the
  // third operand says which one is nearer.
  float a = 1.0f + 0x1p-12f;
  push(a, a, 0x1p-80f);
  push(a, a, -0x1p-80f);
  push(-a, a, 0x1p-80f);
  push(a, a, 0.0f);
  // The same for subnormal results.
  push(0x1.8p-75f, 0x1p-75f, 0x1p-149f);
  push(0x1p-75f, 0x1p-75f, 0x1p-149f);
  push(0x1p100f, 0x1p100f, -INFINITY);
  push(0x1p100f, 0x1p100f, -FLT_MAX);
  push(INFINITY, 0.0f, 1.0f);
  push(-1.0f, 0.0f, 0.0f);
  for (size_t i = 0; i < 300000; ++i) {
    uint64_t bits = random(), more = random();
    float x = bitCast<float>(uint32_t(bits));
    float y = bitCast<float>(uint32_t(bits >> 32));
    if (i % 2) { // near one, with few bits, so that ties are common
      x = 1.0f + float(bits & 0xFFF) * 0x1p-12f;
      y = 1.0f + float(bits >> 32 & 0xFFF) * 0x1p-12f;
    }
    float z = bitCast<float>(uint32_t(more));
    if (i % 4 == 1)
      z = float(-double(x) * double(y) * (1 + 0x1p-30));
    push(x, y, z);
  }
  std::vector<float> results =
      apply<float>(single(Opcode::FmaF, DType::F32, 3), inputs);
  for (size_t i = 0; i < results.size(); ++i) {
    // C defines it exactly.
    float exact = std::fma(inputs[0][i], inputs[1][i], inputs[2][i]);
    if (std::isnan(exact))
      ASSERT_TRUE(std::isnan(results[i]));
    else
      ASSERT_EQ(bitCast<uint32_t>(results[i]), bitCast<uint32_t>(exact))
          << inputs[0][i] << " * " << inputs[1][i] << " + " << inputs[2][i];
  }
}

TEST(FunctionsTest, RoundsToIntegralValues) {
  struct {
    Opcode opcode;
    double (*reference)(double);
  } cases[] = {{Opcode::TruncF, [](double x) { return std::trunc(x); }},
               {Opcode::RoundF, [](double x) { return std::round(x); }},
               {Opcode::RoundEvenF, [](double x) { return std::nearbyint(x); }},
               {Opcode::FloorF, [](double x) { return std::floor(x); }},
               {Opcode::CeilF, [](double x) { return std::ceil(x); }}};
  for (const auto &function : cases)
    for (const Format &format : formats) {
      std::vector<uint16_t> results = apply<uint16_t, uint16_t>(
          single(function.opcode, format.type), {allCodes()});
      for (unsigned code = 0; code < 0x10000; ++code) {
        double x = format.value(code);
        if (std::isnan(x))
          continue;
        ASSERT_EQ(results[code], format.code(function.reference(x)))
            << unsigned(function.opcode) << " " << x;
      }
    }
  for (double argument : makeArguments(10000, 60))
    for (const auto &function : cases) {
      expectSame(apply<double, double>(single(function.opcode, DType::F64),
                                       {{argument}})[0],
                 function.reference(argument), argument);
      float narrow = float(argument);
      expectSame(apply<float, float>(single(function.opcode, DType::F32),
                                     {{narrow}})[0],
                 function.reference(double(narrow)), argument);
    }
}

TEST(FunctionsTest, SoftplusIsCorrectlyRounded) {
  for (auto [beta, threshold] :
       {std::pair(1.0f, 20.0f), {0.3f, 4.0f}, {-2.0f, 20.0f}, {4.0f, -1.0f}})
    for (const Format &format : formats) {
      BlockProgram::Builder builder;
      Reg x = builder.input(format.type);
      std::vector<uint16_t> results = apply<uint16_t, uint16_t>(
          build(builder, builder.softplus(x, beta, threshold)), {allCodes()});
      for (unsigned code = 0; code < 0x10000; ++code) {
        double value = format.value(code);
        Real product = Real(beta) * Real(value);
        Real exact = product > threshold
                         ? Real(value)
                         : std::log1p(std::exp(product)) / Real(beta);
        ASSERT_EQ(results[code], format.code(toOdd(exact)))
            << value << " beta " << beta << " as " << name(format.type);
      }
    }
}

TEST(FunctionsTest, LayerNormRoundsOnce) {
  reference::Random random(8);
  for (const Format &format : {formats[0], formats[2]}) {
    std::vector<std::vector<uint16_t>> inputs(5);
    for (size_t i = 0; i < 20001; ++i)
      for (std::vector<uint16_t> &input : inputs)
        input.push_back(format.code(double(random() % 4001) / 1000 - 2));
    BlockProgram::Builder builder;
    Reg regs[5];
    for (Reg &reg : regs)
      reg = builder.input(format.type);
    std::vector<uint16_t> normal = apply<uint16_t>(
        build(builder,
              builder.layerNorm(regs[0], regs[1], regs[2], regs[3], regs[4])),
        inputs);
    BlockProgram::Builder scaleBuilder;
    Reg mean = scaleBuilder.input(format.type);
    Reg squares = scaleBuilder.input(format.type);
    std::vector<uint16_t> scale = apply<uint16_t, uint16_t>(
        build(scaleBuilder, scaleBuilder.layerNormScale(mean, squares, 0.25f)),
        {inputs[0], inputs[1]});
    for (size_t i = 0; i < normal.size(); ++i) {
      Real v[5];
      for (size_t k = 0; k < 5; ++k)
        v[k] = format.value(inputs[k][i]);
      ASSERT_EQ(normal[i],
                format.code(toOdd((v[0] - v[1]) * v[2] * v[3] + v[4])));
      ASSERT_EQ(scale[i],
                format.code(toOdd(1 / std::sqrt(v[1] - v[0] * v[0] + 0.25L))));
    }
  }
}

TEST(FunctionsTest, PairsKeepTheirComponents) {
  for (NumericsMode mode : {NumericsMode::Ieee, NumericsMode::Device}) {
    BlockProgram::Builder builder(mode);
    Reg x = builder.input(DType::F16), y = builder.input(DType::F16);
    Reg pair = builder.pair(x, y);
    builder.output(pair);
    builder.output(builder.component(pair, 0));
    builder.output(builder.component(pair, 1));
    std::optional<BlockProgram> program = builder.finish();
    ASSERT_TRUE(program) << builder.getError();
    EXPECT_EQ(program->getOutputType(0),
              mode == NumericsMode::Ieee ? DType::F16Pair : DType::DF16Pair);
    std::vector<uint16_t> first = {0x3C00, 0xBC01, 0x0001, 0x1234, 0x8000};
    std::vector<uint16_t> second = {0x0000, 0x4321, 0xFBFF, 0x5678, 0x0400};
    BlockInput inputs[] = {{first.data(), 1}, {second.data(), 1}};
    std::vector<uint32_t> pairs(5);
    std::vector<uint16_t> firsts(5), seconds(5);
    BlockOutput outputs[] = {
        {pairs.data(), 1}, {firsts.data(), 1}, {seconds.data(), 1}};
    Scratch scratch;
    run(*program, inputs, outputs, 5, scratch);
    EXPECT_EQ(firsts, first);
    EXPECT_EQ(seconds, second);
    for (size_t i = 0; i < 5; ++i)
      EXPECT_EQ(pairs[i], first[i] | uint32_t(second[i]) << 16);
  }
  BlockProgram::Builder builder;
  EXPECT_FALSE(
      builder.pair(builder.input(DType::F16), builder.input(DType::F32))
          .isValid());
  EXPECT_NE(builder.getError(), "");
}

TEST(FunctionsTest, IntegerFunctions) {
  std::vector<std::vector<uint8_t>> inputs(2);
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      inputs[0].push_back(uint8_t(a));
      inputs[1].push_back(uint8_t(b));
    }
  std::vector<uint8_t> powers =
      apply<uint8_t>(single(Opcode::PowI, DType::I8, 2), inputs);
  std::vector<uint8_t> ones =
      apply<uint8_t, uint8_t>(single(Opcode::CtPopI, DType::I8), {inputs[0]});
  std::vector<uint8_t> leading =
      apply<uint8_t, uint8_t>(single(Opcode::ClzI, DType::I8), {inputs[0]});
  std::vector<uint8_t> trailing =
      apply<uint8_t, uint8_t>(single(Opcode::CtzI, DType::I8), {inputs[0]});
  for (size_t i = 0; i < powers.size(); ++i) {
    int a = int8_t(inputs[0][i]), b = int8_t(inputs[1][i]);
    uint8_t power = 1;
    for (int k = 0; k < std::abs(b); ++k)
      power = uint8_t(power * a);
    if (b < 0 && std::abs(a) != 1)
      power = 0;
    ASSERT_EQ(powers[i], power) << a << " ^ " << b;
    std::string digits;
    for (int bit = 7; bit >= 0; --bit)
      digits += char('0' + (inputs[0][i] >> bit & 1));
    ASSERT_EQ(ones[i], std::count(digits.begin(), digits.end(), '1'));
    ASSERT_EQ(leading[i], std::min<size_t>(digits.find('1'), 8));
    size_t last = digits.rfind('1');
    ASSERT_EQ(trailing[i], last == std::string::npos ? 8 : 7 - last);
  }
}

/// The value of a nibble.
int nibble(uint8_t byte) { return (byte & 15) - (byte & 8 ? 16 : 0); }

TEST(FunctionsTest, NibblesComputeLikeFourBits) {
  std::vector<std::vector<uint8_t>> inputs(2);
  for (unsigned a = 0; a < 32; ++a) // the upper half of a byte is ignored
    for (unsigned b = 0; b < 16; ++b) {
      inputs[0].push_back(uint8_t(a));
      inputs[1].push_back(uint8_t(b));
    }
  struct {
    Opcode opcode;
    int (*reference)(int a, int b);
  } cases[] = {
      {Opcode::AddI, [](int a, int b) { return a + b; }},
      {Opcode::MulI, [](int a, int b) { return a * b; }},
      {Opcode::DivSI, [](int a, int b) { return b ? a / b : 0; }},
      {Opcode::DivUI, [](int a, int b) { return b ? (a & 15) / (b & 15) : 0; }},
      {Opcode::ShlI,
       [](int a, int b) { return (b & 15) < 4 ? a * (1 << (b & 15)) : 0; }},
      {Opcode::ShrUI,
       [](int a, int b) { return (b & 15) < 4 ? (a & 15) >> (b & 15) : 0; }},
      {Opcode::ShrSI, [](int a, int b) { return a >> std::min(b & 15, 3); }},
      {Opcode::MaxUI, [](int a, int b) { return std::max(a & 15, b & 15); }},
      {Opcode::MinSI, [](int a, int b) { return std::min(a, b); }}};
  for (const auto &function : cases) {
    std::vector<uint8_t> results =
        apply<uint8_t>(single(function.opcode, DType::I4, 2), inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      int a = nibble(inputs[0][i]), b = nibble(inputs[1][i]);
      ASSERT_EQ(int8_t(results[i]), nibble(uint8_t(function.reference(a, b))))
          << unsigned(function.opcode) << " of " << a << " and " << b;
    }
  }
  struct {
    Opcode opcode;
    int (*reference)(uint8_t);
  } counts[] = {
      {Opcode::CtPopI, [](uint8_t a) { return __builtin_popcount(a & 15u); }},
      {Opcode::ClzI,
       [](uint8_t a) { return a & 15 ? __builtin_clz(a & 15u) - 28 : 4; }},
      {Opcode::CtzI,
       [](uint8_t a) { return a & 15 ? __builtin_ctz(a & 15u) : 4; }}};
  for (const auto &count : counts) {
    std::vector<uint8_t> results =
        apply<uint8_t, uint8_t>(single(count.opcode, DType::I4), {inputs[0]});
    for (size_t i = 0; i < results.size(); ++i)
      ASSERT_EQ(results[i], count.reference(inputs[0][i])) << i;
  }
  for (unsigned a = 0; a < 16; ++a)
    for (unsigned b = 0; b < 16; ++b) {
      BlockProgram::Builder builder;
      Reg x = builder.input(DType::I4), y = builder.input(DType::I4);
      builder.output(builder.compare(IntPredicate::SLT, x, y));
      builder.output(builder.compare(IntPredicate::ULT, x, y));
      std::optional<BlockProgram> program = builder.finish();
      ASSERT_TRUE(program);
      BlockInput operands[] = {{&a, 1}, {&b, 1}};
      uint8_t below[2];
      BlockOutput outputs[] = {{&below[0], 1}, {&below[1], 1}};
      Scratch scratch;
      run(*program, operands, outputs, 1, scratch);
      EXPECT_EQ(below[0], nibble(uint8_t(a)) < nibble(uint8_t(b)));
      EXPECT_EQ(below[1], a < b);
    }
}

TEST(FunctionsTest, NibblesConvert) {
  std::vector<uint8_t> nibbles;
  for (unsigned a = 0; a < 16; ++a)
    nibbles.push_back(uint8_t(a));
  auto convert = [](Opcode opcode, DType from, DType to) {
    BlockProgram::Builder builder;
    return build(builder, builder.cast(opcode, builder.input(from), to));
  };
  auto wide = apply<int32_t, uint8_t>(
      convert(Opcode::ExtSI, DType::I4, DType::I32), {nibbles});
  auto wideUnsigned = apply<int32_t, uint8_t>(
      convert(Opcode::ExtUI, DType::I4, DType::I32), {nibbles});
  auto real = apply<float, uint8_t>(
      convert(Opcode::SIToFP, DType::I4, DType::F32), {nibbles});
  auto realUnsigned = apply<float, uint8_t>(
      convert(Opcode::UIToFP, DType::I4, DType::F32), {nibbles});
  for (unsigned a = 0; a < 16; ++a) {
    EXPECT_EQ(wide[a], nibble(uint8_t(a)));
    EXPECT_EQ(wideUnsigned[a], int32_t(a));
    EXPECT_EQ(real[a], float(nibble(uint8_t(a))));
    EXPECT_EQ(realUnsigned[a], float(a));
  }
  std::vector<float> reals = {-9.5f, -8.5f, -7.9f, -0.5f, 3.5f, 7.9f, 8.5f, 99};
  EXPECT_EQ((apply<int8_t, float>(
                convert(Opcode::FPToSI, DType::F32, DType::I4), {reals})),
            (std::vector<int8_t>{-8, -8, -7, 0, 3, 7, 7, 7}));
  EXPECT_EQ((apply<int8_t, float>(
                convert(Opcode::FPToUI, DType::F32, DType::I4), {reals})),
            (std::vector<int8_t>{0, 0, 0, 0, 3, 7, -8, -1}));
  EXPECT_EQ((apply<int8_t, uint16_t>(
                convert(Opcode::TruncI, DType::I16, DType::I4),
                {std::vector<uint16_t>{0x1237, 0xFFF8, 0x0105}})),
            (std::vector<int8_t>{7, -8, 5}));
}

} // namespace
