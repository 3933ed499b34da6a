//===- Passes.h - Passes from KTIR to schedule IR ---------------*- C++ -*-===//

#ifndef KTIR_SCHEDULE_PASSES_H
#define KTIR_SCHEDULE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ktir {

#define GEN_PASS_DECL
#include "ktir/Schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ktir/Schedule/Passes.h.inc"

} // namespace ktir

#endif // KTIR_SCHEDULE_PASSES_H
