//===- KtdpDialect.cpp - Dialect, types and attributes of ktdp ------------===//

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ktir::ktdp;

#include "ktir/Dialect/Ktdp/KtdpDialect.cpp.inc"
#include "ktir/Dialect/Ktdp/KtdpEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/Ktdp/KtdpTypes.cpp.inc"

void KtdpDialect::initialize() {
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

/// Parses `, KEY = integer` if present.
static ParseResult parseOptionalOwner(AsmParser &parser, StringRef key,
                                      int64_t &value) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseInteger(value));
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
  if (parseOptionalOwner(parser, "ct_id", ctId) || parser.parseGreater())
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
// SpyreMemorySpaceAttr
//===----------------------------------------------------------------------===//

Attribute SpyreMemorySpaceAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  int64_t core = -1;
  SMLoc loc = parser.getNameLoc();
  auto *dialect = parser.getContext()->getLoadedDialect<KtdpDialect>();
  if (dialect && dialect->isStrict()) {
    parser.emitError(loc)
        << "'spyre_memory_space' is the former name of 'memory_space'; write "
           "'#ktdp.memory_space<global>' for HBM and "
           "'#ktdp.memory_space<ct_local>' for LX";
    return {};
  }
  if (parser.parseLess())
    return {};
  SMLoc nameLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name) || parseOptionalOwner(parser, "core", core) ||
      parser.parseGreater())
    return {};
  if (core < -1) {
    parser.emitError(nameLoc)
        << "core affinity must be non-negative, but got: " << core;
    return {};
  }
  if (core >= 0 && name != "LX") {
    parser.emitError(nameLoc)
        << "core affinity is only valid for LX memory spaces, but got memory "
           "space '"
        << name << "' with core = " << core;
    return {};
  }
  // An unspecified space is the device memory: a view of a kernel argument can
  // lie nowhere else.
  if (name == "HBM" || name == "unspecified")
    return MemorySpaceAttr::get(parser.getContext(), MemorySpaceKind::Global);
  if (name == "LX")
    return MemorySpaceAttr::get(parser.getContext(), MemorySpaceKind::CtLocal,
                                core);
  parser.emitError(nameLoc) << "expected 'HBM' or 'LX', but found '" << name
                            << "', which has no successor";
  return {};
}

void SpyreMemorySpaceAttr::print(AsmPrinter &printer) const {
  llvm_unreachable("reading gives a MemorySpaceAttr");
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
