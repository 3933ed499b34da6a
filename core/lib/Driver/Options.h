//===- Options.h - Options of the command line ------------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_OPTIONS_H
#define KTIR_LIB_DRIVER_OPTIONS_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ktir {

/// One option that a command takes.
struct OptionSpec {
  const char *name; ///< with its dashes
  /// What the value is called in help texts; null for a flag.
  const char *value;
  /// Taken any number of times, with the values separated by commas.
  bool repeats = false;
};

/// The words of a command, sorted into options and operands.
struct ParsedOptions {
  std::map<std::string, std::string> values;
  std::vector<std::string> operands;

  bool has(const std::string &name) const { return values.count(name) != 0; }
  std::string get(const std::string &name,
                  const std::string &otherwise = {}) const {
    auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  }
};

/// Sorts `words`, from `first` on. Takes `--name value`, `--name=value` and,
/// after `--`, operands only. Absent on error, with `error` saying what is
/// wrong.
std::optional<ParsedOptions> parseOptions(const std::vector<std::string> &words,
                                          size_t first,
                                          const std::vector<OptionSpec> &specs,
                                          std::string &error);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_OPTIONS_H
