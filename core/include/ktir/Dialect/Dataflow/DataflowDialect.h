//===- DataflowDialect.h - The dataflow dialect -----------------*- C++ -*-===//
//
// Types, attributes and operations of unit programs (spec section 6), and
// queries on the vectors that units exchange.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_DATAFLOW_DATAFLOWDIALECT_H
#define KTIR_DIALECT_DATAFLOW_DATAFLOWDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "ktir/Dialect/Dataflow/DataflowDialect.h.inc"
#include "ktir/Dialect/Dataflow/DataflowEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Dataflow/DataflowAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Dataflow/DataflowTypes.h.inc"

namespace ktir::dataflow {

/// Messages in flight between units, as a resource of side effects.
struct ChannelResource
    : public mlir::SideEffects::Resource::Base<ChannelResource> {
  llvm::StringRef getName() final { return "dataflow.channels"; }
};

/// What the start address of a view counts (spec section 2.5): elements of
/// the view, bytes, or words of the executing unit for that memory.
enum class AddrUnit { Element, Byte, Word };

/// "element", "byte", "word".
llvm::StringRef stringifyAddrUnit(AddrUnit unit);
/// Inverse of stringifyAddrUnit(); nullopt for other text.
std::optional<AddrUnit> symbolizeAddrUnit(llvm::StringRef text);

/// True for `custom`, `mxfp` and `mxint` types.
bool isCustomScalar(mlir::Type type);

/// True for `vector<NxT>` of fixed length and for `custom_vector<NxT>`.
bool isFlatVector(mlir::Type type);

/// Number of lanes of a flat vector.
int64_t getVectorLength(mlir::Type flatVector);

/// Element type of a flat vector.
mlir::Type getVectorElementType(mlir::Type flatVector);

/// Width in bits of a scalar: integers, floats, custom scalars, and 64 for
/// `index`; 0 for any other type.
unsigned getScalarBitWidth(mlir::Type type);

} // namespace ktir::dataflow

MLIR_DECLARE_EXPLICIT_TYPE_ID(ktir::dataflow::ChannelResource)

#define GET_OP_CLASSES
#include "ktir/Dialect/Dataflow/DataflowOps.h.inc"

#endif // KTIR_DIALECT_DATAFLOW_DATAFLOWDIALECT_H
