//===- Machine.h - The device as the engine needs it ------------*- C++ -*-===//
//
// Sizes, word sizes and queues copied out of a device description, so that a
// program does not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_MACHINE_H
#define KTIR_LIB_EXEC_MACHINE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ktir {
class Device;
} // namespace ktir

namespace ktir::exec {

/// Capacity of a channel; absent parts do not bound it (D-7).
struct QueueLimits {
  std::optional<uint64_t> depth; ///< messages
  std::optional<uint64_t> bytes;
};

struct Machine {
  enum class MemoryClass : uint8_t { Device, Scratchpad, Local };
  struct MemoryKind {
    MemoryClass memoryClass;
    uint64_t size;
  };

  uint64_t deviceBytes = 0;
  unsigned cores = 1;
  uint64_t scratchpadBytes = 0;

  /// By lower-case kind, with the DataflowIR tags `hbm` and `lx` (E-3).
  llvm::StringMap<MemoryKind> memories;
  /// Bytes of a word, by "<unit kind>:<memory kind>" in lower case.
  llvm::StringMap<uint64_t> wordSizes;
  /// By "<unit kind>:<unit kind>" in lower case.
  llvm::StringMap<QueueLimits> queues;

  static Machine get(const Device &device);

  std::optional<MemoryKind> memory(llvm::StringRef tag) const;
  /// Bytes of a word of `unit` on `memory`; 1 where the device states none.
  uint64_t wordSize(llvm::StringRef unit, llvm::StringRef memory) const;
  QueueLimits queue(llvm::StringRef from, llvm::StringRef to) const;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_MACHINE_H
