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
#include <string>
#include <utility>

namespace ktir::exec {

/// Something that takes room in a scratchpad: the op it came from, and bytes.
struct Occupant {
  uint32_t site;
  uint64_t bytes;
};

struct BufferBlock;

/// Blocks that buffers of a run gave back, for its next ones: most live for a
/// few instructions and have few sizes. Without it a host may return the memory
/// to its system each time, and fetch it again page by page.
class BufferPool {
public:
  BufferPool() = default;
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool();

  /// A block for `bytes` bytes in all, of any content, that starts a cache
  /// line; null when the host has no memory.
  void *take(uint64_t bytes);
  /// Takes back a block that was taken for `bytes` bytes.
  void give(void *block, uint64_t bytes);

  static constexpr uint64_t alignment = 64;
  /// Larger blocks are not kept, nor is what goes beyond some megabytes.
  static constexpr uint64_t maxBlockBytes = uint64_t(4) << 20;
  static constexpr uint64_t maxKeptBytes = uint64_t(16) << 20;

private:
  /// Sizes grow by a third or a half from class to class.
  static constexpr unsigned numClasses = 32;
  static unsigned classOf(uint64_t bytes);
  static uint64_t sizeOf(unsigned number);

  struct Free {
    Free *next;
  };
  Free *lists[numClasses] = {};
  uint64_t kept = 0;
};

/// What one scratchpad holds: live tensors, and the bytes that views on it
/// cover, in one address space (ktir.md §8.14).
class ScratchAccount {
public:
  /// Bytes taken now, and the most so far.
  uint64_t total() const { return live + covered; }
  uint64_t peak() const { return highest; }
  /// What was there at the peak, oldest first, views before tensors.
  std::vector<Occupant> atPeak() const;
  std::vector<Occupant> now() const;

  /// Notes a view on bytes `begin .. end - 1`; returns how many of them no
  /// earlier view covers.
  uint64_t cover(uint64_t begin, uint64_t end, uint32_t site);

  /// Charges `block`, which stays where it is until it is removed.
  void add(BufferBlock &block);
  void remove(BufferBlock &block);

private:
  void raise() {
    if (total() > highest) {
      highest = total();
      listed = false;
    }
  }

  uint64_t live = 0, covered = 0, highest = 0;
  BufferBlock *newest = nullptr;
  struct Range {
    uint64_t begin, end;
  };
  std::vector<Range> ranges; ///< disjoint
  std::vector<Occupant> views;
  /// What was there at the peak, once it is left; until then it is there still.
  std::vector<Occupant> list;
  bool listed = false;
};

/// Head of a block of bytes.
struct alignas(16) BufferBlock {
  ScratchAccount *account;
  BufferPool *pool; ///< of the block, or null
  uint64_t bytes;
  uint64_t references;
  BufferBlock *older, *newer; ///< of the account
  uint32_t site;
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
  ~Buffer() {
    if (block) // most have been moved from
      release();
  }

  /// `bytes` uninitialised bytes made by the op `site`, charged to `account`
  /// unless that is null. They come from `pool`, which outlives them, if there
  /// is one.
  static Buffer allocate(uint64_t bytes, ScratchAccount *account,
                         uint32_t site = 0, BufferPool *pool = nullptr) {
    uint64_t all = sizeof(BufferBlock) + bytes;
    auto *block =
        static_cast<BufferBlock *>(pool ? pool->take(all) : std::malloc(all));
    if (!block)
      endProcess(bytes);
    *block = {account, pool, bytes, 1, nullptr, nullptr, site};
    if (account)
      account->add(*block);
    return Buffer(block);
  }

  /// Charges a buffer that is not charged yet to `account`.
  void charge(ScratchAccount &account) {
    block->account = &account;
    account.add(*block);
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
  /// Ends the process by LLVM's handler of bad allocations: the host has no
  /// memory for `bytes` bytes.
  [[noreturn]] static void endProcess(uint64_t bytes);
  static constexpr uint64_t immortal = ~uint64_t(0);
  explicit Buffer(BufferBlock *block) : block(block) {}
  void retain() {
    if (block && block->references != immortal)
      ++block->references;
  }
  void release() {
    if (block->references == immortal || --block->references)
      return;
    if (block->account)
      block->account->remove(*block);
    if (block->pool)
      block->pool->give(block, sizeof(BufferBlock) + block->bytes);
    else
      std::free(block);
  }
  BufferBlock *block = nullptr;
};

inline void ScratchAccount::add(BufferBlock &block) {
  live += block.bytes;
  block.older = newest;
  if (newest)
    newest->newer = &block;
  newest = &block;
  raise();
}

inline void ScratchAccount::remove(BufferBlock &block) {
  if (total() == highest && !listed) {
    list = now();
    listed = true;
  }
  live -= block.bytes;
  (block.newer ? block.newer->older : newest) = block.older;
  if (block.older)
    block.older->newer = block.newer;
}

/// A tensor or vector: dense row-major elements. Without data it is a
/// `tensor.empty`, whose elements are undefined (ktir.md UP-2).
struct Tensor {
  Buffer data;
  llvm::SmallVector<int64_t, 4> shape;
  /// Of a tensor without data: what a delivery gives a tile that it does not
  /// serve (ktir.md §4.10).
  bool isForOthers = false;

  bool isUndefined() const { return !data; }
  int64_t elements() const {
    int64_t n = 1;
    for (int64_t extent : shape)
      n *= extent;
    return n;
  }
};

/// "4x64"; "()" without dimensions.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Most elements of a tensor: far above a scratchpad, and few enough that one
/// op on it does not delay a cancellation.
inline constexpr int64_t maxTensorElements = int64_t(1) << 26;

struct Distribution;

/// A view on a memory. Element at coordinate c lies at byte
/// `base + sum(c[k] * strides[k])`, or at `base + layout(c) * elementBytes`
/// when the layout is not linear. Without `space` it is a view on the elements
/// of `tensor`, or one of the coordinates of `distribution`.
struct View {
  AddressSpace *space = nullptr;
  Buffer tensor;
  /// `tensor` is absent for it was delivered to other tiles.
  bool isForOthers = false;
  int64_t base = 0;
  unsigned elementBytes = 0;
  /// True at level ktir, where coordinates outside the view read as zero and
  /// are not written (ktir.md §4.3); otherwise they are plain addresses.
  bool pads = false;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides; ///< bytes
  const CompiledExpr *layout = nullptr;
  /// The coordinates of a larger tensor that the view holds, with the values
  /// of the set's symbols; of meaning in a distributed view (ktir.md §4.3).
  const CompiledSet *coordinates = nullptr;
  llvm::SmallVector<int64_t, 2> coordinateSymbols;
  /// Of a subview, which holds what of that set its elements are: how far its
  /// first element is behind the least coordinate of the set.
  llvm::SmallVector<int64_t, 0> coordinateOffset;
  /// Of a distributed view or a part of one: what it consists of.
  std::shared_ptr<const Distribution> distribution;

  /// Sets the strides, given in elements, of a view with `base` and `sizes`.
  /// False when an element would have an address that is no 64-bit number.
  bool setStrides(llvm::ArrayRef<int64_t> inElements);
};

/// One of the views that a distributed view consists of: `view` holds the
/// coordinates g of its coordinate set at g - origin (ktir.md §4.4).
struct Partition {
  View view;
  llvm::SmallVector<int64_t, 4> origin;
  /// Bounding box of the coordinates that it holds.
  llvm::SmallVector<int64_t, 4> lower, extent;
  bool isBox; ///< it holds the whole box

  bool holds(llvm::ArrayRef<int64_t> at) const {
    for (size_t d = 0; d < at.size(); ++d)
      if (at[d] < lower[d] || at[d] - lower[d] >= extent[d])
        return false;
    return isBox || view.coordinates->contains(at, view.coordinateSymbols);
  }
};

/// Where the elements of a distributed view, or of a part of one, lie.
struct Distribution {
  /// A dimension of the distributed view: coordinate c of the part is
  /// `origin + step * c[dim]` of it, and `origin` where the part has no such
  /// dimension.
  struct Axis {
    int64_t origin = 0, step = 1;
    int dim = -1; ///< -1: none

    /// For `at` inside the part.
    int64_t place(llvm::ArrayRef<int64_t> at) const {
      return dim < 0 ? origin : origin + step * at[dim];
    }
  };
  /// In the order of the operands.
  std::shared_ptr<const std::vector<Partition>> partitions;
  llvm::SmallVector<Axis, 4> axes;
};

/// Coordinates of a view in the order in which their elements are packed: the
/// box `start .. start + extent - 1` traversed with `order[0]` slowest, or
/// explicit points, each the first of a run along the last dimension.
struct Selection {
  llvm::SmallVector<int64_t, 4> start;  ///< per view dimension
  llvm::SmallVector<int64_t, 4> extent; ///< per view dimension
  llvm::SmallVector<unsigned, 4> order; ///< view dimensions, slowest first
  /// When set, rank coordinates for each point, relative to `start`; `extent`
  /// and `order` are not used.
  std::shared_ptr<const std::vector<int64_t>> points;
  /// Elements of each run; 1 where the points stand for themselves.
  int64_t run = 1;

  int64_t count() const {
    if (points)
      return start.empty() ? 1 : points->size() / start.size() * run;
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
