//===- Limits.h - What the host can do --------------------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Two limits of the host, and benchmarks reported as ratios to them:
//   x_copy   the time per element over the time to copy an f16 element, within
//            the caches, or in memory where whole kernels are compared,
//   of_peak  the rate of float operations over that of f32 multiplications and
//            additions that are not fused,
// which carry over from one machine to another where nanoseconds do not.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_TESTS_BENCH_LIMITS_H
#define KTIR_TESTS_BENCH_LIMITS_H

#include <benchmark/benchmark.h>

#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

namespace ktir::bench {

/// What the host can do.
struct Limits {
  /// Seconds to copy one f16 element, for vectors of `streamElements`.
  double copy = 0;
  /// f32 multiplications plus additions in a second.
  double peak = 0;
};
extern Limits limits;

/// Beyond the first-level caches, as tensors are.
constexpr size_t streamElements = size_t(1) << 20;

/// Measures the limits, taking the best of `runs` runs.
void measureLimits(int runs);

/// A valid kernel of a thousand lines.
std::string longKernel();

/// Copies f16 elements from memory to memory: vectors that no cache holds, as
/// the STREAM benchmark has it.
class MemoryCopy {
public:
  /// Measures some copies. Called around what they are compared with, since
  /// what memory gives on a shared host changes within seconds.
  void measure();
  /// Seconds to copy one element: the median of all copies measured.
  double perElement() const;

private:
  std::vector<double> seconds; ///< per element, of each copy
};

/// Runs `body` as the iterations of a benchmark and returns the seconds that
/// one takes. They are of processor time, so that a busy host disturbs them
/// less.
template <class F> double timeOf(benchmark::State &state, F body) {
  std::clock_t start = std::clock();
  for (auto _ : state)
    body();
  return double(std::clock() - start) / CLOCKS_PER_SEC /
         double(state.iterations());
}

/// Runs `body` as the iterations of a benchmark, each of which handles
/// `elements` elements with `ops` float operations each, and reports the
/// ratios.
template <class F>
void measure(benchmark::State &state, size_t elements, double ops, F body) {
  double seconds = timeOf(state, body);
  state.SetItemsProcessed(state.iterations() * int64_t(elements));
  state.counters["x_copy"] = seconds / (limits.copy * double(elements));
  if (ops > 0)
    state.counters["of_peak"] = ops * double(elements) / seconds / limits.peak;
}

} // namespace ktir::bench

#endif // KTIR_TESTS_BENCH_LIMITS_H
