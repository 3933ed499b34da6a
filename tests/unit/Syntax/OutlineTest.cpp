//===- OutlineTest.cpp - Statements of MLIR text --------------------------===//

#include "ktir/Syntax/Outline.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

/// The operations of a text by name, each with the depth of its region.
static std::vector<std::string> operationsOf(const Outline &outline) {
  std::vector<std::string> result;
  for (const Statement &statement : outline.statements()) {
    std::string depth;
    for (uint32_t r = statement.region; r != 0; r = outline.regions()[r].parent)
      depth += '+';
    result.push_back(depth + outline.spelling(statement.name).str());
  }
  return result;
}

static std::string textOf(const Outline &outline, const Statement &statement) {
  return outline.slice({statement.first, statement.end}).str();
}

using Names = std::vector<std::string>;

TEST(Outline, MatchesBrackets) {
  Outline outline("( [ < ] ) } > {-# < #-} ( { ) } )");
  //               0 1 2 3 4 5 6 7   8 9   10 11 12 13 14
  EXPECT_EQ(outline.match(0), 4u);
  EXPECT_EQ(outline.match(1), 3u);
  EXPECT_EQ(outline.match(2), noIndex); // closed over
  EXPECT_EQ(outline.match(3), 1u);
  EXPECT_EQ(outline.match(5), noIndex);
  EXPECT_EQ(outline.match(6), noIndex);
  EXPECT_EQ(outline.match(7), 9u);
  EXPECT_EQ(outline.match(8), noIndex);
  // Nothing reaches across a brace.
  EXPECT_EQ(outline.match(10), 14u);
  EXPECT_EQ(outline.match(11), 13u);
  EXPECT_EQ(outline.match(12), noIndex);
  EXPECT_EQ(outline.match(99), noIndex);
}

TEST(Outline, ArrowsAndComparisonsAreNoBrackets) {
  Outline outline("<(d0) -> (d0)> <(d0) : (d0 >= 0, d0 <= 3)>");
  EXPECT_EQ(outline.spelling(outline.match(0)), ">");
  EXPECT_EQ(outline.match(0), 8u);
  EXPECT_EQ(outline.match(9), outline.size() - 1);
}

TEST(Outline, Statements) {
  Outline outline(R"(#id = affine_map<(d0) -> (d0)>
!t = tensor<4xf16>
module {
  func.func @f(%a: index, %b: !t) attributes {grid = [4, 1]} {
    %c, %d:2 = "some.op"(%a) <{x = 1}> ({
      %e = arith.addi %a, %a : index
    }) : (index) -> (index, index, index)
    scf.for %i = %c to %d#0 step %a iter_args(%x = %b) -> (!t) {
      scf.yield %x : !t
    }
    spyreop.store %c, %a
    %f = spyreop.addi32toi32 %c, %a
    %n = linalg.reduce { arith.addf }
        ins(%b : !t) outs(%b : !t) dimensions = [0]
    return
  }
}
#loc = loc(unknown))");
  EXPECT_EQ(
      operationsOf(outline),
      (Names{"#id", "!t", "module", "+func.func", "++\"some.op\"",
             "+++arith.addi", "++scf.for", "+++scf.yield", "++spyreop.store",
             "++spyreop.addi32toi32", "++linalg.reduce", "++return", "#loc"}));
  llvm::ArrayRef<Statement> statements = outline.statements();
  EXPECT_EQ(statements[0].kind, StatementKind::Alias);
  EXPECT_EQ(textOf(outline, statements[0]), "#id = affine_map<(d0) -> (d0)>");
  EXPECT_EQ(textOf(outline, statements[8]), "spyreop.store %c, %a");
  EXPECT_EQ(textOf(outline, statements[9]), "%f = spyreop.addi32toi32 %c, %a");
  EXPECT_EQ(outline.spelling(statements[4].first), "%c");
  EXPECT_EQ(outline.genericName(statements[4]), "some.op");
  EXPECT_EQ(outline.customName(statements[4]), "");
  EXPECT_EQ(outline.customName(statements[3]), "func.func");
  EXPECT_EQ(outline.genericName(statements[3]), "");
  EXPECT_EQ(outline.customName(statements[0]), "");
  // An operation ends behind its regions.
  EXPECT_TRUE(llvm::StringRef(textOf(outline, statements[4]))
                  .ends_with("(index, index, index)"));
  ASSERT_EQ(outline.regions().size(), 5u);
  EXPECT_EQ(outline.regions()[4].statement, 6u);
  EXPECT_EQ(outline.slice(*outline.alias("!t")), "tensor<4xf16>");
  EXPECT_FALSE(outline.alias("!u"));
}

TEST(Outline, Blocks) {
  Outline outline(R"(func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1(%c : i1), ^bb2
^bb1(%x: i1):
  cf.br ^bb2
^bb2:
  return
}
func.func @g() {
^bb0:
  return
})");
  EXPECT_EQ(operationsOf(outline),
            (Names{"func.func", "+cf.cond_br", "+^bb1", "+cf.br", "+^bb2",
                   "+return", "func.func", "+^bb0", "+return"}));
  EXPECT_TRUE(outline.regions()[1].severalBlocks);
  EXPECT_FALSE(outline.regions()[2].severalBlocks);
}

TEST(Outline, ABraceWithoutAPartnerReachesAsFarAsWhatIsAroundIt) {
  Outline outline("module { func.func @f() { a.b scf.if %c { c.d");
  EXPECT_EQ(operationsOf(outline),
            (Names{"module", "+func.func", "++a.b", "++scf.if", "+++c.d"}));
  for (const Region &region : outline.regions())
    EXPECT_EQ(region.close, outline.size());
  Outline inner("a.b ({ c.d %x { e.f g.h ) i.j");
  EXPECT_EQ(operationsOf(inner),
            (Names{"a.b", "+c.d", "++e.f", "++g.h", "++i.j"}));
}

TEST(Outline, SpineLeavesOutTheInsideOfBracketsAndTheLocation) {
  Outline outline(
      "%a = x.y %b[%c, %d] {k = [1]} : <4xf16> -> i1 loc(\"f\":1:2)");
  std::string spine;
  for (uint32_t i : outline.spine(outline.statements()[0]))
    spine += outline.spelling(i).str() + ' ';
  EXPECT_EQ(spine, "x.y %b [ ] { } : < > -> i1 ");
}

TEST(Outline, SplitsAtCommas) {
  Outline outline("(a, b<c, d>, , [e, f])");
  std::vector<std::string> parts;
  for (TokenRange part : outline.split(outline.inside(0)))
    parts.push_back(outline.slice(part).str());
  EXPECT_EQ(parts, (Names{"a", "b<c, d>", "", "[e, f]"}));
  EXPECT_TRUE(Outline("()").split({1, 1}).empty());
  EXPECT_TRUE(Outline("(a, b").inside(0).empty());
}

TEST(Outline, FindsKeys) {
  Outline outline("{a = [1, 2], \"b\" = {c = 1}, d, e = f<g, h>}");
  EXPECT_EQ(outline.slice(*outline.findKey(0, "a")), "[1, 2]");
  EXPECT_EQ(outline.slice(*outline.findKey(0, "b")), "{c = 1}");
  EXPECT_EQ(outline.slice(*outline.findKey(0, "e")), "f<g, h>");
  EXPECT_FALSE(outline.findKey(0, "c"));
  EXPECT_FALSE(outline.findKey(0, "d"));
  EXPECT_FALSE(Outline("{a = 1").findKey(0, "a"));
}
