//===- ErrorFunction.cpp - The error function -------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FunctionParts.h"

namespace ktir {
namespace numerics {

using namespace functions;

/// erf(x) for 0 < x < 2 with `square` = x^2.
static Pair erfOfSmall(Pair x, Pair square) {
  // exp(-x^2) times the sum of 2^n x^(2n + 1) / (1 * 3 * ... * (2n + 1)): all
  // terms are positive, so that nothing cancels.
  Pair twice = scale(square, 2.0);
  Pair term = x, sum = x;
  for (double n = 3; term.hi > 0x1p-72 * sum.hi; n += 2) {
    term = divide(multiply(term, twice), n);
    sum = add(sum, term);
  }
  Scaled power = expOf(negate(square));
  Pair result = multiply(multiply(sum, power.value), twoPerSqrtPi);
  return scale(result, powerOf2(power.exponent));
}

/// erfc(x) for 0 <= x < 40 with `square` = x^2.
static Scaled erfcOf(Pair x, Pair square) {
  if (x.hi == 0)
    return {{1, 0}};
  if (x.hi < 2)
    return {add(negate(erfOfSmall(x, square)), 1.0)};
  // exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / ...))). An
  // error at depth 8 is 2^16 times smaller at the top.
  double n = nearest(20 + 500 / square.hi);
  double deep = x.hi;
  for (; n > 8; --n)
    deep = x.hi + 0.5 * n / deep;
  Pair denominator = {deep, 0};
  for (; n > 0; --n)
    denominator = add(x, divide(Pair{0.5 * n, 0}, denominator));
  Scaled power = expOf(negate(square));
  return {divide(multiply(power.value, scale(twoPerSqrtPi, 0.5)), denominator),
          power.exponent};
}

double functions::erf(double x) {
  double m = magnitude(x);
  if (!(m < 6))
    return x != x ? nan : withSign(1.0, x);
  if (m < 0x1p-60)
    return m == 0 ? x : multiply(twoPerSqrtPi, x * 0x1p300).hi * 0x1p-300;
  Pair square = twoProduct(m, m);
  if (m < 2)
    return withSign(erfOfSmall({m, 0}, square).hi, x);
  Scaled rest = erfcOf({m, 0}, square);
  return withSign(
      add(negate(scale(rest.value, powerOf2(rest.exponent))), 1.0).hi, x);
}

double functions::erfc(double x) {
  double m = magnitude(x);
  if (!(m < 30))
    return x != x ? nan : x > 0 ? 0.0 : 2.0;
  if (m < 0x1p-60)
    return 1.0;
  Scaled value = erfcOf({m, 0}, twoProduct(m, m));
  if (!isNegative(x))
    return value.round();
  if (value.exponent < -200)
    return 2.0;
  return add(negate(scale(value.value, powerOf2(value.exponent))), 2.0).hi;
}

double functions::gelu(double x) {
  double m = magnitude(x);
  if (!(m < 50))
    // At minus infinity, as the formula has it: infinity * 0.
    return x > 0 ? x : x == -infinity || x != x ? nan : -0.0;
  if (m < 0x1p-60)
    return 0.5 * x;
  // x * erfc(-x / sqrt(2)) / 2
  Scaled tail = erfcOf(multiply(perSqrt2, m), scale(twoProduct(x, x), 0.5));
  if (isNegative(x))
    return Scaled{multiply(tail.value, 0.5 * x), tail.exponent}.round();
  if (tail.exponent < -200)
    return x;
  Pair rest = scale(tail.value, powerOf2(tail.exponent));
  return multiply(add(negate(rest), 2.0), 0.5 * x).hi;
}

} // namespace numerics
} // namespace ktir
