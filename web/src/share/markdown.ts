import type { Workspace } from '../model/workspace.ts';

/** The program and its link as Markdown, for an issue or a review. */
export function toMarkdown(workspace: Workspace, link: string): string {
  const source = workspace.source.endsWith('\n') ? workspace.source : `${workspace.source}\n`;
  const fence = longestRun(source, '`') >= 3 ? '`'.repeat(longestRun(source, '`') + 1) : '```';
  return [
    `[Open in the KTIR playground](${link})`,
    '',
    `${fence}mlir`,
    `${source}${fence}`,
    ...(Object.keys(workspace.args).length > 0
      ? ['', 'Arguments:', '', '```json', JSON.stringify(workspace.args, null, 2), '```']
      : []),
    '',
  ].join('\n');
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const c of text) {
    run = c === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
