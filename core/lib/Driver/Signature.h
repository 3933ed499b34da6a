//===- Signature.h - What the arguments of a kernel are ---------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_SIGNATURE_H
#define KTIR_LIB_DRIVER_SIGNATURE_H

#include "ParseSource.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ktir {

/// The lowest level whose operations `module` uses.
Level detectLevel(mlir::ModuleOp module);

/// Functions that are launched, in text order: those with a body that no call
/// names and, at level ktir, those with a grid.
std::vector<mlir::func::FuncOp> findKernels(mlir::ModuleOp module, Level level);

/// Names and ranges come from `state`, which must be the parse of `text`.
KernelInfo describeKernel(mlir::func::FuncOp kernel, Level level,
                          const mlir::AsmParserState &state,
                          const ReadText &text);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_SIGNATURE_H
