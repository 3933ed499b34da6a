//===- Generators.h - Reproducible tensor contents --------------*- C++ -*-===//
//
// The generators of ARGS.json. They use integers and exactly rounded double
// operations only, so every host makes the same bytes; docs/inputs.md states
// them as formulas.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_DRIVER_GENERATORS_H
#define KTIR_LIB_DRIVER_GENERATORS_H

#include "HostTensor.h"

#include <functional>

namespace ktir {

/// Puts elements `first .. first + count - 1` of a tensor `into` memory. Gives
/// the same whenever it is asked.
using Generator =
    std::function<void(uint64_t first, uint64_t count, uint8_t *into)>;

/// Draw `index` of the stream `seed`: the SplitMix64 sequence, 64 bits.
uint64_t randomBits(uint64_t seed, uint64_t index);

/// The element of `bytes` bytes at `element`, again and again.
Generator equalElements(const uint8_t *element, unsigned bytes);

/// Sums of twelve uniforms, mean 0, variance 1, times `scale`.
Generator normalElements(const DtypeFormat &format, uint64_t seed,
                         double scale);

/// Uniform in [low, high), 53 bits fine.
Generator uniformElements(const DtypeFormat &format, uint64_t seed, double low,
                          double high);

/// Uniform integers in [low, high); `high - low` from 1 to 2^32.
Generator integerElements(const DtypeFormat &format, uint64_t seed, int64_t low,
                          int64_t high);

/// Bytes `offset .. offset + count - 1` of elements of `elementBytes` bytes,
/// which may begin and end within an element.
void generateBytes(const Generator &generator, unsigned elementBytes,
                   uint64_t offset, uint64_t count, uint8_t *into);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_GENERATORS_H
