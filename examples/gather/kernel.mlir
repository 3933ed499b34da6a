// out[t, i, :] = 2 * x[4 * (t / 4) + i, :]: each of 32 tiles doubles a row of its
// own, then gets the rows of all four tiles of its group, in the order of their
// ids.

#copies = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 255 >= 0)>
#copy = affine_set<(d0, d1, d2) : (d0 == 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 255 >= 0)>
#groups = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#members = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>
#row = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 255 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 255 >= 0)>

module {
  func.func @gather(%x: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %tile = ktdp.get_compute_tile_id : index

    %x_view = ktdp.construct_memory_view %x, sizes: [32, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<32x256xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [32, 4, 256], strides: [1024, 256, 1] {coordinate_set = #copies, memory_space = #ktdp.memory_space<global>} : memref<32x4x256xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%tile, %c0] {access_tile_order = #id, access_tile_set = #row} : memref<32x256xf16> -> !ktdp.access_tile<1x256xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%tile, %c0, %c0] {access_tile_order = #id3, access_tile_set = #copy} : memref<32x4x256xf16> -> !ktdp.access_tile<1x4x256xindex>
    %mine = ktdp.load %x_tile : <1x256xindex> -> tensor<1x256xf16>
    %doubled = arith.addf %mine, %mine : tensor<1x256xf16>

    %future = ktdp.inter_tile_produce producer_tiles_per_group = #members -> <(tensor<1x256xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %doubled : tensor<1x256xf16>
    }
    %all = ktdp.inter_tile_gather(%future) consumer_tiles_per_group = #members, gather_dimensions = [0] : <(tensor<1x256xf16>), groups = #groups> -> tensor<4x256xf16>
    %cube = tensor.expand_shape %all [[0, 1], [2]] output_shape [1, 4, 256] : tensor<4x256xf16> into tensor<1x4x256xf16>
    ktdp.store %cube, %out_tile : tensor<1x4x256xf16>, <1x4x256xindex>
    return
  }
}
