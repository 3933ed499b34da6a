// c = a + b: each of 32 tiles adds 384 consecutive elements.

#all = affine_set<(d0) : (d0 >= 0, -d0 + 12287 >= 0)>
#id = affine_map<(d0) -> (d0)>
#part = affine_set<(d0) : (d0 >= 0, -d0 + 383 >= 0)>
module {
  func.func @vector_add(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %tile = ktdp.get_compute_tile_id : index
    %size = arith.constant 384 : index
    %first = arith.muli %tile, %size : index

    %a_view = ktdp.construct_memory_view %a, sizes: [12288], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<12288xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [12288], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<12288xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [12288], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<12288xf16>

    %a_tile = ktdp.construct_access_tile %a_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<12288xf16> -> !ktdp.access_tile<384xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<12288xf16> -> !ktdp.access_tile<384xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<12288xf16> -> !ktdp.access_tile<384xindex>

    %x = ktdp.load %a_tile : <384xindex> -> tensor<384xf16>
    %y = ktdp.load %b_tile : <384xindex> -> tensor<384xf16>
    %empty = tensor.empty() : tensor<384xf16>
    %sum = linalg.add ins(%x, %y : tensor<384xf16>, tensor<384xf16>) outs(%empty : tensor<384xf16>) -> tensor<384xf16>
    ktdp.store %sum, %c_tile : tensor<384xf16>, <384xindex>
    return
  }
}
