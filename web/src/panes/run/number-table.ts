import { formatNumber, layOutRows } from '../../model/tensors.ts';
import { h, replaceChildren } from '../../ui/dom.ts';

const rowsPerPage = 16;
const columnsPerPage = 64;

/**
 * The elements of a tensor as rows over its last axis, a page at a time. Row
 * headers name the leading coordinates; a tensor with one axis is folded.
 */
export function createNumberTable(values: Float64Array, shape: readonly number[]): HTMLElement {
  const { rows, columns, label } = layOutRows(shape, columnsPerPage);
  let firstRow = 0;
  let firstColumn = 0;

  const body = h('div', {
    class: 'number-scroll',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Values',
  });
  const rowPager = pager('rows', rows, rowsPerPage, (first) => {
    firstRow = first;
    render();
  });
  const columnPager = pager('columns', columns, columnsPerPage, (first) => {
    firstColumn = first;
    render();
  });

  function render(): void {
    const lastRow = Math.min(firstRow + rowsPerPage, rows);
    const lastColumn = Math.min(firstColumn + columnsPerPage, columns);
    const head = h('tr', {}, h('td', {}));
    for (let column = firstColumn; column < lastColumn; ++column) {
      head.append(h('th', { scope: 'col', text: String(column) }));
    }
    const lines: HTMLElement[] = [];
    for (let row = firstRow; row < lastRow; ++row) {
      const line = h('tr', {}, h('th', { scope: 'row', text: label(row) }));
      for (let column = firstColumn; column < lastColumn; ++column) {
        const value = values[row * columns + column];
        line.append(
          value === undefined
            ? h('td')
            : h('td', { title: String(value), text: formatNumber(value) }),
        );
      }
      lines.push(line);
    }
    replaceChildren(
      body,
      h('table', { class: 'numbers' }, h('thead', {}, head), h('tbody', {}, ...lines)),
    );
  }

  render();
  return h(
    'div',
    { class: 'number-table' },
    body,
    h('div', { class: 'pagers' }, rowPager, columnPager),
  );
}

function pager(
  what: string,
  total: number,
  size: number,
  onPage: (first: number) => void,
): HTMLElement | null {
  if (total <= size) return null;
  let first = 0;
  const label = h('span', { class: 'muted', role: 'status' });
  const button = (text: string, name: string, move: () => number): HTMLButtonElement =>
    h('button', {
      type: 'button',
      class: 'button small',
      'aria-label': name,
      text,
      onclick: () => {
        first = Math.min(Math.max(move(), 0), Math.floor((total - 1) / size) * size);
        update();
        onPage(first);
      },
    });
  const start = button('«', `first ${what}`, () => 0);
  const previous = button('‹', `previous ${what}`, () => first - size);
  const next = button('›', `next ${what}`, () => first + size);
  const end = button('»', `last ${what}`, () => total);
  const update = (): void => {
    label.textContent = `${what} ${first}–${Math.min(first + size, total) - 1} of ${total}`;
    start.disabled = previous.disabled = first === 0;
    next.disabled = end.disabled = first + size >= total;
  };
  update();
  return h('div', { class: 'pager' }, start, previous, label, next, end);
}
