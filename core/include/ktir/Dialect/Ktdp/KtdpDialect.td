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
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Whether spellings of early KTIR files are refused (`true`) or read as
    /// their successors. Default: read.
    void setStrict(bool value) { strict = value; }
    bool isStrict() const { return strict; }

  private:
    bool strict = false;

  public:
  }];
}

#endif // KTIR_DIALECT_KTDP_DIALECT_TD
