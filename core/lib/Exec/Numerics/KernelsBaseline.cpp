//===- KernelsBaseline.cpp - Loops for the baseline instruction set -*- C++
//-*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#define KTIR_KERNEL_SET baselineKernels
#include "Kernels.inc"
