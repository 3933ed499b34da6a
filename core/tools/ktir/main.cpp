//===- main.cpp - The native `ktir` ---------------------------------------===//

#include "ktir/Driver/Driver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

static std::optional<std::vector<uint8_t>> readFile(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  return std::vector<uint8_t>((*buffer)->getBufferStart(),
                              (*buffer)->getBufferEnd());
}

static bool writeFile(const std::string &path, const std::string &bytes) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && llvm::sys::fs::create_directories(folder))
    return false;
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_None);
  if (error)
    return false;
  file << bytes;
  file.close();
  if (!file.has_error())
    return true;
  file.clear_error();
  return false;
}

int main(int argc, char **argv) {
  ktir::CommandLineHost host;
  host.readFile = readFile;
  host.writeFile = writeFile;
  host.out = [](const std::string &text) { llvm::outs() << text; };
  host.err = [](const std::string &text) {
    llvm::outs().flush();
    llvm::errs() << text;
  };
  return ktir::runCommandLine(std::vector<std::string>(argv + 1, argv + argc),
                              host);
}
