// The shape of spec §12: declaration module, device, one named module per
// program with wrapper and body. Tile 1 starts at row 3: 3 * 128 * 2 = 768
// bytes behind tile 0, and addresses are words of 128 bytes.
// RUN: ktir-opt %S/../Schedule/Inputs/scale.mlir --ktir-to-dataflow -o %t
// RUN: FileCheck %s < %t
// RUN: ktir-opt %t -o %t.again
// RUN: cmp %t %t.again

// CHECK:      module {
// CHECK-NEXT:   module {
// CHECK-NEXT:     func.func @scale(%arg0: index, %arg1: index) attributes {addr_unit = "element", grid = [2]} {
// CHECK-DAG:        arith.muli %arg0, %c2
// CHECK-DAG:        arith.muli %arg1, %c2
// CHECK:            call @scale_0(
// CHECK:          func.func private @scale_0(index, index)
// CHECK:        ktdf_arch.device @spyre import("spyre.mlir")
// CHECK-NEXT:   module @scale_0 {
// CHECK-NEXT:     func.func private @scale_0_body()
// CHECK-NEXT:     func.func @scale_0(%arg0: index, %arg1: index) {
// CHECK-DAG:        %[[D:.*]] = arith.constant 768 : index
// CHECK-DAG:        %[[W:.*]] = arith.constant 128 : index
// CHECK:            symbol.create_id %arg0 {symbol_id = -1 : si64}
// CHECK:            symbol.create_id %arg1 {symbol_id = -2 : si64}
// CHECK:            %[[A0:.*]] = arith.divsi %arg0, %[[W]]
// CHECK-NEXT:       symbol.create_id %[[A0]] {symbol_id = -3 : si64}
// CHECK-NEXT:       %[[A1B:.*]] = arith.addi %arg0, %[[D]]
// CHECK-NEXT:       %[[A1:.*]] = arith.divsi %[[A1B]], %[[W]]
// CHECK-NEXT:       symbol.create_id %[[A1]] {symbol_id = -4 : si64}
// CHECK:            call @scale_0_body() : () -> ()
// CHECK-NEXT:       return
// CHECK:          module {
// CHECK-NEXT:       func.func @scale_0_body() attributes {grid = [2]} {
// CHECK-NOT:          symbol.create_id
// CHECK:              dataflow.program_unit iter_arg : %[[ME:.*]] -> (%[[M0:[0-9]+]], %[[M1:[0-9]+]])
// CHECK:                %[[S0:.*]] = symbol.create_symbol {SymbolId = -3 : i64}
// CHECK-NEXT:           %[[S1:.*]] = symbol.create_symbol {SymbolId = -4 : i64}
// CHECK-NEXT:           %[[MAP:.*]] = uniform.def_immutable_mapping([%[[M0]] -> %[[S0]]], [%[[M1]] -> %[[S1]]])
// CHECK-NEXT:           %[[START:.*]] = uniform.query_map(map:%[[MAP]], key:%[[ME]])
// CHECK-NEXT:           dataflow.get_logical_memory_view %{{.*}}, %[[START]] {addr_unit = "word"
// CHECK:                agen.composite_load_and_store
// A rendezvous: both corelets are told, then both are heard.
// CHECK:                dataflow.sync_send
// CHECK-NEXT:           dataflow.sync_send
// CHECK-NEXT:           dataflow.sync_recv
// CHECK-NEXT:           dataflow.sync_recv
// The SFU multiplies by the splat of 2.0 = 0x4000.
// CHECK:                vectorchain.constant_bitstream {value = [0x4000]} : vector<1xf16>
// CHECK:                vectorchain.shuffle
// CHECK:                %[[V:.*]] = dataflow.receive
// CHECK-NEXT:           %[[P:.*]] = vectorchain.binary %[[V]], %{{.*}} {binary_op = #vectorchain<binary_operator mul>
// CHECK-NEXT:           dataflow.send %{{.*}}, %[[P]]
// CHECK-NOT:  ktdf.
// CHECK-NOT:  ktdf_lowering.
// CHECK-NOT:  ktdp.get
// CHECK-NOT:  linalg.
