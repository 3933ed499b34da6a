//===- Sticks.h - The sticks that an access touches -------------*- C++ -*-===//

#ifndef KTIR_LIB_EXEC_STICKS_H
#define KTIR_LIB_EXEC_STICKS_H

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ktir::exec {

/// A set of sticks of one memory, by their numbers.
class Sticks {
public:
  /// Adds the sticks of bytes `address .. address + bytes - 1`.
  void add(uint64_t address, uint64_t bytes);
  /// How many there are.
  uint64_t count();
  void clear();

private:
  /// Moves what is listed to the maps.
  void spill();

  /// Ranges, each as first and end, that may overlap: an access has a few.
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  /// For accesses of very many runs, a bit for each of 512 sticks.
  llvm::DenseMap<uint64_t, std::array<uint64_t, 8>> maps;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_STICKS_H
