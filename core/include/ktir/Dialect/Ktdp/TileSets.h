//===- TileSets.h - Which tiles a set names ---------------------*- C++ -*-===//
//
// Production and delivery name tiles by integer sets over the tile id, with
// the group (and consumer) as symbols (KTIR §4.10). The rules about them are
// decided by enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDP_TILESETS_H
#define KTIR_DIALECT_KTDP_TILESETS_H

#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ktir::ktdp {

/// Flat tile ids, ascending.
using TileIds = llvm::SmallVector<int64_t, 8>;

/// The tiles of one group.
struct GroupTiles {
  int64_t group;
  TileIds tiles;
};

/// The members of the one-dimensional `set` without symbols, ascending. Nullopt
/// when a bound is not a constant or more than 2^16 values would be tried.
std::optional<TileIds> enumerateGroups(mlir::IntegerSet set);

/// The tiles of `set`, one dimension, with its symbols bound to `symbols`: its
/// members from 0 up, for negative ids are never tiles. Nullopt when the upper
/// bound is not a constant or more than 2^16 ids would be tried.
std::optional<TileIds> enumerateTiles(mlir::IntegerSet set,
                                      llvm::ArrayRef<int64_t> symbols);

/// The upper bound of such a set, which need not be a member; nullopt when it
/// is no constant.
std::optional<int64_t> getHighestTile(mlir::IntegerSet set,
                                      llvm::ArrayRef<int64_t> symbols);

/// The tiles of every group. Nullopt when a bound is not a constant or there
/// is too much to try, in all at most 2^20 ids.
std::optional<llvm::SmallVector<GroupTiles>>
enumerateGroupTiles(mlir::IntegerSet groups, mlir::IntegerSet tilesPerGroup);

/// The producers that `consumer` of `group` waits for: `dependency` is a set
/// `(p)[c]` or `(p)[c, g]`.
std::optional<TileIds> enumerateDependency(mlir::IntegerSet dependency,
                                           int64_t consumer, int64_t group);

} // namespace ktir::ktdp

#endif // KTIR_DIALECT_KTDP_TILESETS_H
