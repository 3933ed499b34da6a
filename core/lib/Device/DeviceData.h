//===- DeviceData.h - What a Device holds -----------------------*- C++ -*-===//

#ifndef KTIR_LIB_DEVICE_DEVICEDATA_H
#define KTIR_LIB_DEVICE_DEVICEDATA_H

#include "ktir/Device/Device.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <vector>

namespace ktir {

struct Device::Data {
  /// A node of the routing graph: a memory, a unit, or a port of a switch.
  struct Node {
    std::string name;
    /// Number of the switch that the port belongs to; -1 for other nodes.
    int switchNumber = -1;
    /// Numbers of the nodes that traffic goes to next: the ports it may leave
    /// the switch at, then the ends of links in the order of the text.
    llvm::SmallVector<unsigned> targets;
  };

  std::string name;
  mlir::DictionaryAttr attributes;
  int64_t numCores = 1;
  int64_t numCorelets = 1;
  std::vector<DeviceMemory> memories;
  std::vector<DeviceUnit> units;
  std::vector<DeviceLink> links;
  /// Positions in `links` that stand for several links side by side.
  llvm::SmallVector<unsigned> ambiguousLinks;
  /// Memory space to memory kind, as the device maps them.
  llvm::SmallVector<std::pair<mlir::Attribute, std::string>> spaces;
  std::vector<Node> nodes;
};

} // namespace ktir

#endif // KTIR_LIB_DEVICE_DEVICEDATA_H
