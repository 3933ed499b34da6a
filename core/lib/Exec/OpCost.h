//===- OpCost.h - What an op costs in the analytic model --------*- C++ -*-===//

#ifndef KTIR_LIB_EXEC_OPCOST_H
#define KTIR_LIB_EXEC_OPCOST_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace ktir::exec {

/// Operations of the vector and the matrix unit (docs/cost-model.md).
struct OpCost {
  /// For each element of the results.
  uint32_t perResult = 0;
  /// For each point of the iteration space; of an elementwise op, its elements.
  uint32_t plain = 0, transcendental = 0, matrix = 0;

  static OpCost get(mlir::Operation *op);
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_OPCOST_H
