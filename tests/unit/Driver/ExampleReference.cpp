//===- ExampleReference.cpp - The table, and formulas without a bound -----===//

#include "ExampleReference.h"
#include "Reference.h"

#include <cstring>

using namespace ktir;
using namespace ktir::test;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// DL16: 9 bits of fraction, ties away from zero, nothing below 2^-31.
static double roundDl16(double value) {
  if (value == 0)
    return value;
  const double unit = std::ldexp(1.0, std::ilogb(value) - 9);
  const double rounded = std::round(value / unit) * unit;
  return std::fabs(rounded) > std::ldexp(1.0, -31) ? rounded : 0;
}

HalfFormat ktir::test::halfFormat(Numerics numerics) {
  return numerics == Numerics::Ieee
             ? HalfFormat{reference::roundHalf, std::ldexp(1.0, -11)}
             : HalfFormat{roundDl16, std::ldexp(1.0, -10)};
}

template <class T> static T elementAt(const Tensor &tensor, size_t index) {
  T value;
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::vector<double> ktir::test::tensorValues(const Tensor &tensor) {
  std::vector<double> values;
  for (size_t i = 0; i < size_t(tensor.elements()); ++i)
    if (tensor.dtype == "f16")
      values.push_back(reference::fromHalf(elementAt<uint16_t>(tensor, i)));
    else if (tensor.dtype == "f32")
      values.push_back(elementAt<float>(tensor, i));
    else if (tensor.dtype == "i32")
      values.push_back(elementAt<int32_t>(tensor, i));
  return values;
}

ExampleInputs
ktir::test::exampleInputs(const std::vector<ArgumentValue> &arguments,
                          const HalfFormat &half) {
  ExampleInputs inputs;
  for (const ArgumentValue &argument : arguments) {
    if (const auto *tensor = std::get_if<Tensor>(&argument.value)) {
      std::vector<double> values = tensorValues(*tensor);
      if (tensor->dtype == "f16")
        for (double &value : values)
          value = half.round(value);
      inputs.tensors[argument.name] = values;
    } else if (const auto *real = std::get_if<double>(&argument.value)) {
      inputs.scalars[argument.name] = *real;
    } else {
      inputs.scalars[argument.name] = double(std::get<int64_t>(argument.value));
    }
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// `output[i]` from `f(i)`.
template <class F>
static std::vector<ExpectedTensor> each(const std::string &output, size_t count,
                                        F f) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = f(i);
  return {{output, values, {}}};
}

namespace ktir::test::exact {

std::vector<ExpectedTensor> vectorAdd(const ExampleInputs &in,
                                      const HalfFormat &half) {
  const auto &a = in.tensor("a"), &b = in.tensor("b");
  return each("c", a.size(), [&](size_t i) { return half.round(a[i] + b[i]); });
}

std::vector<ExpectedTensor> runtimeVectorAdd(const ExampleInputs &in,
                                             const HalfFormat &half) {
  // Elements from n on keep what they hold.
  const auto &a = in.tensor("a"), &b = in.tensor("b"), &c = in.tensor("c");
  const size_t n = size_t(in.size("n"));
  return each("c", c.size(),
              [&](size_t i) { return i < n ? half.round(a[i] + b[i]) : c[i]; });
}

std::vector<ExpectedTensor> axpy(const ExampleInputs &in,
                                 const HalfFormat &half) {
  const auto &x = in.tensor("x"), &y = in.tensor("y");
  return each("out", x.size(), [&](size_t i) {
    return half.round(half.round(2.5 * x[i]) + y[i]);
  });
}

std::vector<ExpectedTensor> residual(const ExampleInputs &in,
                                     const HalfFormat &half) {
  const auto &x = in.tensor("x"), &s = in.tensor("s"), &b = in.tensor("b");
  return each("out", x.size(), [&](size_t i) {
    return std::max(half.round(half.round(x[i] * s[i]) + b[i]), 0.0);
  });
}

std::vector<ExpectedTensor> llamaAdd(const ExampleInputs &in,
                                     const HalfFormat &half) {
  const auto &a = in.tensor("arg0"), &b = in.tensor("arg1");
  return each("arg2", a.size(),
              [&](size_t i) { return half.round(a[i] + b[i]); });
}

std::vector<ExpectedTensor> llamaSub(const ExampleInputs &in,
                                     const HalfFormat &half) {
  const auto &a = in.tensor("arg0"), &b = in.tensor("arg1");
  return each("arg2", a.size(),
              [&](size_t i) { return half.round(a[i] - b[i]); });
}

std::vector<ExpectedTensor> llamaMul(const ExampleInputs &in,
                                     const HalfFormat &half) {
  const auto &x = in.tensor("arg0"), &g = in.tensor("arg1");
  return each("arg0", x.size(),
              [&](size_t i) { return half.round(x[i] * g[i]); });
}

std::vector<ExpectedTensor> llamaCopy(const ExampleInputs &in,
                                      const HalfFormat &) {
  const auto &x = in.tensor("arg0");
  return each("arg1", x.size(), [&](size_t i) { return x[i]; });
}

std::vector<ExpectedTensor> llamaNeg(const ExampleInputs &in,
                                     const HalfFormat &) {
  const auto &x = in.tensor("arg0");
  return each("arg1", x.size(), [&](size_t i) { return 0 - x[i]; });
}

std::vector<ExpectedTensor> scratchpadResidual(const ExampleInputs &in,
                                               const HalfFormat &half) {
  const auto &w = in.tensor("w"), &b = in.tensor("b");
  std::vector<double> h = in.tensor("x");
  for (size_t layer = 0; layer < size_t(in.size("layers")); ++layer)
    for (size_t i = 0; i < h.size(); ++i) {
      const size_t k = layer * 256 + i % 256;
      const double line = half.round(half.round(h[i] * w[k]) + b[k]);
      h[i] = half.round(h[i] + std::max(line, 0.0));
    }
  return {{"out", h, {}}};
}

std::vector<ExpectedTensor> rotary(const ExampleInputs &in,
                                   const HalfFormat &half) {
  const auto &x = in.tensor("x"), &cosine = in.tensor("cos"),
             &sine = in.tensor("sin");
  return each("out", x.size(), [&](size_t i) {
    const size_t token = i / 512, lane = i % 64, pair = lane % 32;
    const double a = x[i - lane + pair], b = x[i - lane + pair + 32];
    const double c = cosine[token * 32 + pair], s = sine[token * 32 + pair];
    return lane < 32 ? half.round(half.round(a * c) - half.round(b * s))
                     : half.round(half.round(b * c) + half.round(a * s));
  });
}

//===----------------------------------------------------------------------===//
// Where values go
//===----------------------------------------------------------------------===//

std::vector<ExpectedTensor> embedding(const ExampleInputs &in,
                                      const HalfFormat &) {
  const auto &table = in.tensor("table"), &ids = in.tensor("ids");
  return each("out", ids.size() * 128, [&](size_t i) {
    return table[size_t(ids[i / 128]) * 128 + i % 128];
  });
}

std::vector<ExpectedTensor> kvCacheWrite(const ExampleInputs &in,
                                         const HalfFormat &) {
  std::vector<ExpectedTensor> caches;
  for (const char *name : {"k", "v"}) {
    const std::string cache = std::string(name) + "_cache";
    std::vector<double> values = in.tensor(cache);
    const auto &rows = in.tensor(name), &slots = in.tensor("slots");
    for (size_t i = 0; i < rows.size(); ++i)
      values[size_t(slots[i / 256]) * 256 + i % 256] = rows[i];
    caches.push_back({cache, values, {}});
  }
  return caches;
}

std::vector<ExpectedTensor> distributedCopy(const ExampleInputs &in,
                                            const HalfFormat &) {
  std::vector<double> rows = in.tensor("lo");
  rows.insert(rows.end(), in.tensor("hi").begin(), in.tensor("hi").end());
  return {{"out", rows, {}}};
}

std::vector<ExpectedTensor> broadcast(const ExampleInputs &in,
                                      const HalfFormat &half) {
  const auto &x = in.tensor("x"), &w = in.tensor("w");
  return each("out", x.size(),
              [&](size_t i) { return half.round(x[i] * w[i % 256]); });
}

std::vector<ExpectedTensor> gather(const ExampleInputs &in,
                                   const HalfFormat &half) {
  const auto &x = in.tensor("x");
  return each("out", 4 * x.size(), [&](size_t i) {
    const size_t tile = i / 1024, row = i / 256 % 4, column = i % 256;
    return half.round(2 * x[(tile / 4 * 4 + row) * 256 + column]);
  });
}

std::vector<ExpectedTensor> scatter(const ExampleInputs &in,
                                    const HalfFormat &) {
  const auto &x = in.tensor("x");
  return each("out", x.size(), [&](size_t i) { return std::max(x[i], 0.0); });
}

} // namespace ktir::test::exact

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// `"name": {f16 tensor of `shape`, normal}`.
static std::string normal(const std::string &name, const std::string &shape,
                          int seed, const std::string &scale = "1") {
  return "\"" + name + "\": {\"dtype\": \"f16\", \"shape\": [" + shape +
         "], \"random\": \"normal\", \"seed\": " + std::to_string(seed) +
         ", \"scale\": " + scale + "}, ";
}

/// A tensor with a value that no result has.
static std::string unwritten(const std::string &name,
                             const std::string &shape) {
  return "\"" + name + "\": {\"dtype\": \"f16\", \"shape\": [" + shape +
         "], \"fill\": -77}, ";
}

/// `"name": value`, the last one.
static std::string number(const std::string &name, const std::string &value) {
  return "\"" + name + "\": " + value;
}

static std::string softmaxSize(int rows) {
  const std::string shape = std::to_string(rows) + ", 1024";
  return "{" + normal("x", shape, rows, "3") + unwritten("out", shape) +
         number("rows", std::to_string(rows)) + "}";
}

static std::string softmaxWideSize(int rows, int blocks) {
  const std::string shape =
      std::to_string(rows) + ", " + std::to_string(1024 * blocks);
  return "{" + normal("x", shape, rows + blocks, "3") +
         unwritten("out", shape) + number("rows", std::to_string(rows)) + ", " +
         number("blocks", std::to_string(blocks)) + "}";
}

static std::string matmulSize(int k) {
  const std::string size = std::to_string(k);
  return "{" + normal("a", "256, " + size, k) +
         normal("b", size + ", 256", k + 1) + unwritten("c", "256, 256") +
         number("k", size) + "}";
}

static std::string attentionSize(int keys) {
  const std::string shape = "8, " + std::to_string(keys) + ", 64";
  return "{" + normal("q", "8, 128, 64", keys, "2") +
         normal("k", shape, keys + 1) + normal("v", shape, keys + 2) +
         unwritten("out", "8, 128, 64") + number("keys", std::to_string(keys)) +
         ", " + number("scale", "0.25") + "}";
}

/// All sequences of `length` tokens.
static std::string pagesSize(int length) {
  std::string table, lengths;
  for (int i = 0; i < 32; ++i)
    table += (i ? ", " : "") + std::to_string((i * 7 + 3) % 40);
  for (int i = 0; i < 8; ++i)
    lengths += (i ? ", " : "") + std::to_string(length);
  return "{" + normal("q", "8, 4, 64", length, "2") +
         normal("k_cache", "40, 16, 4, 64", length + 1) +
         normal("v_cache", "40, 16, 4, 64", length + 2) +
         "\"table\": {\"dtype\": \"i32\", \"shape\": [8, 4], \"data\": [" +
         table + "]}, \"lengths\": {\"dtype\": \"i32\", \"shape\": [8], " +
         "\"data\": [" + lengths + "]}, " + unwritten("out", "8, 4, 64") +
         number("scale", "0.25") + "}";
}

/// `n` elements of arrays of 8192.
static std::string vectorSize(int n) {
  return "{" + normal("a", "8192", n) + normal("b", "8192", n + 1) +
         unwritten("c", "8192") + number("n", std::to_string(n)) + "}";
}

static std::string layersSize(int layers) {
  const std::string shape = std::to_string(layers) + ", 256";
  return "{" + normal("x", "256, 256", layers) +
         normal("w", shape, layers + 1) + normal("b", shape, layers + 2) +
         unwritten("out", "256, 256") +
         number("layers", std::to_string(layers)) + "}";
}

const std::vector<ExampleReference> &ktir::test::exampleReferences() {
  static const std::vector<ExampleReference> table = {
      {"vector-add", true, exact::vectorAdd},
      {"axpy", true, exact::axpy},
      {"residual", true, exact::residual},
      {"llama-add", true, exact::llamaAdd},
      {"llama-copy", true, exact::llamaCopy},
      {"llama-mul", true, exact::llamaMul},
      {"llama-neg", true, exact::llamaNeg},
      {"llama-sub", true, exact::llamaSub},
      {"runtime-vector-add",
       false,
       exact::runtimeVectorAdd,
       {vectorSize(64), vectorSize(31 * 64), vectorSize(33 * 64),
        vectorSize(8192)}},
      {"scratchpad-residual",
       false,
       exact::scratchpadResidual,
       {layersSize(1), layersSize(3)}},
      {"rotary", false, exact::rotary},
      {"embedding", false, exact::embedding},
      {"kv-cache-write", false, exact::kvCacheWrite},
      {"distributed-copy", false, exact::distributedCopy},
      {"broadcast", false, exact::broadcast},
      {"gather", false, exact::gather},
      {"scatter", false, exact::scatter},
      {"all-to-all", false, bounded::allToAll},
      {"reduce-scatter", false, bounded::reduceScatter},
      {"softmax",
       false,
       bounded::softmax,
       {softmaxSize(1), softmaxSize(31), softmaxSize(33)}},
      {"softmax-wide",
       false,
       bounded::softmax,
       {softmaxWideSize(1, 1), softmaxWideSize(33, 3)}},
      {"layer-norm", false, bounded::layerNorm},
      {"rms-norm-4-tiles", false, bounded::rmsNorm},
      {"matmul", false, bounded::matmul, {matmulSize(64), matmulSize(192)}},
      {"split-k-matmul", false, bounded::splitKMatmul},
      {"swiglu", false, bounded::swiglu},
      {"swiglu-4-tiles", false, bounded::swiglu},
      {"flash-attention",
       false,
       bounded::flashAttention,
       {attentionSize(32), attentionSize(160)}},
      {"paged-attention",
       false,
       bounded::pagedAttention,
       {pagesSize(1), pagesSize(16), pagesSize(37)}},
  };
  return table;
}
