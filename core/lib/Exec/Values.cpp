//===- Values.cpp - Where tensors are stored and accounted ----------------===//

#include "Values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cstdio>

using namespace ktir::exec;

//===----------------------------------------------------------------------===//
// BufferPool
//===----------------------------------------------------------------------===//

/// Classes 2 k and 2 k + 1 hold 128 << k and 192 << k bytes.
uint64_t BufferPool::sizeOf(unsigned number) {
  return uint64_t(number % 2 ? 192 : 128) << number / 2;
}

unsigned BufferPool::classOf(uint64_t bytes) {
  if (bytes <= sizeOf(0))
    return 0;
  unsigned step = llvm::Log2_64(bytes - 1) - 7; // 128 << step < bytes
  return 2 * step + (bytes <= uint64_t(192) << step ? 1 : 2);
}

BufferPool::~BufferPool() {
  for (Free *list : lists)
    while (list)
      std::free(std::exchange(list, list->next));
}

void *BufferPool::take(uint64_t bytes) {
  if (bytes > maxBlockBytes)
    return std::malloc(bytes);
  unsigned number = classOf(bytes);
  if (Free *block = lists[number]) {
    lists[number] = block->next;
    kept -= sizeOf(number);
    return block;
  }
  return std::aligned_alloc(alignment, sizeOf(number));
}

void BufferPool::give(void *block, uint64_t bytes) {
  unsigned number = bytes > maxBlockBytes ? numClasses : classOf(bytes);
  if (number == numClasses || kept + sizeOf(number) > maxKeptBytes) {
    std::free(block);
    return;
  }
  kept += sizeOf(number);
  lists[number] = new (block) Free{lists[number]};
}

void Buffer::endProcess(uint64_t bytes) {
  char reason[64];
  std::snprintf(reason, sizeof(reason), "no room for a tensor of %llu bytes",
                static_cast<unsigned long long>(bytes));
  llvm::report_bad_alloc_error(reason);
}

//===----------------------------------------------------------------------===//
// View
//===----------------------------------------------------------------------===//

bool View::setStrides(llvm::ArrayRef<int64_t> inElements) {
  strides.clear();
  // What no element uses may be any number.
  if (llvm::is_contained(sizes, 0)) {
    strides.assign(sizes.size(), 0);
    return true;
  }
  int64_t low = base, high;
  if (llvm::AddOverflow(base, int64_t(elementBytes), high))
    return false;
  for (auto [size, elements] : llvm::zip_equal(sizes, inElements)) {
    int64_t stride, span = 0;
    const bool isBeyond =
        llvm::MulOverflow(elements, int64_t(elementBytes), stride);
    // The only element of a dimension has no distance to another.
    if (isBeyond && size <= 1)
      stride = 0;
    if (size > 1 && (isBeyond || llvm::MulOverflow(size - 1, stride, span)))
      return false;
    int64_t &end = span < 0 ? low : high;
    if (llvm::AddOverflow(end, span, end))
      return false;
    strides.push_back(stride);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// ScratchAccount
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

std::string ktir::exec::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "()" : text;
}
