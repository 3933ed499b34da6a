//===- Tokenizer.h - The tokens of MLIR text --------------------*- C++ -*-===//
//
// Cuts text into the tokens of MLIR without judging it: any bytes are taken,
// and what is no token of the language becomes one of kind `Unknown`. The time
// is linear in the size of the text.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SYNTAX_TOKENIZER_H
#define KTIR_SYNTAX_TOKENIZER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace ktir::syntax {

/// What a token is. Keywords are identifiers; an extent of a shape (`4x64xf16`)
/// is an integer followed by an identifier (`4`, `x64xf16`).
enum class TokenKind : uint8_t {
  Identifier,    ///< `index`, `ktdp.load`
  Value,         ///< `%a`, `%0`, `%a#1`, `%"a b"`
  Symbol,        ///< `@main`, `@"a b"`
  AttributeName, ///< `#map`, `#ktdp.memory_space`
  TypeName,      ///< `!t`, `!ktdp.access_tile`
  Block,         ///< `^bb0`
  Integer,       ///< `12`, `0xFC00`; a sign is a token of its own
  Float,         ///< `1.0e-5`
  String,        ///< `"a b"`, on one line
  Punctuation,   ///< `(`, `->`, `::`, `>=`, `{-#`, and a bare `%`
  Comment,       ///< `// …` without the line end
  Unknown,       ///< bytes that start no token; a string without an end
};

/// One token: the bytes `begin .. end` of the text.
struct Token {
  TokenKind kind;
  uint32_t begin, end;
};

/// All tokens of `text` in order. The bytes between two tokens are blanks (and
/// comments, if these are left out). Text of 4 GiB and more has no tokens:
/// positions would not fit.
std::vector<Token> tokenize(llvm::StringRef text, bool withComments = true);

} // namespace ktir::syntax

#endif // KTIR_SYNTAX_TOKENIZER_H
