import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import {
  exampleNames,
  examplesRoot,
  inFolder,
  packageRoot,
  repositoryRoot,
} from './support/files.ts';
import { binaryKernel } from './support/kernels.ts';

const script = join(packageRoot, 'bin/ktir.mjs');
const native = process.env.KTIR_NATIVE ?? join(repositoryRoot, 'build/native/bin/ktir');

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Contents of every file below the folder it ran in, by relative path. */
  files: Record<string, string>;
}

function run(command: string, words: string[], folder: string): Outcome {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'latin1',
    maxBuffer: 2 ** 28,
  });
  return { code: status, stdout, stderr, files: readTree(folder) };
}

function readTree(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = readFileSync(path, 'latin1');
  }
  return files;
}

/** A folder with everything that the commands below name. */
function prepare(folder: string): void {
  cpSync(join(examplesRoot, 'vector-add'), folder, { recursive: true });
  writeFileSync(join(folder, 'two.mlir'), binaryKernel('arith.addf', 2, 64, 'first'));
  writeFileSync(join(folder, 'broken.mlir'), 'module {\n  func.func @f(\n');
  writeFileSync(join(folder, 'latin1.mlir'), Buffer.from('module { "\xe9" }\n', 'latin1'));
  writeFileSync(join(folder, 'outside.mlir'), binaryKernel('arith.remf'));
  writeFileSync(join(folder, 'broken.json'), '{"a": ');
  writeFileSync(join(folder, 'missing.json'), '{"a": {"npy": "gone.npy"}}');
  mkdirSync(join(folder, 'folder'));
}

const RUN = ['run', 'kernel.mlir', '--args', 'run.json'];

const COMMANDS: string[][] = [
  [],
  ['--help'],
  ['--version'],
  ['nonsense'],
  ['check', '--help'],
  ['compile', '--help'],
  ['run', '--help'],
  ['check'],
  ['check', 'kernel.mlir'],
  ['check', 'kernel.mlir', 'two.mlir', '--json'],
  ['check', 'broken.mlir'],
  ['check', 'broken.mlir', '--json'],
  ['check', 'latin1.mlir'],
  ['check', 'latin1.mlir', '--json'],
  ['check', 'gone.mlir', 'kernel.mlir'],
  ['check', 'folder'],
  ['check', 'kernel.mlir', '--strict'],
  ['check', 'kernel.mlir', '--sideways'],
  ['compile', 'kernel.mlir'],
  ['compile', 'kernel.mlir', '--to', 'ktir'],
  ['compile', 'kernel.mlir', '--to', 'schedule', '-o', 'deep/er/out.mlir'],
  ['compile', 'kernel.mlir', '--to', 'nowhere'],
  ['compile', 'kernel.mlir', '-o', 'folder'],
  ['compile', 'kernel.mlir', '--device', 'gone.mlir'],
  ['compile', 'outside.mlir'],
  ['compile', 'broken.mlir'],
  RUN,
  [...RUN, '--json'],
  [...RUN, '--level', 'ktir', '--out', 'out'],
  [...RUN, '--level', 'dataflow', '--out', 'out', '--trace'],
  [...RUN, '--level', 'dataflow', '--seed', '7', '--depth', '1', '--json'],
  [...RUN, '--numerics', 'device', '--out', 'out'],
  [...RUN, '--kernel', 'other'],
  [...RUN, '--level', 'machine'],
  ['run', 'kernel.mlir'],
  ['run', 'kernel.mlir', '--args', 'gone.json'],
  ['run', 'kernel.mlir', '--args', 'broken.json'],
  ['run', 'kernel.mlir', '--args', 'missing.json'],
  ['run', 'kernel.mlir', '--args', 'missing.json', '--json'],
  ['run', 'broken.mlir', '--args', 'run.json'],
];

/** Times differ from run to run; nothing else may. */
function withoutTimes(outcome: Outcome): Outcome {
  const strip = (text: string) =>
    text.replace(/("(?:milli)?seconds": ?)[-+.\de]+/g, '$1 0').replace(/[\d.]+ ms\b/g, '0 ms');
  return {
    code: outcome.code,
    stdout: strip(outcome.stdout),
    stderr: strip(outcome.stderr),
    files: Object.fromEntries(
      Object.entries(outcome.files).map(([path, text]) => [path, strip(text)]),
    ),
  };
}

const compare = existsSync(native) ? test.each(COMMANDS.map((words) => [words])) : undefined;

describe('the command line', () => {
  if (compare) {
    compare('does what the native tool does: %j', async (words) => {
      const ours = await inFolder((folder) => {
        prepare(folder);
        return run(process.execPath, [script, ...words], folder);
      });
      const theirs = await inFolder((folder) => {
        prepare(folder);
        return run(native, words, folder);
      });
      expect(withoutTimes(ours)).toEqual(withoutTimes(theirs));
    });
  }

  if (existsSync(native)) {
    const runs = exampleNames().flatMap((name) => [
      [name, 'ieee'],
      [name, 'device'],
    ]);
    test.each(runs)(
      'leaves the tensors that the native tool leaves: %s, %s',
      async (name, mode) => {
        const example = join(examplesRoot, name);
        const words = ['run', join(example, 'kernel.mlir'), '--args', join(example, 'run.json')];
        words.push('--level', 'ktir', '--numerics', mode, '--out', 'out');
        const ours = await inFolder((folder) => run(process.execPath, [script, ...words], folder));
        const theirs = await inFolder((folder) => run(native, words, folder));
        expect(ours.code).toBe(0);
        expect(theirs.code).toBe(0);
        const tensors = (files: Record<string, string>) =>
          Object.keys(files).filter((path) => path.endsWith('.npy'));
        expect(tensors(ours.files).length).toBeGreaterThan(0);
        expect(tensors(ours.files)).toEqual(tensors(theirs.files));
        // Not `toEqual` on files of this size: a difference would print for minutes.
        const differing = tensors(ours.files).filter(
          (path) => ours.files[path] !== theirs.files[path],
        );
        expect(differing).toEqual([]);
      },
    );
  }

  test('tells by its exit code who is at fault', async () => {
    await inFolder((folder) => {
      prepare(folder);
      const code = (...words: string[]) => run(process.execPath, [script, ...words], folder).code;
      expect(code('check', 'kernel.mlir')).toBe(0);
      expect(code('check', 'broken.mlir')).toBe(1);
      expect(code('check', 'gone.mlir')).toBe(2);
      expect(code('nonsense')).toBe(2);
    });
  });

  test('points at the place of an error', async () => {
    await inFolder((folder) => {
      prepare(folder);
      const { stderr, stdout } = run(process.execPath, [script, 'check', 'broken.mlir'], folder);
      expect(stderr).toMatch(/^broken\.mlir:\d+:\d+: error: /);
      expect(stdout).toBe('');
    });
  });

  test('writes the tensors of a run', async () => {
    await inFolder((folder) => {
      prepare(folder);
      const { files } = run(process.execPath, [script, ...RUN, '--out', 'out'], folder);
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(['out/a.npy', 'out/b.npy', 'out/c.npy', 'out/report.json']),
      );
      // The magic string of the format.
      expect(files['out/c.npy']?.slice(0, 6)).toBe('\x93NUMPY');
    });
  });

  test('comes to its end when nobody reads its output', async () => {
    await inFolder(async (folder) => {
      prepare(folder);
      const child = spawn(process.execPath, [script, 'compile', 'kernel.mlir'], { cwd: folder });
      child.stdout.destroy();
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(0);
    });
  });
});

describe('what cannot be written', () => {
  test('is said, and is no fault of the kernel', async () => {
    await inFolder((folder) => {
      prepare(folder);
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [script, 'compile', 'kernel.mlir'], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      expect(stderr).toMatch(/^ktir: error: cannot write the output: .*no space left/im);
      expect(status).toBe(2);
      const below = run(process.execPath, [script, ...RUN, '--out', '/proc/none'], folder);
      expect(below.stderr).toContain("cannot write into the folder '/proc/none'");
      expect(below.code).toBe(2);
    });
  });
});

describe('ktir serve', () => {
  let folder: string;
  let url: string;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ktir-serve-'));
    mkdirSync(join(folder, 'page/assets'), { recursive: true });
    writeFileSync(join(folder, 'page/index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'page/assets/ktir.wasm'), 'wasm');
    writeFileSync(join(folder, 'page/assets/main.js'), 'js');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'page/link.txt'));
    const child = spawn(process.execPath, [script, 'serve', join(folder, 'page'), '--port', '0']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line.toString())?.[0] ?? '';
    stop = () => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    };
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['', 'text/html; charset=utf-8'],
    ['assets/main.js', 'text/javascript; charset=utf-8'],
    ['assets/ktir.wasm', 'application/wasm'],
  ])('serves /%s as %s', async (path, type) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).not.toContain("'unsafe-eval'");
  });

  test('knows nothing outside its folder', async () => {
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/link.txt', '/assets', '/%00']) {
      // Not `fetch`, which would resolve the dots itself.
      const status = await new Promise((resolve, reject) => {
        request(url, { path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(404);
    }
  });

  test('says when its port is in use', () => {
    const { port } = new URL(url);
    const { status, stderr } = spawnSync(
      process.execPath,
      [script, 'serve', join(folder, 'page'), '--port', port],
      { encoding: 'utf8' },
    );
    expect(status).toBe(2);
    expect(stderr).toContain(`port ${port} is in use; give another with '--port'`);
  });

  test('only reads', async () => {
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('15');
    expect(await head.text()).toBe('');
  });

  test.each([
    [['--port', 'many'], /'--port' takes a number/],
    [['--sideways'], /unknown option '--sideways'/],
    [['nowhere'], /no page in 'nowhere'/],
    [['a', 'b'], /expected one folder/],
  ])('refuses %j', (words, message) => {
    const { status, stderr } = spawnSync(process.execPath, [script, 'serve', ...words], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});
