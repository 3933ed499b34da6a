// Every form of production and delivery.
// RUN: ktir-opt %s | ktir-opt | FileCheck %s
// RUN: ktir-opt %s --mlir-print-op-generic | ktir-opt | FileCheck %s

#g0 = affine_set<(g) : (g == 0)>
#p4 = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i - 2 == 0)>
#self = affine_set<(p)[c] : (p - c == 0)>
#wait = affine_set<(p)[c, g] : (p >= 0, -p + 3 >= 0)>

// CHECK-LABEL: func.func @deliveries
// CHECK-SAME:  (%[[X:.*]]: tensor<4x64xf16>, %[[M:.*]]: tensor<1xf32>)
func.func @deliveries(%x: tensor<4x64xf16>, %m: tensor<1xf32>) attributes {grid = [4]} {
  // CHECK: %[[F0:.*]] = ktdp.inter_tile_produce producer_tiles_per_group = #{{[a-z0-9]*}} -> <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  // CHECK-NEXT: ktdp.yield_partial %[[X]] : tensor<4x64xf16>
  // CHECK-NEXT: }
  %f0 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> !ktdp.tile_future<(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // CHECK: ktdp.inter_tile_consume(%[[F0]]) consumer_tiles_per_group = #{{[a-z0-9]*}}, producer_dependency_per_consumer = #{{[a-z0-9]*}} : <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> -> tensor<4x64xf16>
  %0 = ktdp.inter_tile_consume(%f0) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = #self : <(tensor<4x64xf16>), groups = #g0> -> tensor<4x64xf16>

  // CHECK: ktdp.yield_partial %[[X]], %[[M]] : tensor<4x64xf16>, tensor<1xf32>
  %f1 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>, tensor<1xf32>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x, %m : tensor<4x64xf16>, tensor<1xf32>
  }
  // CHECK: %{{.*}}:2 = ktdp.inter_tile_reduce(%{{.*}}) consumer_tiles_per_group = #{{[a-z0-9]*}}, producer_dependency_per_consumer = #{{[a-z0-9]*}}, identity(%[[X]], %[[M]] : tensor<4x64xf16>, tensor<1xf32>) : <(tensor<4x64xf16>, tensor<1xf32>), groups = #{{[a-z0-9]*}}> -> tensor<4x64xf16>, tensor<1xf32> {
  // CHECK: ktdp.yield_reduced
  %1:2 = ktdp.inter_tile_reduce(%f1) consumer_tiles_per_group = #p4, producer_dependency_per_consumer = #wait, identity(%x, %m : tensor<4x64xf16>, tensor<1xf32>) : <(tensor<4x64xf16>, tensor<1xf32>), groups = #g0> -> tensor<4x64xf16>, tensor<1xf32> {
  ^bb0(%a: tensor<4x64xf16>, %b: tensor<1xf32>, %c: tensor<4x64xf16>, %d: tensor<1xf32>):
    %s = arith.addf %a, %c : tensor<4x64xf16>
    %t = arith.maximumf %b, %d : tensor<1xf32>
    ktdp.yield_reduced %s, %t : tensor<4x64xf16>, tensor<1xf32>
  }

  %f2 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // CHECK: ktdp.inter_tile_reduce_scatter(%{{.*}}) consumer_tiles_per_group = #{{[a-z0-9]*}}, scatter_dimensions = [0], identity(%[[X]] : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> -> tensor<1x64xf16> {
  %2 = ktdp.inter_tile_reduce_scatter(%f2) consumer_tiles_per_group = #p4, scatter_dimensions = [0], identity(%x : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16> {
  ^bb0(%a: tensor<4x64xf16>, %c: tensor<4x64xf16>):
    ktdp.yield_reduced %a : tensor<4x64xf16>
  }

  %f3 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // CHECK: ktdp.inter_tile_gather(%{{.*}}) consumer_tiles_per_group = #{{[a-z0-9]*}}, gather_dimensions = [0, 1], producer_dependency_per_consumer = #{{[a-z0-9]*}} : <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> -> tensor<8x128xf16>
  %3 = ktdp.inter_tile_gather(%f3) consumer_tiles_per_group = #p4, gather_dimensions = [0, 1], producer_dependency_per_consumer = #wait : <(tensor<4x64xf16>), groups = #g0> -> tensor<8x128xf16>

  %f4 = ktdp.inter_tile_produce producer_tiles_per_group = #p4 -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // CHECK: ktdp.inter_tile_all_to_all(%{{.*}}) consumer_tiles_per_group = #{{[a-z0-9]*}}, split_dimensions = [0], concat_dimensions = [1] : <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> -> tensor<1x256xf16>
  %4 = ktdp.inter_tile_all_to_all(%f4) consumer_tiles_per_group = #p4, split_dimensions = [0], concat_dimensions = [1] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x256xf16>

  %f5 = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<4x64xf16>), groups = #g0> {
  ^bb0(%g: index):
    ktdp.yield_partial %x : tensor<4x64xf16>
  }
  // CHECK: ktdp.inter_tile_scatter(%{{.*}}) consumer_tiles_per_group = #{{[a-z0-9]*}}, scatter_dimensions = [0] : <(tensor<4x64xf16>), groups = #{{[a-z0-9]*}}> -> tensor<1x64xf16>
  %5 = ktdp.inter_tile_scatter(%f5) consumer_tiles_per_group = #p4, scatter_dimensions = [0] : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x64xf16>
  return
}
