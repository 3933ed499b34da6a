//===- DecodeArith.cpp - arith and math -----------------------------------===//

#include "Elementwise.h"
#include "ScalarHandlers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <functional>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Largest constant, in bytes, that a program holds.
static constexpr uint64_t maxConstantBytes = uint64_t(1) << 26;

static LogicalResult decodeConstant(Decoder &decoder, Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  Attribute value = constant.getValue();
  NumericsMode mode = decoder.program.numerics;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    std::optional<numerics::DType> type = getDType(dense.getElementType());
    if (!type)
      return decoder.unsupported(op, "element type of the constant");
    size_t size = numerics::byteSize(*type);
    uint64_t count = dense.getNumElements();
    if (count * size > maxConstantBytes)
      return decoder.unsupported(op, "a constant of more than " +
                                         Twine(maxConstantBytes) + " bytes");
    Buffer data = Buffer::allocate(count * size, nullptr);
    uint8_t *out = data.data();
    auto put = [&](Attribute element) {
      int64_t bits = *getScalarBits(element, mode);
      std::memcpy(out, &bits, size);
      out += size;
    };
    if (dense.isSplat()) {
      Attribute splat = dense.getSplatValue<Attribute>();
      for (uint64_t i = 0; i < count; ++i)
        put(splat);
    } else {
      for (Attribute element : dense.getValues<Attribute>())
        put(element);
    }
    decoder.defineTensor(constant.getResult(), std::move(data));
    return success();
  }
  std::optional<int64_t> bits = getScalarBits(value, mode);
  if (!bits || !getDType(constant.getType()))
    return decoder.unsupported(op, "type of the constant");
  decoder.defineConstant(constant.getResult(), *bits);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalar integers
//===----------------------------------------------------------------------===//

// Address arithmetic is most of what a unit program executes, so scalar
// integers have instructions of their own. Slots are sign-extended; unsigned
// ops see the low `immediate` bits.

namespace {
struct MinS {
  static int64_t get(int64_t a, int64_t b) { return std::min(a, b); }
};
struct MaxS {
  static int64_t get(int64_t a, int64_t b) { return std::max(a, b); }
};
struct MinU {
  static uint64_t get(uint64_t a, uint64_t b) { return std::min(a, b); }
};
struct MaxU {
  static uint64_t get(uint64_t a, uint64_t b) { return std::max(a, b); }
};
// The lowest number divided by -1 wraps.
struct DivS {
  static int64_t get(int64_t a, int64_t b) {
    return b == -1 ? int64_t(-uint64_t(a)) : a / b;
  }
};
struct CeilDivS {
  static int64_t get(int64_t a, int64_t b) {
    return b == -1 ? int64_t(-uint64_t(a))
                   : a / b + (a % b != 0 && (a < 0) == (b < 0));
  }
};
struct FloorDivS {
  static int64_t get(int64_t a, int64_t b) {
    return b == -1 ? int64_t(-uint64_t(a))
                   : a / b - (a % b != 0 && (a < 0) != (b < 0));
  }
};
struct RemS {
  static int64_t get(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
};
struct DivU {
  static uint64_t get(uint64_t a, uint64_t b) { return a / b; }
};
struct CeilDivU {
  static uint64_t get(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }
};
struct RemU {
  static uint64_t get(uint64_t a, uint64_t b) { return a % b; }
};
} // namespace

template <typename Op>
static Outcome runSigned(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] =
      wrap(Op::get(asSigned(self.scalars[instruction.b], instruction),
                   asSigned(self.scalars[instruction.c], instruction)),
           instruction);
  return Outcome::Next;
}

template <typename Op>
static Outcome runUnsigned(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] =
      wrap(Op::get(zeroExtended(self.scalars[instruction.b], instruction),
                   zeroExtended(self.scalars[instruction.c], instruction)),
           instruction);
  return Outcome::Next;
}

/// The same after a test of the divisor.
template <Handler divide>
static Outcome runDivision(Instance &self, const Instruction &instruction) {
  if (self.scalars[instruction.c] == 0)
    return failOnFault(self, instruction.site, numerics::Fault::DivisionByZero);
  return divide(self, instruction);
}

/// Shifts; an amount of the width or more shifts everything out.
static Outcome runShiftLeft(Instance &self, const Instruction &instruction) {
  uint64_t amount = zeroExtended(self.scalars[instruction.c], instruction);
  uint64_t value = self.scalars[instruction.b];
  bool inside = amount < uint64_t(instruction.immediate);
  self.scalars[instruction.a] = wrap(inside ? value << amount : 0, instruction);
  return Outcome::Next;
}
static Outcome runShiftRightSigned(Instance &self,
                                   const Instruction &instruction) {
  uint64_t amount = zeroExtended(self.scalars[instruction.c], instruction);
  int64_t value = asSigned(self.scalars[instruction.b], instruction);
  self.scalars[instruction.a] =
      wrap(value >> std::min<uint64_t>(amount, 63), instruction);
  return Outcome::Next;
}
static Outcome runShiftRightUnsigned(Instance &self,
                                     const Instruction &instruction) {
  uint64_t amount = zeroExtended(self.scalars[instruction.c], instruction);
  uint64_t value = zeroExtended(self.scalars[instruction.b], instruction);
  bool inside = amount < uint64_t(instruction.immediate);
  self.scalars[instruction.a] = wrap(inside ? value >> amount : 0, instruction);
  return Outcome::Next;
}

/// a = b with another width: `immediate` bits instead of d, filled with the
/// sign where c is not zero.
static Outcome runResize(Instance &self, const Instruction &instruction) {
  uint64_t bits = uint64_t(self.scalars[instruction.b]);
  if (instruction.d < 64)
    bits = instruction.c
               ? uint64_t(llvm::SignExtend64(bits, instruction.d))
               : bits & llvm::maskTrailingOnes<uint64_t>(instruction.d);
  self.scalars[instruction.a] = wrap(bits, instruction);
  return Outcome::Next;
}

/// a = f(b, c), where `immediate` is a numerics::ScalarFunction.
static Outcome runFunction(Instance &self, const Instruction &instruction) {
  auto function = reinterpret_cast<numerics::ScalarFunction>(
      static_cast<intptr_t>(instruction.immediate));
  self.scalars[instruction.a] = int64_t(function(
      self.scalars[instruction.b], self.scalars[instruction.c], instruction.d));
  ++self.cost.vectorElements;
  return Outcome::Next;
}
/// The same for a result of type i1.
static Outcome runFunctionToBit(Instance &self,
                                const Instruction &instruction) {
  runFunction(self, instruction);
  self.scalars[instruction.a] &= 1;
  return Outcome::Next;
}

/// a = b ? c : d
static Outcome runSelect(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] = self.scalars[instruction.b]
                                    ? self.scalars[instruction.c]
                                    : self.scalars[instruction.d];
  return Outcome::Next;
}

/// The same of views or tiles.
template <auto Slots>
static Outcome runSelectOf(Instance &self, const Instruction &instruction) {
  auto &slots = self.*Slots;
  auto chosen =
      slots[self.scalars[instruction.b] ? instruction.c : instruction.d];
  slots[instruction.a] = std::move(chosen);
  return Outcome::Next;
}

/// Of a type whose values are chosen as a whole; null for others.
static Handler getSelectHandler(Type type) {
  switch (getSlotKind(type).value_or(SlotKind::Tensor)) {
  case SlotKind::Scalar:
    return runSelect;
  case SlotKind::View:
    return runSelectOf<&Instance::views>;
  case SlotKind::Tile:
    return runSelectOf<&Instance::tiles>;
  case SlotKind::Tensor:
    return nullptr;
  }
  return nullptr;
}

static LogicalResult decodeSelect(Decoder &decoder, Operation *op,
                                  Handler handler) {
  uint32_t condition = decoder.use(op->getOperand(0));
  uint32_t ifTrue = decoder.use(op->getOperand(1));
  uint32_t ifFalse = decoder.use(op->getOperand(2));
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, handler);
  instruction.a = result;
  instruction.b = condition;
  instruction.c = ifTrue;
  instruction.d = ifFalse;
  return success();
}

static Handler getIntegerHandler(StringRef name) {
  return llvm::StringSwitch<Handler>(name)
      .Case("arith.addi", runBits<AddBits>)
      .Case("arith.subi", runBits<SubBits>)
      .Case("arith.muli", runBits<MulBits>)
      .Case("arith.andi", runBits<AndBits>)
      .Case("arith.ori", runBits<OrBits>)
      .Case("arith.xori", runBits<XorBits>)
      .Case("arith.shli", runShiftLeft)
      .Case("arith.shrsi", runShiftRightSigned)
      .Case("arith.shrui", runShiftRightUnsigned)
      .Case("arith.minsi", runSigned<MinS>)
      .Case("arith.maxsi", runSigned<MaxS>)
      .Case("arith.minui", runUnsigned<MinU>)
      .Case("arith.maxui", runUnsigned<MaxU>)
      .Case("arith.divsi", runDivision<runSigned<DivS>>)
      .Case("arith.ceildivsi", runDivision<runSigned<CeilDivS>>)
      .Case("arith.floordivsi", runDivision<runSigned<FloorDivS>>)
      .Case("arith.remsi", runDivision<runSigned<RemS>>)
      .Case("arith.divui", runDivision<runUnsigned<DivU>>)
      .Case("arith.ceildivui", runDivision<runUnsigned<CeilDivU>>)
      .Case("arith.remui", runDivision<runUnsigned<RemU>>)
      .Default(nullptr);
}

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Opcodes of the ops that have a function for scalars.
static std::optional<numerics::Opcode> getScalarOpcode(StringRef name) {
  using numerics::Opcode;
  return llvm::StringSwitch<std::optional<Opcode>>(name)
      .Case("arith.addf", Opcode::AddF)
      .Case("arith.subf", Opcode::SubF)
      .Case("arith.mulf", Opcode::MulF)
      .Case("arith.divf", Opcode::DivF)
      .Case("arith.maximumf", Opcode::MaximumF)
      .Case("arith.minimumf", Opcode::MinimumF)
      .Case("arith.maxnumf", Opcode::MaxNumF)
      .Case("arith.minnumf", Opcode::MinNumF)
      .Case("arith.negf", Opcode::NegF)
      .Case("arith.cmpf", Opcode::CmpF)
      .Cases({"arith.extf", "arith.truncf"}, Opcode::CastF)
      .Case("arith.sitofp", Opcode::SIToFP)
      .Case("arith.uitofp", Opcode::UIToFP)
      .Case("arith.fptosi", Opcode::FPToSI)
      .Case("arith.fptoui", Opcode::FPToUI)
      .Case("math.absf", Opcode::AbsF)
      .Default(std::nullopt);
}

/// Decodes a float op on scalars; false where it has no function of its own.
static bool decodeFunction(Decoder &decoder, Operation *op) {
  std::optional<numerics::Opcode> opcode =
      getScalarOpcode(op->getName().getStringRef());
  if (!opcode)
    return false;
  auto typeOf = [&](Type type) {
    return numerics::heldType(*getDType(type), decoder.program.numerics);
  };
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  numerics::ScalarFunction function =
      numerics::getScalarFunction(*opcode, typeOf(from), typeOf(to));
  if (!function)
    return false;
  uint32_t lhs = decoder.use(op->getOperand(0));
  uint32_t rhs =
      op->getNumOperands() > 1 ? decoder.use(op->getOperand(1)) : lhs;
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction =
      decoder.emit(op, to.isInteger(1) ? runFunctionToBit : runFunction);
  instruction.a = result;
  instruction.b = lhs;
  instruction.c = rhs;
  instruction.immediate =
      static_cast<int64_t>(reinterpret_cast<intptr_t>(function));
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.d = uint32_t(compare.getPredicate());
  else if (to.isIntOrIndex())
    instruction.d = getWidth(to);
  else if (from.isIntOrIndex())
    instruction.d = getWidth(from);
  return true;
}

/// Decodes a change of width of a scalar integer; false for other ops.
static bool decodeResize(Decoder &decoder, Operation *op) {
  if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
           arith::IndexCastUIOp>(op))
    return false;
  uint32_t source = decoder.use(op->getOperand(0));
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, runResize);
  instruction.a = result;
  instruction.b = source;
  instruction.c = isa<arith::ExtSIOp, arith::IndexCastOp>(op);
  instruction.d = getWidth(op->getOperand(0).getType());
  instruction.immediate = getWidth(op->getResult(0).getType());
  return true;
}

static LogicalResult decodeArith(Decoder &decoder, Operation *op) {
  if (isa<arith::SelectOp>(op))
    if (Handler handler = getSelectHandler(op->getResult(0).getType()))
      return decodeSelect(decoder, op, handler);
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (isa<MemRefType>(type) || !getDType(getElementTypeOrSelf(type)))
      return op->emitError() << "cannot be executed: type " << type;
  Type type = op->getResult(0).getType();
  if (op->getNumResults() > 1)
    return decodeElementwise(decoder, op);
  bool isScalar = getSlotKind(type) == SlotKind::Scalar;
  if (isScalar && (decodeFunction(decoder, op) || decodeResize(decoder, op)))
    return success();
  Handler handler = nullptr;
  if (isScalar && op->getNumOperands() == 2)
    handler = isa<arith::CmpIOp>(op)
                  ? runCompare
                  : getIntegerHandler(op->getName().getStringRef());
  if (!handler)
    return decodeElementwise(decoder, op);
  uint32_t lhs = decoder.use(op->getOperand(0));
  uint32_t rhs = decoder.use(op->getOperand(1));
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, handler);
  instruction.a = result;
  instruction.b = lhs;
  instruction.c = rhs;
  instruction.immediate = getWidth(op->getOperand(0).getType());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    instruction.d = uint32_t(compare.getPredicate());
  return success();
}

void ktir::exec::addArithHandlers(DecodeTable &table) {
  table["arith.constant"] = decodeConstant;
  for (const char *name : {"addf",           "subf",
                           "mulf",           "divf",
                           "remf",           "negf",
                           "maximumf",       "minimumf",
                           "maxnumf",        "minnumf",
                           "addi",           "subi",
                           "muli",           "divsi",
                           "divui",          "ceildivsi",
                           "ceildivui",      "floordivsi",
                           "remsi",          "remui",
                           "andi",           "ori",
                           "xori",           "shli",
                           "shrsi",          "shrui",
                           "minsi",          "maxsi",
                           "minui",          "maxui",
                           "select",         "cmpi",
                           "cmpf",           "extf",
                           "truncf",         "sitofp",
                           "uitofp",         "fptosi",
                           "fptoui",         "extsi",
                           "extui",          "trunci",
                           "bitcast",        "index_cast",
                           "index_castui",   "addui_extended",
                           "mulsi_extended", "mului_extended"})
    table[("arith." + Twine(name)).str()] = decodeArith;
  for (const char *name :
       {"absf",     "absi",      "acos",  "acosh",    "asin",   "asinh",
        "atan",     "atan2",     "atanh", "cbrt",     "ceil",   "clampf",
        "copysign", "cos",       "cosh",  "ctlz",     "ctpop",  "cttz",
        "erf",      "erfc",      "exp",   "exp2",     "expm1",  "floor",
        "fma",      "fpowi",     "ipowi", "isfinite", "isinf",  "isnan",
        "isnormal", "log",       "log10", "log1p",    "log2",   "powf",
        "round",    "roundeven", "rsqrt", "sin",      "sincos", "sinh",
        "sqrt",     "tan",       "tanh",  "trunc"})
    table[("math." + Twine(name)).str()] = decodeArith;
}
