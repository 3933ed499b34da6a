// RUN: ktir-opt %s -allow-unregistered-dialect -canonicalize | FileCheck %s

// A bound is a constant of the type.
// CHECK-LABEL: func.func @bounds
// CHECK-DAG:   %[[G:.*]] = arith.constant 64 : index
// CHECK-DAG:   %[[U:.*]] = arith.constant 4096 : index
// CHECK:       %[[V:.*]] = ktdp.runtime_arg_extract value
// CHECK:       return %[[G]], %[[U]], %[[V]]
func.func @bounds(%a: !ktdp.runtime_arg<i32, granularity=64, upperbound=4096>) -> (index, index, i32) {
  %g = ktdp.runtime_arg_extract granularity from %a : <i32, granularity=64, upperbound=4096> -> index
  %u = ktdp.runtime_arg_extract upperbound from %a : <i32, granularity=64, upperbound=4096> -> index
  %v = ktdp.runtime_arg_extract value from %a : <i32, granularity=64, upperbound=4096> -> i32
  return %g, %u, %v : index, index, i32
}

// The only tile has id zero.
// CHECK-LABEL: func.func @one_tile
// CHECK-NOT:   get_compute_tile_id
// CHECK:       %[[Z:.*]] = arith.constant 0 : index
// CHECK:       "use"(%[[Z]])
func.func @one_tile() attributes {grid = [1]} {
  %t = ktdp.get_compute_tile_id : index
  "use"(%t) : (index) -> ()
  return
}

// So has every tile along a grid dimension of extent one, and no other.
// CHECK-LABEL: func.func @row
// CHECK-DAG:   %[[Z:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[T:.*]], %{{.*}} = ktdp.get_compute_tile_id
// CHECK:       "use"(%[[T]], %[[Z]])
func.func @row() attributes {grid = [4, 1]} {
  %t:2 = ktdp.get_compute_tile_id : index, index
  "use"(%t#0, %t#1) : (index, index) -> ()
  return
}

// Whose grid it will be is not known in a helper.
// CHECK-LABEL: func.func @helper
// CHECK:       ktdp.get_compute_tile_id
func.func @helper() -> index {
  %t = ktdp.get_compute_tile_id : index
  return %t : index
}
