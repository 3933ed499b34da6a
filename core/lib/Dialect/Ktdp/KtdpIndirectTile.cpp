//===- KtdpIndirectTile.cpp - Access tiles through index views ------------===//

#include "TilePoints.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Support/AffineSubscript.h"

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdp;

bool ConstructIndirectAccessTileOp::isIndirect(unsigned dimension) {
  return cast<BoolAttr>(getPerDimSubscriptKinds()[dimension]).getValue();
}

AffineMap ConstructIndirectAccessTileOp::getSubscriptMap(unsigned dimension) {
  return cast<AffineMapAttr>(getPerDimSubscriptMaps()[dimension]).getValue();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
using Operand = OpAsmParser::UnresolvedOperand;

/// The subscripts of one op, over values in order of first appearance.
struct Subscripts {
  SubscriptValues values;
  SmallVector<bool> kinds;
  SmallVector<SmallVector<AffineExpr>> expressions;
  SmallVector<Operand> indexViews;
};
} // namespace

static bool isSame(const Operand &a, const Operand &b) {
  return a.name == b.name && a.number == b.number;
}

static ParseResult parseSubscript(OpAsmParser &parser, Subscripts &subscripts) {
  SmallVector<AffineExpr> &results = subscripts.expressions.emplace_back();
  const bool isIndirect = succeeded(parser.parseOptionalKeyword("ind"));
  subscripts.kinds.push_back(isIndirect);
  auto parseOne = [&] {
    return parseAffineExpression(parser, subscripts.values,
                                 results.emplace_back());
  };
  if (!isIndirect) {
    const SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalLParen()))
      return parser.emitError(loc, "expected '(' in affine map");
    return failure(parseOne() || parser.parseRParen());
  }
  return failure(parser.parseLParen() ||
                 parser.parseOperand(subscripts.indexViews.emplace_back()) ||
                 parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                                parseOne) ||
                 parser.parseRParen());
}

static ParseResult parseSubscripts(OpAsmParser &parser,
                                   Subscripts &subscripts) {
  if (parser.parseLSquare())
    return failure();
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  while (true) {
    const SMLoc loc = parser.getCurrentLocation();
    if (parseSubscript(parser, subscripts))
      return parser.emitError(loc, "error parsing the subscript ");
    if (succeeded(parser.parseOptionalRSquare()))
      return success();
    const SMLoc end = parser.getCurrentLocation();
    if (failed(parser.parseOptionalComma()))
      return parser.emitError(end, "expecting a comma between subscripts");
  }
}

/// Turns the expressions over values in order of appearance into maps over
/// (captured, intermediate) and appends the captured values to `captured`.
static void placeSubscripts(Subscripts &subscripts,
                            ArrayRef<OpAsmParser::Argument> variables,
                            SmallVectorImpl<Operand> &captured,
                            SmallVectorImpl<Attribute> &maps,
                            MLIRContext *context) {
  SmallVector<std::optional<unsigned>> variableOf;
  for (const Operand &value : subscripts.values.dimensions) {
    const auto *found =
        llvm::find_if(variables, [&](const OpAsmParser::Argument &variable) {
          return isSame(variable.ssaName, value);
        });
    if (found == variables.end()) {
      variableOf.push_back(std::nullopt);
      captured.push_back(value);
    } else {
      variableOf.push_back(found - variables.begin());
    }
  }
  SmallVector<AffineExpr> places;
  unsigned capturedSoFar = 0;
  for (std::optional<unsigned> variable : variableOf)
    places.push_back(getAffineDimExpr(
        variable ? captured.size() + *variable : capturedSoFar++, context));
  const unsigned dims = captured.size() + variables.size();
  for (ArrayRef<AffineExpr> results : subscripts.expressions)
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(subscripts.values.dimensions.size(), 0, results, context)
            .replaceDimsAndSymbols(places, {}, dims, 0)));
}

ParseResult ConstructIndirectAccessTileOp::parse(OpAsmParser &parser,
                                                 OperationState &result) {
  SmallVector<OpAsmParser::Argument> variables;
  const Type indexType = parser.getBuilder().getIndexType();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("intermediate_variables") ||
      parser.parseArgumentList(variables, OpAsmParser::Delimiter::Paren))
    return parser.emitError(loc, "error parsing intermediate_variables");
  for (OpAsmParser::Argument &variable : variables)
    variable.type = indexType;

  Operand base;
  Subscripts subscripts;
  if (parser.parseOperand(base))
    return failure();
  const SMLoc subscriptsLoc = parser.getCurrentLocation();
  if (parseSubscripts(parser, subscripts))
    return failure();

  SmallVector<Operand> symbols, captured;
  loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("symbols")) &&
      parser.parseOperandList(symbols, OpAsmParser::Delimiter::Paren))
    return parser.emitError(loc, "Failed to parse symbol operands");

  const SMLoc dictLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return parser.emitError(dictLoc, "error parsing attributes");
  if (!subscripts.values.symbols.empty())
    return parser.emitError(subscriptsLoc, "error canonicalizing subscripts");

  SmallVector<Type> types;
  Type resultType;
  loc = parser.getCurrentLocation();
  if (parser.parseColonTypeList(types) || parser.parseArrow() ||
      parser.parseType(resultType))
    return parser.emitError(loc, "error parsing result types");
  const size_t expected = 1 + subscripts.indexViews.size();
  if (types.size() != expected)
    return parser.emitError(loc)
           << "expected " << expected << " types (base + "
           << subscripts.indexViews.size() << " indirect memrefs), but got "
           << types.size();
  auto set = dyn_cast_or_null<IntegerSetAttr>(
      result.attributes.get(getVariablesSpaceSetAttrName(result.name)));
  if (set && set.getValue().getNumSymbols() != symbols.size())
    return parser.emitError(dictLoc)
           << "variables_space_set has " << set.getValue().getNumSymbols()
           << " symbols but got " << symbols.size() << " symbol operands";

  SmallVector<Attribute> maps;
  placeSubscripts(subscripts, variables, captured, maps, parser.getContext());
  if (parser.resolveOperand(base, types[0], result.operands) ||
      parser.resolveOperands(subscripts.indexViews,
                             ArrayRef(types).drop_front(), dictLoc,
                             result.operands) ||
      parser.resolveOperands(captured, indexType, result.operands) ||
      parser.resolveOperands(symbols, indexType, result.operands))
    return failure();

  Builder &builder = parser.getBuilder();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {
      1, static_cast<int32_t>(subscripts.indexViews.size()),
      static_cast<int32_t>(captured.size()),
      static_cast<int32_t>(symbols.size())};
  properties.per_dim_subscript_kinds =
      builder.getBoolArrayAttr(subscripts.kinds);
  properties.per_dim_subscript_maps = builder.getArrayAttr(maps);

  // The hidden block carries the intermediate variables.
  Region *region = result.addRegion();
  Block &block = region->emplaceBlock();
  for (const OpAsmParser::Argument &variable : variables) {
    Location place = parser.getEncodedSourceLoc(variable.ssaName.location);
    block.addArgument(indexType, place);
  }
  ensureTerminator(*region, parser.getBuilder(), result.location);
  result.addTypes(resultType);
  return success();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void ConstructIndirectAccessTileOp::print(OpAsmPrinter &printer) {
  Block &block = getVariables().front();
  printer << " intermediate_variables(";
  llvm::interleaveComma(block.getArguments(), printer, [&](Value variable) {
    printer.printOperand(variable);
  });
  printer << ") " << getBase() << "[";
  SmallVector<Value> values(getCaptured());
  llvm::append_range(values, block.getArguments());
  unsigned nextView = 0;
  llvm::interleaveComma(
      llvm::seq<unsigned>(0, getPerDimSubscriptMaps().size()), printer,
      [&](unsigned dimension) {
        const AffineMap map = getSubscriptMap(dimension);
        if (!isIndirect(dimension)) {
          printer << "(";
          printer.printAffineExprOfSSAIds(map.getResult(0), values, {});
          printer << ")";
          return;
        }
        printer << "ind(" << getIndexViews()[nextView++] << "[";
        printer.printAffineMapOfSSAIds(AffineMapAttr::get(map), values);
        printer << "])";
      });
  printer << "]";
  if (!getSymbols().empty())
    printer << " symbols(" << getSymbols() << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizesAttrName(),
                                 getPerDimSubscriptKindsAttrName(),
                                 getPerDimSubscriptMapsAttrName()});
  printer << " : " << getBase().getType();
  for (Type type : getIndexViews().getTypes())
    printer << ", " << type;
  printer << " -> " << getType();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that the subscripts address the base and the index views.
static LogicalResult verifySubscripts(ConstructIndirectAccessTileOp op) {
  const ArrayAttr kinds = op.getPerDimSubscriptKinds();
  const ArrayAttr maps = op.getPerDimSubscriptMaps();
  unsigned indirect = 0;
  for (Attribute kind : kinds) {
    auto flag = dyn_cast<BoolAttr>(kind);
    if (!flag) // IA-8
      return op.emitOpError("per_dim_subscript_kinds must contain BoolAttr "
                            "elements");
    indirect += flag.getValue();
  }
  if (indirect != op.getIndexViews().size()) // IA-9
    return op.emitOpError() << "number of indirect dimensions (" << indirect
                            << ") must match number of indirect memrefs ("
                            << op.getIndexViews().size() << ")";
  const unsigned inputs = op.getCaptured().size() + op.getNumVariables();
  unsigned nextView = 0;
  for (auto [dimension, attribute] : llvm::enumerate(maps)) {
    auto map = dyn_cast<AffineMapAttr>(attribute);
    if (!map) // IA-10
      return op.emitOpError() << "per_dim_subscript_maps[" << dimension
                              << "] must be an AffineMapAttr";
    const AffineMap subscript = map.getValue();
    if (subscript.getNumInputs() != inputs) // IA-11
      return op.emitOpError()
             << "subscript map for dimension " << dimension << " has "
             << subscript.getNumInputs() << " dimensions, but expected "
             << inputs << " (captured_variables + intermediate_variables)";
    if (op.isIndirect(dimension)) {
      auto view = cast<MemRefType>(op.getIndexViews()[nextView++].getType());
      if (subscript.getNumResults() != view.getRank()) // IA-12
        return op.emitOpError()
               << "indirect subscript map for dimension " << dimension
               << " produces " << subscript.getNumResults()
               << " results, but indirect memref has rank " << view.getRank();
    } else if (subscript.getNumResults() != 1) { // IA-13
      return op.emitOpError()
             << "direct subscript map for dimension " << dimension
             << " must produce exactly 1 result, but produces "
             << subscript.getNumResults();
    }
  }
  for (Value view : op.getIndexViews()) { // IA-S2
    const Type element = cast<MemRefType>(view.getType()).getElementType();
    if (!isa<IntegerType, IndexType>(element))
      return op.emitOpError() << "expected index views of an integer type or "
                                 "'index', but got "
                              << view.getType();
  }
  return success();
}

LogicalResult ConstructIndirectAccessTileOp::verify() {
  const IntegerSet set = getVariablesSpaceSet();
  const AffineMap order = getVariablesSpaceOrder();
  const unsigned dims = set.getNumDims();
  if (dims != order.getNumDims()) // IA-1
    return emitOpError() << "variables_space_set dimensions (" << dims
                         << ") must match variables_space_order inputs ("
                         << order.getNumDims() << ")";
  if (order.getNumDims() != order.getNumResults()) // IA-2
    return emitOpError() << "variables_space_order must have equal number of "
                            "inputs ("
                         << order.getNumDims() << ") and outputs ("
                         << order.getNumResults() << ")";
  if (getNumVariables() != dims) // IA-3
    return emitOpError() << "number of intermediate variables ("
                         << getNumVariables()
                         << ") must match variables_space_set dimensions ("
                         << dims << ")";
  if (set.getNumSymbols() != getSymbols().size()) // IA-4
    return emitOpError() << "variables_space_set has " << set.getNumSymbols()
                         << " symbols but got " << getSymbols().size()
                         << " symbol operands";
  const size_t kinds = getPerDimSubscriptKinds().size();
  const size_t maps = getPerDimSubscriptMaps().size();
  if (kinds != maps) // IA-5
    return emitOpError() << "per_dim_subscript_kinds size (" << kinds
                         << ") must match per_dim_subscript_maps size (" << maps
                         << ")";
  auto base = dyn_cast<ShapedType>(getBase().getType());
  if (!base || !base.hasRank()) // IA-6
    return emitOpError("base must be a ranked memref or tensor type");
  if (int64_t(maps) != base.getRank()) // IA-7
    return emitOpError() << "number of subscripts (" << maps
                         << ") must match base rank (" << base.getRank() << ")";
  if (failed(verifySubscripts(*this)))
    return failure();
  const size_t rank = getType().getShape().size();
  if (rank != dims) // IA-14
    return emitOpError() << "result type rank (" << rank
                         << ") must match variables_space_set dimensions ("
                         << dims << ")";
  return verifyTilePoints(*this, set, order, getType(), "variables_space");
}
