//===- InspectionTest.cpp - Captured values and single steps --------------===//

#include "EngineTestSupport.h"
#include "KernelText.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstring>
#include <functional>

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

namespace {

using Kind = CapturedValue::Kind;

/// A run of a program with probes on the values that `find` picks.
class Probed {
public:
  Probed(
      const std::string &text,
      std::function<void(mlir::Operation *, std::vector<mlir::Value> &)> find)
      : fixture(text, Level::Ktir) {
    EXPECT_TRUE(fixture) << fixture.errors;
    if (!fixture)
      return;
    std::vector<mlir::Value> values;
    fixture.module->walk([&](mlir::Operation *op) { find(op, values); });
    std::vector<Probe> probes;
    for (mlir::Value value : values)
      probes.push_back({value, unsigned(probes.size())});
    fixture.decodeWith(probes);
  }

  std::vector<CapturedValue> run(const std::vector<int64_t> &arguments,
                                 std::vector<CaptureRequest> captures,
                                 RunOptions options = {}) {
    options.captures = std::move(captures);
    EXPECT_EQ(fixture.run(arguments, options), RunStatus::Finished)
        << fixture.messages();
    return fixture.last->captured();
  }

  Fixture fixture;
};

int64_t scalarOf(const CapturedValue &value) {
  EXPECT_EQ(value.kind, Kind::Scalar);
  int64_t number = -1;
  if (value.data.size() == sizeof(number))
    std::memcpy(&number, value.data.data(), sizeof(number));
  return number;
}

std::vector<float> halvesOf(const CapturedValue &value) {
  EXPECT_EQ(value.kind, Kind::Tensor);
  std::vector<float> numbers;
  for (size_t i = 0; i + 1 < value.data.size(); i += 2) {
    uint16_t bits;
    std::memcpy(&bits, &value.data[i], 2);
    numbers.push_back(fromHalf(bits));
  }
  return numbers;
}

/// The results of every op called one of `names`, in the order of the text.
auto resultsOf(std::vector<llvm::StringRef> names) {
  return [names](mlir::Operation *op, std::vector<mlir::Value> &values) {
    for (llvm::StringRef name : names)
      if (op->getName().getStringRef() == name)
        values.insert(values.end(), op->result_begin(), op->result_end());
  };
}

// Each tile loads row t of 5 x 3 elements and doubles it.
std::string doubled() {
  return kernel("%x: index, %o: index", 5,
                loadFrom("a", "x", {5, 3}, "%t, %c0", {1, 3}) +
                    "%b = arith.addf %a, %a : tensor<1x3xf16>\n" +
                    "%c = arith.mulf %b, %b : tensor<1x3xf16>\n" +
                    storeTo("c", "o", {5, 3}, "%t, %c0", {1, 3}));
}

TEST(InspectionTest, TensorsOfEveryTile) {
  Probed p(doubled(), resultsOf({"ktdp.load", "arith.addf"}));
  p.fixture.fill(0, make(15, [](int i) { return float(i + 1); }));
  std::vector<CaptureRequest> requests;
  for (unsigned tile = 0; tile < 5; ++tile) {
    requests.push_back({0, tile, "", {}});
    requests.push_back({1, tile, "", {}});
  }
  std::vector<CapturedValue> values = p.run({0, 16}, requests);
  ASSERT_EQ(values.size(), 10u);
  for (int tile = 0; tile < 5; ++tile) {
    const float first = 3 * tile + 1;
    EXPECT_EQ(halvesOf(values[2 * tile]),
              (std::vector<float>{first, first + 1, first + 2}));
    // The product reuses the memory of the sum, the copy does not change.
    EXPECT_EQ(
        halvesOf(values[2 * tile + 1]),
        (std::vector<float>{2 * first, 2 * (first + 1), 2 * (first + 2)}));
    EXPECT_EQ(llvm::ArrayRef<int64_t>(values[2 * tile].shape),
              llvm::ArrayRef<int64_t>({1, 3}));
    EXPECT_EQ(values[2 * tile].element, ktir::numerics::DType::F16);
    EXPECT_EQ(values[2 * tile].executions, 1u);
  }
}

// What a run counts, and in which order instances go on, is as without probes.
TEST(InspectionTest, ProbesChangeNothing) {
  for (std::optional<uint64_t> seed :
       {std::optional<uint64_t>(), std::optional<uint64_t>(7)}) {
    RunOptions options;
    options.interleaving = seed;
    options.trace = true;
    Fixture plain(doubled(), Level::Ktir);
    plain.fill(0, make(15, [](int i) { return float(i); }));
    ASSERT_EQ(plain.run({0, 16}, options), RunStatus::Finished);
    Probed p(doubled(),
             resultsOf({"ktdp.load", "arith.addf", "arith.mulf",
                        "arith.constant", "ktdp.get_compute_tile_id"}));
    p.fixture.fill(0, make(15, [](int i) { return float(i); }));
    p.run({0, 16}, {{0, 3, "", {}}, {1, 1, "", {}}}, options);
    EXPECT_EQ(p.fixture.read(16, 15), plain.read(16, 15));
    EXPECT_EQ(p.fixture.last->instructionsDone(),
              plain.last->instructionsDone());
    ASSERT_EQ(p.fixture.last->counters().size(), 5u);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(p.fixture.last->counters()[i].instructions,
                plain.last->counters()[i].instructions);
      EXPECT_EQ(p.fixture.last->counters()[i].scratchpadPeak,
                plain.last->counters()[i].scratchpadPeak);
    }
    ASSERT_EQ(p.fixture.last->trace().size(), plain.last->trace().size());
    for (size_t i = 0; i < plain.last->trace().size(); ++i) {
      EXPECT_EQ(p.fixture.last->trace()[i].begin, plain.last->trace()[i].begin);
      EXPECT_EQ(p.fixture.last->trace()[i].instance,
                plain.last->trace()[i].instance);
      EXPECT_EQ(p.fixture.last->trace()[i].op, plain.last->trace()[i].op);
    }
  }
}

// s_0 = 10, s_(k+1) = 3 s_k + i on the tiles whose number is odd.
const char *const loop = R"(
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %rest = arith.remsi %t, %c2 : index
  %odd = arith.cmpi eq, %rest, %c1 : index
  scf.if %odd {
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c10) -> (index) {
      %m = arith.muli %s, %c3 : index
      %n = arith.addi %m, %i : index
      scf.yield %n : index
    }
    %last = arith.muli %r, %c1 : index
  }
)";

TEST(InspectionTest, LoopValuesByExecution) {
  Probed p(kernel("%x: index", 3, loop),
           [](mlir::Operation *op, std::vector<mlir::Value> &values) {
             auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op);
             if (!loop)
               return;
             values.push_back(loop.getRegionIterArg(0));
             values.push_back(loop.getInductionVar());
             values.push_back(loop.getResult(0));
           });
  // 10, 30, 91, 275, and 828 at the end.
  std::vector<CapturedValue> values = p.run({0}, {{0, 1, "", 1},
                                                  {0, 1, "", 2},
                                                  {0, 1, "", 3},
                                                  {0, 1, "", {}},
                                                  {1, 1, "", 3},
                                                  {2, 1, "", {}},
                                                  {0, 1, "", 5},
                                                  {0, 2, "", {}},
                                                  {2, 0, "", {}}});
  EXPECT_EQ(scalarOf(values[0]), 10);
  EXPECT_EQ(scalarOf(values[1]), 30);
  EXPECT_EQ(scalarOf(values[2]), 91);
  EXPECT_EQ(scalarOf(values[3]), 275);
  EXPECT_EQ(values[3].executions, 4u);
  EXPECT_EQ(scalarOf(values[4]), 2);
  EXPECT_EQ(scalarOf(values[5]), 828);
  EXPECT_EQ(values[5].executions, 1u);
  // Not that often.
  EXPECT_EQ(values[6].kind, Kind::None);
  EXPECT_EQ(values[6].executions, 4u);
  // Tiles with an even number do not take the branch.
  EXPECT_EQ(values[7].kind, Kind::None);
  EXPECT_EQ(values[7].executions, 0u);
  EXPECT_EQ(values[8].executions, 0u);
}

// Ops without instructions: constants, in a branch too, and arguments.
TEST(InspectionTest, ConstantsAndArguments) {
  const std::string text = kernel("%x: index", 2, R"(
    %one = arith.constant 1 : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %sum = arith.addi %t, %one : index
      %inner = arith.constant dense<[1.5, -2.0]> : tensor<2xf16>
    }
    %after = arith.constant 7 : i32
  )");
  Probed p(text, [](mlir::Operation *op, std::vector<mlir::Value> &values) {
    if (op->getName().getStringRef() == "func.func")
      values.push_back(op->getRegion(0).getArgument(0));
    resultsOf({"arith.constant"})(op, values);
  });
  // %after comes behind the branch: walking is in post order.
  unsigned argument = 4, inner = 2, after = 3;
  std::vector<CapturedValue> values = p.run({42}, {{argument, 1, "", {}},
                                                   {inner, 0, "", {}},
                                                   {inner, 1, "", {}},
                                                   {after, 1, "", {}}});
  EXPECT_EQ(scalarOf(values[0]), 42);
  EXPECT_EQ(halvesOf(values[1]), (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(values[1].executions, 1u);
  EXPECT_EQ(values[2].executions, 0u);
  EXPECT_EQ(scalarOf(values[3]), 7);
  EXPECT_EQ(values[3].executions, 1u);
}

TEST(InspectionTest, ViewsAndAccessTilesInWords) {
  Probed p(doubled(), resultsOf({"ktdp.construct_memory_view",
                                 "ktdp.construct_access_tile"}));
  p.fixture.fill(0, make(15, [](int i) { return float(i); }));
  std::vector<CapturedValue> values =
      p.run({0, 16}, {{0, 3, "", {}}, {1, 3, "", {}}, {2, 0, "", {}}});
  EXPECT_EQ(values[0].kind, Kind::Words);
  EXPECT_EQ(values[0].words,
            "5 x 3 view in device memory from element 0 on, strides 3, 1");
  EXPECT_EQ(values[1].words, "1 x 3 access tile, [3, 0..2] of a 5 x 3 view in "
                             "device memory from element 0 on, strides 3, 1");
  EXPECT_EQ(values[2].words,
            "5 x 3 view in device memory from element 16 on, strides 3, 1");
}

TEST(InspectionTest, PartsOfDistributedViewsInWords) {
  Probed p(
      kernel(
          "%x: index, %y: index", 1,
          view("A", "x", {2, 8}) +
              view("B", "y", {3, 8}, "f16", "global", boxSet({3, 8}, {2, 0})) +
              "%D = ktdp.construct_distributed_memory_view(%A, %B : "
              "memref<2x8xf16>, memref<3x8xf16>) : memref<5x8xf16>\n"
              "%S = memref.subview %D[1, 2] [3, 2] [1, 3] : memref<5x8xf16> "
              "to memref<3x2xf16, strided<[8, 3], offset: 10>>\n"
              "%R = memref.subview %D[4, 0] [1, 8] [1, 1] : memref<5x8xf16> "
              "to memref<8xf16, strided<[1], offset: 32>>\n"),
      resultsOf({"ktdp.construct_distributed_memory_view", "memref.subview"}));
  std::vector<CapturedValue> values =
      p.run({0, 64}, {{0, 0, "", {}}, {1, 0, "", {}}, {2, 0, "", {}}});
  EXPECT_EQ(values[0].words, "5 x 8 view of 2 partitions");
  EXPECT_EQ(values[1].words, "3 x 2 view of 2 partitions from coordinate (1, "
                             "2) on, strides 1, 3");
  EXPECT_EQ(values[2].words,
            "8 view of 2 partitions from coordinate (4, 0) on");
}

TEST(InspectionTest, UndefinedTensors) {
  Probed p(kernel("%x: index", 1, "%e = tensor.empty() : tensor<4xf16>\n"),
           resultsOf({"tensor.empty"}));
  EXPECT_EQ(p.run({0}, {{0, 0, "", {}}})[0].kind, Kind::Undefined);
}

// A value inside the body of a structured op has no run-time form of its own.
TEST(InspectionTest, ElementwiseValuesAreNotProbed) {
  Probed p(kernel("%x: index", 1,
                  loadFrom("a", "x", {1, 3}, "%c0, %c0", {1, 3}) + R"(
    %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1x3xf16>) outs(%a : tensor<1x3xf16>) {
    ^bb0(%e: f16, %o: f16):
      %d = arith.addf %e, %e : f16
      linalg.yield %d : f16
    } -> tensor<1x3xf16>
  )"),
           resultsOf({"arith.addf", "linalg.generic"}));
  EXPECT_FALSE(p.fixture.program->isProbed(0));
  EXPECT_TRUE(p.fixture.program->isProbed(1));
  EXPECT_FALSE(p.fixture.program->isProbed(2));
}

//===----------------------------------------------------------------------===//
// Stepping
//===----------------------------------------------------------------------===//

TEST(InspectionTest, StepsOverOneOpOfOneTile) {
  Fixture f(doubled(), Level::Ktir);
  f.fill(0, make(15, [](int i) { return float(i); }));
  exec::Run run(f.program, *f.memory, {{0, 0}, {16, 16}});
  std::vector<std::string> ops;
  for (;;) {
    Step step = run.step(3, 100);
    if (step.kind != Step::Kind::Done)
      break;
    EXPECT_TRUE(step.location.has_value());
    ops.push_back(step.op.str());
  }
  // Constants take no step.
  EXPECT_EQ(ops,
            (std::vector<std::string>{
                "ktdp.get_compute_tile_id", "ktdp.construct_memory_view",
                "ktdp.construct_access_tile", "ktdp.load", "arith.addf",
                "arith.mulf", "ktdp.construct_memory_view",
                "ktdp.construct_access_tile", "ktdp.store", "func.return"}));
  // Nobody else has gone on.
  EXPECT_EQ(run.status(), RunStatus::Running);
  std::vector<InstanceCounters> counters = run.counters();
  EXPECT_GT(counters[3].instructions, 0u);
  EXPECT_EQ(counters[0].instructions, 0u);
  EXPECT_EQ(f.read(16 + 9, 3),
            make(3, [](int i) { return 4.0f * (9 + i) * (9 + i); }));
  while (run.advance(1000) == RunStatus::Running) {
  }
  EXPECT_EQ(run.status(), RunStatus::Finished);
  EXPECT_EQ(f.read(16, 15), make(15, [](int i) { return 4.0f * i * i; }));
}

TEST(InspectionTest, StepsThroughLoops) {
  Fixture f(kernel("%x: index", 2, loop), Level::Ktir);
  exec::Run run(f.program, *f.memory, {{0, 0}});
  unsigned multiplications = 0;
  for (Step step = run.step(1, 100); step.kind == Step::Kind::Done;
       step = run.step(1, 100))
    multiplications += step.op == "arith.muli";
  // Four iterations and the one behind the loop.
  EXPECT_EQ(multiplications, 5u);
  EXPECT_EQ(run.step(1, 100).kind, Step::Kind::Ended);
}

TEST(InspectionTest, StepsCountForTheLimit) {
  Fixture f(kernel("%x: index", 2, loop), Level::Ktir);
  RunOptions options;
  options.limit = 3;
  exec::Run run(f.program, *f.memory, {{0, 0}}, options);
  for (uint64_t steps = 0; steps < 3; steps = run.instructionsDone())
    ASSERT_EQ(run.step(1, 100).kind, Step::Kind::Done);
  run.step(1, 100);
  EXPECT_EQ(run.status(), RunStatus::Failed);
  ASSERT_EQ(run.findings().size(), 1u);
  EXPECT_NE(run.findings()[0].message.find("stopped after 3 steps"),
            std::string::npos)
      << run.findings()[0].message;
}

// The tiles exchange their rows: what a tile waits for is done by the other
// while it steps.
TEST(InspectionTest, OthersRunWhileAnInstanceWaits) {
  const std::string type = "tensor<1x4xf16>";
  const std::string both = "affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>";
  const std::string groups = "groups = affine_set<(g) : (g == 0)>";
  Fixture f(
      kernel("%x: index", 2,
             loadFrom("a", "x", {2, 4}, "%t, %c0", {1, 4}) +
                 "%f = ktdp.inter_tile_produce producer_tiles_per_group = " +
                 both + " -> <(" + type + "), " + groups +
                 "> {\n^bb0(%g: index):\nktdp.yield_partial %a : " + type +
                 "\n}\n%y = ktdp.inter_tile_consume(%f) "
                 "consumer_tiles_per_group = " +
                 both +
                 ", producer_dependency_per_consumer = affine_set<(p)[c] : "
                 "(p + c - 1 == 0)> : <(" +
                 type + "), " + groups + "> -> " + type + "\n"),
      Level::Ktir);
  ASSERT_TRUE(f) << f.errors;
  f.fill(0, make(8, [](int i) { return float(i); }));
  exec::Run run(f.program, *f.memory, {{0, 0}});
  // Without budget for the other tile it stands before the consumer.
  std::string last;
  Step step = run.step(0, 0);
  for (; step.kind == Step::Kind::Done; step = run.step(0, 0))
    last = step.op.str();
  EXPECT_EQ(step.kind, Step::Kind::Waiting);
  EXPECT_EQ(last, "ktdp.inter_tile_produce");
  EXPECT_EQ(run.counters()[1].instructions, 0u);
  step = run.step(0, 1000);
  EXPECT_EQ(step.kind, Step::Kind::Done);
  EXPECT_EQ(step.op, "ktdp.inter_tile_consume");
  EXPECT_GT(run.counters()[1].instructions, 0u);
  while (run.advance(1000) == RunStatus::Running) {
  }
  EXPECT_EQ(run.status(), RunStatus::Finished);
}

} // namespace
