// Every type, attribute and op, in custom and in generic form. What is printed
// is printed alike when it is read again.
// RUN: ktir-opt %s | FileCheck %s
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | FileCheck %s
// RUN: ktir-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: ktir-opt %s -o %t.once
// RUN: ktir-opt %t.once | diff %t.once -
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | diff %t.once -

// CHECK-LABEL: func.func private @types(!spyreop.df16, !spyreop.df16_fused, !spyreop.fp16_fused, !spyreop.fp32_fused)
func.func private @types(!spyreop.df16, !spyreop.df16_fused, !spyreop.fp16_fused, !spyreop.fp32_fused)

// All are elements of vectors, tensors and memrefs.
// CHECK-LABEL: func.func private @vectors(vector<64x!spyreop.df16>, vector<2x!spyreop.df16_fused>, vector<2x!spyreop.fp16_fused>, vector<2x!spyreop.fp32_fused>)
func.func private @vectors(vector<64x!spyreop.df16>, vector<2x!spyreop.df16_fused>, vector<2x!spyreop.fp16_fused>, vector<2x!spyreop.fp32_fused>)
// CHECK-LABEL: func.func private @tensors(tensor<2x64x!spyreop.df16>, tensor<?x!spyreop.df16_fused>, tensor<!spyreop.fp16_fused>, tensor<*x!spyreop.fp32_fused>)
func.func private @tensors(tensor<2x64x!spyreop.df16>, tensor<?x!spyreop.df16_fused>, tensor<!spyreop.fp16_fused>, tensor<*x!spyreop.fp32_fused>)
// CHECK-LABEL: func.func private @memrefs(memref<2x64x!spyreop.df16>, memref<?x!spyreop.df16_fused>, memref<!spyreop.fp16_fused>, memref<*x!spyreop.fp32_fused>)
func.func private @memrefs(memref<2x64x!spyreop.df16>, memref<?x!spyreop.df16_fused>, memref<!spyreop.fp16_fused>, memref<*x!spyreop.fp32_fused>)

// Every word of every attribute.
// CHECK-LABEL: func.func private @words
// CHECK-SAME:  kinds = [#spyreop.reduction_kind<add>, #spyreop.reduction_kind<sub>, #spyreop.reduction_kind<max>, #spyreop.reduction_kind<min>, #spyreop.reduction_kind<mul>, #spyreop.reduction_kind<abs_max>]
// CHECK-SAME:  predicates = [#spyreop.compare_predicate<equal>, #spyreop.compare_predicate<notequal>, #spyreop.compare_predicate<greaterthan>, #spyreop.compare_predicate<greaterequal>, #spyreop.compare_predicate<lesserthan>, #spyreop.compare_predicate<lesserequal>]
// CHECK-SAME:  scopes = [#spyreop.reduction_scope<in_slice>, #spyreop.reduction_scope<across_slice>]
func.func private @words() attributes {
  kinds = [#spyreop.reduction_kind<add>, #spyreop.reduction_kind<sub>, #spyreop.reduction_kind<max>, #spyreop.reduction_kind<min>, #spyreop.reduction_kind<mul>, #spyreop.reduction_kind<abs_max>],
  predicates = [#spyreop.compare_predicate<equal>, #spyreop.compare_predicate<notequal>, #spyreop.compare_predicate<greaterthan>, #spyreop.compare_predicate<greaterequal>, #spyreop.compare_predicate<lesserthan>, #spyreop.compare_predicate<lesserequal>],
  scopes = [#spyreop.reduction_scope<in_slice>, #spyreop.reduction_scope<across_slice>]}

// CHECK-LABEL: func.func @integers
// CHECK-SAME:  (%[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i64)
func.func @integers(%a: i32, %b: i32, %c: i64) {
  // CHECK-NEXT: %[[S:.+]] = spyreop.addi32toi32 %[[A]], %[[B]]{{$}}
  %0 = spyreop.addi32toi32 %a, %b
  // CHECK-NEXT: %{{.+}} = spyreop.addi64toi64 %[[C]], %[[C]]{{$}}
  %1 = spyreop.addi64toi64 %c, %c
  // CHECK-NEXT: %[[P:.+]] = spyreop.muli32toi32 %[[A]], %[[S]]{{$}}
  %2 = spyreop.muli32toi32 %a, %0
  // CHECK-NEXT: %{{.+}} = spyreop.idx32toaddr %[[A]] base %[[B]] stride %[[P]]{{$}}
  %3 = spyreop.idx32toaddr %a base %b stride %2
  // CHECK-NEXT: %{{.+}} = spyreop.addi32toi32 %[[A]], %[[B]] {note = 1 : i64}{{$}}
  %4 = spyreop.addi32toi32 %a, %b {note = 1}
  return
}

// CHECK-LABEL: func.func @generic_integers
// CHECK-SAME:  (%[[A:.+]]: i32, %[[C:.+]]: i64)
func.func @generic_integers(%a: i32, %c: i64) {
  // CHECK-NEXT: %{{.+}} = spyreop.addi32toi32 %[[A]], %[[A]]{{$}}
  // GENERIC: "spyreop.addi32toi32"(%{{.+}}, %{{.+}}) : (i32, i32) -> i32
  %0 = "spyreop.addi32toi32"(%a, %a) : (i32, i32) -> i32
  // CHECK-NEXT: %{{.+}} = spyreop.addi64toi64 %[[C]], %[[C]]{{$}}
  // GENERIC: "spyreop.addi64toi64"(%{{.+}}, %{{.+}}) : (i64, i64) -> i64
  %1 = "spyreop.addi64toi64"(%c, %c) : (i64, i64) -> i64
  // CHECK-NEXT: %{{.+}} = spyreop.muli32toi32 %[[A]], %[[A]]{{$}}
  %2 = "spyreop.muli32toi32"(%a, %a) : (i32, i32) -> i32
  // CHECK-NEXT: %{{.+}} = spyreop.idx32toaddr %[[A]] base %[[A]] stride %[[A]]{{$}}
  %3 = "spyreop.idx32toaddr"(%a, %a, %a) : (i32, i32, i32) -> i32
  return
}

// CHECK-LABEL: func.func @floats
// CHECK-SAME:  (%[[X:.+]]: f16, %[[Y:.+]]: !spyreop.df16, %[[Z:.+]]: f32)
func.func @floats(%x: f16, %y: !spyreop.df16, %z: f32) {
  // CHECK-NEXT: spyreop.exp %[[X]] : f16
  %0 = spyreop.exp %x : f16
  // CHECK-NEXT: spyreop.exp %[[Y]] : !spyreop.df16
  %1 = spyreop.exp %y : !spyreop.df16
  // CHECK-NEXT: spyreop.exp %[[Z]] : f32
  %2 = spyreop.exp %z : f32
  // CHECK-NEXT: spyreop.gelu %[[X]] : f16
  %3 = spyreop.gelu %x : f16
  // CHECK-NEXT: spyreop.gelu %[[Y]] : !spyreop.df16
  %4 = spyreop.gelu %y : !spyreop.df16
  // CHECK-NEXT: spyreop.realdiv %[[X]], %{{.+}} : f16
  %5 = spyreop.realdiv %x, %0 : f16
  // CHECK-NEXT: spyreop.realdiv %[[Y]], %{{.+}} : !spyreop.df16
  %6 = spyreop.realdiv %y, %1 : !spyreop.df16
  // CHECK-NEXT: spyreop.realdiv %[[Z]], %{{.+}} : f32
  %7 = spyreop.realdiv %z, %2 : f32
  // CHECK-NEXT: spyreop.reciprocal %[[X]] : f16
  %8 = spyreop.reciprocal %x : f16
  // CHECK-NEXT: spyreop.reciprocal %[[Y]] : !spyreop.df16
  %9 = spyreop.reciprocal %y : !spyreop.df16
  // CHECK-NEXT: spyreop.reciprocal %[[Z]] : f32
  %10 = spyreop.reciprocal %z : f32
  // CHECK-NEXT: spyreop.rsqrt %[[X]] : f16
  %11 = spyreop.rsqrt %x : f16
  // CHECK-NEXT: spyreop.rsqrt %[[Y]] : !spyreop.df16
  %12 = spyreop.rsqrt %y : !spyreop.df16
  // CHECK-NEXT: spyreop.rsqrt %[[Z]] : f32
  %13 = spyreop.rsqrt %z : f32
  // CHECK-NEXT: spyreop.sigmoid %[[X]] : f16
  %14 = spyreop.sigmoid %x : f16
  // CHECK-NEXT: spyreop.sigmoid %[[Y]] : !spyreop.df16
  %15 = spyreop.sigmoid %y : !spyreop.df16
  // CHECK-NEXT: spyreop.sigmoid %[[Z]] : f32
  %16 = spyreop.sigmoid %z : f32
  // CHECK-NEXT: spyreop.silu %[[X]] : f16
  %17 = spyreop.silu %x : f16
  // CHECK-NEXT: spyreop.silu %[[Y]] : !spyreop.df16
  %18 = spyreop.silu %y : !spyreop.df16
  // CHECK-NEXT: spyreop.silu %[[Z]] : f32
  %19 = spyreop.silu %z : f32
  // CHECK-NEXT: spyreop.sqrt %[[X]] : f16
  %20 = spyreop.sqrt %x : f16
  // CHECK-NEXT: spyreop.sqrt %[[Y]] : !spyreop.df16
  %21 = spyreop.sqrt %y : !spyreop.df16
  // CHECK-NEXT: spyreop.sqrt %[[Z]] : f32
  %22 = spyreop.sqrt %z : f32
  // CHECK-NEXT: spyreop.softplus %[[X]] beta 2.000000e-01 threshold 2.000000e+01 : f16
  %23 = spyreop.softplus %x beta 0.2 threshold 20.0 : f16
  // CHECK-NEXT: spyreop.softplus %[[Y]] beta -1.500000e+00 threshold 0.000000e+00 {note = "n"} : !spyreop.df16
  %24 = spyreop.softplus %y beta -1.5 threshold 0.0 {note = "n"} : !spyreop.df16
  // Bit patterns, as infinity is printed.
  // CHECK-NEXT: spyreop.softplus %[[X]] beta 1.000000e+00 threshold 0x7F800000 : f16
  %25 = spyreop.softplus %x beta 0x3F800000 threshold 0x7F800000 : f16
  return
}

// CHECK-LABEL: func.func @generic_floats
// CHECK-SAME:  (%[[X:.+]]: f16, %[[Z:.+]]: f32)
func.func @generic_floats(%x: f16, %z: f32) {
  // CHECK-NEXT: spyreop.exp %[[Z]] : f32
  %0 = "spyreop.exp"(%z) : (f32) -> f32
  // CHECK-NEXT: spyreop.gelu %[[X]] : f16
  %1 = "spyreop.gelu"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.realdiv %[[X]], %[[X]] : f16
  %2 = "spyreop.realdiv"(%x, %x) : (f16, f16) -> f16
  // CHECK-NEXT: spyreop.reciprocal %[[X]] : f16
  %3 = "spyreop.reciprocal"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.rsqrt %[[X]] : f16
  %4 = "spyreop.rsqrt"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.sigmoid %[[X]] : f16
  %5 = "spyreop.sigmoid"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.silu %[[X]] : f16
  %6 = "spyreop.silu"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.sqrt %[[X]] : f16
  %7 = "spyreop.sqrt"(%x) : (f16) -> f16
  // CHECK-NEXT: spyreop.softplus %[[X]] beta 2.000000e-01 threshold 2.000000e+01 : f16
  // GENERIC: "spyreop.softplus"(%{{.+}}) <{beta = 2.000000e-01 : f32, threshold = 2.000000e+01 : f32}> : (f16) -> f16
  %8 = "spyreop.softplus"(%x) <{beta = 0.2 : f32, threshold = 20.0 : f32}> : (f16) -> f16
  // Attributes among the others are read as well.
  // CHECK-NEXT: spyreop.softplus %[[X]] beta 1.000000e+00 threshold 2.000000e+01 : f16
  %9 = "spyreop.softplus"(%x) {beta = 1.0 : f32, threshold = 20.0 : f32} : (f16) -> f16
  return
}

// CHECK-LABEL: func.func @comparisons
// CHECK-SAME:  (%[[A:.+]]: f16, %[[Y:.+]]: !spyreop.df16, %[[Z:.+]]: f32)
func.func @comparisons(%a: f16, %y: !spyreop.df16, %z: f32) {
  // CHECK-NEXT: %[[K:.+]] = spyreop.constant 1.500000e+00 : f16
  %0 = spyreop.constant 1.5 : f16
  // CHECK-NEXT: spyreop.constant {note} 1.000000e-01 : f32
  %1 = spyreop.constant {note} 0.1 : f32
  // -inf
  // CHECK-NEXT: spyreop.constant 0xFC00 : f16
  %2 = spyreop.constant 0xFC00 : f16
  // CHECK-NEXT: %[[C:.+]] = spyreop.compare <equal> %[[A]], %[[K]] : f16
  %3 = spyreop.compare <equal> %a, %0 : f16
  // CHECK-NEXT: spyreop.compare <notequal> %[[Z]], %[[Z]] : f32
  %4 = spyreop.compare <notequal> %z, %z : f32
  // CHECK-NEXT: spyreop.compare <greaterthan> %[[Y]], %[[Y]] : !spyreop.df16
  %5 = spyreop.compare <greaterthan> %y, %y : !spyreop.df16
  // CHECK-NEXT: spyreop.compare <greaterequal> %[[A]], %[[K]] : f16
  %6 = spyreop.compare <greaterequal> %a, %0 : f16
  // CHECK-NEXT: spyreop.compare <lesserthan> %[[A]], %[[K]] : f16
  %7 = spyreop.compare <lesserthan> %a, %0 : f16
  // CHECK-NEXT: spyreop.compare <lesserequal> %[[A]], %[[K]] {note} : f16
  %8 = spyreop.compare <lesserequal> %a, %0 {note} : f16
  // CHECK-NEXT: spyreop.select %[[C]], %[[A]], %[[K]] : f16
  %9 = spyreop.select %3, %a, %0 : f16
  // CHECK-NEXT: spyreop.select %[[Y]], %[[Y]], %[[Y]] : !spyreop.df16
  %10 = spyreop.select %y, %y, %y : !spyreop.df16
  // CHECK-NEXT: spyreop.select %[[Z]], %[[Z]], %[[Z]] : f32
  %11 = spyreop.select %z, %z, %z : f32
  return
}

// CHECK-LABEL: func.func @generic_comparisons
// CHECK-SAME:  (%[[A:.+]]: f16)
func.func @generic_comparisons(%a: f16) {
  // CHECK-NEXT: spyreop.constant 1.500000e+00 : f32
  // GENERIC: "spyreop.constant"() <{value = 1.500000e+00 : f32}> : () -> f32
  %0 = "spyreop.constant"() <{value = 1.5 : f32}> : () -> f32
  // CHECK-NEXT: %[[C:.+]] = spyreop.compare <notequal> %[[A]], %[[A]] : f16
  // GENERIC: "spyreop.compare"(%{{.+}}, %{{.+}}) <{predicate = #spyreop.compare_predicate<notequal>}> : (f16, f16) -> f16
  %1 = "spyreop.compare"(%a, %a) <{predicate = #spyreop.compare_predicate<notequal>}> : (f16, f16) -> f16
  // CHECK-NEXT: spyreop.select %[[C]], %[[A]], %[[A]] : f16
  %2 = "spyreop.select"(%1, %a, %a) : (f16, f16, f16) -> f16
  return
}

// CHECK-LABEL: func.func @normalisation
// CHECK-SAME:  (%[[X:.+]]: f16, %[[Y:.+]]: !spyreop.df16, %[[Z:.+]]: f32)
func.func @normalisation(%x: f16, %y: !spyreop.df16, %z: f32) {
  // CHECK-NEXT: %[[M:.+]], %[[Q:.+]] = spyreop.exx2 %[[X]] : f16
  %0:2 = spyreop.exx2 %x : f16
  // CHECK-NEXT: %{{.+}}, %{{.+}} = spyreop.exx2 %[[Y]] : !spyreop.df16
  %1:2 = spyreop.exx2 %y : !spyreop.df16
  // CHECK-NEXT: %{{.+}}, %{{.+}} = spyreop.exx2 %[[Z]] {note} : f32
  %2:2 = spyreop.exx2 %z {note} : f32
  // CHECK-NEXT: %[[P:.+]] = spyreop.exx2_fused %[[X]] : f16 -> !spyreop.fp16_fused
  %3 = spyreop.exx2_fused %x : f16 -> !spyreop.fp16_fused
  // CHECK-NEXT: %[[PY:.+]] = spyreop.exx2_fused %[[Y]] : !spyreop.df16 -> !spyreop.df16_fused
  %4 = spyreop.exx2_fused %y : !spyreop.df16 -> !spyreop.df16_fused
  // CHECK-NEXT: %[[PZ:.+]] = spyreop.exx2_fused %[[Z]] : f32 -> !spyreop.fp32_fused
  %5 = spyreop.exx2_fused %z : f32 -> !spyreop.fp32_fused
  // CHECK-NEXT: %[[S:.+]] = spyreop.layernormscale %[[M]] squares %[[Q]] : f16
  %6 = spyreop.layernormscale %0#0 squares %0#1 : f16
  // CHECK-NEXT: spyreop.layernormscale %[[Y]] squares %[[Y]] {eps = 1.000000e-03 : f32} : !spyreop.df16
  %7 = spyreop.layernormscale %y squares %y {eps = 1.0e-3 : f32} : !spyreop.df16
  // CHECK-NEXT: spyreop.layernormscale %[[Z]] squares %[[Z]] : f32
  %8 = spyreop.layernormscale %z squares %z : f32
  // CHECK-NEXT: spyreop.layernormscale_fused %[[P]] : !spyreop.fp16_fused -> f16
  %9 = spyreop.layernormscale_fused %3 : !spyreop.fp16_fused -> f16
  // CHECK-NEXT: spyreop.layernormscale_fused %[[PY]] : !spyreop.df16_fused -> !spyreop.df16
  %10 = spyreop.layernormscale_fused %4 : !spyreop.df16_fused -> !spyreop.df16
  // CHECK-NEXT: spyreop.layernormscale_fused %[[PZ]] {eps = 0.000000e+00 : f32} : !spyreop.fp32_fused -> f32
  %11 = spyreop.layernormscale_fused %5 {eps = 0.0 : f32} : !spyreop.fp32_fused -> f32
  // CHECK-NEXT: spyreop.layernormnorm %[[X]] squares %[[Q]] scale %[[S]] weight %[[M]] bias %[[X]] : f16
  %12 = spyreop.layernormnorm %x squares %0#1 scale %6 weight %0#0 bias %x : f16
  // CHECK-NEXT: spyreop.layernormnorm %[[Y]] squares %[[Y]] scale %[[Y]] weight %[[Y]] bias %[[Y]] : !spyreop.df16
  %13 = spyreop.layernormnorm %y squares %y scale %y weight %y bias %y : !spyreop.df16
  // CHECK-NEXT: spyreop.layernormnorm %[[Z]] squares %[[Z]] scale %[[Z]] weight %[[Z]] bias %[[Z]] {note} : f32
  %14 = spyreop.layernormnorm %z squares %z scale %z weight %z bias %z {note} : f32
  return
}

// CHECK-LABEL: func.func @generic_normalisation
// CHECK-SAME:  (%[[X:.+]]: f16)
func.func @generic_normalisation(%x: f16) {
  // CHECK-NEXT: %[[M:.+]], %[[Q:.+]] = spyreop.exx2 %[[X]] : f16
  // GENERIC: "spyreop.exx2"(%{{.+}}) : (f16) -> (f16, f16)
  %0:2 = "spyreop.exx2"(%x) : (f16) -> (f16, f16)
  // CHECK-NEXT: %[[P:.+]] = spyreop.exx2_fused %[[X]] : f16 -> !spyreop.fp16_fused
  // GENERIC: "spyreop.exx2_fused"(%{{.+}}) : (f16) -> !spyreop.fp16_fused
  %1 = "spyreop.exx2_fused"(%x) : (f16) -> !spyreop.fp16_fused
  // CHECK-NEXT: %[[S:.+]] = spyreop.layernormscale %[[M]] squares %[[Q]] {eps = 1.000000e-03 : f32} : f16
  // GENERIC: "spyreop.layernormscale"(%{{.+}}, %{{.+}}) {eps = 1.000000e-03 : f32} : (f16, f16) -> f16
  %2 = "spyreop.layernormscale"(%0#0, %0#1) {eps = 1.0e-3 : f32} : (f16, f16) -> f16
  // CHECK-NEXT: spyreop.layernormscale_fused %[[P]] : !spyreop.fp16_fused -> f16
  %3 = "spyreop.layernormscale_fused"(%1) : (!spyreop.fp16_fused) -> f16
  // CHECK-NEXT: spyreop.layernormnorm %[[X]] squares %[[Q]] scale %[[S]] weight %[[X]] bias %[[M]] : f16
  // GENERIC: "spyreop.layernormnorm"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (f16, f16, f16, f16, f16) -> f16
  %4 = "spyreop.layernormnorm"(%x, %0#1, %2, %x, %0#0) : (f16, f16, f16, f16, f16) -> f16
  return
}

// CHECK-LABEL: func.func @slices
// CHECK-SAME:  (%[[X:.+]]: tensor<64xf16>, %[[Y:.+]]: tensor<?x64x!spyreop.df16>)
func.func @slices(%x: tensor<64xf16>, %y: tensor<?x64x!spyreop.df16>) {
  // CHECK-NEXT: spyreop.slice_reduction %[[X]] {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  %0 = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  // In either order.
  // CHECK-NEXT: spyreop.slice_reduction %[[X]] {reduction_kind = #spyreop.reduction_kind<abs_max>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
  %1 = spyreop.slice_reduction %x {reduction_scope = #spyreop.reduction_scope<across_slice>, reduction_kind = #spyreop.reduction_kind<abs_max>} : tensor<64xf16> -> tensor<64xf16>
  // CHECK-NEXT: spyreop.slice_reduction %[[Y]] {note, reduction_kind = #spyreop.reduction_kind<sub>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<?x64x!spyreop.df16> -> tensor<?x64x!spyreop.df16>
  %2 = spyreop.slice_reduction %y {note, reduction_kind = #spyreop.reduction_kind<sub>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<?x64x!spyreop.df16> -> tensor<?x64x!spyreop.df16>
  // CHECK-NEXT: spyreop.slice_reduction %[[X]] {reduction_kind = #spyreop.reduction_kind<min>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  // GENERIC: "spyreop.slice_reduction"(%{{.+}}) <{reduction_kind = #spyreop.reduction_kind<min>, reduction_scope = #spyreop.reduction_scope<in_slice>}> : (tensor<64xf16>) -> tensor<64xf16>
  %3 = "spyreop.slice_reduction"(%x) <{reduction_kind = #spyreop.reduction_kind<min>, reduction_scope = #spyreop.reduction_scope<in_slice>}> : (tensor<64xf16>) -> tensor<64xf16>
  return
}
