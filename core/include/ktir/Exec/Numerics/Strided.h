//===- Strided.h - Copies between places with strides -----------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_NUMERICS_STRIDED_H
#define KTIR_EXEC_NUMERICS_STRIDED_H

#include <cstddef>

namespace ktir {
namespace numerics {

/// Copies `n` pieces of `size` bytes, the sizes of elements fastest, between
/// places that do not overlap; strides are in bytes.
void copyStrided(size_t size, std::byte *dst, std::ptrdiff_t dstStride,
                 const std::byte *src, std::ptrdiff_t srcStride, size_t n);

} // namespace numerics
} // namespace ktir

#endif // KTIR_EXEC_NUMERICS_STRIDED_H
