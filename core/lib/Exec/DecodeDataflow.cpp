//===- DecodeDataflow.cpp - dataflow --------------------------------------===//

#include "Decoder.h"
#include "Runtime.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using namespace ktir::dataflow;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static LogicalResult decodeGetUnit(Decoder &decoder, Operation *op) {
  auto get = cast<GetUnitOp>(op);
  Unit unit{get.getUnitName().str(), get.getUnitType().lower(),
            get.getCore() ? int(*get.getCore()) : -1,
            get.getCorelet() ? int(*get.getCorelet()) : -1, op->getLoc()};
  uint32_t handle = decoder.internUnit(unit);
  const Unit &known = decoder.program.units[handle];
  if (known.type != unit.type || known.core != unit.core ||
      known.corelet != unit.corelet) {
    auto diagnostic = op->emitError()
                      << "unit '" << unit.name
                      << "' is named elsewhere with other attributes (D-2)";
    diagnostic.attachNote(known.location) << "it is named here";
    return diagnostic;
  }
  for (Value result : op->getResults())
    decoder.defineConstant(result, handle);
  return success();
}

SmallVector<uint32_t> exec::getUnits(Decoder &decoder, Value value) {
  std::optional<int64_t> handle = decoder.getConstant(value);
  if (!handle || *handle < 0)
    return {};
  if (const Group *group = decoder.program.findGroup(*handle))
    return group->members;
  if (uint64_t(*handle) < decoder.program.units.size())
    return {uint32_t(*handle)};
  return {};
}

/// Makes the group `members` the value of `result`.
static LogicalResult defineGroup(Decoder &decoder, Value result,
                                 ValueRange members, Group group = {}) {
  for (Value member : members) {
    SmallVector<uint32_t> units = getUnits(decoder, member);
    if (units.empty())
      return decoder.unsupported(result.getDefiningOp(),
                                 "a member that is no 'dataflow.get_unit'");
    group.members.append(units.begin(), units.end());
  }
  decoder.program.groups.push_back(std::move(group));
  decoder.defineConstant(result, ProgramImpl::groupBase +
                                     decoder.program.groups.size() - 1);
  return success();
}

static LogicalResult decodeGroup(Decoder &decoder, Operation *op) {
  auto create = cast<CreateGroupOp>(op);
  return defineGroup(decoder, create.getGroup(), create.getMembers());
}

static LogicalResult decodeMulticastGroup(Decoder &decoder, Operation *op) {
  auto create = cast<CreateMulticastGroupOp>(op);
  if (create.getConsumers().empty())
    return decoder.unsupported(op, "a multicast group without a list of "
                                   "consumers");
  SmallVector<uint32_t> producer = getUnits(decoder, create.getProducer());
  if (producer.size() != 1)
    return decoder.unsupported(op, "a producer that is no "
                                   "'dataflow.get_unit'");
  // Channel 0 is the one between two units without a group.
  Group group;
  group.channel = uint32_t(create.getGroupId()) + 1;
  group.producer = producer.front();
  return defineGroup(decoder, create.getGroup(), create.getConsumers(),
                     std::move(group));
}

//===----------------------------------------------------------------------===//
// program_unit
//===----------------------------------------------------------------------===//

/// a: routine; immediate: handle.
static Outcome runSpawn(Instance &self, const Instruction &instruction) {
  self.run.spawn(self, *self.run.program.routines[instruction.a],
                 instruction.immediate);
  return Outcome::Next;
}

static Outcome runEnd(Instance &, const Instruction &) { return Outcome::End; }

static LogicalResult decodeProgramUnit(Decoder &decoder, Operation *op) {
  auto unit = cast<ProgramUnitOp>(op);
  if (decoder.program.level != Level::Dataflow)
    return decoder.unsupported(op, "a unit program above level 'dataflow'");
  if (decoder.inUnitProgram())
    return decoder.unsupported(op, "a unit program within another");
  SmallVector<uint32_t> handles;
  for (Value operand : unit.getUnits()) {
    SmallVector<uint32_t> members = getUnits(decoder, operand);
    if (members.size() != 1)
      return decoder.unsupported(op, "an operand that is no "
                                     "'dataflow.get_unit'");
    handles.push_back(members.front());
  }
  uint32_t routine = decoder.enterRoutine();
  Block *body = &unit.getRegion().front();
  if (body->getNumArguments())
    decoder.current().self = decoder.define(body->getArgument(0));
  decoder.enter(body, [&decoder, op, routine, handles] {
    decoder.emit(op, runEnd);
    decoder.leaveRoutine();
    for (uint32_t handle : handles) {
      Instruction &spawn = decoder.emit(op, runSpawn);
      spawn.a = routine;
      spawn.immediate = handle;
    }
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// send, receive
//===----------------------------------------------------------------------===//

namespace {
struct MessagePayload : Payload {
  const void *type;
  Type printed;
};
} // namespace

/// The channels of `self` towards `to`: one, or one for each member of a group.
/// Empty when `to` is no unit.
static SmallVector<Channel *, 1> getTargets(Instance &self, int64_t to) {
  RunImpl &run = self.run;
  SmallVector<Channel *, 1> targets;
  if (const Group *group = run.program.findGroup(to)) {
    for (uint32_t member : group->members)
      targets.push_back(&run.channel(self.unit, member, group->channel));
  } else if (run.isHandle(to)) {
    targets.push_back(&run.channel(self.unit, to, 0));
  }
  return targets;
}

static Outcome failNoUnit(Instance &self, uint32_t site) {
  return self.run.fail(self, site, "D-6", "the operand names no unit");
}

/// a: destination; b: tensor slot.
static Outcome runSend(Instance &self, const Instruction &instruction) {
  RunImpl &run = self.run;
  const Tensor &value = self.tensors[instruction.b];
  uint64_t bytes = value.data.size();
  SmallVector<Channel *, 1> targets =
      getTargets(self, self.scalars[instruction.a]);
  if (targets.empty())
    return failNoUnit(self, instruction.site);
  for (Channel *channel : targets)
    if (!channel->hasRoom(bytes))
      return run.block(self, {Wait::Kind::Send, channel, nullptr},
                       channel->waiting);
  for (Channel *channel : targets) {
    channel->messages.push_back({value, instruction.as<MessagePayload>().type,
                                 self.clock.snapshot(), self.id, self.time});
    channel->bytes += bytes;
    channel->lastSendSite = instruction.site;
    run.wake(channel->waiting);
  }
  ++self.time;
  self.messages += targets.size();
  run.event(self, "send", run.ticks, bytes, instruction.site);
  return Outcome::Next;
}

/// a: tensor slot; b: source.
static Outcome runReceive(Instance &self, const Instruction &instruction) {
  RunImpl &run = self.run;
  int64_t from = self.scalars[instruction.b];
  Channel *channel = nullptr;
  if (const Group *group = run.program.findGroup(from)) {
    if (group->channel)
      channel = &run.channel(group->producer, self.unit, group->channel);
  } else if (run.isHandle(from)) {
    channel = &run.channel(from, self.unit, 0);
  }
  if (!channel)
    return failNoUnit(self, instruction.site);
  if (channel->messages.empty())
    return run.block(self, {Wait::Kind::Receive, channel, nullptr},
                     channel->waiting);
  Message &message = channel->messages.front();
  const auto &payload = instruction.as<MessagePayload>();
  if (message.type != payload.type) {
    std::string found, expected;
    llvm::raw_string_ostream(found) << Type::getFromOpaquePointer(message.type);
    llvm::raw_string_ostream(expected) << payload.printed;
    return run.fail(self, instruction.site, "D-8",
                    "the message from '" +
                        run.program.units[channel->from].name + "' is a " +
                        found + ", expected a " + expected,
                    FindingNote{run.site(channel->lastSendSite).location,
                                "the last message was sent here"});
  }
  uint64_t bytes = message.value.data.size();
  self.clock.join(message.clock, message.from, message.time);
  self.tensors[instruction.a] = std::move(message.value);
  channel->bytes -= bytes;
  channel->messages.pop_front();
  run.wake(channel->waiting);
  run.event(self, "receive", run.ticks, bytes, instruction.site);
  return Outcome::Next;
}

static LogicalResult requireUnit(Decoder &decoder, Operation *op) {
  if (!decoder.inUnitProgram())
    return decoder.unsupported(op, "only a unit program can do this");
  return success();
}

static LogicalResult decodeSend(Decoder &decoder, Operation *op) {
  auto send = cast<SendOp>(op);
  if (failed(requireUnit(decoder, op)))
    return failure();
  auto *payload = decoder.makePayload<MessagePayload>();
  payload->printed = send.getValue().getType();
  payload->type = payload->printed.getAsOpaquePointer();
  uint32_t to = decoder.use(send.getTo());
  uint32_t value = decoder.use(send.getValue());
  Instruction &instruction = decoder.emit(op, runSend);
  instruction.a = to;
  instruction.b = value;
  instruction.payload = payload;
  return success();
}

static LogicalResult decodeReceive(Decoder &decoder, Operation *op) {
  auto receive = cast<ReceiveOp>(op);
  if (failed(requireUnit(decoder, op)))
    return failure();
  auto *payload = decoder.makePayload<MessagePayload>();
  payload->printed = receive.getValue().getType();
  payload->type = payload->printed.getAsOpaquePointer();
  uint32_t from = decoder.use(receive.getFrom());
  uint32_t value = decoder.define(receive.getValue());
  Instruction &instruction = decoder.emit(op, runReceive);
  instruction.a = value;
  instruction.b = from;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// sync_send, sync_recv
//===----------------------------------------------------------------------===//

static Outcome runSyncSend(Instance &self, const Instruction &instruction) {
  RunImpl &run = self.run;
  int64_t to = self.scalars[instruction.a];
  SmallVector<uint32_t, 1> targets;
  if (const Group *group = run.program.findGroup(to))
    targets.append(group->members.begin(), group->members.end());
  else if (run.isHandle(to))
    targets.push_back(to);
  else
    return failNoUnit(self, instruction.site);
  for (uint32_t target : targets) {
    // Only a fence, and every transfer is complete when it returns (D-13).
    if (target == self.unit)
      continue;
    Semaphore &semaphore = run.semaphore(self.unit, target);
    semaphore.signals.push_back({self.clock.snapshot(), self.id, self.time});
    semaphore.lastSendSite = instruction.site;
    run.handOver(self, semaphore.waiting);
  }
  ++self.time;
  return Outcome::Next;
}

static Outcome runSyncRecv(Instance &self, const Instruction &instruction) {
  RunImpl &run = self.run;
  int64_t from = self.scalars[instruction.a];
  if (!run.isHandle(from))
    return failNoUnit(self, instruction.site);
  Semaphore &semaphore = run.semaphore(from, self.unit);
  if (semaphore.signals.empty())
    return run.block(self, {Wait::Kind::Signal, nullptr, &semaphore},
                     semaphore.waiting);
  const Semaphore::Signal &signal = semaphore.signals.front();
  self.clock.join(signal.clock, signal.from, signal.time);
  semaphore.signals.pop_front();
  return Outcome::Next;
}

static LogicalResult decodeSync(Decoder &decoder, Operation *op,
                                Handler handler) {
  if (failed(requireUnit(decoder, op)))
    return failure();
  uint32_t peer = decoder.use(op->getOperand(0));
  decoder.emit(op, handler).a = peer;
  return success();
}

//===----------------------------------------------------------------------===//
// get_logical_memory_view
//===----------------------------------------------------------------------===//

namespace {
struct LogicalViewPayload : Payload {
  unsigned elementBytes;
  AddrUnit unit;
  SmallVector<int64_t, 4> sizes, strides; ///< strides in bytes
  int64_t displacement = 0;               ///< bytes
  CompiledExpr layout;
  bool isLinear;
};
} // namespace

/// True when the value of `start` comes from a symbol (§2.5).
static bool isSymbolDerived(Value start) {
  SmallVector<Value> work = {start};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<symbol::CreateSymbolOp, symbol::QueryMapOp>(op))
      return true;
    if (auto query = dyn_cast<uniform::QueryMapOp>(op)) {
      if (uniform::DefImmutableMappingOp mapping = query.getMapping())
        llvm::append_range(work, mapping.getValues());
      continue;
    }
    if (op->getName().getDialectNamespace() == "arith" ||
        op->getName().getDialectNamespace() == "affine")
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// a: view slot; b: memory handle; c: start.
static Outcome runLogicalView(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<LogicalViewPayload>();
  RunImpl &run = self.run;
  int64_t memory = self.scalars[instruction.b];
  AddressSpace *space = run.memoryOf(memory);
  if (!space)
    return run.fail(self, instruction.site, "E-3",
                    run.isHandle(memory)
                        ? "'" + run.program.units[memory].name +
                              "' is no memory of the device"
                        : "the memory operand names no memory");
  int64_t scale = 1;
  if (payload.unit == AddrUnit::Element)
    scale = payload.elementBytes;
  else if (payload.unit == AddrUnit::Word)
    scale = run.wordSize(self.unit, memory);
  View &view = self.views[instruction.a];
  int64_t start = self.scalars[instruction.c];
  if (llvm::MulOverflow(start, scale, view.base))
    return run.fail(self, instruction.site, "D-17",
                    "start address " + llvm::Twine(start) +
                        " lies outside any memory");
  view.base += payload.displacement;
  view.space = space;
  view.elementBytes = payload.elementBytes;
  view.pads = false;
  view.sizes.assign(payload.sizes.begin(), payload.sizes.end());
  view.strides.assign(payload.strides.begin(), payload.strides.end());
  view.layout = payload.isLinear ? nullptr : &payload.layout;
  return Outcome::Next;
}

static LogicalResult decodeLogicalView(Decoder &decoder, Operation *op) {
  auto get = cast<GetLogicalMemoryViewOp>(op);
  MemRefType type = get.getViewType();
  std::optional<numerics::DType> element = getDType(type.getElementType());
  if (!element)
    return op->emitError() << "cannot be executed: element type "
                           << type.getElementType();
  auto *payload = decoder.makePayload<LogicalViewPayload>();
  payload->elementBytes = numerics::byteSize(*element);
  if (std::optional<AddrUnit> unit = get.getAddrUnit())
    payload->unit = *unit;
  else
    payload->unit =
        isSymbolDerived(get.getStart()) ? AddrUnit::Word : AddrUnit::Element;
  // An open extent bounds nothing.
  for (int64_t extent : type.getShape())
    payload->sizes.push_back(ShapedType::isDynamic(extent) ? int64_t(1) << 62
                                                           : extent);
  AffineMap map = get.getLayoutMap();
  payload->layout = CompiledExpr::get(map.getResult(0), map.getNumDims());
  payload->isLinear = payload->layout.isLinear();
  payload->strides.assign(type.getRank(), 0);
  if (payload->isLinear) {
    payload->displacement =
        payload->layout.getConstant() * payload->elementBytes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      payload->strides[d] =
          payload->layout.getFactor(d) * payload->elementBytes;
  }
  uint32_t memory = decoder.use(get.getMemUnit());
  uint32_t start = decoder.use(get.getStart());
  uint32_t view = decoder.define(get.getView());
  Instruction &instruction = decoder.emit(op, runLogicalView);
  instruction.a = view;
  instruction.b = memory;
  instruction.c = start;
  instruction.payload = payload;
  return success();
}

void ktir::exec::addDataflowHandlers(DecodeTable &table) {
  table["dataflow.get_unit"] = decodeGetUnit;
  table["dataflow.create_group"] = decodeGroup;
  table["dataflow.create_multicast_group"] = decodeMulticastGroup;
  table["dataflow.program_unit"] = decodeProgramUnit;
  table["dataflow.send"] = decodeSend;
  table["dataflow.receive"] = decodeReceive;
  table["dataflow.sync_send"] = [](Decoder &decoder, Operation *op) {
    return decodeSync(decoder, op, runSyncSend);
  };
  table["dataflow.sync_recv"] = [](Decoder &decoder, Operation *op) {
    return decodeSync(decoder, op, runSyncRecv);
  };
  table["dataflow.get_logical_memory_view"] = decodeLogicalView;
}
