//===- KtdpDialect.td - The ktdp dialect -------------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDP_DIALECT_TD
#define KTIR_DIALECT_KTDP_DIALECT_TD

include "mlir/IR/OpBase.td"

def Ktdp_Dialect : Dialect {
  let name = "ktdp";
  let cppNamespace = "::ktir::ktdp";
  let summary = "Tiles, memory views and access tiles of KTIR kernels";
  let description = [{
    A KTIR kernel is one program that every compute tile of a grid executes.
    This dialect names the executing tile, describes how a tensor lies in a
    memory (a *view*), selects coordinates of a view (an *access tile*) and
    moves the selected elements between memory and tensor values.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  // Folded bounds and tile ids become `arith.constant`.
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Names under which attributes and types are printed as aliases, without
    /// `#` and `!`; for a printer that keeps the names of a source text.
    struct AliasNames {
      ::llvm::DenseMap<::mlir::Attribute, std::string> attributes;
      ::llvm::DenseMap<::mlir::Type, std::string> types;
    };
    void setAliasNames(AliasNames names) { aliasNames = std::move(names); }
    const AliasNames &getAliasNames() const { return aliasNames; }

  private:
    AliasNames aliasNames;

  public:
  }];
}

#endif // KTIR_DIALECT_KTDP_DIALECT_TD
