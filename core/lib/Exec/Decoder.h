//===- Decoder.h - From ops to instructions ---------------------*- C++ -*-===//
//
// Turns functions into routines. Each dialect file registers one handler per
// op; the decoder walks blocks with a stack of its own, so that nesting costs
// no host stack.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_DECODER_H
#define KTIR_LIB_EXEC_DECODER_H

#include "Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ktir::exec {

class Decoder;
struct Exchange;

using DecodeFn = llvm::LogicalResult (*)(Decoder &, mlir::Operation *);
/// Op name to handler.
using DecodeTable = llvm::StringMap<DecodeFn>;

/// One per dialect file.
void addArithHandlers(DecodeTable &table);
void addAffineHandlers(DecodeTable &table);
void addAgenHandlers(DecodeTable &table);
void addControlHandlers(DecodeTable &table);
void addDataflowHandlers(DecodeTable &table);
void addKtdpHandlers(DecodeTable &table);
void addLinalgHandlers(DecodeTable &table);
void addLoopHandlers(DecodeTable &table);
void addMemrefHandlers(DecodeTable &table);
void addSpyreOpHandlers(DecodeTable &table);
void addTensorHandlers(DecodeTable &table);
void addUniformHandlers(DecodeTable &table);
void addVectorChainHandlers(DecodeTable &table);

/// The element type in the numerics library's terms; nullopt for a type that
/// the engine does not compute with.
std::optional<numerics::DType> getDType(mlir::Type type);
/// Slot array that values of `type` live in; nullopt for other types.
std::optional<SlotKind> getSlotKind(mlir::Type type);
/// Shape and element type of a tensor, builtin vector or
/// `!dataflow.custom_vector`; a default element type for any other type.
struct ShapeOf {
  llvm::SmallVector<int64_t, 4> shape;
  mlir::Type element;
};
ShapeOf getShape(mlir::Type type);

/// Units that `value` stands for: one unit, or the members of a group. Empty
/// when it is not known before the run.
llvm::SmallVector<uint32_t> getUnits(Decoder &decoder, mlir::Value value);

/// True for an instruction that ends the life of a tensor slot's value.
bool isTensorDrop(const Instruction &instruction);

class Decoder {
public:
  Decoder(ProgramImpl &program, mlir::ModuleOp module,
          llvm::ArrayRef<Probe> probes);

  /// Decodes `kernel` as routine 0.
  llvm::LogicalResult run(mlir::func::FuncOp kernel);

  //===--- For handlers -------------------------------------------------===//

  ProgramImpl &program;

  /// Appends an instruction of `op`; the reference is valid until the next.
  Instruction &emit(mlir::Operation *op, Handler handler);
  /// Appends a jump to the instruction `target`, which may be set later as its
  /// `immediate`; returns its position.
  uint32_t emitJump(mlir::Operation *op, uint32_t target = 0);
  /// Position of the next instruction.
  uint32_t here() const { return routine->code.size(); }
  Instruction &at(uint32_t position) { return routine->code[position]; }
  Routine &current() { return *routine; }
  uint32_t siteOf(mlir::Operation *op);

  template <typename T> T *makePayload() {
    auto owned = std::make_unique<T>();
    T *payload = owned.get();
    program.payloads.push_back(std::move(owned));
    return payload;
  }

  /// Slot that holds `value`, which was defined or is captured from the
  /// routine that starts this one.
  uint32_t use(mlir::Value value);
  /// A slot for the result or block argument `value`.
  uint32_t define(mlir::Value value);
  /// Lets `value` share the slot of another.
  void alias(mlir::Value value, mlir::Value of);
  void alias(mlir::Value value, uint32_t slot);
  /// A scalar slot that holds `value` from the start.
  uint32_t constantSlot(int64_t value);
  /// Defines a scalar that is known now.
  void defineConstant(mlir::Value value, int64_t constant);
  /// The value of a scalar that is known now.
  std::optional<int64_t> getConstant(mlir::Value value) const;
  /// A new scalar slot that belongs to no SSA value.
  uint32_t newScalar();
  uint32_t newTensor() { return routine->tensors++; }
  /// Makes `data` a constant tensor that `value` holds from the start.
  void defineTensor(mlir::Value value, Buffer data);

  /// A tensor op whose instruction may run together with its neighbours.
  struct ElementwiseOp {
    uint32_t position;
    mlir::Operation *op;
  };
  /// Notes that the next instruction is that of `op`, which may be elementwise.
  void noteElementwise(mlir::Operation *op) {
    if (program.level == Level::Ktir)
      elementwise.push_back({here(), op});
  }
  /// In the order of their instructions.
  std::vector<ElementwiseOp> elementwise;

  /// True when the tensor `value` is not used after `op`, which is being
  /// decoded.
  bool dies(mlir::Value value, mlir::Operation *op) const;

  /// Emits copies of `from` into the slots `to` (one kind each), as if at
  /// once. `last` values die here, so that their buffers move.
  void moveAll(mlir::Operation *op, llvm::ArrayRef<mlir::Value> from,
               llvm::ArrayRef<uint32_t> to);

  /// Decodes `block` next, without its terminator; `onExit` runs after its
  /// last op.
  using OnExit = std::function<llvm::LogicalResult()>;
  void enter(mlir::Block *block, OnExit onExit);

  /// Makes the host wait for the units that `body`, a function's block, starts
  /// (spec §12); nothing when it starts none.
  void emitJoin(mlir::Operation *op, mlir::Block *body);

  /// Opens a routine of its own for the units started by `op`; what is decoded
  /// until leaveRoutine() goes there.
  uint32_t enterRoutine();
  void leaveRoutine();
  bool inUnitProgram() const { return routines.size() > 1; }

  /// The function with a body that `name` means in `from`'s module tree.
  mlir::func::FuncOp resolve(mlir::Operation *from, llvm::StringRef name);
  /// Functions being inlined right now.
  llvm::SmallVector<mlir::Operation *> callStack;

  /// Whether a view may become part of a distributed one.
  bool hasDistributedViews = false;
  /// What each decoded production takes part in.
  llvm::DenseMap<mlir::Operation *, Exchange *> exchanges;

  /// Handle of the unit `name`, made on first use.
  uint32_t internUnit(const Unit &unit);
  llvm::StringMap<uint32_t> unitNumbers;

  /// Error of an op for which this engine has no meaning.
  llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);

private:
  struct Frame {
    mlir::Block::iterator next, end;
    OnExit onExit;
    /// Tensor values to drop after an op of this block.
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> dying;
    mlir::Operation *last = nullptr; ///< decoded before `next`
    mlir::Block *block = nullptr;
    bool isBegun = false;
  };
  struct RoutineState {
    Routine *routine;
    llvm::DenseMap<mlir::Value, Slot> slots;
    /// Of any number that a text has; a DenseMap keeps two for itself.
    std::unordered_map<int64_t, uint32_t> constants;
  };

  llvm::LogicalResult drain();
  void planDeaths(mlir::Block *block, Frame &frame);
  void dropDead(Frame &frame);
  /// Emits the probes of `values`, which are defined from here on.
  void emitProbes(mlir::Operation *op, mlir::ValueRange values);

  mlir::ModuleOp module;
  DecodeTable handlers;
  std::vector<RoutineState> routines;
  Routine *routine = nullptr;
  std::vector<Frame> frames;
  llvm::DenseMap<mlir::Value, int64_t> known;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> probes;
  llvm::DenseMap<mlir::Operation *, uint32_t> sites;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_DECODER_H
