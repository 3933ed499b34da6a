//===- Validate.cpp - Translation validation ------------------------------===//

#include "Comparison.h"
#include "CompilationImpl.h"
#include "Deadline.h"
#include "Diagnostics.h"

#include <algorithm>

namespace ktir {

struct Validation::Impl {
  const Compilation &compilation;
  std::string kernel;
  std::vector<ArgumentValue> arguments;
  LaunchOptions options;
  ExecutableOptions preparing;

  std::vector<StageValidation> results;
  /// What the first stage that ran left.
  std::optional<size_t> reference;
  std::vector<Output> expected;

  /// Of the stage that is under way.
  std::optional<Launch> run;
  size_t output = 0;   ///< that is being read
  uint64_t offset = 0; ///< bytes of it that were
  std::optional<Comparison> comparison;
  std::string difference; ///< of the outputs before
  std::vector<uint8_t> piece;

  bool isDone() const { return results.size() == compilation.stages().size(); }
  /// Goes on with the stage after those in `results` until `deadline` or its
  /// end.
  void advance(const Deadline &deadline);
  /// Settles a stage that need not run; false when it must.
  bool skip(size_t stage);
  void begin(size_t stage);
  /// Reads a piece of the results; false when all were read.
  bool readPiece();
  void end(StageValidation result);
};

bool Validation::Impl::skip(size_t stage) {
  StageValidation result;
  const Level level = compilation.stages()[stage].level;
  const auto &modules = compilation.impl().modules;
  if (level != Level::Ktir && level != Level::Dataflow)
    result.message =
        std::string("level '") + toString(level) + "' has no engine";
  else if (stage > 0 && modules[stage] == modules[stage - 1])
    // The same program gives the same result: the engine is deterministic.
    result = results.back();
  else
    return false;
  end(std::move(result));
  return true;
}

void Validation::Impl::begin(size_t stage) {
  const Executable executable =
      prepareStage(compilation, kernel, stage, preparing);
  run.emplace(launch(executable, arguments, options));
  output = 0;
  offset = 0;
  difference.clear();
}

bool Validation::Impl::readPiece() {
  // Some milliseconds.
  constexpr uint64_t pieceBytes = uint64_t(1) << 20;
  if (output == run->outputCount())
    return false;
  const uint64_t bytes = run->outputBytes(output);
  const uint64_t count = std::min(pieceBytes, bytes - offset);
  if (!reference) {
    if (offset == 0) {
      expected.push_back(run->outputHeader(output));
      expected.back().tensor.data.reserve(bytes);
    }
    std::vector<uint8_t> &data = expected.back().tensor.data;
    data.resize(offset + count);
    run->readOutput(output, offset, count, data.data() + offset);
  } else if (difference.empty()) {
    if (offset == 0)
      comparison.emplace(expected[output]);
    piece.resize(count);
    run->readOutput(output, offset, count, piece.data());
    comparison->add(offset, piece.data(), count);
  }
  offset += count;
  if (offset == bytes) {
    if (comparison && difference.empty())
      difference = comparison->text(compilation.stages()[*reference].name);
    ++output;
    offset = 0;
  }
  return true;
}

void Validation::Impl::end(StageValidation result) {
  result.stage = results.size();
  results.push_back(std::move(result));
  run.reset();
}

/// Why a run did not finish.
static std::string failureText(const Launch &run) {
  for (const Diagnostic &finding : run.findings()) {
    if (finding.severity != Severity::Error)
      continue;
    const SourceRange &range = finding.range;
    if (!range.line)
      return finding.message;
    return range.file + ":" + std::to_string(range.line) + ":" +
           std::to_string(range.column) + ": " + finding.message;
  }
  return "the run failed";
}

void Validation::Impl::advance(const Deadline &deadline) {
  const size_t stage = results.size();
  if (!run) {
    if (skip(stage))
      return;
    begin(stage);
  }
  while (run->advance(Deadline::budgetPerLook) == LaunchStatus::Running)
    if (deadline.isOver())
      return;
  StageValidation result;
  if (run->status() != LaunchStatus::Finished) {
    result.message = failureText(*run);
    return end(std::move(result));
  }
  while (readPiece())
    if (deadline.isOver())
      return;
  result.executed = true;
  result.message = std::move(difference);
  result.matches = result.message.empty();
  if (!reference)
    reference = stage;
  end(std::move(result));
}

Validation::Validation(const Compilation &compilation, std::string kernel,
                       std::vector<ArgumentValue> arguments,
                       LaunchOptions options, ExecutableOptions preparing)
    : state(new Impl{compilation, std::move(kernel), std::move(arguments),
                     std::move(options), preparing}) {
  state->options.captures.clear(); // their names are those of one stage
}
Validation::~Validation() = default;
Validation::Validation(Validation &&) noexcept = default;

bool Validation::advanceFor(double milliseconds) {
  const Deadline deadline(milliseconds);
  while (!state->isDone()) {
    state->advance(deadline);
    if (deadline.isOver())
      break;
  }
  return !state->isDone();
}

const std::vector<StageValidation> &Validation::results() const {
  return state->results;
}

Progress Validation::progress() const {
  return state->run ? state->run->progress() : Progress();
}

} // namespace ktir
