//===- Diagnostics.cpp - MLIR diagnostics as driver values ----------------===//

#include "Diagnostics.h"
#include "ParseSource.h"
#include "RuleIds.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ConvertUTF.h"

namespace ktir {

/// The first file position reachable from `location`, outermost first.
static mlir::FileLineColRange firstPosition(mlir::Location location) {
  llvm::SmallVector<mlir::Location> pending = {location};
  while (!pending.empty()) {
    mlir::Location current = pending.pop_back_val();
    if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(current))
      return range;
    llvm::TypeSwitch<mlir::LocationAttr>(current)
        .Case(
            [&](mlir::NameLoc name) { pending.push_back(name.getChildLoc()); })
        .Case([&](mlir::CallSiteLoc call) {
          pending.push_back(call.getCaller());
          pending.push_back(call.getCallee());
        })
        .Case([&](mlir::FusedLoc fused) {
          for (mlir::Location part : llvm::reverse(fused.getLocations()))
            pending.push_back(part);
        })
        .Case([&](mlir::OpaqueLoc opaque) {
          pending.push_back(opaque.getFallbackLocation());
        })
        .Default([](mlir::LocationAttr) {});
  }
  return {};
}

SourceRange sourceRange(mlir::Location location, const SourceText &source) {
  mlir::FileLineColRange position = firstPosition(location);
  if (!position)
    return {};
  SourceRange range;
  range.file = position.getFilename().str();
  range.line = position.getStartLine();
  range.column = position.getStartColumn();
  range.endLine = position.getEndLine();
  range.endColumn = position.getEndColumn();
  const bool isPoint =
      range.line == range.endLine && range.column == range.endColumn;
  if (isPoint && range.file == source.file())
    if (std::optional<size_t> offset =
            source.offsetOf(range.line, range.column)) {
      const size_t begin = source.tokenStart(*offset);
      return source.rangeOf(begin, source.tokenEnd(begin));
    }
  return range;
}

static Severity convert(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Note:
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Note;
  }
  return Severity::Error;
}

SourceRange DiagnosticCollector::rangeOf(mlir::Location location) const {
  if (reading)
    return reading->originalRange(sourceRange(location, reading->text()));
  return sourceRange(location, source);
}

/// Messages repeat names and types of the text, of whatever length.
static void shorten(std::string &message) {
  constexpr size_t longest = 2000;
  if (message.size() <= longest)
    return;
  size_t end = longest - 3;
  while (end > 0 && (uint8_t(message[end]) & 0xC0) == 0x80)
    --end;
  message.resize(end);
  message += "...";
}

void DiagnosticCollector::add(Diagnostic diagnostic) {
  shorten(diagnostic.message);
  for (auto &note : diagnostic.notes)
    shorten(note.message);
  errorCount += diagnostic.severity == Severity::Error;
  diagnostics.push_back(std::move(diagnostic));
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context,
                                         const SourceText &source,
                                         std::vector<Diagnostic> &diagnostics)
    : source(source), diagnostics(diagnostics),
      handler(context, [this](mlir::Diagnostic &from) {
        Diagnostic to;
        to.severity = convert(from.getSeverity());
        to.range = rangeOf(from.getLocation());
        to.message = from.str();
        to.rule = takeRule(to.message);
        for (mlir::Diagnostic &note : from.getNotes())
          to.notes.push_back({rangeOf(note.getLocation()), note.str()});
        add(std::move(to));
        return mlir::success();
      }) {}

bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error)
      return true;
  return false;
}

Diagnostic plainError(std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return diagnostic;
}

/// Whether `line` can be shown as it is: text of a length that a reader and a
/// terminal can take.
static bool isShowable(llvm::StringRef line) {
  constexpr size_t longest = 1000;
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(line.data());
  return line.size() <= longest &&
         llvm::isLegalUTF8String(&begin, begin + line.size()) &&
         llvm::none_of(line, [](char c) {
           return uint8_t(c) == 0x7F || (uint8_t(c) < 0x20 && c != '\t');
         });
}

/// The source line of `range` and a marker below it.
static void renderMarker(const SourceRange &range, const SourceText &source,
                         std::string &out) {
  if (range.line == 0 || range.file != source.file())
    return;
  llvm::StringRef line = source.line(range.line);
  if (line.empty() || range.column == 0 || range.column > line.size() + 1 ||
      !isShowable(line))
    return;
  out += line.str() + "\n";
  // A tab stays a tab so that the marker stands below the token whatever its
  // width; continuation bytes of UTF-8 take no column.
  for (char c : line.take_front(range.column - 1))
    if ((uint8_t(c) & 0xC0) != 0x80)
      out += c == '\t' ? '\t' : ' ';
  out += '^';
  size_t end = range.endLine == range.line
                   ? std::min<size_t>(range.endColumn, line.size() + 1)
                   : line.size() + 1;
  for (size_t column = range.column + 1; column < end; ++column)
    if ((uint8_t(line[column - 1]) & 0xC0) != 0x80)
      out += '~';
  out += '\n';
}

static std::string positionPrefix(const SourceRange &range,
                                  const SourceText &source) {
  if (range.line == 0) {
    const std::string &file = range.file.empty() ? source.file() : range.file;
    return file.empty() ? "" : file + ": ";
  }
  return range.file + ":" + std::to_string(range.line) + ":" +
         std::to_string(range.column) + ": ";
}

std::string renderDiagnostic(const Diagnostic &diagnostic,
                             const SourceText &source) {
  static const char *const severities[] = {"error", "warning", "note"};
  std::string out = positionPrefix(diagnostic.range, source) +
                    severities[unsigned(diagnostic.severity)] + ": " +
                    diagnostic.message;
  if (!diagnostic.rule.empty())
    out += " [" + diagnostic.rule + "]";
  out += '\n';
  renderMarker(diagnostic.range, source, out);
  for (const Note &note : diagnostic.notes) {
    out += positionPrefix(note.range, source) + "note: " + note.message + '\n';
    renderMarker(note.range, source, out);
  }
  return out;
}

} // namespace ktir
