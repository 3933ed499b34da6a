//===- Generators.cpp - Reproducible tensor contents ----------------------===//

#include "Generators.h"
#include "HostTensor.h"

namespace ktir {

uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void fillNormal(Tensor &tensor, uint64_t seed, double scale) {
  const DtypeFormat &format = *dtypeFormat(tensor.dtype);
  const int64_t count = tensor.elements();
  for (int64_t i = 0; i < count; ++i) {
    // Twelve 32-bit uniforms, each centred by half a unit: the sum is an
    // integer below 2^36, so the only roundings are those by `scale` and to
    // the element type.
    int64_t sum = 6 - (int64_t(6) << 32);
    for (unsigned k = 0; k < 6; ++k) {
      uint64_t bits = randomBits(seed, uint64_t(i) * 6 + k);
      sum += int64_t(bits >> 32) + int64_t(bits & 0xFFFFFFFFu);
    }
    setElement(tensor, format, i, double(sum) * 0x1p-32 * scale);
  }
}

void fillUniform(Tensor &tensor, uint64_t seed, double low, double high) {
  const DtypeFormat &format = *dtypeFormat(tensor.dtype);
  const int64_t count = tensor.elements();
  const double width = high - low;
  for (int64_t i = 0; i < count; ++i) {
    double unit = double(randomBits(seed, uint64_t(i)) >> 11) * 0x1p-53;
    setElement(tensor, format, i, low + width * unit);
  }
}

void fillIntegers(Tensor &tensor, uint64_t seed, int64_t low, int64_t high) {
  const DtypeFormat &format = *dtypeFormat(tensor.dtype);
  const int64_t count = tensor.elements();
  const uint64_t range = uint64_t(high) - uint64_t(low);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = randomBits(seed, uint64_t(i)) >> 32;
    // range is at most 2^32, so the product fits 64 bits.
    int64_t value = int64_t(uint64_t(low) + ((bits * range) >> 32));
    setElement(tensor, format, i, value);
  }
}

} // namespace ktir
