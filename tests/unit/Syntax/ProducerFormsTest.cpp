//===- ProducerFormsTest.cpp - Forms in kernels of producers' style -------===//

#include "FormTestSupport.h"

#include <gtest/gtest.h>

#include <map>

using namespace ktir::syntax;

static void replaceAll(std::string &text, const std::string &from,
                       const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

static void replaceOnce(std::string &text, const std::string &from,
                        const std::string &to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from;
  text.replace(at, from.size(), to);
}

static std::map<std::string, unsigned> countForms(const std::string &text) {
  std::map<std::string, unsigned> counts;
  for (const Fix &fix : findLegacyForms(text)) {
    EXPECT_EQ(fix.standing, Standing::Legacy) << fix.message;
    ++counts[fix.id];
  }
  return counts;
}

/// Replaces what most producers write: the former name of the memory space,
/// and one tile id on a grid `[n, 1]`.
static void fixCommonForms(std::string &text) {
  replaceAll(text, "#ktdp.spyre_memory_space<HBM>",
             "#ktdp.memory_space<global>");
  if (text.find(", 1]} {") != std::string::npos)
    replaceOnce(text, "%core = ktdp.get_compute_tile_id : index",
                "%core, %core_1 = ktdp.get_compute_tile_id : index, index");
}

TEST(ProducerForms, KernelsWithCommonForms) {
  for (const char *name :
       {"gate_inplace", "pick_and_rank", "relu_attn_varlen", "slot_causal",
        "split_merge", "turn_and_file", "twin_linear", "unpack_sticks"}) {
    SCOPED_TRACE(name);
    const std::string text =
        readSource("tests/inputs/producers/" + std::string(name) + ".mlir");
    std::string strict = text;
    fixCommonForms(strict);
    ASSERT_NE(strict, text);
    EXPECT_EQ(expectSoundEdits(text), strict);
    EXPECT_TRUE(findLegacyForms(strict).empty());
  }
}

TEST(ProducerForms, OldForms) {
  const std::string text = readSource("tests/inputs/producers/old_forms.mlir");
  EXPECT_EQ(countForms(text), (std::map<std::string, unsigned>{{"LF-1", 5},
                                                               {"LF-9", 1},
                                                               {"LF-14", 1},
                                                               {"LF-15", 1},
                                                               {"LF-16", 1},
                                                               {"LF-17", 1}}));
  std::string strict = text;
  fixCommonForms(strict);
  replaceOnce(strict, "ind(%ids_view[%core + %d0]), %d1]",
              "ind(%ids_view[%core + %d0]), (%d1)]");
  replaceOnce(strict, "%gain_1d [[0, 1]] :",
              "%gain_1d [[0, 1]] output_shape [1, 64] :");
  replaceOnce(strict, "arith.cmpi sge, %res", "arith.cmpf oge, %res");
  replaceOnce(strict, "%ge, %ones, %none : tensor<1x64xf16>",
              "%ge, %ones, %none : tensor<1x64xi1>, tensor<1x64xf16>");
  EXPECT_EQ(expectSoundEdits(text), strict);
  EXPECT_TRUE(findLegacyForms(strict).empty());
}

TEST(ProducerForms, EveryForm) {
  // tests/lit/Syntax shows that the dialects read the second text only.
  const std::string text = readSource("tests/inputs/legacy/every_form.mlir");
  const std::string strict =
      readSource("tests/inputs/legacy/every_form.strict.mlir");
  std::map<std::string, unsigned> counts = countForms(text);
  for (unsigned i = 1; i <= 17; ++i)
    EXPECT_GE(counts["LF-" + std::to_string(i)], 1u) << "LF-" << i;
  EXPECT_EQ(counts.size(), 17u);
  EXPECT_EQ(expectSoundEdits(text), strict);
  EXPECT_TRUE(findLegacyForms(strict).empty());
}

TEST(ProducerForms, StrictTextsHaveNone) {
  for (const char *path :
       {"tests/inputs/ktir/axpy.mlir", "tests/inputs/ktir/ew_block.mlir",
        "tests/inputs/ktir/ew_loop_const.mlir",
        "tests/inputs/dataflow/device.mlir", "tests/inputs/dataflow/vadd.mlir",
        "tests/inputs/dataflow/ew_block.dataflow.mlir",
        "tests/inputs/dataflow/ew_loop_const.dataflow.mlir"}) {
    std::string text = readSource(path);
    replaceAll(text, "#ktdp.spyre_memory_space<HBM>",
               "#ktdp.memory_space<global>");
    SCOPED_TRACE(path);
    for (const Fix &fix : findLegacyForms(text))
      ADD_FAILURE() << fix.id << ": " << fix.message;
  }
}
