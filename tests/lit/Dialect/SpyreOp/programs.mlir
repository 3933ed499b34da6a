// Intrinsics where programs have them, in the bodies of linalg operations: all
// is read, verified, and printed alike when it is read again.
// RUN: ktir-opt %s | FileCheck %s
// RUN: ktir-opt %s -o %t.once
// RUN: ktir-opt %t.once | diff %t.once -
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | diff %t.once -

#id = affine_map<(i) -> (i)>
#elements = affine_map<(r, c) -> (r, c)>
#rows = affine_map<(r, c) -> (r, 0)>

// An activation, element by element.
// CHECK-LABEL: func.func @activation
func.func @activation(%x: tensor<64xf16>) -> tensor<64xf16> {
  %empty = tensor.empty() : tensor<64xf16>
  // CHECK: ^bb0(%[[IN:.+]]: f16, %{{.+}}: f16):
  // CHECK-NEXT: %[[S:.+]] = spyreop.silu %[[IN]] : f16
  // CHECK-NEXT: linalg.yield %[[S]] : f16
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf16>) outs(%empty : tensor<64xf16>) {
  ^bb0(%in: f16, %out: f16):
    %s = spyreop.silu %in : f16
    linalg.yield %s : f16
  } -> tensor<64xf16>
  return %y : tensor<64xf16>
}

// A clipped exponential in the device's own format.
// CHECK-LABEL: func.func @clip
func.func @clip(%x: tensor<128x!spyreop.df16>, %limit: !spyreop.df16) -> tensor<128x!spyreop.df16> {
  // CHECK: tensor.empty() : tensor<128x!spyreop.df16>
  %empty = tensor.empty() : tensor<128x!spyreop.df16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<128x!spyreop.df16>) outs(%empty : tensor<128x!spyreop.df16>) {
  ^bb0(%in: !spyreop.df16, %out: !spyreop.df16):
    %e = spyreop.exp %in : !spyreop.df16
    // CHECK: spyreop.compare <lesserthan> %{{.+}}, %{{.+}} : !spyreop.df16
    %c = spyreop.compare <lesserthan> %e, %limit : !spyreop.df16
    %s = spyreop.select %c, %e, %limit : !spyreop.df16
    linalg.yield %s : !spyreop.df16
  } -> tensor<128x!spyreop.df16>
  return %y : tensor<128x!spyreop.df16>
}

// Layer normalisation of rows: the reduced dimension keeps its place.
// CHECK-LABEL: func.func @layernorm
func.func @layernorm(%x: tensor<4x64xf16>, %w: tensor<4x64xf16>, %b: tensor<4x64xf16>) -> tensor<4x64xf16> {
  %column = tensor.empty() : tensor<4x1xf16>
  %full = tensor.empty() : tensor<4x64xf16>
  // CHECK: %[[MEAN:.+]], %[[SQUARES:.+]] = spyreop.exx2 %{{.+}} : f16
  // CHECK-NEXT: linalg.yield %[[MEAN]], %[[SQUARES]] : f16, f16
  %moments:2 = linalg.generic {indexing_maps = [#elements, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf16>) outs(%column, %column : tensor<4x1xf16>, tensor<4x1xf16>) {
  ^bb0(%in: f16, %m: f16, %q: f16):
    %mean, %squares = spyreop.exx2 %in : f16
    linalg.yield %mean, %squares : f16, f16
  } -> (tensor<4x1xf16>, tensor<4x1xf16>)
  // CHECK: spyreop.layernormscale
  // CHECK: spyreop.layernormnorm
  %y = linalg.generic {indexing_maps = [#elements, #rows, #rows, #elements, #elements, #elements], iterator_types = ["parallel", "parallel"]}
      ins(%x, %moments#0, %moments#1, %w, %b : tensor<4x64xf16>, tensor<4x1xf16>, tensor<4x1xf16>, tensor<4x64xf16>, tensor<4x64xf16>) outs(%full : tensor<4x64xf16>) {
  ^bb0(%in: f16, %m: f16, %q: f16, %weight: f16, %bias: f16, %out: f16):
    %s = spyreop.layernormscale %m squares %q {eps = 1.0e-6 : f32} : f16
    %n = spyreop.layernormnorm %in squares %q scale %s weight %weight bias %bias : f16
    linalg.yield %n : f16
  } -> tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}

// The same moments as one value: pairs are elements of tensors.
// CHECK-LABEL: func.func @fused
func.func @fused(%x: tensor<4x64xf32>) -> tensor<4x1xf32> {
  %pairs = tensor.empty() : tensor<4x1x!spyreop.fp32_fused>
  %column = tensor.empty() : tensor<4x1xf32>
  // CHECK: spyreop.exx2_fused %{{.+}} : f32 -> !spyreop.fp32_fused
  %moments = linalg.generic {indexing_maps = [#elements, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf32>) outs(%pairs : tensor<4x1x!spyreop.fp32_fused>) {
  ^bb0(%in: f32, %out: !spyreop.fp32_fused):
    %p = spyreop.exx2_fused %in : f32 -> !spyreop.fp32_fused
    linalg.yield %p : !spyreop.fp32_fused
  } -> tensor<4x1x!spyreop.fp32_fused>
  // CHECK: spyreop.layernormscale_fused %{{.+}} : !spyreop.fp32_fused -> f32
  %y = linalg.generic {indexing_maps = [#elements, #elements], iterator_types = ["parallel", "parallel"]} ins(%moments : tensor<4x1x!spyreop.fp32_fused>) outs(%column : tensor<4x1xf32>) {
  ^bb0(%in: !spyreop.fp32_fused, %out: f32):
    %s = spyreop.layernormscale_fused %in : !spyreop.fp32_fused -> f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// Addresses of the rows that an index tensor names.
// CHECK-LABEL: func.func @addresses
func.func @addresses(%i: tensor<32xi32>, %base: i32, %stride: i32) -> tensor<32xi32> {
  %empty = tensor.empty() : tensor<32xi32>
  // CHECK: spyreop.idx32toaddr %{{.+}} base %{{.+}} stride %{{.+}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<32xi32>) outs(%empty : tensor<32xi32>) {
  ^bb0(%in: i32, %out: i32):
    %p = spyreop.idx32toaddr %in base %base stride %stride
    linalg.yield %p : i32
  } -> tensor<32xi32>
  return %y : tensor<32xi32>
}
