//===- Driver.h - The one API of the compiler and the engine ----*- C++ -*-===//
//
// Everything that tools, the wasm bindings and tests call. Plain C++17 types
// only: no MLIR type appears here, nothing throws, failure is a value with
// diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DRIVER_DRIVER_H
#define KTIR_DRIVER_DRIVER_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ktir {

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

enum class Severity : uint8_t { Error, Warning, Note };

/// Half-open text range. Lines and columns count from 1, columns in bytes;
/// line 0 means "no position". `end` is one past the last byte.
struct SourceRange {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
};

struct Note {
  SourceRange range;
  std::string message;
};

/// A replacement of the bytes of a range.
struct TextEdit {
  SourceRange range;
  std::string text;
};

/// One finding of the parser, a verifier, a pass or a run. `rule` is the id of
/// the rule it states (`MV-1`, `E-7`; `LF-` and `KL-` ids are our own, see
/// docs/lenient.md and docs/rules.md), empty where there is none. `edits` do
/// away with what was found, where it is known how; findings that build on each
/// other have the same ones, so who applies those of several applies each once.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::string rule;
  std::vector<Note> notes;
  std::vector<TextEdit> edits;
};

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Reads a file; absent when it cannot be read.
using FileReader =
    std::function<std::optional<std::vector<uint8_t>>(const std::string &)>;

/// The languages a program can be printed in (design §3), in lowering order.
enum class Level : uint8_t { Ktir, Schedule, Units, Dataflow, Container };

/// "ktir", "schedule", "units", "dataflow", "container".
const char *toString(Level level);
std::optional<Level> levelFromString(const std::string &name);

struct CompileOptions {
  /// Shown in diagnostics.
  std::string fileName = "kernel.mlir";
  /// How far to lower. Text that is already at or below this level is left as
  /// it is; at `Ktir` no pass runs.
  Level to = Level::Dataflow;
  /// Name of the last pass to run (`ktir-legality-check`); empty: as many as
  /// `to` needs. The compilation then succeeds when that pass did.
  std::string stopAfter;
  /// Name of the only kernel to lower, without the others of the text that it
  /// does not need; empty, or of none: all are lowered.
  std::string kernel;
  /// Text of a module holding one `ktdf_arch.device`; empty: the default
  /// device (`devices/spyre.mlir`).
  std::string device;
  /// What the compiled text calls `device` where it imports it.
  std::string deviceName = "device.mlir";
  /// Reads the files that the text imports devices from, by paths relative to
  /// the folder of `fileName`; absent: only the default device can be imported.
  FileReader readFile;
  /// Refuse legacy and lenient forms instead of warning about them.
  bool strict = false;
};

/// What one argument of a kernel is, as far as the program tells.
struct ArgumentInfo {
  enum class Role : uint8_t {
    Tensor, ///< an `index` used as the base of a memory view; in DataflowIR
            ///< any address, then without `dtype` and `shape`
    Scalar, ///< any other value that the kernel reads
    Unused, ///< never read
  };
  enum class Access : uint8_t { None, Read, Write, ReadWrite };

  std::string name; ///< without the `%`
  /// As printed: `index`, `i32`, `f16`; of a runtime argument, of its value.
  std::string type;
  /// A runtime argument: its value is a multiple of `granularity` and at most
  /// `upperbound`, where these are stated (ktir.md §3.2).
  bool isRuntimeArgument = false;
  std::optional<int64_t> granularity, upperbound;
  Role role = Role::Unused;
  std::string dtype;            ///< tensors: element type of its view, `f16`
  std::vector<int64_t> shape;   ///< tensors: extents of its view, -1 dynamic
  std::vector<int64_t> strides; ///< tensors: in elements, -1 dynamic
  /// tensors: number of elements from the base that the view spans, 0 when a
  /// size, a stride or the distance from the base is dynamic.
  int64_t span = 0;
  /// tensors: the view is row-major and the only shape this argument is viewed
  /// with, so a bound tensor must have exactly `shape`. Otherwise a bound
  /// tensor is the memory itself and must hold at least `span` elements.
  bool exactShape = false;
  Access access = Access::None;
};

struct KernelInfo {
  std::string name;
  std::vector<int64_t> grid; ///< `[1]` when the kernel states none (MF-3)
  std::vector<ArgumentInfo> arguments;
  SourceRange range;
};

/// The program after one pass.
struct StageInfo {
  std::string name; ///< the pass's command-line name; "input" for the first
  Level level = Level::Ktir;
  bool changed = true;
  double milliseconds = 0;
  /// True when the pass changed the order in which a sum is formed.
  bool reassociates = false;
  /// Operation name and how often it occurs, most frequent first.
  std::vector<std::pair<std::string, unsigned>> opCounts;
};

class Executable;
struct ExecutableOptions;

/// The outcome of compiling one text. Move-only; keeps every stage.
class Compilation {
public:
  Compilation();
  ~Compilation();
  Compilation(Compilation &&) noexcept;
  Compilation &operator=(Compilation &&) noexcept;

  /// No error among the diagnostics and the requested level reached.
  bool succeeded() const;
  const std::vector<Diagnostic> &diagnostics() const;
  const std::vector<KernelInfo> &kernels() const;
  /// The stages that exist; when a pass failed, those before it.
  const std::vector<StageInfo> &stages() const;
  /// Prints stage `index` (on demand; empty when out of range).
  std::string stageText(size_t index) const;
  /// The level of the last stage.
  Level level() const;
  /// The level of the text that was compiled.
  Level inputLevel() const;

  struct Impl;
  Impl &impl() { return *state; }
  const Impl &impl() const { return *state; }

private:
  friend Compilation compile(const std::string &, const CompileOptions &);
  std::unique_ptr<Impl> state;
};

/// Parses, verifies, checks legality and lowers `source`.
Compilation compile(const std::string &source, const CompileOptions &options);

//===----------------------------------------------------------------------===//
// Formatting
//===----------------------------------------------------------------------===//

struct FormatResult {
  /// The text in canonical strict form; absent when it has an error.
  std::optional<std::string> text;
  /// Errors only: older forms are rewritten without a word.
  std::vector<Diagnostic> diagnostics;
};

/// Prints `source` in canonical strict form: as MLIR prints the program, with
/// the names of values and aliases, the comments and the blank lines between
/// operations of the text. Locations, `loc(...)`, are not kept. Formatting the
/// result again changes nothing.
FormatResult format(const std::string &source, const std::string &fileName);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

enum class Numerics : uint8_t { Ieee, Device };
/// What an access outside a view does: reads zero and is not written, with a
/// warning (`Pad`), or is an error (`Trap`).
enum class OutOfView : uint8_t { Pad, Trap };

struct ExecutableOptions {
  Numerics numerics = Numerics::Ieee;
};

/// A kernel decoded for one stage; launch it as often as wanted. Shares
/// nothing mutable with the compilation it came from and may outlive it.
class Executable {
public:
  Executable();
  ~Executable();
  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;

  /// False when preparing failed; `diagnostics` then says why.
  bool valid() const;
  const std::vector<Diagnostic> &diagnostics() const;
  const KernelInfo &kernel() const;
  Level level() const;

  struct Impl;
  Impl &impl() { return *state; }
  const Impl &impl() const { return *state; }
  std::shared_ptr<Impl> state;
};

/// Decodes `kernel` (empty: the only one) as it stands after the last stage
/// of `level`.
Executable prepare(const Compilation &compilation, const std::string &kernel,
                   Level level, const ExecutableOptions &options = {});
/// Decodes `kernel` as it stands after stage `stage`, for stages of level
/// ktir and dataflow.
Executable prepareStage(const Compilation &compilation,
                        const std::string &kernel, size_t stage,
                        const ExecutableOptions &options = {});

/// Dense row-major tensor in host form: little-endian elements, `i1` one byte,
/// `index` eight, `bf16` and `f16` as bit patterns.
struct Tensor {
  std::string dtype;
  std::vector<int64_t> shape;
  /// The elements, unless `source` has them.
  std::vector<uint8_t> data;
  /// Of a tensor for a launch whose elements the host keeps elsewhere: puts
  /// `count` of their bytes from `offset` on `into` the memory of the launch.
  std::function<void(uint64_t offset, uint64_t count, uint8_t *into)> source =
      nullptr;
  /// A launch may ask `source` while it runs, piece by piece, and not only at
  /// its start.
  bool isReadLater = false;

  int64_t elements() const;
  /// Bytes of `data`, or of what `source` gives: all elements.
  uint64_t bytes() const;
};

/// Bytes of one element of `dtype` in host form; 0 for an unknown name.
/// Known: i1 i8 si8 i16 si16 i32 si32 i64 si64 index f16 bf16 f32 f64.
unsigned dtypeBytes(const std::string &dtype);

/// Where a tensor that is bound to no argument, or to one at a chosen place,
/// is put.
struct Placement {
  /// Element address; absent: the driver chooses, 128-byte aligned.
  std::optional<int64_t> at;
  /// -1: device memory; otherwise the scratchpad of this tile.
  int tile = -1;
};

/// The value of one argument, or (`bound == false`) a tensor placed in memory
/// that no argument names.
struct ArgumentValue {
  std::string name;
  bool bound = true;
  std::variant<int64_t, double, Tensor> value = int64_t(0);
  Placement placement;
  /// Of a tensor from a `.npy` file, the name of that file; else empty.
  std::string file;
};

/// Asks for the value of an SSA name of the text.
struct Capture {
  /// `%x`, the sign optional; `%p#1` for one of several results. Empty: the
  /// name at `line` and `column`, wherever it stands.
  std::string name;
  unsigned line = 0, column = 0;
  /// The number of a tile, empty tile 0; at level dataflow the name of a unit,
  /// empty the host's side.
  std::string instance;
  /// Which of the times that the value is defined, from 1; absent: the last.
  std::optional<uint64_t> execution;
};

struct LaunchOptions {
  bool checks = true;
  OutOfView outOfView = OutOfView::Pad;
  /// Absent: round robin in spawn order (E-4); otherwise the seed of a random
  /// fair interleaving of tiles or units.
  std::optional<uint64_t> interleaving;
  /// Overrides the depth of every channel (level dataflow).
  std::optional<unsigned> channelDepth;
  /// Record trace events for the Chrome trace format.
  bool trace = false;
  /// Steps after which the run is stopped with an error, so that no endless
  /// loop lasts: each instruction is one, and each 64 elements of it one more;
  /// 0: never. The default is some minutes of work.
  uint64_t limit = uint64_t(10'000'000'000);
  /// Values to keep. They change nothing of what the run does and reports. One
  /// that does not exist rejects the launch.
  std::vector<Capture> captures;
};

enum class LaunchStatus : uint8_t { Running, Finished, Failed };

/// Work done so far, in instructions; `total` is 0 when unknown.
struct Progress {
  uint64_t done = 0;
  uint64_t total = 0;
};

/// A tensor after the run.
struct Output {
  std::string name;
  Tensor tensor;
};

/// What a value was on one instance.
struct CapturedValue {
  std::string name;     ///< `%x`, `%p#1`
  SourceRange range;    ///< of its definition
  std::string instance; ///< "tile 3", "C0-mnilu", "host"
  std::string type;
  /// How often it was defined there so far.
  uint64_t executions = 0;
  /// Its numbers; of a scalar one, with an empty shape.
  std::optional<Tensor> tensor;
  /// Without numbers: a view or an access tile in words, or why there is
  /// nothing.
  std::string text;
};

/// What one step did: `done` and the op, or `ended` and nothing done, or
/// neither while the instance still waits for others.
struct LaunchStep {
  bool done = false;
  bool ended = false; ///< the instance has nothing left to do
  SourceRange range;
  std::string op; ///< "linalg.add"
  LaunchStatus status = LaunchStatus::Failed;
};

/// Totals of one instance (a compute tile, or a unit at level dataflow).
struct InstanceReport {
  std::string name; ///< "tile 3", "C0-mnilu"
  uint64_t instructions = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< device memory
  uint64_t scratchpadRead = 0, scratchpadWritten = 0;
  uint64_t elements = 0; ///< results of arithmetic
  uint64_t messages = 0; ///< sends
  /// Most bytes in its scratchpad at once (level ktir).
  uint64_t scratchpadPeak = 0;
};

/// Something that takes room in a scratchpad: a live tensor, or a view on it.
struct ScratchpadUse {
  SourceRange range;
  std::string op; ///< that made it
  uint64_t bytes = 0;
};

/// Estimated cycles of one tile.
struct TileCost {
  std::string name; ///< "tile 3"
  double compute = 0, memory = 0, communication = 0;
};

/// Cycles of all parts together: one after the other, compute beside the rest,
/// and all three beside each other.
struct CombinedCycles {
  double serial = 0, overlapped = 0, overlapped3 = 0;
};

/// Where a program stands below what the machine allows; rates are operations
/// per cycle.
struct Roofline {
  std::string unit;      ///< "vector" or "matrix": the one with most cycles
  double operations = 0; ///< of that unit
  double bytes = 0;      ///< of device memory
  double intensity = 0;  ///< operations per byte, 0 without device memory
  double peak = 0, memoryBound = 0, achieved = 0;
  double attainment = 0; ///< achieved / min(peak, memoryBound)
};

/// The analytic cost model with the constants of one profile
/// (docs/cost-model.md).
struct CostEstimate {
  std::string profile; ///< "interpreter" or "measured"
  double clockGhz = 1;
  std::vector<TileCost> tiles;
  /// Of the slowest tile for each way to combine the parts.
  CombinedCycles cycles;
  /// "compute", "memory" or "communication": the largest part of the slowest
  /// tile (serial), whose index in `tiles` is `slowest`.
  std::string bottleneck;
  size_t slowest = 0;
  Roofline chip, core; ///< core: of the slowest tile
};

struct Report {
  std::vector<InstanceReport> instances;
  uint64_t instructions = 0;
  uint64_t bytesRead = 0, bytesWritten = 0;
  uint64_t elements = 0;
  /// Highest number of scratchpad bytes in use on any core.
  uint64_t scratchpadPeak = 0;
  /// Level ktir: what was there at that moment, views before tensors, on the
  /// tile with that peak.
  std::vector<ScratchpadUse> scratchpadAtPeak;
  std::string scratchpadPeakOn;
  /// Level ktir: one per profile.
  std::vector<CostEstimate> costs;
};

/// The report of what `Launch::reportSource` gave, now or in another process.
Report makeReport(const std::vector<uint8_t> &source);

/// `report` as one JSON object with the names of its fields.
std::string reportJson(const Report &report);

/// One run of an executable. Nothing blocks: call `advance` until it no longer
/// returns Running; dropping the object cancels.
class Launch {
public:
  Launch();
  ~Launch();
  Launch(Launch &&) noexcept;
  Launch &operator=(Launch &&) noexcept;

  LaunchStatus status() const;
  /// Whether the launch still asks sources of its tensors.
  bool isReading() const;
  /// True when the arguments did not fit, so that nothing ran: the call is at
  /// fault, not the kernel.
  bool rejected() const;
  /// Runs about `budget` instructions.
  LaunchStatus advance(uint64_t budget);
  /// Runs for about `milliseconds`: until the first instruction, or turn of a
  /// long one, that ends after them.
  LaunchStatus advanceFor(double milliseconds);
  /// Executes one more op on instance `instance` of the report; of an op that
  /// holds others one part, such as the head of a loop. While the instance
  /// waits for others they run, for about `budget` instructions. When every
  /// instance has ended, `advance` ends the run.
  LaunchStep step(size_t instance, uint64_t budget);
  /// The same, waiting for about `milliseconds`.
  LaunchStep stepFor(size_t instance, double milliseconds);
  Progress progress() const;
  /// Checks found, in order, each with source range, tile or unit.
  const std::vector<Diagnostic> &findings() const;
  /// Tensors bound to arguments, in argument order, then those bound to none,
  /// in the order given; read back from memory, valid when finished.
  std::vector<Output> outputs() const;
  /// The same into `into`, using again the storage of tensors that are there
  /// from an earlier launch.
  void readOutputs(std::vector<Output> &into) const;
  /// The same in pieces, for whom all of them at once are too large: how many
  /// there are, one without its elements, how many bytes these take, and
  /// `count` of them from `offset` on, both multiples of 8 or up to the end.
  size_t outputCount() const;
  Output outputHeader(size_t index) const;
  uint64_t outputBytes(size_t index) const;
  void readOutput(size_t index, uint64_t offset, uint64_t count,
                  uint8_t *into) const;
  Report report() const;
  /// What the report is made of, as bytes: taken in a fraction of the time.
  std::vector<uint8_t> reportSource() const;
  /// What was captured so far, in the order of the options; valid whatever the
  /// status is.
  std::vector<CapturedValue> captured() const;
  /// Chrome trace format, `[]` when not traced.
  std::string traceJson() const;

  struct Impl;
  std::unique_ptr<Impl> state;

private:
  friend Launch launch(const Executable &, std::vector<ArgumentValue> &&,
                       const LaunchOptions &);
  friend Launch launch(const Executable &, const std::vector<ArgumentValue> &,
                       const LaunchOptions &);
  static Launch start(const Executable &executable,
                      const std::vector<ArgumentValue> &arguments,
                      std::vector<ArgumentValue> *consumed,
                      const LaunchOptions &options);
};

/// Binds `arguments` by name and starts a run. Arguments that do not fit the
/// signature give a failed launch whose findings say which, what was expected
/// and what was given. An argument that the kernel never reads may be left
/// out; it is then zero.
Launch launch(const Executable &executable,
              const std::vector<ArgumentValue> &arguments,
              const LaunchOptions &options = {});
/// The same; the elements of each argument are freed once they are in memory.
Launch launch(const Executable &executable,
              std::vector<ArgumentValue> &&arguments,
              const LaunchOptions &options = {});

//===----------------------------------------------------------------------===//
// Translation validation
//===----------------------------------------------------------------------===//

struct StageValidation {
  size_t stage = 0;
  bool executed = false; ///< false: no engine for that level
  bool matches = false;  ///< same bytes in every tensor argument
  std::string message;   ///< first difference, or why it did not run
};

/// Runs every executable stage of a kernel on the same arguments and compares
/// each with the first. Nothing blocks: call `advanceFor` until it returns
/// false.
class Validation {
public:
  /// `compilation` must outlive the validation; `kernel` may be empty where
  /// there is only one.
  Validation(const Compilation &compilation, std::string kernel,
             std::vector<ArgumentValue> arguments, LaunchOptions options = {},
             ExecutableOptions preparing = {});
  ~Validation();
  Validation(Validation &&) noexcept;

  /// Works for about `milliseconds`; false when there is nothing more to do.
  bool advanceFor(double milliseconds);
  /// Of the stages that are done so far, in their order.
  const std::vector<StageValidation> &results() const;
  /// Of the stage that is running.
  Progress progress() const;

private:
  struct Impl;
  std::unique_ptr<Impl> state;
};

//===----------------------------------------------------------------------===//
// Input files (design §9)
//===----------------------------------------------------------------------===//

/// Where the elements that ARGS.json describes by `fill` or `random` are: in
/// `data`, or given by `source`, which takes no memory.
enum class Contents : uint8_t { Stored, Generated };

/// Parses the ARGS.json format: numbers, `npy`, `fill`, `random`, `data`, `at`,
/// `space`, `tile`. Paths go to `reader` as written. Errors name the argument,
/// what was expected and what was found. The result is in file order and holds
/// the arguments that are right even when others are not.
std::vector<ArgumentValue> parseArguments(const std::string &json,
                                          const std::string &fileName,
                                          const FileReader &reader,
                                          std::vector<Diagnostic> &diagnostics,
                                          Contents contents = Contents::Stored);

/// NumPy `.npy` version 1.0, C order, little endian. bf16 is written as
/// `<u2`.
std::vector<uint8_t> writeNpy(const Tensor &tensor);
/// Absent on error, with `error` saying what is wrong.
std::optional<Tensor> readNpy(const std::vector<uint8_t> &bytes,
                              std::string &error);

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

/// The outside world of the command line: a real file system natively, Node's
/// through the bindings.
struct CommandLineHost {
  FileReader readFile;
  /// Creates missing folders; false on failure.
  std::function<bool(const std::string &path, const std::string &bytes)>
      writeFile;
  /// Adds to the end of a file that `writeFile` made; false on failure.
  std::function<bool(const std::string &path, const std::string &bytes)>
      appendFile;
  /// Creates a folder and those around it; false when files cannot be written
  /// into it.
  std::function<bool(const std::string &path)> makeFolder;
  std::function<void(const std::string &)> out;
  std::function<void(const std::string &)> err;
};

/// Runs `ktir ARGS...` (without the program name). Exit codes: 0 success, 1 the
/// kernel is at fault, 2 the call is at fault, 3 internal error.
int runCommandLine(const std::vector<std::string> &arguments,
                   CommandLineHost &host);

/// Version of the package and of the tools.
const char *version();

} // namespace ktir

#endif // KTIR_DRIVER_DRIVER_H
