//===- OperationForms.cpp - Former spellings of single operations ---------===//
//
// LF-4 in short types, LF-5 the operand type of a production, LF-14
// expand_shape without output_shape, LF-15 integer comparison of floats, LF-16
// selection by a tensor with one type, LF-17 one tile id on a larger grid.
//
//===----------------------------------------------------------------------===//

#include "FormFinder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ktir::syntax {

/// The position of the last `spelling` among the tokens outside brackets;
/// the size of `spine` when there is none.
static size_t lastOf(const Outline &outline, llvm::ArrayRef<uint32_t> spine,
                     llvm::StringRef spelling) {
  for (size_t i = spine.size(); i > 0; --i)
    if (outline.is(spine[i - 1], spelling))
      return i - 1;
  return spine.size();
}

/// What stands behind the last `spelling` outside brackets.
static TokenRange behindLast(const Outline &outline,
                             llvm::ArrayRef<uint32_t> spine,
                             llvm::StringRef spelling) {
  const size_t position = lastOf(outline, spine, spelling);
  if (position + 1 >= spine.size())
    return {};
  return {spine[position] + 1, spine.back() + 1};
}

//===----------------------------------------------------------------------===//
// LF-17
//===----------------------------------------------------------------------===//

void FormFinder::findTileId(const Statement &operation, Spine spine) {
  if (currentGridRank < 2)
    return;
  const TokenRange type = behindLast(outline, spine, ":");
  if (type.last != type.first + 1 || !outline.is(type.first, "index"))
    return;
  const bool hasName = operation.first != operation.name;
  llvm::StringRef name = outline.spelling(operation.first);
  // Several names, `%p:1` and quoted names are nothing that a producer writes
  // with one type.
  if (hasName &&
      (operation.name != operation.first + 2 || name.starts_with("%\"")))
    return;
  std::string names, types;
  for (uint32_t i = 1; i < currentGridRank; ++i) {
    types += ", index";
    if (hasName)
      names += ", " + freshName(name);
  }
  std::vector<Edit> edits;
  if (hasName)
    edits.push_back(after(operation.first, std::move(names)));
  edits.push_back(after(type.first, std::move(types)));
  report("LF-17", {operation.first, type.last},
         "one tile id on a grid of rank " + std::to_string(currentGridRank),
         std::move(edits));
}

//===----------------------------------------------------------------------===//
// LF-4, LF-5
//===----------------------------------------------------------------------===//

void FormFinder::findShortTileFutures(Spine spine) {
  for (size_t i = 1; i < spine.size(); ++i)
    if (outline.is(spine[i], "<") &&
        (outline.is(spine[i - 1], ":") || outline.is(spine[i - 1], "->")))
      findTileFuture(spine[i]);
}

void FormFinder::findProducer(Spine spine) {
  findShortTileFutures(spine);
  // ktdp.inter_tile_produce producer_tiles_per_group = set … : type -> future
  const size_t arrow = lastOf(outline, spine, "->");
  if (arrow == spine.size() ||
      !outline.is(spine[1], "producer_tiles_per_group"))
    return;
  Spine head = spine.take_front(arrow);
  const size_t colon = lastOf(outline, head, ":");
  if (colon + 1 >= arrow ||
      lastOf(outline, head.take_front(colon), ":") != colon)
    return;
  const TokenRange stated = {spine[colon], spine[arrow]};
  const size_t begin = outline.token(spine[colon]).begin;
  size_t end = outline.token(spine[arrow] - 1).end;
  end += outline.text()[end] == ' ';
  const size_t form = reportAs(
      "LF-5", stated, "expected no operand type before '->'; leave it out",
      {{begin, end, ""}});
  forms[form].fix.end = end;
}

//===----------------------------------------------------------------------===//
// LF-14
//===----------------------------------------------------------------------===//

void FormFinder::findExpandShape(Spine spine) {
  // tensor.expand_shape %x [[0, 1]] … : type into type
  if (spine.size() < 5 || outline.kind(spine[1]) != TokenKind::Value ||
      !outline.is(spine[2], "[") || !outline.is(spine[3], "]") ||
      lastOf(outline, spine, "output_shape") != spine.size())
    return;
  std::string type = resolve(shortText(behindLast(outline, spine, "into")));
  std::optional<ShapedText> shaped = parseShaped(type);
  if (!shaped || llvm::is_contained(shaped->extents, "?"))
    return;
  std::string shape =
      "output_shape [" + llvm::join(shaped->extents, ", ") + "]";
  reportAs("LF-14", {spine[2], spine[3] + 1},
           "expected 'output_shape'; write '" + shape + "'",
           {after(spine[3], " " + shape)});
}

//===----------------------------------------------------------------------===//
// LF-15, LF-16
//===----------------------------------------------------------------------===//

/// The ordered comparison that an integer predicate names; empty for none.
static llvm::StringRef orderedPredicate(llvm::StringRef predicate) {
  return llvm::StringSwitch<llvm::StringRef>(predicate)
      .Case("eq", "oeq")
      .Case("ne", "one")
      .Cases({"slt", "ult"}, "olt")
      .Cases({"sle", "ule"}, "ole")
      .Cases({"sgt", "ugt"}, "ogt")
      .Cases({"sge", "uge"}, "oge")
      .Default("");
}

void FormFinder::findFloatComparison(Spine spine) {
  if (spine.size() < 3 || !outline.is(spine[2], ","))
    return;
  llvm::StringRef predicate = outline.spelling(spine[1]);
  const bool isQuoted = outline.kind(spine[1]) == TokenKind::String;
  if (isQuoted)
    predicate = predicate.drop_front().drop_back();
  llvm::StringRef ordered = orderedPredicate(predicate);
  std::string type = resolve(shortText(behindLast(outline, spine, ":")));
  std::optional<ShapedText> shaped = parseShaped(type);
  if (ordered.empty() || !isFloat(shaped ? shaped->element : type))
    return;
  report("LF-15", {spine[0], spine[1] + 1}, "integer comparison of floats",
         {replace(spine[0], "arith.cmpf"), replace(spine[1], ordered.str())});
}

void FormFinder::findTensorSelection(Spine spine) {
  const TokenRange type = behindLast(outline, spine, ":");
  if (type.empty() || outline.kind(spine[1]) != TokenKind::Value ||
      outline.split(type).size() != 1)
    return;
  std::string condition = typeOf(outline.spelling(spine[1]));
  std::string resolved = resolve(condition);
  std::optional<ShapedText> shaped = parseShaped(resolved);
  if (!shaped || shaped->element != "i1" || shaped->kind == "memref")
    return;
  report("LF-16", type,
         "expected the type of the condition '" +
             outline.spelling(spine[1]).str() + "' too",
         {before(type.first, condition + ", ")});
}

} // namespace ktir::syntax
