//===- TileAccess.h - What each tile reads and writes -----------*- C++ -*-===//
//
// The analysis shared by the front end of the scheduler: which elements of
// which tensor a load or store touches, on every compute tile.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SCHEDULE_TILEACCESS_H
#define KTIR_SCHEDULE_TILEACCESS_H

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ktir {

/// Reads the number of compute tiles from a kernel's `grid`: absent means one
/// tile (spec MF-3). Errors (MF-2, and a grid of rank above 1, which the
/// scheduler does not take) are reported on the function.
mlir::FailureOr<int64_t> getNumTiles(mlir::func::FuncOp func);

/// Evaluates integer values that depend on nothing but constants and the
/// compute tile id, for every tile of a kernel. Values are computed once and
/// kept.
class TileValues {
public:
  explicit TileValues(int64_t numTiles) : numTiles(numTiles) {}

  /// The value on each tile, sign-extended to 64 bits; null when it depends on
  /// something else, in which case `culprit()` is what.
  const llvm::SmallVector<int64_t> *get(mlir::Value value);
  /// The value that stopped the last `get`.
  mlir::Value culprit() const { return stopped; }

private:
  bool evaluate(mlir::Operation *op);

  int64_t numTiles;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> known;
  mlir::Value stopped;
};

/// The elements that one `ktdp.load` or `ktdp.store` touches. All lengths and
/// positions count elements.
struct TileAccess {
  mlir::Operation *op = nullptr;
  ktdp::ConstructAccessTileOp tile;
  ktdp::ConstructMemoryViewOp view;
  /// The kernel argument that the view starts from; null for a constant base.
  mlir::BlockArgument base;
  /// Per tile: what is added to `base`, or the address itself.
  llvm::SmallVector<int64_t> baseOffset;
  /// Per tile: the coordinate of the access's first element in the view.
  llvm::SmallVector<llvm::SmallVector<int64_t>> origin;
  /// Extents of the accessed box.
  llvm::SmallVector<int64_t> shape;
  /// Strides of the view.
  llvm::SmallVector<int64_t> strides;

  bool isStore() const { return mlir::isa<ktdp::StoreOp>(op); }
  mlir::Type elementType() const;
  /// Distance of the first element of tile `t` from `base`.
  int64_t displacement(int64_t t) const;
  /// Distance from the first to the last element of the box, plus one.
  int64_t span() const;
  /// Both start from the same base and touch the same element at the same
  /// coordinate of the box, on every tile.
  bool sameElements(const TileAccess &other) const;
  /// Whether a tile may touch an element through both. Accesses through
  /// different arguments count as disjoint (docs/decisions.md).
  bool mayOverlap(const TileAccess &other) const;
};

/// Analyses the access of `op`, a load or a store. What the scheduler cannot
/// take is an error at the culprit: dynamic sizes or strides, a set that is no
/// box, an order that is no identity, coordinates that depend on more than the
/// tile id, a box that leaves its view.
mlir::FailureOr<TileAccess>
analyzeTileAccess(mlir::Operation *op, TileValues &values, int64_t numTiles);

} // namespace ktir

#endif // KTIR_SCHEDULE_TILEACCESS_H
