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

/// Offsets are bytes in the scratch memory of a run. Where a type is the same
/// in memory and in a register, a loop works on the memory of an input or of an
/// output itself, unless strides or alignment forbid it.
struct BlockProgram::Code {
  static constexpr int16_t none = -1;

  struct Instruction {
    Kernel kernel;
    uint32_t dst;
    uint32_t operands[3];
    /// Takes the place of the third operand if there is one.
    const void *context;
    /// The inputs that the operands are, or none.
    int16_t sources[3] = {none, none, none};
    /// The output that the result may be written to at once, or none.
    int16_t target = none;
  };
  struct Port {
    DType type;
    MoveKernel move;
    uint32_t offset;
    /// Loading the input, or storing the output, copies.
    bool isCopy = false;
    /// Of an output: an instruction may write it at once.
    bool isWritten = false;
    /// Of an output: the input that it is, or none.
    int16_t source = none;
    /// Of an input: bytes of an element in its register.
    size_t registerBytes = 0;
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
