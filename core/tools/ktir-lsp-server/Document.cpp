//===- Document.cpp - An open document in the protocol's terms ------------===//

#include "Document.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>
#include <tuple>

using namespace ktir;
using namespace ktir::lsp;
namespace json = llvm::json;

/// Devices that a program imports.
static std::optional<std::vector<uint8_t>> readFile(const std::string &path) {
  if (!llvm::sys::fs::is_regular_file(path))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  return std::vector<uint8_t>((*buffer)->getBufferStart(),
                              (*buffer)->getBufferEnd());
}

static CompileOptions optionsFor(llvm::StringRef path) {
  CompileOptions options;
  options.fileName = path.str();
  options.readFile = readFile;
  return options;
}

/// Bytes that are written as `%41` for themselves.
static std::string percentDecode(llvm::StringRef text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte = uint8_t(text[i]);
    if (text[i] == '%' && i + 2 < text.size() &&
        llvm::tryGetHexFromNibbles(text[i + 1], text[i + 2], byte))
      i += 2;
    decoded += char(byte);
  }
  return decoded;
}

static std::string fileOf(const std::string &uri) {
  llvm::Expected<llvm::lsp::URIForFile> file =
      llvm::lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  // `untitled:Untitled-1`, `vscode-vfs://github/folder/a.mlir`.
  llvm::StringRef path = llvm::StringRef(uri).split(':').second;
  if (path.consume_front("//") && path.contains('/'))
    path = path.substr(path.find('/'));
  path = path.take_front(path.find_first_of("?#"));
  return path.empty() ? uri : percentDecode(path);
}

Document::Document(std::string uri)
    : uri(std::move(uri)), file(fileOf(this->uri)), service(optionsFor(file)) {}

void Document::setText(const std::string &newText) {
  text = newText;
  lineStarts = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lineStarts.push_back(i + 1);
  service.update(text);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

llvm::StringRef Document::line(unsigned number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  return llvm::StringRef(text).substr(lineStarts[number - 1]).split('\n').first;
}

/// UTF-16 code units of the character that starts with `byte`; 0 for any other
/// byte of it.
static unsigned unitsOf(char byte) {
  if ((uint8_t(byte) & 0xC0) == 0x80)
    return 0;
  return uint8_t(byte) >= 0xF0 ? 2 : 1;
}

int Document::unitsBefore(unsigned number, unsigned column) const {
  int units = 0;
  for (char byte : line(number).take_front(column ? column - 1 : 0))
    units += unitsOf(byte);
  return units;
}

TextPosition Document::toPosition(llvm::lsp::Position position) const {
  TextPosition result;
  result.line = unsigned(position.line) + 1;
  int units = 0;
  unsigned column = 1;
  for (char byte : line(result.line)) {
    units += unitsOf(byte);
    if (units > position.character)
      break;
    ++column;
  }
  result.column = column;
  return result;
}

llvm::lsp::Range Document::toRange(const SourceRange &range) const {
  if (range.line == 0)
    return llvm::lsp::Range();
  return llvm::lsp::Range(
      {int(range.line) - 1, unitsBefore(range.line, range.column)},
      {int(range.endLine) - 1, unitsBefore(range.endLine, range.endColumn)});
}

json::Value Document::toLocation(const SourceRange &range) const {
  return json::Object{{"uri", uri}, {"range", toRange(range)}};
}

json::Value
Document::toLocations(const std::vector<SourceRange> &ranges) const {
  json::Array locations;
  for (const SourceRange &range : ranges)
    locations.push_back(toLocation(range));
  return locations;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

json::Value Document::toDiagnostic(const Diagnostic &diagnostic) const {
  llvm::lsp::Diagnostic entry;
  // What has no place in this document is shown at its start.
  if (diagnostic.range.file == file)
    entry.range = toRange(diagnostic.range);
  entry.severity = diagnostic.severity == Severity::Error
                       ? llvm::lsp::DiagnosticSeverity::Error
                   : diagnostic.severity == Severity::Warning
                       ? llvm::lsp::DiagnosticSeverity::Warning
                       : llvm::lsp::DiagnosticSeverity::Information;
  entry.source = "ktir";
  entry.message = json::fixUTF8(diagnostic.message);
  if (!diagnostic.rule.empty())
    entry.message += " [" + diagnostic.rule + "]";
  json::Array notes;
  for (const Note &note : diagnostic.notes)
    if (note.range.line && note.range.file == file)
      notes.push_back(json::Object{{"location", toLocation(note.range)},
                                   {"message", json::fixUTF8(note.message)}});
  json::Value result = toJSON(entry);
  // The protocol's own type of a location takes files only.
  if (!notes.empty())
    (*result.getAsObject())["relatedInformation"] = std::move(notes);
  return result;
}

json::Value Document::diagnostics(int64_t version) const {
  json::Array found;
  for (const Diagnostic &diagnostic : service.diagnostics())
    found.push_back(toDiagnostic(diagnostic));
  return json::Object{
      {"uri", uri}, {"version", version}, {"diagnostics", std::move(found)}};
}

json::Value Document::hover(llvm::lsp::Position position) const {
  std::optional<HoverInfo> found = service.hover(toPosition(position));
  if (!found)
    return nullptr;
  llvm::lsp::Hover hover(toRange(found->range));
  hover.contents.value = json::fixUTF8(found->text);
  return hover;
}

json::Value Document::definition(llvm::lsp::Position position) const {
  return toLocations(service.definition(toPosition(position)));
}

json::Value Document::references(llvm::lsp::Position position,
                                 bool withDefinition) const {
  return toLocations(service.references(toPosition(position), withDefinition));
}

json::Value Document::symbols() const {
  static constexpr llvm::lsp::SymbolKind kinds[] = {
      llvm::lsp::SymbolKind::Module, llvm::lsp::SymbolKind::Function,
      llvm::lsp::SymbolKind::Method, llvm::lsp::SymbolKind::Variable,
      llvm::lsp::SymbolKind::Constant};
  const std::vector<DocumentSymbol> symbols = service.symbols();
  // Children follow their parents, so from the end each is complete when it is
  // moved into the one around it.
  std::vector<std::vector<llvm::lsp::DocumentSymbol>> children(symbols.size() +
                                                               1);
  for (size_t i = symbols.size(); i-- > 0;) {
    llvm::lsp::DocumentSymbol entry(
        json::fixUTF8(symbols[i].name), kinds[unsigned(symbols[i].kind)],
        toRange(symbols[i].range), toRange(symbols[i].nameRange));
    entry.detail = symbols[i].detail;
    for (llvm::lsp::DocumentSymbol &child : llvm::reverse(children[i + 1]))
      entry.children.emplace_back(std::move(child));
    children[symbols[i].parent + 1].push_back(std::move(entry));
  }
  json::Array result;
  for (auto entry = children[0].rbegin(); entry != children[0].rend(); ++entry)
    result.push_back(*entry);
  return result;
}

json::Value Document::completion(llvm::lsp::Position position) const {
  using Kind = llvm::lsp::CompletionItemKind;
  static constexpr Kind kinds[] = {Kind::Function, Kind::Variable, Kind::Class,
                                   Kind::Property, Kind::Constant, Kind::Value,
                                   Kind::Method,   Kind::Reference};
  const CompletionList found = service.completion(toPosition(position));
  llvm::lsp::CompletionList list;
  for (auto [number, item] : llvm::enumerate(found.items)) {
    std::string order = std::to_string(number);
    order.insert(0, order.size() < 6 ? 6 - order.size() : 0, '0');
    llvm::lsp::CompletionItem entry(json::fixUTF8(item.label),
                                    kinds[unsigned(item.kind)], order);
    entry.detail = json::fixUTF8(item.detail);
    if (!item.documentation.empty())
      entry.documentation = llvm::lsp::MarkupContent{
          llvm::lsp::MarkupKind::Markdown, item.documentation};
    entry.textEdit = llvm::lsp::TextEdit();
    entry.textEdit->range = toRange(found.range);
    entry.textEdit->newText = entry.label;
    list.items.push_back(std::move(entry));
  }
  return list;
}

json::Value Document::semanticTokens() const {
  json::Array data;
  int line = 0, column = 0;
  for (const SemanticToken &token : service.semanticTokens()) {
    const int ownLine = int(token.line) - 1;
    const int begin = unitsBefore(token.line, token.column);
    const int end = unitsBefore(token.line, token.column + token.length);
    // Places count from the token before.
    data.push_back(ownLine - line);
    data.push_back(ownLine == line ? begin - column : begin);
    data.push_back(end - begin);
    data.push_back(unsigned(token.type));
    data.push_back(token.isDefinition ? 1 : 0);
    line = ownLine;
    column = begin;
  }
  return json::Object{{"data", std::move(data)}};
}

json::Value Document::toAction(std::string title,
                               llvm::ArrayRef<const Diagnostic *> mendable,
                               bool isPreferred) const {
  llvm::lsp::CodeAction action;
  action.title = std::move(title);
  action.kind = llvm::lsp::CodeAction::kQuickFix.str();
  action.isPreferred = isPreferred;
  action.edit.emplace();
  json::Array diagnostics;
  std::vector<llvm::lsp::TextEdit> &edits = action.edit->changes[uri];
  for (const Diagnostic *diagnostic : mendable) {
    diagnostics.push_back(toDiagnostic(*diagnostic));
    for (const TextEdit &edit : diagnostic->edits)
      edits.push_back({toRange(edit.range), json::fixUTF8(edit.text)});
  }
  // Findings may share edits.
  std::set<std::tuple<int, int, int, int, std::string>> seen;
  llvm::erase_if(edits, [&](const llvm::lsp::TextEdit &edit) {
    const llvm::lsp::Range &range = edit.range;
    return !seen.insert({range.start.line, range.start.character,
                         range.end.line, range.end.character, edit.newText})
                .second;
  });
  json::Value result = toJSON(action);
  (*result.getAsObject())["diagnostics"] = std::move(diagnostics);
  return result;
}

json::Value Document::codeActions(llvm::lsp::Range range) const {
  std::vector<const Diagnostic *> mendable, here;
  for (const Diagnostic &diagnostic : service.diagnostics()) {
    if (diagnostic.edits.empty())
      continue;
    mendable.push_back(&diagnostic);
    const llvm::lsp::Range own = toRange(diagnostic.range);
    if (!(own.end < range.start) && !(range.end < own.start))
      here.push_back(&diagnostic);
  }
  json::Array actions;
  for (const Diagnostic *diagnostic : here)
    actions.push_back(toAction("Rewrite: " + json::fixUTF8(diagnostic->message),
                               {diagnostic}, /*isPreferred=*/true));
  if (!here.empty() && mendable.size() > 1)
    actions.push_back(toAction("Rewrite every older form", mendable,
                               /*isPreferred=*/false));
  return actions;
}

json::Value Document::formatting() const {
  json::Array edits;
  FormatResult formatted = format(text, file);
  if (formatted.text && *formatted.text != text) {
    const unsigned last = unsigned(lineStarts.size());
    const llvm::lsp::Position end(int(last) - 1,
                                  unitsBefore(last, line(last).size() + 1));
    edits.push_back(
        llvm::lsp::TextEdit{{{0, 0}, end}, json::fixUTF8(*formatted.text)});
  }
  return edits;
}

json::Value Document::semanticTokensLegend() {
  // In the order of `TokenType`.
  return json::Object{
      {"tokenTypes",
       json::Array{"method", "parameter", "variable", "function", "label",
                   "macro", "type", "keyword", "number", "string", "comment"}},
      {"tokenModifiers", json::Array{"definition"}}};
}
