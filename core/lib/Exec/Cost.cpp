//===- Cost.cpp - The analytic cost model ---------------------------------===//

#include "ktir/Exec/Cost.h"

#include "ktir/Dialect/Ktdp/Stick.h"

#include <algorithm>

using namespace ktir;
using namespace ktir::exec;

llvm::ArrayRef<CostProfile> ktir::exec::costProfiles() {
  static const CostProfile profiles[] = {
      {"interpreter", 1, 128, 0, 64, 64, 2 * 64 * 8, 4, 32},
      // 150 bytes per ns one way; 105 for equal parts of both, so that
      // 2 / 105 - 2 / 150 is left for a byte of the lesser part. The ring is
      // below what could be measured. 1140 multiply-adds per ns and core.
      {"measured", 1, 150, 2.0 / 105 - 2.0 / 150, 0, 64, 2 * 1140, 4, 32},
  };
  return profiles;
}

double TileCost::overlapped() const {
  return std::max(compute, memory + communication);
}
double TileCost::overlapped3() const {
  return std::max({compute, memory, communication});
}
const char *TileCost::bottleneck() const {
  if (compute >= memory && compute >= communication)
    return "compute";
  return memory >= communication ? "memory" : "communication";
}

static double vectorOps(const CostProfile &profile,
                        const CostCounters &counters) {
  return double(counters.vectorElements) +
         profile.transcendentalFactor * double(counters.transcendentalElements);
}

static double deviceBytes(const CostCounters &counters) {
  return stickBytes * double(counters.sticksRead + counters.sticksWritten);
}

static TileCost costOf(const CostProfile &profile, const CostCounters &counters,
                       size_t tiles) {
  double perByte = double(tiles) / profile.deviceBytesPerCycle;
  double lesser = stickBytes *
                  double(std::min(counters.sticksRead, counters.sticksWritten));
  TileCost cost;
  cost.compute = vectorOps(profile, counters) / profile.vectorElementsPerCycle +
                 double(counters.matrixOps) / profile.matrixOpsPerCycle;
  cost.memory = deviceBytes(counters) * perByte +
                lesser * double(tiles) * profile.turnaroundCyclesPerByte;
  if (profile.ringBytesPerCycle == 0)
    return cost;
  cost.communication =
      double(counters.exchangedBytes) / profile.ringBytesPerCycle;
  // Such an access takes as long as the slower of its two sides.
  for (const CostCounters::Mixed &access : counters.mixed)
    cost.memory += std::max(
        0.0, double(access.partitionBytes) / profile.ringBytesPerCycle -
                 stickBytes * double(access.sticks) * perByte);
  return cost;
}

/// `sharers`: tiles that share the device memory; `cores`: whose units count.
static Roofline rooflineOf(const CostProfile &profile, double vector,
                           double matrix, double bytes, double cycles,
                           double sharers, double cores) {
  Roofline roofline;
  roofline.isMatrix = matrix / profile.matrixOpsPerCycle >
                      vector / profile.vectorElementsPerCycle;
  roofline.operations = roofline.isMatrix ? matrix : vector;
  roofline.bytes = bytes;
  roofline.peak = cores * (roofline.isMatrix ? profile.matrixOpsPerCycle
                                             : profile.vectorElementsPerCycle);
  roofline.achieved = cycles > 0 ? roofline.operations / cycles : 0;
  double bound = roofline.peak;
  if (bytes > 0) {
    roofline.intensity = roofline.operations / bytes;
    roofline.memoryBound =
        profile.deviceBytesPerCycle / sharers * roofline.intensity;
    bound = std::min(bound, roofline.memoryBound);
  }
  roofline.attainment = bound > 0 ? roofline.achieved / bound : 0;
  return roofline;
}

CostEstimate ktir::exec::estimateCost(const CostProfile &profile,
                                      llvm::ArrayRef<CostCounters> tiles) {
  CostEstimate estimate;
  estimate.profile = profile;
  double vector = 0, matrix = 0, bytes = 0;
  for (const CostCounters &counters : tiles) {
    estimate.tiles.push_back(costOf(profile, counters, tiles.size()));
    vector += vectorOps(profile, counters);
    matrix += double(counters.matrixOps);
    bytes += deviceBytes(counters);
    if (estimate.tiles.back().serial() >
        estimate.tiles[estimate.slowest].serial())
      estimate.slowest = estimate.tiles.size() - 1;
  }
  if (tiles.empty())
    return estimate;
  double cycles = estimate.tiles[estimate.slowest].serial();
  estimate.chip =
      rooflineOf(profile, vector, matrix, bytes, cycles, 1, profile.cores);
  const CostCounters &slowest = tiles[estimate.slowest];
  estimate.core = rooflineOf(profile, vectorOps(profile, slowest),
                             double(slowest.matrixOps), deviceBytes(slowest),
                             cycles, double(tiles.size()), 1);
  return estimate;
}
