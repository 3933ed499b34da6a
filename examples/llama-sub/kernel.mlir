#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 >= 0, d2 >= 0, -d2 + 63 >= 0, d3 >= 0, -d3 + 63 >= 0)>
#set1 = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 63 >= 0)>
module {
  func.func @fused_sub_0(%arg0: index, %arg1: index, %arg2: index, %arg3: i32, %arg4: i32, %arg5: i32) attributes {grid = [32]} {
    %tmp1 = arith.constant 0 : index
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0 = ktdp.get_compute_tile_id : index
    %c0_0 = arith.index_cast %c0 : index to i32
    %c1 = arith.muli %c0_0, %c128_i32 : i32
    %s = arith.divsi %c1, %c64_i32 : i32
    %s_1 = arith.remsi %c1, %c64_i32 : i32
    %u = ktdp.construct_memory_view %arg0, sizes: [12, 1, 64, 64], strides: [4096, 4096, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x1x64x64xf16>
    %v = ktdp.construct_memory_view %arg1, sizes: [12, 1, 64, 64], strides: [4096, 4096, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x1x64x64xf16>
    %w = ktdp.construct_memory_view %arg2, sizes: [12, 1, 64, 64], strides: [4096, 4096, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x1x64x64xf16>
    %u_2 = arith.index_cast %s : i32 to index
    %u_3 = arith.index_cast %s_1 : i32 to index
    %u_4 = ktdp.construct_access_tile %u[%tmp1, %tmp1, %u_2, %u_3] {access_tile_order = #map, access_tile_set = #set1} : memref<12x1x64x64xf16> -> !ktdp.access_tile<12x1x2x64xindex>
    %u_5 = ktdp.load %u_4 : <12x1x2x64xindex> -> tensor<12x1x2x64xf16>
    %v_6 = ktdp.construct_access_tile %v[%tmp1, %tmp1, %u_2, %u_3] {access_tile_order = #map, access_tile_set = #set1} : memref<12x1x64x64xf16> -> !ktdp.access_tile<12x1x2x64xindex>
    %v_7 = ktdp.load %v_6 : <12x1x2x64xindex> -> tensor<12x1x2x64xf16>
    %d = arith.subf %u_5, %v_7 : tensor<12x1x2x64xf16>
    %w_8 = ktdp.construct_access_tile %w[%tmp1, %tmp1, %u_2, %u_3] {access_tile_order = #map, access_tile_set = #set1} : memref<12x1x64x64xf16> -> !ktdp.access_tile<12x1x2x64xindex>
    ktdp.store %d, %w_8 : tensor<12x1x2x64xf16>, <12x1x2x64xindex>
    return
  }
}
