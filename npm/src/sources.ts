/** The arrays of arguments, which a run reads while it is under way. */

import { KtirError } from './errors.js';
import type { GlueValue } from './glue.js';

export class Sources {
  private readonly lengths: (number | undefined)[];

  constructor(
    private readonly values: readonly GlueValue[],
    private readonly names: readonly string[],
  ) {
    this.lengths = values.map(lengthOf);
  }

  /** Throws when an array is no longer as it was. */
  check(): void {
    const lost = this.values.findIndex((value, i) => lengthOf(value) !== this.lengths[i]);
    if (lost < 0) return;
    throw new KtirError(
      `argument '${this.names[lost] ?? ''}': its array was given to another thread, or resized, before all of it was read; keep it as it is until the run ends`,
      'argument',
    );
  }
}

function lengthOf(value: GlueValue): number | undefined {
  return typeof value === 'number' ? undefined : value.byteLength;
}
