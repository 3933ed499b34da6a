//===- DeliveryLegality.h - Rules between tiles -----------------*- C++ -*-===//

#ifndef KTIR_LIB_DIALECT_KTDP_DELIVERYLEGALITY_H
#define KTIR_LIB_DIALECT_KTDP_DELIVERYLEGALITY_H

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

namespace ktir::ktdp {

/// Checks a production: it is delivered once (R2) and stores nothing (KL-8).
mlir::LogicalResult checkProduction(InterTileProduceOp op);

/// Checks a delivery against its production: R3 to R9 and R12 to R14 where
/// they apply to the op, that its combiner is pure (R10), and that a tile
/// consumes for one group only (KL-7). Rules about sets whose bounds are no
/// constants are left to the run.
mlir::LogicalResult checkDelivery(DeliveryOpInterface op);

} // namespace ktir::ktdp

#endif // KTIR_LIB_DIALECT_KTDP_DELIVERYLEGALITY_H
