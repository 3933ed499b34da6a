//===- Elementwise.cpp - Ops on every element -----------------------------===//

#include "Elementwise.h"

#include "ktir/Exec/Numerics/Float16.h"
#include "ktir/Exec/Numerics/Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockInput;
using ktir::numerics::BlockOutput;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Fault;
using ktir::numerics::Opcode;
using ktir::numerics::Reg;

const uint64_t ktir::exec::zeroElement = 0;

//===----------------------------------------------------------------------===//
// Ops as block programs
//===----------------------------------------------------------------------===//

namespace {
enum class Form : uint8_t {
  Plain,    ///< an opcode on the operands
  Cast,     ///< an opcode and the result's element type
  IndexUI,  ///< zero-extend or truncate
  IndexSI,  ///< sign-extend or truncate
  CompareI, ///< by the attribute `predicate`
  CompareF,
  PowerI,  ///< a float to the power of an integer
  Carry,   ///< a sum and whether it wrapped
  Product, ///< the low and high half of a product; an opcode that extends
  SinCos,  ///< a sine and a cosine
  Clamp,   ///< a value between two bounds
  Classify ///< which kind of float; by the op's name
};
struct Rule {
  Opcode opcode;
  Form form = Form::Plain;
};
} // namespace

static const llvm::StringMap<Rule> &getRules() {
  static const llvm::StringMap<Rule> rules = [] {
    llvm::StringMap<Rule> table;
    auto plain = [&](StringRef name, Opcode opcode) { table[name] = {opcode}; };
    auto cast = [&](StringRef name, Opcode opcode) {
      table[name] = {opcode, Form::Cast};
    };
    plain("arith.addf", Opcode::AddF);
    plain("arith.subf", Opcode::SubF);
    plain("arith.mulf", Opcode::MulF);
    plain("arith.divf", Opcode::DivF);
    plain("arith.remf", Opcode::RemF);
    plain("arith.negf", Opcode::NegF);
    plain("arith.maximumf", Opcode::MaximumF);
    plain("arith.minimumf", Opcode::MinimumF);
    plain("arith.maxnumf", Opcode::MaxNumF);
    plain("arith.minnumf", Opcode::MinNumF);
    plain("arith.addi", Opcode::AddI);
    plain("arith.subi", Opcode::SubI);
    plain("arith.muli", Opcode::MulI);
    plain("arith.divsi", Opcode::DivSI);
    plain("arith.divui", Opcode::DivUI);
    plain("arith.ceildivsi", Opcode::CeilDivSI);
    plain("arith.ceildivui", Opcode::CeilDivUI);
    plain("arith.floordivsi", Opcode::FloorDivSI);
    plain("arith.remsi", Opcode::RemSI);
    plain("arith.remui", Opcode::RemUI);
    plain("arith.andi", Opcode::AndI);
    plain("arith.ori", Opcode::OrI);
    plain("arith.xori", Opcode::XorI);
    plain("arith.shli", Opcode::ShlI);
    plain("arith.shrsi", Opcode::ShrSI);
    plain("arith.shrui", Opcode::ShrUI);
    plain("arith.minsi", Opcode::MinSI);
    plain("arith.maxsi", Opcode::MaxSI);
    plain("arith.minui", Opcode::MinUI);
    plain("arith.maxui", Opcode::MaxUI);
    plain("arith.select", Opcode::Select);
    for (auto [name, opcode] :
         std::initializer_list<std::pair<StringRef, Opcode>>{
             {"math.absf", Opcode::AbsF},
             {"math.absi", Opcode::AbsI},
             {"math.acos", Opcode::AcosF},
             {"math.acosh", Opcode::AcoshF},
             {"math.asin", Opcode::AsinF},
             {"math.asinh", Opcode::AsinhF},
             {"math.atan", Opcode::AtanF},
             {"math.atan2", Opcode::Atan2F},
             {"math.atanh", Opcode::AtanhF},
             {"math.cbrt", Opcode::CbrtF},
             {"math.ceil", Opcode::CeilF},
             {"math.copysign", Opcode::CopySignF},
             {"math.cos", Opcode::CosF},
             {"math.cosh", Opcode::CoshF},
             {"math.ctlz", Opcode::ClzI},
             {"math.ctpop", Opcode::CtPopI},
             {"math.cttz", Opcode::CtzI},
             {"math.erf", Opcode::ErfF},
             {"math.erfc", Opcode::ErfcF},
             {"math.exp", Opcode::ExpF},
             {"math.exp2", Opcode::Exp2F},
             {"math.expm1", Opcode::ExpM1F},
             {"math.floor", Opcode::FloorF},
             {"math.fma", Opcode::FmaF},
             {"math.ipowi", Opcode::PowI},
             {"math.log", Opcode::LogF},
             {"math.log10", Opcode::Log10F},
             {"math.log1p", Opcode::Log1pF},
             {"math.log2", Opcode::Log2F},
             {"math.powf", Opcode::PowF},
             {"math.round", Opcode::RoundF},
             {"math.roundeven", Opcode::RoundEvenF},
             {"math.rsqrt", Opcode::RsqrtF},
             {"math.sin", Opcode::SinF},
             {"math.sinh", Opcode::SinhF},
             {"math.sqrt", Opcode::SqrtF},
             {"math.tan", Opcode::TanF},
             {"math.tanh", Opcode::TanhF},
             {"math.trunc", Opcode::TruncF}})
      plain(name, opcode);
    table["math.clampf"] = {Opcode::MinimumF, Form::Clamp};
    table["math.fpowi"] = {Opcode::PowF, Form::PowerI};
    table["math.sincos"] = {Opcode::SinF, Form::SinCos};
    table["arith.addui_extended"] = {Opcode::AddI, Form::Carry};
    table["arith.mulsi_extended"] = {Opcode::ExtSI, Form::Product};
    table["arith.mului_extended"] = {Opcode::ExtUI, Form::Product};
    for (StringRef name :
         {"math.isfinite", "math.isinf", "math.isnan", "math.isnormal"})
      table[name] = {Opcode::CmpF, Form::Classify};
    cast("arith.extf", Opcode::CastF);
    cast("arith.truncf", Opcode::CastF);
    cast("arith.sitofp", Opcode::SIToFP);
    cast("arith.uitofp", Opcode::UIToFP);
    cast("arith.fptosi", Opcode::FPToSI);
    cast("arith.fptoui", Opcode::FPToUI);
    cast("arith.extsi", Opcode::ExtSI);
    cast("arith.extui", Opcode::ExtUI);
    cast("arith.trunci", Opcode::TruncI);
    cast("arith.bitcast", Opcode::Bitcast);
    table["arith.index_cast"] = {Opcode::ExtSI, Form::IndexSI};
    table["arith.index_castui"] = {Opcode::ExtUI, Form::IndexUI};
    table["arith.cmpi"] = {Opcode::CmpI, Form::CompareI};
    table["arith.cmpf"] = {Opcode::CmpF, Form::CompareF};
    return table;
  }();
  return rules;
}

/// The bits of an infinity and of the smallest normal number.
static std::pair<uint64_t, uint64_t> getLimits(DType type) {
  switch (type) {
  case DType::F16:
    return {0x7C00, 0x0400};
  case DType::BF16:
    return {0x7F80, 0x0080};
  case DType::F32:
    return {0x7F800000, 0x00800000};
  default:
    return {uint64_t(0x7FF) << 52, uint64_t(1) << 52};
  }
}

/// `math.isfinite` and its like.
static Reg buildClassify(BlockProgram::Builder &builder, StringRef name,
                         Reg operand) {
  using numerics::FloatPredicate;
  DType type = builder.getType(operand);
  if (name == "math.isnan")
    return builder.compare(FloatPredicate::UNO, operand, operand);
  if (type == DType::DF16) {
    // One code is a NaN or an infinity, and there are no subnormals.
    if (name == "math.isinf")
      return builder.constant(DType::I1, 0);
    auto predicate =
        name == "math.isfinite" ? FloatPredicate::ORD : FloatPredicate::ONE;
    return builder.compare(predicate, operand, builder.constant(type, 0));
  }
  auto [infinity, normal] = getLimits(type);
  Reg magnitude = builder.op(Opcode::AbsF, {operand});
  Reg limit = builder.constant(type, infinity);
  if (name == "math.isinf")
    return builder.compare(FloatPredicate::OEQ, magnitude, limit);
  Reg finite = builder.compare(FloatPredicate::OLT, magnitude, limit);
  if (name == "math.isfinite")
    return finite;
  return builder.op(Opcode::AndI,
                    {finite, builder.compare(FloatPredicate::OGE, magnitude,
                                             builder.constant(type, normal))});
}

/// The high half of the product of `a` and `b`, integers of `width` bits, which
/// `extend` extends.
static Reg buildHighProduct(BlockProgram::Builder &builder, Opcode extend,
                            unsigned width, Reg a, Reg b) {
  DType type = builder.getType(a);
  auto op = [&](Opcode opcode, Reg x, Reg y) {
    return builder.op(opcode, {x, y});
  };
  if (width < 64) {
    DType wide = width > 16  ? DType::I64
                 : width > 8 ? DType::I32
                 : width > 4 ? DType::I16
                             : DType::I8;
    Reg product = op(Opcode::MulI, builder.cast(extend, a, wide),
                     builder.cast(extend, b, wide));
    return builder.cast(
        Opcode::TruncI,
        op(Opcode::ShrUI, product, builder.constant(wide, width)), type);
  }
  // Long multiplication by halves, none of whose sums overflows.
  Reg half = builder.constant(type, 32);
  Reg mask = builder.constant(type, UINT32_MAX);
  auto low = [&](Reg x) { return op(Opcode::AndI, x, mask); };
  auto high = [&](Reg x) { return op(Opcode::ShrUI, x, half); };
  auto product = [&](Reg x, Reg y) { return op(Opcode::MulI, x, y); };
  auto sum = [&](Reg x, Reg y) { return op(Opcode::AddI, x, y); };
  Reg middle = sum(product(high(a), low(b)), high(product(low(a), low(b))));
  Reg other = sum(product(low(a), high(b)), low(middle));
  Reg result = sum(sum(product(high(a), high(b)), high(middle)), high(other));
  if (extend == Opcode::ExtUI)
    return result;
  // A negative factor was read as 2^64 more than it is.
  Reg last = builder.constant(type, 63);
  auto whereNegative = [&](Reg x, Reg y) {
    return op(Opcode::AndI, op(Opcode::ShrSI, x, last), y);
  };
  result = op(Opcode::SubI, result, whereNegative(a, b));
  return op(Opcode::SubI, result, whereNegative(b, a));
}

bool ktir::exec::isElementwise(Operation *op) {
  return getRules().contains(op->getName().getStringRef()) ||
         isElementwiseSpyreOp(op);
}

Reg ktir::exec::buildElementwise(BlockProgram::Builder &builder,
                                 OpResult result, ArrayRef<Reg> operands,
                                 FindRegister find) {
  Operation *op = result.getOwner();
  bool isFirst = result.getResultNumber() == 0;
  if (isElementwiseSpyreOp(op))
    return buildSpyreOp(builder, op, operands, find);
  auto it = getRules().find(op->getName().getStringRef());
  if (it == getRules().end())
    return Reg();
  const Rule &rule = it->second;
  Type element = getElementTypeOrSelf(op->getResult(0));
  std::optional<DType> type = getDType(element);
  if (!type)
    return Reg();
  switch (rule.form) {
  case Form::Plain:
    return builder.op(rule.opcode,
                      std::vector<Reg>(operands.begin(), operands.end()));
  case Form::Cast:
    return builder.cast(rule.opcode, operands[0], *type);
  case Form::IndexUI:
  case Form::IndexSI: {
    size_t from = numerics::byteSize(builder.getType(operands[0]));
    size_t to = numerics::byteSize(*type);
    if (from == to)
      return operands[0];
    return builder.cast(to < from ? Opcode::TruncI : rule.opcode, operands[0],
                        *type);
  }
  case Form::CompareI:
    return builder.compare(
        numerics::IntPredicate(
            cast<arith::CmpIOp>(op).getPredicateAttr().getInt()),
        operands[0], operands[1]);
  case Form::CompareF:
    return builder.compare(
        numerics::FloatPredicate(
            cast<arith::CmpFOp>(op).getPredicateAttr().getInt()),
        operands[0], operands[1]);
  case Form::PowerI: {
    Reg base = builder.cast(Opcode::CastF, operands[0], DType::F64);
    Reg exponent = builder.cast(Opcode::SIToFP, operands[1], DType::F64);
    return builder.cast(Opcode::CastF,
                        builder.op(Opcode::PowF, {base, exponent}), *type);
  }
  case Form::Carry: {
    Reg sum = builder.op(Opcode::AddI, {operands[0], operands[1]});
    return isFirst
               ? sum
               : builder.compare(numerics::IntPredicate::ULT, sum, operands[0]);
  }
  case Form::Product:
    if (isFirst)
      return builder.op(Opcode::MulI, {operands[0], operands[1]});
    return buildHighProduct(builder, rule.opcode,
                            element.isIndex() ? 64
                                              : element.getIntOrFloatBitWidth(),
                            operands[0], operands[1]);
  case Form::SinCos:
    return builder.op(isFirst ? Opcode::SinF : Opcode::CosF, {operands[0]});
  case Form::Clamp:
    return builder.op(Opcode::MaximumF,
                      {builder.op(Opcode::MinimumF, {operands[0], operands[2]}),
                       operands[1]});
  case Form::Classify:
    return buildClassify(builder, op->getName().getStringRef(), operands[0]);
  }
  return Reg();
}

std::optional<int64_t> ktir::exec::getScalarBits(Attribute attribute,
                                                 NumericsMode mode) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    const APInt &value = integer.getValue();
    if (value.getBitWidth() == 1)
      return value.getZExtValue();
    if (value.getBitWidth() <= 64)
      return value.getSExtValue();
    return std::nullopt;
  }
  if (auto real = dyn_cast<FloatAttr>(attribute)) {
    if (!getDType(real.getType()))
      return std::nullopt;
    uint64_t bits = real.getValue().bitcastToAPInt().getZExtValue();
    if (real.getType().isF16() && mode == NumericsMode::Device)
      bits = numerics::encodeDL16(numerics::decodeF16(uint16_t(bits)));
    return bits;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Outcome ktir::exec::checkReadable(Instance &self, uint32_t site,
                                  unsigned operand, const Tensor &tensor) {
  if (tensor.isForOthers)
    return self.run.fail(self, site, "",
                         "operand " + llvm::Twine(operand) +
                             " was delivered to other tiles; expected a tile "
                             "of consumer_tiles_per_group to use it");
  if (tensor.isUndefined())
    reportUndefined(self, site, operand);
  return Outcome::Next;
}

void ktir::exec::reportUndefined(Instance &self, uint32_t site,
                                 unsigned operand) {
  if (self.run.options.checks)
    self.run.report(self, FindingSeverity::Error, site, "UP-2",
                    "operand " + llvm::Twine(operand) +
                        " is an uninitialised tensor, read as zero");
}

Outcome ktir::exec::failOnFault(Instance &self, uint32_t site, Fault fault) {
  if (fault == Fault::DivisionByZero)
    return self.run.fail(self, site, "", "division by zero");
  return Outcome::Next;
}

Nest::Nest(const BlockProgram &program, ArrayRef<int64_t> extents,
           ArrayRef<NestOperand> inputs, ArrayRef<NestOperand> outputs,
           ArrayRef<unsigned> indexInputs, ArrayRef<int64_t> indexOrigin)
    : program(program), isEmpty(llvm::is_contained(extents, 0)),
      index(indexOrigin) {
  index.resize(extents.size(), 0);
  // Loops from outermost to innermost, so that the first output is written in
  // the order of its elements.
  SmallVector<unsigned, 4> order;
  for (unsigned d = 0; d < extents.size(); ++d)
    if (extents[d] != 1 || llvm::is_contained(indexInputs, d))
      order.push_back(d);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    // Equal strides keep the order of the loops.
    return std::pair(-outputs[0].strides[a], a) <
           std::pair(-outputs[0].strides[b], b);
  });
  for (unsigned d : order) {
    Loop loop{extents[d], d, {}};
    for (const NestOperand &operand : inputs)
      loop.strides.push_back(operand.strides[d]);
    for (const NestOperand &operand : outputs)
      loop.strides.push_back(operand.strides[d]);
    // Merge with the surrounding loop where every operand goes on evenly.
    if (!loops.empty() && indexInputs.empty()) {
      Loop &outer = loops.back();
      bool even = true;
      for (auto [next, step] : llvm::zip_equal(outer.strides, loop.strides))
        even &= next == step * loop.count;
      if (even) {
        outer = {outer.count * loop.count, d, std::move(loop.strides)};
        continue;
      }
    }
    loops.push_back(std::move(loop));
  }
  std::optional<Loop> innermost;
  if (!loops.empty()) {
    innermost = loops.pop_back_val();
    inner = innermost->count;
  }
  counter.assign(loops.size(), 0);

  for (auto [i, operand] : llvm::enumerate(inputs)) {
    int64_t size = numerics::byteSize(program.getInputType(i));
    // Strides stay inside an operand's buffer, so they fit a pointer.
    in.push_back({operand.data,
                  ptrdiff_t(innermost ? innermost->strides[i] / size : 0)});
    start.push_back(operand.data);
  }
  for (auto [i, operand] : llvm::enumerate(outputs)) {
    int64_t size = numerics::byteSize(program.getOutputType(i));
    out.push_back(
        {operand.data,
         ptrdiff_t(innermost ? innermost->strides[inputs.size() + i] / size
                             : 1)});
    start.push_back(operand.data);
  }
  at = start;
  for (unsigned d : indexInputs) {
    bool isInner = innermost && innermost->index == d;
    if (isInner && ramp.empty())
      for (int64_t i = 0; i < inner; ++i)
        ramp.push_back(index[d] + i);
    in.push_back({isInner ? ramp.data() : &index[d], isInner ? 1 : 0});
  }
}

Fault Nest::run(ArrayRef<int64_t> inputOffset, ArrayRef<int64_t> outputOffset,
                numerics::Scratch &scratch) {
  if (isEmpty)
    return Fault::None;
  for (auto [i, offset] : llvm::enumerate(inputOffset))
    at[i] = start[i] + offset;
  for (auto [i, offset] : llvm::enumerate(outputOffset))
    at[inputOffset.size() + i] = start[inputOffset.size() + i] + offset;
  size_t numInputs = inputOffset.size();
  Fault fault = Fault::None;
  // Short rows are not worth a program.
  bool isCopy =
      numerics::isCopy(program) && in[0].stride == 1 && out[0].stride == 1;
  size_t copied = inner * numerics::byteSize(program.getInputType(0));
  while (true) {
    if (isCopy) {
      std::memmove(at[1], at[0], copied);
    } else {
      for (size_t i = 0; i < numInputs; ++i)
        in[i].data = at[i];
      for (size_t i = 0; i < out.size(); ++i)
        out[i].data = at[numInputs + i];
      Fault met = numerics::run(program, in.data(), out.data(), inner, scratch);
      if (met != Fault::None)
        fault = met;
    }
    size_t level = loops.size();
    while (level > 0) {
      const Loop &loop = loops[level - 1];
      bool wraps = ++counter[level - 1] == loop.count;
      int64_t steps = wraps ? 1 - loop.count : 1;
      for (size_t i = 0; i < at.size(); ++i)
        at[i] += loop.strides[i] * steps;
      index[loop.index] += steps;
      if (!wraps)
        break;
      counter[level - 1] = 0;
      --level;
    }
    if (level == 0)
      return fault;
  }
}

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

/// a: scalar slot of the result.
static Outcome runScalar(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<ElementwisePayload>();
  SmallVector<BlockInput, 4> inputs;
  for (const ElementwisePayload::Input &input : payload.inputs)
    inputs.push_back({&self.scalars[input.slot], 0});
  uint64_t bits = 0;
  BlockOutput output{&bits, 1};
  Fault fault = numerics::run(*payload.program, inputs.data(), &output, 1,
                              self.run.scratch);
  // Integers are kept sign-extended.
  DType type = payload.program->getOutputType(0);
  if (!numerics::isFloat(type) && type != DType::I1 && payload.elementBytes < 8)
    bits = llvm::SignExtend64(bits, payload.elementBytes * 8);
  self.scalars[instruction.a] = bits;
  const OpCost &cost = self.run.program.sites[instruction.site].cost;
  if (numerics::isFloat(payload.program->getInputType(0))) {
    self.cost.vectorElements += cost.plain;
    self.cost.transcendentalElements += cost.transcendental;
  }
  return failOnFault(self, instruction.site, fault);
}

namespace {
/// An op on tensors, which takes several turns where they have many elements.
struct ElementwiseRun : Unfinished {
  SmallVector<BlockInput, 4> inputs;
  Tensor result;
  int64_t done = 0;
};
} // namespace

/// Computes as many elements as one turn takes; Jump where more are left.
static Outcome takeTurn(Instance &self, const Instruction &instruction,
                        ElementwiseRun &work) {
  const auto &payload = instruction.as<ElementwisePayload>();
  uint64_t begin = self.run.ticks;
  int64_t total = work.result.elements();
  int64_t count =
      std::min<int64_t>(self.pointsPerTurn(instruction.site, *payload.program),
                        total - work.done);
  BlockOutput output{work.result.data.data() + work.done * payload.elementBytes,
                     1};
  Fault fault = numerics::run(*payload.program, work.inputs.data(), &output,
                              count, self.run.scratch);
  work.done += count;
  self.compute(instruction.site, count, count);
  self.run.event(self, "compute", begin, 0, instruction.site);
  if (fault != Fault::None)
    return failOnFault(self, instruction.site, fault);
  if (work.done < total) {
    for (auto [i, input] : llvm::enumerate(work.inputs))
      input.data = static_cast<const uint8_t *>(input.data) +
                   count * input.stride *
                       numerics::byteSize(payload.program->getInputType(i));
    return Outcome::Jump;
  }
  self.tensors[instruction.a] = std::move(work.result);
  return Outcome::Next;
}

Outcome ktir::exec::runElementwise(Instance &self,
                                   const Instruction &instruction) {
  if (self.unfinished) {
    Outcome outcome = takeTurn(self, instruction,
                               static_cast<ElementwiseRun &>(*self.unfinished));
    if (outcome == Outcome::Next)
      self.unfinished.reset();
    return outcome;
  }
  const auto &payload = instruction.as<ElementwisePayload>();
  ElementwiseRun work;
  const Tensor *like = nullptr;
  for (auto [i, input] : llvm::enumerate(payload.inputs)) {
    if (input.kind == SlotKind::Scalar) {
      work.inputs.push_back({&self.scalars[input.slot], 0});
      continue;
    }
    const Tensor &tensor = self.tensors[input.slot];
    if (like && !llvm::equal(like->shape, tensor.shape))
      return self.run.fail(self, instruction.site, "",
                           "operand " + llvm::Twine(i) + " has shape " +
                               shapeText(tensor.shape) + ", expected " +
                               shapeText(like->shape) +
                               ", that of the first tensor");
    if (!like)
      like = &tensor;
    if (tensor.isUndefined()) {
      if (checkReadable(self, instruction.site, i, tensor) == Outcome::Fail)
        return Outcome::Fail;
      work.inputs.push_back({&zeroElement, 0});
    } else {
      work.inputs.push_back({tensor.data.data(), 1});
    }
  }
  work.result =
      self.makeTensor(like->shape, payload.elementBytes, instruction.site);
  Outcome outcome = takeTurn(self, instruction, work);
  if (outcome == Outcome::Jump)
    self.unfinished = std::make_unique<ElementwiseRun>(std::move(work));
  return outcome;
}

void ktir::exec::emitElementwise(Decoder &decoder, Operation *op,
                                 BlockProgram program, ValueRange inputs,
                                 Value result) {
  auto *payload = decoder.makePayload<ElementwisePayload>();
  payload->elementBytes = numerics::byteSize(program.getOutputType(0));
  for (Value input : inputs)
    payload->inputs.push_back(
        {*getSlotKind(input.getType()), decoder.use(input)});
  payload->program = std::move(program);
  bool isScalar = getSlotKind(result.getType()) == SlotKind::Scalar;
  uint32_t slot = decoder.define(result);
  Instruction &instruction =
      decoder.emit(op, isScalar ? runScalar : runElementwise);
  instruction.a = slot;
  instruction.payload = payload;
}

LogicalResult ktir::exec::decodeElementwise(Decoder &decoder, Operation *op) {
  bool isAlone = op->getNumResults() == 1;
  for (OpResult result : op->getResults()) {
    BlockProgram::Builder builder(decoder.program.numerics);
    SmallVector<Reg, 4> operands;
    for (Value operand : op->getOperands()) {
      std::optional<DType> type = getDType(getElementTypeOrSelf(operand));
      if (!type)
        return decoder.unsupported(op, "element type of an operand");
      operands.push_back(builder.input(*type));
    }
    builder.output(buildElementwise(builder, result, operands));
    std::optional<BlockProgram> program = builder.finish();
    if (!program)
      return decoder.unsupported(op, builder.getError().empty()
                                         ? "these element types"
                                         : builder.getError().c_str());
    if (isAlone)
      decoder.noteElementwise(op);
    emitElementwise(decoder, op, std::move(*program), op->getOperands(),
                    result);
  }
  return success();
}
