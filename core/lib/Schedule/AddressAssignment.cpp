//===- AddressAssignment.cpp - Place buffers in their memories ------------===//
//
// Follows spec scheduler.md §3.15, with aligned buffers and a fresh start for
// every program.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Schedule/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_ADDRESSASSIGNMENT
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

static LogicalResult assign(func::FuncOp func, const Device &device,
                            int64_t alignment) {
  SmallVector<memref::AllocOp> allocations;
  func.walk([&](memref::AllocOp op) { allocations.push_back(op); });
  llvm::StringMap<int64_t> next;
  for (memref::AllocOp op : allocations) {
    StringRef kind = getMemoryKind(op.getType());
    std::optional<int64_t> size = device.getMemorySize(kind);
    if (!size)
      return op.emitOpError() << "expected a memory of the device with a "
                                 "known size, but found '"
                              << kind << "'";
    FailureOr<int64_t> bytes = getBufferBytes(op, op.getType());
    if (failed(bytes))
      return failure();
    const uint64_t address = llvm::alignTo(next[kind], uint64_t(alignment));
    if (address + uint64_t(*bytes) > uint64_t(*size))
      return op.emitOpError()
             << "Failed to allocate " << kind << " memory: Allocation of "
             << *bytes << " bytes at " << address << " exceeds the " << *size
             << " bytes capacity";
    next[kind] = address + *bytes;
    OpBuilder builder(op);
    Value start = arith::ConstantIndexOp::create(builder, op.getLoc(), address);
    auto cast = UnrealizedConversionCastOp::create(
        builder, op.getLoc(), TypeRange(op.getType()), ValueRange(start));
    op.replaceAllUsesWith(cast.getResult(0));
    op.erase();
  }
  return success();
}

namespace {
struct AddressAssignment
    : public ktir::impl::AddressAssignmentBase<AddressAssignment> {
  using Base::Base;
  void runOnOperation() override {
    if (alignment <= 0) {
      getOperation()->emitError() << "expected a positive 'alignment' of "
                                     "buffers, but got "
                                  << int64_t(alignment);
      return signalPassFailure();
    }
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](func::FuncOp func) {
      if (failed(assign(func, *device, alignment)))
        return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
