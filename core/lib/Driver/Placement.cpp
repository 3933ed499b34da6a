//===- Placement.cpp - Where the tensors of a launch lie ------------------===//

#include "Placement.h"

namespace ktir {

bool Placer::reserve(const PlacedTensor &placed, std::string &other) {
  const int64_t begin = placed.byteAddress;
  const int64_t end = begin + int64_t(placed.tensor->bytes());
  for (const Extent &extent : extents)
    if (extent.tile == placed.tile && begin < extent.end &&
        extent.begin < end) {
      other = extent.name;
      return false;
    }
  extents.push_back({placed.name, placed.tile, begin, end});
  return true;
}

int64_t Placer::choose(int64_t bytes) {
  int64_t begin = next;
  // Each step passes at least one reserved extent, so this ends.
  for (bool moved = true; moved;) {
    moved = false;
    for (const Extent &extent : extents)
      if (extent.tile < 0 && begin < extent.end + guardBytes &&
          extent.begin < begin + bytes + guardBytes) {
        begin = extent.end + guardBytes;
        begin = (begin + stickBytes - 1) / stickBytes * stickBytes;
        moved = true;
      }
  }
  next =
      (begin + bytes + guardBytes + stickBytes - 1) / stickBytes * stickBytes;
  return begin;
}

} // namespace ktir
