//===- FixedTextTest.cpp - Text with its legacy forms replaced ------------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

using namespace ktir::syntax;

static Fix fixOf(size_t begin, size_t end, std::vector<Edit> edits) {
  Fix fix;
  fix.begin = begin;
  fix.end = end;
  fix.edits = std::move(edits);
  return fix;
}

namespace ktir::syntax {
static bool operator==(const ByteRange &a, const ByteRange &b) {
  return a.begin == b.begin && a.end == b.end;
}

static void PrintTo(const ByteRange &range, std::ostream *stream) {
  *stream << range.begin << ".." << range.end;
}
} // namespace ktir::syntax

TEST(FixedText, WithoutFixesNothingMoves) {
  FixedText text("abc", {});
  EXPECT_EQ(text.text(), "abc");
  for (size_t i = 0; i <= 3; ++i) {
    EXPECT_EQ(text.originalOffset(i), i);
    EXPECT_EQ(text.fixedOffset(i), i);
  }
  EXPECT_EQ(text.originalRange(1, 3), (ByteRange{1, 3}));
  EXPECT_EQ(FixedText("", {}).text(), "");
}

TEST(FixedText, Replacements) {
  //                            0123456789
  FixedText text("ab OLD cd", {fixOf(3, 6, {{3, 6, "longer"}})});
  EXPECT_EQ(text.text(), "ab longer cd");
  EXPECT_EQ(text.originalOffset(2), 2u);
  for (size_t inside = 3; inside < 9; ++inside)
    EXPECT_EQ(text.originalOffset(inside), 3u);
  EXPECT_EQ(text.originalOffset(9), 6u);
  EXPECT_EQ(text.originalOffset(10), 7u);
  EXPECT_EQ(text.originalOffset(12), 9u);
  // A part of what was written stands for all that was replaced.
  EXPECT_EQ(text.originalRange(4, 7), (ByteRange{3, 6}));
  EXPECT_EQ(text.originalRange(3, 9), (ByteRange{3, 6}));
  EXPECT_EQ(text.originalRange(0, 5), (ByteRange{0, 6}));
  EXPECT_EQ(text.originalRange(5, 11), (ByteRange{3, 8}));
  EXPECT_EQ(text.originalRange(10, 12), (ByteRange{7, 9}));
  EXPECT_EQ(text.fixedOffset(2), 2u);
  EXPECT_EQ(text.fixedOffset(3), 3u);
  EXPECT_EQ(text.fixedOffset(5), 3u);
  EXPECT_EQ(text.fixedOffset(6), 9u);
  EXPECT_EQ(text.fixedOffset(9), 12u);
}

TEST(FixedText, InsertionsStandForWhatWasReported) {
  // 0123456
  // a b c d: `x ` before b, reported at c.
  FixedText text("a b c d", {fixOf(4, 5, {{2, 2, "x "}})});
  EXPECT_EQ(text.text(), "a x b c d");
  EXPECT_EQ(text.originalOffset(2), 2u);
  EXPECT_EQ(text.originalOffset(3), 2u);
  EXPECT_EQ(text.originalOffset(4), 2u);
  EXPECT_EQ(text.originalOffset(6), 4u);
  EXPECT_EQ(text.originalRange(2, 3), (ByteRange{4, 5}));
  EXPECT_EQ(text.originalRange(2, 2), (ByteRange{4, 5}));
  EXPECT_EQ(text.originalRange(4, 5), (ByteRange{2, 3}));
  EXPECT_EQ(text.originalRange(4, 4), (ByteRange{2, 2}));
  EXPECT_EQ(text.originalRange(0, 5), (ByteRange{0, 3}));
  EXPECT_EQ(text.originalRange(0, 3), (ByteRange{0, 2}));
  EXPECT_EQ(text.originalRange(3, 5), (ByteRange{2, 3}));
  // What stands at the place of an insertion stays behind it.
  EXPECT_EQ(text.fixedOffset(2), 4u);
  EXPECT_EQ(text.fixedOffset(1), 1u);
}

TEST(FixedText, DeletionsAndSeveralFixes) {
  // 0123456789
  FixedText text(
      "abc: T -> d",
      {fixOf(3, 7, {{3, 7, ""}}),
       fixOf(10, 11, {{10, 10, "("}, {10, 11, "dd"}, {11, 11, ")"}})});
  EXPECT_EQ(text.text(), "abc-> (dd)");
  EXPECT_EQ(text.originalOffset(2), 2u);
  EXPECT_EQ(text.originalOffset(3), 7u);
  EXPECT_EQ(text.originalRange(3, 5), (ByteRange{7, 9}));
  EXPECT_EQ(text.originalRange(0, 3), (ByteRange{0, 3}));
  EXPECT_EQ(text.originalRange(0, 5), (ByteRange{0, 9}));
  EXPECT_EQ(text.originalRange(7, 9), (ByteRange{10, 11}));
  EXPECT_EQ(text.originalRange(6, 7), (ByteRange{10, 11}));
  EXPECT_EQ(text.originalRange(6, 10), (ByteRange{10, 11}));
  EXPECT_EQ(text.fixedOffset(5), 3u);
  EXPECT_EQ(text.fixedOffset(7), 3u);
  EXPECT_EQ(text.fixedOffset(10), 7u);
  EXPECT_EQ(text.fixedOffset(11), 10u);
}

TEST(FixedText, TokensOfAProgramMapBack) {
  // Every word that both texts have once maps to itself.
  const std::string original =
      readSource("tests/inputs/producers/old_forms.mlir");
  FixedText fixed(original, findLegacyForms(original));
  for (const char *word :
       {"%ids: index", "%table_view[ind(", "%gain_1d [[0, 1]]", "%limits :",
        "%hit : tensor<1x64xf16>)", "tensor.splat %limit", "return\n"}) {
    const size_t there = original.find(word), here = fixed.text().find(word);
    ASSERT_NE(there, std::string::npos) << word;
    ASSERT_NE(here, std::string::npos) << word;
    EXPECT_EQ(fixed.originalOffset(here), there) << word;
    EXPECT_EQ(fixed.fixedOffset(there), here) << word;
    const size_t size = std::string(word).size();
    EXPECT_EQ(fixed.originalRange(here, here + size),
              (ByteRange{there, there + size}))
        << word;
  }
}
