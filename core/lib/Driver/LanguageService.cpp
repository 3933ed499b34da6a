//===- LanguageService.cpp - What an editor asks about a text -------------===//

#include "LanguageImpl.h"

#include "Context.h"
#include "Diagnostics.h"
#include "Signature.h"

#include "ktir/Syntax/Tokenizer.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include <algorithm>
#include <tuple>

namespace ktir {

using syntax::ByteRange;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void LanguageService::Impl::update(const std::string &text) {
  diagnostics.clear();
  source = SourceText(options.fileName, text);
  ++parses;

  auto next = std::make_unique<ParsedText>();
  next->source = source;
  mlir::MLIRContext &context = processContext();
  DiagnosticCollector collector(&context, next->source, diagnostics);
  DeviceSourceScope sources(context, device);
  next->read.emplace(next->source, options.strict, diagnostics);
  next->module = parseUnverified(*next->read, next->state, context, collector);
  if (next->module) {
    next->isVerified = mlir::succeeded(mlir::verify(*next->module));
    next->level = detectLevel(*next->module);
    if (next->isVerified)
      for (mlir::func::FuncOp kernel : findKernels(*next->module, next->level))
        next->kernels.push_back(
            describeKernel(kernel, next->level, next->state, *next->read));
    next->index.emplace(*next->read, next->state, *next->module);
    if (next->isVerified && !next->read->isRefused() &&
        next->level == Level::Ktir)
      isLegal(*next->module, options.strict, device); // reports by itself
    parsed = std::move(next);
  }
  if (parsed)
    kept = KeptText(parsed->source.text(), source.text());
}

std::optional<LanguageService::Impl::Found>
LanguageService::Impl::find(TextPosition position) const {
  std::optional<size_t> offset = offsetOf(position);
  if (!parsed || !offset)
    return std::nullopt;
  // The name that starts there before the one that ends there.
  for (const KeptText::Part &part : llvm::reverse(kept.partsAt(*offset))) {
    const Occurrence *occurrence =
        parsed->index->find(part.old + (*offset - part.current));
    std::optional<ByteRange> range =
        occurrence ? kept.nameToCurrent(occurrence->range) : std::nullopt;
    // The change may stand in front of the name.
    if (range && range->begin <= *offset && *offset <= range->end)
      return Found{occurrence, *range};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

std::optional<HoverInfo> LanguageService::hover(TextPosition position) const {
  if (std::optional<Impl::Found> found = state->find(position)) {
    const std::string text =
        hoverText(state->entityOf(*found->occurrence),
                  llvm::StringRef(state->source.text())
                      .slice(found->range.begin, found->range.end),
                  *state->parsed);
    return HoverInfo{
        state->source.rangeOf(found->range.begin, found->range.end), text};
  }
  std::optional<size_t> offset = state->offsetOf(position);
  if (!offset)
    return std::nullopt;
  const llvm::StringRef line = state->source.line(position.line);
  const size_t lineBegin = *offset - (position.column - 1);
  for (const syntax::Token &token : syntax::tokenize(line)) {
    if (token.begin > position.column - 1 || token.end < position.column - 1)
      continue;
    std::string text =
        referenceText(line.slice(token.begin, token.end).trim('"'));
    if (!text.empty())
      return HoverInfo{
          state->source.rangeOf(lineBegin + token.begin, lineBegin + token.end),
          std::move(text)};
  }
  return std::nullopt;
}

static std::vector<SourceRange> placesOf(const LanguageService::Impl &service,
                                         const Entity &entity,
                                         bool withDefinitions, bool withUses) {
  std::vector<SourceRange> places;
  if (entity.kind == Entity::Kind::Operation)
    return places;
  for (unsigned number : entity.occurrences) {
    const Occurrence &occurrence = service.parsed->index->occurrences()[number];
    if (occurrence.isDefinition ? !withDefinitions : !withUses)
      continue;
    if (std::optional<ByteRange> range =
            service.kept.nameToCurrent(occurrence.range))
      places.push_back(service.source.rangeOf(range->begin, range->end));
  }
  return places;
}

std::vector<SourceRange>
LanguageService::definition(TextPosition position) const {
  std::optional<Impl::Found> found = state->find(position);
  if (!found)
    return {};
  return placesOf(*state, state->entityOf(*found->occurrence),
                  /*withDefinitions=*/true, /*withUses=*/false);
}

std::vector<SourceRange>
LanguageService::references(TextPosition position, bool withDefinition) const {
  std::optional<Impl::Found> found = state->find(position);
  if (!found)
    return {};
  return placesOf(*state, state->entityOf(*found->occurrence), withDefinition,
                  /*withUses=*/true);
}

CompletionList LanguageService::completion(TextPosition position) const {
  std::optional<size_t> offset = state->offsetOf(position);
  return offset ? complete(*state, *offset) : CompletionList();
}

std::vector<SemanticToken> LanguageService::semanticTokens() const {
  return colour(*state);
}

//===----------------------------------------------------------------------===//
// Outline
//===----------------------------------------------------------------------===//

namespace {
/// An outline entry with places of the parsed text.
struct OutlineEntry {
  DocumentSymbol symbol;
  ByteRange scope, name;
};
} // namespace

/// The entry that an operation or alias makes; absent for most operations
/// without results.
static std::optional<OutlineEntry> entryOf(const Entity &entity,
                                           const LanguageIndex &index) {
  OutlineEntry entry;
  if (entity.occurrences.empty())
    return std::nullopt;
  entry.scope = entity.scope;
  entry.name = index.occurrences()[entity.occurrences.front()].range;
  for (unsigned number : entity.occurrences)
    if (index.occurrences()[number].isDefinition)
      entry.name = index.occurrences()[number].range;
  entry.symbol.name = entity.name;
  if (entity.kind == Entity::Kind::Alias) {
    entry.symbol.kind = SymbolKind::Alias;
    entry.scope.end = std::max(entry.scope.end, entry.name.end);
    return entry;
  }
  if (entity.op)
    entry.symbol.detail = entity.op->getName().getStringRef().str();
  switch (entity.kind) {
  case Entity::Kind::Symbol:
    entry.symbol.kind = llvm::isa<mlir::ModuleOp>(entity.op)
                            ? SymbolKind::Module
                            : SymbolKind::Function;
    return entry;
  case Entity::Kind::Result:
    entry.symbol.kind = SymbolKind::Value;
    return entry;
  case Entity::Kind::Operation: {
    // An operation with a name of its own is listed by that.
    const bool isNamed =
        entity.op->getNumResults() > 0 ||
        entity.op->hasAttr(mlir::SymbolTable::getSymbolAttrName());
    if (isNamed || entity.op->getNumRegions() == 0 ||
        llvm::isa<mlir::ModuleOp>(entity.op))
      return std::nullopt;
    entry.symbol.kind = SymbolKind::Operation;
    entry.symbol.detail.clear();
    return entry;
  }
  default:
    return std::nullopt;
  }
}

std::vector<DocumentSymbol> LanguageService::symbols() const {
  std::vector<DocumentSymbol> symbols;
  if (!state->parsed)
    return symbols;
  const LanguageIndex &index = *state->parsed->index;
  std::vector<OutlineEntry> entries;
  for (const Entity &entity : index.entities())
    if (std::optional<OutlineEntry> entry = entryOf(entity, index))
      entries.push_back(std::move(*entry));
  llvm::sort(entries, [](const OutlineEntry &a, const OutlineEntry &b) {
    return std::make_tuple(a.scope.begin, b.scope.end, a.name.begin) <
           std::make_tuple(b.scope.begin, a.scope.end, b.name.begin);
  });
  // Entries whose scope holds the next one, outermost first.
  std::vector<std::pair<ByteRange, int>> open;
  for (OutlineEntry &entry : entries) {
    std::optional<ByteRange> scope = state->kept.toCurrent(entry.scope);
    std::optional<ByteRange> name = state->kept.nameToCurrent(entry.name);
    if (!scope || !name)
      continue;
    // A name is found where half of it was taken for the end of what is new.
    if (entry.scope.begin == entry.name.begin)
      scope->begin = name->begin;
    if (scope->begin > name->begin || scope->end < name->end)
      continue;
    // Several names of one operation are siblings.
    while (!open.empty() && (open.back().first.end <= entry.scope.begin ||
                             open.back().first.begin == entry.scope.begin))
      open.pop_back();
    entry.symbol.parent = open.empty() ? -1 : open.back().second;
    entry.symbol.range = state->source.rangeOf(scope->begin, scope->end);
    entry.symbol.nameRange = state->source.rangeOf(name->begin, name->end);
    open.push_back({entry.scope, int(symbols.size())});
    symbols.push_back(std::move(entry.symbol));
  }
  return symbols;
}

//===----------------------------------------------------------------------===//
// LanguageService
//===----------------------------------------------------------------------===//

LanguageService::LanguageService(CompileOptions options)
    : state(std::make_unique<Impl>()) {
  state->device =
      DeviceSource(options.deviceName, options.device, options.readFile);
  state->options = std::move(options);
}
LanguageService::~LanguageService() = default;
LanguageService::LanguageService(LanguageService &&) noexcept = default;
LanguageService &
LanguageService::operator=(LanguageService &&) noexcept = default;

const std::vector<Diagnostic> &
LanguageService::update(const std::string &text) {
  state->update(text);
  return state->diagnostics;
}

const std::vector<Diagnostic> &LanguageService::diagnostics() const {
  return state->diagnostics;
}

unsigned LanguageService::parseCount() const { return state->parses; }

} // namespace ktir
