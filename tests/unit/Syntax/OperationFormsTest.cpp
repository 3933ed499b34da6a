//===- OperationFormsTest.cpp - LF-5, LF-14 to LF-17 ----------------------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

//===----------------------------------------------------------------------===//
// LF-5
//===----------------------------------------------------------------------===//

static std::string producer(const std::string &stated,
                            const std::string &future) {
  return inFunction("%f = ktdp.inter_tile_produce producer_tiles_per_group = "
                    "affine_set<(i)[g] : (i - g == 0)> " +
                    stated + "-> " + future +
                    " {\n^bb0(%g: index):\n  ktdp.yield_partial %x : "
                    "tensor<64xf16>\n}");
}

TEST(OperationForms, OperandTypeOfAProduction) {
  const ExpectedForm form = {
      "LF-5", "expected no operand type before '->'; leave it out", ""};
  const std::string strict = "<(tensor<64xf16>), groups = #g>";
  const std::string full = "!ktdp.tile_future" + strict;
  expectForms(producer("~[: tensor<64xf16> ]~", full), {form},
              producer("", full));
  expectForms(producer("~[: (tensor<64xf16>, tensor<4xf16>) ]~", strict),
              {form}, producer("", strict));
  // With a tile future of former spelling behind it.
  expectForms(producer("~[: tensor<64xf16> ]~",
                       "!ktdp.tile_future<~[tensor<64xf16>, #g]~>"),
              {form,
               {"LF-4",
                "former spelling of a tile future with one type; write "
                "'(tensor<64xf16>), groups = #g'",
                "(tensor<64xf16>), groups = #g"}},
              producer("", full));
  // What is left out needs no other fix.
  expectForms(
      producer("~[: tensor<64xf16, #ktdp.spyre_memory_space<LX>> ]~", full),
      {form}, producer("", full));
  expectNoForm(producer("", full));
  expectNoForm(producer(": ", full));
}

//===----------------------------------------------------------------------===//
// LF-14
//===----------------------------------------------------------------------===//

TEST(OperationForms, ExpandShape) {
  auto text = [](const std::string &groups, const std::string &to,
                 const std::string &head = "") {
    return head + inFunction("%y = tensor.expand_shape %x " + groups +
                             " : tensor<64xf16> into " + to);
  };
  auto form = [](const std::string &shape, const std::string &groups) {
    return ExpectedForm{"LF-14",
                        "expected 'output_shape'; write '" + shape + "'",
                        groups + " " + shape};
  };
  const std::string shape = "output_shape [1, 64]";
  expectForms(text("~[[[0, 1]]]~", "tensor<1x64xf16>"),
              {form(shape, "[[0, 1]]")},
              text("[[0, 1]] " + shape, "tensor<1x64xf16>"));
  const std::string head = "!t = tensor<1x64xf16>\n";
  expectForms(text("~[[[0, 1]]]~", "!t", head), {form(shape, "[[0, 1]]")},
              text("[[0, 1]] " + shape, "!t", head));
  expectForms(text("~[[]]~", "tensor<1x1xf16>"),
              {form("output_shape [1, 1]", "[]")},
              text("[] output_shape [1, 1]", "tensor<1x1xf16>"));
  // Strict; an extent or a type that is not known.
  expectNoForm(text("[[0, 1]] " + shape, "tensor<1x64xf16>"));
  expectNoForm(text("[[0, 1]]", "tensor<?x64xf16>"));
  expectNoForm(text("[[0, 1]]", "!u"));
  expectNoForm(inFunction("%y = tensor.expand_shape %x [[0, 1]]"));
}

//===----------------------------------------------------------------------===//
// LF-15
//===----------------------------------------------------------------------===//

static std::string comparison(const std::string &start,
                              const std::string &type) {
  return inFunction("%c = " + start + ", %a, %b : " + type);
}

TEST(OperationForms, IntegerComparisonOfFloats) {
  // KTIR UP-7: read as the ordered comparison.
  const std::pair<const char *, const char *> predicates[] = {
      {"eq", "oeq"},  {"ne", "one"},  {"slt", "olt"}, {"sle", "ole"},
      {"sgt", "ogt"}, {"sge", "oge"}, {"ult", "olt"}, {"ule", "ole"},
      {"ugt", "ogt"}, {"uge", "oge"}};
  for (auto [former, strict] : predicates)
    for (const char *type : {"tensor<1x64xf16>", "f32", "bf16"}) {
      std::string start = std::string("arith.cmpf ") + strict;
      expectForms(
          comparison("~[arith.cmpi " + std::string(former) + "]~", type),
          {{"LF-15", "integer comparison of floats; write '" + start + "'",
            start}},
          comparison(start, type));
    }
  expectForms(comparison("~[arith.cmpi \"sge\"]~", "f16"),
              {{"LF-15", "integer comparison of floats; write 'arith.cmpf oge'",
                "arith.cmpf oge"}},
              comparison("arith.cmpf oge", "f16"));
  expectForms("!t = tensor<4xf32>\n" + comparison("~[arith.cmpi sge]~", "!t"),
              {{"LF-15", "integer comparison of floats; write 'arith.cmpf oge'",
                "arith.cmpf oge"}},
              "!t = tensor<4xf32>\n" + comparison("arith.cmpf oge", "!t"));
}

TEST(OperationForms, ComparisonsThatAreLeft) {
  for (const char *type : {"index", "i32", "tensor<4xi64>", "!t", "si32"})
    expectNoForm(comparison("arith.cmpi sge", type));
  expectNoForm(comparison("arith.cmpi foo", "f16"));
  expectNoForm(comparison("arith.cmpf oge", "f16"));
  expectNoForm(inFunction("%c = \"arith.cmpi\"(%a, %b) : (f16, f16) -> i1"));
  expectNoForm(inFunction("%c = arith.cmpi sge"));
}

//===----------------------------------------------------------------------===//
// LF-16
//===----------------------------------------------------------------------===//

static std::string selection(const std::string &condition,
                             const std::string &types,
                             const std::string &signature = "@f()",
                             const std::string &name = "%c") {
  return inFunction(condition + "%s = arith.select " + name +
                        ", %a, %b : " + types,
                    signature);
}

static ExpectedForm selectionForm(const std::string &strict,
                                  const std::string &name = "%c") {
  return {"LF-16",
          "expected the type of the condition '" + name + "' too; write '" +
              strict + "'",
          strict};
}

TEST(OperationForms, SelectionByATensor) {
  const std::string type = "tensor<4xf16>";
  const std::string strict = "tensor<4xi1>, tensor<4xf16>";
  const std::string definitions[] = {
      "%c = arith.cmpf oge, %x, %y : tensor<4xf16>\n",
      "%c = arith.cmpi sge, %x, %y : tensor<4xi32>\n",
      "%c = math.isnan %x : tensor<4xf32>\n",
      "%c = arith.andi %x, %y : tensor<4xi1>\n",
      "%c = arith.constant dense<true> : tensor<4xi1>\n"};
  for (const std::string &definition : definitions)
    expectForms(selection(definition, "~[" + type + "]~"),
                {selectionForm(strict)}, selection(definition, strict));
  // The condition as an argument and as one of several results.
  const std::string signature = "@f(%c: tensor<4xi1>)";
  expectForms(selection("", "~[" + type + "]~", signature),
              {selectionForm(strict)}, selection("", strict, signature));
  const std::string two = "%c:2 = foo.bar : i1, tensor<4xi1>\n";
  expectForms(selection(two, "~[" + type + "]~", "@f()", "%c#1"),
              {selectionForm(strict, "%c#1")},
              selection(two, strict, "@f()", "%c#1"));
}

TEST(OperationForms, SelectionByAComparisonThatIsFixed) {
  auto text = [](const std::string &compare, const std::string &types) {
    return selection("%c = " + compare + ", %x, %y : tensor<4xf16>\n", types);
  };
  const std::string strict = "tensor<4xi1>, tensor<4xf16>";
  expectForms(text("~[arith.cmpi sge]~", "~[tensor<4xf16>]~"),
              {{"LF-15", "integer comparison of floats; write 'arith.cmpf oge'",
                "arith.cmpf oge"},
               selectionForm(strict)},
              text("arith.cmpf oge", strict));
}

TEST(OperationForms, SelectionsByNamesInScope) {
  // The same name in sibling blocks and as arguments of blocks.
  auto text = [](const std::string &inner) {
    return inFunction("scf.if %p {\n"
                      "  %c = arith.cmpf oge, %x, %y : f16\n"
                      "  %s = arith.select %c, %a, %b : f16\n"
                      "} else {\n"
                      "  %c = arith.cmpf oge, %x, %y : tensor<2xf16>\n"
                      "  %s = arith.select %c, %a, %b : " +
                      inner +
                      "\n"
                      "}\n"
                      "foo.bar {\n^bb0(%c: tensor<3xi1>, %d: i1):\n"
                      "  %s = arith.select %c, %a, %b : tensor<3xi1>, !t\n"
                      "  %t = arith.select %d, %a, %b : tensor<3xf16>\n}");
  };
  expectForms(text("~[tensor<2xf16>]~"),
              {selectionForm("tensor<2xi1>, tensor<2xf16>")},
              text("tensor<2xi1>, tensor<2xf16>"));
}

TEST(OperationForms, SelectionsThatAreLeft) {
  const std::string compare = "%c = arith.cmpf oge, %x, %y : ";
  expectNoForm(selection(compare + "f16\n", "tensor<4xf16>"));
  expectNoForm(selection(compare + "!t\n", "tensor<4xf16>"));
  expectNoForm(selection("", "tensor<4xf16>"));
  expectNoForm(selection("%c = foo.bar : tensor<4xi8>\n", "tensor<4xf16>"));
  expectNoForm(
      selection(compare + "tensor<4xf16>\n", "tensor<4xi1>, tensor<4xf16>"));
}

//===----------------------------------------------------------------------===//
// LF-17
//===----------------------------------------------------------------------===//

static std::string tileIds(const std::string &grid, const std::string &line,
                           const std::string &head = "") {
  return head +
         inFunction(line, "@f(%p: index) attributes {a, grid = " + grid + "}");
}

static ExpectedForm tileIdForm(unsigned rank, const std::string &strict) {
  return {"LF-17",
          "one tile id on a grid of rank " + std::to_string(rank) +
              "; write '" + strict + "'",
          strict};
}

TEST(OperationForms, OneTileIdOnALargerGrid) {
  const std::string one = "%t = ktdp.get_compute_tile_id : index";
  const std::string two = "%t, %t_1 = ktdp.get_compute_tile_id : index, index";
  const std::string three =
      "%t, %t_1, %t_2 = ktdp.get_compute_tile_id : index, index, index";
  for (const char *grid : {"[4, 1]", "[4 : index, 8 : index]"})
    expectForms(tileIds(grid, "~[" + one + "]~"), {tileIdForm(2, two)},
                tileIds(grid, two));
  expectForms(tileIds("[2, 2, 2]", "~[" + one + "]~"), {tileIdForm(3, three)},
              tileIds("[2, 2, 2]", three));
  const std::string head = "#g = [4, 1]\n";
  expectForms(tileIds("#g", "~[" + one + "]~", head), {tileIdForm(2, two)},
              tileIds("#g", two, head));
  // Inside a loop, with an attribute, with a location; without a name.
  expectForms(
      tileIds("[4, 1]", "scf.for %i = %a to %b step %c {\n  ~[%0 = "
                        "ktdp.get_compute_tile_id {x = 1} : index]~ "
                        "loc(#l)\n}"),
      {tileIdForm(2, "%0, %_0_1 = ktdp.get_compute_tile_id {x = 1} : index, "
                     "index")},
      tileIds("[4, 1]", "scf.for %i = %a to %b step %c {\n  %0, %_0_1 = "
                        "ktdp.get_compute_tile_id {x = 1} : index, index "
                        "loc(#l)\n}"));
  expectForms(tileIds("[4, 1]", "~[ktdp.get_compute_tile_id : index]~"),
              {tileIdForm(2, "ktdp.get_compute_tile_id : index, index")},
              tileIds("[4, 1]", "ktdp.get_compute_tile_id : index, index"));
}

TEST(OperationForms, NewNamesAreNotInUse) {
  auto text = [](const std::string &ids) {
    return tileIds("[4, 1]",
                   ids + "\n%t_1 = foo.bar\n%a, %t_2:2 = foo.baz %t_3#1");
  };
  const std::string strict =
      "%t, %t_4 = ktdp.get_compute_tile_id : index, index";
  expectForms(text("~[%t = ktdp.get_compute_tile_id : index]~"),
              {tileIdForm(2, strict)}, text(strict));
}

TEST(OperationForms, TileIdsThatAreLeft) {
  const std::string one = "%t = ktdp.get_compute_tile_id : index";
  expectNoForm(tileIds("[32]", one));
  expectNoForm(tileIds("[]", one));
  expectNoForm(tileIds("#unknown", one));
  expectNoForm(tileIds("4", one));
  expectNoForm(inFunction(one));
  expectNoForm(
      tileIds("[4, 1]", "%p:2 = ktdp.get_compute_tile_id : index, index"));
  expectNoForm(
      tileIds("[4, 1]", "%t, %u = ktdp.get_compute_tile_id : index, index"));
  expectNoForm(tileIds("[4, 1]", "%t = ktdp.get_compute_tile_id : i32"));
  // The grid of another function.
  expectNoForm(tileIds("[4, 1]", "foo.bar") + inFunction(one, "@g()"));
}
