//===- Context.h - The MLIR context of the process --------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_CONTEXT_H
#define KTIR_LIB_DRIVER_CONTEXT_H

#include "mlir/IR/MLIRContext.h"

namespace ktir {

/// The one context of the process: single-threaded, every dialect loaded.
/// Programs and locations that outlive a compilation stay valid because it is
/// never destroyed.
mlir::MLIRContext &processContext();

} // namespace ktir

#endif // KTIR_LIB_DRIVER_CONTEXT_H
