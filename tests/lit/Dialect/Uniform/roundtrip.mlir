// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s -mlir-print-op-generic | ktir-opt | FileCheck %s

// CHECK-LABEL: func.func @mappings
func.func @mappings() {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1
  %c1 = arith.constant 1 : index
  // CHECK: %[[U0:.+]] = dataflow.get_unit
  %u0 = dataflow.get_unit {name = "C0-mnilu", type = "mnilu"} : index
  // CHECK: %[[U1:.+]] = dataflow.get_unit
  %u1 = dataflow.get_unit {name = "C1-mnilu", type = "mnilu"} : index
  // CHECK: %[[A:.+]] = uniform.def_immutable_mapping([%[[U0]] -> %[[C0]]], [%[[U1]] -> %[[C1]]]):index
  %a = uniform.def_immutable_mapping([%u0 -> %c0], [%u1 -> %c1]):index
  // CHECK: uniform.def_immutable_mapping([%[[C0]] -> %[[U0]]]) {dbgName = "by"}:index
  %b = uniform.def_immutable_mapping([%c0 -> %u0]) {dbgName = "by"} : index
  // CHECK: uniform.query_map(map:%[[A]], key:%[[U1]]) : index
  %v = uniform.query_map(map:%a, key:%u1) : index
  return
}

// CHECK-LABEL: func.func @regions
func.func @regions(%w: index) {
  // CHECK-DAG: %[[C4:.+]] = arith.constant 4
  %c4 = arith.constant 4 : index
  // CHECK-DAG: %[[C8:.+]] = arith.constant 8
  %c8 = arith.constant 8 : index
  // CHECK: %[[U0:.+]] = dataflow.get_unit
  %u0 = dataflow.get_unit {name = "C0-mnilu", type = "mnilu"} : index
  // CHECK: %[[U1:.+]] = dataflow.get_unit
  %u1 = dataflow.get_unit {name = "C1-mnilu", type = "mnilu"} : index
  // CHECK: %[[U2:.+]] = dataflow.get_unit
  %u2 = dataflow.get_unit {name = "C2-mnilu", type = "mnilu"} : index
  // CHECK: %[[G:.+]] = dataflow.create_group
  %g  = dataflow.create_group(%u2 : index) : index

  // CHECK:      uniform.uniformize_regions -> index {
  // CHECK-NEXT: (%[[X:.+]] -> %[[U0]]){
  // CHECK-NEXT:   uniform.yield %[[C8]] : index
  // CHECK-NEXT: }
  // CHECK-NEXT: (%[[Y:.+]] -> %[[U1]]){
  // CHECK-NEXT:   uniform.yield %[[Y]] : index
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  %n = uniform.uniformize_regions -> (index) {
    (%x -> %u0){
      uniform.yield %c8 : index
    }
    (%y -> %u1){
      uniform.yield %y : index
    }
  }
  // CHECK: uniform.uniformize_regions -> (index, index) {
  // CHECK: uniform.yield %[[C4]], %[[C8]] : index, index
  %p:2 = uniform.uniformize_regions -> (index, index) {
    (%x -> %u0){
      uniform.yield %c4, %c8 : index, index
    }
  }
  // CHECK:      uniform.uniformize_regions -> () {
  // CHECK-NEXT: (%{{.+}} -> %[[U0]], %[[U1]]){
  // CHECK-NEXT:   dataflow.sync_send
  // CHECK-NEXT: }
  // CHECK-NEXT: (%[[A:.+]] -> %[[G]]){
  // CHECK-NEXT:   dataflow.sync_recv %[[A]]
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  uniform.uniformize_regions {
    (%a -> %u0, %u1){
      dataflow.sync_send %w : index
    }
    (%a -> %g){
      dataflow.sync_recv %a : index
      uniform.yield
    }
  }
  // CHECK:      uniform.equalize_pattern {
  // CHECK-NEXT: (%{{.+}} -> %[[U0]]){
  // CHECK-NEXT:   dataflow.sync_send %[[U1]] : index
  // CHECK-NEXT: }
  // CHECK-NEXT: (%{{.+}} -> %[[U1]]){
  // CHECK-NEXT:   dataflow.sync_send %[[U0]] : index
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  uniform.equalize_pattern {
    (%a -> %u0){
      dataflow.sync_send %u1 : index
    }
    (%a -> %u1){
      dataflow.sync_send %u0 : index
    }
  }
  return
}
