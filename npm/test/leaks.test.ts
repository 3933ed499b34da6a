import { expect, test } from '@jest/globals';
import { compile, configure, zeros } from 'ktir';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from './support/files.ts';
import { binaryKernel } from './support/kernels.ts';

/** Sizes of the memories of all instances made from here on. */
function watchMemories(): () => number {
  const memories: WebAssembly.Memory[] = [];
  const original = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = (async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    const instance = await original(module, imports);
    for (const value of Object.values(instance.exports)) {
      if (Object.prototype.toString.call(value) === '[object WebAssembly.Memory]') {
        memories.push(value as WebAssembly.Memory);
      }
    }
    return instance;
  }) as typeof WebAssembly.instantiate;
  return () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}

test('a hundred cycles of compiling, running and deleting do not grow the heap', async () => {
  const size = watchMemories();
  configure({ wasm: readFileSync(join(packageRoot, 'dist/ktir.wasm')) });
  const source = binaryKernel('arith.mulf', 2, 128);
  const cycle = async () => {
    const compilation = await compile(source);
    expect(compilation.ok).toBe(true);
    compilation.stages.at(-1)?.text();
    const tensors = () => zeros('f16', [2, 128]);
    await compilation.run('binary', { x: tensors(), y: tensors(), out: tensors() });
    compilation.delete();
  };
  // What the context keeps for good, and the slack that the allocator needs,
  // is there after the first cycles.
  for (let i = 0; i < 10; ++i) await cycle();
  const settled = size();
  expect(settled).toBeGreaterThan(0);
  for (let i = 0; i < 100; ++i) await cycle();
  expect(size()).toBe(settled);
});
