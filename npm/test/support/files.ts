/** Files of the repository that the tests use. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Arguments } from 'ktir';

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
export const repositoryRoot = join(packageRoot, '..');
export const examplesRoot = join(repositoryRoot, 'examples');

export interface Example {
  name: string;
  source: string;
  args: Arguments;
}

export function exampleNames(): string[] {
  return readdirSync(examplesRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** Names of the examples that the scheduler does not lower. */
export function notLoweredExamples(): string[] {
  const groups = JSON.parse(readFileSync(join(examplesRoot, 'groups.json'), 'utf8')) as {
    notLowered: string[];
  }[];
  return groups.flatMap(({ notLowered }) => notLowered);
}

export function readExample(name: string): Example {
  const text = (file: string) => readFileSync(join(examplesRoot, name, file), 'utf8');
  return {
    name,
    source: text('kernel.mlir'),
    args: JSON.parse(text('run.json')) as Example['args'],
  };
}

/** Runs `action` in a fresh folder and removes the folder afterwards. */
export async function inFolder<T>(action: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ktir-test-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
