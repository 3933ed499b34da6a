//===- Json.cpp - What the bindings send and receive as JSON --------------===//

#include "Json.h"

#include "JsonWriter.h"

using namespace ktir;
using namespace ktir::wasm;
namespace json = llvm::json;

namespace {

const char *severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "error";
}

void writeDiagnostics(json::OStream &out,
                      const std::vector<Diagnostic> &diagnostics) {
  out.array([&] {
    for (const Diagnostic &diagnostic : diagnostics)
      out.object([&] {
        out.attribute("severity", severityName(diagnostic.severity));
        writeRange(out, diagnostic.range);
        writeString(out, "message", diagnostic.message);
        writeString(out, "rule", diagnostic.rule);
        out.attributeArray("notes", [&] {
          for (const Note &note : diagnostic.notes)
            out.object([&] {
              writeRange(out, note.range);
              writeString(out, "message", note.message);
            });
        });
        out.attributeArray("edits", [&] {
          for (const TextEdit &edit : diagnostic.edits)
            out.object([&] {
              writeRange(out, edit.range);
              writeString(out, "text", edit.text);
            });
        });
      });
  });
}

void writeIntegers(json::OStream &out, llvm::StringRef name,
                   const std::vector<int64_t> &values) {
  out.attributeArray(name, [&] {
    for (int64_t value : values)
      out.value(value);
  });
}

const char *roleName(ArgumentInfo::Role role) {
  switch (role) {
  case ArgumentInfo::Role::Tensor:
    return "tensor";
  case ArgumentInfo::Role::Scalar:
    return "scalar";
  case ArgumentInfo::Role::Unused:
    return "unused";
  }
  return "unused";
}

const char *accessName(ArgumentInfo::Access access) {
  switch (access) {
  case ArgumentInfo::Access::None:
    return "none";
  case ArgumentInfo::Access::Read:
    return "read";
  case ArgumentInfo::Access::Write:
    return "write";
  case ArgumentInfo::Access::ReadWrite:
    return "readwrite";
  }
  return "none";
}

void writeKernel(json::OStream &out, const KernelInfo &kernel) {
  out.object([&] {
    writeString(out, "name", kernel.name);
    writeIntegers(out, "grid", kernel.grid);
    out.attributeArray("arguments", [&] {
      for (const ArgumentInfo &argument : kernel.arguments)
        out.object([&] {
          writeString(out, "name", argument.name);
          writeString(out, "type", argument.type);
          out.attribute("isRuntimeArgument", argument.isRuntimeArgument);
          if (argument.granularity)
            out.attribute("granularity", *argument.granularity);
          if (argument.upperbound)
            out.attribute("upperbound", *argument.upperbound);
          out.attribute("role", roleName(argument.role));
          writeString(out, "dtype", argument.dtype);
          writeIntegers(out, "shape", argument.shape);
          writeIntegers(out, "strides", argument.strides);
          out.attribute("span", argument.span);
          out.attribute("exactShape", argument.exactShape);
          out.attribute("access", accessName(argument.access));
        });
    });
    writeRange(out, kernel.range);
  });
}

void writeStage(json::OStream &out, const StageInfo &stage) {
  out.object([&] {
    writeString(out, "name", stage.name);
    out.attribute("level", toString(stage.level));
    out.attribute("changed", stage.changed);
    out.attribute("milliseconds", stage.milliseconds);
    out.attribute("reassociates", stage.reassociates);
    out.attributeArray("opCounts", [&] {
      for (const std::pair<std::string, unsigned> &entry : stage.opCounts)
        out.array([&] {
          out.value(entry.first);
          out.value(entry.second);
        });
    });
  });
}

/// Reads the object in `text`; the fields of anything else are all absent.
json::Object parseObject(const std::string &text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  json::Object *object = value->getAsObject();
  return object ? std::move(*object) : json::Object();
}

Numerics numericsField(const json::Object &object) {
  std::optional<llvm::StringRef> name = object.getString("numerics");
  return name && *name == "device" ? Numerics::Device : Numerics::Ieee;
}

std::optional<Level> levelField(const json::Object &object,
                                llvm::StringRef name) {
  std::optional<llvm::StringRef> text = object.getString(name);
  return text ? levelFromString(text->str()) : std::nullopt;
}

} // namespace

std::string wasm::diagnosticsJson(const std::vector<Diagnostic> &diagnostics) {
  return toText(
      [&](json::OStream &out) { writeDiagnostics(out, diagnostics); });
}

std::string wasm::compilationJson(const Compilation &compilation) {
  return toText([&](json::OStream &out) {
    out.object([&] {
      out.attribute("ok", compilation.succeeded());
      out.attributeBegin("diagnostics");
      writeDiagnostics(out, compilation.diagnostics());
      out.attributeEnd();
      out.attributeArray("kernels", [&] {
        for (const KernelInfo &kernel : compilation.kernels())
          writeKernel(out, kernel);
      });
      out.attributeArray("stages", [&] {
        for (const StageInfo &stage : compilation.stages())
          writeStage(out, stage);
      });
      out.attribute("level", toString(compilation.level()));
      out.attribute("inputLevel", toString(compilation.inputLevel()));
    });
  });
}

std::string wasm::executableJson(const Executable &executable) {
  return toText([&](json::OStream &out) {
    out.object([&] {
      out.attribute("valid", executable.valid());
      out.attributeBegin("diagnostics");
      writeDiagnostics(out, executable.diagnostics());
      out.attributeEnd();
      // An executable that could not be prepared may have no kernel.
      if (!executable.valid())
        return;
      out.attributeBegin("kernel");
      writeKernel(out, executable.kernel());
      out.attributeEnd();
      out.attribute("level", toString(executable.level()));
    });
  });
}

std::string wasm::validationJson(const std::vector<StageValidation> &stages) {
  return toText([&](json::OStream &out) {
    out.array([&] {
      for (const StageValidation &stage : stages)
        out.object([&] {
          out.attribute("stage", static_cast<int64_t>(stage.stage));
          out.attribute("executed", stage.executed);
          out.attribute("matches", stage.matches);
          writeString(out, "message", stage.message);
        });
    });
  });
}

CompileOptions wasm::compileOptions(const std::string &text) {
  json::Object object = parseObject(text);
  CompileOptions options;
  auto readString = [&](llvm::StringRef name, std::string &field) {
    if (std::optional<llvm::StringRef> text = object.getString(name))
      field = text->str();
  };
  readString("fileName", options.fileName);
  readString("stopAfter", options.stopAfter);
  readString("kernel", options.kernel);
  readString("device", options.device);
  readString("deviceName", options.deviceName);
  options.to = levelField(object, "to").value_or(options.to);
  options.strict = object.getBoolean("strict").value_or(options.strict);
  return options;
}

wasm::PrepareOptions wasm::prepareOptions(const std::string &text, Level last) {
  json::Object object = parseObject(text);
  PrepareOptions options;
  if (std::optional<llvm::StringRef> kernel = object.getString("kernel"))
    options.kernel = kernel->str();
  options.level = levelField(object, "level").value_or(last);
  options.stage = object.getInteger("stage").value_or(options.stage);
  options.executable.numerics = numericsField(object);
  return options;
}

std::string wasm::capturedJson(const CapturedValue &value) {
  return toText([&](json::OStream &out) {
    out.object([&] {
      writeString(out, "name", value.name);
      writeRange(out, value.range);
      writeString(out, "instance", value.instance);
      writeString(out, "type", value.type);
      out.attribute("executions", static_cast<int64_t>(value.executions));
      writeString(out, "text", value.text);
    });
  });
}

std::vector<ArgumentValue> wasm::hostArguments(const std::string &headers) {
  std::vector<ArgumentValue> arguments;
  llvm::Expected<json::Value> value = json::parse(headers);
  if (!value) {
    llvm::consumeError(value.takeError());
    return arguments;
  }
  const json::Array *entries = value->getAsArray();
  for (const json::Value &entry : entries ? *entries : json::Array()) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      continue;
    ArgumentValue &argument = arguments.emplace_back();
    argument.name = object->getString("name").value_or("").str();
    std::optional<llvm::StringRef> dtype = object->getString("dtype");
    if (!dtype) {
      argument.value = 0.0;
      continue;
    }
    Tensor tensor;
    tensor.dtype = dtype->str();
    if (const json::Array *shape = object->getArray("shape"))
      for (const json::Value &extent : *shape)
        tensor.shape.push_back(extent.getAsInteger().value_or(0));
    argument.value = std::move(tensor);
    argument.bound = object->getBoolean("bound").value_or(true);
    argument.placement.at = object->getInteger("at");
    if (std::optional<int64_t> tile = object->getInteger("tile"))
      argument.placement.tile = int(*tile);
  }
  return arguments;
}

std::string wasm::outputHeadersJson(const Launch &run) {
  return toText([&](json::OStream &out) {
    out.array([&] {
      for (size_t index = 0; index < run.outputCount(); ++index) {
        const Output output = run.outputHeader(index);
        out.object([&] {
          writeString(out, "name", output.name);
          writeString(out, "dtype", output.tensor.dtype);
          writeIntegers(out, "shape", output.tensor.shape);
          out.attribute("bytes", int64_t(run.outputBytes(index)));
        });
      }
    });
  });
}

std::string wasm::stepJson(const LaunchStep &step) {
  return toText([&](json::OStream &out) {
    out.object([&] {
      out.attribute("done", step.done);
      out.attribute("ended", step.ended);
      writeString(out, "op", step.op);
      writeRange(out, step.range);
      out.attribute("status", static_cast<int64_t>(step.status));
    });
  });
}

/// The captures that the package asks for; it has checked them.
static std::vector<Capture> captures(const json::Object &object) {
  std::vector<Capture> captures;
  const json::Array *list = object.getArray("captures");
  if (!list)
    return captures;
  for (const json::Value &value : *list) {
    const json::Object *entry = value.getAsObject();
    if (!entry)
      continue;
    Capture capture;
    if (std::optional<llvm::StringRef> name = entry->getString("name"))
      capture.name = name->str();
    if (std::optional<llvm::StringRef> instance = entry->getString("instance"))
      capture.instance = instance->str();
    capture.line = entry->getInteger("line").value_or(0);
    capture.column = entry->getInteger("column").value_or(0);
    if (std::optional<int64_t> execution = entry->getInteger("execution"))
      capture.execution = static_cast<uint64_t>(*execution);
    captures.push_back(std::move(capture));
  }
  return captures;
}

LaunchOptions wasm::launchOptions(const std::string &text) {
  json::Object object = parseObject(text);
  LaunchOptions options;
  options.checks = object.getBoolean("checks").value_or(options.checks);
  options.trace = object.getBoolean("trace").value_or(options.trace);
  if (std::optional<llvm::StringRef> policy = object.getString("policy"))
    options.outOfView = *policy == "trap" ? OutOfView::Trap : OutOfView::Pad;
  if (const json::Value *seed = object.get("interleaving"))
    options.interleaving = seed->getAsUINT64();
  if (const json::Value *limit = object.get("limit"))
    options.limit = limit->getAsUINT64().value_or(options.limit);
  if (std::optional<int64_t> depth = object.getInteger("channelDepth"))
    options.channelDepth = static_cast<unsigned>(*depth);
  options.captures = captures(object);
  return options;
}
