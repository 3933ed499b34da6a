//===- DeviceTest.cpp - Queries on described machines ---------------------===//
//
// Numbers of the default device are the public facts of Spyre that it models
// and the placeholders that the spec gives beside them (section 3.6); those of
// the sample device are read off its text.
//
//===----------------------------------------------------------------------===//

#include "SourceFolder.h"

#include "ktir/Device/Device.h"

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ktir;

namespace {

using Path = SmallVector<std::string>;

class DeviceTest : public ::testing::Test {
protected:
  DeviceTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
        }) {
    context.loadDialect<ktdp::KtdpDialect>();
    registerDefaultDevice(context);
  }

  /// The only device of the module in `text`, which is kept alive.
  Device read(StringRef text) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module) << (messages.empty() ? "" : messages.front());
    FailureOr<Device> device = Device::get(*module);
    EXPECT_TRUE(succeeded(device))
        << (messages.empty() ? "" : messages.front());
    return *device;
  }

  Device readSample() {
    auto file = llvm::MemoryBuffer::getFile(
        ktir::test::sourceFolder() + "/tests/inputs/dataflow/device.mlir");
    EXPECT_TRUE(static_cast<bool>(file));
    return read((*file)->getBuffer());
  }

  Attribute string(StringRef text) { return StringAttr::get(&context, text); }
  Attribute space(StringRef name) {
    return parseAttribute(("#ktdp.memory_space<" + name + ">").str(), &context);
  }
  Type f16() { return Float16Type::get(&context); }
  Type f32() { return Float32Type::get(&context); }
  Type bf16() { return BFloat16Type::get(&context); }

  MLIRContext context;
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

TEST_F(DeviceTest, DefaultDeviceHas32CoresOfTwoCorelets) {
  Device device = read(getDefaultDeviceText());
  EXPECT_EQ(device.getName(), "spyre");
  EXPECT_EQ(device.getNumCores(), 32);
  EXPECT_FALSE(device.hasOpenCoreCount());
  EXPECT_EQ(device.getNumCorelets(), 2);
}

TEST_F(DeviceTest, DefaultDeviceMemories) {
  Device device = read(getDefaultDeviceText());
  ASSERT_EQ(device.getMemories().size(), 3u);
  EXPECT_EQ(device.getMemorySize("DDR"), int64_t(128) << 30);
  EXPECT_EQ(device.getMemorySize("LX"), int64_t(2) << 20);
  EXPECT_EQ(device.getMemorySize("SFU_REG"), 4096);
  EXPECT_EQ(device.getMemorySize("LY"), std::nullopt);
  EXPECT_EQ(device.findMemory("DDR")->depth, 0u);
  EXPECT_EQ(device.findMemory("LX")->depth, 1u);
  EXPECT_EQ(device.findMemory("SFU_REG")->depth, 3u);
  EXPECT_EQ(device.getGlobalMemory()->kind, "DDR");
  EXPECT_EQ(device.getScratchpad()->kind, "LX");
}

TEST_F(DeviceTest, DefaultDeviceMapsMemorySpaces) {
  Device device = read(getDefaultDeviceText());
  EXPECT_EQ(device.getMemoryKind(space("global")), StringRef("DDR"));
  EXPECT_EQ(device.getMemoryKind(space("ct_local")), StringRef("LX"));
  EXPECT_EQ(device.getMemoryKind(string("SFU_REG")), StringRef("SFU_REG"));
  EXPECT_EQ(device.getMemoryKind(string("L1")), std::nullopt);
  EXPECT_EQ(device.getMemoryKind(Attribute()), std::nullopt);
  EXPECT_EQ(device.getMemoryTag("DDR"), "hbm");
  EXPECT_EQ(device.getMemoryTag("LX"), "lx");
  EXPECT_EQ(device.getMemoryTag("SFU_REG"), "sfu_reg");
}

TEST_F(DeviceTest, DefaultDeviceUnits) {
  Device device = read(getDefaultDeviceText());
  struct Expected {
    StringRef kind, tag;
    UnitLevel level;
    int64_t perCore;
    bool load, store, compute, last;
    StringRef local;
  };
  const Expected units[] = {
      {"MNILU", "mnilu", UnitLevel::Core, 1, true, false, false, true, "LX"},
      {"MNISU", "mnisu", UnitLevel::Core, 1, false, true, false, true, "LX"},
      {"L1LU", "l1lu", UnitLevel::Corelet, 2, true, false, false, false, ""},
      {"SFU", "sfu", UnitLevel::Corelet, 2, false, false, true, false,
       "SFU_REG"},
      {"L1SU", "l1su", UnitLevel::Corelet, 2, false, true, false, false, ""},
  };
  ASSERT_EQ(device.getUnits().size(), std::size(units));
  for (auto [unit, expected] : llvm::zip_equal(device.getUnits(), units)) {
    SCOPED_TRACE(expected.kind.str());
    EXPECT_EQ(unit.kind, expected.kind);
    EXPECT_EQ(unit.tag, expected.tag);
    EXPECT_EQ(device.getUnitTag(unit.kind), expected.tag);
    EXPECT_EQ(unit.level, expected.level);
    EXPECT_EQ(device.getUnitsPerCore(unit.kind), expected.perCore);
    EXPECT_EQ(unit.load.has_value(), expected.load);
    EXPECT_EQ(unit.store.has_value(), expected.store);
    EXPECT_EQ(unit.compute, expected.compute);
    EXPECT_EQ(unit.doubleBufferLast, expected.last);
    EXPECT_EQ(unit.localMemory, expected.local);
  }
  EXPECT_TRUE(device.hasUnit("SFU"));
  EXPECT_FALSE(device.hasUnit("PT"));
  EXPECT_EQ(device.getUnitsPerCore("PT"), 0);
  EXPECT_EQ(device.getLocalMemory("SFU"), StringRef("SFU_REG"));
  EXPECT_EQ(device.getLocalMemory("L1LU"), std::nullopt);
}

TEST_F(DeviceTest, DefaultDeviceVectorsAndWords) {
  Device device = read(getDefaultDeviceText());
  // A stick is 128 bytes.
  EXPECT_EQ(device.getLanes("SFU", f16()), 128 / 2);
  EXPECT_EQ(device.getLanes("SFU", f32()), 128 / 4);
  EXPECT_EQ(device.getLanes("SFU", bf16()), std::nullopt);
  EXPECT_EQ(device.getLanes("MNILU", f16()), std::nullopt);
  EXPECT_EQ(device.getWordSize("MNILU", "DDR"), 128);
  EXPECT_EQ(device.getWordSize("MNISU", "LX"), 128);
  EXPECT_EQ(device.getWordSize("L1LU", "LX"), 2);
  EXPECT_EQ(device.getWordSize("L1SU", "DDR"), 1);
  const DeviceUnit *load = device.findUnit("L1LU");
  ASSERT_TRUE(load->simd);
  EXPECT_TRUE(load->simd->splat);
  EXPECT_TRUE(load->simd->zeroPad);
}

TEST_F(DeviceTest, DefaultDeviceLinks) {
  Device device = read(getDefaultDeviceText());
  EXPECT_EQ(device.getLinks().size(), 8u);
  const DeviceLink *link = device.getLink("L1LU", "SFU");
  ASSERT_NE(link, nullptr);
  ASSERT_TRUE(link->queue);
  EXPECT_TRUE(link->queue->ordered);
  EXPECT_EQ(link->queue->depth, 16);
  EXPECT_EQ(link->queue->size, std::nullopt);
  EXPECT_EQ(link->transferGranularity, (SmallVector<int64_t>{128, 2}));
  link = device.getLink("DDR", "MNILU");
  ASSERT_NE(link, nullptr);
  EXPECT_FALSE(link->queue);
  EXPECT_EQ(link->transferGranularity, SmallVector<int64_t>{128});
  EXPECT_EQ(device.getLink("MNILU", "DDR"), nullptr);
  EXPECT_EQ(device.getLink("DDR", "SFU"), nullptr);
  EXPECT_EQ(device.getMemoriesReadBy("MNILU"), SmallVector<StringRef>{"DDR"});
  EXPECT_EQ(device.getMemoriesWrittenBy("MNILU"), SmallVector<StringRef>{"LX"});
  EXPECT_TRUE(device.getMemoriesWrittenBy("L1LU").empty());
}

TEST_F(DeviceTest, DefaultDeviceRoutes) {
  Device device = read(getDefaultDeviceText());
  EXPECT_EQ(device.route("DDR", "SFU"),
            (Path{"DDR", "MNILU", "LX", "L1LU", "SFU"}));
  EXPECT_EQ(device.route("SFU", "DDR"),
            (Path{"SFU", "L1SU", "LX", "MNISU", "DDR"}));
  EXPECT_EQ(device.route("LX", "LX"), Path{"LX"});
  EXPECT_EQ(device.route("DDR", "SFU_REG"), std::nullopt);
  EXPECT_EQ(device.route("DDR", "PT"), std::nullopt);
}

TEST_F(DeviceTest, SampleDevice) {
  Device device = readSample();
  EXPECT_EQ(device.getName(), "sample_device");
  EXPECT_TRUE(device.hasOpenCoreCount());
  EXPECT_EQ(device.getNumCorelets(), 2);
  EXPECT_EQ(device.getMemorySize("L1"), 1048576);
  EXPECT_EQ(device.getUnitsPerCore("SFU"), 2);
  EXPECT_EQ(device.getUnitsPerCore("MNISU"), 1);
  EXPECT_EQ(device.findUnit("SFU")->level, UnitLevel::Corelet);
  EXPECT_EQ(device.getWordSize("MNILU", "DDR"), 64);
  // Without `word_size` a word is a byte.
  EXPECT_EQ(device.getWordSize("L1LU", "L1"), 1);
  // Without a mapping, spaces go by the depth of memories, and tags by kinds.
  EXPECT_EQ(device.getMemoryKind(space("global")), StringRef("DDR"));
  EXPECT_EQ(device.getMemoryKind(space("ct_local")), StringRef("L1"));
  EXPECT_EQ(device.getMemoryTag("DDR"), "ddr");
  EXPECT_EQ(device.getMemoryTag("L1"), "l1");
  EXPECT_EQ(device.route("DDR", "SFU"),
            (Path{"DDR", "MNILU", "L1", "L1LU", "SFU"}));
  EXPECT_EQ(device.getLink("SFU", "L1SU")->queue->depth, 16);
}

TEST_F(DeviceTest, FitAccess) {
  AccessFeature feature;
  feature.accesses.push_back(
      {"LX", {{64, 64}, {8, 4}, {8, 2}, {2, 2}, {1, 1}}});
  auto fit = [&](int64_t minSize,
                 int64_t maxAlign) -> std::pair<int64_t, int64_t> {
    auto access = feature.fitAccess("LX", minSize, maxAlign);
    if (!access)
      return {0, 0};
    return {access->sizeInWords, access->alignInWords};
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(fit(1, 64), Pair(1, 1));
  EXPECT_EQ(fit(2, 64), Pair(2, 2));
  // Of equal sizes, the smaller alignment.
  EXPECT_EQ(fit(3, 64), Pair(8, 2));
  EXPECT_EQ(fit(9, 64), Pair(64, 64));
  // Too little alignment, and too large a size.
  EXPECT_EQ(fit(9, 32), Pair(0, 0));
  EXPECT_EQ(fit(65, 64), Pair(0, 0));
  EXPECT_EQ(feature.fitAccess("DDR", 1, 64), std::nullopt);
}

TEST_F(DeviceTest, ComputeKind) {
  Device device = read(getDefaultDeviceText());
  FailureOr<StringRef> kind = device.getComputeKind(*module);
  ASSERT_TRUE(succeeded(kind));
  EXPECT_EQ(*kind, "SFU");

  Device two = read(R"mlir(
    ktdf_arch.device @two {
      %a = exec_unit {kind = "A", ktdf_arch.features = {ktdf_arch.feature.compute}}
      %b = exec_unit {kind = "B", ktdf_arch.features = {ktdf_arch.feature.compute}}
    })mlir");
  EXPECT_TRUE(failed(two.getComputeKind(*module)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("found second compute resource"),
            std::string::npos);

  Device none = read("ktdf_arch.device @none {}");
  EXPECT_TRUE(failed(none.getComputeKind(*module)));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE(messages[1].find("found no compute resource"), std::string::npos);
}

TEST_F(DeviceTest, LinksSideBySideAreAmbiguous) {
  Device device = read(R"mlir(
    ktdf_arch.device @d {
      %m = memory {kind = "M"}
      %u = exec_unit {kind = "U"}
      %v = exec_unit {kind = "V"}
      datapath %m to %u : memory, exec_unit
      datapath %m to %u : memory, exec_unit
      datapath %m to %v : memory, exec_unit
    })mlir");
  EXPECT_EQ(device.getLink("M", "U"), nullptr);
  EXPECT_NE(device.getLink("M", "V"), nullptr);
  // Units without a feature are on no route.
  EXPECT_EQ(device.route("M", "V"), std::nullopt);
  EXPECT_EQ(device.findUnit("U")->level, UnitLevel::Device);
}

TEST_F(DeviceTest, RoutesGoThroughConnectedPortsOnly) {
  const char *text = R"mlir(
    ktdf_arch.device @d {
      %a = memory {kind = "A"}
      %b = memory {kind = "B"}
      %c = memory {kind = "C"}
      %s:3 = switch[3] {connectivity = dense<[[0, 1, 0], [0, 0, 1], [0, 0, 0]]> : tensor<3x3xi1>}
      datapath %a to %s#0 : memory, port
      datapath %s#1 to %b : port, memory
      datapath %s#2 to %c : port, memory
      datapath %b to %s#1 : memory, port
    })mlir";
  Device device = read(text);
  EXPECT_EQ(device.route("A", "B"), (Path{"A", "switch", "B"}));
  EXPECT_EQ(device.route("B", "C"), (Path{"B", "switch", "C"}));
  EXPECT_EQ(device.route("C", "A"), std::nullopt);
}

TEST_F(DeviceTest, RouteTiesGoToTheFirstLink) {
  Device device = read(R"mlir(
    ktdf_arch.device @d {
      %a = memory {kind = "A"}
      %b = memory {kind = "B"}
      %x = exec_unit {kind = "X", ktdf_arch.features = {ktdf_arch.feature.load}}
      %y = exec_unit {kind = "Y", ktdf_arch.features = {ktdf_arch.feature.load}}
      datapath %y to %b : exec_unit, memory
      datapath %a to %y : memory, exec_unit
      datapath %a to %x : memory, exec_unit
      datapath %x to %b : exec_unit, memory
    })mlir");
  EXPECT_EQ(device.route("A", "B"), (Path{"A", "Y", "B"}));
}

} // namespace
