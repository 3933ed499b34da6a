//===- Outline.cpp - Statements of MLIR text ------------------------------===//

#include "ktir/Syntax/Outline.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ktir::syntax {

Outline::Outline(llvm::StringRef text)
    : contents(text), tokens(tokenize(text, /*withComments=*/false)) {
  matchBrackets();
  findStatements();
}

//===----------------------------------------------------------------------===//
// Tokens and brackets
//===----------------------------------------------------------------------===//

llvm::StringRef Outline::spelling(uint32_t index) const {
  if (index >= tokens.size())
    return {};
  return contents.slice(tokens[index].begin, tokens[index].end);
}

TokenKind Outline::kind(uint32_t index) const {
  return index < tokens.size() ? tokens[index].kind : TokenKind::Unknown;
}

llvm::StringRef Outline::slice(TokenRange range) const {
  if (range.empty() || range.last > tokens.size())
    return {};
  return contents.slice(tokens[range.first].begin, tokens[range.last - 1].end);
}

llvm::SmallVector<TokenRange> Outline::split(TokenRange range) const {
  llvm::SmallVector<TokenRange> parts;
  if (range.empty())
    return parts;
  uint32_t begin = range.first;
  for (uint32_t i = range.first; i < range.last; i = skip(i))
    if (is(i, ",")) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
  parts.push_back({begin, range.last});
  return parts;
}

/// A bracket as a single character: `{` for `{-#`; 0 for any other token.
static char bracketOf(llvm::StringRef spelling) {
  if (spelling.size() == 3)
    return spelling == "{-#" ? '{' : spelling == "#-}" ? '}' : '\0';
  if (spelling.size() != 1)
    return '\0';
  switch (spelling.front()) {
  case '(':
  case ')':
  case '[':
  case ']':
  case '{':
  case '}':
  case '<':
  case '>':
    return spelling.front();
  default:
    return '\0';
  }
}

void Outline::matchBrackets() {
  matches.assign(tokens.size(), noIndex);
  struct Opener {
    uint32_t index;
    char bracket;
  };
  // How many `(` and `[` are open inside each open brace: a brace closes what
  // stands open in it, and nothing else reaches across a brace. Counting first
  // keeps a closer without a partner from searching for one.
  struct Counts {
    uint32_t round = 0, square = 0;
  };
  std::vector<Opener> open;
  std::vector<Counts> counts(1);
  auto closeAs = [&](uint32_t index, char opener) {
    while (open.back().bracket != opener) {
      if (open.back().bracket == '(')
        --counts.back().round;
      else if (open.back().bracket == '[')
        --counts.back().square;
      open.pop_back();
    }
    matches[open.back().index] = index;
    matches[index] = open.back().index;
    open.pop_back();
  };

  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::Punctuation)
      continue;
    const char bracket = bracketOf(spelling(i));
    switch (bracket) {
    case '(':
      ++counts.back().round;
      open.push_back({i, bracket});
      break;
    case '[':
      ++counts.back().square;
      open.push_back({i, bracket});
      break;
    case '{':
      open.push_back({i, bracket});
      counts.emplace_back();
      break;
    case '<':
      open.push_back({i, bracket});
      break;
    case ')':
      if (counts.back().round) {
        closeAs(i, '(');
        --counts.back().round;
      }
      break;
    case ']':
      if (counts.back().square) {
        closeAs(i, '[');
        --counts.back().square;
      }
      break;
    case '}':
      if (counts.size() > 1) {
        closeAs(i, '{');
        counts.pop_back();
      }
      break;
    case '>':
      // Elsewhere it is a comparison that the parser refuses.
      if (!open.empty() && open.back().bracket == '<')
        closeAs(i, '<');
      break;
    default:
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Brackets that are open where the outline is being built; a region if
/// `region` is one.
struct Outline::Frame {
  uint32_t close;
  uint32_t region;
  uint32_t statement = noIndex; ///< the last one of the region
};

/// An attribute dictionary holds `name`, or `name = value`, nothing else.
bool Outline::looksLikeRegion(uint32_t open) const {
  if (!is(open, "{"))
    return false;
  const uint32_t first = open + 1;
  switch (kind(first)) {
  case TokenKind::Block:
  case TokenKind::Value:
    return true;
  case TokenKind::Identifier:
  case TokenKind::String: {
    llvm::StringRef next = spelling(first + 1);
    if (next == "=" || next == ",")
      return false;
    return next != "}" || is(first, "return");
  }
  default:
    return false;
  }
}

/// The `=` behind the result names that start at `index`; `noIndex` when they
/// are none.
uint32_t Outline::resultsEnd(uint32_t index) const {
  while (kind(index) == TokenKind::Value) {
    ++index;
    if (is(index, ":") && kind(index + 1) == TokenKind::Integer)
      index += 2;
    if (is(index, "="))
      return index;
    if (!is(index, ","))
      return noIndex;
    ++index;
  }
  return noIndex;
}

/// Whether no operation ends with the token `previous`.
bool Outline::isContinued(uint32_t previous) const {
  static constexpr llvm::StringLiteral joints[] = {
      "=", ",", ":", "->", "::", "+", "-", "*", "/", "%", "|"};
  return kind(previous) == TokenKind::Punctuation &&
         llvm::is_contained(joints, spelling(previous));
}

/// The statement that starts with the token at `index`, if one does. `labelEnd`
/// is the colon of the last block label.
std::optional<Statement> Outline::startOf(uint32_t index, const Frame &frame,
                                          uint32_t labelEnd) const {
  const uint32_t region = frame.region;
  const bool isFirst = index == 0 || index == allRegions[region].open + 1 ||
                       index == labelEnd + 1;
  const uint32_t previous = index - 1;
  if (!isFirst && isContinued(previous))
    return std::nullopt;
  auto statement = [&](StatementKind kind, uint32_t name) {
    return Statement{kind, index, name, noIndex, region};
  };

  switch (kind(index)) {
  case TokenKind::Value: {
    // `scf.for %i = %lo to %hi`.
    const bool isLoopVariable =
        !isFirst && (is(previous, "unsigned") ||
                     (frame.statement != noIndex &&
                      allStatements[frame.statement].name == previous &&
                      spelling(previous).ends_with("for")));
    if (isLoopVariable)
      return std::nullopt;
    const uint32_t equal = resultsEnd(index);
    if (equal == noIndex)
      return std::nullopt;
    return statement(StatementKind::Operation, equal + 1);
  }
  case TokenKind::Identifier: {
    llvm::StringRef name = spelling(index);
    if (name.contains('.') || name == "return" || name == "call" ||
        name == "module")
      return statement(StatementKind::Operation, index);
    return std::nullopt;
  }
  case TokenKind::String:
    if (is(index + 1, "("))
      return statement(StatementKind::Operation, index);
    return std::nullopt;
  case TokenKind::AttributeName:
  case TokenKind::TypeName:
    if (region == 0 && is(index + 1, "="))
      return statement(StatementKind::Alias, index);
    return std::nullopt;
  case TokenKind::Block:
    // A successor of a branch has no colon behind it.
    if (is(index + 1, ":") ||
        (is(index + 1, "(") && match(index + 1) != noIndex &&
         is(match(index + 1) + 1, ":")))
      return statement(StatementKind::Label, index);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

void Outline::findStatements() {
  std::vector<Frame> frames;
  std::vector<uint32_t> regionFrames; // those of `frames` that are regions
  uint32_t labelEnd = noIndex - 1;
  auto endStatement = [&](Frame &frame, uint32_t end) {
    if (frame.statement != noIndex)
      allStatements[frame.statement].end = end;
  };

  allRegions.push_back({noIndex, size(), noIndex, noIndex});
  frames.push_back({size(), 0});
  regionFrames.push_back(0);
  for (uint32_t i = 0; i < size(); ++i) {
    bool closed = false;
    while (frames.back().close == i) {
      if (frames.back().region != noIndex) {
        endStatement(frames.back(), i);
        regionFrames.pop_back();
      }
      frames.pop_back();
      closed = true;
    }
    if (closed)
      continue;

    if (looksLikeRegion(i)) {
      // A brace without a partner reaches as far as what is around it.
      const uint32_t close =
          match(i) != noIndex ? match(i) : frames.back().close;
      const Frame &outer = frames[regionFrames.back()];
      allRegions.push_back({i, close, outer.region, outer.statement});
      regionFrames.push_back(uint32_t(frames.size()));
      frames.push_back({close, uint32_t(allRegions.size() - 1)});
      continue;
    }
    if (match(i) != noIndex && match(i) > i) {
      frames.push_back({match(i), noIndex});
      continue;
    }

    Frame &frame = frames.back();
    if (frame.region == noIndex)
      continue;
    std::optional<Statement> statement = startOf(i, frame, labelEnd);
    if (!statement)
      continue;
    endStatement(frame, i);
    frame.statement = uint32_t(allStatements.size());
    if (statement->kind == StatementKind::Label) {
      labelEnd = is(i + 1, ":") ? i + 1 : match(i + 1) + 1;
      Region &region = allRegions[frame.region];
      region.severalBlocks |= i != region.open + 1;
    }
    allStatements.push_back(*statement);
  }
  for (uint32_t index : regionFrames)
    endStatement(frames[index], size());

  for (const Statement &statement : allStatements)
    if (statement.kind == StatementKind::Alias)
      aliases.try_emplace(spelling(statement.name),
                          TokenRange{statement.name + 2, statement.end});
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

llvm::StringRef Outline::customName(const Statement &statement) const {
  if (statement.kind != StatementKind::Operation ||
      kind(statement.name) != TokenKind::Identifier)
    return {};
  return spelling(statement.name);
}

llvm::StringRef Outline::genericName(const Statement &statement) const {
  if (statement.kind != StatementKind::Operation ||
      kind(statement.name) != TokenKind::String)
    return {};
  return spelling(statement.name).drop_front().drop_back();
}

llvm::SmallVector<uint32_t, 32>
Outline::spine(const Statement &statement) const {
  llvm::SmallVector<uint32_t, 32> indices;
  for (uint32_t i = statement.name; i < statement.end; i = skip(i)) {
    // What follows a brace without a partner stands in its region.
    if (match(i) == noIndex && is(i, "{"))
      break;
    indices.push_back(i);
    if (match(i) != noIndex && match(i) > i && match(i) < statement.end)
      indices.push_back(match(i));
  }
  const size_t count = indices.size();
  if (count > 3 && is(indices[count - 3], "loc") && is(indices[count - 2], "("))
    indices.truncate(count - 3);
  return indices;
}

std::optional<TokenRange> Outline::alias(llvm::StringRef name) const {
  auto found = aliases.find(name);
  if (found == aliases.end())
    return std::nullopt;
  return found->second;
}

std::optional<TokenRange> Outline::findKey(uint32_t open,
                                           llvm::StringRef key) const {
  const uint32_t close = match(open);
  if (close == noIndex)
    return std::nullopt;
  for (uint32_t i = open + 1; i < close; ++i) {
    const uint32_t name = i;
    while (i < close && !is(i, ","))
      i = skip(i);
    llvm::StringRef found = spelling(name);
    if (kind(name) == TokenKind::String)
      found = found.drop_front().drop_back();
    if (found == key && is(name + 1, "=") && name + 2 < i)
      return TokenRange{name + 2, i};
  }
  return std::nullopt;
}

} // namespace ktir::syntax
