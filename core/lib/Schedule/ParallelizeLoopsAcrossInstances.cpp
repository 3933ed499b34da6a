//===- ParallelizeLoopsAcrossInstances.cpp - Use every corelet ------------===//
//
// Follows spec scheduler.md §3.11.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_PARALLELIZELOOPSACROSSINSTANCES
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

/// The loop to distribute: the outermost parallel one whose trip count the
/// instances divide, else the outermost with an iteration for each.
static scf::ForOp chooseLoop(ArrayRef<scf::ForOp> loops, int64_t instances) {
  scf::ForOp second;
  for (scf::ForOp loop : loops) {
    auto type = loop->getAttrOfType<ktdf::LoopTypeAttr>("loop_type");
    if (!type || type.getValue() != ktdf::LoopType::ParallelLoop)
      continue;
    std::optional<int64_t> trip = getConstantTripCount(loop);
    if (!trip || *trip < instances)
      continue;
    if (*trip % instances == 0)
      return loop;
    if (!second)
      second = loop;
  }
  return second;
}

/// Replaces `loop` by a `ktdf.parallel` over the same points.
static void distribute(scf::ForOp loop, int64_t instances) {
  OpBuilder builder(loop);
  auto parallel =
      ktdf::ParallelOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                               loop.getUpperBound(), loop.getStep(), instances);
  Block &body = parallel.getBody().front();
  loop.getInductionVar().replaceAllUsesWith(parallel.getInductionVars()[0]);
  loop.getBody()->getTerminator()->erase();
  body.getOperations().splice(body.begin(), loop.getBody()->getOperations());
  loop.erase();
}

namespace {
struct ParallelizeLoopsAcrossInstances
    : public ktir::impl::ParallelizeLoopsAcrossInstancesBase<
          ParallelizeLoopsAcrossInstances> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<ktdf::PipelineOp> pipelines;
    getOperation().walk(
        [&](ktdf::PipelineOp pipeline) { pipelines.push_back(pipeline); });
    for (ktdf::PipelineOp pipeline : pipelines) {
      // Units of one pipeline live in one group; the ones that exist once per
      // core keep it undivided.
      std::optional<int64_t> instances;
      for (ktdf::StageOp stage : pipeline.getStages())
        for (StringRef kind : stage.getUnitKinds()) {
          int64_t count = device->getUnitsPerCore(kind);
          instances = std::min(instances.value_or(count), count);
        }
      if (!instances || *instances < 2)
        continue;
      if (scf::ForOp loop = chooseLoop(getEnclosingLoops(pipeline), *instances))
        distribute(loop, *instances);
    }
  }
};
} // namespace
