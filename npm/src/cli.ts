/** What `bin/ktir.mjs` runs. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommandLine } from './command-line.js';
import { serve } from './serve.js';

const DEFAULT_PORT = 8087;

const SERVE_HELP = `usage: ktir serve [DIR] [--port N]

Serves the playground on this machine only, until interrupted.

  DIR         folder to serve instead of the playground of the package
  --port N    port to listen on (default ${String(DEFAULT_PORT)}; 0 takes any free one)
  --help      print this text
`;

/** Runs the tool and gives its exit code. */
export async function main(words: readonly string[]): Promise<number> {
  return words[0] === 'serve' ? runServe(words.slice(1)) : runCommandLine(words);
}

async function runServe(words: readonly string[]): Promise<number> {
  let directory: string | undefined;
  let port = DEFAULT_PORT;
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (word === '--help' || word === '-h') {
      process.stdout.write(SERVE_HELP);
      return 0;
    }
    if (word === '--port' || word.startsWith('--port=')) {
      const text = word === '--port' ? words[++i] : word.slice('--port='.length);
      if (text === undefined || !/^\d{1,5}$/.test(text) || Number(text) > 65535) {
        return misuse(`'--port' takes a number from 0 to 65535, found '${text ?? ''}'`);
      }
      port = Number(text);
    } else if (word.startsWith('-')) {
      return misuse(`unknown option '${word}'`);
    } else if (directory !== undefined) {
      return misuse(`expected one folder, found '${directory}' and '${word}'`);
    } else {
      directory = word;
    }
  }
  directory ??= fileURLToPath(new URL('../playground', import.meta.url));
  if (!existsSync(join(directory, 'index.html'))) {
    return misuse(`no page in '${directory}': it holds no 'index.html'`);
  }
  try {
    const serving = await serve({ directory, port });
    process.stdout.write(`ktir: serving ${directory} at ${serving.url}\n`);
    await interrupted();
    await serving.close();
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      return misuse(
        `port ${String(port)} is in use; give another with '--port', or 0 for any that is free`,
      );
    }
    const message = error instanceof Error ? error.message : String(error);
    return misuse(`cannot serve: ${message}`);
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      resolve();
    });
    process.once('SIGTERM', () => {
      resolve();
    });
  });
}

function misuse(message: string): number {
  process.stderr.write(`ktir serve: error: ${message}\n`);
  return 2;
}
