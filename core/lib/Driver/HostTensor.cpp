//===- HostTensor.cpp - Elements of tensors in host form ------------------===//

#include "HostTensor.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace ktir {

static const DtypeFormat formats[] = {
    {"i1", 1, DtypeFormat::Boolean, 0, 0},
    {"i8", 1, DtypeFormat::SignlessInteger, 0, 0},
    {"si8", 1, DtypeFormat::SignedInteger, 0, 0},
    {"i16", 2, DtypeFormat::SignlessInteger, 0, 0},
    {"si16", 2, DtypeFormat::SignedInteger, 0, 0},
    {"i32", 4, DtypeFormat::SignlessInteger, 0, 0},
    {"si32", 4, DtypeFormat::SignedInteger, 0, 0},
    {"i64", 8, DtypeFormat::SignlessInteger, 0, 0},
    {"si64", 8, DtypeFormat::SignedInteger, 0, 0},
    {"index", 8, DtypeFormat::SignedInteger, 0, 0},
    {"f16", 2, DtypeFormat::Float, 10, 5},
    {"bf16", 2, DtypeFormat::Float, 7, 8},
    {"f32", 4, DtypeFormat::Float, 23, 8},
    {"f64", 8, DtypeFormat::Float, 52, 11},
};

const DtypeFormat *dtypeFormat(const std::string &dtype) {
  // Elements are set one by one: most names differ in the first letter.
  const char *name = dtype.c_str();
  for (const DtypeFormat &format : formats)
    if (name[0] == format.name[0] && std::strcmp(name, format.name) == 0)
      return &format;
  return nullptr;
}

std::string knownDtypes() {
  std::string text;
  for (const DtypeFormat &format : formats) {
    if (!text.empty())
      text += ", ";
    text += format.name;
  }
  return text;
}

const char *dtypeOfBits(llvm::StringRef type) {
  type.consume_front("!spyreop.");
  return llvm::StringSwitch<const char *>(type)
      .Case("i4", "i8")
      .Case("df16", "i16")
      .Cases({"fp16_fused", "df16_fused"}, "i32")
      .Case("fp32_fused", "i64")
      .Default(nullptr);
}

unsigned dtypeBytes(const std::string &dtype) {
  const DtypeFormat *format = dtypeFormat(dtype);
  return format ? format->bytes : 0;
}

uint64_t Tensor::bytes() const {
  return source ? uint64_t(elements()) * dtypeBytes(dtype) : data.size();
}

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

uint64_t roundToFloat(double value, const DtypeFormat &format) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (format.fraction == 52)
    return bits;
  const unsigned fractionBits = format.fraction;
  const uint64_t sign = (bits >> 63) << (fractionBits + format.exponent);
  const uint64_t maxExponent = (uint64_t(1) << format.exponent) - 1;
  const uint64_t infinity = maxExponent << fractionBits;
  const int exponent = int((bits >> 52) & 0x7FF);
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0x7FF)
    return sign | infinity |
           (fraction ? uint64_t(1) << (fractionBits - 1) : uint64_t(0));
  // Subnormal doubles are far below half the smallest value of any other
  // format.
  if (exponent == 0)
    return sign;

  const int bias = int(maxExponent >> 1);
  const int target = exponent - 1023 + bias;
  uint64_t significand = fraction | (uint64_t(1) << 52);
  // Bits to drop: more of them below the normal range.
  unsigned drop = 52 - fractionBits;
  if (target < 1)
    drop += unsigned(1 - target);
  if (drop > 54)
    return sign;
  uint64_t kept = drop == 64 ? 0 : significand >> drop;
  const uint64_t half = uint64_t(1) << (drop - 1);
  const uint64_t rest = significand & ((half << 1) - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A carry out of the fraction moves into the exponent by itself.
  const uint64_t magnitude =
      target < 1 ? kept : (uint64_t(target - 1) << fractionBits) + kept;
  return sign | (magnitude >= infinity ? infinity : magnitude);
}

double toRoundOnce(uint64_t value, const DtypeFormat &format) {
  if (format.fraction == 52 || !(value >> 53))
    return double(value);
  // The upper 53 bits, the last of which is set for what was below: no other
  // format has a number there, or half-way between two.
  const unsigned below = 11 - unsigned(llvm::countl_zero(value));
  const uint64_t rest = value & ((uint64_t(1) << below) - 1);
  return double((value - rest) | (uint64_t(rest != 0) << below));
}

double toRoundOnce(int64_t value, const DtypeFormat &format) {
  return value < 0 ? -toRoundOnce(0 - uint64_t(value), format)
                   : toRoundOnce(uint64_t(value), format);
}

double floatToDouble(uint64_t bits, const DtypeFormat &format) {
  if (format.fraction == 52) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  const unsigned fractionBits = format.fraction;
  const uint64_t maxExponent = (uint64_t(1) << format.exponent) - 1;
  const uint64_t fraction = bits & ((uint64_t(1) << fractionBits) - 1);
  const uint64_t exponent = (bits >> fractionBits) & maxExponent;
  const bool negative = (bits >> (fractionBits + format.exponent)) & 1;
  const int bias = int(maxExponent >> 1);
  double value;
  if (exponent == maxExponent)
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(double(fraction), 1 - bias - int(fractionBits));
  else
    value = std::ldexp(double(fraction | (uint64_t(1) << fractionBits)),
                       int(exponent) - bias - int(fractionBits));
  return negative ? -value : value;
}

bool integerFits(int64_t value, const DtypeFormat &format) {
  if (format.kind == DtypeFormat::Boolean)
    return value == 0 || value == 1;
  if (format.bytes == 8)
    return true;
  const unsigned bits = 8 * format.bytes;
  const int64_t low = -(int64_t(1) << (bits - 1));
  const int64_t high = format.kind == DtypeFormat::SignedInteger
                           ? (int64_t(1) << (bits - 1)) - 1
                           : (int64_t(1) << bits) - 1;
  return value >= low && value <= high;
}

static void storeBits(uint8_t *into, uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    into[i] = uint8_t(bits >> (8 * i));
}

static uint64_t loadBits(const Tensor &tensor, int64_t index, unsigned bytes) {
  const uint8_t *in = tensor.data.data() + size_t(index) * bytes;
  uint64_t bits = 0;
  for (unsigned i = 0; i < bytes; ++i)
    bits |= uint64_t(in[i]) << (8 * i);
  return bits;
}

static int64_t signExtend(uint64_t bits, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  return int64_t(bits << shift) >> shift;
}

void storeElement(uint8_t *into, const DtypeFormat &format, double value) {
  storeBits(into,
            format.kind == DtypeFormat::Float ? roundToFloat(value, format)
                                              : uint64_t(int64_t(value)),
            format.bytes);
}

void storeElement(uint8_t *into, const DtypeFormat &format, int64_t value) {
  storeBits(into,
            format.kind == DtypeFormat::Float
                ? roundToFloat(toRoundOnce(value, format), format)
                : uint64_t(value),
            format.bytes);
}

void setElement(Tensor &tensor, const DtypeFormat &format, int64_t index,
                double value) {
  storeElement(tensor.data.data() + size_t(index) * format.bytes, format,
               value);
}

void setElement(Tensor &tensor, const DtypeFormat &format, int64_t index,
                int64_t value) {
  storeElement(tensor.data.data() + size_t(index) * format.bytes, format,
               value);
}

double elementAsDouble(const Tensor &tensor, int64_t index) {
  const DtypeFormat *format = dtypeFormat(tensor.dtype);
  if (!format)
    return 0;
  const uint64_t bits = loadBits(tensor, index, format->bytes);
  if (format->kind == DtypeFormat::Float)
    return floatToDouble(bits, *format);
  if (format->kind == DtypeFormat::Boolean)
    return double(bits & 1);
  return double(signExtend(bits, format->bytes));
}

std::string floatText(double value, const DtypeFormat &format) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  // Whole numbers are written in full: the shortest text of the half 65504
  // would be 65500.
  if (std::fabs(value) < 1e15 && value == std::trunc(value))
    return (std::signbit(value) ? "-" : "") +
           std::to_string(int64_t(std::fabs(value)));
  const uint64_t want = roundToFloat(value, format);
  char text[64];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (roundToFloat(std::strtod(text, nullptr), format) == want)
      break;
  }
  return text;
}

std::string elementText(const Tensor &tensor, int64_t index) {
  const DtypeFormat *format = dtypeFormat(tensor.dtype);
  if (!format)
    return "?";
  if (format->kind == DtypeFormat::Float)
    return floatText(elementAsDouble(tensor, index), *format);
  const uint64_t bits = loadBits(tensor, index, format->bytes);
  if (format->kind == DtypeFormat::Boolean)
    return bits & 1 ? "true" : "false";
  return std::to_string(signExtend(bits, format->bytes));
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i)
      text += ", ";
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + "]";
}

std::string describeTensor(const std::string &dtype,
                           const std::vector<int64_t> &shape) {
  return dtype + " " + shapeText(shape);
}

std::string coordinateText(const std::vector<int64_t> &shape, int64_t index) {
  std::vector<int64_t> coordinate(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    coordinate[i] = shape[i] > 0 ? index % shape[i] : 0;
    index = shape[i] > 0 ? index / shape[i] : 0;
  }
  return shapeText(coordinate);
}

} // namespace ktir
