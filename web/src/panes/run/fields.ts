import { h, uniqueId } from '../../ui/dom.ts';

export interface FieldOptions {
  label: string;
  /** Hides the label from sight where the place makes it plain. */
  quiet?: boolean;
  whole?: boolean;
  /** Allows an empty field, which gives `undefined`. */
  optional?: boolean;
  placeholder?: string;
  minimum?: number;
}

/** Parses one finite number as JSON could hold it. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Marks a field with what is wrong with it; an empty text takes the mark away. */
export function markField(field: Field, problem: string): void {
  field.setCustomValidity(problem);
  field.title = problem;
  if (problem) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** The first marked field below `root` and its problem in words, with where it is. */
export function findMarkedField(root: HTMLElement): { field: Field; problem: string } | undefined {
  const field = root.querySelector<Field>('[aria-invalid="true"]');
  if (!field) return undefined;
  const group = field.closest('[role="group"]')?.getAttribute('aria-label')?.toLowerCase() ?? '';
  const name = field.dataset.name ?? field.labels?.[0]?.textContent ?? '';
  return { field, problem: `${group}, ${name}: ${field.title}` };
}

/** Why a text is no number that a field of the page holds. */
export function describeNoNumber(text: string): string {
  return /^\s*[-+]?(inf|infinity|nan)\s*$/i.test(text)
    ? `'${text}' is not finite; fields take finite numbers, a file of arguments any`
    : `'${text}' is not a number`;
}

/**
 * A text field for a number. `onChange` gets only valid values; an invalid
 * text is marked and keeps the value before it.
 */
export function numberField(
  options: FieldOptions,
  value: number | undefined,
  onChange: (value: number | undefined) => void,
): HTMLElement {
  const id = uniqueId('field');
  const input = h('input', {
    id,
    type: 'text',
    class: 'input number',
    inputmode: options.whole ? 'numeric' : 'decimal',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: options.placeholder ?? '',
    value: value === undefined ? '' : String(value),
    oninput: () => {
      const problem = check(input.value);
      markField(input, problem);
      if (problem) return;
      onChange(input.value.trim() === '' ? undefined : parseNumber(input.value));
    },
  });

  function check(text: string): string {
    if (text.trim() === '') return options.optional ? '' : 'a number is missing';
    const parsed = parseNumber(text);
    if (parsed === undefined) return describeNoNumber(text);
    if (options.whole && !Number.isInteger(parsed)) return `'${text}' is not a whole number`;
    if (options.whole && !Number.isSafeInteger(parsed)) {
      return `'${text}' is too large for this field, which holds up to 2^53 - 1; a file of arguments has no such limit`;
    }
    if (options.minimum !== undefined && parsed < options.minimum) {
      return `expected at least ${options.minimum}`;
    }
    return '';
  }

  return h(
    'span',
    { class: 'field' },
    h('label', { for: id, class: options.quiet ? 'visually-hidden' : '' }, options.label),
    input,
  );
}

export function selectField<Value extends string>(
  label: string,
  options: readonly { value: Value; label: string }[],
  value: Value,
  onChange: (value: Value) => void,
  quiet = false,
): HTMLElement {
  const id = uniqueId('field');
  const select = h(
    'select',
    { id, class: 'select', onchange: () => onChange(select.value as Value) },
    ...options.map((option) => h('option', { value: option.value, text: option.label })),
  );
  select.value = value;
  return h(
    'span',
    { class: 'field' },
    h('label', { for: id, class: quiet ? 'visually-hidden' : '' }, label),
    select,
  );
}

export function checkField(
  label: string,
  title: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
): HTMLElement {
  const input = h('input', { type: 'checkbox', checked, onchange: () => onChange(input.checked) });
  return h('label', { class: 'field check', title }, input, h('span', { text: label }));
}
