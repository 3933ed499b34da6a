//===- DataflowOps.cpp - Operations of the dataflow dialect ---------------===//

#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Support/IntegerSets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace ktir::dataflow;

//===----------------------------------------------------------------------===//
// GetUnitOp
//===----------------------------------------------------------------------===//

void GetUnitOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                      StringRef type, std::optional<int32_t> core,
                      std::optional<int32_t> corelet) {
  auto optional = [&](std::optional<int32_t> value) {
    return value ? builder.getI32IntegerAttr(*value) : IntegerAttr();
  };
  build(builder, state, TypeRange(builder.getIndexType()), optional(core),
        optional(corelet), builder.getStringAttr(name),
        builder.getStringAttr(type));
}

LogicalResult GetUnitOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("expected at least one result");
  return success();
}

//===----------------------------------------------------------------------===//
// ProgramUnitOp
//===----------------------------------------------------------------------===//

void ProgramUnitOp::build(OpBuilder &builder, OperationState &state,
                          ValueRange units, StringAttr precision) {
  state.addOperands(units);
  if (precision)
    state.getOrAddProperties<Properties>().precision = precision;
  Region *body = state.addRegion();
  body->emplaceBlock().addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*body, builder, state.location);
}

BlockArgument ProgramUnitOp::getHandle() {
  if (getBody()->getNumArguments() == 0)
    return {};
  return getBody()->getArgument(0);
}

GetUnitOp ProgramUnitOp::getUnitOp(unsigned index) {
  return getUnits()[index].getDefiningOp<GetUnitOp>();
}

StringRef ProgramUnitOp::getUnitType() {
  if (getUnits().empty())
    return "";
  GetUnitOp unit = getUnitOp(0);
  return unit ? unit.getUnitType() : "";
}

ParseResult ProgramUnitOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> units;
  SmallVector<OpAsmParser::Argument, 1> arguments;
  Type index = parser.getBuilder().getIndexType();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_arg"))) {
    OpAsmParser::Argument handle;
    if (parser.parseColon() || parser.parseArgument(handle) ||
        parser.parseArrow())
      return failure();
    handle.type = index;
    arguments.push_back(handle);
    loc = parser.getCurrentLocation();
    if (parser.parseOperandList(units, OpAsmParser::Delimiter::Paren))
      return failure();
  } else if (parser.parseOperandList(units)) {
    return failure();
  }
  if (parser.resolveOperands(units, index, loc, result.operands))
    return failure();

  SMLoc attrLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      failed(verifyInherentAttrs(result.name, result.attributes,
                                 [&]() {
                                   return parser.emitError(attrLoc)
                                          << "'" << result.name.getStringRef()
                                          << "' op ";
                                 })) ||
      parser.parseColon())
    return failure();

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ProgramUnitOp::print(OpAsmPrinter &printer) {
  if (BlockArgument handle = getHandle())
    printer << " iter_arg : " << handle << " -> (" << getUnits() << ')';
  else
    printer << ' ' << getUnits();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : ";
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

LogicalResult ProgramUnitOp::verify() {
  Block *body = getBody();
  if (body->getNumArguments() > 1)
    return emitOpError("expected at most one block argument, but got ")
           << body->getNumArguments();
  if (BlockArgument handle = getHandle(); handle && !handle.getType().isIndex())
    return emitOpError("expected a block argument of type 'index', but got ")
           << handle.getType();

  llvm::SmallDenseMap<StringAttr, unsigned> positions;
  GetUnitOp first;
  for (unsigned i = 0, e = getUnits().size(); i < e; ++i) {
    GetUnitOp unit = getUnitOp(i);
    if (!unit)
      return emitOpError("expected operand #")
             << i << " to be a result of 'dataflow.get_unit'";
    if (!first)
      first = unit;
    if (unit.getTypeAttr() != first.getTypeAttr()) {
      InFlightDiagnostic diag = emitOpError("expected units of one type, but "
                                            "operand #")
                                << i << " is of type '" << unit.getUnitType()
                                << "' and operand #0 of type '"
                                << first.getUnitType() << "'";
      diag.attachNote(unit.getLoc()) << "unit defined here";
      return diag;
    }
    auto [position, isNew] = positions.try_emplace(unit.getNameAttr(), i);
    if (!isNew)
      return emitOpError("unit '")
             << unit.getUnitName() << "' is both operand #" << position->second
             << " and operand #" << i;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// CreateMulticastGroupOp
//===----------------------------------------------------------------------===//

LogicalResult CreateMulticastGroupOp::verify() {
  if (!getConsumers().empty() && getConsumers().size() != getNumConsumers())
    return emitOpError("expected ")
           << getNumConsumers()
           << " consumers as 'num_consumers' says, but got "
           << getConsumers().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory views
//===----------------------------------------------------------------------===//

/// Spec D-16, which holds for plain and for paged views.
static LogicalResult verifyLayoutMap(Operation *op, AffineMap map,
                                     int64_t rank) {
  if (map.getNumSymbols() != 0)
    return op->emitOpError("layout_map should have no symbols, but has ")
           << map.getNumSymbols();
  if (map.getNumDims() != rank)
    return op->emitOpError("layout_map should have one dimension for each of "
                           "the ")
           << rank << " dimensions of the view, but has " << map.getNumDims();
  if (map.getNumResults() != 1)
    return op->emitOpError("layout_map should have one result, but has ")
           << map.getNumResults();
  return success();
}

void GetLogicalMemoryViewOp::build(OpBuilder &builder, OperationState &state,
                                   MemRefType type, Value memUnit, Value start,
                                   AffineMap layoutMap, AddrUnit addrUnit) {
  build(builder, state, type, memUnit, start, layoutMap);
  state.addAttribute(getAddrUnitAttrName(),
                     builder.getStringAttr(stringifyAddrUnit(addrUnit)));
}

std::optional<AddrUnit> GetLogicalMemoryViewOp::getAddrUnit() {
  auto text = (*this)->getAttrOfType<StringAttr>(getAddrUnitAttrName());
  if (!text)
    return std::nullopt;
  return symbolizeAddrUnit(text.getValue());
}

void GetLogicalMemoryViewOp::setAddrUnit(AddrUnit unit) {
  (*this)->setDiscardableAttr(
      getAddrUnitAttrName(),
      StringAttr::get(getContext(), stringifyAddrUnit(unit)));
}

LogicalResult GetLogicalMemoryViewOp::verify() {
  if (failed(verifyLayoutMap(*this, getLayoutMap(), getViewType().getRank())))
    return failure();
  if (Attribute unit = (*this)->getAttr(getAddrUnitAttrName())) {
    if (!getAddrUnit())
      return emitOpError("expected 'addr_unit' to be \"element\", \"byte\" or "
                         "\"word\", but got ")
             << unit;
    return success();
  }
  unsigned width = getScalarBitWidth(getViewType().getElementType());
  if (width != 0 && width < 8)
    return emitOpError("requires attribute 'addr_unit' because elements of "
                       "type ")
           << getViewType().getElementType() << " have less than a byte";
  return success();
}

static ParseResult
parsePageSegments(OpAsmParser &parser, ArrayAttr &idxSets,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &startAddrs) {
  SmallVector<Attribute> sets;
  auto parsePage = [&]() -> ParseResult {
    std::string expected = ("page" + Twine(sets.size())).str();
    IntegerSetAttr set;
    if (parser.parseKeyword(expected) || parser.parseColon() ||
        parser.parseLParen() || parser.parseKeyword("idx_set") ||
        parser.parseEqual() || parser.parseAttribute(set) ||
        parser.parseComma() || parser.parseKeyword("start_addr") ||
        parser.parseEqual() || parser.parseOperand(startAddrs.emplace_back()) ||
        parser.parseRParen())
      return failure();
    sets.push_back(set);
    return success();
  };
  if (parser.parseLBrace() || parser.parseKeyword("segments") ||
      parser.parseEqual() || parser.parseCommaSeparatedList(parsePage) ||
      parser.parseRBrace())
    return failure();
  idxSets = parser.getBuilder().getArrayAttr(sets);
  return success();
}

static void printPageSegments(OpAsmPrinter &printer, Operation *,
                              ArrayAttr idxSets, ValueRange startAddrs) {
  printer << "{segments = ";
  llvm::interleaveComma(llvm::enumerate(startAddrs), printer,
                        [&](const auto &page) {
                          printer << "page" << page.index()
                                  << ": (idx_set = " << idxSets[page.index()]
                                  << ", start_addr = " << page.value() << ')';
                        });
  printer << '}';
}

LogicalResult GetPagedLogicalMemoryViewOp::verify() {
  if (failed(verifyLayoutMap(*this, getLayoutMap(), getViewType().getRank())))
    return failure();
  if (getIdxSets().size() != getStartAddrs().size())
    return emitOpError("there should be a start address and idx_set for every "
                       "page, but got ")
           << getStartAddrs().size() << " start addresses and "
           << getIdxSets().size() << " sets";
  if (getNumPages() == 0)
    return emitOpError("expected at least one page");
  for (unsigned page = 0, e = getNumPages(); page < e; ++page) {
    if (!getStartAddrs()[page].getDefiningOp<arith::ConstantOp>())
      return emitOpError("page start addresses should be arith::ConstantOp; "
                         "that of page ")
             << page << " is not";
    auto set = dyn_cast<IntegerSetAttr>(getIdxSets()[page]);
    if (!set)
      return emitOpError("idx_set of page ") << page << " should be a set";
    if (set.getValue().getNumDims() != getViewType().getRank())
      return emitOpError("idx_set of page ")
             << page << " should have one dimension for each of the "
             << getViewType().getRank() << " dimensions of the view, but has "
             << set.getValue().getNumDims();
    if (!ktir::getAsBox(set.getValue()))
      return emitOpError("idx_set should be hyper rectangular; that of page ")
             << page << " is not";
  }
  return success();
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Dataflow/DataflowOps.cpp.inc"
