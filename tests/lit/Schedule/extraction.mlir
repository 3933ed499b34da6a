// Stores that share a load are one group; others are groups of their own, in
// the order of their last stores. The kernel keeps its signature.
// RUN: ktir-opt %s --ensure-device-declaration --compute-group-extraction | FileCheck %s
// RUN: ktir-opt %s --ensure-device-declaration --compute-group-extraction \
// RUN:   --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=RETURN

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>

// CHECK-LABEL: func.func @two(%arg0: index, %arg1: index, %arg2: index, %arg3: index) attributes {grid = [1]}
// CHECK-NEXT:    call @two_0(%arg0, %arg1)
// CHECK-NEXT:    call @two_1(%arg2, %arg3)
// CHECK-NEXT:    return
// CHECK:         func.func private @two_0(index, index)
// CHECK:         func.func private @two_1(index, index)

// CHECK-LABEL: module @two_0
// CHECK:         func.func @two_0(%arg0: index, %arg1: index)
// CHECK-COUNT-1: ktdp.load
// CHECK:         ktdp.store
// CHECK:         ktdp.store
// CHECK-LABEL: module @two_1
// CHECK-NOT:     arith.mulf
// CHECK:         ktdp.load
// CHECK-NEXT:    ktdp.store
func.func @two(%a: index, %b: index, %c: index, %d: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %av = ktdp.construct_memory_view %a, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %bv = ktdp.construct_memory_view %b, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %cv = ktdp.construct_memory_view %c, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %dv = ktdp.construct_memory_view %d, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %at = ktdp.construct_access_tile %av[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %bt = ktdp.construct_access_tile %bv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %ct = ktdp.construct_access_tile %cv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %dt = ktdp.construct_access_tile %dv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %x = ktdp.load %at : <128xindex> -> tensor<128xf16>
  %p = arith.mulf %x, %x : tensor<128xf16>
  ktdp.store %p, %bt : tensor<128xf16>, <128xindex>
  %q = arith.addf %x, %x : tensor<128xf16>
  ktdp.store %q, %at : tensor<128xf16>, <128xindex>
  %y = ktdp.load %ct : <128xindex> -> tensor<128xf16>
  ktdp.store %y, %dt : tensor<128xf16>, <128xindex>
  // Every function ends where the kernel does.
  // RETURN: return loc({{.*}}:[[#@LINE+3]]:3)
  // RETURN: return loc({{.*}}:[[#@LINE+2]]:3)
  // RETURN: return loc({{.*}}:[[#@LINE+1]]:3)
  return
}
