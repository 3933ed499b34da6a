// RUN: ktir-opt %s -verify-diagnostics -split-input-file

// S-3: the type of the id.
func.func @id_type(%p: index) {
  // expected-error@+1 {{'symbol.create_id' op attribute 'symbol_id' failed to satisfy constraint: 64-bit signed integer attribute}}
  symbol.create_id %p {symbol_id = -1 : i64} : index
  return
}

// -----

// S-3: ids are negative.
func.func @bind_positive(%p: index) {
  // expected-error@+1 {{'symbol.create_id' op expected a negative symbol id, but got 0}}
  symbol.create_id %p {symbol_id = 0 : si64} : index
  return
}

// -----

// S-3
func.func @read_positive() {
  // expected-error@+1 {{'symbol.create_symbol' op expected a negative symbol id, but got 4}}
  %s = symbol.create_symbol {SymbolId = 4 : i64} : index
  return
}

// -----

// S-3: an id is bound once in a function.
func.func @bind_twice(%p: index, %q: index) {
  // expected-note@+1 {{first bound here}}
  symbol.create_id %p {symbol_id = -1 : si64} : index
  // expected-error@+1 {{'symbol.create_id' op symbol id -1 is bound twice in one function}}
  symbol.create_id %q {symbol_id = -1 : si64} : index
  return
}

// -----

// S-3: what is read is bound somewhere around.
module {
  func.func @wrapper(%p: index) {
    symbol.create_id %p {symbol_id = -1 : si64} : index
    return
  }
  module {
    func.func @body() {
      // expected-error@+1 {{'symbol.create_symbol' op symbol id -2 is bound by no 'symbol.create_id'}}
      %s = symbol.create_symbol {SymbolId = -2 : i64} : index
      return
    }
  }
}

// -----

// S-3: another program's wrapper does not count.
module {
  module @other {
    func.func @wrapper(%p: index) {
      symbol.create_id %p {symbol_id = -1 : si64} : index
      return
    }
  }
  module @program {
    func.func @body() {
      // expected-error@+1 {{'symbol.create_symbol' op symbol id -1 is bound by no 'symbol.create_id'}}
      %s = symbol.create_symbol {SymbolId = -1 : i64} : index
      return
    }
  }
}

// -----

// S-4: constant keys.
func.func @keys(%p: index) {
  symbol.create_id %p {symbol_id = -1 : si64} : index
  %s = symbol.create_symbol {SymbolId = -1 : i64} : index
  // expected-error@+1 {{'symbol.symbol_immutable_mapping' op All keys expected to be constant operations; key #0 is not}}
  %m = symbol.symbol_immutable_mapping ([%p -> %s]) : index
  return
}

// -----

// S-4: values are symbols.
func.func @values(%p: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'symbol.symbol_immutable_mapping' op Values in SymbolImmutableMapping should be results of symbol.create_symbol; value #0 is not}}
  %m = symbol.symbol_immutable_mapping ([%c0 -> %p]) : index
  return
}

// -----

// S-4: as many keys as values.
func.func @counts(%p: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'symbol.symbol_immutable_mapping' op expected as many values as keys, but got 0 values and 1 keys}}
  %m = "symbol.symbol_immutable_mapping"(%c0) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> index
  return
}

// -----

// S-5: the map.
func.func @query(%m: index, %k: index) {
  // expected-error@+1 {{'symbol.query_map' op map's defOp must be symbol_immutable_mapping op.}}
  %v = symbol.query_map(map:%m, key:%k) : index
  return
}

// -----

// S-5: an argument as key is a loop's.
func.func @query_key(%k: index) {
  %c0 = arith.constant 0 : index
  symbol.create_id %k {symbol_id = -1 : si64} : index
  %s = symbol.create_symbol {SymbolId = -1 : i64} : index
  %m = symbol.symbol_immutable_mapping ([%c0 -> %s]) : index
  // expected-error@+1 {{'symbol.query_map' op key's parentOp must be a ForOp.}}
  %v = symbol.query_map(map:%m, key:%k) : index
  return
}

// -----

// A binding further down may have no id: it is not verified yet.
func.func @reads_before_binding(%p: index) {
  // expected-error@+1 {{symbol id -4 is bound by no 'symbol.create_id'}}
  %s = symbol.create_symbol {SymbolId = -4 : i64} : index
  "symbol.create_id"(%p) : (index) -> ()
  return
}

// -----

// Nor is one in a region that is verified later.
func.func @binds_after_a_region(%p: index) {
  builtin.module {
    func.func @inner(%q: index) {
      // expected-error@+1 {{requires attribute 'symbol_id'}}
      "symbol.create_id"(%q) : (index) -> ()
      return
    }
  }
  symbol.create_id %p {symbol_id = -1 : si64} : index
  return
}
