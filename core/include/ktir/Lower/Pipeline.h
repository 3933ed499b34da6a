//===- Pipeline.h - The passes from KTIR to DataflowIR ----------*- C++ -*-===//

#ifndef KTIR_LOWER_PIPELINE_H
#define KTIR_LOWER_PIPELINE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ktir {

/// Adds every dialect that a program may hold at any level.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers every pass under its command-line name, and the whole way to
/// DataflowIR as the pipeline `ktir-to-dataflow`.
void registerPasses();

struct PipelineOptions {
  /// What the module's device declaration imports, unless it has one.
  std::string device = "spyre.mlir";
};

/// The language of a module after a pass.
enum class StageLevel { Ktir, Schedule, Units, Dataflow };

/// Builds the passes from KTIR to `to`, in order.
void buildPipeline(mlir::OpPassManager &manager, StageLevel to,
                   const PipelineOptions &options = {});

/// Builds the whole way to DataflowIR.
void buildDataflowPipeline(mlir::OpPassManager &manager,
                           const PipelineOptions &options = {});

/// The level of the module after the pass called `name`; nullopt for passes
/// that stay on the level they find, such as the canonicaliser.
std::optional<StageLevel> stageLevelOf(llvm::StringRef name);

} // namespace ktir

#endif // KTIR_LOWER_PIPELINE_H
