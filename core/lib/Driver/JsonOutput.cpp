//===- JsonOutput.cpp - Driver values as JSON -----------------------------===//

#include "JsonOutput.h"
#include "HostTensor.h"

namespace json = llvm::json;

namespace ktir {

static void addRange(json::Object &object, const SourceRange &range) {
  if (!range.file.empty())
    object["file"] = range.file;
  if (range.line == 0)
    return;
  object["line"] = int64_t(range.line);
  object["column"] = int64_t(range.column);
  object["endLine"] = int64_t(range.endLine);
  object["endColumn"] = int64_t(range.endColumn);
}

json::Value toJson(const Diagnostic &diagnostic) {
  static const char *const severities[] = {"error", "warning", "note"};
  json::Object object;
  object["severity"] = severities[unsigned(diagnostic.severity)];
  object["message"] = json::fixUTF8(diagnostic.message);
  addRange(object, diagnostic.range);
  if (!diagnostic.rule.empty())
    object["rule"] = diagnostic.rule;
  json::Array notes;
  for (const Note &note : diagnostic.notes) {
    json::Object entry;
    entry["message"] = json::fixUTF8(note.message);
    addRange(entry, note.range);
    notes.push_back(std::move(entry));
  }
  object["notes"] = std::move(notes);
  json::Array edits;
  for (const TextEdit &edit : diagnostic.edits) {
    json::Object entry;
    entry["text"] = json::fixUTF8(edit.text);
    addRange(entry, edit.range);
    edits.push_back(std::move(entry));
  }
  object["edits"] = std::move(edits);
  return object;
}

json::Value toJson(const std::vector<Diagnostic> &diagnostics) {
  json::Array array;
  for (const Diagnostic &diagnostic : diagnostics)
    array.push_back(toJson(diagnostic));
  return array;
}

static const char *text(ArgumentInfo::Role role) {
  static const char *const names[] = {"tensor", "scalar", "unused"};
  return names[unsigned(role)];
}

static const char *text(ArgumentInfo::Access access) {
  static const char *const names[] = {"none", "read", "write", "readwrite"};
  return names[unsigned(access)];
}

json::Value toJson(const KernelInfo &kernel) {
  json::Array arguments;
  for (const ArgumentInfo &argument : kernel.arguments) {
    json::Object entry;
    entry["name"] = argument.name;
    entry["type"] = argument.type;
    if (argument.isRuntimeArgument)
      entry["isRuntimeArgument"] = true;
    if (argument.granularity)
      entry["granularity"] = *argument.granularity;
    if (argument.upperbound)
      entry["upperbound"] = *argument.upperbound;
    entry["role"] = text(argument.role);
    entry["access"] = text(argument.access);
    if (!argument.dtype.empty()) {
      entry["dtype"] = argument.dtype;
      entry["shape"] = json::Array(argument.shape);
      entry["strides"] = json::Array(argument.strides);
      entry["span"] = argument.span;
      entry["exactShape"] = argument.exactShape;
    }
    arguments.push_back(std::move(entry));
  }
  json::Object object;
  object["name"] = kernel.name;
  object["grid"] = json::Array(kernel.grid);
  object["arguments"] = std::move(arguments);
  addRange(object, kernel.range);
  return object;
}

json::Value toJson(const StageInfo &stage) {
  json::Object counts;
  for (const auto &[name, count] : stage.opCounts)
    counts[name] = int64_t(count);
  json::Object object;
  object["name"] = stage.name;
  object["level"] = toString(stage.level);
  object["changed"] = stage.changed;
  object["milliseconds"] = stage.milliseconds;
  object["reassociates"] = stage.reassociates;
  object["opCounts"] = std::move(counts);
  return object;
}

static json::Value toJson(const Roofline &roofline) {
  return json::Object{
      {"unit", roofline.unit},         {"operations", roofline.operations},
      {"bytes", roofline.bytes},       {"intensity", roofline.intensity},
      {"peak", roofline.peak},         {"memoryBound", roofline.memoryBound},
      {"achieved", roofline.achieved}, {"attainment", roofline.attainment}};
}

static json::Value toJson(const CostEstimate &cost) {
  json::Array tiles;
  for (const TileCost &tile : cost.tiles)
    tiles.push_back(json::Object{{"name", tile.name},
                                 {"compute", tile.compute},
                                 {"memory", tile.memory},
                                 {"communication", tile.communication}});
  return json::Object{
      {"profile", cost.profile},
      {"clockGhz", cost.clockGhz},
      {"cycles", json::Object{{"serial", cost.cycles.serial},
                              {"overlapped", cost.cycles.overlapped},
                              {"overlapped3", cost.cycles.overlapped3}}},
      {"bottleneck", cost.bottleneck},
      {"slowest", int64_t(cost.slowest)},
      {"chip", toJson(cost.chip)},
      {"core", toJson(cost.core)},
      {"tiles", std::move(tiles)},
  };
}

json::Value toJson(const Report &report) {
  json::Array instances;
  for (const InstanceReport &instance : report.instances)
    instances.push_back(json::Object{
        {"name", instance.name},
        {"instructions", int64_t(instance.instructions)},
        {"bytesRead", int64_t(instance.bytesRead)},
        {"bytesWritten", int64_t(instance.bytesWritten)},
        {"scratchpadRead", int64_t(instance.scratchpadRead)},
        {"scratchpadWritten", int64_t(instance.scratchpadWritten)},
        {"elements", int64_t(instance.elements)},
        {"messages", int64_t(instance.messages)},
        {"scratchpadPeak", int64_t(instance.scratchpadPeak)},
    });
  json::Array atPeak;
  for (const ScratchpadUse &use : report.scratchpadAtPeak) {
    json::Object entry{{"op", use.op}, {"bytes", int64_t(use.bytes)}};
    addRange(entry, use.range);
    atPeak.push_back(std::move(entry));
  }
  json::Array costs;
  for (const CostEstimate &cost : report.costs)
    costs.push_back(toJson(cost));
  return json::Object{
      {"instructions", int64_t(report.instructions)},
      {"bytesRead", int64_t(report.bytesRead)},
      {"bytesWritten", int64_t(report.bytesWritten)},
      {"elements", int64_t(report.elements)},
      {"scratchpadPeak", int64_t(report.scratchpadPeak)},
      {"scratchpadPeakOn", report.scratchpadPeakOn},
      {"scratchpadAtPeak", std::move(atPeak)},
      {"costs", std::move(costs)},
      {"instances", std::move(instances)},
  };
}

json::Value toJson(const CapturedValue &value) {
  json::Object object{{"name", value.name},
                      {"instance", value.instance},
                      {"type", value.type},
                      {"executions", int64_t(value.executions)}};
  if (value.tensor) {
    json::Array values;
    for (int64_t i = 0; i < value.tensor->elements(); ++i)
      values.push_back(elementText(*value.tensor, i));
    object["dtype"] = value.tensor->dtype;
    object["shape"] = json::Array(value.tensor->shape);
    object["values"] = std::move(values);
  } else {
    object["text"] = value.text;
  }
  addRange(object, value.range);
  return object;
}

std::string reportJson(const Report &report) {
  std::string text;
  llvm::raw_string_ostream(text) << toJson(report);
  return text;
}

} // namespace ktir
