//===- BlockProgram.cpp - Elementwise programs over blocks ------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/BlockProgram.h"

#include "BlockProgramCode.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace ktir {
namespace numerics {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

size_t byteSize(DType type) {
  switch (type) {
  case DType::I1:
  case DType::I4:
  case DType::I8:
    return 1;
  case DType::I16:
  case DType::F16:
  case DType::BF16:
  case DType::DF16:
    return 2;
  case DType::I32:
  case DType::F32:
  case DType::F16Pair:
  case DType::DF16Pair:
    return 4;
  case DType::I64:
  case DType::F64:
  case DType::F32Pair:
    return 8;
  }
  return 0;
}

bool isFloat(DType type) { return type >= DType::F16 && type <= DType::F64; }

bool isInteger(DType type) { return type <= DType::I64 || type == DType::I4; }

std::optional<DType> getPairType(DType component) {
  switch (component) {
  case DType::F16:
    return DType::F16Pair;
  case DType::DF16:
    return DType::DF16Pair;
  case DType::F32:
    return DType::F32Pair;
  default:
    return std::nullopt;
  }
}

std::optional<DType> getComponentType(DType pair) {
  switch (pair) {
  case DType::F16Pair:
    return DType::F16;
  case DType::DF16Pair:
    return DType::DF16;
  case DType::F32Pair:
    return DType::F32;
  default:
    return std::nullopt;
  }
}

const char *name(DType type) {
  static const char *const names[] = {
      "i1",   "i8",  "i16", "i32", "i64",        "f16",        "bf16",
      "df16", "f32", "f64", "i4",  "fp16_fused", "df16_fused", "fp32_fused"};
  return names[size_t(type)];
}

size_t registerSize(DType type) {
  return isFloat(type) ? std::max<size_t>(byteSize(type), 4) : byteSize(type);
}

const KernelSet &getKernels() {
#ifdef KTIR_KERNELS_AVX2
  static const bool hasAVX2 = __builtin_cpu_supports("avx2");
  if (hasAVX2)
    return avx2Kernels;
#endif
  return baselineKernels;
}

//===----------------------------------------------------------------------===//
// BlockProgram
//===----------------------------------------------------------------------===//

size_t BlockProgram::getNumInputs() const { return code->inputs.size(); }
size_t BlockProgram::getNumOutputs() const { return code->outputs.size(); }
DType BlockProgram::getInputType(size_t i) const {
  return code->inputs[i].type;
}
DType BlockProgram::getOutputType(size_t i) const {
  return code->outputs[i].type;
}
size_t BlockProgram::getNumOps() const { return code->instructions.size(); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static constexpr std::align_val_t kAlignment{64};

void Scratch::Release::operator()(std::byte *memory) const {
  ::operator delete[](memory, kAlignment);
}

std::byte *Scratch::reserve(size_t bytes) {
  if (bytes > capacity) {
    storage.reset(
        static_cast<std::byte *>(::operator new[](bytes, kAlignment)));
    capacity = bytes;
  }
  return storage.get();
}

/// Copies `n` elements of `Size` bytes between places with strides in bytes.
template <size_t Size>
static void copyStrided(std::byte *dst, ptrdiff_t dstStride,
                        const std::byte *src, ptrdiff_t srcStride, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(dst + ptrdiff_t(i) * dstStride, src + ptrdiff_t(i) * srcStride,
                Size);
}
static void copyStrided(size_t size, std::byte *dst, ptrdiff_t dstStride,
                        const std::byte *src, ptrdiff_t srcStride, size_t n) {
  switch (size) {
  case 1:
    return copyStrided<1>(dst, dstStride, src, srcStride, n);
  case 2:
    return copyStrided<2>(dst, dstStride, src, srcStride, n);
  case 4:
    return copyStrided<4>(dst, dstStride, src, srcStride, n);
  default:
    return copyStrided<8>(dst, dstStride, src, srcStride, n);
  }
}

static bool isAligned(const void *data, size_t size) {
  return reinterpret_cast<uintptr_t>(data) % size == 0;
}

Fault run(const BlockProgram &program, const BlockInput *inputs,
          const BlockOutput *outputs, size_t n, Scratch &scratch) {
  if (n == 0)
    return Fault::None;
  const BlockProgram::Code &code = program.getCode();
  std::byte *file = scratch.reserve(code.scratchBytes);
  size_t first = std::min(n, kBlockSize);

  auto load = [&](MoveKernel move, uint32_t offset, size_t size,
                  const void *data, ptrdiff_t stride, size_t count) {
    if (stride == 1 && isAligned(data, size))
      return move(file + offset, data, count);
    copyStrided(size, file, ptrdiff_t(size),
                static_cast<const std::byte *>(data), stride * ptrdiff_t(size),
                count);
    move(file + offset, file, count);
  };

  for (const BlockProgram::Code::Constant &constant : code.constants)
    load(constant.load, constant.offset, byteSize(constant.type),
         &constant.bits, 0, first);
  for (size_t i = 0; i < code.inputs.size(); ++i) {
    const BlockProgram::Code::Port &port = code.inputs[i];
    if (inputs[i].stride == 0)
      load(port.move, port.offset, byteSize(port.type), inputs[i].data, 0,
           first);
  }

  bool byZero = false;
  for (size_t base = 0; base < n; base += kBlockSize) {
    size_t count = std::min(n - base, kBlockSize);
    // All reads of a block come before its writes: outputs may be inputs.
    for (size_t i = 0; i < code.inputs.size(); ++i) {
      const BlockProgram::Code::Port &port = code.inputs[i];
      ptrdiff_t stride = inputs[i].stride;
      if (stride == 0)
        continue;
      size_t size = byteSize(port.type);
      load(port.move, port.offset, size,
           static_cast<const std::byte *>(inputs[i].data) +
               ptrdiff_t(base) * stride * ptrdiff_t(size),
           stride, count);
    }
    for (const BlockProgram::Code::Instruction &instruction :
         code.instructions) {
      const void *third = instruction.context ? instruction.context
                                              : file + instruction.operands[2];
      byZero |= instruction.kernel(
          file + instruction.dst, file + instruction.operands[0],
          file + instruction.operands[1], third, count);
    }
    for (size_t i = 0; i < code.outputs.size(); ++i) {
      const BlockProgram::Code::Port &port = code.outputs[i];
      ptrdiff_t size = ptrdiff_t(byteSize(port.type));
      ptrdiff_t stride = outputs[i].stride;
      std::byte *data = static_cast<std::byte *>(outputs[i].data) +
                        ptrdiff_t(base) * stride * size;
      if (stride == 1 && isAligned(data, size_t(size))) {
        port.move(data, file + port.offset, count);
        continue;
      }
      port.move(file, file + port.offset, count);
      copyStrided(size_t(size), data, stride * size, file, size, count);
    }
  }
  return byZero ? Fault::DivisionByZero : Fault::None;
}

} // namespace numerics
} // namespace ktir
