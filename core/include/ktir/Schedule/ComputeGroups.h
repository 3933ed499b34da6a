//===- ComputeGroups.h - Stores and what they are computed from -*- C++ -*-===//
//
// The partition of a kernel into compute groups, each of which becomes one
// program.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SCHEDULE_COMPUTEGROUPS_H
#define KTIR_SCHEDULE_COMPUTEGROUPS_H

#include "ktir/Schedule/TileAccess.h"

#include <vector>

namespace ktir {

/// A set of stores with everything they are computed from. All accesses and
/// tensors of a group have the same extents.
struct ComputeGroup {
  /// In text order.
  std::vector<TileAccess> loads;
  std::vector<TileAccess> stores;
  /// The elementwise operations between them, in text order.
  llvm::SmallVector<mlir::Operation *> compute;
  /// A store may touch what another access of the group touches at another
  /// place, so everything must be loaded before anything is stored.
  bool wholeTile = false;
};

/// Whether `op` is an elementwise operation on tensors that a compute group
/// may hold, judged by its name and traits alone.
bool isElementwiseCompute(mlir::Operation *op);

/// The tensors that `op`, for which `isElementwiseCompute` holds, reads.
llvm::SmallVector<mlir::Value> getElementwiseInputs(mlir::Operation *op);

/// Checks the body of `func` against what the scheduler takes and splits it
/// into groups, in the order in which they have to run. The first construct
/// outside of that is reported at its operation.
mlir::FailureOr<std::vector<ComputeGroup>>
collectComputeGroups(mlir::func::FuncOp func);

} // namespace ktir

#endif // KTIR_SCHEDULE_COMPUTEGROUPS_H
