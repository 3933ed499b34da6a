/** Reports, which the module sends in parts that are quick to make. */

import type {
  CostEstimate,
  InstanceReport,
  Report,
  Roofline,
  SourceRange,
  TileCost,
} from './api.js';
import type { GlueExecutable } from './glue.js';
import { parse } from './json.js';
import type { Positions } from './positions.js';

// The numbers of each part in the order in which they are sent.
const INSTANCE = [
  'instructions',
  'bytesRead',
  'bytesWritten',
  'scratchpadRead',
  'scratchpadWritten',
  'elements',
  'messages',
  'scratchpadPeak',
] as const satisfies readonly (keyof InstanceReport)[];
const CYCLES = [
  'serial',
  'overlapped',
  'overlapped3',
] as const satisfies readonly (keyof CostEstimate['cycles'])[];
const ROOFLINE = [
  'operations',
  'bytes',
  'intensity',
  'peak',
  'memoryBound',
  'achieved',
  'attainment',
] as const satisfies readonly (keyof Roofline)[];
const TILE = ['compute', 'memory', 'communication'] as const satisfies readonly (keyof TileCost)[];

interface ReportText {
  /** Of the instances. */
  names: string[];
  rest: Omit<Report, 'instances' | 'scratchpadAtPeak'> & {
    scratchpadAtPeak: ({ op: string; bytes: number } & Partial<SourceRange>)[];
  };
}

/** The names of the instances. */
export function instanceNames(object: GlueExecutable): string[] {
  return parse<ReportText>(object.report()).names;
}

/** The report as it is now, put together when it is first asked for. */
export function lazyReport(object: GlueExecutable, positions: Positions): () => Report {
  const text = object.report();
  const numbers = object.reportNumbers().slice();
  let report: Report | undefined;
  return () => (report ??= readReport(text, numbers, positions));
}

function readReport(text: string, numbers: Float64Array, positions: Positions): Report {
  const { names, rest } = parse<ReportText>(text);
  let next = 0;
  const take = <Field extends string>(fields: readonly Field[]): Record<Field, number> =>
    Object.fromEntries(fields.map((field) => [field, numbers[next++] ?? 0])) as Record<
      Field,
      number
    >;
  const instances = names.map((name) => ({ name, ...take(INSTANCE) }));
  const costs = rest.costs.map((cost) => ({
    ...cost,
    cycles: take(CYCLES),
    chip: { ...cost.chip, ...take(ROOFLINE) },
    core: { ...cost.core, ...take(ROOFLINE) },
    tiles: names.map((name) => ({ name, ...take(TILE) })),
  }));
  const scratchpadAtPeak = rest.scratchpadAtPeak.map(({ op, bytes, ...place }) => {
    const range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0, ...place };
    positions.translateRange(range);
    return { op, bytes, range };
  });
  return { ...rest, instances, costs, scratchpadAtPeak };
}
