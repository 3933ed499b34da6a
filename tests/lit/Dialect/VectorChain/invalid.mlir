// RUN: ktir-opt %s -verify-diagnostics -split-input-file

#id = affine_map<(d0) -> (d0)>

// V-1
func.func @binary_length(%x: vector<64xf16>, %y: vector<32xf16>) {
  // expected-error@+1 {{'vectorchain.binary' op expected 64 lanes in 'rhs' as in the result, but got 32}}
  %r = vectorchain.binary %x, %y {binary_op = #vectorchain<binary_operator add>, op_specific_map = #id} : vector<64xf16>, vector<32xf16>, vector<64xf16>
  return
}

// -----

// V-1: the mask, too.
func.func @mask_length(%x: vector<64xf16>, %k: vector<32xi1>) {
  // expected-error@+1 {{'vectorchain.neg' op expected 64 lanes in 'mask' as in the result, but got 32}}
  %r = vectorchain.neg %x [%k : vector<32xi1>] : vector<64xf16>, vector<64xf16>
  return
}

// -----

// V-1
func.func @unary_length(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.floor' op expected 32 lanes in 'input' as in the result, but got 64}}
  %r = vectorchain.floor %x : vector<64xf16>, vector<32xf16>
  return
}

// -----

// V-1
func.func @compare_length(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.element_wise_compare' op expected 32 lanes in 'lhs' as in the result, but got 64}}
  %r = vectorchain.element_wise_compare %x, %x {compare_op = #vectorchain<element_wise_compare_operator compare_lt>} : vector<64xf16>, vector<64xf16>, vector<32xf16>
  return
}

// -----

// V-1
func.func @selection_length(%c: vector<2xf16>, %x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.element_wise_selection' op expected 64 lanes in 'condition' as in the result, but got 2}}
  %r = vectorchain.element_wise_selection %c ? %x : %x : vector<2xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

// V-1: an identity reduction adds no lanes up.
func.func @product_length(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.multiply' op expected 8 lanes in 'lhs' as in the result, but got 64}}
  %r = vectorchain.multiply %x, %x {reduction_map = affine_map<(d0) -> (d0)>} : vector<64xf16>, vector<64xf16>, vector<8xf16>
  return
}

// -----

// V-1: factors are of equal length.
func.func @factor_length(%x: vector<64xf16>, %y: vector<32xf16>) {
  // expected-error@+1 {{'vectorchain.multiply' op expected operands of equal length, but got 64 and 32 lanes}}
  %r = vectorchain.multiply %x, %y {reduction_map = affine_map<(d0) -> (d0 floordiv 8)>} : vector<64xf16>, vector<32xf16>, vector<8xf16>
  return
}

// -----

// V-1: the accumulator is as the result.
func.func @accumulator_length(%x: vector<64xf16>, %c: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.multiply_and_accumulate' op expected 8 lanes in 'acc' as in the result, but got 4}}
  %r = vectorchain.multiply_and_accumulate %x, %x, %c {reduction_map = affine_map<(d0) -> (d0 floordiv 8)>} : vector<64xf16>, vector<64xf16>, vector<4xf16>, vector<8xf16>
  return
}

// -----

// V-4: a map from lane to lane.
func.func @reduction_map(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.multiply' op expected 'reduction_map' to have one dimension, no symbols and one result, but got affine_map<(d0, d1) -> (d0)>}}
  %r = vectorchain.multiply %x, %x {reduction_map = affine_map<(d0, d1) -> (d0)>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @selection_map(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.select' op expected 'selection_map' to have one dimension, no symbols and one result}}
  %r = vectorchain.select %x {selection_map = affine_map<(d0)[s0] -> (d0 + s0)>} : vector<64xf16>, vector<32xf16>
  return
}

// -----

func.func @merge_map(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.merge' op expected the access functions over 'iteration_space_CB' to have 1 dimensions, no symbols and one result}}
  %r = vectorchain.merge %x, %x {access_function_A = affine_map<(d0) -> (d0)>, access_function_CA = affine_map<(d0) -> (d0)>,
    access_function_B = affine_map<(d0, d1) -> (d0)>, access_function_CB = affine_map<(d0) -> (d0)>,
    iteration_space_CA = affine_set<(d0) : (d0 == 0)>, iteration_space_CB = affine_set<(d0) : (d0 == 0)>} : vector<4xf16>, vector<4xf16>, vector<4xf16>
  return
}

// -----

func.func @merge_space(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.merge' op expected 'iteration_space_CA' to have no symbols, but got 1}}
  %r = vectorchain.merge %x, %x {access_function_A = affine_map<(d0) -> (d0)>, access_function_CA = affine_map<(d0) -> (d0)>,
    access_function_B = affine_map<(d0) -> (d0)>, access_function_CB = affine_map<(d0) -> (d0)>,
    iteration_space_CA = affine_set<(d0)[s0] : (d0 - s0 == 0)>, iteration_space_CB = affine_set<(d0) : (d0 == 0)>} : vector<4xf16>, vector<4xf16>, vector<4xf16>
  return
}

// -----

func.func @mask_symbols() {
  // expected-error@+1 {{'vectorchain.create_affine_mask' op expected 'mask_set' to have 0 symbols as operands are given, but got 1}}
  %m = vectorchain.create_affine_mask {mask_set = affine_set<(d0)[s0] : (s0 - d0 >= 0)>} : vector<64xi1>
  return
}

// -----

func.func @mask_dims() {
  // expected-error@+1 {{'vectorchain.create_affine_mask' op expected 'mask_set' to have one dimension, but got 2}}
  %m = vectorchain.create_affine_mask {mask_set = affine_set<(d0, d1) : (d0 == 0)>} : vector<64xi1>
  return
}

// -----

func.func @mask_type() {
  // expected-error@+1 {{'vectorchain.create_affine_mask' op result #0 must be}}
  %m = vectorchain.create_affine_mask {mask_set = affine_set<(d0) : (d0 == 0)>} : vector<64xf16>
  return
}

// -----

func.func @cast(%x: vector<64xf16>) {
  // expected-error@+1 {{'vectorchain.cast' op result size does not match input size: 32 and 64 lanes}}
  %r = vectorchain.cast %x : vector<64xf16>, vector<32xf32>
  return
}

// -----

func.func @pack_length(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.pack' op result does not scale with indices and repetitions: 2 indices repeated 1 times for 4 lanes}}
  %r = vectorchain.pack %x, %x {indices = [0 : i32, 4 : i32], repetition = 1 : index} : vector<4xf16>, vector<4xf16>, vector<4xf16>
  return
}

// -----

func.func @pack_index(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.pack' op out of bounds indices element: expected 0 to 7, but element #1 is 8 : i32}}
  %r = vectorchain.pack %x, %x {indices = [0 : i32, 8 : i32], repetition = 2 : index} : vector<4xf16>, vector<4xf16>, vector<4xf16>
  return
}

// -----

// V-5: lanes of the result.
func.func @shuffle_length(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.shuffle' op result does not scale with indices and repetitions: 2 indices repeated 3 times for 4 lanes}}
  %r = vectorchain.shuffle input(%x) {indices = [0 : i32, 1 : i32], repetition = 3 : i32} : vector<4xf16>, vector<4xf16>
  return
}

// -----

// V-5: element types.
func.func @shuffle_type(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.shuffle' op input element type does not match output element type: 'f16' and 'f32'}}
  %r = vectorchain.shuffle input(%x) {indices = [0 : i32], repetition = 4 : i32} : vector<4xf16>, vector<4xf32>
  return
}

// -----

// V-5: those of the scalars, too.
func.func @shuffle_scalar_type(%x: vector<4xf16>, %v: f32) {
  // expected-error@+1 {{'vectorchain.shuffle' op expected variables and pads of type 'f16', but got 'f32'}}
  %r = vectorchain.shuffle input(%x), pad(%v) {indices = [-1 : i32], repetition = 4 : i32} : vector<4xf16>, f32, vector<4xf16>
  return
}

// -----

// V-5: indices above.
func.func @shuffle_above(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.shuffle' op out of bounds indices element: expected 0 to 3, but element #0 is 4 : i32}}
  %r = vectorchain.shuffle input(%x) {indices = [4 : i32], repetition = 4 : i32} : vector<4xf16>, vector<4xf16>
  return
}

// -----

// V-5: indices below.
func.func @shuffle_below(%x: vector<4xf16>, %v: f16) {
  // expected-error@+1 {{'vectorchain.shuffle' op out of bounds indices element: expected -2 to 3, but element #1 is -3 : i32}}
  %r = vectorchain.shuffle input(%x), variable(%v), pad(%v) {indices = [0 : i32, -3 : i32], repetition = 2 : i32} : vector<4xf16>, f16, f16, vector<4xf16>
  return
}

// -----

// V-5: indices are integers.
func.func @shuffle_index(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.shuffle' op indices element is not integer: element #0 is "a"}}
  %r = vectorchain.shuffle input(%x) {indices = ["a"], repetition = 4 : i32} : vector<4xf16>, vector<4xf16>
  return
}

// -----

// V-5: the keywords.
func.func @shuffle_keyword(%x: vector<4xf16>, %v: f16) {
  // expected-error@+1 {{expected 'variable', 'pad', or 'mask' keyword}}
  %r = vectorchain.shuffle input(%x), constant(%v) {indices = [0 : i32], repetition = 4 : i32} : vector<4xf16>, f16, vector<4xf16>
  return
}

// -----

func.func @shuffle_order(%x: vector<4xf16>, %v: f16) {
  // expected-error@+1 {{'variable' is written twice or out of order}}
  %r = vectorchain.shuffle input(%x), pad(%v), variable(%v) {indices = [0 : i32], repetition = 4 : i32} : vector<4xf16>, f16, f16, vector<4xf16>
  return
}

// -----

func.func @shuffle_types(%x: vector<4xf16>, %v: f16) {
  // expected-error@+1 {{expected 3 types, but got 2}}
  %r = vectorchain.shuffle input(%x), pad(%v) {indices = [0 : i32], repetition = 4 : i32} : vector<4xf16>, vector<4xf16>
  return
}

// -----

func.func @scan_gap(%x: vector<4xf16>) {
  // expected-error@+1 {{'vectorchain.scan_with_gap' op expected a positive 'gap', but got 0}}
  %r = vectorchain.scan_with_gap %x {eval_order = #vectorchain<eval_order left_to_right>, gap = 0 : index, reduction_op = #vectorchain<binary_operator add>} : vector<4xf16>, vector<4xf16>
  return
}

// -----

// V-6: a value for each lane.
func.func @bits_length() {
  // expected-error@+1 {{'vectorchain.constant_bitstream' op result does not match value array: 2 lanes and 1 values}}
  %c = vectorchain.constant_bitstream {value = [0x3C00]} : vector<2xf16>
  return
}

// -----

// V-6: within the width.
func.func @bits_width() {
  // expected-error@+1 {{'vectorchain.constant_bitstream' op value attribute contains element that exceeds bitwidth of output element type: element #1 is 65536 : i64 for 'f16'}}
  %c = vectorchain.constant_bitstream {value = [0xFFFF, 0x10000]} : vector<2xf16>
  return
}

// -----

// V-6: unsigned.
func.func @bits_negative() {
  // expected-error@+1 {{'vectorchain.constant_bitstream' op value attribute contains element that exceeds bitwidth of output element type: element #0 is -1 : i64 for 'f16'}}
  %c = vectorchain.constant_bitstream {value = [-1]} : vector<1xf16>
  return
}

// -----

// V-6: the width of a custom element.
func.func @bits_custom() {
  // expected-error@+1 {{'vectorchain.constant_bitstream' op value attribute contains element that exceeds bitwidth of output element type: element #0 is 16 : i64 for '!dataflow.custom<mxint4>'}}
  %c = vectorchain.constant_bitstream {value = [0x10]} : !dataflow.custom_vector<1x!dataflow.custom<mxint4>>
  return
}

// -----

// V-6: integers.
func.func @bits_integer() {
  // expected-error@+1 {{'vectorchain.constant_bitstream' op value attribute should only contain integer representations; element #0 is 1.000000e+00 : f64}}
  %c = vectorchain.constant_bitstream {value = [1.0]} : vector<1xf16>
  return
}

// -----

func.func @operator(%x: vector<4xf16>) {
  // expected-error@+2 {{expected one of [and0, or0, xnor, and_not, min, max, abs_min, abs_max, add, mul, sub, mul_div2]}}
  // expected-error@+1 {{failed to parse VectorChain_BinaryOperatorAttr parameter 'value'}}
  %r = vectorchain.binary %x, %x {binary_op = #vectorchain<binary_operator plus>, op_specific_map = affine_map<(d0) -> (d0)>} : vector<4xf16>, vector<4xf16>, vector<4xf16>
  return
}
