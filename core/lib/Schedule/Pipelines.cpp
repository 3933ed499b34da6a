//===- Pipelines.cpp - Building and reading pipelines ---------------------===//

#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ktir;

scf::ForOp ktir::createParallelLoop(OpBuilder &builder, Location loc,
                                    int64_t trip) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value upper = arith::ConstantIndexOp::create(builder, loc, trip);
  auto loop = scf::ForOp::create(builder, loc, zero, upper, one);
  loop->setAttr("loop_type",
                ktdf::LoopTypeAttr::get(builder.getContext(),
                                        ktdf::LoopType::ParallelLoop));
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  return loop;
}

std::optional<int64_t> ktir::getConstantTripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*upper - *lower, *step));
}

SmallVector<scf::ForOp> ktir::getEnclosingLoops(Operation *op) {
  SmallVector<scf::ForOp> loops;
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    loops.push_back(loop);
    op = loop;
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

ktdf::PrivateOp ktir::createPrivate(OpBuilder &builder, Location loc,
                                    TypeRange types) {
  auto op = ktdf::PrivateOp::create(builder, loc, types);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getBody().front());
  SmallVector<Value> values;
  for (size_t i = 0; i < types.size();) {
    Type type = types[i];
    if (auto memref = dyn_cast<MemRefType>(type)) {
      values.push_back(memref::AllocOp::create(builder, loc, memref));
      ++i;
      continue;
    }
    auto slot = dyn_cast<ktdf::FifoSlotType>(type);
    if (!slot) {
      values.push_back(ktdf::CreateTokenOp::create(builder, loc));
      ++i;
      continue;
    }
    // The slots of one channel are filled in turn, so they are one allocation.
    size_t end = i;
    SmallVector<Type> slots;
    for (; end < types.size(); ++end) {
      auto next = dyn_cast<ktdf::FifoSlotType>(types[end]);
      if (!next || next.getSource() != slot.getSource() ||
          next.getDestination() != slot.getDestination())
        break;
      slots.push_back(next);
    }
    auto allocate = ktdf::FifoAllocateOp::create(builder, loc, slots,
                                                 /*sizes=*/ValueRange());
    llvm::append_range(values, allocate.getSlots());
    i = end;
  }
  ktdf::PrivateYieldOp::create(builder, loc, values);
  return op;
}

StringRef ktir::getMemoryKind(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  auto kind =
      memref ? dyn_cast_or_null<StringAttr>(memref.getMemorySpace()) : nullptr;
  return kind ? kind.getValue() : StringRef();
}

FailureOr<int64_t> ktir::getElementBytes(Operation *op, MemRefType type) {
  Type element = type.getElementType();
  const unsigned bits =
      element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (bits == 0 || bits % 8 != 0)
    return op->emitOpError() << "expected elements that are integers or floats "
                                "of whole bytes, but got "
                             << element << " in " << type;
  return bits / 8;
}

FailureOr<int64_t> ktir::getBufferBytes(Operation *op, MemRefType type) {
  FailureOr<int64_t> bytes = getElementBytes(op, type);
  if (failed(bytes))
    return failure();
  if (!type.hasStaticShape())
    return op->emitOpError()
           << "expected a buffer of static shape, but got " << type;
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(*bytes, extent, *bytes))
      return op->emitOpError()
             << "expected a buffer of less than 2^63 bytes, but got " << type;
  return bytes;
}
