// RUN: ktir-opt %s -canonicalize -cse | FileCheck %s

// A symbol is a value: equal ones are one. A binding stays.
// CHECK-LABEL: func.func @f
// CHECK-NEXT: symbol.create_id
// CHECK-NEXT: %[[S:.+]] = symbol.create_symbol
// CHECK-NEXT: return %[[S]], %[[S]]
func.func @f(%p: index) -> (index, index) {
  symbol.create_id %p {symbol_id = -1 : si64} : index
  %s = symbol.create_symbol {SymbolId = -1 : i64} : index
  %t = symbol.create_symbol {SymbolId = -1 : i64} : index
  return %s, %t : index, index
}
