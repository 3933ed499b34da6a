//===- Builder.cpp - Building of block programs -----------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BlockProgramCode.h"
#include "Formats.h"
#include "ktir/Exec/Numerics/Float16.h"

#include <algorithm>

namespace ktir {
namespace numerics {

/// Width in bits, where `byteSize` cannot tell i1 and i4 from i8.
static unsigned bitWidth(DType type) {
  if (type == DType::I1)
    return 1;
  return type == DType::I4 ? 4 : unsigned(byteSize(type)) * 8;
}

namespace {

/// Whether values of the type are f32 in a register.
bool isF32InRegister(DType type) {
  return isFloat(type) && registerSize(type) == sizeof(float);
}

/// One value: an input, a constant or the result of an op.
struct Node {
  enum Kind : uint8_t {
    Input,
    Constant,
    Op,
    Canonical ///< An op that makes NaNs canonical.
  };
  Kind kind;
  DType type;
  uint64_t bits = 0; // of a constant; of a softplus, which table
  Opcode opcode = Opcode::AddF;
  uint8_t predicate = 0;
  uint8_t numOperands = 0;
  uint16_t operands[3] = {};
  DType operandType = DType::I1;

  bool isOp() const { return kind >= Op; }

  /// Whether it passes the bits of its operands on.
  bool movesBits() const {
    if (kind != Op)
      return false;
    switch (opcode) {
    case Opcode::Select:
    case Opcode::Bitcast:
    case Opcode::NegF:
    case Opcode::AbsF:
    case Opcode::CopySignF:
    case Opcode::MakePair:
    case Opcode::PairFirst:
    case Opcode::PairSecond:
      return true;
    default:
      return false;
    }
  }

  /// Whether it turns one float that is f32 in a register into another.
  bool isFloatCast() const {
    return kind == Op && opcode == Opcode::CastF && isF32InRegister(type) &&
           isF32InRegister(operandType);
  }

  /// Whether it is an op that looks its results up.
  bool isTable() const {
    return opcode == Opcode::SoftplusF ||
           (opcode >= Opcode::ExpF && opcode <= Opcode::ReciprocalF &&
            opcode != Opcode::SqrtF && opcode != Opcode::ReciprocalF &&
            byteSize(type) == 2);
  }

  /// Whether its NaNs, if it has any, are the same on every host.
  bool hasDefinedNaNs() const {
    return kind != Op || !isFloat(type) || movesBits() || isTable();
  }

  Kernel select(const KernelSet &kernels) const {
    return kind == Canonical
               ? kernels.selectCanonical(type)
               : kernels.select(opcode, predicate, operandType, type);
  }

  /// The loop that leaves the rounding to the store, or null if there is none.
  Kernel selectUnrounded(const KernelSet &kernels) const {
    if (kind != Op || !isFloat(type) || byteSize(type) != 2)
      return nullptr;
    switch (opcode) {
    case Opcode::AddF:
    case Opcode::SubF:
    case Opcode::MulF:
    case Opcode::DivF:
    case Opcode::MulAddF:
    case Opcode::SqrtF:
    case Opcode::ReciprocalF:
      return kernels.select(opcode, 0, DType::F32, DType::F32);
    default:
      return nullptr;
    }
  }
};

/// Whether values of the type are the same in memory and in a register.
bool isSameInRegister(DType type) {
  switch (type) {
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64:
  case DType::F32:
  case DType::F64:
    return true;
  default:
    return false;
  }
}

/// A type whose loads and stores move values of `type` with all their bits.
DType getMovedType(DType type) {
  return type == DType::F16 || type == DType::BF16 ? DType::I16 : type;
}

enum class OperandClass { Float, Int, Select, Other };

/// What an op takes, apart from comparisons and conversions.
struct Signature {
  OperandClass operandClass;
  size_t count;
};

} // namespace

static Signature getSignature(Opcode opcode) {
  if (opcode <= Opcode::MulDiv2F)
    return {OperandClass::Float, 2};
  if (opcode <= Opcode::CeilF)
    return {OperandClass::Float, 1};
  if (opcode == Opcode::MulAddF)
    return {OperandClass::Float, 3};
  if (opcode == Opcode::Select)
    return {OperandClass::Select, 3};
  if (opcode >= Opcode::AddI && opcode <= Opcode::MaxUI)
    return {OperandClass::Int, 2};
  if (opcode == Opcode::AbsI ||
      (opcode >= Opcode::CtPopI && opcode <= Opcode::CtzI))
    return {OperandClass::Int, 1};
  if (opcode == Opcode::PowI)
    return {OperandClass::Int, 2};
  if (opcode >= Opcode::ExpF && opcode <= Opcode::ReciprocalF)
    return {OperandClass::Float, 1};
  if (opcode >= Opcode::PowF && opcode <= Opcode::CopySignF)
    return {OperandClass::Float, 2};
  if (opcode >= Opcode::TruncF && opcode <= Opcode::RoundEvenF)
    return {OperandClass::Float, 1};
  if (opcode == Opcode::FmaF)
    return {OperandClass::Float, 3};
  return {OperandClass::Other, 0};
}

struct BlockProgram::Builder::State {
  NumericsMode mode;
  std::vector<Node> nodes;
  std::vector<uint16_t> outputs;
  std::vector<std::shared_ptr<const Table>> tables;

  DType lower(DType type) const { return heldType(type, mode); }

  /// Adds a value; false when there are too many of them.
  bool append(const Node &node, Reg &reg) {
    if (nodes.size() >= UINT16_MAX)
      return false;
    reg.index = uint16_t(nodes.size());
    nodes.push_back(node);
    return true;
  }

  /// Adds an op; where the bits of a NaN operand matter, makes them canonical
  /// ahead of it.
  bool appendOp(Node node, const Reg *operands, Reg &reg) {
    for (size_t i = 0; i < node.numOperands; ++i) {
      Reg operand = operands[i];
      if (node.movesBits() && !nodes[operand.index].hasDefinedNaNs()) {
        Node canonical{Node::Canonical, nodes[operand.index].type};
        canonical.numOperands = 1;
        canonical.operands[0] = operand.index;
        if (!append(canonical, operand))
          return false;
      }
      node.operands[i] = operand.index;
    }
    return append(node, reg);
  }
};

static const char *const tooManyValues =
    "too many values in an elementwise program";

BlockProgram::Builder::Builder(NumericsMode mode)
    : state(std::make_unique<State>()) {
  state->mode = mode;
}
BlockProgram::Builder::~Builder() = default;

Reg BlockProgram::Builder::fail(std::string message) {
  if (error.empty())
    error = std::move(message);
  return Reg();
}

Reg BlockProgram::Builder::input(DType type) {
  Node node{Node::Input, state->lower(type)};
  Reg reg;
  return state->append(node, reg) ? reg : fail(tooManyValues);
}

Reg BlockProgram::Builder::constant(DType type, uint64_t bits) {
  if (byteSize(type) < 8)
    bits &= (uint64_t(1) << (8 * byteSize(type))) - 1;
  if (type == DType::I1)
    bits &= 1;
  if (type == DType::F16 && state->lower(type) != type)
    bits = encodeDL16(decodeF16(uint16_t(bits)));
  type = state->lower(type);
  for (size_t i = 0; i < state->nodes.size(); ++i) {
    const Node &node = state->nodes[i];
    if (node.kind == Node::Constant && node.type == type && node.bits == bits)
      return Reg{uint16_t(i)};
  }
  Node node{Node::Constant, type};
  node.bits = bits;
  Reg reg;
  return state->append(node, reg) ? reg : fail(tooManyValues);
}

DType BlockProgram::Builder::getType(Reg reg) const {
  return reg.index < state->nodes.size() ? state->nodes[reg.index].type
                                         : DType::I1;
}

Reg BlockProgram::Builder::op(Opcode opcode,
                              std::initializer_list<Reg> operands) {
  return checkedOp(opcode, operands.begin(), operands.size());
}
Reg BlockProgram::Builder::op(Opcode opcode, const std::vector<Reg> &operands) {
  return checkedOp(opcode, operands.data(), operands.size());
}

Reg BlockProgram::Builder::checkedOp(Opcode opcode, const Reg *operands,
                                     size_t count) {
  Signature signature = getSignature(opcode);
  if (signature.operandClass == OperandClass::Other)
    return fail(
        "comparisons, conversions and ops on pairs have builder methods "
        "of their own");
  if (count != signature.count)
    return fail("elementwise op expects " + std::to_string(signature.count) +
                " operands, got " + std::to_string(count));
  for (size_t i = 0; i < count; ++i)
    if (operands[i].index >= state->nodes.size())
      return fail("elementwise op has an undefined operand");

  size_t first = signature.operandClass == OperandClass::Select ? 1 : 0;
  DType type = getType(operands[first]);
  if (first == 1 && getType(operands[0]) != DType::I1)
    return fail("select expects a condition of type 'i1', got '" +
                std::string(name(getType(operands[0]))) + "'");
  for (size_t i = first; i < count; ++i)
    if (getType(operands[i]) != type)
      return fail("elementwise op expects operands of one type, got '" +
                  std::string(name(type)) + "' and '" +
                  name(getType(operands[i])) + "'");

  if (type == DType::I4 && signature.operandClass == OperandClass::Int)
    return wideOp(opcode, operands, count);

  Node node{Node::Op, type};
  node.opcode = opcode;
  node.operandType = type;
  node.numOperands = uint8_t(count);
  if (!node.select(getKernels()))
    return fail("elementwise op is not defined on '" + std::string(name(type)) +
                "'");
  Reg reg;
  return state->appendOp(node, operands, reg) ? reg : fail(tooManyValues);
}

/// An op on nibbles as one on bytes.
Reg BlockProgram::Builder::wideOp(Opcode opcode, const Reg *operands,
                                  size_t count) {
  auto extend = [&](Reg operand, bool isSigned) {
    return cast(isSigned ? Opcode::ExtSI : Opcode::ExtUI, operand, DType::I8);
  };
  bool isSigned = true;
  switch (opcode) {
  case Opcode::DivUI:
  case Opcode::CeilDivUI:
  case Opcode::RemUI:
  case Opcode::ShrUI:
  case Opcode::MinUI:
  case Opcode::MaxUI:
  case Opcode::CtPopI:
    isSigned = false;
    break;
  default:
    break;
  }
  Reg first = extend(operands[0], isSigned);
  if (opcode == Opcode::ClzI || opcode == Opcode::CtzI) {
    // A bit at each end keeps the count within the nibble.
    bool above = opcode == Opcode::ClzI;
    if (above)
      first = op(Opcode::ShlI, {first, constant(DType::I8, 4)});
    first = op(Opcode::OrI, {first, constant(DType::I8, above ? 8 : 16)});
  }
  Reg result;
  if (count == 1) {
    result = op(opcode, {first});
  } else {
    // Amounts of shifts are unsigned.
    bool isShift = opcode == Opcode::ShlI || opcode == Opcode::ShrSI;
    result = op(opcode, {first, extend(operands[1], isSigned && !isShift)});
  }
  return cast(Opcode::TruncI, result, DType::I4);
}

Reg BlockProgram::Builder::special(Opcode opcode,
                                   std::initializer_list<Reg> operands,
                                   DType type, DType result) {
  for (Reg operand : operands)
    if (operand.index >= state->nodes.size())
      return fail("elementwise op has an undefined operand");
  Node node{Node::Op, result};
  node.opcode = opcode;
  node.operandType = type;
  node.numOperands = uint8_t(operands.size());
  if (!node.select(getKernels()))
    return fail("elementwise op is not defined on '" + std::string(name(type)) +
                "'");
  Reg reg;
  return state->appendOp(node, operands.begin(), reg) ? reg
                                                      : fail(tooManyValues);
}

Reg BlockProgram::Builder::pair(Reg first, Reg second) {
  DType type = getType(first);
  std::optional<DType> result = getPairType(type);
  if (!result || getType(second) != type)
    return fail("a pair expects two of 'f16', 'df16' or 'f32', got '" +
                std::string(name(type)) + "' and '" + name(getType(second)) +
                "'");
  return special(Opcode::MakePair, {first, second}, type, *result);
}

Reg BlockProgram::Builder::component(Reg pair, unsigned index) {
  std::optional<DType> type = getComponentType(getType(pair));
  if (!type || index > 1)
    return fail("expected a component of a pair, got one of '" +
                std::string(name(getType(pair))) + "'");
  return special(index == 0 ? Opcode::PairFirst : Opcode::PairSecond, {pair},
                 *type, *type);
}

Reg BlockProgram::Builder::softplus(Reg x, float beta, float threshold) {
  DType type = getType(x);
  Reg result = special(Opcode::SoftplusF, {x}, type, type);
  if (result.isValid()) {
    state->nodes[result.index].bits = state->tables.size();
    state->tables.push_back(makeSoftplusTable(type, beta, threshold));
  }
  return result;
}

Reg BlockProgram::Builder::layerNormScale(Reg mean, Reg squares,
                                          float epsilon) {
  DType type = getType(mean);
  if (getType(squares) != type)
    return fail("a layer norm expects operands of one type");
  Reg constantEpsilon = constant(DType::F32, formats::toBits(epsilon));
  return special(Opcode::LayerNormScale, {mean, squares, constantEpsilon}, type,
                 type);
}

Reg BlockProgram::Builder::layerNorm(Reg x, Reg mean, Reg scale, Reg weight,
                                     Reg bias) {
  DType type = getType(x);
  for (Reg operand : {mean, scale, weight, bias})
    if (getType(operand) != type)
      return fail("a layer norm expects operands of one type");
  Reg centered =
      special(Opcode::CenterAndScale, {x, mean, scale}, type, DType::F64);
  return special(Opcode::WeightAndShift, {centered, weight, bias}, type, type);
}

Reg BlockProgram::Builder::compareAs(Opcode opcode, uint8_t predicate, Reg a,
                                     Reg b) {
  if (a.index >= state->nodes.size() || b.index >= state->nodes.size())
    return fail("comparison has an undefined operand");
  if (getType(a) != getType(b))
    return fail("comparison expects operands of one type, got '" +
                std::string(name(getType(a))) + "' and '" + name(getType(b)) +
                "'");
  if (getType(a) == DType::I4 && opcode == Opcode::CmpI) {
    Opcode extend = IntPredicate(predicate) >= IntPredicate::ULT
                        ? Opcode::ExtUI
                        : Opcode::ExtSI;
    a = cast(extend, a, DType::I8);
    b = cast(extend, b, DType::I8);
  }
  Node node{Node::Op, DType::I1};
  node.opcode = opcode;
  node.predicate = predicate;
  node.operandType = getType(a);
  node.numOperands = 2;
  if (!node.select(getKernels()))
    return fail("comparison is not defined on '" +
                std::string(name(getType(a))) + "'");
  const Reg operands[] = {a, b};
  Reg reg;
  return state->appendOp(node, operands, reg) ? reg : fail(tooManyValues);
}

Reg BlockProgram::Builder::compare(FloatPredicate predicate, Reg a, Reg b) {
  return compareAs(Opcode::CmpF, uint8_t(predicate), a, b);
}
Reg BlockProgram::Builder::compare(IntPredicate predicate, Reg a, Reg b) {
  return compareAs(Opcode::CmpI, uint8_t(predicate), a, b);
}

/// Whether a conversion may change the width as it does.
static bool hasLegalWidths(Opcode opcode, DType from, DType to) {
  switch (opcode) {
  case Opcode::ExtSI:
  case Opcode::ExtUI:
    return bitWidth(to) >= bitWidth(from);
  case Opcode::TruncI:
    return bitWidth(to) <= bitWidth(from);
  case Opcode::Bitcast:
    return bitWidth(to) == bitWidth(from);
  default:
    return true;
  }
}

Reg BlockProgram::Builder::cast(Opcode opcode, Reg operand, DType type) {
  if (operand.index >= state->nodes.size())
    return fail("conversion has an undefined operand");
  if (opcode < Opcode::CastF || opcode > Opcode::Bitcast)
    return fail("not a conversion");
  type = state->lower(type);
  DType from = getType(operand);
  if (from == type &&
      (opcode == Opcode::Bitcast || (opcode == Opcode::CastF && isFloat(type))))
    return operand;
  if ((from == DType::I4) != (type == DType::I4) &&
      hasLegalWidths(opcode, from, type) && from != DType::I8 &&
      type != DType::I8)
    return castNibble(opcode, operand, type);
  // There are loops from i32 and i64 only.
  if ((opcode == Opcode::SIToFP || opcode == Opcode::UIToFP) &&
      bitWidth(from) < 32 && !isFloat(from)) {
    operand = cast(opcode == Opcode::SIToFP ? Opcode::ExtSI : Opcode::ExtUI,
                   operand, DType::I32);
    from = DType::I32;
    opcode = Opcode::SIToFP;
  }
  Node node{Node::Op, type};
  node.opcode = opcode;
  node.operandType = from;
  node.numOperands = 1;
  if (!hasLegalWidths(opcode, from, type) || !node.select(getKernels()))
    return fail("conversion is not defined from '" + std::string(name(from)) +
                "' to '" + name(type) + "'");
  Reg reg;
  return state->appendOp(node, &operand, reg) ? reg : fail(tooManyValues);
}

/// A conversion between I4 and any type but I8, by way of I8.
Reg BlockProgram::Builder::castNibble(Opcode opcode, Reg operand, DType type) {
  if (type != DType::I4) {
    bool isSigned = opcode != Opcode::ExtUI && opcode != Opcode::UIToFP;
    operand =
        cast(isSigned ? Opcode::ExtSI : Opcode::ExtUI, operand, DType::I8);
    return cast(opcode, operand, type);
  }
  Reg byte = cast(opcode, operand, DType::I8);
  // Floats saturate at the range of the nibble.
  if (opcode == Opcode::FPToSI) {
    byte = op(Opcode::MinSI, {byte, constant(DType::I8, 7)});
    byte = op(Opcode::MaxSI, {byte, constant(DType::I8, 0xF8)});
  } else if (opcode == Opcode::FPToUI) {
    byte = op(Opcode::MinUI, {byte, constant(DType::I8, 15)});
  }
  return cast(Opcode::TruncI, byte, DType::I4);
}

void BlockProgram::Builder::output(Reg reg) {
  if (reg.index >= state->nodes.size()) {
    fail("output is undefined");
    return;
  }
  state->outputs.push_back(reg.index);
}

namespace {

/// Hands out register memory. A register that is freed goes to the next of its
/// size.
class RegisterFile {
public:
  uint32_t allocate(DType type) {
    std::vector<uint32_t> &list = getFreeList(type);
    if (!list.empty()) {
      uint32_t offset = list.back();
      list.pop_back();
      return offset;
    }
    uint32_t offset = uint32_t(bytes);
    // The gap keeps neighbours off the same cache sets.
    bytes += kBlockSize * registerSize(type) + kGap;
    return offset;
  }
  void release(DType type, uint32_t offset) {
    getFreeList(type).push_back(offset);
  }
  size_t getBytes() const { return bytes; }

private:
  static constexpr size_t kGap = 64;

  std::vector<uint32_t> &getFreeList(DType type) {
    switch (registerSize(type)) {
    case 1:
      return freeLists[0];
    case 2:
      return freeLists[1];
    case 4:
      return freeLists[2];
    default:
      return freeLists[3];
    }
  }

  std::vector<uint32_t> freeLists[4];
  // The first block is where strided and misaligned data is gathered.
  size_t bytes = kBlockSize * 8 + kGap;
};

} // namespace

std::optional<BlockProgram> BlockProgram::Builder::finish() {
  std::vector<Node> nodes = std::move(state->nodes);
  std::vector<uint16_t> outputs = std::move(state->outputs);
  std::vector<std::shared_ptr<const Table>> tables = std::move(state->tables);
  state->nodes.clear();
  state->outputs.clear();
  state->tables.clear();
  if (!error.empty())
    return std::nullopt;

  // The value in whose register each value is. Widening to f32 leaves the
  // register as it is.
  std::vector<uint16_t> root(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    for (size_t k = 0; k < node.numOperands; ++k)
      node.operands[k] = root[node.operands[k]];
    root[i] = node.isFloatCast() && node.type == DType::F32 ? node.operands[0]
                                                            : uint16_t(i);
  }

  // Find where each value is read last, and which are read by ops; values that
  // are never read are dead.
  constexpr uint32_t dead = 0;
  uint32_t end = uint32_t(nodes.size()) + 1;
  std::vector<uint32_t> lastUse(nodes.size(), dead);
  std::vector<bool> isOperand(nodes.size(), false);
  for (uint16_t index : outputs) {
    lastUse[root[index]] = end;
    // The store rounds to another type than the value's own.
    if (root[index] != index)
      isOperand[root[index]] = true;
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    Node &node = nodes[i];
    if (!node.isOp() || lastUse[i] == dead)
      continue;
    // Nor does narrowing what is only stored need anything but the store.
    if (node.isFloatCast() && !isOperand[i]) {
      root[i] = node.operands[0];
      lastUse[root[i]] = end;
      isOperand[root[i]] = true;
      lastUse[i] = dead;
      continue;
    }
    for (size_t k = 0; k < node.numOperands; ++k) {
      uint32_t &use = lastUse[node.operands[k]];
      use = std::max(use, uint32_t(i) + 1);
      isOperand[node.operands[k]] = true;
    }
  }

  const KernelSet &kernels = getKernels();
  auto code = std::make_shared<Code>();
  RegisterFile file;
  std::vector<uint32_t> offsets(nodes.size(), 0);
  std::vector<int16_t> inputOf(nodes.size(), Code::none);
  // Inputs and constants are filled ahead of the ops, and a repeated one only
  // once a run, so that their registers serve for nothing else.
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    if (node.isOp() || (node.kind == Node::Constant && lastUse[i] == dead))
      continue;
    offsets[i] = file.allocate(node.type);
    // Halves that no op reads are moved as they are.
    DType moved = node.kind == Node::Input && !isOperand[i]
                      ? getMovedType(node.type)
                      : node.type;
    MoveKernel load = kernels.selectLoad(moved);
    if (node.kind == Node::Input) {
      inputOf[i] = int16_t(code->inputs.size());
      code->inputs.push_back(
          {node.type, load, offsets[i], isSameInRegister(moved)});
      code->inputs.back().registerBytes = registerSize(moved);
    } else
      code->constants.push_back({node.type, load, offsets[i], node.bits});
  }
  // Which output a value is that is nothing else.
  std::vector<int16_t> outputOf(nodes.size(), Code::none);
  for (size_t k = 0; k < outputs.size(); ++k) {
    uint16_t index = outputs[k];
    if (nodes[index].isOp() && !isOperand[index] &&
        std::count(outputs.begin(), outputs.end(), index) == 1)
      outputOf[index] = int16_t(k);
  }
  // Values whose NaNs their loop has made canonical.
  std::vector<bool> isDefined(nodes.size(), false);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    if (!node.isOp() || lastUse[i] == dead)
      continue;
    // What is only stored can be rounded by the store, in one go.
    Kernel kernel = isOperand[i] ? nullptr : node.selectUnrounded(kernels);
    if (!kernel && outputOf[i] != Code::none && node.kind == Node::Op &&
        node.type == DType::F32 && node.operandType == DType::F32) {
      kernel = kernels.selectDefined(node.opcode);
      isDefined[i] = kernel;
    }
    if (!kernel)
      kernel = node.select(kernels);
    Code::Instruction instruction = {kernel, 0, {0, 0, 0}, nullptr};
    if (outputOf[i] != Code::none && isSameInRegister(node.type) &&
        (isDefined[i] || node.hasDefinedNaNs()))
      instruction.target = outputOf[i];
    if (node.kind == Node::Op)
      instruction.context = node.opcode == Opcode::SoftplusF
                                ? tables[node.bits].get()
                                : getContext(node.opcode, node.operandType);
    // The result is allocated before operands are released: a loop does not
    // write what it reads.
    instruction.dst = offsets[i] = file.allocate(node.type);
    for (size_t k = 0; k < node.numOperands; ++k) {
      uint16_t operand = node.operands[k];
      instruction.operands[k] = offsets[operand];
      instruction.sources[k] = inputOf[operand];
      if (nodes[operand].isOp() && lastUse[operand] == i + 1) {
        file.release(nodes[operand].type, offsets[operand]);
        lastUse[operand] = end; // an operand given twice is released once
      }
    }
    code->instructions.push_back(instruction);
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    uint16_t index = outputs[k], from = root[index];
    DType type = nodes[index].type;
    if (nodes[index].kind == Node::Input && !isOperand[index])
      type = getMovedType(type);
    bool isExact = isDefined[index] || nodes[index].hasDefinedNaNs();
    Code::Port port{nodes[index].type,
                    isExact ? kernels.selectStore(type)
                            : kernels.selectStoreRounded(type),
                    offsets[from]};
    port.isCopy = isExact && isSameInRegister(type);
    port.isWritten = from == index && outputOf[index] != Code::none;
    port.source = inputOf[from];
    code->outputs.push_back(port);
  }
  code->tables = std::move(tables);
  code->scratchBytes = file.getBytes();
  return BlockProgram(std::move(code));
}

} // namespace numerics
} // namespace ktir
