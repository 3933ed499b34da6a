//===- Validate.cpp - Translation validation ------------------------------===//

#include "Comparison.h"
#include "CompilationImpl.h"
#include "Diagnostics.h"

namespace ktir {

/// Runs a stage to its end. False with `message` when it does not finish.
static bool runStage(const Compilation &compilation, const std::string &kernel,
                     size_t stage, const std::vector<ArgumentValue> &arguments,
                     LaunchOptions options, const ExecutableOptions &preparing,
                     std::vector<Output> &outputs, std::string &message) {
  Executable executable = prepareStage(compilation, kernel, stage, preparing);
  options.captures.clear(); // their names are those of one stage
  Launch run = launch(executable, arguments, options);
  while (run.advance(uint64_t(1) << 24) == LaunchStatus::Running) {
  }
  if (run.status() == LaunchStatus::Finished) {
    outputs = run.outputs();
    return true;
  }
  message = "the run failed";
  for (const Diagnostic &finding : run.findings())
    if (finding.severity == Severity::Error) {
      message = finding.message;
      if (finding.range.line)
        message = finding.range.file + ":" +
                  std::to_string(finding.range.line) + ":" +
                  std::to_string(finding.range.column) + ": " + message;
      break;
    }
  return false;
}

std::vector<StageValidation>
validate(const Compilation &compilation, const std::string &kernel,
         const std::vector<ArgumentValue> &arguments,
         const LaunchOptions &options, const ExecutableOptions &preparing) {
  const std::vector<StageInfo> &stages = compilation.stages();
  const auto &modules = compilation.impl().modules;
  std::vector<StageValidation> results;
  std::optional<size_t> reference;
  std::vector<Output> expected;
  for (size_t stage = 0; stage < stages.size(); ++stage) {
    StageValidation result;
    result.stage = stage;
    const Level level = stages[stage].level;
    if (level != Level::Ktir && level != Level::Dataflow) {
      result.message =
          std::string("level '") + toString(level) + "' has no engine";
      results.push_back(result);
      continue;
    }
    // The same program gives the same result: the engine is deterministic.
    if (stage > 0 && modules[stage] == modules[stage - 1]) {
      result = results.back();
      result.stage = stage;
      results.push_back(result);
      continue;
    }
    std::vector<Output> outputs;
    result.executed = runStage(compilation, kernel, stage, arguments, options,
                               preparing, outputs, result.message);
    if (result.executed && !reference) {
      reference = stage;
      expected = std::move(outputs);
      result.matches = true;
    } else if (result.executed) {
      result.message =
          firstDifference(expected, stages[*reference].name, outputs);
      result.matches = result.message.empty();
    }
    results.push_back(std::move(result));
  }
  return results;
}

} // namespace ktir
