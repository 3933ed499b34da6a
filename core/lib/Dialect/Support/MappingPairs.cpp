//===- MappingPairs.cpp - Printed form of constant mappings ---------------===//

#include "ktir/Dialect/Support/MappingPairs.h"

using namespace mlir;

ParseResult ktir::parseMappingPairs(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &keys,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return failure(
            parser.parseLSquare() || parser.parseOperand(keys.emplace_back()) ||
            parser.parseArrow() || parser.parseOperand(values.emplace_back()) ||
            parser.parseRSquare());
      });
}

void ktir::printMappingPairs(OpAsmPrinter &printer, Operation *,
                             ValueRange keys, ValueRange values) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(keys, values), printer, [&](auto pair) {
    printer << '[' << std::get<0>(pair) << " -> " << std::get<1>(pair) << ']';
  });
  printer << ')';
}
