//===- IntegerSets.h - Sets of integer points -------------------*- C++ -*-===//
//
// Questions about the integer sets that describe lanes, time steps, pages and
// masks (spec section 2.4).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_SUPPORT_INTEGERSETS_H
#define KTIR_DIALECT_SUPPORT_INTEGERSETS_H

#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ktir {

/// An axis-aligned box of integer points: dimension i takes the values
/// `lower[i] .. lower[i] + extent[i] - 1`. An extent may be zero, never
/// negative.
struct IntegerBox {
  llvm::SmallVector<int64_t, 4> lower;
  llvm::SmallVector<int64_t, 4> extent;

  /// Number of points; nullopt when it does not fit an int64_t.
  std::optional<int64_t> getNumPoints() const;
};

/// The box that `set` denotes, or nullopt when the set has symbols, is
/// unbounded in a dimension, or has a constraint over more than one dimension
/// or one that is not linear.
std::optional<IntegerBox> getAsBox(mlir::IntegerSet set);

/// The smallest box that the constraints over single dimensions give, which
/// contains every point of `set`; nullopt when the set has symbols or when
/// those constraints leave a dimension unbounded.
std::optional<IntegerBox> getBoundingBox(mlir::IntegerSet set);

/// Number of integer points of `set`, or nullopt when the set has symbols, is
/// not bounded by its constraints over single dimensions, or would need more
/// than 2^20 points to be tried.
std::optional<int64_t> countPoints(mlir::IntegerSet set);

/// True when `point` (one value per dimension) satisfies every constraint of
/// `set` with its symbols bound to `symbols`. An expression that divides by
/// zero satisfies nothing.
bool containsPoint(mlir::IntegerSet set, llvm::ArrayRef<int64_t> point,
                   llvm::ArrayRef<int64_t> symbols = {});

} // namespace ktir

#endif // KTIR_DIALECT_SUPPORT_INTEGERSETS_H
