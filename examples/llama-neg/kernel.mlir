#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set1 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>
module {
  func.func @fused_neg_0(%arg0: index, %arg1: index, %arg2: i32, %arg3: i32) attributes {grid = [32]} {
    %cst = arith.constant dense<0.000000e+00> : tensor<6x4x64xf16>
    %c6_i32 = arith.constant 6 : i32
    %c16_i32 = arith.constant 16 : i32
    %c64_i32 = arith.constant 64 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0 = ktdp.get_compute_tile_id : index
    %c0_0 = arith.index_cast %c0 : index to i32
    %row = arith.divsi %c0_0, %c16_i32 : i32
    %row_1 = arith.muli %row, %c6_i32 : i32
    %col = arith.remsi %c0_0, %c16_i32 : i32
    %col_2 = arith.muli %col, %c256_i32 : i32
    %stick = arith.divsi %col_2, %c64_i32 : i32
    %lane = arith.remsi %col_2, %c64_i32 : i32
    %x = ktdp.construct_memory_view %arg0, sizes: [12, 64, 64], strides: [4096, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x64x64xf16>
    %x_3 = arith.index_cast %row_1 : i32 to index
    %x_4 = arith.index_cast %stick : i32 to index
    %x_5 = arith.index_cast %lane : i32 to index
    %x_6 = ktdp.construct_access_tile %x[%x_3, %x_4, %x_5] {access_tile_order = #map, access_tile_set = #set1} : memref<12x64x64xf16> -> !ktdp.access_tile<6x4x64xindex>
    %x_7 = ktdp.load %x_6 : <6x4x64xindex> -> tensor<6x4x64xf16>
    %y = arith.subf %cst, %x_7 : tensor<6x4x64xf16>
    %o = ktdp.construct_memory_view %arg1, sizes: [12, 64, 64], strides: [4096, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x64x64xf16>
    %o_8 = ktdp.construct_access_tile %o[%x_3, %x_4, %x_5] {access_tile_order = #map, access_tile_set = #set1} : memref<12x64x64xf16> -> !ktdp.access_tile<6x4x64xindex>
    ktdp.store %y, %o_8 : tensor<6x4x64xf16>, <6x4x64xindex>
    return
  }
}
