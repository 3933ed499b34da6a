//===- KtdfArchBase.td - The ktdf_arch dialect and its types -*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDFARCH_KTDFARCHBASE_TD
#define KTIR_DIALECT_KTDFARCH_KTDFARCHBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def KtdfArchDialect : Dialect {
  let name = "ktdf_arch";
  let cppNamespace = "::ktir::ktdf_arch";
  let summary = "Description of a machine";
  let description = [{
    A graph of memories, execution units and switch ports, linked by datapaths
    and nested in groups. It is read by passes and by the engine, and never
    executed.

    Attributes whose name begins with `ktdf_arch.` are intrinsic properties;
    only these exist (A-13):

    | Property | On | Value |
    |---|---|---|
    | `ktdf_arch.bandwidth` | datapaths | i64 > 0, bytes per unit of time |
    | `ktdf_arch.transfer_granularity` | datapaths | unique i64 >= 0, bytes |
    | `ktdf_arch.features` | resources, and ops of other dialects that require them | dictionary |
    | `ktdf_arch.maps_to` | ops of other dialects | any |
    | `ktdf_arch.overlaps` | resources | array |

    The dictionary of features holds these, each a unit or a record (A-14):

    | Feature | On | Fields |
    |---|---|---|
    | `ktdf_arch.feature.compute` | execution units | none |
    | `ktdf_arch.feature.load`, `.store` | execution units | `word_size`, `access_granularity` |
    | `ktdf_arch.feature.simd` | execution units | `splat`, `zero_pad`, `lanes` |
    | `ktdf_arch.feature.queue` | datapaths | `ordered`, `size`, `depth` |
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Reads a file that holds a device, given its path; nullopt when there is
    /// none.
    using FileReader =
        std::function<std::optional<std::string>(::llvm::StringRef path)>;

    /// Makes `text` the contents of an imported `path`, in place of a file of
    /// that name (A-10).
    void registerDeviceSource(::llvm::StringRef path, ::llvm::StringRef text);

    /// Sets how paths without a registered text are read. Without a reader,
    /// which is the default, no file is ever opened.
    void setDeviceFileReader(FileReader reader);

    /// The text that the import of `path` from a file `importer` denotes, and
    /// the path it was found at; nullopt when there is none. A registered text
    /// wins over a file, and a relative path counts from the importer's folder,
    /// or from the current one when the importer is standard input.
    std::optional<std::pair<std::string, std::string>>
    readDeviceSource(::llvm::StringRef path, ::llvm::StringRef importer) const;

    /// True if `path` has a registered text.
    bool hasDeviceSource(::llvm::StringRef path) const;

    /// Grows with every registration, so that what was made from a registered
    /// text can be told to be out of date.
    unsigned getSourceVersion() const { return sourceVersion; }

  private:
    ::llvm::StringMap<std::string> deviceSources;
    FileReader deviceFileReader;
    unsigned sourceVersion = 0;

  public:
  }];
}

class KtdfArch_Type<string name, string mnemonic_>
    : TypeDef<KtdfArchDialect, name> {
  let mnemonic = mnemonic_;
}

def KtdfArch_MemoryType : KtdfArch_Type<"Memory", "memory"> {
  let summary = "addressable storage";
  let description = "Written `memory` in the ops of a device.";
}
def KtdfArch_ExecUnitType : KtdfArch_Type<"ExecUnit", "exec_unit"> {
  let summary = "something with an instruction stream";
  let description = "Written `exec_unit` in the ops of a device.";
}
def KtdfArch_PortType : KtdfArch_Type<"Port", "port"> {
  let summary = "port of a switch";
  let description = "Written `port` in the ops of a device.";
}

def KtdfArch_MapAttr : AttrDef<KtdfArchDialect, "Map"> {
  let mnemonic = "map";
  let summary = "ordered map from attributes to attributes";
  let description = [{
    Keys are unique (A-12) and keep their order.

    Example:

    ```mlir
    #ktdf_arch.map<"DDR" = 128, "LX" = 2>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$keys,
                        ArrayRefParameter<"::mlir::Attribute">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The value of `key`, or null.
    ::mlir::Attribute lookup(::mlir::Attribute key) const;
  }];
}

#endif // KTIR_DIALECT_KTDFARCH_KTDFARCHBASE_TD
