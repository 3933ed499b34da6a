//===- HostileTextTest.cpp - Forms in text of any kind --------------------===//

#include "Effort.h"
#include "FormTestSupport.h"

#include "ktir/Syntax/Outline.h"

#include <gtest/gtest.h>

#include <random>

using namespace ktir::syntax;
using ktir::test::effort;

static std::string repeat(const std::string &part, size_t bytes) {
  std::string text;
  while (text.size() < bytes)
    text += part;
  return text;
}

TEST(HostileText, TextsOfTenMegabytes) {
  // Quadratic time would take hours here.
  const size_t bytes = effort(10'000'000, 2'000'000);
  for (const char *part : {"(", "%"})
    EXPECT_TRUE(findLegacyForms(repeat(part, bytes)).empty()) << part;
  std::mt19937 random(1);
  std::string noise(bytes, '\0');
  for (char &c : noise)
    c = char(random());
  expectSoundEdits(noise);
}

TEST(HostileText, OneThingOverAndOver) {
  const size_t bytes = effort(1'000'000, 200'000);
  for (const char *part :
       {")",          "{",           "}",        "<",     ">",    "[",
        "\"",         "\xFF",        "#",        "%a ",   "%a, ", "%a = ",
        "({",         "(<",          "{%a = ",   "a.b {", "^a(",  "^a:",
        "a.b({%x = ", "%a:2 = a.b ", "#s = #s ", "loc(",  "//",   "!t = !t "})
    EXPECT_TRUE(findLegacyForms(repeat(part, bytes)).empty()) << part;
}

TEST(HostileText, ManyForms) {
  const size_t bytes = effort(2'000'000, 400'000);
  const std::string head = "module { func.func @f(%c: tensor<4xf16>, %v: "
                           "memref<4xf16>) attributes {grid = [4, 1]} {\n";
  for (const char *part :
       {"%m = ktdp.construct_memory_view %p, sizes: [4], strides: [1] "
        "{memory_space = #ktdp.spyre_memory_space<unspecified>} : !t\n",
        "%t = ktdp.get_compute_tile_id : index\n",
        "linalg.add ins(%c, %c : !t, !t) outs(%c : tensor<4xf16>)\n",
        "scf.for %i = %a to %b step %s { linalg.add ins(%c, %c : !t, !t) "
        "outs(%c : tensor<4xf16>)\n",
        "%t = ktdp.construct_access_tile %v[%i / 2] {access_tile_set = #s} -> "
        "!ktdp.tile<4xindex>\n",
        "%t = arith.select %t, %a, %b : tensor<4xi1>\n",
        "%t = arith.cmpi sge, %a, %b : f16\n"}) {
    std::string text = head + repeat(part, bytes);
    EXPECT_FALSE(findLegacyForms(text).empty()) << part;
  }
  // A type that many operations would repeat.
  std::string text =
      head + "%w = foo.bar : memref<" + repeat("4x", 100'000) + "f16>\n" +
      repeat("%t = ktdp.construct_access_tile %w[%i] {access_tile_order = #m} "
             "-> !ktdp.access_tile<4xindex>\n",
             bytes);
  EXPECT_TRUE(findLegacyForms(text).empty());
}

TEST(HostileText, NestedRegionsThatDoNotEnd) {
  const size_t bytes = effort(2'000'000, 400'000);
  const std::string ends = repeat("}", bytes);
  for (const char *part :
       {"scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f16) { ",
        "linalg.generic ins(%a : f16) outs(%c : tensor<4xf16>) { ",
        "func.func @f(%a: index) attributes {grid = [4, 1]} { ",
        "\"a.b\"() ({ ", "%c = a.b { "}) {
    findLegacyForms(repeat(part, bytes));
    findLegacyForms(repeat(part, bytes) + ends);
  }
  // One operation with many regions.
  findLegacyForms("a.b " + repeat("{ %x = c.d } ", bytes));
}

/// Changes `text` at a few places: bytes, tokens dropped, doubled or swapped.
static std::string mutate(const std::string &text, std::mt19937 &random) {
  std::vector<Token> tokens = tokenize(text);
  std::vector<std::string> parts;
  size_t at = 0;
  for (const Token &token : tokens) {
    parts.push_back(text.substr(at, token.begin - at));
    parts.push_back(text.substr(token.begin, token.end - token.begin));
    at = token.end;
  }
  for (unsigned i = 0, count = 1 + random() % 8; i < count; ++i) {
    std::string &one = parts[random() % parts.size()];
    std::string &other = parts[random() % parts.size()];
    switch (random() % 5) {
    case 0:
      one.clear();
      break;
    case 1:
      one += one;
      break;
    case 2:
      std::swap(one, other);
      break;
    case 3:
      one = other;
      break;
    default:
      if (!one.empty())
        one[random() % one.size()] = char(random());
      break;
    }
  }
  std::string result;
  for (const std::string &part : parts)
    result += part;
  return result;
}

TEST(HostileText, ChangedProgramsAreFixedSoundly) {
  std::mt19937 random(20);
  const std::string rfc =
      "module {\n  func.func @f(%X: memref<8x64xf16, "
      "#ktdp.spyre_memory_space<LX>>, %c: tensor<4xf16>) attributes {grid = "
      "[4, 1]} {\n"
      "    %t = ktdp.get_compute_tile_id : index\n"
      "    %g = ktdp.construct_indirect_access_tile "
      "intermediate_variables(%m, %k) %X[%I[%m / 2], %t % 64] "
      "{variables_space_set = #s, variables_space_order = #o} : "
      "memref<8x64xf16>, memref<8xi32>, !ktdp.tile<2x64xindex>\n"
      "    %a = ktdp.construct_access_tile %X[%t, %t] {access_tile_set = "
      "affine_set<(a, b) : (a >= 0)>} -> !ktdp.tile<2x64xindex>\n"
      "    linalg.add ins(%c, %c : tensor<4xf16>, tensor<4xf16>) outs(%c : "
      "tensor<4xf16>)\n"
      "    scf.if %p { foo.use %c }\n"
      "    %f = ktdp.inter_tile_produce producer_tiles_per_group = #p : "
      "tensor<4xf16> -> <tensor<4xf16>, groups = #g> {\n    ^bb0(%i: index):\n"
      "      ktdp.yield_partial %c : tensor<4xf16>\n    }\n"
      "    %y = spyre.exp %x : f16\n"
      "    return\n  }\n}\n";
  for (const std::string &source :
       {rfc, readSource("tests/inputs/producers/old_forms.mlir")})
    for (unsigned i = 0; i < 1000; ++i) {
      std::string text = mutate(source, random);
      std::string fixed = expectSoundEdits(text);
      for (const Fix &again : findLegacyForms(fixed))
        EXPECT_EQ(again.standing, Standing::Refused) << again.message;
      FixedText map(text, findLegacyForms(text));
      bool rises = true;
      for (size_t at = 0; at < fixed.size(); ++at)
        rises &= map.originalOffset(at) <= map.originalOffset(at + 1);
      EXPECT_TRUE(rises);
      EXPECT_EQ(map.originalOffset(fixed.size()), text.size());
      if (::testing::Test::HasFailure())
        FAIL() << text;
    }
}
