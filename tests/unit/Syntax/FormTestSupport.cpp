//===- FormTestSupport.cpp - Expectations about legacy forms --------------===//

#include "FormTestSupport.h"

#include "SourceFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace ktir::syntax {

static std::string takeMarks(const std::string &marked,
                             std::vector<ByteRange> &ranges) {
  std::string text;
  std::vector<size_t> open;
  for (size_t i = 0; i < marked.size(); ++i) {
    if (marked.compare(i, 2, "~[") == 0) {
      open.push_back(ranges.size());
      ranges.push_back({text.size(), text.size()});
      ++i;
    } else if (marked.compare(i, 2, "]~") == 0) {
      ranges[open.back()].end = text.size();
      open.pop_back();
      ++i;
    } else {
      text += marked[i];
    }
  }
  return text;
}

std::string expectSoundEdits(llvm::StringRef text) {
  std::vector<Fix> fixes = findLegacyForms(text);
  std::vector<ByteRange> edits;
  for (const Fix &fix : fixes) {
    EXPECT_LE(fix.begin, fix.end);
    EXPECT_LE(fix.end, text.size());
    EXPECT_EQ(fix.edits.empty(), fix.standing == Standing::Refused);
    for (size_t i = 0; i < fix.edits.size(); ++i) {
      EXPECT_LE(fix.edits[i].begin, fix.edits[i].end);
      EXPECT_LE(fix.edits[i].end, text.size());
      if (i > 0) {
        EXPECT_LE(fix.edits[i - 1].end, fix.edits[i].begin);
      }
      edits.push_back({fix.edits[i].begin, fix.edits[i].end});
    }
  }
  std::sort(
      edits.begin(), edits.end(), [](const ByteRange &a, const ByteRange &b) {
        return std::make_pair(a.begin, a.end) < std::make_pair(b.begin, b.end);
      });
  for (size_t i = 1; i < edits.size(); ++i)
    EXPECT_LE(edits[i - 1].end, edits[i].begin);
  return FixedText(text, fixes).text();
}

void expectForms(const std::string &marked,
                 const std::vector<ExpectedForm> &expected,
                 const std::string &fixed) {
  std::vector<ByteRange> ranges;
  std::string text = takeMarks(marked, ranges);
  SCOPED_TRACE(text);
  std::vector<Fix> found = findLegacyForms(text);
  std::string all;
  for (const Fix &fix : found)
    all += std::string(fix.id) + ": " + fix.message + "\n";
  ASSERT_EQ(ranges.size(), expected.size());
  ASSERT_EQ(found.size(), expected.size()) << all;
  for (size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(all);
    EXPECT_EQ(found[i].id, expected[i].id);
    EXPECT_EQ(found[i].message, expected[i].message);
    EXPECT_EQ(found[i].replacement, expected[i].replacement);
    EXPECT_EQ(found[i].standing, expected[i].standing);
    EXPECT_EQ(found[i].begin, ranges[i].begin);
    EXPECT_EQ(found[i].end, ranges[i].end);
  }
  EXPECT_EQ(expectSoundEdits(text), fixed);
  for (const Fix &again : findLegacyForms(fixed))
    EXPECT_EQ(again.standing, Standing::Refused) << again.message;
}

void expectNoForm(const std::string &text) { expectForms(text, {}, text); }

std::string inFunction(const std::string &lines, const std::string &signature) {
  std::string text = "module {\n  func.func " + signature + " {\n";
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);)
    text += "    " + line + "\n";
  return text + "    return\n  }\n}\n";
}

std::string readSource(const std::string &path) {
  std::ifstream file(ktir::test::sourceFolder() + "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace ktir::syntax
