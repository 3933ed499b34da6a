//===- DeviceImportTest.cpp - Which device applies, and imports -----------===//

#include "ktir/Device/Device.h"

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf_arch;

namespace {

class DeviceImportTest : public ::testing::Test {
protected:
  DeviceImportTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
        }) {
    context.loadDialect<ktdp::KtdpDialect>();
    registerDefaultDevice(context);
  }

  void parse(StringRef text, StringRef file = "-") {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context), file);
    ASSERT_TRUE(module) << (messages.empty() ? "" : messages.front());
  }

  /// The module nested in the module under test.
  Operation *nested() { return *module->getOps<ModuleOp>().begin(); }

  /// Makes the files `name` of `files` readable by imports.
  void provideFiles(std::map<std::string, std::string> files) {
    dialect()->setDeviceFileReader(
        [files](StringRef path) -> std::optional<std::string> {
          auto it = files.find(path.str());
          if (it == files.end())
            return std::nullopt;
          return it->second;
        });
  }

  KtdfArchDialect *dialect() {
    return context.getLoadedDialect<KtdfArchDialect>();
  }

  void expectFailure(Operation *from, StringRef message) {
    EXPECT_TRUE(failed(Device::get(from)));
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages.back(), message);
  }

  MLIRContext context;
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

TEST_F(DeviceImportTest, DefaultDeviceIsRegistered) {
  parse("module { module {} ktdf_arch.device @spyre import(\"spyre.mlir\") }");
  FailureOr<Device> device = Device::get(nested());
  ASSERT_TRUE(succeeded(device));
  EXPECT_EQ(device->getNumCores(), 32);
}

TEST_F(DeviceImportTest, NearestMapsToWins) {
  parse(R"mlir(
    module attributes {ktdf_arch.maps_to = @a} {
      ktdf_arch.device @a {}
      ktdf_arch.device @b {}
      module attributes {ktdf_arch.maps_to = @b} {}
    })mlir");
  EXPECT_EQ(Device::get(nested())->getName(), "b");
  EXPECT_EQ(Device::get(*module)->getName(), "a");
}

TEST_F(DeviceImportTest, KindsInMapsToAreNotDevices) {
  parse(R"mlir(
    module attributes {ktdf_arch.maps_to = "SFU"} {
      ktdf_arch.device @a {}
    })mlir");
  EXPECT_EQ(Device::get(*module)->getName(), "a");
}

TEST_F(DeviceImportTest, NoDevice) {
  parse("module {}");
  expectFailure(*module,
                "Unable to import the device specification: no "
                "'ktdf_arch.device' is declared in an enclosing module");
}

TEST_F(DeviceImportTest, SeveralDevices) {
  parse("ktdf_arch.device @a {}\nktdf_arch.device @b {}");
  expectFailure(*module, "Unable to import the device specification: several "
                         "'ktdf_arch.device' are declared in the enclosing "
                         "module, and no 'ktdf_arch.maps_to' names one");
}

TEST_F(DeviceImportTest, UnknownName) {
  parse("module attributes {ktdf_arch.maps_to = @x} {}");
  expectFailure(*module,
                "Unable to import the device specification: "
                "'ktdf_arch.maps_to' names 'x', and no device of that name is "
                "declared");
}

TEST_F(DeviceImportTest, NoFileIsReadWithoutAReader) {
  parse("ktdf_arch.device @d import(\"other.mlir\")");
  expectFailure(*module, "Unable to import the device specification: cannot "
                         "read 'other.mlir'");
}

TEST_F(DeviceImportTest, PathsCountFromTheImportingFile) {
  provideFiles({{"kernels/devices/d.mlir", "ktdf_arch.device @d {}"},
                {"d.mlir", "ktdf_arch.device @d {}"}});
  parse("ktdf_arch.device @d import(\"devices/d.mlir\")", "kernels/k.mlir");
  EXPECT_TRUE(succeeded(Device::get(*module)));
  parse("ktdf_arch.device @d import(\"d.mlir\")", "kernels/k.mlir");
  expectFailure(*module,
                "Unable to import the device specification: cannot read "
                "'d.mlir'");
  // Standard input has the current directory.
  parse("ktdf_arch.device @d import(\"d.mlir\")", "-");
  EXPECT_TRUE(succeeded(Device::get(*module)));
}

TEST_F(DeviceImportTest, RegisteredTextWinsOverAFile) {
  dialect()->registerDeviceSource(
      "d.mlir", "ktdf_arch.device @d {%m = memory {kind = \"A\", size = 1}}");
  provideFiles(
      {{"d.mlir",
        "ktdf_arch.device @d {%m = memory {kind = \"B\", size = 2}}"}});
  parse("ktdf_arch.device @d import(\"./d.mlir\")");
  EXPECT_EQ(Device::get(*module)->getMemorySize("A"), 1);
}

TEST_F(DeviceImportTest, ChangedTextIsReadAgain) {
  parse("ktdf_arch.device @d import(\"d.mlir\")");
  for (int64_t size : {1, 2}) {
    dialect()->registerDeviceSource(
        "d.mlir", "ktdf_arch.device @d {%m = memory {kind = \"A\", size = " +
                      std::to_string(size) + "}}");
    EXPECT_EQ(Device::get(*module)->getMemorySize("A"), size);
    // Once more, from what is remembered.
    EXPECT_EQ(Device::get(*module)->getMemorySize("A"), size);
  }
}

TEST_F(DeviceImportTest, ImportHoldsNoDeviceOfThatName) {
  dialect()->registerDeviceSource("d.mlir", "ktdf_arch.device @other {}");
  parse("ktdf_arch.device @d import(\"d.mlir\")");
  expectFailure(*module, "Unable to import the device specification: no device "
                         "'d' in 'd.mlir'");
}

TEST_F(DeviceImportTest, ImportOfAnImport) {
  dialect()->registerDeviceSource("d.mlir",
                                  "ktdf_arch.device @d import(\"spyre.mlir\")");
  parse("ktdf_arch.device @d import(\"d.mlir\")");
  expectFailure(*module, "Unable to import the device specification: device "
                         "'d' in 'd.mlir' is itself an import");
}

TEST_F(DeviceImportTest, ImportThatDoesNotParse) {
  dialect()->registerDeviceSource("d.mlir", "ktdf_arch.device @d {");
  parse("ktdf_arch.device @d import(\"d.mlir\")");
  expectFailure(*module, "Unable to import the device specification: 'd.mlir' "
                         "is not valid");
}

TEST_F(DeviceImportTest, AttributesOfTheImportWin) {
  dialect()->registerDeviceSource("d.mlir", R"mlir(
    ktdf_arch.device @d attributes {
      mem_space_mapping = #ktdf_arch.map<"x" = "A">, kept = 1
    } {
      %a = memory {kind = "A"}
      %b = memory {kind = "B"}
    })mlir");
  parse(R"mlir(
    ktdf_arch.device @d attributes {
      mem_space_mapping = #ktdf_arch.map<"x" = "B">
    } import("d.mlir"))mlir");
  FailureOr<Device> device = Device::get(*module);
  ASSERT_TRUE(succeeded(device));
  EXPECT_EQ(device->getMemoryKind(StringAttr::get(&context, "x")),
            StringRef("B"));
  EXPECT_TRUE(device->getAttr("kept"));
}

TEST_F(DeviceImportTest, NameOfTheImportedDevice) {
  Location location = UnknownLoc::get(&context);
  FailureOr<std::string> name =
      getImportedDeviceName(location, kDefaultDevicePath);
  ASSERT_TRUE(succeeded(name));
  EXPECT_EQ(*name, "spyre");

  dialect()->registerDeviceSource("none.mlir", "module {}");
  EXPECT_TRUE(failed(getImportedDeviceName(location, "none.mlir")));
  EXPECT_EQ(messages.back(), "no device in import file 'none.mlir'");

  dialect()->registerDeviceSource(
      "two.mlir", "ktdf_arch.device @a {}\nktdf_arch.device @b {}");
  EXPECT_TRUE(failed(getImportedDeviceName(location, "two.mlir")));
  EXPECT_EQ(messages.back(), "multiple devices in import file 'two.mlir'");
}

TEST_F(DeviceImportTest, DevicePatternsNeedNoOtherDialect) {
  // The context holds no dialect for patterns; their text is kept.
  parse(R"mlir(
    ktdf_arch.device @d {
      patterns ["pre_scheduling"] {
        pdl.pattern : benefit(1) attributes {note = "}"} {
          // A brace } in a comment.
          %type = type
          %in = operand : %type
          %ins = operands
          %op = operation "math.exp" (%in : !pdl.value) -> (%type : !pdl.type)
          apply_native_constraint "f" (%ins : !pdl.range<value>)
          rewrite %op with "mine" {x = 1.5 : f32, y = -1}
        }
        pdl.pattern @second : benefit(2) {
        }
      }
    })mlir");
  PatternsOp patterns;
  module->walk([&](PatternsOp op) { patterns = op; });
  ASSERT_TRUE(patterns);
  EXPECT_EQ(patterns.getText().count("pdl.pattern"), 2u);
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  EXPECT_NE(printed.find("rewrite %op with \"mine\" {x = 1.5 : f32, y = -1}"),
            std::string::npos);
  // The text survives another round.
  parse(printed);
  std::string again;
  llvm::raw_string_ostream(again) << *module;
  EXPECT_EQ(again, printed);
}

} // namespace
