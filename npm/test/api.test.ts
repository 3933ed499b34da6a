import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  compile,
  format,
  generate,
  KtirError,
  readNpy,
  tensor,
  version,
  writeNpy,
  zeros,
  type Compilation,
  type Progress,
} from 'ktir';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from './support/files.ts';
import { binaryKernel, countingKernel } from './support/kernels.ts';

const source = binaryKernel('arith.addf', 2, 64);
const range = Array.from({ length: 128 }, (_, i) => i);
const x = tensor('f16', [2, 64], range);
const y = tensor(
  'f16',
  [2, 64],
  range.map((i) => 2 * i),
);

let compilation: Compilation;
beforeAll(async () => {
  compilation = await compile(source);
});
afterAll(() => {
  compilation.delete();
});

test('the version is that of the package', async () => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  expect(await version()).toBe((JSON.parse(text) as { version: string }).version);
});

describe('older forms', () => {
  const legacy = source.replaceAll('#ktdp.memory_space<global>', '#ktdp.spyre_memory_space<HBM>');

  test('are warnings with an edit that mends each of them', async () => {
    const older = await compile(legacy, { to: 'ktir' });
    expect(older.ok).toBe(true);
    expect(older.diagnostics.length).toBeGreaterThan(0);
    const lines = legacy.split('\n');
    for (const { severity, rule, edits } of [...older.diagnostics].reverse()) {
      expect(severity).toBe('warning');
      expect(rule).toMatch(/^LF-\d+$/);
      for (const { range, text } of [...edits].reverse()) {
        expect(range.line).toBe(range.endLine);
        const line = lines[range.line - 1] ?? '';
        lines[range.line - 1] =
          line.slice(0, range.column - 1) + text + line.slice(range.endColumn - 1);
      }
    }
    older.delete();
    expect(lines.join('\n')).toBe(source);
  });

  test('are refused when strict', async () => {
    const strict = await compile(legacy, { to: 'ktir', strict: true });
    expect(strict.ok).toBe(false);
    expect(strict.diagnostics[0]?.severity).toBe('error');
    strict.delete();
  });

  test('are rewritten by format, which comments survive', async () => {
    const { text = '', diagnostics } = await format(`// über allem\n${legacy}`);
    expect(diagnostics).toEqual([]);
    expect(text).toContain('// über allem\n');
    expect(text).not.toContain('spyre_memory_space');
    expect((await format(text)).text).toBe(text);
  });

  test('an error keeps a text from being formatted, and has its place', async () => {
    const answer = await format('module { // ü\n  nonsense\n}\n');
    expect(answer.text).toBeUndefined();
    expect(answer.diagnostics[0]?.range).toMatchObject({ line: 2, column: 3, endColumn: 11 });
  });
});

describe('a compilation', () => {
  test('reaches DataflowIR through stages in order', () => {
    expect(compilation.ok).toBe(true);
    expect(compilation.inputLevel).toBe('ktir');
    expect(compilation.level).toBe('dataflow');
    expect(compilation.stages[0]?.name).toBe('input');
    const order = ['ktir', 'schedule', 'units', 'dataflow', 'container'];
    const levels = compilation.stages.map(({ level }) => order.indexOf(level));
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(levels.at(-1)).toBe(order.indexOf('dataflow'));
  });

  test('describes its kernel', () => {
    const [kernel] = compilation.kernels;
    expect(kernel?.name).toBe('binary');
    expect(kernel?.grid).toEqual([2]);
    expect(kernel?.signature).toBe('binary(x: f16[2, 64], y: f16[2, 64], out: f16[2, 64])');
    expect(kernel?.arguments.map(({ access }) => access)).toEqual(['read', 'read', 'write']);
    // The name stands in the fifth line, after `  func.func @`.
    expect(kernel?.range.line).toBe(5);
  });

  test('prints every stage, and each prints as KTIR or DataflowIR that compiles again', async () => {
    const texts = compilation.stages.map((stage) => stage.text());
    expect(texts[0]).toContain('ktdp.load');
    expect(texts.at(-1)).toContain('dataflow.');
    const again = await compile(texts.at(-1) ?? '', { fileName: 'again.mlir' });
    expect(again.ok).toBe(true);
    expect(again.inputLevel).toBe('dataflow');
    expect(again.stages.at(-1)?.text()).toBe(texts.at(-1));
    again.delete();
  });

  test('counts operations', () => {
    const counts = Object.fromEntries(compilation.stages[0]?.opCounts ?? []);
    expect(counts['ktdp.load']).toBe(2);
    expect(counts['ktdp.store']).toBe(1);
  });

  test('stops at the level asked for', async () => {
    const partial = await compile(source, { to: 'ktir' });
    expect(partial.ok).toBe(true);
    expect(partial.level).toBe('ktir');
    partial.delete();
  });
});

describe('a run', () => {
  test.each(['ktir', 'dataflow'] as const)('computes at level %s', async (level) => {
    const result = await compilation.run('binary', { x, y, out: zeros('f16', [2, 64]) }, { level });
    expect(result.kernel).toBe('binary');
    expect(result.level).toBe(level);
    expect(Object.keys(result.outputs)).toEqual(['x', 'y', 'out']);
    expect([...(result.outputs.out?.toFloat32Array() ?? [])]).toEqual(range.map((i) => 3 * i));
    expect(result.findings).toEqual([]);
    // Two inputs and one output of 128 elements, two bytes each.
    expect(result.report.bytesRead).toBe(512);
    expect(result.report.bytesWritten).toBe(256);
    expect(result.trace).toEqual([]);
  });

  test('takes every form of a tensor', async () => {
    const files = { 'y.npy': await writeNpy(y) };
    const result = await compilation.run(
      'binary',
      {
        x: { dtype: 'f16', shape: [2, 64], data: [range.slice(0, 64), range.slice(64)] },
        y: { npy: 'y.npy' },
        out: { dtype: 'f16', shape: [2, 64], fill: 7 },
      },
      { files },
    );
    expect([...(result.outputs.out?.toFloat32Array() ?? [])]).toEqual(range.map((i) => 3 * i));
  });

  test('records a trace when asked', async () => {
    const args = { x, y, out: zeros('f16', [2, 64]) };
    const { trace } = await compilation.run('binary', args, { level: 'dataflow', trace: true });
    expect(trace.length).toBeGreaterThan(0);
    expect(trace[0]).toHaveProperty('ph');
  });

  test('gives the same bytes for every interleaving and channel depth', async () => {
    const args = { x, y, out: zeros('f16', [2, 64]) };
    const { outputs } = await compilation.run('binary', args, { level: 'ktir' });
    for (const interleaving of [0, 1, 2n ** 64n - 1n]) {
      const other = await compilation.run('binary', args, {
        level: 'dataflow',
        interleaving,
        channelDepth: 1,
      });
      expect(other.outputs.out?.equals(outputs.out ?? x)).toBe(true);
    }
  });

  test('runs a stage by its number', async () => {
    const args = { x, y, out: zeros('f16', [2, 64]) };
    const { outputs, level } = await compilation.run('binary', args, { stage: 0 });
    expect(level).toBe('ktir');
    expect(outputs.out?.at(127)).toBe(381);
  });

  test('leaves the arguments alone', async () => {
    const out = zeros('f16', [2, 64]);
    await compilation.run('binary', { x, y, out });
    expect(out.equals(zeros('f16', [2, 64]))).toBe(true);
  });
});

describe('an executable', () => {
  test('runs many times with other tensors', async () => {
    const executable = compilation.prepare('binary', { level: 'dataflow' });
    for (const factor of [1, 2, 3]) {
      const scaled = tensor(
        'f16',
        [2, 64],
        range.map((i) => factor * i),
      );
      const { outputs } = await executable.launch({ x: scaled, y, out: zeros('f16', [2, 64]) });
      expect(outputs.out?.at(100)).toBe(100 * factor + 200);
    }
    executable.delete();
  });

  test('puts results into given tensors, and reads no others back', async () => {
    const executable = compilation.prepare();
    const args = { x, y, out: zeros('f16', [2, 64]) };
    const into = { out: zeros('f16', [2, 64]) };
    for (let run = 0; run < 2; ++run) {
      const { outputs } = await executable.launch(args, { into });
      expect(Object.keys(outputs)).toEqual(['out']);
      expect(outputs.out).toBe(into.out);
      expect(into.out.at(100)).toBe(300);
      into.out.data.fill(0);
    }
    // Of several pieces, and no whole number of them.
    const long = await compile(binaryKernel('arith.addf', 31, 9999), { to: 'ktir' });
    const many = long.prepare(undefined, { level: 'ktir' });
    const ones = tensor('f16', [31, 9999], new Array(31 * 9999).fill(1));
    const sums = zeros('f16', [31, 9999]);
    const all = await many.launch({ x: ones, y: ones, out: sums });
    await many.launch({ x: ones, y: ones, out: zeros('f16', [31, 9999]) }, { into: { out: sums } });
    expect(sums.equals(all.outputs.out ?? ones)).toBe(true);
    expect(sums.at(31 * 9999 - 1)).toBe(2);
    long.delete();
    many.delete();

    await expect(executable.launch(args, { into: { sum: into.out } })).rejects.toThrow(
      "'into' names 'sum', which is no argument of this run",
    );
    for (const [dtype, shape] of [
      ['bf16', [2, 64]],
      ['f16', [128]],
      ['f32', [2, 64]],
    ] as const) {
      await expect(executable.launch(args, { into: { out: zeros(dtype, shape) } })).rejects.toThrow(
        `'into' has ${dtype}[${shape.join(', ')}] for 'out'; expected f16[2, 64]`,
      );
    }
    // Given away, before the run and while it is under way.
    const lost = zeros('f16', [2, 64]);
    structuredClone(lost.data.buffer, { transfer: [lost.data.buffer as ArrayBuffer] });
    await expect(executable.launch(args, { into: { out: lost } })).rejects.toThrow(
      "'into' of 'out': expected 256 bytes for f16[2, 64], found 0",
    );
    const late = zeros('f16', [2, 64]);
    const run = executable.begin(args, { into: { out: late } });
    structuredClone(late.data.buffer, { transfer: [late.data.buffer as ArrayBuffer] });
    await expect(run.finish()).rejects.toMatchObject({ code: 'argument' });
    run.delete();
    await expect(executable.launch(args, { into })).resolves.toBeDefined();
    executable.delete();
  });

  test('keeps the sign of a zero as a scalar', async () => {
    const text = `func.func @k(%s: f32, %n: index, %o: index) attributes {grid = [1]} {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %q = arith.divf %one, %s : f32
      %v = ktdp.construct_memory_view %o, sizes: [1], strides: [1] {coordinate_set = affine_set<(a) : (a == 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf32>
      memref.store %q, %v[%n] : memref<1xf32>
      return
    }`;
    const kernel = await compile(text, { to: 'ktir' });
    for (const [s, quotient] of [
      [-0, -Infinity],
      [0, Infinity],
    ] as const) {
      // To an integer it is a zero like any other.
      const { outputs } = await kernel.run(
        undefined,
        { s, n: -0, o: zeros('f32', [1]) },
        { level: 'ktir' },
      );
      expect(outputs.o?.at(0)).toBe(quotient);
    }
    kernel.delete();
  });

  test('outlives its compilation', async () => {
    const short = await compile(source);
    const executable = short.prepare();
    short.delete();
    const { outputs } = await executable.launch({ x, y, out: zeros('f16', [2, 64]) });
    expect(outputs.out?.at(1)).toBe(3);
    executable.delete();
  });

  test('runs once at a time', async () => {
    const executable = compilation.prepare();
    const args = { x, y, out: zeros('f16', [2, 64]) };
    const first = executable.launch(args);
    await expect(executable.launch(args)).rejects.toThrow(/running already/);
    expect((await first).outputs.out?.at(1)).toBe(3);
    executable.delete();
  });
});

describe('described tensors', () => {
  test('keep the sign of zeros and all digits', async () => {
    const zeros = await generate({ dtype: 'f16', shape: [3], data: [-0, 1, 0] });
    expect([...zeros.toUint16Array()]).toEqual([0x8000, 0x3c00, 0]);
    const fill = await generate({ dtype: 'f32', shape: [1], fill: -0 });
    expect(Object.is(fill.at(0), -0)).toBe(true);
    const data = [2n ** 62n + 1n, -1n];
    const whole = await generate({ dtype: 'i64', shape: [2], data } as never);
    expect(whole.toArray()).toEqual(data);
  });

  test('round bigints once, and keep all digits of large numbers', async () => {
    // Beyond the middle of two f32, by less than numbers of that size tell apart.
    const beside = 2n ** 60n + 2n ** 36n + 1n;
    const data = [beside, -beside];
    const expected = [2 ** 60 + 2 ** 37, -(2 ** 60 + 2 ** 37)];
    const described = await generate({ dtype: 'f32', shape: [2], data } as never);
    expect(described.toArray()).toEqual(expected);
    expect(tensor('f32', [2], data).toArray()).toEqual(expected);
    const large = await generate({ dtype: 'i64', shape: [1], fill: 2 ** 62 });
    expect(large.toArray()).toEqual([2n ** 62n]);
  });

  test('hold what JSON cannot write', async () => {
    const data = [NaN, Infinity, -Infinity, 1];
    for (const dtype of ['f16', 'bf16', 'f32', 'f64'] as const) {
      const tensor = await generate({ dtype, shape: [4], data });
      expect(tensor.toArray()).toEqual(data);
      const filled = await generate({ dtype, shape: [1], fill: -Infinity });
      expect(filled.toArray()).toEqual([-Infinity]);
    }
    await expect(generate({ dtype: 'i32', shape: [1], fill: NaN })).rejects.toThrow(
      'expected an integer for dtype i32, found "nan"',
    );
    await expect(generate({ dtype: 'f16', shape: [NaN], fill: 0 })).rejects.toThrow(
      /extents of 'shape'.*found "nan"/,
    );
  });

  test('are nested as their shape or not at all', async () => {
    const nested = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    const tensor = await generate({ dtype: 'f16', shape: [2, 3], data: nested } as never);
    expect(tensor.toArray()).toEqual(nested.flat());
    await expect(generate({ dtype: 'f16', shape: [3, 2], data: nested } as never)).rejects.toThrow(
      /expected 'data' as one list or nested as its shape \[3, 2\]/,
    );
  });
});

describe('a long run', () => {
  // The count is out of reach of a test: only cancelling ends it.
  const endless = countingKernel(2 ** 50);

  test('can be cancelled, and the compiler goes on', async () => {
    const long = await compile(endless, { to: 'ktir' });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => {
      controller.abort(reason);
    }, 50);
    await expect(long.run('count', { seed: 1 }, { signal: controller.signal })).rejects.toBe(
      reason,
    );
    long.delete();
    const { outputs } = await compilation.run('binary', { x, y, out: zeros('f16', [2, 64]) });
    expect(outputs.out?.at(2)).toBe(6);
  });

  test('does not start when cancelled before', async () => {
    const signal = AbortSignal.abort(new Error('never'));
    await expect(
      compilation.run('binary', { x, y, out: zeros('f16', [2, 64]) }, { signal }),
    ).rejects.toThrow('never');
  });

  test('reports progress and lets the event loop run', async () => {
    const long = await compile(endless, { to: 'ktir' });
    const controller = new AbortController();
    const seen: Progress[] = [];
    let ticks = 0;
    const timer = setInterval(() => ++ticks, 1);
    const onProgress = (progress: Progress) => {
      seen.push(progress);
      if (seen.length === 10) controller.abort();
    };
    await expect(
      long.run('count', { seed: 1 }, { signal: controller.signal, onProgress }),
    ).rejects.toThrow();
    clearInterval(timer);
    const done = seen.map((progress) => progress.done);
    expect(done[0]).toBeGreaterThan(0);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(ticks).toBeGreaterThan(0);
    long.delete();
  });
});

test('a run without a level is of the last that was reached', async () => {
  const args = { x, y, out: zeros('f16', [2, 64]) };
  expect((await compilation.run(undefined, args)).level).toBe('dataflow');
  const written = await compile(source, { to: 'ktir' });
  expect((await written.run(undefined, args)).level).toBe('ktir');
  written.delete();
});

test('a progress callback that throws ends its run', async () => {
  const long = await compile(countingKernel(2 ** 50), { to: 'ktir' });
  const reason = new Error('no more of this');
  const onProgress = () => {
    throw reason;
  };
  await expect(long.run('count', { seed: 1 }, { onProgress })).rejects.toBe(reason);
  long.delete();
});

test('places are numbers or bigints', async () => {
  const args = { x, y, out: zeros('f16', [2, 64]) };
  const ones = tensor('f16', [2], [1, 1]);
  for (const at of [4096, 4096n]) {
    const { outputs } = await compilation.run(
      'binary',
      {
        ...args,
        held: { tensor: ones, at },
        there: { tensor: ones, at, space: 'ct_local', tile: typeof at === 'bigint' ? 1n : 1 },
        filled: { dtype: 'f16', shape: [2], fill: 3, at: typeof at === 'bigint' ? 8192n : 8192 },
      },
      { level: 'ktir' },
    );
    expect(outputs.held?.toArray()).toEqual([1, 1]);
    expect(outputs.there?.toArray()).toEqual([1, 1]);
    expect(outputs.filled?.toArray()).toEqual([3, 3]);
  }
});

test('data in numbers is that of its text, however many they are', async () => {
  // From 256 on they do not pass through text.
  const wide = await compile(binaryKernel('arith.addf', 2, 256), { to: 'ktir' });
  const numbers = Array.from({ length: 512 }, (_, i) => (i % 2 ? 1 : -1) * Math.exp(i / 9 - 30));
  numbers[7] = -0;
  numbers[8] = 5e9; // infinity in f16
  const spec = (data: unknown[]) => ({ dtype: 'f16', shape: [2, 256], data }) as never;
  const few = await generate(spec([numbers.slice(0, 256), numbers.slice(256)]));
  expect((await generate(spec(numbers))).equals(few)).toBe(true);
  const { outputs } = await wide.run(
    undefined,
    {
      x: spec(numbers),
      y: spec([numbers.slice(0, 256), numbers.slice(256)]),
      out: zeros('f16', [2, 256]),
    },
    { level: 'ktir' },
  );
  expect(outputs.x?.equals(few)).toBe(true);
  expect(outputs.y?.equals(few)).toBe(true);
  await expect(
    wide.run(undefined, { x: spec(numbers.slice(1)), y: spec(numbers), out: spec(numbers) }),
  ).rejects.toThrow(/512/);
  wide.delete();
});

test('validation finds every stage that runs equal', async () => {
  const stages = await compilation.validate('binary', { x, y, out: zeros('f16', [2, 64]) });
  expect(stages.length).toBe(compilation.stages.length);
  expect(stages[0]?.executed).toBe(true);
  expect(stages.at(-1)?.executed).toBe(true);
  for (const stage of stages) if (stage.executed) expect(stage.matches).toBe(true);
});

describe('generated tensors', () => {
  test('are the same for the same seed', async () => {
    const spec = { dtype: 'f16', shape: [4, 4], random: 'normal', seed: 5 } as const;
    const one = await generate(spec as never);
    expect(one.equals(await generate(spec as never))).toBe(true);
    expect(one.equals(await generate({ ...spec, seed: 6 } as never))).toBe(false);
  });

  test('have seeds of 64 bits', async () => {
    const of = (seed: number | bigint) =>
      generate({ dtype: 'f16', shape: [4], random: 'normal', seed });
    const last = await of(2n ** 64n - 1n);
    // Modulo 2^64.
    expect(last.equals(await of(-1))).toBe(true);
    expect(last.equals(await of(2n ** 64n - 2n))).toBe(false);
    expect((await of(2 ** 63)).equals(await of(-(2n ** 63n)))).toBe(true);
    for (const seed of [2n ** 64n, -(2n ** 64n), 0.5, NaN]) {
      await expect(of(seed)).rejects.toThrow(/integer from -2\^63 to 2\^64 - 1 for 'seed', found/);
    }
  });

  test('keep to their bounds', async () => {
    const values = await generate({
      dtype: 'i32',
      shape: [1000],
      random: 'integers',
      low: -3,
      high: 4,
      seed: 1,
    });
    // All of -3 … 3 among a thousand draws; the upper bound is not included.
    expect([...new Set(values.toArray())].map(Number).sort((a, b) => a - b)).toEqual([
      -3, -2, -1, 0, 1, 2, 3,
    ]);
  });

  test('can be filled', async () => {
    const ones = await generate({ dtype: 'f32', shape: [3], fill: 1.5 });
    expect(ones.toArray()).toEqual([1.5, 1.5, 1.5]);
  });
});

test('npy files keep dtype, shape and bytes', async () => {
  for (const original of [x, tensor('i64', [2, 1], [1n, -(2n ** 60n)]), zeros('f32', [])]) {
    const again = await readNpy(await writeNpy(original));
    expect(again.equals(original)).toBe(true);
  }
  const bytes = await writeNpy(tensor('f32', [1], [1]));
  // The format's own magic string and version.
  expect([...bytes.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
});

test('columns count UTF-16 units', async () => {
  // A comment before the error, with two-, three- and four-byte characters.
  const text = 'module {\n  /* */ func.func @f() { "é€𝄞" }\n}\n'.replace('/* */ ', '');
  const plain = text.replace('é€𝄞', 'abcd');
  const at = async (source: string) => {
    const broken = await compile(source);
    const error = broken.diagnostics.find(({ severity }) => severity === 'error');
    broken.delete();
    return error?.range;
  };
  // 'é€𝄞' has four UTF-16 units, like 'abcd'.
  expect(await at(text)).toEqual(await at(plain));
});

test('errors carry their diagnostics', async () => {
  const error: unknown = await compilation.run('binary', {}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KtirError);
  expect((error as KtirError).code).toBe('argument');
  expect((error as KtirError).diagnostics.length).toBeGreaterThan(0);
});

describe('captures', () => {
  const args = { x, y, out: zeros('f16', [2, 64]) };

  test('give values of names and of places, on a tile', async () => {
    const lines = source.split('\n');
    const line = lines.findIndex((text) => text.includes('arith.addf')) + 1;
    const column = (lines[line - 1]?.indexOf('%') ?? -1) + 1;
    const name = /%\w+/.exec(lines[line - 1] ?? '')?.[0] ?? '';
    const { captured } = await compilation.run(undefined, args, {
      level: 'ktir',
      captures: [{ value: name, tile: 1 }, { value: { line, column }, tile: 0 }, { value: '%x' }],
    });
    const [onOne, onZero, argument] = captured;
    expect(onOne).toMatchObject({ name, instance: 'tile 1', executions: 1, text: '' });
    expect(onOne?.range).toMatchObject({ line, column });
    // 3 times the element, of the second row and of the first.
    expect(onOne?.tensor?.toArray()).toEqual(range.slice(64).map((i) => 3 * i));
    expect(onZero?.tensor?.toArray()).toEqual(range.slice(0, 64).map((i) => 3 * i));
    expect(argument?.tensor?.shape).toEqual([]);
    expect(argument?.tensor?.dtype).toBe('index');
  });

  test('of a name that is none are refused, as is what is no request', async () => {
    const bad = compilation.run(undefined, args, {
      captures: [{ value: '%nothing' }],
      level: 'ktir',
    });
    await expect(bad).rejects.toMatchObject({ code: 'argument' });
    await expect(
      compilation.run(undefined, args, { captures: [{ value: '%x', execution: 0 }] }),
    ).rejects.toMatchObject({ code: 'argument' });
  });

  test('are there when the run fails', async () => {
    const divided = await compile(countingKernel(3).replace('addi %acc', 'divsi %acc'), {
      to: 'ktir',
    });
    // The first turn of the loop divides by 0.
    const run = divided.run(undefined, { seed: 5 }, { captures: [{ value: '%acc' }] });
    const error: unknown = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(KtirError);
    divided.delete();
    const [value] = (error as KtirError).captured;
    expect(value).toMatchObject({ name: '%acc', executions: 1 });
    expect(Number(value?.tensor?.toArray()[0])).toBe(5);
  });
});

describe('a stepped run', () => {
  const args = { x, y, out: zeros('f16', [2, 64]) };
  const captures = [
    { value: '%sum', tile: 0 },
    { value: '%sum', tile: 1 },
  ];

  test('executes one operation at a time on one tile, and the rest in the end', async () => {
    const executable = compilation.prepare(undefined, { level: 'ktir' });
    const run = executable.begin(args, { captures });
    expect(run.instances()).toEqual(['tile 0', 'tile 1']);
    await expect(executable.launch(args)).rejects.toThrow('running already');
    const lines = source.split('\n');
    const ops: string[] = [];
    for (let done = await run.step(1); done; done = await run.step(1)) {
      ops.push(done.op);
      if (done.op !== 'func.return') expect(lines[done.range.line - 1]).toContain(done.op);
    }
    const written = lines.flatMap(
      (line) => /(?:ktdp|arith|linalg)\.\w+ /.exec(line)?.[0].trim() ?? [],
    );
    expect(ops).toEqual(expect.arrayContaining(written.filter((op) => op !== 'arith.constant')));
    const [onZero, onOne] = run.captured();
    expect(onZero?.executions).toBe(0);
    expect(onOne?.executions).toBe(1);
    expect(await run.step(1)).toBeNull();
    const { outputs } = await run.finish();
    run.delete();
    const whole = await executable.launch(args);
    expect(outputs.out?.data).toEqual(whole.outputs.out?.data);
    executable.delete();
  });

  test('steps units of DataflowIR', async () => {
    const executable = compilation.prepare(undefined, { level: 'dataflow' });
    const run = executable.begin(args);
    const ops = [(await run.step(1))?.op, (await run.step(1))?.op];
    expect(ops).not.toContain(undefined);
    expect(run.instances()[1]).toMatch(/^C\d+-\w+$/);
    const { outputs } = await run.finish();
    expect(outputs.out?.toArray()).toEqual(
      (await compilation.run(undefined, args)).outputs.out?.toArray(),
    );
    run.delete();
    executable.delete();
  });

  test('refuses what is no tile, and whatever comes after its end', async () => {
    const executable = compilation.prepare(undefined, { level: 'ktir' });
    const run = executable.begin(args);
    for (const tile of [2, -1, 0.5, NaN]) {
      await expect(run.step(tile)).rejects.toThrow('expected the number of a tile from 0 to 1');
    }
    await expect(run.step(1n as never)).rejects.toThrow('0 to 1, found 1n, a bigint');
    run.delete();
    await expect(run.step(0)).rejects.toMatchObject({ code: 'deleted' });
    expect(() => run.captured()).toThrow('this run has been deleted');
    executable.delete();
  });

  test('rejects at the step that fails', async () => {
    const divided = await compile(countingKernel(3).replace('addi %acc', 'divsi %acc'), {
      to: 'ktir',
    });
    const executable = divided.prepare();
    const run = executable.begin({ seed: 5 });
    const all = async (): Promise<void> => {
      while (await run.step(0));
    };
    await expect(all()).rejects.toMatchObject({ code: 'kernel' });
    run.delete();
    executable.delete();
    divided.delete();
  });
});

test('the report has the cost estimate and the fullest scratchpad', async () => {
  const { report } = await compilation.run(
    undefined,
    { x, y, out: zeros('f16', [2, 64]) },
    { level: 'ktir' },
  );
  expect(report.costs.map(({ profile }) => profile)).toEqual(['interpreter', 'measured']);
  for (const cost of report.costs) {
    expect(cost.tiles).toHaveLength(2);
    const { compute, memory, communication } = cost.tiles[cost.slowest] ?? {
      compute: 0,
      memory: 0,
      communication: 0,
    };
    expect(cost.cycles.serial).toBe(compute + memory + communication);
  }
  const total = report.scratchpadAtPeak.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total).toBe(report.scratchpadPeak);
  expect(report.scratchpadAtPeak[0]?.range.line).toBeGreaterThan(0);
});
