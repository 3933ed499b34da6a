// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s -mlir-print-op-generic | ktir-opt | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#lanes = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<64xf16>, %[[Y:[a-z0-9]+]]: vector<64xf16>, %[[Z:[a-z0-9]+]]: vector<64xf16>, %[[K:[a-z0-9]+]]: vector<64xi1>, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f16
func.func @f(%x: vector<64xf16>, %y: vector<64xf16>, %z: vector<64xf16>, %k: vector<64xi1>, %i: index, %v: f16, %one: vector<1xf16>) {
  // CHECK: vectorchain.binary %[[X]], %[[Y]] {binary_op = #vectorchain<binary_operator add>, op_specific_map = #{{.+}}} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %0 = vectorchain.binary %x, %y {binary_op = #vectorchain<binary_operator add>, op_specific_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.binary %[[X]], %[[Y]] [%[[K]] : vector<64xi1>] {binary_op = #vectorchain<binary_operator abs_max>, dbgName = "m", op_specific_map = #{{.+}}} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %1 = vectorchain.binary %x, %y [%k : vector<64xi1>] {binary_op = #vectorchain<binary_operator abs_max>, dbgName = "m", op_specific_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.multiply %[[X]], %[[Y]] {reduction_map = #{{.+}}} : vector<64xf16>, vector<64xf16>, vector<8xf16>
  %2 = vectorchain.multiply %x, %y {reduction_map = affine_map<(d0) -> (d0 floordiv 8)>} : vector<64xf16>, vector<64xf16>, vector<8xf16>
  // CHECK: vectorchain.multiply_and_accumulate %[[X]], %[[Y]], %[[Z]] [%[[K]] : vector<64xi1>] {reduction_map = #{{.+}}} : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  %3 = vectorchain.multiply_and_accumulate %x, %y, %z [%k : vector<64xi1>] {reduction_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: %[[C:.+]] = vectorchain.element_wise_compare %[[X]], %[[Y]] {compare_op = #vectorchain<element_wise_compare_operator compare_ge>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %4 = vectorchain.element_wise_compare %x, %y {compare_op = #vectorchain<element_wise_compare_operator compare_ge>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.element_wise_selection %[[C]] ? %[[X]] : %[[Y]] : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  %5 = vectorchain.element_wise_selection %4 ? %x : %y : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.element_wise_selection %[[C]] ? %[[X]] : %[[Y]] [%[[K]] : vector<64xi1>] : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  %6 = vectorchain.element_wise_selection %4 ? %x : %y [%k : vector<64xi1>] : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.select %[[X]] {selection_map = #{{.+}}} : vector<64xf16>, vector<32xf16>
  %7 = vectorchain.select %x {selection_map = affine_map<(d0) -> (d0 * 2)>} : vector<64xf16>, vector<32xf16>
  // CHECK: vectorchain.merge %[[X]], %[[Y]] {access_function_A = #[[ID:.+]], access_function_B = #[[ID]], access_function_CA = #{{.+}}, access_function_CB = #{{.+}}, iteration_space_CA = #[[S:.+]], iteration_space_CB = #[[S]]} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %8 = vectorchain.merge %x, %y {access_function_A = #id, access_function_B = #id, access_function_CA = affine_map<(d0) -> (d0 * 2)>,
    access_function_CB = affine_map<(d0) -> (d0 * 2 + 1)>, iteration_space_CA = #lanes, iteration_space_CB = #lanes} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.create_affine_mask {mask_set = #{{.+}}} : vector<64xi1>
  %9 = vectorchain.create_affine_mask {mask_set = affine_set<(d0) : (-d0 + 31 >= 0)>} : vector<64xi1>
  // CHECK: vectorchain.create_affine_mask %[[I]] {mask_set = #{{.+}}} : vector<64xi1>
  %10 = vectorchain.create_affine_mask %i {mask_set = affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>} : vector<64xi1>
  // A default is not printed.
  // CHECK: vectorchain.pack %[[X]], %[[Y]] {indices = [0 : i32, 64 : i32], repetition = 32 : index} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %11 = vectorchain.pack %x, %y {indices = [0 : i32, 64 : i32], repetition = 32 : index, sign_extend = false} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.pack %[[X]], %[[Y]] {indices = [127 : i32], repetition = 64 : index, sign_extend = true} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %12 = vectorchain.pack %x, %y {indices = [127 : i32], repetition = 64 : index, sign_extend = true} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.cast %[[X]] [%[[K]] : vector<64xi1>] : vector<64xf16>, vector<64xf32>
  %13 = vectorchain.cast %x [%k : vector<64xi1>] : vector<64xf16>, vector<64xf32>
  // CHECK: vectorchain.shuffle input(%{{.+}}) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
  %14 = vectorchain.shuffle input(%one) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
  // CHECK: vectorchain.shuffle input(%[[X]]), variable(%[[V]], %[[V]]), pad(%[[V]]), mask(%[[K]]) {indices = [0 : i32, -1 : i32, -2 : i32, -3 : i32], repetition = 16 : i32} : vector<64xf16>, f16, f16, f16, vector<64xi1>, vector<64xf16>
  %15 = vectorchain.shuffle input(%x), variable(%v, %v), pad(%v), mask(%k) {indices = [0 : i32, -1 : i32, -2 : i32, -3 : i32], repetition = 16 : i32}
     : vector<64xf16>, f16, f16, f16, vector<64xi1>, vector<64xf16>
  // CHECK: vectorchain.shuffle input(%[[X]]), pad(%[[V]]) {indices = [63 : i32, -1 : i32], repetition = 1 : i32} : vector<64xf16>, f16, vector<2xf16>
  %16 = vectorchain.shuffle input(%x), pad(%v) {indices = [63 : i32, -1 : i32], repetition = 1 : i32} : vector<64xf16>, f16, vector<2xf16>
  // CHECK: vectorchain.rotate %[[X]], %[[I]] : vector<64xf16>, index, vector<64xf16>
  %17 = vectorchain.rotate %x, %i {right_shift = true} : vector<64xf16>, index, vector<64xf16>
  // CHECK: vectorchain.rotate %[[X]], %[[I]] {right_shift = false} : vector<64xf16>, index, vector<64xf16>
  %18 = vectorchain.rotate %x, %i {right_shift = false} : vector<64xf16>, index, vector<64xf16>
  // CHECK: vectorchain.scan_with_gap %[[X]] {eval_order = #vectorchain<eval_order right_to_left>, gap = 8 : index, reduction_op = #vectorchain<binary_operator max>} : vector<64xf16>, vector<64xf16>
  %19 = vectorchain.scan_with_gap %x {eval_order = #vectorchain<eval_order right_to_left>, gap = 8 : index, reduction_op = #vectorchain<binary_operator max>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.neg %[[X]] : vector<64xf16>, vector<64xf16>
  %20 = vectorchain.neg %x : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.floor %[[X]] [%[[K]] : vector<64xi1>] : vector<64xf16>, vector<64xf16>
  %21 = vectorchain.floor %x [%k : vector<64xi1>] : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.fast_exp %[[X]] : vector<64xf16>, vector<64xf16>
  %22 = vectorchain.fast_exp %x : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.rec_estimate %[[X]] : vector<64xf16>, vector<64xf16>
  %23 = vectorchain.rec_estimate %x : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.ln_estimate %[[X]] : vector<64xf16>, vector<64xf16>
  %24 = vectorchain.ln_estimate %x : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.rsqrt_estimate %[[X]] : vector<64xf16>, vector<64xf16>
  %25 = vectorchain.rsqrt_estimate %x : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.exp_estimate %[[X]] {version = #vectorchain<exp_estimate b>} : vector<64xf16>, vector<64xf16>
  %26 = vectorchain.exp_estimate %x {version = #vectorchain<exp_estimate b>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.sigmoid_estimate %[[X]] {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  %27 = vectorchain.sigmoid_estimate %x {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.tanh_estimate %[[X]] {version = #vectorchain<estimate_versions offset>} : vector<64xf16>, vector<64xf16>
  %28 = vectorchain.tanh_estimate %x {version = #vectorchain<estimate_versions offset>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.constant_bitstream {value = [0x3c00, 0x0]} : vector<2xf16>
  %29 = vectorchain.constant_bitstream {value = [0x3C00, 0]} : vector<2xf16>
  // CHECK: vectorchain.constant_bitstream {is_symbol = true, value = [-4, -5]} : vector<2xf16>
  %30 = vectorchain.constant_bitstream {is_symbol = true, value = [-4, -5]} : vector<2xf16>
  // CHECK: vectorchain.constant_bitstream {value = [0x3, 0xf]} : !dataflow.custom_vector<2x!dataflow.custom<mxfp4>>
  %31 = vectorchain.constant_bitstream {value = [0x3, 0xF]} : !dataflow.custom_vector<2x!dataflow.custom<mxfp4>>
  return
}

// Every case of every enum.
// CHECK: func.func private @cases() attributes {a = [#vectorchain<binary_operator and0>, #vectorchain<binary_operator or0>, #vectorchain<binary_operator xnor>, #vectorchain<binary_operator and_not>, #vectorchain<binary_operator min>, #vectorchain<binary_operator max>, #vectorchain<binary_operator abs_min>, #vectorchain<binary_operator abs_max>, #vectorchain<binary_operator add>, #vectorchain<binary_operator mul>, #vectorchain<binary_operator sub>, #vectorchain<binary_operator mul_div2>], b = [#vectorchain<element_wise_compare_operator compare_eq>, #vectorchain<element_wise_compare_operator compare_neq>, #vectorchain<element_wise_compare_operator compare_lt>, #vectorchain<element_wise_compare_operator compare_le>, #vectorchain<element_wise_compare_operator compare_gt>, #vectorchain<element_wise_compare_operator compare_ge>], c = [#vectorchain<eval_order left_to_right>, #vectorchain<eval_order right_to_left>, #vectorchain<exp_estimate a>, #vectorchain<exp_estimate b>, #vectorchain<estimate_versions slope>, #vectorchain<estimate_versions offset>]}
func.func private @cases() attributes {
  a = [#vectorchain<binary_operator and0>, #vectorchain<binary_operator or0>, #vectorchain<binary_operator xnor>, #vectorchain<binary_operator and_not>, #vectorchain<binary_operator min>, #vectorchain<binary_operator max>, #vectorchain<binary_operator abs_min>, #vectorchain<binary_operator abs_max>, #vectorchain<binary_operator add>, #vectorchain<binary_operator mul>, #vectorchain<binary_operator sub>, #vectorchain<binary_operator mul_div2>],
  b = [#vectorchain<element_wise_compare_operator compare_eq>, #vectorchain<element_wise_compare_operator compare_neq>, #vectorchain<element_wise_compare_operator compare_lt>, #vectorchain<element_wise_compare_operator compare_le>, #vectorchain<element_wise_compare_operator compare_gt>, #vectorchain<element_wise_compare_operator compare_ge>],
  c = [#vectorchain<eval_order left_to_right>, #vectorchain<eval_order right_to_left>, #vectorchain<exp_estimate a>, #vectorchain<exp_estimate b>, #vectorchain<estimate_versions slope>, #vectorchain<estimate_versions offset>]}
