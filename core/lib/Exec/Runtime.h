//===- Runtime.h - A run in progress ----------------------------*- C++ -*-===//
//
// Instances, the channels and semaphores between them, the scheduler, and what
// a run reports.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_RUNTIME_H
#define KTIR_LIB_EXEC_RUNTIME_H

#include "Deliveries.h"
#include "Program.h"
#include "Races.h"
#include "Sticks.h"
#include "ktir/Exec/Engine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ktir::exec {

class RunImpl;

/// One message of a channel, with what its sender knew (E-7).
struct Message {
  Tensor value;
  const void *type; ///< opaque pointer of the mlir::Type
  VectorClock::Snapshot clock;
  uint32_t from, time;
};

/// A queue from one unit to another (D-6).
struct Channel {
  uint32_t from, to; ///< handles
  QueueLimits limits;
  std::deque<Message> messages;
  uint64_t bytes = 0;
  uint32_t lastSendSite = 0;
  llvm::SmallVector<Instance *, 1> waiting;

  bool hasRoom(uint64_t size) const {
    if (limits.depth && messages.size() >= *limits.depth)
      return false;
    // A message larger than the queue passes through an empty one.
    return !limits.bytes || messages.empty() || bytes + size <= *limits.bytes;
  }
};

/// A counting semaphore from one unit to another (D-11).
struct Semaphore {
  uint32_t from, to; ///< handles
  /// What the sender knew at each signal not yet received.
  struct Signal {
    VectorClock::Snapshot clock;
    uint32_t from, time;
  };
  std::deque<Signal> signals;
  uint32_t lastSendSite = 0;
  llvm::SmallVector<Instance *, 1> waiting;
};

/// What a blocked instance waits for.
struct Wait {
  enum class Kind : uint8_t { None, Send, Receive, Signal, Children, Delivery };
  Kind kind = Kind::None;
  const Channel *channel = nullptr;
  const Semaphore *semaphore = nullptr;
  const Exchange *exchange = nullptr;
};

/// What an instruction that takes several turns, so that a run with a budget is
/// never held up for long, keeps between them.
struct Unfinished {
  virtual ~Unfinished() = default;
};

/// A routine in execution: one compute tile, one unit, or the host side of a
/// DataflowIR kernel.
class Instance {
public:
  Instance(RunImpl &run, uint32_t id, std::string name)
      : run(run), id(id), name(std::move(name)) {}

  /// Prepares the slots for `routine`.
  void enter(const Routine &routine);
  /// Drops every value.
  void leave();

  RunImpl &run;
  const uint32_t id;
  const std::string name;
  const Routine *routine = nullptr;
  uint32_t pc = 0;
  enum class State : uint8_t { Runnable, Blocked, Finished };
  State state = State::Runnable;
  Wait wait;
  uint64_t waitBegin = 0;
  /// Of the instruction at `pc` between its turns.
  std::unique_ptr<Unfinished> unfinished;

  int core = 0;
  int corelet = -1;
  int64_t unit = -1; ///< handle at level dataflow
  /// Coordinates in the grid (level ktir).
  llvm::SmallVector<int64_t, 3> coordinates;
  /// Live tensors are charged here (level ktir).
  ScratchAccount *account = nullptr;

  std::vector<int64_t> scalars;
  std::vector<View> views;
  std::vector<Tensor> tensors;
  std::vector<Tile> tiles;

  /// Programs of the same unit that follow this one (D-4).
  struct Pending {
    const Routine *routine;
    std::vector<int64_t> scalars;
    std::vector<View> views;
    std::vector<Tensor> tensors;
  };
  std::deque<Pending> pending;

  VectorClock clock;
  uint32_t time = 1;

  uint64_t instructions = 0;
  uint64_t bytesRead = 0, bytesWritten = 0;
  uint64_t scratchpadRead = 0, scratchpadWritten = 0;
  uint64_t elements = 0;
  uint64_t messages = 0;
  CostCounters cost;

  Accessor accessor() const { return {id, time, &clock}; }
  /// Counts `elements` results of one instruction beyond its own tick.
  void work(uint64_t count);
  /// The same for an op with `results` elements that went through `points`
  /// points of its iteration space, with their cost.
  void compute(uint32_t site, uint64_t results, uint64_t points);
  /// Points of the op at `site` that take some hundredths of a second at most,
  /// also in WebAssembly; more of them take several turns.
  uint64_t pointsPerTurn(uint32_t site) const;
  /// The same of an op that `program` computes.
  uint64_t pointsPerTurn(uint32_t site,
                         const numerics::BlockProgram &program) const;
  /// Only the cost.
  void charge(uint32_t site, uint64_t results, uint64_t points);
  /// Whether a tensor of `shape` may be made; ends the run when it may not.
  bool checkShape(llvm::ArrayRef<int64_t> shape, uint32_t site);
  /// An uninitialised tensor of `shape`, which must have at most
  /// `maxTensorElements` elements; checks the scratchpad. When all live tensors
  /// together exceed `maxLiveBytes` the run ends after this instruction.
  Tensor makeTensor(llvm::ArrayRef<int64_t> shape, unsigned elementBytes,
                    uint32_t site);
};

class RunImpl {
public:
  RunImpl(std::shared_ptr<const Program> program, Memory &memory,
          std::vector<ScalarArgument> arguments, RunOptions options);

  RunStatus advance(uint64_t budget);
  Step step(unsigned instance, uint64_t budget);

  //===--- For handlers -------------------------------------------------===//

  /// Adds a finding about `self` at `site`.
  void report(const Instance &self, FindingSeverity severity, uint32_t site,
              llvm::StringRef rule, const llvm::Twine &message,
              llvm::ArrayRef<FindingNote> notes = {});
  /// The same for an error that ends the run.
  Outcome fail(const Instance &self, uint32_t site, llvm::StringRef rule,
               const llvm::Twine &message,
               llvm::ArrayRef<FindingNote> notes = {});
  /// Suspends `self` until someone wakes `waiting`.
  Outcome block(Instance &self, Wait wait,
                llvm::SmallVectorImpl<Instance *> &waiting);
  void wake(llvm::SmallVectorImpl<Instance *> &waiting);
  /// The same for a signal of `self`: under round robin, a receiver that was
  /// started later than `self`, and so is downstream of it, goes on at once.
  /// Programs with single buffers, which have races, then work on one block
  /// after the other, as their sequential form does.
  void handOver(const Instance &self,
                llvm::SmallVectorImpl<Instance *> &waiting);

  /// Memory that the handle `unit` names, seen from `self`; null with `fail`
  /// left to the caller when it names none.
  AddressSpace *memoryOf(int64_t handle);
  /// Bytes of a word of the unit `unit` on the memory `memory`.
  int64_t wordSize(int64_t unit, int64_t memory);
  /// `number` tells channels of multicast groups from the plain one, 0.
  Channel &channel(uint32_t from, uint32_t to, uint32_t number);
  Semaphore &semaphore(uint32_t from, uint32_t to);
  /// Starts `routine` for the unit `handle` with values of `parent`.
  void spawn(Instance &parent, const Routine &routine, int64_t handle);
  /// Ends a program: checks what is left in channels and semaphores and orders
  /// it before the next (D-10, D-15, §12).
  void endProgram();
  void event(const Instance &self, const char *name, uint64_t begin,
             uint64_t bytes, uint32_t site);
  /// Charges a view on bytes `begin .. end - 1` of the scratchpad of `core` to
  /// it.
  void coverScratchpad(const Instance &self, unsigned core, uint64_t begin,
                       uint64_t end, uint32_t site);
  /// Reports that the scratchpad of `core` became too small by `bytes` more.
  void reportOverflow(const Instance &self, unsigned core, uint64_t bytes,
                      uint32_t site);

  /// Whether the next `count` instructions of `self`, which make `bytes` bytes
  /// of tensors and take up to `cost` ticks, may run as one: nothing of a run
  /// shows that happens between them.
  bool canJoin(const Instance &self, uint64_t count, uint64_t cost,
               uint64_t bytes) const;
  /// Counts `count` instructions that ran as one, except the first.
  void join(Instance &self, uint64_t count) {
    ticks += count - 1;
    self.instructions += count - 1;
    slice -= count - 1;
  }

  /// Notes that `slot`, which has a probe, was defined on `self`. Costs no
  /// budget.
  void capture(Instance &self, unsigned probe, Slot slot, mlir::Type type);

  const Site &site(uint32_t index) const { return program.sites[index]; }
  bool isHandle(int64_t value) const {
    return value >= 0 && uint64_t(value) < program.units.size();
  }
  /// "tile 3", "unit 'C0-sfu'", with loop values.
  std::string describe(const Instance &self) const;

  /// Bytes of the pages of memories and of what the race check notes of them.
  uint64_t storageBytes() const {
    return memory.pageBytes() + (detectRaces ? races.bytes() : 0);
  }
  /// What takes them, in words.
  std::string describeStorage() const;

  std::shared_ptr<const Program> owner;
  const ProgramImpl &program;
  Memory &memory;
  const RunOptions options;
  RunStatus status = RunStatus::Running;
  std::vector<Finding> findings;
  std::vector<TraceEvent> events;
  bool traceIsFull = false;
  /// Of each of the requests in `options`.
  std::vector<CapturedValue> captured;
  /// Outlives the instances, as the accounts do, for their tensors.
  BufferPool pool;
  /// Outlives the instances, whose tensors are charged here.
  std::vector<ScratchAccount> accounts;
  std::vector<std::unique_ptr<Instance>> instances;
  /// By number of the exchange (level ktir).
  std::vector<ExchangeState> exchanges;
  std::unordered_map<int64_t, int64_t> symbols;
  RaceDetector races;
  bool detectRaces = false;
  numerics::Scratch scratch;
  /// Of the access under way.
  Sticks sticks;
  /// Budget spent.
  uint64_t ticks = 0;
  /// Children of the host that have not finished.
  unsigned liveChildren = 0;
  llvm::SmallVector<Instance *, 1> joining;
  uint64_t scratchpadTop = 0; ///< past the last scratchpad byte written

private:
  Instance *pick();
  /// Executes the instruction at the program counter of `self`.
  Outcome execute(Instance &self, const Instruction &instruction) {
    ++ticks;
    Outcome outcome = instruction.run(self, instruction);
    if (outcome == Outcome::Block)
      return outcome;
    if (!self.unfinished)
      ++self.instructions;
    if (self.wait.kind != Wait::Kind::None) {
      event(self, "wait", self.waitBegin, 0, instruction.site);
      self.wait = Wait();
    }
    if (outcome == Outcome::Next)
      ++self.pc;
    return outcome;
  }
  void finish(Instance &self);
  /// Ends a run of which no instance can go on.
  void conclude();
  void end();
  void deadlock();
  void reportUnconsumed();
  void stopAtLimit();
  uint64_t random();

  using ChannelKey = std::pair<uint64_t, uint32_t>;
  llvm::DenseMap<ChannelKey, std::unique_ptr<Channel>> channels;
  llvm::DenseMap<uint64_t, std::unique_ptr<Semaphore>> semaphores;
  llvm::DenseMap<int64_t, Instance *> byUnit;
  std::vector<AddressSpace *> memoryCache;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> wordSizes;
  struct Count {
    unsigned seen = 0;
    size_t last = 0;
  };
  llvm::DenseMap<std::pair<uint32_t, llvm::StringRef>, Count> reported;
  Instance *current = nullptr;
  size_t cursor = ~size_t(0); ///< last instance that round robin picked
  Instance *next = nullptr;   ///< goes on before round robin does
  uint64_t slice = 0;         ///< instructions until the next pick
  uint64_t seed = 0;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_RUNTIME_H
