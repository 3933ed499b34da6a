/** Reports, which the module makes of the bytes that a run left. */

import type { Report, SourceRange } from './api.js';
import type { GlueExecutable } from './glue.js';
import type { Instance } from './instance.js';
import { parse } from './json.js';
import type { Positions } from './positions.js';

interface ReportText extends Omit<Report, 'scratchpadAtPeak'> {
  scratchpadAtPeak: ({ op: string; bytes: number } & Partial<SourceRange>)[];
}

/** The names of the instances. */
export function instanceNames(instance: Instance, object: GlueExecutable): string[] {
  return readText(instance, object.reportSource().slice()).instances.map(({ name }) => name);
}

/** The report as it is now, put together when it is first asked for. */
export function lazyReport(
  instance: Instance,
  object: GlueExecutable,
  positions: Positions,
): () => Report {
  const source = object.reportSource().slice();
  let report: Report | undefined;
  return () => (report ??= readReport(readText(instance, source), positions));
}

function readText(instance: Instance, source: Uint8Array): ReportText {
  return parse<ReportText>(instance.call((glue) => glue.report(source)));
}

function readReport(text: ReportText, positions: Positions): Report {
  const scratchpadAtPeak = text.scratchpadAtPeak.map(({ op, bytes, ...place }) => {
    const range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0, ...place };
    positions.translateRange(range);
    return { op, bytes, range };
  });
  return { ...text, scratchpadAtPeak };
}
