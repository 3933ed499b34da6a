//===- Fusion.h - Elementwise ops that run as one ---------------*- C++ -*-===//
//
// Consecutive elementwise ops on tensors of one shape, with the broadcasts that
// feed them, become one block program, so that what only they use never exists
// in memory. The ops keep their own instructions: wherever someone could look
// between two of them (a single step, a trace, a finding, a limit) these run
// instead.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_FUSION_H
#define KTIR_LIB_EXEC_FUSION_H

#include "Decoder.h"
#include "Runtime.h"

namespace ktir::exec {

/// Lets chains of the elementwise ops that `decoder` has met in the current
/// routine run together.
void fuseElementwise(Decoder &decoder);

/// Handler of the first instruction of a chain: does, counts and charges what
/// all instructions of the chain do one by one.
Outcome runFused(Instance &self, const Instruction &instruction);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_FUSION_H
