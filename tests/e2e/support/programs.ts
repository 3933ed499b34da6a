/** Four tiles; tile t computes rows 2t and 2t + 1 of o = x + x + y on 8 × 64 elements. */
export const rows = 8;
export const columns = 64;

export const axpy = `#view = affine_set<(r, c) : (r >= 0, -r + 7 >= 0, c >= 0, -c + 63 >= 0)>
#tile = affine_set<(r, c) : (r >= 0, -r + 1 >= 0, c >= 0, -c + 63 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
module {
  func.func @axpy(%x: index, %y: index, %o: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = ktdp.get_compute_tile_id : index
    %r = arith.muli %t, %c2 : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
    %ov = ktdp.construct_memory_view %o, sizes: [8, 64], strides: [64, 1] {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
    %xt = ktdp.construct_access_tile %xv[%r, %c0] {access_tile_set = #tile, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<2x64xindex>
    %yt = ktdp.construct_access_tile %yv[%r, %c0] {access_tile_set = #tile, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<2x64xindex>
    %ot = ktdp.construct_access_tile %ov[%r, %c0] {access_tile_set = #tile, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<2x64xindex>
    %xa = ktdp.load %xt : !ktdp.access_tile<2x64xindex> -> tensor<2x64xf16>
    %ya = ktdp.load %yt : !ktdp.access_tile<2x64xindex> -> tensor<2x64xf16>
    %xx = arith.addf %xa, %xa : tensor<2x64xf16>
    %s = arith.addf %xx, %ya : tensor<2x64xf16>
    ktdp.store %s, %ot : tensor<2x64xf16>, !ktdp.access_tile<2x64xindex>
    return
  }
}
`;

/** x[r][c] = (64r + c) / 8: exact in f16. */
export const xValues = Array.from({ length: rows * columns }, (_, i) => i / 8);

/** With y = 1 everywhere: o[r][c] = (64r + c) / 4 + 1, exact in f16 as well. */
export const expectedOutput = Array.from({ length: rows }, (_row, r) =>
  Array.from({ length: columns }, (_column, c) => (columns * r + c) / 4 + 1),
);

export const axpyPayload = {
  v: 1,
  source: axpy,
  args: { x: { data: xValues }, y: { fill: 1 } },
};

/** One store, then a loop of a billion turns: legal to run, outside the class that is lowered. */
export const endless = axpy.replace(
  '    ktdp.store',
  `    %one = arith.constant 1 : index
    %many = arith.constant 1000000000 : index
    scf.for %i = %c0 to %many step %one {
      %u = ktdp.load %xt : !ktdp.access_tile<2x64xindex> -> tensor<2x64xf16>
      ktdp.store %u, %ot : tensor<2x64xf16>, !ktdp.access_tile<2x64xindex>
    }
    ktdp.store`,
);
