//===- ValueTexts.h - Sentences about values of ktdp ------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_VALUETEXTS_H
#define KTIR_LIB_DRIVER_VALUETEXTS_H

#include "LanguageIndex.h"

#include "ktir/Dialect/Ktdp/LinearForm.h"

namespace ktir {

/// Says in words what values of a verified KTIR program are. Tile ids are
/// called `t`, other values by their names in the text; where a subscript
/// cannot be followed to them, less is said.
class ValueTexts {
public:
  explicit ValueTexts(const LanguageIndex &index) : index(index) {}

  /// A view, tile, loaded tensor, future, delivered tensor, tile id, or an
  /// integer that is a sum of such; empty for anything else.
  std::string describe(mlir::Value value) const;
  /// What an operation without results does; empty for most.
  std::string describe(mlir::Operation *op) const;

private:
  std::string view(mlir::Value value, bool withLayout) const;
  std::string tile(mlir::Value value) const;
  std::string future(mlir::Value value) const;
  std::string integer(mlir::Value value) const;
  std::string text(const ktdp::LinearForm &form) const;
  std::string nameOf(mlir::Value value) const;

  const LanguageIndex &index;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_VALUETEXTS_H
