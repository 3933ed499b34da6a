/** Kernels that tests make up: small, and each for one purpose. */

/** `out = x OP y` on `rows` rows of `width` f16 elements, one tile per row. */
export function binaryKernel(
  operation = 'arith.addf',
  rows = 2,
  width = 64,
  name = 'binary',
): string {
  const memref = `memref<${String(rows)}x${String(width)}xf16>`;
  const tensor = `tensor<1x${String(width)}xf16>`;
  const tile = `!ktdp.access_tile<1x${String(width)}xindex>`;
  const view = (argument: string) =>
    `    %${argument}_view = ktdp.construct_memory_view %${argument}, sizes: [${String(rows)}, ${String(width)}], strides: [${String(width)}, 1]
      {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : ${memref}
    %${argument}_tile = ktdp.construct_access_tile %${argument}_view[%tile, %c0]
      {access_tile_set = #row, access_tile_order = #id} : ${memref} -> ${tile}
`;
  return `#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + ${String(rows - 1)} >= 0, d1 >= 0, -d1 + ${String(width - 1)} >= 0)>
#row = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + ${String(width - 1)} >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @${name}(%x: index, %y: index, %out: index) attributes {grid = [${String(rows)}]} {
    %c0 = arith.constant 0 : index
    %tile = ktdp.get_compute_tile_id : index
${view('x')}${view('y')}${view('out')}
    %xs = ktdp.load %x_tile : ${tile} -> ${tensor}
    %ys = ktdp.load %y_tile : ${tile} -> ${tensor}
    %sum = ${operation} %xs, %ys : ${tensor}
    ktdp.store %sum, %out_tile : ${tensor}, ${tile}
    return
  }
}
`;
}

/** A kernel that counts to `trips` before it returns, and touches no memory. */
export function countingKernel(trips: number): string {
  return `module {
  func.func @count(%seed: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant ${String(trips)} : index
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %seed) -> (index) {
      %next = arith.addi %acc, %i : index
      scf.yield %next : index
    }
    return
  }
}
`;
}
