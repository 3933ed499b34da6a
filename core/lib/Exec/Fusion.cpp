//===- Fusion.cpp - Elementwise ops that run as one -----------------------===//

#include "Fusion.h"

#include "Structured.h"

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockInput;
using ktir::numerics::BlockOutput;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Reg;

namespace {

/// What the program of a chain reads.
struct ChainInput {
  SlotKind kind = SlotKind::Tensor;
  uint32_t slot = 0;
  /// Of a tensor with the shape of the results: nothing. Of another one, its
  /// dimensions among those of the results, in ascending order.
  bool isBroadcast = false;
  SmallVector<unsigned, 4> dimensions;
  /// In a chain that broadcasts: elements from one iteration of each outer loop
  /// to the next, and from one element of a run to the next.
  SmallVector<int64_t, 4> outer;
  ptrdiff_t inner = 1;

  ChainInput() = default;
  ChainInput(SlotKind kind, uint32_t slot) : kind(kind), slot(slot) {}
  bool operator==(const ChainInput &other) const {
    return kind == other.kind && slot == other.slot &&
           isBroadcast == other.isBroadcast && dimensions == other.dimensions;
  }
};

/// What an instruction of a chain does but for its arithmetic.
struct ChainStep {
  static constexpr int inRegisters = -1;
  bool isDrop;
  uint32_t slot, site;
  unsigned elementBytes = 0;
  /// The output of the program that the result is.
  int output = inRegisters;
};

struct ChainPayload : Payload {
  Instruction first; ///< what the chain's first instruction was
  std::optional<BlockProgram> program;
  SmallVector<ChainInput, 4> inputs;
  /// One for each instruction, in their order.
  SmallVector<ChainStep, 8> steps;
  /// Initial values that no op reads, and whether they die.
  SmallVector<std::pair<uint32_t, bool>, 2> initials;
  unsigned ops = 0;     ///< steps that are no drops
  uint32_t slowest = 0; ///< site of an op with the shortest turns
  /// Of chains that broadcast, whose shape is static: loops around the run of
  /// elements that all inputs have in the same form.
  SmallVector<int64_t, 4> shape, loops;
};

} // namespace

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The shape of the results; null where an operand is not as the chain needs
/// it, so that the ops have to look at it themselves.
static const Tensor *findShape(const Instance &self,
                               const ChainPayload &chain) {
  const Tensor *like = nullptr;
  auto agrees = [&](const Tensor &tensor) {
    if (!like)
      like = &tensor;
    return llvm::equal(like->shape, tensor.shape);
  };
  for (const ChainInput &input : chain.inputs) {
    if (input.kind == SlotKind::Scalar)
      continue;
    const Tensor &tensor = self.tensors[input.slot];
    if (tensor.isUndefined() || (!input.isBroadcast && !agrees(tensor)))
      return nullptr;
  }
  for (auto [slot, dies] : chain.initials) {
    const Tensor &tensor = self.tensors[slot];
    // The op may take over the memory of one that dies.
    if (tensor.isForOthers || (dies && tensor.data) || !agrees(tensor))
      return nullptr;
  }
  if (!like || chain.shape.empty())
    return like;
  if (!llvm::equal(like->shape, chain.shape))
    return nullptr;
  for (const ChainInput &input : chain.inputs) {
    if (!input.isBroadcast)
      continue;
    const Tensor &tensor = self.tensors[input.slot];
    if (tensor.shape.size() != input.dimensions.size())
      return nullptr;
    for (auto [extent, d] : llvm::zip_equal(tensor.shape, input.dimensions))
      if (extent != chain.shape[d])
        return nullptr;
  }
  return like;
}

/// Computes the outputs of the chain.
static numerics::Fault compute(Instance &self, const ChainPayload &chain,
                               MutableArrayRef<Tensor> results, int64_t count) {
  SmallVector<BlockInput, 8> inputs;
  for (const ChainInput &input : chain.inputs)
    if (input.kind == SlotKind::Scalar)
      inputs.push_back({&self.scalars[input.slot], 0});
    else
      inputs.push_back({self.tensors[input.slot].data.data(), input.inner});
  SmallVector<BlockOutput, 4> outputs;
  for (Tensor &result : results)
    outputs.push_back({result.data.data(), 1});

  int64_t rows = 1;
  for (int64_t extent : chain.loops)
    rows *= extent;
  int64_t inner = count / rows;
  SmallVector<int64_t, 4> index(chain.loops.size(), 0);
  numerics::Fault fault = numerics::Fault::None;
  for (int64_t row = 0; row < rows; ++row) {
    if (row) {
      size_t d = index.size() - 1;
      for (; ++index[d] == chain.loops[d]; --d)
        index[d] = 0;
      for (auto [i, input] : llvm::enumerate(chain.inputs)) {
        if (input.kind == SlotKind::Scalar)
          continue;
        int64_t offset = 0;
        for (auto [at, stride] : llvm::zip_equal(index, input.outer))
          offset += at * stride;
        inputs[i].data =
            self.tensors[input.slot].data.data() +
            offset * numerics::byteSize(chain.program->getInputType(i));
      }
      for (auto [i, result] : llvm::enumerate(results))
        outputs[i].data =
            result.data.data() +
            row * inner * numerics::byteSize(chain.program->getOutputType(i));
    }
    numerics::Fault met = numerics::run(
        *chain.program, inputs.data(), outputs.data(), inner, self.run.scratch);
    if (met != numerics::Fault::None)
      fault = met;
  }
  return fault;
}

/// Runs the chain; false, with nothing done, where its ops must run one by one.
static bool runChain(Instance &self, const ChainPayload &chain) {
  const Tensor *like = findShape(self, chain);
  if (!like)
    return false;
  // Ops on more than this look at the memory of all tiles first, or take turns.
  const int64_t maxElements = std::min<int64_t>(
      int64_t(1) << 17, self.pointsPerTurn(chain.slowest, *chain.program));
  SmallVector<int64_t, 4> shape(like->shape.begin(), like->shape.end());
  int64_t count = like->elements();
  if (count == 0 || count > maxElements)
    return false;
  uint64_t bytes = 0;
  for (const ChainStep &step : chain.steps)
    bytes += step.elementBytes * count;
  if (!self.run.canJoin(self, chain.steps.size(),
                        chain.steps.size() + chain.ops * uint64_t(count) / 64,
                        bytes))
    return false;

  SmallVector<Tensor, 4> results;
  for (const ChainStep &step : chain.steps) {
    if (step.output == ChainStep::inRegisters)
      continue;
    results.emplace_back();
    results.back().shape = shape;
    results.back().data = Buffer::allocate(uint64_t(count) * step.elementBytes,
                                           nullptr, step.site, &self.run.pool);
  }
  if (compute(self, chain, results, count) != numerics::Fault::None)
    return false; // the op at fault says so

  // What comes and goes, in the order of the ops.
  SmallVector<std::pair<uint32_t, BufferBlock>, 8> phantoms;
  phantoms.reserve(chain.ops);
  for (const ChainStep &step : chain.steps) {
    if (step.isDrop) {
      auto *phantom = llvm::find_if(phantoms, [&](const auto &candidate) {
        return candidate.first == step.slot;
      });
      if (phantom != phantoms.end())
        self.account->remove(phantom->second);
      else
        self.tensors[step.slot] = Tensor();
      continue;
    }
    Tensor result;
    if (step.output == ChainStep::inRegisters) {
      phantoms.push_back(
          {step.slot,
           {self.account, nullptr, uint64_t(count) * step.elementBytes, 1,
            nullptr, nullptr, step.site}});
      self.account->add(phantoms.back().second);
    } else {
      result = std::move(results[step.output]);
      result.data.charge(*self.account);
    }
    self.compute(step.site, count, count);
    self.tensors[step.slot] = std::move(result);
  }
  self.run.join(self, chain.steps.size());
  return true;
}

Outcome ktir::exec::runFused(Instance &self, const Instruction &instruction) {
  const auto &chain = instruction.as<ChainPayload>();
  // An op that has begun by itself goes on by itself.
  if (self.unfinished || !runChain(self, chain))
    return chain.first.run(self, chain.first);
  self.pc += chain.steps.size();
  return Outcome::Jump;
}

//===----------------------------------------------------------------------===//
// Finding chains
//===----------------------------------------------------------------------===//

namespace {

/// An operand of an op that may become part of a chain.
struct OpInput {
  ChainInput at;
  DType type;
};

/// An op that may become part of a chain.
struct ChainOp {
  uint32_t position;
  Operation *op;
  RankedTensorType type; ///< of the result
  uint32_t result;
  SmallVector<OpInput, 4> inputs;
  /// Initial values that are not read.
  std::optional<std::pair<uint32_t, bool>> initial;
  /// Values in the op's body that the inputs are; empty where they are its
  /// operands.
  SmallVector<Value, 4> arguments;
};

/// Collects ops of one chain after the other.
class ChainBuilder {
public:
  explicit ChainBuilder(Decoder &decoder) : decoder(decoder) {}

  void add(ChainOp op);
  /// Ends a chain and replaces its first instruction.
  void finish();

private:
  bool canAppend(const ChainOp &op) const;
  bool splitLoops(ChainPayload &chain, RankedTensorType type) const;
  Reg getInput(BlockProgram::Builder &builder, ChainPayload &chain,
               const OpInput &input);
  Reg build(BlockProgram::Builder &builder, ArrayRef<Reg> inputs,
            const ChainOp &op);
  std::unique_ptr<ChainPayload> makePayload();

  Decoder &decoder;
  SmallVector<ChainOp, 8> ops;
  uint32_t end = 0; ///< past the drops that follow the last op
  SmallVector<Reg, 8> inputRegs;
};

} // namespace

/// Chains of more ops gain little, and their registers leave the caches.
static constexpr size_t maxOps = 16;
/// Runs of elements that are worth a program of their own.
static constexpr int64_t minInner = 256;

/// Whether `op` reads none of its operands but by the dimensions of its result,
/// in their order; fills in where from.
static std::optional<ChainOp> describe(const Decoder::ElementwiseOp &candidate,
                                       const Instruction &instruction) {
  ChainOp result;
  result.position = candidate.position;
  result.op = candidate.op;
  result.type =
      dyn_cast<RankedTensorType>(candidate.op->getResult(0).getType());
  if (!result.type)
    return std::nullopt;
  auto add = [&](ChainInput at, DType type) {
    result.inputs.push_back({std::move(at), type});
  };
  if (instruction.run == runElementwise) {
    const auto &payload = instruction.as<ElementwisePayload>();
    result.result = instruction.a;
    for (auto [input, operand] :
         llvm::zip_equal(payload.inputs, candidate.op->getOperands()))
      add({input.kind, input.slot},
          *getDType(getElementTypeOrSelf(operand.getType())));
    return result;
  }

  auto op = dyn_cast<linalg::LinalgOp>(candidate.op);
  if (!op || (instruction.run != runStructured && instruction.run != runFill))
    return std::nullopt;
  const auto &payload = instruction.as<StructuredPayload>();
  const BodyProgram &body = payload.body;
  const StructuredPayload::Output &output = payload.outputs[0];
  if (payload.outputs.size() != 1 || output.fold || output.reads ||
      !body.steppedIndices.empty() || !body.parallelIndices.empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  result.result = output.result;
  result.initial = {payload.operands[output.operand].slot, output.dies};
  // The body without constants and what it does not need.
  llvm::SetVector<Value> values;
  values.insert(op.getBlock()->getTerminator()->getOperand(0));
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (value.getParentBlock() != op.getBlock())
      return std::nullopt;
    Operation *def = value.getDefiningOp();
    if (!def)
      continue;
    if (!def->hasTrait<OpTrait::ConstantLike>() &&
        (!isElementwise(def) || isa<spyreop::LayerNormNormOp>(def)))
      return std::nullopt;
    values.insert(def->operand_begin(), def->operand_end());
  }
  // As the body's program orders its inputs.
  size_t tensors = 0, scalars = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument || !values.contains(argument))
      continue;
    result.arguments.push_back(argument);
    DType type = *getDType(getElementTypeOrSelf(operand.get().getType()));
    if (!isa<RankedTensorType>(operand.get().getType())) {
      add({SlotKind::Scalar, body.scalars[scalars++]}, type);
      continue;
    }
    ChainInput at{SlotKind::Tensor,
                  payload.operands[body.tensors[tensors++]].slot};
    AffineMap map = op.getMatchingIndexingMap(&operand);
    at.isBroadcast = !map.isIdentity();
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim ||
          (!at.dimensions.empty() && at.dimensions.back() >= dim.getPosition()))
        return std::nullopt;
      at.dimensions.push_back(dim.getPosition());
    }
    if (!at.isBroadcast)
      at.dimensions.clear();
    else if (!result.type.hasStaticShape())
      return std::nullopt;
    add(std::move(at), type);
  }
  return result;
}

bool ChainBuilder::canAppend(const ChainOp &op) const {
  if (ops.empty() || op.position != end || ops.size() == maxOps ||
      op.type.getShape() != ops[0].type.getShape())
    return false;
  auto isMade = [&](uint32_t slot) {
    return llvm::any_of(
        ops, [&](const ChainOp &earlier) { return earlier.result == slot; });
  };
  // What the chain makes is in registers, which are read in order only, and is
  // no initial value.
  return llvm::none_of(op.inputs,
                       [&](const OpInput &input) {
                         return input.at.isBroadcast && isMade(input.at.slot);
                       }) &&
         !(op.initial && isMade(op.initial->first));
}

void ChainBuilder::add(ChainOp op) {
  // A broadcast of short rows is cheaper as a copy.
  ChainPayload alone;
  for (const OpInput &input : op.inputs)
    alone.inputs.push_back(input.at);
  if (!splitLoops(alone, op.type)) {
    finish();
    return;
  }
  if (!canAppend(op))
    finish();
  end = op.position + 1;
  ArrayRef<Instruction> code = decoder.current().code;
  while (end < code.size() && isTensorDrop(code[end]))
    ++end;
  ops.push_back(std::move(op));
}

/// Finds the loops around the elements that lie evenly in every input; false
/// where those are few.
bool ChainBuilder::splitLoops(ChainPayload &chain,
                              RankedTensorType type) const {
  if (llvm::none_of(chain.inputs,
                    [](const ChainInput &input) { return input.isBroadcast; }))
    return true;
  size_t rank = type.getRank();
  chain.shape.assign(type.getShape().begin(), type.getShape().end());
  if (llvm::is_contained(chain.shape, 0))
    return false;
  // Elements to the next one along each dimension.
  SmallVector<SmallVector<int64_t, 4>, 4> strides;
  for (const ChainInput &input : chain.inputs) {
    strides.emplace_back(rank, 0);
    if (input.kind == SlotKind::Scalar)
      continue;
    int64_t stride = 1;
    for (size_t d = rank; d-- > 0;) {
      if (input.isBroadcast && !llvm::is_contained(input.dimensions, d))
        continue;
      strides.back()[d] = stride;
      stride *= chain.shape[d];
    }
  }
  int64_t inner = 1;
  size_t depth = rank;
  auto joins = [&](size_t d) {
    return llvm::all_of(strides, [&](ArrayRef<int64_t> stride) {
      return inner == 1 || chain.shape[d] == 1 ||
             stride[d] == stride[depth] * inner;
    });
  };
  // `depth` is the fastest dimension of more than one element.
  for (size_t d = rank; d-- > 0;) {
    if (!joins(d))
      break;
    if (inner == 1 && chain.shape[d] != 1)
      depth = d;
    inner *= chain.shape[d];
    chain.loops.assign(chain.shape.begin(), chain.shape.begin() + d);
  }
  for (auto [input, stride] : llvm::zip_equal(chain.inputs, strides)) {
    input.inner = depth < rank ? stride[depth] : 0;
    input.outer.assign(stride.begin(), stride.begin() + chain.loops.size());
  }
  return inner >= minInner ||
         llvm::all_of(chain.loops, [](int64_t extent) { return extent == 1; });
}

Reg ChainBuilder::getInput(BlockProgram::Builder &builder, ChainPayload &chain,
                           const OpInput &input) {
  for (auto [known, reg] : llvm::zip_equal(chain.inputs, inputRegs))
    if (known == input.at)
      return reg;
  chain.inputs.push_back(input.at);
  inputRegs.push_back(builder.input(input.type));
  return inputRegs.back();
}

/// Appends what `op` computes from `inputs`.
Reg ChainBuilder::build(BlockProgram::Builder &builder, ArrayRef<Reg> inputs,
                        const ChainOp &op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.op);
  if (!structured)
    return buildElementwise(builder, op.op->getResult(0), inputs);
  DenseMap<Value, Reg> regs;
  for (auto [value, reg] : llvm::zip_equal(op.arguments, inputs))
    regs[value] = reg;
  for (Operation &nested : structured.getBlock()->without_terminator()) {
    Attribute constant = nested.getAttr("value");
    std::optional<DType> type = getDType(nested.getResult(0).getType());
    if (nested.hasTrait<OpTrait::ConstantLike>()) {
      std::optional<int64_t> bits =
          constant ? getScalarBits(constant, NumericsMode::Ieee) : std::nullopt;
      if (!type || !bits)
        return Reg();
      regs[nested.getResult(0)] = builder.constant(*type, *bits);
      continue;
    }
    SmallVector<Reg, 4> operands;
    for (Value operand : nested.getOperands())
      operands.push_back(regs.lookup(operand));
    // What the result does not need may lack an operand.
    if (llvm::all_of(operands, [](Reg reg) { return reg.isValid(); }))
      for (OpResult result : nested.getResults())
        regs[result] = buildElementwise(builder, result, operands);
  }
  return regs.lookup(structured.getBlock()->getTerminator()->getOperand(0));
}

/// The chain of the collected ops; null where the program cannot be made.
std::unique_ptr<ChainPayload> ChainBuilder::makePayload() {
  ArrayRef<Instruction> code = decoder.current().code;
  auto chain = std::make_unique<ChainPayload>();
  chain->first = code[ops[0].position];
  BlockProgram::Builder builder(decoder.program.numerics);
  inputRegs.clear();
  DenseMap<uint32_t, Reg> made;
  DenseMap<uint32_t, Reg> kept; // results that outlive the chain
  for (const ChainOp &op : ops) {
    SmallVector<Reg, 4> inputs;
    for (const OpInput &input : op.inputs) {
      auto found = input.at.kind == SlotKind::Tensor ? made.find(input.at.slot)
                                                     : made.end();
      inputs.push_back(found != made.end() ? found->second
                                           : getInput(builder, *chain, input));
    }
    Reg reg = build(builder, inputs, op);
    if (!reg.isValid())
      return nullptr;
    made[op.result] = reg;
    kept[op.result] = reg;
    if (op.initial)
      chain->initials.push_back(*op.initial);
  }
  const ChainOp *next = ops.begin();
  for (uint32_t position = ops[0].position; position < end; ++position) {
    const Instruction &instruction = code[position];
    if (next != ops.end() && next->position == position) {
      DType type = *getDType(next->type.getElementType());
      chain->steps.push_back({/*isDrop=*/false, next->result, instruction.site,
                              unsigned(numerics::byteSize(type))});
      ++next;
      continue;
    }
    chain->steps.push_back({/*isDrop=*/true, instruction.a, instruction.site});
    kept.erase(instruction.a);
  }
  int outputs = 0;
  for (ChainStep &step : chain->steps) {
    auto found = kept.find(step.slot);
    if (step.isDrop || found == kept.end())
      continue;
    builder.output(found->second);
    step.output = outputs++;
  }
  chain->ops = ops.size();
  chain->slowest = chain->steps[0].site;
  for (const ChainStep &step : chain->steps)
    if (decoder.program.sites[step.site].cost.transcendental)
      chain->slowest = step.site;
  chain->program = builder.finish();
  if (!chain->program || outputs == 0 || !splitLoops(*chain, ops[0].type))
    return nullptr;
  return chain;
}

void ChainBuilder::finish() {
  if (ops.size() > 1)
    if (std::unique_ptr<ChainPayload> chain = makePayload()) {
      Instruction &head = decoder.at(ops[0].position);
      head.run = runFused;
      head.payload = chain.get();
      decoder.program.payloads.push_back(std::move(chain));
    }
  ops.clear();
}

void ktir::exec::fuseElementwise(Decoder &decoder) {
  ChainBuilder chains(decoder);
  for (const Decoder::ElementwiseOp &candidate : decoder.elementwise)
    if (std::optional<ChainOp> op =
            describe(candidate, decoder.at(candidate.position)))
      chains.add(std::move(*op));
  chains.finish();
  decoder.elementwise.clear();
}
