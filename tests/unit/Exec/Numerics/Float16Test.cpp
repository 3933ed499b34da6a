//===- Float16Test.cpp - 16-bit float formats -------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/Float16.h"

#include "Reference.h"
#include "gtest/gtest.h"

using namespace ktir::numerics;
using reference::bitCast;

namespace {

/// One format: the functions under test and the definition.
struct Format {
  const char *name;
  float (*decode)(uint16_t);
  float (*round)(float);
  uint16_t (*encode)(float);
  uint16_t (*encodeWide)(double);
  void (*decodeBlock)(const uint16_t *, float *, size_t);
  void (*encodeBlock)(const float *, uint16_t *, size_t);
  double (*value)(unsigned);
  uint16_t (*code)(double);
  unsigned lastFinite;
};

const Format formats[] = {
    {"f16", decodeF16, roundF16, encodeF16, encodeF16, decodeF16, encodeF16,
     reference::f16Value, reference::f16Code, 0x7BFF},
    {"bf16", decodeBF16, roundBF16, encodeBF16, encodeBF16, decodeBF16,
     encodeBF16, reference::bf16Value, reference::bf16Code, 0x7F7F},
    {"dl16", decodeDL16, roundDL16, encodeDL16, encodeDL16, decodeDL16,
     encodeDL16, reference::dl16Value, reference::dl16Code, 0x7FFE},
};

class Float16Test : public testing::TestWithParam<Format> {
protected:
  /// Checks encode, round and the f64 form at one number, of both signs.
  void check(float value) {
    for (float signedValue : {value, -value}) {
      uint16_t expected = GetParam().code(signedValue);
      ASSERT_EQ(GetParam().encode(signedValue), expected) << signedValue;
      ASSERT_EQ(GetParam().encodeWide(double(signedValue)), expected)
          << signedValue;
      float rounded = GetParam().round(signedValue);
      double meaning = GetParam().value(expected);
      if (std::isnan(meaning))
        ASSERT_EQ(bitCast<uint32_t>(rounded), 0x7FC00000u) << signedValue;
      else
        ASSERT_EQ(bitCast<uint32_t>(rounded), bitCast<uint32_t>(float(meaning)))
            << signedValue;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Formats, Float16Test, testing::ValuesIn(formats),
                         [](const auto &info) { return info.param.name; });

TEST_P(Float16Test, DecodesEveryCode) {
  for (unsigned code = 0; code < 0x10000; ++code) {
    double expected = GetParam().value(code);
    float actual = GetParam().decode(uint16_t(code));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << code;
      continue;
    }
    ASSERT_EQ(double(actual), expected) << code;
    ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << code;
  }
}

TEST_P(Float16Test, EncodeInvertsDecode) {
  for (unsigned code = 0; code < 0x10000; ++code) {
    // DL16 has one special code, and ignores its sign.
    bool isOtherSpecial =
        GetParam().code == reference::dl16Code && code == 0xFFFF;
    ASSERT_EQ(GetParam().encode(GetParam().decode(uint16_t(code))),
              isOtherSpecial ? 0x7FFF : code);
  }
}

TEST_P(Float16Test, RoundsAtEveryMidpoint) {
  // Around each code: the value, the midpoint to the next, both neighbours of
  // the midpoint in f32, and the quarters. Past the last finite code, the
  // "next" value is where the exponent would go on.
  for (unsigned code = 0; code <= GetParam().lastFinite; ++code) {
    double low = GetParam().value(code);
    double high = code == GetParam().lastFinite
                      ? 2 * low - GetParam().value(code - 1)
                      : GetParam().value(code + 1);
    float middle = float((low + high) / 2);
    // Beyond f32 is beyond this interface.
    if (std::isinf(middle))
      continue;
    check(float(low));
    check(middle);
    check(std::nextafterf(middle, 0.0f));
    check(std::nextafterf(middle, std::numeric_limits<float>::infinity()));
    check(float(low + (high - low) / 4));
    check(float(low + (high - low) * 3 / 4));
    if (HasFatalFailure())
      return;
  }
}

TEST_P(Float16Test, RoundsRandomNumbers) {
  reference::Random random(1);
  for (int i = 0; i < 2000000; ++i) {
    float value = bitCast<float>(uint32_t(random()));
    if (std::isnan(value))
      continue;
    check(value);
    if (HasFatalFailure())
      return;
  }
  check(0.0f);
  check(std::numeric_limits<float>::infinity());
  check(std::numeric_limits<float>::max());
  check(std::numeric_limits<float>::denorm_min());
  check(std::numeric_limits<float>::min());
}

TEST_P(Float16Test, EncodesF64WithOneRounding) {
  // An f32 in between would round these onto the midpoint, and then the wrong
  // way: they are off it by less than f32 can tell.
  for (unsigned code = 1; code < GetParam().lastFinite; ++code) {
    double low = GetParam().value(code), high = GetParam().value(code + 1);
    double middle = (low + high) / 2;
    for (double value : {middle, std::nextafter(middle, 0.0),
                         std::nextafter(middle, reference::infinity)}) {
      ASSERT_EQ(GetParam().encodeWide(value), GetParam().code(value)) << value;
      ASSERT_EQ(GetParam().encodeWide(-value), GetParam().code(-value))
          << value;
    }
  }
  for (double value : {1e300, 1e-300, 0.0, reference::infinity})
    for (double signedValue : {value, -value})
      EXPECT_EQ(GetParam().encodeWide(signedValue),
                GetParam().code(signedValue))
          << signedValue;
}

TEST_P(Float16Test, BlocksEqualElements) {
  reference::Random random(2);
  for (size_t n : {0, 1, 7, 64, 65, 1003}) {
    std::vector<uint16_t> codes(n + 1, 0xABCD), back(n + 1, 0xABCD);
    std::vector<float> values(n + 1, 7.0f);
    for (size_t i = 0; i < n; ++i)
      codes[i] = uint16_t(random());
    GetParam().decodeBlock(codes.data(), values.data(), n);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(bitCast<uint32_t>(values[i]),
                bitCast<uint32_t>(GetParam().decode(codes[i])));
    EXPECT_EQ(values[n], 7.0f);
    for (size_t i = 0; i < n; ++i)
      values[i] = bitCast<float>(uint32_t(random()));
    GetParam().encodeBlock(values.data(), back.data(), n);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(back[i], GetParam().encode(values[i]));
    EXPECT_EQ(back[n], 0xABCD);
  }
}

TEST(Float16NaNTest, KeepsAPayloadThatFits) {
  // The top ten (seven) fraction bits; a payload that is all in the rest still
  // gives a NaN, not an infinity.
  EXPECT_EQ(encodeF16(bitCast<float>(0xFFC02000u)), 0xFE01);
  EXPECT_EQ(encodeF16(bitCast<float>(0x7F800001u)), 0x7E00);
  EXPECT_EQ(encodeBF16(bitCast<float>(0xFF810000u)), 0xFF81);
  EXPECT_EQ(encodeBF16(bitCast<float>(0x7F800001u)), 0x7FC0);
  EXPECT_EQ(encodeDL16(bitCast<float>(0xFFC00000u)), 0x7FFF);
}

TEST(Float16NaNTest, RoundingMakesItCanonical) {
  for (uint32_t bits : {0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu, 0x7FFFFFFFu}) {
    EXPECT_EQ(bitCast<uint32_t>(roundF16(bitCast<float>(bits))), 0x7FC00000u);
    EXPECT_EQ(bitCast<uint32_t>(roundBF16(bitCast<float>(bits))), 0x7FC00000u);
    EXPECT_EQ(bitCast<uint32_t>(roundDL16(bitCast<float>(bits))), 0x7FC00000u);
  }
}

// Rows of the table in spec ktir.md 1.4.
TEST(DL16Test, HasTheValuesOfTheSpec) {
  EXPECT_EQ(encodeDL16(1.0f), 0x3E00);
  EXPECT_EQ(decodeDL16(0x3C00), 0.5f);
  EXPECT_EQ(decodeDL16(0x7FFE), 0x1p33f - 0x1p24f);
  EXPECT_EQ(encodeDL16(0x1p-31f), 0x0000);
  EXPECT_EQ(encodeDL16(-0x1p-31f), 0x8000);
  EXPECT_EQ(encodeDL16(0x1p33f), 0x7FFF);
  EXPECT_EQ(encodeDL16(-std::numeric_limits<float>::infinity()), 0x7FFF);
  // Ties go away from zero: 1 + 1/1024 lies between codes 0x3E00 and 0x3E01.
  EXPECT_EQ(encodeDL16(1.0f + 0x1p-10f), 0x3E01);
  EXPECT_EQ(encodeDL16(-1.0f - 0x1p-10f), 0xBE01);
}

// 2^-31 rounds to itself, which is zero; the next number is code 1.
TEST(DL16Test, HasNoNumberBelowItsFirst) {
  float tie = 0x1p-31f + 0x1p-41f;
  EXPECT_EQ(roundDL16(std::nextafterf(tie, 0.0f)), 0.0f);
  EXPECT_EQ(roundDL16(0x1p-31f), 0.0f);
  EXPECT_EQ(roundDL16(0x1.fffffep-32f), 0.0f);
  EXPECT_EQ(roundDL16(tie), 0x1p-31f + 0x1p-40f);
  EXPECT_EQ(encodeDL16(tie), 0x0001);
  EXPECT_EQ(encodeDL16(std::nextafterf(-tie, 0.0f)), 0x8000);
  EXPECT_TRUE(std::signbit(roundDL16(-0x1p-31f)));
}

TEST(DL16Test, ConvertsHostTensorsInPlace) {
  std::vector<uint16_t> data(0x10000), expected(0x10000);
  for (unsigned code = 0; code < 0x10000; ++code) {
    data[code] = uint16_t(code);
    expected[code] = reference::dl16Code(reference::f16Value(code));
  }
  halfToDl16(data.data(), data.data(), data.size());
  EXPECT_EQ(data, expected);

  for (unsigned code = 0; code < 0x10000; ++code) {
    data[code] = uint16_t(code);
    expected[code] = reference::f16Code(reference::dl16Value(code));
  }
  dl16ToHalf(data.data(), data.data(), data.size());
  EXPECT_EQ(data, expected);
}

} // namespace
