//===- Trigonometry.cpp - Trigonometric functions ---------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FunctionParts.h"

#include <initializer_list>

namespace ktir {
namespace numerics {

using namespace functions;

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

double functions::sin(double x) {
  if (!(magnitude(x) < infinity))
    return nan;
  if (magnitude(x) < 0x1p-60)
    return x;
  Angle angle = reduceAngle(magnitude(x));
  Pair value =
      angle.quadrant & 1 ? cosOfSmall(angle.rest) : sinOfSmall(angle.rest);
  return (angle.quadrant & 2) != 0 != isNegative(x) ? -value.hi : value.hi;
}

double functions::cos(double x) {
  if (!(magnitude(x) < infinity))
    return nan;
  Angle angle = reduceAngle(magnitude(x));
  Pair value =
      angle.quadrant & 1 ? sinOfSmall(angle.rest) : cosOfSmall(angle.rest);
  return angle.quadrant == 1 || angle.quadrant == 2 ? -value.hi : value.hi;
}

double functions::tan(double x) {
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

double functions::atan2(double y, double x) {
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

double functions::atan(double x) {
  if (magnitude(x) < 0x1p-60)
    return x;
  return atan2(x, 1.0);
}

/// sqrt(1 - x^2) for |x| < 1.
static Pair otherLeg(double x) {
  return squareRoot(multiply(twoSum(1.0, -x), twoSum(1.0, x)));
}

double functions::asin(double x) {
  if (magnitude(x) < 0x1p-60)
    return x;
  if (!(magnitude(x) < 1))
    return magnitude(x) == 1 ? withSign(halfPi.hi, x) : nan;
  return anyAngleOf({x, 0}, otherLeg(x)).hi;
}

double functions::acos(double x) {
  if (!(magnitude(x) < 1))
    return x == 1 ? 0.0 : x == -1 ? pi.hi : nan;
  if (magnitude(x) < 0x1p-60)
    return halfPi.hi;
  return anyAngleOf(otherLeg(x), {x, 0}).hi;
}

} // namespace numerics
} // namespace ktir
