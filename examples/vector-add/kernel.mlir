// c = a + b: each of 32 tiles adds 1024 consecutive elements.

#all = affine_set<(d0) : (d0 >= 0, -d0 + 32767 >= 0)>
#id = affine_map<(d0) -> (d0)>
#part = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>
module {
  func.func @vector_add(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %tile = ktdp.get_compute_tile_id : index
    %size = arith.constant 1024 : index
    %first = arith.muli %tile, %size : index

    %a_view = ktdp.construct_memory_view %a, sizes: [32768], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<32768xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [32768], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<32768xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [32768], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<32768xf16>

    %a_tile = ktdp.construct_access_tile %a_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<32768xf16> -> !ktdp.access_tile<1024xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<32768xf16> -> !ktdp.access_tile<1024xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%first] {access_tile_order = #id, access_tile_set = #part} : memref<32768xf16> -> !ktdp.access_tile<1024xindex>

    %x = ktdp.load %a_tile : <1024xindex> -> tensor<1024xf16>
    %y = ktdp.load %b_tile : <1024xindex> -> tensor<1024xf16>
    %empty = tensor.empty() : tensor<1024xf16>
    %sum = linalg.add ins(%x, %y : tensor<1024xf16>, tensor<1024xf16>) outs(%empty : tensor<1024xf16>) -> tensor<1024xf16>
    ktdp.store %sum, %c_tile : tensor<1024xf16>, <1024xindex>
    return
  }
}
