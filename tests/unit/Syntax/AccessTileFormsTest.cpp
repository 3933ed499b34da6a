//===- AccessTileFormsTest.cpp - LF-6 to LF-12 ----------------------------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

//===----------------------------------------------------------------------===//
// LF-6, LF-7
//===----------------------------------------------------------------------===//

static std::string directTile(const std::string &attributes,
                              const std::string &head = "") {
  return head + inFunction("%t = ktdp.construct_access_tile %v[%i, %j] {" +
                               attributes +
                               "}\n     : memref<8x64xf16> -> "
                               "!ktdp.access_tile<2x64xindex>",
                           "@f(%v: memref<8x64xf16>, %i: index, %j: index)");
}

static ExpectedForm missingOrder(const std::string &set,
                                 const std::string &map) {
  return {
      "LF-6",
      "expected attribute 'access_tile_order'; write 'access_tile_order = " +
          map + "'",
      "access_tile_set = " + set + ", access_tile_order = " + map};
}

TEST(AccessTileForms, MissingOrder) {
  const std::string set = "affine_set<(a, b)[n] : (a >= 0, n - a - 1 >= 0)>";
  const std::string map = "affine_map<(d0, d1) -> (d0, d1)>";
  expectForms(
      directTile("~[access_tile_set = " + set + "]~"), {missingOrder(set, map)},
      directTile("access_tile_set = " + set + ", access_tile_order = " + map));
  // The set by an alias, of which there are two in a row; more attributes.
  const std::string head = "#a = " + set + "\n#s = #a\n";
  expectForms(directTile("x = 1, ~[access_tile_set = #s]~, y", head),
              {missingOrder("#s", map)},
              directTile("x = 1, access_tile_set = #s, access_tile_order = " +
                             map + ", y",
                         head));
}

TEST(AccessTileForms, MissingOrderHasTheRankOfTheSet) {
  const std::pair<const char *, const char *> pairs[] = {
      {"affine_set<() : ()>", "affine_map<() -> ()>"},
      {"affine_set<(d0) : (d0 >= 0)>", "affine_map<(d0) -> (d0)>"},
      {"affine_set<(x, y, z) : (x >= 0)>",
       "affine_map<(d0, d1, d2) -> (d0, d1, d2)>"}};
  for (auto [set, map] : pairs)
    expectForms(directTile("~[access_tile_set = " + std::string(set) + "]~"),
                {missingOrder(set, map)},
                directTile("access_tile_set = " + std::string(set) +
                           ", access_tile_order = " + map));
}

TEST(AccessTileForms, FormerNameOfTheOrder) {
  expectForms(
      directTile("access_tile_set = #s, ~[variables_space_order]~ = #m"),
      {{"LF-7",
        "former attribute name 'variables_space_order'; write "
        "'access_tile_order'",
        "access_tile_order"}},
      directTile("access_tile_set = #s, access_tile_order = #m"));
}

TEST(AccessTileForms, OrdersThatAreLeft) {
  expectNoForm(directTile("access_tile_set = #s, access_tile_order = #m"));
  expectNoForm(directTile("access_tile_order = #m"));
  // Both names; a set that is not known; no set.
  expectNoForm(
      directTile("access_tile_order = #m, variables_space_order = #m"));
  expectNoForm(directTile("access_tile_set = #unknown"));
  expectNoForm(directTile("access_tile_set = affine_map<(d0) -> (d0)>"));
  expectNoForm(directTile("access_tile_set = #a", "#a = #b\n#b = #a\n"));
  expectNoForm(directTile(""));
}

//===----------------------------------------------------------------------===//
// LF-8
//===----------------------------------------------------------------------===//

static std::string tileOf(const std::string &before, const std::string &base,
                          const std::string &types,
                          const std::string &head = "") {
  return head + inFunction(before + "%t = ktdp.construct_access_tile " + base +
                           "[%i] symbols(%n) {access_tile_set = #s, "
                           "access_tile_order = #m} " +
                           types);
}

static ExpectedForm missingBase(const std::string &base,
                                const std::string &replacement) {
  return {"LF-8",
          "expected the type of '" + base + "' before '->'; write '" +
              replacement + "'",
          replacement};
}

TEST(AccessTileForms, MissingBaseType) {
  const std::string tile = " !ktdp.access_tile<2xindex>";
  const std::pair<std::string, std::string> definitions[] = {
      {"%v = ktdp.construct_memory_view %p, sizes: [8], strides: [1] "
       "{coordinate_set = #a, memory_space = #b} : memref<8xf16>\n",
       "memref<8xf16>"},
      {"%v = ktdp.construct_distributed_memory_view (%a, %b : memref<4xf16>, "
       "memref<4xf16>) : memref<?xf16>\n",
       "memref<?xf16>"},
      {"%v = ktdp.load %x : <8xindex> -> tensor<8xf16>\n", "tensor<8xf16>"}};
  for (const auto &[definition, type] : definitions) {
    expectForms(tileOf(definition, "%v", "~[->]~" + tile),
                {missingBase("%v", ": " + type + " ->")},
                tileOf(definition, "%v", ": " + type + " ->" + tile));
    expectForms(tileOf(definition, "%v", ": ~[->]~" + tile),
                {missingBase("%v", type + " ->")},
                tileOf(definition, "%v", ": " + type + " ->" + tile));
  }
  // A type by its alias, and one of several results.
  const std::string two = "%v:2 = foo.bar : !w, !v\n";
  const std::string head = "!v = memref<8xf16>\n!w = tensor<8xf16>\n";
  expectForms(tileOf(two, "%v#1", "~[->]~" + tile, head),
              {missingBase("%v#1", ": !v ->")},
              tileOf(two, "%v#1", ": !v ->" + tile, head));
}

TEST(AccessTileForms, ABaseTypeIsRepeatedInStrictSpelling) {
  auto text = [](const std::string &space, const std::string &types) {
    return tileOf("%v = ktdp.construct_memory_view %p, sizes: [8], strides: "
                  "[1] {} : memref<8xf16, " +
                      space + ">\n",
                  "%v", types + " !ktdp.access_tile<2xindex>");
  };
  const std::string former = "#ktdp.spyre_memory_space<LX>";
  const std::string strict = "#ktdp.memory_space<ct_local>";
  expectForms(
      text("~[" + former + "]~", "~[->]~"),
      {{"LF-1", "former memory space '" + former + "'; write '" + strict + "'",
        strict},
       missingBase("%v", ": memref<8xf16, " + strict + "> ->")},
      text(strict, ": memref<8xf16, " + strict + "> ->"));
}

TEST(AccessTileForms, BaseTypesOfArguments) {
  const std::string tail = "[%i] {access_tile_set = #s, access_tile_order = "
                           "#m} ";
  auto text = [&](const std::string &types) {
    return inFunction(
        "%t = ktdp.construct_access_tile %v" + tail + types +
            " !ktdp.access_tile<2xindex>\n"
            "%r = scf.for %i = %a to %b step %c iter_args(%x = %v) -> "
            "(tensor<4xf16>) {\n"
            "  %u = ktdp.construct_access_tile %x" +
            tail + (types == "~[->]~" ? types : ": tensor<4xf16> ->") +
            " !ktdp.access_tile<2xindex>\n}",
        "@f(%v: memref<8xf16> {x.y = 1 : i32} loc(\"f\":1:2), %a: index)");
  };
  expectForms(text("~[->]~"),
              {missingBase("%v", ": memref<8xf16> ->"),
               missingBase("%x", ": tensor<4xf16> ->")},
              text(": memref<8xf16> ->"));
}

TEST(AccessTileForms, BaseTypesThatAreNotKnown) {
  const std::string tile = "-> !ktdp.access_tile<2xindex>";
  expectNoForm(tileOf("", "%v", tile));
  expectNoForm(tileOf("%v = spyreop.foo %a\n", "%v", tile));
  expectNoForm(tileOf("%v = foo.bar : index\n", "%v", tile));
  expectNoForm(
      tileOf("%v:2 = foo.bar : memref<1xf16>, memref<1xf16>\n", "%v#2", tile));
  // The name belongs to another region.
  expectNoForm(tileOf("scf.if %c {\n  %v = foo.bar : memref<8xf16>\n"
                      "  foo.use %v\n}\n",
                      "%v", tile));
  expectNoForm("func.func @a(%v: memref<8xf16>) {\n  return\n}\n" +
               tileOf("", "%v", tile));
}

//===----------------------------------------------------------------------===//
// Indirect tiles: LF-9 to LF-12
//===----------------------------------------------------------------------===//

static std::string
indirectTile(const std::string &subscripts, const std::string &arrow = " ->",
             const std::string &tile = "!ktdp.access_tile<2x64xindex>") {
  return inFunction(
      "%g = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k)"
      "\n     %X[" +
      subscripts +
      "] {variables_space_set = #s, variables_space_order = #o}"
      "\n     : memref<100x64xf16>, memref<8xi32>" +
      arrow + " " + tile);
}

static ExpectedForm direct(const std::string &strict) {
  return {"LF-9",
          "direct subscript without parentheses; write '" + strict + "'",
          strict};
}
static ExpectedForm indirect(const std::string &strict) {
  return {"LF-10", "indirect subscript without 'ind'; write '" + strict + "'",
          strict};
}
static ExpectedForm operatorForm(const std::string &former,
                                 const std::string &strict,
                                 const std::string &replacement) {
  return {"LF-11",
          "operator '" + former + "' in a subscript; write '" + strict + "'",
          replacement};
}

TEST(IndirectTileForms, BareSubscripts) {
  // The example of KTIR §4.6, legacy spelling.
  expectForms(indirectTile("~[%I[%m, %k]]~, ~[%h]~, ~[%t ~[%]~ 64]~"),
              {indirect("ind(%I[%m, %k])"), direct("(%h)"),
               direct("(%t mod 64)"), operatorForm("%", "mod", "mod")},
              indirectTile("ind(%I[%m, %k]), (%h), (%t mod 64)"));
}

TEST(IndirectTileForms, ADirectSubscriptBesideAStrictOne) {
  expectForms(indirectTile("ind(%I[%a + %m]), ~[%d1]~"), {direct("(%d1)")},
              indirectTile("ind(%I[%a + %m]), (%d1)"));
  expectForms(indirectTile("(%k), ~[%I[%m]]~"), {indirect("ind(%I[%m])")},
              indirectTile("(%k), ind(%I[%m])"));
}

TEST(IndirectTileForms, Expressions) {
  expectForms(indirectTile("~[2 * %m + (%a - 1) floordiv 4]~, ~[0]~, "
                           "~[(%m) + (%k)]~"),
              {direct("(2 * %m + (%a - 1) floordiv 4)"), direct("(0)"),
               direct("((%m) + (%k))")},
              indirectTile("(2 * %m + (%a - 1) floordiv 4), (0), "
                           "((%m) + (%k))"));
}

TEST(IndirectTileForms, Operators) {
  // In strict subscripts, too, with and without blanks; `%64` reads like a
  // value there.
  expectForms(
      indirectTile("ind(%I[%m ~[/]~ 2, %k~[/]~4]), (%a~[%]~64), "
                   "((%a) ~[%]~ (%b)), (%a ~[%]~8 + 1)"),
      {operatorForm("/", "floordiv", "floordiv"),
       operatorForm("/", "floordiv", " floordiv "),
       operatorForm("%", "mod", " mod "), operatorForm("%", "mod", "mod"),
       operatorForm("%", "mod", "mod ")},
      indirectTile("ind(%I[%m floordiv 2, %k floordiv 4]), (%a mod 64), "
                   "((%a) mod (%b)), (%a mod 8 + 1)"));
  // A value of that name elsewhere is none.
  expectNoForm(indirectTile("ind(%I[%64]), (%m + %64)"));
}

TEST(IndirectTileForms, OperatorsOfDirectTiles) {
  auto text = [](const std::string &subscript) {
    return inFunction("%t = ktdp.construct_access_tile %v[" + subscript +
                      "] {access_tile_set = #s, access_tile_order = #m} : "
                      "memref<8xf16> -> !ktdp.access_tile<2xindex>");
  };
  expectForms(text("%i ~[/]~ 4"), {operatorForm("/", "floordiv", "floordiv")},
              text("%i floordiv 4"));
}

TEST(IndirectTileForms, SubscriptsThatAreLeft) {
  expectNoForm(indirectTile("ind(%I[%m]), (%k)"));
  expectNoForm(indirectTile(""));
  // Nothing that could be written, so nothing else of the operation either.
  for (const char *subscript : {"%I[%J[%m]]", "%I[%m] + 1", "%I[]", "k", "",
                                "%k ^ 2", "2 * ind(%I[%m])"})
    expectNoForm(indirectTile("%k / 2, " + std::string(subscript)));
}

TEST(IndirectTileForms, ACommaForTheArrow) {
  const ExpectedForm comma = {
      "LF-12", "expected '->' before the type of the tile, but found ','",
      " ->"};
  expectForms(indirectTile("(%m), (%k)", "~[,]~"), {comma},
              indirectTile("(%m), (%k)", " ->"));
  expectForms(indirectTile("(%m), (%k)", " ~[,]~"),
              {{comma.id, comma.message, "->"}},
              indirectTile("(%m), (%k)", " ->"));
  // Before the oldest name of the type, and before an alias.
  expectForms(
      indirectTile("(%m), (%k)", "~[,]~", "~[!ktdp.tile]~<2xindex>"),
      {comma,
       {"LF-2", "former type name '!ktdp.tile'; write '!ktdp.access_tile'",
        "!ktdp.access_tile"}},
      indirectTile("(%m), (%k)", " ->", "!ktdp.access_tile<2xindex>"));
  const std::string head = "!t = !ktdp.access_tile<2xindex>\n";
  expectForms(head + indirectTile("(%m), (%k)", "~[,]~", "!t"), {comma},
              head + indirectTile("(%m), (%k)", " ->", "!t"));
  expectNoForm(indirectTile("(%m), (%k)", ",", "!u"));
  expectNoForm(indirectTile("(%m), (%k)", ",", "memref<2xi32>"));
}
