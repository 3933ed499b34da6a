//===- DecodeSpyreOp.cpp - spyreop ----------------------------------------===//
//
// The scalar functions of the device (ktir.md 5). `exx2` and `slice_reduction`
// are no functions of single elements; the structured ops see to them.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Exec/Numerics/Float16.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::FloatPredicate;
using ktir::numerics::Opcode;
using ktir::numerics::Reg;

/// Ops that are an opcode on their operands.
static const llvm::StringMap<Opcode> &getOpcodes() {
  static const llvm::StringMap<Opcode> opcodes = {
      {"spyreop.addi32toi32", Opcode::AddI},
      {"spyreop.addi64toi64", Opcode::AddI},
      {"spyreop.muli32toi32", Opcode::MulI},
      {"spyreop.exp", Opcode::ExpF},
      {"spyreop.gelu", Opcode::GeluF},
      {"spyreop.realdiv", Opcode::DivF},
      {"spyreop.reciprocal", Opcode::ReciprocalF},
      {"spyreop.rsqrt", Opcode::RsqrtF},
      {"spyreop.sigmoid", Opcode::SigmoidF},
      {"spyreop.silu", Opcode::SiluF},
      {"spyreop.sqrt", Opcode::SqrtF}};
  return opcodes;
}

bool ktir::exec::isElementwiseSpyreOp(Operation *op) {
  return getOpcodes().contains(op->getName().getStringRef()) ||
         isa<spyreop::CompareOp, spyreop::ConstantOp, spyreop::Idx32ToAddrOp,
             spyreop::LayerNormNormOp, spyreop::LayerNormScaleFusedOp,
             spyreop::LayerNormScaleOp, spyreop::SelectOp, spyreop::SoftplusOp>(
             op);
}

Value ktir::exec::findMean(Value squares) {
  Operation *def = squares.getDefiningOp();
  if (auto moments = dyn_cast_or_null<spyreop::Exx2Op>(def))
    return squares == moments.getSquares() ? moments.getMean() : Value();
  auto structured = dyn_cast_or_null<linalg::GenericOp>(def);
  if (!structured)
    return Value();
  Operation *yield = structured.getBody()->getTerminator();
  unsigned number = cast<OpResult>(squares).getResultNumber();
  auto moments = yield->getOperand(number).getDefiningOp<spyreop::Exx2Op>();
  if (!moments || yield->getOperand(number) != moments.getSquares())
    return Value();
  for (auto [result, yielded] :
       llvm::zip_equal(structured.getResults(), yield->getOperands()))
    if (yielded == moments.getMean())
      return result;
  return Value();
}

static FloatPredicate getPredicate(spyreop::ComparePredicate predicate) {
  // All are ordered.
  switch (predicate) {
  case spyreop::ComparePredicate::Equal:
    return FloatPredicate::OEQ;
  case spyreop::ComparePredicate::NotEqual:
    return FloatPredicate::ONE;
  case spyreop::ComparePredicate::GreaterThan:
    return FloatPredicate::OGT;
  case spyreop::ComparePredicate::GreaterEqual:
    return FloatPredicate::OGE;
  case spyreop::ComparePredicate::LesserThan:
    return FloatPredicate::OLT;
  case spyreop::ComparePredicate::LesserEqual:
    return FloatPredicate::OLE;
  }
  return FloatPredicate::AlwaysFalse;
}

/// The number one.
static Reg buildOne(BlockProgram::Builder &builder, DType type) {
  switch (type) {
  case DType::F16:
    return builder.constant(type, 0x3C00);
  case DType::DF16:
    return builder.constant(type, numerics::encodeDL16(1.0f));
  default:
    return builder.constant(type, 0x3F800000);
  }
}

Reg ktir::exec::buildSpyreOp(BlockProgram::Builder &builder, Operation *op,
                             ArrayRef<Reg> operands, FindRegister find) {
  auto it = getOpcodes().find(op->getName().getStringRef());
  if (it != getOpcodes().end())
    return builder.op(it->second,
                      std::vector<Reg>(operands.begin(), operands.end()));
  return llvm::TypeSwitch<Operation *, Reg>(op)
      .Case([&](spyreop::CompareOp compare) {
        DType type = builder.getType(operands[0]);
        Reg holds = builder.compare(getPredicate(compare.getPredicate()),
                                    operands[0], operands[1]);
        return builder.op(Opcode::Select, {holds, buildOne(builder, type),
                                           builder.constant(type, 0)});
      })
      .Case([&](spyreop::ConstantOp constant) {
        // The builder converts IEEE bits itself in mode `device`.
        std::optional<int64_t> bits =
            getScalarBits(constant.getValue(), NumericsMode::Ieee);
        std::optional<DType> type = getDType(constant.getType());
        return bits && type ? builder.constant(*type, *bits) : Reg();
      })
      .Case([&](spyreop::Idx32ToAddrOp) {
        Reg distance = builder.op(Opcode::MulI, {operands[2], operands[0]});
        return builder.op(Opcode::AddI, {operands[1], distance});
      })
      .Case([&](spyreop::LayerNormScaleOp scale) {
        return builder.layerNormScale(operands[0], operands[1],
                                      scale.getEpsilon().convertToFloat());
      })
      .Case([&](spyreop::LayerNormScaleFusedOp scale) {
        Reg mean = builder.component(operands[0], 0);
        Reg squares = builder.component(operands[0], 1);
        return builder.layerNormScale(mean, squares,
                                      scale.getEpsilon().convertToFloat());
      })
      .Case([&](spyreop::LayerNormNormOp norm) {
        Value squares = norm.getSquares(), known = findMean(squares);
        Reg mean = find ? find(known ? known : squares) : Reg();
        return builder.layerNorm(operands[0],
                                 mean.isValid() ? mean : operands[1],
                                 operands[2], operands[3], operands[4]);
      })
      .Case([&](spyreop::SelectOp) {
        Reg zero = builder.constant(builder.getType(operands[0]), 0);
        // A NaN is not zero.
        Reg holds = builder.compare(FloatPredicate::UNE, operands[0], zero);
        return builder.op(Opcode::Select, {holds, operands[1], operands[2]});
      })
      .Case([&](spyreop::SoftplusOp softplus) {
        return builder.softplus(operands[0],
                                softplus.getBeta().convertToFloat(),
                                softplus.getThreshold().convertToFloat());
      })
      .Default(Reg());
}

//===----------------------------------------------------------------------===//
// Outside of structured ops
//===----------------------------------------------------------------------===//

static LogicalResult decodeConstant(Decoder &decoder, Operation *op) {
  auto constant = cast<spyreop::ConstantOp>(op);
  std::optional<int64_t> bits =
      getScalarBits(constant.getValue(), decoder.program.numerics);
  if (!bits)
    return decoder.unsupported(op, "value of the constant");
  decoder.defineConstant(constant.getResult(), *bits);
  return success();
}

/// An intrinsic whose value is not a function of its operand (ktir.md §5.5).
static LogicalResult refuseOutsideOfReduction(Decoder &decoder, Operation *op) {
  return decoder.unsupported(op,
                             "it reduces a whole dimension, expected in the "
                             "body of a reducing linalg.generic");
}

void ktir::exec::addSpyreOpHandlers(DecodeTable &table) {
  table["spyreop.exx2"] = refuseOutsideOfReduction;
  table["spyreop.exx2_fused"] = refuseOutsideOfReduction;
  for (const auto &entry : getOpcodes())
    table[entry.getKey()] = decodeElementwise;
  for (const char *name :
       {"compare", "idx32toaddr", "layernormnorm", "layernormscale",
        "layernormscale_fused", "select", "softplus"})
    table[("spyreop." + Twine(name)).str()] = decodeElementwise;
  table["spyreop.constant"] = decodeConstant;
}
