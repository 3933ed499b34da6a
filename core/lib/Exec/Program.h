//===- Program.h - A decoded kernel -----------------------------*- C++ -*-===//
//
// The form in which the engine runs a kernel: routines of flat instructions
// whose operands are slot numbers.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_PROGRAM_H
#define KTIR_LIB_EXEC_PROGRAM_H

#include "Machine.h"
#include "OpCost.h"
#include "Values.h"
#include "ktir/Exec/Engine.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ktir::exec {

struct Exchange;
class Instance;
struct Instruction;

/// How an instruction left its instance.
enum class Outcome : uint8_t {
  Next,  ///< go on with the following instruction
  Jump,  ///< the handler set the program counter
  Block, ///< cannot proceed; the same instruction is tried again later
  End,   ///< the routine is finished
  Fail   ///< an error ended the run
};

using Handler = Outcome (*)(Instance &, const Instruction &);

/// What an instruction refers to beyond its slots; owned by the program.
struct Payload {
  virtual ~Payload() = default;
};

struct Instruction {
  Handler run = nullptr;
  uint32_t site = 0; ///< index into ProgramImpl::sites
  uint8_t quick = 0; ///< see ScalarHandlers.h
  uint32_t a = 0, b = 0, c = 0, d = 0;
  int64_t immediate = 0;
  const Payload *payload = nullptr;

  template <typename T> const T &as() const {
    return *static_cast<const T *>(payload);
  }
};

/// The op that an instruction came from.
struct Site {
  mlir::Location location;
  llvm::StringRef name;
  OpCost cost;
};

/// Which of an instance's slot arrays a value lives in.
enum class SlotKind : uint8_t { Scalar, View, Tensor, Tile };

struct Slot {
  SlotKind kind;
  uint32_t index;
};

/// A value that a routine takes from the routine that starts it.
struct Capture {
  SlotKind kind;
  uint32_t from, to;
};

/// A loop, for reports of where an instance stands.
struct LoopRange {
  uint32_t begin, end; ///< instructions of the body
  uint32_t iv;         ///< scalar slot
};

/// One sequence of instructions: a kernel, or the program of one unit type.
struct Routine {
  std::vector<Instruction> code;
  /// Initial scalar slots; constants have their value here.
  std::vector<int64_t> scalars;
  uint32_t views = 0, tensors = 0, tiles = 0;
  /// Tensor slots that hold constants from the start.
  std::vector<std::pair<uint32_t, Tensor>> constants;
  std::vector<Capture> captures;
  std::vector<LoopRange> loops; ///< outer before inner
  /// Scalar slot of the executing unit's handle, or -1 (D-4).
  int64_t self = -1;
};

/// A handle that `dataflow.get_unit` names (D-1, D-2).
struct Unit {
  std::string name;
  std::string type; ///< lower case
  int core = -1;    ///< -1: of the device
  int corelet = -1;
  mlir::Location location;
};

/// Several units under one handle (dataflow-ir.md §6.2).
struct Group {
  llvm::SmallVector<uint32_t> members;
  /// Of a multicast group: which of the channels between its units its
  /// messages use (0 is the plain one), and who sends.
  uint32_t channel = 0;
  uint32_t producer = 0;
};

class ProgramImpl {
public:
  /// Handles from here on are groups.
  static constexpr int64_t groupBase = int64_t(1) << 40;

  ~ProgramImpl() {
    // Constants hold immortal buffers until their routine is gone.
    routines.clear();
    for (Buffer &buffer : immortals)
      buffer.destroyImmortal();
  }

  Level level = Level::Ktir;
  NumericsMode numerics = NumericsMode::Ieee;
  std::string kernelName;
  std::vector<mlir::Type> argumentTypes;
  bool argumentsAreBytes = false;
  Machine machine;
  /// Extents of the grid (level ktir).
  std::vector<int64_t> grid = {1};
  /// Number of compute tiles (level ktir).
  int64_t tiles() const {
    int64_t count = 1;
    for (int64_t extent : grid)
      count *= extent;
    return count;
  }
  /// Whether any instance ever waits for another.
  bool ordered = false;
  /// Productions with their deliveries (level ktir).
  std::vector<const Exchange *> exchanges;

  /// By probe number: whether a run has such a value.
  std::vector<bool> probed;

  std::vector<Site> sites;
  /// Routine 0 is the kernel.
  std::vector<std::unique_ptr<Routine>> routines;
  /// Scalar slots of routine 0 that receive the arguments.
  std::vector<uint32_t> argumentSlots;
  /// Indexed by handle.
  std::vector<Unit> units;
  std::vector<Group> groups;
  const Group *findGroup(int64_t handle) const {
    uint64_t index = uint64_t(handle) - groupBase;
    return index < groups.size() ? &groups[index] : nullptr;
  }

  std::vector<std::unique_ptr<Payload>> payloads;
  std::vector<Buffer> immortals;
  /// Storage of the memories that the program makes.
  std::shared_ptr<PageStore> store = std::make_shared<PageStore>();
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_PROGRAM_H
