//===- ScratchAccount.cpp - What a scratchpad holds -----------------------===//

#include "Values.h"

#include "llvm/ADT/STLExtras.h"

using namespace ktir::exec;

std::vector<Occupant> ScratchAccount::now() const {
  std::vector<Occupant> result(views);
  size_t first = result.size();
  for (const BufferBlock *block = newest; block; block = block->older)
    result.push_back({block->site, block->bytes});
  std::reverse(result.begin() + first, result.end());
  return result;
}

std::vector<Occupant> ScratchAccount::atPeak() const {
  return listed ? list : now();
}

uint64_t ScratchAccount::cover(uint64_t begin, uint64_t end, uint32_t site) {
  if (begin >= end)
    return 0;
  // Most views are made again and again.
  for (const Range &range : ranges)
    if (range.begin <= begin && end <= range.end)
      return 0;
  uint64_t fresh = end - begin;
  Range joined{begin, end};
  llvm::erase_if(ranges, [&](const Range &range) {
    if (range.end < joined.begin || joined.end < range.begin)
      return false;
    fresh -= std::min(range.end, end) - std::max(range.begin, begin);
    joined.begin = std::min(joined.begin, range.begin);
    joined.end = std::max(joined.end, range.end);
    return true;
  });
  ranges.push_back(joined);
  covered += fresh;
  views.push_back({site, fresh});
  raise();
  return fresh;
}
