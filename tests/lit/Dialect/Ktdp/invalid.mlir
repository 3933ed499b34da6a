// Each rule once, by its id in the language reference.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// ID-1
func.func @no_id() {
  // expected-error@+1 {{must return at least one index (num tile-grid dims >= 1)}}
  "ktdp.get_compute_tile_id"() : () -> ()
  return
}

// -----

// ID-2
func.func @typed_id() {
  // expected-error@+1 {{result #0 must be variadic of index, but got 'i32'}}
  %t = "ktdp.get_compute_tile_id"() : () -> i32
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv1(%p: index) {
  // MV-1
  // expected-error@+1 {{static_sizes and static_strides must have equal length}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv2(%p: index) {
  // MV-2
  // expected-error@+1 {{number of dynamic size operands does not match kDynamic entries in static_sizes}}
  %v = "ktdp.construct_memory_view"(%p, %p) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>, coordinate_set = #s, memory_space = #ktdp.memory_space<global>}> : (index, index) -> memref<4xf16>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv3(%p: index) {
  // MV-3
  // expected-error@+1 {{number of dynamic stride operands does not match kDynamic entries in static_strides}}
  %v = "ktdp.construct_memory_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_sizes = array<i64: 4>, static_strides = array<i64: -9223372036854775808>, coordinate_set = #s, memory_space = #ktdp.memory_space<global>}> : (index) -> memref<4xf16>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv4(%p: index) {
  // MV-4
  // expected-error@+1 {{result #0 must be memref of any type values, but got 'tensor<4xf16>'}}
  %v = "ktdp.construct_memory_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>, coordinate_set = #s, memory_space = #ktdp.memory_space<global>}> : (index) -> tensor<4xf16>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv5(%p: index) {
  // MV-5
  // expected-error@+1 {{result memref rank does not match sizes/strides length}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<4x4xf16>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @mv6_space(%p: index) {
  // MV-6
  // expected-error@+1 {{requires attribute 'memory_space'}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {coordinate_set = #s} : memref<4xf16>
  return
}

// -----

func.func @mv6_set(%p: index) {
  // MV-6
  // expected-error@+1 {{requires attribute 'coordinate_set'}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  return
}

// -----

// MS-1
// expected-error@+1 {{ct_id must be non-negative, but got: -2}}
func.func private @ms1() attributes {space = #ktdp.memory_space<ct_local, ct_id = -2>}

// -----

// MS-2
// expected-error@+1 {{ct_id is only valid for ct_local memory spaces, but got memory space 'global' with ct_id = 1}}
func.func private @ms2() attributes {space = #ktdp.memory_space<global, ct_id = 1>}

// -----

// expected-error@+1 {{expected 'global' or 'ct_local', but found 'HBM'}}
func.func private @space() attributes {space = #ktdp.memory_space<HBM>}

// -----

// AT-T1
// expected-error@+1 {{tile element type must be 'index', but got: 'f16'}}
func.func private @att1(!ktdp.access_tile<4xf16>)

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @acp1(%m: memref<4xf16>, %i: index) {
  // AC-P1
  // expected-error@+2 {{Failed to parse symbol operands}}
  // expected-error@+1 {{expected SSA operand}}
  %t = ktdp.construct_access_tile %m[%i] symbols(4) {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#id = affine_map<(a) -> (a)>
func.func @acp2(%m: memref<4xf16>, %i: index) {
  // AC-P2
  // expected-error@+1 {{Access tile set is missing in the operation}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @acp3(%m: memref<4x4xf16>, %i: index) {
  // AC-P3
  // expected-error@+1 {{Access tile set and Base input dimensions should match}}
  %t = ktdp.construct_access_tile %m[%i, %i] {access_tile_set = #s, access_tile_order = #id} : memref<4x4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a)[n] : (a >= 0, n - a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @acp4(%m: memref<4xf16>, %i: index) {
  // AC-P4
  // expected-error@+1 {{access_tile_set has 1 symbols but got 0 symbol operands}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
func.func @acp5(%m: memref<4xf16>, %i: index) {
  // AC-P5
  // expected-error@+1 {{Access tile order is missing in the operation}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#o = affine_map<(a) -> (a, a)>
func.func @acp6(%m: memref<4xf16>, %i: index) {
  // AC-P6
  // expected-error@+1 {{Number of input dimensions and output dimensions in the access tile order should match}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #o} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#o = affine_map<(a, b) -> (a, b)>
func.func @acp7(%m: memref<4xf16>, %i: index) {
  // AC-P7
  // expected-error@+1 {{Number of dimensions in the access tile order and access tile set must match!}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #o} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
#m2 = affine_map<(a) -> (a, a)>
func.func @ac1(%m: memref<4x4xf16>, %i: index) {
  // AC-1
  // expected-error@+1 {{access_tile_set dimensions (1) must match base_map dims (2)}}
  %t = "ktdp.construct_access_tile"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, base_map = #m2, access_tile_set = #s, access_tile_order = #id}> : (memref<4x4xf16>, index) -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @ac2(%m: memref<4xf16>, %i: index) {
  // AC-2
  // expected-error@+1 {{base_map expects 1 operands but got 2}}
  %t = "ktdp.construct_access_tile"(%m, %i, %i) <{operandSegmentSizes = array<i32: 1, 2, 0>, base_map = #id, access_tile_set = #s, access_tile_order = #id}> : (memref<4xf16>, index, index) -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @ac3(%m: memref<4xf16>, %i: index) {
  // AC-3
  // expected-error@+1 {{access_tile_set has 0 symbols but got 1 symbol operands}}
  %t = "ktdp.construct_access_tile"(%m, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1>, base_map = #id, access_tile_set = #s, access_tile_order = #id}> : (memref<4xf16>, index, index) -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
#o = affine_map<(a) -> (a, a)>
func.func @ac4(%m: memref<4xf16>, %i: index) {
  // AC-4
  // expected-error@+1 {{access_tile_order must have equal number of inputs (1) and outputs (2)}}
  %t = "ktdp.construct_access_tile"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, base_map = #id, access_tile_set = #s, access_tile_order = #o}> : (memref<4xf16>, index) -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
#o = affine_map<(a, b) -> (a, b)>
func.func @ac5(%m: memref<4xf16>, %i: index) {
  // AC-5
  // expected-error@+1 {{access_tile_order dimensions (2) must match access_tile_set dimensions (1)}}
  %t = "ktdp.construct_access_tile"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, base_map = #id, access_tile_set = #s, access_tile_order = #o}> : (memref<4xf16>, index) -> !ktdp.access_tile<4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @ac6(%m: memref<4xf16>, %i: index) {
  // AC-6
  // expected-error@+1 {{result type rank (2) must match access_tile_set dimensions (1)}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4x1xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @base_rank(%m: memref<4x4xf16>, %i: index) {
  // expected-error@+1 {{expected one subscript per dimension of the base (2), but got 1}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : memref<4x4xf16> -> !ktdp.access_tile<4xindex>
  return
}

// -----

func.func @ld1(%t: !ktdp.access_tile<4xindex>) {
  // LD-1
  // expected-error@+1 {{result must be a ranked tensor}}
  %x = ktdp.load %t : <4xindex> -> tensor<*xf16>
  return
}

// -----

func.func @ld2(%t: !ktdp.access_tile<4xindex>) {
  // LD-2
  // expected-error@+1 {{access tile shape must match result tensor shape}}
  %x = ktdp.load %t : <4xindex> -> tensor<5xf16>
  return
}

// -----

func.func @st1(%t: !ktdp.access_tile<4xindex>, %x: tensor<*xf16>) {
  // ST-1
  // expected-error@+1 {{data_tile must be a ranked tensor}}
  ktdp.store %x, %t : tensor<*xf16>, <4xindex>
  return
}

// -----

func.func @st2(%t: !ktdp.access_tile<4xindex>, %x: tensor<?xf16>) {
  // ST-2
  // expected-error@+1 {{data tile shape must match access tile shape}}
  ktdp.store %x, %t : tensor<?xf16>, <4xindex>
  return
}

// -----

#s = affine_set<(a) : (a >= 0)>
#id = affine_map<(a) -> (a)>
func.func @element(%m: memref<4xf16>, %i: index) {
  // expected-note@+1 {{access tile constructed here}}
  %t = ktdp.construct_access_tile %m[%i] {access_tile_set = #s, access_tile_order = #id} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  // expected-error@+1 {{expected tensor element type 'f16' of the tile's base, but got 'f32'}}
  %x = ktdp.load %t : <4xindex> -> tensor<4xf32>
  return
}
