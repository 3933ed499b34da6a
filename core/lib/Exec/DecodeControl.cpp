//===- DecodeControl.cpp - Branches and calls -----------------------------===//

#include "Decoder.h"
#include "Runtime.h"
#include "ScalarHandlers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// scf.if
//===----------------------------------------------------------------------===//

static LogicalResult decodeIf(Decoder &decoder, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  SmallVector<uint32_t, 4> results;
  uint32_t condition = decoder.use(branch.getCondition());
  for (Value result : branch.getResults()) {
    if (!getSlotKind(result.getType()))
      return decoder.unsupported(op, "a result has a type without run-time "
                                     "form");
    results.push_back(decoder.define(result));
  }
  uint32_t test = decoder.here();
  decoder.emit(op, runTest).a = condition;
  decoder.enter(branch.thenBlock(), [&decoder, op, branch, results,
                                     test]() mutable {
    Operation *yield = branch.thenYield();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), results);
    if (!branch.elseBlock()) {
      decoder.at(test).immediate = decoder.here();
      return success();
    }
    uint32_t jump = decoder.emitJump(op);
    decoder.at(test).immediate = decoder.here();
    decoder.enter(branch.elseBlock(), [&decoder, branch, results,
                                       jump]() mutable {
      Operation *yield = branch.elseYield();
      decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), results);
      decoder.at(jump).immediate = decoder.here();
      return success();
    });
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// scf.index_switch and scf.execute_region
//===----------------------------------------------------------------------===//

/// a, b: scalars; immediate: where to go on when they differ.
static Outcome runBranchUnlessEqual(Instance &self,
                                    const Instruction &instruction) {
  if (self.scalars[instruction.a] == self.scalars[instruction.b])
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

namespace {
/// Decodes the cases of a switch one after the other.
class SwitchDecoder {
public:
  SwitchDecoder(Decoder &decoder, scf::IndexSwitchOp op, uint32_t argument,
                ArrayRef<uint32_t> results)
      : decoder(decoder), op(op), argument(argument),
        results(results.begin(), results.end()) {}

  /// Decodes case `number`, and from its end the following ones; the last is
  /// the default.
  static LogicalResult decode(std::shared_ptr<SwitchDecoder> self,
                              unsigned number) {
    Decoder &decoder = self->decoder;
    bool isDefault = number == self->op.getNumCases();
    Block *block = isDefault ? &self->op.getDefaultBlock()
                             : &self->op.getCaseBlock(number);
    uint32_t test = decoder.here();
    if (!isDefault) {
      uint32_t value = decoder.constantSlot(self->op.getCases()[number]);
      Instruction &branch = decoder.emit(self->op, runBranchUnlessEqual);
      branch.a = self->argument;
      branch.b = value;
    }
    decoder.enter(block, [self, block, number, isDefault, test] {
      Decoder &decoder = self->decoder;
      Operation *yield = block->getTerminator();
      decoder.moveAll(yield, llvm::to_vector(yield->getOperands()),
                      self->results);
      if (isDefault) {
        for (uint32_t jump : self->jumps)
          decoder.at(jump).immediate = decoder.here();
        return success();
      }
      self->jumps.push_back(decoder.emitJump(self->op));
      decoder.at(test).immediate = decoder.here();
      return decode(self, number + 1);
    });
    return success();
  }

private:
  Decoder &decoder;
  scf::IndexSwitchOp op;
  uint32_t argument;
  SmallVector<uint32_t, 4> results;
  SmallVector<uint32_t, 4> jumps; ///< to the end
};
} // namespace

static LogicalResult decodeSwitch(Decoder &decoder, Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  uint32_t argument = decoder.use(choice.getArg());
  SmallVector<uint32_t, 4> results;
  for (Value result : choice.getResults()) {
    if (!getSlotKind(result.getType()))
      return decoder.unsupported(op, "a result has a type without run-time "
                                     "form");
    results.push_back(decoder.define(result));
  }
  return SwitchDecoder::decode(
      std::make_shared<SwitchDecoder>(decoder, choice, argument, results), 0);
}

static LogicalResult decodeExecuteRegion(Decoder &decoder, Operation *op) {
  auto execute = cast<scf::ExecuteRegionOp>(op);
  if (!llvm::hasSingleElement(execute.getRegion()))
    return decoder.unsupported(
        op, "expected a body of one block, found " +
                Twine(execute.getRegion().getBlocks().size()));
  SmallVector<uint32_t, 4> results;
  for (Value result : execute.getResults()) {
    if (!getSlotKind(result.getType()))
      return decoder.unsupported(op, "a result has a type without run-time "
                                     "form");
    results.push_back(decoder.define(result));
  }
  Block *body = &execute.getRegion().front();
  decoder.enter(body, [&decoder, body, results]() mutable {
    Operation *yield = body->getTerminator();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), results);
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// func.call
//===----------------------------------------------------------------------===//

/// Calls are decoded in place. Tensors get slots of their own on the way in and
/// out, since each side drops what it no longer needs.
static LogicalResult decodeCall(Decoder &decoder, Operation *op) {
  auto call = cast<func::CallOp>(op);
  func::FuncOp callee = decoder.resolve(op, call.getCallee());
  if (!callee)
    return op->emitError() << "cannot be executed: expected one function with "
                              "a body called '"
                           << call.getCallee() << "'";
  if (llvm::is_contained(decoder.callStack, callee.getOperation()))
    return op->emitError() << "cannot be executed: the call of '"
                           << call.getCallee() << "' is recursive";
  if (TypeRange(callee.getArgumentTypes()) != call.getOperandTypes() ||
      TypeRange(callee.getResultTypes()) != call.getResultTypes()) {
    auto diagnostic = op->emitError()
                      << "cannot be executed: the types of the call differ "
                         "from those of '"
                      << call.getCallee() << "'";
    diagnostic.attachNote(callee.getLoc()) << "it is defined here";
    return diagnostic;
  }
  if (!llvm::hasSingleElement(callee.getBody()))
    return callee.emitError()
           << "cannot be executed: expected a body of one block, found "
           << callee.getBody().getBlocks().size();
  SmallVector<Value, 4> tensors;
  SmallVector<uint32_t, 4> slots;
  auto pass = [&decoder](Value from, Value to, SmallVectorImpl<Value> &tensors,
                         SmallVectorImpl<uint32_t> &slots) {
    if (getSlotKind(from.getType()) != SlotKind::Tensor ||
        decoder.program.level == Level::Dataflow) {
      decoder.alias(to, from);
      return;
    }
    tensors.push_back(from);
    slots.push_back(decoder.define(to));
  };
  for (auto [argument, operand] :
       llvm::zip_equal(callee.getArguments(), call.getOperands()))
    pass(operand, argument, tensors, slots);
  decoder.moveAll(op, tensors, slots);
  decoder.callStack.push_back(callee);
  Block *body = &callee.getBody().front();
  decoder.enter(body, [&decoder, op, call, body, pass]() mutable {
    decoder.callStack.pop_back();
    SmallVector<Value, 4> tensors;
    SmallVector<uint32_t, 4> slots;
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), body->getTerminator()->getOperands()))
      pass(value, result, tensors, slots);
    decoder.moveAll(body->getTerminator(), tensors, slots);
    decoder.emitJoin(op, body);
    return success();
  });
  return success();
}

void ktir::exec::addControlHandlers(DecodeTable &table) {
  table["scf.if"] = decodeIf;
  table["scf.index_switch"] = decodeSwitch;
  table["scf.execute_region"] = decodeExecuteRegion;
  table["func.call"] = decodeCall;
  addLoopHandlers(table);
}
