//===- GoalBench.cpp - Whole kernels and their goals ------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The kernels of the folder `kernels`, compiled and prepared once and launched
// in every iteration, from binding their arguments to reading back the tensor
// that they write, which is the last. Each reports one number and, as `goal`,
// the bound that it should keep; with checks the goal is twice as lax.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "SourceFolder.h"

#include "ktir/Driver/Driver.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace ktir::bench;

namespace {

/// What a goal bounds.
enum class Measure {
  /// At most, the time of each of `work` elements against copying one in
  /// memory; beside it against copying one of a million, which stay in the
  /// caches.
  CopiesPerElement,
  OfPeak,        ///< at least, `work` float operations
  Milliseconds,  ///< at most
  PerInstruction ///< at most, nanoseconds
};

struct Goal {
  const char *kernel;
  Measure measure;
  double bound;
  double work = 0;
};

const Goal goals[] = {
    {"softmax", Measure::CopiesPerElement, 40, 4096.0 * 1024},
    {"layer-norm", Measure::CopiesPerElement, 25, 18432.0 * 1024},
    {"rotary", Measure::CopiesPerElement, 12, 5120.0 * 32 * 128},
    {"matmul", Measure::OfPeak, 0.4, 2.0 * 1024 * 1024 * 1088},
    {"paged-attention", Measure::Milliseconds, 100},
    {"vector-add", Measure::Milliseconds, 0.15},
    {"scalar-loop", Measure::PerInstruction, 15},
    // Scattered elements, which cost the race check most; the bounds are twice
    // what they took when they were set.
    {"interleaved-bytes", Measure::CopiesPerElement, 200, 32768.0 * 32},
    {"columns", Measure::CopiesPerElement, 400, 4096.0 * 512},
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void runGoal(benchmark::State &state, const Goal &goal, bool checks) {
  std::string path =
      ktir::test::sourceFolder() + "/tests/bench/kernels/" + goal.kernel;
  ktir::Compilation compilation = ktir::compile(readFile(path + ".mlir"), {});
  ktir::Executable executable =
      ktir::prepare(compilation, "", ktir::Level::Ktir);
  std::vector<ktir::Diagnostic> diagnostics;
  std::vector<ktir::ArgumentValue> arguments = ktir::parseArguments(
      readFile(path + ".json"), path + ".json", nullptr, diagnostics);
  ktir::LaunchOptions options;
  options.checks = checks;
  uint64_t instructions = 0;
  bool finished = true;
  std::vector<uint8_t> result;
  auto launch = [&] {
    ktir::Launch run = ktir::launch(executable, arguments, options);
    while (run.advance(uint64_t(1) << 30) == ktir::LaunchStatus::Running)
      ;
    instructions = run.progress().done;
    if (run.status() != ktir::LaunchStatus::Finished) {
      finished = false;
      return;
    }
    const size_t last = run.outputCount() - 1;
    result.resize(run.outputBytes(last));
    run.readOutput(last, 0, result.size(), result.data());
  };
  launch(); // the host maps memory once
  if (!finished) {
    state.SkipWithError("the kernel does not run");
    return;
  }
  MemoryCopy copy;
  const bool isComparedWithCopies = goal.measure == Measure::CopiesPerElement;
  if (isComparedWithCopies)
    copy.measure();
  double seconds = timeOf(state, launch);
  if (isComparedWithCopies)
    copy.measure();
  double slack = checks ? 2 : 1;
  switch (goal.measure) {
  case Measure::CopiesPerElement:
    state.counters["x_copy"] = seconds / goal.work / copy.perElement();
    state.counters["x_copy_1M"] = seconds / goal.work / limits.copy;
    state.counters["goal"] = goal.bound * slack;
    break;
  case Measure::OfPeak:
    state.counters["of_peak"] = goal.work / seconds / limits.peak;
    state.counters["goal"] = goal.bound / slack;
    break;
  case Measure::Milliseconds:
    state.counters["ms"] = seconds * 1e3;
    state.counters["goal"] = goal.bound * slack;
    break;
  case Measure::PerInstruction:
    state.counters["ns_per_op"] = seconds * 1e9 / double(instructions);
    state.counters["goal"] = goal.bound * slack;
    break;
  }
}

const bool registered = [] {
  for (const Goal &goal : goals)
    for (bool checks : {false, true})
      benchmark::RegisterBenchmark(
          (std::string("goal/") + goal.kernel + (checks ? "/checks" : ""))
              .c_str(),
          [&goal, checks](benchmark::State &state) {
            runGoal(state, goal, checks);
          })
          ->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
