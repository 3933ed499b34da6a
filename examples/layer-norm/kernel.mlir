// out = (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance of
// each row: 32 tiles, 4 rows of 512 elements each.

#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>

module {
  func.func @layer_norm(%x: index, %gamma: index, %beta: index, %out: index, %eps: f32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.000000e+00 : f32
    %columns = arith.constant dense<5.120000e+02> : tensor<4xf32>
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<128x512xf16>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [512], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<512xf16>
    %beta_view = ktdp.construct_memory_view %beta, sizes: [512], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<512xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [128, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<128x512xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x512xf16> -> !ktdp.access_tile<4x512xindex>
    %gamma_tile = ktdp.construct_access_tile %gamma_view[%c0] {access_tile_order = #id1, access_tile_set = #vector} : memref<512xf16> -> !ktdp.access_tile<512xindex>
    %beta_tile = ktdp.construct_access_tile %beta_view[%c0] {access_tile_order = #id1, access_tile_set = #vector} : memref<512xf16> -> !ktdp.access_tile<512xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x512xf16> -> !ktdp.access_tile<4x512xindex>

    %x_half = ktdp.load %x_tile : <4x512xindex> -> tensor<4x512xf16>
    %gamma_half = ktdp.load %gamma_tile : <512xindex> -> tensor<512xf16>
    %beta_half = ktdp.load %beta_tile : <512xindex> -> tensor<512xf16>
    %xs = arith.extf %x_half : tensor<4x512xf16> to tensor<4x512xf32>
    %gammas = arith.extf %gamma_half : tensor<512xf16> to tensor<512xf32>
    %betas = arith.extf %beta_half : tensor<512xf16> to tensor<512xf32>

    %narrow = tensor.empty() : tensor<4xf32>
    %wide = tensor.empty() : tensor<4x512xf32>
    %none = linalg.fill ins(%zero : f32) outs(%narrow : tensor<4xf32>) -> tensor<4xf32>

    // The mean first, then the mean square of the distances from it.
    %sum = linalg.reduce { arith.addf } ins(%xs : tensor<4x512xf32>) outs(%none : tensor<4xf32>) dimensions = [1] 
    %mean = arith.divf %sum, %columns : tensor<4xf32>
    %mean_rows = linalg.broadcast ins(%mean : tensor<4xf32>) outs(%wide : tensor<4x512xf32>) dimensions = [1] 
    %centred = arith.subf %xs, %mean_rows : tensor<4x512xf32>
    %squared = arith.mulf %centred, %centred : tensor<4x512xf32>
    %squares = linalg.reduce { arith.addf } ins(%squared : tensor<4x512xf32>) outs(%none : tensor<4xf32>) dimensions = [1] 
    %variance = arith.divf %squares, %columns : tensor<4xf32>
    %floor = tensor.splat %eps : tensor<4xf32>
    %above = arith.addf %variance, %floor : tensor<4xf32>
    %scale = math.rsqrt %above : tensor<4xf32>
    %scale_rows = linalg.broadcast ins(%scale : tensor<4xf32>) outs(%wide : tensor<4x512xf32>) dimensions = [1] 

    %gamma_rows = linalg.broadcast ins(%gammas : tensor<512xf32>) outs(%wide : tensor<4x512xf32>) dimensions = [0] 
    %beta_rows = linalg.broadcast ins(%betas : tensor<512xf32>) outs(%wide : tensor<4x512xf32>) dimensions = [0] 
    %normal = arith.mulf %centred, %scale_rows : tensor<4x512xf32>
    %weighted = arith.mulf %normal, %gamma_rows : tensor<4x512xf32>
    %shifted = arith.addf %weighted, %beta_rows : tensor<4x512xf32>
    %result = arith.truncf %shifted : tensor<4x512xf32> to tensor<4x512xf16>
    ktdp.store %result, %out_tile : tensor<4x512xf16>, <4x512xindex>
    return
  }
}
