//===- Panels.h - Folds and products of dense panels -----------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The inner loops of reductions and matrix products, over panels: small dense
// matrices in register form, where 16-bit floats are f32. Every accumulator
// takes its terms in ascending order, one rounding per operation and nothing
// fused; speed comes from working on several accumulators at once. Hence the
// bits do not depend on the instruction set.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_NUMERICS_PANELS_H
#define KTIR_EXEC_NUMERICS_PANELS_H

#include "ktir/Exec/Numerics/BlockProgram.h"

namespace ktir {
namespace numerics {

/// Whether a program does no more than move its one input as it is, so that the
/// memory of the input serves as its result.
bool isCopy(const BlockProgram &program);

/// The type that elements of `type` have in a panel: F32 for 16-bit floats,
/// otherwise the type itself.
DType panelType(DType type);

/// Converts `n` elements of `type` from their form in memory to that in a
/// panel. `src` is aligned to its elements.
void toPanel(DType type, void *dst, const void *src, size_t n);

/// Converts back, with one rounding and the canonical NaN.
void fromPanel(DType type, void *dst, const void *src, size_t n);

/// True when `foldRows` knows the op on a panel type: AddF, MulF, MaximumF,
/// MinimumF, MaxNumF, MinNumF on floats, and AddI, MulI, AndI, OrI, XorI,
/// MinSI, MaxSI, MinUI, MaxUI on integers.
bool canFoldRows(Opcode opcode, DType type);

/// `acc[r] = op(... op(acc[r], panel[r][0]) ..., panel[r][columns - 1])` for
/// every row of a panel of type F32, F64 or an integer type.
void foldRows(Opcode opcode, DType type, void *acc, const void *panel,
              size_t rows, size_t columns);

/// Rows and columns of the tile that `multiplyTile` updates.
inline constexpr size_t kTileRows = 4;
inline constexpr size_t kTileColumns = 16;

/// `acc[r][c] += a[k][r] * b[k][c]` for k = 0 ... depth - 1 in this order, with
/// the product rounded to f32. `a` has kTileRows and `b` kTileColumns values
/// for each k; rows of `acc` are `stride` values apart, and the first `rows`
/// (at most kTileRows) of them are updated, all columns of each.
void multiplyTile(float *acc, size_t stride, const float *a, const float *b,
                  size_t depth, size_t rows);

} // namespace numerics
} // namespace ktir

#endif // KTIR_EXEC_NUMERICS_PANELS_H
