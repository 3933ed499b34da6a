//===- DecodeLinalg.cpp - linalg ------------------------------------------===//
//
// Structured ops whose loops are all parallel: the body becomes a block
// program that runs over the loop nest of the indexing maps.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Reg;

namespace {
struct StructuredPayload : Payload {
  /// A tensor and which of its elements each loop walks.
  struct Operand {
    uint32_t slot;
    unsigned elementBytes;
    SmallVector<CompiledExpr, 4> map; ///< linear
    unsigned number;                  ///< position among the op's operands
  };
  std::optional<BlockProgram> program;
  unsigned loops = 0;
  SmallVector<Operand, 4> inputs;
  SmallVector<uint32_t, 2> scalars; ///< slots of values without elements
  SmallVector<unsigned, 2> indices; ///< loops whose index the body reads
  SmallVector<Operand, 2> outputs;
  SmallVector<uint32_t, 2> results; ///< tensor slots
  /// Where the extent of each loop is found: an operand in `inputs` (or, past
  /// those, in `outputs`) and one of its dimensions.
  SmallVector<std::pair<unsigned, unsigned>, 4> extents;
};
} // namespace

/// Byte strides of `operand` for each loop over a tensor of `shape`, and the
/// byte offset of its first element.
static NestOperand getNest(const StructuredPayload::Operand &operand,
                           ArrayRef<int64_t> shape, unsigned loops,
                           uint8_t *data) {
  NestOperand nest{data, {}};
  nest.strides.assign(loops, 0);
  int64_t stride = operand.elementBytes;
  for (size_t r = shape.size(); r-- > 0;) {
    const CompiledExpr &expr = operand.map[r];
    nest.data += expr.getConstant() * stride;
    for (const CompiledExpr::Term &term : expr.getTerms())
      nest.strides[term.input] += term.factor * stride;
    stride *= shape[r];
  }
  return nest;
}

static Outcome runStructured(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<StructuredPayload>();
  uint64_t begin = self.run.ticks;
  auto shapeOf =
      [&](const StructuredPayload::Operand &operand) -> ArrayRef<int64_t> {
    return self.tensors[operand.slot].shape;
  };

  SmallVector<int64_t, 4> extents;
  for (auto [operand, dim] : payload.extents) {
    const auto &source = operand < payload.inputs.size()
                             ? payload.inputs[operand]
                             : payload.outputs[operand - payload.inputs.size()];
    extents.push_back(shapeOf(source)[dim]);
  }
  // Every element that the loops reach has to exist.
  auto check = [&](const StructuredPayload::Operand &operand) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    for (auto [r, expr] : llvm::enumerate(operand.map)) {
      int64_t low = expr.getConstant(), high = low;
      for (const CompiledExpr::Term &term : expr.getTerms())
        (term.factor < 0 ? low : high) +=
            term.factor * (extents[term.input] - 1);
      if (!llvm::is_contained(extents, 0) && (low < 0 || high >= shape[r])) {
        self.run.fail(self, instruction.site, "",
                      "operand " + llvm::Twine(operand.number) +
                          " has extent " + llvm::Twine(shape[r]) +
                          " in dimension " + llvm::Twine(r) +
                          ", the loops reach " + llvm::Twine(low) + " to " +
                          llvm::Twine(high));
        return false;
      }
    }
    return true;
  };
  for (const auto &operand : payload.inputs)
    if (!check(operand))
      return Outcome::Fail;
  for (const auto &operand : payload.outputs)
    if (!check(operand))
      return Outcome::Fail;

  SmallVector<NestOperand, 4> inputs, outputs;
  for (const auto &operand : payload.inputs) {
    const Tensor &tensor = self.tensors[operand.slot];
    if (!tensor.isUndefined()) {
      inputs.push_back(
          getNest(operand, tensor.shape, payload.loops, tensor.data.data()));
      continue;
    }
    if (checkReadable(self, instruction.site, operand.number, tensor) ==
        Outcome::Fail)
      return Outcome::Fail;
    NestOperand zero{
        const_cast<uint8_t *>(reinterpret_cast<const uint8_t *>(&zeroElement)),
        {}};
    zero.strides.assign(payload.loops, 0);
    inputs.push_back(std::move(zero));
  }
  for (uint32_t slot : payload.scalars) {
    NestOperand scalar{reinterpret_cast<uint8_t *>(&self.scalars[slot]), {}};
    scalar.strides.assign(payload.loops, 0);
    inputs.push_back(std::move(scalar));
  }
  SmallVector<Tensor, 2> results;
  uint64_t elements = 0;
  for (const auto &operand : payload.outputs) {
    results.push_back(self.makeTensor(shapeOf(operand), operand.elementBytes,
                                      instruction.site));
    elements += results.back().elements();
    outputs.push_back(getNest(operand, results.back().shape, payload.loops,
                              results.back().data.data()));
  }
  numerics::Fault fault = runNest(*payload.program, extents, inputs, outputs,
                                  payload.indices, self.run.scratch);
  for (auto [slot, result] : llvm::zip_equal(payload.results, results))
    self.tensors[slot] = std::move(result);
  self.work(elements);
  self.run.event(self, "compute", begin, 0, instruction.site);
  return failOnFault(self, instruction.site, fault);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// Builds the block program and the operand lists of one structured op.
class StructuredDecoder {
public:
  StructuredDecoder(Decoder &decoder, linalg::LinalgOp op)
      : decoder(decoder), op(op), builder(decoder.program.numerics),
        payload(decoder.makePayload<StructuredPayload>()) {}

  LogicalResult run();

private:
  LogicalResult addOperands();
  LogicalResult addScalar(Value value);
  LogicalResult findExtents();
  LogicalResult buildBody();

  Decoder &decoder;
  linalg::LinalgOp op;
  BlockProgram::Builder builder;
  StructuredPayload *payload;
  DenseMap<Value, Reg> registers;
};
} // namespace

LogicalResult StructuredDecoder::addScalar(Value value) {
  std::optional<DType> type = getDType(value.getType());
  if (!type)
    return decoder.unsupported(op, "a scalar of this type in the body");
  payload->scalars.push_back(decoder.use(value));
  registers[value] = builder.input(*type);
  return success();
}

LogicalResult StructuredDecoder::addOperands() {
  Block *body = op.getBlock();
  SmallVector<std::pair<Value, Value>> scalars; // block argument, operand
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    bool isInit = op.isDpsInit(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      if (getSlotKind(operand.get().getType()) != SlotKind::Scalar)
        return decoder.unsupported(op, "an operand that is no tensor");
      scalars.push_back({argument, operand.get()});
      continue;
    }
    std::optional<DType> element = getDType(type.getElementType());
    if (!element)
      return op->emitError()
             << "cannot be executed: element type " << type.getElementType();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    StructuredPayload::Operand entry{
        decoder.use(operand.get()), unsigned(numerics::byteSize(*element)),
        compileMap(map), operand.getOperandNumber()};
    if (!llvm::all_of(entry.map,
                      [](const CompiledExpr &expr) { return expr.isLinear(); }))
      return decoder.unsupported(op, "an indexing map that divides");
    if (isInit && !map.isPermutation())
      return decoder.unsupported(
          op, "an output whose indexing map is no permutation of the loops");
    if (!isInit || !argument.use_empty()) {
      registers[argument] = builder.input(*element);
      payload->inputs.push_back(entry);
    }
    if (isInit)
      payload->outputs.push_back(entry);
  }
  if (payload->outputs.empty())
    return decoder.unsupported(op, "an op without tensor results");
  // Inputs of the block program are tensors, then scalars, then indices.
  for (auto [argument, operand] : scalars) {
    payload->scalars.push_back(decoder.use(operand));
    registers[argument] = builder.input(*getDType(operand.getType()));
  }
  for (Operation &nested : body->without_terminator())
    for (Value operand : nested.getOperands())
      if (operand.getParentBlock() != body && !registers.contains(operand) &&
          failed(addScalar(operand)))
        return failure();
  for (Value operand : body->getTerminator()->getOperands())
    if (operand.getParentBlock() != body && !registers.contains(operand) &&
        failed(addScalar(operand)))
      return failure();
  return success();
}

LogicalResult StructuredDecoder::findExtents() {
  payload->loops = op.getNumLoops();
  for (unsigned loop = 0; loop < payload->loops; ++loop) {
    bool found = false;
    auto search = [&](ArrayRef<StructuredPayload::Operand> operands,
                      unsigned offset) {
      for (auto [i, operand] : llvm::enumerate(operands))
        for (auto [r, expr] : llvm::enumerate(operand.map))
          if (!found && expr.getConstant() == 0 &&
              expr.getTerms().size() == 1 &&
              expr.getTerms().front().input == loop &&
              expr.getTerms().front().factor == 1) {
            payload->extents.push_back({offset + i, r});
            found = true;
          }
    };
    search(payload->outputs, payload->inputs.size());
    search(payload->inputs, 0);
    if (!found)
      return decoder.unsupported(op, "no operand gives the extent of loop " +
                                         Twine(loop));
  }
  return success();
}

LogicalResult StructuredDecoder::buildBody() {
  Block *body = op.getBlock();
  // Index inputs follow all others.
  for (auto index : body->getOps<linalg::IndexOp>()) {
    payload->indices.push_back(index.getDim());
    registers[index.getResult()] = builder.input(DType::I64);
  }
  for (Operation &nested : body->without_terminator()) {
    if (isa<linalg::IndexOp>(nested))
      continue;
    if (nested.getName().getStringRef() == "arith.constant") {
      Attribute value = nested.getAttr("value");
      std::optional<DType> type = getDType(nested.getResult(0).getType());
      // The builder converts IEEE bits itself in mode `device`.
      std::optional<int64_t> bits = getScalarBits(value, NumericsMode::Ieee);
      if (!type || !bits)
        return decoder.unsupported(&nested, "type of the constant");
      registers[nested.getResult(0)] = builder.constant(*type, *bits);
      continue;
    }
    if (!isElementwise(&nested) || nested.getNumResults() != 1)
      return nested.emitError()
             << "op '" << nested.getName().getStringRef()
             << "' cannot be executed in the body of a structured op";
    SmallVector<Reg, 4> operands;
    for (Value operand : nested.getOperands())
      operands.push_back(registers.lookup(operand));
    Reg result = buildElementwise(builder, &nested, operands);
    if (!result.isValid())
      return decoder.unsupported(&nested, builder.getError().empty()
                                              ? "these element types"
                                              : builder.getError().c_str());
    registers[nested.getResult(0)] = result;
  }
  for (Value operand : body->getTerminator()->getOperands())
    builder.output(registers.lookup(operand));
  payload->program = builder.finish();
  if (!payload->program)
    return decoder.unsupported(op, builder.getError().c_str());
  return success();
}

LogicalResult StructuredDecoder::run() {
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    if (iterator != utils::IteratorType::parallel)
      return decoder.unsupported(op, "a loop that is not parallel");
  if (failed(addOperands()) || failed(findExtents()) || failed(buildBody()))
    return failure();
  for (Value result : op->getResults())
    payload->results.push_back(decoder.define(result));
  decoder.emit(op, runStructured).payload = payload;
  return success();
}

static LogicalResult decodeStructured(Decoder &decoder, Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics())
    return decoder.unsupported(op, "a structured op on memory");
  return StructuredDecoder(decoder, structured).run();
}

void ktir::exec::addLinalgHandlers(DecodeTable &table) {
  for (const char *name :
       {"generic", "map", "add", "sub", "mul", "div", "max", "min", "negf",
        "abs", "ceil", "floor", "select", "fill", "broadcast", "transpose",
        "copy", "elementwise"})
    table[("linalg." + Twine(name)).str()] = decodeStructured;
}
