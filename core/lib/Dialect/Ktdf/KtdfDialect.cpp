//===- KtdfDialect.cpp - The ktdf dialect, its types and attributes -------===//

#include "ktir/Dialect/Ktdf/KtdfDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf;

#include "ktir/Dialect/Ktdf/KtdfDialect.cpp.inc"

#include "ktir/Dialect/Ktdf/KtdfEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Ktdf/KtdfAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Ktdf/KtdfTypes.cpp.inc"

void KtdfDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/Ktdf/KtdfAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ktir/Dialect/Ktdf/KtdfTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Ktdf/KtdfOps.cpp.inc"
      >();
}

Operation *KtdfDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// FifoSlotType
//===----------------------------------------------------------------------===//

FifoSlotType FifoSlotType::get(MLIRContext *context, StringRef source,
                               StringRef destination, int64_t size,
                               Type elementType) {
  return get(context, StringAttr::get(context, source),
             StringAttr::get(context, destination), size, elementType);
}

bool FifoSlotType::isDynamic() const {
  return ShapedType::isDynamic(getSize());
}

LogicalResult FifoSlotType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute source, Attribute destination,
                                   int64_t size, Type elementType) {
  if (!ShapedType::isDynamic(size) && size < 1)
    return emitError() << "expected FIFO slot size >= 1, got " << size;
  if (isa<ShapedType, FifoSlotType, TokenType>(elementType))
    return emitError() << "expected a scalar FIFO slot element type, got "
                       << elementType;
  return success();
}

Type FifoSlotType::parse(AsmParser &parser) {
  Attribute source, destination;
  SmallVector<int64_t> dims;
  Type elementType;
  if (parser.parseLess() || parser.parseAttribute(source) ||
      parser.parseArrow() || parser.parseAttribute(destination) ||
      parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/true,
                                /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (dims.size() != 1) {
    parser.emitError(loc) << "expected one FIFO slot dimension, got "
                          << dims.size();
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    source, destination, dims.front(), elementType);
}

void FifoSlotType::print(AsmPrinter &printer) const {
  printer << '<' << getSource() << " -> " << getDestination() << ", ";
  printer.printDimensionList({getSize()});
  printer << 'x' << getElementType() << '>';
}
