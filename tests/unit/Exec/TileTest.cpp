//===- TileTest.cpp - Indirect, distributed and tensor tiles --------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

constexpr int64_t table = 0, out = 4096, indexByte = 65536;

/// Puts integers of type T at byte `indexByte` of device memory.
template <typename T>
void putIndices(Fixture &f, const std::vector<T> &values) {
  f.memory->device().write(indexByte, values.data(), values.size() * sizeof(T));
}

//===----------------------------------------------------------------------===//
// Indirect tiles
//===----------------------------------------------------------------------===//

/// Rows `I[m + s]` of a 16x8 table, m < 3, columns 2..6, as a load or store.
std::string gather(const std::string &element, bool scatter = false) {
  std::string indirect =
      "%tile = ktdp.construct_indirect_access_tile intermediate_variables(%m, "
      "%k) %X[ind(%I[%m + %s]), (%k + 2)] {variables_space_set = " +
      boxSet({3, 5}) + ", variables_space_order = " + identity(2) +
      "} : memref<16x8xf16>, memref<6x" + element +
      "> -> !ktdp.access_tile<3x5xindex>\n";
  std::string body = view("X", "x", {16, 8}) + view("I", "i", {6}, element) +
                     "%s = arith.constant 1 : index\n" + indirect;
  body += scatter ? loadFrom("v", "o", {3, 5}, "%c0, %c0", {3, 5}) +
                        store("v", "tile", {3, 5})
                  : load("v", "tile", {3, 5}) +
                        storeTo("v", "o", {3, 5}, "%c0, %c0", {3, 5});
  return kernel("%x: index, %i: index, %o: index", 1, body);
}

TEST(IndirectTileTest, GathersRows) {
  // IA-S1: an index is a row of the table, neither scaled nor an address.
  Fixture f(gather("i32"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  putIndices<int32_t>(f, {9, 3, 15, 0, 1, 2});
  ASSERT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Finished)
      << f.messages();
  EXPECT_TRUE(f.found("*").empty()) << f.messages();
  const int rows[] = {3, 15, 0};
  EXPECT_EQ(f.read(out, 15), make(15, [&](int i) {
              return float(rows[i / 5] * 8 + i % 5 + 2);
            }));
}

TEST(IndirectTileTest, IndexElementTypes) {
  // i64, signed and unsigned bytes; 200 as an unsigned byte is a row.
  for (const char *element : {"i64", "si32", "index", "ui8", "i16"}) {
    Fixture f(gather(element), Level::Ktir);
    ASSERT_TRUE(f) << element << f.errors;
    f.fill(table, make(128, [](int i) { return float(i); }));
    std::string name = element;
    int64_t bytes = name == "ui8"    ? 1
                    : name == "i16"  ? 2
                    : name == "si32" ? 4
                                     : 8;
    if (bytes == 1)
      putIndices<uint8_t>(f, {9, 3, 15, 0, 1, 2});
    else if (bytes == 2)
      putIndices<int16_t>(f, {9, 3, 15, 0, 1, 2});
    else if (bytes == 4)
      putIndices<int32_t>(f, {9, 3, 15, 0, 1, 2});
    else
      putIndices<int64_t>(f, {9, 3, 15, 0, 1, 2});
    ASSERT_EQ(f.run({table, indexByte / bytes, out}), RunStatus::Finished)
        << element << f.messages();
    EXPECT_EQ(f.read(out, 1)[0], 3 * 8 + 2.0f) << element;
  }
}

TEST(IndirectTileTest, IndicesOutsideTheBase) {
  // IA-S3: below zero, and at the extent.
  for (int32_t bad : {-1, 16}) {
    Fixture f(gather("i32"), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(table, make(128, [](int i) { return float(i); }));
    putIndices<int32_t>(f, {9, 3, bad, 0, 1, 2});
    EXPECT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Failed);
    ASSERT_EQ(f.found("IA-S3").size(), 1u) << f.messages();
    EXPECT_EQ(f.found("IA-S3")[0].message,
              "'ktdp.construct_indirect_access_tile' on tile 0: the index at "
              "(2) of the index view is " +
                  std::to_string(bad) +
                  ", expected 0 to 15 for dimension 0 of the base");
  }
  // One less is fine.
  Fixture f(gather("i32"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  putIndices<int32_t>(f, {9, 0, 15, 0, 1, 2});
  EXPECT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Finished)
      << f.messages();
}

TEST(IndirectTileTest, UnwrittenIndicesAreReported) {
  Fixture f(gather("i32"), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  putIndices<int32_t>(f, {9, 3});
  EXPECT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-6").size(), 1u) << f.messages();
  EXPECT_NE(f.found("E-6")[0].message.find("coordinate (2) of the view"),
            std::string::npos);
}

TEST(IndirectTileTest, Scatters) {
  Fixture f(gather("i32", /*scatter=*/true), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  f.fill(out, make(15, [](int i) { return float(1000 + i); }));
  putIndices<int32_t>(f, {9, 3, 15, 0, 1, 2});
  ASSERT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Finished)
      << f.messages();
  std::vector<float> expected = make(128, [](int i) { return float(i); });
  const int rows[] = {3, 15, 0};
  for (int i = 0; i < 15; ++i)
    expected[rows[i / 5] * 8 + i % 5 + 2] = float(1000 + i);
  EXPECT_EQ(f.read(table, 128), expected);
}

TEST(IndirectTileTest, AnyPositionOfAnyDimension) {
  // o(a, b) = X[ I[b, a], b, J[a] ] on a 4x3x5 base: two index views, one
  // read transposed, nothing that could be a run.
  std::string body =
      view("X", "x", {4, 3, 5}) + view("I", "i", {3, 2}, "i32") +
      view("J", "j", {2}, "i64") +
      "%tile = ktdp.construct_indirect_access_tile intermediate_variables(%a, "
      "%b) %X[ind(%I[%b, %a]), (%b), ind(%J[%a])] {variables_space_set = " +
      boxSet({2, 3}) + ", variables_space_order = " + identity(2) +
      "} : memref<4x3x5xf16>, memref<3x2xi32>, memref<2xi64> -> "
      "!ktdp.access_tile<2x3xindex>\n" +
      load("v", "tile", {2, 3}) + storeTo("v", "o", {2, 3}, "%c0, %c0", {2, 3});
  Fixture f(kernel("%x: index, %i: index, %j: index, %o: index", 1, body),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(60, [](int i) { return float(i); }));
  const int32_t I[3][2] = {{3, 0}, {1, 1}, {2, 3}};
  const int64_t J[2] = {4, 2};
  f.memory->device().write(indexByte, I, sizeof(I));
  f.memory->device().write(2 * indexByte, J, sizeof(J));
  ASSERT_EQ(f.run({table, indexByte / 4, 2 * indexByte / 8, out}),
            RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.read(out, 6), make(6, [&](int k) {
              int a = k / 3, b = k % 3;
              return float(I[b][a] * 15 + b * 5 + J[a]);
            }));
}

TEST(IndirectTileTest, IndicesAreASnapshot) {
  // IA-S4: the index view is overwritten after the tile is made and before the
  // load through it.
  std::string body =
      view("X", "x", {16, 8}) + view("I", "i", {2}, "i32") +
      "%tile = ktdp.construct_indirect_access_tile intermediate_variables(%m, "
      "%k) %X[ind(%I[%m]), (%k)] {variables_space_set = " +
      boxSet({2, 8}) + ", variables_space_order = " + identity(2) +
      "} : memref<16x8xf16>, memref<2xi32> -> !ktdp.access_tile<2x8xindex>\n"
      "%later = arith.constant dense<[7, 7]> : tensor<2xi32>\n" +
      storeTo("later", "i", {2}, "%c0", {2}, "i32") +
      load("v", "tile", {2, 8}) + storeTo("v", "o", {2, 8}, "%c0, %c0", {2, 8});
  Fixture f(kernel("%x: index, %i: index, %o: index", 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  putIndices<int32_t>(f, {3, 5});
  ASSERT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.read(out, 16),
            make(16, [](int i) { return float((i < 8 ? 3 : 5) * 8 + i % 8); }));
}

TEST(IndirectTileTest, RunsHangOverAsSinglePointsDo) {
  // Columns 6..9 of 8: two are outside, read as zero, reported once.
  std::string body =
      view("X", "x", {16, 8}) + view("I", "i", {2}, "i32") +
      "%tile = ktdp.construct_indirect_access_tile intermediate_variables(%m, "
      "%k) %X[ind(%I[%m]), (%k + 6)] {variables_space_set = " +
      boxSet({2, 4}) + ", variables_space_order = " + identity(2) +
      "} : memref<16x8xf16>, memref<2xi32> -> !ktdp.access_tile<2x4xindex>\n" +
      load("v", "tile", {2, 4}) + storeTo("v", "o", {2, 4}, "%c0, %c0", {2, 4});
  Fixture f(kernel("%x: index, %i: index, %o: index", 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(table, make(128, [](int i) { return float(i); }));
  putIndices<int32_t>(f, {3, 5});
  ASSERT_EQ(f.run({table, indexByte / 4, out}), RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.read(out, 8), (std::vector<float>{30, 31, 0, 0, 46, 47, 0, 0}));
  EXPECT_EQ(f.found("*").size(), 1u) << f.messages();
  RunOptions trap;
  trap.outOfView = OutOfViewPolicy::Trap;
  putIndices<int32_t>(f, {3, 5});
  EXPECT_EQ(f.run({table, indexByte / 4, out}, trap), RunStatus::Failed);
}

//===----------------------------------------------------------------------===//
// Distributed views
//===----------------------------------------------------------------------===//

/// Rows 0..1 in `first`, rows 2..3 in `second`, as one 4x8 view %D.
std::string halves(const std::string &first, const std::string &second,
                   const std::string &secondSet) {
  return view("A", "a", {2, 8}, "f16", first, boxSet({2, 8})) +
         view("B", "b", {2, 8}, "f16", second, secondSet) +
         "%D = ktdp.construct_distributed_memory_view(%A, %B : "
         "memref<2x8xf16>, memref<2x8xf16>) : memref<4x8xf16>\n";
}

const char *const arguments = "%a: index, %b: index, %o: index";

TEST(DistributedViewTest, LoadsAndStoresAcrossPartitions) {
  // Rows 1..2, one of each partition.
  for (bool stores : {false, true}) {
    std::string body =
        halves("global", "global", boxSet({2, 8}, {2, 0})) +
        tile("dt", "D", "memref<4x8xf16>", "1, 0", {2, 8}) +
        (stores ? loadFrom("v", "o", {2, 8}, "%c0, %c0", {2, 8}) +
                      store("v", "dt", {2, 8})
                : load("v", "dt", {2, 8}) +
                      storeTo("v", "o", {2, 8}, "%c0, %c0", {2, 8}));
    Fixture f(kernel(arguments, 1, body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(16, [](int i) { return float(i); }));
    f.fill(1000, make(16, [](int i) { return float(100 + i); }));
    f.fill(out, make(16, [](int i) { return float(500 + i); }));
    ASSERT_EQ(f.run({0, 1000, out}), RunStatus::Finished) << f.messages();
    EXPECT_TRUE(f.found("*").empty()) << f.messages();
    if (!stores) {
      EXPECT_EQ(f.read(out, 16), make(16, [](int i) {
                  return float(i < 8 ? 8 + i : 100 + i - 8);
                }));
      continue;
    }
    EXPECT_EQ(f.read(8, 8), make(8, [](int i) { return float(500 + i); }));
    EXPECT_EQ(f.read(1000, 8), make(8, [](int i) { return float(508 + i); }));
    EXPECT_EQ(f.read(0, 1)[0], 0.0f);
    EXPECT_EQ(f.read(1008, 1)[0], 108.0f);
  }
}

TEST(DistributedViewTest, PartitionsInScratchpadsOfOtherTiles) {
  // Rows 2..3 lie in the scratchpad of tile 1; tile 0 loads all rows.
  std::string body =
      halves("global", "ct_local, ct_id = 1", boxSet({2, 8}, {2, 0})) +
      tile("dt", "D", "memref<4x8xf16>", "0, 0", {4, 8}) +
      load("v", "dt", {4, 8}) + storeTo("v", "o", {4, 8}, "%c0, %c0", {4, 8});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(16, [](int i) { return float(i); }));
  for (int i = 0; i < 16; ++i) {
    uint16_t value = half(float(200 + i));
    f.memory->scratchpad(1).write((64 + i) * 2, &value, 2);
  }
  ASSERT_EQ(f.run({0, 64, out}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(out, 32),
            make(32, [](int i) { return float(i < 16 ? i : 200 + i - 16); }));
  std::vector<InstanceCounters> counters = f.last->counters();
  EXPECT_EQ(counters[0].bytesRead, 32u);
  EXPECT_EQ(counters[0].scratchpadRead, 32u);
}

TEST(DistributedViewTest, TheFirstPartitionWinsAndAllAreWritten) {
  // D10: rows 1..2 of the second overlap row 1 of the first.
  for (bool stores : {false, true}) {
    std::string body =
        view("A", "a", {2, 8}, "f16", "global", boxSet({2, 8})) +
        view("B", "b", {2, 8}, "f16", "global", boxSet({2, 8}, {1, 0})) +
        "%D = ktdp.construct_distributed_memory_view(%A, %B : "
        "memref<2x8xf16>, memref<2x8xf16>) : memref<3x8xf16>\n" +
        tile("dt", "D", "memref<3x8xf16>", "0, 0", {3, 8}) +
        (stores ? loadFrom("v", "o", {3, 8}, "%c0, %c0", {3, 8}) +
                      store("v", "dt", {3, 8})
                : load("v", "dt", {3, 8}) +
                      storeTo("v", "o", {3, 8}, "%c0, %c0", {3, 8}));
    Fixture f(kernel(arguments, 1, body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(0, make(16, [](int i) { return float(i); }));
    f.fill(1000, make(16, [](int i) { return float(100 + i); }));
    f.fill(out, make(24, [](int i) { return float(500 + i); }));
    ASSERT_EQ(f.run({0, 1000, out}), RunStatus::Finished) << f.messages();
    if (!stores) {
      EXPECT_EQ(f.read(out, 24), make(24, [](int i) {
                  return float(i < 16 ? i : 108 + i - 16);
                }));
      continue;
    }
    EXPECT_EQ(f.read(0, 16), make(16, [](int i) { return float(500 + i); }));
    EXPECT_EQ(f.read(1000, 16), make(16, [](int i) { return float(508 + i); }));
  }
}

TEST(DistributedViewTest, HolesTrap) {
  // The second holds rows 2..3, the view reaches row 4 by a third: row 1 of
  // the first is the end of it, nothing holds column 8 on.
  std::string body =
      view("A", "a", {2, 4}, "f16", "global", boxSet({2, 4})) +
      view("B", "b", {2, 8}, "f16", "global", boxSet({2, 8}, {2, 0})) +
      "%D = ktdp.construct_distributed_memory_view(%A, %B : memref<2x4xf16>, "
      "memref<2x8xf16>) : memref<4x8xf16>\n" +
      tile("dt", "D", "memref<4x8xf16>", "1, 2", {2, 4}) +
      load("v", "dt", {2, 4}) + storeTo("v", "o", {2, 4}, "%c0, %c0", {2, 4});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(16, [](int i) { return float(i); }));
  f.fill(1000, make(16, [](int i) { return float(100 + i); }));
  EXPECT_EQ(f.run({0, 1000, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("D10").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("D10")[0].message,
            "'ktdp.load' on tile 0: coordinate (1, 4) lies in no partition of "
            "the distributed view");
}

TEST(DistributedViewTest, PartitionsNeedNotBeBoxes) {
  // Even rows in one, odd rows in the other, each laid out in its bounding box.
  std::string even = "affine_set<(r, c) : (r >= 0, -r + 2 >= 0, r mod 2 == 0, "
                     "c >= 0, -c + 7 >= 0)>";
  std::string odd = "affine_set<(r, c) : (r - 1 >= 0, -r + 3 >= 0, (r + 1) mod "
                    "2 == 0, c >= 0, -c + 7 >= 0)>";
  std::string body =
      view("A", "a", {3, 8}, "f16", "global", even) +
      view("B", "b", {3, 8}, "f16", "global", odd) +
      "%D = ktdp.construct_distributed_memory_view(%A, %B : memref<3x8xf16>, "
      "memref<3x8xf16>) : memref<4x8xf16>\n" +
      tile("dt", "D", "memref<4x8xf16>", "0, 0", {4, 8}) +
      load("v", "dt", {4, 8}) + storeTo("v", "o", {4, 8}, "%c0, %c0", {4, 8});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(24, [](int i) { return float(i); }));
  f.fill(1000, make(24, [](int i) { return float(100 + i); }));
  ASSERT_EQ(f.run({0, 1000, out}), RunStatus::Finished) << f.messages();
  // Row r of the view is row r - min of its partition.
  EXPECT_EQ(f.read(out, 32), make(32, [](int i) {
              int r = i / 8, c = i % 8;
              return float(r % 2 == 0 ? r * 8 + c : 100 + (r - 1) * 8 + c);
            }));
}

TEST(DistributedViewTest, DeclaredShapeHasToBeThatOfThePartitions) {
  std::string body = halves("global", "global", boxSet({2, 8}, {3, 0})) +
                     tile("dt", "D", "memref<4x8xf16>", "0, 0", {1, 8}) +
                     load("v", "dt", {1, 8}) +
                     storeTo("v", "o", {1, 8}, "%c0, %c0", {1, 8});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(16, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, 1000, out}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("construct_distributed_memory_view: declared "
                              "shape axis 0 is 4, the coordinate sets of the "
                              "partitions reach 5"),
            std::string::npos)
      << f.messages();
}

//===----------------------------------------------------------------------===//
// Tiles of tensors
//===----------------------------------------------------------------------===//

TEST(TensorTileTest, SelectsElementsOfAValue) {
  // A transposing selection of a loaded tensor that was used up before.
  std::string body =
      loadFrom("v", "a", {4, 8}, "%c0, %c0", {4, 8}) +
      "%tile = ktdp.construct_access_tile %v[1, 2] {access_tile_set = " +
      boxSet({2, 3}) +
      ", access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : "
      "tensor<4x8xf16> -> !ktdp.access_tile<3x2xindex>\n" +
      load("w", "tile", {3, 2}) + storeTo("w", "o", {3, 2}, "%c0, %c0", {3, 2});
  Fixture f(kernel(arguments, 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i); }));
  ASSERT_EQ(f.run({0, 0, out}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(out, 6),
            make(6, [](int k) { return float((1 + k % 2) * 8 + 2 + k / 2); }));
  // The tensor and the selection are there at once.
  EXPECT_EQ(f.last->scratchpadPeak(), (32 + 6) * 2u);
}

//===----------------------------------------------------------------------===//
// Views on scratchpads
//===----------------------------------------------------------------------===//

TEST(ScratchpadTest, ViewsAndTensorsShareTheSpace) {
  // A view of 2 MB - 128 bytes leaves one row of 64 f16, not two.
  auto text = [](int64_t rows) {
    return kernel(arguments, 1,
                  view("S", "c0", {1048576 - 64}, "f16", "ct_local") +
                      loadFrom("v", "a", {4, 64}, "%c0, %c0", {rows, 64}) +
                      storeTo("v", "o", {4, 64}, "%c0, %c0", {rows, 64}));
  };
  Fixture fits(text(1), Level::Ktir);
  ASSERT_TRUE(fits) << fits.errors;
  fits.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(fits.run({0, 0, out}), RunStatus::Finished) << fits.messages();
  EXPECT_EQ(fits.last->scratchpadPeak(), 2097152u);
  Fixture over(text(2), Level::Ktir);
  ASSERT_TRUE(over) << over.errors;
  over.fill(0, make(256, [](int i) { return float(i); }));
  EXPECT_EQ(over.run({0, 0, out}), RunStatus::Failed);
  ASSERT_EQ(over.found("*").size(), 1u) << over.messages();
  Finding finding = over.found("*")[0];
  EXPECT_EQ(finding.message,
            "'ktdp.load' on tile 0: scratchpad overflow on core 0: live "
            "tensors and views take 2097280 bytes, with 256 requested here; "
            "the scratchpad holds 2097152");
  ASSERT_EQ(finding.notes.size(), 2u);
  EXPECT_EQ(finding.notes[0].message,
            "2097024 bytes of 'ktdp.construct_memory_view' are there at that "
            "moment");
}

TEST(ScratchpadTest, ViewsThatReachPastItAreNoted) {
  // Up to its last byte, and two bytes beyond; only an access would be wrong.
  for (int64_t beyond : {0, 1}) {
    Fixture f(kernel(arguments, 1,
                     view("S", "c0", {1048576 + beyond}, "f16", "ct_local")),
              Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    EXPECT_EQ(f.run({0, 0, out}), RunStatus::Finished) << f.messages();
    ASSERT_EQ(f.found("*").size(), size_t(beyond)) << f.messages();
    if (!beyond)
      continue;
    EXPECT_EQ(f.found("*")[0].severity, FindingSeverity::Warning);
    EXPECT_EQ(f.found("*")[0].message,
              "'ktdp.construct_memory_view' on tile 0: the view takes bytes 0 "
              "to 2097153 of scratchpad of core 0, which has 2097152 bytes; "
              "accesses outside of it end the run");
  }
}

TEST(ScratchpadTest, ATileReadsWhatAnotherWroteInItsScratchpad) {
  // Races are found there as in device memory.
  std::string body = loadFrom("v", "a", {2, 64}, "%t, %c0", {1, 64}) +
                     view("S", "c0", {1, 64}, "f16", "ct_local, ct_id = 0") +
                     tile("st", "S", "memref<1x64xf16>", "0, 0", {1, 64}) +
                     store("v", "st", {1, 64});
  Fixture f(kernel(arguments, 2, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(128, [](int i) { return float(i); }));
  EXPECT_EQ(f.run({0, 0, out}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-7").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("E-7")[0].message,
            "'ktdp.store' on tile 1: writes byte 0 of scratchpad of core 0, "
            "coordinate (0, 0) of the view, which tile 0 writes, and nothing "
            "orders the two accesses");
}

//===----------------------------------------------------------------------===//
// Runtime arguments
//===----------------------------------------------------------------------===//

TEST(RuntimeArgumentTest, ValueAndFacts) {
  // o = x[n] for the launch value n, in rows of granularity 8.
  std::string body =
      "%v = ktdp.runtime_arg_extract value from %n : <index, granularity=8, "
      "upperbound=24> -> index\n"
      "%g = ktdp.runtime_arg_extract granularity from %n : <index, "
      "granularity=8, upperbound=24> -> index\n"
      "%row = arith.divui %v, %g : index\n" +
      loadFrom("w", "a", {4, 8}, "%row, %c0", {1, 8}) +
      storeTo("w", "o", {1, 8}, "%c0, %c0", {1, 8});
  Fixture f(kernel("%a: index, %n: !ktdp.runtime_arg<index, granularity=8, "
                   "upperbound=24>, %o: index",
                   1, body),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(32, [](int i) { return float(i); }));
  // Launched again with another value; nothing is decoded again.
  for (int64_t n : {16, 8}) {
    ASSERT_EQ(f.run({0, n, out}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(out, 8), make(8, [&](int i) { return float(n + i); }));
  }
}

} // namespace
