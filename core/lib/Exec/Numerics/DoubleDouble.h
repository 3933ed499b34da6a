//===- DoubleDouble.h - Sums of two doubles --------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A value held as the unevaluated sum of two doubles has about 106 significant
// bits. The operations are the classic error-free transformations (Dekker,
// Knuth) on IEEE doubles, without a fused multiply-add, so that they give the
// same bits on every host. Relative errors are a few units of 2^-104 while
// nothing overflows (operands below 2^990) or leaves the normal range.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_DOUBLEDOUBLE_H
#define KTIR_LIB_EXEC_NUMERICS_DOUBLEDOUBLE_H

namespace ktir {
namespace numerics {
namespace doubledouble {

/// `hi + lo`, where `hi` is the double nearest to the sum.
struct Pair {
  double hi = 0, lo = 0;
};

/// a + b exactly; |a| >= |b| or a == 0.
static inline Pair quickTwoSum(double a, double b) {
  double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
static inline Pair twoSum(double a, double b) {
  double sum = a + b;
  double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a * b exactly.
static inline Pair twoProduct(double a, double b) {
  // Halves of 26 bits, whose products are exact.
  double wideA = a * 134217729.0, wideB = b * 134217729.0;
  double highA = wideA - (wideA - a), highB = wideB - (wideB - b);
  double lowA = a - highA, lowB = b - highB;
  double product = a * b;
  double error =
      ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB;
  return {product, error};
}

static inline Pair add(Pair a, Pair b) {
  Pair high = twoSum(a.hi, b.hi), low = twoSum(a.lo, b.lo);
  high = quickTwoSum(high.hi, high.lo + low.hi);
  return quickTwoSum(high.hi, high.lo + low.lo);
}
static inline Pair add(Pair a, double b) {
  Pair high = twoSum(a.hi, b);
  return quickTwoSum(high.hi, high.lo + a.lo);
}
static inline Pair negate(Pair a) { return {-a.hi, -a.lo}; }
static inline Pair subtract(Pair a, Pair b) { return add(a, negate(b)); }

static inline Pair multiply(Pair a, Pair b) {
  Pair product = twoProduct(a.hi, b.hi);
  return quickTwoSum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline Pair multiply(Pair a, double b) {
  Pair product = twoProduct(a.hi, b);
  return quickTwoSum(product.hi, product.lo + a.lo * b);
}

static inline Pair divide(Pair a, Pair b) {
  double first = a.hi / b.hi;
  Pair rest = subtract(a, multiply(b, first));
  double second = rest.hi / b.hi;
  rest = subtract(rest, multiply(b, second));
  return add(quickTwoSum(first, second), rest.hi / b.hi);
}

static inline Pair divide(Pair a, double b) {
  double first = a.hi / b;
  Pair product = twoProduct(first, b);
  double second = (((a.hi - product.hi) - product.lo) + a.lo) / b;
  return quickTwoSum(first, second);
}

/// The square root of a positive number.
static inline Pair squareRoot(Pair a) {
  double root = __builtin_sqrt(a.hi);
  Pair rest = subtract(a, twoProduct(root, root));
  return quickTwoSum(root, rest.hi / (2 * root));
}

/// The product with a power of two, which is exact.
static inline Pair scale(Pair a, double power) {
  return {a.hi * power, a.lo * power};
}

} // namespace doubledouble
} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_DOUBLEDOUBLE_H
