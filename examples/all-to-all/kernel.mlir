// out = x - the mean of its column, x of 128 x 256. Each of 4 tiles loads 32 rows;
// after an all-to-all it has 64 whole columns instead, so that the mean is a matter
// of one tile.

#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#columns = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#everyone = affine_set<(d0)[s0] : (d0 >= 0, -d0 + 3 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#one_group = affine_set<(d0) : (d0 == 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 255 >= 0)>

module {
  func.func @all_to_all(%x: index, %out: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %height = arith.constant dense<1.280000e+02> : tensor<64xf32>
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c32 : index
    %column = arith.muli %tile, %c64 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [128, 256], strides: [256, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #rows} : memref<128x256xf16> -> !ktdp.access_tile<32x256xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%c0, %column] {access_tile_order = #id, access_tile_set = #columns} : memref<128x256xf16> -> !ktdp.access_tile<128x64xindex>
    %mine = ktdp.load %x_tile : <32x256xindex> -> tensor<32x256xf16>

    // Consumer c takes columns 64c to 64c + 63 of every producer's rows.
    %future = ktdp.inter_tile_produce producer_tiles_per_group = #everyone -> <(tensor<32x256xf16>), groups = #one_group> {
    ^bb0(%g: index):
      ktdp.yield_partial %mine : tensor<32x256xf16>
    }
    %turned = ktdp.inter_tile_all_to_all(%future) consumer_tiles_per_group = #everyone, split_dimensions = [1], concat_dimensions = [0] : <(tensor<32x256xf16>), groups = #one_group> -> tensor<128x64xf16>

    %columns = arith.extf %turned : tensor<128x64xf16> to tensor<128x64xf32>
    %sum = linalg.reduce { arith.addf } ins(%columns : tensor<128x64xf32>) outs(%none : tensor<64xf32>) dimensions = [0] 
    %mean = arith.divf %sum, %height : tensor<64xf32>
    %empty = tensor.empty() : tensor<128x64xf32>
    %means = linalg.broadcast ins(%mean : tensor<64xf32>) outs(%empty : tensor<128x64xf32>) dimensions = [0] 
    %centred = arith.subf %columns, %means : tensor<128x64xf32>
    %result = arith.truncf %centred : tensor<128x64xf32> to tensor<128x64xf16>
    ktdp.store %result, %out_tile : tensor<128x64xf16>, <128x64xindex>
    return
  }
}
