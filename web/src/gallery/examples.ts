import { fromPayload } from '../share/payload.ts';
import type { Workspace } from '../model/workspace.ts';

/** An example of the repository, built into the page. */
export interface Example {
  /** Its folder's name. */
  id: string;
  /** One sentence, with code in backquotes. */
  description: string;
  workspace: Workspace;
}

const sources = import.meta.glob<string>('../../../examples/*/kernel.mlir', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const inputs = import.meta.glob<unknown>('../../../examples/*/run.json', {
  import: 'default',
  eager: true,
});
const readmes = import.meta.glob<string>('../../../examples/*/README.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Shown first, in this order; the others follow by name. */
const featured = ['vector-add', 'axpy', 'residual', 'llama-add'];

export const examples: readonly Example[] = Object.entries(sources)
  .map(([path, source]) => {
    const readme = readmes[path.replace('kernel.mlir', 'README.md')] ?? '';
    const args = withoutTypes(inputs[path.replace('kernel.mlir', 'run.json')]);
    return {
      id: path.split('/').at(-2) ?? path,
      description: firstSentence(readme),
      workspace: fromPayload({ v: 1, source, args }),
    };
  })
  .sort((a, b) => rank(a.id) - rank(b.id) || a.id.localeCompare(b.id));

function rank(id: string): number {
  const place = featured.indexOf(id);
  return place < 0 ? featured.length : place;
}

/** Element types and shapes come from the program; what remains is how values come about. */
function withoutTypes(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null) return [name, value];
      const source: Record<string, unknown> = { ...value };
      delete source.dtype;
      delete source.shape;
      return [name, source];
    }),
  );
}

function firstSentence(readme: string): string {
  const paragraph = readme
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .find((part) => part !== '' && !part.startsWith('#'));
  return /^.*?[.!?](?=\s|$)/.exec(paragraph ?? '')?.[0] ?? paragraph ?? '';
}
