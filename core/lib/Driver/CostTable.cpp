//===- CostTable.cpp - A report for people --------------------------------===//

#include "CostTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace ktir {

/// A number of cycles or a rate: up to two decimals, none where they are zero.
static std::string number(double value) {
  std::string text = llvm::formatv("{0:F2}", value).str();
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

static void addRoofline(llvm::raw_ostream &out, const char *name,
                        const Roofline &roofline) {
  out << llvm::formatv("  {0}: {1} {2} operations per cycle of {3}", name,
                       number(roofline.achieved), roofline.unit,
                       number(roofline.peak));
  if (roofline.bytes > 0)
    out << llvm::formatv("; {0} operations per byte of device memory allow {1}",
                         number(roofline.intensity),
                         number(roofline.memoryBound));
  out << llvm::formatv("; {0}% of the roof\n",
                       number(100 * roofline.attainment));
}

std::string costTable(const CostEstimate &cost) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::formatv(
      "estimated cycles, profile '{0}': {1} serial, {2} with compute beside "
      "memory and communication, {3} with all three beside each other; "
      "bottleneck: {4}\n",
      cost.profile, number(cost.cycles.serial), number(cost.cycles.overlapped),
      number(cost.cycles.overlapped3), cost.bottleneck);
  addRoofline(out, "chip", cost.chip);
  addRoofline(out, "core", cost.core);
  out << llvm::formatv("  {0,-10}{1,14}{2,14}{3,14}{4,14}\n", "", "compute",
                       "memory", "communication", "serial");
  for (const TileCost &tile : cost.tiles)
    out << llvm::formatv(
        "  {0,-10}{1,14}{2,14}{3,14}{4,14}\n", tile.name, number(tile.compute),
        number(tile.memory), number(tile.communication),
        number(tile.compute + tile.memory + tile.communication));
  return text;
}

std::string scratchpadTable(const Report &report) {
  std::string text;
  if (report.scratchpadAtPeak.empty())
    return text;
  llvm::raw_string_ostream out(text);
  out << llvm::formatv("scratchpad peak {0} bytes on {1}:\n",
                       report.scratchpadPeak, report.scratchpadPeakOn);
  for (const ScratchpadUse &use : report.scratchpadAtPeak)
    out << llvm::formatv("  {0,10} bytes  {1}:{2}  {3}\n", use.bytes,
                         use.range.file, use.range.line, use.op);
  return text;
}

} // namespace ktir
