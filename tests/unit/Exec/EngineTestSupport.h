//===- EngineTestSupport.h - Decode and run text in tests -------*- C++ -*-===//

#ifndef KTIR_UNITTEST_EXEC_ENGINETESTSUPPORT_H
#define KTIR_UNITTEST_EXEC_ENGINETESTSUPPORT_H

#include "ktir/Device/Device.h"
#include "ktir/Exec/Engine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <vector>

namespace ktir::exec::test {

/// The context that all tests of the process share.
mlir::MLIRContext &context();

/// Text of a file of the repository.
std::string readInput(const std::string &path);

/// IEEE half of a value that it represents exactly.
uint16_t half(float value);
float fromHalf(uint16_t bits);

/// A program with its memory, and what one run of it found.
class Fixture {
public:
  /// Parses and decodes; `device` is the text of a device, empty the default.
  Fixture(const std::string &text, Level level, const std::string &kernel = "",
          const std::string &device = "",
          NumericsMode numerics = NumericsMode::Ieee);

  /// Whether decoding succeeded; otherwise `errors` has the diagnostics.
  explicit operator bool() const { return program != nullptr; }

  /// Decodes again, with `probes` of values of `module`.
  void decodeWith(llvm::ArrayRef<Probe> probes);

  /// Writes f16 elements at element address `at` of device memory.
  void fill(int64_t at, const std::vector<float> &values);
  /// Reads f16 elements back.
  std::vector<float> read(int64_t at, size_t count) const;

  /// Runs to the end with scalars `arguments`; `budget` instructions a time.
  RunStatus run(const std::vector<int64_t> &arguments,
                const RunOptions &options = {}, uint64_t budget = ~uint64_t(0));

  /// The findings of `rule`; all with "*".
  std::vector<Finding> found(const std::string &rule) const;
  /// All messages, one a line, for a failure's text.
  std::string messages() const;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  DecodeOptions decoding;
  std::string kernel;
  std::optional<Device> device;
  std::shared_ptr<const Program> program;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Run> last;
  std::string errors;
};

/// Line of a finding's location.
unsigned lineOf(mlir::Location location);

/// `count` values `f(i)`.
template <typename F> std::vector<float> make(size_t count, F f) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = f(i);
  return values;
}

} // namespace ktir::exec::test

#endif // KTIR_UNITTEST_EXEC_ENGINETESTSUPPORT_H
