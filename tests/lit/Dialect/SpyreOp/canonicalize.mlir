// What folds and what is left alone.
// RUN: ktir-opt --canonicalize --cse %s | FileCheck %s

// A known condition, of this dialect or of another, decides.
// CHECK-LABEL: func.func @known
// CHECK-SAME:  (%[[A:.+]]: f16, %[[B:.+]]: f16, %[[C:.+]]: f32, %[[D:.+]]: f32)
func.func @known(%a: f16, %b: f16, %c: f32, %d: f32) -> (f16, f16, f16, f16, f16, f32, f32) {
  %one = spyreop.constant 1.0 : f16
  %zero = spyreop.constant 0.0 : f16
  %negative_zero = arith.constant -0.0 : f16
  // The least positive f16, 2^-24, is a number of the device's format, too.
  %tiny = arith.constant 0x0001 : f16
  %nan = spyreop.constant 0x7E00 : f16
  %infinity = arith.constant 0xFF800000 : f32
  %zero_f32 = spyreop.constant 0.0 : f32
  %0 = spyreop.select %one, %a, %b : f16
  %1 = spyreop.select %zero, %a, %b : f16
  %2 = spyreop.select %negative_zero, %a, %b : f16
  %3 = spyreop.select %tiny, %a, %b : f16
  // A NaN is not zero.
  %4 = spyreop.select %nan, %a, %b : f16
  %5 = spyreop.select %infinity, %c, %d : f32
  %6 = spyreop.select %zero_f32, %c, %d : f32
  // CHECK-NEXT: return %[[A]], %[[B]], %[[B]], %[[A]], %[[A]], %[[C]], %[[D]]
  return %0, %1, %2, %3, %4, %5, %6 : f16, f16, f16, f16, f16, f32, f32
}

// CHECK-LABEL: func.func @unknown
// CHECK-SAME:  (%[[C:.+]]: f16, %[[A:.+]]: f16, %[[B:.+]]: f16)
func.func @unknown(%c: f16, %a: f16, %b: f16) -> (f16, f16) {
  // CHECK-NEXT: %[[S:.+]] = spyreop.select %[[C]], %[[A]], %[[B]] : f16
  %0 = spyreop.select %c, %a, %b : f16
  // Either way the same value.
  %1 = spyreop.select %c, %a, %a : f16
  // CHECK-NEXT: return %[[S]], %[[A]]
  return %0, %1 : f16, f16
}

// The device computes these; no constant is folded into them.
// CHECK-LABEL: func.func @device
func.func @device() -> (f16, f16) {
  // CHECK-NEXT: %[[K:.+]] = spyreop.constant 2.000000e+00 : f16
  %k = spyreop.constant 2.0 : f16
  // CHECK-NEXT: %[[C:.+]] = spyreop.compare <equal> %[[K]], %[[K]] : f16
  %c = spyreop.compare <equal> %k, %k : f16
  // CHECK-NEXT: %[[R:.+]] = spyreop.reciprocal %[[K]] : f16
  %r = spyreop.reciprocal %k : f16
  // CHECK-NEXT: return %[[C]], %[[R]]
  return %c, %r : f16, f16
}

// Ops are pure: unused ones go, equal ones become one, sums in either order.
// CHECK-LABEL: func.func @pure
// CHECK-SAME:  (%[[X:.+]]: f16, %[[T:.+]]: tensor<64xf16>, %[[A:.+]]: i32, %[[B:.+]]: i32)
func.func @pure(%x: f16, %t: tensor<64xf16>, %a: i32, %b: i32) -> (f16, f16, f16, f16, i32, i32) {
  %dead0 = spyreop.addi32toi32 %a, %b
  %dead1 = spyreop.idx32toaddr %a base %b stride %a
  %dead2 = spyreop.softplus %x beta 1.0 threshold 20.0 : f16
  %dead3:2 = spyreop.exx2 %x : f16
  %dead4 = spyreop.exx2_fused %x : f16 -> !spyreop.fp16_fused
  %dead5 = spyreop.layernormscale_fused %dead4 : !spyreop.fp16_fused -> f16
  %dead6 = spyreop.slice_reduction %t {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  // CHECK-NEXT: %[[K:.+]] = spyreop.constant 3.000000e+00 : f16
  %k0 = spyreop.constant 3.0 : f16
  %k1 = spyreop.constant 3.0 : f16
  // CHECK-NEXT: %[[E:.+]] = spyreop.exp %[[X]] : f16
  %e0 = spyreop.exp %x : f16
  %e1 = spyreop.exp %x : f16
  // CHECK-NEXT: %[[S0:.+]] = spyreop.addi32toi32 %[[A]], %[[B]]
  %s0 = spyreop.addi32toi32 %a, %b
  %s1 = spyreop.addi32toi32 %b, %a
  // CHECK-NEXT: return %[[K]], %[[K]], %[[E]], %[[E]], %[[S0]], %[[S0]]
  return %k0, %k1, %e0, %e1, %s0, %s1 : f16, f16, f16, f16, i32, i32
}
