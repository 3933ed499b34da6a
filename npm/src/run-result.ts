/** Reads what a run left in the module: results, reports, values, errors. */

import type {
  CapturedValue,
  Diagnostic,
  KernelInfo,
  LaunchOptions,
  Level,
  RunResult,
  TensorData,
  TraceEvent,
} from './api.js';
import { KtirError, type KtirErrorCode } from './errors.js';
import type { GlueExecutable, GlueOutput, GlueTensor } from './glue.js';
import { parse } from './json.js';
import type { Positions } from './positions.js';
import { lazyReport } from './report.js';
import { hostData } from './arguments.js';
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

/** The result of a run that has ended; throws `KtirError` when it failed. */
export function readResult(
  object: GlueExecutable,
  { kernel, level, positions }: RunOrigin,
  status: number,
  milliseconds: number,
  { into, trace, captures }: LaunchOptions,
): RunResult {
  const findings = positions.translate(parse<Diagnostic[]>(object.findings()));
  const captured = captures ? readCaptured(object, positions) : [];
  if (status === FAILED) {
    if (object.rejected()) throw failure('argument', findings, 'the arguments do not fit');
    throw failure('kernel', findings, 'the run failed', captured);
  }
  const outputs: Record<string, HostTensor> = {};
  for (const [index, output] of parse<GlueOutput[]>(object.outputHeaders()).entries()) {
    const { name, dtype, shape, bytes } = output;
    const given = into?.[name];
    if (into && !given) continue;
    if (given) checkFits(name, given, dtype, shape);
    const tensor =
      given instanceof HostTensor
        ? given
        : new HostTensor(dtype, shape, given?.data ?? new Uint8Array(bytes));
    object.readOutput(index, tensor.data);
    outputs[name] = tensor;
  }
  const report = lazyReport(object, positions);
  return {
    kernel: kernel.name,
    level,
    outputs,
    findings,
    get report() {
      return report();
    },
    trace: trace === true ? parse<TraceEvent[]>(object.trace()) : [],
    captured,
    milliseconds,
  };
}

/** Throws when a tensor of `into` cannot take the result `name`. */
export function checkFits(
  name: string,
  taker: TensorData,
  dtype: unknown,
  shape: readonly number[],
): void {
  const { length } = shape;
  if (
    taker.dtype !== dtype ||
    taker.shape.length !== length ||
    !taker.shape.every((extent, i) => extent === shape[i])
  ) {
    throw new KtirError(
      `'into' has ${taker.dtype}[${taker.shape.join(', ')}] for '${name}'; expected ${String(dtype)}[${shape.join(', ')}]`,
      'argument',
    );
  }
  try {
    // One that was given to another thread has no bytes any more.
    hostData(taker);
  } catch (error) {
    if (!(error instanceof KtirError)) throw error;
    throw new KtirError(`'into' of '${name}': ${error.message}`, 'argument');
  }
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
