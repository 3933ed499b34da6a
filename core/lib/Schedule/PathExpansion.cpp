//===- PathExpansion.cpp - One stage per hop of the device ----------------===//
//
// Follows spec scheduler.md §3.1.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_PATHEXPANSION
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

namespace {
/// The stages of a pipeline as `construct-three-stage-pipeline` makes it.
struct ThreeStages {
  ktdf::StageOp load, compute, store;
  SmallVector<ktdf::DataTransferOp> loads, stores;
  std::string computeKind;
};

/// Expands one pipeline.
class Expander {
public:
  Expander(ktdf::PipelineOp pipeline, const Device &device)
      : pipeline(pipeline), device(device), builder(pipeline) {}
  LogicalResult expand();

private:
  LogicalResult readStages();
  /// The kinds from `from` to `to`: memories and units in turn.
  LogicalResult findPath(Operation *op, StringRef from, StringRef to,
                         SmallVector<std::string> &path);
  void planTypes();
  void buildLoadSide();
  void buildComputeStage();
  void buildStoreSide();
  ktdf::StageOp createStage(StringRef unit);

  ktdf::PipelineOp pipeline;
  const Device &device;
  OpBuilder builder;

  ThreeStages stages;
  SmallVector<std::string> loadPath, storePath;
  SmallVector<Type> types;
  ValueRange results;
  unsigned nextStage = 0, numStages = 0, firstToken = 0;
  // Result numbers: per hop through a memory one buffer per transfer, then the
  // slots of the transfers.
  SmallVector<SmallVector<unsigned>> loadBuffers, storeBuffers;
  SmallVector<unsigned> loadSlots, storeSlots;
};
} // namespace

LogicalResult Expander::readStages() {
  SmallVector<ktdf::StageOp> all = llvm::to_vector(pipeline.getStages());
  auto fail = [&](Operation *op) {
    return op->emitOpError("failed to plan path expansion: expected a load "
                           "stage, a compute stage on one unit and a store "
                           "stage");
  };
  if (all.size() != 3 || !all[1].getUnitKind())
    return fail(pipeline);
  stages = {all[0], all[1], all[2], {}, {}, all[1].getUnitKind()->str()};
  for (Operation &op : stages.load.getBody().front()) {
    auto transfer = dyn_cast<ktdf::DataTransferOp>(op);
    if (!transfer || transfer.isSrcSlot() || !transfer.isDstSlot())
      return fail(&op);
    stages.loads.push_back(transfer);
  }
  for (Operation &op : stages.store.getBody().front()) {
    auto transfer = dyn_cast<ktdf::DataTransferOp>(op);
    if (!transfer || !transfer.isSrcSlot() || transfer.isDstSlot())
      return fail(&op);
    stages.stores.push_back(transfer);
  }
  if (stages.loads.empty() || stages.stores.empty())
    return fail(pipeline);
  return success();
}

LogicalResult Expander::findPath(Operation *op, StringRef from, StringRef to,
                                 SmallVector<std::string> &path) {
  std::optional<SmallVector<std::string>> route = device.route(from, to);
  // Memories and units take turns: m u m u .. compute.
  if (!route || route->size() < 3 || route->size() % 2 == 0)
    return op->emitOpError()
           << "failed to plan path expansion: the device has no path of load "
              "and store units from '"
           << from << "' to '" << to << "'";
  path = std::move(*route);
  return success();
}

/// The type of the buffer that holds what `transfer` moves, in memory `kind`.
static MemRefType bufferType(ktdf::DataTransferOp transfer, bool store,
                             StringRef kind) {
  ArrayRef<int64_t> sizes =
      store ? transfer.getStaticDstSizes() : transfer.getStaticSrcSizes();
  Value memory = store ? transfer.getDst() : transfer.getSrc();
  return MemRefType::get(sizes,
                         cast<MemRefType>(memory.getType()).getElementType(),
                         MemRefLayoutAttrInterface(),
                         StringAttr::get(transfer.getContext(), kind));
}

void Expander::planTypes() {
  MLIRContext *context = pipeline.getContext();
  auto addBuffers = [&](ArrayRef<ktdf::DataTransferOp> transfers, bool store,
                        StringRef kind) {
    SmallVector<unsigned> numbers;
    for (ktdf::DataTransferOp transfer : transfers) {
      numbers.push_back(types.size());
      types.push_back(bufferType(transfer, store, kind));
    }
    return numbers;
  };
  auto addSlots = [&](ArrayRef<ktdf::DataTransferOp> transfers, bool store,
                      StringRef from, StringRef to) {
    SmallVector<unsigned> numbers;
    for (ktdf::DataTransferOp transfer : transfers) {
      auto slot = cast<ktdf::FifoSlotType>(
          (store ? transfer.getSrc() : transfer.getDst()).getType());
      numbers.push_back(types.size());
      types.push_back(ktdf::FifoSlotType::get(context, from, to, slot.getSize(),
                                              slot.getElementType()));
    }
    return numbers;
  };
  // Memories between the first and the last node of a path get buffers.
  for (size_t i = 2; i + 1 < loadPath.size(); i += 2)
    loadBuffers.push_back(addBuffers(stages.loads, false, loadPath[i]));
  for (size_t i = 2; i + 1 < storePath.size(); i += 2)
    storeBuffers.push_back(addBuffers(stages.stores, true, storePath[i]));
  loadSlots =
      addSlots(stages.loads, false, loadPath.end()[-2], stages.computeKind);
  storeSlots = addSlots(stages.stores, true, stages.computeKind, storePath[1]);
  firstToken = types.size();
  numStages = loadPath.size() / 2 + 1 + storePath.size() / 2;
  types.append(numStages - 1, ktdf::TokenType::get(context));
}

ktdf::StageOp Expander::createStage(StringRef unit) {
  SmallVector<Value, 1> in, out;
  if (nextStage > 0)
    in.push_back(results[firstToken + nextStage - 1]);
  if (nextStage + 1 < numStages)
    out.push_back(results[firstToken + nextStage]);
  ++nextStage;
  return ktdf::StageOp::create(builder, pipeline.getLoc(), in, out, {unit});
}

/// The subscript of a buffer's first element.
static AffineMap originOf(Value buffer) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  return AffineMap::get(
      0, 0,
      SmallVector<AffineExpr>(rank,
                              getAffineConstantExpr(0, buffer.getContext())),
      buffer.getContext());
}

void Expander::buildLoadSide() {
  for (size_t hop = 0; hop * 2 + 1 < loadPath.size(); ++hop) {
    ktdf::StageOp stage = createStage(loadPath[hop * 2 + 1]);
    OpBuilder inside = OpBuilder::atBlockBegin(&stage.getBody().front());
    for (auto [i, transfer] : llvm::enumerate(stages.loads)) {
      Value source = transfer.getSrc();
      AffineMap map = transfer.getSrcMap();
      ValueRange indices = transfer.getSrcIndices();
      ArrayRef<int64_t> sizes = transfer.getStaticSrcSizes();
      if (hop > 0) {
        source = results[loadBuffers[hop - 1][i]];
        map = originOf(source);
        indices = {};
      }
      if (hop == loadBuffers.size()) {
        ktdf::DataTransferOp::create(inside, transfer.getLoc(), source, map,
                                     indices, sizes, results[loadSlots[i]]);
        continue;
      }
      Value buffer = results[loadBuffers[hop][i]];
      ktdf::DataTransferOp::create(inside, transfer.getLoc(), source, map,
                                   indices, sizes, buffer, originOf(buffer),
                                   ValueRange(), sizes);
    }
  }
}

void Expander::buildComputeStage() {
  ktdf::StageOp stage = createStage(stages.computeKind);
  IRMapping mapping;
  for (auto [transfer, number] : llvm::zip_equal(stages.loads, loadSlots))
    mapping.map(transfer.getDst(), results[number]);
  for (auto [transfer, number] : llvm::zip_equal(stages.stores, storeSlots))
    mapping.map(transfer.getSrc(), results[number]);
  OpBuilder inside = OpBuilder::atBlockBegin(&stage.getBody().front());
  for (Operation &op : stages.compute.getBody().front())
    inside.clone(op, mapping);
}

void Expander::buildStoreSide() {
  for (size_t hop = 0; hop * 2 + 1 < storePath.size(); ++hop) {
    ktdf::StageOp stage = createStage(storePath[hop * 2 + 1]);
    OpBuilder inside = OpBuilder::atBlockBegin(&stage.getBody().front());
    for (auto [i, transfer] : llvm::enumerate(stages.stores)) {
      Value destination = transfer.getDst();
      AffineMap map = transfer.getDstMap();
      ValueRange indices = transfer.getDstIndices();
      ArrayRef<int64_t> sizes = transfer.getStaticDstSizes();
      if (hop < storeBuffers.size()) {
        destination = results[storeBuffers[hop][i]];
        map = originOf(destination);
        indices = {};
      }
      if (hop == 0) {
        ktdf::DataTransferOp::create(inside, transfer.getLoc(),
                                     results[storeSlots[i]], destination, map,
                                     indices, sizes);
        continue;
      }
      Value buffer = results[storeBuffers[hop - 1][i]];
      ktdf::DataTransferOp::create(inside, transfer.getLoc(), buffer,
                                   originOf(buffer), ValueRange(), sizes,
                                   destination, map, indices, sizes);
    }
  }
}

LogicalResult Expander::expand() {
  if (failed(readStages()))
    return failure();
  StringRef source = getMemoryKind(stages.loads.front().getSrc().getType());
  StringRef destination =
      getMemoryKind(stages.stores.front().getDst().getType());
  if (failed(findPath(pipeline, source, stages.computeKind, loadPath)) ||
      failed(findPath(pipeline, stages.computeKind, destination, storePath)))
    return failure();
  planTypes();

  auto expanded = ktdf::PipelineOp::create(builder, pipeline.getLoc());
  builder.setInsertionPointToStart(&expanded.getBody().front());
  results = createPrivate(builder, pipeline.getLoc(), types).getResults();
  buildLoadSide();
  buildComputeStage();
  buildStoreSide();
  pipeline.erase();
  return success();
}

namespace {
struct PathExpansion : public ktir::impl::PathExpansionBase<PathExpansion> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<ktdf::PipelineOp> pipelines;
    getOperation().walk(
        [&](ktdf::PipelineOp pipeline) { pipelines.push_back(pipeline); });
    for (ktdf::PipelineOp pipeline : pipelines)
      if (failed(Expander(pipeline, *device).expand()))
        return signalPassFailure();
  }
};
} // namespace
