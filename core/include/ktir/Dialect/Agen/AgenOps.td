//===- AgenOps.td - Operations of the agen dialect ---------*- tablegen -*-===//

#ifndef KTIR_DIALECT_AGEN_AGENOPS_TD
#define KTIR_DIALECT_AGEN_AGENOPS_TD

include "ktir/Dialect/Agen/AgenBase.td"
include "ktir/Dialect/Agen/AgenInterfaces.td"
include "ktir/Dialect/Dataflow/FlatVector.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// The transfer mask of the executing unit, which every transfer obeys.
def Agen_MaskState : Resource<"::ktir::agen::MaskStateResource">;

class Agen_Op<string mnemonic, list<Trait> traits = []>
    : Op<Agen_Dialect, mnemonic, traits>;

// A composite access with a body at every time step.
class Agen_CompositeBase<string mnemonic, list<Trait> traits = []>
    : Agen_Op<mnemonic, !listconcat(traits, [
        Agen_CompositeAccessOpInterface, RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"YieldOp">])> {
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Single-vector access
//===----------------------------------------------------------------------===//

def Agen_VectorLoadOp
    : Agen_Op<"vector_load", [AttrSizedOperandSegments]> {
  let summary = "load one vector";
  let description = [{
    Lane k is the element at the subscript plus the k-th point of `load_set` in
    `load_order` (spec G-1 to G-3).

    Example:

    ```mlir
    %v = agen.vector_load %m[%i * 64] {load_order = affine_map<(d0) -> (d0)>,
      load_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>}
      : memref<128xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$view,
                       Variadic<Index>:$indices,
                       Optional<Index>:$multicast_info, AffineMapAttr:$map,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set);
  let results = (outs Dataflow_FlatVector:$value);
  let assemblyFormat = [{
    $view `` custom<AffineSubscript>($indices, $map)
    (`multicast_info` `=` $multicast_info^)?
    attr-dict `:` type($view) `,` type($value)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$view,
                   "::mlir::AffineMap":$map, "::mlir::ValueRange":$indices,
                   "::mlir::AffineMap":$order, "::mlir::IntegerSet":$set)>
  ];
  let extraClassDeclaration = [{
    /// Where the access starts.
    AffineSubscript getSubscript() { return {getMap(), getIndices()}; }
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
  }];
  let hasVerifier = 1;
}

def Agen_VectorStoreOp : Agen_Op<"vector_store"> {
  let summary = "store one vector";
  let description = [{
    Lane k goes to the element at the subscript plus the k-th point of
    `store_set` in `store_order` (spec G-1 to G-3).

    Example:

    ```mlir
    agen.vector_store %v, %m[%i * 64] {store_order = affine_map<(d0) -> (d0)>,
      store_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>}
      : memref<128xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$value,
                       Arg<AnyMemRef, "", [MemWrite]>:$view,
                       Variadic<Index>:$indices, AffineMapAttr:$map,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set);
  let assemblyFormat = [{
    $value `,` $view `` custom<AffineSubscript>($indices, $map)
    attr-dict `:` type($view) `,` type($value)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$view,
                   "::mlir::AffineMap":$map, "::mlir::ValueRange":$indices,
                   "::mlir::AffineMap":$order, "::mlir::IntegerSet":$set)>
  ];
  let extraClassDeclaration = [{
    /// Where the access starts.
    AffineSubscript getSubscript() { return {getMap(), getIndices()}; }
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Composite access
//===----------------------------------------------------------------------===//

def Agen_CompositeLoadAndStoreOp
    : Agen_CompositeBase<"composite_load_and_store",
                         [AttrSizedOperandSegments]> {
  let summary = "copy a vector from view to view at every time step";
  let description = [{
    At step t, loads the vector at the source subscript plus
    `load_time_addr_map(t)`, runs the body with it, and stores what the body
    yields, or the loaded vector if the body is a bare yield (spec G-4, G-6 to
    G-8).

    Example:

    ```mlir
    agen.composite_load_and_store src:%a[%c0] dst:%b[%c0]
     time_symbols(), load_iv(%x:vector<64xf16>)
     {load_order = #id, load_set = #lanes, load_time_addr_map = #steps,
      store_order = #id, store_set = #lanes, store_time_addr_map = #steps,
      time_order = #id, time_set = #two}
    {
      agen.yield
    } : memref<128xf16>, memref<128xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$src,
                       Variadic<Index>:$src_indices,
                       Arg<AnyMemRef, "", [MemWrite]>:$dst,
                       Variadic<Index>:$dst_indices,
                       Variadic<Index>:$time_symbols,
                       Optional<Index>:$multicast_info,
                       AffineMapAttr:$src_map, AffineMapAttr:$dst_map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set,
                       AffineMapAttr:$load_time_addr_map,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set,
                       AffineMapAttr:$store_time_addr_map,
                       AffineMapAttr:$time_order, IntegerSetAttr:$time_set);
  let skipDefaultBuilders = 1;
  let builders = [
    // A plain copy: the body is a bare yield. No time symbols.
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::AffineMap":$srcMap,
                   "::mlir::ValueRange":$srcIndices, "::mlir::Value":$dst,
                   "::mlir::AffineMap":$dstMap,
                   "::mlir::ValueRange":$dstIndices,
                   "::mlir::Type":$vectorType, "::mlir::AffineMap":$loadOrder,
                   "::mlir::IntegerSet":$loadSet,
                   "::mlir::AffineMap":$loadTimeAddrMap,
                   "::mlir::AffineMap":$storeOrder,
                   "::mlir::IntegerSet":$storeSet,
                   "::mlir::AffineMap":$storeTimeAddrMap,
                   "::mlir::AffineMap":$timeOrder,
                   "::mlir::IntegerSet":$timeSet)>
  ];
  let extraClassDeclaration = [{
    /// Where loads start at displacement zero.
    AffineSubscript getSrcSubscript() { return {getSrcMap(), getSrcIndices()}; }
    /// Where stores start at displacement zero.
    AffineSubscript getDstSubscript() { return {getDstMap(), getDstIndices()}; }
    /// The vector loaded at the current step, as the body sees it.
    ::mlir::BlockArgument getLoadedVector() {
      return getBody()->getArgument(0);
    }
    ::mlir::MemRefType getSrcType() {
      return ::llvm::cast<::mlir::MemRefType>(getSrc().getType());
    }
    ::mlir::MemRefType getDstType() {
      return ::llvm::cast<::mlir::MemRefType>(getDst().getType());
    }
    /// Terminator of the body.
    YieldOp getYield();
    /// What is stored at each step: the yielded value; the loaded vector if
    /// the body is a bare yield; null if the body does something else and
    /// yields nothing, in which case nothing is stored (spec G-7).
    ::mlir::Value getStoredVector();
  }];
}

def Agen_CompositeLoadOp
    : Agen_CompositeBase<"composite_load", [AttrSizedOperandSegments]> {
  let summary = "load a vector at every time step";
  let description = [{
    Runs the body at every step with the vector loaded for it (spec G-4, G-6
    to G-8).

    Example:

    ```mlir
    agen.composite_load %m[%i, %c0]
     time_symbols()(%v:vector<64xf16>)
     {load_order = #id2, load_set = #stick, time_addr_map = #steps,
      time_order = #id, time_set = #two}
    {
      dataflow.send %peer, %v : vector<64xf16>
      agen.yield
    } : memref<4x128xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$view,
                       Variadic<Index>:$indices, Variadic<Index>:$time_symbols,
                       AffineMapAttr:$map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set,
                       AffineMapAttr:$time_addr_map, AffineMapAttr:$time_order,
                       IntegerSetAttr:$time_set);
  let extraClassDeclaration = [{
    /// Where loads start at displacement zero.
    AffineSubscript getSubscript() { return {getMap(), getIndices()}; }
    /// The vector loaded at the current step, as the body sees it.
    ::mlir::BlockArgument getLoadedVector() {
      return getBody()->getArgument(0);
    }
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
  }];
}

def Agen_CompositeStoreOp
    : Agen_Op<"composite_store",
              [AttrSizedOperandSegments, Agen_CompositeAccessOpInterface,
               RecursiveMemoryEffects]> {
  let summary = "store a vector at every time step";
  let description = [{
    Stores at every step either what the body yields, to the points of
    `store_set`; or always `input_vector`, to consecutive elements along the
    last dimension, in which case there is no body, set or order (spec G-5 to
    G-9).

    Example:

    ```mlir
    agen.composite_store %d[%i, %c0]
     time_symbols()
     {store_order = #id2, store_set = #stick, time_addr_map = #steps,
      time_order = #id, time_set = #two}
    {
      %r = dataflow.receive %peer : vector<64xf16>
      agen.yield %r : vector<64xf16>
    } : memref<4x128xf16>
    agen.composite_store %e[0]
     input_vector=%v time_symbols()
     {time_addr_map = #steps1, time_order = #id, time_set = #two}
     : memref<128xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$view,
                       Variadic<Index>:$indices,
                       Optional<Dataflow_FlatVector>:$input_vector,
                       Variadic<Index>:$time_symbols, AffineMapAttr:$map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       OptionalAttr<AffineMapAttr>:$store_order,
                       OptionalAttr<IntegerSetAttr>:$store_set,
                       AffineMapAttr:$time_addr_map, AffineMapAttr:$time_order,
                       IntegerSetAttr:$time_set);
  let regions = (region MaxSizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Where stores start at displacement zero.
    AffineSubscript getSubscript() { return {getMap(), getIndices()}; }
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
    /// Body of the form with a body; null for the form with `input_vector`.
    ::mlir::Block *getBody() {
      return getRegion().empty() ? nullptr : &getRegion().front();
    }
    /// What is stored at each step: what the body yields, else
    /// `input_vector`.
    ::mlir::Value getStoredVector();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Indirect access
//===----------------------------------------------------------------------===//

def Agen_IndirectVectorLoadOp
    : Agen_Op<"indirect_vector_load", [AttrSizedOperandSegments]> {
  let summary = "load one vector at an address read from a buffer";
  let description = [{
    As `vector_load` from the direct view, displaced by the entry of the
    indirect address buffer, in elements (spec G-10, G-11).

    Example:

    ```mlir
    %v = agen.indirect_vector_load indirect:%iab[%e] direct:%x[%c0, %c0]
      {load_order = #id2, load_set = #stick}
      : memref<32xindex>, memref<1024x64xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$indirect,
                       Variadic<Index>:$indirect_indices,
                       Arg<AnyMemRef, "", [MemRead]>:$direct,
                       Variadic<Index>:$direct_indices,
                       Optional<Index>:$multicast_info,
                       AffineMapAttr:$indirect_map, AffineMapAttr:$direct_map,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set);
  let results = (outs Dataflow_FlatVector:$value);
  let assemblyFormat = [{
    `indirect` `` `:` `` $indirect ``
    custom<AffineSubscript>($indirect_indices, $indirect_map)
    `direct` `` `:` `` $direct ``
    custom<AffineSubscript>($direct_indices, $direct_map)
    (`multicast_info` `=` $multicast_info^)?
    attr-dict `:` type($indirect) `,` type($direct) `,` type($value)
  }];
  let extraClassDeclaration = [{
    AffineSubscript getIndirectSubscript() {
      return {getIndirectMap(), getIndirectIndices()};
    }
    AffineSubscript getDirectSubscript() {
      return {getDirectMap(), getDirectIndices()};
    }
  }];
  let hasVerifier = 1;
}

def Agen_IndirectVectorStoreOp
    : Agen_Op<"indirect_vector_store", [AttrSizedOperandSegments]> {
  let summary = "store one vector at an address read from a buffer";
  let description = [{
    As `vector_store` to the direct view, displaced by the entry of the
    indirect address buffer, in elements (spec G-10, G-11).

    Example:

    ```mlir
    agen.indirect_vector_store %v indirect:%iab[%e] direct:%x[%c0, %c0]
      {store_order = #id2, store_set = #stick}
      : vector<64xf16>, memref<32xindex>, memref<1024x64xf16>
    ```
  }];
  let arguments = (ins Dataflow_FlatVector:$value,
                       Arg<AnyMemRef, "", [MemRead]>:$indirect,
                       Variadic<Index>:$indirect_indices,
                       Arg<AnyMemRef, "", [MemWrite]>:$direct,
                       Variadic<Index>:$direct_indices,
                       Optional<Index>:$multicast_info,
                       AffineMapAttr:$indirect_map, AffineMapAttr:$direct_map,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set);
  let assemblyFormat = [{
    $value `indirect` `` `:` `` $indirect ``
    custom<AffineSubscript>($indirect_indices, $indirect_map)
    `direct` `` `:` `` $direct ``
    custom<AffineSubscript>($direct_indices, $direct_map)
    (`multicast_info` `=` $multicast_info^)?
    attr-dict `:` type($value) `,` type($indirect) `,` type($direct)
  }];
  let extraClassDeclaration = [{
    AffineSubscript getIndirectSubscript() {
      return {getIndirectMap(), getIndirectIndices()};
    }
    AffineSubscript getDirectSubscript() {
      return {getDirectMap(), getDirectIndices()};
    }
  }];
  let hasVerifier = 1;
}

def Agen_CompositeIndirectLoadAndStoreOp
    : Agen_CompositeBase<"composite_indirect_load_and_store",
                         [AttrSizedOperandSegments]> {
  let summary = "copy a vector at every step, to or from addresses in a buffer";
  let description = [{
    As `composite_load_and_store`, where the source (gather), the destination
    (scatter) or both are displaced by an entry of an indirect address buffer
    at every step (spec G-10, G-11).

    Example:

    ```mlir
    agen.composite_indirect_load_and_store indirect_src:%iab[%e] direct_src:%x[%c0, %c0] direct_dst:%lx[%c0, %c0]
     time_symbols(), load_iv(%v:vector<64xf16>)
     {load_direct_time_addr_map = #fixed, load_indirect_time_addr_map = #id,
      load_order = #id2, load_set = #stick, store_direct_time_addr_map = #rows,
      store_order = #id2, store_set = #stick, time_order = #id,
      time_set = #eight}
    {
      agen.yield
    } : memref<32xindex>, memref<1024x64xf16>, memref<8x64xf16>
    ```
  }];
  let arguments = (ins Arg<Optional<AnyMemRef>, "", [MemRead]>:$indirect_src,
                       Variadic<Index>:$indirect_src_indices,
                       Arg<AnyMemRef, "", [MemRead]>:$direct_src,
                       Variadic<Index>:$direct_src_indices,
                       Arg<Optional<AnyMemRef>, "", [MemRead]>:$indirect_dst,
                       Variadic<Index>:$indirect_dst_indices,
                       Arg<AnyMemRef, "", [MemWrite]>:$direct_dst,
                       Variadic<Index>:$direct_dst_indices,
                       Optional<Index>:$multicast_info,
                       Variadic<Index>:$time_symbols,
                       OptionalAttr<AffineMapAttr>:$indirect_src_map,
                       AffineMapAttr:$direct_src_map,
                       OptionalAttr<AffineMapAttr>:$indirect_dst_map,
                       AffineMapAttr:$direct_dst_map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       AffineMapAttr:$load_direct_time_addr_map,
                       OptionalAttr<AffineMapAttr>:$load_indirect_time_addr_map,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set,
                       AffineMapAttr:$store_direct_time_addr_map,
                       OptionalAttr<AffineMapAttr>:$store_indirect_time_addr_map,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set,
                       AffineMapAttr:$time_order, IntegerSetAttr:$time_set);
  let extraClassDeclaration = [{
    /// Entry of the source's buffer at displacement zero; only where there is
    /// an `indirect_src`.
    AffineSubscript getIndirectSrcSubscript() {
      return {*getIndirectSrcMap(), getIndirectSrcIndices()};
    }
    AffineSubscript getDirectSrcSubscript() {
      return {getDirectSrcMap(), getDirectSrcIndices()};
    }
    /// Entry of the destination's buffer at displacement zero; only where
    /// there is an `indirect_dst`.
    AffineSubscript getIndirectDstSubscript() {
      return {*getIndirectDstMap(), getIndirectDstIndices()};
    }
    AffineSubscript getDirectDstSubscript() {
      return {getDirectDstMap(), getDirectDstIndices()};
    }
    /// The vector loaded at the current step, as the body sees it.
    ::mlir::BlockArgument getLoadedVector() {
      return getBody()->getArgument(0);
    }
    /// As CompositeLoadAndStoreOp::getStoredVector().
    ::mlir::Value getStoredVector();
  }];
}

def Agen_CompositeIndirectLoadOp
    : Agen_CompositeBase<"composite_indirect_load",
                         [AttrSizedOperandSegments]> {
  let summary = "load a vector at every step from an address in a buffer";
  let description = [{
    As `composite_load` from the direct view, displaced by the entry of the
    indirect address buffer, in elements (spec G-10, G-11).

    Example:

    ```mlir
    agen.composite_indirect_load indirect:%iab[%e] direct:%x[%c0, %c0]
     time_symbols(), load_iv(%v:vector<64xf16>)
     {load_order = #id2, load_set = #stick, time_addr_map = #steps,
      time_order = #id, time_set = #eight}
    {
      dataflow.send %peer, %v : vector<64xf16>
      agen.yield
    } : memref<32xindex>, memref<1024x64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$indirect,
                       Variadic<Index>:$indirect_indices,
                       Arg<AnyMemRef, "", [MemRead]>:$direct,
                       Variadic<Index>:$direct_indices,
                       Optional<Index>:$multicast_info,
                       Variadic<Index>:$time_symbols,
                       AffineMapAttr:$indirect_map, AffineMapAttr:$direct_map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set,
                       AffineMapAttr:$time_addr_map, AffineMapAttr:$time_order,
                       IntegerSetAttr:$time_set);
  let extraClassDeclaration = [{
    AffineSubscript getIndirectSubscript() {
      return {getIndirectMap(), getIndirectIndices()};
    }
    AffineSubscript getDirectSubscript() {
      return {getDirectMap(), getDirectIndices()};
    }
    /// The vector loaded at the current step, as the body sees it.
    ::mlir::BlockArgument getLoadedVector() {
      return getBody()->getArgument(0);
    }
  }];
}

def Agen_CompositeIndirectStoreOp
    : Agen_CompositeBase<"composite_indirect_store",
                         [AttrSizedOperandSegments]> {
  let summary = "store a vector at every step to an address in a buffer";
  let description = [{
    As `composite_store` to the direct view, displaced by the entry of the
    indirect address buffer, in elements (spec G-10, G-11).

    Example:

    ```mlir
    agen.composite_indirect_store indirect:%iab[%e] direct:%x[%c0, %c0]
     time_symbols()
     {store_order = #id2, store_set = #stick, time_addr_map = #steps,
      time_order = #id, time_set = #eight}
    {
      %r = dataflow.receive %peer : vector<64xf16>
      agen.yield %r : vector<64xf16>
    } : memref<32xindex>, memref<1024x64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$indirect,
                       Variadic<Index>:$indirect_indices,
                       Arg<AnyMemRef, "", [MemWrite]>:$direct,
                       Variadic<Index>:$direct_indices,
                       Optional<Index>:$multicast_info,
                       Variadic<Index>:$time_symbols,
                       AffineMapAttr:$indirect_map, AffineMapAttr:$direct_map,
                       OptionalAttr<Agen_DirectionAttr>:$dir,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set,
                       AffineMapAttr:$time_addr_map, AffineMapAttr:$time_order,
                       IntegerSetAttr:$time_set);
  let extraClassDeclaration = [{
    AffineSubscript getIndirectSubscript() {
      return {getIndirectMap(), getIndirectIndices()};
    }
    AffineSubscript getDirectSubscript() {
      return {getDirectMap(), getDirectIndices()};
    }
    /// What is stored at each step.
    ::mlir::Value getStoredVector();
  }];
}

//===----------------------------------------------------------------------===//
// Interleave, mask state, symbolic vectors
//===----------------------------------------------------------------------===//

def Agen_CompositeMemoryInterleaveOp
    : Agen_Op<"composite_memory_interleave",
              [RecursiveMemoryEffects,
               SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "time steps of several composite accesses in turn";
  let description = [{
    Executes `granularity` steps of each composite access in turn until all are
    done; without `granularity`, all steps of each (spec G-12).

    Example:

    ```mlir
    agen.composite_memory_interleave {granularity = 1 : i32} {
      agen.composite_load ...
      agen.composite_load ...
      agen.yield
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$granularity);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Agen_SetTransferMaskStateOp
    : Agen_Op<"set_transfer_mask_state",
              [MemoryEffects<[MemRead<Agen_MaskState>,
                              MemWrite<Agen_MaskState>]>]> {
  let summary = "mask that later transfers of the unit obey";
  let description = [{
    A vector is cut into `num_slices` slices. `slice_mask_map` has for each, in
    parentheses: `0` no lane is masked, `1` every lane is, a letter for the
    pattern of that name, or two letters joined by `|` for either. Pattern X is
    a number of unmasked lanes followed by a number of masked ones, repeated.
    Masked lanes of later transfers are replaced by `mask_value` (spec G-13,
    G-14).

    The patterns A, B, ... are stored in order in the arrays `unmasked` and
    `masked`; the custom form shows them as `maskA`, `maskB`, ...

    Example:

    ```mlir
    %k = agen.set_transfer_mask_state mask_value(%c0) {num_slices = 8 : i32,
      slice_mask_map = "(0)(0)(0)(0)(0)(0)(A)(1)",
      maskA = "(unmasked = 4 : i32, masked = 4 : i32)"}
      : index, vector<64xf16>
    ```
  }];
  let arguments = (ins Dataflow_Scalar:$mask_value, I32Attr:$num_slices,
                       StrAttr:$slice_mask_map,
                       OptionalAttr<I32ArrayAttr>:$unmasked,
                       OptionalAttr<I32ArrayAttr>:$masked);
  let results = (outs Dataflow_FlatVector:$value);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Number of patterns.
    unsigned getNumPatterns() {
      return getUnmasked() ? getUnmasked()->size() : 0;
    }
    /// Lanes that pattern `i` leaves, then lanes that it masks.
    std::pair<int64_t, int64_t> getPattern(unsigned i) {
      return {::llvm::cast<::mlir::IntegerAttr>((*getUnmasked())[i]).getInt(),
              ::llvm::cast<::mlir::IntegerAttr>((*getMasked())[i]).getInt()};
    }
  }];
  let hasVerifier = 1;
}

def Agen_SymbolicVectorLoadOp
    : Agen_Op<"symbolic_vector_load", [AttrSizedOperandSegments]> {
  let summary = "load one vector at a sum of products";
  let description = [{
    As `vector_load` at the element given by the sum of each index times its
    stride (spec G-15).

    Example:

    ```mlir
    %s = agen.symbolic_vector_load %flat[indices:(%i, %j), strides:(%n, %c1)]
      {load_order = #id, load_set = #lanes} : memref<4096xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$view,
                       Variadic<Index>:$indices, Variadic<Index>:$strides,
                       Optional<Index>:$multicast_info,
                       AffineMapAttr:$load_order, IntegerSetAttr:$load_set);
  // Any vector, so that the rule on its rank has a diagnostic of its own.
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $view `` `[` `indices` `` `:` `` `(` $indices `)` `,`
    `strides` `` `:` `` `(` $strides `)` `]`
    (`,` `multicast_info` `` `(` $multicast_info^ `)`)?
    attr-dict `:` type($view) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Agen_SymbolicVectorStoreOp
    : Agen_Op<"symbolic_vector_store", [AttrSizedOperandSegments]> {
  let summary = "store one vector at a sum of products";
  let description = [{
    As `vector_store` at the element given by the sum of each index times its
    stride (spec G-15).

    Example:

    ```mlir
    agen.symbolic_vector_store %v, %flat[indices:(%i), strides:(%n)]
      {store_order = #id, store_set = #lanes} : memref<4096xf16>, vector<64xf16>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "", [MemWrite]>:$view,
                       Variadic<Index>:$indices, Variadic<Index>:$strides,
                       AffineMapAttr:$store_order, IntegerSetAttr:$store_set);
  let assemblyFormat = [{
    $value `,` $view `` `[` `indices` `` `:` `` `(` $indices `)` `,`
    `strides` `` `:` `` `(` $strides `)` `]`
    attr-dict `:` type($view) `,` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Terminator
//===----------------------------------------------------------------------===//

def Agen_YieldOp : Agen_Op<"yield", [Pure, Terminator,
    ParentOneOf<["CompositeLoadAndStoreOp", "CompositeLoadOp",
                 "CompositeStoreOp", "CompositeIndirectLoadAndStoreOp",
                 "CompositeIndirectLoadOp", "CompositeIndirectStoreOp",
                 "CompositeMemoryInterleaveOp"]>]> {
  let summary = "end of the body of a composite access";
  let description = [{
    Gives the vector to store, if any.

    Example: `agen.yield %w : vector<64xf16>`
  }];
  let arguments = (ins Optional<Dataflow_FlatVector>:$value);
  let assemblyFormat = "($value^)? attr-dict (`:` type($value)^)?";
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_AGEN_AGENOPS_TD
