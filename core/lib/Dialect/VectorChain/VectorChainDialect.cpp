//===- VectorChainDialect.cpp - Dialect and attributes --------------------===//

#include "ktir/Dialect/VectorChain/VectorChainDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::vectorchain;

#include "ktir/Dialect/VectorChain/VectorChainDialect.cpp.inc"
#include "ktir/Dialect/VectorChain/VectorChainEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/VectorChain/VectorChainAttributes.cpp.inc"

void VectorChainDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/VectorChain/VectorChainAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/VectorChain/VectorChainOps.cpp.inc"
      >();
}
