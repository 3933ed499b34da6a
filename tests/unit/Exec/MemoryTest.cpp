//===- MemoryTest.cpp - Sparse memories -----------------------------------===//

#include "ktir/Exec/Memory.h"
#include "Values.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>

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

TEST(MemoryTest, IsFilledInPlace) {
  Memory memory(1 << 20, 1, 1 << 16);
  AddressSpace &space = memory.device();
  std::vector<uint8_t> data(2 * AddressSpace::pageBytes + 5);
  std::iota(data.begin(), data.end(), 1);
  uint64_t next = 0, at = AddressSpace::pageBytes - 7;
  space.write(at, data.size(),
              [&](uint64_t offset, uint64_t count, uint8_t *into) {
                EXPECT_EQ(offset, next);
                next = offset + count;
                std::copy_n(data.begin() + offset, count, into);
              });
  EXPECT_EQ(next, data.size());
  std::vector<uint8_t> back(data.size());
  space.read(at, back.data(), back.size());
  EXPECT_EQ(back, data);
  // Around them nothing was written.
  EXPECT_EQ(space.firstUnwritten(at - 1, 1), at - 1);
  EXPECT_EQ(space.firstUnwritten(at, data.size() + 1), at + data.size());
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

// Writes of every length, one after the other and apart, to pages that hold
// what an earlier memory left.
TEST(MemoryTest, IsWhatWasWrittenAndZeroElsewhere) {
  constexpr uint64_t size = 3 * AddressSpace::pageBytes;
  auto store = std::make_shared<PageStore>();
  {
    Memory before(PageStore::blockBytes, 1, 1 << 16, store);
    std::vector<uint8_t> ones(PageStore::blockBytes, 0xFF);
    before.device().write(0, ones.data(), ones.size());
  }
  std::mt19937 random(11);
  auto pick = [&](uint64_t to) {
    return std::uniform_int_distribution<uint64_t>(0, to)(random);
  };
  for (unsigned round = 0; round < 60; ++round) {
    Memory memory(size, 1, 1 << 16, store);
    AddressSpace &space = memory.device();
    std::vector<uint8_t> bytes(size, 0);
    std::vector<bool> isWritten(size, false);
    uint64_t last = pick(size - 1), lastCount = 0;
    for (unsigned write = 0; write < 30; ++write) {
      const uint64_t longest = uint64_t(1) << pick(17);
      uint64_t at = pick(size - 1), count = 1 + pick(longest);
      const uint64_t kind = pick(3);
      if (kind == 0) // on from the last one
        at = std::min(last + lastCount, size - 1);
      else if (kind == 1) // up to it
        at = last > count ? last - count : 0;
      count = std::min(count, size - at);
      std::vector<uint8_t> data(count);
      for (uint8_t &byte : data)
        byte = uint8_t(1 + pick(254));
      ASSERT_TRUE(space.write(at, data.data(), count));
      std::copy(data.begin(), data.end(), bytes.begin() + at);
      std::fill_n(isWritten.begin() + at, count, true);
      last = at;
      lastCount = count;
      std::vector<uint8_t> back(size);
      space.read(0, back.data(), size);
      ASSERT_TRUE(back == bytes) << "round " << round << ", write " << write;
      const uint64_t from = pick(size - 1), some = 1 + pick(size - from - 1);
      back.resize(some);
      space.read(from, back.data(), some);
      ASSERT_TRUE(std::equal(back.begin(), back.end(), bytes.begin() + from));
      const auto missing = std::find(isWritten.begin() + from,
                                     isWritten.begin() + from + some, false);
      ASSERT_EQ(space.firstUnwritten(from, some),
                uint64_t(missing - isWritten.begin()));
    }
  }
}

TEST(MemoryTest, ContainsExactlyItsBytes) {
  Memory memory(1000, 1, 16);
  EXPECT_TRUE(memory.device().contains(0, 1000));
  EXPECT_TRUE(memory.device().contains(999, 1));
  EXPECT_FALSE(memory.device().contains(999, 2));
  EXPECT_FALSE(memory.device().contains(-1, 1));
  EXPECT_FALSE(memory.device().contains(1, ~uint64_t(0)));
}

// Pages that a memory gives back have no trace of what was in them.
TEST(MemoryTest, PagesOfAnEarlierMemoryReadAsZero) {
  auto store = std::make_shared<PageStore>();
  std::vector<uint8_t> ones(3 * AddressSpace::pageBytes, 0xFF);
  {
    Memory memory(1 << 20, 1, 1 << 16, store);
    memory.device().write(0, ones.data(), ones.size());
  }
  Memory memory(1 << 20, 1, 1 << 16, store);
  memory.device().write(10, ones.data(), 3);
  std::vector<uint8_t> found(ones.size()), expected(ones.size());
  std::fill_n(expected.begin() + 10, 3, 0xFF);
  memory.device().read(0, found.data(), found.size());
  EXPECT_EQ(found, expected);
  EXPECT_EQ(memory.device().firstUnwritten(10, 4), 13u);
  EXPECT_EQ(memory.device().firstUnwritten(AddressSpace::pageBytes, 1),
            AddressSpace::pageBytes);
}

// A store with two blocks, each of as many pages.
TEST(MemoryTest, WritesFailWithoutStorage) {
  constexpr uint64_t page = AddressSpace::pageBytes;
  constexpr uint64_t pages = 2 * PageStore::blockBytes / page;
  auto store = std::make_shared<PageStore>(2 * PageStore::blockBytes);
  const std::vector<uint8_t> ones(page, 0xFF);
  for (int round = 0; round < 2; ++round) {
    Memory memory(uint64_t(1) << 30, 1, 1 << 16, store);
    AddressSpace &space = memory.device();
    for (uint64_t i = 0; i < pages; ++i)
      EXPECT_TRUE(space.write(2 * i * page, ones.data(), i % 2 ? page : 3));
    EXPECT_FALSE(space.write(page, ones.data(), 1));
    EXPECT_FALSE(memory.scratchpad(0).write(0, ones.data(), page));
    EXPECT_EQ(memory.pageBytes(), 2 * PageStore::blockBytes);
    // Pages that are there can be written still, those that are not read as
    // zero.
    EXPECT_TRUE(space.write(10, ones.data(), 1));
    EXPECT_EQ(space.firstUnwritten(page, 1), page);
    EXPECT_EQ(space.firstUnwritten(0, 4), 3u);
    uint8_t read = 7;
    space.read(page, &read, 1);
    EXPECT_EQ(read, 0);
  }
}

TEST(BufferPoolTest, BlocksHoldWhatTheyWereTakenFor) {
  BufferPool pool;
  for (uint64_t bytes :
       {uint64_t(1), uint64_t(128), uint64_t(129), uint64_t(192), uint64_t(193),
        uint64_t(256), uint64_t(257), uint64_t(4095), BufferPool::maxBlockBytes,
        BufferPool::maxBlockBytes + 1}) {
    // Twice: a new block, and the one that was given back.
    for (int round = 0; round < 2; ++round) {
      auto *block = static_cast<uint8_t *>(pool.take(bytes));
      std::fill_n(block, bytes, 0x5A);
      EXPECT_EQ(block[bytes - 1], 0x5A);
      pool.give(block, bytes);
    }
  }
  // Two that are out at once are two.
  void *first = pool.take(300), *second = pool.take(300);
  EXPECT_NE(first, second);
  pool.give(first, 300);
  EXPECT_EQ(pool.take(310), first);
  pool.give(first, 310);
  pool.give(second, 300);
}
