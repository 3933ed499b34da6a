// Rules that span operations, by their ids.
// RUN: ktir-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics -ktir-check-legality="max-tiles=32"

// MF-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{expected a kernel without results, for it has a grid (MF-1)}}
func.func @mf_1(%i: index) -> index attributes {grid = [8]} {
  return %i : index
}

// -----

// MF-1 blocks
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{expected a kernel body of one block, for it has a grid (MF-1)}}
func.func @mf_1_blocks(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  "ktir_test.jump"()[^bb1] : () -> ()
^bb1:
  return
}

// -----

// MF-2 haveatleasto
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{Grid must have at least one dimension}}
func.func @mf_2_haveatleasto(%x: tensor<4x64xf16>) attributes {grid = []} {
  return
}

// -----

// MF-2 mustbeinteger
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{Grid size must be integer attribute}}
func.func @mf_2_mustbeinteger(%x: tensor<4x64xf16>) attributes {grid = [1.0]} {
  return
}

// -----

// MF-2 mustbepositiv
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{Grid size must be positive (got 0)}}
func.func @mf_2_mustbepositiv(%x: tensor<4x64xf16>) attributes {grid = [4, 0]} {
  return
}

// -----

// MF-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{expected a grid of at most 32 tiles, the cores of the device, but got 4 x 9 (MF-4)}}
func.func @mf_4(%x: tensor<4x64xf16>) attributes {grid = [4, 9]} {
  return
}

// -----

// MF-4 large: a product that no integer holds
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-error@+1 {{expected a grid of at most 32 tiles}}
func.func @mf_4_large(%x: tensor<4x64xf16>) attributes {grid = [4294967296, 4294967296]} {
  return
}

// -----

// ID-3
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
// expected-note@+1 {{the grid is that of this kernel}}
func.func @id_3(%x: tensor<4x64xf16>) attributes {grid = [4, 2]} {
  // expected-error@+1 {{get_compute_tile_id result count (1) does not match grid rank (2)}}
  %t = ktdp.get_compute_tile_id : index
  return
}

// -----

// R2
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r2(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-error@+1 {{future result must have exactly one use}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// R2 twice
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r2_twice(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-error@+1 {{future result must have exactly one use}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-note@+1 {{used here}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  // expected-note@+1 {{used here}}
  %z = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R3
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r3(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{producer_dependency_per_consumer for consumer 3 group 0 references producer tile 4 which is not in producer_tiles_per_group}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = affine_set<(p)[c] : (p - c - 1 == 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r4(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{producer_dependency_per_consumer for group 0 does not cover producer tile 1 (no consumer has it as a dependency)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = affine_set<(p)[c] : (p == 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R4 nobody: a producer that no tile hears
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r4_nobody(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{producer_dependency_per_consumer for group 0 does not cover producer tile 5 (no consumer has it as a dependency)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i - 1 >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R8
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r8(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{producer_tiles_per_group for group 0 has 4 producers, so producer_dependency_per_consumer is required to name each consumer tile's single source}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R8 dependency
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r8_dependency(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{consumer tile 0 in group 0 depends on 4 producers; inter_tile_consume delivers one contribution per consumer tile, so exactly one is required}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p)[c] : (p >= 0, -p + 3 >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R10
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r10(%x: tensor<4x64xf16>, %t: !ktdp.access_tile<4x64xindex>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{expected a combiner without side effects (R10)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    // expected-note@+1 {{this operation has some}}
    ktdp.store %l, %t : tensor<4x64xf16>, <4x64xindex>
    ktdp.yield_reduced %l : tensor<4x64xf16>
  }
  return
}

// -----

// R13
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r13(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{consumer_tiles_per_group for group 0 is not a subset of producer_tiles_per_group (a consumer tile that did not produce is unsupported; see open question Q1)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    %a = arith.addf %l, %r : tensor<4x64xf16>
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }
  return
}

// -----

// R14
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r14(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{consumer_tiles_per_group for group 0 is a strict subset of producer_tiles_per_group with more than one tile (reduce-to-subset is unsupported; only all-reduce and reduce-to-one are supported)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    %a = arith.addf %l, %r : tensor<4x64xf16>
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }
  return
}

// -----

// R14 legal: an all-reduce, and a reduction to one tile
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r14_legal(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<4x64xf16>), groups = #four> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #pairs, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #four> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    %a = arith.addf %l, %r : tensor<4x64xf16>
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }
  %f1 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%h: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %z = ktdp.inter_tile_reduce(%f1) consumer_tiles_per_group = affine_set<(i)[g] : (i - 2 == 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    %a = arith.addf %l, %r : tensor<4x64xf16>
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }
  return
}

// -----

// KL-7
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @kl_7(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<4x64xf16>), groups = #four> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{expected each tile to consume for one group, but tile 0 does for groups 0 and 1 (KL-7)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i == 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #four> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    %a = arith.addf %l, %r : tensor<4x64xf16>
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }
  return
}

// -----

// KL-8
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @kl_8(%x: tensor<4x64xf16>, %t: !ktdp.access_tile<4x64xindex>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    // expected-warning@+1 {{expected no stores in a producer region, which names the data to publish (KL-8)}}
    ktdp.store %x, %t : tensor<4x64xf16>, <4x64xindex>
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R5
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r5(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-warning@+1 {{consumers 0 and 1 of group 0 both depend on producer tile 0; whether that is allowed is contested (R5)}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0], producer_dependency_per_consumer = affine_set<(p)[c] : (p >= 0, -p + 3 >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>
  return
}

// -----

// R6
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r6(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{expected consumers to depend on equally many producers, but consumer 1 of group 0 depends on 2 and another one on 1 (R6)}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #p4, gather_dimensions = [0], producer_dependency_per_consumer = affine_set<(p)[c] : (p >= 0, -p + c >= 0, -p + 3 >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>
  return
}

// -----

// R7
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r7(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 5 * g + 1 >= 0)> -> <(tensor<4x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{expected groups of equally many producers, but group 0 has 2 and group 1 has 3 (R7)}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - g == 0)>, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<8x64xf16>
  return
}

// -----

// R8 scatter
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r8_scatter(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{expected one producer per group to scatter from, but group 0 has 4 (R8)}}
  %y = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #p4, scatter_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16>
  return
}

// -----

// R9: four shares for eight consumers
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r9(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{result #0 does not split 'tensor<4x64xf16>' among the 8 consumers of group 0 (R9)}}
  %y = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16>
  return
}

// -----

// R9 reduce_scatter
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r9_reduce_scatter(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{result #0 does not split 'tensor<4x64xf16>' among the 4 consumers of group 0 (R9)}}
  %y = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #p4, scatter_dimensions = [0], identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<2x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %l : tensor<4x64xf16>
  }
  return
}

// -----

// R12
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{result #0 does not join the values of 4 producers in group 0 (R12)}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<8x64xf16>
  return
}

// -----

// R12 two axes: four pieces of two by two
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12_two_axes(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0, 1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<8x128xf16>
  return
}

// -----

// R9 R12 same axis: one axis in both lists
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r9_r12_same_axis(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [0], concat_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// R12 all_to_all
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12_all_to_all(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{result #0 does not join the values of 4 producers in group 0 (R12)}}
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [0], concat_dimensions = [1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x128xf16>
  return
}

// -----

// KL-9
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @kl_9(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  // expected-note@+1 {{values are produced here}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // expected-error@+1 {{result #0 can be split and joined in several ways that its type does not tell apart (KL-9)}}
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [0, 1], concat_dimensions = [0, 1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// unbounded: sets without constant bounds are left to the run
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @unbounded(%x: tensor<4x64xf16>) attributes {grid = [8]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i >= 0)> -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// KL-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_1(%p: index) attributes {grid = [8]} {
  // expected-warning@+1 {{expected size 4 in dimension 0, as 'memref<4xf16>' has, but got 8 (KL-1)}}
  %v = ktdp.construct_memory_view %p, sizes: [8], strides: [1] {coordinate_set = #s1, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  return
}

// -----

// KL-1 dynamic
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_1_dynamic(%p: index) attributes {grid = [8]} {
  // expected-warning@+1 {{expected an SSA value for the size of dimension 0, which is '?' in 'memref<?xf16>', but got 4 (KL-1)}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {coordinate_set = #s1, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
  return
}

// -----

// KL-2
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_2(%p: index) attributes {grid = [8]} {
  // expected-warning@+1 {{expected a coordinate_set of 1 dimensions, as the view has, but got 2 (KL-2)}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {coordinate_set = #s2, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  return
}

// -----

// KL-2 symbols
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_2_symbols(%p: index, %n: index) attributes {grid = [8]} {
  // expected-warning@+1 {{expected a coordinate_set of 1 symbols, one for each SSA size, but got 0 (KL-2)}}
  %v = ktdp.construct_memory_view %p, sizes: [%n], strides: [1] {coordinate_set = #s1, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
  return
}

// -----

// KL-3
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_3(%p: index) attributes {grid = [8]} {
  // expected-warning@+1 {{expected the memory space #ktdp.memory_space<global> in the memref type, but got #ktdp.memory_space<ct_local> (KL-3)}}
  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {coordinate_set = #s1, memory_space = #ktdp.memory_space<global>} : memref<4xf16, #ktdp.memory_space<ct_local>>
  return
}

// -----

// KL-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_4(%p: index) attributes {grid = [8]} {
  %a = ktdp.construct_memory_view %p, sizes: [2], strides: [1] {coordinate_set = #lo, memory_space = #ktdp.memory_space<global>} : memref<2xf16>
  %b = ktdp.construct_memory_view %p, sizes: [2], strides: [1] {coordinate_set = #hi, memory_space = #ktdp.memory_space<global>} : memref<2xf16>
  // expected-error@+1 {{declared shape axis 0 has extent 5, but its partitions end at 4 (KL-4)}}
  %d = ktdp.construct_distributed_memory_view (%a, %b : memref<2xf16>, memref<2xf16>) : memref<5xf16>
  return
}

// -----

// KL-4 legal
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
#s1 = affine_set<(a) : (a >= 0, -a + 3 >= 0)>
#s2 = affine_set<(a, b) : (a >= 0, -a + 3 >= 0, b == 0)>
#lo = affine_set<(a) : (a >= 0, -a + 1 >= 0)>
#hi = affine_set<(a) : (a - 2 >= 0, -a + 3 >= 0)>
func.func @kl_4_legal(%p: index) attributes {grid = [8]} {
  %a = ktdp.construct_memory_view %p, sizes: [2], strides: [1] {coordinate_set = #lo, memory_space = #ktdp.memory_space<global>} : memref<2xf16>
  %b = ktdp.construct_memory_view %p, sizes: [2], strides: [1] {coordinate_set = #hi, memory_space = #ktdp.memory_space<global>} : memref<2xf16>
  %d = ktdp.construct_distributed_memory_view (%a, %b : memref<2xf16>, memref<2xf16>) : memref<4xf16>
  return
}

// -----

// MF-1: a module holds a kernel.
// expected-error@+1 {{expected at least one kernel: a 'func.func' with a body (MF-1)}}
module {
  func.func private @declared()
}
