//===- KtdpDialect.cpp - Dialect, types and attributes of ktdp ------------===//

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::ktdp;

#include "ktir/Dialect/Ktdp/KtdpDialect.cpp.inc"
#include "ktir/Dialect/Ktdp/KtdpEnums.cpp.inc"
#include "ktir/Dialect/Ktdp/KtdpInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpTypes.cpp.inc"

namespace {
/// Prints aliases under the names that the dialect was told.
struct AliasNamesInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  template <typename T>
  static AliasResult print(const llvm::DenseMap<T, std::string> &names, T value,
                           raw_ostream &os) {
    auto found = names.find(value);
    if (found == names.end())
      return AliasResult::NoAlias;
    os << found->second;
    return AliasResult::FinalAlias;
  }
  const KtdpDialect::AliasNames &names() const {
    return cast<KtdpDialect>(getDialect())->getAliasNames();
  }
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    return print(names().attributes, attribute, os);
  }
  AliasResult getAlias(Type type, raw_ostream &os) const override {
    return print(names().types, type, os);
  }
};
} // namespace

void KtdpDialect::initialize() {
  addInterfaces<AliasNamesInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/Ktdp/KtdpAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ktir/Dialect/Ktdp/KtdpTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Ktdp/KtdpOps.cpp.inc"
      >();
}

Operation *KtdpDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

//===----------------------------------------------------------------------===//
// MemorySpaceAttr
//===----------------------------------------------------------------------===//

LogicalResult
MemorySpaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        MemorySpaceKind kind, int64_t ctId) {
  // MS-1: -1 is the stored form of "absent".
  if (ctId < -1)
    return emitError() << "ct_id must be non-negative, but got: " << ctId;
  // MS-2
  if (ctId >= 0 && kind != MemorySpaceKind::CtLocal)
    return emitError() << "ct_id is only valid for ct_local memory spaces, "
                          "but got memory space '"
                       << stringifyMemorySpaceKind(kind)
                       << "' with ct_id = " << ctId;
  return success();
}

Attribute MemorySpaceAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  int64_t ctId = -1;
  if (parser.parseLess())
    return {};
  SMLoc nameLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  std::optional<MemorySpaceKind> kind = symbolizeMemorySpaceKind(name);
  if (!kind) {
    parser.emitError(nameLoc)
        << "expected 'global' or 'ct_local', but found '" << name << "'";
    return {};
  }
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("ct_id") || parser.parseEqual() ||
       parser.parseInteger(ctId)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MemorySpaceAttr>(nameLoc, parser.getContext(), *kind,
                                            ctId);
}

void MemorySpaceAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyMemorySpaceKind(getKind());
  if (getCtId() >= 0)
    printer << ", ct_id = " << getCtId();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// AccessTileType
//===----------------------------------------------------------------------===//

LogicalResult
AccessTileType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type elementType) {
  // AT-T1
  if (!elementType.isIndex())
    return emitError() << "tile element type must be 'index', but got: "
                       << elementType;
  // AT-T2
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emitError() << "tile dimension size must be dynamic or >= 0";
  return success();
}

Type AccessTileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape) || parser.parseType(elementType) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<AccessTileType>(loc, parser.getContext(), shape,
                                           elementType);
}

void AccessTileType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << (getShape().empty() ? "" : "x") << getElementType() << ">";
}

//===----------------------------------------------------------------------===//
// RuntimeArgType
//===----------------------------------------------------------------------===//

LogicalResult
RuntimeArgType::verify(function_ref<InFlightDiagnostic()> emitError,
                       Type underlyingType, std::optional<int64_t> granularity,
                       std::optional<int64_t> upperbound) {
  // RA-T1
  if (!isa<IndexType, IntegerType, FloatType>(underlyingType))
    return emitError() << "runtime_arg underlying type must be a builtin type "
                          "(index, integer, or float), but got: "
                       << underlyingType;
  // RA-T2, RA-T3
  if (granularity && *granularity <= 0)
    return emitError() << "runtime_arg granularity must be positive, but got: "
                       << *granularity;
  if (upperbound && *upperbound <= 0)
    return emitError() << "runtime_arg upperbound must be positive, but got: "
                       << *upperbound;
  return success();
}

Type RuntimeArgType::parse(AsmParser &parser) {
  Type underlyingType;
  std::optional<int64_t> granularity, upperbound;
  if (parser.parseLess())
    return {};
  const SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(underlyingType))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    const SMLoc keyLoc = parser.getCurrentLocation();
    StringRef key;
    std::optional<int64_t> *value = nullptr;
    if (succeeded(parser.parseOptionalKeyword(&key)))
      value = llvm::StringSwitch<std::optional<int64_t> *>(key)
                  .Case("granularity", &granularity)
                  .Case("upperbound", &upperbound)
                  .Default(nullptr);
    // RA-T4
    if (!value) {
      parser.emitError(keyLoc,
                       "expected 'granularity' or 'upperbound' keyword");
      return {};
    }
    if (*value) {
      parser.emitError(keyLoc) << "duplicate '" << key << "' keyword";
      return {};
    }
    if (parser.parseEqual() || parser.parseInteger(value->emplace()))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RuntimeArgType>(
      loc, parser.getContext(), underlyingType, granularity, upperbound);
}

void RuntimeArgType::print(AsmPrinter &printer) const {
  printer << "<" << getUnderlyingType();
  if (getGranularity())
    printer << ", granularity=" << *getGranularity();
  if (getUpperbound())
    printer << ", upperbound=" << *getUpperbound();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// TileFutureType
//===----------------------------------------------------------------------===//

LogicalResult
TileFutureType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<RankedTensorType> partialTypes,
                       IntegerSetAttr groups) {
  // TF-T2
  if (partialTypes.empty())
    return emitError() << "tile_future must carry at least one partial type";
  // TF-T3
  if (groups.getValue().getNumDims() != 1)
    return emitError() << "tile_future `groups` must have exactly one "
                          "dimension (g)";
  // TF-T4
  if (groups.getValue().getNumSymbols() != 0)
    return emitError() << "tile_future `groups` must have no symbols";
  return success();
}

Type TileFutureType::parse(AsmParser &parser) {
  SmallVector<RankedTensorType> partialTypes;
  IntegerSetAttr groups;
  if (parser.parseLess())
    return {};
  const SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen())
    return {};
  do {
    // TF-T1
    if (parser.parseType(partialTypes.emplace_back())) {
      parser.emitError(parser.getCurrentLocation())
          << "failed to parse KTDP_TileFutureType parameter 'partialTypes' "
             "which is to be a list of ranked tensor types";
      return {};
    }
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseRParen() || parser.parseComma() ||
      parser.parseKeyword("groups") || parser.parseEqual() ||
      parser.parseAttribute(groups) || parser.parseGreater())
    return {};
  return parser.getChecked<TileFutureType>(loc, parser.getContext(),
                                           partialTypes, groups);
}

void TileFutureType::print(AsmPrinter &printer) const {
  printer << "<(";
  llvm::interleaveComma(getPartialTypes(), printer);
  printer << "), groups = " << getGroups() << ">";
}
