// y = x, byte by byte: of 32 tiles, each copies every 32nd byte.

#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32767 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#column = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32767 >= 0, d1 == 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @interleaved_bytes(%x: index, %y: index) attributes {grid = [32]} {
    %tile = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [32768, 32], strides: [32, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<32768x32xi8>
    %y_view = ktdp.construct_memory_view %y, sizes: [32768, 32], strides: [32, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<32768x32xi8>

    %x_tile = ktdp.construct_access_tile %x_view[%c0, %tile] {access_tile_order = #id, access_tile_set = #column} : memref<32768x32xi8> -> !ktdp.access_tile<32768x1xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%c0, %tile] {access_tile_order = #id, access_tile_set = #column} : memref<32768x32xi8> -> !ktdp.access_tile<32768x1xindex>

    %value = ktdp.load %x_tile : <32768x1xindex> -> tensor<32768x1xi8>
    ktdp.store %value, %y_tile : tensor<32768x1xi8>, <32768x1xindex>
    return
  }
}
