//===- AccessTileForms.cpp - Former spellings of access tiles -------------===//
//
// LF-6 no order, LF-7 its other name, LF-8 no base type, LF-9 bare direct and
// LF-10 bare indirect subscripts, LF-11 operators, LF-12 a comma for the arrow.
//
//===----------------------------------------------------------------------===//

#include "FormFinder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ktir::syntax {

/// Expects subscripts at the position `subscripts` of `spine`, `symbols(…)` if
/// there are any, and an attribute dictionary; returns the position behind it,
/// or 0 when the text is something else.
static size_t endOfTileDictionary(const Outline &outline,
                                  llvm::ArrayRef<uint32_t> spine,
                                  size_t subscripts) {
  auto is = [&](size_t position, llvm::StringRef spelling) {
    return position < spine.size() && outline.is(spine[position], spelling);
  };
  if (!is(subscripts, "[") || !is(subscripts + 1, "]"))
    return 0;
  size_t at = subscripts + 2;
  if (is(at, "symbols")) {
    if (!is(at + 1, "(") || !is(at + 2, ")"))
      return 0;
    at += 3;
  }
  return is(at, "{") && is(at + 1, "}") ? at + 2 : 0;
}

//===----------------------------------------------------------------------===//
// LF-6, LF-7
//===----------------------------------------------------------------------===//

static std::string identityMap(unsigned rank) {
  std::string dims;
  for (unsigned i = 0; i < rank; ++i)
    dims += (i ? ", d" : "d") + std::to_string(i);
  return "affine_map<(" + dims + ") -> (" + dims + ")>";
}

void FormFinder::findTileOrder(uint32_t open) {
  std::optional<TokenRange> former =
      outline.findKey(open, "variables_space_order");
  if (outline.findKey(open, "access_tile_order"))
    return;
  if (former) {
    const uint32_t key = former->first - 2;
    report("LF-7", {key, key + 1},
           "former attribute name 'variables_space_order'",
           {replace(key, "access_tile_order")});
    return;
  }
  std::optional<TokenRange> set = outline.findKey(open, "access_tile_set");
  if (!set)
    return;
  std::optional<unsigned> rank = setRank(*set);
  if (!rank)
    return;
  std::string order = "access_tile_order = " + identityMap(*rank);
  reportAs("LF-6", {set->first - 2, set->last},
           "expected attribute 'access_tile_order'; write '" + order + "'",
           {after(set->last - 1, ", " + order)});
}

//===----------------------------------------------------------------------===//
// LF-8, LF-12
//===----------------------------------------------------------------------===//

/// `types` is what stands behind the dictionary.
void FormFinder::findMissingBaseType(llvm::StringRef base, Spine types) {
  const bool hasColon = !types.empty() && outline.is(types[0], ":");
  const size_t arrow = hasColon ? 1 : 0;
  if (arrow >= types.size() || !outline.is(types[arrow], "->"))
    return;
  std::string type = typeOf(base);
  std::string written = resolve(type);
  if (!llvm::StringRef(written).starts_with("memref<") &&
      !llvm::StringRef(written).starts_with("tensor<"))
    return;
  report("LF-8", {types[arrow], types[arrow] + 1},
         "expected the type of '" + base.str() + "' before '->'",
         {before(types[arrow], (hasColon ? "" : ": ") + type + " ")});
}

/// `types` is what stands behind the dictionary.
void FormFinder::findCommaForArrow(Spine types) {
  if (types.empty() || !outline.is(types[0], ":") ||
      llvm::any_of(types, [&](uint32_t i) { return outline.is(i, "->"); }))
    return;
  const TokenRange all = {types[0] + 1, types.back() + 1};
  llvm::SmallVector<TokenRange> parts = outline.split(all);
  if (parts.size() < 2 ||
      llvm::any_of(parts, [](TokenRange part) { return part.empty(); }))
    return;
  const TokenRange last = parts.back();
  std::string type = resolve(shortText(last));
  const bool isTile = llvm::StringRef(type).starts_with("!ktdp.access_tile<") &&
                      (outline.skip(last.first + 1) == last.last ||
                       last.first + 1 == last.last);
  if (!isTile)
    return;
  const uint32_t comma = last.first - 1;
  const size_t begin = outline.token(comma).begin;
  const bool hasBlank = llvm::isSpace(outline.text()[begin - 1]);
  reportAs("LF-12", {comma, comma + 1},
           "expected '->' before the type of the tile, but found ','",
           {replace(comma, hasBlank ? "->" : " ->")});
}

//===----------------------------------------------------------------------===//
// LF-11
//===----------------------------------------------------------------------===//

/// The operators `/` and `%` between operands anywhere in `range`.
void FormFinder::findOperators(TokenRange range) {
  auto endsOperand = [&](uint32_t i) {
    return i >= range.first &&
           (outline.kind(i) == TokenKind::Value ||
            outline.kind(i) == TokenKind::Integer || outline.is(i, ")"));
  };
  auto startsOperand = [&](uint32_t i) {
    return i < range.last && (outline.kind(i) == TokenKind::Value ||
                              outline.kind(i) == TokenKind::Integer ||
                              outline.is(i, "(") || outline.is(i, "-"));
  };
  for (uint32_t i = range.first + 1; i < range.last; ++i) {
    if (!endsOperand(i - 1))
      continue;
    llvm::StringRef spelling = outline.spelling(i);
    // Without a blank the remainder by a number reads like a value.
    const bool isJoined = outline.kind(i) == TokenKind::Value &&
                          llvm::all_of(spelling.drop_front(), llvm::isDigit);
    if (!isJoined &&
        ((spelling != "/" && spelling != "%") || !startsOperand(i + 1)))
      continue;
    const size_t at = outline.token(i).begin;
    llvm::StringRef text = outline.text();
    std::string strict = spelling == "/" ? "floordiv" : "mod";
    const bool needsBlankBefore = !llvm::isSpace(text[at - 1]);
    const bool needsBlankAfter =
        at + 1 < text.size() && !llvm::isSpace(text[at + 1]);
    if (isJoined)
      operatorTokens.insert(i);
    const size_t form = reportAs("LF-11", {i, i + 1},
                                 "operator '" + spelling.take_front(1).str() +
                                     "' in a subscript; write '" + strict + "'",
                                 {{at, at + 1,
                                   (needsBlankBefore ? " " : "") + strict +
                                       (needsBlankAfter ? " " : "")}});
    forms[form].fix.end = at + 1;
  }
}

//===----------------------------------------------------------------------===//
// LF-9, LF-10
//===----------------------------------------------------------------------===//

/// Whether the tokens can be an affine expression of values.
static bool isExpression(const Outline &outline, TokenRange range) {
  static constexpr llvm::StringLiteral words[] = {"floordiv", "ceildiv", "mod",
                                                  "symbol"};
  static constexpr llvm::StringLiteral operators[] = {"+", "-", "*", "/",
                                                      "%", "(", ")"};
  for (uint32_t i = range.first; i < range.last; ++i)
    switch (outline.kind(i)) {
    case TokenKind::Value:
    case TokenKind::Integer:
      break;
    case TokenKind::Identifier:
      if (!llvm::is_contained(words, outline.spelling(i)))
        return false;
      break;
    case TokenKind::Punctuation:
      if (!llvm::is_contained(operators, outline.spelling(i)))
        return false;
      if ((outline.is(i, "(") || outline.is(i, ")")) &&
          outline.match(i) == noIndex)
        return false;
      break;
    default:
      return false;
    }
  return !range.empty();
}

/// `%view[…]`, the subscripts of which are expressions.
static bool isLookup(const Outline &outline, TokenRange range) {
  const uint32_t open = range.first + 1;
  if (range.empty() || outline.kind(range.first) != TokenKind::Value ||
      !outline.is(open, "[") || outline.match(open) != range.last - 1)
    return false;
  const TokenRange list = outline.inside(open);
  return !list.empty() &&
         llvm::all_of(outline.split(list), [&](TokenRange part) {
           return isExpression(outline, part);
         });
}

/// The subscripts of an indirect tile, strict ones and others mixed.
void FormFinder::findSubscripts(TokenRange list) {
  llvm::SmallVector<TokenRange> direct, indirect;
  for (TokenRange part : outline.split(list)) {
    const uint32_t at = part.first, last = part.last - 1;
    const bool isStrict =
        !part.empty() && ((outline.is(at, "(") && outline.match(at) == last) ||
                          (outline.is(at, "ind") && outline.is(at + 1, "(") &&
                           outline.match(at + 1) == last));
    if (isStrict)
      continue;
    if (isLookup(outline, part))
      indirect.push_back(part);
    else if (isExpression(outline, part))
      direct.push_back(part);
    else
      return; // `%I[%J[%m]]`, `%I[%m] + 1`: nothing that could be written
  }
  for (TokenRange part : direct)
    report("LF-9", part, "direct subscript without parentheses",
           {before(part.first, "("), after(part.last - 1, ")")});
  for (TokenRange part : indirect)
    report("LF-10", part, "indirect subscript without 'ind'",
           {before(part.first, "ind("), after(part.last - 1, ")")});
  findOperators(list);
}

//===----------------------------------------------------------------------===//
// The two operations
//===----------------------------------------------------------------------===//

void FormFinder::findAccessTile(Spine spine) {
  const size_t end = endOfTileDictionary(outline, spine, 2);
  if (!end || outline.kind(spine[1]) != TokenKind::Value)
    return;
  findOperators(outline.inside(spine[2]));
  findTileOrder(spine[end - 2]);
  Spine types = spine.drop_front(end);
  findMissingBaseType(outline.spelling(spine[1]), types);
  findCommaForArrow(types);
}

void FormFinder::findIndirectTile(Spine spine) {
  // ktdp.construct_indirect_access_tile intermediate_variables(…) %base […]
  const size_t base = 4;
  if (spine.size() <= base || !outline.is(spine[1], "intermediate_variables") ||
      !outline.is(spine[2], "(") || !outline.is(spine[3], ")") ||
      outline.kind(spine[base]) != TokenKind::Value)
    return;
  const size_t end = endOfTileDictionary(outline, spine, base + 1);
  if (!end)
    return;
  findSubscripts(outline.inside(spine[base + 1]));
  findCommaForArrow(spine.drop_front(end));
}

} // namespace ktir::syntax
