//===- CommandLineTest.cpp - The commands of `ktir` -----------------------===//
//
// The contract through a host in memory; tests/lit/cli runs the tool itself.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "TestKernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

using namespace ktir;
using namespace ktir::test;

namespace {
/// Files in memory, and what was printed.
class CommandLineTest : public testing::Test {
protected:
  CommandLineTest() {
    host.readFile =
        [this](const std::string &path) -> std::optional<std::vector<uint8_t>> {
      auto found = files.find(path);
      if (found == files.end())
        return std::nullopt;
      return std::vector<uint8_t>(found->second.begin(), found->second.end());
    };
    host.writeFile = [this](const std::string &path, const std::string &bytes) {
      if (readOnly)
        return false;
      files[path] = bytes;
      return true;
    };
    host.appendFile = [this](const std::string &path,
                             const std::string &bytes) {
      if (diskFull)
        return false;
      ++appended;
      files.at(path) += bytes;
      return true;
    };
    host.makeFolder = [this](const std::string &path) {
      made.push_back(path);
      return !readOnly;
    };
    host.out = [this](const std::string &text) { out += text; };
    host.err = [this](const std::string &text) { err += text; };
    files["add.mlir"] = kernelText(kernelFamily("add"), 2, 3);
    files["divide.mlir"] =
        readSource("tests/inputs/kernels/outside_class.mlir");
    files["in/args.json"] = R"({
      "a": {"dtype": "f16", "shape": [6, 128], "fill": 1.5},
      "b": {"npy": "b.npy"},
      "out": {"dtype": "f16", "shape": [6, 128], "fill": 0}})";
    Tensor b{"f16", {6, 128}, std::vector<uint8_t>(6 * 128 * 2)};
    for (size_t i = 1; i < b.data.size(); i += 2)
      b.data[i] = 0x40; // 2.0
    const std::vector<uint8_t> bytes = writeNpy(b);
    files["in/b.npy"] = std::string(bytes.begin(), bytes.end());
  }

  int run(std::vector<std::string> words) {
    out.clear();
    err.clear();
    return runCommandLine(words, host);
  }

  CommandLineHost host;
  std::map<std::string, std::string> files;
  std::string out, err;
  std::vector<std::string> made;
  bool readOnly = false, diskFull = false;
  unsigned appended = 0;
};
} // namespace

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(CommandLineTest, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_CONTAINS(out, "usage: ktir COMMAND");
  for (const char *command : {"check", "compile", "run", "serve"}) {
    EXPECT_CONTAINS(out, std::string("  ") + command);
    std::string all = out;
    EXPECT_EQ(run({command, "--help"}), 0);
    EXPECT_CONTAINS(out, std::string("ktir ") + command);
    EXPECT_CONTAINS(out, "usage: ");
    EXPECT_EQ(err, "");
    out = all;
  }
  EXPECT_EQ(run({"--version"}), 0);
  EXPECT_EQ(out, std::string("ktir ") + version() + "\n");
  EXPECT_EQ(run({}), 2);
  EXPECT_CONTAINS(err, "usage: ktir COMMAND");
}

TEST_F(CommandLineTest, WrongCalls) {
  struct {
    std::vector<std::string> words;
    const char *message;
  } cases[] = {
      {{"chek", "x"}, "unknown command 'chek'; did you mean 'check'?"},
      {{"frobnicate"},
       "unknown command 'frobnicate', expected 'check', 'compile', 'fmt', "
       "'run' or 'serve'"},
      {{"check"}, "'check' needs a file"},
      {{"check", "none.mlir"}, "cannot read 'none.mlir'"},
      {{"check", "--too", "x"}, "unknown option '--too'"},
      {{"compile"}, "'compile' needs one file, found 0"},
      {{"compile", "a", "b"}, "'compile' needs one file, found 2"},
      {{"compile", "none.mlir"}, "cannot read 'none.mlir'"},
      {{"compile", "add.mlir", "--to", "dfir"},
       "cannot compile to level 'dfir', expected 'ktir', 'schedule', 'units' "
       "or 'dataflow'"},
      {{"compile", "add.mlir", "--to", "container"},
       "cannot compile to level 'container', expected 'ktir', 'schedule', "
       "'units' or 'dataflow'"},
      {{"compile", "add.mlir", "--to"}, "option '--to' needs a value, LEVEL"},
      {{"compile", "add.mlir", "--json=yes"}, "option '--json' takes no value"},
      {{"compile", "add.mlir", "--to=ktir", "--to=ktir"},
       "option '--to' is given twice"},
      {{"compile", "add.mlir", "--device", "none"}, "cannot read 'none'"},
      {{"compile", "add.mlir", "--numerics", "exact"},
       "expected 'ieee' or 'device' for '--numerics', found 'exact'"},
      {{"run", "add.mlir", "--args", "none.json"}, "cannot read 'none.json'"},
      {{"run", "add.mlir", "--level", "units"},
       "level 'units' cannot be run, expected 'ktir' or 'dataflow'"},
      {{"run", "add.mlir", "--seed", "x"},
       "expected an integer from 0 to 18446744073709551615 for '--seed', found "
       "'x'"},
      {{"run", "add.mlir", "--seed", "18446744073709551616"},
       "expected an integer from 0 to 18446744073709551615 for '--seed', found "
       "'18446744073709551616'"},
      {{"run", "add.mlir", "--depth", "0"},
       "expected an integer from 1 to 1073741824 for '--depth', found '0'"},
      {{"run", "add.mlir", "--depth", "1073741825"},
       "expected an integer from 1 to 1073741824 for '--depth', found "
       "'1073741825'"},
      {{"run", "add.mlir", "--policy", "clamp"},
       "expected 'pad' or 'trap' for '--policy', found 'clamp'"},
      {{"run", "add.mlir", "--show", "%a@"},
       "expected NAME[@TILE[:N]] or LINE:COLUMN[@TILE[:N]] for '--show', "
       "found '%a@'"},
      {{"run", "add.mlir", "--show", "%a@1:0"},
       "expected NAME[@TILE[:N]] or LINE:COLUMN[@TILE[:N]] for '--show', "
       "found '%a@1:0'"},
      {{"run", "add.mlir", "--args", "in/args.json", "--show", "%a_valu"},
       "there is no value '%a_valu' in kernel 'add'; did you mean "
       "'%a_value'?"},
      {{"run", "add.mlir", "--trace"},
       "'--trace' needs '--out', the folder of trace.json"},
      {{"run", "add.mlir", "--args", "in/args.json", "--kernel", "ad"},
       "there is no kernel 'ad'; did you mean 'add'?"},
      {{"serve"},
       "the native tool does not serve the playground; the npm "
       "package does: 'npx ktir serve'"},
  };
  for (const auto &test : cases) {
    EXPECT_EQ(run(test.words), 2) << test.message;
    EXPECT_CONTAINS(err, std::string("ktir: error: ") + test.message);
    EXPECT_EQ(out, "");
    // The same as JSON: one object, nothing on stderr.
    std::vector<std::string> words = test.words;
    if (words.back() == "--to" || words.back() == "--json=yes")
      continue;
    words.push_back("--json");
    EXPECT_EQ(run(words), 2);
    EXPECT_EQ(err, "");
    EXPECT_CONTAINS(out, "\"exitCode\":2");
    EXPECT_CONTAINS(out, "\"ok\":false");
  }
}

TEST_F(CommandLineTest, Check) {
  EXPECT_EQ(run({"check", "add.mlir"}), 0);
  EXPECT_EQ(err, "");
  // What the scheduler does not lower yet is legal KTIR.
  EXPECT_EQ(run({"check", "divide.mlir"}), 0);
  files["two.mlir"] = "module {\n  func.func @k() attributes {grid = [0]} {\n"
                      "    return\n  }\n}\n";
  EXPECT_EQ(run({"check", "add.mlir", "two.mlir"}), 1);
  EXPECT_CONTAINS(err, "two.mlir:2:3: error: Grid size must be positive");
  EXPECT_EQ(run({"check", "add.mlir", "two.mlir", "none.mlir"}), 2);
  EXPECT_CONTAINS(err, "two.mlir:2:3: error: ");
  EXPECT_CONTAINS(err, "cannot read 'none.mlir'");
  EXPECT_EQ(run({"check", "--json", "add.mlir", "two.mlir"}), 1);
  EXPECT_EQ(err, "");
  EXPECT_CONTAINS(out, "\"file\":\"add.mlir\"");
  EXPECT_CONTAINS(out, "\"line\":2");
}

TEST_F(CommandLineTest, DiagnosticsShowTheLine) {
  files["bad.mlir"] = "module {\n\tfunc.func @k(%x: indx) {\n}\n";
  EXPECT_EQ(run({"check", "bad.mlir"}), 1);
  EXPECT_CONTAINS(err, "bad.mlir:2:19: error: ");
  EXPECT_CONTAINS(err, "\tfunc.func @k(%x: indx) {\n\t                 ^~~~\n");
}

TEST_F(CommandLineTest, CompilePrintsTheLevel) {
  EXPECT_EQ(run({"compile", "add.mlir"}), 0);
  EXPECT_CONTAINS(out, "dataflow.program_unit");
  const std::string text = out;
  EXPECT_EQ(run({"compile", "add.mlir", "-o", "o/out.mlir"}), 0);
  EXPECT_EQ(out, "");
  EXPECT_EQ(files["o/out.mlir"], text);
  EXPECT_EQ(run({"compile", "add.mlir", "--to", "ktir"}), 0);
  EXPECT_CONTAINS(out, "ktdp.load");
  EXPECT_EQ(run({"compile", "add.mlir", "--json"}), 0);
  EXPECT_CONTAINS(out, "\"level\":\"dataflow\"");
  EXPECT_CONTAINS(out, "\"text\":\"");
  readOnly = true;
  EXPECT_EQ(run({"compile", "add.mlir", "-o", "x"}), 2);
  EXPECT_CONTAINS(err, "cannot write 'x'");
}

TEST_F(CommandLineTest, CompileWritesStagesUpToTheFailure) {
  EXPECT_EQ(run({"compile", "divide.mlir", "--stages", "s"}), 1);
  EXPECT_TRUE(files.count("s/00-input.mlir"));
  EXPECT_CONTAINS(files["s/stages.json"], "\"ok\": false");
  EXPECT_CONTAINS(files["s/stages.json"], "\"file\": \"00-input.mlir\"");
  EXPECT_EQ(run({"compile", "add.mlir", "--stages", "t"}), 0);
  EXPECT_EQ(out, "");
  EXPECT_CONTAINS(files["t/stages.json"], "\"ok\": true");
  unsigned stages = 0;
  for (const auto &file : files)
    stages += file.first.rfind("t/", 0) == 0 && file.first != "t/stages.json";
  EXPECT_GT(stages, 4u);
}

// 1.5 + 2 = 3.5, whose half is 0x4300.
TEST_F(CommandLineTest, RunWritesTensorsAndReport) {
  for (const char *level : {"ktir", "dataflow"}) {
    EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--level",
                   level, "--out", "o", "--trace"}),
              0)
        << err;
    EXPECT_EQ(err, "");
    EXPECT_CONTAINS(out, "out: f16 [6, 128] = 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, "
                         "3.5, 3.5, ...");
    const std::string &npy = files["o/out.npy"];
    ASSERT_GT(npy.size(), 1536u);
    for (size_t i = npy.size() - 1536; i < npy.size(); i += 2) {
      ASSERT_EQ(uint8_t(npy[i]), 0x00);
      ASSERT_EQ(uint8_t(npy[i + 1]), 0x43);
    }
    EXPECT_TRUE(files.count("o/a.npy"));
    EXPECT_CONTAINS(files["o/report.json"],
                    std::string("\"level\": \"") + level + "\"");
    EXPECT_CONTAINS(files["o/trace.json"], "\"thread_name\"");
    EXPECT_CONTAINS(files["o/trace.json"], "\"op\":\"");
  }
}

// Element by element a = 1.5 and b = 2.
TEST_F(CommandLineTest, RunShowsValues) {
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--show",
                 "%a_value@1,b_value", "--show", "%out_result@1:1"}),
            0)
      << err;
  EXPECT_CONTAINS(out, "  %a_value on tile 1: f16 [");
  EXPECT_CONTAINS(out, "] = 1.5, 1.5, ");
  EXPECT_CONTAINS(out, "  %b_value on tile 0: f16 [");
  EXPECT_CONTAINS(out, "] = 2, 2, ");
  EXPECT_CONTAINS(out, "  %out_result on tile 1: f16 [");
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--show",
                 "%out_result@1", "--json"}),
            0);
  EXPECT_CONTAINS(out, "\"captured\":[{");
  EXPECT_CONTAINS(out, "\"instance\":\"tile 1\"");
  EXPECT_CONTAINS(out, "\"values\":[\"3.5\",\"3.5\"");
}

TEST_F(CommandLineTest, RunValidates) {
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--validate",
                 "--seed", "5", "--depth", "1", "--show", "a_value"}),
            0)
      << err;
  EXPECT_CONTAINS(out, "stage 0 input (ktir): same bytes");
  EXPECT_CONTAINS(out, "has no engine");
  EXPECT_CONTAINS(out, "executed stages leave the same bytes");
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--validate",
                 "--json"}),
            0);
  EXPECT_CONTAINS(out, "\"validation\":[");
  EXPECT_CONTAINS(out, "\"outputs\":[");
}

TEST_F(CommandLineTest, RunReportsWrongArguments) {
  files["wrong.json"] = R"({"a": 3, "q": 1})";
  EXPECT_EQ(run({"run", "add.mlir", "--args", "wrong.json"}), 2);
  EXPECT_CONTAINS(err, "ktir: error: kernel 'add' has no argument 'q'");
  EXPECT_CONTAINS(err, "missing arguments of kernel 'add': 'b' (a tensor of "
                       "f16 [6, 128]), 'out' (a tensor of f16 [6, 128])");
  files["in/b.npy"] = "not NumPy";
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json"}), 2);
  EXPECT_CONTAINS(err, "in/args.json:3:20: error: argument 'b': 'b.npy': not a "
                       ".npy file");
  files.erase("in/b.npy");
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json"}), 2);
  EXPECT_CONTAINS(err, "argument 'b': cannot read 'b.npy'");
}

TEST_F(CommandLineTest, RunOutsideTheClass) {
  files["divide.json"] = R"({
    "a": {"dtype": "f16", "shape": [20, 192], "fill": 3},
    "out": {"dtype": "f16", "shape": [20, 192], "fill": 0}})";
  // 3 / 3 = 1 at level ktir; no dataflow program exists.
  EXPECT_EQ(run({"run", "divide.mlir", "--args", "divide.json"}), 0) << err;
  EXPECT_CONTAINS(out, "out: f16 [20, 192] = 1, 1, ");
  EXPECT_EQ(run({"run", "divide.mlir", "--args", "divide.json", "--level",
                 "dataflow"}),
            1);
  EXPECT_CONTAINS(err, "divide.mlir:21:10: error: ");
}

// A name from a file must not lead out of the output folder.
TEST_F(CommandLineTest, OutputNamesStayInTheFolder) {
  files["in/args.json"].insert(
      1,
      R"("../../etc/x": {"dtype": "f16", "shape": [1], "fill": 0, "at": 0},)");
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--out", "o"}), 0)
      << err;
  EXPECT_TRUE(files.count("o/.._.._etc_x.npy"));
}

// Long runs should not end with nothing to show for them.
TEST_F(CommandLineTest, AFolderThatCannotBeWrittenIsNoticedBeforeTheRun) {
  readOnly = true;
  // One instruction is too little for the kernel, which would be the complaint
  // of a run.
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--out", "o",
                 "--limit", "1"}),
            2);
  EXPECT_EQ(err, "ktir: error: cannot write into the folder 'o'; give another "
                 "with '--out'\n");
  EXPECT_EQ(out, "");
  readOnly = false;
  EXPECT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--out", "o",
                 "--limit", "1"}),
            1);
  EXPECT_EQ(made, std::vector<std::string>(2, "o"));
}

TEST_F(CommandLineTest, AKernelThatIsNotLoweredIsAdvisedToRunAtLevelKtir) {
  EXPECT_EQ(run({"run", "divide.mlir", "--level", "dataflow"}), 1);
  EXPECT_CONTAINS(err, "'arith.divf' op is not lowered by the scheduler yet");
  EXPECT_CONTAINS(err, "divide.mlir: note: pass 'ktir-legality-check' stopped "
                       "here; to run the kernel as it is, choose level "
                       "'ktir'\n");
}

TEST_F(CommandLineTest, OneKernelOfSeveral) {
  // The other one is outside the class of the scheduler.
  std::string both = files["add.mlir"];
  both.insert(both.rfind('}'),
              "  func.func @other() attributes {grid = [1]} {\n    return\n  "
              "}\n");
  files["both.mlir"] = both;
  const std::vector<std::string> words = {"run",          "both.mlir", "--args",
                                          "in/args.json", "--out",     "r"};
  std::vector<std::string> named = words;
  named.insert(named.end(), {"--kernel", "add", "--level", "dataflow"});
  ASSERT_EQ(run({"run", "add.mlir", "--args", "in/args.json", "--out", "r"}), 0)
      << err;
  const std::string expected = files["r/out.npy"];
  files["r/out.npy"].clear();
  ASSERT_EQ(run(named), 0) << err;
  EXPECT_EQ(files["r/out.npy"], expected);
  for (const char *level : {"ktir", "dataflow"}) {
    std::vector<std::string> unnamed = words;
    unnamed.insert(unnamed.end(), {"--level", level});
    EXPECT_EQ(run(unnamed), 2);
    EXPECT_CONTAINS(err, "the text holds several kernels, name one: 'add', "
                         "'other'");
  }
  EXPECT_EQ(run({"compile", "both.mlir", "--kernel", "add"}), 0) << err;
  EXPECT_EQ(out.find("@other"), std::string::npos);
  EXPECT_EQ(run({"compile", "both.mlir", "--kernel", "ad"}), 2);
  EXPECT_CONTAINS(err, "there is no kernel 'ad'; did you mean 'add'?");
  EXPECT_EQ(run({"compile", "both.mlir"}), 1);
}

TEST_F(CommandLineTest, LargeTensorsAreWrittenInPieces) {
  // More than one piece, whose elements tell where they belong.
  const std::vector<int64_t> shape{32 * 700, 128};
  Tensor b{"f16", shape, std::vector<uint8_t>(shape[0] * shape[1] * 2)};
  for (size_t i = 0; i < b.data.size() / 2; ++i) {
    const uint16_t bits = reference::toHalf(double(i % 509));
    std::memcpy(&b.data[i * 2], &bits, 2);
  }
  const std::vector<uint8_t> bytes = writeNpy(b);
  files["in/b.npy"] = std::string(bytes.begin(), bytes.end());
  files["in/large.json"] = R"({
    "a": {"dtype": "f16", "shape": [22400, 128], "fill": 0},
    "b": {"npy": "b.npy"},
    "out": {"dtype": "f16", "shape": [22400, 128], "fill": 0}})";
  files["large.mlir"] = kernelText(kernelFamily("add"), 32, 700);
  const std::vector<std::string> words = {
      "run", "large.mlir", "--args", "in/large.json", "--out", "results"};
  for (const char *numerics : {"ieee", "device"}) {
    appended = 0;
    std::vector<std::string> call = words;
    call.insert(call.end(), {"--numerics", numerics});
    ASSERT_EQ(run(call), 0) << err;
    EXPECT_GE(appended, 3u);
    EXPECT_EQ(files["results/out.npy"], files["in/b.npy"]);
    EXPECT_EQ(files["results/b.npy"], files["in/b.npy"]);
  }
  diskFull = true;
  EXPECT_EQ(run(words), 2);
  EXPECT_CONTAINS(err, "cannot write 'results/a.npy'");
}
