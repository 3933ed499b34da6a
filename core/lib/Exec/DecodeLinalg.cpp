//===- DecodeLinalg.cpp - linalg ------------------------------------------===//
//
// Structured ops on tensors. All of them, named or generic, are loops with
// indexing maps and a body; what a body does decides how it runs.
//
//===----------------------------------------------------------------------===//

#include "Structured.h"

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Exec/Numerics/Panels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstring>
#include <limits>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Opcode;
using ktir::numerics::Reg;

//===----------------------------------------------------------------------===//
// Bodies as block programs
//===----------------------------------------------------------------------===//

namespace {
/// Builds the block program of those ops of a body that some values need.
class BodyBuilder {
public:
  BodyBuilder(Decoder &decoder, linalg::LinalgOp op,
              const StructuredPayload &payload)
      : builder(decoder.program.numerics), decoder(decoder), op(op),
        payload(payload), body(op.getBlock()) {}

  /// Makes `wanted` available. The block argument `wide`, if any, is read as
  /// `wideType`.
  LogicalResult need(ArrayRef<Value> wanted, Value wide = Value(),
                     DType wideType = DType::F32);
  Reg get(Value value) const { return registers.lookup(value); }
  /// The program with the outputs that were made.
  FailureOr<BodyProgram> finish();

  BlockProgram::Builder builder;

private:
  FailureOr<Value> findMeanOf(spyreop::LayerNormNormOp norm);
  LogicalResult addInputs(const llvm::SetVector<Value> &values, Value wide,
                          DType wideType);
  LogicalResult addOp(Operation &nested);

  Decoder &decoder;
  linalg::LinalgOp op;
  const StructuredPayload &payload;
  Block *body;
  BodyProgram result;
  DenseMap<Value, Reg> registers;
};
} // namespace

/// The value in the body that holds the mean of `norm`: an argument, where its
/// mean of squares comes from a `spyreop.exx2` outside; null where it has none.
FailureOr<Value> BodyBuilder::findMeanOf(spyreop::LayerNormNormOp norm) {
  auto squares = dyn_cast<BlockArgument>(norm.getSquares());
  if (!squares || squares.getOwner() != body)
    return Value();
  Value mean = findMean(op.getMatchingOpOperand(squares)->get());
  if (!mean)
    return Value();
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == mean)
      return Value(op.getMatchingBlockArgument(&operand));
  return norm.emitError() << "cannot be executed: the mean that belongs to "
                             "'squares' is no operand of the structured op";
}

LogicalResult BodyBuilder::need(ArrayRef<Value> wanted, Value wide,
                                DType wideType) {
  llvm::SetVector<Value> values(wanted.begin(), wanted.end());
  DenseSet<Operation *> ops;
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def || def->getBlock() != body || isa<linalg::IndexOp>(def))
      continue;
    ops.insert(def);
    if (def->getNumRegions())
      return def->emitError()
             << "op '" << def->getName().getStringRef()
             << "' cannot be executed in the body of a structured op";
    for (Value operand : def->getOperands())
      values.insert(operand);
    if (auto norm = dyn_cast<spyreop::LayerNormNormOp>(def)) {
      FailureOr<Value> mean = findMeanOf(norm);
      if (failed(mean))
        return failure();
      if (*mean)
        values.insert(*mean);
    }
  }
  if (failed(addInputs(values, wide, wideType)))
    return failure();
  for (Operation &nested : body->without_terminator())
    if (ops.contains(&nested) && failed(addOp(nested)))
      return failure();
  return success();
}

/// Inputs of a block program are tensors, then scalars, then indices.
LogicalResult BodyBuilder::addInputs(const llvm::SetVector<Value> &values,
                                     Value wide, DType wideType) {
  SmallVector<std::pair<Value, Value>> scalars; // value in the body, operand
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument || !values.contains(argument))
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      scalars.push_back({argument, operand.get()});
      continue;
    }
    auto at = llvm::find_if(payload.operands, [&](const auto &candidate) {
      return candidate.number == operand.getOperandNumber();
    });
    result.tensors.push_back(at - payload.operands.begin());
    registers[argument] = builder.input(argument == wide ? wideType : at->type);
  }
  for (Value value : values)
    if (value.getParentBlock() != body)
      scalars.push_back({value, value});
  for (auto [value, operand] : scalars) {
    std::optional<DType> type = getDType(operand.getType());
    if (!type || getSlotKind(operand.getType()) != SlotKind::Scalar)
      return op->emitError()
             << "cannot be executed: a value of type " << operand.getType()
             << " in the body, expected an element";
    result.scalars.push_back(decoder.use(operand));
    registers[value] = builder.input(*type);
  }
  for (bool stepped : {true, false})
    for (Value value : values) {
      auto index = value.getDefiningOp<linalg::IndexOp>();
      if (!index || index->getBlock() != body ||
          payload.isStepped[index.getDim()] != stepped)
        continue;
      (stepped ? result.steppedIndices : result.parallelIndices)
          .push_back(index.getDim());
      registers[value] = builder.input(DType::I64);
    }
  return success();
}

LogicalResult BodyBuilder::addOp(Operation &nested) {
  if (nested.hasTrait<OpTrait::ConstantLike>()) {
    Attribute value = nested.getAttr("value");
    std::optional<DType> type = getDType(nested.getResult(0).getType());
    // The builder converts IEEE bits itself in mode `device`.
    std::optional<int64_t> bits =
        value ? getScalarBits(value, NumericsMode::Ieee) : std::nullopt;
    if (!type || !bits)
      return decoder.unsupported(&nested, "type of the constant");
    registers[nested.getResult(0)] = builder.constant(*type, *bits);
    return success();
  }
  if (!isElementwise(&nested))
    return nested.emitError()
           << "op '" << nested.getName().getStringRef()
           << "' cannot be executed in the body of a structured op";
  SmallVector<Reg, 4> operands;
  for (Value operand : nested.getOperands())
    operands.push_back(registers.lookup(operand));
  auto find = [&](Value) {
    FailureOr<Value> mean = findMeanOf(cast<spyreop::LayerNormNormOp>(nested));
    return succeeded(mean) && *mean ? registers.lookup(*mean) : Reg();
  };
  for (OpResult result : nested.getResults()) {
    Reg reg = buildElementwise(builder, result, operands, find);
    if (!reg.isValid())
      return decoder.unsupported(&nested, builder.getError().empty()
                                              ? "these element types"
                                              : builder.getError().c_str());
    registers[result] = reg;
  }
  return success();
}

FailureOr<BodyProgram> BodyBuilder::finish() {
  result.program = builder.finish();
  if (!result.program)
    return decoder.unsupported(op, builder.getError());
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

namespace {
struct Combiner {
  Opcode opcode;
  enum Identity : uint8_t { Zero, One, Lowest, Highest, Ones } identity;
  bool isSigned = true;
};
} // namespace

/// The ops that a reduction is made of, with what they start from (UP-2).
static std::optional<Combiner> getCombiner(Operation *op) {
  using I = Combiner::Identity;
  using Table = std::optional<Combiner>;
  return llvm::StringSwitch<Table>(op->getName().getStringRef())
      .Case("arith.addf", Combiner{Opcode::AddF, I::Zero})
      .Case("arith.mulf", Combiner{Opcode::MulF, I::One})
      .Case("arith.maximumf", Combiner{Opcode::MaximumF, I::Lowest})
      .Case("arith.minimumf", Combiner{Opcode::MinimumF, I::Highest})
      .Case("arith.maxnumf", Combiner{Opcode::MaxNumF, I::Lowest})
      .Case("arith.minnumf", Combiner{Opcode::MinNumF, I::Highest})
      .Case("arith.addi", Combiner{Opcode::AddI, I::Zero})
      .Case("arith.muli", Combiner{Opcode::MulI, I::One})
      .Case("arith.andi", Combiner{Opcode::AndI, I::Ones})
      .Case("arith.ori", Combiner{Opcode::OrI, I::Zero})
      .Case("arith.xori", Combiner{Opcode::XorI, I::Zero})
      .Case("arith.maxsi", Combiner{Opcode::MaxSI, I::Lowest})
      .Case("arith.minsi", Combiner{Opcode::MinSI, I::Highest})
      .Case("arith.maxui", Combiner{Opcode::MaxUI, I::Lowest, false})
      .Case("arith.minui", Combiner{Opcode::MinUI, I::Highest, false})
      .Default(std::nullopt);
}

/// The identity of `combiner` as bits of the panel type `type`.
static uint64_t getIdentity(const Combiner &combiner, DType type) {
  if (type == DType::F32 || type == DType::F64) {
    double value = 0;
    switch (combiner.identity) {
    case Combiner::One:
      value = 1;
      break;
    case Combiner::Lowest:
      value = -std::numeric_limits<double>::infinity();
      break;
    case Combiner::Highest:
      value = std::numeric_limits<double>::infinity();
      break;
    default:
      break;
    }
    uint64_t bits = 0;
    float single = value;
    if (type == DType::F64)
      std::memcpy(&bits, &value, sizeof(value));
    else
      std::memcpy(&bits, &single, sizeof(single));
    return bits;
  }
  // i1 is one byte, 0 or 1; signed, 1 is the lower one.
  unsigned width = type == DType::I1 ? 1 : numerics::byteSize(type) * 8;
  uint64_t ones = llvm::maskTrailingOnes<uint64_t>(width);
  uint64_t sign = uint64_t(1) << (width - 1);
  switch (combiner.identity) {
  case Combiner::Zero:
    return 0;
  case Combiner::One:
    return 1;
  case Combiner::Ones:
    return ones;
  case Combiner::Lowest:
    return combiner.isSigned ? sign : 0;
  case Combiner::Highest:
    return combiner.isSigned ? ones ^ sign : ones;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// Builds the payload of one structured op.
class StructuredDecoder {
public:
  StructuredDecoder(Decoder &decoder, linalg::LinalgOp op)
      : decoder(decoder), op(op),
        payload(decoder.makePayload<StructuredPayload>()) {}

  LogicalResult run();

private:
  LogicalResult addOperands();
  void sortLoops();
  LogicalResult findExtents();
  LogicalResult findFolds();
  FailureOr<Fold> makeFold(unsigned output, const Combiner &combiner,
                           ArrayRef<Value> factors, DType panel);
  LogicalResult addFold(unsigned output, Operation *combiner, Value term);
  LogicalResult addMoments(unsigned output, Operation *moments);
  void findProduct(Fold &fold, Operation *product);
  LogicalResult buildBody();
  Handler selectHandler();

  BlockArgument initialOf(unsigned output) {
    return op.getMatchingBlockArgument(op.getDpsInitOperand(output));
  }
  bool isReducing(unsigned output) {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(output));
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      if (!map.isFunctionOfDim(d))
        return true;
    return false;
  }

  Decoder &decoder;
  linalg::LinalgOp op;
  StructuredPayload *payload;
};
} // namespace

LogicalResult StructuredDecoder::addOperands() {
  unsigned inits = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      if (isInit || getSlotKind(operand.get().getType()) != SlotKind::Scalar)
        return decoder.unsupported(op, "an operand that is no tensor");
      continue;
    }
    std::optional<DType> element = getDType(type.getElementType());
    if (!element)
      return op->emitError()
             << "cannot be executed: element type " << type.getElementType();
    payload->operands.push_back(
        {decoder.use(operand.get()),
         numerics::heldType(*element, decoder.program.numerics),
         compileMap(op.getMatchingIndexingMap(&operand)),
         operand.getOperandNumber()});
    if (!isInit)
      continue;
    StructuredPayload::Output output;
    output.operand = payload->operands.size() - 1;
    output.reads = !initialOf(inits++).use_empty();
    output.dies = llvm::count(op->getOperands(), operand.get()) == 1 &&
                  decoder.dies(operand.get(), op);
    payload->outputs.push_back(std::move(output));
  }
  return success();
}

/// Finds the loops that are stepped through.
void StructuredDecoder::sortLoops() {
  payload->isStepped.assign(op.getNumLoops(), false);
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    payload->isStepped[loop] = type != utils::IteratorType::parallel;
  for (auto [number, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    bool isInit = number >= size_t(op.getNumDpsInputs());
    SmallVector<unsigned, 4> uses(op.getNumLoops(), 0);
    SmallVector<bool, 4> isDimension(op.getNumLoops(), false);
    for (AffineExpr expr : map.getResults()) {
      bool isLinear = CompiledExpr::get(expr, map.getNumDims()).isLinear();
      payload->isLinear &= isLinear;
      for (unsigned d = 0; d < map.getNumDims(); ++d) {
        if (!expr.isFunctionOfDim(d))
          continue;
        ++uses[d];
        if (!isLinear)
          payload->isStepped[d] = true;
      }
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        isDimension[dim.getPosition()] = true;
    }
    for (unsigned d = 0; isInit && d < map.getNumDims(); ++d)
      if (uses[d] != 1 || !isDimension[d])
        payload->isStepped[d] = true;
  }
}

LogicalResult StructuredDecoder::findExtents() {
  for (unsigned loop = 0; loop < payload->loops(); ++loop) {
    bool found = false;
    // Outputs come last and are asked first.
    for (unsigned i = payload->operands.size(); i-- > 0 && !found;)
      for (auto [r, expr] : llvm::enumerate(payload->operands[i].map))
        if (!found && expr.isLinear() && expr.getConstant() == 0 &&
            expr.getTerms().size() == 1 &&
            expr.getTerms().front().input == loop &&
            expr.getTerms().front().factor == 1) {
          payload->extents.push_back({i, r});
          found = true;
        }
    if (!found)
      return decoder.unsupported(op, "no operand gives the extent of loop " +
                                         Twine(loop));
  }
  return success();
}

/// Notes that the terms of `fold` are products of elements of two operands and
/// no more, which the contraction kernel adds up.
void StructuredDecoder::findProduct(Fold &fold, Operation *product) {
  if (!payload->isLinear || fold.panel != DType::F32 ||
      fold.combiner != Opcode::AddF || payload->outputs.size() != 1)
    return;
  for (unsigned d = 0; d < payload->loops(); ++d)
    if (payload->isStepped[d] &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isFunctionOfDim(d))
      return;
  auto operandOf = [&](Value value) -> std::optional<unsigned> {
    if (Operation *cast = value.getDefiningOp())
      if (cast->getName().getStringRef() == "arith.extf")
        value = cast->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBlock())
      return std::nullopt;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    for (auto [i, candidate] : llvm::enumerate(payload->operands))
      if (candidate.number == operand->getOperandNumber() &&
          !op.isDpsInit(operand) &&
          numerics::panelType(candidate.type) == DType::F32)
        return i;
    return std::nullopt;
  };
  std::optional<unsigned> left = operandOf(product->getOperand(0));
  std::optional<unsigned> right = operandOf(product->getOperand(1));
  if (left && right)
    fold.product = {*left, *right};
}

/// A fold of output `number` whose terms are the product of `factors`, one or
/// two values of the body.
FailureOr<Fold> StructuredDecoder::makeFold(unsigned number,
                                            const Combiner &combiner,
                                            ArrayRef<Value> factors,
                                            DType panel) {
  Fold fold;
  fold.combiner = combiner.opcode;
  fold.panel = panel;
  fold.identity = getIdentity(combiner, panel);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  for (unsigned d = 0; d < map.getNumDims(); ++d)
    if (!map.isFunctionOfDim(d))
      fold.reducedLoops.push_back(d);
  auto buildTerm = [&](BodyBuilder &body) {
    SmallVector<Reg, 2> wide;
    for (Value factor : factors) {
      Reg reg = body.get(factor);
      bool isWide = body.builder.getType(reg) == panel;
      wide.push_back(isWide ? reg
                            : body.builder.cast(Opcode::CastF, reg, panel));
    }
    return wide.size() == 1 ? wide[0]
                            : body.builder.op(Opcode::MulF, {wide[0], wide[1]});
  };

  BodyBuilder terms(decoder, op, *payload);
  if (failed(terms.need(factors)))
    return failure();
  terms.builder.output(buildTerm(terms));
  FailureOr<BodyProgram> termProgram = terms.finish();
  if (failed(termProgram))
    return failure();
  fold.term = std::move(*termProgram);

  Value accumulator = initialOf(number);
  SmallVector<Value, 3> all(factors.begin(), factors.end());
  all.push_back(accumulator);
  BodyBuilder steps(decoder, op, *payload);
  if (failed(steps.need(all, accumulator, panel)))
    return failure();
  steps.builder.output(steps.builder.op(
      fold.combiner, {steps.get(accumulator), buildTerm(steps)}));
  FailureOr<BodyProgram> stepProgram = steps.finish();
  if (failed(stepProgram))
    return failure();
  fold.step = std::move(*stepProgram);
  return fold;
}

/// Makes output `number` a fold of `term` by `combiner`.
LogicalResult StructuredDecoder::addFold(unsigned number, Operation *combiner,
                                         Value term) {
  StructuredPayload::Output &output = payload->outputs[number];
  Combiner rule = *getCombiner(combiner);
  // Products go into the sum as they are: those of 16-bit floats are exact.
  Operation *product = term.getDefiningOp();
  bool isProduct = rule.opcode == Opcode::AddF && product &&
                   product->getBlock() == op.getBlock() &&
                   product->getName().getStringRef() == "arith.mulf";
  SmallVector<Value, 2> factors = {term};
  if (isProduct)
    factors.assign({product->getOperand(0), product->getOperand(1)});
  FailureOr<Fold> fold =
      makeFold(number, rule, factors,
               numerics::panelType(payload->operands[output.operand].type));
  if (failed(fold))
    return failure();
  if (isProduct)
    findProduct(*fold, product);
  output.fold = std::move(*fold);
  return success();
}

/// Makes output `number`, which yields a result of `moments`, the mean of an
/// element or of its square, or both as a pair (ktir.md 5.5).
LogicalResult StructuredDecoder::addMoments(unsigned number,
                                            Operation *moments) {
  StructuredPayload::Output &output = payload->outputs[number];
  if (!isReducing(number))
    return moments->emitError()
           << "cannot be executed: expected a structured op that reduces a "
              "dimension of output "
           << number;
  Value element = moments->getOperand(0);
  DType panel = numerics::panelType(*getDType(element.getType()));
  Combiner sum{Opcode::AddF, Combiner::Zero};
  auto make = [&](bool isSquare) -> FailureOr<Fold> {
    SmallVector<Value, 2> factors(isSquare ? 2 : 1, element);
    FailureOr<Fold> fold = makeFold(number, sum, factors, panel);
    if (succeeded(fold))
      fold->isMean = true;
    return fold;
  };
  bool isPair = isa<spyreop::Exx2FusedOp>(moments);
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  FailureOr<Fold> first = make(!isPair && yielded == moments->getResult(1));
  if (failed(first))
    return failure();
  output.fold = std::move(*first);
  if (!isPair)
    return success();
  FailureOr<Fold> second = make(/*isSquare=*/true);
  if (failed(second))
    return failure();
  output.second = std::move(*second);
  return success();
}

/// True when `value` is computed from any of `sources`.
static bool dependsOn(Value value, ArrayRef<Value> sources, Block *body) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (llvm::is_contained(sources, values[i]))
      return true;
    if (Operation *def = values[i].getDefiningOp())
      if (def->getBlock() == body)
        values.insert(def->operand_begin(), def->operand_end());
  }
  return false;
}

/// Finds outputs that one op reduces, each independent of the others.
LogicalResult StructuredDecoder::findFolds() {
  Block *body = op.getBlock();
  SmallVector<Value, 2> initials;
  for (unsigned i = 0; i < payload->outputs.size(); ++i)
    initials.push_back(initialOf(i));
  OperandRange yielded = body->getTerminator()->getOperands();
  for (unsigned i = 0; i < payload->outputs.size(); ++i) {
    Operation *combiner = yielded[i].getDefiningOp();
    if (isa_and_nonnull<spyreop::Exx2Op, spyreop::Exx2FusedOp>(combiner) &&
        combiner->getBlock() == body) {
      if (failed(addMoments(i, combiner)))
        return failure();
      continue;
    }
    if (!isReducing(i) || !combiner || combiner->getBlock() != body ||
        !getCombiner(combiner) || !initials[i].hasOneUse() ||
        *initials[i].user_begin() != combiner)
      continue;
    Value term = combiner->getOperand(combiner->getOperand(0) == initials[i]);
    bool isShared = false;
    for (unsigned other = 0; other < yielded.size(); ++other)
      isShared |= other != i && dependsOn(yielded[other], {initials[i]}, body);
    if (isShared || dependsOn(term, initials, body))
      continue;
    if (failed(addFold(i, combiner, term)))
      return failure();
  }
  return success();
}

LogicalResult StructuredDecoder::buildBody() {
  OperandRange yielded = op.getBlock()->getTerminator()->getOperands();
  SmallVector<Value, 2> wanted;
  for (auto [i, output] : llvm::enumerate(payload->outputs))
    if (!output.fold)
      wanted.push_back(yielded[i]);
  if (wanted.empty())
    return success();
  BodyBuilder body(decoder, op, *payload);
  if (failed(body.need(wanted)))
    return failure();
  for (Value value : wanted)
    body.builder.output(body.get(value));
  FailureOr<BodyProgram> program = body.finish();
  if (failed(program))
    return failure();
  payload->body = std::move(*program);
  return success();
}

Handler StructuredDecoder::selectHandler() {
  const StructuredPayload::Output &output = payload->outputs.front();
  if (output.fold && output.fold->product)
    return runContraction;
  if (payload->outputs.size() != 1)
    return runStructured;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto readsOnly = [](const BodyProgram &body, size_t tensors, size_t scalars) {
    return body.tensors.size() == tensors && body.scalars.size() == scalars &&
           body.steppedIndices.empty() && body.parallelIndices.empty() &&
           numerics::isCopy(*body.program);
  };
  if (!output.fold)
    return readsOnly(payload->body, 0, 1) && map.isIdentity() ? runFill
                                                              : runStructured;
  const Fold &fold = *output.fold;
  bool isDense =
      !output.second && !fold.isMean && payload->operands.size() == 2 &&
      op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity() &&
      map.getNumResults() + 1 == map.getNumDims() &&
      map ==
          AffineMap::getMultiDimIdentityMap(map.getNumDims(), map.getContext())
              .getMajorSubMap(map.getNumResults()) &&
      readsOnly(fold.term, 1, 0) && fold.term.tensors[0] == 0 &&
      payload->operands[0].type == fold.panel &&
      numerics::canFoldRows(fold.combiner, fold.panel);
  return isDense ? runDenseReduction : runStructured;
}

LogicalResult StructuredDecoder::run() {
  if (failed(addOperands()))
    return failure();
  sortLoops();
  if (failed(findExtents()) || failed(findFolds()) || failed(buildBody()))
    return failure();
  for (auto [output, result] :
       llvm::zip_equal(payload->outputs, op->getResults()))
    output.result = decoder.define(result);
  decoder.noteElementwise(op);
  decoder.emit(op, selectHandler()).payload = payload;
  return success();
}

LogicalResult ktir::exec::decodeStructured(Decoder &decoder, Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      structured.getNumDpsInits() == 0)
    return op->emitError() << "op '" << op->getName().getStringRef()
                           << "' on memory cannot be executed: load its "
                              "operands as tensors";
  return StructuredDecoder(decoder, structured).run();
}

void ktir::exec::addLinalgHandlers(DecodeTable &table) {
  addSliceReductionHandlers(table);
  for (const char *name :
       {"generic",      "map",          "elementwise",
        "fill",         "reduce",       "broadcast",
        "transpose",    "copy",         "add",
        "sub",          "mul",          "div",
        "div_unsigned", "max",          "min",
        "exp",          "log",          "abs",
        "ceil",         "floor",        "negf",
        "reciprocal",   "round",        "sqrt",
        "rsqrt",        "square",       "tanh",
        "erf",          "powf",         "select",
        "matmul",       "matvec",       "vecmat",
        "dot",          "batch_matmul", "batch_matvec",
        "batch_vecmat", "contract",     "batch_reduce_matmul",
        "mmt4d"})
    table[("linalg." + Twine(name)).str()] = decodeStructured;
}
