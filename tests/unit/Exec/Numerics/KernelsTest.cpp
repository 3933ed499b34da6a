//===- KernelsTest.cpp - Instruction sets agree -----------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Results must not depend on the host: the loops of every instruction set give
// the same bits, and so do the vector body and the scalar rest of a loop.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Functions.h"

#include "Reference.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace ktir::numerics;

namespace {

const DType allTypes[] = {DType::I1,  DType::I8,  DType::I16,  DType::I32,
                          DType::I64, DType::F16, DType::BF16, DType::DF16,
                          DType::F32, DType::F64};

constexpr size_t n = 301;

/// Random elements in memory form. A quarter of the floats have an exponent
/// field of all zeros or ones.
std::vector<std::byte> randomMemory(DType type, reference::Random &random) {
  size_t size = byteSize(type);
  std::vector<std::byte> memory(n * size);
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = random();
    if (type == DType::I1)
      bits &= 1;
    uint64_t exponent = isFloat(type) ? uint64_t(0x7F80) << (8 * size - 16) : 0;
    if (isFloat(type) && random() % 8 == 0)
      bits &= ~exponent;
    else if (isFloat(type) && random() % 8 == 0)
      bits |= exponent;
    std::memcpy(&memory[i * size], &bits, size);
  }
  return memory;
}

/// op(load(inputs)...), stored with canonical NaNs. Every loop is run on
/// `chunk` elements at a time.
std::vector<std::byte>
evaluate(const KernelSet &kernels, Opcode opcode, uint8_t predicate, DType type,
         DType result, const std::vector<std::vector<std::byte>> &inputs,
         size_t chunk) {
  std::vector<std::byte> output(n * byteSize(result));
  alignas(64) std::byte registers[4][n * 8] = {};
  Kernel kernel = kernels.select(opcode, predicate, type, result);
  MoveKernel store = isFloat(result) ? kernels.selectStoreRounded(result)
                                     : kernels.selectStore(result);
  for (size_t base = 0; base < n; base += chunk) {
    size_t count = std::min(chunk, n - base);
    for (size_t k = 0; k < 3; ++k) {
      DType inputType = k == 0 && opcode == Opcode::Select ? DType::I1 : type;
      kernels.selectLoad(inputType)(
          registers[k], &inputs[k][base * byteSize(inputType)], count);
    }
    const void *context = getContext(opcode, type);
    kernel(registers[3], registers[0], registers[1],
           context ? context : registers[2], count);
    store(&output[base * byteSize(result)], registers[3], count);
  }
  return output;
}

TEST(KernelsTest, EveryOpGivesTheSameBitsOnEveryInstructionSet) {
  reference::Random random(9);
  unsigned tested = 0;
  for (unsigned op = 0; op <= unsigned(Opcode::FmaF); ++op) {
    Opcode opcode = Opcode(op);
    unsigned predicates = opcode == Opcode::CmpF   ? 16
                          : opcode == Opcode::CmpI ? 10
                                                   : 1;
    for (DType type : allTypes)
      for (DType result : allTypes) {
        bool converts = opcode >= Opcode::CastF && opcode <= Opcode::Bitcast;
        bool compares = opcode == Opcode::CmpF || opcode == Opcode::CmpI;
        if (!converts && result != (compares ? DType::I1 : type))
          continue;
        if (!baselineKernels.select(opcode, 0, type, result))
          continue;
        std::vector<std::vector<std::byte>> inputs;
        for (size_t k = 0; k < 3; ++k)
          inputs.push_back(randomMemory(
              k == 0 && opcode == Opcode::Select ? DType::I1 : type, random));
        for (unsigned predicate = 0; predicate < predicates; ++predicate) {
          // One element at a time never enters a vector body.
          std::vector<std::byte> expected =
              evaluate(baselineKernels, opcode, uint8_t(predicate), type,
                       result, inputs, 1);
          for (const KernelSet *kernels : getKernelSets()) {
            EXPECT_EQ(evaluate(*kernels, opcode, uint8_t(predicate), type,
                               result, inputs, n),
                      expected)
                << "op " << op << " predicate " << predicate << " "
                << name(type) << " to " << name(result);
          }
          ++tested;
        }
      }
  }
  // 17 float ops on 5 types, 18 integer ops on 5, selections on 10, 16 and 10
  // predicates on 5 each, conversions: a selection that finds nothing would
  // test nothing.
  EXPECT_GT(tested, 17u * 5 + 18u * 5 + 10 + 16u * 5 + 10u * 5);
}

// Scalars have functions of their own beside the loops.
TEST(KernelsTest, ScalarFunctionsGiveTheBitsOfBlocks) {
  reference::Random random(10);
  unsigned tested = 0;
  auto isInt = [](DType type) { return !isFloat(type); };
  for (unsigned op = 0; op <= unsigned(kLastOpcode); ++op) {
    Opcode opcode = Opcode(op);
    for (DType type : allTypes)
      for (DType result : allTypes) {
        bool converts = opcode >= Opcode::CastF && opcode <= Opcode::Bitcast;
        if (!converts && result != (opcode == Opcode::CmpF ? DType::I1 : type))
          continue;
        ScalarFunction function = getScalarFunction(opcode, type, result);
        // Conversions are between different types, of which one is a float.
        if (!function || (isInt(type) && isInt(result)) ||
            (converts && type == result))
          continue;
        unsigned predicates = opcode == Opcode::CmpF ? 16 : 1;
        for (unsigned predicate = 0; predicate < predicates; ++predicate) {
          BlockProgram::Builder builder;
          Reg a = builder.input(type), b = builder.input(type);
          Reg value = opcode == Opcode::CmpF
                          ? builder.compare(FloatPredicate(predicate), a, b)
                      : converts ? builder.cast(opcode, a, result)
                      : opcode == Opcode::NegF || opcode == Opcode::AbsF
                          ? builder.op(opcode, {a})
                          : builder.op(opcode, {a, b});
          builder.output(value);
          std::optional<BlockProgram> program = builder.finish();
          // There are functions for unused combinations of types.
          if (!program)
            continue;
          std::vector<std::byte> x = randomMemory(type, random);
          std::vector<std::byte> y = randomMemory(type, random);
          std::vector<std::byte> expected(n * byteSize(result));
          BlockInput inputs[] = {{x.data(), 1}, {y.data(), 1}};
          BlockOutput output = {expected.data(), 1};
          Scratch scratch;
          run(*program, inputs, &output, n, scratch);
          DType integer = isInt(type) ? type : result;
          uint32_t detail = opcode == Opcode::CmpF ? predicate
                            : integer == DType::I1
                                ? 1
                                : uint32_t(8 * byteSize(integer));
          for (size_t i = 0; i < n; ++i) {
            uint64_t first = 0, second = 0, wanted = 0;
            std::memcpy(&first, &x[i * byteSize(type)], byteSize(type));
            std::memcpy(&second, &y[i * byteSize(type)], byteSize(type));
            std::memcpy(&wanted, &expected[i * byteSize(result)],
                        byteSize(result));
            uint64_t found = function(first, second, detail);
            // Integers are sign-extended; the low bytes matter.
            if (isFloat(result))
              ASSERT_EQ(found, wanted)
                  << "op " << op << " " << name(type) << " to " << name(result);
            uint64_t mask = result == DType::I1
                                ? 1
                                : ~uint64_t(0) >> (64 - 8 * byteSize(result));
            ASSERT_EQ(found & mask, wanted)
                << "op " << op << " " << name(type) << " to " << name(result)
                << " of " << first;
          }
          ++tested;
        }
      }
  }
  // 10 ops and 16 predicates on 5 types, 20 casts, 4 conversions between 5
  // floats and 5 integers.
  EXPECT_EQ(tested, 10u * 5 + 16u * 5 + 20 + 4u * 25);
}

/// Arguments of exp whose powers are normal, with both ends of that range.
std::vector<float> ordinaryArguments() {
  reference::Random random(11);
  std::vector<float> arguments = {0.0f, -0.0f, 86.0f, -86.0f, 0x1p-140f};
  while (arguments.size() < n)
    arguments.push_back(float(int32_t(random() % 172000) - 86000) * 0.001f);
  return arguments;
}

std::vector<uint32_t> powersOf(const KernelSet &kernels,
                               const std::vector<float> &arguments) {
  std::vector<uint32_t> powers(arguments.size());
  kernels.selectDefined(Opcode::ExpF)(powers.data(), arguments.data(), nullptr,
                                      nullptr, arguments.size());
  return powers;
}

// There is a shorter loop for blocks without extreme arguments.
TEST(KernelsTest, PowersDoNotDependOnTheOtherElements) {
  std::vector<float> arguments = ordinaryArguments();
  std::vector<uint32_t> expected;
  for (float argument : arguments)
    expected.push_back(powersOf(baselineKernels, {argument})[0]);
  for (const KernelSet *kernels : getKernelSets()) {
    EXPECT_EQ(powersOf(*kernels, arguments), expected);
    for (float extreme : {-INFINITY, NAN, 86.5f, -86.5f, -95.0f}) {
      std::vector<float> others = arguments;
      others.push_back(extreme);
      std::vector<uint32_t> powers = powersOf(*kernels, others);
      EXPECT_EQ(powers.back(), powersOf(baselineKernels, {extreme})[0]);
      powers.pop_back();
      EXPECT_EQ(powers, expected) << extreme;
    }
  }
}

/// Checks the sum of one row against additions one after the other.
void expectSumInOrder(const std::vector<float> &terms, float start) {
  float wanted = start;
  for (float term : terms)
    wanted += term;
  for (const KernelSet *kernels : getKernelSets()) {
    float sum = start;
    kernels->selectRows(Opcode::AddF, DType::F32)(&sum, terms.data(), 1,
                                                  terms.size());
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(sum));
    else
      EXPECT_EQ(__builtin_bit_cast(uint32_t, sum),
                __builtin_bit_cast(uint32_t, wanted))
          << terms.size() << " terms from " << terms[0] << ", start " << start;
  }
}

TEST(KernelsTest, TermsAreAddedOneAfterTheOther) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> unit(0.0f, 1.0f);
  for (size_t size : {1, 31, 32, 33, 64, 1000})
    for (int scale : {-126, -100, -40, -12, -5, -1, 0, 3, 23, 100, 127})
      for (float start : {0.0f, -0.0f, 1.0f, 1.9999999f, 3.0e-39f, -8.0f}) {
        // Of all sizes, of one size, and with so few bits that many lie halfway
        // between two sums.
        std::vector<float> spread, even, coarse;
        for (size_t i = 0; i < size; ++i) {
          spread.push_back(
              std::ldexp(unit(random), scale - int(random() % 30)));
          even.push_back(std::ldexp(0.5f + 0.5f * unit(random), scale));
          coarse.push_back(std::ldexp(float(random() % 8), scale - 24));
        }
        expectSumInOrder(spread, start);
        expectSumInOrder(even, start);
        expectSumInOrder(coarse, start);
      }
}

TEST(KernelsTest, TermsThatLeaveTheBinadeAreAddedOneAfterTheOther) {
  const float ulp = std::ldexp(1.0f, -23);
  for (float last : {-INFINITY, INFINITY, NAN, -0.0f, -ulp, -ulp / 4, -1.0f,
                     ulp / 2, 3 * ulp / 2, ulp / 4, 1.0f, 4.0f, __FLT_MAX__})
    for (size_t at : {0, 1, 31, 32, 50}) {
      // The sums begin with 1 and end close to 2, at 2, or above it.
      for (int units : {0, 131071, 131072, 131073, 262144}) {
        std::vector<float> terms(64, float(units) * ulp);
        terms[at] = last;
        expectSumInOrder(terms, 1.0f);
        expectSumInOrder(terms, 1.0f + ulp);
      }
    }
}

} // namespace
