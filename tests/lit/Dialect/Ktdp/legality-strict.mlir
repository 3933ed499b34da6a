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
