//===- CheckBench.cpp - Checking a long kernel ----------------------------===//
//
// What `ktir check` does inside the process, on a kernel of a thousand lines.
// tests/bench/check.mjs compares it with the WebAssembly build.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "ktir/Driver/Driver.h"
#include "ktir/Driver/LanguageService.h"

#include <string>

using namespace ktir::bench;

std::string ktir::bench::longKernel() {
  constexpr int blocks = 165; // of six lines
  std::string text =
      "#all = affine_set<(r, c) : (r >= 0, -r + 95 >= 0, c >= 0, "
      "-c + 63 >= 0)>\n"
      "#row = affine_set<(r, c) : (r == 0, c >= 0, -c + 63 >= 0)>\n"
      "#id = affine_map<(r, c) -> (r, c)>\n"
      "module {\n"
      "func.func @long(%x: index, %y: index) attributes {grid = [32]} {\n"
      "%c0 = arith.constant 0 : index\n"
      "%t = ktdp.get_compute_tile_id : index\n"
      "%k = arith.constant dense<1.5> : tensor<1x64xf16>\n";
  for (const char *name : {"x", "y"})
    text += "%" + std::string(name) + "v = ktdp.construct_memory_view %" +
            name +
            ", sizes: [96, 64], strides: [64, 1] {coordinate_set = #all, "
            "memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>\n";
  auto tile = [](const std::string &name, const std::string &view) {
    return "%" + name + " = ktdp.construct_access_tile %" + view +
           "[3 * %t, %c0] {access_tile_order = #id, access_tile_set = #row} : "
           "memref<96x64xf16> -> !ktdp.access_tile<1x64xindex>\n";
  };
  for (int i = 0; i < blocks; ++i) {
    const std::string n = std::to_string(i);
    text += tile("from" + n, "xv") + tile("to" + n, "yv");
    text += "%a" + n + " = ktdp.load %from" + n +
            " : <1x64xindex> -> tensor<1x64xf16>\n";
    text += "%b" + n + " = arith.mulf %a" + n + ", %k : tensor<1x64xf16>\n";
    text += "%c" + n + "s = arith.addf %b" + n + ", %a" + n +
            " : tensor<1x64xf16>\n";
    text += "ktdp.store %c" + n + "s, %to" + n +
            " : tensor<1x64xf16>, <1x64xindex>\n";
  }
  return text + "return\n}\n}\n";
}

namespace {

/// As the command line checks a file.
void check(benchmark::State &state) {
  const std::string text = longKernel();
  ktir::CompileOptions options;
  options.to = ktir::Level::Ktir;
  if (ktir::Compilation first = ktir::compile(text, options);
      !first.succeeded() || !first.diagnostics().empty())
    return state.SkipWithError("the kernel is not clean");
  timeOf(state, [&] { ktir::compile(text, options); });
}
BENCHMARK(check)->Name("check/command-line")->Unit(benchmark::kMillisecond);

/// As the editor checks what it shows.
void edit(benchmark::State &state) {
  const std::string text = longKernel();
  ktir::LanguageService service;
  timeOf(state, [&] { service.update(text); });
}
BENCHMARK(edit)->Name("check/editor")->Unit(benchmark::kMillisecond);

} // namespace
