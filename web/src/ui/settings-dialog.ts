import type { Settings } from '../model/settings.ts';
import { checkField, selectField } from '../panes/run/fields.ts';
import { openDialog } from './dialog.ts';
import { h } from './dom.ts';

const fontSizes = [11, 12, 13, 14, 16, 18, 20];

/** Lets a person change the page; every change takes effect at once. */
export function openSettingsDialog(
  settings: Settings,
  onChange: (part: Partial<Settings>) => void,
  onResetLayout: () => void,
): void {
  openDialog('Settings', [
    h(
      'div',
      { class: 'settings' },
      selectField(
        'Theme',
        [
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ],
        settings.theme,
        (theme) => onChange({ theme }),
      ),
      selectField(
        'Font size',
        fontSizes.map((size) => ({ value: String(size), label: `${size} px` })),
        String(settings.fontSize),
        (size) => onChange({ fontSize: Number(size) }),
      ),
      checkField('Wrap long lines', '', settings.wordWrap, (wordWrap) => onChange({ wordWrap })),
      h('button', {
        type: 'button',
        class: 'button',
        text: 'Reset the layout',
        onclick: () => onResetLayout(),
      }),
    ),
    h('p', { class: 'muted', text: 'Settings are kept in this browser.' }),
    h('h3', { class: 'section-title', text: 'Keyboard' }),
    h(
      'dl',
      { class: 'keys' },
      ...(
        [
          ['Ctrl+Enter', 'run the kernel'],
          ['F8', 'next problem in the program'],
          ['Ctrl+/', 'comment or uncomment lines'],
          ['Ctrl+M', 'let Tab leave the editor, or not'],
          ['↑ ↓', 'move through the stages'],
          ['F1', 'every command of the editor'],
        ] as const
      ).flatMap(([keys, what]) => [h('dt', {}, h('kbd', { text: keys })), h('dd', { text: what })]),
    ),
  ]);
}
