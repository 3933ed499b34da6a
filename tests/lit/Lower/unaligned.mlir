// Tile 1 starts 65 elements in: one word of 64 elements and one element more,
// which becomes a leading coordinate of the view.
// RUN: ktir-opt %s --ktir-to-dataflow | FileCheck %s

#v = affine_set<(c) : (c >= 0, -c + 129 >= 0)>
#t = affine_set<(c) : (c >= 0, -c + 64 >= 0)>
#id = affine_map<(c) -> (c)>
// CHECK:     #[[LAYOUT:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: %[[B:.*]] = arith.constant 128 : index
// CHECK:     arith.addi %arg0, %[[B]]
// CHECK:     dataflow.program_unit
// CHECK:     uniform.def_immutable_mapping([%{{.*}} -> %c0], [%{{.*}} -> %c1])
// CHECK:     dataflow.get_logical_memory_view {{.*}} layout_map = #[[LAYOUT]]} : index, index, memref<64x65xf16>
func.func @odd(%x: index, %y: index) attributes {grid = [2]} {
  %c65 = arith.constant 65 : index
  %id = ktdp.get_compute_tile_id : index
  %o = arith.muli %id, %c65 : index
  %xv = ktdp.construct_memory_view %x, sizes: [130], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<130xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [130], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<130xf16>
  %xt = ktdp.construct_access_tile %xv[%o] {access_tile_order = #id, access_tile_set = #t} : memref<130xf16> -> !ktdp.access_tile<65xindex>
  %yt = ktdp.construct_access_tile %yv[%o] {access_tile_order = #id, access_tile_set = #t} : memref<130xf16> -> !ktdp.access_tile<65xindex>
  %a = ktdp.load %xt : <65xindex> -> tensor<65xf16>
  ktdp.store %a, %yt : tensor<65xf16>, <65xindex>
  return
}
