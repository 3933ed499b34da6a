//===- KernelsBaseline.cpp - Loops for the baseline -------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The loops for the baseline instruction set, and the same operations on single
// elements.
//
//===----------------------------------------------------------------------===//

#define KTIR_KERNEL_SET baselineKernels
#include "Kernels.inc"

namespace ktir {
namespace numerics {
namespace {

template <size_t Size> struct BitsOf;
template <> struct BitsOf<2> {
  using Type = uint16_t;
};
template <> struct BitsOf<4> {
  using Type = uint32_t;
};
template <> struct BitsOf<8> {
  using Type = uint64_t;
};

/// An element to and from the low bytes of a slot.
template <DType D> struct Element {
  using Mem = typename Type<D>::Mem;
  using Reg = typename Type<D>::Reg;
  using Bits = typename BitsOf<sizeof(Mem)>::Type;
  static Reg get(uint64_t bits) {
    return Type<D>::load(__builtin_bit_cast(Mem, Bits(bits)));
  }
  static uint64_t put(Reg value) {
    return __builtin_bit_cast(Bits, Type<D>::storeRounded(value));
  }
};

template <DType D, class Op>
uint64_t scalar2(uint64_t a, uint64_t b, uint32_t) {
  return Element<D>::put(Op::apply(Element<D>::get(a), Element<D>::get(b)));
}
/// An op that keeps the bits of a NaN.
template <DType D, class Op>
uint64_t scalarBits(uint64_t a, uint64_t, uint32_t) {
  using E = Element<D>;
  return __builtin_bit_cast(typename E::Bits,
                            Type<D>::store(Op::apply(E::get(a))));
}
template <DType D>
uint64_t scalarCompare(uint64_t a, uint64_t b, uint32_t detail) {
  return holds(FloatPredicate(detail), Element<D>::get(a), Element<D>::get(b));
}
template <DType From, DType To>
uint64_t scalarCast(uint64_t a, uint64_t, uint32_t) {
  return Element<To>::put(castFloat<To>(Element<From>::get(a)));
}

/// The low `width` bits as a number.
int64_t extendSign(uint64_t bits, uint32_t width) {
  return int64_t(bits << (64 - width)) >> (64 - width);
}
template <DType D>
uint64_t scalarFromSigned(uint64_t a, uint64_t, uint32_t detail) {
  return Element<D>::put(fromInteger<int64_t, D>(extendSign(a, detail)));
}
template <DType D>
uint64_t scalarFromUnsigned(uint64_t a, uint64_t, uint32_t detail) {
  return Element<D>::put(
      fromInteger<uint64_t, D>(a << (64 - detail) >> (64 - detail)));
}
template <DType D>
uint64_t scalarToSigned(uint64_t a, uint64_t, uint32_t detail) {
  auto value = int64_t(toInteger<DType::I64, true>(Element<D>::get(a)));
  // In two steps, since 64 is too many for one.
  int64_t highest = int64_t(~uint64_t(0) >> 1 >> (64 - detail));
  value = value > highest ? highest : value;
  return uint64_t(value < ~highest ? ~highest : value);
}
template <DType D>
uint64_t scalarToUnsigned(uint64_t a, uint64_t, uint32_t detail) {
  uint64_t value = toInteger<DType::I64, false>(Element<D>::get(a));
  uint64_t highest = ~uint64_t(0) >> (64 - detail);
  return uint64_t(extendSign(value > highest ? highest : value, detail));
}

template <class Op> ScalarFunction select2(DType type) {
  return onFloat(type, [](auto tag) -> ScalarFunction {
    return scalar2<decltype(tag)::value, Op>;
  });
}
template <class Op> ScalarFunction selectBits(DType type) {
  return onFloat(type, [](auto tag) -> ScalarFunction {
    return scalarBits<decltype(tag)::value, Op>;
  });
}

} // namespace

ScalarFunction getScalarFunction(Opcode opcode, DType type, DType result) {
  switch (opcode) {
  case Opcode::AddF:
    return select2<Add>(type);
  case Opcode::SubF:
    return select2<Sub>(type);
  case Opcode::MulF:
    return select2<Mul>(type);
  case Opcode::DivF:
    return select2<Div>(type);
  case Opcode::MaximumF:
    return select2<Maximum>(type);
  case Opcode::MinimumF:
    return select2<Minimum>(type);
  case Opcode::MaxNumF:
    return select2<MaxNum>(type);
  case Opcode::MinNumF:
    return select2<MinNum>(type);
  case Opcode::NegF:
    return selectBits<Neg>(type);
  case Opcode::AbsF:
    return selectBits<Abs>(type);
  case Opcode::CmpF:
    return onFloat(type, [](auto tag) -> ScalarFunction {
      return scalarCompare<decltype(tag)::value>;
    });
  case Opcode::CastF:
    return onFloat(type, [&](auto from) {
      return onFloat(result, [](auto to) -> ScalarFunction {
        return scalarCast<decltype(from)::value, decltype(to)::value>;
      });
    });
  case Opcode::SIToFP:
    return onFloat(result, [](auto tag) -> ScalarFunction {
      return scalarFromSigned<decltype(tag)::value>;
    });
  case Opcode::UIToFP:
    return onFloat(result, [](auto tag) -> ScalarFunction {
      return scalarFromUnsigned<decltype(tag)::value>;
    });
  case Opcode::FPToSI:
    return onFloat(type, [](auto tag) -> ScalarFunction {
      return scalarToSigned<decltype(tag)::value>;
    });
  case Opcode::FPToUI:
    return onFloat(type, [](auto tag) -> ScalarFunction {
      return scalarToUnsigned<decltype(tag)::value>;
    });
  default:
    return nullptr;
  }
}

} // namespace numerics
} // namespace ktir
