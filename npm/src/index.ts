/**
 * KTIR compiler and emulator. This is the entry for browsers, workers and
 * bundlers; in Node the same names come from `node.ts`.
 */

export type * from './api.js';
export { compile, Compilation, type Stage } from './compilation.js';
export { Executable } from './executable.js';
export { KtirError, type KtirErrorCode } from './errors.js';
export { configure, load, type ConfigureOptions, type WasmSource } from './instance.js';
export { createLanguageService, LanguageService } from './language.js';
export { connectWorker, type ConnectOptions, type WorkerLike } from './remote.js';
export type * from './rpc.js';
export { SteppedRun } from './stepped-run.js';
export { dtypeBytes, HostTensor, tensor, zeros, type ElementSource } from './tensor.js';
export { format, generate, readNpy, version, writeNpy } from './tools.js';
