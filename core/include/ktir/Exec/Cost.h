//===- Cost.h - The analytic cost model -------------------------*- C++ -*-===//
//
// What a run at level ktir would take on the device, estimated per core from
// counts that do not depend on how the emulator executes. The formulas are
// those of docs/cost-model.md; a profile gives them their constants.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_COST_H
#define KTIR_EXEC_COST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ktir::exec {

/// What one tile did.
struct CostCounters {
  /// 128-byte sticks of device memory touched, each once per access.
  uint64_t sticksRead = 0, sticksWritten = 0;
  /// Of each access through a distributed view with partitions in scratchpads:
  /// the bytes of these partitions, whole, beside the sticks of the access.
  struct Mixed {
    uint64_t partitionBytes, sticks;
  };
  std::vector<Mixed> mixed;
  /// Elements that went through the vector unit, once per operation, without
  /// and with those of transcendental operations.
  uint64_t vectorElements = 0, transcendentalElements = 0;
  /// Multiplications and additions of matrix products.
  uint64_t matrixOps = 0;
  /// Bytes that deliveries moved to the tile.
  uint64_t exchangedBytes = 0;
};

/// Constants of the model. A cycle is 1 ns where no clock is published.
struct CostProfile {
  llvm::StringRef name;
  double clockGhz;
  /// Bytes per cycle of device memory, shared by the tiles of the grid, when
  /// all go one way.
  double deviceBytesPerCycle;
  /// What reading and writing at once costs more: cycles per byte of the
  /// lesser of the two.
  double turnaroundCyclesPerByte;
  /// Bytes per cycle of the ring; 0: free.
  double ringBytesPerCycle;
  double vectorElementsPerCycle;
  double matrixOpsPerCycle;
  double transcendentalFactor;
  unsigned cores;
};

/// Profiles by name: `interpreter` (the public Python interpreter's) and
/// `measured` (ktir.md §1.6).
llvm::ArrayRef<CostProfile> costProfiles();

/// Cycles of one tile.
struct TileCost {
  double compute = 0, memory = 0, communication = 0;

  double serial() const { return compute + memory + communication; }
  double overlapped() const;  ///< compute beside memory and communication
  double overlapped3() const; ///< all three beside each other
  /// "compute", "memory" or "communication": the largest part.
  const char *bottleneck() const;
};

/// Where a program stands below what the machine allows.
struct Roofline {
  bool isMatrix = false; ///< the unit with the most cycles; else the vector one
  double operations = 0; ///< of that unit
  double bytes = 0;      ///< of device memory
  /// Operations per byte; 0 without device memory.
  double intensity = 0;
  /// Operations per cycle: the unit's, what memory lets through, and what the
  /// run reached (serial).
  double peak = 0, memoryBound = 0, achieved = 0;
  /// achieved / min(peak, memoryBound).
  double attainment = 0;
};

struct CostEstimate {
  CostProfile profile;
  std::vector<TileCost> tiles;
  /// Index of the tile that takes longest (serial).
  size_t slowest = 0;
  Roofline chip, core; ///< core: of the slowest tile
};

/// The model with the constants of `profile` for the tiles of one grid.
CostEstimate estimateCost(const CostProfile &profile,
                          llvm::ArrayRef<CostCounters> tiles);

} // namespace ktir::exec

#endif // KTIR_EXEC_COST_H
