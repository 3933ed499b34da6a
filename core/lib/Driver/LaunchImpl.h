//===- LaunchImpl.h - What executables and launches keep --------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_LAUNCHIMPL_H
#define KTIR_LIB_DRIVER_LAUNCHIMPL_H

#include "Captures.h"
#include "TextScan.h"

#include "ktir/Device/Device.h"
#include "ktir/Driver/Driver.h"
#include "ktir/Exec/Engine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ktir {

struct Executable::Impl {
  SourceText source;
  KernelInfo kernel;
  Level level = Level::Ktir;
  Numerics numerics = Numerics::Ieee;
  std::vector<Diagnostic> diagnostics;
  std::shared_ptr<const exec::Program> program;
  /// What `program` was decoded from, for launches that capture values.
  std::shared_ptr<mlir::OwningOpRef<mlir::ModuleOp>> module;
  std::optional<Device> device;

  exec::DecodeOptions decoding() const {
    exec::DecodeOptions options;
    options.level = exec::Level(unsigned(level));
    options.numerics = numerics == Numerics::Device ? exec::NumericsMode::Device
                                                    : exec::NumericsMode::Ieee;
    return options;
  }
};

/// A tensor that the launch put in memory.
struct HeldTensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  uint64_t bytes;
  int tile; ///< -1: device memory; otherwise the scratchpad of this tile
  uint64_t address;
};

using ElementSource = decltype(Tensor::source);

struct Launch::Impl {
  std::shared_ptr<Executable::Impl> executable;
  std::vector<HeldTensor> tensors;
  /// Elements that are put into memory piece by piece before the first
  /// instruction, so that nothing waits long for them; the last is the next.
  struct Unread {
    size_t tensor; ///< in `tensors`
    ElementSource source;
    uint64_t done; ///< bytes
  };
  std::vector<Unread> unread;
  std::vector<Diagnostic> findings;
  LaunchStatus status = LaunchStatus::Failed;
  bool rejected = false;
  bool traced = false;
  /// How many of the run's findings are in `findings` already.
  size_t converted = 0;
  std::vector<ResolvedCapture> captures;
  std::unique_ptr<exec::Memory> memory;
  std::unique_ptr<exec::Run> run;

  /// The program with probes for the captures that `asked` names; null after an
  /// error.
  std::shared_ptr<const exec::Program>
  decodeWithProbes(const std::vector<Capture> &asked);
  /// Puts `count` bytes of a tensor from `offset` on into memory. Without
  /// memory for them the launch fails, and this returns false.
  bool write(const HeldTensor &held, uint64_t offset, uint64_t count,
             const ElementSource &source);
  /// Puts one piece of what is not there yet into memory.
  void readPiece();
  void takeStatus();
  void convertFindings();
  /// Reads a tensor back from memory, into the storage that `into` has.
  void read(const HeldTensor &held, Output &into) const;
  /// Reads `count` of its bytes from `offset` on.
  void read(const HeldTensor &held, uint64_t offset, uint64_t count,
            uint8_t *into) const;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_LAUNCHIMPL_H
