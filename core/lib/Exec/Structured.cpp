//===- Structured.cpp - Loops over tensors --------------------------------===//

#include "Structured.h"

#include "TensorOps.h"

#include "ktir/Exec/Numerics/Panels.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::DType;
using llvm::Twine;

NestOperand ktir::exec::getNest(const StructuredPayload::Operand &operand,
                                const Elements &elements, unsigned loops) {
  NestOperand nest{elements.data, {}};
  nest.strides.assign(loops, 0);
  int64_t stride = elements.bytes;
  for (size_t r = elements.shape.size(); r-- > 0;) {
    const CompiledExpr &expr = operand.map[r];
    if (expr.isLinear()) {
      nest.data += expr.getConstant() * stride;
      for (const CompiledExpr::Term &term : expr.getTerms())
        nest.strides[term.input] += term.factor * stride;
    }
    stride *= elements.shape[r];
  }
  return nest;
}

Outcome ktir::exec::getExtents(Instance &self, uint32_t site,
                               const StructuredPayload &payload,
                               SmallVectorImpl<int64_t> &extents) {
  auto shapeOf = [&](unsigned operand) -> ArrayRef<int64_t> {
    return self.tensors[payload.operands[operand].slot].shape;
  };
  for (auto [operand, dim] : payload.extents)
    extents.push_back(shapeOf(operand)[dim]);
  bool isEmpty = llvm::is_contained(extents, 0);
  for (auto [i, operand] : llvm::enumerate(payload.operands)) {
    ArrayRef<int64_t> shape = shapeOf(i);
    for (auto [r, expr] : llvm::enumerate(operand.map)) {
      // Expressions that divide are looked at point by point.
      if (!expr.isLinear())
        continue;
      ArrayRef<CompiledExpr::Term> terms = expr.getTerms();
      if (terms.size() == 1 && terms[0].factor == 1 &&
          expr.getConstant() == 0) {
        if (shape[r] != extents[terms[0].input])
          return self.run.fail(self, site, "",
                               "operand " + Twine(operand.number) +
                                   " has extent " + Twine(shape[r]) +
                                   " in dimension " + Twine(r) + ", expected " +
                                   Twine(extents[terms[0].input]));
        continue;
      }
      int64_t low = expr.getConstant(), high = low;
      for (const CompiledExpr::Term &term : terms)
        (term.factor < 0 ? low : high) +=
            term.factor * (extents[term.input] - 1);
      if (!isEmpty && (low < 0 || high >= shape[r]))
        return self.run.fail(
            self, site, "",
            "operand " + Twine(operand.number) + " has extent " +
                Twine(shape[r]) + " in dimension " + Twine(r) +
                ", the loops reach " + Twine(low) + " to " + Twine(high));
    }
  }
  return Outcome::Next;
}

Outcome ktir::exec::runLoops(Instance &self, uint32_t site,
                             const StructuredPayload &payload,
                             const BodyProgram &body, const Box &box,
                             ArrayRef<Elements> elements,
                             ArrayRef<unsigned> targets) {
  if (llvm::is_contained(box.extents, 0))
    return Outcome::Next;
  unsigned loops = payload.loops();
  SmallVector<int64_t, 4> inner(box.extents);
  SmallVector<unsigned, 4> stepped;
  for (unsigned d = 0; d < loops; ++d)
    if (payload.isStepped[d]) {
      inner[d] = 1;
      stepped.push_back(d);
    }

  // Accesses: inputs of the program, then its outputs.
  SmallVector<NestOperand, 6> inputs, outputs;
  SmallVector<unsigned, 6> operands;
  for (unsigned operand : body.tensors) {
    inputs.push_back(
        getNest(payload.operands[operand], elements[operand], loops));
    operands.push_back(operand);
  }
  SmallVector<int64_t, 4> index(box.origin);
  auto addValue = [&](void *value) {
    NestOperand nest{static_cast<uint8_t *>(value), {}};
    nest.strides.assign(loops, 0);
    inputs.push_back(std::move(nest));
  };
  for (uint32_t slot : body.scalars)
    addValue(&self.scalars[slot]);
  for (unsigned d : body.steppedIndices)
    addValue(&index[d]);
  for (unsigned operand : targets)
    outputs.push_back(
        getNest(payload.operands[operand], elements[operand], loops));
  Nest nest(*body.program, inner, inputs, outputs, body.parallelIndices,
            box.origin);

  numerics::Fault fault = numerics::Fault::None;
  SmallVector<int64_t, 6> inputOffset(inputs.size(), 0);
  SmallVector<int64_t, 2> outputOffset(outputs.size(), 0);
  auto offsetOf = [&](const NestOperand &access) {
    int64_t offset = 0;
    for (unsigned d = 0; d < loops; ++d)
      offset += access.strides[d] * index[d];
    return offset;
  };
  while (true) {
    for (size_t i = 0; i < inputs.size(); ++i)
      inputOffset[i] = offsetOf(inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      outputOffset[i] = offsetOf(outputs[i]);
    if (!payload.isLinear) {
      // Loops that such an expression reads are all stepped.
      auto addRest = [&](unsigned number, int64_t &offset) {
        const StructuredPayload::Operand &operand = payload.operands[number];
        const Elements &place = elements[number];
        int64_t stride = place.bytes;
        for (size_t r = place.shape.size(); r-- > 0;) {
          if (!operand.map[r].isLinear()) {
            std::optional<int64_t> at = operand.map[r].evaluate(index);
            if (!at || *at < 0 || *at >= place.shape[r]) {
              self.run.fail(self, site, "",
                            "operand " + Twine(operand.number) +
                                " has extent " + Twine(place.shape[r]) +
                                " in dimension " + Twine(r) +
                                ", the loops reach " + Twine(at.value_or(-1)));
              return false;
            }
            offset += *at * stride;
          }
          stride *= place.shape[r];
        }
        return true;
      };
      for (auto [i, operand] : llvm::enumerate(operands))
        if (!addRest(operand, inputOffset[i]))
          return Outcome::Fail;
      for (auto [i, operand] : llvm::enumerate(targets))
        if (!addRest(operand, outputOffset[i]))
          return Outcome::Fail;
    }
    numerics::Fault met = nest.run(inputOffset, outputOffset, self.run.scratch);
    if (met != numerics::Fault::None)
      fault = met;
    size_t level = stepped.size();
    while (level > 0) {
      unsigned d = stepped[level - 1];
      if (++index[d] < box.origin[d] + box.extents[d])
        break;
      index[d] = box.origin[d];
      --level;
    }
    if (level == 0)
      return failOnFault(self, site, fault);
  }
}

Tensor ktir::exec::makeResult(Instance &self, uint32_t site,
                              const StructuredPayload &payload,
                              const StructuredPayload::Output &output,
                              const uint8_t *&initial) {
  const StructuredPayload::Operand &operand = payload.operands[output.operand];
  Tensor &from = self.tensors[operand.slot];
  initial = from.data ? from.data.data() : nullptr;
  if (initial && output.dies && from.data.isUnique())
    return std::move(from);
  return self.makeTensor(from.shape, numerics::byteSize(operand.type), site);
}

/// True when the loops reach every element of an output of `shape`.
static bool coversAll(const StructuredPayload::Operand &operand,
                      ArrayRef<int64_t> shape) {
  for (auto [r, expr] : llvm::enumerate(operand.map)) {
    ArrayRef<CompiledExpr::Term> terms = expr.getTerms();
    bool isLoop = expr.isLinear() && terms.size() == 1 &&
                  terms[0].factor == 1 && expr.getConstant() == 0;
    bool isOnly = expr.isLinear() && terms.empty() && shape[r] == 1;
    if (!isLoop && !isOnly)
      return false;
  }
  return true;
}

uint64_t ktir::exec::countPoints(ArrayRef<int64_t> extents) {
  uint64_t points = 1;
  for (int64_t extent : extents)
    points = llvm::SaturatingMultiply(points, uint64_t(extent));
  return points;
}

Outcome ktir::exec::getElements(Instance &self, uint32_t site,
                                const StructuredPayload &payload,
                                SmallVectorImpl<Elements> &elements) {
  SmallVector<bool, 4> isRead(payload.operands.size(), false);
  for (unsigned operand : payload.body.tensors)
    isRead[operand] = true;
  for (const StructuredPayload::Output &output : payload.outputs)
    if (output.fold)
      // A second fold reads what the first one does.
      for (unsigned operand : output.fold->term.tensors)
        isRead[operand] = true;
  size_t numInputs = payload.operands.size() - payload.outputs.size();
  for (auto [i, operand] : llvm::enumerate(payload.operands)) {
    const Tensor &tensor = self.tensors[operand.slot];
    if (!tensor.isUndefined()) {
      elements.push_back({tensor.data.data(),
                          unsigned(numerics::byteSize(operand.type)),
                          tensor.shape});
      continue;
    }
    // Initial values are looked at where they are used, as some are identities.
    if ((tensor.isForOthers || (i < numInputs && isRead[i])) &&
        checkReadable(self, site, operand.number, tensor) == Outcome::Fail)
      return Outcome::Fail;
    // Without distance between elements, all are the one zero.
    elements.push_back(
        {const_cast<uint8_t *>(reinterpret_cast<const uint8_t *>(&zeroElement)),
         0, tensor.shape});
  }
  return Outcome::Next;
}

namespace {
/// A structured op in execution.
class StructuredRun : public Unfinished {
public:
  StructuredRun(Instance &self, uint32_t site, const StructuredPayload &payload)
      : self(self), site(site), payload(payload) {}

  /// Makes the results and finds the elements of the operands.
  Outcome begin();
  /// Copies about `count` elements that the results begin with; returns how
  /// many, none when all are there.
  uint64_t copyInitial(uint64_t count);
  Outcome compute(const Box &box);
  /// Defines the results.
  void end();

  SmallVector<int64_t, 4> extents;
  uint64_t points = 0;  ///< of the loops
  uint64_t results = 0; ///< elements of the largest result
  uint64_t initial = 0; ///< elements that the results begin with
  std::optional<Boxes> boxes;

private:
  struct Folding {
    const Fold *fold;
    unsigned operand;
    std::vector<uint8_t> accumulators;
  };
  void addFolding(const StructuredPayload::Output &output, const Fold &fold,
                  const uint8_t *initial, size_t count);

  Instance &self;
  uint32_t site;
  const StructuredPayload &payload;
  SmallVector<Elements, 4> elements;
  SmallVector<Tensor, 2> made;        ///< by output
  SmallVector<ElementCopy, 0> copies; ///< of initial values
  SmallVector<Folding, 1> foldings;
  SmallVector<unsigned, 2> targets;
};
} // namespace

void StructuredRun::addFolding(const StructuredPayload::Output &output,
                               const Fold &fold, const uint8_t *initial,
                               size_t count) {
  const size_t size = numerics::byteSize(fold.panel);
  foldings.push_back(
      {&fold, output.operand, std::vector<uint8_t>(count * size)});
  uint8_t *sums = foldings.back().accumulators.data();
  if (initial && !fold.isMean)
    numerics::toPanel(payload.operands[output.operand].type, sums, initial,
                      count);
  else
    for (size_t i = 0; i < count; ++i)
      std::memcpy(&sums[i * size], &fold.identity, size);
}

Outcome StructuredRun::begin() {
  if (getExtents(self, site, payload, extents) == Outcome::Fail ||
      getElements(self, site, payload, elements) == Outcome::Fail)
    return Outcome::Fail;
  points = countPoints(extents);
  for (const StructuredPayload::Output &output : payload.outputs) {
    const uint8_t *initial = nullptr;
    made.push_back(makeResult(self, site, payload, output, initial));
    Tensor &result = made.back();
    const size_t count = result.elements();
    results = std::max<uint64_t>(results, count);
    if (output.fold) {
      addFolding(output, *output.fold, initial, count);
      if (output.second)
        addFolding(output, *output.second, initial, count);
      continue;
    }
    const auto &operand = payload.operands[output.operand];
    if (!initial && output.reads)
      checkReadable(self, site, operand.number, self.tensors[operand.slot]);
    if (output.reads || !coversAll(operand, result.shape)) {
      const int64_t bytes = numerics::byteSize(operand.type);
      const auto *zero = reinterpret_cast<const uint8_t *>(&zeroElement);
      if (initial != result.data.data()) {
        copies.push_back({result.data.data(),
                          {bytes},
                          initial ? initial : zero,
                          {initial ? bytes : 0},
                          {int64_t(count)},
                          unsigned(bytes)});
        this->initial += count;
      }
    }
    elements[output.operand] = {result.data.data(),
                                unsigned(numerics::byteSize(operand.type)),
                                result.shape};
    targets.push_back(output.operand);
  }
  return Outcome::Next;
}

uint64_t StructuredRun::copyInitial(uint64_t count) {
  uint64_t done = 0;
  while (!copies.empty() && done < count) {
    done += copies.back().advance(count - done);
    if (!copies.back().left())
      copies.pop_back();
  }
  return done;
}

Outcome StructuredRun::compute(const Box &box) {
  for (Folding &folding : foldings)
    if (runFold(self, site, payload, folding.operand, *folding.fold, box,
                elements, folding.accumulators.data()) == Outcome::Fail)
      return Outcome::Fail;
  if (targets.empty())
    return Outcome::Next;
  return runLoops(self, site, payload, payload.body, box, elements, targets);
}

void StructuredRun::end() {
  Folding *next = foldings.begin();
  auto take = [&](size_t count) {
    Folding &folding = *next++;
    if (folding.fold->isMean)
      finishMean(*folding.fold, extents, folding.accumulators.data(), count);
    return folding.accumulators.data();
  };
  for (auto [output, result] : llvm::zip_equal(payload.outputs, made)) {
    const DType type = payload.operands[output.operand].type;
    const size_t count = result.elements();
    if (output.second) {
      // Components of one element lie side by side.
      const DType component = *numerics::getComponentType(type);
      const size_t bytes = numerics::byteSize(component);
      std::vector<uint8_t> packed(count * bytes);
      for (size_t number : {0, 1}) {
        numerics::fromPanel(component, packed.data(), take(count), count);
        for (size_t i = 0; i < count; ++i)
          std::memcpy(result.data.data() + (2 * i + number) * bytes,
                      &packed[i * bytes], bytes);
      }
    } else if (output.fold) {
      numerics::fromPanel(type, result.data.data(), take(count), count);
    }
    self.tensors[output.result] = std::move(result);
  }
}

/// One more box of an op that takes several turns.
static Outcome takeTurn(Instance &self, uint32_t site) {
  auto &work = static_cast<StructuredRun &>(*self.unfinished);
  if (uint64_t copied = work.copyInitial(self.pointsPerTurn(site))) {
    self.run.ticks += copied / 64;
    return Outcome::Jump;
  }
  const uint64_t begin = self.run.ticks;
  const Box &box = work.boxes->current();
  const uint64_t points = countPoints(box.extents);
  if (work.compute(box) == Outcome::Fail)
    return Outcome::Fail;
  const bool goesOn = work.boxes->advance();
  if (!goesOn)
    work.end();
  self.work(points);
  self.charge(site, goesOn ? 0 : work.results, points);
  self.run.event(self, "compute", begin, 0, site);
  if (goesOn)
    return Outcome::Jump;
  self.unfinished.reset();
  return Outcome::Next;
}

Outcome ktir::exec::runStructured(Instance &self,
                                  const Instruction &instruction) {
  if (self.unfinished)
    return takeTurn(self, instruction.site);
  const uint64_t begin = self.run.ticks;
  StructuredRun work(self, instruction.site,
                     instruction.as<StructuredPayload>());
  if (work.begin() == Outcome::Fail)
    return Outcome::Fail;
  const uint64_t pointsPerTurn = self.pointsPerTurn(instruction.site);
  if (work.points > pointsPerTurn || work.initial > pointsPerTurn) {
    work.boxes.emplace(work.extents, pointsPerTurn);
    self.unfinished = std::make_unique<StructuredRun>(std::move(work));
    return takeTurn(self, instruction.site);
  }
  work.copyInitial(work.initial);
  Box all;
  all.origin.assign(work.extents.size(), 0);
  all.extents = work.extents;
  if (work.compute(all) == Outcome::Fail)
    return Outcome::Fail;
  work.end();
  self.compute(instruction.site, work.results, work.points);
  self.run.event(self, "compute", begin, 0, instruction.site);
  return Outcome::Next;
}

Outcome ktir::exec::runFill(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<StructuredPayload>();
  const StructuredPayload::Output &output = payload.outputs[0];
  const StructuredPayload::Operand &operand = payload.operands[output.operand];
  // What is for others is told there, and what takes long has turns.
  if (self.unfinished || self.tensors[operand.slot].isForOthers ||
      uint64_t(self.tensors[operand.slot].elements()) >
          self.pointsPerTurn(instruction.site))
    return runStructured(self, instruction);
  uint64_t begin = self.run.ticks;
  const uint8_t *initial = nullptr;
  Tensor result = makeResult(self, instruction.site, payload, output, initial);
  uint64_t count = result.elements();
  fillElements(result.data.data(), self.scalars[payload.body.scalars[0]], count,
               numerics::byteSize(operand.type));
  self.tensors[output.result] = std::move(result);
  self.compute(instruction.site, count, count);
  self.run.event(self, "compute", begin, 0, instruction.site);
  return Outcome::Next;
}
