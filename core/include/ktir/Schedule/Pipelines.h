//===- Pipelines.h - Building and reading pipelines -------------*- C++ -*-===//
//
// What the passes on schedule IR share: building loops and pipelines, and
// questions about the ones that are there.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SCHEDULE_PIPELINES_H
#define KTIR_SCHEDULE_PIPELINES_H

#include "ktir/Dialect/Ktdf/KtdfDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ktir {

/// Name of the unit attribute on a program whose block must be the whole tile
/// (`ComputeGroup::wholeTile`).
inline constexpr llvm::StringLiteral kWholeTileAttr = "ktir.whole_tile";

/// Creates `for iv = 0 to trip step 1` with independent iterations and leaves
/// the builder inside.
mlir::scf::ForOp createParallelLoop(mlir::OpBuilder &builder,
                                    mlir::Location loc, int64_t trip);

/// The number of iterations of a loop with constant bounds; nullopt otherwise.
std::optional<int64_t> getConstantTripCount(mlir::scf::ForOp loop);

/// The loops directly around `op`, innermost last, up to the next operation
/// that is no `scf.for`.
llvm::SmallVector<mlir::scf::ForOp> getEnclosingLoops(mlir::Operation *op);

/// Creates the private region of a pipeline. Each type stands for one result
/// and says what makes it: a `memref` an allocation, a token a token, and a run
/// of slots between the same two kinds one FIFO allocation (spec K-3).
ktdf::PrivateOp createPrivate(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::TypeRange types);

/// The memory kind of a memref placed in a device memory (`"LX"`); empty for
/// any other space.
llvm::StringRef getMemoryKind(mlir::Type type);

/// Bytes of one element of `type`, an integer or a float of whole bytes.
/// Anything else has no size in a memory of the device and is an error at `op`.
mlir::FailureOr<int64_t> getElementBytes(mlir::Operation *op,
                                         mlir::MemRefType type);

/// Bytes of a buffer of `type`. A shape that is not known or whose size fits no
/// `int64_t` is an error at `op`, as is an element without a size.
mlir::FailureOr<int64_t> getBufferBytes(mlir::Operation *op,
                                        mlir::MemRefType type);

} // namespace ktir

#endif // KTIR_SCHEDULE_PIPELINES_H
