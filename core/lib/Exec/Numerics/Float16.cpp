//===- Float16.cpp - 16-bit float formats -----------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/Float16.h"

#include "Formats.h"

#include <cstring>

namespace ktir {
namespace numerics {

/// The code of `value` with `code` being that of a number; a NaN keeps the
/// fraction bits that the format has, of which one is set.
static uint16_t keepPayload(float value, uint16_t code, unsigned fractionBits,
                            uint32_t exponentMask) {
  uint32_t bits = formats::toBits(value);
  uint32_t fraction = (bits & 0x007FFFFFu) >> (23 - fractionBits);
  fraction |= fraction == 0 ? 1u << (fractionBits - 1) : 0u;
  uint32_t nan = (bits >> 16 & 0x8000) | exponentMask | fraction;
  return value == value ? code : uint16_t(nan);
}
static inline uint16_t encodeF16WithPayload(float value) {
  return keepPayload(value, formats::encodeF16(value), 10, 0x7C00);
}
static inline uint16_t encodeBF16WithPayload(float value) {
  return keepPayload(value, formats::encodeBF16(value), 7, 0x7F80);
}

float decodeF16(uint16_t code) { return formats::decodeF16(code); }
float roundF16(float value) {
  return formats::canonical(formats::roundF16(value));
}
uint16_t encodeF16(float value) { return encodeF16WithPayload(value); }

float decodeBF16(uint16_t code) { return formats::decodeBF16(code); }
float roundBF16(float value) {
  return formats::canonical(formats::roundBF16(value));
}
uint16_t encodeBF16(float value) { return encodeBF16WithPayload(value); }

float decodeDL16(uint16_t code) { return formats::decodeDL16(code); }
float roundDL16(float value) { return formats::roundDL16(value); }
uint16_t encodeDL16(float value) { return formats::encodeDL16(value); }

uint16_t encodeF16(double value) {
  return encodeF16WithPayload(formats::roundToOdd(value));
}
uint16_t encodeBF16(double value) {
  return encodeBF16WithPayload(formats::roundToOdd(value));
}
uint16_t encodeDL16(double value) {
  return formats::encodeDL16(formats::roundToOdd(value));
}

void decodeF16(const uint16_t *__restrict codes, float *__restrict values,
               size_t n) {
  for (size_t i = 0; i < n; ++i)
    values[i] = formats::decodeF16(codes[i]);
}
void encodeF16(const float *__restrict values, uint16_t *__restrict codes,
               size_t n) {
  for (size_t i = 0; i < n; ++i)
    codes[i] = encodeF16WithPayload(values[i]);
}

void decodeBF16(const uint16_t *__restrict codes, float *__restrict values,
                size_t n) {
  for (size_t i = 0; i < n; ++i)
    values[i] = formats::decodeBF16(codes[i]);
}
void encodeBF16(const float *__restrict values, uint16_t *__restrict codes,
                size_t n) {
  for (size_t i = 0; i < n; ++i)
    codes[i] = encodeBF16WithPayload(values[i]);
}

void decodeDL16(const uint16_t *__restrict codes, float *__restrict values,
                size_t n) {
  for (size_t i = 0; i < n; ++i)
    values[i] = formats::decodeDL16(codes[i]);
}
void encodeDL16(const float *__restrict values, uint16_t *__restrict codes,
                size_t n) {
  for (size_t i = 0; i < n; ++i)
    codes[i] = formats::encodeDL16(values[i]);
}

/// `dst[i] = convert(src[i])`, also for `dst == src`: by way of a buffer that
/// the loop is known not to overlap, so that it vectorises.
template <class F>
static void convertCodes(const uint16_t *src, uint16_t *dst, size_t n,
                         F convert) {
  constexpr size_t chunk = 512;
  uint16_t buffer[chunk];
  for (size_t base = 0; base < n; base += chunk) {
    size_t count = n - base < chunk ? n - base : chunk;
    std::memcpy(buffer, src + base, count * sizeof(uint16_t));
    for (size_t i = 0; i < count; ++i)
      dst[base + i] = convert(buffer[i]);
  }
}

void halfToDl16(const uint16_t *halves, uint16_t *codes, size_t n) {
  convertCodes(halves, codes, n, [](uint16_t half) {
    return formats::encodeDL16(formats::decodeF16(half));
  });
}
void dl16ToHalf(const uint16_t *codes, uint16_t *halves, size_t n) {
  convertCodes(codes, halves, n, [](uint16_t code) {
    return formats::encodeF16(formats::decodeDL16(code));
  });
}

} // namespace numerics
} // namespace ktir
