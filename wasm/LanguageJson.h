//===- LanguageJson.h - Answers of the language service as JSON -*- C++ -*-===//

#ifndef KTIR_WASM_LANGUAGEJSON_H
#define KTIR_WASM_LANGUAGEJSON_H

#include "ktir/Driver/LanguageService.h"

namespace ktir::wasm {

/// The answer to `question` about a position, which counts only where the
/// question has one:
/// `hover`: `{range, text}` or null;
/// `definition`, `references`: `[range]`;
/// `symbols`: `[{name, detail, kind, range, nameRange, parent}]`;
/// `completion`: `{range, items: [{label, kind, detail, documentation}]}`;
/// `tokens`: `[line, column, length, type, 0 or 1 for a definition, ...]`, with
/// `type` the number of a `TokenType`.
/// Null for any other question.
std::string languageAnswer(const LanguageService &service,
                           const std::string &question, TextPosition position);

} // namespace ktir::wasm

#endif // KTIR_WASM_LANGUAGEJSON_H
