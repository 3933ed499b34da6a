//===- Diagnostics.h - MLIR diagnostics as driver values --------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_DIAGNOSTICS_H
#define KTIR_LIB_DRIVER_DIAGNOSTICS_H

#include "TextScan.h"

#include "mlir/IR/Diagnostics.h"

namespace ktir {

/// The position that a location stands for. A bare line and column in `source`
/// is widened to the token there; locations without a file give no position.
SourceRange sourceRange(mlir::Location location, const SourceText &source);

class ReadText;

/// Collects everything that is reported in its lifetime; nothing reaches the
/// terminal.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, const SourceText &source,
                      std::vector<Diagnostic> &diagnostics);

  /// Adds a diagnostic of our own.
  void add(Diagnostic diagnostic);
  /// Number of errors collected so far.
  unsigned errors() const { return errorCount; }

  /// While it exists, positions are those of `text` as MLIR reads it.
  class ReadingScope {
  public:
    ReadingScope(DiagnosticCollector &collector, const ReadText &text)
        : collector(collector) {
      collector.reading = &text;
    }
    ~ReadingScope() { collector.reading = nullptr; }

  private:
    DiagnosticCollector &collector;
  };

private:
  SourceRange rangeOf(mlir::Location location) const;

  const SourceText &source;
  std::vector<Diagnostic> &diagnostics;
  const ReadText *reading = nullptr;
  unsigned errorCount = 0;
  mlir::ScopedDiagnosticHandler handler;
};

/// Prints `file:line:col: error: message`, the source line with a marker below
/// the range, and the notes.
std::string renderDiagnostic(const Diagnostic &diagnostic,
                             const SourceText &source);

bool hasErrors(const std::vector<Diagnostic> &diagnostics);

/// An error without a position.
Diagnostic plainError(std::string message);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_DIAGNOSTICS_H
