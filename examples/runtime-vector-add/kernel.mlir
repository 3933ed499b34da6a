// c = a + b on a number of elements that is known at launch only. It is a multiple
// of 64; each of 32 tiles takes the same number of blocks of 64, the last ones
// fewer or none.

#all = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
#id = affine_map<(d0) -> (d0)>

module {
  func.func @runtime_vector_add(%a: index, %b: index, %c: index, %n: !ktdp.runtime_arg<index, granularity=64, upperbound=65536>) attributes {grid = [32]} {
    %tiles = arith.constant 32 : index
    %tile = ktdp.get_compute_tile_id : index
    %size = ktdp.runtime_arg_extract value from %n : <index, granularity=64, upperbound=65536> -> index
    %block = ktdp.runtime_arg_extract granularity from %n : <index, granularity=64, upperbound=65536> -> index

    %blocks = arith.divui %size, %block : index
    %per_tile = arith.ceildivui %blocks, %tiles : index
    %part = arith.muli %per_tile, %block : index
    %from = arith.muli %tile, %part : index
    %first = arith.minui %from, %size : index
    %left = arith.subi %size, %first : index
    %count = arith.minui %part, %left : index

    %a_view = ktdp.construct_memory_view %a, sizes: [%size], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%size], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [%size], strides: [1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<?xf16>

    // The extent of a tile follows from the symbol of its set.
    %a_tile = ktdp.construct_access_tile %a_view[%first] symbols(%count) {access_tile_order = #id, access_tile_set = #all} : memref<?xf16> -> !ktdp.access_tile<?xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%first] symbols(%count) {access_tile_order = #id, access_tile_set = #all} : memref<?xf16> -> !ktdp.access_tile<?xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%first] symbols(%count) {access_tile_order = #id, access_tile_set = #all} : memref<?xf16> -> !ktdp.access_tile<?xindex>
    %as = ktdp.load %a_tile : <?xindex> -> tensor<?xf16>
    %bs = ktdp.load %b_tile : <?xindex> -> tensor<?xf16>
    %sum = arith.addf %as, %bs : tensor<?xf16>
    ktdp.store %sum, %c_tile : tensor<?xf16>, <?xindex>
    return
  }
}
