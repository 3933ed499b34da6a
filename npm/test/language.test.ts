import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectWorker,
  createLanguageService,
  type LanguageService,
  type Position,
  type RemoteCompiler,
} from 'ktir';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { packageRoot } from './support/files.ts';
import { binaryKernel } from './support/kernels.ts';

const source = binaryKernel('arith.addf', 2, 64);

/** Where `needle` starts in `text`, counted as JavaScript strings do. */
function find(text: string, needle: string): Position {
  const before = text.slice(0, text.indexOf(needle)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** What a range covers. */
function cut(text: string, range: { line: number; column: number; endColumn: number }): string {
  return (text.split('\n')[range.line - 1] ?? '').slice(range.column - 1, range.endColumn - 1);
}

let service: LanguageService;
beforeAll(async () => {
  service = await createLanguageService();
});
afterAll(() => {
  service.delete();
});

test('answers about a program', () => {
  expect(service.update(source)).toEqual([]);
  // Tile t of the kernel has row t.
  const hover = service.hover(find(source, '%x_tile ='));
  expect(hover?.text).toContain('Row t, columns 0 … 63 of a 2 × 64 f16 view in device memory.');
  const use = find(source, '%sum, %out_tile');
  const [definition] = service.definition(use);
  expect(definition).toMatchObject({ ...find(source, '%sum ='), file: 'kernel.mlir' });
  expect(service.references(use).map((range) => cut(source, range))).toEqual(['%sum', '%sum']);
  const symbols = service.symbols();
  expect(symbols.map(({ name }) => name).slice(0, 4)).toEqual(['#all', '#row', '#id', '@binary']);
  const inBody = symbols.find(({ name }) => name === '%sum');
  expect(symbols[inBody?.parent ?? -1]?.name).toBe('@binary');
});

test('answers while a line is half typed', () => {
  service.update(source);
  const broken = source.replace('    ktdp.store', '    %z = arith.addf %\n    ktdp.store');
  expect(service.update(broken).length).toBeGreaterThan(0);
  const at = find(broken, 'arith.addf %\n');
  const { items, range } = service.completion({ line: at.line, column: at.column + 12 });
  expect(items[0]).toMatchObject({ label: '%sum', kind: 'value', detail: 'tensor<1x64xf16>' });
  expect(cut(broken, range)).toBe('%');
  expect(service.hover(find(broken, '%x_tile ='))?.text).toContain('Row t');
});

test('counts columns in UTF-16 code units', () => {
  const text = source.replace('{grid = [2]}', '{note = "π 🙂 é", grid = [2]}');
  expect(service.update(text)).toEqual([]);
  const tokens = service.tokens();
  const spelled = tokens.map((token) =>
    cut(text, { ...token, endColumn: token.column + token.length }),
  );
  expect(spelled).toContain('"π 🙂 é"');
  // What stands behind these characters in the line.
  expect(spelled).toContain('grid');
  const key = find(text, 'grid = [2]');
  const { items, range } = service.completion({ line: key.line, column: key.column + 4 });
  expect(cut(text, range)).toBe('grid');
  expect(items.map(({ label }) => label)).toContain('grid');
});

test('refuses what is no text, position, question or option', async () => {
  expect(() => service.update(1 as never)).toThrow(/expected the source text/);
  expect(() => service.hover({ line: 0, column: 1 })).toThrow(/expected a position/);
  for (const question of ['hover', 'definition', 'references', 'completion'] as const) {
    const ask = service[question].bind(service) as (position?: unknown) => unknown;
    expect(() => ask()).toThrow(/expected a position.*found undefined$/);
    expect(() => ask({ line: 1 })).toThrow(/found \{ line: 1, column: undefined \}$/);
    expect(() => service.ask(question)).toThrow(/expected a position/);
  }
  expect(service.ask('symbols')).toEqual(service.symbols());
  expect(() => service.ask('nonsense' as never)).toThrow(/expected a question/);
  await expect(createLanguageService({ to: 'ktir' } as never)).rejects.toThrow(/unknown option/);
  const short = await createLanguageService({ fileName: 'a.mlir' });
  const [first] = short.update('nonsense');
  expect(first?.range.file).toBe('a.mlir');
  short.delete();
  expect(() => short.symbols()).toThrow(/has been deleted/);
});

describe('in a worker', () => {
  let remote: RemoteCompiler;
  beforeAll(() => {
    remote = connectWorker(new Worker(join(packageRoot, 'dist/worker-node.js')));
  });
  afterAll(() => {
    remote.close();
  });

  test('gives the same answers', async () => {
    const far = await remote.createLanguageService();
    service.update(source);
    expect(await far.update(source)).toEqual([]);
    const position = find(source, '%x_tile =');
    expect(await far.hover(position)).toEqual(service.hover(position));
    expect(await far.definition(position)).toEqual(service.definition(position));
    expect(await far.references(position)).toEqual(service.references(position));
    expect(await far.completion(position)).toEqual(service.completion(position));
    expect(await far.symbols()).toEqual(service.symbols());
    expect(await far.tokens()).toEqual(service.tokens());
    const nowhere = far.hover(undefined as never);
    await expect(nowhere).rejects.toMatchObject({ code: 'argument' });
    await expect(nowhere).rejects.toThrow(/expected a position.*found undefined$/);
    await far.delete();
    await expect(far.symbols()).rejects.toMatchObject({ code: 'deleted' });
  });
});
