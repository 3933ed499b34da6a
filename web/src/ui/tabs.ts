import { h, uniqueId, type Child } from './dom.ts';

export interface TabDefinition<Id extends string> {
  id: Id;
  label: Child;
  panel: HTMLElement;
}

export interface Tabs<Id extends string> {
  readonly list: HTMLElement;
  readonly selected: Id;
  select(id: Id): void;
  /** A short text after the label, such as a count; empty removes it. */
  setBadge(id: Id, text: string, kind?: string): void;
}

/**
 * Tabs as the ARIA practices describe them: one tab stop, arrow keys move and
 * select. Panels that are not selected are hidden.
 */
export function createTabs<Id extends string>(
  label: string,
  definitions: readonly TabDefinition<Id>[],
  initial: Id,
  onSelect: (id: Id) => void,
): Tabs<Id> {
  let selected = initial;
  const buttons = new Map<Id, HTMLButtonElement>();
  const badges = new Map<Id, HTMLSpanElement>();
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label });

  for (const { id, label: text, panel } of definitions) {
    panel.id ||= uniqueId('panel');
    const badge = h('span', { class: 'tab-badge' });
    const button = h(
      'button',
      {
        type: 'button',
        class: 'tab',
        role: 'tab',
        id: uniqueId('tab'),
        'aria-controls': panel.id,
        'data-tab': id,
        onclick: () => select(id),
        onkeydown: (event) => moveFocus(event, id),
      },
      text,
      badge,
    );
    panel.setAttribute('role', 'tabpanel');
    buttons.set(id, button);
    badges.set(id, badge);
    list.append(button);
  }

  function moveFocus(event: KeyboardEvent, from: Id): void {
    const ids = definitions.map((definition) => definition.id);
    const at = ids.indexOf(from);
    const target = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: ids.length - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const id = ids[(target + ids.length) % ids.length];
    if (id === undefined) return;
    select(id);
    buttons.get(id)?.focus();
  }

  function show(): void {
    const shown = definitions.find((definition) => definition.id === selected)?.panel;
    for (const { id, panel } of definitions) {
      const isSelected = id === selected;
      const button = buttons.get(id);
      button?.setAttribute('aria-selected', String(isSelected));
      if (button) button.tabIndex = isSelected ? 0 : -1;
      // Tabs may share a panel whose content they change.
      panel.hidden = panel !== shown;
      if (isSelected && button) panel.setAttribute('aria-labelledby', button.id);
    }
  }

  function select(id: Id): void {
    if (id === selected) return;
    selected = id;
    show();
    onSelect(id);
  }

  show();
  return {
    list,
    get selected() {
      return selected;
    },
    select,
    setBadge(id, text, kind = '') {
      const badge = badges.get(id);
      if (!badge) return;
      badge.textContent = text;
      badge.className = `tab-badge ${kind}`;
    },
  };
}
