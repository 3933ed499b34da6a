//===- SpyreOpOps.td - Operations of spyreop ---------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_SPYREOP_OPS_TD
#define KTIR_DIALECT_SPYREOP_OPS_TD

include "ktir/Dialect/SpyreOp/SpyreOpTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

// Diagnostics list the members in this order (spec SO-2, SO-5).
def SpyreOp_Float : AnyTypeOf<[F16, SpyreOp_DF16Type, F32]>;
def SpyreOp_HalfFloat : AnyTypeOf<[F16, SpyreOp_DF16Type]>;
def SpyreOp_Fused : AnyTypeOf<[SpyreOp_DF16FusedType, SpyreOp_FP16FusedType,
                               SpyreOp_FP32FusedType]>;

def SpyreOp_NonZero
    : AttrConstraint<
          CPred<"!::llvm::cast<::mlir::FloatAttr>($_self).getValue().isZero()">,
          "which is non-zero">;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class SpyreOp_Op<string mnemonic, list<Trait> traits = []>
    : Op<SpyreOp_Dialect, mnemonic, !listconcat([Pure], traits)>;

/// Sum or product of two integers; their type is fixed and not written.
class SpyreOp_IntegerOp<string mnemonic, Type type>
    : SpyreOp_Op<mnemonic, [Commutative, SameOperandsAndResultType]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

class SpyreOp_UnaryOp<string mnemonic, Type type>
    : SpyreOp_Op<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

/// Ops that turn moments into a factor, with the number that keeps them from
/// dividing by zero as a discardable attribute.
class SpyreOp_ScaleOp<string mnemonic, list<Trait> traits>
    : SpyreOp_Op<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What is added to the variance: the 32-bit value of the attribute `eps`,
    /// 1e-5 where there is none.
    ::llvm::APFloat getEpsilon();
  }];
}

//===----------------------------------------------------------------------===//
// Integers and addresses
//===----------------------------------------------------------------------===//

def SpyreOp_AddI32ToI32Op : SpyreOp_IntegerOp<"addi32toi32", I32> {
  let summary = "Sum of two 32-bit integers";
  let description = [{
    The sum modulo 2^32. Types are not written.

    ```mlir
    %s = spyreop.addi32toi32 %a, %b
    ```
  }];
}

def SpyreOp_AddI64ToI64Op : SpyreOp_IntegerOp<"addi64toi64", I64> {
  let summary = "Sum of two 64-bit integers";
  let description = [{
    The sum modulo 2^64. Types are not written.

    ```mlir
    %s = spyreop.addi64toi64 %a, %b
    ```
  }];
}

def SpyreOp_MulI32ToI32Op : SpyreOp_IntegerOp<"muli32toi32", I32> {
  let summary = "Low half of the product of two 32-bit integers";
  let description = [{
    The product modulo 2^32. Types are not written.

    ```mlir
    %p = spyreop.muli32toi32 %a, %b
    ```
  }];
}

def SpyreOp_Idx32ToAddrOp
    : SpyreOp_Op<"idx32toaddr", [SameOperandsAndResultType]> {
  let summary = "Address of an element with a given index";
  let description = [{
    `base + stride * index` modulo 2^32, all of type `i32`. Types are not
    written.

    ```mlir
    %p = spyreop.idx32toaddr %i base %b stride %s
    ```
  }];
  let arguments = (ins I32:$index, I32:$base, I32:$stride);
  let results = (outs I32:$address);
  let assemblyFormat = "$index `base` $base `stride` $stride attr-dict";
}

//===----------------------------------------------------------------------===//
// Functions of floats
//===----------------------------------------------------------------------===//

def SpyreOp_ConstantOp
    : SpyreOp_Op<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "A known float";
  let description = [{
    An `f16` or `f32`; there is no literal of a `!spyreop.df16`.

    ```mlir
    %c = spyreop.constant 2.5 : f16
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTypeOf<[F16, F32]>:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def SpyreOp_CompareOp : SpyreOp_Op<"compare", [SameOperandsAndResultType]> {
  let summary = "1.0 where a relation holds, else 0.0";
  let description = [{
    The device has no booleans: the result is a float of the operands' type,
    fit to be the condition of `spyreop.select`. If an operand is a NaN, it is
    0.0 for every predicate, `notequal` included.

    ```mlir
    %c = spyreop.compare <lesserequal> %a, %b : f16
    ```
  }];
  let arguments = (ins SpyreOp_ComparePredicateAttr:$predicate,
                       SpyreOp_Float:$lhs, SpyreOp_Float:$rhs);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = [{
    $predicate $lhs `,` $rhs attr-dict `:` type($result)
  }];
}

def SpyreOp_ExpOp : SpyreOp_UnaryOp<"exp", SpyreOp_Float> {
  let summary = "e to the power of a value";
  let description = [{
    ```mlir
    %y = spyreop.exp %x : f16
    ```
  }];
}

def SpyreOp_GeluOp : SpyreOp_UnaryOp<"gelu", SpyreOp_HalfFloat> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `x * phi(x)`, where `phi` is the distribution function of the standard
    normal distribution. This is the exact function and not its approximation
    by a hyperbolic tangent. 16-bit floats only.

    ```mlir
    %y = spyreop.gelu %x : f16
    ```
  }];
}

def SpyreOp_RealDivOp : SpyreOp_Op<"realdiv", [SameOperandsAndResultType]> {
  let summary = "Quotient of two floats";
  let description = [{
    `lhs / rhs`.

    ```mlir
    %q = spyreop.realdiv %a, %b : f32
    ```
  }];
  let arguments = (ins SpyreOp_Float:$lhs, SpyreOp_Float:$rhs);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def SpyreOp_ReciprocalOp : SpyreOp_UnaryOp<"reciprocal", SpyreOp_Float> {
  let summary = "1 divided by a value";
  let description = [{
    ```mlir
    %y = spyreop.reciprocal %x : !spyreop.df16
    ```
  }];
}

def SpyreOp_RsqrtOp : SpyreOp_UnaryOp<"rsqrt", SpyreOp_Float> {
  let summary = "1 divided by the square root of a value";
  let description = [{
    ```mlir
    %y = spyreop.rsqrt %x : f32
    ```
  }];
}

def SpyreOp_SelectOp : SpyreOp_Op<"select", [SameOperandsAndResultType]> {
  let summary = "One of two values";
  let description = [{
    `true_value` unless the condition, a float, is zero; then `false_value`. A
    NaN is not zero.

    ```mlir
    %m = spyreop.select %c, %a, %b : f16
    ```
  }];
  let arguments = (ins SpyreOp_Float:$condition, SpyreOp_Float:$true_value,
                       SpyreOp_Float:$false_value);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = [{
    $condition `,` $true_value `,` $false_value attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

def SpyreOp_SigmoidOp : SpyreOp_UnaryOp<"sigmoid", SpyreOp_Float> {
  let summary = "Logistic function";
  let description = [{
    `1 / (1 + exp(-x))`.

    ```mlir
    %y = spyreop.sigmoid %x : f16
    ```
  }];
}

def SpyreOp_SiluOp : SpyreOp_UnaryOp<"silu", SpyreOp_Float> {
  let summary = "Sigmoid linear unit";
  let description = [{
    `x / (1 + exp(-x))`.

    ```mlir
    %y = spyreop.silu %x : f16
    ```
  }];
}

def SpyreOp_SoftplusOp
    : SpyreOp_Op<"softplus", [SameOperandsAndResultType]> {
  let summary = "Smooth approximation of max(x, 0)";
  let description = [{
    `log(1 + exp(beta * x)) / beta`, or `x` where `beta * x > threshold`. The
    two numbers are 32-bit floats, written without their type; `beta` is not
    zero. 16-bit floats only.

    ```mlir
    %y = spyreop.softplus %x beta 1.0 threshold 20.0 : f16
    ```
  }];
  let arguments = (ins SpyreOp_HalfFloat:$input,
                       ConfinedAttr<F32Attr, [SpyreOp_NonZero]>:$beta,
                       F32Attr:$threshold);
  let results = (outs SpyreOp_HalfFloat:$result);
  let assemblyFormat = [{
    $input `beta` $beta `threshold` $threshold attr-dict `:` type($result)
  }];
}

def SpyreOp_SqrtOp : SpyreOp_UnaryOp<"sqrt", SpyreOp_Float> {
  let summary = "Square root";
  let description = [{
    ```mlir
    %y = spyreop.sqrt %x : f32
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

def SpyreOp_Exx2Op : SpyreOp_Op<"exx2", [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Mean, and mean of squares";
  let description = [{
    Stands in the body of a reducing `linalg.generic` that feeds it the
    element, ignores the accumulator and yields the results. These are the
    means over all elements along the reduced dimension, which stays in the
    shape: alone among the ops of the dialect, `exx2` is no function of its
    operand.

    ```mlir
    %m, %q = spyreop.exx2 %x : f16
    ```
  }];
  let arguments = (ins SpyreOp_Float:$input);
  let results = (outs SpyreOp_Float:$mean, SpyreOp_Float:$squares);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def SpyreOp_Exx2FusedOp : SpyreOp_Op<"exx2_fused", [InferTypeOpAdaptor]> {
  let summary = "Mean and mean of squares as one value";
  let description = [{
    As `spyreop.exx2`, with a pair of the operand's type for a result.

    ```mlir
    %p = spyreop.exx2_fused %x : f16 -> !spyreop.fp16_fused
    ```
  }];
  let arguments = (ins SpyreOp_Float:$input);
  let results = (outs SpyreOp_Fused:$moments);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `->` type($moments)
  }];
}

def SpyreOp_LayerNormNormOp
    : SpyreOp_Op<"layernormnorm", [SameOperandsAndResultType]> {
  let summary = "Normalised, weighted and shifted value";
  let description = [{
    `(x - m) * scale * weight + bias`. `squares` comes from `spyreop.exx2` or
    `spyreop.exx2_fused`, and `m` is the mean of the same pair; where it comes
    from elsewhere, it is taken for the mean.

    ```mlir
    %y = spyreop.layernormnorm %x squares %q scale %s weight %w bias %b : f16
    ```
  }];
  let arguments = (ins SpyreOp_Float:$input, SpyreOp_Float:$squares,
                       SpyreOp_Float:$scale, SpyreOp_Float:$weight,
                       SpyreOp_Float:$bias);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = [{
    $input `squares` $squares `scale` $scale `weight` $weight `bias` $bias
    attr-dict `:` type($result)
  }];
}

def SpyreOp_LayerNormScaleOp
    : SpyreOp_ScaleOp<"layernormscale", [SameOperandsAndResultType]> {
  let summary = "Reciprocal of the standard deviation";
  let description = [{
    `1 / sqrt(q - m * m + eps)` for a mean `m` and a mean of squares `q`. The
    optional attribute `eps` is a 32-bit float, by default 1e-5.

    ```mlir
    %s = spyreop.layernormscale %m squares %q : f16
    %t = spyreop.layernormscale %m squares %q {eps = 1.0e-3 : f32} : f16
    ```
  }];
  let arguments = (ins SpyreOp_Float:$mean, SpyreOp_Float:$squares);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = [{
    $mean `squares` $squares attr-dict `:` type($result)
  }];
}

def SpyreOp_LayerNormScaleFusedOp
    : SpyreOp_ScaleOp<"layernormscale_fused", [InferTypeOpAdaptor]> {
  let summary = "Reciprocal of the standard deviation, from a pair";
  let description = [{
    As `spyreop.layernormscale`, with a pair for the mean and the mean of
    squares. The result is of the type of one of them.

    ```mlir
    %s = spyreop.layernormscale_fused %p : !spyreop.fp32_fused -> f32
    ```
  }];
  let arguments = (ins SpyreOp_Fused:$moments);
  let results = (outs SpyreOp_Float:$result);
  let assemblyFormat = [{
    $moments attr-dict `:` type($moments) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Reduction within a stick
//===----------------------------------------------------------------------===//

def SpyreOp_SliceReductionOp
    : SpyreOp_Op<"slice_reduction", [SameOperandsAndResultType]> {
  let summary = "Reduction within a stick";
  let description = [{
    The innermost dimension is a stick of 64 elements of 16 bits, seen as 8
    slices of 8 lanes. Scope `in_slice` puts the reduction of each slice in the
    first lane of that slice. Scope `across_slice` puts the reduction of lane
    *j* of all slices in lane *j* of the first slice. All other lanes are
    unspecified.

    ```mlir
    %r = spyreop.slice_reduction %x
           {reduction_kind = #spyreop.reduction_kind<max>,
            reduction_scope = #spyreop.reduction_scope<in_slice>}
         : tensor<64xf16> -> tensor<64xf16>
    ```
  }];
  let arguments = (ins RankedTensorOf<[F16, SpyreOp_DF16Type]>:$input,
                       SpyreOp_ReductionKindAttr:$reduction_kind,
                       SpyreOp_ReductionScopeAttr:$reduction_scope);
  let results = (outs RankedTensorOf<[F16, SpyreOp_DF16Type]>:$result);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of a stick, and of a slice of it.
    static constexpr int64_t kStickSize = 64;
    static constexpr int64_t kSliceSize = 8;
  }];
}

#endif // KTIR_DIALECT_SPYREOP_OPS_TD
