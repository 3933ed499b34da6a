//===- KeptText.h - What a changed text has of the old one ------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_KEPTTEXT_H
#define KTIR_LIB_DRIVER_KEPTTEXT_H

#include "ktir/Syntax/FixedText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace ktir {

/// The parts that two texts share, in the same order in both. Whole lines are
/// compared first: a text that grew by a line usually has its neighbours'
/// indentation and sigils in common with it, and byte by byte they would be cut
/// in two. Keeps references to the texts. Building it takes time that is, but
/// for a logarithm, linear.
class KeptText {
public:
  /// `size` bytes that are the same from `old` and from `current` on.
  struct Part {
    size_t old, current, size;
  };

  KeptText() = default;
  KeptText(llvm::StringRef old, llvm::StringRef current);

  /// The parts that hold or touch a place of the current text: one, two where
  /// something between them is gone, none inside of what is new.
  llvm::ArrayRef<Part> partsAt(size_t offset) const;
  /// The place in the old text of `offset`, or of the nearest kept byte before.
  size_t oldBefore(size_t offset) const;
  /// Where a range of the old text begins and ends now, whatever has changed
  /// in it. Absent where one of its ends is gone.
  std::optional<syntax::ByteRange> toCurrent(syntax::ByteRange range) const;
  /// Where a name of the old text stands now. Absent where it has changed.
  std::optional<syntax::ByteRange> nameToCurrent(syntax::ByteRange name) const;

private:
  class Comparison;

  llvm::StringRef oldText, currentText;
  std::vector<Part> parts;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_KEPTTEXT_H
