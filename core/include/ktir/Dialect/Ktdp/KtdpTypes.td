//===- KtdpTypes.td - Types and attributes of ktdp ---------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDP_TYPES_TD
#define KTIR_DIALECT_KTDP_TYPES_TD

include "ktir/Dialect/Ktdp/KtdpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Memory space
//===----------------------------------------------------------------------===//

def Ktdp_MemorySpaceKind : I32EnumAttr<"MemorySpaceKind", "which memory", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"CtLocal", 1, "ct_local">]> {
  let cppNamespace = "::ktir::ktdp";
  let genSpecializedAttr = 0;
}

def Ktdp_MemorySpaceAttr : AttrDef<Ktdp_Dialect, "MemorySpace"> {
  let mnemonic = "memory_space";
  let summary = "The memory that a view lies in";
  let description = [{
    `global` is the device memory that every tile sees. `ct_local` is the
    scratchpad of the executing tile, or of tile `ct_id` whoever executes.

    ```mlir
    #ktdp.memory_space<global>
    #ktdp.memory_space<ct_local>
    #ktdp.memory_space<ct_local, ct_id = 3>
    ```
  }];
  // An absent ct_id is stored as -1 (spec MS-1).
  let parameters = (ins "::ktir::ktdp::MemorySpaceKind":$kind,
                        DefaultValuedParameter<"int64_t", "-1">:$ctId);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "::ktir::ktdp::MemorySpaceKind":$kind), [{
    return $_get($_ctxt, kind, -1);
  }]>];
}

//===----------------------------------------------------------------------===//
// Access tile
//===----------------------------------------------------------------------===//

def Ktdp_AccessTileType : TypeDef<Ktdp_Dialect, "AccessTile",
                                  [ShapedTypeInterface]> {
  let mnemonic = "access_tile";
  let summary = "A set of coordinates of a view, shaped like the loaded tensor";
  let description = [{
    Extents are `?` or at least zero; the element type is always `index`.

    ```mlir
    !ktdp.access_tile<4x64xindex>
    !ktdp.access_tile<?x64xindex>
    !ktdp.access_tile<index>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape), [{
    return $_get($_ctxt, shape, ::mlir::IndexType::get($_ctxt));
  }]>];
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    ::mlir::ShapedType
    cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
              ::mlir::Type elementType) const {
      return ::llvm::cast<::mlir::ShapedType>(::mlir::Type(get(
          getContext(), shape.value_or(getShape()), elementType)));
    }
  }];
}

//===----------------------------------------------------------------------===//
// Runtime arguments
//===----------------------------------------------------------------------===//

def Ktdp_ExtractionKind : I32EnumAttr<"ExtractionKind",
    "what is read from a runtime argument", [
    I32EnumAttrCase<"Value", 0, "value">,
    I32EnumAttrCase<"Granularity", 1, "granularity">,
    I32EnumAttrCase<"Upperbound", 2, "upperbound">]> {
  let cppNamespace = "::ktir::ktdp";
}

def Ktdp_RuntimeArgType : TypeDef<Ktdp_Dialect, "RuntimeArg"> {
  let mnemonic = "runtime_arg";
  let summary = "A scalar known only at launch, with facts about its value";
  let description = [{
    The value at launch is a multiple of `granularity` and at most
    `upperbound`; either fact may be left out. The underlying type is `index`,
    an integer or a float.

    ```mlir
    !ktdp.runtime_arg<i32>
    !ktdp.runtime_arg<index, granularity=64, upperbound=4096>
    ```
  }];
  let parameters = (ins "::mlir::Type":$underlyingType,
                        "std::optional<int64_t>":$granularity,
                        "std::optional<int64_t>":$upperbound);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Futures
//===----------------------------------------------------------------------===//

def Ktdp_TileFutureType : TypeDef<Ktdp_Dialect, "TileFuture"> {
  let mnemonic = "tile_future";
  let summary = "The handle between one production and one delivery";
  let description = [{
    Carries the types of the produced values, one per role, and the set of
    group indices. Values never cross groups.

    ```mlir
    !ktdp.tile_future<(tensor<64xf16>, tensor<1xf32>), groups = #four>
    ```
  }];
  let parameters = (ins
      ArrayRefParameter<"::mlir::RankedTensorType">:$partialTypes,
      "::mlir::IntegerSetAttr":$groups);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // KTIR_DIALECT_KTDP_TYPES_TD
