//===- Memory.cpp - The memories of the machine ---------------------------===//

#include "ktir/Exec/Memory.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace ktir::exec;

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

AddressSpace::Page &AddressSpace::require(uint64_t index) {
  if (Page *page = find(index))
    return *page;
  std::unique_ptr<Page> &page = pages[index];
  page = std::make_unique<Page>();
  cachedIndex = index;
  cachedPage = page.get();
  return *page;
}

void AddressSpace::read(uint64_t address, void *into, uint64_t count) const {
  auto *out = static_cast<uint8_t *>(into);
  while (count) {
    uint64_t offset = address & (pageBytes - 1);
    uint64_t n = std::min(count, pageBytes - offset);
    if (const Page *page = find(address >> pageBits))
      std::memcpy(out, page->data + offset, n);
    else
      std::memset(out, 0, n);
    address += n;
    out += n;
    count -= n;
  }
}

void AddressSpace::write(uint64_t address, const void *from, uint64_t count) {
  const auto *in = static_cast<const uint8_t *>(from);
  while (count) {
    uint64_t offset = address & (pageBytes - 1);
    uint64_t n = std::min(count, pageBytes - offset);
    Page &page = require(address >> pageBits);
    std::memcpy(page.data + offset, in, n);
    if (page.writtenCount != pageBytes) {
      for (uint64_t bit = offset, end = offset + n; bit < end;) {
        uint64_t inWord = std::min<uint64_t>(64 - bit % 64, end - bit);
        uint64_t mask = llvm::maskTrailingOnes<uint64_t>(inWord) << (bit % 64);
        uint64_t &word = page.written[bit / 64];
        page.writtenCount += llvm::popcount(mask & ~word);
        word |= mask;
        bit += inWord;
      }
    }
    address += n;
    in += n;
    count -= n;
  }
}

uint64_t AddressSpace::firstUnwritten(uint64_t address, uint64_t count) const {
  uint64_t end = address + count;
  while (address < end) {
    uint64_t offset = address & (pageBytes - 1);
    uint64_t n = std::min(end - address, pageBytes - offset);
    const Page *page = find(address >> pageBits);
    if (!page)
      return address;
    if (page->writtenCount != pageBytes) {
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

Memory::Memory(uint64_t deviceBytes, unsigned cores, uint64_t scratchpadBytes) {
  deviceMemory =
      std::make_unique<AddressSpace>("device memory", deviceBytes, nextId++);
  for (unsigned core = 0; core < cores; ++core)
    scratchpads.push_back(std::make_unique<AddressSpace>(
        ("scratchpad of core " + llvm::Twine(core)).str(), scratchpadBytes,
        nextId++));
}

AddressSpace &Memory::local(int core, int corelet, llvm::StringRef kind,
                            uint64_t size) {
  for (Local &local : locals)
    if (local.core == core && local.corelet == corelet && local.kind == kind)
      return *local.space;
  std::string name = ("'" + kind + "' of core " + llvm::Twine(core) +
                      ", corelet " + llvm::Twine(corelet))
                         .str();
  locals.push_back({core, corelet, kind.str(),
                    std::make_unique<AddressSpace>(name, size, nextId++)});
  return *locals.back().space;
}
