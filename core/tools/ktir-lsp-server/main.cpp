//===- main.cpp - The language server of KTIR -----------------------------===//

#include "Server.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

static constexpr llvm::StringLiteral usage =
    "usage: ktir-lsp-server [--lit-test]\n\n"
    "Speaks the language server protocol on its standard streams.\n\n"
    "  --lit-test  read messages between lines '// -----', print them "
    "indented\n";

int main(int argc, char **argv) {
  bool isTest = false;
  for (int i = 1; i < argc; ++i) {
    const llvm::StringRef argument = argv[i];
    if (argument == "--lit-test") {
      isTest = true;
    } else if (argument == "--help") {
      llvm::outs() << usage;
      return 0;
    } else {
      llvm::errs() << "ktir-lsp-server: error: unknown option '" << argument
                   << "'\n"
                   << usage;
      return 2;
    }
  }
  llvm::sys::ChangeStdinToBinary();
  llvm::lsp::JSONTransport transport(
      stdin, llvm::outs(), isTest ? llvm::lsp::Delimited : llvm::lsp::Standard,
      isTest);
  return ktir::lsp::serve(transport);
}
