//===- DecodeAffine.cpp - affine ------------------------------------------===//

#include "Decoder.h"
#include "Runtime.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

namespace {
struct MapPayload : Payload {
  SmallVector<CompiledExpr, 4> results;
  SmallVector<uint32_t, 4> operands;
};
} // namespace

/// a: result, the smallest (immediate < 0) or largest of the map's results.
static Outcome runMap(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<MapPayload>();
  std::optional<int64_t> chosen;
  for (const CompiledExpr &expr : payload.results) {
    std::optional<int64_t> value = expr.evaluateOn(
        [&](unsigned i) { return self.scalars[payload.operands[i]]; });
    if (!value)
      return self.run.fail(self, instruction.site, "", "division by zero");
    if (!chosen)
      chosen = value;
    else
      chosen = instruction.immediate < 0 ? std::min(*chosen, *value)
                                         : std::max(*chosen, *value);
  }
  self.scalars[instruction.a] = *chosen;
  return Outcome::Next;
}

static void emitMap(Decoder &decoder, Operation *op, AffineMap map,
                    int64_t direction) {
  auto *payload = decoder.makePayload<MapPayload>();
  payload->results = compileMap(map);
  for (Value operand : op->getOperands())
    payload->operands.push_back(decoder.use(operand));
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, runMap);
  instruction.a = result;
  instruction.immediate = direction;
  instruction.payload = payload;
}

void ktir::exec::addAffineHandlers(DecodeTable &table) {
  table["affine.apply"] = [](Decoder &decoder, Operation *op) {
    emitMap(decoder, op, cast<affine::AffineApplyOp>(op).getAffineMap(), 0);
    return success();
  };
  table["affine.min"] = [](Decoder &decoder, Operation *op) {
    emitMap(decoder, op, cast<affine::AffineMinOp>(op).getAffineMap(), -1);
    return success();
  };
  table["affine.max"] = [](Decoder &decoder, Operation *op) {
    emitMap(decoder, op, cast<affine::AffineMaxOp>(op).getAffineMap(), 1);
    return success();
  };
}
