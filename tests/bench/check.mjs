// Checking a kernel of a thousand lines in WebAssembly against what native
// `ktir check` takes inside the process: the goal is at most four times as long.
// Needs ktir-bench and the wasm build; with --browser, in which the WebAssembly
// runs in a worker of Chromium instead of Node.js, also `npm ci` in tests/e2e:
//
//   node tests/bench/check.mjs [--browser] [FOLDER OF ktir.js AND ktir.wasm]

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const goal = 4;
const root = fileURLToPath(new URL('../../', import.meta.url));
const bench = join(root, 'build/native/bin/ktir-bench');
const words = process.argv.slice(2);
const inBrowser = words[0] === '--browser';
const folder = words[inBrowser ? 1 : 0] ?? join(root, 'build/wasm');

/** Milliseconds of a native benchmark. */
function native(name) {
  const filter = `--benchmark_filter=^check/${name}$`;
  const text = execFileSync(bench, [filter, '--benchmark_format=json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text).benchmarks[0].cpu_time;
}

/** Milliseconds of the fastest check of `text`; the function is all there is in a worker. */
async function fastestCheck(create, wasmBinary, text) {
  const glue = await create({ wasmBinary });
  const service = new glue.LanguageService('{}', () => null);
  const reported = JSON.parse(service.update(text));
  if (reported.length > 0) throw new Error(`the kernel is not clean: ${reported[0].message}`);
  let best = Infinity;
  const end = performance.now() + 2000;
  for (let run = 0; run < 3 || performance.now() < end; ++run) {
    // Each text differs, as if typed.
    const typed = `${text}// ${String(run)}\n`;
    const start = performance.now();
    service.update(typed);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const glueOf = (name) => readFileSync(join(folder, name));

async function inNode(text) {
  // The glue is written for a worker, not for Node.js.
  const script = glueOf('ktir.js')
    .toString()
    .replace(/export default .*/, '');
  const create = vm.runInThisContext(
    `globalThis.importScripts ??= () => {}; globalThis.self ??= globalThis; ` +
      `globalThis.location ??= { href: '' }; ${script}; createKtir`,
  );
  return fastestCheck(create, glueOf('ktir.wasm'), text);
}

async function inChromium(text) {
  const { chromium } = createRequire(join(root, 'tests/e2e/'))('@playwright/test');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    const worker = `import create from './ktir.js';
      ${String(fastestCheck)}
      self.onmessage = async ({ data }) => {
        const binary = await (await fetch('./ktir.wasm')).arrayBuffer();
        try {
          self.postMessage({ best: await fastestCheck(create, new Uint8Array(binary), data) });
        } catch (error) {
          self.postMessage({ error: String(error) });
        }
      };`;
    const files = {
      '/': ['text/html', '<!doctype html>'],
      '/worker.js': ['text/javascript', worker],
      '/ktir.js': ['text/javascript', glueOf('ktir.js')],
      '/ktir.wasm': ['application/wasm', glueOf('ktir.wasm')],
    };
    await page.route('**/*', (route) => {
      const file = files[new URL(route.request().url()).pathname];
      return file ? route.fulfill({ contentType: file[0], body: file[1] }) : route.abort();
    });
    await page.goto('http://localhost/');
    const { best, error } = await page.evaluate(
      (kernel) =>
        new Promise((resolve) => {
          const thread = new Worker('/worker.js', { type: 'module' });
          thread.onmessage = ({ data }) => resolve(data);
          thread.onerror = ({ message }) => resolve({ error: message });
          thread.postMessage(kernel);
        }),
      text,
    );
    if (error !== undefined) throw new Error(error);
    return best;
  } finally {
    await browser.close();
  }
}

const text = execFileSync(bench, ['--long-kernel'], { encoding: 'utf8' });
const here = await (inBrowser ? inChromium(text) : inNode(text));
for (const [name, what] of [
  ['command-line', "native 'ktir check'"],
  ['editor', 'the native language service'],
]) {
  const there = native(name);
  const ratio = here / there;
  console.log(
    `${ratio <= goal ? 'kept  ' : 'missed'} ${String(text.split('\n').length - 1)} lines: ` +
      `${here.toFixed(2)} ms in ${inBrowser ? "the browser's worker" : 'wasm'}, ${there.toFixed(2)} ms in ${what}, ` +
      `${ratio.toFixed(2)} times, at most ${String(goal)}`,
  );
}
