//===- Inspection.cpp - Captured values and single steps ------------------===//

#include "Decoder.h"
#include "Runtime.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <tuple>

using namespace ktir::exec;

//===----------------------------------------------------------------------===//
// Views and access tiles in words
//===----------------------------------------------------------------------===//

/// `16 x 64`, or `scalar` without dimensions.
static std::string extentWords(llvm::ArrayRef<int64_t> extents) {
  if (extents.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(extents, [](int64_t e) { return std::to_string(e); }),
      " x ");
}

/// What a distributed view, or a part of one, consists of.
static std::string partitionWords(const Distribution &distribution) {
  std::string text =
      " of " + std::to_string(distribution.partitions->size()) + " partitions";
  std::string origin, steps;
  bool isWhole = true, isDense = true;
  for (auto [k, axis] : llvm::enumerate(distribution.axes)) {
    isWhole &= axis.origin == 0 && axis.dim == int(k);
    isDense &= axis.step == 1;
    origin += (k ? ", " : "") + std::to_string(axis.origin);
    if (axis.dim >= 0)
      steps += (steps.empty() ? "" : ", ") + std::to_string(axis.step);
  }
  if (!isWhole || !isDense)
    text += " from coordinate (" + origin + ") on";
  return isDense ? text : text + ", strides " + steps;
}

/// Where `view` lies, without what it is part of.
static std::string placeWords(const View &view) {
  if (view.distribution)
    return partitionWords(*view.distribution);
  if (!view.space)
    return " of a tensor";
  std::string text = " in " + view.space->name().str();
  const int64_t size = std::max(1u, view.elementBytes);
  const bool isWhole =
      view.base % size == 0 &&
      llvm::all_of(view.strides, [&](int64_t s) { return s % size == 0; });
  const int64_t unit = isWhole ? size : 1;
  text += isWhole ? " from element " : " from byte ";
  text += std::to_string(view.base / unit) + " on";
  if (view.layout)
    return text + ", laid out by a map";
  if (view.strides.empty())
    return text;
  return text + ", strides " +
         llvm::join(llvm::map_range(
                        view.strides,
                        [&](int64_t s) { return std::to_string(s / unit); }),
                    ", ") +
         (isWhole ? "" : " bytes");
}

static std::string viewWords(const View &view) {
  return extentWords(view.sizes) + " view" + placeWords(view);
}

/// Coordinates of a selection: `3..5` for each dimension of the view.
static std::string selectionWords(const Selection &selection) {
  if (selection.points)
    return std::to_string(selection.count()) + " points";
  std::string text = "[";
  for (size_t d = 0; d < selection.start.size(); ++d) {
    const int64_t first = selection.start[d], extent = selection.extent[d];
    text += d ? ", " : "";
    if (extent <= 0)
      text += "none";
    else if (extent == 1)
      text += std::to_string(first);
    else
      text += std::to_string(first) + ".." + std::to_string(first + extent - 1);
  }
  return text + "]";
}

static std::string tileWords(const Tile &tile) {
  return extentWords(tile.shape) + " access tile, " +
         selectionWords(tile.selection) + " of a " + viewWords(tile.view);
}

//===----------------------------------------------------------------------===//
// Capturing
//===----------------------------------------------------------------------===//

/// Of a runtime argument the type of its value.
static mlir::Type scalarType(mlir::Type type) {
  auto argument = llvm::dyn_cast<ktir::ktdp::RuntimeArgType>(type);
  return argument ? argument.getUnderlyingType() : type;
}

static void copyValue(const Instance &self, Slot slot, CapturedValue &to) {
  using Kind = CapturedValue::Kind;
  to.shape.clear();
  to.data.clear();
  to.words.clear();
  switch (slot.kind) {
  case SlotKind::Scalar: {
    to.kind = Kind::Scalar;
    to.element = getDType(scalarType(to.type));
    const int64_t value = self.scalars[slot.index];
    to.data.resize(sizeof(value));
    std::memcpy(to.data.data(), &value, sizeof(value));
    return;
  }
  case SlotKind::Tensor: {
    const Tensor &tensor = self.tensors[slot.index];
    to.shape = tensor.shape;
    to.kind = !tensor.isUndefined() ? Kind::Tensor
              : tensor.isForOthers  ? Kind::ForOthers
                                    : Kind::Undefined;
    if (to.kind != Kind::Tensor)
      return;
    // A copy: the buffer may be larger than the tensor, and what comes after
    // may change it in place.
    uint64_t bytes = tensor.data.size();
    to.element = getDType(getShape(to.type).element);
    if (to.element)
      bytes = std::min<uint64_t>(
          bytes, tensor.elements() * ktir::numerics::byteSize(*to.element));
    to.data.assign(tensor.data.data(), tensor.data.data() + bytes);
    return;
  }
  case SlotKind::View:
    to.kind = Kind::Words;
    to.words = viewWords(self.views[slot.index]);
    return;
  case SlotKind::Tile:
    to.kind = Kind::Words;
    to.words = tileWords(self.tiles[slot.index]);
    return;
  }
}

void RunImpl::capture(Instance &self, unsigned probe, Slot slot,
                      mlir::Type type) {
  // A run with probes does and counts what it does without: the caller counts
  // every instruction.
  --ticks;
  --self.instructions;
  ++slice;
  for (auto [request, into] : llvm::zip_equal(options.captures, captured)) {
    if (request.probe != probe)
      continue;
    const bool isHere =
        program.level != Level::Dataflow ? self.id == request.tile
        : self.unit < 0 ? request.unit.empty()
                        : program.units[self.unit].name == request.unit;
    if (!isHere)
      continue;
    ++into.executions;
    if (request.execution && *request.execution != into.executions)
      continue;
    into.type = type;
    copyValue(self, slot, into);
  }
}

//===----------------------------------------------------------------------===//
// Stepping
//===----------------------------------------------------------------------===//

Step RunImpl::step(unsigned index, uint64_t budget) {
  const size_t hosts = program.level == Level::Dataflow;
  const uint64_t stop = ticks + std::min(budget, ~uint64_t(0) - ticks);
  std::optional<uint32_t> executed;
  const Routine *routine = nullptr;
  auto result = [&](Step::Kind kind) {
    Step step;
    step.kind = executed ? Step::Kind::Done : kind;
    if (executed) {
      step.location = site(*executed).location;
      step.op = site(*executed).name;
    }
    return step;
  };
  while (status == RunStatus::Running) {
    if (options.limit && ticks >= options.limit && !executed) {
      stopAtLimit();
      continue;
    }
    // Units come to be in the course of the run.
    Instance *self = index + hosts < instances.size()
                         ? instances[index + hosts].get()
                         : nullptr;
    if (!self || self->state == Instance::State::Blocked ||
        (self->state == Instance::State::Finished && hosts)) {
      if (executed)
        break;
      if (ticks >= stop)
        return result(Step::Kind::Waiting);
      advance(1);
      continue;
    }
    if (self->state == Instance::State::Finished)
      return result(Step::Kind::Ended);
    const Instruction &instruction = self->routine->code[self->pc];
    if (executed && (instruction.site != *executed || self->routine != routine))
      break;
    // What advance() was about to do comes after.
    current = nullptr;
    slice = 0; // no instruction after this one
    routine = self->routine;
    const uint32_t from = self->pc;
    const uint64_t begin = ticks;
    Outcome outcome = execute(*self, instruction);
    slice = 0;
    if (outcome == Outcome::Block)
      continue;
    // Probes are no part of the program.
    if (ticks != begin)
      executed = instruction.site;
    if (outcome == Outcome::End) {
      finish(*self);
      break;
    }
    if (outcome == Outcome::Fail ||
        (outcome == Outcome::Jump && self->pc < from))
      break;
  }
  if (status == RunStatus::Failed)
    end();
  return result(Step::Kind::Ended);
}
