// h = x, then h = h + max(h * w[i] + b[i], 0) for each layer i. The 8 rows of a
// tile stay in its scratchpad, in a view of their own, from the first layer to the
// last; only weights come from device memory in between.

#id = affine_map<(d0, d1) -> (d0, d1)>
#layer = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 255 >= 0)>
#layers = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>

module {
  func.func @scratchpad_residual(%x: index, %w: index, %b: index, %out: index, %layers: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.000000e+00> : tensor<8x256xf16>
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c8 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [256, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<256x256xf16>
    %w_view = ktdp.construct_memory_view %w, sizes: [%layers, 256], strides: [256, 1] {coordinate_set = #layers, memory_space = #ktdp.memory_space<global>} : memref<?x256xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%layers, 256], strides: [256, 1] {coordinate_set = #layers, memory_space = #ktdp.memory_space<global>} : memref<?x256xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [256, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<256x256xf16>
    %h_view = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {coordinate_set = #part, memory_space = #ktdp.memory_space<ct_local>} : memref<8x256xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<256x256xf16> -> !ktdp.access_tile<8x256xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<256x256xf16> -> !ktdp.access_tile<8x256xindex>
    %h_tile = ktdp.construct_access_tile %h_view[%c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<8x256xf16> -> !ktdp.access_tile<8x256xindex>

    %xs = ktdp.load %x_tile : <8x256xindex> -> tensor<8x256xf16>
    ktdp.store %xs, %h_tile : tensor<8x256xf16>, <8x256xindex>
    scf.for %i = %c0 to %layers step %c1 {
      %w_tile = ktdp.construct_access_tile %w_view[%i, %c0] {access_tile_order = #id, access_tile_set = #layer} : memref<?x256xf16> -> !ktdp.access_tile<1x256xindex>
      %b_tile = ktdp.construct_access_tile %b_view[%i, %c0] {access_tile_order = #id, access_tile_set = #layer} : memref<?x256xf16> -> !ktdp.access_tile<1x256xindex>
      %w_row = ktdp.load %w_tile : <1x256xindex> -> tensor<1x256xf16>
      %b_row = ktdp.load %b_tile : <1x256xindex> -> tensor<1x256xf16>
      %w_line = tensor.collapse_shape %w_row [[0, 1]] : tensor<1x256xf16> into tensor<256xf16>
      %b_line = tensor.collapse_shape %b_row [[0, 1]] : tensor<1x256xf16> into tensor<256xf16>
      %empty = tensor.empty() : tensor<8x256xf16>
      %ws = linalg.broadcast ins(%w_line : tensor<256xf16>) outs(%empty : tensor<8x256xf16>) dimensions = [0] 
      %bs = linalg.broadcast ins(%b_line : tensor<256xf16>) outs(%empty : tensor<8x256xf16>) dimensions = [0] 

      // In place: the block is read and written where it lies.
      %h = ktdp.load %h_tile : <8x256xindex> -> tensor<8x256xf16>
      %scaled = arith.mulf %h, %ws : tensor<8x256xf16>
      %shifted = arith.addf %scaled, %bs : tensor<8x256xf16>
      %clamped = arith.maximumf %shifted, %zero : tensor<8x256xf16>
      %next = arith.addf %h, %clamped : tensor<8x256xf16>
      ktdp.store %next, %h_tile : tensor<8x256xf16>, <8x256xindex>
    }
    %result = ktdp.load %h_tile : <8x256xindex> -> tensor<8x256xf16>
    ktdp.store %result, %out_tile : tensor<8x256xf16>, <8x256xindex>
    return
  }
}
