//===- KernelsAVX2.cpp - Loops for x86-64 with AVX2 -*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#define KTIR_KERNEL_SET avx2Kernels
#include "Kernels.inc"
