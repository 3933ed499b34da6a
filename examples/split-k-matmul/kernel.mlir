// c = a @ b, with a of 64 x 1024 and b of 1024 x 128. A group of 4 tiles computes
// a block of 32 x 32: each tile a quarter of the sum over k. The first tile of a
// group gets the sum of the four and writes it.

#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#a_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#b_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#c_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#first = affine_set<(d0)[s0] : (d0 - s0 * 4 == 0)>
#groups = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#members = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>

module {
  func.func @split_k_matmul(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %tile = ktdp.get_compute_tile_id : index
    %group = arith.divui %tile, %c4 : index
    %member = arith.remui %tile, %c4 : index
    %block_row = arith.divui %group, %c4 : index
    %block_column = arith.remui %group, %c4 : index
    %m = arith.muli %block_row, %c32 : index
    %n = arith.muli %block_column, %c32 : index
    %k = arith.muli %member, %c256 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [64, 1024], strides: [1024, 1] {coordinate_set = #a_all, memory_space = #ktdp.memory_space<global>} : memref<64x1024xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [1024, 128], strides: [128, 1] {coordinate_set = #b_all, memory_space = #ktdp.memory_space<global>} : memref<1024x128xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [64, 128], strides: [128, 1] {coordinate_set = #c_all, memory_space = #ktdp.memory_space<global>} : memref<64x128xf16>
    %a_tile = ktdp.construct_access_tile %a_view[%m, %k] {access_tile_order = #id, access_tile_set = #a_part} : memref<64x1024xf16> -> !ktdp.access_tile<32x256xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%k, %n] {access_tile_order = #id, access_tile_set = #b_part} : memref<1024x128xf16> -> !ktdp.access_tile<256x32xindex>
    %as = ktdp.load %a_tile : <32x256xindex> -> tensor<32x256xf16>
    %bs = ktdp.load %b_tile : <256x32xindex> -> tensor<256x32xf16>
    %partial = linalg.matmul ins(%as, %bs : tensor<32x256xf16>, tensor<256x32xf16>) outs(%none : tensor<32x32xf32>) -> tensor<32x32xf32>

    %future = ktdp.inter_tile_produce producer_tiles_per_group = #members -> <(tensor<32x32xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %partial : tensor<32x32xf32>
    }
    %sum = ktdp.inter_tile_reduce(%future) consumer_tiles_per_group = #first, identity(%none : tensor<32x32xf32>) : <(tensor<32x32xf32>), groups = #groups> -> tensor<32x32xf32> {
    ^bb0(%l: tensor<32x32xf32>, %r: tensor<32x32xf32>):
      %both = arith.addf %l, %r : tensor<32x32xf32>
      ktdp.yield_reduced %both : tensor<32x32xf32>
    }

    // On the other tiles the sum is undefined.
    %is_first = arith.cmpi eq, %member, %c0 : index
    scf.if %is_first {
      %result = arith.truncf %sum : tensor<32x32xf32> to tensor<32x32xf16>
      %c_tile = ktdp.construct_access_tile %c_view[%m, %n] {access_tile_order = #id, access_tile_set = #c_part} : memref<64x128xf16> -> !ktdp.access_tile<32x32xindex>
      ktdp.store %result, %c_tile : tensor<32x32xf16>, <32x32xindex>
    }
    return
  }
}
