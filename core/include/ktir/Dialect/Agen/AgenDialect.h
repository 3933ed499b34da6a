//===- AgenDialect.h - The agen dialect -------------------------*- C++ -*-===//
//
// Address generation: how load and store units access memory (spec
// section 7).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_AGEN_AGENDIALECT_H
#define KTIR_DIALECT_AGEN_AGENDIALECT_H

#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Support/AffineSubscript.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ktir/Dialect/Agen/AgenDialect.h.inc"
#include "ktir/Dialect/Agen/AgenEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Agen/AgenAttributes.h.inc"

namespace ktir::agen {

/// The transfer mask of a unit, as a resource of side effects.
struct MaskStateResource
    : public mlir::SideEffects::Resource::Base<MaskStateResource> {
  llvm::StringRef getName() final { return "agen.mask_state"; }
};

} // namespace ktir::agen

MLIR_DECLARE_EXPLICIT_TYPE_ID(ktir::agen::MaskStateResource)

#include "ktir/Dialect/Agen/AgenInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/Agen/AgenOps.h.inc"

#endif // KTIR_DIALECT_AGEN_AGENDIALECT_H
