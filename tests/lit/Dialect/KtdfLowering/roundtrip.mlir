// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt --mlir-print-op-generic %s | ktir-opt | FileCheck %s
// RUN: ktir-opt --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[U:[a-z0-9]*]]: index, %[[W:[a-z0-9]*]]: index
func.func @f(%x: memref<64xf16, "DDR">, %y: memref<64xf16, "LX">, %u: index, %w: index) {
  // CHECK: ktdf_lowering.execute_on %[[U]], %[[W]] {
  ktdf_lowering.execute_on %u, %w {
    // CHECK-NEXT: ktdf_lowering.execute_on %[[U]] {
    ktdf_lowering.execute_on %u {
      // CHECK-NEXT: ktdf.data_transfer
      ktdf.data_transfer from %x[0] size [64] to %y[0] size [64] : memref<64xf16, "DDR">, memref<64xf16, "LX">
    // CHECK-NEXT: } {note = 1 : i64}
    } {note = 1 : i64}
    // Signals are neither merged nor removed (L-2); one unit alone is accepted.
    // CHECK-NEXT: ktdf_lowering.signal %[[U]], %[[W]]
    // CHECK-NEXT: ktdf_lowering.signal %[[U]], %[[W]]
    // CHECK-NEXT: ktdf_lowering.signal %[[U]]
    ktdf_lowering.signal %u, %w
    ktdf_lowering.signal %u, %w
    ktdf_lowering.signal %u
  }
  // CHECK: ktdf_lowering.execute_on %[[W]] {
  // CHECK-NEXT: }
  ktdf_lowering.execute_on %w {
  }
  return
}
