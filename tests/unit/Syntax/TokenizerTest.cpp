//===- TokenizerTest.cpp - The tokens of MLIR text ------------------------===//

#include "ktir/Syntax/Tokenizer.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

using Tokens = std::vector<std::pair<TokenKind, std::string>>;

/// The tokens of a text; expects that there is nothing but blanks (and
/// comments, if left out) between them.
static Tokens tokensOf(llvm::StringRef text, bool withComments = true) {
  Tokens result;
  size_t at = 0;
  for (const Token &token : tokenize(text, withComments)) {
    EXPECT_LT(token.begin, token.end);
    EXPECT_LE(at, token.begin);
    if (withComments) {
      EXPECT_EQ(text.slice(at, token.begin).trim(" \t\r\n"), "");
    }
    result.push_back({token.kind, text.slice(token.begin, token.end).str()});
    at = token.end;
  }
  if (withComments) {
    EXPECT_EQ(text.substr(at).trim(" \t\r\n"), "");
  }
  return result;
}

namespace ktir::syntax {
static void PrintTo(TokenKind kind, std::ostream *stream) {
  *stream << unsigned(kind);
}
} // namespace ktir::syntax

TEST(Tokenizer, Names) {
  EXPECT_EQ(tokensOf("index ktdp.load _a$1 x64xf16"),
            (Tokens{{TokenKind::Identifier, "index"},
                    {TokenKind::Identifier, "ktdp.load"},
                    {TokenKind::Identifier, "_a$1"},
                    {TokenKind::Identifier, "x64xf16"}}));
  EXPECT_EQ(tokensOf("%a %0 %a#12 %a-b.c$ %\"a b\" %\"a\"#1 %12x"),
            (Tokens{{TokenKind::Value, "%a"},
                    {TokenKind::Value, "%0"},
                    {TokenKind::Value, "%a#12"},
                    {TokenKind::Value, "%a-b.c$"},
                    {TokenKind::Value, "%\"a b\""},
                    {TokenKind::Value, "%\"a\"#1"},
                    {TokenKind::Value, "%12"},
                    {TokenKind::Identifier, "x"}}));
  EXPECT_EQ(tokensOf("@main @\"a b\" #map #ktdp.memory_space !t "
                     "!ktdp.access_tile ^bb0 #0"),
            (Tokens{{TokenKind::Symbol, "@main"},
                    {TokenKind::Symbol, "@\"a b\""},
                    {TokenKind::AttributeName, "#map"},
                    {TokenKind::AttributeName, "#ktdp.memory_space"},
                    {TokenKind::TypeName, "!t"},
                    {TokenKind::TypeName, "!ktdp.access_tile"},
                    {TokenKind::Block, "^bb0"},
                    {TokenKind::AttributeName, "#0"}}));
}

TEST(Tokenizer, ANumberBehindAValueNamesItsResult) {
  EXPECT_EQ(tokensOf("%a:2 %a #1 %a#b"),
            (Tokens{{TokenKind::Value, "%a"},
                    {TokenKind::Punctuation, ":"},
                    {TokenKind::Integer, "2"},
                    {TokenKind::Value, "%a"},
                    {TokenKind::AttributeName, "#1"},
                    {TokenKind::Value, "%a"},
                    {TokenKind::AttributeName, "#b"}}));
}

TEST(Tokenizer, Numbers) {
  EXPECT_EQ(tokensOf("12 0xFC00 1.0 1. 1.0e-5 9.99E-6 1e5 2.5exp -3"),
            (Tokens{{TokenKind::Integer, "12"},
                    {TokenKind::Integer, "0xFC00"},
                    {TokenKind::Float, "1.0"},
                    {TokenKind::Float, "1."},
                    {TokenKind::Float, "1.0e-5"},
                    {TokenKind::Float, "9.99E-6"},
                    {TokenKind::Integer, "1"},
                    {TokenKind::Identifier, "e5"},
                    {TokenKind::Float, "2.5"},
                    {TokenKind::Identifier, "exp"},
                    {TokenKind::Punctuation, "-"},
                    {TokenKind::Integer, "3"}}));
}

TEST(Tokenizer, Shapes) {
  EXPECT_EQ(tokensOf("<4x64xindex>"),
            (Tokens{{TokenKind::Punctuation, "<"},
                    {TokenKind::Integer, "4"},
                    {TokenKind::Identifier, "x64xindex"},
                    {TokenKind::Punctuation, ">"}}));
  EXPECT_EQ(tokensOf("?x0xi32"), (Tokens{{TokenKind::Punctuation, "?"},
                                         {TokenKind::Identifier, "x0xi32"}}));
  // An extent of 0 is no hexadecimal number.
  EXPECT_EQ(tokensOf("0xi32"), (Tokens{{TokenKind::Integer, "0"},
                                       {TokenKind::Identifier, "xi32"}}));
}

TEST(Tokenizer, Punctuation) {
  EXPECT_EQ(tokensOf("()[]{}<>->::,:=-+*/?|...>=<==={-##-}").size(), 25u);
  for (const char *one :
       {"(",  ")",   "[",  "]",  "{",  "}",   "<",   ">", "->",
        "::", ",",   ":",  "=",  "-",  "+",   "*",   "/", "?",
        "|",  "...", ">=", "<=", "==", "{-#", "#-}", "%"})
    EXPECT_EQ(tokensOf(one), (Tokens{{TokenKind::Punctuation, one}}));
}

TEST(Tokenizer, OperatorsAndComments) {
  EXPECT_EQ(tokensOf("%t % 64 %t%64 %a / 2 // b % c\n%d"),
            (Tokens{{TokenKind::Value, "%t"},
                    {TokenKind::Punctuation, "%"},
                    {TokenKind::Integer, "64"},
                    {TokenKind::Value, "%t"},
                    {TokenKind::Value, "%64"},
                    {TokenKind::Value, "%a"},
                    {TokenKind::Punctuation, "/"},
                    {TokenKind::Integer, "2"},
                    {TokenKind::Comment, "// b % c"},
                    {TokenKind::Value, "%d"}}));
  EXPECT_EQ(
      tokensOf("a//b\r\nc//", /*withComments=*/false),
      (Tokens{{TokenKind::Identifier, "a"}, {TokenKind::Identifier, "c"}}));
}

TEST(Tokenizer, Strings) {
  EXPECT_EQ(tokensOf("\"a\\\"b\" \"\\\\\" \"// no\""),
            (Tokens{{TokenKind::String, "\"a\\\"b\""},
                    {TokenKind::String, "\"\\\\\""},
                    {TokenKind::String, "\"// no\""}}));
  // Without an end it takes the line, so that nothing in it is a token.
  EXPECT_EQ(tokensOf("\"a %b\nc @\"d\ne %\"f\\\ng \"h\\"),
            (Tokens{{TokenKind::Unknown, "\"a %b"},
                    {TokenKind::Identifier, "c"},
                    {TokenKind::Unknown, "@\"d"},
                    {TokenKind::Identifier, "e"},
                    {TokenKind::Unknown, "%\"f\\"},
                    {TokenKind::Identifier, "g"},
                    {TokenKind::Unknown, "\"h\\"}}));
}

TEST(Tokenizer, AnyBytes) {
  EXPECT_EQ(tokensOf(llvm::StringRef("a\0b", 3)),
            (Tokens{{TokenKind::Identifier, "a"},
                    {TokenKind::Unknown, std::string(1, '\0')},
                    {TokenKind::Identifier, "b"}}));
  EXPECT_EQ(tokensOf("\xC3\xA9\xFF\x80 ; ~ $ . .. # ! ^ @ @1"),
            (Tokens{{TokenKind::Unknown, "\xC3\xA9\xFF\x80"},
                    {TokenKind::Unknown, ";"},
                    {TokenKind::Unknown, "~"},
                    {TokenKind::Unknown, "$"},
                    {TokenKind::Unknown, "."},
                    {TokenKind::Unknown, "."},
                    {TokenKind::Unknown, "."},
                    {TokenKind::Unknown, "#"},
                    {TokenKind::Unknown, "!"},
                    {TokenKind::Unknown, "^"},
                    {TokenKind::Unknown, "@"},
                    {TokenKind::Unknown, "@"},
                    {TokenKind::Integer, "1"}}));
  // Every pair of bytes: the tokens and the blanks make up the text.
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      const char text[] = {char(a), char(b)};
      tokensOf(llvm::StringRef(text, 2));
    }
  EXPECT_TRUE(tokensOf("").empty());
  EXPECT_TRUE(tokensOf(" \t\r\n").empty());
}
