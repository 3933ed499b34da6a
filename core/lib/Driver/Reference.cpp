//===- Reference.cpp - What the dialects' definitions say -----------------===//

#include "Reference.h"

#include "llvm/ADT/STLExtras.h"

namespace ktir {

static constexpr ReferenceEntry entries[] = {
// Written by scripts/lib/reference.py.
#include "Reference.inc"
};

llvm::ArrayRef<ReferenceEntry> referenceEntries() { return entries; }

const ReferenceEntry *findReference(llvm::StringRef name) {
  const ReferenceEntry *found = llvm::lower_bound(
      entries, name, [](const ReferenceEntry &entry, llvm::StringRef wanted) {
        return entry.name < wanted;
      });
  return found != std::end(entries) && found->name == name ? found : nullptr;
}

} // namespace ktir
