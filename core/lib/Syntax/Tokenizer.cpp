//===- Tokenizer.cpp - The tokens of MLIR text ----------------------------===//

#include "ktir/Syntax/Tokenizer.h"

#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace ktir::syntax {

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }

static bool isWordBody(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

static bool isSuffixPunctuation(char c) {
  return c == '$' || c == '.' || c == '_' || c == '-';
}

/// Bytes of no token that are reported together: control characters and
/// whatever is not ASCII.
static bool isForeign(char c) {
  return uint8_t(c) >= 0x7F || (uint8_t(c) < 0x20 && !isBlank(c));
}

namespace {
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  /// The token after the blanks from here on; absent at the end of the text.
  std::optional<Token> next();

private:
  char peek(size_t offset = 0) const {
    return at + offset < text.size() ? text[at + offset] : '\0';
  }
  template <typename Predicate> void advanceWhile(Predicate predicate) {
    while (at < text.size() && predicate(text[at]))
      ++at;
  }
  TokenKind lex();
  TokenKind lexWord();
  TokenKind lexNumber();
  TokenKind lexString();
  TokenKind lexValue();
  TokenKind lexHash();
  /// `digit+` or a word with `$`, `.`, `_`, `-`; false when there is none.
  bool lexSuffix();
  TokenKind punctuation(unsigned length) {
    at += length;
    return TokenKind::Punctuation;
  }
  TokenKind unknown() {
    ++at;
    return TokenKind::Unknown;
  }

  llvm::StringRef text;
  size_t at = 0;
};
} // namespace

std::optional<Token> Lexer::next() {
  advanceWhile(isBlank);
  if (at == text.size())
    return std::nullopt;
  const uint32_t begin = uint32_t(at);
  TokenKind kind = lex();
  return Token{kind, begin, uint32_t(at)};
}

TokenKind Lexer::lex() {
  const char c = text[at];
  if (isWordStart(c))
    return lexWord();
  if (llvm::isDigit(c))
    return lexNumber();
  if (isForeign(c)) {
    advanceWhile(isForeign);
    return TokenKind::Unknown;
  }
  switch (c) {
  case '"':
    return lexString();
  case '%':
    return lexValue();
  case '#':
    return lexHash();
  case '!':
    ++at;
    return lexSuffix() ? TokenKind::TypeName : TokenKind::Unknown;
  case '^':
    ++at;
    return lexSuffix() ? TokenKind::Block : TokenKind::Unknown;
  case '@':
    ++at;
    if (peek() == '"')
      return lexString() == TokenKind::String ? TokenKind::Symbol
                                              : TokenKind::Unknown;
    if (!isWordStart(peek()))
      return TokenKind::Unknown;
    advanceWhile(isWordBody);
    return TokenKind::Symbol;
  case '/':
    if (peek(1) != '/')
      return punctuation(1);
    at = std::min(text.find_first_of("\n\r", at), text.size());
    return TokenKind::Comment;
  case '-':
    return punctuation(peek(1) == '>' ? 2 : 1);
  case ':':
    return punctuation(peek(1) == ':' ? 2 : 1);
  case '<':
  case '>':
  case '=':
    return punctuation(peek(1) == '=' ? 2 : 1);
  case '{':
    return punctuation(peek(1) == '-' && peek(2) == '#' ? 3 : 1);
  case '.':
    if (peek(1) == '.' && peek(2) == '.')
      return punctuation(3);
    return unknown();
  case '(':
  case ')':
  case '[':
  case ']':
  case '}':
  case ',':
  case '+':
  case '*':
  case '?':
  case '|':
    return punctuation(1);
  default:
    return unknown();
  }
}

TokenKind Lexer::lexWord() {
  advanceWhile(isWordBody);
  return TokenKind::Identifier;
}

TokenKind Lexer::lexNumber() {
  if (peek() == '0' && peek(1) == 'x') {
    // In `0xi32` the extent 0 stands before an element type.
    if (!llvm::isHexDigit(peek(2))) {
      ++at;
      return TokenKind::Integer;
    }
    at += 2;
    advanceWhile([](char c) { return llvm::isHexDigit(c); });
    return TokenKind::Integer;
  }
  advanceWhile([](char c) { return llvm::isDigit(c); });
  if (peek() != '.')
    return TokenKind::Integer;
  ++at;
  advanceWhile([](char c) { return llvm::isDigit(c); });
  if (peek() == 'e' || peek() == 'E') {
    const bool hasSign = peek(1) == '-' || peek(1) == '+';
    if (llvm::isDigit(peek(hasSign ? 2 : 1))) {
      at += hasSign ? 2 : 1;
      advanceWhile([](char c) { return llvm::isDigit(c); });
    }
  }
  return TokenKind::Float;
}

TokenKind Lexer::lexString() {
  ++at;
  while (at < text.size() && text[at] != '\n') {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') {
      at += 2;
      continue;
    }
    if (text[at++] == '"')
      return TokenKind::String;
  }
  return TokenKind::Unknown;
}

bool Lexer::lexSuffix() {
  const size_t begin = at;
  if (llvm::isDigit(peek()))
    advanceWhile([](char c) { return llvm::isDigit(c); });
  else if (llvm::isAlpha(peek()) || isSuffixPunctuation(peek()))
    advanceWhile(
        [](char c) { return llvm::isAlnum(c) || isSuffixPunctuation(c); });
  return at > begin;
}

TokenKind Lexer::lexValue() {
  ++at;
  if (peek() == '"') {
    if (lexString() != TokenKind::String)
      return TokenKind::Unknown;
  } else if (!lexSuffix()) {
    // The RFC writes `%t % 64`.
    return TokenKind::Punctuation;
  }
  if (peek() == '#' && llvm::isDigit(peek(1))) {
    ++at;
    advanceWhile([](char c) { return llvm::isDigit(c); });
  }
  return TokenKind::Value;
}

TokenKind Lexer::lexHash() {
  if (peek(1) == '-' && peek(2) == '}')
    return punctuation(3);
  ++at;
  return lexSuffix() ? TokenKind::AttributeName : TokenKind::Unknown;
}

std::vector<Token> tokenize(llvm::StringRef text, bool withComments) {
  std::vector<Token> tokens;
  if (text.size() >= UINT32_MAX)
    return tokens;
  Lexer lexer(text);
  while (std::optional<Token> token = lexer.next())
    if (withComments || token->kind != TokenKind::Comment)
      tokens.push_back(*token);
  return tokens;
}

} // namespace ktir::syntax
