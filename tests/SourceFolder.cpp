//===- SourceFolder.cpp - Where the repository is -------------------------===//

#include "SourceFolder.h"

std::string ktir::test::sourceFolder() { return KTIR_SOURCE_DIR; }
