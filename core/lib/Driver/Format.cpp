//===- Format.cpp - Text in canonical strict form -------------------------===//
//
// MLIR prints the program; what it does not keep, the names, the comments and
// the blank lines, is taken from the text and put where its operation went.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Diagnostics.h"
#include "FormatNames.h"
#include "ParseSource.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Syntax/Tokenizer.h"

#include "mlir/IR/AsmState.h"

#include <algorithm>

namespace ktir {

namespace {
/// Something that both the text and the printed program have: an operation or
/// an alias definition.
struct Anchor {
  size_t begin;  ///< first byte in the text
  size_t end;    ///< one past its last byte
  unsigned line; ///< its first line when printed, from 0
  bool isOperation;
};

/// Lines to put around the printed ones.
struct Additions {
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::string trailing;
  bool blankBefore = false;
};

/// Puts the comments and blank lines of a text around a printed program.
class Weaver {
public:
  Weaver(llvm::StringRef text, llvm::StringRef printed)
      : text(text), tokens(syntax::tokenize(text)) {
    llvm::SmallVector<llvm::StringRef> parts;
    printed.split(parts, '\n');
    while (!parts.empty() && parts.back().empty())
      parts.pop_back();
    lines.assign(parts.begin(), parts.end());
    additions.resize(lines.size());
  }

  void add(Anchor anchor) {
    if (anchor.line < lines.size())
      anchors.push_back(anchor);
  }
  /// The line that defines alias `name`, `#` or `!` included.
  std::optional<unsigned> aliasLine(llvm::StringRef name) const;
  std::string weave();

private:
  static unsigned indentOf(llvm::StringRef line) {
    return line.size() - line.ltrim(' ').size();
  }
  /// The last line of what starts in line `first`.
  unsigned lastLine(unsigned first) const;
  const Anchor *startingAt(size_t offset) const;
  /// The anchor with the last beginning that is not behind `offset`.
  const Anchor *lastBefore(size_t offset) const;
  /// The operation that ends with the byte before `offset`.
  const Anchor *endingAt(size_t offset) const;

  /// Number of tokens of the comments that head the file: those before its
  /// first other token that a blank line sets apart, and all of them where
  /// something comes to stand above that token.
  size_t headSize() const;
  void placeTrailing(llvm::StringRef comment, const syntax::Token &previous);
  void placeAbove(llvm::StringRef comment, size_t next);
  void markBlankLines();

  llvm::StringRef text;
  std::vector<syntax::Token> tokens;
  std::vector<llvm::StringRef> lines;
  std::vector<Additions> additions;
  std::vector<Anchor> anchors;
  std::vector<std::string> atEnd;
};
} // namespace

std::optional<unsigned> Weaver::aliasLine(llvm::StringRef name) const {
  for (auto [index, line] : llvm::enumerate(lines)) {
    llvm::StringRef rest = line;
    if (rest.consume_front(name) && rest.starts_with(" = "))
      return index;
  }
  return std::nullopt;
}

unsigned Weaver::lastLine(unsigned first) const {
  const unsigned indent = indentOf(lines[first]);
  unsigned last = first;
  for (unsigned i = first + 1; i < lines.size(); ++i) {
    const unsigned own = indentOf(lines[i]);
    const llvm::StringRef content = lines[i].ltrim(' ');
    const bool isInside =
        own > indent || content.empty() ||
        (own == indent && (content.front() == '}' || content.front() == '^'));
    if (!isInside)
      break;
    last = i;
  }
  return last;
}

const Anchor *Weaver::startingAt(size_t offset) const {
  auto found = std::lower_bound(
      anchors.begin(), anchors.end(), offset,
      [](const Anchor &anchor, size_t at) { return anchor.begin < at; });
  return found != anchors.end() && found->begin == offset ? &*found : nullptr;
}

const Anchor *Weaver::lastBefore(size_t offset) const {
  auto found = std::upper_bound(
      anchors.begin(), anchors.end(), offset,
      [](size_t at, const Anchor &anchor) { return at < anchor.begin; });
  return found == anchors.begin() ? nullptr : &*(found - 1);
}

const Anchor *Weaver::endingAt(size_t offset) const {
  // Operations that end together are nested; the outermost comes first.
  for (const Anchor &anchor : anchors)
    if (anchor.isOperation && anchor.end == offset)
      return &anchor;
  return nullptr;
}

size_t Weaver::headSize() const {
  size_t size = 0, first = 0;
  for (; first + 1 < tokens.size() &&
         tokens[first].kind == syntax::TokenKind::Comment;
       ++first)
    if (text.slice(tokens[first].end, tokens[first + 1].begin).count('\n') > 1)
      size = first + 1;
  if (first == tokens.size())
    return size;
  const Anchor *anchor = startingAt(tokens[first].begin);
  return anchor && anchor->line > 0 ? first : size;
}

void Weaver::placeTrailing(llvm::StringRef comment,
                           const syntax::Token &previous) {
  unsigned line = 0;
  if (const Anchor *closed =
          text[previous.begin] == '}' ? endingAt(previous.end) : nullptr)
    line = lastLine(closed->line);
  else if (const Anchor *anchor = lastBefore(previous.begin))
    line = anchor->line;
  if (additions[line].trailing.empty())
    additions[line].trailing = comment.str();
  else
    additions[line].before.push_back(comment.str());
}

void Weaver::placeAbove(llvm::StringRef comment, size_t next) {
  if (next == text.size()) {
    atEnd.push_back(comment.str());
    return;
  }
  if (const Anchor *anchor = startingAt(next)) {
    additions[anchor->line].before.push_back(comment.str());
    return;
  }
  const Anchor *last = lastBefore(next);
  if (!last) {
    additions[0].before.push_back(comment.str());
    return;
  }
  // Before a closing brace a comment belongs below what the block ends with.
  if (text[next] == '}' && last->end <= next)
    additions[lastLine(last->line)].after.push_back(comment.str());
  else
    additions[last->line].before.push_back(comment.str());
}

/// Blank lines between two operations of a block, or two aliases, are kept as
/// one.
void Weaver::markBlankLines() {
  for (size_t i = headSize() + 1; i < tokens.size(); ++i) {
    const llvm::StringRef gap = text.slice(tokens[i - 1].end, tokens[i].begin);
    if (gap.count('\n') < 2)
      continue;
    // The blank line may stand above the comments of the operation.
    size_t next = i;
    while (next < tokens.size() &&
           tokens[next].kind == syntax::TokenKind::Comment)
      ++next;
    if (next == tokens.size())
      continue;
    const Anchor *anchor = startingAt(tokens[next].begin);
    // Never first in a block, as printed: the text may leave the module out.
    const llvm::StringRef above =
        anchor && anchor->line > 0 ? lines[anchor->line - 1] : "";
    const bool opensBlock =
        above.ends_with("{") || above.ltrim(' ').starts_with("^");
    if (anchor && !opensBlock && anchor->line > 0)
      additions[anchor->line].blankBefore = true;
  }
}

std::string Weaver::weave() {
  llvm::sort(anchors, [](const Anchor &a, const Anchor &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  const size_t head = headSize();
  for (size_t i = head; i < tokens.size(); ++i) {
    if (tokens[i].kind != syntax::TokenKind::Comment)
      continue;
    const llvm::StringRef comment =
        text.slice(tokens[i].begin, tokens[i].end).rtrim();
    const bool ownLine =
        i == 0 || text.slice(tokens[i - 1].end, tokens[i].begin).contains('\n');
    if (!ownLine) {
      placeTrailing(comment, tokens[i - 1]);
      continue;
    }
    size_t next = i + 1;
    while (next < tokens.size() &&
           tokens[next].kind == syntax::TokenKind::Comment)
      ++next;
    placeAbove(comment,
               next < tokens.size() ? tokens[next].begin : text.size());
  }
  markBlankLines();

  std::string out;
  for (size_t i = 0; i < head; ++i) {
    if (i > 0 && text.slice(tokens[i - 1].end, tokens[i].begin).count('\n') > 1)
      out += '\n';
    out += text.slice(tokens[i].begin, tokens[i].end).rtrim().str() + '\n';
  }
  if (head > 0)
    out += '\n';
  for (auto [line, extra] : llvm::zip_equal(lines, additions)) {
    std::string indent(indentOf(line), ' ');
    if (extra.blankBefore)
      out += '\n';
    for (const std::string &comment : extra.before)
      out += indent + comment + '\n';
    out += line;
    if (!extra.trailing.empty())
      out += "  " + extra.trailing;
    out += '\n';
    // What follows the last operation of a block is indented as that is.
    if (line.ltrim(' ').starts_with("^"))
      indent += "  ";
    for (const std::string &comment : extra.after)
      out += indent + comment + '\n';
  }
  for (const std::string &comment : atEnd)
    out += comment + '\n';
  return out;
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

static ktdp::KtdpDialect::AliasNames
aliasNames(const mlir::AsmParserState &state) {
  ktdp::KtdpDialect::AliasNames names;
  for (const auto &alias : state.getAttributeAliasDefs())
    if (alias.value && !llvm::isa<mlir::LocationAttr>(alias.value))
      names.attributes.try_emplace(alias.value, alias.name.str());
  for (const auto &alias : state.getTypeAliasDefs())
    if (alias.value)
      names.types.try_emplace(alias.value, alias.name.str());
  return names;
}

//===----------------------------------------------------------------------===//
// format
//===----------------------------------------------------------------------===//

FormatResult format(const std::string &text, const std::string &fileName) {
  FormatResult result;
  const SourceText source(fileName, text);
  mlir::MLIRContext &context = processContext();
  DiagnosticCollector collector(&context, source, result.diagnostics);
  const ReadText read(source, /*strict=*/false, result.diagnostics);
  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseSource(read, state, context, collector);
  llvm::erase_if(result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity != Severity::Error;
  });
  if (!module || read.isRefused())
    return result;

  keepValueNames(*module, state, read);
  auto &dialect = *context.getOrLoadDialect<ktdp::KtdpDialect>();
  dialect.setAliasNames(aliasNames(state));
  std::string printed;
  mlir::AsmState::LocationMap places;
  {
    llvm::raw_string_ostream stream(printed);
    mlir::AsmState names(
        *module, mlir::OpPrintingFlags().printNameLocAsPrefix(), &places);
    (*module)->print(stream, names);
    stream.flush();
    printed =
        writeResultNames(*module, state, std::move(printed), names, places);
  }
  dialect.setAliasNames(ktdp::KtdpDialect::AliasNames());

  const llvm::StringRef fixed = read.text().text();
  Weaver weaver(fixed, printed);
  auto offset = [&](llvm::SMLoc location) -> size_t {
    return location.getPointer() - fixed.data();
  };
  for (const auto &definition : state.getOpDefs()) {
    auto place = places.find(definition.op);
    if (place == places.end() || place->second.first == 0)
      continue;
    const llvm::SMLoc begin =
        definition.resultGroups.empty()
            ? definition.loc.Start
            : definition.resultGroups.front().definition.loc.Start;
    weaver.add({offset(begin), offset(definition.scopeLoc.End),
                place->second.first - 1, /*isOperation=*/true});
  }
  auto addAlias = [&](const std::string &name, llvm::SMRange range) {
    if (std::optional<unsigned> line = weaver.aliasLine(name))
      weaver.add({offset(range.Start), offset(range.End), *line,
                  /*isOperation=*/false});
  };
  for (const auto &alias : state.getAttributeAliasDefs())
    addAlias("#" + alias.name.str(), alias.definition.loc);
  for (const auto &alias : state.getTypeAliasDefs())
    addAlias("!" + alias.name.str(), alias.definition.loc);
  result.text = weaver.weave();
  return result;
}

} // namespace ktir
