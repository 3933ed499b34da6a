//===- KtdpOps.cpp - Operations of ktdp -----------------------------------===//

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ktir::ktdp;

//===----------------------------------------------------------------------===//
// Short form of access tile types
//===----------------------------------------------------------------------===//

/// Parses `<4x64xindex>` or the full `!ktdp.access_tile<4x64xindex>` (§3.4).
static ParseResult parseAccessTile(OpAsmParser &parser, Type &type) {
  Type full;
  OptionalParseResult result = parser.parseOptionalType(full);
  if (result.has_value()) {
    type = full;
    return *result;
  }
  type = AccessTileType::parse(parser);
  return success(static_cast<bool>(type));
}

static void printAccessTile(OpAsmPrinter &printer, Operation *, Type type) {
  if (auto tile = dyn_cast<AccessTileType>(type))
    tile.print(printer);
  else
    printer << type;
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Ktdp/KtdpOps.cpp.inc"

//===----------------------------------------------------------------------===//
// GetComputeTileIdOp
//===----------------------------------------------------------------------===//

void GetComputeTileIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (Value id : getIds())
    setName(id, "id");
}

LogicalResult GetComputeTileIdOp::verify() {
  // ID-1
  if (getIds().empty())
    return emitOpError("must return at least one index (num tile-grid dims "
                       ">= 1)");
  return success();
}

//===----------------------------------------------------------------------===//
// ConstructMemoryViewOp
//===----------------------------------------------------------------------===//

static int64_t countDynamic(ArrayRef<int64_t> values) {
  return llvm::count_if(values, ShapedType::isDynamic);
}

LogicalResult ConstructMemoryViewOp::verify() {
  // MV-1
  if (getStaticSizes().size() != getStaticStrides().size())
    return emitOpError("static_sizes and static_strides must have equal "
                       "length");
  // MV-2
  if (countDynamic(getStaticSizes()) != int64_t(getSizes().size()))
    return emitOpError("number of dynamic size operands does not match "
                       "kDynamic entries in static_sizes");
  // MV-3
  if (countDynamic(getStaticStrides()) != int64_t(getStrides().size()))
    return emitOpError("number of dynamic stride operands does not match "
                       "kDynamic entries in static_strides");
  // MV-5
  auto type = cast<MemRefType>(getResult().getType());
  if (type.getRank() != int64_t(getStaticSizes().size()))
    return emitOpError("result memref rank does not match sizes/strides "
                       "length");
  return success();
}

SmallVector<OpFoldResult> ConstructMemoryViewOp::getMixedSizes() {
  Builder builder(getContext());
  return mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
}

SmallVector<OpFoldResult> ConstructMemoryViewOp::getMixedStrides() {
  Builder builder(getContext());
  return mlir::getMixedValues(getStaticStrides(), getStrides(), builder);
}

//===----------------------------------------------------------------------===//
// ConstructAccessTileOp
//===----------------------------------------------------------------------===//

ParseResult ConstructAccessTileOp::parse(OpAsmParser &parser,
                                         OperationState &result) {
  OpAsmParser::UnresolvedOperand base;
  SmallVector<OpAsmParser::UnresolvedOperand> indices, symbols;
  AffineMapAttr baseMap;
  if (parser.parseOperand(base) ||
      parser.parseAffineMapOfSSAIds(
          indices, baseMap, getBaseMapAttrName(result.name), result.attributes))
    return failure();

  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("symbols")) &&
      parser.parseOperandList(symbols, OpAsmParser::Delimiter::Paren))
    return parser.emitError(loc, "Failed to parse symbol operands"); // AC-P1

  SMLoc dictLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto set = dyn_cast_or_null<IntegerSetAttr>(
      result.attributes.get(getAccessTileSetAttrName(result.name)));
  auto order = dyn_cast_or_null<AffineMapAttr>(
      result.attributes.get(getAccessTileOrderAttrName(result.name)));
  unsigned setDims = set ? set.getValue().getNumDims() : 0;
  if (!set)
    return parser.emitError(
        dictLoc, "Access tile set is missing in the operation"); // AC-P2
  if (setDims != baseMap.getValue().getNumResults())
    return parser.emitError(
        dictLoc,
        "Access tile set and Base input dimensions should match"); // AC-P3
  if (set.getValue().getNumSymbols() != symbols.size())
    return parser.emitError(dictLoc) // AC-P4
           << "access_tile_set has " << set.getValue().getNumSymbols()
           << " symbols but got " << symbols.size() << " symbol operands";
  if (!order)
    return parser.emitError(
        dictLoc, "Access tile order is missing in the operation"); // AC-P5
  if (order.getValue().getNumDims() != order.getValue().getNumResults())
    return parser.emitError(
        dictLoc, "Number of input dimensions and output dimensions in the "
                 "access tile order should match"); // AC-P6
  if (order.getValue().getNumDims() != setDims)
    return parser.emitError(
        dictLoc, "Number of dimensions in the access tile order and access "
                 "tile set must match!"); // AC-P7

  Type baseType, resultType;
  Type indexType = parser.getBuilder().getIndexType();
  if (parser.parseColonType(baseType) || parser.parseArrow() ||
      parser.parseType(resultType) ||
      parser.resolveOperand(base, baseType, result.operands) ||
      parser.resolveOperands(indices, indexType, result.operands) ||
      parser.resolveOperands(symbols, indexType, result.operands))
    return failure();
  result.addTypes(resultType);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(indices.size()),
      static_cast<int32_t>(symbols.size())};
  return success();
}

void ConstructAccessTileOp::print(OpAsmPrinter &printer) {
  printer << " " << getBase() << "[";
  printer.printAffineMapOfSSAIds(getBaseMapAttr(), getIndices());
  printer << "]";
  if (!getSymbols().empty())
    printer << " symbols(" << getSymbols() << ")";
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getBaseMapAttrName(), getOperandSegmentSizesAttrName()});
  printer << " : " << getBase().getType() << " -> " << getType();
}

LogicalResult ConstructAccessTileOp::verify() {
  IntegerSet set = getAccessTileSet();
  AffineMap map = getBaseMap(), order = getAccessTileOrder();
  unsigned dims = set.getNumDims();
  if (dims != map.getNumResults()) // AC-1
    return emitOpError() << "access_tile_set dimensions (" << dims
                         << ") must match base_map dims ("
                         << map.getNumResults() << ")";
  if (map.getNumInputs() != getIndices().size()) // AC-2
    return emitOpError() << "base_map expects " << map.getNumInputs()
                         << " operands but got " << getIndices().size();
  if (set.getNumSymbols() != getSymbols().size()) // AC-3
    return emitOpError() << "access_tile_set has " << set.getNumSymbols()
                         << " symbols but got " << getSymbols().size()
                         << " symbol operands";
  if (order.getNumDims() != order.getNumResults()) // AC-4
    return emitOpError() << "access_tile_order must have equal number of "
                            "inputs ("
                         << order.getNumDims() << ") and outputs ("
                         << order.getNumResults() << ")";
  if (order.getNumDims() != dims) // AC-5
    return emitOpError() << "access_tile_order dimensions ("
                         << order.getNumDims()
                         << ") must match access_tile_set dimensions (" << dims
                         << ")";
  int64_t rank = getType().getShape().size();
  if (rank != int64_t(dims)) // AC-6
    return emitOpError() << "result type rank (" << rank
                         << ") must match access_tile_set dimensions (" << dims
                         << ")";
  // The base must have a coordinate for each expression, or addressing it
  // would have no meaning; the document recommends the check.
  auto base = dyn_cast<ShapedType>(getBase().getType());
  if (base && base.hasRank() && base.getRank() != int64_t(dims))
    return emitOpError() << "expected one subscript per dimension of the base "
                            "("
                         << base.getRank() << "), but got " << dims;
  return success();
}

//===----------------------------------------------------------------------===//
// LoadOp, StoreOp
//===----------------------------------------------------------------------===//

/// Element type of the view or tensor that `tile` selects from; null when it
/// is not known here.
static Type baseElementType(Value tile) {
  auto construct = tile.getDefiningOp<ConstructAccessTileOp>();
  if (!construct)
    return {};
  return cast<ShapedType>(construct.getBase().getType()).getElementType();
}

/// Reports a tensor whose element type is not that of the base, with a note
/// at the tile.
static LogicalResult verifyElementType(Operation *op, Value tile, Type type) {
  Type base = baseElementType(tile);
  if (!base || base == type)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected tensor element type " << base
                            << " of the tile's base, but got " << type;
  diag.attachNote(tile.getLoc()) << "access tile constructed here";
  return diag;
}

LogicalResult LoadOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  if (!type) // LD-1
    return emitOpError("result must be a ranked tensor");
  if (getTile().getType().getShape() != type.getShape()) // LD-2
    return emitOpError("access tile shape must match result tensor shape");
  return verifyElementType(*this, getTile(), type.getElementType());
}

LogicalResult StoreOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getData().getType());
  if (!type) // ST-1
    return emitOpError("data_tile must be a ranked tensor");
  if (getTile().getType().getShape() != type.getShape()) // ST-2
    return emitOpError("data tile shape must match access tile shape");
  return verifyElementType(*this, getTile(), type.getElementType());
}
