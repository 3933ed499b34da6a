//===- DecodeVectorChain.cpp - vectorchain --------------------------------===//

#include "Elementwise.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/VectorChain/VectorChainDialect.h"
#include "ktir/Exec/Numerics/Float16.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using namespace ktir::vectorchain;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Opcode;
using ktir::numerics::Reg;

static std::optional<DType> getLaneType(Value vector) {
  return getDType(dataflow::getVectorElementType(vector.getType()));
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

namespace {
/// A block program of one op: its vectors, then its mask, are the inputs.
class LaneDecoder {
public:
  LaneDecoder(Decoder &decoder, Operation *op)
      : decoder(decoder), op(op), builder(decoder.program.numerics) {}

  LogicalResult addInputs(ValueRange vectors, Value mask);
  /// Emits the op with `result`, which a lane that the mask leaves out replaces
  /// by that of the first input (V-2).
  LogicalResult finish(Reg result);

  Decoder &decoder;
  Operation *op;
  BlockProgram::Builder builder;
  SmallVector<Value, 4> values;
  SmallVector<Reg, 4> inputs;
  Reg mask;
};
} // namespace

LogicalResult LaneDecoder::addInputs(ValueRange vectors, Value maskValue) {
  int64_t length = dataflow::getVectorLength(op->getResult(0).getType());
  for (Value vector : vectors) {
    std::optional<DType> type = getLaneType(vector);
    if (!type)
      return op->emitError()
             << "cannot be executed: operand of type " << vector.getType();
    if (dataflow::getVectorLength(vector.getType()) != length)
      return decoder.unsupported(op, "operands of different length");
    values.push_back(vector);
    inputs.push_back(builder.input(*type));
  }
  if (maskValue) {
    std::optional<DType> type = getLaneType(maskValue);
    if (type != DType::I1 ||
        dataflow::getVectorLength(maskValue.getType()) != length)
      return decoder.unsupported(op, "a mask that is no i1 for each lane");
    values.push_back(maskValue);
    mask = builder.input(DType::I1);
  }
  return success();
}

LogicalResult LaneDecoder::finish(Reg result) {
  if (mask.isValid())
    result = builder.op(Opcode::Select, {mask, result, inputs[0]});
  std::optional<DType> expected = getLaneType(op->getResult(0));
  builder.output(result);
  std::optional<BlockProgram> program = builder.finish();
  if (!program || !expected)
    return decoder.unsupported(op, builder.getError().empty()
                                       ? "these element types"
                                       : builder.getError().c_str());
  emitElementwise(decoder, op, std::move(*program), values, op->getResult(0));
  return success();
}

/// Applies `opcode` to the bits of two registers of one type.
static Reg onBits(BlockProgram::Builder &builder, Opcode opcode, Reg a, Reg b,
                  bool invertSecond, bool invertResult) {
  DType type = builder.getType(a);
  DType bits = type;
  if (numerics::isFloat(type)) {
    switch (numerics::byteSize(type)) {
    case 2:
      bits = DType::I16;
      break;
    case 4:
      bits = DType::I32;
      break;
    default:
      bits = DType::I64;
      break;
    }
    a = builder.cast(Opcode::Bitcast, a, bits);
    b = builder.cast(Opcode::Bitcast, b, bits);
  }
  Reg ones = builder.constant(bits, bits == DType::I1 ? 1 : ~uint64_t(0));
  if (invertSecond)
    b = builder.op(Opcode::XorI, {b, ones});
  Reg result = builder.op(opcode, {a, b});
  if (invertResult)
    result = builder.op(Opcode::XorI, {result, ones});
  return bits == type ? result : builder.cast(Opcode::Bitcast, result, type);
}

static LogicalResult decodeBinary(Decoder &decoder, Operation *op) {
  auto binary = cast<BinaryOp>(op);
  LaneDecoder lanes(decoder, op);
  if (!binary.getOpSpecificMap().isIdentity())
    return decoder.unsupported(op, "an op_specific_map that is not the "
                                   "identity (V-3)");
  if (failed(lanes.addInputs({binary.getLhs(), binary.getRhs()},
                             binary.getMask())))
    return failure();
  BlockProgram::Builder &builder = lanes.builder;
  Reg a = lanes.inputs[0], b = lanes.inputs[1];
  bool isFloat = numerics::isFloat(builder.getType(a));
  auto choose = [&](Opcode real, Opcode integer) {
    return builder.op(isFloat ? real : integer, {a, b});
  };
  auto onMagnitudes = [&](Opcode opcode) {
    return builder.op(
        opcode, {builder.op(Opcode::AbsI, {a}), builder.op(Opcode::AbsI, {b})});
  };
  switch (binary.getBinaryOp()) {
  case VectorChainBinaryOperator::Add:
    return lanes.finish(choose(Opcode::AddF, Opcode::AddI));
  case VectorChainBinaryOperator::Sub:
    return lanes.finish(choose(Opcode::SubF, Opcode::SubI));
  case VectorChainBinaryOperator::Mul:
    return lanes.finish(choose(Opcode::MulF, Opcode::MulI));
  case VectorChainBinaryOperator::Min:
    return lanes.finish(choose(Opcode::MinimumF, Opcode::MinSI));
  case VectorChainBinaryOperator::Max:
    return lanes.finish(choose(Opcode::MaximumF, Opcode::MaxSI));
  case VectorChainBinaryOperator::AbsMax:
    return lanes.finish(isFloat ? builder.op(Opcode::AbsMaxF, {a, b})
                                : onMagnitudes(Opcode::MaxSI));
  case VectorChainBinaryOperator::AbsMin:
    return lanes.finish(isFloat ? builder.op(Opcode::AbsMinF, {a, b})
                                : onMagnitudes(Opcode::MinSI));
  case VectorChainBinaryOperator::MulDiv2:
    if (!isFloat)
      return decoder.unsupported(op, "'mul_div2' of integers");
    return lanes.finish(builder.op(Opcode::MulDiv2F, {a, b}));
  case VectorChainBinaryOperator::And0:
    return lanes.finish(onBits(builder, Opcode::AndI, a, b, false, false));
  case VectorChainBinaryOperator::Or0:
    return lanes.finish(onBits(builder, Opcode::OrI, a, b, false, false));
  case VectorChainBinaryOperator::Xnor:
    return lanes.finish(onBits(builder, Opcode::XorI, a, b, false, true));
  case VectorChainBinaryOperator::AndNot:
    return lanes.finish(onBits(builder, Opcode::AndI, a, b, true, false));
  }
  return decoder.unsupported(op, "this operator");
}

/// Converts `value` to `type`, integers read as signed (i1 as 0 or 1).
static Reg convert(BlockProgram::Builder &builder, Reg value, DType type) {
  DType from = builder.getType(value);
  if (from == type)
    return value;
  bool fromFloat = numerics::isFloat(from), toFloat = numerics::isFloat(type);
  Opcode opcode;
  if (fromFloat)
    opcode = toFloat ? Opcode::CastF : Opcode::FPToSI;
  else if (toFloat)
    opcode = from == DType::I1 ? Opcode::UIToFP : Opcode::SIToFP;
  else if (numerics::byteSize(type) < numerics::byteSize(from) ||
           type == DType::I1)
    opcode = Opcode::TruncI;
  else
    opcode = from == DType::I1 ? Opcode::ExtUI : Opcode::ExtSI;
  return builder.cast(opcode, value, type);
}

static LogicalResult decodeCast(Decoder &decoder, Operation *op) {
  auto cast = mlir::cast<CastOp>(op);
  LaneDecoder lanes(decoder, op);
  std::optional<DType> type = getLaneType(cast.getResult());
  if (!type)
    return op->emitError() << "cannot be executed: result of type "
                           << cast.getResult().getType();
  if (cast.getMask())
    return decoder.unsupported(op, "a masked cast");
  if (failed(lanes.addInputs(cast.getInput(), Value())))
    return failure();
  return lanes.finish(convert(lanes.builder, lanes.inputs[0], *type));
}

template <typename OpT, Opcode opcode>
static LogicalResult decodeUnary(Decoder &decoder, Operation *op) {
  auto unary = cast<OpT>(op);
  LaneDecoder lanes(decoder, op);
  if (failed(lanes.addInputs(unary.getInput(), unary.getMask())))
    return failure();
  Reg input = lanes.inputs[0];
  if (!numerics::isFloat(lanes.builder.getType(input)))
    return decoder.unsupported(op, "integer lanes");
  return lanes.finish(lanes.builder.op(opcode, {input}));
}

static LogicalResult decodeCompare(Decoder &decoder, Operation *op) {
  auto compare = cast<ElementWiseCompareOp>(op);
  using Float = numerics::FloatPredicate;
  using Int = numerics::IntPredicate;
  LaneDecoder lanes(decoder, op);
  std::optional<DType> type = getLaneType(compare.getResult());
  if (!type)
    return op->emitError() << "cannot be executed: result of type "
                           << compare.getResult().getType();
  if (compare.getMask() && getLaneType(compare.getLhs()) != type)
    return decoder.unsupported(op, "a masked comparison into another type");
  if (failed(lanes.addInputs({compare.getLhs(), compare.getRhs()},
                             compare.getMask())))
    return failure();
  Float real = Float::OEQ;
  Int integer = Int::EQ;
  switch (compare.getCompareOp()) {
  case ElementWiseCompareOperator::Eq:
    break;
  case ElementWiseCompareOperator::Neq:
    real = Float::UNE;
    integer = Int::NE;
    break;
  case ElementWiseCompareOperator::Lt:
    real = Float::OLT;
    integer = Int::SLT;
    break;
  case ElementWiseCompareOperator::Le:
    real = Float::OLE;
    integer = Int::SLE;
    break;
  case ElementWiseCompareOperator::Gt:
    real = Float::OGT;
    integer = Int::SGT;
    break;
  case ElementWiseCompareOperator::Ge:
    real = Float::OGE;
    integer = Int::SGE;
    break;
  }
  Reg a = lanes.inputs[0], b = lanes.inputs[1];
  Reg holds = numerics::isFloat(lanes.builder.getType(a))
                  ? lanes.builder.compare(real, a, b)
                  : lanes.builder.compare(integer, a, b);
  return lanes.finish(convert(lanes.builder, holds, *type));
}

static LogicalResult decodeSelection(Decoder &decoder, Operation *op) {
  auto selection = cast<ElementWiseSelectionOp>(op);
  LaneDecoder lanes(decoder, op);
  if (selection.getMask())
    return decoder.unsupported(op, "a masked selection");
  if (failed(
          lanes.addInputs({selection.getCondition(), selection.getTrueValue(),
                           selection.getFalseValue()},
                          Value())))
    return failure();
  BlockProgram::Builder &builder = lanes.builder;
  Reg condition = lanes.inputs[0];
  DType type = builder.getType(condition);
  if (type != DType::I1) {
    Reg zero = builder.constant(type, 0);
    condition =
        numerics::isFloat(type)
            ? builder.compare(numerics::FloatPredicate::UNE, condition, zero)
            : builder.compare(numerics::IntPredicate::NE, condition, zero);
  }
  return lanes.finish(builder.op(
      Opcode::Select, {condition, lanes.inputs[1], lanes.inputs[2]}));
}

//===----------------------------------------------------------------------===//
// Across lanes
//===----------------------------------------------------------------------===//

namespace {
/// Lane k of the result is lane `from[k]` of the input, or where that is
/// negative scalar `-from[k] - 1`.
struct GatherPayload : Payload {
  SmallVector<int32_t> from;
  SmallVector<uint32_t, 2> scalars;
  unsigned elementBytes;
};
} // namespace

/// a: result; b: input.
static Outcome runGather(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<GatherPayload>();
  uint64_t begin = self.run.ticks;
  unsigned size = payload.elementBytes;
  Tensor result = self.makeTensor(payload.from.size(), size, instruction.site);
  const uint8_t *in = self.tensors[instruction.b].data.data();
  uint8_t *out = result.data.data();
  for (int32_t from : payload.from) {
    const void *lane = from >= 0 ? static_cast<const void *>(in + from * size)
                                 : &self.scalars[payload.scalars[-from - 1]];
    std::memcpy(out, lane, size);
    out += size;
  }
  self.work(payload.from.size());
  self.run.event(self, "compute", begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeShuffle(Decoder &decoder, Operation *op) {
  auto shuffle = cast<ShuffleOp>(op);
  std::optional<DType> type = getLaneType(shuffle.getInput());
  if (!type)
    return op->emitError() << "cannot be executed: operand of type "
                           << shuffle.getInput().getType();
  if (shuffle.getMask())
    return decoder.unsupported(op, "a masked shuffle");
  auto *payload = decoder.makePayload<GatherPayload>();
  payload->elementBytes = numerics::byteSize(*type);
  unsigned scalars = shuffle.getVariables().size() + shuffle.getPads().size();
  for (unsigned i = 0; i < scalars; ++i) {
    Value scalar = shuffle.getScalar(i);
    if (getDType(scalar.getType()) != type)
      return op->emitError()
             << "cannot be executed: scalar operand of type "
             << scalar.getType() << " for lanes of " << numerics::name(*type);
    payload->scalars.push_back(decoder.use(scalar));
  }
  int64_t length = dataflow::getVectorLength(shuffle.getInput().getType());
  for (int64_t repeat = 0; repeat < int64_t(shuffle.getRepetition()); ++repeat)
    for (unsigned i = 0; i < shuffle.getNumIndices(); ++i) {
      int64_t index = shuffle.getIndex(i);
      if (index >= length || index < -int64_t(scalars))
        return op->emitError()
               << "cannot be executed: index " << index << " is outside ["
               << -int64_t(scalars) << ", " << length - 1 << "] (V-5)";
      payload->from.push_back(index);
    }
  uint32_t input = decoder.use(shuffle.getInput());
  uint32_t result = decoder.define(shuffle.getResult());
  Instruction &instruction = decoder.emit(op, runGather);
  instruction.a = result;
  instruction.b = input;
  instruction.payload = payload;
  return success();
}

static LogicalResult decodeSelect(Decoder &decoder, Operation *op) {
  auto select = cast<SelectOp>(op);
  std::optional<DType> type = getLaneType(select.getInput());
  AffineMap map = select.getSelectionMap();
  if (!type || select.getMask() || map.getNumInputs() != 1 ||
      map.getNumResults() != 1)
    return decoder.unsupported(op, "this form of selection");
  auto *payload = decoder.makePayload<GatherPayload>();
  payload->elementBytes = numerics::byteSize(*type);
  CompiledExpr expr = CompiledExpr::get(map.getResult(0), map.getNumDims());
  int64_t length = dataflow::getVectorLength(select.getInput().getType());
  int64_t lanes = dataflow::getVectorLength(select.getResult().getType());
  for (int64_t lane = 0; lane < lanes; ++lane) {
    std::optional<int64_t> from = expr.evaluate(ArrayRef(lane));
    if (!from || *from < 0 || *from >= length)
      return op->emitError() << "cannot be executed: the map of lane " << lane
                             << " is no lane of the input";
    payload->from.push_back(*from);
  }
  uint32_t input = decoder.use(select.getInput());
  uint32_t result = decoder.define(select.getResult());
  Instruction &instruction = decoder.emit(op, runGather);
  instruction.a = result;
  instruction.b = input;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult decodeBitstream(Decoder &decoder, Operation *op) {
  auto constant = cast<ConstantBitstreamOp>(op);
  std::optional<DType> type = getLaneType(constant.getResult());
  if (!type)
    return op->emitError() << "cannot be executed: result of type "
                           << constant.getResult().getType();
  if (constant.getIsSymbol())
    return decoder.unsupported(op, "lanes that are symbols");
  size_t size = numerics::byteSize(*type);
  bool toDl16 =
      *type == DType::F16 && decoder.program.numerics == NumericsMode::Device;
  Buffer data = Buffer::allocate(constant.getNumLanes() * size, nullptr);
  for (unsigned i = 0; i < constant.getNumLanes(); ++i) {
    uint64_t bits = constant.getLaneBits(i);
    if (toDl16)
      bits = numerics::encodeDL16(numerics::decodeF16(uint16_t(bits)));
    std::memcpy(data.data() + i * size, &bits, size);
  }
  decoder.defineTensor(constant.getResult(), std::move(data));
  return success();
}

namespace {
struct MaskPayload : Payload {
  CompiledSet set;
  int64_t lanes;
};
} // namespace

/// a: result; b: the symbol's slot, unless immediate is 0.
static Outcome runMask(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<MaskPayload>();
  Tensor result = self.makeTensor(payload.lanes, 1, instruction.site);
  SmallVector<int64_t, 1> symbols;
  if (instruction.immediate)
    symbols.push_back(self.scalars[instruction.b]);
  for (int64_t lane = 0; lane < payload.lanes; ++lane)
    result.data.data()[lane] = payload.set.contains(lane, symbols);
  self.work(payload.lanes);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeMask(Decoder &decoder, Operation *op) {
  auto create = cast<CreateAffineMaskOp>(op);
  IntegerSet set = create.getMaskSet();
  if (set.getNumDims() != 1 ||
      set.getNumSymbols() != (create.getBound() ? 1u : 0u))
    return decoder.unsupported(op, "a mask set of this shape");
  auto *payload = decoder.makePayload<MaskPayload>();
  payload->set = CompiledSet::get(set, AffineMap());
  payload->lanes = dataflow::getVectorLength(create.getResult().getType());
  uint32_t bound = create.getBound() ? decoder.use(create.getBound()) : 0;
  uint32_t result = decoder.define(create.getResult());
  Instruction &instruction = decoder.emit(op, runMask);
  instruction.a = result;
  instruction.b = bound;
  instruction.immediate = bool(create.getBound());
  instruction.payload = payload;
  return success();
}

void ktir::exec::addVectorChainHandlers(DecodeTable &table) {
  table["vectorchain.binary"] = decodeBinary;
  table["vectorchain.cast"] = decodeCast;
  table["vectorchain.neg"] = decodeUnary<NegOp, Opcode::NegF>;
  table["vectorchain.floor"] = decodeUnary<FloorOp, Opcode::FloorF>;
  table["vectorchain.element_wise_compare"] = decodeCompare;
  table["vectorchain.element_wise_selection"] = decodeSelection;
  table["vectorchain.shuffle"] = decodeShuffle;
  table["vectorchain.select"] = decodeSelect;
  table["vectorchain.constant_bitstream"] = decodeBitstream;
  table["vectorchain.create_affine_mask"] = decodeMask;
}
