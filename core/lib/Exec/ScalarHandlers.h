//===- ScalarHandlers.h - Instructions on scalars and jumps -----*- C++ -*-===//
//
// What loops over addresses and counters consist of. In WebAssembly the engine
// runs these without a call through a pointer, which takes longer than they do.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_SCALARHANDLERS_H
#define KTIR_LIB_EXEC_SCALARHANDLERS_H

#include "Program.h"
#include "Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace ktir::exec {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// Slots are sign-extended; unsigned ops see the low `immediate` bits.

inline int64_t wrap(int64_t value, const Instruction &instruction) {
  if (instruction.immediate == 64)
    return value;
  if (instruction.immediate == 1)
    return value & 1;
  return llvm::SignExtend64(uint64_t(value), instruction.immediate);
}

inline uint64_t zeroExtended(int64_t value, const Instruction &instruction) {
  return uint64_t(value) &
         llvm::maskTrailingOnes<uint64_t>(instruction.immediate);
}

/// An i1 reads as 0 or -1 where it is signed.
inline int64_t asSigned(int64_t value, const Instruction &instruction) {
  return instruction.immediate == 1 ? -value : value;
}

/// Operations on the bits.
struct AddBits {
  static int64_t get(uint64_t a, uint64_t b) { return a + b; }
};
struct SubBits {
  static int64_t get(uint64_t a, uint64_t b) { return a - b; }
};
struct MulBits {
  static int64_t get(uint64_t a, uint64_t b) { return a * b; }
};
struct AndBits {
  static int64_t get(uint64_t a, uint64_t b) { return a & b; }
};
struct OrBits {
  static int64_t get(uint64_t a, uint64_t b) { return a | b; }
};
struct XorBits {
  static int64_t get(uint64_t a, uint64_t b) { return a ^ b; }
};

/// a = b op c on the bits.
template <typename Op>
inline Outcome runBits(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] =
      wrap(Op::get(self.scalars[instruction.b], self.scalars[instruction.c]),
           instruction);
  return Outcome::Next;
}

inline Outcome runCompare(Instance &self, const Instruction &instruction) {
  int64_t a = asSigned(self.scalars[instruction.b], instruction);
  int64_t b = asSigned(self.scalars[instruction.c], instruction);
  uint64_t ua = zeroExtended(a, instruction), ub = zeroExtended(b, instruction);
  bool result = false;
  switch (mlir::arith::CmpIPredicate(instruction.d)) {
  case mlir::arith::CmpIPredicate::eq:
    result = a == b;
    break;
  case mlir::arith::CmpIPredicate::ne:
    result = a != b;
    break;
  case mlir::arith::CmpIPredicate::slt:
    result = a < b;
    break;
  case mlir::arith::CmpIPredicate::sle:
    result = a <= b;
    break;
  case mlir::arith::CmpIPredicate::sgt:
    result = a > b;
    break;
  case mlir::arith::CmpIPredicate::sge:
    result = a >= b;
    break;
  case mlir::arith::CmpIPredicate::ult:
    result = ua < ub;
    break;
  case mlir::arith::CmpIPredicate::ule:
    result = ua <= ub;
    break;
  case mlir::arith::CmpIPredicate::ugt:
    result = ua > ub;
    break;
  case mlir::arith::CmpIPredicate::uge:
    result = ua >= ub;
    break;
  }
  self.scalars[instruction.a] = result;
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

inline Outcome runMoveScalar(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] = self.scalars[instruction.b];
  return Outcome::Next;
}

/// immediate: where to go on.
inline Outcome runJump(Instance &self, const Instruction &instruction) {
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// a: condition; immediate: where to go on when it is false.
inline Outcome runTest(Instance &self, const Instruction &instruction) {
  if (self.scalars[instruction.a])
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// A loop of `scf.for`, by its scalar slots.
struct ForPayload : Payload {
  uint32_t iv, upper, step;
  unsigned width; ///< bits of the induction variable
};

/// immediate: first instruction of the body.
inline Outcome runForNext(Instance &self, const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  int64_t next;
  if (llvm::AddOverflow(self.scalars[loop.iv], self.scalars[loop.step], next) ||
      next >= self.scalars[loop.upper])
    return Outcome::Next;
  self.scalars[loop.iv] = next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// The handlers that run without a pointer.
#define KTIR_QUICK_HANDLERS(X)                                                 \
  X(MoveScalar, runMoveScalar)                                                 \
  X(Jump, runJump)                                                             \
  X(Test, runTest)                                                             \
  X(ForNext, runForNext)                                                       \
  X(Add, runBits<AddBits>)                                                     \
  X(Sub, runBits<SubBits>)                                                     \
  X(Mul, runBits<MulBits>)                                                     \
  X(And, runBits<AndBits>)                                                     \
  X(Or, runBits<OrBits>)                                                       \
  X(Xor, runBits<XorBits>)                                                     \
  X(Compare, runCompare)

enum class Quick : uint8_t {
  None,
#define KTIR_QUICK(NAME, HANDLER) NAME,
  KTIR_QUICK_HANDLERS(KTIR_QUICK)
#undef KTIR_QUICK
};

/// None for a handler that is called through its pointer.
inline Quick getQuick(Handler handler) {
#define KTIR_QUICK(NAME, HANDLER)                                              \
  if (handler == static_cast<Handler>(HANDLER))                                \
    return Quick::NAME;
  KTIR_QUICK_HANDLERS(KTIR_QUICK)
#undef KTIR_QUICK
  return Quick::None;
}

/// Runs an instruction whose `quick` is that of its handler. Where a call
/// through a pointer costs little, one is faster than finding the case.
inline Outcome dispatch(Instance &self, const Instruction &instruction) {
#ifdef __wasm__
  switch (Quick(instruction.quick)) {
#define KTIR_QUICK(NAME, HANDLER)                                              \
  case Quick::NAME:                                                            \
    return HANDLER(self, instruction);
    KTIR_QUICK_HANDLERS(KTIR_QUICK)
#undef KTIR_QUICK
  case Quick::None:
    break;
  }
#endif
  return instruction.run(self, instruction);
}

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_SCALARHANDLERS_H
