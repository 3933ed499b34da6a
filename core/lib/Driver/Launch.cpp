//===- Launch.cpp - Preparing and running kernels -------------------------===//

#include "Binding.h"
#include "CompilationImpl.h"
#include "Context.h"
#include "Deadline.h"
#include "Diagnostics.h"
#include "LaunchImpl.h"

#include "ktir/Device/Device.h"
#include "ktir/Exec/Engine.h"
#include "ktir/Exec/Numerics/Float16.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cstring>

namespace ktir {

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

Executable::Executable() : state(std::make_shared<Impl>()) {}
Executable::~Executable() = default;
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;

bool Executable::valid() const { return state->program != nullptr; }
const std::vector<Diagnostic> &Executable::diagnostics() const {
  return state->diagnostics;
}
const KernelInfo &Executable::kernel() const { return state->kernel; }
Level Executable::level() const { return state->level; }

static bool hasEngine(Level level) {
  return level == Level::Ktir || level == Level::Dataflow;
}

const KernelInfo *selectKernel(const Compilation &compilation,
                               const std::string &name, std::string &why) {
  const std::vector<KernelInfo> &kernels = compilation.kernels();
  std::vector<std::string> names;
  for (const KernelInfo &kernel : kernels) {
    if (name == kernel.name || (name.empty() && kernels.size() == 1))
      return &kernel;
    names.push_back(kernel.name);
  }
  if (names.empty()) {
    why = "the text holds no kernel";
    return nullptr;
  }
  why = name.empty() ? "the text holds several kernels, name one:"
                     : "there is no kernel '" + name + "'";
  if (!name.empty()) {
    if (std::optional<std::string> near = nearestName(name, names)) {
      why += "; did you mean '" + *near + "'?";
      return nullptr;
    }
    why += "; there is";
  }
  for (size_t i = 0; i < names.size(); ++i)
    why += (i ? ", '" : " '") + names[i] + "'";
  return nullptr;
}

Executable prepareStage(const Compilation &compilation,
                        const std::string &kernel, size_t stage,
                        const ExecutableOptions &options) {
  Executable executable;
  Executable::Impl &prepared = executable.impl();
  const Compilation::Impl &from = compilation.impl();
  prepared.source = from.source;
  auto fail = [&](std::string message) {
    prepared.diagnostics.push_back(plainError(std::move(message)));
  };
  if (stage >= from.stages.size()) {
    fail("there is no stage " + std::to_string(stage) +
         ", the compilation has " + std::to_string(from.stages.size()));
    return executable;
  }
  prepared.level = from.stages[stage].level;
  prepared.numerics = options.numerics;
  if (!hasEngine(prepared.level)) {
    fail(std::string("level '") + toString(prepared.level) +
         "' cannot be run; levels that can: 'ktir', 'dataflow'");
    return executable;
  }
  std::string why;
  const KernelInfo *info = selectKernel(compilation, kernel, why);
  if (!info) {
    fail(why);
    return executable;
  }
  prepared.kernel = *info;

  DiagnosticCollector collector(&processContext(), prepared.source,
                                prepared.diagnostics);
  mlir::ModuleOp module = from.modules[stage]->get();
  DeviceSourceScope sources(processContext(), from.device);
  mlir::FailureOr<Device> device =
      findDevice(module, prepared.kernel.name, from.device);
  if (mlir::failed(device)) {
    if (!collector.errors())
      fail("the device description cannot be read");
    return executable;
  }
  std::shared_ptr<const exec::Program> program =
      exec::decode(module, prepared.kernel.name, *device, prepared.decoding());
  if (!program) {
    if (!collector.errors())
      fail("kernel '" + prepared.kernel.name + "' cannot be decoded");
    return executable;
  }
  if (program->argumentTypes().size() != prepared.kernel.arguments.size()) {
    fail("kernel '" + prepared.kernel.name + "' has " +
         std::to_string(program->argumentTypes().size()) +
         " arguments at level '" + toString(prepared.level) + "', expected " +
         std::to_string(prepared.kernel.arguments.size()));
    return executable;
  }
  prepared.program = std::move(program);
  prepared.module = from.modules[stage];
  prepared.device = *device;
  return executable;
}

Executable prepare(const Compilation &compilation, const std::string &kernel,
                   Level level, const ExecutableOptions &options) {
  const std::vector<StageInfo> &stages = compilation.stages();
  for (size_t stage = stages.size(); stage-- > 0;)
    if (stages[stage].level == level)
      return prepareStage(compilation, kernel, stage, options);
  Executable executable;
  executable.impl().source = compilation.impl().source;
  executable.impl().level = level;
  std::string message =
      std::string("cannot run at level '") + toString(level) + "': ";
  const std::string textLevel = toString(compilation.inputLevel());
  if (stages.empty())
    message += "the text is no program; see the errors of compiling it";
  else if (level < compilation.inputLevel())
    message += "the text is of level '" + textLevel +
               "', from which no way leads back; run it at that level";
  else if (compilation.succeeded())
    message += std::string("the program was compiled to level '") +
               toString(compilation.level()) + "' only; compile it further";
  else
    message += std::string("an error stopped compiling at level '") +
               toString(compilation.level()) +
               "'; see the errors of compiling it";
  executable.impl().diagnostics.push_back(plainError(message));
  return executable;
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

Launch::Launch() : state(std::make_unique<Impl>()) {}
Launch::~Launch() = default;
Launch::Launch(Launch &&) noexcept = default;
Launch &Launch::operator=(Launch &&) noexcept = default;

LaunchStatus Launch::status() const { return state->status; }
bool Launch::isReading() const {
  return state->status == LaunchStatus::Running && !state->unread.empty();
}
bool Launch::rejected() const { return state->rejected; }
const std::vector<Diagnostic> &Launch::findings() const {
  return state->findings;
}

void Launch::Impl::takeStatus() {
  switch (run->status()) {
  case exec::RunStatus::Running:
    break;
  case exec::RunStatus::Finished:
    status = LaunchStatus::Finished;
    break;
  case exec::RunStatus::Failed:
    status = LaunchStatus::Failed;
    break;
  }
  convertFindings();
}

void Launch::Impl::convertFindings() {
  const std::vector<exec::Finding> &found = run->findings();
  for (; converted < found.size(); ++converted) {
    const exec::Finding &from = found[converted];
    Diagnostic to;
    to.severity = from.severity == exec::FindingSeverity::Error
                      ? Severity::Error
                      : Severity::Warning;
    to.range = sourceRange(from.location, executable->source);
    to.message = from.message;
    to.rule = from.rule;
    for (const exec::FindingNote &note : from.notes)
      to.notes.push_back(
          {sourceRange(note.location, executable->source), note.message});
    findings.push_back(std::move(to));
  }
}

namespace {
enum class Direction { ToDevice, ToHost };
} // namespace

/// In numerics `device` an f16 element in memory is a DL16 code; copies to and
/// from the device convert.
static bool isConverted(const std::string &dtype, Numerics numerics) {
  return numerics == Numerics::Device && dtype == "f16";
}

/// Converts the `count` bytes of f16 elements at `place`.
static void convertHalves(uint8_t *place, uint64_t count, Direction direction) {
  // By pieces, since tensors are only aligned to bytes.
  uint16_t codes[4096];
  while (count) {
    uint64_t bytes = std::min<uint64_t>(count, sizeof(codes));
    std::memcpy(codes, place, bytes);
    if (direction == Direction::ToDevice)
      numerics::halfToDl16(codes, codes, bytes / 2);
    else
      numerics::dl16ToHalf(codes, codes, bytes / 2);
    std::memcpy(place, codes, bytes);
    place += bytes;
    count -= bytes;
  }
}

std::shared_ptr<const exec::Program>
Launch::Impl::decodeWithProbes(const std::vector<Capture> &asked) {
  const Executable::Impl &prepared = *executable;
  mlir::ModuleOp module = prepared.module->get();
  std::vector<exec::Probe> probes;
  captures =
      resolveCaptures(asked, prepared.source, module, prepared.kernel.name,
                      prepared.level, probes, findings);
  if (hasErrors(findings))
    return nullptr;
  exec::DecodeOptions decoding = prepared.decoding();
  decoding.probes = probes;
  DiagnosticCollector collector(&processContext(), prepared.source, findings);
  std::shared_ptr<const exec::Program> program =
      exec::decode(module, prepared.kernel.name, *prepared.device, decoding);
  if (program)
    checkCaptures(captures, *program, findings);
  return hasErrors(findings) ? nullptr : program;
}

static exec::AddressSpace &memoryOf(exec::Memory &memory, int tile) {
  return tile < 0 ? memory.device() : memory.scratchpad(unsigned(tile));
}

bool Launch::Impl::write(const HeldTensor &held, uint64_t offset,
                         uint64_t count, const ElementSource &source) {
  const bool converts = isConverted(held.dtype, executable->numerics);
  if (memoryOf(*memory, held.tile)
          .write(held.address + offset, count,
                 [&](uint64_t part, uint64_t bytes, uint8_t *into) {
                   source(offset + part, bytes, into);
                   if (converts)
                     convertHalves(into, bytes, Direction::ToDevice);
                 }))
    return true;
  findings.push_back(plainError(
      "out of memory: '" + held.name + "' takes " + std::to_string(held.bytes) +
      " bytes, and the host gives no more than the " +
      std::to_string(memory->pageBytes()) + " that pages of memories take"));
  status = LaunchStatus::Failed;
  return false;
}

void Launch::Impl::readPiece() {
  // Some milliseconds, whatever the source.
  constexpr uint64_t pieceBytes = uint64_t(1) << 17;
  Unread &next = unread.back();
  const HeldTensor &held = tensors[next.tensor];
  const uint64_t count = std::min(pieceBytes, held.bytes - next.done);
  if (!write(held, next.done, count, next.source))
    return;
  next.done += count;
  if (next.done == held.bytes)
    unread.pop_back();
}

Launch launch(const Executable &executable,
              const std::vector<ArgumentValue> &arguments,
              const LaunchOptions &options) {
  return Launch::start(executable, arguments, nullptr, options);
}

Launch launch(const Executable &executable,
              std::vector<ArgumentValue> &&arguments,
              const LaunchOptions &options) {
  return Launch::start(executable, arguments, &arguments, options);
}

/// `consumed`: the arguments, to be freed one after the other, or null.
Launch Launch::start(const Executable &executable,
                     const std::vector<ArgumentValue> &arguments,
                     std::vector<ArgumentValue> *consumed,
                     const LaunchOptions &options) {
  Launch result;
  Launch::Impl &state = *result.state;
  state.executable = executable.state;
  if (!executable.valid()) {
    state.findings = executable.diagnostics();
    if (state.findings.empty())
      state.findings.push_back(plainError("nothing was prepared"));
    return result;
  }
  const Executable::Impl &prepared = executable.impl();
  std::shared_ptr<const exec::Program> decoded = prepared.program;
  if (!options.captures.empty())
    decoded = state.decodeWithProbes(options.captures);
  if (!decoded) {
    state.rejected = true;
    return result;
  }
  const exec::Program &program = *decoded;
  state.memory = program.makeMemory();

  BindingRules rules;
  rules.level = prepared.level;
  rules.addressesAreBytes = program.argumentsAreBytes();
  rules.deviceBytes = int64_t(state.memory->device().size());
  rules.tiles = int(state.memory->cores());
  rules.scratchpadBytes = int64_t(state.memory->scratchpadSize());
  std::optional<Binding> binding =
      bindArguments(prepared.kernel, arguments, rules, state.findings);
  if (!binding) {
    state.rejected = true;
    return result;
  }
  for (const PlacedTensor &placed : binding->tensors) {
    const Tensor &tensor = *placed.tensor;
    state.tensors.push_back({placed.name, tensor.dtype, tensor.shape,
                             tensor.bytes(), placed.tile,
                             uint64_t(placed.byteAddress)});
    const HeldTensor &held = state.tensors.back();
    if (tensor.isReadLater) {
      state.unread.push_back({state.tensors.size() - 1, tensor.source, 0});
      continue;
    }
    if (!state.write(
            held, 0, held.bytes,
            tensor.source
                ? tensor.source
                : [&](uint64_t offset, uint64_t count, uint8_t *into) {
                    std::memcpy(into, tensor.data.data() + offset, count);
                  }))
      return result;
    if (!consumed)
      continue;
    for (ArgumentValue &argument : *consumed)
      if (auto *owned = std::get_if<Tensor>(&argument.value); owned == &tensor)
        std::vector<uint8_t>().swap(owned->data);
  }

  std::vector<exec::ScalarArgument> scalars;
  for (const BoundScalar &scalar : binding->arguments)
    scalars.push_back({scalar.integer, scalar.real});
  exec::RunOptions running;
  running.checks = options.checks;
  running.outOfView = options.outOfView == OutOfView::Trap
                          ? exec::OutOfViewPolicy::Trap
                          : exec::OutOfViewPolicy::Pad;
  running.interleaving = options.interleaving;
  running.channelDepth = options.channelDepth;
  running.trace = options.trace;
  running.limit = options.limit;
  state.traced = options.trace;
  for (const ResolvedCapture &capture : state.captures)
    running.captures.push_back(capture.request);
  state.run = std::make_unique<exec::Run>(std::move(decoded), *state.memory,
                                          std::move(scalars), running);
  state.status = LaunchStatus::Running;
  return result;
}

LaunchStatus Launch::advance(uint64_t budget) {
  if (state->status != LaunchStatus::Running)
    return state->status;
  if (isReading()) {
    state->readPiece();
    return state->status;
  }
  state->run->advance(budget);
  state->takeStatus();
  return state->status;
}

LaunchStatus Launch::advanceFor(double milliseconds) {
  const Deadline deadline(milliseconds);
  while (advance(Deadline::budgetPerLook) == LaunchStatus::Running &&
         !deadline.isOver())
    ;
  return state->status;
}

LaunchStep Launch::stepFor(size_t instance, double milliseconds) {
  const Deadline deadline(milliseconds);
  while (true) {
    LaunchStep result = step(instance, Deadline::budgetPerLook);
    const bool isWaiting =
        !result.done && !result.ended && result.status == LaunchStatus::Running;
    if (!isWaiting || deadline.isOver())
      return result;
  }
}

LaunchStep Launch::step(size_t instance, uint64_t budget) {
  LaunchStep result;
  if (isReading()) {
    state->readPiece(); // which is waiting, too
  } else if (state->status == LaunchStatus::Running) {
    const exec::Step step = state->run->step(unsigned(instance), budget);
    result.done = step.kind == exec::Step::Kind::Done;
    result.ended = step.kind == exec::Step::Kind::Ended;
    result.op = step.op.str();
    if (step.location)
      result.range = sourceRange(*step.location, state->executable->source);
    state->takeStatus();
  }
  result.status = state->status;
  return result;
}

std::vector<CapturedValue> Launch::captured() const {
  std::vector<CapturedValue> values;
  if (state->run)
    for (auto [capture, value] :
         llvm::zip_equal(state->captures, state->run->captured()))
      values.push_back(hostValue(capture, value, state->executable->numerics));
  return values;
}

Progress Launch::progress() const {
  Progress progress;
  if (state->run)
    progress.done = state->run->instructionsDone();
  return progress;
}

void Launch::Impl::read(const HeldTensor &held, uint64_t offset, uint64_t count,
                        uint8_t *into) const {
  memoryOf(*memory, held.tile).read(held.address + offset, into, count);
  if (isConverted(held.dtype, executable->numerics))
    convertHalves(into, count, Direction::ToHost);
}

void Launch::Impl::read(const HeldTensor &held, Output &into) const {
  Tensor &tensor = into.tensor;
  into.name = held.name;
  tensor.dtype = held.dtype;
  tensor.shape = held.shape;
  tensor.data.resize(held.bytes);
  read(held, 0, held.bytes, tensor.data.data());
}

void Launch::readOutputs(std::vector<Output> &into) const {
  into.resize(outputCount());
  for (size_t i = 0; i < into.size(); ++i)
    state->read(state->tensors[i], into[i]);
}

std::vector<Output> Launch::outputs() const {
  std::vector<Output> outputs;
  readOutputs(outputs);
  return outputs;
}

size_t Launch::outputCount() const {
  return state->status == LaunchStatus::Finished ? state->tensors.size() : 0;
}

Output Launch::outputHeader(size_t index) const {
  const HeldTensor &held = state->tensors[index];
  return {held.name, Tensor{held.dtype, held.shape, {}}};
}

uint64_t Launch::outputBytes(size_t index) const {
  return state->tensors[index].bytes;
}

void Launch::readOutput(size_t index, uint64_t offset, uint64_t count,
                        uint8_t *into) const {
  state->read(state->tensors[index], offset, count, into);
}

std::string Launch::traceJson() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    if (!state->run || !state->traced)
      return;
    int64_t thread = 0;
    for (const exec::InstanceCounters &instance : state->run->counters())
      json.object([&] {
        json.attribute("name", "thread_name");
        json.attribute("ph", "M");
        json.attribute("pid", 0);
        json.attribute("tid", thread++);
        json.attributeObject("args",
                             [&] { json.attribute("name", instance.name); });
      });
    for (const exec::TraceEvent &event : state->run->trace())
      json.object([&] {
        SourceRange range =
            sourceRange(event.location, state->executable->source);
        json.attribute("name", event.name);
        json.attribute("ph", "X");
        json.attribute("pid", 0);
        json.attribute("tid", int64_t(event.instance));
        json.attribute("ts", int64_t(event.begin));
        json.attribute("dur", int64_t(event.end - event.begin));
        json.attributeObject("args", [&] {
          json.attribute("op", event.op);
          json.attribute("bytes", int64_t(event.bytes));
          if (range.line)
            json.attribute("line", int64_t(range.line));
        });
      });
  });
  return text;
}

} // namespace ktir
