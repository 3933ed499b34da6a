//===- DecodeKtdp.cpp - ktdp ----------------------------------------------===//

#include "DecodeKtdp.h"

#include "Elementwise.h"
#include "Runtime.h"
#include "Transfer.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

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
// load, store
//===----------------------------------------------------------------------===//

/// Whether the tile selects of a tensor that is undefined.
static bool isOfUndefined(const Tile &tile) {
  return !tile.view.space && !tile.view.distribution && !tile.view.tensor;
}

/// Zeros for an undefined tensor that is read all the same, charged to no one.
static Buffer makeZeros(uint64_t bytes) {
  Buffer zeros = Buffer::allocate(bytes, nullptr);
  std::memset(zeros.data(), 0, bytes);
  return zeros;
}

/// a: tensor slot; b: tile slot.
static Outcome runLoad(Instance &self, const Instruction &instruction) {
  const Tile &tile = self.tiles[instruction.b];
  if (isOfUndefined(tile)) {
    if (tile.view.isForOthers)
      return self.run.fail(self, instruction.site, "",
                           "the tensor that the tile selects of was delivered "
                           "to other tiles; expected a tile of "
                           "consumer_tiles_per_group to use it");
    reportUndefined(self, instruction.site, 0);
    Tensor zeros =
        self.makeTensor(tile.shape, tile.view.elementBytes, instruction.site);
    std::memset(zeros.data.data(), 0, zeros.data.size());
    self.tensors[instruction.a] = std::move(zeros);
    return Outcome::Next;
  }
  Buffer packed;
  if (!self.unfinished)
    packed =
        self.makeTensor(tile.shape, tile.view.elementBytes, instruction.site)
            .data;
  Outcome outcome = transferInTurns(self, tile.view, tile.selection, packed,
                                    /*isWrite=*/false, instruction.site);
  if (outcome != Outcome::Next)
    return outcome;
  Tensor &loaded = self.tensors[instruction.a];
  loaded.data = std::move(packed);
  loaded.shape.assign(tile.shape.begin(), tile.shape.end());
  loaded.isForOthers = false;
  return Outcome::Next;
}

static Outcome runStore(Instance &self, const Instruction &instruction) {
  const Tensor &tensor = self.tensors[instruction.a];
  const Tile &tile = self.tiles[instruction.b];
  Buffer packed = tensor.data;
  if (!self.unfinished) {
    if (!llvm::equal(tensor.shape, tile.shape))
      return self.run.fail(self, instruction.site, "ST-2",
                           "data tile shape must match access tile shape");
    if (tensor.isUndefined()) {
      if (checkReadable(self, instruction.site, 0, tensor) == Outcome::Fail)
        return Outcome::Fail;
      packed = makeZeros(tensor.elements() * tile.view.elementBytes);
    }
  }
  return transferInTurns(self, tile.view, tile.selection, packed,
                         /*isWrite=*/true, instruction.site);
}

/// The view or tensor behind `tile`; null when it is not known.
static Value getBase(Value tile) {
  if (auto direct = tile.getDefiningOp<ktdp::ConstructAccessTileOp>())
    return direct.getBase();
  if (auto indirect = tile.getDefiningOp<ktdp::ConstructIndirectAccessTileOp>())
    return indirect.getBase();
  return nullptr;
}

static LogicalResult verifyElement(Operation *op, Type element, Value tile) {
  Value value = getBase(tile);
  Type base = value ? getElementTypeOrSelf(value) : element;
  if (base == element)
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

//===----------------------------------------------------------------------===//
// runtime_arg_extract
//===----------------------------------------------------------------------===//

static LogicalResult decodeExtract(Decoder &decoder, Operation *op) {
  auto extract = cast<ktdp::RuntimeArgExtractOp>(op);
  ktdp::RuntimeArgType type = extract.getArgument().getType();
  switch (extract.getKind()) {
  case ktdp::ExtractionKind::Value:
    decoder.alias(extract.getResult(), extract.getArgument());
    return success();
  case ktdp::ExtractionKind::Granularity:
    decoder.defineConstant(extract.getResult(), *type.getGranularity());
    return success();
  case ktdp::ExtractionKind::Upperbound:
    decoder.defineConstant(extract.getResult(), *type.getUpperbound());
    return success();
  }
  return failure();
}

void ktir::exec::addKtdpHandlers(DecodeTable &table) {
  table["ktdp.get_compute_tile_id"] = decodeTileId;
  table["ktdp.construct_memory_view"] = decodeMemoryView;
  table["ktdp.construct_distributed_memory_view"] = decodeDistributedView;
  table["ktdp.construct_access_tile"] = decodeAccessTile;
  table["ktdp.construct_indirect_access_tile"] = decodeIndirectTile;
  table["ktdp.load"] = decodeLoad;
  table["ktdp.store"] = decodeStore;
  table["ktdp.runtime_arg_extract"] = decodeExtract;
  table["ktdp.inter_tile_produce"] = decodeProduction;
  for (const char *name : {"consume", "reduce", "reduce_scatter", "gather",
                           "all_to_all", "scatter"})
    table[("ktdp.inter_tile_" + Twine(name)).str()] = decodeDelivery;
}
