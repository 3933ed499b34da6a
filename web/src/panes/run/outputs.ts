import type { HostTensor, KernelInfo } from '../../compiler/api.ts';
import { h } from '../../ui/dom.ts';
import { createTensorView } from './tensor-view.ts';

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
  const view = createTensorView();
  const tensorChoice = h(
    'select',
    { class: 'select', 'aria-label': 'Tensor', onchange: () => show(tensorChoice.value) },
    ...names.map((option) => h('option', { value: option, text: optionText(option) })),
  );

  function optionText(option: string): string {
    const access = kernel?.arguments.find((argument) => argument.name === option)?.access;
    return access === 'read' ? `${option} (input)` : option;
  }

  function show(name: string): void {
    const tensor = outputs[name];
    if (tensor) view.show(tensor);
  }

  show(first);
  return h(
    'section',
    { class: 'outputs', 'aria-label': 'Outputs' },
    h('div', { class: 'toolbar' }, tensorChoice, view.form, view.facts),
    view.body,
  );
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
