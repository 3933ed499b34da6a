/** Large tensors, which cross in several slices, and what may happen between these. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { compile, connectWorker, tensor, zeros, type Compilation, type Executable } from 'ktir';

import { packageRoot } from './support/files.ts';
import { binaryKernel, countingKernel } from './support/kernels.ts';

const rows = 32;
const width = 131072;
const shape = [rows, width];

const make = (value: (i: number) => number) =>
  tensor(
    'f16',
    shape,
    Array.from({ length: rows * width }, (_, i) => value(i)),
  );
const x = make((i) => i % 1024);
const y = make((i) => (3 * i) % 512);

let compilation: Compilation;
let executable: Executable;
beforeAll(async () => {
  compilation = await compile(binaryKernel('arith.addf', rows, width), { to: 'ktir' });
  executable = compilation.prepare(undefined, { level: 'ktir' });
});
afterAll(() => {
  executable.delete();
  compilation.delete();
});

// Each look at the clock finds the slice over: what it does without looking is
// all that it does.
let clock: { mockRestore(): void };
beforeEach(() => {
  let now = 0;
  clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
});
afterEach(() => {
  clock.mockRestore();
});

/** Gives the bytes of a tensor away, as `postMessage` does. */
function giveAway(data: Uint8Array): void {
  structuredClone(data.buffer, { transfer: [data.buffer as ArrayBuffer] });
}

test('large tensors are read and written whole', async () => {
  let slices = 0;
  const { outputs } = await executable.launch(
    { x, y, out: zeros('f16', shape) },
    { onProgress: () => ++slices },
  );
  const out = outputs.out?.toArray() ?? [];
  expect(out.length).toBe(rows * width);
  expect(out.findIndex((value, i) => value !== (i % 1024) + ((3 * i) % 512))).toBe(-1);
  expect(outputs.x?.equals(x)).toBe(true);
  // Of at most 128 KB: 16 MB of arguments, beyond the first 8, and 24 of results.
  expect(slices).toBeGreaterThan(128 + 90);
});

test('a run is cancelled while its tensors are read', async () => {
  const controller = new AbortController();
  const run = executable.launch(
    { x, y, out: zeros('f16', shape) },
    {
      signal: controller.signal,
      onProgress: ({ done }) => {
        expect(done).toBe(0);
        controller.abort(new Error('enough'));
      },
    },
  );
  await expect(run).rejects.toThrow('enough');
});

test('an array that was given away meanwhile ends the run, and nothing else', async () => {
  const out = zeros('f16', shape);
  let isFirst = true;
  const run = executable.launch(
    { x, y, out },
    {
      onProgress: () => {
        if (isFirst) giveAway(out.data);
        isFirst = false;
      },
    },
  );
  await expect(run).rejects.toMatchObject({
    code: 'argument',
    message: expect.stringMatching(/^argument 'out': its array was given to another thread/),
  });
  const { outputs } = await executable.launch({ x, y, out: zeros('f16', shape) });
  expect(outputs.out?.at(1)).toBe(4);
});

test("so does an array of 'into'", async () => {
  const into = { out: zeros('f16', shape) };
  let before = 0;
  const run = executable.launch(
    { x, y, out: zeros('f16', shape) },
    {
      into,
      onProgress: ({ done }) => {
        // Nothing is executed any more once results are read.
        if (done > 0 && done === before && into.out.data.byteLength > 0) giveAway(into.out.data);
        before = done;
      },
    },
  );
  await expect(run).rejects.toMatchObject({
    code: 'argument',
    message: expect.stringMatching(/^'into' of 'out': its array was given to another thread/),
  });
});

test('a report can be read after everything is deleted, and is that of its run', async () => {
  const small = await compile(binaryKernel('arith.addf', 2, 64));
  const tensors = {
    x: zeros('f16', [2, 64]),
    y: zeros('f16', [2, 64]),
    out: zeros('f16', [2, 64]),
  };
  const first = small.prepare(undefined, { level: 'ktir' });
  const one = await first.launch(tensors);
  const other = await small.run(undefined, tensors, { level: 'dataflow' });
  first.delete();
  small.delete();
  expect(one.report.instances.map(({ name }) => name)).toEqual(['tile 0', 'tile 1']);
  // Two loads of 64 f16, and one store.
  expect(one.report.instances[1]).toMatchObject({ bytesRead: 256, bytesWritten: 128 });
  expect(one.report.costs.map(({ profile }) => profile)).toEqual(['interpreter', 'measured']);
  expect(one.report.scratchpadAtPeak.length).toBeGreaterThan(0);
  expect(other.report.costs).toEqual([]);
  expect(other.report.instances.length).toBeGreaterThan(2);
});

test('a validation lets the event loop run and can be cancelled', async () => {
  const endless = await compile(countingKernel(2 ** 50), { to: 'ktir' });
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks === 10) controller.abort(new Error('enough'));
  }, 1);
  await expect(
    endless.validate('count', { seed: 1 }, { signal: controller.signal }),
  ).rejects.toThrow('enough');
  clearInterval(timer);
  expect(ticks).toBeGreaterThanOrEqual(10);
  endless.delete();
});

test('a validation in a worker can be cancelled, and the worker goes on', async () => {
  const remote = connectWorker(new Worker(join(packageRoot, 'dist/worker-node.js')));
  const endless = await remote.compile(countingKernel(2 ** 50), { to: 'ktir' });
  const controller = new AbortController();
  const validation = remote.validate(
    endless.id,
    'count',
    { seed: 1 },
    { signal: controller.signal },
  );
  // Others have their turn between its slices.
  expect(await remote.version()).not.toBe('');
  controller.abort(new Error('enough'));
  await expect(validation).rejects.toThrow('enough');
  const { ok } = await remote.compile(binaryKernel());
  expect(ok).toBe(true);
  remote.close();
});
