import { describeFailure, type Checked } from '../../compiler/checker.ts';
import type { Diagnostic, StageValidation } from '../../compiler/api.ts';
import { findStage, stageKey } from '../../model/stages.ts';
import { formatCount } from '../../model/tensors.ts';
import type { StageMode, ViewChoices } from '../../model/workspace.ts';
import { h, replaceChildren } from '../../ui/dom.ts';
import { createSegmented } from '../../ui/segmented.ts';
import { createStageList } from './stage-list.ts';
import { createStageView } from './stage-view.ts';

export interface StagesPane {
  readonly element: HTMLElement;
  show(checked: Checked): void;
  /** Says why the stages end where they do; absent: the last level is reached. */
  setEnd(reason: Diagnostic | undefined): void;
  /** Selects what a link asks for. */
  setView(view: ViewChoices): void;
  /** What a link has to say to show the same. */
  view(): Omit<ViewChoices, 'pane'>;
  setValidation(results: readonly StageValidation[] | undefined, text: string): void;
  setValidating(validating: boolean): void;
  updateOptions(options: { fontSize: number; wordWrap: boolean }): void;
}

/** The passes on the left; text or difference of the selected one on the right. */
export function createStagesPane(
  options: { fontSize: number; wordWrap: boolean },
  handlers: { onChange: () => void; onValidate: () => void; onCancelValidate: () => void },
): StagesPane {
  let checked: Checked | undefined;
  let validation = new Map<number, StageValidation>();
  let message = '';
  let end: Diagnostic | undefined;
  /** Keys as in links, so that they survive a new compilation; absent: last, previous. */
  let wantedStage: string | undefined;
  let wantedAgainst: string | undefined;
  let mode: StageMode = 'inline';
  let shown = 0;
  let validating = false;

  const list = createStageList((stage) => {
    if (!checked) return;
    const isLast = stage === checked.stages.length - 1;
    wantedStage = isLast ? undefined : stageKey(checked.stages, stage);
    handlers.onChange();
    void update();
  });
  const view = createStageView(options);
  const modes = createSegmented<StageMode>(
    'How the stage is shown',
    [
      { value: 'text', label: 'Text' },
      { value: 'inline', label: 'Diff' },
      { value: 'split', label: 'Side by side' },
    ],
    mode,
    (value) => {
      mode = value;
      handlers.onChange();
      void update();
    },
  );
  const against = h('select', {
    class: 'select against',
    'aria-label': 'Compare with',
    onchange: () => {
      wantedAgainst = against.value || undefined;
      handlers.onChange();
      void update();
    },
  });
  const validate = h(
    'button',
    {
      type: 'button',
      class: 'button small',
      title: 'Run every stage on the arguments of the Run pane and compare the results',
      onclick: () => (validating ? handlers.onCancelValidate() : handlers.onValidate()),
    },
    'Validate',
  );
  const summary = h('p', { class: 'stage-summary muted', role: 'status' });
  const element = h(
    'div',
    { class: 'stages-pane' },
    list.element,
    h(
      'div',
      { class: 'stage-detail' },
      h(
        'div',
        { class: 'toolbar' },
        modes.element,
        against,
        h('span', { class: 'spacer' }),
        validate,
      ),
      summary,
      view.element,
    ),
  );

  function againstStage(selected: number): number | undefined {
    if (!checked) return undefined;
    if (wantedAgainst !== undefined) return findStage(checked.stages, wantedAgainst);
    return selected > 0 ? selected - 1 : undefined;
  }

  async function update(): Promise<void> {
    const target = checked;
    if (!target) return;
    const selected = list.selected;
    const ticket = ++shown;
    const stage = target.stages[selected];
    against.disabled = mode === 'text';
    if (!stage) {
      summary.textContent = 'No stage: the program does not parse.';
      view.show('', undefined, 'text');
      return;
    }
    const other = mode === 'text' ? undefined : againstStage(selected);
    try {
      const [text, before] = await Promise.all([
        target.stageText(selected),
        other === undefined ? undefined : target.stageText(other),
      ]);
      if (ticket !== shown) return;
      view.show(text, before, mode);
      summary.textContent = summaryText(target, selected, other, text === before);
    } catch (error) {
      if (ticket !== shown || target !== checked) return;
      summary.textContent = describeFailure(error);
    }
  }

  function summaryText(
    target: Checked,
    selected: number,
    other: number | undefined,
    same: boolean,
  ): string {
    const stage = target.stages[selected];
    if (!stage) return '';
    const operations = stage.opCounts.reduce((sum, [, count]) => sum + count, 0);
    const parts = [`${formatCount(operations)} operations`, `${stage.milliseconds.toFixed(1)} ms`];
    if (!stage.changed) parts.push('changed nothing');
    if (other !== undefined && same) parts.push(`same text as stage ${other}`);
    const result = validation.get(selected);
    if (result?.message) parts.push(result.message);
    return parts.join(' · ');
  }

  function render(): void {
    if (!checked) return;
    list.show({ stages: checked.stages, end, validation, message });
    replaceChildren(
      against,
      h('option', { value: '', text: 'vs previous stage' }),
      ...checked.stages.map((stage, index) =>
        h('option', {
          value: stageKey(checked?.stages ?? [], index),
          text: `vs ${index} ${stage.name}`,
        }),
      ),
    );
    against.value = wantedAgainst ?? '';
    if (against.selectedIndex < 0) {
      wantedAgainst = undefined;
      against.value = '';
    }
    const last = Math.max(checked.stages.length - 1, 0);
    const wanted = wantedStage === undefined ? last : findStage(checked.stages, wantedStage);
    list.selected = wanted ?? last;
    void update();
  }

  return {
    element,
    show(next) {
      checked = next;
      validation = new Map();
      message = '';
      end = undefined;
      render();
    },
    setEnd(reason) {
      end = reason;
      render();
    },
    setView(next) {
      wantedStage = next.stage;
      wantedAgainst = next.against;
      mode = next.mode;
      modes.value = mode;
      render();
    },
    view() {
      return {
        mode,
        ...(wantedStage === undefined ? {} : { stage: wantedStage }),
        ...(wantedAgainst === undefined ? {} : { against: wantedAgainst }),
      };
    },
    setValidation(results, text) {
      validation = new Map((results ?? []).map((result) => [result.stage, result]));
      message = text;
      render();
    },
    setValidating(next) {
      validating = next;
      validate.textContent = next ? 'Cancel' : 'Validate';
    },
    updateOptions: (next) => view.updateOptions(next),
  };
}
