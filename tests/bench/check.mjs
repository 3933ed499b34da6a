// Checking a kernel of a thousand lines in WebAssembly against what native
// `ktir check` takes inside the process: the goal is at most four times as long.
// Needs ktir-bench and the wasm build:
//
//   node tests/bench/check.mjs [FOLDER OF ktir.js AND ktir.wasm]

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const goal = 4;
const root = fileURLToPath(new URL('../../', import.meta.url));
const bench = join(root, 'build/native/bin/ktir-bench');
const folder = process.argv[2] ?? join(root, 'build/wasm');

/** Milliseconds of a native benchmark. */
function native(name) {
  const filter = `--benchmark_filter=^check/${name}$`;
  const text = execFileSync(bench, [filter, '--benchmark_format=json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text).benchmarks[0].cpu_time;
}

/** Milliseconds of the fastest of some runs. */
function fastest(body) {
  let best = Infinity;
  const end = performance.now() + 2000;
  for (let run = 0; run < 3 || performance.now() < end; ++run) {
    const start = performance.now();
    body();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const text = execFileSync(bench, ['--long-kernel'], { encoding: 'utf8' });
// The glue is written for a worker, not for Node.js.
const script = readFileSync(join(folder, 'ktir.js'), 'utf8').replace(/export default .*/, '');
const create = vm.runInThisContext(
  `globalThis.importScripts ??= () => {}; globalThis.self ??= globalThis; ` +
    `globalThis.location ??= { href: '' }; ${script}; createKtir`,
);
const glue = await create({ wasmBinary: readFileSync(join(folder, 'ktir.wasm')) });
const service = new glue.LanguageService('{}', () => null);
const reported = JSON.parse(service.update(text));
if (reported.length > 0) throw new Error(`the kernel is not clean: ${reported[0].message}`);
// Each text differs, as if typed.
let count = 0;
const here = fastest(() => service.update(`${text}// ${String(++count)}\n`));
for (const [name, what] of [
  ['command-line', "native 'ktir check'"],
  ['editor', 'the native language service'],
]) {
  const there = native(name);
  const ratio = here / there;
  console.log(
    `${ratio <= goal ? 'kept  ' : 'missed'} ${String(text.split('\n').length - 1)} lines: ` +
      `${here.toFixed(2)} ms in wasm, ${there.toFixed(2)} ms in ${what}, ` +
      `${ratio.toFixed(2)} times, at most ${String(goal)}`,
  );
}
