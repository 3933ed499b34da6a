//===- DecodeAgen.cpp - agen ----------------------------------------------===//

#include "Decoder.h"
#include "Runtime.h"
#include "Transfer.h"
#include "ktir/Dialect/Agen/AgenDialect.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using namespace ktir::agen;

namespace {

/// Where one vector of an access op lies: at `subscript + displacement` plus
/// the points of a set, in a view.
struct VectorAccess {
  uint32_t view;
  /// Per view dimension, over the scalar slots `inputs`.
  SmallVector<CompiledExpr, 4> subscript;
  SmallVector<uint32_t, 4> inputs;
  /// Per view dimension, over `displacementInputs` (time step, then symbols);
  /// empty for an access without time.
  SmallVector<CompiledExpr, 4> displacement;
  SmallVector<uint32_t, 4> displacementInputs;
  CompiledSet::Points lanes;
  std::shared_ptr<const std::vector<int64_t>> list;
  unsigned elementBytes;

  /// The coordinates to access now; false where an expression divides by zero.
  bool select(const Instance &self, Selection &selection) const;
};

struct AccessPayload : Payload {
  VectorAccess access;
};

/// The time loop of a composite op. `first .. first + 3 * dims` are scalar
/// slots: the step, then the lower bounds and extents of the step's box.
struct TimePayload : Payload {
  CompiledSet set;
  SmallVector<uint32_t, 2> symbols;
  /// The steps where no symbol changes them.
  std::optional<CompiledSet::Points> fixed;
  uint32_t step;    ///< dims slots
  uint32_t box;     ///< 2 * dims slots, unused when `fixed`
  uint32_t counter; ///< steps done
  uint32_t total;
  uint32_t body = 0, end = 0;
};

} // namespace

bool VectorAccess::select(const Instance &self, Selection &selection) const {
  size_t rank = subscript.size();
  selection.start.resize(rank);
  for (size_t d = 0; d < rank; ++d) {
    std::optional<int64_t> at = subscript[d].evaluateOn(
        [&](unsigned i) { return self.scalars[inputs[i]]; });
    if (!at)
      return false;
    if (!displacement.empty()) {
      std::optional<int64_t> by = displacement[d].evaluateOn(
          [&](unsigned i) { return self.scalars[displacementInputs[i]]; });
      if (!by)
        return false;
      *at += *by;
    }
    selection.start[d] = *at + (lanes.isBox ? lanes.lower[d] : 0);
  }
  if (lanes.isBox) {
    selection.extent = lanes.extent;
    selection.order = lanes.order;
  } else {
    selection.points = list;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Decoding of accesses
//===----------------------------------------------------------------------===//

/// Fills in all but the lanes.
static LogicalResult decodePlace(Decoder &decoder, Operation *op, Value view,
                                 AffineMap map, ValueRange operands,
                                 VectorAccess &access) {
  auto type = cast<MemRefType>(view.getType());
  std::optional<numerics::DType> element = getDType(type.getElementType());
  if (!element)
    return op->emitError() << "cannot be executed: element type "
                           << type.getElementType();
  if (map.getNumResults() != unsigned(type.getRank()))
    return op->emitError() << "cannot be executed: " << map.getNumResults()
                           << " subscripts on a view of rank "
                           << type.getRank();
  access.elementBytes = numerics::byteSize(*element);
  access.subscript = compileMap(map);
  for (Value operand : operands)
    access.inputs.push_back(decoder.use(operand));
  access.view = decoder.use(view);
  return success();
}

static LogicalResult decodeLanes(Decoder &decoder, Operation *op,
                                 IntegerSet set, AffineMap order,
                                 Type vectorType, VectorAccess &access) {
  if (set.getNumSymbols())
    return decoder.unsupported(op, "a set of lanes with symbols");
  if (set.getNumDims() != access.subscript.size())
    return op->emitError() << "cannot be executed: a set of "
                           << set.getNumDims()
                           << " dimensions on a view of rank "
                           << access.subscript.size();
  std::string error;
  std::optional<CompiledSet::Points> lanes =
      CompiledSet::get(set, order).enumerate({}, error);
  if (!lanes)
    return decoder.unsupported(op, error);
  int64_t length = dataflow::getVectorLength(vectorType);
  if (lanes->count != length)
    return op->emitError() << "cannot be executed: the set has " << lanes->count
                           << " points, the vector " << length
                           << " lanes (G-2)";
  access.lanes = std::move(*lanes);
  if (!access.lanes.isBox)
    access.list =
        std::make_shared<const std::vector<int64_t>>(access.lanes.list);
  return success();
}

/// The lanes of `composite_store` with an input vector (G-9).
static void useLastDimension(int64_t length, VectorAccess &access) {
  size_t rank = access.subscript.size();
  access.lanes.isBox = true;
  access.lanes.lower.assign(rank, 0);
  access.lanes.extent.assign(rank, 1);
  access.lanes.extent.back() = length;
  for (size_t d = 0; d < rank; ++d)
    access.lanes.order.push_back(d);
  access.lanes.count = length;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// a: tensor slot.
static Outcome runLoad(Instance &self, const Instruction &instruction) {
  const VectorAccess &access = instruction.as<AccessPayload>().access;
  Selection selection;
  if (!access.select(self, selection))
    return self.run.fail(self, instruction.site, "",
                         "division by zero in the subscript");
  Tensor vector = self.makeTensor(access.lanes.count, access.elementBytes,
                                  instruction.site);
  Outcome outcome =
      transfer(self, self.views[access.view], selection, vector.data.data(),
               /*isWrite=*/false, instruction.site);
  self.tensors[instruction.a] = std::move(vector);
  return outcome;
}

static Outcome runStore(Instance &self, const Instruction &instruction) {
  const VectorAccess &access = instruction.as<AccessPayload>().access;
  Selection selection;
  if (!access.select(self, selection))
    return self.run.fail(self, instruction.site, "",
                         "division by zero in the subscript");
  const Tensor &vector = self.tensors[instruction.a];
  return transfer(self, self.views[access.view], selection, vector.data.data(),
                  /*isWrite=*/true, instruction.site);
}

static void emitAccess(Decoder &decoder, Operation *op, Handler handler,
                       uint32_t vector, AccessPayload *payload) {
  Instruction &instruction = decoder.emit(op, handler);
  instruction.a = vector;
  instruction.payload = payload;
}

static LogicalResult decodeVectorLoad(Decoder &decoder, Operation *op) {
  auto load = cast<VectorLoadOp>(op);
  auto *payload = decoder.makePayload<AccessPayload>();
  AffineSubscript subscript = load.getSubscript();
  if (failed(decodePlace(decoder, op, load.getView(), subscript.map,
                         subscript.operands, payload->access)) ||
      failed(decodeLanes(decoder, op, load.getLoadSet(), load.getLoadOrder(),
                         load.getValue().getType(), payload->access)))
    return failure();
  emitAccess(decoder, op, runLoad, decoder.define(load.getValue()), payload);
  return success();
}

static LogicalResult decodeVectorStore(Decoder &decoder, Operation *op) {
  auto store = cast<VectorStoreOp>(op);
  auto *payload = decoder.makePayload<AccessPayload>();
  AffineSubscript subscript = store.getSubscript();
  if (failed(decodePlace(decoder, op, store.getView(), subscript.map,
                         subscript.operands, payload->access)) ||
      failed(decodeLanes(decoder, op, store.getStoreSet(),
                         store.getStoreOrder(), store.getValue().getType(),
                         payload->access)))
    return failure();
  emitAccess(decoder, op, runStore, decoder.use(store.getValue()), payload);
  return success();
}

//===----------------------------------------------------------------------===//
// Time steps of composite ops
//===----------------------------------------------------------------------===//

/// Sets the slots of the current step from its number.
static void setStep(Instance &self, const TimePayload &time, int64_t number) {
  unsigned dims = time.set.getNumDims();
  int64_t *step = &self.scalars[time.step];
  if (time.fixed && !time.fixed->isBox) {
    std::copy_n(time.fixed->list.begin() + number * dims, dims, step);
    return;
  }
  auto place = [&](unsigned d, int64_t lower, int64_t extent) {
    step[d] = lower + number % extent;
    number /= extent;
  };
  if (time.fixed) {
    for (unsigned d : llvm::reverse(time.fixed->order))
      place(d, time.fixed->lower[d], time.fixed->extent[d]);
    return;
  }
  // A box that depends on symbols is enumerated in the order of dimensions.
  const int64_t *box = &self.scalars[time.box];
  for (unsigned d = dims; d-- > 0;)
    place(d, box[d], box[dims + d]);
}

static Outcome runTimeBegin(Instance &self, const Instruction &instruction) {
  const auto &time = instruction.as<TimePayload>();
  int64_t total;
  if (time.fixed) {
    total = time.fixed->count;
  } else {
    SmallVector<int64_t, 2> symbols;
    for (uint32_t slot : time.symbols)
      symbols.push_back(self.scalars[slot]);
    std::string error;
    std::optional<CompiledSet::Points> points =
        time.set.enumerate(symbols, error);
    if (!points)
      return self.run.fail(self, instruction.site, "G-7", error);
    llvm::copy(points->lower, &self.scalars[time.box]);
    llvm::copy(points->extent, &self.scalars[time.box + time.set.getNumDims()]);
    total = points->count;
  }
  self.scalars[time.counter] = 0;
  self.scalars[time.total] = total;
  if (total == 0) {
    self.pc = time.end;
    return Outcome::Jump;
  }
  setStep(self, time, 0);
  return Outcome::Next;
}

static Outcome runTimeNext(Instance &self, const Instruction &instruction) {
  const auto &time = instruction.as<TimePayload>();
  int64_t next = ++self.scalars[time.counter];
  if (next >= self.scalars[time.total])
    return Outcome::Next;
  setStep(self, time, next);
  self.pc = time.body;
  return Outcome::Jump;
}

static uint32_t newScalars(Decoder &decoder, unsigned count) {
  uint32_t first = decoder.newScalar();
  for (unsigned i = 1; i < count; ++i)
    decoder.newScalar();
  return first;
}

static FailureOr<TimePayload *> decodeTime(Decoder &decoder, Operation *op,
                                           IntegerSet set, AffineMap order,
                                           ValueRange symbols) {
  auto *time = decoder.makePayload<TimePayload>();
  time->set = CompiledSet::get(set, order);
  for (Value symbol : symbols)
    time->symbols.push_back(decoder.use(symbol));
  if (set.getNumSymbols() != symbols.size())
    return op->emitError() << "cannot be executed: time_set has "
                           << set.getNumSymbols() << " symbols, "
                           << symbols.size() << " are given";
  unsigned dims = set.getNumDims();
  if (symbols.empty()) {
    std::string error;
    time->fixed = time->set.enumerate({}, error);
    if (!time->fixed)
      return LogicalResult(decoder.unsupported(op, error));
  } else if (!time->set.isOrderedBox()) {
    return LogicalResult(decoder.unsupported(
        op, "a time_set with symbols that is no box in the order of its "
            "dimensions"));
  }
  time->step = newScalars(decoder, std::max(1u, dims));
  time->box = newScalars(decoder, std::max(1u, 2 * dims));
  time->counter = decoder.newScalar();
  time->total = decoder.newScalar();
  return time;
}

/// Adds the displacement of a time step to `access`.
static LogicalResult decodeDisplacement(Operation *op, const TimePayload &time,
                                        AffineMap map, VectorAccess &access) {
  if (map.getNumResults() != access.subscript.size() ||
      map.getNumDims() != time.set.getNumDims() ||
      map.getNumSymbols() > time.symbols.size())
    return op->emitError()
           << "cannot be executed: a time address map of the wrong shape (G-6)";
  access.displacement = compileMap(map);
  for (unsigned d = 0; d < map.getNumDims(); ++d)
    access.displacementInputs.push_back(time.step + d);
  access.displacementInputs.append(time.symbols);
  return success();
}

/// What a composite op does at each step; null parts are left out.
namespace {
struct Composite {
  TimePayload *time;
  AccessPayload *load = nullptr;
  Value loaded;
  Block *body = nullptr;
  AccessPayload *store = nullptr;
  Value stored;
};
} // namespace

static void emitComposite(Decoder &decoder, Operation *op, Composite parts) {
  decoder.emit(op, runTimeBegin).payload = parts.time;
  parts.time->body = decoder.here();
  decoder.current().loops.push_back(
      {decoder.here(), decoder.here(), parts.time->counter});
  size_t range = decoder.current().loops.size() - 1;
  if (parts.load)
    emitAccess(decoder, op, runLoad, decoder.define(parts.loaded), parts.load);
  auto finish = [&decoder, op, parts, range] {
    if (parts.store)
      emitAccess(decoder, op, runStore, decoder.use(parts.stored), parts.store);
    decoder.emit(op, runTimeNext).payload = parts.time;
    parts.time->end = decoder.here();
    decoder.current().loops[range].end = decoder.here();
    return success();
  };
  if (parts.body)
    decoder.enter(parts.body, finish);
  else
    (void)finish();
}

static LogicalResult decodeLoadAndStore(Decoder &decoder, Operation *op) {
  auto copy = cast<CompositeLoadAndStoreOp>(op);
  Composite parts;
  FailureOr<TimePayload *> time =
      decodeTime(decoder, op, copy.getTimeSet(), copy.getTimeOrder(),
                 copy.getTimeSymbols());
  if (failed(time))
    return failure();
  parts.time = *time;
  parts.load = decoder.makePayload<AccessPayload>();
  parts.loaded = copy.getLoadedVector();
  parts.body = copy.getBody();
  AffineSubscript source = copy.getSrcSubscript();
  if (failed(decodePlace(decoder, op, copy.getSrc(), source.map,
                         source.operands, parts.load->access)) ||
      failed(decodeLanes(decoder, op, copy.getLoadSet(), copy.getLoadOrder(),
                         parts.loaded.getType(), parts.load->access)) ||
      failed(decodeDisplacement(op, *parts.time, copy.getLoadTimeAddrMap(),
                                parts.load->access)))
    return failure();
  if (Value stored = copy.getStoredVector()) {
    parts.stored = stored;
    parts.store = decoder.makePayload<AccessPayload>();
    AffineSubscript target = copy.getDstSubscript();
    if (failed(decodePlace(decoder, op, copy.getDst(), target.map,
                           target.operands, parts.store->access)) ||
        failed(decodeLanes(decoder, op, copy.getStoreSet(),
                           copy.getStoreOrder(), stored.getType(),
                           parts.store->access)) ||
        failed(decodeDisplacement(op, *parts.time, copy.getStoreTimeAddrMap(),
                                  parts.store->access)))
      return failure();
    Type element = dataflow::getVectorElementType(stored.getType());
    if (element != copy.getDstType().getElementType())
      return op->emitError() << "cannot be executed: a vector of " << element
                             << " is stored to a view of "
                             << copy.getDstType().getElementType();
  }
  emitComposite(decoder, op, parts);
  return success();
}

static LogicalResult decodeCompositeLoad(Decoder &decoder, Operation *op) {
  auto load = cast<CompositeLoadOp>(op);
  Composite parts;
  FailureOr<TimePayload *> time =
      decodeTime(decoder, op, load.getTimeSet(), load.getTimeOrder(),
                 load.getTimeSymbols());
  if (failed(time))
    return failure();
  parts.time = *time;
  parts.load = decoder.makePayload<AccessPayload>();
  parts.loaded = load.getLoadedVector();
  parts.body = load.getBody();
  AffineSubscript subscript = load.getSubscript();
  if (failed(decodePlace(decoder, op, load.getView(), subscript.map,
                         subscript.operands, parts.load->access)) ||
      failed(decodeLanes(decoder, op, load.getLoadSet(), load.getLoadOrder(),
                         parts.loaded.getType(), parts.load->access)) ||
      failed(decodeDisplacement(op, *parts.time, load.getTimeAddrMap(),
                                parts.load->access)))
    return failure();
  emitComposite(decoder, op, parts);
  return success();
}

static LogicalResult decodeCompositeStore(Decoder &decoder, Operation *op) {
  auto store = cast<CompositeStoreOp>(op);
  Composite parts;
  FailureOr<TimePayload *> time =
      decodeTime(decoder, op, store.getTimeSet(), store.getTimeOrder(),
                 store.getTimeSymbols());
  if (failed(time))
    return failure();
  parts.time = *time;
  parts.body = store.getBody();
  parts.stored = store.getStoredVector();
  if (!parts.stored)
    return decoder.unsupported(op, "a body that yields no vector");
  parts.store = decoder.makePayload<AccessPayload>();
  AffineSubscript subscript = store.getSubscript();
  if (failed(decodePlace(decoder, op, store.getView(), subscript.map,
                         subscript.operands, parts.store->access)))
    return failure();
  if (!parts.body) {
    if (store.getViewType().getRank() == 0)
      return decoder.unsupported(op, "a view of rank 0");
    useLastDimension(dataflow::getVectorLength(parts.stored.getType()),
                     parts.store->access);
  } else if (failed(decodeLanes(decoder, op, *store.getStoreSet(),
                                *store.getStoreOrder(), parts.stored.getType(),
                                parts.store->access))) {
    return failure();
  }
  if (failed(decodeDisplacement(op, *parts.time, store.getTimeAddrMap(),
                                parts.store->access)))
    return failure();
  emitComposite(decoder, op, parts);
  return success();
}

void ktir::exec::addAgenHandlers(DecodeTable &table) {
  table["agen.vector_load"] = decodeVectorLoad;
  table["agen.vector_store"] = decodeVectorStore;
  table["agen.composite_load_and_store"] = decodeLoadAndStore;
  table["agen.composite_load"] = decodeCompositeLoad;
  table["agen.composite_store"] = decodeCompositeStore;
}
