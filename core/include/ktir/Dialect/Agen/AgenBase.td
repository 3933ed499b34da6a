//===- AgenBase.td - The agen dialect ----------------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_AGEN_AGENBASE_TD
#define KTIR_DIALECT_AGEN_AGENBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Agen_Dialect : Dialect {
  let name = "agen";
  let cppNamespace = "::ktir::agen";
  let summary = "address generation of load and store units";
  let description = [{
    An access names a view, an affine subscript in it where the access starts,
    a set of points relative to that start, and an order map that enumerates
    the points: lane k of a vector is the k-th point. Composite accesses have a
    second set and order of time steps, and a map from a time step to a
    displacement of the start; they move one vector at every step.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Agen_Direction : I32Enum<"Direction", "way round a ring", [
    I32EnumCase<"PseudoRandom", 0>,
    I32EnumCase<"CounterClockwise", 1>,
    I32EnumCase<"Clockwise", 2>,
    I32EnumCase<"BothWays", 3>
  ]> {
  let cppNamespace = "::ktir::agen";
}

def Agen_DirectionAttr : EnumAttr<Agen_Dialect, Agen_Direction, "direction"> {
  let summary = "routing hint of a transfer on a ring";
  let description = [{
    Has no effect on the result of a program.

    Example: `#agen<direction Clockwise>`
  }];
}

#endif // KTIR_DIALECT_AGEN_AGENBASE_TD
