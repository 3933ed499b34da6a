// out = max(x, 0), x of 256 x 128. The first tile of each group of four loads 32
// rows at once and hands 8 of them to each tile of its group.

#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#block = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#first = affine_set<(d0)[s0] : (d0 - s0 * 4 == 0)>
#groups = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#members = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>
#share = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>

module {
  func.func @scatter(%x: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c8 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [256, 128], strides: [128, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<256x128xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [256, 128], strides: [128, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<256x128xf16>

    %future = ktdp.inter_tile_produce producer_tiles_per_group = #first -> <(tensor<32x128xf16>), groups = #groups> {
    ^bb0(%g: index):
      %x_tile = ktdp.construct_access_tile %x_view[%g * 32, %c0] {access_tile_order = #id, access_tile_set = #block} : memref<256x128xf16> -> !ktdp.access_tile<32x128xindex>
      %block = ktdp.load %x_tile : <32x128xindex> -> tensor<32x128xf16>
      ktdp.yield_partial %block : tensor<32x128xf16>
    }
    %mine = ktdp.inter_tile_scatter(%future) consumer_tiles_per_group = #members, scatter_dimensions = [0] : <(tensor<32x128xf16>), groups = #groups> -> tensor<8x128xf16>

    %zero = arith.constant dense<0.000000e+00> : tensor<8x128xf16>
    %clamped = arith.maximumf %mine, %zero : tensor<8x128xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #share} : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %clamped, %out_tile : tensor<8x128xf16>, <8x128xindex>
    return
  }
}
