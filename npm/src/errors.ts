import type { CapturedValue, Diagnostic } from './api.js';

/**
 * What went wrong:
 * - `kernel`: the program is at fault, or does something that a check forbids;
 * - `argument`: the call is at fault;
 * - `deleted`: an object was used after `delete`;
 * - `crashed`: the compiler ran out of memory or hit a bug of its own; what
 *   belonged to that instance is lost, the next call gets a fresh one;
 * - `load`: the wasm module could not be loaded.
 */
export type KtirErrorCode = 'kernel' | 'argument' | 'deleted' | 'crashed' | 'load';

export class KtirError extends Error {
  override readonly name = 'KtirError';

  constructor(
    message: string,
    readonly code: KtirErrorCode,
    /** Positions and rules behind the message; may be empty. */
    readonly diagnostics: readonly Diagnostic[] = [],
    options?: ErrorOptions,
    /** Of a run that failed: what was captured until then. */
    readonly captured: readonly CapturedValue[] = [],
  ) {
    super(message, options);
  }
}
