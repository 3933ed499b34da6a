//===- DecodeTensor.cpp - tensor ------------------------------------------===//

#include "Decoder.h"
#include "Runtime.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;

namespace {
/// The result's extents: constants, or scalar slots of the dynamic ones.
struct ShapePayload : Payload {
  SmallVector<int64_t, 4> shape; ///< -1: dynamic
  SmallVector<uint32_t, 2> dynamic;
};
} // namespace

/// Fails when an extent is negative.
static Outcome evaluateShape(Instance &self, const Instruction &instruction,
                             SmallVectorImpl<int64_t> &shape) {
  const auto &payload = instruction.as<ShapePayload>();
  shape.assign(payload.shape.begin(), payload.shape.end());
  size_t next = 0;
  for (int64_t &extent : shape) {
    if (extent >= 0)
      continue;
    extent = self.scalars[payload.dynamic[next++]];
    if (extent < 0)
      return self.run.fail(self, instruction.site, "",
                           "an extent is " + llvm::Twine(extent) +
                               ", expected at least 0");
  }
  return Outcome::Next;
}

static Outcome runEmpty(Instance &self, const Instruction &instruction) {
  Tensor &tensor = self.tensors[instruction.a];
  tensor.data = Buffer();
  return evaluateShape(self, instruction, tensor.shape);
}

static ShapePayload *makeShape(Decoder &decoder, RankedTensorType type,
                               ValueRange dynamic) {
  auto *payload = decoder.makePayload<ShapePayload>();
  for (int64_t extent : type.getShape())
    payload->shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  for (Value value : dynamic)
    payload->dynamic.push_back(decoder.use(value));
  return payload;
}

static LogicalResult decodeEmpty(Decoder &decoder, Operation *op) {
  auto empty = cast<tensor::EmptyOp>(op);
  if (!getDType(empty.getType().getElementType()))
    return op->emitError() << "cannot be executed: element type "
                           << empty.getType().getElementType();
  auto *payload = makeShape(decoder, empty.getType(), empty.getDynamicSizes());
  uint32_t result = decoder.define(empty.getResult());
  Instruction &instruction = decoder.emit(op, runEmpty);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}

/// a: result; b: source, whose elements the result shares.
static Outcome runExpand(Instance &self, const Instruction &instruction) {
  SmallVector<int64_t, 4> shape;
  if (evaluateShape(self, instruction, shape) == Outcome::Fail)
    return Outcome::Fail;
  const Tensor &source = self.tensors[instruction.b];
  Tensor result;
  result.data = source.data;
  result.shape = shape;
  if (result.elements() != source.elements())
    return self.run.fail(self, instruction.site, "",
                         "the result has " + llvm::Twine(result.elements()) +
                             " elements, the source has " +
                             llvm::Twine(source.elements()));
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeExpand(Decoder &decoder, Operation *op) {
  auto expand = cast<tensor::ExpandShapeOp>(op);
  auto *payload =
      makeShape(decoder, expand.getResultType(), expand.getOutputShape());
  uint32_t source = decoder.use(expand.getSrc());
  uint32_t result = decoder.define(expand.getResult());
  Instruction &instruction = decoder.emit(op, runExpand);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

namespace {
struct CollapsePayload : Payload {
  SmallVector<SmallVector<int64_t, 2>, 4> groups;
};
} // namespace

static Outcome runCollapse(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<CollapsePayload>();
  const Tensor &source = self.tensors[instruction.b];
  Tensor result;
  result.data = source.data;
  for (const auto &group : payload.groups) {
    int64_t extent = 1;
    for (int64_t d : group)
      extent *= source.shape[d];
    result.shape.push_back(extent);
  }
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeCollapse(Decoder &decoder, Operation *op) {
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  auto *payload = decoder.makePayload<CollapsePayload>();
  for (const auto &group : collapse.getReassociationIndices())
    payload->groups.emplace_back(group.begin(), group.end());
  uint32_t source = decoder.use(collapse.getSrc());
  uint32_t result = decoder.define(collapse.getResult());
  Instruction &instruction = decoder.emit(op, runCollapse);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

void ktir::exec::addTensorHandlers(DecodeTable &table) {
  table["tensor.empty"] = decodeEmpty;
  table["tensor.expand_shape"] = decodeExpand;
  table["tensor.collapse_shape"] = decodeCollapse;
}
