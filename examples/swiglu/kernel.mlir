// out = (silu(x @ gate) * (x @ up)) @ down on one tile: 32 tokens of 128
// elements, 256 in the middle. Products of matrices are f32; the middle goes
// into the last one as f16.

#id = affine_map<(d0, d1) -> (d0, d1)>
#narrow = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#tokens = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#widen = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>

module {
  func.func @swiglu(%x: index, %gate: index, %up: index, %down: index, %out: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %none_middle = arith.constant dense<0.000000e+00> : tensor<32x256xf32>
    %none_out = arith.constant dense<0.000000e+00> : tensor<32x128xf32>

    %x_view = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>
    %gate_view = ktdp.construct_memory_view %gate, sizes: [128, 256], strides: [256, 1] {coordinate_set = #widen, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %up_view = ktdp.construct_memory_view %up, sizes: [128, 256], strides: [256, 1] {coordinate_set = #widen, memory_space = #ktdp.memory_space<global>} : memref<128x256xf16>
    %down_view = ktdp.construct_memory_view %down, sizes: [256, 128], strides: [128, 1] {coordinate_set = #narrow, memory_space = #ktdp.memory_space<global>} : memref<256x128xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [32, 128], strides: [128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #tokens} : memref<32x128xf16> -> !ktdp.access_tile<32x128xindex>
    %gate_tile = ktdp.construct_access_tile %gate_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #widen} : memref<128x256xf16> -> !ktdp.access_tile<128x256xindex>
    %up_tile = ktdp.construct_access_tile %up_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #widen} : memref<128x256xf16> -> !ktdp.access_tile<128x256xindex>
    %down_tile = ktdp.construct_access_tile %down_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #narrow} : memref<256x128xf16> -> !ktdp.access_tile<256x128xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #tokens} : memref<32x128xf16> -> !ktdp.access_tile<32x128xindex>
    %xs = ktdp.load %x_tile : <32x128xindex> -> tensor<32x128xf16>
    %gates = ktdp.load %gate_tile : <128x256xindex> -> tensor<128x256xf16>
    %ups = ktdp.load %up_tile : <128x256xindex> -> tensor<128x256xf16>
    %downs = ktdp.load %down_tile : <256x128xindex> -> tensor<256x128xf16>

    %g = linalg.matmul ins(%xs, %gates : tensor<32x128xf16>, tensor<128x256xf16>) outs(%none_middle : tensor<32x256xf32>) -> tensor<32x256xf32>
    %u = linalg.matmul ins(%xs, %ups : tensor<32x128xf16>, tensor<128x256xf16>) outs(%none_middle : tensor<32x256xf32>) -> tensor<32x256xf32>

    %middle_init = tensor.empty() : tensor<32x256xf16>
    %middle = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<32x256xf32>, tensor<32x256xf32>) outs(%middle_init : tensor<32x256xf16>) {
    ^bb0(%g_e: f32, %u_e: f32, %o_e: f16):
      %sigmoid = spyreop.sigmoid %g_e : f32
      %silu = arith.mulf %g_e, %sigmoid : f32
      %gated = arith.mulf %silu, %u_e : f32
      %short = arith.truncf %gated : f32 to f16
      linalg.yield %short : f16
    } -> tensor<32x256xf16>

    %sum = linalg.matmul ins(%middle, %downs : tensor<32x256xf16>, tensor<256x128xf16>) outs(%none_out : tensor<32x128xf32>) -> tensor<32x128xf32>
    %result = arith.truncf %sum : tensor<32x128xf32> to tensor<32x128xf16>
    ktdp.store %result, %out_tile : tensor<32x128xf16>, <32x128xindex>
    return
  }
}
