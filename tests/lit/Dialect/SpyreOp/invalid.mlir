// Each rule by its id in the language reference, and what is no program at all.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Softplus
//===----------------------------------------------------------------------===//

// SO-1
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.softplus' op attribute 'beta' failed to satisfy constraint: 32-bit float attribute which is non-zero}}
  %0 = spyreop.softplus %x beta 0.0 threshold 20.0 : f16
  return
}

// -----

// SO-1: the negative zero, too.
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.softplus' op attribute 'beta' failed to satisfy constraint: 32-bit float attribute which is non-zero}}
  %0 = spyreop.softplus %x beta -0.0 threshold 20.0 : f16
  return
}

// -----

// SO-1: other floats
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.softplus' op attribute 'beta' failed to satisfy constraint: 32-bit float attribute which is non-zero}}
  %0 = "spyreop.softplus"(%x) <{beta = 1.0 : f64, threshold = 20.0 : f32}> : (f16) -> f16
  return
}

// -----

// The threshold may be zero and is a 32-bit float.
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.softplus' op attribute 'threshold' failed to satisfy constraint: 32-bit float attribute}}
  %0 = "spyreop.softplus"(%x) <{beta = 1.0 : f32, threshold = 0.0 : f16}> : (f16) -> f16
  return
}

// -----

// The literals have no type.
func.func @f(%x: f16) {
  // expected-error@+1 {{expected 'threshold'}}
  %0 = spyreop.softplus %x beta 0.2 : f32 threshold 20.0 : f16
  return
}

// -----

// They are floats.
func.func @f(%x: f16) {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %0 = spyreop.softplus %x beta true threshold 20.0 : f16
  return
}

// -----

// None is left out.
func.func @f(%x: f16) {
  // expected-error@+1 {{expected 'threshold'}}
  %0 = spyreop.softplus %x beta 0.2 : f16
  return
}

// -----

// None is left out.
func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.softplus' op requires attribute 'threshold'}}
  %0 = "spyreop.softplus"(%x) <{beta = 1.0 : f32}> : (f16) -> f16
  return
}

// -----

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.exp' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.exp %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.reciprocal' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.reciprocal %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.rsqrt' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.rsqrt %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.sigmoid' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.sigmoid %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.silu' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.silu %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.sqrt' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0 = spyreop.sqrt %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.exx2' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i32'}}
  %0:2 = spyreop.exx2 %x : i32
  return
}

// -----

// SO-2
func.func @f(%x: f64) {
  // expected-error@+1 {{'spyreop.realdiv' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'f64'}}
  %0 = spyreop.realdiv %x, %x : f64
  return
}

// -----

// SO-2: every operand
func.func @f(%x: f16, %y: bf16) {
  // expected-error@+1 {{'spyreop.realdiv' op operand #1 must be 16-bit float or IBM df16 float or 32-bit float, but got 'bf16'}}
  %0 = "spyreop.realdiv"(%x, %y) : (f16, bf16) -> f16
  return
}

// -----

// SO-2: scalars only
func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.exp' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'tensor<64xf16>'}}
  %0 = spyreop.exp %x : tensor<64xf16>
  return
}

// -----

// SO-2: a pair is no float.
func.func @f(%x: !spyreop.fp16_fused) {
  // expected-error@+1 {{'spyreop.sqrt' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got '!spyreop.fp16_fused'}}
  %0 = spyreop.sqrt %x : !spyreop.fp16_fused
  return
}

// -----

// SO-2: a condition is no boolean.
func.func @f(%c: i1, %x: f16) {
  // expected-error@+1 {{'spyreop.select' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i1'}}
  %0 = "spyreop.select"(%c, %x, %x) : (i1, f16, f16) -> f16
  return
}

// -----

// SO-2
func.func @f(%x: index) {
  // expected-error@+1 {{'spyreop.compare' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'index'}}
  %0 = spyreop.compare <equal> %x, %x : index
  return
}

// -----

// SO-2
func.func @f(%x: i16) {
  // expected-error@+1 {{'spyreop.exx2_fused' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i16'}}
  %0 = spyreop.exx2_fused %x : i16 -> !spyreop.fp16_fused
  return
}

// -----

// SO-2
func.func @f(%x: i16) {
  // expected-error@+1 {{'spyreop.layernormscale' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i16'}}
  %0 = spyreop.layernormscale %x squares %x : i16
  return
}

// -----

// SO-2
func.func @f(%x: i16) {
  // expected-error@+1 {{'spyreop.layernormnorm' op operand #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i16'}}
  %0 = spyreop.layernormnorm %x squares %x scale %x weight %x bias %x : i16
  return
}

// -----

// SO-2
func.func @f(%x: f16, %y: i16) {
  // expected-error@+1 {{'spyreop.layernormnorm' op operand #4 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i16'}}
  %0 = "spyreop.layernormnorm"(%x, %x, %x, %x, %y) : (f16, f16, f16, f16, i16) -> f16
  return
}

// -----

// SO-2: 16 bits only
func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.gelu' op operand #0 must be 16-bit float or IBM df16 float, but got 'i32'}}
  %0 = spyreop.gelu %x : i32
  return
}

// -----

// SO-2: 16 bits only
func.func @f(%x: f32) {
  // expected-error@+1 {{'spyreop.gelu' op operand #0 must be 16-bit float or IBM df16 float, but got 'f32'}}
  %0 = spyreop.gelu %x : f32
  return
}

// -----

// SO-2: 16 bits only
func.func @f(%x: f32) {
  // expected-error@+1 {{'spyreop.softplus' op operand #0 must be 16-bit float or IBM df16 float, but got 'f32'}}
  %0 = spyreop.softplus %x beta 1.0 threshold 20.0 : f32
  return
}

// -----

// D24: f16 and df16 are different types.
func.func @f(%x: f16, %y: !spyreop.df16) {
  // expected-error@+1 {{'spyreop.realdiv' op requires the same type for all operands and results}}
  %0 = "spyreop.realdiv"(%x, %y) : (f16, !spyreop.df16) -> f16
  return
}

// -----

func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.exp' op requires the same type for all operands and results}}
  %0 = "spyreop.exp"(%x) : (f16) -> f32
  return
}

// -----

func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.exx2' op requires the same type for all operands and results}}
  %0:2 = "spyreop.exx2"(%x) : (f16) -> (f16, f32)
  return
}

// -----

func.func @f(%x: f16) {
  // expected-error@+1 {{'spyreop.exp' op result #0 must be 16-bit float or IBM df16 float or 32-bit float, but got 'i16'}}
  %0 = "spyreop.exp"(%x) : (f16) -> i16
  return
}

// -----

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

func.func @f(%x: i64) {
  // expected-error@+1 {{'spyreop.addi32toi32' op operand #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = "spyreop.addi32toi32"(%x, %x) : (i64, i64) -> i64
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.addi64toi64' op operand #0 must be 64-bit signless integer, but got 'i32'}}
  %0 = "spyreop.addi64toi64"(%x, %x) : (i32, i32) -> i32
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'spyreop.muli32toi32' op operand #0 must be 32-bit signless integer, but got 'index'}}
  %0 = "spyreop.muli32toi32"(%x, %x) : (index, index) -> index
  return
}

// -----

func.func @f(%x: i32, %y: index) {
  // expected-error@+1 {{'spyreop.idx32toaddr' op operand #2 must be 32-bit signless integer, but got 'index'}}
  %0 = "spyreop.idx32toaddr"(%x, %x, %y) : (i32, i32, index) -> i32
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'spyreop.idx32toaddr' op result #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = "spyreop.idx32toaddr"(%x, %x, %x) : (i32, i32, i32) -> i64
  return
}

// -----

// The type that is not written is i32.
// expected-note@+1 {{prior use here}}
func.func @f(%x: i64) {
  // expected-error@+1 {{use of value '%x' expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = spyreop.addi32toi32 %x, %x
  return
}

// -----

// D21: literals, a former form
func.func @f(%x: i32) {
  // expected-error@+1 {{expected SSA operand}}
  %0 = spyreop.idx32toaddr %x base 0x400 stride 128
  return
}

// -----

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// SO-3
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op result #0 must be 16-bit float or 32-bit float, but got 'f64'}}
  %0 = spyreop.constant 1.5 : f64
  return
}

// -----

// SO-3
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op result #0 must be 16-bit float or 32-bit float, but got 'i32'}}
  %0 = spyreop.constant 1 : i32
  return
}

// -----

// SO-3
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op result #0 must be 16-bit float or 32-bit float, but got 'tensor<2xf16>'}}
  %0 = spyreop.constant dense<1.0> : tensor<2xf16>
  return
}

// -----

// SO-3: there is no literal of this type, in another's clothes neither.
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op result #0 must be 16-bit float or 32-bit float, but got '!spyreop.df16'}}
  %0 = "spyreop.constant"() <{value = 1.5 : f16}> : () -> !spyreop.df16
  return
}

// -----

// SO-4
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op requires attribute 'value'}}
  %0 = "spyreop.constant"() : () -> f32
  return
}

// -----

// SO-4
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "spyreop.constant"() <{value = 1.5 : f16}> : () -> f32
  return
}

// -----

// SO-4
func.func @f(%x: f32) {
  // expected-error@+1 {{'spyreop.constant' op requires zero operands}}
  %0 = "spyreop.constant"(%x) <{value = 1.5 : f32}> : (f32) -> f32
  return
}

// -----

// SO-4
func.func @f() {
  // expected-error@+1 {{'spyreop.constant' op requires one result}}
  "spyreop.constant"() <{value = 1.5 : f32}> : () -> ()
  return
}

// -----

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

func.func @f(%a: f16) {
  // expected-error@+2 {{expected one of [equal, notequal, greaterthan, greaterequal, lesserthan, lesserequal] for compare predicate, got: less}}
  // expected-error@+1 {{failed to parse SpyreOp_ComparePredicateAttr parameter 'value'}}
  %0 = spyreop.compare <less> %a, %a : f16
  return
}

// -----

func.func @f(%a: f16) {
  // expected-error@+1 {{expected '<'}}
  %0 = spyreop.compare equal %a, %a : f16
  return
}

// -----

func.func @f(%a: f16) {
  // expected-error@+1 {{'spyreop.compare' op requires attribute 'predicate'}}
  %0 = "spyreop.compare"(%a, %a) : (f16, f16) -> f16
  return
}

// -----

func.func @f(%x: tensor<64xf16>) {
  // expected-error@+2 {{expected one of [add, sub, max, min, mul, abs_max] for reduction kind, got: abs_min}}
  // expected-error@+1 {{failed to parse SpyreOp_ReductionKindAttr parameter 'value'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<abs_min>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

// D21: a scope of another revision
func.func @f(%x: tensor<64xf16>) {
  // expected-error@+2 {{expected one of [in_slice, across_slice] for reduction scope, got: across_slice_splat}}
  // expected-error@+1 {{failed to parse SpyreOp_ReductionScopeAttr parameter 'value'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<across_slice_splat>} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op requires attribute 'reduction_kind'}}
  %0 = spyreop.slice_reduction %x {reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op requires attribute 'reduction_scope'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op attribute 'reduction_scope' failed to satisfy constraint: reduction scope}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = "in_slice"} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

// Tensors, not memrefs as in another revision (D21).
func.func @f(%x: memref<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op operand #0 must be ranked tensor of 16-bit float or IBM df16 float values, but got 'memref<64xf16>'}}
  %0 = "spyreop.slice_reduction"(%x) <{reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>}> : (memref<64xf16>) -> memref<64xf16>
  return
}

// -----

func.func @f(%x: memref<64xf16>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor, but found 'memref<64xf16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : memref<64xf16> -> memref<64xf16>
  return
}

// -----

func.func @f(%x: tensor<64xf32>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op operand #0 must be ranked tensor of 16-bit float or IBM df16 float values, but got 'tensor<64xf32>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf32> -> tensor<64xf32>
  return
}

// -----

func.func @f(%x: tensor<*xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op operand #0 must be ranked tensor of 16-bit float or IBM df16 float values, but got 'tensor<*xf16>'}}
  %0 = "spyreop.slice_reduction"(%x) <{reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>}> : (tensor<*xf16>) -> tensor<*xf16>
  return
}

// -----

func.func @f(%x: tensor<*xf16>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<*xf16> -> tensor<*xf16>
  return
}

// -----

func.func @f(%x: tensor<32xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op expected a tensor one stick wide, its innermost dimension of extent 64, but got 'tensor<32xf16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<32xf16> -> tensor<32xf16>
  return
}

// -----

func.func @f(%x: tensor<64x8xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op expected a tensor one stick wide, its innermost dimension of extent 64, but got 'tensor<64x8xf16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64x8xf16> -> tensor<64x8xf16>
  return
}

// -----

func.func @f(%x: tensor<?xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op expected a tensor one stick wide, its innermost dimension of extent 64, but got 'tensor<?xf16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<?xf16> -> tensor<?xf16>
  return
}

// -----

func.func @f(%x: tensor<f16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op expected a tensor one stick wide, its innermost dimension of extent 64, but got 'tensor<f16>'}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<f16> -> tensor<f16>
  return
}

// -----

// Operand and result are equal.
func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op requires the same type for all operands and results}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64x!spyreop.df16>
  return
}

// -----

// Operand and result are equal.
func.func @f(%x: tensor<64xf16>) {
  // expected-error@+1 {{'spyreop.slice_reduction' op requires the same type for all operands and results}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<1x64xf16>
  return
}

// -----

// Operand and result are equal: a cast is an op of its own.
func.func @f(%x: tensor<?x64xf16>) {
  // expected-error@+2 {{'spyreop.slice_reduction' op inferred type(s) 'tensor<?x64xf16>' are incompatible with return type(s) of operation 'tensor<4x64xf16>'}}
  // expected-error@+1 {{'spyreop.slice_reduction' op failed to infer returned types}}
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<?x64xf16> -> tensor<4x64xf16>
  return
}
