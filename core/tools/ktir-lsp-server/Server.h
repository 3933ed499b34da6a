//===- Server.h - The language server protocol ------------------*- C++ -*-===//

#ifndef KTIR_TOOLS_LSPSERVER_SERVER_H
#define KTIR_TOOLS_LSPSERVER_SERVER_H

#include "llvm/Support/LSP/Transport.h"

namespace ktir::lsp {

/// Serves one client until it says `exit` or its stream ends. Returns the exit
/// code of the process.
int serve(llvm::lsp::JSONTransport &transport);

} // namespace ktir::lsp

#endif // KTIR_TOOLS_LSPSERVER_SERVER_H
