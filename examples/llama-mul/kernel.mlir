#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 11 >= 0, d2 >= 0, -d2 + 223 >= 0, d3 >= 0, -d3 + 63 >= 0)>
#set1 = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 11 >= 0, d2 >= 0, -d2 + 6 >= 0, d3 >= 0, -d3 + 63 >= 0)>
module {
  func.func @fused_mul_0(%arg0: index, %arg1: index, %arg2: i32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c64_i32 = arith.constant 64 : i32
    %c448_i32 = arith.constant 448 : i32
    %id = ktdp.get_compute_tile_id : index
    %id_0 = arith.index_cast %id : index to i32
    %o = arith.muli %id_0, %c448_i32 : i32
    %o_1 = arith.divsi %o, %c64_i32 : i32
    %o_2 = arith.remsi %o, %c64_i32 : i32
    %x = ktdp.construct_memory_view %arg0, sizes: [1, 12, 224, 64], strides: [172032, 14336, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x12x224x64xf16>
    %g = ktdp.construct_memory_view %arg1, sizes: [1, 12, 224, 64], strides: [172032, 14336, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x12x224x64xf16>
    %x_3 = arith.index_cast %o_1 : i32 to index
    %x_4 = arith.index_cast %o_2 : i32 to index
    %x_5 = ktdp.construct_access_tile %x[%c0, %c0, %x_3, %x_4] {access_tile_order = #map, access_tile_set = #set1} : memref<1x12x224x64xf16> -> !ktdp.access_tile<1x12x7x64xindex>
    %x_6 = ktdp.load %x_5 : <1x12x7x64xindex> -> tensor<1x12x7x64xf16>
    %g_7 = ktdp.construct_access_tile %g[%c0, %c0, %x_3, %x_4] {access_tile_order = #map, access_tile_set = #set1} : memref<1x12x224x64xf16> -> !ktdp.access_tile<1x12x7x64xindex>
    %g_8 = ktdp.load %g_7 : <1x12x7x64xindex> -> tensor<1x12x7x64xf16>
    %p = arith.mulf %x_6, %g_8 : tensor<1x12x7x64xf16>
    ktdp.store %p, %x_5 : tensor<1x12x7x64xf16>, <1x12x7x64xindex>
    return
  }
}
