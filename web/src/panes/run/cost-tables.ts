import type { CostEstimate, Report, Roofline, SourceRange } from '../../compiler/api.ts';
import { formatBytes, formatCount, formatNumber } from '../../model/tensors.ts';
import { h, replaceChildren, type Child } from '../../ui/dom.ts';
import { selectField } from './fields.ts';
import { fact } from './tensor-view.ts';

/** The estimate of the analytic model, for one profile at a time. */
export function createCostEstimate(costs: readonly CostEstimate[]): Child {
  const [first] = costs;
  if (!first) return null;
  const body = h('div', { class: 'cost-body' });
  const show = (profile: string): void => {
    const cost = costs.find((one) => one.profile === profile) ?? first;
    replaceChildren(body, costFacts(cost), rooflineLine(cost), costTable(cost));
  };
  show(first.profile);
  return h(
    'details',
    { class: 'report cost', open: true },
    h('summary', {}, h('span', { class: 'section-title', text: 'Cost estimate' })),
    h(
      'div',
      { class: 'run-options' },
      selectField(
        'profile',
        costs.map(({ profile }) => ({ value: profile, label: profile })),
        first.profile,
        show,
      ),
    ),
    body,
  );
}

function costFacts({ cycles, clockGhz, bottleneck, tiles, slowest }: CostEstimate): Child {
  const where = tiles[slowest]?.name ?? '';
  return h(
    'p',
    { class: 'output-facts' },
    fact('cycles', formatNumber(cycles.serial)),
    fact('compute overlapped', formatNumber(cycles.overlapped)),
    fact('all overlapped', formatNumber(cycles.overlapped3)),
    fact('at', `${formatNumber(clockGhz)} GHz ${formatNumber(cycles.serial / clockGhz / 1000)} µs`),
    fact('bottleneck', `${bottleneck} of ${where}`),
  );
}

function rooflineLine({ chip, core }: CostEstimate): Child {
  const describe = (name: string, line: Roofline): string => {
    const limit = Math.min(line.peak, line.memoryBound);
    const intensity = line.bytes > 0 ? `${formatNumber(line.intensity)} per byte` : 'no memory';
    return (
      `${name}: ${formatNumber(line.achieved)} ${line.unit} operations per cycle ` +
      `of ${formatNumber(line.bytes > 0 ? limit : line.peak)} that are possible ` +
      `at ${intensity} (${Math.round(line.attainment * 100)} %)`
    );
  };
  return h(
    'p',
    { class: 'muted' },
    `Roofline, ${describe('chip', chip)}; ${describe('slowest core', core)}`,
  );
}

function costTable({ tiles, slowest }: CostEstimate): Child {
  return h(
    'div',
    { class: 'report-scroll', tabindex: '0', role: 'region', 'aria-label': 'Cycles per tile' },
    h(
      'table',
      { class: 'report-table parts' },
      head('tile', 'compute', 'memory', 'communication', 'sum'),
      h(
        'tbody',
        {},
        ...tiles.map(({ name, compute, memory, communication }, index) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row', text: index === slowest ? `${name} (slowest)` : name }),
            ...[compute, memory, communication, compute + memory + communication].map((value) =>
              h('td', { text: formatNumber(value) }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** What was in the fullest scratchpad at its fullest. */
export function createScratchpadTable(
  { scratchpadAtPeak, scratchpadPeakOn, scratchpadPeak }: Report,
  reveal: (range: SourceRange) => void,
): Child {
  if (scratchpadAtPeak.length === 0) return null;
  return h(
    'details',
    { class: 'report scratchpad', open: true },
    h(
      'summary',
      {},
      h('span', { class: 'section-title', text: 'Scratchpad at its peak' }),
      h('span', {
        class: 'muted',
        text: `${formatBytes(scratchpadPeak)} on ${scratchpadPeakOn}, ${formatCount(scratchpadAtPeak.length)} parts`,
      }),
    ),
    h(
      'div',
      {
        class: 'report-scroll',
        tabindex: '0',
        role: 'region',
        'aria-label': 'What was in the scratchpad at its peak',
      },
      h(
        'table',
        { class: 'report-table parts' },
        head('made by', 'bytes', 'line'),
        h(
          'tbody',
          {},
          ...scratchpadAtPeak.map(({ op, bytes, range }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, h('code', { text: op })),
              h('td', { text: formatBytes(bytes) }),
              h(
                'td',
                {},
                range.line > 0 &&
                  h('button', {
                    type: 'button',
                    class: 'button small quiet',
                    text: String(range.line),
                    'aria-label': `Go to line ${range.line}`,
                    onclick: () => reveal(range),
                  }),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function head(...labels: string[]): Child {
  return h('thead', {}, h('tr', {}, ...labels.map((text) => h('th', { scope: 'col', text }))));
}
