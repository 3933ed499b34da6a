//===- SpyreOpDialect.td - The spyreop dialect -------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_SPYREOP_DIALECT_TD
#define KTIR_DIALECT_SPYREOP_DIALECT_TD

include "mlir/IR/DialectBase.td"

def SpyreOp_Dialect : Dialect {
  let name = "spyreop";
  let cppNamespace = "::ktir::spyreop";
  let summary = "Functions that the device computes by itself";
  let description = [{
    Scalar functions for the bodies of `linalg.generic`, each a single step of
    the device where `arith` and `math` would take several. No kernel needs
    them: what `arith` and `math` say stays legal beside them. All are pure.

    No value is converted silently: `f16` and `!spyreop.df16` take up the same
    space and are different types. Results are computed in 32-bit float and
    rounded once, unless the device approximates them.

    ```mlir
    %y = linalg.generic {indexing_maps = [#id, #id],
                         iterator_types = ["parallel"]}
         ins(%x : tensor<64xf16>) outs(%e : tensor<64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %s = spyreop.sigmoid %in : f16
      linalg.yield %s : f16
    } -> tensor<64xf16>
    ```
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

#endif // KTIR_DIALECT_SPYREOP_DIALECT_TD
