// The feed-forward layer of the example swiglu on four tiles: each has 64 of the
// 256 columns of gate and up and the same rows of down, so that its product is a
// quarter of the last sum. An all-reduce adds the four; each tile writes 8 rows.

#eight = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#members = affine_set<(d0)[s0] : (d0 >= 0, -d0 + 3 >= 0)>
#narrow = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#narrow_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#one_group = affine_set<(d0) : (d0 == 0)>
#tokens = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#widen = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#widen_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>

module {
  func.func @swiglu_4_tiles(%x: index, %gate: index, %up: index, %down: index, %out: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %none_middle = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %none_out = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c8 : index
    %middle_first = arith.muli %tile, %c64 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>
    %gate_view = ktdp.construct_memory_view %gate, sizes: [128, 256], strides: [256, 1] {coordinate_set = #widen, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %up_view = ktdp.construct_memory_view %up, sizes: [128, 256], strides: [256, 1] {coordinate_set = #widen, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %down_view = ktdp.construct_memory_view %down, sizes: [256, 128], strides: [128, 1] {coordinate_set = #narrow, memory_space = #ktdp.memory_space<global>} : memref<256x128xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [32, 128], strides: [128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #tokens} : memref<32x128xf16> -> !ktdp.access_tile<32x128xindex>
    %gate_tile = ktdp.construct_access_tile %gate_view[%c0, %middle_first] {access_tile_order = #id, access_tile_set = #widen_part} : memref<128x256xf16> -> !ktdp.access_tile<128x64xindex>
    %up_tile = ktdp.construct_access_tile %up_view[%c0, %middle_first] {access_tile_order = #id, access_tile_set = #widen_part} : memref<128x256xf16> -> !ktdp.access_tile<128x64xindex>
    %down_tile = ktdp.construct_access_tile %down_view[%middle_first, %c0] {access_tile_order = #id, access_tile_set = #narrow_part} : memref<256x128xf16> -> !ktdp.access_tile<64x128xindex>
    %xs = ktdp.load %x_tile : <32x128xindex> -> tensor<32x128xf16>
    %gates = ktdp.load %gate_tile : <128x64xindex> -> tensor<128x64xf16>
    %ups = ktdp.load %up_tile : <128x64xindex> -> tensor<128x64xf16>
    %downs = ktdp.load %down_tile : <64x128xindex> -> tensor<64x128xf16>

    %g = linalg.matmul ins(%xs, %gates : tensor<32x128xf16>, tensor<128x64xf16>) outs(%none_middle : tensor<32x64xf32>) -> tensor<32x64xf32>
    %u = linalg.matmul ins(%xs, %ups : tensor<32x128xf16>, tensor<128x64xf16>) outs(%none_middle : tensor<32x64xf32>) -> tensor<32x64xf32>
    %middle_init = tensor.empty() : tensor<32x64xf16>
    %middle = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<32x64xf32>, tensor<32x64xf32>) outs(%middle_init : tensor<32x64xf16>) {
    ^bb0(%g_e: f32, %u_e: f32, %o_e: f16):
      %sigmoid = spyreop.sigmoid %g_e : f32
      %silu = arith.mulf %g_e, %sigmoid : f32
      %gated = arith.mulf %silu, %u_e : f32
      %short = arith.truncf %gated : f32 to f16
      linalg.yield %short : f16
    } -> tensor<32x64xf16>
    %partial = linalg.matmul ins(%middle, %downs : tensor<32x64xf16>, tensor<64x128xf16>) outs(%none_out : tensor<32x128xf32>) -> tensor<32x128xf32>

    %future = ktdp.inter_tile_produce producer_tiles_per_group = #members -> <(tensor<32x128xf32>), groups = #one_group> {
    ^bb0(%group: index):
      ktdp.yield_partial %partial : tensor<32x128xf32>
    }
    %sum = ktdp.inter_tile_reduce(%future) consumer_tiles_per_group = #members, identity(%none_out : tensor<32x128xf32>) : <(tensor<32x128xf32>), groups = #one_group> -> tensor<32x128xf32> {
    ^bb0(%a: tensor<32x128xf32>, %b: tensor<32x128xf32>):
      %both = arith.addf %a, %b : tensor<32x128xf32>
      ktdp.yield_reduced %both : tensor<32x128xf32>
    }

    %mine = tensor.extract_slice %sum[%row, 0] [8, 128] [1, 1] : tensor<32x128xf32> to tensor<8x128xf32>
    %result = arith.truncf %mine : tensor<8x128xf32> to tensor<8x128xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #eight} : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %result, %out_tile : tensor<8x128xf16>, <8x128xindex>
    return
  }
}
