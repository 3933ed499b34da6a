//===- AgenDialect.cpp - Dialect, attributes and interfaces ---------------===//

#include "ktir/Dialect/Agen/AgenDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::agen;

#include "ktir/Dialect/Agen/AgenDialect.cpp.inc"
#include "ktir/Dialect/Agen/AgenEnums.cpp.inc"
#include "ktir/Dialect/Agen/AgenInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Agen/AgenAttributes.cpp.inc"

MLIR_DEFINE_EXPLICIT_TYPE_ID(ktir::agen::MaskStateResource)

void AgenDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/Agen/AgenAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Agen/AgenOps.cpp.inc"
      >();
}
