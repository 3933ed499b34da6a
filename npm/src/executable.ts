/** Kernels made ready to run. */

import type {
  Arguments,
  Diagnostic,
  KernelInfo,
  LaunchOptions,
  Level,
  RunResult,
  TensorData,
} from './api.js';
import { encodeArguments, fileReader } from './arguments.js';
import { KtirError } from './errors.js';
import type { GlueExecutable } from './glue.js';
import { dispose, forgotten, Handle } from './handle.js';
import type { Instance } from './instance.js';
import { encodeLaunchOptions, isObject } from './options.js';
import type { Positions } from './positions.js';
import { parse } from './json.js';
import { argumentError, checkFits, failure } from './run-result.js';
import { Sources } from './sources.js';
import { SteppedRun } from './stepped-run.js';

/** A kernel decoded at one level, to be launched as often as wanted. */
export class Executable {
  readonly kernel: KernelInfo;
  readonly level: Level;

  private readonly handle: Handle<GlueExecutable>;
  private busy = false;

  /** Made by `Compilation.prepare`. */
  constructor(
    private readonly instance: Instance,
    target: GlueExecutable,
    private readonly positions: Positions,
  ) {
    const handle = new Handle(instance, target, 'executable');
    this.handle = handle;
    const info = parse<
      { diagnostics: Diagnostic[] } & (
        { valid: false } | { valid: true; kernel: KernelInfo; level: Level }
      )
    >(handle.call((object) => object.info()));
    if (!info.valid) {
      handle.delete();
      throw failure('kernel', positions.translate(info.diagnostics), 'the kernel cannot run');
    }
    describeKernel(info.kernel, positions);
    this.kernel = info.kernel;
    this.level = info.level;
    forgotten.register(
      this,
      () => {
        handle.delete();
      },
      this,
    );
  }

  /**
   * Runs once, in slices between which the event loop gets its turn. Rejects
   * with `KtirError` when the arguments do not fit or the run fails, and with
   * the signal's reason when it is cancelled. One run at a time.
   */
  async launch(args: Arguments, options: LaunchOptions = {}): Promise<RunResult> {
    const run = this.begin(args, options);
    try {
      return await run.finish();
    } finally {
      run.delete();
    }
  }

  /**
   * Begins a run that goes on only as far as it is told, operation by
   * operation. Throws `KtirError` when the arguments cannot be read, and the
   * signal's reason when it is aborted; arguments that do not fit the kernel
   * end the run at its first step. One run at a time, until it is deleted.
   */
  begin(args: Arguments, options: LaunchOptions = {}): SteppedRun {
    const optionsJson = encodeLaunchOptions(options, this.positions);
    const { json, headers, values, names } = encodeArguments(args);
    for (const [name, taker] of Object.entries(options.into ?? {})) checkTaker(name, taker, args);
    options.signal?.throwIfAborted();
    if (this.busy) {
      throw new KtirError(
        'this executable is running already; prepare another to run both at once',
        'argument',
      );
    }
    const unreadable = this.handle.call((object) =>
      object.start(json, headers, values, fileReader(options.files), optionsJson),
    );
    if (unreadable !== '') throw argumentError(unreadable);
    this.busy = true;
    const { instance, kernel, level, positions } = this;
    const sources = new Sources(values, names);
    return new SteppedRun(
      this.handle,
      { instance, kernel, level, positions },
      sources,
      options,
      () => {
        this.busy = false;
      },
    );
  }

  /** Frees the executable; a run under way rejects. */
  delete(): void {
    forgotten.unregister(this);
    this.handle.delete();
  }

  [dispose](): void {
    this.delete();
  }
}

/** Checks before a run that a tensor of `into` can take the result `name`. */
function checkTaker(name: string, taker: TensorData, args: Arguments): void {
  if (!Object.prototype.hasOwnProperty.call(args, name)) {
    throw new KtirError(`'into' names '${name}', which is no argument of this run`, 'argument');
  }
  let value: unknown = args[name];
  if (isObject(value) && 'tensor' in value) value = value.tensor;
  if (!isObject(value)) {
    throw new KtirError(`'into' names '${name}', which is no tensor of this run`, 'argument');
  }
  // A file says itself what it holds.
  const shape = Array.isArray(value.shape) ? (value.shape as number[]) : taker.shape;
  checkFits(name, taker, value.dtype ?? taker.dtype, shape);
}

/** Adds the signature in words and translates the place. */
export function describeKernel(kernel: KernelInfo, positions: Positions): void {
  positions.translateRange(kernel.range);
  const args = kernel.arguments.map((argument) => {
    if (argument.role !== 'tensor' || argument.dtype === '') {
      return `${argument.name}: ${argument.type}`;
    }
    const extents = argument.shape.map((extent) => (extent < 0 ? '?' : String(extent)));
    return `${argument.name}: ${argument.dtype}[${extents.join(', ')}]`;
  });
  kernel.signature = `${kernel.name}(${args.join(', ')})`;
}
