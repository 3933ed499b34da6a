// Every op of the schedule level prints in the form that it was read in, also
// by way of the generic form.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt --mlir-print-op-generic %s | ktir-opt | FileCheck %s

// CHECK-LABEL: func.func @fifo
func.func @fifo(%n: index, %d: tensor<?xf16>, %t: tensor<8x8xf16>, %r: memref<64xf16, "SFU_REG">) {
  // CHECK: %[[S:.*]]:2 = ktdf.fifo.allocate(%{{.*}}) -> !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  %a, %b = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  // The full form of the slot is read, the short one printed.
  // CHECK: ktdf.write_to_fifo %{{.*}}, %[[S]]#0 : tensor<?xf16>, <"L1LU" -> "SFU", ?xf16>
  ktdf.write_to_fifo %d, %a : tensor<?xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
  // CHECK: ktdf.write_to_fifo %{{.*}}, %[[S]]#1 : tensor<8x8xf16>, <"L1LU" -> "SFU", 64xf16>
  ktdf.write_to_fifo %t, %b : tensor<8x8xf16>, <"L1LU" -> "SFU", 64xf16>
  // CHECK: ktdf.read_from_fifo %[[S]]#0 : <"L1LU" -> "SFU", ?xf16> -> tensor<?xf16>
  %x = ktdf.read_from_fifo %a : <"L1LU" -> "SFU", ?xf16> -> tensor<?xf16>
  // CHECK: ktdf.read_from_fifo %[[S]]#1 : <"L1LU" -> "SFU", 64xf16> -> memref<64xf16>
  %y = ktdf.read_from_fifo %b : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16> -> memref<64xf16>
  // Ends of a slot are any attribute.
  // CHECK: %[[O:.*]] = ktdf.fifo.allocate() -> !ktdf.fifo.slot<3 : i64 -> {a = 1 : i64}, 64xf16>
  %o = ktdf.fifo.allocate() -> !ktdf.fifo.slot<3 -> {a = 1}, 64xf16>
  // CHECK: ktdf.write_to_fifo %{{.*}}, %[[O]] : memref<64xf16, "SFU_REG">, <3 : i64 -> {a = 1 : i64}, 64xf16>
  ktdf.write_to_fifo %r, %o : memref<64xf16, "SFU_REG">, <3 -> {a = 1}, 64xf16>
  return
}

// CHECK-LABEL: func.func @tile_sizes
// CHECK-SAME: (%[[U:.*]]: index)
func.func @tile_sizes(%u: index) {
  // CHECK: ktdf.create_token : !ktdf.token
  %token = ktdf.create_token : !ktdf.token
  // CHECK: %[[RS:.*]] = ktdf.tiling.reserve_size {divisibility = 2 : index, min_value = 4 : index} : index
  %rs = ktdf.tiling.reserve_size {min_value = 4 : index, divisibility = 2 : index} : index
  // CHECK: ktdf.tiling.derive_size [%[[U]] : %[[RS]]], total_size = %[[U]] : index
  %one = ktdf.tiling.derive_size [%u : %rs], total_size = %u : index
  // CHECK: ktdf.tiling.derive_size [%[[U]] : %[[RS]]], [%[[RS]] : %[[U]]], total_size = %[[U]] : index
  %two = ktdf.tiling.derive_size [%u : %rs], [%rs : %u], total_size = %u : index
  // CHECK: ktdf.tiling.linearize_index [%[[U]] : %[[RS]]], [%[[RS]] : %[[U]]] : index
  %i = ktdf.tiling.linearize_index [%u : %rs], [%rs : %u] : index
  return
}

// CHECK-LABEL: func.func @pipeline
func.func @pipeline() {
  // CHECK: %[[T:.*]] = ktdf.create_token
  %t0 = ktdf.create_token : !ktdf.token
  // CHECK: ktdf.pipeline modulo(size : 2) {
  ktdf.pipeline modulo(size: 2) {
    // CHECK: %[[R:.*]]:2 = ktdf.private -> (memref<64xf16, "LX">, !ktdf.token) {
    %r:2 = ktdf.private -> (memref<64xf16, "LX">, !ktdf.token) {
      %m = memref.alloc() : memref<64xf16, "LX">
      %t = ktdf.create_token : !ktdf.token
      // CHECK: ktdf.private_yield %{{.*}}, %{{.*}} : memref<64xf16, "LX">, !ktdf.token
      ktdf.private_yield %m, %t : memref<64xf16, "LX">, !ktdf.token
    }
    // CHECK: ktdf.stage depends_in(none) depends_out(%[[T]], %[[R]]#1) {
    // CHECK: } {applicable_units = ["MNILU"]}
    ktdf.stage depends_in(none) depends_out(%t0, %r#1) {
      %c = arith.constant 0 : index
    } {applicable_units = ["MNILU"]}
    // CHECK: ktdf.stage depends_in(%[[T]], %[[R]]#1) depends_out(none) {
    ktdf.stage depends_in(%t0, %r#1) depends_out(none) {
      // CHECK: ktdf.pipeline {
      ktdf.pipeline {
        // CHECK: ktdf.private {
        // CHECK-NEXT: ktdf.private_yield
        ktdf.private {
        }
        ktdf.stage depends_in(none) depends_out(none) {
        } {applicable_units = ["L1LU", "SFU"]}
      }
    }
  }
  // CHECK: ktdf.pipeline {
  // CHECK-NEXT: }
  ktdf.pipeline {
  }
  return
}

// CHECK-LABEL: func.func @transfers
// CHECK-SAME: (%[[A:.*]]: memref<4x128xf16, "DDR">, %[[L:.*]]: memref<64xf16, "LX">, %[[E:.*]]: memref<1xf16, "LX">, %[[Z:.*]]: memref<f16, "LX">, %[[I:.*]]: index, %[[N:.*]]: index)
func.func @transfers(%a: memref<4x128xf16, "DDR">, %l: memref<64xf16, "LX">, %e: memref<1xf16, "LX">, %z: memref<f16, "LX">, %i: index, %n: index) {
  // CHECK: %[[C0:.*]] = arith.constant 0
  %c0 = arith.constant 0 : index
  // CHECK: %[[S:.*]]:2 = ktdf.fifo.allocate
  %s:2 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>
  // CHECK: ktdf.data_transfer from %[[A]][%[[I]], %[[N]] * 64] size [1, 64] to %[[L]][%[[C0]]] size [64] : memref<4x128xf16, "DDR">, memref<64xf16, "LX">
  ktdf.data_transfer from %a[%i, %n * 64] size [1, 64] to %l[%c0] size [64] : memref<4x128xf16, "DDR">, memref<64xf16, "LX">
  // CHECK: ktdf.data_transfer from %[[A]][%[[I]], 0] size [1, %[[N]]] to %[[L]][0] size [%[[N]]] : memref<4x128xf16, "DDR">, memref<64xf16, "LX">
  ktdf.data_transfer from %a[%i, 0] size [1, %n] to %l[0] size [%n] : memref<4x128xf16, "DDR">, memref<64xf16, "LX">
  // CHECK: ktdf.data_transfer from %[[L]][0] size [64] to %[[S]]#0 size [64] : memref<64xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  ktdf.data_transfer from %l[0] size [64] to %s#0 size [64] : memref<64xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  // CHECK: ktdf.data_transfer from %[[S]]#0 to %[[L]][0] size [64] : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, memref<64xf16, "LX">
  ktdf.data_transfer from %s#0 to %l[0] size [64] : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, memref<64xf16, "LX">
  // CHECK: ktdf.data_transfer from %[[E]][0] size [1] to %[[S]]#0 {transfer_mode = "splat"} : memref<1xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  ktdf.data_transfer from %e[0] size [1] to %s#0 {transfer_mode = "splat"} : memref<1xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  // CHECK: ktdf.data_transfer from %[[L]][0] size [50] to %[[S]]#0 size [64] {transfer_mode = "pad"}
  ktdf.data_transfer from %l[0] size [50] to %s#0 size [64] {transfer_mode = "pad"} : memref<64xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
  // A memref of rank 0 has neither coordinates nor sizes.
  // CHECK: ktdf.data_transfer from %[[Z]][] to %[[S]]#1 : memref<f16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>
  ktdf.data_transfer from %z[] to %s#1 : memref<f16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>
  return
}

// CHECK-LABEL: func.func @phases
func.func @phases(%b0: memref<64xf16, "LX">, %b1: memref<64xf16, "LX">, %o: memref<64xf16, "LX">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // CHECK: scf.for %[[I:.*]] =
  scf.for %i = %c0 to %c5 step %c1 {
    // CHECK: ktdf.parallel (%{{.*}}, %{{.*}}) = (%c0) to (%c5) step (%c1) distribute(num_instances = 2) {
    ktdf.parallel (%m, %inst) = (%c0) to (%c5) step (%c1) distribute(num_instances = 2) {
      // CHECK: %[[P:.*]] = ktdf.buffer_phase(%[[I]], %{{.*}}) {num_phases = 2 : i64} : index
      %ph = ktdf.buffer_phase(%i, %m) {num_phases = 2 : i64} : index
      // CHECK: ktdf.select_memref %[[P]][%{{.*}}, %{{.*}}] : memref<64xf16, "LX">
      %buf = ktdf.select_memref %ph[%b0, %b1] : memref<64xf16, "LX">
      // CHECK: ktdf.opaque "GELU" ins(%{{.*}} : memref<64xf16, "LX">) outs(%{{.*}} : memref<64xf16, "LX">)
      ktdf.opaque "GELU" ins(%buf : memref<64xf16, "LX">) outs(%o : memref<64xf16, "LX">)
      // CHECK: ktdf.parallel_yield
      ktdf.parallel_yield
    }
  // CHECK: } {loop_type = #ktdf.loop_type<reduction_loop>}
  } {loop_type = #ktdf.loop_type<reduction_loop>}
  // CHECK: ktdf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) = (%c0, %c1) to (%c5, %c5) step (%c1, %c1) distribute(num_instances = 4) {
  ktdf.parallel (%x, %y, %inst) = (%c0, %c1) to (%c5, %c5) step (%c1, %c1) distribute(num_instances = 4) {
    ktdf.parallel_yield
  }
  %e = tensor.empty() : tensor<64xf16>
  // CHECK: ktdf.opaque "RECIP" -> tensor<64xf16> ins(%{{.*}} : tensor<64xf16>) outs(%{{.*}} : tensor<64xf16>)
  %r = ktdf.opaque "RECIP" -> tensor<64xf16> ins(%e : tensor<64xf16>) outs(%e : tensor<64xf16>)
  return
}
