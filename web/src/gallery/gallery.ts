import { openDialog } from '../ui/dialog.ts';
import { h, uniqueId, type Child } from '../ui/dom.ts';
import { exampleGroups, type Example, type ExampleGroup } from './examples.ts';

/** Lets a person choose an example. */
export function openGallery(onChoose: (example: Example) => void): void {
  const dialog = openDialog(
    'Examples',
    exampleGroups.map((group) =>
      renderGroup(group, (example) => {
        dialog.close();
        onChoose(example);
      }),
    ),
  );
}

function renderGroup(group: ExampleGroup, onChoose: (example: Example) => void): HTMLElement {
  const title = uniqueId('gallery');
  return h(
    'section',
    { class: 'gallery-group', 'aria-labelledby': title },
    h('h3', { id: title, text: group.title }),
    h(
      'ul',
      { class: 'gallery' },
      ...group.examples.map((example) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'gallery-card',
              'data-example': example.id,
              onclick: () => onChoose(example),
            },
            h('span', { class: 'gallery-title', text: example.id }),
            h('span', { class: 'muted' }, ...withCode(example.description)),
            h(
              'span',
              { class: 'gallery-facts muted' },
              h('code', { text: lineCount(example) }),
              !example.isLowered && h('span', { class: 'badge level-ktir', text: 'level ktir' }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Text in backquotes becomes code. */
function withCode(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { text: part }) : part));
}

function lineCount(example: Example): string {
  return `${example.workspace.source.trimEnd().split('\n').length} lines`;
}
