//===- KtdfArchOps.td - Operations of the ktdf_arch dialect -*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDFARCH_KTDFARCHOPS_TD
#define KTIR_DIALECT_KTDFARCH_KTDFARCHOPS_TD

include "ktir/Dialect/KtdfArch/KtdfArchBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class KtdfArch_Op<string mnemonic, list<Trait> traits = []>
    : Op<KtdfArchDialect, mnemonic, traits>;

// A part of the graph. Its form is the op name, `@id`, and a dictionary or an
// alias of one.
class KtdfArch_Resource<string mnemonic, list<Trait> traits = []>
    : KtdfArch_Op<mnemonic,
                  !listconcat(traits, [ParentOneOf<["DeviceOp", "GroupOp"]>])> {
  let hasCustomAssemblyFormat = 1;
}

def KtdfArch_Resource_Any : AnyTypeOf<
    [KtdfArch_MemoryType, KtdfArch_ExecUnitType, KtdfArch_PortType],
    "memory, execution unit or port">;

def KtdfArch_DeviceOp : KtdfArch_Op<"device",
    [IsolatedFromAbove, Symbol, NoRegionArguments, NoTerminator,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "a machine, or a reference to the file that describes it";
  let description = [{
    With a body, the resources at device level and the groups (A-2); without
    one, an import of the device of the same name from a file (A-1, A-10), whose
    discardable attributes override those of the definition (A-11). Inside the
    body the prefix `ktdf_arch.` may be left out.

    Example:

    ```mlir
    ktdf_arch.device @small {
      %m = memory {kind = "DDR", size = 1024}
    }
    ktdf_arch.device @spyre import("spyre.mlir")
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$import_path);
  let regions = (region MaxSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // An import; an empty path gives a device with an empty body instead.
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::llvm::StringRef":$importPath)>
  ];
  let extraClassDeclaration = [{
    /// True if the device is described elsewhere.
    bool isImport() { return getImportPathAttr() != nullptr; }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def KtdfArch_MemoryOp : KtdfArch_Resource<"memory"> {
  let summary = "addressable storage";
  let description = [{
    `kind` is the memory space of `memref` types that live here: a string,
    integer, dictionary, or attribute of a dialect (A-4). `size` is in bytes, at
    least 1 (A-5).

    Example:

    ```mlir
    %lx = memory @scratchpad {kind = "LX", size = 2097152}
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$id, OptionalAttr<AnyAttr>:$kind,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntMinValue<1>]>>:$size);
  let results = (outs KtdfArch_MemoryType:$memory);
  let hasVerifier = 1;
}

def KtdfArch_ExecUnitOp : KtdfArch_Resource<"exec_unit"> {
  let summary = "something with an instruction stream";
  let description = [{
    `kind` is the name by which stages ask for the unit.

    Example:

    ```mlir
    %u = exec_unit {kind = "SFU", ktdf_arch.features = {ktdf_arch.feature.compute}}
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$id, OptionalAttr<AnyAttr>:$kind);
  let results = (outs KtdfArch_ExecUnitType:$unit);
}

def KtdfArch_SwitchOp : KtdfArch_Resource<"switch"> {
  let summary = "routing fabric";
  let description = [{
    Traffic that enters port i may leave at port j where `connectivity[i][j]` is
    set; without the attribute, everywhere. The matrix is n x n for n ports
    (A-6).

    Example:

    ```mlir
    %p:2 = switch[2] {connectivity = dense<[[0, 1], [1, 0]]> : tensor<2x2xi1>}
    ```
  }];
  let arguments = (ins OptionalAttr<ElementsAttr>:$connectivity);
  let results = (outs Variadic<KtdfArch_PortType>:$ports);
  let hasVerifier = 1;
}

def KtdfArch_DatapathOp : KtdfArch_Resource<"datapath"> {
  let summary = "one-directional link";
  let description = [{
    Source and target differ (A-7); a link both ways is two ops.

    Example:

    ```mlir
    datapath @dma {ktdf_arch.bandwidth = 128} %m to %u : memory, exec_unit
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$id,
                       KtdfArch_Resource_Any:$source,
                       KtdfArch_Resource_Any:$target);
  let hasVerifier = 1;
}

def KtdfArch_GroupOp : KtdfArch_Resource<"group",
    [IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "scope of private resources";
  let description = [{
    The body sees only the memories it shares, under the same names; units reach
    the outside by `yield` (A-8). Groups of equal kind with equal captures are
    instances of the same thing.

    Example:

    ```mlir
    %f = group {kind = "corelet"} share(%lx) {
      %u = exec_unit {kind = "SFU"}
      yield %u
    } -> exec_unit
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$id, OptionalAttr<AnyAttr>:$kind,
                       Variadic<KtdfArch_MemoryType>:$shared);
  let results = (outs Variadic<KtdfArch_ExecUnitType>:$units);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def KtdfArch_YieldOp : KtdfArch_Op<"yield",
    [HasParent<"GroupOp">, Pure, Terminator]> {
  let summary = "ends a group";
  let description = [{
    Its operands are the units that the group gives to the outside.

    Example:

    ```mlir
    yield %u
    ```
  }];
  let arguments = (ins Variadic<KtdfArch_ExecUnitType>:$units);
  let assemblyFormat = "($units^)? attr-dict";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange{});
  }]>];
}

def KtdfArch_PatternsOp : KtdfArch_Op<"patterns", [HasParent<"DeviceOp">]> {
  let summary = "rewrites that come with the device";
  let description = [{
    Holds `pdl.pattern` ops only (A-9), in the named groups. The patterns are
    kept as the text they were read from and printed as they were: nothing here
    runs them, and so nothing depends on the dialect they are written in.

    Example:

    ```mlir
    patterns ["pre_scheduling"] {
      pdl.pattern : benefit(1) {
        %op = operation "math.exp"
        rewrite %op with "mine"
      }
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrArrayAttr>:$groups,
                       DefaultValuedAttr<StrAttr, "\"\"">:$text);
  let hasCustomAssemblyFormat = 1;
}

#endif // KTIR_DIALECT_KTDFARCH_KTDFARCHOPS_TD
