// Every op and attribute, in custom and in generic form.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | FileCheck %s

#all = affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, -c + 63 >= 0)>
#dyn = affine_set<(r, c)[n] : (r >= 0, n - r - 1 >= 0, c >= 0, -c + 63 >= 0)>
#box = affine_set<(a, b) : (a >= 0, -a + 1 >= 0, b >= 0, -b + 63 >= 0)>
#id = affine_map<(a, b) -> (a, b)>

// CHECK-LABEL: func.func @ids
func.func @ids() {
  // CHECK: %{{.*}}, %{{.*}} = ktdp.get_compute_tile_id : index, index
  %r, %c = ktdp.get_compute_tile_id : index, index
  // CHECK: %{{.*}} = ktdp.get_compute_tile_id {note = 1 : i64} : index
  %t = ktdp.get_compute_tile_id {note = 1 : i64} : index
  return
}

// CHECK-LABEL: func.func @static
// CHECK-SAME:  (%[[P:.*]]: index, %[[I:.*]]: index)
func.func @static(%p: index, %i: index) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[V:.*]] = ktdp.construct_memory_view %[[P]], sizes: [4, 64], strides: [64, 1] {coordinate_set = #{{.*}}, memory_space = #ktdp.memory_space<global>} : memref<4x64xf16>
  %v = ktdp.construct_memory_view %p, sizes: [4, 64], strides: [64, 1] {memory_space = #ktdp.memory_space<global>, coordinate_set = #all} : memref<4x64xf16>
  // CHECK: %[[T:.*]] = ktdp.construct_access_tile %[[V]][%[[I]] * 2, %{{.*}}] {access_tile_order = #{{.*}}, access_tile_set = #{{.*}}} : memref<4x64xf16> -> !ktdp.access_tile<2x64xindex>
  %t = ktdp.construct_access_tile %v[2 * %i, %c0] {access_tile_set = #box, access_tile_order = #id} : memref<4x64xf16> -> !ktdp.access_tile<2x64xindex>
  // The type of a tile is read in full and in short form, and printed short.
  // CHECK: %[[X:.*]] = ktdp.load %[[T]] : <2x64xindex> -> tensor<2x64xf16>
  %x = ktdp.load %t : !ktdp.access_tile<2x64xindex> -> tensor<2x64xf16>
  // CHECK: ktdp.store %[[X]], %[[T]] : tensor<2x64xf16>, <2x64xindex>
  ktdp.store %x, %t : tensor<2x64xf16>, <2x64xindex>
  return
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%p: index, %n: index, %ld: index, %m: index) {
  %c0 = arith.constant 0 : index
  // CHECK: ktdp.construct_memory_view %{{.*}}, sizes: [%{{.*}}, 64], strides: [%{{.*}}, 1] {{{.*}}memory_space = #ktdp.memory_space<ct_local>} : memref<?x64xf16>
  %v = ktdp.construct_memory_view %p, sizes: [%n, 64], strides: [%ld, 1] {coordinate_set = #dyn, memory_space = #ktdp.memory_space<ct_local>} : memref<?x64xf16>
  // CHECK: ktdp.construct_access_tile %{{.*}}[%{{.*}}, %{{.*}}] symbols(%{{.*}}) {{.*}} -> !ktdp.access_tile<?x64xindex>
  %t = ktdp.construct_access_tile %v[%c0, %c0] symbols(%m) {access_tile_set = #dyn, access_tile_order = #id} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
  // CHECK: ktdp.load %{{.*}} : <?x64xindex> -> tensor<?x64xf16>
  %x = ktdp.load %t : <?x64xindex> -> tensor<?x64xf16>
  return
}

// CHECK-LABEL: func.func private @types(!ktdp.access_tile<index>, !ktdp.access_tile<0xindex>)
func.func private @types(!ktdp.access_tile<index>, !ktdp.access_tile<0xindex>)

// An absent ct_id may be written as -1 and is never printed (MS-1).
// CHECK-LABEL: func.func private @spaces
// CHECK-SAME:  spaces = [#ktdp.memory_space<ct_local>, #ktdp.memory_space<ct_local, ct_id = 5>, #ktdp.memory_space<global>]
func.func private @spaces() attributes {spaces = [#ktdp.memory_space<ct_local>, #ktdp.memory_space<ct_local, ct_id = 5>, #ktdp.memory_space<global, ct_id = -1>]}

// MF-5: a grid is an attribute like any other until legality is checked.
// CHECK-LABEL: func.func private @grid() attributes {grid = "wide"}
func.func private @grid() attributes {grid = "wide"}

// MF-3: a kernel needs no grid.
// CHECK-LABEL: func.func @no_grid()
func.func @no_grid() {
  return
}
