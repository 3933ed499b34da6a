//===- ResultForms.cpp - Results that are dropped and used ----------------===//
//
// LF-13: RFC text leaves out the result of a `linalg` operation and goes on
// with the name of its `outs` as if that had been written in place (UP-4). The
// result gets a name here, and the rest of the block uses it.
//
//===----------------------------------------------------------------------===//

#include "FormFinder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ktir::syntax {

/// These write no result types; without a name their result exists all the
/// same.
static bool hasImpliedResults(llvm::StringRef name) {
  static constexpr llvm::StringLiteral implied[] = {
      "linalg.broadcast", "linalg.map", "linalg.reduce", "linalg.transpose"};
  return llvm::is_contained(implied, name);
}

/// Whether every element of the result is computed without the old one.
static bool overwrites(llvm::StringRef name) {
  static constexpr llvm::StringLiteral known[] = {
      "linalg.abs",   "linalg.add",    "linalg.broadcast",    "linalg.ceil",
      "linalg.copy",  "linalg.div",    "linalg.div_unsigned", "linalg.erf",
      "linalg.exp",   "linalg.fill",   "linalg.floor",        "linalg.log",
      "linalg.map",   "linalg.max",    "linalg.min",          "linalg.mul",
      "linalg.negf",  "linalg.powf",   "linalg.reciprocal",   "linalg.round",
      "linalg.rsqrt", "linalg.select", "linalg.sqrt",         "linalg.square",
      "linalg.sub",   "linalg.tanh",   "linalg.transpose"};
  return llvm::is_contained(known, name);
}

namespace {
/// `outs(%c, … : type, …)`.
struct Outs {
  llvm::SmallVector<uint32_t, 2> names;
  llvm::SmallVector<TokenRange, 2> types;
  uint32_t close;
};
} // namespace

static std::optional<Outs> parseOuts(const Outline &outline,
                                     llvm::ArrayRef<uint32_t> spine) {
  for (size_t i = 0; i + 2 < spine.size(); ++i) {
    if (!outline.is(spine[i], "outs") || !outline.is(spine[i + 1], "("))
      continue;
    Outs outs;
    outs.close = spine[i + 2];
    const TokenRange list = outline.inside(spine[i + 1]);
    uint32_t at = list.first;
    for (; at < list.last && !outline.is(at, ":"); ++at) {
      if (outline.kind(at) == TokenKind::Value)
        outs.names.push_back(at);
      else if (!outline.is(at, ","))
        return std::nullopt;
    }
    for (TokenRange type : outline.split({at + 1, list.last}))
      outs.types.push_back(type);
    if (outs.names.empty() || outs.names.size() != outs.types.size())
      return std::nullopt;
    return outs;
  }
  return std::nullopt;
}

void FormFinder::findDroppedResult(uint32_t statement, Spine spine) {
  const Statement &operation = outline.statements()[statement];
  llvm::StringRef name = outline.spelling(operation.name);
  if (operation.first != operation.name)
    return;
  std::optional<Outs> outs = parseOuts(outline, spine);
  if (!outs)
    return;
  const Region &region = outline.regions()[operation.region];
  if (region.severalBlocks)
    return;

  const bool hasArrow =
      llvm::any_of(spine, [&](uint32_t i) { return outline.is(i, "->"); });
  const bool isValid = hasArrow || hasImpliedResults(name);

  bool isUsed = false;
  llvm::SmallVector<size_t, 2> earlier; // forms that rename what is written
  llvm::StringSet<> seen;
  std::string types;
  for (auto [token, type] : llvm::zip_equal(outs->names, outs->types)) {
    llvm::StringRef value = outline.spelling(token);
    std::string text = shortText(type);
    if (!llvm::StringRef(resolve(text)).starts_with("tensor<") ||
        value.starts_with("%\"") ||
        !seen.insert(Scope::normalise(value)).second)
      return;
    types += (types.empty() ? "" : ", ") + text;

    std::optional<Scope::Use> use = scope.lookup(value);
    if (!use)
      return;
    isUsed |= occurs(value, {operation.end, region.close});
    if (!use->definition->newName.empty())
      earlier.push_back(use->definition->form);
    const uint32_t depth = use->definition->depth;
    if (depth == scope.depth())
      continue;
    // A value from outside the region: what else sees it there would have to
    // see what is written, too, and names of this region end with it.
    const Region &home = outline.regions()[scope.regionAt(depth)];
    const Region &outermost = outline.regions()[scope.regionAt(depth + 1)];
    if (home.severalBlocks || outermost.severalBlocks)
      return;
    if (!overwrites(name) || occurs(value, {outermost.open, operation.first}) ||
        occurs(value, {region.close, home.close})) {
      // With its result the operation means something else; without it is none.
      if (isValid)
        return;
      return refuse(
          "LF-13", {operation.name, operation.name + 1},
          "the result of '" + name.str() + "' has no name, and '" +
              value.str() +
              "', which comes from outside of this region, is used as the "
              "result elsewhere or in the next iteration; carry it: "
              "'iter_args(%v = " +
              value.str() + ") -> (" + brief(text) +
              ")' on the loop, or '-> (" + brief(text) +
              ")' on the 'scf.if', and 'scf.yield' of the named result");
    }
  }
  if (!isUsed)
    return;

  // The types go behind the region of a `generic`, or behind `outs`.
  const uint32_t last = spine.back();
  if (!isValid && last != outs->close && !outline.is(last, "}"))
    return;

  std::string results;
  std::vector<std::string> newNames;
  for (uint32_t token : outs->names) {
    newNames.push_back(freshName(outline.spelling(token)));
    results += (results.empty() ? "" : ", ") + newNames.back();
  }
  std::vector<Edit> edits = {before(operation.name, results + " = ")};
  if (!isValid)
    edits.push_back(after(last, outs->names.size() == 1
                                    ? " -> " + types
                                    : " -> (" + types + ")"));
  const size_t form = report(
      "LF-13", {operation.name, operation.name + 1},
      "the result of '" + name.str() + "' has no name and '" +
          outline.spelling(outs->names[0]).str() + "' is used as the result",
      std::move(edits));
  if (isValid)
    forms[form].fix.standing = Standing::Reinterpreted;
  for (size_t other : earlier)
    links.push_back({form, other});
  renames = true;
  for (auto [token, type, newName] :
       llvm::zip_equal(outs->names, outs->types, newNames)) {
    Definition definition;
    definition.type = type;
    definition.newName = newName;
    definition.form = form;
    rebindings.push_back(
        {statement, outline.spelling(token), std::move(definition)});
  }
}

} // namespace ktir::syntax
