//===- TensorOps.cpp - Tensors as values ----------------------------------===//

#include "TensorOps.h"

#include "ktir/Exec/Numerics/Strided.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace ktir;
using namespace ktir::exec;
using namespace mlir;
using ktir::numerics::DType;
using llvm::Twine;

MixedNumbers::MixedNumbers(Decoder &decoder, ArrayRef<OpFoldResult> list) {
  for (OpFoldResult number : list) {
    if (auto value = dyn_cast<Value>(number))
      numbers.push_back({true, decoder.use(value)});
    else
      numbers.push_back(
          {false, cast<IntegerAttr>(cast<Attribute>(number)).getInt()});
  }
}

MixedNumbers::MixedNumbers(Decoder &decoder, ShapedType type,
                           ValueRange dynamic) {
  size_t next = 0;
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isDynamic(extent))
      numbers.push_back({true, decoder.use(dynamic[next++])});
    else
      numbers.push_back({false, extent});
  }
}

SmallVector<int64_t, 4> MixedNumbers::get(const Instance &self) const {
  SmallVector<int64_t, 4> values;
  for (const Number &number : numbers)
    values.push_back(number.isSlot ? self.scalars[number.value] : number.value);
  return values;
}

Outcome ktir::exec::checkExtents(Instance &self, uint32_t site,
                                 ArrayRef<int64_t> extents) {
  for (auto [d, extent] : llvm::enumerate(extents))
    if (extent < 0)
      return self.run.fail(self, site, "",
                           "the extent of dimension " + Twine(d) + " is " +
                               Twine(extent) + ", expected at least 0");
  return self.checkShape(extents, site) ? Outcome::Next : Outcome::Fail;
}

SmallVector<int64_t, 4> ktir::exec::getStaticShape(Type type) {
  SmallVector<int64_t, 4> shape;
  for (int64_t extent : cast<ShapedType>(type).getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  return shape;
}

Outcome ktir::exec::checkStatic(Instance &self, uint32_t site,
                                ArrayRef<int64_t> expected,
                                ArrayRef<int64_t> found) {
  for (auto [d, extents] : llvm::enumerate(llvm::zip_equal(expected, found))) {
    auto [want, is] = extents;
    if (want >= 0 && want != is)
      return self.run.fail(self, site, "",
                           "dimension " + Twine(d) + " has extent " +
                               Twine(is) + ", the result's type says " +
                               Twine(want));
  }
  return Outcome::Next;
}

SmallVector<int64_t, 4> ktir::exec::getStrides(ArrayRef<int64_t> shape,
                                               unsigned elementBytes) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = elementBytes;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

Place ktir::exec::getPlace(const Tensor &tensor, unsigned elementBytes) {
  if (tensor.isUndefined())
    return {reinterpret_cast<const uint8_t *>(&zeroElement),
            SmallVector<int64_t, 4>(tensor.shape.size(), 0)};
  return {tensor.data.data(), getStrides(tensor.shape, elementBytes)};
}

ElementCopy::ElementCopy(uint8_t *to, ArrayRef<int64_t> allToStrides,
                         const uint8_t *from, ArrayRef<int64_t> allFromStrides,
                         ArrayRef<int64_t> allExtents, unsigned bytes)
    : to(to), from(from), unitBytes(bytes) {
  for (auto [extent, toStride, fromStride] :
       llvm::zip_equal(allExtents, allToStrides, allFromStrides)) {
    rest *= extent;
    if (extent == 1)
      continue;
    // A loop that goes on where the next inner one ends is one with it.
    const bool isOne = !extents.empty() &&
                       toStrides.back() == toStride * extent &&
                       fromStrides.back() == fromStride * extent;
    if (!isOne) {
      extents.push_back(1);
      toStrides.push_back(0);
      fromStrides.push_back(0);
    }
    extents.back() *= extent;
    toStrides.back() = toStride;
    fromStrides.back() = fromStride;
  }
  // Short rows are copied as one.
  constexpr int64_t maxUnitBytes = 4096;
  if (extents.size() > 1 && toStrides.back() == unitBytes &&
      fromStrides.back() == unitBytes &&
      extents.back() * unitBytes <= maxUnitBytes) {
    unit = extents.pop_back_val();
    unitBytes *= unit;
    toStrides.pop_back();
    fromStrides.pop_back();
  }
  if (extents.empty()) {
    extents.push_back(1);
    toStrides.push_back(unitBytes);
    fromStrides.push_back(unitBytes);
  }
  index.assign(extents.size(), 0);
}

void ElementCopy::copyUnits(int64_t count) {
  const int64_t toStride = toStrides.back(), fromStride = fromStrides.back();
  if (toStride == unitBytes && fromStride == unitBytes) {
    std::memcpy(to, from, count * unitBytes);
  } else if (toStride == unitBytes && fromStride == 0 && unit == 1) {
    int64_t bits = 0;
    std::memcpy(&bits, from, unitBytes);
    fillElements(to, bits, count, unitBytes);
  } else {
    numerics::copyStrided(size_t(unitBytes), reinterpret_cast<std::byte *>(to),
                          toStride, reinterpret_cast<const std::byte *>(from),
                          fromStride, size_t(count));
  }
}

uint64_t ElementCopy::advance(uint64_t count) {
  uint64_t done = 0;
  while (rest && done < count) {
    const size_t inner = extents.size() - 1;
    const int64_t units =
        std::min<int64_t>(extents[inner] - index[inner],
                          std::max<int64_t>((count - done) / unit, 1));
    copyUnits(units);
    done += units * unit;
    rest -= units * unit;
    index[inner] += units;
    to += units * toStrides[inner];
    from += units * fromStrides[inner];
    for (size_t d = inner; d > 0 && index[d] == extents[d]; --d) {
      to += toStrides[d - 1] - extents[d] * toStrides[d];
      from += fromStrides[d - 1] - extents[d] * fromStrides[d];
      index[d] = 0;
      ++index[d - 1];
    }
  }
  return done;
}

void ktir::exec::fillElements(uint8_t *to, int64_t bits, uint64_t count,
                              unsigned bytes) {
  if (!count)
    return;
  std::memcpy(to, &bits, bytes);
  uint64_t total = count * bytes;
  for (uint64_t done = bytes; done < total; done *= 2)
    std::memcpy(to + done, to, std::min(done, total - done));
}

Outcome ktir::exec::checkNotForOthers(Instance &self, uint32_t site,
                                      unsigned operand, const Tensor &tensor) {
  return tensor.isForOthers ? checkReadable(self, site, operand, tensor)
                            : Outcome::Next;
}

CopiedTensor CopiedTensor::writable(Instance &self, uint32_t site, Tensor value,
                                    unsigned elementBytes) {
  if (value.data && value.data.isUnique())
    return CopiedTensor(self, std::move(value));
  CopiedTensor work(self, self.makeTensor(value.shape, elementBytes, site));
  work.add(work.result.data.data(), getStrides(value.shape, elementBytes),
           value, elementBytes, Counts::No);
  work.kept = std::move(value.data);
  return work;
}

void CopiedTensor::add(uint8_t *to, ArrayRef<int64_t> toStrides,
                       const Tensor &source, unsigned elementBytes,
                       Counts counts) {
  const Place from = getPlace(source, elementBytes);
  add({to, toStrides, from.data, from.strides, source.shape, elementBytes},
      counts);
}

uint64_t CopiedTensor::copyAdded(Instance &self, uint64_t count) {
  uint64_t done = 0;
  while (!isDone() && done < count) {
    Part &part = parts[next];
    const uint64_t copied = part.copy.advance(count - done);
    if (part.counts == Counts::Yes)
      self.work(copied);
    else
      self.run.ticks += copied / 64;
    done += copied;
    if (!part.copy.left())
      ++next;
  }
  return done;
}

Outcome CopiedTensor::copy(Instance &self, const Instruction &,
                           uint64_t count) {
  copyAdded(self, count);
  return isDone() ? Outcome::Next : Outcome::Jump;
}

Outcome ktir::exec::takeCopyTurn(Instance &self, const Instruction &instruction,
                                 CopiedTensor &work) {
  const Outcome outcome =
      work.copy(self, instruction, self.pointsPerTurn(instruction.site));
  if (outcome != Outcome::Next)
    return outcome;
  self.run.event(self, "compute", work.begin, 0, instruction.site);
  self.tensors[instruction.a] = std::move(work.result);
  return outcome;
}

Outcome ktir::exec::continueCopies(Instance &self,
                                   const Instruction &instruction) {
  const Outcome outcome = takeCopyTurn(
      self, instruction, static_cast<CopiedTensor &>(*self.unfinished));
  if (outcome == Outcome::Next)
    self.unfinished.reset();
  return outcome;
}

int64_t ktir::exec::readElement(const uint8_t *from, DType type) {
  uint64_t bits = 0;
  unsigned bytes = numerics::byteSize(type);
  std::memcpy(&bits, from, bytes);
  if (numerics::isFloat(type) || type == DType::I1 || bytes == 8)
    return bits;
  return llvm::SignExtend64(bits, bytes * 8);
}

void ktir::exec::writeElement(uint8_t *to, int64_t bits, unsigned bytes) {
  std::memcpy(to, &bits, bytes);
}

unsigned ktir::exec::getElementBytes(Type type) {
  std::optional<DType> element = getDType(getElementTypeOrSelf(type));
  return element ? numerics::byteSize(*element) : 0;
}
