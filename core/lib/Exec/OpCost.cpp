//===- OpCost.cpp - What an op costs in the analytic model ----------------===//

#include "OpCost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ktir::exec;
using namespace mlir;

namespace {
enum class Kind { Free, Plain, Transcendental };
} // namespace

/// The kind of an op on elements, by its name without the dialect's.
static Kind kindOf(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"constant", "index", "yield", "extf", "truncf", "extsi", "extui",
              "trunci", "sitofp", "uitofp", "fptosi", "fptoui", "index_cast",
              "index_castui", "bitcast", "copy", "fill", "broadcast",
              "transpose"},
             Kind::Free)
      .Cases({"exp",
              "exp2",
              "expm1",
              "log",
              "log2",
              "log10",
              "log1p",
              "sqrt",
              "rsqrt",
              "cbrt",
              "sin",
              "cos",
              "tan",
              "tanh",
              "sinh",
              "cosh",
              "atan",
              "atan2",
              "erf",
              "powf",
              "gelu",
              "sigmoid",
              "silu",
              "softplus",
              "layernormscale",
              "layernormscale_fused"},
             Kind::Transcendental)
      .Default(Kind::Plain);
}

static void add(OpCost &cost, Kind kind) {
  cost.plain += kind == Kind::Plain;
  cost.transcendental += kind == Kind::Transcendental;
}

OpCost OpCost::get(Operation *op) {
  OpCost cost;
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().stripDialect();
  if (dialect == "arith" || dialect == "math" || dialect == "spyreop") {
    add(cost, kindOf(name));
    return cost;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return cost;
  bool isGeneric = isa<linalg::GenericOp>(op);
  if (!isGeneric && linalg::isaContractionOpInterface(structured)) {
    cost.matrix = 2;
    return cost;
  }
  // One vector operation for each named elementwise op, whatever its body is.
  if (!isGeneric && !isa<linalg::MapOp, linalg::ReduceOp>(op)) {
    add(cost, kindOf(name));
    return cost;
  }
  cost.perResult = isGeneric;
  for (Operation &nested : structured.getBlock()->without_terminator())
    add(cost, kindOf(nested.getName().stripDialect()));
  return cost;
}
