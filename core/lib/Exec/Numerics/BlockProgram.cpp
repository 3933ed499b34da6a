//===- BlockProgram.cpp - Elementwise programs over blocks ------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ktir/Exec/Numerics/BlockProgram.h"
#include "ktir/Exec/Numerics/Panels.h"
#include "ktir/Exec/Numerics/Strided.h"

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

DType heldType(DType type, NumericsMode mode) {
  if (mode != NumericsMode::Device)
    return type;
  if (type == DType::F16)
    return DType::DF16;
  return type == DType::F16Pair ? DType::DF16Pair : type;
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

const std::vector<const KernelSet *> &getKernelSets() {
  static const std::vector<const KernelSet *> sets = [] {
    std::vector<const KernelSet *> sets = {&baselineKernels};
#ifdef KTIR_KERNELS_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) {
      sets.push_back(&avx2Kernels);
      if (__builtin_cpu_supports("avx512f") &&
          __builtin_cpu_supports("avx512vl") &&
          __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq"))
        sets.push_back(&avx512Kernels);
    }
#endif
    return sets;
  }();
  return sets;
}

static bool isBaselineOnly = false;

void useBaselineKernels() { isBaselineOnly = true; }

const KernelSet &getKernels() {
  return isBaselineOnly ? baselineKernels : *getKernelSets().back();
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

bool isCopy(const BlockProgram &program) {
  const BlockProgram::Code &code = program.getCode();
  return code.inputs.size() == 1 && code.outputs.size() == 1 &&
         code.outputs[0].source == 0 && code.outputs[0].isCopy;
}

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

/// Copies `n` pieces of `Size` bytes.
template <size_t Size>
static void copyStrided(std::byte *dst, ptrdiff_t dstStride,
                        const std::byte *src, ptrdiff_t srcStride, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(dst + ptrdiff_t(i) * dstStride, src + ptrdiff_t(i) * srcStride,
                Size);
}
void copyStrided(size_t size, std::byte *dst, ptrdiff_t dstStride,
                 const std::byte *src, ptrdiff_t srcStride, size_t n) {
  switch (size) {
  case 1:
    return copyStrided<1>(dst, dstStride, src, srcStride, n);
  case 2:
    return copyStrided<2>(dst, dstStride, src, srcStride, n);
  case 4:
    return copyStrided<4>(dst, dstStride, src, srcStride, n);
  case 8:
    return copyStrided<8>(dst, dstStride, src, srcStride, n);
  default:
    for (size_t i = 0; i < n; ++i)
      std::memcpy(dst + ptrdiff_t(i) * dstStride,
                  src + ptrdiff_t(i) * srcStride, size);
  }
}

/// Puts the element at `memory` into the `n` elements from there on.
template <class Bits> static void repeat(std::byte *memory, size_t n) {
  Bits element;
  std::memcpy(&element, memory, sizeof(Bits));
  for (size_t i = 0; i < n; ++i)
    std::memcpy(memory + i * sizeof(Bits), &element, sizeof(Bits));
}
static void repeat(size_t size, std::byte *memory, size_t n) {
  switch (size) {
  case 1:
    return repeat<uint8_t>(memory, n);
  case 2:
    return repeat<uint16_t>(memory, n);
  case 4:
    return repeat<uint32_t>(memory, n);
  default:
    return repeat<uint64_t>(memory, n);
  }
}

static bool isAligned(const void *data, size_t size) {
  return reinterpret_cast<uintptr_t>(data) % size == 0;
}

namespace {

/// What an input or output of one run is, where loops work on its memory.
class DirectPorts {
public:
  /// Ports beyond these go through registers.
  static constexpr size_t maxPorts = 16;

  DirectPorts(const BlockProgram::Code &code, const BlockInput *inputs,
              const BlockOutput *outputs, size_t n)
      : numIn(std::min(code.inputs.size(), maxPorts)),
        numOut(std::min(code.outputs.size(), maxPorts)) {
    for (size_t i = 0; i < numIn; ++i) {
      inSizes[i] = byteSize(code.inputs[i].type);
      auto *data = static_cast<const std::byte *>(inputs[i].data);
      bool isDirect = code.inputs[i].isCopy && inputs[i].stride == 1 &&
                      isAligned(data, inSizes[i]);
      in[i] = isDirect ? data : nullptr;
    }
    for (size_t i = 0; i < code.outputs.size(); ++i) {
      ptrdiff_t size = ptrdiff_t(byteSize(code.outputs[i].type));
      auto *data = static_cast<std::byte *>(outputs[i].data);
      // What shares memory with an output is read a block ahead.
      ptrdiff_t last = ptrdiff_t(n - 1) * outputs[i].stride * size;
      const std::byte *low = data + std::min<ptrdiff_t>(last, 0);
      const std::byte *high = data + std::max<ptrdiff_t>(last, 0) + size;
      for (size_t k = 0; k < numIn; ++k)
        if (in[k] && low < in[k] + n * inSizes[k] && in[k] < high)
          in[k] = nullptr;
      if (i >= numOut)
        continue;
      outSizes[i] = size_t(size);
      bool isDirect = code.outputs[i].isCopy && outputs[i].stride == 1 &&
                      isAligned(data, outSizes[i]);
      out[i] = isDirect ? data : nullptr;
    }
  }

  /// Elements `base` and on of input `i` or output `i`; null where they go
  /// through registers.
  const std::byte *input(int16_t i, size_t base) const {
    if (i < 0 || size_t(i) >= numIn || !in[i])
      return nullptr;
    return in[i] + base * inSizes[i];
  }
  std::byte *output(int16_t i, size_t base) const {
    if (i < 0 || size_t(i) >= numOut || !out[i])
      return nullptr;
    return out[i] + base * outSizes[i];
  }

private:
  size_t numIn, numOut;
  const std::byte *in[maxPorts];
  std::byte *out[maxPorts];
  size_t inSizes[maxPorts], outSizes[maxPorts];
};

} // namespace

Fault run(const BlockProgram &program, const BlockInput *inputs,
          const BlockOutput *outputs, size_t n, Scratch &scratch) {
  if (n == 0)
    return Fault::None;
  const BlockProgram::Code &code = program.getCode();
  std::byte *file = scratch.reserve(code.scratchBytes);
  size_t first = std::min(n, kBlockSize);
  DirectPorts direct(code, inputs, outputs, n);

  auto load = [&](MoveKernel move, uint32_t offset, size_t size,
                  const void *data, ptrdiff_t stride, size_t count) {
    if (stride == 1 && isAligned(data, size))
      return move(file + offset, data, count);
    copyStrided(size, file, ptrdiff_t(size),
                static_cast<const std::byte *>(data), stride * ptrdiff_t(size),
                count);
    move(file + offset, file, count);
  };

  // What is the same in every element is converted once.
  for (const BlockProgram::Code::Constant &constant : code.constants) {
    constant.load(file + constant.offset, &constant.bits, 1);
    repeat(registerSize(constant.type), file + constant.offset, first);
  }
  for (size_t i = 0; i < code.inputs.size(); ++i) {
    const BlockProgram::Code::Port &port = code.inputs[i];
    if (inputs[i].stride != 0)
      continue;
    load(port.move, port.offset, byteSize(port.type), inputs[i].data, 1, 1);
    repeat(port.registerBytes, file + port.offset, first);
  }

  bool byZero = false;
  for (size_t base = 0; base < n; base += kBlockSize) {
    size_t count = std::min(n - base, kBlockSize);
    // All reads of a block come before its writes: outputs may be inputs.
    for (size_t i = 0; i < code.inputs.size(); ++i) {
      const BlockProgram::Code::Port &port = code.inputs[i];
      ptrdiff_t stride = inputs[i].stride;
      if (stride == 0 || direct.input(int16_t(i), base))
        continue;
      size_t size = byteSize(port.type);
      load(port.move, port.offset, size,
           static_cast<const std::byte *>(inputs[i].data) +
               ptrdiff_t(base) * stride * ptrdiff_t(size),
           stride, count);
    }
    for (const BlockProgram::Code::Instruction &instruction :
         code.instructions) {
      const void *operands[3];
      for (size_t k = 0; k < 3; ++k) {
        operands[k] = direct.input(instruction.sources[k], base);
        if (!operands[k])
          operands[k] = file + instruction.operands[k];
      }
      std::byte *dst = direct.output(instruction.target, base);
      if (!dst)
        dst = file + instruction.dst;
      byZero |= instruction.kernel(
          dst, operands[0], operands[1],
          instruction.context ? instruction.context : operands[2], count);
    }
    for (size_t i = 0; i < code.outputs.size(); ++i) {
      const BlockProgram::Code::Port &port = code.outputs[i];
      if (port.isWritten && direct.output(int16_t(i), base))
        continue;
      ptrdiff_t size = ptrdiff_t(byteSize(port.type));
      ptrdiff_t stride = outputs[i].stride;
      std::byte *data = static_cast<std::byte *>(outputs[i].data) +
                        ptrdiff_t(base) * stride * size;
      const std::byte *from = direct.input(port.source, base);
      if (!from)
        from = file + port.offset;
      if (stride == 1 && isAligned(data, size_t(size))) {
        port.move(data, from, count);
        continue;
      }
      port.move(file, from, count);
      copyStrided(size_t(size), data, stride * size, file, size, count);
    }
  }
  return byZero ? Fault::DivisionByZero : Fault::None;
}

} // namespace numerics
} // namespace ktir
