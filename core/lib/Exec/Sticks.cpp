//===- Sticks.cpp - The sticks that an access touches ---------------------===//

#include "Sticks.h"

#include "ktir/Dialect/Ktdp/Stick.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace ktir;
using namespace ktir::exec;

/// Most ranges that are listed; a megabyte of them.
static constexpr size_t maxRanges = size_t(1) << 16;

void Sticks::add(uint64_t address, uint64_t bytes) {
  uint64_t first = address / stickBytes;
  uint64_t end = (address + bytes - 1) / stickBytes + 1;
  // Most runs follow the one before.
  if (!ranges.empty() && first >= ranges.back().first &&
      first <= ranges.back().second) {
    ranges.back().second = std::max(ranges.back().second, end);
    return;
  }
  if (ranges.size() == maxRanges)
    spill();
  ranges.push_back({first, end});
}

void Sticks::spill() {
  constexpr uint64_t wordBits = 64;
  for (auto [first, end] : ranges)
    while (first < end) {
      uint64_t in = std::min(wordBits - first % wordBits, end - first);
      std::array<uint64_t, 8> &map = maps[first / (8 * wordBits)];
      map[first / wordBits % 8] |= llvm::maskTrailingOnes<uint64_t>(in)
                                   << first % wordBits;
      first += in;
    }
  ranges.clear();
}

uint64_t Sticks::count() {
  uint64_t count = 0;
  if (!maps.empty()) {
    spill();
    for (const auto &entry : maps)
      for (uint64_t word : entry.second)
        count += llvm::popcount(word);
    return count;
  }
  llvm::sort(ranges);
  uint64_t next = 0;
  for (auto [first, end] : ranges) {
    first = std::max(first, next);
    if (first >= end)
      continue;
    count += end - first;
    next = end;
  }
  return count;
}

void Sticks::clear() {
  ranges.clear();
  if (!maps.empty())
    maps.clear();
}
