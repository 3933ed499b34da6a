//===- Memory.h - The memories of the machine -------------------*- C++ -*-===//
//
// Device memory and scratchpads as byte arrays that cost only what is touched,
// and which of their bytes were ever written.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_MEMORY_H
#define KTIR_EXEC_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ktir::exec {

/// Storage that memories give back and take again, so that launching one kernel
/// many times does not ask the host for fresh memory each time. May be shared
/// between threads.
class PageStore {
public:
  /// Bytes of a block: large enough for a host to map it at once.
  static constexpr uint64_t blockBytes = uint64_t(1) << 21;

  /// A store that gives blocks of `maxBytes` bytes in all at most, as a host
  /// with less memory does.
  explicit PageStore(uint64_t maxBytes = ~uint64_t(0))
      : left(maxBytes / blockBytes) {}
  PageStore(const PageStore &) = delete;
  PageStore &operator=(const PageStore &) = delete;
  ~PageStore();

  /// A block of `blockBytes` bytes of any content; null when the host has no
  /// more.
  uint8_t *take();
  /// Takes back a block; a store keeps some hundred megabytes at most.
  void give(uint8_t *block);

private:
  std::mutex mutex;
  std::vector<uint8_t *> blocks;
  uint64_t left; ///< blocks that may be taken still
};

/// The blocks that the memories of one machine have taken from a store, given
/// back together.
class PageArena {
public:
  explicit PageArena(std::shared_ptr<PageStore> store)
      : store(std::move(store)) {}
  PageArena(const PageArena &) = delete;
  PageArena &operator=(const PageArena &) = delete;
  ~PageArena();

  /// `count` bytes of any content, a multiple of 16 up to
  /// `PageStore::blockBytes`; null when the store has no more.
  uint8_t *allocate(uint64_t count);
  /// Bytes of all blocks.
  uint64_t size() const { return blocks.size() * PageStore::blockBytes; }

private:
  std::shared_ptr<PageStore> store;
  std::vector<uint8_t *> blocks;
  uint64_t used = PageStore::blockBytes; ///< of the last block
};

/// One memory: bytes `0 .. size()-1`, stored in pages that exist once they are
/// written. A byte that was never written reads as zero.
class AddressSpace {
public:
  static constexpr unsigned pageBits = 16;
  static constexpr uint64_t pageBytes = uint64_t(1) << pageBits;

  /// A memory of `size` bytes. `name` is what diagnostics call it ("device
  /// memory", "scratchpad of core 3"); `id` counts the memories of a Memory.
  /// `arena` holds the pages and must outlive the memory.
  AddressSpace(std::string name, uint64_t size, unsigned id, PageArena &arena)
      : label(std::move(name)), bytes(size), number(id), arena(arena) {}
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;

  llvm::StringRef name() const { return label; }
  uint64_t size() const { return bytes; }
  unsigned id() const { return number; }

  /// True when `count` bytes from `address` lie in the memory.
  bool contains(int64_t address, uint64_t count) const {
    return address >= 0 && uint64_t(address) <= bytes &&
           count <= bytes - uint64_t(address);
  }

  /// Copies `count` bytes from `address`; they must lie in the memory.
  void read(uint64_t address, void *into, uint64_t count) const;
  /// Writes `count` bytes at `address` and marks them as written; they must
  /// lie in the memory. False when the host has no storage for a page; what
  /// lies before it is written.
  bool write(uint64_t address, const void *from, uint64_t count);
  /// The same with bytes that `fill` puts where they belong: called for one
  /// part after the other, with how many bytes lie before it.
  bool
  write(uint64_t address, uint64_t count,
        llvm::function_ref<void(uint64_t offset, uint64_t count, uint8_t *into)>
            fill);
  /// The first byte of `address .. address+count-1` that was never written, or
  /// `address + count` when all were.
  uint64_t firstUnwritten(uint64_t address, uint64_t count) const;
  /// Pages that exist.
  uint64_t pageCount() const { return pages.size(); }

private:
  struct Release {
    void operator()(uint64_t *bits) const { std::free(bits); }
  };
  struct Page {
    uint8_t *data = nullptr;
    /// A bit for each byte that was written; the others are zero. Null as long
    /// as those that were are one range, beyond which `data` is of any content,
    /// and once all were.
    std::unique_ptr<uint64_t[], Release> written;
    uint64_t begin = 0, end = 0; ///< that range
    uint64_t writtenCount = 0;

    bool isWhole() const { return writtenCount == pageBytes; }
    bool isRange() const { return !written && !isWhole(); }
    void setBits(uint64_t from, uint64_t to);
  };
  Page *find(uint64_t index) const;
  Page *require(uint64_t index);
  static bool mark(Page &page, uint64_t offset, uint64_t count);
  template <typename Fill>
  bool writeParts(uint64_t address, uint64_t count, Fill fill);

  std::string label;
  uint64_t bytes;
  unsigned number;
  PageArena &arena;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  mutable uint64_t cachedIndex = ~uint64_t(0);
  mutable Page *cachedPage = nullptr;
};

/// Every memory of one machine (spec E-3): one device memory, and a scratchpad
/// per core and memories private to units, which are made when first named.
class Memory {
public:
  /// Sizes in bytes. Takes its storage from `store`, or from one of its own.
  Memory(uint64_t deviceBytes, unsigned cores, uint64_t scratchpadBytes,
         std::shared_ptr<PageStore> store = nullptr);

  unsigned cores() const { return scratchpads.size(); }
  AddressSpace &device() { return *deviceMemory; }
  const AddressSpace &device() const { return *deviceMemory; }
  /// The scratchpad of `core`, which must be below cores(), and the bytes of
  /// each.
  AddressSpace &scratchpad(unsigned core) {
    return scratchpads[core] ? *scratchpads[core] : makeScratchpad(core);
  }
  uint64_t scratchpadSize() const { return scratchpadBytes; }
  /// The memory `kind` (a device kind such as "SFU_REG") of one corelet,
  /// created with `size` bytes when it is first asked for; -1 stands for a
  /// memory that belongs to no corelet, or to no core.
  AddressSpace &local(int core, int corelet, llvm::StringRef kind,
                      uint64_t size);
  /// Bytes of the pages of all memories.
  uint64_t pageBytes() const { return arena.size(); }
  /// Number of memories so far; their ids are below it.
  unsigned spaces() const { return nextId; }

private:
  AddressSpace &makeScratchpad(unsigned core);

  unsigned nextId = 0;
  const uint64_t scratchpadBytes;
  PageArena arena;
  std::unique_ptr<AddressSpace> deviceMemory;
  std::vector<std::unique_ptr<AddressSpace>> scratchpads;
  struct Local {
    int core, corelet;
    std::string kind;
    std::unique_ptr<AddressSpace> space;
  };
  std::vector<Local> locals;
};

} // namespace ktir::exec

#endif // KTIR_EXEC_MEMORY_H
