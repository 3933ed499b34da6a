//===- Races.cpp - Conflicting accesses that nothing orders ---------------===//

#include "Races.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

using namespace ktir::exec;

//===----------------------------------------------------------------------===//
// VectorClock
//===----------------------------------------------------------------------===//

static bool instanceBefore(const VectorClock::Entry &entry, uint32_t instance) {
  return entry.instance < instance;
}

uint32_t VectorClock::get(uint32_t instance) const {
  if (!entries)
    return 0;
  auto it = std::lower_bound(entries->begin(), entries->end(), instance,
                             instanceBefore);
  return it != entries->end() && it->instance == instance ? it->time : 0;
}

std::vector<VectorClock::Entry> &VectorClock::writable() {
  if (!entries)
    entries = std::make_shared<std::vector<Entry>>();
  else if (entries.use_count() > 1)
    entries = std::make_shared<std::vector<Entry>>(*entries);
  return *entries;
}

void VectorClock::join(const Snapshot &snapshot, uint32_t from, uint32_t time) {
  auto learn = [&](uint32_t instance, uint32_t value) {
    if (get(instance) >= value)
      return;
    ++changes;
    std::vector<Entry> &own = writable();
    auto it =
        std::lower_bound(own.begin(), own.end(), instance, instanceBefore);
    if (it != own.end() && it->instance == instance)
      it->time = value;
    else
      own.insert(it, {instance, value});
  };
  learn(from, time);
  if (snapshot && snapshot != entries)
    for (const Entry &entry : *snapshot)
      learn(entry.instance, entry.time);
}

//===----------------------------------------------------------------------===//
// RaceDetector
//===----------------------------------------------------------------------===//

//===--- What an access makes of a state ----------------------------------===//

/// Whether `access`, an entry of `accesses`, happened before the one under way.
bool RaceDetector::isBefore(uint32_t access) const {
  const Access &other = accesses[access];
  return !access || other.instance == who.instance ||
         other.time <= who.clock->get(other.instance);
}

/// The number of an access by `who`. Where instances signal each other, most
/// are new ones.
uint32_t RaceDetector::numberOf(const Accessor &who, uint32_t site) {
  if (recents.size() <= who.instance)
    recents.resize(who.instance + 1);
  Recent &recent = recents[who.instance];
  if (recent.time != who.time) {
    recent.time = who.time;
    recent.accesses.clear();
    recent.next = 0;
  }
  const size_t count = recent.accesses.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t at =
        recent.next + i < count ? recent.next + i : recent.next + i - count;
    if (recent.accesses[at].first == site) {
      recent.next = at + 1;
      return recent.accesses[at].second;
    }
  }
  const auto number = uint32_t(accesses.size());
  accesses.push_back({who.instance, who.time, site});
  recent.accesses.push_back({site, number});
  recent.next = 0;
  return number;
}

/// Makes an access by `next` the one under way.
void RaceDetector::enter(const Accessor &next, uint32_t nextSite,
                         bool nextIsWrite) {
  const uint64_t version = next.clock->version();
  if (mine && next.instance == who.instance && next.time == who.time &&
      next.clock == who.clock && version == clockVersion && nextSite == site &&
      nextIsWrite == isWrite)
    return;
  ++context;
  who = next;
  clockVersion = version;
  site = nextSite;
  isWrite = nextIsWrite;
  mine = numberOf(who, site);
}

/// The state `list`, which has `mine`: an access makes few, so that those are
/// looked through, and only where it makes many there is a table of them.
uint32_t RaceDetector::stateOf(llvm::ArrayRef<uint32_t> list) {
  Access &access = accesses[mine];
  for (uint32_t state = access.state; state; state = chain[state])
    if (states.get(state) == list)
      return state;
  if (access.chained == maxChained) {
    const uint32_t state = states.intern(list);
    chain.resize(states.size());
    return state;
  }
  chain.push_back(access.state);
  ++access.chained;
  return access.state = states.append(list);
}

const RaceDetector::Step &RaceDetector::step(uint32_t state) {
  Step &step = steps[state % numSteps];
  if (step.context == context && step.from == state)
    return step;
  step = {context, state, 0, 0, false};
  llvm::ArrayRef<uint32_t> before = states.get(state);
  if (!before.empty() && !isBefore(before.front())) {
    step.conflict = before.front();
    step.wasWrite = true;
  }
  llvm::SmallVector<uint32_t, 8> after(before);
  if (after.empty())
    after.push_back(0);
  if (isWrite) {
    if (!step.conflict)
      for (uint32_t reader : llvm::drop_begin(after))
        if (!isBefore(reader)) {
          step.conflict = reader;
          break;
        }
    after.assign(1, mine);
  } else {
    // A read that is ordered before this one needs no record of its own.
    auto *known = std::find_if(after.begin() + 1, after.end(),
                               [&](uint32_t read) { return isBefore(read); });
    if (known != after.end())
      *known = mine;
    else if (ordered || after.size() < 3)
      after.push_back(mine);
  }
  step.to = before == llvm::ArrayRef(after) ? state : stateOf(after);
  return step;
}

/// Keeps the conflict of `step` at `address` if it is the first.
void RaceDetector::note(const Step &step, uint64_t address) {
  if (!step.conflict || first)
    return;
  const Access &other = accesses[step.conflict];
  first = Conflict{piece, address, other.instance, other.site, step.wasWrite};
}

//===--- Pages ------------------------------------------------------------===//

uint8_t *RaceDetector::take(unsigned bits) {
  if (Free *block = freeBlocks[bits]) {
    freeBlocks[bits] = block->next;
    return reinterpret_cast<uint8_t *>(block);
  }
  uint8_t *block = arena.allocate(uint64_t(1) << bits);
  outOfStorage |= !block;
  return block;
}

void RaceDetector::give(void *block, unsigned bits) {
  freeBlocks[bits] = new (block) Free{freeBlocks[bits]};
}

/// Of the block of the granules of `page` in `form`.
unsigned RaceDetector::cellBits(const Page &page, Form form) {
  return pageBits - page.granuleBits + (form == Form::Words ? 2 : 0);
}

/// The page of `address`; null when there is no storage.
RaceDetector::Page *RaceDetector::page(unsigned space, uint64_t address) {
  const uint64_t key = keyOf(space, address);
  if (key != cachedKey) {
    Chunk *&chunk = chunks[key];
    if (!chunk) {
      void *storage = arena.allocate(sizeof(Chunk));
      if (!storage) {
        outOfStorage = true;
        return nullptr;
      }
      chunk = new (storage) Chunk();
    }
    cachedKey = key;
    cachedChunk = chunk;
  }
  Page &page = cachedChunk->pages[address >> pageBits & (chunkPages - 1)];
  if (page.generation != generation) {
    makeUniform(page, 0);
    page.generation = generation;
  }
  return &page;
}

void RaceDetector::makeUniform(Page &page, uint32_t state) {
  if (page.form != Form::Uniform)
    give(page.bytes, cellBits(page, page.form));
  if (page.form == Form::Bytes)
    give(page.palette, page.roomBits + 2);
  page.form = Form::Uniform;
  page.state = state;
}

/// Makes granules of `1 << granuleBits` bytes, no larger than they are.
bool RaceDetector::cut(Page &page, unsigned granuleBits) {
  Page fine = page;
  fine.granuleBits = granuleBits;
  if (page.form == Form::Uniform) {
    fine.form = Form::Bytes;
    fine.roomBits = 3;
    fine.known = 1;
    auto *palette = reinterpret_cast<uint32_t *>(take(fine.roomBits + 2));
    if (!palette)
      return false;
    *palette = page.state;
    fine.palette = palette;
  }
  fine.bytes = take(cellBits(fine, fine.form));
  if (!fine.bytes) {
    if (page.form == Form::Uniform)
      give(fine.palette, fine.roomBits + 2);
    return false;
  }
  if (page.form == Form::Uniform) {
    std::memset(fine.bytes, 0, fine.granules());
  } else {
    const uint32_t parts = 1u << (page.granuleBits - granuleBits);
    for (uint32_t granule = 0; granule < page.granules(); ++granule)
      if (page.form == Form::Bytes)
        std::memset(fine.bytes + granule * parts, page.bytes[granule], parts);
      else
        std::fill_n(fine.words + granule * parts, parts, page.words[granule]);
    give(page.bytes, cellBits(page, page.form));
  }
  page = fine;
  ++round;
  return true;
}

/// Makes Bytes Words.
bool RaceDetector::widen(Page &page) {
  auto *words = reinterpret_cast<uint32_t *>(take(cellBits(page, Form::Words)));
  if (!words)
    return false;
  for (uint32_t granule = 0; granule < page.granules(); ++granule)
    words[granule] = page.palette[page.bytes[granule]];
  makeUniform(page, 0);
  page.form = Form::Words;
  page.words = words;
  return true;
}

/// Drops entries of the palette that no granule has.
void RaceDetector::compact(Page &page) {
  std::array<bool, maxPalette> isUsed = {};
  for (uint32_t granule = 0; granule < page.granules(); ++granule)
    isUsed[page.bytes[granule]] = true;
  std::array<uint8_t, maxPalette> numbers;
  uint16_t used = 0;
  for (uint16_t entry = 0; entry < page.known; ++entry)
    if (isUsed[entry]) {
      page.palette[used] = page.palette[entry];
      numbers[entry] = uint8_t(used++);
    }
  page.known = used;
  for (uint32_t granule = 0; granule < page.granules(); ++granule)
    page.bytes[granule] = numbers[page.bytes[granule]];
  ++round;
}

/// Makes a page uniform if all of it has one state.
void RaceDetector::join(Page &page) {
  const uint8_t *bytes = page.bytes;
  const size_t size = page.form == Form::Words ? sizeof(uint32_t) : 1;
  if (std::memcmp(bytes, bytes + size, (page.granules() - 1) * size) == 0)
    makeUniform(page, page.form == Form::Words ? page.words[0]
                                               : page.palette[page.bytes[0]]);
}

/// The entry of the palette for `state`, perhaps a new one. Absent when there
/// is no storage, and when the page has too many states and is one of Words
/// from now on.
std::optional<uint8_t> RaceDetector::indexOf(Page &page, uint32_t state) {
  uint32_t *const end = page.palette + page.known;
  const uint32_t *found = std::find(page.palette, end, state);
  if (found != end)
    return uint8_t(found - page.palette);
  const unsigned room = 1u << page.roomBits;
  if (page.known == room && room < std::min(maxPalette, 2 * page.granules())) {
    auto *larger = reinterpret_cast<uint32_t *>(take(page.roomBits + 3));
    if (!larger)
      return std::nullopt;
    std::copy_n(page.palette, page.known, larger);
    give(page.palette, page.roomBits + 2);
    page.palette = larger;
    ++page.roomBits;
  } else if (page.known == room) {
    compact(page);
    if (page.known > room / 4 * 3) {
      // Cleaning up would soon take more time than what is written.
      widen(page);
      return std::nullopt;
    }
  }
  page.palette[page.known] = state;
  return uint8_t(page.known++);
}

/// Finds out what becomes of granules like `granule` of a page of Bytes. False
/// when that cannot be told by the palette any more.
bool RaceDetector::learn(Page &page, uint64_t base, uint32_t granule) {
  const Step &next = step(page.palette[page.bytes[granule]]);
  note(next, base + (uint64_t(granule) << page.granuleBits));
  std::optional<uint8_t> to = indexOf(page, next.to);
  if (!to)
    return false;
  moves[page.bytes[granule]] = *to;
  moveRounds[page.bytes[granule]] = round;
  return true;
}

/// Notes the access under way to bytes `begin .. end - 1` of the page at
/// address `base`. False when there is no storage.
bool RaceDetector::touch(Page &page, uint64_t base, uint32_t begin,
                         uint32_t end) {
  const bool isWhole = begin == 0 && end == pageBytes;
  const unsigned granuleBits =
      llvm::countr_zero(begin | end | 1u << maxGranuleBits);
  if (page.form == Form::Uniform) {
    const Step &next = step(page.state);
    if (next.to == page.state || isWhole) {
      note(next, base + begin);
      page.state = next.to;
      return true;
    }
    if (!cut(page, granuleBits))
      return false;
  } else if (page.granuleBits > granuleBits && !cut(page, granuleBits)) {
    return false;
  }
  if (movesOf != &page || movesContext != context) {
    movesOf = &page;
    movesContext = context;
    ++round;
  }
  uint32_t granule = begin >> page.granuleBits;
  const uint32_t stop = end >> page.granuleBits;
  while (granule < stop && page.form == Form::Bytes) {
    uint8_t &byte = page.bytes[granule];
    if (moveRounds[byte] == round) {
      byte = moves[byte];
      ++granule;
    } else if (!learn(page, base, granule) && outOfStorage) {
      return false;
    }
  }
  for (; granule < stop; ++granule) {
    const Step &next = step(page.words[granule]);
    note(next, base + (uint64_t(granule) << page.granuleBits));
    page.words[granule] = next.to;
  }
  if (isWhole)
    join(page);
  return true;
}

//===--- Accesses ---------------------------------------------------------===//

/// How many pieces ahead their records are fetched: what one takes from memory
/// is as long as some pieces take that are in the caches.
static constexpr uint64_t prefetchedPieces = 8;

/// Fetches the record of `address` if its page is near the last one.
void RaceDetector::prefetch(unsigned space, uint64_t address) const {
  if (keyOf(space, address) != cachedKey)
    return;
  const Page &page = cachedChunk->pages[address >> pageBits & (chunkPages - 1)];
  if (page.form != Form::Bytes)
    return;
  __builtin_prefetch(page.bytes +
                     ((address & (pageBytes - 1)) >> page.granuleBits));
}

std::optional<RaceDetector::Conflict>
RaceDetector::access(unsigned space, const Pieces &pieces, const Accessor &by,
                     uint32_t bySite, bool asWrite) {
  if (outOfStorage)
    return std::nullopt;
  if (listBytes() > listLimit)
    forgetUnused();
  enter(by, bySite, asWrite);
  // What becomes of states that conflict is to be noted again.
  if (std::exchange(first, std::nullopt))
    movesOf = nullptr;
  for (piece = 0; piece < pieces.count; ++piece) {
    uint64_t address = pieces.place(piece);
    if (piece + prefetchedPieces < pieces.count)
      prefetch(space, pieces.place(piece + prefetchedPieces));
    for (uint64_t end = address + pieces.bytes; address < end;) {
      const uint64_t base = address & ~(pageBytes - 1);
      const uint64_t to = std::min(end, base + pageBytes);
      Page *in = page(space, address);
      if (!in ||
          !touch(*in, base, uint32_t(address - base), uint32_t(to - base)))
        return first;
      address = to;
    }
  }
  return first;
}

void RaceDetector::barrier() {
  ++generation;
  clearLists();
}

void RaceDetector::clearLists() {
  accesses.resize(1);
  recents.clear();
  states.clear();
  chain.resize(1);
  mine = 0;
}

/// Drops the states that no byte has, and the accesses that are in none. In a
/// long run whose instances signal each other, nearly every access is another.
void RaceDetector::forgetUnused() {
  const NumberLists allStates = std::exchange(states, NumberLists());
  const std::vector<Access> allAccesses = std::exchange(accesses, {{}});
  std::vector<uint32_t>().swap(chain);
  clearLists();
  std::vector<uint32_t> stateNumbers(allStates.size());
  std::vector<uint32_t> accessNumbers(allAccesses.size());
  llvm::SmallVector<uint32_t> list;
  auto keepState = [&](uint32_t &state) {
    uint32_t &number = stateNumbers[state];
    if (state && !number) {
      list.clear();
      for (uint32_t access : allStates.get(state)) {
        uint32_t &kept = accessNumbers[access];
        if (access && !kept) {
          kept = uint32_t(accesses.size());
          const Access &from = allAccesses[access];
          accesses.push_back({from.instance, from.time, from.site});
        }
        list.push_back(kept);
      }
      number = states.append(list);
    }
    state = number;
  };
  for (auto &entry : chunks)
    for (Page &page : entry.second->pages) {
      if (page.generation != generation)
        continue;
      switch (page.form) {
      case Form::Uniform:
        keepState(page.state);
        break;
      case Form::Bytes:
        compact(page);
        std::for_each_n(page.palette, page.known, keepState);
        break;
      case Form::Words:
        std::for_each_n(page.words, page.granules(), keepState);
        break;
      }
    }
  chain.resize(states.size());
  // Not again before there is as much to forget as there was to look at.
  listLimit = std::max({minListLimit, 2 * listBytes(), arena.size() / 4});
}
