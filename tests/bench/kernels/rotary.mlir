// Rotary position embedding of 5120 tokens with 32 heads of 128 elements: the
// halves a, b of a head become a * cos - b * sin and b * cos + a * sin. 32 tiles
// take 4 tokens at a time.

#angle_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#angles = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5119 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#part = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 127 >= 0)>
#tokens = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5119 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 127 >= 0)>

module {
  func.func @rotary(%x: index, %cos: index, %sin: index, %out: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %step = arith.constant 128 : index
    %end = arith.constant 5120 : index
    %tile = ktdp.get_compute_tile_id : index
    %first = arith.muli %tile, %c4 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [5120, 32, 128], strides: [4096, 128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<5120x32x128xf16>
    %cos_view = ktdp.construct_memory_view %cos, sizes: [5120, 64], strides: [64, 1] {coordinate_set = #angles, memory_space = #ktdp.memory_space<global>} : memref<5120x64xf16>
    %sin_view = ktdp.construct_memory_view %sin, sizes: [5120, 64], strides: [64, 1] {coordinate_set = #angles, memory_space = #ktdp.memory_space<global>} : memref<5120x64xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [5120, 32, 128], strides: [4096, 128, 1] {coordinate_set = #tokens, memory_space = #ktdp.memory_space<global>} : memref<5120x32x128xf16>

    scf.for %token = %first to %end step %step {
      %x_tile = ktdp.construct_access_tile %x_view[%token, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<5120x32x128xf16> -> !ktdp.access_tile<4x32x128xindex>
      %cos_tile = ktdp.construct_access_tile %cos_view[%token, %c0] {access_tile_order = #id2, access_tile_set = #angle_part} : memref<5120x64xf16> -> !ktdp.access_tile<4x64xindex>
      %sin_tile = ktdp.construct_access_tile %sin_view[%token, %c0] {access_tile_order = #id2, access_tile_set = #angle_part} : memref<5120x64xf16> -> !ktdp.access_tile<4x64xindex>
      %out_tile = ktdp.construct_access_tile %out_view[%token, %c0, %c0] {access_tile_order = #id, access_tile_set = #part} : memref<5120x32x128xf16> -> !ktdp.access_tile<4x32x128xindex>
      %xs = ktdp.load %x_tile : <4x32x128xindex> -> tensor<4x32x128xf16>
      %cosines = ktdp.load %cos_tile : <4x64xindex> -> tensor<4x64xf16>
      %sines = ktdp.load %sin_tile : <4x64xindex> -> tensor<4x64xf16>

      // The angles are those of the token, the same for every head.
      %empty = tensor.empty() : tensor<4x32x64xf16>
      %c = linalg.broadcast ins(%cosines : tensor<4x64xf16>) outs(%empty : tensor<4x32x64xf16>) dimensions = [1] 
      %s = linalg.broadcast ins(%sines : tensor<4x64xf16>) outs(%empty : tensor<4x32x64xf16>) dimensions = [1] 
      %a = tensor.extract_slice %xs[0, 0, 0] [4, 32, 64] [1, 1, 1] : tensor<4x32x128xf16> to tensor<4x32x64xf16>
      %b = tensor.extract_slice %xs[0, 0, 64] [4, 32, 64] [1, 1, 1] : tensor<4x32x128xf16> to tensor<4x32x64xf16>
      %ac = arith.mulf %a, %c : tensor<4x32x64xf16>
      %bs = arith.mulf %b, %s : tensor<4x32x64xf16>
      %low = arith.subf %ac, %bs : tensor<4x32x64xf16>
      %bc = arith.mulf %b, %c : tensor<4x32x64xf16>
      %as = arith.mulf %a, %s : tensor<4x32x64xf16>
      %high = arith.addf %bc, %as : tensor<4x32x64xf16>
      %turned = tensor.concat dim(2) %low, %high : (tensor<4x32x64xf16>, tensor<4x32x64xf16>) -> tensor<4x32x128xf16>
      ktdp.store %turned, %out_tile : tensor<4x32x128xf16>, <4x32x128xindex>
    }
    return
  }
}
