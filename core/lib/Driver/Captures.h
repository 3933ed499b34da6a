//===- Captures.h - Values that a launch shows ------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_CAPTURES_H
#define KTIR_LIB_DRIVER_CAPTURES_H

#include "TextScan.h"

#include "ktir/Exec/Engine.h"

#include "mlir/IR/BuiltinOps.h"

namespace ktir {

/// A value that a launch is asked for, as it stands in the program that runs.
struct ResolvedCapture {
  std::string name; ///< `%x`, `%p#1`
  SourceRange range;
  std::string type;
  /// "tile 3", the name of a unit, or "host".
  std::string instance;
  exec::CaptureRequest request;
};

/// Finds what `asked` names in `source`, the text that `module` was made from
/// for `kernel`. The result has an entry for each; values of `module` that it
/// means are added to `probes` under its index. Adds an error to `problems` for
/// each name or position that means no value of `module`, or several.
std::vector<ResolvedCapture>
resolveCaptures(const std::vector<Capture> &asked, const SourceText &source,
                mlir::ModuleOp module, const std::string &kernel, Level level,
                std::vector<exec::Probe> &probes,
                std::vector<Diagnostic> &problems);

/// Adds an error for each value or instance that no run of `program` has.
void checkCaptures(const std::vector<ResolvedCapture> &captures,
                   const exec::Program &program,
                   std::vector<Diagnostic> &problems);

/// What was captured, in host form.
CapturedValue hostValue(const ResolvedCapture &capture,
                        const exec::CapturedValue &value, Numerics numerics);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_CAPTURES_H
