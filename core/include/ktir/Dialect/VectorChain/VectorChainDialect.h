//===- VectorChainDialect.h - The vectorchain dialect -----------*- C++ -*-===//
//
// Computation on the vectors of unit programs (spec section 8).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_VECTORCHAIN_VECTORCHAINDIALECT_H
#define KTIR_DIALECT_VECTORCHAIN_VECTORCHAINDIALECT_H

#include "ktir/Dialect/Dataflow/DataflowDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ktir/Dialect/VectorChain/VectorChainDialect.h.inc"
#include "ktir/Dialect/VectorChain/VectorChainEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/VectorChain/VectorChainAttributes.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/VectorChain/VectorChainOps.h.inc"

#endif // KTIR_DIALECT_VECTORCHAIN_VECTORCHAINDIALECT_H
