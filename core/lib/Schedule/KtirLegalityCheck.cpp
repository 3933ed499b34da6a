//===- KtirLegalityCheck.cpp - Reject what the scheduler does not take ----===//

#include "ktir/Device/Device.h"
#include "ktir/Schedule/ComputeGroups.h"
#include "ktir/Schedule/Passes.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_KTIRLEGALITYCHECK
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

namespace {
struct KtirLegalityCheck
    : public ktir::impl::KtirLegalityCheckBase<KtirLegalityCheck> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    auto kernels = getOperation().getOps<func::FuncOp>();
    if (kernels.empty()) {
      getOperation().emitError("expected at least one kernel: a 'func.func' "
                               "with a body");
      return signalPassFailure();
    }
    for (func::FuncOp func : kernels)
      if (failed(check(func, *device)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

  static LogicalResult check(func::FuncOp func, const Device &device) {
    if (func.isDeclaration())
      return func.emitError("expected a kernel with a body");
    FailureOr<int64_t> numTiles = getNumTiles(func);
    if (failed(numTiles))
      return failure();
    if (*numTiles > device.getNumCores() && !device.hasOpenCoreCount()) // MF-4
      return func.emitError()
             << "grid of " << *numTiles << " tiles exceeds the "
             << device.getNumCores() << " cores of the device (MF-4)";
    return failure(failed(collectComputeGroups(func)));
  }
};
} // namespace
