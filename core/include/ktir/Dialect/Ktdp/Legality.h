//===- Legality.h - Rules of KTIR that span operations ----------*- C++ -*-===//

#ifndef KTIR_DIALECT_KTDP_LEGALITY_H
#define KTIR_DIALECT_KTDP_LEGALITY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SmallVector.h"

namespace ktir::ktdp {

struct LegalityOptions {
  /// Refuse operations of dialects outside of KTIR's list (§2.7), and the
  /// intrinsics of `spyreop` outside of `linalg.generic`.
  bool strict = false;
  /// Cores of the device (MF-4); 0: any number of tiles.
  int64_t maxTiles = 0;
};

/// Extents of the grid of `kernel` in order; `[1]` where none is given (MF-3).
/// Fails with a diagnostic on an attribute that is no grid (MF-2).
mlir::FailureOr<llvm::SmallVector<int64_t>>
getGrid(mlir::FunctionOpInterface kernel);

/// Checks the rules of KTIR that span several operations (MF-1 to MF-4, ID-3,
/// R2 to R14) and those that the documents recommend (`KL-` ids of
/// docs/rules.md). Reports every violation; fails if any is an error.
mlir::LogicalResult checkLegality(mlir::ModuleOp module,
                                  const LegalityOptions &options);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "ktir/Dialect/Ktdp/Passes.h.inc"

} // namespace ktir::ktdp

#endif // KTIR_DIALECT_KTDP_LEGALITY_H
