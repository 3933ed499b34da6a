// out[r, :] = x[r, :] * w: tile 0 loads the row w from device memory and sends it
// to all 32 tiles, each of which scales 4 rows of 256 elements.

#everyone = affine_set<(d0)[s0] : (d0 >= 0, -d0 + 31 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#one_group = affine_set<(d0) : (d0 == 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#sender = affine_set<(d0)[s0] : (d0 == 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>

module {
  func.func @broadcast(%x: index, %w: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %w_view = ktdp.construct_memory_view %w, sizes: [256], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<256xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [128, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>

    // Only the sender runs the region.
    %future = ktdp.inter_tile_produce producer_tiles_per_group = #sender -> <(tensor<256xf16>), groups = #one_group> {
    ^bb0(%group: index):
      %w_tile = ktdp.construct_access_tile %w_view[%c0] {access_tile_order = #id1, access_tile_set = #vector} : memref<256xf16> -> !ktdp.access_tile<256xindex>
      %w_loaded = ktdp.load %w_tile : <256xindex> -> tensor<256xf16>
      ktdp.yield_partial %w_loaded : tensor<256xf16>
    }
    %ws = ktdp.inter_tile_consume(%future) consumer_tiles_per_group = #everyone : <(tensor<256xf16>), groups = #one_group> -> tensor<256xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    %xs = ktdp.load %x_tile : <4x256xindex> -> tensor<4x256xf16>
    %empty = tensor.empty() : tensor<4x256xf16>
    %w_rows = linalg.broadcast ins(%ws : tensor<256xf16>) outs(%empty : tensor<4x256xf16>) dimensions = [0] 
    %scaled = arith.mulf %xs, %w_rows : tensor<4x256xf16>
    ktdp.store %scaled, %out_tile : tensor<4x256xf16>, <4x256xindex>
    return
  }
}
