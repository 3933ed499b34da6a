//===- Device.h - The machine as passes and the engine query it -*- C++ -*-===//
//
// An immutable description of a machine, built from a `ktdf_arch.device` op.
// Sizes are in bytes unless said otherwise; kinds are the names that the device
// gives to memories and units.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DEVICE_DEVICE_H
#define KTIR_DEVICE_DEVICE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ktir {

namespace ktdf_arch {
class DeviceOp;
} // namespace ktdf_arch

/// Where a unit stands in the machine, and so how many there are of it.
enum class UnitLevel {
  Device, ///< outside of every core
  Core,   ///< in a core, outside of its corelets
  Corelet ///< in a corelet
};

/// One kind of memory.
struct DeviceMemory {
  /// Name in `memref` types, such as "LX".
  std::string kind;
  /// Name in DataflowIR: `hbm` and `lx` for the memories that the spaces
  /// `global` and `ct_local` map to, else the kind in lower case.
  std::string tag;
  /// 0 for memories outside of groups, 1 inside one group (scratchpads), and
  /// deeper for memories local to units.
  unsigned depth = 0;
  /// Capacity of one instance; nullopt when the device does not say.
  std::optional<int64_t> size;
};

/// One legal way to access a memory. Both numbers count words of the unit.
struct DeviceAccess {
  int64_t sizeInWords = 1;
  int64_t alignInWords = 1;
};

/// What the features `load` and `store` say.
struct AccessFeature {
  /// Bytes per word by memory kind.
  llvm::SmallVector<std::pair<std::string, int64_t>> wordSizes;
  /// Legal accesses by memory kind.
  llvm::SmallVector<std::pair<std::string, llvm::SmallVector<DeviceAccess>>>
      accesses;

  /// Bytes per word of `memory`; 1 when not stated.
  int64_t getWordSize(llvm::StringRef memory) const;

  /// The legal accesses to `memory`; none when not stated.
  llvm::ArrayRef<DeviceAccess> getAccesses(llvm::StringRef memory) const;

  /// Among the accesses to `memory` of at least `minSize` words that need an
  /// alignment of at most `maxAlign` words, the one of the smallest size and,
  /// among these, of the smallest alignment; nullopt when there is none.
  std::optional<DeviceAccess> fitAccess(llvm::StringRef memory, int64_t minSize,
                                        int64_t maxAlign) const;
};

/// What the feature `simd` says.
struct SimdFeature {
  bool splat = false;
  bool zeroPad = false;
  /// Elements per vector by element type.
  llvm::SmallVector<std::pair<mlir::Type, int64_t>> lanes;
};

/// What the feature `queue` says.
struct QueueFeature {
  bool ordered = false;
  /// Capacity in bytes; nullopt is unbounded.
  std::optional<int64_t> size;
  /// Capacity in messages; nullopt is unbounded.
  std::optional<int64_t> depth;
};

/// One kind of execution unit.
struct DeviceUnit {
  /// Name in `applicable_units`, such as "L1LU".
  std::string kind;
  /// Name in DataflowIR: the kind in lower case.
  std::string tag;
  UnitLevel level = UnitLevel::Device;
  /// Instances in one core; in the whole device for `UnitLevel::Device`.
  int64_t instances = 1;
  std::optional<AccessFeature> load;
  std::optional<AccessFeature> store;
  std::optional<SimdFeature> simd;
  bool compute = false;
  /// True for a unit whose programs rotate buffers at the top of the loop.
  bool doubleBufferLast = false;
  /// Kind of the only memory of the innermost group around the unit; empty when
  /// that group has none or several.
  std::string localMemory;
};

/// A one-directional link between two kinds.
struct DeviceLink {
  std::string source;
  std::string target;
  /// nullopt for a link without a queue.
  std::optional<QueueFeature> queue;
  /// Legal transfer sizes in bytes, as written; empty when not stated.
  llvm::SmallVector<int64_t> transferGranularity;
  /// Bytes per unit of time; nullopt when not stated.
  std::optional<int64_t> bandwidth;
};

/// The machine. A handle to shared immutable data: copies are cheap.
class Device {
public:
  /// The device that applies to `from`: the one that the nearest
  /// `ktdf_arch.maps_to` names, else the only one that an enclosing module
  /// declares. An import is read from the texts registered with the dialect, or
  /// by its file reader, and the importing op's discardable attributes
  /// win over the definition's (A-11). Emits "Unable to import the device
  /// specification: ..." at `from`, or at the importing op, on failure.
  static mlir::FailureOr<Device> get(mlir::Operation *from);

  /// Describes the device that `op` defines. `op` has a body.
  explicit Device(ktdf_arch::DeviceOp op);

  /// Symbol name of the device.
  llvm::StringRef getName() const;

  /// A discardable attribute of the device, or null.
  mlir::Attribute getAttr(llvm::StringRef name) const;

  //===--- Cores ---===//

  /// Number of core groups that the device declares, at least 1. A device that
  /// writes its core once stands for any number (see hasOpenCoreCount()).
  int64_t getNumCores() const;

  /// True if the device declares a single core, in which case the grid of the
  /// kernel says how many there are.
  bool hasOpenCoreCount() const { return getNumCores() == 1; }

  /// Number of corelets in one core, at least 1.
  int64_t getNumCorelets() const;

  //===--- Memories ---===//

  /// All memory kinds, in the order of the text.
  llvm::ArrayRef<DeviceMemory> getMemories() const;

  /// The memory of this kind, or null.
  const DeviceMemory *findMemory(llvm::StringRef kind) const;

  /// Capacity of one instance; nullopt for an unknown kind or when not stated.
  std::optional<int64_t> getMemorySize(llvm::StringRef kind) const;

  /// The first memory of depth 0, or null: shared by all cores.
  const DeviceMemory *getGlobalMemory() const;

  /// The first memory of depth 1, or null: the scratchpad of a core.
  const DeviceMemory *getScratchpad() const;

  /// The memory kind that a memory space stands for: by the device's
  /// `mem_space_mapping`, else the space itself when it is a kind. A device
  /// without a mapping takes `#ktdp.memory_space<global>` for its only memory
  /// of depth 0, and `ct_local` for its only one of depth 1. nullopt otherwise
  /// and for a null space.
  std::optional<llvm::StringRef> getMemoryKind(mlir::Attribute space) const;

  /// DataflowIR name of a memory kind; an unknown kind in lower case.
  std::string getMemoryTag(llvm::StringRef kind) const;

  //===--- Units ---===//

  /// All unit kinds, in the order of the text.
  llvm::ArrayRef<DeviceUnit> getUnits() const;

  /// The unit of this kind, or null.
  const DeviceUnit *findUnit(llvm::StringRef kind) const;

  /// True if the device has a unit of this kind.
  bool hasUnit(llvm::StringRef kind) const { return findUnit(kind); }

  /// DataflowIR name of a unit kind: the kind in lower case.
  std::string getUnitTag(llvm::StringRef kind) const;

  /// Instances of the unit in one core; 0 for an unknown kind.
  int64_t getUnitsPerCore(llvm::StringRef kind) const;

  /// The kind of the compute units. Emits an error at `where` when the device
  /// has none, or "found second compute resource" when it has two kinds.
  mlir::FailureOr<llvm::StringRef> getComputeKind(mlir::Operation *where) const;

  /// Vector length of the unit for elements of `type`; nullopt when the device
  /// does not say.
  std::optional<int64_t> getLanes(llvm::StringRef unit, mlir::Type type) const;

  /// Bytes per word of the unit for `memory`: by its `load` feature where that
  /// states one, else by its `store` feature, else 1.
  int64_t getWordSize(llvm::StringRef unit, llvm::StringRef memory) const;

  /// Kind of the unit's local memory; nullopt when it has none or several.
  std::optional<llvm::StringRef> getLocalMemory(llvm::StringRef unit) const;

  //===--- Links ---===//

  /// All links between kinds, in the order of the text.
  llvm::ArrayRef<DeviceLink> getLinks() const;

  /// The only direct link between two kinds; null when there is none or there
  /// are several side by side.
  const DeviceLink *getLink(llvm::StringRef source,
                            llvm::StringRef target) const;

  /// Memories that the unit has a link to, in the order of the text.
  llvm::SmallVector<llvm::StringRef>
  getMemoriesWrittenBy(llvm::StringRef unit) const;

  /// Memories that the unit has a link from, in the order of the text.
  llvm::SmallVector<llvm::StringRef>
  getMemoriesReadBy(llvm::StringRef unit) const;

  /// A shortest path between two kinds, both ends included, over memories, load
  /// and store units, compute units, and switches ("switch", "switch_1", ...);
  /// ties go to the link that is declared first. nullopt when there is no path
  /// or an end is none of these.
  std::optional<llvm::SmallVector<std::string>> route(llvm::StringRef from,
                                                      llvm::StringRef to) const;

  struct Data;

private:
  Device(ktdf_arch::DeviceOp op, mlir::DictionaryAttr overrides);

  std::shared_ptr<const Data> data;
};

/// Path under which kernels import the default device.
inline constexpr llvm::StringLiteral kDefaultDevicePath = "spyre.mlir";

/// Text of the default device, a module that defines `@spyre`.
llvm::StringRef getDefaultDeviceText();

/// Loads the `ktdf_arch` dialect into `context` and registers the text of the
/// default device with it. The text names memory spaces of the `ktdp` dialect,
/// which has to be loaded or registered when the device is first needed.
void registerDefaultDevice(mlir::MLIRContext &context);

/// The name of the only device that the import of `path` holds. Emits "no
/// device in import file" or "multiple devices in import file" at `location`
/// when there is not just one, and "Unable to import the device specification:
/// ..." when the text is missing or not valid.
mlir::FailureOr<std::string> getImportedDeviceName(mlir::Location location,
                                                   llvm::StringRef path);

} // namespace ktir

#endif // KTIR_DEVICE_DEVICE_H
