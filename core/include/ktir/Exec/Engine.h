//===- Engine.h - The engine that runs every level --------------*- C++ -*-===//
//
// A kernel is decoded once into flat instruction arrays (`decode`) and then run
// any number of times (`Run`), each time with other memory, arguments and
// options.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_ENGINE_H
#define KTIR_EXEC_ENGINE_H

#include "ktir/Exec/Cost.h"
#include "ktir/Exec/Memory.h"
#include "ktir/Exec/Numerics/BlockProgram.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ktir {
class Device;
} // namespace ktir

namespace ktir::exec {

/// The languages that the engine runs (design §3).
enum class Level : uint8_t { Ktir, Schedule, Units, Dataflow, Container };

/// `Ieee`: f16 is IEEE half. `Device`: an f16 element in memory is a DL16 code
/// and every f16 result is rounded to DL16; who fills and reads memory converts
/// (`halfToDl16`, `dl16ToHalf` of Numerics/Float16.h).
using numerics::NumericsMode;

/// A value of the decoded module that runs can capture, under a number that
/// several values may share.
struct Probe {
  mlir::Value value;
  unsigned number = 0;
};

struct DecodeOptions {
  Level level = Level::Ktir;
  NumericsMode numerics = NumericsMode::Ieee;
  /// Probes change nothing of what a run does and counts.
  llvm::ArrayRef<Probe> probes;
};

class ProgramImpl;

/// A decoded kernel. Immutable; any number of runs may share it. It refers to
/// types and locations of the MLIR context, which must outlive it, but not to
/// the module it was decoded from nor to the device description.
class Program {
public:
  explicit Program(std::unique_ptr<const ProgramImpl> impl);
  ~Program();

  Level level() const;
  /// Name of the kernel function.
  llvm::StringRef kernelName() const;
  /// Types of the kernel's arguments, in order.
  llvm::ArrayRef<mlir::Type> argumentTypes() const;
  /// True when a pointer argument counts bytes: DataflowIR text whose kernel
  /// function has no `addr_unit = "element"`. Otherwise it is an element index
  /// (spec D2).
  bool argumentsAreBytes() const;
  /// Compute tiles (level ktir), 0 at any other level.
  unsigned tiles() const;
  /// Names of the units that the program gets (level dataflow).
  std::vector<std::string> units() const;
  /// Whether a value with the probe number `probe` exists in a run: not when
  /// all of them are computed element by element inside another op, or have no
  /// run-time form.
  bool isProbed(unsigned probe) const;
  /// Memories of the size that the device description gives, all unwritten.
  std::unique_ptr<Memory> makeMemory() const;

  const ProgramImpl &impl() const { return *state; }

private:
  std::unique_ptr<const ProgramImpl> state;
};

/// Decodes `kernel` (empty: the only one; spec E-1 at level dataflow) of
/// `module` for `options.level`. Null on failure, with diagnostics on the ops:
/// an op that the engine does not know is an error that names it. `device` is
/// read during the call only.
std::shared_ptr<const Program> decode(mlir::ModuleOp module,
                                      llvm::StringRef kernel,
                                      const Device &device,
                                      const DecodeOptions &options);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

enum class FindingSeverity : uint8_t { Error, Warning };

struct FindingNote {
  mlir::Location location;
  std::string message;
};

/// Something a run found wrong. `message` names the tile or unit and the
/// coordinate or address; `rule` is the spec's rule id (`E-7`), empty where
/// there is none.
struct Finding {
  FindingSeverity severity;
  mlir::Location location;
  std::string message;
  std::string rule;
  llvm::SmallVector<FindingNote, 1> notes;
};

/// What an access outside a view does (ktir.md §4.3): reads zero and is not
/// written, with a warning, or is an error.
enum class OutOfViewPolicy : uint8_t { Pad, Trap };

/// Value of one kernel argument: `integer` for index and integer types,
/// `real` for float types.
struct ScalarArgument {
  int64_t integer = 0;
  double real = 0;
};

/// Asks for the values of a probe on one instance.
struct CaptureRequest {
  unsigned probe = 0;
  /// Level ktir: the compute tile.
  unsigned tile = 0;
  /// Level dataflow: name of the unit; empty: the host's side.
  std::string unit;
  /// Which of the times that the value is defined, from 1; absent: the last.
  std::optional<uint64_t> execution;
};

/// A copy of one value.
struct CapturedValue {
  enum class Kind : uint8_t {
    None,      ///< never defined, or not as often as asked for
    Scalar,    ///< `data` holds one element
    Tensor,    ///< `data` holds the elements of `shape`, row-major
    Undefined, ///< a tensor whose elements are undefined (UP-2)
    ForOthers, ///< what a delivery gives a tile that it does not serve
    Words      ///< a view or an access tile, told in `words`
  };
  Kind kind = Kind::None;
  /// How often the value was defined on the instance so far.
  uint64_t executions = 0;
  mlir::Type type; ///< null for `None`
  /// Of scalars and tensors.
  std::optional<numerics::DType> element;
  llvm::SmallVector<int64_t, 4> shape;
  /// As in memory: of scalars the 64-bit slot, integers sign-extended.
  std::vector<uint8_t> data;
  std::string words;
};

struct RunOptions {
  /// Look for unwritten reads, races, overhanging accesses, full scratchpads,
  /// messages and signals left over. What cannot be executed (an address
  /// outside memory, a division by zero, a deadlock) is always an error.
  bool checks = true;
  OutOfViewPolicy outOfView = OutOfViewPolicy::Pad;
  /// Absent: round robin, each instance until it blocks or ends (E-4).
  /// Otherwise the seed of a random fair interleaving of instructions.
  std::optional<uint64_t> interleaving;
  /// Overrides the depth, in messages, of every channel.
  std::optional<unsigned> channelDepth;
  bool trace = false;
  /// Instructions (of `advance`'s budget) after which the run ends with an
  /// error; 0: never.
  uint64_t limit = 0;
  /// Most bytes that pages of memory and what the race check notes of them may
  /// take: what a host can hold. An access that makes more ends the run, as one
  /// does that gets none from the host.
  uint64_t maxPageBytes =
      sizeof(void *) == 4 ? uint64_t(3) << 29 : uint64_t(1) << 34;
  /// Findings of one rule at one op beyond this number are only counted; one
  /// more finding at the end tells how many.
  unsigned findingsPerOp = 8;
  std::vector<CaptureRequest> captures;
};

enum class RunStatus : uint8_t { Running, Finished, Failed };

/// Totals of one instance: a compute tile, or a unit at level dataflow.
struct InstanceCounters {
  std::string name; ///< "tile 3", "C0-mnilu"
  uint64_t instructions = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< device memory
  uint64_t scratchpadRead = 0, scratchpadWritten = 0;
  uint64_t elements = 0; ///< results of arithmetic on tensors and vectors
  uint64_t messages = 0; ///< sends
  /// Most bytes that were in its scratchpad at once (level ktir).
  uint64_t scratchpadPeak = 0;
  CostCounters cost; ///< level ktir
};

/// Something that takes room in a scratchpad: a live tensor, or a view on it.
struct ScratchpadUse {
  mlir::Location location; ///< of the op that made it
  llvm::StringRef op;
  uint64_t bytes;
};

/// Events that a trace has at most; a warning says when it is full.
inline constexpr size_t maxTraceEvents = 1'000'000;

/// One thing that one instance did, in ticks of the run (one tick is one
/// instruction of budget).
struct TraceEvent {
  unsigned instance; ///< index into counters()
  const char *name;  ///< "load", "store", "compute", "send", "receive", "wait"
  uint64_t begin, end;
  uint64_t bytes;
  mlir::Location location;
  llvm::StringRef op; ///< "linalg.add"
};

/// What `Run::step` did.
struct Step {
  enum class Kind : uint8_t {
    Done,    ///< one op, the one at `location`
    Waiting, ///< the budget is used up and the instance waits for others still
    Ended    ///< the instance has nothing left to do, or the run failed
  };
  Kind kind = Kind::Ended;
  std::optional<mlir::Location> location;
  llvm::StringRef op;
};

class RunImpl;

/// One run of a program. Nothing blocks: call `advance` until it no longer
/// returns Running; destroying the object cancels.
class Run {
public:
  /// `memory` must come from `program->makeMemory()` (or one of the same
  /// sizes) and outlive the run; `arguments` are those of the kernel, in
  /// order.
  Run(std::shared_ptr<const Program> program, Memory &memory,
      std::vector<ScalarArgument> arguments, RunOptions options = {});
  ~Run();

  RunStatus status() const;
  /// Runs about `budget` instructions; one on a large block counts as one for
  /// every 64 elements. Failed once an error was found that ends the run, or
  /// at the end when any finding is an error.
  RunStatus advance(uint64_t budget);

  /// Executes one more op on `instance`, an index into counters(), or one part
  /// of an op that holds others, such as the head of a loop. While the instance
  /// waits for others they run, for about `budget` instructions.
  Step step(unsigned instance, uint64_t budget);

  /// What was captured so far, in the order of `RunOptions::captures`.
  const std::vector<CapturedValue> &captured() const;
  const std::vector<Finding> &findings() const;
  /// Instances in the order in which they were started.
  std::vector<InstanceCounters> counters() const;
  /// Budget spent so far.
  uint64_t instructionsDone() const;
  const std::vector<TraceEvent> &trace() const;
  /// Highest number of scratchpad bytes that live tensors took on any core
  /// (level ktir), or one past the highest scratchpad byte written (dataflow).
  uint64_t scratchpadPeak() const;
  /// What was in the scratchpad of `tile` at its peak (level ktir), views
  /// first, then tensors in the order in which they were made.
  std::vector<ScratchpadUse> scratchpadAtPeak(unsigned tile) const;

private:
  std::unique_ptr<RunImpl> state;
};

} // namespace ktir::exec

#endif // KTIR_EXEC_ENGINE_H
