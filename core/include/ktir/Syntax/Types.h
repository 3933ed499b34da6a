//===- Types.h - Types as text ----------------------------------*- C++ -*-===//
//
// What the text of an operation says about the types of its results, and the
// text of shaped types taken apart.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_SYNTAX_TYPES_H
#define KTIR_SYNTAX_TYPES_H

#include "ktir/Syntax/Outline.h"

#include <string>

namespace ktir::syntax {

/// A `tensor`, `memref` or `vector` type with a rank.
struct ShapedText {
  llvm::StringRef kind;                          ///< `tensor`
  llvm::SmallVector<llvm::StringRef, 4> extents; ///< digits or `?`
  llvm::StringRef element;                       ///< `f16`
  llvm::StringRef rest; ///< from behind the element on: `, #layout>` or `>`

  /// The same type with another element, without layout, space or encoding.
  std::string withElement(llvm::StringRef other) const;
};

/// Takes the text of one type apart; absent for other types and for shaped
/// ones without a rank. The parts refer to `type`.
std::optional<ShapedText> parseShaped(llvm::StringRef type);

/// Whether this is the name of a builtin float type.
bool isFloat(llvm::StringRef type);

/// A type that the text of an operation states, or implies by another one.
struct TypeRef {
  enum class Part : uint8_t {
    Whole,   ///< the stated type
    Element, ///< its element type (`tensor.extract`)
    Truth,   ///< `i1`, or the stated type with elements `i1` (`arith.cmpf`)
  };
  TokenRange stated;
  Part part = Part::Whole;
};

/// The types of an operation's results, in order; empty when the text does not
/// tell all of them.
llvm::SmallVector<TypeRef> resultTypes(const Outline &outline,
                                       const Statement &operation);

/// A name in the result list of an operation and the results it stands for.
struct ResultName {
  uint32_t token;
  uint32_t number; ///< of its first result
  uint32_t count;  ///< 2 for `%p:2`
};
llvm::SmallVector<ResultName> resultNames(const Outline &outline,
                                          const Statement &operation);

} // namespace ktir::syntax

#endif // KTIR_SYNTAX_TYPES_H
