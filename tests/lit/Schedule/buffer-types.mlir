// Buffers that have no size in a memory of the device are errors at the buffer.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics -address-assignment

module {
  ktdf_arch.device @spyre import("spyre.mlir")
  func.func @addresses() {
    // expected-error@+1 {{expected elements that are integers or floats of whole bytes, but got 'index' in 'memref<3x5xindex, "LX">'}}
    %0 = memref.alloc() : memref<3x5xindex, "LX">
    return
  }
}

// -----

module {
  ktdf_arch.device @spyre import("spyre.mlir")
  func.func @pairs() {
    // expected-error@+1 {{expected elements that are integers or floats of whole bytes, but got '!spyreop.fp16_fused'}}
    %0 = memref.alloc() : memref<7x!spyreop.fp16_fused, "LX">
    return
  }
}

// -----

module {
  ktdf_arch.device @spyre import("spyre.mlir")
  func.func @unknown(%n: index) {
    // expected-error@+1 {{expected a buffer of static shape, but got 'memref<?x64xf16, "LX">'}}
    %0 = memref.alloc(%n) : memref<?x64xf16, "LX">
    return
  }
}

// -----

module {
  ktdf_arch.device @spyre import("spyre.mlir")
  func.func @huge() {
    // expected-error@+1 {{expected a buffer of less than 2^63 bytes}}
    %0 = memref.alloc() : memref<4611686018427387904x3xf16, "LX">
    return
  }
}
