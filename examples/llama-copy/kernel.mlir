#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 223 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set1 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 6 >= 0, d2 >= 0, -d2 + 63 >= 0)>
module {
  func.func @fused_copy_0(%arg0: index, %arg1: index, %arg2: i32) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c64_i32 = arith.constant 64 : i32
    %c448_i32 = arith.constant 448 : i32
    %pid = ktdp.get_compute_tile_id : index
    %pid_0 = arith.index_cast %pid : index to i32
    %off = arith.muli %pid_0, %c448_i32 : i32
    %stick = arith.divsi %off, %c64_i32 : i32
    %lane = arith.remsi %off, %c64_i32 : i32
    %src = ktdp.construct_memory_view %arg0, sizes: [12, 224, 64], strides: [14336, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x224x64xf16>
    %stick_1 = arith.index_cast %stick : i32 to index
    %lane_2 = arith.index_cast %lane : i32 to index
    %src_3 = ktdp.construct_access_tile %src[%c0, %stick_1, %lane_2] {access_tile_order = #map, access_tile_set = #set1} : memref<12x224x64xf16> -> !ktdp.access_tile<12x7x64xindex>
    %src_4 = ktdp.load %src_3 : <12x7x64xindex> -> tensor<12x7x64xf16>
    %dst = ktdp.construct_memory_view %arg1, sizes: [12, 224, 64], strides: [14336, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x224x64xf16>
    %dst_5 = ktdp.construct_access_tile %dst[%c0, %stick_1, %lane_2] {access_tile_order = #map, access_tile_set = #set1} : memref<12x224x64xf16> -> !ktdp.access_tile<12x7x64xindex>
    ktdp.store %src_4, %dst_5 : tensor<12x7x64xf16>, <12x7x64xindex>
    return
  }
}
