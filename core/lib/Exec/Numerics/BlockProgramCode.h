//===- BlockProgramCode.h - The form of a program ---------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_NUMERICS_BLOCKPROGRAMCODE_H
#define KTIR_LIB_EXEC_NUMERICS_BLOCKPROGRAMCODE_H

#include "Functions.h"
#include "Kernels.h"

namespace ktir {
namespace numerics {

/// Offsets are bytes in the scratch memory of a run.
struct BlockProgram::Code {
  struct Instruction {
    Kernel kernel;
    uint32_t dst;
    uint32_t operands[3];
    /// Takes the place of the third operand if there is one.
    const void *context;
  };
  struct Port {
    DType type;
    MoveKernel move;
    uint32_t offset;
  };
  struct Constant {
    DType type;
    MoveKernel load;
    uint32_t offset;
    uint64_t bits;
  };

  std::vector<Port> inputs, outputs;
  std::vector<Constant> constants;
  std::vector<Instruction> instructions;
  /// The tables that contexts point into, but for those of the process.
  std::vector<std::shared_ptr<const Table>> tables;
  size_t scratchBytes = 0;
};

} // namespace numerics
} // namespace ktir

#endif // KTIR_LIB_EXEC_NUMERICS_BLOCKPROGRAMCODE_H
