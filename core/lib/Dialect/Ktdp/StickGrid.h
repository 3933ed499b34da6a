//===- StickGrid.h - Where accesses meet the sticks of memory ---*- C++ -*-===//

#ifndef KTIR_LIB_DIALECT_KTDP_STICKGRID_H
#define KTIR_LIB_DIALECT_KTDP_STICKGRID_H

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

namespace ktir::ktdp {

/// KL-10: warns of a tile of device memory of which some contiguous run surely
/// starts inside a stick, which makes the transfer touch one stick more than
/// its elements fill. Base pointers that are arguments count as aligned, as
/// launchers allocate them; where the address is no sum that can be followed,
/// nothing is said.
void warnOffStickGrid(ConstructAccessTileOp op);
/// The same; a looked-up coordinate may be any.
void warnOffStickGrid(ConstructIndirectAccessTileOp op);

} // namespace ktir::ktdp

#endif // KTIR_LIB_DIALECT_KTDP_STICKGRID_H
