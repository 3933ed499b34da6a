//===- KtdpDialect.h - The ktdp dialect -------------------------*- C++ -*-===//
//
// Dialect class, types, attributes and operations of `ktdp` (spec ktir.md §3,
// §4).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDP_KTDPDIALECT_H
#define KTIR_DIALECT_KTDP_KTDPDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "ktir/Dialect/Ktdp/KtdpDialect.h.inc"
#include "ktir/Dialect/Ktdp/KtdpEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpTypes.h.inc"

// Needs the types.
#include "ktir/Dialect/Ktdp/KtdpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/Ktdp/KtdpOps.h.inc"

#endif // KTIR_DIALECT_KTDP_KTDPDIALECT_H
