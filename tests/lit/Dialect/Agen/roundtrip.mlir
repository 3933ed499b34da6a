// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s -mlir-print-op-generic | ktir-opt | FileCheck %s

#o1 = affine_map<(d0) -> (d0)>
#o2 = affine_map<(d0, d1) -> (d0, d1)>
#lanes = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#stick = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#t2 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
#t8 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#tn = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>
#st = affine_map<(d0) -> (d0 * 64)>

// CHECK-LABEL: func.func @vector
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<8x16xf16>, %[[I:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
func.func @vector(%m: memref<8x16xf16>, %i: index, %k: index) {
  // CHECK-NEXT: %[[C:.+]] = agen.vector_load %[[M]][2, 5] {load_order = #{{.+}}, load_set = #{{.+}}} : memref<8x16xf16>, vector<3xf16>
  %col = agen.vector_load %m[2, 5] {load_order = affine_map<(d0, d1) -> (d1, d0)>,
    load_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 == 0)>} : memref<8x16xf16>, vector<3xf16>
  // A value is an operand once; literals are part of the map.
  // CHECK-NEXT: agen.vector_store %[[C]], %[[M]][%[[I]] * 2, %[[I]] + %[[K]] + 1] {store_order = #{{.+}}, store_set = #{{.+}}} : memref<8x16xf16>, vector<3xf16>
  agen.vector_store %col, %m[%i * 2, %i + %k + 1] {store_order = #o2,
    store_set = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 2 >= 0)>} : memref<8x16xf16>, vector<3xf16>
  // CHECK-NEXT: agen.vector_load %[[M]][%[[I]], symbol(%[[K]])] multicast_info = %[[K]] {dbgName = "first", load_order = #{{.+}}, load_set = #{{.+}}} : memref<8x16xf16>, vector<8xf16>
  %mc = agen.vector_load %m[%i, symbol(%k)] multicast_info = %k {dbgName = "first", load_order = #o2,
    load_set = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 7 >= 0)>} : memref<8x16xf16>, vector<8xf16>
  return
}

// CHECK-LABEL: func.func @composite
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<128xf16>, %[[B:[a-z0-9]+]]: memref<128xf16>, %[[M:[a-z0-9]+]]: memref<4x128xf16>, %[[P:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: vector<64xf16>
func.func @composite(%a: memref<128xf16>, %b: memref<128xf16>, %m: memref<4x128xf16>, %peer: index, %i: index, %n: index, %v: vector<64xf16>) {
  // CHECK-NEXT: agen.composite_load_and_store src:%[[A]][0] dst:%[[B]][%[[I]] * 64]
  // CHECK-NEXT: {{^ +}}time_symbols(), load_iv(%{{.+}}:vector<64xf16>)
  // CHECK-NEXT: {{^ +}}{load_order = #[[O:.+]], load_set = #[[L:.+]], load_time_addr_map = #[[ST:.+]], store_order = #[[O]], store_set = #[[L]], store_time_addr_map = #[[ST]], time_order = #[[O]], time_set = #[[T:.+]]}
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT:   agen.yield
  // CHECK-NEXT: } : memref<128xf16>, memref<128xf16>
  agen.composite_load_and_store src:%a[0] dst:%b[%i * 64]
    time_symbols(), load_iv(%x:vector<64xf16>)
    {load_order = #o1, load_set = #lanes, load_time_addr_map = #st, store_order = #o1,
     store_set = #lanes, store_time_addr_map = #st, time_order = #o1, time_set = #t2}
    {
      agen.yield
    } : memref<128xf16>, memref<128xf16>
  // CHECK-NEXT: agen.composite_load_and_store src:%[[M]][%[[I]], 0] dst:%[[M]][0, %[[I]] * 64]
  // CHECK-NEXT: time_symbols(%[[N]]), load_iv(%[[Y:.+]]:vector<64xf16>), multicast_info = %[[P]]
  // CHECK-NEXT: {dbgName = "neg", dir = #agen<direction BothWays>, load_order =
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT:   %[[W:.+]] = vectorchain.neg %[[Y]]
  // CHECK-NEXT:   agen.yield %[[W]] : vector<64xf16>
  // CHECK-NEXT: } : memref<4x128xf16>, memref<4x128xf16>
  agen.composite_load_and_store src:%m[%i, 0] dst:%m[0, %i * 64]
    time_symbols(%n), load_iv(%y:vector<64xf16>), multicast_info = %peer
    {dbgName = "neg", dir = #agen<direction BothWays>, load_order = #o2, load_set = #stick,
     load_time_addr_map = affine_map<(d0)[s0] -> (d0, 0)>, store_order = #o2, store_set = #stick,
     store_time_addr_map = affine_map<(d0)[s0] -> (s0 - d0 - 1, 0)>, time_order = #o1, time_set = #tn}
    {
      %w = vectorchain.neg %y : vector<64xf16>, vector<64xf16>
      agen.yield %w : vector<64xf16>
    } : memref<4x128xf16>, memref<4x128xf16>
  // CHECK-NEXT: agen.composite_load %[[M]][%[[I]], 0]
  // CHECK-NEXT: time_symbols()(%[[X:.+]]:vector<64xf16>)
  // CHECK-NEXT: {load_order = #{{.+}}, load_set = #{{.+}}, time_addr_map = #{{.+}}, time_order = #{{.+}}, time_set = #{{.+}}}
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT:   dataflow.send %[[P]], %[[X]] : vector<64xf16>
  // CHECK-NEXT:   agen.yield
  // CHECK-NEXT: } : memref<4x128xf16>
  agen.composite_load %m[%i, 0]
   time_symbols()(%x:vector<64xf16>)
   {load_order = #o2, load_set = #stick, time_addr_map = affine_map<(d0) -> (0, d0 * 64)>, time_order = #o1, time_set = #t2}
  {
    dataflow.send %peer, %x : vector<64xf16>
    agen.yield
  } : memref<4x128xf16>
  // CHECK-NEXT: agen.composite_store %[[M]][%[[I]], 0]
  // CHECK-NEXT: time_symbols()
  // CHECK-NEXT: {store_order = #{{.+}}, store_set = #{{.+}}, time_addr_map = #{{.+}}, time_order = #{{.+}}, time_set = #{{.+}}}
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT:   %[[R:.+]] = dataflow.receive %[[P]]
  // CHECK-NEXT:   agen.yield %[[R]] : vector<64xf16>
  // CHECK-NEXT: } : memref<4x128xf16>
  agen.composite_store %m[%i, 0]
   time_symbols()
   {store_order = #o2, store_set = #stick, time_addr_map = affine_map<(d0) -> (0, d0 * 64)>, time_order = #o1, time_set = #t2}
  {
    %r = dataflow.receive %peer : vector<64xf16>
    agen.yield %r : vector<64xf16>
  } : memref<4x128xf16>
  // G-5: the form without a body.
  // CHECK-NEXT: agen.composite_store %[[A]][0]
  // CHECK-NEXT: input_vector=%[[V]] time_symbols()
  // CHECK-NEXT: {time_addr_map = #{{.+}}, time_order = #{{.+}}, time_set = #{{.+}}}
  // CHECK-NEXT: : memref<128xf16>, vector<64xf16>
  agen.composite_store %a[0]
   input_vector=%v time_symbols()
   {time_addr_map = #st, time_order = #o1, time_set = #t2}
   : memref<128xf16>, vector<64xf16>
  return
}

// CHECK-LABEL: func.func @indirect
// CHECK-SAME: %[[IAB:[a-z0-9]+]]: memref<32xindex>, %[[X:[a-z0-9]+]]: memref<1024x64xf16>, %[[LX:[a-z0-9]+]]: memref<8x64xf16>, %[[E:[a-z0-9]+]]: index, %[[P:[a-z0-9]+]]: index
func.func @indirect(%iab: memref<32xindex>, %x: memref<1024x64xf16>, %lx: memref<8x64xf16>, %e: index, %peer: index) {
  // Gather.
  // CHECK-NEXT: agen.composite_indirect_load_and_store indirect_src:%[[IAB]][%[[E]]] direct_src:%[[X]][0, 0] direct_dst:%[[LX]][0, 0]
  // CHECK-NEXT: time_symbols(), load_iv(%{{.+}}:vector<64xf16>)
  // CHECK-NEXT: {load_direct_time_addr_map = #{{.+}}, load_indirect_time_addr_map = #{{.+}}, load_order = #{{.+}}, load_set = #{{.+}}, store_direct_time_addr_map = #{{.+}}, store_order = #{{.+}}, store_set = #{{.+}}, time_order = #{{.+}}, time_set = #{{.+}}}
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT:   agen.yield
  // CHECK-NEXT: } : memref<32xindex>, memref<1024x64xf16>, memref<8x64xf16>
  agen.composite_indirect_load_and_store indirect_src:%iab[%e] direct_src:%x[0, 0] direct_dst:%lx[0, 0]
   time_symbols(), load_iv(%v:vector<64xf16>)
   {load_direct_time_addr_map = affine_map<(d0) -> (0, 0)>, load_indirect_time_addr_map = affine_map<(d0) -> (d0)>,
    load_order = #o2, load_set = #stick, store_direct_time_addr_map = affine_map<(d0) -> (d0, 0)>,
    store_order = #o2, store_set = #stick, time_order = #o1, time_set = #t8}
  {
    agen.yield
  } : memref<32xindex>, memref<1024x64xf16>, memref<8x64xf16>
  // Scatter, with routing information.
  // CHECK-NEXT: agen.composite_indirect_load_and_store direct_src:%[[LX]][0, 0] indirect_dst:%[[IAB]][%[[E]]] direct_dst:%[[X]][0, 0]
  // CHECK-NEXT: multicast_info = %[[P]] time_symbols(), load_iv(%{{.+}}:vector<64xf16>)
  // CHECK: } : memref<8x64xf16>, memref<32xindex>, memref<1024x64xf16>
  agen.composite_indirect_load_and_store direct_src:%lx[0, 0] indirect_dst:%iab[%e] direct_dst:%x[0, 0]
   multicast_info = %peer time_symbols(), load_iv(%v:vector<64xf16>)
   {load_direct_time_addr_map = affine_map<(d0) -> (d0, 0)>, load_order = #o2, load_set = #stick,
    store_direct_time_addr_map = affine_map<(d0) -> (0, 0)>, store_indirect_time_addr_map = affine_map<(d0) -> (d0)>,
    store_order = #o2, store_set = #stick, time_order = #o1, time_set = #t8}
  {
    agen.yield
  } : memref<8x64xf16>, memref<32xindex>, memref<1024x64xf16>
  // CHECK-NEXT: agen.composite_indirect_load indirect:%[[IAB]][%[[E]]] direct:%[[X]][0, 0]
  // CHECK-NEXT: time_symbols(), load_iv(%[[V:.+]]:vector<64xf16>)
  // CHECK-NEXT: {load_order
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT: dataflow.send %[[P]], %[[V]]
  // CHECK-NEXT: agen.yield
  // CHECK-NEXT: } : memref<32xindex>, memref<1024x64xf16>
  agen.composite_indirect_load indirect:%iab[%e] direct:%x[0, 0]
   time_symbols(), load_iv(%v:vector<64xf16>)
   {load_order = #o2, load_set = #stick, time_addr_map = affine_map<(d0) -> (0, 0)>, time_order = #o1, time_set = #t8}
  {
    dataflow.send %peer, %v : vector<64xf16>
    agen.yield
  } : memref<32xindex>, memref<1024x64xf16>
  // CHECK-NEXT: agen.composite_indirect_store indirect:%[[IAB]][%[[E]]] direct:%[[X]][0, 0]
  // CHECK-NEXT: multicast_info = %[[P]] time_symbols()
  // CHECK-NEXT: {store_order
  // CHECK-NEXT: {{^ +}}{
  // CHECK-NEXT: %[[R:.+]] = dataflow.receive %[[P]]
  // CHECK-NEXT: agen.yield %[[R]] : vector<64xf16>
  // CHECK-NEXT: } : memref<32xindex>, memref<1024x64xf16>
  agen.composite_indirect_store indirect:%iab[%e] direct:%x[0, 0]
   multicast_info = %peer time_symbols()
   {store_order = #o2, store_set = #stick, time_addr_map = affine_map<(d0) -> (0, 0)>, time_order = #o1, time_set = #t8}
  {
    %r = dataflow.receive %peer : vector<64xf16>
    agen.yield %r : vector<64xf16>
  } : memref<32xindex>, memref<1024x64xf16>
  // CHECK-NEXT: %[[S:.+]] = agen.indirect_vector_load indirect:%[[IAB]][%[[E]]] direct:%[[X]][0, 0] {load_order = #{{.+}}, load_set = #{{.+}}} : memref<32xindex>, memref<1024x64xf16>, vector<64xf16>
  %s = agen.indirect_vector_load indirect:%iab[%e] direct:%x[0, 0] {load_order = #o2, load_set = #stick}
    : memref<32xindex>, memref<1024x64xf16>, vector<64xf16>
  // CHECK-NEXT: agen.indirect_vector_store %[[S]] indirect:%[[IAB]][%[[E]] + 1] direct:%[[X]][0, 0] multicast_info = %[[P]] {store_order = #{{.+}}, store_set = #{{.+}}} : vector<64xf16>, memref<32xindex>, memref<1024x64xf16>
  agen.indirect_vector_store %s indirect:%iab[%e + 1] direct:%x[0, 0] multicast_info = %peer {store_order = #o2, store_set = #stick}
    : vector<64xf16>, memref<32xindex>, memref<1024x64xf16>
  return
}

// CHECK-LABEL: func.func @interleave
func.func @interleave(%a: memref<128xf16>, %peer: index) {
  // CHECK-NEXT: agen.composite_memory_interleave {granularity = 1 : i32} {
  // CHECK-NEXT: agen.composite_load
  // CHECK: agen.composite_load
  // CHECK: } : memref<128xf16>
  // CHECK-NEXT: agen.yield
  // CHECK-NEXT: }
  agen.composite_memory_interleave {granularity = 1 : i32} {
    agen.composite_load %a[0]
     time_symbols()(%x:vector<64xf16>)
     {load_order = #o1, load_set = #lanes, time_addr_map = #st, time_order = #o1, time_set = #t2}
    {
      dataflow.send %peer, %x : vector<64xf16>
      agen.yield
    } : memref<128xf16>
    agen.composite_load %a[0]
     time_symbols()(%x:vector<64xf16>)
     {load_order = #o1, load_set = #lanes, time_addr_map = #st, time_order = #o1, time_set = #t2}
    {
      dataflow.send %peer, %x : vector<64xf16>
      agen.yield
    } : memref<128xf16>
    agen.yield
  }
  // The dictionary is written even when empty.
  // CHECK-NEXT: agen.composite_memory_interleave {} {
  // CHECK-NEXT: agen.yield
  agen.composite_memory_interleave {} {
    agen.yield
  }
  return
}

// CHECK-LABEL: func.func @mask
// CHECK-SAME: %[[Z:.+]]: f16, %[[I:.+]]: index
func.func @mask(%z: f16, %i: index) {
  // CHECK-NEXT: agen.set_transfer_mask_state mask_value(%[[Z]]) {num_slices = 2 : i32, slice_mask_map = "(0)(1)"} : f16, vector<64xf16>
  %0 = agen.set_transfer_mask_state mask_value(%z) {num_slices = 2 : i32, slice_mask_map = "(0)(1)"} : f16, vector<64xf16>
  // CHECK-NEXT: agen.set_transfer_mask_state mask_value(%[[I]]) {num_slices = 2 : i32, slice_mask_map = "(A)(A|B)", maskA = "(unmasked = 4 : i32, masked = 4 : i32)", maskB = "(unmasked = 8 : i32, masked = 24 : i32)", dbgName = "tail"} : index, vector<64xf16>
  %1 = agen.set_transfer_mask_state mask_value(%i) {num_slices = 2 : i32, slice_mask_map = "(A)(A|B)", dbgName = "tail",
    maskB = "(unmasked = 8 : i32, masked = 24 : i32)", maskA = "( unmasked=4:i32 , masked=4:i32 )"} : index, vector<64xf16>
  return
}

// CHECK-LABEL: func.func @symbolic
func.func @symbolic(%mem: index, %i: index, %j: index, %n: index) {
  // CHECK: %[[F:.+]] = dataflow.get_logical_memory_view
  %flat = dataflow.get_logical_memory_view %mem, %i {layout_map = #o1} : index, index, memref<4096xf16>
  // CHECK-NEXT: %[[S:.+]] = agen.symbolic_vector_load %[[F]][indices:(%[[I:.+]], %[[J:.+]]), strides:(%[[N:.+]], %[[J]])] {load_order = #{{.+}}, load_set = #{{.+}}} : memref<4096xf16>, vector<64xf16>
  %s = agen.symbolic_vector_load %flat[indices:(%i, %j), strides:(%n, %j)] {load_order = #o1, load_set = #lanes}
    : memref<4096xf16>, vector<64xf16>
  // CHECK-NEXT: agen.symbolic_vector_store %[[S]], %[[F]][indices:(%[[I]]), strides:(%[[N]])] {store_order = #{{.+}}, store_set = #{{.+}}} : memref<4096xf16>, vector<64xf16>
  agen.symbolic_vector_store %s, %flat[indices:(%i), strides:(%n)] {store_order = #o1, store_set = #lanes}
    : memref<4096xf16>, vector<64xf16>
  // CHECK-NEXT: agen.symbolic_vector_load %[[F]][indices:(%[[I]]), strides:(%[[N]])], multicast_info(%[[J]]) {load_order = #{{.+}}, load_set = #{{.+}}} : memref<4096xf16>, vector<64xf16>
  %m = agen.symbolic_vector_load %flat[indices:(%i), strides:(%n)], multicast_info(%j) {load_order = #o1, load_set = #lanes}
    : memref<4096xf16>, vector<64xf16>
  return
}

// CHECK: func.func private @directions() attributes {a = #agen<direction PseudoRandom>, b = #agen<direction CounterClockwise>, c = #agen<direction Clockwise>}
func.func private @directions() attributes {a = #agen<direction PseudoRandom>, b = #agen<direction CounterClockwise>, c = #agen<direction Clockwise>}
