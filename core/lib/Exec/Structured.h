//===- Structured.h - Loops over tensors ------------------------*- C++ -*-===//
//
// A structured op in decoded form: operands with their indexing maps, and the
// body as block programs. Loops are of two kinds: parallel ones, each of which
// is one dimension of every output, run inside a nest; the others are stepped
// through in ascending order around it.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_STRUCTURED_H
#define KTIR_LIB_EXEC_STRUCTURED_H

#include "Elementwise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace ktir::exec {

/// A part of a body as a block program, and where its inputs come from, in
/// their order.
struct BodyProgram {
  std::optional<numerics::BlockProgram> program;
  llvm::SmallVector<unsigned, 4> tensors; ///< positions among the operands
  llvm::SmallVector<uint32_t, 2> scalars; ///< slots
  /// Loops whose index is read: stepped ones, then parallel ones.
  llvm::SmallVector<unsigned, 2> steppedIndices, parallelIndices;
};

/// The reduction of one output by one op, with wide accumulators
/// (ktir.md UP-2, UP-6).
struct Fold {
  numerics::Opcode combiner;
  numerics::DType panel; ///< type of the accumulators
  uint64_t identity = 0; ///< of the combiner, bits of `panel`
  /// Whether the result is divided by the number of terms, and the initial
  /// value does not count (`spyreop.exx2`).
  bool isMean = false;
  /// Loops over the terms of one result.
  llvm::SmallVector<unsigned, 2> reducedLoops;
  BodyProgram term; ///< the value that is combined, as `panel`
  BodyProgram step; ///< combines it with the accumulator
  /// Operands whose product is the term, where it is no more than that.
  std::optional<std::pair<unsigned, unsigned>> product;
};

struct StructuredPayload : Payload {
  /// A tensor and which of its elements each point of the loops is about.
  struct Operand {
    uint32_t slot;
    numerics::DType type;
    llvm::SmallVector<CompiledExpr, 4> map;
    unsigned number; ///< position among the op's operands
  };
  struct Output {
    unsigned operand; ///< the initial value, a position in `operands`
    uint32_t result;  ///< tensor slot
    /// Whether the body reads the initial value.
    bool reads = false;
    /// Whether nothing reads the initial value after this op.
    bool dies = false;
    std::optional<Fold> fold;
    /// Of an output of pairs, whose first components `fold` computes.
    std::optional<Fold> second;
  };
  llvm::SmallVector<Operand, 4> operands; ///< inputs, then initial values
  llvm::SmallVector<Output, 2> outputs;
  /// Computes the outputs that are no folds, in their order.
  BodyProgram body;
  /// Where the extent of each loop is found: an operand and a dimension.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> extents;
  llvm::SmallVector<bool, 4> isStepped; ///< per loop
  bool isLinear = true;                 ///< whether all maps are

  unsigned loops() const { return isStepped.size(); }
};

/// Elements of an operand in memory while an op runs.
struct Elements {
  uint8_t *data;
  unsigned bytes; ///< of one element
  llvm::SmallVector<int64_t, 4> shape;
};

/// Byte strides of `operand`, whose map is linear, for each loop, and its first
/// element.
NestOperand getNest(const StructuredPayload::Operand &operand,
                    const Elements &elements, unsigned loops);

/// A box of points of the loops: `extents[d]` iterations of loop `d` from
/// `origin[d]` on.
struct Box {
  llvm::SmallVector<int64_t, 4> origin, extents;

  /// Bytes from a first element to that of the origin.
  int64_t offsetIn(llvm::ArrayRef<int64_t> strides) const {
    int64_t offset = 0;
    for (size_t d = 0; d < origin.size(); ++d)
      offset += origin[d] * strides[d];
    return offset;
  }
};

/// Boxes of at most `pointsPerTurn` points that cover the loops in the order of
/// their points. There must be some.
class Boxes {
public:
  Boxes(llvm::ArrayRef<int64_t> extents, uint64_t pointsPerTurn)
      : extents(extents) {
    box.origin.assign(extents.size(), 0);
    box.extents.assign(extents.begin(), extents.end());
    uint64_t points = 1;
    for (split = extents.size(); split > 0; --split) {
      const uint64_t extent = extents[split - 1];
      if (llvm::SaturatingMultiply(points, extent) > pointsPerTurn)
        break;
      points *= extent;
    }
    if (split == 0)
      return;
    width = pointsPerTurn / std::max<uint64_t>(points, 1);
    box.extents[split - 1] = width;
    for (unsigned d = 0; d + 1 < split; ++d)
      box.extents[d] = 1;
  }

  const Box &current() const { return box; }

  /// Goes to the next one, if there is one.
  bool advance() {
    for (unsigned d = split; d-- > 0;) {
      box.origin[d] += box.extents[d];
      const bool isInside = box.origin[d] < extents[d];
      if (!isInside)
        box.origin[d] = 0;
      if (d + 1 == split)
        box.extents[d] = std::min(width, extents[d] - box.origin[d]);
      if (isInside)
        return true;
    }
    return false;
  }

private:
  llvm::SmallVector<int64_t, 4> extents;
  Box box;
  /// Loops up to this one are stepped through, the last of them by `width`.
  unsigned split = 0;
  int64_t width = 1;
};

/// Runs `body` for every point of `box`: `elements` has one entry for each
/// operand, outputs of the program go to the operands `targets`. Fails when a
/// map leaves its operand.
Outcome runLoops(Instance &self, uint32_t site,
                 const StructuredPayload &payload, const BodyProgram &body,
                 const Box &box, llvm::ArrayRef<Elements> elements,
                 llvm::ArrayRef<unsigned> targets);

/// Extents of the loops; fails when a dimension of an operand is another one.
Outcome getExtents(Instance &self, uint32_t site,
                   const StructuredPayload &payload,
                   llvm::SmallVectorImpl<int64_t> &extents);

/// Number of points of the loops; the highest number when it is too large.
uint64_t countPoints(llvm::ArrayRef<int64_t> extents);

/// Finds the elements of every operand; reports inputs that are uninitialised.
Outcome getElements(Instance &self, uint32_t site,
                    const StructuredPayload &payload,
                    llvm::SmallVectorImpl<Elements> &elements);

/// Handler of ops without a product fold; takes several turns where the loops
/// have many points.
Outcome runStructured(Instance &self, const Instruction &instruction);
/// Handler of an op that sets every element of its only output to a scalar.
Outcome runFill(Instance &self, const Instruction &instruction);
/// Handler of an op that folds the rows of one tensor, whose elements are what
/// the accumulators are, along its last dimension.
Outcome runDenseReduction(Instance &self, const Instruction &instruction);
/// Handler of an op whose only output is a product fold, which may take
/// several turns.
Outcome runContraction(Instance &self, const Instruction &instruction);

/// Folds the terms of `fold` in `box`, which computes the operand `target`,
/// into `accumulators`, which hold what came before in the order of the
/// target's elements. The same terms give the same bits however boxes divide
/// them, as long as these follow each other in the order of the points.
Outcome runFold(Instance &self, uint32_t site, const StructuredPayload &payload,
                unsigned target, const Fold &fold, const Box &box,
                llvm::ArrayRef<Elements> elements, uint8_t *accumulators);

/// Divides `count` sums, which a fold that is a mean made in loops of
/// `extents`, by the number of terms of each.
void finishMean(const Fold &fold, llvm::ArrayRef<int64_t> extents,
                uint8_t *sums, size_t count);

/// The result of an output: the initial value's buffer where nothing else
/// refers to it, else a new one. `initial` is what the initial value's elements
/// are now, null when they are undefined.
Tensor makeResult(Instance &self, uint32_t site,
                  const StructuredPayload &payload,
                  const StructuredPayload::Output &output,
                  const uint8_t *&initial);

/// Of `spyreop.slice_reduction`.
void addSliceReductionHandlers(DecodeTable &table);

/// Decodes a structured op on tensors.
llvm::LogicalResult decodeStructured(Decoder &decoder, mlir::Operation *op);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_STRUCTURED_H
