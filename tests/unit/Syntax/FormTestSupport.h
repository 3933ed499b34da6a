//===- FormTestSupport.h - Expectations about legacy forms ------*- C++ -*-===//

#ifndef KTIR_TESTS_UNIT_SYNTAX_FORMTESTSUPPORT_H
#define KTIR_TESTS_UNIT_SYNTAX_FORMTESTSUPPORT_H

#include "ktir/Syntax/FixedText.h"
#include "ktir/Syntax/LegacyForms.h"

#include <string>
#include <vector>

namespace ktir::syntax {

/// What is expected of one form besides its place.
struct ExpectedForm {
  std::string id;
  std::string message;
  std::string replacement;
  Standing standing = Standing::Legacy;
};

/// Finds the forms of `marked` without its marks and expects each at a pair of
/// marks `~[`, `]~`, in the order of the opening ones, and the text `fixed`
/// when all are fixed.
void expectForms(const std::string &marked,
                 const std::vector<ExpectedForm> &expected,
                 const std::string &fixed);

/// Expects that `text` has no form at all.
void expectNoForm(const std::string &text);

/// Expects the properties that hold for every text: edits in order, apart from
/// each other and inside the text; reported ranges inside the text. Returns
/// the fixed text.
std::string expectSoundEdits(llvm::StringRef text);

/// `lines` in a function of a module, each behind four blanks.
std::string inFunction(const std::string &lines,
                       const std::string &signature = "@f()");

/// The contents of a file below the source folder.
std::string readSource(const std::string &path);

} // namespace ktir::syntax

#endif // KTIR_TESTS_UNIT_SYNTAX_FORMTESTSUPPORT_H
