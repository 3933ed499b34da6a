//===- BlockProgram.h - Elementwise programs over blocks -------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A short straight-line register program that is applied to every element of
// equally long vectors: the compiled form of a `linalg.generic` body, of a
// chain of elementwise ops, and of a `vectorchain` op. Registers hold blocks
// of up to `kBlockSize` elements, so that dispatch is paid once a block and
// every operation is one loop that a compiler vectorises.
//
// Numerics
// --------
// * f16, bf16, df16: every op computes in f32 and rounds once to its type
//   (f16, bf16 to nearest even; df16 to nearest, ties away from zero). For f16
//   + - * / this is the correctly rounded result, because 24 >= 2 * 11 + 2
//   bits make the double rounding innocuous. f32 and f64 are IEEE, to nearest
//   even. Nothing is fused.
// * A NaN that an arithmetic op or a float conversion produces is the positive
//   quiet NaN without payload (f16 0x7E00, bf16 0x7FC0, f32 0x7FC00000, df16
//   0x7FFF), whatever the host's own NaN is. Inputs, `Select`, `Bitcast`,
//   `NegF` and `AbsF` keep NaN bits (df16 has one NaN code and no others).
// * Integers wrap. They are signless; the op says how to read them. i1 is the
//   number 0 or 1 unsigned, 0 or -1 signed.
//
// Numerics mode `device`
// ----------------------
// Element type f16 then means DL16, everywhere: an f16 element in emulated
// memory, in a tensor or in a channel *is a DL16 code*, and every f16 result is
// rounded to DL16. The builder does this by reading `F16` as `DF16`; nothing
// else in a program changes, and df16, bf16, f32 and f64 mean the same in both
// modes. The two borders where a program's IEEE halves become DL16 codes:
//   - tensors are converted when they are bound (`halfToDl16` of Float16.h) and
//     when results are handed back (`dl16ToHalf`), as host-device copies do;
//   - `Builder::constant(DType::F16, bits)` always takes IEEE half bits, as the
//     program text has them, and converts them.
// DL16 codes cannot be kept as IEEE halves without loss: the range of DL16 is
// larger.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_EXEC_NUMERICS_BLOCKPROGRAM_H
#define KTIR_EXEC_NUMERICS_BLOCKPROGRAM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ktir {
namespace numerics {

/// Elements that a register holds; longer vectors are processed in blocks.
inline constexpr size_t kBlockSize = 512;

/// Element types, with their form in memory: `I1` is one byte, 0 or 1; integers
/// are little-endian of their width (`index` is `I64`); floats are their bit
/// patterns; `DF16` is a DL16 code.
enum class DType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  DF16,
  F32,
  F64,
  I4,       ///< One byte; reads look at the low four bits, writes extend the
            ///< sign.
  F16Pair,  ///< Two F16, the first in the low half. Pairs are moved, made and
  DF16Pair, ///< taken apart, and compute in no other way.
  F32Pair
};

/// Bytes of one element in memory: 1, 1, 2, 4, 8, 2, 2, 2, 4, 8, 1, 4, 4, 8.
size_t byteSize(DType type);

/// True for F16, BF16, DF16, F32 and F64.
bool isFloat(DType type);

/// True for I1 to I64 and I4.
bool isInteger(DType type);

/// The type of a pair of F16, DF16 or F32; nullopt for other types.
std::optional<DType> getPairType(DType component);
/// The component type of a pair type; nullopt for other types.
std::optional<DType> getComponentType(DType pair);

/// The name in program text: `i1` ... `f64`, `df16`.
const char *name(DType type);

/// How f16 is read; see the head of this file. The default of the product is
/// `Ieee`.
enum class NumericsMode : uint8_t { Ieee, Device };

/// The type that values of `type` are held as in `mode`: in mode `device`, DF16
/// for F16 and the same for pairs.
DType heldType(DType type, NumericsMode mode);

/// Operations. Unless stated, operands and result have one type. An op with
/// suffix F takes any float type, one with suffix I any integer type; SI and UI
/// read the integers as signed and unsigned.
enum class Opcode : uint8_t {
  // Float, two operands.
  AddF,
  SubF,
  MulF,
  DivF,
  RemF,     ///< a - b * trunc(a / b), exact; the sign of a (C's fmod).
  MaximumF, ///< IEEE 754-2019 maximum: NaN propagates, -0 < +0.
  MinimumF, ///< IEEE 754-2019 minimum.
  MaxNumF,  ///< IEEE 754-2019 maximumNumber: a NaN gives way, -0 < +0.
  MinNumF,  ///< IEEE 754-2019 minimumNumber.
  AbsMaxF,  ///< MaximumF(|a|, |b|).
  AbsMinF,  ///< MinimumF(|a|, |b|).
  MulDiv2F, ///< a * b / 2 with one rounding.
  // Float, one operand.
  NegF,   ///< Flips the sign bit, also of a NaN and of zero.
  AbsF,   ///< Clears the sign bit.
  FloorF, ///< Largest integral value <= a; -0 and infinities stay.
  CeilF,  ///< Smallest integral value >= a; -0.5 gives -0.
  // Float, three operands.
  MulAddF, ///< a * b + c: product and sum each rounded to f32 (f64 for F64),
           ///< then one rounding to the type; never fused.
  // Comparison with a predicate; the result is I1. See `Builder::compare`.
  CmpF,
  CmpI,
  // Operands (I1 condition, a, b) of any one type: condition ? a : b.
  Select,
  // Integer, two operands.
  AddI,
  SubI,
  MulI,
  DivSI,      ///< Toward zero. By zero: 0 and `Fault::DivisionByZero`.
              ///< The lowest number by -1 wraps to itself.
  DivUI,      ///< By zero: as DivSI.
  CeilDivSI,  ///< Toward plus infinity; zero and overflow as DivSI.
  CeilDivUI,  ///< Toward plus infinity; by zero: as DivSI.
  FloorDivSI, ///< Toward minus infinity; zero and overflow as DivSI.
  RemSI,      ///< Sign of a. By zero: 0 and the fault.
  RemUI,      ///< By zero: 0 and the fault.
  AndI,
  OrI,
  XorI,
  ShlI,  ///< An amount (unsigned) >= the width shifts everything out: 0.
  ShrSI, ///< As ShlI, filling with the sign.
  ShrUI, ///< As ShlI, filling with zeros.
  MinSI,
  MaxSI,
  MinUI,
  MaxUI,
  // Integer, one operand.
  AbsI, ///< The lowest number wraps to itself.
  // Conversions, one operand; the result type is given. See `Builder::cast`.
  CastF, ///< Float to float, one rounding: `extf`, `truncf`; equal types: none.
  SIToFP, ///< One rounding to nearest even (df16: ties away).
  UIToFP, ///< As SIToFP.
  FPToSI, ///< Toward zero, saturating at the range of the result; NaN gives 0.
  FPToUI, ///< Toward zero, saturating (negative gives 0); NaN gives 0.
  ExtSI,  ///< To a wider integer, or any equal width.
  ExtUI,
  TruncI,
  Bitcast, ///< Same bits, between types of equal width in bits (I1 only to
           ///< itself). In mode `device` the bits of an f16 are its DL16 code.
  // Functions of one float. 16-bit types: correctly rounded. f32: within
  // 0.51 units in the last place, ExpF 0.75 and subnormal results of it 1. f64:
  // within 0.51, subnormal results 1.
  ExpF,
  Exp2F,
  ExpM1F, ///< exp(a) - 1
  LogF,
  Log2F,
  Log10F,
  Log1pF, ///< log(1 + a)
  SqrtF,
  RsqrtF, ///< 1 / sqrt(a); +-0 gives +-infinity.
  CbrtF,
  SinF,
  CosF,
  TanF,
  AsinF,
  AcosF,
  AtanF,
  SinhF,
  CoshF,
  TanhF,
  AsinhF,
  AcoshF,
  AtanhF,
  ErfF,
  ErfcF,
  SigmoidF, ///< 1 / (1 + exp(-a))
  SiluF,    ///< a / (1 + exp(-a)); NaN at minus infinity.
  GeluF,    ///< a * erfc(-a / sqrt(2)) / 2; NaN at minus infinity.
  ReciprocalF,
  // Functions of two floats, as accurate as those of one.
  PowF,   ///< a to the power of b, with the special values of C's pow.
  Atan2F, ///< The angle of the point (b, a).
  // Exact functions of floats.
  CopySignF,  ///< The magnitude of a with the sign bit of b.
  TruncF,     ///< The integral part.
  RoundF,     ///< The nearest integral value, ties away from zero.
  RoundEvenF, ///< The nearest integral value, ties to even.
  FmaF,       ///< a * b + c with a single rounding.
  // Functions of integers.
  CtPopI, ///< The number of one bits.
  ClzI,   ///< The number of zero bits above the highest one; all for zero.
  CtzI,   ///< The number of zero bits below the lowest one; all for zero.
  PowI,   ///< a to the signed power of b, wrapping. A negative power of zero is
          ///< 0 and `Fault::DivisionByZero`, of other numbers the integer
          ///< quotient: 0 but for 1 and -1.
  // Pairs; see `Builder::pair`.
  MakePair,
  PairFirst,
  PairSecond,
  // See `Builder::softplus`, `Builder::layerNormScale` and
  // `Builder::layerNorm`.
  SoftplusF,
  LayerNormScale,
  CenterAndScale,
  WeightAndShift,
};

/// The last opcode, for loops over all of them.
inline constexpr Opcode kLastOpcode = Opcode::WeightAndShift;

/// Predicates of `CmpF`, numbered as in `arith.cmpf`: O.. is false and U.. is
/// true where an operand is a NaN.
enum class FloatPredicate : uint8_t {
  AlwaysFalse,
  OEQ,
  OGT,
  OGE,
  OLT,
  OLE,
  ONE,
  ORD,
  UEQ,
  UGT,
  UGE,
  ULT,
  ULE,
  UNE,
  UNO,
  AlwaysTrue
};

/// Predicates of `CmpI`, numbered as in `arith.cmpi`.
enum class IntPredicate : uint8_t {
  EQ,
  NE,
  SLT,
  SLE,
  SGT,
  SGE,
  ULT,
  ULE,
  UGT,
  UGE
};

/// What can go wrong in an element while a program runs. The run completes;
/// the caller makes a diagnostic of it.
enum class Fault : uint8_t { None, DivisionByZero };

/// A value of a program under construction. A default-constructed one is
/// invalid.
struct Reg {
  uint16_t index = UINT16_MAX;
  bool isValid() const { return index != UINT16_MAX; }
};

/// A program ready to run. Immutable, cheap to copy, shareable.
class BlockProgram {
public:
  class Builder;
  struct Code;

  size_t getNumInputs() const;
  size_t getNumOutputs() const;
  /// Element type in memory. In mode `device`, f16 shows as `DF16`.
  DType getInputType(size_t i) const;
  DType getOutputType(size_t i) const;
  /// Executed operations per element, without inputs, constants and outputs.
  size_t getNumOps() const;

  const Code &getCode() const { return *code; }

private:
  explicit BlockProgram(std::shared_ptr<const Code> code)
      : code(std::move(code)) {}
  std::shared_ptr<const Code> code;
};

/// Builds a program op by op, in the order of execution.
///
///     BlockProgram::Builder b(NumericsMode::Ieee);
///     Reg x = b.input(DType::F16), y = b.input(DType::F16);
///     b.output(b.op(Opcode::AddF, {x, y}));
///     std::optional<BlockProgram> program = b.finish();
///
/// Misuse (wrong operand count or types, an invalid operand) is an error, not
/// an assertion: the method returns an invalid `Reg`, later uses of it stay
/// silent, and `finish` returns nothing; `getError` says what was first.
class BlockProgram::Builder {
public:
  explicit Builder(NumericsMode mode = NumericsMode::Ieee);
  ~Builder();

  /// The next input, in the order of `run`'s `inputs`.
  Reg input(DType type);

  /// The same value in every element. `bits` are the low `byteSize` bytes as in
  /// program text: IEEE half for F16 in both modes, a DL16 code for DF16, 0 or
  /// 1 for I1. Equal constants share a register.
  Reg constant(DType type, uint64_t bits);

  /// Any op but a comparison or conversion.
  Reg op(Opcode opcode, std::initializer_list<Reg> operands);
  Reg op(Opcode opcode, const std::vector<Reg> &operands);

  /// `CmpF` and `CmpI`: 1 where the predicate holds, else 0; type I1.
  Reg compare(FloatPredicate predicate, Reg a, Reg b);
  Reg compare(IntPredicate predicate, Reg a, Reg b);

  /// A conversion op to `type`.
  Reg cast(Opcode opcode, Reg operand, DType type);

  /// A pair of two F16, DF16 or F32.
  Reg pair(Reg first, Reg second);
  /// Component 0 or 1 of a pair.
  Reg component(Reg pair, unsigned index);

  /// log(1 + exp(beta * x)) / beta, or x where beta * x > threshold, correctly
  /// rounded; x is of a 16-bit type.
  Reg softplus(Reg x, float beta, float threshold);
  /// 1 / sqrt(squares - mean^2 + epsilon), computed in f64 and rounded once;
  /// not for F64.
  Reg layerNormScale(Reg mean, Reg squares, float epsilon);
  /// (x - mean) * scale * weight + bias, computed in f64 and rounded once; not
  /// for F64.
  Reg layerNorm(Reg x, Reg mean, Reg scale, Reg weight, Reg bias);

  /// The type of a register as the program computes it (`device`: f16 is DF16).
  DType getType(Reg reg) const;

  /// The next output, in the order of `run`'s `outputs`. Any register, also an
  /// input or a constant, any number of times.
  void output(Reg reg);

  /// Assigns registers. The builder is empty afterwards.
  std::optional<BlockProgram> finish();

  /// The first error, lower-case, or empty.
  const std::string &getError() const { return error; }

private:
  struct State;

  Reg fail(std::string message);
  Reg checkedOp(Opcode opcode, const Reg *operands, size_t count);
  Reg castNibble(Opcode opcode, Reg operand, DType type);
  Reg wideOp(Opcode opcode, const Reg *operands, size_t count);
  Reg special(Opcode opcode, std::initializer_list<Reg> operands, DType type,
              DType result);
  Reg compareAs(Opcode opcode, uint8_t predicate, Reg a, Reg b);

  std::unique_ptr<State> state;
  std::string error;
};

/// Register file of a run. Keep one per thread and reuse it: it grows to the
/// largest program it has seen.
class Scratch {
public:
  /// At least `bytes` bytes, aligned to 64, contents unspecified.
  std::byte *reserve(size_t bytes);

private:
  struct Release {
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte[], Release> storage;
  size_t capacity = 0;
};

/// Elements that a run reads. `stride` is in elements: 1 is contiguous (the
/// fast path), 0 repeats one element. `data` needs no alignment.
struct BlockInput {
  const void *data = nullptr;
  ptrdiff_t stride = 1;
};

/// Elements that a run writes; `stride` as above, not 0 unless n <= 1.
struct BlockOutput {
  void *data = nullptr;
  ptrdiff_t stride = 1;
};

/// Runs `program` on `n` elements (0 is allowed). `inputs` and `outputs` have
/// as many entries as the program has. An output may be the very elements of an
/// input of equal element size and stride (update in place); any other overlap
/// of an output is undefined.
Fault run(const BlockProgram &program, const BlockInput *inputs,
          const BlockOutput *outputs, size_t n, Scratch &scratch);

/// Makes all computation from now on use vectors of 128 bits, which is what
/// WebAssembly has, where the host has wider ones; results are the same. For
/// comparisons, before anything else is called.
void useBaselineKernels();

/// One op on single elements, with the bits that a block program of the op
/// gives: for scalar code, where a block would cost more than its work.
/// Elements are in the low bytes; those of a float result have zeros above, an
/// integer result is sign-extended. `detail` is the predicate of a comparison
/// and the width in bits of the integer of a conversion.
using ScalarFunction = uint64_t (*)(uint64_t a, uint64_t b, uint32_t detail);

/// The function of a common op on the floats `type`, or of a conversion between
/// a float `type` and a float `result`; integers of conversions are I64 here
/// and of the width `detail`. Null for all other ops and types. In mode
/// `device`, ask for DF16 in place of F16.
ScalarFunction getScalarFunction(Opcode opcode, DType type, DType result);

} // namespace numerics
} // namespace ktir

#endif // KTIR_EXEC_NUMERICS_BLOCKPROGRAM_H
