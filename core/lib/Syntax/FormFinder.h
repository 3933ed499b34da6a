//===- FormFinder.h - The search for legacy forms ---------------*- C++ -*-===//
//
// One walk over the outline of a text with the names in scope. Each kind of
// form has a function that looks at one operation; they are in the files
// …Forms.cpp, by subject.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_SYNTAX_FORMFINDER_H
#define KTIR_LIB_SYNTAX_FORMFINDER_H

#include "Scope.h"

#include "ktir/Syntax/LegacyForms.h"
#include "ktir/Syntax/Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace ktir::syntax {

class FormFinder {
public:
  explicit FormFinder(llvm::StringRef text) : outline(text) {}

  std::vector<Fix> run();

private:
  //===--------------------------------------------------------------------===//
  // Reporting (LegacyForms.cpp)
  //===--------------------------------------------------------------------===//

  struct Form {
    Fix fix;
    /// The message is completed by what to write instead.
    bool namesReplacement = true;
    bool dropped = false;
  };

  /// Reports the tokens of `range`; the message goes on with what to write
  /// instead. Returns the index of the form.
  size_t report(const char *id, TokenRange range, std::string found,
                std::vector<Edit> edits);
  /// The same with a whole message.
  size_t reportAs(const char *id, TokenRange range, std::string message,
                  std::vector<Edit> edits);
  /// Reports something that no edit can repair.
  void refuse(const char *id, TokenRange range, std::string message);
  /// Text as it can stand in a message: on one line, not long.
  static std::string brief(llvm::StringRef text);
  Edit before(uint32_t token, std::string text) const;
  Edit after(uint32_t token, std::string text) const;
  Edit replace(uint32_t token, std::string text) const;

  /// Removes forms whose edits overlap those of others, completes messages.
  std::vector<Fix> finish();

  //===--------------------------------------------------------------------===//
  // The walk (LegacyForms.cpp)
  //===--------------------------------------------------------------------===//

  void walk();
  void enterStatement(uint32_t index);
  void leaveStatement(uint32_t index);
  void enterRegion(uint32_t index);
  void bindArguments(TokenRange list);
  void bindEntryArguments(const Statement &owner, uint32_t open);
  void renameUse(uint32_t token);
  uint32_t gridRank(const Statement &function) const;

  //===--------------------------------------------------------------------===//
  // Types and names (Lookup.cpp)
  //===--------------------------------------------------------------------===//

  /// The text of a type in strict spelling; empty when it is too long to be
  /// repeated.
  std::string shortText(TokenRange range) const;
  /// The same for the type of a value in scope; empty when it is not known.
  std::string typeOf(llvm::StringRef value);
  /// What an alias stands for, through aliases of aliases; any other tokens
  /// themselves.
  TokenRange followAlias(TokenRange range) const;
  /// The same for the text of a type.
  std::string resolve(std::string type) const;
  /// The number of dimensions of an `affine_set`, written or by alias.
  std::optional<unsigned> setRank(TokenRange set) const;
  /// A value name like `name` that the text does not use.
  std::string freshName(llvm::StringRef name);
  /// Whether a value of this name occurs among the tokens of `range`.
  bool occurs(llvm::StringRef name, TokenRange range);

  //===--------------------------------------------------------------------===//
  // Forms
  //===--------------------------------------------------------------------===//

  // SpellingForms.cpp: what the tokens alone tell.
  void findSpellings();
  void findViewSpaces();
  void findMemorySpace(uint32_t name, uint32_t open);
  std::optional<std::string> strictSpace(uint32_t name) const;
  std::optional<std::string> statedSpace(TokenRange type) const;
  void findTileFuture(uint32_t open);
  void findFormerDialect(const Statement &operation, llvm::StringRef name);

  // AccessTileForms.cpp
  using Spine = llvm::ArrayRef<uint32_t>;
  void findAccessTile(Spine spine);
  void findTileOrder(uint32_t open);
  void findMissingBaseType(llvm::StringRef base, Spine types);
  void findCommaForArrow(Spine types);
  void findOperators(TokenRange range);
  void findIndirectTile(Spine spine);
  void findSubscripts(TokenRange list);

  // OperationForms.cpp
  void findTileId(const Statement &operation, Spine spine);
  void findProducer(Spine spine);
  void findShortTileFutures(Spine spine);
  void findExpandShape(Spine spine);
  void findFloatComparison(Spine spine);
  void findTensorSelection(Spine spine);

  // ResultForms.cpp
  void findDroppedResult(uint32_t statement, Spine spine);

  Outline outline;
  Scope scope;
  std::vector<Form> forms;
  /// Pairs of forms that build on each other.
  std::vector<std::pair<size_t, size_t>> links;

  /// Edits of the forms of SpellingForms.cpp by position, for texts that other
  /// forms repeat.
  std::vector<std::pair<size_t, const Edit *>> spellingEdits;
  /// The `unspecified` spaces of views, with the space of the view's type.
  llvm::DenseMap<uint32_t, std::string> viewSpaces;

  llvm::DenseMap<uint32_t, llvm::SmallVector<TypeRef>> knownTypes;
  llvm::StringSet<> usedNames;
  llvm::StringMap<unsigned> lastSuffix;
  llvm::StringMap<std::vector<uint32_t>> occurrences;

  /// Rank of the grid of the function around the current place; 0 for none.
  uint32_t currentGridRank = 0;
  /// The operations whose first region was entered.
  llvm::DenseSet<uint32_t> boundOwners;
  /// Values that get another definition once their operation ends.
  struct Rebinding {
    uint32_t statement;
    llvm::StringRef value;
    Definition definition;
  };
  std::vector<Rebinding> rebindings;
  /// Whether any value is renamed at all.
  bool renames = false;
  /// Tokens that read like values and are an operator and a number: `%64`.
  llvm::DenseSet<uint32_t> operatorTokens;
};

} // namespace ktir::syntax

#endif // KTIR_LIB_SYNTAX_FORMFINDER_H
