/**
 * Messages between a page (or a Node thread) and the worker that holds the
 * compiler. One request has one response with the same `call`; a `run` may be
 * preceded by any number of progress messages, and ended early by a cancel.
 */

import type {
  Arguments,
  CapturedValue,
  CompilationId,
  CompileOptions,
  Diagnostic,
  FormatResult,
  LanguageAnswers,
  LanguageOptions,
  LanguageQuestion,
  Position,
  Progress,
  RemoteCompilation,
  Report,
  RunOptions,
  RunResult,
  StageValidation,
  TensorData,
  TensorSpec,
  TraceEvent,
  ValidateOptions,
} from './api.js';
import type { KtirErrorCode } from './errors.js';

/** `RunOptions` without what cannot be cloned, and whether progress is wanted. */
export interface RpcRunOptions extends Omit<RunOptions, 'signal' | 'onProgress'> {
  progress: boolean;
}

export interface RpcCapturedValue extends Omit<CapturedValue, 'tensor'> {
  tensor?: TensorData;
}

/** `RunResult` with its tensors as plain data. */
export interface RpcRunResult extends Omit<RunResult, 'outputs' | 'captured'> {
  outputs: Record<string, TensorData>;
  captured: RpcCapturedValue[];
  report: Report;
  trace: TraceEvent[];
}

/** Parameters and result of every method. */
export interface RpcMethods {
  compile: { params: [source: string, options: CompileOptions]; result: RemoteCompilation };
  format: { params: [source: string]; result: FormatResult };
  languageOpen: { params: [options: LanguageOptions]; result: number };
  languageUpdate: { params: [service: number, text: string]; result: Diagnostic[] };
  languageAsk: {
    params: [service: number, question: LanguageQuestion, position: Position | undefined];
    result: LanguageAnswers[LanguageQuestion];
  };
  languageClose: { params: [service: number]; result: null };
  stageText: { params: [id: CompilationId, stage: number]; result: string };
  run: {
    params: [id: CompilationId, kernel: string, args: Arguments, options: RpcRunOptions];
    result: RpcRunResult;
  };
  validate: {
    params: [id: CompilationId, kernel: string, args: Arguments, options: ValidateOptions];
    result: StageValidation[];
  };
  release: { params: [id: CompilationId]; result: null };
  generate: { params: [spec: TensorSpec, files: Record<string, Uint8Array>]; result: TensorData };
  readNpy: { params: [bytes: Uint8Array]; result: TensorData };
  writeNpy: { params: [tensor: TensorData]; result: Uint8Array };
  version: { params: []; result: string };
}

export type RpcMethod = keyof RpcMethods;

export type RpcRequest =
  | { [M in RpcMethod]: { call: number; method: M; params: RpcMethods[M]['params'] } }[RpcMethod]
  /** Tells the worker where the wasm file is, before the first call. */
  | { wasm: string | ArrayBuffer | WebAssembly.Module }
  | { cancel: number };

export interface RpcError {
  message: string;
  code: KtirErrorCode;
  diagnostics: Diagnostic[];
  captured: RpcCapturedValue[];
}

export type RpcResponse =
  | { call: number; result: unknown }
  | { call: number; error: RpcError }
  | { call: number; progress: Progress };
