import { openDialog } from '../ui/dialog.ts';
import { h, type Child } from '../ui/dom.ts';
import { examples, type Example } from './examples.ts';

/** Lets a person choose an example. */
export function openGallery(onChoose: (example: Example) => void): void {
  const dialog = openDialog('Examples', [
    h(
      'ul',
      { class: 'gallery' },
      ...examples.map((example) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'gallery-card',
              'data-example': example.id,
              onclick: () => {
                dialog.close();
                onChoose(example);
              },
            },
            h('span', { class: 'gallery-title', text: example.id }),
            h('span', { class: 'muted' }, ...withCode(example.description)),
            h('code', { class: 'gallery-lines muted', text: lineCount(example) }),
          ),
        ),
      ),
    ),
  ]);
}

/** Text in backquotes becomes code. */
function withCode(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { text: part }) : part));
}

function lineCount(example: Example): string {
  return `${example.workspace.source.trimEnd().split('\n').length} lines`;
}
