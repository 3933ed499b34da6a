//===- TensorKernel.h - Kernels on whole tensors in tests -------*- C++ -*-===//
//
// A kernel on one tile that loads tensors from device memory, does something
// with them, and stores the results.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_UNITTEST_EXEC_TENSORKERNEL_H
#define KTIR_UNITTEST_EXEC_TENSORKERNEL_H

#include "EngineTestSupport.h"

#include "ktir/Exec/Numerics/Float16.h"

#include <algorithm>
#include <cctype>

namespace ktir::exec::test {

/// A value and its type without `tensor`, as in {"%x", "3x5xf16"}.
struct TensorValue {
  std::string name, type;
};

class TensorKernel {
public:
  /// `body` reads `inputs` (and an index argument `%n`) and defines `results`;
  /// `top` is what stands before the function.
  TensorKernel(const std::vector<TensorValue> &inputs, const std::string &body,
               const std::vector<TensorValue> &results,
               const std::string &top = "",
               NumericsMode numerics = NumericsMode::Ieee)
      : inputs(inputs), results(results),
        fixture(top + "func.func @k(%n: index) {\n" + makeBody(body) +
                    "return\n}\n",
                Level::Ktir, "k", "", numerics) {}

  explicit operator bool() const { return bool(fixture); }
  std::string messages() const { return fixture.messages(); }

  template <typename T> void set(size_t input, const std::vector<T> &values) {
    fixture.memory->device().write(placeOf(input), values.data(),
                                   values.size() * sizeof(T));
  }
  /// Sets f16 elements to values that they represent.
  void setHalves(size_t input, const std::vector<float> &values) {
    std::vector<uint16_t> bits;
    for (float value : values)
      bits.push_back(half(value));
    set(input, bits);
  }
  /// Sets what is in the place of a result before a run.
  template <typename T>
  void setResult(size_t result, const std::vector<T> &values) {
    fixture.memory->device().write(placeOf(inputs.size() + result),
                                   values.data(), values.size() * sizeof(T));
  }
  template <typename T> std::vector<T> get(size_t result, size_t count) const {
    std::vector<T> values(count);
    fixture.memory->device().read(placeOf(inputs.size() + result),
                                  values.data(), count * sizeof(T));
    return values;
  }
  std::vector<float> getHalves(size_t result, size_t count) const {
    std::vector<float> values;
    for (uint16_t bits : get<uint16_t>(result, count))
      values.push_back(fromHalf(bits));
    return values;
  }
  RunStatus run(int64_t n = 0, uint64_t budget = ~uint64_t(0)) {
    return fixture.run({n}, {}, budget);
  }

  const std::vector<TensorValue> inputs, results;
  Fixture fixture;

private:
  static constexpr uint64_t distance = uint64_t(1) << 24; ///< bytes
  static uint64_t placeOf(size_t tensor) { return tensor * distance; }

  /// `name` without the number of a result.
  static std::string labelOf(std::string name) {
    std::replace(name.begin(), name.end(), '#', '_');
    return name;
  }
  /// Text that makes the access tile `<name>_t` of a tensor's place.
  static std::string makeTile(const std::string &name, const std::string &type,
                              size_t place) {
    std::vector<std::string> parts;
    std::string element = type;
    while (std::isdigit(static_cast<unsigned char>(element[0]))) {
      parts.push_back(element.substr(0, element.find('x')));
      element = element.substr(element.find('x') + 1);
    }
    unsigned bytes = element == "index" || element == "i64" || element == "f64"
                         ? 8
                     : element == "i8"                      ? 1
                     : element == "i32" || element == "f32" ? 4
                                                            : 2;
    std::string sizes, strides, dims, zeros, bounds, shape;
    int64_t stride = 1;
    for (size_t d = parts.size(); d-- > 0;) {
      std::string dim = "d" + std::to_string(d);
      const char *comma = d ? ", " : "";
      strides = comma + std::to_string(stride) + strides;
      sizes = comma + parts[d] + sizes;
      dims = comma + dim + dims;
      zeros = std::string(comma) + "0" + zeros;
      bounds = comma + dim + " >= 0, -" + dim + " + " +
               std::to_string(std::stoll(parts[d]) - 1) + " >= 0" + bounds;
      shape = parts[d] + "x" + shape;
      stride *= std::stoll(parts[d]);
    }
    std::string set = "affine_set<(" + dims + ") : (" + bounds + ")>";
    std::string memref = "memref<" + type + ">";
    return name + "_p = arith.constant " +
           std::to_string(placeOf(place) / bytes) + " : index\n" + name +
           "_v = ktdp.construct_memory_view " + name + "_p, sizes: [" + sizes +
           "], strides: [" + strides + "] {coordinate_set = " + set +
           ", memory_space = #ktdp.memory_space<global>} : " + memref + "\n" +
           name + "_t = ktdp.construct_access_tile " + name + "_v[" + zeros +
           "] {access_tile_set = " + set +
           ", access_tile_order = affine_map<(" + dims + ") -> (" + dims +
           ")>} : " + memref + " -> !ktdp.access_tile<" + shape + "index>\n";
  }
  /// The type of an access tile of the shape of a tensor.
  static std::string shapeOf(const std::string &type) {
    size_t at = 0;
    while (std::isdigit(static_cast<unsigned char>(type[at])))
      at = type.find('x', at) + 1;
    return type.substr(0, at) + "index";
  }
  std::string makeBody(const std::string &body) const {
    std::string text;
    size_t place = 0;
    for (const TensorValue &input : inputs)
      text += makeTile(input.name, input.type, place++) + input.name +
              " = ktdp.load " + input.name + "_t : <" + shapeOf(input.type) +
              "> -> tensor<" + input.type + ">\n";
    text += body + "\n";
    for (const TensorValue &result : results)
      text += makeTile(labelOf(result.name), result.type, place++) +
              "ktdp.store " + result.name + ", " + labelOf(result.name) +
              "_t : tensor<" + result.type + ">, <" + shapeOf(result.type) +
              ">\n";
    return text;
  }
};

} // namespace ktir::exec::test

#endif // KTIR_UNITTEST_EXEC_TENSORKERNEL_H
