//===- AgenInterfaces.td - What composite accesses share ---*- tablegen -*-===//

#ifndef KTIR_DIALECT_AGEN_AGENINTERFACES_TD
#define KTIR_DIALECT_AGEN_AGENINTERFACES_TD

include "mlir/IR/OpBase.td"

def Agen_CompositeAccessOpInterface
    : OpInterface<"CompositeAccessOpInterface"> {
  let cppNamespace = "::ktir::agen";
  let description = [{
    An access that moves one vector at every point of a set of time steps, in
    the order of a map.
  }];
  let methods = [
    InterfaceMethod<"The time steps; symbols are bound to the time symbols.",
                    "::mlir::IntegerSet", "getTimeSet">,
    InterfaceMethod<"Key by which the time steps are sorted.",
                    "::mlir::AffineMap", "getTimeOrder">,
    InterfaceMethod<"Values of the symbols of the time set and of the maps "
                    "from time steps to displacements.",
                    "::mlir::OperandRange", "getTimeSymbols">
  ];
}

#endif // KTIR_DIALECT_AGEN_AGENINTERFACES_TD
