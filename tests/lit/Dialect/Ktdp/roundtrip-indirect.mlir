// Forms of indirect tiles, distributed views, runtime arguments and subscripts.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | FileCheck %s

#vs = affine_set<(m, k) : (m >= 0, -m + 1 >= 0, k >= 0, -k + 63 >= 0)>
#id = affine_map<(m, k) -> (m, k)>

// CHECK-LABEL: func.func @indirect
// CHECK-SAME:  (%[[X:.*]]: memref<100x64xf16>, %[[I:.*]]: memref<8xsi32>, %[[S:.*]]: index, %[[Q:.*]]: index)
func.func @indirect(%X: memref<100x64xf16>, %I: memref<8xsi32>, %s: index, %q: index) {
  // CHECK: ktdp.construct_indirect_access_tile intermediate_variables(%[[M:.*]], %[[K:[^)]*]]) %[[X]][ind(%[[I]][%[[S]] + %[[M]]]), (%[[Q]] + %[[K]] - %[[S]])] {variables_space_order = #{{.*}}, variables_space_set = #{{.*}}} : memref<100x64xf16>, memref<8xsi32> -> !ktdp.access_tile<2x64xindex>
  %g = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %X[ind(%I[%m + %s]), (%k + %q - %s)]
       {variables_space_set = #vs, variables_space_order = #id} : memref<100x64xf16>, memref<8xsi32> -> !ktdp.access_tile<2x64xindex>
  return
}

// Two results of one op are two values, in one expression as well.
// CHECK-LABEL: func.func @results
func.func @results(%v: memref<16x128xf16>, %J: memref<8xindex>) attributes {grid = [2, 2]} {
  // CHECK: %[[T:.*]], %[[U:.*]] = ktdp.get_compute_tile_id
  %g:2 = ktdp.get_compute_tile_id : index, index
  // CHECK: ktdp.construct_access_tile %{{.*}}[%[[T]] + %[[U]], %[[U]] * 64]
  %a = ktdp.construct_access_tile %v[%g#0 + %g#1, 64 * %g#1] {access_tile_set = #vs, access_tile_order = #id} : memref<16x128xf16> -> !ktdp.access_tile<2x64xindex>
  // CHECK: ktdp.construct_indirect_access_tile intermediate_variables(%[[M:.*]], %[[K:[^)]*]]) %{{.*}}[ind(%{{.*}}[%[[T]] + %[[M]]]), (%[[K]] + %[[U]] * 64)]
  %b = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k) %v[ind(%J[%m + %g#0]), (%k + 64 * %g#1)]
       {variables_space_set = #vs, variables_space_order = #id} : memref<16x128xf16>, memref<8xindex> -> !ktdp.access_tile<2x64xindex>
  return
}

// Operators bind as in affine maps, and parentheses as written.
// CHECK-LABEL: func.func @precedence
// CHECK-SAME:  (%{{.*}}: memref<100x64xf16>, %[[A:.*]]: index, %[[B:.*]]: index)
func.func @precedence(%v: memref<100x64xf16>, %a: index, %b: index) {
  // CHECK: construct_access_tile %{{.*}}[%[[A]] * 2 + %[[B]] floordiv 4, (%[[A]] + %[[B]]) mod 64]
  %0 = ktdp.construct_access_tile %v[2 * %a + %b floordiv 4, (%a + %b) mod 64] {access_tile_set = #vs, access_tile_order = #id} : memref<100x64xf16> -> !ktdp.access_tile<2x64xindex>
  // CHECK: construct_access_tile %{{.*}}[-%[[A]] - %[[B]], %[[A]] - (%[[B]] - 3)]
  %1 = ktdp.construct_access_tile %v[-%a - %b, %a - ((%b - 3))] {access_tile_set = #vs, access_tile_order = #id} : memref<100x64xf16> -> !ktdp.access_tile<2x64xindex>
  // CHECK: construct_access_tile %{{.*}}[%[[A]] + 7, %[[B]] * -8]
  %2 = ktdp.construct_access_tile %v[1 + 2 * 3 + %a, -2 * 4 * %b] {access_tile_set = #vs, access_tile_order = #id} : memref<100x64xf16> -> !ktdp.access_tile<2x64xindex>
  return
}

// CHECK-LABEL: func.func @distributed
func.func @distributed(%a: memref<2x64xf16>, %b: memref<2x64xf16, #ktdp.memory_space<ct_local, ct_id = 3>>) {
  // CHECK: ktdp.construct_distributed_memory_view(%{{.*}}, %{{.*}} : memref<2x64xf16>, memref<2x64xf16, #ktdp.memory_space<ct_local, ct_id = 3>>) : memref<4x64xf16>
  %d = ktdp.construct_distributed_memory_view (%a, %b : memref<2x64xf16>, memref<2x64xf16, #ktdp.memory_space<ct_local, ct_id = 3>>) : memref<4x64xf16>
  return
}

// CHECK-LABEL: func.func @runtime
// CHECK-SAME:  (%[[A:.*]]: !ktdp.runtime_arg<i32>, %[[B:.*]]: !ktdp.runtime_arg<index, granularity=64, upperbound=4096>, %{{.*}}: !ktdp.runtime_arg<f16, upperbound=3>)
func.func @runtime(%a: !ktdp.runtime_arg<i32>, %b: !ktdp.runtime_arg<index, upperbound=4096, granularity=64>, %c: !ktdp.runtime_arg<f16, upperbound=3>) {
  // CHECK: ktdp.runtime_arg_extract value from %[[A]] : <i32> -> i32
  %0 = ktdp.runtime_arg_extract value from %a : <i32> -> i32
  // CHECK: ktdp.runtime_arg_extract granularity from %[[B]] : <index, granularity=64, upperbound=4096> -> index
  %1 = ktdp.runtime_arg_extract granularity from %b : !ktdp.runtime_arg<index, granularity=64, upperbound=4096> -> index
  return
}
