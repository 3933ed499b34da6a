//===- FixedText.h - Text with its legacy forms replaced --------*- C++ -*-===//

#ifndef KTIR_SYNTAX_FIXEDTEXT_H
#define KTIR_SYNTAX_FIXEDTEXT_H

#include "ktir/Syntax/LegacyForms.h"

#include "llvm/ADT/ArrayRef.h"

namespace ktir::syntax {

/// Half-open range of bytes.
struct ByteRange {
  size_t begin = 0, end = 0;
};

/// A text with edits applied, and where each byte of it came from.
class FixedText {
public:
  /// Applies the edits of all `fixes`, which must not overlap.
  FixedText(llvm::StringRef original, llvm::ArrayRef<Fix> fixes);

  /// The fixed text.
  const std::string &text() const { return contents; }

  /// The original byte that a byte of the fixed text stands for: itself where
  /// nothing was replaced, otherwise the first byte that was replaced.
  size_t originalOffset(size_t fixed) const;
  /// The original bytes of a range of the fixed text. Replaced text stands for
  /// all that it replaced; what was inserted, for the bytes its form was
  /// reported at.
  ByteRange originalRange(size_t begin, size_t end) const;
  /// Where a byte of the original text is in the fixed text; for replaced bytes
  /// the start of the replacement.
  size_t fixedOffset(size_t original) const;

private:
  struct Segment {
    ByteRange original, fixed;
    ByteRange reported;
  };

  std::string contents;
  std::vector<Segment> segments; // by position; between them nothing changed
};

} // namespace ktir::syntax

#endif // KTIR_SYNTAX_FIXEDTEXT_H
