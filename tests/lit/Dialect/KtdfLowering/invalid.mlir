// RUN: ktir-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error @+1 {{expected at least one unit}}
  "ktdf_lowering.execute_on"() ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected at least one unit}}
  "ktdf_lowering.signal"() : () -> ()
  return
}

// -----

func.func @f(%u: i32) {
  // expected-error @+1 {{operand #0 must be variadic of index, but got 'i32'}}
  "ktdf_lowering.signal"(%u) : (i32) -> ()
  return
}
