//===- Races.cpp - Conflicting accesses that nothing orders ---------------===//

#include "Races.h"

#include "ktir/Dialect/Ktdp/Stick.h"

#include <algorithm>

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

RaceDetector::Page &RaceDetector::page(unsigned space, uint64_t index) {
  uint64_t key = uint64_t(space) << 44 | index;
  if (key == cachedKey)
    return *cachedPage;
  Page *&slot = pages[key];
  if (!slot) {
    slot = reinterpret_cast<Page *>(arena.allocate(sizeof(Page)));
    std::fill_n(slot->generations, pageSticks, 0);
  }
  cachedKey = key;
  cachedPage = slot;
  return *slot;
}

void RaceDetector::barrier() {
  ++generation;
  readers.clear();
  freeReaders.clear();
  cut.clear();
  freeCuts.clear();
}

uint32_t RaceDetector::takeReaders() {
  if (freeReaders.empty()) {
    readers.emplace_back();
    return readers.size();
  }
  return freeReaders.pop_back_val();
}

RaceDetector::Cell RaceDetector::copyOf(const Cell &cell) {
  Cell copy = cell;
  if (cell.more) {
    copy.more = takeReaders();
    readers[copy.more - 1] = readers[cell.more - 1];
  }
  return copy;
}

const RaceDetector::Access *RaceDetector::apply(Cell &cell, const Accessor &who,
                                                uint32_t site, bool isWrite,
                                                bool &wasWrite) {
  const Access *conflict = nullptr;
  Access mine{who.instance, who.time, site};
  if (!before(cell.write, who)) {
    conflictWith = cell.write;
    conflict = &conflictWith;
    wasWrite = true;
  }
  if (isWrite) {
    if (!conflict && !before(cell.read, who)) {
      conflictWith = cell.read;
      conflict = &conflictWith;
      wasWrite = false;
    }
    if (cell.more) {
      auto &list = readers[cell.more - 1];
      for (const Access &other : list)
        if (!conflict && !before(other, who)) {
          conflictWith = other;
          conflict = &conflictWith;
          wasWrite = false;
        }
      list.clear();
      freeReaders.push_back(cell.more);
      cell.more = 0;
    }
    cell.write = mine;
    cell.read = Access();
    return conflict;
  }

  // A read that is ordered before this one needs no record of its own.
  if (before(cell.read, who)) {
    cell.read = mine;
    return conflict;
  }
  if (!cell.more)
    cell.more = takeReaders();
  auto &list = readers[cell.more - 1];
  for (Access &other : list)
    if (before(other, who)) {
      other = mine;
      return conflict;
    }
  if (ordered || list.empty())
    list.push_back(mine);
  return conflict;
}

std::optional<RaceDetector::Conflict>
RaceDetector::access(unsigned space, uint64_t address, uint64_t count,
                     const Accessor &who, uint32_t site, bool isWrite) {
  std::optional<Conflict> first;
  for (uint64_t end = address + count; address < end;) {
    uint64_t stick = address / stickBytes;
    uint64_t base = stick * stickBytes;
    uint16_t from = address - base;
    uint16_t to = std::min<uint64_t>(stickBytes, end - base);
    address = base + to;
    Page &in = page(space, stick / pageSticks);
    unsigned at = stick % pageSticks;
    Cell &whole = in.whole[at];
    if (in.generations[at] != generation) {
      in.generations[at] = generation;
      in.cuts[at] = 0;
      whole = Cell();
    }
    if (!in.cuts[at] && to - from == stickBytes) {
      touch(whole, base, who, site, isWrite, first);
      continue;
    }
    if (!in.cuts[at]) {
      if (freeCuts.empty()) {
        cut.emplace_back();
        freeCuts.push_back(cut.size());
      }
      in.cuts[at] = freeCuts.pop_back_val();
      Segments &segments = cut[in.cuts[at] - 1];
      segments.clear();
      if (whole.isUsed())
        segments.push_back({0, stickBytes, whole});
    }
    Segments &segments = cut[in.cuts[at] - 1];
    accessPart(segments, base, from, to, who, site, isWrite, first);
    if (segments.size() == 1 && segments[0].begin == 0 &&
        segments[0].end == stickBytes) {
      whole = segments[0].cell;
      freeCuts.push_back(in.cuts[at]);
      in.cuts[at] = 0;
    }
  }
  return first;
}

void RaceDetector::touch(Cell &cell, uint64_t address, const Accessor &who,
                         uint32_t site, bool isWrite,
                         std::optional<Conflict> &first) {
  bool wasWrite = false;
  const Access *other = apply(cell, who, site, isWrite, wasWrite);
  if (other && !first)
    first = Conflict{address, other->instance, other->site, wasWrite};
}

void RaceDetector::accessPart(Segments &segments, uint64_t base, uint16_t begin,
                              uint16_t stop, const Accessor &who, uint32_t site,
                              bool isWrite, std::optional<Conflict> &first) {
  auto touch = [&](Cell &cell, uint64_t where) {
    this->touch(cell, where, who, site, isWrite, first);
  };
  if (segments.empty())
    segments.push_back({begin, stop, Cell()});
  if (segments.size() == 1 && segments[0].begin == begin &&
      segments[0].end == stop)
    return touch(segments[0].cell, base + begin);

  // Cut the segments at the ends of the access and fill the gaps within.
  llvm::SmallVector<Segment, 8> parts;
  auto append = [&](uint16_t from, uint16_t to, const Cell &cell) {
    if (from >= to)
      return;
    if (!parts.empty()) {
      Segment &last = parts.back();
      if (last.end == from && !last.cell.more && !cell.more &&
          last.cell.write == cell.write && last.cell.read == cell.read) {
        last.end = to;
        return;
      }
    }
    parts.push_back({from, to, cell});
  };
  uint16_t position = begin;
  for (Segment &segment : segments) {
    if (segment.end <= begin) {
      append(segment.begin, segment.end, segment.cell);
      continue;
    }
    if (position < stop && segment.begin > position) {
      uint16_t to = std::min(segment.begin, stop);
      Cell fresh;
      touch(fresh, base + position);
      append(position, to, fresh);
      position = to;
    }
    uint16_t insideBegin = std::max(segment.begin, begin);
    uint16_t insideEnd = std::min(segment.end, stop);
    if (insideBegin >= insideEnd) {
      append(segment.begin, segment.end, segment.cell);
      continue;
    }
    if (segment.begin < insideBegin)
      append(segment.begin, insideBegin, copyOf(segment.cell));
    Cell after;
    if (insideEnd < segment.end)
      after = copyOf(segment.cell);
    touch(segment.cell, base + insideBegin);
    append(insideBegin, insideEnd, segment.cell);
    append(insideEnd, segment.end, after);
    position = insideEnd;
  }
  if (position < stop) {
    Cell fresh;
    touch(fresh, base + position);
    append(position, stop, fresh);
  }
  segments.assign(parts.begin(), parts.end());
}
