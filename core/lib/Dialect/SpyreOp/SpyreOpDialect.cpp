//===- SpyreOpDialect.cpp - Dialect, types and attributes of spyreop ------===//

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::spyreop;

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.cpp.inc"
#include "ktir/Dialect/SpyreOp/SpyreOpEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpTypes.cpp.inc"

void SpyreOpDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/SpyreOp/SpyreOpAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ktir/Dialect/SpyreOp/SpyreOpTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/SpyreOp/SpyreOpOps.cpp.inc"
      >();
}

Operation *SpyreOpDialect::materializeConstant(OpBuilder &builder,
                                               Attribute value, Type type,
                                               Location loc) {
  auto number = dyn_cast<FloatAttr>(value);
  if (!number || number.getType() != type || !(type.isF16() || type.isF32()))
    return nullptr;
  return ConstantOp::create(builder, loc, number);
}

Type ktir::spyreop::getFusedType(Type scalar) {
  MLIRContext *context = scalar.getContext();
  if (isa<DF16Type>(scalar))
    return DF16FusedType::get(context);
  if (scalar.isF16())
    return FP16FusedType::get(context);
  if (scalar.isF32())
    return FP32FusedType::get(context);
  return {};
}

Type ktir::spyreop::getScalarType(Type fused) {
  MLIRContext *context = fused.getContext();
  if (isa<DF16FusedType>(fused))
    return DF16Type::get(context);
  if (isa<FP16FusedType>(fused))
    return Float16Type::get(context);
  if (isa<FP32FusedType>(fused))
    return Float32Type::get(context);
  return {};
}
