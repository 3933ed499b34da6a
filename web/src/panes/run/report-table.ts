import type { InstanceReport, Report } from '../../compiler/api.ts';
import { formatBytes, formatCount } from '../../model/tensors.ts';
import { h } from '../../ui/dom.ts';

const columns: readonly {
  label: string;
  title: string;
  value: (instance: InstanceReport) => number;
  format: (value: number) => string;
  /** The first line has the highest instead of the sum. */
  isPeak?: boolean;
}[] = [
  {
    label: 'instructions',
    title: 'Instructions executed',
    value: (instance) => instance.instructions,
    format: formatCount,
  },
  {
    label: 'elements',
    title: 'Results of arithmetic',
    value: (instance) => instance.elements,
    format: formatCount,
  },
  {
    label: 'read',
    title: 'Bytes read from device memory',
    value: (instance) => instance.bytesRead,
    format: formatBytes,
  },
  {
    label: 'written',
    title: 'Bytes written to device memory',
    value: (instance) => instance.bytesWritten,
    format: formatBytes,
  },
  {
    label: 'scratchpad read',
    title: 'Bytes read from the scratchpad',
    value: (instance) => instance.scratchpadRead,
    format: formatBytes,
  },
  {
    label: 'scratchpad written',
    title: 'Bytes written to the scratchpad',
    value: (instance) => instance.scratchpadWritten,
    format: formatBytes,
  },
  {
    label: 'scratchpad peak',
    title: 'Most bytes in the scratchpad at once',
    value: (instance) => instance.scratchpadPeak,
    format: formatBytes,
    isPeak: true,
  },
  {
    label: 'messages',
    title: 'Messages sent',
    value: (instance) => instance.messages,
    format: formatCount,
  },
];

/** What each tile or unit did, with the sum, or the highest, in the first line. */
export function createReportTable(report: Report): HTMLElement {
  const shown = columns.filter((column) => report.instances.some((one) => column.value(one) > 0));
  return h(
    'details',
    { class: 'report', open: true },
    h(
      'summary',
      {},
      h('span', { class: 'section-title', text: 'Report' }),
      h('span', {
        class: 'muted',
        text: `${formatCount(report.instructions)} instructions, ${formatBytes(report.bytesRead)} read, ${formatBytes(report.bytesWritten)} written, scratchpad peak ${formatBytes(report.scratchpadPeak)}`,
      }),
    ),
    h(
      'div',
      { class: 'report-scroll', tabindex: '0', role: 'region', 'aria-label': 'Report per unit' },
      h(
        'table',
        { class: 'report-table totals' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col', text: 'unit' }),
            ...shown.map((column) =>
              h('th', { scope: 'col', title: column.title, text: column.label }),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          h(
            'tr',
            { class: 'total' },
            h('th', { scope: 'row', text: `all ${formatCount(report.instances.length)}` }),
            ...shown.map((column) =>
              h('td', {
                text: column.format(
                  report.instances.reduce(
                    (all, one) =>
                      column.isPeak ? Math.max(all, column.value(one)) : all + column.value(one),
                    0,
                  ),
                ),
              }),
            ),
          ),
          ...report.instances.map((one) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row', text: one.name }),
              ...shown.map((column) => h('td', { text: column.format(column.value(one)) })),
            ),
          ),
        ),
      ),
    ),
  );
}
