//===- Options.cpp - Options of the command line --------------------------===//

#include "Options.h"
#include "TextScan.h"

namespace ktir {

std::optional<ParsedOptions> parseOptions(const std::vector<std::string> &words,
                                          size_t first,
                                          const std::vector<OptionSpec> &specs,
                                          std::string &error) {
  ParsedOptions parsed;
  bool onlyOperands = false;
  for (size_t i = first; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (onlyOperands || word.size() < 2 || word[0] != '-') {
      parsed.operands.push_back(word);
      continue;
    }
    if (word == "--") {
      onlyOperands = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const OptionSpec *spec = nullptr;
    std::vector<std::string> names;
    for (const OptionSpec &candidate : specs) {
      names.push_back(candidate.name);
      if (name == candidate.name)
        spec = &candidate;
    }
    if (!spec) {
      error = "unknown option '" + name + "'";
      if (std::optional<std::string> near = nearestName(name, names))
        error += "; did you mean '" + *near + "'?";
      return std::nullopt;
    }
    const bool isAgain = parsed.has(name);
    if (isAgain && !spec->repeats) {
      error = "option '" + name + "' is given twice";
      return std::nullopt;
    }
    std::string value;
    if (equals != std::string::npos) {
      if (!spec->value) {
        error = "option '" + name + "' takes no value";
        return std::nullopt;
      }
      value = word.substr(equals + 1);
    } else if (spec->value) {
      if (i + 1 == words.size()) {
        error = "option '" + name + "' needs a value, " + spec->value;
        return std::nullopt;
      }
      value = words[++i];
    }
    parsed.values[name] = isAgain ? parsed.values[name] + "," + value : value;
  }
  return parsed;
}

} // namespace ktir
