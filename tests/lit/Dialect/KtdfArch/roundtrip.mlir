// Every op, property and feature of a machine description prints in the form
// that it was read in, also by way of the generic form.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt --mlir-print-op-generic %s | ktir-opt | FileCheck %s

#m = {kind = "A", size = 4096}
#words = #ktdf_arch.map<"DDR" = 128, "LX" = 2>

// CHECK-LABEL: ktdf_arch.device @here attributes {version = 1 : i64} {
ktdf_arch.device @here attributes {version = 1} {
  // A dictionary may go by an alias, and the prefix of ops may be written.
  // CHECK: %[[A:.*]] = memory @main {kind = "A", size = 4096 : i64}
  %a = ktdf_arch.memory @main #m
  // CHECK: %[[B:.*]] = memory {kind = 3 : i64}
  %b = memory {kind = 3}
  // The id may be repeated in the dictionary, or stand there alone.
  // CHECK: %[[E:.*]] = exec_unit @worker {kind = "E"}
  %e = exec_unit @worker {id = "worker", kind = "E"}
  // CHECK: %{{.*}} = exec_unit @other
  %o = exec_unit {id = "other"}
  // CHECK: %{{.*}} = exec_unit{{$}}
  %plain = exec_unit
  // CHECK: %[[P:.*]]:3 = switch[3]
  %p:3 = switch[3]
  // CHECK: %[[Q:.*]]:2 = switch[2] {connectivity = dense<{{\[\[}}false, true], [true, false]]> : tensor<2x2xi1>}
  %q:2 = switch[2] {connectivity = dense<[[0, 1], [1, 0]]> : tensor<2x2xi1>}
  // CHECK: %{{.*}}:4 = switch[4] {connectivity = sparse<{{\[\[}}0, 2], [1, 2]], true> : tensor<4x4xi1>}
  %r:4 = switch[4] {connectivity = sparse<[[0, 2], [1, 2]], true> : tensor<4x4xi1>}
  // CHECK: datapath @dma {ktdf_arch.bandwidth = 128 : i64} %[[A]] to %[[E]] : memory, exec_unit
  datapath @dma {ktdf_arch.bandwidth = 128} %a to %e : memory, exec_unit
  // CHECK: datapath %[[E]] to %[[P]]#0 : exec_unit, port
  datapath %e to %p#0 : exec_unit, port
  // CHECK: datapath %[[P]]#2 to %[[Q]]#1 : port, port
  datapath %p#2 to %q#1 : !ktdf_arch.port, !ktdf_arch.port
  // Captures go by the same name inside.
  // CHECK: %[[G:.*]]:2 = group @block {kind = "core"} share(%[[A]], %[[B]]) {
  %x, %y = group @block {kind = "core"} share(%a, %b) {
    // CHECK: %[[U:.*]] = exec_unit {kind = "U"}
    %u = exec_unit {kind = "U"}
    // CHECK: %[[V:.*]] = exec_unit {kind = "V"}
    %v = exec_unit {kind = "V"}
    // CHECK: datapath %[[A]] to %[[U]] : memory, exec_unit
    datapath %a to %u : memory, exec_unit
    // CHECK: datapath %[[V]] to %[[B]] : exec_unit, memory
    datapath %v to %b : exec_unit, memory
    // CHECK: yield %[[U]], %[[V]]
    yield %u, %v
  // CHECK: } -> exec_unit, exec_unit
  } -> exec_unit, exec_unit
  // CHECK: datapath %[[G]]#0 to %[[G]]#1 : exec_unit, exec_unit
  datapath %x to %y : exec_unit, exec_unit
  // CHECK: group share() {
  // CHECK-NEXT: }
  group share() {
  }
  // CHECK: patterns {}
  patterns {
  }
  // CHECK: patterns ["pre_scheduling", "mine"] {}
  patterns ["pre_scheduling", "mine"] {
  }
}

// CHECK: ktdf_arch.device @elsewhere import("./elsewhere.mlir")
ktdf_arch.device @elsewhere import("./elsewhere.mlir")

// CHECK: ktdf_arch.device @empty {
ktdf_arch.device @empty {}

// CHECK-LABEL: ktdf_arch.device @features
ktdf_arch.device @features {
  %m = memory {kind = "DDR", size = 1024}
  // CHECK: ktdf_arch.feature.load = {access_granularity = #ktdf_arch.map<"LX" = [{align_in_words = 64 : i64, size_in_words = 64 : i64}, {size_in_words = 1 : i64}]>, word_size = #ktdf_arch.map<"DDR" = 128 : i64, "LX" = 2 : i64>}
  // CHECK-SAME: ktdf_arch.feature.simd = {splat, zero_pad}
  // CHECK-SAME: ktdf_arch.feature.store
  %l = exec_unit {kind = "LU", ktdf_arch.features = {
         ktdf_arch.feature.load = {word_size = #words, access_granularity = #ktdf_arch.map<"LX" = [{size_in_words = 64, align_in_words = 64}, {size_in_words = 1}]>},
         ktdf_arch.feature.store,
         ktdf_arch.feature.simd = {splat, zero_pad}}}
  // CHECK: ktdf_arch.features = {ktdf_arch.feature.compute, ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f16 = 64 : i64, f32 = 32 : i64>}}
  %c = exec_unit {kind = "CU", ktdf_arch.features = {ktdf_arch.feature.compute,
         ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f16 = 64, f32 = 32>}}}
  // CHECK: ktdf_arch.transfer_granularity = array<i64: 2, 0, 128>
  datapath {ktdf_arch.transfer_granularity = array<i64: 2, 0, 128>} %m to %l : memory, exec_unit
  // CHECK: ktdf_arch.features = {ktdf_arch.feature.queue = {depth = 16 : i64, ordered, size = 4096 : i64}}, ktdf_arch.overlaps = ["bus"]
  datapath {ktdf_arch.overlaps = ["bus"], ktdf_arch.features = {
             ktdf_arch.feature.queue = {ordered, size = 4096, depth = 16}}} %l to %c : exec_unit, exec_unit
  // CHECK: ktdf_arch.features = {ktdf_arch.feature.queue}
  datapath {ktdf_arch.features = {ktdf_arch.feature.queue}} %c to %l : exec_unit, exec_unit
}

// CHECK: func.func private @types(!ktdf_arch.memory, !ktdf_arch.exec_unit, !ktdf_arch.port) attributes {ktdf_arch.maps_to = @here}
func.func private @types(!ktdf_arch.memory, !ktdf_arch.exec_unit, !ktdf_arch.port) attributes {ktdf_arch.maps_to = @here}

// Ops of other dialects may require features.
func.func @mapped(%x: tensor<4xf32>) {
  // CHECK: arith.addf %{{.*}} {ktdf_arch.features = {ktdf_arch.feature.simd}, ktdf_arch.maps_to = "CU"}
  %y = arith.addf %x, %x {ktdf_arch.maps_to = "CU", ktdf_arch.features = {ktdf_arch.feature.simd}} : tensor<4xf32>
  return
}
