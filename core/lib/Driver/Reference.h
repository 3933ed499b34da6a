//===- Reference.h - What the dialects' definitions say ---------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_REFERENCE_H
#define KTIR_LIB_DRIVER_REFERENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ktir {

/// An operation of any dialect that a program may use, or a type or attribute
/// of KTIR.
struct ReferenceEntry {
  llvm::StringRef name;        ///< `ktdp.load`, `!ktdp.access_tile`
  llvm::StringRef summary;     ///< a line
  llvm::StringRef description; ///< markdown; empty for MLIR's own dialects
};

/// All entries in the order of their names.
llvm::ArrayRef<ReferenceEntry> referenceEntries();

/// The entry called `name`; null without one.
const ReferenceEntry *findReference(llvm::StringRef name);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_REFERENCE_H
