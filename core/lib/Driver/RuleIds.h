//===- RuleIds.h - Specification rules of diagnostics -----------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_RULEIDS_H
#define KTIR_LIB_DRIVER_RULEIDS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ktir {

/// The id of the specification rule whose text `message` is, such as `MV-1`;
/// empty when it is no rule's.
std::string ruleOf(llvm::StringRef message);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_RULEIDS_H
