import { fromPayload } from '../share/payload.ts';
import type { Workspace } from '../model/workspace.ts';

/** An example of the repository, built into the page. */
export interface Example {
  id: string;
  title: string;
  /** One sentence. */
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

/** Every example, simplest first as their folders sort. */
export const examples: readonly Example[] = Object.entries(sources).map(([path, source]) => {
  const id = path.split('/').at(-2) ?? path;
  const readme = readmes[path.replace('kernel.mlir', 'README.md')] ?? '';
  return {
    id,
    title: /^#\s+(.+)$/m.exec(readme)?.[1] ?? id,
    description: firstSentence(readme),
    workspace: fromPayload({
      v: 1,
      source,
      args: withoutSignature(inputs[path.replace('kernel.mlir', 'run.json')]),
    }),
  };
});

/** Types and shapes come from the program; the page keeps how values come about. */
function withoutSignature(args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return {};
  return args;
}

function firstSentence(readme: string): string {
  const paragraph = readme
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .find((part) => part !== '' && !part.startsWith('#'));
  return /^.*?[.!?](?=\s|$)/.exec(paragraph ?? '')?.[0] ?? paragraph ?? '';
}
