//===- Json.h - What the bindings send and receive as JSON ------*- C++ -*-===//
//
// The driver's values as JSON text, and options read from JSON text. Plain C++:
// nothing here knows of Embind or JavaScript, so it compiles natively too.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_WASM_JSON_H
#define KTIR_WASM_JSON_H

#include "ktir/Driver/Driver.h"

#include <string>
#include <vector>

namespace ktir::wasm {

/// `[{severity, range: {file, line, column, endLine, endColumn}, message, rule,
/// notes: [{range, message}]}]`. Bytes that are not UTF-8 become U+FFFD.
std::string diagnosticsJson(const std::vector<Diagnostic> &diagnostics);

/// `{ok, diagnostics, kernels, stages, level, inputLevel}`, with stages as
/// `{name, level, changed, milliseconds, reassociates, opCounts: [[name, n]]}`.
std::string compilationJson(const Compilation &compilation);

/// `{valid, diagnostics, kernel, level}`.
std::string executableJson(const Executable &executable);

/// `[{stage, executed, matches, message}]`.
std::string validationJson(const std::vector<StageValidation> &stages);

/// `{fileName?, to?, stopAfter?, device?, deviceName?, strict?}`. Fields that
/// are absent, or not of the type expected, keep their defaults; the package
/// checks them before.
CompileOptions compileOptions(const std::string &json);

/// Which program of a compilation to decode.
struct PrepareOptions {
  std::string kernel;
  Level level = Level::Ktir;
  /// Wins over `level`; -1 means none.
  int64_t stage = -1;
  ExecutableOptions executable;
};

/// `{kernel?, level?, stage?, numerics?}`; without a level, `last`.
PrepareOptions prepareOptions(const std::string &json, Level last);

/// Arguments that are host data, from `[{name, dtype?, shape?, bound?, at?,
/// tile?}]`: tensors without elements, and 0 for each number.
std::vector<ArgumentValue> hostArguments(const std::string &headers);

/// `[{name, dtype, shape, bytes}]` of the outputs.
std::string outputHeadersJson(const Launch &run);

/// `{name, range, instance, type, executions, text}`: all but the tensor.
std::string capturedJson(const CapturedValue &value);

/// `{done, ended, op, range, status}`, with the status as a number.
std::string stepJson(const LaunchStep &step);

/// `{checks?, policy?, interleaving?, channelDepth?, trace?, limit?,
/// captures?}`, with captures as `{name?, line?, column?, instance?,
/// execution?}`.
LaunchOptions launchOptions(const std::string &json);

} // namespace ktir::wasm

#endif // KTIR_WASM_JSON_H
