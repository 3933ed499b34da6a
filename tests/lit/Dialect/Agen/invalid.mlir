// RUN: ktir-opt %s -verify-diagnostics -split-input-file

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-1: as many operands as the map takes.
func.func @operands(%m: memref<8xf16>, %i: index) {
  // expected-error@+1 {{'agen.vector_load' op expected 0 map operands, but got 1}}
  %v = "agen.vector_load"(%m, %i) {load_order = #o1, load_set = #l4, map = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<8xf16>, index) -> vector<4xf16>
  return
}

// -----

#o2 = affine_map<(d0, d1) -> (d0, d1)>
#r4 = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 3 >= 0)>

// A subscript has a position for each dimension.
func.func @positions(%m: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op subscript has 1 positions, but the view has rank 2}}
  %v = agen.vector_load %m[0] {load_order = #o2, load_set = #r4} : memref<8x8xf16>, vector<4xf16>
  return
}

// -----

#o2 = affine_map<(d0, d1) -> (d0, d1)>
#r4 = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 3 >= 0)>

// G-2: dimensions of the set.
func.func @set_dims(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set and array dimensions should match: 2 and 1}}
  %v = agen.vector_load %m[0] {load_order = #o2, load_set = #r4} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-2: dimensions of the order.
func.func @order_dims(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set and order dimensions should match: 1 and 2}}
  %v = agen.vector_load %m[0] {load_order = #o2, load_set = #l4} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-2: a point for each lane.
func.func @points(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set has 4 points, but the vector has 8 lanes}}
  %v = agen.vector_load %m[0] {load_order = #o1, load_set = #l4} : memref<8xf16>, vector<8xf16>
  return
}

// -----

#o2 = affine_map<(d0, d1) -> (d0, d1)>

// G-2: points of a set that is no box: (0,0) (0,1) (1,0).
func.func @points_of_triangle(%m: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set has 3 points, but the vector has 4 lanes}}
  %v = agen.vector_load %m[0, 0] {load_order = #o2, load_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 7 >= 0, -d0 - d1 + 1 >= 0)>} : memref<8x8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>

// G-2: points of a set with a remainder: 0, 2, 4.
func.func @points_of_every_other(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set has 3 points, but the vector has 4 lanes}}
  %v = agen.vector_load %m[0] {load_order = #o1, load_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0, d0 mod 2 == 0)>} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>

// G-2: an empty set.
func.func @no_point(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set has 0 points, but the vector has 4 lanes}}
  %v = agen.vector_load %m[0] {load_order = #o1, load_set = affine_set<(d0) : (d0 - 4 >= 0, -d0 + 3 >= 0)>} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-2: element types.
func.func @element(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op expected a vector of the array's element type 'f16', but got 'vector<4xf32>'}}
  %v = agen.vector_load %m[0] {load_order = #o1, load_set = #l4} : memref<8xf16>, vector<4xf32>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>

// The lanes depend on nothing else.
func.func @symbols(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.vector_load' op load set and order should have no symbols}}
  %v = agen.vector_load %m[0] {load_order = #o1, load_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 >= 0)>} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o2 = affine_map<(d0, d1) -> (d0, d1)>
#r4 = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 3 >= 0)>

// G-2, store.
func.func @store_set_dims(%m: memref<8xf16>, %x: vector<4xf16>) {
  // expected-error@+1 {{'agen.vector_store' op store set and array dimensions should match: 2 and 1}}
  agen.vector_store %x, %m[0] {store_order = #o2, store_set = #r4} : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-2, store.
func.func @store_points(%m: memref<8xf16>, %x: vector<2xf16>) {
  // expected-error@+1 {{'agen.vector_store' op store set has 4 points, but the vector has 2 lanes}}
  agen.vector_store %x, %m[0] {store_order = #o1, store_set = #l4} : memref<8xf16>, vector<2xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-1: both subscripts.
func.func @composite_operands(%m: memref<8xf16>, %i: index) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 0 map operands, but got 1}}
  "agen.composite_load_and_store"(%m, %m, %i) ({
  ^bb0(%x: vector<4xf16>):
    agen.yield
  }) {src_map = affine_map<() -> (0)>, dst_map = affine_map<() -> (0)>, load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} : (memref<8xf16>, memref<8xf16>, index) -> ()
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @load_array(%m: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op load set and src array dimensions should match: 1 and 2}}
  agen.composite_load_and_store src:%m[0, 0] dst:%m[0, 0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8x8xf16>, memref<8x8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @load_order(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op load set and order dimensions should match: 1 and 2}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o2, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @store_array(%m: memref<8xf16>, %n: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op store set and dst array dimensions should match: 1 and 2}}
  agen.composite_load_and_store src:%m[0] dst:%n[0, 0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8x8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @store_order(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op store set and order dimensions should match: 1 and 2}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o2, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// The time steps have one order.
func.func @time_order(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op time set and order dimensions should match: 1 and 2}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o2, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6: dimensions.
func.func @load_time_dims(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 'load_time_addr_map' to have 1 dimensions as the time set has, but got 2}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = affine_map<(d0, d1) -> (d0)>, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6: symbols.
func.func @load_time_symbols(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 'load_time_addr_map' to have 0 symbols as there are time symbols, but got 1}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = affine_map<(d0)[s0] -> (s0)>, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6: results.
func.func @load_time_results(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 'load_time_addr_map' to have 1 results as the view has dimensions, but got 2}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = affine_map<(d0) -> (d0, 0)>, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6
func.func @store_time_symbols(%m: memref<8xf16>, %i: index) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 'store_time_addr_map' to have 1 symbols as there are time symbols, but got 0}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(%i), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = affine_map<(d0)[s0] -> (s0)>, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6
func.func @store_time_results(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected 'store_time_addr_map' to have 1 results as the view has dimensions, but got 0}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = affine_map<(d0) -> ()>, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// A symbol of the time set is a time symbol.
func.func @time_symbols(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected time set and order to have 0 symbols as there are time symbols, but got 1}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 >= 0)>}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-2: the loaded vector.
func.func @copied_points(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op load set has 4 points, but the vector has 2 lanes}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<2xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-2: the stored vector.
func.func @copied_store_points(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op store set has 2 points, but the vector has 4 lanes}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-2: the element type of the destination.
func.func @copied_element(%m: memref<8xf16>, %n: memref<8xf32>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected a vector of the dst array's element type 'f32', but got 'vector<4xf16>'}}
  agen.composite_load_and_store src:%m[0] dst:%n[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf32>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// The body takes a vector.
func.func @loaded(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load_and_store' op expected the body to have one vector argument}}
  agen.composite_load_and_store src:%m[0] dst:%m[0]
   time_symbols(), load_iv(%x:f16)
   {load_order = #o1, load_set = #l4, load_time_addr_map = #o1, store_order = #o1, store_set = #l4,
    store_time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @composite_load(%m: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.composite_load' op load set and Array dimensions should match: 1 and 2}}
  agen.composite_load %m[0, 0]
   time_symbols()(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, time_addr_map = affine_map<(d0) -> (d0, 0)>, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8x8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
#o2b = affine_map<(d0) -> (d0, 0)>

// G-6
func.func @composite_load_time(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_load' op expected 'time_addr_map' to have 1 results as the view has dimensions, but got 2}}
  agen.composite_load %m[0]
   time_symbols()(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, time_addr_map = #o2b, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// A load has nothing to yield.
func.func @composite_load_yield(%m: memref<8xf16>) {
  agen.composite_load %m[0]
   time_symbols()(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    // expected-error@+1 {{'agen.yield' op expected no operand because 'agen.composite_load' stores nothing}}
    agen.yield %x : vector<4xf16>
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-5: both.
func.func @store_both(%m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.composite_store' op either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[0]
   input_vector=%v time_symbols()
   {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
   : memref<8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-5: neither.
func.func @store_neither(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_store' op either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[0]
   time_symbols()
   {time_addr_map = #o1, time_order = #o1, time_set = #t2}
   : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-5: a set without an order.
func.func @store_order_missing(%m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.composite_store' op either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[0]
   time_symbols()
   {store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield %v : vector<4xf16>
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-5: a set and order without a body.
func.func @store_body_missing(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_store' op either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[0]
   time_symbols()
   {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
   : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// The input vector has the view's element type.
func.func @store_input_type(%m: memref<8xf16>, %v: vector<4xf32>) {
  // expected-error@+1 {{'agen.composite_store' op expected a vector of the Array's element type 'f16', but got 'vector<4xf32>'}}
  agen.composite_store %m[0]
   input_vector=%v time_symbols()
   {time_addr_map = #o1, time_order = #o1, time_set = #t2}
   : memref<8xf16>, vector<4xf32>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4
func.func @composite_store(%m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.composite_store' op store set and order dimensions should match: 1 and 2}}
  agen.composite_store %m[0]
   time_symbols()
   {store_order = #o2, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield %v : vector<4xf16>
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// A store has something to yield.
func.func @composite_store_yield(%m: memref<8xf16>) {
  agen.composite_store %m[0]
   time_symbols()
   {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    // expected-error@+1 {{'agen.yield' op expected the vector that 'agen.composite_store' stores}}
    agen.yield
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// No yield is implied, because it would have nothing to store.
func.func @composite_store_no_yield(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_store' op expected the body to end with 'agen.yield'}}
  agen.composite_store %m[0]
   time_symbols()
   {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// The stored vector has a lane for each point.
func.func @composite_store_points(%m: memref<8xf16>, %v: vector<2xf16>) {
  // expected-error@+1 {{'agen.composite_store' op store set has 4 points, but the vector has 2 lanes}}
  agen.composite_store %m[0]
   time_symbols()
   {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield %v : vector<2xf16>
  } : memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// Section 7.3: the direct access is as a plain one.
func.func @indirect_load(%i: memref<4xindex>, %m: memref<8x8xf16>) {
  // expected-error@+1 {{'agen.indirect_vector_load' op load set and direct array dimensions should match: 1 and 2}}
  %v = agen.indirect_vector_load indirect:%i[0] direct:%m[0, 0] {load_order = #o1, load_set = #l4} : memref<4xindex>, memref<8x8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// Section 7.3: entries are offsets.
func.func @indirect_entries(%i: memref<4xf16>, %m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.indirect_vector_store' op expected entries of type 'index' or integer in the indirect array, but got 'f16'}}
  agen.indirect_vector_store %v indirect:%i[0] direct:%m[0] {store_order = #o1, store_set = #l4} : vector<4xf16>, memref<4xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// Section 7.3: a map for the buffer needs the buffer.
func.func @indirect_absent(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_indirect_load_and_store' op expected no 'indirect_src_map', no operands for it and no 'load_indirect_time_addr_map' where the indirect array is absent}}
  agen.composite_indirect_load_and_store direct_src:%m[0] direct_dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_direct_time_addr_map = #o1, load_indirect_time_addr_map = #o1, load_order = #o1, load_set = #l4,
    store_direct_time_addr_map = #o1, store_order = #o1, store_set = #l4, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6: displacements in the buffer.
func.func @indirect_time(%i: memref<4xindex>, %m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_indirect_load_and_store' op expected 'store_indirect_time_addr_map' to have 1 results as the view has dimensions, but got 2}}
  agen.composite_indirect_load_and_store direct_src:%m[0] indirect_dst:%i[0] direct_dst:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_direct_time_addr_map = #o1, load_order = #o1, load_set = #l4, store_direct_time_addr_map = #o1,
    store_indirect_time_addr_map = affine_map<(d0) -> (d0, 0)>, store_order = #o1, store_set = #l4, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<8xf16>, memref<4xindex>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-6, load.
func.func @composite_indirect_load(%i: memref<4xindex>, %m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_indirect_load' op expected 'time_addr_map' to have 1 dimensions as the time set has, but got 2}}
  agen.composite_indirect_load indirect:%i[0] direct:%m[0]
   time_symbols(), load_iv(%x:vector<4xf16>)
   {load_order = #o1, load_set = #l4, time_addr_map = affine_map<(d0, d1) -> (d0)>, time_order = #o1, time_set = #t2}
  {
    agen.yield
  } : memref<4xindex>, memref<8xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-4, store.
func.func @composite_indirect_store(%i: memref<4xindex>, %m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.composite_indirect_store' op store set and order dimensions should match: 1 and 2}}
  agen.composite_indirect_store indirect:%i[0] direct:%m[0]
   time_symbols()
   {store_order = #o2, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
  {
    agen.yield %v : vector<4xf16>
  } : memref<4xindex>, memref<8xf16>
  return
}

// -----

// G-12: composite accesses only.
func.func @interleave_other(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_memory_interleave' op expected only composite accesses, but got 'arith.constant'}}
  agen.composite_memory_interleave {} {
    // expected-note@+1 {{other operation here}}
    %c0 = arith.constant 0 : index
    agen.yield
  }
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-12: of one kind.
func.func @interleave_kinds(%m: memref<8xf16>, %v: vector<4xf16>) {
  // expected-error@+1 {{'agen.composite_memory_interleave' op expected composite accesses of one kind, but got 'agen.composite_load' and 'agen.composite_store'}}
  agen.composite_memory_interleave {} {
    agen.composite_load %m[0]
     time_symbols()(%x:vector<4xf16>)
     {load_order = #o1, load_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
    {
      agen.yield
    } : memref<8xf16>
    // expected-note@+1 {{other kind here}}
    agen.composite_store %m[0]
     time_symbols()
     {store_order = #o1, store_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
    {
      agen.yield %v : vector<4xf16>
    } : memref<8xf16>
    agen.yield
  }
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>

// G-12: with equal step counts.
func.func @interleave_steps(%m: memref<8xf16>) {
  // expected-error@+1 {{'agen.composite_memory_interleave' op expected composite accesses of equal step counts, but got 2 and 4}}
  agen.composite_memory_interleave {} {
    agen.composite_load %m[0]
     time_symbols()(%x:vector<4xf16>)
     {load_order = #o1, load_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #t2}
    {
      agen.yield
    } : memref<8xf16>
    // expected-note@+1 {{other step count here}}
    agen.composite_load %m[0]
     time_symbols()(%x:vector<4xf16>)
     {load_order = #o1, load_set = #l4, time_addr_map = #o1, time_order = #o1, time_set = #l4}
    {
      agen.yield
    } : memref<8xf16>
    agen.yield
  }
  return
}

// -----

// G-12: some steps at a time.
func.func @interleave_granularity() {
  // expected-error@+1 {{'agen.composite_memory_interleave' op expected a positive 'granularity', but got 0}}
  agen.composite_memory_interleave {granularity = 0 : i32} {
    agen.yield
  }
  return
}

// -----

// G-13: masked lanes, too.
func.func @mask_unmasked(%c: index) {
  // expected-error@+1 {{'agen.set_transfer_mask_state' op cannot have unmasked values if there are no masked values}}
  %k = "agen.set_transfer_mask_state"(%c) {num_slices = 1 : i32, slice_mask_map = "(0)", unmasked = [1 : i32]} : (index) -> vector<4xf16>
  return
}

// -----

// G-13: unmasked lanes, too.
func.func @mask_masked(%c: index) {
  // expected-error@+1 {{'agen.set_transfer_mask_state' op cannot have masked values if there are no unmasked values}}
  %k = "agen.set_transfer_mask_state"(%c) {num_slices = 1 : i32, slice_mask_map = "(0)", masked = [1 : i32]} : (index) -> vector<4xf16>
  return
}

// -----

// G-13: as many of either.
func.func @mask_counts(%c: index) {
  // expected-error@+1 {{'agen.set_transfer_mask_state' op number of unmasked values and number of masked values must match: 2 and 1}}
  %k = "agen.set_transfer_mask_state"(%c) {num_slices = 1 : i32, slice_mask_map = "(0)", masked = [1 : i32], unmasked = [1 : i32, 3 : i32]} : (index) -> vector<4xf16>
  return
}

// -----

// G-13: the text of a pattern.
func.func @mask_text(%c: index) {
  // expected-error@+1 {{cannot determine where unmasked/masked values are: expected 'maskA' to be "(unmasked = n : i32, masked = n : i32)", but got "4"}}
  %k = agen.set_transfer_mask_state mask_value(%c) {num_slices = 1 : i32, slice_mask_map = "(A)", maskA = "4"} : index, vector<4xf16>
  return
}

// -----

// G-13: patterns without a gap.
func.func @mask_gap(%c: index) {
  // expected-error@+1 {{expected 'maskA' before 'maskB'}}
  %k = agen.set_transfer_mask_state mask_value(%c) {num_slices = 1 : i32, slice_mask_map = "(B)", maskB = "(unmasked = 1 : i32, masked = 1 : i32)"} : index, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: a view of rank 1.
func.func @symbolic_rank(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0, d1) -> (d0 * 8 + d1)>} : index, index, memref<8x8xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op memref is not one dimensional}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<8x8xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: made by the dataflow dialect.
func.func @symbolic_view(%m: memref<64xf16>, %i: index) {
  // expected-error@+1 {{'agen.symbolic_vector_load' op memref should be a dataflow.get_logical_memory_view}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: of consecutive elements.
func.func @symbolic_layout(%u: index, %i: index) {
  // expected-note@+1 {{view defined here}}
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0 * 2)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op memref layout map should be an identity map}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: a vector of rank 1.
func.func @symbolic_vector_rank(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op result type is not one dimensional}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<2x2xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: element types.
func.func @symbolic_element(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op result type does not match memref element type: 'vector<4xf32>' and 'memref<64xf16>'}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<4xf32>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: at least one index.
func.func @symbolic_indices(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op indices should not be empty}}
  %v = agen.symbolic_vector_load %m[indices:(), strides:()] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: a stride for each.
func.func @symbolic_strides(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op strides should be the same size as indices: 2 and 1}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i, %i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>

// G-15: lanes of rank 1.
func.func @symbolic_set(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op load set and order should have one dimension}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = affine_set<(d0, d1) : (d0 == 0, d1 == 0)>} : memref<64xf16>, vector<4xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15: a point for each lane.
func.func @symbolic_points(%u: index, %i: index) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_load' op load set has 4 points, but the vector has 2 lanes}}
  %v = agen.symbolic_vector_load %m[indices:(%i), strides:(%i)] {load_order = #o1, load_set = #l4} : memref<64xf16>, vector<2xf16>
  return
}

// -----

#o1 = affine_map<(d0) -> (d0)>
#l4 = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>

// G-15, store.
func.func @symbolic_store(%u: index, %i: index, %x: vector<4xf32>) {
  %m = dataflow.get_logical_memory_view %u, %i {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<64xf16>
  // expected-error@+1 {{'agen.symbolic_vector_store' op input type does not match memref element type: 'vector<4xf32>' and 'memref<64xf16>'}}
  agen.symbolic_vector_store %x, %m[indices:(%i), strides:(%i)] {store_order = #o1, store_set = #l4} : memref<64xf16>, vector<4xf32>
  return
}

// -----

func.func @yield_parent() {
  // expected-error@+1 {{'agen.yield' op expects parent op to be one of}}
  agen.yield
}
