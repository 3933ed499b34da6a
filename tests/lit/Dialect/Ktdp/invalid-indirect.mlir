// Each rule of indirect access tiles once, by its id.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// IA-P1
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap1(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+2 {{error parsing intermediate_variables}}
  // expected-error@+1 {{expected '('}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables %m
  return
}

// -----

// IA-P2
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap2(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{expecting a comma between subscripts}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m]) (%k)]
       {variables_space_set = #vs, variables_space_order = #id}
       : memref<8x4xf16>, memref<8xi32> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-P3
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap3(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+2 {{error parsing the subscript }}
  // expected-error@+1 {{expected '(' in affine map}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m]), %k]
       {variables_space_set = #vs, variables_space_order = #id}
       : memref<8x4xf16>, memref<8xi32> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-P4
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap4(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+2 {{Failed to parse symbol operands}}
  // expected-error@+1 {{expected SSA operand}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m]), (%k)] symbols(3)
       {variables_space_set = #vs, variables_space_order = #id}
       : memref<8x4xf16>, memref<8xi32> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-P5
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap5(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{error canonicalizing subscripts}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m + symbol(%s)]), (%k)] {variables_space_set = #vs, variables_space_order = #id}
       : memref<8x4xf16>, memref<8xi32> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-P6
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
func.func @iap6(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{expected 2 types (base + 1 indirect memrefs), but got 1}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m]), (%k)] {variables_space_set = #vs, variables_space_order = #id} : memref<8x4xf16> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-P7
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#vn = affine_set<(m, k)[n] : (m >= 0, n - m >= 0, k >= 0, -k + 3 >= 0)>
func.func @iap7(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{variables_space_set has 1 symbols but got 0 symbol operands}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m]), (%k)] {variables_space_set = #vn, variables_space_order = #id} : memref<8x4xf16>, memref<8xi32> -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-1
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
#o = affine_map<(a) -> (a)>
func.func @ia1(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{variables_space_set dimensions (2) must match variables_space_order inputs (1)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #o, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-2
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia2(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{variables_space_order must have equal number of inputs (2) and outputs (1)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #i, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-3
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia3(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{number of intermediate variables (1) must match variables_space_set dimensions (2)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-4
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia4(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{variables_space_set has 0 symbols but got 1 symbol operands}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>, index) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-5
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia5(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{per_dim_subscript_kinds size (1) must match per_dim_subscript_maps size (2)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-6
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia6(%U: tensor<*xf16>, %I: memref<8xi32>) {
  // expected-error@+1 {{base must be a ranked memref or tensor type}}
  %t = "ktdp.construct_indirect_access_tile"(%U, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (tensor<*xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-6 memref
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia6_memref(%U: memref<*xf16>, %I: memref<8xi32>) {
  // expected-error@+1 {{operand #0 must be memref of any type values or tensor of any type values, but got 'memref<*xf16>'}}
  %t = "ktdp.construct_indirect_access_tile"(%U, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<*xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-7
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia7(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{number of subscripts (2) must match base rank (1)}}
  %t = "ktdp.construct_indirect_access_tile"(%I, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8xi32>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-8
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia8(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{per_dim_subscript_kinds must contain BoolAttr elements}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, "no"], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-9
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia9(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{number of indirect dimensions (2) must match number of indirect memrefs (1)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, true], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-10
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia10(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{per_dim_subscript_maps[1] must be an AffineMapAttr}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, 4], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-11
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
#c = affine_map<(s, m, k) -> (m)>
func.func @ia11(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{subscript map for dimension 1 has 2 dimensions, but expected 3 (captured_variables + intermediate_variables)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#c, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>, index) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-12
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia12(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{indirect subscript map for dimension 0 produces 2 results, but indirect memref has rank 1}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#id, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-13
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia13(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{direct subscript map for dimension 1 must produce exactly 1 result, but produces 2}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #id], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-14
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ia14(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{result type rank (1) must match variables_space_set dimensions (2)}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<8xindex>
  return
}

// -----

// IA-S2
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
func.func @ias2(%X: memref<8x4xf16>, %J: memref<8xf16>) {
  // expected-error@+1 {{expected index views of an integer type or 'index', but got 'memref<8xf16>'}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %J) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #id, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xf16>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// IA-S5
#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 3 >= 0)>
#id = affine_map<(m, k) -> (m, k)>
#i = affine_map<(m, k) -> (m)>
#d = affine_map<(m, k) -> (k)>
#o = affine_map<(a, b) -> (a, a)>
func.func @ias5(%X: memref<8x4xf16>, %I: memref<8xi32>, %s: index, %g: index) {
  // expected-error@+1 {{expected a permutation for variables_space_order, but got affine_map<(d0, d1) -> (d0, d0)>}}
  %t = "ktdp.construct_indirect_access_tile"(%X, %I) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, per_dim_subscript_kinds = [true, false], per_dim_subscript_maps = [#i, #d], variables_space_order = #o, variables_space_set = #vs}> ({
  ^bb0(%v0: index, %v1: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x4xf16>, memref<8xi32>) -> !ktdp.access_tile<2x4xindex>
  return
}

// -----

// The hidden terminator stands nowhere else.
func.func @terminator() {
  // expected-error@+1 {{expects parent op 'ktdp.construct_indirect_access_tile'}}
  "ktdp.region_terminator"() : () -> ()
}
