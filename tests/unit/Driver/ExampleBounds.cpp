//===- ExampleBounds.cpp - Formulas of examples, with bounds --------------===//
//
// See ExampleReference.h for how a bound comes about. Counts of roundings are
// rounded up where that makes them simpler.
//
//===----------------------------------------------------------------------===//

#include "ExampleReference.h"

#include <algorithm>
#include <cmath>

using namespace ktir;
using namespace ktir::test;

/// The unit roundoff of f32.
static const double single = std::ldexp(1.0, -24);

/// The error of a value on its way into f16 and out: half a unit of its last
/// place, and where that is smaller, of the smallest half.
static double stored(double value, const HalfFormat &half) {
  return half.unit * std::fabs(value) + std::ldexp(1.0, -25);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::vector<ExpectedTensor> bounded::softmax(const ExampleInputs &in,
                                             const HalfFormat &half) {
  const std::vector<double> &x = in.tensor("x");
  const size_t width = x.size() / size_t(in.size("rows"));
  ExpectedTensor out{"out", x, x};
  for (size_t row = 0; row < x.size(); row += width) {
    const auto begin = x.begin() + long(row), end = begin + long(width);
    const double max = *std::max_element(begin, end);
    const double range = max - *std::min_element(begin, end);
    double sum = 0;
    for (auto it = begin; it != end; ++it)
      sum += std::exp(*it - max);
    for (size_t i = row; i < row + width; ++i) {
      const double value = std::exp(x[i] - max) / sum;
      // x - max rounds by v * range, which moves its power as much; a power
      // stands above and in the sum below. Each of `width / 1024` times that
      // the sum is scaled costs a power and two roundings.
      const double scalings = double(width) / 1024;
      const double relative =
          (2 * (range + 8) + double(width) + scalings * (range + 10) + 1) *
          single;
      out.values[i] = value;
      out.bounds[i] = relative * value + stored(value, half);
    }
  }
  return {out};
}

std::vector<ExpectedTensor> bounded::layerNorm(const ExampleInputs &in,
                                               const HalfFormat &half) {
  const auto &x = in.tensor("x"), &gamma = in.tensor("gamma"),
             &beta = in.tensor("beta");
  const size_t width = 512;
  ExpectedTensor out{"out", x, x};
  for (size_t row = 0; row < x.size(); row += width) {
    double mean = 0, size = 0, variance = 0;
    for (size_t i = row; i < row + width; ++i) {
      mean += x[i] / width;
      size += std::fabs(x[i]) / width;
    }
    for (size_t i = row; i < row + width; ++i)
      variance += (x[i] - mean) * (x[i] - mean) / width;
    const double scale = 1 / std::sqrt(variance + in.scalars.at("eps"));
    for (size_t i = row; i < row + width; ++i) {
      const size_t column = i - row;
      const double centred = x[i] - mean;
      // The mean is off by n v times the mean size; so is every distance from
      // it. The mean square of those is off by n + 2 roundings and twice the
      // error of the mean, relative to a deviation; its root by half of that.
      const double meanError = (width + 1) * single * size;
      const double scaleError =
          (0.5 * (width + 4) + 8) * single + meanError * scale;
      const double normal = std::fabs(centred * scale * gamma[column]);
      const double value = centred * scale * gamma[column] + beta[column];
      out.values[i] = value;
      out.bounds[i] = std::fabs(scale * gamma[column]) * meanError +
                      normal * (scaleError + 3 * single) +
                      single * std::fabs(value) + stored(value, half);
    }
  }
  return {out};
}

std::vector<ExpectedTensor> bounded::rmsNorm(const ExampleInputs &in,
                                             const HalfFormat &half) {
  const auto &x = in.tensor("x"), &gamma = in.tensor("gamma");
  const size_t width = 4096;
  ExpectedTensor out{"out", x, x};
  for (size_t row = 0; row < x.size(); row += width) {
    double mean = 0;
    for (size_t i = row; i < row + width; ++i)
      mean += x[i] * x[i] / width;
    const double scale = 1 / std::sqrt(mean + in.scalars.at("eps"));
    for (size_t i = row; i < row + width; ++i) {
      const double value = x[i] * scale * gamma[i - row];
      // n + 3 roundings below the root count half; then the root itself and
      // two products.
      const double relative = (0.5 * (width + 3) + 8 + 2) * single;
      out.values[i] = value;
      out.bounds[i] = relative * std::fabs(value) + stored(value, half);
    }
  }
  return {out};
}

std::vector<ExpectedTensor> bounded::allToAll(const ExampleInputs &in,
                                              const HalfFormat &half) {
  const std::vector<double> &x = in.tensor("x");
  const size_t columns = 256, rows = 128;
  ExpectedTensor out{"out", x, x};
  for (size_t column = 0; column < columns; ++column) {
    double mean = 0, size = 0;
    for (size_t i = column; i < x.size(); i += columns) {
      mean += x[i] / rows;
      size += std::fabs(x[i]) / rows;
    }
    for (size_t i = column; i < x.size(); i += columns) {
      const double value = x[i] - mean;
      // The sum of `rows` terms, a division and a difference.
      out.values[i] = value;
      out.bounds[i] = (rows + 1) * single * size + single * std::fabs(value) +
                      stored(value, half);
    }
  }
  return {out};
}

std::vector<ExpectedTensor> bounded::reduceScatter(const ExampleInputs &in,
                                                   const HalfFormat &half) {
  const std::vector<double> &x = in.tensor("x");
  const size_t matrix = 16 * 128;
  ExpectedTensor out{"out", std::vector<double>(8 * matrix),
                     std::vector<double>(8 * matrix)};
  for (size_t i = 0; i < out.values.size(); ++i) {
    double sum = 0, size = 0;
    for (size_t member = 0; member < 4; ++member) {
      const double term = x[(i / matrix * 4 + member) * matrix + i % matrix];
      sum += term;
      size += std::fabs(term);
    }
    out.values[i] = sum;
    out.bounds[i] = 4 * single * size + stored(sum, half);
  }
  return {out};
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

namespace {
/// Values of a matrix and how far computed ones may be from them.
struct Product {
  std::vector<double> values, bounds;
};
} // namespace

/// `a` of m x k times `b` of k x n, summed in f32: k roundings of the sum and
/// one of each product, in any order. `aBounds` are errors that `a` comes with.
static Product multiply(const std::vector<double> &a,
                        const std::vector<double> &aBounds,
                        const std::vector<double> &b, size_t m, size_t k,
                        size_t n) {
  Product c{std::vector<double>(m * n), std::vector<double>(m * n)};
  for (size_t i = 0; i < m; ++i)
    for (size_t l = 0; l < k; ++l) {
      const double left = a[i * k + l];
      const double error = (aBounds.empty() ? 0 : aBounds[i * k + l]) +
                           double(k + 1) * single * std::fabs(left);
      for (size_t j = 0; j < n; ++j) {
        c.values[i * n + j] += left * b[l * n + j];
        c.bounds[i * n + j] += error * std::fabs(b[l * n + j]);
      }
    }
  return c;
}

/// The product as it is stored.
static std::vector<ExpectedTensor> storedProduct(const std::string &name,
                                                 Product product,
                                                 const HalfFormat &half) {
  for (size_t i = 0; i < product.values.size(); ++i)
    product.bounds[i] += stored(product.values[i], half);
  return {{name, product.values, product.bounds}};
}

std::vector<ExpectedTensor> bounded::matmul(const ExampleInputs &in,
                                            const HalfFormat &half) {
  return storedProduct("c",
                       multiply(in.tensor("a"), {}, in.tensor("b"), 256,
                                size_t(in.size("k")), 256),
                       half);
}

std::vector<ExpectedTensor> bounded::splitKMatmul(const ExampleInputs &in,
                                                  const HalfFormat &half) {
  return storedProduct(
      "c", multiply(in.tensor("a"), {}, in.tensor("b"), 64, 1024, 128), half);
}

std::vector<ExpectedTensor> bounded::swiglu(const ExampleInputs &in,
                                            const HalfFormat &half) {
  const size_t tokens = 32, outer = 128, inner = 256;
  const Product gate =
      multiply(in.tensor("x"), {}, in.tensor("gate"), tokens, outer, inner);
  const Product up =
      multiply(in.tensor("x"), {}, in.tensor("up"), tokens, outer, inner);
  Product middle{gate.values, gate.bounds};
  for (size_t i = 0; i < middle.values.size(); ++i) {
    const double g = gate.values[i], u = up.values[i];
    const double silu = g / (1 + std::exp(-g));
    // The slope of silu is below 1.1. A sigmoid and two products round in f32,
    // the result in f16.
    const double siluError =
        1.1 * gate.bounds[i] + 9 * single * std::fabs(silu);
    middle.values[i] = silu * u;
    middle.bounds[i] = siluError * std::fabs(u) +
                       (std::fabs(silu) + siluError) * up.bounds[i] +
                       single * std::fabs(silu * u) + stored(silu * u, half);
  }
  return storedProduct("out",
                       multiply(middle.values, middle.bounds, in.tensor("down"),
                                tokens, inner, outer),
                       half);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// One query of 64 elements against `keys`; weights go into the last product
/// as f16. Writes 64 values and bounds.
static void attend(const double *query, const std::vector<const double *> &keys,
                   const std::vector<const double *> &values, double scale,
                   size_t blocks, const HalfFormat &half, double *out,
                   double *bounds) {
  const size_t width = 64, count = keys.size();
  std::vector<double> scores(count);
  double scoreError = 0, max = -INFINITY, min = INFINITY;
  for (size_t j = 0; j < count; ++j) {
    double size = 0;
    for (size_t e = 0; e < width; ++e) {
      scores[j] += scale * query[e] * keys[j][e];
      size += std::fabs(scale * query[e] * keys[j][e]);
    }
    // The sum, its scaling, and `scale` itself as f32.
    scoreError = std::max(scoreError, (width + 3) * single * size);
    max = std::max(max, scores[j]);
    min = std::min(min, scores[j]);
  }
  double sum = 0;
  for (double &score : scores)
    sum += std::exp(score - max);
  // The error of a power, relative to it: that of its argument and its own.
  // Powers stand above and below, as factors once a block, and the sums have
  // `count` terms.
  const double power = 2 * scoreError + (max - min + 8) * single;
  const double relative = 2 * power + double(blocks) * (power + 2 * single) +
                          2 * double(count + 2) * single;
  for (size_t e = 0; e < width; ++e) {
    double value = 0, bound = 0;
    for (size_t j = 0; j < count; ++j) {
      const double weight = std::exp(scores[j] - max) / sum;
      value += weight * values[j][e];
      // A weight is stored as f16 while the largest so far stands for 1.
      bound += std::fabs(values[j][e]) *
               (weight * (half.unit + relative) + std::ldexp(1.0, -25) / sum);
    }
    out[e] = value;
    bounds[e] = bound + stored(value, half);
  }
}

std::vector<ExpectedTensor> bounded::flashAttention(const ExampleInputs &in,
                                                    const HalfFormat &half) {
  const auto &q = in.tensor("q"), &k = in.tensor("k"), &v = in.tensor("v");
  const size_t count = size_t(in.size("keys"));
  ExpectedTensor out{"out", q, q};
  for (size_t row = 0; row < 8 * 128; ++row) {
    std::vector<const double *> keys, values;
    for (size_t j = 0; j < count; ++j) {
      keys.push_back(&k[(row / 128 * count + j) * 64]);
      values.push_back(&v[(row / 128 * count + j) * 64]);
    }
    attend(&q[row * 64], keys, values, in.scalars.at("scale"), count / 32, half,
           &out.values[row * 64], &out.bounds[row * 64]);
  }
  return {out};
}

std::vector<ExpectedTensor> bounded::pagedAttention(const ExampleInputs &in,
                                                    const HalfFormat &half) {
  const auto &q = in.tensor("q"), &k = in.tensor("k_cache"),
             &v = in.tensor("v_cache"), &table = in.tensor("table"),
             &lengths = in.tensor("lengths");
  ExpectedTensor out{"out", q, q};
  for (size_t sequence = 0; sequence < 8; ++sequence)
    for (size_t head = 0; head < 4; ++head) {
      const size_t count = size_t(lengths[sequence]);
      std::vector<const double *> keys, values;
      for (size_t j = 0; j < count; ++j) {
        const size_t page = size_t(table[sequence * 4 + j / 16]);
        const size_t at = ((page * 16 + j % 16) * 4 + head) * 64;
        keys.push_back(&k[at]);
        values.push_back(&v[at]);
      }
      const size_t row = sequence * 4 + head;
      attend(&q[row * 64], keys, values, in.scalars.at("scale"),
             (count + 15) / 16, half, &out.values[row * 64],
             &out.bounds[row * 64]);
    }
  return {out};
}
