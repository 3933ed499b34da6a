//===- LanguageCompletion.cpp - What can be written at a place ------------===//
//
// Names come from the outline of the current text, which needs no parse, so
// that a line that is being typed sees the lines above it; their types from the
// last text that parsed.
//
//===----------------------------------------------------------------------===//

#include "LanguageImpl.h"

#include "Context.h"
#include "Reference.h"

#include "ktir/Syntax/Types.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace ktir {

using syntax::noIndex;
using syntax::TokenKind;

namespace {
/// Works out what fits at one place of the text.
class Completer {
public:
  Completer(const LanguageService::Impl &service, size_t offset)
      : service(service), outline(service.source.text()), offset(offset) {
    locate();
  }

  CompletionList complete();

private:
  void locate();
  bool isAtOperation() const;
  bool isAtType() const;
  /// The operation in whose attribute dictionary the place is; empty outside.
  llvm::StringRef operationOfDictionary() const;

  /// The innermost operation that a brace stands in; null without one.
  const syntax::Statement *operationAround(uint32_t brace) const;
  llvm::StringRef nameOf(const syntax::Statement &operation) const;
  /// Whether an operation's form says that a brace in it opens a dictionary;
  /// absent where it does not say.
  std::optional<bool> isDictionaryOf(const syntax::Statement &operation,
                                     uint32_t brace) const;
  /// Whether the text in a brace looks like operations.
  bool isFoundRegion(uint32_t brace) const;
  bool isRegion(uint32_t brace) const;
  uint32_t regionAround() const;

  void add(std::string label, CompletionKind kind, std::string detail = {},
           std::string documentation = {});
  void addValues();
  void addHeaderValues(uint32_t region);
  void addOperations();
  void addTypes();
  void addAliases(char sigil, CompletionKind kind);
  void addConstants();
  void addAttributeNames(llvm::StringRef operation);
  void addSymbols();
  void addBlocks();
  std::string typeOf(llvm::StringRef name) const;

  const LanguageService::Impl &service;
  syntax::Outline outline;
  size_t offset;
  /// The word before the place, which an item replaces with its rest.
  syntax::ByteRange word;
  llvm::StringRef typed; ///< the part of the word before the place
  /// The first token that is not before the word.
  uint32_t next = 0;
  /// The bracket around the place.
  uint32_t bracket = noIndex;
  CompletionList list;
  llvm::StringSet<> seen;
};
} // namespace

void Completer::locate() {
  uint32_t low = 0, high = outline.size();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (outline.token(middle).end < offset)
      low = middle + 1;
    else
      high = middle;
  }
  next = low;
  word = {offset, offset};
  if (next < outline.size() && outline.token(next).begin < offset) {
    const syntax::Token &token = outline.token(next);
    const char first = outline.text()[token.begin];
    if (token.kind != TokenKind::Punctuation || first == '%')
      word = {token.begin, token.end};
    else if (token.end <= offset)
      ++next;
  }
  typed = outline.text().slice(word.begin, offset);

  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < next; ++i) {
    const llvm::StringRef spelling = outline.spelling(i);
    const uint32_t match = outline.match(i);
    const bool opens = spelling == "(" || spelling == "[" || spelling == "{" ||
                       (spelling == "<" && match != noIndex);
    if (opens && (match == noIndex || match >= next))
      open.push_back(i);
  }
  if (!open.empty())
    bracket = open.back();
}

const syntax::Statement *Completer::operationAround(uint32_t brace) const {
  const syntax::Statement *found = nullptr;
  for (const syntax::Statement &statement : outline.statements())
    if (statement.first < brace && statement.end > brace)
      found = &statement;
  return found && found->kind == syntax::StatementKind::Operation ? found
                                                                  : nullptr;
}

llvm::StringRef Completer::nameOf(const syntax::Statement &operation) const {
  const llvm::StringRef custom = outline.customName(operation);
  // Those that stand without their dialect.
  if (custom == "module")
    return "builtin.module";
  if (custom == "return")
    return "func.return";
  if (custom == "call")
    return "func.call";
  return custom.empty() ? outline.genericName(operation) : custom;
}

bool Completer::isFoundRegion(uint32_t brace) const {
  return llvm::any_of(outline.regions(), [&](const syntax::Region &region) {
    return region.open == brace;
  });
}

std::optional<bool>
Completer::isDictionaryOf(const syntax::Statement &operation,
                          uint32_t brace) const {
  const llvm::StringRef name = nameOf(operation);
  std::optional<mlir::RegisteredOperationName> registered =
      mlir::RegisteredOperationName::lookup(name, &processContext());
  if (!registered)
    return std::nullopt;
  const llvm::StringRef previous = outline.spelling(brace - 1);
  if (registered->hasTrait<mlir::OpTrait::ZeroRegions>() ||
      previous == "attributes" || previous == "=")
    return true;
  // Behind a region a dictionary, behind a dictionary a region.
  if (previous == "}") {
    const uint32_t open = outline.match(brace - 1);
    return open != noIndex && open > 0 && !outline.is(open - 1, "attributes") &&
           (open + 2 == brace || isFoundRegion(open));
  }
  if (!outline.genericName(operation).empty())
    return previous != "(" && previous != ",";
  // KTIR's own write dictionaries before their arrow and regions behind it.
  if (name.starts_with("ktdp.")) {
    for (uint32_t i = operation.name; i < brace; i = outline.skip(i))
      if (outline.is(i, "->"))
        return false;
    return true;
  }
  // Most of `linalg` has a region that is not written.
  if (!registered->hasInterface<mlir::linalg::LinalgOp>())
    return false;
  if (name == mlir::linalg::GenericOp::getOperationName())
    return brace == operation.name + 1;
  return name != mlir::linalg::MapOp::getOperationName() &&
         name != mlir::linalg::ReduceOp::getOperationName();
}

/// What is in a brace often does not say what it opens: nothing is yet, or the
/// next operation is, for want of the closing brace.
bool Completer::isRegion(uint32_t brace) const {
  if (!outline.is(brace, "{"))
    return false;
  const bool startsWithKey =
      (outline.kind(brace + 1) == TokenKind::Identifier ||
       outline.kind(brace + 1) == TokenKind::String) &&
      (outline.is(brace + 2, "=") || outline.is(brace + 2, ","));
  if (startsWithKey)
    return false;
  const syntax::Statement *operation = operationAround(brace);
  std::optional<bool> isDictionary =
      operation ? isDictionaryOf(*operation, brace) : std::nullopt;
  if (!isDictionary)
    return isFoundRegion(brace);
  // Operations that were written below it show that the brace was forgotten.
  return !*isDictionary ||
         (isFoundRegion(brace) &&
          llvm::any_of(
              outline.statements(), [&](const syntax::Statement &statement) {
                return statement.first > brace && statement.first < next;
              }));
}

uint32_t Completer::regionAround() const {
  uint32_t found = 0;
  for (auto [number, region] : llvm::enumerate(outline.regions()))
    if (region.open == noIndex || (region.open < next && region.close >= next))
      found = number;
  return found;
}

bool Completer::isAtOperation() const {
  const bool isInRegion = bracket == noIndex || isRegion(bracket);
  if (!isInRegion)
    return false;
  if (next == 0)
    return true;
  const llvm::StringRef previous = outline.spelling(next - 1);
  if (previous == "=") {
    // `%x = ` and `%p:2 = `, not an attribute of the operation before.
    uint32_t name = next - 2;
    if (next >= 4 && outline.kind(name) == TokenKind::Integer &&
        outline.is(name - 1, ":"))
      name -= 2;
    if (next < 2 || outline.kind(name) != TokenKind::Value)
      return false;
    return name == 0 ||
           outline.text()
               .slice(outline.token(name - 1).end, outline.token(name).begin)
               .contains('\n');
  }
  if (previous == "{" || previous == "}")
    return true;
  static const llvm::StringRef unfinished[] = {",", ":", "->", "("};
  return !llvm::is_contained(unfinished, previous) &&
         outline.text()
             .slice(outline.token(next - 1).end, word.begin)
             .contains('\n');
}

bool Completer::isAtType() const {
  if (next == 0)
    return false;
  const llvm::StringRef previous = outline.spelling(next - 1);
  if (previous == "->" || previous == ":")
    return true;
  // In a list of types: the list follows a colon or an arrow.
  for (uint32_t i = next; i-- > 0;) {
    const llvm::StringRef spelling = outline.spelling(i);
    if (spelling == "->" || spelling == ":")
      return true;
    const TokenKind kind = outline.kind(i);
    const bool isOfType = kind == TokenKind::TypeName ||
                          kind == TokenKind::Identifier || spelling == "," ||
                          spelling == "<" || spelling == ">" ||
                          spelling == "(" || spelling == ")" ||
                          spelling == "?" || kind == TokenKind::Integer;
    if (!isOfType)
      return false;
  }
  return false;
}

llvm::StringRef Completer::operationOfDictionary() const {
  if (bracket == noIndex || bracket == 0 || !outline.is(bracket, "{") ||
      isRegion(bracket))
    return {};
  // A dictionary can be a value, too.
  static const llvm::StringRef beforeValues[] = {"=", ",", "[", "("};
  if (llvm::is_contained(beforeValues, outline.spelling(bracket - 1)) &&
      !(bracket > 1 && outline.is(bracket - 2, "attrs")))
    return {};
  const syntax::Statement *operation = operationAround(bracket);
  return operation ? nameOf(*operation) : llvm::StringRef();
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void Completer::add(std::string label, CompletionKind kind, std::string detail,
                    std::string documentation) {
  if (!seen.insert(label).second)
    return;
  CompletionItem item;
  item.label = std::move(label);
  item.kind = kind;
  item.detail = std::move(detail);
  item.documentation = std::move(documentation);
  list.items.push_back(std::move(item));
}

std::string Completer::typeOf(llvm::StringRef name) const {
  if (!service.parsed)
    return {};
  const auto [base, digits] = name.split('#');
  unsigned number = 0;
  if (!digits.empty() && digits.getAsInteger(10, number))
    return {};
  const size_t place = service.kept.oldBefore(offset);
  mlir::Type type;
  for (const Entity &entity : service.parsed->index->entities()) {
    if (!entity.value || entity.name != base || number >= entity.count ||
        entity.scope.begin > place)
      continue;
    mlir::Value value = entity.value;
    if (entity.kind == Entity::Kind::Result)
      value = value.getDefiningOp()->getResult(
          llvm::cast<mlir::OpResult>(value).getResultNumber() + number);
    type = value.getType();
  }
  std::string text;
  if (type)
    llvm::raw_string_ostream(text) << type;
  return text;
}

/// The names that the header of a region gives: arguments of a function, the
/// variable and the iteration arguments of a loop.
void Completer::addHeaderValues(uint32_t region) {
  const syntax::Region &found = outline.regions()[region];
  if (found.statement == noIndex)
    return;
  const syntax::Statement &statement = outline.statements()[found.statement];
  for (uint32_t i = statement.name; i < found.open; ++i) {
    const bool names = outline.is(i + 1, ":") || outline.is(i + 1, "=");
    if (outline.kind(i) == TokenKind::Value && names)
      add(outline.spelling(i).str(), CompletionKind::Value,
          typeOf(outline.spelling(i)));
  }
}

void Completer::addValues() {
  std::vector<std::string> names;
  uint32_t region = regionAround();
  while (region != noIndex) {
    // The nearest first.
    for (const syntax::Statement &statement :
         llvm::reverse(outline.statements())) {
      if (statement.region != region || statement.first >= next)
        continue;
      if (statement.kind == syntax::StatementKind::Label) {
        for (uint32_t i = statement.first; i < statement.end; ++i)
          if (outline.kind(i) == TokenKind::Value)
            add(outline.spelling(i).str(), CompletionKind::Value,
                typeOf(outline.spelling(i)));
        continue;
      }
      if (statement.kind != syntax::StatementKind::Operation)
        continue;
      if (statement.end > next ||
          outline.token(statement.end - 1).end >= offset) {
        // The operation itself: only the variables it declares.
        for (uint32_t i = statement.name; i < next; ++i)
          if (outline.is(i, "intermediate_variables"))
            for (uint32_t j = i + 2;
                 outline.kind(j) == TokenKind::Value || outline.is(j, ","); ++j)
              if (outline.kind(j) == TokenKind::Value)
                add(outline.spelling(j).str(), CompletionKind::Value, "index");
        continue;
      }
      for (const syntax::ResultName &result :
           syntax::resultNames(outline, statement)) {
        const std::string name = outline.spelling(result.token).str();
        for (uint32_t i = 0; i < result.count && i < 64; ++i) {
          const std::string own =
              result.count == 1 ? name : name + "#" + std::to_string(i);
          add(own, CompletionKind::Value, typeOf(own));
        }
      }
    }
    addHeaderValues(region);
    const syntax::Region &found = outline.regions()[region];
    // A function sees nothing from outside.
    if (found.statement != noIndex &&
        outline.customName(outline.statements()[found.statement]) ==
            "func.func")
      return;
    if (found.parent == region)
      return;
    region = found.parent;
  }
}

void Completer::addOperations() {
  // The dialects of KTIR, those of the text, and the one that is typed.
  llvm::StringSet<> dialects;
  for (const char *name : {"ktdp", "spyreop", "arith", "func", "linalg", "math",
                           "scf", "tensor", "affine"})
    dialects.insert(name);
  for (const syntax::Statement &statement : outline.statements())
    dialects.insert(outline.customName(statement).split('.').first);
  const llvm::StringRef prefix = typed.split('.').first;
  // The context's own order is no order.
  std::vector<llvm::StringRef> names;
  for (mlir::RegisteredOperationName operation :
       processContext().getRegisteredOperations())
    names.push_back(operation.getStringRef());
  llvm::sort(names);
  for (llvm::StringRef name : names) {
    const llvm::StringRef dialect = name.split('.').first;
    const bool isTyped = !prefix.empty() && dialect.starts_with(prefix);
    if ((!dialects.contains(dialect) && !isTyped) || dialect == "builtin")
      continue;
    const ReferenceEntry *entry = findReference(name);
    add(name.str(), CompletionKind::Operation,
        entry ? entry->summary.str() : "",
        entry ? entry->description.str() : "");
  }
}

void Completer::addAliases(char sigil, CompletionKind kind) {
  for (const syntax::Statement &statement : outline.statements()) {
    if (statement.kind != syntax::StatementKind::Alias)
      continue;
    const llvm::StringRef name = outline.spelling(statement.first);
    if (!name.starts_with(llvm::StringRef(&sigil, 1)))
      continue;
    std::optional<syntax::TokenRange> value = outline.alias(name);
    add(name.str(), kind, value ? outline.slice(*value).str() : "");
  }
}

void Completer::addConstants() {
  add("#ktdp.memory_space<global>", CompletionKind::Constant,
      "device memory, which every tile sees");
  add("#ktdp.memory_space<ct_local>", CompletionKind::Constant,
      "the scratchpad of the executing tile");
}

void Completer::addTypes() {
  addAliases('!', CompletionKind::Type);
  for (const ReferenceEntry &entry : referenceEntries())
    if (entry.name.starts_with("!"))
      add(entry.name.str(), CompletionKind::Type, entry.summary.str(),
          entry.description.str());
  if (typed.starts_with("!"))
    return;
  for (const char *name : {"index", "f16", "f32", "bf16", "i1", "i8", "i16",
                           "i32", "i64", "tensor", "memref", "vector"})
    add(name, CompletionKind::Type);
}

void Completer::addAttributeNames(llvm::StringRef operation) {
  std::optional<mlir::RegisteredOperationName> registered =
      mlir::RegisteredOperationName::lookup(operation, &processContext());
  if (!registered)
    return;
  std::vector<llvm::StringRef> names;
  for (mlir::StringAttr name : registered->getAttributeNames())
    if (name != "operandSegmentSizes" && name != "resultSegmentSizes")
      names.push_back(name.getValue());
  const bool isFunction = operation == "func.func";
  if (isFunction)
    names.push_back("grid");
  llvm::sort(names);
  for (llvm::StringRef name : names)
    add(name.str(), CompletionKind::Attribute,
        isFunction && name == "grid" ? "extents of the grid of tiles" : "");
}

void Completer::addSymbols() {
  for (const syntax::Statement &statement : outline.statements()) {
    if (statement.kind != syntax::StatementKind::Operation)
      continue;
    for (uint32_t i = statement.name + 1;
         i < statement.end && i < statement.name + 4; ++i)
      if (outline.kind(i) == TokenKind::Symbol &&
          outline.spelling(statement.name).ends_with("func")) {
        add(outline.spelling(i).str(), CompletionKind::Symbol);
        break;
      }
  }
}

void Completer::addBlocks() {
  const uint32_t region = regionAround();
  for (const syntax::Statement &statement : outline.statements())
    if (statement.kind == syntax::StatementKind::Label &&
        statement.region == region)
      add(outline.spelling(statement.first).str(), CompletionKind::Block);
}

CompletionList Completer::complete() {
  list.range = service.source.rangeOf(word.begin, word.end);
  const TokenKind kind = outline.kind(next);
  const bool isInToken = next < outline.size() && word.begin < offset &&
                         outline.token(next).begin < offset;
  if (isInToken && (kind == TokenKind::String || kind == TokenKind::Integer ||
                    kind == TokenKind::Float))
    return list;
  // The rest of the line is a comment.
  const llvm::StringRef before =
      outline.text().take_front(offset).rsplit('\n').second;
  for (const syntax::Token &token : syntax::tokenize(
           before.empty() ? outline.text().take_front(offset) : before))
    if (token.kind == TokenKind::Comment)
      return list;

  const llvm::StringRef dictionary = operationOfDictionary();
  const llvm::StringRef previous =
      next ? outline.spelling(next - 1) : llvm::StringRef();
  switch (typed.empty() ? '\0' : typed[0]) {
  case '%':
    addValues();
    return list;
  case '#':
    addAliases('#', CompletionKind::Alias);
    addConstants();
    return list;
  case '!':
    addTypes();
    return list;
  case '@':
    addSymbols();
    return list;
  case '^':
    addBlocks();
    return list;
  default:
    break;
  }
  if (!dictionary.empty() && (previous == "{" || previous == ",")) {
    addAttributeNames(dictionary);
  } else if (previous == "=" && !isAtOperation()) {
    addAliases('#', CompletionKind::Alias);
    addConstants();
    if (dictionary.empty())
      addValues();
  } else if (isAtOperation()) {
    addOperations();
  } else if (isAtType()) {
    addTypes();
  } else {
    addValues();
  }
  return list;
}

CompletionList complete(const LanguageService::Impl &service, size_t offset) {
  return Completer(service, offset).complete();
}

} // namespace ktir
