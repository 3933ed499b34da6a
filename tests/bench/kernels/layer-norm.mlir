// out = (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance of
// each row of 1024 elements: 32 tiles take 4 rows at a time.

#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 18431 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>

module {
  func.func @layer_norm(%x: index, %gamma: index, %beta: index, %out: index, %eps: f32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %step = arith.constant 128 : index
    %end = arith.constant 18432 : index
    %zero = arith.constant 0.000000e+00 : f32
    %columns = arith.constant dense<1.024000e+03> : tensor<4xf32>
    %tile = ktdp.get_compute_tile_id : index
    %first = arith.muli %tile, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [18432, 1024], strides: [1024, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<18432x1024xf16>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [1024], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<1024xf16>
    %beta_view = ktdp.construct_memory_view %beta, sizes: [1024], strides: [1] {coordinate_set = #vector, memory_space = #ktdp.memory_space<global>} : memref<1024xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [18432, 1024], strides: [1024, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<18432x1024xf16>

    %gamma_tile = ktdp.construct_access_tile %gamma_view[%c0] {access_tile_order = #id1, access_tile_set = #vector} : memref<1024xf16> -> !ktdp.access_tile<1024xindex>
    %beta_tile = ktdp.construct_access_tile %beta_view[%c0] {access_tile_order = #id1, access_tile_set = #vector} : memref<1024xf16> -> !ktdp.access_tile<1024xindex>
    %gamma_half = ktdp.load %gamma_tile : <1024xindex> -> tensor<1024xf16>
    %beta_half = ktdp.load %beta_tile : <1024xindex> -> tensor<1024xf16>
    %gammas = arith.extf %gamma_half : tensor<1024xf16> to tensor<1024xf32>
    %betas = arith.extf %beta_half : tensor<1024xf16> to tensor<1024xf32>
    scf.for %row = %first to %end step %step {
      %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<18432x1024xf16> -> !ktdp.access_tile<4x1024xindex>
      %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<18432x1024xf16> -> !ktdp.access_tile<4x1024xindex>

      %x_half = ktdp.load %x_tile : <4x1024xindex> -> tensor<4x1024xf16>
      %xs = arith.extf %x_half : tensor<4x1024xf16> to tensor<4x1024xf32>

      %narrow = tensor.empty() : tensor<4xf32>
      %wide = tensor.empty() : tensor<4x1024xf32>
      %none = linalg.fill ins(%zero : f32) outs(%narrow : tensor<4xf32>) -> tensor<4xf32>

      // The mean first, then the mean square of the distances from it.
      %sum = linalg.reduce { arith.addf } ins(%xs : tensor<4x1024xf32>) outs(%none : tensor<4xf32>) dimensions = [1] 
      %mean = arith.divf %sum, %columns : tensor<4xf32>
      %mean_rows = linalg.broadcast ins(%mean : tensor<4xf32>) outs(%wide : tensor<4x1024xf32>) dimensions = [1] 
      %centred = arith.subf %xs, %mean_rows : tensor<4x1024xf32>
      %squared = arith.mulf %centred, %centred : tensor<4x1024xf32>
      %squares = linalg.reduce { arith.addf } ins(%squared : tensor<4x1024xf32>) outs(%none : tensor<4xf32>) dimensions = [1] 
      %variance = arith.divf %squares, %columns : tensor<4xf32>
      %floor = tensor.splat %eps : tensor<4xf32>
      %above = arith.addf %variance, %floor : tensor<4xf32>
      %scale = math.rsqrt %above : tensor<4xf32>
      %scale_rows = linalg.broadcast ins(%scale : tensor<4xf32>) outs(%wide : tensor<4x1024xf32>) dimensions = [1] 

      %gamma_rows = linalg.broadcast ins(%gammas : tensor<1024xf32>) outs(%wide : tensor<4x1024xf32>) dimensions = [0] 
      %beta_rows = linalg.broadcast ins(%betas : tensor<1024xf32>) outs(%wide : tensor<4x1024xf32>) dimensions = [0] 
      %normal = arith.mulf %centred, %scale_rows : tensor<4x1024xf32>
      %weighted = arith.mulf %normal, %gamma_rows : tensor<4x1024xf32>
      %shifted = arith.addf %weighted, %beta_rows : tensor<4x1024xf32>
      %result = arith.truncf %shifted : tensor<4x1024xf32> to tensor<4x1024xf16>
      ktdp.store %result, %out_tile : tensor<4x1024xf16>, <4x1024xindex>
    }
    return
  }
}
