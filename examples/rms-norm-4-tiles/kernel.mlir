// out = x / sqrt(mean(x * x) + eps) * gamma. A row of 4096 elements is spread
// over 4 tiles, 1024 columns each; 8 groups of 4 tiles take 8 rows each. The sums
// of squares of a group are added by an all-reduce.

#groups = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#members = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>
#slice = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 4095 >= 0)>

module {
  func.func @rms_norm(%x: index, %gamma: index, %out: index, %eps: f32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    %none = arith.constant dense<0.000000e+00> : tensor<8xf32>
    %columns = arith.constant dense<4.096000e+03> : tensor<8xf32>
    %tile = ktdp.get_compute_tile_id : index
    %group = arith.divui %tile, %c4 : index
    %member = arith.remui %tile, %c4 : index
    %row = arith.muli %group, %c8 : index
    %column = arith.muli %member, %c1024 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 4096], strides: [4096, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<64x4096xf16>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [4096], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<4096xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [64, 4096], strides: [4096, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<64x4096xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %column] {access_tile_order = #id, access_tile_set = #part} : memref<64x4096xf16> -> !ktdp.access_tile<8x1024xindex>
    %gamma_tile = ktdp.construct_access_tile %gamma_view[%column] {access_tile_order = #id1, access_tile_set = #slice} : memref<4096xf16> -> !ktdp.access_tile<1024xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %column] {access_tile_order = #id, access_tile_set = #part} : memref<64x4096xf16> -> !ktdp.access_tile<8x1024xindex>

    %x_half = ktdp.load %x_tile : <8x1024xindex> -> tensor<8x1024xf16>
    %gamma_half = ktdp.load %gamma_tile : <1024xindex> -> tensor<1024xf16>
    %xs = arith.extf %x_half : tensor<8x1024xf16> to tensor<8x1024xf32>
    %gammas = arith.extf %gamma_half : tensor<1024xf16> to tensor<1024xf32>
    %squared = arith.mulf %xs, %xs : tensor<8x1024xf32>
    %partial = linalg.reduce { arith.addf } ins(%squared : tensor<8x1024xf32>) outs(%none : tensor<8xf32>) dimensions = [1] 

    // Every tile of a group gives its sums and gets those of the whole rows.
    %future = ktdp.inter_tile_produce producer_tiles_per_group = #members -> <(tensor<8xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %partial : tensor<8xf32>
    }
    %squares = ktdp.inter_tile_reduce(%future) consumer_tiles_per_group = #members, identity(%none : tensor<8xf32>) : <(tensor<8xf32>), groups = #groups> -> tensor<8xf32> {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %sum = arith.addf %a, %b : tensor<8xf32>
      ktdp.yield_reduced %sum : tensor<8xf32>
    }

    %mean = arith.divf %squares, %columns : tensor<8xf32>
    %floor = tensor.splat %eps : tensor<8xf32>
    %above = arith.addf %mean, %floor : tensor<8xf32>
    %scale = math.rsqrt %above : tensor<8xf32>
    %wide = tensor.empty() : tensor<8x1024xf32>
    %scale_rows = linalg.broadcast ins(%scale : tensor<8xf32>) outs(%wide : tensor<8x1024xf32>) dimensions = [1] 
    %gamma_rows = linalg.broadcast ins(%gammas : tensor<1024xf32>) outs(%wide : tensor<8x1024xf32>) dimensions = [0] 
    %normal = arith.mulf %xs, %scale_rows : tensor<8x1024xf32>
    %weighted = arith.mulf %normal, %gamma_rows : tensor<8x1024xf32>
    %result = arith.truncf %weighted : tensor<8x1024xf32> to tensor<8x1024xf16>
    ktdp.store %result, %out_tile : tensor<8x1024xf16>, <8x1024xindex>
    return
  }
}
