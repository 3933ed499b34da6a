//===- DataflowBase.td - The dataflow dialect --------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_DATAFLOW_DATAFLOWBASE_TD
#define KTIR_DIALECT_DATAFLOW_DATAFLOWBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Dataflow_Dialect : Dialect {
  let name = "dataflow";
  let cppNamespace = "::ktir::dataflow";
  let summary = "sequential programs of concurrent hardware units";
  let description = [{
    A function of this dialect describes a machine's work as one sequential
    program for each kind of unit. Units share nothing but memories; they hand
    vectors to each other through channels (`send`, `receive`) and order their
    memory accesses with counting semaphores (`sync_send`, `sync_recv`).

    Units, groups of units and memories are all named by handles of type
    `index`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Enums and attributes
//===----------------------------------------------------------------------===//

def Dataflow_Direction : I32Enum<"Direction", "way round a ring", [
    I32EnumCase<"PseudoRandom", 0>,
    I32EnumCase<"CounterClockwise", 1>,
    I32EnumCase<"Clockwise", 2>,
    I32EnumCase<"BothWays", 3>
  ]> {
  let cppNamespace = "::ktir::dataflow";
}

def Dataflow_DirectionAttr
    : EnumAttr<Dataflow_Dialect, Dataflow_Direction, "direction"> {
  let summary = "routing hint of a message on a ring";
  let description = [{
    Has no effect on the result of a program.

    Example: `#dataflow<direction Clockwise>`
  }];
}

def Dataflow_CustomKind : I32Enum<"CustomKind", "scalar format without a "
    "builtin type", [
    I32EnumCase<"MXFP4", 0, "mxfp4">,
    I32EnumCase<"MXFP8", 1, "mxfp8">,
    I32EnumCase<"MXINT4", 2, "mxint4">
  ]> {
  let cppNamespace = "::ktir::dataflow";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Dataflow_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Dataflow_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Dataflow_Custom
    : Dataflow_Type<"Custom", "custom", [MemRefElementTypeInterface]> {
  let summary = "scalar in a block-scaled format";
  let description = [{
    An element of a microscaling format: 4-bit or 8-bit float, or 4-bit
    integer.

    Example: `!dataflow.custom<mxfp4>`
  }];
  let parameters = (ins EnumParameter<Dataflow_CustomKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
  let extraClassDeclaration = [{
    /// Width of the scalar in bits.
    unsigned getWidth() const;
  }];
}

def Dataflow_MXFP : Dataflow_Type<"MXFP", "mxfp", [MemRefElementTypeInterface]> {
  let summary = "block-scaled float of a given width in bits";
  let description = [{
    Example: `!dataflow.mxfp<8>`
  }];
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
  let genVerifyDecl = 1;
}

def Dataflow_MXInt
    : Dataflow_Type<"MXInt", "mxint", [MemRefElementTypeInterface]> {
  let summary = "block-scaled integer of a given width in bits";
  let description = [{
    Example: `!dataflow.mxint<4>`
  }];
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
  let genVerifyDecl = 1;
}

def Dataflow_CustomVector : Dataflow_Type<"CustomVector", "custom_vector"> {
  let summary = "flat vector of an element type that builtin vectors refuse";
  let description = [{
    `!dataflow.custom_vector<NxT>` has N elements of type T, as `vector<NxT>`
    has.

    Example: `!dataflow.custom_vector<64x!dataflow.custom<mxfp4>>`
  }];
  let parameters = (ins "int64_t":$length, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // KTIR_DIALECT_DATAFLOW_DATAFLOWBASE_TD
