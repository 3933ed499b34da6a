//===- DecodeSliceReduction.cpp - spyreop.slice_reduction -----------------===//

#include "Structured.h"
#include "TensorOps.h"

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Exec/Numerics/Panels.h"

#include <cmath>
#include <limits>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::DType;
using ktir::numerics::Opcode;

static constexpr int64_t lanes = spyreop::SliceReductionOp::kStickSize;
static constexpr int64_t slice = spyreop::SliceReductionOp::kSliceSize;
static constexpr int64_t slices = lanes / slice;

namespace {
struct SliceReductionPayload : Payload {
  DType type;
  spyreop::ReductionKind kind;
  bool inSlice;
};
} // namespace

/// Reduces one stick of f32 values in place. Lanes that the op leaves
/// unspecified become NaN.
static void reduceStick(float *stick, const SliceReductionPayload &payload) {
  using spyreop::ReductionKind;
  // One row of terms for each fold; the first lane starts it.
  constexpr int64_t folds = 8, terms = 8;
  static_assert(slice == folds && slices == terms, "both scopes are 8 by 8");
  float starts[folds], panel[folds][terms - 1];
  for (int64_t f = 0; f < folds; ++f)
    for (int64_t t = 0; t < terms; ++t) {
      float value =
          payload.inSlice ? stick[f * slice + t] : stick[t * slice + f];
      if (payload.kind == ReductionKind::AbsMax)
        value = std::fabs(value);
      if (payload.kind == ReductionKind::Sub && t > 0)
        value = -value;
      (t == 0 ? starts[f] : panel[f][t - 1]) = value;
    }
  Opcode opcode = Opcode::AddF;
  switch (payload.kind) {
  case ReductionKind::Add:
  case ReductionKind::Sub:
    break;
  case ReductionKind::Mul:
    opcode = Opcode::MulF;
    break;
  case ReductionKind::Max:
  case ReductionKind::AbsMax:
    opcode = Opcode::MaximumF;
    break;
  case ReductionKind::Min:
    opcode = Opcode::MinimumF;
    break;
  }
  numerics::foldRows(opcode, DType::F32, starts, panel, folds, terms - 1);
  std::fill_n(stick, lanes, std::numeric_limits<float>::quiet_NaN());
  for (int64_t f = 0; f < folds; ++f)
    stick[payload.inSlice ? f * slice : f] = starts[f];
}

/// a: result; b: operand.
static Outcome runSliceReduction(Instance &self,
                                 const Instruction &instruction) {
  const auto &payload = instruction.as<SliceReductionPayload>();
  uint64_t begin = self.run.ticks;
  const Tensor &source = self.tensors[instruction.b];
  if (checkReadable(self, instruction.site, 0, source) == Outcome::Fail)
    return Outcome::Fail;
  if (source.shape.back() != lanes)
    return self.run.fail(self, instruction.site, "",
                         "operand 0 has extent " +
                             llvm::Twine(source.shape.back()) +
                             " in its last dimension, expected one stick of " +
                             llvm::Twine(lanes));
  unsigned bytes = numerics::byteSize(payload.type);
  Tensor result = self.makeTensor(source.shape, bytes, instruction.site);
  int64_t count = result.elements();
  float stick[lanes] = {};
  for (int64_t i = 0; i < count; i += lanes) {
    if (source.data)
      numerics::toPanel(payload.type, stick, source.data.data() + i * bytes,
                        lanes);
    else
      std::fill_n(stick, lanes, 0.0f);
    reduceStick(stick, payload);
    numerics::fromPanel(payload.type, result.data.data() + i * bytes, stick,
                        lanes);
  }
  self.work(count);
  self.run.event(self, "compute", begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeSliceReduction(Decoder &decoder, Operation *op) {
  auto reduction = cast<spyreop::SliceReductionOp>(op);
  auto *payload = decoder.makePayload<SliceReductionPayload>();
  payload->type =
      numerics::heldType(*getDType(getElementTypeOrSelf(reduction.getInput())),
                         decoder.program.numerics);
  payload->kind = reduction.getReductionKind();
  payload->inSlice =
      reduction.getReductionScope() == spyreop::ReductionScope::InSlice;
  uint32_t source = decoder.use(reduction.getInput());
  uint32_t result = decoder.define(reduction.getResult());
  Instruction &instruction = decoder.emit(op, runSliceReduction);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

void ktir::exec::addSliceReductionHandlers(DecodeTable &table) {
  table["spyreop.slice_reduction"] = decodeSliceReduction;
}
