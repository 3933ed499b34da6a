// Run times of the npm package against the native benchmarks, on the kernels of
// the folder `kernels`: the goal is at most 2.5 times as long, with checks off
// and on. Needs the built package and ktir-bench:
//
//   node tests/bench/wasm.mjs [KERNEL]...

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compile, generate } from '../../npm/dist/node.js';

const goal = 2.5;
const root = new URL('../../', import.meta.url);
const kernels = process.argv.slice(2);
if (kernels.length === 0)
  kernels.push(
    ...['softmax', 'layer-norm', 'rotary', 'matmul', 'paged-attention', 'vector-add'],
    'scalar-loop',
  );

/** Milliseconds of a native launch. */
function native(kernel, checks) {
  const bench = new URL('build/native/bin/ktir-bench', root).pathname;
  const filter = `--benchmark_filter=^goal/${kernel}${checks ? '/checks' : ''}$`;
  const text = execFileSync(bench, [filter, '--benchmark_format=json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text).benchmarks[0].real_time;
}

/** Milliseconds of the fastest of some launches in WebAssembly. */
async function wasm(kernel, checks) {
  const file = (ending) =>
    readFileSync(new URL(`tests/bench/kernels/${kernel}.${ending}`, root), 'utf8');
  const compilation = await compile(file('mlir'));
  const executable = await compilation.prepare(undefined, { level: 'ktir' });
  const values = {};
  for (const [name, value] of Object.entries(JSON.parse(file('json'))))
    values[name] = typeof value === 'object' ? await generate(value) : value;
  let best = Infinity;
  const end = performance.now() + 2000;
  for (let run = 0; run < 3 || performance.now() < end; ++run) {
    const start = performance.now();
    await executable.launch(values, { checks });
    best = Math.min(best, performance.now() - start);
  }
  executable.delete();
  compilation.delete();
  return best;
}

for (const kernel of kernels)
  for (const checks of [false, true]) {
    const there = native(kernel, checks);
    const here = await wasm(kernel, checks);
    const ratio = here / there;
    console.log(
      `${ratio <= goal ? 'kept  ' : 'missed'} ${kernel}${checks ? ', checks' : ''}: ` +
        `${here.toFixed(2)} ms in wasm, ${there.toFixed(2)} ms natively, ` +
        `${ratio.toFixed(2)} times, at most ${String(goal)}`,
    );
  }
