//===- MemoryTest.cpp - Sparse memories -----------------------------------===//

#include "ktir/Exec/Memory.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace ktir::exec;

TEST(MemoryTest, ReadsBackAcrossPages) {
  Memory memory(uint64_t(128) << 30, 2, 2 << 20);
  std::vector<uint8_t> data(3 * AddressSpace::pageBytes + 5);
  std::iota(data.begin(), data.end(), 1);
  // Starts in the middle of a page near the end of the device.
  uint64_t at = (uint64_t(127) << 30) + AddressSpace::pageBytes / 2 + 3;
  memory.device().write(at, data.data(), data.size());
  std::vector<uint8_t> back(data.size());
  memory.device().read(at, back.data(), back.size());
  EXPECT_EQ(back, data);
  EXPECT_EQ(memory.device().firstUnwritten(at, data.size()), at + data.size());
}

TEST(MemoryTest, KnowsUnwrittenBytes) {
  Memory memory(1 << 20, 1, 1 << 16);
  AddressSpace &space = memory.scratchpad(0);
  EXPECT_EQ(space.firstUnwritten(100, 4), 100u);
  uint8_t byte = 7;
  space.write(100, &byte, 1);
  space.write(101, &byte, 1);
  space.write(103, &byte, 1);
  EXPECT_EQ(space.firstUnwritten(100, 2), 102u);
  EXPECT_EQ(space.firstUnwritten(100, 4), 102u);
  EXPECT_EQ(space.firstUnwritten(103, 1), 104u);
  // What was not written reads as zero.
  uint8_t read[4] = {9, 9, 9, 9};
  space.read(100, read, 4);
  EXPECT_EQ(read[1], 7);
  EXPECT_EQ(read[2], 0);
}

TEST(MemoryTest, ContainsExactlyItsBytes) {
  Memory memory(1000, 1, 16);
  EXPECT_TRUE(memory.device().contains(0, 1000));
  EXPECT_TRUE(memory.device().contains(999, 1));
  EXPECT_FALSE(memory.device().contains(999, 2));
  EXPECT_FALSE(memory.device().contains(-1, 1));
  EXPECT_FALSE(memory.device().contains(1, ~uint64_t(0)));
}
