//===- VectorChainOps.td - Operations on vectors -----------*- tablegen -*-===//

#ifndef KTIR_DIALECT_VECTORCHAIN_VECTORCHAINOPS_TD
#define KTIR_DIALECT_VECTORCHAIN_VECTORCHAINOPS_TD

include "ktir/Dialect/Dataflow/FlatVector.td"
include "ktir/Dialect/VectorChain/VectorChainBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class VectorChain_Op<string mnemonic, list<Trait> traits = []>
    : Op<VectorChain_Dialect, mnemonic, !listconcat(traits, [Pure])>;

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

def VectorChain_BinaryOp : VectorChain_Op<"binary"> {
  let summary = "function of two vectors, lane by lane";
  let description = [{
    `op_specific_map` is the one-dimensional identity (spec V-3).

    Example:

    ```mlir
    %r = vectorchain.binary %x, %y
      {binary_op = #vectorchain<binary_operator add>,
       op_specific_map = affine_map<(d0) -> (d0)>}
      : vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Optional<Dataflow_FlatVector>:$mask,
                       VectorChain_BinaryOperatorAttr:$binary_op,
                       AffineMapAttr:$op_specific_map);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($result)
  }];
  let builders = [
    // Identity map, no mask, result of the type of `lhs`.
    OpBuilder<(ins "VectorChainBinaryOperator":$op, "::mlir::Value":$lhs,
                   "::mlir::Value":$rhs)>
  ];
  let hasVerifier = 1;
}

def VectorChain_MultiplyOp : VectorChain_Op<"multiply"> {
  let summary = "product of two vectors, with sums over groups of lanes";
  let description = [{
    `reduction_map` sends a lane of the product to the lane of the result that
    it is added to (spec V-4).

    Example:

    ```mlir
    %r = vectorchain.multiply %a, %b
      {reduction_map = affine_map<(d0) -> (d0 floordiv 8)>}
      : vector<64xf16>, vector<64xf16>, vector<8xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Optional<Dataflow_FlatVector>:$mask,
                       AffineMapAttr:$reduction_map);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_MultiplyAndAccumulateOp
    : VectorChain_Op<"multiply_and_accumulate"> {
  let summary = "multiply and add to a vector";
  let description = [{
    `acc` plus the product of `lhs` and `rhs`, reduced as in `multiply`.

    Example:

    ```mlir
    %r = vectorchain.multiply_and_accumulate %a, %b, %c
      {reduction_map = affine_map<(d0) -> (d0 floordiv 8)>}
      : vector<512xf16>, vector<512xf16>, vector<64xf32>, vector<64xf32>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Dataflow_FlatVector:$acc,
                       Optional<Dataflow_FlatVector>:$mask,
                       AffineMapAttr:$reduction_map);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_ElementWiseCompareOp : VectorChain_Op<"element_wise_compare"> {
  let summary = "1 where a relation holds, else 0";
  let description = [{
    Example:

    ```mlir
    %c = vectorchain.element_wise_compare %x, %y
      {compare_op = #vectorchain<element_wise_compare_operator compare_lt>}
      : vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Optional<Dataflow_FlatVector>:$mask,
                       VectorChain_CompareOperatorAttr:$compare_op);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_ElementWiseSelectionOp
    : VectorChain_Op<"element_wise_selection"> {
  let summary = "choice between two vectors, lane by lane";
  let description = [{
    The lane of `true_value` where `condition` is not zero, else that of
    `false_value`.

    Example:

    ```mlir
    %e = vectorchain.element_wise_selection %c ? %x : %y
      : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$condition,
                       Dataflow_FlatVector:$true_value,
                       Dataflow_FlatVector:$false_value,
                       Optional<Dataflow_FlatVector>:$mask);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $condition `?` $true_value `:` $false_value
    (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($condition) `,` type($true_value) `,` type($false_value) `,`
    type($result)
  }];
  let hasVerifier = 1;
}

class VectorChain_UnaryOp<string mnemonic, dag attributes = (ins)>
    : VectorChain_Op<mnemonic> {
  let arguments = !con((ins Dataflow_FlatVector:$input,
                            Optional<Dataflow_FlatVector>:$mask), attributes);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $input (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($input) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_CastOp : VectorChain_UnaryOp<"cast"> {
  let summary = "conversion to another element type";
  let description = [{
    Example: `%h = vectorchain.cast %x : vector<64xf16>, vector<64xf32>`
  }];
}

def VectorChain_NegOp : VectorChain_UnaryOp<"neg"> {
  let summary = "negation";
  let description = [{
    Example: `%r = vectorchain.neg %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_FloorOp : VectorChain_UnaryOp<"floor"> {
  let summary = "largest integer not above each lane";
  let description = [{
    Example: `%r = vectorchain.floor %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_FastExpOp : VectorChain_UnaryOp<"fast_exp"> {
  let summary = "exponential";
  let description = [{
    Example: `%r = vectorchain.fast_exp %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_RecEstimateOp : VectorChain_UnaryOp<"rec_estimate"> {
  let summary = "reciprocal";
  let description = [{
    Example: `%r = vectorchain.rec_estimate %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_LnEstimateOp : VectorChain_UnaryOp<"ln_estimate"> {
  let summary = "natural logarithm";
  let description = [{
    Example: `%r = vectorchain.ln_estimate %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_RsqrtEstimateOp : VectorChain_UnaryOp<"rsqrt_estimate"> {
  let summary = "reciprocal of the square root";
  let description = [{
    Example:
    `%r = vectorchain.rsqrt_estimate %x : vector<64xf16>, vector<64xf16>`
  }];
}

def VectorChain_ExpEstimateOp
    : VectorChain_UnaryOp<"exp_estimate",
                          (ins VectorChain_ExpEstimateVersionAttr:$version)> {
  let summary = "table-driven step of an exponential";
  let description = [{
    The table is that of the hardware and not known here.

    Example:

    ```mlir
    %r = vectorchain.exp_estimate %x {version = #vectorchain<exp_estimate a>}
      : vector<64xf16>, vector<64xf16>
    ```
  }];
}

def VectorChain_SigmoidEstimateOp
    : VectorChain_UnaryOp<"sigmoid_estimate",
                          (ins VectorChain_EstimateVersionAttr:$version)> {
  let summary = "table-driven step of a logistic function";
  let description = [{
    The table is that of the hardware and not known here.

    Example:

    ```mlir
    %r = vectorchain.sigmoid_estimate %x
      {version = #vectorchain<estimate_versions slope>}
      : vector<64xf16>, vector<64xf16>
    ```
  }];
}

def VectorChain_TanhEstimateOp
    : VectorChain_UnaryOp<"tanh_estimate",
                          (ins VectorChain_EstimateVersionAttr:$version)> {
  let summary = "table-driven step of a hyperbolic tangent";
  let description = [{
    The table is that of the hardware and not known here.

    Example:

    ```mlir
    %r = vectorchain.tanh_estimate %x
      {version = #vectorchain<estimate_versions offset>}
      : vector<64xf16>, vector<64xf16>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Across lanes
//===----------------------------------------------------------------------===//

def VectorChain_SelectOp : VectorChain_Op<"select"> {
  let summary = "lanes of a vector by an affine map";
  let description = [{
    Lane j of the result is lane `selection_map(j)` of the input.

    Example:

    ```mlir
    %r = vectorchain.select %x {selection_map = affine_map<(d0) -> (d0 * 2)>}
      : vector<64xf16>, vector<32xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$input,
                       Optional<Dataflow_FlatVector>:$mask,
                       AffineMapAttr:$selection_map);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $input (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($input) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_MergeOp : VectorChain_Op<"merge"> {
  let summary = "lanes of two vectors, placed by affine maps";
  let description = [{
    For each point p of `iteration_space_CA`, lane `access_function_CA(p)` of
    the result is lane `access_function_A(p)` of `lhs`; likewise CB, B and
    `rhs`.

    Example:

    ```mlir
    %r = vectorchain.merge %x, %y {
      access_function_A = #id, access_function_B = #id,
      access_function_CA = affine_map<(d0) -> (d0 * 2)>,
      access_function_CB = affine_map<(d0) -> (d0 * 2 + 1)>,
      iteration_space_CA = #lanes, iteration_space_CB = #lanes}
      : vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Optional<Dataflow_FlatVector>:$mask,
                       IntegerSetAttr:$iteration_space_CA,
                       AffineMapAttr:$access_function_CA,
                       AffineMapAttr:$access_function_A,
                       IntegerSetAttr:$iteration_space_CB,
                       AffineMapAttr:$access_function_CB,
                       AffineMapAttr:$access_function_B);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_CreateAffineMaskOp : VectorChain_Op<"create_affine_mask"> {
  let summary = "mask of the lanes in a set";
  let description = [{
    Lane i is 1 iff i is in `mask_set`, whose symbol, if it has one, is `bound`.

    Example:

    ```mlir
    %m = vectorchain.create_affine_mask %n
      {mask_set = affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>} : vector<64xi1>
    ```
  }];
  let arguments = (ins Optional<Index>:$bound, IntegerSetAttr:$mask_set);
  let results = (outs VectorOfRankAndType<[1], [I1]>:$result);
  let assemblyFormat = "($bound^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def VectorChain_PackOp : VectorChain_Op<"pack"> {
  let summary = "lanes of two vectors by a repeated list";
  let description = [{
    Lane k of the result is lane `indices[k mod n]` of the two inputs in a row,
    n being the number of indices.

    Example:

    ```mlir
    %r = vectorchain.pack %x, %y
      {indices = [0 : i32, 64 : i32], repetition = 32 : index}
      : vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$lhs, Dataflow_FlatVector:$rhs,
                       Optional<Dataflow_FlatVector>:$mask,
                       ArrayAttr:$indices, IndexAttr:$repetition,
                       DefaultValuedAttr<BoolAttr, "false">:$sign_extend);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_ShuffleOp
    : VectorChain_Op<"shuffle", [AttrSizedOperandSegments]> {
  let summary = "lanes of a vector and scalars by a repeated list";
  let description = [{
    With n indices, lane k of the result is chosen by `indices[k mod n]`: a
    lane of `input` if it is not negative, else scalar `-index - 1` of the
    variables followed by the pads (spec V-5). A splat is `indices = [0]` with
    as many repetitions as lanes.

    Example:

    ```mlir
    %s = vectorchain.shuffle input(%one) {indices = [0 : i32],
      repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
    %z = vectorchain.shuffle input(%two), pad(%zero)
      {indices = [0 : i32, 1 : i32, -1 : i32, -1 : i32], repetition = 1 : i32}
      : vector<2xf16>, f16, vector<4xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$input, Variadic<AnyType>:$variables,
                       Variadic<AnyType>:$pads,
                       Optional<Dataflow_FlatVector>:$mask,
                       ArrayAttr:$indices, I32Attr:$repetition);
  let results = (outs Dataflow_FlatVector:$result);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    // Splat of the only lane of `input` to `lanes` lanes.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$lanes)>
  ];
  let extraClassDeclaration = [{
    /// Number of entries of the index list.
    unsigned getNumIndices() { return getIndices().size(); }
    /// Entry `i` of the index list.
    int64_t getIndex(unsigned i) {
      return ::llvm::cast<::mlir::IntegerAttr>(getIndices()[i])
          .getValue().getSExtValue();
    }
    /// Scalar operand `i` of the variables followed by the pads.
    ::mlir::Value getScalar(unsigned i) {
      return i < getVariables().size() ? getVariables()[i]
                                       : getPads()[i - getVariables().size()];
    }
  }];
  let hasVerifier = 1;
}

def VectorChain_RotateOp : VectorChain_Op<"rotate"> {
  let summary = "lanes of a vector, turned round";
  let description = [{
    To the right, lane i of the input becomes lane `(i + position) mod n`; to
    the left, lane `(i - position) mod n`.

    Example:

    ```mlir
    %o = vectorchain.rotate %x, %c8 {right_shift = false}
      : vector<64xf16>, index, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$input, Index:$position,
                       Optional<Dataflow_FlatVector>:$mask,
                       DefaultValuedAttr<BoolAttr, "true">:$right_shift);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $input `,` $position (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($input) `,` type($position) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorChain_ScanWithGapOp : VectorChain_Op<"scan_with_gap"> {
  let summary = "running reduction over every gap-th lane";
  let description = [{
    From left to right, lane i is the reduction of lanes i, i - gap,
    i - 2 gap, ... of the input; from right to left, of i, i + gap, ...

    Example:

    ```mlir
    %p = vectorchain.scan_with_gap %x
      {eval_order = #vectorchain<eval_order left_to_right>, gap = 1 : index,
       reduction_op = #vectorchain<binary_operator add>}
      : vector<64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$input,
                       Optional<Dataflow_FlatVector>:$mask,
                       VectorChain_BinaryOperatorAttr:$reduction_op,
                       IndexAttr:$gap, VectorChain_EvalOrderAttr:$eval_order);
  let results = (outs Dataflow_FlatVector:$result);
  let assemblyFormat = [{
    $input (` ` `[` $mask^ `:` type($mask) `]`)? attr-dict
    `:` type($input) `,` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def VectorChain_ConstantBitstreamOp : VectorChain_Op<"constant_bitstream"> {
  let summary = "constant vector, given by the bits of its lanes";
  let description = [{
    `value` has one integer per lane, its bit pattern. With `is_symbol` the
    integers are ids of symbols whose values are the lanes (spec V-6).

    Example:

    ```mlir
    %c = vectorchain.constant_bitstream {value = [0x3c00, 0x0]} : vector<2xf16>
    ```
  }];
  let arguments = (ins ArrayAttr:$value,
                       DefaultValuedAttr<BoolAttr, "false">:$is_symbol);
  let results = (outs Dataflow_FlatVector:$result);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    // A bit pattern for each lane of `type`.
    OpBuilder<(ins "::mlir::Type":$type, "::llvm::ArrayRef<uint64_t>":$bits)>
  ];
  let extraClassDeclaration = [{
    /// Number of lanes.
    unsigned getNumLanes() { return getValue().size(); }
    /// Bit pattern of lane `i`, zero above the element's width; a symbol id,
    /// sign-extended, if `is_symbol` is set.
    uint64_t getLaneBits(unsigned i) {
      return ::llvm::cast<::mlir::IntegerAttr>(getValue()[i])
          .getValue().getSExtValue();
    }
  }];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_VECTORCHAIN_VECTORCHAINOPS_TD
