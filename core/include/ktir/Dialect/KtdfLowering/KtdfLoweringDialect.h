//===- KtdfLoweringDialect.h - The ktdf_lowering dialect --------*- C++ -*-===//
//
// Dialect and ops of the level at which stages are bound to units.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGDIALECT_H
#define KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/KtdfLowering/KtdfLoweringOps.h.inc"

#endif // KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGDIALECT_H
