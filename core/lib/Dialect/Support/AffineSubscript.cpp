//===- AffineSubscript.cpp - Affine subscripts on memory ops --------------===//

#include "ktir/Dialect/Support/AffineSubscript.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

AffineExpr ktir::SubscriptValues::get(const Operand &operand, bool asSymbol,
                                      MLIRContext *context) {
  auto isSame = [&](const Operand &other) {
    return other.name == operand.name && other.number == operand.number;
  };
  if (auto *found = llvm::find_if(dimensions, isSame);
      found != dimensions.end())
    return getAffineDimExpr(found - dimensions.begin(), context);
  if (auto *found = llvm::find_if(symbols, isSame); found != symbols.end())
    return getAffineSymbolExpr(found - symbols.begin(), context);
  if (asSymbol) {
    symbols.push_back(operand);
    return getAffineSymbolExpr(symbols.size() - 1, context);
  }
  dimensions.push_back(operand);
  return getAffineDimExpr(dimensions.size() - 1, context);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Parses one expression by operator precedence. Upstream's parser tells values
/// apart by bare name, which merges the results of one op, and recurses on
/// parentheses.
class ExpressionParser {
public:
  ExpressionParser(OpAsmParser &parser, ktir::SubscriptValues &values)
      : parser(parser), values(values) {}

  ParseResult parse(AffineExpr &expression);

private:
  enum class Kind {
    Parenthesis,
    Add,
    Subtract,
    Multiply,
    FloorDiv,
    CeilDiv,
    Modulo,
    Negate
  };
  struct Operator {
    Kind kind;
    SMLoc location;
  };

  static unsigned precedence(Kind kind) {
    switch (kind) {
    case Kind::Parenthesis:
      return 0;
    case Kind::Add:
    case Kind::Subtract:
      return 1;
    case Kind::Multiply:
    case Kind::FloorDiv:
    case Kind::CeilDiv:
    case Kind::Modulo:
      return 2;
    case Kind::Negate:
      return 3;
    }
    return 0;
  }

  ParseResult parseOperand();
  std::optional<Kind> parseOptionalOperator();
  /// Applies waiting operators that bind at least as tightly as `least`.
  ParseResult reduce(unsigned least);
  ParseResult apply(const Operator &op);

  OpAsmParser &parser;
  ktir::SubscriptValues &values;
  SmallVector<AffineExpr> operands;
  SmallVector<Operator> operators;
  unsigned depth = 0;
};
} // namespace

ParseResult ExpressionParser::apply(const Operator &op) {
  const AffineExpr right = operands.pop_back_val();
  if (op.kind == Kind::Negate) {
    operands.push_back(-right);
    return success();
  }
  const AffineExpr left = operands.pop_back_val();
  auto refuse = [&](StringRef name) {
    return parser.emitError(op.location)
           << "non-affine expression: right operand of " << name
           << " has to be either a constant or symbolic";
  };
  switch (op.kind) {
  case Kind::Add:
    operands.push_back(left + right);
    return success();
  case Kind::Subtract:
    operands.push_back(left - right);
    return success();
  case Kind::Multiply:
    if (!left.isSymbolicOrConstant() && !right.isSymbolicOrConstant())
      return parser.emitError(op.location)
             << "non-affine expression: at least one of the multiply operands "
                "has to be either a constant or symbolic";
    operands.push_back(left * right);
    return success();
  case Kind::FloorDiv:
    if (!right.isSymbolicOrConstant())
      return refuse("floordiv");
    operands.push_back(left.floorDiv(right));
    return success();
  case Kind::CeilDiv:
    if (!right.isSymbolicOrConstant())
      return refuse("ceildiv");
    operands.push_back(left.ceilDiv(right));
    return success();
  case Kind::Modulo:
    if (!right.isSymbolicOrConstant())
      return refuse("mod");
    operands.push_back(left % right);
    return success();
  case Kind::Negate:
  case Kind::Parenthesis:
    break;
  }
  return failure();
}

ParseResult ExpressionParser::reduce(unsigned least) {
  while (!operators.empty() && precedence(operators.back().kind) >= least)
    if (failed(apply(operators.pop_back_val())))
      return failure();
  return success();
}

ParseResult ExpressionParser::parseOperand() {
  MLIRContext *context = parser.getContext();
  const SMLoc location = parser.getCurrentLocation();
  int64_t number;
  if (OptionalParseResult result = parser.parseOptionalInteger(number);
      result.has_value()) {
    operands.push_back(getAffineConstantExpr(number, context));
    return *result;
  }
  ktir::SubscriptValues::Operand operand;
  if (OptionalParseResult result = parser.parseOptionalOperand(operand);
      result.has_value()) {
    if (succeeded(*result))
      operands.push_back(values.get(operand, /*asSymbol=*/false, context));
    return *result;
  }
  if (succeeded(parser.parseOptionalKeyword("symbol"))) {
    if (parser.parseLParen() || parser.parseOperand(operand) ||
        parser.parseRParen())
      return failure();
    operands.push_back(values.get(operand, /*asSymbol=*/true, context));
    return success();
  }
  return parser.emitError(location, "expected affine expression");
}

std::optional<ExpressionParser::Kind>
ExpressionParser::parseOptionalOperator() {
  if (succeeded(parser.parseOptionalPlus()))
    return Kind::Add;
  if (succeeded(parser.parseOptionalMinus()))
    return Kind::Subtract;
  if (succeeded(parser.parseOptionalStar()))
    return Kind::Multiply;
  if (succeeded(parser.parseOptionalKeyword("floordiv")))
    return Kind::FloorDiv;
  if (succeeded(parser.parseOptionalKeyword("ceildiv")))
    return Kind::CeilDiv;
  if (succeeded(parser.parseOptionalKeyword("mod")))
    return Kind::Modulo;
  return std::nullopt;
}

ParseResult ExpressionParser::parse(AffineExpr &expression) {
  while (true) {
    // An operand, behind any number of signs and opening parentheses.
    SMLoc location = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalMinus())) {
      operators.push_back({Kind::Negate, location});
      continue;
    }
    if (succeeded(parser.parseOptionalLParen())) {
      operators.push_back({Kind::Parenthesis, location});
      ++depth;
      continue;
    }
    if (parseOperand() || reduce(precedence(Kind::Negate)))
      return failure();

    while (depth && succeeded(parser.parseOptionalRParen())) {
      if (reduce(precedence(Kind::Add)))
        return failure();
      operators.pop_back();
      --depth;
      if (reduce(precedence(Kind::Negate)))
        return failure();
    }

    location = parser.getCurrentLocation();
    std::optional<Kind> kind = parseOptionalOperator();
    if (!kind)
      break;
    if (reduce(precedence(*kind)))
      return failure();
    operators.push_back({*kind, location});
  }
  if (depth)
    return parser.parseRParen();
  if (reduce(precedence(Kind::Add)))
    return failure();
  expression = operands.pop_back_val();
  return success();
}

ParseResult ktir::parseAffineExpression(OpAsmParser &parser,
                                        SubscriptValues &values,
                                        AffineExpr &expression) {
  return ExpressionParser(parser, values).parse(expression);
}

ParseResult ktir::parseAffineSubscript(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    AffineMapAttr &map) {
  SubscriptValues values;
  SmallVector<AffineExpr> results;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parseAffineExpression(parser, values, results.emplace_back());
      }))
    return failure();
  map = AffineMapAttr::get(AffineMap::get(values.dimensions.size(),
                                          values.symbols.size(), results,
                                          parser.getContext()));
  operands.append(values.dimensions.begin(), values.dimensions.end());
  operands.append(values.symbols.begin(), values.symbols.end());
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
