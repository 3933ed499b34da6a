// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s -mlir-print-op-generic | ktir-opt | FileCheck %s

// CHECK-LABEL: func.func @units
func.func @units(%x: vector<64xf16>) {
  // CHECK: %[[U0:.+]] = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-mnilu", type = "mnilu"} : index
  %u0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-mnilu", type = "mnilu"} : index
  // CHECK: %[[U1:.+]] = dataflow.get_unit
  %u1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-mnilu", type = "mnilu"} : index
  // CHECK: %[[LX:.+]] = dataflow.get_unit {core = 0 : i32, name = "C0-lx", type = "lx"} : index
  %lx = dataflow.get_unit {core = 0 : i32, name = "C0-lx", type = "lx"} : index
  // CHECK: %[[HBM:.+]] = dataflow.get_unit {name = "hbm", type = "hbm"} : index
  %hbm = dataflow.get_unit {name = "hbm", type = "hbm"} : index
  // CHECK: %[[H:.+]]:2 = dataflow.get_unit {core = 5 : i32, corelet = 0 : i32, name = "C5-mnilu", type = "mnilu"} : index, index
  %h0, %h1 = dataflow.get_unit {core = 5 : i32, corelet = 0 : i32, name = "C5-mnilu", type = "mnilu"} : index, index
  // CHECK: %[[G:.+]] = dataflow.create_group(%[[U0]], %[[U1]] : index, index) : index
  %g = dataflow.create_group(%u0, %u1 : index, index) : index
  // CHECK: dataflow.create_multicast_group(%[[U0]] -> (%[[U1]], %[[H]]#0)) {count = 0 : i32, group_id = 3 : i32, num_consumers = 2 : i32} : index
  %mc = dataflow.create_multicast_group(%u0 -> (%u1, %h0)) {count = 0 : i32, group_id = 3 : i32, num_consumers = 2 : i32} : index
  // CHECK: dataflow.create_multicast_group(%[[U0]] -> ()) {count = 0 : i32, group_id = 4 : i32, num_consumers = 2 : i32} : index
  %open = dataflow.create_multicast_group(%u0 -> ()) {count = 0 : i32, group_id = 4 : i32, num_consumers = 2 : i32} : index

  // CHECK: dataflow.program_unit iter_arg : %[[ME:.+]] -> (%[[U0]], %[[U1]]) : {
  // CHECK-NEXT: dataflow.get_local_unit %[[ME]] {name = "C0-l1lu"} : index
  // CHECK-NEXT: }
  dataflow.program_unit iter_arg : %me -> (%u0, %u1) : {
    %l = dataflow.get_local_unit %me {name = "C0-l1lu"} : index
  }
  // CHECK: dataflow.program_unit iter_arg : %{{.+}} -> (%[[H]]#1) {precision = "fp16"} : {
  // CHECK-NEXT: }
  dataflow.program_unit iter_arg : %me -> (%h1) {precision = "fp16"} : {
  }
  // Without an argument, and with one in the block's own form.
  // CHECK: dataflow.program_unit %[[U0]], %[[U1]] {precision = "fp16"} : {
  // CHECK-NEXT: dataflow.send
  dataflow.program_unit %u0, %u1 {precision = "fp16"} : {
    dataflow.send %g, %x : vector<64xf16>
  }
  // CHECK: dataflow.program_unit iter_arg : %[[ME:.+]] -> (%[[U0]]) : {
  // CHECK-NEXT: dataflow.sync_recv %[[ME]]
  dataflow.program_unit %u0 : {
  ^bb0(%me: index):
    dataflow.sync_recv %me : index
  }
  // The terminator has a generic form only.
  // CHECK: dataflow.program_unit iter_arg : %{{.+}} -> (%[[U0]]) : {
  // CHECK-NEXT: }
  "dataflow.program_unit"(%u0) ({
  ^bb0(%me: index):
    "dataflow.return"() : () -> ()
  }) : (index) -> ()
  return
}

// CHECK-LABEL: func.func @channels
// CHECK-SAME: %[[PEER:.+]]: index, %[[X:.+]]: vector<64xf16>, %[[Y:.+]]: memref<64xf16>
func.func @channels(%peer: index, %x: vector<64xf16>, %y: memref<64xf16>, %n: index) {
  // CHECK-NEXT: dataflow.send %[[PEER]], %[[X]] : vector<64xf16>
  dataflow.send %peer, %x : vector<64xf16>
  // CHECK-NEXT: dataflow.send %[[PEER]], %[[X]] {dir = #dataflow<direction Clockwise>} : vector<64xf16>
  dataflow.send %peer, %x {dir = #dataflow<direction Clockwise>} : vector<64xf16>
  // CHECK-NEXT: dataflow.receive %[[PEER]] : vector<2xf32>
  %r = dataflow.receive %peer : vector<2xf32>
  // CHECK-NEXT: dataflow.receive %[[PEER]] : !dataflow.custom_vector<64x!dataflow.custom<mxfp4>>
  %c = dataflow.receive %peer : !dataflow.custom_vector<64x!dataflow.custom<mxfp4>>
  // CHECK-NEXT: dataflow.sync_send %[[PEER]] : index
  dataflow.sync_send %peer : index
  // CHECK-NEXT: dataflow.sync_send %[[PEER]] {wait_immediately_for_async_transfers = true} : index
  dataflow.sync_send %peer {wait_immediately_for_async_transfers = true} : index
  // CHECK-NEXT: dataflow.sync_send %[[PEER]] {dbgName = "fence", wait_immediately_for_async_transfers = false} : index
  dataflow.sync_send %peer {dbgName = "fence", wait_immediately_for_async_transfers = false} : index
  // CHECK-NEXT: dataflow.sync_recv %[[PEER]] : index
  dataflow.sync_recv %peer : index
  // CHECK-NEXT: dataflow.implicit_sync_on_streaming_buffer %[[Y]], %[[PEER]], %{{.+}} : memref<64xf16>, index, index
  dataflow.implicit_sync_on_streaming_buffer %y, %peer, %n : memref<64xf16>, index, index
  // CHECK-NEXT: dataflow.opaque {func_name = "gelu", parameter_dictionary = {}, read_only_register_dictionary = {c0 = "R2"}, read_write_register_dictionary = {x = "R0"}}
  dataflow.opaque {func_name = "gelu", parameter_dictionary = {}, read_only_register_dictionary = {c0 = "R2"}, read_write_register_dictionary = {x = "R0"}}
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%mem: index, %start: index) {
  // CHECK: %[[C512:.+]] = arith.constant 512
  %c512 = arith.constant 512 : index
  // CHECK: %[[C4096:.+]] = arith.constant 4096
  %c4096 = arith.constant 4096 : index
  // CHECK: dataflow.get_logical_memory_view %{{.+}}, %{{.+}} {layout_map = #{{.+}}} : index, index, memref<96x128xf16>
  %0 = dataflow.get_logical_memory_view %mem, %start {layout_map = affine_map<(d0, d1) -> (d0 * 128 + d1)>} : index, index, memref<96x128xf16>
  // CHECK: dataflow.get_logical_memory_view %{{.+}}, %{{.+}} {addr_unit = "byte", layout_map = #{{.+}}} : index, index, memref<128xi4>
  %1 = dataflow.get_logical_memory_view %mem, %start {addr_unit = "byte", layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<128xi4>
  // CHECK: dataflow.get_paged_logical_memory_view %{{.+}}, %{{.+}} {layout_map = #{{.+}}} {segments = page0: (idx_set = #[[P0:.+]], start_addr = %[[C4096]]), page1: (idx_set = #[[P1:.+]], start_addr = %[[C512]])} : index, index, memref<8x64xf16>
  %2 = dataflow.get_paged_logical_memory_view %mem, %start {layout_map = affine_map<(d0, d1) -> (d0 * 64 + d1)>}
    {segments =
      page0: (idx_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, start_addr = %c4096),
      page1: (idx_set = affine_set<(d0, d1) : (d0 - 4 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, start_addr = %c512)}
    : index, index, memref<8x64xf16>
  return
}

// CHECK: func.func private @types(!dataflow.custom_vector<64x!dataflow.custom<mxfp4>>, memref<64x!dataflow.custom<mxfp8>>, !dataflow.custom_vector<8x!dataflow.custom<mxint4>>, !dataflow.mxfp<6>, !dataflow.mxint<8>)
func.func private @types(!dataflow.custom_vector<64x!dataflow.custom<mxfp4>>, memref<64x!dataflow.custom<mxfp8>>,
  !dataflow.custom_vector<8x!dataflow.custom<mxint4>>, !dataflow.mxfp<6>, !dataflow.mxint<8>)

// CHECK: func.func private @directions() attributes {a = #dataflow<direction PseudoRandom>, b = #dataflow<direction CounterClockwise>, c = #dataflow<direction BothWays>}
func.func private @directions() attributes {a = #dataflow<direction PseudoRandom>, b = #dataflow<direction CounterClockwise>, c = #dataflow<direction BothWays>}
