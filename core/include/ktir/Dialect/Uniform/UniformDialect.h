//===- UniformDialect.h - The uniform dialect -------------------*- C++ -*-===//
//
// Per-unit constants and regions of a program shared by units (spec
// section 9).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_UNIFORM_UNIFORMDIALECT_H
#define KTIR_DIALECT_UNIFORM_UNIFORMDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ktir/Dialect/Uniform/UniformDialect.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/Uniform/UniformOps.h.inc"

#endif // KTIR_DIALECT_UNIFORM_UNIFORMDIALECT_H
