//===- DataflowOps.td - Operations of the dataflow dialect -*- tablegen -*-===//

#ifndef KTIR_DIALECT_DATAFLOW_DATAFLOWOPS_TD
#define KTIR_DIALECT_DATAFLOW_DATAFLOWOPS_TD

include "ktir/Dialect/Dataflow/DataflowBase.td"
include "ktir/Dialect/Dataflow/FlatVector.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Messages in flight between units. Apart from memory, so that an analysis can
// tell a message from a store.
def Dataflow_Channels : Resource<"::ktir::dataflow::ChannelResource">;

class Dataflow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dataflow_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

def Dataflow_GetUnitOp : Dataflow_Op<"get_unit", [Pure]> {
  let summary = "handle of a unit or a memory";
  let description = [{
    Yields the handle of the unit or memory called `name`. `type` is its kind
    in lower case. `core` and `corelet` say where it sits; a memory shared by
    all cores has neither, a scratchpad has no corelet. Two handles are of the
    same unit when their names are equal (spec D-1, D-2).

    Several results are handles of one unit for consecutive program time steps:
    the program of result k runs after that of result k-1.

    Example:

    ```mlir
    %u = dataflow.get_unit {core = 0 : i32, corelet = 1 : i32,
                            name = "C0-sfu-CL1", type = "sfu"} : index
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$core,
                       OptionalAttr<I32Attr>:$corelet,
                       StrAttr:$name, StrAttr:$type);
  let results = (outs Variadic<Index>:$handles);
  let assemblyFormat = "attr-dict `:` type($handles)";
  let builders = [
    // One handle; `core` and `corelet` are left out when absent.
    OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::StringRef":$type,
                   CArg<"std::optional<int32_t>", "std::nullopt">:$core,
                   CArg<"std::optional<int32_t>", "std::nullopt">:$corelet)>
  ];
  let extraClassDeclaration = [{
    /// The unit's name, unique per unit.
    ::llvm::StringRef getUnitName() { return getName(); }
    /// The unit's kind, in lower case.
    ::llvm::StringRef getUnitType() { return getType(); }
    /// The handle; the first one where there are several.
    ::mlir::Value getHandle() { return getHandles().front(); }
  }];
  let hasVerifier = 1;
}

def Dataflow_GetLocalUnitOp : Dataflow_Op<"get_local_unit", [Pure]> {
  let summary = "handle of a unit that sits where a given unit sits";
  let description = [{
    Example:

    ```mlir
    %l = dataflow.get_local_unit %me {name = "C3-l1lu"} : index
    ```
  }];
  let arguments = (ins Index:$id, StrAttr:$name);
  let results = (outs Index:$handle);
  let assemblyFormat = "$id attr-dict `:` type($handle)";
}

def Dataflow_ProgramUnitOp
    : Dataflow_Op<"program_unit",
                  [SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "the sequential program of a kind of unit";
  let description = [{
    Every operand is a unit that executes the body; in it the block argument,
    if there is one, is the handle of the executing unit. The body sees the
    values of the surrounding function. Programs of one unit run in the order
    of the text (spec D-3 to D-5). `precision` is a label without effect.

    The terminator is implied by the custom form.

    Example:

    ```mlir
    dataflow.program_unit iter_arg : %me -> (%u0, %u1) : {
      %v = dataflow.receive %peer : vector<64xf16>
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$units, OptionalAttr<StrAttr>:$precision);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // A program with a handle argument and an empty body; the insertion point
    // of the builder does not move.
    OpBuilder<(ins "::mlir::ValueRange":$units,
                   CArg<"::mlir::StringAttr", "{}">:$precision)>
  ];
  let extraClassDeclaration = [{
    /// Handle of the executing unit, or null for a body without argument.
    ::mlir::BlockArgument getHandle();
    /// The op that makes operand `index`, or null where it is not a
    /// `get_unit` (which the verifier rejects).
    GetUnitOp getUnitOp(unsigned index);
    /// Kind of the units, equal for all operands; empty without operands.
    ::llvm::StringRef getUnitType();
  }];
  let hasVerifier = 1;
}

def Dataflow_ReturnOp
    : Dataflow_Op<"return", [Pure, Terminator, HasParent<"ProgramUnitOp">]> {
  let summary = "end of a unit's program";
  let description = [{
    Implied by the custom form of `dataflow.program_unit`; it has a generic
    form only.

    Example: `"dataflow.return"() : () -> ()`
  }];
}

def Dataflow_CreateGroupOp : Dataflow_Op<"create_group", [Pure]> {
  let summary = "set of units as one handle";
  let description = [{
    The group can be a key of a mapping, an entry of a region's unit list, or
    the destination of a message to every member.

    Example:

    ```mlir
    %g = dataflow.create_group(%u0, %u1 : index, index) : index
    ```
  }];
  let arguments = (ins Variadic<Index>:$members);
  let results = (outs Index:$group);
  let assemblyFormat = [{
    `(` ($members^ `:` type($members))? `)` attr-dict `:` type($group)
  }];
}

def Dataflow_CreateMulticastGroupOp
    : Dataflow_Op<"create_multicast_group", [Pure]> {
  let summary = "channel from one producer to many consumers";
  let description = [{
    Both ends create the group: the producer sends to it, every consumer
    receives each message once and in order. Without a list, consumers are
    those who receive on a group of equal producer and `group_id`. `count` is
    the number of requests outstanding at the start.

    Example:

    ```mlir
    %mc = dataflow.create_multicast_group(%p -> (%q, %r))
      {count = 0 : i32, group_id = 3 : i32, num_consumers = 2 : i32} : index
    ```
  }];
  let arguments = (ins Index:$producer, Variadic<Index>:$consumers,
                       I32Attr:$count, I32Attr:$group_id,
                       I32Attr:$num_consumers);
  let results = (outs Index:$group);
  let assemblyFormat = [{
    `(` $producer `->` `(` $consumers `)` `)` attr-dict `:` type($group)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

def Dataflow_SendOp
    : Dataflow_Op<"send", [MemoryEffects<[MemRead<Dataflow_Channels>,
                                          MemWrite<Dataflow_Channels>]>]> {
  let summary = "hand a vector to another unit";
  let description = [{
    Appends `value` to the channel from the executing unit to `to`, waiting
    while the channel is full. `to` may be a group (the message goes to each
    member) or a multicast group (spec D-6 to D-9).

    Example:

    ```mlir
    dataflow.send %to, %v : vector<64xf16>
    ```
  }];
  let arguments = (ins Index:$to, Dataflow_FlatVector:$value,
                       OptionalAttr<Dataflow_DirectionAttr>:$dir);
  let assemblyFormat = "$to `,` $value attr-dict `:` type($value)";
}

def Dataflow_ReceiveOp
    : Dataflow_Op<"receive", [MemoryEffects<[MemRead<Dataflow_Channels>,
                                             MemWrite<Dataflow_Channels>]>]> {
  let summary = "take a vector from another unit";
  let description = [{
    Removes the oldest message of the channel from `from` to the executing
    unit, waiting while there is none. The message's type must be that of the
    result (spec D-6 to D-9).

    Example:

    ```mlir
    %v = dataflow.receive %from : vector<64xf16>
    ```
  }];
  let arguments = (ins Index:$from);
  let results = (outs Dataflow_FlatVector:$value);
  let assemblyFormat = "$from attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Synchronisation
//
// These order accesses to every memory, so they read and write the default
// resource: nothing moves across them.
//===----------------------------------------------------------------------===//

def Dataflow_SyncSendOp
    : Dataflow_Op<"sync_send", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "raise the semaphore towards another unit";
  let description = [{
    Completes the memory transfers that the executing unit issued before, then
    increments the semaphore from it to `to`. Never blocks. Sent to oneself it
    is a fence only (spec D-11 to D-13).

    Example:

    ```mlir
    dataflow.sync_send %to {wait_immediately_for_async_transfers = true} : index
    ```
  }];
  let arguments = (ins Index:$to,
      OptionalAttr<BoolAttr>:$wait_immediately_for_async_transfers);
  let assemblyFormat = "$to attr-dict `:` type($to)";
}

def Dataflow_SyncRecvOp
    : Dataflow_Op<"sync_recv", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lower the semaphore of another unit";
  let description = [{
    Waits until the semaphore from `from` to the executing unit is positive,
    then decrements it (spec D-11).

    Example:

    ```mlir
    dataflow.sync_recv %from : index
    ```
  }];
  let arguments = (ins Index:$from);
  let assemblyFormat = "$from attr-dict `:` type($from)";
}

def Dataflow_ImplicitSyncOnStreamingBufferOp
    : Dataflow_Op<"implicit_sync_on_streaming_buffer",
                  [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "rendezvous with a unit on every block of a buffer";
  let description = [{
    Every `size` elements of the view that the two units write and read act as
    a rendezvous between them. Only parsed and verified (spec D-14).

    Example:

    ```mlir
    dataflow.implicit_sync_on_streaming_buffer %view, %unit, %size
      : memref<64xf16>, index, index
    ```
  }];
  let arguments = (ins AnyMemRef:$view, Index:$unit, Index:$size);
  let assemblyFormat = [{
    $view `,` $unit `,` $size attr-dict
    `:` type($view) `,` type($unit) `,` type($size)
  }];
}

//===----------------------------------------------------------------------===//
// Memory views
//===----------------------------------------------------------------------===//

def Dataflow_GetLogicalMemoryViewOp
    : Dataflow_Op<"get_logical_memory_view", [Pure]> {
  let summary = "array over the addresses of a memory";
  let description = [{
    Element at index i of the result lies in the memory `mem_unit`, at `start`
    plus `layout_map(i)`. `layout_map` counts elements. What `start` counts is
    told by the discardable string attribute `addr_unit` ("element", "byte" or
    "word"); without it, words if the address comes from a symbol, else
    elements (spec D-16, D-17, section 2.5). The attribute is required for
    elements of less than a byte.

    Example:

    ```mlir
    %m = dataflow.get_logical_memory_view %lx, %c512
      {addr_unit = "byte", layout_map = affine_map<(d0) -> (d0)>}
      : index, index, memref<128xf16>
    ```
  }];
  let arguments = (ins Index:$mem_unit, Index:$start, AffineMapAttr:$layout_map);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = [{
    $mem_unit `,` $start attr-dict
    `:` type($mem_unit) `,` type($start) `,` type($view)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::MemRefType":$type, "::mlir::Value":$memUnit,
                   "::mlir::Value":$start, "::mlir::AffineMap":$layoutMap,
                   "AddrUnit":$addrUnit)>
  ];
  let extraClassDeclaration = [{
    /// Name of the discardable attribute that says what `start` counts.
    static constexpr ::llvm::StringLiteral getAddrUnitAttrName() {
      return "addr_unit";
    }
    /// What `start` counts as far as the text says; nullopt without the
    /// attribute.
    std::optional<AddrUnit> getAddrUnit();
    void setAddrUnit(AddrUnit unit);
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
  }];
  let hasVerifier = 1;
}

def Dataflow_GetPagedLogicalMemoryViewOp
    : Dataflow_Op<"get_paged_logical_memory_view", [Pure]> {
  let summary = "array whose parts lie at addresses of their own";
  let description = [{
    Index i must lie in exactly one of the page sets; the element is at that
    page's start address plus `layout_map(i)` (spec D-18, D-19).

    Example:

    ```mlir
    %m = dataflow.get_paged_logical_memory_view %hbm, %c0
      {layout_map = affine_map<(d0) -> (d0)>}
      {segments =
        page0: (idx_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>,
                start_addr = %c4096),
        page1: (idx_set = affine_set<(d0) : (d0 - 64 >= 0, -d0 + 127 >= 0)>,
                start_addr = %c512)}
      : index, index, memref<128xf16>
    ```
  }];
  let arguments = (ins Index:$mem_unit, Index:$start,
                       Variadic<Index>:$start_addrs, AffineMapAttr:$layout_map,
                       ArrayAttr:$idx_sets);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = [{
    $mem_unit `,` $start attr-dict
    custom<PageSegments>($idx_sets, $start_addrs)
    `:` type($mem_unit) `,` type($start) `,` type($view)
  }];
  let extraClassDeclaration = [{
    unsigned getNumPages() { return getStartAddrs().size(); }
    ::mlir::IntegerSet getPageSet(unsigned page) {
      return ::llvm::cast<::mlir::IntegerSetAttr>(getIdxSets()[page])
          .getValue();
    }
    ::mlir::MemRefType getViewType() {
      return ::llvm::cast<::mlir::MemRefType>(getView().getType());
    }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Opaque
//===----------------------------------------------------------------------===//

def Dataflow_OpaqueOp
    : Dataflow_Op<"opaque", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "named template on the unit's registers";
  let description = [{
    Runs the template `func_name`. The dictionaries give its variables:
    physical registers that it may write, registers that it only reads, and
    plain parameters, each as a string (spec D-20).

    Example:

    ```mlir
    dataflow.opaque {func_name = "gelu", parameter_dictionary = {},
                     read_only_register_dictionary = {c0 = "R2"},
                     read_write_register_dictionary = {x = "R0"}}
    ```
  }];
  let arguments = (ins StrAttr:$func_name,
                       DictionaryAttr:$read_write_register_dictionary,
                       DictionaryAttr:$read_only_register_dictionary,
                       DictionaryAttr:$parameter_dictionary);
  let assemblyFormat = "attr-dict";
}

#endif // KTIR_DIALECT_DATAFLOW_DATAFLOWOPS_TD
