//===- Comparison.cpp - Where two results differ --------------------------===//

#include "Comparison.h"
#include "HostTensor.h"

#include <cstring>

namespace ktir {

std::string firstDifference(const std::vector<Output> &expected,
                            const std::string &expectedStage,
                            const std::vector<Output> &found) {
  for (size_t i = 0; i < expected.size() && i < found.size(); ++i) {
    const Tensor &want = expected[i].tensor;
    const Tensor &got = found[i].tensor;
    if (want.data == got.data)
      continue;
    const size_t size = dtypeBytes(want.dtype);
    int64_t first = -1, count = 0;
    for (int64_t element = 0; element < want.elements(); ++element)
      if (std::memcmp(&want.data[size_t(element) * size],
                      &got.data[size_t(element) * size], size) != 0) {
        if (first < 0)
          first = element;
        ++count;
      }
    return "'" + expected[i].name + "' differs in " + std::to_string(count) +
           " of " + std::to_string(want.elements()) + " elements, first at " +
           coordinateText(want.shape, first) + ": " + elementText(want, first) +
           " after stage '" + expectedStage + "', " + elementText(got, first) +
           " here";
  }
  return {};
}

} // namespace ktir
