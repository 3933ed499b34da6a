// A quotient, which runs at level ktir but cannot be scheduled.

#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 191 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 191 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @outside_class(%a: index, %out: index) attributes {grid = [5]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = ktdp.get_compute_tile_id : index
    %row = arith.muli %tile, %c4 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %a_tile = ktdp.construct_access_tile %a_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %out_view = ktdp.construct_memory_view %out, sizes: [20, 192], strides: [192, 1]
      {coordinate_set = #rows, memory_space = #ktdp.memory_space<global>} : memref<20x192xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%row, %c0] {access_tile_set = #part, access_tile_order = #id}
      : memref<20x192xf16> -> !ktdp.access_tile<4x192xindex>
    %av = ktdp.load %a_tile : !ktdp.access_tile<4x192xindex> -> tensor<4x192xf16>
    %e = arith.divf %av, %av : tensor<4x192xf16>
    ktdp.store %e, %out_tile : tensor<4x192xf16>, !ktdp.access_tile<4x192xindex>
    return
  }
}
