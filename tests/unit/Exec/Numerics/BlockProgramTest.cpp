//===- BlockProgramTest.cpp - Elementwise programs --------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/BlockProgram.h"

#include "Reference.h"
#include "ktir/Exec/Numerics/Float16.h"
#include "gtest/gtest.h"

#include <functional>

using namespace ktir::numerics;
using reference::bitCast;

namespace {

/// Runs a program on contiguous vectors of one element type each.
template <class Out, class In>
std::vector<Out> apply(const BlockProgram &program,
                       const std::vector<std::vector<In>> &inputs,
                       Fault *fault = nullptr) {
  std::vector<BlockInput> sources;
  for (const std::vector<In> &input : inputs)
    sources.push_back({input.data(), 1});
  std::vector<Out> result(inputs[0].size());
  BlockOutput output = {result.data(), 1};
  Scratch scratch;
  Fault found = run(program, sources.data(), &output, result.size(), scratch);
  if (fault)
    *fault = found;
  return result;
}

/// A program of one op with `count` operands of `type`.
BlockProgram single(Opcode opcode, DType type, size_t count,
                    NumericsMode mode = NumericsMode::Ieee) {
  BlockProgram::Builder builder(mode);
  std::vector<Reg> operands;
  for (size_t i = 0; i < count; ++i)
    operands.push_back(builder.input(type));
  builder.output(builder.op(opcode, operands));
  std::optional<BlockProgram> program = builder.finish();
  EXPECT_TRUE(program) << builder.getError();
  return *program;
}

BlockProgram conversion(Opcode opcode, DType from, DType to) {
  BlockProgram::Builder builder;
  builder.output(builder.cast(opcode, builder.input(from), to));
  std::optional<BlockProgram> program = builder.finish();
  EXPECT_TRUE(program) << builder.getError();
  return *program;
}

/// The nearest half to a / b, by long division of the significands; nothing is
/// lost, since the remainder is kept as a last bit.
uint16_t quotientOfHalves(uint16_t codeA, uint16_t codeB) {
  double a = reference::f16Value(codeA), b = reference::f16Value(codeB);
  if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b) ||
      a == 0 || b == 0)
    return reference::f16Code(a / b);
  // Every half is a multiple of 2^-24 below 2^40 of them.
  uint64_t unitsA = uint64_t(std::fabs(a) * 0x1p24);
  uint64_t unitsB = uint64_t(std::fabs(b) * 0x1p24);
  int shift = 0;
  while (unitsA < uint64_t(1) << 62) {
    unitsA <<= 1;
    ++shift;
  }
  uint64_t quotient = unitsA / unitsB;
  bool sticky = unitsA % unitsB != 0;
  while (quotient >= uint64_t(1) << 52) {
    sticky |= quotient & 1;
    quotient >>= 1;
    --shift;
  }
  double exact = std::ldexp(double(2 * quotient + sticky), -1 - shift);
  return reference::f16Code((a < 0) != (b < 0) ? -exact : exact);
}

// The sum, difference and product of two halves are exact in f64, so that one
// rounding of it is the correctly rounded result. The programs compute in f32
// and round again; that is the same, because f32 has at least 2 * 11 + 2 bits.
TEST(BlockArithmeticTest, F16IsCorrectlyRounded) {
  constexpr size_t n = 10000000, step = 100000;
  const Opcode opcodes[] = {Opcode::AddF, Opcode::SubF, Opcode::MulF,
                            Opcode::DivF};
  std::vector<BlockProgram> programs;
  for (Opcode opcode : opcodes)
    programs.push_back(single(opcode, DType::F16, 2));
  reference::Random random(3);
  std::vector<std::vector<uint16_t>> inputs(2, std::vector<uint16_t>(step));
  std::vector<double> values(0x10000);
  for (unsigned code = 0; code < 0x10000; ++code)
    values[code] = reference::f16Value(code);
  for (size_t done = 0; done < n; done += step) {
    for (size_t i = 0; i < step; ++i) {
      uint64_t bits = random();
      inputs[0][i] = uint16_t(bits);
      inputs[1][i] = uint16_t(bits >> 16);
      // Exponents near each other make every fourth sum a close one.
      if (bits >> 62 == 0)
        inputs[1][i] = uint16_t(inputs[0][i] ^ (bits >> 16 & 0x8FFF));
    }
    std::vector<std::vector<uint16_t>> results;
    for (const BlockProgram &program : programs)
      results.push_back(apply<uint16_t>(program, inputs));
    for (size_t i = 0; i < step; ++i) {
      double a = values[inputs[0][i]], b = values[inputs[1][i]];
      ASSERT_EQ(results[0][i], reference::f16Code(a + b)) << a << " + " << b;
      ASSERT_EQ(results[1][i], reference::f16Code(a - b)) << a << " - " << b;
      ASSERT_EQ(results[2][i], reference::f16Code(a * b)) << a << " * " << b;
      // The rounding of an f64 quotient would be innocuous too, but that is the
      // argument under test.
      ASSERT_EQ(results[3][i], quotientOfHalves(inputs[0][i], inputs[1][i]))
          << a << " / " << b;
    }
  }
}

// For df16 the result is the f32 result, rounded once more.
TEST(BlockArithmeticTest, DeviceModeRoundsToDL16) {
  reference::Random random(4);
  std::vector<std::vector<uint16_t>> inputs(2, std::vector<uint16_t>(100000));
  for (std::vector<uint16_t> &input : inputs)
    for (uint16_t &code : input)
      code = uint16_t(random());
  BlockProgram sum = single(Opcode::AddF, DType::F16, 2, NumericsMode::Device);
  EXPECT_EQ(sum.getInputType(0), DType::DF16);
  std::vector<uint16_t> sums = apply<uint16_t>(sum, inputs);
  std::vector<uint16_t> products =
      apply<uint16_t>(single(Opcode::MulF, DType::DF16, 2), inputs);
  for (size_t i = 0; i < sums.size(); ++i) {
    float a = float(reference::dl16Value(inputs[0][i]));
    float b = float(reference::dl16Value(inputs[1][i]));
    ASSERT_EQ(sums[i], reference::dl16Code(a + b)) << a << " + " << b;
    ASSERT_EQ(products[i], reference::dl16Code(a * b)) << a << " * " << b;
  }
}

TEST(BlockArithmeticTest, DeviceModeConvertsConstantsFromHalves) {
  BlockProgram::Builder builder(NumericsMode::Device);
  builder.output(builder.constant(DType::F16, 0x3C00));
  builder.output(builder.constant(DType::DF16, 0x3C00));
  builder.output(builder.constant(DType::BF16, 0x3C00));
  std::optional<BlockProgram> program = builder.finish();
  ASSERT_TRUE(program);
  uint16_t results[3];
  BlockOutput outputs[] = {
      {&results[0], 1}, {&results[1], 1}, {&results[2], 1}};
  Scratch scratch;
  run(*program, nullptr, outputs, 1, scratch);
  EXPECT_EQ(results[0], 0x3E00); // 1.0, as DL16
  EXPECT_EQ(results[1], 0x3C00);
  EXPECT_EQ(results[2], 0x3C00);
}

//===----------------------------------------------------------------------===//
// Programs of several ops
//===----------------------------------------------------------------------===//

/// max(a * s + b, t) with `a`, `b` vectors, `s` repeated, `t` constant 1/4.
BlockProgram scaleAddClamp(DType type, uint64_t quarter) {
  BlockProgram::Builder builder;
  Reg a = builder.input(type), s = builder.input(type), b = builder.input(type);
  Reg product = builder.op(Opcode::MulF, {a, s});
  Reg sum = builder.op(Opcode::AddF, {product, b});
  builder.output(
      builder.op(Opcode::MaximumF, {sum, builder.constant(type, quarter)}));
  return *builder.finish();
}

TEST(BlockProgramTest, ChainsRoundAfterEveryOpAtEveryLength) {
  BlockProgram program = scaleAddClamp(DType::F16, 0x3400);
  EXPECT_EQ(program.getNumOps(), 3u);
  reference::Random random(5);
  Scratch scratch;
  for (size_t n : {0, 1, 63, 64, 65, 511, 512, 513, 1024, 1537}) {
    std::vector<uint16_t> a(n), b(n), result(n + 1, 0xABCD);
    for (size_t i = 0; i < n; ++i) {
      // Finite, of moderate size: NaN would hide the values.
      a[i] = reference::f16Code(double(random() % 4096) / 512 - 4);
      b[i] = reference::f16Code(double(random() % 4096) / 4096 - 0.5);
    }
    uint16_t s = 0x2E66; // about 0.1
    BlockInput inputs[] = {{a.data(), 1}, {&s, 0}, {b.data(), 1}};
    BlockOutput output = {result.data(), 1};
    EXPECT_EQ(run(program, inputs, &output, n, scratch), Fault::None);
    for (size_t i = 0; i < n; ++i) {
      double product = reference::f16Value(reference::f16Code(
          reference::f16Value(a[i]) * reference::f16Value(s)));
      double sum = reference::f16Value(
          reference::f16Code(product + reference::f16Value(b[i])));
      EXPECT_EQ(reference::f16Value(result[i]), std::max(sum, 0.25))
          << n << " " << i;
    }
    EXPECT_EQ(result[n], 0xABCD) << n;
  }
}

TEST(BlockProgramTest, F32AndF64AreNative) {
  BlockProgram single32 = scaleAddClamp(DType::F32, 0x3E800000);
  BlockProgram double64 =
      scaleAddClamp(DType::F64, bitCast<uint64_t>(double(0.25)));
  std::vector<std::vector<float>> inputs32(3);
  std::vector<std::vector<double>> inputs64(3);
  reference::Random random(6);
  for (size_t k = 0; k < 3; ++k)
    for (size_t i = 0; i < 600; ++i) {
      double value = double(random() >> 11) / 0x1p52 - 1;
      inputs32[k].push_back(float(value));
      inputs64[k].push_back(value);
    }
  std::vector<float> result32 = apply<float>(single32, inputs32);
  std::vector<double> result64 = apply<double>(double64, inputs64);
  for (size_t i = 0; i < 600; ++i) {
    // Assignments keep the compiler from fusing the two.
    volatile float product32 = inputs32[0][i] * inputs32[1][i];
    volatile double product64 = inputs64[0][i] * inputs64[1][i];
    EXPECT_EQ(result32[i], std::max(product32 + inputs32[2][i], 0.25f));
    EXPECT_EQ(result64[i], std::max(product64 + inputs64[2][i], 0.25));
  }
}

TEST(BlockProgramTest, ReadsAndWritesWithStridesAndWithoutAlignment) {
  // out[i] = a[2i] - b[-i] + c[0], of n beyond one block.
  BlockProgram::Builder builder;
  Reg a = builder.input(DType::I32), b = builder.input(DType::I32),
      c = builder.input(DType::I32);
  builder.output(
      builder.op(Opcode::AddI, {builder.op(Opcode::SubI, {a, b}), c}));
  BlockProgram program = *builder.finish();
  constexpr size_t n = 700;
  std::vector<int32_t> first(2 * n), second(n);
  for (size_t i = 0; i < 2 * n; ++i)
    first[i] = int32_t(i * i);
  for (size_t i = 0; i < n; ++i)
    second[i] = int32_t(3 * i);
  int32_t third = 1000;
  // One byte off alignment, every third element.
  std::vector<unsigned char> memory(1 + 3 * n * sizeof(int32_t), 0x5A);
  BlockInput inputs[] = {
      {first.data(), 2}, {second.data() + n - 1, -1}, {&third, 0}};
  BlockOutput output = {memory.data() + 1, 3};
  Scratch scratch;
  run(program, inputs, &output, n, scratch);
  for (size_t i = 0; i < n; ++i) {
    int32_t result, gap;
    std::memcpy(&result, &memory[1 + 3 * i * sizeof(int32_t)], sizeof(result));
    std::memcpy(&gap, &memory[1 + (3 * i + 1) * sizeof(int32_t)], sizeof(gap));
    EXPECT_EQ(result, int32_t(4 * i * i - 3 * (n - 1 - i) + 1000)) << i;
    EXPECT_EQ(gap, 0x5A5A5A5A);
  }
}

TEST(BlockProgramTest, RepeatsAnElementOfAnyType) {
  constexpr size_t n = 1100; // three blocks
  for (unsigned number = 0; number <= unsigned(DType::F64); ++number) {
    DType type = DType(number);
    size_t size = byteSize(type);
    // As it is, and through a register.
    BlockProgram::Builder builder;
    Reg x = builder.input(type), y = builder.input(type);
    builder.output(x);
    builder.output(
        builder.op(isFloat(type) ? Opcode::MulF : Opcode::AndI, {y, y}));
    std::optional<BlockProgram> program = builder.finish();
    ASSERT_TRUE(program) << name(type) << ": " << builder.getError();
    // One, with a rest behind it that is not read.
    uint64_t one[] = {1, ~uint64_t(0)};
    if (type == DType::F16)
      one[0] = 0x3C00;
    else if (type == DType::BF16)
      one[0] = 0x3F80;
    else if (type == DType::DF16)
      one[0] = encodeDL16(1.0f);
    else if (type == DType::F32)
      one[0] = 0x3F800000;
    else if (type == DType::F64)
      one[0] = 0x3FF0000000000000;
    BlockInput inputs[] = {{one, 0}, {one, 0}};
    std::vector<std::byte> copied(n * size), squares(n * size);
    BlockOutput outputs[] = {{copied.data(), 1}, {squares.data(), 1}};
    Scratch scratch;
    run(*program, inputs, outputs, n, scratch);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(std::memcmp(&copied[i * size], one, size), 0) << name(type);
      ASSERT_EQ(std::memcmp(&squares[i * size], one, size), 0) << name(type);
    }
  }
}

TEST(BlockProgramTest, UpdatesInPlace) {
  // Two results that each overwrite the other's source.
  BlockProgram::Builder builder;
  Reg x = builder.input(DType::F16), y = builder.input(DType::F16);
  builder.output(y);
  builder.output(builder.op(Opcode::AddF, {x, x}));
  BlockProgram program = *builder.finish();
  std::vector<uint16_t> a(1000), b(1000);
  for (size_t i = 0; i < 1000; ++i) {
    a[i] = reference::f16Code(double(i));
    b[i] = reference::f16Code(-double(i));
  }
  BlockInput inputs[] = {{a.data(), 1}, {b.data(), 1}};
  BlockOutput outputs[] = {{a.data(), 1}, {b.data(), 1}};
  Scratch scratch;
  run(program, inputs, outputs, 1000, scratch);
  for (size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(reference::f16Value(a[i]), -double(i));
    EXPECT_EQ(reference::f16Value(b[i]), 2.0 * double(i));
  }
}

TEST(BlockProgramTest, RegistersAreReusedOnlyWhenDead) {
  // Partial sums that are all read again at the end, in reverse: if a register
  // were given away early, the total would be off.
  BlockProgram::Builder builder;
  Reg x = builder.input(DType::I64);
  std::vector<Reg> partial = {x};
  for (int k = 1; k <= 20; ++k)
    partial.push_back(builder.op(Opcode::AddI, {partial.back(), x}));
  Reg total = builder.op(Opcode::SubI, {x, x});
  for (size_t k = partial.size(); k-- > 0;)
    total = builder.op(Opcode::AddI, {total, partial[k]});
  builder.output(total);
  std::vector<std::vector<int64_t>> inputs = {{1, -2, 1000}};
  // 1 + 2 + ... + 21 = 231.
  EXPECT_EQ(apply<int64_t>(*builder.finish(), inputs),
            (std::vector<int64_t>{231, -462, 231000}));
}

TEST(BlockProgramTest, DropsWhatNoOutputNeeds) {
  BlockProgram::Builder builder;
  Reg x = builder.input(DType::I32);
  builder.op(Opcode::DivSI, {x, builder.constant(DType::I32, 0)});
  builder.output(builder.op(Opcode::AddI, {x, x}));
  BlockProgram program = *builder.finish();
  EXPECT_EQ(program.getNumOps(), 1u);
  Fault fault;
  std::vector<std::vector<int32_t>> inputs = {{4}};
  EXPECT_EQ(apply<int32_t>(program, inputs, &fault), std::vector<int32_t>{8});
  EXPECT_EQ(fault, Fault::None);
}

TEST(BlockProgramTest, ProgramsShareAScratch) {
  // The second needs more memory than the first.
  BlockProgram small = single(Opcode::NegF, DType::F32, 1);
  BlockProgram large = single(Opcode::MulAddF, DType::F64, 3);
  Scratch scratch;
  float x = 2, y = 0;
  double a = 3, b = 0;
  BlockInput one[] = {{&x, 1}}, three[] = {{&a, 0}, {&a, 0}, {&a, 0}};
  BlockOutput first = {&y, 1}, second = {&b, 1};
  for (int i = 0; i < 2; ++i) {
    run(small, one, &first, 1, scratch);
    run(large, three, &second, 1, scratch);
    EXPECT_EQ(y, -2.0f);
    EXPECT_EQ(b, 12.0);
  }
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

/// Values of a float type as f64, and the way between both.
template <class T> struct Codec;
template <> struct Codec<uint16_t> {
  static constexpr DType type = DType::F16;
  static uint16_t encode(double value) { return reference::f16Code(value); }
  static double decode(uint16_t code) { return reference::f16Value(code); }
};
template <> struct Codec<float> {
  static constexpr DType type = DType::F32;
  static float encode(double value) { return float(value); }
  static double decode(float value) { return value; }
};
template <> struct Codec<double> {
  static constexpr DType type = DType::F64;
  static double encode(double value) { return value; }
  static double decode(double value) { return value; }
};

template <class T> class SpecialValuesTest : public testing::Test {
protected:
  using C = Codec<T>;

  void SetUp() override {
    for (double value : {0.0, 1.0, 2.5, 0x1p-24, reference::infinity})
      for (double signedValue : {value, -value})
        values.push_back(signedValue);
    values.push_back(reference::nan);
    for (double a : values)
      for (double b : values) {
        inputs[0].push_back(C::encode(a));
        inputs[1].push_back(C::encode(b));
      }
  }

  void expectNaN(T result) { EXPECT_TRUE(std::isnan(C::decode(result))); }

  /// Compares with `rule`, which works on f64; zeros must agree in sign.
  void check(Opcode opcode, const std::function<double(double, double)> &rule) {
    std::vector<T> results = apply<T>(single(opcode, C::type, 2), inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      double a = C::decode(inputs[0][i]), b = C::decode(inputs[1][i]);
      double expected = rule(a, b), result = C::decode(results[i]);
      SCOPED_TRACE(testing::Message() << int(opcode) << ": " << a << ", " << b);
      if (std::isnan(expected)) {
        expectNaN(results[i]);
        continue;
      }
      EXPECT_EQ(result, expected);
      EXPECT_EQ(std::signbit(result), std::signbit(expected));
    }
  }

  std::vector<double> values;
  std::vector<std::vector<T>> inputs{2};
};

using FloatTypes = testing::Types<uint16_t, float, double>;
TYPED_TEST_SUITE(SpecialValuesTest, FloatTypes);

/// Orders numbers with -0 before +0.
bool isLess(double a, double b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
double ruleMaximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return reference::nan;
  return isLess(a, b) ? b : a;
}
double ruleMinimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return reference::nan;
  return isLess(b, a) ? b : a;
}

// IEEE 754-2019, 9.6.
TYPED_TEST(SpecialValuesTest, MaximumAndMinimum) {
  this->check(Opcode::MaximumF, ruleMaximum);
  this->check(Opcode::MinimumF, ruleMinimum);
  this->check(Opcode::MaxNumF, [](double a, double b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : ruleMaximum(a, b);
  });
  this->check(Opcode::MinNumF, [](double a, double b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : ruleMinimum(a, b);
  });
  this->check(Opcode::AbsMaxF, [](double a, double b) {
    return ruleMaximum(std::fabs(a), std::fabs(b));
  });
  this->check(Opcode::AbsMinF, [](double a, double b) {
    return ruleMinimum(std::fabs(a), std::fabs(b));
  });
}

TYPED_TEST(SpecialValuesTest, Arithmetic) {
  // On these values f64 is exact or far enough from a midpoint.
  auto round = [](double value) {
    return Codec<TypeParam>::decode(Codec<TypeParam>::encode(value));
  };
  this->check(Opcode::AddF, [&](double a, double b) { return round(a + b); });
  this->check(Opcode::MulF, [&](double a, double b) { return round(a * b); });
  this->check(Opcode::DivF, [&](double a, double b) { return round(a / b); });
  this->check(Opcode::RemF,
              [&](double a, double b) { return round(std::fmod(a, b)); });
  this->check(Opcode::MulDiv2F,
              [&](double a, double b) { return round(a * b / 2); });
}

// The predicates of arith.cmpf: for O.., false with a NaN; for U.., true.
TYPED_TEST(SpecialValuesTest, Comparisons) {
  using C = Codec<TypeParam>;
  struct Row {
    FloatPredicate predicate;
    bool less, equal, greater, unordered;
  };
  const Row rows[] = {{FloatPredicate::AlwaysFalse, false, false, false, false},
                      {FloatPredicate::OEQ, false, true, false, false},
                      {FloatPredicate::OGT, false, false, true, false},
                      {FloatPredicate::OGE, false, true, true, false},
                      {FloatPredicate::OLT, true, false, false, false},
                      {FloatPredicate::OLE, true, true, false, false},
                      {FloatPredicate::ONE, true, false, true, false},
                      {FloatPredicate::ORD, true, true, true, false},
                      {FloatPredicate::UEQ, false, true, false, true},
                      {FloatPredicate::UGT, false, false, true, true},
                      {FloatPredicate::UGE, false, true, true, true},
                      {FloatPredicate::ULT, true, false, false, true},
                      {FloatPredicate::ULE, true, true, false, true},
                      {FloatPredicate::UNE, true, false, true, true},
                      {FloatPredicate::UNO, false, false, false, true},
                      {FloatPredicate::AlwaysTrue, true, true, true, true}};
  for (size_t k = 0; k < std::size(rows); ++k) {
    const Row &row = rows[k];
    EXPECT_EQ(size_t(row.predicate), k) << "arith.cmpf's numbering";
    BlockProgram::Builder builder;
    Reg a = builder.input(C::type), b = builder.input(C::type);
    builder.output(builder.compare(row.predicate, a, b));
    BlockProgram program = *builder.finish();
    EXPECT_EQ(program.getOutputType(0), DType::I1);
    std::vector<uint8_t> results = apply<uint8_t>(program, this->inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      double x = C::decode(this->inputs[0][i]);
      double y = C::decode(this->inputs[1][i]);
      bool expected = x < y    ? row.less
                      : x > y  ? row.greater
                      : x == y ? row.equal
                               : row.unordered;
      EXPECT_EQ(results[i], expected ? 1 : 0) << k << ": " << x << ", " << y;
    }
  }
}

TYPED_TEST(SpecialValuesTest, FloorAndCeil) {
  using C = Codec<TypeParam>;
  std::vector<std::vector<TypeParam>> inputs(1);
  for (double value : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 1023.5, 1024.0,
                       2049.0, 0x1p-24, 65504.0, reference::infinity})
    for (double signedValue : {value, -value})
      inputs[0].push_back(C::encode(signedValue));
  if (C::type != DType::F16)
    for (double value : {0x1p22 + 0.5, 0x1p23 - 0.5, 0x1p23 + 1, 1e30})
      for (double signedValue : {value, -value})
        inputs[0].push_back(C::encode(signedValue));
  if (C::type == DType::F64)
    for (double value : {0x1p51 + 0.5, 0x1p52 - 0.5, 0x1p52 + 1, 1e300})
      for (double signedValue : {value, -value})
        inputs[0].push_back(C::encode(signedValue));
  std::vector<TypeParam> floors =
      apply<TypeParam>(single(Opcode::FloorF, C::type, 1), inputs);
  std::vector<TypeParam> ceils =
      apply<TypeParam>(single(Opcode::CeilF, C::type, 1), inputs);
  for (size_t i = 0; i < floors.size(); ++i) {
    double value = C::decode(inputs[0][i]);
    double floor = C::decode(floors[i]), ceil = C::decode(ceils[i]);
    EXPECT_EQ(floor, std::floor(value));
    EXPECT_EQ(std::signbit(floor), std::signbit(std::floor(value))) << value;
    EXPECT_EQ(ceil, std::ceil(value));
    EXPECT_EQ(std::signbit(ceil), std::signbit(std::ceil(value))) << value;
  }
}

TEST(NaNTest, ArithmeticMakesTheCanonicalOne) {
  // Zero by zero, and NaNs with payload and sign as operands.
  std::vector<std::vector<uint16_t>> f16 = {{0x0000, 0xFE01, 0x3C00},
                                            {0x8000, 0x3C00, 0xFC01}};
  std::vector<std::vector<float>> f32(2);
  f32[0] = {0.0f, bitCast<float>(0xFFC00001u), 1.0f};
  f32[1] = {-0.0f, 1.0f, bitCast<float>(0xFF800001u)};
  for (Opcode opcode : {Opcode::DivF, Opcode::MaximumF, Opcode::RemF}) {
    std::vector<uint16_t> r16 =
        apply<uint16_t>(single(opcode, DType::F16, 2), f16);
    std::vector<uint32_t> r32 =
        apply<uint32_t>(single(opcode, DType::F32, 2), f32);
    for (size_t i = opcode == Opcode::MaximumF ? 1 : 0; i < 3; ++i) {
      EXPECT_EQ(r16[i], 0x7E00) << int(opcode) << " " << i;
      EXPECT_EQ(r32[i], 0x7FC00000u) << int(opcode) << " " << i;
    }
  }
}

TEST(NaNTest, MovesKeepBits) {
  // out = c ? -|x| : x for each NaN code of f16.
  BlockProgram::Builder builder;
  Reg c = builder.input(DType::I1), x = builder.input(DType::F16);
  Reg negated = builder.op(Opcode::NegF, {builder.op(Opcode::AbsF, {x})});
  builder.output(builder.op(Opcode::Select, {c, negated, x}));
  BlockProgram program = *builder.finish();
  std::vector<uint8_t> condition;
  std::vector<uint16_t> codes, results(0x10000);
  for (unsigned code = 0; code < 0x10000; ++code) {
    condition.push_back(code % 3 == 0);
    codes.push_back(uint16_t(code));
  }
  BlockInput inputs[] = {{condition.data(), 1}, {codes.data(), 1}};
  BlockOutput output = {results.data(), 1};
  Scratch scratch;
  run(program, inputs, &output, codes.size(), scratch);
  for (unsigned code = 0; code < 0x10000; ++code)
    ASSERT_EQ(results[code], code % 3 == 0 ? (code | 0x8000) : code);
}

TEST(NaNTest, IsCanonicalBeforeItsBitsShow) {
  // x * 0 is a NaN for an infinite x: negated it has a sign and no payload,
  // and as an integer it is the canonical code.
  BlockProgram::Builder builder;
  Reg x = builder.input(DType::F32);
  Reg product = builder.op(Opcode::MulF, {x, builder.constant(DType::F32, 0)});
  builder.output(builder.op(Opcode::NegF, {product}));
  builder.output(builder.cast(Opcode::Bitcast, product, DType::I32));
  BlockProgram program = *builder.finish();
  float infinite = std::numeric_limits<float>::infinity();
  uint32_t results[2];
  BlockInput input = {&infinite, 1};
  BlockOutput outputs[] = {{&results[0], 1}, {&results[1], 1}};
  Scratch scratch;
  run(program, &input, outputs, 1, scratch);
  EXPECT_EQ(results[0], 0xFFC00000u);
  EXPECT_EQ(results[1], 0x7FC00000u);
}

TEST(MulAddTest, RoundsProductAndSumInF32AndThenOnce) {
  // f16: 2^-11 is half a unit of 1; (1 + 2^-10) * (1 + 2^-10) = 1 + 2^-9 +
  // 2^-20 keeps its last bit in f32, and so pushes the tie up: an f16 product
  // would have lost it.
  std::vector<std::vector<uint16_t>> f16 = {{0x3C01}, {0x3C01}, {0x1000}};
  // 1 + 2^-9 + 2^-20 + 2^-11 -> 1 + 2^-9 + 2^-10 = code 0x3C03.
  EXPECT_EQ(apply<uint16_t>(single(Opcode::MulAddF, DType::F16, 3), f16)[0],
            0x3C03);
  // f32: (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46 loses the last term; a fused
  // operation would return it after subtracting the rest.
  float x = 1.0f + 0x1p-23f;
  std::vector<std::vector<float>> f32 = {{x}, {x}, {-(1.0f + 0x1p-22f)}};
  EXPECT_EQ(apply<float>(single(Opcode::MulAddF, DType::F32, 3), f32)[0], 0.0f);
}

TEST(MulDiv2Test, HasOneRoundingAtTheEndsOfTheRange) {
  // The product alone would overflow, or lose its last bit below the range.
  std::vector<std::vector<float>> f32 = {
      {0x1p127f, 0x1p-149f, 0x1.000002p-100f}, {0x1p1f, 3.0f, 0x1.8p-48f}};
  std::vector<float> results =
      apply<float>(single(Opcode::MulDiv2F, DType::F32, 2), f32);
  EXPECT_EQ(results[0], 0x1p127f);
  // 1.5 units of 2^-149: a tie, to even.
  EXPECT_EQ(results[1], 0x1p-148f);
  // (1 + 2^-23) * 1.5 * 2^-149: just above that tie, to 2 units as well.
  EXPECT_EQ(results[2], 0x1p-148f);
  std::vector<std::vector<double>> f64 = {{0x1p1023}, {2.0}};
  EXPECT_EQ(apply<double>(single(Opcode::MulDiv2F, DType::F64, 2), f64)[0],
            0x1p1023);
  // bf16 shares the exponents of f32: 2^127 * 2 / 2.
  std::vector<std::vector<uint16_t>> bf16 = {{0x7F00}, {0x4000}};
  EXPECT_EQ(apply<uint16_t>(single(Opcode::MulDiv2F, DType::BF16, 2), bf16)[0],
            0x7F00);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// An integer type as 128-bit numbers, in which nothing overflows.
template <class U, DType D, int Width> struct Integer {
  using Unsigned = U;
  static constexpr DType type = D;
  static constexpr int width = Width;
  static U wrap(__int128 value) {
    return U(value & ((__int128(1) << Width) - 1));
  }
  static __int128 asSigned(U value) {
    return value >> (Width - 1) & 1 ? __int128(value) - (__int128(1) << Width)
                                    : __int128(value);
  }
};
using Int1 = Integer<uint8_t, DType::I1, 1>;
using Int8 = Integer<uint8_t, DType::I8, 8>;
using Int16 = Integer<uint16_t, DType::I16, 16>;
using Int32 = Integer<uint32_t, DType::I32, 32>;
using Int64 = Integer<uint64_t, DType::I64, 64>;

template <class T> class IntegerTest : public testing::Test {
protected:
  using U = typename T::Unsigned;

  /// All pairs for the narrow types; corners and random ones for the wide.
  void SetUp() override {
    std::vector<U> values;
    if (T::width <= 8) {
      for (unsigned value = 0; value < 1u << T::width; ++value)
        values.push_back(U(value));
    } else {
      reference::Random random(7);
      for (int k = 0; k < 200; ++k)
        values.push_back(U(random() >> (random() % T::width)));
      for (int64_t corner : {-7, -3, -2, -1, 0, 1, 2, 3, 7, 15, 31, 63, 64})
        values.push_back(U(corner));
      values.push_back(U(1) << (T::width - 1));
      values.push_back(U(U(1) << (T::width - 1)) - 1);
    }
    for (U a : values)
      for (U b : values) {
        inputs[0].push_back(a);
        inputs[1].push_back(b);
      }
  }

  using Rule = std::function<__int128(__int128, __int128)>;

  void check(Opcode opcode, bool isSigned, const Rule &rule,
             bool divides = false) {
    Fault fault;
    std::vector<U> results =
        apply<U>(single(opcode, T::type, 2), inputs, &fault);
    EXPECT_EQ(fault, divides ? Fault::DivisionByZero : Fault::None);
    for (size_t i = 0; i < results.size(); ++i) {
      U a = inputs[0][i], b = inputs[1][i];
      U expected = divides && b == 0
                       ? U(0)
                       : T::wrap(isSigned ? rule(T::asSigned(a), T::asSigned(b))
                                          : rule(a, b));
      ASSERT_EQ(uint64_t(results[i]), uint64_t(expected))
          << int(opcode) << ": " << uint64_t(a) << ", " << uint64_t(b);
    }
  }

  std::vector<std::vector<U>> inputs{2};
};

using IntegerTypes = testing::Types<Int1, Int8, Int16, Int32, Int64>;
TYPED_TEST_SUITE(IntegerTest, IntegerTypes);

using Wide = __int128;

TYPED_TEST(IntegerTest, WrapsAndMasks) {
  // The low half of a 128-bit product is right even where that wraps.
  auto product = [](Wide a, Wide b) {
    return Wide(static_cast<unsigned __int128>(a) *
                static_cast<unsigned __int128>(b));
  };
  this->check(Opcode::AddI, false, [](Wide a, Wide b) { return a + b; });
  this->check(Opcode::SubI, false, [](Wide a, Wide b) { return a - b; });
  this->check(Opcode::MulI, false, product);
  this->check(Opcode::AndI, false, [](Wide a, Wide b) { return a & b; });
  this->check(Opcode::OrI, false, [](Wide a, Wide b) { return a | b; });
  this->check(Opcode::XorI, false, [](Wide a, Wide b) { return a ^ b; });
  this->check(Opcode::MinSI, true,
              [](Wide a, Wide b) { return a < b ? a : b; });
  this->check(Opcode::MaxSI, true,
              [](Wide a, Wide b) { return a > b ? a : b; });
  this->check(Opcode::MinUI, false,
              [](Wide a, Wide b) { return a < b ? a : b; });
  this->check(Opcode::MaxUI, false,
              [](Wide a, Wide b) { return a > b ? a : b; });
}

TYPED_TEST(IntegerTest, Divides) {
  auto floor = [](Wide a, Wide b) {
    Wide quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  };
  auto ceil = [&](Wide a, Wide b) { return -floor(-a, b); };
  auto quotient = [](Wide a, Wide b) { return a / b; };
  auto remainder = [](Wide a, Wide b) { return a % b; };
  this->check(Opcode::DivSI, true, quotient, true);
  this->check(Opcode::DivUI, false, quotient, true);
  this->check(Opcode::RemSI, true, remainder, true);
  this->check(Opcode::RemUI, false, remainder, true);
  this->check(Opcode::FloorDivSI, true, floor, true);
  this->check(Opcode::CeilDivSI, true, ceil, true);
  this->check(Opcode::CeilDivUI, false, ceil, true);
}

TYPED_TEST(IntegerTest, Shifts) {
  constexpr int width = TypeParam::width;
  using U = typename TypeParam::Unsigned;
  // Signed operands with an unsigned amount.
  auto amount = [](Wide b) { return Wide(U(TypeParam::wrap(b))); };
  this->check(Opcode::ShlI, false, [](Wide a, Wide b) {
    return b >= width ? Wide(0)
                      : Wide(static_cast<unsigned __int128>(a) << int(b));
  });
  this->check(Opcode::ShrUI, false, [](Wide a, Wide b) {
    return b >= width ? Wide(0) : a >> int(b);
  });
  this->check(Opcode::ShrSI, true, [&](Wide a, Wide b) {
    return a >> int(amount(b) >= width ? Wide(width) : amount(b));
  });
}

TYPED_TEST(IntegerTest, Compares) {
  using U = typename TypeParam::Unsigned;
  using P = IntPredicate;
  for (unsigned k = 0; k <= unsigned(P::UGE); ++k) {
    BlockProgram::Builder builder;
    Reg x = builder.input(TypeParam::type), y = builder.input(TypeParam::type);
    builder.output(builder.compare(P(k), x, y));
    std::vector<uint8_t> results =
        apply<uint8_t>(*builder.finish(), this->inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      U ua = this->inputs[0][i], ub = this->inputs[1][i];
      Wide a = TypeParam::asSigned(ua), b = TypeParam::asSigned(ub);
      const bool expected[] = {ua == ub,
                               ua != ub,
                               a<b, a <= b, a> b,
                               a >= b,
                               ua<ub, ua <= ub, ua> ub,
                               ua >= ub};
      ASSERT_EQ(results[i], expected[k] ? 1 : 0)
          << k << ": " << uint64_t(ua) << ", " << uint64_t(ub);
    }
  }
}

TYPED_TEST(IntegerTest, AbsAndResize) {
  using U = typename TypeParam::Unsigned;
  std::vector<std::vector<U>> inputs = {this->inputs[1]};
  std::vector<U> absolute =
      apply<U>(single(Opcode::AbsI, TypeParam::type, 1), inputs);
  std::vector<uint64_t> signExtended = apply<uint64_t>(
      conversion(Opcode::ExtSI, TypeParam::type, DType::I64), inputs);
  std::vector<uint64_t> zeroExtended = apply<uint64_t>(
      conversion(Opcode::ExtUI, TypeParam::type, DType::I64), inputs);
  std::vector<uint8_t> truncated = apply<uint8_t>(
      conversion(Opcode::TruncI, TypeParam::type, DType::I1), inputs);
  for (size_t i = 0; i < inputs[0].size(); ++i) {
    Wide value = TypeParam::asSigned(inputs[0][i]);
    EXPECT_EQ(absolute[i], TypeParam::wrap(value < 0 ? -value : value));
    EXPECT_EQ(signExtended[i], uint64_t(value));
    EXPECT_EQ(zeroExtended[i], uint64_t(inputs[0][i]));
    EXPECT_EQ(truncated[i], inputs[0][i] & 1);
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

TEST(ConversionTest, FloatsOfEveryWidth) {
  std::vector<std::vector<uint16_t>> codes(1);
  for (unsigned code = 0; code < 0x10000; ++code)
    codes[0].push_back(uint16_t(code));
  std::vector<float> single32 =
      apply<float>(conversion(Opcode::CastF, DType::F16, DType::F32), codes);
  std::vector<double> double64 =
      apply<double>(conversion(Opcode::CastF, DType::F16, DType::F64), codes);
  std::vector<uint16_t> brain = apply<uint16_t>(
      conversion(Opcode::CastF, DType::F16, DType::BF16), codes);
  std::vector<uint16_t> device = apply<uint16_t>(
      conversion(Opcode::CastF, DType::F16, DType::DF16), codes);
  std::vector<uint16_t> same =
      apply<uint16_t>(conversion(Opcode::CastF, DType::F16, DType::F16), codes);
  for (unsigned code = 0; code < 0x10000; ++code) {
    double value = reference::f16Value(code);
    ASSERT_EQ(same[code], code);
    ASSERT_EQ(brain[code], reference::bf16Code(value));
    ASSERT_EQ(device[code], reference::dl16Code(value));
    if (std::isnan(value)) {
      ASSERT_EQ(bitCast<uint32_t>(single32[code]), 0x7FC00000u);
      ASSERT_EQ(bitCast<uint64_t>(double64[code]), 0x7FF8000000000000u);
      continue;
    }
    ASSERT_EQ(double(single32[code]), value);
    ASSERT_EQ(double64[code], value);
  }
}

TEST(ConversionTest, F64RoundsOnce) {
  // Just above the midpoint of 1 and the next: f32 in between would make it a
  // tie, and that goes to 1.
  std::vector<std::vector<double>> inputs = {
      {1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-24 + 0x1p-40}};
  EXPECT_EQ(apply<uint16_t>(conversion(Opcode::CastF, DType::F64, DType::F16),
                            inputs)[0],
            0x3C01);
  EXPECT_EQ(apply<uint16_t>(conversion(Opcode::CastF, DType::F64, DType::BF16),
                            inputs)[1],
            0x3F81);
  EXPECT_EQ(apply<float>(conversion(Opcode::CastF, DType::F64, DType::F32),
                         inputs)[2],
            1 + 0x1p-23f);
  // DL16 ties go away from zero: just below one.
  inputs = {{1 + 0x1p-10 - 0x1p-40}};
  EXPECT_EQ(apply<uint16_t>(conversion(Opcode::CastF, DType::F64, DType::DF16),
                            inputs)[0],
            0x3E00);
}

TEST(ConversionTest, IntegersToFloatsRoundOnce) {
  std::vector<std::vector<uint64_t>> wide(1);
  reference::Random random(8);
  for (int k = 0; k < 20000; ++k)
    wide[0].push_back(random() >> (random() % 64));
  for (uint64_t value :
       {uint64_t(0), ~uint64_t(0), uint64_t(1) << 63,
        // Off the midpoints of bf16, DL16 and f32 by one.
        (uint64_t(0x101) << 40) - 1, (uint64_t(0x101) << 40),
        (uint64_t(0x101) << 40) + 1, (uint64_t(0x401) << 22) - 1,
        (uint64_t(0x401) << 22), (uint64_t(0x401) << 22) + 1,
        (uint64_t(0x1000001) << 30) + 1})
    wide[0].push_back(value);

  auto exact = [](uint64_t magnitude, bool negative) {
    // Sticky in bit 12 for what f64 cannot hold: no midpoint of a shorter
    // format lies that low in so large a number.
    if (magnitude >> 53)
      magnitude = (magnitude >> 12 | (magnitude % 4096 != 0)) << 12;
    return negative ? -double(magnitude) : double(magnitude);
  };
  for (bool isSigned : {false, true}) {
    Opcode opcode = isSigned ? Opcode::SIToFP : Opcode::UIToFP;
    auto to = [&](DType type) {
      return apply<uint16_t>(conversion(opcode, DType::I64, type), wide);
    };
    std::vector<uint16_t> f16 = to(DType::F16), bf16 = to(DType::BF16),
                          df16 = to(DType::DF16);
    std::vector<float> f32 =
        apply<float>(conversion(opcode, DType::I64, DType::F32), wide);
    for (size_t i = 0; i < wide[0].size(); ++i) {
      uint64_t bits = wide[0][i];
      bool negative = isSigned && bits >> 63;
      double value = exact(negative ? 0 - bits : bits, negative);
      ASSERT_EQ(f16[i], reference::f16Code(value)) << bits;
      ASSERT_EQ(bf16[i], reference::bf16Code(value)) << bits;
      ASSERT_EQ(df16[i], reference::dl16Code(value)) << bits;
      ASSERT_EQ(f32[i], float(value)) << bits;
    }
  }
}

TEST(ConversionTest, NarrowIntegersToFloats) {
  // i1 is 0 or 1 unsigned, 0 or -1 signed.
  std::vector<std::vector<uint8_t>> bits = {{0, 1}},
                                    bytes = {{0x00, 0x7F, 0x80}};
  using V = std::vector<float>;
  EXPECT_EQ(
      apply<float>(conversion(Opcode::UIToFP, DType::I1, DType::F32), bits),
      (V{0, 1}));
  EXPECT_EQ(
      apply<float>(conversion(Opcode::SIToFP, DType::I1, DType::F32), bits),
      (V{0, -1}));
  EXPECT_EQ(
      apply<float>(conversion(Opcode::UIToFP, DType::I8, DType::F32), bytes),
      (V{0, 127, 128}));
  EXPECT_EQ(
      apply<float>(conversion(Opcode::SIToFP, DType::I8, DType::F32), bytes),
      (V{0, 127, -128}));
  std::vector<std::vector<uint32_t>> words = {{0x80000000u, 0xFFFFFFFFu}};
  EXPECT_EQ(
      apply<double>(conversion(Opcode::UIToFP, DType::I32, DType::F64), words),
      (std::vector<double>{0x1p31, 0x1p32 - 1}));
  EXPECT_EQ(
      apply<double>(conversion(Opcode::SIToFP, DType::I32, DType::F64), words),
      (std::vector<double>{-0x1p31, -1}));
}

template <class T> class FloatToIntegerTest : public testing::Test {};
TYPED_TEST_SUITE(FloatToIntegerTest, IntegerTypes);

// Toward zero, saturating, NaN to 0.
TYPED_TEST(FloatToIntegerTest, Saturates) {
  using U = typename TypeParam::Unsigned;
  constexpr int width = TypeParam::width;
  std::vector<std::vector<double>> f64(1);
  for (double value :
       {0.0, 0.5, 0.999, 1.0, 1.5, 2.0, 100.7, 1e10, 1e30, reference::infinity,
        std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 0.5,
        std::ldexp(1.0, width), std::ldexp(1.0, width) - 0.5})
    for (double signedValue : {value, -value})
      f64[0].push_back(signedValue);
  f64[0].push_back(reference::nan);
  std::vector<std::vector<float>> f32(1);
  for (double value : f64[0])
    f32[0].push_back(float(value));

  auto expected = [](double value, bool isSigned) {
    if (std::isnan(value))
      return U(0);
    double low = isSigned ? -std::ldexp(1.0, width - 1) : 0.0;
    Wide high = (Wide(1) << (isSigned ? width - 1 : width)) - 1;
    double truncated = std::trunc(value);
    if (truncated <= low)
      return TypeParam::wrap(Wide(low));
    if (truncated > double(high) || Wide(truncated) > high)
      return TypeParam::wrap(high);
    return TypeParam::wrap(Wide(truncated));
  };
  for (bool isSigned : {false, true}) {
    Opcode opcode = isSigned ? Opcode::FPToSI : Opcode::FPToUI;
    std::vector<U> from64 =
        apply<U>(conversion(opcode, DType::F64, TypeParam::type), f64);
    std::vector<U> from32 =
        apply<U>(conversion(opcode, DType::F32, TypeParam::type), f32);
    for (size_t i = 0; i < f64[0].size(); ++i) {
      EXPECT_EQ(uint64_t(from64[i]), uint64_t(expected(f64[0][i], isSigned)))
          << isSigned << " " << f64[0][i];
      EXPECT_EQ(uint64_t(from32[i]), uint64_t(expected(f32[0][i], isSigned)))
          << isSigned << " " << f32[0][i];
    }
  }
}

TEST(ConversionTest, BitcastKeepsBits) {
  std::vector<std::vector<uint16_t>> codes(1);
  for (unsigned code = 0; code < 0x10000; ++code)
    codes[0].push_back(uint16_t(code));
  for (DType type : {DType::F16, DType::BF16}) {
    EXPECT_EQ(
        apply<uint16_t>(conversion(Opcode::Bitcast, type, DType::I16), codes),
        codes[0]);
    EXPECT_EQ(
        apply<uint16_t>(conversion(Opcode::Bitcast, DType::I16, type), codes),
        codes[0]);
  }
  std::vector<std::vector<float>> f32 = {{1.0f, -0.0f}};
  EXPECT_EQ(
      apply<uint32_t>(conversion(Opcode::Bitcast, DType::F32, DType::I32), f32),
      (std::vector<uint32_t>{0x3F800000u, 0x80000000u}));
}

//===----------------------------------------------------------------------===//
// Misuse
//===----------------------------------------------------------------------===//

TEST(BuilderTest, ReportsTheFirstError) {
  {
    BlockProgram::Builder builder;
    Reg x = builder.input(DType::F16), y = builder.input(DType::F32);
    Reg bad = builder.op(Opcode::AddF, {x, y});
    EXPECT_FALSE(bad.isValid());
    builder.output(builder.op(Opcode::NegF, {bad}));
    EXPECT_FALSE(builder.finish());
    EXPECT_EQ(
        builder.getError(),
        "elementwise op expects operands of one type, got 'f16' and 'f32'");
  }
  auto errorOf = [](const std::function<void(BlockProgram::Builder &)> &build) {
    BlockProgram::Builder builder;
    build(builder);
    EXPECT_FALSE(builder.finish());
    return builder.getError();
  };
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              Reg x = builder.input(DType::I32);
              builder.op(Opcode::AddF, {x, x});
            }),
            "elementwise op is not defined on 'i32'");
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              builder.op(Opcode::AddF, {builder.input(DType::F16)});
            }),
            "elementwise op expects 2 operands, got 1");
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              Reg x = builder.input(DType::F32);
              builder.op(Opcode::Select, {x, x, x});
            }),
            "select expects a condition of type 'i1', got 'f32'");
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              builder.cast(Opcode::Bitcast, builder.input(DType::F32),
                           DType::I64);
            }),
            "conversion is not defined from 'f32' to 'i64'");
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              builder.cast(Opcode::TruncI, builder.input(DType::I8),
                           DType::I32);
            }),
            "conversion is not defined from 'i8' to 'i32'");
  EXPECT_EQ(errorOf([](BlockProgram::Builder &builder) {
              builder.compare(IntPredicate::EQ, builder.input(DType::F32),
                              builder.input(DType::F32));
            }),
            "comparison is not defined on 'f32'");
  EXPECT_EQ(
      errorOf([](BlockProgram::Builder &builder) { builder.output(Reg()); }),
      "output is undefined");
}

} // namespace
