// y = x, column by column: each of 32 tiles copies every 32nd column.

#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#column = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 == 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @columns(%x: index, %y: index) attributes {grid = [32]} {
    %tile = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %tiles = arith.constant 32 : index
    %width = arith.constant 512 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [4096, 512], strides: [512, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<4096x512xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [4096, 512], strides: [512, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<4096x512xf16>

    scf.for %column = %tile to %width step %tiles {
      %x_tile = ktdp.construct_access_tile %x_view[%c0, %column] {access_tile_order = #id, access_tile_set = #column} : memref<4096x512xf16> -> !ktdp.access_tile<4096x1xindex>
      %y_tile = ktdp.construct_access_tile %y_view[%c0, %column] {access_tile_order = #id, access_tile_set = #column} : memref<4096x512xf16> -> !ktdp.access_tile<4096x1xindex>
      %value = ktdp.load %x_tile : <4096x1xindex> -> tensor<4096x1xf16>
      ktdp.store %value, %y_tile : tensor<4096x1xf16>, <4096x1xindex>
    }
    return
  }
}
