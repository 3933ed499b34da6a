// out = x, where x of 128 x 64 lies in two pieces of device memory: `lo` holds its
// rows 0 to 61, `hi` the rest. Each of 32 tiles copies 4 rows; those of tile 15
// come from both pieces.

#hi_rows = affine_set<(d0, d1) : (d0 - 62 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#lo_rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 61 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>

module {
  func.func @distributed_copy(%lo: index, %hi: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c4 : index

    // The coordinate sets say which rows of x a piece holds.
    %lo_view = ktdp.construct_memory_view %lo, sizes: [62, 64], strides: [64, 1] {coordinate_set = #lo_rows, memory_space = #ktdp.memory_space<global>} : memref<62x64xf16>
    %hi_view = ktdp.construct_memory_view %hi, sizes: [66, 64], strides: [64, 1] {coordinate_set = #hi_rows, memory_space = #ktdp.memory_space<global>} : memref<66x64xf16>
    %x_view = ktdp.construct_distributed_memory_view(%lo_view, %hi_view : memref<62x64xf16>, memref<66x64xf16>) : memref<128x64xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [128, 64], strides: [64, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<128x64xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x64xf16> -> !ktdp.access_tile<4x64xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x64xf16> -> !ktdp.access_tile<4x64xindex>
    %xs = ktdp.load %x_tile : <4x64xindex> -> tensor<4x64xf16>
    ktdp.store %xs, %out_tile : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
