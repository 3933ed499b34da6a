//===- FunctionParts.h - What functions are made of -------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Shared by the files that define the functions of doubles. Functions whose
// names are those of the C library are defined in one of them each and found by
// `getUnaryFunction` and `getBinaryFunction`.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_FUNCTIONPARTS_H
#define KTIR_LIB_EXEC_NUMERICS_FUNCTIONPARTS_H

#include "DoubleDouble.h"
#include "Formats.h"

namespace ktir {
namespace numerics {
namespace functions {

using namespace doubledouble;
using formats::fromBits;
using formats::toBits;

inline constexpr double infinity = __builtin_inf();
inline constexpr double nan = __builtin_nan("");
inline constexpr Pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr Pair perLn2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr Pair perLn10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
inline constexpr Pair halfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr Pair twoPerSqrtPi = {0x1.20dd750429b6dp+0,
                                      0x1.1ae3a914fed80p-56};
inline constexpr Pair perSqrt2 = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};
inline constexpr Pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
inline constexpr Pair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
inline constexpr Pair per6 = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
inline constexpr Pair per24 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
inline constexpr Pair per120 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};

static inline double magnitude(double x) {
  return fromBits(toBits(x) << 1 >> 1);
}
static inline bool isNegative(double x) { return toBits(x) >> 63 != 0; }
static inline double withSign(double x, double sign) {
  return fromBits((toBits(x) << 1 >> 1) | (toBits(sign) >> 63 << 63));
}

/// Nearest integer, ties to even; |x| < 2^51.
static inline double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// 2^k for a normal result.
static inline double powerOf2(int k) {
  return fromBits(uint64_t(1023 + k) << 52);
}

/// `x * 2^k` with one rounding, for |x| about 1.
static inline double scaled(double x, int k) {
  if (k > 2100)
    k = 2100;
  if (k < -2200)
    k = -2200;
  // The first factors are exact.
  for (; k > 1000; k -= 1000)
    x *= 0x1p1000;
  if (k < -1000) {
    x *= 0x1p-900;
    for (k += 900; k < -1000; k += 1000)
      x *= 0x1p-1000;
  }
  return x * powerOf2(k);
}

/// `value * 2^exponent`.
struct Scaled {
  Pair value;
  int exponent = 0;
  double round() const { return scaled(value.hi, exponent); }
};

/// exp(x) for |x| < 2000.
Scaled expOf(Pair x);
/// exp(x) - 1 for |x| < 40.
Pair expM1Of(Pair x);
/// log(x) for positive finite x, with a relative error below 2^-66, also near
/// one.
Pair logOf(Pair x);
/// log(1 + x) for x > -1.
Pair log1pOf(Pair x);

double exp(double x);
double exp2(double x);
double expM1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double sqrt(double x);
double rsqrt(double x);
double cbrt(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double erf(double x);
double erfc(double x);
double sigmoid(double x);
double silu(double x);
double gelu(double x);
double reciprocal(double x);
double pow(double x, double y);
double atan2(double y, double x);

} // namespace functions
} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_FUNCTIONPARTS_H
