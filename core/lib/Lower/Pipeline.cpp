//===- Pipeline.cpp - The passes from KTIR to DataflowIR ------------------===//

#include "ktir/Lower/Pipeline.h"
#include "ktir/Device/Device.h"
#include "ktir/Dialect/Agen/AgenDialect.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Ktdf/KtdfDialect.h"
#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Dialect/KtdfLowering/KtdfLoweringDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/Ktdp/Legality.h"
#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"
#include "ktir/Dialect/VectorChain/VectorChainDialect.h"
#include "ktir/Lower/Passes.h"
#include "ktir/Schedule/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ktir;

void ktir::registerDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect>();
  registry
      .insert<agen::AgenDialect, dataflow::DataflowDialect, ktdf::KtdfDialect,
              ktdf_arch::KtdfArchDialect, ktdf_lowering::KtdfLoweringDialect,
              ktdp::KtdpDialect, spyreop::SpyreOpDialect, symbol::SymbolDialect,
              uniform::UniformDialect, vectorchain::VectorChainDialect>();
}

namespace {
/// A step of the pipeline and how to make its pass.
struct StepDefinition {
  StringLiteral name;
  StageLevel level;
  std::unique_ptr<Pass> (*create)(const PipelineOptions &);
};
} // namespace

/// Makes a pass that takes no option from the pipeline.
template <std::unique_ptr<Pass> (*Create)()>
static std::unique_ptr<Pass> plain(const PipelineOptions &) {
  return Create();
}

static std::unique_ptr<Pass> ensureDevice(const PipelineOptions &options) {
  EnsureDeviceDeclarationOptions passOptions;
  passOptions.device = options.device;
  return createEnsureDeviceDeclaration(passOptions);
}

static std::unique_ptr<Pass> coarsening(const PipelineOptions &) {
  return createStageCoarsening();
}

static std::unique_ptr<Pass> addresses(const PipelineOptions &) {
  return createAddressAssignment();
}

/// The way from KTIR to DataflowIR. The canonicaliser runs after the passes
/// that leave constants and single-trip loops behind.
static constexpr StepDefinition kSteps[] = {
    {"ensure-device-declaration", StageLevel::Ktir, ensureDevice},
    {"ktir-legality-check", StageLevel::Ktir, plain<createKtirLegalityCheck>},
    {"compute-group-extraction", StageLevel::Ktir,
     plain<createComputeGroupExtraction>},
    {"construct-three-stage-pipeline", StageLevel::Schedule,
     plain<createConstructThreeStagePipeline>},
    {"path-expansion", StageLevel::Schedule, plain<createPathExpansion>},
    {"stage-coarsening", StageLevel::Schedule, coarsening},
    {"canonicalize", StageLevel::Schedule, plain<createCanonicalizerPass>},
    {"double-buffering", StageLevel::Schedule, plain<createDoubleBuffering>},
    {"parallelize-loops-across-instances", StageLevel::Schedule,
     plain<createParallelizeLoopsAcrossInstances>},
    {"address-assignment", StageLevel::Schedule, addresses},
    {"ktdf-to-ktdflowering", StageLevel::Units,
     plain<createKtdfToKtdfLowering>},
    {"ktdflowering-to-dfir", StageLevel::Dataflow,
     plain<createKtdfLoweringToDfir>},
    {"canonicalize", StageLevel::Dataflow, plain<createCanonicalizerPass>},
    {"cse", StageLevel::Dataflow, plain<createCSEPass>},
    {"wrap-program-dfir", StageLevel::Dataflow, plain<createWrapProgramDfir>},
};

void ktir::buildPipeline(OpPassManager &manager, StageLevel to,
                         const PipelineOptions &options) {
  for (const StepDefinition &step : kSteps)
    if (step.level <= to)
      manager.addPass(step.create(options));
}

void ktir::buildDataflowPipeline(OpPassManager &manager,
                                 const PipelineOptions &options) {
  buildPipeline(manager, StageLevel::Dataflow, options);
}

std::optional<StageLevel> ktir::stageLevelOf(StringRef name) {
  if (name == "canonicalize" || name == "cse")
    return std::nullopt;
  for (const StepDefinition &step : kSteps)
    if (step.name == name)
      return step.level;
  return std::nullopt;
}

void ktir::registerPasses() {
  ktdp::registerKtdpPasses();
  registerSchedulePasses();
  registerLowerPasses();
  registerCanonicalizerPass();
  registerCSEPass();
  PassPipelineRegistration<>(
      "ktir-to-dataflow", "the whole way from KTIR to DataflowIR",
      [](OpPassManager &manager) { buildDataflowPipeline(manager); });
}
