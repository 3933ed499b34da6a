//===- Machine.cpp - The device as the engine needs it --------------------===//

#include "Machine.h"

#include "ktir/Device/Device.h"

#include <algorithm>

using namespace ktir::exec;
using llvm::StringRef;

/// Cores of a device that leaves their number to the kernel (the published
/// card's, ktir.md §1.1).
static constexpr int64_t openCoreCount = 32;
/// Sizes where the device states none (ktir.md §1.2).
static constexpr int64_t defaultDeviceBytes = int64_t(128) << 30;
static constexpr int64_t defaultScratchpadBytes = int64_t(2) << 20;

static std::string pairKey(StringRef a, StringRef b) {
  return (a + ":" + b).str();
}

Machine Machine::get(const Device &device) {
  Machine machine;
  machine.cores =
      device.hasOpenCoreCount() ? openCoreCount : device.getNumCores();
  const DeviceMemory *global = device.getGlobalMemory();
  const DeviceMemory *scratchpad = device.getScratchpad();
  machine.deviceBytes = defaultDeviceBytes;
  if (global && global->size)
    machine.deviceBytes = *global->size;
  machine.scratchpadBytes = defaultScratchpadBytes;
  if (scratchpad && scratchpad->size)
    machine.scratchpadBytes = *scratchpad->size;

  for (const DeviceMemory &memory : device.getMemories()) {
    MemoryKind kind{MemoryClass::Local, uint64_t(memory.size.value_or(0))};
    if (&memory == global)
      kind = {MemoryClass::Device, machine.deviceBytes};
    else if (&memory == scratchpad)
      kind = {MemoryClass::Scratchpad, machine.scratchpadBytes};
    machine.memories[memory.tag] = kind;
    machine.memories[StringRef(memory.kind).lower()] = kind;
  }
  for (const DeviceUnit &unit : device.getUnits())
    for (const DeviceMemory &memory : device.getMemories()) {
      uint64_t word =
          std::max<int64_t>(1, device.getWordSize(unit.kind, memory.kind));
      machine.wordSizes[pairKey(unit.tag, memory.tag)] = word;
      machine.wordSizes[pairKey(unit.tag, StringRef(memory.kind).lower())] =
          word;
    }
  for (const DeviceLink &link : device.getLinks()) {
    if (!link.queue || !device.hasUnit(link.source) ||
        !device.hasUnit(link.target))
      continue;
    QueueLimits limits;
    if (link.queue->depth)
      limits.depth = *link.queue->depth;
    if (link.queue->size)
      limits.bytes = *link.queue->size;
    machine.queues[pairKey(device.getUnitTag(link.source),
                           device.getUnitTag(link.target))] = limits;
  }
  return machine;
}

std::optional<Machine::MemoryKind> Machine::memory(StringRef tag) const {
  auto it = memories.find(tag);
  if (it == memories.end())
    return std::nullopt;
  return it->second;
}

uint64_t Machine::wordSize(StringRef unit, StringRef memory) const {
  auto it = wordSizes.find(pairKey(unit, memory));
  return it == wordSizes.end() ? 1 : it->second;
}

QueueLimits Machine::queue(StringRef from, StringRef to) const {
  auto it = queues.find(pairKey(from, to));
  return it == queues.end() ? QueueLimits() : it->second;
}
