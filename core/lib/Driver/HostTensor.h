//===- HostTensor.h - Elements of tensors in host form ----------*- C++ -*-===//
//
// Conversion between numbers and the bytes of a `ktir::Tensor`.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_DRIVER_HOSTTENSOR_H
#define KTIR_LIB_DRIVER_HOSTTENSOR_H

#include "ktir/Driver/Driver.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ktir {

/// How the elements of one dtype are stored in host form.
struct DtypeFormat {
  enum Kind : uint8_t { SignlessInteger, SignedInteger, Boolean, Float };
  const char *name;
  unsigned bytes;
  Kind kind;
  /// Explicit fraction bits and exponent bits (floats).
  unsigned fraction, exponent;
};

/// The format of `dtype`; null for an unknown name.
const DtypeFormat *dtypeFormat(const std::string &dtype);

/// "f16, f32, ..." for messages.
std::string knownDtypes();

/// The dtype as which elements of `type` are given that have no dtype of their
/// own: integers with the bits of one element in memory, `i8` for `i4`. Null
/// for other types.
const char *dtypeOfBits(llvm::StringRef type);

/// Largest tensor the driver handles, in bytes: what a 32-bit host can hold.
constexpr int64_t maxTensorBytes = int64_t(1) << 30;

/// The bits of `value` rounded once, to nearest even, to a binary float of the
/// given format; overflow gives infinity.
uint64_t roundToFloat(double value, const DtypeFormat &format);

/// A double that rounds to the float `format` as the integer itself does. The
/// nearest double may not: it can lie half-way between two of `format` where
/// the integer lies beside.
double toRoundOnce(int64_t value, const DtypeFormat &format);
double toRoundOnce(uint64_t value, const DtypeFormat &format);

/// The exact value of the float whose bits are `bits`.
double floatToDouble(uint64_t bits, const DtypeFormat &format);

/// True when the integer `value` is representable; signless types take both
/// the signed and the unsigned reading.
bool integerFits(int64_t value, const DtypeFormat &format);

/// Writes an element of the format `format`; integers wrap, floats round to
/// nearest even.
void storeElement(uint8_t *into, const DtypeFormat &format, double value);
void storeElement(uint8_t *into, const DtypeFormat &format, int64_t value);
/// The same as element `index` of a tensor whose dtype has that format.
void setElement(Tensor &tensor, const DtypeFormat &format, int64_t index,
                double value);
void setElement(Tensor &tensor, const DtypeFormat &format, int64_t index,
                int64_t value);

/// Element `index` as a number (64-bit integers beyond 2^53 are rounded).
double elementAsDouble(const Tensor &tensor, int64_t index);

/// Element `index` as text that reads back: see floatText; `inf`, `nan`.
std::string elementText(const Tensor &tensor, int64_t index);

/// Whole numbers in full, others as the shortest decimal text that rounds to
/// `value` in `format`.
std::string floatText(double value, const DtypeFormat &format);

/// What comes before the elements of a tensor in a .npy file.
std::string npyHeader(const Tensor &tensor);

/// "f16 [2, 64]".
std::string describeTensor(const std::string &dtype,
                           const std::vector<int64_t> &shape);

/// "[2, ?, 64]".
std::string shapeText(const std::vector<int64_t> &shape);

/// "[1, 3]" of the row-major element `index`.
std::string coordinateText(const std::vector<int64_t> &shape, int64_t index);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_HOSTTENSOR_H
