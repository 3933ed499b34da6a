// Rules of distributed views and of what tiles select, by their ids.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// DV-1
func.func @dv1(%a: memref<2xf16>) {
  // expected-error@+1 {{result #0 must be memref of any type values, but got 'tensor<2xf16>'}}
  %d = "ktdp.construct_distributed_memory_view"(%a) : (memref<2xf16>) -> tensor<2xf16>
  return
}

// -----

// DV-2
func.func @dv2(%a: memref<2xf16>, %b: memref<*xf16>) {
  // expected-error@+1 {{operand #1 must be variadic of memref of any type values, but got 'memref<*xf16>'}}
  %d = "ktdp.construct_distributed_memory_view"(%a, %b) : (memref<2xf16>, memref<*xf16>) -> memref<4xf16>
  return
}

// -----

// DV-3
func.func @dv3(%a: memref<2xf16>, %b: memref<2xf32>) {
  // expected-error@+1 {{all input memrefs must have the same element type as the result}}
  %d = ktdp.construct_distributed_memory_view (%a, %b : memref<2xf16>, memref<2xf32>) : memref<4xf16>
  return
}

// -----

// DV-4
func.func @dv4(%a: memref<2xf16>, %b: memref<2x1xf16>) {
  // expected-error@+1 {{all input memrefs must have the same rank as the result}}
  %d = ktdp.construct_distributed_memory_view (%a, %b : memref<2xf16>, memref<2x1xf16>) : memref<4xf16>
  return
}

// -----

func.func @no_views() {
  // expected-error@+1 {{expected at least one view, but got none}}
  %d = ktdp.construct_distributed_memory_view () : memref<4xf16>
  return
}

// -----

// AC-S1
#s = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#id = affine_map<(a) -> (a)>
func.func @acs1(%m: memref<4xf16>, %i: index) {
  // expected-error@+1 {{expected a tile of 4 elements, one for each point of access_tile_set, but '!ktdp.access_tile<5xindex>' has 5}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<5xindex>
  return
}

// -----

// AC-S1: the points of a triangle are packed.
#s = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b >= 0, -b + 3 >= 0, a - b >= 0)>
#id = affine_map<(a, b) -> (a, b)>
func.func @triangle(%m: memref<4x4xf16>, %i: index) {
  %t = ktdp.construct_access_tile %m[%i, %i] {access_tile_set = #s, access_tile_order = #id} : memref<4x4xf16> -> !ktdp.access_tile<2x5xindex>
  // expected-error@+1 {{expected a tile of 10 elements}}
  %u = ktdp.construct_access_tile %m[%i, %i] {access_tile_set = #s, access_tile_order = #id} : memref<4x4xf16> -> !ktdp.access_tile<4x4xindex>
  return
}

// -----

#s = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#o = affine_map<(a, b) -> (a, a)>
func.func @order(%m: memref<4x4xf16>, %i: index) {
  // expected-error@+1 {{expected a permutation for access_tile_order, but got affine_map<(d0, d1) -> (d0, d0)>}}
  %t = ktdp.construct_access_tile %m[%i, %i] {access_tile_set = #s, access_tile_order = #o} : memref<4x4xf16> -> !ktdp.access_tile<4x1xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#id = affine_map<(a) -> (a)>
func.func @store_to_tensor(%m: tensor<4xf16>, %i: index) {
  // expected-note@+1 {{access tile constructed here}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : tensor<4xf16> -> !ktdp.access_tile<4xindex>
  // expected-error@+1 {{expected a tile of a view to store to, but its base is a tensor}}
  ktdp.store %m, %t : tensor<4xf16>, <4xindex>
  return
}

// -----

// An affine expression is refused at the operator that makes it none.
#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @product(%m: memref<4xf16>, %i: index, %j: index) {
  // expected-error@+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
  %t = ktdp.construct_access_tile %m[2 * (%i + 1) * %j] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @quotient(%m: memref<4xf16>, %i: index, %j: index) {
  // expected-error@+1 {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
  %t = ktdp.construct_access_tile %m[4 floordiv %j] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @no_expression(%m: memref<4xf16>, %i: index) {
  // expected-error@+1 {{expected affine expression}}
  %t = ktdp.construct_access_tile %m[%i + ] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @open(%m: memref<4xf16>, %i: index) {
  // expected-error@+1 {{expected ')'}}
  %t = ktdp.construct_access_tile %m[2 * (%i + 1] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}
