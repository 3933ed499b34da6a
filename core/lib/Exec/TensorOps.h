//===- TensorOps.h - Tensors as values --------------------------*- C++ -*-===//
//
// What the handlers of tensor ops share: extents and offsets that are constants
// or scalars, copies between strided places, and single elements.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_TENSOROPS_H
#define KTIR_LIB_EXEC_TENSOROPS_H

#include "Elementwise.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ktir::exec {

/// A list of numbers, each known when decoding or in a scalar slot.
class MixedNumbers {
public:
  MixedNumbers() = default;
  MixedNumbers(Decoder &decoder, llvm::ArrayRef<mlir::OpFoldResult> numbers);
  /// Those of `type`'s shape, whose dynamic ones are `dynamic` in order.
  MixedNumbers(Decoder &decoder, mlir::ShapedType type,
               mlir::ValueRange dynamic);

  /// The scalars in `slots`.
  static MixedNumbers fromSlots(llvm::ArrayRef<uint32_t> slots) {
    MixedNumbers result;
    for (uint32_t slot : slots)
      result.numbers.push_back({true, slot});
    return result;
  }

  llvm::SmallVector<int64_t, 4> get(const Instance &self) const;
  size_t size() const { return numbers.size(); }

private:
  struct Number {
    bool isSlot;
    int64_t value;
  };
  llvm::SmallVector<Number, 4> numbers;
};

/// Fails when an extent of a tensor to be made is negative or the tensor is
/// larger than any memory.
Outcome checkExtents(Instance &self, uint32_t site,
                     llvm::ArrayRef<int64_t> extents);
/// Fails when `found` differs from the static extents of a type, which are
/// negative where the type has none.
Outcome checkStatic(Instance &self, uint32_t site,
                    llvm::ArrayRef<int64_t> expected,
                    llvm::ArrayRef<int64_t> found);
/// Static extents of a type, -1 where there is none.
llvm::SmallVector<int64_t, 4> getStaticShape(mlir::Type type);

/// Byte strides of a dense row-major tensor of `shape`.
llvm::SmallVector<int64_t, 4> getStrides(llvm::ArrayRef<int64_t> shape,
                                         unsigned elementBytes);

/// Where elements of a tensor are read: of an uninitialised one, a zero that
/// stands for all.
struct Place {
  const uint8_t *data;
  llvm::SmallVector<int64_t, 4> strides; ///< bytes
};
Place getPlace(const Tensor &tensor, unsigned elementBytes);

/// A copy of elements of `bytes` bytes between two places that do not overlap,
/// with byte strides for each of `extents`, part by part. Where the strides
/// that it reads with are zero, one element is repeated.
class ElementCopy {
public:
  ElementCopy(uint8_t *to, llvm::ArrayRef<int64_t> toStrides,
              const uint8_t *from, llvm::ArrayRef<int64_t> fromStrides,
              llvm::ArrayRef<int64_t> extents, unsigned bytes);

  /// Elements that are not copied yet.
  uint64_t left() const { return rest; }
  /// Copies the next ones, about `count` at most; returns how many.
  uint64_t advance(uint64_t count);

private:
  void copyUnits(int64_t count);

  uint8_t *to;
  const uint8_t *from;
  /// Of the loops around the units, the innermost last.
  llvm::SmallVector<int64_t, 4> toStrides, fromStrides, extents, index;
  int64_t unit = 1; ///< elements that lie side by side in both places
  int64_t unitBytes;
  uint64_t rest = 1;
};

/// Repeats the low `bytes` bytes of `bits` `count` times.
void fillElements(uint8_t *to, int64_t bits, uint64_t count, unsigned bytes);

/// Fails when `tensor`, operand number `operand`, whose elements are replaced,
/// was delivered to other tiles.
Outcome checkNotForOthers(Instance &self, uint32_t site, unsigned operand,
                          const Tensor &tensor);

/// A tensor that takes its elements from other places, in several turns where
/// they are many.
class CopiedTensor : public Unfinished {
public:
  CopiedTensor(const Instance &self, Tensor result)
      : result(std::move(result)), begin(self.run.ticks) {}
  /// A tensor of `value`'s elements that nothing else refers to, in its own
  /// buffer or in a new one; zeros where it is uninitialised. Copies for that
  /// do not count.
  static CopiedTensor writable(Instance &self, uint32_t site, Tensor value,
                               unsigned elementBytes);

  /// Whether what is copied counts as elements that the op computed.
  enum class Counts { No, Yes };

  /// Adds a copy into the result, after those before. What it reads must stay
  /// until the op ends, as its operands do.
  void add(ElementCopy copy, Counts counts = Counts::Yes) {
    parts.push_back({std::move(copy), counts});
  }
  /// The same for all elements of `source`, or zeros where it is uninitialised.
  void add(uint8_t *to, llvm::ArrayRef<int64_t> toStrides, const Tensor &source,
           unsigned elementBytes, Counts counts = Counts::Yes);

  /// Copies about `count` elements: `Jump` while there are more.
  virtual Outcome copy(Instance &self, const Instruction &instruction,
                       uint64_t count);

  Tensor result;
  const uint64_t begin; ///< ticks

protected:
  /// The copies that were added; returns how many elements.
  uint64_t copyAdded(Instance &self, uint64_t count);
  bool isDone() const { return next == parts.size(); }

private:
  struct Part {
    ElementCopy copy;
    Counts counts;
  };
  llvm::SmallVector<Part, 1> parts;
  size_t next = 0;
  Buffer kept; ///< what the first part reads
};

/// A turn of an op that makes `work`; the last one defines tensor slot `a`.
Outcome takeCopyTurn(Instance &self, const Instruction &instruction,
                     CopiedTensor &work);
/// The first turn of such an op.
template <typename Work>
Outcome beginCopies(Instance &self, const Instruction &instruction, Work work) {
  const Outcome outcome = takeCopyTurn(self, instruction, work);
  if (outcome == Outcome::Jump)
    self.unfinished = std::make_unique<Work>(std::move(work));
  return outcome;
}
/// Another one.
Outcome continueCopies(Instance &self, const Instruction &instruction);

/// An element as a scalar slot holds it, and back.
int64_t readElement(const uint8_t *from, numerics::DType type);
void writeElement(uint8_t *to, int64_t bits, unsigned bytes);

/// Bytes of an element of a tensor type that getDType() knows.
unsigned getElementBytes(mlir::Type type);

/// Emits the insertion of `op`'s source into the tensor slot `target`.
void decodeParallelInsert(Decoder &decoder,
                          mlir::tensor::ParallelInsertSliceOp op,
                          uint32_t target);

/// One per file of tensor handlers.
void addTensorElementHandlers(DecodeTable &table);
void addTensorSliceHandlers(DecodeTable &table);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_TENSOROPS_H
