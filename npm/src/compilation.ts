/** Compiling and running: the objects behind the package's main functions. */

import type {
  Arguments,
  CapturedValue,
  CompilationInfo,
  CompileOptions,
  Diagnostic,
  KernelInfo,
  LaunchOptions,
  Level,
  PrepareOptions,
  Report,
  RunOptions,
  RunResult,
  SourceRange,
  StageInfo,
  StageValidation,
  TraceEvent,
  ValidateOptions,
} from './api.js';
import { encodeArguments, fileReader } from './arguments.js';
import { KtirError, type KtirErrorCode } from './errors.js';
import type { GlueCompilation, GlueExecutable, GlueTensor } from './glue.js';
import { dispose, forgotten, Handle } from './handle.js';
import { getInstance, type Instance } from './instance.js';
import {
  checkSource,
  encodeCompileOptions,
  encodeLaunchOptions,
  encodePrepareOptions,
  encodeValidateOptions,
  splitRunOptions,
} from './options.js';
import { Positions } from './positions.js';
import { runInSlices } from './slices.js';
import { HostTensor } from './tensor.js';

/** One of the numbers that `advance` returns. */
const RUNNING = 0;
const FAILED = 2;

/** A stage of a compilation. */
export interface Stage extends StageInfo {
  /** The program as text, printed when first asked for. */
  readonly text: () => string;
}

/**
 * The outcome of compiling one text. It keeps the program of every stage in
 * the module's memory: call `delete` (or use `using`) when done with it.
 */
export class Compilation implements CompilationInfo {
  /** No error among the diagnostics and the requested level reached. */
  readonly ok: boolean;
  readonly diagnostics: Diagnostic[];
  readonly kernels: KernelInfo[];
  /** The stages that exist; when a pass failed, those before it. */
  readonly stages: Stage[];
  /** Level of the last stage. */
  readonly level: Level;
  /** Level of the text that was compiled. */
  readonly inputLevel: Level;

  private readonly handle: Handle<GlueCompilation>;

  /** Made by `compile`. */
  constructor(
    private readonly instance: Instance,
    target: GlueCompilation,
    private readonly positions: Positions,
  ) {
    const handle = new Handle(instance, target, 'compilation');
    this.handle = handle;
    const info = parse<CompilationInfo>(handle.call((object) => object.info()));
    this.ok = info.ok;
    this.diagnostics = positions.translate(info.diagnostics);
    for (const kernel of info.kernels) describeKernel(kernel, positions);
    this.kernels = info.kernels;
    this.level = info.level;
    this.inputLevel = info.inputLevel;
    this.stages = info.stages.map((stage, index) => {
      let text: string | undefined;
      return {
        ...stage,
        text: () => (text ??= handle.call((object) => object.stageText(index))),
      };
    });
    forgotten.register(
      this,
      () => {
        handle.delete();
      },
      this,
    );
  }

  /**
   * Decodes `kernel` (absent: the only one) for repeated runs. Throws
   * `KtirError` with the reasons when that is impossible.
   */
  prepare(kernel?: string, options?: PrepareOptions): Executable {
    const json = encodePrepareOptions(kernel, options);
    const target = this.handle.call((object) => object.prepare(json));
    return new Executable(this.instance, target, this.positions);
  }

  /** Runs `kernel` once; rejects with `KtirError` when the run fails. */
  async run(kernel: string | undefined, args: Arguments, options?: RunOptions): Promise<RunResult> {
    const [prepareOptions, launchOptions] = splitRunOptions(options);
    const executable = this.prepare(kernel, prepareOptions);
    try {
      return await executable.launch(args, launchOptions);
    } finally {
      executable.delete();
    }
  }

  /**
   * Runs every stage that can run on the same arguments and compares each
   * with the first. Does not yield to the event loop while it works.
   */
  async validate(
    kernel: string | undefined,
    args: Arguments,
    options?: ValidateOptions,
  ): Promise<StageValidation[]> {
    const optionsJson = encodeValidateOptions(kernel, options);
    const { json, values } = encodeArguments(args);
    const answer = this.handle.call((object) =>
      object.validate(optionsJson, json, values, fileReader(options?.files)),
    );
    if (answer.diagnostics !== undefined) throw argumentError(answer.diagnostics);
    return parse<StageValidation[]>(answer.stages ?? '[]');
  }

  /** Frees the programs of all stages. Executables made of it live on. */
  delete(): void {
    forgotten.unregister(this);
    this.handle.delete();
  }

  [dispose](): void {
    this.delete();
  }
}

/** A kernel decoded at one level, to be launched as often as wanted. */
export class Executable {
  readonly kernel: KernelInfo;
  readonly level: Level;

  private readonly handle: Handle<GlueExecutable>;
  private busy = false;

  /** Made by `Compilation.prepare`. */
  constructor(
    instance: Instance,
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
    const optionsJson = encodeLaunchOptions(options, this.positions);
    const { json, values } = encodeArguments(args);
    options.signal?.throwIfAborted();
    if (this.busy) {
      throw new KtirError(
        'this executable is running already; prepare another to run both at once',
        'argument',
      );
    }
    const start = performance.now();
    this.busy = true;
    try {
      const unreadable = this.handle.call((object) =>
        object.start(json, values, fileReader(options.files), optionsJson),
      );
      if (unreadable !== '') throw argumentError(unreadable);
      let status = RUNNING;
      await runInSlices({
        advance: (budget) => {
          status = this.handle.call((object) => object.advance(budget));
          return status === RUNNING;
        },
        between: () => {
          if (!options.onProgress) return;
          options.onProgress(
            this.handle.call((object) => ({ done: object.done(), total: object.total() })),
          );
        },
        signal: options.signal,
      });
      return this.result(status, performance.now() - start);
    } finally {
      this.busy = false;
      this.dropRun();
    }
  }

  /** Frees the executable; a run under way rejects. */
  delete(): void {
    forgotten.unregister(this);
    this.handle.delete();
  }

  [dispose](): void {
    this.delete();
  }

  private result(status: number, milliseconds: number): RunResult {
    return this.handle.call((object) => {
      const findings = this.positions.translate(parse<Diagnostic[]>(object.findings()));
      const captured = object.captured().map((value) => this.captured(value));
      if (status === FAILED) {
        if (object.rejected()) throw failure('argument', findings, 'the arguments do not fit');
        throw failure('kernel', findings, 'the run failed', captured);
      }
      const outputs: Record<string, HostTensor> = {};
      for (const { name, dtype, shape, data } of object.outputs()) {
        outputs[name] = new HostTensor(dtype, shape, data);
      }
      return {
        kernel: this.kernel.name,
        level: this.level,
        outputs,
        findings,
        report: this.report(object.report()),
        trace: parse<TraceEvent[]>(object.trace()),
        captured,
        milliseconds,
      };
    });
  }

  private report(json: string): Report {
    const report = parse<
      Omit<Report, 'scratchpadAtPeak'> & {
        scratchpadAtPeak: ({ op: string; bytes: number } & Partial<SourceRange>)[];
      }
    >(json);
    return {
      ...report,
      scratchpadAtPeak: report.scratchpadAtPeak.map(({ op, bytes, ...place }) => {
        const range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0, ...place };
        this.positions.translateRange(range);
        return { op, bytes, range };
      }),
    };
  }

  private captured({ info, tensor }: { info: string; tensor?: GlueTensor }): CapturedValue {
    const value = parse<CapturedValue>(info);
    this.positions.translateRange(value.range);
    if (tensor) value.tensor = new HostTensor(tensor.dtype, tensor.shape, tensor.data);
    return value;
  }

  /** Gives back the run's memory; a lost or deleted executable has none. */
  private dropRun(): void {
    try {
      this.handle.call((object) => {
        object.stop();
      });
    } catch (error) {
      if (!(error instanceof KtirError)) throw error;
    }
  }
}

/**
 * Parses, verifies, checks and lowers `source`. A text that does not compile is
 * no rejection: see `ok` and `diagnostics` of the result. Rejects with
 * `KtirError` when an option is wrong or the compiler cannot be loaded.
 */
export async function compile(source: string, options?: CompileOptions): Promise<Compilation> {
  checkSource(source);
  const json = encodeCompileOptions(options);
  const readFile = fileReader(options?.files);
  const instance = await getInstance();
  const target = instance.call((glue) => new glue.Compilation(source, json, readFile));
  return new Compilation(
    instance,
    target,
    new Positions(source, options?.fileName ?? 'kernel.mlir'),
  );
}

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what the module wrote
function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}

function describeKernel(kernel: KernelInfo, positions: Positions): void {
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

/** The error of arguments that could not be read; they have no place in a text. */
export function argumentError(json: string): KtirError {
  const diagnostics = parse<Diagnostic[]>(json);
  for (const diagnostic of diagnostics) {
    diagnostic.range = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 };
  }
  return failure('argument', diagnostics, 'the arguments cannot be read');
}

function failure(
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
