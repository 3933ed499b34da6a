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

void ktir::exec::copyElements(uint8_t *to, ArrayRef<int64_t> toStrides,
                              const uint8_t *from,
                              ArrayRef<int64_t> fromStrides,
                              ArrayRef<int64_t> extents, unsigned bytes) {
  if (llvm::is_contained(extents, 0))
    return;
  // Inner loops that are dense on both sides become one run.
  int64_t run = bytes;
  size_t depth = extents.size();
  while (depth > 0 &&
         (extents[depth - 1] == 1 ||
          (toStrides[depth - 1] == run && fromStrides[depth - 1] == run)))
    run *= extents[--depth];
  if (depth == 0) {
    std::memcpy(to, from, run);
    return;
  }
  // The innermost of the other loops.
  const size_t inner = --depth;
  SmallVector<int64_t, 4> index(depth, 0);
  while (true) {
    numerics::copyStrided(size_t(run), reinterpret_cast<std::byte *>(to),
                          toStrides[inner],
                          reinterpret_cast<const std::byte *>(from),
                          fromStrides[inner], size_t(extents[inner]));
    size_t d = depth;
    for (; d > 0; --d) {
      to += toStrides[d - 1];
      from += fromStrides[d - 1];
      if (++index[d - 1] < extents[d - 1])
        break;
      to -= toStrides[d - 1] * extents[d - 1];
      from -= fromStrides[d - 1] * extents[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0)
      return;
  }
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

Tensor ktir::exec::makeWritable(Instance &self, uint32_t site, Tensor value,
                                unsigned elementBytes) {
  if (value.data && value.data.isUnique())
    return value;
  Tensor copy = self.makeTensor(value.shape, elementBytes, site);
  if (value.data)
    std::memcpy(copy.data.data(), value.data.data(), copy.data.size());
  else
    std::memset(copy.data.data(), 0, copy.data.size());
  return copy;
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
