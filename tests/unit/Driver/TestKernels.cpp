//===- TestKernels.cpp - Kernels of the class, by size --------------------===//

#include "TestKernels.h"
#include "Reference.h"
#include "SourceFolder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace ktir::test {

using Values = std::vector<double>;

const std::vector<KernelFamily> &kernelFamilies() {
  using namespace reference;
  static const std::vector<KernelFamily> families = {
      {"copy",
       {"a"},
       {"out"},
       "",
       [](const Values &v) { return Values{v[0]}; }},
      {"negate",
       {"a"},
       {"out"},
       R"(    %zero = arith.constant dense<0.0> : T
    %out_result = arith.subf %zero, %a_value : T
)",
       [](const Values &v) { return Values{subtract(0, v[0])}; }},
      {"add",
       {"a", "b"},
       {"out"},
       R"(    %empty = tensor.empty() : T
    %out_result = linalg.add ins(%a_value, %b_value : T, T) outs(%empty : T) -> T
)",
       [](const Values &v) { return Values{add(v[0], v[1])}; }},
      {"subtract",
       {"a", "b"},
       {"out"},
       R"(    %empty = tensor.empty() : T
    %out_result = linalg.sub ins(%a_value, %b_value : T, T) outs(%empty : T) -> T
)",
       [](const Values &v) { return Values{subtract(v[0], v[1])}; }},
      {"multiply",
       {"a", "b"},
       {"out"},
       R"(    %empty = tensor.empty() : T
    %out_result = linalg.mul ins(%a_value, %b_value : T, T) outs(%empty : T) -> T
)",
       [](const Values &v) { return Values{multiply(v[0], v[1])}; }},
      // a * x + y with a constant factor.
      {"axpy",
       {"x", "y"},
       {"out"},
       R"(    %factor = arith.constant dense<2.5> : T
    %scaled = arith.mulf %factor, %x_value : T
    %out_result = arith.addf %scaled, %y_value : T
)",
       [](const Values &v) { return Values{add(multiply(2.5, v[0]), v[1])}; }},
      // max(x * s + b, 0) in one generic and one operation on tensors.
      {"residual",
       {"x", "s", "b"},
       {"out"},
       R"(    %empty = tensor.empty() : T
    %chain = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x_value, %s_value, %b_value : T, T, T) outs(%empty : T) {
    ^bb0(%x_e: f16, %s_e: f16, %b_e: f16, %o_e: f16):
      %p = arith.mulf %x_e, %s_e : f16
      %q = arith.addf %p, %b_e : f16
      linalg.yield %q : f16
    } -> T
    %zero = arith.constant dense<0.0> : T
    %out_result = arith.maximumf %chain, %zero : T
)",
       [](const Values &v) {
         return Values{maximum(add(multiply(v[0], v[1]), v[2]), 0)};
       }},
      {"smaller_of_product",
       {"a", "b", "c"},
       {"out"},
       R"(    %p = arith.mulf %a_value, %b_value : T
    %out_result = arith.minimumf %p, %c_value : T
)",
       [](const Values &v) {
         return Values{minimum(multiply(v[0], v[1]), v[2])};
       }},
      {"used_twice",
       {"a"},
       {"out"},
       R"(    %square = arith.mulf %a_value, %a_value : T
    %out_result = arith.addf %square, %a_value : T
)",
       [](const Values &v) { return Values{add(multiply(v[0], v[0]), v[0])}; }},
      {"two_stores",
       {"a", "b"},
       {"sum", "difference"},
       R"(    %sum_result = arith.addf %a_value, %b_value : T
    %difference_result = arith.subf %a_value, %b_value : T
)",
       [](const Values &v) {
         return Values{add(v[0], v[1]), subtract(v[0], v[1])};
       }},
      {"in_place",
       {"a", "b"},
       {"a"},
       R"(    %a_result = arith.mulf %a_value, %b_value : T
)",
       [](const Values &v) { return Values{multiply(v[0], v[1])}; }},
      {"producer_copy",
       {"arg0"},
       {"arg1"},
       "",
       [](const Values &v) { return Values{v[0]}; },
       true},
      {"producer_negate",
       {"arg0"},
       {"arg1"},
       R"(    %zero = arith.constant dense<0.000000e+00> : T
    %arg1_result = arith.subf %zero, %arg0_value : T
)",
       [](const Values &v) { return Values{subtract(0, v[0])}; },
       true},
      {"producer_add",
       {"arg0", "arg1"},
       {"arg2"},
       R"(    %arg2_result = arith.addf %arg0_value, %arg1_value : T
)",
       [](const Values &v) { return Values{add(v[0], v[1])}; },
       true},
      {"producer_multiply_in_place",
       {"arg0", "arg1"},
       {"arg0"},
       R"(    %arg0_result = arith.mulf %arg0_value, %arg1_value : T
)",
       [](const Values &v) { return Values{multiply(v[0], v[1])}; },
       true},
  };
  return families;
}

const KernelFamily &kernelFamily(const std::string &name) {
  for (const KernelFamily &family : kernelFamilies())
    if (family.name == name)
      return family;
  std::abort();
}

static std::vector<std::string> argumentNames(const KernelFamily &family) {
  std::vector<std::string> names = family.inputs;
  for (const std::string &output : family.outputs)
    if (std::find(names.begin(), names.end(), output) == names.end())
      names.push_back(output);
  return names;
}

/// Producers give each tile two sticks of every row.
static std::vector<int64_t> tileShape(const KernelFamily &family,
                                      int64_t rows) {
  if (family.producerStyle)
    return {rows, 2, 64};
  return {rows, columns};
}

std::vector<int64_t> kernelShape(const KernelFamily &family, int64_t tiles,
                                 int64_t rows) {
  if (family.producerStyle)
    return {rows, 2 * tiles, 64};
  return {tiles * rows, columns};
}

static std::string join(const std::vector<int64_t> &values, const char *with) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? with : "") + std::to_string(values[i]);
  return text;
}

static std::string boxSet(const std::vector<int64_t> &shape) {
  std::string dims, constraints;
  for (size_t i = 0; i < shape.size(); ++i) {
    const std::string d = "d" + std::to_string(i);
    dims += (i ? ", " : "") + d;
    constraints += (i ? ", " : "") + d + " >= 0, -" + d + " + " +
                   std::to_string(shape[i] - 1) + " >= 0";
  }
  return "affine_set<(" + dims + ") : (" + constraints + ")>";
}

static void replaceAll(std::string &text, const std::string &from,
                       const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string kernelText(const KernelFamily &family, int64_t tiles,
                       int64_t rows) {
  const std::vector<int64_t> shape = kernelShape(family, tiles, rows);
  const std::vector<int64_t> tile = tileShape(family, rows);
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * shape[i + 1];
  const std::string view = "memref<" + join(shape, "x") + "xf16>";
  const std::string access = "!ktdp.access_tile<" + join(tile, "x") + "xindex>";
  const std::string tensor = "tensor<" + join(tile, "x") + "xf16>";
  const std::string space = family.producerStyle
                                ? "#ktdp.spyre_memory_space<HBM>"
                                : "#ktdp.memory_space<global>";
  const std::string dims = shape.size() == 3 ? "d0, d1, d2" : "d0, d1";

  std::string text = "#all = " + boxSet(shape) + "\n#part = " + boxSet(tile) +
                     "\n#id = affine_map<(" + dims + ") -> (" + dims +
                     ")>\nmodule {\n  func.func @" + family.name + "(";
  for (const std::string &name : argumentNames(family))
    text += "%" + name + ": index, ";
  if (family.producerStyle)
    text += "%extent0: i32, %extent1: i32";
  else
    text.resize(text.size() - 2);
  text += ") attributes {grid = [" + std::to_string(tiles) + "]} {\n";
  std::string position;
  if (family.producerStyle) {
    text += R"(    %c0 = arith.constant 0 : index
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %id = ktdp.get_compute_tile_id : index
    %id_i32 = arith.index_cast %id : index to i32
    %offset = arith.muli %id_i32, %c128_i32 : i32
    %stick_i32 = arith.divsi %offset, %c64_i32 : i32
    %lane_i32 = arith.remsi %offset, %c64_i32 : i32
    %stick = arith.index_cast %stick_i32 : i32 to index
    %lane = arith.index_cast %lane_i32 : i32 to index
)";
    position = "%c0, %stick, %lane";
  } else {
    text += "    %c0 = arith.constant 0 : index\n    %rows = arith.constant " +
            std::to_string(rows) +
            " : index\n    %id = ktdp.get_compute_tile_id : index\n"
            "    %row = arith.muli %id, %rows : index\n";
    position = "%row, %c0";
  }
  for (const std::string &name : argumentNames(family))
    text += "    %" + name + "_view = ktdp.construct_memory_view %" + name +
            ", sizes: [" + join(shape, ", ") + "], strides: [" +
            join(strides, ", ") +
            "] {coordinate_set = #all, memory_space = " + space +
            "} : " + view + "\n    %" + name +
            "_tile = ktdp.construct_access_tile %" + name + "_view[" +
            position +
            "] {access_tile_order = #id, access_tile_set = #part} : " + view +
            " -> " + access + "\n";
  for (const std::string &name : family.inputs)
    text += "    %" + name + "_value = ktdp.load %" + name +
            "_tile : " + access + " -> " + tensor + "\n";
  std::string body = family.body;
  replaceAll(body, ": T\n", ": " + tensor + "\n");
  replaceAll(body, ": T)", ": " + tensor + ")");
  replaceAll(body, ": T,", ": " + tensor + ",");
  replaceAll(body, ", T,", ", " + tensor + ",");
  replaceAll(body, ", T)", ", " + tensor + ")");
  replaceAll(body, "-> T\n", "-> " + tensor + "\n");
  text += body;
  for (const std::string &name : family.outputs)
    text +=
        "    ktdp.store %" +
        (family.body.empty() ? family.inputs[0] + "_value" : name + "_result") +
        ", %" + name + "_tile : " + tensor + ", " + access + "\n";
  return text + "    return\n  }\n}\n";
}

std::vector<ArgumentValue> kernelArguments(const KernelFamily &family,
                                           int64_t tiles, int64_t rows) {
  std::vector<ArgumentValue> arguments;
  for (const std::string &name : argumentNames(family)) {
    Tensor tensor;
    tensor.dtype = "f16";
    tensor.shape = kernelShape(family, tiles, rows);
    const int64_t count = tensor.elements();
    tensor.data.resize(size_t(count) * 2);
    const auto input =
        std::find(family.inputs.begin(), family.inputs.end(), name);
    const int64_t k = input - family.inputs.begin();
    for (int64_t i = 0; i < count; ++i) {
      // Eighths between -62 and 62, with a period prime to any row length.
      double value = input == family.inputs.end()
                         ? 1000
                         : double((i * (17 + 2 * k) + 5 * k) % 997 - 498) / 8;
      const uint16_t bits = reference::toHalf(reference::roundHalf(value));
      tensor.data[size_t(i) * 2] = uint8_t(bits);
      tensor.data[size_t(i) * 2 + 1] = uint8_t(bits >> 8);
    }
    ArgumentValue argument;
    argument.name = name;
    argument.value = std::move(tensor);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

static double halfAt(const Tensor &tensor, int64_t i) {
  return reference::fromHalf(uint16_t(tensor.data[size_t(i) * 2] |
                                      tensor.data[size_t(i) * 2 + 1] << 8));
}

std::vector<Tensor>
expectedOutputs(const KernelFamily &family,
                const std::vector<ArgumentValue> &arguments) {
  std::vector<const Tensor *> inputs;
  for (const std::string &name : family.inputs)
    for (const ArgumentValue &argument : arguments)
      if (argument.name == name)
        inputs.push_back(&std::get<Tensor>(argument.value));
  std::vector<Tensor> outputs(family.outputs.size(), *inputs[0]);
  for (int64_t i = 0; i < inputs[0]->elements(); ++i) {
    Values values;
    for (const Tensor *input : inputs)
      values.push_back(halfAt(*input, i));
    const Values results = family.expected(values);
    for (size_t k = 0; k < outputs.size(); ++k) {
      const uint16_t bits = reference::toHalf(results[k]);
      outputs[k].data[size_t(i) * 2] = uint8_t(bits);
      outputs[k].data[size_t(i) * 2 + 1] = uint8_t(bits >> 8);
    }
  }
  return outputs;
}

std::string readSource(const std::string &path) {
  std::ifstream file(sourceFolder() + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

LaunchStatus finish(Launch &run) {
  while (run.advance(1 << 20) == LaunchStatus::Running) {
  }
  return run.status();
}

Tensor outputOf(const Launch &run, const std::string &name) {
  for (Output &output : run.outputs())
    if (output.name == name)
      return output.tensor;
  return {};
}

} // namespace ktir::test
