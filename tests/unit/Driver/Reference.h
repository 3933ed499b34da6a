//===- Reference.h - Expected values, computed on their own -----*- C++ -*-===//
//
// f16 arithmetic by its definition: the exact result, rounded once to the
// nearest multiple of the unit in the last place, ties to even. Nothing of the
// library is used.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_UNITTESTS_DRIVER_REFERENCE_H
#define KTIR_UNITTESTS_DRIVER_REFERENCE_H

#include <cmath>
#include <cstdint>
#include <limits>

namespace reference {

/// The value of an IEEE half by its fields.
inline double fromHalf(uint16_t bits) {
  const int sign = bits >> 15 ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  if (exponent == 31)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

/// `value` rounded to the nearest half, ties to even.
inline double roundHalf(double value) {
  if (value == 0 || std::isnan(value) || std::isinf(value))
    return value;
  const int exponent = std::max(std::ilogb(value), -14);
  const double unit = std::ldexp(1.0, exponent - 10);
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::fabs(rounded) > 65504
             ? std::copysign(std::numeric_limits<double>::infinity(), value)
             : rounded;
}

/// The bits of a value that is a half.
inline uint16_t toHalf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return 0x7E00;
  if (std::isinf(value))
    return sign | 0x7C00;
  if (magnitude < std::ldexp(1.0, -14))
    return sign | uint16_t(std::ldexp(magnitude, 24));
  const int exponent = std::ilogb(magnitude);
  return sign | uint16_t((exponent + 15) << 10) |
         uint16_t(std::ldexp(magnitude, 10 - exponent) - 1024);
}

// Sums, differences and products of two halves are exact in double.
inline double add(double a, double b) { return roundHalf(a + b); }
inline double subtract(double a, double b) { return roundHalf(a - b); }
inline double multiply(double a, double b) { return roundHalf(a * b); }

/// arith.maximumf and minimumf on numbers: +0 is above -0.
inline double maximum(double a, double b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline double minimum(double a, double b) {
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

} // namespace reference

#endif // KTIR_UNITTESTS_DRIVER_REFERENCE_H
