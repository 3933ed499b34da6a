//===- UniformOps.td - The uniform dialect -----------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_UNIFORM_UNIFORMOPS_TD
#define KTIR_DIALECT_UNIFORM_UNIFORMOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Uniform_Dialect : Dialect {
  let name = "uniform";
  let cppNamespace = "::ktir::uniform";
  let summary = "one program text for many units";
  let description = [{
    Keeps what differs between the units of one program out of its text:
    constants are looked up by unit, and where even the operations differ, each
    unit has a region.
  }];
}

class Uniform_Op<string mnemonic, list<Trait> traits = []>
    : Op<Uniform_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

def Uniform_DefImmutableMappingOp
    : Uniform_Op<"def_immutable_mapping", [Pure, AttrSizedOperandSegments]> {
  let summary = "table of values by unit or by constant";
  let description = [{
    Pairs keys with values, for `uniform.query_map`. Keys are units, or groups
    of units, or constants; values are all made by ops of one name (spec U-1,
    U-2).

    Example:

    ```mlir
    %base = uniform.def_immutable_mapping([%u0 -> %c0], [%u1 -> %c4096]):index
    ```
  }];
  let arguments = (ins Variadic<Index>:$keys, Variadic<Index>:$values);
  let results = (outs Index:$map);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$keys, "::mlir::ValueRange":$values)>
  ];
  let hasVerifier = 1;
}

def Uniform_QueryMapOp : Uniform_Op<"query_map", [Pure]> {
  let summary = "value that a mapping gives for a key";
  let description = [{
    Yields the value paired with `key`: a unit is compared by identity, a group
    by membership, a constant by value. A key that the mapping lacks is an
    error when the program runs (spec U-3).

    Example:

    ```mlir
    %b = uniform.query_map(map:%base, key:%me) : index
    ```
  }];
  let arguments = (ins Index:$map, Index:$key);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    `(` `map` `` `:` `` $map `,` `key` `` `:` `` $key `)` attr-dict `:` type($value)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$map, "::mlir::Value":$key)>
  ];
  let extraClassDeclaration = [{
    /// The mapping op that makes `map`; null where it is made elsewhere.
    DefImmutableMappingOp getMapping();
  }];
}

//===----------------------------------------------------------------------===//
// Regions by unit
//===----------------------------------------------------------------------===//

class Uniform_RegionsOp<string mnemonic, list<Trait> traits = []>
    : Uniform_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<RegionBranchOpInterface>,
        RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">])> {
  code regionAccessors = [{
    /// The units, or the one group of units, that run region `index`.
    ::mlir::OperandRange getUnitList(unsigned index) {
      return getUnitLists()[index];
    }
    /// Handle of the executing unit in region `index`.
    ::mlir::BlockArgument getHandle(unsigned index) {
      return getUnitRegions()[index].getArgument(0);
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Uniform_UniformizeRegionsOp : Uniform_RegionsOp<"uniformize_regions"> {
  let summary = "a region for each set of units";
  let description = [{
    The executing unit runs the one region whose list contains it; the region's
    argument is its handle, the results are what it yields. A unit in no list
    runs nothing, which is an error if there are results (spec U-4, U-5).

    Example:

    ```mlir
    %n = uniform.uniformize_regions -> index {
      (%x -> %u0, %u1){
        uniform.yield %c8 : index
      }
      (%x -> %u2){
        uniform.yield %c4 : index
      }
    }
    ```
  }];
  let arguments = (ins
      VariadicOfVariadic<Index, "unit_list_segments">:$unit_lists,
      DenseI32ArrayAttr:$unit_list_segments);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$unit_regions);
  let builders = [
    // One region with a handle argument and no operations for each list.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes,
                   "::llvm::ArrayRef<::mlir::ValueRange>":$unitLists)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = regionAccessors;
}

def Uniform_EqualizePatternOp : Uniform_RegionsOp<"equalize_pattern"> {
  let summary = "regions with equal operations for sets of units";
  let description = [{
    Runs as `uniform.uniformize_regions` without results; all regions are the
    same sequence of operations, so that they can become one (spec U-6).

    Example:

    ```mlir
    uniform.equalize_pattern {
      (%a -> %u0){
        dataflow.sync_send %u1 : index
      }
      (%a -> %u1){
        dataflow.sync_send %u0 : index
      }
    }
    ```
  }];
  let arguments = (ins
      VariadicOfVariadic<Index, "unit_list_segments">:$unit_lists,
      DenseI32ArrayAttr:$unit_list_segments);
  let regions = (region VariadicRegion<SizedRegion<1>>:$unit_regions);
  let builders = [
    // One region with a handle argument and no operations for each list.
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::ValueRange>":$unitLists)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = regionAccessors;
}

def Uniform_YieldOp
    : Uniform_Op<"yield", [Pure, Terminator, ReturnLike,
        ParentOneOf<["UniformizeRegionsOp", "EqualizePatternOp"]>]> {
  let summary = "end of a region of a unit";
  let description = [{
    Gives the results of the surrounding op. Implied where it has no operands.

    Example: `uniform.yield %c8 : index`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_UNIFORM_UNIFORMOPS_TD
