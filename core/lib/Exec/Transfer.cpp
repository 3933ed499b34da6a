//===- Transfer.cpp - Checked memory accesses -----------------------------===//

#include "Transfer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace ktir::exec;
using llvm::Twine;

namespace {

/// One level of a nest that walks memory and the packed elements in step.
struct Loop {
  int64_t count;
  int64_t memory; ///< bytes from one step to the next
  int64_t packed;
};

/// The runs of one access: performs each and keeps the first offence of each
/// kind for one report.
class Access {
public:
  Access(Instance &self, const View &view, const Selection &selection,
         uint8_t *packed, bool isWrite, uint32_t site)
      : self(self), run(self.run), view(view), selection(selection),
        packed(packed), isWrite(isWrite), site(site),
        checks(run.options.checks) {}

  Outcome box();
  Outcome points();

private:
  Outcome overhang(unsigned dim, int64_t first, int64_t last);
  Outcome outside(int64_t begin, int64_t end);
  void perform(int64_t address, int64_t offset, int64_t bytes);
  Outcome conclude(uint64_t begin, int64_t bytes);
  std::string coordinate(int64_t element) const;

  Instance &self;
  RunImpl &run;
  const View &view;
  const Selection &selection;
  uint8_t *packed;
  bool isWrite;
  uint32_t site;
  bool checks;

  /// Offset in `packed` and address of the first byte never written.
  std::optional<std::pair<int64_t, uint64_t>> unwritten;
  std::optional<std::pair<int64_t, RaceDetector::Conflict>> conflict;
};

} // namespace

/// The view's coordinate of packed element `element`, as "(1, 2)".
std::string Access::coordinate(int64_t element) const {
  size_t rank = selection.start.size();
  llvm::SmallVector<int64_t, 4> at(selection.start.begin(),
                                   selection.start.end());
  if (selection.points) {
    for (size_t d = 0; d < rank; ++d)
      at[d] += (*selection.points)[element * rank + d];
  } else {
    for (unsigned d : llvm::reverse(selection.order)) {
      at[d] += element % selection.extent[d];
      element /= selection.extent[d];
    }
  }
  return "(" +
         llvm::join(
             llvm::map_range(at, [](int64_t c) { return std::to_string(c); }),
             ", ") +
         ")";
}

/// Reports coordinates `first .. last` of `dim` that hang over the view's end.
Outcome Access::overhang(unsigned dim, int64_t first, int64_t last) {
  bool trap = run.options.outOfView == OutOfViewPolicy::Trap;
  if (!trap && !checks)
    return Outcome::Next;
  std::string message =
      ("coordinates " + Twine(first) + " to " + Twine(last) + " of dimension " +
       Twine(dim) + " lie outside the view, whose extent is " +
       Twine(view.sizes[dim]))
          .str();
  if (trap)
    return run.fail(self, site, "", message);
  if (view.pads)
    message += isWrite ? "; elements outside are not written"
                       : "; elements outside read as zero";
  run.report(self, FindingSeverity::Warning, site, "", message);
  return Outcome::Next;
}

Outcome Access::outside(int64_t begin, int64_t end) {
  return run.fail(self, site, "E-3",
                  Twine(isWrite ? "writes" : "reads") + " bytes " +
                      Twine(begin) + " to " + Twine(end - 1) + " of " +
                      view.space->name() + ", which has " +
                      Twine(view.space->size()) + " bytes");
}

void Access::perform(int64_t address, int64_t offset, int64_t bytes) {
  AddressSpace &space = *view.space;
  if (isWrite) {
    space.write(address, packed + offset, bytes);
    if (space.id() != run.memory.device().id() &&
        run.program.level == Level::Dataflow)
      run.scratchpadTop =
          std::max<uint64_t>(run.scratchpadTop, address + bytes);
  } else {
    space.read(address, packed + offset, bytes);
  }
  if (!checks)
    return;
  if (!isWrite && !unwritten) {
    uint64_t first = space.firstUnwritten(address, bytes);
    if (first != uint64_t(address + bytes))
      unwritten = {offset + int64_t(first - address), first};
  }
  if (run.detectRaces) {
    std::optional<RaceDetector::Conflict> found = run.races.access(
        space.id(), address, bytes, self.accessor(), site, isWrite);
    if (found && !conflict)
      conflict = {offset + int64_t(found->address - address), *found};
  }
}

Outcome Access::conclude(uint64_t begin, int64_t bytes) {
  bool device = view.space->id() == run.memory.device().id();
  (device ? (isWrite ? self.bytesWritten : self.bytesRead)
          : (isWrite ? self.scratchpadWritten : self.scratchpadRead)) += bytes;
  run.ticks += bytes / view.elementBytes / 64;
  run.event(self, isWrite ? "store" : "load", begin, bytes, site);
  if (unwritten)
    run.report(self, FindingSeverity::Error, site, "E-6",
               "reads " + view.space->name() +
                   " that was never written: coordinate " +
                   coordinate(unwritten->first / view.elementBytes) +
                   " of the view, byte " + Twine(unwritten->second));
  if (conflict) {
    const RaceDetector::Conflict &other = conflict->second;
    const Site &otherSite = run.site(other.site);
    std::string otherName = run.instances[other.instance]->name;
    run.report(self, FindingSeverity::Error, site, "E-7",
               Twine(isWrite ? "writes" : "reads") + " byte " +
                   Twine(other.address) + " of " + view.space->name() +
                   ", coordinate " +
                   coordinate(conflict->first / view.elementBytes) +
                   " of the view, which " + otherName +
                   (other.wasWrite ? " writes" : " reads") +
                   ", and nothing orders the two accesses",
               FindingNote{otherSite.location, "'" + otherSite.name.str() +
                                                   "' on " + otherName +
                                                   " is the other access"});
  }
  return Outcome::Next;
}

Outcome Access::box() {
  uint64_t beginTick = run.ticks;
  size_t rank = selection.start.size();
  int64_t total = selection.count();
  if (total == 0)
    return Outcome::Next;

  // Clip to the view.
  llvm::SmallVector<int64_t, 4> skip(rank, 0), extent(selection.extent);
  bool clipped = false;
  for (size_t d = 0; d < rank; ++d) {
    int64_t first = selection.start[d], last = first + extent[d] - 1;
    if (first >= 0 && last < view.sizes[d])
      continue;
    if (overhang(d, first, last) == Outcome::Fail)
      return Outcome::Fail;
    if (!view.pads)
      continue;
    clipped = true;
    skip[d] = std::min(extent[d], std::max<int64_t>(0, -first));
    int64_t stop = std::min(extent[d], view.sizes[d] - first);
    extent[d] = std::max<int64_t>(0, stop - skip[d]);
  }
  if (clipped && !isWrite)
    std::memset(packed, 0, total * view.elementBytes);

  // The nest, innermost loop first, with contiguous levels merged.
  int64_t address = view.base, offset = 0;
  int64_t run0 = view.elementBytes; // bytes of one contiguous run
  int64_t packedStride = view.elementBytes;
  llvm::SmallVector<Loop, 4> nest;
  int64_t low = 0, high = 0, bytes = view.elementBytes;
  for (unsigned d : llvm::reverse(selection.order)) {
    int64_t stride = view.strides[d];
    address += (selection.start[d] + skip[d]) * stride;
    offset += skip[d] * packedStride;
    int64_t span = (extent[d] - 1) * stride;
    (span < 0 ? low : high) += span;
    bytes *= extent[d];
    if (extent[d] != 1) {
      if (nest.empty() && stride == run0 && packedStride == run0)
        run0 *= extent[d];
      else if (!nest.empty() &&
               nest.back().memory * nest.back().count == stride &&
               nest.back().packed * nest.back().count == packedStride)
        nest.back().count *= extent[d];
      else
        nest.push_back({extent[d], stride, packedStride});
    }
    packedStride *= selection.extent[d];
  }
  if (bytes == 0)
    return Outcome::Next;
  if (!view.space->contains(address + low, high - low + view.elementBytes))
    return outside(address + low, address + high + view.elementBytes);

  llvm::SmallVector<int64_t, 4> counter(nest.size(), 0);
  while (true) {
    perform(address, offset, run0);
    size_t level = 0;
    for (; level < nest.size(); ++level) {
      address += nest[level].memory;
      offset += nest[level].packed;
      if (++counter[level] < nest[level].count)
        break;
      counter[level] = 0;
      address -= nest[level].memory * nest[level].count;
      offset -= nest[level].packed * nest[level].count;
    }
    if (level == nest.size())
      break;
  }
  return conclude(beginTick, bytes);
}

Outcome Access::points() {
  uint64_t beginTick = run.ticks;
  size_t rank = selection.start.size();
  int64_t total = selection.count(), bytes = 0;
  unsigned size = view.elementBytes;
  llvm::SmallVector<int64_t, 4> at(rank);
  llvm::SmallVector<bool, 4> reported(rank, false);
  // A run under construction.
  int64_t runAddress = 0, runOffset = 0, runBytes = 0;
  auto flush = [&] {
    if (runBytes)
      perform(runAddress, runOffset, runBytes);
    runBytes = 0;
  };
  for (int64_t k = 0; k < total; ++k) {
    bool inside = true;
    for (size_t d = 0; d < rank; ++d) {
      at[d] = selection.start[d] + (*selection.points)[k * rank + d];
      if (at[d] >= 0 && at[d] < view.sizes[d])
        continue;
      inside = false;
      if (!reported[d] && overhang(d, at[d], at[d]) == Outcome::Fail)
        return Outcome::Fail;
      reported[d] = true;
    }
    if (!inside && view.pads) {
      if (!isWrite)
        std::memset(packed + k * size, 0, size);
      continue;
    }
    int64_t address = view.base;
    if (view.layout) {
      std::optional<int64_t> element = view.layout->evaluate(at);
      if (!element)
        return run.fail(self, site, "D-17", "the layout divides by zero");
      address += *element * size;
    } else {
      for (size_t d = 0; d < rank; ++d)
        address += at[d] * view.strides[d];
    }
    if (!view.space->contains(address, size))
      return outside(address, address + size);
    bytes += size;
    if (runBytes && address == runAddress + runBytes &&
        k * size == runOffset + runBytes) {
      runBytes += size;
      continue;
    }
    flush();
    runAddress = address;
    runOffset = k * size;
    runBytes = size;
  }
  flush();
  return conclude(beginTick, bytes);
}

Outcome ktir::exec::transfer(Instance &self, const View &view,
                             const Selection &selection, uint8_t *packed,
                             bool isWrite, uint32_t site) {
  if (!selection.points && !view.layout)
    return Access(self, view, selection, packed, isWrite, site).box();
  if (selection.points)
    return Access(self, view, selection, packed, isWrite, site).points();

  // A box of a view whose layout is not linear: visit its points.
  Selection listed;
  listed.start = selection.start;
  size_t rank = selection.start.size();
  auto list = std::make_shared<std::vector<int64_t>>();
  int64_t total = selection.count();
  list->reserve(total * rank);
  llvm::SmallVector<int64_t, 4> at(rank, 0);
  for (int64_t k = 0; k < total; ++k) {
    list->insert(list->end(), at.begin(), at.end());
    for (unsigned d : llvm::reverse(selection.order)) {
      if (++at[d] < selection.extent[d])
        break;
      at[d] = 0;
    }
  }
  listed.points = std::move(list);
  return Access(self, view, listed, packed, isWrite, site).points();
}
