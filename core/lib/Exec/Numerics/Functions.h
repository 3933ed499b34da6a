//===- Functions.h - Functions of doubles -----------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elementary functions in portable code: the same bits on every host, and
// nothing of the host's mathematical library. They are computed with some 60
// bits or more and rounded once to f64, so that the error is below 0.51 units
// in the last place, subnormal results apart (1 unit). That is also what makes
// results of the shorter types correctly rounded: no argument of a 16-bit type
// leads nearer than 2^-50 to the middle between two 16-bit numbers without
// hitting it.
//
// Where a function has no real value the result is a NaN, at poles an infinity
// of the sign that the side of the pole asks for; signed zeros and infinities
// are as IEEE 754 recommends.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_FUNCTIONS_H
#define KTIR_LIB_EXEC_NUMERICS_FUNCTIONS_H

#include "ktir/Exec/Numerics/BlockProgram.h"

namespace ktir {
namespace numerics {

/// A function of one double.
struct UnaryFunction {
  double (*apply)(double);
};
/// A function of two doubles.
struct BinaryFunction {
  double (*apply)(double, double);
};

/// The function of an opcode of the range `ExpF` ... `ReciprocalF`; null for
/// other opcodes.
const UnaryFunction *getUnaryFunction(Opcode opcode);
/// The function of `PowF` or `Atan2F`; null for other opcodes.
const BinaryFunction *getBinaryFunction(Opcode opcode);

/// log(1 + exp(beta * x)) / beta, or x where beta * x > threshold. `beta * x`
/// has to be exact, as it is for a 16-bit x and an f32 beta.
double softplus(double x, double beta, double threshold);

/// The result code of a 16-bit type for every operand code.
struct Table {
  uint16_t codes[0x10000];
};

/// What the loop of `opcode` on `type` takes in place of a third operand: the
/// table of a 16-bit type, the function of a wider one; null for ops without.
const void *getContext(Opcode opcode, DType type);

/// The correctly rounded table of an opcode of `getUnaryFunction`. It is made
/// on first use and kept; threads may race for it.
const Table &getTable(Opcode opcode, DType type);
/// The same for `softplus`. Kept for as long as a program uses it.
std::shared_ptr<const Table> makeSoftplusTable(DType type, float beta,
                                               float threshold);

} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_FUNCTIONS_H
