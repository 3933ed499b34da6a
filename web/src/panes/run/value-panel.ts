import type { CapturedValue, Level } from '../../compiler/api.ts';
import { formatCount, formatNumber } from '../../model/tensors.ts';
import { h, replaceChildren, uniqueId } from '../../ui/dom.ts';
import { createTensorView } from './tensor-view.ts';

/** Where and when the value of a name is wanted. */
export interface ValueChoice {
  /** Of a kernel at level `ktir`. */
  tile?: number;
  /** Of a program at level `dataflow`; absent: the host's side. */
  unit?: string;
  /** From 1; absent: the last time. */
  execution?: number;
}

export interface ValuePanel {
  readonly element: HTMLElement;
  /** Shows the name at the cursor; undefined where there is none. */
  showName(name: string | undefined): void;
  /** At level `ktir` values belong to tiles, below to units. */
  setLevel(level: Level): void;
  /** What is chosen; undefined while a field is wrong. */
  choice(): ValueChoice | undefined;
  showValue(value: CapturedValue): void;
  showProblem(message: string): void;
  clear(): void;
}

/** The value that the name at the editor's cursor has on one tile. */
export function createValuePanel(onShow: () => void): ValuePanel {
  const placeId = uniqueId('place');
  const timeId = uniqueId('time');
  const name = h('code', { class: 'value-name' });
  const hint = h('span', { class: 'muted', text: 'Put the cursor on a name in the program' });
  const placeLabel = h('label', { for: placeId }, 'tile');
  const place = h('input', {
    id: placeId,
    type: 'text',
    class: 'input number',
    autocomplete: 'off',
    spellcheck: 'false',
    value: '0',
    oninput: () => validate(),
  });
  const time = h('input', {
    id: timeId,
    type: 'text',
    class: 'input number',
    inputmode: 'numeric',
    autocomplete: 'off',
    placeholder: 'last',
    title: 'Which of the times that the value is defined, as in a loop',
    oninput: () => validate(),
  });
  const button = h('button', {
    type: 'button',
    class: 'button small',
    text: 'Show value',
    title: 'Run once more and show the value (Alt+V in the editor)',
    disabled: true,
    onclick: onShow,
  });
  const facts = h('p', { class: 'value-facts', role: 'status' });
  const body = h('div', { class: 'outputs' });
  let level: Level = 'ktir';

  function validate(): boolean {
    const isPlace = level !== 'ktir' || /^\d{1,6}$/.test(place.value.trim());
    const isTime = /^([1-9]\d{0,12})?$/.test(time.value.trim());
    place.setAttribute('aria-invalid', String(!isPlace));
    time.setAttribute('aria-invalid', String(!isTime));
    return isPlace && isTime;
  }

  return {
    element: h(
      'section',
      { class: 'value-panel', 'aria-label': 'Value of a name' },
      h('div', { class: 'section-head' }, h('h2', { class: 'section-title', text: 'Value' })),
      h(
        'div',
        { class: 'run-options' },
        name,
        hint,
        h('span', { class: 'field' }, placeLabel, place),
        h('span', { class: 'field' }, h('label', { for: timeId }, 'time'), time),
        button,
      ),
      facts,
      body,
    ),
    showName(next) {
      name.textContent = next ?? '';
      hint.hidden = next !== undefined;
      button.disabled = next === undefined;
    },
    setLevel(next) {
      if (next === level) return;
      level = next;
      placeLabel.textContent = next === 'ktir' ? 'tile' : 'unit';
      place.placeholder = next === 'ktir' ? '' : 'host';
      place.value = next === 'ktir' ? '0' : '';
      validate();
    },
    choice() {
      if (!validate()) return undefined;
      const where = place.value.trim();
      const when = time.value.trim();
      return {
        ...(level === 'ktir' ? { tile: Number(where) } : where !== '' && { unit: where }),
        ...(when !== '' && { execution: Number(when) }),
      };
    },
    showValue(value) {
      const { tensor } = value;
      const times = value.executions === 1 ? 'once' : `${formatCount(value.executions)} times`;
      const [scalar] = tensor?.shape.length === 0 ? tensor.toFloat64Array() : [];
      const what = scalar === undefined ? value.text : formatNumber(scalar);
      replaceChildren(
        facts,
        h('code', { text: value.name }),
        ` on ${value.instance}${what === '' ? '' : `: ${what}`}`,
        h('span', { class: 'muted', text: ` ${value.type}, defined ${times}` }),
      );
      if (!tensor || scalar !== undefined) {
        replaceChildren(body);
        return;
      }
      const view = createTensorView();
      view.show(tensor);
      replaceChildren(body, h('div', { class: 'toolbar' }, view.form, view.facts), view.body);
    },
    showProblem(message) {
      facts.textContent = message;
      replaceChildren(body);
    },
    clear() {
      replaceChildren(facts);
      replaceChildren(body);
    },
  };
}
