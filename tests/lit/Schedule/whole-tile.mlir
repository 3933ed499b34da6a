// A store that may overwrite what another part of the tile still has to load
// keeps the whole tile in one block, whatever block-bytes says.
// RUN: ktir-opt %s --ensure-device-declaration --compute-group-extraction \
// RUN:   --construct-three-stage-pipeline --path-expansion \
// RUN:   --stage-coarsening=block-bytes=128 | FileCheck %s

#v = affine_set<(c) : (c >= 0, -c + 511 >= 0)>
#t = affine_set<(c) : (c >= 0, -c + 255 >= 0)>
#id = affine_map<(c) -> (c)>
// Elements 0 to 255 move to 64 to 319 of the same tensor.
// CHECK-LABEL: module @shift_0
// CHECK-NOT:     ktir.whole_tile
// CHECK:         memref.alloc() : memref<256xf16, "LX">
func.func @shift(%x: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %xv = ktdp.construct_memory_view %x, sizes: [512], strides: [1] {coordinate_set = #v, memory_space = #ktdp.memory_space<global>} : memref<512xf16>
  %from = ktdp.construct_access_tile %xv[%c0] {access_tile_order = #id, access_tile_set = #t} : memref<512xf16> -> !ktdp.access_tile<256xindex>
  %to = ktdp.construct_access_tile %xv[%c64] {access_tile_order = #id, access_tile_set = #t} : memref<512xf16> -> !ktdp.access_tile<256xindex>
  %a = ktdp.load %from : <256xindex> -> tensor<256xf16>
  ktdp.store %a, %to : tensor<256xf16>, <256xindex>
  return
}
