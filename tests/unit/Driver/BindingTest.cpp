//===- BindingTest.cpp - Arguments against the signature ------------------===//

#include "Binding.h"
#include "HostTensor.h"

#include <gtest/gtest.h>

using namespace ktir;

namespace {
class BindingTest : public testing::Test {
protected:
  BindingTest() {
    kernel.name = "k";
    ArgumentInfo tensor;
    tensor.name = "weight";
    tensor.type = "index";
    tensor.role = ArgumentInfo::Role::Tensor;
    tensor.dtype = "f16";
    tensor.shape = {4, 64};
    tensor.strides = {64, 1};
    tensor.span = 256;
    tensor.exactShape = true;
    kernel.arguments.push_back(tensor);
    ArgumentInfo scalar;
    scalar.name = "rows";
    scalar.type = "i32";
    scalar.role = ArgumentInfo::Role::Scalar;
    kernel.arguments.push_back(scalar);
    ArgumentInfo unused;
    unused.name = "extent";
    unused.type = "i32";
    kernel.arguments.push_back(unused);
    rules.deviceBytes = int64_t(1) << 32;
    rules.scratchpadBytes = 2097152;
    rules.tiles = 32;
  }

  static ArgumentValue tensor(const std::string &name,
                              std::vector<int64_t> shape,
                              const std::string &dtype = "f16") {
    Tensor value{dtype, std::move(shape), {}};
    value.data.resize(size_t(value.elements()) * dtypeBytes(dtype));
    ArgumentValue argument;
    argument.name = name;
    argument.value = std::move(value);
    return argument;
  }
  static ArgumentValue number(const std::string &name, int64_t value) {
    ArgumentValue argument;
    argument.name = name;
    argument.value = value;
    return argument;
  }

  std::optional<Binding> bind(std::vector<ArgumentValue> arguments) {
    values = std::move(arguments);
    diagnostics.clear();
    return bindArguments(kernel, values, rules, diagnostics);
  }
  std::string error(std::vector<ArgumentValue> arguments) {
    EXPECT_FALSE(bind(std::move(arguments)));
    return diagnostics.size() == 1
               ? diagnostics[0].message
               : std::to_string(diagnostics.size()) + " diagnostics";
  }

  KernelInfo kernel;
  BindingRules rules;
  std::vector<ArgumentValue> values;
  std::vector<Diagnostic> diagnostics;
};
} // namespace

// D2: a tensor lies at a multiple of 128 bytes and is passed as an element
// index, or in bytes where the program says so.
TEST_F(BindingTest, PassesElementIndicesOrBytes) {
  std::optional<Binding> binding =
      bind({tensor("weight", {4, 64}), number("rows", 4)});
  ASSERT_TRUE(binding);
  ASSERT_EQ(binding->tensors.size(), 1u);
  const int64_t address = binding->tensors[0].byteAddress;
  EXPECT_EQ(address % 128, 0);
  EXPECT_EQ(binding->arguments[0].integer * 2, address);
  EXPECT_EQ(binding->arguments[1].integer, 4);
  // An unused argument may be left out and is zero.
  EXPECT_EQ(binding->arguments[2].integer, 0);

  rules.addressesAreBytes = true;
  binding = bind({tensor("weight", {4, 64}), number("rows", 4)});
  ASSERT_TRUE(binding);
  EXPECT_EQ(binding->arguments[0].integer, address);
}

TEST_F(BindingTest, LeavesUnwrittenMemoryBetweenTensors) {
  ArgumentInfo second = kernel.arguments[0];
  second.name = "bias";
  kernel.arguments.push_back(second);
  std::optional<Binding> binding = bind(
      {tensor("weight", {4, 64}), number("rows", 4), tensor("bias", {4, 64})});
  ASSERT_TRUE(binding);
  const int64_t end = binding->tensors[0].byteAddress + 512;
  EXPECT_GE(binding->tensors[1].byteAddress, end + 65536);
}

TEST_F(BindingTest, ChosenPlacesAreKeptClear) {
  ArgumentValue placed = tensor("table", {1 << 20});
  placed.bound = false;
  placed.placement.at = int64_t(1) << 27; // byte address 2^28
  std::optional<Binding> binding =
      bind({placed, tensor("weight", {4, 64}), number("rows", 4)});
  ASSERT_TRUE(binding);
  ASSERT_EQ(binding->tensors.size(), 2u);
  EXPECT_EQ(binding->tensors[0].name, "weight");
  EXPECT_EQ(binding->tensors[1].byteAddress, int64_t(1) << 28);
  EXPECT_GE(binding->tensors[0].byteAddress, (int64_t(1) << 28) + (2 << 20));
}

TEST_F(BindingTest, UnknownNames) {
  EXPECT_EQ(error({tensor("weight", {4, 64}), number("rows", 1),
                   number("extend", 2)}),
            "kernel 'k' has no argument 'extend'; did you mean 'extent'?");
  EXPECT_EQ(
      error({tensor("weight", {4, 64}), number("rows", 1), number("bias", 2)}),
      "kernel 'k' has no argument 'bias'; it takes 'weight', 'rows', "
      "'extent'");
  EXPECT_EQ(
      error({tensor("weight", {4, 64}), number("rows", 1), number("rows", 2)}),
      "argument 'rows' is given twice");
}

TEST_F(BindingTest, MissingArgumentsAreListedWithWhatTheyAre) {
  EXPECT_EQ(error({}), "missing arguments of kernel 'k': 'weight' (a tensor of "
                       "f16 [4, 64]), 'rows' (a number of type i32)");
  ArgumentValue placed = tensor("weight", {4, 64});
  placed.bound = false;
  placed.placement.at = 0;
  EXPECT_EQ(error({placed, number("rows", 1)}),
            "missing arguments of kernel 'k': 'weight' (a tensor of f16 [4, "
            "64]), placed with 'at' and so bound to no argument");
}

TEST_F(BindingTest, TypeMismatches) {
  EXPECT_EQ(error({tensor("weight", {4, 64}, "f32"), number("rows", 1)}),
            "argument 'weight': expected f16 [4, 64], got f32 [4, 64]");
  EXPECT_EQ(error({tensor("weight", {64, 4}), number("rows", 1)}),
            "argument 'weight': expected f16 [4, 64], got f16 [64, 4]");
  EXPECT_EQ(error({tensor("weight", {4, 64}), tensor("rows", {1})}),
            "argument 'rows': expected a number of type i32, got a tensor of "
            "f16 [1]");
  ArgumentValue real = number("rows", 0);
  real.value = 1.5;
  EXPECT_EQ(error({tensor("weight", {4, 64}), real}),
            "argument 'rows': expected a number of type i32, got 1.5");
  EXPECT_EQ(error({tensor("weight", {4, 64}), number("rows", 1ll << 40)}),
            "argument 'rows': the value 1099511627776 does not fit i32");
}

// Types without a dtype of their own travel as integers of as many bits.
TEST_F(BindingTest, TypesGivenAsTheirBits) {
  for (auto [type, bits] :
       {std::pair("i4", "i8"), std::pair("!spyreop.df16", "i16"),
        std::pair("!spyreop.df16_fused", "i32"),
        std::pair("!spyreop.fp32_fused", "i64")}) {
    kernel.arguments[0].dtype = type;
    EXPECT_TRUE(bind({tensor("weight", {4, 64}, bits), number("rows", 1)}));
    EXPECT_EQ(error({tensor("weight", {4, 32}, bits), number("rows", 1)}),
              std::string("argument 'weight': expected ") + type +
                  " [4, 64], given as " + bits + ", got " + bits + " [4, 32]");
  }
}

// Memory of another shape is fine where the view is not the plain layout, as
// long as it is large enough.
// 2^60 + 2^36 + 1 is beyond the middle of two f32, its nearest double is not.
TEST_F(BindingTest, IntegersForFloatsRoundOnce) {
  const int64_t beside = (int64_t(1) << 60) + (int64_t(1) << 36) + 1;
  for (auto [type, expected] :
       {std::pair("f32", 0x1p60 + 0x1p37), std::pair("bf16", 0x1p60),
        std::pair("f64", 0x1p60 + 0x1p36)}) {
    kernel.arguments[1].type = type;
    std::optional<Binding> binding =
        bind({tensor("weight", {4, 64}), number("rows", beside)});
    ASSERT_TRUE(binding);
    const DtypeFormat &format = *dtypeFormat(type);
    const double real = binding->arguments[1].real;
    EXPECT_EQ(floatToDouble(roundToFloat(real, format), format), expected)
        << type;
  }
}

TEST_F(BindingTest, StridedViewsTakeTheMemoryBehindThem) {
  kernel.arguments[0].exactShape = false;
  EXPECT_TRUE(bind({tensor("weight", {512}), number("rows", 1)}));
  EXPECT_EQ(error({tensor("weight", {255}), number("rows", 1)}),
            "argument 'weight': expected at least 256 elements, which the "
            "kernel's view of it spans, got f16 [255]");
}

TEST_F(BindingTest, AddressesAtDataflowAreAligned) {
  rules.level = Level::Dataflow;
  EXPECT_TRUE(bind({number("weight", 64), number("rows", 1)}));
  EXPECT_EQ(error({number("weight", 65), number("rows", 1)}),
            "argument 'weight': at level dataflow an address is a multiple of "
            "128 bytes, got byte address 130");
  ArgumentValue placed = tensor("weight", {4, 64});
  placed.placement.at = 32;
  EXPECT_EQ(error({placed, number("rows", 1)}),
            "argument 'weight': at level dataflow an address is a multiple of "
            "128 bytes, got byte address 64");
  rules.level = Level::Ktir;
  EXPECT_TRUE(bind({placed, number("rows", 1)}));
}

TEST_F(BindingTest, PlacesOutsideMemory) {
  ArgumentValue placed = tensor("t", {64});
  placed.bound = false;
  placed.placement.at = 1ll << 40;
  EXPECT_EQ(error({placed, tensor("weight", {4, 64}), number("rows", 1)}),
            "tensor 't' at element 1099511627776 does not lie in the "
            "4294967296 bytes of device memory");
  placed.placement.at = 1048576 - 63;
  placed.placement.tile = 3;
  EXPECT_EQ(error({placed, tensor("weight", {4, 64}), number("rows", 1)}),
            "tensor 't' at element 1048513 does not lie in the 2097152 bytes "
            "of the scratchpad");
  placed.placement.at = 0;
  placed.placement.tile = 32;
  EXPECT_EQ(error({placed, tensor("weight", {4, 64}), number("rows", 1)}),
            "tensor 't' is placed on tile 32, expected a tile below 32");
  placed.placement.tile = -1;
  ArgumentValue other = placed;
  other.name = "u";
  EXPECT_EQ(
      error({placed, other, tensor("weight", {4, 64}), number("rows", 1)}),
      "tensor 'u' overlaps tensor 't'");
}

TEST_F(BindingTest, MalformedTensors) {
  ArgumentValue broken = tensor("weight", {4, 64});
  std::get<Tensor>(broken.value).data.pop_back();
  EXPECT_EQ(error({broken, number("rows", 1)}),
            "argument 'weight': expected 512 bytes for f16 [4, 64], got 511");
  std::get<Tensor>(broken.value).dtype = "f8";
  EXPECT_EQ(error({broken, number("rows", 1)}),
            "argument 'weight': unknown dtype 'f8', expected one of i1, i8, "
            "si8, i16, si16, i32, si32, i64, si64, index, f16, bf16, f32, f64");
}
