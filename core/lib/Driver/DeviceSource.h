//===- DeviceSource.h - Where device descriptions come from -----*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_DEVICESOURCE_H
#define KTIR_LIB_DRIVER_DEVICESOURCE_H

#include "ktir/Device/Device.h"
#include "ktir/Driver/Driver.h"

#include "mlir/IR/BuiltinOps.h"

namespace ktir {

/// What the imports of one compilation can reach.
struct DeviceSource {
  DeviceSource();
  /// `text` is called `name` in the program; with an empty one the program is
  /// compiled for the default device.
  DeviceSource(const std::string &name, const std::string &text,
               FileReader readFile);

  /// What a program without a device imports.
  std::string path;
  std::string text;
  FileReader readFile;
};

/// Lets imports reach `source` for its lifetime.
class DeviceSourceScope {
public:
  DeviceSourceScope(mlir::MLIRContext &context, const DeviceSource &source);
  ~DeviceSourceScope();

private:
  mlir::MLIRContext &context;
  bool hasReader;
};

/// The device declared around `kernel`, or the one that `module` would be
/// compiled for when it declares none. Reports an error when there is none.
mlir::FailureOr<Device> findDevice(mlir::ModuleOp module,
                                   llvm::StringRef kernel,
                                   const DeviceSource &source);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_DEVICESOURCE_H
