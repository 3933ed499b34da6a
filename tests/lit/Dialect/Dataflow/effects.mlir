// RUN: ktir-opt %s -canonicalize -cse | FileCheck %s

// What has effects stays, in order, even where it looks the same twice.
// CHECK-LABEL: func.func @ordered
// CHECK-NEXT: dataflow.receive
// CHECK-NEXT: dataflow.receive
// CHECK-NEXT: dataflow.send
// CHECK-NEXT: dataflow.send
// CHECK-NEXT: dataflow.sync_send
// CHECK-NEXT: dataflow.sync_send
// CHECK-NEXT: dataflow.sync_recv
// CHECK-NEXT: dataflow.sync_recv
// CHECK-NEXT: return
func.func @ordered(%peer: index, %x: vector<4xf16>) {
  %unused0 = dataflow.receive %peer : vector<4xf16>
  %unused1 = dataflow.receive %peer : vector<4xf16>
  dataflow.send %peer, %x : vector<4xf16>
  dataflow.send %peer, %x : vector<4xf16>
  dataflow.sync_send %peer : index
  dataflow.sync_send %peer : index
  dataflow.sync_recv %peer : index
  dataflow.sync_recv %peer : index
  return
}

// Handles and views are values only: duplicates become one, unused ones go.
// CHECK-LABEL: func.func @pure
// CHECK-NEXT: %[[U:.+]] = dataflow.get_unit
// CHECK-NEXT: dataflow.sync_send %[[U]]
// CHECK-NEXT: dataflow.sync_send %[[U]]
// CHECK-NEXT: return
func.func @pure(%start: index) {
  %u0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
  %u1 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
  dataflow.sync_send %u0 : index
  dataflow.sync_send %u1 : index
  %v = dataflow.get_logical_memory_view %u0, %start {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<4xf16>
  return
}

// A program stays, whatever is in it.
// CHECK-LABEL: func.func @program
// CHECK: dataflow.program_unit
func.func @program() {
  %u = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
  dataflow.program_unit iter_arg : %me -> (%u) : {
  }
  return
}

// A load is not taken across a signal; without one, equal loads are one.
// CHECK-LABEL: func.func @loads
// CHECK: agen.vector_load
// CHECK-NEXT: dataflow.sync_recv
// CHECK-NEXT: agen.vector_load
// CHECK-NOT: agen.vector_load
func.func @loads(%m: memref<4xf16>, %peer: index) -> (vector<4xf16>, vector<4xf16>, vector<4xf16>) {
  %0 = agen.vector_load %m[0] {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>} : memref<4xf16>, vector<4xf16>
  dataflow.sync_recv %peer : index
  %1 = agen.vector_load %m[0] {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>} : memref<4xf16>, vector<4xf16>
  %2 = agen.vector_load %m[0] {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>} : memref<4xf16>, vector<4xf16>
  return %0, %1, %2 : vector<4xf16>, vector<4xf16>, vector<4xf16>
}
