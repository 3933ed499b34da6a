//===- Panels.cpp - Folds and products of dense panels --------------------===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/Panels.h"

#include "Kernels.h"

using namespace ktir::numerics;

DType ktir::numerics::panelType(DType type) {
  return isFloat(type) && byteSize(type) == 2 ? DType::F32 : type;
}

void ktir::numerics::toPanel(DType type, void *dst, const void *src, size_t n) {
  getKernels().selectLoad(type)(dst, src, n);
}

void ktir::numerics::fromPanel(DType type, void *dst, const void *src,
                               size_t n) {
  const KernelSet &kernels = getKernels();
  MoveKernel store = isFloat(type) ? kernels.selectStoreRounded(type)
                                   : kernels.selectStore(type);
  store(dst, src, n);
}

bool ktir::numerics::canFoldRows(Opcode opcode, DType type) {
  return getKernels().selectRows(opcode, type);
}

void ktir::numerics::foldRows(Opcode opcode, DType type, void *acc,
                              const void *panel, size_t rows, size_t columns) {
  getKernels().selectRows(opcode, type)(acc, panel, rows, columns);
}

void ktir::numerics::multiplyTile(float *acc, size_t stride, const float *a,
                                  const float *b, size_t depth, size_t rows) {
  getKernels().multiplyTile(acc, stride, a, b, depth, rows);
}
