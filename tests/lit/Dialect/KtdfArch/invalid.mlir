// One violation of each rule of machine descriptions.
// RUN: ktir-opt %s -split-input-file -verify-diagnostics

// A-1
// expected-error @+1 {{empty device requires 'import_path' attribute}}
ktdf_arch.device @d

// -----

// A-1
// expected-error @+1 {{non-empty device can't have 'import_path' attribute}}
ktdf_arch.device @d import("x.mlir") {
}

// -----

// A-2
// expected-error @+1 {{expects child ops to be resources}}
ktdf_arch.device @d {
  // expected-note @+1 {{found 'arith.constant' here}}
  %c = arith.constant 0 : i32
}

// -----

// A-2
ktdf_arch.device @d {
  // expected-error @+1 {{expects child ops to be resources}}
  group share() {
    // expected-note @+1 {{found 'arith.constant' here}}
    %c = arith.constant 0 : i32
  }
}

// -----

// A-2
ktdf_arch.device @d {
  group share() {
    // expected-error @+1 {{expects parent op 'ktdf_arch.device'}}
    patterns {
    }
  }
}

// -----

// A-2
// expected-error @+1 {{expects parent op to be one of 'ktdf_arch.device, ktdf_arch.group'}}
%m = ktdf_arch.memory {kind = "A"}

// -----

// A-3
ktdf_arch.device @d {
  // expected-note @+1 {{previously defined here}}
  %m = memory @a {kind = "A"}
  group share() {
    // expected-error @+1 {{resource with id "a" redefined}}
    %u = exec_unit @a
  }
}

// -----

// The two ways to write an id agree.
ktdf_arch.device @d {
  // expected-error @+1 {{expected the id "a" that precedes the dictionary, got "b"}}
  %m = memory @a {id = "b", kind = "A"}
}

// -----

// A-4
ktdf_arch.device @d {
  // expected-error @+1 {{attribute 'kind' requires valid memory space}}
  %m = memory
}

// -----

// A-4
ktdf_arch.device @d {
  // expected-error @+1 {{attribute 'kind' requires valid memory space}}
  %m = memory {kind = [1, 2]}
}

// -----

// A-5
ktdf_arch.device @d {
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 1}}
  %m = memory {kind = "A", size = 0}
}

// -----

// A-5
ktdf_arch.device @d {
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint}}
  %m = memory {kind = "A", size = "big"}
}

// -----

#list = [1]
ktdf_arch.device @d {
  // expected-error @+1 {{expected a dictionary attribute, got [1]}}
  %m = memory #list
}

// -----

// A-6
ktdf_arch.device @d {
  // expected-error @+1 {{expected connectivity shape {2, 2}, but got {3, 3}}}
  %p:2 = switch[2] {connectivity = dense<true> : tensor<3x3xi1>}
}

// -----

// A-6
ktdf_arch.device @d {
  // expected-error @+1 {{attribute 'connectivity' failed to satisfy constraint: directed sparse or dense adjacency matrix}}
  %p:2 = switch[2] {connectivity = dense<1> : tensor<2x2xi8>}
}

// -----

ktdf_arch.device @d {
  // expected-error @+1 {{expected a number of ports from 0 to 1024, got 1000000000}}
  %p:2 = switch[1000000000]
}

// -----

// A-7
ktdf_arch.device @d {
  %u = exec_unit
  // expected-error @+1 {{can't link resource to itself}}
  datapath %u to %u : exec_unit, exec_unit
}

// -----

// A-8
ktdf_arch.device @d {
  %m = memory {kind = "A"}
  group share() {
    %u = exec_unit
    // expected-error @+1 {{use of undeclared SSA value name}}
    datapath %m to %u : memory, exec_unit
  }
}

// -----

// A-8
ktdf_arch.device @d {
  // expected-error @+1 {{has 1 results, but its 'ktdf_arch.yield' has 0 operands}}
  %x = group share() {
    // expected-note @+1 {{'ktdf_arch.yield' is here}}
    yield
  } -> exec_unit
}

// -----

// A-8
ktdf_arch.device @d {
  // expected-error @+1 {{has 0 results, but its 'ktdf_arch.yield' has 1 operands}}
  group share() {
    %u = exec_unit
    // expected-note @+1 {{'ktdf_arch.yield' is here}}
    yield %u
  }
}

// -----

// A-8: a memory is never yielded.
ktdf_arch.device @d {
  %x = group share() {
    // expected-note @+1 {{prior use here}}
    %m = memory {kind = "A"}
    // expected-error @+1 {{use of value '%m' expects different type than prior uses: '!ktdf_arch.exec_unit' vs '!ktdf_arch.memory'}}
    yield %m
  } -> exec_unit
}

// -----

// A-8: only memories are shared.
ktdf_arch.device @d {
  // expected-note @+1 {{prior use here}}
  %u = exec_unit
  // expected-error @+1 {{use of value '%u' expects different type than prior uses: '!ktdf_arch.memory' vs '!ktdf_arch.exec_unit'}}
  group share(%u) {
  }
}

// -----

// A-9
ktdf_arch.device @d {
  patterns {
    // expected-error @+1 {{'ktdf_arch.patterns' op expects child ops to be 'pdl.pattern'}}
    %m = memory {kind = "A"}
  }
}

// -----

// A-12
// expected-error @+1 {{multiple entries for key "a"}}
#map = #ktdf_arch.map<"a" = 1, "b" = 2, "a" = 3>

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{unrecognized 'ktdf_arch' intrinsic: "ktdf_arch.foo"}}
  %u = exec_unit {ktdf_arch.foo}
}

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{unrecognized 'ktdf_arch' feature: "ktdf_arch.feature.foo"}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.foo}}
}

// -----

// A-13
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.bandwidth' intrinsic value must be > 0, got 0}}
  datapath {ktdf_arch.bandwidth = 0} %a to %b : exec_unit, exec_unit
}

// -----

// A-13
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.bandwidth' intrinsic requires 64-bit integer, got "x"}}
  datapath {ktdf_arch.bandwidth = "x"} %a to %b : exec_unit, exec_unit
}

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.bandwidth' intrinsic only valid on links}}
  %a = exec_unit {ktdf_arch.bandwidth = 1}
}

// -----

// A-13
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.transfer_granularity' intrinsic repeated granularity (1)}}
  datapath {ktdf_arch.transfer_granularity = array<i64: 1, 2, 1>} %a to %b : exec_unit, exec_unit
}

// -----

// A-13
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.transfer_granularity' intrinsic granularity must be >= 0, got -1}}
  datapath {ktdf_arch.transfer_granularity = array<i64: -1>} %a to %b : exec_unit, exec_unit
}

// -----

// A-13
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.transfer_granularity' intrinsic requires array of 64-bit integers, got [1]}}
  datapath {ktdf_arch.transfer_granularity = [1]} %a to %b : exec_unit, exec_unit
}

// -----

// A-13
// expected-error @+1 {{'ktdf_arch.transfer_granularity' intrinsic only valid on links}}
func.func private @f() attributes {ktdf_arch.transfer_granularity = array<i64: 1>}

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.maps_to' intrinsic only valid on mappable ops}}
  %a = exec_unit {ktdf_arch.maps_to = "x"}
}

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.overlaps' intrinsic requires array attribute, got "bus"}}
  %a = exec_unit {ktdf_arch.overlaps = "bus"}
}

// -----

// A-13
// expected-error @+1 {{'ktdf_arch.overlaps' intrinsic only valid on resources}}
func.func private @f() attributes {ktdf_arch.overlaps = []}

// -----

// A-13
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.features' intrinsic requires dictionary attribute, got 1 : i64}}
  %a = exec_unit {ktdf_arch.features = 1}
}

// -----

// A-13
// expected-error @+1 {{'ktdf_arch.features' intrinsic only valid on resources and mappable ops}}
ktdf_arch.device @d attributes {ktdf_arch.features = {}} {
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.compute' intrinsic only valid on execution units}}
  %m = memory {kind = "A", ktdf_arch.features = {ktdf_arch.feature.compute}}
}

// -----

// A-14: compute takes no value.
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.compute' intrinsic takes no value, got 1 : i64}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.compute = 1}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.queue' intrinsic only valid on links}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.queue}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic only valid on execution units}}
  %m = memory {kind = "A", ktdf_arch.features = {ktdf_arch.feature.load}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'word_size' requires map from attribute to 64-bit integer, got 1 : i64}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {word_size = 1}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'word_size["A"]' must be > 0, got 0}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {word_size = #ktdf_arch.map<"A" = 0>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic requires a unit or a dictionary, got 1 : i64}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = 1}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.store' intrinsic attribute 'access_granularity' requires map from attribute to array of accesses, got []}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.store = {access_granularity = []}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'access_granularity["A"]' attribute 'size_in_words' requires 64-bit integer, got "x"}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {access_granularity = #ktdf_arch.map<"A" = [{size_in_words = "x"}]>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'access_granularity["A"]' requires attribute 'size_in_words'}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {access_granularity = #ktdf_arch.map<"A" = [{align_in_words = 1}]>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'access_granularity["A"]' attribute 'align_in_words' must be > 0, got 0}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {access_granularity = #ktdf_arch.map<"A" = [{size_in_words = 1, align_in_words = 0}]>}}}
}

// -----

// A-14: unknown fields.
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic attribute 'access_granularity["A"]' has no field 'x'}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {access_granularity = #ktdf_arch.map<"A" = [{size_in_words = 1, x}]>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.load' intrinsic has no field 'lanes'}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = {lanes}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.simd' intrinsic only valid on execution units}}
  %m = memory {kind = "A", ktdf_arch.features = {ktdf_arch.feature.simd}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.simd' intrinsic attribute 'splat' requires a unit, got true}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.simd = {splat = true}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.simd' intrinsic attribute 'lanes' requires map from type to 64-bit integer}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<"f16" = 64>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  // expected-error @+1 {{'ktdf_arch.feature.simd' intrinsic attribute 'lanes[f16]' must be > 0, got 0}}
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f16 = 0>}}}
}

// -----

// A-14
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.feature.queue' intrinsic 'depth' must be > 0, got 0}}
  datapath {ktdf_arch.features = {ktdf_arch.feature.queue = {depth = 0}}} %a to %b : exec_unit, exec_unit
}

// -----

// A-14
ktdf_arch.device @d {
  %a = exec_unit
  %b = exec_unit
  // expected-error @+1 {{'ktdf_arch.feature.queue' intrinsic attribute 'size' requires 64-bit integer, got 1 : i32}}
  datapath {ktdf_arch.features = {ktdf_arch.feature.queue = {size = 1 : i32}}} %a to %b : exec_unit, exec_unit
}

// -----

// A-14: of ops of other dialects, the fields are checked too.
func.func @f() {
  // expected-error @+1 {{'ktdf_arch.feature.simd' intrinsic has no field 'depth'}}
  return {ktdf_arch.features = {ktdf_arch.feature.simd = {depth = 1}}}
}
