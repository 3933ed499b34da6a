import type { Diagnostic, KernelInfo, SourceRange } from '../../compiler/api.ts';
import { KtirError } from '../../compiler/api.ts';
import { Cancelled, type RunOutcome, type RunProgress } from '../../compiler/runner.ts';
import { describeFailure } from '../../compiler/checker.ts';
import { formatCount, formatNumber } from '../../model/tensors.ts';
import type { ArgumentChoice, RunChoices } from '../../model/workspace.ts';
import { h, replaceChildren, uniqueId, type Child } from '../../ui/dom.ts';
import { icon } from '../../ui/icons.ts';
import { renderDiagnostics } from '../diagnostics-list.ts';
import { createCostEstimate, createScratchpadTable } from './cost-tables.ts';
import { createArgumentForm, type ArgumentHandlers } from './argument-form.ts';
import { createOutputs } from './outputs.ts';
import { createReportTable } from './report-table.ts';
import { createRunOptions } from './run-options.ts';
import { findMarkedField } from './fields.ts';
import { createValuePanel, type ValuePanel } from './value-panel.ts';

/** Progress comes after every slice of a run; more often than this nobody reads it. */
const progressPeriod = 150;

export interface RunPaneHandlers extends ArgumentHandlers {
  onKernel: (name: string) => void;
  onOptions: (options: RunChoices) => void;
  onRun: () => void;
  onCancel: () => void;
  onReset: () => void;
  /** Shows the value of the name at the cursor. */
  onShowValue: () => void;
  reveal: (range: SourceRange) => void;
}

export interface RunPane {
  readonly element: HTMLElement;
  /** Shows the form for a kernel of the program. */
  showForm(
    kernels: readonly KernelInfo[],
    kernel: KernelInfo | undefined,
    args: Record<string, ArgumentChoice>,
  ): void;
  showOptions(options: RunChoices): void;
  readonly value: ValuePanel;
  setRunning(running: boolean): void;
  showProgress(progress: RunProgress): void;
  /** Takes the progress away of a run without results of its own. */
  showIdle(): void;
  showOutcome(outcome: RunOutcome, kernel: KernelInfo | undefined): void;
  showFailure(error: unknown): void;
  /**
   * Whether every field holds what the run will take; of the first that does
   * not says so, and moves there.
   */
  checkFields(): boolean;
  /** Says that the results belong to an older program. */
  markStale(): void;
  clear(): void;
}

export function createRunPane(handlers: RunPaneHandlers): RunPane {
  const kernelId = uniqueId('kernel');
  const kernelChoice = h('select', {
    id: kernelId,
    class: 'select',
    onchange: () => handlers.onKernel(kernelChoice.value),
  });
  const run = h(
    'button',
    {
      type: 'button',
      class: 'button primary',
      title: 'Run (Ctrl+Enter)',
      onclick: () => handlers.onRun(),
    },
    icon('play'),
    'Run',
  );
  const cancel = h(
    'button',
    { type: 'button', class: 'button', disabled: true, onclick: () => handlers.onCancel() },
    icon('stop'),
    'Cancel',
  );
  const bar = h('progress', {
    class: 'run-progress',
    max: '1',
    'aria-label': 'Progress of the run',
  });
  bar.value = 0;
  const status = h('span', { class: 'run-status muted', role: 'status' });
  const form = createArgumentForm(handlers);
  const options = createRunOptions((next) => handlers.onOptions(next));
  const value = createValuePanel(() => handlers.onShowValue());
  const results = h('div', { class: 'results' });
  let startedAt = 0;
  let shownAt = 0;
  /** What the run does, without its time, which a clock keeps up to date. */
  let activity = '';
  let clock: number | undefined;

  const element = h(
    'div',
    { class: 'run-pane' },
    h(
      'div',
      { class: 'toolbar run-bar' },
      run,
      cancel,
      h(
        'span',
        { class: 'field' },
        h('label', { for: kernelId, class: 'visually-hidden' }, 'Kernel'),
        kernelChoice,
      ),
      status,
      bar,
    ),
    h(
      'div',
      { class: 'run-scroll' },
      h(
        'div',
        { class: 'section-head' },
        h('h2', { class: 'section-title', text: 'Arguments' }),
        h('button', {
          type: 'button',
          class: 'button small quiet',
          text: 'Reset',
          title: 'Give every argument its default',
          onclick: () => handlers.onReset(),
        }),
      ),
      form.element,
      h('div', { class: 'section-head' }, h('h2', { class: 'section-title', text: 'Options' })),
      options.element,
      value.element,
      results,
    ),
  );

  function showActivity(): void {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    status.textContent = `${activity}, ${seconds} s`;
  }

  function showComparison(outcome: RunOutcome): Child {
    const { other, result } = outcome;
    if (!other) return null;
    if ('failure' in other) {
      return h(
        'p',
        { class: 'comparison failed' },
        icon('warning'),
        `Not compared: the run at level ${other.level} failed: ${other.failure}`,
      );
    }
    const { comparison } = other;
    if (comparison.same) {
      return h(
        'p',
        { class: 'comparison same' },
        icon('check'),
        `Bit-identical at levels ${result.level} and ${other.level} (${formatCount(comparison.bytes)} bytes)`,
      );
    }
    const { tensor, coordinate, mine, theirs, differing, elements } = comparison;
    return h(
      'p',
      { class: 'comparison differs' },
      icon('cross'),
      `Differs from level ${other.level}, first at ${tensor}[${coordinate.join(', ')}]: ` +
        `${formatNumber(mine)} here, ${formatNumber(theirs)} there ` +
        `(${formatCount(differing)} of ${formatCount(elements)} elements of ${tensor})`,
    );
  }

  function findingsSection(title: string, findings: readonly Diagnostic[]): Child {
    if (findings.length === 0) return null;
    const list = h('ul', { class: 'diagnostics' });
    renderDiagnostics(list, findings, (range) => handlers.reveal(range));
    return h(
      'section',
      { class: 'findings', 'aria-label': title },
      h('h2', { class: 'section-title', text: `${title} (${findings.length})` }),
      list,
    );
  }

  return {
    element,
    value,
    showForm(kernels, kernel, args) {
      replaceChildren(
        kernelChoice,
        ...kernels.map((one) =>
          h('option', { value: one.name, text: `@${one.name} · grid ${one.grid.join(' × ')}` }),
        ),
      );
      kernelChoice.value = kernel?.name ?? '';
      kernelChoice.disabled = kernels.length < 2;
      kernelChoice.hidden = kernels.length === 0;
      form.show(kernel, args);
    },
    showOptions: (next) => options.show(next),
    setRunning(running) {
      run.disabled = running;
      cancel.disabled = !running;
      element.classList.toggle('running', running);
      element.setAttribute('aria-busy', String(running));
      if (running) {
        startedAt = performance.now();
        activity = 'Starting';
        showActivity();
        bar.removeAttribute('value');
        // One operation may take longer than any slice, and tells nothing meanwhile.
        clock = window.setInterval(showActivity, 1000);
      } else {
        window.clearInterval(clock);
        bar.value = 0;
      }
    },
    showProgress({ done, total, phase }) {
      const now = performance.now();
      if (done > 0 && now - shownAt < progressPeriod) return;
      shownAt = now;
      if (total > 0) bar.value = Math.min(done / total, 1);
      else bar.removeAttribute('value');
      activity = `Running at level ${phase}: ${formatCount(done)} instructions`;
      showActivity();
    },
    showIdle() {
      status.textContent = '';
    },
    showOutcome(outcome, kernel) {
      const { result } = outcome;
      status.textContent = `Finished at level ${result.level} in ${result.milliseconds.toFixed(1)} ms`;
      results.classList.remove('stale');
      replaceChildren(
        results,
        showComparison(outcome),
        findingsSection('Findings', result.findings),
        createOutputs(result.outputs, kernel),
        createReportTable(result.report),
        createCostEstimate(result.report.costs),
        createScratchpadTable(result.report, (range) => handlers.reveal(range)),
      );
    },
    showFailure(error) {
      results.classList.remove('stale');
      if (error instanceof Cancelled) {
        status.textContent = 'Cancelled';
        replaceChildren(results);
        return;
      }
      status.textContent = 'Failed';
      const diagnostics = error instanceof KtirError ? error.diagnostics : [];
      const message = describeFailure(error);
      const isRepeated = diagnostics[0]?.message === message;
      replaceChildren(
        results,
        !isRepeated &&
          h(
            'p',
            { class: 'comparison differs', role: 'alert' },
            icon('error'),
            h('span', { text: message }),
          ),
        findingsSection('Errors', diagnostics),
      );
    },
    checkFields() {
      const marked = findMarkedField(form.element) ?? findMarkedField(options.element);
      if (!marked) return true;
      this.showFailure(new Error(`${marked.problem}; correct it and run again`));
      marked.field.focus();
      return false;
    },
    markStale() {
      if (results.childElementCount > 0) results.classList.add('stale');
    },
    clear() {
      status.textContent = '';
      replaceChildren(results);
      value.clear();
    },
  };
}
