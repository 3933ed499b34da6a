//===- RuleIds.h - Specification rules of diagnostics -----------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_RULEIDS_H
#define KTIR_LIB_DRIVER_RULEIDS_H

#include <string>

namespace ktir {

/// The id of the rule whose text `message` is, such as `MV-1`; empty when it is
/// no rule's. Messages of our own end with the id in parentheses, which is cut
/// off.
std::string takeRule(std::string &message);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_RULEIDS_H
