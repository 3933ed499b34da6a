//===- DecodeTensor.cpp - tensor: shapes ----------------------------------===//
//
// Ops that make an uninitialised tensor or give elements another shape. None of
// them copies: results share the elements of their operand.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "TensorOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using llvm::Twine;

/// Refuses an op with a tensor whose elements the engine does not compute with.
static LogicalResult checkElements(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<ShapedType>(type))
      if (!getDType(tensor.getElementType()))
        return op->emitError() << "cannot be executed: element type "
                               << tensor.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// tensor.empty
//===----------------------------------------------------------------------===//

namespace {
struct ShapePayload : Payload {
  MixedNumbers shape;
};
} // namespace

static Outcome runEmpty(Instance &self, const Instruction &instruction) {
  SmallVector<int64_t, 4> shape =
      instruction.as<ShapePayload>().shape.get(self);
  if (checkExtents(self, instruction.site, shape) == Outcome::Fail)
    return Outcome::Fail;
  Tensor &tensor = self.tensors[instruction.a];
  tensor = Tensor();
  tensor.shape = std::move(shape);
  if (tensor.elements() == 0) // nothing that could be undefined
    tensor.data = Buffer::allocate(0, nullptr, instruction.site);
  return Outcome::Next;
}

static LogicalResult decodeEmpty(Decoder &decoder, Operation *op) {
  auto empty = cast<tensor::EmptyOp>(op);
  if (failed(checkElements(op)))
    return failure();
  auto *payload = decoder.makePayload<ShapePayload>();
  payload->shape =
      MixedNumbers(decoder, empty.getType(), empty.getDynamicSizes());
  uint32_t result = decoder.define(empty.getResult());
  Instruction &instruction = decoder.emit(op, runEmpty);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// Other shapes of the same elements
//===----------------------------------------------------------------------===//

/// Stores the elements of tensor slot `from` with another shape.
static Outcome share(Instance &self, const Instruction &instruction,
                     uint32_t from, ArrayRef<int64_t> shape) {
  if (checkExtents(self, instruction.site, shape) == Outcome::Fail)
    return Outcome::Fail;
  const Tensor &source = self.tensors[from];
  Tensor result;
  result.data = source.data;
  result.isForOthers = source.isForOthers;
  result.shape.assign(shape.begin(), shape.end());
  if (result.elements() != source.elements())
    return self.run.fail(self, instruction.site, "",
                         "the result has " + Twine(result.elements()) +
                             " elements, the source has " +
                             Twine(source.elements()));
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

/// a: result; b: source.
static Outcome runExpand(Instance &self, const Instruction &instruction) {
  return share(self, instruction, instruction.b,
               instruction.as<ShapePayload>().shape.get(self));
}

static LogicalResult decodeExpand(Decoder &decoder, Operation *op) {
  auto expand = cast<tensor::ExpandShapeOp>(op);
  auto *payload = decoder.makePayload<ShapePayload>();
  payload->shape =
      MixedNumbers(decoder, expand.getResultType(), expand.getOutputShape());
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
  const Tensor &source = self.tensors[instruction.b];
  SmallVector<int64_t, 4> shape;
  for (const auto &group : instruction.as<CollapsePayload>().groups) {
    int64_t extent = 1;
    for (int64_t d : group)
      extent *= source.shape[d];
    shape.push_back(extent);
  }
  return share(self, instruction, instruction.b, shape);
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

namespace {
struct ReshapePayload : Payload {
  numerics::DType extentType;
  SmallVector<int64_t, 4> expected; ///< of the result's type, -1: dynamic
};
} // namespace

/// c: tensor of the extents.
static Outcome runReshape(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<ReshapePayload>();
  const Tensor &extents = self.tensors[instruction.c];
  SmallVector<int64_t, 4> shape;
  if (extents.isUndefined())
    return self.run.fail(self, instruction.site, "UP-2",
                         "the shape is an uninitialised tensor");
  unsigned bytes = numerics::byteSize(payload.extentType);
  for (int64_t d = 0; d < extents.elements(); ++d)
    shape.push_back(
        readElement(extents.data.data() + d * bytes, payload.extentType));
  if (shape.size() != payload.expected.size())
    return self.run.fail(self, instruction.site, "",
                         "the shape has " + Twine(shape.size()) +
                             " extents, the result's type " +
                             Twine(payload.expected.size()));
  if (checkStatic(self, instruction.site, payload.expected, shape) ==
      Outcome::Fail)
    return Outcome::Fail;
  return share(self, instruction, instruction.b, shape);
}

static LogicalResult decodeReshape(Decoder &decoder, Operation *op) {
  auto reshape = cast<tensor::ReshapeOp>(op);
  std::optional<numerics::DType> extentType =
      getDType(getElementTypeOrSelf(reshape.getShape()));
  if (!extentType || !isa<RankedTensorType>(reshape.getType()) ||
      !isa<RankedTensorType>(reshape.getSource().getType()))
    return decoder.unsupported(op, "a tensor without rank");
  auto *payload = decoder.makePayload<ReshapePayload>();
  payload->extentType = *extentType;
  payload->expected = getStaticShape(reshape.getType());
  uint32_t source = decoder.use(reshape.getSource());
  uint32_t shape = decoder.use(reshape.getShape());
  uint32_t result = decoder.define(reshape.getResult());
  Instruction &instruction = decoder.emit(op, runReshape);
  instruction.a = result;
  instruction.b = source;
  instruction.c = shape;
  instruction.payload = payload;
  return success();
}

/// Casts check the extents that the result's type states.
static Outcome runCast(Instance &self, const Instruction &instruction) {
  SmallVector<int64_t, 4> shape = self.tensors[instruction.b].shape;
  if (checkStatic(self, instruction.site,
                  instruction.as<ReshapePayload>().expected,
                  shape) == Outcome::Fail)
    return Outcome::Fail;
  return share(self, instruction, instruction.b, shape);
}

static LogicalResult decodeCast(Decoder &decoder, Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return decoder.unsupported(op, "a tensor without rank");
  if (failed(checkElements(op)))
    return failure();
  auto *payload = decoder.makePayload<ReshapePayload>();
  payload->expected = getStaticShape(type);
  uint32_t source = decoder.use(op->getOperand(0));
  uint32_t result = decoder.define(op->getResult(0));
  Instruction &instruction = decoder.emit(op, runCast);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// Questions about a shape
//===----------------------------------------------------------------------===//

/// a: result; b: tensor; c: dimension.
static Outcome runDim(Instance &self, const Instruction &instruction) {
  const Tensor &tensor = self.tensors[instruction.b];
  int64_t dim = self.scalars[instruction.c];
  if (dim < 0 || dim >= int64_t(tensor.shape.size()))
    return self.run.fail(self, instruction.site, "",
                         "dimension " + Twine(dim) + " of a tensor of rank " +
                             Twine(tensor.shape.size()));
  self.scalars[instruction.a] = tensor.shape[dim];
  return Outcome::Next;
}

static LogicalResult decodeDim(Decoder &decoder, Operation *op) {
  auto dim = cast<tensor::DimOp>(op);
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  if (!type)
    return decoder.unsupported(op, "a tensor without rank");
  std::optional<int64_t> known = decoder.getConstant(dim.getIndex());
  if (known && *known >= 0 && *known < type.getRank() &&
      !type.isDynamicDim(*known)) {
    decoder.defineConstant(dim.getResult(), type.getDimSize(*known));
    return success();
  }
  uint32_t source = decoder.use(dim.getSource());
  uint32_t index = decoder.use(dim.getIndex());
  uint32_t result = decoder.define(dim.getResult());
  Instruction &instruction = decoder.emit(op, runDim);
  instruction.a = result;
  instruction.b = source;
  instruction.c = index;
  return success();
}

static LogicalResult decodeRank(Decoder &decoder, Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!type)
    return decoder.unsupported(op, "a tensor without rank");
  decoder.defineConstant(op->getResult(0), type.getRank());
  return success();
}

void ktir::exec::addTensorHandlers(DecodeTable &table) {
  table["tensor.empty"] = decodeEmpty;
  table["tensor.expand_shape"] = decodeExpand;
  table["tensor.collapse_shape"] = decodeCollapse;
  table["tensor.reshape"] = decodeReshape;
  table["tensor.cast"] = decodeCast;
  table["tensor.bitcast"] = decodeCast;
  table["tensor.dim"] = decodeDim;
  table["tensor.rank"] = decodeRank;
  addTensorElementHandlers(table);
  addTensorSliceHandlers(table);
}
