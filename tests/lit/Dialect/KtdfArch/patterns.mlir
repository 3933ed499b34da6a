// The text of device patterns is kept as it is.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s

// CHECK-LABEL: ktdf_arch.device @d
ktdf_arch.device @d {
  // CHECK: patterns ["pre_scheduling"] {
  // CHECK-NEXT: pdl.pattern : benefit(1) {
  // CHECK: %op = operation "math.exp" (%in : !pdl.value) -> (%ty : !pdl.type)
  // CHECK: apply_native_constraint "ktdf_arch.mapped_to" (%op : !pdl.operation) : !pdl.attribute {isNegated = true}
  // CHECK: %unit = attribute = "SFU"
  // CHECK: pdl.pattern @second
  patterns ["pre_scheduling"] {
    pdl.pattern : benefit(1) {
      %ty = type
      %in = operand : %ty
      %op = operation "math.exp" (%in : !pdl.value) -> (%ty : !pdl.type)
      apply_native_constraint "ktdf_arch.mapped_to" (%op : !pdl.operation) : !pdl.attribute {isNegated = true}
      rewrite {
        %unit = attribute = "SFU"
        apply_native_rewrite "ktdf_arch.map_to" (%op, %unit : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern @second : benefit(2) {
    }
  }
  // What follows the patterns is read as before.
  // CHECK: memory {kind = "A"}
  %m = memory {kind = "A"}
}
