//===- WrapProgramDfir.cpp - Split programs into wrapper and body ---------===//
//
// Follows spec dataflow-ir.md §12 and scheduler.md §4.3.
//
//===----------------------------------------------------------------------===//

#include "ktir/Dialect/Dataflow/DataflowDialect.h"
#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Lower/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_WRAPPROGRAMDFIR
#include "ktir/Lower/Passes.h.inc"
} // namespace ktir

using namespace ktir;

/// The bindings of `func` and the arithmetic they are made of.
static llvm::SetVector<Operation *> collectBindings(func::FuncOp func) {
  llvm::SetVector<Operation *> result;
  SmallVector<Operation *> pending;
  for (auto create : func.getOps<symbol::CreateIdOp>())
    pending.push_back(create);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!result.insert(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        pending.push_back(producer);
  }
  return result;
}

static LogicalResult wrap(ModuleOp module, func::FuncOp func) {
  llvm::SetVector<Operation *> bindings = collectBindings(func);
  for (Operation *op : bindings)
    if (op->getParentOp() != func)
      return op->emitOpError("expected symbols to be bound in the entry block "
                             "of the program");
  // A program that needs its arguments itself keeps one level (E-13).
  for (BlockArgument argument : func.getArguments())
    for (Operation *user : argument.getUsers())
      if (!bindings.contains(user))
        return success();

  std::string bodyName = (func.getName() + "_body").str();
  if (Operation *other = SymbolTable::lookupSymbolIn(module, bodyName)) {
    InFlightDiagnostic diag = func.emitError()
                              << "expected no symbol named '" << bodyName
                              << "', the name of this program's body";
    diag.attachNote(other->getLoc()) << "symbol defined here";
    return diag;
  }

  Location loc = func.getLoc();
  OpBuilder builder(func);
  auto declaration = func::FuncOp::create(builder, loc, bodyName,
                                          builder.getFunctionType({}, {}));
  declaration.setPrivate();

  builder.setInsertionPointAfter(func);
  auto inner = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(inner.getBody());
  auto body = func::FuncOp::create(builder, loc, bodyName,
                                   builder.getFunctionType({}, {}));
  if (Attribute grid = func->removeAttr("grid"))
    body->setAttr("grid", grid);

  // Constants may serve both sides, so what the wrapper needs is cloned.
  Block &from = func.getBody().front();
  Block *to = body.addEntryBlock();
  IRMapping mapping;
  OpBuilder wrapper(&from, from.getTerminator()->getIterator());
  SmallVector<Operation *> originals;
  for (Operation &op : from.without_terminator())
    originals.push_back(&op);
  for (Operation *op : originals)
    if (bindings.contains(op))
      wrapper.clone(*op, mapping);
  SmallVector<Operation *> moved;
  for (Operation *op : originals) {
    if (isa<symbol::CreateIdOp>(op)) {
      op->erase();
      continue;
    }
    op->moveBefore(to, to->end());
    moved.push_back(op);
  }
  func::ReturnOp::create(builder, loc)->moveBefore(to, to->end());
  for (Operation *op : llvm::reverse(moved))
    if (bindings.contains(op) && op->use_empty())
      op->erase();
  func::CallOp::create(wrapper, loc, bodyName, TypeRange());
  return success();
}

namespace {
struct WrapProgramDfir
    : public ktir::impl::WrapProgramDfirBase<WrapProgramDfir> {
  void runOnOperation() override {
    SmallVector<std::pair<ModuleOp, func::FuncOp>> programs;
    for (auto module : getOperation().getOps<ModuleOp>()) {
      if (!module.getSymName())
        continue;
      for (auto func : module.getOps<func::FuncOp>())
        if (!func.isDeclaration() &&
            !func.getBody().getOps<dataflow::ProgramUnitOp>().empty())
          programs.emplace_back(module, func);
    }
    for (auto [module, func] : programs)
      if (failed(wrap(module, func)))
        return signalPassFailure();
  }
};
} // namespace
