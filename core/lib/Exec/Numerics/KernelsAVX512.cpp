//===- KernelsAVX512.cpp - Loops for AVX-512 -----------------------------===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#define KTIR_KERNEL_SET avx512Kernels
#include "Kernels.inc"
