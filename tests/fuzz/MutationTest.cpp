//===- MutationTest.cpp - Texts that nobody would write -------------------===//
//
// Ten thousand texts made of the examples by small changes. Whatever a text
// is, reading it ends with a module or with an error that has a message; what
// was read is printed, read and printed again, and the two texts are equal. The
// changes come from a generator with a fixed seed, so every run tries the same
// texts. With KTIR_FUZZ_TEXT=FILE each text is written to FILE before it is
// tried, so that one that ends the process is there.
//
//===----------------------------------------------------------------------===//

#include "ktir/Driver/Driver.h"
#include "ktir/Syntax/Tokenizer.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace ktir;

namespace {
/// A text in pieces: tokens and what stands between them.
using Pieces = std::vector<std::string>;

Pieces cut(const std::string &text) {
  Pieces pieces;
  size_t at = 0;
  for (const syntax::Token &token : syntax::tokenize(text)) {
    if (token.begin > at)
      pieces.push_back(text.substr(at, token.begin - at));
    pieces.push_back(text.substr(token.begin, token.end - token.begin));
    at = token.end;
  }
  pieces.push_back(text.substr(at));
  return pieces;
}

std::string join(const Pieces &pieces) {
  std::string text;
  for (const std::string &piece : pieces)
    text += piece;
  return text;
}

void keepText(const std::string &text) {
  if (const char *path = std::getenv("KTIR_FUZZ_TEXT"))
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> readSeeds() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = KTIR_SOURCE_DIR;
  for (const char *folder : {"tests/inputs", "examples"})
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".mlir")
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto &path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    seeds.push_back(text.str());
  }
  return seeds;
}

/// Changes texts at random places.
class Mutator {
public:
  explicit Mutator(std::vector<std::string> seeds) : generator(20261129) {
    for (const std::string &seed : seeds)
      texts.push_back(cut(seed));
  }

  std::string next() {
    Pieces pieces = texts[below(texts.size())];
    for (size_t changes = 1 + below(2) * below(4); changes > 0; --changes)
      change(pieces);
    std::string text = join(pieces);
    if (below(16) == 0 && !text.empty())
      text[below(text.size())] = char(below(256));
    if (below(32) == 0)
      text.resize(below(text.size() + 1));
    return text;
  }

private:
  size_t below(size_t bound) { return bound ? generator() % bound : 0; }

  void change(Pieces &pieces) {
    static const char *const values[] = {
        "0",
        "-1",
        "1",
        "64",
        "9223372036854775807",
        "0x7F",
        "1e40",
        "\"\"",
        "?",
        "index",
        "f16",
        "i32",
        "f32",
        "%c0",
        "tensor<*xf16>",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ",",
        ":",
        "->",
        "=",
        "mod",
        "#ktdp.memory_space<ct_local, ct_id = 3>"};
    if (pieces.empty())
      return;
    const size_t at = below(pieces.size());
    switch (below(7)) {
    case 0:
      pieces.erase(pieces.begin() + at);
      break;
    case 1:
      pieces.insert(pieces.begin() + at, pieces[below(pieces.size())]);
      break;
    case 2:
      std::swap(pieces[at], pieces[below(pieces.size())]);
      break;
    case 3:
    case 4:
      pieces[at] = values[below(std::size(values))];
      break;
    case 5: {
      // A piece of another text, of the length of an operation or so.
      const Pieces &other = texts[below(texts.size())];
      const size_t from = below(other.size());
      const size_t count = std::min(other.size() - from, 1 + below(40));
      pieces.insert(pieces.begin() + at, other.begin() + from,
                    other.begin() + from + count);
      break;
    }
    case 6: {
      const size_t count = std::min(pieces.size() - at, 1 + below(40));
      pieces.erase(pieces.begin() + at, pieces.begin() + at + count);
      break;
    }
    }
  }

  std::mt19937_64 generator;
  std::vector<Pieces> texts;
};
} // namespace

TEST(Mutation, ReadingEndsAndPrintingIsStable) {
  Mutator mutator(readSeeds());
  CompileOptions options;
  options.to = Level::Ktir;
  unsigned readable = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE("text " + std::to_string(i));
    keepText(text);
    Compilation first = compile(text, options);
    if (!first.succeeded()) {
      ASSERT_FALSE(first.diagnostics().empty()) << text;
      for (const Diagnostic &diagnostic : first.diagnostics())
        ASSERT_FALSE(diagnostic.message.empty()) << text;
      continue;
    }
    ++readable;
    const std::string printed = first.stageText(0);
    Compilation second = compile(printed, options);
    ASSERT_TRUE(second.succeeded())
        << text << "\n--- printed\n"
        << printed << "\n--- "
        << (second.diagnostics().empty() ? ""
                                         : second.diagnostics()[0].message);
    ASSERT_EQ(second.stageText(0), printed) << text;
  }
  // Otherwise nothing but refusals would be tried.
  EXPECT_GT(readable, 500u);
}

TEST(Mutation, FormattingKeepsTheProgram) {
  Mutator mutator(readSeeds());
  CompileOptions options;
  options.to = Level::Ktir;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE("text " + std::to_string(i));
    keepText(text);
    FormatResult formatted = format(text, "kernel.mlir");
    if (!formatted.text) {
      ASSERT_FALSE(formatted.diagnostics.empty()) << text;
      continue;
    }
    ASSERT_EQ(compile(*formatted.text, options).stageText(0),
              compile(text, options).stageText(0))
        << text;
    FormatResult again = format(*formatted.text, "kernel.mlir");
    ASSERT_EQ(again.text, formatted.text) << text;
  }
}
