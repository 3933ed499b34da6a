//===- DecodeUniform.cpp - uniform and symbol -----------------------------===//

#include "Decoder.h"
#include "Runtime.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

namespace {
struct QueryPayload : Payload {
  std::unordered_map<int64_t, uint32_t> slots; ///< key to slot of the value
};
} // namespace

/// a: result; b: key.
static Outcome runQuery(Instance &self, const Instruction &instruction) {
  const auto &slots = instruction.as<QueryPayload>().slots;
  int64_t key = self.scalars[instruction.b];
  auto it = slots.find(key);
  if (it == slots.end()) {
    std::string name = self.run.isHandle(key)
                           ? "unit '" + self.run.program.units[key].name + "'"
                           : "key " + std::to_string(key);
    return self.run.fail(self, instruction.site, "U-3",
                         "the mapping has no value for " + name);
  }
  self.scalars[instruction.a] = self.scalars[it->second];
  return Outcome::Next;
}

/// A query of a mapping whose keys are units, groups or constants.
static LogicalResult decodeQuery(Decoder &decoder, Operation *op, Value key,
                                 Value result, ValueRange keys,
                                 ValueRange values) {
  auto *payload = decoder.makePayload<QueryPayload>();
  for (auto [entry, value] : llvm::zip_equal(keys, values)) {
    std::optional<int64_t> constant = decoder.getConstant(entry);
    if (!constant)
      return decoder.unsupported(op, "a key that is neither a unit nor a "
                                     "constant");
    uint32_t slot = decoder.use(value);
    // A group stands for each of its members.
    if (decoder.program.findGroup(*constant))
      for (uint32_t member : getUnits(decoder, entry))
        payload->slots.try_emplace(member, slot);
    payload->slots.try_emplace(*constant, slot);
  }
  uint32_t keySlot = decoder.use(key);
  uint32_t resultSlot = decoder.define(result);
  Instruction &instruction = decoder.emit(op, runQuery);
  instruction.a = resultSlot;
  instruction.b = keySlot;
  instruction.payload = payload;
  return success();
}

static LogicalResult decodeUniformQuery(Decoder &decoder, Operation *op) {
  auto query = cast<uniform::QueryMapOp>(op);
  uniform::DefImmutableMappingOp mapping = query.getMapping();
  if (!mapping)
    return decoder.unsupported(
        op, "a map that no 'uniform.def_immutable_mapping' makes");
  return decodeQuery(decoder, op, query.getKey(), query.getValue(),
                     mapping.getKeys(), mapping.getValues());
}

static LogicalResult decodeSymbolQuery(Decoder &decoder, Operation *op) {
  auto query = cast<symbol::QueryMapOp>(op);
  symbol::SymbolImmutableMappingOp mapping = query.getMapping();
  if (!mapping)
    return decoder.unsupported(
        op, "a map that no 'symbol.symbol_immutable_mapping' makes");
  return decodeQuery(decoder, op, query.getKey(), query.getValue(),
                     mapping.getKeys(), mapping.getValues());
}

/// Mappings have no run-time form: queries read them when they are decoded.
static LogicalResult decodeMapping(Decoder &, Operation *) { return success(); }

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// a: result; immediate: id.
static Outcome runCreateSymbol(Instance &self, const Instruction &instruction) {
  auto it = self.run.symbols.find(instruction.immediate);
  if (it == self.run.symbols.end())
    return self.run.fail(self, instruction.site, "S-1",
                         "no 'symbol.create_id' has bound symbol " +
                             llvm::Twine(instruction.immediate));
  self.scalars[instruction.a] = it->second;
  return Outcome::Next;
}

static Outcome runCreateId(Instance &self, const Instruction &instruction) {
  self.run.symbols[instruction.immediate] = self.scalars[instruction.a];
  return Outcome::Next;
}

static LogicalResult decodeCreateSymbol(Decoder &decoder, Operation *op) {
  auto create = cast<symbol::CreateSymbolOp>(op);
  uint32_t result = decoder.define(create.getValue());
  Instruction &instruction = decoder.emit(op, runCreateSymbol);
  instruction.a = result;
  instruction.immediate = create.getId();
  return success();
}

static LogicalResult decodeCreateId(Decoder &decoder, Operation *op) {
  auto create = cast<symbol::CreateIdOp>(op);
  if (decoder.inUnitProgram())
    return decoder.unsupported(op, "a unit program cannot bind symbols");
  uint32_t value = decoder.use(create.getValue());
  Instruction &instruction = decoder.emit(op, runCreateId);
  instruction.a = value;
  instruction.immediate = create.getId();
  return success();
}

//===----------------------------------------------------------------------===//
// Regions by unit
//===----------------------------------------------------------------------===//

namespace {
struct DispatchPayload : Payload {
  std::unordered_map<int64_t, uint32_t> regions; ///< unit to region
  SmallVector<uint32_t, 4> begins; ///< first instruction of each region
  uint32_t end = 0;
  bool hasResults = false;
};
} // namespace

static Outcome runDispatch(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<DispatchPayload>();
  auto it = payload.regions.find(self.unit);
  if (it == payload.regions.end() && payload.hasResults)
    return self.run.fail(self, instruction.site, "U-5",
                         "no region is that of the executing unit");
  self.pc =
      it == payload.regions.end() ? payload.end : payload.begins[it->second];
  return Outcome::Jump;
}

static Outcome runSelf(Instance &self, const Instruction &instruction) {
  self.scalars[instruction.a] = self.unit;
  return Outcome::Next;
}

static Outcome runLeave(Instance &self, const Instruction &instruction) {
  self.pc = instruction.as<DispatchPayload>().end;
  return Outcome::Jump;
}

/// Decodes region `index` and, when it is done, the next.
static LogicalResult decodeRegions(Decoder &decoder, Operation *op,
                                   DispatchPayload *payload,
                                   SmallVector<uint32_t, 2> results,
                                   unsigned index) {
  if (index == op->getNumRegions()) {
    payload->end = decoder.here();
    return success();
  }
  Block *body = &op->getRegion(index).front();
  payload->begins.push_back(decoder.here());
  if (body->getNumArguments()) {
    uint32_t handle = decoder.define(body->getArgument(0));
    decoder.emit(op, runSelf).a = handle;
  }
  decoder.enter(body, [&decoder, op, payload, results, index, body] {
    Operation *yield = body->getTerminator();
    decoder.moveAll(yield, llvm::to_vector(yield->getOperands()), results);
    decoder.emit(op, runLeave).payload = payload;
    return decodeRegions(decoder, op, payload, results, index + 1);
  });
  return success();
}

template <typename OpT>
static LogicalResult decodeByUnit(Decoder &decoder, Operation *op) {
  auto regions = cast<OpT>(op);
  if (!decoder.inUnitProgram())
    return decoder.unsupported(op, "only a unit program can do this");
  auto *payload = decoder.makePayload<DispatchPayload>();
  payload->hasResults = op->getNumResults() != 0;
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    for (Value entry : regions.getUnitList(i)) {
      SmallVector<uint32_t> units = getUnits(decoder, entry);
      if (units.empty())
        return decoder.unsupported(op, "a list entry that is neither a unit "
                                       "nor a group");
      for (uint32_t unit : units)
        payload->regions.try_emplace(unit, i);
    }
  SmallVector<uint32_t, 2> results;
  for (Value result : op->getResults()) {
    if (!getSlotKind(result.getType()))
      return decoder.unsupported(op, "a result has a type without run-time "
                                     "form");
    results.push_back(decoder.define(result));
  }
  decoder.emit(op, runDispatch).payload = payload;
  return decodeRegions(decoder, op, payload, results, 0);
}

void ktir::exec::addUniformHandlers(DecodeTable &table) {
  table["uniform.def_immutable_mapping"] = decodeMapping;
  table["uniform.query_map"] = decodeUniformQuery;
  table["uniform.uniformize_regions"] =
      decodeByUnit<uniform::UniformizeRegionsOp>;
  table["uniform.equalize_pattern"] = decodeByUnit<uniform::EqualizePatternOp>;
  table["symbol.create_symbol"] = decodeCreateSymbol;
  table["symbol.create_id"] = decodeCreateId;
  table["symbol.symbol_immutable_mapping"] = decodeMapping;
  table["symbol.query_map"] = decodeSymbolQuery;
}
