//===- KtdpOps.cpp - Tiles, views and memory accesses of ktdp -------------===//

#include "TilePoints.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Support/AffineSubscript.h"
#include "ktir/Dialect/Support/IntegerSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

LogicalResult GetComputeTileIdOp::canonicalize(GetComputeTileIdOp op,
                                               PatternRewriter &rewriter) {
  // The grid is an attribute of the kernel around the op (MF-2).
  ArrayAttr grid;
  for (Operation *parent = op->getParentOp(); parent && !grid;
       parent = parent->getParentOp())
    grid = parent->getAttrOfType<ArrayAttr>("grid");
  if (!grid)
    return failure();
  bool changed = false;
  for (auto [id, extent] : llvm::zip(op.getIds(), grid)) {
    auto size = dyn_cast<IntegerAttr>(extent);
    if (id.use_empty() || !size || size.getValue() != 1)
      continue;
    rewriter.setInsertionPoint(op);
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    rewriter.replaceAllUsesWith(id, zero);
    changed = true;
  }
  return success(changed);
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
// ConstructDistributedMemoryViewOp
//===----------------------------------------------------------------------===//

LogicalResult ConstructDistributedMemoryViewOp::verify() {
  // Without partitions no coordinate would lie anywhere.
  if (getViews().empty())
    return emitOpError("expected at least one view, but got none");
  auto type = cast<MemRefType>(getResult().getType());
  for (Type view : getViews().getTypes()) {
    auto part = cast<MemRefType>(view);
    if (part.getElementType() != type.getElementType()) // DV-3
      return emitOpError("all input memrefs must have the same element type "
                         "as the result");
    if (part.getRank() != type.getRank()) // DV-4
      return emitOpError("all input memrefs must have the same rank as the "
                         "result");
  }
  return success();
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
      parseAffineSubscript(parser, indices, baseMap))
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
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.base_map = baseMap;
  properties.operandSegmentSizes = {1, static_cast<int32_t>(indices.size()),
                                    static_cast<int32_t>(symbols.size())};
  return success();
}

void ConstructAccessTileOp::print(OpAsmPrinter &printer) {
  printer << " " << getBase();
  printAffineSubscript(printer, getBaseMap(), getIndices());
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
  return verifyTilePoints(*this, set, order, getType(), "access_tile");
}

LogicalResult ktir::ktdp::verifyTilePoints(Operation *op, IntegerSet set,
                                           AffineMap order, AccessTileType tile,
                                           StringRef name) {
  if (!order.isPermutation())
    return op->emitOpError() << "expected a permutation for " << name
                             << "_order, but got " << AffineMapAttr::get(order);
  if (ShapedType::isDynamicShape(tile.getShape()))
    return success();
  std::optional<IntegerBox> box = getAsBox(set);
  const std::optional<int64_t> points =
      box ? box->getNumPoints() : countPoints(set);
  int64_t elements = 1;
  for (int64_t extent : tile.getShape())
    if (llvm::MulOverflow(elements, extent, elements))
      return op->emitOpError() << "expected a tile of less than 2^63 elements, "
                                  "but got "
                               << tile;
  if (points && *points != elements)
    return op->emitOpError()
           << "expected a tile of " << *points << " elements, one for each "
           << "point of " << name << "_set, but " << tile << " has "
           << elements;
  return success();
}

//===----------------------------------------------------------------------===//
// LoadOp, StoreOp
//===----------------------------------------------------------------------===//

/// Type of the view or tensor that `tile` selects from; null when it is not
/// known here.
static ShapedType baseType(Value tile) {
  Value base;
  if (auto direct = tile.getDefiningOp<ConstructAccessTileOp>())
    base = direct.getBase();
  else if (auto indirect = tile.getDefiningOp<ConstructIndirectAccessTileOp>())
    base = indirect.getBase();
  else
    return {};
  return cast<ShapedType>(base.getType());
}

/// Reports a tensor whose element type is not that of the base, with a note
/// at the tile.
static LogicalResult verifyElementType(Operation *op, Value tile, Type type) {
  ShapedType base = baseType(tile);
  if (!base || base.getElementType() == type)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected tensor element type "
                            << base.getElementType()
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
  // A tensor is a value: nothing could see what is written to it (§4.8).
  if (ShapedType base = baseType(getTile()); base && isa<TensorType>(base)) {
    InFlightDiagnostic diag = emitOpError()
                              << "expected a tile of a view to store to, but "
                                 "its base is a tensor";
    diag.attachNote(getTile().getLoc()) << "access tile constructed here";
    return diag;
  }
  return verifyElementType(*this, getTile(), type.getElementType());
}

//===----------------------------------------------------------------------===//
// RuntimeArgExtractOp
//===----------------------------------------------------------------------===//

LogicalResult RuntimeArgExtractOp::verify() {
  const RuntimeArgType type = getArgument().getType();
  const Type result = getResult().getType();
  if (getKind() == ExtractionKind::Value) {
    if (result != type.getUnderlyingType()) // RX-1
      return emitOpError() << "result type (" << result
                           << ") must match runtime_arg underlying type ("
                           << type.getUnderlyingType()
                           << ") when extracting value";
    return success();
  }
  const StringRef fact = stringifyExtractionKind(getKind());
  const bool known = getKind() == ExtractionKind::Granularity
                         ? type.getGranularity().has_value()
                         : type.getUpperbound().has_value();
  if (!known) // RX-2, RX-3
    return emitOpError() << "cannot extract " << fact
                         << " from runtime_arg that doesn't have one";
  if (!result.isIndex()) // RX-4
    return emitOpError() << "result type must be index when extracting " << fact
                         << ", but got " << result;
  return success();
}

OpFoldResult RuntimeArgExtractOp::fold(FoldAdaptor) {
  const RuntimeArgType type = getArgument().getType();
  std::optional<int64_t> fact;
  if (getKind() == ExtractionKind::Granularity)
    fact = type.getGranularity();
  else if (getKind() == ExtractionKind::Upperbound)
    fact = type.getUpperbound();
  if (!fact)
    return {};
  return IntegerAttr::get(IndexType::get(getContext()), *fact);
}
