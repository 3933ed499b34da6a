// Each rule of runtime arguments and futures once, by its id.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// RA-T1
// expected-error@+1 {{runtime_arg underlying type must be a builtin type (index, integer, or float), but got: 'tensor<4xf16>'}}
func.func private @rat1(!ktdp.runtime_arg<tensor<4xf16>>)

// -----

// RA-T2
// expected-error@+1 {{runtime_arg granularity must be positive, but got: 0}}
func.func private @rat2(!ktdp.runtime_arg<index, granularity=0>)

// -----

// RA-T3
// expected-error@+1 {{runtime_arg upperbound must be positive, but got: -5}}
func.func private @rat3(!ktdp.runtime_arg<index, upperbound=-5>)

// -----

// RA-T4
// expected-error@+1 {{duplicate 'granularity' keyword}}
func.func private @rat4(!ktdp.runtime_arg<index, granularity=4, granularity=8>)

// -----

// RA-T4
// expected-error@+1 {{duplicate 'upperbound' keyword}}
func.func private @rat4_bound(!ktdp.runtime_arg<index, upperbound=4, granularity=8, upperbound=4>)

// -----

// RA-T4
// expected-error@+1 {{expected 'granularity' or 'upperbound' keyword}}
func.func private @rat4_key(!ktdp.runtime_arg<index, lowerbound=4>)

// -----

// RX-1
func.func @rx1(%a: !ktdp.runtime_arg<i32>) {
  // expected-error@+1 {{result type ('index') must match runtime_arg underlying type ('i32') when extracting value}}
  %v = ktdp.runtime_arg_extract value from %a : <i32> -> index
  return
}

// -----

// RX-2
func.func @rx2(%a: !ktdp.runtime_arg<i32, upperbound=4>) {
  // expected-error@+1 {{cannot extract granularity from runtime_arg that doesn't have one}}
  %v = ktdp.runtime_arg_extract granularity from %a : <i32, upperbound=4> -> index
  return
}

// -----

// RX-3
func.func @rx3(%a: !ktdp.runtime_arg<i32, granularity=4>) {
  // expected-error@+1 {{cannot extract upperbound from runtime_arg that doesn't have one}}
  %v = ktdp.runtime_arg_extract upperbound from %a : <i32, granularity=4> -> index
  return
}

// -----

// RX-4
func.func @rx4(%a: !ktdp.runtime_arg<i32, granularity=4>) {
  // expected-error@+1 {{result type must be index when extracting granularity, but got 'i32'}}
  %v = ktdp.runtime_arg_extract granularity from %a : <i32, granularity=4> -> i32
  return
}

// -----

// RX-4
func.func @rx4_bound(%a: !ktdp.runtime_arg<i32, upperbound=4>) {
  // expected-error@+1 {{result type must be index when extracting upperbound, but got 'i64'}}
  %v = ktdp.runtime_arg_extract upperbound from %a : <i32, upperbound=4> -> i64
  return
}

// -----

// TF-T1
// expected-error@+2 {{invalid kind of type specified: expected builtin.tensor, but found 'f16'}}
// expected-error@+1 {{failed to parse KTDP_TileFutureType parameter 'partialTypes'}}
func.func private @tft1(!ktdp.tile_future<(f16), groups = affine_set<(g) : (g == 0)>>)

// -----

// TF-T2
// expected-error@+2 {{expected non-function type}}
// expected-error@+1 {{failed to parse KTDP_TileFutureType parameter 'partialTypes'}}
func.func private @tft2(!ktdp.tile_future<(), groups = affine_set<(g) : (g == 0)>>)

// -----

// TF-T3, and with it PR-3, which a production could state again.
// expected-error@+1 {{tile_future `groups` must have exactly one dimension (g)}}
func.func private @tft3(!ktdp.tile_future<(tensor<4xf16>), groups = affine_set<(g, h) : (g == 0, h == 0)>>)

// -----

// TF-T4, and with it PR-2, which a production could state again.
// expected-error@+1 {{tile_future `groups` must have no symbols}}
func.func private @tft4(!ktdp.tile_future<(tensor<4xf16>), groups = affine_set<(g)[n] : (g - n == 0)>>)

// -----

// AT-T2: text with a negative extent is no dimension list.
// expected-error@+1 {{expected non-function type}}
func.func private @att2(!ktdp.access_tile<-4xindex>)
