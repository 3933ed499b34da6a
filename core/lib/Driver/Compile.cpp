//===- Compile.cpp - From text to stages ----------------------------------===//

#include "CompilationImpl.h"
#include "Context.h"
#include "Diagnostics.h"
#include "ParseSource.h"
#include "Signature.h"
#include "StageRecorder.h"

#include "ktir/Lower/Pipeline.h"

#include "mlir/Pass/PassManager.h"

namespace ktir {

const char *toString(Level level) {
  static const char *const names[] = {"ktir", "schedule", "units", "dataflow",
                                      "container"};
  return names[unsigned(level)];
}

std::optional<Level> levelFromString(const std::string &name) {
  for (Level level : {Level::Ktir, Level::Schedule, Level::Units,
                      Level::Dataflow, Level::Container})
    if (name == toString(level))
      return level;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static StageLevel lastStageLevel(const CompileOptions &options) {
  if (!options.stopAfter.empty())
    return StageLevel::Dataflow;
  switch (options.to) {
  case Level::Ktir:
    return StageLevel::Ktir;
  case Level::Schedule:
    return StageLevel::Schedule;
  case Level::Units:
    return StageLevel::Units;
  case Level::Dataflow:
  case Level::Container:
    return StageLevel::Dataflow;
  }
  return StageLevel::Dataflow;
}

/// Notes at the error that ended the lowering of a kernel which pass that was,
/// and how to run the kernel all the same.
static void noteFailedPass(Compilation::Impl &compilation,
                           const std::string &pass) {
  for (Diagnostic &diagnostic : llvm::reverse(compilation.diagnostics)) {
    if (diagnostic.severity != Severity::Error)
      continue;
    // A device at fault is to be mended, not avoided.
    if (diagnostic.range.file == compilation.source.file())
      diagnostic.notes.push_back(
          {{},
           "pass '" + pass +
               "' stopped here; to run the kernel as it is, choose level "
               "'ktir'"});
    return;
  }
}

/// Takes the kernels out of `module` that `name`, which is one of `kernels`,
/// does not need.
static void keepKernel(mlir::ModuleOp module,
                       llvm::ArrayRef<mlir::func::FuncOp> kernels,
                       const std::string &name) {
  auto isNamed = [&](mlir::func::FuncOp kernel) {
    return kernel.getName() == name;
  };
  if (llvm::none_of(kernels, isNamed))
    return;
  // One that calls another keeps it, until it goes itself.
  llvm::SmallVector<mlir::func::FuncOp> others;
  llvm::copy_if(kernels, std::back_inserter(others),
                [&](mlir::func::FuncOp kernel) { return !isNamed(kernel); });
  for (bool changed = true; changed;) {
    const size_t before = others.size();
    llvm::erase_if(others, [&](mlir::func::FuncOp kernel) {
      if (!mlir::SymbolTable::symbolKnownUseEmpty(kernel, module))
        return false;
      kernel.erase();
      return true;
    });
    changed = others.size() != before;
  }
}

/// Runs the pipeline on `module` and records its stages. False after an error.
static bool lower(Compilation::Impl &compilation, mlir::ModuleOp module,
                  const CompileOptions &options,
                  DiagnosticCollector &collector) {
  mlir::MLIRContext &context = *module.getContext();
  StopAfterPass stop(context, options.stopAfter);
  mlir::PassManager manager(&context);
  PipelineOptions pipeline;
  pipeline.device = compilation.device.path;
  buildPipeline(manager, lastStageLevel(options), pipeline);
  auto recorder = std::make_unique<StageRecorder>(compilation, module, stop);
  StageRecorder &stages = *recorder;
  manager.addInstrumentation(std::move(recorder));

  const unsigned errorsBefore = collector.errors();
  if (mlir::failed(manager.run(module))) {
    if (collector.errors() == errorsBefore) {
      Diagnostic diagnostic =
          plainError("pass '" + stages.failedPass() + "' failed");
      diagnostic.range = sourceRange(module.getLoc(), compilation.source);
      compilation.diagnostics.push_back(std::move(diagnostic));
    }
    if (!compilation.kernels.empty())
      noteFailedPass(compilation, stages.failedPass());
    return false;
  }
  if (!options.stopAfter.empty() && !stop.reached()) {
    compilation.diagnostics.push_back(
        plainError("there is no pass '" + options.stopAfter + "'"));
    return false;
  }
  return true;
}

Compilation compile(const std::string &text, const CompileOptions &options) {
  Compilation result;
  Compilation::Impl &compilation = *result.state;
  compilation.source = SourceText(options.fileName, text);
  mlir::MLIRContext &context = processContext();
  DiagnosticCollector collector(&context, compilation.source,
                                compilation.diagnostics);
  compilation.device =
      DeviceSource(options.deviceName, options.device, options.readFile);
  DeviceSourceScope sources(context, compilation.device);

  const ReadText read(compilation.source, options.strict,
                      compilation.diagnostics);
  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseSource(read, state, context, collector);
  if (!module)
    return result;
  compilation.inputLevel = detectLevel(*module);
  const std::vector<mlir::func::FuncOp> kernels =
      findKernels(*module, compilation.inputLevel);
  for (mlir::func::FuncOp kernel : kernels)
    compilation.kernels.push_back(
        describeKernel(kernel, compilation.inputLevel, state, read));
  recordStage(compilation, *module, "input", compilation.inputLevel, 0);
  if (read.isRefused())
    return result;
  if (compilation.inputLevel == Level::Ktir &&
      !isLegal(*module, options.strict, compilation.device))
    return result;

  const bool wantsPasses =
      options.to > compilation.inputLevel || !options.stopAfter.empty();
  if (compilation.inputLevel == Level::Ktir && wantsPasses) {
    keepKernel(*module, kernels, options.kernel);
    if (!lower(compilation, *module, options, collector))
      return result;
  }
  if (options.stopAfter.empty() && result.level() < options.to) {
    compilation.diagnostics.push_back(plainError(
        std::string("cannot lower to level '") + toString(options.to) +
        "' from text of level '" + toString(compilation.inputLevel) +
        "': the result is of level '" + toString(result.level()) + "'"));
    return result;
  }
  compilation.succeeded = collector.errors() == 0;
  return result;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

Compilation::Compilation() : state(std::make_unique<Impl>()) {}
Compilation::~Compilation() = default;
Compilation::Compilation(Compilation &&) noexcept = default;
Compilation &Compilation::operator=(Compilation &&) noexcept = default;

bool Compilation::succeeded() const { return state->succeeded; }

const std::vector<Diagnostic> &Compilation::diagnostics() const {
  return state->diagnostics;
}

const std::vector<KernelInfo> &Compilation::kernels() const {
  return state->kernels;
}

const std::vector<StageInfo> &Compilation::stages() const {
  return state->stages;
}

std::string Compilation::stageText(size_t index) const {
  if (index >= state->modules.size())
    return {};
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*state->modules[index])->print(stream);
  // The printer ends a text with an empty line.
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  text += '\n';
  return text;
}

Level Compilation::level() const {
  return state->stages.empty() ? state->inputLevel : state->stages.back().level;
}

Level Compilation::inputLevel() const { return state->inputLevel; }

} // namespace ktir
