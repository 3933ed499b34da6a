//===- CostTable.h - A report for people ------------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_COSTTABLE_H
#define KTIR_LIB_DRIVER_COSTTABLE_H

#include "ktir/Driver/Driver.h"

namespace ktir {

/// The estimate as lines of text: totals, roofline, and a row for each tile.
std::string costTable(const CostEstimate &cost);

/// What was in the fullest scratchpad at its peak, a line each; empty when
/// nothing was.
std::string scratchpadTable(const Report &report);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_COSTTABLE_H
