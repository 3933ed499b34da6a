//===- MutationTest.cpp - Texts that nobody would write -------------------===//
//
// Ten thousand texts made of the examples by small changes. Whatever a text
// is, reading it ends with a module or with an error that has a message; what
// was read is printed, read and printed again, and the two texts are equal. The
// changes come from a generator with a fixed seed, so every run tries the same
// texts. With KTIR_FUZZ_TEXT=FILE each text is written to FILE before it is
// tried, so that one that ends the process is there.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"

#include "ktir/Driver/Driver.h"

#include "gtest/gtest.h"

using namespace ktir;

TEST(Mutation, ReadingEndsAndPrintingIsStable) {
  Mutator mutator(readSeeds(), 20261129);
  CompileOptions options;
  options.to = Level::Ktir;
  unsigned readable = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE("text " + std::to_string(i));
    keepText(text);
    Compilation first = compile(text, options);
    if (!first.succeeded()) {
      ASSERT_FALSE(first.diagnostics().empty()) << text;
      for (const Diagnostic &diagnostic : first.diagnostics())
        ASSERT_FALSE(diagnostic.message.empty()) << text;
      continue;
    }
    ++readable;
    const std::string printed = first.stageText(0);
    Compilation second = compile(printed, options);
    ASSERT_TRUE(second.succeeded())
        << text << "\n--- printed\n"
        << printed << "\n--- "
        << (second.diagnostics().empty() ? ""
                                         : second.diagnostics()[0].message);
    ASSERT_EQ(second.stageText(0), printed) << text;
  }
  // Otherwise nothing but refusals would be tried.
  EXPECT_GT(readable, 500u);
}

TEST(Mutation, FormattingKeepsTheProgram) {
  Mutator mutator(readSeeds(), 20261129);
  CompileOptions options;
  options.to = Level::Ktir;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE("text " + std::to_string(i));
    keepText(text);
    FormatResult formatted = format(text, "kernel.mlir");
    if (!formatted.text) {
      ASSERT_FALSE(formatted.diagnostics.empty()) << text;
      continue;
    }
    ASSERT_EQ(compile(*formatted.text, options).stageText(0),
              compile(text, options).stageText(0))
        << text;
    FormatResult again = format(*formatted.text, "kernel.mlir");
    ASSERT_EQ(again.text, formatted.text) << text;
  }
}
