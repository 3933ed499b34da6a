//===- Transfer.cpp - Checked memory accesses -----------------------------===//

#include "Transfer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>

using namespace ktir;
using namespace ktir::exec;
using llvm::Twine;

namespace {

using Coordinates = llvm::SmallVector<int64_t, 4>;

/// One level of a nest that walks memory and the packed elements in step.
struct Loop {
  int64_t count;
  int64_t memory; ///< bytes from one step to the next
  int64_t packed;
};

/// Sum and difference at the ends of the numbers there are: coordinates come
/// from the program and may be any.
int64_t addCoordinates(int64_t a, int64_t b) {
  int64_t sum;
  if (!llvm::AddOverflow(a, b, sum))
    return sum;
  return b < 0 ? std::numeric_limits<int64_t>::min()
               : std::numeric_limits<int64_t>::max();
}
int64_t subtractCoordinates(int64_t a, int64_t b) {
  int64_t difference;
  if (!llvm::SubOverflow(a, b, difference))
    return difference;
  return b < 0 ? std::numeric_limits<int64_t>::max()
               : std::numeric_limits<int64_t>::min();
}

/// The part of a selected box that is copied: of the `selection.extent[d]`
/// elements along dimension d, `extent[d]` from `skip[d]` on.
struct Window {
  Coordinates skip, extent;

  bool isEmpty() const { return llvm::is_contained(extent, 0); }
  int64_t count() const {
    int64_t n = 1;
    for (int64_t e : extent)
      n *= e;
    return n;
  }
  /// Leaves what lies in `lower .. lower + size - 1` along `d` when element 0
  /// is at `first`. False when something was cut off.
  bool clip(size_t d, int64_t first, int64_t lower, int64_t size) {
    int64_t begin = std::max(skip[d], subtractCoordinates(lower, first));
    int64_t end =
        std::min(skip[d] + extent[d],
                 subtractCoordinates(addCoordinates(lower, size), first));
    bool whole = begin == skip[d] && end == skip[d] + extent[d];
    skip[d] = begin;
    extent[d] = std::max<int64_t>(0, end - begin);
    return whole;
  }
  /// Leaves what lies in `lower .. lower + size - 1` of dimension `axis` of a
  /// distributed view when element 0 is coordinate `start` of a part of it.
  /// False when that is nothing.
  bool clip(const Distribution::Axis &axis, llvm::ArrayRef<int64_t> start,
            int64_t lower, int64_t size) {
    int64_t first = subtractCoordinates(lower, axis.origin);
    if (axis.dim < 0 || axis.step == 0)
      return first <= 0 && addCoordinates(first, size) > 0;
    int64_t last = addCoordinates(first, size - 1);
    if (axis.step < 0)
      std::tie(first, last) = std::pair(subtractCoordinates(0, last),
                                        subtractCoordinates(0, first));
    const int64_t step = std::abs(axis.step);
    first = llvm::divideCeilSigned(first, step);
    last = llvm::divideFloorSigned(last, step);
    clip(axis.dim, start[axis.dim], first,
         addCoordinates(subtractCoordinates(last, first), 1));
    return extent[axis.dim] > 0;
  }
};

/// What one turn of an access costs at most: some hundredths of a second, also
/// in WebAssembly. A run costs 1, and 1 more for each `bytesPerCost` of it; a
/// page that a store makes costs as much as its bytes.
constexpr int64_t costPerTurn = int64_t(1) << 16;
constexpr int64_t bytesPerCost = 256;
/// Longer runs are copied piece by piece.
constexpr int64_t maxPieceBytes = int64_t(1) << 22;
/// Most runs of equal length and distance that are handled as one: few enough
/// that their pages, should each lie in one of its own, cost a turn more at
/// most.
constexpr int64_t maxRuns =
    costPerTurn * bytesPerCost / AddressSpace::pageBytes;

/// The runs of one access: performs each and keeps the first offence of each
/// kind for one report.
class Access {
public:
  Access(Instance &self, const View &view, const Selection &selection,
         uint8_t *packed, bool isWrite, uint32_t site)
      : self(self), run(self.run), view(view), selection(&selection),
        packed(packed), isWrite(isWrite), site(site),
        checks(run.options.checks), size(view.elementBytes),
        beginTick(run.ticks), sticks(&run.sticks) {
    run.sticks.clear();
    // What is no plain nest of loops is visited point by point.
    isBox = !selection.points && !view.layout &&
            (!view.distribution || isTiledByBoxes(view, selection));
  }

  /// Performs the runs of one turn; Jump where more are left.
  Outcome advance();
  /// Takes over what others use between the turns.
  void keep();

private:
  static bool isTiledByBoxes(const View &view, const Selection &box);
  Outcome box();
  Outcome points();
  Outcome begin();
  bool zero();
  Outcome overhang(const View &in, unsigned dim, int64_t first, int64_t last);
  Outcome outside(const View &in, int64_t begin, int64_t end);
  Outcome hole(llvm::ArrayRef<int64_t> at, llvm::ArrayRef<int64_t> place);
  Outcome clipToView();
  Outcome enter(const View &in, int64_t address,
                llvm::ArrayRef<int64_t> strides, const Window &window);
  Outcome enterPartition(const Partition &partition);
  bool copy();
  void countPartition(const Partition &partition);
  Outcome copyRun(const View &in, llvm::ArrayRef<int64_t> at, int64_t element,
                  int64_t count);
  void flush();
  void perform(const View &in, const Pieces &runs, int64_t offset,
               int64_t packedStride);
  Outcome conclude();
  void locate(int64_t element, Coordinates &at) const;
  std::string coordinate(int64_t element) const;

  Instance &self;
  RunImpl &run;
  const View &view;
  const Selection *selection;
  uint8_t *packed;
  bool isWrite;
  uint32_t site;
  bool checks;
  bool isBox;
  int64_t size; ///< bytes of an element
  uint64_t beginTick;
  uint64_t turnTicks = 0; ///< of the turns so far
  Sticks *sticks;
  struct Kept {
    Selection selection;
    Sticks sticks;
  };
  std::unique_ptr<Kept> kept;

  /// Cost that is left to the turn.
  int64_t left = 0;
  /// Of a box: how far the bytes that are not read were made zero, what lies
  /// in the view, and the nest that is under way.
  bool isBegun = false;
  int64_t zeroed = 0, bytesToZero = 0;
  Window window;
  size_t nextPartition = 0;
  struct {
    const View *view = nullptr; ///< null: none
    llvm::SmallVector<Loop, 4> loops;
    llvm::SmallVector<int64_t, 4> counter;
    int64_t address, offset;
    int64_t bytes; ///< of one contiguous run
    int64_t done;  ///< of the run under way
  } nest;
  /// Of points: the next one, and which partitions were met.
  int64_t element = 0;
  llvm::SmallVector<bool, 8> touched;

  uint64_t deviceBytes = 0, scratchpadBytes = 0;
  /// Of scratchpads that partitions of a distributed view lie in, whole.
  uint64_t partitionBytes = 0;
  /// Runs of points that follow each other in memory and packed are copied as
  /// one.
  struct {
    const View *view = nullptr;
    int64_t address, offset, bytes;
  } pending;
  llvm::SmallVector<bool, 4> reported; ///< per dimension, an overhang

  /// Offset in `packed`, address and memory of the first byte never written.
  struct Unwritten {
    int64_t offset;
    uint64_t address;
    const AddressSpace *space;
  };
  std::optional<Unwritten> unwritten;
  struct Conflict {
    int64_t offset;
    RaceDetector::Conflict other;
    const AddressSpace *space;
  };
  std::optional<Conflict> conflict;
  bool isOutOfStorage = false;
};

} // namespace

static std::string describe(llvm::ArrayRef<int64_t> at) {
  return "(" +
         llvm::join(
             llvm::map_range(at, [](int64_t c) { return std::to_string(c); }),
             ", ") +
         ")";
}

/// The view's coordinate of packed element `element`.
void Access::locate(int64_t element, Coordinates &at) const {
  size_t rank = selection->start.size();
  at.assign(selection->start.begin(), selection->start.end());
  if (selection->points) {
    for (size_t d = 0; d < rank; ++d)
      at[d] += (*selection->points)[element / selection->run * rank + d];
    if (rank)
      at[rank - 1] += element % selection->run;
    return;
  }
  for (unsigned d : llvm::reverse(selection->order)) {
    at[d] += element % selection->extent[d];
    element /= selection->extent[d];
  }
}

/// The same as "(1, 2)".
std::string Access::coordinate(int64_t element) const {
  Coordinates at;
  locate(element, at);
  return describe(at);
}

//===----------------------------------------------------------------------===//
// Offences
//===----------------------------------------------------------------------===//

/// Reports coordinates `first .. last` of `dim` that hang over the end of `in`.
Outcome Access::overhang(const View &in, unsigned dim, int64_t first,
                         int64_t last) {
  bool trap = run.options.outOfView == OutOfViewPolicy::Trap;
  if (!trap && !checks)
    return Outcome::Next;
  // What of them lies before the view, and what behind it.
  int64_t size = in.sizes[dim];
  std::string parts;
  int64_t count = 0;
  auto add = [&](int64_t from, int64_t to) {
    if (from > to)
      return;
    parts += (parts.empty() ? " " : " and ") + std::to_string(from);
    if (to != from)
      parts += " to " + std::to_string(to);
    count += to == from ? 1 : 2;
  };
  add(first, std::min<int64_t>(last, -1));
  add(std::max(first, size), last);
  std::string message =
      (Twine(count == 1 ? "coordinate" : "coordinates") + parts +
       " of dimension " + Twine(dim) + (count == 1 ? " lies" : " lie") +
       " outside the view, whose extent is " + Twine(size))
          .str();
  if (trap)
    return run.fail(self, site, "", message);
  if (in.pads)
    message += isWrite ? "; elements outside are not written"
                       : "; elements outside read as zero";
  run.report(self, FindingSeverity::Warning, site, "", message);
  return Outcome::Next;
}

Outcome Access::outside(const View &in, int64_t begin, int64_t end) {
  return run.fail(self, site, "E-3",
                  Twine(isWrite ? "writes" : "reads") + " bytes " +
                      Twine(begin) + " to " + Twine(end - 1) + " of " +
                      in.space->name() + ", which has " +
                      Twine(in.space->size()) + " bytes");
}

/// A coordinate of a distributed view that no partition holds (D10): `place`,
/// which is `at` of the view that is accessed.
Outcome Access::hole(llvm::ArrayRef<int64_t> at,
                     llvm::ArrayRef<int64_t> place) {
  std::string message = "coordinate " + describe(place) +
                        " lies in no partition of the distributed view";
  if (at != place)
    message += "; it is " + describe(at) + " of the subview";
  return run.fail(self, site, "D10", message);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Copies `runs` of `in`; the first lies at `offset` of the packed elements,
/// the others each `packedStride` bytes from the one before.
void Access::perform(const View &in, const Pieces &runs, int64_t offset,
                     int64_t packedStride) {
  const int64_t count = runs.count, bytes = runs.bytes;
  left -= count * (1 + bytes / bytesPerCost);
  if (!in.space) {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(packed + offset + i * packedStride,
                  in.tensor.data() + runs.place(i), bytes);
    return;
  }
  AddressSpace &space = *in.space;
  const bool device = space.id() == run.memory.device().id();
  (device ? deviceBytes : scratchpadBytes) += count * bytes;
  if (device && run.program.level == Level::Ktir)
    for (int64_t i = 0; i < count; ++i)
      sticks->add(runs.place(i), bytes);
  if (isWrite) {
    const uint64_t pages = space.pageCount();
    for (int64_t i = 0; i < count && !isOutOfStorage; ++i)
      isOutOfStorage = !space.write(runs.place(i),
                                    packed + offset + i * packedStride, bytes);
    left -= int64_t(space.pageCount() - pages) *
            int64_t(AddressSpace::pageBytes) / bytesPerCost;
    if (!device && run.program.level == Level::Dataflow)
      run.scratchpadTop = std::max({run.scratchpadTop, runs.place(0) + bytes,
                                    runs.place(count - 1) + bytes});
  } else {
    for (int64_t i = 0; i < count; ++i)
      space.read(runs.place(i), packed + offset + i * packedStride, bytes);
  }
  if (!checks)
    return;
  for (int64_t i = 0; i < count && !isWrite && !unwritten; ++i) {
    const uint64_t address = runs.place(i);
    const uint64_t first = space.firstUnwritten(address, bytes);
    if (first != address + bytes)
      unwritten = {offset + i * packedStride + int64_t(first - address), first,
                   &space};
  }
  if (run.detectRaces) {
    std::optional<RaceDetector::Conflict> found =
        run.races.access(space.id(), runs, self.accessor(), site, isWrite);
    isOutOfStorage |= run.races.isOutOfStorage();
    if (found && !conflict)
      conflict = {offset + int64_t(found->piece) * packedStride +
                      int64_t(found->address - runs.place(found->piece)),
                  *found, &space};
  }
}

Outcome Access::conclude() {
  uint64_t touchedSticks = sticks->count();
  (isWrite ? self.cost.sticksWritten : self.cost.sticksRead) += touchedSticks;
  if (partitionBytes)
    self.cost.mixed.push_back({partitionBytes, touchedSticks});
  uint64_t bytes = deviceBytes + scratchpadBytes;
  (isWrite ? self.bytesWritten : self.bytesRead) += deviceBytes;
  (isWrite ? self.scratchpadWritten : self.scratchpadRead) += scratchpadBytes;
  uint64_t allTicks = selection->count() / 64;
  run.ticks += std::max(allTicks, turnTicks) - turnTicks;
  run.event(self, isWrite ? "store" : "load", beginTick, bytes, site);
  if (unwritten)
    run.report(self, FindingSeverity::Error, site, "E-6",
               "reads " + unwritten->space->name() +
                   " that was never written: coordinate " +
                   coordinate(unwritten->offset / size) +
                   " of the view, byte " + Twine(unwritten->address));
  if (conflict) {
    const RaceDetector::Conflict &other = conflict->other;
    const Site &otherSite = run.site(other.site);
    std::string otherName = run.instances[other.instance]->name;
    run.report(self, FindingSeverity::Error, site, "E-7",
               Twine(isWrite ? "writes" : "reads") + " byte " +
                   Twine(other.address) + " of " + conflict->space->name() +
                   ", coordinate " + coordinate(conflict->offset / size) +
                   " of the view, which " + otherName +
                   (other.wasWrite ? " writes" : " reads") +
                   ", and nothing orders the two accesses",
               FindingNote{otherSite.location, "'" + otherSite.name.str() +
                                                   "' on " + otherName +
                                                   " is the other access"});
  }
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Cuts off what hangs over the end of the view.
Outcome Access::clipToView() {
  llvm::ArrayRef<int64_t> start = selection->start;
  for (size_t d = 0; d < start.size(); ++d) {
    int64_t first = start[d];
    int64_t last = addCoordinates(first, window.extent[d] - 1);
    if (first >= 0 && last < view.sizes[d])
      continue;
    if (overhang(view, d, first, last) == Outcome::Fail)
      return Outcome::Fail;
    if (view.pads)
      window.clip(d, first, 0, view.sizes[d]);
  }
  return Outcome::Next;
}

/// Makes the elements of `window` the nest under way. The first lies at
/// `address` of the memory that `in` is on; `strides` are the bytes from one to
/// the next.
Outcome Access::enter(const View &in, int64_t address,
                      llvm::ArrayRef<int64_t> strides, const Window &window) {
  // The nest, innermost loop first, with contiguous levels merged.
  auto &loops = nest.loops;
  loops.clear();
  nest.address = address;
  nest.offset = 0;
  nest.bytes = size;
  int64_t packedStride = size;
  int64_t low = 0, high = 0;
  for (unsigned d : llvm::reverse(selection->order)) {
    int64_t stride = strides[d], extent = window.extent[d];
    nest.offset += window.skip[d] * packedStride;
    int64_t span = (extent - 1) * stride;
    (span < 0 ? low : high) += span;
    if (extent != 1) {
      if (loops.empty() && stride == nest.bytes && packedStride == nest.bytes)
        nest.bytes *= extent;
      else if (!loops.empty() &&
               loops.back().memory * loops.back().count == stride &&
               loops.back().packed * loops.back().count == packedStride)
        loops.back().count *= extent;
      else
        loops.push_back({extent, stride, packedStride});
    }
    packedStride *= selection->extent[d];
  }
  if (in.space && !in.space->contains(nest.address + low, high - low + size))
    return outside(in, nest.address + low, nest.address + high + size);
  nest.view = &in;
  nest.counter.assign(loops.size(), 0);
  nest.done = 0;
  return Outcome::Next;
}

/// Copies the runs of the nest; false when the turn ended before.
bool Access::copy() {
  while (nest.view) {
    if (left <= 0)
      return false;
    // As many runs along the innermost loop as the turn has left for them.
    int64_t runs = 1;
    Pieces pieces{uint64_t(nest.address + nest.done),
                  uint64_t(std::min(nest.bytes - nest.done, maxPieceBytes))};
    int64_t packedStride = 0;
    if (!nest.loops.empty() && nest.bytes <= maxPieceBytes) {
      const Loop &inner = nest.loops.front();
      runs = std::clamp<int64_t>(
          left / (1 + nest.bytes / bytesPerCost), 1,
          std::min(maxRuns, inner.count - nest.counter.front()));
      pieces.count = runs;
      pieces.stride = inner.memory;
      packedStride = inner.packed;
    }
    perform(*nest.view, pieces, nest.offset + nest.done, packedStride);
    nest.done += pieces.bytes;
    if (nest.done < nest.bytes)
      continue;
    nest.done = 0;
    size_t level = 0;
    for (; level < nest.loops.size(); ++level, runs = 1) {
      const Loop &loop = nest.loops[level];
      nest.address += loop.memory * runs;
      nest.offset += loop.packed * runs;
      if ((nest.counter[level] += runs) < loop.count)
        break;
      nest.counter[level] = 0;
      nest.address -= loop.memory * loop.count;
      nest.offset -= loop.packed * loop.count;
    }
    if (level == nest.loops.size())
      nest.view = nullptr;
  }
  return true;
}

void Access::countPartition(const Partition &partition) {
  if (partition.view.space->id() == run.memory.device().id())
    return;
  int64_t bytes = size;
  for (int64_t extent : partition.extent)
    bytes *= extent;
  partitionBytes += bytes;
}

/// Leaves what `partition` holds of the coordinates `window` from `start` on of
/// a part of a distributed view. False when that is nothing.
static bool clipToPartition(Window &window, llvm::ArrayRef<int64_t> start,
                            const Distribution &distribution,
                            const Partition &partition) {
  for (auto [k, axis] : llvm::enumerate(distribution.axes))
    if (!window.clip(axis, start, partition.lower[k], partition.extent[k]))
      return false;
  return !window.isEmpty();
}

/// Makes what `partition` holds of the window the nest under way.
Outcome Access::enterPartition(const Partition &partition) {
  const View &in = partition.view;
  const Distribution &distribution = *view.distribution;
  llvm::ArrayRef<int64_t> start = selection->start;
  Window part = window;
  if (!clipToPartition(part, start, distribution, partition))
    return Outcome::Next;
  countPartition(partition);
  // What of it hangs over the end of the partition's own view.
  bool isInside = true;
  for (auto [k, axis] : llvm::enumerate(distribution.axes)) {
    int64_t first = axis.origin - partition.origin[k], last = first, step = 1;
    if (axis.dim >= 0) {
      step = std::max<int64_t>(1, std::abs(axis.step));
      first += axis.step * (start[axis.dim] + part.skip[axis.dim]);
      last = first + axis.step * (part.extent[axis.dim] - 1);
    }
    if (last < first)
      std::swap(first, last);
    if (last < in.sizes[k])
      continue;
    if (first < in.sizes[k])
      first += llvm::divideCeilSigned(in.sizes[k] - first, step) * step;
    if (overhang(in, k, first, last) == Outcome::Fail)
      return Outcome::Fail;
    isInside &= part.clip(axis, start, partition.origin[k], in.sizes[k]);
  }
  if (!isInside)
    return Outcome::Next;
  Coordinates at, strides(start.size(), 0);
  for (size_t d = 0; d < start.size(); ++d)
    at.push_back(start[d] + part.skip[d]);
  int64_t address = in.base;
  for (auto [k, axis] : llvm::enumerate(distribution.axes)) {
    address += (axis.place(at) - partition.origin[k]) * in.strides[k];
    if (axis.dim >= 0)
      strides[axis.dim] = axis.step * in.strides[k];
  }
  return enter(in, address, strides, part);
}

Outcome Access::begin() {
  isBegun = true;
  window = {Coordinates(selection->start.size(), 0),
            Coordinates(selection->extent)};
  if (clipToView() == Outcome::Fail)
    return Outcome::Fail;
  bool whole = window.extent == selection->extent;
  // Parts of partitions that hang over their own ends read as zero, too.
  if ((!whole || view.distribution) && !isWrite)
    bytesToZero = selection->count() * size;
  if (view.distribution || window.isEmpty())
    return Outcome::Next;
  int64_t address = view.base;
  for (size_t d = 0; d < window.skip.size(); ++d)
    address += (selection->start[d] + window.skip[d]) * view.strides[d];
  return enter(view, address, view.strides, window);
}

/// Makes zero what may not be read; false when the turn ended before.
bool Access::zero() {
  while (zeroed < bytesToZero) {
    if (left <= 0)
      return false;
    int64_t bytes = std::min(bytesToZero - zeroed, maxPieceBytes);
    std::memset(packed + zeroed, 0, bytes);
    zeroed += bytes;
    left -= bytes / bytesPerCost;
  }
  return true;
}

Outcome Access::box() {
  if (!isBegun && begin() == Outcome::Fail)
    return Outcome::Fail;
  if (!zero())
    return Outcome::Jump;
  while (true) {
    if (!copy())
      return Outcome::Jump;
    if (!view.distribution ||
        nextPartition == view.distribution->partitions->size())
      return conclude();
    if (enterPartition((*view.distribution->partitions)[nextPartition++]) ==
        Outcome::Fail)
      return Outcome::Fail;
  }
}

/// Whether every coordinate of a box of `view` is in exactly one partition, and
/// the partitions are boxes.
bool Access::isTiledByBoxes(const View &view, const Selection &box) {
  llvm::SmallVector<Window, 4> parts;
  int64_t covered = 0;
  Window whole{Coordinates(box.start.size(), 0), Coordinates(box.extent)};
  for (size_t d = 0; d < box.start.size(); ++d)
    whole.clip(d, box.start[d], 0, view.sizes[d]);
  for (const Partition &partition : *view.distribution->partitions) {
    if (!partition.isBox)
      return false;
    Window part = whole;
    if (!clipToPartition(part, box.start, *view.distribution, partition))
      continue;
    for (const Window &other : parts) {
      bool apart = false;
      for (size_t d = 0; d < box.start.size(); ++d)
        apart |= part.skip[d] + part.extent[d] <= other.skip[d] ||
                 other.skip[d] + other.extent[d] <= part.skip[d];
      if (!apart)
        return false;
    }
    covered += part.count();
    parts.push_back(std::move(part));
  }
  return covered == whole.count();
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void Access::flush() {
  if (pending.view)
    perform(*std::exchange(pending.view, nullptr),
            Pieces{uint64_t(pending.address), uint64_t(pending.bytes)},
            pending.offset, 0);
}

/// Copies `count` elements of `in` from coordinate `at` on along the last
/// dimension, which lie side by side; `element` is the number of the first in
/// the packed order.
Outcome Access::copyRun(const View &in, llvm::ArrayRef<int64_t> at,
                        int64_t element, int64_t count) {
  size_t rank = at.size();
  bool inside = true;
  int64_t first = 0, stop = count; // what of the run lies inside
  for (size_t d = 0; d < rank; ++d) {
    int64_t last = addCoordinates(at[d], d + 1 == rank ? count - 1 : 0);
    if (at[d] >= 0 && last < in.sizes[d])
      continue;
    if (!reported[d] && overhang(in, d, at[d], last) == Outcome::Fail)
      return Outcome::Fail;
    reported[d] = true;
    if (d + 1 == rank) {
      first = std::clamp<int64_t>(subtractCoordinates(0, at[d]), 0, count);
      stop = std::clamp<int64_t>(subtractCoordinates(in.sizes[d], at[d]), first,
                                 count);
    } else {
      inside = false;
    }
  }
  if (in.pads) {
    if (!inside)
      first = stop = count;
    if (!isWrite) {
      std::memset(packed + element * size, 0, first * size);
      std::memset(packed + (element + stop) * size, 0, (count - stop) * size);
    }
    if (first == stop)
      return Outcome::Next;
  } else {
    first = 0;
    stop = count;
  }

  int64_t address = in.base;
  if (in.layout) {
    std::optional<int64_t> place = in.layout->evaluate(at);
    if (!place)
      return run.fail(self, site, "D-17", "the layout divides by zero");
    address += *place * size;
  } else {
    for (size_t d = 0; d < rank; ++d)
      address += at[d] * in.strides[d];
  }
  address += first * size;
  int64_t offset = (element + first) * size, bytes = (stop - first) * size;
  if (in.space && !in.space->contains(address, bytes))
    return outside(in, address, address + bytes);
  if (pending.view == &in && address == pending.address + pending.bytes &&
      offset == pending.offset + pending.bytes &&
      pending.bytes < maxPieceBytes) {
    pending.bytes += bytes;
    return Outcome::Next;
  }
  flush();
  pending = {&in, address, offset, bytes};
  return Outcome::Next;
}

Outcome Access::points() {
  const size_t rank = selection->start.size();
  const Distribution *distribution = view.distribution.get();
  const size_t axes = distribution ? distribution->axes.size() : 0;
  reported.resize(std::max(rank, axes), false);
  touched.resize(distribution ? distribution->partitions->size() : 0, false);
  // Elements of a run that lie apart are visited one by one.
  const bool isDense =
      !distribution && !view.layout && rank && view.strides.back() == size;
  const int64_t step = isDense ? selection->run : 1;
  Coordinates at, place(axes), local(axes);
  for (const int64_t total = selection->count(); element < total;
       element += step) {
    if (left-- <= 0)
      return Outcome::Jump;
    locate(element, at);
    // Outside of the whole view: as of any other.
    bool inside = true;
    for (size_t d = 0; distribution && d < rank; ++d)
      inside &= at[d] >= 0 && at[d] < view.sizes[d];
    if (!distribution || !inside) {
      if (copyRun(view, at, element, step) == Outcome::Fail)
        return Outcome::Fail;
      continue;
    }
    for (size_t k = 0; k < axes; ++k)
      place[k] = distribution->axes[k].place(at);
    bool found = false;
    for (auto [number, partition] :
         llvm::enumerate(*distribution->partitions)) {
      if (!partition.holds(place))
        continue;
      found = true;
      if (!std::exchange(touched[number], true))
        countPartition(partition);
      for (size_t k = 0; k < axes; ++k)
        local[k] = place[k] - partition.origin[k];
      if (copyRun(partition.view, local, element, 1) == Outcome::Fail)
        return Outcome::Fail;
      // Partitions that overlap hold equal data: any is read, all are written
      // (D10).
      if (!isWrite)
        break;
    }
    if (!found)
      return hole(at, place);
  }
  flush();
  return conclude();
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

Outcome Access::advance() {
  if (isBox && selection->count() == 0)
    return Outcome::Next;
  left = costPerTurn;
  Outcome outcome = isBox ? box() : points();
  if (outcome != Outcome::Fail) {
    if (isOutOfStorage)
      return run.fail(self, site, "",
                      "out of memory: " + run.describeStorage() +
                          ", and the host gives no more");
    if (run.storageBytes() > run.options.maxPageBytes)
      return run.fail(self, site, "",
                      run.describeStorage() + ", expected at most " +
                          Twine(run.options.maxPageBytes));
  }
  if (outcome == Outcome::Jump) {
    turnTicks += costPerTurn / 64;
    run.ticks += costPerTurn / 64;
  }
  return outcome;
}

void Access::keep() {
  kept = std::make_unique<Kept>(
      Kept{*selection, std::exchange(run.sticks, Sticks())});
  selection = &kept->selection;
  sticks = &kept->sticks;
}

Outcome ktir::exec::transfer(Instance &self, const View &view,
                             const Selection &selection, uint8_t *packed,
                             bool isWrite, uint32_t site) {
  Access access(self, view, selection, packed, isWrite, site);
  Outcome outcome;
  do
    outcome = access.advance();
  while (outcome == Outcome::Jump);
  return outcome;
}

struct LongTransfer::Impl {
  Access access;
  bool isKept = false;
};

LongTransfer::LongTransfer(Instance &self, const View &view,
                           const Selection &selection, uint8_t *packed,
                           bool isWrite, uint32_t site)
    : state(std::make_unique<Impl>(
          Impl{Access(self, view, selection, packed, isWrite, site)})) {}

LongTransfer::~LongTransfer() = default;

Outcome LongTransfer::advance() {
  Outcome outcome = state->access.advance();
  if (outcome == Outcome::Jump && !std::exchange(state->isKept, true))
    state->access.keep();
  return outcome;
}

namespace {
/// An access between its turns.
struct UnfinishedAccess : Unfinished {
  UnfinishedAccess(Access &&begun, Buffer &&packed)
      : access(std::move(begun)), packed(std::move(packed)) {
    access.keep();
  }
  Access access;
  Buffer packed;
};
} // namespace

Outcome ktir::exec::transferInTurns(Instance &self, const View &view,
                                    const Selection &selection, Buffer &packed,
                                    bool isWrite, uint32_t site) {
  if (self.unfinished) {
    auto &work = static_cast<UnfinishedAccess &>(*self.unfinished);
    Outcome outcome = work.access.advance();
    if (outcome == Outcome::Next) {
      packed = std::move(work.packed);
      self.unfinished.reset();
    }
    return outcome;
  }
  Access access(self, view, selection, packed.data(), isWrite, site);
  Outcome outcome = access.advance();
  if (outcome == Outcome::Jump)
    self.unfinished = std::make_unique<UnfinishedAccess>(std::move(access),
                                                         std::move(packed));
  return outcome;
}
