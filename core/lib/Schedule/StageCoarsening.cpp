//===- StageCoarsening.cpp - Move whole blocks at once --------------------===//
//
// Carries out spec scheduler.md §3.4 and §3.5 in one step: the block extents
// are chosen here, so no symbolic tile sizes are needed.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/Support/AffineSubscript.h"
#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_STAGECOARSENING
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

/// Whether a stage takes part in a FIFO, and so has to run vector by vector.
static bool touchesFifo(ktdf::StageOp stage) {
  return llvm::any_of(stage.getBody().front(), [](Operation &op) {
    auto transfer = dyn_cast<ktdf::DataTransferOp>(op);
    return !transfer || transfer.isSrcSlot() || transfer.isDstSlot();
  });
}

namespace {
/// Rebuilds one pipeline and the loops around it.
class Coarsener {
public:
  Coarsener(ktdf::PipelineOp pipeline, const Device &device, int64_t blockBytes)
      : pipeline(pipeline), device(device), blockBytes(blockBytes),
        builder(pipeline) {}
  LogicalResult coarsen();

private:
  LogicalResult analyze();
  LogicalResult chooseBlock(bool wholeTile);
  int64_t numBlocks() const;
  void buildBlockStage(ktdf::StageOp stage, ValueRange in, ValueRange out);
  void buildVectorStages(ValueRange in, ValueRange out);
  /// Replaces the induction variables of the old loops in a subscript by
  /// `ivs[d] * scale[d]` (zero where there is none) and other values by
  /// themselves.
  AffineMap rewriteSubscript(AffineMap map, ValueRange indices,
                             ArrayRef<Value> ivs, ArrayRef<int64_t> scale,
                             SmallVector<Value> &operands);
  /// The subscript of the current vector in a block's buffer.
  AffineMap vectorInBuffer(SmallVector<Value> &operands);

  ktdf::PipelineOp pipeline;
  const Device &device;
  int64_t blockBytes;
  OpBuilder builder;

  SmallVector<scf::ForOp> loops;
  SmallVector<int64_t> trips;
  SmallVector<int64_t> vectorShape;
  SmallVector<memref::AllocOp> buffers;
  SmallVector<ktdf::StageOp> before, vectors, after;
  /// Vectors per block along each dimension.
  SmallVector<int64_t> block;
  /// Block and point induction variables; null where the trip is one.
  SmallVector<Value> blockIvs, pointIvs;
  /// Old private results to new values.
  IRMapping mapping;
};
} // namespace

LogicalResult Coarsener::analyze() {
  loops = getEnclosingLoops(pipeline);
  for (scf::ForOp loop : loops) {
    std::optional<int64_t> trip = getConstantTripCount(loop);
    if (!trip)
      return loop.emitOpError("expected a constant number of iterations");
    if (*trip <= 0)
      return loop.emitOpError("expected at least one iteration");
    trips.push_back(*trip);
  }
  ktdf::PrivateOp privateOp = pipeline.getPrivateOp();
  if (!privateOp)
    return pipeline.emitOpError("expected a private region with the buffers "
                                "of the pipeline");
  llvm::append_range(buffers,
                     privateOp.getBody().front().getOps<memref::AllocOp>());
  if (buffers.empty())
    return pipeline.emitOpError("expected at least one scratchpad buffer; run "
                                "'path-expansion' first");
  vectorShape = llvm::to_vector(buffers.front().getType().getShape());
  for (memref::AllocOp buffer : buffers)
    if (buffer.getType().getShape() != ArrayRef<int64_t>(vectorShape))
      return buffer.emitOpError("expected buffers of equal shape");
  if (vectorShape.size() != loops.size())
    return pipeline.emitOpError()
           << "expected a loop per dimension of its buffers ("
           << vectorShape.size() << "), but found " << loops.size();

  for (ktdf::StageOp stage : pipeline.getStages()) {
    if (touchesFifo(stage)) {
      if (!after.empty())
        return stage.emitOpError("expected the stages joined by FIFOs to "
                                 "follow each other");
      vectors.push_back(stage);
    } else {
      (vectors.empty() ? before : after).push_back(stage);
    }
  }
  return success();
}

/// The product of two counts, or the largest one if that is more.
static int64_t saturatingMultiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

int64_t Coarsener::numBlocks() const {
  int64_t count = 1;
  for (auto [trip, size] : llvm::zip_equal(trips, block))
    count = saturatingMultiply(count, trip / size);
  return count;
}

/// The largest divisor of `value` below `value`.
static int64_t nextDivisor(int64_t value) {
  for (int64_t factor = 2; factor * factor <= value; ++factor)
    if (value % factor == 0)
      return value / factor;
  return 1;
}

LogicalResult Coarsener::chooseBlock(bool wholeTile) {
  MemRefType type = buffers.front().getType();
  StringRef kind = getMemoryKind(type);
  std::optional<int64_t> capacity = device.getMemorySize(kind);
  FailureOr<int64_t> vectorBytes = getBufferBytes(buffers.front(), type);
  if (failed(vectorBytes))
    return failure();
  block = trips;
  auto bufferBytes = [&] {
    int64_t bytes = *vectorBytes;
    for (int64_t size : block)
      bytes = saturatingMultiply(bytes, size);
    return bytes;
  };
  auto allBuffersBytes = [&](int64_t copies) {
    return saturatingMultiply(bufferBytes(), int64_t(buffers.size()) * copies);
  };
  // Every buffer has two copies as soon as there is a second block.
  auto fits = [&] {
    int64_t copies = numBlocks() > 1 ? 2 : 1;
    return !capacity || allBuffersBytes(copies) <= *capacity;
  };
  while (!fits() || (!wholeTile && bufferBytes() > blockBytes)) {
    auto *outermost =
        llvm::find_if(block, [](int64_t size) { return size > 1; });
    if (outermost == block.end() || wholeTile)
      break;
    *outermost = nextDivisor(*outermost);
  }
  if (fits())
    return success();
  if (wholeTile)
    return pipeline.emitOpError()
           << "stores may touch elements that are loaded elsewhere in the "
              "tile, so the whole tile has to be in the scratchpad: "
           << allBuffersBytes(1) << " bytes, but '" << kind << "' has "
           << *capacity;
  return pipeline.emitOpError()
         << "needs at least " << allBuffersBytes(2)
         << " bytes of scratchpad, but '" << kind << "' has " << *capacity;
}

AffineMap Coarsener::rewriteSubscript(AffineMap map, ValueRange indices,
                                      ArrayRef<Value> ivs,
                                      ArrayRef<int64_t> scale,
                                      SmallVector<Value> &operands) {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> replacements;
  for (Value index : indices) {
    auto *loop = llvm::find_if(loops, [&](scf::ForOp loop) {
      return loop.getInductionVar() == index;
    });
    size_t d = loop - loops.begin();
    if (loop != loops.end() && !ivs[d]) {
      replacements.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    AffineExpr dim = getAffineDimExpr(operands.size(), context);
    replacements.push_back(loop == loops.end() ? dim : dim * scale[d]);
    operands.push_back(loop == loops.end() ? index : ivs[d]);
  }
  AffineMap result =
      map.replaceDimsAndSymbols(replacements, {}, operands.size(), 0);
  result = simplifyAffineMap(result);
  normalizeAffineSubscript(result, operands);
  return result;
}

AffineMap Coarsener::vectorInBuffer(SmallVector<Value> &operands) {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> results;
  for (auto [d, iv] : llvm::enumerate(pointIvs)) {
    if (!iv) {
      results.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    results.push_back(getAffineDimExpr(operands.size(), context) *
                      vectorShape[d]);
    operands.push_back(iv);
  }
  return AffineMap::get(operands.size(), 0, results, context);
}

void Coarsener::buildBlockStage(ktdf::StageOp stage, ValueRange in,
                                ValueRange out) {
  auto coarse = ktdf::StageOp::create(builder, stage.getLoc(), in, out,
                                      stage.getUnitKinds());
  OpBuilder inside = OpBuilder::atBlockBegin(&coarse.getBody().front());
  SmallVector<int64_t> sizes;
  for (auto [vector, count] : llvm::zip_equal(vectorShape, block))
    sizes.push_back(vector * count);
  for (Operation &op : stage.getBody().front()) {
    auto transfer = cast<ktdf::DataTransferOp>(op);
    // A block's buffer is filled from its origin, whatever the iteration; the
    // other side advances by whole blocks.
    SmallVector<Value> from, to;
    AffineMap fromMap = rewriteSubscript(
        transfer.getSrcMap(), transfer.getSrcIndices(), blockIvs, block, from);
    AffineMap toMap = rewriteSubscript(
        transfer.getDstMap(), transfer.getDstIndices(), blockIvs, block, to);
    ktdf::DataTransferOp::create(
        inside, transfer.getLoc(), mapping.lookupOrDefault(transfer.getSrc()),
        fromMap, from, sizes, mapping.lookupOrDefault(transfer.getDst()), toMap,
        to, sizes);
  }
}

void Coarsener::buildVectorStages(ValueRange in, ValueRange out) {
  Location loc = pipeline.getLoc();
  SmallVector<StringRef> kinds;
  for (ktdf::StageOp stage : vectors)
    for (StringRef kind : stage.getUnitKinds())
      if (!llvm::is_contained(kinds, kind))
        kinds.push_back(kind);
  auto coarse = ktdf::StageOp::create(builder, loc, in, out, kinds);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&coarse.getBody().front());
  for (int64_t count : block)
    pointIvs.push_back(
        count == 1 ? Value()
                   : createParallelLoop(builder, loc, count).getInductionVar());

  auto inner = ktdf::PipelineOp::create(builder, loc);
  builder.setInsertionPointToStart(&inner.getBody().front());
  // The slots, and the tokens between these stages, stay inside.
  SmallVector<Value> moved;
  for (Value result : pipeline.getPrivateOp().getResults())
    if (isa<ktdf::FifoSlotType>(result.getType()))
      moved.push_back(result);
  for (ktdf::StageOp stage : llvm::drop_end(vectors))
    llvm::append_range(moved, stage.getDependsOut());
  auto privateOp = createPrivate(builder, loc, ValueRange(moved).getTypes());
  for (auto [from, to] : llvm::zip_equal(moved, privateOp.getResults()))
    mapping.map(from, to);

  for (auto [position, stage] : llvm::enumerate(vectors)) {
    SmallVector<Value> dependsIn, dependsOut;
    if (position > 0)
      for (Value token : stage.getDependsIn())
        dependsIn.push_back(mapping.lookup(token));
    if (position + 1 < vectors.size())
      for (Value token : stage.getDependsOut())
        dependsOut.push_back(mapping.lookup(token));
    auto copy = ktdf::StageOp::create(builder, stage.getLoc(), dependsIn,
                                      dependsOut, stage.getUnitKinds());
    OpBuilder inside = OpBuilder::atBlockBegin(&copy.getBody().front());
    for (Operation &op : stage.getBody().front()) {
      auto transfer = dyn_cast<ktdf::DataTransferOp>(op);
      if (!transfer) {
        inside.clone(op, mapping);
        continue;
      }
      SmallVector<Value> operands;
      AffineMap map = vectorInBuffer(operands);
      Value source = mapping.lookupOrDefault(transfer.getSrc());
      Value destination = mapping.lookupOrDefault(transfer.getDst());
      if (transfer.isDstSlot())
        ktdf::DataTransferOp::create(inside, transfer.getLoc(), source, map,
                                     operands, vectorShape, destination);
      else
        ktdf::DataTransferOp::create(inside, transfer.getLoc(), source,
                                     destination, map, operands, vectorShape);
    }
  }
}

LogicalResult Coarsener::coarsen() {
  if (failed(analyze()))
    return failure();
  auto func = pipeline->getParentOfType<func::FuncOp>();
  if (failed(chooseBlock(func->hasAttr(kWholeTileAttr))))
    return failure();
  func->removeAttr(kWholeTileAttr);

  Location loc = pipeline.getLoc();
  Operation *oldNest =
      loops.empty() ? pipeline.getOperation() : loops.front().getOperation();
  builder.setInsertionPoint(oldNest);
  for (auto [trip, count] : llvm::zip_equal(trips, block))
    blockIvs.push_back(
        trip == count
            ? Value()
            : createParallelLoop(builder, loc, trip / count).getInductionVar());
  auto outer = ktdf::PipelineOp::create(builder, loc);
  builder.setInsertionPointToStart(&outer.getBody().front());

  // Buffers grow to a block; a token joins each pair of coarse stages.
  SmallVector<Type> types;
  for (memref::AllocOp buffer : buffers) {
    SmallVector<int64_t> shape;
    for (auto [vector, count] : llvm::zip_equal(vectorShape, block))
      shape.push_back(vector * count);
    types.push_back(MemRefType::get(shape, buffer.getType().getElementType(),
                                    MemRefLayoutAttrInterface(),
                                    buffer.getType().getMemorySpace()));
  }
  size_t numStages = before.size() + 1 + after.size();
  types.append(numStages - 1, ktdf::TokenType::get(builder.getContext()));
  auto privateOp = createPrivate(builder, loc, types);
  ktdf::PrivateYieldOp oldYield = pipeline.getPrivateOp().getYield();
  size_t nextBuffer = 0;
  for (auto [value, result] : llvm::zip_equal(
           oldYield.getValues(), pipeline.getPrivateOp().getResults()))
    if (value.getDefiningOp<memref::AllocOp>())
      mapping.map(result, privateOp.getResult(nextBuffer++));

  ValueRange tokens = privateOp.getResults().drop_front(buffers.size());
  size_t position = 0;
  auto in = [&] {
    return position == 0 ? ValueRange() : tokens.slice(position - 1, 1);
  };
  auto out = [&] {
    return position + 1 == numStages ? ValueRange() : tokens.slice(position, 1);
  };
  for (ktdf::StageOp stage : before) {
    buildBlockStage(stage, in(), out());
    ++position;
  }
  buildVectorStages(in(), out());
  ++position;
  for (ktdf::StageOp stage : after) {
    buildBlockStage(stage, in(), out());
    ++position;
  }
  oldNest->erase();
  return success();
}

namespace {
struct StageCoarsening
    : public ktir::impl::StageCoarseningBase<StageCoarsening> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<ktdf::PipelineOp> pipelines;
    getOperation().walk(
        [&](ktdf::PipelineOp pipeline) { pipelines.push_back(pipeline); });
    for (ktdf::PipelineOp pipeline : pipelines)
      if (failed(Coarsener(pipeline, *device, blockBytes).coarsen()))
        return signalPassFailure();
  }
};
} // namespace
