// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s -mlir-print-op-generic | ktir-opt | FileCheck %s

// The wrapper binds, the module inside reads.
module @program {
  // CHECK-LABEL: func.func @wrapper
  // CHECK-SAME: %[[P:.+]]: index
  func.func @wrapper(%p: index) {
    // CHECK-NEXT: symbol.create_id %[[P]] {symbol_id = -7 : si64} : index
    symbol.create_id %p {symbol_id = -7 : si64} : index
    // CHECK-NEXT: symbol.create_id %[[P]] {symbol_id = -8 : si64} : index
    symbol.create_id %p {symbol_id = -8 : si64} : index
    return
  }
  // Another function may bind the same inputs.
  func.func @other(%p: index) {
    symbol.create_id %p {symbol_id = -7 : si64} : index
    return
  }
  module {
    // CHECK-LABEL: func.func @body
    func.func @body() {
      // CHECK: %[[C0:.+]] = arith.constant 0
      %c0 = arith.constant 0 : index
      // CHECK: %[[C1:.+]] = arith.constant 1
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // CHECK: %[[S0:.+]] = symbol.create_symbol {SymbolId = -7 : i64} : index
      %s0 = symbol.create_symbol {SymbolId = -7 : i64} : index
      // CHECK: %[[S1:.+]] = symbol.create_symbol {SymbolId = -8 : i64} : index
      %s1 = symbol.create_symbol {SymbolId = -8 : i64} : index
      // CHECK: %[[M:.+]] = symbol.symbol_immutable_mapping ([%[[C0]] -> %[[S0]]], [%[[C1]] -> %[[S1]]]) : index
      %m = symbol.symbol_immutable_mapping ([%c0 -> %s0], [%c1 -> %s1]) : index
      // CHECK: scf.for %[[I:.+]] =
      scf.for %i = %c0 to %c2 step %c1 {
        // CHECK-NEXT: symbol.query_map(map:%[[M]], key:%[[I]]) : index
        %b = symbol.query_map(map:%m, key:%i) : index
      }
      return
    }
  }
}
