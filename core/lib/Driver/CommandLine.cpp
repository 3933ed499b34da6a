//===- CommandLine.cpp - The commands of `ktir` ---------------------------===//
//
// One contract for the native tool and the npm package: everything that reaches
// the outside world goes through the host.
//
//===----------------------------------------------------------------------===//

#include "CompilationImpl.h"
#include "CostTable.h"
#include "Diagnostics.h"
#include "HostTensor.h"
#include "JsonOutput.h"
#include "Options.h"

#include "llvm/ADT/StringExtras.h"

namespace json = llvm::json;

namespace ktir {

const char *version() { return "0.1.0"; }

namespace {
enum ExitCode {
  Success = 0,
  KernelFault = 1,
  CallFault = 2,
  InternalError = 3
};

struct CommandSpec {
  const char *name;
  const char *usage;
  const char *summary;
  std::vector<OptionSpec> options;
  const char *help;
};

/// One invocation of the tool.
class CommandLine {
public:
  CommandLine(const std::vector<std::string> &words, CommandLineHost &host)
      : words(words), host(host) {}

  int run();

private:
  int check();
  int compileFile();
  int formatFiles();
  int runKernel();

  /// Reports that the call is at fault.
  int callFault(const std::string &message);
  /// Writes the machine-readable object and returns `code`.
  int finish(int code);
  void print(const std::vector<Diagnostic> &diagnostics,
             const SourceText &source);
  bool readText(const std::string &path, std::string &text);
  bool writeFile(const std::string &path, const std::string &bytes);
  bool readCompileOptions(CompileOptions &compiling);
  /// Reads the values of `--show`.
  bool readCaptures(std::vector<Capture> &captures);
  void printCaptured(const Launch &launched);
  bool readNumber(const char *option, uint64_t low, uint64_t high,
                  uint64_t &value);
  bool readLaunchOptions(LaunchOptions &launching,
                         ExecutableOptions &preparing);
  int writeStages(const Compilation &compilation, const std::string &folder);
  /// Whether the text holds the kernel that the options name, or only one
  /// where they name none; false after an error that is reported.
  bool findKernel(const Compilation &compilation);
  /// Writes a tensor as `.npy`; false after an error that is reported.
  bool writeOutput(const Launch &launched, size_t index,
                   const std::string &file);
  int writeOutputs(const Launch &launched, const Executable &executable,
                   const LaunchOptions &launching);
  int reportValidation(const Compilation &compilation,
                       const std::string &kernel,
                       const std::vector<ArgumentValue> &arguments,
                       const LaunchOptions &launching,
                       const ExecutableOptions &preparing);

  const std::vector<std::string> &words;
  CommandLineHost &host;
  ParsedOptions options;
  bool asJson = false;
  json::Object result;
};
} // namespace

static const std::vector<CommandSpec> &commands() {
  static const std::vector<CommandSpec> specs = {
      {"check",
       "ktir check FILE...",
       "parse, verify and check the rules of the language",
       {},
       ""},
      {"compile",
       "ktir compile FILE [options]",
       "lower and print the text of a level",
       {{"--to", "LEVEL"},
        {"--kernel", "NAME"},
        {"--device", "FILE"},
        {"-o", "OUT"},
        {"--stages", "DIR"}},
       "  --to LEVEL       ktir, schedule, units or dataflow (default)\n"
       "  --kernel NAME    lower this kernel only; the others are left out\n"
       "  --device FILE    module with one ktdf_arch.device, instead of the "
       "default\n"
       "  -o OUT           write the text there instead of to stdout\n"
       "  --stages DIR     one numbered file per stage, and stages.json\n"
       "  (the printed text names values anew: arguments are arg0, arg1, "
       "...)\n\n"},
      {"fmt",
       "ktir fmt FILE... [options]",
       "print in canonical strict form, with names and comments kept",
       {{"--write", nullptr}, {"--check", nullptr}},
       "  (locations, 'loc(...)', are not kept)\n\n"
       "  --write          write the files instead of printing them\n"
       "  --check          change nothing; fail if a file would change\n"},
      {"run",
       "ktir run FILE --args ARGS.json [options]",
       "run a kernel on the emulated machine",
       {{"--kernel", "NAME"},
        {"--args", "ARGS.json"},
        {"--level", "LEVEL"},
        {"--device", "FILE"},
        {"--out", "DIR"},
        {"--validate", nullptr},
        {"--trace", nullptr},
        {"--cost", "interpreter|measured"},
        {"--show", "NAME[@TILE[:N]]", /*repeats=*/true},
        {"--seed", "N"},
        {"--depth", "N"},
        {"--limit", "N"},
        {"--no-checks", nullptr},
        {"--policy", "pad|trap"}},
       "  --kernel NAME    which kernel; needed when the file holds several\n"
       "  --args FILE      values of the arguments (docs/inputs.md)\n"
       "  --level LEVEL    ktir or dataflow; default: the level of the text\n"
       "  --device FILE    module with one ktdf_arch.device, instead of the "
       "default\n"
       "  --out DIR        write DIR/<name>.npy for every tensor and "
       "DIR/report.json\n"
       "  --trace          also write DIR/trace.json (Chrome trace format)\n"
       "  --cost PROFILE   print the estimated cycles of every tile, and what "
       "was in\n"
       "                   the fullest scratchpad (level ktir): interpreter or "
       "measured\n"
       "  --show VALUE     print a value, by name or by LINE:COLUMN, of tile 0 "
       "or @TILE\n"
       "                   (level dataflow: @UNIT), the last or the N-th time "
       "that it\n"
       "                   was defined; may be repeated\n"
       "  --validate       run every stage and compare the results\n"
       "  --seed N         random interleaving of tiles or units\n"
       "  --depth N        depth of every channel (level dataflow)\n"
       "  --limit N        stop after N steps (default 10000000000): each "
       "instruction is\n"
       "                   one, and each 64 elements of it one more; 0: never\n"
       "  --no-checks      do not look for races, unwritten reads and the "
       "like\n"
       "  --policy P       pad (default): outside a view reads zero and is not "
       "written;\n"
       "                   trap: it is an error\n"},
      {"serve",
       "npx ktir serve [DIR] [--port N]",
       "serve the playground locally (a command of the npm package)",
       {},
       "  The native tool serves nothing. 'npx ktir serve --help' lists the "
       "options.\n\n"},
  };
  return specs;
}

static const std::vector<OptionSpec> commonOptions = {
    {"--json", nullptr}, {"--strict", nullptr}, {"--numerics", "ieee|device"},
    {"--help", nullptr}, {"-h", nullptr},       {"--version", nullptr},
};

static const char commonHelp[] =
    "  --json           one machine-readable object on stdout\n"
    "  --strict         refuse legacy and lenient forms\n"
    "  --numerics N     ieee (default) or device (DL16)\n"
    "  --help, --version\n";

static std::string usage() {
  std::string text = "usage: ktir COMMAND ...\n\n";
  for (const CommandSpec &command : commands()) {
    std::string name = command.name;
    name.resize(10, ' ');
    text += "  " + name + command.summary + "\n";
  }
  return text + "\nFor every command:\n" + commonHelp +
         "\n'ktir COMMAND --help' lists its options. Exit codes: 0 success, 1 "
         "the kernel\nis at fault, 2 the call is at fault, 3 internal error.\n";
}

static std::string usage(const CommandSpec &command) {
  return std::string("usage: ") + command.usage + "\n\n" + command.summary +
         "\n\n" + command.help + commonHelp;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string folderOf(const std::string &path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

static bool isAbsolute(const std::string &path) {
  return !path.empty() &&
         (path[0] == '/' || path[0] == '\\' ||
          (path.size() > 1 && llvm::isAlpha(path[0]) && path[1] == ':'));
}

static std::string joinPath(const std::string &folder,
                            const std::string &name) {
  if (folder.empty() || folder.back() == '/' || folder.back() == '\\')
    return folder + name;
  return folder + "/" + name;
}

/// A tensor's name as a file name: names from a file could lead out of the
/// folder.
static std::string fileNameOf(const std::string &name) {
  std::string file = name;
  for (char &c : file)
    if (!llvm::isAlnum(c) && !llvm::StringRef("._-$").contains(c))
      c = '_';
  return file;
}

bool CommandLine::readText(const std::string &path, std::string &text) {
  std::optional<std::vector<uint8_t>> bytes = host.readFile(path);
  if (!bytes)
    return false;
  text.assign(bytes->begin(), bytes->end());
  return true;
}

bool CommandLine::writeFile(const std::string &path, const std::string &bytes) {
  if (host.writeFile(path, bytes))
    return true;
  callFault("cannot write '" + path + "'");
  return false;
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

int CommandLine::callFault(const std::string &message) {
  if (asJson) {
    result["error"] = json::fixUTF8(message);
    return finish(CallFault);
  }
  host.err("ktir: error: " + message + "\n");
  return CallFault;
}

int CommandLine::finish(int code) {
  if (asJson) {
    result["ok"] = code == Success;
    result["exitCode"] = code;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << json::Value(std::move(result)) << '\n';
    host.out(text);
  }
  return code;
}

void CommandLine::print(const std::vector<Diagnostic> &diagnostics,
                        const SourceText &source) {
  if (asJson)
    return;
  for (const Diagnostic &diagnostic : diagnostics)
    host.err(renderDiagnostic(diagnostic, source));
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

bool CommandLine::readCompileOptions(CompileOptions &compiling) {
  compiling.strict = options.has("--strict");
  compiling.readFile = host.readFile;
  if (!options.has("--device"))
    return true;
  const std::string path = options.get("--device");
  compiling.deviceName = path;
  if (!readText(path, compiling.device)) {
    callFault("cannot read '" + path + "'");
    return false;
  }
  if (llvm::StringRef(compiling.device).trim().empty()) {
    callFault("'" + path + "' is empty, expected a device");
    return false;
  }
  return true;
}

bool CommandLine::readNumber(const char *option, uint64_t low, uint64_t high,
                             uint64_t &value) {
  const std::string text = options.get(option);
  if (!llvm::StringRef(text).getAsInteger(10, value) && value >= low &&
      value <= high)
    return true;
  callFault(std::string("expected an integer from ") + std::to_string(low) +
            " to " + std::to_string(high) + " for '" + option + "', found '" +
            text + "'");
  return false;
}

bool CommandLine::readCaptures(std::vector<Capture> &captures) {
  llvm::SmallVector<llvm::StringRef> entries;
  const std::string all = options.get("--show");
  llvm::StringRef(all).split(entries, ',');
  for (llvm::StringRef entry : entries) {
    Capture capture;
    auto [what, where] = entry.split('@');
    auto [instance, number] = where.split(':');
    auto [line, column] = what.split(':');
    uint64_t execution = 0;
    const bool isPlace = !column.empty();
    if (what.empty() || (entry.contains('@') && instance.empty()) ||
        (where.contains(':') &&
         (number.getAsInteger(10, execution) || !execution)) ||
        (isPlace && (line.getAsInteger(10, capture.line) ||
                     column.getAsInteger(10, capture.column)))) {
      callFault("expected NAME[@TILE[:N]] or LINE:COLUMN[@TILE[:N]] for "
                "'--show', found '" +
                entry.str() + "'");
      return false;
    }
    if (!isPlace)
      capture.name = what.str();
    capture.instance = instance.str();
    if (execution)
      capture.execution = execution;
    captures.push_back(std::move(capture));
  }
  return true;
}

bool CommandLine::readLaunchOptions(LaunchOptions &launching,
                                    ExecutableOptions &preparing) {
  launching.checks = !options.has("--no-checks");
  launching.trace = options.has("--trace");
  if (launching.trace && !options.has("--out")) {
    callFault("'--trace' needs '--out', the folder of trace.json");
    return false;
  }
  if (options.has("--show") && !readCaptures(launching.captures))
    return false;
  const std::string policy = options.get("--policy", "pad");
  if (policy != "pad" && policy != "trap") {
    callFault("expected 'pad' or 'trap' for '--policy', found '" + policy +
              "'");
    return false;
  }
  launching.outOfView = policy == "trap" ? OutOfView::Trap : OutOfView::Pad;
  uint64_t number = 0;
  if (options.has("--seed")) {
    if (!readNumber("--seed", 0, UINT64_MAX, number))
      return false;
    launching.interleaving = number;
  }
  if (options.has("--limit")) {
    if (!readNumber("--limit", 0, UINT64_MAX, number))
      return false;
    launching.limit = number;
  }
  if (options.has("--depth")) {
    if (!readNumber("--depth", 1, 1u << 30, number))
      return false;
    launching.channelDepth = unsigned(number);
  }
  preparing.numerics =
      options.get("--numerics") == "device" ? Numerics::Device : Numerics::Ieee;
  return true;
}

/// Whether what stopped `compilation` is the device that the caller gave, and
/// no kernel.
static bool isAboutDevice(const Compilation &compilation,
                          const CompileOptions &compiling) {
  for (const Diagnostic &diagnostic : compilation.diagnostics())
    if (diagnostic.severity == Severity::Error)
      return !compiling.deviceName.empty() &&
             diagnostic.range.file == compiling.deviceName;
  return false;
}

//===----------------------------------------------------------------------===//
// check
//===----------------------------------------------------------------------===//

int CommandLine::check() {
  if (options.operands.empty())
    return callFault("'check' needs a file");
  int code = Success;
  json::Array files;
  for (const std::string &path : options.operands) {
    CompileOptions compiling;
    compiling.fileName = path;
    compiling.strict = options.has("--strict");
    compiling.readFile = host.readFile;
    compiling.to = Level::Ktir;
    json::Object entry;
    entry["file"] = path;
    std::string text;
    if (!readText(path, text)) {
      // The other files are still worth checking.
      code = CallFault;
      if (!asJson)
        host.err("ktir: error: cannot read '" + path + "'\n");
      entry["ok"] = false;
      entry["error"] = "cannot read '" + path + "'";
      files.push_back(std::move(entry));
      continue;
    }
    Compilation compilation = compile(text, compiling);
    print(compilation.diagnostics(), SourceText(path, text));
    if (!compilation.succeeded() && code == Success)
      code = KernelFault;
    json::Array kernels;
    for (const KernelInfo &kernel : compilation.kernels())
      kernels.push_back(toJson(kernel));
    entry["ok"] = compilation.succeeded();
    entry["level"] = toString(compilation.inputLevel());
    entry["kernels"] = std::move(kernels);
    entry["diagnostics"] = toJson(compilation.diagnostics());
    files.push_back(std::move(entry));
  }
  result["files"] = std::move(files);
  return finish(code);
}

//===----------------------------------------------------------------------===//
// compile
//===----------------------------------------------------------------------===//

static std::string stageFileName(size_t index, const std::string &name) {
  std::string number = std::to_string(index);
  if (number.size() < 2)
    number.insert(0, "0");
  return number + "-" + fileNameOf(name) + ".mlir";
}

/// The text of a stage as the tools of MLIR write one: they end it with an
/// empty line, and a comparison with their output should show no difference.
static std::string fileText(const Compilation &compilation, size_t stage) {
  return compilation.stageText(stage) + "\n";
}

int CommandLine::writeStages(const Compilation &compilation,
                             const std::string &folder) {
  json::Array list;
  for (size_t i = 0; i < compilation.stages().size(); ++i) {
    const StageInfo &stage = compilation.stages()[i];
    const std::string file = stageFileName(i, stage.name);
    if (!writeFile(joinPath(folder, file), fileText(compilation, i)))
      return CallFault;
    json::Value entry = toJson(stage);
    (*entry.getAsObject())["file"] = file;
    list.push_back(std::move(entry));
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv(
      "{0:2}\n", json::Value(json::Object{
                     {"ok", compilation.succeeded()},
                     {"level", toString(compilation.level())},
                     {"diagnostics", toJson(compilation.diagnostics())},
                     {"stages", std::move(list)}}));
  return writeFile(joinPath(folder, "stages.json"), text) ? Success : CallFault;
}

int CommandLine::compileFile() {
  if (options.operands.size() != 1)
    return callFault("'compile' needs one file, found " +
                     std::to_string(options.operands.size()));
  const std::string path = options.operands[0];
  CompileOptions compiling;
  compiling.fileName = path;
  const std::string levelName = options.get("--to", "dataflow");
  std::optional<Level> level = levelFromString(levelName);
  if (!level || *level == Level::Container)
    return callFault("cannot compile to level '" + levelName +
                     "', expected 'ktir', 'schedule', 'units' or 'dataflow'");
  compiling.to = *level;
  compiling.kernel = options.get("--kernel");
  if (!readCompileOptions(compiling))
    return CallFault;
  std::string text;
  if (!readText(path, text))
    return callFault("cannot read '" + path + "'");

  Compilation compilation = compile(text, compiling);
  if (options.has("--kernel") && !findKernel(compilation))
    return CallFault;
  print(compilation.diagnostics(), SourceText(path, text));
  json::Array kernels, stages;
  for (const KernelInfo &kernel : compilation.kernels())
    kernels.push_back(toJson(kernel));
  for (const StageInfo &stage : compilation.stages())
    stages.push_back(toJson(stage));
  result["file"] = path;
  result["level"] = toString(compilation.level());
  result["kernels"] = std::move(kernels);
  result["stages"] = std::move(stages);
  result["diagnostics"] = toJson(compilation.diagnostics());

  if (options.has("--stages"))
    if (int code = writeStages(compilation, options.get("--stages")))
      return code;
  if (!compilation.succeeded())
    return finish(isAboutDevice(compilation, compiling) ? CallFault
                                                        : KernelFault);
  if (*level < compilation.inputLevel())
    return callFault("'" + path + "' is of level '" +
                     toString(compilation.inputLevel()) + "' already, past '" +
                     levelName + "'; give '--to " +
                     toString(compilation.inputLevel()) + "'");
  const std::string lowered =
      fileText(compilation, compilation.stages().size() - 1);
  if (options.has("-o")) {
    if (!writeFile(options.get("-o"), lowered))
      return CallFault;
  } else if (asJson) {
    result["text"] = json::fixUTF8(lowered);
  } else if (!options.has("--stages")) {
    host.out(lowered);
  }
  return finish(Success);
}

//===----------------------------------------------------------------------===//
// fmt
//===----------------------------------------------------------------------===//

int CommandLine::formatFiles() {
  if (options.operands.empty())
    return callFault("'fmt' needs a file");
  if (options.has("--write") && options.has("--check"))
    return callFault("'--write' changes files, '--check' changes none; give "
                     "one of the two");
  int code = Success;
  json::Array files;
  for (const std::string &path : options.operands) {
    json::Object entry;
    entry["file"] = path;
    std::string text;
    if (!readText(path, text))
      return callFault("cannot read '" + path + "'");
    FormatResult formatted = format(text, path);
    print(formatted.diagnostics, SourceText(path, text));
    entry["ok"] = formatted.text.has_value();
    entry["diagnostics"] = toJson(formatted.diagnostics);
    if (!formatted.text) {
      code = KernelFault;
      files.push_back(std::move(entry));
      continue;
    }
    const bool changed = *formatted.text != text;
    entry["changed"] = changed;
    if (options.has("--check")) {
      if (changed) {
        code = KernelFault;
        if (!asJson)
          host.err("ktir: '" + path +
                   "' is not in canonical form; write it "
                   "with 'ktir fmt --write'\n");
      }
    } else if (options.has("--write")) {
      if (changed && !writeFile(path, *formatted.text))
        return CallFault;
    } else if (asJson) {
      entry["text"] = json::fixUTF8(*formatted.text);
    } else {
      host.out(*formatted.text);
    }
    files.push_back(std::move(entry));
  }
  result["files"] = std::move(files);
  return finish(code);
}

//===----------------------------------------------------------------------===//
// run
//===----------------------------------------------------------------------===//

/// The first elements of a tensor of `all` elements, of which `tensor` holds
/// some at least.
static std::string firstElements(const Tensor &tensor, int64_t all) {
  const int64_t shown = std::min<int64_t>(tensor.elements(), 8);
  std::string text;
  for (int64_t i = 0; i < shown; ++i)
    text += (i ? ", " : "") + elementText(tensor, i);
  if (shown < all)
    text += ", ...";
  return text;
}

void CommandLine::printCaptured(const Launch &launched) {
  if (!options.has("--show"))
    return;
  json::Array list;
  for (const CapturedValue &value : launched.captured()) {
    list.push_back(toJson(value));
    if (asJson)
      continue;
    std::string line = "  " + value.name + " on " + value.instance + ": ";
    if (value.tensor)
      line += (value.tensor->shape.empty()
                   ? value.tensor->dtype
                   : describeTensor(value.tensor->dtype, value.tensor->shape)) +
              " = " + firstElements(*value.tensor, value.tensor->elements());
    else
      line += value.text;
    if (value.tensor && value.executions > 1)
      line += " (defined " + std::to_string(value.executions) + " times)";
    host.out(line + "\n");
  }
  result["captured"] = std::move(list);
}

bool CommandLine::findKernel(const Compilation &compilation) {
  std::string why;
  // What holds no kernel at all has an error that says more.
  if (compilation.kernels().empty() ||
      selectKernel(compilation, options.get("--kernel"), why))
    return true;
  callFault(why);
  return false;
}

/// Writes by pieces, since a tensor may be as large as half of what a host has.
bool CommandLine::writeOutput(const Launch &launched, size_t index,
                              const std::string &file) {
  constexpr uint64_t pieceBytes = uint64_t(4) << 20;
  const uint64_t bytes = launched.outputBytes(index);
  std::string piece = npyHeader(launched.outputHeader(index).tensor);
  uint64_t offset = 0;
  do {
    const size_t before = piece.size();
    const uint64_t count = std::min(bytes - offset, pieceBytes);
    piece.resize(before + count);
    launched.readOutput(index, offset, count,
                        reinterpret_cast<uint8_t *>(piece.data()) + before);
    const bool written = offset == 0 ? host.writeFile(file, piece)
                                     : host.appendFile(file, piece);
    if (!written) {
      callFault("cannot write '" + file + "'");
      return false;
    }
    offset += count;
    piece.clear();
  } while (offset < bytes);
  return true;
}

int CommandLine::writeOutputs(const Launch &launched,
                              const Executable &executable,
                              const LaunchOptions &launching) {
  const bool toFiles = options.has("--out");
  const std::string folder = options.get("--out");
  json::Array list;
  for (size_t index = 0; index < launched.outputCount(); ++index) {
    const Output output = launched.outputHeader(index);
    const Tensor &tensor = output.tensor;
    Tensor start{tensor.dtype, {std::min<int64_t>(tensor.elements(), 8)}, {}};
    start.data.resize(start.elements() * dtypeBytes(tensor.dtype));
    launched.readOutput(index, 0, start.data.size(), start.data.data());
    json::Array first;
    for (int64_t i = 0; i < start.elements(); ++i)
      first.push_back(elementText(start, i));
    json::Object entry{{"name", json::fixUTF8(output.name)},
                       {"dtype", tensor.dtype},
                       {"shape", json::Array(tensor.shape)},
                       {"first", std::move(first)}};
    if (!asJson)
      host.out("  " + output.name + ": " +
               describeTensor(tensor.dtype, tensor.shape) + " = " +
               firstElements(start, tensor.elements()) + "\n");
    if (toFiles) {
      const std::string file =
          joinPath(folder, fileNameOf(output.name) + ".npy");
      if (!writeOutput(launched, index, file))
        return CallFault;
      entry["file"] = file;
    }
    list.push_back(std::move(entry));
  }
  result["outputs"] = std::move(list);

  json::Value report = toJson(launched.report());
  if (toFiles) {
    json::Object file = *report.getAsObject();
    file["kernel"] = executable.kernel().name;
    file["level"] = toString(executable.level());
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::formatv("{0:2}\n", json::Value(std::move(file)));
    if (!writeFile(joinPath(folder, "report.json"), text))
      return CallFault;
    std::string written = joinPath(folder, "report.json");
    if (launching.trace) {
      const std::string trace = joinPath(folder, "trace.json");
      if (!writeFile(trace, launched.traceJson() + "\n"))
        return CallFault;
      written += " and " + trace;
      result["traceFile"] = trace;
    }
    if (!asJson)
      host.out("wrote " + counted(launched.outputCount(), "tensor") +
               (launching.trace ? ", " : " and ") + written + "\n");
  }
  result["report"] = std::move(report);
  return Success;
}

/// Seconds between two notes of what takes long.
static constexpr double secondsPerNote = 2;

int CommandLine::reportValidation(const Compilation &compilation,
                                  const std::string &kernel,
                                  const std::vector<ArgumentValue> &arguments,
                                  const LaunchOptions &launching,
                                  const ExecutableOptions &preparing) {
  bool allMatch = true;
  unsigned executed = 0;
  json::Array list;
  Validation validation(compilation, kernel, arguments, launching, preparing);
  for (double seconds = secondsPerNote;
       validation.advanceFor(1000 * secondsPerNote); seconds += secondsPerNote)
    host.err("ktir: validating for " + std::to_string(int(seconds)) +
             " s, stage " + std::to_string(validation.results().size()) +
             " of " + std::to_string(compilation.stages().size() - 1) + ", " +
             std::to_string(validation.progress().done) + " steps of it\n");
  for (const StageValidation &entry : validation.results()) {
    const StageInfo &stage = compilation.stages()[entry.stage];
    const bool hasEngine =
        stage.level == Level::Ktir || stage.level == Level::Dataflow;
    executed += entry.executed;
    if (hasEngine && !entry.matches)
      allMatch = false;
    std::string verdict = entry.matches    ? "same bytes"
                          : entry.executed ? "differs: " + entry.message
                                           : "not run: " + entry.message;
    if (!asJson)
      host.out("  stage " + std::to_string(entry.stage) + " " + stage.name +
               " (" + toString(stage.level) + "): " + verdict + "\n");
    list.push_back(json::Object{{"stage", int64_t(entry.stage)},
                                {"name", stage.name},
                                {"level", toString(stage.level)},
                                {"executed", entry.executed},
                                {"matches", entry.matches},
                                {"message", json::fixUTF8(entry.message)}});
  }
  result["validation"] = std::move(list);
  if (!asJson)
    host.out(!allMatch ? "the stages do not agree\n"
             : executed == 1
                 ? "one stage was executed, with none to compare it with\n"
                 : "all " + std::to_string(executed) +
                       " executed stages leave the same bytes\n");
  return allMatch ? Success : KernelFault;
}

int CommandLine::runKernel() {
  if (options.operands.size() != 1)
    return callFault("'run' needs one file, found " +
                     std::to_string(options.operands.size()));
  const std::string path = options.operands[0];
  LaunchOptions launching;
  ExecutableOptions preparing;
  CompileOptions compiling;
  compiling.fileName = path;
  if (!readLaunchOptions(launching, preparing) ||
      !readCompileOptions(compiling))
    return CallFault;
  std::optional<Level> level;
  if (options.has("--level")) {
    level = levelFromString(options.get("--level"));
    if (level != Level::Ktir && level != Level::Dataflow)
      return callFault("level '" + options.get("--level") +
                       "' cannot be run, expected 'ktir' or 'dataflow'");
  }
  compiling.to =
      options.has("--validate") ? Level::Dataflow : level.value_or(Level::Ktir);
  if (options.has("--depth") && level == Level::Ktir &&
      !options.has("--validate"))
    return callFault("'--depth' is for level 'dataflow'; level 'ktir' has no "
                     "channels");
  if (options.has("--cost")) {
    const std::string profile = options.get("--cost");
    if (profile != "interpreter" && profile != "measured")
      return callFault("expected 'interpreter' or 'measured' for '--cost', "
                       "found '" +
                       profile + "'");
    if (level == Level::Dataflow)
      return callFault("'--cost' is for level 'ktir'");
  }
  std::string text;
  if (!readText(path, text))
    return callFault("cannot read '" + path + "'");

  std::vector<ArgumentValue> arguments;
  if (options.has("--args")) {
    const std::string file = options.get("--args");
    std::string argumentText;
    if (!readText(file, argumentText))
      return callFault("cannot read '" + file + "'");
    std::vector<Diagnostic> problems;
    arguments = parseArguments(
        argumentText, file,
        [&](const std::string &name) {
          return host.readFile(isAbsolute(name) ? name : folderOf(file) + name);
        },
        problems, Contents::Generated);
    print(problems, SourceText(file, argumentText));
    if (hasErrors(problems)) {
      result["diagnostics"] = toJson(problems);
      return finish(CallFault);
    }
  }

  const SourceText source(path, text);
  compiling.kernel = options.get("--kernel");
  Compilation compilation = compile(text, compiling);
  // Of a kernel that is not lowered, what stages there are.
  if (!compilation.succeeded() && options.has("--validate") &&
      level == Level::Ktir) {
    compiling.to = Level::Ktir;
    compilation = compile(text, compiling);
  }
  if (!findKernel(compilation))
    return CallFault;
  print(compilation.diagnostics(), source);
  result["file"] = path;
  result["diagnostics"] = toJson(compilation.diagnostics());
  if (!compilation.succeeded())
    return finish(isAboutDevice(compilation, compiling) ? CallFault
                                                        : KernelFault);

  Level running = level.value_or(compilation.inputLevel());
  Executable executable =
      prepare(compilation, options.get("--kernel"), running, preparing);
  if (!executable.valid()) {
    // Without a position it is the choice of kernel or level that is wrong,
    // if there is one.
    if (!compilation.kernels().empty())
      for (const Diagnostic &diagnostic : executable.diagnostics())
        if (diagnostic.range.line == 0)
          return callFault(diagnostic.message);
    print(executable.diagnostics(), source);
    result["diagnostics"] = toJson(executable.diagnostics());
    return finish(KernelFault);
  }
  // Only a validation needs the arguments once more.
  Launch launched = options.has("--validate")
                        ? launch(executable, arguments, launching)
                        : launch(executable, std::move(arguments), launching);
  if (launched.rejected()) {
    if (!asJson)
      for (const Diagnostic &finding : launched.findings())
        host.err("ktir: error: " + finding.message + "\n");
    result["findings"] = toJson(launched.findings());
    return finish(CallFault);
  }
  // A run may take long: what cannot be written is better known before it.
  if (options.has("--out") && !host.makeFolder(options.get("--out")))
    return callFault("cannot write into the folder '" + options.get("--out") +
                     "'; give another with '--out'");
  for (double seconds = secondsPerNote;
       launched.advanceFor(1000 * secondsPerNote) == LaunchStatus::Running;
       seconds += secondsPerNote)
    host.err("ktir: running for " + std::to_string(int(seconds)) + " s, " +
             std::to_string(launched.progress().done) + " steps\n");
  const KernelInfo &kernel = executable.kernel();
  result["kernel"] = kernel.name;
  result["level"] = toString(running);
  result["findings"] = toJson(launched.findings());
  print(launched.findings(), source);
  if (launched.status() != LaunchStatus::Finished) {
    printCaptured(launched);
    return finish(KernelFault);
  }
  if (!asJson)
    host.out("ran '" + kernel.name + "' at level " + toString(running) + ": " +
             counted(launched.report().instances.size(),
                     running == Level::Ktir ? "tile" : "unit") +
             ", " + counted(launched.report().instructions, "instruction") +
             "\n");
  printCaptured(launched);
  if (options.has("--cost") && !asJson) {
    const Report report = launched.report();
    for (const CostEstimate &cost : report.costs)
      if (cost.profile == options.get("--cost"))
        host.out(costTable(cost));
    host.out(scratchpadTable(report));
  }
  if (int code = writeOutputs(launched, executable, launching))
    return code;
  int code = Success;
  if (options.has("--validate"))
    code = reportValidation(compilation, kernel.name, arguments, launching,
                            preparing);
  return finish(code);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

int CommandLine::run() {
  for (const std::string &word : words)
    asJson = asJson || word == "--json";
  if (words.empty()) {
    host.err(usage());
    return CallFault;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    host.out(usage());
    return Success;
  }
  if (words[0] == "--version") {
    host.out(std::string("ktir ") + version() + "\n");
    return Success;
  }
  const CommandSpec *command = nullptr;
  std::vector<std::string> names;
  for (const CommandSpec &candidate : commands()) {
    names.push_back(candidate.name);
    if (words[0] == candidate.name)
      command = &candidate;
  }
  if (!command) {
    std::string message = "unknown command '" + words[0] + "'";
    if (std::optional<std::string> near = nearestName(words[0], names))
      message += "; did you mean '" + *near + "'?";
    else
      message += ", expected 'check', 'compile', 'fmt', 'run' or 'serve'";
    return callFault(message);
  }
  result["command"] = command->name;

  std::vector<OptionSpec> specs = command->options;
  specs.insert(specs.end(), commonOptions.begin(), commonOptions.end());
  std::string error;
  std::optional<ParsedOptions> parsed = parseOptions(words, 1, specs, error);
  if (!parsed)
    return callFault(error);
  options = std::move(*parsed);
  if (options.has("--help") || options.has("-h")) {
    host.out(usage(*command));
    return Success;
  }
  if (options.has("--version")) {
    host.out(std::string("ktir ") + version() + "\n");
    return Success;
  }
  const std::string numerics = options.get("--numerics", "ieee");
  if (numerics != "ieee" && numerics != "device")
    return callFault("expected 'ieee' or 'device' for '--numerics', found '" +
                     numerics + "'");

  const std::string name = command->name;
  if (name == "check")
    return check();
  if (name == "compile")
    return compileFile();
  if (name == "fmt")
    return formatFiles();
  if (name == "run")
    return runKernel();
  return callFault("the native tool does not serve the playground; the npm "
                   "package does: 'npx ktir serve'");
}

int runCommandLine(const std::vector<std::string> &arguments,
                   CommandLineHost &host) {
  return CommandLine(arguments, host).run();
}

} // namespace ktir
