// out[r, :] = softmax(x[r, :]): tile t takes the rows t, t + 32, t + 64, ...

#all = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 1023 >= 0)>

module {
  func.func @softmax(%x: index, %out: index, %rows: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %tiles = arith.constant 32 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32  // -inf
    %tile = ktdp.get_compute_tile_id : index

    %x_view = ktdp.construct_memory_view %x, sizes: [%rows, 1024], strides: [1024, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?x1024xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [%rows, 1024], strides: [1024, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?x1024xf16>

    scf.for %r = %tile to %rows step %tiles {
      %x_tile = ktdp.construct_access_tile %x_view[%r, %c0] {access_tile_order = #id, access_tile_set = #row} : memref<?x1024xf16> -> !ktdp.access_tile<1x1024xindex>
      %half = ktdp.load %x_tile : <1x1024xindex> -> tensor<1x1024xf16>
      %row = arith.extf %half : tensor<1x1024xf16> to tensor<1x1024xf32>

      // The largest element makes every exponent at most 0.
      %one = tensor.empty() : tensor<1xf32>
      %max_init = linalg.fill ins(%lowest : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
      %max = linalg.reduce { arith.maximumf } ins(%row : tensor<1x1024xf32>) outs(%max_init : tensor<1xf32>) dimensions = [1] 
      %wide = tensor.empty() : tensor<1x1024xf32>
      %max_row = linalg.broadcast ins(%max : tensor<1xf32>) outs(%wide : tensor<1x1024xf32>) dimensions = [1] 
      %shifted = arith.subf %row, %max_row : tensor<1x1024xf32>
      %power = math.exp %shifted : tensor<1x1024xf32>

      %sum_init = linalg.fill ins(%zero : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
      %sum = linalg.reduce { arith.addf } ins(%power : tensor<1x1024xf32>) outs(%sum_init : tensor<1xf32>) dimensions = [1] 
      %sum_row = linalg.broadcast ins(%sum : tensor<1xf32>) outs(%wide : tensor<1x1024xf32>) dimensions = [1] 
      %share = arith.divf %power, %sum_row : tensor<1x1024xf32>
      %result = arith.truncf %share : tensor<1x1024xf32> to tensor<1x1024xf16>

      %out_tile = ktdp.construct_access_tile %out_view[%r, %c0] {access_tile_order = #id, access_tile_set = #row} : memref<?x1024xf16> -> !ktdp.access_tile<1x1024xindex>
      ktdp.store %result, %out_tile : tensor<1x1024xf16>, <1x1024xindex>
    }
    return
  }
}
