//===- Functions.cpp - Functions of doubles ---------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "DoubleDouble.h"
#include "Formats.h"

namespace ktir {
namespace numerics {

using namespace doubledouble;
using formats::fromBits;
using formats::toBits;

//===----------------------------------------------------------------------===//
// Constants and small helpers
//===----------------------------------------------------------------------===//

namespace {

constexpr double infinity = __builtin_inf();
constexpr double nan = __builtin_nan("");
constexpr Pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair perLn2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Pair perLn10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Pair halfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair twoPerSqrtPi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
constexpr Pair perSqrt2 = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};
constexpr Pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
constexpr Pair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
constexpr Pair per6 = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
constexpr Pair per24 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
constexpr Pair per120 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};

} // namespace

static double magnitude(double x) { return fromBits(toBits(x) << 1 >> 1); }
static bool isNegative(double x) { return toBits(x) >> 63 != 0; }
static double withSign(double x, double sign) {
  return fromBits((toBits(x) << 1 >> 1) | (toBits(sign) >> 63 << 63));
}

/// Nearest integer, ties to even; |x| < 2^51.
static double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// 2^k for a normal result.
static double powerOf2(int k) { return fromBits(uint64_t(1023 + k) << 52); }

/// `x * 2^k` with one rounding, for |x| about 1.
static double scaled(double x, int k) {
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

namespace {
/// `value * 2^exponent`.
struct Scaled {
  Pair value;
  int exponent = 0;
  double round() const { return scaled(value.hi, exponent); }
};
} // namespace

/// exp(x) for |x| < 2000.
static Scaled expOf(Pair x) {
  double k = nearest(x.hi * perLn2.hi);
  Pair r = subtract(x, multiply(ln2, k));
  return {add(expM1OfSmall(r), 1.0), int(k)};
}

/// exp(x) - 1 for |x| < 40.
static Pair expM1Of(Pair x) {
  if (magnitude(x.hi) < 0.34)
    return expM1OfSmall(x);
  Scaled power = expOf(x);
  return add(scale(power.value, powerOf2(power.exponent)), -1.0);
}

static double exp(double x) {
  if (!(magnitude(x) < 800))
    return x != x ? nan : x > 0 ? infinity : 0.0;
  return expOf({x, 0}).round();
}

static double exp2(double x) {
  if (!(magnitude(x) < 1100))
    return x != x ? nan : x > 0 ? infinity : 0.0;
  double k = nearest(x);
  Pair r = multiply(ln2, x - k);
  return Scaled{add(expM1OfSmall(r), 1.0), int(k)}.round();
}

static double expM1(double x) {
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

static double sigmoid(double x) {
  if (!(magnitude(x) < 800))
    return x != x ? nan : x > 0 ? 1.0 : 0.0;
  return sigmoidOf(x).round();
}

static double silu(double x) {
  if (!(magnitude(x) < 800))
    // At minus infinity, as the formula has it: infinity / infinity.
    return x > 0 ? x : x == -infinity || x != x ? nan : -0.0;
  if (magnitude(x) < 0x1p-60)
    return 0.5 * x;
  Scaled factor = sigmoidOf(x);
  return Scaled{multiply(factor.value, x), factor.exponent}.round();
}

static double tanh(double x) {
  double m = magnitude(x);
  if (m < 0x1p-60 || x != x)
    return x;
  if (m > 20)
    return withSign(1.0, x);
  Pair e = expM1Of({2 * m, 0});
  return withSign(divide(e, add(e, 2.0)).hi, x);
}

static double sinh(double x) {
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

static double cosh(double x) {
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

/// log(x) for positive finite x, with a relative error below 2^-66, also near
/// one.
static Pair logOf(Pair x) {
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

/// log(1 + x) for x > -1.
static Pair log1pOf(Pair x) {
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

static double log(double x) {
  double result;
  return hasLog(x, result) ? logOf({x, 0}).hi : result;
}
static double log2(double x) {
  double result;
  return hasLog(x, result) ? multiply(logOf({x, 0}), perLn2).hi : result;
}
static double log10(double x) {
  double result;
  return hasLog(x, result) ? multiply(logOf({x, 0}), perLn10).hi : result;
}
static double log1p(double x) {
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

static double pow(double x, double y) {
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

static double cbrt(double x) {
  if (x == 0 || !(magnitude(x) < infinity))
    return x;
  return withSign(expOf(multiply(logOf({magnitude(x), 0}), third)).round(), x);
}

static double sqrt(double x) { return __builtin_sqrt(x); }

static double rsqrt(double x) {
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

static double reciprocal(double x) { return 1.0 / x; }

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

static double asinh(double x) {
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

static double acosh(double x) {
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

static double atanh(double x) {
  double m = magnitude(x);
  if (!(m < 1))
    return m == 1 ? withSign(infinity, x) : nan;
  if (m < 0x1p-60)
    return x;
  // log(1 + 2 m / (1 - m)) / 2
  return withSign(0.5 * log1pOf(divide(Pair{2 * m, 0}, twoSum(1.0, -m))).hi, x);
}

//===----------------------------------------------------------------------===//
// Trigonometric functions
//===----------------------------------------------------------------------===//

/// The binary digits of 2 / pi after the point.
static constexpr uint64_t twoPerPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab, 0xf0cfbc209af4361d};

namespace {
/// An angle `quadrant * pi / 2 + rest` with |rest| <= pi / 4.
struct Angle {
  unsigned quadrant;
  Pair rest;
};
} // namespace

/// Takes multiples of pi / 2 off a finite x >= 0 of any size.
static Angle reduceAngle(double x) {
  if (x < 0.785)
    return {0, {x, 0}};
  // x = mantissa * 2^exponent. Digits of 2 / pi whose product with that is a
  // multiple of four do not matter, and 192 digits after them are enough: no
  // double is nearer to a multiple of pi / 2 than 2^-61 of a quadrant.
  uint64_t bits = toBits(x);
  uint64_t mantissa = (bits & 0x000FFFFFFFFFFFFFu) | 0x0010000000000000u;
  int exponent = int(bits >> 52) - 1075;
  int skip = exponent > 2 ? exponent - 2 : 0;
  unsigned word = unsigned(skip) / 64, shift = unsigned(skip) % 64;
  uint64_t digits[3];
  for (unsigned i = 0; i < 3; ++i)
    digits[i] = twoPerPi[word + i] << shift |
                (shift ? twoPerPi[word + i + 1] >> (64 - shift) : 0);
  // product[0] is its highest word.
  uint64_t product[4] = {0, 0, 0, 0};
  uint64_t carry = 0;
  for (unsigned i = 3; i-- > 0;) {
    unsigned __int128 part = (unsigned __int128)digits[i] * mantissa + carry;
    product[i + 1] = uint64_t(part);
    carry = uint64_t(part >> 64);
  }
  product[0] = carry;
  // The digits' last one stands for 2^-(skip + 192): this many of the product
  // are below the point. Move the point to just below the top two bits.
  int fractionBits = skip + 192 - exponent;
  unsigned left = unsigned(254 - fractionBits);
  for (; left >= 64; left -= 64) {
    product[0] = product[1];
    product[1] = product[2];
    product[2] = product[3];
    product[3] = 0;
  }
  auto bitsFrom = [&](unsigned position) {
    unsigned i = position / 64, offset = position % 64;
    uint64_t low = i + 1 < 4 ? product[i + 1] : 0;
    return offset ? product[i] << offset | low >> (64 - offset) : product[i];
  };
  unsigned quadrant = unsigned(bitsFrom(left) >> 62);
  unsigned __int128 fraction =
      (unsigned __int128)bitsFrom(left + 2) << 64 | bitsFrom(left + 66);
  bool negative = fraction >> 127 != 0;
  if (negative) {
    fraction = -fraction;
    ++quadrant;
  }
  Pair value = twoSum(
      double(uint64_t(fraction >> 78)) * 0x1p-50,
      double(uint64_t(fraction >> 28) & ((uint64_t(1) << 50) - 1)) * 0x1p-100);
  value = add(value, double(uint64_t(fraction) & 0xFFFFFFF) * 0x1p-128);
  Pair rest = multiply(halfPi, value);
  return {quadrant & 3, negative ? negate(rest) : rest};
}

/// sin(r) for |r| <= 0.79.
static Pair sinOfSmall(Pair r) {
  Pair square = multiply(r, r);
  double tail = 1.0 / 51090942171709440000.0;
  for (double factorial :
       {-121645100408832000.0, 355687428096000.0, -1307674368000.0,
        6227020800.0, -39916800.0, 362880.0, -5040.0})
    tail = tail * square.hi + 1.0 / factorial;
  Pair sum = add(per120, multiply(square, tail));
  sum = add(negate(per6), multiply(square, sum));
  sum = add(multiply(square, sum), 1.0);
  return multiply(r, sum);
}

/// cos(r) for |r| <= 0.79.
static Pair cosOfSmall(Pair r) {
  Pair square = multiply(r, r);
  double tail = 1.0 / 2432902008176640000.0;
  for (double factorial :
       {-6402373705728000.0, 20922789888000.0, -87178291200.0, 479001600.0,
        -3628800.0, 40320.0, -720.0})
    tail = tail * square.hi + 1.0 / factorial;
  Pair sum = add(per24, multiply(square, tail));
  sum = add(multiply(square, sum), -0.5);
  return add(multiply(square, sum), 1.0);
}

static double sin(double x) {
  if (!(magnitude(x) < infinity))
    return nan;
  if (magnitude(x) < 0x1p-60)
    return x;
  Angle angle = reduceAngle(magnitude(x));
  Pair value =
      angle.quadrant & 1 ? cosOfSmall(angle.rest) : sinOfSmall(angle.rest);
  return (angle.quadrant & 2) != 0 != isNegative(x) ? -value.hi : value.hi;
}

static double cos(double x) {
  if (!(magnitude(x) < infinity))
    return nan;
  Angle angle = reduceAngle(magnitude(x));
  Pair value =
      angle.quadrant & 1 ? sinOfSmall(angle.rest) : cosOfSmall(angle.rest);
  return angle.quadrant == 1 || angle.quadrant == 2 ? -value.hi : value.hi;
}

static double tan(double x) {
  if (!(magnitude(x) < infinity))
    return nan;
  if (magnitude(x) < 0x1p-60)
    return x;
  Angle angle = reduceAngle(magnitude(x));
  Pair sine = sinOfSmall(angle.rest), cosine = cosOfSmall(angle.rest);
  Pair value =
      angle.quadrant & 1 ? negate(divide(cosine, sine)) : divide(sine, cosine);
  return isNegative(x) ? -value.hi : value.hi;
}

/// The angle of the point (x, y) with 0 <= y <= x, x > 0.
static Pair angleOf(Pair y, Pair x) {
  // A rough angle first; the point turned back by it is nearly on the axis.
  double slope = y.hi / x.hi;
  double rough = slope * (0.7854 + 0.273 * (1.0 - slope));
  Pair sine = sinOfSmall({rough, 0}), cosine = cosOfSmall({rough, 0});
  Pair rest = divide(subtract(multiply(y, cosine), multiply(x, sine)),
                     add(multiply(x, cosine), multiply(y, sine)));
  double square = rest.hi * rest.hi;
  double tail = -1.0 / 11;
  for (double n : {9.0, -7.0, 5.0, -3.0})
    tail = tail * square + 1.0 / n;
  rest = add(rest, rest.hi * square * tail);
  return add(rest, rough);
}

/// The angle of any point but the origin, in (-pi, pi].
static Pair anyAngleOf(Pair y, Pair x) {
  bool below = isNegative(y.hi), left = isNegative(x.hi);
  y = below ? negate(y) : y;
  x = left ? negate(x) : x;
  bool steep = y.hi > x.hi;
  Pair angle = steep ? subtract(halfPi, angleOf(x, y)) : angleOf(y, x);
  angle = left ? subtract(pi, angle) : angle;
  return below ? negate(angle) : angle;
}

static double atan2(double y, double x) {
  if (x != x || y != y)
    return nan;
  double my = magnitude(y), mx = magnitude(x);
  if (my == infinity && mx == infinity)
    return withSign(
        isNegative(x) ? 3 * 0x1.921fb54442d18p-1 : 0x1.921fb54442d18p-1, y);
  if (my == 0 || mx == infinity)
    return isNegative(x) ? withSign(pi.hi, y) : withSign(0.0, y);
  if (mx == 0 || my == infinity)
    return withSign(halfPi.hi, y);
  // Near one, so that products stay in range.
  int exponent = int(toBits(my > mx ? my : mx) >> 52) - 1023;
  exponent = exponent < -1022 ? -1022 : exponent;
  double first = powerOf2(-exponent / 2);
  double second = powerOf2(-exponent + exponent / 2);
  double scaledY = y * first * second, scaledX = x * first * second;
  if (magnitude(scaledY) < 0x1p-200 * magnitude(scaledX) && x > 0)
    return y / x;
  // What is that much smaller may count as nothing.
  return anyAngleOf({scaledY, 0}, {scaledX, 0}).hi;
}

static double atan(double x) {
  if (magnitude(x) < 0x1p-60)
    return x;
  return atan2(x, 1.0);
}

/// sqrt(1 - x^2) for |x| < 1.
static Pair otherLeg(double x) {
  return squareRoot(multiply(twoSum(1.0, -x), twoSum(1.0, x)));
}

static double asin(double x) {
  if (magnitude(x) < 0x1p-60)
    return x;
  if (!(magnitude(x) < 1))
    return magnitude(x) == 1 ? withSign(halfPi.hi, x) : nan;
  return anyAngleOf({x, 0}, otherLeg(x)).hi;
}

static double acos(double x) {
  if (!(magnitude(x) < 1))
    return x == 1 ? 0.0 : x == -1 ? pi.hi : nan;
  if (magnitude(x) < 0x1p-60)
    return halfPi.hi;
  return anyAngleOf(otherLeg(x), {x, 0}).hi;
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

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

static double erf(double x) {
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

static double erfc(double x) {
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

static double gelu(double x) {
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

//===----------------------------------------------------------------------===//
// By opcode
//===----------------------------------------------------------------------===//

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
