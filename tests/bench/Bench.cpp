//===- Bench.cpp - Run times as ratios to host limits -----------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Two limits of the host are measured first: the time to copy an f16 element,
// and the rate of f32 multiplications and additions that are not fused. Every
// benchmark then reports
//   x_copy  its time per element over the time to copy an element,
//   x_peak  its time over the time its float operations would take at the peak,
// which carry over from one machine to another where nanoseconds do not.
//
// `--smoke` runs everything for a moment and measures nothing worth reading;
// `--ratios` prints the two limits. The flags of Google Benchmark work too.
//
//===----------------------------------------------------------------------===//

#include "ktir/Driver/Driver.h"
#include "ktir/Exec/Numerics/BlockProgram.h"
#include "ktir/Exec/Numerics/Float16.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

using namespace ktir::numerics;

// The wider of two instruction sets, as the kernels under test do.
#if defined(__x86_64__) && defined(__linux__)
#define KTIR_BENCH_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define KTIR_BENCH_CLONES
#endif

namespace {

/// What the host can do.
struct Limits {
  /// Seconds to copy one f16 element, for vectors of `streamElements`.
  double copy = 0;
  /// f32 multiplications plus additions in a second.
  double peak = 0;
};
Limits limits;

/// Beyond the first-level caches, as tensors are.
constexpr size_t streamElements = size_t(1) << 20;

/// Independent chains: enough to hide the latency of an operation.
constexpr size_t chains = 64;

KTIR_BENCH_CLONES void multiplyAndAdd(float *values, size_t rounds) {
  float chain[chains];
  for (size_t i = 0; i < chains; ++i)
    chain[i] = values[i];
  for (size_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < chains; ++i)
      chain[i] = chain[i] * 0.5f + 1.0f;
  for (size_t i = 0; i < chains; ++i)
    values[i] = chain[i];
}

/// The shortest of some runs of `body`, in seconds: what the host can do when
/// nothing interferes.
template <class F> double shortest(int runs, F body) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int run = 0; run < runs; ++run) {
    Clock::time_point start = Clock::now();
    body();
    std::chrono::duration<double> time = Clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

void measureLimits(int runs) {
  std::vector<uint16_t> source(streamElements, 0x3C00), target(streamElements);
  limits.copy =
      shortest(runs,
               [&] {
                 std::memcpy(target.data(), source.data(), 2 * streamElements);
                 benchmark::DoNotOptimize(target.data());
                 benchmark::ClobberMemory();
               }) /
      double(streamElements);
  constexpr size_t rounds = 10000;
  float values[chains] = {};
  limits.peak = 2.0 * chains * rounds / shortest(runs, [&] {
                  multiplyAndAdd(values, rounds);
                  benchmark::DoNotOptimize(values);
                  benchmark::ClobberMemory();
                });
}

/// Runs `body` as the iterations of a benchmark, each of which handles
/// `elements` elements with `ops` float operations each, and reports the
/// ratios. They are of processor time, so that a busy host disturbs them less.
template <class F>
void measure(benchmark::State &state, size_t elements, double ops, F body) {
  std::clock_t start = std::clock();
  for (auto _ : state)
    body();
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC /
                   double(state.iterations());
  state.SetItemsProcessed(state.iterations() * int64_t(elements));
  state.counters["x_copy"] = seconds / (limits.copy * double(elements));
  if (ops > 0)
    state.counters["x_peak"] = seconds / (ops * double(elements) / limits.peak);
}

void copy(benchmark::State &state) {
  std::vector<uint16_t> source(streamElements, 0x3C00), target(streamElements);
  measure(state, streamElements, 0, [&] {
    std::memcpy(target.data(), source.data(), 2 * streamElements);
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(copy);

void peak(benchmark::State &state) {
  constexpr size_t rounds = 1000;
  float values[chains] = {};
  measure(state, chains * rounds, 2, [&] {
    multiplyAndAdd(values, rounds);
    benchmark::DoNotOptimize(values);
    benchmark::ClobberMemory();
  });
}
BENCHMARK(peak);

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

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A launch of an example, from binding its tensors to reading them back; the
/// kernel is compiled and decoded before. `operations` counts the arithmetic
/// per element of the result.
void example(benchmark::State &state, const char *name, ktir::Level level,
             double operations) {
  std::string folder = std::string(KTIR_SOURCE_DIR "/examples/") + name;
  ktir::Compilation compilation =
      ktir::compile(readFile(folder + "/kernel.mlir"), {});
  ktir::Executable executable = ktir::prepare(compilation, "", level);
  std::vector<ktir::Diagnostic> diagnostics;
  std::vector<ktir::ArgumentValue> arguments = ktir::parseArguments(
      readFile(folder + "/run.json"), "run.json", nullptr, diagnostics);
  ktir::LaunchOptions options;
  options.checks = false;
  size_t elements = 0;
  auto launch = [&] {
    ktir::Launch run = ktir::launch(executable, arguments, options);
    while (run.advance(uint64_t(1) << 30) == ktir::LaunchStatus::Running)
      ;
    if (run.status() != ktir::LaunchStatus::Finished)
      return false;
    elements = size_t(run.outputs().back().tensor.elements());
    return true;
  };
  if (!launch()) {
    state.SkipWithError("the example does not run");
    return;
  }
  measure(state, elements, operations, [&] { launch(); });
}
/// A kernel on one tile that loads the tensors of the types `inputs` as %0, %1,
/// ... and computes; `elements` and `operations` as for measure().
void tensorKernel(benchmark::State &state,
                  const std::vector<std::string> &inputs,
                  const std::string &body, size_t elements, double operations) {
  std::string text = "func.func @k() {\n";
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string number = std::to_string(i), type = inputs[i];
    std::string rows = type.substr(0, type.find('x'));
    std::string columns = type.substr(rows.size() + 1);
    columns = columns.substr(0, columns.find('x'));
    std::string set = "affine_set<(r, c) : (r >= 0, -r + " + rows +
                      " - 1 >= 0, c >= 0, -c + " + columns + " - 1 >= 0)>";
    text += "%p" + number + " = arith.constant " +
            std::to_string(i * (size_t(1) << 22)) + " : index\n%v" + number +
            " = ktdp.construct_memory_view %p" + number + ", sizes: [" + rows +
            ", " + columns + "], strides: [" + columns +
            ", 1] {coordinate_set = " + set +
            ", memory_space = #ktdp.memory_space<global>} : memref<" + type +
            ">\n%t" + number + " = ktdp.construct_access_tile %v" + number +
            "[%p0, %p0] {access_tile_set = " + set +
            ", access_tile_order = affine_map<(r, c) -> (r, c)>} : memref<" +
            type + "> -> !ktdp.access_tile<" + rows + "x" + columns +
            "xindex>\n%" + number + " = ktdp.load %t" + number + " : <" + rows +
            "x" + columns + "xindex> -> tensor<" + type + ">\n";
  }
  text += body + "return\n}\n";
  ktir::Compilation compilation = ktir::compile(text, {});
  ktir::Executable executable =
      ktir::prepare(compilation, "", ktir::Level::Ktir);
  ktir::LaunchOptions options;
  options.checks = false;
  auto launch = [&] {
    ktir::Launch run = ktir::launch(executable, {}, options);
    while (run.advance(uint64_t(1) << 30) == ktir::LaunchStatus::Running)
      ;
    return run.status() == ktir::LaunchStatus::Finished;
  };
  if (!launch()) {
    state.SkipWithError("the kernel does not run");
    return;
  }
  measure(state, elements, operations, [&] { launch(); });
}

/// [128][k] by [k][n] from f16 to f32; operations are those of the product.
void matmul(benchmark::State &state) {
  tensorKernel(state, {"128x1024xf16", "1024x1024xf16"},
               "%e = tensor.empty() : tensor<128x1024xf32>\n"
               "%r = linalg.matmul ins(%0, %1 : tensor<128x1024xf16>, "
               "tensor<1024x1024xf16>) outs(%e : tensor<128x1024xf32>) -> "
               "tensor<128x1024xf32>\n",
               size_t(128) * 1024, 2.0 * 1024);
}
BENCHMARK(matmul);

/// The right operand transposed.
void matmulTransposed(benchmark::State &state) {
  tensorKernel(
      state, {"128x1024xf16", "1024x1024xf16"},
      "%e = tensor.empty() : tensor<128x1024xf32>\n"
      "%r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
      "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] "
      "ins(%0, %1 : tensor<128x1024xf16>, tensor<1024x1024xf16>) outs(%e : "
      "tensor<128x1024xf32>) -> tensor<128x1024xf32>\n",
      size_t(128) * 1024, 2.0 * 1024);
}
BENCHMARK(matmulTransposed);

/// One row times a matrix, where converting the matrix is most of the work.
void vecmat(benchmark::State &state) {
  tensorKernel(state, {"1x1024xf16", "1024x1024xf16"},
               "%e = tensor.empty() : tensor<1x1024xf32>\n"
               "%r = linalg.matmul ins(%0, %1 : tensor<1x1024xf16>, "
               "tensor<1024x1024xf16>) outs(%e : tensor<1x1024xf32>) -> "
               "tensor<1x1024xf32>\n",
               size_t(1024) * 1024, 2.0);
}
BENCHMARK(vecmat);

/// A reduction of 512 x 1024 f16 along one dimension, `times` times.
void reduce(benchmark::State &state, const char *op, int dimension) {
  std::string kept = dimension ? "512" : "1024";
  std::string body = "%e = tensor.empty() : tensor<" + kept + "xf16>\n";
  constexpr int times = 8;
  for (int i = 0; i < times; ++i)
    body += "%r" + std::to_string(i) + " = linalg.reduce { " + op +
            " } ins(%0 : tensor<512x1024xf16>) outs(%e : tensor<" + kept +
            "xf16>) dimensions = [" + std::to_string(dimension) + "]\n";
  tensorKernel(state, {"512x1024xf16"}, body, size_t(times) * 512 * 1024, 1);
}
BENCHMARK_CAPTURE(reduce, sum_rows, "arith.addf", 1);
BENCHMARK_CAPTURE(reduce, sum_columns, "arith.addf", 0);
BENCHMARK_CAPTURE(reduce, max_rows, "arith.maximumf", 1);

BENCHMARK_CAPTURE(example, vector_add_ktir, "vector-add", ktir::Level::Ktir, 1);
BENCHMARK_CAPTURE(example, vector_add_dataflow, "vector-add",
                  ktir::Level::Dataflow, 1);
BENCHMARK_CAPTURE(example, residual_ktir, "residual", ktir::Level::Ktir, 3);
BENCHMARK_CAPTURE(example, residual_dataflow, "residual", ktir::Level::Dataflow,
                  3);

} // namespace

int main(int argc, char **argv) {
  std::vector<char *> arguments;
  std::string shortTime = "--benchmark_min_time=0.001";
  bool smoke = false, ratios = false;
  for (int i = 0; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--smoke"))
      smoke = true;
    else if (!std::strcmp(argv[i], "--ratios"))
      ratios = true;
    else
      arguments.push_back(argv[i]);
  }
  if (smoke)
    arguments.push_back(shortTime.data());
  int count = int(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    return 2;
  measureLimits(smoke ? 1 : 25);
  if (ratios) {
    std::printf(
        "copy %.4f ns per f16 element\npeak %.2f f32 operations per ns\n",
        limits.copy * 1e9, limits.peak * 1e-9);
    return 0;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
