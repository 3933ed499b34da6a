//===- DecodeControl.cpp - scf and func -----------------------------------===//

#include "Decoder.h"
#include "Runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

namespace {
struct ForPayload : Payload {
  uint32_t iv, upper, step;
};
} // namespace

/// a: lower bound; immediate: where to go on when there is no iteration.
static Outcome runForBegin(Instance &self, const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  int64_t lower = self.scalars[instruction.a];
  if (self.scalars[loop.step] <= 0)
    return self.run.fail(self, instruction.site, "",
                         "the step is " + llvm::Twine(self.scalars[loop.step]) +
                             ", expected a positive number");
  self.scalars[loop.iv] = lower;
  if (lower < self.scalars[loop.upper])
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// immediate: first instruction of the body.
static Outcome runForNext(Instance &self, const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  int64_t next;
  if (llvm::AddOverflow(self.scalars[loop.iv], self.scalars[loop.step], next) ||
      next >= self.scalars[loop.upper])
    return Outcome::Next;
  self.scalars[loop.iv] = next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

static LogicalResult decodeFor(Decoder &decoder, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  auto *payload = decoder.makePayload<ForPayload>();
  payload->upper = decoder.use(loop.getUpperBound());
  payload->step = decoder.use(loop.getStep());
  uint32_t lower = decoder.use(loop.getLowerBound());
  payload->iv = decoder.define(loop.getInductionVar());

  // The results are the iteration arguments as the last iteration left them.
  SmallVector<uint32_t, 4> carried;
  for (auto [argument, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
    if (!getSlotKind(argument.getType()))
      return decoder.unsupported(op, "an iteration argument has a type "
                                     "without run-time form");
    carried.push_back(decoder.define(argument));
    decoder.alias(result, carried.back());
  }
  decoder.moveAll(op, llvm::to_vector(loop.getInitArgs()), carried);

  uint32_t begin = decoder.here();
  Instruction &first = decoder.emit(op, runForBegin);
  first.a = lower;
  first.payload = payload;
  decoder.current().loops.push_back({begin, begin, payload->iv});
  size_t range = decoder.current().loops.size() - 1;
  decoder.enter(loop.getBody(), [&decoder, op, loop, payload, carried, begin,
                                 range]() mutable {
    Operation *yield = loop.getBody()->getTerminator();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), carried);
    Instruction &next = decoder.emit(op, runForNext);
    next.payload = payload;
    next.immediate = begin + 1;
    decoder.at(begin).immediate = decoder.here();
    decoder.current().loops[range].end = decoder.here();
    decoder.current().loops[range].begin = begin + 1;
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// scf.if
//===----------------------------------------------------------------------===//

static Outcome runBranchUnless(Instance &self, const Instruction &instruction) {
  if (self.scalars[instruction.a])
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

static Outcome runJump(Instance &self, const Instruction &instruction) {
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

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
  decoder.emit(op, runBranchUnless).a = condition;
  decoder.enter(branch.thenBlock(), [&decoder, op, branch, results,
                                     test]() mutable {
    Operation *yield = branch.thenYield();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), results);
    if (!branch.elseBlock()) {
      decoder.at(test).immediate = decoder.here();
      return success();
    }
    uint32_t jump = decoder.here();
    decoder.emit(op, runJump);
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
// func.call
//===----------------------------------------------------------------------===//

/// Calls are decoded in place: the callee's arguments and results are the
/// caller's values.
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
  for (auto [argument, operand] :
       llvm::zip_equal(callee.getArguments(), call.getOperands()))
    decoder.alias(argument, operand);
  decoder.callStack.push_back(callee);
  Block *body = &callee.getBody().front();
  decoder.enter(body, [&decoder, op, call, body]() mutable {
    decoder.callStack.pop_back();
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), body->getTerminator()->getOperands()))
      decoder.alias(result, value);
    decoder.emitJoin(op, body);
    return success();
  });
  return success();
}

void ktir::exec::addControlHandlers(DecodeTable &table) {
  table["scf.for"] = decodeFor;
  table["scf.if"] = decodeIf;
  table["func.call"] = decodeCall;
}
