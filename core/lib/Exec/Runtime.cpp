//===- Runtime.cpp - A run in progress ------------------------------------===//

#include "Runtime.h"

#include "Decoder.h"
#include "ScalarHandlers.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Exec/Numerics/Float16.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <limits>

using namespace ktir;
using namespace ktir::exec;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Instance
//===----------------------------------------------------------------------===//

void Instance::enter(const Routine &next) {
  routine = &next;
  pc = 0;
  state = State::Runnable;
  scalars = next.scalars;
  // Made anew rather than copied from an empty one, which takes longer.
  leave();
  views.resize(next.views);
  tensors.resize(next.tensors);
  tiles.resize(next.tiles);
  for (const auto &[slot, value] : next.constants)
    tensors[slot] = value;
}

void Instance::leave() {
  views.clear();
  tensors.clear();
  tiles.clear();
}

void Instance::work(uint64_t count) {
  elements += count;
  run.ticks += count / 64;
}

/// Most bytes of tensors alive at once on all tiles: what a host with 4 GB of
/// address space can hold beside everything else.
static constexpr uint64_t maxLiveBytes = uint64_t(1) << 30;

void Instance::compute(uint32_t site, uint64_t results, uint64_t points) {
  work(std::max(results, points));
  charge(site, results, points);
}

uint64_t Instance::pointsPerTurn(uint32_t site) const {
  // Functions of wide types are computed one by one.
  bool isSlow = run.program.sites[site].cost.transcendental != 0;
  return uint64_t(1) << (isSlow ? 14 : 19);
}

uint64_t Instance::pointsPerTurn(uint32_t site,
                                 const numerics::BlockProgram &program) const {
  // A power or a remainder of doubles can take microseconds.
  const bool isWide = program.getNumInputs() > 0 &&
                      program.getInputType(0) == numerics::DType::F64;
  return pointsPerTurn(site) >> (isWide ? 4 : 0);
}

void Instance::charge(uint32_t site, uint64_t results, uint64_t points) {
  const OpCost &per = run.program.sites[site].cost;
  cost.vectorElements += per.perResult * results + per.plain * points;
  cost.transcendentalElements += per.transcendental * points;
  cost.matrixOps += per.matrix * points;
}

bool Instance::checkShape(llvm::ArrayRef<int64_t> shape, uint32_t site) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent != 0 && elements > maxTensorElements / extent)) {
      run.fail(*this, site, "",
               "a tensor of " + shapeText(shape) +
                   " elements, expected at most " + Twine(maxTensorElements));
      return false;
    }
    elements *= extent;
  }
  return true;
}

Tensor Instance::makeTensor(llvm::ArrayRef<int64_t> shape,
                            unsigned elementBytes, uint32_t site) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  uint64_t bytes = uint64_t(result.elements()) * elementBytes;
  result.data = Buffer::allocate(bytes, account, site, &run.pool);
  if (!account)
    return result;
  if (run.options.checks)
    run.reportOverflow(*this, core, bytes, site);
  if (bytes > (uint64_t(1) << 20)) {
    uint64_t live = 0;
    for (const ScratchAccount &each : run.accounts)
      live += each.total();
    if (live > maxLiveBytes)
      run.fail(*this, site, "",
               "tensors of all tiles take " + Twine(live) +
                   " bytes at once, expected at most " + Twine(maxLiveBytes));
  }
  return result;
}

void RunImpl::reportOverflow(const Instance &self, unsigned core,
                             uint64_t bytes, uint32_t siteIndex) {
  const ScratchAccount &account = accounts[core];
  uint64_t capacity = program.machine.scratchpadBytes;
  if (account.total() <= capacity || account.total() - bytes > capacity)
    return;
  // The largest of what is there, in the order in which it came.
  constexpr size_t maxListed = 8;
  std::vector<Occupant> there = account.now();
  std::vector<uint64_t> sizes;
  for (const Occupant &occupant : there)
    sizes.push_back(occupant.bytes);
  llvm::sort(sizes, std::greater<>());
  uint64_t least = sizes[std::min(maxListed, sizes.size()) - 1];
  llvm::SmallVector<FindingNote> notes;
  for (const Occupant &occupant : there)
    if (occupant.bytes >= least && notes.size() < maxListed)
      notes.push_back({site(occupant.site).location,
                       std::to_string(occupant.bytes) + " bytes of '" +
                           site(occupant.site).name.str() +
                           "' are there at that moment"});
  report(self, FindingSeverity::Error, siteIndex, "",
         "scratchpad overflow on core " + Twine(core) +
             ": live tensors and views take " + Twine(account.total()) +
             " bytes, with " + Twine(bytes) +
             " requested here; the scratchpad holds " + Twine(capacity),
         notes);
}

bool RunImpl::canJoin(const Instance &self, uint64_t count, uint64_t cost,
                      uint64_t bytes) const {
  if (options.trace || slice < count - 1 ||
      (options.limit && ticks + cost >= options.limit))
    return false;
  return !options.checks ||
         accounts[self.core].total() + bytes <= program.machine.scratchpadBytes;
}

void RunImpl::coverScratchpad(const Instance &self, unsigned core,
                              uint64_t begin, uint64_t end, uint32_t site) {
  uint64_t fresh = accounts[core].cover(begin, end, site);
  if (fresh && options.checks)
    reportOverflow(self, core, fresh, site);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The slot form of an argument of `type`.
static int64_t encodeArgument(mlir::Type type, const ScalarArgument &argument,
                              NumericsMode mode) {
  auto bits = [](auto value) {
    int64_t slot = 0;
    std::memcpy(&slot, &value, sizeof(value));
    return slot;
  };
  if (auto argument = llvm::dyn_cast<ktdp::RuntimeArgType>(type))
    type = argument.getUnderlyingType();
  if (type.isF16())
    return mode == NumericsMode::Device
               ? bits(numerics::encodeDL16(argument.real))
               : bits(numerics::encodeF16(argument.real));
  if (getDType(type) == numerics::DType::DF16)
    return bits(numerics::encodeDL16(argument.real));
  if (type.isBF16())
    return bits(numerics::encodeBF16(argument.real));
  if (type.isF32())
    return bits(float(argument.real));
  if (type.isF64())
    return bits(argument.real);
  if (type.isInteger(1))
    return argument.integer & 1;
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
      integer && integer.getWidth() < 64)
    return llvm::SignExtend64(uint64_t(argument.integer), integer.getWidth());
  return argument.integer;
}

RunImpl::RunImpl(std::shared_ptr<const Program> owning, Memory &memory,
                 std::vector<ScalarArgument> arguments, RunOptions options)
    : owner(std::move(owning)), program(owner->impl()), memory(memory),
      options(options), captured(options.captures.size()),
      races(program.ordered, program.store) {
  seed = options.interleaving.value_or(0);
  memoryCache.resize(program.units.size());
  detectRaces = options.checks;
  const Routine &kernel = *program.routines[0];
  auto bind = [&](Instance &instance) {
    instance.enter(kernel);
    for (size_t i = 0; i < program.argumentSlots.size(); ++i)
      instance.scalars[program.argumentSlots[i]] =
          encodeArgument(program.argumentTypes[i],
                         i < arguments.size() ? arguments[i] : ScalarArgument(),
                         program.numerics);
  };

  if (program.level == Level::Dataflow) {
    // The host side runs the kernel function and starts the units.
    instances.push_back(std::make_unique<Instance>(*this, 0, "host"));
    bind(*instances.back());
    return;
  }
  int64_t tiles = program.tiles();
  accounts.resize(std::max<size_t>(tiles, memory.cores()));
  exchanges.resize(program.exchanges.size());
  for (ExchangeState &exchange : exchanges)
    exchange.tiles.resize(tiles);
  detectRaces &= tiles > 1;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    auto instance =
        std::make_unique<Instance>(*this, tile, ("tile " + Twine(tile)).str());
    bind(*instance);
    instance->core = tile;
    instance->account = &accounts[tile];
    // The last grid dimension is the fastest (ktir.md D3).
    instance->coordinates.resize(program.grid.size());
    int64_t rest = tile;
    for (size_t d = program.grid.size(); d-- > 0;) {
      instance->coordinates[d] = rest % program.grid[d];
      rest /= program.grid[d];
    }
    instances.push_back(std::move(instance));
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string RunImpl::describe(const Instance &self) const {
  std::string text = self.name;
  if (!self.routine)
    return text;
  bool first = true;
  for (const LoopRange &loop : self.routine->loops) {
    if (self.pc < loop.begin || self.pc >= loop.end)
      continue;
    text += first ? " (loop values " : ", ";
    text += std::to_string(self.scalars[loop.iv]);
    first = false;
  }
  if (!first)
    text += ')';
  return text;
}

std::string RunImpl::describeStorage() const {
  std::string text =
      ("memories take " + Twine(memory.pageBytes()) + " bytes in pages of " +
       Twine(AddressSpace::pageBytes) + " that are written in part at least")
          .str();
  if (detectRaces)
    text +=
        (", and the records of the race check " + Twine(races.bytes())).str();
  return text;
}

void RunImpl::report(const Instance &self, FindingSeverity severity,
                     uint32_t siteIndex, StringRef rule, const Twine &message,
                     llvm::ArrayRef<FindingNote> notes) {
  Count &count = reported[{siteIndex, rule}];
  if (count.seen++ >= options.findingsPerOp)
    return;
  count.last = findings.size();
  const Site &where = site(siteIndex);
  Finding finding{
      severity,
      where.location,
      ("'" + where.name + "' on " + describe(self) + ": " + message).str(),
      rule.str(),
      {}};
  finding.notes.assign(notes.begin(), notes.end());
  findings.push_back(std::move(finding));
}

Outcome RunImpl::fail(const Instance &self, uint32_t siteIndex, StringRef rule,
                      const Twine &message, llvm::ArrayRef<FindingNote> notes) {
  report(self, FindingSeverity::Error, siteIndex, rule, message, notes);
  status = RunStatus::Failed;
  slice = 0; // also where the caller goes on to the end of its instruction
  return Outcome::Fail;
}

void RunImpl::event(const Instance &self, const char *name, uint64_t begin,
                    uint64_t bytes, uint32_t siteIndex) {
  // Instance 0 of a DataflowIR run is the host, which counters() leaves out.
  bool hasHost = program.level == Level::Dataflow;
  if (!options.trace || traceIsFull || (hasHost && self.id == 0))
    return;
  if (events.size() == maxTraceEvents) {
    traceIsFull = true;
    report(self, FindingSeverity::Warning, siteIndex, "",
           "the trace is full: it has the first " + Twine(maxTraceEvents) +
               " events and nothing from here on");
    return;
  }
  uint32_t index = hasHost ? self.id - 1 : self.id;
  const Site &where = site(siteIndex);
  events.push_back(
      {index, name, begin, ticks, bytes, where.location, where.name});
}

//===----------------------------------------------------------------------===//
// Channels, semaphores, units
//===----------------------------------------------------------------------===//

Outcome RunImpl::block(Instance &self, Wait wait,
                       llvm::SmallVectorImpl<Instance *> &waiting) {
  if (self.wait.kind == Wait::Kind::None)
    self.waitBegin = ticks;
  self.wait = wait;
  self.state = Instance::State::Blocked;
  waiting.push_back(&self);
  return Outcome::Block;
}

void RunImpl::wake(llvm::SmallVectorImpl<Instance *> &waiting) {
  for (Instance *instance : waiting)
    if (instance->state == Instance::State::Blocked)
      instance->state = Instance::State::Runnable;
  waiting.clear();
}

void RunImpl::handOver(const Instance &self,
                       llvm::SmallVectorImpl<Instance *> &waiting) {
  if (!options.interleaving && !waiting.empty() &&
      waiting.front()->id > self.id) {
    next = waiting.front();
    slice = 0;
  }
  wake(waiting);
}

AddressSpace *RunImpl::memoryOf(int64_t handle) {
  if (!isHandle(handle))
    return nullptr;
  AddressSpace *&cached = memoryCache[handle];
  if (cached)
    return cached;
  const Unit &unit = program.units[handle];
  std::optional<Machine::MemoryKind> kind = program.machine.memory(unit.type);
  if (!kind)
    return nullptr;
  switch (kind->memoryClass) {
  case Machine::MemoryClass::Device:
    return cached = &memory.device();
  case Machine::MemoryClass::Scratchpad:
    if (unit.core < 0 || unsigned(unit.core) >= memory.cores())
      return nullptr;
    return cached = &memory.scratchpad(unit.core);
  case Machine::MemoryClass::Local:
    return cached =
               &memory.local(unit.core, unit.corelet, unit.type, kind->size);
  }
  return nullptr;
}

int64_t RunImpl::wordSize(int64_t unit, int64_t memory) {
  int64_t &cached = wordSizes[{unit, memory}];
  if (!cached)
    cached = isHandle(unit)
                 ? program.machine.wordSize(program.units[unit].type,
                                            program.units[memory].type)
                 : 1;
  return cached;
}

Channel &RunImpl::channel(uint32_t from, uint32_t to, uint32_t number) {
  std::unique_ptr<Channel> &slot =
      channels[{uint64_t(from) << 32 | to, number}];
  if (!slot) {
    slot = std::make_unique<Channel>();
    slot->from = from;
    slot->to = to;
    slot->limits =
        program.machine.queue(program.units[from].type, program.units[to].type);
    if (options.channelDepth)
      slot->limits = {*options.channelDepth, std::nullopt};
  }
  return *slot;
}

Semaphore &RunImpl::semaphore(uint32_t from, uint32_t to) {
  std::unique_ptr<Semaphore> &slot = semaphores[uint64_t(from) << 32 | to];
  if (!slot) {
    slot = std::make_unique<Semaphore>();
    slot->from = from;
    slot->to = to;
  }
  return *slot;
}

void RunImpl::spawn(Instance &parent, const Routine &routine, int64_t handle) {
  Instance *&instance = byUnit[handle];
  const Unit &unit = program.units[handle];
  if (!instance) {
    instances.push_back(std::make_unique<Instance>(*this, instances.size(),
                                                   "unit '" + unit.name + "'"));
    instance = instances.back().get();
    instance->unit = handle;
    instance->core = unit.core;
    instance->corelet = unit.corelet;
    instance->state = Instance::State::Finished;
  }
  // Fill the slots now: the host goes on and may change its own.
  auto fill = [&](std::vector<int64_t> &scalars, std::vector<View> &views,
                  std::vector<Tensor> &tensors) {
    for (const Capture &capture : routine.captures) {
      if (capture.kind == SlotKind::Scalar)
        scalars[capture.to] = parent.scalars[capture.from];
      else if (capture.kind == SlotKind::View)
        views[capture.to] = parent.views[capture.from];
      else
        tensors[capture.to] = parent.tensors[capture.from];
    }
    if (routine.self >= 0)
      scalars[routine.self] = handle;
  };
  if (instance->state == Instance::State::Finished) {
    instance->enter(routine);
    fill(instance->scalars, instance->views, instance->tensors);
    ++liveChildren;
    return;
  }
  Instance::Pending next{&routine, routine.scalars,
                         std::vector<View>(routine.views),
                         std::vector<Tensor>(routine.tensors)};
  for (const auto &[slot, value] : routine.constants)
    next.tensors[slot] = value;
  fill(next.scalars, next.views, next.tensors);
  instance->pending.push_back(std::move(next));
}

void RunImpl::endProgram() {
  if (options.checks) {
    // Sorted, since the maps have no stable order.
    std::vector<Channel *> left;
    for (auto &entry : channels)
      if (!entry.second->messages.empty())
        left.push_back(entry.second.get());
    llvm::sort(left, [](const Channel *a, const Channel *b) {
      return std::pair(a->from, a->to) < std::pair(b->from, b->to);
    });
    for (Channel *channel : left)
      report(*byUnit.lookup(channel->from), FindingSeverity::Error,
             channel->lastSendSite, "D-10",
             Twine(channel->messages.size()) + " messages from '" +
                 program.units[channel->from].name + "' to '" +
                 program.units[channel->to].name +
                 "' were never received, expected none at the end of the "
                 "program");
    std::vector<Semaphore *> raised;
    for (auto &entry : semaphores)
      if (!entry.second->signals.empty())
        raised.push_back(entry.second.get());
    llvm::sort(raised, [](const Semaphore *a, const Semaphore *b) {
      return std::pair(a->from, a->to) < std::pair(b->from, b->to);
    });
    for (Semaphore *semaphore : raised)
      report(*byUnit.lookup(semaphore->from), FindingSeverity::Error,
             semaphore->lastSendSite, "D-15",
             "the semaphore from '" + program.units[semaphore->from].name +
                 "' to '" + program.units[semaphore->to].name + "' is " +
                 Twine(semaphore->signals.size()) +
                 " at the end of the program, expected 0");
  }
  channels.clear();
  semaphores.clear();
  races.barrier();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

uint64_t RunImpl::random() {
  // splitmix64: the same sequence on every host.
  uint64_t z = seed += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Instance *RunImpl::pick() {
  if (options.interleaving) {
    llvm::SmallVector<Instance *, 64> runnable;
    for (auto &instance : instances)
      if (instance->state == Instance::State::Runnable)
        runnable.push_back(instance.get());
    return runnable.empty() ? nullptr : runnable[random() % runnable.size()];
  }
  if (Instance *receiver = std::exchange(next, nullptr)) {
    cursor = receiver->id;
    return receiver;
  }
  size_t count = instances.size();
  for (size_t i = 1; i <= count; ++i) {
    Instance *candidate = instances[(cursor + i) % count].get();
    if (candidate->state == Instance::State::Runnable) {
      cursor = candidate->id;
      return candidate;
    }
  }
  return nullptr;
}

void RunImpl::finish(Instance &self) {
  self.leave();
  if (!self.pending.empty()) {
    Instance::Pending next = std::move(self.pending.front());
    self.pending.pop_front();
    self.enter(*next.routine);
    self.scalars = std::move(next.scalars);
    self.views = std::move(next.views);
    self.tensors = std::move(next.tensors);
    return;
  }
  self.state = Instance::State::Finished;
  if (self.unit >= 0 && --liveChildren == 0)
    wake(joining);
}

/// A consumer that never came back is at fault (ktir.md §8.15).
void RunImpl::reportUnconsumed() {
  for (const Exchange *exchange : program.exchanges)
    for (const auto &[tile, state] :
         llvm::enumerate(exchanges[exchange->number].tiles))
      if (!state.published.empty())
        report(*instances[tile], FindingSeverity::Error, exchange->produceSite,
               "",
               "published " + Twine(state.first + state.published.size()) +
                   " times, but some consumer took only " + Twine(state.first) +
                   "; expected every producer and consumer of a group to "
                   "reach production and delivery equally often");
}

void RunImpl::end() {
  // In the order of the findings, which the map does not keep.
  std::vector<const Count *> cut;
  for (auto &entry : reported)
    if (entry.second.seen > options.findingsPerOp)
      cut.push_back(&entry.second);
  llvm::sort(cut,
             [](const Count *a, const Count *b) { return a->last < b->last; });
  for (const Count *count : cut) {
    const Finding &last = findings[count->last];
    Finding rest{last.severity,
                 last.location,
                 std::to_string(count->seen - options.findingsPerOp) +
                     " more findings of this kind here are not listed",
                 last.rule,
                 {}};
    findings.push_back(std::move(rest));
  }
  reported.clear();
  if (status != RunStatus::Running)
    return;
  bool failed = llvm::any_of(findings, [](const Finding &finding) {
    return finding.severity == FindingSeverity::Error;
  });
  status = failed ? RunStatus::Failed : RunStatus::Finished;
}

void RunImpl::deadlock() {
  constexpr unsigned maxListed = 64;
  unsigned blocked = 0;
  const Instance *first = nullptr;
  llvm::SmallVector<FindingNote> notes;
  for (auto &instance : instances) {
    if (instance->state != Instance::State::Blocked ||
        instance->wait.kind == Wait::Kind::Children)
      continue;
    ++blocked;
    if (!first)
      first = instance.get();
    if (blocked > maxListed)
      continue;
    const Site &where = site(instance->routine->code[instance->pc].site);
    std::string text = describe(*instance) + " waits ";
    auto unitName = [&](uint32_t handle) {
      return "'" + program.units[handle].name + "'";
    };
    // Whether the other end can still come.
    auto peerState = [&](uint32_t handle) -> std::string {
      Instance *peer = byUnit.lookup(handle);
      if (!peer)
        return ", which runs no program";
      return peer->state == Instance::State::Finished ? ", which has finished"
                                                      : "";
    };
    if (const Channel *channel = instance->wait.channel) {
      bool sending = instance->wait.kind == Wait::Kind::Send;
      uint32_t peer = sending ? channel->to : channel->from;
      text += (sending ? "to send to " : "to receive from ") + unitName(peer) +
              peerState(peer) + ": the channel holds " +
              std::to_string(channel->messages.size());
      if (channel->limits.depth)
        text += " of " + std::to_string(*channel->limits.depth);
      text += " messages";
    } else if (const Semaphore *semaphore = instance->wait.semaphore) {
      text += "for a signal from " + unitName(semaphore->from) +
              peerState(semaphore->from) + ": the semaphore is " +
              std::to_string(semaphore->signals.size());
    } else if (const Exchange *exchange = instance->wait.exchange) {
      text += "for ";
      ExchangeState &state = exchanges[exchange->number];
      uint64_t number = state.tiles[instance->id].consumed;
      bool first = true;
      for (uint32_t tile : exchange->consumer(instance->id)->waits)
        if (!state.find(tile, number)) {
          text += (first ? "tile " : ", tile ") + std::to_string(tile);
          if (instances[tile]->state == Instance::State::Finished)
            text += " (finished)";
          first = false;
        }
      text += " to produce for delivery " + std::to_string(number + 1);
    }
    notes.push_back({where.location, std::move(text)});
  }
  if (!first) {
    // Only the host waits, for children that do not exist.
    first = instances.front().get();
  }
  size_t total = llvm::count_if(instances, [&](const auto &instance) {
    return program.level != Level::Dataflow || instance->unit >= 0;
  });
  if (blocked > maxListed)
    notes.push_back(
        {notes.back().location,
         std::to_string(blocked - maxListed) + " more instances wait"});
  fail(*first, first->routine->code[first->pc].site, "E-5",
       "deadlock: " + Twine(blocked) + " of " + Twine(total) +
           " instances wait and none can proceed",
       notes);
}

void RunImpl::conclude() {
  bool allFinished = llvm::all_of(instances, [](const auto &instance) {
    return instance->state == Instance::State::Finished;
  });
  if (!allFinished)
    return deadlock();
  if (options.checks)
    reportUnconsumed();
  end();
}

RunStatus RunImpl::advance(uint64_t budget) {
  uint64_t stop = ticks + std::min(budget, ~uint64_t(0) - ticks);
  if (options.limit)
    stop = std::min(stop, options.limit);
  while (status == RunStatus::Running && ticks < stop) {
    if (!current) {
      current = pick();
      if (!current) {
        conclude();
        continue;
      }
      slice = options.interleaving ? 1 + random() % 8
                                   : std::numeric_limits<uint64_t>::max();
    }
    Instance &self = *current;
    const Instruction *code = self.routine->code.data();
    --slice;
    Outcome outcome = execute(self, code[self.pc]);
    // What execute() does, without the wait that only the first one can end.
    while ((outcome == Outcome::Next || outcome == Outcome::Jump) && slice &&
           ticks < stop) {
      const Instruction &instruction = code[self.pc];
      --slice;
      ++ticks;
      outcome = dispatch(self, instruction);
      if (outcome == Outcome::Next)
        ++self.pc;
      else if (outcome == Outcome::Block)
        break;
      if (!self.unfinished)
        ++self.instructions;
    }
    if (outcome == Outcome::End) {
      finish(self);
      current = nullptr;
    } else if (outcome == Outcome::Block || slice == 0) {
      current = nullptr;
    }
  }
  if (status == RunStatus::Running && options.limit && ticks >= options.limit)
    stopAtLimit();
  if (status == RunStatus::Failed)
    end();
  return status;
}

void RunImpl::stopAtLimit() {
  const Instance *at = current;
  for (const auto &instance : instances)
    if (!at && instance->state == Instance::State::Runnable)
      at = instance.get();
  if (!at) // the limit was just enough
    return conclude();
  fail(*at, at->routine->code[at->pc].site, "",
       "stopped after " + Twine(options.limit) +
           " steps, the limit of this run; allow more where the kernel needs "
           "them");
}

//===----------------------------------------------------------------------===//
// Public interface
//===----------------------------------------------------------------------===//

Run::Run(std::shared_ptr<const Program> program, Memory &memory,
         std::vector<ScalarArgument> arguments, RunOptions options)
    : state(std::make_unique<RunImpl>(std::move(program), memory,
                                      std::move(arguments), options)) {}
Run::~Run() = default;

RunStatus Run::status() const { return state->status; }
RunStatus Run::advance(uint64_t budget) { return state->advance(budget); }
Step Run::step(unsigned instance, uint64_t budget) {
  return state->step(instance, budget);
}
const std::vector<CapturedValue> &Run::captured() const {
  return state->captured;
}
const std::vector<Finding> &Run::findings() const { return state->findings; }
uint64_t Run::instructionsDone() const { return state->ticks; }
const std::vector<TraceEvent> &Run::trace() const { return state->events; }

std::vector<InstanceCounters> Run::counters() const {
  std::vector<InstanceCounters> result;
  result.reserve(state->instances.size());
  for (const auto &instance : state->instances) {
    bool isUnit = instance->unit >= 0;
    if (state->program.level == Level::Dataflow && !isUnit)
      continue;
    result.push_back(
        {isUnit ? state->program.units[instance->unit].name : instance->name,
         instance->instructions, instance->bytesRead, instance->bytesWritten,
         instance->scratchpadRead, instance->scratchpadWritten,
         instance->elements, instance->messages, 0, instance->cost});
    if (instance->account)
      result.back().scratchpadPeak = instance->account->peak();
  }
  return result;
}

std::vector<ScratchpadUse> Run::scratchpadAtPeak(unsigned tile) const {
  std::vector<ScratchpadUse> result;
  if (tile < state->accounts.size())
    for (const Occupant &occupant : state->accounts[tile].atPeak()) {
      const Site &site = state->site(occupant.site);
      result.push_back({site.location, site.name, occupant.bytes});
    }
  return result;
}

uint64_t Run::scratchpadPeak() const {
  uint64_t peak = state->scratchpadTop;
  for (const ScratchAccount &account : state->accounts)
    peak = std::max(peak, account.peak());
  return peak;
}
