//===- KtdpOps.td - Operations of ktdp ---------------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDP_OPS_TD
#define KTIR_DIALECT_KTDP_OPS_TD

include "ktir/Dialect/Ktdp/KtdpInterfaces.td"
include "ktir/Dialect/Ktdp/KtdpTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ktdp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ktdp_Dialect, mnemonic, traits>;

def Ktdp_IntegerSetAttr
    : Attr<CPred<"::llvm::isa<::mlir::IntegerSetAttr>($_self)">,
           "integer set"> {
  let storageType = "::mlir::IntegerSetAttr";
  let returnType = "::mlir::IntegerSet";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::mlir::IntegerSetAttr::get($0)";
}

//===----------------------------------------------------------------------===//
// get_compute_tile_id
//===----------------------------------------------------------------------===//

def Ktdp_GetComputeTileIdOp : Ktdp_Op<"get_compute_tile_id", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "The coordinates of the executing tile in the grid";
  let description = [{
    Result *i* is the coordinate along `grid[i]`. The flat tile id of a grid
    of higher rank is row-major, the last dimension fastest.

    ```mlir
    %row, %col = ktdp.get_compute_tile_id : index, index
    ```
  }];
  let results = (outs Variadic<Index>:$ids);
  let assemblyFormat = "attr-dict `:` type($ids)";
  let hasVerifier = 1;
  // An id along a grid dimension of extent 1 is zero.
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// construct_memory_view
//===----------------------------------------------------------------------===//

def Ktdp_ConstructMemoryViewOp : Ktdp_Op<"construct_memory_view", [Pure,
    AttrSizedOperandSegments]> {
  let summary = "Describes how a tensor lies in a memory";
  let description = [{
    Nothing is allocated or touched. Local coordinate `c` of the view lies at
    `offset + sum(c[k] * strides[k])`, counted in elements of the result's
    element type from the start of the memory space. `coordinate_set` says
    which coordinates of a larger tensor the view holds; it matters only for
    partitions of a distributed view.

    ```mlir
    %v = ktdp.construct_memory_view %p, sizes: [4, 64], strides: [64, 1]
         {coordinate_set = #all, memory_space = #ktdp.memory_space<global>}
         : memref<4x64xf16>
    ```
  }];
  let arguments = (ins Index:$offset, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides,
                       Ktdp_IntegerSetAttr:$coordinate_set,
                       Ktdp_MemorySpaceAttr:$memory_space);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $offset `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Sizes and strides, each a constant or an SSA value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
  }];
}

//===----------------------------------------------------------------------===//
// construct_distributed_memory_view
//===----------------------------------------------------------------------===//

def Ktdp_ConstructDistributedMemoryViewOp
    : Ktdp_Op<"construct_distributed_memory_view", [Pure]> {
  let summary = "Joins views into one that is indexed by global coordinates";
  let description = [{
    A coordinate belongs to the first partition whose `coordinate_set` holds
    it, at the local coordinate counted from the least coordinate of that set.
    Partitions may lie in different memories. Nothing moves here: loading
    through the view is the transfer.

    ```mlir
    %d = ktdp.construct_distributed_memory_view(%a, %b
         : memref<2x64xf16>, memref<2x64xf16>) : memref<4x64xf16>
    ```
  }];
  let arguments = (ins Variadic<AnyMemRef>:$views);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    `(` ($views^ `:` type($views))? `)` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// construct_access_tile
//===----------------------------------------------------------------------===//

def Ktdp_ConstructAccessTileOp : Ktdp_Op<"construct_access_tile", [Pure,
    AttrSizedOperandSegments]> {
  let summary = "Selects coordinates of a view or a tensor";
  let description = [{
    The bracketed affine expressions give a base coordinate `f(x)`. The points
    `p` of `access_tile_set`, sorted lexicographically by `access_tile_order`,
    are packed row-major into the tile: its element *k* is coordinate
    `f(x) + p_k` of the base.

    ```mlir
    %t = ktdp.construct_access_tile %v[2 * %i, %c0]
         {access_tile_order = #id, access_tile_set = #box}
         : memref<4x64xf16> -> !ktdp.access_tile<2x64xindex>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyMemRef, AnyTensor]>:$base,
                       Variadic<Index>:$indices, Variadic<Index>:$symbols,
                       AffineMapAttr:$base_map,
                       Ktdp_IntegerSetAttr:$access_tile_set,
                       AffineMapAttr:$access_tile_order);
  let results = (outs Ktdp_AccessTileType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// construct_indirect_access_tile
//===----------------------------------------------------------------------===//

def Ktdp_ConstructIndirectAccessTileOp
    : Ktdp_Op<"construct_indirect_access_tile", [AttrSizedOperandSegments,
        MemoryEffects<[MemRead]>,
        SingleBlockImplicitTerminator<"RegionTerminatorOp">]> {
  let summary = "Selects coordinates of a view, some read from index views";
  let description = [{
    The points of `variables_space_set` are enumerated in the order of
    `variables_space_order`. At each point, a coordinate of the base is a
    direct subscript, or the integer that an index view holds where an `ind`
    subscript says. The intermediate variables are names of this op only; all
    other values in subscripts are captured. The index views are read when the
    tile is constructed.

    ```mlir
    %g = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k)
         %X[ind(%I[%m + %s]), (%k)]
         {variables_space_order = #id, variables_space_set = #vs}
         : memref<100x64xf16>, memref<8xi32> -> !ktdp.access_tile<2x64xindex>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyMemRef, AnyTensor]>:$base,
                       Variadic<AnyMemRef>:$index_views,
                       Variadic<Index>:$captured, Variadic<Index>:$symbols,
                       ArrayAttr:$per_dim_subscript_kinds,
                       ArrayAttr:$per_dim_subscript_maps,
                       Ktdp_IntegerSetAttr:$variables_space_set,
                       AffineMapAttr:$variables_space_order);
  let results = (outs Ktdp_AccessTileType:$result);
  let regions = (region SizedRegion<1>:$variables);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of intermediate variables.
    unsigned getNumVariables() { return getVariables().getNumArguments(); }
    /// Whether the subscript of dimension `dimension` reads an index view.
    bool isIndirect(unsigned dimension);
    /// Subscript of dimension `dimension` over the captured values followed by
    /// the intermediate variables.
    ::mlir::AffineMap getSubscriptMap(unsigned dimension);
  }];
}

def Ktdp_RegionTerminatorOp : Ktdp_Op<"region_terminator", [Pure, Terminator,
    HasParent<"ConstructIndirectAccessTileOp">]> {
  let summary = "Ends the hidden block of an indirect access tile";
  let description = [{
    Implicit in the custom form of its parent and visible in the generic form
    only.
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// load, store
//===----------------------------------------------------------------------===//

def Ktdp_LoadOp : Ktdp_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "Reads the elements of an access tile into a tensor";
  let description = [{
    The result is a snapshot in the executing tile's scratchpad.

    ```mlir
    %x = ktdp.load %t : <2x64xindex> -> tensor<2x64xf16>
    ```
  }];
  let arguments = (ins Ktdp_AccessTileType:$tile);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $tile attr-dict `:` custom<AccessTile>(type($tile)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ktdp_StoreOp : Ktdp_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a tensor to the elements of an access tile";
  let description = [{
    The element writes have no order among each other.

    ```mlir
    ktdp.store %x, %t : tensor<2x64xf16>, <2x64xindex>
    ```
  }];
  let arguments = (ins AnyTensor:$data, Ktdp_AccessTileType:$tile);
  let assemblyFormat = [{
    $data `,` $tile attr-dict `:` type($data) `,`
    custom<AccessTile>(type($tile))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// runtime_arg_extract
//===----------------------------------------------------------------------===//

def Ktdp_RuntimeArgExtractOp : Ktdp_Op<"runtime_arg_extract", [Pure]> {
  let summary = "Reads the value of a runtime argument or a fact about it";
  let description = [{
    `value` gives what was passed at launch, in the argument's underlying type;
    `granularity` and `upperbound` give the constants of its type as `index`.

    ```mlir
    %n = ktdp.runtime_arg_extract value from %a
         : <i32, upperbound=512> -> i32
    ```
  }];
  let arguments = (ins Ktdp_ExtractionKind:$kind,
                       Ktdp_RuntimeArgType:$argument);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $kind `from` $argument `:` type($argument) attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "ktir/Dialect/Ktdp/KtdpInterTileOps.td"

#endif // KTIR_DIALECT_KTDP_OPS_TD
