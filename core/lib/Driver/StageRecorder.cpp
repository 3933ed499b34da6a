//===- StageRecorder.cpp - Stages from pass instrumentation ---------------===//

#include "StageRecorder.h"

#include "ktir/Lower/Pipeline.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace ktir {

static std::vector<std::pair<std::string, unsigned>>
countOperations(mlir::ModuleOp module) {
  llvm::StringMap<unsigned> counts;
  module.walk([&](mlir::Operation *op) {
    if (op != module)
      ++counts[op->getName().getStringRef()];
  });
  std::vector<std::pair<std::string, unsigned>> sorted;
  for (const auto &entry : counts)
    sorted.push_back({entry.getKey().str(), entry.getValue()});
  std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return sorted;
}

void recordStage(Compilation::Impl &compilation, mlir::ModuleOp module,
                 llvm::StringRef name, Level level, double milliseconds) {
  StageInfo stage;
  stage.name = name.str();
  stage.level = level;
  stage.milliseconds = milliseconds;
  stage.changed = compilation.modules.empty() ||
                  !mlir::OperationEquivalence::isEquivalentTo(
                      compilation.modules.back()->get(), module,
                      mlir::OperationEquivalence::Flags::IgnoreLocations);
  if (stage.changed) {
    stage.opCounts = countOperations(module);
    compilation.modules.push_back(
        std::make_shared<mlir::OwningOpRef<mlir::ModuleOp>>(module.clone()));
  } else {
    stage.opCounts = compilation.stages.back().opCounts;
    compilation.modules.push_back(compilation.modules.back());
  }
  compilation.stages.push_back(std::move(stage));
}

static std::optional<Level> levelAfter(llvm::StringRef passArgument) {
  if (std::optional<StageLevel> level = stageLevelOf(passArgument))
    return Level(unsigned(*level));
  return std::nullopt;
}

StopAfterPass::StopAfterPass(mlir::MLIRContext &context, llvm::StringRef name)
    : context(context), name(name.str()) {
  context.registerActionHandler([this](llvm::function_ref<void()> transform,
                                       const mlir::tracing::Action &action) {
    if (!stopped || !llvm::isa<mlir::PassExecutionAction>(action))
      transform();
  });
}

StopAfterPass::~StopAfterPass() { context.registerActionHandler(nullptr); }

void StageRecorder::runBeforePass(mlir::Pass *, mlir::Operation *op) {
  if (op == root.getOperation()) {
    nested.clear();
    begin = std::chrono::steady_clock::now();
  }
}

void StageRecorder::runAfterPass(mlir::Pass *pass, mlir::Operation *op) {
  const std::string name = pass->getArgument().str();
  if (stop.reached())
    return; // skipped
  stop.ran(name);
  if (op != root.getOperation()) {
    if (!name.empty() && !llvm::is_contained(nested, name))
      nested.push_back(name);
    return;
  }
  const double milliseconds = std::chrono::duration<double, std::milli>(
                                  std::chrono::steady_clock::now() - begin)
                                  .count();
  Level level = compilation.stages.back().level;
  if (std::optional<Level> after =
          levelAfter(nested.empty() ? name : nested.back()))
    level = *after;
  recordStage(compilation, root,
              nested.empty() ? name : llvm::join(nested, ","), level,
              milliseconds);
}

void StageRecorder::runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) {
  // The adaptor of a nested pass fails after it and has no name.
  if (failed.empty())
    failed = pass->getArgument().str();
}

} // namespace ktir
