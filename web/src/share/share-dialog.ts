import type { Workspace } from '../model/workspace.ts';
import { announce } from '../ui/announce.ts';
import { openDialog } from '../ui/dialog.ts';
import { h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { encodeLink, type LinkError } from './link.ts';
import { toMarkdown } from './markdown.ts';
import { toPayload } from './payload.ts';

/** Many programs that pass links on cut them off above this. */
const comfortableLength = 8000;

/** Offers the workspace as a link, as Markdown and as a file. */
export async function openShareDialog(workspace: Workspace): Promise<void> {
  let hash: string;
  try {
    hash = await encodeLink(workspace);
  } catch (error) {
    openDialog('Share', [
      h('p', { text: error instanceof Error ? error.message : String(error) }),
      h('p', { text: 'Share it as a file instead.' }),
      h('div', { class: 'dialog-actions' }, downloadButton(workspace)),
    ]);
    return;
  }
  const page = location.href.split('#')[0] ?? '';
  const link = page + hash;
  history.replaceState(null, '', hash);
  const files = fileArguments(workspace);
  const field = h('input', {
    type: 'text',
    class: 'input link-field',
    readonly: true,
    value: link,
    'aria-label': 'Link',
    onfocus: () => field.select(),
  });
  openDialog('Share', [
    h('p', {
      text: 'The link holds the program, arguments, options and view. Nothing is sent to a server.',
    }),
    field,
    h(
      'div',
      { class: 'dialog-actions' },
      h(
        'button',
        { type: 'button', class: 'button primary', onclick: () => copy(link, 'Link copied') },
        icon('copy'),
        'Copy link',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => copy(toMarkdown(workspace, link), 'Markdown copied'),
        },
        icon('copy'),
        'Copy as Markdown',
      ),
      downloadButton(workspace),
    ),
    link.length > comfortableLength &&
      h('p', {
        class: 'muted',
        text: `The link has ${link.length} characters; some chat programs cut it off. The file has no such limit.`,
      }),
    files.length > 0 &&
      h('p', {
        class: 'muted',
        text: `Not in the link: the values of ${files.join(', ')}. Whoever opens it has to choose the file.`,
      }),
  ]);
  field.focus();
}

function fileArguments(workspace: Workspace): string[] {
  return Object.entries(workspace.args).flatMap(([name, choice]) =>
    typeof choice === 'object' && 'npy' in choice ? [`'${name}' (${choice.npy})`] : [],
  );
}

function downloadButton(workspace: Workspace): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: () => {
        const text = `${JSON.stringify(toPayload(workspace), null, 2)}\n`;
        const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
        const anchor = h('a', { href: url, download: 'kernel.ktir.json' });
        anchor.click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
      },
    },
    icon('download'),
    'Download as JSON',
  );
}

function copy(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => announce(done),
    () => announce('The browser did not allow copying; select the link and copy it.'),
  );
}

/** Says what is wrong with a link or file, and shows what could be read of it. */
export function openBrokenLinkDialog(what: 'link' | 'file', error: LinkError): void {
  const raw = h('textarea', {
    class: 'input raw',
    rows: '8',
    readonly: true,
    spellcheck: 'false',
    'aria-label': `Text of the ${what}`,
  });
  raw.value = error.raw;
  openDialog(`This ${what} cannot be opened`, [
    h('p', { class: 'broken-reason', role: 'alert', text: `${capitalised(error.message)}.` }),
    h('p', { class: 'muted', text: `The text of the ${what}, as far as it could be read:` }),
    raw,
    h(
      'div',
      { class: 'dialog-actions' },
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => copy(error.raw, 'Text copied') },
        icon('copy'),
        'Copy the text',
      ),
    ),
  ]);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
