//===- Generators.cpp - Reproducible tensor contents ----------------------===//

#include "Generators.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ktir {

uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Generator equalElements(const uint8_t *element, unsigned bytes) {
  std::array<uint8_t, 8> copy = {};
  std::memcpy(copy.data(), element, bytes);
  return [copy, bytes](uint64_t, uint64_t count, uint8_t *into) {
    if (!count)
      return;
    std::memcpy(into, copy.data(), bytes);
    const uint64_t total = count * bytes;
    for (uint64_t done = bytes; done < total; done *= 2)
      std::memcpy(into + done, into, std::min(done, total - done));
  };
}

Generator normalElements(const DtypeFormat &format, uint64_t seed,
                         double scale) {
  return [&format, seed, scale](uint64_t first, uint64_t count, uint8_t *into) {
    for (uint64_t i = first; i < first + count; ++i) {
      // Twelve 32-bit uniforms, each centred by half a unit: the sum is an
      // integer below 2^36, so the only roundings are those by `scale` and to
      // the element type.
      int64_t sum = 6 - (int64_t(6) << 32);
      for (unsigned k = 0; k < 6; ++k) {
        uint64_t bits = randomBits(seed, i * 6 + k);
        sum += int64_t(bits >> 32) + int64_t(bits & 0xFFFFFFFFu);
      }
      storeElement(into, format, double(sum) * 0x1p-32 * scale);
      into += format.bytes;
    }
  };
}

Generator uniformElements(const DtypeFormat &format, uint64_t seed, double low,
                          double high) {
  const double width = high - low;
  return [&format, seed, low, width](uint64_t first, uint64_t count,
                                     uint8_t *into) {
    for (uint64_t i = first; i < first + count; ++i) {
      double unit = double(randomBits(seed, i) >> 11) * 0x1p-53;
      storeElement(into, format, low + width * unit);
      into += format.bytes;
    }
  };
}

Generator integerElements(const DtypeFormat &format, uint64_t seed, int64_t low,
                          int64_t high) {
  const uint64_t range = uint64_t(high) - uint64_t(low);
  return [&format, seed, low, range](uint64_t first, uint64_t count,
                                     uint8_t *into) {
    for (uint64_t i = first; i < first + count; ++i) {
      uint64_t bits = randomBits(seed, i) >> 32;
      // range is at most 2^32, so the product fits 64 bits.
      int64_t value = int64_t(uint64_t(low) + ((bits * range) >> 32));
      storeElement(into, format, value);
      into += format.bytes;
    }
  };
}

void generateBytes(const Generator &generator, unsigned elementBytes,
                   uint64_t offset, uint64_t count, uint8_t *into) {
  // Some bytes of one element, from its byte `skip` on.
  auto addPart = [&](uint64_t skip) {
    std::array<uint8_t, 8> element;
    generator(offset / elementBytes, 1, element.data());
    const uint64_t n = std::min<uint64_t>(count, elementBytes - skip);
    std::memcpy(into, element.data() + skip, n);
    offset += n;
    count -= n;
    into += n;
  };
  if (count && offset % elementBytes)
    addPart(offset % elementBytes);
  const uint64_t whole = count / elementBytes;
  generator(offset / elementBytes, whole, into);
  offset += whole * elementBytes;
  into += whole * elementBytes;
  count -= whole * elementBytes;
  if (count)
    addPart(0);
}

} // namespace ktir
