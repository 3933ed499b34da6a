//===- DeviceSource.cpp - Where device descriptions come from -------------===//

#include "DeviceSource.h"

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

namespace ktir {

DeviceSource::DeviceSource() : path(kDefaultDevicePath.str()) {}

DeviceSource::DeviceSource(const std::string &name, const std::string &text,
                           FileReader readFile)
    : path(kDefaultDevicePath.str()), text(text),
      readFile(std::move(readFile)) {
  // A registered name always means the registered text.
  if (!text.empty())
    path = name == kDefaultDevicePath ? "device.mlir" : name;
}

DeviceSourceScope::DeviceSourceScope(mlir::MLIRContext &context,
                                     const DeviceSource &source)
    : context(context), hasReader(!source.text.empty() || source.readFile) {
  if (!hasReader)
    return;
  context.getOrLoadDialect<ktdf_arch::KtdfArchDialect>()->setDeviceFileReader(
      [&source](llvm::StringRef path) -> std::optional<std::string> {
        // The dialect puts the importer's folder in front of the name.
        llvm::StringRef folder = path;
        if (!source.text.empty() && folder.consume_back(source.path) &&
            (folder.empty() || folder.ends_with("/") || folder.ends_with("\\")))
          return source.text;
        if (!source.readFile)
          return std::nullopt;
        if (std::optional<std::vector<uint8_t>> bytes =
                source.readFile(path.str()))
          return std::string(bytes->begin(), bytes->end());
        return std::nullopt;
      });
}

DeviceSourceScope::~DeviceSourceScope() {
  if (hasReader)
    context.getOrLoadDialect<ktdf_arch::KtdfArchDialect>()->setDeviceFileReader(
        nullptr);
}

mlir::FailureOr<Device> findDevice(mlir::ModuleOp module,
                                   llvm::StringRef kernel,
                                   const DeviceSource &source) {
  bool declares = false;
  mlir::Operation *from = module;
  module.walk([&](mlir::Operation *op) {
    declares = declares || llvm::isa<ktdf_arch::DeviceOp>(op);
    auto function = llvm::dyn_cast<mlir::func::FuncOp>(op);
    if (function && !function.isDeclaration() && function.getName() == kernel)
      from = op;
  });
  if (declares)
    return Device::get(from);
  mlir::Location location = module.getLoc();
  mlir::FailureOr<std::string> name =
      getImportedDeviceName(location, source.path);
  if (mlir::failed(name))
    return mlir::failure();
  mlir::OwningOpRef<mlir::ModuleOp> importer = mlir::ModuleOp::create(location);
  mlir::OpBuilder builder(importer->getBodyRegion());
  auto device =
      ktdf_arch::DeviceOp::create(builder, location, *name, source.path);
  return Device::get(device);
}

} // namespace ktir
