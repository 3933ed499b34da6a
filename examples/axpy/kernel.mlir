// out = 2.5 * x + y: 16 tiles, three rows of 256 elements each.

#id = affine_map<(d0, d1) -> (d0, d1)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 255 >= 0)>
module {
  func.func @axpy(%x: index, %y: index, %out: index) attributes {grid = [16]} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c3 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [48, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<48x256xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [48, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<48x256xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [48, 256], strides: [256, 1] {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<48x256xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<48x256xf16> -> !ktdp.access_tile<3x256xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<48x256xf16> -> !ktdp.access_tile<3x256xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<48x256xf16> -> !ktdp.access_tile<3x256xindex>

    %xs = ktdp.load %x_tile : <3x256xindex> -> tensor<3x256xf16>
    %ys = ktdp.load %y_tile : <3x256xindex> -> tensor<3x256xf16>
    %a = arith.constant dense<2.500000e+00> : tensor<3x256xf16>
    %ax = arith.mulf %a, %xs : tensor<3x256xf16>
    %sum = arith.addf %ax, %ys : tensor<3x256xf16>
    ktdp.store %sum, %out_tile : tensor<3x256xf16>, <3x256xindex>
    return
  }
}
