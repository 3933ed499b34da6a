// out = softmax(scale * q @ transpose(k)) @ v for each of 8 heads of 64
// elements, with 128 queries and any multiple of 32 keys. A tile takes 32 queries
// of a head and goes over the keys in blocks of 32, so that no row of weights is
// ever in the scratchpad as a whole.

#block = affine_set<(d0, d1, d2) : (d0 == 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#keys = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#queries = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0, d2 >= 0, -d2 + 63 >= 0)>

module {
  func.func @flash_attention(%q: index, %k: index, %v: index, %out: index, %keys: index, %scale: f32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32  // -inf
    %tile = ktdp.get_compute_tile_id : index
    %head = arith.divui %tile, %c4 : index
    %part = arith.remui %tile, %c4 : index
    %query = arith.muli %part, %c32 : index
    %head_stride = arith.muli %keys, %c64 : index

    %q_view = ktdp.construct_memory_view %q, sizes: [8, 128, 64], strides: [8192, 64, 1] {coordinate_set = #queries, memory_space = #ktdp.memory_space<global>} : memref<8x128x64xf16>
    %k_view = ktdp.construct_memory_view %k, sizes: [8, %keys, 64], strides: [%head_stride, 64, 1] {coordinate_set = #keys, memory_space = #ktdp.memory_space<global>} : memref<8x?x64xf16>
    %v_view = ktdp.construct_memory_view %v, sizes: [8, %keys, 64], strides: [%head_stride, 64, 1] {coordinate_set = #keys, memory_space = #ktdp.memory_space<global>} : memref<8x?x64xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 128, 64], strides: [8192, 64, 1] {coordinate_set = #queries, memory_space = #ktdp.memory_space<global>} : memref<8x128x64xf16>

    %q_tile = ktdp.construct_access_tile %q_view[%head, %query, %c0] {access_tile_order = #id, access_tile_set = #block} : memref<8x128x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    %q_block = ktdp.load %q_tile : <1x32x64xindex> -> tensor<1x32x64xf16>

    %line = tensor.empty() : tensor<1x32xf32>
    %weights = tensor.empty() : tensor<1x32x32xf32>
    %values = tensor.empty() : tensor<1x32x64xf32>
    %max_init = linalg.fill ins(%lowest : f32) outs(%line : tensor<1x32xf32>) -> tensor<1x32xf32>
    %sum_init = linalg.fill ins(%zero : f32) outs(%line : tensor<1x32xf32>) -> tensor<1x32xf32>
    %acc_init = linalg.fill ins(%zero : f32) outs(%values : tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %no_scores = linalg.fill ins(%zero : f32) outs(%weights : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
    %scales = tensor.splat %scale : tensor<1x32x32xf32>

    // Carried from block to block: the largest score of each query, the sum of its
    // weights and the weighted values, both relative to that score.
    %max:3 = scf.for %key = %c0 to %keys step %c32 iter_args(%max_before = %max_init, %sum_before = %sum_init, %acc_before = %acc_init) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32x64xf32>) {
      %k_tile = ktdp.construct_access_tile %k_view[%head, %key, %c0] {access_tile_order = #id, access_tile_set = #block} : memref<8x?x64xf16> -> !ktdp.access_tile<1x32x64xindex>
      %v_tile = ktdp.construct_access_tile %v_view[%head, %key, %c0] {access_tile_order = #id, access_tile_set = #block} : memref<8x?x64xf16> -> !ktdp.access_tile<1x32x64xindex>
      %k_block = ktdp.load %k_tile : <1x32x64xindex> -> tensor<1x32x64xf16>
      %v_block = ktdp.load %v_tile : <1x32x64xindex> -> tensor<1x32x64xf16>
      %k_empty = tensor.empty() : tensor<1x64x32xf16>
      %k_turned = linalg.transpose ins(%k_block : tensor<1x32x64xf16>) outs(%k_empty : tensor<1x64x32xf16>) permutation = [0, 2, 1] 
      %products = linalg.batch_matmul ins(%q_block, %k_turned : tensor<1x32x64xf16>, tensor<1x64x32xf16>) outs(%no_scores : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
      %scores = arith.mulf %products, %scales : tensor<1x32x32xf32>

      %max_now = linalg.reduce { arith.maximumf } ins(%scores : tensor<1x32x32xf32>) outs(%max_before : tensor<1x32xf32>) dimensions = [2] 
      %max_rows = linalg.broadcast ins(%max_now : tensor<1x32xf32>) outs(%weights : tensor<1x32x32xf32>) dimensions = [2] 
      %shifted = arith.subf %scores, %max_rows : tensor<1x32x32xf32>
      %power = math.exp %shifted : tensor<1x32x32xf32>

      %change = arith.subf %max_before, %max_now : tensor<1x32xf32>
      %factor = math.exp %change : tensor<1x32xf32>
      %sum_scaled = arith.mulf %sum_before, %factor : tensor<1x32xf32>
      %sum_now = linalg.reduce { arith.addf } ins(%power : tensor<1x32x32xf32>) outs(%sum_scaled : tensor<1x32xf32>) dimensions = [2] 
      %factor_rows = linalg.broadcast ins(%factor : tensor<1x32xf32>) outs(%values : tensor<1x32x64xf32>) dimensions = [2] 
      %acc_scaled = arith.mulf %acc_before, %factor_rows : tensor<1x32x64xf32>
      %power_short = arith.truncf %power : tensor<1x32x32xf32> to tensor<1x32x32xf16>
      %acc_now = linalg.batch_matmul ins(%power_short, %v_block : tensor<1x32x32xf16>, tensor<1x32x64xf16>) outs(%acc_scaled : tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
      scf.yield %max_now, %sum_now, %acc_now : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32x64xf32>
    }

    %sum_rows = linalg.broadcast ins(%max#1 : tensor<1x32xf32>) outs(%values : tensor<1x32x64xf32>) dimensions = [2] 
    %mean = arith.divf %max#2, %sum_rows : tensor<1x32x64xf32>
    %result = arith.truncf %mean : tensor<1x32x64xf32> to tensor<1x32x64xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%head, %query, %c0] {access_tile_order = #id, access_tile_set = #block} : memref<8x128x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    ktdp.store %result, %out_tile : tensor<1x32x64xf16>, <1x32x64xindex>
    return
  }
}
