//===- Values.h - What operand slots hold -----------------------*- C++ -*-===//
//
// Run-time values of a program: tensors and vectors over shared buffers, memory
// views and access tiles. Scalars are plain 64-bit slots: integers
// sign-extended (`i1` as 0 or 1), floats as the bits of their element type.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_VALUES_H
#define KTIR_LIB_EXEC_VALUES_H

#include "Affine.h"
#include "ktir/Exec/Memory.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace ktir::exec {

/// Bytes of live tensors in one scratchpad.
struct ScratchAccount {
  uint64_t live = 0;
  uint64_t peak = 0;
};

/// A counted reference to a block of bytes. Not thread safe, except that
/// immortal buffers (constants of a program) are never counted.
class Buffer {
public:
  Buffer() = default;
  Buffer(const Buffer &other) : block(other.block) { retain(); }
  Buffer(Buffer &&other) noexcept
      : block(std::exchange(other.block, nullptr)) {}
  Buffer &operator=(Buffer other) noexcept {
    std::swap(block, other.block);
    return *this;
  }
  ~Buffer() { release(); }

  /// `bytes` uninitialised bytes, charged to `account` unless that is null.
  static Buffer allocate(uint64_t bytes, ScratchAccount *account) {
    auto *block = static_cast<Block *>(std::malloc(sizeof(Block) + bytes));
    block->account = account;
    block->bytes = bytes;
    block->references = 1;
    if (account) {
      account->live += bytes;
      account->peak = std::max(account->peak, account->live);
    }
    return Buffer(block);
  }

  /// Stops counting references; the caller keeps one that frees the block.
  void makeImmortal() { block->references = immortal; }
  void destroyImmortal() {
    std::free(block);
    block = nullptr;
  }

  explicit operator bool() const { return block; }
  /// True when this is the only reference, so that no one sees a change.
  bool isUnique() const { return block && block->references == 1; }
  uint8_t *data() const { return reinterpret_cast<uint8_t *>(block + 1); }
  uint64_t size() const { return block->bytes; }

private:
  static constexpr uint64_t immortal = ~uint64_t(0);
  struct alignas(16) Block {
    ScratchAccount *account;
    uint64_t bytes;
    uint64_t references;
  };
  explicit Buffer(Block *block) : block(block) {}
  void retain() {
    if (block && block->references != immortal)
      ++block->references;
  }
  void release() {
    if (!block || block->references == immortal || --block->references)
      return;
    if (block->account)
      block->account->live -= block->bytes;
    std::free(block);
  }
  Block *block = nullptr;
};

/// A tensor or vector: dense row-major elements. Without data it is a
/// `tensor.empty`, whose elements are undefined (ktir.md UP-2).
struct Tensor {
  Buffer data;
  llvm::SmallVector<int64_t, 4> shape;

  bool isUndefined() const { return !data; }
  int64_t elements() const {
    int64_t n = 1;
    for (int64_t extent : shape)
      n *= extent;
    return n;
  }
};

/// A view on a memory. Element at coordinate c lies at byte
/// `base + sum(c[k] * strides[k])`, or at `base + layout(c) * elementBytes`
/// when the layout is not linear.
struct View {
  AddressSpace *space = nullptr;
  int64_t base = 0;
  unsigned elementBytes = 0;
  /// True at level ktir, where coordinates outside the view read as zero and
  /// are not written (ktir.md §4.3); otherwise they are plain addresses.
  bool pads = false;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides; ///< bytes
  const CompiledExpr *layout = nullptr;
};

/// Coordinates of a view in the order in which their elements are packed: the
/// box `start .. start + extent - 1` traversed with `order[0]` slowest, or
/// explicit points.
struct Selection {
  llvm::SmallVector<int64_t, 4> start;  ///< per view dimension
  llvm::SmallVector<int64_t, 4> extent; ///< per view dimension
  llvm::SmallVector<unsigned, 4> order; ///< view dimensions, slowest first
  /// When set, rank coordinates for each point, relative to `start`; `extent`
  /// and `order` are not used.
  std::shared_ptr<const std::vector<int64_t>> points;

  int64_t count() const {
    if (points)
      return start.empty() ? 1 : points->size() / start.size();
    int64_t n = 1;
    for (int64_t e : extent)
      n *= e;
    return n;
  }
};

/// An access tile: a selection of a view, shaped like the tensor it loads.
struct Tile {
  View view;
  Selection selection;
  llvm::SmallVector<int64_t, 4> shape;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_VALUES_H
