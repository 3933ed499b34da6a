//===- ktir-opt.cpp - Run single passes on text ---------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Lower/Pipeline.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"

int main(int argc, char **argv) {
  ktir::registerPasses();
  mlir::DialectRegistry registry;
  ktir::registerDialects(registry);
  registry.addExtension(
      +[](mlir::MLIRContext *, ktir::ktdf_arch::KtdfArchDialect *dialect) {
        dialect->registerDeviceSource(ktir::kDefaultDevicePath,
                                      ktir::getDefaultDeviceText());
        dialect->setDeviceFileReader(
            [](llvm::StringRef path) -> std::optional<std::string> {
              auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
              if (!file)
                return std::nullopt;
              return (*file)->getBuffer().str();
            });
      });
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "KTIR pass driver\n", registry));
}
