//===- LinearForm.h - Values as sums over names -----------------*- C++ -*-===//

#ifndef KTIR_DIALECT_KTDP_LINEARFORM_H
#define KTIR_DIALECT_KTDP_LINEARFORM_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace ktir::ktdp {

/// `constant` plus each value times its factor.
struct LinearForm {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;
  int64_t constant = 0;

  /// Adds `factor` times `value`; false when that does not fit 64 bits.
  bool add(mlir::Value value, int64_t factor);
  bool add(int64_t number);
  /// Adds `factor` times `form`; false when that does not fit 64 bits.
  bool add(const LinearForm &form, int64_t factor);
  bool isConstant() const { return terms.empty(); }
};

/// Follows sums, differences, products with constants, and casts of index
/// values back to tile ids, block arguments and constants. Absent where `value`
/// is made in another way, or of too many parts to read.
std::optional<LinearForm> linearForm(mlir::Value value);

/// A constant integer, whatever it was cast to.
std::optional<int64_t> constantOf(mlir::Value value);

/// The values that `expression` takes over its dimensions: each is a value of
/// the program, or a variable that runs over `extent` integers from `lower` on.
struct SubscriptDimension {
  mlir::Value value;
  int64_t lower = 0, extent = 1;
};
/// The least and the greatest value; their terms are equal.
struct LinearRange {
  LinearForm first, last;
  /// Every integer between them is a value as well.
  bool isDense = true;
};
/// Absent where `expression` is not linear.
std::optional<LinearRange>
linearRange(mlir::AffineExpr expression,
            llvm::ArrayRef<SubscriptDimension> dimensions);

/// `64i+3t+2`; `nameOf` names a value.
std::string formText(const LinearForm &form,
                     llvm::function_ref<std::string(mlir::Value)> nameOf);

} // namespace ktir::ktdp

#endif // KTIR_DIALECT_KTDP_LINEARFORM_H
