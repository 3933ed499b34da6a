//===- DecodeKtdp.h - Handlers of ktdp ops ----------------------*- C++ -*-===//

#ifndef KTIR_LIB_EXEC_DECODEKTDP_H
#define KTIR_LIB_EXEC_DECODEKTDP_H

#include "Decoder.h"

namespace ktir::exec {

llvm::LogicalResult decodeMemoryView(Decoder &decoder, mlir::Operation *op);
/// Why a view is refused (D2).
inline constexpr const char *beyondMemory =
    "an element of the view would lie at a byte that is no 64-bit number, "
    "beyond any memory";

llvm::LogicalResult decodeDistributedView(Decoder &decoder,
                                          mlir::Operation *op);
llvm::LogicalResult decodeAccessTile(Decoder &decoder, mlir::Operation *op);
llvm::LogicalResult decodeIndirectTile(Decoder &decoder, mlir::Operation *op);
llvm::LogicalResult decodeProduction(Decoder &decoder, mlir::Operation *op);
llvm::LogicalResult decodeDelivery(Decoder &decoder, mlir::Operation *op);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_DECODEKTDP_H
