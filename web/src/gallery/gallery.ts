import { openDialog } from '../ui/dialog.ts';
import { h } from '../ui/dom.ts';
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
            h('span', { class: 'gallery-title', text: example.title }),
            h('span', { class: 'muted', text: example.description }),
            h('code', { class: 'gallery-lines muted', text: lineCount(example) }),
          ),
        ),
      ),
    ),
  ]);
}

function lineCount(example: Example): string {
  return `${example.workspace.source.trimEnd().split('\n').length} lines`;
}
