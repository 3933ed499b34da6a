//===- SpellingForms.cpp - Former names and spellings ---------------------===//
//
// LF-1 the memory space, LF-2 the access tile type, LF-3 the dialect `spyre`,
// LF-4 tile futures of one type.
//
//===----------------------------------------------------------------------===//

#include "FormFinder.h"

#include "llvm/ADT/STLExtras.h"

namespace ktir::syntax {

//===----------------------------------------------------------------------===//
// LF-1
//===----------------------------------------------------------------------===//

/// The inside of `spyre_memory_space<…>`: a kind and the number of a core.
struct FormerSpace {
  llvm::StringRef kind;
  std::optional<int64_t> core;
};

static std::optional<FormerSpace> parseFormerSpace(const Outline &outline,
                                                   uint32_t open) {
  if (!outline.is(open, "<") || outline.match(open) == noIndex)
    return std::nullopt;
  auto [at, end] = outline.inside(open);
  FormerSpace space;
  space.kind = outline.spelling(at++);
  if (at < end) {
    if (!outline.is(at, ",") || !outline.is(at + 1, "core") ||
        !outline.is(at + 2, "="))
      return std::nullopt;
    at += 3;
    const bool isNegative = outline.is(at, "-");
    at += isNegative;
    int64_t core;
    if (at + 1 != end || outline.spelling(at).getAsInteger(10, core))
      return std::nullopt;
    space.core = isNegative ? -core : core;
  }
  static constexpr llvm::StringLiteral kinds[] = {"unspecified", "LX", "HBM",
                                                  "L0"};
  if (!llvm::is_contained(kinds, space.kind))
    return std::nullopt;
  return space;
}

/// The successor of a legal former space; absent without one.
static std::optional<std::string> successor(const FormerSpace &space) {
  // -1 is the stored form of "no core".
  const int64_t core = space.core.value_or(-1);
  if (core < -1 || (core >= 0 && space.kind != "LX"))
    return std::nullopt;
  if (space.kind == "HBM" || space.kind == "unspecified")
    return "global";
  if (space.kind == "LX")
    return core < 0 ? "ct_local" : "ct_local, ct_id = " + std::to_string(core);
  return std::nullopt;
}

/// The inside of the strict form of the space attribute whose name is `name`.
std::optional<std::string> FormFinder::strictSpace(uint32_t name) const {
  name = followAlias({name, name + 1}).first;
  if (outline.is(name, "#ktdp.memory_space") && outline.is(name + 1, "<") &&
      outline.match(name + 1) != noIndex) {
    std::string text = shortText(outline.inside(name + 1));
    return text.empty() ? std::nullopt : std::optional(text);
  }
  if (!outline.is(name, "#ktdp.spyre_memory_space"))
    return std::nullopt;
  std::optional<FormerSpace> space = parseFormerSpace(outline, name + 1);
  return space ? successor(*space) : std::nullopt;
}

/// The memory space that a memref type states.
std::optional<std::string> FormFinder::statedSpace(TokenRange type) const {
  type = followAlias(type);
  // Many views can have one type, by an alias.
  constexpr uint32_t longestType = 256;
  if (type.empty() || type.last - type.first > longestType ||
      !outline.is(type.first, "memref") || !outline.is(type.first + 1, "<") ||
      outline.match(type.first + 1) == noIndex)
    return std::nullopt;
  llvm::SmallVector<TokenRange> parts =
      outline.split(outline.inside(type.first + 1));
  if (parts.size() < 2 || parts.back().empty())
    return std::nullopt;
  return strictSpace(parts.back().first);
}

/// An unspecified space of a view is that of the view's type, if this has one.
void FormFinder::findViewSpaces() {
  for (const Statement &statement : outline.statements()) {
    const bool isCustom =
        outline.customName(statement) == "ktdp.construct_memory_view";
    if (!isCustom &&
        outline.genericName(statement) != "ktdp.construct_memory_view")
      continue;
    for (uint32_t open : outline.spine(statement)) {
      if (!isCustom && outline.is(open, "<"))
        ++open;
      if (!outline.is(open, "{"))
        continue;
      std::optional<TokenRange> space = outline.findKey(open, "memory_space");
      if (!space)
        continue;
      llvm::SmallVector<TypeRef> types = resultTypes(outline, statement);
      if (!types.empty())
        if (std::optional<std::string> stated = statedSpace(types[0].stated))
          viewSpaces[space->first] = *stated;
      break;
    }
  }
}

void FormFinder::findMemorySpace(uint32_t name, uint32_t open) {
  std::optional<FormerSpace> space = parseFormerSpace(outline, open);
  if (!space)
    return;
  const TokenRange kind = {open + 1, open + 2};
  const int64_t core = space->core.value_or(-1);
  if (core < -1)
    return refuse("LF-1", kind,
                  "core affinity must be non-negative, but got: " +
                      std::to_string(core));
  if (core >= 0 && space->kind != "LX")
    return refuse("LF-1", kind,
                  "core affinity is only valid for LX memory spaces, but got "
                  "memory space '" +
                      space->kind.str() +
                      "' with core = " + std::to_string(core));
  std::optional<std::string> strict = successor(*space);
  if (!strict)
    return refuse("LF-1", kind,
                  "expected 'HBM' or 'LX', but found '" + space->kind.str() +
                      "', which has no successor");
  if (space->kind == "unspecified")
    if (auto stated = viewSpaces.find(name); stated != viewSpaces.end())
      strict = stated->second;
  const TokenRange range = {name, outline.match(open) + 1};
  const bool isWhole = outline.spelling(name).starts_with("#");
  Edit edit{outline.token(name).begin, outline.token(range.last - 1).end,
            (isWhole ? "#ktdp.memory_space<" : "memory_space<") + *strict +
                ">"};
  report("LF-1", range,
         "former memory space '" + brief(outline.slice(range)) + "'",
         {std::move(edit)});
}

//===----------------------------------------------------------------------===//
// LF-2, LF-4
//===----------------------------------------------------------------------===//

/// `<T, groups = S>` or `<T, #S>` for `<(T), groups = S>`, of which `open` is
/// the first bracket.
void FormFinder::findTileFuture(uint32_t open) {
  if (!outline.is(open, "<") || outline.match(open) == noIndex)
    return;
  const TokenRange body = outline.inside(open);
  // Futures do not nest; what is quoted of them stays short if they do.
  constexpr uint32_t longestBody = 256;
  if (body.empty() || body.last - body.first > longestBody ||
      outline.is(body.first, "("))
    return;
  uint32_t comma = body.first;
  while (comma < body.last && !outline.is(comma, ","))
    comma = outline.skip(comma);
  if (comma == body.first || comma >= body.last)
    return;
  const uint32_t set = comma + 1;
  std::vector<Edit> edits = {before(body.first, "("), after(comma - 1, ")")};
  const bool isNamed = outline.is(set, "groups") && outline.is(set + 1, "=");
  const bool isAlias =
      outline.kind(set) == TokenKind::AttributeName && set + 1 == body.last;
  const bool isWritten = outline.is(set, "affine_set") &&
                         outline.is(set + 1, "<") &&
                         outline.match(set + 1) == body.last - 1;
  if (isAlias || isWritten)
    edits.push_back(before(set, "groups = "));
  else if (!isNamed)
    return;
  report("LF-4", body, "former spelling of a tile future with one type",
         std::move(edits));
}

void FormFinder::findSpellings() {
  findViewSpaces();
  for (uint32_t i = 0; i < outline.size(); ++i) {
    if (!outline.is(i + 1, "<"))
      continue;
    switch (outline.kind(i)) {
    case TokenKind::AttributeName:
      if (outline.is(i, "#ktdp.spyre_memory_space"))
        findMemorySpace(i, i + 1);
      break;
    case TokenKind::Identifier:
      // `#ktdp<spyre_memory_space<HBM>>` is another way to write it.
      if (outline.is(i, "spyre_memory_space") && outline.is(i - 1, "<") &&
          outline.is(i - 2, "#ktdp"))
        findMemorySpace(i, i + 1);
      break;
    case TokenKind::TypeName:
      if (outline.is(i, "!ktdp.tile_future"))
        findTileFuture(i + 1);
      else if (outline.is(i, "!ktdp.tile"))
        report("LF-2", {i, i + 1}, "former type name '!ktdp.tile'",
               {replace(i, "!ktdp.access_tile")});
      break;
    default:
      break;
    }
  }
  for (const Form &form : forms)
    for (const Edit &edit : form.fix.edits)
      spellingEdits.push_back({edit.begin, &edit});
  llvm::sort(spellingEdits, [](const auto &a, const auto &b) {
    return std::tie(a.first, a.second->end) < std::tie(b.first, b.second->end);
  });
}

//===----------------------------------------------------------------------===//
// LF-3
//===----------------------------------------------------------------------===//

void FormFinder::findFormerDialect(const Statement &operation,
                                   llvm::StringRef name) {
  static constexpr llvm::StringLiteral known[] = {
      "addi32toi32", "addi64toi64",   "compare",        "constant",
      "exp",         "exx2",          "exx2_fused",     "gelu",
      "idx32toaddr", "layernormnorm", "layernormscale", "layernormscale_fused",
      "muli32toi32", "realdiv",       "reciprocal",     "rsqrt",
      "select",      "sigmoid",       "silu",           "slice_reduction",
      "softplus",    "sqrt"};
  llvm::StringRef mnemonic = name;
  if (!mnemonic.consume_front("spyre.") || !llvm::is_contained(known, mnemonic))
    return;
  std::string strict = "spyreop." + mnemonic.str();
  if (outline.kind(operation.name) == TokenKind::String)
    strict = '"' + strict + '"';
  report("LF-3", {operation.name, operation.name + 1},
         "former operation name '" + name.str() + "'",
         {replace(operation.name, std::move(strict))});
}

} // namespace ktir::syntax
