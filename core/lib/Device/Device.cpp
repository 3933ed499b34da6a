//===- Device.cpp - Description of a machine and queries on it ------------===//

#include "ktir/Device/Device.h"

#include "DeviceData.h"
#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <limits>

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf_arch;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The text that stands for a kind: a string without its quotes, any other
/// attribute as it is printed.
static std::string getKindName(Attribute kind) {
  if (auto string = dyn_cast<StringAttr>(kind))
    return string.getValue().str();
  std::string text;
  llvm::raw_string_ostream(text) << kind;
  return text;
}

static std::string toLower(StringRef text) { return text.lower(); }

/// The number in an integer attribute, or nullopt for none.
static std::optional<int64_t> getInteger(Attribute attr) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getInt();
  return std::nullopt;
}

static std::optional<AccessFeature> getAccessFeature(ExecUnitOp unit,
                                                     StringRef name) {
  Attribute value = getFeature(unit, name);
  if (!value)
    return std::nullopt;
  AccessFeature feature;
  auto record = dyn_cast<DictionaryAttr>(value);
  if (!record)
    return feature;
  if (auto words = record.getAs<MapAttr>("word_size"))
    for (auto [space, size] :
         llvm::zip_equal(words.getKeys(), words.getValues()))
      feature.wordSizes.emplace_back(getKindName(space),
                                     getInteger(size).value_or(1));
  auto granularity = record.getAs<MapAttr>("access_granularity");
  if (!granularity)
    return feature;
  for (auto [space, list] :
       llvm::zip_equal(granularity.getKeys(), granularity.getValues())) {
    auto &entry = feature.accesses.emplace_back();
    entry.first = getKindName(space);
    for (auto access : cast<ArrayAttr>(list).getAsRange<DictionaryAttr>())
      entry.second.push_back(
          {getInteger(access.get("size_in_words")).value_or(1),
           getInteger(access.get("align_in_words")).value_or(1)});
  }
  return feature;
}

static std::optional<SimdFeature> getSimdFeature(ExecUnitOp unit) {
  Attribute value = getFeature(unit, kSimdFeatureName);
  if (!value)
    return std::nullopt;
  SimdFeature feature;
  auto record = dyn_cast<DictionaryAttr>(value);
  if (!record)
    return feature;
  feature.splat = record.contains("splat");
  feature.zeroPad = record.contains("zero_pad");
  if (auto lanes = record.getAs<MapAttr>("lanes"))
    for (auto [type, count] :
         llvm::zip_equal(lanes.getKeys(), lanes.getValues()))
      feature.lanes.emplace_back(cast<TypeAttr>(type).getValue(),
                                 getInteger(count).value_or(1));
  return feature;
}

static std::optional<QueueFeature> getQueueFeature(DatapathOp link) {
  Attribute value = getFeature(link, kQueueFeatureName);
  if (!value)
    return std::nullopt;
  QueueFeature feature;
  auto record = dyn_cast<DictionaryAttr>(value);
  if (!record)
    return feature;
  feature.ordered = record.contains("ordered");
  feature.size = getInteger(record.get("size"));
  feature.depth = getInteger(record.get("depth"));
  return feature;
}

namespace {

/// Groups of one block that are instances of the same thing: equal kinds, with
/// absent kinds equal, and equal captures.
struct GroupClass {
  Attribute kind;
  SmallVector<Value> captures;
  SmallVector<GroupOp> groups;
};

/// Reads one device into a Device::Data.
class DeviceReader {
public:
  DeviceReader(DeviceOp device, Device::Data &data)
      : device(device), data(data) {}

  void read() {
    data.name = device.getSymName().str();
    cores = getLargestClass(device.getBody().front());
    if (!cores.groups.empty()) {
      data.numCores = cores.groups.size();
      corelets = getLargestClass(cores.groups.front().getBody().front());
      data.numCorelets = std::max<size_t>(corelets.groups.size(), 1);
    }
    // The first of each kind in text order stands for all of it.
    device.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto memory = dyn_cast<MemoryOp>(op))
        readMemory(memory);
      else if (auto unit = dyn_cast<ExecUnitOp>(op))
        readUnit(unit);
      else if (auto fabric = dyn_cast<SwitchOp>(op))
        readSwitch(fabric);
    });
    device.getBody().walk([&](DatapathOp link) { readLink(link); });
    readSpaces();
  }

private:
  /// The class with the most groups among the groups directly in `block`, the
  /// first of several.
  static GroupClass getLargestClass(Block &block) {
    SmallVector<GroupClass> classes;
    for (GroupOp group : block.getOps<GroupOp>()) {
      SmallVector<Value> captures(group.getShared());
      auto it = llvm::find_if(classes, [&](const GroupClass &candidate) {
        return candidate.kind == group.getKindAttr() &&
               candidate.captures == captures;
      });
      if (it == classes.end())
        it = classes.insert(classes.end(),
                            {group.getKindAttr(), std::move(captures), {}});
      it->groups.push_back(group);
    }
    auto largest = llvm::max_element(
        classes, [](const GroupClass &a, const GroupClass &b) {
          return a.groups.size() < b.groups.size();
        });
    return largest == classes.end() ? GroupClass() : std::move(*largest);
  }

  void readMemory(MemoryOp memory) {
    std::string kind = getKindName(memory.getKindAttr());
    if (llvm::any_of(data.memories, [&](const DeviceMemory &known) {
          return known.kind == kind;
        }))
      return;
    DeviceMemory &entry = data.memories.emplace_back();
    entry.kind = kind;
    entry.tag = toLower(kind);
    for (auto group = memory->getParentOfType<GroupOp>(); group;
         group = group->getParentOfType<GroupOp>())
      ++entry.depth;
    if (std::optional<uint64_t> size = memory.getSize())
      entry.size = *size;
    addNode(kind);
  }

  /// The level of a unit, and the group of the device's body around it.
  std::pair<UnitLevel, GroupOp> getPlace(ExecUnitOp unit) {
    GroupOp outer, inner;
    for (auto group = unit->getParentOfType<GroupOp>(); group;
         group = group->getParentOfType<GroupOp>()) {
      inner = outer;
      outer = group;
    }
    if (!outer || !llvm::is_contained(cores.groups, outer))
      return {UnitLevel::Device, outer};
    // Corelets of other cores are recognised by their kind.
    if (inner && !corelets.groups.empty() &&
        inner.getKindAttr() == corelets.kind)
      return {UnitLevel::Corelet, outer};
    return {UnitLevel::Core, outer};
  }

  void readUnit(ExecUnitOp unit) {
    std::string kind =
        unit.getKindAttr() ? getKindName(unit.getKindAttr()) : "exec_unit";
    auto [level, core] = getPlace(unit);
    for (DeviceUnit &known : data.units) {
      if (known.kind != kind)
        continue;
      // Count the instances of the core in which the kind was first seen.
      if (unitCores[kind] == core.getAsOpaquePointer())
        ++known.instances;
      return;
    }
    unitCores[kind] = core.getAsOpaquePointer();
    DeviceUnit &entry = data.units.emplace_back();
    entry.kind = kind;
    entry.tag = toLower(kind);
    entry.level = level;
    entry.load = getAccessFeature(unit, kLoadFeatureName);
    entry.store = getAccessFeature(unit, kStoreFeatureName);
    entry.simd = getSimdFeature(unit);
    entry.compute = getFeature(unit, kComputeFeatureName) != nullptr;
    entry.doubleBufferLast =
        unit->hasAttr("dataflow_scheduler.double_buffer_last");
    if (auto group = unit->getParentOfType<GroupOp>()) {
      auto memories = group.getBody().getOps<MemoryOp>();
      if (!memories.empty() && std::next(memories.begin()) == memories.end())
        entry.localMemory = getKindName((*memories.begin()).getKindAttr());
    }
    // Units that only exist are no part of any route.
    if (entry.compute || entry.load || entry.store)
      addNode(kind);
  }

  void readSwitch(SwitchOp fabric) {
    std::string name = "switch";
    if (numSwitches != 0)
      name += "_" + std::to_string(numSwitches);
    unsigned first = data.nodes.size(), numPorts = fabric.getNumResults();
    for (Value port : fabric.getPorts()) {
      portNodes[port] = data.nodes.size();
      Device::Data::Node &node = data.nodes.emplace_back();
      node.name = name;
      node.switchNumber = numSwitches;
    }
    ++numSwitches;
    auto connectivity = fabric.getConnectivityAttr();
    SmallVector<bool> connected(size_t(numPorts) * numPorts, !connectivity);
    if (connectivity)
      for (auto [number, set] : llvm::enumerate(connectivity.getValues<bool>()))
        connected[number] = set;
    for (unsigned from = 0; from < numPorts; ++from)
      for (unsigned to = 0; to < numPorts; ++to)
        if (connected[size_t(from) * numPorts + to])
          data.nodes[first + from].targets.push_back(first + to);
  }

  void addNode(StringRef name) {
    kindNodes[name] = data.nodes.size();
    data.nodes.emplace_back().name = name.str();
  }

  /// What a value of the graph stands for: the memory, unit or switch behind
  /// captures and yields.
  static Value resolve(Value value) {
    while (true) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        auto group = cast<GroupOp>(argument.getOwner()->getParentOp());
        value = group.getShared()[argument.getArgNumber()];
        continue;
      }
      auto group = value.getDefiningOp<GroupOp>();
      if (!group)
        return value;
      auto yield = cast<YieldOp>(group.getBody().front().getTerminator());
      value = yield.getUnits()[cast<OpResult>(value).getResultNumber()];
    }
  }

  /// The kind of a memory or unit; empty for a port.
  static std::string getKind(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto memory = dyn_cast<MemoryOp>(op))
      return getKindName(memory.getKindAttr());
    if (auto unit = dyn_cast<ExecUnitOp>(op))
      return unit.getKindAttr() ? getKindName(unit.getKindAttr()) : "exec_unit";
    return {};
  }

  std::optional<unsigned> getNode(Value value) {
    if (auto it = portNodes.find(value); it != portNodes.end())
      return it->second;
    if (auto it = kindNodes.find(getKind(value)); it != kindNodes.end())
      return it->second;
    return std::nullopt;
  }

  void readLink(DatapathOp link) {
    Value source = resolve(link.getSource());
    Value target = resolve(link.getTarget());
    std::optional<unsigned> from = getNode(source), to = getNode(target);
    if (from && to && !llvm::is_contained(data.nodes[*from].targets, *to))
      data.nodes[*from].targets.push_back(*to);

    std::string sourceKind = getKind(source), targetKind = getKind(target);
    if (sourceKind.empty() || targetKind.empty())
      return;
    for (auto [number, known] : llvm::enumerate(data.links)) {
      if (known.source != sourceKind || known.target != targetKind)
        continue;
      // The same link of another core or corelet is another instance of it;
      // only one beside it in the same group makes two.
      if (linkBlocks[number] == link->getBlock())
        data.ambiguousLinks.push_back(number);
      return;
    }
    linkBlocks.push_back(link->getBlock());
    DeviceLink &entry = data.links.emplace_back();
    entry.source = std::move(sourceKind);
    entry.target = std::move(targetKind);
    entry.queue = getQueueFeature(link);
    if (auto sizes = link->getAttrOfType<DenseI64ArrayAttr>(
            kTransferGranularityAttrName))
      llvm::append_range(entry.transferGranularity, sizes.asArrayRef());
    entry.bandwidth = getInteger(link->getAttr(kBandwidthAttrName));
  }

  void readSpaces() {
    auto mapping = dyn_cast_or_null<MapAttr>(
        data.attributes.get(kMemSpaceMappingAttrName));
    if (!mapping)
      return;
    for (auto [space, kind] :
         llvm::zip_equal(mapping.getKeys(), mapping.getValues())) {
      data.spaces.emplace_back(space, getKindName(kind));
      std::string text = getKindName(space);
      for (DeviceMemory &memory : data.memories) {
        if (memory.kind != data.spaces.back().second)
          continue;
        if (text == "#ktdp.memory_space<global>")
          memory.tag = "hbm";
        else if (text == "#ktdp.memory_space<ct_local>")
          memory.tag = "lx";
      }
    }
  }

  DeviceOp device;
  Device::Data &data;
  GroupClass cores, corelets;
  llvm::StringMap<const void *> unitCores;
  llvm::StringMap<unsigned> kindNodes;
  llvm::DenseMap<Value, unsigned> portNodes;
  SmallVector<Block *> linkBlocks;
  int numSwitches = 0;
};

} // namespace

/// The discardable attributes of `op`, those of `overrides` in front.
static DictionaryAttr mergeAttributes(DeviceOp op, DictionaryAttr overrides) {
  NamedAttrList merged(op->getDiscardableAttrDictionary());
  if (overrides)
    for (NamedAttribute attr : overrides)
      merged.set(attr.getName(), attr.getValue());
  return merged.getDictionary(op.getContext());
}

Device::Device(DeviceOp op) : Device(op, DictionaryAttr()) {}

Device::Device(DeviceOp op, DictionaryAttr overrides) {
  auto built = std::make_shared<Data>();
  built->attributes = mergeAttributes(op, overrides);
  DeviceReader(op, *built).read();
  data = std::move(built);
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

int64_t AccessFeature::getWordSize(StringRef memory) const {
  for (const auto &[kind, size] : wordSizes)
    if (kind == memory)
      return size;
  return 1;
}

ArrayRef<DeviceAccess> AccessFeature::getAccesses(StringRef memory) const {
  for (const auto &[kind, list] : accesses)
    if (kind == memory)
      return list;
  return {};
}

std::optional<DeviceAccess> AccessFeature::fitAccess(StringRef memory,
                                                     int64_t minSize,
                                                     int64_t maxAlign) const {
  std::optional<DeviceAccess> best;
  for (const DeviceAccess &access : getAccesses(memory)) {
    if (access.sizeInWords < minSize || access.alignInWords > maxAlign)
      continue;
    if (!best || std::pair(access.sizeInWords, access.alignInWords) <
                     std::pair(best->sizeInWords, best->alignInWords))
      best = access;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

StringRef Device::getName() const { return data->name; }

Attribute Device::getAttr(StringRef name) const {
  return data->attributes.get(name);
}

int64_t Device::getNumCores() const { return data->numCores; }

int64_t Device::getNumCorelets() const { return data->numCorelets; }

ArrayRef<DeviceMemory> Device::getMemories() const { return data->memories; }

const DeviceMemory *Device::findMemory(StringRef kind) const {
  for (const DeviceMemory &memory : data->memories)
    if (memory.kind == kind)
      return &memory;
  return nullptr;
}

std::optional<int64_t> Device::getMemorySize(StringRef kind) const {
  const DeviceMemory *memory = findMemory(kind);
  return memory ? memory->size : std::nullopt;
}

/// The first memory of the given depth, or null.
static const DeviceMemory *findByDepth(ArrayRef<DeviceMemory> memories,
                                       unsigned depth) {
  const auto *it = llvm::find_if(memories, [&](const DeviceMemory &memory) {
    return memory.depth == depth;
  });
  return it == memories.end() ? nullptr : it;
}

const DeviceMemory *Device::getGlobalMemory() const {
  return findByDepth(data->memories, 0);
}

const DeviceMemory *Device::getScratchpad() const {
  return findByDepth(data->memories, 1);
}

std::optional<StringRef> Device::getMemoryKind(Attribute space) const {
  if (!space)
    return std::nullopt;
  for (const auto &[mapped, kind] : data->spaces)
    if (mapped == space)
      return StringRef(kind);
  std::string name = getKindName(space);
  if (const DeviceMemory *memory = findMemory(name))
    return StringRef(memory->kind);
  if (!data->spaces.empty())
    return std::nullopt;
  unsigned depth;
  if (name == "#ktdp.memory_space<global>")
    depth = 0;
  else if (name == "#ktdp.memory_space<ct_local>")
    depth = 1;
  else
    return std::nullopt;
  if (llvm::count_if(data->memories, [&](const DeviceMemory &memory) {
        return memory.depth == depth;
      }) != 1)
    return std::nullopt;
  return StringRef(findByDepth(data->memories, depth)->kind);
}

std::string Device::getMemoryTag(StringRef kind) const {
  const DeviceMemory *memory = findMemory(kind);
  return memory ? memory->tag : toLower(kind);
}

ArrayRef<DeviceUnit> Device::getUnits() const { return data->units; }

const DeviceUnit *Device::findUnit(StringRef kind) const {
  for (const DeviceUnit &unit : data->units)
    if (unit.kind == kind)
      return &unit;
  return nullptr;
}

std::string Device::getUnitTag(StringRef kind) const { return toLower(kind); }

int64_t Device::getUnitsPerCore(StringRef kind) const {
  const DeviceUnit *unit = findUnit(kind);
  return unit ? unit->instances : 0;
}

FailureOr<StringRef> Device::getComputeKind(Operation *where) const {
  const DeviceUnit *compute = nullptr;
  for (const DeviceUnit &unit : data->units) {
    if (!unit.compute)
      continue;
    if (compute) {
      where->emitError("found second compute resource '")
          << unit.kind << "' in device '" << data->name << "' beside '"
          << compute->kind << "'";
      return failure();
    }
    compute = &unit;
  }
  if (!compute) {
    where->emitError("found no compute resource in device '")
        << data->name << "'";
    return failure();
  }
  return StringRef(compute->kind);
}

std::optional<int64_t> Device::getLanes(StringRef unit, Type type) const {
  const DeviceUnit *entry = findUnit(unit);
  if (!entry || !entry->simd)
    return std::nullopt;
  for (auto [element, lanes] : entry->simd->lanes)
    if (element == type)
      return lanes;
  return std::nullopt;
}

int64_t Device::getWordSize(StringRef unit, StringRef memory) const {
  const DeviceUnit *entry = findUnit(unit);
  if (!entry)
    return 1;
  for (const std::optional<AccessFeature> &feature :
       {entry->load, entry->store})
    if (feature)
      for (const auto &[kind, size] : feature->wordSizes)
        if (kind == memory)
          return size;
  return 1;
}

std::optional<StringRef> Device::getLocalMemory(StringRef unit) const {
  const DeviceUnit *entry = findUnit(unit);
  if (!entry || entry->localMemory.empty())
    return std::nullopt;
  return StringRef(entry->localMemory);
}

ArrayRef<DeviceLink> Device::getLinks() const { return data->links; }

const DeviceLink *Device::getLink(StringRef source, StringRef target) const {
  for (auto [number, link] : llvm::enumerate(data->links))
    if (link.source == source && link.target == target)
      return llvm::is_contained(data->ambiguousLinks, number) ? nullptr : &link;
  return nullptr;
}

SmallVector<StringRef> Device::getMemoriesWrittenBy(StringRef unit) const {
  SmallVector<StringRef> memories;
  for (const DeviceLink &link : data->links)
    if (link.source == unit && findMemory(link.target))
      memories.push_back(link.target);
  return memories;
}

SmallVector<StringRef> Device::getMemoriesReadBy(StringRef unit) const {
  SmallVector<StringRef> memories;
  for (const DeviceLink &link : data->links)
    if (link.target == unit && findMemory(link.source))
      memories.push_back(link.source);
  return memories;
}

std::optional<SmallVector<std::string>> Device::route(StringRef from,
                                                      StringRef to) const {
  ArrayRef<Data::Node> nodes = data->nodes;
  auto findNode = [&](StringRef name) -> std::optional<unsigned> {
    const auto *it = llvm::find_if(nodes, [&](const Data::Node &node) {
      return node.switchNumber < 0 && node.name == name;
    });
    if (it == nodes.end())
      return std::nullopt;
    return it - nodes.begin();
  };
  std::optional<unsigned> start = findNode(from), end = findNode(to);
  if (!start || !end)
    return std::nullopt;

  // Breadth first, where going through a switch costs nothing: a switch is one
  // node of the path, however many ports it has.
  constexpr unsigned unseen = std::numeric_limits<unsigned>::max();
  SmallVector<unsigned> distance(nodes.size(), unseen);
  SmallVector<unsigned> previous(nodes.size(), unseen);
  std::deque<unsigned> queue{*start};
  distance[*start] = 0;
  while (!queue.empty()) {
    unsigned node = queue.front();
    queue.pop_front();
    for (unsigned target : nodes[node].targets) {
      bool inside = nodes[node].switchNumber >= 0 &&
                    nodes[node].switchNumber == nodes[target].switchNumber;
      unsigned length = distance[node] + (inside ? 0 : 1);
      if (length >= distance[target])
        continue;
      distance[target] = length;
      previous[target] = node;
      if (inside)
        queue.push_front(target);
      else
        queue.push_back(target);
    }
  }
  if (distance[*end] == unseen)
    return std::nullopt;

  SmallVector<std::string> path;
  int lastSwitch = -1;
  for (unsigned node = *end; node != unseen; node = previous[node]) {
    if (nodes[node].switchNumber < 0 || nodes[node].switchNumber != lastSwitch)
      path.push_back(nodes[node].name);
    lastSwitch = nodes[node].switchNumber;
  }
  std::reverse(path.begin(), path.end());
  return path;
}
