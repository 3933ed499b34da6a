//===- LegacyForms.h - Older spellings of KTIR ------------------*- C++ -*-===//
//
// Finds forms that public files contain and the strict language refuses, and
// says how the strict language spells them. docs/lenient.md lists them.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SYNTAX_LEGACYFORMS_H
#define KTIR_SYNTAX_LEGACYFORMS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ktir::syntax {

/// Replaces the bytes `begin .. end` of a text; an insertion when they are
/// equal.
struct Edit {
  size_t begin = 0, end = 0;
  std::string text;
};

/// How the two input modes treat a form.
enum class Standing : uint8_t {
  /// Refused by the strict language: an error in strict mode, a warning and a
  /// rewrite in lenient mode.
  Legacy,
  /// Valid in the strict language with another meaning than its writer had in
  /// mind: nothing in strict mode, a warning and a rewrite in lenient mode.
  Reinterpreted,
  /// Without a strict spelling: an error in both modes. Has no edits.
  Refused,
};

/// One legacy form.
struct Fix {
  const char *id = ""; ///< `LF-1`
  Standing standing = Standing::Legacy;
  size_t begin = 0, end = 0; ///< the bytes to report
  std::string message;       ///< lower-case, with the strict spelling
  /// What the reported bytes become when every form is fixed; empty for
  /// `Refused`.
  std::string replacement;
  /// In order of position. They can lie outside the reported bytes: a result
  /// that gets a name is renamed where it is used.
  std::vector<Edit> edits;
  /// Forms of the same number build on each other: the edits of only some of
  /// them would change what the rest means.
  std::optional<unsigned> chain;
};

/// The legacy forms of `text` in the order of their positions. The edits of
/// all of them together never overlap. A form that cannot be rewritten because
/// the text does not tell enough is left to the parser. The fixed text
/// (FixedText.h) of a program has no legacy form but refused ones. Takes linear
/// time and does not recurse, whatever the bytes are.
std::vector<Fix> findLegacyForms(llvm::StringRef text);

} // namespace ktir::syntax

#endif // KTIR_SYNTAX_LEGACYFORMS_H
