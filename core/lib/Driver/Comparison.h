//===- Comparison.h - Where two results differ ------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_COMPARISON_H
#define KTIR_LIB_DRIVER_COMPARISON_H

#include "ktir/Driver/Driver.h"

namespace ktir {

/// Compares a tensor, piece by piece, with what a reference left.
class Comparison {
public:
  /// `expected` must outlive the comparison.
  explicit Comparison(const Output &expected) : expected(expected) {}

  /// Compares `count` bytes, whole elements from byte `offset` on.
  void add(uint64_t offset, const uint8_t *found, uint64_t count);

  /// How many elements differ, where the first of them is and what both are;
  /// empty when all bytes agree. `expectedStage` is what the reference ran.
  std::string text(const std::string &expectedStage) const;

private:
  const Output &expected;
  int64_t first = 0, count = 0;
  std::vector<uint8_t> firstFound;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_COMPARISON_H
