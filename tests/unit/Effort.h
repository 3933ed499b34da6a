//===- Effort.h - How long a test may take --------------------------------===//

#pragma once

#include "llvm/Support/Compiler.h"

namespace ktir::test {

/// `native` is how much a long test does: sizes of texts, numbers of seeds.
/// With the sanitizers, which slow most of it by five to ten times, it does
/// `sanitized`: they look for faults of memory, which the first rounds show
/// as well as the last, and the native build runs them all.
template <typename T> constexpr T effort(T native, T sanitized) {
  return LLVM_ADDRESS_SANITIZER_BUILD ? sanitized : native;
}

} // namespace ktir::test
