/** The package as its users get it: packed, installed, imported. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from './support/files.ts';
import { binaryKernel } from './support/kernels.ts';

/** Prints the third element of 2 + 3 … as every consumer below does. */
const PROGRAM = `
const source = ${JSON.stringify(binaryKernel())};
const out = zeros('f16', [2, 64]);
const args = { x: tensor('f16', [2, 64], new Array(128).fill(2)), y: tensor('f16', [2, 64], new Array(128).fill(3)), out };
const main = async () => {
  const compilation = await compile(source);
  const { outputs } = await compilation.run('binary', args);
  compilation.delete();
  console.log(outputs.out.at(2));
};
main();
`;

let folder: string;
let packed: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ktir-pack-'));
  const npm = (words: string[], cwd: string) =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = npm(['pack', '--json', '--pack-destination', folder], packageRoot);
  const [info] = JSON.parse(answer) as [{ filename: string; files: { path: string }[] }];
  packed = info.files.map(({ path }) => path);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${info.filename}`], folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function runFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return execFileSync(process.execPath, [path], { cwd: folder, encoding: 'utf8' }).trim();
}

test('holds what it needs and nothing else', () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      'README.md',
      'bin/ktir.mjs',
      'dist/index.js',
      'dist/ktir.wasm',
      'dist/node.cjs',
      'dist/node.js',
      'dist/types/index.d.ts',
      'dist/worker.js',
      'package.json',
    ]),
  );
  expect(packed.filter((path) => /^(src|test|scripts|node_modules)\//.test(path))).toEqual([]);
});

test('is imported as an ES module', () => {
  const text = `import { compile, tensor, zeros } from 'ktir';\n${PROGRAM}`;
  expect(runFile('main.mjs', text)).toBe('5');
});

test('is required as a CommonJS module', () => {
  const text = `const { compile, tensor, zeros } = require('ktir');\n${PROGRAM}`;
  expect(runFile('main.cjs', text)).toBe('5');
});

test('works in a worker thread', () => {
  const text = `
import { connectWorker, tensor, zeros } from 'ktir';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
const remote = connectWorker(new Worker(fileURLToPath(import.meta.resolve('ktir/worker'))));
const compile = async (source) => {
  const { id } = await remote.compile(source);
  return { run: (kernel, args) => remote.run(id, kernel, args), delete: () => remote.release(id).then(() => remote.close()) };
};
${PROGRAM}`;
  expect(runFile('worker.mjs', text)).toBe('5');
});

test('is bundled for a page without anything of Node, and the bundle runs', async () => {
  const entry = join(folder, 'page.mjs');
  writeFileSync(
    entry,
    `import { compile, configure, tensor, zeros } from 'ktir';
import wasm from 'ktir/wasm';
configure({ wasm });
${PROGRAM}`,
  );
  const outfile = join(folder, 'bundle.mjs');
  // Platform `browser`: an import of anything of Node would be an error here.
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: folder,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    loader: { '.wasm': 'binary' },
    metafile: true,
    outfile,
    logLevel: 'silent',
  });
  expect(Object.keys(metafile.inputs).some((path) => path.endsWith('dist/index.js'))).toBe(true);
  // Neither assertion prints the bundle when it fails.
  expect(/["']node:|require\(["']fs["']\)/.test(readFileSync(outfile, 'utf8'))).toBe(false);
  const { stdout } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('5');
});

test('drops out of a bundle that does not use it', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "import 'ktir'; console.log(1);", resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  expect(outputFiles[0]?.text.length).toBeLessThan(200);
});

test('runs where neither eval nor new Function may be used', () => {
  const text = `import { compile, tensor, zeros } from 'ktir';\n${PROGRAM}`;
  const path = join(folder, 'strict.mjs');
  writeFileSync(path, text);
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', path], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(output.trim()).toBe('5');
});

test('installs a command', () => {
  const command = join(folder, 'node_modules/.bin/ktir');
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/\d+\.\d+\.\d+/);
});

test.each([
  ['NodeNext', 'NodeNext', ['mts', 'cts']],
  ['ESNext', 'Bundler', ['ts']],
])('has types under module %s and resolution %s', (module, moduleResolution, extensions) => {
  const files = extensions.map((extension) => `sample.${extension}`);
  for (const file of files) {
    copyFileSync(join(packageRoot, 'test/support/sample.ts.txt'), join(folder, file));
  }
  const project = join(folder, `tsconfig.${module}.json`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2022', 'ESNext.Disposable', 'DOM'],
    types: [],
    module,
    moduleResolution,
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
