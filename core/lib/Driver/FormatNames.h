//===- FormatNames.h - The names of values in formatted text ----*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_FORMATNAMES_H
#define KTIR_LIB_DRIVER_FORMATNAMES_H

#include "ParseSource.h"

#include "mlir/IR/AsmState.h"

namespace ktir {

/// Writes the names of the text into the locations, from where the printer
/// takes them: one for each operation, and one for each block argument.
void keepValueNames(mlir::ModuleOp module, const mlir::AsmParserState &state,
                    const ReadText &read);

/// Gives back to `printed` the names that an operation's results have besides
/// the first: MLIR prints `%a, %b = …` as `%a:2 = …`. Results that stand in a
/// subscript get names of their own also where the text has none, for
/// `[%a#0, %a#1]` is what not every reader accepts (KTIR §2.1). `names` and
/// `places` are those of the printing; no line is added or removed.
std::string writeResultNames(mlir::ModuleOp module,
                             const mlir::AsmParserState &state,
                             std::string printed, mlir::AsmState &names,
                             const mlir::AsmState::LocationMap &places);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_FORMATNAMES_H
