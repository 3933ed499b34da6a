//===- Report.cpp - What a run counted ------------------------------------===//
//
// A report is made in two steps: the counters of a run are taken at its end,
// when they are still there, and the rest, most of the work, follows when
// somebody asks for it.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "LaunchImpl.h"

#include "ktir/Exec/Cost.h"
#include "ktir/Exec/Engine.h"

#include <algorithm>
#include <cstring>

namespace ktir {

namespace {
/// Appends numbers and texts to bytes.
class ByteWriter {
public:
  void numbers(llvm::ArrayRef<uint64_t> values) {
    append(values.data(), values.size() * sizeof(uint64_t));
  }
  void number(uint64_t value) { numbers(value); }
  void text(llvm::StringRef value) {
    number(value.size());
    append(value.data(), value.size());
  }
  std::vector<uint8_t> bytes;

private:
  void append(const void *from, size_t count) {
    const size_t before = bytes.size();
    bytes.resize(before + count);
    if (count)
      std::memcpy(bytes.data() + before, from, count);
  }
};

/// Reads them back; zeros and empty texts where there are no more.
class ByteReader {
public:
  explicit ByteReader(llvm::ArrayRef<uint8_t> bytes) : rest(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    if (rest.size() >= sizeof(value))
      std::memcpy(&value, rest.data(), sizeof(value));
    rest = rest.drop_front(std::min(rest.size(), sizeof(value)));
    return value;
  }
  /// Of things that follow, which take some bytes each.
  size_t count() { return std::min<uint64_t>(number(), rest.size()); }
  std::string text() {
    const size_t size = count();
    std::string value(rest.begin(), rest.begin() + size);
    rest = rest.drop_front(size);
    return value;
  }

private:
  llvm::ArrayRef<uint8_t> rest;
};
} // namespace

/// Applies `each` to the numbers of an instance, in one order for both ways.
template <typename Counters, typename Each>
static void forNumbers(Counters &counters, Each each) {
  for (auto *number :
       {&counters.instructions, &counters.bytesRead, &counters.bytesWritten,
        &counters.scratchpadRead, &counters.scratchpadWritten,
        &counters.elements, &counters.messages, &counters.scratchpadPeak,
        &counters.cost.sticksRead, &counters.cost.sticksWritten,
        &counters.cost.vectorElements, &counters.cost.transcendentalElements,
        &counters.cost.matrixOps, &counters.cost.exchangedBytes})
    each(*number);
}

std::vector<uint8_t> Launch::reportSource() const {
  ByteWriter out;
  if (!state->run)
    return {};
  const std::vector<exec::InstanceCounters> counters = state->run->counters();
  const bool isKtir = state->executable->level == Level::Ktir;
  out.bytes.reserve(counters.size() * 192 + 1024);
  out.number(isKtir);
  out.number(state->run->scratchpadPeak());
  out.number(counters.size());
  size_t highest = 0;
  for (const exec::InstanceCounters &instance : counters) {
    out.text(instance.name);
    llvm::SmallVector<uint64_t, 16> numbers;
    forNumbers(instance, [&](uint64_t number) { numbers.push_back(number); });
    numbers.push_back(instance.cost.mixed.size());
    out.numbers(numbers);
    for (const exec::CostCounters::Mixed &access : instance.cost.mixed) {
      out.number(access.partitionBytes);
      out.number(access.sticks);
    }
    if (instance.scratchpadPeak > counters[highest].scratchpadPeak)
      highest = size_t(&instance - counters.data());
  }
  if (!isKtir)
    return std::move(out.bytes);
  out.number(highest);
  const std::vector<exec::ScratchpadUse> uses =
      state->run->scratchpadAtPeak(unsigned(highest));
  out.number(uses.size());
  for (const exec::ScratchpadUse &use : uses) {
    const SourceRange range =
        sourceRange(use.location, state->executable->source);
    out.text(range.file);
    for (unsigned place :
         {range.line, range.column, range.endLine, range.endColumn})
      out.number(place);
    out.text(use.op);
    out.number(use.bytes);
  }
  return std::move(out.bytes);
}

static Roofline convert(const exec::Roofline &from) {
  return {from.isMatrix ? "matrix" : "vector",
          from.operations,
          from.bytes,
          from.intensity,
          from.peak,
          from.memoryBound,
          from.achieved,
          from.attainment};
}

static CostEstimate convert(const exec::CostEstimate &from,
                            const std::vector<InstanceReport> &instances) {
  CostEstimate to;
  to.profile = from.profile.name.str();
  to.clockGhz = from.profile.clockGhz;
  to.tiles.reserve(from.tiles.size());
  for (size_t i = 0; i < from.tiles.size(); ++i) {
    const exec::TileCost &tile = from.tiles[i];
    to.tiles.push_back(
        {instances[i].name, tile.compute, tile.memory, tile.communication});
    to.cycles.serial = std::max(to.cycles.serial, tile.serial());
    to.cycles.overlapped = std::max(to.cycles.overlapped, tile.overlapped());
    to.cycles.overlapped3 = std::max(to.cycles.overlapped3, tile.overlapped3());
  }
  to.slowest = from.slowest;
  to.bottleneck = from.tiles[from.slowest].bottleneck();
  to.chip = convert(from.chip);
  to.core = convert(from.core);
  return to;
}

Report makeReport(const std::vector<uint8_t> &source) {
  Report report;
  ByteReader in(source);
  const bool isKtir = in.number();
  report.scratchpadPeak = in.number();
  report.instances.resize(in.count());
  std::vector<exec::CostCounters> costs;
  costs.reserve(report.instances.size());
  for (InstanceReport &to : report.instances) {
    exec::InstanceCounters from;
    to.name = in.text();
    forNumbers(from, [&](uint64_t &number) { number = in.number(); });
    from.cost.mixed.resize(in.count());
    for (exec::CostCounters::Mixed &access : from.cost.mixed) {
      access.partitionBytes = in.number();
      access.sticks = in.number();
    }
    to.instructions = from.instructions;
    to.bytesRead = from.bytesRead;
    to.bytesWritten = from.bytesWritten;
    to.scratchpadRead = from.scratchpadRead;
    to.scratchpadWritten = from.scratchpadWritten;
    to.elements = from.elements;
    to.messages = from.messages;
    to.scratchpadPeak = from.scratchpadPeak;
    report.instructions += to.instructions;
    report.bytesRead += to.bytesRead;
    report.bytesWritten += to.bytesWritten;
    report.elements += to.elements;
    costs.push_back(std::move(from.cost));
  }
  if (!isKtir || report.instances.empty())
    return report;
  const size_t highest = in.number();
  if (highest < report.instances.size())
    report.scratchpadPeakOn = report.instances[highest].name;
  report.scratchpadAtPeak.resize(in.count());
  for (ScratchpadUse &use : report.scratchpadAtPeak) {
    use.range.file = in.text();
    for (unsigned *place : {&use.range.line, &use.range.column,
                            &use.range.endLine, &use.range.endColumn})
      *place = unsigned(in.number());
    use.op = in.text();
    use.bytes = in.number();
  }
  for (const exec::CostProfile &profile : exec::costProfiles())
    report.costs.push_back(
        convert(exec::estimateCost(profile, costs), report.instances));
  return report;
}

Report Launch::report() const { return makeReport(reportSource()); }

} // namespace ktir
