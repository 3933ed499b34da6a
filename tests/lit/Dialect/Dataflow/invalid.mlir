// RUN: ktir-opt %s -verify-diagnostics -split-input-file

// D-1: results, name and type.
func.func @no_result() {
  // expected-error@+1 {{'dataflow.get_unit' op expected at least one result}}
  "dataflow.get_unit"() {name = "C0-sfu", type = "sfu"} : () -> ()
  return
}

// -----

// D-1
func.func @no_type() {
  // expected-error@+1 {{'dataflow.get_unit' op requires attribute 'type'}}
  %u = "dataflow.get_unit"() {name = "C0-sfu"} : () -> index
  return
}

// -----

// D-1
func.func @no_name() {
  // expected-error@+1 {{'dataflow.get_unit' op requires attribute 'name'}}
  %u = "dataflow.get_unit"() {type = "sfu"} : () -> index
  return
}

// -----

// D-3
func.func @two_arguments() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'dataflow.program_unit' op expected at most one block argument, but got 2}}
  "dataflow.program_unit"(%u) ({
  ^bb0(%a: index, %b: index):
    "dataflow.return"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

// D-3
func.func @argument_type() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'dataflow.program_unit' op expected a block argument of type 'index', but got 'i32'}}
  dataflow.program_unit %u : {
  ^bb0(%me: i32):
  }
  return
}

// -----

func.func @return_parent() {
  // expected-error@+1 {{'dataflow.return' op expects parent op 'dataflow.program_unit'}}
  "dataflow.return"() : () -> ()
}

// -----

// D-5: operands are units.
func.func @not_a_unit(%u: index) {
  // expected-error@+1 {{'dataflow.program_unit' op expected operand #0 to be a result of 'dataflow.get_unit'}}
  dataflow.program_unit iter_arg : %me -> (%u) : {
  }
  return
}

// -----

// D-5: of one type.
func.func @two_types() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-note@+1 {{unit defined here}}
  %v = dataflow.get_unit {name = "C0-l1lu", type = "l1lu"} : index
  // expected-error@+1 {{'dataflow.program_unit' op expected units of one type, but operand #1 is of type 'l1lu' and operand #0 of type 'sfu'}}
  dataflow.program_unit iter_arg : %me -> (%u, %v) : {
  }
  return
}

// -----

// D-5: a unit once, by its name.
func.func @unit_twice() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %v = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'dataflow.program_unit' op unit 'C0-sfu' is both operand #0 and operand #1}}
  dataflow.program_unit iter_arg : %me -> (%u, %v) : {
  }
  return
}

// -----

// Section 6.2: a consumer list is complete.
func.func @consumers(%p: index, %q: index) {
  // expected-error@+1 {{'dataflow.create_multicast_group' op expected 2 consumers as 'num_consumers' says, but got 1}}
  %g = dataflow.create_multicast_group(%p -> (%q)) {count = 0 : i32, group_id = 0 : i32, num_consumers = 2 : i32} : index
  return
}

// -----

// Section 2.3: vectors are flat.
func.func @flat(%peer: index, %x: vector<2x2xf16>) {
  // expected-error@+1 {{'dataflow.send' op operand #1 must be rank-1 vector of fixed length or dataflow custom vector}}
  dataflow.send %peer, %x : vector<2x2xf16>
  return
}

// -----

// D-16: a dimension for each of the view's.
func.func @layout_dims(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op layout_map should have one dimension for each of the 2 dimensions of the view, but has 1}}
  %m = dataflow.get_logical_memory_view %mem, %start {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<2x2xf16>
  return
}

// -----

// D-16: one result.
func.func @layout_results(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op layout_map should have one result, but has 2}}
  %m = dataflow.get_logical_memory_view %mem, %start {layout_map = affine_map<(d0) -> (d0, 0)>} : index, index, memref<2xf16>
  return
}

// -----

// D-16: no symbols.
func.func @layout_symbols(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op layout_map should have no symbols, but has 1}}
  %m = dataflow.get_logical_memory_view %mem, %start {layout_map = affine_map<(d0)[s0] -> (d0 + s0)>} : index, index, memref<2xf16>
  return
}

// -----

// D-16
func.func @layout_missing(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op requires attribute 'layout_map'}}
  %m = "dataflow.get_logical_memory_view"(%mem, %start) : (index, index) -> memref<2xf16>
  return
}

// -----

// Section 2.5: the values of addr_unit.
func.func @addr_unit(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op expected 'addr_unit' to be "element", "byte" or "word", but got "stick"}}
  %m = dataflow.get_logical_memory_view %mem, %start {addr_unit = "stick", layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<2xf16>
  return
}

// -----

// Section 2.5: required below a byte.
func.func @addr_unit_missing(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_logical_memory_view' op requires attribute 'addr_unit' because elements of type 'i4' have less than a byte}}
  %m = dataflow.get_logical_memory_view %mem, %start {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<2xi4>
  return
}

// -----

// D-18: constant start addresses.
func.func @page_start(%mem: index, %start: index) {
  // expected-error@+1 {{'dataflow.get_paged_logical_memory_view' op page start addresses should be arith::ConstantOp; that of page 0 is not}}
  %m = dataflow.get_paged_logical_memory_view %mem, %start {layout_map = affine_map<(d0) -> (d0)>}
    {segments = page0: (idx_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, start_addr = %start)} : index, index, memref<2xf16>
  return
}

// -----

// D-18: boxes.
func.func @page_box(%mem: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'dataflow.get_paged_logical_memory_view' op idx_set should be hyper rectangular; that of page 1 is not}}
  %m = dataflow.get_paged_logical_memory_view %mem, %c0 {layout_map = affine_map<(d0, d1) -> (d0 * 2 + d1)>}
    {segments = page0: (idx_set = affine_set<(d0, d1) : (d0 == 0, d1 == 0)>, start_addr = %c0),
                page1: (idx_set = affine_set<(d0, d1) : (d0 >= 0, d1 >= 0, -d0 - d1 + 1 >= 0)>, start_addr = %c0)}
    : index, index, memref<2x2xf16>
  return
}

// -----

// D-18: a box is bounded.
func.func @page_unbounded(%mem: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'dataflow.get_paged_logical_memory_view' op idx_set should be hyper rectangular; that of page 0 is not}}
  %m = dataflow.get_paged_logical_memory_view %mem, %c0 {layout_map = affine_map<(d0) -> (d0)>}
    {segments = page0: (idx_set = affine_set<(d0) : (d0 >= 0)>, start_addr = %c0)} : index, index, memref<2xf16>
  return
}

// -----

// D-18: as many sets as addresses.
func.func @page_counts(%mem: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'dataflow.get_paged_logical_memory_view' op there should be a start address and idx_set for every page, but got 2 start addresses and 1 sets}}
  %m = "dataflow.get_paged_logical_memory_view"(%mem, %c0, %c0, %c0) {idx_sets = [affine_set<(d0) : (d0 == 0)>], layout_map = affine_map<(d0) -> (d0)>} : (index, index, index, index) -> memref<2xf16>
  return
}

// -----

// Section 6.6
func.func @opaque() {
  // expected-error@+1 {{'dataflow.opaque' op requires attribute 'func_name'}}
  dataflow.opaque {parameter_dictionary = {}, read_only_register_dictionary = {}, read_write_register_dictionary = {}}
  return
}

// -----

// expected-error@+1 {{expected a width of 1 to 64 bits, but got 0}}
func.func private @width(!dataflow.mxfp<0>)

// -----

// expected-error@+1 {{expected one dimension, but got 2}}
func.func private @rank(!dataflow.custom_vector<2x2xf16>)

// -----

// expected-error@+1 {{expected a scalar element type, but got 'vector<2xf16>'}}
func.func private @element(!dataflow.custom_vector<2xvector<2xf16>>)
