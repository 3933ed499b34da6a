//===- TilePoints.h - The points of an access tile --------------*- C++ -*-===//

#ifndef KTIR_LIB_DIALECT_KTDP_TILEPOINTS_H
#define KTIR_LIB_DIALECT_KTDP_TILEPOINTS_H

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

namespace ktir::ktdp {

/// Checks what direct and indirect access tiles have in common and the
/// dialect's other readers leave open: that `order` is a permutation (IA-S5)
/// and that `tile` has as many elements as `set` has points (AC-S1). `name` is
/// the prefix of the attributes in messages, "access_tile" or
/// "variables_space". Nothing is said of what only a run can tell.
mlir::LogicalResult verifyTilePoints(mlir::Operation *op, mlir::IntegerSet set,
                                     mlir::AffineMap order, AccessTileType tile,
                                     llvm::StringRef name);

} // namespace ktir::ktdp

#endif // KTIR_LIB_DIALECT_KTDP_TILEPOINTS_H
