// One new query for each of 8 sequences and 4 heads of 64 elements, attending to
// keys and values kept in pages of 16 tokens. Row s of `table` lists the pages of
// sequence s; its first `lengths[s]` tokens count. Tile 4s + h takes head h of
// sequence s.

#head = affine_set<(d0, d1, d2) : (d0 == 0, d1 == 0, d2 >= 0, -d2 + 63 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#lengths = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#page = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#pages = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 271 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 3 >= 0, d3 >= 0, -d3 + 63 >= 0)>
#queries = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#single = affine_set<(d0) : (d0 == 0)>
#table = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 33 >= 0)>

module {
  func.func @paged_attention(%q: index, %k_cache: index, %v_cache: index, %table: index, %lengths: index, %out: index, %scale: f32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32  // -inf
    %tile = ktdp.get_compute_tile_id : index
    %sequence = arith.divui %tile, %c4 : index
    %head = arith.remui %tile, %c4 : index

    %q_view = ktdp.construct_memory_view %q, sizes: [8, 4, 64], strides: [256, 64, 1] {coordinate_set = #queries, memory_space = #ktdp.memory_space<global>} : memref<8x4x64xf16>
    %k_view = ktdp.construct_memory_view %k_cache, sizes: [272, 16, 4, 64], strides: [4096, 256, 64, 1] {coordinate_set = #pages, memory_space = #ktdp.memory_space<global>} : memref<272x16x4x64xf16>
    %v_view = ktdp.construct_memory_view %v_cache, sizes: [272, 16, 4, 64], strides: [4096, 256, 64, 1] {coordinate_set = #pages, memory_space = #ktdp.memory_space<global>} : memref<272x16x4x64xf16>
    %table_view = ktdp.construct_memory_view %table, sizes: [8, 34], strides: [34, 1] {coordinate_set = #table, memory_space = #ktdp.memory_space<global>} : memref<8x34xi32>
    %lengths_view = ktdp.construct_memory_view %lengths, sizes: [8], strides: [1] {coordinate_set = #lengths, memory_space = #ktdp.memory_space<global>} : memref<8xi32>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 4, 64], strides: [256, 64, 1] {coordinate_set = #queries, memory_space = #ktdp.memory_space<global>} : memref<8x4x64xf16>

    %length_tile = ktdp.construct_access_tile %lengths_view[%sequence] {access_tile_order = #id1, access_tile_set = #single} : memref<8xi32> -> !ktdp.access_tile<1xindex>
    %length_tensor = ktdp.load %length_tile : <1xindex> -> tensor<1xi32>
    %length_i32 = tensor.extract %length_tensor[%c0] : tensor<1xi32>
    %length = arith.index_cast %length_i32 : i32 to index
    %pages = arith.ceildivui %length, %c16 : index

    %q_tile = ktdp.construct_access_tile %q_view[%sequence, %head, %c0] {access_tile_order = #id3, access_tile_set = #head} : memref<8x4x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    %q_cube = ktdp.load %q_tile : <1x1x64xindex> -> tensor<1x1x64xf16>
    %q_row = tensor.collapse_shape %q_cube [[0, 1], [2]] : tensor<1x1x64xf16> into tensor<1x64xf16>

    %one = tensor.empty() : tensor<1xf32>
    %max_init = linalg.fill ins(%lowest : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    %sum_init = linalg.fill ins(%zero : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    %acc_init = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %no_scores = arith.constant dense<0.000000e+00> : tensor<1x16xf32>
    %scales = tensor.splat %scale : tensor<1x16xf32>
    %weights = tensor.empty() : tensor<1x16xf32>
    %values = tensor.empty() : tensor<1x64xf32>

    %max:3 = scf.for %page = %c0 to %pages step %c1 iter_args(%max_before = %max_init, %sum_before = %sum_init, %acc_before = %acc_init) -> (tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>) {
      // The page's number is looked up in the table.
      %k_tile = ktdp.construct_indirect_access_tile intermediate_variables(%slot, %e) %k_view[ind(%table_view[%sequence, %page]), (%slot), (%head), (%e)] {variables_space_order = #id2, variables_space_set = #page} : memref<272x16x4x64xf16>, memref<8x34xi32> -> !ktdp.access_tile<16x64xindex>
      %v_tile = ktdp.construct_indirect_access_tile intermediate_variables(%slot, %e) %v_view[ind(%table_view[%sequence, %page]), (%slot), (%head), (%e)] {variables_space_order = #id2, variables_space_set = #page} : memref<272x16x4x64xf16>, memref<8x34xi32> -> !ktdp.access_tile<16x64xindex>
      %k_page = ktdp.load %k_tile : <16x64xindex> -> tensor<16x64xf16>
      %v_page = ktdp.load %v_tile : <16x64xindex> -> tensor<16x64xf16>
      %k_empty = tensor.empty() : tensor<64x16xf16>
      %k_turned = linalg.transpose ins(%k_page : tensor<16x64xf16>) outs(%k_empty : tensor<64x16xf16>) permutation = [1, 0] 
      %products = linalg.matmul ins(%q_row, %k_turned : tensor<1x64xf16>, tensor<64x16xf16>) outs(%no_scores : tensor<1x16xf32>) -> tensor<1x16xf32>
      %scaled = arith.mulf %products, %scales : tensor<1x16xf32>

      // The last page may hold fewer tokens than it has room for.
      %first = arith.muli %page, %c16 : index
      %mask = tensor.generate  {
      ^bb0(%i: index, %j: index):
        %position = arith.addi %first, %j : index
        %counts = arith.cmpi ult, %position, %length : index
        %penalty = arith.select %counts, %zero, %lowest : f32
        tensor.yield %penalty : f32
      } : tensor<1x16xf32>
      %scores = arith.addf %scaled, %mask : tensor<1x16xf32>

      %max_now = linalg.reduce { arith.maximumf } ins(%scores : tensor<1x16xf32>) outs(%max_before : tensor<1xf32>) dimensions = [1] 
      %max_row = linalg.broadcast ins(%max_now : tensor<1xf32>) outs(%weights : tensor<1x16xf32>) dimensions = [1] 
      %shifted = arith.subf %scores, %max_row : tensor<1x16xf32>
      %power = math.exp %shifted : tensor<1x16xf32>
      %change = arith.subf %max_before, %max_now : tensor<1xf32>
      %factor = math.exp %change : tensor<1xf32>
      %sum_scaled = arith.mulf %sum_before, %factor : tensor<1xf32>
      %sum_now = linalg.reduce { arith.addf } ins(%power : tensor<1x16xf32>) outs(%sum_scaled : tensor<1xf32>) dimensions = [1] 
      %factor_row = linalg.broadcast ins(%factor : tensor<1xf32>) outs(%values : tensor<1x64xf32>) dimensions = [1] 
      %acc_scaled = arith.mulf %acc_before, %factor_row : tensor<1x64xf32>
      %power_short = arith.truncf %power : tensor<1x16xf32> to tensor<1x16xf16>
      %acc_now = linalg.matmul ins(%power_short, %v_page : tensor<1x16xf16>, tensor<16x64xf16>) outs(%acc_scaled : tensor<1x64xf32>) -> tensor<1x64xf32>
      scf.yield %max_now, %sum_now, %acc_now : tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>
    }

    %sum_row = linalg.broadcast ins(%max#1 : tensor<1xf32>) outs(%values : tensor<1x64xf32>) dimensions = [1] 
    %mean = arith.divf %max#2, %sum_row : tensor<1x64xf32>
    %row = arith.truncf %mean : tensor<1x64xf32> to tensor<1x64xf16>
    %result = tensor.expand_shape %row [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%sequence, %head, %c0] {access_tile_order = #id3, access_tile_set = #head} : memref<8x4x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %result, %out_tile : tensor<1x1x64xf16>, <1x1x64xindex>
    return
  }
}
