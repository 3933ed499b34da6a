//===- NumberLists.h - Numbered lists of numbers ----------------*- C++ -*-===//

#ifndef KTIR_LIB_EXEC_NUMBERLISTS_H
#define KTIR_LIB_EXEC_NUMBERLISTS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ktir::exec {

/// Lists of numbers, each with a number of its own; 0 is that of the empty
/// list.
class NumberLists {
public:
  NumberLists() { clear(); }

  /// A new number for `list`, which must not be one that `get` returned.
  uint32_t append(llvm::ArrayRef<uint32_t> list);
  /// The number of `list` if this was asked for before, else a new one.
  uint32_t intern(llvm::ArrayRef<uint32_t> list);
  /// The list `number`; valid until the next one is added.
  llvm::ArrayRef<uint32_t> get(uint32_t number) const {
    return llvm::ArrayRef(numbers).slice(begins[number],
                                         begins[number + 1] - begins[number]);
  }
  /// How many lists there are, with the empty one.
  size_t size() const { return begins.size() - 1; }
  /// Bytes of storage.
  uint64_t bytes() const {
    return numbers.capacity() * sizeof(uint32_t) +
           begins.capacity() * sizeof(size_t) + table.size() * sizeof(uint32_t);
  }
  /// Leaves the empty list only.
  void clear();

private:
  uint32_t &place(llvm::ArrayRef<uint32_t> list);
  void grow();

  std::vector<uint32_t> numbers;
  std::vector<size_t> begins;
  /// A hash table of the numbers of lists that are interned, at most half full;
  /// 0: free.
  std::vector<uint32_t> table;
  size_t interned = 0;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_NUMBERLISTS_H
