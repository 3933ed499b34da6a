//===- SourceFolder.h - Where the repository is ---------------------------===//

#pragma once

#include <string>

namespace ktir::test {

/// The folder of the repository that the tests were built from, absolute. Its
/// own object file keeps it out of all others, which are then the same
/// wherever the repository lies, and compiler caches know them.
std::string sourceFolder();

} // namespace ktir::test
