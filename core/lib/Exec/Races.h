//===- Races.h - Conflicting accesses that nothing orders -------*- C++ -*-===//
//
// Vector clocks of instances, and for every byte of memory the last write and
// the reads since (dataflow-ir.md E-7). Whole sticks share one record as long
// as they are accessed as a whole; others are cut at the exact bytes, so that
// nothing is reported that did not overlap.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_RACES_H
#define KTIR_LIB_EXEC_RACES_H

#include "ktir/Exec/Memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
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

private:
  std::vector<Entry> &writable();
  std::shared_ptr<std::vector<Entry>> entries; ///< sorted by instance
};

/// The clock of the instance that accesses, and its own time.
struct Accessor {
  uint32_t instance;
  uint32_t time;
  const VectorClock *clock;
};

class RaceDetector {
public:
  /// With `ordered` false no instance ever waits for another, and two of the
  /// instances that read a byte are enough to find any conflict.
  /// Records are kept in storage of `store`, or of a store of its own.
  explicit RaceDetector(bool ordered,
                        std::shared_ptr<PageStore> store = nullptr)
      : ordered(ordered),
        arena(store ? std::move(store) : std::make_shared<PageStore>()) {}

  /// The other access of a conflict.
  struct Conflict {
    uint64_t address;
    uint32_t instance;
    uint32_t site;
    bool wasWrite;
  };

  /// Notes that `who` reads or writes `count` bytes of memory `space` at
  /// `address` by the op `site`. Returns the first conflict, if any.
  std::optional<Conflict> access(unsigned space, uint64_t address,
                                 uint64_t count, const Accessor &who,
                                 uint32_t site, bool isWrite);

  /// Orders everything so far before everything to come.
  void barrier();

private:
  static constexpr unsigned pageSticks = 512;
  static constexpr uint32_t nobody = ~uint32_t(0);

  struct Access {
    uint32_t instance = nobody;
    uint32_t time = 0;
    uint32_t site = 0;
    bool operator==(const Access &other) const {
      return instance == other.instance && time == other.time &&
             site == other.site;
    }
  };
  /// Last write, and the reads since: the first one here, more in `readers`.
  struct Cell {
    Access write, read;
    uint32_t more = 0; ///< index + 1 into `readers`
    bool isUsed() const {
      return write.instance != nobody || read.instance != nobody;
    }
  };
  struct Segment {
    uint16_t begin, end;
    Cell cell;
  };
  /// The parts of a stick that was not always accessed as a whole.
  using Segments = llvm::SmallVector<Segment, 2>; // sorted, disjoint
  /// In memory of any content: a stick's entries mean something only while its
  /// generation is the current one.
  struct Page {
    uint32_t generations[pageSticks];
    /// Index + 1 into `cut`; 0 where `whole` holds for the whole stick.
    uint32_t cuts[pageSticks];
    Cell whole[pageSticks];
  };

  static bool before(const Access &access, const Accessor &who) {
    return access.instance == nobody || access.instance == who.instance ||
           access.time <= who.clock->get(access.instance);
  }
  /// Updates `cell`; returns the access it conflicts with.
  const Access *apply(Cell &cell, const Accessor &who, uint32_t site,
                      bool isWrite, bool &wasWrite);
  Page &page(unsigned space, uint64_t index);
  /// The same, with the conflict as `first` if there was none before.
  void touch(Cell &cell, uint64_t address, const Accessor &who, uint32_t site,
             bool isWrite, std::optional<Conflict> &first);
  /// The same for bytes `begin .. end - 1` of the stick at address `base`.
  void accessPart(Segments &segments, uint64_t base, uint16_t begin,
                  uint16_t end, const Accessor &who, uint32_t site,
                  bool isWrite, std::optional<Conflict> &first);
  uint32_t takeReaders();
  Cell copyOf(const Cell &cell);

  bool ordered;
  uint32_t generation = 1;
  PageArena arena;
  llvm::DenseMap<uint64_t, Page *> pages;
  uint64_t cachedKey = ~uint64_t(0);
  Page *cachedPage = nullptr;
  std::vector<llvm::SmallVector<Access, 4>> readers;
  llvm::SmallVector<uint32_t, 0> freeReaders;
  std::vector<Segments> cut;
  llvm::SmallVector<uint32_t, 0> freeCuts;
  Access conflictWith;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_RACES_H
