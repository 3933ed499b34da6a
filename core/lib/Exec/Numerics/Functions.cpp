//===- Functions.cpp - Functions of doubles ---------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "FunctionParts.h"

namespace ktir {
namespace numerics {

using namespace functions;

/// In the order of the opcodes.
static constexpr UnaryFunction unaryFunctions[] = {
    {exp},   {exp2},  {expM1}, {log},     {log2}, {log10}, {log1p},
    {sqrt},  {rsqrt}, {cbrt},  {sin},     {cos},  {tan},   {asin},
    {acos},  {atan},  {sinh},  {cosh},    {tanh}, {asinh}, {acosh},
    {atanh}, {erf},   {erfc},  {sigmoid}, {silu}, {gelu},  {reciprocal}};
static constexpr size_t numUnaryFunctions =
    sizeof(unaryFunctions) / sizeof(*unaryFunctions);
static_assert(numUnaryFunctions ==
                  size_t(Opcode::ReciprocalF) - size_t(Opcode::ExpF) + 1,
              "one function per opcode");

const UnaryFunction *getUnaryFunction(Opcode opcode) {
  if (opcode < Opcode::ExpF || opcode > Opcode::ReciprocalF)
    return nullptr;
  return &unaryFunctions[size_t(opcode) - size_t(Opcode::ExpF)];
}

const BinaryFunction *getBinaryFunction(Opcode opcode) {
  static constexpr BinaryFunction power = {pow}, angle = {atan2};
  if (opcode == Opcode::PowF)
    return &power;
  return opcode == Opcode::Atan2F ? &angle : nullptr;
}

} // namespace numerics
} // namespace ktir
