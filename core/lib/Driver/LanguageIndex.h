//===- LanguageIndex.h - The names of a parsed text -------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_LANGUAGEINDEX_H
#define KTIR_LIB_DRIVER_LANGUAGEINDEX_H

#include "ParseSource.h"

#include "llvm/ADT/ArrayRef.h"

namespace ktir {

/// What a name of a text stands for.
struct Entity {
  enum class Kind : uint8_t {
    Result,   ///< one or several results of `op` under one name
    Argument, ///< an argument of a block of `op`
    Block,
    Symbol,    ///< `op` defines it
    Alias,     ///< of an attribute or a type
    Operation, ///< not a name that is used: the operation's own
  };
  Kind kind;
  /// As it is defined: `%x`, `^bb0`, `@main`, `#map`; of an operation the
  /// text of its name.
  std::string name;
  mlir::Operation *op = nullptr; ///< null for aliases
  /// The value, or the first of the results.
  mlir::Value value;
  /// Number of results.
  unsigned count = 1;
  mlir::Attribute attribute; ///< aliases of attributes
  mlir::Type type;           ///< aliases of types
  /// Everything that belongs to the definition.
  syntax::ByteRange scope;
  /// Indices of the occurrences, in the order of the text.
  std::vector<unsigned> occurrences;
};

/// A name in the text.
struct Occurrence {
  syntax::ByteRange range;
  unsigned entity;
  bool isDefinition;
};

/// Every name of a parsed text and what it stands for, with places of the
/// user's text. Refers to the module and the text.
class LanguageIndex {
public:
  LanguageIndex(const ReadText &text, const mlir::AsmParserState &state,
                mlir::ModuleOp module);

  llvm::ArrayRef<Entity> entities() const { return allEntities; }
  /// In the order of the text; they do not overlap.
  llvm::ArrayRef<Occurrence> occurrences() const { return allOccurrences; }
  /// The name at `offset`, or the one that ends there; null without one.
  const Occurrence *find(size_t offset) const;
  /// The name that starts at `offset`.
  const Occurrence *startingAt(size_t offset) const;
  /// The name in the text that stands for `value`, with its number where it is
  /// one of several results: `%p#1`. Empty when the text has none.
  std::string nameOf(mlir::Value value) const;

private:
  class Builder;

  std::vector<Entity> allEntities;
  std::vector<Occurrence> allOccurrences;
  llvm::DenseMap<mlir::Value, unsigned> valueEntities;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_LANGUAGEINDEX_H
