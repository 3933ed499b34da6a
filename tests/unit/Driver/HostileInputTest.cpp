//===- HostileInputTest.cpp - Texts that are cut, huge, nested or no text -===//
//
// Checking, formatting and the language service end with an error that has a
// position, and say the limit where there is one. The texts are made here.
//
//===----------------------------------------------------------------------===//

#include "Effort.h"
#include "TestKernels.h"

#include "ktir/Driver/LanguageService.h"

#include <gtest/gtest.h>

#include <random>

using namespace ktir;
using namespace ktir::test;

static std::string repeat(const std::string &text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

/// Expects an error with a position from all that reads texts, and returns its
/// message.
static std::string expectRefusal(const std::string &text) {
  CompileOptions options;
  options.to = Level::Ktir;
  Compilation compilation = compile(text, options);
  EXPECT_FALSE(compilation.succeeded());
  std::string message;
  for (const Diagnostic &diagnostic : compilation.diagnostics()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    EXPECT_GT(diagnostic.range.line, 0u) << diagnostic.message;
    EXPECT_FALSE(diagnostic.message.empty());
    EXPECT_LE(diagnostic.message.size(), 2000u);
    if (message.empty())
      message = diagnostic.message;
  }
  EXPECT_FALSE(message.empty());

  FormatResult formatted = format(text, "kernel.mlir");
  // What only the rules of kernels refuse can be formatted.
  if (!formatted.text) {
    EXPECT_FALSE(formatted.diagnostics.empty());
  }

  LanguageService service;
  EXPECT_FALSE(service.update(text).empty());
  for (TextPosition position : {TextPosition{1, 1}, TextPosition{1, 9},
                                TextPosition{3, 5}, TextPosition{~0u, 1}}) {
    service.hover(position);
    service.definition(position);
    service.references(position);
  }
  return message;
}

TEST(HostileInput, EveryPrefixOfAKernel) {
  const std::string text = readSource("examples/axpy/kernel.mlir");
  ASSERT_GT(text.size(), 1000u);
  CompileOptions options;
  options.to = Level::Ktir;
  LanguageService service;
  unsigned refused = 0;
  for (size_t size = 0; size < text.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string prefix = text.substr(0, size);
    Compilation compilation = compile(prefix, options);
    // The last bytes are the line end.
    if (compilation.succeeded()) {
      EXPECT_GE(size + 1, text.size());
      continue;
    }
    ++refused;
    ASSERT_FALSE(compilation.diagnostics().empty());
    EXPECT_GT(compilation.diagnostics().front().range.line, 0u);
    if (size % 7 == 0) {
      FormatResult formatted = format(prefix, "kernel.mlir");
      EXPECT_EQ(formatted.text.has_value(), formatted.diagnostics.empty());
      EXPECT_FALSE(service.update(prefix).empty());
      service.completion({compilation.diagnostics().front().range.line, 1});
    }
  }
  EXPECT_GE(refused + 2, text.size());
}

TEST(HostileInput, PrefixesOfEveryForm) {
  const std::string text = readSource("tests/inputs/legacy/every_form.mlir");
  ASSERT_GT(text.size(), 1000u);
  for (size_t size = 1; size < text.size(); size += 13) {
    SCOPED_TRACE(size);
    const std::string prefix = text.substr(0, size);
    Compilation compilation = compile(prefix, {});
    if (!compilation.succeeded()) {
      ASSERT_FALSE(compilation.diagnostics().empty());
    }
    format(prefix, "kernel.mlir");
  }
}

TEST(HostileInput, TenMegabytesOfGarbage) {
  std::mt19937_64 generator(20261130);
  std::string bytes, letters;
  const size_t size = effort(10u << 20, 1u << 20);
  while (bytes.size() < size) {
    bytes += char(generator() % 256);
    letters += char(32 + generator() % 95);
  }
  EXPECT_NE(expectRefusal(bytes).find("expected UTF-8 text"),
            std::string::npos);
  expectRefusal(letters);
  expectRefusal(std::string(size, 'a'));
  expectRefusal(std::string(size, '\n') + "?");
  expectRefusal("// " + std::string(size, '('));
  expectRefusal("\"" + std::string(size, 'a'));
}

TEST(HostileInput, TenThousandLevels) {
  const unsigned levels = 10000;
  const std::string texts[] = {
      "func.func @f() {\n" + repeat("scf.execute_region {\n", levels),
      "func.func @f() {\n" + repeat("scf.execute_region {\n", levels) +
          repeat("}\n", levels) + "return }",
      repeat("module {", levels) + repeat("}", levels),
      repeat("\"a.b\"() ({", levels) + repeat("}) : () -> ()", levels),
      "#m = affine_map<(d0) -> (" + repeat("(", levels) + "d0" +
          repeat(")", levels) + ")>",
      "#a = " + repeat("[", levels) + repeat("]", levels),
      "#a = " + repeat("{a = ", levels) + "1" + repeat("}", levels),
      "!t = " + repeat("tuple<", levels) + "i32" + repeat(">", levels),
      "!t = " + repeat("() -> (", levels) + "i32" + repeat(")", levels),
      "!t = " + repeat("!ktdp.tile_future<(tensor<4x", levels),
      "module {} loc(" + repeat("callsite(\"a\" at ", levels) + "\"b\"" +
          repeat(")", levels) + ")"};
  for (const std::string &text : texts)
    EXPECT_EQ(expectRefusal(text), "brackets nest deeper than 256")
        << text.substr(0, 60);
  EXPECT_EQ(
      expectRefusal("#m = affine_map<(d0) -> (" + repeat("-", levels) + "d0)>"),
      "an expression has more than 1024 operators");
}

TEST(HostileInput, LongListsAndNumbers) {
  std::string constraints = "d0 >= 0", dimensions = "d0";
  for (unsigned i = 1; i < effort(1000000u, 100000u); ++i) {
    constraints += ", d0 >= 0";
    dimensions += ", d" + std::to_string(i);
  }
  EXPECT_EQ(expectRefusal("#s = affine_set<(d0) : (" + constraints + ")>"),
            "a set has more than 10000 constraints");
  EXPECT_EQ(expectRefusal("#s = affine_set<(" + dimensions + ") : (d0 == 0)>"),
            "'affine_set' has more than 1024 dimensions and symbols");
  EXPECT_EQ(expectRefusal("!t = tensor<" + repeat("4x", 100000) + "f16>"),
            "a shape has more than 256 dimensions");
  EXPECT_EQ(expectRefusal("#a = " + std::string(1000000, '9') + " : i32"),
            "a number has more than 1024 digits");
  EXPECT_EQ(expectRefusal("#a = 0x" + std::string(1000000, 'F') + " : f16"),
            "a number has more than 1024 digits");
}

TEST(HostileInput, BytesThatNoTextHas) {
  const std::string text = readSource("examples/axpy/kernel.mlir");
  const size_t at = text.find("ktdp.load");
  for (size_t place : {size_t(0), size_t(5), at, text.size()}) {
    std::string broken = text;
    broken.insert(place, 1, '\0');
    EXPECT_EQ(expectRefusal(broken),
              "unexpected NUL byte, expected UTF-8 text");
    broken = text;
    broken.insert(place, "\xC3(");
    EXPECT_EQ(expectRefusal(broken),
              "unexpected byte 0xC3, expected UTF-8 text");
  }
  // A surrogate, a byte that none starts with, and a sequence that is cut.
  EXPECT_EQ(expectRefusal("// \xED\xA0\x80\n" + text),
            "unexpected byte 0xED, expected UTF-8 text");
  EXPECT_EQ(expectRefusal("module attributes {a.b = \"\xFF\"} {}"),
            "unexpected byte 0xFF, expected UTF-8 text");
  EXPECT_EQ(expectRefusal(text + "// \xE2\x82"),
            "unexpected byte 0xE2, expected UTF-8 text");
}
