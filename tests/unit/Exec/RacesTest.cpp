//===- RacesTest.cpp - Vector clocks and shadow memory --------------------===//

#include "Races.h"
#include "Effort.h"
#include "gtest/gtest.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <iterator>
#include <random>

using namespace ktir::exec;

namespace {
struct Actor {
  uint32_t id;
  uint32_t time = 1;
  VectorClock clock = {};
  Accessor get() const { return {id, time, &clock}; }
  /// A message to `other`.
  void tell(Actor &other) {
    other.clock.join(clock.snapshot(), id, time);
    ++time;
  }
};
} // namespace

TEST(RacesTest, UnorderedWriteAndReadConflict) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  EXPECT_FALSE(races.access(0, {0, 128}, a.get(), 10, true));
  auto conflict = races.access(0, {64, 64}, b.get(), 20, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 64u);
  EXPECT_EQ(conflict->instance, 0u);
  EXPECT_EQ(conflict->site, 10u);
  EXPECT_TRUE(conflict->wasWrite);
}

TEST(RacesTest, AMessageOrders) {
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  EXPECT_FALSE(races.access(0, {0, 128}, a.get(), 1, true));
  a.tell(b);
  EXPECT_FALSE(races.access(0, {0, 128}, b.get(), 2, true));
  // Through b, c knows of a as well.
  b.tell(c);
  EXPECT_FALSE(races.access(0, {0, 128}, c.get(), 3, false));
  // What a does after its message is unknown to c.
  EXPECT_TRUE(races.access(0, {0, 1}, a.get(), 4, true));
}

TEST(RacesTest, NeighbouringBytesDoNotConflict) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  EXPECT_FALSE(races.access(0, {0, 3}, a.get(), 1, true));
  EXPECT_FALSE(races.access(0, {3, 2}, b.get(), 2, true));
  EXPECT_FALSE(races.access(0, {5, 123}, a.get(), 1, true));
  EXPECT_FALSE(races.access(0, {128, 300}, b.get(), 2, true));
  // In another memory the same addresses are other bytes.
  EXPECT_FALSE(races.access(1, {0, 128}, b.get(), 2, true));
  EXPECT_TRUE(races.access(0, {4, 2}, a.get(), 1, true));
}

TEST(RacesTest, ReadsDoNotConflictButEveryReaderCounts) {
  for (bool ordered : {false, true}) {
    RaceDetector races(ordered);
    Actor a{0}, b{1}, c{2};
    EXPECT_FALSE(races.access(0, {0, 8}, a.get(), 1, false));
    EXPECT_FALSE(races.access(0, {0, 8}, b.get(), 2, false));
    EXPECT_FALSE(races.access(0, {0, 8}, c.get(), 3, false));
    auto conflict = races.access(0, {0, 8}, a.get(), 4, true);
    ASSERT_TRUE(conflict);
    EXPECT_NE(conflict->instance, 0u);
    EXPECT_FALSE(conflict->wasWrite);
  }
  // Ordered after b but not after c.
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  races.access(0, {0, 8}, b.get(), 2, false);
  races.access(0, {0, 8}, c.get(), 3, false);
  b.tell(a);
  auto conflict = races.access(0, {0, 8}, a.get(), 4, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->instance, 2u);
}

TEST(RacesTest, ABarrierOrdersEverything) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  EXPECT_FALSE(races.access(0, {0, 8}, a.get(), 1, true));
  races.barrier();
  EXPECT_FALSE(races.access(0, {0, 8}, b.get(), 2, true));
}

// Parts that fill a stick become one record again, and are cut again.
TEST(RacesTest, PartsOfAStickAreToldApart) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  for (uint64_t at = 0; at < 128; at += 32)
    EXPECT_FALSE(races.access(0, {at, 32}, a.get(), 1, true));
  auto whole = races.access(0, {0, 128}, b.get(), 2, false);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->address, 0u);
  a.tell(b);
  b.tell(a);
  EXPECT_FALSE(races.access(0, {96, 32}, b.get(), 3, true));
  EXPECT_FALSE(races.access(0, {0, 96}, a.get(), 4, true));
  auto part = races.access(0, {90, 20}, a.get(), 5, true);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->address, 96u);
  EXPECT_EQ(part->instance, 1u);
  EXPECT_EQ(part->site, 3u);
}

TEST(RacesTest, StorageOfAnEarlierRunTellsNothing) {
  auto store = std::make_shared<PageStore>();
  Actor a{0}, b{1};
  {
    RaceDetector races(true, store);
    races.access(0, {0, 1 << 20}, a.get(), 1, true);
    races.access(0, {3, 5}, a.get(), 1, true);
  }
  RaceDetector races(true, store);
  EXPECT_FALSE(races.access(0, {0, 1 << 20}, b.get(), 2, true));
  EXPECT_FALSE(races.access(0, {1, 300}, b.get(), 2, false));
}

// What a barrier ended is gone where a stick was cut, too.
TEST(RacesTest, ABarrierForgetsParts) {
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  races.access(0, {5, 7}, a.get(), 1, false);
  races.access(0, {5, 7}, b.get(), 1, false);
  races.barrier();
  EXPECT_FALSE(races.access(0, {0, 128}, c.get(), 2, true));
  EXPECT_TRUE(races.access(0, {6, 1}, a.get(), 3, false));
}

TEST(RacesTest, PiecesAreOneAccess) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  // Bytes 1000, 900, ... 100, and those beside them.
  EXPECT_FALSE(races.access(0, {1000, 1, 10, -100}, a.get(), 1, true));
  EXPECT_FALSE(races.access(0, {101, 99, 9, 100}, b.get(), 2, true));
  auto conflict = races.access(0, {4, 4, 100, 8}, b.get(), 3, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 100u);
  EXPECT_EQ(conflict->piece, 12u); // bytes 100 to 103
  EXPECT_EQ(conflict->site, 1u);
  // In the order of the pieces, not of addresses.
  conflict = races.access(0, {1500, 1, 16, -100}, b.get(), 3, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 1000u);
  EXPECT_EQ(conflict->piece, 5u);
}

namespace {
/// What E-7 says, byte by byte: the last write and all reads since.
class ByteModel {
public:
  /// Two memories of `extent` bytes.
  explicit ByteModel(uint64_t extent) {
    llvm::fill(bytes, std::vector<Byte>(extent));
  }

  struct Record {
    uint32_t instance, time, site;
  };
  struct Byte {
    std::optional<Record> write;
    std::vector<Record> reads;
  };
  /// The accesses that conflict with one at a byte, of a kind.
  struct Conflict {
    uint64_t piece, address;
    bool wasWrite;
    std::vector<Record> others;
  };

  /// `known[i]`: up to which time of instance i everything happened before.
  std::optional<Conflict> access(unsigned space, const Pieces &pieces,
                                 const Record &mine,
                                 const std::vector<uint32_t> &known,
                                 bool isWrite) {
    auto isOrdered = [&](const Record &other) {
      return other.instance == mine.instance ||
             other.time <= known[other.instance];
    };
    std::optional<Conflict> first;
    for (uint64_t piece = 0; piece < pieces.count; ++piece)
      for (uint64_t i = 0; i < pieces.bytes; ++i) {
        const uint64_t address = pieces.place(piece) + i;
        Byte &byte = bytes[space][address];
        std::vector<Record> others;
        const bool afterWrite = byte.write && !isOrdered(*byte.write);
        if (afterWrite)
          others.push_back(*byte.write);
        else if (isWrite)
          llvm::copy_if(byte.reads, std::back_inserter(others),
                        [&](const Record &read) { return !isOrdered(read); });
        if (!others.empty() && !first)
          first = Conflict{piece, address, afterWrite, others};
        if (isWrite) {
          byte.write = mine;
          byte.reads.clear();
        } else {
          byte.reads.push_back(mine);
        }
      }
    return first;
  }
  void barrier() {
    for (std::vector<Byte> &space : bytes)
      llvm::fill(space, Byte());
  }

private:
  std::array<std::vector<Byte>, 2> bytes;
};

/// Random accesses, messages and barriers of some instances, of which the
/// detector has to find what the model finds.
class Rivals {
public:
  Rivals(uint32_t seed, bool ordered, uint64_t extent)
      : random(seed), ordered(ordered), extent(extent), races(ordered),
        model(extent), known(instances, std::vector<uint32_t>(instances)) {
    for (uint32_t id = 0; id < instances; ++id)
      actors.push_back(Actor{id});
  }

  void go() {
    const uint32_t kind = pick(100);
    if (kind < 2) {
      races.barrier();
      model.barrier();
    } else if (kind < 25 && ordered) {
      message();
    } else {
      access();
    }
  }
  size_t conflicts = 0, accesses = 0;

private:
  uint32_t pick(uint32_t end) { return random() % end; }
  void message() {
    const uint32_t from = pick(instances), to = pick(instances);
    if (from == to)
      return;
    for (uint32_t i = 0; i < instances; ++i)
      known[to][i] = std::max(known[to][i], known[from][i]);
    known[to][from] = actors[from].time;
    actors[from].tell(actors[to]);
  }
  Pieces choose() {
    Pieces pieces{0, 0};
    // Elements, rows of any size, sticks, pages.
    const uint32_t kind = pick(8);
    if (kind < 3)
      pieces.bytes = uint64_t(1) << pick(4);
    else if (kind < 5)
      pieces.bytes = 1 + pick(300);
    else if (kind < 7)
      pieces.bytes = 128 * (1 + pick(8));
    else
      pieces.bytes = 4096 * (1 + pick(2));
    if (pick(2)) {
      pieces.count = 1 + pick(60);
      const int64_t strides[] = {
          1, int64_t(pieces.bytes), 32, 100, 128, 256, 1024, 7};
      pieces.stride = strides[pick(8)];
      pieces.count = std::min<uint64_t>(
          pieces.count, 1 + (extent - pieces.bytes) / pieces.stride / 2);
    }
    const uint64_t span =
        pieces.bytes + (pieces.count - 1) * uint64_t(pieces.stride);
    pieces.address = pick(uint32_t(extent - span + 1));
    // Mostly aligned, as elements are.
    const uint64_t unit = pieces.bytes & ~(pieces.bytes - 1);
    if (pick(8))
      pieces.address -= pieces.address % unit;
    if (pick(4) == 0) {
      pieces.address = pieces.place(pieces.count - 1);
      pieces.stride = -pieces.stride;
    }
    return pieces;
  }
  void access() {
    const Pieces pieces = choose();
    const Actor &actor = actors[pick(instances)];
    const uint32_t site = pick(4);
    const unsigned space = pick(10) == 0;
    const bool isWrite = pick(3) == 0;
    auto found = races.access(space, pieces, actor.get(), site, isWrite);
    auto expected = model.access(space, pieces, {actor.id, actor.time, site},
                                 known[actor.id], isWrite);
    ++accesses;
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (!found)
      return;
    ++conflicts;
    EXPECT_EQ(found->piece, expected->piece);
    EXPECT_EQ(found->address, expected->address);
    EXPECT_EQ(found->wasWrite, expected->wasWrite);
    EXPECT_TRUE(
        llvm::any_of(expected->others, [&](const ByteModel::Record &other) {
          return other.instance == found->instance && other.site == found->site;
        }));
  }

  static constexpr uint32_t instances = 6;
  std::mt19937 random;
  bool ordered;
  uint64_t extent; ///< bytes that are accessed
  RaceDetector races;
  ByteModel model;
  std::vector<Actor> actors;
  std::vector<std::vector<uint32_t>> known;
};
} // namespace

TEST(RacesTest, AgreesWithAModelOfBytes) {
  for (uint32_t seed = 0; seed < ktir::test::effort(24u, 6u); ++seed) {
    // On a few bytes nearly everything conflicts.
    Rivals rivals(seed, seed % 2, seed % 3 ? 40000 : 12288);
    for (int i = 0; i < 400; ++i) {
      rivals.go();
      ASSERT_FALSE(testing::Test::HasFailure()) << seed << ", " << i;
    }
    EXPECT_GT(rivals.conflicts, 10u) << seed;
    EXPECT_LT(rivals.conflicts, rivals.accesses) << seed;
  }
}

// More states in one page than a byte can number.
TEST(RacesTest, EveryByteMayHaveAStateOfItsOwn) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  for (uint32_t round = 0; round < 2; ++round)
    for (uint32_t at = 0; at < 4096; ++at)
      EXPECT_FALSE(races.access(0, {at, 1}, a.get(), 10000 * round + at, true));
  for (uint64_t at : {0, 255, 256, 4095}) {
    auto conflict = races.access(0, {at, 1}, b.get(), 1, false);
    ASSERT_TRUE(conflict);
    EXPECT_EQ(conflict->site, 10000 + at);
  }
  // One write of all of it leaves one state.
  races.access(0, {0, 4096}, b.get(), 7, true);
  auto conflict = races.access(0, {77, 3000}, a.get(), 2, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 77u);
  EXPECT_EQ(conflict->site, 7u);
}

// Elements that the tiles of a device share out one by one: as many bytes of
// records as of elements of a byte, half as many of those of two.
TEST(RacesTest, ScatteredElementsTakeFewRecords) {
  constexpr uint64_t tiles = 32, size = uint64_t(4) << 20;
  constexpr uint64_t slack = 2 * PageStore::blockBytes;
  for (uint64_t element : {1, 2, 4}) {
    RaceDetector races(false);
    std::vector<Actor> actors;
    for (uint32_t tile = 0; tile < tiles; ++tile)
      actors.push_back(Actor{tile});
    const uint64_t row = tiles * element;
    for (uint32_t site = 0; site < 4; ++site)
      for (const Actor &actor : actors)
        EXPECT_FALSE(races.access(
            0, {actor.id * element, element, size / row, int64_t(row)},
            actor.get(), site, site % 2));
    EXPECT_LT(races.bytes(), size / element * 5 / 4 + slack);
    EXPECT_TRUE(races.access(0, {size - 1, 1}, actors[0].get(), 9, false));
  }
}

// Of instances that signal each other, nearly every access is another; what is
// no byte's any more takes nothing.
TEST(RacesTest, WhatIsOverTakesNothing) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  const uint32_t rounds = ktir::test::effort(600000, 300000);
  for (uint32_t i = 0; i < rounds; ++i) {
    const uint64_t at = i % 100 * 64;
    ASSERT_FALSE(races.access(0, {at, 64}, a.get(), 1, true));
    a.tell(b);
    ASSERT_FALSE(races.access(0, {at, 64}, b.get(), 2, false));
    b.tell(a);
  }
  EXPECT_LT(races.bytes(), uint64_t(24) << 20);
  races.access(0, {640, 64}, b.get(), 3, false);
  auto conflict = races.access(0, {0, 6400}, a.get(), 1, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 640u);
  EXPECT_EQ(conflict->site, 3u);
}

TEST(RacesTest, SaysWhenThereIsNoStorage) {
  auto store = std::make_shared<PageStore>(2 * PageStore::blockBytes);
  Actor a{0}, b{1};
  {
    RaceDetector races(true, store);
    EXPECT_FALSE(races.access(0, {1, 1, 1 << 20, 2}, a.get(), 1, true));
    EXPECT_FALSE(races.isOutOfStorage());
    EXPECT_FALSE(races.access(0, {1 << 21, 1, 1 << 22, 2}, a.get(), 1, true));
    EXPECT_TRUE(races.isOutOfStorage());
    EXPECT_FALSE(races.access(0, {1, 1}, b.get(), 1, true));
    races.barrier();
    EXPECT_TRUE(races.isOutOfStorage());
  }
  // Another one may have what that took.
  RaceDetector races(true, store);
  EXPECT_FALSE(races.access(0, {1, 1, 1 << 19, 2}, a.get(), 1, true));
  EXPECT_FALSE(races.isOutOfStorage());
  EXPECT_TRUE(races.access(0, {1, 1}, b.get(), 1, true));
}
