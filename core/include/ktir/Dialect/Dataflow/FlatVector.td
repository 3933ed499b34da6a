//===- FlatVector.td - Operand constraint of unit programs -*- tablegen -*-===//
//
// The type constraint for the vectors that units exchange and compute on.
// Kept apart from the dialect so that other dialects can include it.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_DATAFLOW_FLATVECTOR_TD
#define KTIR_DIALECT_DATAFLOW_FLATVECTOR_TD

include "mlir/IR/OpBase.td"

def Dataflow_FlatVector
    : Type<CPred<"::ktir::dataflow::isFlatVector($_self)">,
           "rank-1 vector of fixed length or dataflow custom vector">;

// What takes part in lane computations as a single value.
def Dataflow_Scalar
    : Type<Or<[AnySignlessIntegerOrIndex.predicate, AnyFloat.predicate,
               CPred<"::ktir::dataflow::isCustomScalar($_self)">]>,
           "integer, index, float or dataflow custom scalar">;

#endif // KTIR_DIALECT_DATAFLOW_FLATVECTOR_TD
