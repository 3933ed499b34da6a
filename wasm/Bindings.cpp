//===- Bindings.cpp - The driver as JavaScript calls ----------------------===//
//
// Few, coarse functions: text and JSON cross as strings, tensors as copies of
// typed arrays. The package's TypeScript makes its API out of these; nothing
// else calls them. This is the only file compiled with RTTI.
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include "LanguageJson.h"

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

using emscripten::val;
using namespace ktir;

namespace {

//===----------------------------------------------------------------------===//
// Values that cross
//===----------------------------------------------------------------------===//

/// A fresh `Uint8Array` with a copy of `size` bytes: a view of the heap would
/// be detached when memory grows.
val toBytes(const void *data, size_t size) {
  return val::global("Uint8Array")
      .new_(emscripten::typed_memory_view(size,
                                          static_cast<const uint8_t *>(data)));
}

/// A copy of the bytes of a `Uint8Array`.
std::vector<uint8_t> fromBytes(const val &array) {
  std::vector<uint8_t> bytes(array["length"].as<size_t>());
  if (!bytes.empty())
    val(emscripten::typed_memory_view(bytes.size(), bytes.data()))
        .call<void>("set", array);
  return bytes;
}

bool isAbsent(const val &value) {
  return value.isUndefined() || value.isNull();
}

/// `{dtype, shape}`.
val headerToObject(const Tensor &tensor) {
  val shape = val::array();
  for (int64_t extent : tensor.shape)
    shape.call<void>("push", static_cast<double>(extent));
  val object = val::object();
  object.set("dtype", tensor.dtype);
  object.set("shape", shape);
  return object;
}

/// `{dtype, shape, data: Uint8Array}`.
val toObject(const Tensor &tensor) {
  val object = headerToObject(tensor);
  object.set("data", toBytes(tensor.data.data(), tensor.data.size()));
  return object;
}

/// Reads what `toObject` writes, without the elements; the package has checked
/// that they agree.
Tensor headerFromObject(const val &object) {
  Tensor tensor;
  tensor.dtype = object["dtype"].as<std::string>();
  val shape = object["shape"];
  for (size_t i = 0, e = shape["length"].as<size_t>(); i != e; ++i)
    tensor.shape.push_back(static_cast<int64_t>(shape[i].as<double>()));
  return tensor;
}

Tensor fromObject(const val &object) {
  Tensor tensor = headerFromObject(object);
  tensor.data = fromBytes(object["data"]);
  return tensor;
}

/// A reader that asks `readFile(path)`, which answers with a `Uint8Array` or
/// null.
FileReader makeReader(const val &readFile) {
  return [readFile](
             const std::string &path) -> std::optional<std::vector<uint8_t>> {
    val bytes = readFile(path);
    if (isAbsent(bytes))
      return std::nullopt;
    return fromBytes(bytes);
  };
}

/// What a caller passes for the arguments of a launch: ARGS.json text, and
/// beside it values that are host data already: `host` without their values,
/// and for each a number or a `Uint8Array`, whose elements are read where they
/// are.
std::vector<ArgumentValue> readArguments(const std::string &json,
                                         std::vector<ArgumentValue> host,
                                         const val &values, const val &readFile,
                                         std::vector<Diagnostic> &diagnostics) {
  std::vector<ArgumentValue> arguments =
      json == "{}" ? std::vector<ArgumentValue>()
                   : parseArguments(json, "arguments", makeReader(readFile),
                                    diagnostics, Contents::Generated);
  // What is copied at once takes some milliseconds.
  constexpr uint64_t maxBytesAtOnce = uint64_t(8) << 20;
  uint64_t bytes = 0;
  size_t next = 0;
  for (ArgumentValue &argument : host) {
    const val value = values[next++];
    if (auto *tensor = std::get_if<Tensor>(&argument.value)) {
      const uint64_t all =
          uint64_t(tensor->elements()) * dtypeBytes(tensor->dtype);
      tensor->source = [value, all](uint64_t offset, uint64_t count,
                                    uint8_t *into) {
        const val to(emscripten::typed_memory_view(count, into));
        if (count == all)
          to.call<void>("set", value);
        else
          to.call<void>("set", value.call<val>("subarray", double(offset),
                                               double(offset + count)));
      };
      bytes += all;
      tensor->isReadLater = bytes > maxBytesAtOnce;
    } else {
      argument.value = value.as<double>();
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

bool hasError(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// What a text means, kept for the next time, which mostly brings the same one.
template <typename Value> class Parsed {
public:
  using Parse = Value (*)(const std::string &);
  explicit Parsed(Parse parse) : parse(parse) {}

  bool has(const std::string &next) const { return value && next == text; }
  const Value &get(const std::string &next) {
    if (!has(next)) {
      value = parse(next);
      text = next;
    }
    return *value;
  }

private:
  Parse parse;
  std::string text;
  std::optional<Value> value;
};

/// An executable and the one launch of it that is under way.
class ExecutableHandle {
public:
  explicit ExecutableHandle(Executable executable)
      : executable(std::move(executable)) {}

  std::string info() const { return wasm::executableJson(executable); }

  /// Binds the arguments; an empty string, or the diagnostics of arguments
  /// that could not be read, in which case nothing was started.
  std::string start(const std::string &json, const std::string &headers,
                    const val &values, const val &readFile,
                    const std::string &options) {
    stop();
    // The same arguments make the same results, but for those from files.
    if (json != "{}" || !host.has(headers))
      outputs.clear();
    std::vector<Diagnostic> diagnostics;
    std::vector<ArgumentValue> arguments =
        readArguments(json, host.get(headers), values, readFile, diagnostics);
    if (hasError(diagnostics))
      return wasm::diagnosticsJson(diagnostics);
    run = std::make_unique<Launch>(
        launch(executable, std::move(arguments), launching.get(options)));
    return "";
  }

  /// Runs for about `milliseconds`: 0 running, 1 finished, 2 failed.
  int advance(double milliseconds) {
    if (!run)
      return static_cast<int>(LaunchStatus::Failed);
    return static_cast<int>(run->advanceFor(milliseconds));
  }

  /// One more operation of an instance: `{done, ended, op, range,
  /// status}` as JSON text, `status` as `advance` numbers it.
  std::string step(double instance, double milliseconds) {
    if (!run)
      return wasm::stepJson(LaunchStep());
    return wasm::stepJson(
        run->stepFor(static_cast<size_t>(instance), milliseconds));
  }

  /// Whether elements of arguments are still to be read.
  bool isReading() const { return run && run->isReading(); }
  /// True when the arguments did not fit the signature.
  bool rejected() const { return run && run->rejected(); }
  double done() const { return run ? double(run->progress().done) : 0; }
  double total() const { return run ? double(run->progress().total) : 0; }

  std::string findings() const {
    return run ? wasm::diagnosticsJson(run->findings()) : "[]";
  }

  /// `[{name, dtype, shape, bytes}]` as JSON text, once the run has finished.
  std::string outputHeaders() {
    if (outputs.empty() && run)
      outputs = wasm::outputHeadersJson(*run);
    return outputs;
  }
  /// Puts bytes of an output from `offset` on, a multiple of 8, into the
  /// `Uint8Array` `into` at the same place: as many as stay in the caches, or
  /// up to the end. Returns where the next ones begin.
  double readOutput(double number, double offset, const val &into) const {
    constexpr uint64_t pieceBytes = 1 << 18;
    const size_t index = static_cast<size_t>(number);
    const uint64_t begin = static_cast<uint64_t>(offset);
    std::vector<uint8_t> piece(
        std::min(pieceBytes, run->outputBytes(index) - begin));
    run->readOutput(index, begin, piece.size(), piece.data());
    into.call<void>(
        "set", val(emscripten::typed_memory_view(piece.size(), piece.data())),
        offset);
    return offset + double(piece.size());
  }

  /// The bytes that `report` takes, as a view of memory that stays as it is
  /// until the next call.
  val reportSource() {
    reported = run ? run->reportSource() : std::vector<uint8_t>();
    return val(emscripten::typed_memory_view(reported.size(), reported.data()));
  }
  std::string trace() const { return run ? run->traceJson() : "[]"; }

  /// `[{info, tensor?}]`, with `info` as JSON text.
  val captured() const {
    val result = val::array();
    if (!run)
      return result;
    for (const CapturedValue &value : run->captured()) {
      val object = val::object();
      object.set("info", wasm::capturedJson(value));
      if (value.tensor)
        object.set("tensor", toObject(*value.tensor));
      result.call<void>("push", object);
    }
    return result;
  }

  /// Drops the launch and its memory.
  void stop() { run.reset(); }

private:
  Executable executable;
  Parsed<std::vector<ArgumentValue>> host{wasm::hostArguments};
  Parsed<LaunchOptions> launching{wasm::launchOptions};
  std::string outputs; ///< headers of the results, or empty
  std::unique_ptr<Launch> run;
  std::vector<uint8_t> reported; ///< last
};

/// A validation under way, or why there is none.
class ValidationHandle {
public:
  explicit ValidationHandle(const std::vector<Diagnostic> &problems)
      : problems(wasm::diagnosticsJson(problems)) {}
  ValidationHandle(std::shared_ptr<const Compilation> compilation,
                   Validation validation)
      : compilation(std::move(compilation)), validation(std::move(validation)) {
  }

  /// An empty string, or the diagnostics of arguments that could not be read.
  std::string unreadable() const { return problems; }
  /// False when there is nothing more to do.
  bool advance(double milliseconds) {
    return validation && validation->advanceFor(milliseconds);
  }
  double done() const {
    return validation ? double(validation->progress().done) : 0;
  }
  std::string stages() const {
    return validation ? wasm::validationJson(validation->results()) : "[]";
  }

private:
  std::string problems;
  std::shared_ptr<const Compilation> compilation;
  std::optional<Validation> validation;
};

CompileOptions readOptions(const std::string &json, const val &readFile) {
  CompileOptions options = wasm::compileOptions(json);
  options.readFile = makeReader(readFile);
  return options;
}

class CompilationHandle {
public:
  CompilationHandle(const std::string &source, const std::string &options,
                    const val &readFile)
      : shared(std::make_shared<Compilation>(
            compile(source, readOptions(options, readFile)))),
        compilation(*shared) {}

  std::string info() const { return wasm::compilationJson(compilation); }

  std::string stageText(int stage) const {
    return compilation.stageText(static_cast<size_t>(stage));
  }

  std::unique_ptr<ExecutableHandle> prepare(const std::string &text) const {
    wasm::PrepareOptions options =
        wasm::prepareOptions(text, compilation.level());
    return std::make_unique<ExecutableHandle>(
        options.stage < 0 ? ktir::prepare(compilation, options.kernel,
                                          options.level, options.executable)
                          : prepareStage(compilation, options.kernel,
                                         static_cast<size_t>(options.stage),
                                         options.executable));
  }

  std::unique_ptr<ValidationHandle> validate(const std::string &text,
                                             const std::string &json,
                                             const std::string &headers,
                                             const val &values,
                                             const val &readFile) const {
    std::vector<Diagnostic> diagnostics;
    std::vector<ArgumentValue> arguments = readArguments(
        json, wasm::hostArguments(headers), values, readFile, diagnostics);
    if (hasError(diagnostics))
      return std::make_unique<ValidationHandle>(diagnostics);
    wasm::PrepareOptions options =
        wasm::prepareOptions(text, compilation.level());
    return std::make_unique<ValidationHandle>(
        shared, Validation(compilation, options.kernel, std::move(arguments),
                           wasm::launchOptions(text), options.executable));
  }

private:
  /// Validations may go on after the compilation is deleted.
  std::shared_ptr<const Compilation> shared;
  const Compilation &compilation;
};

/// An open document of an editor.
class LanguageServiceHandle {
public:
  LanguageServiceHandle(const std::string &options, const val &readFile)
      : service(readOptions(options, readFile)) {}

  /// Replaces the text and gives its diagnostics.
  std::string update(const std::string &text) {
    return wasm::diagnosticsJson(service.update(text));
  }

  std::string ask(const std::string &question, unsigned line,
                  unsigned column) const {
    return wasm::languageAnswer(service, question, {line, column});
  }

private:
  LanguageService service;
};

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::string versionText() { return version(); }

/// The JSON text of a report, of the bytes that `reportSource` gave.
std::string reportText(const val &source) {
  return reportJson(makeReport(fromBytes(source)));
}

/// `{text}` in canonical form, or `{diagnostics}` as JSON text.
val formatText(const std::string &source, const std::string &fileName) {
  val result = val::object();
  const FormatResult formatted = format(source, fileName);
  if (formatted.text)
    result.set("text", *formatted.text);
  else
    result.set("diagnostics", wasm::diagnosticsJson(formatted.diagnostics));
  return result;
}

/// The tensor of a one-argument ARGS.json, `{tensor}` or `{diagnostics}`.
val generate(const std::string &json, const val &readFile) {
  val result = val::object();
  std::vector<Diagnostic> diagnostics;
  std::vector<ArgumentValue> arguments =
      parseArguments(json, "arguments", makeReader(readFile), diagnostics);
  const Tensor *tensor = arguments.empty()
                             ? nullptr
                             : std::get_if<Tensor>(&arguments.front().value);
  if (hasError(diagnostics) || !tensor)
    result.set("diagnostics", wasm::diagnosticsJson(diagnostics));
  else
    result.set("tensor", toObject(*tensor));
  return result;
}

/// `{tensor}` or `{error}`.
val readNpyBytes(const val &bytes) {
  val result = val::object();
  std::string error;
  if (std::optional<Tensor> tensor = readNpy(fromBytes(bytes), error))
    result.set("tensor", toObject(*tensor));
  else
    result.set("error", error);
  return result;
}

val writeNpyBytes(const val &tensor) {
  std::vector<uint8_t> bytes = writeNpy(fromObject(tensor));
  return toBytes(bytes.data(), bytes.size());
}

/// Runs the command line with `host`'s `readFile(path)`, `writeFile(path,
/// bytes)`, `appendFile(path, bytes)`, `makeFolder(path)`, `out(bytes)` and
/// `err(bytes)`; gives the exit code.
int runCommandLineWith(const val &words, const val &host) {
  std::vector<std::string> arguments;
  for (size_t i = 0, e = words["length"].as<size_t>(); i != e; ++i)
    arguments.push_back(words[i].as<std::string>());
  CommandLineHost callbacks;
  callbacks.readFile = makeReader(host["readFile"]);
  // Bytes, since what is printed may quote a file that is not UTF-8.
  callbacks.writeFile = [&](const std::string &path, const std::string &bytes) {
    return host
        .call<val>("writeFile", path, toBytes(bytes.data(), bytes.size()))
        .as<bool>();
  };
  callbacks.appendFile = [&](const std::string &path,
                             const std::string &bytes) {
    return host
        .call<val>("appendFile", path, toBytes(bytes.data(), bytes.size()))
        .as<bool>();
  };
  callbacks.makeFolder = [&](const std::string &path) {
    return host.call<val>("makeFolder", path).as<bool>();
  };
  callbacks.out = [&](const std::string &text) {
    host.call<void>("out", toBytes(text.data(), text.size()));
  };
  callbacks.err = [&](const std::string &text) {
    host.call<void>("err", toBytes(text.data(), text.size()));
  };
  return runCommandLine(arguments, callbacks);
}

} // namespace

/// Says why before the module stops; the package reads these words.
[[noreturn]] static void reportOutOfMemory() {
  std::fputs("out of memory\n", stderr);
  std::abort();
}

EMSCRIPTEN_BINDINGS(ktir) {
  std::set_new_handler(reportOutOfMemory);

  emscripten::class_<CompilationHandle>("Compilation")
      .constructor<const std::string &, const std::string &, const val &>()
      .function("info", &CompilationHandle::info)
      .function("stageText", &CompilationHandle::stageText)
      .function("prepare", &CompilationHandle::prepare)
      .function("validate", &CompilationHandle::validate);

  emscripten::class_<ExecutableHandle>("Executable")
      .function("info", &ExecutableHandle::info)
      .function("start", &ExecutableHandle::start)
      .function("advance", &ExecutableHandle::advance)
      .function("step", &ExecutableHandle::step)
      .function("isReading", &ExecutableHandle::isReading)
      .function("rejected", &ExecutableHandle::rejected)
      .function("done", &ExecutableHandle::done)
      .function("total", &ExecutableHandle::total)
      .function("findings", &ExecutableHandle::findings)
      .function("outputHeaders", &ExecutableHandle::outputHeaders)
      .function("readOutput", &ExecutableHandle::readOutput)
      .function("reportSource", &ExecutableHandle::reportSource)
      .function("trace", &ExecutableHandle::trace)
      .function("captured", &ExecutableHandle::captured)
      .function("stop", &ExecutableHandle::stop);

  emscripten::class_<ValidationHandle>("Validation")
      .function("unreadable", &ValidationHandle::unreadable)
      .function("advance", &ValidationHandle::advance)
      .function("done", &ValidationHandle::done)
      .function("stages", &ValidationHandle::stages);

  emscripten::class_<LanguageServiceHandle>("LanguageService")
      .constructor<const std::string &, const val &>()
      .function("update", &LanguageServiceHandle::update)
      .function("ask", &LanguageServiceHandle::ask);

  emscripten::function("version", &versionText);
  emscripten::function("report", &reportText);
  emscripten::function("format", &formatText);
  emscripten::function("generate", &generate);
  emscripten::function("readNpy", &readNpyBytes);
  emscripten::function("writeNpy", &writeNpyBytes);
  emscripten::function("runCommandLine", &runCommandLineWith);
}
