//===- Outline.h - Statements of MLIR text ----------------------*- C++ -*-===//
//
// A view of text that needs no parser and no dialect: which brackets belong
// together, where operations start and end, which of them stand in which
// region. It is a guess where the text is wrong, and never fails.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SYNTAX_OUTLINE_H
#define KTIR_SYNTAX_OUTLINE_H

#include "ktir/Syntax/Tokenizer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace ktir::syntax {

/// Stands for "no token", "no statement", "no region".
inline constexpr uint32_t noIndex = ~0u;

/// The tokens `first .. last` of an outline, `last` excluded.
struct TokenRange {
  uint32_t first = noIndex, last = noIndex;
  bool empty() const { return first >= last; }
};

enum class StatementKind : uint8_t {
  Operation,
  Alias, ///< `#name = …` or `!name = …`
  Label, ///< `^bb0(…):`
};

/// One operation with its regions, an alias definition or a block label.
struct Statement {
  StatementKind kind;
  uint32_t first;  ///< first token: a result name, or the operation's name
  uint32_t name;   ///< token of the operation's name; otherwise `first`
  uint32_t end;    ///< one past the last token
  uint32_t region; ///< the region it stands in
};

/// A block list in braces. Region 0 is the whole text.
struct Region {
  uint32_t open;      ///< the brace; `noIndex` for the whole text
  uint32_t close;     ///< the closing brace, or where the text ends without one
  uint32_t parent;    ///< the region around it
  uint32_t statement; ///< the operation that has it
  bool severalBlocks = false;
};

/// The tokens of a text, without comments, and their structure. Keeps a
/// reference to the text. Building it takes linear time and does not recurse.
class Outline {
public:
  explicit Outline(llvm::StringRef text);

  llvm::StringRef text() const { return contents; }
  uint32_t size() const { return uint32_t(tokens.size()); }
  /// The token, which must exist.
  const Token &token(uint32_t index) const { return tokens[index]; }
  /// The text of a token; empty when there is no such token.
  llvm::StringRef spelling(uint32_t index) const;
  /// `Unknown` when there is no such token.
  TokenKind kind(uint32_t index) const;
  /// Whether the token exists and is spelled like this.
  bool is(uint32_t index, llvm::StringRef expected) const {
    return spelling(index) == expected;
  }
  /// The text from the first to the last token of a range.
  llvm::StringRef slice(TokenRange range) const;

  /// The other bracket of a pair of `()`, `[]`, `{}`, `<>`, `{-##-}`;
  /// `noIndex` for any other token and for a bracket without a partner.
  uint32_t match(uint32_t index) const {
    return index < matches.size() ? matches[index] : noIndex;
  }
  /// The next token on the same level of brackets.
  uint32_t skip(uint32_t index) const {
    uint32_t other = match(index);
    return other != noIndex && other > index ? other + 1 : index + 1;
  }
  /// The tokens inside a pair of brackets; none for a bracket without a
  /// partner.
  TokenRange inside(uint32_t open) const {
    uint32_t close = match(open);
    return {open + 1, close == noIndex ? open + 1 : close};
  }
  /// The parts of a range between its commas, brackets kept together. An empty
  /// range has no part.
  llvm::SmallVector<TokenRange> split(TokenRange range) const;

  /// In the order of their first tokens.
  llvm::ArrayRef<Statement> statements() const { return allStatements; }
  /// In the order of their braces.
  llvm::ArrayRef<Region> regions() const { return allRegions; }

  /// The name of an operation in custom form (`ktdp.load`); empty for anything
  /// else.
  llvm::StringRef customName(const Statement &statement) const;
  /// The name of an operation in generic form, without quotes; empty for
  /// anything else.
  llvm::StringRef genericName(const Statement &statement) const;
  /// The tokens of an operation from its name on that stand outside brackets,
  /// with the brackets, without a location at the end.
  llvm::SmallVector<uint32_t, 32> spine(const Statement &statement) const;

  /// What `#name` or `!name` is defined as.
  std::optional<TokenRange> alias(llvm::StringRef name) const;
  /// The value of `key` in the attribute dictionary that `open` starts.
  std::optional<TokenRange> findKey(uint32_t open, llvm::StringRef key) const;

private:
  struct Frame;

  void matchBrackets();
  void findStatements();
  bool looksLikeRegion(uint32_t open) const;
  uint32_t resultsEnd(uint32_t index) const;
  bool isContinued(uint32_t previous) const;
  std::optional<Statement> startOf(uint32_t index, const Frame &frame,
                                   uint32_t labelEnd) const;

  llvm::StringRef contents;
  std::vector<Token> tokens;
  std::vector<uint32_t> matches;
  std::vector<Statement> allStatements;
  std::vector<Region> allRegions;
  llvm::StringMap<TokenRange> aliases;
};

} // namespace ktir::syntax

#endif // KTIR_SYNTAX_OUTLINE_H
