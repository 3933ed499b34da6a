// Rules on pairs and on what is made of them, by their ids in the language
// reference.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

// SO-5
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.exx2_fused' op result #0 must be A pair of df16 floats held as one value or A pair of 16-bit floats held as one value or A pair of 32-bit floats held as one value, but got 'f16'}}
  %0 = spyreop.exx2_fused %x : f16 -> f16
  return
}

// -----

// SO-5
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.layernormscale_fused' op operand #0 must be A pair of df16 floats held as one value or A pair of 16-bit floats held as one value or A pair of 32-bit floats held as one value, but got 'f16'}}
  %0 = spyreop.layernormscale_fused %x : f16 -> f16
  return
}

// -----

// SO-6
func.func @f(%x: f16) {
  // expected-error@+2 {{'spyreop.exx2_fused' op inferred type(s) '!spyreop.fp16_fused' are incompatible with return type(s) of operation '!spyreop.fp32_fused'}}
  // expected-error@+1 {{'spyreop.exx2_fused' op failed to infer returned types}}
  %0 = spyreop.exx2_fused %x : f16 -> !spyreop.fp32_fused
  return
}

// -----

// SO-6
func.func @f(%x: f32) {
  // expected-error@+2 {{'spyreop.exx2_fused' op inferred type(s) '!spyreop.fp32_fused' are incompatible with return type(s) of operation '!spyreop.df16_fused'}}
  // expected-error@+1 {{'spyreop.exx2_fused' op failed to infer returned types}}
  %0 = spyreop.exx2_fused %x : f32 -> !spyreop.df16_fused
  return
}

// -----

// SO-6
func.func @f(%x: !spyreop.df16) {
  // expected-error@+2 {{'spyreop.exx2_fused' op inferred type(s) '!spyreop.df16_fused' are incompatible with return type(s) of operation '!spyreop.fp16_fused'}}
  // expected-error@+1 {{'spyreop.exx2_fused' op failed to infer returned types}}
  %0 = spyreop.exx2_fused %x : !spyreop.df16 -> !spyreop.fp16_fused
  return
}

// -----

// SO-6
func.func @f(%x: !spyreop.fp16_fused) {
  // expected-error@+2 {{'spyreop.layernormscale_fused' op inferred type(s) 'f16' are incompatible with return type(s) of operation 'f32'}}
  // expected-error@+1 {{'spyreop.layernormscale_fused' op failed to infer returned types}}
  %0 = spyreop.layernormscale_fused %x : !spyreop.fp16_fused -> f32
  return
}

// -----

// SO-6
func.func @f(%x: !spyreop.fp32_fused) {
  // expected-error@+2 {{'spyreop.layernormscale_fused' op inferred type(s) 'f32' are incompatible with return type(s) of operation '!spyreop.df16'}}
  // expected-error@+1 {{'spyreop.layernormscale_fused' op failed to infer returned types}}
  %0 = spyreop.layernormscale_fused %x : !spyreop.fp32_fused -> !spyreop.df16
  return
}

// -----

// SO-6
func.func @f(%x: !spyreop.df16_fused) {
  // expected-error@+2 {{'spyreop.layernormscale_fused' op inferred type(s) '!spyreop.df16' are incompatible with return type(s) of operation 'f16'}}
  // expected-error@+1 {{'spyreop.layernormscale_fused' op failed to infer returned types}}
  %0 = spyreop.layernormscale_fused %x : !spyreop.df16_fused -> f16
  return
}

// -----

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

func.func @f(%m: f16) {
  // expected-error@+1 {{'spyreop.layernormscale' op expected attribute 'eps' to be a 32-bit float, but got 1.000000e-05 : f64}}
  %0 = spyreop.layernormscale %m squares %m {eps = 1.0e-5 : f64} : f16
  return
}

// -----

func.func @f(%m: f16) {
  // expected-error@+1 {{'spyreop.layernormscale' op expected attribute 'eps' to be a 32-bit float, but got 1 : i32}}
  %0 = spyreop.layernormscale %m squares %m {eps = 1 : i32} : f16
  return
}

// -----

func.func @f(%p: !spyreop.fp16_fused) {
  // expected-error@+1 {{'spyreop.layernormscale_fused' op expected attribute 'eps' to be a 32-bit float, but got unit}}
  %0 = spyreop.layernormscale_fused %p {eps} : !spyreop.fp16_fused -> f16
  return
}

// -----

// D21: one operand, a former form
func.func @f(%m: f16) {
  // expected-error@+1 {{expected 'squares'}}
  %0 = spyreop.layernormscale %m : f16
  return
}

// -----

// D21: one operand, a former form
func.func @f(%m: f16) {
  // expected-error@+1 {{'spyreop.layernormscale' op expected 2 operands, but found 1}}
  %0 = "spyreop.layernormscale"(%m) : (f16) -> f16
  return
}
