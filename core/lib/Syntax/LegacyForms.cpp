//===- LegacyForms.cpp - Older spellings of KTIR --------------------------===//

#include "ktir/Syntax/LegacyForms.h"
#include "FormFinder.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <tuple>

namespace ktir::syntax {

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

Edit FormFinder::before(uint32_t token, std::string text) const {
  const size_t at = outline.token(token).begin;
  return {at, at, std::move(text)};
}

Edit FormFinder::after(uint32_t token, std::string text) const {
  const size_t at = outline.token(token).end;
  return {at, at, std::move(text)};
}

Edit FormFinder::replace(uint32_t token, std::string text) const {
  return {outline.token(token).begin, outline.token(token).end,
          std::move(text)};
}

size_t FormFinder::report(const char *id, TokenRange range, std::string found,
                          std::vector<Edit> edits) {
  Form form;
  form.fix.id = id;
  form.fix.begin = outline.token(range.first).begin;
  form.fix.end = outline.token(range.last - 1).end;
  form.fix.message = std::move(found);
  form.fix.edits = std::move(edits);
  forms.push_back(std::move(form));
  return forms.size() - 1;
}

size_t FormFinder::reportAs(const char *id, TokenRange range,
                            std::string message, std::vector<Edit> edits) {
  const size_t form = report(id, range, std::move(message), std::move(edits));
  forms[form].namesReplacement = false;
  return form;
}

void FormFinder::refuse(const char *id, TokenRange range, std::string message) {
  const size_t form = reportAs(id, range, std::move(message), {});
  forms[form].fix.standing = Standing::Refused;
}

std::string FormFinder::brief(llvm::StringRef text) {
  constexpr size_t longest = 100;
  std::string line;
  for (char c : text.trim()) {
    if (!llvm::isSpace(c))
      line += c;
    else if (line.back() != ' ')
      line += ' ';
    if (line.size() > longest)
      break;
  }
  line = llvm::json::fixUTF8(line);
  if (line.size() <= longest)
    return line;
  size_t end = longest - 3;
  while (end > 0 && (uint8_t(line[end]) & 0xC0) == 0x80)
    --end;
  return line.substr(0, end) + "...";
}

std::vector<Fix> FormFinder::finish() {
  struct Placed {
    const Edit *edit;
    size_t form;
  };
  std::vector<Placed> placed;
  for (size_t i = 0; i < forms.size(); ++i)
    for (const Edit &edit : forms[i].fix.edits)
      placed.push_back({&edit, i});
  // An insertion stands before what replaces the bytes behind it.
  llvm::sort(placed, [](const Placed &a, const Placed &b) {
    return std::tie(a.edit->begin, a.edit->end, a.form) <
           std::tie(b.edit->begin, b.edit->end, b.form);
  });

  // What lies inside of bytes that another form replaces is gone with them. Of
  // forms that overlap otherwise the first is kept.
  std::vector<Placed> kept;
  llvm::DenseSet<const Edit *> gone;
  for (const Placed &next : placed) {
    if (forms[next.form].dropped)
      continue;
    while (!kept.empty() && forms[kept.back().form].dropped)
      kept.pop_back();
    if (kept.empty() || next.edit->begin >= kept.back().edit->end) {
      kept.push_back(next);
      continue;
    }
    const Edit &last = *kept.back().edit;
    if (next.edit->end <= last.end) {
      gone.insert(next.edit);
    } else if (next.edit->begin == last.begin) {
      gone.insert(&last);
      kept.back() = next;
    } else {
      forms[next.form].dropped = true;
    }
  }
  llvm::erase_if(kept, [&](const Placed &p) { return forms[p.form].dropped; });
  for (Form &form : forms) {
    const bool hadEdits = !form.fix.edits.empty();
    form.dropped |=
        hadEdits && llvm::all_of(form.fix.edits, [&](const Edit &e) {
          return gone.contains(&e);
        });
  }

  std::vector<Fix> fixes;
  for (size_t i = 0; i < forms.size(); ++i) {
    Fix &fix = forms[i].fix;
    if (forms[i].dropped)
      continue;
    size_t at = fix.begin;
    auto next =
        llvm::lower_bound(kept, fix.begin, [](const Placed &p, size_t begin) {
          return p.edit->begin < begin;
        });
    for (; next != kept.end() && next->edit->begin <= fix.end; ++next) {
      const Edit &edit = *next->edit;
      // What other forms insert at the border belongs to their neighbours.
      const bool isAtBorder = edit.end == fix.begin || edit.begin == fix.end;
      if (edit.end > fix.end || (isAtBorder && next->form != i))
        continue;
      fix.replacement += outline.text().slice(at, edit.begin);
      fix.replacement += edit.text;
      at = edit.end;
    }
    if (fix.standing == Standing::Refused)
      fix.replacement.clear();
    else
      fix.replacement += outline.text().slice(at, fix.end);
    if (forms[i].namesReplacement)
      fix.message += "; write '" + brief(fix.replacement) + "'";
  }
  llvm::IntEqClasses chains(forms.size());
  for (auto [form, other] : links)
    chains.join(form, other);
  chains.compress();
  for (auto [form, other] : links)
    forms[form].fix.chain = forms[other].fix.chain = chains[form];
  // Edits are referred to until here.
  for (Form &form : forms) {
    if (form.dropped)
      continue;
    Fix &fix = fixes.emplace_back();
    std::vector<Edit> edits = std::move(form.fix.edits);
    fix = std::move(form.fix);
    fix.edits.clear();
    for (Edit &edit : edits)
      if (!gone.contains(&edit))
        fix.edits.push_back(std::move(edit));
    llvm::sort(fix.edits, [](const Edit &a, const Edit &b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
  }
  llvm::sort(fixes, [](const Fix &a, const Fix &b) {
    if (std::tie(a.begin, a.end) != std::tie(b.begin, b.end))
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    return llvm::StringRef(a.id) < b.id;
  });
  return fixes;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

std::vector<Fix> FormFinder::run() {
  findSpellings();
  walk();
  return finish();
}

void FormFinder::walk() {
  // Statements and regions that the current token stands in.
  struct Open {
    bool isRegion;
    uint32_t index;
    uint32_t end;
    uint32_t gridRank; // outside the region
  };
  std::vector<Open> open;
  llvm::ArrayRef<Statement> statements = outline.statements();
  llvm::ArrayRef<Region> regions = outline.regions();
  uint32_t nextStatement = 0, nextRegion = 1;

  scope.enter(0);
  for (uint32_t i = 0; i <= outline.size(); ++i) {
    while (!open.empty() && open.back().end <= i) {
      if (open.back().isRegion) {
        scope.leave();
        currentGridRank = open.back().gridRank;
      } else {
        leaveStatement(open.back().index);
      }
      open.pop_back();
    }
    if (nextStatement < statements.size() &&
        statements[nextStatement].first == i) {
      enterStatement(nextStatement);
      open.push_back({false, nextStatement, statements[nextStatement].end, 0});
      ++nextStatement;
    }
    if (nextRegion < regions.size() && regions[nextRegion].open == i) {
      open.push_back(
          {true, nextRegion, regions[nextRegion].close, currentGridRank});
      enterRegion(nextRegion);
      ++nextRegion;
    }
    const bool isResultName =
        nextStatement > 0 && i < statements[nextStatement - 1].name;
    if (renames && outline.kind(i) == TokenKind::Value && !isResultName)
      renameUse(i);
  }
}

void FormFinder::enterStatement(uint32_t index) {
  const Statement &statement = outline.statements()[index];
  if (statement.kind == StatementKind::Label) {
    if (outline.is(statement.first + 1, "("))
      bindArguments(outline.inside(statement.first + 1));
    return;
  }
  llvm::StringRef generic = outline.genericName(statement);
  llvm::StringRef name = outline.customName(statement);
  if (generic.starts_with("spyre.") || name.starts_with("spyre."))
    findFormerDialect(statement, name.empty() ? generic : name);

  if (name == "ktdp.get_compute_tile_id")
    findTileId(statement, outline.spine(statement));
  else if (name == "ktdp.construct_access_tile")
    findAccessTile(outline.spine(statement));
  else if (name == "ktdp.construct_indirect_access_tile")
    findIndirectTile(outline.spine(statement));
  else if (name == "ktdp.inter_tile_produce")
    findProducer(outline.spine(statement));
  else if (name.starts_with("ktdp.inter_tile_"))
    findShortTileFutures(outline.spine(statement));
  else if (name == "tensor.expand_shape")
    findExpandShape(outline.spine(statement));
  else if (name == "arith.cmpi")
    findFloatComparison(outline.spine(statement));
  else if (name == "arith.select")
    findTensorSelection(outline.spine(statement));
  else if (name.starts_with("linalg."))
    findDroppedResult(index, outline.spine(statement));
}

void FormFinder::leaveStatement(uint32_t index) {
  const Statement &statement = outline.statements()[index];
  if (statement.kind == StatementKind::Operation)
    for (const ResultName &result : resultNames(outline, statement)) {
      Definition definition;
      definition.statement = index;
      definition.number = result.number;
      scope.bind(outline.spelling(result.token), std::move(definition));
    }
  for (; !rebindings.empty() && rebindings.back().statement == index;
       rebindings.pop_back())
    scope.rebind(rebindings.back().value,
                 std::move(rebindings.back().definition));
}

void FormFinder::enterRegion(uint32_t index) {
  const Region &region = outline.regions()[index];
  scope.enter(index);
  if (region.statement == noIndex ||
      !boundOwners.insert(region.statement).second)
    return;
  const Statement &owner = outline.statements()[region.statement];
  if (outline.customName(owner) == "func.func")
    currentGridRank = gridRank(owner);
  bindEntryArguments(owner, region.open);
}

/// Binds the names of `%a: type, …`.
void FormFinder::bindArguments(TokenRange list) {
  for (TokenRange part : outline.split(list)) {
    if (part.empty() || outline.kind(part.first) != TokenKind::Value)
      continue;
    Definition definition;
    if (outline.is(part.first + 1, ":")) {
      // Attributes and a location can follow the type.
      uint32_t end = part.first + 2;
      while (end < part.last && !outline.is(end, "{") &&
             !outline.is(end, "loc"))
        end = outline.skip(end);
      definition.type = {part.first + 2, end};
    }
    scope.bind(outline.spelling(part.first), std::move(definition));
  }
}

/// Binds what an operation brings into its first region, which starts at
/// `open`: arguments of a function, `iter_args(%a = %init, …) -> (type, …)`.
void FormFinder::bindEntryArguments(const Statement &owner, uint32_t open) {
  const bool isFunction = outline.customName(owner) == "func.func";
  llvm::SmallVector<uint32_t> carried;
  llvm::SmallVector<TokenRange> types;
  for (uint32_t i = owner.name; i < open; i = outline.skip(i)) {
    if (outline.is(i, "->")) {
      TokenRange list = {i + 1, i + 1};
      while (list.last < open && !outline.is(list.last, ":"))
        list.last = outline.skip(list.last);
      if (outline.is(list.first, "(") &&
          outline.match(list.first) == list.last - 1)
        list = outline.inside(list.first);
      types = outline.split(list);
    }
    if (!outline.is(i, "(") || outline.match(i) == noIndex)
      continue;
    if (isFunction)
      return bindArguments(outline.inside(i));
    for (TokenRange part : outline.split(outline.inside(i)))
      if (outline.kind(part.first) == TokenKind::Value &&
          outline.is(part.first + 1, "="))
        carried.push_back(part.first);
  }
  for (size_t i = 0; i < carried.size(); ++i) {
    Definition definition;
    if (types.size() == carried.size())
      definition.type = types[i];
    scope.bind(outline.spelling(carried[i]), std::move(definition));
  }
}

void FormFinder::renameUse(uint32_t token) {
  if (operatorTokens.contains(token))
    return;
  std::optional<Scope::Use> use = scope.lookup(outline.spelling(token));
  if (use && !use->definition->newName.empty())
    forms[use->definition->form].fix.edits.push_back(
        replace(token, use->definition->newName));
}

/// The rank of the grid that a function states; 0 when it states none.
uint32_t FormFinder::gridRank(const Statement &function) const {
  // More dimensions than this are no grid.
  constexpr uint32_t largestRank = 64;
  llvm::SmallVector<uint32_t, 32> spine = outline.spine(function);
  for (size_t i = 0; i + 1 < spine.size(); ++i) {
    if (!outline.is(spine[i], "attributes") || !outline.is(spine[i + 1], "{"))
      continue;
    std::optional<TokenRange> grid = outline.findKey(spine[i + 1], "grid");
    if (!grid)
      return 0;
    const uint32_t open = followAlias(*grid).first;
    if (!outline.is(open, "[") || outline.match(open) == noIndex)
      return 0;
    const TokenRange list = outline.inside(open);
    const bool isSmall = list.last - list.first <= 4 * largestRank;
    return isSmall ? uint32_t(outline.split(list).size()) : 0;
  }
  return 0;
}

std::vector<Fix> findLegacyForms(llvm::StringRef text) {
  return FormFinder(text).run();
}

} // namespace ktir::syntax
