//===- Comparison.h - Where two results differ ------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_COMPARISON_H
#define KTIR_LIB_DRIVER_COMPARISON_H

#include "ktir/Driver/Driver.h"

namespace ktir {

/// The first difference between the outputs of a stage and those of the
/// reference: which tensor, where, both values. Empty when all bytes agree.
std::string firstDifference(const std::vector<Output> &expected,
                            const std::string &expectedStage,
                            const std::vector<Output> &found);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_COMPARISON_H
