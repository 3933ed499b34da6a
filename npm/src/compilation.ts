/** Compiling and running: the objects behind the package's main functions. */

import type {
  Arguments,
  CompilationInfo,
  CompileOptions,
  Diagnostic,
  KernelInfo,
  Level,
  PrepareOptions,
  RunOptions,
  RunResult,
  StageInfo,
  StageValidation,
  ValidateOptions,
} from './api.js';
import { encodeArguments, fileReader } from './arguments.js';
import { describeKernel, Executable } from './executable.js';
import type { GlueCompilation } from './glue.js';
import { dispose, forgotten, Handle } from './handle.js';
import { getInstance, type Instance } from './instance.js';
import {
  checkSource,
  encodeCompileOptions,
  encodePrepareOptions,
  encodeValidateOptions,
  splitRunOptions,
} from './options.js';
import { Positions } from './positions.js';
import { parse } from './json.js';
import { argumentError } from './run-result.js';
import { runInSlices } from './slices.js';
import { Sources } from './sources.js';

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
   * with the first, in slices between which the event loop gets its turn.
   * Rejects with `KtirError` when the arguments cannot be read, and with the
   * signal's reason when it is cancelled.
   */
  async validate(
    kernel: string | undefined,
    args: Arguments,
    options?: ValidateOptions,
  ): Promise<StageValidation[]> {
    const optionsJson = encodeValidateOptions(kernel, options);
    const { json, headers, values, names } = encodeArguments(args);
    options?.signal?.throwIfAborted();
    const target = this.handle.call((object) =>
      object.validate(optionsJson, json, headers, values, fileReader(options?.files)),
    );
    const handle = new Handle(this.instance, target, 'validation');
    try {
      const unreadable = handle.call((object) => object.unreadable());
      if (unreadable !== '') throw argumentError(unreadable);
      const sources = new Sources(values, names);
      await runInSlices({
        advance: (milliseconds) =>
          handle.call((object) => {
            sources.check(); // each stage reads them again
            return object.advance(milliseconds);
          }),
        between: () => undefined,
        signal: options?.signal,
      });
      return parse<StageValidation[]>(handle.call((object) => object.stages()));
    } finally {
      handle.delete();
    }
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
