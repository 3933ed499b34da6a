//===- TileAccess.cpp - What each tile reads and writes -------------------===//

#include "ktir/Schedule/TileAccess.h"
#include "ktir/Dialect/Ktdp/Legality.h"
#include "ktir/Dialect/Support/IntegerSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ktir;

FailureOr<int64_t> ktir::getNumTiles(func::FuncOp func) {
  FailureOr<SmallVector<int64_t>> grid = ktdp::getGrid(func);
  if (failed(grid))
    return failure();
  if (grid->size() != 1) {
    func.emitError() << "expected a grid of one dimension, but found "
                     << grid->size()
                     << "; number the tiles in one dimension and compute the "
                        "coordinates from the tile id";
    return failure();
  }
  return grid->front();
}

//===----------------------------------------------------------------------===//
// TileValues
//===----------------------------------------------------------------------===//

const SmallVector<int64_t> *TileValues::get(Value value) {
  // Operands before users, without recursion: the chain is as long as the
  // kernel's author likes.
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value current = pending.back();
    if (known.contains(current)) {
      pending.pop_back();
      continue;
    }
    Operation *op = current.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !current.getType().isIntOrIndex()) {
      stopped = current;
      return nullptr;
    }
    bool ready = true;
    for (Value operand : op->getOperands()) {
      if (known.contains(operand))
        continue;
      pending.push_back(operand);
      ready = false;
    }
    if (!ready)
      continue;
    if (!evaluate(op)) {
      stopped = current;
      return nullptr;
    }
    pending.pop_back();
  }
  return &known[value];
}

/// Value of an integer attribute, sign-extended.
static std::optional<int64_t> integerOf(Attribute attr) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  if (!integer || integer.getValue().getBitWidth() > 64)
    return std::nullopt;
  // A boolean is 0 or 1, not 0 or -1.
  if (integer.getType().isInteger(1))
    return integer.getValue().getZExtValue();
  return integer.getValue().getSExtValue();
}

/// The attribute of `value` in `type`, an integer or `index`.
static IntegerAttr integerAttr(Type type, int64_t value) {
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(
      type, APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

bool TileValues::evaluate(Operation *op) {
  if (auto id = dyn_cast<ktdp::GetComputeTileIdOp>(op)) {
    if (id.getIds().size() != 1)
      return false;
    SmallVector<int64_t> &result = known[id.getIds().front()];
    for (int64_t t = 0; t < numTiles; ++t)
      result.push_back(t);
    return true;
  }
  if (op->getNumResults() != 1)
    return false;

  // Folding may rewrite an op in place, so it is done on a copy.
  SmallVector<int64_t> result;
  for (int64_t t = 0; t < numTiles; ++t) {
    SmallVector<Attribute> constants;
    for (Value operand : op->getOperands())
      constants.push_back(integerAttr(operand.getType(), known[operand][t]));
    SmallVector<OpFoldResult> folded;
    Operation *copy = op->clone();
    bool ok = succeeded(copy->fold(constants, folded)) && folded.size() == 1;
    std::optional<int64_t> constant;
    if (ok) {
      // A fold that names an operand means that operand's value.
      if (auto value = dyn_cast<Value>(folded[0]))
        constant = known[value][t];
      else
        constant = integerOf(cast<Attribute>(folded[0]));
    }
    copy->destroy();
    if (!constant)
      return false;
    result.push_back(*constant);
  }
  known[op->getResult(0)] = std::move(result);
  return true;
}

//===----------------------------------------------------------------------===//
// TileAccess
//===----------------------------------------------------------------------===//

Type TileAccess::elementType() const {
  return cast<MemRefType>(ktdp::ConstructMemoryViewOp(view).getType())
      .getElementType();
}

int64_t TileAccess::displacement(int64_t t) const {
  int64_t result = baseOffset[t];
  for (auto [coordinate, stride] : llvm::zip_equal(origin[t], strides))
    result += coordinate * stride;
  return result;
}

int64_t TileAccess::span() const {
  int64_t result = 1;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    result += (extent - 1) * stride;
  return result;
}

bool TileAccess::sameElements(const TileAccess &other) const {
  if (base != other.base || shape != other.shape || strides != other.strides ||
      elementType() != other.elementType())
    return false;
  for (size_t t = 0; t < origin.size(); ++t)
    if (displacement(t) != other.displacement(t))
      return false;
  return true;
}

bool TileAccess::mayOverlap(const TileAccess &other) const {
  // A constant base may point into any argument's tensor, but then the two
  // are named differently in the kernel, like two arguments.
  if (base != other.base)
    return false;
  bool sameView = strides == other.strides &&
                  elementType() == other.elementType() &&
                  baseOffset == other.baseOffset;
  for (size_t t = 0; t < origin.size(); ++t) {
    int64_t first = displacement(t), otherFirst = other.displacement(t);
    if (first + span() <= otherFirst || otherFirst + other.span() <= first)
      continue;
    // Boxes of one view are disjoint if they are so along an axis.
    bool disjoint = false;
    for (size_t d = 0; sameView && d < shape.size(); ++d)
      disjoint |= origin[t][d] + shape[d] <= other.origin[t][d] ||
                  other.origin[t][d] + other.shape[d] <= origin[t][d];
    if (!disjoint)
      return true;
  }
  return false;
}

/// Splits the offset of a view into a kernel argument and a per-tile constant.
static LogicalResult splitBase(TileAccess &access, TileValues &values,
                               int64_t numTiles) {
  access.baseOffset.assign(numTiles, 0);
  Value offset = access.view.getOffset();
  while (true) {
    if (const SmallVector<int64_t> *constant = values.get(offset)) {
      for (int64_t t = 0; t < numTiles; ++t)
        access.baseOffset[t] += (*constant)[t];
      return success();
    }
    if (auto argument = dyn_cast<BlockArgument>(offset)) {
      access.base = argument;
      return success();
    }
    auto add = offset.getDefiningOp<arith::AddIOp>();
    if (!add)
      break;
    Value rest = add.getLhs();
    const SmallVector<int64_t> *constant = values.get(add.getRhs());
    if (!constant) {
      rest = add.getRhs();
      constant = values.get(add.getLhs());
    }
    if (!constant)
      break;
    for (int64_t t = 0; t < numTiles; ++t)
      access.baseOffset[t] += (*constant)[t];
    offset = rest;
  }
  InFlightDiagnostic diag =
      access.view.emitOpError()
      << "expected an offset made of one kernel argument and constants, but "
         "found a value that the scheduler cannot follow";
  diag.attachNote(offset.getLoc()) << "this value";
  return diag;
}

/// Computes the coordinates of the first element on every tile.
static LogicalResult findOrigin(TileAccess &access, ArrayRef<int64_t> lower,
                                TileValues &values, int64_t numTiles) {
  SmallVector<const SmallVector<int64_t> *> indices;
  for (Value index : access.tile.getIndices()) {
    if (!values.get(index)) {
      Value culprit = values.culprit();
      InFlightDiagnostic diag =
          access.tile.emitOpError()
          << "expected subscripts that depend on constants and the tile id "
             "alone";
      diag.attachNote(culprit.getLoc())
          << (isa<BlockArgument>(culprit) ? "depends on this run-time value"
                                          : "depends on this operation");
      return diag;
    }
  }
  for (Value index : access.tile.getIndices())
    indices.push_back(values.get(index));

  Builder builder(access.tile.getContext());
  for (int64_t t = 0; t < numTiles; ++t) {
    SmallVector<Attribute> operands, results;
    for (const SmallVector<int64_t> *index : indices)
      operands.push_back(builder.getIndexAttr((*index)[t]));
    SmallVector<int64_t> &origin = access.origin.emplace_back();
    if (failed(access.tile.getBaseMap().constantFold(operands, results)))
      return access.tile.emitOpError("expected subscripts that divide by "
                                     "something other than zero");
    for (auto [result, low] : llvm::zip_equal(results, lower))
      origin.push_back(cast<IntegerAttr>(result).getInt() + low);
  }
  return success();
}

/// Reports the first tile whose box leaves the view.
static LogicalResult checkInsideView(const TileAccess &access,
                                     ArrayRef<int64_t> sizes) {
  for (auto [t, origin] : llvm::enumerate(access.origin)) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (origin[d] >= 0 && origin[d] + access.shape[d] <= sizes[d])
        continue;
      InFlightDiagnostic diag =
          access.op->emitOpError()
          << "on tile " << t << " reaches coordinates " << origin[d] << " to "
          << origin[d] + access.shape[d] - 1 << " of dimension " << d
          << ", but its view has " << sizes[d]
          << "; the scheduler takes tiles inside their view";
      diag.attachNote(ktdp::ConstructMemoryViewOp(access.view).getLoc())
          << "view constructed here";
      return diag;
    }
  }
  return success();
}

FailureOr<TileAccess> ktir::analyzeTileAccess(Operation *op, TileValues &values,
                                              int64_t numTiles) {
  TileAccess access;
  access.op = op;
  Value tile = isa<ktdp::StoreOp>(op) ? cast<ktdp::StoreOp>(op).getTile()
                                      : cast<ktdp::LoadOp>(op).getTile();
  access.tile = tile.getDefiningOp<ktdp::ConstructAccessTileOp>();
  if (!access.tile) {
    op->emitOpError("expected an access tile made by "
                    "'ktdp.construct_access_tile' in the same function");
    return failure();
  }
  access.view =
      access.tile.getBase().getDefiningOp<ktdp::ConstructMemoryViewOp>();
  if (!access.view) {
    access.tile.emitOpError("expected a base made by "
                            "'ktdp.construct_memory_view'");
    return failure();
  }
  if (access.view.getMemorySpace().getKind() != ktdp::MemorySpaceKind::Global) {
    access.view.emitOpError("expected a view in device memory "
                            "('#ktdp.memory_space<global>'); the scheduler "
                            "does not take scratchpad views");
    return failure();
  }
  if (!access.view.getSizes().empty() || !access.view.getStrides().empty()) {
    access.view.emitOpError("expected constant sizes and strides; the "
                            "scheduler does not take run-time ones");
    return failure();
  }
  access.strides = llvm::to_vector(access.view.getStaticStrides());
  for (int64_t stride : access.strides) {
    if (stride < 0) {
      access.view.emitOpError()
          << "expected strides of at least 0, but found " << stride;
      return failure();
    }
  }

  std::optional<IntegerBox> box = getAsBox(access.tile.getAccessTileSet());
  if (!box) {
    access.tile.emitOpError("expected an access tile set that is a box "
                            "without symbols");
    return failure();
  }
  if (!access.tile.getAccessTileOrder().isIdentity()) {
    access.tile.emitOpError("expected an identity access tile order");
    return failure();
  }
  access.shape.assign(box->extent.begin(), box->extent.end());
  if (access.shape != access.tile.getType().getShape()) {
    access.tile.emitOpError() << "expected an access tile of the extents of "
                                 "its set";
    return failure();
  }
  if (access.shape.empty() || llvm::is_contained(access.shape, 0)) {
    access.tile.emitOpError("expected an access tile with at least one "
                            "dimension and one element");
    return failure();
  }
  if (failed(splitBase(access, values, numTiles)) ||
      failed(findOrigin(access, box->lower, values, numTiles)) ||
      failed(checkInsideView(access, access.view.getStaticSizes())))
    return failure();
  return access;
}
