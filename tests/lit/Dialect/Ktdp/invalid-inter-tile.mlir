// Each rule of production and delivery that a verifier checks, by its id.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// PR-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_1(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{producer region must take a single `index` group-id argument}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// PR-1 type
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_1_type(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{producer region must take a single `index` group-id argument}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: i32):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// PR-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_4(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_tiles_per_group` must have exactly one symbol (the group index g)}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i) : (i >= 0)> -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// PR-4 dimension
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_4_dimension(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_tiles_per_group` must have exactly one dimension (the tile id i)}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i, j)[g] : (i >= 0, j >= 0)> -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// PR-5, R1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_5_r1(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{producer_tiles_per_group for groups 0 and 1 are not disjoint}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - g >= 0, -i + g + 1 >= 0)> -> <(tensor<4x64xf16>), groups = #four> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// PR-6
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_6(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{yield_partial yields 0 values but the future carries 1 partial type(s)}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial
  }
  return
}

// -----

// PR-7
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pr_7(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{yield_partial operand #0 type 'tensor<4x64xf16>' does not match future partial type 'tensor<4x64xf32>'}}
  %p = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf32>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  return
}

// -----

// yield_partial of section 4.13
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @yield_partial(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expects parent op 'ktdp.inter_tile_produce'}}
  ktdp.yield_partial %x : tensor<4x64xf16>
}

// -----

// yield_reduced of section 4.13
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @yield_reduced_of_section_4_13(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expects parent op 'ktdp.inter_tile_reduce'}}
  ktdp.yield_reduced %x : tensor<4x64xf16>
}

// -----

// CO-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @co_1(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{failed to verify that result types must match future partial types}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf32>
  return
}

// -----

// CO-2
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @co_2(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`consumer_tiles_per_group` must have exactly one symbol (the group index g)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i) : (i >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// CO-3
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @co_3(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`consumer_tiles_per_group` must have exactly one dimension (the tile id i)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i, j)[g] : (i >= 0, j >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// CO-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @co_4(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_dependency_per_consumer` must have one symbol (c) or two symbols (c, g)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p) : (p >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// CO-5
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @co_5(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_dependency_per_consumer` must have exactly one dimension (the producer tile id p)}}
  %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p, q)[c] : (p >= 0, q >= 0)> : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>
  return
}

// -----

// RE-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_1(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{failed to verify that result types must match future partial types}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf32> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE-2, R11
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_2_r11(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{failed to verify that identity types must match result types}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity() : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE-3
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_3(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{reducer region must take 2*N arguments, got 1}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_4(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{reducer region argument pair #0 must both have partial type 'tensor<4x64xf16>'}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE-5
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_5(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`consumer_tiles_per_group` must have exactly one symbol (the group index g)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i) : (i >= 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE-6
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_6(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{yield_reduced yields 0 values but expected 1}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced
  }
  return
}

// -----

// RE-7
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_7(%x: tensor<4x64xf16>, %n: tensor<64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{yield_reduced operand #0 type 'tensor<64xf16>' must match partial type 'tensor<4x64xf16>'}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %n : tensor<64xf16>
  }
  return
}

// -----

// RE and CO-3, which the document recommends for reductions
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_and_co_3(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`consumer_tiles_per_group` must have exactly one dimension (the tile id i)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i, j)[g] : (i >= 0, j >= 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE and CO-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_and_co_4(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_dependency_per_consumer` must have one symbol (c) or two symbols (c, g)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = affine_set<(p) : (p >= 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// RE and CO-5
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @re_and_co_5(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{`producer_dependency_per_consumer` must have exactly one dimension (the producer tile id p)}}
  %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = affine_set<(p, q)[c] : (p >= 0, q >= 0)>, identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %x : tensor<4x64xf16>
  }
  return
}

// -----

// PL-1
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_1(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected at least one dimension in `gather_dimensions`}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>
  return
}

// -----

// PL-1 order
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_1_order(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected ascending dimensions in `gather_dimensions`, but got 0 after 1}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [1, 0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>
  return
}

// -----

// PL-1 rank
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_1_rank(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected dimensions from 0 to 1 in `gather_dimensions`, but got 2}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0, 2] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>
  return
}

// -----

// PL-2
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_2(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has rank 1, but its partial has rank 2}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<64xf16>
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
func.func @r12(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has extent 6 in dimension 0, which is no multiple of the 4 of its partial (R12)}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<6x64xf16>
  return
}

// -----

// R12 other axes
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12_other_axes(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has extent 128 in dimension 1, which must stay at the 64 of its partial}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x128xf16>
  return
}

// -----

// R12 element type
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12_element_type(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has element type 'f32', but its partial has 'f16'}}
  %y = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf32>
  return
}

// -----

// R12 roles
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r12_roles(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected 1 results, one for each partial type of the future, but got 2}}
  %y:2 = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<16x64xf16>, tensor<16x64xf16>
  return
}

// -----

// R9
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r9(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has extent 3 in dimension 0, which does not divide the 4 of its partial (R9)}}
  %y = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<3x64xf16>
  return
}

// -----

// PL-3: a scatter names no dependencies
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_3(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected ':'}}
  %y = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0], producer_dependency_per_consumer = #all : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16>
  return
}

// -----

// PL-4
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_4(%n: tensor<1x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{failed to verify that identity types must match partial types}}
  %y = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #p4, scatter_dimensions = [0], identity(%n : tensor<1x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16> {
  ^bb0(%l: tensor<4x64xf16>, %r: tensor<4x64xf16>):
    ktdp.yield_reduced %l : tensor<4x64xf16>
  }
  return
}

// -----

// PL-5: each role is checked
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_5(%f: !ktdp.tile_future<(tensor<8xf16>, tensor<4xf32>), groups = #g0>) {
  // expected-error@+1 {{result #1 has extent 8 in dimension 0, which does not divide the 4 of its partial (R9)}}
  %y:2 = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0] : <(tensor<8xf16>, tensor<4xf32>), groups = #g0> -> tensor<8xf16>, tensor<8xf32>
  return
}

// -----

// PL-1 split
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_1_split(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected at least one dimension in `split_dimensions`}}
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [], concat_dimensions = [1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x256xf16>
  return
}

// -----

// PL-1 concat
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @pl_1_concat(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{expected dimensions from 0 to 1 in `concat_dimensions`, but got -1}}
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [0], concat_dimensions = [-1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x256xf16>
  return
}

// -----

// R9 of all_to_all
#four = affine_set<(g) : (g >= 0, -g + 3 >= 0)>
#g0 = affine_set<(g) : (g == 0)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 5 == 0)>
func.func @r9_of_all_to_all(%x: tensor<4x64xf16>, %f: !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0>) {
  // expected-error@+1 {{result #0 has extent 3 in dimension 0, which does not divide the 4 of its partial (R9)}}
  %y = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #p4, split_dimensions = [0], concat_dimensions = [1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<3x256xf16>
  return
}
