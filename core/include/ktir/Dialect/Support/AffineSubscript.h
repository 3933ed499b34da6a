//===- AffineSubscript.h - Affine subscripts on memory ops ------*- C++ -*-===//
//
// The affine subscript `[%i * 2 + %j, 0, symbol(%n)]` that several dialects
// write behind a view: an affine map together with the values of its
// dimensions and symbols.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_SUPPORT_AFFINESUBSCRIPT_H
#define KTIR_DIALECT_SUPPORT_AFFINESUBSCRIPT_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/ValueRange.h"

namespace ktir {

/// An affine subscript as an op stores it: `map` has one result per subscript
/// position, `operands` are the values of its dimensions followed by those of
/// its symbols, all of type `index`.
struct AffineSubscript {
  mlir::AffineMap map;
  mlir::OperandRange operands;
};

/// The values met in a list of affine expressions: each stands for one
/// dimension or, first met inside `symbol(...)`, for one symbol. Values are
/// told apart by name and result number, so that `%g#0` and `%g#1` are two
/// (KTIR §2.1).
struct SubscriptValues {
  using Operand = mlir::OpAsmParser::UnresolvedOperand;
  llvm::SmallVector<Operand> dimensions, symbols;

  /// The expression that stands for `operand`, which is added if new.
  mlir::AffineExpr get(const Operand &operand, bool asSymbol,
                       mlir::MLIRContext *context);
};

/// Parses one affine expression whose leaves are integers, `%ssa` and
/// `symbol(%ssa)`; stops before the first token that cannot continue it. Fails
/// with a diagnostic at the token where the text is not an affine expression.
mlir::ParseResult parseAffineExpression(mlir::OpAsmParser &parser,
                                        SubscriptValues &values,
                                        mlir::AffineExpr &expression);

/// Parses `[affine over %ssa and symbol(%ssa), ...]`.
///
/// Appends the dimension operands and then the symbol operands to `operands`,
/// each value once however often it occurs, and sets `map` to the map over
/// them. Literal constants become part of the map. An empty list `[]` gives a
/// map without results. Fails with a diagnostic where the text is not an
/// affine expression.
mlir::ParseResult parseAffineSubscript(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
    mlir::AffineMapAttr &map);

/// Prints the form that parseAffineSubscript() reads, brackets included.
void printAffineSubscript(mlir::OpAsmPrinter &printer, mlir::AffineMap map,
                          mlir::ValueRange operands);

/// The printing half of ODS `custom<AffineSubscript>($operands, $map)`; the
/// parsing half is parseAffineSubscript().
inline void printAffineSubscript(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                 mlir::ValueRange operands,
                                 mlir::AffineMapAttr map) {
  printAffineSubscript(printer, map.getValue(), operands);
}

/// Brings a subscript built in C++ into the form the parser gives: every value
/// is an operand once, and no operand is unused. The subscript denotes the
/// same coordinates as before.
void normalizeAffineSubscript(mlir::AffineMap &map,
                              llvm::SmallVectorImpl<mlir::Value> &operands);

/// Checks that `map` takes exactly the `operands` given and, unless `rank` is
/// negative, has `rank` results (spec G-1). `name` says which subscript of
/// `op` is meant in the diagnostic, such as "source"; it may be empty.
llvm::LogicalResult verifyAffineSubscript(mlir::Operation *op,
                                          mlir::AffineMap map,
                                          mlir::ValueRange operands,
                                          int64_t rank,
                                          llvm::StringRef name = "");

} // namespace ktir

#endif // KTIR_DIALECT_SUPPORT_AFFINESUBSCRIPT_H
