//===- Stick.h - The unit of device memory ----------------------*- C++ -*-===//

#ifndef KTIR_DIALECT_KTDP_STICK_H
#define KTIR_DIALECT_KTDP_STICK_H

#include <cstdint>

namespace ktir {

/// Bytes of a stick (ktir.md §1.3).
inline constexpr int64_t stickBytes = 128;

} // namespace ktir

#endif // KTIR_DIALECT_KTDP_STICK_H
