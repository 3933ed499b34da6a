// out[r, :] = softmax(x[r, :]) on rows of any number of blocks of 1024
// elements. The first pass over a row finds its maximum and its sum, the second
// writes the result; only one block is in the scratchpad at a time.

#all = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0)>
#block = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 1023 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @softmax_wide(%x: index, %out: index, %rows: index, %blocks: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %width = arith.constant 1024 : index
    %tiles = arith.constant 32 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32  // -inf
    %tile = ktdp.get_compute_tile_id : index
    %columns = arith.muli %blocks, %width : index

    %x_view = ktdp.construct_memory_view %x, sizes: [%rows, %columns], strides: [%columns, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?x?xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [%rows, %columns], strides: [%columns, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?x?xf16>

    %one = tensor.empty() : tensor<1xf32>
    %wide = tensor.empty() : tensor<1x1024xf32>
    %max_init = linalg.fill ins(%lowest : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    %sum_init = linalg.fill ins(%zero : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>

    scf.for %r = %tile to %rows step %tiles {
      // When a larger maximum turns up, the sum so far is scaled down to it.
      %max:2 = scf.for %c = %c0 to %columns step %width iter_args(%max_before = %max_init, %sum_before = %sum_init) -> (tensor<1xf32>, tensor<1xf32>) {
        %x_tile = ktdp.construct_access_tile %x_view[%r, %c] {access_tile_order = #id, access_tile_set = #block} : memref<?x?xf16> -> !ktdp.access_tile<1x1024xindex>
        %half = ktdp.load %x_tile : <1x1024xindex> -> tensor<1x1024xf16>
        %block = arith.extf %half : tensor<1x1024xf16> to tensor<1x1024xf32>
        %max_now = linalg.reduce { arith.maximumf } ins(%block : tensor<1x1024xf32>) outs(%max_before : tensor<1xf32>) dimensions = [1] 
        %max_row_0 = linalg.broadcast ins(%max_now : tensor<1xf32>) outs(%wide : tensor<1x1024xf32>) dimensions = [1] 
        %shifted = arith.subf %block, %max_row_0 : tensor<1x1024xf32>
        %power = math.exp %shifted : tensor<1x1024xf32>
        %change = arith.subf %max_before, %max_now : tensor<1xf32>
        %factor = math.exp %change : tensor<1xf32>
        %scaled = arith.mulf %sum_before, %factor : tensor<1xf32>
        %sum_now = linalg.reduce { arith.addf } ins(%power : tensor<1x1024xf32>) outs(%scaled : tensor<1xf32>) dimensions = [1] 
        scf.yield %max_now, %sum_now : tensor<1xf32>, tensor<1xf32>
      }

      %max_row = linalg.broadcast ins(%max#0 : tensor<1xf32>) outs(%wide : tensor<1x1024xf32>) dimensions = [1] 
      %sum_row = linalg.broadcast ins(%max#1 : tensor<1xf32>) outs(%wide : tensor<1x1024xf32>) dimensions = [1] 
      scf.for %c = %c0 to %columns step %width {
        %x_tile = ktdp.construct_access_tile %x_view[%r, %c] {access_tile_order = #id, access_tile_set = #block} : memref<?x?xf16> -> !ktdp.access_tile<1x1024xindex>
        %half = ktdp.load %x_tile : <1x1024xindex> -> tensor<1x1024xf16>
        %block = arith.extf %half : tensor<1x1024xf16> to tensor<1x1024xf32>
        %shifted = arith.subf %block, %max_row : tensor<1x1024xf32>
        %power = math.exp %shifted : tensor<1x1024xf32>
        %share = arith.divf %power, %sum_row : tensor<1x1024xf32>
        %result = arith.truncf %share : tensor<1x1024xf32> to tensor<1x1024xf16>
        %out_tile = ktdp.construct_access_tile %out_view[%r, %c] {access_tile_order = #id, access_tile_set = #block} : memref<?x?xf16> -> !ktdp.access_tile<1x1024xindex>
        ktdp.store %result, %out_tile : tensor<1x1024xf16>, <1x1024xindex>
      }
    }
    return
  }
}
