//===- KtdfArchDialect.h - The ktdf_arch dialect ----------------*- C++ -*-===//
//
// Dialect, types, attributes and ops that describe a machine.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDFARCH_KTDFARCHDIALECT_H
#define KTIR_DIALECT_KTDFARCH_KTDFARCHDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchTypes.h.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchOps.h.inc"

namespace ktir::ktdf_arch {

/// Names of the intrinsic properties.
inline constexpr llvm::StringLiteral kBandwidthAttrName = "ktdf_arch.bandwidth";
inline constexpr llvm::StringLiteral kTransferGranularityAttrName =
    "ktdf_arch.transfer_granularity";
inline constexpr llvm::StringLiteral kFeaturesAttrName = "ktdf_arch.features";
inline constexpr llvm::StringLiteral kMapsToAttrName = "ktdf_arch.maps_to";
inline constexpr llvm::StringLiteral kOverlapsAttrName = "ktdf_arch.overlaps";

/// Names of the features.
inline constexpr llvm::StringLiteral kComputeFeatureName =
    "ktdf_arch.feature.compute";
inline constexpr llvm::StringLiteral kLoadFeatureName =
    "ktdf_arch.feature.load";
inline constexpr llvm::StringLiteral kStoreFeatureName =
    "ktdf_arch.feature.store";
inline constexpr llvm::StringLiteral kSimdFeatureName =
    "ktdf_arch.feature.simd";
inline constexpr llvm::StringLiteral kQueueFeatureName =
    "ktdf_arch.feature.queue";

/// Discardable attribute of a device that maps the memory spaces of KTIR to
/// memory kinds; spaces stand for themselves without it.
inline constexpr llvm::StringLiteral kMemSpaceMappingAttrName =
    "mem_space_mapping";

/// The value of feature `name` of `op`, a unit or dictionary attribute, or null
/// when `op` has no such feature.
mlir::Attribute getFeature(mlir::Operation *op, llvm::StringRef name);

/// The device that applies to `from`: the one that the nearest `maps_to` of it
/// or of an ancestor names, else the only one declared in the nearest enclosing
/// module that declares any. Null when there is none or the module declares
/// several; `error`, when given, then receives what is wrong.
DeviceOp lookupDevice(mlir::Operation *from, std::string *error = nullptr);

} // namespace ktir::ktdf_arch

#endif // KTIR_DIALECT_KTDFARCH_KTDFARCHDIALECT_H
