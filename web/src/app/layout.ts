import { defaultSettings, type Settings } from '../model/settings.ts';
import { byId, h } from '../ui/dom.ts';
import { makeSplitter } from '../ui/splitter.ts';

export type PhoneView = 'source' | 'stages' | 'run' | 'problems';

const phoneViews: readonly { id: PhoneView; label: string }[] = [
  { id: 'source', label: 'Program' },
  { id: 'problems', label: 'Problems' },
  { id: 'stages', label: 'Stages' },
  { id: 'run', label: 'Run' },
];

export interface Layout {
  /** On a narrow screen one view is seen at a time. */
  setPhoneView(view: PhoneView): void;
  toggleResultsOnly(): boolean;
  /** Gives every part its first size. */
  reset(): void;
}

/** Splitters, the fold of the problems, and the views of a narrow screen. */
export function createLayout(
  settings: Settings,
  save: (part: Partial<Settings>) => void,
  onPhoneView: (view: PhoneView) => void,
): Layout {
  const workbench = byId('workbench', HTMLElement);
  const sourceColumn = byId('source-column', HTMLElement);
  const toggle = byId('problems-toggle', HTMLButtonElement);

  const resetWidths = makeSplitter(byId('splitter', HTMLElement), {
    container: workbench,
    axis: 'horizontal',
    initial: settings.sourceShare,
    minimum: 0.2,
    apply: (share) => workbench.style.setProperty('--source-share', String(share)),
    commit: (sourceShare) => save({ sourceShare }),
  });
  const resetHeights = makeSplitter(byId('problems-splitter', HTMLElement), {
    container: sourceColumn,
    axis: 'vertical',
    initial: settings.editorShare,
    minimum: 0.15,
    apply: (share) => sourceColumn.style.setProperty('--editor-share', String(share)),
    commit: (editorShare) => save({ editorShare }),
  });

  const showProblems = (open: boolean): void => {
    sourceColumn.classList.toggle('problems-closed', !open);
    toggle.setAttribute('aria-expanded', String(open));
  };
  showProblems(settings.problemsOpen);
  toggle.addEventListener('click', () => {
    const open = sourceColumn.classList.contains('problems-closed');
    showProblems(open);
    save({ problemsOpen: open });
  });

  const buttons = phoneViews.map(({ id, label }) =>
    h('button', {
      type: 'button',
      class: 'phone-button',
      text: label,
      'data-view': id,
      onclick: () => {
        setPhoneView(id);
        onPhoneView(id);
      },
    }),
  );
  byId('phone-nav', HTMLElement).append(...buttons);

  function setPhoneView(view: PhoneView): void {
    document.body.dataset.phone = view;
    for (const button of buttons) {
      const isCurrent = button.dataset.view === view;
      if (isCurrent) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }
  setPhoneView('source');

  return {
    setPhoneView,
    reset() {
      resetWidths(defaultSettings.sourceShare);
      resetHeights(defaultSettings.editorShare);
      showProblems(defaultSettings.problemsOpen);
      save({ problemsOpen: defaultSettings.problemsOpen });
    },
    toggleResultsOnly: () => workbench.classList.toggle('results-only'),
  };
}
