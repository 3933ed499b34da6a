//===- Passes.h - Passes from schedule IR to DataflowIR ---------*- C++ -*-===//

#ifndef KTIR_LOWER_PASSES_H
#define KTIR_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ktir {

#define GEN_PASS_DECL
#include "ktir/Lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ktir/Lower/Passes.h.inc"

} // namespace ktir

#endif // KTIR_LOWER_PASSES_H
