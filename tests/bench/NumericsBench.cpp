//===- NumericsBench.cpp - Block programs and functions ---------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "ktir/Exec/Numerics/BlockProgram.h"
#include "ktir/Exec/Numerics/Float16.h"

#include <optional>
#include <vector>

using namespace ktir::bench;
using namespace ktir::numerics;

namespace {

/// Runs a program of up to three f16 inputs.
void runProgram(benchmark::State &state,
                const std::optional<BlockProgram> &program) {
  if (!program) {
    state.SkipWithError("the program does not build");
    return;
  }
  size_t n = size_t(state.range(0));
  std::vector<std::vector<uint16_t>> data(program->getNumInputs());
  std::vector<BlockInput> inputs;
  for (size_t k = 0; k < data.size(); ++k) {
    for (size_t i = 0; i < n; ++i)
      data[k].push_back(encodeF16(0.25f * float((i * (k + 3)) % 61) - 4.0f));
    inputs.push_back({data[k].data(), 1});
  }
  std::vector<uint16_t> result(n);
  BlockOutput output = {result.data(), 1};
  Scratch scratch;
  measure(state, n, double(program->getNumOps()), [&] {
    run(*program, inputs.data(), &output, n, scratch);
    benchmark::ClobberMemory();
  });
}

/// x + y.
void f16Add(benchmark::State &state, NumericsMode mode) {
  BlockProgram::Builder builder(mode);
  Reg x = builder.input(DType::F16), y = builder.input(DType::F16);
  builder.output(builder.op(Opcode::AddF, {x, y}));
  runProgram(state, builder.finish());
}

/// max(a * x + b, 0): three ops, three inputs.
void f16Chain(benchmark::State &state, NumericsMode mode) {
  BlockProgram::Builder builder(mode);
  Reg a = builder.input(DType::F16), x = builder.input(DType::F16),
      b = builder.input(DType::F16);
  Reg product = builder.op(Opcode::MulF, {a, x});
  Reg sum = builder.op(Opcode::AddF, {product, b});
  Reg zero = builder.constant(DType::F16, 0);
  builder.output(builder.op(Opcode::MaximumF, {sum, zero}));
  runProgram(state, builder.finish());
}

/// One vector of the device, one block, and a tensor.
void sizes(benchmark::internal::Benchmark *benchmark) {
  benchmark->Arg(64)->Arg(kBlockSize)->Arg(streamElements);
}
BENCHMARK_CAPTURE(f16Add, ieee, NumericsMode::Ieee)->Apply(sizes);
BENCHMARK_CAPTURE(f16Add, device, NumericsMode::Device)->Apply(sizes);
BENCHMARK_CAPTURE(f16Chain, ieee, NumericsMode::Ieee)->Apply(sizes);
BENCHMARK_CAPTURE(f16Chain, device, NumericsMode::Device)->Apply(sizes);

/// One function of f16 numbers in [-4, 11].
void f16Function(benchmark::State &state, Opcode opcode, NumericsMode mode) {
  BlockProgram::Builder builder(mode);
  builder.output(builder.op(opcode, {builder.input(DType::F16)}));
  runProgram(state, builder.finish());
}

/// The same for f32.
void f32Function(benchmark::State &state, Opcode opcode) {
  BlockProgram::Builder builder;
  builder.output(builder.op(opcode, {builder.input(DType::F32)}));
  std::optional<BlockProgram> program = builder.finish();
  size_t n = size_t(state.range(0));
  std::vector<float> source, result(n);
  for (size_t i = 0; i < n; ++i)
    source.push_back(0.173f * float(i % 97) + 0.01f);
  BlockInput input = {source.data(), 1};
  BlockOutput output = {result.data(), 1};
  Scratch scratch;
  measure(state, n, 1, [&] {
    run(*program, &input, &output, n, scratch);
    benchmark::ClobberMemory();
  });
}
BENCHMARK_CAPTURE(f16Function, exp_ieee, Opcode::ExpF, NumericsMode::Ieee)
    ->Apply(sizes);
BENCHMARK_CAPTURE(f16Function, exp_device, Opcode::ExpF, NumericsMode::Device)
    ->Apply(sizes);
BENCHMARK_CAPTURE(f16Function, gelu, Opcode::GeluF, NumericsMode::Ieee)
    ->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, exp, Opcode::ExpF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, rsqrt, Opcode::RsqrtF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, tanh, Opcode::TanhF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, log, Opcode::LogF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, sigmoid, Opcode::SigmoidF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, sin, Opcode::SinF)->Apply(sizes);
BENCHMARK_CAPTURE(f32Function, erf, Opcode::ErfF)->Apply(sizes);

} // namespace
