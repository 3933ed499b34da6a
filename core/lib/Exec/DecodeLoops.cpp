//===- DecodeLoops.cpp - Loops of scf -------------------------------------===//

#include "ScalarHandlers.h"
#include "TensorOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using llvm::Twine;

/// Defines a slot for each of `values`; fails for a type without run-time form.
static FailureOr<SmallVector<uint32_t, 4>>
defineAll(Decoder &decoder, Operation *op, ValueRange values) {
  SmallVector<uint32_t, 4> slots;
  for (Value value : values) {
    if (!getSlotKind(value.getType()))
      return decoder.unsupported(op, "a value of type without run-time form is "
                                     "carried or returned");
    slots.push_back(decoder.define(value));
  }
  return slots;
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

static Outcome failOnStep(Instance &self, uint32_t site, int64_t step) {
  return self.run.fail(self, site, "",
                       "the step is " + Twine(step) +
                           ", expected a positive number");
}

/// a: lower bound; immediate: where to go on when there is no iteration.
static Outcome runForBegin(Instance &self, const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  int64_t lower = self.scalars[instruction.a];
  if (self.scalars[loop.step] <= 0)
    return failOnStep(self, instruction.site, self.scalars[loop.step]);
  self.scalars[loop.iv] = lower;
  if (lower < self.scalars[loop.upper])
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// The same for loops that compare unsigned.
static Outcome runUnsignedForBegin(Instance &self,
                                   const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  int64_t lower = self.scalars[instruction.a];
  if (self.scalars[loop.step] == 0)
    return failOnStep(self, instruction.site, 0);
  self.scalars[loop.iv] = lower;
  // Sign extension keeps the order of unsigned numbers of one width.
  if (uint64_t(lower) < uint64_t(self.scalars[loop.upper]))
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

static Outcome runUnsignedForNext(Instance &self,
                                  const Instruction &instruction) {
  const auto &loop = instruction.as<ForPayload>();
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(loop.width);
  uint64_t iv = self.scalars[loop.iv] & mask;
  uint64_t next = iv + (self.scalars[loop.step] & mask);
  if (next < iv || next >= (uint64_t(self.scalars[loop.upper]) & mask))
    return Outcome::Next;
  self.scalars[loop.iv] = llvm::SignExtend64(next, loop.width);
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

static LogicalResult decodeFor(Decoder &decoder, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  auto *payload = decoder.makePayload<ForPayload>();
  payload->upper = decoder.use(loop.getUpperBound());
  payload->step = decoder.use(loop.getStep());
  Type type = loop.getInductionVar().getType();
  payload->width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  uint32_t lower = decoder.use(loop.getLowerBound());
  payload->iv = decoder.define(loop.getInductionVar());
  bool isUnsigned = loop.getUnsignedCmp();

  // The results are the iteration arguments as the last iteration left them.
  FailureOr<SmallVector<uint32_t, 4>> carried =
      defineAll(decoder, op, loop.getRegionIterArgs());
  if (failed(carried))
    return failure();
  for (auto [slot, result] : llvm::zip_equal(*carried, loop.getResults()))
    decoder.alias(result, slot);
  decoder.moveAll(op, llvm::to_vector(loop.getInitArgs()), *carried);

  uint32_t begin = decoder.here();
  Instruction &first =
      decoder.emit(op, isUnsigned ? runUnsignedForBegin : runForBegin);
  first.a = lower;
  first.payload = payload;
  decoder.current().loops.push_back({begin, begin, payload->iv});
  size_t range = decoder.current().loops.size() - 1;
  decoder.enter(loop.getBody(), [&decoder, op, loop, payload, isUnsigned,
                                 carried = *carried, begin, range]() mutable {
    Operation *yield = loop.getBody()->getTerminator();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), carried);
    Instruction &next =
        decoder.emit(op, isUnsigned ? runUnsignedForNext : runForNext);
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
// scf.while
//===----------------------------------------------------------------------===//

static LogicalResult decodeWhile(Decoder &decoder, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  FailureOr<SmallVector<uint32_t, 4>> carried =
      defineAll(decoder, op, loop.getBeforeArguments());
  FailureOr<SmallVector<uint32_t, 4>> results =
      defineAll(decoder, op, loop.getResults());
  if (failed(carried) || failed(results))
    return failure();
  // What the condition passes on is an argument or, at the end, a result.
  for (auto [slot, argument] :
       llvm::zip_equal(*results, loop.getAfterArguments()))
    decoder.alias(argument, slot);
  decoder.moveAll(op, llvm::to_vector(loop.getInits()), *carried);
  uint32_t begin = decoder.here();
  decoder.enter(loop.getBeforeBody(), [&decoder, op, loop, carried = *carried,
                                       results = *results, begin]() mutable {
    scf::ConditionOp condition = loop.getConditionOp();
    uint32_t flag = decoder.use(condition.getCondition());
    decoder.moveAll(condition, llvm::to_vector(condition.getArgs()), results);
    uint32_t test = decoder.here();
    decoder.emit(op, runTest).a = flag;
    decoder.enter(loop.getAfterBody(), [&decoder, op, loop, carried, begin,
                                        test]() mutable {
      scf::YieldOp yield = loop.getYieldOp();
      decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), carried);
      decoder.emitJump(op, begin);
      decoder.at(test).immediate = decoder.here();
      return success();
    });
    return success();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Nests: scf.parallel and scf.forall
//===----------------------------------------------------------------------===//

namespace {
struct NestPayload : Payload {
  MixedNumbers lower, upper, step;
  SmallVector<uint32_t, 4> ivs;
};
} // namespace

/// immediate: where to go on when there is no iteration.
static Outcome runNestBegin(Instance &self, const Instruction &instruction) {
  const auto &nest = instruction.as<NestPayload>();
  bool isEmpty = false;
  SmallVector<int64_t, 4> lower = nest.lower.get(self),
                          upper = nest.upper.get(self);
  for (int64_t step : nest.step.get(self))
    if (step <= 0)
      return failOnStep(self, instruction.site, step);
  for (auto [d, iv] : llvm::enumerate(nest.ivs)) {
    self.scalars[iv] = lower[d];
    isEmpty |= lower[d] >= upper[d];
  }
  if (!isEmpty)
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// The last induction variable is the fastest. immediate: first instruction of
/// the body.
static Outcome runNestNext(Instance &self, const Instruction &instruction) {
  const auto &nest = instruction.as<NestPayload>();
  SmallVector<int64_t, 4> lower = nest.lower.get(self),
                          upper = nest.upper.get(self),
                          step = nest.step.get(self);
  for (size_t d = nest.ivs.size(); d-- > 0;) {
    int64_t &iv = self.scalars[nest.ivs[d]], next;
    if (!llvm::AddOverflow(iv, step[d], next) && next < upper[d]) {
      iv = next;
      self.pc = instruction.immediate;
      return Outcome::Jump;
    }
    iv = lower[d];
  }
  return Outcome::Next;
}

/// Begins a nest; returns the position of its first instruction.
static uint32_t beginNest(Decoder &decoder, Operation *op, NestPayload *payload,
                          ValueRange ivs) {
  for (Value iv : ivs)
    payload->ivs.push_back(decoder.define(iv));
  uint32_t begin = decoder.here();
  decoder.emit(op, runNestBegin).payload = payload;
  for (uint32_t iv : payload->ivs)
    decoder.current().loops.push_back({begin, begin, iv});
  return begin;
}

static void endNest(Decoder &decoder, Operation *op, NestPayload *payload,
                    uint32_t begin, size_t range) {
  Instruction &next = decoder.emit(op, runNestNext);
  next.payload = payload;
  next.immediate = begin + 1;
  decoder.at(begin).immediate = decoder.here();
  for (size_t i = 0; i < payload->ivs.size(); ++i) {
    LoopRange &loop = decoder.current().loops[range + i];
    loop.begin = begin + 1;
    loop.end = decoder.here();
  }
}

/// Decodes the reductions of an iteration from `number` on, then calls `then`.
static LogicalResult decodeReductions(Decoder &decoder, scf::ReduceOp reduce,
                                      SmallVector<uint32_t, 4> results,
                                      unsigned number, Decoder::OnExit then) {
  if (number == results.size())
    return then();
  Block &block = reduce.getReductions()[number].front();
  // What is reduced so far has the slot of the result.
  decoder.alias(block.getArgument(0), results[number]);
  uint32_t next = decoder.define(block.getArgument(1));
  decoder.moveAll(reduce, {reduce.getOperands()[number]}, {next});
  decoder.enter(&block, [&decoder, reduce, &block, results, number,
                         then = std::move(then)] {
    Operation *yield = block.getTerminator();
    decoder.moveAll(yield, {yield->getOperand(0)}, {results[number]});
    return decodeReductions(decoder, reduce, results, number + 1, then);
  });
  return success();
}

static LogicalResult decodeParallel(Decoder &decoder, Operation *op) {
  auto loop = cast<scf::ParallelOp>(op);
  auto *payload = decoder.makePayload<NestPayload>();
  payload->lower =
      MixedNumbers(decoder, getAsOpFoldResult(loop.getLowerBound()));
  payload->upper =
      MixedNumbers(decoder, getAsOpFoldResult(loop.getUpperBound()));
  payload->step = MixedNumbers(decoder, getAsOpFoldResult(loop.getStep()));
  FailureOr<SmallVector<uint32_t, 4>> results =
      defineAll(decoder, op, loop.getResults());
  if (failed(results))
    return failure();
  decoder.moveAll(op, llvm::to_vector(loop.getInitVals()), *results);
  size_t range = decoder.current().loops.size();
  uint32_t begin = beginNest(decoder, op, payload, loop.getInductionVars());
  decoder.enter(loop.getBody(), [&decoder, op, loop, payload,
                                 results = *results, begin, range]() mutable {
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    return decodeReductions(decoder, reduce, results, 0,
                            [&decoder, op, payload, begin, range] {
                              endNest(decoder, op, payload, begin, range);
                              return success();
                            });
  });
  return success();
}

/// The results begin as the shared outputs; the argument of the body is the
/// output as it was before the loop, as no iteration sees another's insertions.
static LogicalResult decodeForall(Decoder &decoder, Operation *op) {
  auto loop = cast<scf::ForallOp>(op);
  auto *payload = decoder.makePayload<NestPayload>();
  payload->lower = MixedNumbers(decoder, loop.getMixedLowerBound());
  payload->upper = MixedNumbers(decoder, loop.getMixedUpperBound());
  payload->step = MixedNumbers(decoder, loop.getMixedStep());
  scf::InParallelOp terminator = loop.getTerminator();
  SmallVector<BlockArgument, 4> arguments =
      llvm::to_vector<4>(loop.getRegionOutArgs());
  SmallVector<Value, 4> copied;
  SmallVector<uint32_t, 4> copies;
  for (auto [argument, output] :
       llvm::zip_equal(arguments, loop.getOutputs())) {
    bool isRead = llvm::any_of(argument.getUsers(), [&](Operation *user) {
      return user->getParentOp() != terminator;
    });
    if (!isRead)
      continue;
    copied.push_back(output);
    copies.push_back(decoder.define(argument));
  }
  FailureOr<SmallVector<uint32_t, 4>> results =
      defineAll(decoder, op, loop.getResults());
  if (failed(results))
    return failure();
  SmallVector<Value, 4> from(copied);
  llvm::append_range(from, loop.getOutputs());
  SmallVector<uint32_t, 4> to(copies);
  llvm::append_range(to, *results);
  decoder.moveAll(op, from, to);
  size_t range = decoder.current().loops.size();
  uint32_t begin =
      beginNest(decoder, op, payload, ValueRange(loop.getInductionVars()));
  decoder.enter(loop.getBody(), [&decoder, op, terminator, arguments, payload,
                                 results = *results, begin, range]() mutable {
    for (Operation &nested : terminator.getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(nested);
      auto *argument =
          insert ? llvm::find(arguments, insert.getDest()) : arguments.end();
      if (argument == arguments.end() ||
          !getElementBytes(insert.getSourceType()))
        return decoder.unsupported(&nested, "expected the insertion of a slice "
                                            "into an output of the loop");
      decodeParallelInsert(decoder, insert,
                           results[argument - arguments.begin()]);
    }
    endNest(decoder, op, payload, begin, range);
    return success();
  });
  return success();
}

void ktir::exec::addLoopHandlers(DecodeTable &table) {
  table["scf.for"] = decodeFor;
  table["scf.while"] = decodeWhile;
  table["scf.parallel"] = decodeParallel;
  table["scf.forall"] = decodeForall;
}
