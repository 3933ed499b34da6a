//===- ControlTest.cpp - Loops, branches, calls ---------------------------===//

#include "TensorKernel.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

/// A kernel that stores the i64 values `%r0` ... that `body` defines.
static TensorKernel scalars(const std::string &body, unsigned count,
                            const std::string &top = "") {
  std::string text = R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
  )" + body + "\n%r = tensor.from_elements ";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %r" : "%r") + std::to_string(i);
  std::string type = std::to_string(count) + "xindex";
  return TensorKernel({}, text + " : tensor<" + type + ">", {{"%r", type}},
                      top);
}

static std::vector<int64_t> runScalars(TensorKernel &f, int64_t n,
                                       unsigned count) {
  EXPECT_TRUE(f) << f.messages();
  if (!f)
    return {};
  // In slices of a few instructions, which must not matter.
  EXPECT_EQ(f.run(n, 3), RunStatus::Finished) << f.messages();
  return f.get<int64_t>(0, count);
}
using Numbers = std::vector<int64_t>;

TEST(ControlTest, IfWithResults) {
  TensorKernel f = scalars(R"(%c = arith.cmpi slt, %n, %c3 : index
    %r0, %r1 = scf.if %c -> (index, index) {
      scf.yield %n, %c1 : index, index
    } else {
      scf.yield %c2, %n : index, index
    })",
                           2);
  EXPECT_EQ(runScalars(f, 1, 2), (Numbers{1, 1}));
  EXPECT_EQ(runScalars(f, 7, 2), (Numbers{2, 7}));
}

/// No number is special: also not those that a hash table would keep for
/// itself.
TEST(ControlTest, ConstantsOfEveryNumber) {
  TensorKernel f = scalars(R"(%r0 = arith.constant 9223372036854775807 : index
    %r1 = arith.constant 9223372036854775806 : index
    %r2 = arith.constant -9223372036854775808 : index
    %r3 = arith.constant -9223372036854775807 : index
    %r4 = arith.constant -1 : index
    %r5 = arith.addi %n, %r0 : index
    %r6 = arith.addi %r2, %r0 : index)",
                           7);
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(runScalars(f, -3, 7),
            (Numbers{most, most - 1, -most - 1, -most, -1, most - 3, -1}));
}

TEST(ControlTest, UnsignedFor) {
  // From -6 (2^32 - 6) to -1 by 2: three iterations; signed it has as many, but
  // 5 to -1 has none signed and many unsigned.
  TensorKernel f = scalars(R"(%a = arith.constant -6 : i32
    %b = arith.constant -1 : i32
    %s = arith.constant 2 : i32
    %big = arith.constant 1431655765 : i32
    %five = arith.constant 5 : i32
    %r0 = scf.for unsigned %i = %a to %b step %s iter_args(%t = %c0) -> index : i32 {
      %u = arith.addi %t, %c1 : index
      scf.yield %u : index
    }
    %r1 = scf.for unsigned %i = %five to %b step %big iter_args(%t = %c0) -> index : i32 {
      %u = arith.addi %t, %c1 : index
      scf.yield %u : index
    }
    %r2 = scf.for %i = %five to %b step %big iter_args(%t = %c0) -> index : i32 {
      %u = arith.addi %t, %c1 : index
      scf.yield %u : index
    })",
                           3);
  EXPECT_EQ(runScalars(f, 0, 3), (Numbers{3, 3, 0}));
}

TEST(ControlTest, While) {
  // The number of Collatz steps, and what the last test passed on.
  TensorKernel f = scalars(
      R"(%r0, %r1 = scf.while (%x = %n, %k = %c0) : (index, index) -> (index, index) {
      %c = arith.cmpi ne, %x, %c1 : index
      scf.condition(%c) %k, %x : index, index
    } do {
    ^bb0(%k: index, %x: index):
      %m = arith.remsi %x, %c2 : index
      %odd = arith.cmpi eq, %m, %c1 : index
      %next = scf.if %odd -> index {
        %t = arith.muli %x, %c3 : index
        %u = arith.addi %t, %c1 : index
        scf.yield %u : index
      } else {
        %h = arith.divsi %x, %c2 : index
        scf.yield %h : index
      }
      %k1 = arith.addi %k, %c1 : index
      scf.yield %next, %k1 : index, index
    })",
      2);
  EXPECT_EQ(runScalars(f, 1, 2), (Numbers{0, 1}));
  EXPECT_EQ(runScalars(f, 27, 2), (Numbers{111, 1}));
}

TEST(ControlTest, WhileCarriesTensors) {
  // Doubles a tensor until its first element is at least 100.
  TensorKernel f({{"%x", "3xf16"}},
                 R"(%c0 = arith.constant 0 : index
    %limit = arith.constant 100.0 : f16
    %r = scf.while (%t = %x) : (tensor<3xf16>) -> tensor<3xf16> {
      %v = tensor.extract %t[%c0] : tensor<3xf16>
      %c = arith.cmpf olt, %v, %limit : f16
      scf.condition(%c) %t : tensor<3xf16>
    } do {
    ^bb0(%t: tensor<3xf16>):
      %u = arith.addf %t, %t : tensor<3xf16>
      scf.yield %u : tensor<3xf16>
    }
    %s = arith.subf %r, %x : tensor<3xf16>)",
                 {{"%r", "3xf16"}, {"%s", "3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  f.setHalves(0, {3, -1, 0.5f});
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 3), (std::vector<float>{192, -64, 32}));
  EXPECT_EQ(f.getHalves(1, 3), (std::vector<float>{189, -63, 31.5f}));
}

TEST(ControlTest, ParallelReducesInOrder) {
  // a <- 3 a + (10 i + j) depends on the order; the sum does not.
  TensorKernel f = scalars(R"(%ten = arith.constant 10 : index
    %r0, %r1 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c3) step (%c1, %c1) init (%c1, %c0) -> (index, index) {
      %t = arith.muli %i, %ten : index
      %v = arith.addi %t, %j : index
      scf.reduce(%v, %v : index, index) {
      ^bb0(%a: index, %b: index):
        %p = arith.muli %a, %c3 : index
        %q = arith.addi %p, %b : index
        scf.reduce.return %q : index
      }, {
      ^bb0(%a: index, %b: index):
        %q = arith.addi %a, %b : index
        scf.reduce.return %q : index
      }
    })",
                           2);
  int64_t folded = 1, sum = 0;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 1; j < 3; ++j) {
      folded = 3 * folded + 10 * i + j;
      sum += 10 * i + j;
    }
  EXPECT_EQ(runScalars(f, 4, 2), (Numbers{folded, sum}));
  EXPECT_EQ(runScalars(f, 0, 2), (Numbers{1, 0}));
}

TEST(ControlTest, ForallInsertsSlices) {
  // Each iteration reads the tensor as it was before the loop.
  TensorKernel f({{"%x", "6xf16"}},
                 R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.forall (%i) in (6) shared_outs(%o = %x) -> tensor<6xf16> {
      %v = tensor.extract_slice %o[0] [1] [1] : tensor<6xf16> to tensor<1xf16>
      %w = tensor.extract_slice %x[%i] [1] [1] : tensor<6xf16> to tensor<1xf16>
      %s = arith.addf %v, %w : tensor<1xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf16> into tensor<6xf16>
      }
    }
    %e = tensor.empty() : tensor<4x3xf16>
    %q = scf.forall (%i, %j) = (0, 0) to (4, 3) step (2, 1) shared_outs(%o = %e) -> tensor<4x3xf16> {
      %v = tensor.extract_slice %x[%j] [2] [1] : tensor<6xf16> to tensor<2xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %o[%i, %j] [2, 1] [1, 1] : tensor<2xf16> into tensor<4x3xf16>
      }
    }
    %t = arith.addf %x, %x : tensor<6xf16>)",
                 {{"%r", "6xf16"}, {"%q", "4x3xf16"}, {"%t", "6xf16"}});
  ASSERT_TRUE(f) << f.messages();
  std::vector<float> x = {2, 3, 5, 7, 11, 13};
  f.setHalves(0, x);
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 6), make(6, [&](int i) { return x[i] + 2; }));
  EXPECT_EQ(f.getHalves(1, 12),
            make(12, [&](int i) { return x[i % 3 + i / 3 % 2]; }));
  EXPECT_EQ(f.getHalves(2, 6), make(6, [&](int i) { return 2 * x[i]; }));
}

TEST(ControlTest, SwitchAndRegion) {
  TensorKernel f = scalars(R"(%r0 = scf.index_switch %n -> index
    case 2 {
      scf.yield %c3 : index
    }
    case -5 {
      scf.yield %c2 : index
    }
    default {
      %t = arith.addi %n, %c1 : index
      scf.yield %t : index
    }
    %r1 = scf.execute_region -> index {
      %t = arith.muli %r0, %c3 : index
      scf.yield %t : index
    })",
                           2);
  EXPECT_EQ(runScalars(f, 2, 2), (Numbers{3, 9}));
  EXPECT_EQ(runScalars(f, -5, 2), (Numbers{2, 6}));
  EXPECT_EQ(runScalars(f, 8, 2), (Numbers{9, 27}));
}

TEST(ControlTest, StepsArePositive) {
  for (const char *loop :
       {"scf.for %i = %c0 to %c3 step %n {\n}",
        "scf.parallel (%i) = (%c0) to (%c3) step (%n) {\nscf.reduce\n}",
        "scf.forall (%i) = (0) to (3) step (%n) {\n}"}) {
    TensorKernel f =
        scalars(std::string("%r0 = arith.constant 1 : index\n") + loop, 1);
    ASSERT_TRUE(f) << f.messages();
    EXPECT_EQ(f.run(1), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.run(0), RunStatus::Failed);
    EXPECT_NE(f.messages().find("the step is 0, expected a positive number"),
              std::string::npos)
        << f.messages();
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(ControlTest, CallsKeepTheirArguments) {
  // The callee needs its argument no longer, the caller does; and one argument
  // comes back as two results.
  TensorKernel f(
      {{"%x", "3xf16"}},
      R"(%a = func.call @twice(%x) : (tensor<3xf16>) -> tensor<3xf16>
    %b:2 = func.call @both(%a) : (tensor<3xf16>) -> (tensor<3xf16>, tensor<3xf16>)
    %c = arith.addf %x, %b#0 : tensor<3xf16>
    %d = arith.addf %c, %b#1 : tensor<3xf16>
    %e = arith.addf %d, %a : tensor<3xf16>)",
      {{"%e", "3xf16"}},
      R"(func.func private @twice(%t: tensor<3xf16>) -> tensor<3xf16> {
      %u = arith.addf %t, %t : tensor<3xf16>
      return %u : tensor<3xf16>
    }
    func.func private @both(%t: tensor<3xf16>) -> (tensor<3xf16>, tensor<3xf16>) {
      return %t, %t : tensor<3xf16>, tensor<3xf16>
    }
)");
  ASSERT_TRUE(f) << f.messages();
  f.setHalves(0, {1, 2, 3});
  EXPECT_EQ(f.run(), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 3), (std::vector<float>{7, 14, 21}));
}

TEST(ControlTest, LoopsKeepTheirInitialValues) {
  // The initial value of a loop is used after it.
  TensorKernel f({{"%x", "3xf16"}},
                 R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<3xf16> {
      %u = arith.addf %t, %t : tensor<3xf16>
      scf.yield %u : tensor<3xf16>
    }
    %s = arith.subf %r, %x : tensor<3xf16>)",
                 {{"%s", "3xf16"}});
  ASSERT_TRUE(f) << f.messages();
  f.setHalves(0, {1, 2, 3});
  EXPECT_EQ(f.run(3), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 3), (std::vector<float>{7, 14, 21}));
  EXPECT_EQ(f.run(0), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.getHalves(0, 3), (std::vector<float>{0, 0, 0}));
}

TEST(ControlTest, RecursionIsRefused) {
  TensorKernel f({}, "func.call @a(%n) : (index) -> ()", {},
                 R"(func.func private @a(%i: index) {
      func.call @b(%i) : (index) -> ()
      return
    }
    func.func private @b(%i: index) {
      func.call @a(%i) : (index) -> ()
      return
    }
)");
  EXPECT_FALSE(f);
  EXPECT_NE(f.messages().find("the call of 'a' is recursive"),
            std::string::npos)
      << f.messages();
}

TEST(ControlTest, TracesHaveAMillionEventsAtMost) {
  TensorKernel f({{"%a", "1xf32"}}, R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<1xf32>) {
      %t = arith.addf %s, %a : tensor<1xf32>
      scf.yield %t : tensor<1xf32>
    })",
                 {{"%r", "1xf32"}});
  ASSERT_TRUE(f) << f.messages();
  f.set(0, std::vector<float>{1.0f});
  RunOptions options;
  options.trace = true;
  // Beside the sums there are a load and a store.
  for (int64_t beyond : {0, 100}) {
    int64_t n = int64_t(maxTraceEvents) - 2 + beyond;
    exec::Run run(f.fixture.program, *f.fixture.memory, {{n}}, options);
    while (run.advance(1 << 20) == RunStatus::Running)
      ;
    EXPECT_EQ(run.status(), RunStatus::Finished);
    EXPECT_EQ(f.get<float>(0, 1)[0], float(n + 1));
    EXPECT_EQ(run.trace().size(), maxTraceEvents);
    ASSERT_EQ(run.findings().size(), beyond ? 1u : 0u);
    if (beyond) {
      EXPECT_EQ(run.findings()[0].severity, FindingSeverity::Warning);
      EXPECT_NE(run.findings()[0].message.find("the trace is full"),
                std::string::npos);
    }
  }
}
