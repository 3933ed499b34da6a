//===- DataflowDialect.cpp - Dialect, types and vector queries ------------===//

#include "ktir/Dialect/Dataflow/DataflowDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::dataflow;

#include "ktir/Dialect/Dataflow/DataflowDialect.cpp.inc"
#include "ktir/Dialect/Dataflow/DataflowEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Dataflow/DataflowAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Dataflow/DataflowTypes.cpp.inc"

MLIR_DEFINE_EXPLICIT_TYPE_ID(ktir::dataflow::ChannelResource)

void DataflowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ktir/Dialect/Dataflow/DataflowTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/Dataflow/DataflowAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Dataflow/DataflowOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

unsigned CustomType::getWidth() const {
  return getKind() == CustomKind::MXFP8 ? 8 : 4;
}

static LogicalResult verifyWidth(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned width) {
  if (width == 0 || width > 64)
    return emitError() << "expected a width of 1 to 64 bits, but got " << width;
  return success();
}

LogicalResult MXFPType::verify(function_ref<InFlightDiagnostic()> emitError,
                               unsigned width) {
  return verifyWidth(emitError, width);
}

LogicalResult MXIntType::verify(function_ref<InFlightDiagnostic()> emitError,
                                unsigned width) {
  return verifyWidth(emitError, width);
}

LogicalResult
CustomVectorType::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t length, Type elementType) {
  if (length < 1)
    return emitError() << "expected at least one element, but got " << length;
  if (getScalarBitWidth(elementType) == 0)
    return emitError() << "expected a scalar element type, but got "
                       << elementType;
  return success();
}

Type CustomVectorType::parse(AsmParser &parser) {
  SmallVector<int64_t, 1> dimensions;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(dimensions, /*allowDynamic=*/false))
    return {};
  if (dimensions.size() != 1) {
    parser.emitError(loc, "expected one dimension, but got ")
        << dimensions.size();
    return {};
  }
  if (parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<CustomVectorType>(loc, parser.getContext(),
                                             dimensions.front(), elementType);
}

void CustomVectorType::print(AsmPrinter &printer) const {
  printer << '<' << getLength() << 'x' << getElementType() << '>';
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

StringRef ktir::dataflow::stringifyAddrUnit(AddrUnit unit) {
  switch (unit) {
  case AddrUnit::Element:
    return "element";
  case AddrUnit::Byte:
    return "byte";
  case AddrUnit::Word:
    return "word";
  }
  return "";
}

std::optional<AddrUnit> ktir::dataflow::symbolizeAddrUnit(StringRef text) {
  return llvm::StringSwitch<std::optional<AddrUnit>>(text)
      .Case("element", AddrUnit::Element)
      .Case("byte", AddrUnit::Byte)
      .Case("word", AddrUnit::Word)
      .Default(std::nullopt);
}

bool ktir::dataflow::isCustomScalar(Type type) {
  return isa<CustomType, MXFPType, MXIntType>(type);
}

bool ktir::dataflow::isFlatVector(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable();
  return isa<CustomVectorType>(type);
}

int64_t ktir::dataflow::getVectorLength(Type flatVector) {
  if (auto vector = dyn_cast<VectorType>(flatVector))
    return vector.getNumElements();
  return cast<CustomVectorType>(flatVector).getLength();
}

Type ktir::dataflow::getVectorElementType(Type flatVector) {
  if (auto vector = dyn_cast<VectorType>(flatVector))
    return vector.getElementType();
  return cast<CustomVectorType>(flatVector).getElementType();
}

unsigned ktir::dataflow::getScalarBitWidth(Type type) {
  return llvm::TypeSwitch<Type, unsigned>(type)
      .Case<IntegerType, FloatType, CustomType, MXFPType, MXIntType>(
          [](auto scalar) { return scalar.getWidth(); })
      .Case([](IndexType) { return 64u; })
      .Default([](Type) { return 0u; });
}
