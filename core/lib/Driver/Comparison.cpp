//===- Comparison.cpp - Where two results differ --------------------------===//

#include "Comparison.h"
#include "HostTensor.h"

#include <cstring>

namespace ktir {

void Comparison::add(uint64_t offset, const uint8_t *found, uint64_t bytes) {
  const Tensor &tensor = expected.tensor;
  const uint8_t *wanted = tensor.data.data() + offset;
  if (bytes == 0 || std::memcmp(wanted, found, bytes) == 0)
    return;
  const uint64_t size = dtypeBytes(tensor.dtype);
  for (uint64_t at = 0; at < bytes; at += size) {
    if (std::memcmp(wanted + at, found + at, size) == 0)
      continue;
    if (count++ == 0) {
      first = int64_t((offset + at) / size);
      firstFound.assign(found + at, found + at + size);
    }
  }
}

std::string Comparison::text(const std::string &expectedStage) const {
  if (count == 0)
    return {};
  const Tensor &tensor = expected.tensor;
  return "'" + expected.name + "' differs in " + std::to_string(count) +
         " of " + std::to_string(tensor.elements()) + " elements, first at " +
         coordinateText(tensor.shape, first) + ": " +
         elementText(tensor, first) + " after stage '" + expectedStage + "', " +
         elementText(Tensor{tensor.dtype, {1}, firstFound}, 0) + " here";
}

} // namespace ktir
