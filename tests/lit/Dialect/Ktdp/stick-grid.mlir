// KL-10: where tiles of device memory start inside a stick of 128 bytes.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics -ktir-check-legality

// Two elements into a row that starts on a stick: 2 of 64.
#view = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 127 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 60 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @inside(%p: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the view with these strides}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 128], strides: [128, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<3x128xf16>
  // expected-warning@+1 {{expected the contiguous runs of a tile of device memory to start on a stick, at a multiple of 64 elements of 'f16', but the first starts 2 past one (KL-10)}}
  %t = ktdp.construct_access_tile %v[%c0, %c2] {access_tile_order = #id, access_tile_set = #tile} : memref<3x128xf16> -> !ktdp.access_tile<3x61xindex>
  // 2 + 62 elements fill a stick.
  %u = ktdp.construct_access_tile %v[%c0, %c2 + 62] {access_tile_order = #id, access_tile_set = #tile} : memref<3x128xf16> -> !ktdp.access_tile<3x61xindex>
  return
}

// -----

// The base of a view may lie inside a stick itself; 8-byte elements: 16 in one.
#view = affine_set<(c) : (c >= 0, -c + 99 >= 0)>
#tile = affine_set<(c) : (c - 6 >= 0, -c + 9 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @base(%p: index) attributes {grid = [1]} {
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %base = arith.addi %p, %c5 : index
  // expected-note@+1 {{the view with these strides}}
  %v = ktdp.construct_memory_view %base, sizes: [100], strides: [1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<100xi64>
  // 5 + 3 + 6 = 14
  // expected-warning@+1 {{at a multiple of 16 elements of 'i64', but the first starts 14 past one (KL-10)}}
  %t = ktdp.construct_access_tile %v[%c3] {access_tile_order = #id, access_tile_set = #tile} : memref<100xi64> -> !ktdp.access_tile<4xindex>
  // 5 + 5 + 6 = 16
  %u = ktdp.construct_access_tile %v[%c5] {access_tile_order = #id, access_tile_set = #tile} : memref<100xi64> -> !ktdp.access_tile<4xindex>
  return
}

// -----

// Rows of 96 elements: every other one starts in the middle of a stick.
#view = affine_set<(r, c) : (r >= 0, -r + 4 >= 0, c >= 0, -c + 95 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 1 >= 0, c >= 0, -c + 63 >= 0)>
#whole = affine_set<(r, c) : (r >= 0, -r + 1 >= 0, c >= 0, -c + 95 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @rows(%p: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the view with these strides}}
  %v = ktdp.construct_memory_view %p, sizes: [5, 96], strides: [96, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<5x96x!spyreop.df16>
  // expected-warning@+1 {{but they start 96 apart along dimension 0 of the view (KL-10)}}
  %t = ktdp.construct_access_tile %v[%c0, %c0] {access_tile_order = #id, access_tile_set = #tile} : memref<5x96x!spyreop.df16> -> !ktdp.access_tile<2x64xindex>
  // Whole rows that lie behind each other are one run.
  %u = ktdp.construct_access_tile %v[%c0, %c0] {access_tile_order = #id, access_tile_set = #whole} : memref<5x96x!spyreop.df16> -> !ktdp.access_tile<2x96xindex>
  return
}

// -----

// Compute tiles and iterations that take parts of a row.
#view = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 255 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 7 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @shares(%p: index) attributes {grid = [1, 5]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %one, %five = ktdp.get_compute_tile_id : index, index
  // expected-note@+1 {{the view with these strides}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 256], strides: [256, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<3x256xf16>
  // expected-warning@+1 {{but they move by 8 from one compute tile along dimension 1 of the grid to the next (KL-10)}}
  %t = ktdp.construct_access_tile %v[%c0, 8 * %five] {access_tile_order = #id, access_tile_set = #tile} : memref<3x256xf16> -> !ktdp.access_tile<3x8xindex>
  // Of one tile there is no next.
  %u = ktdp.construct_access_tile %v[%c0, 8 * %one] {access_tile_order = #id, access_tile_set = #tile} : memref<3x256xf16> -> !ktdp.access_tile<3x8xindex>
  scf.for %i = %c0 to %c64 step %c8 {
    // expected-warning@+1 {{but they move by 16 from one iteration of the loop to the next (KL-10)}}
    %w = ktdp.construct_access_tile %v[%c0, 2 * %i] {access_tile_order = #id, access_tile_set = #tile} : memref<3x256xf16> -> !ktdp.access_tile<3x8xindex>
    %x = ktdp.construct_access_tile %v[%c0, 8 * %i] {access_tile_order = #id, access_tile_set = #tile} : memref<3x256xf16> -> !ktdp.access_tile<3x8xindex>
  }
  // One iteration only.
  scf.for %i = %c0 to %c1 step %c3 {
    %w = ktdp.construct_access_tile %v[%c0, 2 * %i] {access_tile_order = #id, access_tile_set = #tile} : memref<3x256xf16> -> !ktdp.access_tile<3x8xindex>
  }
  return
}

// -----

// Looked-up rows may be any: 96 rows apart leave a multiple of 32.
#view = affine_set<(r, c) : (r >= 0, -r + 6 >= 0, c >= 0, -c + 95 >= 0)>
#list = affine_set<(i) : (i >= 0, -i + 8 >= 0)>
#vs = affine_set<(m, k) : (m >= 0, -m + 2 >= 0, k >= 0, -k + 15 >= 0)>
#half = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 15 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @lookup(%p: index, %q: index) attributes {grid = [1]} {
  %c16 = arith.constant 16 : index
  // expected-note@+1 {{the view with these strides}}
  %v = ktdp.construct_memory_view %p, sizes: [7, 96], strides: [96, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<7x96xf16>
  %l = ktdp.construct_memory_view %q, sizes: [9], strides: [1] {coordinate_set = #list, memory_space = #ktdp.memory_space<global>} : memref<9xi32>
  // expected-warning@+1 {{but the first starts at a multiple of 32 plus 16 (KL-10)}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %v[ind(%l[%m]), (%k + %c16)] {variables_space_order = #id, variables_space_set = #vs} : memref<7x96xf16>, memref<9xi32> -> !ktdp.access_tile<3x16xindex>
  // Which rows, only a run can tell.
  %u = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %v[ind(%l[%m]), (%k)] {variables_space_order = #id, variables_space_set = #vs} : memref<7x96xf16>, memref<9xi32> -> !ktdp.access_tile<3x16xindex>
  // Rows 0 and 2 are 192 apart, three sticks; rows 0 and 1 are not.
  %w = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %v[(2 * %m), (%k)] {variables_space_order = #id, variables_space_set = #half} : memref<7x96xf16> -> !ktdp.access_tile<2x16xindex>
  // expected-warning@+1 {{but they start 96 apart along dimension 0 of the view (KL-10)}}
  %x = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %v[(%m + 2), (%k)] {variables_space_order = #id, variables_space_set = #half} : memref<7x96xf16> -> !ktdp.access_tile<2x16xindex>
  return
}

// -----

// A scratchpad has no sticks, and of what is not known nothing is said.
#view = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 98 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 1 >= 0, c >= 0, -c + 6 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @silent(%p: index, %n: index, %ld: index) attributes {grid = [3]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = ktdp.construct_memory_view %p, sizes: [3, 99], strides: [99, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<ct_local>} : memref<3x99xf16>
  %a = ktdp.construct_access_tile %s[%c1, %c1] {access_tile_order = #id, access_tile_set = #tile} : memref<3x99xf16> -> !ktdp.access_tile<2x7xindex>
  %v = ktdp.construct_memory_view %p, sizes: [3, 99], strides: [%ld, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<3x99xf16>
  %b = ktdp.construct_access_tile %v[%c0, %c1] {access_tile_order = #id, access_tile_set = #tile} : memref<3x99xf16> -> !ktdp.access_tile<2x7xindex>
  %w = ktdp.construct_memory_view %p, sizes: [3, 99], strides: [128, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<3x99xf16>
  %c = ktdp.construct_access_tile %w[%c0, %n] {access_tile_order = #id, access_tile_set = #tile} : memref<3x99xf16> -> !ktdp.access_tile<2x7xindex>
  return
}
