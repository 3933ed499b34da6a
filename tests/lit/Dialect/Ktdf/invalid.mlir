// One violation of each rule of the schedule level.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// K-1
func.func @f(%n: index) {
  // expected-error @+1 {{number of dynamic size operands (1) must match number of dynamic sizes in result types (0)}}
  %s = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-1
func.func @f() {
  // expected-error @+1 {{number of dynamic size operands (0) must match number of dynamic sizes in result types (1)}}
  %s = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"A" -> "B", ?xf16>
  return
}

// -----

// A slot has a size of one dimension, and at least one element.
// expected-error @+1 {{expected one FIFO slot dimension, got 2}}
func.func private @f(!ktdf.fifo.slot<"A" -> "B", 4x4xf16>)

// -----

// expected-error @+1 {{expected FIFO slot size >= 1, got 0}}
func.func private @f(!ktdf.fifo.slot<"A" -> "B", 0 x f16>)

// -----

// expected-error @+1 {{expected a scalar FIFO slot element type, got 'tensor<4xf16>'}}
func.func private @f(!ktdf.fifo.slot<"A" -> "B", 4xtensor<4xf16>>)

// -----

// K-2
func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{failed to verify that all of {fifo_slot, result} have same element type: 'f16' in the slot, 'f32' in the data}}
  %v = ktdf.read_from_fifo %s : <"A" -> "B", 4xf16> -> tensor<4xf32>
  return
}

// -----

// K-2
func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{FIFO slot and data must both be dynamic or both be static}}
  %v = ktdf.read_from_fifo %s : <"A" -> "B", 4xf16> -> tensor<?xf16>
  return
}

// -----

// K-2
func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 8xf16>) {
  // expected-error @+1 {{data total elements (4) must match FIFO slot size (8)}}
  %v = ktdf.read_from_fifo %s : <"A" -> "B", 8xf16> -> tensor<2x2xf16>
  return
}

// -----

// K-2
func.func @f(%v: memref<4xf32>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{failed to verify that all of {data, fifo_slot} have same element type: 'f16' in the slot, 'f32' in the data}}
  ktdf.write_to_fifo %v, %s : memref<4xf32>, <"A" -> "B", 4xf16>
  return
}

// -----

// K-7
func.func @f(%n: index) {
  // expected-error @+1 {{must have at least one [iv : tile_size] pair}}
  %r = ktdf.tiling.derive_size total_size = %n : index
  return
}

// -----

// K-7
func.func @f() {
  // expected-error @+1 {{must have at least one [iv : stride] pair}}
  %r = ktdf.tiling.linearize_index : index
  return
}

// -----

// The attributes of a reserved size are both there and positive.
func.func @f() {
  // expected-error @+1 {{requires attribute 'divisibility'}}
  %r = ktdf.tiling.reserve_size {min_value = 1 : index} : index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected min_value >= 1, got 0}}
  %r = ktdf.tiling.reserve_size {min_value = 0 : index, divisibility = 1 : index} : index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected divisibility >= 1, got -2}}
  %r = ktdf.tiling.reserve_size {min_value = 1 : index, divisibility = -2 : index} : index
  return
}

// -----

// K-11
func.func @f() {
  // expected-error @+1 {{immediate children must be 'ktdf.stage' or 'ktdf.private' ops}}
  ktdf.pipeline {
    // expected-note @+1 {{found 'arith.constant' here}}
    %c = arith.constant 0 : index
  }
  return
}

// -----

// K-11
func.func @f() {
  // expected-error @+1 {{at most one immediate 'ktdf.private' child is allowed}}
  ktdf.pipeline {
    ktdf.private {
    }
    // expected-note @+1 {{second 'ktdf.private' is here}}
    ktdf.private {
    }
  }
  return
}

// -----

// K-11
func.func @f() {
  // expected-error @+1 {{attribute 'modulo' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 1}}
  ktdf.pipeline modulo(size: 0) {
  }
  return
}

// -----

// K-12
func.func @f() {
  // expected-error @+1 {{expects parent op 'ktdf.pipeline'}}
  ktdf.stage depends_in(none) depends_out(none) {
  }
  return
}

// -----

// K-12
func.func @f() {
  // expected-error @+1 {{expects parent op 'ktdf.pipeline'}}
  ktdf.private {
  }
  return
}

// -----

// K-13
// expected-note @+1 {{the operand is defined here}}
func.func @f(%t: !ktdf.token) {
  ktdf.pipeline {
    // expected-error @+1 {{depends_out operand must originate from ktdf.create_token or ktdf.private operation yielding a token created by ktdf.create_token}}
    ktdf.stage depends_in(none) depends_out(%t) {
    }
  }
  return
}

// -----

// K-13
// expected-note @+1 {{the operand is defined here}}
func.func @f(%t: !ktdf.token) {
  ktdf.pipeline {
    // expected-error @+1 {{depends_in operand must originate from ktdf.create_token}}
    ktdf.stage depends_in(%t) depends_out(none) {
    }
  }
  return
}

// -----

// K-14
func.func @f() {
  ktdf.pipeline {
    // expected-error @+1 {{has 1 results, but its 'ktdf.private_yield' has 0 operands}}
    %r = ktdf.private -> (index) {
      // expected-note @+1 {{'ktdf.private_yield' is here}}
      ktdf.private_yield
    }
  }
  return
}

// -----

// K-14
func.func @f(%i: index) {
  ktdf.pipeline {
    // expected-error @+1 {{result #0 has type 'i32', but its 'ktdf.private_yield' has an operand of type 'index'}}
    %r = ktdf.private -> (i32) {
      // expected-note @+1 {{'ktdf.private_yield' is here}}
      ktdf.private_yield %i : index
    }
  }
  return
}

// -----

// K-13: a token that leads back to itself has no origin.
func.func @f() {
  ktdf.pipeline {
    // expected-note @+1 {{the operand is defined here}}
    %t = ktdf.private -> (!ktdf.token) {
      ktdf.private_yield %t : !ktdf.token
    }
    // expected-error @+1 {{depends_in operand must originate from ktdf.create_token}}
    ktdf.stage depends_in(%t) depends_out(none) {
    }
  }
  return
}

// -----

// K-17
func.func @f(%a: memref<4xf16>, %b: memref<4xf32>) {
  // expected-error @+1 {{failed to verify that all of {source, destination} have same element type: 'f16' in the source, 'f32' in the destination}}
  ktdf.data_transfer from %a[0] size [4] to %b[0] size [4] : memref<4xf16>, memref<4xf32>
  return
}

// -----

// K-18
func.func @f(%a: memref<4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source_map must be present when source is a memref}}
  ktdf.data_transfer from %a size [4] to %s : memref<4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-18
func.func @f(%a: memref<4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{dest_map must be absent for fifo dest}}
  ktdf.data_transfer from %a[0] size [4] to %s[0] size [4] : memref<4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-18
func.func @f(%a: memref<4x4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source memref has rank 2 but source_map has 1 results}}
  ktdf.data_transfer from %a[0] size [1, 4] to %s : memref<4x4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-18
func.func @f(%a: memref<4xf16>, %i: index, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source_map must have 0 symbols (dims-only); got 1}}
  ktdf.data_transfer from %a[symbol(%i)] size [4] to %s : memref<4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-18
func.func @f(%a: memref<4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source_map has 1 dims but source has 0 subscript operands}}
  "ktdf.data_transfer"(%a, %s) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0>, source_map = affine_map<(d0) -> (d0)>, static_src_sizes = array<i64: 4>}> : (memref<4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>) -> ()
  return
}

// -----

// K-19
func.func @f(%a: memref<4x4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source size count (1) must match memref rank (2)}}
  ktdf.data_transfer from %a[0, 0] size [4] to %s : memref<4x4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-19
func.func @f(%a: memref<4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{dest size count (0) must match memref rank (1)}}
  ktdf.data_transfer from %s to %a[0] : !ktdf.fifo.slot<"A" -> "B", 4xf16>, memref<4xf16>
  return
}

// -----

func.func @f(%a: memref<4xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{source size must be >= 0, got -4}}
  ktdf.data_transfer from %a[0] size [-4] to %s : memref<4xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// Of the pairs, slot to slot is the illegal one.
func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %t: !ktdf.fifo.slot<"B" -> "C", 4xf16>) {
  // expected-error @+1 {{expected a memref as source or destination, got two FIFO slots}}
  ktdf.data_transfer from %s to %t : !ktdf.fifo.slot<"A" -> "B", 4xf16>, !ktdf.fifo.slot<"B" -> "C", 4xf16>
  return
}

// -----

func.func @f(%a: memref<*xf16>, %s: !ktdf.fifo.slot<"A" -> "B", 4xf16>) {
  // expected-error @+1 {{operand #0 must be memref or FIFO slot, but got 'memref<*xf16>'}}
  ktdf.data_transfer from %a[0] size [4] to %s : memref<*xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{expected num_instances >= 1, got 0}}
  ktdf.parallel (%i, %inst) = (%c) to (%c) step (%c) distribute(num_instances = 0) {
  }
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{expected at least one induction variable plus an instance id (got 1 block arguments)}}
  ktdf.parallel (%i) = (%c) to (%c) step (%c) distribute(num_instances = 2) {
  }
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{expected 1 operands}}
  ktdf.parallel (%i, %inst) = (%c) to (%c, %c) step (%c) distribute(num_instances = 2) {
  }
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{expected 2 block arguments (one per induction variable plus the instance id), got 1}}
  "ktdf.parallel"(%c, %c, %c) <{num_instances = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%i: index):
    ktdf.parallel_yield
  }) : (index, index, index) -> ()
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{all block arguments (induction variables and instance id) must be of type index}}
  "ktdf.parallel"(%c, %c, %c) <{num_instances = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%i: index, %j: i32):
    ktdf.parallel_yield
  }) : (index, index, index) -> ()
  return
}

// -----

// K-23
func.func @f(%c: index) {
  // expected-error @+1 {{expected as many upper bounds and steps as lower bounds (1), got 1 and 0}}
  "ktdf.parallel"(%c, %c) <{num_instances = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%i: index, %j: index):
    ktdf.parallel_yield
  }) : (index, index) -> ()
  return
}

// -----

// K-25
func.func @f(%i: index) {
  // expected-error @+1 {{attribute 'num_phases' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 2}}
  %p = ktdf.buffer_phase(%i) {num_phases = 1 : i64} : index
  return
}

// -----

// K-25
func.func @f() {
  // expected-error @+1 {{requires at least one induction variable operand}}
  %p = ktdf.buffer_phase() {num_phases = 2 : i64} : index
  return
}

// -----

// K-27
func.func @f(%p: index, %a: memref<4xf16>) {
  // expected-error @+1 {{requires at least 2 candidate memrefs, got 1}}
  %m = ktdf.select_memref %p[%a] : memref<4xf16>
  return
}

// -----

// K-27
func.func @f(%i: index, %a: memref<4xf16>) {
  // expected-note @+1 {{'ktdf.buffer_phase' is here}}
  %p = ktdf.buffer_phase(%i) {num_phases = 3 : i64} : index
  // expected-error @+1 {{phase op num_phases (3) must equal candidate count (2)}}
  %m = ktdf.select_memref %p[%a, %a] : memref<4xf16>
  return
}

// -----

// K-27
func.func @f(%p: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{candidates have the type of the result: candidate #1 is 'memref<8xf16>', the result 'memref<4xf16>'}}
  %m = "ktdf.select_memref"(%p, %a, %b) : (index, memref<4xf16>, memref<8xf16>) -> memref<4xf16>
  return
}

// -----

// K-29
func.func @f(%a: memref<4xf16>) {
  // expected-error @+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = ktdf.opaque "X" -> tensor<4xf16> ins() outs(%a : memref<4xf16>)
  return
}

// -----

// K-29
func.func @f(%a: tensor<4xf16>) {
  // expected-error @+1 {{result #0 has type 'tensor<8xf16>', expected the type of the output tensor 'tensor<4xf16>'}}
  %r = ktdf.opaque "X" -> tensor<8xf16> ins() outs(%a : tensor<4xf16>)
  return
}
