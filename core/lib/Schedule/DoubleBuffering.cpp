//===- DoubleBuffering.cpp - A second copy of each block buffer -----------===//
//
// Follows spec scheduler.md §3.10. The synchronisation placed later protects
// the reader from a write that is still to come only if the next block is
// written to another copy.
//
//===----------------------------------------------------------------------===//

#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_DOUBLEBUFFERING
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

/// Whether `buffer`, a private result, passes from one stage to a later one.
static bool isHandOver(Value buffer) {
  llvm::SmallPtrSet<Operation *, 4> stages;
  for (Operation *user : buffer.getUsers()) {
    // The stage of the pipeline that the buffer is private to.
    Operation *pipeline = buffer.getDefiningOp()->getParentOp();
    while (user->getParentOp() != pipeline)
      user = user->getParentOp();
    stages.insert(user);
  }
  return stages.size() > 1;
}

static void doubleBuffer(ktdf::PipelineOp pipeline) {
  SmallVector<scf::ForOp> loops = getEnclosingLoops(pipeline);
  ktdf::PrivateOp privateOp = pipeline.getPrivateOp();
  if (loops.empty() || !privateOp || pipeline.getModulo())
    return;
  SmallVector<unsigned> handOvers;
  for (auto [number, result] : llvm::enumerate(privateOp.getResults()))
    if (isa<MemRefType>(result.getType()) && isHandOver(result))
      handOvers.push_back(number);
  if (handOvers.empty())
    return;

  Location loc = pipeline.getLoc();
  OpBuilder above(loops.front());
  OpBuilder before(pipeline);
  SmallVector<Value> ivs;
  for (scf::ForOp loop : loops)
    ivs.push_back(loop.getInductionVar());
  Value phase = ktdf::BufferPhaseOp::create(before, loc, ivs, 2);
  for (unsigned number : handOvers) {
    auto type = cast<MemRefType>(privateOp.getResult(number).getType());
    Value first = memref::AllocOp::create(above, loc, type);
    Value second = memref::AllocOp::create(above, loc, type);
    privateOp.getResult(number).replaceAllUsesWith(ktdf::SelectMemRefOp::create(
        before, loc, phase, ValueRange{first, second}));
  }

  // What is left private: everything but the buffers.
  SmallVector<Type> types;
  SmallVector<Value> kept;
  for (auto [number, result] : llvm::enumerate(privateOp.getResults())) {
    if (llvm::is_contained(handOvers, number))
      continue;
    types.push_back(result.getType());
    kept.push_back(result);
  }
  OpBuilder inside(privateOp);
  auto remaining = createPrivate(inside, loc, types);
  for (auto [from, to] : llvm::zip_equal(kept, remaining.getResults()))
    from.replaceAllUsesWith(to);
  privateOp.erase();
  pipeline.setModulo(2);
}

namespace {
struct DoubleBuffering
    : public ktir::impl::DoubleBufferingBase<DoubleBuffering> {
  void runOnOperation() override {
    SmallVector<ktdf::PipelineOp> pipelines;
    getOperation().walk(
        [&](ktdf::PipelineOp pipeline) { pipelines.push_back(pipeline); });
    for (ktdf::PipelineOp pipeline : pipelines)
      doubleBuffer(pipeline);
  }
};
} // namespace
