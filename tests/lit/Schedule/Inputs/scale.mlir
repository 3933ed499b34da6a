// y = 2 * x on 6 x 128 f16, three rows per tile.
#view = affine_set<(r, c) : (r >= 0, -r + 5 >= 0, c >= 0, -c + 127 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 127 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @scale(%x: index, %y: index) attributes {grid = [2]} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %t = ktdp.get_compute_tile_id : index
  %r = arith.muli %t, %c3 : index
  %xv = ktdp.construct_memory_view %x, sizes: [6, 128], strides: [128, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<6x128xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [6, 128], strides: [128, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<6x128xf16>
  %xt = ktdp.construct_access_tile %xv[%r, %c0] {access_tile_order = #id, access_tile_set = #tile} : memref<6x128xf16> -> !ktdp.access_tile<3x128xindex>
  %yt = ktdp.construct_access_tile %yv[%r, %c0] {access_tile_order = #id, access_tile_set = #tile} : memref<6x128xf16> -> !ktdp.access_tile<3x128xindex>
  %a = ktdp.load %xt : <3x128xindex> -> tensor<3x128xf16>
  %k = arith.constant dense<2.0> : tensor<3x128xf16>
  %b = arith.mulf %a, %k : tensor<3x128xf16>
  ktdp.store %b, %yt : tensor<3x128xf16>, <3x128xindex>
  return
}
