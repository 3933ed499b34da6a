/** Objects that live in the module's memory. */

import { KtirError } from './errors.js';
import type { Instance } from './instance.js';

// Hosts without explicit resource management still get a method under a name.
export const dispose: typeof Symbol.dispose =
  (Symbol as { dispose?: typeof Symbol.dispose }).dispose ??
  (Symbol.for('Symbol.dispose') as typeof Symbol.dispose);

/** Frees what a caller forgot to delete. Deleting early is still better. */
export const forgotten = new FinalizationRegistry<() => void>((free) => {
  free();
});

/** An object of the module that is freed once, and may not be used afterwards. */
export class Handle<T extends { delete(): void }> {
  private target: T | undefined;

  constructor(
    private readonly instance: Instance,
    target: T,
    private readonly what: string,
  ) {
    this.target = target;
  }

  call<R>(action: (target: T) => R): R {
    const { target } = this;
    if (!target) throw new KtirError(`this ${this.what} has been deleted`, 'deleted');
    return this.instance.call(() => action(target));
  }

  delete(): void {
    const { target } = this;
    this.target = undefined;
    // With a crashed instance the whole memory goes.
    if (target && !this.instance.crashed) {
      this.instance.call(() => {
        target.delete();
      });
    }
  }
}
