//===- Scope.h - What value names stand for ---------------------*- C++ -*-===//

#ifndef KTIR_LIB_SYNTAX_SCOPE_H
#define KTIR_LIB_SYNTAX_SCOPE_H

#include "ktir/Syntax/Outline.h"

#include <string>

namespace ktir::syntax {

/// What a value name stands for from its definition to the end of its region.
struct Definition {
  /// The operation that has the values as results, and the first of them.
  uint32_t statement = noIndex;
  uint32_t number = 0;
  /// The type where it is stated by itself: arguments, renamed values.
  TokenRange type;
  /// How the fixed text calls the value; empty: as it is written.
  std::string newName;
  /// The form that renames it.
  size_t form = 0;
  /// How many regions are open around the definition.
  uint32_t depth = 0;
};

/// The names that are visible at one place of the text.
class Scope {
public:
  void enter(uint32_t region);
  /// Forgets what was bound in the innermost region.
  void leave();

  /// The number of open regions.
  uint32_t depth() const { return uint32_t(levels.size()); }
  /// The open region at a depth, counted from 1.
  uint32_t regionAt(uint32_t depth) const { return levels[depth - 1].region; }

  /// Binds all values of a name as it is defined, in the innermost region.
  void bind(llvm::StringRef name, Definition definition) {
    bindKey(name, std::move(definition));
  }
  /// Gives one value of a name, `%a` or `%a#1`, another definition.
  void rebind(llvm::StringRef value, Definition definition);

  struct Use {
    const Definition *definition;
    uint32_t number; ///< of the result of `definition->statement`
  };
  /// The innermost definition of a name. The pointer holds until the next
  /// `bind` or `leave`.
  std::optional<Use> lookup(llvm::StringRef name) const;

  /// `%a#0` and `%a` are the same value; returns the shorter.
  static llvm::StringRef normalise(llvm::StringRef name) {
    name.consume_back("#0");
    return name;
  }

private:
  struct Level {
    uint32_t region;
    size_t bindings; // how many there were on entry
  };
  struct Binding {
    llvm::StringRef name; // a key of `visible`
    Definition definition;
  };
  void bindKey(llvm::StringRef key, Definition definition);
  /// The index of the innermost binding of a key, plus 1; 0 for none.
  size_t find(llvm::StringRef key) const;

  std::vector<Level> levels;
  std::vector<Binding> bindings;
  /// By name and, for single values, by name and number (`%a#0`). Indices into
  /// `bindings`, innermost last.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> visible;
};

} // namespace ktir::syntax

#endif // KTIR_LIB_SYNTAX_SCOPE_H
