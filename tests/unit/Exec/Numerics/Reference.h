//===- Reference.h - Formats and rounding by their definitions -*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the formats are, written from their definitions in f64 arithmetic, which
// holds every value and every midpoint of a 16-bit format exactly. Slow, and
// nothing in common with the code under test.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_TESTS_UNIT_EXEC_NUMERICS_REFERENCE_H
#define KTIR_TESTS_UNIT_EXEC_NUMERICS_REFERENCE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace reference {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The value of a code of an IEEE interchange format with a sign bit,
/// `exponentBits` and `fractionBits`.
inline double ieeeValue(unsigned code, int exponentBits, int fractionBits) {
  int fraction = int(code & ((1u << fractionBits) - 1));
  int exponent = int(code >> fractionBits & ((1u << exponentBits) - 1));
  bool negative = code >> (fractionBits + exponentBits) & 1;
  int bias = (1 << (exponentBits - 1)) - 1;
  double magnitude;
  if (exponent == (1 << exponentBits) - 1)
    magnitude = fraction ? nan : infinity;
  else if (exponent == 0)
    magnitude = std::ldexp(double(fraction), 1 - bias - fractionBits);
  else
    magnitude = std::ldexp(double((1 << fractionBits) + fraction),
                           exponent - bias - fractionBits);
  return negative ? -magnitude : magnitude;
}
inline double f16Value(unsigned code) { return ieeeValue(code, 5, 10); }
inline double bf16Value(unsigned code) { return ieeeValue(code, 8, 7); }

/// The table of spec ktir.md 1.4.
inline double dl16Value(unsigned code) {
  int fraction = int(code & 0x1FF), exponent = int(code >> 9 & 0x3F);
  double sign = code & 0x8000 ? -1.0 : 1.0;
  if (exponent == 0 && fraction == 0)
    return sign * 0.0;
  if (exponent == 63 && fraction == 511)
    return nan;
  return sign * std::ldexp(1.0 + fraction / 512.0, exponent - 31);
}

/// The code of an IEEE format nearest to `value`, ties to even; the quiet NaN
/// without sign and payload for a NaN. Exact for any f64.
inline uint16_t ieeeCode(double value, int exponentBits, int fractionBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int infinityCode = ((1 << exponentBits) - 1) << fractionBits;
  if (std::isnan(value))
    return uint16_t(infinityCode | 1 << (fractionBits - 1));
  int sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return uint16_t(sign | infinityCode);
  int exponent = 1 - bias;
  if (magnitude > 0)
    exponent = std::max(exponent, std::ilogb(magnitude));
  // In units of the last place the value is at most 2^(fractionBits + 1).
  double units = std::ldexp(magnitude, fractionBits - exponent);
  double below = std::floor(units);
  double rest = units - below;
  int64_t count = int64_t(below);
  if (exponent > bias)
    return uint16_t(sign | infinityCode);
  if (rest > 0.5 || (rest == 0.5 && count % 2 == 1))
    ++count;
  // The leading one of a normal number counts as one more in the exponent.
  int64_t code = (int64_t(exponent + bias - 1) << fractionBits) + count;
  return uint16_t(sign | std::min<int64_t>(code, infinityCode));
}
inline uint16_t f16Code(double value) { return ieeeCode(value, 5, 10); }
inline uint16_t bf16Code(double value) { return ieeeCode(value, 8, 7); }

/// DL16 by search: the nearest point of the grid that the fields span, ties to
/// the larger magnitude. Point 0 of that grid, 2^-31, and everything below it
/// is zero; its last point is the special code.
inline uint16_t dl16Code(double value) {
  if (std::isnan(value) || std::isinf(value))
    return 0x7FFF;
  static const std::vector<double> grid = [] {
    std::vector<double> points;
    for (int code = 0; code < 0x8000; ++code)
      points.push_back(std::ldexp(1.0 + code % 512 / 512.0, code / 512 - 31));
    return points;
  }();
  double magnitude = std::fabs(value);
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  auto above = std::lower_bound(grid.begin(), grid.end(), magnitude);
  size_t code;
  if (above == grid.end())
    code = 0x7FFF;
  else if (above == grid.begin())
    code = 0;
  else
    code = size_t(above - grid.begin()) -
           (magnitude - above[-1] < above[0] - magnitude ? 1 : 0);
  return code == 0x7FFF ? 0x7FFF : uint16_t(sign | code);
}

/// A fixed sequence of pseudo-random 64-bit numbers (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t operator()() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

private:
  uint64_t state;
};

template <class To, class From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

} // namespace reference

#endif // KTIR_TESTS_UNIT_EXEC_NUMERICS_REFERENCE_H
