//===- Passes.td - Passes on KTIR --------------------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDP_PASSES_TD
#define KTIR_DIALECT_KTDP_PASSES_TD

include "mlir/Pass/PassBase.td"

def KtirCheckLegality : Pass<"ktir-check-legality", "::mlir::ModuleOp"> {
  let summary = "check the rules of KTIR that span several operations";
  let description = [{
    Verifiers look at one operation. This pass checks the kernel as a whole:
    its grid, its tile ids, the views it takes apart, and that every production
    is delivered to tiles that can receive it (R2 to R14). It reports every
    violation and changes nothing.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "also refuse operations of dialects that KTIR does not have">,
    Option<"maxTiles", "max-tiles", "int64_t", "0",
           "number of cores of the device; 0 for any">];
}

#endif // KTIR_DIALECT_KTDP_PASSES_TD
