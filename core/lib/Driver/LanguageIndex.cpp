//===- LanguageIndex.cpp - The names of a parsed text ---------------------===//
//
// The parser's own record is the basis. It has gaps: a value that an affine
// subscript names twice is recorded once, and the variables of an indirect
// access tile not at all. They are filled from the tokens of the operation.
//
//===----------------------------------------------------------------------===//

#include "LanguageIndex.h"

#include "Diagnostics.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Syntax/Tokenizer.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <tuple>

namespace ktir {

using syntax::ByteRange;

/// The part of a value's name in front of its number.
static llvm::StringRef baseName(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '#' || c == ':'; });
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Collects names with the places they have in the text that was read.
class LanguageIndex::Builder {
public:
  Builder(LanguageIndex &index, const ReadText &read,
          const mlir::AsmParserState &state)
      : index(index), read(read), state(state), text(read.text().text()),
        tokens(syntax::tokenize(text, /*withComments=*/false)) {}

  void build(mlir::ModuleOp module);

private:
  ByteRange bytesOf(llvm::SMRange range) const {
    return {size_t(range.Start.getPointer() - text.data()),
            size_t(range.End.getPointer() - text.data())};
  }
  llvm::StringRef slice(ByteRange range) const {
    return text.slice(range.begin, range.end);
  }

  unsigned addEntity(Entity::Kind kind, llvm::StringRef name,
                     mlir::Operation *op, ByteRange scope);
  void addOccurrence(unsigned entity, ByteRange range, bool isDefinition);
  void addUses(unsigned entity, llvm::ArrayRef<llvm::SMRange> uses);

  void
  addOperation(const mlir::AsmParserState::OperationDefinition &definition);
  void addBlocks(mlir::Operation *op, ByteRange scope);
  void addArgument(mlir::BlockArgument argument, mlir::Operation *op,
                   ByteRange range, ByteRange scope);
  void addVariables(mlir::Operation *op, ByteRange scope);
  void addAliases();
  void addMissingUses();
  void moveToOriginal();

  LanguageIndex &index;
  const ReadText &read;
  const mlir::AsmParserState &state;
  llvm::StringRef text;
  std::vector<syntax::Token> tokens;
  std::vector<ByteRange> operations;
};

unsigned LanguageIndex::Builder::addEntity(Entity::Kind kind,
                                           llvm::StringRef name,
                                           mlir::Operation *op,
                                           ByteRange scope) {
  Entity entity;
  entity.kind = kind;
  entity.name = name.str();
  entity.op = op;
  entity.scope = scope;
  index.allEntities.push_back(std::move(entity));
  return index.allEntities.size() - 1;
}

void LanguageIndex::Builder::addOccurrence(unsigned entity, ByteRange range,
                                           bool isDefinition) {
  if (range.begin >= range.end || range.end > text.size())
    return;
  // The number of a result belongs to the name.
  if (text[range.begin] == '%' && !isDefinition) {
    llvm::StringRef rest = text.drop_front(range.end);
    if (rest.consume_front("#")) {
      const size_t digits =
          rest.take_while([](char c) { return llvm::isDigit(c); }).size();
      if (digits)
        range.end += 1 + digits;
    }
  }
  index.allOccurrences.push_back({range, entity, isDefinition});
}

void LanguageIndex::Builder::addUses(unsigned entity,
                                     llvm::ArrayRef<llvm::SMRange> uses) {
  for (llvm::SMRange use : uses)
    if (use.isValid())
      addOccurrence(entity, bytesOf(use), /*isDefinition=*/false);
}

void LanguageIndex::Builder::addOperation(
    const mlir::AsmParserState::OperationDefinition &definition) {
  mlir::Operation *op = definition.op;
  ByteRange scope = bytesOf(definition.scopeLoc);
  const ByteRange name = bytesOf(definition.loc);
  if (!definition.resultGroups.empty())
    scope.begin = bytesOf(definition.resultGroups.front().definition.loc).begin;
  operations.push_back(scope);

  addOccurrence(addEntity(Entity::Kind::Operation, slice(name), op, scope),
                name, /*isDefinition=*/true);
  for (auto [number, group] : llvm::enumerate(definition.resultGroups)) {
    const bool isLast = number + 1 == definition.resultGroups.size();
    const unsigned end = isLast
                             ? op->getNumResults()
                             : definition.resultGroups[number + 1].startIndex;
    if (group.startIndex >= end || end > op->getNumResults())
      continue;
    const ByteRange place = bytesOf(group.definition.loc);
    const unsigned entity =
        addEntity(Entity::Kind::Result, baseName(slice(place)), op, scope);
    index.allEntities[entity].value = op->getResult(group.startIndex);
    index.allEntities[entity].count = end - group.startIndex;
    for (unsigned result = group.startIndex; result < end; ++result)
      index.valueEntities[op->getResult(result)] = entity;
    addOccurrence(entity, place, /*isDefinition=*/true);
    addUses(entity, group.definition.uses);
  }

  if (auto symbol = op->getAttrOfType<mlir::StringAttr>(
          mlir::SymbolTable::getSymbolAttrName())) {
    const unsigned entity =
        addEntity(Entity::Kind::Symbol, "@" + symbol.str(), op, scope);
    auto token = llvm::lower_bound(
        tokens, name.end, [](const syntax::Token &token, size_t offset) {
          return token.begin < offset;
        });
    while (token != tokens.end() && token->begin < scope.end &&
           token->kind != syntax::TokenKind::Symbol)
      ++token;
    if (token != tokens.end() && token->begin < scope.end)
      addOccurrence(entity, {token->begin, token->end}, /*isDefinition=*/true);
    addUses(entity, definition.symbolUses);
  }
  addBlocks(op, scope);
  if (llvm::isa<ktdp::ConstructIndirectAccessTileOp>(op))
    addVariables(op, scope);
}

void LanguageIndex::Builder::addArgument(mlir::BlockArgument argument,
                                         mlir::Operation *op, ByteRange range,
                                         ByteRange scope) {
  const unsigned entity =
      addEntity(Entity::Kind::Argument, slice(range), op, scope);
  index.allEntities[entity].value = argument;
  index.valueEntities[argument] = entity;
  addOccurrence(entity, range, /*isDefinition=*/true);
}

void LanguageIndex::Builder::addBlocks(mlir::Operation *op, ByteRange scope) {
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region) {
      const auto *definition = state.getBlockDef(&block);
      if (!definition)
        continue;
      if (definition->definition.loc.isValid()) {
        const ByteRange place = bytesOf(definition->definition.loc);
        if (slice(place).starts_with("^")) {
          const unsigned entity =
              addEntity(Entity::Kind::Block, slice(place), op, scope);
          addOccurrence(entity, place, /*isDefinition=*/true);
          addUses(entity, definition->definition.uses);
        }
      }
      for (mlir::BlockArgument argument : block.getArguments()) {
        const unsigned number = argument.getArgNumber();
        if (number >= definition->arguments.size() ||
            !definition->arguments[number].loc.isValid())
          continue;
        addArgument(argument, op, bytesOf(definition->arguments[number].loc),
                    scope);
        addUses(index.valueEntities[argument],
                definition->arguments[number].uses);
      }
    }
}

/// The block of an indirect access tile is hidden; its arguments are listed in
/// the first parentheses of the operation.
void LanguageIndex::Builder::addVariables(mlir::Operation *op,
                                          ByteRange scope) {
  mlir::Block &block = op->getRegion(0).front();
  auto token = llvm::lower_bound(tokens, scope.begin,
                                 [](const syntax::Token &token, size_t offset) {
                                   return token.begin < offset;
                                 });
  auto spelling = [&](const syntax::Token &token) {
    return text.slice(token.begin, token.end);
  };
  while (token != tokens.end() && token->begin < scope.end &&
         spelling(*token) != "intermediate_variables")
    ++token;
  for (mlir::BlockArgument argument : block.getArguments()) {
    if (index.valueEntities.count(argument))
      continue;
    while (token != tokens.end() && token->begin < scope.end &&
           token->kind != syntax::TokenKind::Value && spelling(*token) != ")")
      ++token;
    if (token == tokens.end() || token->begin >= scope.end ||
        token->kind != syntax::TokenKind::Value)
      return;
    addArgument(argument, op, {token->begin, token->end}, scope);
    ++token;
  }
}

void LanguageIndex::Builder::addAliases() {
  auto add = [&](llvm::StringRef sigil, llvm::StringRef name,
                 const mlir::AsmParserState::SMDefinition &definition) {
    // The definition reaches to the end of what is named.
    ByteRange place = bytesOf(definition.loc);
    const std::string spelled = (sigil + name).str();
    const unsigned entity =
        addEntity(Entity::Kind::Alias, spelled, nullptr, place);
    if (text.drop_front(place.begin).starts_with(spelled))
      addOccurrence(entity, {place.begin, place.begin + spelled.size()},
                    /*isDefinition=*/true);
    addUses(entity, definition.uses);
    return entity;
  };
  for (const auto &alias : state.getAttributeAliasDefs())
    index.allEntities[add("#", alias.name, alias.definition)].attribute =
        alias.value;
  for (const auto &alias : state.getTypeAliasDefs())
    index.allEntities[add("!", alias.name, alias.definition)].type =
        alias.value;
}

/// Gives values that stand in the text and are no occurrence yet the meaning
/// that their name has in the operation around them.
void LanguageIndex::Builder::addMissingUses() {
  std::vector<Occurrence> &all = index.allOccurrences;
  llvm::sort(all, [](const Occurrence &a, const Occurrence &b) {
    return a.range.begin < b.range.begin;
  });
  // Outer operations before those in them.
  llvm::sort(operations, [](const ByteRange &a, const ByteRange &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  const size_t known = all.size();
  constexpr unsigned mostTried = 4096;
  std::vector<ByteRange> open;
  size_t nextOperation = 0, nextKnown = 0;
  for (const syntax::Token &token : tokens) {
    if (token.kind != syntax::TokenKind::Value)
      continue;
    while (nextOperation < operations.size() &&
           operations[nextOperation].begin <= token.begin) {
      while (!open.empty() &&
             open.back().end <= operations[nextOperation].begin)
        open.pop_back();
      open.push_back(operations[nextOperation++]);
    }
    while (!open.empty() && open.back().end <= token.begin)
      open.pop_back();
    while (nextKnown < known && all[nextKnown].range.end <= token.begin)
      ++nextKnown;
    const bool isKnown =
        nextKnown < known && all[nextKnown].range.begin < token.end;
    if (isKnown || open.empty())
      continue;
    const llvm::StringRef name = baseName(text.slice(token.begin, token.end));
    size_t at =
        std::lower_bound(all.begin(), all.begin() + known, open.back().begin,
                         [](const Occurrence &occurrence, size_t offset) {
                           return occurrence.range.begin < offset;
                         }) -
        all.begin();
    for (unsigned tried = 0; at < known && tried < mostTried &&
                             all[at].range.begin < open.back().end;
         ++at, ++tried) {
      const Entity &entity = index.allEntities[all[at].entity];
      if (entity.value && entity.name == name) {
        addOccurrence(all[at].entity, {token.begin, token.end},
                      /*isDefinition=*/false);
        break;
      }
    }
  }
}

/// From the text that was read to the user's. What the user did not write has
/// no place in it.
void LanguageIndex::Builder::moveToOriginal() {
  const SourceText &source = read.original();
  auto move = [&](ByteRange range) -> ByteRange {
    const char *base = text.data();
    const SourceRange place = read.originalRange(
        llvm::SMRange(llvm::SMLoc::getFromPointer(base + range.begin),
                      llvm::SMLoc::getFromPointer(base + range.end)));
    return {source.offsetOf(place.line, place.column).value_or(0),
            source.offsetOf(place.endLine, place.endColumn).value_or(0)};
  };
  for (Entity &entity : index.allEntities)
    entity.scope = move(entity.scope);
  std::vector<Occurrence> moved;
  for (Occurrence occurrence : index.allOccurrences) {
    const char sigil = text[occurrence.range.begin];
    occurrence.range = move(occurrence.range);
    const bool isEmpty = occurrence.range.begin >= occurrence.range.end;
    const bool isName = llvm::StringRef("%^@#!").contains(sigil);
    if (!isEmpty && (!isName || source.text()[occurrence.range.begin] == sigil))
      moved.push_back(occurrence);
  }
  llvm::sort(moved, [](const Occurrence &a, const Occurrence &b) {
    return std::tie(a.range.begin, a.entity) <
           std::tie(b.range.begin, b.entity);
  });
  index.allOccurrences.clear();
  for (const Occurrence &occurrence : moved) {
    std::vector<Occurrence> &all = index.allOccurrences;
    // Several names of one rewritten form have one place.
    if (!all.empty() && all.back().range.end > occurrence.range.begin)
      continue;
    index.allEntities[occurrence.entity].occurrences.push_back(all.size());
    all.push_back(occurrence);
  }
}

void LanguageIndex::Builder::build(mlir::ModuleOp module) {
  for (const auto &definition : state.getOpDefs())
    addOperation(definition);
  addAliases();
  addMissingUses();
  moveToOriginal();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

LanguageIndex::LanguageIndex(const ReadText &text,
                             const mlir::AsmParserState &state,
                             mlir::ModuleOp module) {
  Builder(*this, text, state).build(module);
}

const Occurrence *LanguageIndex::find(size_t offset) const {
  auto after = llvm::upper_bound(allOccurrences, offset,
                                 [](size_t at, const Occurrence &occurrence) {
                                   return at < occurrence.range.begin;
                                 });
  if (after == allOccurrences.begin())
    return nullptr;
  const Occurrence &found = *std::prev(after);
  return offset <= found.range.end ? &found : nullptr;
}

const Occurrence *LanguageIndex::startingAt(size_t offset) const {
  auto found = llvm::lower_bound(allOccurrences, offset,
                                 [](const Occurrence &occurrence, size_t at) {
                                   return occurrence.range.begin < at;
                                 });
  return found != allOccurrences.end() && found->range.begin == offset
             ? &*found
             : nullptr;
}

std::string LanguageIndex::nameOf(mlir::Value value) const {
  auto found = valueEntities.find(value);
  if (found == valueEntities.end())
    return {};
  const Entity &entity = allEntities[found->second];
  if (entity.count == 1)
    return entity.name;
  const unsigned number =
      llvm::cast<mlir::OpResult>(value).getResultNumber() -
      llvm::cast<mlir::OpResult>(entity.value).getResultNumber();
  return entity.name + "#" + std::to_string(number);
}

} // namespace ktir
