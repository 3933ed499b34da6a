//===- CompilationImpl.h - What a compilation keeps -------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_COMPILATIONIMPL_H
#define KTIR_LIB_DRIVER_COMPILATIONIMPL_H

#include "DeviceSource.h"
#include "TextScan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ktir {

struct Compilation::Impl {
  SourceText source;
  DeviceSource device;
  std::vector<Diagnostic> diagnostics;
  std::vector<KernelInfo> kernels;
  std::vector<StageInfo> stages;
  /// The program after each stage; a stage that changed nothing shares the
  /// module of the one before.
  std::vector<std::shared_ptr<mlir::OwningOpRef<mlir::ModuleOp>>> modules;
  Level inputLevel = Level::Ktir;
  bool succeeded = false;
};

/// The kernel called `name`, or the only one when that is empty; null, with the
/// reason in `why`, where there is no such kernel.
const KernelInfo *selectKernel(const Compilation &compilation,
                               const std::string &name, std::string &why);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_COMPILATIONIMPL_H
