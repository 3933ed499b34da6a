//===- FormatNames.cpp - The names of values in formatted text ------------===//

#include "FormatNames.h"

#include "Diagnostics.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Syntax/Tokenizer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace ktir {

/// The name in `text` if it is one that its writer chose: `%x`, not `%0`.
static std::optional<llvm::StringRef> chosenName(llvm::StringRef text) {
  if (!text.consume_front("%") || text.empty() || text.front() == '"')
    return std::nullopt;
  text = text.take_while([](char c) { return c != ':' && c != '#'; }).rtrim();
  unsigned long long number;
  if (text.empty() || !text.getAsInteger(10, number))
    return std::nullopt;
  return text;
}

static mlir::Location named(llvm::StringRef name, mlir::Location location) {
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), name),
                            location);
}

/// Whether `value` may stand in the brackets of an affine subscript.
static bool isSubscript(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [](mlir::Operation *user) {
    return llvm::isa<ktdp::ConstructAccessTileOp,
                     ktdp::ConstructIndirectAccessTileOp>(user) ||
           llvm::isa_and_nonnull<mlir::affine::AffineDialect>(
               user->getDialect());
  });
}

/// What a result is called that has no name and needs one.
static constexpr llvm::StringLiteral defaultName = "result";

void keepValueNames(mlir::ModuleOp module, const mlir::AsmParserState &state,
                    const ReadText &read) {
  const SourceText &source = read.original();
  module.walk([&](mlir::Operation *op) {
    const auto *definition = state.getOpDef(op);
    if (definition && !definition->resultGroups.empty()) {
      if (auto name = chosenName(
              textOf(definition->resultGroups.front().definition.loc)))
        op->setLoc(named(*name, op->getLoc()));
      else if (op->getNumResults() > 1 &&
               llvm::any_of(op->getResults(), isSubscript))
        op->setLoc(named(defaultName, op->getLoc()));
    }
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments()) {
          const SourceRange place = sourceRange(argument.getLoc(), source);
          std::optional<size_t> begin =
              source.offsetOf(place.line, place.column);
          std::optional<size_t> end =
              source.offsetOf(place.endLine, place.endColumn);
          if (!begin || !end)
            continue;
          const llvm::StringRef text = source.text();
          if (auto name = chosenName(text.slice(*begin, *end)))
            argument.setLoc(named(*name, argument.getLoc()));
        }
  });
}

namespace {
/// The printed text whose values live in one isolated operation, and the new
/// names of some of them.
struct NameSpace {
  llvm::StringSet<> used;
  /// By how a use is printed, `%a` or `%a#1`.
  llvm::StringMap<std::string> replacements;

  std::string unique(llvm::StringRef name) {
    std::string candidate = name.str();
    for (unsigned i = 1; !used.insert(candidate).second; ++i)
      candidate = (name + "_" + llvm::Twine(i)).str();
    return candidate;
  }
};

/// Renames results in printed text, line by line.
class ResultNamer {
public:
  ResultNamer(mlir::ModuleOp module, const mlir::AsmParserState &state,
              std::string printed, mlir::AsmState &names,
              const mlir::AsmState::LocationMap &places);
  std::string run();

private:
  static constexpr unsigned noLine = ~0u;

  unsigned lineOf(mlir::Operation *op) const {
    auto place = places.find(op);
    return place == places.end() || place->second.first == 0
               ? noLine
               : place->second.first - 1;
  }
  std::string printedUse(mlir::Value value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    value.printAsOperand(stream, names);
    return text;
  }
  void findOwners();
  void nameResults(mlir::Operation *op);

  mlir::ModuleOp module;
  const mlir::AsmParserState &state;
  std::string printed;
  mlir::AsmState &names;
  const mlir::AsmState::LocationMap &places;

  std::vector<size_t> lineStarts;
  std::vector<syntax::Token> tokens;
  /// For each line the isolated operation around it, as an index.
  std::vector<unsigned> owners;
  llvm::DenseMap<mlir::Operation *, unsigned> ownerIndex;
  std::vector<NameSpace> spaces;
  /// New text for what stands before ` = ` in a line.
  llvm::DenseMap<unsigned, std::string> leftSides;
};
} // namespace

ResultNamer::ResultNamer(mlir::ModuleOp module,
                         const mlir::AsmParserState &state, std::string text,
                         mlir::AsmState &names,
                         const mlir::AsmState::LocationMap &places)
    : module(module), state(state), printed(std::move(text)), names(names),
      places(places),
      tokens(syntax::tokenize(printed, /*withComments=*/false)) {
  lineStarts.push_back(0);
  for (auto [index, c] : llvm::enumerate(printed))
    if (c == '\n')
      lineStarts.push_back(index + 1);
  findOwners();
}

void ResultNamer::findOwners() {
  spaces.resize(1);
  owners.assign(lineStarts.size(), 0);
  // An isolated operation owns the lines up to the next operation behind it.
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == module || !op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return;
    const unsigned first = lineOf(op);
    if (first == noLine)
      return;
    mlir::Operation *next = op->getNextNode();
    const unsigned behind = next ? lineOf(next) : noLine;
    const unsigned outer = owners[first];
    ownerIndex[op] = spaces.size();
    for (unsigned line = first;
         line < owners.size() && line < behind && owners[line] == outer; ++line)
      owners[line] = spaces.size();
    spaces.emplace_back();
  });
  unsigned line = 0;
  for (const syntax::Token &token : tokens) {
    while (line + 1 < lineStarts.size() && lineStarts[line + 1] <= token.begin)
      ++line;
    if (token.kind != syntax::TokenKind::Value)
      continue;
    llvm::StringRef name =
        llvm::StringRef(printed).slice(token.begin + 1, token.end);
    spaces[owners[line]].used.insert(name.split('#').first);
  }
}

void ResultNamer::nameResults(mlir::Operation *op) {
  const auto *definition = state.getOpDef(op);
  const unsigned line = lineOf(op);
  if (!definition || line == noLine || op->getNumResults() < 2)
    return;
  mlir::Operation *isolated = op->getParentOp();
  while (isolated && !ownerIndex.contains(isolated))
    isolated = isolated->getParentOp();
  NameSpace &space = spaces[isolated ? ownerIndex[isolated] : 0];

  std::vector<std::string> uses;
  bool isMerged = false;
  for (mlir::Value result : op->getResults()) {
    uses.push_back(printedUse(result));
    isMerged |= llvm::StringRef(uses.back()).contains('#');
  }
  const auto groups = llvm::ArrayRef(definition->resultGroups);
  const llvm::StringRef firstName = llvm::StringRef(uses[0]).split('#').first;
  const bool isNumbered = !chosenName(firstName);
  std::string left;
  auto define = [&](const llvm::Twine &name) {
    if (!left.empty())
      left += ", ";
    left += ("%" + name).str();
  };
  for (auto [index, group] : llvm::enumerate(groups)) {
    const unsigned first = group.startIndex;
    const unsigned last = index + 1 < groups.size()
                              ? groups[index + 1].startIndex
                              : op->getNumResults();
    const auto results = op->getResults().slice(first, last - first);
    std::optional<llvm::StringRef> chosen =
        chosenName(textOf(group.definition.loc));
    // The printer has found a name for the first result already, and for every
    // one that it does not count from the first.
    std::string name = firstName.drop_front().str();
    if (index > 0 && isMerged) {
      if (!chosen && isNumbered)
        return; // Numbers are not for us to give.
      name = space.unique(chosen.value_or(defaultName));
    } else if (index > 0) {
      name = uses[first].substr(1);
      if (chosen && *chosen != name)
        name = space.unique(*chosen);
    }
    const bool isSplit =
        !isMerged || (!isNumbered && llvm::any_of(results, isSubscript));
    if (results.size() > 1 && !isSplit) {
      define(name + ":" + llvm::Twine(results.size()));
      for (unsigned i = first; i < last; ++i)
        space.replacements[uses[i]] =
            ("%" + name + "#" + llvm::Twine(i - first)).str();
      continue;
    }
    for (unsigned i = first; i < last; ++i) {
      std::string own = name;
      if (i > first)
        own = isMerged ? space.unique(name) : uses[i].substr(1);
      define(own);
      space.replacements[uses[i]] = "%" + own;
    }
  }
  leftSides[line] = std::move(left);
}

std::string ResultNamer::run() {
  module.walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) { nameResults(op); });
  if (leftSides.empty())
    return std::move(printed);
  std::string out;
  size_t copied = 0;
  unsigned line = 0;
  const llvm::StringRef text = printed;
  for (const syntax::Token &token : tokens) {
    while (line + 1 < lineStarts.size() && lineStarts[line + 1] <= token.begin)
      ++line;
    if (token.begin < copied || token.kind != syntax::TokenKind::Value)
      continue;
    out += text.slice(copied, token.begin);
    copied = token.begin;
    const size_t start = lineStarts[line];
    auto left = leftSides.find(line);
    if (left != leftSides.end() &&
        text.slice(start, token.begin).trim(' ').empty()) {
      out += left->second;
      copied = text.find(" = ", token.begin);
      continue;
    }
    const llvm::StringRef use = text.slice(token.begin, token.end);
    const auto &replacements = spaces[owners[line]].replacements;
    auto found = replacements.find(use);
    out += found == replacements.end() ? use.str() : found->second;
    copied = token.end;
  }
  return out + text.substr(copied).str();
}

std::string writeResultNames(mlir::ModuleOp module,
                             const mlir::AsmParserState &state,
                             std::string printed, mlir::AsmState &names,
                             const mlir::AsmState::LocationMap &places) {
  return ResultNamer(module, state, std::move(printed), names, places).run();
}

} // namespace ktir
