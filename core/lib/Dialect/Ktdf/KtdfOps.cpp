//===- KtdfOps.cpp - Operations of the ktdf dialect -----------------------===//

#include "ktir/Dialect/Ktdf/KtdfDialect.h"
#include "ktir/Dialect/Support/AffineSubscript.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf;

//===----------------------------------------------------------------------===//
// Shared syntax
//===----------------------------------------------------------------------===//

/// Parses a slot type in its short form `<...>` or in full.
static ParseResult parseSlotType(OpAsmParser &parser, Type &type) {
  FifoSlotType slot;
  if (parser.parseCustomTypeWithFallback(slot))
    return failure();
  type = slot;
  return success();
}

static void printSlotType(OpAsmPrinter &printer, Operation *, Type type) {
  printer.printStrippedAttrOrType(cast<FifoSlotType>(type));
}

/// Parses `none`, or a list of tokens.
static ParseResult
parseTokenList(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tokens) {
  if (succeeded(parser.parseOptionalKeyword("none")))
    return success();
  return parser.parseOperandList(tokens);
}

static void printTokenList(OpAsmPrinter &printer, Operation *,
                           OperandRange tokens) {
  if (tokens.empty())
    printer << "none";
  else
    printer << tokens;
}

using UnresolvedOperands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// Parses the rest of `[%a : %b]` after the bracket.
static ParseResult parsePairAfterBracket(OpAsmParser &parser,
                                         UnresolvedOperands &firsts,
                                         UnresolvedOperands &seconds) {
  return failure(
      parser.parseOperand(firsts.emplace_back()) || parser.parseColon() ||
      parser.parseOperand(seconds.emplace_back()) || parser.parseRSquare());
}

/// Parses `[%a : %b], [%c : %d]`, possibly empty.
static ParseResult parseIndexPairs(OpAsmParser &parser,
                                   UnresolvedOperands &firsts,
                                   UnresolvedOperands &seconds) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  if (parsePairAfterBracket(parser, firsts, seconds))
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseLSquare() || parsePairAfterBracket(parser, firsts, seconds))
      return failure();
  return success();
}

static void printIndexPairs(OpAsmPrinter &printer, Operation *,
                            OperandRange firsts, OperandRange seconds) {
  llvm::interleaveComma(llvm::zip_equal(firsts, seconds), printer,
                        [&](auto pair) {
                          printer << '[' << std::get<0>(pair) << " : "
                                  << std::get<1>(pair) << ']';
                        });
}

/// Parses `[%a : %b], ..., total_size = %n`.
static ParseResult
parseIndexPairsAndTotal(OpAsmParser &parser, UnresolvedOperands &firsts,
                        UnresolvedOperands &seconds,
                        OpAsmParser::UnresolvedOperand &total) {
  while (succeeded(parser.parseOptionalLSquare()))
    if (parsePairAfterBracket(parser, firsts, seconds) || parser.parseComma())
      return failure();
  return failure(parser.parseKeyword("total_size") || parser.parseEqual() ||
                 parser.parseOperand(total));
}

static void printIndexPairsAndTotal(OpAsmPrinter &printer, Operation *op,
                                    OperandRange firsts, OperandRange seconds,
                                    Value total) {
  printIndexPairs(printer, op, firsts, seconds);
  printer << (firsts.empty() ? "total_size = " : ", total_size = ") << total;
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Ktdf/KtdfOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

bool ktdf::isParallelLoop(Operation *loop) {
  auto type = loop->getAttrOfType<LoopTypeAttr>(kLoopTypeAttrName);
  return type && type.getValue() == LoopType::ParallelLoop;
}

void ktdf::setLoopType(Operation *loop, LoopType type) {
  loop->setAttr(kLoopTypeAttrName, LoopTypeAttr::get(loop->getContext(), type));
}

/// The terminator of `op`, or null. For verifiers, which run before those of
/// the ops inside and so may find anything there.
static PrivateYieldOp findYield(PrivateOp op) {
  Region &body = op.getBody();
  if (body.empty() || body.front().empty())
    return {};
  return dyn_cast<PrivateYieldOp>(body.front().back());
}

CreateTokenOp ktdf::getTokenSource(Value token) {
  // A private region may yield a token that an outer private region made, so
  // follow results as far as they go. Before dominance is verified, a result
  // may lead back to itself.
  llvm::SmallPtrSet<Operation *, 4> seen;
  while (true) {
    Operation *def = token.getDefiningOp();
    auto privateOp = dyn_cast_or_null<PrivateOp>(def);
    if (!privateOp)
      return dyn_cast_or_null<CreateTokenOp>(def);
    PrivateYieldOp yield = findYield(privateOp);
    unsigned number = cast<OpResult>(token).getResultNumber();
    if (!seen.insert(def).second || !yield ||
        number >= yield.getValues().size())
      return {};
    token = yield.getValues()[number];
  }
}

/// Effects of popping a message: the slot's state is read and advanced.
static void
addPopEffects(OpOperand &slot,
              SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &slot);
  effects.emplace_back(MemoryEffects::Write::get(), &slot);
}

//===----------------------------------------------------------------------===//
// FIFO ops
//===----------------------------------------------------------------------===//

LogicalResult FifoAllocateOp::verify() {
  if (getSlots().empty())
    return emitOpError("expected at least one FIFO slot result");
  size_t numDynamic = llvm::count_if(getSlots().getTypes(), [](Type type) {
    return cast<FifoSlotType>(type).isDynamic();
  });
  if (getSizes().size() != numDynamic)
    return emitOpError("number of dynamic size operands (")
           << getSizes().size()
           << ") must match number of dynamic sizes in result types ("
           << numDynamic << ")";
  return success();
}

/// Checks K-2 between a slot and the data read from or written to it.
static LogicalResult verifySlotData(Operation *op, FifoSlotType slot,
                                    ShapedType data, StringRef names) {
  if (slot.getElementType() != data.getElementType())
    return op->emitOpError("failed to verify that all of {")
           << names << "} have same element type: " << slot.getElementType()
           << " in the slot, " << data.getElementType() << " in the data";
  if (slot.isDynamic() == data.hasStaticShape())
    return op->emitOpError(
        "FIFO slot and data must both be dynamic or both be static");
  if (!slot.isDynamic() && data.getNumElements() != slot.getSize())
    return op->emitOpError("data total elements (")
           << data.getNumElements() << ") must match FIFO slot size ("
           << slot.getSize() << ")";
  return success();
}

LogicalResult ReadFromFifoOp::verify() {
  return verifySlotData(*this, getSlot().getType(),
                        cast<ShapedType>(getData().getType()),
                        "fifo_slot, result");
}

void ReadFromFifoOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addPopEffects(getSlotMutable(), effects);
  if (isa<MemRefType>(getData().getType()))
    effects.emplace_back(MemoryEffects::Allocate::get(),
                         cast<OpResult>(getData()));
}

LogicalResult WriteToFifoOp::verify() {
  return verifySlotData(*this, getSlot().getType(),
                        cast<ShapedType>(getData().getType()),
                        "data, fifo_slot");
}

void WriteToFifoOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<MemRefType>(getData().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getDataMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getSlotMutable());
}

//===----------------------------------------------------------------------===//
// Tile-size ops
//===----------------------------------------------------------------------===//

LogicalResult TilingReserveSizeOp::verify() {
  if (getMinValue().slt(1))
    return emitOpError("expected min_value >= 1, got ")
           << getMinValue().getSExtValue();
  if (getDivisibility().slt(1))
    return emitOpError("expected divisibility >= 1, got ")
           << getDivisibility().getSExtValue();
  return success();
}

LogicalResult TilingDeriveSizeOp::verify() {
  if (getIndices().empty())
    return emitOpError("must have at least one [iv : tile_size] pair");
  return success();
}

OpFoldResult TilingDeriveSizeOp::fold(FoldAdaptor adaptor) {
  // Only the first tile of a single level is known without knowing the loop,
  // K-8: min(tile size, total).
  if (getIndices().size() != 1)
    return {};
  auto index = dyn_cast_or_null<IntegerAttr>(adaptor.getIndices().front());
  auto tile = dyn_cast_or_null<IntegerAttr>(adaptor.getTileSizes().front());
  auto total = dyn_cast_or_null<IntegerAttr>(adaptor.getTotalSize());
  if (!index || !index.getValue().isZero() || !tile || !total)
    return {};
  int64_t size = std::max<int64_t>(std::min(tile.getInt(), total.getInt()), 0);
  return IntegerAttr::get(IndexType::get(getContext()), size);
}

LogicalResult TilingLinearizeIndexOp::verify() {
  if (getIndices().empty())
    return emitOpError("must have at least one [iv : stride] pair");
  return success();
}

//===----------------------------------------------------------------------===//
// PipelineOp, StageOp, PrivateOp
//===----------------------------------------------------------------------===//

void PipelineOp::build(OpBuilder &builder, OperationState &state,
                       std::optional<int64_t> modulo) {
  if (modulo)
    state.getOrAddProperties<Properties>().modulo =
        builder.getI64IntegerAttr(*modulo);
  state.addRegion()->emplaceBlock();
}

PrivateOp PipelineOp::getPrivateOp() {
  auto ops = getBody().front().getOps<PrivateOp>();
  return ops.empty() ? PrivateOp() : *ops.begin();
}

LogicalResult PipelineOp::verify() {
  PrivateOp first;
  for (Operation &child : getBody().front()) {
    if (auto privateOp = dyn_cast<PrivateOp>(child)) {
      if (first) {
        InFlightDiagnostic diag = emitOpError(
            "at most one immediate 'ktdf.private' child is allowed");
        diag.attachNote(privateOp.getLoc()) << "second 'ktdf.private' is here";
        return diag;
      }
      first = privateOp;
      continue;
    }
    if (!isa<StageOp>(child)) {
      InFlightDiagnostic diag = emitOpError(
          "immediate children must be 'ktdf.stage' or 'ktdf.private' ops");
      diag.attachNote(child.getLoc())
          << "found '" << child.getName() << "' here";
      return diag;
    }
  }
  return success();
}

void StageOp::build(OpBuilder &builder, OperationState &state,
                    ValueRange dependsIn, ValueRange dependsOut,
                    ArrayRef<StringRef> units) {
  state.addOperands(dependsIn);
  state.addOperands(dependsOut);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(dependsIn.size()),
                                    static_cast<int32_t>(dependsOut.size())};
  if (!units.empty())
    properties.applicable_units = builder.getStrArrayAttr(units);
  state.addRegion()->emplaceBlock();
}

SmallVector<StringRef> StageOp::getUnitKinds() {
  SmallVector<StringRef> kinds;
  if (ArrayAttr units = getApplicableUnitsAttr())
    for (StringAttr unit : units.getAsRange<StringAttr>())
      kinds.push_back(unit.getValue());
  return kinds;
}

std::optional<StringRef> StageOp::getUnitKind() {
  SmallVector<StringRef> kinds = getUnitKinds();
  if (kinds.size() != 1)
    return std::nullopt;
  return kinds.front();
}

void StageOp::setUnitKinds(ArrayRef<StringRef> kinds) {
  if (kinds.empty())
    removeApplicableUnitsAttr();
  else
    setApplicableUnitsAttr(Builder(getContext()).getStrArrayAttr(kinds));
}

LogicalResult StageOp::verify() {
  auto verifyTokens = [&](OperandRange tokens,
                          StringRef list) -> LogicalResult {
    for (Value token : tokens) {
      if (getTokenSource(token))
        continue;
      InFlightDiagnostic diag =
          emitOpError(list)
          << " operand must originate from ktdf.create_token or ktdf.private "
             "operation yielding a token created by ktdf.create_token";
      diag.attachNote(token.getLoc()) << "the operand is defined here";
      return diag;
    }
    return success();
  };
  if (failed(verifyTokens(getDependsIn(), "depends_in")))
    return failure();
  return verifyTokens(getDependsOut(), "depends_out");
}

void PrivateOp::build(OpBuilder &builder, OperationState &state,
                      TypeRange resultTypes) {
  state.addTypes(resultTypes);
  state.addRegion()->emplaceBlock();
}

PrivateYieldOp PrivateOp::getYield() {
  return cast<PrivateYieldOp>(getBody().front().getTerminator());
}

ParseResult PrivateOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalParen, [&] {
        return parser.parseType(result.types.emplace_back());
      }))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, /*arguments=*/{}) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void PrivateOp::print(OpAsmPrinter &printer) {
  if (getNumResults() != 0) {
    printer << " -> (";
    llvm::interleaveComma(getResultTypes(), printer);
    printer << ')';
  }
  printer << ' ';
  // The terminator names what leaves the region: print it even when empty.
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult PrivateOp::verify() {
  PrivateYieldOp yield = findYield(*this);
  if (!yield)
    return success(); // The rule about terminators reports it.
  if (yield.getValues().size() != getNumResults()) {
    InFlightDiagnostic diag = emitOpError("has ")
                              << getNumResults()
                              << " results, but its 'ktdf.private_yield' has "
                              << yield.getValues().size() << " operands";
    diag.attachNote(yield.getLoc()) << "'ktdf.private_yield' is here";
    return diag;
  }
  for (auto [number, yielded, expected] :
       llvm::enumerate(yield.getValues().getTypes(), getResultTypes())) {
    if (yielded == expected)
      continue;
    InFlightDiagnostic diag =
        emitOpError("result #")
        << number << " has type " << expected
        << ", but its 'ktdf.private_yield' has an operand of type " << yielded;
    diag.attachNote(yield.getLoc()) << "'ktdf.private_yield' is here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DataTransferOp
//===----------------------------------------------------------------------===//

void DataTransferOp::build(OpBuilder &builder, OperationState &state, Value src,
                           AffineMap srcMap, ValueRange srcIndices,
                           ArrayRef<OpFoldResult> srcSizes, Value dst,
                           AffineMap dstMap, ValueRange dstIndices,
                           ArrayRef<OpFoldResult> dstSizes) {
  SmallVector<int64_t> staticSrc, staticDst;
  SmallVector<Value> dynamicSrc, dynamicDst;
  dispatchIndexOpFoldResults(srcSizes, dynamicSrc, staticSrc);
  dispatchIndexOpFoldResults(dstSizes, dynamicDst, staticDst);
  state.addOperands(src);
  state.addOperands(srcIndices);
  state.addOperands(dynamicSrc);
  state.addOperands(dst);
  state.addOperands(dstIndices);
  state.addOperands(dynamicDst);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1,
                                    static_cast<int32_t>(srcIndices.size()),
                                    static_cast<int32_t>(dynamicSrc.size()),
                                    1,
                                    static_cast<int32_t>(dstIndices.size()),
                                    static_cast<int32_t>(dynamicDst.size())};
  if (srcMap)
    properties.source_map = AffineMapAttr::get(srcMap);
  if (dstMap)
    properties.dest_map = AffineMapAttr::get(dstMap);
  properties.static_src_sizes = builder.getDenseI64ArrayAttr(staticSrc);
  properties.static_dst_sizes = builder.getDenseI64ArrayAttr(staticDst);
}

void DataTransferOp::build(OpBuilder &builder, OperationState &state, Value src,
                           AffineMap srcMap, ValueRange srcIndices,
                           ArrayRef<int64_t> srcSizes, Value dst,
                           AffineMap dstMap, ValueRange dstIndices,
                           ArrayRef<int64_t> dstSizes) {
  build(builder, state, src, srcMap, srcIndices,
        getAsIndexOpFoldResult(builder.getContext(), srcSizes), dst, dstMap,
        dstIndices, getAsIndexOpFoldResult(builder.getContext(), dstSizes));
}

/// The size list that spells out a whole slot; empty when it is dynamic.
static SmallVector<int64_t> getSlotSizes(Value slot) {
  auto type = cast<FifoSlotType>(slot.getType());
  if (type.isDynamic())
    return {};
  return {type.getSize()};
}

void DataTransferOp::build(OpBuilder &builder, OperationState &state, Value src,
                           AffineMap srcMap, ValueRange srcIndices,
                           ArrayRef<int64_t> srcSizes, Value slot) {
  build(builder, state, src, srcMap, srcIndices, srcSizes, slot, AffineMap(),
        ValueRange(), ArrayRef<int64_t>(getSlotSizes(slot)));
}

void DataTransferOp::build(OpBuilder &builder, OperationState &state,
                           Value slot, Value dst, AffineMap dstMap,
                           ValueRange dstIndices, ArrayRef<int64_t> dstSizes) {
  build(builder, state, slot, AffineMap(), ValueRange(),
        ArrayRef<int64_t>(getSlotSizes(slot)), dst, dstMap, dstIndices,
        dstSizes);
}

SmallVector<OpFoldResult> DataTransferOp::getMixedSrcSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSrcSizes(), getSrcSizes(), builder);
}

SmallVector<OpFoldResult> DataTransferOp::getMixedDstSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticDstSizes(), getDstSizes(), builder);
}

/// Number of elements of a box, or of a whole slot without sizes.
static std::optional<int64_t> getNumElements(Type type,
                                             ArrayRef<int64_t> sizes) {
  auto slot = dyn_cast<FifoSlotType>(type);
  if (slot && sizes.empty())
    return slot.isDynamic() ? std::nullopt
                            : std::optional<int64_t>(slot.getSize());
  if (ShapedType::isDynamicShape(sizes))
    return std::nullopt;
  return ShapedType::getNumElements(sizes);
}

std::optional<int64_t> DataTransferOp::getNumSrcElements() {
  return getNumElements(getSrc().getType(), getStaticSrcSizes());
}

std::optional<int64_t> DataTransferOp::getNumDstElements() {
  return getNumElements(getDst().getType(), getStaticDstSizes());
}

StringRef DataTransferOp::getTransferMode() {
  auto mode = (*this)->getAttrOfType<StringAttr>(kTransferModeAttrName);
  return mode ? mode.getValue() : StringRef();
}

void DataTransferOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isSrcSlot())
    addPopEffects(getSrcMutable(), effects);
  else
    effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getDstMutable());
}

namespace {
/// One side of a transfer as it is parsed.
struct TransferSide {
  OpAsmParser::UnresolvedOperand value;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  AffineMapAttr map;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  DenseI64ArrayAttr staticSizes;
};
} // namespace

/// Parses `%value[subscript]? (size [sizes])?`.
static ParseResult parseTransferSide(OpAsmParser &parser, TransferSide &side) {
  if (parser.parseOperand(side.value))
    return failure();
  // A slot has no subscript, and the parser has no optional form of one.
  if (*parser.getCurrentLocation().getPointer() == '[' &&
      parseAffineSubscript(parser, side.indices, side.map))
    return failure();
  side.staticSizes = parser.getBuilder().getDenseI64ArrayAttr({});
  if (failed(parser.parseOptionalKeyword("size")))
    return success();
  return parseDynamicIndexList(parser, side.sizes, side.staticSizes);
}

ParseResult DataTransferOp::parse(OpAsmParser &parser, OperationState &result) {
  TransferSide src, dst;
  Type srcType, dstType;
  if (parser.parseKeyword("from") || parseTransferSide(parser, src) ||
      parser.parseKeyword("to") || parseTransferSide(parser, dst) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseType(srcType) || parser.parseComma() ||
      parser.parseType(dstType))
    return failure();
  Type index = parser.getBuilder().getIndexType();
  auto resolve = [&](TransferSide &side, Type type) {
    return parser.resolveOperand(side.value, type, result.operands) ||
           parser.resolveOperands(side.indices, index, result.operands) ||
           parser.resolveOperands(side.sizes, index, result.operands);
  };
  if (resolve(src, srcType) || resolve(dst, dstType))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1,
                                    static_cast<int32_t>(src.indices.size()),
                                    static_cast<int32_t>(src.sizes.size()),
                                    1,
                                    static_cast<int32_t>(dst.indices.size()),
                                    static_cast<int32_t>(dst.sizes.size())};
  properties.source_map = src.map;
  properties.dest_map = dst.map;
  properties.static_src_sizes = src.staticSizes;
  properties.static_dst_sizes = dst.staticSizes;
  return success();
}

void DataTransferOp::print(OpAsmPrinter &printer) {
  auto printSide = [&](Value value, AffineMapAttr map, OperandRange indices,
                       OperandRange sizes, ArrayRef<int64_t> staticSizes) {
    printer << value;
    if (map)
      printAffineSubscript(printer, map.getValue(), indices);
    if (!staticSizes.empty()) {
      printer << " size ";
      printDynamicIndexList(printer, *this, sizes, staticSizes);
    }
  };
  printer << " from ";
  printSide(getSrc(), getSourceMapAttr(), getSrcIndices(), getSrcSizes(),
            getStaticSrcSizes());
  printer << " to ";
  printSide(getDst(), getDestMapAttr(), getDstIndices(), getDstSizes(),
            getStaticDstSizes());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizesAttrName(),
                                 getSourceMapAttrName(), getDestMapAttrName(),
                                 getStaticSrcSizesAttrName(),
                                 getStaticDstSizesAttrName()});
  printer << " : " << getSrc().getType() << ", " << getDst().getType();
}

LogicalResult DataTransferOp::verify() {
  // Checks one side; `side` and `map` are its names in diagnostics.
  auto verifySide = [&](StringRef side, StringRef mapName, Type type,
                        AffineMapAttr mapAttr, OperandRange indices,
                        OperandRange sizes,
                        ArrayRef<int64_t> staticSizes) -> LogicalResult {
    int64_t numDynamic = llvm::count(staticSizes, ShapedType::kDynamic);
    if (numDynamic != static_cast<int64_t>(sizes.size()))
      return emitOpError() << side << " has " << sizes.size()
                           << " dynamic size operands, expected " << numDynamic;
    for (int64_t size : staticSizes)
      if (!ShapedType::isDynamic(size) && size < 0)
        return emitOpError() << side << " size must be >= 0, got " << size;
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      if (mapAttr || !indices.empty())
        return emitOpError() << mapName << " must be absent for fifo " << side;
      return success();
    }
    if (!mapAttr)
      return emitOpError() << mapName << " must be present when " << side
                           << " is a memref";
    AffineMap map = mapAttr.getValue();
    if (map.getNumSymbols() != 0)
      return emitOpError() << mapName
                           << " must have 0 symbols (dims-only); got "
                           << map.getNumSymbols();
    if (map.getNumResults() != memref.getRank())
      return emitOpError() << side << " memref has rank " << memref.getRank()
                           << " but " << mapName << " has "
                           << map.getNumResults() << " results";
    if (map.getNumDims() != indices.size())
      return emitOpError() << mapName << " has " << map.getNumDims()
                           << " dims but " << side << " has " << indices.size()
                           << " subscript operands";
    if (static_cast<int64_t>(staticSizes.size()) != memref.getRank())
      return emitOpError() << side << " size count (" << staticSizes.size()
                           << ") must match memref rank (" << memref.getRank()
                           << ")";
    return success();
  };
  if (isSrcSlot() && isDstSlot())
    return emitOpError("expected a memref as source or destination, got two "
                       "FIFO slots");
  auto getElementType = [](Type type) {
    if (auto slot = dyn_cast<FifoSlotType>(type))
      return slot.getElementType();
    return cast<BaseMemRefType>(type).getElementType();
  };
  Type srcElement = getElementType(getSrc().getType());
  Type dstElement = getElementType(getDst().getType());
  if (srcElement != dstElement)
    return emitOpError("failed to verify that all of {source, destination} "
                       "have same element type: ")
           << srcElement << " in the source, " << dstElement
           << " in the destination";
  if (failed(verifySide("source", "source_map", getSrc().getType(),
                        getSourceMapAttr(), getSrcIndices(), getSrcSizes(),
                        getStaticSrcSizes())))
    return failure();
  return verifySide("dest", "dest_map", getDst().getType(), getDestMapAttr(),
                    getDstIndices(), getDstSizes(), getStaticDstSizes());
}

//===----------------------------------------------------------------------===//
// ParallelOp
//===----------------------------------------------------------------------===//

void ParallelOp::build(OpBuilder &builder, OperationState &state,
                       ValueRange lowerBounds, ValueRange upperBounds,
                       ValueRange steps, int64_t numInstances) {
  state.addOperands(lowerBounds);
  state.addOperands(upperBounds);
  state.addOperands(steps);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(lowerBounds.size()),
                                    static_cast<int32_t>(upperBounds.size()),
                                    static_cast<int32_t>(steps.size())};
  properties.num_instances = builder.getI64IntegerAttr(numInstances);
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  for (size_t i = 0; i <= lowerBounds.size(); ++i)
    block.addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*body, builder, state.location);
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type index = builder.getIndexType();
  SmallVector<OpAsmParser::Argument> arguments;
  SMLoc argumentsLoc = parser.getCurrentLocation();
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren) ||
      parser.parseEqual())
    return failure();
  if (arguments.size() < 2)
    return parser.emitError(argumentsLoc)
           << "expected at least one induction variable plus an instance id "
              "(got "
           << arguments.size() << " block arguments)";
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = index;
  int32_t rank = arguments.size() - 1;

  auto parseBounds = [&]() -> ParseResult {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    return failure(
        parser.parseOperandList(operands, rank, AsmParser::Delimiter::Paren) ||
        parser.resolveOperands(operands, index, result.operands));
  };
  int64_t numInstances = 0;
  Region *body = result.addRegion();
  if (parseBounds() || parser.parseKeyword("to") || parseBounds() ||
      parser.parseKeyword("step") || parseBounds() ||
      parser.parseKeyword("distribute") || parser.parseLParen() ||
      parser.parseKeyword("num_instances") || parser.parseEqual() ||
      parser.parseInteger(numInstances) || parser.parseRParen() ||
      parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {rank, rank, rank};
  properties.num_instances = builder.getI64IntegerAttr(numInstances);
  ensureTerminator(*body, builder, result.location);
  return success();
}

void ParallelOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().front().getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer.printRegionArgument(argument, {},
                                                      /*omitType=*/true);
                        });
  printer << ") = (" << getLowerBounds() << ") to (" << getUpperBounds()
          << ") step (" << getSteps() << ") distribute(num_instances = "
          << static_cast<int64_t>(getNumInstances()) << ") ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getOperandSegmentSizesAttrName(), getNumInstancesAttrName()});
}

LogicalResult ParallelOp::verify() {
  size_t rank = getLowerBounds().size();
  if (rank == 0)
    return emitOpError("expected at least one induction variable");
  if (getUpperBounds().size() != rank || getSteps().size() != rank)
    return emitOpError("expected as many upper bounds and steps as lower "
                       "bounds (")
           << rank << "), got " << getUpperBounds().size() << " and "
           << getSteps().size();
  int64_t numInstances = static_cast<int64_t>(getNumInstances());
  if (numInstances < 1)
    return emitOpError("expected num_instances >= 1, got ") << numInstances;
  Block &block = getBody().front();
  if (block.getNumArguments() != rank + 1)
    return emitOpError("expected ")
           << rank + 1
           << " block arguments (one per induction variable plus the instance "
              "id), got "
           << block.getNumArguments();
  for (BlockArgument argument : block.getArguments())
    if (!argument.getType().isIndex())
      return emitOpError("all block arguments (induction variables and "
                         "instance id) must be of type index");
  return success();
}

//===----------------------------------------------------------------------===//
// BufferPhaseOp, SelectMemRefOp
//===----------------------------------------------------------------------===//

LogicalResult BufferPhaseOp::verify() {
  if (getInductionVars().empty())
    return emitOpError("requires at least one induction variable operand");
  return success();
}

OpFoldResult BufferPhaseOp::fold(FoldAdaptor adaptor) {
  // Constant operands drop out; with none left the count is 0, K-26.
  if (!llvm::all_of(adaptor.getInductionVars(),
                    [](Attribute value) { return value != nullptr; }))
    return {};
  return IntegerAttr::get(IndexType::get(getContext()), 0);
}

ParseResult SelectMemRefOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand phase;
  SmallVector<OpAsmParser::UnresolvedOperand> candidates;
  Type type;
  if (parser.parseOperand(phase) ||
      parser.parseOperandList(candidates, AsmParser::Delimiter::Square) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(phase, parser.getBuilder().getIndexType(),
                            result.operands) ||
      parser.resolveOperands(candidates, type, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void SelectMemRefOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPhase() << '[' << getCandidates() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}

LogicalResult SelectMemRefOp::verify() {
  size_t count = getCandidates().size();
  if (count < 2)
    return emitOpError("requires at least 2 candidate memrefs, got ") << count;
  for (auto [number, candidate] : llvm::enumerate(getCandidates()))
    if (candidate.getType() != getType())
      return emitOpError("failed to verify that candidates have the type of "
                         "the result: candidate #")
             << number << " is " << candidate.getType() << ", the result "
             << getType();
  if (auto phase = getPhase().getDefiningOp<BufferPhaseOp>();
      phase && phase.getNumPhases() != count) {
    InFlightDiagnostic diag = emitOpError("phase op num_phases (")
                              << static_cast<int64_t>(phase.getNumPhases())
                              << ") must equal candidate count (" << count
                              << ")";
    diag.attachNote(phase.getLoc()) << "'ktdf.buffer_phase' is here";
    return diag;
  }
  return success();
}

OpFoldResult SelectMemRefOp::fold(FoldAdaptor adaptor) {
  auto phase = dyn_cast_or_null<IntegerAttr>(adaptor.getPhase());
  if (!phase || phase.getValue().isNegative() ||
      phase.getValue().uge(getCandidates().size()))
    return {};
  return getCandidates()[phase.getInt()];
}

//===----------------------------------------------------------------------===//
// OpaqueOp
//===----------------------------------------------------------------------===//

void OpaqueOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<BaseMemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable()) {
    if (!isa<BaseMemRefType>(output.get().getType()))
      continue;
    // An intrinsic may accumulate into what it writes.
    effects.emplace_back(MemoryEffects::Read::get(), &output);
    effects.emplace_back(MemoryEffects::Write::get(), &output);
  }
}

LogicalResult OpaqueOp::verify() {
  SmallVector<Type> tensors = llvm::filter_to_vector(
      getOutputs().getTypes(), llvm::IsaPred<RankedTensorType>);
  if (tensors.size() != getNumResults())
    return emitOpError("expected the number of tensor results (")
           << getNumResults()
           << ") to be equal to the number of output tensors ("
           << tensors.size() << ")";
  for (auto [number, output, result] :
       llvm::enumerate(tensors, getResultTypes()))
    if (output != result)
      return emitOpError("result #")
             << number << " has type " << result
             << ", expected the type of the output tensor " << output;
  return success();
}
