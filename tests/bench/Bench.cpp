//===- Bench.cpp - Run times as ratios to host limits -----------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `--smoke` runs everything for a moment and measures nothing worth reading;
// `--ratios` prints the two limits, `--long-kernel` what is checked.
// `--baseline` computes with the vectors that WebAssembly has. The flags of
// Google Benchmark work too.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "ktir/Exec/Numerics/BlockProgram.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace ktir::bench;

// The wider of two instruction sets, as the kernels under test do.
#if defined(__x86_64__) && defined(__linux__)
#define KTIR_BENCH_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define KTIR_BENCH_CLONES
#endif

namespace {

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

} // namespace

Limits ktir::bench::limits;

static double secondsToCopy(size_t count, int runs) {
  std::vector<uint16_t> source(count, 0x3C00), target(count);
  return shortest(runs, [&] {
    std::memcpy(target.data(), source.data(), 2 * count);
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  });
}

void MemoryCopy::measure() {
  constexpr size_t elements = size_t(1) << 25; // 64 MB, and as many copied
  static const std::vector<uint16_t> source(elements, 0x3C00);
  static std::vector<uint16_t> target(elements);
  constexpr int runs = 7;
  for (int run = 0; run < runs; ++run)
    seconds.push_back(shortest(1,
                               [&] {
                                 std::memcpy(target.data(), source.data(),
                                             2 * elements);
                                 benchmark::DoNotOptimize(target.data());
                                 benchmark::ClobberMemory();
                               }) /
                      double(elements));
}

double MemoryCopy::perElement() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

void ktir::bench::measureLimits(int runs) {
  limits.copy = ::secondsToCopy(streamElements, runs) / double(streamElements);
  constexpr size_t rounds = 10000;
  float values[chains] = {};
  limits.peak = 2.0 * chains * rounds / shortest(runs, [&] {
                  multiplyAndAdd(values, rounds);
                  benchmark::DoNotOptimize(values);
                  benchmark::ClobberMemory();
                });
}

namespace {

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
    else if (!std::strcmp(argv[i], "--baseline"))
      ktir::numerics::useBaselineKernels();
    else if (!std::strcmp(argv[i], "--long-kernel"))
      return std::fputs(longKernel().c_str(), stdout) < 0;
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
