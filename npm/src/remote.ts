/** The client of a worker that holds the compiler. */

import type {
  Arguments,
  CapturedValue,
  CompilationId,
  CompileOptions,
  FormatResult,
  LanguageAnswers,
  LanguageOptions,
  LanguageQuestion,
  Position,
  Progress,
  RemoteCompilation,
  RemoteCompiler,
  RemoteLanguageService,
  RunOptions,
  RunResult,
  StageValidation,
  TensorData,
  TensorSpec,
  ValidateOptions,
} from './api.js';
import { KtirError } from './errors.js';
import { encodeValidateOptions, splitRunOptions } from './options.js';
import type { RpcCapturedValue, RpcMethod, RpcMethods, RpcRequest, RpcResponse } from './rpc.js';
import { HostTensor } from './tensor.js';

/** A browser's `Worker` or a `Worker` of `node:worker_threads`. */
export type WorkerLike = BrowserWorkerLike | NodeWorkerLike;

interface BrowserWorkerLike {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(
    type: 'error' | 'messageerror',
    listener: (event: { message?: string }) => void,
  ): void;
}

interface NodeWorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export interface ConnectOptions {
  /** Where `ktir.wasm` is, when not beside the worker's script. */
  wasm?: string | URL | ArrayBuffer | WebAssembly.Module;
}

interface Call {
  resolve(result: unknown): void;
  reject(reason: unknown): void;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * The compiler in `worker`, which runs the script `ktir/worker`. Calls reject
 * with `KtirError` as they would without a worker; when the worker itself
 * fails, every open and later call does.
 */
export function connectWorker(worker: WorkerLike, options: ConnectOptions = {}): RemoteCompiler {
  return new Client(worker, options);
}

class Client implements RemoteCompiler {
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;
  private failure: KtirError | undefined;

  constructor(
    private readonly worker: WorkerLike,
    { wasm }: ConnectOptions,
  ) {
    if ('addEventListener' in worker) {
      worker.addEventListener('message', (event) => {
        this.receive(event.data as RpcResponse);
      });
      worker.addEventListener('error', (event) => {
        this.fail(event.message ?? 'its script cannot be loaded');
      });
      worker.addEventListener('messageerror', () => {
        this.fail('a message cannot be read');
      });
    } else {
      worker.on('message', (message) => {
        this.receive(message as RpcResponse);
      });
      worker.on('error', (error) => {
        this.fail(error instanceof Error ? error.message : String(error));
      });
      worker.on('exit', (code) => {
        this.fail(`it ended with code ${String(code)}`);
      });
    }
    if (wasm !== undefined) this.post({ wasm: absolute(wasm) });
  }

  compile(source: string, options: CompileOptions = {}): Promise<RemoteCompilation> {
    return this.call('compile', [source, options]);
  }

  format(source: string): Promise<FormatResult> {
    return this.call('format', [source]);
  }

  async createLanguageService(options: LanguageOptions = {}): Promise<RemoteLanguageService> {
    const service = await this.call('languageOpen', [options]);
    const ask = <Q extends LanguageQuestion>(question: Q, position?: Position) =>
      this.call('languageAsk', [service, question, position]) as Promise<LanguageAnswers[Q]>;
    return {
      update: (text) => this.call('languageUpdate', [service, text]),
      hover: (position) => ask('hover', position),
      definition: (position) => ask('definition', position),
      references: (position) => ask('references', position),
      symbols: () => ask('symbols'),
      completion: (position) => ask('completion', position),
      tokens: () => ask('tokens'),
      delete: async () => {
        await this.call('languageClose', [service]);
      },
    };
  }

  stageText(id: CompilationId, stage: number): Promise<string> {
    return this.call('stageText', [id, stage]);
  }

  async run(
    id: CompilationId,
    kernel: string | undefined,
    args: Arguments,
    options: RunOptions = {},
  ): Promise<RunResult> {
    // Also refuses what is no option, before `signal` is taken out.
    splitRunOptions(options);
    const { signal, onProgress, ...plain } = options;
    const { outputs, captured, ...rest } = await this.cancellable(
      signal,
      'run',
      [id, kernel ?? '', args, { ...plain, progress: onProgress !== undefined }],
      onProgress,
    );
    return {
      ...rest,
      outputs: Object.fromEntries(
        Object.entries(outputs).map(([name, data]) => [name, toHostTensor(data)]),
      ),
      captured: captured.map(toCapturedValue),
    };
  }

  async validate(
    id: CompilationId,
    kernel: string | undefined,
    args: Arguments,
    options: ValidateOptions = {},
  ): Promise<StageValidation[]> {
    encodeValidateOptions(kernel, options);
    const { signal, ...plain } = options;
    return this.cancellable(signal, 'validate', [id, kernel ?? '', args, plain]);
  }

  async release(id: CompilationId): Promise<void> {
    await this.call('release', [id]);
  }

  async generate(spec: TensorSpec, files: Record<string, Uint8Array> = {}): Promise<HostTensor> {
    return toHostTensor(await this.call('generate', [spec, files]));
  }

  async readNpy(bytes: Uint8Array): Promise<HostTensor> {
    return toHostTensor(await this.call('readNpy', [bytes]));
  }

  writeNpy(tensor: TensorData): Promise<Uint8Array> {
    return this.call('writeNpy', [tensor]);
  }

  version(): Promise<string> {
    return this.call('version', []);
  }

  close(): void {
    this.fail('it has been closed');
    void this.worker.terminate();
  }

  /** A call that `signal` ends. */
  private async cancellable<M extends RpcMethod>(
    signal: AbortSignal | undefined,
    method: M,
    params: RpcMethods[M]['params'],
    onProgress?: (progress: Progress) => void,
  ): Promise<RpcMethods[M]['result']> {
    signal?.throwIfAborted();
    let cancel: () => void = () => undefined;
    const result = this.call(
      method,
      params,
      (call) => {
        cancel = () => {
          this.stop(call, signal?.reason);
        };
      },
      onProgress,
    );
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  private call<M extends RpcMethod>(
    method: M,
    params: RpcMethods[M]['params'],
    onStart?: (call: number) => void,
    onProgress?: (progress: Progress) => void,
  ): Promise<RpcMethods[M]['result']> {
    return new Promise((resolve, reject) => {
      if (this.failure) {
        reject(this.failure);
        return;
      }
      const call = ++this.lastCall;
      this.calls.set(call, {
        resolve: resolve,
        reject,
        onProgress,
      });
      try {
        this.post({ call, method, params } as RpcRequest);
      } catch (error) {
        this.calls.delete(call);
        const message = error instanceof Error ? error.message : String(error);
        reject(new KtirError(`cannot send this to the worker: ${message}`, 'argument'));
        return;
      }
      onStart?.(call);
    });
  }

  private post(request: RpcRequest): void {
    this.worker.postMessage(request);
  }

  private receive(response: RpcResponse): void {
    const call = this.calls.get(response.call);
    // Answers to cancelled calls find nobody.
    if (!call) return;
    if ('progress' in response) {
      try {
        call.onProgress?.(response.progress);
      } catch (error) {
        // As without a worker: what the callback throws ends its run.
        this.stop(response.call, error);
      }
      return;
    }
    this.calls.delete(response.call);
    if ('error' in response) {
      const { message, code, diagnostics, captured } = response.error;
      call.reject(
        new KtirError(message, code, diagnostics, undefined, captured.map(toCapturedValue)),
      );
    } else {
      call.resolve(response.result);
    }
  }

  /** Ends an open run, which rejects with `reason`. */
  private stop(id: number, reason: unknown): void {
    const call = this.calls.get(id);
    if (!call) return;
    this.calls.delete(id);
    this.post({ cancel: id });
    call.reject(reason);
  }

  private fail(reason: string): void {
    this.failure ??= new KtirError(`the worker cannot be used: ${reason}`, 'crashed');
    const open = [...this.calls.values()];
    this.calls.clear();
    for (const call of open) call.reject(this.failure);
  }
}

/** An address as the page means it; the worker would resolve it against its script. */
function absolute(
  wasm: NonNullable<ConnectOptions['wasm']>,
): string | ArrayBuffer | WebAssembly.Module {
  if (wasm instanceof URL) return wasm.href;
  if (typeof wasm !== 'string' || typeof document === 'undefined') return wasm;
  return new URL(wasm, document.baseURI).href;
}

function toCapturedValue({ tensor, ...value }: RpcCapturedValue): CapturedValue {
  return tensor ? { ...value, tensor: toHostTensor(tensor) } : value;
}

function toHostTensor({ dtype, shape, data }: TensorData): HostTensor {
  return new HostTensor(dtype, shape, data);
}
