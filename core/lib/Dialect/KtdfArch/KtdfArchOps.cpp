//===- KtdfArchOps.cpp - Operations of the ktdf_arch dialect --------------===//

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf_arch;

#define GET_OP_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shared syntax
//===----------------------------------------------------------------------===//

/// The first character of the next token. The parser has no look-ahead, and an
/// optional attribute would take too much for one.
static char peek(OpAsmParser &parser) {
  return *parser.getCurrentLocation().getPointer();
}

/// Parses `@id` as the attribute `id`.
static void parseOptionalId(OpAsmParser &parser, OperationState &result) {
  StringAttr id;
  if (succeeded(parser.parseOptionalSymbolName(id)))
    result.addAttribute("id", id);
}

/// Parses an optional dictionary, or an alias of one, and checks that the
/// attributes of the op's own are of the right kind. An `id` in the dictionary
/// may repeat the one in front of it.
static ParseResult parseOptionalProperties(OpAsmParser &parser,
                                           OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  char next = peek(parser);
  if (next != '{' && next != '#')
    return success();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return parser.emitError(loc)
           << "expected a dictionary attribute, got " << attribute;
  Attribute id = result.attributes.get("id");
  for (NamedAttribute entry : dictionary) {
    if (id && entry.getName() == "id") {
      if (entry.getValue() != id)
        return parser.emitError(loc)
               << "expected the id " << id
               << " that precedes the dictionary, got " << entry.getValue();
      continue;
    }
    result.attributes.append(entry);
  }
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc)
           << "'" << result.name.getStringRef() << "' op ";
  });
}

/// Prints what parseOptionalId() and parseOptionalProperties() read.
static void printIdAndProperties(OpAsmPrinter &printer, Operation *op,
                                 ArrayRef<StringRef> elided = {}) {
  if (auto id = op->getAttrOfType<StringAttr>("id")) {
    printer << ' ';
    printer.printSymbolName(id);
  }
  SmallVector<StringRef> all(elided);
  all.push_back("id");
  printer.printOptionalAttrDict(op->getAttrs(), all);
}

/// Parses the type of a resource, in its short or long form.
static ParseResult parseResourceType(OpAsmParser &parser, Type &type) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalKeyword("memory")))
    type = MemoryType::get(context);
  else if (succeeded(parser.parseOptionalKeyword("exec_unit")))
    type = ExecUnitType::get(context);
  else if (succeeded(parser.parseOptionalKeyword("port")))
    type = PortType::get(context);
  else
    return parser.parseType(type);
  return success();
}

static void printResourceType(OpAsmPrinter &printer, Type type) {
  if (isa<MemoryType>(type))
    printer << "memory";
  else if (isa<ExecUnitType>(type))
    printer << "exec_unit";
  else if (isa<PortType>(type))
    printer << "port";
  else
    printer << type;
}

/// Parses the form of a resource with one result and nothing but properties.
static ParseResult parsePlainResource(OpAsmParser &parser,
                                      OperationState &result, Type type) {
  parseOptionalId(parser, result);
  if (parseOptionalProperties(parser, result))
    return failure();
  result.addTypes(type);
  return success();
}

//===----------------------------------------------------------------------===//
// DeviceOp
//===----------------------------------------------------------------------===//

void DeviceOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     StringRef importPath) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  Region *body = state.addRegion();
  if (importPath.empty())
    body->emplaceBlock();
  else
    properties.import_path = builder.getStringAttr(importPath);
}

StringRef DeviceOp::getDefaultDialect() {
  return KtdfArchDialect::getDialectNamespace();
}

ParseResult DeviceOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  if (parser.parseSymbolName(properties.sym_name) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("import")) &&
      (parser.parseLParen() || parser.parseAttribute(properties.import_path) ||
       parser.parseRParen()))
    return failure();
  if (peek(parser) != '{')
    return success();
  if (parser.parseRegion(*body, /*arguments=*/{}))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void DeviceOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getImportPathAttrName()});
  if (StringAttr path = getImportPathAttr())
    printer << " import(" << path << ')';
  if (getBody().empty())
    return;
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Checks A-2: the children of a device or group.
static LogicalResult verifyChildren(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &child : region.getOps()) {
      if (isa<MemoryOp, ExecUnitOp, SwitchOp, DatapathOp, GroupOp, PatternsOp,
              YieldOp>(child))
        continue;
      InFlightDiagnostic diag =
          op->emitOpError("expects child ops to be resources");
      diag.attachNote(child.getLoc())
          << "found '" << child.getName() << "' here";
      return diag;
    }
  return success();
}

LogicalResult DeviceOp::verify() {
  if (getBody().empty() && !isImport())
    return emitOpError("empty device requires 'import_path' attribute");
  if (!getBody().empty() && isImport())
    return emitOpError("non-empty device can't have 'import_path' attribute");
  return verifyChildren(*this);
}

LogicalResult DeviceOp::verifyRegions() {
  llvm::StringMap<Operation *> ids;
  WalkResult result = getBody().walk([&](Operation *op) {
    auto id = op->getAttrOfType<StringAttr>("id");
    if (!id || !isa<KtdfArchDialect>(op->getDialect()))
      return WalkResult::advance();
    auto [it, isNew] = ids.try_emplace(id.getValue(), op);
    if (isNew)
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitError("resource with id ")
                              << id << " redefined";
    diag.attachNote(it->second->getLoc()) << "previously defined here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// MemoryOp, ExecUnitOp, SwitchOp, DatapathOp
//===----------------------------------------------------------------------===//

ParseResult MemoryOp::parse(OpAsmParser &parser, OperationState &result) {
  return parsePlainResource(parser, result,
                            MemoryType::get(parser.getContext()));
}

void MemoryOp::print(OpAsmPrinter &printer) {
  printIdAndProperties(printer, *this);
}

LogicalResult MemoryOp::verify() {
  // What a memref type accepts as its memory space, except for a missing one.
  Attribute kind = getKindAttr();
  bool isBuiltin = kind && isa<BuiltinDialect>(kind.getDialect());
  if (!kind ||
      (isBuiltin && !isa<StringAttr, IntegerAttr, DictionaryAttr>(kind)))
    return emitOpError("attribute 'kind' requires valid memory space");
  return success();
}

ParseResult ExecUnitOp::parse(OpAsmParser &parser, OperationState &result) {
  return parsePlainResource(parser, result,
                            ExecUnitType::get(parser.getContext()));
}

void ExecUnitOp::print(OpAsmPrinter &printer) {
  printIdAndProperties(printer, *this);
}

ParseResult SwitchOp::parse(OpAsmParser &parser, OperationState &result) {
  // Bounds what a few characters can make the reader allocate, and the square
  // of it that routes are searched in.
  constexpr int64_t maxPorts = 1024;
  int64_t numPorts = 0;
  if (parser.parseLSquare())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(numPorts))
    return failure();
  if (numPorts < 0 || numPorts > maxPorts)
    return parser.emitError(loc) << "expected a number of ports from 0 to "
                                 << maxPorts << ", got " << numPorts;
  if (parser.parseRSquare() || parseOptionalProperties(parser, result))
    return failure();
  result.types.append(numPorts, PortType::get(parser.getContext()));
  return success();
}

void SwitchOp::print(OpAsmPrinter &printer) {
  printer << '[' << getNumResults() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult SwitchOp::verify() {
  ElementsAttr connectivity = getConnectivityAttr();
  if (!connectivity)
    return success();
  if (!isa<DenseElementsAttr, SparseElementsAttr>(connectivity) ||
      !connectivity.getElementType().isSignlessInteger(1))
    return emitOpError("attribute 'connectivity' failed to satisfy constraint: "
                       "directed sparse or dense adjacency matrix of i1, got ")
           << connectivity.getShapedType();
  ArrayRef<int64_t> shape = connectivity.getShapedType().getShape();
  int64_t numPorts = getNumResults();
  if (shape != ArrayRef<int64_t>{numPorts, numPorts}) {
    InFlightDiagnostic diag = emitOpError("expected connectivity shape {")
                              << numPorts << ", " << numPorts << "}, but got {";
    llvm::interleaveComma(shape, diag);
    return diag << '}';
  }
  return success();
}

ParseResult DatapathOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand source, target;
  Type sourceType, targetType;
  parseOptionalId(parser, result);
  return failure(parseOptionalProperties(parser, result) ||
                 parser.parseOperand(source) || parser.parseKeyword("to") ||
                 parser.parseOperand(target) || parser.parseColon() ||
                 parseResourceType(parser, sourceType) || parser.parseComma() ||
                 parseResourceType(parser, targetType) ||
                 parser.resolveOperand(source, sourceType, result.operands) ||
                 parser.resolveOperand(target, targetType, result.operands));
}

void DatapathOp::print(OpAsmPrinter &printer) {
  printIdAndProperties(printer, *this);
  printer << ' ' << getSource() << " to " << getTarget() << " : ";
  printResourceType(printer, getSource().getType());
  printer << ", ";
  printResourceType(printer, getTarget().getType());
}

LogicalResult DatapathOp::verify() {
  if (getSource() == getTarget())
    return emitOpError("can't link resource to itself");
  return success();
}

//===----------------------------------------------------------------------===//
// GroupOp
//===----------------------------------------------------------------------===//

StringRef GroupOp::getDefaultDialect() {
  return KtdfArchDialect::getDialectNamespace();
}

ParseResult GroupOp::parse(OpAsmParser &parser, OperationState &result) {
  Type memory = MemoryType::get(parser.getContext());
  SmallVector<OpAsmParser::UnresolvedOperand> shared;
  parseOptionalId(parser, result);
  if (parseOptionalProperties(parser, result) || parser.parseKeyword("share") ||
      parser.parseOperandList(shared, AsmParser::Delimiter::Paren) ||
      parser.resolveOperands(shared, memory, result.operands))
    return failure();
  // The body's arguments go by the names of the memories they stand for.
  SmallVector<OpAsmParser::Argument> arguments;
  for (const OpAsmParser::UnresolvedOperand &operand : shared) {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    argument.ssaName = operand;
    argument.type = memory;
  }
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments, /*enableNameShadowing=*/true))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  if (failed(parser.parseOptionalArrow()))
    return success();
  return parser.parseCommaSeparatedList(
      [&] { return parseResourceType(parser, result.types.emplace_back()); });
}

void GroupOp::print(OpAsmPrinter &printer) {
  printIdAndProperties(printer, *this);
  printer << " share(" << getShared() << ") ";
  printer.shadowRegionArgs(getBody(), getShared());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0);
  if (getNumResults() == 0)
    return;
  printer << " -> ";
  llvm::interleaveComma(getResultTypes(), printer,
                        [&](Type type) { printResourceType(printer, type); });
}

LogicalResult GroupOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getShared().getTypes())
    return emitOpError("expected one body argument of type memory per shared "
                       "memory (")
           << getShared().size() << "), got " << block.getNumArguments();
  return verifyChildren(*this);
}

LogicalResult GroupOp::verifyRegions() {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getUnits().size() == getNumResults())
    return success();
  InFlightDiagnostic diag = emitOpError("has ")
                            << getNumResults()
                            << " results, but its 'ktdf_arch.yield' has "
                            << yield.getUnits().size() << " operands";
  diag.attachNote(yield.getLoc()) << "'ktdf_arch.yield' is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// PatternsOp
//===----------------------------------------------------------------------===//

namespace {
/// Stands in for the dialect of device patterns where that dialect is not
/// linked: accepts the names of its types, so that their text can be skipped.
/// No type is kept.
class PatternTypesDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PatternTypesDialect)
  static constexpr StringLiteral getDialectNamespace() { return "pdl"; }

  explicit PatternTypesDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<PatternTypesDialect>()) {}

  Type parseType(DialectAsmParser &parser) const override {
    // `value`, or `range<value>`.
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    if (succeeded(parser.parseOptionalLess()) &&
        (parser.parseKeyword(&name) || parser.parseGreater()))
      return {};
    return NoneType::get(getContext());
  }
};

/// Skips the body of `patterns` token by token, checking only what A-9 asks
/// for: that the ops directly in it are `pdl.pattern`.
class PatternTextSkipper {
public:
  explicit PatternTextSkipper(OpAsmParser &parser) : parser(parser) {}

  /// Skips up to and including the brace that closes the body, and sets `end`
  /// to that brace.
  ParseResult skipBody(const char *&end) {
    while (true) {
      end = parser.getCurrentLocation().getPointer();
      if (succeeded(parser.parseOptionalRBrace()))
        return success();
      if (skipPattern())
        return failure();
    }
  }

private:
  ParseResult skipPattern() {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)) || name != "pdl.pattern")
      return parser.emitError(loc, "'ktdf_arch.patterns' op expects child ops "
                                   "to be 'pdl.pattern'");
    // The region of the pattern is the first brace that `attributes` does not
    // announce.
    bool isRegion = true;
    while (true) {
      if (succeeded(parser.parseOptionalKeyword("attributes"))) {
        isRegion = false;
        continue;
      }
      if (failed(parser.parseOptionalLBrace())) {
        if (skipToken())
          return failure();
        continue;
      }
      if (skipToClosingBrace())
        return failure();
      if (isRegion)
        return success();
      isRegion = true;
    }
  }

  ParseResult skipToClosingBrace() {
    for (unsigned depth = 1; depth != 0;) {
      if (succeeded(parser.parseOptionalLBrace()))
        ++depth;
      else if (succeeded(parser.parseOptionalRBrace()))
        --depth;
      else if (skipToken())
        return failure();
    }
    return success();
  }

  /// Skips one token, type or attribute other than a brace.
  ParseResult skipToken() {
    char next = peek(parser);
    if (next == '!') {
      parser.getContext()->getOrLoadDialect("pdl");
      if (!parser.getContext()->getLoadedDialect("pdl"))
        parser.getContext()->getOrLoadDialect<PatternTypesDialect>();
      Type type;
      return parser.parseType(type);
    }
    if (next == '#' || llvm::isDigit(next)) {
      Attribute attribute;
      return parser.parseAttribute(attribute);
    }
    StringRef keyword;
    std::string string;
    StringAttr symbol;
    OpAsmParser::UnresolvedOperand operand;
    if (next == '%')
      return parser.parseOperand(operand);
    if (succeeded(parser.parseOptionalKeyword(&keyword)) ||
        succeeded(parser.parseOptionalString(&string)) ||
        succeeded(parser.parseOptionalSymbolName(symbol)) ||
        succeeded(parser.parseOptionalArrow()) ||
        succeeded(parser.parseOptionalLParen()) ||
        succeeded(parser.parseOptionalRParen()) ||
        succeeded(parser.parseOptionalLSquare()) ||
        succeeded(parser.parseOptionalRSquare()) ||
        succeeded(parser.parseOptionalLess()) ||
        succeeded(parser.parseOptionalGreater()) ||
        succeeded(parser.parseOptionalColon()) ||
        succeeded(parser.parseOptionalComma()) ||
        succeeded(parser.parseOptionalEqual()) ||
        succeeded(parser.parseOptionalQuestion()) ||
        succeeded(parser.parseOptionalPlus()) ||
        succeeded(parser.parseOptionalMinus()) ||
        succeeded(parser.parseOptionalStar()))
      return success();
    return parser.emitError(parser.getCurrentLocation(),
                            "unexpected token in a device pattern");
  }

  OpAsmParser &parser;
};
} // namespace

ParseResult PatternsOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  if (peek(parser) == '[' && parser.parseAttribute(properties.groups))
    return failure();
  const char *begin = parser.getCurrentLocation().getPointer() + 1;
  const char *end = nullptr;
  if (parser.parseLBrace() || PatternTextSkipper(parser).skipBody(end))
    return failure();
  StringRef text(begin, end - begin);
  if (!text.trim().empty())
    properties.text = parser.getBuilder().getStringAttr(text);
  return success();
}

void PatternsOp::print(OpAsmPrinter &printer) {
  if (ArrayAttr groups = getGroupsAttr())
    printer << ' ' << groups;
  printer << " {" << getText() << '}';
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

/// The device called `name` in the nearest symbol table around `from` that has
/// a symbol of that name.
static DeviceOp lookupDeviceByName(Operation *from, SymbolRefAttr name) {
  for (Operation *table = from; table; table = table->getParentOp()) {
    if (!table->hasTrait<OpTrait::SymbolTable>())
      continue;
    if (Operation *symbol = SymbolTable::lookupSymbolIn(table, name))
      return dyn_cast<DeviceOp>(symbol);
  }
  return {};
}

DeviceOp ktdf_arch::lookupDevice(Operation *from, std::string *error) {
  auto fail = [&](const Twine &message) {
    if (error)
      *error = message.str();
    return DeviceOp();
  };
  if (auto device = dyn_cast<DeviceOp>(from))
    return device;
  for (Operation *op = from; op; op = op->getParentOp()) {
    auto name = op->getAttrOfType<SymbolRefAttr>(kMapsToAttrName);
    if (!name)
      continue;
    // `maps_to` may name a kind or an id too, but those are not symbols.
    if (DeviceOp device = lookupDeviceByName(op, name))
      return device;
    return fail("'ktdf_arch.maps_to' names '" +
                name.getLeafReference().getValue() +
                "', and no device of that name is declared");
  }
  for (Operation *op = from; op; op = op->getParentOp()) {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      continue;
    auto devices = module.getOps<DeviceOp>();
    if (devices.empty())
      continue;
    if (std::next(devices.begin()) != devices.end())
      return fail("several 'ktdf_arch.device' are declared in the enclosing "
                  "module, and no 'ktdf_arch.maps_to' names one");
    return *devices.begin();
  }
  return fail("no 'ktdf_arch.device' is declared in an enclosing module");
}
