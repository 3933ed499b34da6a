import type { HostTensor } from '../../compiler/api.ts';
import { formatCount, formatNumber, statistics, typeName } from '../../model/tensors.ts';
import { h, replaceChildren, type Child } from '../../ui/dom.ts';
import { createSegmented } from '../../ui/segmented.ts';
import { createHeatmap } from './heatmap.ts';
import { createNumberTable } from './number-table.ts';

export interface TensorView {
  /** Chooses between the two forms. */
  readonly form: HTMLElement;
  /** Type, least, greatest and mean. */
  readonly facts: HTMLElement;
  readonly body: HTMLElement;
  show(tensor: HostTensor): void;
}

/** One tensor, as numbers or as a heatmap. */
export function createTensorView(): TensorView {
  let shown: HostTensor | undefined;
  const body = h('div', { class: 'output-body' });
  const facts = h('p', { class: 'output-facts' });
  const form = createSegmented<'numbers' | 'heatmap'>(
    'Show as',
    [
      { value: 'numbers', label: 'Numbers' },
      { value: 'heatmap', label: 'Heatmap' },
    ],
    'numbers',
    () => render(),
  );

  function render(): void {
    if (!shown) return;
    const values = shown.toFloat64Array();
    const stats = statistics(values);
    replaceChildren(
      facts,
      h('code', { text: typeName(shown.dtype, shown.shape) }),
      // Of the finite elements, if there are any.
      !Number.isNaN(stats.mean) && fact('min', formatNumber(stats.minimum)),
      !Number.isNaN(stats.mean) && fact('max', formatNumber(stats.maximum)),
      !Number.isNaN(stats.mean) && fact('mean', formatNumber(stats.mean)),
      stats.nan > 0 && fact('nan', formatCount(stats.nan)),
      stats.infinite > 0 && fact('inf', formatCount(stats.infinite)),
    );
    replaceChildren(
      body,
      form.value === 'numbers'
        ? createNumberTable(values, shown.shape)
        : createHeatmap(values, shown.shape, stats),
    );
  }

  return {
    form: form.element,
    facts,
    body,
    show(tensor) {
      shown = tensor;
      render();
    },
  };
}

/** A labelled number. */
export function fact(label: string, value: string): Child {
  return h('span', { class: 'fact' }, h('span', { class: 'muted', text: label }), ` ${value}`);
}
