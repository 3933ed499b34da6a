//===- TypesTest.cpp - Types as text --------------------------------------===//

#include "ktir/Syntax/Types.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

TEST(Types, TakesShapedTypesApart) {
  std::optional<ShapedText> type = parseShaped("memref<4x?x64xf16, #l, 1>");
  ASSERT_TRUE(type);
  EXPECT_EQ(type->kind, "memref");
  EXPECT_EQ(type->extents,
            (llvm::SmallVector<llvm::StringRef, 4>{"4", "?", "64"}));
  EXPECT_EQ(type->element, "f16");
  EXPECT_EQ(type->rest, ", #l, 1>");
  EXPECT_EQ(type->withElement("i1"), "memref<4x?x64xi1>");
  EXPECT_EQ(parseShaped("tensor<f32>")->element, "f32");
  EXPECT_TRUE(parseShaped("tensor<f32>")->extents.empty());
  EXPECT_EQ(parseShaped("tensor<2x!a.b<c, d>>")->element, "!a.b<c, d>");
  EXPECT_EQ(parseShaped("vector<2 x f32>")->element, "f32");
  EXPECT_EQ(parseShaped("memref<4xf16, affine_map<(d0) -> (d0)>>")->rest,
            ", affine_map<(d0) -> (d0)>>");
  EXPECT_FALSE(parseShaped("tensor<*xf32>"));
  EXPECT_FALSE(parseShaped("tensor<4xf32>x"));
  EXPECT_FALSE(parseShaped("tensor<4xf32)"));
  EXPECT_FALSE(parseShaped("!ktdp.access_tile<4xindex>"));
  EXPECT_FALSE(parseShaped("f16"));
  EXPECT_FALSE(parseShaped("tensor<4xf16"));
  EXPECT_FALSE(parseShaped("tensor<4"));
  EXPECT_FALSE(parseShaped("tensor<>"));
  EXPECT_FALSE(parseShaped(""));
}

TEST(Types, KnowsFloats) {
  for (const char *type : {"f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN"})
    EXPECT_TRUE(isFloat(type)) << type;
  for (const char *type : {"i16", "index", "f", "fp16", "!t", "", "si32"})
    EXPECT_FALSE(isFloat(type)) << type;
}

/// The result types of the first operation, in brackets what they are of it.
static std::vector<std::string> typesOf(llvm::StringRef text) {
  Outline outline(text);
  std::vector<std::string> result;
  for (const TypeRef &type : resultTypes(outline, outline.statements()[0])) {
    static const char *const parts[] = {"", " element", " truth"};
    result.push_back(outline.slice(type.stated).str() +
                     parts[unsigned(type.part)]);
  }
  return result;
}

using Strings = std::vector<std::string>;

TEST(Types, ResultTypesOfCustomForms) {
  EXPECT_EQ(typesOf("%a = arith.addf %b, %c : tensor<4xf16>"),
            (Strings{"tensor<4xf16>"}));
  EXPECT_EQ(typesOf("%a = arith.constant dense<[1, 2]> : tensor<2xindex>"),
            (Strings{"tensor<2xindex>"}));
  EXPECT_EQ(typesOf("%a = arith.index_cast %b : index to i32 loc(#l)"),
            (Strings{"i32"}));
  EXPECT_EQ(typesOf("%a = ktdp.load %t : <4xindex> -> tensor<4xf16>"),
            (Strings{"tensor<4xf16>"}));
  EXPECT_EQ(typesOf("%a = tensor.collapse_shape %b [[0, 1]] : tensor<1x4xf16> "
                    "into tensor<4xf16>"),
            (Strings{"tensor<4xf16>"}));
  EXPECT_EQ(typesOf("%a = tensor.extract %b[%c] : tensor<4xf16>"),
            (Strings{"tensor<4xf16> element"}));
  EXPECT_EQ(typesOf("%a = arith.cmpf oge, %b, %c : tensor<4xf16>"),
            (Strings{"tensor<4xf16> truth"}));
  EXPECT_EQ(typesOf("%a = arith.select %b, %c, %d : tensor<4xi1>, !t"),
            (Strings{"!t"}));
  EXPECT_EQ(typesOf("%a = arith.select %b, %c, %d : f16"), (Strings{"f16"}));
  EXPECT_EQ(typesOf("%a, %b = ktdp.get_compute_tile_id : index, index"),
            (Strings{"index", "index"}));
  EXPECT_EQ(typesOf("%a = ktdp.construct_distributed_memory_view (%b, %c : "
                    "memref<2xf16>, memref<2xf16>) : memref<4xf16>"),
            (Strings{"memref<4xf16>"}));
  EXPECT_EQ(typesOf("%f = ktdp.inter_tile_produce producer_tiles_per_group = "
                    "#m -> <(tensor<4xf16>), groups = #g> { a.b }"),
            (Strings{"<(tensor<4xf16>), groups = #g>"}));
}

TEST(Types, ResultTypesOfLoopsAndLinalg) {
  EXPECT_EQ(typesOf("%r:2, %s = scf.for %i = %a to %b step %c "
                    "iter_args(%x = %d, %y = %e, %z = %f) "
                    "-> (tensor<4xf16>, i32, f16)  : i32 { scf.yield %x }"),
            (Strings{"tensor<4xf16>", "i32", "f16"}));
  EXPECT_EQ(typesOf("%r = scf.if %c -> (f16) { scf.yield %x : f16 }"),
            (Strings{"f16"}));
  EXPECT_EQ(typesOf("%r = linalg.reduce { arith.addf } ins(%a : tensor<4xf16>) "
                    "outs(%b : tensor<f16>) dimensions = [0]"),
            (Strings{"tensor<f16>"}));
  EXPECT_EQ(typesOf("%r = linalg.generic {a = 1} ins(%a : !t) outs(%b : !t) "
                    "{ ^bb0(%x: f16): linalg.yield %x : f16 } -> !u"),
            (Strings{"!u"}));
  EXPECT_EQ(typesOf("%r = tensor.generate { ^bb0(%i: index): a.b } : "
                    "tensor<4xf16>"),
            (Strings{"tensor<4xf16>"}));
}

TEST(Types, ResultTypesOfTheGenericForm) {
  EXPECT_EQ(typesOf("%a:2 = \"x.y\"(%b) ({ c.d }) : (i1) -> (f16, f32)"),
            (Strings{"f16", "f32"}));
  EXPECT_EQ(typesOf("%a = \"arith.cmpf\"(%b, %c) : (f16, f16) -> i1"),
            (Strings{"i1"}));
}

TEST(Types, UnknownResultTypes) {
  EXPECT_EQ(typesOf("%a = spyreop.addi32toi32 %b, %c"), Strings{});
  EXPECT_EQ(typesOf("%a = tensor.dim %b, %c : tensor<4xf16>"), Strings{});
  EXPECT_EQ(typesOf("%a, %b = x.y : i1"), Strings{});
  EXPECT_EQ(typesOf("%a = x.y :"), Strings{});
  EXPECT_EQ(typesOf("%a = x.y ->"), Strings{});
  EXPECT_EQ(typesOf("x.y : i1"), Strings{});
  EXPECT_EQ(typesOf("%a = linalg.add outs"), Strings{});
}

TEST(Types, ResultNames) {
  Outline outline("%a, %b:3, %c = x.y");
  llvm::SmallVector<ResultName> names =
      resultNames(outline, outline.statements()[0]);
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(outline.spelling(names[1].token), "%b");
  EXPECT_EQ(names[1].number, 1u);
  EXPECT_EQ(names[1].count, 3u);
  EXPECT_EQ(names[2].number, 4u);
  EXPECT_EQ(names[2].count, 1u);
}
