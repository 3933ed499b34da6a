/**
 * The wasm module: compiled once, instantiated when first needed and again
 * after a crash. Loading can be retried after it failed.
 */

import createKtir from 'ktir-glue';

import { KtirError } from './errors.js';
import type { Glue } from './glue.js';
import { compileResponse, compileUrl, defaultWasm } from './platform.js';

/** Where the wasm comes from: a place, a response, its bytes, or compiled already. */
export type WasmSource =
  string | URL | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

export interface ConfigureOptions {
  /**
   * Where `ktir.wasm` is. Default: the file beside the script, which bundlers
   * that know `new URL(…, import.meta.url)` carry along.
   */
  wasm?: WasmSource;
}

let source: WasmSource | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;
let current: Promise<Instance> | undefined;

/** Says where the wasm is; takes effect for instances made from then on. */
export function configure(options: ConfigureOptions): void {
  source = options.wasm;
  compiled = undefined;
  current = undefined;
}

/** Loads and compiles the module ahead of the first call; calling it is optional. */
export async function load(): Promise<void> {
  await getInstance();
}

/** The instance in use; a fresh one after a crash. */
export async function getInstance(): Promise<Instance> {
  for (;;) {
    const attempt = (current ??= Instance.create());
    try {
      const instance = await attempt;
      if (!instance.crashed) return instance;
    } catch (error) {
      // Forget a failure, so that the next call tries again.
      if (current === attempt) current = undefined;
      throw error;
    }
    if (current === attempt) current = undefined;
  }
}

async function compileSource(): Promise<WebAssembly.Module> {
  const given = await (source ?? defaultWasm());
  const kind = Object.prototype.toString.call(given);
  if (kind === '[object WebAssembly.Module]') return given;
  if (kind === '[object Response]') return compileResponse(given as Response);
  if (kind === '[object ArrayBuffer]' || ArrayBuffer.isView(given)) {
    return WebAssembly.compile(given as BufferSource);
  }
  return compileUrl(given as string | URL);
}

function compileOnce(): Promise<WebAssembly.Module> {
  if (!compiled) {
    const attempt = compileSource().then(checkBuild);
    compiled = attempt;
    attempt.catch(() => {
      if (compiled === attempt) compiled = undefined;
    });
  }
  return compiled;
}

/** Glue and wasm of different builds would fail in ways that nobody can read. */
function checkBuild(module: WebAssembly.Module): WebAssembly.Module {
  const [section] = WebAssembly.Module.customSections(module, 'ktir.build');
  const found = section ? new TextDecoder().decode(section) : 'none';
  if (found !== KTIR_BUILD_ID) {
    throw new KtirError(
      `ktir.wasm is of another build than the script that loads it: expected build ${KTIR_BUILD_ID}, found ${found}`,
      'load',
    );
  }
  return module;
}

export class Instance {
  private crash: KtirError | undefined;

  private constructor(
    private readonly glue: Glue,
    /** The last lines that the module printed; they say why it stopped. */
    private readonly lastWords: readonly string[],
  ) {}

  static async create(): Promise<Instance> {
    try {
      const module = await compileOnce();
      const words: string[] = [];
      const print = (text: string) => {
        words.push(text);
        if (words.length > 4) words.shift();
      };
      let fail: (reason: unknown) => void = () => undefined;
      const failed = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const made = createKtir({
        instantiateWasm: (imports, receive) => {
          WebAssembly.instantiate(module, imports).then((instance) => {
            receive(instance, module);
          }, fail);
          return {};
        },
        print,
        printErr: print,
      });
      return new Instance(await Promise.race([made, failed]), words);
    } catch (error) {
      if (error instanceof KtirError) throw error;
      throw new KtirError(`cannot load ktir.wasm: ${messageOf(error)}`, 'load', [], {
        cause: error,
      });
    }
  }

  /** True once a call into the module has crashed. */
  get crashed(): boolean {
    return this.crash !== undefined;
  }

  /**
   * Calls into the module. What `action` throws, but for `KtirError`, is a trap or an abort, after
   * which the memory of the module cannot be trusted: the instance is given up
   * and everything that lives in it throws from then on.
   */
  call<T>(action: (glue: Glue) => T): T {
    if (this.crash) throw this.crash;
    try {
      return action(this.glue);
    } catch (error) {
      if (error instanceof KtirError) throw error;
      this.crash = new KtirError(describeCrash(error, this.lastWords), 'crashed', [], {
        cause: error,
      });
      throw this.crash;
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error || (typeof error === 'object' && error && 'message' in error)
    ? String(error.message)
    : String(error);
}

function describeCrash(error: unknown, lastWords: readonly string[]): string {
  const text = messageOf(error);
  const all = [...lastWords, text].join('\n');
  if (/bad_alloc|out of memory|OOM|length_error|allocation failed/i.test(all)) {
    return 'the compiler ran out of memory; what it held is lost, and the next call starts afresh';
  }
  if (/stack/i.test(all)) {
    return 'the compiler ran out of stack; what it held is lost, and the next call starts afresh';
  }
  // What the glue's abort says of itself helps nobody.
  const words = [...lastWords, text.replace(/ Build with -sASSERTIONS.*/, '')];
  const detail = [...new Set(words)].filter((line) => line !== '').join('; ');
  return `the compiler stopped on an internal error (${detail}); what it held is lost, and the next call starts afresh`;
}
