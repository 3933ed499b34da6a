import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  compile,
  configure,
  generate,
  KtirError,
  readNpy,
  tensor,
  zeros,
  type Arguments,
  type Compilation,
  type CompileOptions,
  type KtirErrorCode,
  type RunOptions,
  type TensorSpec,
} from 'ktir';

import { binaryKernel } from './support/kernels.ts';

const source = binaryKernel();
const tensors = { x: zeros('f16', [2, 64]), y: zeros('f16', [2, 64]), out: zeros('f16', [2, 64]) };

/** A tensor as plain data. */
const data = { dtype: 'f16', shape: [2, 64], data: new Uint8Array(256) } as const;

let compilation: Compilation;
beforeAll(async () => {
  compilation = await compile(source);
});
afterAll(() => {
  compilation.delete();
});

async function failure(promise: Promise<unknown>): Promise<KtirError> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof KtirError)) throw error;
  return error;
}

async function expectFailure(
  promise: Promise<unknown>,
  code: KtirErrorCode,
  ...messages: RegExp[]
): Promise<void> {
  const error = await failure(promise);
  for (const message of messages) expect(error.message).toMatch(message);
  expect(error.code).toBe(code);
}

describe('a text that is wrong', () => {
  test('has an error at its place', async () => {
    const broken = await compile('module {\n  func.func @f(\n', { fileName: 'mine.mlir' });
    expect(broken.ok).toBe(false);
    const [error] = broken.diagnostics;
    expect(error?.severity).toBe('error');
    expect(error?.range.file).toBe('mine.mlir');
    expect(error?.range.line).toBeGreaterThanOrEqual(2);
    expect(broken.stages).toEqual([]);
    broken.delete();
  });

  test('names the operation that does not exist', async () => {
    const broken = await compile(source.replace('ktdp.load', 'ktdp.lift'));
    expect(broken.ok).toBe(false);
    expect(broken.diagnostics[0]?.message).toContain('ktdp.lift');
    const line = source.split('\n').findIndex((text) => text.includes('ktdp.load')) + 1;
    expect(broken.diagnostics[0]?.range.line).toBe(line);
    broken.delete();
  });

  test.each(['', ' ', '\0', '(', '}'.repeat(1000), '('.repeat(100_000), '\ud800', 'é'.repeat(99)])(
    'does no harm: case %#',
    async (text) => {
      const broken = await compile(text);
      expect(broken.stages.length + broken.diagnostics.length).toBeGreaterThan(0);
      broken.delete();
    },
  );

  test('cannot be run', async () => {
    const broken = await compile('module {');
    await expectFailure(broken.run(undefined, {}), 'kernel');
    broken.delete();
  });

  test('keeps the stages before the pass that fails', async () => {
    const outside = await compile(source.replace('arith.addf', 'arith.remf'));
    expect(outside.ok).toBe(false);
    expect(outside.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    const line = source.split('\n').findIndex((text) => text.includes('arith.addf')) + 1;
    expect(outside.diagnostics[0]?.range.line).toBe(line);
    expect(outside.stages[0]?.name).toBe('input');
    outside.delete();
  });
});

describe('arguments that do not fit', () => {
  test.each<[string, Arguments, RegExp[]]>([
    ['one is missing', { x: tensors.x, y: tensors.y }, [/out/]],
    ['one too many', { ...tensors, z: tensors.x }, [/z/]],
    ['a wrong dtype', { ...tensors, x: zeros('f32', [2, 64]) }, [/x/, /f16/, /f32/]],
    ['a wrong shape', { ...tensors, x: zeros('f16', [2, 32]) }, [/x/, /64/, /32/]],
    ['a missing file', { ...tensors, x: { npy: 'gone.npy' } }, [/gone\.npy/]],
    ['an unknown generator', { ...tensors, x: spec({ random: 'gamma' }) }, [/x/, /gamma/]],
    ['an unknown dtype', { ...tensors, x: spec({ dtype: 'f12', fill: 0 }) }, [/x/, /f12/]],
    ['a spec without data', { ...tensors, x: spec({}) }, [/x/]],
    ['a text', { ...tensors, x: 'many' as never }, [/x/]],
    ['nothing', { ...tensors, x: undefined as never }, [/'x'.*undefined/]],
    ['a symbol', { ...tensors, x: Symbol('x') as never }, [/'x'.*found a symbol/]],
    ['a bare typed array', { ...tensors, x: new Float32Array(3) as never }, [/a Float32Array/]],
    ['bytes', { ...tensors, x: new Uint8Array(3) as never }, [/found a Uint8Array/]],
    [
      'a negative place',
      { ...tensors, extra: { tensor: tensors.x, at: -4n } },
      [/'extra': expected a whole number from 0 as 'at', found -4n, a bigint/],
    ],
    ['a function', { ...tensors, x: (() => 1) as never }, [/'x'.*function/]],
    [
      'data that is short',
      { ...tensors, x: { dtype: 'f16', shape: [2, 64], data: new Uint8Array(3) } },
      [/'x'.*256.*3/],
    ],
    [
      'an unknown field beside data',
      { ...tensors, x: { ...data, shap: [1] } as never },
      [/'x': unknown field 'shap'; did you mean 'shape'\? expected one of dtype, shape, data$/],
    ],
    [
      'a place beside data',
      { ...tensors, x: { ...data, at: 64 } },
      [/'x': 'at' stands beside the data of a tensor; expected it.*\{ tensor, at \}/],
    ],
    [
      'an unknown field beside a tensor',
      { ...tensors, extra: { tensor: tensors.x, at: 0, til: 1 } as never },
      [/'extra': unknown field 'til'; did you mean 'tile'\?.*tensor, at, space, tile$/],
    ],
    [
      'an unknown field beside the data of a placed tensor',
      { ...tensors, extra: { tensor: { ...data, offset: 3 }, at: 0 } as never },
      [/'extra': unknown field 'offset'; expected one of dtype, shape, data$/],
    ],
    ['an integer of 65 bits', { ...tensors, x: 2n ** 64n }, [/'x'.*64-bit/]],
  ])('%s', async (_, args, messages) => {
    await expectFailure(compilation.run('binary', args), 'argument', ...messages);
  });

  test('no object', async () => {
    await expectFailure(compilation.run('binary', 3 as never), 'argument', /found 3/);
  });

  test('a file that is no npy', async () => {
    await expectFailure(
      compilation.run(
        'binary',
        { ...tensors, x: { npy: 'x.npy' } },
        { files: { 'x.npy': new Uint8Array([1, 2, 3]) } },
      ),
      'argument',
      /x\.npy/,
    );
    await expectFailure(readNpy(new Uint8Array([1, 2, 3])), 'argument');
    await expectFailure(readNpy('x' as never), 'argument', /found 'x'/);
  });

  test('a tensor beyond all memory', async () => {
    await expectFailure(generate({ dtype: 'f32', shape: [65536, 65536], fill: 0 }), 'argument');
    await expectFailure(
      generate({ dtype: 'f32', shape: [2 ** 31, 2 ** 31, 4], fill: 0 }),
      'argument',
    );
    await expectFailure(generate({ dtype: 'f32', shape: [-1], fill: 0 }), 'argument');
  });
});

function spec(fields: object): TensorSpec {
  return { dtype: 'f16', shape: [2, 64], ...fields } as TensorSpec;
}

describe('options that are wrong', () => {
  test.each<[string, RunOptions, RegExp]>([
    ['an unknown one', { lvl: 'ktir' } as never, /unknown option 'lvl'/],
    ['a misspelt one', { chekcs: true } as never, /'chekcs'; did you mean 'checks'\?/],
    ['a level', { level: 'machine' as never }, /'level': expected one of 'ktir'.*found 'machine'/],
    ['a depth', { channelDepth: 0 }, /'channelDepth': expected a whole number from 1, found 0/],
    ['a bigint', { channelDepth: 4n as never }, /from 1, found 4n, a bigint/],
    ['a seed', { interleaving: -1 }, /'interleaving'.*found -1/],
    [
      'a seed of 65 bits',
      { interleaving: 2n ** 64n },
      /'interleaving': expected a whole number from 0 to 2\^64 - 1.*, found 18446744073709551616/,
    ],
    ['a seed that is not exact', { interleaving: 2 ** 63 }, /'interleaving'.*2\^64 - 1.*bigint/],
    ['a policy', { policy: 'hope' as never }, /'policy'/],
    ['checks', { checks: 1 as never }, /'checks': expected true or false, found 1/],
    ['files', { files: { a: 'b' } as never }, /'files'/],
    ['a signal', { signal: {} as never }, /'signal'/],
    ['a callback', { onProgress: 1 as never }, /'onProgress': expected a function/],
  ])('%s', async (_, options, message) => {
    await expectFailure(compilation.run('binary', tensors, options), 'argument', message);
  });

  test.each<[string, CompileOptions, RegExp]>([
    ['an unknown one', { device_: '' } as never, /unknown option 'device_'/],
    ['a level', { to: 'silicon' as never }, /'to'.*'silicon'/],
    ['a device', { device: 3 as never }, /'device': expected a string, found 3/],
  ])('of compile: %s', async (_, options, message) => {
    await expectFailure(compile(source, options), 'argument', message);
  });

  test('no source', async () => {
    await expectFailure(compile(undefined as never), 'argument', /found undefined/);
  });

  test('a device that does not parse', async () => {
    const broken = await compile(source, { device: 'nonsense' });
    expect(broken.ok).toBe(false);
    expect(broken.diagnostics[0]?.severity).toBe('error');
    broken.delete();
  });

  test('a kernel or stage that does not exist', async () => {
    await expectFailure(compilation.run('other', tensors), 'kernel', /'other'/);
    await expectFailure(compilation.run('binary', tensors, { stage: 999 }), 'kernel', /999/);
  });
});

describe('a run that fails', () => {
  // The view has two rows; a third tile reaches beyond it.
  const beyond = source.replace('grid = [2]', 'grid = [3]');

  test('names the access, with policy trap', async () => {
    const wide = await compile(beyond);
    const error = await failure(wide.run('binary', tensors, { level: 'ktir', policy: 'trap' }));
    expect(error.code).toBe('kernel');
    expect(error.diagnostics[0]?.severity).toBe('error');
    expect(error.diagnostics[0]?.range.line).toBeGreaterThan(5);
    wide.delete();
  });

  test('is a finished run with a warning, with policy pad', async () => {
    const wide = await compile(beyond);
    const { findings } = await wide.run('binary', tensors, { level: 'ktir' });
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ severity }) => severity === 'warning')).toBe(true);
    wide.delete();
  });
});

describe('after delete', () => {
  test('everything says so', async () => {
    const gone = await compile(source);
    const executable = gone.prepare();
    gone.delete();
    gone.delete();
    expect(() => gone.prepare()).toThrow(/this compilation has been deleted/);
    expect(() => gone.stages[0]?.text()).toThrow(/has been deleted/);
    await expectFailure(gone.run('binary', tensors), 'deleted');
    await expectFailure(gone.validate('binary', tensors), 'deleted');
    // What was read before is still there.
    expect(gone.kernels[0]?.name).toBe('binary');
    executable.delete();
    await expectFailure(executable.launch(tensors), 'deleted', /this executable/);
  });

  test('`using` deletes', async () => {
    const gone = await compile(source);
    gone[Symbol.dispose]();
    expect(() => gone.prepare()).toThrow(/has been deleted/);
  });

  test('a run under way rejects', async () => {
    const executable = compilation.prepare();
    const run = executable.launch(tensors, {
      onProgress: () => undefined,
    });
    executable.delete();
    await expectFailure(run, 'deleted');
  });
});

describe('a crash', () => {
  test('is reported, and the next call gets a fresh compiler', async () => {
    const before = await compile(source);
    // The host has no more memory to give.
    const growing = jest.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError('failed to grow memory');
    });
    try {
      const many = { dtype: 'i8', shape: [2 ** 29], fill: 1 } as const;
      await expectFailure(
        generate({ ...many, shape: [...many.shape] }),
        'crashed',
        /out of memory/,
      );
    } finally {
      growing.mockRestore();
    }
    // What lived in the instance is lost, and says so.
    await expectFailure(before.run('binary', tensors), 'crashed', /starts afresh/);
    before.delete();

    const after = await compile(source);
    const twos = tensor('f16', [2, 64], new Array<number>(128).fill(2));
    const { outputs } = await after.run('binary', { ...tensors, x: twos });
    expect(outputs.out?.at(5)).toBe(2);
    after.delete();
  });
});

describe('wasm that cannot be loaded', () => {
  test('can be corrected without a new process', async () => {
    configure({ wasm: new URL('file:///nowhere/ktir.wasm') });
    await expectFailure(compile(source), 'load', /cannot load ktir\.wasm/, /nowhere/);
    configure({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) });
    // An empty module: valid, and of no build at all.
    await expectFailure(compile(source), 'load', /another build/, /found none/);
    configure({});
    const again = await compile(source);
    expect(again.ok).toBe(true);
    again.delete();
  });
});
