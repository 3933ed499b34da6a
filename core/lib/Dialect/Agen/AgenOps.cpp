//===- AgenOps.cpp - Operations of the agen dialect -----------------------===//

#include "ktir/Dialect/Agen/AgenDialect.h"
#include "ktir/Dialect/Support/IntegerSets.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ktir::agen;
using ktir::AffineSubscript;
using ktir::dataflow::getVectorElementType;
using ktir::dataflow::getVectorLength;
using ktir::dataflow::isFlatVector;

//===----------------------------------------------------------------------===//
// Shared rules
//===----------------------------------------------------------------------===//

namespace {

/// One view that an op accesses, and how messages call it.
struct ViewAccess {
  Value view;
  AffineSubscript subscript;
  /// Such as "src array".
  StringRef name;
};

/// The lanes of a vector as points of a set in an order.
struct LaneAccess {
  IntegerSet set;
  AffineMap order;
  /// "load" or "store".
  StringRef name;
};

} // namespace

/// Checks the subscript against its operands and the view (spec G-1).
static LogicalResult verifyView(Operation *op, const ViewAccess &access) {
  auto type = cast<MemRefType>(access.view.getType());
  return ktir::verifyAffineSubscript(op, access.subscript.map,
                                     access.subscript.operands, type.getRank());
}

/// Checks that set and order of the lanes fit each other and the view. A set
/// may have more dimensions than the view only where `mayExceedRank`.
static LogicalResult verifyLanes(Operation *op, const LaneAccess &lanes,
                                 const ViewAccess &access, bool mayExceedRank) {
  unsigned dims = lanes.set.getNumDims();
  unsigned rank = access.subscript.map.getNumResults();
  if (mayExceedRank ? dims < rank : dims != rank)
    return op->emitOpError()
           << lanes.name << " set and " << access.name
           << " dimensions should match: " << dims << " and " << rank;
  if (lanes.order.getNumDims() != dims)
    return op->emitOpError()
           << lanes.name << " set and order dimensions should match: " << dims
           << " and " << lanes.order.getNumDims();
  if (lanes.set.getNumSymbols() != 0 || lanes.order.getNumSymbols() != 0)
    return op->emitOpError()
           << lanes.name << " set and order should have no symbols";
  return success();
}

/// Checks that a vector has the view's element type and a lane for each point
/// (spec G-2). Sets whose points cannot be counted here are left to the
/// execution.
static LogicalResult verifyVector(Operation *op, Type vector,
                                  const LaneAccess &lanes,
                                  const ViewAccess &access) {
  Type element = cast<MemRefType>(access.view.getType()).getElementType();
  if (getVectorElementType(vector) != element)
    return op->emitOpError("expected a vector of the ")
           << access.name << "'s element type " << element << ", but got "
           << vector;
  std::optional<int64_t> numPoints = ktir::countPoints(lanes.set);
  if (numPoints && *numPoints != getVectorLength(vector))
    return op->emitOpError() << lanes.name << " set has " << *numPoints
                             << " points, but the vector has "
                             << getVectorLength(vector) << " lanes";
  return success();
}

/// Checks a map from time steps to displacements in a view of the given rank
/// (spec G-6).
static LogicalResult verifyTimeAddrMap(CompositeAccessOpInterface op,
                                       AffineMap map, int64_t rank,
                                       StringRef name) {
  if (map.getNumDims() != op.getTimeSet().getNumDims())
    return op->emitOpError()
           << "expected '" << name << "' to have "
           << op.getTimeSet().getNumDims()
           << " dimensions as the time set has, but got " << map.getNumDims();
  if (map.getNumSymbols() != op.getTimeSymbols().size())
    return op->emitOpError()
           << "expected '" << name << "' to have " << op.getTimeSymbols().size()
           << " symbols as there are time symbols, but got "
           << map.getNumSymbols();
  if (map.getNumResults() != rank)
    return op->emitOpError() << "expected '" << name << "' to have " << rank
                             << " results as the view has dimensions, but got "
                             << map.getNumResults();
  return success();
}

/// Checks the time steps themselves.
static LogicalResult verifyTime(CompositeAccessOpInterface op) {
  IntegerSet set = op.getTimeSet();
  AffineMap order = op.getTimeOrder();
  unsigned numSymbols = op.getTimeSymbols().size();
  if (order.getNumDims() != set.getNumDims())
    return op->emitOpError("time set and order dimensions should match: ")
           << set.getNumDims() << " and " << order.getNumDims();
  for (unsigned symbols : {set.getNumSymbols(), order.getNumSymbols()})
    if (symbols != 0 && symbols != numSymbols)
      return op->emitOpError("expected time set and order to have ")
             << numSymbols << " symbols as there are time symbols, but got "
             << symbols;
  return success();
}

/// Checks that the body's argument is the loaded vector.
static LogicalResult verifyLoadedVector(Operation *op, Block *body) {
  if (body->getNumArguments() != 1 ||
      !isFlatVector(body->getArgument(0).getType()))
    return op->emitOpError("expected the body to have one vector argument");
  return success();
}

/// Checks that a body without loaded vector has no arguments.
static LogicalResult verifyNoArguments(Operation *op, Block *body) {
  if (body->getNumArguments() != 0)
    return op->emitOpError("expected the body to have no arguments, but got ")
           << body->getNumArguments();
  return success();
}

/// The terminator of `body`; null while it has none.
static YieldOp getYieldOf(Block *body) {
  return body->empty() ? YieldOp() : dyn_cast<YieldOp>(body->back());
}

/// What a body that copies stores: its yielded value, or the loaded vector if
/// it does nothing else.
static Value getCopiedVector(Block *body) {
  YieldOp yield = getYieldOf(body);
  if (yield && yield.getValue())
    return yield.getValue();
  return llvm::hasSingleElement(*body) ? Value(body->getArgument(0)) : Value();
}

/// Checks what the body stores, if anything.
static LogicalResult verifyStoredVector(Operation *op, Value stored,
                                        const LaneAccess &lanes,
                                        const ViewAccess &access) {
  return stored ? verifyVector(op, stored.getType(), lanes, access) : success();
}

/// Checks one address buffer: its subscript and the type of its entries.
static LogicalResult verifyIndirect(Operation *op, const ViewAccess &access) {
  if (failed(verifyView(op, access)))
    return failure();
  Type entry = cast<MemRefType>(access.view.getType()).getElementType();
  if (!entry.isIntOrIndex())
    return op->emitOpError(
               "expected entries of type 'index' or integer in the ")
           << access.name << ", but got " << entry;
  return success();
}

//===----------------------------------------------------------------------===//
// Shared assembly
//===----------------------------------------------------------------------===//

namespace {

using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

/// A view with its subscript, as parsed.
struct ParsedView {
  UnresolvedOperand view;
  SmallVector<UnresolvedOperand> indices;
  AffineMapAttr map;
  bool isPresent = false;
};

} // namespace

/// Parses `%view[subscript]`.
static ParseResult parseView(OpAsmParser &parser, ParsedView &parsed) {
  parsed.isPresent = true;
  return failure(
      parser.parseOperand(parsed.view) ||
      ktir::parseAffineSubscript(parser, parsed.indices, parsed.map));
}

/// Parses `keyword:%view[subscript]`.
static ParseResult parseNamedView(OpAsmParser &parser, StringRef keyword,
                                  ParsedView &parsed) {
  return failure(parser.parseKeyword(keyword) || parser.parseColon() ||
                 parseView(parser, parsed));
}

/// Parses `(keyword:%view[subscript])?`.
static ParseResult parseOptionalNamedView(OpAsmParser &parser,
                                          StringRef keyword,
                                          ParsedView &parsed) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return failure(parser.parseColon() || parseView(parser, parsed));
}

/// Parses `(multicast_info = %x)?`.
static ParseResult
parseOptionalMulticastInfo(OpAsmParser &parser,
                           SmallVectorImpl<UnresolvedOperand> &info) {
  if (failed(parser.parseOptionalKeyword("multicast_info")))
    return success();
  return failure(parser.parseEqual() ||
                 parser.parseOperand(info.emplace_back()));
}

/// Parses `time_symbols(%t,*)`.
static ParseResult parseTimeSymbols(OpAsmParser &parser,
                                    SmallVectorImpl<UnresolvedOperand> &list) {
  return failure(parser.parseKeyword("time_symbols") ||
                 parser.parseOperandList(list, OpAsmParser::Delimiter::Paren));
}

/// Parses `(%v:vec)`.
static ParseResult parseLoadedVector(OpAsmParser &parser,
                                     OpAsmParser::Argument &argument) {
  return failure(parser.parseLParen() || parser.parseArgument(argument) ||
                 parser.parseColonType(argument.type) || parser.parseRParen());
}

/// Parses `, load_iv(%v:vec)`.
static ParseResult parseLoadIv(OpAsmParser &parser,
                               OpAsmParser::Argument &argument) {
  return failure(parser.parseComma() || parser.parseKeyword("load_iv") ||
                 parseLoadedVector(parser, argument));
}

/// Parses the attribute dictionary and checks the attributes that belong to
/// the op.
template <typename OpTy>
static ParseResult parseAttributes(OpAsmParser &parser,
                                   OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return OpTy::verifyInherentAttrs(result.name, result.attributes, [&]() {
    return parser.emitError(loc)
           << "'" << result.name.getStringRef() << "' op ";
  });
}

/// Parses `region`, whose terminator may be left out.
template <typename OpTy>
static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             ArrayRef<OpAsmParser::Argument> arguments) {
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  OpTy::ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

/// Parses `: type,*`, one type for each view, and adds the views' operands to
/// `result` together with their subscripts'.
static ParseResult resolveViews(OpAsmParser &parser, OperationState &result,
                                ArrayRef<const ParsedView *> views,
                                SmallVectorImpl<int32_t> &segments) {
  Type index = parser.getBuilder().getIndexType();
  for (const ParsedView *parsed : views) {
    if (!parsed->isPresent) {
      segments.append({0, 0});
      continue;
    }
    Type type;
    if (parser.parseType(type) ||
        parser.resolveOperand(parsed->view, type, result.operands) ||
        parser.resolveOperands(parsed->indices, index, result.operands))
      return failure();
    segments.append({1, static_cast<int32_t>(parsed->indices.size())});
    if (parsed != views.back() && parser.parseComma())
      return failure();
  }
  return success();
}

/// Adds a list of operands of type index to `result`.
static ParseResult resolveIndices(OpAsmParser &parser, OperationState &result,
                                  ArrayRef<UnresolvedOperand> list,
                                  SmallVectorImpl<int32_t> &segments) {
  segments.push_back(list.size());
  return parser.resolveOperands(list, parser.getBuilder().getIndexType(),
                                result.operands);
}

/// Prints `(multicast_info = %x)?` with a space before it.
static void printMulticastInfo(OpAsmPrinter &printer, Value info) {
  if (info)
    printer << " multicast_info = " << info;
}

/// Prints ` keyword:%view[subscript]`.
static void printNamedView(OpAsmPrinter &printer, StringRef keyword, Value view,
                           AffineSubscript subscript) {
  printer << ' ' << keyword << ':' << view;
  ktir::printAffineSubscript(printer, subscript.map, subscript.operands);
}

/// Prints `(%v:vec)`.
static void printLoadedVector(OpAsmPrinter &printer, BlockArgument vector) {
  printer << '(' << vector << ':' << vector.getType() << ')';
}

/// Prints the attribute dictionary on a line of its own, without the
/// attributes that the rest of the form shows.
static void printAttributes(OpAsmPrinter &printer, Operation *op,
                            ArrayRef<StringRef> shown) {
  printer.printNewline();
  printer.printOptionalAttrDict(op->getAttrs(), shown);
}

/// Prints the body, starting on a new line, and ` : `.
static void printBody(OpAsmPrinter &printer, Region &body) {
  printer.printNewline();
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
  printer << " : ";
}

//===----------------------------------------------------------------------===//
// Single-vector access
//===----------------------------------------------------------------------===//

void VectorLoadOp::build(OpBuilder &builder, OperationState &state, Type type,
                         Value view, AffineMap map, ValueRange indices,
                         AffineMap order, IntegerSet set) {
  build(builder, state, type, view, indices, /*multicast_info=*/Value(), map,
        order, set);
}

LogicalResult VectorLoadOp::verify() {
  ViewAccess access{getView(), getSubscript(), "array"};
  LaneAccess lanes{getLoadSet(), getLoadOrder(), "load"};
  return success(
      succeeded(verifyView(*this, access)) &&
      succeeded(verifyLanes(*this, lanes, access,
                            /*mayExceedRank=*/false)) &&
      succeeded(verifyVector(*this, getValue().getType(), lanes, access)));
}

void VectorStoreOp::build(OpBuilder &builder, OperationState &state,
                          Value value, Value view, AffineMap map,
                          ValueRange indices, AffineMap order, IntegerSet set) {
  build(builder, state, value, view, indices, AffineMapAttr::get(map),
        AffineMapAttr::get(order), IntegerSetAttr::get(set));
}

LogicalResult VectorStoreOp::verify() {
  ViewAccess access{getView(), getSubscript(), "array"};
  LaneAccess lanes{getStoreSet(), getStoreOrder(), "store"};
  return success(
      succeeded(verifyView(*this, access)) &&
      succeeded(verifyLanes(*this, lanes, access,
                            /*mayExceedRank=*/false)) &&
      succeeded(verifyVector(*this, getValue().getType(), lanes, access)));
}

//===----------------------------------------------------------------------===//
// CompositeLoadAndStoreOp
//===----------------------------------------------------------------------===//

void CompositeLoadAndStoreOp::build(
    OpBuilder &builder, OperationState &state, Value src, AffineMap srcMap,
    ValueRange srcIndices, Value dst, AffineMap dstMap, ValueRange dstIndices,
    Type vectorType, AffineMap loadOrder, IntegerSet loadSet,
    AffineMap loadTimeAddrMap, AffineMap storeOrder, IntegerSet storeSet,
    AffineMap storeTimeAddrMap, AffineMap timeOrder, IntegerSet timeSet) {
  state.addOperands(src);
  state.addOperands(srcIndices);
  state.addOperands(dst);
  state.addOperands(dstIndices);
  Properties &properties = state.getOrAddProperties<Properties>();
  llvm::copy(ArrayRef<int32_t>({1, static_cast<int32_t>(srcIndices.size()), 1,
                                static_cast<int32_t>(dstIndices.size()), 0, 0}),
             properties.operandSegmentSizes.begin());
  properties.src_map = AffineMapAttr::get(srcMap);
  properties.dst_map = AffineMapAttr::get(dstMap);
  properties.load_order = AffineMapAttr::get(loadOrder);
  properties.load_set = IntegerSetAttr::get(loadSet);
  properties.load_time_addr_map = AffineMapAttr::get(loadTimeAddrMap);
  properties.store_order = AffineMapAttr::get(storeOrder);
  properties.store_set = IntegerSetAttr::get(storeSet);
  properties.store_time_addr_map = AffineMapAttr::get(storeTimeAddrMap);
  properties.time_order = AffineMapAttr::get(timeOrder);
  properties.time_set = IntegerSetAttr::get(timeSet);
  Region *body = state.addRegion();
  body->emplaceBlock().addArgument(vectorType, state.location);
  ensureTerminator(*body, builder, state.location);
}

YieldOp CompositeLoadAndStoreOp::getYield() { return getYieldOf(getBody()); }

Value CompositeLoadAndStoreOp::getStoredVector() {
  return getCopiedVector(getBody());
}

ParseResult CompositeLoadAndStoreOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  ParsedView src, dst;
  SmallVector<UnresolvedOperand> timeSymbols, multicastInfo;
  OpAsmParser::Argument vector;
  if (parseNamedView(parser, "src", src) ||
      parseNamedView(parser, "dst", dst) ||
      parseTimeSymbols(parser, timeSymbols) || parseLoadIv(parser, vector))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("multicast_info") || parser.parseEqual() ||
       parser.parseOperand(multicastInfo.emplace_back())))
    return failure();
  SmallVector<int32_t> segments;
  if (parseAttributes<CompositeLoadAndStoreOp>(parser, result) ||
      parseBody<CompositeLoadAndStoreOp>(parser, result, vector) ||
      parser.parseColon() ||
      resolveViews(parser, result, {&src, &dst}, segments) ||
      resolveIndices(parser, result, timeSymbols, segments) ||
      resolveIndices(parser, result, multicastInfo, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.src_map = src.map;
  properties.dst_map = dst.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeLoadAndStoreOp::print(OpAsmPrinter &printer) {
  printNamedView(printer, "src", getSrc(), getSrcSubscript());
  printNamedView(printer, "dst", getDst(), getDstSubscript());
  printer.printNewline();
  printer << " time_symbols(" << getTimeSymbols() << "), load_iv";
  printLoadedVector(printer, getLoadedVector());
  if (getMulticastInfo())
    printer << ", multicast_info = " << getMulticastInfo();
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(), getSrcMapAttrName(),
                   getDstMapAttrName()});
  printBody(printer, getRegion());
  printer << getSrc().getType() << ", " << getDst().getType();
}

LogicalResult CompositeLoadAndStoreOp::verify() {
  ViewAccess source{getSrc(), getSrcSubscript(), "src array"};
  ViewAccess target{getDst(), getDstSubscript(), "dst array"};
  LaneAccess loaded{getLoadSet(), getLoadOrder(), "load"};
  LaneAccess stored{getStoreSet(), getStoreOrder(), "store"};
  if (failed(verifyView(*this, source)) || failed(verifyView(*this, target)) ||
      failed(verifyLanes(*this, loaded, source, /*mayExceedRank=*/true)) ||
      failed(verifyLanes(*this, stored, target, /*mayExceedRank=*/true)) ||
      failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getLoadTimeAddrMap(),
                               getSrcType().getRank(), "load_time_addr_map")) ||
      failed(verifyTimeAddrMap(*this, getStoreTimeAddrMap(),
                               getDstType().getRank(),
                               "store_time_addr_map")) ||
      failed(verifyLoadedVector(*this, getBody())) ||
      failed(verifyVector(*this, getLoadedVector().getType(), loaded, source)))
    return failure();
  return verifyStoredVector(*this, getStoredVector(), stored, target);
}

//===----------------------------------------------------------------------===//
// CompositeLoadOp
//===----------------------------------------------------------------------===//

ParseResult CompositeLoadOp::parse(OpAsmParser &parser,
                                   OperationState &result) {
  ParsedView view;
  SmallVector<UnresolvedOperand> timeSymbols;
  OpAsmParser::Argument vector;
  SmallVector<int32_t> segments;
  if (parseView(parser, view) || parseTimeSymbols(parser, timeSymbols) ||
      parseLoadedVector(parser, vector) ||
      parseAttributes<CompositeLoadOp>(parser, result) ||
      parseBody<CompositeLoadOp>(parser, result, vector) ||
      parser.parseColon() || resolveViews(parser, result, {&view}, segments) ||
      resolveIndices(parser, result, timeSymbols, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.map = view.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeLoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView();
  ktir::printAffineSubscript(printer, getMap(), getIndices());
  printer.printNewline();
  printer << " time_symbols(" << getTimeSymbols() << ')';
  printLoadedVector(printer, getLoadedVector());
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(), getMapAttrName()});
  printBody(printer, getRegion());
  printer << getView().getType();
}

LogicalResult CompositeLoadOp::verify() {
  ViewAccess access{getView(), getSubscript(), "Array"};
  LaneAccess lanes{getLoadSet(), getLoadOrder(), "load"};
  if (failed(verifyView(*this, access)) ||
      failed(verifyLanes(*this, lanes, access, /*mayExceedRank=*/true)) ||
      failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getTimeAddrMap(), getViewType().getRank(),
                               "time_addr_map")) ||
      failed(verifyLoadedVector(*this, getBody())))
    return failure();
  return verifyVector(*this, getLoadedVector().getType(), lanes, access);
}

//===----------------------------------------------------------------------===//
// CompositeStoreOp
//===----------------------------------------------------------------------===//

Value CompositeStoreOp::getStoredVector() {
  Block *body = getBody();
  if (!body)
    return getInputVector();
  YieldOp yield = getYieldOf(body);
  return yield ? yield.getValue() : Value();
}

ParseResult CompositeStoreOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  ParsedView view;
  SmallVector<UnresolvedOperand> timeSymbols, inputVector;
  if (parseView(parser, view))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("input_vector")) &&
      (parser.parseEqual() || parser.parseOperand(inputVector.emplace_back())))
    return failure();
  if (parseTimeSymbols(parser, timeSymbols) ||
      parseAttributes<CompositeStoreOp>(parser, result))
    return failure();

  Region *body = result.addRegion();
  OptionalParseResult hasBody = parser.parseOptionalRegion(*body);
  if (hasBody.has_value()) {
    if (failed(*hasBody))
      return failure();
    if (body->empty())
      body->emplaceBlock();
  }

  SmallVector<int32_t> segments;
  if (parser.parseColon() || resolveViews(parser, result, {&view}, segments))
    return failure();
  segments.push_back(inputVector.size());
  if (!inputVector.empty()) {
    Type type;
    if (parser.parseComma() || parser.parseType(type) ||
        parser.resolveOperand(inputVector.front(), type, result.operands))
      return failure();
  }
  if (resolveIndices(parser, result, timeSymbols, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.map = view.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeStoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView();
  ktir::printAffineSubscript(printer, getMap(), getIndices());
  printer.printNewline();
  if (getInputVector())
    printer << " input_vector=" << getInputVector();
  printer << " time_symbols(" << getTimeSymbols() << ')';
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(), getMapAttrName()});
  if (getBody()) {
    printBody(printer, getRegion());
  } else {
    printer.printNewline();
    printer << " : ";
  }
  printer << getView().getType();
  if (getInputVector())
    printer << ", " << getInputVector().getType();
}

LogicalResult CompositeStoreOp::verify() {
  bool hasSet = getStoreSet() || getStoreOrder();
  bool hasWholeSet = getStoreSet() && getStoreOrder() && getBody();
  if (getInputVector() ? hasSet || getBody() : !hasWholeSet)
    return emitOpError("either store_set/order or input vector has to be "
                       "present in composite store");
  ViewAccess access{getView(), getSubscript(), "Array"};
  if (failed(verifyView(*this, access)) || failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getTimeAddrMap(), getViewType().getRank(),
                               "time_addr_map")))
    return failure();
  if (getInputVector()) {
    Type element = getViewType().getElementType();
    if (getVectorElementType(getInputVector().getType()) != element)
      return emitOpError("expected a vector of the Array's element type ")
             << element << ", but got " << getInputVector().getType();
    return success();
  }
  LaneAccess lanes{*getStoreSet(), *getStoreOrder(), "store"};
  if (failed(verifyLanes(*this, lanes, access, /*mayExceedRank=*/true)) ||
      failed(verifyNoArguments(*this, getBody())))
    return failure();
  if (!getYieldOf(getBody()))
    return emitOpError("expected the body to end with '")
           << YieldOp::getOperationName() << "'";
  return verifyStoredVector(*this, getStoredVector(), lanes, access);
}

//===----------------------------------------------------------------------===//
// Indirect single-vector access
//===----------------------------------------------------------------------===//

LogicalResult IndirectVectorLoadOp::verify() {
  ViewAccess indirect{getIndirect(), getIndirectSubscript(), "indirect array"};
  ViewAccess direct{getDirect(), getDirectSubscript(), "direct array"};
  LaneAccess lanes{getLoadSet(), getLoadOrder(), "load"};
  if (failed(verifyIndirect(*this, indirect)) ||
      failed(verifyView(*this, direct)) ||
      failed(verifyLanes(*this, lanes, direct, /*mayExceedRank=*/false)))
    return failure();
  return verifyVector(*this, getValue().getType(), lanes, direct);
}

LogicalResult IndirectVectorStoreOp::verify() {
  ViewAccess indirect{getIndirect(), getIndirectSubscript(), "indirect array"};
  ViewAccess direct{getDirect(), getDirectSubscript(), "direct array"};
  LaneAccess lanes{getStoreSet(), getStoreOrder(), "store"};
  if (failed(verifyIndirect(*this, indirect)) ||
      failed(verifyView(*this, direct)) ||
      failed(verifyLanes(*this, lanes, direct, /*mayExceedRank=*/false)))
    return failure();
  return verifyVector(*this, getValue().getType(), lanes, direct);
}

//===----------------------------------------------------------------------===//
// CompositeIndirectLoadAndStoreOp
//===----------------------------------------------------------------------===//

Value CompositeIndirectLoadAndStoreOp::getStoredVector() {
  return getCopiedVector(getBody());
}

ParseResult CompositeIndirectLoadAndStoreOp::parse(OpAsmParser &parser,
                                                   OperationState &result) {
  ParsedView indirectSrc, directSrc, indirectDst, directDst;
  SmallVector<UnresolvedOperand> multicastInfo, timeSymbols;
  OpAsmParser::Argument vector;
  SmallVector<int32_t> segments;
  if (parseOptionalNamedView(parser, "indirect_src", indirectSrc) ||
      parseNamedView(parser, "direct_src", directSrc) ||
      parseOptionalNamedView(parser, "indirect_dst", indirectDst) ||
      parseNamedView(parser, "direct_dst", directDst) ||
      parseOptionalMulticastInfo(parser, multicastInfo) ||
      parseTimeSymbols(parser, timeSymbols) || parseLoadIv(parser, vector) ||
      parseAttributes<CompositeIndirectLoadAndStoreOp>(parser, result) ||
      parseBody<CompositeIndirectLoadAndStoreOp>(parser, result, vector) ||
      parser.parseColon() ||
      resolveViews(parser, result,
                   {&indirectSrc, &directSrc, &indirectDst, &directDst},
                   segments) ||
      resolveIndices(parser, result, multicastInfo, segments) ||
      resolveIndices(parser, result, timeSymbols, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.indirect_src_map = indirectSrc.map;
  properties.direct_src_map = directSrc.map;
  properties.indirect_dst_map = indirectDst.map;
  properties.direct_dst_map = directDst.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeIndirectLoadAndStoreOp::print(OpAsmPrinter &printer) {
  if (getIndirectSrc())
    printNamedView(printer, "indirect_src", getIndirectSrc(),
                   getIndirectSrcSubscript());
  printNamedView(printer, "direct_src", getDirectSrc(),
                 getDirectSrcSubscript());
  if (getIndirectDst())
    printNamedView(printer, "indirect_dst", getIndirectDst(),
                   getIndirectDstSubscript());
  printNamedView(printer, "direct_dst", getDirectDst(),
                 getDirectDstSubscript());
  printer.printNewline();
  printMulticastInfo(printer, getMulticastInfo());
  printer << " time_symbols(" << getTimeSymbols() << "), load_iv";
  printLoadedVector(printer, getLoadedVector());
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(),
                   getIndirectSrcMapAttrName(), getDirectSrcMapAttrName(),
                   getIndirectDstMapAttrName(), getDirectDstMapAttrName()});
  printBody(printer, getRegion());
  SmallVector<Value> views = {getIndirectSrc(), getDirectSrc(),
                              getIndirectDst(), getDirectDst()};
  llvm::erase(views, Value());
  llvm::interleaveComma(ValueRange(views).getTypes(), printer);
}

/// Checks the address buffer of one side, which may be absent, and the maps
/// that go with it.
static LogicalResult
verifyOptionalIndirect(CompositeAccessOpInterface op, Value view,
                       std::optional<AffineMap> map, OperandRange operands,
                       std::optional<AffineMap> timeAddrMap, StringRef mapName,
                       StringRef timeAddrMapName) {
  if (!view) {
    if (map || !operands.empty() || timeAddrMap)
      return op->emitOpError()
             << "expected no '" << mapName << "', no operands for it and no '"
             << timeAddrMapName << "' where the indirect array is absent";
    return success();
  }
  if (!map)
    return op->emitOpError() << "expected '" << mapName
                             << "' where the indirect array is present";
  if (failed(verifyIndirect(op, {view, {*map, operands}, "indirect array"})))
    return failure();
  // A map without results stands for displacement zero.
  if (!timeAddrMap || timeAddrMap->getNumResults() == 0)
    return success();
  return verifyTimeAddrMap(op, *timeAddrMap, map->getNumResults(),
                           timeAddrMapName);
}

LogicalResult CompositeIndirectLoadAndStoreOp::verify() {
  ViewAccess source{getDirectSrc(), getDirectSrcSubscript(), "src array"};
  ViewAccess target{getDirectDst(), getDirectDstSubscript(), "dst array"};
  LaneAccess loaded{getLoadSet(), getLoadOrder(), "load"};
  LaneAccess stored{getStoreSet(), getStoreOrder(), "store"};
  if (failed(verifyView(*this, source)) || failed(verifyView(*this, target)) ||
      failed(verifyLanes(*this, loaded, source, /*mayExceedRank=*/true)) ||
      failed(verifyLanes(*this, stored, target, /*mayExceedRank=*/true)) ||
      failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getLoadDirectTimeAddrMap(),
                               getDirectSrcMap().getNumResults(),
                               "load_direct_time_addr_map")) ||
      failed(verifyTimeAddrMap(*this, getStoreDirectTimeAddrMap(),
                               getDirectDstMap().getNumResults(),
                               "store_direct_time_addr_map")) ||
      failed(verifyOptionalIndirect(
          *this, getIndirectSrc(), getIndirectSrcMap(), getIndirectSrcIndices(),
          getLoadIndirectTimeAddrMap(), "indirect_src_map",
          "load_indirect_time_addr_map")) ||
      failed(verifyOptionalIndirect(
          *this, getIndirectDst(), getIndirectDstMap(), getIndirectDstIndices(),
          getStoreIndirectTimeAddrMap(), "indirect_dst_map",
          "store_indirect_time_addr_map")) ||
      failed(verifyLoadedVector(*this, getBody())) ||
      failed(verifyVector(*this, getLoadedVector().getType(), loaded, source)))
    return failure();
  return verifyStoredVector(*this, getStoredVector(), stored, target);
}

//===----------------------------------------------------------------------===//
// CompositeIndirectLoadOp
//===----------------------------------------------------------------------===//

ParseResult CompositeIndirectLoadOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  ParsedView indirect, direct;
  SmallVector<UnresolvedOperand> multicastInfo, timeSymbols;
  OpAsmParser::Argument vector;
  SmallVector<int32_t> segments;
  if (parseNamedView(parser, "indirect", indirect) ||
      parseNamedView(parser, "direct", direct) ||
      parseOptionalMulticastInfo(parser, multicastInfo) ||
      parseTimeSymbols(parser, timeSymbols) || parseLoadIv(parser, vector) ||
      parseAttributes<CompositeIndirectLoadOp>(parser, result) ||
      parseBody<CompositeIndirectLoadOp>(parser, result, vector) ||
      parser.parseColon() ||
      resolveViews(parser, result, {&indirect, &direct}, segments) ||
      resolveIndices(parser, result, multicastInfo, segments) ||
      resolveIndices(parser, result, timeSymbols, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.indirect_map = indirect.map;
  properties.direct_map = direct.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeIndirectLoadOp::print(OpAsmPrinter &printer) {
  printNamedView(printer, "indirect", getIndirect(), getIndirectSubscript());
  printNamedView(printer, "direct", getDirect(), getDirectSubscript());
  printer.printNewline();
  printMulticastInfo(printer, getMulticastInfo());
  printer << " time_symbols(" << getTimeSymbols() << "), load_iv";
  printLoadedVector(printer, getLoadedVector());
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(), getIndirectMapAttrName(),
                   getDirectMapAttrName()});
  printBody(printer, getRegion());
  printer << getIndirect().getType() << ", " << getDirect().getType();
}

LogicalResult CompositeIndirectLoadOp::verify() {
  ViewAccess indirect{getIndirect(), getIndirectSubscript(), "indirect array"};
  ViewAccess direct{getDirect(), getDirectSubscript(), "direct array"};
  LaneAccess lanes{getLoadSet(), getLoadOrder(), "load"};
  if (failed(verifyIndirect(*this, indirect)) ||
      failed(verifyView(*this, direct)) ||
      failed(verifyLanes(*this, lanes, direct, /*mayExceedRank=*/true)) ||
      failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getTimeAddrMap(),
                               getDirectMap().getNumResults(),
                               "time_addr_map")) ||
      failed(verifyLoadedVector(*this, getBody())))
    return failure();
  return verifyVector(*this, getLoadedVector().getType(), lanes, direct);
}

//===----------------------------------------------------------------------===//
// CompositeIndirectStoreOp
//===----------------------------------------------------------------------===//

Value CompositeIndirectStoreOp::getStoredVector() {
  YieldOp yield = getYieldOf(getBody());
  return yield ? yield.getValue() : Value();
}

ParseResult CompositeIndirectStoreOp::parse(OpAsmParser &parser,
                                            OperationState &result) {
  ParsedView indirect, direct;
  SmallVector<UnresolvedOperand> multicastInfo, timeSymbols;
  SmallVector<int32_t> segments;
  if (parseNamedView(parser, "indirect", indirect) ||
      parseNamedView(parser, "direct", direct) ||
      parseOptionalMulticastInfo(parser, multicastInfo) ||
      parseTimeSymbols(parser, timeSymbols) ||
      parseAttributes<CompositeIndirectStoreOp>(parser, result) ||
      parseBody<CompositeIndirectStoreOp>(parser, result, {}) ||
      parser.parseColon() ||
      resolveViews(parser, result, {&indirect, &direct}, segments) ||
      resolveIndices(parser, result, multicastInfo, segments) ||
      resolveIndices(parser, result, timeSymbols, segments))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.indirect_map = indirect.map;
  properties.direct_map = direct.map;
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  return success();
}

void CompositeIndirectStoreOp::print(OpAsmPrinter &printer) {
  printNamedView(printer, "indirect", getIndirect(), getIndirectSubscript());
  printNamedView(printer, "direct", getDirect(), getDirectSubscript());
  printer.printNewline();
  printMulticastInfo(printer, getMulticastInfo());
  printer << " time_symbols(" << getTimeSymbols() << ')';
  printAttributes(printer, *this,
                  {getOperandSegmentSizesAttrName(), getIndirectMapAttrName(),
                   getDirectMapAttrName()});
  printBody(printer, getRegion());
  printer << getIndirect().getType() << ", " << getDirect().getType();
}

LogicalResult CompositeIndirectStoreOp::verify() {
  ViewAccess indirect{getIndirect(), getIndirectSubscript(), "indirect array"};
  ViewAccess direct{getDirect(), getDirectSubscript(), "direct array"};
  LaneAccess lanes{getStoreSet(), getStoreOrder(), "store"};
  if (failed(verifyIndirect(*this, indirect)) ||
      failed(verifyView(*this, direct)) ||
      failed(verifyLanes(*this, lanes, direct, /*mayExceedRank=*/true)) ||
      failed(verifyTime(*this)) ||
      failed(verifyTimeAddrMap(*this, getTimeAddrMap(),
                               getDirectMap().getNumResults(),
                               "time_addr_map")) ||
      failed(verifyNoArguments(*this, getBody())))
    return failure();
  return verifyStoredVector(*this, getStoredVector(), lanes, direct);
}

//===----------------------------------------------------------------------===//
// CompositeMemoryInterleaveOp
//===----------------------------------------------------------------------===//

ParseResult CompositeMemoryInterleaveOp::parse(OpAsmParser &parser,
                                               OperationState &result) {
  // The dictionary is always there: a brace alone would open the region.
  return failure(parseAttributes<CompositeMemoryInterleaveOp>(parser, result) ||
                 parseBody<CompositeMemoryInterleaveOp>(parser, result, {}));
}

void CompositeMemoryInterleaveOp::print(OpAsmPrinter &printer) {
  if ((*this)->getAttrs().empty())
    printer << " {}";
  else
    printer.printOptionalAttrDict((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false);
}

LogicalResult CompositeMemoryInterleaveOp::verify() {
  if (std::optional<uint32_t> granularity = getGranularity();
      granularity && static_cast<int32_t>(*granularity) < 1)
    return emitOpError("expected a positive 'granularity', but got ")
           << static_cast<int32_t>(*granularity);
  if (failed(verifyNoArguments(*this, getBody())))
    return failure();
  CompositeAccessOpInterface first;
  std::optional<int64_t> firstSteps;
  for (Operation &op : getBody()->without_terminator()) {
    auto access = dyn_cast<CompositeAccessOpInterface>(op);
    if (!access) {
      InFlightDiagnostic diag =
          emitOpError("expected only composite accesses, but got '")
          << op.getName() << "'";
      diag.attachNote(op.getLoc()) << "other operation here";
      return diag;
    }
    std::optional<int64_t> steps = ktir::countPoints(access.getTimeSet());
    if (!first) {
      first = access;
      firstSteps = steps;
      continue;
    }
    if (op.getName() != first->getName()) {
      InFlightDiagnostic diag =
          emitOpError("expected composite accesses of one kind, but got '")
          << first->getName() << "' and '" << op.getName() << "'";
      diag.attachNote(op.getLoc()) << "other kind here";
      return diag;
    }
    // Step counts that depend on symbols are compared by the execution.
    if (steps && firstSteps && *steps != *firstSteps) {
      InFlightDiagnostic diag =
          emitOpError("expected composite accesses of equal step counts, but "
                      "got ")
          << *firstSteps << " and " << *steps;
      diag.attachNote(op.getLoc()) << "other step count here";
      return diag;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// SetTransferMaskStateOp
//===----------------------------------------------------------------------===//

/// Name under which the custom form shows pattern `i`.
static std::string getPatternName(unsigned i) {
  return std::string("mask") + static_cast<char>('A' + i);
}

/// Most patterns that have a letter.
constexpr unsigned maxPatterns = 26;

/// Reads `name = n : i32` off the front of `text`.
static bool consumeCount(StringRef &text, StringRef name, int32_t &count) {
  text = text.ltrim();
  if (!text.consume_front(name))
    return false;
  text = text.ltrim();
  if (!text.consume_front("="))
    return false;
  text = text.ltrim();
  if (text.consumeInteger(10, count))
    return false;
  text = text.ltrim();
  if (!text.consume_front(":"))
    return false;
  text = text.ltrim();
  return text.consume_front("i32");
}

/// Reads `(unmasked = u : i32, masked = m : i32)`.
static bool parsePattern(StringRef text, int32_t &unmasked, int32_t &masked) {
  text = text.trim();
  if (!text.consume_front("(") || !text.consume_back(")") ||
      !consumeCount(text, "unmasked", unmasked))
    return false;
  text = text.ltrim();
  return text.consume_front(",") && consumeCount(text, "masked", masked) &&
         text.trim().empty();
}

ParseResult SetTransferMaskStateOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  UnresolvedOperand maskValue;
  NamedAttrList attributes;
  if (parser.parseKeyword("mask_value") || parser.parseLParen() ||
      parser.parseOperand(maskValue) || parser.parseRParen())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes))
    return failure();

  SmallVector<int32_t> unmasked, masked;
  for (unsigned i = 0; i < maxPatterns; ++i) {
    Attribute pattern = attributes.erase(getPatternName(i));
    if (!pattern)
      break;
    auto text = dyn_cast<StringAttr>(pattern);
    if (!text || !parsePattern(text.getValue(), unmasked.emplace_back(),
                               masked.emplace_back()))
      return parser.emitError(loc, "cannot determine where unmasked/masked "
                                   "values are: expected '")
             << getPatternName(i)
             << "' to be \"(unmasked = n : i32, masked = n : i32)\", but got "
             << pattern;
  }
  for (unsigned i = unmasked.size(); i < maxPatterns; ++i)
    if (attributes.get(getPatternName(i)))
      return parser.emitError(loc, "expected '")
             << getPatternName(unmasked.size()) << "' before '"
             << getPatternName(i) << "'";
  if (!unmasked.empty()) {
    Builder &builder = parser.getBuilder();
    attributes.set(getUnmaskedAttrName(result.name),
                   builder.getI32ArrayAttr(unmasked));
    attributes.set(getMaskedAttrName(result.name),
                   builder.getI32ArrayAttr(masked));
  }
  result.attributes = attributes;
  if (failed(verifyInherentAttrs(result.name, result.attributes, [&]() {
        return parser.emitError(loc)
               << "'" << result.name.getStringRef() << "' op ";
      })))
    return failure();

  Type maskType, type;
  if (parser.parseColonType(maskType) || parser.parseComma() ||
      parser.parseType(type) ||
      parser.resolveOperand(maskValue, maskType, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void SetTransferMaskStateOp::print(OpAsmPrinter &printer) {
  printer << " mask_value(" << getMaskValue() << ") {"
          << getNumSlicesAttrName().getValue() << " = " << getNumSlicesAttr()
          << ", " << getSliceMaskMapAttrName().getValue() << " = "
          << getSliceMaskMapAttr();
  for (unsigned i = 0, e = getNumPatterns(); i < e; ++i) {
    auto [unmasked, masked] = getPattern(i);
    printer << ", " << getPatternName(i) << " = \"(unmasked = " << unmasked
            << " : i32, masked = " << masked << " : i32)\"";
  }
  for (NamedAttribute attribute : (*this)->getDiscardableAttrs()) {
    printer << ", ";
    printer.printKeywordOrString(attribute.getName().getValue());
    if (!isa<UnitAttr>(attribute.getValue()))
      printer << " = " << attribute.getValue();
  }
  printer << "} : " << getMaskValue().getType() << ", " << getValue().getType();
}

LogicalResult SetTransferMaskStateOp::verify() {
  if (getUnmasked() && !getMasked())
    return emitOpError("cannot have unmasked values if there are no masked "
                       "values");
  if (getMasked() && !getUnmasked())
    return emitOpError("cannot have masked values if there are no unmasked "
                       "values");
  if (getMasked() && getMasked()->size() != getUnmasked()->size())
    return emitOpError("number of unmasked values and number of masked values "
                       "must match: ")
           << getUnmasked()->size() << " and " << getMasked()->size();
  if (getNumPatterns() > maxPatterns)
    return emitOpError("expected at most ")
           << maxPatterns << " patterns, but got " << getNumPatterns();
  return success();
}

//===----------------------------------------------------------------------===//
// Symbolic vectors
//===----------------------------------------------------------------------===//

/// Spec G-15.
static LogicalResult verifySymbolic(Operation *op, Value view, Type vector,
                                    OperandRange indices, OperandRange strides,
                                    const LaneAccess &lanes,
                                    StringRef vectorName) {
  auto type = cast<MemRefType>(view.getType());
  if (type.getRank() != 1)
    return op->emitOpError("memref is not one dimensional");
  auto memoryView =
      view.getDefiningOp<ktir::dataflow::GetLogicalMemoryViewOp>();
  if (!memoryView)
    return op->emitOpError("memref should be a "
                           "dataflow.get_logical_memory_view");
  if (!memoryView.getLayoutMap().isIdentity()) {
    InFlightDiagnostic diag =
        op->emitOpError("memref layout map should be an identity map");
    diag.attachNote(memoryView.getLoc()) << "view defined here";
    return diag;
  }
  if (!isFlatVector(vector))
    return op->emitOpError() << vectorName << " type is not one dimensional";
  if (getVectorElementType(vector) != type.getElementType())
    return op->emitOpError()
           << vectorName
           << " type does not match memref element type: " << vector << " and "
           << type;
  if (indices.empty())
    return op->emitOpError("indices should not be empty");
  if (strides.size() != indices.size())
    return op->emitOpError("strides should be the same size as indices: ")
           << strides.size() << " and " << indices.size();
  if (lanes.set.getNumDims() != 1 || lanes.order.getNumDims() != 1)
    return op->emitOpError()
           << lanes.name << " set and order should have one dimension";
  std::optional<int64_t> numPoints = ktir::countPoints(lanes.set);
  if (numPoints && *numPoints != getVectorLength(vector))
    return op->emitOpError() << lanes.name << " set has " << *numPoints
                             << " points, but the vector has "
                             << getVectorLength(vector) << " lanes";
  return success();
}

LogicalResult SymbolicVectorLoadOp::verify() {
  return verifySymbolic(*this, getView(), getValue().getType(), getIndices(),
                        getStrides(), {getLoadSet(), getLoadOrder(), "load"},
                        "result");
}

LogicalResult SymbolicVectorStoreOp::verify() {
  return verifySymbolic(*this, getView(), getValue().getType(), getIndices(),
                        getStrides(), {getStoreSet(), getStoreOrder(), "store"},
                        "input");
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<CompositeStoreOp, CompositeIndirectStoreOp>(parent) && !getValue())
    return emitOpError("expected the vector that '")
           << parent->getName() << "' stores";
  if (isa<CompositeLoadOp, CompositeIndirectLoadOp,
          CompositeMemoryInterleaveOp>(parent) &&
      getValue())
    return emitOpError("expected no operand because '")
           << parent->getName() << "' stores nothing";
  return success();
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Agen/AgenOps.cpp.inc"
