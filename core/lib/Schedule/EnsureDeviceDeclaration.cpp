//===- EnsureDeviceDeclaration.cpp - Declare the machine ------------------===//
//
// Follows spec scheduler.md §0.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Schedule/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_ENSUREDEVICEDECLARATION
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

namespace {
struct EnsureDeviceDeclaration
    : public ktir::impl::EnsureDeviceDeclarationBase<EnsureDeviceDeclaration> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module.getOps<ktdf_arch::DeviceOp>().empty())
      return;
    if (device.empty()) {
      module.emitError("no 'ktdf_arch.device' is present in the module and no "
                       "device file name is provided");
      return signalPassFailure();
    }
    FailureOr<std::string> name =
        getImportedDeviceName(module.getLoc(), device);
    if (failed(name))
      return signalPassFailure();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    ktdf_arch::DeviceOp::create(builder, module.getLoc(), *name, device);
  }
};
} // namespace
