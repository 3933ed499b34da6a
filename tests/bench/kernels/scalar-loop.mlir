// A linear congruential generator, a million steps: every instruction is on
// scalars. The last state goes to memory.

#one = affine_set<(d0) : (d0 == 0)>
#id = affine_map<(d0) -> (d0)>

module {
  func.func @scalar_loop(%out: index, %steps: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %seed = arith.constant 12345 : i32
    %factor = arith.constant 1664525 : i32
    %summand = arith.constant 1013904223 : i32
    %shift = arith.constant 16 : i32
    %half = arith.constant 1000 : i32
    %last = scf.for %i = %c0 to %steps step %c1 iter_args(%state = %seed) -> (i32) {
      %product = arith.muli %state, %factor : i32
      %next = arith.addi %product, %summand : i32
      %high = arith.shrui %next, %shift : i32
      %mixed = arith.xori %next, %high : i32
      %small = arith.cmpi ult, %high, %half : i32
      %picked = scf.if %small -> (i32) {
        %more = arith.addi %mixed, %half : i32
        scf.yield %more : i32
      } else {
        scf.yield %mixed : i32
      }
      scf.yield %picked : i32
    }
    %view = ktdp.construct_memory_view %out, sizes: [1], strides: [1] {coordinate_set = #one, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
    %tile = ktdp.construct_access_tile %view[%c0] {access_tile_order = #id, access_tile_set = #one} : memref<1xi32> -> !ktdp.access_tile<1xindex>
    %result = tensor.from_elements %last : tensor<1xi32>
    ktdp.store %result, %tile : tensor<1xi32>, <1xindex>
    return
  }
}
