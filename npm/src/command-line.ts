/** The command line on Node: the compiler's own, with Node's file system. */

import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { KtirError } from './errors.js';
import type { CommandLineHost } from './glue.js';
import { getInstance } from './instance.js';

/** Exit code for what is neither the kernel's nor the caller's fault. */
const INTERNAL_ERROR = 3;

/**
 * Runs `ktir WORDS...` on this process's files and streams and gives the exit
 * code: 0 success, 1 the kernel is at fault, 2 the call is, 3 internal error.
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const host: CommandLineHost = {
    readFile,
    writeFile,
    out: (bytes) => {
      write(1, bytes);
    },
    err: (bytes) => {
      write(2, bytes);
    },
  };
  try {
    const instance = await getInstance();
    return instance.call((glue) => glue.runCommandLine([...words], host));
  } catch (error) {
    if (!(error instanceof KtirError)) throw error;
    host.err(new TextEncoder().encode(`ktir: internal error: ${error.message}\n`));
    return INTERNAL_ERROR;
  }
}

function readFile(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function writeFile(path: string, bytes: Uint8Array): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return true;
  } catch {
    return false;
  }
}

/** Writes all of `bytes` before returning, so that order and ends are kept. */
function write(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // A pipe whose reader is slow; try again. One whose reader is gone
      // wants no more.
      if (code === 'EAGAIN') continue;
      if (code === 'EPIPE') return;
      throw error;
    }
  }
}
