//===- MappingPairs.h - Printed form of constant mappings -------*- C++ -*-===//
//
// The list `([%k -> %v], [%k -> %v])` of the ops that pair keys with values.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_SUPPORT_MAPPINGPAIRS_H
#define KTIR_DIALECT_SUPPORT_MAPPINGPAIRS_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/ValueRange.h"

namespace ktir {

/// Parses `([%k -> %v], ...)`, which may have no pairs, appending to `keys`
/// and `values`.
mlir::ParseResult parseMappingPairs(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &keys,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &values);

/// Prints the form that parseMappingPairs() reads. The ranges have equal
/// length.
void printMappingPairs(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::ValueRange keys, mlir::ValueRange values);

} // namespace ktir

#endif // KTIR_DIALECT_SUPPORT_MAPPINGPAIRS_H
