// RUN: ktir-opt %s -verify-diagnostics -split-input-file

// U-1
func.func @keys() {
  %c0 = arith.constant 0 : index
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op All Keys are not of same type; key #0 is a unit, but key #1 is not}}
  %m = uniform.def_immutable_mapping([%u -> %c0], [%c0 -> %c0]):index
  return
}

// -----

// U-2: ops of one name.
func.func @values() {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{value #1 defined here}}
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op All map values should be of same type. value #0 is defined by 'arith.constant', but value #1 by 'dataflow.get_unit'}}
  %m = uniform.def_immutable_mapping([%u -> %c0], [%u -> %u]):index
  return
}

// -----

// U-2: a constant beside a symbol.
func.func @symbol_and_constant(%p: index) {
  symbol.create_id %p {symbol_id = -1 : si64} : index
  %s = symbol.create_symbol {SymbolId = -1 : i64} : index
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-note@+1 {{value #1 defined here}}
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op All map values are expected to be scalar values.}}
  %m = uniform.def_immutable_mapping([%u -> %s], [%u -> %c0]):index
  return
}

// -----

// U-2: a constant beside a sum.
func.func @constant_and_sum(%p: index) {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{value #1 defined here}}
  %sum = arith.addi %p, %c0 : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op All map values should be of same type.}}
  %m = uniform.def_immutable_mapping([%u -> %c0], [%u -> %sum]):index
  return
}

// -----

// U-2: no block arguments.
func.func @argument(%v: index) {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op expected values defined by ops, but value #0 is a block argument}}
  %m = uniform.def_immutable_mapping([%u -> %v]):index
  return
}

// -----

// U-2: at least one pair.
func.func @empty() {
  // expected-error@+1 {{'uniform.def_immutable_mapping' op expected at least one pair of key and value}}
  %m = uniform.def_immutable_mapping():index
  return
}

// -----

func.func @counts() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'uniform.def_immutable_mapping' op expected as many values as keys, but got 0 values and 1 keys}}
  %m = "uniform.def_immutable_mapping"(%c0) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> index
  return
}

// -----

// U-4: a unit once over all lists.
func.func @unit_twice() {
  // expected-note@+1 {{unit defined here}}
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %v = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.uniformize_regions' op duplicated unit SSAs found! unit 'C0-sfu' is in more than one place of the lists}}
  uniform.uniformize_regions {
    (%a -> %u, %v){
    }
    (%a -> %u){
    }
  }
  return
}

// -----

// U-4: as a member of a group, too.
func.func @unit_in_group() {
  // expected-note@+1 {{unit defined here}}
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %g = dataflow.create_group(%u : index) : index
  // expected-error@+1 {{'uniform.uniformize_regions' op duplicated unit SSAs found!}}
  uniform.uniformize_regions {
    (%a -> %u){
    }
    (%a -> %g){
    }
  }
  return
}

// -----

// U-4: a single entry is a unit or a group.
func.func @single(%v: index) {
  // expected-error@+1 {{'uniform.uniformize_regions' op region's unit_list must be programUnitOp or createGroupOp type!}}
  uniform.uniformize_regions {
    (%a -> %v){
    }
  }
  return
}

// -----

// U-4: more entries are units.
func.func @several() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %v = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  %g = dataflow.create_group(%u : index) : index
  // expected-error@+1 {{'uniform.uniformize_regions' op when unit_list size > 1, all units must be programUnitOp!}}
  uniform.uniformize_regions {
    (%a -> %v, %g){
    }
  }
  return
}

// -----

// U-4: as many values as results.
func.func @yield(%v: index) {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-note@+1 {{surrounding op here}}
  %r = uniform.uniformize_regions -> index {
    (%a -> %u){
      // expected-error@+1 {{'uniform.yield' op The size of the operands in the yieldOp of a uniformize_regionsOp region differs from the size of its results. expected 1, but got 2}}
      uniform.yield %v, %v : index, index
    }
  }
  return
}

// -----

// U-4: of the results' types.
func.func @yield_type(%v: i32) {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.uniformize_regions' op along control flow edge}}
  %r = uniform.uniformize_regions -> index {
    (%a -> %u){
      // expected-note@+1 {{region branch point}}
      uniform.yield %v : i32
    }
  }
  return
}

// -----

// U-6: at least two regions.
func.func @one_region() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.equalize_pattern' op expected at least two regions, but got 1}}
  uniform.equalize_pattern {
    (%a -> %u){
    }
  }
  return
}

// -----

// U-6: the same ops.
func.func @sequences() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %v = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.equalize_pattern' op Operation sequences different. region #0 has 'dataflow.sync_send' where region #1 has 'dataflow.sync_recv'}}
  uniform.equalize_pattern {
    (%a -> %u){
      dataflow.sync_send %v : index
    }
    (%a -> %v){
      dataflow.sync_recv %u : index
    }
  }
  return
}

// -----

// U-6: as many of them.
func.func @sizes() {
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %v = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.equalize_pattern' op regions have different operation size. region #0 has 2 operations, but region #1 has 3}}
  uniform.equalize_pattern {
    (%a -> %u){
      dataflow.sync_send %v : index
    }
    (%a -> %v){
      dataflow.sync_send %u : index
      dataflow.sync_recv %u : index
    }
  }
  return
}

// -----

// U-6: lists as in U-4.
func.func @pattern_lists() {
  // expected-note@+1 {{unit defined here}}
  %u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error@+1 {{'uniform.equalize_pattern' op duplicated unit SSAs found!}}
  uniform.equalize_pattern {
    (%a -> %u){
    }
    (%a -> %u){
    }
  }
  return
}

// -----

func.func @yield_parent() {
  // expected-error@+1 {{'uniform.yield' op expects parent op to be one of 'uniform.uniformize_regions, uniform.equalize_pattern'}}
  uniform.yield
}
