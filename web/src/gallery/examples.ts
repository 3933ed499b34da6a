import groupList from '../../../examples/groups.json';
import { fromPayload } from '../share/payload.ts';
import type { Workspace } from '../model/workspace.ts';

/** An example of the repository, built into the page. */
export interface Example {
  /** Its folder's name. */
  id: string;
  /** One sentence, with code in backquotes. */
  description: string;
  /** Whether the scheduler takes it to DataflowIR; otherwise it is for level `ktir`. */
  isLowered: boolean;
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

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

/** The groups of the repository's list, and what is on none under a heading of its own. */
export const exampleGroups: readonly ExampleGroup[] = groupExamples();

/** All examples, in the order of the groups. */
export const examples: readonly Example[] = exampleGroups.flatMap((group) => group.examples);

function groupExamples(): ExampleGroup[] {
  const remaining = new Map(
    Object.entries(sources).map(([path, source]) => [
      path.split('/').at(-2) ?? path,
      { path, source },
    ]),
  );
  const take = (id: string, isLowered: boolean): Example[] => {
    const found = remaining.get(id);
    remaining.delete(id);
    return found ? [readExample(id, found.path, found.source, isLowered)] : [];
  };
  const groups = groupList.map(({ title, examples: ids, notLowered }) => ({
    title,
    examples: ids.flatMap((id) => take(id, !notLowered.includes(id))),
  }));
  const others = [...remaining.keys()].sort().flatMap((id) => take(id, true));
  return others.length > 0 ? [...groups, { title: 'Others', examples: others }] : groups;
}

function readExample(id: string, path: string, source: string, isLowered: boolean): Example {
  const readme = readmes[path.replace('kernel.mlir', 'README.md')] ?? '';
  const args = withoutTypes(inputs[path.replace('kernel.mlir', 'run.json')]);
  return {
    id,
    description: firstSentence(readme),
    isLowered,
    // Without a level below there is nothing to compare with.
    workspace: fromPayload({ v: 1, source, args, options: isLowered ? {} : { compare: false } }),
  };
}

/** Element types come from the program. So do shapes, but for extents that it leaves open. */
function withoutTypes(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null) return [name, value];
      const source: Record<string, unknown> = { ...value };
      delete source.dtype;
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
