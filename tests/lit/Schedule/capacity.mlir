// Buffers that do not fit, each with the sizes that do not.
// RUN: ktir-opt %s --split-input-file --verify-diagnostics \
// RUN:   --ensure-device-declaration --address-assignment

// Two of 1 MiB fill the scratchpad of 2 MiB; the third does not fit.
func.func @three() {
  %a = memref.alloc() : memref<524288xf16, "LX">
  %b = memref.alloc() : memref<524288xf16, "LX">
  // expected-error@+1 {{Failed to allocate LX memory: Allocation of 128 bytes at 2097152 exceeds the 2097152 bytes capacity}}
  %c = memref.alloc() : memref<64xf16, "LX">
  return
}

// -----

func.func @unknown() {
  // expected-error@+1 {{expected a memory of the device with a known size, but found 'L9'}}
  %a = memref.alloc() : memref<64xf16, "L9">
  return
}
