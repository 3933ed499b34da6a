import { h, uniqueId, type Child } from './dom.ts';
import { icon } from './icons.ts';

export interface Dialog {
  readonly element: HTMLDialogElement;
  close(): void;
}

/** Opens a modal dialog. Escape, the cross and a click outside close it. */
export function openDialog(title: string, content: readonly Child[]): Dialog {
  const titleId = uniqueId('dialog');
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': titleId },
    h(
      'div',
      { class: 'dialog-head' },
      h('h2', { id: titleId, text: title }),
      h(
        'button',
        {
          type: 'button',
          class: 'button icon-only quiet',
          'aria-label': 'Close',
          onclick: () => dialog.close(),
        },
        icon('cross'),
      ),
    ),
    h('div', { class: 'dialog-body' }, ...content),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { element: dialog, close: () => dialog.close() };
}
