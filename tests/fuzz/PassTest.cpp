//===- PassTest.cpp - Every pass alone on modules of every stage ----------===//
//
// A pass may be run by itself on whatever is valid: it does its work, leaves
// the module as it is, or fails with an error that has a message. Here the
// modules are those of all stages of the examples, as they are and with small
// changes; those that do not verify are left out.
//
//===----------------------------------------------------------------------===//

#include "Effort.h"
#include "Mutator.h"

#include "Diagnostics.h"
#include "ParseSource.h"

#include "ktir/Device/Device.h"
#include "ktir/Lower/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace ktir;

namespace {
const char *const passes[] = {"address-assignment",
                              "canonicalize",
                              "compute-group-extraction",
                              "construct-three-stage-pipeline",
                              "cse",
                              "double-buffering",
                              "ensure-device-declaration",
                              "ktdf-to-ktdflowering",
                              "ktdflowering-to-dfir",
                              "ktir-check-legality",
                              "ktir-check-legality{strict=true max-tiles=3}",
                              "ktir-legality-check",
                              "parallelize-loops-across-instances",
                              "path-expansion",
                              "stage-coarsening",
                              "stage-coarsening{block-bytes=96}",
                              "wrap-program-dfir",
                              "ktir-to-dataflow"};

/// The way to DataflowIR, pass by pass.
const char *const way[] = {"ensure-device-declaration",
                           "ktir-legality-check",
                           "compute-group-extraction",
                           "construct-three-stage-pipeline",
                           "path-expansion",
                           "stage-coarsening",
                           "canonicalize",
                           "double-buffering",
                           "parallelize-loops-across-instances",
                           "address-assignment",
                           "ktdf-to-ktdflowering",
                           "ktdflowering-to-dfir",
                           "canonicalize",
                           "cse",
                           "wrap-program-dfir"};

class PassTest : public testing::Test {
protected:
  PassTest() : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {
    static const bool registered = (registerPasses(), true);
    (void)registered;
    context.loadAllAvailableDialects();
    registerDefaultDevice(context);
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
          !diagnostic.str().empty())
        ++errors;
      return mlir::success();
    });
  }

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// Read as the driver does, which does not leave every text to MLIR.
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    const SourceText source("kernel.mlir", text);
    std::vector<Diagnostic> diagnostics;
    DiagnosticCollector collector(&context, source, diagnostics);
    const ReadText read(source, /*strict=*/false, diagnostics);
    mlir::AsmParserState state;
    return parseSource(read, state, context, collector);
  }

  /// Runs one pass, after which the module must still verify. False when the
  /// pass fails, which it must not do silently.
  bool run(mlir::ModuleOp module, const char *pass) {
    mlir::PassManager manager(&context);
    EXPECT_TRUE(succeeded(mlir::parsePassPipeline(pass, manager)));
    errors = 0;
    if (succeeded(manager.run(module)))
      return true;
    EXPECT_GT(errors, 0u) << pass << " failed without a message";
    return false;
  }

  /// The modules of all stages that the way reaches from `text`.
  void addStages(const std::string &text, std::vector<std::string> &stages) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    if (!module)
      return;
    stages.push_back(printed(*module));
    for (const char *pass : way) {
      if (!run(*module, pass))
        return;
      if (std::string stage = printed(*module); stage != stages.back())
        stages.push_back(std::move(stage));
    }
  }

  static std::string printed(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  }

  mlir::MLIRContext context;
  unsigned errors = 0;
};
} // namespace

TEST_F(PassTest, EveryPassEndsOnEveryModule) {
  std::vector<std::string> stages;
  for (const std::string &seed : readSeeds())
    addStages(seed, stages);
  ASSERT_GT(stages.size(), 100u);
  Mutator mutator(stages, 20261130);
  unsigned valid = 0;
  auto tryAll = [&](const std::string &text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    if (!module)
      return;
    ++valid;
    for (const char *pass : passes) {
      SCOPED_TRACE(pass);
      keepText("// " + std::string(pass) + "\n" + text);
      mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
      run(*copy, pass);
    }
  };
  for (const std::string &stage : stages)
    tryAll(stage);
  const int texts = test::effort(3000, 1000);
  for (int i = 0; i < texts && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("text " + std::to_string(i));
    tryAll(mutator.change(i % mutator.numTexts()));
  }
  // Otherwise little would be tried but the stages themselves.
  EXPECT_GT(valid, stages.size() + texts / 15);
}
