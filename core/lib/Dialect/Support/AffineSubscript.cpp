//===- AffineSubscript.cpp - Affine subscripts on memory ops --------------===//

#include "ktir/Dialect/Support/AffineSubscript.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

ParseResult ktir::parseAffineSubscript(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    AffineMapAttr &map) {
  // The parser also wants to record the map under a name; the caller decides
  // where it goes.
  NamedAttrList scratch;
  Attribute attribute;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAffineMapOfSSAIds(operands, attribute, "map", scratch))
    return failure();
  map = llvm::dyn_cast_or_null<AffineMapAttr>(attribute);
  if (!map)
    return parser.emitError(loc, "expected an affine subscript");
  return success();
}

void ktir::printAffineSubscript(OpAsmPrinter &printer, AffineMap map,
                                ValueRange operands) {
  printer << '[';
  printer.printAffineMapOfSSAIds(AffineMapAttr::get(map), operands);
  printer << ']';
}

void ktir::normalizeAffineSubscript(AffineMap &map,
                                    SmallVectorImpl<Value> &operands) {
  MLIRContext *context = map.getContext();
  unsigned numDims = map.getNumDims();
  llvm::SmallBitVector used(map.getNumInputs());
  map.walkExprs([&](AffineExpr expr) {
    if (auto dim = llvm::dyn_cast<AffineDimExpr>(expr))
      used.set(dim.getPosition());
    else if (auto symbol = llvm::dyn_cast<AffineSymbolExpr>(expr))
      used.set(numDims + symbol.getPosition());
  });

  SmallVector<Value> dims, symbols;
  SmallVector<AffineExpr> dimReplacements, symbolReplacements;
  auto place = [&](unsigned input, SmallVectorImpl<Value> &kept) -> unsigned {
    if (!used.test(input))
      return 0;
    auto *found = llvm::find(kept, operands[input]);
    unsigned position = found - kept.begin();
    if (found == kept.end())
      kept.push_back(operands[input]);
    return position;
  };
  for (unsigned i = 0; i < numDims; ++i)
    dimReplacements.push_back(getAffineDimExpr(place(i, dims), context));
  for (unsigned i = numDims; i < map.getNumInputs(); ++i)
    symbolReplacements.push_back(
        getAffineSymbolExpr(place(i, symbols), context));

  map = map.replaceDimsAndSymbols(dimReplacements, symbolReplacements,
                                  dims.size(), symbols.size());
  operands.assign(dims.begin(), dims.end());
  operands.append(symbols.begin(), symbols.end());
}

LogicalResult ktir::verifyAffineSubscript(Operation *op, AffineMap map,
                                          ValueRange operands, int64_t rank,
                                          StringRef name) {
  StringRef space = name.empty() ? "" : " ";
  if (map.getNumInputs() != operands.size())
    return op->emitOpError()
           << "expected " << map.getNumInputs() << " " << name << space
           << "map operands, but got " << operands.size();
  if (rank >= 0 && map.getNumResults() != rank)
    return op->emitOpError()
           << name << space << "subscript has " << map.getNumResults()
           << " positions, but the view has rank " << rank;
  return success();
}
