//===- SpyreOpOps.cpp - Verifiers, folders and inference of spyreop -------===//

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"

using namespace mlir;
using namespace ktir::spyreop;

//===----------------------------------------------------------------------===//
// Functions of floats
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor adaptor) { return getValue(); }

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  // Constants are f16 or f32. No such number but zero rounds to zero in any
  // numeric mode of the device, and a NaN stays one.
  if (auto condition = dyn_cast_if_present<FloatAttr>(adaptor.getCondition()))
    return condition.getValue().isZero() ? getFalseValue() : getTrueValue();
  return {};
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

void Exx2Op::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  setNameFn(getMean(), "mean");
  setNameFn(getSquares(), "squares");
}

/// Gives the one result the type `type`; fails where it is null.
static LogicalResult inferType(Type type, SmallVectorImpl<Type> &inferred) {
  if (!type)
    return failure();
  inferred.push_back(type);
  return success();
}

// SO-6
LogicalResult
Exx2FusedOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                              Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferType(getFusedType(adaptor.getInput().getType()),
                   inferredReturnTypes);
}

// SO-6
LogicalResult LayerNormScaleFusedOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferType(getScalarType(adaptor.getMoments().getType()),
                   inferredReturnTypes);
}

/// Checks that the discardable attribute `eps`, if present, is an f32.
static LogicalResult verifyEpsilon(Operation *op) {
  Attribute epsilon = op->getDiscardableAttr(kEpsilonAttrName);
  if (!epsilon)
    return success();
  auto number = dyn_cast<FloatAttr>(epsilon);
  if (number && number.getType().isF32())
    return success();
  return op->emitOpError("expected attribute '")
         << kEpsilonAttrName << "' to be a 32-bit float, but got " << epsilon;
}

/// The attribute `eps` of a valid `op`, or its default.
static APFloat readEpsilon(Operation *op) {
  if (auto number = dyn_cast_if_present<FloatAttr>(
          op->getDiscardableAttr(kEpsilonAttrName)))
    return number.getValue();
  return APFloat(1e-5f);
}

LogicalResult LayerNormScaleOp::verify() { return verifyEpsilon(*this); }

APFloat LayerNormScaleOp::getEpsilon() { return readEpsilon(*this); }

LogicalResult LayerNormScaleFusedOp::verify() { return verifyEpsilon(*this); }

APFloat LayerNormScaleFusedOp::getEpsilon() { return readEpsilon(*this); }

//===----------------------------------------------------------------------===//
// Reduction within a stick
//===----------------------------------------------------------------------===//

LogicalResult SliceReductionOp::verify() {
  RankedTensorType type = getInput().getType();
  if (type.getRank() != 0 && type.getShape().back() == kStickSize)
    return success();
  return emitOpError("expected a tensor one stick wide, its innermost "
                     "dimension of extent ")
         << kStickSize << ", but got " << type;
}

#define GET_OP_CLASSES
#include "ktir/Dialect/SpyreOp/SpyreOpOps.cpp.inc"
