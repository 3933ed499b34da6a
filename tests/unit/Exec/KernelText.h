//===- KernelText.h - Text of KTIR kernels for tests ------------*- C++ -*-===//

#ifndef KTIR_UNITTEST_EXEC_KERNELTEXT_H
#define KTIR_UNITTEST_EXEC_KERNELTEXT_H

#include <string>
#include <vector>

namespace ktir::exec::test {

using Shape = std::vector<int64_t>;

/// "4x64x" + element.
inline std::string dims(const Shape &shape, const std::string &element) {
  std::string text;
  for (int64_t extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + element;
}

/// "(d0, d1)".
inline std::string variables(size_t rank) {
  std::string text = "(";
  for (size_t d = 0; d < rank; ++d)
    text += (d ? ", d" : "d") + std::to_string(d);
  return text + ")";
}

/// The set of the coordinates from `lower` (zero where empty) to
/// `lower + shape - 1`.
inline std::string boxSet(const Shape &shape, const Shape &lower = {}) {
  std::string text = "affine_set<" + variables(shape.size()) + " : (";
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t from = lower.empty() ? 0 : lower[d];
    std::string name = "d" + std::to_string(d);
    text += (d ? ", " : "") + name + " - " + std::to_string(from) + " >= 0, -" +
            name + " + " + std::to_string(from + shape[d] - 1) + " >= 0";
  }
  return text + ")>";
}

inline std::string identity(size_t rank) {
  return "affine_map<" + variables(rank) + " -> " + variables(rank) + ">";
}

/// `%name`, a row-major view of `shape` at `%offset`; `set` is its coordinate
/// set, by default the box of its shape.
inline std::string view(const std::string &name, const std::string &offset,
                        const Shape &shape, const std::string &element = "f16",
                        const std::string &space = "global",
                        const std::string &set = "") {
  std::string sizes, strides;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    std::string comma = d + 1 < shape.size() ? ", " : "";
    sizes = std::to_string(shape[d]) + comma + sizes;
    strides = std::to_string(stride) + comma + strides;
  }
  return "%" + name + " = ktdp.construct_memory_view %" + offset +
         ", sizes: [" + sizes + "], strides: [" + strides +
         "] {coordinate_set = " + (set.empty() ? boxSet(shape) : set) +
         ", memory_space = #ktdp.memory_space<" + space + ">} : memref<" +
         dims(shape, element) + ">\n";
}

/// `%name`, the box of `shape` at `subscripts` of `%base`, of type `type`.
inline std::string tile(const std::string &name, const std::string &base,
                        const std::string &type, const std::string &subscripts,
                        const Shape &shape) {
  return "%" + name + " = ktdp.construct_access_tile %" + base + "[" +
         subscripts + "] {access_tile_set = " + boxSet(shape) +
         ", access_tile_order = " + identity(shape.size()) + "} : " + type +
         " -> !ktdp.access_tile<" + dims(shape, "index") + ">\n";
}

inline std::string load(const std::string &name, const std::string &tile,
                        const Shape &shape,
                        const std::string &element = "f16") {
  return "%" + name + " = ktdp.load %" + tile + " : <" + dims(shape, "index") +
         "> -> tensor<" + dims(shape, element) + ">\n";
}

inline std::string store(const std::string &value, const std::string &tile,
                         const Shape &shape,
                         const std::string &element = "f16") {
  return "ktdp.store %" + value + ", %" + tile + " : tensor<" +
         dims(shape, element) + ">, <" + dims(shape, "index") + ">\n";
}

/// Loads the box of `shape` at `subscripts` of a view of `whole` at `%offset`
/// into `%name`.
inline std::string loadFrom(const std::string &name, const std::string &offset,
                            const Shape &whole, const std::string &subscripts,
                            const Shape &shape,
                            const std::string &element = "f16") {
  return view(name + "_view", offset, whole, element) +
         tile(name + "_tile", name + "_view",
              "memref<" + dims(whole, element) + ">", subscripts, shape) +
         load(name, name + "_tile", shape, element);
}

/// Stores `%value` to the box of `shape` at `subscripts` of a view of `whole`
/// at `%offset`.
inline std::string storeTo(const std::string &value, const std::string &offset,
                           const Shape &whole, const std::string &subscripts,
                           const Shape &shape,
                           const std::string &element = "f16") {
  std::string prefix = value + "_out";
  return view(prefix + "_view", offset, whole, element) +
         tile(prefix + "_tile", prefix + "_view",
              "memref<" + dims(whole, element) + ">", subscripts, shape) +
         store(value, prefix + "_tile", shape, element);
}

/// A kernel `@k` with `arguments` on `tiles` tiles, whose tile id is `%t`.
inline std::string kernel(const std::string &arguments, int tiles,
                          const std::string &body) {
  return "func.func @k(" + arguments + ") attributes {grid = [" +
         std::to_string(tiles) +
         "]} {\n%t = ktdp.get_compute_tile_id : index\n" +
         "%c0 = arith.constant 0 : index\n" + body + "return\n}\n";
}

} // namespace ktir::exec::test

#endif // KTIR_UNITTEST_EXEC_KERNELTEXT_H
