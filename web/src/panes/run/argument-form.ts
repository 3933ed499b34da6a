import type { ArgumentInfo, DType, KernelInfo } from '../../compiler/api.ts';
import { choiceFor, dtypeOf, isUntyped, shapeOf } from '../../model/arguments.ts';
import { elementCount, formatCount, typeName } from '../../model/tensors.ts';
import type { ArgumentChoice, TensorSource } from '../../model/workspace.ts';
import { announce } from '../../ui/announce.ts';
import { h, replaceChildren, uniqueId, type Child } from '../../ui/dom.ts';
import { describeNoNumber, markField, numberField, parseNumber, selectField } from './fields.ts';

export interface ArgumentForm {
  readonly element: HTMLElement;
  /** Shows the arguments of a kernel; keeps focus when the signature is unchanged. */
  show(kernel: KernelInfo | undefined, choices: Record<string, ArgumentChoice>): void;
}

export interface ArgumentHandlers {
  onChoice: (name: string, choice: ArgumentChoice) => void;
  onFile: (name: string, file: { name: string; bytes: Uint8Array }) => void;
  hasFile: (name: string) => boolean;
}

/** Members of a choice, whatever its source. */
type Part = Record<string, unknown>;

type SourceKind = 'normal' | 'uniform' | 'integers' | 'fill' | 'data' | 'npy';

const dtypes: readonly DType[] = [
  'f16',
  'bf16',
  'f32',
  'f64',
  'i8',
  'i16',
  'i32',
  'i64',
  'index',
  'i1',
];

const sourceKinds: readonly { value: SourceKind; label: string }[] = [
  { value: 'normal', label: 'Random normal' },
  { value: 'uniform', label: 'Random uniform' },
  { value: 'integers', label: 'Random integers' },
  { value: 'fill', label: 'Fill' },
  { value: 'data', label: 'Values' },
  { value: 'npy', label: '.npy file' },
];

/** One row per argument of the kernel's signature. */
export function createArgumentForm(handlers: ArgumentHandlers): ArgumentForm {
  const element = h('div', { class: 'arguments', role: 'group', 'aria-label': 'Arguments' });
  let shown = '';

  function show(kernel: KernelInfo | undefined, choices: Record<string, ArgumentChoice>): void {
    const signature = JSON.stringify([kernel?.name, kernel?.arguments, choices]);
    if (signature === shown) return;
    shown = signature;
    if (!kernel) {
      replaceChildren(
        element,
        h('p', { class: 'muted', text: 'The program has no kernel to run yet.' }),
      );
      return;
    }
    if (kernel.arguments.length === 0) {
      replaceChildren(element, h('p', { class: 'muted', text: 'This kernel takes no arguments.' }));
      return;
    }
    replaceChildren(
      element,
      ...kernel.arguments.map((argument, position) =>
        renderRow(argument, choiceFor(choices, argument, position), (choice) => {
          choices[argument.name] = choice;
          shown = JSON.stringify([kernel.name, kernel.arguments, choices]);
          handlers.onChoice(argument.name, choice);
        }),
      ),
    );
  }

  function renderRow(
    argument: ArgumentInfo,
    initial: ArgumentChoice,
    onChoice: (choice: ArgumentChoice) => void,
  ): HTMLElement {
    const type =
      argument.role === 'tensor' && !isUntyped(argument)
        ? typeName(argument.dtype, argument.shape)
        : argument.type;
    const value = h('div', { class: 'argument-value' });
    const row = h(
      'div',
      { class: 'argument', role: 'group', 'aria-label': `Argument ${argument.name}` },
      h('span', { class: 'argument-name', text: argument.name }),
      h(
        'span',
        { class: 'argument-type' },
        h('code', { text: type }),
        h('span', { class: 'muted', text: usage(argument) }),
      ),
      value,
    );
    if (typeof initial === 'number') {
      value.append(
        numberField(
          { label: 'value', quiet: true, whole: !/^(bf|f)\d/.test(argument.type) },
          initial,
          (number) => onChoice(number ?? 0),
        ),
      );
    } else {
      renderTensor(value, argument, initial, onChoice);
    }
    return row;
  }

  function renderTensor(
    host: HTMLElement,
    argument: ArgumentInfo,
    initial: Exclude<ArgumentChoice, number>,
    onChoice: (choice: ArgumentChoice) => void,
  ): void {
    let choice = initial;
    const change = (next: Exclude<ArgumentChoice, number>): void => {
      choice = next;
      onChoice(next);
    };
    // Fields change one part each, of what the choice has become by then.
    const set = (part: Part): void => change({ ...choice, ...part });
    const render = (): void => {
      replaceChildren(
        host,
        selectField(
          'source of the values',
          sourceKinds,
          kindOf(choice),
          (kind) => {
            const { shape, dtype } = choice;
            change({
              ...newSource(kind, choice),
              ...(shape && { shape }),
              ...(dtype && { dtype }),
            });
            render();
            host.querySelector('select')?.focus();
          },
          true,
        ),
        ...parameters(argument, choice, set),
        ...openExtents(argument, choice, set),
      );
    };
    render();
  }

  function parameters(
    argument: ArgumentInfo,
    choice: Exclude<ArgumentChoice, number>,
    set: (part: Part) => void,
  ): Child[] {
    if ('fill' in choice) {
      return [numberField({ label: 'value' }, choice.fill, (fill) => set({ fill }))];
    }
    if ('data' in choice) return [valuesField(argument, choice, set)];
    if ('npy' in choice) return [fileField(argument, choice.npy, set)];
    const seed = numberField({ label: 'seed', whole: true, minimum: 0 }, choice.seed, (value) =>
      set({ seed: value }),
    );
    if (choice.random === 'normal') {
      return [seed, numberField({ label: 'scale' }, choice.scale, (scale) => set({ scale }))];
    }
    const whole = choice.random === 'integers';
    return [
      seed,
      numberField({ label: 'low', whole }, choice.low, (low) => set({ low })),
      numberField({ label: 'high', whole }, choice.high, (high) => set({ high })),
    ];
  }

  function valuesField(
    argument: ArgumentInfo,
    choice: { data: number[]; shape?: number[] },
    set: (part: Part) => void,
  ): HTMLElement {
    const id = uniqueId('values');
    const expected = elementCount(shapeOf(argument, choice));
    const count = h('span', { class: 'muted', id: `${id}-count` });
    const showCount = (given: number): void => {
      count.textContent = `${formatCount(given)} of ${formatCount(expected)} values`;
    };
    showCount(choice.data.length);
    const area = h('textarea', {
      id,
      class: 'input values',
      rows: '2',
      spellcheck: 'false',
      placeholder: '1, 2.5, -3, …',
      'aria-describedby': `${id}-count`,
      oninput: () => {
        const words = area.value.split(/[\s,;[\]]+/).filter((word) => word !== '');
        const numbers = words.map(parseNumber);
        const bad = words[numbers.indexOf(undefined)];
        const problem = bad === undefined ? '' : describeNoNumber(bad);
        markField(area, problem);
        if (problem) {
          count.textContent = problem;
          return;
        }
        showCount(numbers.length);
        set({ data: numbers });
      },
    });
    area.value = choice.data.join(', ');
    return h(
      'span',
      { class: 'field wide' },
      h('label', { for: id, class: 'visually-hidden' }, 'values'),
      area,
      count,
    );
  }

  function fileField(argument: ArgumentInfo, name: string, set: (part: Part) => void): HTMLElement {
    const id = uniqueId('file');
    const label = h('span', { class: 'file-name' });
    const showName = (fileName: string): void => {
      if (!fileName) label.textContent = 'no file chosen';
      else if (handlers.hasFile(argument.name)) label.textContent = fileName;
      else label.textContent = `${fileName} (choose it again)`;
    };
    showName(name);
    const input = h('input', {
      id,
      type: 'file',
      'data-name': '.npy file',
      accept: '.npy',
      class: 'visually-hidden',
      onchange: () => {
        const file = input.files?.[0];
        if (!file) return;
        file
          .arrayBuffer()
          .then((buffer) => {
            handlers.onFile(argument.name, { name: file.name, bytes: new Uint8Array(buffer) });
            set({ npy: file.name });
            showName(file.name);
            markField(input, '');
          })
          .catch(() => announce(`'${file.name}' could not be read`));
      },
    });
    if (!handlers.hasFile(argument.name)) markField(input, 'choose a file');
    return h(
      'span',
      { class: 'field file' },
      input,
      h('label', { for: id, class: 'button small' }, 'Choose file'),
      label,
    );
  }

  function openExtents(
    argument: ArgumentInfo,
    choice: Exclude<ArgumentChoice, number>,
    set: (part: Part) => void,
  ): Child[] {
    if ('npy' in choice) return [];
    if (isUntyped(argument)) return typeFields(argument, choice, set);
    if (argument.shape.every((extent) => extent >= 0)) return [];
    const shape = shapeOf(argument, choice);
    return argument.shape.map((extent, axis) =>
      extent >= 0
        ? null
        : numberField(
            { label: `extent ${axis}`, whole: true, minimum: 0 },
            shape[axis] ?? 1,
            (value) => {
              shape[axis] = value ?? 1;
              set({ shape: [...shape] });
            },
          ),
    );
  }

  /** DataflowIR names no types: element type and shape are the caller's. */
  function typeFields(
    argument: ArgumentInfo,
    choice: Exclude<ArgumentChoice, number>,
    set: (part: Part) => void,
  ): Child[] {
    const id = uniqueId('shape');
    const shape = h('input', {
      id,
      type: 'text',
      class: 'input shape',
      value: shapeOf(argument, choice).join(', '),
      spellcheck: 'false',
      autocomplete: 'off',
      oninput: () => {
        const extents = shape.value.split(/[\s,x×]+/).filter((word) => word !== '');
        const isValid = extents.length > 0 && extents.every((word) => /^\d{1,9}$/.test(word));
        markField(shape, isValid ? '' : `expected extents as in '48, 256', found '${shape.value}'`);
        if (isValid) set({ shape: extents.map(Number) });
      },
    });
    return [
      selectField(
        'type',
        dtypes.map((dtype) => ({ value: dtype, label: dtype })),
        dtypeOf(argument, choice),
        (dtype) => set({ dtype }),
      ),
      h('span', { class: 'field' }, h('label', { for: id }, 'shape'), shape),
    ];
  }

  return { element, show };
}

function usage(argument: ArgumentInfo): string {
  if (argument.role === 'unused') return 'unused';
  if (argument.role === 'scalar') return '';
  return { none: '', read: 'in', write: 'out', readwrite: 'in, out' }[argument.access];
}

function kindOf(choice: Exclude<ArgumentChoice, number>): SourceKind {
  if ('fill' in choice) return 'fill';
  if ('data' in choice) return 'data';
  if ('npy' in choice) return 'npy';
  return choice.random;
}

/** A source of another kind that keeps the seed. */
function newSource(kind: SourceKind, old: TensorSource): TensorSource {
  const seed = 'seed' in old ? old.seed : 1;
  switch (kind) {
    case 'fill':
      return { fill: 0 };
    case 'data':
      return { data: [] };
    case 'npy':
      return { npy: '' };
    case 'normal':
      return { random: 'normal', seed, scale: 1 };
    case 'uniform':
      return { random: 'uniform', seed, low: 0, high: 1 };
    case 'integers':
      return { random: 'integers', seed, low: 0, high: 10 };
  }
}
