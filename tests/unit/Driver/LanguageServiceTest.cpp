//===- LanguageServiceTest.cpp - What an editor asks about a text ---------===//
//
// Positions are found by searching the text, never by what the service says.
//
//===----------------------------------------------------------------------===//

#include "TestKernels.h"

#include "ktir/Driver/LanguageService.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace ktir;

namespace {

/// Tile t copies rows 3t to 3t + 2.
const std::string copyKernel =
    R"(#all = affine_set<(r, c) : (r >= 0, -r + 95 >= 0, c >= 0, -c + 63 >= 0)>
#three = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 63 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
module {
  func.func @copy(%x: index, %y: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c3 : index
    %X = ktdp.construct_memory_view %x, sizes: [96, 64], strides: [64, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [96, 64], strides: [64, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0] {access_tile_set = #three, access_tile_order = #id} : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0] {access_tile_set = #three, access_tile_order = #id} : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %v = ktdp.load %xt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
    ktdp.store %v, %yt : tensor<3x64xf16>, !ktdp.access_tile<3x64xindex>
    return
  }
}
)";

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TextPosition positionOf(const std::string &text, size_t offset) {
  const auto end = text.begin() + offset;
  const size_t line = 1 + std::count(text.begin(), end, '\n');
  const size_t lineBegin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return {unsigned(line), unsigned(offset - lineBegin + 1)};
}

/// Where `needle` starts in `text`, or what stands `plus` bytes behind.
TextPosition find(const std::string &text, const std::string &needle,
                  size_t plus = 0) {
  const size_t at = text.find(needle);
  EXPECT_NE(at, std::string::npos) << needle;
  return positionOf(text, at == std::string::npos ? 0 : at + plus);
}

/// Every place of `name` in `text` that is no part of a longer name.
std::vector<std::string> placesOf(const std::string &text,
                                  const std::string &name) {
  std::vector<std::string> places;
  for (size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + 1)) {
    const char next =
        at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (std::isalnum(static_cast<unsigned char>(next)) || next == '_')
      continue;
    TextPosition place = positionOf(text, at);
    places.push_back(std::to_string(place.line) + ":" +
                     std::to_string(place.column));
  }
  return places;
}

std::string spell(const SourceRange &range) {
  return std::to_string(range.line) + ":" + std::to_string(range.column);
}

std::vector<std::string> spell(const std::vector<SourceRange> &ranges) {
  std::vector<std::string> places;
  for (const SourceRange &range : ranges)
    places.push_back(spell(range));
  return places;
}

std::string hoverAt(const LanguageService &service, TextPosition position) {
  std::optional<HoverInfo> hover = service.hover(position);
  return hover ? hover->text : "";
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> labels(const CompletionList &list) {
  std::vector<std::string> names;
  for (const CompletionItem &item : list.items)
    names.push_back(item.label);
  return names;
}

bool has(const CompletionList &list, const std::string &label) {
  const std::vector<std::string> names = labels(list);
  return std::find(names.begin(), names.end(), label) != names.end();
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

/// What stands in `text` at a range of one line.
std::string textAt(const std::string &text, const SourceRange &range) {
  EXPECT_EQ(range.line, range.endLine);
  return linesOf(text)
      .at(range.line - 1)
      .substr(range.column - 1, range.endColumn - range.column);
}

/// A name in a text, without the number of a result.
struct NamePlace {
  TextPosition position;
  std::string name;
};

/// Every name with a sigil outside comments.
std::vector<NamePlace> namesOf(const std::string &text) {
  std::vector<NamePlace> places;
  const std::vector<std::string> lines = linesOf(text);
  for (size_t number = 0; number < lines.size(); ++number) {
    const std::string line = lines[number].substr(0, lines[number].find("//"));
    for (size_t at = line.find_first_of("%@#!^"); at != std::string::npos;
         at = line.find_first_of("%@#!^", at + 1)) {
      size_t end = at + 1;
      while (end < line.size() &&
             (std::isalnum(static_cast<unsigned char>(line[end])) ||
              line[end] == '_' || line[end] == '.'))
        ++end;
      const bool isNumber = at > 0 && line[at] == '#' && line[at - 1] != ' ' &&
                            line[at - 1] != '(';
      if (end > at + 1 && !isNumber)
        places.push_back({{unsigned(number + 1), unsigned(at + 1)},
                          line.substr(at, end - at)});
    }
  }
  return places;
}

/// Line, columns.
std::vector<std::string> spellWhole(const std::vector<SourceRange> &ranges) {
  std::vector<std::string> places;
  for (const SourceRange &range : ranges)
    places.push_back(spell(range) + "-" + std::to_string(range.endLine) + ":" +
                     std::to_string(range.endColumn));
  return places;
}

/// Answers about every name of a text that parses, to be compared with those
/// about a text that was made of it and does not.
class Carried {
public:
  explicit Carried(const std::string &text) : text(text) {
    LanguageService service;
    service.update(text);
    for (const NamePlace &place : namesOf(text))
      names.push_back({place, hoverAt(service, place.position),
                       service.definition(place.position),
                       service.references(place.position)});
  }

  /// Compares, when the line `n` of the text is now `lineNow(n)`, or, for 0,
  /// gone. Returns how many names had answers.
  unsigned compare(const std::string &changed,
                   const std::function<unsigned(unsigned)> &lineNow) const {
    LanguageService service;
    service.update(text);
    service.update(changed);
    auto moved = [&](std::vector<SourceRange> ranges) {
      std::vector<SourceRange> left;
      for (SourceRange range : ranges) {
        range.line = lineNow(range.line);
        range.endLine = lineNow(range.endLine);
        if (range.line)
          left.push_back(range);
      }
      return left;
    };
    unsigned count = 0;
    for (const Name &name : names) {
      const TextPosition now = {lineNow(name.place.position.line),
                                name.place.position.column};
      if (!now.line)
        continue;
      const std::vector<SourceRange> uses = service.references(now);
      EXPECT_EQ(spellWhole(uses), spellWhole(moved(name.uses)))
          << name.place.name;
      EXPECT_EQ(spellWhole(service.definition(now)),
                spellWhole(moved(name.definitions)))
          << name.place.name;
      EXPECT_EQ(hoverAt(service, now), name.hover);
      for (const SourceRange &use : uses) {
        const std::string found = textAt(changed, use);
        EXPECT_EQ(found.substr(0, found.find('#', 1)), name.place.name);
      }
      count += !uses.empty();
    }
    return count;
  }

private:
  struct Name {
    NamePlace place;
    std::string hover;
    std::vector<SourceRange> definitions, uses;
  };
  std::string text;
  std::vector<Name> names;
};

/// A service that has read `text` without an error.
LanguageService read(const std::string &text) {
  LanguageService service;
  for (const Diagnostic &diagnostic : service.update(text))
    EXPECT_NE(diagnostic.severity, Severity::Error)
        << spell(diagnostic.range) << ": " << diagnostic.message;
  return service;
}

} // namespace

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

TEST(LanguageService, ReportsWhatCompilingReports) {
  // One text for each step that can fail: parsing, verifying, legality.
  const std::string texts[] = {
      replaced(copyKernel, "arith.muli", "arith.mull"),
      replaced(copyKernel, "strides: [64, 1]", "strides: [64]"),
      replaced(copyKernel, "grid = [32]", "grid = [99]"),
      replaced(copyKernel, "#ktdp.memory_space<global>",
               "#ktdp.spyre_memory_space<HBM>"),
  };
  for (const std::string &text : texts) {
    LanguageService service;
    CompileOptions options;
    options.to = Level::Ktir;
    const Compilation compilation = compile(text, options);
    const std::vector<Diagnostic> &expected = compilation.diagnostics();
    const std::vector<Diagnostic> &found = service.update(text);
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].message, expected[i].message);
      EXPECT_EQ(spell(found[i].range), spell(expected[i].range));
      EXPECT_EQ(found[i].severity, expected[i].severity);
    }
  }
}

//===----------------------------------------------------------------------===//
// Navigation
//===----------------------------------------------------------------------===//

TEST(LanguageService, FindsDefinitionAndUsesOfValues) {
  LanguageService service = read(copyKernel);
  for (const char *name : {"%row", "%c0", "%tile", "%xt", "%v", "%X", "%x"}) {
    const std::vector<std::string> places = placesOf(copyKernel, name);
    ASSERT_GE(places.size(), 2u) << name;
    const TextPosition position = find(copyKernel, name);
    EXPECT_EQ(spell(service.references(position)), places) << name;
    EXPECT_EQ(spell(service.definition(position)),
              std::vector<std::string>{places.front()})
        << name;
  }
  // From a use, with the cursor inside and right behind the name.
  const TextPosition use = find(copyKernel, "ktdp.store %v", 11);
  EXPECT_EQ(spell(service.definition(use)),
            std::vector<std::string>{
                spell(SourceRange{"", find(copyKernel, "%v = ").line,
                                  find(copyKernel, "%v = ").column})});
  EXPECT_EQ(spell(service.definition({use.line, use.column + 2})),
            spell(service.definition(use)));
  std::vector<SourceRange> uses = service.references(use, false);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].column, use.column);
  EXPECT_EQ(uses[0].endColumn, use.column + 2);
}

TEST(LanguageService, FindsAliases) {
  LanguageService service = read(copyKernel);
  const TextPosition use = find(copyKernel, "access_tile_set = #three", 20);
  EXPECT_EQ(spell(service.definition(use)), std::vector<std::string>{"2:1"});
  EXPECT_EQ(spell(service.references(use)), placesOf(copyKernel, "#three"));
}

TEST(LanguageService, FindsSymbolsAndNumberedResults) {
  const std::string text = R"(module {
  func.func private @callee(i1) -> (i32, i32)
  func.func @main(%c: i1) -> i32 {
    %p:2 = func.call @callee(%c) : (i1) -> (i32, i32)
    %s = arith.addi %p#1, %p#0 : i32
    return %s : i32
  }
}
)";
  LanguageService service;
  service.update(text); // A kernel has no results, but that is another matter.
  EXPECT_EQ(spell(service.references(find(text, "@callee"))),
            (std::vector<std::string>{"2:21", "4:22"}));
  EXPECT_EQ(spell(service.definition(find(text, "@callee(%c)"))),
            std::vector<std::string>{"2:21"});
  EXPECT_EQ(spell(service.references(find(text, "%p#0"))),
            (std::vector<std::string>{"4:5", "5:21", "5:27"}));
  EXPECT_EQ(service.references(find(text, "%p#0"))[1].endColumn, 25u);
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%p#0")), "%p#0 : i32"));
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%p#1")), "%p#1 : i32"));
}

TEST(LanguageService, FindsBlocksAndTheirArguments) {
  const std::string text =
      R"(#one = affine_set<(i)[g] : (i - g >= 0, g - i >= 0)>
#g = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
module {
  func.func @f(%x: tensor<64xf16>) attributes {grid = [4]} {
    %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<64xf16>), groups = #g> {
    ^bb0(%group: index):
      %twice = arith.addi %group, %group : index
      ktdp.yield_partial %x : tensor<64xf16>
    }
    return
  }
}
)";
  LanguageService service;
  service.update(text); // The value is delivered to nobody.
  EXPECT_EQ(spell(service.definition(find(text, "^bb0"))),
            std::vector<std::string>{"6:5"});
  EXPECT_TRUE(contains(hoverAt(service, find(text, "^bb0")),
                       "Block of `ktdp.inter_tile_produce`"));
  EXPECT_EQ(spell(service.references(find(text, "%group"))),
            (std::vector<std::string>{"6:10", "7:27", "7:35"}));
}

TEST(LanguageService, FindsEveryUseInASubscript) {
  // The parser records a value once that a subscript names twice, and the
  // variables of an indirect tile not at all.
  const std::string twice =
      replaced(copyKernel, "%X[%row, %c0]", "%X[%row + %c0, %c0]");
  LanguageService service = read(twice);
  EXPECT_EQ(spell(service.references(find(twice, "%c0 ="))),
            placesOf(twice, "%c0"));

  const std::string indirect = R"(
#vs = affine_set<(m, k) : (m >= 0, -m + 3 >= 0, k >= 0, -k + 63 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
module {
  func.func @f(%X: memref<16x64xf16>, %J: memref<8xindex>, %p: index) attributes {grid = [1]} {
    %a = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%J[%m + %p]), (%k)] {variables_space_set = #vs, variables_space_order = #id} : memref<16x64xf16>, memref<8xindex> -> !ktdp.access_tile<4x64xindex>
    %v = ktdp.load %a : <4x64xindex> -> tensor<4x64xf16>
    return
  }
}
)";
  service = read(indirect);
  EXPECT_EQ(spell(service.references(find(indirect, "%m + %p"))),
            placesOf(indirect, "%m"));
  EXPECT_EQ(spell(service.definition(find(indirect, "(%k)]", 1))),
            std::vector<std::string>{placesOf(indirect, "%k").front()});
  EXPECT_TRUE(
      contains(hoverAt(service, find(indirect, "%a =")),
               "Rows read from %J, columns 0 … 63 of a 16 × 64 f16 view"));
}

//===----------------------------------------------------------------------===//
// Hover
//===----------------------------------------------------------------------===//

TEST(LanguageService, DescribesTilesByTheTileId) {
  LanguageService service = read(copyKernel);
  const std::string rows =
      "ows 3t … 3t+2, columns 0 … 63 of a 96 × 64 f16 view in device memory.";
  std::optional<HoverInfo> hover = service.hover(find(copyKernel, "%xt ="));
  ASSERT_TRUE(hover);
  EXPECT_TRUE(contains(hover->text, "R" + rows)) << hover->text;
  EXPECT_TRUE(contains(hover->text, "%xt : !ktdp.access_tile<3x64xindex>"));
  EXPECT_EQ(hover->range.line, find(copyKernel, "%xt =").line);
  EXPECT_EQ(hover->range.column, 5u);
  EXPECT_EQ(hover->range.endColumn, 8u);

  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "%v =")),
                       "Loaded from r" + rows));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "ktdp.store")),
                       "Stores to r" + rows));
  EXPECT_TRUE(
      contains(hoverAt(service, find(copyKernel, "%row =")), "Equals 3t."));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "%tile =")),
                       "The id of the executing tile, `t`: 0 … 31."));
}

TEST(LanguageService, DescribesViewsByTheirMemory) {
  struct {
    const char *space, *words;
  } const cases[] = {
      {"global", "in device memory"},
      {"ct_local", "in the scratchpad of the executing tile"},
      {"ct_local, ct_id = 3", "in the scratchpad of tile 3"},
  };
  for (const auto &one : cases) {
    const std::string text =
        replaced(copyKernel, "memory_space<global>",
                 "memory_space<" + std::string(one.space) + ">");
    LanguageService service = read(text);
    EXPECT_TRUE(contains(hoverAt(service, find(text, "%X =")),
                         "A 96 × 64 f16 view " + std::string(one.words) +
                             ", strides 64, 1, from element x on."))
        << hoverAt(service, find(text, "%X ="));
  }
}

TEST(LanguageService, NamesLoopVariablesInSubscripts) {
  std::string text = replaced(copyKernel, "    %xt = ",
                              "    scf.for %i = %c0 to %c3 step %c3 {\n"
                              "    %at = arith.addi %row, %i : index\n"
                              "    %xt = ");
  text = replaced(text, "%X[%row, %c0]", "%X[%at - 1, 2 * %i]");
  text = replaced(text, "    %yt = ", "    }\n    %yt = ");
  text = replaced(text, "    %v = ktdp.load %xt", "    %v = ktdp.load %yt");
  LanguageService service = read(text);
  // f(x) + p: rows 3t + i - 1 + {0, 1, 2}, columns 2i + {0 .. 63}.
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%xt =")),
                       "Rows 3t+i-1 … 3t+i+1, columns 2i … 2i+63 of"))
      << hoverAt(service, find(text, "%xt ="));
}

TEST(LanguageService, SaysLessWhereASubscriptCannotBeFollowed) {
  const std::string text =
      replaced(copyKernel, "arith.muli %tile, %c3", "arith.divsi %tile, %c3");
  LanguageService service = read(text);
  EXPECT_TRUE(contains(
      hoverAt(service, find(text, "%xt =")),
      "Some rows, columns 0 … 63 of a 96 × 64 f16 view in device memory."));
  EXPECT_FALSE(contains(hoverAt(service, find(text, "%row =")), "Equals"));
}

TEST(LanguageService, DescribesFuturesByTheirTiles) {
  const std::string text =
      R"(#mine = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
module {
  func.func @f(%x: tensor<64xf16>, %zero: tensor<64xf16>) attributes {grid = [8]} {
    %f = ktdp.inter_tile_produce producer_tiles_per_group = #mine -> <(tensor<64xf16>), groups = #four> {
    ^bb0(%g: index):
      ktdp.yield_partial %x : tensor<64xf16>
    }
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #mine, identity(%zero : tensor<64xf16>) : <(tensor<64xf16>), groups = #four> -> tensor<64xf16> {
    ^bb0(%l: tensor<64xf16>, %r: tensor<64xf16>):
      %a = arith.addf %l, %r : tensor<64xf16>
      ktdp.yield_reduced %a : tensor<64xf16>
    }
    return
  }
}
)";
  LanguageService service = read(text);
  // Group g has tiles 2g and 2g + 1; there are groups 0 to 3.
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%f =")),
                       "Published by tiles 2g, 2g+1 of each of 4 groups."))
      << hoverAt(service, find(text, "%f ="));
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%s =")),
                       "The fold of the values published by tiles 2g, 2g+1 of "
                       "each of 4 groups, received by tiles 2g, 2g+1 of each "
                       "of 4 groups."));
}

TEST(LanguageService, ExplainsOperationsTypesAndKernels) {
  LanguageService service = read(copyKernel);
  // The words are those of the dialect's definition.
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "ktdp.load")),
                       "Reads the elements of an access tile into a tensor"));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "ktdp.load")),
                       "%v : tensor<3x64xf16>"));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "!ktdp.access_tile")),
                       "A set of coordinates of a view"));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "#ktdp.memory_space")),
                       "The memory that a view lies in"));
  // MLIR's own have a line that its definitions give.
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "arith.muli")),
                       "`arith.muli`: "));
  const std::string kernel = hoverAt(service, find(copyKernel, "@copy"));
  EXPECT_TRUE(contains(kernel, "Kernel on a grid of 32 tiles.")) << kernel;
  EXPECT_TRUE(
      contains(kernel, "- `%x`: index, base of a view of 96 × 64 f16, read"));
  EXPECT_TRUE(contains(
      kernel, "- `%y`: index, base of a view of 96 × 64 f16, written"));
  EXPECT_TRUE(contains(hoverAt(service, find(copyKernel, "%y: index")),
                       "Base of a view of 96 × 64 f16, written."));
  EXPECT_FALSE(service.hover(find(copyKernel, "sizes:", 6)));
}

TEST(LanguageService, AnswersWithoutParsing) {
  LanguageService service = read(copyKernel);
  EXPECT_EQ(service.parseCount(), 1u);
  service.hover(find(copyKernel, "%xt ="));
  service.definition(find(copyKernel, "%xt ="));
  service.references(find(copyKernel, "%xt ="));
  service.completion(find(copyKernel, "%xt ="));
  service.symbols();
  service.semanticTokens();
  EXPECT_EQ(service.parseCount(), 1u);
}

//===----------------------------------------------------------------------===//
// Texts that are broken, old or hostile
//===----------------------------------------------------------------------===//

TEST(LanguageService, KeepsItsKnowledgeWhileALineIsTyped) {
  LanguageService service = read(copyKernel);
  const std::string broken =
      replaced(copyKernel, "    ktdp.store %v",
               "    %w = arith.addf %v, \n    ktdp.store %v");
  EXPECT_FALSE(service.update(broken).empty());
  // Before and behind the new line.
  EXPECT_TRUE(
      contains(hoverAt(service, find(broken, "%xt =")), "Rows 3t … 3t+2"));
  const TextPosition use = find(broken, "ktdp.store %v, %yt", 15);
  const TextPosition definition = find(broken, "%yt =");
  ASSERT_EQ(service.definition(use).size(), 1u);
  EXPECT_EQ(service.definition(use)[0].line, definition.line);
  EXPECT_EQ(service.definition(use)[0].column, definition.column);
  const std::vector<SourceRange> uses = service.references(definition, false);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].line, use.line);
  EXPECT_EQ(uses[0].column, use.column);
  // Inside of it nothing is known.
  EXPECT_FALSE(service.hover(find(broken, "%w = ")));
  EXPECT_FALSE(service.symbols().empty());
}

TEST(LanguageService, ForgetsANameThatGrows) {
  LanguageService service = read(copyKernel);
  const std::string longer =
      replaced(copyKernel, "ktdp.store %v,", "ktdp.store %value,");
  service.update(longer);
  EXPECT_FALSE(service.hover(find(longer, "%value")));
  EXPECT_TRUE(service.hover(find(longer, "%v =")));
}

TEST(LanguageService, FindsNamesBehindANewLineThatStartsLikeTheNext) {
  const std::string text = test::readSource("examples/axpy/kernel.mlir");
  LanguageService service = read(text);
  const std::string broken =
      replaced(text, "    %x_tile =", "    %zz = ar\n    %x_tile =");
  EXPECT_FALSE(service.update(broken).empty());
  const TextPosition use = find(broken, "ktdp.load %x_tile", 12);
  const TextPosition definition = find(broken, "%x_tile =");
  const std::vector<SourceRange> found = service.definition(use);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, definition.line);
  EXPECT_EQ(found[0].column, definition.column);
  EXPECT_EQ(found[0].endLine, definition.line);
  EXPECT_EQ(found[0].endColumn, definition.column + 7);
}

/// Kernels with loops, blocks, hidden variables, several aliases.
static const char *const editedExamples[] = {"axpy", "softmax", "embedding",
                                             "split-k-matmul"};

TEST(LanguageService, CarriesEveryNameOverANewLine) {
  for (const char *example : editedExamples) {
    SCOPED_TRACE(example);
    const std::string text =
        test::readSource("examples/" + std::string(example) + "/kernel.mlir");
    const std::vector<std::string> lines = linesOf(text);
    const Carried carried(text);
    for (unsigned at = 0; at <= lines.size(); ++at) {
      // What starts like the next line, and like the one before.
      std::vector<std::string> newLines = {"    %zz = ar\n", "%\n"};
      if (at < lines.size() && lines[at].size() > 8)
        newLines.push_back(lines[at].substr(0, lines[at].size() / 2) + "(\n");
      if (at > 0 && lines[at - 1].size() > 8)
        newLines.push_back(
            lines[at - 1].substr(0, lines[at - 1].size() / 3 * 2) + "(\n");
      for (const std::string &line : newLines) {
        SCOPED_TRACE(std::to_string(at + 1) + ": " + line);
        std::vector<std::string> changed = lines;
        changed.insert(changed.begin() + at, line);
        EXPECT_GT(carried.compare(
                      joined(changed),
                      [&](unsigned old) { return old > at ? old + 1 : old; }),
                  0u);
        if (testing::Test::HasFailure())
          return;
      }
    }
  }
}

TEST(LanguageService, CarriesEveryNameOverTwoNewLinesAndALostOne) {
  for (const char *example : editedExamples) {
    SCOPED_TRACE(example);
    const std::string text =
        test::readSource("examples/" + std::string(example) + "/kernel.mlir");
    const std::vector<std::string> lines = linesOf(text);
    const Carried carried(text);
    for (unsigned at = 0; at + 2 < lines.size(); ++at) {
      SCOPED_TRACE(at + 1);
      // Around one line.
      std::vector<std::string> changed = lines;
      changed.insert(changed.begin() + at + 1, "    %zz = ar\n");
      changed.insert(changed.begin() + at, "    %zz = ar\n");
      carried.compare(joined(changed), [&](unsigned old) {
        return old > at + 1 ? old + 2 : old > at ? old + 1 : old;
      });
      // One at the start, and a line with names lost far below.
      if (namesOf(lines[at]).empty())
        continue;
      changed = lines;
      changed.erase(changed.begin() + at);
      changed.insert(changed.begin(), "%zz = ar\n");
      carried.compare(joined(changed), [&](unsigned old) {
        return old == at + 1 ? 0 : old > at + 1 ? old : old + 1;
      });
      if (testing::Test::HasFailure())
        return;
    }
  }
}

TEST(LanguageService, DropsNamesThatAreChanged) {
  const std::string text = copyKernel;
  const std::vector<std::string> lines = linesOf(text);
  const std::string noise = "    %zz = ar\n";
  for (const NamePlace &place : namesOf(text)) {
    const size_t line = place.position.line - 1;
    const size_t at = place.position.column - 1;
    const std::string &name = place.name;
    // Longer at either end, shorter, another, and a copy in front of it.
    for (const std::string &other :
         {name + "x", name.substr(0, 1) + "x" + name.substr(1),
          name.substr(0, 1), name.substr(0, 1) + "qqq", name + ", " + name}) {
      SCOPED_TRACE(name + " to " + other);
      std::vector<std::string> changed = lines;
      changed[line].replace(at, name.size(), other);
      changed.push_back(noise);
      const std::string broken = joined(changed);
      LanguageService service = read(text);
      service.update(broken);
      for (const NamePlace &asked : namesOf(broken))
        for (const SourceRange &range : service.references(asked.position)) {
          EXPECT_EQ(textAt(broken, range), asked.name);
          // No part of the new name either.
          if (range.line == line + 1 && other.find(',') == std::string::npos) {
            EXPECT_TRUE(range.endColumn <= at + 1 ||
                        range.column > at + other.size())
                << spell(range);
          }
        }
    }
  }
}

TEST(LanguageService, NavigatesTextThatAVerifierRefuses) {
  const std::string text =
      replaced(copyKernel, "strides: [64, 1]", "strides: [64]");
  LanguageService service;
  EXPECT_FALSE(service.update(text).empty());
  EXPECT_EQ(spell(service.references(find(text, "%xt ="))),
            placesOf(text, "%xt"));
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%xt =")),
                       "%xt : !ktdp.access_tile<3x64xindex>"));
}

TEST(LanguageService, ExplainsEveryOperation) {
  LanguageService service;
  for (const char *dialect :
       {"affine", "arith", "func", "ktdp", "linalg", "math", "memref", "scf",
        "spyreop", "tensor", "dataflow", "ktdf", "vectorchain"}) {
    const std::string text =
        std::string("func.func @f() {\n  ") + dialect + ".";
    service.update(text);
    unsigned count = 0;
    for (const CompletionItem &item :
         service.completion(positionOf(text, text.size())).items) {
      if (item.label.rfind(std::string(dialect) + ".", 0) != 0)
        continue;
      ++count;
      // Those have no line in MLIR's definitions.
      if (item.label.rfind("affine.dma_", 0) != 0) {
        EXPECT_FALSE(item.detail.empty()) << item.label;
      }
    }
    EXPECT_GT(count, 1u) << dialect;
  }
}

TEST(LanguageService, TakesAnyTextAndPosition) {
  LanguageService service;
  std::string bytes;
  for (int i = 0; i < 1024; ++i)
    bytes += char(i * 37 + i / 7);
  const std::string texts[] = {
      "",
      "\n",
      "%",
      bytes,
      std::string("\0\0\xff", 3),
      std::string(300, '{'),
      std::string(5000, '<') + "%",
      "module {",
      "%a = ",
      copyKernel.substr(0, copyKernel.size() / 2),
      copyKernel,
  };
  const TextPosition positions[] = {{0, 0},   {0, 1},  {1, 0},       {1, 1},
                                    {1, 2},   {2, 1},  {1, 1000000}, {~0u, 1},
                                    {1, ~0u}, {5, 12}, {~0u, ~0u}};
  for (const std::string &text : texts) {
    service.update(text);
    for (TextPosition position : positions) {
      service.hover(position);
      service.definition(position);
      service.references(position);
      service.completion(position);
    }
    for (const SemanticToken &token : service.semanticTokens())
      EXPECT_GT(token.length, 0u);
    service.symbols();
  }
  // The last one is right, so everything is known again.
  EXPECT_TRUE(service.diagnostics().empty());
  EXPECT_FALSE(service.hover({0, 0}));
  EXPECT_FALSE(service.hover({~0u, 1}));
  EXPECT_TRUE(service.hover(find(copyKernel, "%xt =")));
}

TEST(LanguageService, KeepsPositionsOfOlderForms) {
  // The rewriting makes lines longer, in front of what is asked about.
  const std::string text = replaced(copyKernel, "#ktdp.memory_space<global>",
                                    "#ktdp.spyre_memory_space<HBM>");
  LanguageService service = read(text);
  EXPECT_FALSE(service.diagnostics().empty());
  EXPECT_EQ(spell(service.references(find(text, "%X ="))),
            placesOf(text, "%X"));
  EXPECT_TRUE(contains(hoverAt(service, find(text, "%X =")),
                       "A 96 × 64 f16 view in device memory"));
  EXPECT_EQ(spell(service.references(find(text, "#all"))),
            placesOf(text, "#all"));
}

//===----------------------------------------------------------------------===//
// Outline, completion, tokens
//===----------------------------------------------------------------------===//

TEST(LanguageService, OutlinesTheDocument) {
  LanguageService service = read(copyKernel);
  const std::vector<DocumentSymbol> symbols = service.symbols();
  ASSERT_GE(symbols.size(), 5u);
  EXPECT_EQ(symbols[0].name, "#all");
  EXPECT_EQ(symbols[0].kind, SymbolKind::Alias);
  EXPECT_EQ(symbols[0].parent, -1);
  EXPECT_EQ(symbols[3].name, "@copy");
  EXPECT_EQ(symbols[3].kind, SymbolKind::Function);
  EXPECT_EQ(symbols[3].detail, "func.func");
  EXPECT_EQ(spell(symbols[3].nameRange),
            spell(SourceRange{"", 5, find(copyKernel, "@copy").column}));
  EXPECT_EQ(symbols[3].range.line, 5u);
  EXPECT_EQ(symbols[3].range.endLine, 17u);
  EXPECT_EQ(symbols[4].name, "%c0");
  EXPECT_EQ(symbols[4].parent, 3);
  EXPECT_EQ(symbols.back().name, "%v");
  EXPECT_EQ(symbols.back().detail, "ktdp.load");
  EXPECT_EQ(symbols.back().parent, 3);
}

TEST(LanguageService, CompletesValuesInScope) {
  const std::string text = replaced(copyKernel, "    ktdp.store %v",
                                    "    %w = arith.addf %\n    ktdp.store %v");
  LanguageService service = read(copyKernel);
  service.update(text);
  const TextPosition behind = find(text, "arith.addf %\n", 12);
  const CompletionList list = service.completion(behind);
  // The nearest first, with their types; nothing that comes later.
  ASSERT_FALSE(list.items.empty());
  EXPECT_EQ(list.items[0].label, "%v");
  EXPECT_EQ(list.items[0].detail, "tensor<3x64xf16>");
  EXPECT_TRUE(has(list, "%x"));
  EXPECT_TRUE(has(list, "%c0"));
  EXPECT_FALSE(has(list, "%w"));
  EXPECT_EQ(list.range.column, behind.column - 1);
  EXPECT_EQ(list.range.endColumn, behind.column);
}

TEST(LanguageService, CompletesWithoutEverHavingParsed) {
  const std::string text = "module {\n  func.func @f(%n: index) {\n"
                           "    %a = arith.constant 1 : index\n    ktdp.st";
  LanguageService service;
  service.update(text);
  const CompletionList operations =
      service.completion(positionOf(text, text.size()));
  EXPECT_TRUE(has(operations, "ktdp.store"));
  EXPECT_TRUE(has(operations, "arith.addf"));
  EXPECT_EQ(operations.range.column, 5u);
  for (const CompletionItem &item : operations.items)
    if (item.label == "ktdp.store") {
      EXPECT_EQ(item.kind, CompletionKind::Operation);
      EXPECT_EQ(item.detail,
                "Writes a tensor to the elements of an access tile");
    }
  const std::string values = text + "ore %";
  service.update(values);
  const CompletionList list =
      service.completion(positionOf(values, values.size()));
  EXPECT_EQ(labels(list), (std::vector<std::string>{"%a", "%n"}));
}

TEST(LanguageService, CompletesAliasesTypesAndAttributes) {
  LanguageService service = read(copyKernel);
  const CompletionList aliases =
      service.completion(find(copyKernel, "access_tile_order = #id", 21));
  EXPECT_TRUE(has(aliases, "#three"));
  EXPECT_TRUE(has(aliases, "#ktdp.memory_space<global>"));
  const CompletionList types =
      service.completion(find(copyKernel, "-> !ktdp", 4));
  EXPECT_TRUE(has(types, "!ktdp.access_tile"));
  const CompletionList words =
      service.completion(find(copyKernel, "-> tensor", 6));
  EXPECT_TRUE(has(words, "tensor"));
  EXPECT_TRUE(has(words, "f16"));
  const CompletionList keys =
      service.completion(find(copyKernel, "{access_tile_set", 5));
  EXPECT_TRUE(has(keys, "access_tile_set"));
  EXPECT_TRUE(has(keys, "access_tile_order"));
  EXPECT_FALSE(has(keys, "operandSegmentSizes"));
}

/// Where a word is being completed: `typed` at the end of `line` in a function,
/// with nothing, a closing brace, or other operations behind.
static std::vector<std::pair<std::string, CompletionList>>
completionsAt(const std::string &line, const std::string &typed) {
  const std::string before =
      "#m = affine_map<(a) -> (a)>\nmodule {\n  func.func @f(%a: index, %b: "
      "index, %v: memref<8xf16>, %c: i1) {\n    %t = arith.addi %a, %b : "
      "index\n    " +
      line + typed;
  const char *const behind[] = {
      "",
      "\n",
      "}",
      "}\n    return\n  }\n}\n",
      "\n    %y = arith.addi %a, %b : index\n    return\n  }\n}\n",
      "\n    ktdp.store %a, %b : index\n    return\n  }\n}\n",
      "\n    return\n  }\n}\n",
      "\n  }\n}\n",
      "\n    }\n    return\n  }\n}\n"};
  std::vector<std::pair<std::string, CompletionList>> lists;
  for (const char *rest : behind) {
    const std::string text = before + rest;
    LanguageService service;
    service.update(text);
    lists.push_back({line + typed + rest,
                     service.completion(positionOf(text, before.size()))});
  }
  return lists;
}

TEST(LanguageService, CompletesAttributeNamesInAnOpenDictionary) {
  // Names from the definitions of the operations; of some that have regions,
  // too.
  const struct {
    const char *line;
    std::vector<std::string> names;
  } cases[] = {
      {"%x = ktdp.construct_access_tile %v[%a] {",
       {"access_tile_order", "access_tile_set", "base_map"}},
      {"%x = ktdp.construct_memory_view %a, sizes: [8], strides: [1] {",
       {"coordinate_set", "memory_space", "static_sizes", "static_strides"}},
      {"%x = arith.addi %a, %b {", {"overflowFlags"}},
      {"%x = \"arith.addi\"(%a, %b) {", {"overflowFlags"}},
      {"%x = \"arith.addi\"(%a, %b) <{", {"overflowFlags"}},
      {"%x = arith.addf %a, %b {", {"fastmath"}},
      {"%x = arith.cmpi slt, %a, %b {", {"predicate"}},
      {"%x = ktdp.inter_tile_produce producer_tiles_per_group = #m {",
       {"producer_tiles_per_group"}},
      {"%x = linalg.generic {",
       {"doc", "indexing_maps", "iterator_types", "library_call"}},
      {"func.func private @g(index) attributes {",
       {"arg_attrs", "function_type", "grid", "no_inline", "res_attrs",
        "sym_name", "sym_visibility"}},
      {"scf.for %i = %a to %b step %b {\n      %z = arith.addi %i, %a : "
       "index\n    } {",
       {"unsignedCmp"}},
  };
  for (const auto &one : cases)
    for (const std::string &typed :
         {std::string(), one.names.front().substr(0, 3),
          std::string("other = 1, "),
          "other = 1, " + one.names.front().substr(0, 3)})
      for (const auto &[text, list] : completionsAt(one.line, typed)) {
        EXPECT_EQ(labels(list), one.names) << text;
        for (const CompletionItem &item : list.items)
          EXPECT_EQ(item.kind, CompletionKind::Attribute);
      }
  // A key that is there shows a dictionary where the form would have a region.
  for (const auto &[text, list] :
       completionsAt("scf.for %i = %a to %b step %b {other = 1, ", ""))
    EXPECT_EQ(labels(list), std::vector<std::string>{"unsignedCmp"}) << text;
  // A dictionary in a dictionary has keys of its own.
  for (const auto &[text, list] :
       completionsAt("%x = ktdp.construct_access_tile %v[%a] {other = {", ""))
    EXPECT_FALSE(has(list, "access_tile_set")) << text;
}

TEST(LanguageService, CompletesOperationsInAnOpenRegion) {
  for (const char *line :
       {"scf.for %i = %a to %b step %b {", "scf.if %c {",
        "scf.if %c {\n      %z = arith.addi %a, %a : index\n    } else {",
        "%x = tensor.generate %a {",
        "%x = ktdp.inter_tile_produce producer_tiles_per_group = #m -> "
        "<(tensor<8xf16>), groups = #m> {",
        "linalg.generic {indexing_maps = [#m], iterator_types = "
        "[\"parallel\"]} outs(%v : memref<8xf16>) {",
        "%x = linalg.reduce {", "\"scf.if\"(%c) ({", "func.func @g() {",
        "func.func @g() attributes {grid = [1]} {", "module {",
        // A brace that was forgotten lines above.
        "%x = ktdp.construct_access_tile %v[%a] {\n    %z = arith.addi %a, %a "
        ": index"})
    for (const char *typed : {"\n      ", "\n      ari"})
      for (const auto &[text, list] : completionsAt(line, typed)) {
        EXPECT_TRUE(has(list, "arith.addi")) << text;
        EXPECT_TRUE(has(list, "ktdp.load")) << text;
        // In one order wherever they come from.
        const std::vector<std::string> names = labels(list);
        EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << text;
        for (const CompletionItem &item : list.items)
          EXPECT_EQ(item.kind, CompletionKind::Operation) << item.label;
      }
}

TEST(LanguageService, DoesNotCompleteComments) {
  const std::string text = "// a comment %\nmodule {\n}\n";
  LanguageService service;
  service.update(text); // There is no kernel.
  EXPECT_TRUE(service.completion({1, 15}).items.empty());
}

TEST(LanguageService, ClassifiesTokens) {
  LanguageService service = read(copyKernel);
  const std::vector<SemanticToken> tokens = service.semanticTokens();
  auto at = [&](TextPosition position) -> SemanticToken {
    for (const SemanticToken &token : tokens)
      if (token.line == position.line && token.column == position.column)
        return token;
    return {};
  };
  SemanticToken argument = at(find(copyKernel, "%x: index"));
  EXPECT_EQ(argument.type, TokenType::Parameter);
  EXPECT_EQ(argument.length, 2u);
  EXPECT_TRUE(argument.isDefinition);
  EXPECT_EQ(at(find(copyKernel, "%x, sizes")).type, TokenType::Parameter);
  EXPECT_FALSE(at(find(copyKernel, "%x, sizes")).isDefinition);
  EXPECT_EQ(at(find(copyKernel, "%v =")).type, TokenType::Value);
  EXPECT_EQ(at(find(copyKernel, "ktdp.load")).type, TokenType::Operation);
  EXPECT_EQ(at(find(copyKernel, "return")).type, TokenType::Operation);
  EXPECT_EQ(at(find(copyKernel, "@copy")).type, TokenType::Symbol);
  EXPECT_EQ(at(find(copyKernel, "#three")).type, TokenType::Alias);
  EXPECT_EQ(at(find(copyKernel, "tensor<")).type, TokenType::Type);
  for (size_t i = 1; i < tokens.size(); ++i)
    EXPECT_TRUE(
        tokens[i - 1].line < tokens[i].line ||
        (tokens[i - 1].line == tokens[i].line &&
         tokens[i - 1].column + tokens[i - 1].length <= tokens[i].column));
}
