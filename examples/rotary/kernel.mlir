// Rotary position embedding of 128 tokens with 8 heads of 64 elements: the
// halves a, b of a head become a * cos - b * sin and b * cos + a * sin. Each of
// 32 tiles takes 4 tokens.

#angle_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#angles = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#part = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#tokens = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>

module {
  func.func @rotary(%x: index, %cos: index, %sin: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = ktdp.get_compute_tile_id : index
    %token = arith.muli %tile, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 8, 64], strides: [512, 64, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<128x8x64xf16>
    %cos_view = ktdp.construct_memory_view %cos, sizes: [128, 32], strides: [32, 1] {coordinate_set = #angles, memory_space = #ktdp.memory_space<global>} : memref<128x32xf16>
    %sin_view = ktdp.construct_memory_view %sin, sizes: [128, 32], strides: [32, 1] {coordinate_set = #angles, memory_space = #ktdp.memory_space<global>} : memref<128x32xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [128, 8, 64], strides: [512, 64, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<128x8x64xf16>

    %x_tile = ktdp.construct_access_tile %x_view[%token, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x8x64xf16> -> !ktdp.access_tile<4x8x64xindex>
    %cos_tile = ktdp.construct_access_tile %cos_view[%token, %c0] {access_tile_order = #id2, access_tile_set = #angle_part} : memref<128x32xf16> -> !ktdp.access_tile<4x32xindex>
    %sin_tile = ktdp.construct_access_tile %sin_view[%token, %c0] {access_tile_order = #id2, access_tile_set = #angle_part} : memref<128x32xf16> -> !ktdp.access_tile<4x32xindex>
    %out_tile = ktdp.construct_access_tile %out_view[%token, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<128x8x64xf16> -> !ktdp.access_tile<4x8x64xindex>
    %xs = ktdp.load %x_tile : <4x8x64xindex> -> tensor<4x8x64xf16>
    %cosines = ktdp.load %cos_tile : <4x32xindex> -> tensor<4x32xf16>
    %sines = ktdp.load %sin_tile : <4x32xindex> -> tensor<4x32xf16>

    // The angles are those of the token, the same for every head.
    %empty = tensor.empty() : tensor<4x8x32xf16>
    %c = linalg.broadcast ins(%cosines : tensor<4x32xf16>) outs(%empty : tensor<4x8x32xf16>) dimensions = [1] 
    %s = linalg.broadcast ins(%sines : tensor<4x32xf16>) outs(%empty : tensor<4x8x32xf16>) dimensions = [1] 
    %a = tensor.extract_slice %xs[0, 0, 0] [4, 8, 32] [1, 1, 1] : tensor<4x8x64xf16> to tensor<4x8x32xf16>
    %b = tensor.extract_slice %xs[0, 0, 32] [4, 8, 32] [1, 1, 1] : tensor<4x8x64xf16> to tensor<4x8x32xf16>
    %ac = arith.mulf %a, %c : tensor<4x8x32xf16>
    %bs = arith.mulf %b, %s : tensor<4x8x32xf16>
    %first = arith.subf %ac, %bs : tensor<4x8x32xf16>
    %bc = arith.mulf %b, %c : tensor<4x8x32xf16>
    %as = arith.mulf %a, %s : tensor<4x8x32xf16>
    %second = arith.addf %bc, %as : tensor<4x8x32xf16>
    %turned = tensor.concat dim(2) %first, %second : (tensor<4x8x32xf16>, tensor<4x8x32xf16>) -> tensor<4x8x64xf16>
    ktdp.store %turned, %out_tile : tensor<4x8x64xf16>, <4x8x64xindex>
    return
  }
}
