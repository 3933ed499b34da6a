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

/** Measured in turns, since a shared host is faster and slower for seconds. */
const rounds = 5;

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

/** A function that gives the milliseconds of a launch in WebAssembly. */
async function wasm(kernel, checks) {
  const file = (ending) =>
    readFileSync(new URL(`tests/bench/kernels/${kernel}.${ending}`, root), 'utf8');
  const compilation = await compile(file('mlir'));
  const executable = await compilation.prepare(undefined, { level: 'ktir' });
  const values = {};
  // As the native benchmark: the tensor that is written, into the same memory.
  let into = {};
  for (const [name, value] of Object.entries(JSON.parse(file('json')))) {
    values[name] = typeof value === 'object' ? await generate(value) : value;
    if (typeof value === 'object') into = { [name]: await generate(value) };
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
  await runFor(2000); // until the engine has optimised it
  return {
    run: () => runFor(500),
    end() {
      executable.delete();
      compilation.delete();
    },
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

for (const kernel of kernels)
  for (const checks of [false, true]) {
    const launches = await wasm(kernel, checks);
    const times = { here: [], there: [], widest: [] };
    for (let round = 0; round < rounds; ++round) {
      times.here.push(await launches.run());
      times.there.push(native(kernel, checks, ['--baseline']));
      times.here.push(await launches.run());
      times.widest.push(native(kernel, checks, []));
    }
    launches.end();
    const [here, there, widest] = [times.here, times.there, times.widest].map(median);
    const ratio = here / there;
    console.log(
      `${ratio <= goal ? 'kept  ' : 'missed'} ${kernel}${checks ? ', checks' : ''}: ` +
        `${here.toFixed(2)} ms in wasm, ${there.toFixed(2)} ms natively with its vectors, ` +
        `${ratio.toFixed(2)} times, at most ${String(goal)}; ` +
        `${widest.toFixed(2)} ms with the widest, ${(here / widest).toFixed(2)} times`,
    );
  }
