//===- UniformDialect.cpp - Dialect and operations ------------------------===//

#include "ktir/Dialect/Uniform/UniformDialect.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Support/MappingPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ktir::uniform;
using ktir::dataflow::CreateGroupOp;
using ktir::dataflow::GetUnitOp;

#include "ktir/Dialect/Uniform/UniformDialect.cpp.inc"

void UniformDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Uniform/UniformOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// DefImmutableMappingOp
//===----------------------------------------------------------------------===//

void DefImmutableMappingOp::build(OpBuilder &builder, OperationState &state,
                                  ValueRange keys, ValueRange values) {
  build(builder, state, builder.getIndexType(), keys, values);
}

ParseResult DefImmutableMappingOp::parse(OpAsmParser &parser,
                                         OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> keys, values;
  Type index = parser.getBuilder().getIndexType();
  Type type;
  if (ktir::parseMappingPairs(parser, keys, values) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(keys, index, result.operands) ||
      parser.resolveOperands(values, index, result.operands))
    return failure();
  llvm::copy(
      ArrayRef<int32_t>({static_cast<int32_t>(keys.size()),
                         static_cast<int32_t>(values.size())}),
      result.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  result.addTypes(type);
  return success();
}

void DefImmutableMappingOp::print(OpAsmPrinter &printer) {
  ktir::printMappingPairs(printer, *this, getKeys(), getValues());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                getOperandSegmentSizesAttrName().getValue());
  printer << ':' << getMap().getType();
}

LogicalResult DefImmutableMappingOp::verify() {
  if (getKeys().size() != getValues().size())
    return emitOpError("expected as many values as keys, but got ")
           << getValues().size() << " values and " << getKeys().size()
           << " keys";
  if (getKeys().empty())
    return emitOpError("expected at least one pair of key and value");

  if (getKeys().front().getDefiningOp<GetUnitOp>())
    for (auto [i, key] : llvm::enumerate(getKeys()))
      if (!key.getDefiningOp<GetUnitOp>())
        return emitOpError("All Keys are not of same type; key #0 is a unit, "
                           "but key #")
               << i << " is not";

  Operation *first = nullptr;
  for (auto [i, value] : llvm::enumerate(getValues())) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return emitOpError("expected values defined by ops, but value #")
             << i << " is a block argument";
    if (!first)
      first = op;
    if (op->getName() == first->getName())
      continue;
    InFlightDiagnostic diag =
        isa<arith::ConstantOp>(op)
            ? emitOpError("All map values are expected to be scalar values.")
            : emitOpError("All map values should be of same type.");
    diag << " value #0 is defined by '" << first->getName() << "', but value #"
         << i << " by '" << op->getName() << "'";
    diag.attachNote(op->getLoc()) << "value #" << i << " defined here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// QueryMapOp
//===----------------------------------------------------------------------===//

void QueryMapOp::build(OpBuilder &builder, OperationState &state, Value map,
                       Value key) {
  build(builder, state, builder.getIndexType(), map, key);
}

DefImmutableMappingOp QueryMapOp::getMapping() {
  return getMap().getDefiningOp<DefImmutableMappingOp>();
}

//===----------------------------------------------------------------------===//
// Regions by unit
//===----------------------------------------------------------------------===//

/// Adds one region with a handle argument for each unit list.
template <typename OpTy>
static void buildUnitRegions(OpBuilder &builder, OperationState &state,
                             ArrayRef<ValueRange> unitLists) {
  SmallVector<int32_t> segments;
  for (ValueRange units : unitLists) {
    state.addOperands(units);
    segments.push_back(units.size());
    Region *region = state.addRegion();
    region->emplaceBlock().addArgument(builder.getIndexType(), state.location);
  }
  state.getOrAddProperties<typename OpTy::Properties>().unit_list_segments =
      builder.getDenseI32ArrayAttr(segments);
}

void UniformizeRegionsOp::build(OpBuilder &builder, OperationState &state,
                                TypeRange resultTypes,
                                ArrayRef<ValueRange> unitLists) {
  state.addTypes(resultTypes);
  buildUnitRegions<UniformizeRegionsOp>(builder, state, unitLists);
}

void EqualizePatternOp::build(OpBuilder &builder, OperationState &state,
                              ArrayRef<ValueRange> unitLists) {
  buildUnitRegions<EqualizePatternOp>(builder, state, unitLists);
}

/// Parses `attr-dict? '{' ('(' %handle '->' %unit,* ')' region)* '}'`.
template <typename OpTy>
static ParseResult parseUnitRegions(OpAsmParser &parser,
                                    OperationState &result) {
  Type index = parser.getBuilder().getIndexType();
  SmallVector<int32_t> segments;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseLBrace())
    return failure();
  while (succeeded(parser.parseOptionalLParen())) {
    OpAsmParser::Argument handle;
    SmallVector<OpAsmParser::UnresolvedOperand> units;
    if (parser.parseArgument(handle) || parser.parseArrow())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseOperandList(units) || parser.parseRParen() ||
        parser.resolveOperands(units, index, loc, result.operands))
      return failure();
    segments.push_back(units.size());
    handle.type = index;
    Region *region = result.addRegion();
    if (parser.parseRegion(*region, handle))
      return failure();
    OpTy::ensureTerminator(*region, parser.getBuilder(), result.location);
  }
  result.getOrAddProperties<typename OpTy::Properties>().unit_list_segments =
      parser.getBuilder().getDenseI32ArrayAttr(segments);
  return parser.parseRBrace();
}

template <typename OpTy>
static void printUnitRegions(OpAsmPrinter &printer, OpTy op) {
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(), op.getUnitListSegmentsAttrName().getValue());
  printer << " {";
  printer.increaseIndent();
  for (auto [i, region] : llvm::enumerate(op.getUnitRegions())) {
    printer.printNewline();
    printer << '(' << region.getArgument(0) << " -> " << op.getUnitList(i)
            << ')';
    bool yieldsValues = region.front().getTerminator()->getNumOperands() != 0;
    printer.printRegion(region, /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/yieldsValues);
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << '}';
}

/// Records that `unit` has a region; an error if it has one already.
static LogicalResult claimUnit(Operation *op, GetUnitOp unit,
                               llvm::SmallDenseSet<StringAttr> &claimed) {
  if (claimed.insert(unit.getNameAttr()).second)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError("duplicated unit SSAs found! unit '")
      << unit.getUnitName() << "' is in more than one place of the lists";
  diag.attachNote(unit.getLoc()) << "unit defined here";
  return diag;
}

/// Spec U-4: what the unit lists may hold.
template <typename OpTy> static LogicalResult verifyUnitLists(OpTy op) {
  if (op.getUnitRegions().size() != op.getUnitLists().size())
    return op.emitOpError("expected a unit list for each of the ")
           << op.getUnitRegions().size() << " regions, but got "
           << op.getUnitLists().size();
  llvm::SmallDenseSet<StringAttr> claimed;
  for (auto [i, region] : llvm::enumerate(op.getUnitRegions())) {
    if (region.getNumArguments() != 1 ||
        !region.getArgument(0).getType().isIndex())
      return op.emitOpError(
                 "expected one argument of type 'index' for region #")
             << i;
    OperandRange units = op.getUnitList(i);
    if (units.empty())
      return op.emitOpError("expected at least one unit for region #") << i;
    if (auto group = units.front().template getDefiningOp<CreateGroupOp>();
        group && units.size() == 1) {
      for (Value member : group.getMembers())
        if (auto unit = member.getDefiningOp<GetUnitOp>())
          if (failed(claimUnit(op, unit, claimed)))
            return failure();
      continue;
    }
    for (Value value : units) {
      auto unit = value.getDefiningOp<GetUnitOp>();
      if (!unit && units.size() == 1)
        return op.emitOpError("region's unit_list must be programUnitOp or "
                              "createGroupOp type!");
      if (!unit)
        return op.emitOpError("when unit_list size > 1, all units must be "
                              "programUnitOp!");
      if (failed(claimUnit(op, unit, claimed)))
        return failure();
    }
  }
  return success();
}

/// Control enters one of the regions, or none where nothing is yielded, and
/// leaves the op from there.
template <typename OpTy>
static void addUnitSuccessors(OpTy op, RegionBranchPoint point,
                              SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    for (Region &region : op.getUnitRegions())
      successors.emplace_back(&region);
  if (!point.isParent() || op->getNumResults() == 0)
    successors.emplace_back(op, op->getResults());
}

ParseResult UniformizeRegionsOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  if (parser.parseOptionalArrowTypeList(result.types))
    return failure();
  return parseUnitRegions<UniformizeRegionsOp>(parser, result);
}

void UniformizeRegionsOp::print(OpAsmPrinter &printer) {
  printer.printArrowTypeList(getResultTypes());
  printUnitRegions(printer, *this);
}

LogicalResult UniformizeRegionsOp::verify() { return verifyUnitLists(*this); }

void UniformizeRegionsOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  addUnitSuccessors(*this, point, successors);
}

ParseResult EqualizePatternOp::parse(OpAsmParser &parser,
                                     OperationState &result) {
  return parseUnitRegions<EqualizePatternOp>(parser, result);
}

void EqualizePatternOp::print(OpAsmPrinter &printer) {
  printUnitRegions(printer, *this);
}

/// Names of all ops in `region`, in the order of the text.
static SmallVector<OperationName> getOperationNames(Region &region) {
  SmallVector<OperationName> names;
  region.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { names.push_back(op->getName()); });
  return names;
}

LogicalResult EqualizePatternOp::verify() {
  if (getUnitRegions().size() < 2)
    return emitOpError("expected at least two regions, but got ")
           << getUnitRegions().size();
  if (failed(verifyUnitLists(*this)))
    return failure();
  SmallVector<OperationName> expected =
      getOperationNames(getUnitRegions().front());
  for (auto [i, region] : llvm::enumerate(getUnitRegions())) {
    SmallVector<OperationName> names = getOperationNames(region);
    if (names.size() != expected.size())
      return emitOpError("regions have different operation size. region #0 "
                         "has ")
             << expected.size() << " operations, but region #" << i << " has "
             << names.size();
    auto [it, expectedIt] =
        std::mismatch(names.begin(), names.end(), expected.begin());
    if (it != names.end())
      return emitOpError("Operation sequences different. region #0 has '")
             << *expectedIt << "' where region #" << i << " has '" << *it
             << "'";
  }
  return success();
}

void EqualizePatternOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  addUnitSuccessors(*this, point, successors);
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (getNumOperands() == parent->getNumResults())
    return success();
  InFlightDiagnostic diag =
      emitOpError("The size of the operands in the yieldOp of a "
                  "uniformize_regionsOp region differs from the size of its "
                  "results.")
      << " expected " << parent->getNumResults() << ", but got "
      << getNumOperands();
  diag.attachNote(parent->getLoc()) << "surrounding op here";
  return diag;
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Uniform/UniformOps.cpp.inc"
