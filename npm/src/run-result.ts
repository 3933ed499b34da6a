/** Reads what a run left in the module: results, reports, values, errors. */

import type {
  CapturedValue,
  Diagnostic,
  DType,
  KernelInfo,
  Level,
  Report,
  RunResult,
  SourceRange,
  TensorData,
  TraceEvent,
} from './api.js';
import { KtirError, type KtirErrorCode } from './errors.js';
import type { GlueExecutable, GlueTensor } from './glue.js';
import type { Positions } from './positions.js';
import { HostTensor } from './tensor.js';

/** Two of the numbers that `advance` returns. */
export const RUNNING = 0;
export const FAILED = 2;

/** Where a run belongs to. */
export interface RunOrigin {
  kernel: KernelInfo;
  level: Level;
  positions: Positions;
}

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what the module wrote
export function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}

/** The result of a run that has ended; throws `KtirError` when it failed. */
export function readResult(
  object: GlueExecutable,
  { kernel, level, positions }: RunOrigin,
  status: number,
  milliseconds: number,
  into?: Record<string, TensorData>,
): RunResult {
  const findings = positions.translate(parse<Diagnostic[]>(object.findings()));
  const captured = readCaptured(object, positions);
  if (status === FAILED) {
    if (object.rejected()) throw failure('argument', findings, 'the arguments do not fit');
    throw failure('kernel', findings, 'the run failed', captured);
  }
  const outputs: Record<string, HostTensor> = {};
  for (const { name, dtype, shape, data } of object.outputs(into)) {
    const given = into?.[name];
    if (given && !fits(given, dtype, shape)) {
      throw new KtirError(
        `'into' has ${given.dtype}[${given.shape.join(', ')}] for '${name}'; expected ${dtype}[${shape.join(', ')}]`,
        'argument',
      );
    }
    outputs[name] = given instanceof HostTensor ? given : new HostTensor(dtype, shape, data);
  }
  return {
    kernel: kernel.name,
    level,
    outputs,
    findings,
    report: readReport(object.report(), positions),
    trace: parse<TraceEvent[]>(object.trace()),
    captured,
    milliseconds,
  };
}

function fits(tensor: TensorData, dtype: DType, shape: readonly number[]): boolean {
  return (
    tensor.dtype === dtype &&
    tensor.shape.length === shape.length &&
    tensor.shape.every((extent, i) => extent === shape[i])
  );
}

/** What was captured so far. */
export function readCaptured(object: GlueExecutable, positions: Positions): CapturedValue[] {
  return object.captured().map(({ info, tensor }: { info: string; tensor?: GlueTensor }) => {
    const value = parse<CapturedValue>(info);
    positions.translateRange(value.range);
    if (tensor) value.tensor = new HostTensor(tensor.dtype, tensor.shape, tensor.data);
    return value;
  });
}

function readReport(json: string, positions: Positions): Report {
  const report = parse<
    Omit<Report, 'scratchpadAtPeak'> & {
      scratchpadAtPeak: ({ op: string; bytes: number } & Partial<SourceRange>)[];
    }
  >(json);
  return {
    ...report,
    scratchpadAtPeak: report.scratchpadAtPeak.map(({ op, bytes, ...place }) => {
      const range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0, ...place };
      positions.translateRange(range);
      return { op, bytes, range };
    }),
  };
}

/** The error of arguments that could not be read; they have no place in a text. */
export function argumentError(json: string): KtirError {
  const diagnostics = parse<Diagnostic[]>(json);
  for (const diagnostic of diagnostics) {
    diagnostic.range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 };
  }
  return failure('argument', diagnostics, 'the arguments cannot be read');
}

/** The first of the errors as a `KtirError` that holds all. */
export function failure(
  code: KtirErrorCode,
  diagnostics: Diagnostic[],
  fallback: string,
  captured: CapturedValue[] = [],
): KtirError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : '';
  const message = first ? first.message + more : fallback;
  return new KtirError(message, code, diagnostics, undefined, captured);
}
