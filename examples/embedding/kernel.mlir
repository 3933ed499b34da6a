// out[t, :] = table[ids[t], :]: the rows of 256 tokens from a table of 512 rows of
// 128 elements; each of 32 tiles gathers 8 of them.

#id = affine_map<(d0, d1) -> (d0, d1)>
#ids = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>
#part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#table = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#tokens = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>

module {
  func.func @embedding(%table: index, %ids: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %tile = ktdp.get_compute_tile_id : index
    %first = arith.muli %tile, %c8 : index

    %table_view = ktdp.construct_memory_view %table, sizes: [512, 128], strides: [128, 1] {coordinate_set = #table, memory_space = #ktdp.memory_space<global>} : memref<512x128xf16>
    %ids_view = ktdp.construct_memory_view %ids, sizes: [256], strides: [1] {coordinate_set = #ids, memory_space = #ktdp.memory_space<global>} : memref<256xi32>
    %out_view = ktdp.construct_memory_view %out, sizes: [256, 128], strides: [128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<256x128xf16>

    // Element (t, e) of the tile is element (ids[first + t], e) of the table.
    %row_tile = ktdp.construct_indirect_access_tile intermediate_variables(%t, %e) %table_view[ind(%ids_view[%first + %t]), (%e)] {variables_space_order = #id, variables_space_set = #part} : memref<512x128xf16>, memref<256xi32> -> !ktdp.access_tile<8x128xindex>
    %rows = ktdp.load %row_tile : <8x128xindex> -> tensor<8x128xf16>
    %out_tile = ktdp.construct_access_tile %out_view[%first, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %rows, %out_tile : tensor<8x128xf16>, <8x128xindex>
    return
  }
}
