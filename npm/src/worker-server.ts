/** The worker's side of the protocol, free of how messages travel. */

import type { CapturedValue, CompilationId, RemoteCompilation, TensorData } from './api.js';
import { compile, type Compilation } from './compilation.js';
import { KtirError } from './errors.js';
import { configure } from './instance.js';
import { createLanguageService, type LanguageService } from './language.js';
import { describe } from './options.js';
import type {
  RpcCapturedValue,
  RpcError,
  RpcMethod,
  RpcMethods,
  RpcRequest,
  RpcResponse,
  RpcRunResult,
} from './rpc.js';
import type { HostTensor } from './tensor.js';
import { format, generate, readNpy, version, writeNpy } from './tools.js';

type Post = (response: RpcResponse, transfer: ArrayBuffer[]) => void;

type Methods = {
  [M in RpcMethod]: (
    call: number,
    ...params: RpcMethods[M]['params']
  ) => Promise<RpcMethods[M]['result']>;
};

export class WorkerServer {
  private readonly compilations = new Map<CompilationId, Compilation>();
  private readonly services = new Map<number, LanguageService>();
  private readonly running = new Map<number, AbortController>();
  private lastId = 0;

  constructor(private readonly post: Post) {}

  /** Handles one message of the client. */
  receive(request: RpcRequest): void {
    if ('wasm' in request) {
      configure({ wasm: request.wasm });
    } else if ('cancel' in request) {
      this.running.get(request.cancel)?.abort();
    } else {
      void this.answer(request.call, request.method, request.params);
    }
  }

  private async answer(call: number, name: RpcMethod, params: unknown[]): Promise<void> {
    try {
      if (!Object.prototype.hasOwnProperty.call(this.methods, name)) {
        throw new KtirError(`unknown method ${describe(name)}`, 'argument');
      }
      const method = this.methods[name] as (call: number, ...rest: unknown[]) => Promise<unknown>;
      const result = await method(call, ...params);
      this.post({ call, result }, buffersOf(result));
    } catch (error) {
      this.post({ call, error: encodeError(error) }, []);
    }
  }

  private readonly methods: Methods = {
    compile: async (_call, source, options) => {
      const compilation = await compile(source, options);
      const id = ++this.lastId;
      this.compilations.set(id, compilation);
      const { ok, diagnostics, kernels, level, inputLevel } = compilation;
      const plain: RemoteCompilation = {
        id,
        ok,
        diagnostics,
        kernels,
        stages: compilation.stages.map(({ text: _, ...stage }) => stage),
        level,
        inputLevel,
      };
      return plain;
    },

    format: async (_call, source) => format(source),

    languageOpen: async (_call, options) => {
      const service = await createLanguageService(options);
      const id = ++this.lastId;
      this.services.set(id, service);
      return id;
    },
    languageUpdate: async (_call, id, text) => this.findService(id).update(text),
    languageAsk: async (_call, id, question, position) =>
      this.findService(id).ask(question, position),
    languageClose: async (_call, id) => {
      this.findService(id).delete();
      this.services.delete(id);
      return null;
    },

    stageText: async (_call, id, stage) => {
      const { stages } = this.find(id);
      const found = stages[stage];
      if (!found) {
        throw new KtirError(
          `expected a stage from 0 to ${String(stages.length - 1)}, found ${describe(stage)}`,
          'argument',
        );
      }
      return found.text();
    },

    run: (call, id, kernel, args, { progress, ...options }) =>
      this.cancellable(call, async (signal) => {
        const { outputs, captured, ...rest } = await this.find(id).run(kernel, args, {
          ...options,
          signal,
          ...(progress && {
            onProgress: (value) => {
              this.post({ call, progress: value }, []);
            },
          }),
        });
        const plain: RpcRunResult = {
          ...rest,
          outputs: Object.fromEntries(
            Object.entries(outputs).map(([name, tensor]) => [name, toData(tensor)]),
          ),
          captured: captured.map(toPlain),
        };
        return plain;
      }),

    validate: (call, id, kernel, args, options) =>
      this.cancellable(call, (signal) =>
        this.find(id).validate(kernel, args, { ...options, signal }),
      ),

    release: async (_call, id) => {
      this.find(id).delete();
      this.compilations.delete(id);
      return null;
    },

    generate: async (_call, spec, files) => toData(await generate(spec, files)),
    readNpy: async (_call, bytes) => toData(await readNpy(bytes)),
    writeNpy: async (_call, tensor) => writeNpy(tensor),
    version: async () => version(),
  };

  /** Work that a message of the client may end. */
  private async cancellable<R>(
    call: number,
    work: (signal: AbortSignal) => Promise<R>,
  ): Promise<R> {
    const controller = new AbortController();
    this.running.set(call, controller);
    try {
      return await work(controller.signal);
    } finally {
      this.running.delete(call);
    }
  }

  private findService(id: number): LanguageService {
    const service = this.services.get(id);
    if (!service) throw new KtirError('this language service has been deleted', 'deleted');
    return service;
  }

  private find(id: CompilationId): Compilation {
    const compilation = this.compilations.get(id);
    if (!compilation) {
      throw new KtirError(`compilation ${describe(id)} has been released`, 'deleted');
    }
    return compilation;
  }
}

function toData({ dtype, shape, data }: HostTensor): TensorData {
  return { dtype, shape, data };
}

function toPlain({ tensor, ...value }: CapturedValue): RpcCapturedValue {
  return tensor ? { ...value, tensor: toData(tensor) } : value;
}

/** Buffers that a result owns alone, to be moved instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
  };
  if (typeof result === 'object' && result !== null) {
    visit(result);
    if ('data' in result) visit(result.data);
    if ('outputs' in result) {
      for (const tensor of Object.values(result.outputs as Record<string, TensorData>)) {
        visit(tensor.data);
      }
    }
    if ('captured' in result) {
      for (const { tensor } of result.captured as { tensor?: TensorData }[]) visit(tensor?.data);
    }
  }
  return [...buffers];
}

function encodeError(error: unknown): RpcError {
  if (error instanceof KtirError) {
    const { message, code, diagnostics, captured } = error;
    return { message, code, diagnostics: [...diagnostics], captured: captured.map(toPlain) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: 'crashed', diagnostics: [], captured: [] };
}
