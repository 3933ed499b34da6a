//===- HostTensorTest.cpp - Elements, generators and .npy files -----------===//

#include "HostTensor.h"
#include "Generators.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace ktir;

static Tensor make(const std::string &dtype, std::vector<int64_t> shape) {
  Tensor tensor{dtype, std::move(shape), {}};
  tensor.data.resize(size_t(tensor.elements()) * dtypeBytes(dtype));
  return tensor;
}

TEST(HostTensor, SizesOfEveryDtype) {
  EXPECT_EQ(dtypeBytes("i1"), 1u);
  EXPECT_EQ(dtypeBytes("si8"), 1u);
  EXPECT_EQ(dtypeBytes("bf16"), 2u);
  EXPECT_EQ(dtypeBytes("f32"), 4u);
  EXPECT_EQ(dtypeBytes("index"), 8u);
  EXPECT_EQ(dtypeBytes("f64"), 8u);
  EXPECT_EQ(dtypeBytes("f8"), 0u);
  EXPECT_EQ((Tensor{"f16", {2, 3, 64}, {}}).elements(), 384);
  EXPECT_EQ((Tensor{"f16", {}, {}}).elements(), 1);
}

// Every finite half is its own rounding, and the value halfway between two
// neighbours goes to the one with an even last bit.
TEST(HostTensor, RoundsToHalfExhaustively) {
  const DtypeFormat &half = *dtypeFormat("f16");
  for (unsigned bits = 0; bits < 0x7C00; ++bits) {
    const double value = reference::fromHalf(uint16_t(bits));
    ASSERT_EQ(floatToDouble(bits, half), value) << bits;
    ASSERT_EQ(roundToFloat(value, half), bits);
    ASSERT_EQ(roundToFloat(-value, half), bits | 0x8000);
    const double next =
        bits + 1 == 0x7C00 ? 65536.0 : reference::fromHalf(uint16_t(bits + 1));
    const double middle = (value + next) / 2;
    ASSERT_EQ(roundToFloat(middle, half), (bits + 1) & ~1u) << bits;
    ASSERT_EQ(roundToFloat(std::nextafter(middle, 0), half), bits);
    ASSERT_EQ(roundToFloat(std::nextafter(middle, 1e9), half), bits + 1);
  }
  EXPECT_EQ(roundToFloat(1e300, half), 0x7C00u);
  EXPECT_EQ(roundToFloat(-std::numeric_limits<double>::infinity(), half),
            0xFC00u);
  EXPECT_EQ(roundToFloat(std::numeric_limits<double>::quiet_NaN(), half) &
                0x7E00,
            0x7E00u);
  EXPECT_EQ(roundToFloat(1e-320, half), 0u);
}

// The host's conversion from double to float is IEEE's.
TEST(HostTensor, RoundsToSingleAsTheHostDoes) {
  const DtypeFormat &single = *dtypeFormat("f32");
  for (double value : {1.0 / 3, 1e-40, 3.4028235677973366e38, 1e39, 7e-46,
                       1.0000000596046448, 16777217.0, -0.1}) {
    float expected = float(value);
    uint32_t bits;
    std::memcpy(&bits, &expected, 4);
    EXPECT_EQ(roundToFloat(value, single), bits) << value;
  }
}

// An integer just beside the middle of two floats, by less than doubles of its
// size tell apart. The host converts integers to floats with one rounding.
TEST(HostTensor, IntegersRoundOnce) {
  Tensor single = make("f32", {1}), brain = make("bf16", {1});
  for (int64_t sign : {1, -1})
    for (int64_t low : {-1, 0, 1}) {
      // The last bit of f32 is 2^37 there, that of bf16 is 2^53.
      const int64_t beside = (int64_t(1) << 60) + (int64_t(1) << 36) + low;
      setElement(single, *dtypeFormat("f32"), 0, sign * beside);
      EXPECT_EQ(elementAsDouble(single, 0), float(sign * beside));
      EXPECT_EQ(elementAsDouble(single, 0),
                double(sign) * (low > 0 ? 0x1p60 + 0x1p37 : 0x1p60));
      const int64_t wide = (int64_t(1) << 60) + (int64_t(1) << 52) + low;
      setElement(brain, *dtypeFormat("bf16"), 0, sign * wide);
      EXPECT_EQ(elementAsDouble(brain, 0),
                double(sign) * (low > 0 ? 0x1p60 + 0x1p53 : 0x1p60));
    }
  const DtypeFormat &format = *dtypeFormat("f32");
  for (uint64_t value :
       {UINT64_MAX, UINT64_MAX - (uint64_t(1) << 39), uint64_t(1) << 63,
        (uint64_t(1) << 53) + 1, (uint64_t(1) << 24) + 1, uint64_t(0)})
    EXPECT_EQ(float(toRoundOnce(value, format)), float(value)) << value;
  EXPECT_EQ(float(toRoundOnce(INT64_MIN, format)), float(INT64_MIN));
  // To f64 there is only one rounding anyhow.
  const int64_t odd = (int64_t(1) << 60) + 255;
  EXPECT_EQ(toRoundOnce(odd, *dtypeFormat("f64")), double(odd));
}

TEST(HostTensor, TextIsTheShortestThatReadsBack) {
  EXPECT_EQ(floatText(reference::fromHalf(0x2E66), *dtypeFormat("f16")), "0.1");
  EXPECT_EQ(floatText(65504, *dtypeFormat("f16")), "65504");
  EXPECT_EQ(floatText(-1.5, *dtypeFormat("f64")), "-1.5");
  EXPECT_EQ(
      floatText(-std::numeric_limits<double>::infinity(), *dtypeFormat("f32")),
      "-inf");
}

TEST(HostTensor, IntegersWrapAndAreSigned) {
  Tensor tensor = make("i8", {2});
  setElement(tensor, *dtypeFormat(tensor.dtype), 0, int64_t(255));
  setElement(tensor, *dtypeFormat(tensor.dtype), 1, int64_t(-128));
  EXPECT_EQ(elementText(tensor, 0), "-1");
  EXPECT_EQ(elementText(tensor, 1), "-128");
  EXPECT_TRUE(integerFits(255, *dtypeFormat("i8")));
  EXPECT_FALSE(integerFits(128, *dtypeFormat("si8")));
  EXPECT_FALSE(integerFits(256, *dtypeFormat("i8")));
  EXPECT_FALSE(integerFits(2, *dtypeFormat("i1")));
}

TEST(HostTensor, Coordinates) {
  EXPECT_EQ(coordinateText({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(coordinateText({2, 3, 4}, 5), "[0, 1, 1]");
  EXPECT_EQ(coordinateText({}, 0), "[]");
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

static void fill(Tensor &tensor, const Generator &generator) {
  generator(0, uint64_t(tensor.elements()), tensor.data.data());
}

// Whatever part is asked for, at whatever byte it begins and ends.
TEST(Generators, PartsAreThoseOfTheWhole) {
  for (const char *dtype : {"i8", "f16", "f32", "f64"}) {
    const DtypeFormat &format = *dtypeFormat(dtype);
    Tensor tensor = make(dtype, {37});
    const Generator generators[] = {
        integerElements(format, 4, -100, 100),
        equalElements(reinterpret_cast<const uint8_t *>("abcdefgh"),
                      format.bytes)};
    for (const Generator &generator : generators) {
      fill(tensor, generator);
      const uint64_t size = tensor.data.size();
      for (uint64_t offset = 0; offset <= size; offset += 3)
        for (uint64_t count = 0; offset + count <= size; count += 5) {
          std::vector<uint8_t> part(count);
          generateBytes(generator, format.bytes, offset, count, part.data());
          EXPECT_TRUE(std::equal(part.begin(), part.end(),
                                 tensor.data.begin() + int64_t(offset)))
              << dtype << " " << offset << " " << count;
        }
    }
  }
}

// The first outputs of SplitMix64 for seed 0, as published with the algorithm.
TEST(Generators, SplitMix64) {
  EXPECT_EQ(randomBits(0, 0), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(randomBits(0, 1), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(randomBits(0, 2), 0x06C45D188009454Fu);
}

// docs/inputs.md: the sum of the twelve 32-bit halves of six draws, each plus a
// half, in units of 2^32, minus 6.
TEST(Generators, NormalIsTheDocumentedFormula) {
  Tensor tensor = make("f64", {3});
  fill(tensor, normalElements(*dtypeFormat("f64"), 7, 0.5));
  for (int64_t i = 0; i < 3; ++i) {
    long double sum = -6;
    for (unsigned k = 0; k < 6; ++k) {
      uint64_t bits = randomBits(7, uint64_t(6 * i + k));
      sum += ((long double)(bits >> 32) + 0.5L) / 4294967296.0L;
      sum += ((long double)(bits % 4294967296u) + 0.5L) / 4294967296.0L;
    }
    EXPECT_EQ(elementAsDouble(tensor, i), double(sum) * 0.5);
  }
}

// Mean 0 and variance 1 within five standard errors of 40,000 draws.
TEST(Generators, NormalHasItsMoments) {
  Tensor tensor = make("f64", {40000});
  fill(tensor, normalElements(*dtypeFormat("f64"), 3, 1));
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    sum += elementAsDouble(tensor, i);
    squares += elementAsDouble(tensor, i) * elementAsDouble(tensor, i);
  }
  EXPECT_NEAR(sum / 40000, 0, 5 / std::sqrt(40000.0));
  EXPECT_NEAR(squares / 40000, 1, 5 * std::sqrt(2 / 40000.0));
}

TEST(Generators, UniformStaysInRangeAndIsTheFormula) {
  Tensor tensor = make("f64", {1000});
  fill(tensor, uniformElements(*dtypeFormat("f64"), 5, -2, 6));
  for (int64_t i = 0; i < 1000; ++i) {
    const double value = elementAsDouble(tensor, i);
    EXPECT_GE(value, -2);
    EXPECT_LT(value, 6);
    EXPECT_EQ(value, -2 + 8 * std::ldexp(double(randomBits(5, i) >> 11), -53));
  }
}

TEST(Generators, IntegersCoverTheirRange) {
  Tensor tensor = make("i64", {1000});
  fill(tensor, integerElements(*dtypeFormat("i64"), 9, -3, 4));
  int counts[7] = {};
  for (int64_t i = 0; i < 1000; ++i) {
    const double value = elementAsDouble(tensor, i);
    ASSERT_GE(value, -3);
    ASSERT_LE(value, 3);
    ++counts[int(value) + 3];
  }
  for (int count : counts)
    EXPECT_GT(count, 90);
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

TEST(Npy, WritesTheFormat) {
  Tensor tensor = make("f16", {2, 3});
  tensor.data[0] = 0x34;
  const std::vector<uint8_t> bytes = writeNpy(tensor);
  const std::string text(bytes.begin(), bytes.end());
  // NumPy's format description: magic, version 1.0, header length, a Python
  // dictionary padded with blanks and a line end, data at a multiple of 64.
  EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const size_t header = bytes[8] + 256 * bytes[9];
  EXPECT_EQ((10 + header) % 64, 0u);
  EXPECT_EQ(text.substr(10, 59),
            "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(text[10 + header - 1], '\n');
  EXPECT_EQ(bytes.size(), 10 + header + 12);
  EXPECT_EQ(bytes[10 + header], 0x34);
}

TEST(Npy, ReadsWhatItWrites) {
  for (const char *dtype :
       {"i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64"})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {5}, {0, 4}, {2, 3, 4}}) {
      Tensor tensor = make(dtype, shape);
      for (size_t i = 0; i < tensor.data.size(); ++i)
        tensor.data[i] = uint8_t(dtype == std::string("i1") ? i % 2 : i * 7);
      std::string error;
      std::optional<Tensor> read = readNpy(writeNpy(tensor), error);
      ASSERT_TRUE(read) << error;
      EXPECT_EQ(read->dtype, dtype);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->data, tensor.data);
    }
}

static std::string npyError(std::vector<uint8_t> bytes) {
  std::string error;
  EXPECT_FALSE(readNpy(bytes, error));
  return error;
}

static std::vector<uint8_t> npyWithHeader(const std::string &header) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size());
  text += char(0);
  text += header;
  return std::vector<uint8_t>(text.begin(), text.end());
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(npyError({1, 2, 3}),
            "not a .npy file: it does not start with the NumPy magic string");
  std::vector<uint8_t> bytes = writeNpy(make("f16", {4}));
  bytes.pop_back();
  EXPECT_EQ(npyError(bytes), "expected 8 bytes for f16 [4], found 7");
  bytes = writeNpy(make("f16", {4}));
  bytes.resize(30);
  EXPECT_EQ(npyError(bytes), "the .npy header is cut off");
  bytes = writeNpy(make("f16", {4}));
  bytes[6] = 9;
  EXPECT_EQ(npyError(bytes), "unknown .npy version 9, expected 1, 2 or 3");
  EXPECT_EQ(npyError(npyWithHeader(
                "{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2), }")),
            "expected C order, found Fortran order");
  EXPECT_EQ(npyError(npyWithHeader(
                "{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }")),
            "expected little-endian elements, found '>f2'");
  EXPECT_EQ(npyError(npyWithHeader(
                "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }")),
            "unsupported element type '<c8' in the .npy header");
  EXPECT_EQ(npyError(npyWithHeader("{'descr': [('a', '<f2')], ")),
            "expected a plain element type in the .npy header, found a "
            "structured one");
  EXPECT_EQ(npyError(npyWithHeader("{'descr': '<f2'}")),
            "the .npy header does not give 'descr', 'fortran_order' and "
            "'shape'");
  for (const char *shape : {"(-1, 256)", "(48, x)", "48", "(4 8)", "(48, 2.5)"})
    EXPECT_EQ(
        npyError(npyWithHeader("{'descr': '<f2', 'fortran_order': False, "
                               "'shape': " +
                               std::string(shape) + ", }")),
        "expected 'shape' in the .npy header to be a tuple of extents, each "
        "a whole number from 0")
        << shape;
  EXPECT_EQ(npyError(npyWithHeader("{'descr': '<f2', 'fortran_order': False, "
                                   "'shape': (99999999999, 99999999999), }")),
            "the shape [99999999999, 99999999999] is larger than the limit of "
            "1073741824 bytes");
  // 2^63, and more digits than anyone reads.
  for (auto [extent, shown] :
       {std::pair(std::string("9223372036854775808"), "9223372036854775808"),
        std::pair(std::string(100, '7'), "777777777777777777777777...")})
    EXPECT_EQ(npyError(npyWithHeader("{'descr': '<f2', 'fortran_order': False, "
                                     "'shape': (2, " +
                                     extent + ", 1), }")),
              std::string("the extent ") + shown +
                  " of 'shape' in the .npy header is larger than the limit of "
                  "1073741824 bytes");
}
