// Two results of the same two inputs.

#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 191 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 191 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @two_stores(%a: index, %b: index, %sum: index, %difference: index) attributes {grid = [5]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c4 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %a_tile = ktdp.construct_access_tile %a_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %b_view = ktdp.construct_memory_view %b, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %b_tile = ktdp.construct_access_tile %b_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %sum_view = ktdp.construct_memory_view %sum, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %sum_tile = ktdp.construct_access_tile %sum_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %difference_view = ktdp.construct_memory_view %difference, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %difference_tile = ktdp.construct_access_tile %difference_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %av = ktdp.load %a_tile : !ktdp.access_tile<4x192xindex> -> tensor<4x192xf16>
    %bv = ktdp.load %b_tile : !ktdp.access_tile<4x192xindex> -> tensor<4x192xf16>
    %s = arith.addf %av, %bv : tensor<4x192xf16>
    %d = arith.subf %av, %bv : tensor<4x192xf16>
    ktdp.store %s, %sum_tile : tensor<4x192xf16>, !ktdp.access_tile<4x192xindex>
    ktdp.store %d, %difference_tile : tensor<4x192xf16>, !ktdp.access_tile<4x192xindex>
    return
  }
}
