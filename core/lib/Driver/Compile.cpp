//===- Compile.cpp - From text to stages ----------------------------------===//

#include "CompilationImpl.h"
#include "Context.h"
#include "Diagnostics.h"
#include "Signature.h"
#include "StageRecorder.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Lower/Pipeline.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

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
// Parsing
//===----------------------------------------------------------------------===//

/// Gives every operation and block argument the place of its text. Producers
/// write locations of files that the user does not have; they carry no meaning
/// (KTIR §2.1), and diagnostics must point into the text that was compiled.
static void relocate(mlir::ModuleOp module, const mlir::AsmParserState &state,
                     const SourceText &source) {
  mlir::MLIRContext *context = module.getContext();
  auto file = mlir::StringAttr::get(context, source.file());
  auto locationOf = [&](llvm::SMRange range) -> mlir::Location {
    const char *base = source.text().data();
    SourceRange place = source.rangeOf(range.Start.getPointer() - base,
                                       range.End.getPointer() - base);
    return mlir::FileLineColRange::get(file, place.line, place.column,
                                       place.endLine, place.endColumn);
  };
  module->setLoc(mlir::FileLineColRange::get(file, 1, 1));
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (const auto *definition = state.getOpDef(op))
      op->setLoc(locationOf(definition->loc));
    else if (op != module)
      op->setLoc(op->getParentOp()->getLoc()); // implicit terminators
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        const auto *definition = state.getBlockDef(&block);
        for (mlir::BlockArgument argument : block.getArguments()) {
          const unsigned number = argument.getArgNumber();
          if (definition && number < definition->arguments.size() &&
              definition->arguments[number].loc.isValid())
            argument.setLoc(locationOf(definition->arguments[number].loc));
          else
            argument.setLoc(op->getLoc());
        }
      }
  });
}

/// The only module of `block`, or a new one around everything in it.
static mlir::OwningOpRef<mlir::ModuleOp>
takeModule(mlir::Block &block, mlir::MLIRContext *context) {
  if (llvm::hasSingleElement(block))
    if (auto module = llvm::dyn_cast<mlir::ModuleOp>(&block.front())) {
      module->remove();
      return module;
    }
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  mlir::Block *body = module->getBody();
  body->getOperations().splice(body->end(), block.getOperations());
  return module;
}

/// Parses and verifies the source; null after an error.
static mlir::OwningOpRef<mlir::ModuleOp>
parseSource(Compilation::Impl &compilation, mlir::AsmParserState &state,
            mlir::MLIRContext &context) {
  const SourceText &source = compilation.source;
  if (std::optional<NestingProblem> problem =
          findExcessiveNesting(source.text())) {
    Diagnostic diagnostic = plainError(problem->message);
    diagnostic.range = source.rangeOf(problem->offset, problem->offset + 1);
    compilation.diagnostics.push_back(std::move(diagnostic));
    return {};
  }
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.text(), source.file()),
      llvm::SMLoc());
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  mlir::Block block;
  if (mlir::failed(mlir::parseAsmSourceFile(manager, &block, config, &state)))
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> module = takeModule(block, &context);
  relocate(*module, state, source);
  if (mlir::failed(mlir::verify(*module)))
    return {};
  return module;
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
  context.getOrLoadDialect<ktdp::KtdpDialect>()->setStrict(options.strict);
  DiagnosticCollector collector(&context, compilation.source,
                                compilation.diagnostics);
  compilation.device =
      DeviceSource(options.deviceName, options.device, options.readFile);
  DeviceSourceScope sources(context, compilation.device);

  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseSource(compilation, state, context);
  if (!module)
    return result;
  compilation.inputLevel = detectLevel(*module);
  for (mlir::func::FuncOp kernel : findKernels(*module, compilation.inputLevel))
    compilation.kernels.push_back(describeKernel(kernel, compilation.inputLevel,
                                                 state, compilation.source));
  recordStage(compilation, *module, "input", compilation.inputLevel, 0);

  const bool wantsPasses =
      options.to > compilation.inputLevel || !options.stopAfter.empty();
  if (compilation.inputLevel == Level::Ktir && wantsPasses)
    if (!lower(compilation, *module, options, collector))
      return result;
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
