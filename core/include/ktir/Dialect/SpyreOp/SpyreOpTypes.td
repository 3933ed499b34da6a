//===- SpyreOpTypes.td - Types and attributes of spyreop ---*- tablegen -*-===//

#ifndef KTIR_DIALECT_SPYREOP_TYPES_TD
#define KTIR_DIALECT_SPYREOP_TYPES_TD

include "ktir/Dialect/SpyreOp/SpyreOpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// A type without parameters whose values lie in memories and vectors. The
/// summary also names the type in diagnostics.
class SpyreOp_Type<string name, string typeMnemonic, string typeSummary>
    : TypeDef<SpyreOp_Dialect, name,
              [MemRefElementTypeInterface, VectorElementTypeInterface]> {
  let mnemonic = typeMnemonic;
  let summary = typeSummary;
}

// No FloatTypeInterface: it wants semantics that APFloat knows, and APFloat
// knows no format of this exponent and fraction. Those of IEEE half would let
// `arith` fold constants to values that the device does not compute.
def SpyreOp_DF16Type : SpyreOp_Type<"DF16", "df16", "IBM df16 float"> {
  let description = [{
    The 16-bit float format of the device, also called DL16: a sign, 6 bits of
    exponent with bias 31 and 9 bits of fraction. It has no subnormals, and one
    code stands for infinities and NaN alike.

    ```mlir
    !spyreop.df16
    tensor<64x!spyreop.df16>
    ```
  }];
}

def SpyreOp_DF16FusedType
    : SpyreOp_Type<"DF16Fused", "df16_fused",
                   "A pair of df16 floats held as one value"> {
  let description = [{
    A mean and a mean of squares, in this order, each a `!spyreop.df16`.

    ```mlir
    !spyreop.df16_fused
    ```
  }];
}

def SpyreOp_FP16FusedType
    : SpyreOp_Type<"FP16Fused", "fp16_fused",
                   "A pair of 16-bit floats held as one value"> {
  let description = [{
    A mean and a mean of squares, in this order, each an `f16`.

    ```mlir
    !spyreop.fp16_fused
    ```
  }];
}

def SpyreOp_FP32FusedType
    : SpyreOp_Type<"FP32Fused", "fp32_fused",
                   "A pair of 32-bit floats held as one value"> {
  let description = [{
    A mean and a mean of squares, in this order, each an `f32`.

    ```mlir
    !spyreop.fp32_fused
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class SpyreOp_I32Enum<string name, string enumSummary, list<EnumCase> cases>
    : I32Enum<name, enumSummary, cases> {
  let cppNamespace = "::ktir::spyreop";
}

class SpyreOp_EnumAttr<EnumInfo info, string attrMnemonic, string text>
    : EnumAttr<SpyreOp_Dialect, info, attrMnemonic> {
  let description = text;
  let assemblyFormat = "`<` $value `>`";
}

def SpyreOp_ReductionKind
    : SpyreOp_I32Enum<"ReductionKind", "reduction kind", [
    I32EnumCase<"Add", 0, "add">,
    I32EnumCase<"Sub", 1, "sub">,
    I32EnumCase<"Max", 2, "max">,
    I32EnumCase<"Min", 3, "min">,
    I32EnumCase<"Mul", 4, "mul">,
    I32EnumCase<"AbsMax", 5, "abs_max">
  ]>;
def SpyreOp_ReductionKindAttr
    : SpyreOp_EnumAttr<SpyreOp_ReductionKind, "reduction_kind", [{
    What a reduction combines two values with. `sub` subtracts all others from
    the first lane, in ascending order; `abs_max` is the larger magnitude.

    ```mlir
    #spyreop.reduction_kind<abs_max>
    ```
  }]>;

def SpyreOp_ReductionScope
    : SpyreOp_I32Enum<"ReductionScope", "reduction scope", [
    I32EnumCase<"InSlice", 0, "in_slice">,
    I32EnumCase<"AcrossSlice", 1, "across_slice">
  ]>;
def SpyreOp_ReductionScopeAttr
    : SpyreOp_EnumAttr<SpyreOp_ReductionScope, "reduction_scope", [{
    Which lanes of a stick a reduction combines: the 8 lanes of each slice, or
    the lanes of one number in the 8 slices.

    ```mlir
    #spyreop.reduction_scope<in_slice>
    ```
  }]>;

def SpyreOp_ComparePredicate
    : SpyreOp_I32Enum<"ComparePredicate", "compare predicate", [
    I32EnumCase<"Equal", 0, "equal">,
    I32EnumCase<"NotEqual", 1, "notequal">,
    I32EnumCase<"GreaterThan", 2, "greaterthan">,
    I32EnumCase<"GreaterEqual", 3, "greaterequal">,
    I32EnumCase<"LesserThan", 4, "lesserthan">,
    I32EnumCase<"LesserEqual", 5, "lesserequal">
  ]>;
def SpyreOp_ComparePredicateAttr
    : SpyreOp_EnumAttr<SpyreOp_ComparePredicate, "compare_predicate", [{
    A relation between two floats. All are ordered: none holds for a NaN, not
    even `notequal`.

    ```mlir
    #spyreop.compare_predicate<greaterthan>
    ```
  }]>;

#endif // KTIR_DIALECT_SPYREOP_TYPES_TD
