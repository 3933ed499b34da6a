//===- KtdfDialect.h - The ktdf dialect: schedule IR ------------*- C++ -*-===//
//
// Dialect, types, attributes and ops of the schedule level.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDF_KTDFDIALECT_H
#define KTIR_DIALECT_KTDF_KTDFDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace ktir::ktdf {
class PrivateOp;
class PrivateYieldOp;
class StageOp;
} // namespace ktir::ktdf

#include "ktir/Dialect/Ktdf/KtdfDialect.h.inc"

#include "ktir/Dialect/Ktdf/KtdfEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Ktdf/KtdfAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Ktdf/KtdfTypes.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/Ktdf/KtdfOps.h.inc"

namespace ktir::ktdf {

/// Name of the attribute that carries a `LoopTypeAttr` on `scf.for`.
inline constexpr llvm::StringLiteral kLoopTypeAttrName = "loop_type";

/// Name of the attribute that carries the mode of a `data_transfer`: "splat"
/// or "pad" (K-21).
inline constexpr llvm::StringLiteral kTransferModeAttrName = "transfer_mode";

/// True if `loop` is marked as having independent iterations.
bool isParallelLoop(mlir::Operation *loop);

/// Marks `loop` with `type`.
void setLoopType(mlir::Operation *loop, LoopType type);

/// The `create_token` that makes `token`, looking through the result of a
/// private region, or null if the token has another origin (K-13).
CreateTokenOp getTokenSource(mlir::Value token);

} // namespace ktir::ktdf

#endif // KTIR_DIALECT_KTDF_KTDFDIALECT_H
