//===- Generators.h - Reproducible tensor contents --------------*- C++ -*-===//
//
// The generators of ARGS.json. They use integers and exactly rounded double
// operations only, so every host makes the same bytes; docs/inputs.md states
// them as formulas.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_DRIVER_GENERATORS_H
#define KTIR_LIB_DRIVER_GENERATORS_H

#include "ktir/Driver/Driver.h"

namespace ktir {

/// Draw `index` of the stream `seed`: the SplitMix64 sequence, 64 bits.
uint64_t randomBits(uint64_t seed, uint64_t index);

/// Sum of twelve uniforms, mean 0, variance 1, times `scale`.
void fillNormal(Tensor &tensor, uint64_t seed, double scale);

/// Uniform in [low, high), 53 bits fine.
void fillUniform(Tensor &tensor, uint64_t seed, double low, double high);

/// Uniform integers in [low, high); `high - low` from 1 to 2^32.
void fillIntegers(Tensor &tensor, uint64_t seed, int64_t low, int64_t high);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_GENERATORS_H
