// What the scheduler does not take: one error, at the construct.
// RUN: ktir-opt %s --ensure-device-declaration --ktir-legality-check \
// RUN:   -split-input-file -verify-diagnostics

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @loop(%x: index) attributes {grid = [2]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{'scf.for' op is not lowered by the scheduler yet}}
  scf.for %i = %c0 to %c2 step %c1 {
  }
  return
}

// -----

// expected-error@+1 {{grid of 33 tiles exceeds the 32 cores of the device (MF-4)}}
func.func @cores() attributes {grid = [33]} {
  return
}

// -----

// expected-error@+1 {{Grid must have at least one dimension}}
func.func @nogrid() attributes {grid = []} {
  return
}

// -----

// expected-error@+1 {{Grid size must be integer attribute}}
func.func @badgrid() attributes {grid = ["a"]} {
  return
}

// -----

// expected-error@+1 {{Grid size must be positive (got 0)}}
func.func @zerogrid() attributes {grid = [0]} {
  return
}

// -----

// expected-error@+1 {{expected a grid of one dimension, but found 2}}
func.func @grid2() attributes {grid = [2, 2]} {
  return
}

// -----

// expected-error@+1 {{expected a kernel that stores something}}
func.func @nothing() {
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @f32(%x: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf32>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf32> -> !ktdp.access_tile<128xindex>
  // expected-error@+1 {{expected elements of type 'f16', but found 'f32'}}
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf32>
  ktdp.store %a, %xt : tensor<128xf32>, <128xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#t = affine_set<(c) : (c >= 0, -c + 63 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @overhang(%x: index) attributes {grid = [2]} {
  %c65 = arith.constant 65 : index
  %id = ktdp.get_compute_tile_id : index
  %o = arith.muli %id, %c65 : index
  // expected-note@+1 {{view constructed here}}
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%o] {access_tile_order = #id, access_tile_set = #t} : memref<128xf16> -> !ktdp.access_tile<64xindex>
  // Tile 1 starts at 65 and ends at 128, one past the last coordinate 127.
  // expected-error@+1 {{on tile 1 reaches coordinates 65 to 128 of dimension 0, but its view has 128}}
  %a = ktdp.load %xt : <64xindex> -> tensor<64xf16>
  ktdp.store %a, %xt : tensor<64xf16>, <64xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
// expected-note@+1 {{depends on this run-time value}}
func.func @runtime(%x: index, %n: index) {
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  // expected-error@+1 {{expected subscripts that depend on constants and the tile id alone}}
  %xt = ktdp.construct_access_tile %xv[%n] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  ktdp.store %a, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @reduce(%x: index, %y: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  %e = tensor.empty() : tensor<f16>
  // expected-error@+1 {{expected an elementwise operation, but iterator 0 is a reduction}}
  %r = linalg.reduce {arith.addf} ins(%a : tensor<128xf16>) outs(%e : tensor<f16>) dimensions = [0]
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @body(%x: index, %y: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  %e = tensor.empty() : tensor<128xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<128xf16>) outs(%e : tensor<128xf16>) {
  ^bb0(%i: f16, %o: f16):
    // expected-error@+1 {{'math.exp' op is not lowered to the vector unit}}
    %s = math.exp %i : f16
    linalg.yield %s : f16
  } -> tensor<128xf16>
  ktdp.store %r, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @uninitialised(%x: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  // expected-note@+1 {{made here without contents}}
  %e = tensor.empty() : tensor<128xf16>
  // expected-error@+1 {{reads a tensor that was never written}}
  %r = arith.addf %a, %e : tensor<128xf16>
  ktdp.store %r, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @no_load(%x: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = arith.constant dense<1.0> : tensor<128xf16>
  // expected-error@+1 {{expected a value that depends on a load}}
  ktdp.store %a, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @scratchpad(%x: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected a view in device memory}}
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<ct_local>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  ktdp.store %a, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

// A load that would read what the store before it wrote, in one group.
#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @read_back(%x: index, %y: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %yt = ktdp.construct_access_tile %yv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  // expected-note@+1 {{the other access is here}}
  ktdp.store %a, %yt : tensor<128xf16>, <128xindex>
  // expected-error@+1 {{reads what an earlier store of the same compute group may have written}}
  %b = ktdp.load %yt : <128xindex> -> tensor<128xf16>
  %c = arith.addf %a, %b : tensor<128xf16>
  ktdp.store %c, %xt : tensor<128xf16>, <128xindex>
  return
}

// -----

// A swap: each group loads what the other one stores.
#v = affine_set<(c) : (c >= 0, -c + 127 >= 0)>
#id = affine_map<(c) -> (c)>
func.func @swap(%x: index, %y: index) {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [128], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %yt = ktdp.construct_access_tile %yv[%c0] {access_tile_order = #id, access_tile_set = #v} : memref<128xf16> -> !ktdp.access_tile<128xindex>
  %a = ktdp.load %xt : <128xindex> -> tensor<128xf16>
  // expected-note@+1 {{the other access is here}}
  %b = ktdp.load %yt : <128xindex> -> tensor<128xf16>
  // expected-error@+1 {{the scheduler runs each group as a whole; expected the accesses of a group next to each other, or a store to a tensor of its own}}
  ktdp.store %a, %yt : tensor<128xf16>, <128xindex>
  ktdp.store %b, %xt : tensor<128xf16>, <128xindex>
  return
}
