import type { Diagnostic, StageInfo, StageValidation } from '../../compiler/api.ts';
import { stageRows, type StageRow } from '../../model/stages.ts';
import { h, replaceChildren, uniqueId } from '../../ui/dom.ts';
import { icon } from '../../ui/icons.ts';

export interface StageListContent {
  stages: readonly StageInfo[];
  /** Why there is no stage after the last: a pass failed, or the program is not for it. */
  end: Pick<Diagnostic, 'severity' | 'message'> | undefined;
  validation: ReadonlyMap<number, StageValidation>;
  /** What validating gave, in a sentence. */
  message: string;
}

export interface StageList {
  readonly element: HTMLElement;
  selected: number;
  show(content: StageListContent): void;
}

/** The passes in order: a filter box and a listbox with one tab stop. */
export function createStageList(onSelect: (stage: number) => void): StageList {
  let content: StageListContent = {
    stages: [],
    end: undefined,
    validation: new Map(),
    message: '',
  };
  let rows: StageRow[] = [];
  let selected = 0;
  let active = 0;
  const open = new Set<number>();

  const filter = h('input', {
    type: 'search',
    class: 'stage-filter',
    placeholder: 'Filter passes',
    'aria-label': 'Filter passes',
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => render(),
    onkeydown: (event) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        listbox.focus();
      }
    },
  });
  const listbox = h('div', {
    class: 'stage-list',
    role: 'listbox',
    tabindex: '0',
    id: uniqueId('stages'),
    'aria-label': 'Stages',
    onkeydown: onKey,
  });
  const note = h('div', { class: 'stage-note', role: 'status' });
  const element = h('div', { class: 'stage-column' }, filter, listbox, note);

  function onKey(event: KeyboardEvent): void {
    const target = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 10,
      PageUp: active - 10,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      activate(Math.min(Math.max(target, 0), rows.length - 1), false);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      activate(active, true);
    }
  }

  /** Moves to a row; a stage is shown at once, a fold opens only when asked to. */
  function activate(row: number, unfold: boolean): void {
    const target = rows[row];
    if (!target) return;
    active = row;
    if (target.kind === 'stage') {
      if (selected !== target.stage) {
        selected = target.stage;
        onSelect(selected);
      }
    } else if (unfold) {
      const [first] = target.stages;
      if (first !== undefined) open.add(first);
      render();
      return;
    }
    mark();
  }

  function render(): void {
    rows = stageRows(content.stages, filter.value, open);
    const at = rows.findIndex((row) => row.kind === 'stage' && row.stage === selected);
    if (at >= 0) active = at;
    active = Math.min(active, Math.max(rows.length - 1, 0));
    replaceChildren(listbox, ...rows.map((row, index) => renderRow(row, index)));
    replaceChildren(
      note,
      content.end &&
        h(
          'div',
          { class: `stage-end ${content.end.severity}` },
          icon(content.end.severity),
          h('span', { text: content.end.message }),
        ),
      content.message !== '' && h('div', { class: 'muted', text: content.message }),
      rows.length === 0 &&
        h('div', {
          class: 'muted',
          text: content.stages.length === 0 ? 'No stages yet.' : 'No pass matches the filter.',
        }),
    );
    mark();
  }

  function mark(): void {
    [...listbox.children].forEach((child, index) => {
      const row = rows[index];
      const isSelected = row?.kind === 'stage' && row.stage === selected;
      child.setAttribute('aria-selected', String(isSelected));
      child.classList.toggle('active', index === active);
    });
    const current = listbox.children[active];
    if (current) {
      listbox.setAttribute('aria-activedescendant', current.id);
      current.scrollIntoView({ block: 'nearest' });
    } else {
      listbox.removeAttribute('aria-activedescendant');
    }
  }

  function renderRow(row: StageRow, index: number): HTMLElement {
    const id = uniqueId('stage');
    const choose = (): void => activate(index, true);
    if (row.kind === 'fold') {
      return h(
        'div',
        { role: 'option', id, class: 'stage-fold', 'aria-selected': 'false', onclick: choose },
        icon('chevron'),
        row.stages.length === 1
          ? '1 pass changed nothing'
          : `${row.stages.length} passes changed nothing`,
      );
    }
    const stage = content.stages[row.stage];
    const validation = content.validation.get(row.stage);
    return h(
      'div',
      {
        role: 'option',
        id,
        class: stage?.changed ? 'stage-row changed' : 'stage-row',
        'data-stage': row.stage,
        'aria-selected': 'false',
        title: stageTitle(stage, validation),
        onclick: choose,
      },
      h('span', { class: 'stage-number', text: String(row.stage) }),
      h('span', { class: 'stage-name', text: stage?.name ?? '' }),
      validation && validationBadge(validation),
      stage?.reassociates && h('span', { class: 'badge', text: 'reorders sums' }),
      stage && h('span', { class: `badge level-${stage.level}`, text: stage.level }),
      !stage?.changed && h('span', { class: 'visually-hidden', text: 'unchanged' }),
    );
  }

  return {
    element,
    get selected() {
      return selected;
    },
    set selected(stage) {
      selected = stage;
      const hidden = rows.find((row) => row.kind === 'fold' && row.stages.includes(stage));
      if (hidden?.kind === 'fold' && hidden.stages[0] !== undefined) open.add(hidden.stages[0]);
      render();
    },
    show(next) {
      content = next;
      render();
    },
  };
}

function validationBadge(validation: StageValidation): HTMLElement {
  if (!validation.executed) {
    return h(
      'span',
      { class: 'badge executed skipped' },
      icon('dash'),
      h('span', { class: 'visually-hidden', text: 'not executed' }),
    );
  }
  return validation.matches
    ? h(
        'span',
        { class: 'badge executed same' },
        icon('check'),
        h('span', { class: 'visually-hidden', text: 'executed, same result' }),
      )
    : h(
        'span',
        { class: 'badge executed differs' },
        icon('cross'),
        h('span', { class: 'visually-hidden', text: 'executed, result differs' }),
      );
}

function stageTitle(stage: StageInfo | undefined, validation: StageValidation | undefined): string {
  if (!stage) return '';
  const lines = [`${stage.name} (${stage.level}), ${stage.milliseconds.toFixed(2)} ms`];
  if (!stage.changed) lines.push('changed nothing');
  if (validation) {
    lines.push(
      validation.message ||
        (validation.matches ? 'executed: same bytes as the first stage' : 'executed: differs'),
    );
  }
  return lines.join('\n');
}
