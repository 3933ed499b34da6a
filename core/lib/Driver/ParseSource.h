//===- ParseSource.h - From text to a verified module -----------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_PARSESOURCE_H
#define KTIR_LIB_DRIVER_PARSESOURCE_H

#include "TextScan.h"

#include "ktir/Syntax/FixedText.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ktir {

class DiagnosticCollector;
struct DeviceSource;

/// The text of a range that the parser has recorded; empty for no range.
llvm::StringRef textOf(llvm::SMRange range);

/// The text that MLIR reads, which is the user's with its legacy forms written
/// anew, and where each part of it stands in the user's text.
class ReadText {
public:
  /// Rewrites the legacy forms of `original` unless `strict`, and reports each
  /// of them to `diagnostics`: as a warning, or as an error where the mode or
  /// the form allows no rewriting.
  ReadText(const SourceText &original, bool strict,
           std::vector<Diagnostic> &diagnostics);

  /// What MLIR reads.
  const SourceText &text() const { return read; }
  const SourceText &original() const { return source; }
  /// A legacy form could not be taken.
  bool isRefused() const { return refused; }

  /// A range of what MLIR read as one of the user's text.
  SourceRange originalRange(llvm::SMRange range) const;
  SourceRange originalRange(const SourceRange &range) const;

private:
  const SourceText &source;
  bool refused = false; // before `fixed`, whose making sets it
  syntax::FixedText fixed;
  SourceText read;
};

/// Parses `text` without verifying it; null after an error. The module's
/// locations are those of the user's text: producers write locations of files
/// that the user does not have, and they carry no meaning (KTIR §2.1). `state`
/// refers to `text`, which must outlive it.
mlir::OwningOpRef<mlir::ModuleOp>
parseUnverified(const ReadText &text, mlir::AsmParserState &state,
                mlir::MLIRContext &context, DiagnosticCollector &collector);

/// Parses and verifies `text`; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseSource(const ReadText &text,
                                              mlir::AsmParserState &state,
                                              mlir::MLIRContext &context,
                                              DiagnosticCollector &collector);

/// Whether the kernels of a KTIR module keep the rules that span operations.
bool isLegal(mlir::ModuleOp module, bool strict, const DeviceSource &source);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_PARSESOURCE_H
