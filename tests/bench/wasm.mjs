// Run times of the npm package against the native benchmarks, on the kernels of
// the folder `kernels`, with checks off and on: against the native build that
// computes with vectors of 128 bits, as WebAssembly does, for which the goal is
// at most 2.5 times as long, and against the one that has the host's widest.
// Needs the built package and ktir-bench:
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
function native(kernel, checks, flags) {
  const bench = new URL('build/native/bin/ktir-bench', root).pathname;
  const filter = `--benchmark_filter=^goal/${kernel}${checks ? '/checks' : ''}$`;
  const text = execFileSync(bench, [filter, '--benchmark_format=json', ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text).benchmarks[0].real_time;
}

/** Milliseconds of a launch in WebAssembly, once the engine has optimised it. */
async function wasm(kernel, checks) {
  const file = (ending) =>
    readFileSync(new URL(`tests/bench/kernels/${kernel}.${ending}`, root), 'utf8');
  const compilation = await compile(file('mlir'));
  const executable = await compilation.prepare(undefined, { level: 'ktir' });
  const values = {};
  const into = {};
  for (const [name, value] of Object.entries(JSON.parse(file('json')))) {
    values[name] = typeof value === 'object' ? await generate(value) : value;
    // As the native benchmark, which keeps the memory of its outputs.
    if (typeof value === 'object') into[name] = await generate(value);
  }
  const runFor = async (milliseconds) => {
    const start = performance.now();
    let runs = 0;
    while (runs < 3 || performance.now() - start < milliseconds) {
      await executable.launch(values, { checks, into });
      ++runs;
    }
    return (performance.now() - start) / runs;
  };
  await runFor(500);
  const mean = await runFor(2000);
  executable.delete();
  compilation.delete();
  return mean;
}

for (const kernel of kernels)
  for (const checks of [false, true]) {
    const here = await wasm(kernel, checks);
    const there = native(kernel, checks, ['--baseline']);
    const widest = native(kernel, checks, []);
    const ratio = here / there;
    console.log(
      `${ratio <= goal ? 'kept  ' : 'missed'} ${kernel}${checks ? ', checks' : ''}: ` +
        `${here.toFixed(2)} ms in wasm, ${there.toFixed(2)} ms natively with its vectors, ` +
        `${ratio.toFixed(2)} times, at most ${String(goal)}; ` +
        `${widest.toFixed(2)} ms with the widest, ${(here / widest).toFixed(2)} times`,
    );
  }
