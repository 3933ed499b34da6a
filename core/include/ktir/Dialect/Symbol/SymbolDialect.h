//===- SymbolDialect.h - The symbol dialect ---------------------*- C++ -*-===//
//
// Run-time values by number (spec section 10).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_SYMBOL_SYMBOLDIALECT_H
#define KTIR_DIALECT_SYMBOL_SYMBOLDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ktir/Dialect/Symbol/SymbolDialect.h.inc"

namespace ktir::symbol {

/// The table from symbol ids to values, as a resource of side effects.
struct BindingResource
    : public mlir::SideEffects::Resource::Base<BindingResource> {
  llvm::StringRef getName() final { return "symbol.bindings"; }
};

} // namespace ktir::symbol

MLIR_DECLARE_EXPLICIT_TYPE_ID(ktir::symbol::BindingResource)

#define GET_OP_CLASSES
#include "ktir/Dialect/Symbol/SymbolOps.h.inc"

#endif // KTIR_DIALECT_SYMBOL_SYMBOLDIALECT_H
