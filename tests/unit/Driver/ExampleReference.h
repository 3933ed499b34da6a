//===- ExampleReference.h - What the examples compute -----------*- C++ -*-===//
//
// The formula of every example as plain loops in f64, with a bound of how far
// a result may be from it. Nothing of the library is used but the values that
// the arguments hold.
//
// f16 operations round once each, to the format of the mode; examples that
// consist of those alone are followed rounding by rounding and have the bound
// 0. Where f32 arithmetic and functions come in, the order of sums is free
// (UP-5, UP-6): then the formula is computed without rounding and every
// element has a bound from the number of roundings that lead to it. With u the
// unit roundoff of f16 in the mode, and v = 2^-24 that of f32,
//   a rounding of x                adds u |x|, or v |x|,
//   a sum of n terms x_i           adds n v (|x_1| + ... + |x_n|),
//   a function of the f32 library  adds 8 v |f(x)| for its own error,
//   and the change of f for that of its argument.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_UNITTESTS_DRIVER_EXAMPLEREFERENCE_H
#define KTIR_UNITTESTS_DRIVER_EXAMPLEREFERENCE_H

#include "ktir/Driver/Driver.h"

#include <map>
#include <string>
#include <vector>

namespace ktir::test {

/// f16 as a mode of arithmetic has it.
struct HalfFormat {
  /// The nearest number of the format.
  double (*round)(double);
  /// The largest relative error of that.
  double unit;
};

/// IEEE half in mode `ieee`; DL16 in mode `device`.
HalfFormat halfFormat(Numerics numerics);

/// The arguments of a run as numbers, f16 as the mode holds them.
struct ExampleInputs {
  std::map<std::string, std::vector<double>> tensors;
  std::map<std::string, double> scalars;

  const std::vector<double> &tensor(const std::string &name) const {
    return tensors.at(name);
  }
  int64_t size(const std::string &name) const {
    return int64_t(scalars.at(name));
  }
};

ExampleInputs exampleInputs(const std::vector<ArgumentValue> &arguments,
                            const HalfFormat &half);

/// What an output holds after the run.
struct ExpectedTensor {
  std::string name;
  std::vector<double> values;
  /// How far an element may be from its value; empty: not at all.
  std::vector<double> bounds;
};

struct ExampleReference {
  /// The name of the folder.
  std::string name;
  /// Lowered to DataflowIR; other examples may be, and then have to be right.
  bool reachesDataflow;
  std::vector<ExpectedTensor> (*formula)(const ExampleInputs &,
                                         const HalfFormat &);
  /// Arguments of further sizes beside those of run.json.
  std::vector<std::string> sizes = {};
};

/// The table of all examples.
const std::vector<ExampleReference> &exampleReferences();

/// The values of a tensor after the run, as numbers.
std::vector<double> tensorValues(const Tensor &tensor);

/// The formulas that follow f16 arithmetic rounding by rounding.
namespace exact {
using Formula = std::vector<ExpectedTensor>(const ExampleInputs &,
                                            const HalfFormat &);
Formula vectorAdd, axpy, residual, llamaAdd, llamaCopy, llamaMul, llamaNeg,
    llamaSub, runtimeVectorAdd, scratchpadResidual, rotary, embedding,
    kvCacheWrite, distributedCopy, broadcast, gather, scatter;
} // namespace exact

/// The formulas that f32 arithmetic leads to within a bound.
namespace bounded {
using exact::Formula;
Formula softmax, layerNorm, rmsNorm, matmul, splitKMatmul, swiglu,
    flashAttention, pagedAttention, allToAll, reduceScatter;
} // namespace bounded

} // namespace ktir::test

#endif // KTIR_UNITTESTS_DRIVER_EXAMPLEREFERENCE_H
