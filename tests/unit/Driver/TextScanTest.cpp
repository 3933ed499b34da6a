//===- TextScanTest.cpp - Positions and limits in source text -------------===//

#include "TextScan.h"

#include <gtest/gtest.h>

using namespace ktir;

TEST(TextScan, CountsInWords) {
  EXPECT_EQ(counted(0, "byte"), "0 bytes");
  EXPECT_EQ(counted(1, "byte"), "1 byte");
  EXPECT_EQ(counted(2, "byte"), "2 bytes");
}

TEST(TextScan, PositionsAndOffsetsAgree) {
  SourceText source("f", "ab\ncde\n\nf");
  EXPECT_EQ(source.offsetOf(2, 1), size_t(3));
  EXPECT_EQ(source.offsetOf(4, 2), size_t(9));
  EXPECT_FALSE(source.offsetOf(5, 1));
  EXPECT_FALSE(source.offsetOf(3, 2));
  SourceRange range = source.rangeOf(4, 6);
  EXPECT_EQ(range.line, 2u);
  EXPECT_EQ(range.column, 2u);
  EXPECT_EQ(range.endLine, 2u);
  EXPECT_EQ(range.endColumn, 4u);
  EXPECT_EQ(source.line(2), "cde");
  EXPECT_EQ(source.line(9), "");
}

static std::string tokenAt(const std::string &text, size_t offset) {
  SourceText source("f", text);
  return text.substr(offset, source.tokenEnd(offset) - offset);
}

TEST(TextScan, FindsTokenEnds) {
  EXPECT_EQ(tokenAt("ktdp.load %x", 0), "ktdp.load");
  EXPECT_EQ(tokenAt("%a#1, %b", 0), "%a#1");
  EXPECT_EQ(tokenAt("@\"a b\"(", 0), "@\"a b\"");
  EXPECT_EQ(tokenAt("\"x\\\"y\" z", 0), "\"x\\\"y\"");
  EXPECT_EQ(tokenAt("-> tensor", 0), "->");
  EXPECT_EQ(tokenAt("(x", 0), "(");
  EXPECT_EQ(tokenAt("a b", 1), "");
  EXPECT_EQ(tokenAt("\xC3\xA9x", 0), "\xC3\xA9");
}

TEST(TextScan, FindsTokenStarts) {
  SourceText source("f", "%x:  indx  // c\ny  ");
  EXPECT_EQ(source.tokenStart(3), 5u);
  EXPECT_EQ(source.tokenStart(5), 5u);
  EXPECT_EQ(source.tokenStart(9), 9u);
  EXPECT_EQ(source.tokenStart(17), 17u);
}

TEST(TextScan, RefusesWhatWouldExhaustTheStack) {
  EXPECT_FALSE(findExcessiveNesting(std::string(256, '(')));
  std::optional<TextProblem> problem =
      findExcessiveNesting("x" + std::string(300, '['));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->offset, 257u);
  EXPECT_EQ(problem->message, "brackets nest deeper than 256");
  std::string sum = "d0";
  for (int i = 0; i < 2000; ++i)
    sum += " + d0";
  ASSERT_TRUE(findExcessiveNesting(sum));
  EXPECT_EQ(findExcessiveNesting(sum)->message,
            "an expression has more than 1024 operators");
  for (const std::string prefix : {"", "0x"}) {
    problem = findExcessiveNesting("a = " + prefix + std::string(1025, '1'));
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->offset, 4u);
    EXPECT_EQ(problem->message, "a number has more than 1024 digits");
    EXPECT_FALSE(findExcessiveNesting(prefix + std::string(1022, '1') + " 2"));
  }
  EXPECT_FALSE(findExcessiveNesting("a" + std::string(2000, '1')));
  std::string shape = "tensor<4", names = "affine_map<(d0";
  for (int i = 0; i < 2000; ++i) {
    shape += "x4";
    names += ", d" + std::to_string(i);
  }
  ASSERT_TRUE(findExcessiveNesting(shape));
  EXPECT_EQ(findExcessiveNesting(shape)->offset, 7u);
  EXPECT_EQ(findExcessiveNesting(shape)->message,
            "a shape has more than 256 dimensions");
  EXPECT_FALSE(findExcessiveNesting(shape.substr(0, 500)));
  ASSERT_TRUE(findExcessiveNesting(names));
  EXPECT_EQ(findExcessiveNesting(names)->message,
            "'affine_map' has more than 1024 dimensions and symbols");
  EXPECT_FALSE(
      findExcessiveNesting("affine_set<(d0) : (d0 >= 0)>" + names.substr(11)));
  // What follows a number is looked at.
  EXPECT_TRUE(findExcessiveNesting("0x1" + std::string(300, '(')));
  // Comments, strings, arrows and long lists are no nesting.
  EXPECT_FALSE(findExcessiveNesting("// " + std::string(300, '(') + "\nx"));
  EXPECT_FALSE(findExcessiveNesting("\"" + std::string(300, '(') + "\""));
  std::string list, arrows;
  for (int i = 0; i < 5000; ++i) {
    list += "-1, ";
    arrows += "() -> ";
  }
  EXPECT_FALSE(findExcessiveNesting(list));
  EXPECT_FALSE(findExcessiveNesting(arrows));
}

TEST(TextScan, OutermostJsonKeys) {
  const std::string text =
      R"({"a": {"b": [1, "c,:}"]}, "d\"e" :  "f:,}" , "g": 2 })";
  std::vector<JsonKey> keys = outermostJsonKeys(text);
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].name, "a");
  EXPECT_EQ(keys[1].name, "d\"e");
  EXPECT_EQ(keys[2].name, "g");
  EXPECT_EQ(keys[0].begin, 1u);
  EXPECT_EQ(keys[0].end, 4u);
  auto value = [&](const JsonKey &key) {
    return text.substr(key.valueBegin, key.valueEnd - key.valueBegin);
  };
  EXPECT_EQ(value(keys[0]), R"({"b": [1, "c,:}"]})");
  EXPECT_EQ(value(keys[1]), "\"f:,}\"");
  EXPECT_EQ(value(keys[2]), "2");
}

TEST(TextScan, SuggestsNearNamesOnly) {
  EXPECT_EQ(nearestName("wieght", {"input", "weight"}), "weight");
  EXPECT_EQ(nearestName("arg0", {"arg1", "ARG0"}), "ARG0");
  EXPECT_FALSE(nearestName("bias", {"input", "weight"}));
}

TEST(TextScan, CountsConstraintsOfOneSet) {
  auto set = [](unsigned constraints, const char *comparison) {
    std::string text = "affine_set<(d0) : (";
    for (unsigned i = 0; i < constraints; ++i)
      text += (i ? ", d0 " : "d0 ") + std::string(comparison) + " 0";
    return text + ")>";
  };
  for (const char *comparison : {">=", "<=", "=="}) {
    EXPECT_FALSE(findExcessiveNesting(set(10000, comparison)));
    std::optional<TextProblem> problem =
        findExcessiveNesting(set(10001, comparison));
    ASSERT_TRUE(problem) << comparison;
    EXPECT_EQ(problem->message, "a set has more than 10000 constraints");
  }
  // Each set counts for itself.
  EXPECT_FALSE(
      findExcessiveNesting("{" + set(9000, ">=") + set(9000, ">=") + "}"));
}

TEST(TextScan, FindsBytesThatNoTextHas) {
  EXPECT_FALSE(findUnreadableByte("module {} // \xC3\xA9"));
  EXPECT_EQ(findUnreadableByte(llvm::StringRef("ab\0c", 4))->offset, 2u);
  EXPECT_EQ(findUnreadableByte("\xEF\xBB\xBFmodule {}")->offset, 0u);
  EXPECT_EQ(findUnreadableByte("ab // \xC3(")->offset, 6u);
}
