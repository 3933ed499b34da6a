//===- EngineTestSupport.cpp - Decode and run text in tests ---------------===//

#include "EngineTestSupport.h"

#include "SourceFolder.h"

#include "ktir/Dialect/Agen/AgenDialect.h"
#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"
#include "ktir/Dialect/Ktdp/KtdpDialect.h"
#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Uniform/UniformDialect.h"
#include "ktir/Dialect/VectorChain/VectorChainDialect.h"
#include "ktir/Exec/Numerics/Float16.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <sstream>

using namespace ktir::exec;
using namespace ktir::exec::test;

mlir::MLIRContext &test::context() {
  static mlir::MLIRContext *context = [] {
    auto *made = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    made->loadDialect<
        mlir::affine::AffineDialect, mlir::arith::ArithDialect,
        mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
        mlir::math::MathDialect, mlir::memref::MemRefDialect,
        mlir::scf::SCFDialect, mlir::tensor::TensorDialect, agen::AgenDialect,
        dataflow::DataflowDialect, ktdf_arch::KtdfArchDialect,
        ktdp::KtdpDialect, spyreop::SpyreOpDialect, symbol::SymbolDialect,
        uniform::UniformDialect, vectorchain::VectorChainDialect>();
    made->printOpOnDiagnostic(false);
    registerDefaultDevice(*made);
    return made;
  }();
  return *context;
}

std::string test::readInput(const std::string &path) {
  std::ifstream file(ktir::test::sourceFolder() + "/tests/inputs/" + path);
  EXPECT_TRUE(file.good()) << "cannot read tests/inputs/" << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

uint16_t test::half(float value) { return numerics::encodeF16(value); }
float test::fromHalf(uint16_t bits) { return numerics::decodeF16(bits); }

unsigned test::lineOf(mlir::Location location) {
  auto position = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  return position ? position.getLine() : 0;
}

Fixture::Fixture(const std::string &text, Level level,
                 const std::string &kernel, const std::string &deviceText,
                 NumericsMode numerics) {
  mlir::ScopedDiagnosticHandler handler(&context(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          errors += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  std::string description =
      deviceText.empty() ? getDefaultDeviceText().str() : deviceText;
  mlir::OwningOpRef<mlir::ModuleOp> deviceModule =
      mlir::parseSourceString<mlir::ModuleOp>(description, &context());
  if (!deviceModule)
    return;
  ktdf_arch::DeviceOp deviceOp;
  deviceModule->walk([&](ktdf_arch::DeviceOp op) { deviceOp = op; });
  if (!deviceOp)
    return;
  device.emplace(deviceOp);
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context());
  if (!module)
    return;
  decoding.level = level;
  decoding.numerics = numerics;
  this->kernel = kernel;
  decodeWith({});
}

void Fixture::decodeWith(llvm::ArrayRef<Probe> probes) {
  DecodeOptions options = decoding;
  options.probes = probes;
  program = decode(*module, kernel, *device, options);
  if (program)
    memory = program->makeMemory();
}

void Fixture::fill(int64_t at, const std::vector<float> &values) {
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits = half(values[i]);
    memory->device().write((at + i) * 2, &bits, 2);
  }
}

std::vector<float> Fixture::read(int64_t at, size_t count) const {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits;
    memory->device().read((at + i) * 2, &bits, 2);
    values[i] = fromHalf(bits);
  }
  return values;
}

RunStatus Fixture::run(const std::vector<int64_t> &arguments,
                       const RunOptions &options, uint64_t budget) {
  std::vector<ScalarArgument> scalars;
  for (int64_t argument : arguments)
    scalars.push_back({argument, double(argument)});
  last = std::make_unique<Run>(program, *memory, scalars, options);
  RunStatus status = RunStatus::Running;
  while (status == RunStatus::Running)
    status = last->advance(budget);
  return status;
}

std::vector<Finding> Fixture::found(const std::string &rule) const {
  std::vector<Finding> result;
  for (const Finding &finding : last->findings())
    if (rule == "*" || finding.rule == rule)
      result.push_back(finding);
  return result;
}

std::string Fixture::messages() const {
  std::string text = errors;
  if (last)
    for (const Finding &finding : last->findings()) {
      text += finding.rule + ": " + finding.message + "\n";
      for (const FindingNote &note : finding.notes)
        text += "  note: " + note.message + "\n";
    }
  return text;
}
