//===- Mutator.cpp - Texts made of others by small changes ----------------===//

#include "Mutator.h"
#include "SourceFolder.h"

#include "ktir/Syntax/Tokenizer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace ktir {

std::vector<std::string> readSeeds() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = test::sourceFolder();
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

void keepText(const std::string &text) {
  if (const char *path = std::getenv("KTIR_FUZZ_TEXT"))
    std::ofstream(path, std::ios::binary) << text;
}

Mutator::Pieces Mutator::cut(const std::string &text) {
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

static std::string join(const std::vector<std::string> &pieces) {
  std::string text;
  for (const std::string &piece : pieces)
    text += piece;
  return text;
}

Mutator::Mutator(const std::vector<std::string> &seeds, uint64_t seed)
    : generator(seed) {
  for (const std::string &text : seeds)
    texts.push_back(cut(text));
}

std::string Mutator::next() {
  std::string text = change(below(texts.size()));
  if (below(16) == 0 && !text.empty())
    text[below(text.size())] = char(below(256));
  if (below(32) == 0)
    text.resize(below(text.size() + 1));
  return text;
}

std::string Mutator::change(size_t index) {
  Pieces pieces = texts[index];
  for (size_t changes = 1 + below(2) * below(4); changes > 0; --changes)
    change(pieces);
  return join(pieces);
}

void Mutator::change(Pieces &pieces) {
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

} // namespace ktir
