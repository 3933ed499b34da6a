//===- Exponentials.cpp - Exponentials, logarithms, roots -------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FunctionParts.h"
#include "Functions.h"

namespace ktir {
namespace numerics {

using namespace functions;

//===----------------------------------------------------------------------===//
// Exponential functions
//===----------------------------------------------------------------------===//

/// exp(r) - 1 for |r| <= 0.35, with a relative error below 2^-70.
static Pair expM1OfSmall(Pair r) {
  // 1 / 6! and on: this part of the series weighs less than 2^-17.
  double tail = 1.0 / 6402373705728000.0;
  for (double factorial : {355687428096000.0, 20922789888000.0, 1307674368000.0,
                           87178291200.0, 6227020800.0, 479001600.0, 39916800.0,
                           3628800.0, 362880.0, 40320.0, 5040.0, 720.0})
    tail = tail * r.hi + 1.0 / factorial;
  Pair sum = add(per120, multiply(r, tail));
  sum = add(per24, multiply(r, sum));
  sum = add(per6, multiply(r, sum));
  sum = add(multiply(r, sum), 0.5);
  sum = add(multiply(r, sum), 1.0);
  return multiply(r, sum);
}

Scaled functions::expOf(Pair x) {
  double k = nearest(x.hi * perLn2.hi);
  Pair r = subtract(x, multiply(ln2, k));
  return {add(expM1OfSmall(r), 1.0), int(k)};
}

Pair functions::expM1Of(Pair x) {
  if (magnitude(x.hi) < 0.34)
    return expM1OfSmall(x);
  Scaled power = expOf(x);
  return add(scale(power.value, powerOf2(power.exponent)), -1.0);
}

double functions::exp(double x) {
  if (!(magnitude(x) < 800))
    return x != x ? nan : x > 0 ? infinity : 0.0;
  return expOf({x, 0}).round();
}

double functions::exp2(double x) {
  if (!(magnitude(x) < 1100))
    return x != x ? nan : x > 0 ? infinity : 0.0;
  double k = nearest(x);
  Pair r = multiply(ln2, x - k);
  return Scaled{add(expM1OfSmall(r), 1.0), int(k)}.round();
}

double functions::expM1(double x) {
  if (magnitude(x) < 0x1p-60)
    return x;
  if (!(magnitude(x) < 40))
    return x < 0 ? -1.0 : exp(x);
  return expM1Of({x, 0}).hi;
}

/// 1 / (1 + exp(-x)) for |x| < 800, a Scaled for small ones.
static Scaled sigmoidOf(double x) {
  // The exponential is at most 1.
  Scaled power = expOf({-magnitude(x), 0});
  if (power.exponent < -200)
    return isNegative(x) ? power : Scaled{{1, 0}};
  Pair small = scale(power.value, powerOf2(power.exponent));
  Pair sum = add(small, 1.0);
  if (!isNegative(x))
    return {divide({1, 0}, sum)};
  return {divide(power.value, sum), power.exponent};
}

double functions::sigmoid(double x) {
  if (!(magnitude(x) < 800))
    return x != x ? nan : x > 0 ? 1.0 : 0.0;
  return sigmoidOf(x).round();
}

double functions::silu(double x) {
  if (!(magnitude(x) < 800))
    // At minus infinity, as the formula has it: infinity / infinity.
    return x > 0 ? x : x == -infinity || x != x ? nan : -0.0;
  if (magnitude(x) < 0x1p-60)
    return 0.5 * x;
  Scaled factor = sigmoidOf(x);
  return Scaled{multiply(factor.value, x), factor.exponent}.round();
}

double functions::tanh(double x) {
  double m = magnitude(x);
  if (m < 0x1p-60 || x != x)
    return x;
  if (m > 20)
    return withSign(1.0, x);
  Pair e = expM1Of({2 * m, 0});
  return withSign(divide(e, add(e, 2.0)).hi, x);
}

double functions::sinh(double x) {
  double m = magnitude(x);
  if (m < 0x1p-60 || x != x)
    return x;
  if (m > 800)
    return withSign(infinity, x);
  if (m >= 40) {
    Scaled power = expOf({m, 0});
    return withSign(scaled(power.value.hi, power.exponent - 1), x);
  }
  // (e + e / (e + 1)) / 2 loses nothing for small e = exp(m) - 1.
  Pair e = expM1Of({m, 0});
  return withSign(0.5 * add(e, divide(e, add(e, 1.0))).hi, x);
}

double functions::cosh(double x) {
  double m = magnitude(x);
  if (!(m < 800))
    return x != x ? nan : infinity;
  Scaled power = expOf({m, 0});
  if (m >= 40)
    return scaled(power.value.hi, power.exponent - 1);
  Pair e = scale(power.value, powerOf2(power.exponent));
  return 0.5 * add(e, divide({1, 0}, e)).hi;
}

//===----------------------------------------------------------------------===//
// Logarithms and powers
//===----------------------------------------------------------------------===//

Pair functions::logOf(Pair x) {
  int exponent = 0;
  if (x.hi < 0x1p-900) {
    x = scale(x, 0x1p200);
    exponent = -200;
  }
  // x = m * 2^k with m in [sqrt(1/2), sqrt(2)).
  uint64_t bits = toBits(x.hi) + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu);
  int k = int(bits >> 52) - 1023;
  // 2^-k in two factors, since k may be 1023.
  x = scale(scale(x, powerOf2(-k / 2)), powerOf2(-k + k / 2));
  exponent += k;
  // log(m) = 2 (s + s^3 / 3 + s^5 / 5 ...) with s = (m - 1) / (m + 1).
  Pair s = divide(add(x, -1.0), add(x, 1.0));
  Pair square = multiply(s, s);
  double tail = 1.0 / 29;
  for (double n :
       {27.0, 25.0, 23.0, 21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0})
    tail = tail * square.hi + 1.0 / n;
  Pair sum = add(fifth, multiply(square, tail));
  sum = add(third, multiply(square, sum));
  sum = add(multiply(square, sum), 1.0);
  Pair result = multiply(scale(s, 2.0), sum);
  return exponent == 0 ? result : add(multiply(ln2, double(exponent)), result);
}

Pair functions::log1pOf(Pair x) {
  if (magnitude(x.hi) < 0x1p-60)
    return x;
  return logOf(add(x, 1.0));
}

/// Whether a logarithm of x is a number; otherwise what it is.
static bool hasLog(double x, double &result) {
  if (x > 0 && x < infinity)
    return true;
  result = x == 0 ? -infinity : x > 0 ? x : nan;
  return false;
}

double functions::log(double x) {
  double result;
  return hasLog(x, result) ? logOf({x, 0}).hi : result;
}
double functions::log2(double x) {
  double result;
  return hasLog(x, result) ? multiply(logOf({x, 0}), perLn2).hi : result;
}
double functions::log10(double x) {
  double result;
  return hasLog(x, result) ? multiply(logOf({x, 0}), perLn10).hi : result;
}
double functions::log1p(double x) {
  if (!(x > -1))
    return x == -1 ? -infinity : nan;
  if (magnitude(x) < 0x1p-60 || x == infinity)
    return x;
  return x < 0x1p100 ? log1pOf({x, 0}).hi : log(x);
}

static bool isInteger(double x) {
  return magnitude(x) >= 0x1p52 || nearest(x) == x;
}
static bool isOdd(double x) {
  return magnitude(x) < 0x1p53 && isInteger(x) && !isInteger(0.5 * x);
}

double functions::pow(double x, double y) {
  if (y == 0 || x == 1)
    return 1.0;
  if (x != x || y != y)
    return nan;
  bool negative = isNegative(x) && isOdd(y);
  double m = magnitude(x);
  if (m == 0 || m == infinity) {
    double result = (m == 0) == (y < 0) ? infinity : 0.0;
    return negative ? -result : result;
  }
  if (magnitude(y) == infinity)
    return m == 1 ? 1.0 : (m > 1) == (y > 0) ? infinity : 0.0;
  if (isNegative(x) && !isInteger(y))
    return nan;
  double sign = negative ? -1.0 : 1.0;
  if (m == 1)
    return sign;
  Pair exponent = logOf({m, 0});
  // Far out of range; y itself may be too large for exact products.
  double rough = exponent.hi * y;
  if (magnitude(rough) > 1500)
    return rough > 0 ? sign * infinity : sign * 0.0;
  if (magnitude(y) < 0x1p-200)
    return sign;
  return sign * expOf(multiply(exponent, y)).round();
}

double functions::cbrt(double x) {
  if (x == 0 || !(magnitude(x) < infinity))
    return x;
  return withSign(expOf(multiply(logOf({magnitude(x), 0}), third)).round(), x);
}

double functions::sqrt(double x) { return __builtin_sqrt(x); }

double functions::rsqrt(double x) {
  if (!(x > 0 && x < infinity))
    return x == 0 ? withSign(infinity, x) : x > 0 ? 0.0 : nan;
  double factor = 1;
  if (x < 0x1p-500) {
    x *= 0x1p600;
    factor = 0x1p300;
  } else if (x > 0x1p500) {
    x *= 0x1p-600;
    factor = 0x1p-300;
  }
  return divide({1, 0}, squareRoot({x, 0})).hi * factor;
}

double functions::reciprocal(double x) { return 1.0 / x; }

double softplus(double x, double beta, double threshold) {
  double scaledX = beta * x;
  if (scaledX > threshold || x != x)
    return x;
  if (!(scaledX > -800))
    return 0.0 / beta;
  if (scaledX > 800)
    return x;
  Scaled power = expOf({scaledX, 0});
  if (power.exponent > 200)
    return x;
  // log(1 + e) is e where that is tiny.
  if (power.exponent < -200)
    return power.round() / beta;
  Pair sum = log1pOf(scale(power.value, powerOf2(power.exponent)));
  return divide(sum, {beta, 0}).hi;
}

double functions::asinh(double x) {
  double m = magnitude(x);
  if (m < 0x1p-60 || !(m < infinity))
    return x;
  if (m > 0x1p400)
    return withSign(add(logOf({m, 0}), ln2).hi, x);
  // log(1 + m + m^2 / (1 + sqrt(1 + m^2)))
  Pair square = twoProduct(m, m);
  Pair root = squareRoot(add(square, 1.0));
  return withSign(log1pOf(add(divide(square, add(root, 1.0)), m)).hi, x);
}

double functions::acosh(double x) {
  if (!(x >= 1 && x < infinity))
    return x > 1 ? x : nan;
  if (x > 0x1p400)
    return add(logOf({x, 0}), ln2).hi;
  // log(1 + t + sqrt(t (t + 2))) with t = x - 1.
  Pair t = twoSum(x, -1.0);
  if (t.hi == 0)
    return 0.0;
  return log1pOf(add(t, squareRoot(multiply(t, add(t, 2.0))))).hi;
}

double functions::atanh(double x) {
  double m = magnitude(x);
  if (!(m < 1))
    return m == 1 ? withSign(infinity, x) : nan;
  if (m < 0x1p-60)
    return x;
  // log(1 + 2 m / (1 - m)) / 2
  return withSign(0.5 * log1pOf(divide(Pair{2 * m, 0}, twoSum(1.0, -m))).hi, x);
}

} // namespace numerics
} // namespace ktir
