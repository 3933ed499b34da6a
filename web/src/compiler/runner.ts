import type {
  Arguments,
  CapturedValue,
  CaptureRequest,
  HostTensor,
  Level,
  Progress,
  RemoteCompilation,
  RemoteCompiler,
  RunOptions,
  RunResult,
  StageValidation,
} from './api.ts';
import { KtirError } from './api.ts';
import type { RunChoices, RunLevel } from '../model/workspace.ts';
import { compareOutputs, type Comparison } from './compare.ts';

/** How long a cancelled run may take to stop before its worker is ended. */
const cancelPatience = 1500;

/** A kernel with everything that a run of it needs. */
export interface RunRequest {
  source: string;
  device: string;
  kernel: string;
  args: Arguments;
  files: Record<string, Uint8Array>;
  options: RunChoices;
}

export interface RunOutcome {
  result: RunResult;
  /** The run at the other level, when it was asked for. */
  other?: { level: RunLevel; comparison: Comparison } | { level: RunLevel; failure: string };
}

/** `phase` names what is being run: a level. */
export interface RunProgress extends Progress {
  phase: string;
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Runs kernels in a worker of its own, so that checking goes on while a run
 * is busy. One run at a time; a cancelled run always ends.
 */
export class Runner {
  #client: RemoteCompiler | undefined;
  #compiled: { key: string; compilation: RemoteCompilation } | undefined;

  constructor(private readonly connect: () => RemoteCompiler) {}

  /** Runs, and compares with the other level if asked to. Rejects with `Cancelled` or `KtirError`. */
  async run(
    request: RunRequest,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void,
  ): Promise<RunOutcome> {
    return this.#guard(signal, async () => {
      const { options } = request;
      const compilation = await this.#compile(request.source, request.device);
      const result = await this.#runLevel(compilation, request, options.level, signal, onProgress);
      if (!options.compare) return { result };
      const level: RunLevel = options.level === 'ktir' ? 'dataflow' : 'ktir';
      try {
        const other = await this.#runLevel(compilation, request, level, signal, onProgress);
        return {
          result,
          other: { level, comparison: compareOutputs(result.outputs, other.outputs) },
        };
      } catch (error) {
        if (signal.aborted || !(error instanceof KtirError)) throw error;
        return { result, other: { level, failure: error.message } };
      }
    });
  }

  /**
   * Runs at `level`, that of the program's text, and gives the value that
   * `asked` names; of a run that fails as far as it came. Rejects as `run`
   * does.
   */
  async capture(
    request: RunRequest,
    level: RunLevel,
    asked: CaptureRequest,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void,
  ): Promise<CapturedValue | undefined> {
    return this.#guard(signal, async () => {
      const compilation = await this.#compile(request.source, request.device);
      try {
        const result = await this.#runLevel(compilation, request, level, signal, onProgress, [
          asked,
        ]);
        return result.captured[0];
      } catch (error) {
        const [value] = error instanceof KtirError ? error.captured : [];
        if (value) return value;
        throw error;
      }
    });
  }

  /** Runs every stage on the same arguments and compares each with the first. */
  async validate(request: RunRequest, signal: AbortSignal): Promise<StageValidation[]> {
    return this.#guard(signal, async () => {
      const compilation = await this.#compile(request.source, request.device);
      const { numerics, checks, policy, interleaving, channelDepth } = request.options;
      return this.#worker().validate(compilation.id, request.kernel, request.args, {
        numerics,
        checks,
        policy,
        ...(interleaving === undefined ? {} : { interleaving }),
        ...(channelDepth === undefined ? {} : { channelDepth }),
        files: request.files,
      });
    });
  }

  /** Reads a `.npy` file. Rejects with `KtirError`. */
  readNpy(bytes: Uint8Array): Promise<HostTensor> {
    return this.#worker().readNpy(bytes);
  }

  async #compile(source: string, device: string): Promise<RemoteCompilation> {
    const key = JSON.stringify([source, device]);
    if (this.#compiled?.key === key) return this.#compiled.compilation;
    const client = this.#worker();
    const previous = this.#compiled;
    this.#compiled = undefined;
    if (previous) void client.release(previous.compilation.id).catch(() => undefined);
    const compilation = await client.compile(source, device ? { device } : {});
    this.#compiled = { key, compilation };
    return compilation;
  }

  #runLevel(
    compilation: RemoteCompilation,
    request: RunRequest,
    level: Level,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void,
    captures: readonly CaptureRequest[] = [],
  ): Promise<RunResult> {
    const { numerics, checks, policy, interleaving, channelDepth } = request.options;
    const options: RunOptions = {
      level,
      numerics,
      checks,
      policy,
      captures,
      files: request.files,
      signal,
      onProgress: (progress) => onProgress({ ...progress, phase: level }),
    };
    if (interleaving !== undefined) options.interleaving = interleaving;
    if (channelDepth !== undefined && level === 'dataflow') options.channelDepth = channelDepth;
    onProgress({ done: 0, total: 0, phase: level });
    return this.#worker().run(compilation.id, request.kernel, request.args, options);
  }

  /**
   * A cancel takes effect at once. The worker stops between two slices of a
   * run; one that does not answer soon is ended.
   */
  async #guard<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const cancelled = new Promise<never>((_resolve, reject) => {
      const stop = (): void => reject(new Cancelled());
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work(), cancelled]);
    } catch (error) {
      if (signal.aborted) {
        void this.#endIfStuck();
        throw new Cancelled();
      }
      const isAnswer =
        error instanceof KtirError && (error.code === 'kernel' || error.code === 'argument');
      if (!isAnswer) this.#discardWorker();
      throw error;
    }
  }

  async #endIfStuck(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const timeout = new Promise<boolean>((resolve) => {
      window.setTimeout(() => resolve(false), cancelPatience);
    });
    const answers = client.version().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([answers, timeout])) && this.#client === client) {
      this.#discardWorker();
    }
  }

  #worker(): RemoteCompiler {
    this.#client ??= this.connect();
    return this.#client;
  }

  #discardWorker(): void {
    this.#client?.close();
    this.#client = undefined;
    this.#compiled = undefined;
  }
}
