//===- Reduction.cpp - Reductions by one op -------------------------------===//
//
// Two orders of the loops, with the same results: where the reduced elements
// lie closer together than the outputs do, terms of many rows are put into a
// panel whose rows are folded side by side; otherwise the nest over the outputs
// runs once for each reduced index.
//
//===----------------------------------------------------------------------===//

#include "Structured.h"

#include "ktir/Exec/Numerics/Panels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <memory>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

namespace {

/// Most columns of a panel, and about how many elements it has: it stays in the
/// first-level cache together with what it is made from.
constexpr int64_t panelColumns = 512;
constexpr int64_t panelElements = 4096;
constexpr int64_t panelRows = 256;

/// One reduction in row order.
class RowFold {
public:
  RowFold(Instance &self, const StructuredPayload &payload, unsigned operand,
          const Fold &fold, const Box &box, ArrayRef<Elements> elements,
          uint8_t *accumulators);

  /// Whether this order suits the operands.
  bool isSuitable() const;
  numerics::Fault run();

private:
  void foldRowGroup(ArrayRef<int64_t> outer, int64_t row, int64_t rows);
  bool isPanelAlready() const;
  Nest &getNestFor(int64_t rows, int64_t columns);
  bool advance(ArrayRef<unsigned> loops, MutableArrayRef<int64_t> index) const;

  Instance &self;
  const Fold &fold;
  ArrayRef<int64_t> extents; ///< of the box, where its points begin at zero
  size_t size;               ///< bytes of an accumulator
  SmallVector<NestOperand, 4> inputs;
  NestOperand target;
  /// Loops of more than one iteration.
  SmallVector<unsigned, 4> outputLoops, reducedLoops;
  std::optional<unsigned> rowLoop, columnLoop;
  int64_t columns = 1;
  /// Columns that are folded at once, and whether in place.
  int64_t width = 1;
  bool isPanel = false;
  struct Prepared {
    int64_t rows, columns;
    std::unique_ptr<Nest> nest;
  };
  SmallVector<Prepared, 4> nests;
  std::vector<uint8_t> panel, sums;
  numerics::Fault fault = numerics::Fault::None;
};

} // namespace

RowFold::RowFold(Instance &self, const StructuredPayload &payload,
                 unsigned operand, const Fold &fold, const Box &box,
                 ArrayRef<Elements> elements, uint8_t *accumulators)
    : self(self), fold(fold), extents(box.extents),
      size(numerics::byteSize(fold.panel)),
      target(getNest(payload.operands[operand],
                     {accumulators, unsigned(size), elements[operand].shape},
                     payload.loops())) {
  target.data += box.offsetIn(target.strides);
  for (unsigned operand : fold.term.tensors) {
    inputs.push_back(
        getNest(payload.operands[operand], elements[operand], payload.loops()));
    inputs.back().data += box.offsetIn(inputs.back().strides);
  }
  for (uint32_t slot : fold.term.scalars) {
    NestOperand scalar{reinterpret_cast<uint8_t *>(&self.scalars[slot]), {}};
    scalar.strides.assign(payload.loops(), 0);
    inputs.push_back(std::move(scalar));
  }
  for (unsigned d = 0; d < extents.size(); ++d)
    if (extents[d] != 1)
      (target.strides[d] ? outputLoops : reducedLoops).push_back(d);
  if (!reducedLoops.empty()) {
    columnLoop = reducedLoops.pop_back_val();
    columns = extents[*columnLoop];
  }
  for (unsigned d : outputLoops)
    if (!rowLoop || extents[d] > extents[*rowLoop])
      rowLoop = d;
  llvm::erase_if(outputLoops, [&](unsigned d) { return d == rowLoop; });
}

bool RowFold::isSuitable() const {
  if (!columnLoop)
    return false;
  if (!rowLoop)
    return true;
  int64_t outputs = extents[*rowLoop];
  for (unsigned d : outputLoops)
    outputs *= extents[d];
  constexpr int64_t fewOutputs = 16;
  if (outputs < fewOutputs)
    return true;
  for (const NestOperand &input : inputs) {
    int64_t along = std::abs(input.strides[*columnLoop]);
    if (!along)
      continue;
    auto isCloser = [&](unsigned d) {
      return input.strides[d] && std::abs(input.strides[d]) < along;
    };
    return !isCloser(*rowLoop) && llvm::none_of(outputLoops, isCloser);
  }
  return false;
}

/// Whether the terms are elements of a tensor that lie as those of a panel do.
bool RowFold::isPanelAlready() const {
  const numerics::BlockProgram &program = *fold.term.program;
  return inputs.size() == 1 && numerics::isCopy(program) &&
         program.getOutputType(0) == fold.panel &&
         inputs[0].strides[*columnLoop] == int64_t(size) &&
         (!rowLoop || inputs[0].strides[*rowLoop] == columns * int64_t(size));
}

Nest &RowFold::getNestFor(int64_t rows, int64_t count) {
  for (Prepared &prepared : nests)
    if (prepared.rows == rows && prepared.columns == count)
      return *prepared.nest;
  SmallVector<NestOperand, 4> operands;
  for (const NestOperand &input : inputs)
    operands.push_back(
        {input.data,
         {rowLoop ? input.strides[*rowLoop] : 0, input.strides[*columnLoop]}});
  NestOperand place{panel.data(), {count * int64_t(size), int64_t(size)}};
  nests.push_back({rows, count,
                   std::make_unique<Nest>(*fold.term.program,
                                          ArrayRef<int64_t>{rows, count},
                                          operands, place)});
  return *nests.back().nest;
}

bool RowFold::advance(ArrayRef<unsigned> loops,
                      MutableArrayRef<int64_t> index) const {
  for (unsigned d : llvm::reverse(loops)) {
    if (++index[d] < extents[d])
      return true;
    index[d] = 0;
  }
  return false;
}

/// Folds outputs `row` to `row + rows - 1` of the row loop, with the other
/// output loops at `outer`.
void RowFold::foldRowGroup(ArrayRef<int64_t> outer, int64_t row, int64_t rows) {
  SmallVector<int64_t, 4> index(outer.begin(), outer.end());
  if (rowLoop)
    index[*rowLoop] = row;
  uint8_t *first = target.data;
  for (auto [at, stride] : llvm::zip_equal(index, target.strides))
    first += at * stride;
  int64_t distance = rowLoop ? target.strides[*rowLoop] : 0;
  for (int64_t r = 0; r < rows; ++r)
    std::memcpy(&sums[r * size], first + r * distance, size);
  SmallVector<int64_t, 4> offsets(inputs.size());
  do {
    for (int64_t column = 0; column < columns; column += width) {
      int64_t count = std::min(width, columns - column);
      index[*columnLoop] = column;
      for (auto [offset, input] : llvm::zip_equal(offsets, inputs)) {
        offset = 0;
        for (auto [at, stride] : llvm::zip_equal(index, input.strides))
          offset += at * stride;
      }
      if (isPanel) {
        numerics::foldRows(fold.combiner, fold.panel, sums.data(),
                           inputs[0].data + offsets[0], rows, count);
        continue;
      }
      numerics::Fault met =
          getNestFor(rows, count).run(offsets, {0}, self.run.scratch);
      if (met != numerics::Fault::None)
        fault = met;
      numerics::foldRows(fold.combiner, fold.panel, sums.data(), panel.data(),
                         rows, count);
    }
    index[*columnLoop] = 0;
  } while (advance(reducedLoops, index));
  for (int64_t r = 0; r < rows; ++r)
    std::memcpy(first + r * distance, &sums[r * size], size);
}

numerics::Fault RowFold::run() {
  if (llvm::is_contained(extents, 0))
    return numerics::Fault::None;
  int64_t allRows = rowLoop ? extents[*rowLoop] : 1;
  isPanel = isPanelAlready();
  width = isPanel ? columns : std::min(columns, panelColumns);
  // Whole groups of rows, as the kernels like them.
  constexpr int64_t together = 16;
  int64_t rows = std::clamp(panelElements / width / together * together,
                            together, panelRows);
  rows = std::min(rows, allRows);
  if (!isPanel)
    panel.resize(rows * width * size);
  sums.resize(rows * size);
  SmallVector<int64_t, 4> outer(extents.size(), 0);
  do
    for (int64_t row = 0; row < allRows; row += rows)
      foldRowGroup(outer, row, std::min(rows, allRows - row));
  while (advance(outputLoops, outer));
  return fault;
}

/// Divides `count` sums by the number of terms of each.
template <typename T>
static void divide(uint8_t *sums, size_t count, uint64_t terms) {
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, sums + i * sizeof(T), sizeof(T));
    value /= T(terms);
    std::memcpy(sums + i * sizeof(T), &value, sizeof(T));
  }
}

Outcome ktir::exec::runFold(Instance &self, uint32_t site,
                            const StructuredPayload &payload, unsigned target,
                            const Fold &fold, const Box &box,
                            ArrayRef<Elements> elements,
                            uint8_t *accumulators) {
  RowFold rows(self, payload, target, fold, box, elements, accumulators);
  if (payload.isLinear && fold.term.steppedIndices.empty() &&
      fold.term.parallelIndices.empty() && rows.isSuitable())
    return failOnFault(self, site, rows.run());
  SmallVector<Elements, 4> places(elements.begin(), elements.end());
  places[target].data = accumulators;
  places[target].bytes = numerics::byteSize(fold.panel);
  return runLoops(self, site, payload, fold.step, box, places, {target});
}

void ktir::exec::finishMean(const Fold &fold, ArrayRef<int64_t> extents,
                            uint8_t *sums, size_t count) {
  uint64_t terms = 1;
  for (unsigned d : fold.reducedLoops)
    terms *= extents[d];
  if (fold.panel == numerics::DType::F64)
    divide<double>(sums, count, terms);
  else
    divide<float>(sums, count, terms);
}

Outcome ktir::exec::runDenseReduction(Instance &self,
                                      const Instruction &instruction) {
  const auto &payload = instruction.as<StructuredPayload>();
  const StructuredPayload::Output &output = payload.outputs[0];
  const StructuredPayload::Operand &operand = payload.operands[output.operand];
  const Tensor &from = self.tensors[payload.operands[0].slot];
  const Tensor &into = self.tensors[operand.slot];
  // What is rare is looked at there, and what takes long has turns.
  if (self.unfinished || from.isUndefined() || into.isForOthers ||
      !llvm::equal(ArrayRef(from.shape).drop_back(), into.shape) ||
      uint64_t(from.elements()) > self.pointsPerTurn(instruction.site))
    return runStructured(self, instruction);
  uint64_t begin = self.run.ticks;
  const Fold &fold = *output.fold;
  size_t size = numerics::byteSize(fold.panel);
  const uint8_t *initial = nullptr;
  Tensor result = makeResult(self, instruction.site, payload, output, initial);
  size_t rows = result.elements(), columns = from.shape.back();
  SmallVector<uint64_t, 32> storage(llvm::divideCeil(rows * size, 8));
  auto *sums = reinterpret_cast<uint8_t *>(storage.data());
  if (initial)
    numerics::toPanel(operand.type, sums, initial, rows);
  else
    for (size_t row = 0; row < rows; ++row)
      std::memcpy(&sums[row * size], &fold.identity, size);
  numerics::foldRows(fold.combiner, fold.panel, sums, from.data.data(), rows,
                     columns);
  numerics::fromPanel(operand.type, result.data.data(), sums, rows);
  self.tensors[output.result] = std::move(result);
  self.compute(instruction.site, rows, rows * columns);
  self.run.event(self, "compute", begin, 0, instruction.site);
  return Outcome::Next;
}
