//===- ComputeGroupExtraction.cpp - Outline compute groups ----------------===//

#include "ktir/Schedule/ComputeGroups.h"
#include "ktir/Schedule/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ktir {
#define GEN_PASS_DEF_COMPUTEGROUPEXTRACTION
#include "ktir/Schedule/Passes.h.inc"
} // namespace ktir

using namespace ktir;

namespace {
struct ComputeGroupExtraction
    : public ktir::impl::ComputeGroupExtractionBase<ComputeGroupExtraction> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (failed(extract(module, func)))
        return signalPassFailure();
  }

  static LogicalResult extract(ModuleOp module, func::FuncOp kernel);
};
} // namespace

/// All operations that the group needs: its own and what computes their
/// operands.
static llvm::SetVector<Operation *> collectOperations(ComputeGroup &group) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Operation *> pending;
  for (TileAccess &access : group.stores)
    pending.push_back(access.op);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!needed.insert(op))
      continue;
    // A body may use constants from outside of it.
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (producer->getBlock() == op->getBlock())
            pending.push_back(producer);
    });
  }
  return needed;
}

/// A name for a program of `kernel` that no symbol of `module` has.
static std::string uniqueName(ModuleOp module, func::FuncOp kernel,
                              size_t position) {
  std::string name = (kernel.getName() + "_" + llvm::Twine(position)).str();
  while (module.lookupSymbol(name))
    name += "_";
  return name;
}

LogicalResult ComputeGroupExtraction::extract(ModuleOp module,
                                              func::FuncOp kernel) {
  FailureOr<std::vector<ComputeGroup>> groups = collectComputeGroups(kernel);
  if (failed(groups))
    return failure();

  // The declaration module: the kernel, now a list of calls.
  Location loc = kernel.getLoc();
  Location returnLoc = kernel.getBody().front().getTerminator()->getLoc();
  OpBuilder builder(kernel);
  auto declarations = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(declarations.getBody());
  auto caller = func::FuncOp::create(builder, loc, kernel.getName(),
                                     kernel.getFunctionType());
  caller->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  if (ArrayAttr attrs = kernel.getArgAttrsAttr())
    caller.setArgAttrsAttr(attrs);
  OpBuilder calls = OpBuilder::atBlockEnd(caller.addEntryBlock());
  for (auto [from, to] :
       llvm::zip_equal(kernel.getArguments(), caller.getArguments()))
    to.setLoc(from.getLoc());

  OpBuilder programs = OpBuilder::atBlockEnd(module.getBody());
  for (auto [position, group] : llvm::enumerate(*groups)) {
    std::string name = uniqueName(module, kernel, position);
    llvm::SetVector<Operation *> needed = collectOperations(group);

    SmallVector<BlockArgument> arguments;
    for (BlockArgument argument : kernel.getArguments())
      if (llvm::any_of(argument.getUsers(),
                       [&](Operation *user) { return needed.contains(user); }))
        arguments.push_back(argument);
    SmallVector<Type> types;
    SmallVector<Value> operands;
    for (BlockArgument argument : arguments) {
      types.push_back(argument.getType());
      operands.push_back(caller.getArgument(argument.getArgNumber()));
    }

    // The program: a module of its own with one function.
    auto programModule = ModuleOp::create(programs, loc, StringRef(name));
    OpBuilder inside = OpBuilder::atBlockBegin(programModule.getBody());
    auto program = func::FuncOp::create(
        inside, loc, name, inside.getFunctionType(types, TypeRange()));
    if (Attribute grid = kernel->getAttr("grid"))
      program->setAttr("grid", grid);
    IRMapping mapping;
    OpBuilder body = OpBuilder::atBlockEnd(program.addEntryBlock());
    for (auto [from, to] : llvm::zip_equal(arguments, program.getArguments())) {
      mapping.map(from, to);
      to.setLoc(from.getLoc());
    }
    for (Operation &op : kernel.getBody().front())
      if (needed.contains(&op))
        body.clone(op, mapping);
    func::ReturnOp::create(body, returnLoc);

    func::CallOp::create(calls, loc, name, TypeRange(), operands);
    auto declaration = func::FuncOp::create(
        builder, loc, name, builder.getFunctionType(types, TypeRange()));
    declaration.setPrivate();
  }
  func::ReturnOp::create(calls, returnLoc);
  kernel.erase();
  return success();
}
