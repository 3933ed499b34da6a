//===- main.cpp - The native `ktir` ---------------------------------------===//

#include "ktir/Driver/Driver.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <new>

/// The most bytes read from what is no regular file. Pipes and devices such as
/// /dev/zero have no size to look at first.
static constexpr size_t kMaxStreamBytes = size_t(256) << 20;

static std::optional<std::vector<uint8_t>> readStream(const std::string &path) {
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  std::vector<uint8_t> bytes;
  std::vector<char> chunk(1 << 20);
  bool complete = false;
  while (!complete && bytes.size() <= kMaxStreamBytes) {
    llvm::Expected<size_t> size = llvm::sys::fs::readNativeFile(*file, chunk);
    if (!size) {
      llvm::consumeError(size.takeError());
      break;
    }
    complete = *size == 0;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + *size);
  }
  llvm::sys::fs::closeFile(*file);
  return complete ? std::optional(std::move(bytes)) : std::nullopt;
}

static std::optional<std::vector<uint8_t>> readFile(const std::string &path) {
  if (!llvm::sys::fs::is_regular_file(path))
    return readStream(path);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  return std::vector<uint8_t>((*buffer)->getBufferStart(),
                              (*buffer)->getBufferEnd());
}

static bool write(const std::string &path, const std::string &bytes,
                  llvm::sys::fs::OpenFlags flags) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, flags);
  if (error)
    return false;
  file << bytes;
  file.close();
  if (!file.has_error())
    return true;
  file.clear_error();
  return false;
}

static bool writeFile(const std::string &path, const std::string &bytes) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return (folder.empty() || !llvm::sys::fs::create_directories(folder)) &&
         write(path, bytes, llvm::sys::fs::OF_None);
}

static bool appendFile(const std::string &path, const std::string &bytes) {
  return write(path, bytes, llvm::sys::fs::OF_Append);
}

static bool makeFolder(const std::string &path) {
  // Permissions do not tell all of it: for root they never forbid anything.
  llvm::SmallString<128> probe(path), made;
  llvm::sys::path::append(probe, ".ktir-%%%%%%%%");
  return !llvm::sys::fs::create_directories(path) &&
         !llvm::sys::fs::createUniqueFile(probe, made) &&
         !llvm::sys::fs::remove(made);
}

/// Of an allocation that failed where nothing can go on without it. Ends the
/// process as an internal error does, and allocates nothing.
[[noreturn]] static void reportOutOfMemory(void *, const char *reason, bool) {
  std::fputs("ktir: error: out of memory: ", stderr);
  std::fputs(reason, stderr);
  std::fputs("\n", stderr);
  std::_Exit(3);
}

[[noreturn]] static void reportFailedNew() {
  reportOutOfMemory(nullptr, "the host gives no more", false);
}

int main(int argc, char **argv) {
  llvm::install_bad_alloc_error_handler(reportOutOfMemory);
  std::set_new_handler(reportFailedNew);
  ktir::CommandLineHost host;
  host.readFile = readFile;
  host.writeFile = writeFile;
  host.appendFile = appendFile;
  host.makeFolder = makeFolder;
  host.out = [](const std::string &text) { llvm::outs() << text; };
  host.err = [](const std::string &text) {
    llvm::outs().flush();
    llvm::errs() << text;
  };
  const int code = ktir::runCommandLine(
      std::vector<std::string>(argv + 1, argv + argc), host);
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return code;
  // A reader that is gone wants no more; a full disk is worth a word.
  const std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (error == std::errc::broken_pipe)
    return code;
  llvm::errs() << "ktir: error: cannot write the output: " << error.message()
               << "\n";
  return 2; // as for any file that cannot be written
}
