//===- DeviceImport.cpp - Which device applies, and where it is -----------===//

#include "ktir/Device/Device.h"

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Parser/Parser.h"

#include <map>
#include <mutex>
#include <tuple>

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf_arch;

namespace {

/// Devices that were imported from registered texts before: every pass asks
/// anew, and reading a description takes longer than some passes. Files are
/// read each time, because they may change.
class ImportCache : public DialectInterface::Base<ImportCache> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImportCache)

  explicit ImportCache(Dialect *dialect) : Base(dialect) {}

  /// Path, name and attributes of the importing op.
  using Key = std::tuple<std::string, std::string, const void *>;

  std::optional<Device> find(const Key &key, unsigned version) {
    std::lock_guard<std::mutex> lock(mutex);
    if (version != knownVersion) {
      devices.clear();
      knownVersion = version;
    }
    auto it = devices.find(key);
    if (it == devices.end())
      return std::nullopt;
    return it->second;
  }

  void insert(const Key &key, const Device &device) {
    std::lock_guard<std::mutex> lock(mutex);
    devices.insert_or_assign(key, device);
  }

private:
  std::mutex mutex;
  std::map<Key, Device> devices;
  unsigned knownVersion = 0;
};

} // namespace

static InFlightDiagnostic emitImportError(Location location) {
  return emitError(location) << "Unable to import the device specification: ";
}

/// Name of the file that `location` lies in; empty when it lies in none.
static StringRef getFileName(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return file.getFilename();
  return {};
}

/// Parses what the import of `path` denotes. Reports every failure.
static OwningOpRef<ModuleOp> parseImport(Location location, StringRef path) {
  MLIRContext *context = location.getContext();
  auto *dialect = context->getOrLoadDialect<KtdfArchDialect>();
  auto source = dialect->readDeviceSource(path, getFileName(location));
  if (!source) {
    emitImportError(location) << "cannot read '" << path << "'";
    return {};
  }
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      source->first, ParserConfig(context), source->second);
  if (!module)
    emitImportError(location) << "'" << path << "' is not valid";
  return module;
}

/// The device that `import` stands for.
static FailureOr<Device>
importDevice(DeviceOp import,
             function_ref<Device(DeviceOp, DictionaryAttr)> describe) {
  auto *dialect = import.getContext()->getOrLoadDialect<KtdfArchDialect>();
  StringRef path = *import.getImportPath(), name = import.getSymName();
  ImportCache *cache = dialect->hasDeviceSource(path)
                           ? dialect->getRegisteredInterface<ImportCache>()
                           : nullptr;
  DictionaryAttr overrides = import->getDiscardableAttrDictionary();
  ImportCache::Key key{path.str(), name.str(), overrides.getAsOpaquePointer()};
  if (cache)
    if (std::optional<Device> device =
            cache->find(key, dialect->getSourceVersion()))
      return *device;

  OwningOpRef<ModuleOp> module = parseImport(import.getLoc(), path);
  if (!module)
    return failure();
  DeviceOp definition;
  for (DeviceOp candidate : module->getOps<DeviceOp>())
    if (candidate.getSymName() == name)
      definition = candidate;
  if (!definition) {
    emitImportError(import.getLoc())
        << "no device '" << name << "' in '" << path << "'";
    return failure();
  }
  if (definition.isImport()) {
    InFlightDiagnostic diag = emitImportError(import.getLoc())
                              << "device '" << name << "' in '" << path
                              << "' is itself an import";
    diag.attachNote(definition.getLoc()) << "it is declared here";
    return failure();
  }
  Device device = describe(definition, overrides);
  if (cache)
    cache->insert(key, device);
  return device;
}

FailureOr<Device> Device::get(Operation *from) {
  std::string error;
  DeviceOp op = lookupDevice(from, &error);
  if (!op) {
    emitImportError(from->getLoc()) << error;
    return failure();
  }
  if (!op.isImport())
    return Device(op);
  return importDevice(op, [](DeviceOp definition, DictionaryAttr overrides) {
    return Device(definition, overrides);
  });
}

FailureOr<std::string> ktir::getImportedDeviceName(Location location,
                                                   StringRef path) {
  OwningOpRef<ModuleOp> module = parseImport(location, path);
  if (!module)
    return failure();
  auto devices = module->getOps<DeviceOp>();
  if (devices.empty()) {
    emitError(location) << "no device in import file '" << path << "'";
    return failure();
  }
  if (std::next(devices.begin()) != devices.end()) {
    emitError(location) << "multiple devices in import file '" << path << "'";
    return failure();
  }
  return (*devices.begin()).getSymName().str();
}

void ktir::registerDefaultDevice(MLIRContext &context) {
  auto *dialect = context.getOrLoadDialect<KtdfArchDialect>();
  dialect->registerDeviceSource(kDefaultDevicePath, getDefaultDeviceText());
  if (!dialect->getRegisteredInterface<ImportCache>())
    dialect->addInterfaces<ImportCache>();
}
