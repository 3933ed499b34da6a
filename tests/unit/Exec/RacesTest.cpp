//===- RacesTest.cpp - Vector clocks and shadow memory --------------------===//

#include "Races.h"
#include "gtest/gtest.h"

using namespace ktir::exec;

namespace {
struct Actor {
  uint32_t id;
  uint32_t time = 1;
  VectorClock clock;
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
  EXPECT_FALSE(races.access(0, 0, 128, a.get(), 10, true));
  auto conflict = races.access(0, 64, 64, b.get(), 20, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 64u);
  EXPECT_EQ(conflict->instance, 0u);
  EXPECT_EQ(conflict->site, 10u);
  EXPECT_TRUE(conflict->wasWrite);
}

TEST(RacesTest, AMessageOrders) {
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  EXPECT_FALSE(races.access(0, 0, 128, a.get(), 1, true));
  a.tell(b);
  EXPECT_FALSE(races.access(0, 0, 128, b.get(), 2, true));
  // Through b, c knows of a as well.
  b.tell(c);
  EXPECT_FALSE(races.access(0, 0, 128, c.get(), 3, false));
  // What a does after its message is unknown to c.
  EXPECT_TRUE(races.access(0, 0, 1, a.get(), 4, true));
}

TEST(RacesTest, NeighbouringBytesDoNotConflict) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  EXPECT_FALSE(races.access(0, 0, 3, a.get(), 1, true));
  EXPECT_FALSE(races.access(0, 3, 2, b.get(), 2, true));
  EXPECT_FALSE(races.access(0, 5, 123, a.get(), 1, true));
  EXPECT_FALSE(races.access(0, 128, 300, b.get(), 2, true));
  // In another memory the same addresses are other bytes.
  EXPECT_FALSE(races.access(1, 0, 128, b.get(), 2, true));
  EXPECT_TRUE(races.access(0, 4, 2, a.get(), 1, true));
}

TEST(RacesTest, ReadsDoNotConflictButEveryReaderCounts) {
  for (bool ordered : {false, true}) {
    RaceDetector races(ordered);
    Actor a{0}, b{1}, c{2};
    EXPECT_FALSE(races.access(0, 0, 8, a.get(), 1, false));
    EXPECT_FALSE(races.access(0, 0, 8, b.get(), 2, false));
    EXPECT_FALSE(races.access(0, 0, 8, c.get(), 3, false));
    auto conflict = races.access(0, 0, 8, a.get(), 4, true);
    ASSERT_TRUE(conflict);
    EXPECT_NE(conflict->instance, 0u);
    EXPECT_FALSE(conflict->wasWrite);
  }
  // Ordered after b but not after c.
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  races.access(0, 0, 8, b.get(), 2, false);
  races.access(0, 0, 8, c.get(), 3, false);
  b.tell(a);
  auto conflict = races.access(0, 0, 8, a.get(), 4, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->instance, 2u);
}

TEST(RacesTest, ABarrierOrdersEverything) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  EXPECT_FALSE(races.access(0, 0, 8, a.get(), 1, true));
  races.barrier();
  EXPECT_FALSE(races.access(0, 0, 8, b.get(), 2, true));
}

// Parts that fill a stick become one record again, and are cut again.
TEST(RacesTest, PartsOfAStickAreToldApart) {
  RaceDetector races(true);
  Actor a{0}, b{1};
  for (uint64_t at = 0; at < 128; at += 32)
    EXPECT_FALSE(races.access(0, at, 32, a.get(), 1, true));
  auto whole = races.access(0, 0, 128, b.get(), 2, false);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->address, 0u);
  a.tell(b);
  b.tell(a);
  EXPECT_FALSE(races.access(0, 96, 32, b.get(), 3, true));
  EXPECT_FALSE(races.access(0, 0, 96, a.get(), 4, true));
  auto part = races.access(0, 90, 20, a.get(), 5, true);
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
    races.access(0, 0, 1 << 20, a.get(), 1, true);
    races.access(0, 3, 5, a.get(), 1, true);
  }
  RaceDetector races(true, store);
  EXPECT_FALSE(races.access(0, 0, 1 << 20, b.get(), 2, true));
  EXPECT_FALSE(races.access(0, 1, 300, b.get(), 2, false));
}

// What a barrier ended is gone where a stick was cut, too.
TEST(RacesTest, ABarrierForgetsParts) {
  RaceDetector races(true);
  Actor a{0}, b{1}, c{2};
  races.access(0, 5, 7, a.get(), 1, false);
  races.access(0, 5, 7, b.get(), 1, false);
  races.barrier();
  EXPECT_FALSE(races.access(0, 0, 128, c.get(), 2, true));
  EXPECT_TRUE(races.access(0, 6, 1, a.get(), 3, false));
}
