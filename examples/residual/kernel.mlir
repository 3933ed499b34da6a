// out = max(x * s + b, 0): 32 tiles, 64 rows of 512 elements each.

#id = affine_map<(d0, d1) -> (d0, d1)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 511 >= 0)>
module {
  func.func @residual(%x: index, %s: index, %b: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c64 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [2048, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<2048x512xf16>
    %s_view = ktdp.construct_memory_view %s, sizes: [2048, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<2048x512xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [2048, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<2048x512xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [2048, 512], strides: [512, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<2048x512xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<2048x512xf16> -> !ktdp.access_tile<64x512xindex>
    %s_tile = ktdp.construct_access_tile %s_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<2048x512xf16> -> !ktdp.access_tile<64x512xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<2048x512xf16> -> !ktdp.access_tile<64x512xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<2048x512xf16> -> !ktdp.access_tile<64x512xindex>

    %xs = ktdp.load %x_tile : <64x512xindex> -> tensor<64x512xf16>
    %ss = ktdp.load %s_tile : <64x512xindex> -> tensor<64x512xf16>
    %bs = ktdp.load %b_tile : <64x512xindex> -> tensor<64x512xf16>

    // Multiply and add element by element, then a maximum on whole tensors.
    %empty = tensor.empty() : tensor<64x512xf16>
    %scaled = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%xs, %ss, %bs : tensor<64x512xf16>, tensor<64x512xf16>, tensor<64x512xf16>) outs(%empty : tensor<64x512xf16>) {
    ^bb0(%x_e: f16, %s_e: f16, %b_e: f16, %o_e: f16):
      %product = arith.mulf %x_e, %s_e : f16
      %shifted = arith.addf %product, %b_e : f16
      linalg.yield %shifted : f16
    } -> tensor<64x512xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x512xf16>
    %clamped = arith.maximumf %scaled, %zero : tensor<64x512xf16>
    ktdp.store %clamped, %out_tile : tensor<64x512xf16>, <64x512xindex>
    return
  }
}
