//===- SubviewTest.cpp - Parts of distributed views -----------------------===//
//
// What they hold is listed here coordinate by coordinate, and read and written
// by a model of the partitions.
//
//===----------------------------------------------------------------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

#include <array>
#include <limits>
#include <map>
#include <random>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

//===----------------------------------------------------------------------===//
// A matrix in pieces, and its parts
//===----------------------------------------------------------------------===//

constexpr int64_t rows = 11, columns = 13, out = 8192;
const std::string whole = "memref<11x13xf16>";

/// A piece of the matrix: every `step`-th of the rows `lower .. lower + shape`,
/// which lies in memory as its bounding box.
struct Piece {
  int64_t base;
  std::array<int64_t, 2> lower;
  Shape shape;
  int64_t step = 1;

  int64_t elements() const { return shape[0] * shape[1]; }
  bool holds(int64_t r, int64_t c) const {
    return r >= lower[0] && r < lower[0] + shape[0] && c >= lower[1] &&
           c < lower[1] + shape[1] && (r - lower[0]) % step == 0;
  }
  int64_t address(int64_t r, int64_t c) const {
    return base + (r - lower[0]) * shape[1] + c - lower[1];
  }
  std::string set() const {
    std::string box = boxSet(shape, {lower[0], lower[1]});
    if (step == 1)
      return box;
    return box.substr(0, box.size() - 2) + ", (d0 + " +
           std::to_string(step - lower[0] % step) + ") mod " +
           std::to_string(step) + " == 0)>";
  }
};
using Pieces = std::vector<Piece>;

/// Three boxes side by side; two with common rows; rows by turns.
const Pieces arrangements[] = {
    {{0, {0, 0}, {5, 13}}, {1000, {5, 0}, {6, 7}}, {2000, {5, 7}, {6, 6}}},
    {{0, {0, 0}, {7, 13}}, {1000, {4, 0}, {7, 13}}},
    {{0, {0, 0}, {11, 13}, 2}, {1000, {1, 0}, {9, 13}, 2}}};

/// `%D`, the matrix of views on its pieces.
std::string matrix(const Pieces &pieces) {
  std::string text, names, types;
  for (const Piece &piece : pieces) {
    std::string name = "P" + std::to_string(piece.base),
                base = "b" + std::to_string(piece.base);
    text += "%" + base + " = arith.constant " + std::to_string(piece.base) +
            " : index\n" +
            view(name, base, piece.shape, "f16", "global", piece.set());
    names += (names.empty() ? "%" : ", %") + name;
    types += (types.empty() ? "memref<" : ", memref<") +
             dims(piece.shape, "f16") + ">";
  }
  return text + "%D = ktdp.construct_distributed_memory_view(" + names + " : " +
         types + ") : " + whole + "\n";
}

/// Element addresses to values.
using Values = std::map<int64_t, float>;

/// Numbers that tell pieces and places apart, also copies of one coordinate.
Values numbered(const Pieces &pieces) {
  Values values;
  for (const Piece &piece : pieces)
    for (int64_t i = 0; i < piece.elements(); ++i)
      values[piece.base + i] = float(piece.base / 2 + i + 1);
  return values;
}

void put(Fixture &f, const Values &values) {
  for (auto [at, number] : values)
    f.fill(at, {number});
}

Values get(Fixture &f, const Pieces &pieces) {
  Values values;
  for (const Piece &piece : pieces) {
    std::vector<float> read = f.read(piece.base, piece.elements());
    for (int64_t i = 0; i < piece.elements(); ++i)
      values[piece.base + i] = read[i];
  }
  return values;
}

float readFrom(const Pieces &pieces, const Values &values, int64_t r,
               int64_t c) {
  for (const Piece &piece : pieces)
    if (piece.holds(r, c))
      return values.at(piece.address(r, c));
  ADD_FAILURE() << "nothing holds (" << r << ", " << c << ")";
  return 0;
}

void writeTo(const Pieces &pieces, Values &values, int64_t r, int64_t c,
             float value) {
  for (const Piece &piece : pieces)
    if (piece.holds(r, c))
      values[piece.address(r, c)] = value;
}

/// The coordinates of the matrix that a view has, in row-major order.
struct Part {
  Shape shape;
  std::vector<std::array<int64_t, 2>> at;

  static Part all() {
    Part part{{rows, columns}, {}};
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        part.at.push_back({r, c});
    return part;
  }
  /// Of ranks 1 and 2; a dropped dimension is one of -1 elements.
  Part sub(const Shape &offsets, const Shape &sizes,
           const Shape &strides) const {
    Part part;
    int64_t width = shape.back();
    int64_t outer = shape.size() == 1 ? 1 : std::abs(sizes.front());
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < std::abs(sizes.back()); ++j) {
        int64_t r =
            shape.size() == 1 ? 0 : offsets.front() + i * strides.front();
        part.at.push_back(at[r * width + offsets.back() + j * strides.back()]);
      }
    for (int64_t size : sizes)
      if (size >= 0)
        part.shape.push_back(size);
    return part;
  }
};

/// "[1, 2]", or "[%name_0, %name_1]" of constants that `text` gets. Sizes of -1
/// are constants of 1.
std::string list(std::string &text, const std::string &name,
                 const Shape &numbers, bool isDynamic, bool isSize = false) {
  std::string result;
  for (size_t d = 0; d < numbers.size(); ++d) {
    result += d ? ", " : "[";
    if (!isDynamic || (isSize && numbers[d] < 0)) {
      result += std::to_string(isSize ? std::abs(numbers[d]) : numbers[d]);
      continue;
    }
    std::string constant = name + "_" + std::to_string(d);
    text += "%" + constant + " = arith.constant " + std::to_string(numbers[d]) +
            " : index\n";
    result += "%" + constant;
  }
  return result + "]";
}

/// `%name`, a subview of `%source` whose numbers are known in the run only.
/// `type` becomes its type.
std::string subview(const std::string &name, const std::string &source,
                    std::string &type, const Shape &offsets, const Shape &sizes,
                    const Shape &strides) {
  std::string text;
  std::string numbers = list(text, name + "_o", offsets, true) + " " +
                        list(text, name + "_n", sizes, true, true) + " " +
                        list(text, name + "_s", strides, true);
  std::string shape, layout;
  for (int64_t size : sizes)
    if (size >= 0) {
      shape += "?x";
      layout += layout.empty() ? "?" : ", ?";
    }
  std::string result =
      "memref<" + shape + "f16, strided<[" + layout + "], offset: ?>>";
  text += "%" + name + " = memref.subview %" + source + numbers + " : " + type +
          " to " + result + "\n";
  type = result;
  return text;
}

/// The same with numbers in the text, of the matrix `%D`.
std::string fixedSubview(const std::string &name, std::string &type,
                         const Shape &offsets, const Shape &sizes,
                         const Shape &strides) {
  std::string text;
  std::string numbers = list(text, "", offsets, false) + " " +
                        list(text, "", sizes, false, true) + " " +
                        list(text, "", strides, false);
  std::string shape, layout;
  for (size_t d = 0; d < 2; ++d)
    if (sizes[d] >= 0) {
      shape += std::to_string(sizes[d]) + "x";
      layout += (layout.empty() ? "" : ", ") +
                std::to_string(strides[d] * (d ? 1 : columns));
    }
  type = "memref<" + shape + "f16, strided<[" + layout +
         "], offset: " + std::to_string(offsets[0] * columns + offsets[1]) +
         ">>";
  return "%" + name + " = memref.subview %D" + numbers + " : " + whole +
         " to " + type + "\n";
}

std::string zeros(size_t rank) {
  std::string text;
  for (size_t d = 0; d < rank; ++d)
    text += d ? ", 0" : "0";
  return text;
}

/// Copies all of `%base` to %o, or from there, by a tile.
std::string move(bool stores, const std::string &base, const std::string &type,
                 const Shape &shape) {
  const std::string at = zeros(shape.size());
  std::string text = tile("dt", base, type, at, shape);
  return text +
         (stores
              ? loadFrom("v", "o", shape, at, shape) + store("v", "dt", shape)
              : load("v", "dt", shape) + storeTo("v", "o", shape, at, shape));
}

/// Runs `body` on the pieces, which is to move the coordinates of `part` to %o,
/// or from there, and checks what it left.
void check(const Pieces &pieces, const std::string &body, const Part &part,
           bool stores, RunOptions options = {}) {
  Fixture f(kernel("%o: index", 1, matrix(pieces) + body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors << body;
  Values values = numbered(pieces);
  put(f, values);
  const size_t count = part.at.size();
  auto input = [](size_t i) { return -float(i) - 1; };
  if (stores)
    f.fill(out, make(count, input));
  ASSERT_EQ(f.run({out}, options), RunStatus::Finished) << f.messages() << body;
  EXPECT_TRUE(f.found("*").empty()) << f.messages() << body;
  if (stores) {
    for (size_t i = 0; i < count; ++i)
      writeTo(pieces, values, part.at[i][0], part.at[i][1], input(i));
  } else {
    EXPECT_EQ(f.read(out, count), make(count,
                                       [&](size_t i) {
                                         return readFrom(pieces, values,
                                                         part.at[i][0],
                                                         part.at[i][1]);
                                       }))
        << body;
  }
  EXPECT_EQ(get(f, pieces), values) << body;
}

//===----------------------------------------------------------------------===//
// What parts hold
//===----------------------------------------------------------------------===//

struct Numbers {
  Shape offsets, sizes, strides;
};

TEST(DistributedSubviewTest, CoordinatesAreThoseOfTheSource) {
  const Numbers cases[] = {
      {{3, 5}, {5, 7}, {1, 1}},   {{1, 0}, {5, 5}, {2, 3}},
      {{0, 1}, {4, 6}, {3, 2}},   {{4, 6}, {3, 2}, {3, 1}},
      {{6, 2}, {-1, 10}, {1, 1}}, {{2, 6}, {9, -1}, {1, 1}},
      {{1, 7}, {5, -1}, {2, 1}},  {{5, 1}, {-1, 4}, {1, 3}},
      {{7, 9}, {-1, -1}, {1, 1}}, {{0, 0}, {11, 13}, {1, 1}}};
  for (const Pieces &pieces : arrangements)
    for (const Numbers &numbers : cases)
      for (bool stores : {false, true})
        for (bool isFixed : {false, true}) {
          Part part =
              Part::all().sub(numbers.offsets, numbers.sizes, numbers.strides);
          std::string type = whole;
          std::string text = isFixed
                                 ? fixedSubview("S", type, numbers.offsets,
                                                numbers.sizes, numbers.strides)
                                 : subview("S", "D", type, numbers.offsets,
                                           numbers.sizes, numbers.strides);
          if (part.shape.empty()) {
            const std::string one = view("V", "o", {});
            text +=
                one +
                (stores ? "memref.copy %V, %S : memref<f16> to " + type
                        : "memref.copy %S, %V : " + type + " to memref<f16>") +
                "\n";
          } else {
            text += move(stores, "S", type, part.shape);
          }
          check(pieces, text, part, stores);
        }
}

TEST(DistributedSubviewTest, StepsMayGoBackOrStay) {
  const Numbers cases[] = {{{10, 12}, {6, 5}, {-2, -3}},
                           {{2, 12}, {3, 13}, {4, -1}},
                           {{5, 3}, {3, 4}, {0, 3}},
                           {{9, 6}, {10, 2}, {-1, 0}}};
  for (const Pieces &pieces : arrangements)
    for (const Numbers &numbers : cases)
      for (bool stores : {false, true}) {
        Part part =
            Part::all().sub(numbers.offsets, numbers.sizes, numbers.strides);
        std::string type = whole;
        std::string text = subview("S", "D", type, numbers.offsets,
                                   numbers.sizes, numbers.strides);
        check(pieces, text + move(stores, "S", type, part.shape), part, stores);
      }
}

TEST(DistributedSubviewTest, RandomChains) {
  std::mt19937 random(20);
  auto pick = [&](int64_t from, int64_t to) {
    return from + int64_t(random() % uint64_t(to - from + 1));
  };
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const Pieces &pieces = arrangements[round % 3];
    Part part = Part::all();
    std::string text, type = whole, name = "D";
    for (int64_t depth = pick(1, 3); depth > 0; --depth) {
      Shape offsets, sizes, strides;
      bool mayDrop = part.shape.size() == 2;
      for (int64_t extent : part.shape) {
        int64_t stride = pick(-2, 3), from = pick(0, extent - 1);
        int64_t most = stride > 0   ? (extent - 1 - from) / stride + 1
                       : stride < 0 ? from / -stride + 1
                                    : 4;
        bool drops = mayDrop && pick(0, 4) == 0;
        mayDrop &= !drops;
        offsets.push_back(from);
        sizes.push_back(drops ? -1 : pick(1, most));
        strides.push_back(stride);
      }
      std::string next = "S" + std::to_string(depth);
      text += subview(next, name, type, offsets, sizes, strides);
      part = part.sub(offsets, sizes, strides);
      name = next;
    }
    const bool stores = pick(0, 1);
    check(pieces, text + move(stores, name, type, part.shape), part, stores);
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(DistributedSubviewTest, TheSameAsShiftedTilesOfTheWhole) {
  // Every second row from 1 on, every third column from 2 on: a box of the
  // subview, and a set with steps of the whole. Both meet the same bytes in the
  // same order.
  const std::string set =
      "affine_set<(d0, d1) : (d0 >= 0, -d0 + 8 >= 0, d0 mod 2 == 0, d1 >= 0, "
      "-d1 + 9 >= 0, d1 mod 3 == 0)>";
  const Shape shape = {5, 4};
  for (const Pieces &pieces : arrangements)
    for (bool stores : {false, true}) {
      std::string rest = stores ? loadFrom("v", "o", shape, "0, 0", shape) +
                                      store("v", "dt", shape)
                                : load("v", "dt", shape) +
                                      storeTo("v", "o", shape, "0, 0", shape);
      std::string type = whole;
      std::string bodies[] = {
          subview("S", "D", type, {1, 2}, shape, {2, 3}) +
              tile("dt", "S", type, "0, 0", shape) + rest,
          "%dt = ktdp.construct_access_tile %D[1, 2] {access_tile_set = " +
              set + ", access_tile_order = " + identity(2) + "} : " + whole +
              " -> !ktdp.access_tile<5x4xindex>\n" + rest};
      Values left[2];
      std::vector<float> moved[2];
      InstanceCounters counters[2];
      for (int form = 0; form < 2; ++form) {
        Fixture f(kernel("%o: index", 1, matrix(pieces) + bodies[form]),
                  Level::Ktir);
        ASSERT_TRUE(f) << f.errors;
        put(f, numbered(pieces));
        if (stores)
          f.fill(out, make(20, [](int i) { return -float(i); }));
        ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
        EXPECT_TRUE(f.found("*").empty()) << f.messages();
        left[form] = get(f, pieces);
        moved[form] = f.read(out, 20);
        counters[form] = f.last->counters()[0];
      }
      EXPECT_EQ(left[0], left[1]);
      EXPECT_EQ(moved[0], moved[1]);
      EXPECT_EQ(counters[0].bytesRead, counters[1].bytesRead);
      EXPECT_EQ(counters[0].bytesWritten, counters[1].bytesWritten);
      EXPECT_EQ(counters[0].cost.sticksRead, counters[1].cost.sticksRead);
      EXPECT_EQ(counters[0].cost.sticksWritten, counters[1].cost.sticksWritten);
    }
}

TEST(DistributedSubviewTest, SetsHaveSymbols) {
  // Rows 0 .. n - 1 in one, n .. 10 in the other; every second row from 1 on.
  const std::string body =
      "%b = arith.constant 1000 : index\n%A = ktdp.construct_memory_view %c0, "
      "sizes: [%n, 13], strides: [13, 1] {coordinate_set = affine_set<(r, "
      "c)[n] : (r >= 0, n - r - 1 >= 0, c >= 0, -c + 12 >= 0)>, memory_space = "
      "#ktdp.memory_space<global>} : memref<?x13xf16>\n"
      "%eleven = arith.constant 11 : index\n"
      "%m = arith.subi %eleven, %n : index\n"
      "%B = ktdp.construct_memory_view %b, sizes: [%m, 13], strides: [13, 1] "
      "{coordinate_set = affine_set<(r, c)[m] : (r + m - 11 >= 0, -r + 10 >= "
      "0, c >= 0, -c + 12 >= 0)>, memory_space = #ktdp.memory_space<global>} : "
      "memref<?x13xf16>\n"
      "%D = ktdp.construct_distributed_memory_view(%A, %B : memref<?x13xf16>, "
      "memref<?x13xf16>) : memref<?x13xf16>\n";
  std::string type = "memref<?x13xf16>";
  std::string text = subview("S", "D", type, {1, 1}, {5, 4}, {2, 3});
  Fixture f(kernel("%o: index, %n: index", 1,
                   body + text + move(false, "S", type, {5, 4})),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  for (int64_t n : {1, 4, 7, 10}) {
    Pieces pieces = {{0, {0, 0}, {n, 13}}, {1000, {n, 0}, {11 - n, 13}}};
    Values values = numbered(pieces);
    put(f, values);
    ASSERT_EQ(f.run({out, n}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(out, 20), make(20, [&](int64_t i) {
                return readFrom(pieces, values, 1 + i / 4 * 2, 1 + i % 4 * 3);
              }));
  }
}

//===----------------------------------------------------------------------===//
// What uses and carries them
//===----------------------------------------------------------------------===//

TEST(DistributedSubviewTest, ElementsExtentsAndCopies) {
  // %S is rows 1, 3, 5, 7, 9 and columns 0, 3, 6, 9, 12.
  std::string type = whole;
  std::string body = subview("S", "D", type, {1, 0}, {5, 5}, {2, 3});
  std::string line = type;
  // Column 9 of rows 9, 7, 5.
  body += subview("L", "S", line, {4, 3}, {3, -1}, {-1, 1});
  body += "%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
          "%c3 = arith.constant 3 : index\n" +
          view("V", "o", {5, 5});
  body += "%a = memref.load %S[%c3, %c2] : " + type +
          "\n%d = memref.dim %S, %c1 : " + type +
          "\n%e = memref.dim %L, %c0 : " + line +
          "\nmemref.copy %S, %V : " + type +
          " to memref<5x5xf16>\nmemref.store %a, %V[%d, %e] : memref<5x5xf16>\n"
          "%W = memref.cast %L : " +
          line + " to memref<3xf16, strided<[?], offset: ?>>\n" +
          "memref.store %a, %W[%c1] : memref<3xf16, strided<[?], offset: ?>>\n";
  // Dimensions 5 and 3 are outside of %V: one warning, nothing written.
  for (const Pieces &pieces : arrangements) {
    Fixture f(kernel("%o: index", 1, matrix(pieces) + body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    Values values = numbered(pieces);
    put(f, values);
    ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
    ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
    EXPECT_EQ(f.found("*")[0].message,
              "'memref.store' on tile 0: coordinate 5 of dimension 0 lies "
              "outside the view, whose extent is 5; elements outside are not "
              "written");
    EXPECT_EQ(f.read(out, 25), make(25, [&](int64_t i) {
                return readFrom(pieces, values, 1 + i / 5 * 2, i % 5 * 3);
              }));
    writeTo(pieces, values, 7, 9, readFrom(pieces, values, 7, 6));
    EXPECT_EQ(get(f, pieces), values);
  }
}

TEST(DistributedSubviewTest, CopiesIntoThem) {
  for (const Pieces &pieces : arrangements) {
    std::string type = whole;
    std::string body = subview("S", "D", type, {2, 5}, {3, 4}, {3, 2}) +
                       view("V", "o", {3, 4}) +
                       "memref.copy %V, %S : memref<3x4xf16> to " + type + "\n";
    check(pieces, body, Part::all().sub({2, 5}, {3, 4}, {3, 2}), true);
  }
}

TEST(DistributedSubviewTest, IndirectTiles) {
  // Rows I[m] of every second row from 0 on, columns k + 1 of those from 4 on;
  // the index view itself is a part of a distributed one.
  const std::string indices =
      "%i0 = arith.constant 5000 : index\n%i1 = arith.constant 5100 : index\n" +
      view("I0", "i0", {4}, "i32", "global", boxSet({4})) +
      view("I1", "i1", {5}, "i32", "global", boxSet({5}, {4})) +
      "%IW = ktdp.construct_distributed_memory_view(%I0, %I1 : memref<4xi32>, "
      "memref<5xi32>) : memref<9xi32>\n"
      "%I = memref.subview %IW[1] [4] [2] : memref<9xi32> to memref<4xi32, "
      "strided<[2], offset: 1>>\n";
  const int32_t rowsOf[] = {3, 0, 5, 2};
  for (const Pieces &pieces : arrangements)
    for (bool stores : {false, true}) {
      std::string type = whole;
      std::string body =
          indices + subview("S", "D", type, {0, 4}, {6, 9}, {2, 1}) +
          "%dt = ktdp.construct_indirect_access_tile "
          "intermediate_variables(%m, %k) %S[ind(%I[%m]), (%k + 1)] "
          "{variables_space_set = " +
          boxSet({4, 3}) + ", variables_space_order = " + identity(2) +
          "} : " + type +
          ", memref<4xi32, strided<[2], offset: 1>> -> "
          "!ktdp.access_tile<4x3xindex>\n" +
          (stores ? loadFrom("v", "o", {4, 3}, "0, 0", {4, 3}) +
                        store("v", "dt", {4, 3})
                  : load("v", "dt", {4, 3}) +
                        storeTo("v", "o", {4, 3}, "0, 0", {4, 3}));
      Fixture f(kernel("%o: index", 1, matrix(pieces) + body), Level::Ktir);
      ASSERT_TRUE(f) << f.errors;
      Values values = numbered(pieces);
      put(f, values);
      f.fill(out, make(12, [](int i) { return -float(i); }));
      for (int i = 0; i < 9; ++i) {
        int32_t row = i % 2 ? rowsOf[i / 2] : 77;
        f.memory->device().write((i < 4 ? 5000 + i : 5100 + i - 4) * 4, &row,
                                 4);
      }
      ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
      EXPECT_TRUE(f.found("*").empty()) << f.messages();
      std::vector<float> expected;
      for (int64_t i = 0; i < 12; ++i) {
        int64_t r = rowsOf[i / 3] * 2, c = 4 + 1 + i % 3;
        if (stores)
          writeTo(pieces, values, r, c, -float(i));
        else
          expected.push_back(readFrom(pieces, values, r, c));
      }
      if (!stores)
        EXPECT_EQ(f.read(out, 12), expected);
      EXPECT_EQ(get(f, pieces), values);
    }
}

TEST(DistributedSubviewTest, LoopsBranchesAndCallsCarryThem) {
  // Each turn of the loop goes on with rows and columns 1 .. of the view
  // before; the function takes every second column, the branch either corner.
  const std::string part = "memref<?x?xf16, strided<[?, ?], offset: ?>>";
  const std::string body =
      "%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
      "%c3 = arith.constant 3 : index\n%n = memref.dim %D, %c0 : " +
      whole + "\n%m = memref.dim %D, %c1 : " + whole +
      "\n%S = memref.subview %D[%c0, %c0] [%n, %m] [%c1, %c1] : " + whole +
      " to " + part +
      "\n%L = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %S) -> (" + part +
      ") {\n%rows = memref.dim %v, %c0 : " + part +
      "\n%less = arith.subi %rows, %c1 : index\n%cols = memref.dim %v, %c1 : " +
      part + "\n%fewer = arith.subi %cols, %c1 : index\n" +
      "%w = memref.subview %v[%c1, %c1] [%less, %fewer] [%c1, %c1] : " + part +
      " to " + part + "\nscf.yield %w : " + part +
      "\n}\n%C = func.call @every_second(%L) : (" + part + ") -> " + part +
      "\n%low = arith.cmpi eq, %which, %c0 : index\n%B = scf.if %low -> (" +
      part +
      ") {\n%w = memref.subview %C[%c0, %c0] [%c3, %c2] [%c1, %c1] : " + part +
      " to " + part + "\nscf.yield %w : " + part +
      "\n} else {\n%w = memref.subview %C[%c2, %c1] [%c3, %c2] [%c2, %c2] : " +
      part + " to " + part + "\nscf.yield %w : " + part + "\n}\n" +
      move(false, "B", part, {3, 2});
  const std::string function =
      "func.func private @every_second(%v: " + part + ") -> " + part +
      " {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c2 = arith.constant 2 : index\n%rows = memref.dim %v, %c0 : " +
      part + "\n%cols = memref.dim %v, %c1 : " + part +
      "\n%half = arith.divui %cols, %c2 : index\n%w = memref.subview %v[%c0, "
      "%c1] [%rows, %half] [%c1, %c2] : " +
      part + " to " + part + "\nreturn %w : " + part + "\n}\n";
  for (const Pieces &pieces : arrangements) {
    Fixture f(function +
                  kernel("%o: index, %which: index", 1, matrix(pieces) + body),
              Level::Ktir, "k");
    ASSERT_TRUE(f) << f.errors;
    Values values = numbered(pieces);
    put(f, values);
    // Columns 3 + 1, 3 + 3, ...
    for (int64_t which : {0, 1}) {
      ASSERT_EQ(f.run({out, which}), RunStatus::Finished) << f.messages();
      EXPECT_TRUE(f.found("*").empty()) << f.messages();
      EXPECT_EQ(f.read(out, 6), make(6, [&](int64_t i) {
                  int64_t r = i / 2, c = i % 2;
                  return which == 0 ? readFrom(pieces, values, 3 + r, 4 + 2 * c)
                                    : readFrom(pieces, values, 3 + 2 + 2 * r,
                                               4 + 2 * (1 + 2 * c));
                }));
    }
  }
}

TEST(DistributedSubviewTest, TilesTakeTheirOwnPartsInAnyOrder) {
  // Tile t doubles rows t, t + 3, ... in place; 9 of the 11 rows.
  const std::string part = "memref<3x13xf16, strided<[39, 1], offset: ?>>";
  const std::string body =
      "%S = memref.subview %D[%t, 0] [3, 13] [3, 1] : " + whole + " to " +
      part + "\n" + tile("dt", "S", part, "0, 0", {3, 13}) +
      load("v", "dt", {3, 13}) + "%w = arith.addf %v, %v : tensor<3x13xf16>\n" +
      store("w", "dt", {3, 13});
  // Without the overlap, of which a copy would be another number.
  for (int arrangement : {0, 2})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const Pieces &pieces = arrangements[arrangement];
      Fixture f(kernel("%o: index", 3, matrix(pieces) + body), Level::Ktir);
      ASSERT_TRUE(f) << f.errors;
      Values values = numbered(pieces);
      put(f, values);
      RunOptions options;
      options.interleaving = seed;
      ASSERT_EQ(f.run({out}, options), RunStatus::Finished) << f.messages();
      EXPECT_TRUE(f.found("*").empty()) << f.messages();
      for (int64_t r = 0; r < 9; ++r)
        for (int64_t c = 0; c < columns; ++c)
          writeTo(pieces, values, r, c, 2 * readFrom(pieces, values, r, c));
      EXPECT_EQ(get(f, pieces), values);
    }
}

TEST(DistributedSubviewTest, VeryManyRunsTakeTurns) {
  // 150 x 301 elements whose neighbours lie apart, from two pieces.
  const int64_t height = 300, width = 301, half = 150;
  const std::string type = "memref<300x301xf16>",
                    part = "memref<150x301xf16, strided<[602, 1], offset: "
                           "301>>";
  const std::string body =
      "%far = arith.constant 50000 : index\n" +
      view("A", "c0", {100, width}, "f16", "global", boxSet({100, width})) +
      view("B", "far", {200, width}, "f16", "global",
           boxSet({200, width}, {100, 0})) +
      "%D = ktdp.construct_distributed_memory_view(%A, %B : "
      "memref<100x301xf16>, memref<200x301xf16>) : " +
      type + "\n%S = memref.subview %D[1, 0] [150, 301] [2, 1] : " + type +
      " to " + part +
      "\n%dt = ktdp.construct_access_tile %S[0, 0] {access_tile_set = " +
      boxSet({half, width}) +
      ", access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : " + part +
      " -> !ktdp.access_tile<301x150xindex>\n" +
      load("v", "dt", {width, half}) +
      storeTo("v", "o", {width, half}, "0, 0", {width, half});
  auto value = [](int64_t i) { return float(i % 2039); };
  Fixture f(kernel("%o: index", 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const std::vector<float> all = make(height * width, value);
  f.fill(0, {all.begin(), all.begin() + 100 * width});
  f.fill(50000, {all.begin() + 100 * width, all.end()});
  ASSERT_EQ(f.run({200000}, {}, 1), RunStatus::Finished) << f.messages();
  EXPECT_TRUE(f.found("*").empty()) << f.messages();
  EXPECT_EQ(f.read(200000, half * width), make(half * width, [&](int64_t i) {
              return value((1 + 2 * (i % half)) * width + i / half);
            }));
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

TEST(DistributedSubviewTest, OutsideOfThePart) {
  // A tile hangs over the part, not over the matrix.
  std::string type = whole;
  std::string body = subview("S", "D", type, {3, 2}, {4, 5}, {2, 1}) +
                     tile("dt", "S", type, "2, -1", {3, 4}) +
                     load("v", "dt", {3, 4}) +
                     storeTo("v", "o", {3, 4}, "0, 0", {3, 4});
  for (const Pieces &pieces : arrangements) {
    Fixture f(kernel("%o: index", 1, matrix(pieces) + body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    Values values = numbered(pieces);
    put(f, values);
    ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.found("*").size(), 2u) << f.messages();
    EXPECT_NE(f.messages().find("coordinate 4 of dimension 0 lies outside the "
                                "view, whose extent is 4"),
              std::string::npos)
        << f.messages();
    EXPECT_NE(f.messages().find("coordinate -1 of dimension 1 lies outside the "
                                "view, whose extent is 5"),
              std::string::npos)
        << f.messages();
    EXPECT_EQ(f.read(out, 12), make(12, [&](int64_t i) {
                int64_t r = 2 + i / 4, c = i % 4 - 1;
                return r > 3 || c < 0
                           ? 0.0f
                           : readFrom(pieces, values, 3 + 2 * r, 2 + c);
              }));
    RunOptions options;
    options.outOfView = OutOfViewPolicy::Trap;
    EXPECT_EQ(f.run({out}, options), RunStatus::Failed);
    EXPECT_NE(f.messages().find("outside the view"), std::string::npos)
        << f.messages();
  }
}

TEST(DistributedSubviewTest, CoordinatesMayBeAnyNumber) {
  std::string type = whole;
  std::string body = subview("S", "D", type, {9, 2}, {4, 5}, {-2, 2}) +
                     view("V", "o", {1, 1}) +
                     "%x = memref.load %S[%a, %b] : " + type +
                     "\nmemref.store %x, %V[%c0, %c0] : memref<1x1xf16>\n";
  constexpr int64_t most = std::numeric_limits<int64_t>::max(),
                    least = std::numeric_limits<int64_t>::min();
  for (const Pieces &pieces : arrangements) {
    Fixture f(
        kernel("%o: index, %a: index, %b: index", 1, matrix(pieces) + body),
        Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    const Values values = numbered(pieces);
    put(f, values);
    for (int64_t a : {least, int64_t(-1), int64_t(2), int64_t(4), most})
      for (int64_t b : {least, int64_t(3), int64_t(1) << 62, most}) {
        ASSERT_EQ(f.run({out, a, b}), RunStatus::Finished) << f.messages();
        const size_t outside = (a != 2) + (b != 3);
        EXPECT_EQ(f.found("*").size(), outside) << f.messages();
        EXPECT_EQ(f.read(out, 1)[0],
                  outside ? 0.0f : readFrom(pieces, values, 5, 8));
      }
  }
}

TEST(DistributedSubviewTest, CoordinatesInNoPartition) {
  // Rows 5 .. of columns 7 .. are in no piece, so that coordinate (2, 3) of the
  // part is the first of them in its order: row 5, column 8.
  const Pieces pieces = {{0, {0, 0}, {5, 13}}, {1000, {5, 0}, {6, 7}}};
  for (bool stores : {false, true}) {
    std::string type = whole;
    std::string body = subview("S", "D", type, {1, 2}, {4, 5}, {2, 2}) +
                       move(stores, "S", type, {4, 5});
    Fixture f(kernel("%o: index", 1, matrix(pieces) + body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    put(f, numbered(pieces));
    f.fill(out, make(20, [](int i) { return float(i); }));
    EXPECT_EQ(f.run({out}), RunStatus::Failed);
    ASSERT_EQ(f.found("D10").size(), 1u) << f.messages();
    EXPECT_EQ(f.found("D10")[0].message,
              std::string("'ktdp.") + (stores ? "store" : "load") +
                  "' on tile 0: coordinate (5, 8) lies in no partition of the "
                  "distributed view; it is (2, 3) of the subview");
  }
  // What the part leaves out is no matter.
  check(
      pieces,
      [&] {
        std::string type = whole;
        std::string text = subview("S", "D", type, {1, 2}, {4, 3}, {2, 2});
        return text + move(false, "S", type, {4, 3});
      }(),
      Part::all().sub({1, 2}, {4, 3}, {2, 2}), false);
}

TEST(DistributedSubviewTest, PartitionsThatHangOverTheirOwnEnds) {
  // The second view has 3 of the 6 rows of its set, and 13 of 13 columns. Rows
  // 0, 3, 6, 9 of it are rows 0, 3 of the first piece and local rows 1 and 4 of
  // the second; backwards the same.
  for (int64_t sign : {1, -1})
    for (bool drops : {false, true}) {
      std::string type = whole;
      std::string part = drops
                             ? subview("S", "D", type, {9, 2}, {-1, 4}, {1, 3})
                             : subview("S", "D", type, {sign > 0 ? 0 : 9, 2},
                                       {4, 4}, {3 * sign, 3});
      const std::string body =
          view("A", "c0", {5, 13}, "f16", "global", boxSet({5, 13})) +
          "%far = arith.constant 1000 : index\n" +
          view("B", "far", {3, 13}, "f16", "global", boxSet({6, 13}, {5, 0})) +
          "%D = ktdp.construct_distributed_memory_view(%A, %B : "
          "memref<5x13xf16>, memref<3x13xf16>) : " +
          whole + "\n" + part +
          move(false, "S", type, drops ? Shape{4} : Shape{4, 4});
      Fixture f(kernel("%o: index", 1, body), Level::Ktir);
      ASSERT_TRUE(f) << f.errors;
      f.fill(0, make(65, [](int i) { return float(i + 1); }));
      f.fill(1000, make(39, [](int i) { return float(i + 501); }));
      ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
      ASSERT_EQ(f.found("*").size(), 1u) << f.messages();
      EXPECT_NE(f.messages().find("coordinate 4 of dimension 0 lies outside "
                                  "the view, whose extent is 3"),
                std::string::npos)
          << f.messages();
      EXPECT_EQ(f.read(out, drops ? 4 : 16),
                make(drops ? 4 : 16, [&](int64_t i) {
                  int64_t r = drops ? 9 : sign > 0 ? i / 4 * 3 : 9 - i / 4 * 3;
                  int64_t c = 2 + i % 4 * 3;
                  return r < 5   ? float(r * 13 + c + 1)
                         : r < 8 ? float((r - 5) * 13 + c + 501)
                                 : 0.0f;
                }));
      RunOptions options;
      options.outOfView = OutOfViewPolicy::Trap;
      EXPECT_EQ(f.run({out}, options), RunStatus::Failed);
    }
}

TEST(DistributedSubviewTest, RacesAndUnwrittenMemory) {
  // Tiles 0 and 1 write rows 4, 6 and 6, 8.
  const std::string part = "memref<2x13xf16, strided<[26, 1], offset: ?>>";
  const std::string body =
      "%c2 = arith.constant 2 : index\n%c4 = arith.constant 4 : index\n"
      "%p = arith.muli %t, %c2 : index\n%r = arith.addi %p, %c4 : index\n"
      "%S = memref.subview %D[%r, 0] [2, 13] [2, 1] : " +
      whole + " to " + part + "\n" + move(true, "S", part, {2, 13});
  for (const Pieces &pieces : arrangements) {
    Fixture f(kernel("%o: index", 2, matrix(pieces) + body), Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    f.fill(out, make(26, [](int i) { return float(i); }));
    EXPECT_EQ(f.run({out}), RunStatus::Failed);
    ASSERT_EQ(f.found("E-7").size(), 1u) << f.messages();
    EXPECT_NE(f.found("E-7")[0].message.find("coordinate (0, 0) of the view"),
              std::string::npos)
        << f.messages();
    // Row 6 first, as element (0, 0) of tile 1.
  }
  std::string type = whole;
  std::string reads = subview("S", "D", type, {1, 0}, {3, 4}, {3, 3}) +
                      move(false, "S", type, {3, 4});
  const Pieces &pieces = arrangements[0];
  Fixture f(kernel("%o: index", 1, matrix(pieces) + reads), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  // All but row 7, which is the third of the part; columns 7 .. only.
  Values values = numbered(pieces);
  for (int64_t c = 7; c < columns; ++c)
    values.erase(pieces[2].address(7, c));
  put(f, values);
  EXPECT_EQ(f.run({out}), RunStatus::Failed);
  ASSERT_EQ(f.found("E-6").size(), 1u) << f.messages();
  EXPECT_NE(f.found("E-6")[0].message.find(
                "coordinate (2, 3) of the view, byte " +
                std::to_string(pieces[2].address(7, 9) * 2)),
            std::string::npos)
      << f.messages();
}

TEST(DistributedSubviewTest, SizesAndEndsAreChecked) {
  const std::string part = "memref<?x13xf16, strided<[?, 1], offset: ?>>";
  const std::string body =
      "%S = memref.subview %D[%a, 0] [%n, 13] [%s, 1] : " + whole + " to " +
      part + "\n%d = memref.dim %S, %c0 : " + part +
      "\n%P = "
      "memref.subview %P0[0, 0] [%n, 13] [1, 1] : memref<5x13xf16> to "
      "memref<?x13xf16, strided<[13, 1]>>\n";
  Fixture f(kernel("%a: index, %n: index, %s: index", 1,
                   matrix(arrangements[0]) + body),
            Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({0, 4, 3}), RunStatus::Finished) << f.messages();
  // Nothing, wherever it begins.
  EXPECT_EQ(f.run({int64_t(1) << 62, 0, int64_t(1) << 62}), RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.run({10, 1, int64_t(1) << 62}), RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.run({2, 4, 3}), RunStatus::Failed);
  EXPECT_NE(f.messages().find("the view goes from 2 to 11 in dimension 0, "
                              "whose extent is 11"),
            std::string::npos)
      << f.messages();
  EXPECT_EQ(f.run({2, -1, 1}), RunStatus::Failed);
  EXPECT_NE(
      f.messages().find("the size of dimension 0 is -1, expected at least 0"),
      std::string::npos)
      << f.messages();
}

//===----------------------------------------------------------------------===//
// Subviews as partitions
//===----------------------------------------------------------------------===//

/// `%name`, rows `from .. from + count - 1` and columns of `%source`.
std::string rowsOf(const std::string &name, const std::string &source,
                   std::string &type, int64_t from, int64_t count) {
  return subview(name, source, type, {from, 0}, {count, columns}, {1, 1});
}

TEST(SubviewPartitionTest, HoldsWhatItsElementsHold) {
  // Rows 0 .. 10 lie twice; the distributed view takes rows 0 .. 3 and 7 .. 9
  // of one, and 4 .. 6 of the other, those as a subview of a subview.
  const Pieces copies = {{0, {0, 0}, {11, 13}}, {1000, {0, 0}, {11, 13}}};
  const std::string type = "memref<11x13xf16>";
  std::string first = type, second = type, third = type;
  const std::string body =
      view("A", "c0", {11, 13}) + "%far = arith.constant 1000 : index\n" +
      view("B", "far", {11, 13}) + rowsOf("P", "A", first, 0, 4) +
      rowsOf("Q0", "B", second, 3, 6) + rowsOf("Q", "Q0", second, 1, 3) +
      rowsOf("R", "A", third, 7, 3) +
      "%E = ktdp.construct_distributed_memory_view(%P, %Q, %R : " + first +
      ", " + second + ", " + third + ") : memref<10x13xf16>\n";
  for (bool stores : {false, true}) {
    Fixture f(kernel("%o: index", 1,
                     body + move(stores, "E", "memref<10x13xf16>", {10, 13})),
              Level::Ktir);
    ASSERT_TRUE(f) << f.errors;
    Values values = numbered(copies);
    put(f, values);
    if (stores)
      f.fill(out, make(130, [](int i) { return -float(i); }));
    ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
    EXPECT_TRUE(f.found("*").empty()) << f.messages();
    auto address = [&](int64_t i) {
      int64_t r = i / columns;
      return copies[r >= 4 && r < 7].address(r, i % columns);
    };
    for (int64_t i = 0; i < 130 && stores; ++i)
      values[address(i)] = -float(i);
    EXPECT_EQ(get(f, copies), values);
    EXPECT_EQ(f.read(out, 130),
              make(130, [&](int64_t i) { return values[address(i)]; }));
  }
}

TEST(SubviewPartitionTest, OfSetsThatAreNoBoxes) {
  // Even rows of one, of which the subview has local rows 3 .. 9: 4, 6, 8. What
  // it holds lies where the source has it, not at its own beginning.
  const Piece even = arrangements[2][0], odd = arrangements[2][1];
  std::string type = "memref<11x13xf16>";
  const std::string body =
      "%far = arith.constant 1000 : index\n" +
      view("A", "c0", even.shape, "f16", "global", even.set()) +
      view("B", "far", odd.shape, "f16", "global", odd.set()) +
      rowsOf("P", "A", type, 3, 6) +
      "%E = ktdp.construct_distributed_memory_view(%P, %B : " + type +
      ", memref<9x13xf16>) : memref<10x13xf16>\n" +
      tile("dt", "E", "memref<10x13xf16>", "3, 0", {7, 13}) +
      load("v", "dt", {7, 13}) + storeTo("v", "o", {7, 13}, "0, 0", {7, 13}) +
      "%c2 = arith.constant 2 : index\n%at = arith.muli %which, %c2 : index\n"
      "%x = memref.load %E[%at, %c0] : memref<10x13xf16>\n";
  Fixture f(kernel("%o: index, %which: index", 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const Values values = numbered({even, odd});
  put(f, values);
  for (int64_t which : {2, 3, 4}) {
    ASSERT_EQ(f.run({out, which}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(out, 91), make(91, [&](int64_t i) {
                return readFrom({even, odd}, values, 3 + i / 13, i % 13);
              }));
  }
  EXPECT_EQ(f.run({out, 1}), RunStatus::Failed);
  ASSERT_EQ(f.found("D10").size(), 1u) << f.messages();
}

TEST(SubviewPartitionTest, EndWhereTheLastOfTheSetIs) {
  // Local rows 3 .. 7 of even rows are 4 and 6: the view ends after row 6.
  const Piece even = arrangements[2][0];
  std::string type = "memref<11x13xf16>";
  const std::string body =
      view("A", "c0", even.shape, "f16", "global", even.set()) +
      rowsOf("P", "A", type, 3, 5) +
      "%E = ktdp.construct_distributed_memory_view(%P : " + type +
      ") : memref<7x13xf16>\n" +
      tile("dt", "E", "memref<7x13xf16>", "6, 0", {1, 13}) +
      load("v", "dt", {1, 13}) + storeTo("v", "o", {1, 13}, "0, 0", {1, 13});
  Fixture f(kernel("%o: index", 1, body), Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  const Values values = numbered({even});
  put(f, values);
  ASSERT_EQ(f.run({out}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(out, 13), make(13, [&](int64_t i) {
              return readFrom({even}, values, 6, i);
            }));
}

TEST(SubviewPartitionTest, WithoutASetAreRefused) {
  // Where it is known, before the run.
  const std::string views =
      "%far = arith.constant 1000 : index\n" + view("A", "c0", {11, 13}) +
      "%N = ktdp.construct_memory_view %far, sizes: [4], strides: [1] "
      "{coordinate_set = affine_set<(a) : (a >= 0, -a + 3 >= 0)>, memory_space "
      "= #ktdp.memory_space<global>} : memref<4xf16>\n" +
      matrix(arrangements[0]);
  const std::string noSet = "a view without a coordinate set that says what it "
                            "holds",
                    joined = "a distributed view or a part of one";
  const std::array<std::string, 4> cases[] = {
      {"%S = memref.subview %A[0, 0] [4, 13] [2, 1] : memref<11x13xf16> to "
       "memref<4x13xf16, strided<[26, 1]>>\n",
       "memref<4x13xf16, strided<[26, 1]>>", "memref<4x13xf16>", noSet},
      {"%S = memref.subview %A[2, 0] [1, 13] [1, 1] : memref<11x13xf16> to "
       "memref<13xf16, strided<[1], offset: 26>>\n",
       "memref<13xf16, strided<[1], offset: 26>>", "memref<13xf16>", noSet},
      {"%S = memref.reinterpret_cast %A to offset: [0], sizes: [143], strides: "
       "[1] : memref<11x13xf16> to memref<143xf16>\n",
       "memref<143xf16>", "memref<143xf16>", noSet},
      {"%S = memref.cast %D : memref<11x13xf16> to memref<?x13xf16>\n",
       "memref<?x13xf16>", "memref<?x13xf16>", joined},
      {"%S = memref.subview %D[0, 0] [4, 13] [1, 1] : memref<11x13xf16> to "
       "memref<4x13xf16, strided<[13, 1]>>\n",
       "memref<4x13xf16, strided<[13, 1]>>", "memref<4x13xf16>", joined}};
  for (const auto &[made, type, result, what] : cases) {
    const std::string expected =
        "operand 0 is " + what +
        "; expected a view of construct_memory_view, or a subview of one with "
        "its rank and strides of 1";
    auto join = [&](const std::string &operand) {
      return "%E = ktdp.construct_distributed_memory_view(%" + operand + " : " +
             type + ") : " + result + "\n";
    };
    Fixture known(kernel("", 1, views + made + join("S")), Level::Ktir);
    EXPECT_FALSE(known);
    EXPECT_NE(known.errors.find("cannot be executed: " + expected),
              std::string::npos)
        << known.errors;
    // Else in the run.
    Fixture carried(
        kernel("", 1,
               views + made +
                   "%c1 = arith.constant 1 : index\n%L = scf.for %i = %c0 to "
                   "%c1 step %c1 iter_args(%v = %S) -> (" +
                   type + ") {\nscf.yield %v : " + type + "\n}\n" + join("L")),
        Level::Ktir);
    ASSERT_TRUE(carried) << carried.errors;
    EXPECT_EQ(carried.run({}), RunStatus::Failed);
    EXPECT_NE(carried.messages().find(expected), std::string::npos)
        << carried.messages();
  }
}

} // namespace
