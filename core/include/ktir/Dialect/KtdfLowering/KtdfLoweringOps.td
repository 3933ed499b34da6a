//===- KtdfLoweringOps.td - The ktdf_lowering dialect -------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGOPS_TD
#define KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGOPS_TD

include "mlir/IR/OpBase.td"

def KtdfLoweringDialect : Dialect {
  let name = "ktdf_lowering";
  let cppNamespace = "::ktir::ktdf_lowering";
  let summary = "Schedule IR bound to units, with its synchronisation placed";
  let description = [{
    The level between schedule IR and unit programs. The program is still one
    sequence per core; `execute_on` says which units run a part of it, and
    `signal` where units wait for each other. Running it in order, without
    regard to either op, computes what the schedule IR computes.
  }];
}

class KtdfLowering_Op<string mnemonic, list<Trait> traits = []>
    : Op<KtdfLoweringDialect, mnemonic, traits>;

def KtdfLowering_ExecuteOnOp : KtdfLowering_Op<"execute_on",
    [NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "runs its body on the named units";
  let description = [{
    Units are index values, results of `dataflow.get_unit` or of
    `uniform.query_map` keyed by the compute-tile id. Nested in another
    `execute_on`, the innermost op decides; an op outside of every `execute_on`
    runs on every unit (L-1). At least one unit.

    Example:

    ```mlir
    ktdf_lowering.execute_on %u, %w {
      ktdf_lowering.signal %u, %w
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$units);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$units $body attr-dict";
  let skipDefaultBuilders = 1;
  // Leaves an empty body, in which ops are then inserted.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$units)>];
  let hasVerifier = 1;
}

def KtdfLowering_SignalOp : KtdfLowering_Op<"signal"> {
  let summary = "rendezvous of units";
  let description = [{
    No unit named passes before all named units have arrived (L-2). The op has
    unknown side effects, so it is never removed or moved. It takes two or more
    units to mean anything; one alone is accepted and waits for nothing (L-3).

    Example:

    ```mlir
    ktdf_lowering.signal %u, %w
    ```
  }];
  let arguments = (ins Variadic<Index>:$units);
  let assemblyFormat = "$units attr-dict";
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_KTDFLOWERING_KTDFLOWERINGOPS_TD
