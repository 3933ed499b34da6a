//===- StageRecorder.h - Stages from pass instrumentation -------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_STAGERECORDER_H
#define KTIR_LIB_DRIVER_STAGERECORDER_H

#include "CompilationImpl.h"

#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>

namespace ktir {

/// Appends the program as it is now as a stage.
void recordStage(Compilation::Impl &compilation, mlir::ModuleOp module,
                 llvm::StringRef name, Level level, double milliseconds);

/// Skips, for its lifetime, the passes after one pass.
class StopAfterPass {
public:
  /// With an empty `name` every pass runs.
  StopAfterPass(mlir::MLIRContext &context, llvm::StringRef name);
  ~StopAfterPass();

  /// Tells that the pass called `passArgument` has run.
  void ran(llvm::StringRef passArgument) {
    if (!name.empty() && passArgument == name)
      stopped = true;
  }
  /// True when the pass has run.
  bool reached() const { return stopped; }

private:
  mlir::MLIRContext &context;
  std::string name;
  bool stopped = false;
};

/// Records a stage after every pass on the module. Passes nested in the module
/// make one stage together, named after all of them.
class StageRecorder : public mlir::PassInstrumentation {
public:
  StageRecorder(Compilation::Impl &compilation, mlir::ModuleOp root,
                StopAfterPass &stop)
      : compilation(compilation), root(root), stop(stop) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

  /// Name of the pass that failed, empty when none did.
  const std::string &failedPass() const { return failed; }

private:
  Compilation::Impl &compilation;
  mlir::ModuleOp root;
  StopAfterPass &stop;
  std::chrono::steady_clock::time_point begin;
  /// Names of the nested passes that ran since the last stage.
  std::vector<std::string> nested;
  std::string failed;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_STAGERECORDER_H
