import { h, uniqueId } from './dom.ts';

export interface Segmented<Value extends string> {
  readonly element: HTMLElement;
  value: Value;
}

/** A row of radio buttons drawn as one control. */
export function createSegmented<Value extends string>(
  label: string,
  options: readonly { value: Value; label: string; title?: string }[],
  initial: Value,
  onChange: (value: Value) => void,
): Segmented<Value> {
  const name = uniqueId('choice');
  const inputs = new Map<Value, HTMLInputElement>();
  const element = h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': label });
  for (const option of options) {
    const input = h('input', {
      type: 'radio',
      name,
      value: option.value,
      checked: option.value === initial,
      onchange: () => onChange(option.value),
    });
    inputs.set(option.value, input);
    element.append(h('label', { title: option.title }, input, h('span', { text: option.label })));
  }
  return {
    element,
    get value() {
      for (const [value, input] of inputs) if (input.checked) return value;
      return initial;
    },
    set value(value) {
      const input = inputs.get(value);
      if (input) input.checked = true;
    },
  };
}
