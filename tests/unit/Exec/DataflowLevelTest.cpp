//===- DataflowLevelTest.cpp - Running DataflowIR -------------------------===//

#include "EngineTestSupport.h"

using namespace ktir;
using namespace ktir::exec;
using namespace ktir::exec::test;

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

/// c = a + b on 128 elements (dataflow-ir.md §12.1), whose arguments are bytes.
static void fillVadd(Fixture &f) {
  f.fill(0, make(128, [](int i) { return float(i); }));
  f.fill(2048, make(128, [](int i) { return float(i % 5) * 0.5f; }));
}
static std::vector<float> vaddResult() {
  return make(128, [](int i) { return float(i) + float(i % 5) * 0.5f; });
}

TEST(DataflowLevelTest, VectorAdd) {
  for (const char *name : {"dataflow/vadd.mlir", "dataflow/vadd_plain.mlir"}) {
    Fixture f(readInput(name), Level::Dataflow, "vadd");
    ASSERT_TRUE(f) << f.errors;
    EXPECT_TRUE(f.program->argumentsAreBytes());
    EXPECT_EQ(f.program->argumentTypes().size(), 3u);
    fillVadd(f);
    EXPECT_EQ(f.run({0, 4096, 8192}), RunStatus::Finished) << f.messages();
    EXPECT_EQ(f.read(4096, 128), vaddResult()) << name;
    EXPECT_TRUE(f.found("*").empty()) << f.messages();
    std::vector<InstanceCounters> counters = f.last->counters();
    ASSERT_EQ(counters.size(), 5u);
    EXPECT_EQ(counters[0].name, "C0-mnilu");
    EXPECT_EQ(counters[0].bytesRead, 512u);
    EXPECT_EQ(counters[0].scratchpadWritten, 512u);
    EXPECT_EQ(counters[1].messages, 4u);
    EXPECT_EQ(counters[2].elements, 128u);
    EXPECT_EQ(counters[4].bytesWritten, 256u);
  }
}

TEST(DataflowLevelTest, AnyInterleavingAndDepthGiveTheSame) {
  Fixture f(readInput("dataflow/vadd.mlir"), Level::Dataflow, "vadd");
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    f.memory = f.program->makeMemory();
    fillVadd(f);
    options.interleaving = seed;
    options.channelDepth = seed % 2 ? std::optional<unsigned>(1) : std::nullopt;
    ASSERT_EQ(f.run({0, 4096, 8192}, options, 1 + seed % 13),
              RunStatus::Finished)
        << f.messages();
    EXPECT_EQ(f.read(4096, 128), vaddResult()) << "seed " << seed;
  }
}

TEST(DataflowLevelTest, PublicBlockAdd) {
  // c = a + b on 96 x 128; arguments are bytes, words have 64.
  Fixture f(readInput("dataflow/ew_block.dataflow.mlir"), Level::Dataflow,
            "ew_block", readInput("dataflow/device.mlir"));
  ASSERT_TRUE(f) << f.errors;
  const int n = 96 * 128;
  auto fill = [&] {
    f.memory = f.program->makeMemory();
    f.fill(0, make(n, [](int i) { return float(i % 500); }));
    f.fill(n, make(n, [](int i) { return float(i % 13) / 4; }));
  };
  std::vector<float> expected =
      make(n, [](int i) { return float(i % 500) + float(i % 13) / 4; });

  fill();
  RunOptions unchecked;
  unchecked.checks = false;
  EXPECT_EQ(f.run({0, 2 * n, 4 * n}, unchecked), RunStatus::Finished)
      << f.messages();
  EXPECT_EQ(f.read(2 * n, n), expected);

  // Its buffers are single: a rendezvous at the start of a round lets the load
  // unit overwrite what the scratchpad load units still read.
  fill();
  EXPECT_EQ(f.run({0, 2 * n, 4 * n}), RunStatus::Failed);
  EXPECT_EQ(f.read(2 * n, n), expected);
  std::vector<Finding> races = f.found("E-7");
  ASSERT_FALSE(races.empty());
  EXPECT_EQ(races.size(), f.found("*").size()) << f.messages();
  EXPECT_EQ(races[0].message.find("'agen.composite_load_and_store' on unit "
                                  "'C0-mnilu'"),
            0u)
      << races[0].message;
  ASSERT_EQ(races[0].notes.size(), 1u);
  EXPECT_EQ(races[0].notes[0].message.find("'agen.vector_load' on unit "
                                           "'C0-l1lu-CL"),
            0u)
      << races[0].notes[0].message;
}

TEST(DataflowLevelTest, PublicLoopOfPrograms) {
  // The kernel calls its program 48 times; bases are element addresses.
  Fixture f(readInput("dataflow/ew_loop_const.dataflow.mlir"), Level::Dataflow,
            "ew_loop_const", readInput("dataflow/device.mlir"));
  ASSERT_TRUE(f) << f.errors;
  const int n = 96 * 64;
  f.fill(0, make(n, [](int i) { return float(i % 300); }));
  f.fill(12288, make(n, [](int i) { return float(i % 9) - 4; }));
  EXPECT_EQ(f.run({}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.read(24576, n),
            make(n, [](int i) { return float(i % 300) + float(i % 9) - 4; }));
  EXPECT_TRUE(f.found("*").empty()) << f.messages();
  EXPECT_EQ(f.last->counters().size(), 10u);
}

//===----------------------------------------------------------------------===//
// Small programs
//===----------------------------------------------------------------------===//

/// A module of one function with the units of core 0, and %k0 .. %k4, 64.
static std::string program(const std::string &body) {
  std::string text = R"(
#id = affine_map<(d0) -> (d0)>
#v = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#one = affine_set<(d0) : (d0 == 0)>
#four = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#st = affine_map<(d0) -> (d0 * 64)>
func.func @p() {
)";
  for (int k : {0, 1, 2, 3, 4, 64})
    text += "%k" + std::to_string(k) + " = arith.constant " +
            std::to_string(k) + " : index\n";
  for (const char *kind : {"mnilu", "l1lu", "sfu", "l1su", "mnisu"})
    text += std::string("%") + kind +
            " = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "
            "\"C0-" +
            kind + "\", type = \"" + kind + "\"} : index\n";
  text += "%hbm = dataflow.get_unit {name = \"hbm\", type = \"hbm\"} : index\n"
          "%lx = dataflow.get_unit {core = 0 : i32, name = \"C0-lx\", type = "
          "\"lx\"} : index\n";
  return text + body + "\nreturn\n}";
}

/// A unit's program.
static std::string on(const std::string &unit, const std::string &body) {
  return "dataflow.program_unit iter_arg : %me -> (%" + unit + ") : {\n" +
         body + "\n}\n";
}

/// A view of `count` f16 of a memory from byte `at` (one of the constants).
static std::string view(const std::string &name, const std::string &memory,
                        const std::string &at, int count) {
  return "%" + name + " = dataflow.get_logical_memory_view %" + memory + ", %" +
         at +
         " {addr_unit = \"byte\", layout_map = #id} : index, index, memref<" +
         std::to_string(count) + "xf16>\n";
}

static std::string load(const std::string &name, const std::string &from,
                        const std::string &at) {
  return "%" + name + " = agen.vector_load %" + from + "[" + at +
         "] {load_order = #id, load_set = #v} : memref<256xf16>, "
         "vector<64xf16>\n";
}

static std::string store(const std::string &name, const std::string &to,
                         const std::string &at) {
  return "agen.vector_store %" + name + ", %" + to + "[" + at +
         "] {store_order = #id, store_set = #v} : memref<256xf16>, "
         "vector<64xf16>\n";
}

static std::string send(const std::string &to, const std::string &name) {
  return "dataflow.send %" + to + ", %" + name + " : vector<64xf16>\n";
}

static std::string receive(const std::string &name, const std::string &from) {
  return "%" + name + " = dataflow.receive %" + from + " : vector<64xf16>\n";
}

static std::string signal(const std::string &to) {
  return "dataflow.sync_send %" + to + " : index\n";
}

static std::string await(const std::string &from) {
  return "dataflow.sync_recv %" + from + " : index\n";
}

// Where the host waits for its units is the return, not the whole function.
TEST(DataflowLevelTest, TheHostWaitsAtItsReturn) {
  Fixture f(program(on("l1lu", signal("sfu")) + on("sfu", await("l1lu"))),
            Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  unsigned atReturn = 0;
  for (options.limit = 1; f.run({}, options) == RunStatus::Failed;
       ++options.limit) {
    ASSERT_LT(options.limit, 50u);
    ASSERT_EQ(f.last->findings().size(), 1u) << f.messages();
    const std::string message = f.last->findings()[0].message;
    EXPECT_NE(message.find("'func.func'"), 0u) << message;
    atReturn += message.find("'func.return' on host: stopped after") == 0;
  }
  EXPECT_GT(atReturn, 0u);
}

TEST(DataflowLevelTest, DeadlockNamesWhoWaitsForWhom) {
  Fixture f(
      program(on("l1lu", "scf.for %i = %k0 to %k4 step %k1 {\n" +
                             receive("x", "sfu") + send("sfu", "x") + "}") +
              on("sfu", receive("x", "l1lu") + send("l1lu", "x"))),
      Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({}), RunStatus::Failed);
  ASSERT_EQ(f.last->findings().size(), 1u) << f.messages();
  Finding finding = f.last->findings()[0];
  EXPECT_EQ(finding.rule, "E-5");
  EXPECT_NE(finding.message.find("deadlock: 2 of 2 instances wait"),
            std::string::npos)
      << finding.message;
  ASSERT_EQ(finding.notes.size(), 2u);
  EXPECT_EQ(finding.notes[0].message,
            "unit 'C0-l1lu' (loop values 0) waits to receive from 'C0-sfu': "
            "the channel holds 0 messages");
  EXPECT_EQ(finding.notes[1].message,
            "unit 'C0-sfu' waits to receive from 'C0-l1lu': the channel holds "
            "0 of 16 messages");
  EXPECT_NE(lineOf(finding.notes[0].location),
            lineOf(finding.notes[1].location));
}

TEST(DataflowLevelTest, DeadlockOnAFullChannel) {
  // Two messages before a signal that only comes between them.
  std::string text = program(
      on("l1lu", view("m", "lx", "k0", 256) +
                     "%z = vectorchain.constant_bitstream {value = [0x3c00]} "
                     ": vector<1xf16>\n%x = vectorchain.shuffle input(%z) "
                     "{indices = [0 : i32], repetition = 64 : i32} : "
                     "vector<1xf16>, vector<64xf16>\n" +
                     send("sfu", "x") + send("sfu", "x") + signal("sfu")) +
      on("sfu", await("l1lu") + receive("x", "l1lu") + receive("y", "l1lu")));
  Fixture f(text, Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  options.channelDepth = 2;
  EXPECT_EQ(f.run({}, options), RunStatus::Finished) << f.messages();
  options.channelDepth = 1;
  EXPECT_EQ(f.run({}, options), RunStatus::Failed);
  ASSERT_EQ(f.found("E-5").size(), 1u);
  ASSERT_EQ(f.found("E-5")[0].notes.size(), 2u);
  EXPECT_EQ(f.found("E-5")[0].notes[0].message,
            "unit 'C0-l1lu' waits to send to 'C0-sfu': the channel holds 1 of "
            "1 messages");
  EXPECT_EQ(f.found("E-5")[0].notes[1].message,
            "unit 'C0-sfu' waits for a signal from 'C0-l1lu': the semaphore "
            "is 0");
}

static const char *ones =
    "%z = vectorchain.constant_bitstream {value = [0x3c00]} : vector<1xf16>\n"
    "%x = vectorchain.shuffle input(%z) {indices = [0 : i32], repetition = 64 "
    ": i32} : vector<1xf16>, vector<64xf16>\n";

TEST(DataflowLevelTest, MessagesOfAnotherType) {
  Fixture f(program(on("l1lu", ones + send("sfu", "x")) +
                    on("sfu", "%y = dataflow.receive %l1lu : vector<64xi16>")),
            Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({}), RunStatus::Failed);
  ASSERT_EQ(f.found("D-8").size(), 1u) << f.messages();
  EXPECT_EQ(f.found("D-8")[0].message,
            "'dataflow.receive' on unit 'C0-sfu': the message from 'C0-l1lu' "
            "is a vector<64xf16>, expected a vector<64xi16>");
}

TEST(DataflowLevelTest, MessagesAndSignalsLeftOver) {
  Fixture f(
      program(on("l1lu", ones + send("sfu", "x") + send("sfu", "x") +
                             signal("sfu") + signal("sfu") + signal("l1lu")) +
              on("sfu", receive("x", "l1lu") + await("l1lu"))),
      Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({}), RunStatus::Failed);
  ASSERT_EQ(f.last->findings().size(), 2u) << f.messages();
  EXPECT_EQ(f.found("D-10").size(), 1u);
  EXPECT_EQ(f.found("D-15").size(), 1u);
  EXPECT_NE(f.found("D-15")[0].message.find("is 1 at the end of the program, "
                                            "expected 0"),
            std::string::npos);
  // A signal to oneself is a fence and leaves nothing (D-13).
  Fixture balanced(program(on("l1lu", ones + send("sfu", "x") + signal("sfu") +
                                          signal("l1lu")) +
                           on("sfu", receive("x", "l1lu") + await("l1lu"))),
                   Level::Dataflow);
  ASSERT_TRUE(balanced) << balanced.errors;
  EXPECT_EQ(balanced.run({}), RunStatus::Finished) << balanced.messages();
}

/// mnilu writes the scratchpad, l1lu reads it and sends to sfu.
static std::string handOver(const std::string &afterWrite,
                            const std::string &beforeRead) {
  return program(on("mnilu", view("m", "lx", "k0", 256) + ones +
                                 store("x", "m", "0") + afterWrite) +
                 on("l1lu", view("m", "lx", "k0", 256) + beforeRead +
                                load("y", "m", "0") + send("sfu", "y")) +
                 on("sfu", receive("y", "l1lu")));
}

TEST(DataflowLevelTest, AMissingSignalIsARace) {
  Fixture ordered(handOver(signal("l1lu"), await("mnilu")), Level::Dataflow);
  ASSERT_TRUE(ordered) << ordered.errors;
  EXPECT_EQ(ordered.run({}), RunStatus::Finished) << ordered.messages();
  Fixture race(handOver("", ""), Level::Dataflow);
  ASSERT_TRUE(race) << race.errors;
  EXPECT_EQ(race.run({}), RunStatus::Failed);
  ASSERT_EQ(race.found("E-7").size(), 1u) << race.messages();
  EXPECT_EQ(race.found("E-7")[0].notes.size(), 1u);
  // A signal before the write orders nothing.
  Fixture early(program(on("mnilu", view("m", "lx", "k0", 256) + ones +
                                        signal("l1lu") + store("x", "m", "0")) +
                        on("l1lu", view("m", "lx", "k0", 256) + await("mnilu") +
                                       load("y", "m", "0") + send("sfu", "y")) +
                        on("sfu", receive("y", "l1lu"))),
                Level::Dataflow);
  ASSERT_TRUE(early) << early.errors;
  EXPECT_EQ(early.run({}), RunStatus::Failed);
  EXPECT_EQ(early.found("E-7").size(), 1u) << early.messages();
}

TEST(DataflowLevelTest, UnwrittenScratchpad) {
  Fixture f(program(on("l1lu", view("m", "lx", "k0", 256) +
                                   load("y", "m", "0") + send("sfu", "y")) +
                    on("sfu", receive("y", "l1lu"))),
            Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({}), RunStatus::Failed);
  EXPECT_EQ(f.found("E-6").size(), 1u) << f.messages();
}

TEST(DataflowLevelTest, OutsideTheShapeAndOutsideTheMemory) {
  auto text = [](const std::string &at) {
    return program(
        on("l1su", view("m", "lx", "k0", 256) + ones + store("x", "m", at)));
  };
  Fixture inside(text("192"), Level::Dataflow);
  ASSERT_TRUE(inside) << inside.errors;
  EXPECT_EQ(inside.run({}), RunStatus::Finished) << inside.messages();
  EXPECT_TRUE(inside.found("*").empty());
  EXPECT_EQ(inside.last->scratchpadPeak(), 512u);
  // One element over: the address exists, so it is written.
  Fixture over(text("193"), Level::Dataflow);
  ASSERT_TRUE(over) << over.errors;
  EXPECT_EQ(over.run({}), RunStatus::Finished);
  ASSERT_EQ(over.found("*").size(), 1u);
  EXPECT_EQ(over.found("*")[0].severity, FindingSeverity::Warning);
  uint16_t bits;
  over.memory->scratchpad(0).read(256 * 2, &bits, 2);
  EXPECT_EQ(bits, 0x3c00);
  RunOptions trap;
  trap.outOfView = OutOfViewPolicy::Trap;
  EXPECT_EQ(over.run({}, trap), RunStatus::Failed);
  Fixture below(text("-1"), Level::Dataflow);
  ASSERT_TRUE(below) << below.errors;
  EXPECT_EQ(below.run({}), RunStatus::Failed);
  EXPECT_EQ(below.found("E-3").size(), 1u) << below.messages();
}

TEST(DataflowLevelTest, CompositeOpsWithBodies) {
  // §7.2: a load that sends at every step, a store of what is received, in
  // which sfu doubles.
  std::string body =
      on("l1lu", view("m", "lx", "k0", 256) +
                     "agen.composite_load %m[0]\n time_symbols()"
                     "(%v:vector<64xf16>)\n {load_order = #id, load_set = #v, "
                     "time_addr_map = #st, time_order = #id, time_set = "
                     "#four}\n{\n" +
                     send("sfu", "v") + "agen.yield\n} : memref<256xf16>") +
      on("sfu", "scf.for %i = %k0 to %k4 step %k1 {\n" + receive("x", "l1lu") +
                    "%d = vectorchain.binary %x, %x {binary_op = "
                    "#vectorchain<binary_operator add>, op_specific_map = "
                    "#id} : vector<64xf16>, vector<64xf16>, vector<64xf16>\n" +
                    send("l1su", "d") + "}") +
      on("l1su",
         "%at = arith.constant 512 : index\n" + view("m", "lx", "at", 256) +
             "agen.composite_store %m[0]\n time_symbols()\n {store_order = "
             "#id, store_set = #v, time_addr_map = #st, time_order = #id, "
             "time_set = #four}\n{\n" +
             receive("r", "sfu") +
             "agen.yield %r : vector<64xf16>\n} : memref<256xf16>");
  Fixture f(program(body), Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    f.memory = f.program->makeMemory();
    for (int i = 0; i < 256; ++i) {
      uint16_t bits = half(float(i));
      f.memory->scratchpad(0).write(i * 2, &bits, 2);
    }
    options.interleaving = seed;
    options.channelDepth = 1 + seed;
    ASSERT_EQ(f.run({}, options), RunStatus::Finished) << f.messages();
    for (int i = 0; i < 256; ++i) {
      uint16_t bits;
      f.memory->scratchpad(0).read(512 + i * 2, &bits, 2);
      ASSERT_EQ(fromHalf(bits), 2.0f * i);
    }
  }
}

TEST(DataflowLevelTest, StepsSeeWhatEarlierStepsStored) {
  // G-8: shifting by one vector at each step spreads the first everywhere.
  std::string body =
      on("mnilu",
         view("m", "lx", "k0", 512) +
             "agen.composite_load_and_store src:%m[0] dst:%m[64]\n "
             "time_symbols(), load_iv(%v:vector<64xf16>)\n {load_order = #id, "
             "load_set = #v, load_time_addr_map = #st, store_order = #id, "
             "store_set = #v, store_time_addr_map = #st, time_order = #id, "
             "time_set = #four}\n{\nagen.yield\n} : memref<512xf16>, "
             "memref<512xf16>");
  Fixture f(program(body), Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  for (int i = 0; i < 320; ++i) {
    uint16_t bits = half(float(i));
    f.memory->scratchpad(0).write(i * 2, &bits, 2);
  }
  ASSERT_EQ(f.run({}), RunStatus::Finished) << f.messages();
  for (int i = 0; i < 320; ++i) {
    uint16_t bits;
    f.memory->scratchpad(0).read(i * 2, &bits, 2);
    ASSERT_EQ(fromHalf(bits), float(i % 64));
  }
}

TEST(DataflowLevelTest, MappingsAndRegionsByUnit) {
  std::string body =
      "%other = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "
      "\"C1-l1su\", type = \"l1su\"} : index\n"
      "%lx1 = dataflow.get_unit {core = 1 : i32, name = \"C1-lx\", type = "
      "\"lx\"} : index\n"
      "%mem = uniform.def_immutable_mapping([%l1su -> %lx], [%other -> "
      "%lx1]):index\n"
      "dataflow.program_unit iter_arg : %me -> (%l1su, %other) : {\n"
      "%my = uniform.query_map(map:%mem, key:%me) : index\n" +
      view("m", "my", "k0", 256) + ones +
      "%n = uniform.uniformize_regions -> index {\n(%a -> %l1su){\n"
      "uniform.yield %k3 : index\n}\n(%a -> %other){\nuniform.yield %k1 : "
      "index\n}\n}\n"
      "scf.for %i = %k0 to %n step %k1 {\n" +
      store("x", "m", "%i * 64") + "}\n}\n";
  Fixture f(program(body), Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  ASSERT_EQ(f.run({}), RunStatus::Finished) << f.messages();
  // Three vectors on core 0, one on core 1.
  EXPECT_EQ(f.memory->scratchpad(0).firstUnwritten(0, 512), 384u);
  EXPECT_EQ(f.memory->scratchpad(1).firstUnwritten(0, 512), 128u);
}

TEST(DataflowLevelTest, MissingKeysAndUnboundSymbols) {
  Fixture key(program("%mem = uniform.def_immutable_mapping([%l1su -> "
                      "%k1]):index\n" +
                      on("l1lu", "%q = uniform.query_map(map:%mem, key:%me) : "
                                 "index")),
              Level::Dataflow);
  ASSERT_TRUE(key) << key.errors;
  EXPECT_EQ(key.run({}), RunStatus::Failed);
  ASSERT_EQ(key.found("U-3").size(), 1u);
  EXPECT_EQ(key.found("U-3")[0].message,
            "'uniform.query_map' on unit 'C0-l1lu': the mapping has no value "
            "for unit 'C0-l1lu'");
}

TEST(DataflowLevelTest, ProgramsOfOneUnitRunInOrder) {
  // The second program of l1su overwrites what the first wrote.
  std::string twos = ones;
  twos.replace(twos.find("0x3c00"), 6, "0x4000");
  Fixture f(
      program(
          on("l1su", view("m", "lx", "k0", 256) + ones + store("x", "m", "0")) +
          on("l1su", view("m", "lx", "k0", 256) + twos + store("x", "m", "0"))),
      Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  RunOptions options;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    options.interleaving = seed;
    ASSERT_EQ(f.run({}, options), RunStatus::Finished) << f.messages();
    uint16_t bits;
    f.memory->scratchpad(0).read(0, &bits, 2);
    EXPECT_EQ(fromHalf(bits), 2.0f);
  }
}

TEST(DataflowLevelTest, GroupsReceiveOneMessageEach) {
  std::string body =
      "%g = dataflow.create_group(%sfu, %l1su : index, index) : index\n" +
      on("l1lu", ones + send("g", "x")) + on("sfu", receive("x", "l1lu")) +
      on("l1su", view("m", "lx", "k0", 256) + receive("x", "l1lu") +
                     store("x", "m", "0"));
  Fixture f(program(body), Level::Dataflow);
  ASSERT_TRUE(f) << f.errors;
  EXPECT_EQ(f.run({}), RunStatus::Finished) << f.messages();
  EXPECT_EQ(f.memory->scratchpad(0).firstUnwritten(0, 256), 128u);
  EXPECT_EQ(f.last->counters()[0].messages, 2u);
}

//===----------------------------------------------------------------------===//
// vectorchain
//===----------------------------------------------------------------------===//

/// Lanes of `%r : vector<4xf16>` that `body` defines from %a and %b.
static std::vector<float> lanes(const std::string &body) {
  Fixture f(program(on(
                "l1su",
                "%a = vectorchain.constant_bitstream {value = [0x3c00, 0xc000, "
                "0x4200, 0x0]} : vector<4xf16>\n" // 1 -2 3 0
                "%b = vectorchain.constant_bitstream {value = [0x4000, 0x3c00, "
                "0xc400, 0x0]} : vector<4xf16>\n" // 2 1 -4 0
                    + body + "\n" +
                    "%m = dataflow.get_logical_memory_view %lx, %k0 {addr_unit "
                    "= \"byte\", layout_map = #id} : index, index, "
                    "memref<4xf16>\n"
                    "agen.vector_store %r, %m[0] {store_order = #id, store_set "
                    "= #four} : memref<4xf16>, vector<4xf16>")),
            Level::Dataflow);
  EXPECT_TRUE(f) << f.errors;
  if (!f)
    return {};
  EXPECT_EQ(f.run({}), RunStatus::Finished) << f.messages();
  std::vector<float> result(4);
  for (int i = 0; i < 4; ++i) {
    uint16_t bits;
    f.memory->scratchpad(0).read(i * 2, &bits, 2);
    result[i] = fromHalf(bits);
  }
  return result;
}

static std::string binary(const std::string &op) {
  return "%r = vectorchain.binary %a, %b {binary_op = "
         "#vectorchain<binary_operator " +
         op +
         ">, op_specific_map = #id} : vector<4xf16>, vector<4xf16>, "
         "vector<4xf16>";
}

TEST(DataflowLevelTest, BinaryOperators) {
  using Lanes = std::vector<float>;
  EXPECT_EQ(lanes(binary("add")), (Lanes{3, -1, -1, 0}));
  EXPECT_EQ(lanes(binary("sub")), (Lanes{-1, -3, 7, 0}));
  EXPECT_EQ(lanes(binary("mul")), (Lanes{2, -2, -12, 0}));
  EXPECT_EQ(lanes(binary("mul_div2")), (Lanes{1, -1, -6, 0}));
  EXPECT_EQ(lanes(binary("min")), (Lanes{1, -2, -4, 0}));
  EXPECT_EQ(lanes(binary("max")), (Lanes{2, 1, 3, 0}));
  EXPECT_EQ(lanes(binary("abs_min")), (Lanes{1, 1, 3, 0}));
  EXPECT_EQ(lanes(binary("abs_max")), (Lanes{2, 2, 4, 0}));
  // On bits: 0x3c00 & 0x4000 = 0, | = 0x7c00 (infinity), & ~ = 0x3c00.
  EXPECT_EQ(lanes(binary("and0"))[0], 0.0f);
  EXPECT_EQ(lanes(binary("or0"))[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(lanes(binary("and_not"))[0], 1.0f);
}

TEST(DataflowLevelTest, OtherVectorOps) {
  using Lanes = std::vector<float>;
  // A lane that the mask leaves out yields the first operand's (V-2).
  EXPECT_EQ(lanes("%m2 = vectorchain.create_affine_mask %k2 {mask_set = "
                  "affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>} : vector<4xi1>\n"
                  "%r = vectorchain.binary %a, %b [%m2 : vector<4xi1>] "
                  "{binary_op = #vectorchain<binary_operator add>, "
                  "op_specific_map = #id} : vector<4xf16>, vector<4xf16>, "
                  "vector<4xf16>"),
            (Lanes{3, -1, 3, 0}));
  EXPECT_EQ(lanes("%c = vectorchain.element_wise_compare %a, %b {compare_op = "
                  "#vectorchain<element_wise_compare_operator compare_lt>} : "
                  "vector<4xf16>, vector<4xf16>, vector<4xf16>\n"
                  "%r = vectorchain.element_wise_selection %c ? %a : %b : "
                  "vector<4xf16>, vector<4xf16>, vector<4xf16>, "
                  "vector<4xf16>"),
            (Lanes{1, -2, -4, 0}));
  EXPECT_EQ(lanes("%p = arith.constant 7.0 : f16\n"
                  "%r = vectorchain.shuffle input(%a), pad(%p) {indices = [2 : "
                  "i32, -1 : i32], repetition = 2 : i32} : vector<4xf16>, f16, "
                  "vector<4xf16>"),
            (Lanes{3, 7, 3, 7}));
  EXPECT_EQ(lanes("%w = vectorchain.cast %a : vector<4xf16>, vector<4xf32>\n"
                  "%n = vectorchain.neg %w : vector<4xf32>, vector<4xf32>\n"
                  "%r = vectorchain.cast %n : vector<4xf32>, vector<4xf16>"),
            (Lanes{-1, 2, -3, 0}));
}
