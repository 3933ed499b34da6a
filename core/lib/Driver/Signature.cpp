//===- Signature.cpp - What the arguments of a kernel are -----------------===//

#include "Signature.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace ktir {

Level detectLevel(mlir::ModuleOp module) {
  Level level = Level::Ktir;
  module.walk([&](mlir::Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    Level found = Level::Ktir;
    if (dialect == "dataflow" || dialect == "agen" ||
        dialect == "vectorchain" || dialect == "uniform" || dialect == "symbol")
      found = Level::Dataflow;
    else if (dialect == "ktdf_lowering")
      found = Level::Units;
    else if (dialect == "ktdf")
      found = Level::Schedule;
    level = std::max(level, found);
  });
  return level;
}

std::vector<mlir::func::FuncOp> findKernels(mlir::ModuleOp module,
                                            Level level) {
  llvm::StringSet<> called;
  module.walk(
      [&](mlir::func::CallOp call) { called.insert(call.getCallee()); });
  std::vector<mlir::func::FuncOp> kernels;
  module.walk([&](mlir::func::FuncOp function) {
    if (function.isDeclaration())
      return;
    const bool hasGrid = level == Level::Ktir && function->hasAttr("grid");
    if (hasGrid || !called.contains(function.getName()))
      kernels.push_back(function);
  });
  return kernels;
}

static std::vector<int64_t> readGrid(mlir::func::FuncOp kernel) {
  std::vector<int64_t> grid;
  if (auto attribute = kernel->getAttrOfType<mlir::ArrayAttr>("grid"))
    for (mlir::Attribute extent : attribute)
      if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(extent))
        grid.push_back(integer.getValue().getSExtValue());
  if (grid.empty())
    grid.push_back(1);
  return grid;
}

//===----------------------------------------------------------------------===//
// Bases of views
//===----------------------------------------------------------------------===//

namespace {
/// A value as an argument plus a distance.
struct Base {
  mlir::BlockArgument argument;
  /// Elements from the argument; absent when not constant.
  std::optional<int64_t> distance;
};
} // namespace

/// Follows sums and casts from `offset` back to the one argument of `kernel`
/// they add to. Absent when there is none or more than one.
static std::optional<Base> traceBase(mlir::Value offset,
                                     mlir::func::FuncOp kernel) {
  Base base;
  base.distance = 0;
  llvm::SmallVector<std::pair<mlir::Value, int>> pending = {{offset, 1}};
  // Shared terms can make a sum exponentially long; such a one is no plain
  // base.
  unsigned steps = 256;
  while (!pending.empty()) {
    const mlir::Value value = pending.back().first;
    const int sign = pending.back().second;
    pending.pop_back();
    if (--steps == 0)
      return std::nullopt;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner() == &kernel.getBody().front()) {
        if (base.argument || sign < 0)
          return std::nullopt;
        base.argument = argument;
      } else {
        base.distance.reset();
      }
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](mlir::arith::ConstantOp constant) {
          auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
          int64_t sum;
          if (integer && base.distance &&
              !llvm::AddOverflow(*base.distance,
                                 sign * integer.getValue().getSExtValue(), sum))
            base.distance = sum;
          else
            base.distance.reset();
        })
        .Case([&](mlir::arith::AddIOp add) {
          pending.push_back({add.getLhs(), sign});
          pending.push_back({add.getRhs(), sign});
        })
        .Case([&](mlir::arith::SubIOp sub) {
          pending.push_back({sub.getLhs(), sign});
          pending.push_back({sub.getRhs(), -sign});
        })
        .Case([&](ktdp::RuntimeArgExtractOp extract) {
          if (extract.getKind() == ktdp::ExtractionKind::Value)
            pending.push_back({extract.getArgument(), sign});
          else
            base.distance.reset();
        })
        .Case<mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp>(
            [&](auto cast) { pending.push_back({cast.getIn(), sign}); })
        .Default([&](mlir::Operation *) { base.distance.reset(); });
  }
  if (!base.argument)
    return std::nullopt;
  return base;
}

/// How `view` and everything made of it is used.
static ArgumentInfo::Access traceAccess(mlir::Value view) {
  bool reads = false, writes = false;
  llvm::SmallSetVector<mlir::Value, 8> values;
  values.insert(view);
  for (unsigned i = 0; i < values.size(); ++i)
    for (mlir::OpOperand &use : values[i].getUses()) {
      mlir::Operation *user = use.getOwner();
      if (llvm::isa<ktdp::LoadOp>(user)) {
        reads = true;
      } else if (auto store = llvm::dyn_cast<ktdp::StoreOp>(user)) {
        writes = writes || store.getTile() == values[i];
      } else {
        // Tiles and views made of this one, whatever the kind of op; an
        // indirect tile reads the views it takes indices from.
        if (user->getName().getStringRef() ==
                "ktdp.construct_indirect_access_tile" &&
            use.getOperandNumber() != 0) {
          reads = true;
          continue;
        }
        for (mlir::Value result : user->getResults())
          if (llvm::isa<mlir::MemRefType, ktdp::AccessTileType>(
                  result.getType()))
            values.insert(result);
      }
    }
  using Access = ArgumentInfo::Access;
  if (reads && writes)
    return Access::ReadWrite;
  return reads ? Access::Read : writes ? Access::Write : Access::None;
}

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Dynamic entries become -1.
static std::vector<int64_t> staticOrUnknown(llvm::ArrayRef<int64_t> values) {
  std::vector<int64_t> out;
  for (int64_t value : values)
    out.push_back(mlir::ShapedType::isDynamic(value) ? -1 : value);
  return out;
}

static bool isRowMajor(const ArgumentInfo &info) {
  int64_t expected = 1;
  for (size_t i = info.shape.size(); i-- > 0;) {
    if (info.shape[i] < 0 || info.strides[i] < 0)
      return false;
    // The stride of a unit axis is arbitrary.
    if (info.shape[i] != 1 && info.strides[i] != expected)
      return false;
    if (llvm::MulOverflow(expected, info.shape[i], expected))
      return false;
  }
  return true;
}

static int64_t spanOf(const ArgumentInfo &info,
                      std::optional<int64_t> distance) {
  if (!distance || *distance < 0)
    return 0;
  int64_t span = *distance + 1;
  for (size_t i = 0; i < info.shape.size(); ++i) {
    if (info.shape[i] <= 0 || info.strides[i] < 0)
      return 0;
    int64_t reach;
    if (llvm::MulOverflow(info.shape[i] - 1, info.strides[i], reach) ||
        llvm::AddOverflow(span, reach, span))
      return 0;
  }
  return span;
}

/// Adds what `view` says about the argument it starts at.
static void addView(ArgumentInfo &info, ktdp::ConstructMemoryViewOp view,
                    std::optional<int64_t> distance) {
  auto type = llvm::dyn_cast<mlir::MemRefType>(view.getResult().getType());
  if (!type)
    return;
  ArgumentInfo seen;
  seen.dtype = typeText(type.getElementType());
  seen.shape = staticOrUnknown(view.getStaticSizes());
  seen.strides = staticOrUnknown(view.getStaticStrides());
  seen.span = spanOf(seen, distance);
  seen.exactShape = distance == 0 && isRowMajor(seen);

  const unsigned access =
      unsigned(info.access) | unsigned(traceAccess(view.getResult()));
  if (info.role != ArgumentInfo::Role::Tensor) {
    info.role = ArgumentInfo::Role::Tensor;
    info.dtype = seen.dtype;
    info.shape = seen.shape;
    info.strides = seen.strides;
    info.span = seen.span;
    info.exactShape = seen.exactShape;
  } else {
    if (seen.shape != info.shape || seen.strides != info.strides ||
        !seen.exactShape)
      info.exactShape = false;
    // The largest view stands for the argument.
    if (seen.dtype == info.dtype && seen.span > info.span) {
      info.shape = seen.shape;
      info.strides = seen.strides;
      info.span = seen.span;
    }
  }
  info.access = ArgumentInfo::Access(access);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The range of `@name` in the text of the function.
static SourceRange nameRange(mlir::func::FuncOp kernel,
                             const mlir::AsmParserState &state,
                             const ReadText &text) {
  const mlir::AsmParserState::OperationDefinition *definition =
      state.getOpDef(kernel);
  if (!definition)
    return {};
  const std::string symbol = "@" + kernel.getName().str();
  const llvm::SMRange scope = definition->scopeLoc;
  const size_t at = textOf(scope).find(symbol);
  if (at == llvm::StringRef::npos)
    return text.originalRange(definition->loc);
  const char *begin = scope.Start.getPointer() + at;
  return text.originalRange(
      llvm::SMRange(llvm::SMLoc::getFromPointer(begin),
                    llvm::SMLoc::getFromPointer(begin + symbol.size())));
}

KernelInfo describeKernel(mlir::func::FuncOp kernel, Level level,
                          const mlir::AsmParserState &state,
                          const ReadText &text) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.grid = readGrid(kernel);
  info.range = nameRange(kernel, state, text);

  const mlir::AsmParserState::BlockDefinition *block =
      state.getBlockDef(&kernel.getBody().front());
  for (mlir::BlockArgument argument : kernel.getArguments()) {
    ArgumentInfo entry;
    const unsigned number = argument.getArgNumber();
    if (block && number < block->arguments.size())
      entry.name = textOf(block->arguments[number].loc).drop_front().str();
    if (entry.name.empty())
      entry.name = "arg" + std::to_string(number);
    mlir::Type type = argument.getType();
    if (auto runtime = llvm::dyn_cast<ktdp::RuntimeArgType>(type)) {
      entry.isRuntimeArgument = true;
      entry.granularity = runtime.getGranularity();
      entry.upperbound = runtime.getUpperbound();
      type = runtime.getUnderlyingType();
    }
    entry.type = typeText(type);
    if (!argument.use_empty())
      entry.role = level != Level::Ktir && argument.getType().isIndex()
                       ? ArgumentInfo::Role::Tensor
                       : ArgumentInfo::Role::Scalar;
    info.arguments.push_back(std::move(entry));
  }
  if (level != Level::Ktir)
    return info;
  kernel.walk([&](ktdp::ConstructMemoryViewOp view) {
    if (std::optional<Base> base = traceBase(view.getOffset(), kernel))
      addView(info.arguments[base->argument.getArgNumber()], view,
              base->distance);
  });
  return info;
}

} // namespace ktir
