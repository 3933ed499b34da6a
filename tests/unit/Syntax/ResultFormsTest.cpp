//===- ResultFormsTest.cpp - LF-13 ----------------------------------------===//
//
// KTIR UP-4: the name in `outs` stands for the result in the rest of the block.
//
//===----------------------------------------------------------------------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

static ExpectedForm dropped(const std::string &op, const std::string &value,
                            const std::string &names,
                            Standing standing = Standing::Legacy) {
  return {"LF-13",
          "the result of '" + op + "' has no name and '" + value +
              "' is used as the result; write '" + names + " = " + op + "'",
          names + " = " + op, standing};
}

static ExpectedForm carried(const std::string &op) {
  return {"LF-13",
          "the result of '" + op +
              "' has no name, and '%c', which comes from outside of this "
              "region, is used as the result elsewhere or in the next "
              "iteration; carry it: 'iter_args(%v = %c) -> (tensor<4xf16>)' on "
              "the loop, or '-> (tensor<4xf16>)' on the 'scf.if', and "
              "'scf.yield' of the named result",
          "", Standing::Refused};
}

static const std::string ins = " ins(%a, %b : tensor<4xf16>, tensor<4xf16>)";
static const std::string outs = " outs(%c : tensor<4xf16>)";
static const std::string empty = "%c = tensor.empty() : tensor<4xf16>\n";

TEST(ResultForms, TheResultIsNamedAndUsed) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c) {
    return inFunction(empty + op + ins + outs + arrow + "\n" + "ktdp.store " +
                      c +
                      ", %t : tensor<4xf16>, <4xindex>\n"
                      "%s = arith.addf " +
                      c + ", %c2 : tensor<4xf16>");
  };
  const std::string arrow = " -> tensor<4xf16>";
  expectForms(text("~[linalg.add]~", "", "%c"),
              {dropped("linalg.add", "%c", "%c_1")},
              text("%c_1 = linalg.add", arrow, "%c_1"));
  expectForms(text("~[linalg.add]~", " loc(#l)", "%c#0"),
              {dropped("linalg.add", "%c", "%c_1")},
              text("%c_1 = linalg.add", arrow + " loc(#l)", "%c_1"));
  // With its type the operation is valid and has no effect.
  expectForms(text("~[linalg.add]~", arrow, "%c"),
              {dropped("linalg.add", "%c", "%c_1", Standing::Reinterpreted)},
              text("%c_1 = linalg.add", arrow, "%c_1"));
  expectNoForm(text("%d = linalg.add", arrow, "%c"));
}

TEST(ResultForms, ImpliedResultTypes) {
  auto text = [](const std::string &op, const std::string &c) {
    return inFunction("%c = tensor.splat %z : tensor<2xf16>\n" + op +
                      " { arith.addf } ins(%a : tensor<2x4xf16>) outs(%c : "
                      "tensor<2xf16>) dimensions = [1]\nfoo.use " +
                      c);
  };
  expectForms(text("~[linalg.reduce]~", "%c"),
              {dropped("linalg.reduce", "%c", "%c_1", Standing::Reinterpreted)},
              text("%c_1 = linalg.reduce", "%c_1"));
}

TEST(ResultForms, OneAfterTheOther) {
  auto text = [](const std::string &first, const std::string &arrow,
                 const std::string &one, const std::string &second,
                 const std::string &two) {
    return inFunction(empty + first + ins + outs + arrow + "\n" + second +
                      " ins(" + one +
                      ", %b : tensor<4xf16>, tensor<4xf16>) "
                      "outs(" +
                      one + " : tensor<4xf16>)" + arrow + "\nfoo.use " + two);
  };
  expectForms(text("~[linalg.add]~", "", "%c", "~[linalg.mul]~", "%c"),
              {dropped("linalg.add", "%c", "%c_1"),
               dropped("linalg.mul", "%c", "%c_2")},
              text("%c_1 = linalg.add", " -> tensor<4xf16>", "%c_1",
                   "%c_2 = linalg.mul", "%c_2"));
}

TEST(ResultForms, NestedRegionsUseTheResult) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c) {
    return inFunction(
        empty + op + ins + outs + arrow +
        "\n%r = scf.for %i = %lo to %hi step %st iter_args(%x = " + c +
        ") -> (tensor<4xf16>) {\n"
        "  %y = arith.addf %x, " +
        c +
        " : tensor<4xf16>\n"
        "  scf.yield %y : tensor<4xf16>\n}");
  };
  expectForms(text("~[linalg.add]~", "", "%c"),
              {dropped("linalg.add", "%c", "%c_1")},
              text("%c_1 = linalg.add", " -> tensor<4xf16>", "%c_1"));
}

TEST(ResultForms, TheBodyOfTheOperationUsesTheOldValue) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c) {
    return inFunction(empty + op +
                      " {indexing_maps = [#m, #m], "
                      "iterator_types = [\"parallel\"]}\n"
                      "    ins(%a : tensor<4xf16>)" +
                      outs +
                      " {\n"
                      "^bb0(%x: f16, %o: f16):\n"
                      "  %e = tensor.extract %c[%i] : tensor<4xf16>\n"
                      "  linalg.yield %e : f16\n}" +
                      arrow + "\nfoo.use " + c);
  };
  expectForms(text("~[linalg.generic]~", "", "%c"),
              {dropped("linalg.generic", "%c", "%c_1")},
              text("%c_1 = linalg.generic", " -> tensor<4xf16>", "%c_1"));
}

TEST(ResultForms, SeveralOuts) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &d, const std::string &c) {
    return inFunction("%c:2 = foo.bar : tensor<4xf16>, tensor<2xf16>\n" + op +
                      " {a = 1} ins(%a : tensor<4xf16>) outs(%c#0, %c#1 : "
                      "tensor<4xf16>, tensor<2xf16>) {\n"
                      "^bb0(%x: f16):\n  linalg.yield %x, %x : f16, f16\n}" +
                      arrow + "\nfoo.use " + d + ", " + c);
  };
  expectForms(text("~[linalg.generic]~", "", "%c#1", "%c"),
              {dropped("linalg.generic", "%c#0", "%c_1, %c_2")},
              text("%c_1, %c_2 = linalg.generic",
                   " -> (tensor<4xf16>, tensor<2xf16>)", "%c_2", "%c_1"));
}

TEST(ResultForms, OneOfSeveralValues) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &value, const std::string &uses) {
    return inFunction("%c:2 = foo.bar : tensor<4xf16>, tensor<4xf16>\n" + op +
                      ins + " outs(" + value + " : tensor<4xf16>)" + arrow +
                      "\nfoo.use " + uses);
  };
  const std::string arrow = " -> tensor<4xf16>";
  expectForms(text("~[linalg.add]~", "", "%c#1", "%c, %c#0, %c#1"),
              {dropped("linalg.add", "%c#1", "%c_1")},
              text("%c_1 = linalg.add", arrow, "%c#1", "%c, %c#0, %c_1"));
  expectForms(text("~[linalg.add]~", "", "%c#0", "%c, %c#0, %c#1"),
              {dropped("linalg.add", "%c#0", "%c_1")},
              text("%c_1 = linalg.add", arrow, "%c#0", "%c_1, %c_1, %c#1"));
}

TEST(ResultForms, InsideARegion) {
  // The value comes from outside and is written anew in each round.
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c) {
    return inFunction(empty + "scf.for %i = %lo to %hi step %st {\n  " + op +
                      ins + outs + arrow + "\n  foo.use " + c + "\n}");
  };
  const std::string arrow = " -> tensor<4xf16>";
  expectForms(text("~[linalg.add]~", "", "%c"),
              {dropped("linalg.add", "%c", "%c_1")},
              text("%c_1 = linalg.add", arrow, "%c_1"));
  // A matmul there adds to what the round before left.
  expectForms(text("~[linalg.matmul]~", "", "%c"), {carried("linalg.matmul")},
              text("linalg.matmul", "", "%c"));
  // With a result type it means something: its result is lost.
  expectNoForm(text("linalg.matmul", arrow, "%c"));
  // Uses that would see the old value: behind the loop, before the operation in
  // the loop around it, and none in the block itself.
  auto loops = [](const std::string &before, const std::string &inner,
                  const std::string &after, const std::string &behind) {
    return inFunction(empty + "scf.for %i = %lo to %hi step %st {\n" + before +
                      "  scf.if %p {\n    ~[linalg.add]~" + ins + outs + inner +
                      "\n  }\n" + after + "}\n" + behind);
  };
  auto expectCarried = [&](const std::string &text) {
    std::string plain = text;
    plain.erase(plain.find("~["), 2);
    plain.erase(plain.find("]~"), 2);
    expectForms(text, {carried("linalg.add")}, plain);
  };
  expectCarried(loops("", "\n    foo.use %c", "", "foo.use %c"));
  expectCarried(loops("", "\n    foo.use %c", "  foo.use %c\n", ""));
  expectCarried(loops("  foo.use %c\n", "\n    foo.use %c", "", ""));
  expectCarried(loops("", "", "", "foo.use %c"));
  std::string unused = loops("", "", "", "");
  unused.erase(unused.find("~["), 2);
  unused.erase(unused.find("]~"), 2);
  expectNoForm(unused);
}

TEST(ResultForms, NamesEndWithTheirRegion) {
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c) {
    return inFunction("scf.if %p {\n  %c = tensor.empty() : tensor<4xf16>\n  " +
                      op + ins + outs + arrow + "\n  foo.use " + c +
                      "\n} else {\n"
                      "  %c = tensor.empty() : tensor<4xf16>\n  foo.use %c\n}");
  };
  expectForms(text("~[linalg.add]~", "", "%c"),
              {dropped("linalg.add", "%c", "%c_1")},
              text("%c_1 = linalg.add", " -> tensor<4xf16>", "%c_1"));
}

TEST(ResultForms, ResultsThatAreLeft) {
  const std::string add = "linalg.add" + ins;
  // Nothing uses the name afterwards.
  expectNoForm(inFunction("foo.use %c\n" + empty + add + outs));
  // No tensor; no definition; no types; one name twice.
  expectNoForm(inFunction("%c = memref.alloc() : memref<4xf16>\n" + add +
                          " outs(%c : memref<4xf16>)\nfoo.use %c"));
  expectNoForm(inFunction(add + outs + "\nfoo.use %c"));
  expectNoForm(inFunction(empty + add + " outs(%c)\nfoo.use %c"));
  expectNoForm(inFunction(empty + add +
                          " outs(%c, %c : tensor<4xf16>, "
                          "tensor<4xf16>)\nfoo.use %c"));
  expectNoForm(inFunction(empty + add +
                          " outs(%c, : tensor<4xf16>, i1)\n"
                          "foo.use %c"));
  // Something behind `outs` that is not known.
  expectNoForm(inFunction(empty + add + outs + " foo\nfoo.use %c"));
  // Several blocks.
  expectNoForm(inFunction(empty + add + outs +
                          "\ncf.br ^bb1\n^bb1:\n"
                          "foo.use %c"));
  // Operations of other dialects and of the generic form.
  expectNoForm(inFunction(empty + "foo.add" + outs + "\nfoo.use %c"));
}

TEST(ResultForms, TheRenamedValueKeepsItsType) {
  // LF-8 needs the type of a value that LF-13 renames.
  auto text = [](const std::string &op, const std::string &arrow,
                 const std::string &c, const std::string &types) {
    return inFunction("%c = spyreop.unknown %q\n" + op + ins + outs + arrow +
                      "\n%t = ktdp.construct_access_tile " + c +
                      "[%i] {access_tile_set = #s, access_tile_order = #m} " +
                      types + " !ktdp.access_tile<2xindex>");
  };
  expectForms(
      text("~[linalg.add]~", "", "%c", "~[->]~"),
      {dropped("linalg.add", "%c", "%c_1"),
       {"LF-8",
        "expected the type of '%c' before '->'; write ': tensor<4xf16> ->'",
        ": tensor<4xf16> ->"}},
      text("%c_1 = linalg.add", " -> tensor<4xf16>", "%c_1",
           ": tensor<4xf16> ->"));
}
