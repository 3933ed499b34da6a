/** The part of the package's public API that the page uses, in one place. */
export type {
  ArgumentInfo,
  Arguments,
  ArgumentValue,
  Diagnostic,
  DiagnosticNote,
  DType,
  InstanceReport,
  KernelInfo,
  Level,
  Progress,
  RemoteCompilation,
  RemoteCompiler,
  Report,
  RunOptions,
  RunResult,
  SourceRange,
  StageInfo,
  StageValidation,
  TensorSpec,
} from 'ktir';
export { HostTensor, KtirError } from 'ktir';
