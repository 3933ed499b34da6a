//===- Document.h - An open document in the protocol's terms ----*- C++ -*-===//

#ifndef KTIR_TOOLS_LSPSERVER_DOCUMENT_H
#define KTIR_TOOLS_LSPSERVER_DOCUMENT_H

#include "ktir/Driver/LanguageService.h"

#include "llvm/Support/LSP/Protocol.h"

namespace ktir::lsp {

/// The answers of a language service as the protocol writes them: lines and
/// columns from 0, columns in UTF-16 code units.
class Document {
public:
  /// `uri` as the client writes it, of any scheme. The program's file is that
  /// of the URI; of a scheme without files, what the URI has for a path.
  explicit Document(std::string uri);

  void setText(const std::string &newText);

  llvm::json::Value diagnostics(int64_t version) const;
  llvm::json::Value hover(llvm::lsp::Position position) const;
  llvm::json::Value definition(llvm::lsp::Position position) const;
  llvm::json::Value references(llvm::lsp::Position position,
                               bool withDefinition) const;
  llvm::json::Value symbols() const;
  llvm::json::Value completion(llvm::lsp::Position position) const;
  llvm::json::Value semanticTokens() const;
  /// Rewrites what was found in `range` and can be mended, one by one, and all
  /// that can be mended at once.
  llvm::json::Value codeActions(llvm::lsp::Range range) const;
  /// The edit that gives the canonical strict form; none where the text has an
  /// error.
  llvm::json::Value formatting() const;

  /// What the numbers of `semanticTokens` mean.
  static llvm::json::Value semanticTokensLegend();

private:
  llvm::StringRef line(unsigned number) const;
  int unitsBefore(unsigned line, unsigned column) const;
  TextPosition toPosition(llvm::lsp::Position position) const;
  llvm::lsp::Range toRange(const SourceRange &range) const;
  llvm::json::Value toLocations(const std::vector<SourceRange> &ranges) const;
  llvm::json::Value toLocation(const SourceRange &range) const;
  llvm::json::Value toDiagnostic(const Diagnostic &diagnostic) const;
  llvm::json::Value toAction(std::string title,
                             llvm::ArrayRef<const Diagnostic *> mendable,
                             bool isPreferred) const;

  std::string uri;
  std::string file;
  LanguageService service;
  std::string text;
  std::vector<size_t> lineStarts;
};

} // namespace ktir::lsp

#endif // KTIR_TOOLS_LSPSERVER_DOCUMENT_H
