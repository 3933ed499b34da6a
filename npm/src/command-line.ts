/** The command line on Node: the compiler's own, with Node's file system. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { KtirError } from './errors.js';
import type { CommandLineHost } from './glue.js';
import { getInstance } from './instance.js';

/** Exit code for what the caller is to blame for. */
const CALL_FAULT = 2;
/** Exit code for what is neither the kernel's nor the caller's fault. */
const INTERNAL_ERROR = 3;

/**
 * Runs `ktir WORDS...` on this process's files and streams and gives the exit
 * code: 0 success, 1 the kernel is at fault, 2 the call is, 3 internal error.
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  let unwritten: string | undefined;
  const host: CommandLineHost = {
    readFile,
    writeFile,
    appendFile,
    makeFolder: makeWritableFolder,
    out: (bytes) => {
      // An exception would stop the module in the middle of its work.
      try {
        if (unwritten === undefined) write(1, bytes);
      } catch (error) {
        unwritten = error instanceof Error ? error.message : String(error);
      }
    },
    err: (bytes) => {
      write(2, bytes);
    },
  };
  try {
    const instance = await getInstance();
    const code = instance.call((glue) => glue.runCommandLine([...words], host));
    if (unwritten === undefined) return code;
    host.err(new TextEncoder().encode(`ktir: error: cannot write the output: ${unwritten}\n`));
    return CALL_FAULT;
  } catch (error) {
    if (!(error instanceof KtirError)) throw error;
    host.err(new TextEncoder().encode(`ktir: internal error: ${error.message}\n`));
    return INTERNAL_ERROR;
  }
}

/**
 * The most bytes read from what is no regular file. Pipes and devices such as
 * /dev/zero have no size to look at first.
 */
const MAX_STREAM_BYTES = 2 ** 28;

function readFile(path: string): Uint8Array | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : readStream(path);
  } catch {
    return null;
  }
}

/** All bytes of what is no regular file; null when there are too many. */
function readStream(path: string): Uint8Array | null {
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Uint8Array[] = [];
    for (let total = 0; total <= MAX_STREAM_BYTES;) {
      const chunk = new Uint8Array(1 << 20);
      const size = readSync(descriptor, chunk);
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, size));
      total += size;
    }
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function writeFile(path: string, bytes: Uint8Array): boolean {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, bytes);
    return true;
  } catch {
    return false;
  }
}

function appendFile(path: string, bytes: Uint8Array): boolean {
  try {
    appendFileSync(path, bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder and those around it. Node's own way to do so never ends below
 * folders such as /proc, where nothing can be made.
 */
function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) mkdirSync(folder);
}

function makeWritableFolder(path: string): boolean {
  try {
    makeFolder(path);
    // Permissions do not tell all of it: for root they never forbid anything.
    rmdirSync(mkdtempSync(join(path, '.ktir-')));
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
