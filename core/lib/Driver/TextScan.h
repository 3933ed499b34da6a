//===- TextScan.h - Positions and limits in source text ---------*- C++ -*-===//
//
// What the driver finds out about a text without parsing it: where a line
// starts, where a token ends, how deeply brackets nest.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_DRIVER_TEXTSCAN_H
#define KTIR_LIB_DRIVER_TEXTSCAN_H

#include "ktir/Driver/Driver.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ktir {

/// The text of one file with an index of its lines.
class SourceText {
public:
  SourceText() = default;
  SourceText(std::string file, std::string text);

  const std::string &file() const { return name; }
  const std::string &text() const { return contents; }

  /// Byte offset of a position; absent when it lies outside the text. The
  /// column one past the end of a line is inside.
  std::optional<size_t> offsetOf(unsigned line, unsigned column) const;
  /// The range of the bytes `begin .. end`.
  SourceRange rangeOf(size_t begin, size_t end) const;
  /// The line without its line end; empty when out of range.
  llvm::StringRef line(unsigned line) const;
  /// The first token of the line from `offset` on: parsers report a wrong token
  /// right behind the one before it. `offset` itself when the line has none.
  size_t tokenStart(size_t offset) const;
  /// One past the token that starts at `offset`; `offset` itself at a blank or
  /// the end of the text.
  size_t tokenEnd(size_t offset) const;

private:
  std::string name;
  std::string contents;
  std::vector<size_t> lineStarts;
};

/// Why a text is not given to a parser.
struct TextProblem {
  size_t offset;
  std::string message;
};

/// The first byte that no text has: NUL, or a byte order mark.
std::optional<TextProblem> findUnreadableByte(llvm::StringRef text);

/// Parsers recurse over brackets and over operators of an affine expression,
/// and compare every constraint of a set with the others. Returns where the
/// text goes beyond what the host's stack and patience hold, and why.
std::optional<TextProblem> findExcessiveNesting(llvm::StringRef text);

/// The keys of the outermost object of a JSON text, in order, each with the
/// bytes of its string token and of its value. The text must be well-formed
/// JSON.
struct JsonKey {
  std::string name;
  size_t begin, end;
  size_t valueBegin = 0, valueEnd = 0;
};
std::vector<JsonKey> outermostJsonKeys(llvm::StringRef text);

/// A number of things in words: "1 byte", "2 bytes".
std::string counted(uint64_t number, llvm::StringRef thing);

/// The nearest of `candidates` to a misspelt `name`; absent when none is near.
std::optional<std::string>
nearestName(const std::string &name,
            const std::vector<std::string> &candidates);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_TEXTSCAN_H
