//===- LanguageService.h - What an editor asks about a text -----*- C++ -*-===//
//
// Diagnostics, hover, navigation, completion and semantic tokens of one
// document. Plain C++17 types only, as in Driver.h. Positions count lines and
// columns from 1, columns in bytes, and are those of the text last given to
// `update`, whatever forms it is written in.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DRIVER_LANGUAGESERVICE_H
#define KTIR_DRIVER_LANGUAGESERVICE_H

#include "ktir/Driver/Driver.h"

namespace ktir {

/// A place between two bytes. The column one past the end of a line is inside.
struct TextPosition {
  unsigned line = 1, column = 1;
};

/// What is known about the name at a position.
struct HoverInfo {
  /// The name.
  SourceRange range;
  /// Markdown.
  std::string text;
};

enum class SymbolKind : uint8_t { Module, Function, Operation, Value, Alias };

/// An entry of the outline.
struct DocumentSymbol {
  std::string name;   ///< as written: `@main`, `%x`, `#map`, `scf.for`
  std::string detail; ///< name of the operation
  SymbolKind kind = SymbolKind::Value;
  /// Everything that belongs to it, and the part that names it.
  SourceRange range, nameRange;
  /// Position of the entry around it, which comes before; -1: none.
  int parent = -1;
};

enum class CompletionKind : uint8_t {
  Operation,
  Value,
  Type,
  Attribute, ///< key of an attribute dictionary
  Alias,
  Constant, ///< an attribute value
  Symbol,
  Block,
};

struct CompletionItem {
  std::string label; ///< also what is inserted
  CompletionKind kind = CompletionKind::Value;
  std::string detail;        ///< one line: a type, a summary
  std::string documentation; ///< markdown, may be empty
};

struct CompletionList {
  /// The bytes that an item replaces.
  SourceRange range;
  /// Best first.
  std::vector<CompletionItem> items;
};

enum class TokenType : uint8_t {
  Operation,
  Parameter, ///< a value that a block gets
  Value,     ///< any other value
  Symbol,
  Label,
  Alias,
  Type,
  Keyword,
  Number,
  String,
  Comment,
};

struct SemanticToken {
  unsigned line = 0, column = 0, length = 0;
  TokenType type = TokenType::Keyword;
  /// The place where the name is given its meaning.
  bool isDefinition = false;
};

/// One open document. Every question but `update` is answered from the last
/// text that parsed, and never parses. Where the current text differs from that
/// one, places are carried over: what stands before, between and after the
/// parts that changed keeps its meaning. A name that was changed has none.
/// Move-only.
class LanguageService {
public:
  /// Of `options`, those count that say how a text is read: `fileName`,
  /// `device`, `deviceName`, `readFile`, `strict`.
  explicit LanguageService(CompileOptions options = {});
  ~LanguageService();
  LanguageService(LanguageService &&) noexcept;
  LanguageService &operator=(LanguageService &&) noexcept;

  /// Replaces the text. The result is what compiling to level `ktir` reports.
  const std::vector<Diagnostic> &update(const std::string &text);
  const std::vector<Diagnostic> &diagnostics() const;

  /// Absent where there is nothing to say.
  std::optional<HoverInfo> hover(TextPosition position) const;
  /// Where the value, block, symbol or alias at `position` is defined; empty
  /// for anything else.
  std::vector<SourceRange> definition(TextPosition position) const;
  /// All places of that name in the order of the text.
  std::vector<SourceRange> references(TextPosition position,
                                      bool withDefinition = true) const;
  /// Aliases, symbols, and operations with results or regions, in the order of
  /// the text.
  std::vector<DocumentSymbol> symbols() const;
  CompletionList completion(TextPosition position) const;
  /// In the order of the text; no token spans lines.
  std::vector<SemanticToken> semanticTokens() const;

  /// How often a text was parsed.
  unsigned parseCount() const;

  struct Impl;

private:
  std::unique_ptr<Impl> state;
};

} // namespace ktir

#endif // KTIR_DRIVER_LANGUAGESERVICE_H
