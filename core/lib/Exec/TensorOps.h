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

/// Copies elements of `bytes` bytes between two places that do not overlap,
/// with byte strides for each of `extents`.
void copyElements(uint8_t *to, llvm::ArrayRef<int64_t> toStrides,
                  const uint8_t *from, llvm::ArrayRef<int64_t> fromStrides,
                  llvm::ArrayRef<int64_t> extents, unsigned bytes);
/// Repeats the low `bytes` bytes of `bits` `count` times.
void fillElements(uint8_t *to, int64_t bits, uint64_t count, unsigned bytes);

/// Fails when `tensor`, operand number `operand`, whose elements are replaced,
/// was delivered to other tiles.
Outcome checkNotForOthers(Instance &self, uint32_t site, unsigned operand,
                          const Tensor &tensor);

/// A value of `value`'s elements that nothing else refers to: itself or a copy,
/// or zeros when it is uninitialised.
Tensor makeWritable(Instance &self, uint32_t site, Tensor value,
                    unsigned elementBytes);

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
