//===- KtdfLoweringToDfir.cpp - A program for each kind of unit -----------===//
//
// Follows spec scheduler.md §4.2. Every value that depends on the compute tile
// alone is known per unit here; it becomes part of a symbol or a constant.
//
//===----------------------------------------------------------------------===//

#include "ktir/Device/Device.h"
#include "ktir/Dialect/Agen/AgenDialect.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Ktdf/KtdfDialect.h"
#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Support/AffineSubscript.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"
#include "ktir/Dialect/VectorChain/VectorChainDialect.h"
#include "ktir/Lower/Passes.h"
#include "ktir/Schedule/Pipelines.h"
#include "ktir/Schedule/TileAccess.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <numeric>

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_KTDFLOWERINGTODFIR
#include "ktir/Lower/Passes.h.inc"

#include <unordered_map>
} // namespace ktir

using namespace ktir;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

namespace {
/// The symbols of one program: an id per kernel input, and one per derived
/// word address (spec E-12).
class SymbolTable {
public:
  explicit SymbolTable(func::FuncOp func) : func(func) {}

  /// The id of `(argument + bytes) / wordBytes`; `bytes` and the argument are
  /// multiples of `wordBytes`.
  int64_t get(BlockArgument argument, int64_t bytes, int64_t wordBytes) {
    auto key = std::make_tuple(argument.getArgNumber(), bytes, wordBytes);
    auto [it, inserted] = ids.try_emplace(key, 0);
    if (inserted) {
      it->second = -int64_t(func.getNumArguments() + ids.size());
      order.push_back(key);
    }
    return it->second;
  }

  /// Binds all ids at the start of the function.
  void emit() {
    OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Location loc = func.getLoc();
    for (BlockArgument argument : func.getArguments())
      symbol::CreateIdOp::create(builder, loc, argument,
                                 -int64_t(argument.getArgNumber()) - 1);
    for (const auto &key : order) {
      auto [number, bytes, wordBytes] = key;
      Value address = func.getArgument(number);
      if (bytes != 0)
        address = arith::AddIOp::create(
            builder, loc, address,
            arith::ConstantIndexOp::create(builder, loc, bytes));
      address = arith::DivSIOp::create(
          builder, loc, address,
          arith::ConstantIndexOp::create(builder, loc, wordBytes));
      symbol::CreateIdOp::create(builder, loc, address, ids[key]);
    }
  }

private:
  using Key = std::tuple<unsigned, int64_t, int64_t>;
  func::FuncOp func;
  std::map<Key, int64_t> ids;
  SmallVector<Key> order;
};

/// A unit that a program runs on.
struct UnitInstance {
  Value handle;
  int64_t core = 0;
  int64_t corelet = 0;
};

/// The units of one kind, all cores of the first corelet first.
struct UnitKind {
  /// Name in the device description.
  std::string name;
  /// Corelets per core that the program uses the kind on.
  int64_t corelets = 1;
  SmallVector<UnitInstance> instances;
};
} // namespace

//===----------------------------------------------------------------------===//
// What units of a program have in common
//===----------------------------------------------------------------------===//

namespace {
/// Shared by the programs of all kinds: the units, the memories, the symbols
/// and the per-tile constants of one function.
struct ProgramContext {
  ProgramContext(func::FuncOp func, const Device &device, int64_t numTiles)
      : func(func), device(device), numTiles(numTiles), values(numTiles),
        symbols(func) {}

  LogicalResult collectUnits();
  /// The kind that `unit`, a value of `ktdf_lowering`, stands for, and the
  /// corelet; null for anything else.
  const UnitKind *kindOf(Value unit, int64_t *corelet = nullptr);
  /// The handle of the memory `kind` that core `core` sees.
  Value memoryHandle(StringRef kind, int64_t core);

  func::FuncOp func;
  const Device &device;
  int64_t numTiles;
  TileValues values;
  SymbolTable symbols;
  llvm::MapVector<StringRef, UnitKind> kinds;
  std::map<std::pair<std::string, int64_t>, Value> memories;
  /// Where handles of memories are made: after those of the units.
  Operation *lastHandle = nullptr;
};
} // namespace

LogicalResult ProgramContext::collectUnits() {
  for (auto unit : func.getOps<dataflow::GetUnitOp>()) {
    StringRef tag = unit.getUnitType();
    UnitKind &kind = kinds[tag];
    const DeviceUnit *described =
        llvm::find_if(device.getUnits(), [&](const DeviceUnit &candidate) {
          return candidate.tag == tag;
        });
    if (described == device.getUnits().end())
      return unit.emitOpError()
             << "expected a unit of the device, but found '" << tag << "'";
    kind.name = described->kind;
    int64_t corelet = unit.getCorelet().value_or(0);
    kind.corelets = std::max(kind.corelets, corelet + 1);
    kind.instances.push_back(
        {unit.getHandle(), int64_t(unit.getCore().value_or(0)), corelet});
    lastHandle = unit;
  }
  if (kinds.empty())
    return func.emitError("expected units made by 'ktdf-to-ktdflowering'");
  return success();
}

const UnitKind *ProgramContext::kindOf(Value unit, int64_t *corelet) {
  auto query = unit.getDefiningOp<uniform::QueryMapOp>();
  auto mapping = query ? query.getMapping() : nullptr;
  auto handle =
      mapping ? mapping.getValues().front().getDefiningOp<dataflow::GetUnitOp>()
              : unit.getDefiningOp<dataflow::GetUnitOp>();
  if (!handle)
    return nullptr;
  if (corelet)
    *corelet = handle.getCorelet().value_or(0);
  auto found = kinds.find(handle.getUnitType());
  return found == kinds.end() ? nullptr : &found->second;
}

Value ProgramContext::memoryHandle(StringRef kind, int64_t core) {
  const DeviceMemory *memory = device.findMemory(kind);
  bool shared = memory && memory->depth == 0;
  auto key = std::make_pair(kind.str(), shared ? int64_t(-1) : core);
  auto it = memories.find(key);
  if (it != memories.end())
    return it->second;
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfter(lastHandle);
  std::string tag = device.getMemoryTag(kind);
  std::optional<int32_t> onCore;
  if (!shared)
    onCore = core;
  auto handle = dataflow::GetUnitOp::create(
      builder, func.getLoc(),
      shared ? tag : "C" + std::to_string(core) + "-" + tag, tag, onCore,
      std::nullopt);
  lastHandle = handle;
  return memories[key] = handle.getHandle();
}

//===----------------------------------------------------------------------===//
// The program of one kind of unit
//===----------------------------------------------------------------------===//

namespace {
/// Lowers the clone of a program for the units of one kind.
class UnitProgram {
public:
  UnitProgram(ProgramContext &context, const UnitKind &kind)
      : context(context), kind(kind), builder(context.func.getContext()) {}

  LogicalResult build(OpBuilder &at);

private:
  //===--- What differs between units -------------------------------------===//
  /// A constant per unit: itself where all agree, else looked up.
  Value perUnit(ArrayRef<int64_t> constants);
  /// A handle per unit, looked up.
  Value perUnitHandle(ArrayRef<Value> handles);
  Value lookUp(ArrayRef<Value> perInstance);
  Value constant(int64_t value);
  /// The unit of kind `peer` that each unit talks to.
  Value peer(Operation *op, const UnitKind &peer, int64_t corelet);
  /// The unit at the other end of a channel to or from the kind `name`; null,
  /// with an error at `op`, if the program has no such unit.
  Value channelPeer(Operation *op, Attribute name);

  //===--- Structure ------------------------------------------------------===//
  bool takesPart(Operation *op);
  void selectOwnPart(Block &body);
  LogicalResult lowerParallel(ktdf::ParallelOp op);
  LogicalResult lowerSignal(ktdf_lowering::SignalOp op);
  void eraseEmptyLoops(Block &body);

  //===--- Memory ---------------------------------------------------------===//
  /// A view of device memory or scratchpad and the subscript into it.
  struct Access {
    Value view;
    AffineMap map;
    SmallVector<Value> operands;
    /// Extents of the box that is accessed, one per dimension of the view.
    SmallVector<int64_t> sizes;
  };
  LogicalResult access(ktdf::DataTransferOp transfer, Value memory,
                       AffineMap map, ValueRange indices,
                       ArrayRef<int64_t> sizes, Access &result);
  LogicalResult accessTensor(ktdf::DataTransferOp transfer, Value memory,
                             AffineMap map, ValueRange indices,
                             ArrayRef<int64_t> sizes, Access &result);
  LogicalResult accessBuffer(ktdf::DataTransferOp transfer, Value memory,
                             AffineMap map, ValueRange indices,
                             ArrayRef<int64_t> sizes, Access &result);
  LogicalResult lowerTransfer(ktdf::DataTransferOp op);

  //===--- Compute --------------------------------------------------------===//
  LogicalResult lowerRead(ktdf::ReadFromFifoOp op);
  LogicalResult lowerWrite(ktdf::WriteToFifoOp op);
  LogicalResult lowerCompute(linalg::GenericOp op);
  Value splat(arith::ConstantOp constant, int64_t lanes);

  ProgramContext &context;
  const UnitKind &kind;
  OpBuilder builder;
  /// Ops shared by the whole program stand at its start, in this order.
  Operation *preludeEnd = nullptr;
  BlockArgument self;
  std::map<std::vector<void *>, Value> lookUps;
  std::unordered_map<int64_t, Value> constants;
  llvm::DenseMap<Attribute, Value> splats;
  std::map<std::pair<void *, std::vector<int64_t>>, Value> tensorViews;
  llvm::DenseMap<Value, Value> bufferViews;
  llvm::DenseMap<Value, Value> messages;
};

/// Builds at the end of a unit program's prelude.
class PreludeGuard {
public:
  PreludeGuard(OpBuilder &builder, Operation *end) : guard(builder) {
    builder.setInsertionPoint(end);
  }

private:
  OpBuilder::InsertionGuard guard;
};
} // namespace

Value UnitProgram::constant(int64_t value) {
  Value &known = constants[value];
  if (!known) {
    PreludeGuard guard(builder, preludeEnd);
    known =
        arith::ConstantIndexOp::create(builder, context.func.getLoc(), value);
  }
  return known;
}

Value UnitProgram::lookUp(ArrayRef<Value> perInstance) {
  std::vector<void *> key;
  for (Value value : perInstance)
    key.push_back(value.getAsOpaquePointer());
  Value &known = lookUps[key];
  if (known)
    return known;
  PreludeGuard guard(builder, preludeEnd);
  SmallVector<Value> keys;
  for (const UnitInstance &unit : kind.instances)
    keys.push_back(unit.handle);
  Location loc = context.func.getLoc();
  Value map =
      uniform::DefImmutableMappingOp::create(builder, loc, keys, perInstance);
  return known = uniform::QueryMapOp::create(builder, loc, map, self);
}

Value UnitProgram::perUnit(ArrayRef<int64_t> values) {
  if (llvm::all_equal(values))
    return constant(values.front());
  SmallVector<Value> perInstance;
  for (int64_t value : values)
    perInstance.push_back(constant(value));
  return lookUp(perInstance);
}

Value UnitProgram::perUnitHandle(ArrayRef<Value> handles) {
  // A single handle for all, such as that of the device memory, is named
  // directly.
  return llvm::all_equal(handles) ? handles.front() : lookUp(handles);
}

Value UnitProgram::peer(Operation *op, const UnitKind &other, int64_t corelet) {
  SmallVector<Value> handles;
  for (const UnitInstance &unit : kind.instances) {
    // Where both exist per corelet, a unit talks to its own corelet.
    int64_t wanted =
        kind.corelets > 1 && other.corelets > 1 ? unit.corelet : corelet;
    const auto *found =
        llvm::find_if(other.instances, [&](const UnitInstance &candidate) {
          return candidate.core == unit.core && candidate.corelet == wanted;
        });
    if (found == other.instances.end()) {
      op->emitOpError() << "expected a unit '" << other.name << "' of core "
                        << unit.core << " and corelet " << wanted
                        << ", but the program makes none";
      return {};
    }
    handles.push_back(found->handle);
  }
  return lookUp(handles);
}

Value UnitProgram::channelPeer(Operation *op, Attribute name) {
  auto string = dyn_cast<StringAttr>(name);
  auto *found =
      string ? context.kinds.find(context.device.getUnitTag(string.getValue()))
             : context.kinds.end();
  if (found != context.kinds.end())
    return peer(op, found->second, 0);
  op->emitOpError() << "expected a channel to a unit of this program, but "
                       "found "
                    << name;
  return {};
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

bool UnitProgram::takesPart(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value unit) {
    return context.kindOf(unit) == &kind;
  });
}

void UnitProgram::selectOwnPart(Block &body) {
  SmallVector<Operation *> binds;
  body.walk([&](Operation *op) {
    if (isa<ktdf_lowering::ExecuteOnOp, ktdf_lowering::SignalOp>(op))
      binds.push_back(op);
  });
  // Inner ops come first in this order, so none is visited after its parent
  // is gone.
  for (Operation *op : binds) {
    auto execute = dyn_cast<ktdf_lowering::ExecuteOnOp>(op);
    if (!takesPart(op)) {
      op->erase();
      continue;
    }
    if (!execute)
      continue;
    op->getBlock()->getOperations().splice(
        Block::iterator(op), execute.getBody().front().getOperations());
    op->erase();
  }
}

LogicalResult UnitProgram::lowerParallel(ktdf::ParallelOp op) {
  std::optional<int64_t> lower, upper, step;
  if (op.getLowerBounds().size() == 1) {
    lower = getConstantIntValue(op.getLowerBounds()[0]);
    upper = getConstantIntValue(op.getUpperBounds()[0]);
    step = getConstantIntValue(op.getSteps()[0]);
  }
  if (!lower || !upper || !step || *lower != 0 || *step != 1)
    return op.emitOpError("expected one dimension from 0 to a constant in "
                          "steps of 1");
  if (!op.getInstanceId().use_empty())
    return op.emitOpError("expected a body that does not use the instance id");
  // K-24: chunks of equal size, the last ones shorter or empty.
  int64_t chunk = llvm::divideCeilSigned(*upper, op.getNumInstances());
  SmallVector<int64_t> from, to;
  for (const UnitInstance &unit : kind.instances) {
    from.push_back(std::min(*upper, unit.corelet * chunk));
    to.push_back(std::min(*upper, (unit.corelet + 1) * chunk));
  }
  builder.setInsertionPoint(op);
  auto loop = scf::ForOp::create(builder, op.getLoc(), perUnit(from),
                                 perUnit(to), constant(1));
  op.getInductionVars()[0].replaceAllUsesWith(loop.getInductionVar());
  Block &body = op.getBody().front();
  body.getTerminator()->erase();
  loop.getBody()->getOperations().splice(loop.getBody()->begin(),
                                         body.getOperations());
  op.erase();
  return success();
}

LogicalResult UnitProgram::lowerSignal(ktdf_lowering::SignalOp op) {
  // A rendezvous: tell every peer, then hear from every peer.
  builder.setInsertionPoint(op);
  SmallVector<Value> peers;
  for (Value unit : op.getUnits()) {
    int64_t corelet = 0;
    const UnitKind *other = context.kindOf(unit, &corelet);
    if (other == &kind)
      continue;
    if (!other)
      return op.emitOpError("expected units made by 'ktdf-to-ktdflowering'");
    Value handle = peer(op, *other, corelet);
    if (!handle)
      return failure();
    if (!llvm::is_contained(peers, handle))
      peers.push_back(handle);
  }
  for (Value handle : peers)
    dataflow::SyncSendOp::create(builder, op.getLoc(), handle,
                                 builder.getBoolAttr(true));
  for (Value handle : peers)
    dataflow::SyncRecvOp::create(builder, op.getLoc(), handle);
  op.erase();
  return success();
}

void UnitProgram::eraseEmptyLoops(Block &body) {
  body.walk([](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && loop->use_empty() &&
        llvm::all_of(
            loop.getBody()->without_terminator(),
            [](Operation &inner) { return isOpTriviallyDead(&inner); })) {
      loop.erase();
      return;
    }
    if (auto parallel = dyn_cast<ktdf::ParallelOp>(op))
      if (llvm::all_of(
              parallel.getBody().front().without_terminator(),
              [](Operation &inner) { return isOpTriviallyDead(&inner); }))
        parallel.erase();
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The set of the points of a box that starts at 0, in the form that other
/// tools print: `d == 0` for one point, two inequalities for more.
static IntegerSet boxSet(ArrayRef<int64_t> sizes, MLIRContext *context) {
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    AffineExpr dim = getAffineDimExpr(d, context);
    constraints.push_back(dim);
    equalities.push_back(size == 1);
    if (size == 1)
      continue;
    constraints.push_back(-dim + (size - 1));
    equalities.push_back(false);
  }
  return IntegerSet::get(sizes.size(), 0, constraints, equalities);
}

/// The map `(d0, ..) -> (sum of d_i * strides[i])`.
static AffineMap layoutMap(ArrayRef<int64_t> strides, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (auto [d, stride] : llvm::enumerate(strides))
    sum = sum + getAffineDimExpr(d, context) * stride;
  return AffineMap::get(strides.size(), 0, sum, context);
}

/// Row-major strides of `shape`.
static SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

LogicalResult UnitProgram::access(ktdf::DataTransferOp transfer, Value memory,
                                  AffineMap map, ValueRange indices,
                                  ArrayRef<int64_t> sizes, Access &result) {
  if (memory.getDefiningOp<memref::MemorySpaceCastOp>())
    return accessTensor(transfer, memory, map, indices, sizes, result);
  return accessBuffer(transfer, memory, map, indices, sizes, result);
}

LogicalResult UnitProgram::accessTensor(ktdf::DataTransferOp transfer,
                                        Value memory, AffineMap map,
                                        ValueRange indices,
                                        ArrayRef<int64_t> sizes,
                                        Access &result) {
  MLIRContext *ctx = builder.getContext();
  auto cast = memory.getDefiningOp<memref::MemorySpaceCastOp>();
  auto view = cast.getSource().getDefiningOp<ktdp::ConstructMemoryViewOp>();
  if (!view)
    return transfer.emitOpError("expected a memory made by "
                                "'ktdp.construct_memory_view'");
  ArrayRef<int64_t> strides = view.getStaticStrides();
  StringRef memoryKind = getMemoryKind(memory.getType());
  auto memoryType = dyn_cast<MemRefType>(cast.getType());
  if (!memoryType)
    return transfer.emitOpError("expected a memory of known rank");
  FailureOr<int64_t> elementSize = getElementBytes(view, memoryType);
  if (failed(elementSize))
    return failure();
  const int64_t elementBytes = *elementSize;

  // The base: an argument and constants, or constants alone.
  SmallVector<int64_t> offset(context.numTiles, 0);
  Value base = view.getOffset();
  while (!context.values.get(base) && !isa<BlockArgument>(base)) {
    auto add = base.getDefiningOp<arith::AddIOp>();
    if (!add)
      return view.emitOpError("expected an offset made of one kernel argument "
                              "and constants");
    bool left = context.values.get(add.getLhs());
    const SmallVector<int64_t> *rest =
        context.values.get(left ? add.getLhs() : add.getRhs());
    if (!rest)
      return view.emitOpError("expected an offset made of one kernel argument "
                              "and constants");
    for (int64_t t = 0; t < context.numTiles; ++t)
      offset[t] += (*rest)[t];
    base = left ? add.getRhs() : add.getLhs();
  }
  if (const SmallVector<int64_t> *constantBase = context.values.get(base))
    for (int64_t t = 0; t < context.numTiles; ++t)
      offset[t] += (*constantBase)[t];

  // Split the subscript into what the tile fixes, which moves the start of
  // the view, and what the loops add.
  SmallVector<AffineExpr> fixed(indices.size()), moving(indices.size());
  SmallVector<int64_t> extent(sizes.begin(), sizes.end());
  SmallVector<AffineExpr> last(indices.size());
  for (auto [i, index] : llvm::enumerate(indices)) {
    moving[i] = last[i] = getAffineConstantExpr(0, ctx);
    auto argument = dyn_cast<BlockArgument>(index);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : nullptr;
    if (!loop)
      continue;
    std::optional<int64_t> trip = getConstantTripCount(loop);
    if (!trip || *trip < 1)
      return loop.emitOpError("expected a constant number of iterations");
    moving[i] = getAffineDimExpr(i, ctx);
    last[i] = getAffineConstantExpr(*trip - 1, ctx);
  }
  SmallVector<int64_t> displacement(context.numTiles, 0);
  AffineMap movingMap;
  for (int64_t t = 0; t < context.numTiles; ++t) {
    SmallVector<AffineExpr> here(indices.size()), start(indices.size()),
        end(indices.size());
    for (auto [i, index] : llvm::enumerate(indices)) {
      bool isLoop = moving[i] != getAffineConstantExpr(0, ctx);
      if (isLoop) {
        here[i] = moving[i];
        start[i] = getAffineConstantExpr(0, ctx);
        end[i] = last[i];
        continue;
      }
      const SmallVector<int64_t> *known = context.values.get(index);
      if (!known) {
        InFlightDiagnostic diag = transfer.emitOpError(
            "expected subscripts made of loop variables, constants and the "
            "tile id");
        diag.attachNote(index.getLoc()) << "this value is known at launch only";
        return diag;
      }
      here[i] = start[i] = end[i] = getAffineConstantExpr((*known)[t], ctx);
    }
    SmallVector<AffineExpr> results;
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      auto first = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(expr.replaceDims(start), 0, 0));
      auto final = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(expr.replaceDims(end), 0, 0));
      if (!first || !final)
        return transfer.emitOpError("expected subscripts that divide by "
                                    "something other than zero");
      displacement[t] += first.getValue() * strides[d];
      extent[d] =
          std::max(extent[d], final.getValue() - first.getValue() + sizes[d]);
      results.push_back(simplifyAffineExpr(
          expr.replaceDims(here) - first.getValue(), indices.size(), 0));
    }
    AffineMap perTile = AffineMap::get(indices.size(), 0, results, ctx);
    if (t == 0)
      movingMap = perTile;
    else if (movingMap != perTile)
      return transfer.emitOpError("expected subscripts that advance alike on "
                                  "every tile");
    displacement[t] += offset[t];
  }

  // Addresses of device memory are words of the unit (spec §2.5). What a tile
  // starts beyond a word becomes a leading coordinate of the view.
  auto argument = dyn_cast<BlockArgument>(base);
  int64_t wordBytes = context.device.getWordSize(kind.name, memoryKind);
  int64_t perWord = 1;
  SmallVector<int64_t> beyond(kind.instances.size(), 0);
  if (argument) {
    perWord = std::max<int64_t>(1, wordBytes / elementBytes);
    for (auto [i, unit] : llvm::enumerate(kind.instances)) {
      int64_t rest = displacement[unit.core] % perWord;
      beyond[i] = rest < 0 ? rest + perWord : rest;
    }
  }
  bool aligned = llvm::all_of(beyond, [](int64_t rest) { return rest == 0; });

  SmallVector<int64_t> shape = extent;
  SmallVector<int64_t> layout(strides.begin(), strides.end());
  result.sizes.assign(sizes.begin(), sizes.end());
  result.operands.assign(indices.begin(), indices.end());
  result.map = movingMap;
  if (!aligned) {
    shape.insert(shape.begin(), perWord);
    layout.insert(layout.begin(), 1);
    result.sizes.insert(result.sizes.begin(), 1);
    SmallVector<AffineExpr> results{getAffineDimExpr(indices.size(), ctx)};
    llvm::append_range(results, movingMap.getResults());
    result.map = AffineMap::get(indices.size() + 1, 0, results, ctx);
    result.operands.push_back(perUnit(beyond));
  }
  normalizeAffineSubscript(result.map, result.operands);

  // Two transfers share a view if they start at the same place.
  std::vector<int64_t> key(displacement.begin(), displacement.end());
  key.insert(key.end(), shape.begin(), shape.end());
  Value &known = tensorViews[{memory.getAsOpaquePointer(), key}];
  if (!known) {
    SmallVector<Value> handles;
    for (const UnitInstance &unit : kind.instances)
      handles.push_back(context.memoryHandle(memoryKind, unit.core));
    Value unit = perUnitHandle(handles);
    Value start;
    Location loc = view.getLoc();
    if (argument) {
      SmallVector<int64_t> ids;
      for (auto [i, instance] : llvm::enumerate(kind.instances))
        ids.push_back(context.symbols.get(
            argument, (displacement[instance.core] - beyond[i]) * elementBytes,
            wordBytes));
      llvm::MapVector<int64_t, Value> created;
      SmallVector<Value> starts;
      for (int64_t id : ids) {
        Value &symbol = created[id];
        if (!symbol) {
          PreludeGuard guard(builder, preludeEnd);
          symbol = symbol::CreateSymbolOp::create(builder, loc, id);
        }
        starts.push_back(symbol);
      }
      start = perUnitHandle(starts);
    } else {
      SmallVector<int64_t> starts;
      for (const UnitInstance &instance : kind.instances)
        starts.push_back(displacement[instance.core] * elementBytes);
      start = perUnit(starts);
    }
    PreludeGuard guard(builder, preludeEnd);
    known = dataflow::GetLogicalMemoryViewOp::create(
        builder, loc, MemRefType::get(shape, cast.getType().getElementType()),
        unit, start, layoutMap(layout, ctx),
        argument ? dataflow::AddrUnit::Word : dataflow::AddrUnit::Byte);
  }
  result.view = known;
  return success();
}

/// The byte address of a buffer that address assignment has placed.
static std::optional<int64_t> bufferAddress(Value buffer) {
  auto cast = buffer.getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getInputs().size() != 1)
    return std::nullopt;
  return getConstantIntValue(cast.getInputs()[0]);
}

LogicalResult UnitProgram::accessBuffer(ktdf::DataTransferOp transfer,
                                        Value memory, AffineMap map,
                                        ValueRange indices,
                                        ArrayRef<int64_t> sizes,
                                        Access &result) {
  MLIRContext *ctx = builder.getContext();
  auto type = cast<MemRefType>(memory.getType());
  result.map = map;
  result.operands.assign(indices.begin(), indices.end());
  result.sizes.assign(sizes.begin(), sizes.end());
  Value &known = bufferViews[memory];
  if (known) {
    result.view = known;
    return success();
  }

  SmallVector<Value> handles;
  for (const UnitInstance &unit : kind.instances)
    handles.push_back(context.memoryHandle(getMemoryKind(type), unit.core));
  Value unit = perUnitHandle(handles);
  AffineMap layout = layoutMap(rowMajor(type.getShape()), ctx);
  MemRefType plain = MemRefType::get(type.getShape(), type.getElementType());

  if (std::optional<int64_t> address = bufferAddress(memory)) {
    Value start = constant(*address);
    PreludeGuard guard(builder, preludeEnd);
    known = dataflow::GetLogicalMemoryViewOp::create(builder, transfer.getLoc(),
                                                     plain, unit, start, layout,
                                                     dataflow::AddrUnit::Byte);
    result.view = known;
    return success();
  }

  // One of two buffers by the parity of the iteration.
  auto select = memory.getDefiningOp<ktdf::SelectMemRefOp>();
  auto phase =
      select ? select.getPhase().getDefiningOp<ktdf::BufferPhaseOp>() : nullptr;
  std::optional<int64_t> first, second;
  if (phase && select.getCandidates().size() == 2) {
    first = bufferAddress(select.getCandidates()[0]);
    second = bufferAddress(select.getCandidates()[1]);
  }
  if (!first || !second)
    return transfer.emitOpError("expected a buffer with an address, or one of "
                                "two that 'ktdf.select_memref' selects by a "
                                "'ktdf.buffer_phase'");
  AffineExpr iteration = getAffineConstantExpr(0, ctx);
  SmallVector<Value> ivs;
  for (Value iv : phase.getInductionVars()) {
    if (getConstantIntValue(iv))
      continue;
    auto argument = dyn_cast<BlockArgument>(iv);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : nullptr;
    std::optional<int64_t> trip =
        loop ? getConstantTripCount(loop) : std::nullopt;
    if (!trip)
      return phase.emitOpError("expected induction variables of loops with a "
                               "constant number of iterations");
    iteration = iteration * *trip + getAffineDimExpr(ivs.size(), ctx);
    ivs.push_back(iv);
  }
  AffineExpr address = (iteration % 2) * (*second - *first) + *first;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(select);
  Value start = affine::AffineApplyOp::create(
      builder, select.getLoc(), AffineMap::get(ivs.size(), 0, address, ctx),
      ivs);
  known = dataflow::GetLogicalMemoryViewOp::create(builder, select.getLoc(),
                                                   plain, unit, start, layout,
                                                   dataflow::AddrUnit::Byte);
  result.view = known;
  return success();
}

/// The extents of the vector that a box of `sizes` is moved by: as many
/// elements of each dimension, from the last to the first, as divide both it
/// and the lanes left.
static SmallVector<int64_t> vectorOf(ArrayRef<int64_t> sizes, int64_t lanes) {
  SmallVector<int64_t> vector(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 0 && lanes > 1;) {
    vector[d] = std::gcd(sizes[d], lanes);
    lanes /= vector[d];
  }
  return vector;
}

static int64_t product(ArrayRef<int64_t> values) {
  int64_t result = 1;
  for (int64_t value : values)
    result *= value;
  return result;
}

LogicalResult UnitProgram::lowerTransfer(ktdf::DataTransferOp op) {
  MLIRContext *ctx = builder.getContext();
  Location loc = op.getLoc();
  if (!op.getTransferMode().empty())
    return op.emitOpError() << "has transfer mode '" << op.getTransferMode()
                            << "', which is not lowered yet";
  builder.setInsertionPoint(op);
  auto checkStatic = [&](ArrayRef<int64_t> sizes) -> LogicalResult {
    if (llvm::any_of(sizes, ShapedType::isDynamic))
      return op.emitOpError("expected constant sizes");
    return success();
  };
  if (failed(checkStatic(op.getStaticSrcSizes())) ||
      failed(checkStatic(op.getStaticDstSizes())))
    return failure();

  Access source, destination;
  if (!op.isSrcSlot() &&
      failed(access(op, op.getSrc(), op.getSrcMap(), op.getSrcIndices(),
                    op.getStaticSrcSizes(), source)))
    return failure();
  if (!op.isDstSlot() &&
      failed(access(op, op.getDst(), op.getDstMap(), op.getDstIndices(),
                    op.getStaticDstSizes(), destination)))
    return failure();
  builder.setInsertionPoint(op);

  auto identity = [&](ArrayRef<int64_t> sizes) {
    return AffineMap::getMultiDimIdentityMap(sizes.size(), ctx);
  };

  if (op.isDstSlot()) {
    auto slot = cast<ktdf::FifoSlotType>(op.getDst().getType());
    Value to = channelPeer(op, slot.getDestination());
    if (!to)
      return failure();
    auto vector = VectorType::get(slot.getSize(), slot.getElementType());
    Value value = agen::VectorLoadOp::create(
        builder, loc, vector, source.view, source.map, source.operands,
        identity(source.sizes), boxSet(source.sizes, ctx));
    dataflow::SendOp::create(builder, loc, to, value, /*dir=*/nullptr);
    op.erase();
    return success();
  }
  if (op.isSrcSlot()) {
    auto slot = cast<ktdf::FifoSlotType>(op.getSrc().getType());
    Value from = channelPeer(op, slot.getSource());
    if (!from)
      return failure();
    auto vector = VectorType::get(slot.getSize(), slot.getElementType());
    Value value = dataflow::ReceiveOp::create(builder, loc, vector, from);
    agen::VectorStoreOp::create(builder, loc, value, destination.view,
                                destination.map, destination.operands,
                                identity(destination.sizes),
                                boxSet(destination.sizes, ctx));
    op.erase();
    return success();
  }

  // Memory to memory: one vector per time step, slowest dimension first.
  ArrayRef<int64_t> sizes = op.getStaticSrcSizes();
  if (sizes != op.getStaticDstSizes())
    return op.emitOpError("expected equal sizes on both sides");
  Type element = cast<MemRefType>(op.getSrc().getType()).getElementType();
  FailureOr<StringRef> compute = context.device.getComputeKind(op);
  if (failed(compute))
    return failure();
  std::optional<int64_t> lanes = context.device.getLanes(*compute, element);
  if (!lanes)
    return op.emitOpError() << "expected a number of lanes for " << element
                            << " on unit '" << *compute << "'";
  SmallVector<int64_t> vector = vectorOf(sizes, *lanes);
  SmallVector<int64_t> steps, stepDims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == vector[d])
      continue;
    stepDims.push_back(d);
    steps.push_back(sizes[d] / vector[d]);
  }
  if (steps.empty())
    steps.push_back(1);
  // A leading coordinate that only the view has stays where it is.
  auto shapeFor = [&](const Access &side) {
    SmallVector<int64_t> shape(side.sizes.size() - sizes.size(), 1);
    llvm::append_range(shape, vector);
    return shape;
  };
  auto timeMapFor = [&](const Access &side) {
    size_t leading = side.sizes.size() - sizes.size();
    SmallVector<AffineExpr> results(side.sizes.size(),
                                    getAffineConstantExpr(0, ctx));
    for (auto [step, d] : llvm::enumerate(stepDims))
      results[leading + d] = getAffineDimExpr(step, ctx) * vector[d];
    return AffineMap::get(steps.size(), 0, results, ctx);
  };
  SmallVector<int64_t> sourceShape = shapeFor(source);
  SmallVector<int64_t> destinationShape = shapeFor(destination);
  agen::CompositeLoadAndStoreOp::create(
      builder, loc, source.view, source.map, source.operands, destination.view,
      destination.map, destination.operands,
      VectorType::get(product(vector), element), identity(sourceShape),
      boxSet(sourceShape, ctx), timeMapFor(source), identity(destinationShape),
      boxSet(destinationShape, ctx), timeMapFor(destination), identity(steps),
      boxSet(steps, ctx));
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

Value UnitProgram::splat(arith::ConstantOp constant, int64_t lanes) {
  Value &known = splats[constant.getValue()];
  if (known)
    return known;
  auto value = dyn_cast<FloatAttr>(constant.getValue());
  if (!value || value.getType().getIntOrFloatBitWidth() > 64)
    return {};
  uint64_t bits = value.getValue().bitcastToAPInt().getZExtValue();
  PreludeGuard guard(builder, preludeEnd);
  Location loc = constant.getLoc();
  Value scalar = vectorchain::ConstantBitstreamOp::create(
      builder, loc, VectorType::get(1, value.getType()), bits);
  return known = vectorchain::ShuffleOp::create(builder, loc, scalar, lanes);
}

/// The vector operator for a scalar operation of a body.
static std::optional<vectorchain::VectorChainBinaryOperator>
vectorOperator(Operation *op) {
  using Operator = vectorchain::VectorChainBinaryOperator;
  if (isa<arith::AddFOp>(op))
    return Operator::Add;
  if (isa<arith::SubFOp>(op))
    return Operator::Sub;
  if (isa<arith::MulFOp>(op))
    return Operator::Mul;
  if (isa<arith::MaximumFOp>(op))
    return Operator::Max;
  if (isa<arith::MinimumFOp>(op))
    return Operator::Min;
  return std::nullopt;
}

LogicalResult UnitProgram::lowerCompute(linalg::GenericOp op) {
  builder.setInsertionPoint(op);
  IRMapping vectors;
  for (auto [argument, input] :
       llvm::zip_equal(op.getRegionInputArgs(), op.getDpsInputs())) {
    Value message = messages.lookup(input);
    if (!message)
      return op.emitOpError("expected inputs read from a FIFO");
    vectors.map(argument, message);
  }
  auto type = op.getNumResults() > 0
                  ? dyn_cast<RankedTensorType>(op.getResult(0).getType())
                  : nullptr;
  if (!type || !type.hasStaticShape())
    return op.emitOpError("expected a tensor of static shape as result");
  const int64_t lanes = type.getNumElements();
  auto vectorOfScalar = [&](Value scalar) -> Value {
    if (Value known = vectors.lookupOrNull(scalar))
      return known;
    auto constant = scalar.getDefiningOp<arith::ConstantOp>();
    return constant ? splat(constant, lanes) : Value();
  };
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(inner))
      continue;
    std::optional<vectorchain::VectorChainBinaryOperator> operation =
        vectorOperator(&inner);
    if (!operation)
      return inner.emitOpError("unsupported operation type in linalg.generic "
                               "body");
    Value lhs = vectorOfScalar(inner.getOperand(0));
    Value rhs = vectorOfScalar(inner.getOperand(1));
    if (!lhs || !rhs)
      return inner.emitOpError("expected operands that are inputs, constants "
                               "or results of the body");
    vectors.map(inner.getResult(0),
                vectorchain::BinaryOp::create(builder, inner.getLoc(),
                                              *operation, lhs, rhs)
                    .getResult());
  }
  for (auto [result, scalar] : llvm::zip_equal(
           op.getResults(), op.getBody()->getTerminator()->getOperands())) {
    Value vector = vectorOfScalar(scalar);
    if (!vector)
      return op.emitOpError("expected results made of the inputs");
    messages[result] = vector;
  }
  return success();
}

LogicalResult UnitProgram::lowerRead(ktdf::ReadFromFifoOp op) {
  auto slot = cast<ktdf::FifoSlotType>(op.getSlot().getType());
  Value from = channelPeer(op, slot.getSource());
  if (!from)
    return failure();
  builder.setInsertionPoint(op);
  messages[op.getData()] = dataflow::ReceiveOp::create(
      builder, op.getLoc(),
      VectorType::get(slot.getSize(), slot.getElementType()), from);
  return success();
}

LogicalResult UnitProgram::lowerWrite(ktdf::WriteToFifoOp op) {
  auto slot = cast<ktdf::FifoSlotType>(op.getSlot().getType());
  Value to = channelPeer(op, slot.getDestination());
  if (!to)
    return failure();
  Value message = messages.lookup(op.getData());
  if (!message)
    return op.emitOpError("expected a value computed on vectors");
  builder.setInsertionPoint(op);
  dataflow::SendOp::create(builder, op.getLoc(), to, message,
                           /*dir=*/nullptr);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

LogicalResult UnitProgram::build(OpBuilder &at) {
  Location loc = context.func.getLoc();
  SmallVector<Value> handles;
  for (const UnitInstance &unit : kind.instances)
    handles.push_back(unit.handle);
  auto program = dataflow::ProgramUnitOp::create(at, loc, handles);
  self = program.getHandle();
  Block &body = program.getRegion().front();

  // Clone the work, keep this kind's part of it.
  IRMapping mapping;
  OpBuilder inside(context.func.getContext());
  inside.setInsertionPoint(&body, body.without_terminator().end());
  for (Operation &op : context.func.getBody().front()) {
    if (&op == program)
      break;
    if (isa<scf::ForOp, ktdf_lowering::ExecuteOnOp, ktdf_lowering::SignalOp,
            ktdf::ParallelOp>(op))
      inside.clone(op, mapping);
  }
  selectOwnPart(body);
  eraseEmptyLoops(body);

  // Everything shared by the program goes in front of this op.
  OpBuilder start = OpBuilder::atBlockBegin(&body);
  preludeEnd = arith::ConstantIndexOp::create(start, loc, 0);

  // Only what is lowered below: lowering one op erases others, such as
  // terminators.
  SmallVector<Operation *> work;
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ktdf::ParallelOp, ktdf_lowering::SignalOp, ktdf::DataTransferOp,
            ktdf::ReadFromFifoOp, linalg::GenericOp, ktdf::WriteToFifoOp>(op))
      work.push_back(op);
  });
  for (Operation *op : work) {
    LogicalResult result = success();
    if (auto parallel = dyn_cast<ktdf::ParallelOp>(op))
      result = lowerParallel(parallel);
    else if (auto signal = dyn_cast<ktdf_lowering::SignalOp>(op))
      result = lowerSignal(signal);
    else if (auto transfer = dyn_cast<ktdf::DataTransferOp>(op))
      result = lowerTransfer(transfer);
    else if (auto read = dyn_cast<ktdf::ReadFromFifoOp>(op))
      result = lowerRead(read);
    else if (auto generic = dyn_cast<linalg::GenericOp>(op))
      result = lowerCompute(generic);
    else if (auto write = dyn_cast<ktdf::WriteToFifoOp>(op))
      result = lowerWrite(write);
    if (failed(result))
      return failure();
  }

  // Tensors, slots, phases and buffers are gone, users first.
  SmallVector<Operation *> leftovers;
  body.walk([&](Operation *op) {
    if (isa<linalg::GenericOp, ktdf::ReadFromFifoOp, tensor::EmptyOp,
            ktdf::FifoAllocateOp, ktdf::SelectMemRefOp, ktdf::BufferPhaseOp>(
            op))
      leftovers.push_back(op);
  });
  for (Operation *op : llvm::reverse(leftovers))
    op->erase();
  if (preludeEnd->use_empty())
    preludeEnd->erase();
  return success();
}

/// Makes the kernels that call `program` pass bytes instead of elements.
static void convertCallers(ModuleOp module, func::FuncOp program,
                           ArrayRef<int64_t> elementBytes) {
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    if (call.getCallee() == program.getName())
      calls.push_back(call);
  });
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    for (auto [operand, bytes] :
         llvm::zip_equal(call->getOpOperands(), elementBytes))
      operand.set(arith::MulIOp::create(
          builder, call.getLoc(), operand.get(),
          arith::ConstantIndexOp::create(builder, call.getLoc(), bytes)));
    call->getParentOfType<func::FuncOp>()->setAttr(
        dataflow::GetLogicalMemoryViewOp::getAddrUnitAttrName(),
        builder.getStringAttr(
            dataflow::stringifyAddrUnit(dataflow::AddrUnit::Element)));
  }
}

/// Bytes per element of the tensors that start at each argument.
static FailureOr<SmallVector<int64_t>> argumentElementBytes(func::FuncOp func) {
  SmallVector<int64_t> bytes(func.getNumArguments(), 1);
  for (auto view : func.getOps<ktdp::ConstructMemoryViewOp>()) {
    FailureOr<int64_t> size =
        getElementBytes(view, cast<MemRefType>(view.getType()));
    if (failed(size))
      return failure();
    SmallVector<Value> pending{view.getOffset()};
    llvm::SmallDenseSet<Value> seen;
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == &func.getBody().front())
          bytes[argument.getArgNumber()] = *size;
      } else if (auto add = value.getDefiningOp<arith::AddIOp>()) {
        pending.append({add.getLhs(), add.getRhs()});
      }
    }
  }
  return bytes;
}

static LogicalResult lowerProgram(ModuleOp module, func::FuncOp func,
                                  const Device &device) {
  FailureOr<int64_t> numTiles = getNumTiles(func);
  if (failed(numTiles))
    return failure();
  FailureOr<SmallVector<int64_t>> bytes = argumentElementBytes(func);
  if (failed(bytes))
    return failure();
  ProgramContext context(func, device, *numTiles);
  if (failed(context.collectUnits()))
    return failure();

  // One program per kind, in the order in which the handles were made.
  OpBuilder at(func.getBody().front().getTerminator());
  SmallVector<Operation *> work;
  for (Operation &op : func.getBody().front().without_terminator())
    if (!isa<dataflow::GetUnitOp>(op))
      work.push_back(&op);
  for (auto &[tag, kind] : context.kinds)
    if (failed(UnitProgram(context, kind).build(at)))
      return failure();
  context.symbols.emit();
  convertCallers(module, func, *bytes);

  // The sequential form has been distributed; users come last in the block.
  for (Operation *op : llvm::reverse(work))
    if (op->use_empty() || op->getNumRegions() != 0)
      op->erase();
  return success();
}

namespace {
struct KtdfLoweringToDfir
    : public ktir::impl::KtdfLoweringToDfirBase<KtdfLoweringToDfir> {
  void runOnOperation() override {
    FailureOr<Device> device = Device::get(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<func::FuncOp> programs;
    getOperation().walk([&](func::FuncOp func) {
      if (!func.isDeclaration() &&
          !func.getBody().getOps<dataflow::GetUnitOp>().empty() &&
          func.getBody().getOps<dataflow::ProgramUnitOp>().empty())
        programs.push_back(func);
      return WalkResult::skip();
    });
    for (func::FuncOp func : programs)
      if (failed(lowerProgram(getOperation(), func, *device)))
        return signalPassFailure();
  }
};
} // namespace
