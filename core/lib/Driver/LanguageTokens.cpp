//===- LanguageTokens.cpp - What the words of a text are ------------------===//

#include "LanguageImpl.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

namespace ktir {

using syntax::TokenKind;

/// Names of builtin types, as far as they are one word.
static bool isTypeWord(llvm::StringRef word) {
  if (word == "index" || word == "none" || word == "tensor" ||
      word == "memref" || word == "vector" || word == "bf16" ||
      word == "complex" || word == "tuple")
    return true;
  llvm::StringRef digits = word;
  if (!digits.consume_front("si") && !digits.consume_front("ui") &&
      !digits.consume_front("i") && !digits.consume_front("f"))
    return false;
  return !digits.empty() &&
         llvm::all_of(digits, [](char c) { return llvm::isDigit(c); });
}

static TokenType typeOf(TokenKind kind, llvm::StringRef word) {
  switch (kind) {
  case TokenKind::Value:
    return TokenType::Value;
  case TokenKind::Symbol:
    return TokenType::Symbol;
  case TokenKind::Block:
    return TokenType::Label;
  case TokenKind::AttributeName:
    return TokenType::Alias;
  case TokenKind::TypeName:
    return TokenType::Type;
  case TokenKind::Integer:
  case TokenKind::Float:
    return TokenType::Number;
  case TokenKind::String:
    return TokenType::String;
  case TokenKind::Comment:
    return TokenType::Comment;
  default:
    return isTypeWord(word) ? TokenType::Type : TokenType::Keyword;
  }
}

std::vector<SemanticToken> colour(const LanguageService::Impl &service) {
  std::vector<SemanticToken> result;
  const llvm::StringRef text = service.source.text();
  const syntax::Outline outline(text);
  llvm::DenseSet<uint32_t> operationStarts;
  for (const syntax::Statement &statement : outline.statements())
    if (statement.kind == syntax::StatementKind::Operation &&
        statement.name < outline.size())
      operationStarts.insert(outline.token(statement.name).begin);

  size_t previousEnd = text.size();
  for (const syntax::Token &token : syntax::tokenize(text)) {
    // The rest of a shape: `x64xf16` behind `4`.
    const bool continuesShape =
        token.begin == previousEnd && text[token.begin] == 'x';
    previousEnd = token.end;
    if (token.kind == TokenKind::Punctuation ||
        token.kind == TokenKind::Unknown)
      continue;
    SemanticToken semantic;
    const llvm::StringRef word = text.slice(token.begin, token.end);
    semantic.type = operationStarts.contains(token.begin) ? TokenType::Operation
                    : continuesShape ? TokenType::Type
                                     : typeOf(token.kind, word);
    const SourceRange range = service.source.rangeOf(token.begin, token.end);
    semantic.line = range.line;
    semantic.column = range.column;
    semantic.length = token.end - token.begin;
    if (std::optional<LanguageService::Impl::Found> found =
            service.find({range.line, range.column});
        found && found->range.begin == token.begin) {
      const Entity &entity = service.entityOf(*found->occurrence);
      if (entity.kind == Entity::Kind::Argument)
        semantic.type = TokenType::Parameter;
      semantic.isDefinition = found->occurrence->isDefinition &&
                              entity.kind != Entity::Kind::Operation;
    }
    result.push_back(semantic);
  }
  return result;
}

} // namespace ktir
