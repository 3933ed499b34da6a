/** Names that callers give, against those that there are. */

import { KtirError } from './errors.js';

/** Throws `KtirError` for the first of `names` that is none of `known`; `kind` is what they name. */
export function checkNames(kind: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw new KtirError(
      `unknown ${kind} '${name}'; ${near === undefined ? '' : `did you mean '${near}'? `}expected one of ${known.join(', ')}`,
      'argument',
    );
  }
}

/** The nearest of `known` to a misspelt `name`; a third of the name may be wrong. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  // Who writes so long a name has not misspelt one.
  if (name.length > 64) return undefined;
  let limit = Math.floor(name.length / 3) + 1;
  let best: string | undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < limit || (distance === limit && best === undefined)) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

/** Insertions, removals and replacements that make `to` of `from`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; ++i) {
    const next = [i];
    for (let j = 1; j <= to.length; ++j) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
