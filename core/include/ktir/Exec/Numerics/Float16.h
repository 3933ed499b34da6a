//===- Float16.h - 16-bit float formats ------------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Conversions between f32 and the three 16-bit formats: IEEE half (f16), bf16,
// and DL16 (df16; spec ktir.md 1.4). Integer and f32 arithmetic only, so every
// host gives the same bits; no hardware conversion instruction is used.
//
// Three operations per format:
//   decode   16-bit code -> f32, exact.
//   round    f32 -> the nearest value of the format, as f32.
//   encode   f32 -> code, including the rounding.
// f16 and bf16 round to nearest even. DL16 rounds to nearest, ties away from
// zero, has no subnormals and no infinity: overflow, infinities and NaN become
// its one special code 0x7FFF, which decodes to a NaN.
//
// `round` turns every NaN into 0x7FC00000. `decode` of f16 and bf16 keeps NaN
// payloads, and `encode` keeps the payload bits that fit, so that decode and
// encode are inverse on every code but the negative special of DL16 (0xFFFF
// comes back as 0x7FFF).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_NUMERICS_FLOAT16_H
#define KTIR_EXEC_NUMERICS_FLOAT16_H

#include <cstddef>
#include <cstdint>

namespace ktir {
namespace numerics {

float decodeF16(uint16_t code);
float roundF16(float value);
uint16_t encodeF16(float value);

float decodeBF16(uint16_t code);
float roundBF16(float value);
uint16_t encodeBF16(float value);

float decodeDL16(uint16_t code);
float roundDL16(float value);
uint16_t encodeDL16(float value);

/// f64 -> code with a single rounding.
uint16_t encodeF16(double value);
uint16_t encodeBF16(double value);
uint16_t encodeDL16(double value);

/// Block forms over `n` elements. Source and destination do not overlap.
void decodeF16(const uint16_t *codes, float *values, size_t n);
void encodeF16(const float *values, uint16_t *codes, size_t n);
void decodeBF16(const uint16_t *codes, float *values, size_t n);
void encodeBF16(const float *values, uint16_t *codes, size_t n);
void decodeDL16(const uint16_t *codes, float *values, size_t n);
void encodeDL16(const float *values, uint16_t *codes, size_t n);

/// What a copy from host to device does to f16 data in mode `device`: IEEE half
/// -> DL16. Source and destination may be the same array.
void halfToDl16(const uint16_t *halves, uint16_t *codes, size_t n);
/// The way back: DL16 -> IEEE half, to nearest even; the special code becomes
/// the NaN 0x7E00, and magnitudes from 65520 infinity.
void dl16ToHalf(const uint16_t *codes, uint16_t *halves, size_t n);

} // namespace numerics
} // namespace ktir

#endif // KTIR_EXEC_NUMERICS_FLOAT16_H
