// out[g, :, :] = the sum of x[t, :, :] over the four tiles t of group g. Each tile
// holds a matrix of 16 x 128; after the reduce-scatter it has 4 rows of the sum,
// so that all tiles share the work of writing it.

#groups = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#matrices = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 127 >= 0)>
#members = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>
#share = affine_set<(d0, d1, d2) : (d0 == 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 127 >= 0)>
#sums = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 127 >= 0)>
#whole = affine_set<(d0, d1, d2) : (d0 == 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 127 >= 0)>

module {
  func.func @reduce_scatter(%x: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %none = arith.constant dense<0.000000e+00> : tensor<1x16x128xf32>
    %tile = ktdp.get_compute_tile_id : index
    %group = arith.divui %tile, %c4 : index
    %member = arith.remui %tile, %c4 : index
    %row = arith.muli %member, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [32, 16, 128], strides: [2048, 128, 1] {coordinate_set = #matrices, memory_space = #ktdp.memory_space<global>} : memref<32x16x128xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 16, 128], strides: [2048, 128, 1] {coordinate_set = #sums, memory_space = #ktdp.memory_space<global>} : memref<8x16x128xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%tile, %c0, %c0] {access_tile_order = #id, access_tile_set = #whole} : memref<32x16x128xf16> -> !ktdp.access_tile<1x16x128xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%group, %row, %c0] {access_tile_order = #id, access_tile_set = #share} : memref<8x16x128xf16> -> !ktdp.access_tile<1x4x128xindex>
    %half = ktdp.load %x_tile : <1x16x128xindex> -> tensor<1x16x128xf16>
    %mine = arith.extf %half : tensor<1x16x128xf16> to tensor<1x16x128xf32>

    %future = ktdp.inter_tile_produce producer_tiles_per_group = #members -> <(tensor<1x16x128xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %mine : tensor<1x16x128xf32>
    }
    %share = ktdp.inter_tile_reduce_scatter(%future) consumer_tiles_per_group = #members, scatter_dimensions = [1], identity(%none : tensor<1x16x128xf32>) : <(tensor<1x16x128xf32>), groups = #groups> -> tensor<1x4x128xf32> {
    ^bb0(%a: tensor<1x16x128xf32>, %b: tensor<1x16x128xf32>):
      %sum = arith.addf %a, %b : tensor<1x16x128xf32>
      ktdp.yield_reduced %sum : tensor<1x16x128xf32>
    }
    %result = arith.truncf %share : tensor<1x4x128xf32> to tensor<1x4x128xf16>
    ktdp.store %result, %out_tile : tensor<1x4x128xf16>, <1x4x128xindex>
    return
  }
}
