import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectWorker, KtirError, tensor, zeros, type RemoteCompiler } from 'ktir';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { packageRoot } from './support/files.ts';
import { binaryKernel, countingKernel } from './support/kernels.ts';

const source = binaryKernel('arith.subf');
const ones = tensor('f16', [2, 64], new Array<number>(128).fill(1));
const args = { x: zeros('f16', [2, 64]), y: ones, out: zeros('f16', [2, 64]) };

function start(): RemoteCompiler {
  return connectWorker(new Worker(join(packageRoot, 'dist/worker-node.js')));
}

let remote: RemoteCompiler;
beforeAll(() => {
  remote = start();
});
afterAll(() => {
  remote.close();
});

test('compiles and runs as without a worker', async () => {
  const compilation = await remote.compile(source);
  expect(compilation.ok).toBe(true);
  expect(compilation.kernels[0]?.name).toBe('binary');
  expect(compilation.stages[0]).not.toHaveProperty('text');
  const last = compilation.stages.length - 1;
  expect(await remote.stageText(compilation.id, last)).toContain('dataflow.');

  const result = await remote.run(compilation.id, undefined, args, { level: 'dataflow' });
  expect(result.outputs.out?.toArray()).toEqual(new Array<number>(128).fill(-1));
  const stages = await remote.validate(compilation.id, 'binary', args);
  expect(stages[0]?.matches).toBe(true);

  await remote.release(compilation.id);
  await expect(remote.stageText(compilation.id, 0)).rejects.toMatchObject({ code: 'deleted' });
});

test('answers while a run goes on, reports its progress and cancels it', async () => {
  const long = await remote.compile(countingKernel(2 ** 50), { to: 'ktir' });
  const controller = new AbortController();
  const reason = new Error('enough');
  let steps = 0;
  const run = remote.run(
    long.id,
    'count',
    { seed: 0 },
    {
      signal: controller.signal,
      onProgress: () => {
        ++steps;
      },
    },
  );
  const other = await remote.compile(source);
  expect(other.ok).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  controller.abort(reason);
  await expect(run).rejects.toBe(reason);
  expect(steps).toBeGreaterThan(0);
  const { outputs } = await remote.run(other.id, 'binary', args);
  expect(outputs.out?.at(0)).toBe(-1);
});

test('stops the run whose progress callback throws, which rejects with that', async () => {
  const worker = new Worker(join(packageRoot, 'dist/worker-node.js'));
  const client = connectWorker(worker);
  const long = await client.compile(countingKernel(2 ** 50), { to: 'ktir' });
  // The worker answers a run only when it has ended.
  const ended = new Promise<void>((resolve) => {
    worker.on('message', (message: object) => {
      if ('error' in message) resolve();
    });
  });
  const reason = new Error('no more of this');
  const run = client.run(
    long.id,
    'count',
    { seed: 0 },
    {
      onProgress: () => {
        throw reason;
      },
    },
  );
  await expect(run).rejects.toBe(reason);
  await ended;
  const { outputs } = await client.run((await client.compile(source)).id, undefined, args);
  expect(outputs.out?.at(0)).toBe(-1);
  client.close();
});

test('carries errors with their diagnostics', async () => {
  const compilation = await remote.compile(source);
  const error: unknown = await remote
    .run(compilation.id, 'binary', {})
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KtirError);
  expect((error as KtirError).code).toBe('argument');
  expect((error as KtirError).diagnostics.length).toBeGreaterThan(0);
  await expect(remote.stageText(compilation.id, 99)).rejects.toThrow(/expected a stage/);
  await expect(
    remote.run(compilation.id, 'binary', { x: (() => 1) as never }),
  ).rejects.toMatchObject({ code: 'argument' });
});

test('refuses what does not cross', async () => {
  const { id } = await remote.compile(source);
  const options = { into: { out: zeros('f16', [2, 64]) } };
  const message = /'into' is for 'launch' and 'begin' of an executable; '(run|validate)' makes/;
  await expect(remote.run(id, 'binary', args, options as never)).rejects.toThrow(message);
  await expect(remote.validate(id, 'binary', args, options as never)).rejects.toThrow(message);
});

test('generates, reads and writes tensors', async () => {
  const sevens = await remote.generate({ dtype: 'f16', shape: [4], fill: 7 });
  expect(sevens.toArray()).toEqual([7, 7, 7, 7]);
  const again = await remote.readNpy(await remote.writeNpy(sevens));
  expect(again.equals(sevens)).toBe(true);
  expect(await remote.version()).toMatch(/^\d+\.\d+\.\d+/);
});

describe('a worker that is gone', () => {
  test('rejects what is open and what comes', async () => {
    const short = start();
    await short.version();
    const open = short.version();
    short.close();
    await expect(open).rejects.toThrow(/closed/);
    await expect(short.version()).rejects.toThrow(/closed/);
  });

  test('says so when its script is missing', async () => {
    const broken = connectWorker(new Worker(join(packageRoot, 'dist/missing.js')));
    await expect(broken.version()).rejects.toMatchObject({ code: 'crashed' });
  });
});
