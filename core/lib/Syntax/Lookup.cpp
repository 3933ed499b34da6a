//===- Lookup.cpp - Types and names in a text -----------------------------===//

#include "FormFinder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ktir::syntax {

/// Types are repeated once per use, so the fixed text stays linear in the text
/// only if they are short. Those of real programs are.
static constexpr size_t longestType = 512;

/// Aliases of aliases are followed this far; a cycle ends.
static constexpr unsigned longestChain = 8;

std::string FormFinder::shortText(TokenRange range) const {
  llvm::StringRef text = outline.slice(range);
  // Former spellings are not twice as long as their successors.
  if (text.empty() || text.size() > 2 * longestType)
    return {};
  size_t at = outline.token(range.first).begin;
  const size_t end = at + text.size();
  auto edit =
      llvm::lower_bound(spellingEdits, at, [](const auto &entry, size_t begin) {
        return entry.first < begin;
      });
  std::string result;
  for (; edit != spellingEdits.end() && edit->second->end <= end; ++edit) {
    if (edit->second->begin < at)
      continue;
    result += outline.text().slice(at, edit->second->begin);
    result += edit->second->text;
    at = edit->second->end;
  }
  result += outline.text().slice(at, end);
  return result.size() <= longestType ? result : std::string();
}

TokenRange FormFinder::followAlias(TokenRange range) const {
  for (unsigned i = 0; i < longestChain && range.last == range.first + 1; ++i) {
    std::optional<TokenRange> alias =
        outline.alias(outline.spelling(range.first));
    if (!alias || alias->empty())
      break;
    range = *alias;
  }
  return range;
}

std::string FormFinder::resolve(std::string type) const {
  if (!llvm::StringRef(type).starts_with("!"))
    return type;
  std::optional<TokenRange> alias = outline.alias(type);
  return alias ? shortText(followAlias(*alias)) : type;
}

std::string FormFinder::typeOf(llvm::StringRef value) {
  std::optional<Scope::Use> use = scope.lookup(value);
  if (!use)
    return {};
  TypeRef type{use->definition->type};
  const uint32_t statement = use->definition->statement;
  if (type.stated.empty() && statement != noIndex) {
    auto [known, isNew] = knownTypes.try_emplace(statement);
    if (isNew)
      known->second = resultTypes(outline, outline.statements()[statement]);
    if (use->number < known->second.size())
      type = known->second[use->number];
  }
  std::string text = shortText(type.stated);
  if (text.empty() || type.part == TypeRef::Part::Whole)
    return text;

  text = resolve(std::move(text));
  std::optional<ShapedText> shaped = parseShaped(text);
  if (type.part == TypeRef::Part::Element)
    return shaped ? shaped->element.str() : std::string();
  if (shaped)
    return shaped->rest == ">" ? shaped->withElement("i1") : std::string();
  const bool isScalar = llvm::all_of(text, llvm::isAlnum);
  return isScalar ? "i1" : "";
}

std::optional<unsigned> FormFinder::setRank(TokenRange set) const {
  // More dimensions than this are no tile.
  constexpr unsigned largestRank = 64;
  set = followAlias(set);
  const uint32_t at = set.first;
  if (set.empty() || !outline.is(at, "affine_set") ||
      !outline.is(at + 1, "<") || !outline.is(at + 2, "(") ||
      outline.match(at + 2) == noIndex)
    return std::nullopt;
  TokenRange dims = outline.inside(at + 2);
  if (dims.last - dims.first > 2 * largestRank)
    return std::nullopt;
  unsigned rank = 0;
  for (uint32_t i = dims.first; i < dims.last; i += 2, ++rank) {
    const bool isDim = outline.kind(i) == TokenKind::Identifier &&
                       (i + 1 == dims.last || outline.is(i + 1, ","));
    if (!isDim)
      return std::nullopt;
  }
  return rank;
}

std::string FormFinder::freshName(llvm::StringRef name) {
  if (usedNames.empty())
    for (uint32_t i = 0; i < outline.size(); ++i)
      if (outline.kind(i) == TokenKind::Value)
        usedNames.insert(outline.spelling(i).split('#').first);
  llvm::StringRef base = name.split('#').first.drop_front();
  // A name that starts with a digit consists of digits.
  std::string stem =
      (llvm::isDigit(base.front()) ? "%_" : "%") + base.str() + "_";
  unsigned &suffix = lastSuffix[stem];
  while (true) {
    std::string candidate = stem + std::to_string(++suffix);
    if (usedNames.insert(candidate).second)
      return candidate;
  }
}

bool FormFinder::occurs(llvm::StringRef name, TokenRange range) {
  if (occurrences.empty())
    for (uint32_t i = 0; i < outline.size(); ++i)
      if (outline.kind(i) == TokenKind::Value)
        occurrences[Scope::normalise(outline.spelling(i))].push_back(i);
  auto found = occurrences.find(Scope::normalise(name));
  if (found == occurrences.end() || range.empty())
    return false;
  auto first = llvm::lower_bound(found->second, range.first);
  return first != found->second.end() && *first < range.last;
}

} // namespace ktir::syntax
