//===- Tables.cpp - Functions of 16-bit floats ------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Functions.h"
#include "ktir/Exec/Numerics/Float16.h"

#include <atomic>
#include <mutex>

namespace ktir {
namespace numerics {

/// The operand that a code stands for, and the code nearest to a result.
static double decode(DType type, uint16_t code) {
  if (type == DType::F16)
    return decodeF16(code);
  return type == DType::BF16 ? decodeBF16(code) : decodeDL16(code);
}
static uint16_t encode(DType type, double value) {
  value = formats::canonical(value);
  if (type == DType::F16)
    return encodeF16(value);
  return type == DType::BF16 ? encodeBF16(value) : encodeDL16(value);
}

/// A function at `x`, with a last bit that makes the rounding to a 16-bit type
/// go the right way.
static double evaluate(Opcode opcode, double x) {
  double value = getUnaryFunction(opcode)->apply(x);
  bool isUnit = opcode == Opcode::SiluF || opcode == Opcode::GeluF;
  if (!isUnit || x == 0 || x > 0x1p-60 || x < -0x1p-60 || x != x)
    return value;
  // x / 2 and a positive number too small to show. Where x / 2 is the middle
  // between two numbers, that number decides.
  uint64_t bits = formats::toBits(value);
  return formats::fromBits(x < 0 ? bits - 1 : bits + 1);
}

const Table &getTable(Opcode opcode, DType type) {
  constexpr size_t count =
      size_t(Opcode::ReciprocalF) - size_t(Opcode::ExpF) + 1;
  static std::atomic<Table *> tables[count][3];
  static std::mutex mutex;
  size_t format = type == DType::F16 ? 0 : type == DType::BF16 ? 1 : 2;
  std::atomic<Table *> &entry =
      tables[size_t(opcode) - size_t(Opcode::ExpF)][format];
  if (Table *table = entry.load(std::memory_order_acquire))
    return *table;
  std::lock_guard<std::mutex> lock(mutex);
  if (Table *table = entry.load(std::memory_order_relaxed))
    return *table;
  // Kept to the end of the process, as the array is.
  auto *table = new Table;
  for (uint32_t code = 0; code < 0x10000; ++code)
    table->codes[code] =
        encode(type, evaluate(opcode, decode(type, uint16_t(code))));
  entry.store(table, std::memory_order_release);
  return *table;
}

const void *getContext(Opcode opcode, DType type) {
  // These have loops of their own.
  if (opcode == Opcode::SqrtF || opcode == Opcode::ReciprocalF)
    return nullptr;
  if (const BinaryFunction *function = getBinaryFunction(opcode))
    return function;
  const UnaryFunction *function = getUnaryFunction(opcode);
  if (!function || byteSize(type) != 2)
    return function;
  return &getTable(opcode, type);
}

std::shared_ptr<const Table> makeSoftplusTable(DType type, float beta,
                                               float threshold) {
  auto table = std::make_shared<Table>();
  for (uint32_t code = 0; code < 0x10000; ++code)
    table->codes[code] =
        encode(type, softplus(decode(type, uint16_t(code)), beta, threshold));
  return table;
}

} // namespace numerics
} // namespace ktir
