//===- NumberLists.cpp - Numbered lists of numbers ------------------------===//

#include "NumberLists.h"

#include <algorithm>
#include <utility>

using namespace ktir::exec;

/// Entries of the smallest table, a power of two as of all.
static constexpr size_t minEntries = 64;

void NumberLists::clear() {
  numbers.clear();
  begins.assign(2, 0);
  table.clear();
  interned = 0;
}

/// A multiplicative hash: most lists are of one to three small numbers.
static size_t hash(llvm::ArrayRef<uint32_t> list) {
  uint64_t mixed = list.size();
  for (uint32_t number : list) {
    mixed = (mixed ^ number) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 32;
  }
  return size_t(mixed);
}

/// The entry of `list`: its number, or a free one.
uint32_t &NumberLists::place(llvm::ArrayRef<uint32_t> list) {
  const size_t mask = table.size() - 1;
  size_t at = hash(list) & mask;
  while (table[at] && get(table[at]) != list)
    at = (at + 1) & mask;
  return table[at];
}

void NumberLists::grow() {
  std::vector<uint32_t> larger(std::max(minEntries, 2 * table.size()));
  std::swap(table, larger);
  for (uint32_t number : larger)
    if (number)
      place(get(number)) = number;
}

uint32_t NumberLists::append(llvm::ArrayRef<uint32_t> list) {
  const auto number = uint32_t(size());
  for (uint32_t member : list) // mostly one to three
    numbers.push_back(member);
  begins.push_back(numbers.size());
  return number;
}

uint32_t NumberLists::intern(llvm::ArrayRef<uint32_t> list) {
  if (list.empty())
    return 0;
  if (2 * interned >= table.size())
    grow();
  uint32_t &entry = place(list);
  if (!entry) {
    entry = append(list);
    ++interned;
  }
  return entry;
}
