//===- Placement.h - Where the tensors of a launch lie ----------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_PLACEMENT_H
#define KTIR_LIB_DRIVER_PLACEMENT_H

#include "ktir/Dialect/Ktdp/Stick.h"
#include "ktir/Driver/Driver.h"

namespace ktir {

/// A tensor in memory.
struct PlacedTensor {
  std::string name;
  const Tensor *tensor;
  /// -1: device memory; otherwise the scratchpad of this tile.
  int tile;
  int64_t byteAddress;
};

/// Chooses addresses in device memory for tensors that have none. Between
/// tensors lies memory that nobody writes, so that a read beyond the end of
/// one is found.
class Placer {
public:
  /// Reserves a place the user chose. False when it overlaps an earlier one,
  /// whose name is then in `other`.
  bool reserve(const PlacedTensor &placed, std::string &other);
  /// A free byte address for `bytes` bytes of device memory.
  int64_t choose(int64_t bytes);

private:
  struct Extent {
    std::string name;
    int tile;
    int64_t begin, end;
  };
  std::vector<Extent> extents;
  int64_t next = firstAddress;

  /// Above what constant base addresses of sample kernels use.
  static constexpr int64_t firstAddress = int64_t(1) << 28;
  static constexpr int64_t guardBytes = int64_t(1) << 20;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_PLACEMENT_H
