//===- KtdfOps.td - Operations of the ktdf dialect ---------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDF_KTDFOPS_TD
#define KTIR_DIALECT_KTDF_KTDFOPS_TD

include "ktir/Dialect/Ktdf/KtdfBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ktdf_Op<string mnemonic, list<Trait> traits = []>
    : Op<KtdfDialect, mnemonic, traits>;

def Ktdf_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
    "ranked tensor or memref">;
def Ktdf_MemRefOrSlot : AnyTypeOf<[AnyMemRef, Ktdf_FifoSlotType],
    "memref or FIFO slot">;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def Ktdf_CreateTokenOp : Ktdf_Op<"create_token"> {
  let summary = "creates an ordering token";
  let description = [{
    Each execution makes a token of its own, so two of these ops are never
    merged (K-6): the result is an allocation for the purpose of side effects.
    `unique_id` keeps tokens of other tools apart in the generic form; it has no
    meaning here.

    Example:

    ```mlir
    %t = ktdf.create_token : !ktdf.token
    ```
  }];
  let arguments = (ins OptionalAttr<IndexAttr>:$unique_id);
  let results = (outs Res<Ktdf_TokenType, "", [MemAlloc]>:$token);
  let assemblyFormat = "attr-dict `:` type($token)";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, TokenType::get($_builder.getContext()),
          /*unique_id=*/nullptr);
  }]>];
}

//===----------------------------------------------------------------------===//
// FIFO
//===----------------------------------------------------------------------===//

def Ktdf_FifoAllocateOp : Ktdf_Op<"fifo.allocate"> {
  let summary = "allocates the slots of an ordered channel";
  let description = [{
    The slots of one allocation form a cyclic pattern in result order: a slot
    receives exactly its size before the next is used, and after the last the
    pattern restarts (K-3). The operands are the sizes of the `?` slots, in
    result order (K-1). Inside a loop every iteration makes fresh slots (K-4).
    An allocation whose slots are unused is dead.

    Example:

    ```mlir
    %a, %b = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>,
                                       !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<Variadic<Ktdf_FifoSlotType>, "", [MemAlloc]>:$slots);
  let assemblyFormat = "`(` $sizes `)` attr-dict `->` type($slots)";
  let builders = [OpBuilder<(ins "FifoSlotType":$slot), [{
    build($_builder, $_state, ::mlir::TypeRange{slot}, ::mlir::ValueRange{});
  }]>];
  let hasVerifier = 1;
}

def Ktdf_ReadFromFifoOp : Ktdf_Op<"read_from_fifo",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "pops one message off a FIFO slot";
  let description = [{
    Refills the result row-major from the slot's elements (K-5). A memref result
    is a buffer of the enclosing scope without an address. Element types agree,
    both sides are static or both dynamic, and static element counts agree
    (K-2).

    Example:

    ```mlir
    %v = ktdf.read_from_fifo %s : <"L1LU" -> "SFU", 64xf16> -> tensor<8x8xf16>
    ```
  }];
  let arguments = (ins Ktdf_FifoSlotType:$slot);
  let results = (outs Ktdf_TensorOrMemRef:$data);
  let assemblyFormat = [{
    $slot attr-dict `:` custom<SlotType>(type($slot)) `->` type($data)
  }];
  let hasVerifier = 1;
}

def Ktdf_WriteToFifoOp : Ktdf_Op<"write_to_fifo",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "pushes one message into a FIFO slot";
  let description = [{
    Flattens the data row-major into the slot (K-5), under the same type rules
    as `ktdf.read_from_fifo` (K-2).

    Example:

    ```mlir
    ktdf.write_to_fifo %v, %s : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
    ```
  }];
  let arguments = (ins Ktdf_TensorOrMemRef:$data, Ktdf_FifoSlotType:$slot);
  let assemblyFormat = [{
    $data `,` $slot attr-dict `:` type($data) `,` custom<SlotType>(type($slot))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tile sizes
//===----------------------------------------------------------------------===//

def Ktdf_TilingReserveSizeOp : Ktdf_Op<"tiling.reserve_size"> {
  let summary = "stands for a tile size that is not chosen yet";
  let description = [{
    A positive multiple of `divisibility` that is at least `min_value`, chosen
    later. Any legal choice computes the same result; run unresolved, the value
    is `min_value` (K-10). Like a token it has an identity and is never merged
    with an equal op (K-6).

    Example:

    ```mlir
    %ts = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
    ```
  }];
  let arguments = (ins IndexAttr:$min_value, IndexAttr:$divisibility,
                       OptionalAttr<IndexAttr>:$unique_id);
  let results = (outs Res<Index, "", [MemAlloc]>:$size);
  let assemblyFormat = "attr-dict `:` type($size)";
  let builders = [OpBuilder<(ins "int64_t":$minValue, "int64_t":$divisibility),
  [{
    build($_builder, $_state, $_builder.getIndexType(),
          $_builder.getIndexAttr(minValue),
          $_builder.getIndexAttr(divisibility), /*unique_id=*/nullptr);
  }]>];
  let hasVerifier = 1;
}

def Ktdf_TilingDeriveSizeOp : Ktdf_Op<"tiling.derive_size",
    [Pure, SameVariadicOperandSize]> {
  let summary = "size of the current tile of a tiled dimension";
  let description = [{
    With the pairs `[index : tile size]` outermost first, starts from
    `total_size` and for each pair keeps what is left for the tile at that
    index: `r = max(min(tile, r - index * tile), 0)` (K-8). Zero is legal: the
    loop over the tile does not run. At least one pair (K-7).

    Example:

    ```mlir
    // total 10, tiles of 4: 4, 4, 2
    %size = ktdf.tiling.derive_size [%t : %ts], total_size = %n : index
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, Variadic<Index>:$tile_sizes,
                       Index:$total_size);
  let results = (outs Index:$size);
  let assemblyFormat = [{
    custom<IndexPairsAndTotal>($indices, $tile_sizes, $total_size)
    attr-dict `:` type($size)
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$indices,
                                 "::mlir::ValueRange":$tileSizes,
                                 "::mlir::Value":$totalSize), [{
    build($_builder, $_state, $_builder.getIndexType(), indices, tileSizes,
          totalSize);
  }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ktdf_TilingLinearizeIndexOp : Ktdf_Op<"tiling.linearize_index",
    [Pure, SameVariadicOperandSize]> {
  let summary = "sum of the products of index and stride";
  let description = [{
    The position in the untiled dimension (K-9). At least one pair (K-7).

    Example:

    ```mlir
    %i = ktdf.tiling.linearize_index [%t : %ts], [%p : %c1] : index
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, Variadic<Index>:$strides);
  let results = (outs Index:$index);
  let assemblyFormat = [{
    custom<IndexPairs>($indices, $strides) attr-dict `:` type($index)
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$indices,
                                 "::mlir::ValueRange":$strides), [{
    build($_builder, $_state, $_builder.getIndexType(), indices, strides);
  }]>];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def Ktdf_PipelineOp : Ktdf_Op<"pipeline",
    [NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "stages that may overlap as far as their tokens allow";
  let description = [{
    Holds at most one `ktdf.private` and any number of `ktdf.stage` (K-11). One
    execution runs the private region, then every stage once in an order that
    the tokens allow (K-31). `modulo(size: N)` says that the resources rotate
    over N executions; it does not change what is computed.

    Example:

    ```mlir
    ktdf.pipeline modulo(size: 2) {
      ktdf.stage depends_in(none) depends_out(none) {
      }
    }
    ```
  }];
  let arguments = (ins
      OptionalAttr<ConfinedAttr<I64Attr, [IntMinValue<1>]>>:$modulo);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`modulo` `(` `size` `:` $modulo^ `)`)? $body attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    // Leaves an empty body, in which ops are then inserted.
    OpBuilder<(ins CArg<"std::optional<int64_t>", "std::nullopt">:$modulo)>
  ];
  let extraClassDeclaration = [{
    /// The private region's op, or null.
    PrivateOp getPrivateOp();
    /// The stages in text order.
    ::llvm::iterator_range<::mlir::Block::op_iterator<StageOp>> getStages() {
      return getBody().front().getOps<StageOp>();
    }
  }];
  let hasVerifier = 1;
}

def Ktdf_StageOp : Ktdf_Op<"stage",
    [AttrSizedOperandSegments, HasParent<"PipelineOp">, NoRegionArguments,
     NoTerminator, SingleBlock]> {
  let summary = "a step of a pipeline";
  let description = [{
    Runs after every stage whose `depends_out` holds a token of its
    `depends_in` (K-15). The tokens come from `ktdf.create_token`, directly or
    as a result of the private region (K-13). `applicable_units` lists the unit
    kinds that execute the stage together; a leaf stage whose paths are expanded
    has exactly one.

    A stage is never removed for lack of side effects: it links the stages
    before and after it.

    Example:

    ```mlir
    ktdf.stage depends_in(%t0) depends_out(none) {
      ktdf.data_transfer from %s to %b[%i] size [64]
          : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<128xf16, "LX">
    } {applicable_units = ["L1SU"]}
    ```
  }];
  let arguments = (ins Variadic<Ktdf_TokenType>:$depends_in,
                       Variadic<Ktdf_TokenType>:$depends_out,
                       OptionalAttr<StrArrayAttr>:$applicable_units);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `depends_in` `(` custom<TokenList>($depends_in) `)`
    `depends_out` `(` custom<TokenList>($depends_out) `)` $body attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    // Leaves an empty body. No units leave `applicable_units` absent.
    OpBuilder<(ins "::mlir::ValueRange":$dependsIn,
                   "::mlir::ValueRange":$dependsOut,
                   CArg<"::llvm::ArrayRef<::llvm::StringRef>", "{}">:$units)>
  ];
  let extraClassDeclaration = [{
    /// The kinds named by `applicable_units`; empty when absent.
    ::llvm::SmallVector<::llvm::StringRef> getUnitKinds();
    /// The only applicable unit kind, or nullopt for none or several.
    std::optional<::llvm::StringRef> getUnitKind();
    /// Replaces `applicable_units`; none removes it.
    void setUnitKinds(::llvm::ArrayRef<::llvm::StringRef> kinds);
  }];
  let hasVerifier = 1;
}

def Ktdf_PrivateOp : Ktdf_Op<"private",
    [HasParent<"PipelineOp">, NoRegionArguments,
     SingleBlockImplicitTerminator<"PrivateYieldOp">]> {
  let summary = "resources of one execution of a pipeline";
  let description = [{
    Makes the buffers, slots and tokens that belong to one execution of the
    pipeline. Its results are the values that `ktdf.private_yield` names (K-14).

    Example:

    ```mlir
    %r:2 = ktdf.private -> (memref<64xf16, "LX">, !ktdf.token) {
      %m = memref.alloc() : memref<64xf16, "LX">
      %t = ktdf.create_token : !ktdf.token
      ktdf.private_yield %m, %t : memref<64xf16, "LX">, !ktdf.token
    }
    ```
  }];
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Leaves an empty body; the caller ends it with a `ktdf.private_yield`.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes)>
  ];
  let extraClassDeclaration = [{
    /// The terminator of the body.
    PrivateYieldOp getYield();
  }];
  let hasVerifier = 1;
}

def Ktdf_PrivateYieldOp : Ktdf_Op<"private_yield",
    [HasParent<"PrivateOp">, Pure, Terminator]> {
  let summary = "ends a private region";
  let description = [{
    Its operands become the results of the enclosing `ktdf.private` (K-14).

    Example:

    ```mlir
    ktdf.private_yield %t : !ktdf.token
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange{});
  }]>];
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

def Ktdf_DataTransferOp : Ktdf_Op<"data_transfer",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "moves a box of elements";
  let description = [{
    Moves from a memref to a memref, from a memref to a slot, or from a slot to
    a memref. On a memref side, an affine subscript gives the first element of
    the box (one result per dimension of the memref, one dimension per operand,
    no symbols, K-18) and `size` its extents (one per dimension, K-19). On a
    slot side there is no subscript, and no size means the whole slot.

    The two boxes are enumerated row-major and paired, so they hold the same
    number of elements (K-20). `transfer_mode = "splat"` replicates a
    single source element; `transfer_mode = "pad"` fills the rest of the
    destination with zero (K-21). Element types agree (K-17).

    Sizes are kept as in other ops with mixed sizes: `static_src_sizes` holds
    the constants with `ShapedType::kDynamic` where the next operand of
    `src_sizes` stands; an empty array means that no sizes are given.

    Example:

    ```mlir
    ktdf.data_transfer from %a[%i * 64] size [64] to %s size [64]
        : memref<128xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
    ```
  }];
  let arguments = (ins Ktdf_MemRefOrSlot:$src,
                       Variadic<Index>:$src_indices,
                       Variadic<Index>:$src_sizes,
                       Ktdf_MemRefOrSlot:$dst,
                       Variadic<Index>:$dst_indices,
                       Variadic<Index>:$dst_sizes,
                       OptionalAttr<AffineMapAttr>:$source_map,
                       OptionalAttr<AffineMapAttr>:$dest_map,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_src_sizes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_dst_sizes);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Any pair, sizes mixed. A slot side takes a null map, no indices and, for
    // the whole slot, no sizes.
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::AffineMap":$srcMap,
                   "::mlir::ValueRange":$srcIndices,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$srcSizes,
                   "::mlir::Value":$dst, "::mlir::AffineMap":$dstMap,
                   "::mlir::ValueRange":$dstIndices,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$dstSizes)>,
    // memref to memref.
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::AffineMap":$srcMap,
                   "::mlir::ValueRange":$srcIndices,
                   "::llvm::ArrayRef<int64_t>":$srcSizes,
                   "::mlir::Value":$dst, "::mlir::AffineMap":$dstMap,
                   "::mlir::ValueRange":$dstIndices,
                   "::llvm::ArrayRef<int64_t>":$dstSizes)>,
    // memref to the whole of a slot, whose static size is spelled out.
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::AffineMap":$srcMap,
                   "::mlir::ValueRange":$srcIndices,
                   "::llvm::ArrayRef<int64_t>":$srcSizes,
                   "::mlir::Value":$slot)>,
    // The whole of a slot to a memref.
    OpBuilder<(ins "::mlir::Value":$slot, "::mlir::Value":$dst,
                   "::mlir::AffineMap":$dstMap,
                   "::mlir::ValueRange":$dstIndices,
                   "::llvm::ArrayRef<int64_t>":$dstSizes)>
  ];
  let extraClassDeclaration = [{
    /// True if the source is a FIFO slot.
    bool isSrcSlot() { return ::llvm::isa<FifoSlotType>(getSrc().getType()); }
    /// True if the destination is a FIFO slot.
    bool isDstSlot() { return ::llvm::isa<FifoSlotType>(getDst().getType()); }
    /// The source subscript's map over `getSrcIndices()`; null for a slot.
    ::mlir::AffineMap getSrcMap() {
      return getSourceMap().value_or(::mlir::AffineMap());
    }
    /// The destination subscript's map over `getDstIndices()`; null for a slot.
    ::mlir::AffineMap getDstMap() {
      return getDestMap().value_or(::mlir::AffineMap());
    }
    /// The source sizes as index attributes or values; empty when omitted.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSrcSizes();
    /// The destination sizes as index attributes or values; empty when omitted.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedDstSizes();
    /// Number of elements moved out of the source, when it is static.
    std::optional<int64_t> getNumSrcElements();
    /// Number of elements written to the destination, when it is static.
    std::optional<int64_t> getNumDstElements();
    /// The value of the discardable attribute `transfer_mode`, or empty.
    ::llvm::StringRef getTransferMode();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Instances, phases and selection
//===----------------------------------------------------------------------===//

def Ktdf_ParallelOp : Ktdf_Op<"parallel",
    [AttrSizedOperandSegments, RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"ParallelYieldOp">]> {
  let summary = "distributes a loop nest over instances of a unit group";
  let description = [{
    The points of the box are taken in lexicographic order and cut into
    `num_instances` contiguous chunks of ceil(points / num_instances); instance
    i runs chunk i, and the op ends when all have ended (K-24). The body's
    arguments are the induction variables and the instance id.

    Example:

    ```mlir
    ktdf.parallel (%m, %inst) = (%c0) to (%c5) step (%c1) distribute(num_instances = 2) {
      ktdf.parallel_yield
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$lower_bounds,
                       Variadic<Index>:$upper_bounds,
                       Variadic<Index>:$steps, I64Attr:$num_instances);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Makes the body with its arguments and terminator.
    OpBuilder<(ins "::mlir::ValueRange":$lowerBounds,
                   "::mlir::ValueRange":$upperBounds,
                   "::mlir::ValueRange":$steps, "int64_t":$numInstances)>
  ];
  let extraClassDeclaration = [{
    /// One induction variable per dimension.
    ::mlir::Block::BlockArgListType getInductionVars() {
      return getBody().front().getArguments().drop_back();
    }
    /// The id, from 0, of the executing instance.
    ::mlir::BlockArgument getInstanceId() {
      return getBody().front().getArguments().back();
    }
  }];
  let hasVerifier = 1;
}

def Ktdf_ParallelYieldOp : Ktdf_Op<"parallel_yield",
    [HasParent<"ParallelOp">, Pure, Terminator]> {
  let summary = "ends the body of `ktdf.parallel`";
  let description = [{
    Example:

    ```mlir
    ktdf.parallel_yield
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Ktdf_BufferPhaseOp : Ktdf_Op<"buffer_phase", [Pure]> {
  let summary = "which of several rotating buffers an iteration uses";
  let description = [{
    The row-major number of the current iteration of the listed loops, outermost
    first, modulo `num_phases` (K-26). The operands are induction variables of
    enclosing loops; one that was folded to a constant drops out, and if all
    were, the phase is 0. At least one operand and two phases (K-25).

    Example:

    ```mlir
    %ph = ktdf.buffer_phase(%i, %j) {num_phases = 2 : i64} : index
    ```
  }];
  let arguments = (ins Variadic<Index>:$induction_vars,
                       ConfinedAttr<I64Attr, [IntMinValue<2>]>:$num_phases);
  let results = (outs Index:$phase);
  let assemblyFormat = "`(` $induction_vars `)` attr-dict `:` type($phase)";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inductionVars,
                                 "int64_t":$numPhases), [{
    build($_builder, $_state, $_builder.getIndexType(), inductionVars,
          $_builder.getI64IntegerAttr(numPhases));
  }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ktdf_SelectMemRefOp : Ktdf_Op<"select_memref", [Pure]> {
  let summary = "selects one of several buffers by a phase";
  let description = [{
    The result is the candidate at position `phase` (K-28). At least two
    candidates, all of the result's type; if the phase is a `ktdf.buffer_phase`,
    it has as many phases as there are candidates (K-27).

    Example:

    ```mlir
    %buf = ktdf.select_memref %ph[%b0, %b1] : memref<64xf16, "LX">
    ```
  }];
  let arguments = (ins Index:$phase, Variadic<AnyMemRef>:$candidates);
  let results = (outs AnyMemRef:$result);
  let hasCustomAssemblyFormat = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$phase,
                                 "::mlir::ValueRange":$candidates), [{
    build($_builder, $_state, candidates.front().getType(), phase, candidates);
  }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

def Ktdf_OpaqueOp : Ktdf_Op<"opaque",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a named intrinsic in destination-passing style";
  let description = [{
    `ins` are read; a memref of `outs` is written, and a tensor of `outs` gives
    the shape and start value of the result in the same position among the
    tensors (K-29). What the name means is looked up when the op is executed or
    lowered.

    Example:

    ```mlir
    %r = ktdf.opaque "RECIP" -> tensor<64xf16> ins(%x : tensor<64xf16>) outs(%e : tensor<64xf16>)
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       Variadic<Ktdf_TensorOrMemRef>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $name (`->` type($results)^)?
    `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` ($outputs^ `:` type($outputs))? `)` attr-dict
  }];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_KTDF_KTDFOPS_TD
