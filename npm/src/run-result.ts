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
import type { Instance } from './instance.js';
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
  instance: Instance;
  kernel: KernelInfo;
  level: Level;
  positions: Positions;
}

/** The error of a run that failed. */
export function throwFailure(
  object: GlueExecutable,
  { positions }: RunOrigin,
  { captures }: LaunchOptions,
): never {
  const findings = readFindings(object, positions);
  if (object.rejected()) throw failure('argument', findings, 'the arguments do not fit');
  const captured = captures ? readCaptured(object, positions) : [];
  throw failure('kernel', findings, 'the run failed', captured);
}

function readFindings(object: GlueExecutable, positions: Positions): Diagnostic[] {
  return positions.translate(parse<Diagnostic[]>(object.findings()));
}

interface UnreadOutput {
  name: string;
  index: number;
  bytes: number;
  into: Uint8Array;
  /** Bytes that are there. */
  done: number;
}

let lastHeaders: { text: string; outputs: GlueOutput[] } = { text: '[]', outputs: [] };

/** Most launches have the results of the one before. */
function readHeaders(text: string): readonly GlueOutput[] {
  if (text !== lastHeaders.text) lastHeaders = { text, outputs: parse<GlueOutput[]>(text) };
  return lastHeaders.outputs;
}

/** Takes the result of a run that has finished, large tensors in several slices. */
export class RunResultReader {
  private readonly outputs: Record<string, HostTensor> = {};
  private readonly unread: UnreadOutput[] = [];

  constructor(
    private readonly object: GlueExecutable,
    private readonly origin: RunOrigin,
    private readonly options: LaunchOptions,
  ) {
    const { into } = options;
    for (const [index, output] of readHeaders(object.outputHeaders()).entries()) {
      const { name, dtype, shape, bytes } = output;
      const given = into?.[name];
      if (into && !given) continue;
      if (given) checkFits(name, given, dtype, shape);
      const tensor =
        given instanceof HostTensor
          ? given
          : new HostTensor(dtype, shape, given?.data ?? new Uint8Array(bytes));
      this.outputs[name] = tensor;
      if (bytes > 0) this.unread.push({ name, index, bytes, into: tensor.data, done: 0 });
    }
  }

  /** Reads until the time `end`; false when all is there. */
  readUntil(end: number): boolean {
    for (let next = this.unread.at(-1); next; next = this.unread.at(-1)) {
      if (next.into.byteLength !== next.bytes) {
        throw new KtirError(
          `'into' of '${next.name}': its array was given to another thread, or resized, before all of the result was there; keep it as it is until the run ends`,
          'argument',
        );
      }
      next.done = this.object.readOutput(next.index, next.done, next.into);
      if (next.done >= next.bytes) this.unread.pop();
      else if (performance.now() >= end) return true;
    }
    return false;
  }

  /** Once all is there, of the run that the module still has. */
  result(milliseconds: number): RunResult {
    const { object, outputs } = this;
    const { instance, kernel, level, positions } = this.origin;
    const { trace, captures } = this.options;
    const report = lazyReport(instance, object, positions);
    return {
      kernel: kernel.name,
      level,
      outputs,
      findings: readFindings(object, positions),
      get report() {
        return report();
      },
      trace: trace === true ? parse<TraceEvent[]>(object.trace()) : [],
      captured: captures ? readCaptured(object, positions) : [],
      milliseconds,
    };
  }
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
