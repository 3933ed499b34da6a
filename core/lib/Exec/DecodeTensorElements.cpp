//===- DecodeTensorElements.cpp - tensor: elements ------------------------===//
//
// Tensors made from scalars, and scalars taken from tensors. The body of a
// `tensor.generate` runs as a block program over the indices where all its ops
// have that form, otherwise once for each element.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Structured.h"
#include "TensorOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::BlockProgram;
using ktir::numerics::DType;
using ktir::numerics::Reg;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// tensor.splat and tensor.from_elements
//===----------------------------------------------------------------------===//

/// The element that a scalar slot holds, as it lies in memory.
static const uint8_t *slotBytes(const Instance &self, uint32_t slot) {
  return reinterpret_cast<const uint8_t *>(&self.scalars[slot]);
}

namespace {
struct SplatPayload : Payload {
  MixedNumbers shape;
  unsigned elementBytes;
};
} // namespace

/// a: result; b: scalar.
static Outcome runSplat(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<SplatPayload>();
  SmallVector<int64_t, 4> shape = payload.shape.get(self);
  if (checkExtents(self, instruction.site, shape) == Outcome::Fail)
    return Outcome::Fail;
  CopiedTensor work(
      self, self.makeTensor(shape, payload.elementBytes, instruction.site));
  work.add({work.result.data.data(), getStrides(shape, payload.elementBytes),
            slotBytes(self, instruction.b),
            SmallVector<int64_t, 4>(shape.size(), 0), shape,
            payload.elementBytes});
  return beginCopies(self, instruction, std::move(work));
}

static LogicalResult decodeSplat(Decoder &decoder, Operation *op) {
  auto splat = cast<tensor::SplatOp>(op);
  auto *payload = decoder.makePayload<SplatPayload>();
  payload->elementBytes = getElementBytes(splat.getType());
  if (!payload->elementBytes)
    return decoder.unsupported(op, "element type of the tensor");
  payload->shape =
      MixedNumbers(decoder, splat.getType(), splat.getDynamicSizes());
  uint32_t value = decoder.use(splat.getInput());
  uint32_t result = decoder.define(splat.getResult());
  Instruction &instruction = decoder.emit(op, runSplat);
  instruction.a = result;
  instruction.b = value;
  instruction.payload = payload;
  return success();
}

namespace {
struct FromElementsPayload : Payload {
  SmallVector<int64_t, 4> shape;
  SmallVector<uint32_t, 4> elements;
  unsigned elementBytes;
};
} // namespace

static Outcome runFromElements(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<FromElementsPayload>();
  Tensor result =
      self.makeTensor(payload.shape, payload.elementBytes, instruction.site);
  uint8_t *to = result.data.data();
  for (uint32_t slot : payload.elements) {
    writeElement(to, self.scalars[slot], payload.elementBytes);
    to += payload.elementBytes;
  }
  self.work(payload.elements.size());
  self.tensors[instruction.a] = std::move(result);
  return Outcome::Next;
}

static LogicalResult decodeFromElements(Decoder &decoder, Operation *op) {
  auto from = cast<tensor::FromElementsOp>(op);
  auto *payload = decoder.makePayload<FromElementsPayload>();
  payload->shape = getStaticShape(from.getType());
  payload->elementBytes = getElementBytes(from.getType());
  if (!payload->elementBytes)
    return decoder.unsupported(op, "element type of the tensor");
  for (Value element : from.getElements())
    payload->elements.push_back(decoder.use(element));
  uint32_t result = decoder.define(from.getResult());
  Instruction &instruction = decoder.emit(op, runFromElements);
  instruction.a = result;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// tensor.extract and tensor.insert
//===----------------------------------------------------------------------===//

namespace {
struct ElementPayload : Payload {
  SmallVector<uint32_t, 4> indices;
  DType type;
};
} // namespace

/// The number of the element that `payload` means in a tensor of `shape`;
/// nothing after an error.
static std::optional<int64_t> locate(Instance &self,
                                     const Instruction &instruction,
                                     ArrayRef<int64_t> shape) {
  int64_t element = 0;
  const auto &indices = instruction.as<ElementPayload>().indices;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t at = self.scalars[indices[d]];
    if (at < 0 || at >= extent) {
      self.run.fail(self, instruction.site, "",
                    "index " + Twine(at) + " in dimension " + Twine(d) +
                        ", whose extent is " + Twine(extent));
      return std::nullopt;
    }
    element = element * extent + at;
  }
  return element;
}

/// a: scalar; b: tensor.
static Outcome runExtract(Instance &self, const Instruction &instruction) {
  const Tensor &tensor = self.tensors[instruction.b];
  std::optional<int64_t> element = locate(self, instruction, tensor.shape);
  if (!element)
    return Outcome::Fail;
  DType type = instruction.as<ElementPayload>().type;
  if (tensor.isUndefined()) {
    if (checkReadable(self, instruction.site, 0, tensor) == Outcome::Fail)
      return Outcome::Fail;
    self.scalars[instruction.a] = 0;
    return Outcome::Next;
  }
  self.scalars[instruction.a] = readElement(
      tensor.data.data() + *element * numerics::byteSize(type), type);
  return Outcome::Next;
}

/// a: result; b: tensor; c: scalar; immediate: the tensor dies.
static Outcome runInsert(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  Tensor &target = self.tensors[instruction.b];
  std::optional<int64_t> element = locate(self, instruction, target.shape);
  if (!element)
    return Outcome::Fail;
  unsigned bytes = numerics::byteSize(instruction.as<ElementPayload>().type);
  if (instruction.immediate && target.data && target.data.isUnique()) {
    writeElement(target.data.data() + *element * bytes,
                 self.scalars[instruction.c], bytes);
    self.work(1);
    if (instruction.a != instruction.b)
      self.tensors[instruction.a] = std::move(target);
    return Outcome::Next;
  }
  CopiedTensor work =
      CopiedTensor::writable(self, instruction.site, target, bytes);
  work.add({work.result.data.data() + *element * bytes,
            {},
            slotBytes(self, instruction.c),
            {},
            {},
            bytes});
  return beginCopies(self, instruction, std::move(work));
}

static ElementPayload *makeElement(Decoder &decoder, Type type,
                                   ValueRange indices) {
  std::optional<DType> element = getDType(getElementTypeOrSelf(type));
  if (!element)
    return nullptr;
  auto *payload = decoder.makePayload<ElementPayload>();
  payload->type = *element;
  for (Value index : indices)
    payload->indices.push_back(decoder.use(index));
  return payload;
}

static LogicalResult decodeExtract(Decoder &decoder, Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  Type type = extract.getTensor().getType();
  ElementPayload *payload = makeElement(decoder, type, extract.getIndices());
  if (!payload)
    return decoder.unsupported(op, "element type of the tensor");
  uint32_t source = decoder.use(extract.getTensor());
  uint32_t result = decoder.define(extract.getResult());
  Instruction &instruction = decoder.emit(op, runExtract);
  instruction.a = result;
  instruction.b = source;
  instruction.payload = payload;
  return success();
}

static LogicalResult decodeInsert(Decoder &decoder, Operation *op) {
  auto insert = cast<tensor::InsertOp>(op);
  ElementPayload *payload =
      makeElement(decoder, insert.getType(), insert.getIndices());
  if (!payload)
    return decoder.unsupported(op, "element type of the tensor");
  uint32_t target = decoder.use(insert.getDest());
  uint32_t scalar = decoder.use(insert.getScalar());
  bool dies = decoder.dies(insert.getDest(), op);
  uint32_t result = decoder.define(insert.getResult());
  Instruction &instruction = decoder.emit(op, runInsert);
  instruction.a = result;
  instruction.b = target;
  instruction.c = scalar;
  instruction.immediate = dies;
  instruction.payload = payload;
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies over indices
//===----------------------------------------------------------------------===//

namespace {
struct GeneratePayload : Payload {
  MixedNumbers shape;
  unsigned elementBytes;
  /// The body over all indices at once.
  std::optional<BlockProgram> program;
  SmallVector<uint32_t, 2> scalars; ///< slots that the program reads first
  /// Otherwise the slots of the indices, of the element and of its number.
  SmallVector<uint32_t, 4> indices;
  uint32_t element = 0, number = 0;
};
} // namespace

/// Builds the block program of `body`, whose arguments are indices; false when
/// an op of it has no such form.
static bool buildGenerate(Decoder &decoder, Block *body,
                          GeneratePayload &payload) {
  BlockProgram::Builder builder(decoder.program.numerics);
  DenseMap<Value, Reg> registers;
  SmallVector<Value, 4> outer;
  Operation *yield = body->getTerminator();
  for (Operation &op : *body) {
    bool isConstant = op.hasTrait<OpTrait::ConstantLike>();
    if (&op != yield && !isConstant && !isElementwise(&op))
      return false;
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != body &&
          !llvm::is_contained(outer, operand))
        outer.push_back(operand);
  }
  for (Value value : outer) {
    std::optional<DType> type = getDType(value.getType());
    if (!type)
      return false;
    registers[value] = builder.input(*type);
  }
  for (BlockArgument index : body->getArguments())
    registers[index] = builder.input(DType::I64);
  for (Operation &op : body->without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      Attribute value = op.getAttr("value");
      std::optional<DType> type = getDType(op.getResult(0).getType());
      std::optional<int64_t> bits =
          value ? getScalarBits(value, NumericsMode::Ieee) : std::nullopt;
      if (!type || !bits)
        return false;
      registers[op.getResult(0)] = builder.constant(*type, *bits);
      continue;
    }
    SmallVector<Reg, 4> operands;
    for (Value operand : op.getOperands())
      operands.push_back(registers.lookup(operand));
    for (OpResult result : op.getResults()) {
      Reg reg = buildElementwise(builder, result, operands);
      if (!reg.isValid())
        return false;
      registers[result] = reg;
    }
  }
  builder.output(registers.lookup(yield->getOperand(0)));
  payload.program = builder.finish();
  if (!payload.program)
    return false;
  for (Value value : outer)
    payload.scalars.push_back(decoder.use(value));
  return true;
}

namespace {
/// A tensor of many elements that come about in several turns.
struct UnfinishedTensor : Unfinished {
  UnfinishedTensor(Tensor tensor, uint64_t pointsPerTurn)
      : result(std::move(tensor)), boxes(result.shape, pointsPerTurn) {}
  Tensor result;
  Boxes boxes;
};
} // namespace

/// Computes the elements of `box`.
static numerics::Fault generate(Instance &self, const GeneratePayload &payload,
                                const Tensor &result, const Box &box) {
  SmallVector<NestOperand, 2> inputs;
  for (uint32_t slot : payload.scalars) {
    inputs.push_back({reinterpret_cast<uint8_t *>(&self.scalars[slot]), {}});
    inputs.back().strides.assign(result.shape.size(), 0);
  }
  SmallVector<unsigned, 4> indices;
  for (unsigned d = 0; d < result.shape.size(); ++d)
    indices.push_back(d);
  NestOperand output{result.data.data(),
                     getStrides(result.shape, payload.elementBytes)};
  output.data += box.offsetIn(output.strides);
  SmallVector<int64_t, 2> zeros(inputs.size(), 0);
  return Nest(*payload.program, box.extents, inputs, output, indices,
              box.origin)
      .run(zeros, {0}, self.run.scratch);
}

/// a: result.
static Outcome runGenerate(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<GeneratePayload>();
  const uint64_t begin = self.run.ticks;
  if (!self.unfinished) {
    SmallVector<int64_t, 4> shape = payload.shape.get(self);
    if (checkExtents(self, instruction.site, shape) == Outcome::Fail)
      return Outcome::Fail;
    self.unfinished = std::make_unique<UnfinishedTensor>(
        self.makeTensor(shape, payload.elementBytes, instruction.site),
        self.pointsPerTurn(instruction.site));
  }
  auto &work = static_cast<UnfinishedTensor &>(*self.unfinished);
  numerics::Fault fault = numerics::Fault::None;
  bool goesOn = false;
  if (work.result.elements()) {
    const Box &box = work.boxes.current();
    self.work(countPoints(box.extents));
    fault = generate(self, payload, work.result, box);
    goesOn = work.boxes.advance();
  }
  self.run.event(self, "compute", begin, 0, instruction.site);
  if (fault == numerics::Fault::None && goesOn)
    return Outcome::Jump;
  self.tensors[instruction.a] = std::move(work.result);
  self.unfinished.reset();
  return failOnFault(self, instruction.site, fault);
}

/// a: result; immediate: where to go on when there is no element.
static Outcome runGenerateBegin(Instance &self,
                                const Instruction &instruction) {
  const auto &payload = instruction.as<GeneratePayload>();
  SmallVector<int64_t, 4> shape = payload.shape.get(self);
  if (checkExtents(self, instruction.site, shape) == Outcome::Fail)
    return Outcome::Fail;
  Tensor result =
      self.makeTensor(shape, payload.elementBytes, instruction.site);
  bool isEmpty = result.elements() == 0;
  self.tensors[instruction.a] = std::move(result);
  self.scalars[payload.number] = 0;
  for (uint32_t slot : payload.indices)
    self.scalars[slot] = 0;
  if (!isEmpty)
    return Outcome::Next;
  self.pc = instruction.immediate;
  return Outcome::Jump;
}

/// Stores an element. immediate: first instruction of the body.
static Outcome runGenerateNext(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<GeneratePayload>();
  const Tensor &result = self.tensors[instruction.a];
  int64_t &number = self.scalars[payload.number];
  writeElement(result.data.data() + number * payload.elementBytes,
               self.scalars[instruction.b], payload.elementBytes);
  self.work(1);
  ++number;
  for (size_t d = payload.indices.size(); d-- > 0;) {
    int64_t &index = self.scalars[payload.indices[d]];
    if (++index < result.shape[d]) {
      self.pc = instruction.immediate;
      return Outcome::Jump;
    }
    index = 0;
  }
  return Outcome::Next;
}

/// Emits the computation of a tensor from `body`, which yields the element at
/// its arguments, into the tensor slot `result`; `then` follows.
static LogicalResult emitGenerate(Decoder &decoder, Operation *op, Block *body,
                                  GeneratePayload *payload, uint32_t result,
                                  Decoder::OnExit then) {
  if (buildGenerate(decoder, body, *payload)) {
    Instruction &instruction = decoder.emit(op, runGenerate);
    instruction.a = result;
    instruction.payload = payload;
    return then();
  }
  payload->program.reset();
  payload->number = decoder.newScalar();
  for (BlockArgument index : body->getArguments())
    payload->indices.push_back(decoder.define(index));
  uint32_t begin = decoder.here();
  Instruction &first = decoder.emit(op, runGenerateBegin);
  first.a = result;
  first.payload = payload;
  size_t range = decoder.current().loops.size();
  for (uint32_t index : payload->indices)
    decoder.current().loops.push_back({begin, begin, index});
  decoder.enter(body, [&decoder, op, body, payload, result, begin, range,
                       then = std::move(then)] {
    uint32_t element = decoder.use(body->getTerminator()->getOperand(0));
    Instruction &next = decoder.emit(op, runGenerateNext);
    next.a = result;
    next.b = element;
    next.payload = payload;
    next.immediate = begin + 1;
    decoder.at(begin).immediate = decoder.here();
    for (size_t i = 0; i < payload->indices.size(); ++i) {
      LoopRange &loop = decoder.current().loops[range + i];
      loop.begin = begin + 1;
      loop.end = decoder.here();
    }
    return then();
  });
  return success();
}

static LogicalResult decodeGenerate(Decoder &decoder, Operation *op) {
  auto generate = cast<tensor::GenerateOp>(op);
  auto type = cast<RankedTensorType>(generate.getType());
  auto *payload = decoder.makePayload<GeneratePayload>();
  payload->elementBytes = getElementBytes(type);
  if (!payload->elementBytes)
    return decoder.unsupported(op, "element type of the tensor");
  payload->shape = MixedNumbers(decoder, type, generate.getDynamicExtents());
  uint32_t result = decoder.define(generate.getResult());
  return emitGenerate(decoder, op, &generate.getBody().front(), payload, result,
                      [] { return success(); });
}

//===----------------------------------------------------------------------===//
// tensor.pad
//===----------------------------------------------------------------------===//

namespace {
struct PadPayload : Payload {
  MixedNumbers low, high;
  unsigned elementBytes;
  SmallVector<int64_t, 4> expected;
  SmallVector<uint32_t, 4> extents; ///< scalar slots
};
} // namespace

/// Computes the extents of the result. b: source.
static Outcome runPadExtents(Instance &self, const Instruction &instruction) {
  const auto &payload = instruction.as<PadPayload>();
  const Tensor &source = self.tensors[instruction.b];
  SmallVector<int64_t, 4> low = payload.low.get(self),
                          high = payload.high.get(self), shape;
  for (auto [d, extent] : llvm::enumerate(source.shape)) {
    int64_t total;
    for (int64_t padding : {low[d], high[d]})
      if (padding < 0)
        return self.run.fail(self, instruction.site, "",
                             "the padding of dimension " + Twine(d) + " is " +
                                 Twine(padding) + ", expected at least 0");
    if (llvm::AddOverflow(low[d], extent, total) ||
        llvm::AddOverflow(total, high[d], total))
      return self.run.fail(self, instruction.site, "",
                           "the padding of dimension " + Twine(d) +
                               " is too large");
    shape.push_back(total);
    self.scalars[payload.extents[d]] = total;
  }
  return checkStatic(self, instruction.site, payload.expected, shape);
}

/// Puts the source into the padding. a: result; b: source.
static Outcome runPad(Instance &self, const Instruction &instruction) {
  if (self.unfinished)
    return continueCopies(self, instruction);
  const auto &payload = instruction.as<PadPayload>();
  const Tensor &source = self.tensors[instruction.b];
  if (checkReadable(self, instruction.site, 0, source) == Outcome::Fail)
    return Outcome::Fail;
  CopiedTensor work(self, std::move(self.tensors[instruction.a]));
  SmallVector<int64_t, 4> strides =
      getStrides(work.result.shape, payload.elementBytes);
  uint8_t *to = work.result.data.data();
  for (auto [low, stride] : llvm::zip_equal(payload.low.get(self), strides))
    to += low * stride;
  // They were counted as padding.
  work.add(to, strides, source, payload.elementBytes, CopiedTensor::Counts::No);
  return beginCopies(self, instruction, std::move(work));
}

static LogicalResult decodePad(Decoder &decoder, Operation *op) {
  auto pad = cast<tensor::PadOp>(op);
  auto *payload = decoder.makePayload<PadPayload>();
  payload->elementBytes = getElementBytes(pad.getType());
  if (!payload->elementBytes)
    return decoder.unsupported(op, "element type of the tensor");
  payload->low = MixedNumbers(decoder, pad.getMixedLowPad());
  payload->high = MixedNumbers(decoder, pad.getMixedHighPad());
  payload->expected = getStaticShape(pad.getType());
  auto *values = decoder.makePayload<GeneratePayload>();
  values->elementBytes = payload->elementBytes;
  for (int64_t d = 0; d < pad.getType().getRank(); ++d)
    payload->extents.push_back(decoder.newScalar());
  values->shape = MixedNumbers::fromSlots(payload->extents);
  uint32_t source = decoder.use(pad.getSource());
  uint32_t result = decoder.define(pad.getResult());
  Instruction &extents = decoder.emit(op, runPadExtents);
  extents.b = source;
  extents.payload = payload;
  return emitGenerate(decoder, op, &pad.getRegion().front(), values, result,
                      [&decoder, op, payload, source, result] {
                        Instruction &fill = decoder.emit(op, runPad);
                        fill.a = result;
                        fill.b = source;
                        fill.payload = payload;
                        return success();
                      });
}

void ktir::exec::addTensorElementHandlers(DecodeTable &table) {
  table["tensor.splat"] = decodeSplat;
  table["tensor.from_elements"] = decodeFromElements;
  table["tensor.extract"] = decodeExtract;
  table["tensor.insert"] = decodeInsert;
  table["tensor.generate"] = decodeGenerate;
  table["tensor.pad"] = decodePad;
}
