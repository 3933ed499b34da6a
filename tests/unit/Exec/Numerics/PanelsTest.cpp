//===- PanelsTest.cpp - Folds and products of panels -----------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Every instruction set gives the bits of the plain loop that takes one term
// after the other.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "Reference.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <type_traits>

using namespace ktir::numerics;

namespace {

/// Shapes around the sizes of groups of rows and of blocks of columns.
const std::pair<size_t, size_t> shapes[] = {{1, 1},  {3, 7},   {4, 64},
                                            {16, 4}, {17, 33}, {37, 131}};

template <class T> std::vector<T> numbers(size_t count, uint64_t seed) {
  reference::Random random(seed);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) {
    int64_t number = int64_t(random() % 20001) - 10000;
    values.push_back(std::is_integral<T>::value ? T(number)
                                                : T(double(number) / 7));
  }
  return values;
}

template <class T, class F>
void expectFold(Opcode opcode, DType type, std::vector<T> panel, F op) {
  for (const KernelSet *set : getKernelSets())
    for (auto [rows, columns] : shapes) {
      std::vector<T> acc = numbers<T>(rows, 9), expected = acc;
      for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < columns; ++c)
          expected[r] = op(expected[r], panel[r * columns + c]);
      set->selectRows(opcode, type)(acc.data(), panel.data(), rows, columns);
      EXPECT_EQ(acc, expected) << rows << " x " << columns;
    }
}

constexpr size_t most = 37 * 131;

} // namespace

TEST(PanelsTest, FloatFolds) {
  auto singles = numbers<float>(most, 1);
  expectFold(Opcode::AddF, DType::F32, singles,
             [](float a, float b) { return a + b; });
  expectFold(Opcode::MaximumF, DType::F32, singles,
             [](float a, float b) { return std::max(a, b); });
  expectFold(Opcode::MinNumF, DType::F32, singles,
             [](float a, float b) { return std::min(a, b); });
  auto doubles = numbers<double>(most, 2);
  expectFold(Opcode::AddF, DType::F64, doubles,
             [](double a, double b) { return a + b; });
  expectFold(Opcode::MinimumF, DType::F64, doubles,
             [](double a, double b) { return std::min(a, b); });
  expectFold(Opcode::MaxNumF, DType::F64, doubles,
             [](double a, double b) { return std::max(a, b); });
  // Close to 1, so that products stay in range.
  for (float &value : singles)
    value = 1 + value / 1e6f;
  expectFold(Opcode::MulF, DType::F32, singles,
             [](float a, float b) { return a * b; });
}

TEST(PanelsTest, IntegerFolds) {
  auto bytes = numbers<uint8_t>(most, 3);
  expectFold(Opcode::AddI, DType::I8, bytes,
             [](uint8_t a, uint8_t b) { return uint8_t(a + b); });
  expectFold(Opcode::MaxSI, DType::I8, bytes, [](uint8_t a, uint8_t b) {
    return uint8_t(std::max(int8_t(a), int8_t(b)));
  });
  auto words = numbers<uint32_t>(most, 4);
  expectFold(Opcode::MulI, DType::I32, words,
             [](uint32_t a, uint32_t b) { return a * b; });
  expectFold(Opcode::MinUI, DType::I32, words,
             [](uint32_t a, uint32_t b) { return std::min(a, b); });
  auto longs = numbers<uint64_t>(most, 5);
  expectFold(Opcode::XorI, DType::I64, longs,
             [](uint64_t a, uint64_t b) { return a ^ b; });
}

TEST(PanelsTest, ExtremaOfSpecialValues) {
  float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (const KernelSet *set : getKernelSets())
    for (size_t at : {size_t(0), size_t(40), size_t(64), size_t(70)}) {
      std::vector<float> row(71, -0.0f);
      auto fold = [&](Opcode opcode, float start) {
        set->selectRows(opcode, DType::F32)(&start, row.data(), 1, 71);
        return start;
      };
      EXPECT_TRUE(std::signbit(fold(Opcode::MaximumF, -0.0f)));
      row[at] = 0.0f; // greater than -0
      EXPECT_FALSE(std::signbit(fold(Opcode::MaximumF, -inf)));
      EXPECT_TRUE(std::signbit(fold(Opcode::MinimumF, inf)));
      row[at] = nan;
      EXPECT_TRUE(std::isnan(fold(Opcode::MaximumF, 1)));
      EXPECT_TRUE(std::isnan(fold(Opcode::MinimumF, 1)));
      EXPECT_EQ(fold(Opcode::MaxNumF, 1), 1);
      EXPECT_EQ(fold(Opcode::MinNumF, -1), -1);
    }
}

TEST(PanelsTest, OnlyFoldsOfOneType) {
  EXPECT_TRUE(canFoldRows(Opcode::AddF, DType::F32));
  EXPECT_FALSE(canFoldRows(Opcode::SubF, DType::F32));
  EXPECT_FALSE(canFoldRows(Opcode::AddI, DType::F32));
  EXPECT_FALSE(canFoldRows(Opcode::AddF, DType::I32));
}

TEST(PanelsTest, Tiles) {
  constexpr size_t depth = 77, stride = kTileColumns + 5;
  auto a = numbers<float>(depth * kTileRows, 6);
  auto b = numbers<float>(depth * kTileColumns, 7);
  for (const KernelSet *set : getKernelSets())
    for (size_t rows = 1; rows <= kTileRows; ++rows) {
      auto acc = numbers<float>(kTileRows * stride, 8), expected = acc;
      for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < kTileColumns; ++c)
          for (size_t k = 0; k < depth; ++k) {
            float product = a[k * kTileRows + r] * b[k * kTileColumns + c];
            expected[r * stride + c] += product;
          }
      set->multiplyTile(acc.data(), stride, a.data(), b.data(), depth, rows);
      EXPECT_EQ(acc, expected) << rows;
    }
}

TEST(PanelsTest, MemoryAndBack) {
  // The canonical NaN, and one rounding.
  std::vector<float> values = {1.0f, 65519.0f, std::nanf("7"), -0.0f};
  std::vector<uint16_t> halves(4);
  fromPanel(DType::F16, halves.data(), values.data(), 4);
  EXPECT_EQ(halves, (std::vector<uint16_t>{0x3C00, 0x7BFF, 0x7E00, 0x8000}));
  std::vector<float> back(4);
  toPanel(DType::F16, back.data(), halves.data(), 4);
  EXPECT_EQ(back[1], 65504.0f);
  EXPECT_TRUE(std::signbit(back[3]));
  EXPECT_EQ(panelType(DType::BF16), DType::F32);
  EXPECT_EQ(panelType(DType::DF16), DType::F32);
  EXPECT_EQ(panelType(DType::F64), DType::F64);
  EXPECT_EQ(panelType(DType::I8), DType::I8);
}
