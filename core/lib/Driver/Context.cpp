//===- Context.cpp - The MLIR context of the process ----------------------===//

#include "Context.h"

#include "ktir/Device/Device.h"
#include "ktir/Lower/Pipeline.h"

namespace ktir {

static mlir::MLIRContext *makeContext() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  auto *context =
      new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Diagnostics are values with ranges; the op's text would only repeat the
  // source.
  context->printOpOnDiagnostic(false);
  registerDefaultDevice(*context);
  return context;
}

mlir::MLIRContext &processContext() {
  static mlir::MLIRContext *context = makeContext();
  return *context;
}

} // namespace ktir
