//===- Mutator.h - Texts made of others by small changes --------*- C++ -*-===//

#ifndef KTIR_TESTS_FUZZ_MUTATOR_H
#define KTIR_TESTS_FUZZ_MUTATOR_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ktir {

/// The examples and the test inputs of the repository, in a fixed order.
std::vector<std::string> readSeeds();

/// With KTIR_FUZZ_TEXT=FILE, writes `text` to FILE, so that one that ends the
/// process is there.
void keepText(const std::string &text);

/// Changes texts at random places, in the same way in every run.
class Mutator {
public:
  Mutator(const std::vector<std::string> &seeds, uint64_t seed);

  /// One of the texts with one change or a few.
  std::string next();
  /// The same of text number `index`, without broken bytes and cut ends.
  std::string change(size_t index);
  size_t numTexts() const { return texts.size(); }

private:
  /// A text in pieces: tokens and what stands between them.
  using Pieces = std::vector<std::string>;

  static Pieces cut(const std::string &text);
  size_t below(size_t bound) { return bound ? generator() % bound : 0; }
  void change(Pieces &pieces);

  std::mt19937_64 generator;
  std::vector<Pieces> texts;
};

} // namespace ktir

#endif // KTIR_TESTS_FUZZ_MUTATOR_H
