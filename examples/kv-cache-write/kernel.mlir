// k_cache[slots[t]] = k[t] and v_cache[slots[t]] = v[t] for 64 new tokens of 4
// heads with 64 elements; the other slots of the 128 keep what they hold. Each of
// 32 tiles scatters 2 tokens.

#cache = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#part = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#slots = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#tokens = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>

module {
  func.func @kv_cache_write(%k: index, %v: index, %slots: index, %k_cache: index, %v_cache: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %tile = ktdp.get_compute_tile_id : index
    %first = arith.muli %tile, %c2 : index

    %k_view = ktdp.construct_memory_view %k, sizes: [64, 4, 64], strides: [256, 64, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<64x4x64xf16>
    %v_view = ktdp.construct_memory_view %v, sizes: [64, 4, 64], strides: [256, 64, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<64x4x64xf16>
    %slots_view = ktdp.construct_memory_view %slots, sizes: [64], strides: [1] {coordinate_set = #slots, memory_space = #ktdp.memory_space<global>} : memref<64xi32>
    %k_cache_view = ktdp.construct_memory_view %k_cache, sizes: [128, 4, 64], strides: [256, 64, 1] {coordinate_set = #cache, memory_space = #ktdp.memory_space<global>} : memref<128x4x64xf16>
    %v_cache_view = ktdp.construct_memory_view %v_cache, sizes: [128, 4, 64], strides: [256, 64, 1] {coordinate_set = #cache, memory_space = #ktdp.memory_space<global>} : memref<128x4x64xf16>

    %k_tile = ktdp.construct_access_tile %k_view[%first, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<64x4x64xf16> -> !ktdp.access_tile<2x4x64xindex>
    %v_tile = ktdp.construct_access_tile %v_view[%first, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<64x4x64xf16> -> !ktdp.access_tile<2x4x64xindex>
    %ks = ktdp.load %k_tile : <2x4x64xindex> -> tensor<2x4x64xf16>
    %vs = ktdp.load %v_tile : <2x4x64xindex> -> tensor<2x4x64xf16>

    // A store through an indirect tile is a scatter.
    %k_slots = ktdp.construct_indirect_access_tile intermediate_variables(%t, %h, %e) %k_cache_view[ind(%slots_view[%first + %t]), (%h), (%e)] {variables_space_order = #id, variables_space_set = #part} : memref<128x4x64xf16>, memref<64xi32> -> !ktdp.access_tile<2x4x64xindex>
    %v_slots = ktdp.construct_indirect_access_tile intermediate_variables(%t, %h, %e) %v_cache_view[ind(%slots_view[%first + %t]), (%h), (%e)] {variables_space_order = #id, variables_space_set = #part} : memref<128x4x64xf16>, memref<64xi32> -> !ktdp.access_tile<2x4x64xindex>
    ktdp.store %ks, %k_slots : tensor<2x4x64xf16>, <2x4x64xindex>
    ktdp.store %vs, %v_slots : tensor<2x4x64xf16>, <2x4x64xindex>
    return
  }
}
