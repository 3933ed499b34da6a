//===- SpellingFormsTest.cpp - LF-1 to LF-4 -------------------------------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

static ExpectedForm space(const std::string &former,
                          const std::string &strict) {
  return {"LF-1",
          "former memory space '" + former + "'; write '" + strict + "'",
          strict};
}

//===----------------------------------------------------------------------===//
// LF-1
//===----------------------------------------------------------------------===//

TEST(SpellingForms, MemorySpaces) {
  // KTIR §3.5: HBM -> global, LX -> ct_local, LX with core -> with ct_id.
  const std::pair<const char *, const char *> pairs[] = {
      {"HBM", "global"},
      {"LX", "ct_local"},
      {"LX, core = 3", "ct_local, ct_id = 3"},
      {"LX, core = -1", "ct_local"},
      {"HBM, core = -1", "global"},
      {"unspecified", "global"}};
  for (auto [former, strict] : pairs) {
    std::string from = std::string("#ktdp.spyre_memory_space<") + former + ">";
    std::string to = std::string("#ktdp.memory_space<") + strict + ">";
    expectForms("#s = ~[" + from + "]~\n", {space(from, to)},
                "#s = " + to + "\n");
  }
}

TEST(SpellingForms, MemorySpacesStandAnywhere) {
  const std::string hbm = "#ktdp.spyre_memory_space<HBM>";
  const std::string global = "#ktdp.memory_space<global>";
  auto everywhere = [](const std::string &s) {
    return inFunction(
        "%v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] "
        "{coordinate_set = #a, memory_space = " +
            s + "} : memref<4xf16, " + s +
            ">\n"
            "%w = \"ktdp.construct_memory_view\"(%p) <{memory_space = " +
            s + "}> : (index) -> memref<4xf16>",
        "@f(%p: index, %q: memref<4xf16, " + s + ">)");
  };
  expectForms(everywhere("~[" + hbm + "]~"),
              std::vector<ExpectedForm>(4, space(hbm, global)),
              everywhere(global));
  // The other spelling of a dialect's attribute.
  expectForms("#s = #ktdp<~[spyre_memory_space<LX>]~>",
              {space("spyre_memory_space<LX>", "memory_space<ct_local>")},
              "#s = #ktdp<memory_space<ct_local>>");
  // Not in comments and strings.
  expectNoForm("// " + hbm + "\n#s = \"" + hbm + "\"");
  expectNoForm("#s = " + global);
}

TEST(SpellingForms, BlanksInMemorySpaces) {
  expectForms("#s = ~[#ktdp.spyre_memory_space< LX ,\n core=2 >]~",
              {{"LF-1",
                "former memory space '#ktdp.spyre_memory_space< LX , core=2 "
                ">'; write '#ktdp.memory_space<ct_local, ct_id = 2>'",
                "#ktdp.memory_space<ct_local, ct_id = 2>"}},
              "#s = #ktdp.memory_space<ct_local, ct_id = 2>");
}

TEST(SpellingForms, AnUnspecifiedSpaceIsThatOfTheView) {
  const std::string unspecified = "#ktdp.spyre_memory_space<unspecified>";
  auto view = [](const std::string &head, const std::string &s,
                 const std::string &type) {
    return head + inFunction("%v = ktdp.construct_memory_view %p, sizes: [4], "
                             "strides: [1] {coordinate_set = #a, memory_space "
                             "= " +
                             s + "} : " + type);
  };
  for (const char *kind : {"ct_local", "ct_local, ct_id = 3", "global"}) {
    std::string strict = std::string("#ktdp.memory_space<") + kind + ">";
    ExpectedForm form = space(unspecified, strict);
    std::string written = "memref<4xf16, " + strict + ">";
    expectForms(view("", "~[" + unspecified + "]~", written), {form},
                view("", strict, written));
    // Stated by an alias of the type, of the space, of both.
    std::string aliases =
        "#s = " + strict + "\n#t = #s\n!v = " + written +
        "\n!w = memref<4xf16, affine_map<(d0) -> (d0)>, #t>\n";
    for (const char *type : {"!v", "memref<4xf16, #s>", "!w"})
      expectForms(view(aliases, "~[" + unspecified + "]~", type), {form},
                  view(aliases, strict, type));
  }
  // Stated in the former spelling: both are fixed, and agree.
  const std::string lx = "#ktdp.spyre_memory_space<LX, core = 1>";
  const std::string strict = "#ktdp.memory_space<ct_local, ct_id = 1>";
  expectForms(
      view("", "~[" + unspecified + "]~", "memref<4xf16, ~[" + lx + "]~>"),
      {space(unspecified, strict), space(lx, strict)},
      view("", strict, "memref<4xf16, " + strict + ">"));
  // The generic form.
  auto generic = [](const std::string &s) {
    return inFunction("%v = \"ktdp.construct_memory_view\"(%p) <{memory_space "
                      "= " +
                      s +
                      "}> : (index) -> memref<4xf16, "
                      "#ktdp.memory_space<ct_local>>");
  };
  expectForms(generic("~[" + unspecified + "]~"),
              {space(unspecified, "#ktdp.memory_space<ct_local>")},
              generic("#ktdp.memory_space<ct_local>"));
  // Not stated.
  const std::string global = "#ktdp.memory_space<global>";
  for (const char *type : {"memref<4xf16>", "memref<4xf16, #unknown>", "!x"})
    expectForms(view("", "~[" + unspecified + "]~", type),
                {space(unspecified, global)}, view("", global, type));
}

TEST(SpellingForms, MemorySpacesThatAreErrors) {
  auto refused = [](const std::string &message) {
    return ExpectedForm{"LF-1", message, "", Standing::Refused};
  };
  auto expectRefused = [&](const std::string &marked,
                           const std::string &message) {
    std::string text = marked;
    for (const char *mark : {"~[", "]~"})
      text.erase(text.find(mark), 2);
    expectForms(marked, {refused(message)}, text);
  };
  expectRefused("#s = #ktdp.spyre_memory_space<~[L0]~>",
                "expected 'HBM' or 'LX', but found 'L0', which has no "
                "successor");
  // KTIR §3.5, the two rules of the former attribute.
  expectRefused("#s = #ktdp.spyre_memory_space<~[LX]~, core = -2>",
                "core affinity must be non-negative, but got: -2");
  expectRefused("#s = #ktdp.spyre_memory_space<~[HBM]~, core = 1>",
                "core affinity is only valid for LX memory spaces, but got "
                "memory space 'HBM' with core = 1");
  expectRefused("#s = #ktdp.spyre_memory_space<~[L0]~, core = 0>",
                "core affinity is only valid for LX memory spaces, but got "
                "memory space 'L0' with core = 0");
}

TEST(SpellingForms, MemorySpacesThatAreLeft) {
  for (const char *body :
       {"<DDR>", "<>", "<LX, cores = 1>", "<LX, core>", "<LX, core = >",
        "<LX, core = 1, core = 2>", "<LX, core = x>", "<LX core = 1>",
        "<LX, core = 99999999999999999999>", "<LX", "", "(LX)"})
    expectNoForm(std::string("#s = #ktdp.spyre_memory_space") + body);
}

//===----------------------------------------------------------------------===//
// LF-2, LF-3
//===----------------------------------------------------------------------===//

TEST(SpellingForms, AccessTileType) {
  expectForms(
      inFunction("%x = ktdp.load %t : ~[!ktdp.tile]~<4x64xindex> -> "
                 "tensor<4x64xf16>"),
      {{"LF-2", "former type name '!ktdp.tile'; write '!ktdp.access_tile'",
        "!ktdp.access_tile"}},
      inFunction("%x = ktdp.load %t : !ktdp.access_tile<4x64xindex> -> "
                 "tensor<4x64xf16>"));
  expectNoForm("!t = !ktdp.tile\n!ktdp.tile_future !ktdp.tiles<4xindex>");
}

TEST(SpellingForms, FormerDialect) {
  expectForms(
      inFunction("%y = ~[spyre.exp]~ %x : f16"),
      {{"LF-3", "former operation name 'spyre.exp'; write 'spyreop.exp'",
        "spyreop.exp"}},
      inFunction("%y = spyreop.exp %x : f16"));
  expectForms(inFunction("%y = ~[\"spyre.exx2_fused\"]~(%x) : (f16) -> f16"),
              {{"LF-3",
                "former operation name 'spyre.exx2_fused'; write "
                "'\"spyreop.exx2_fused\"'",
                "\"spyreop.exx2_fused\""}},
              inFunction("%y = \"spyreop.exx2_fused\"(%x) : (f16) -> f16"));
  // No operation of either dialect, no operation at all, the form without a
  // defined meaning.
  expectNoForm(inFunction("%y = spyre.unheard_of %x : f16\n"
                          "%z = arith.constant \"spyre.exp\"\n"
                          "%s = spyreop.layernormscale %x : f16"));
}

//===----------------------------------------------------------------------===//
// LF-4
//===----------------------------------------------------------------------===//

static ExpectedForm future(const std::string &strict) {
  return {"LF-4",
          "former spelling of a tile future with one type; write '" + strict +
              "'",
          strict};
}

TEST(SpellingForms, TileFutures) {
  const std::string strict = "(tensor<2x64xf16>), groups = #g";
  for (const char *former :
       {"tensor<2x64xf16>, groups = #g", "tensor<2x64xf16>, #g"})
    expectForms("!f = !ktdp.tile_future<~[" + std::string(former) + "]~>",
                {future(strict)}, "!f = !ktdp.tile_future<" + strict + ">");
  const std::string set = "affine_set<(g) : (g >= 0, -g + 3 >= 0)>";
  for (const std::string &former : {"groups = " + set, set})
    expectForms("!f = !ktdp.tile_future<~[!t, " + former + "]~>",
                {future("(!t), groups = " + set)},
                "!f = !ktdp.tile_future<(!t), groups = " + set + ">");
  expectNoForm("!f = !ktdp.tile_future<" + strict + ">");
}

TEST(SpellingForms, ShortTileFutures) {
  auto ops = [](const std::string &body) {
    return inFunction(
        "%f = ktdp.inter_tile_produce producer_tiles_per_group = #m -> <" +
        body +
        "> {\n^bb0(%g: index):\n  ktdp.yield_partial %x : "
        "tensor<64xf16>\n}\n"
        "%y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = "
        "#m : <" +
        body +
        "> -> tensor<64xf16>\n"
        "%z = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #m, "
        "identity(%o : tensor<64xf16>) : !ktdp.tile_future<" +
        body +
        "> -> tensor<64xf16> {\n^bb0(%l: tensor<64xf16>, %r: "
        "tensor<64xf16>):\n  ktdp.yield_reduced %l : tensor<64xf16>\n}");
  };
  const std::string strict = "(tensor<64xf16>), groups = #g";
  expectForms(ops("~[tensor<64xf16>, groups = #g]~"),
              std::vector<ExpectedForm>(3, future(strict)), ops(strict));
  expectNoForm(ops(strict));
}

TEST(SpellingForms, TileFuturesThatAreLeft) {
  for (const char *body :
       {"tensor<4xf16>, tensor<4xf16>, groups = #g", "tensor<4xf16>", "",
        "tensor<4xf16>, group = #g", ", groups = #g", "tensor<4xf16>,",
        "tensor<4xf16>, #g, #h"})
    expectNoForm("!f = !ktdp.tile_future<" + std::string(body) + ">");
  // Short types of other operations.
  expectNoForm(inFunction("%a = foo.bar %b : <tensor<4xf16>, groups = #g>"));
}
