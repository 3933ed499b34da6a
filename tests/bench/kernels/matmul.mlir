// c = a @ b, with a of 1024 x k and b of k x 1024, k a multiple of 64. Each of 32
// tiles computes a block of 128 x 256 and adds up f16 products in f32.

#a_all = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0)>
#b_all = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#b_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#a_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>

module {
  func.func @matmul(%a: index, %b: index, %c: index, %k: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.000000e+00 : f32
    %tile = ktdp.get_compute_tile_id : index
    %block_row = arith.divui %tile, %c4 : index
    %block_column = arith.remui %tile, %c4 : index
    %m = arith.muli %block_row, %c128 : index
    %n = arith.muli %block_column, %c256 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [1024, %k], strides: [%k, 1] {coordinate_set = #a_all, memory_space = #ktdp.memory_space<global>} : memref<1024x?xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%k, 1024], strides: [1024, 1] {coordinate_set = #b_all, memory_space = #ktdp.memory_space<global>} : memref<?x1024xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = #c_all, memory_space = #ktdp.memory_space<global>} : memref<1024x1024xf16>

    %empty = tensor.empty() : tensor<128x256xf32>
    %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %none) -> (tensor<128x256xf32>) {
      %a_tile = ktdp.construct_access_tile %a_view[%m, %i] {access_tile_order = #id, access_tile_set = #a_part} : memref<1024x?xf16> -> !ktdp.access_tile<128x64xindex>
      %b_tile = ktdp.construct_access_tile %b_view[%i, %n] {access_tile_order = #id, access_tile_set = #b_part} : memref<?x1024xf16> -> !ktdp.access_tile<64x256xindex>
      %as = ktdp.load %a_tile : <128x64xindex> -> tensor<128x64xf16>
      %bs = ktdp.load %b_tile : <64x256xindex> -> tensor<64x256xf16>
      %next = linalg.matmul ins(%as, %bs : tensor<128x64xf16>, tensor<64x256xf16>) outs(%acc : tensor<128x256xf32>) -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }

    %result = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
    %c_tile = ktdp.construct_access_tile %c_view[%m, %n] {access_tile_order = #id, access_tile_set = #c_part} : memref<1024x1024xf16> -> !ktdp.access_tile<128x256xindex>
    ktdp.store %result, %c_tile : tensor<128x256xf16>, <128x256xindex>
    return
  }
}
