//===- Server.cpp - The language server protocol --------------------------===//

#include "Server.h"

#include "Document.h"

#include <map>

using namespace ktir::lsp;
namespace json = llvm::json;
using llvm::lsp::Callback;

namespace {
// Parameters as far as this server reads them. Those of the protocol's library
// take URIs of files only, and editors have documents without one.

struct DocumentParams {
  std::string uri;
  int64_t version = 0;
  std::string text;
};

struct PositionParams : DocumentParams {
  llvm::lsp::Position position;
};

struct ReferencesParams : PositionParams {
  llvm::lsp::ReferenceContext context;
};

struct RangeParams : DocumentParams {
  llvm::lsp::Range range;
};

struct ChangeParams : DocumentParams {
  std::vector<llvm::lsp::TextDocumentContentChangeEvent> contentChanges;
};

/// The field `textDocument`.
bool readDocument(const json::Value &value, DocumentParams &params,
                  json::Path path) {
  json::ObjectMapper outer(value, path);
  const json::Object *object = value.getAsObject();
  const json::Value *document = object ? object->get("textDocument") : nullptr;
  if (!outer || !document) {
    path.field("textDocument").report("missing value");
    return false;
  }
  json::ObjectMapper fields(*document, path.field("textDocument"));
  return fields && fields.map("uri", params.uri) &&
         fields.mapOptional("version", params.version) &&
         fields.mapOptional("text", params.text);
}

bool fromJSON(const json::Value &value, DocumentParams &params,
              json::Path path) {
  return readDocument(value, params, path);
}

bool fromJSON(const json::Value &value, PositionParams &params,
              json::Path path) {
  json::ObjectMapper fields(value, path);
  return readDocument(value, params, path) && fields &&
         fields.map("position", params.position);
}

bool fromJSON(const json::Value &value, ReferencesParams &params,
              json::Path path) {
  json::ObjectMapper fields(value, path);
  return readDocument(value, params, path) && fields &&
         fields.map("position", params.position) &&
         fields.mapOptional("context", params.context);
}

bool fromJSON(const json::Value &value, RangeParams &params, json::Path path) {
  json::ObjectMapper fields(value, path);
  return readDocument(value, params, path) && fields &&
         fields.map("range", params.range);
}

bool fromJSON(const json::Value &value, ChangeParams &params, json::Path path) {
  json::ObjectMapper fields(value, path);
  return readDocument(value, params, path) && fields &&
         fields.map("contentChanges", params.contentChanges);
}

class Server {
public:
  explicit Server(llvm::lsp::MessageHandler &handler);

  bool wasShutDown() const { return isShutDown; }

private:
  void onInitialize(const llvm::lsp::InitializeParams &,
                    Callback<json::Value> reply);
  void onInitialized(const llvm::lsp::InitializedParams &) {}
  void onShutdown(const llvm::lsp::NoParams &, Callback<json::Value> reply);

  void onOpen(const DocumentParams &params);
  void onChange(const ChangeParams &params);
  void onClose(const DocumentParams &params);

  void onHover(const PositionParams &params, Callback<json::Value> reply);
  void onDefinition(const PositionParams &params, Callback<json::Value> reply);
  void onReferences(const ReferencesParams &params,
                    Callback<json::Value> reply);
  void onSymbols(const DocumentParams &params, Callback<json::Value> reply);
  void onCompletion(const PositionParams &params, Callback<json::Value> reply);
  void onSemanticTokens(const DocumentParams &params,
                        Callback<json::Value> reply);
  void onCodeAction(const RangeParams &params, Callback<json::Value> reply);
  void onFormatting(const DocumentParams &params, Callback<json::Value> reply);

  const Document *find(const DocumentParams &params) const {
    auto found = documents.find(params.uri);
    return found == documents.end() ? nullptr : &found->second;
  }

  std::map<std::string, Document> documents;
  llvm::lsp::OutgoingNotification<json::Value> publish;
  bool isShutDown = false;
};
} // namespace

Server::Server(llvm::lsp::MessageHandler &handler)
    : publish(handler.outgoingNotification<json::Value>(
          "textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/references", this, &Server::onReferences);
  handler.method("textDocument/documentSymbol", this, &Server::onSymbols);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/semanticTokens/full", this,
                 &Server::onSemanticTokens);
  handler.method("textDocument/codeAction", this, &Server::onCodeAction);
  handler.method("textDocument/formatting", this, &Server::onFormatting);
}

//===----------------------------------------------------------------------===//
// Life of the server
//===----------------------------------------------------------------------===//

void Server::onInitialize(const llvm::lsp::InitializeParams &,
                          Callback<json::Value> reply) {
  constexpr int wholeText = 1;
  json::Object sync{{"openClose", true}, {"change", wholeText}};
  json::Object completion{
      {"triggerCharacters", json::Array{"%", "#", "!", "@", "^", "."}}};
  json::Object tokens{{"legend", Document::semanticTokensLegend()},
                      {"full", true}};
  json::Object capabilities{
      {"textDocumentSync", std::move(sync)},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentSymbolProvider", true},
      {"completionProvider", std::move(completion)},
      {"semanticTokensProvider", std::move(tokens)},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"documentFormattingProvider", true},
  };
  json::Object info{{"name", "ktir-lsp-server"}, {"version", ktir::version()}};
  reply(json::Object{{"serverInfo", std::move(info)},
                     {"capabilities", std::move(capabilities)}});
}

void Server::onShutdown(const llvm::lsp::NoParams &,
                        Callback<json::Value> reply) {
  isShutDown = true;
  reply(nullptr);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Server::onOpen(const DocumentParams &params) {
  auto document = documents.try_emplace(params.uri, params.uri).first;
  document->second.setText(params.text);
  publish(document->second.diagnostics(params.version));
}

void Server::onChange(const ChangeParams &params) {
  auto document = documents.find(params.uri);
  if (document == documents.end() || params.contentChanges.empty())
    return;
  // Changes are whole texts, as `initialize` says.
  document->second.setText(params.contentChanges.back().text);
  publish(document->second.diagnostics(params.version));
}

void Server::onClose(const DocumentParams &params) {
  documents.erase(params.uri);
  publish(json::Object{{"uri", params.uri}, {"diagnostics", json::Array()}});
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Server::onHover(const PositionParams &params,
                     Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->hover(params.position) : json::Value(nullptr));
}

void Server::onDefinition(const PositionParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->definition(params.position)
                 : json::Value(nullptr));
}

void Server::onReferences(const ReferencesParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->references(params.position,
                                        params.context.includeDeclaration)
                 : json::Value(nullptr));
}

void Server::onSymbols(const DocumentParams &params,
                       Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->symbols() : json::Value(nullptr));
}

void Server::onCompletion(const PositionParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->completion(params.position)
                 : json::Value(nullptr));
}

void Server::onSemanticTokens(const DocumentParams &params,
                              Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->semanticTokens() : json::Value(nullptr));
}

void Server::onCodeAction(const RangeParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->codeActions(params.range) : json::Value(nullptr));
}

void Server::onFormatting(const DocumentParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params);
  reply(document ? document->formatting() : json::Value(nullptr));
}

int ktir::lsp::serve(llvm::lsp::JSONTransport &transport) {
  llvm::lsp::MessageHandler handler(transport);
  Server server(handler);
  if (llvm::Error error = transport.run(handler)) {
    llvm::lsp::Logger::error("{0}", llvm::toString(std::move(error)));
    return 1;
  }
  return server.wasShutDown() ? 0 : 1;
}
