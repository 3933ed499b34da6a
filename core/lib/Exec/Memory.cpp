//===- Memory.cpp - The memories of the machine ---------------------------===//

#include "ktir/Exec/Memory.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

using namespace ktir::exec;

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// Most bytes that a store keeps without a use for them.
static constexpr uint64_t maxKeptBytes = uint64_t(256) << 20;

PageStore::~PageStore() {
  for (uint8_t *block : blocks)
    std::free(block);
}

uint8_t *PageStore::take() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (left == 0)
      return nullptr;
    --left;
    if (!blocks.empty()) {
      uint8_t *block = blocks.back();
      blocks.pop_back();
      return block;
    }
  }
  void *block = std::aligned_alloc(blockBytes, blockBytes);
  if (!block) {
    std::lock_guard<std::mutex> lock(mutex);
    ++left;
    return nullptr;
  }
#ifdef MADV_HUGEPAGE
  // One fault instead of hundreds; a host that declines loses nothing else.
  (void)madvise(block, blockBytes, MADV_HUGEPAGE);
#endif
  return static_cast<uint8_t *>(block);
}

void PageStore::give(uint8_t *block) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ++left;
    if ((blocks.size() + 1) * blockBytes <= maxKeptBytes) {
      blocks.push_back(block);
      return;
    }
  }
  std::free(block);
}

PageArena::~PageArena() {
  for (uint8_t *block : blocks)
    store->give(block);
}

uint8_t *PageArena::allocate(uint64_t count) {
  if (PageStore::blockBytes - used < count) {
    uint8_t *block = store->take();
    if (!block)
      return nullptr;
    blocks.push_back(block);
    used = 0;
  }
  uint8_t *result = blocks.back() + used;
  used += count;
  return result;
}

//===----------------------------------------------------------------------===//
// AddressSpace
//===----------------------------------------------------------------------===//

AddressSpace::Page *AddressSpace::find(uint64_t index) const {
  if (index == cachedIndex)
    return cachedPage;
  auto it = pages.find(index);
  if (it == pages.end())
    return nullptr;
  cachedIndex = index;
  cachedPage = it->second.get();
  return cachedPage;
}

/// The page `index`, made if need be; null when there is no storage.
AddressSpace::Page *AddressSpace::require(uint64_t index) {
  if (Page *page = find(index))
    return page;
  uint8_t *data = arena.allocate(pageBytes);
  if (!data)
    return nullptr;
  std::unique_ptr<Page> &page = pages[index];
  page = std::make_unique<Page>();
  page->data = data;
  cachedIndex = index;
  cachedPage = page.get();
  return cachedPage;
}

void AddressSpace::Page::setBits(uint64_t from, uint64_t to) {
  while (from < to) {
    uint64_t inWord = std::min<uint64_t>(64 - from % 64, to - from);
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(inWord) << (from % 64);
    uint64_t &word = written[from / 64];
    writtenCount += llvm::popcount(mask & ~word);
    word |= mask;
    from += inWord;
  }
}

/// Marks `count` bytes from `offset` on of a page that is not whole; they are
/// about to be written. What no one writes must read as zero. False when there
/// is no storage for the marks.
bool AddressSpace::mark(Page &page, uint64_t offset, uint64_t count) {
  const uint64_t stop = offset + count;
  if (page.isRange()) {
    const bool isFirst = page.begin == page.end;
    if (isFirst || (offset <= page.end && stop >= page.begin)) {
      page.begin = isFirst ? offset : std::min(page.begin, offset);
      page.end = std::max(page.end, stop);
      page.writtenCount = page.end - page.begin;
      return true;
    }
    page.written.reset(
        static_cast<uint64_t *>(std::calloc(pageBytes / 64, sizeof(uint64_t))));
    if (!page.written)
      return false;
    std::memset(page.data, 0, page.begin);
    std::memset(page.data + page.end, 0, pageBytes - page.end);
    page.writtenCount = 0;
    page.setBits(page.begin, page.end);
  }
  page.setBits(offset, stop);
  if (page.isWhole())
    page.written.reset();
  return true;
}

void AddressSpace::read(uint64_t address, void *into, uint64_t count) const {
  auto *out = static_cast<uint8_t *>(into);
  while (count) {
    const uint64_t offset = address & (pageBytes - 1);
    const uint64_t n = std::min(count, pageBytes - offset), stop = offset + n;
    // What was written, and zeros around it.
    uint64_t from = stop, to = stop;
    const Page *page = find(address >> pageBits);
    if (page) {
      from = page->isRange() ? std::clamp(page->begin, offset, stop) : offset;
      to = page->isRange() ? std::clamp(page->end, offset, stop) : stop;
    }
    if (from > offset)
      std::memset(out, 0, from - offset);
    if (from < to)
      std::memcpy(out + (from - offset), page->data + from, to - from);
    if (to < stop)
      std::memset(out + (to - offset), 0, stop - to);
    address += n;
    out += n;
    count -= n;
  }
}

template <typename Fill>
bool AddressSpace::writeParts(uint64_t address, uint64_t count, Fill fill) {
  for (uint64_t done = 0; done < count;) {
    uint64_t offset = (address + done) & (pageBytes - 1);
    uint64_t n = std::min(count - done, pageBytes - offset);
    Page *page = require((address + done) >> pageBits);
    if (!page || (!page->isWhole() && !mark(*page, offset, n)))
      return false;
    fill(done, n, page->data + offset);
    done += n;
  }
  return true;
}

bool AddressSpace::write(uint64_t address, const void *from, uint64_t count) {
  return writeParts(
      address, count, [from](uint64_t offset, uint64_t n, uint8_t *into) {
        std::memcpy(into, static_cast<const uint8_t *>(from) + offset, n);
      });
}

bool AddressSpace::write(
    uint64_t address, uint64_t count,
    llvm::function_ref<void(uint64_t offset, uint64_t count, uint8_t *into)>
        fill) {
  return writeParts(address, count, fill);
}

uint64_t AddressSpace::firstUnwritten(uint64_t address, uint64_t count) const {
  uint64_t end = address + count;
  while (address < end) {
    uint64_t offset = address & (pageBytes - 1);
    uint64_t n = std::min(end - address, pageBytes - offset);
    const Page *page = find(address >> pageBits);
    if (!page)
      return address;
    if (page->isRange()) {
      if (offset < page->begin || offset >= page->end)
        return address;
      if (page->end < offset + n)
        return address - offset + page->end;
    } else if (!page->isWhole()) {
      for (uint64_t bit = offset, stop = offset + n; bit < stop;) {
        uint64_t inWord = std::min<uint64_t>(64 - bit % 64, stop - bit);
        uint64_t mask = llvm::maskTrailingOnes<uint64_t>(inWord) << (bit % 64);
        uint64_t missing = mask & ~page->written[bit / 64];
        if (missing)
          return address - offset + bit / 64 * 64 + llvm::countr_zero(missing);
        bit += inWord;
      }
    }
    address += n;
  }
  return end;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Memory::Memory(uint64_t deviceBytes, unsigned cores, uint64_t scratchpadBytes,
               std::shared_ptr<PageStore> store)
    : scratchpadBytes(scratchpadBytes),
      arena(store ? std::move(store) : std::make_shared<PageStore>()) {
  deviceMemory = std::make_unique<AddressSpace>("device memory", deviceBytes,
                                                nextId++, arena);
  scratchpads.resize(cores);
  nextId += cores;
}

AddressSpace &Memory::makeScratchpad(unsigned core) {
  scratchpads[core] = std::make_unique<AddressSpace>(
      ("scratchpad of core " + llvm::Twine(core)).str(), scratchpadBytes,
      deviceMemory->id() + 1 + core, arena);
  return *scratchpads[core];
}

AddressSpace &Memory::local(int core, int corelet, llvm::StringRef kind,
                            uint64_t size) {
  for (Local &local : locals)
    if (local.core == core && local.corelet == corelet && local.kind == kind)
      return *local.space;
  std::string name = ("'" + kind + "' of core " + llvm::Twine(core) +
                      ", corelet " + llvm::Twine(corelet))
                         .str();
  locals.push_back(
      {core, corelet, kind.str(),
       std::make_unique<AddressSpace>(name, size, nextId++, arena)});
  return *locals.back().space;
}
