//===- Decoder.cpp - From ops to instructions -----------------------------===//

#include "Decoder.h"

#include "ScalarHandlers.h"

#include "Fusion.h"
#include "Runtime.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/Legality.h"
#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

/// Most instructions of a program: a kernel that calls one function from very
/// many places is refused rather than unrolled.
static constexpr size_t maxInstructions = size_t(1) << 20;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<ktir::numerics::DType> ktir::exec::getDType(Type type) {
  using numerics::DType;
  if (type.isIndex())
    return DType::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return DType::I1;
    case 4:
      return DType::I4;
    case 8:
      return DType::I8;
    case 16:
      return DType::I16;
    case 32:
      return DType::I32;
    case 64:
      return DType::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (isa<spyreop::DF16Type>(type))
    return DType::DF16;
  if (Type component = spyreop::getScalarType(type))
    return numerics::getPairType(*getDType(component));
  return std::nullopt;
}

std::optional<SlotKind> ktir::exec::getSlotKind(Type type) {
  if (auto argument = dyn_cast<ktdp::RuntimeArgType>(type))
    type = argument.getUnderlyingType();
  if (getDType(type))
    return SlotKind::Scalar;
  if (isa<MemRefType>(type))
    return SlotKind::View;
  if (isa<ktdp::AccessTileType>(type))
    return SlotKind::Tile;
  if (isa<RankedTensorType, VectorType>(type) ||
      isa<dataflow::CustomVectorType>(type))
    return SlotKind::Tensor;
  return std::nullopt;
}

ShapeOf ktir::exec::getShape(Type type) {
  ShapeOf result;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    result.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    result.element = shaped.getElementType();
  } else if (auto custom = dyn_cast<dataflow::CustomVectorType>(type)) {
    result.shape.push_back(custom.getLength());
    result.element = custom.getElementType();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Decoder
//===----------------------------------------------------------------------===//

namespace {
struct ProbePayload : Payload {
  Type type;
};
} // namespace

static Outcome runEnd(Instance &, const Instruction &) { return Outcome::End; }

static Outcome runDrop(Instance &self, const Instruction &instruction) {
  self.tensors[instruction.a] = Tensor();
  return Outcome::Next;
}

bool ktir::exec::isTensorDrop(const Instruction &instruction) {
  return instruction.run == runDrop;
}

static Outcome runDropTile(Instance &self, const Instruction &instruction) {
  self.tiles[instruction.a] = Tile();
  return Outcome::Next;
}

static Outcome runMoveView(Instance &self, const Instruction &instruction) {
  self.views[instruction.a] = self.views[instruction.b];
  return Outcome::Next;
}

static Outcome runMoveTile(Instance &self, const Instruction &instruction) {
  self.tiles[instruction.a] = self.tiles[instruction.b];
  return Outcome::Next;
}

/// `immediate` tells that the source dies.
static Outcome runMoveTensor(Instance &self, const Instruction &instruction) {
  Tensor &from = self.tensors[instruction.b];
  if (instruction.immediate)
    self.tensors[instruction.a] = std::move(from);
  else
    self.tensors[instruction.a] = from;
  return Outcome::Next;
}

Decoder::Decoder(ProgramImpl &program, ModuleOp module, ArrayRef<Probe> asked)
    : program(program), module(module) {
  for (const Probe &probe : asked)
    probes[probe.value].push_back(probe.number);
  addArithHandlers(handlers);
  addAffineHandlers(handlers);
  addAgenHandlers(handlers);
  addControlHandlers(handlers);
  addDataflowHandlers(handlers);
  addKtdpHandlers(handlers);
  addLinalgHandlers(handlers);
  addMemrefHandlers(handlers);
  addSpyreOpHandlers(handlers);
  addTensorHandlers(handlers);
  addUniformHandlers(handlers);
  addVectorChainHandlers(handlers);
}

LogicalResult Decoder::unsupported(Operation *op, const Twine &what) {
  return op->emitError() << "cannot be executed: " << what.str();
}

uint32_t Decoder::siteOf(Operation *op) {
  auto [it, isNew] = sites.try_emplace(op, program.sites.size());
  if (isNew)
    program.sites.push_back(
        {op->getLoc(), op->getName().getIdentifier().getValue(),
         program.level == Level::Ktir ? OpCost::get(op) : OpCost()});
  return it->second;
}

Instruction &Decoder::emit(Operation *op, Handler handler) {
  Instruction instruction;
  instruction.run = handler;
  instruction.quick = uint8_t(getQuick(handler));
  instruction.site = siteOf(op);
  routine->code.push_back(instruction);
  return routine->code.back();
}

uint32_t Decoder::emitJump(Operation *op, uint32_t target) {
  emit(op, runJump).immediate = target;
  return here() - 1;
}

uint32_t Decoder::enterRoutine() {
  program.routines.push_back(std::make_unique<Routine>());
  routine = program.routines.back().get();
  routines.emplace_back();
  routines.back().routine = routine;
  return program.routines.size() - 1;
}

void Decoder::leaveRoutine() {
  routines.pop_back();
  routine = routines.empty() ? nullptr : routines.back().routine;
}

uint32_t Decoder::newScalar() {
  routine->scalars.push_back(0);
  return routine->scalars.size() - 1;
}

uint32_t Decoder::constantSlot(int64_t value) {
  auto [it, isNew] = routines.back().constants.try_emplace(value, 0);
  if (isNew) {
    it->second = newScalar();
    routine->scalars[it->second] = value;
  }
  return it->second;
}

void Decoder::defineConstant(Value value, int64_t constant) {
  known[value] = constant;
  routines.back().slots[value] = {SlotKind::Scalar, constantSlot(constant)};
}

std::optional<int64_t> Decoder::getConstant(Value value) const {
  auto it = known.find(value);
  if (it == known.end())
    return std::nullopt;
  return it->second;
}

uint32_t Decoder::define(Value value) {
  SlotKind kind = getSlotKind(value.getType()).value_or(SlotKind::Scalar);
  uint32_t index = 0;
  switch (kind) {
  case SlotKind::Scalar:
    index = newScalar();
    break;
  case SlotKind::View:
    index = routine->views++;
    break;
  case SlotKind::Tensor:
    index = routine->tensors++;
    break;
  case SlotKind::Tile:
    index = routine->tiles++;
    break;
  }
  known.erase(value);
  routines.back().slots[value] = {kind, index};
  return index;
}

void Decoder::defineTensor(Value value, Buffer data) {
  uint32_t slot = define(value);
  Tensor tensor;
  tensor.shape = getShape(value.getType()).shape;
  tensor.data = data;
  data.makeImmortal();
  program.immortals.push_back(data);
  routine->constants.push_back({slot, std::move(tensor)});
}

void Decoder::alias(Value value, uint32_t slot) {
  known.erase(value);
  routines.back().slots[value] = {
      getSlotKind(value.getType()).value_or(SlotKind::Scalar), slot};
}

void Decoder::alias(Value value, Value of) {
  uint32_t slot = use(of);
  std::optional<int64_t> constant = getConstant(of);
  alias(value, slot);
  if (constant)
    known[value] = *constant;
}

uint32_t Decoder::use(Value value) {
  auto &slots = routines.back().slots;
  auto it = slots.find(value);
  if (it != slots.end())
    return it->second.index;
  if (std::optional<int64_t> constant = getConstant(value))
    return constantSlot(*constant);
  if (routines.size() > 1) {
    // A value of the host that the unit program refers to.
    auto &outer = routines[routines.size() - 2].slots;
    auto found = outer.find(value);
    if (found != outer.end()) {
      Slot from = found->second;
      uint32_t to = define(value);
      routine->captures.push_back({from.kind, from.index, to});
      return to;
    }
  }
  // A value of an op that failed to decode, or of a kind without a run-time
  // form; the op that uses it reports.
  return define(value);
}

void Decoder::moveAll(Operation *op, ArrayRef<Value> from,
                      ArrayRef<uint32_t> to) {
  auto handlerOf = [](SlotKind kind) -> Handler {
    switch (kind) {
    case SlotKind::Scalar:
      return runMoveScalar;
    case SlotKind::View:
      return runMoveView;
    case SlotKind::Tensor:
      return runMoveTensor;
    case SlotKind::Tile:
      return runMoveTile;
    }
    return nullptr;
  };
  struct Move {
    SlotKind kind;
    uint32_t from, to;
    bool dies;
  };
  SmallVector<Move, 4> moves;
  for (auto [index, target] : llvm::enumerate(to)) {
    Value value = from[index];
    uint32_t source = use(value);
    if (source == target)
      continue;
    Operation *def = value.getDefiningOp();
    // Deaths are planned for the ops of a block; what its terminator reads
    // dies with the block.
    bool dies = op->hasTrait<OpTrait::IsTerminator>()
                    ? value.getParentBlock() == op->getBlock()
                    : this->dies(value, op);
    // A loop's body may use what its first iteration starts from.
    bool isUsedInside = llvm::any_of(value.getUsers(), [&](Operation *user) {
      return op->isProperAncestor(user);
    });
    dies &= llvm::count(from, value) == 1 && !isUsedInside &&
            !(def && def->hasTrait<OpTrait::ConstantLike>());
    moves.push_back({*getSlotKind(value.getType()), source, target, dies});
  }
  // A source that an earlier move overwrites is saved first.
  for (size_t i = 0; i < moves.size(); ++i) {
    Move &move = moves[i];
    bool overwritten =
        llvm::any_of(ArrayRef(moves).take_front(i), [&](const Move &earlier) {
          return earlier.kind == move.kind && earlier.to == move.from;
        });
    if (!overwritten)
      continue;
    uint32_t saved = 0;
    switch (move.kind) {
    case SlotKind::Scalar:
      saved = newScalar();
      break;
    case SlotKind::View:
      saved = routine->views++;
      break;
    case SlotKind::Tensor:
      saved = routine->tensors++;
      break;
    case SlotKind::Tile:
      saved = routine->tiles++;
      break;
    }
    Instruction &save = emit(op, handlerOf(move.kind));
    save.a = saved;
    save.b = move.from;
    move.from = saved;
    move.dies = true;
  }
  for (const Move &move : moves) {
    Instruction &copy = emit(op, handlerOf(move.kind));
    copy.a = move.to;
    copy.b = move.from;
    copy.immediate = move.dies;
  }
}

bool Decoder::dies(Value value, Operation *op) const {
  if (frames.empty())
    return false;
  auto it = frames.back().dying.find(op);
  return it != frames.back().dying.end() &&
         llvm::is_contained(it->second, value);
}

/// Ends a program: all its units have to finish before the host goes on.
static Outcome runJoin(Instance &self, const Instruction &) {
  if (self.run.liveChildren)
    return self.run.block(self, {Wait::Kind::Children}, self.run.joining);
  self.run.endProgram();
  return Outcome::Next;
}

void Decoder::emitJoin(Operation *op, Block *body) {
  WalkResult found = body->walk(
      [](dataflow::ProgramUnitOp) { return WalkResult::interrupt(); });
  if (found.wasInterrupted())
    emit(op, runJoin);
}

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

/// a: slot; b: probe number; immediate: kind of the slot; payload: the type.
static Outcome runProbe(Instance &self, const Instruction &instruction) {
  self.run.capture(self, instruction.b,
                   {SlotKind(instruction.immediate), instruction.a},
                   instruction.as<ProbePayload>().type);
  return Outcome::Next;
}

void Decoder::emitProbes(Operation *op, ValueRange values) {
  if (probes.empty())
    return;
  for (Value value : values) {
    auto found = probes.find(value);
    std::optional<SlotKind> kind = getSlotKind(value.getType());
    if (found == probes.end() || !kind ||
        !(routines.back().slots.count(value) || known.count(value)))
      continue;
    for (unsigned number : found->second) {
      auto *payload = makePayload<ProbePayload>();
      payload->type = value.getType();
      uint32_t slot = use(value);
      Instruction &probe = emit(op, runProbe);
      probe.a = slot;
      probe.b = number;
      probe.immediate = int64_t(*kind);
      probe.payload = payload;
      if (program.probed.size() <= number)
        program.probed.resize(number + 1);
      program.probed[number] = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Whether `value` keeps a tensor alive: it is one, or an access tile of one.
static bool holdsTensor(Value value) {
  if (auto tile = value.getDefiningOp();
      tile && isa<ktdp::AccessTileType>(value.getType()))
    return tile->getNumOperands() > 0 &&
           isa<TensorType>(tile->getOperand(0).getType());
  return getSlotKind(value.getType()) == SlotKind::Tensor;
}

/// Finds after which op of `block` each value dies that keeps a tensor alive.
void Decoder::planDeaths(Block *block, Frame &frame) {
  if (program.level == Level::Dataflow)
    return;
  auto plan = [&](Value value) {
    if (!holdsTensor(value))
      return;
    Operation *last = value.getDefiningOp();
    if (last && last->hasTrait<OpTrait::ConstantLike>())
      return;
    for (Operation *user : value.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here && (!last || last->isBeforeInBlock(here)))
        last = here;
    }
    if (last && !last->hasTrait<OpTrait::IsTerminator>())
      frame.dying[last].push_back(value);
  };
  for (BlockArgument argument : block->getArguments())
    plan(argument);
  for (Operation &op : *block)
    for (Value result : op.getResults())
      plan(result);
}

void Decoder::enter(Block *block, OnExit onExit) {
  Frame frame;
  frame.block = block;
  frame.next = block->begin();
  frame.end = block->end();
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    frame.end = std::prev(block->end());
  frame.onExit = std::move(onExit);
  planDeaths(block, frame);
  frames.push_back(std::move(frame));
}

void Decoder::dropDead(Frame &frame) {
  if (!frame.last)
    return;
  emitProbes(frame.last, frame.last->getResults());
  auto it = frame.dying.find(frame.last);
  if (it != frame.dying.end())
    for (Value value : it->second)
      emit(frame.last,
           isa<ktdp::AccessTileType>(value.getType()) ? runDropTile : runDrop)
          .a = use(value);
  frame.last = nullptr;
}

/// Refuses results that no memory holds, before anything is allocated. The
/// limit is far above a scratchpad and far below what wraps around.
static LogicalResult checkTensorSizes(Operation *op) {
  constexpr int64_t largest = maxTensorElements;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      continue;
    int64_t elements = 1;
    for (int64_t extent : tensor.getShape()) {
      if (extent != 0 && elements > largest / extent)
        return op->emitError()
               << "cannot be executed: expected a tensor of at most " << largest
               << " elements, but found " << tensor
               << "; work on smaller tiles";
      elements *= extent;
    }
  }
  return success();
}

LogicalResult Decoder::drain() {
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (!std::exchange(frame.isBegun, true))
      emitProbes(frame.block->getParentOp(), frame.block->getArguments());
    dropDead(frame);
    if (frame.next == frame.end) {
      OnExit onExit = std::move(frame.onExit);
      frames.pop_back();
      if (failed(onExit()))
        return failure();
      continue;
    }
    Operation *op = &*frame.next++;
    frame.last = op;
    auto handler = handlers.find(op->getName().getStringRef());
    if (handler == handlers.end())
      return op->emitError()
             << "op '" << op->getName().getStringRef()
             << "' cannot be executed: the engine has no handler for it";
    if (failed(checkTensorSizes(op)) || failed(handler->second(*this, op)))
      return failure();
    if (routine->code.size() > maxInstructions)
      return unsupported(op, "the program has more than " +
                                 Twine(maxInstructions) + " instructions");
  }
  return success();
}

func::FuncOp Decoder::resolve(Operation *from, StringRef name) {
  // The definition in the nearest enclosing module, else the only one.
  for (Operation *scope = from->getParentOfType<ModuleOp>(); scope;
       scope = scope->getParentOfType<ModuleOp>())
    for (func::FuncOp function : cast<ModuleOp>(scope).getOps<func::FuncOp>())
      if (function.getSymName() == name && !function.isExternal())
        return function;
  func::FuncOp only;
  bool ambiguous = false;
  module.walk([&](func::FuncOp function) {
    if (function.getSymName() != name || function.isExternal())
      return;
    ambiguous |= bool(only);
    only = function;
  });
  return ambiguous ? func::FuncOp() : only;
}

uint32_t Decoder::internUnit(const Unit &unit) {
  auto [it, isNew] = unitNumbers.try_emplace(unit.name, program.units.size());
  if (isNew)
    program.units.push_back(unit);
  return it->second;
}

LogicalResult Decoder::run(func::FuncOp kernel) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return kernel.emitError() << "cannot be executed: expected a body of one "
                                 "block, found "
                              << kernel.getBody().getBlocks().size();
  enterRoutine();
  for (BlockArgument argument : kernel.getArguments()) {
    if (getSlotKind(argument.getType()) != SlotKind::Scalar)
      return kernel.emitError()
             << "cannot be executed: argument " << argument.getArgNumber()
             << " of type " << argument.getType()
             << ", expected an index, an integer or a float";
    program.argumentTypes.push_back(argument.getType());
    program.argumentSlots.push_back(define(argument));
  }
  module.walk([&](ktdp::ConstructDistributedMemoryViewOp) {
    hasDistributedViews = true;
    return WalkResult::interrupt();
  });
  callStack.push_back(kernel);
  enter(&kernel.getBody().front(), [this, kernel]() mutable {
    Block *body = &kernel.getBody().front();
    emitJoin(body->getTerminator(), body);
    emit(body->getTerminator(), runEnd);
    return success();
  });
  if (failed(drain()))
    return failure();
  fuseElementwise(*this);
  leaveRoutine();
  return success();
}

//===----------------------------------------------------------------------===//
// decode
//===----------------------------------------------------------------------===//

/// The kernel that `name` means in `module`, or null with a diagnostic.
static func::FuncOp findKernel(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> defined;
  llvm::StringMap<unsigned> called;
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      if (!function.isExternal())
        defined.push_back(function);
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      ++called[call.getCallee()];
    }
  });
  SmallVector<func::FuncOp> candidates;
  for (func::FuncOp function : defined)
    if (name.empty() ? !called.count(function.getSymName())
                     : function.getSymName() == name)
      candidates.push_back(function);
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty()) {
    if (name.empty())
      module.emitError() << "cannot be executed: the module holds no kernel";
    else
      module.emitError() << "cannot be executed: no function with a body is "
                            "called '"
                         << name << "'";
    return nullptr;
  }
  auto diagnostic = module.emitError() << "cannot be executed: ";
  if (name.empty())
    diagnostic << "no kernel was named and the module holds "
               << candidates.size();
  else
    diagnostic << "'" << name << "' means " << candidates.size()
               << " functions";
  for (func::FuncOp function : candidates)
    diagnostic.attachNote(function.getLoc())
        << "'" << function.getSymName() << "'";
  return nullptr;
}

static LogicalResult readGrid(func::FuncOp kernel, ProgramImpl &program) {
  if (!kernel->hasAttr("grid"))
    return success();
  FailureOr<SmallVector<int64_t>> grid = ktdp::getGrid(kernel);
  if (failed(grid))
    return failure();
  int64_t tiles = 1;
  for (int64_t extent : *grid)
    if (extent > program.machine.cores ||
        (tiles *= extent) > program.machine.cores)
      return kernel.emitError() << "the grid has more tiles than the device's "
                                << program.machine.cores << " cores (MF-4)";
  program.grid.assign(grid->begin(), grid->end());
  return success();
}

std::shared_ptr<const Program>
ktir::exec::decode(ModuleOp module, StringRef kernel, const Device &device,
                   const DecodeOptions &options) {
  auto program = std::make_unique<ProgramImpl>();
  program->level = options.level;
  program->numerics = options.numerics;
  program->machine = Machine::get(device);
  if (options.level != Level::Ktir && options.level != Level::Dataflow) {
    module.emitError() << "cannot be executed: the engine runs the levels "
                          "'ktir' and 'dataflow'";
    return nullptr;
  }
  func::FuncOp function = findKernel(module, kernel);
  if (!function)
    return nullptr;
  program->kernelName = function.getSymName().str();
  if (options.level == Level::Ktir) {
    if (failed(readGrid(function, *program)))
      return nullptr;
  } else {
    program->ordered = true;
    auto unit = function->getAttrOfType<StringAttr>("addr_unit");
    program->argumentsAreBytes = !unit || unit.getValue() != "element";
  }
  if (failed(Decoder(*program, module, options.probes).run(function)))
    return nullptr;
  return std::make_shared<const Program>(std::move(program));
}

Program::Program(std::unique_ptr<const ProgramImpl> impl)
    : state(std::move(impl)) {}
Program::~Program() = default;
Level Program::level() const { return state->level; }
StringRef Program::kernelName() const { return state->kernelName; }
ArrayRef<Type> Program::argumentTypes() const { return state->argumentTypes; }
unsigned Program::tiles() const {
  return state->level == Level::Ktir ? state->tiles() : 0;
}
std::vector<std::string> Program::units() const {
  std::vector<std::string> names;
  for (const Unit &unit : state->units)
    names.push_back(unit.name);
  return names;
}
bool Program::isProbed(unsigned probe) const {
  return probe < state->probed.size() && state->probed[probe];
}
bool Program::argumentsAreBytes() const { return state->argumentsAreBytes; }
std::unique_ptr<Memory> Program::makeMemory() const {
  const Machine &machine = state->machine;
  return std::make_unique<Memory>(machine.deviceBytes, machine.cores,
                                  machine.scratchpadBytes, state->store);
}
