//===- Passes.td - Passes from KTIR to schedule IR ---------*- tablegen -*-===//

#ifndef KTIR_SCHEDULE_PASSES_TD
#define KTIR_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def EnsureDeviceDeclaration
    : Pass<"ensure-device-declaration", "::mlir::ModuleOp"> {
  let summary = "declare the device that the module is scheduled for";
  let description = [{
    Inserts an importing `ktdf_arch.device` unless the module declares a device
    already; one that is there wins over the option.
  }];
  let options = [Option<"device", "device", "std::string", "\"spyre.mlir\"",
                        "path that the inserted declaration imports">];
  let dependentDialects = ["::ktir::ktdf_arch::KtdfArchDialect"];
}

def KtirLegalityCheck : Pass<"ktir-legality-check", "::mlir::ModuleOp"> {
  let summary = "reject kernels that the scheduler does not take";
  let description = [{
    Reports the first operation, in text order, that is outside of what the
    passes after this one lower: straight-line kernels on a grid of one
    dimension that load boxes of f16 tensors from device memory, combine them
    elementwise and store the results. Changes nothing.
  }];
}

def ComputeGroupExtraction
    : Pass<"compute-group-extraction", "::mlir::ModuleOp"> {
  let summary = "outline each compute group into a module of its own";
  let description = [{
    A compute group is a set of stores with everything they are computed from;
    stores that share a load belong to one group. The kernel keeps its
    signature and calls one function per group, in program order.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ConstructThreeStagePipeline
    : Pass<"construct-three-stage-pipeline", "::mlir::ModuleOp"> {
  let summary = "turn each compute group into a load-compute-store pipeline";
  let description = [{
    Fuses the elementwise operations of the group into one `linalg.generic`
    over one vector, builds a loop per dimension, and puts a pipeline of three
    stages joined by FIFO slots into the innermost one.
  }];
  let dependentDialects = ["::ktir::ktdf::KtdfDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PathExpansion : Pass<"path-expansion", "::mlir::ModuleOp"> {
  let summary = "route each transfer over the device, one stage per hop";
  let description = [{
    Replaces the transfer between a memory and the compute unit by the shortest
    path through the device: a stage for every load or store unit on it, a
    scratchpad buffer wherever it passes a memory.
  }];
  let dependentDialects = ["::ktir::ktdf::KtdfDialect",
                           "::mlir::memref::MemRefDialect"];
}

def StageCoarsening : Pass<"stage-coarsening", "::mlir::ModuleOp"> {
  let summary = "move whole blocks to the scratchpad at once";
  let description = [{
    Splits the loops around a pipeline into block loops and point loops. The
    stages that fill and drain the scratchpad move a whole block; those joined
    by FIFOs become a nested pipeline inside the point loops. Blocks are as
    large as the scratchpad (two copies of every buffer where there is more
    than one block) and `block-bytes` allow.
  }];
  let options = [Option<"blockBytes", "block-bytes", "int64_t", "32768",
                        "largest size of a block's buffer in bytes">];
  let dependentDialects = ["::ktir::ktdf::KtdfDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect"];
}

def DoubleBuffering : Pass<"double-buffering", "::mlir::ModuleOp"> {
  let summary = "give each block buffer a second copy";
  let description = [{
    A buffer that one stage fills and a later one drains, inside a loop, is
    replaced by two above the loop and a selection by iteration, so that the
    next block may be written while the last is still read.
  }];
  let dependentDialects = ["::ktir::ktdf::KtdfDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ParallelizeLoopsAcrossInstances
    : Pass<"parallelize-loops-across-instances", "::mlir::ModuleOp"> {
  let summary = "distribute a point loop over the corelets";
  let description = [{
    Replaces one parallel loop around a pipeline whose units exist several
    times per core by a `ktdf.parallel` over the instances.
  }];
  let dependentDialects = ["::ktir::ktdf::KtdfDialect"];
}

def AddressAssignment : Pass<"address-assignment", "::mlir::ModuleOp"> {
  let summary = "place buffers in their memories";
  let description = [{
    Gives every buffer of a program an address of its own, from 0 upwards and
    aligned to `alignment` bytes. Programs run one after the other, so each
    starts from 0 again. A memory that is too small is an error.
  }];
  let options = [Option<"alignment", "alignment", "int64_t", "128",
                        "alignment of buffers in bytes">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // KTIR_SCHEDULE_PASSES_TD
