//===- Deliveries.h - Values from tile to tile ------------------*- C++ -*-===//
//
// A production and its delivery, as the tables that a run looks at, and what
// was published and not consumed yet (ktir.md §4.10).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_DELIVERIES_H
#define KTIR_LIB_EXEC_DELIVERIES_H

#include "Program.h"
#include "Races.h"

#include "llvm/ADT/SmallVector.h"

#include <deque>

namespace ktir::exec {

/// One production with its delivery.
struct Exchange : Payload {
  struct Consumer {
    uint32_t tile;
    /// Producers it waits for, ascending.
    llvm::SmallVector<uint32_t, 4> waits;
  };
  struct Group {
    int64_t index;
    llvm::SmallVector<uint32_t, 4> producers;
    llvm::SmallVector<Consumer, 4> consumers;
  };

  uint32_t number = 0;      ///< of the exchanges of the program
  uint32_t produceSite = 0; ///< index into ProgramImpl::sites
  std::vector<Group> groups;
  /// By tile: the group it produces for, or consumes of, and where in the
  /// group; -1 for none.
  std::vector<int32_t> producerGroup, consumerGroup, consumerPosition;
  /// By tile: consumers that wait for it.
  std::vector<uint32_t> readers;

  const Consumer *consumer(uint32_t tile) const {
    return consumerGroup[tile] < 0
               ? nullptr
               : &groups[consumerGroup[tile]].consumers[consumerPosition[tile]];
  }
};

/// What is under way in one exchange. The k-th execution of the delivery on a
/// tile takes what the k-th executions of the production published.
struct ExchangeState {
  struct Publication {
    llvm::SmallVector<Tensor, 1> values; ///< one per role
    VectorClock::Snapshot clock;
    uint32_t time;
    uint32_t readers; ///< that have still to come
  };
  struct Tile {
    std::deque<Publication> published;
    uint64_t first = 0; ///< number of the first of `published`
    uint64_t consumed = 0;
  };
  std::vector<Tile> tiles;
  llvm::SmallVector<Instance *, 4> waiting;

  /// Publication `number` of `tile`, null as long as there is none.
  Publication *find(uint32_t tile, uint64_t number) {
    Tile &from = tiles[tile];
    uint64_t index = number - from.first;
    return index < from.published.size() ? &from.published[index] : nullptr;
  }
  /// Ends the current delivery to `consumer`.
  void release(const Exchange::Consumer &consumer);
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_DELIVERIES_H
