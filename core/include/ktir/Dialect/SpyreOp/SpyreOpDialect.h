//===- SpyreOpDialect.h - The spyreop dialect -------------------*- C++ -*-===//
//
// Dialect class, types, attributes and operations of `spyreop` (spec ktir.md
// §5).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_SPYREOP_SPYREOPDIALECT_H
#define KTIR_DIALECT_SPYREOP_SPYREOPDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h.inc"
#include "ktir/Dialect/SpyreOp/SpyreOpEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpTypes.h.inc"
#define GET_OP_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpOps.h.inc"

namespace ktir::spyreop {
/// Name of the optional attribute of `layernormscale` and
/// `layernormscale_fused` that is added to the variance.
inline constexpr llvm::StringLiteral kEpsilonAttrName = "eps";

/// The type of a pair of `scalar` values: that of `f16`, `!spyreop.df16` or
/// `f32`. Null for every other type.
mlir::Type getFusedType(mlir::Type scalar);

/// The type of the two values that a value of type `fused` holds, the inverse
/// of `getFusedType`. Null where `fused` is no pair type.
mlir::Type getScalarType(mlir::Type fused);
} // namespace ktir::spyreop

#endif // KTIR_DIALECT_SPYREOP_SPYREOPDIALECT_H
