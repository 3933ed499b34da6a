//===- JsonOutput.h - Driver values as JSON ---------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_JSONOUTPUT_H
#define KTIR_LIB_DRIVER_JSONOUTPUT_H

#include "ktir/Driver/Driver.h"

#include "llvm/Support/JSON.h"

namespace ktir {

llvm::json::Value toJson(const Diagnostic &diagnostic);
llvm::json::Value toJson(const std::vector<Diagnostic> &diagnostics);
llvm::json::Value toJson(const KernelInfo &kernel);
llvm::json::Value toJson(const StageInfo &stage);
llvm::json::Value toJson(const Report &report);
/// With every element as text, so that nothing is rounded.
llvm::json::Value toJson(const CapturedValue &value);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_JSONOUTPUT_H
