//===- KtdfToKtdfLowering.cpp - Bind stages to units ----------------------===//
//
// Follows spec scheduler.md §4.1.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"
#include "ktir/Lower/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "ktir/Schedule/TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_KTDFTOKTDFLOWERING
#include "ktir/Lower/Passes.h.inc"
} // namespace ktir

using namespace ktir;

namespace {
/// What becomes of one stage.
struct StagePlan {
  ktdf::StageOp stage;
  /// The kinds of unit that execute it, in text order.
  llvm::SetVector<StringRef> kinds;
  /// The kinds that meet after it, a rendezvous each.
  SmallVector<llvm::SetVector<StringRef>> signals;
};

/// What becomes of one pipeline; stages in an order that tokens allow.
struct PipelinePlan {
  ktdf::PipelineOp pipeline;
  SmallVector<StagePlan> stages;
};

/// Lowers one program.
class ProgramLowering {
public:
  ProgramLowering(func::FuncOp func, const Device &device)
      : func(func), device(device) {}
  LogicalResult lower();

private:
  LogicalResult collectKinds();
  void createUnits();
  LogicalResult plan(ktdf::PipelineOp pipeline);
  void rewrite(PipelinePlan &plan);
  /// The stages of `pipeline` in an order that their tokens allow.
  LogicalResult sortStages(ktdf::PipelineOp pipeline,
                           SmallVector<ktdf::StageOp> &order);
  /// The kinds whose units have to meet between two stages; none if no memory
  /// joins them.
  llvm::SetVector<StringRef> findConflict(ktdf::StageOp first,
                                          ktdf::StageOp second);
  SmallVector<Value> unitsOf(ArrayRef<StringRef> kinds);

  func::FuncOp func;
  const Device &device;
  int64_t numCores = 1;
  /// Unit kinds in the order in which the program names them, and whether each
  /// is used on several corelets.
  llvm::MapVector<StringRef, bool> kinds;
  /// Per kind: the unit of the executing core, once per corelet in use.
  llvm::StringMap<SmallVector<Value>> units;
  /// Outer pipelines before the ones inside them.
  SmallVector<PipelinePlan> plans;
};
} // namespace

LogicalResult ProgramLowering::collectKinds() {
  WalkResult result = func.walk([&](ktdf::StageOp stage) {
    bool parallel = stage->getParentOfType<ktdf::ParallelOp>() != nullptr;
    // A coarse stage is executed by the units of the stages inside it.
    bool leaf =
        !stage.walk([](ktdf::PipelineOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
    if (!leaf)
      return WalkResult::advance();
    std::optional<StringRef> kind = stage.getUnitKind();
    if (!kind) {
      stage.emitOpError("expected exactly one applicable exec_unit on "
                        "ktdf.stage");
      return WalkResult::interrupt();
    }
    if (!device.hasUnit(*kind)) {
      stage.emitOpError() << "expected a unit of the device, but found '"
                          << *kind << "'";
      return WalkResult::interrupt();
    }
    kinds.try_emplace(*kind, parallel);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void ProgramLowering::createUnits() {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = func.getLoc();
  SmallVector<Value> cores;
  for (int64_t core = 0; core < numCores; ++core)
    cores.push_back(arith::ConstantIndexOp::create(builder, loc, core));
  llvm::MapVector<StringRef, SmallVector<SmallVector<Value>>> handles;
  for (auto [kind, parallel] : kinds) {
    std::string tag = device.getUnitTag(kind);
    int64_t corelets = parallel ? device.getUnitsPerCore(kind) : 1;
    for (int64_t corelet = 0; corelet < corelets; ++corelet) {
      SmallVector<Value> &perCore = handles[kind].emplace_back();
      for (int64_t core = 0; core < numCores; ++core) {
        std::string name = "C" + std::to_string(core) + "-" + tag;
        if (parallel)
          name += "-CL" + std::to_string(corelet);
        perCore.push_back(
            dataflow::GetUnitOp::create(builder, loc, name, tag, core, corelet)
                .getHandle());
      }
    }
  }
  Value id = ktdp::GetComputeTileIdOp::create(builder, loc,
                                              TypeRange(builder.getIndexType()))
                 .getIds()
                 .front();
  for (auto &[kind, corelets] : handles)
    for (SmallVector<Value> &perCore : corelets) {
      Value map =
          uniform::DefImmutableMappingOp::create(builder, loc, cores, perCore);
      units[kind].push_back(uniform::QueryMapOp::create(builder, loc, map, id));
    }
}

SmallVector<Value> ProgramLowering::unitsOf(ArrayRef<StringRef> names) {
  SmallVector<Value> result;
  for (StringRef kind : names)
    llvm::append_range(result, units[kind]);
  return result;
}

LogicalResult ProgramLowering::sortStages(ktdf::PipelineOp pipeline,
                                          SmallVector<ktdf::StageOp> &order) {
  SmallVector<ktdf::StageOp> waiting = llvm::to_vector(pipeline.getStages());
  llvm::DenseSet<Value> pendingTokens;
  for (ktdf::StageOp stage : waiting)
    for (Value token : stage.getDependsOut())
      pendingTokens.insert(token);
  while (!waiting.empty()) {
    auto *ready = llvm::find_if(waiting, [&](ktdf::StageOp stage) {
      return llvm::none_of(stage.getDependsIn(), [&](Value token) {
        return pendingTokens.contains(token);
      });
    });
    if (ready == waiting.end())
      return pipeline.emitOpError("Circular token dependency detected in "
                                  "pipeline");
    order.push_back(*ready);
    waiting.erase(ready);
    // A token may be set by several stages; it holds when the last has ended.
    for (Value token : order.back().getDependsOut())
      if (llvm::none_of(waiting, [&](ktdf::StageOp stage) {
            return llvm::is_contained(stage.getDependsOut(), token);
          }))
        pendingTokens.erase(token);
  }
  return success();
}

/// The leaf stages of `stage` that nothing inside it precedes (`sources`) or
/// follows.
static SmallVector<ktdf::StageOp> boundaryStages(ktdf::StageOp stage,
                                                 bool sources) {
  SmallVector<ktdf::StageOp> result, pending{stage};
  while (!pending.empty()) {
    ktdf::StageOp current = pending.pop_back_val();
    SmallVector<ktdf::StageOp> inner;
    current.walk<WalkOrder::PreOrder>([&](ktdf::PipelineOp pipeline) {
      for (ktdf::StageOp nested : pipeline.getStages())
        if (sources ? nested.getDependsIn().empty()
                    : nested.getDependsOut().empty())
          inner.push_back(nested);
      return WalkResult::skip();
    });
    if (inner.empty())
      result.push_back(current);
    else
      llvm::append_range(pending, inner);
  }
  return result;
}

llvm::SetVector<StringRef> ProgramLowering::findConflict(ktdf::StageOp first,
                                                         ktdf::StageOp second) {
  llvm::SetVector<StringRef> result;
  for (ktdf::StageOp producer : boundaryStages(first, /*sources=*/false))
    for (ktdf::StageOp consumer : boundaryStages(second, /*sources=*/true)) {
      StringRef from = *producer.getUnitKind(), to = *consumer.getUnitKind();
      for (StringRef memory : device.getMemoriesWrittenBy(from))
        if (llvm::is_contained(device.getMemoriesReadBy(to), memory)) {
          result.insert(from);
          result.insert(to);
        }
    }
  return result;
}

LogicalResult ProgramLowering::plan(ktdf::PipelineOp pipeline) {
  PipelinePlan &plan = plans.emplace_back();
  plan.pipeline = pipeline;
  SmallVector<ktdf::StageOp> order;
  if (failed(sortStages(pipeline, order)))
    return failure();
  for (ktdf::StageOp stage : order) {
    StagePlan &stagePlan = plan.stages.emplace_back();
    stagePlan.stage = stage;
    stage.walk<WalkOrder::PreOrder>([&](ktdf::StageOp nested) {
      for (StringRef kind : nested.getUnitKinds())
        if (kinds.count(kind))
          stagePlan.kinds.insert(kind);
    });
    for (ktdf::StageOp later : order) {
      bool joined = llvm::any_of(stage.getDependsOut(), [&](Value token) {
        return llvm::is_contained(later.getDependsIn(), token);
      });
      if (!joined)
        continue;
      llvm::SetVector<StringRef> conflict = findConflict(stage, later);
      if (conflict.empty())
        continue;
      stagePlan.signals.push_back(conflict);
      // A rendezvous orders a write before the read that follows it, not the
      // next write after that read; two copies of the buffer do.
      if (isa<scf::ForOp>(pipeline->getParentOp()) && !pipeline.getModulo()) {
        InFlightDiagnostic diag =
            later.emitOpError("reads a buffer that the next iteration may "
                              "overwrite; run 'double-buffering' first");
        diag.attachNote(stage.getLoc()) << "written by this stage";
        return diag;
      }
    }
  }
  return success();
}

void ProgramLowering::rewrite(PipelinePlan &plan) {
  // Private slots and buffers are made where the pipeline was.
  if (ktdf::PrivateOp privateOp = plan.pipeline.getPrivateOp()) {
    ktdf::PrivateYieldOp yield = privateOp.getYield();
    privateOp->replaceAllUsesWith(yield.getValues());
    yield.erase();
    plan.pipeline->getBlock()->getOperations().splice(
        Block::iterator(plan.pipeline),
        privateOp.getBody().front().getOperations());
  }
  OpBuilder builder(plan.pipeline);
  for (StagePlan &stagePlan : plan.stages) {
    Location loc = stagePlan.stage.getLoc();
    auto execute = ktdf_lowering::ExecuteOnOp::create(
        builder, loc, unitsOf(stagePlan.kinds.getArrayRef()));
    Block &body = execute.getBody().front();
    body.getOperations().splice(
        body.end(), stagePlan.stage.getBody().front().getOperations());
    for (llvm::SetVector<StringRef> &signal : stagePlan.signals)
      ktdf_lowering::SignalOp::create(builder, loc,
                                      unitsOf(signal.getArrayRef()));
  }
  plan.pipeline.erase();
}

LogicalResult ProgramLowering::lower() {
  FailureOr<int64_t> tiles = getNumTiles(func);
  if (failed(tiles) || failed(collectKinds()))
    return failure();
  numCores = *tiles;
  WalkResult result =
      func.walk<WalkOrder::PreOrder>([&](ktdf::PipelineOp pipeline) {
        return failed(plan(pipeline)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      });
  if (result.wasInterrupted())
    return failure();
  createUnits();
  for (PipelinePlan &pipelinePlan : plans)
    rewrite(pipelinePlan);

  // Tokens have done their duty, and so have the loop types.
  func.walk([](ktdf::CreateTokenOp token) {
    if (token->use_empty())
      token.erase();
  });
  func.walk([](scf::ForOp loop) { loop->removeAttr("loop_type"); });
  return success();
}

namespace {
struct KtdfToKtdfLowering
    : public ktir::impl::KtdfToKtdfLoweringBase<KtdfToKtdfLowering> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<func::FuncOp> programs;
    getOperation().walk([&](func::FuncOp func) {
      bool found =
          func.walk([](ktdf::PipelineOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (found)
        programs.push_back(func);
      return WalkResult::skip();
    });
    for (func::FuncOp func : programs)
      if (failed(ProgramLowering(func, *device).lower()))
        return signalPassFailure();
  }
};
} // namespace
