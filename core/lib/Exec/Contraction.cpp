//===- Contraction.cpp - Sums of products ---------------------------------===//
//
// Matrix products of any shape: loops are sorted by which operands they move
// (rows: the left one, columns: the right one, batch: both, depth: reduced),
// blocks of both operands are converted to f32 panels, and a kernel adds one
// product after the other to a tile of f32 sums. The instruction takes a turn
// for some blocks of the result, or for a part of one whose sums are long.
//
//===----------------------------------------------------------------------===//

#include "Structured.h"

#include "ktir/Exec/Numerics/Panels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::DType;
using ktir::numerics::kTileColumns;
using ktir::numerics::kTileRows;

namespace {

/// A block of the result and of the reduced range. The right panel (256 KiB)
/// and the sums (128 KiB) fit a second-level cache.
constexpr int64_t blockRows = 128;
constexpr int64_t blockColumns = 256;
constexpr int64_t blockDepth = 256;

/// Several loops as one, with offsets of an operand in bytes.
class JoinedLoop {
public:
  void add(int64_t extent, ArrayRef<int64_t> strides) {
    extents.push_back(extent);
    perOperand.emplace_back(strides.begin(), strides.end());
    count *= extent;
  }
  int64_t size() const { return count; }

  /// Offsets of `operand` at `first`, `first + 1`, ...
  void getOffsets(unsigned operand, int64_t first, int64_t number,
                  std::vector<int64_t> &offsets) const {
    SmallVector<int64_t, 4> index(extents.size());
    int64_t rest = first, offset = 0;
    for (size_t d = extents.size(); d-- > 0;) {
      index[d] = rest % extents[d];
      rest /= extents[d];
      offset += index[d] * perOperand[d][operand];
    }
    offsets.resize(number);
    for (int64_t i = 0; i < number; ++i) {
      offsets[i] = offset;
      for (size_t d = extents.size(); d-- > 0;) {
        offset += perOperand[d][operand];
        if (++index[d] < extents[d])
          break;
        offset -= extents[d] * perOperand[d][operand];
        index[d] = 0;
      }
    }
  }

private:
  SmallVector<int64_t, 4> extents;
  SmallVector<SmallVector<int64_t, 3>, 4> perOperand;
  int64_t count = 1;
};

/// True when offsets are `step` apart.
bool isEven(ArrayRef<int64_t> offsets, int64_t step) {
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] - offsets[i - 1] != step)
      return false;
  return true;
}

class Contraction : public Unfinished {
public:
  /// Adds to `initial`, or to zeros when that is null.
  Contraction(const StructuredPayload &payload, ArrayRef<int64_t> extents,
              ArrayRef<Elements> elements, const uint8_t *initial,
              Tensor result);

  /// Adds products in the time of about `limit`, or all that are left; returns
  /// how many.
  uint64_t advance(uint64_t limit);
  bool isDone() const { return block == blocks; }

  Tensor result;

private:
  enum Side { Left, Right, Result };
  template <size_t Width>
  void pack(Side side, int64_t base, ArrayRef<int64_t> lines,
            ArrayRef<int64_t> depth, std::vector<float> &panel);
  void beginBlock();
  /// Returns the number of products.
  uint64_t addDepth();
  void endBlock();

  const uint8_t *initial;
  DType types[3];
  const uint8_t *data[2];
  int64_t resultBase = 0;
  JoinedLoop batch, rows, columns, reduced;
  int64_t rowBlocks, columnBlocks, blocks;
  /// The block of the result under way: its number, place and size, and how
  /// many products each of its sums has.
  int64_t block = 0;
  int64_t base[3], first, numRows, numColumns, stride, done;
  bool isDense; ///< whether elements of its rows are neighbours
  std::vector<int64_t> rowOffsets, columnOffsets, depthOffsets;
  std::vector<int64_t> resultRows, resultColumns;
  std::vector<float> leftPanel, rightPanel, sums, line;
  std::vector<uint16_t> gathered;
};

} // namespace

Contraction::Contraction(const StructuredPayload &payload,
                         ArrayRef<int64_t> extents, ArrayRef<Elements> elements,
                         const uint8_t *initial, Tensor made)
    : result(std::move(made)), initial(initial) {
  const StructuredPayload::Output &output = payload.outputs.front();
  unsigned operands[3] = {output.fold->product->first,
                          output.fold->product->second, output.operand};
  NestOperand nests[3];
  for (unsigned i = 0; i < 3; ++i)
    nests[i] = getNest(payload.operands[operands[i]], elements[operands[i]],
                       extents.size());
  resultBase = nests[Result].data - elements[operands[Result]].data;
  auto isReduced = [&](unsigned d) { return nests[Result].strides[d] == 0; };
  // The right operand is the one whose loops are wide.
  auto ownSize = [&](unsigned own, unsigned other) {
    int64_t size = 1;
    for (unsigned d = 0; d < extents.size(); ++d)
      if (!isReduced(d) && nests[own].strides[d] && !nests[other].strides[d])
        size *= extents[d];
    return size;
  };
  if (ownSize(1, 0) < int64_t(kTileColumns) && ownSize(0, 1) > ownSize(1, 0)) {
    std::swap(nests[Left], nests[Right]);
    std::swap(operands[Left], operands[Right]);
  }
  for (unsigned i = 0; i < 3; ++i)
    types[i] = payload.operands[operands[i]].type;
  data[Left] = nests[Left].data;
  data[Right] = nests[Right].data;
  for (unsigned d = 0; d < extents.size(); ++d) {
    bool left = nests[Left].strides[d], right = nests[Right].strides[d];
    JoinedLoop &loop = extents[d] != 1 && isReduced(d) ? reduced
                       : left && right                 ? batch
                       : right                         ? columns
                                                       : rows;
    loop.add(extents[d], {nests[Left].strides[d], nests[Right].strides[d],
                          nests[Result].strides[d]});
  }
  rowBlocks = llvm::divideCeil(rows.size(), blockRows);
  columnBlocks = llvm::divideCeil(columns.size(), blockColumns);
  blocks = llvm::is_contained(result.shape, 0)
               ? 0
               : batch.size() * rowBlocks * columnBlocks;
  if (blocks)
    beginBlock();
}

/// Converts the elements at `base + lines[i] + depth[k]` to panels of `Width`
/// lines, `Width` values for each k; lines that are missing are zeros.
template <size_t Width>
void Contraction::pack(Side side, int64_t base, ArrayRef<int64_t> lines,
                       ArrayRef<int64_t> depth, std::vector<float> &panel) {
  size_t groups = llvm::divideCeil(lines.size(), Width);
  size_t panelSize = depth.size() * Width;
  if (panel.size() < groups * panelSize)
    panel.resize(groups * panelSize);
  if (lines.size() % Width)
    std::fill_n(panel.begin() + (groups - 1) * panelSize, panelSize, 0.0f);
  const uint8_t *source = data[side] + base;
  int64_t bytes = numerics::byteSize(types[side]);
  line.resize(std::max(lines.size(), depth.size()));

  if (isEven(lines, bytes)) {
    // Neighbours of different lines: one conversion for each k.
    for (size_t k = 0; k < depth.size(); ++k) {
      numerics::toPanel(types[side], line.data(), source + lines[0] + depth[k],
                        lines.size());
      for (size_t i = 0; i < lines.size(); i += Width)
        std::memcpy(&panel[i / Width * panelSize + k * Width], &line[i],
                    std::min(Width, lines.size() - i) * sizeof(float));
    }
    return;
  }
  bool isDense = isEven(depth, bytes);
  for (size_t i = 0; i < lines.size(); ++i) {
    const uint8_t *from = source + lines[i];
    if (isDense) {
      numerics::toPanel(types[side], line.data(), from + depth[0],
                        depth.size());
    } else {
      gathered.resize(std::max(gathered.size(), depth.size() * 2));
      auto *to = reinterpret_cast<uint8_t *>(gathered.data());
      for (size_t k = 0; k < depth.size(); ++k)
        std::memcpy(to + k * bytes, from + depth[k], bytes);
      numerics::toPanel(types[side], line.data(), to, depth.size());
    }
    float *to = &panel[i / Width * panelSize + i % Width];
    for (size_t k = 0; k < depth.size(); ++k)
      to[k * Width] = line[k];
  }
}

void Contraction::beginBlock() {
  int64_t firstRow = block % rowBlocks * blockRows;
  int64_t firstColumn = block / rowBlocks % columnBlocks * blockColumns;
  int64_t element = block / rowBlocks / columnBlocks;
  numRows = std::min(blockRows, rows.size() - firstRow);
  numColumns = std::min(blockColumns, columns.size() - firstColumn);
  stride = llvm::alignTo(numColumns, kTileColumns);
  done = 0;
  for (unsigned side : {Left, Right, Result}) {
    batch.getOffsets(side, element, 1, depthOffsets);
    base[side] = depthOffsets[0];
  }
  rows.getOffsets(Left, firstRow, numRows, rowOffsets);
  rows.getOffsets(Result, firstRow, numRows, resultRows);
  columns.getOffsets(Right, firstColumn, numColumns, columnOffsets);
  columns.getOffsets(Result, firstColumn, numColumns, resultColumns);
  // A row of the result, whole or element by element.
  DType type = types[Result];
  int64_t bytes = numerics::byteSize(type);
  isDense = isEven(resultColumns, bytes);
  first = resultBase + base[Result] + resultColumns[0];
  line.resize(std::max<size_t>(line.size(), numColumns));
  gathered.resize(std::max<size_t>(gathered.size(), numColumns * 2));
  auto *packed = reinterpret_cast<uint8_t *>(gathered.data());

  sums.assign(llvm::alignTo(numRows, kTileRows) * stride, 0.0f);
  for (int64_t r = 0; initial && r < numRows; ++r) {
    const uint8_t *from = initial + first + resultRows[r];
    if (!isDense) {
      for (int64_t c = 0; c < numColumns; ++c)
        std::memcpy(packed + c * bytes,
                    from + (resultColumns[c] - resultColumns[0]), bytes);
      from = packed;
    }
    numerics::toPanel(type, &sums[r * stride], from, numColumns);
  }
}

uint64_t Contraction::addDepth() {
  int64_t depth = std::min(blockDepth, reduced.size() - done);
  reduced.getOffsets(Left, done, depth, depthOffsets);
  pack<kTileRows>(Left, base[Left], rowOffsets, depthOffsets, leftPanel);
  reduced.getOffsets(Right, done, depth, depthOffsets);
  pack<kTileColumns>(Right, base[Right], columnOffsets, depthOffsets,
                     rightPanel);
  for (int64_t c = 0; c < numColumns; c += kTileColumns)
    for (int64_t r = 0; r < numRows; r += kTileRows)
      numerics::multiplyTile(&sums[r * stride + c], stride,
                             &leftPanel[r * depth], &rightPanel[c * depth],
                             depth, std::min<size_t>(kTileRows, numRows - r));
  done += depth;
  return uint64_t(numRows) * numColumns * depth;
}

void Contraction::endBlock() {
  DType type = types[Result];
  int64_t bytes = numerics::byteSize(type);
  for (int64_t r = 0; r < numRows; ++r) {
    uint8_t *to = result.data.data() + first + resultRows[r];
    if (isDense) {
      numerics::fromPanel(type, to, &sums[r * stride], numColumns);
      continue;
    }
    auto *packed = reinterpret_cast<uint8_t *>(gathered.data());
    numerics::fromPanel(type, packed, &sums[r * stride], numColumns);
    for (int64_t c = 0; c < numColumns; ++c)
      std::memcpy(to + (resultColumns[c] - resultColumns[0]),
                  packed + c * bytes, bytes);
  }
}

uint64_t Contraction::advance(uint64_t limit) {
  uint64_t products = 0, spent = 0;
  while (!isDone() && spent < limit) {
    if (done < reduced.size()) {
      const int64_t before = done;
      products += addDepth();
      // Tiles that are not full take as long.
      spent += (done - before) * sums.size();
    }
    if (done < reduced.size())
      continue;
    endBlock();
    if (++block < blocks)
      beginBlock();
  }
  return products;
}

Outcome ktir::exec::runContraction(Instance &self,
                                   const Instruction &instruction) {
  const auto &payload = instruction.as<StructuredPayload>();
  const StructuredPayload::Output &output = payload.outputs.front();
  const uint32_t site = instruction.site;
  const uint64_t begin = self.run.ticks;
  auto *work = static_cast<Contraction *>(self.unfinished.get());
  std::optional<Contraction> begun;
  if (!work) {
    SmallVector<int64_t, 4> extents;
    SmallVector<Elements, 4> elements;
    if (getExtents(self, site, payload, extents) == Outcome::Fail ||
        getElements(self, site, payload, elements) == Outcome::Fail)
      return Outcome::Fail;
    const uint8_t *initial = nullptr;
    Tensor result = makeResult(self, site, payload, output, initial);
    elements[output.operand] = {
        result.data.data(),
        unsigned(numerics::byteSize(payload.operands[output.operand].type)),
        result.shape};
    begun.emplace(payload, extents, elements, initial, std::move(result));
    work = &*begun;
  }
  constexpr uint64_t productsPerTurn = uint64_t(1) << 24;
  const uint64_t products = work->advance(productsPerTurn);
  const bool isDone = work->isDone();
  self.compute(site, isDone ? work->result.elements() : 0, products);
  self.run.event(self, "compute", begin, 0, site);
  if (!isDone) {
    if (begun)
      self.unfinished = std::make_unique<Contraction>(std::move(*begun));
    return Outcome::Jump;
  }
  self.tensors[output.result] = std::move(work->result);
  self.unfinished.reset();
  return Outcome::Next;
}
