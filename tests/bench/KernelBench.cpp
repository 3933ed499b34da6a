//===- KernelBench.cpp - Single ops and examples ----------------*- C++ -*-===//
//
// Part of the KTIR project, under the Apache License v2.0.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0
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

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A launch of an example, from binding its tensors to reading them back; the
/// kernel is compiled and decoded before. `operations` counts the arithmetic
/// per element of the result.
void example(benchmark::State &state, const char *name, ktir::Level level,
             double operations) {
  std::string folder = ktir::test::sourceFolder() + "/examples/" + name;
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
