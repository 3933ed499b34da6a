//===- Passes.td - Passes from schedule IR to DataflowIR ---*- tablegen -*-===//

#ifndef KTIR_LOWER_PASSES_TD
#define KTIR_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def KtdfToKtdfLowering
    : Pass<"ktdf-to-ktdflowering", "::mlir::ModuleOp"> {
  let summary = "bind stages to units and place signals";
  let description = [{
    Makes a handle for every unit that a program uses, on every core, replaces
    stages by `ktdf_lowering.execute_on`, and puts a rendezvous between two
    stages where one writes a memory that the other reads. Stages joined by a
    FIFO need none.
  }];
  let dependentDialects = ["::ktir::ktdf_lowering::KtdfLoweringDialect",
                           "::ktir::dataflow::DataflowDialect",
                           "::ktir::uniform::UniformDialect"];
}

def KtdfLoweringToDfir
    : Pass<"ktdflowering-to-dfir", "::mlir::ModuleOp"> {
  let summary = "give each kind of unit a program of its own";
  let description = [{
    For every unit kind, one `dataflow.program_unit` over all its units holds
    the part of the program that they execute: transfers as accesses and
    messages, signals as pairs of `sync_send` and `sync_recv`, compute on
    vectors. What differs between units is looked up in `uniform` mappings;
    addresses that depend on the kernel's arguments become symbols. From here on
    a program's arguments count bytes; the kernel converts.
  }];
  let dependentDialects = ["::ktir::dataflow::DataflowDialect",
                           "::ktir::agen::AgenDialect",
                           "::ktir::vectorchain::VectorChainDialect",
                           "::ktir::uniform::UniformDialect",
                           "::ktir::symbol::SymbolDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def WrapProgramDfir : Pass<"wrap-program-dfir", "::mlir::ModuleOp"> {
  let summary = "split each program into a wrapper and a body";
  let description = [{
    The wrapper keeps the arguments and binds the symbols; the body takes no
    arguments and sees run inputs as symbols only (spec E-10 to E-12). A program
    that uses an argument for anything else keeps one level (E-13).
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // KTIR_LOWER_PASSES_TD
