//===- VectorChainOps.cpp - Operations on vectors -------------------------===//

#include "ktir/Dialect/VectorChain/VectorChainDialect.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ktir::vectorchain;
using ktir::dataflow::getScalarBitWidth;
using ktir::dataflow::getVectorElementType;
using ktir::dataflow::getVectorLength;

//===----------------------------------------------------------------------===//
// Shared rules
//===----------------------------------------------------------------------===//

/// Checks that an operand has as many lanes as the result (spec V-1).
static LogicalResult verifyLength(Operation *op, Value operand,
                                  StringRef name) {
  int64_t length = getVectorLength(operand.getType());
  int64_t expected = getVectorLength(op->getResult(0).getType());
  if (length != expected)
    return op->emitOpError("expected ")
           << expected << " lanes in '" << name
           << "' as in the result, but got " << length;
  return success();
}

/// Checks the optional mask, which has a bit for each lane of the result.
static LogicalResult verifyMask(Operation *op, Value mask) {
  return mask ? verifyLength(op, mask, "mask") : success();
}

/// Checks that `map` is a function from one integer to one integer.
static LogicalResult verifyLaneMap(Operation *op, AffineMap map,
                                   StringRef name) {
  if (map.getNumDims() != 1 || map.getNumSymbols() != 0 ||
      map.getNumResults() != 1)
    return op->emitOpError("expected '")
           << name << "' to have one dimension, no symbols and one result, "
           << "but got " << AffineMapAttr::get(map);
  return success();
}

/// Checks that the result's lanes are those of the list, repeated.
static LogicalResult verifyRepetition(Operation *op, int64_t numIndices,
                                      int64_t repetition) {
  int64_t expected = getVectorLength(op->getResult(0).getType());
  int64_t lanes = 0;
  if (repetition < 1 || llvm::MulOverflow(numIndices, repetition, lanes) ||
      lanes != expected)
    return op->emitOpError("result does not scale with indices and "
                           "repetitions: ")
           << numIndices << " indices repeated " << repetition << " times for "
           << expected << " lanes";
  return success();
}

/// Checks that every entry of an index list is an integer from `lower` to
/// `upper`.
static LogicalResult verifyIndices(Operation *op, ArrayAttr indices,
                                   int64_t lower, int64_t upper) {
  for (auto [i, attribute] : llvm::enumerate(indices)) {
    auto index = dyn_cast<IntegerAttr>(attribute);
    if (!index)
      return op->emitOpError("indices element is not integer: element #")
             << i << " is " << attribute;
    std::optional<int64_t> value = index.getValue().trySExtValue();
    if (!value || *value < lower || *value > upper)
      return op->emitOpError("out of bounds indices element: expected ")
             << lower << " to " << upper << ", but element #" << i << " is "
             << attribute;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

void BinaryOp::build(OpBuilder &builder, OperationState &state,
                     VectorChainBinaryOperator op, Value lhs, Value rhs) {
  MLIRContext *context = builder.getContext();
  build(builder, state, lhs.getType(), lhs, rhs, /*mask=*/Value(),
        VectorChainBinaryOperatorAttr::get(context, op),
        AffineMapAttr::get(AffineMap::getMultiDimIdentityMap(1, context)));
}

LogicalResult BinaryOp::verify() {
  return success(succeeded(verifyLength(*this, getLhs(), "lhs")) &&
                 succeeded(verifyLength(*this, getRhs(), "rhs")) &&
                 succeeded(verifyMask(*this, getMask())));
}

/// What `multiply` and `multiply_and_accumulate` share.
template <typename OpTy> static LogicalResult verifyProduct(OpTy op) {
  AffineMap map = op.getReductionMap();
  if (failed(verifyLaneMap(op, map, "reduction_map")) ||
      failed(verifyMask(op, op.getMask())))
    return failure();
  int64_t lhs = getVectorLength(op.getLhs().getType());
  int64_t rhs = getVectorLength(op.getRhs().getType());
  if (lhs != rhs)
    return op.emitOpError("expected operands of equal length, but got ")
           << lhs << " and " << rhs << " lanes";
  if (map.isIdentity())
    return verifyLength(op, op.getLhs(), "lhs");
  return success();
}

LogicalResult MultiplyOp::verify() { return verifyProduct(*this); }

LogicalResult MultiplyAndAccumulateOp::verify() {
  if (failed(verifyLength(*this, getAcc(), "acc")))
    return failure();
  return verifyProduct(*this);
}

LogicalResult ElementWiseCompareOp::verify() {
  return success(succeeded(verifyLength(*this, getLhs(), "lhs")) &&
                 succeeded(verifyLength(*this, getRhs(), "rhs")) &&
                 succeeded(verifyMask(*this, getMask())));
}

LogicalResult ElementWiseSelectionOp::verify() {
  return success(
      succeeded(verifyLength(*this, getCondition(), "condition")) &&
      succeeded(verifyLength(*this, getTrueValue(), "true_value")) &&
      succeeded(verifyLength(*this, getFalseValue(), "false_value")) &&
      succeeded(verifyMask(*this, getMask())));
}

LogicalResult CastOp::verify() {
  int64_t input = getVectorLength(getInput().getType());
  int64_t result = getVectorLength(getResult().getType());
  if (input != result)
    return emitOpError("result size does not match input size: ")
           << result << " and " << input << " lanes";
  return verifyMask(*this, getMask());
}

/// What the functions of one vector share.
template <typename OpTy> static LogicalResult verifyUnary(OpTy op) {
  if (failed(verifyLength(op, op.getInput(), "input")))
    return failure();
  return verifyMask(op, op.getMask());
}

LogicalResult NegOp::verify() { return verifyUnary(*this); }
LogicalResult FloorOp::verify() { return verifyUnary(*this); }
LogicalResult FastExpOp::verify() { return verifyUnary(*this); }
LogicalResult RecEstimateOp::verify() { return verifyUnary(*this); }
LogicalResult LnEstimateOp::verify() { return verifyUnary(*this); }
LogicalResult RsqrtEstimateOp::verify() { return verifyUnary(*this); }
LogicalResult ExpEstimateOp::verify() { return verifyUnary(*this); }
LogicalResult SigmoidEstimateOp::verify() { return verifyUnary(*this); }
LogicalResult TanhEstimateOp::verify() { return verifyUnary(*this); }

//===----------------------------------------------------------------------===//
// Across lanes
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  if (failed(verifyLaneMap(*this, getSelectionMap(), "selection_map")))
    return failure();
  return verifyMask(*this, getMask());
}

LogicalResult MergeOp::verify() {
  struct Half {
    IntegerSet space;
    AffineMap target, source;
    StringRef name;
  };
  Half halves[] = {{getIterationSpace_CA(), getAccessFunction_CA(),
                    getAccessFunction_A(), "A"},
                   {getIterationSpace_CB(), getAccessFunction_CB(),
                    getAccessFunction_B(), "B"}};
  for (const Half &half : halves) {
    if (half.space.getNumSymbols() != 0)
      return emitOpError("expected 'iteration_space_C")
             << half.name << "' to have no symbols, but got "
             << half.space.getNumSymbols();
    for (AffineMap map : {half.target, half.source})
      if (map.getNumDims() != half.space.getNumDims() ||
          map.getNumSymbols() != 0 || map.getNumResults() != 1)
        return emitOpError("expected the access functions over "
                           "'iteration_space_C")
               << half.name << "' to have " << half.space.getNumDims()
               << " dimensions, no symbols and one result, but got "
               << AffineMapAttr::get(map);
  }
  return verifyMask(*this, getMask());
}

LogicalResult CreateAffineMaskOp::verify() {
  IntegerSet set = getMaskSet();
  if (set.getNumDims() != 1)
    return emitOpError("expected 'mask_set' to have one dimension, but got ")
           << set.getNumDims();
  unsigned numBounds = getBound() ? 1 : 0;
  if (set.getNumSymbols() != numBounds)
    return emitOpError("expected 'mask_set' to have ")
           << numBounds << " symbols as operands are given, but got "
           << set.getNumSymbols();
  return success();
}

LogicalResult PackOp::verify() {
  if (failed(verifyRepetition(*this, getIndices().size(),
                              getRepetition().getSExtValue())))
    return failure();
  int64_t lanes =
      getVectorLength(getLhs().getType()) + getVectorLength(getRhs().getType());
  if (failed(verifyIndices(*this, getIndices(), 0, lanes - 1)))
    return failure();
  return verifyMask(*this, getMask());
}

void ShuffleOp::build(OpBuilder &builder, OperationState &state, Value input,
                      int64_t lanes) {
  Type type = VectorType::get(lanes, getVectorElementType(input.getType()));
  build(builder, state, type, input, /*variables=*/ValueRange(),
        /*pads=*/ValueRange(), /*mask=*/Value(), builder.getI32ArrayAttr({0}),
        builder.getI32IntegerAttr(lanes));
}

ParseResult ShuffleOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand input;
  SmallVector<OpAsmParser::UnresolvedOperand> variables, pads, mask;
  if (parser.parseKeyword("input") || parser.parseLParen() ||
      parser.parseOperand(input) || parser.parseRParen())
    return failure();
  // The lists come in this order, each at most once.
  int stage = 0;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> *list = nullptr;
    if (succeeded(parser.parseOptionalKeyword(&keyword,
                                              {"variable", "pad", "mask"}))) {
      int order = keyword == "variable" ? 1 : keyword == "pad" ? 2 : 3;
      list = order == 1 ? &variables : order == 2 ? &pads : &mask;
      if (order <= stage)
        return parser.emitError(loc, "'")
               << keyword << "' is written twice or out of order";
      stage = order;
    } else {
      return parser.emitError(loc,
                              "expected 'variable', 'pad', or 'mask' keyword");
    }
    if (parser.parseOperandList(*list, OpAsmParser::Delimiter::Paren))
      return failure();
  }
  if (mask.size() > 1)
    return parser.emitError(parser.getNameLoc(),
                            "expected at most one mask, but got ")
           << mask.size();

  SMLoc attrLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      failed(verifyInherentAttrs(result.name, result.attributes, [&]() {
        return parser.emitError(attrLoc)
               << "'" << result.name.getStringRef() << "' op ";
      })))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> operands = {input};
  llvm::append_range(operands, variables);
  llvm::append_range(operands, pads);
  llvm::append_range(operands, mask);
  SmallVector<Type> types;
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseColonTypeList(types))
    return failure();
  if (types.size() != operands.size() + 1)
    return parser.emitError(typeLoc, "expected ")
           << operands.size() + 1 << " types, but got " << types.size();
  result.addTypes(types.pop_back_val());
  llvm::copy(
      ArrayRef<int32_t>({1, static_cast<int32_t>(variables.size()),
                         static_cast<int32_t>(pads.size()),
                         static_cast<int32_t>(mask.size())}),
      result.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return parser.resolveOperands(operands, types, typeLoc, result.operands);
}

void ShuffleOp::print(OpAsmPrinter &printer) {
  printer << " input(" << getInput() << ')';
  if (!getVariables().empty())
    printer << ", variable(" << getVariables() << ')';
  if (!getPads().empty())
    printer << ", pad(" << getPads() << ')';
  if (getMask())
    printer << ", mask(" << getMask() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                getOperandSegmentSizesAttrName().getValue());
  printer << " : ";
  llvm::interleaveComma(getOperandTypes(), printer);
  printer << ", " << getResult().getType();
}

LogicalResult ShuffleOp::verify() {
  if (failed(verifyRepetition(*this, getNumIndices(),
                              static_cast<int32_t>(getRepetition()))))
    return failure();
  Type element = getVectorElementType(getResult().getType());
  Type inputElement = getVectorElementType(getInput().getType());
  if (inputElement != element)
    return emitOpError("input element type does not match output element "
                       "type: ")
           << inputElement << " and " << element;
  int64_t numScalars = getVariables().size() + getPads().size();
  for (int64_t i = 0; i < numScalars; ++i)
    if (getScalar(i).getType() != element)
      return emitOpError("expected variables and pads of type ")
             << element << ", but got " << getScalar(i).getType();
  if (failed(verifyIndices(*this, getIndices(), -numScalars,
                           getVectorLength(getInput().getType()) - 1)))
    return failure();
  return verifyMask(*this, getMask());
}

LogicalResult RotateOp::verify() { return verifyUnary(*this); }

LogicalResult ScanWithGapOp::verify() {
  if (getGap().getSExtValue() < 1)
    return emitOpError("expected a positive 'gap', but got ")
           << getGap().getSExtValue();
  return verifyUnary(*this);
}

//===----------------------------------------------------------------------===//
// ConstantBitstreamOp
//===----------------------------------------------------------------------===//

void ConstantBitstreamOp::build(OpBuilder &builder, OperationState &state,
                                Type type, ArrayRef<uint64_t> bits) {
  SmallVector<Attribute> values;
  for (uint64_t lane : bits)
    values.push_back(builder.getI64IntegerAttr(static_cast<int64_t>(lane)));
  build(builder, state, type, builder.getArrayAttr(values));
}

ParseResult ConstantBitstreamOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  SMLoc attrLoc = parser.getCurrentLocation();
  Type type;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      failed(verifyInherentAttrs(result.name, result.attributes,
                                 [&]() {
                                   return parser.emitError(attrLoc)
                                          << "'" << result.name.getStringRef()
                                          << "' op ";
                                 })) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return success();
}

void ConstantBitstreamOp::print(OpAsmPrinter &printer) {
  bool isSymbol = getIsSymbol();
  // Bit patterns read best in hexadecimal, which no attribute prints as.
  auto printValue = [&](Attribute attribute) {
    auto value = dyn_cast<IntegerAttr>(attribute);
    if (!value)
      printer << attribute;
    else if (isSymbol)
      printer << value.getValue();
    else
      printer << "0x"
              << llvm::utohexstr(value.getValue().getZExtValue(),
                                 /*LowerCase=*/true);
  };
  printer << " {";
  bool isFirst = true;
  for (NamedAttribute attribute : (*this)->getAttrs()) {
    bool isDefault = attribute.getName() == getIsSymbolAttrName() && !isSymbol;
    if (isDefault)
      continue;
    if (!isFirst)
      printer << ", ";
    isFirst = false;
    printer.printKeywordOrString(attribute.getName().getValue());
    if (isa<UnitAttr>(attribute.getValue()))
      continue;
    printer << " = ";
    if (attribute.getName() != getValueAttrName()) {
      printer << attribute.getValue();
      continue;
    }
    printer << '[';
    llvm::interleaveComma(getValue(), printer, printValue);
    printer << ']';
  }
  printer << "} : " << getResult().getType();
}

LogicalResult ConstantBitstreamOp::verify() {
  int64_t lanes = getVectorLength(getResult().getType());
  if (static_cast<int64_t>(getNumLanes()) != lanes)
    return emitOpError("result does not match value array: ")
           << lanes << " lanes and " << getNumLanes() << " values";
  Type element = getVectorElementType(getResult().getType());
  unsigned width = getScalarBitWidth(element);
  for (auto [i, attribute] : llvm::enumerate(getValue())) {
    auto value = dyn_cast<IntegerAttr>(attribute);
    if (!value || value.getValue().getBitWidth() > 64)
      return emitOpError("value attribute should only contain integer "
                         "representations; element #")
             << i << " is " << attribute;
    if (getIsSymbol() || width >= 64)
      continue;
    if (value.getValue().isNegative() ||
        value.getValue().getActiveBits() > width)
      return emitOpError("value attribute contains element that exceeds "
                         "bitwidth of output element type: element #")
             << i << " is " << attribute << " for " << element;
  }
  return success();
}

#define GET_OP_CLASSES
#include "ktir/Dialect/VectorChain/VectorChainOps.cpp.inc"
