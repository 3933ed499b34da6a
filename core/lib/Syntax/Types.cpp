//===- Types.cpp - Types as text ------------------------------------------===//

#include "ktir/Syntax/Types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ktir::syntax {

//===----------------------------------------------------------------------===//
// Shaped types
//===----------------------------------------------------------------------===//

std::string ShapedText::withElement(llvm::StringRef other) const {
  std::string type = kind.str() + "<";
  for (llvm::StringRef extent : extents)
    type += extent.str() + "x";
  return type + other.str() + ">";
}

/// The first closing bracket, or comma if `atComma`, on the level where `text`
/// starts; `npos` without one.
static size_t levelEnd(llvm::StringRef text, bool atComma) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '<':
    case '(':
    case '[':
      ++depth;
      break;
    case '>':
      if (i > 0 && text[i - 1] == '-')
        break;
      [[fallthrough]];
    case ')':
    case ']':
      if (depth == 0)
        return i;
      --depth;
      break;
    case ',':
      if (depth == 0 && atComma)
        return i;
      break;
    default:
      break;
    }
  }
  return llvm::StringRef::npos;
}

std::optional<ShapedText> parseShaped(llvm::StringRef type) {
  ShapedText shaped;
  llvm::StringRef rest = type.trim();
  for (llvm::StringRef kind : {"tensor", "memref", "vector"})
    if (rest.consume_front(kind)) {
      shaped.kind = kind;
      break;
    }
  rest = rest.ltrim();
  if (shaped.kind.empty() || !rest.consume_front("<"))
    return std::nullopt;
  while (true) {
    rest = rest.ltrim();
    llvm::StringRef extent = rest.starts_with("?")
                                 ? rest.take_front(1)
                                 : rest.take_while(llvm::isDigit);
    if (extent.empty())
      break;
    rest = rest.drop_front(extent.size()).ltrim();
    if (!rest.consume_front("x"))
      return std::nullopt;
    shaped.extents.push_back(extent);
  }
  const size_t end = levelEnd(rest, /*atComma=*/true);
  if (end == llvm::StringRef::npos || rest.starts_with("*") ||
      levelEnd(rest, /*atComma=*/false) != rest.size() - 1 ||
      !rest.ends_with(">"))
    return std::nullopt;
  shaped.element = rest.take_front(end).rtrim();
  shaped.rest = rest.drop_front(end);
  if (shaped.element.empty())
    return std::nullopt;
  return shaped;
}

bool isFloat(llvm::StringRef type) {
  if (type == "bf16" || type == "tf32")
    return true;
  // `f16` as well as `f8E4M3FN`.
  return type.size() > 1 && type[0] == 'f' && llvm::isDigit(type[1]) &&
         llvm::all_of(type, llvm::isAlnum);
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

llvm::SmallVector<ResultName> resultNames(const Outline &outline,
                                          const Statement &operation) {
  llvm::SmallVector<ResultName> names;
  uint32_t number = 0;
  for (uint32_t i = operation.first; i < operation.name; ++i) {
    if (outline.kind(i) != TokenKind::Value)
      continue;
    uint32_t count = 1;
    if (outline.is(i + 1, ":") &&
        outline.spelling(i + 2).getAsInteger(10, count))
      count = 1;
    names.push_back({i, number, count});
    number += count;
  }
  return names;
}

/// Where the list of result types stands among the tokens outside brackets.
static TokenRange resultTypeList(const Outline &outline,
                                 llvm::ArrayRef<uint32_t> spine,
                                 llvm::StringRef name) {
  auto spelled = [&](llvm::StringRef spelling) {
    return [&outline, spelling](uint32_t i) { return outline.is(i, spelling); };
  };
  if (spine.empty())
    return {};
  const uint32_t end = spine.back() + 1;
  auto behind = [&](const uint32_t *position) {
    const uint32_t *stop =
        std::find_if(position + 1, spine.end(), [&](uint32_t i) {
          return outline.is(i, ":") || outline.is(i, "{") ||
                 outline.is(i, "attributes");
        });
    return TokenRange{*position + 1, stop == spine.end() ? end : *stop};
  };

  auto arrow = llvm::find_if(llvm::reverse(spine), spelled("->"));
  if (arrow != spine.rend())
    return behind(&*arrow);
  if (name.starts_with("linalg.")) {
    auto outs = llvm::find_if(spine, spelled("outs"));
    if (outs == spine.end() || outs + 1 == spine.end() ||
        !outline.is(outs[1], "("))
      return {};
    TokenRange list = outline.inside(outs[1]);
    for (uint32_t i = list.first; i < list.last; i = outline.skip(i))
      if (outline.is(i, ":"))
        return {i + 1, list.last};
    return {};
  }
  auto colon = llvm::find_if(llvm::reverse(spine), spelled(":"));
  if (colon == spine.rend())
    return {};
  const uint32_t *start = &*colon;
  for (const uint32_t *at = start; at != spine.end(); ++at)
    if (outline.is(*at, "to") || outline.is(*at, "into"))
      start = at;
  return behind(start);
}

llvm::SmallVector<TypeRef> resultTypes(const Outline &outline,
                                       const Statement &operation) {
  llvm::SmallVector<ResultName> names = resultNames(outline, operation);
  if (names.empty())
    return {};
  const uint32_t results = names.back().number + names.back().count;
  llvm::StringRef name = outline.customName(operation);
  if (name.empty())
    name = outline.genericName(operation);

  TokenRange list = resultTypeList(outline, outline.spine(operation), name);
  if (!list.empty() && outline.is(list.first, "(") &&
      outline.match(list.first) == list.last - 1)
    list = outline.inside(list.first);
  llvm::SmallVector<TokenRange> types = outline.split(list);
  if (llvm::any_of(types, [](TokenRange type) { return type.empty(); }))
    return {};

  // Custom forms that do not simply end in their result types.
  const bool isGeneric = outline.customName(operation).empty();
  TypeRef::Part part = TypeRef::Part::Whole;
  if (!isGeneric) {
    static constexpr llvm::StringLiteral tests[] = {
        "arith.cmpi", "arith.cmpf", "math.isfinite",
        "math.isinf", "math.isnan", "math.isnormal"};
    static constexpr llvm::StringLiteral unstated[] = {
        "tensor.dim", "tensor.rank", "memref.dim", "memref.rank"};
    if (llvm::is_contained(unstated, name))
      return {};
    if (llvm::is_contained(tests, name))
      part = TypeRef::Part::Truth;
    else if (name == "tensor.extract" || name == "memref.load")
      part = TypeRef::Part::Element;
    else if (name == "arith.select" && types.size() == 2)
      types.erase(types.begin());
  }
  if (types.size() != results)
    return {};
  llvm::SmallVector<TypeRef> refs;
  for (TokenRange type : types)
    refs.push_back({type, part});
  return refs;
}

} // namespace ktir::syntax
