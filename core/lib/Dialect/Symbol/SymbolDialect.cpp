//===- SymbolDialect.cpp - Dialect and operations -------------------------===//

#include "ktir/Dialect/Symbol/SymbolDialect.h"
#include "ktir/Dialect/Support/MappingPairs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace ktir::symbol;

using ktir::parseMappingPairs;
using ktir::printMappingPairs;

#include "ktir/Dialect/Symbol/SymbolDialect.cpp.inc"

MLIR_DEFINE_EXPLICIT_TYPE_ID(ktir::symbol::BindingResource)

void SymbolDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/Symbol/SymbolOps.cpp.inc"
      >();
}

/// Spec S-3: ids are negative.
static LogicalResult verifyId(Operation *op, int64_t id) {
  if (id >= 0)
    return op->emitOpError("expected a negative symbol id, but got ") << id;
  return success();
}

//===----------------------------------------------------------------------===//
// CreateSymbolOp
//===----------------------------------------------------------------------===//

void CreateSymbolOp::build(OpBuilder &builder, OperationState &state,
                           int64_t id) {
  build(builder, state, builder.getIndexType(), builder.getI64IntegerAttr(id));
}

/// True if an op below `root` binds `id`, nested modules left out.
static bool bindsId(Operation *root, int64_t id) {
  return root
      ->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op != root && isa<ModuleOp>(op))
          return WalkResult::skip();
        // An op further down is not verified yet and may have no id.
        auto binding = dyn_cast<CreateIdOp>(op);
        const bool binds = binding && binding.getSymbolIdAttr() &&
                           binding.getSymbolIdAttr().getValue() == id;
        return binds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult CreateSymbolOp::verify() {
  if (failed(verifyId(*this, getId())))
    return failure();
  // A program reads symbols in a module of its own; the wrapper that binds
  // them is a function of the module around it. Ask outer modules first: the
  // wrapper is short, the program is long.
  SmallVector<Operation *, 4> scopes;
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp())
    if (isa<ModuleOp>(op) || !op->getParentOp())
      scopes.push_back(op);
  for (Operation *scope : llvm::reverse(scopes))
    if (bindsId(scope, getId()))
      return success();
  return emitOpError("symbol id ")
         << getId() << " is bound by no 'symbol.create_id'";
}

//===----------------------------------------------------------------------===//
// CreateIdOp
//===----------------------------------------------------------------------===//

void CreateIdOp::build(OpBuilder &builder, OperationState &state, Value value,
                       int64_t id) {
  build(builder, state, value,
        builder.getIntegerAttr(builder.getIntegerType(64, /*isSigned=*/true),
                               id));
}

LogicalResult CreateIdOp::verify() {
  if (failed(verifyId(*this, getId())))
    return failure();
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function)
    return success();
  CreateIdOp earlier;
  function->walk([&](CreateIdOp other) {
    if (other == *this)
      return WalkResult::interrupt();
    // One in a region that is verified later may have no id.
    if (!other.getSymbolIdAttr() || other.getId() != getId())
      return WalkResult::advance();
    earlier = other;
    return WalkResult::interrupt();
  });
  if (!earlier)
    return success();
  InFlightDiagnostic diag = emitOpError("symbol id ")
                            << getId() << " is bound twice in one function";
  diag.attachNote(earlier.getLoc()) << "first bound here";
  return diag;
}

//===----------------------------------------------------------------------===//
// SymbolImmutableMappingOp
//===----------------------------------------------------------------------===//

LogicalResult SymbolImmutableMappingOp::verify() {
  if (getKeys().size() != getValues().size())
    return emitOpError("expected as many values as keys, but got ")
           << getValues().size() << " values and " << getKeys().size()
           << " keys";
  for (auto [i, key] : llvm::enumerate(getKeys()))
    if (!matchPattern(key, m_Constant()))
      return emitOpError("All keys expected to be constant operations; key #")
             << i << " is not";
  for (auto [i, value] : llvm::enumerate(getValues()))
    if (!value.getDefiningOp<CreateSymbolOp>())
      return emitOpError("Values in SymbolImmutableMapping should be results "
                         "of symbol.create_symbol; value #")
             << i << " is not";
  return success();
}

//===----------------------------------------------------------------------===//
// QueryMapOp
//===----------------------------------------------------------------------===//

SymbolImmutableMappingOp QueryMapOp::getMapping() {
  return getMap().getDefiningOp<SymbolImmutableMappingOp>();
}

LogicalResult QueryMapOp::verify() {
  if (!getMapping())
    return emitOpError("map's defOp must be symbol_immutable_mapping op.");
  if (auto argument = dyn_cast<BlockArgument>(getKey()))
    if (!isa_and_nonnull<LoopLikeOpInterface>(
            argument.getOwner()->getParentOp()))
      return emitOpError("key's parentOp must be a ForOp.");
  return success();
}

#define GET_OP_CLASSES
#include "ktir/Dialect/Symbol/SymbolOps.cpp.inc"
