//===- Kernels.h - Loops over registers ------------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The loops that a block program is made of. They are compiled once for the
// baseline instruction set and, on x86-64, once more for AVX2 and for AVX-512;
// all give the same bits, since every loop is made of exactly rounded single
// operations.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_KERNELS_H
#define KTIR_LIB_EXEC_NUMERICS_KERNELS_H

#include "ktir/Exec/Numerics/BlockProgram.h"
#include "ktir/Exec/Numerics/Panels.h"

#include <vector>

namespace ktir {
namespace numerics {

/// `dst[i] = op(a[i], b[i], c[i])` over registers; operands that the op does
/// not have are ignored; the loop of an op with a context (`getContext`) takes
/// that for `c`. `dst` overlaps no operand. Returns whether an element
/// divided by zero.
using Kernel = bool (*)(void *dst, const void *a, const void *b, const void *c,
                        size_t n);

/// Memory form to register form (`dst` a register) or back (`dst` memory).
/// Memory is aligned to its elements; no overlap.
using MoveKernel = void (*)(void *dst, const void *src, size_t n);

/// See `foldRows` and `multiplyTile` of Panels.h.
using RowKernel = void (*)(void *acc, const void *panel, size_t rows,
                           size_t columns);
using TileKernel = void (*)(float *acc, size_t stride, const float *a,
                            const float *b, size_t depth, size_t rows);

/// Floats in registers: the NaNs that arithmetic makes are any NaNs, since
/// making them canonical after every op would cost as much as rounding. It
/// happens where the bits of a NaN show, by `selectCanonical` and
/// `selectStoreRounded`.
struct KernelSet {
  /// The loop of an op, or null where the op is not defined on the types.
  /// Integer to float conversions exist from I32 and I64 only.
  Kernel (*select)(Opcode opcode, uint8_t predicate, DType operand,
                   DType result);
  /// The loop of an f32 op all of whose NaNs are the canonical one, or null
  /// where there is none: what is only stored then needs no further pass.
  Kernel (*selectDefined)(Opcode opcode);
  /// A copy that makes every NaN the canonical one; float types only.
  Kernel (*selectCanonical)(DType type);
  MoveKernel (*selectLoad)(DType type);
  /// Stores values of the type as they are.
  MoveKernel (*selectStore)(DType type);
  /// Rounds to the type, which leaves values of the type alone, and stores,
  /// with canonical NaNs; float types only.
  MoveKernel (*selectStoreRounded)(DType type);
  /// The fold of an op over rows, or null where there is none.
  RowKernel (*selectRows)(Opcode opcode, DType type);
  TileKernel multiplyTile;
};

/// Bytes of one element in a register: 16-bit floats are held as f32.
size_t registerSize(DType type);

extern const KernelSet baselineKernels;
#ifdef KTIR_KERNELS_X86
extern const KernelSet avx2Kernels, avx512Kernels;
#endif

/// The sets that the host runs, the widest last.
const std::vector<const KernelSet *> &getKernelSets();
/// The one in use: the widest, unless `useBaselineKernels` was called.
const KernelSet &getKernels();

} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_KERNELS_H
