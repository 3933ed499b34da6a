//===- Binding.h - Arguments of a launch against the signature --*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_BINDING_H
#define KTIR_LIB_DRIVER_BINDING_H

#include "Placement.h"

namespace ktir {

/// How the engine wants the arguments of a kernel.
struct BindingRules {
  Level level = Level::Ktir;
  /// Pointers count bytes instead of elements.
  bool addressesAreBytes = false;
  int64_t deviceBytes = 0;
  int64_t scratchpadBytes = 0;
  int tiles = 1; ///< number of scratchpads
};

/// The value of one kernel argument.
struct BoundScalar {
  int64_t integer = 0;
  double real = 0;
};

struct Binding {
  std::vector<BoundScalar> arguments;
  /// In argument order, then the tensors bound to none.
  std::vector<PlacedTensor> tensors;
};

/// Binds `values` to the arguments of `kernel` by name. Absent when something
/// does not fit; `diagnostics` then says what, all of it. The result points
/// into `values`.
std::optional<Binding> bindArguments(const KernelInfo &kernel,
                                     const std::vector<ArgumentValue> &values,
                                     const BindingRules &rules,
                                     std::vector<Diagnostic> &diagnostics);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_BINDING_H
