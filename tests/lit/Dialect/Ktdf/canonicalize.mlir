// What folds, and what has an identity and so is never merged or removed.
// RUN: ktir-opt --canonicalize --cse %s | FileCheck %s

// K-6: equal ops are not merged.
// CHECK-LABEL: func.func @identities
func.func @identities() -> (index, index) {
  // CHECK: %[[T0:.*]] = ktdf.create_token
  // CHECK: %[[T1:.*]] = ktdf.create_token
  %t0 = ktdf.create_token : !ktdf.token
  %t1 = ktdf.create_token : !ktdf.token
  // CHECK: %[[A:.*]] = ktdf.tiling.reserve_size
  // CHECK: %[[B:.*]] = ktdf.tiling.reserve_size
  %a = ktdf.tiling.reserve_size {min_value = 1 : index, divisibility = 1 : index} : index
  %b = ktdf.tiling.reserve_size {min_value = 1 : index, divisibility = 1 : index} : index
  // CHECK: depends_in(none) depends_out(%[[T0]])
  // CHECK: depends_in(%[[T0]]) depends_out(%[[T1]])
  // CHECK: depends_in(%[[T1]]) depends_out(none)
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(%t0) {
    }
    // A stage without effects still links its neighbours.
    ktdf.stage depends_in(%t0) depends_out(%t1) {
    }
    ktdf.stage depends_in(%t1) depends_out(none) {
    }
  }
  // CHECK: return %[[A]], %[[B]]
  return %a, %b : index, index
}

// An allocation whose slots are unused is dead; reading moves the channel on,
// so a read is not.
// CHECK-LABEL: func.func @fifo
func.func @fifo() {
  // CHECK-NEXT: %[[S:.*]] = ktdf.fifo.allocate
  // CHECK-NEXT: ktdf.read_from_fifo %[[S]]
  // CHECK-NEXT: ktdf.read_from_fifo %[[S]]
  // CHECK-NEXT: return
  %dead = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"A" -> "B", 64xf16>
  %s = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"A" -> "B", 64xf16>
  %x = ktdf.read_from_fifo %s : <"A" -> "B", 64xf16> -> tensor<64xf16>
  %y = ktdf.read_from_fifo %s : <"A" -> "B", 64xf16> -> tensor<64xf16>
  return
}

// K-8: a single level at index 0 is min(tile size, total).
// CHECK-LABEL: func.func @derive_size
func.func @derive_size(%i: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c3 = arith.constant 3 : index
  %a = ktdf.tiling.derive_size [%c0 : %c4], total_size = %c10 : index
  %b = ktdf.tiling.derive_size [%c0 : %c4], total_size = %c3 : index
  // CHECK: %[[D:.*]] = ktdf.tiling.derive_size
  %c = ktdf.tiling.derive_size [%i : %c4], total_size = %c10 : index
  // CHECK: return %c4, %c3, %[[D]]
  return %a, %b, %c : index, index, index
}

// K-26, K-28: constants drop out of the count; with none left the phase is 0.
// CHECK-LABEL: func.func @phase
// CHECK-SAME: (%[[I:.*]]: index, %[[A:.*]]: memref<4xf16>, %[[B:.*]]: memref<4xf16>)
func.func @phase(%i: index, %a: memref<4xf16>, %b: memref<4xf16>)
    -> (memref<4xf16>, memref<4xf16>, memref<4xf16>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = ktdf.buffer_phase(%c3, %c1) {num_phases = 2 : i64} : index
  %x = ktdf.select_memref %p[%a, %b] : memref<4xf16>
  %y = ktdf.select_memref %c1[%a, %b] : memref<4xf16>
  // CHECK: %[[Z:.*]] = ktdf.select_memref
  %q = ktdf.buffer_phase(%i, %c1) {num_phases = 2 : i64} : index
  %z = ktdf.select_memref %q[%a, %b] : memref<4xf16>
  // CHECK: return %[[A]], %[[B]], %[[Z]]
  return %x, %y, %z : memref<4xf16>, memref<4xf16>, memref<4xf16>
}
