// KL-5: the dialects of KTIR and no other, in strict mode only.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics -ktir-check-legality="strict=true"
// RUN: ktir-opt %s -split-input-file -ktir-check-legality

func.func @foreign(%i: index) attributes {grid = [1]} {
  // expected-error@+1 {{is not part of KTIR, which takes operations of ktdp, arith, func, linalg, math, memref, scf, tensor and spyreop (KL-5)}}
  %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  return
}

// -----

func.func @outside(%a: f16) attributes {grid = [1]} {
  // expected-error@+1 {{expected to stand in the body of a 'linalg.generic' (KL-5)}}
  %b = spyreop.exp %a : f16
  return
}

// -----

#m = affine_map<(d0) -> (d0)>
func.func @inside(%x: tensor<64xf16>, %e: tensor<64xf16>) attributes {grid = [1]} {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]}
       ins(%x : tensor<64xf16>) outs(%e : tensor<64xf16>) {
  ^bb0(%a: f16, %o: f16):
    %s = spyreop.exp %a : f16
    linalg.yield %s : f16
  } -> tensor<64xf16>
  return
}

// -----

// Canonicalization moves constants out of the bodies that use them.
#m = affine_map<(d0) -> (d0)>
func.func @hoisted(%x: tensor<7xf16>, %e: tensor<7xf16>) attributes {grid = [1]} {
  %c = spyreop.constant 1.5 : f16
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]}
       ins(%x : tensor<7xf16>) outs(%e : tensor<7xf16>) {
  ^bb0(%a: f16, %o: f16):
    %s = spyreop.realdiv %a, %c : f16
    linalg.yield %s : f16
  } -> tensor<7xf16>
  return
}

// -----

func.func @constant_outside(%e: tensor<7xf16>) attributes {grid = [1]} {
  // expected-error@+1 {{expected to stand in the body of a 'linalg.generic' (KL-5)}}
  %c = spyreop.constant 1.5 : f16
  %y = linalg.fill ins(%c : f16) outs(%e : tensor<7xf16>) -> tensor<7xf16>
  return
}
