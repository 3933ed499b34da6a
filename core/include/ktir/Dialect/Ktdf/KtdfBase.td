//===- KtdfBase.td - The ktdf dialect, its types and attributes -*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDF_KTDFBASE_TD
#define KTIR_DIALECT_KTDF_KTDFBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def KtdfDialect : Dialect {
  let name = "ktdf";
  let cppNamespace = "::ktir::ktdf";
  let summary = "Schedule IR: pipelines of stages with explicit transfers";
  let description = [{
    The level between KTIR and unit programs. A kernel is a sequential program
    per core whose leaves are *pipelines*: stages that move data between
    memories and FIFO slots or compute on it, ordered by tokens. The dialect
    says what moves where and in which order; it does not say which instruction
    stream of the machine does it until `applicable_units` names one.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Ktdf_LoopType : I32EnumAttr<"LoopType",
    "whether the iterations of a loop are independent", [
      I32EnumAttrCase<"ParallelLoop", 0, "parallel_loop">,
      I32EnumAttrCase<"ReductionLoop", 1, "reduction_loop">
    ]> {
  let cppNamespace = "::ktir::ktdf";
  let genSpecializedAttr = 0;
}

def Ktdf_LoopTypeAttr : EnumAttr<KtdfDialect, Ktdf_LoopType, "loop_type"> {
  let summary = "kind of an `scf.for`";
  let description = [{
    Attached to `scf.for` as the discardable attribute `loop_type`.
    `parallel_loop` promises that the iterations are independent; passes trust
    it and carry it over when they rewrite the loop. `reduction_loop`, or no
    attribute at all, means that the iterations run in order.

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
    } {loop_type = #ktdf.loop_type<parallel_loop>}
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Ktdf_Type<string name, string mnemonic_>
    : TypeDef<KtdfDialect, name> {
  let mnemonic = mnemonic_;
}

def Ktdf_TokenType : Ktdf_Type<"Token", "token"> {
  let summary = "ordering token";
  let description = [{
    Orders the stages of a pipeline: a stage that lists a token in
    `depends_in` starts after the stages that list it in `depends_out`. A token
    carries no data.
  }];
}

def Ktdf_FifoSlotType : Ktdf_Type<"FifoSlot", "fifo.slot"> {
  let summary = "one message class of an ordered channel";
  let description = [{
    A slot of the channel from unit kind `source` to unit kind `destination`
    that carries messages of `size` elements. `?` is a size known only at run
    time, given to `ktdf.fifo.allocate`. Source and destination are usually
    unit-kind strings; before paths are expanded they may be memory kinds or
    memory-space attributes.

    Example:

    ```mlir
    !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
    !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
    ```
  }];
  let parameters = (ins "::mlir::Attribute":$source,
                        "::mlir::Attribute":$destination,
                        "int64_t":$size,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Builds the slot between two unit kinds given by name. `size` is a number
    /// of elements, or `ShapedType::kDynamic`.
    static FifoSlotType get(::mlir::MLIRContext *context,
                            ::llvm::StringRef source,
                            ::llvm::StringRef destination, int64_t size,
                            ::mlir::Type elementType);

    /// True if the size is known only at run time.
    bool isDynamic() const;
  }];
}

#endif // KTIR_DIALECT_KTDF_KTDFBASE_TD
