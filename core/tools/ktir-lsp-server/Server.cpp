//===- Server.cpp - The language server protocol --------------------------===//

#include "Server.h"

#include "Document.h"

#include <map>

using namespace ktir::lsp;
namespace json = llvm::json;
using llvm::lsp::Callback;

namespace {
/// What a request about a document without a place has for parameters, as far
/// as this server reads them.
using DocumentParams = llvm::lsp::DocumentSymbolParams;

class Server {
public:
  explicit Server(llvm::lsp::MessageHandler &handler);

  bool wasShutDown() const { return isShutDown; }

private:
  void onInitialize(const llvm::lsp::InitializeParams &,
                    Callback<json::Value> reply);
  void onInitialized(const llvm::lsp::InitializedParams &) {}
  void onShutdown(const llvm::lsp::NoParams &, Callback<json::Value> reply);

  void onOpen(const llvm::lsp::DidOpenTextDocumentParams &params);
  void onChange(const llvm::lsp::DidChangeTextDocumentParams &params);
  void onClose(const llvm::lsp::DidCloseTextDocumentParams &params);

  void onHover(const llvm::lsp::TextDocumentPositionParams &params,
               Callback<json::Value> reply);
  void onDefinition(const llvm::lsp::TextDocumentPositionParams &params,
                    Callback<json::Value> reply);
  void onReferences(const llvm::lsp::ReferenceParams &params,
                    Callback<json::Value> reply);
  void onSymbols(const DocumentParams &params, Callback<json::Value> reply);
  void onCompletion(const llvm::lsp::TextDocumentPositionParams &params,
                    Callback<json::Value> reply);
  void onSemanticTokens(const DocumentParams &params,
                        Callback<json::Value> reply);
  void onCodeAction(const llvm::lsp::CodeActionParams &params,
                    Callback<json::Value> reply);
  void onFormatting(const DocumentParams &params, Callback<json::Value> reply);

  const Document *find(const llvm::lsp::TextDocumentIdentifier &id) const {
    auto found = documents.find(id.uri.file().str());
    return found == documents.end() ? nullptr : &found->second;
  }

  std::map<std::string, Document> documents;
  llvm::lsp::OutgoingNotification<llvm::lsp::PublishDiagnosticsParams> publish;
  bool isShutDown = false;
};
} // namespace

Server::Server(llvm::lsp::MessageHandler &handler)
    : publish(handler.outgoingNotification<llvm::lsp::PublishDiagnosticsParams>(
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

void Server::onOpen(const llvm::lsp::DidOpenTextDocumentParams &params) {
  const auto &item = params.textDocument;
  auto document = documents.try_emplace(item.uri.file().str(), item.uri).first;
  document->second.setText(item.text);
  publish(document->second.diagnostics(item.version));
}

void Server::onChange(const llvm::lsp::DidChangeTextDocumentParams &params) {
  auto document = documents.find(params.textDocument.uri.file().str());
  if (document == documents.end() || params.contentChanges.empty())
    return;
  // Changes are whole texts, as `initialize` says.
  document->second.setText(params.contentChanges.back().text);
  publish(document->second.diagnostics(params.textDocument.version));
}

void Server::onClose(const llvm::lsp::DidCloseTextDocumentParams &params) {
  documents.erase(params.textDocument.uri.file().str());
  publish(llvm::lsp::PublishDiagnosticsParams(params.textDocument.uri, 0));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Server::onHover(const llvm::lsp::TextDocumentPositionParams &params,
                     Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->hover(params.position) : json::Value(nullptr));
}

void Server::onDefinition(const llvm::lsp::TextDocumentPositionParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->definition(params.position)
                 : json::Value(nullptr));
}

void Server::onReferences(const llvm::lsp::ReferenceParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->references(params.position,
                                        params.context.includeDeclaration)
                 : json::Value(nullptr));
}

void Server::onSymbols(const DocumentParams &params,
                       Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->symbols() : json::Value(nullptr));
}

void Server::onCompletion(const llvm::lsp::TextDocumentPositionParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->completion(params.position)
                 : json::Value(nullptr));
}

void Server::onSemanticTokens(const DocumentParams &params,
                              Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->semanticTokens() : json::Value(nullptr));
}

void Server::onCodeAction(const llvm::lsp::CodeActionParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->codeActions(params.range) : json::Value(nullptr));
}

void Server::onFormatting(const DocumentParams &params,
                          Callback<json::Value> reply) {
  const Document *document = find(params.textDocument);
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
