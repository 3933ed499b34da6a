//===- Elementwise.h - Ops on every element ---------------------*- C++ -*-===//
//
// Elementwise ops and bodies as block programs, and the instruction that runs
// one over a nest of loops.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_ELEMENTWISE_H
#define KTIR_LIB_EXEC_ELEMENTWISE_H

#include "Decoder.h"
#include "Runtime.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ktir::exec {

/// True for an op that buildElementwise() knows.
bool isElementwise(mlir::Operation *op);

/// Answers where a `spyreop.layernormnorm` finds its mean: asked for the mean
/// that findMean() gives for its operand `squares`, or, where it gives none,
/// for that operand itself (an argument of a body, say, of which only the
/// caller knows where it comes from). The answer is the register of the mean,
/// or an invalid one.
using FindRegister = llvm::function_ref<numerics::Reg(mlir::Value)>;

/// Appends the op of `result`, as far as that result needs it, to a block
/// program. Returns an invalid register for an op or a type that has no block
/// form. Without `find` or an answer from it, the mean of a
/// `spyreop.layernormnorm` is its operand `squares` (ktir.md 5.5).
numerics::Reg buildElementwise(numerics::BlockProgram::Builder &builder,
                               mlir::OpResult result,
                               llvm::ArrayRef<numerics::Reg> operands,
                               FindRegister find = {});

/// buildElementwise() for the ops of spyreop.
numerics::Reg buildSpyreOp(numerics::BlockProgram::Builder &builder,
                           mlir::Operation *op,
                           llvm::ArrayRef<numerics::Reg> operands,
                           FindRegister find);
/// isElementwise() for the ops of spyreop.
bool isElementwiseSpyreOp(mlir::Operation *op);

/// The mean that belongs to a mean of squares: where `squares` is the second
/// result of a `spyreop.exx2`, or the result of a structured op whose body
/// yields that, the result that holds the mean. Null for any other value.
mlir::Value findMean(mlir::Value squares);

/// Bits of a scalar attribute as a slot holds it; nullopt for other attributes.
std::optional<int64_t> getScalarBits(mlir::Attribute attribute,
                                     NumericsMode mode);

/// Elements that a nest visits, `strides[d]` bytes apart along loop d.
struct NestOperand {
  uint8_t *data;
  llvm::SmallVector<int64_t, 4> strides;
};

/// A block program over a nest of loops, prepared to run at several places.
class Nest {
public:
  /// `indexInputs` are loops whose index the last inputs of the program are, as
  /// I64, counted from `indexOrigin[loop]`, or from zero. Strides are multiples
  /// of the element size; a stride of 0 of an output needs a loop of one
  /// iteration.
  Nest(const numerics::BlockProgram &program, llvm::ArrayRef<int64_t> extents,
       llvm::ArrayRef<NestOperand> inputs, llvm::ArrayRef<NestOperand> outputs,
       llvm::ArrayRef<unsigned> indexInputs = {},
       llvm::ArrayRef<int64_t> indexOrigin = {});
  Nest(const Nest &) = delete;
  Nest &operator=(const Nest &) = delete;

  /// Runs for every point of the loops, with the operands' first elements
  /// `inputOffset[i]` and `outputOffset[i]` bytes from where they were given.
  numerics::Fault run(llvm::ArrayRef<int64_t> inputOffset,
                      llvm::ArrayRef<int64_t> outputOffset,
                      numerics::Scratch &scratch);

private:
  struct Loop {
    int64_t count;
    unsigned index; ///< the loop of the nest, the fastest one of merged loops
    /// Bytes to the next element of each input, then of each output.
    llvm::SmallVector<int64_t, 4> strides;
  };
  const numerics::BlockProgram &program;
  bool isEmpty = false;
  llvm::SmallVector<Loop, 4> loops; ///< without the innermost, outermost first
  llvm::SmallVector<int64_t, 4> counter, index;
  int64_t inner = 1;
  llvm::SmallVector<numerics::BlockInput, 4> in;
  llvm::SmallVector<numerics::BlockOutput, 2> out;
  llvm::SmallVector<uint8_t *, 6> start, at; ///< inputs, then outputs
  std::vector<int64_t> ramp;
};

/// Emits the instruction that applies `program` to the values `inputs`
/// (tensors of one shape, and scalars, which every element sees) and stores its
/// only output in a slot for `result`.
void emitElementwise(Decoder &decoder, mlir::Operation *op,
                     numerics::BlockProgram program, mlir::ValueRange inputs,
                     mlir::Value result);

/// What the instruction of an elementwise op refers to.
struct ElementwisePayload : Payload {
  struct Input {
    SlotKind kind;
    uint32_t slot;
  };
  std::optional<numerics::BlockProgram> program;
  llvm::SmallVector<Input, 3> inputs;
  unsigned elementBytes = 0;
};

/// Handler of an elementwise op on tensors; a: tensor slot of the result.
Outcome runElementwise(Instance &self, const Instruction &instruction);

/// Decodes an elementwise op on scalars, tensors or vectors.
llvm::LogicalResult decodeElementwise(Decoder &decoder, mlir::Operation *op);

/// What a tensor that was never given elements reads as: one zero.
extern const uint64_t zeroElement;

/// Reports that `op` at `site` reads a `tensor.empty`.
void reportUndefined(Instance &self, uint32_t site, unsigned operand);

/// Reports operand number `operand` when it has no elements to read: Fail where
/// a delivery gave it to other tiles, otherwise it reads as zero.
Outcome checkReadable(Instance &self, uint32_t site, unsigned operand,
                      const Tensor &tensor);

/// Turns what a block program met into an error that ends the run.
Outcome failOnFault(Instance &self, uint32_t site, numerics::Fault fault);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_ELEMENTWISE_H
