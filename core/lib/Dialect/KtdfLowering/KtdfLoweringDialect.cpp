//===- KtdfLoweringDialect.cpp - The ktdf_lowering dialect ----------------===//

#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.h"

using namespace mlir;
using namespace ktir::ktdf_lowering;

#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ktir/Dialect/KtdfLowering/KtdfLoweringOps.cpp.inc"

void KtdfLoweringDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/KtdfLowering/KtdfLoweringOps.cpp.inc"
      >();
}

void ExecuteOnOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange units) {
  state.addOperands(units);
  state.addRegion()->emplaceBlock();
}

LogicalResult ExecuteOnOp::verify() {
  if (getUnits().empty())
    return emitOpError("expected at least one unit");
  return success();
}

LogicalResult SignalOp::verify() {
  if (getUnits().empty())
    return emitOpError("expected at least one unit");
  return success();
}
