//===- DecodeKtdp.cpp - ktdp ----------------------------------------------===//

#include "Decoder.h"
#include "Elementwise.h"
#include "Runtime.h"
#include "Transfer.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// get_compute_tile_id
//===----------------------------------------------------------------------===//

/// immediate: grid dimension.
static Outcome runTileId(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] = self.coordinates[instruction.immediate];
  return Outcome::Next;
}

static LogicalResult decodeTileId(Decoder &decoder, Operation *op) {
  size_t rank = decoder.program.grid.size();
  // One result of a grid of higher rank is coordinate 0 (ID-3).
  if (op->getNumResults() != rank && op->getNumResults() != 1)
    return op->emitError() << "get_compute_tile_id result count ("
                           << op->getNumResults()
                           << ") does not match grid rank (" << rank << ")";
  for (OpResult result : op->getResults()) {
    uint32_t slot = decoder.define(result);
    Instruction &instruction = decoder.emit(op, runTileId);
    instruction.a = slot;
    instruction.immediate = result.getResultNumber();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// construct_memory_view
//===----------------------------------------------------------------------===//

namespace {
/// A size or stride: a constant, or a scalar slot.
struct Extent {
  bool isConstant;
  int64_t value;
};

struct ViewPayload : Payload {
  SmallVector<Extent, 4> sizes, strides;
  unsigned elementBytes = 0;
  bool device = true;
  int64_t tile = -1; ///< owner of a scratchpad; -1 the executing tile
};
} // namespace

static int64_t evaluate(const Instance &self, const Extent &extent) {
  return extent.isConstant ? extent.value : self.scalars[extent.value];
}

/// a: view slot; b: offset in elements.
static Outcome runView(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<ViewPayload>();
  View &view = self.views[instruction.a];
  if (payload.device) {
    view.space = &self.run.memory.device();
  } else {
    int64_t owner = payload.tile < 0 ? self.core : payload.tile;
    if (owner >= int64_t(self.run.memory.cores()))
      return self.run.fail(self, instruction.site, "",
                           "ct_id is " + llvm::Twine(owner) +
                               ", the device has " +
                               llvm::Twine(self.run.memory.cores()) + " cores");
    view.space = &self.run.memory.scratchpad(owner);
  }
  view.elementBytes = payload.elementBytes;
  view.pads = true;
  view.layout = nullptr;
  int64_t offset = self.scalars[instruction.b];
  if (llvm::MulOverflow(offset, int64_t(payload.elementBytes), view.base))
    return self.run.fail(self, instruction.site, "D2",
                         "offset " + llvm::Twine(offset) +
                             " lies outside any memory");
  view.sizes.clear();
  view.strides.clear();
  for (auto [size, stride] : llvm::zip_equal(payload.sizes, payload.strides)) {
    view.sizes.push_back(evaluate(self, size));
    view.strides.push_back(evaluate(self, stride) * payload.elementBytes);
    if (view.sizes.back() < 0)
      return self.run.fail(self, instruction.site, "",
                           "a size is " + llvm::Twine(view.sizes.back()) +
                               ", expected at least 0");
  }
  return Outcome::Next;
}

static LogicalResult decodeView(Decoder &decoder, Operation *op) {
  auto construct = cast<ktdp::ConstructMemoryViewOp>(op);
  auto type = cast<MemRefType>(construct.getResult().getType());
  std::optional<numerics::DType> element = getDType(type.getElementType());
  if (!element)
    return op->emitError() << "cannot be executed: element type "
                           << type.getElementType();
  auto *payload = decoder.makePayload<ViewPayload>();
  payload->elementBytes = numerics::byteSize(*element);
  auto convert = [&](ArrayRef<OpFoldResult> values,
                     SmallVectorImpl<Extent> &into) {
    for (OpFoldResult value : values) {
      if (auto constant = getConstantIntValue(value))
        into.push_back({true, *constant});
      else
        into.push_back({false, decoder.use(cast<Value>(value))});
    }
  };
  convert(construct.getMixedSizes(), payload->sizes);
  convert(construct.getMixedStrides(), payload->strides);
  ktdp::MemorySpaceAttr space = construct.getMemorySpace();
  payload->device = space.getKind() == ktdp::MemorySpaceKind::Global;
  payload->tile = space.getCtId();
  uint32_t offset = decoder.use(construct.getOffset());
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runView);
  instruction.a = result;
  instruction.b = offset;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// construct_access_tile
//===----------------------------------------------------------------------===//

namespace {
struct TilePayload : Payload {
  SmallVector<CompiledExpr, 4> base;
  SmallVector<uint32_t, 4> indices, symbols;
  CompiledSet set;
  /// Extents of the tile's type, -1 for `?`.
  SmallVector<int64_t, 4> shape;
  /// The points where no symbol changes them.
  std::optional<CompiledSet::Points> fixed;
  std::shared_ptr<const std::vector<int64_t>> fixedList;
};
} // namespace

/// a: tile slot; b: view slot.
static Outcome runTile(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<TilePayload>();
  Tile &tile = self.tiles[instruction.a];
  tile.view = self.views[instruction.b];
  Selection &selection = tile.selection;

  CompiledSet::Points computed;
  const CompiledSet::Points *points = nullptr;
  std::shared_ptr<const std::vector<int64_t>> list = payload.fixedList;
  if (payload.fixed) {
    points = &*payload.fixed;
  } else {
    SmallVector<int64_t, 4> symbols;
    for (uint32_t slot : payload.symbols)
      symbols.push_back(self.scalars[slot]);
    std::string error;
    std::optional<CompiledSet::Points> found =
        payload.set.enumerate(symbols, error);
    if (!found)
      return self.run.fail(self, instruction.site, "AC-S1", error);
    computed = std::move(*found);
    points = &computed;
    if (!computed.isBox)
      list = std::make_shared<const std::vector<int64_t>>(
          std::move(computed.list));
  }
  self.run.ticks += points->isBox ? 0 : points->count / 64;

  selection.start.clear();
  for (const CompiledExpr &expr : payload.base) {
    std::optional<int64_t> value = expr.evaluateOn(
        [&](unsigned i) { return self.scalars[payload.indices[i]]; });
    if (!value)
      return self.run.fail(self, instruction.site, "",
                           "division by zero in the base coordinate");
    selection.start.push_back(*value);
  }
  // Extents that the type leaves open are those of a box; a set that is none
  // fills the one open extent with what remains.
  tile.shape.assign(payload.shape.begin(), payload.shape.end());
  if (points->isBox) {
    selection.points = nullptr;
    selection.extent = points->extent;
    selection.order = points->order;
    for (size_t d = 0; d < selection.start.size(); ++d)
      selection.start[d] += points->lower[d];
    for (size_t j = 0; j < tile.shape.size(); ++j)
      if (tile.shape[j] < 0)
        tile.shape[j] = points->extent[points->order[j]];
  } else {
    selection.points = std::move(list);
    int64_t known = 1;
    for (int64_t extent : tile.shape)
      known *= extent < 0 ? 1 : extent;
    for (int64_t &extent : tile.shape)
      if (extent < 0)
        extent = known ? points->count / known : 0;
  }
  int64_t expected = 1;
  for (int64_t extent : tile.shape)
    expected *= extent;
  if (expected != points->count)
    return self.run.fail(self, instruction.site, "AC-S1",
                         "access_tile_set has " + llvm::Twine(points->count) +
                             " points, the tile has " + llvm::Twine(expected) +
                             " elements");
  return Outcome::Next;
}

static LogicalResult decodeTile(Decoder &decoder, Operation *op) {
  auto construct = cast<ktdp::ConstructAccessTileOp>(op);
  auto base = dyn_cast<MemRefType>(construct.getBase().getType());
  if (!base)
    return decoder.unsupported(op, "an access tile of a tensor");
  if (construct.getBaseMap().getNumResults() != unsigned(base.getRank()))
    return op->emitError() << "cannot be executed: "
                           << construct.getBaseMap().getNumResults()
                           << " subscripts on a base of rank "
                           << base.getRank();
  auto *payload = decoder.makePayload<TilePayload>();
  payload->base = compileMap(construct.getBaseMap());
  for (Value index : construct.getIndices())
    payload->indices.push_back(decoder.use(index));
  for (Value symbol : construct.getSymbols())
    payload->symbols.push_back(decoder.use(symbol));
  payload->set = CompiledSet::get(construct.getAccessTileSet(),
                                  construct.getAccessTileOrder());
  auto type = cast<ktdp::AccessTileType>(construct.getResult().getType());
  for (int64_t extent : type.getShape())
    payload->shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  if (payload->set.getNumSymbols() == 0) {
    std::string error;
    payload->fixed = payload->set.enumerate({}, error);
    if (!payload->fixed)
      return decoder.unsupported(op, "access_tile_set: " + Twine(error));
    if (!payload->fixed->isBox)
      payload->fixedList =
          std::make_shared<const std::vector<int64_t>>(payload->fixed->list);
  }
  uint32_t view = decoder.use(construct.getBase());
  uint32_t result = decoder.define(construct.getResult());
  Instruction &instruction = decoder.emit(op, runTile);
  instruction.a = result;
  instruction.b = view;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// load, store
//===----------------------------------------------------------------------===//

/// a: tensor slot; b: tile slot.
static Outcome runLoad(Instance &self, const Instruction &instruction) {
  const Tile &tile = self.tiles[instruction.b];
  Tensor tensor =
      self.makeTensor(tile.shape, tile.view.elementBytes, instruction.site);
  Outcome outcome =
      transfer(self, tile.view, tile.selection, tensor.data.data(),
               /*isWrite=*/false, instruction.site);
  self.tensors[instruction.a] = std::move(tensor);
  return outcome;
}

static Outcome runStore(Instance &self, const Instruction &instruction) {
  const Tensor &tensor = self.tensors[instruction.a];
  const Tile &tile = self.tiles[instruction.b];
  if (!llvm::equal(tensor.shape, tile.shape))
    return self.run.fail(self, instruction.site, "ST-2",
                         "data tile shape must match access tile shape");
  if (tensor.isUndefined()) {
    reportUndefined(self, instruction.site, 0);
    // Its elements are read as zero, as by every other op.
    std::vector<uint8_t> zeros(tensor.elements() * tile.view.elementBytes);
    return transfer(self, tile.view, tile.selection, zeros.data(),
                    /*isWrite=*/true, instruction.site);
  }
  return transfer(self, tile.view, tile.selection, tensor.data.data(),
                  /*isWrite=*/true, instruction.site);
}

/// The element type of the view behind `tile`; null when it is not known.
static Type getBaseElement(Value tile) {
  auto construct = tile.getDefiningOp<ktdp::ConstructAccessTileOp>();
  if (!construct)
    return nullptr;
  return getElementTypeOrSelf(construct.getBase());
}

static LogicalResult verifyElement(Operation *op, Type element, Value tile) {
  Type base = getBaseElement(tile);
  if (!base || base == element)
    return success();
  auto diagnostic = op->emitError()
                    << "cannot be executed: the tensor's element type is "
                    << element << ", that of the view " << base;
  diagnostic.attachNote(tile.getLoc()) << "the access tile is made here";
  return diagnostic;
}

static LogicalResult decodeLoad(Decoder &decoder, Operation *op) {
  auto load = cast<ktdp::LoadOp>(op);
  if (failed(verifyElement(op, getElementTypeOrSelf(load.getResult()),
                           load.getTile())))
    return failure();
  uint32_t tile = decoder.use(load.getTile());
  uint32_t result = decoder.define(load.getResult());
  Instruction &instruction = decoder.emit(op, runLoad);
  instruction.a = result;
  instruction.b = tile;
  return success();
}

static LogicalResult decodeStore(Decoder &decoder, Operation *op) {
  auto store = cast<ktdp::StoreOp>(op);
  if (failed(verifyElement(op, getElementTypeOrSelf(store.getData()),
                           store.getTile())))
    return failure();
  uint32_t data = decoder.use(store.getData());
  uint32_t tile = decoder.use(store.getTile());
  Instruction &instruction = decoder.emit(op, runStore);
  instruction.a = data;
  instruction.b = tile;
  return success();
}

void ktir::exec::addKtdpHandlers(DecodeTable &table) {
  table["ktdp.get_compute_tile_id"] = decodeTileId;
  table["ktdp.construct_memory_view"] = decodeView;
  table["ktdp.construct_access_tile"] = decodeTile;
  table["ktdp.load"] = decodeLoad;
  table["ktdp.store"] = decodeStore;
}
