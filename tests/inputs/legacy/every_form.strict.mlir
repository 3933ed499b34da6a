// Every older form of docs/lenient.md, in modules that are valid once they are
// fixed; every_form.strict.mlir is the fixed text.
#hbm = #ktdp.memory_space<global>
#box = affine_set<(r, c) : (r >= 0, -r + 1 >= 0, c >= 0, -c + 63 >= 0)>
#all = affine_set<(r, c) : (r >= 0, -r + 7 >= 0, c >= 0, -c + 63 >= 0)>
#ids = affine_set<(i) : (i >= 0, -i + 7 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
!local = memref<8x64xf16, #ktdp.memory_space<ct_local, ct_id = 1>>
!tile = !ktdp.access_tile<2x64xindex>

module {
  func.func @tiles(%x: index, %i: index, %y: index, %n: index) attributes {grid = [2, 2]} {
    %t, %t_1 = ktdp.get_compute_tile_id : index, index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = #all, memory_space = #hbm} : memref<8x64xf16>
    %iv = ktdp.construct_memory_view %i, sizes: [8], strides: [1] {coordinate_set = #ids, memory_space = #ktdp.memory_space<global>} : memref<8xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : !local

    // Subscripts of indirect tiles: a lookup, an operator, bare ones and marked ones mixed.
    %a = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k)
         %xv[ind(%iv[%m + %t floordiv 2]), (%k mod 64)] {variables_space_set = #box, variables_space_order = #id}
         : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<2x64xindex>
    %b = ktdp.construct_indirect_access_tile intermediate_variables(%m, %k)
         %xv[ind(%iv[%m]), (%k)] {variables_space_set = #box, variables_space_order = #id}
         : memref<8x64xf16>, memref<8xi32> -> !tile

    // Direct tiles: no order, another name for it, no base type.
    %c = ktdp.construct_access_tile %xv[%t, %n] {access_tile_set = #box, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !tile
    %d = ktdp.construct_access_tile %yv[2 * %t, %n] {access_tile_set = #box, access_tile_order = #id} : !local -> !tile

    %av = ktdp.load %a : !tile -> tensor<2x64xf16>
    %bv = ktdp.load %b : !tile -> tensor<2x64xf16>
    %cv = ktdp.load %c : <2x64xindex> -> tensor<2x64xf16>

    // Results that are dropped and used.
    %s = tensor.empty() : tensor<2x64xf16>
    %s_1 = linalg.add ins(%av, %bv : tensor<2x64xf16>, tensor<2x64xf16>) outs(%s : tensor<2x64xf16>) -> tensor<2x64xf16>
    %s_2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%cv : tensor<2x64xf16>) outs(%s_1 : tensor<2x64xf16>) {
    ^bb0(%e: f16, %o: f16):
      %f = spyreop.silu %e : f16
      %g = arith.addf %f, %o : f16
      linalg.yield %g : f16
    } -> tensor<2x64xf16>

    // Upstream operations.
    %flat = tensor.collapse_shape %s_2 [[0, 1]] : tensor<2x64xf16> into tensor<128xf16>
    %back = tensor.expand_shape %flat [[0, 1]] output_shape [2, 64] : tensor<128xf16> into tensor<2x64xf16>
    %more = arith.cmpf ogt, %back, %av : tensor<2x64xf16>
    %best = arith.select %more, %back, %av : tensor<2x64xi1>, tensor<2x64xf16>
    ktdp.store %best, %d : tensor<2x64xf16>, !tile
    return
  }

  func.func @exchange(%x: tensor<64xf16>) attributes {grid = [4]} {
    %zero = arith.constant dense<0.0> : tensor<64xf16>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> !ktdp.tile_future<(tensor<64xf16>), groups = #two> {
    ^bb0(%g: index):
      ktdp.yield_partial %x : tensor<64xf16>
    }
    %y = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #pairs, identity(%zero : tensor<64xf16>)
         : <(tensor<64xf16>), groups = #two> -> tensor<64xf16> {
    ^bb0(%l: tensor<64xf16>, %r: tensor<64xf16>):
      %a = arith.addf %l, %r : tensor<64xf16>
      ktdp.yield_reduced %a : tensor<64xf16>
    }
    return
  }
}
