//===- Placement.h - How deliveries split and join values -------*- C++ -*-===//
//
// Deliveries hand out values whole, in shares, or joined (KTIR §4.11, §4.17).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDP_PLACEMENT_H
#define KTIR_DIALECT_KTDP_PLACEMENT_H

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

namespace ktir::ktdp {

/// Along which dimensions a delivery splits each partial among the consumers
/// and joins what comes from several producers; both empty: values are handed
/// out whole.
struct PlacementDimensions {
  llvm::ArrayRef<int64_t> split, concat;
  /// Names of the attributes, for messages.
  llvm::StringRef splitName, concatName;
};

/// Into how many pieces each listed dimension is split, and of how many it is
/// joined; in the order of the lists.
struct PlacementFactors {
  llvm::SmallVector<int64_t, 4> split, concat;
};

/// The dimensions of `delivery`.
PlacementDimensions getPlacementDimensions(DeliveryOpInterface delivery);

/// Checks of one role what needs no tile sets: PL-1, PL-2 and, along each
/// dimension, the divisions and equalities of §4.17. `role` is its index.
mlir::LogicalResult verifyPlacement(mlir::Operation *op,
                                    const PlacementDimensions &dimensions,
                                    mlir::RankedTensorType partial,
                                    mlir::RankedTensorType result,
                                    unsigned role);

enum class PlacementProblem {
  None,
  /// No factors multiply to the number of consumers (R9).
  Split,
  /// No factors multiply to the number of producers (R12).
  Concat,
  /// Several choices of factors fit; the types do not tell which is meant.
  Ambiguous,
  /// An extent is not known here.
  Dynamic
};

/// The factors with which `partial` becomes `result` when `producers` values
/// are joined and each is split among `consumers`. The types must satisfy
/// verifyPlacement().
PlacementProblem findPlacementFactors(const PlacementDimensions &dimensions,
                                      mlir::RankedTensorType partial,
                                      mlir::RankedTensorType result,
                                      int64_t producers, int64_t consumers,
                                      PlacementFactors &factors);

} // namespace ktir::ktdp

#endif // KTIR_DIALECT_KTDP_PLACEMENT_H
