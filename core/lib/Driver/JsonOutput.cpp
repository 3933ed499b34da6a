//===- JsonOutput.cpp - Driver values as JSON -----------------------------===//

#include "JsonOutput.h"
#include "HostTensor.h"

#include <cmath>

namespace json = llvm::json;
using llvm::StringRef;

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

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

// One is written after every launch, so its text is made without values of JSON
// in between.

static void write(json::OStream &out, StringRef name, double value) {
  // A whole number has the same text as an integer, which takes less time.
  if (std::abs(value) < 1e15 && value == double(int64_t(value)))
    out.attribute(name, int64_t(value));
  else
    out.attribute(name, value);
}

static void write(json::OStream &out, StringRef name, uint64_t value) {
  out.attribute(name, int64_t(value));
}

static void write(json::OStream &out, StringRef name,
                  const Roofline &roofline) {
  out.attributeObject(name, [&] {
    out.attribute("unit", roofline.unit);
    write(out, "operations", roofline.operations);
    write(out, "bytes", roofline.bytes);
    write(out, "intensity", roofline.intensity);
    write(out, "peak", roofline.peak);
    out.attribute("memoryBound", roofline.memoryBound);
    write(out, "achieved", roofline.achieved);
    write(out, "attainment", roofline.attainment);
  });
}

static void write(json::OStream &out, const CostEstimate &cost) {
  out.object([&] {
    out.attribute("profile", cost.profile);
    write(out, "clockGhz", cost.clockGhz);
    out.attributeObject("cycles", [&] {
      write(out, "serial", cost.cycles.serial);
      write(out, "overlapped", cost.cycles.overlapped);
      write(out, "overlapped3", cost.cycles.overlapped3);
    });
    out.attribute("bottleneck", cost.bottleneck);
    out.attribute("slowest", int64_t(cost.slowest));
    write(out, "chip", cost.chip);
    write(out, "core", cost.core);
    out.attributeArray("tiles", [&] {
      for (const TileCost &tile : cost.tiles)
        out.object([&] {
          out.attribute("name", tile.name);
          write(out, "compute", tile.compute);
          write(out, "memory", tile.memory);
          write(out, "communication", tile.communication);
        });
    });
  });
}

static void write(json::OStream &out, const InstanceReport &instance) {
  out.object([&] {
    out.attribute("name", instance.name);
    write(out, "instructions", instance.instructions);
    write(out, "bytesRead", instance.bytesRead);
    write(out, "bytesWritten", instance.bytesWritten);
    write(out, "scratchpadRead", instance.scratchpadRead);
    write(out, "scratchpadWritten", instance.scratchpadWritten);
    write(out, "elements", instance.elements);
    write(out, "messages", instance.messages);
    write(out, "scratchpadPeak", instance.scratchpadPeak);
  });
}

static void write(json::OStream &out, const ScratchpadUse &use) {
  const SourceRange &range = use.range;
  out.object([&] {
    out.attribute("op", use.op);
    write(out, "bytes", use.bytes);
    if (!range.file.empty())
      out.attribute("file", range.file);
    if (range.line == 0)
      return;
    out.attribute("line", int64_t(range.line));
    out.attribute("column", int64_t(range.column));
    out.attribute("endLine", int64_t(range.endLine));
    out.attribute("endColumn", int64_t(range.endColumn));
  });
}

std::string reportJson(const Report &report) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream.SetBufferSize(4096); // most parts are a few characters
  json::OStream out(stream);
  out.object([&] {
    write(out, "instructions", report.instructions);
    write(out, "bytesRead", report.bytesRead);
    write(out, "bytesWritten", report.bytesWritten);
    write(out, "elements", report.elements);
    write(out, "scratchpadPeak", report.scratchpadPeak);
    out.attribute("scratchpadPeakOn", report.scratchpadPeakOn);
    out.attributeArray("scratchpadAtPeak", [&] {
      for (const ScratchpadUse &use : report.scratchpadAtPeak)
        write(out, use);
    });
    out.attributeArray("costs", [&] {
      for (const CostEstimate &cost : report.costs)
        write(out, cost);
    });
    out.attributeArray("instances", [&] {
      for (const InstanceReport &instance : report.instances)
        write(out, instance);
    });
  });
  stream.flush();
  return text;
}

json::Value toJson(const Report &report) {
  return llvm::cantFail(json::parse(reportJson(report)));
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

} // namespace ktir
