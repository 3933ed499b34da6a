//===- Formats.h - Inline 16-bit float conversions -------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One element at a time, without branches, so that loops over them vectorise
// with nothing but integer operations and f32 + - *. The functions are static:
// the file is compiled once per instruction set, and the copies must not merge.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_FORMATS_H
#define KTIR_LIB_EXEC_NUMERICS_FORMATS_H

#include <cstdint>

namespace ktir {
namespace numerics {
namespace formats {

static inline uint32_t toBits(float value) {
  return __builtin_bit_cast(uint32_t, value);
}
static inline uint64_t toBits(double value) {
  return __builtin_bit_cast(uint64_t, value);
}
static inline float fromBits(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
static inline double fromBits(uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

/// Replaces every NaN by the one positive quiet NaN. Hosts differ in the sign
/// and payload of the NaNs that they make; the functions `round...` below
/// return any NaN for a NaN, and the functions `encode...` one code.
static inline float canonical(float value) {
  return value == value ? value : fromBits(uint32_t(0x7FC00000));
}
static inline double canonical(double value) {
  return value == value ? value : fromBits(uint64_t(0x7FF8000000000000));
}

//===----------------------------------------------------------------------===//
// f16
//===----------------------------------------------------------------------===//

static inline float decodeF16(uint16_t code) {
  // Sign extension leaves copies of the sign in bits 28 to 30.
  uint32_t bits = uint32_t(int32_t(int16_t(code)) * (1 << 13)) & 0x8FFFE000u;
  // The half's exponent sits in the f32 exponent field, 112 too low. Scaling is
  // exact, and normalises subnormals on the way.
  uint32_t scaled = toBits(fromBits(bits) * 0x1p112f);
  return fromBits(scaled |
                  ((bits & 0x0F800000u) == 0x0F800000u ? 0x7F800000u : 0u));
}

static inline float roundF16(float value) {
  uint32_t bits = toBits(value);
  // Adding 1.5 * 2^(e + 13) to a value of binade e leaves 11 significant bits,
  // rounded to nearest even by the adder itself. Below the normal range e stays
  // at -14, which is the spacing of subnormals; above it the limit keeps the
  // addend finite.
  float binade = fromBits(bits & 0x7F800000u);
  binade = binade > 0x1p-14f ? binade : 0x1p-14f;
  binade = binade < 0x1p16f ? binade : 0x1p16f;
  float addend = binade * 0x1.8p13f;
  float rounded = (value + addend) - addend;
  // From 65536 on, to infinity and back.
  rounded = (rounded * 0x1p112f) * 0x1p-112f;
  // The sum loses the sign of a zero.
  return fromBits(toBits(rounded) | (bits & 0x80000000u));
}

/// The code of a value that is exactly a half. NaN payloads are kept.
static inline uint16_t packF16(float value) {
  uint32_t bits = toBits(value);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t scaled = toBits(fromBits(magnitude) * 0x1p-112f);
  scaled = magnitude > 0x7F800000u ? magnitude : scaled;
  return uint16_t((scaled >> 13 & 0x7FFF) | (bits >> 16 & 0x8000));
}

/// The code of the half nearest to a value; 0x7E00 for every NaN.
static inline uint16_t encodeF16(float value) {
  uint32_t bits = toBits(value);
  float magnitude = fromBits(bits & 0x7FFFFFFFu);
  // From 2^16 on everything is infinity; so is a NaN for now.
  magnitude = magnitude < 0x1p16f ? magnitude : 0x1p16f;
  // As in `roundF16`; with no sign in the way, the low bits of the sum are the
  // significand in units of the last place. Its leading one carries into the
  // exponent, which is why that is one less.
  float binade = fromBits(toBits(magnitude) & 0x7F800000u);
  binade = binade > 0x1p-14f ? binade : 0x1p-14f;
  float addend = binade * 0x1p13f;
  uint32_t code = (toBits(magnitude + addend) - toBits(addend)) +
                  (toBits(binade) >> 13) - (113u << 10);
  uint32_t sign = bits >> 16 & 0x8000;
  code |= value == value ? sign : 0x0200u;
  return uint16_t(code);
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

static inline float decodeBF16(uint16_t code) {
  return fromBits(uint32_t(code) << 16);
}

static inline float roundBF16(float value) {
  uint32_t bits = toBits(value);
  // Half a unit less one, plus the lowest kept bit: ties go to even. A carry
  // out of the largest binade gives infinity.
  uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1)) & 0xFFFF0000u;
  return value == value ? fromBits(rounded) : value;
}

static inline uint16_t packBF16(float value) {
  return uint16_t(toBits(value) >> 16);
}

/// The code of the bf16 nearest to a value; 0x7FC0 for every NaN.
static inline uint16_t encodeBF16(float value) {
  return packBF16(canonical(roundBF16(value)));
}

//===----------------------------------------------------------------------===//
// DL16
//===----------------------------------------------------------------------===//

// f32 bits of 2^-31, which is what code 0 would be if it were not zero.
static constexpr int32_t kDL16Base = 96 << 23;
// The smallest f32 magnitude that rounds to code 1, and to the special code.
static constexpr int32_t kDL16FirstNonZero = kDL16Base + 0x2000;
static constexpr int32_t kDL16FirstSpecial =
    kDL16Base + (0x7FFF << 14) - 0x2000;

static inline float decodeDL16(uint16_t code) {
  uint32_t magnitude = code & 0x7FFF;
  uint32_t bits = (magnitude << 14) + uint32_t(kDL16Base);
  bits = magnitude == 0 ? 0u : bits;
  bits |= uint32_t(code & 0x8000) << 16;
  return fromBits(magnitude == 0x7FFF ? 0x7FC00000u : bits);
}

static inline float roundDL16(float value) {
  uint32_t bits = toBits(value);
  // Signed compares are the ones that vector units have.
  int32_t magnitude = int32_t(bits & 0x7FFFFFFFu);
  uint32_t rounded = (uint32_t(magnitude) + 0x2000u) & 0x7FFFC000u;
  rounded = magnitude < kDL16FirstNonZero ? 0u : rounded;
  rounded |= bits & 0x80000000u;
  return fromBits(magnitude >= kDL16FirstSpecial ? 0x7FC00000u : rounded);
}

/// The code of a value that is exactly a DL16 number or a NaN.
static inline uint16_t packDL16(float value) {
  uint32_t bits = toBits(value);
  int32_t magnitude = int32_t(bits & 0x7FFFFFFFu);
  int32_t code = (magnitude - kDL16Base) >> 14;
  code = magnitude == 0 ? 0 : code;
  code |= int32_t(bits >> 16 & 0x8000);
  return uint16_t(magnitude >= kDL16FirstSpecial ? 0x7FFF : code);
}

static inline uint16_t encodeDL16(float value) {
  return packDL16(roundDL16(value));
}

//===----------------------------------------------------------------------===//
// Single rounding from wider types
//===----------------------------------------------------------------------===//

/// f64 -> f32 rounded to odd: where the result is not exact, the neighbour with
/// an odd last bit. A second rounding, to a format of at most 22 bits, is then
/// the one that rounding the f64 directly would give.
static inline float roundToOdd(double value) {
  float nearest = float(value);
  double back = nearest;
  uint32_t bits = toBits(nearest);
  uint64_t magnitude = toBits(value) & 0x7FFFFFFFFFFFFFFFu;
  uint64_t backMagnitude = toBits(back) & 0x7FFFFFFFFFFFFFFFu;
  uint32_t odd = (bits - (backMagnitude > magnitude ? 1u : 0u)) | 1u;
  return value == back || value != value ? nearest : fromBits(odd);
}

/// The f64 of an integer magnitude, with what does not fit in its 53 bits kept
/// as a sticky bit.
static inline double roundToOddF64(uint64_t magnitude) {
  uint64_t sticky = (magnitude & ~uint64_t(0xFFF)) |
                    ((magnitude & 0xFFF) != 0 ? uint64_t(0x800) : 0);
  return double(magnitude >> 53 != 0 ? sticky : magnitude);
}

} // namespace formats
} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_FORMATS_H
