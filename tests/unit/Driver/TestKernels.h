//===- TestKernels.h - Kernels of the class, by size ------------*- C++ -*-===//

#ifndef KTIR_UNITTESTS_DRIVER_TESTKERNELS_H
#define KTIR_UNITTESTS_DRIVER_TESTKERNELS_H

#include "ktir/Driver/Driver.h"

#include <functional>
#include <string>
#include <vector>

namespace ktir::test {

/// A kernel that treats every element alike, as text for any number of tiles
/// and rows.
struct KernelFamily {
  std::string name;
  /// Argument names. A name in both lists is updated in place.
  std::vector<std::string> inputs, outputs;
  /// Statements on the loaded tensors `%<input>_value` of type `T`, ending in
  /// one tensor `%<output>_result` per output.
  std::string body;
  /// The outputs of one element, by its inputs.
  std::function<std::vector<double>(const std::vector<double> &)> expected;
  /// Written as producers write: rank 3, offsets in i32, unused arguments.
  bool producerStyle = false;
};

/// All families of the class that is compiled.
const std::vector<KernelFamily> &kernelFamilies();

const KernelFamily &kernelFamily(const std::string &name);

/// Columns of every tensor that is not producer style.
constexpr int64_t columns = 128;

/// Text of a kernel on `tiles` tiles, `rows` rows each.
std::string kernelText(const KernelFamily &family, int64_t tiles, int64_t rows);

/// Shape of every argument of that kernel.
std::vector<int64_t> kernelShape(const KernelFamily &family, int64_t tiles,
                                 int64_t rows);

/// Arguments: input i holds small multiples of a power of two that differ from
/// element to element; pure outputs hold a pattern that no result has.
std::vector<ArgumentValue> kernelArguments(const KernelFamily &family,
                                           int64_t tiles, int64_t rows);

/// The bytes of every output after the run, by the family's formula, in the
/// order of `outputs`.
std::vector<Tensor>
expectedOutputs(const KernelFamily &family,
                const std::vector<ArgumentValue> &arguments);

/// The contents of a file below the source folder.
std::string readSource(const std::string &path);

/// Runs to the end.
LaunchStatus finish(Launch &run);

/// The output called `name`; an empty tensor when there is none.
Tensor outputOf(const Launch &run, const std::string &name);

} // namespace ktir::test

#endif // KTIR_UNITTESTS_DRIVER_TESTKERNELS_H
