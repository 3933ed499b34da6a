import type { HostTensor, KernelInfo } from '../../compiler/api.ts';
import { formatCount, formatNumber, statistics, typeName } from '../../model/tensors.ts';
import { h, replaceChildren, type Child } from '../../ui/dom.ts';
import { createSegmented } from '../../ui/segmented.ts';
import { createHeatmap } from './heatmap.ts';
import { createNumberTable } from './number-table.ts';

/** The tensors after a run: one at a time, as numbers or as a heatmap. */
export function createOutputs(
  outputs: Record<string, HostTensor>,
  kernel: KernelInfo | undefined,
): HTMLElement {
  const names = sortedNames(outputs, kernel);
  const [first] = names;
  if (first === undefined) {
    return h('p', { class: 'muted', text: 'The kernel has no tensor arguments.' });
  }
  let name = first;
  const body = h('div', { class: 'output-body' });
  const facts = h('p', { class: 'output-facts' });
  const tensorChoice = h(
    'select',
    {
      class: 'select',
      'aria-label': 'Tensor',
      onchange: () => {
        name = tensorChoice.value;
        render();
      },
    },
    ...names.map((option) => h('option', { value: option, text: optionText(option) })),
  );
  const form = createSegmented<'numbers' | 'heatmap'>(
    'Show as',
    [
      { value: 'numbers', label: 'Numbers' },
      { value: 'heatmap', label: 'Heatmap' },
    ],
    'numbers',
    () => render(),
  );

  function optionText(option: string): string {
    const access = kernel?.arguments.find((argument) => argument.name === option)?.access;
    return access === 'read' ? `${option} (input)` : option;
  }

  function render(): void {
    const tensor = outputs[name];
    if (!tensor) return;
    const values = tensor.toFloat64Array();
    const stats = statistics(values);
    replaceChildren(
      facts,
      h('code', { text: typeName(tensor.dtype, tensor.shape) }),
      fact('min', formatNumber(stats.minimum)),
      fact('max', formatNumber(stats.maximum)),
      fact('mean', formatNumber(stats.mean)),
      stats.nan > 0 && fact('nan', formatCount(stats.nan)),
      stats.infinite > 0 && fact('inf', formatCount(stats.infinite)),
    );
    replaceChildren(
      body,
      form.value === 'numbers'
        ? createNumberTable(values, tensor.shape)
        : createHeatmap(values, tensor.shape, stats),
    );
  }

  render();
  return h(
    'section',
    { class: 'outputs', 'aria-label': 'Outputs' },
    h('div', { class: 'toolbar' }, tensorChoice, form.element, facts),
    body,
  );
}

function fact(label: string, value: string): Child {
  return h('span', { class: 'fact' }, h('span', { class: 'muted', text: label }), ` ${value}`);
}

/** What the kernel wrote comes first. */
function sortedNames(
  outputs: Record<string, HostTensor>,
  kernel: KernelInfo | undefined,
): string[] {
  const isInput = (name: string): number =>
    kernel?.arguments.find((argument) => argument.name === name)?.access === 'read' ? 1 : 0;
  return Object.keys(outputs).sort((a, b) => isInput(a) - isInput(b));
}
