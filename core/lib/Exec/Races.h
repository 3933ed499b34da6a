//===- Races.h - Conflicting accesses that nothing orders -------*- C++ -*-===//
//
// Vector clocks of instances, and for every byte of memory the last write and
// the reads since (dataflow-ir.md E-7). Such states of bytes are few beside the
// bytes: each is kept once, and memory has their numbers, one for a whole page
// as long as it is accessed as a whole, then one for each granule, which is as
// small as the accesses ask for, down to a byte. So nothing is reported that
// did not overlap.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_RACES_H
#define KTIR_LIB_EXEC_RACES_H

#include "NumberLists.h"
#include "ktir/Exec/Memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ktir::exec {

/// What an instance knows of the others: for instance i, every access it made
/// up to its time get(i) happened before now. Shared with the messages that
/// carry it; copied when it changes while shared.
class VectorClock {
public:
  struct Entry {
    uint32_t instance, time;
    bool operator==(const Entry &other) const {
      return instance == other.instance && time == other.time;
    }
  };
  using Snapshot = std::shared_ptr<const std::vector<Entry>>;

  uint32_t get(uint32_t instance) const;
  /// What a message of an instance with this clock carries; its own time is
  /// sent beside it.
  Snapshot snapshot() const { return entries; }
  /// Learns `snapshot` and that instance `from` was at `time`.
  void join(const Snapshot &snapshot, uint32_t from, uint32_t time);
  /// Another number whenever the clock has learned something.
  uint64_t version() const { return changes; }

private:
  std::vector<Entry> &writable();
  std::shared_ptr<std::vector<Entry>> entries; ///< sorted by instance
  uint64_t changes = 0;
};

/// The clock of the instance that accesses, and its own time.
struct Accessor {
  uint32_t instance;
  uint32_t time;
  const VectorClock *clock;
};

/// Pieces of memory of `bytes` bytes each: the first at `address`, the others
/// each `stride` bytes from the one before.
struct Pieces {
  uint64_t address;
  uint64_t bytes;
  uint64_t count = 1;
  int64_t stride = 0;

  uint64_t place(uint64_t piece) const {
    return address + piece * uint64_t(stride);
  }
};

class RaceDetector {
public:
  /// With `ordered` false no instance ever waits for another, and two of the
  /// instances that read a byte are enough to find any conflict.
  /// What is noted of memory is kept in storage of `store`, or of a store of
  /// its own.
  explicit RaceDetector(bool ordered,
                        std::shared_ptr<PageStore> store = nullptr)
      : ordered(ordered),
        arena(store ? std::move(store) : std::make_shared<PageStore>()) {}

  /// The other access of a conflict.
  struct Conflict {
    uint64_t piece; ///< of the access, from 0
    uint64_t address;
    uint32_t instance;
    uint32_t site;
    bool wasWrite;
  };

  /// Notes that `who` reads or writes `pieces` of memory `space` by the op
  /// `site`. Returns the first conflict, if any, in the order of the pieces.
  std::optional<Conflict> access(unsigned space, const Pieces &pieces,
                                 const Accessor &who, uint32_t site,
                                 bool isWrite);

  /// Orders everything so far before everything to come.
  void barrier();

  /// Bytes that the records take.
  uint64_t bytes() const { return arena.size() + listBytes(); }
  /// True once there was no storage for a record; nothing is known from there
  /// on.
  bool isOutOfStorage() const { return outOfStorage; }

private:
  static constexpr unsigned pageBits = 12;
  static constexpr uint64_t pageBytes = uint64_t(1) << pageBits;
  static constexpr unsigned chunkBits = 18;
  static constexpr unsigned chunkPages = 1u << (chunkBits - pageBits);
  /// Of the largest granule; a stick.
  static constexpr unsigned maxGranuleBits = 7;
  /// Most entries of a palette.
  static constexpr unsigned maxPalette = 256;

  /// How a page keeps the states of its bytes.
  enum class Form : uint8_t {
    Uniform, ///< one for all
    Bytes,   ///< for each granule a byte, which counts in the palette
    Words    ///< for each granule the number of a state
  };
  struct Page {
    /// The rest means something only when this is the current one.
    uint32_t generation;
    Form form;
    uint8_t granuleBits;
    uint8_t roomBits;  ///< of the palette
    uint16_t known;    ///< entries of the palette that mean something
    uint32_t state;    ///< Uniform
    uint32_t *palette; ///< Bytes; different states
    union {
      uint8_t *bytes;
      uint32_t *words;
    };

    uint32_t granules() const { return uint32_t(pageBytes >> granuleBits); }
  };
  struct Chunk {
    Page pages[chunkPages];
  };
  static_assert(sizeof(Chunk) % 16 == 0, "what an arena gives");

  /// What the access under way makes of a state.
  struct Step {
    uint64_t context = 0; ///< in which it holds
    uint32_t from = 0, to = 0;
    uint32_t conflict = 0; ///< the access, or 0
    bool wasWrite = false;
  };

  struct Access {
    uint32_t instance, time, site;
    /// The states that it made: the last one of a chain, and how many it has.
    uint32_t state = 0, chained = 0;
  };
  /// What an instance accessed at its present time.
  struct Recent {
    uint32_t time = 0;
    /// Site and number of each access, in the order in which they came first.
    llvm::SmallVector<std::pair<uint32_t, uint32_t>, 4> accesses;
    size_t next = 0; ///< the one to expect, for most come from loops
  };

  bool isBefore(uint32_t access) const;
  void enter(const Accessor &who, uint32_t site, bool isWrite);
  uint32_t numberOf(const Accessor &who, uint32_t site);
  uint32_t stateOf(llvm::ArrayRef<uint32_t> list);
  const Step &step(uint32_t state);
  void note(const Step &step, uint64_t address);
  static uint64_t keyOf(unsigned space, uint64_t address) {
    return uint64_t(space) << 44 | address >> chunkBits;
  }
  Page *page(unsigned space, uint64_t address);
  void prefetch(unsigned space, uint64_t address) const;
  bool touch(Page &page, uint64_t base, uint32_t begin, uint32_t end);
  bool learn(Page &page, uint64_t base, uint32_t granule);
  std::optional<uint8_t> indexOf(Page &page, uint32_t state);
  bool cut(Page &page, unsigned granuleBits);
  bool widen(Page &page);
  void compact(Page &page);
  void join(Page &page);
  void makeUniform(Page &page, uint32_t state);
  void forgetUnused();

  /// Blocks of `1 << bits` bytes, null when there is no storage.
  uint8_t *take(unsigned bits);
  void give(void *block, unsigned bits);
  static unsigned cellBits(const Page &page, Form form);

  const bool ordered;
  uint32_t generation = 1;
  bool outOfStorage = false;
  /// The first stands for none.
  std::vector<Access> accesses{{}};
  std::vector<Recent> recents; ///< by instance
  /// Each the last write, or 0, and the reads since, as numbers of `accesses`;
  /// 0 is that of bytes that no one accessed.
  NumberLists states;
  /// Of each state the next one of its access, or 0.
  std::vector<uint32_t> chain{0};
  /// Longer chains are not searched.
  static constexpr uint32_t maxChained = 16;
  uint64_t listBytes() const {
    return accesses.capacity() * sizeof(Access) + states.bytes() +
           chain.capacity() * sizeof(uint32_t);
  }
  void clearLists();
  /// Bytes of all of them at which what no page has is forgotten.
  uint64_t listLimit = minListLimit;
  static constexpr uint64_t minListLimit = uint64_t(16) << 20;

  PageArena arena;
  struct Free {
    Free *next;
  };
  /// Of each size, by `bits` of `take`.
  std::array<Free *, pageBits + 3> freeBlocks = {};
  llvm::DenseMap<uint64_t, Chunk *> chunks;
  uint64_t cachedKey = ~uint64_t(0);
  Chunk *cachedChunk = nullptr;

  /// The access under way; `context` counts those that differ.
  Accessor who = {};
  uint32_t site = 0;
  bool isWrite = false;
  uint64_t clockVersion = 0;
  uint64_t context = 0;
  uint32_t mine = 0; ///< in `accesses`
  uint64_t piece = 0;
  std::optional<Conflict> first;
  static constexpr size_t numSteps = 64;
  std::array<Step, numSteps> steps;

  /// What becomes of the entries of the palette of `movesOf`: `moves[i]`, where
  /// `moveRounds[i]` is the current round.
  const Page *movesOf = nullptr;
  uint64_t movesContext = 0;
  uint64_t round = 0;
  std::array<uint64_t, maxPalette> moveRounds = {};
  std::array<uint8_t, maxPalette> moves;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_RACES_H
