/**
 * Types of the package's public API. Plain data only: everything here crosses
 * a worker boundary unchanged, except callbacks and signals, which the remote
 * client keeps on its own side.
 */

import type { HostTensor } from './tensor.js';

/** Languages that a program can be printed in, in lowering order. */
export type Level = 'ktir' | 'schedule' | 'units' | 'dataflow' | 'container';

export type Severity = 'error' | 'warning' | 'note';

/**
 * Half-open range in a text. Lines and columns count from 1, columns in UTF-16
 * code units (as editors and JavaScript strings do); the end is one past the
 * last unit. `line` 0 means that there is no position.
 */
export interface SourceRange {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface DiagnosticNote {
  range: SourceRange;
  message: string;
}

/** A replacement of the text of a range. */
export interface TextEdit {
  range: SourceRange;
  text: string;
}

/** One finding of the parser, a verifier, a pass or a run. */
export interface Diagnostic {
  severity: Severity;
  range: SourceRange;
  message: string;
  /** Id of the language rule that it states (`MV-1`), empty where there is none. */
  rule: string;
  notes: DiagnosticNote[];
  /** Replacements that do away with what was found, where it is known how. */
  edits: TextEdit[];
}

/** What `format` gives. */
export interface FormatResult {
  /** The text in canonical strict form; absent when it has an error. */
  text?: string;
  /** The errors that keep the text from being formatted. */
  diagnostics: Diagnostic[];
}

/** Element types of host tensors. */
export type DType =
  | 'i1'
  | 'i8'
  | 'si8'
  | 'i16'
  | 'si16'
  | 'i32'
  | 'si32'
  | 'i64'
  | 'si64'
  | 'index'
  | 'f16'
  | 'bf16'
  | 'f32'
  | 'f64';

export interface ArgumentInfo {
  /** Without the `%`. */
  name: string;
  /** As printed: `index`, `i32`, `f16`; of a runtime argument, of its value. */
  type: string;
  /**
   * A runtime argument: its value is a multiple of `granularity` and at most
   * `upperbound`, where these are stated.
   */
  isRuntimeArgument: boolean;
  granularity?: number;
  upperbound?: number;
  /**
   * `tensor`: the base of a memory view; in DataflowIR any address, then
   * without `dtype` and `shape`.
   */
  role: 'tensor' | 'scalar' | 'unused';
  /**
   * Tensors: element type of the view; else empty. One that is no `DType` is given as
   * integers with its bits, `i4` as `i8`.
   */
  dtype: DType | '';
  /** Tensors: extents of the view, -1 where dynamic; else empty. */
  shape: number[];
  /** Tensors: in elements, -1 where dynamic; else empty. */
  strides: number[];
  /** Tensors: elements that the view spans from its base, 0 when dynamic. */
  span: number;
  /**
   * Tensors: a bound tensor must have exactly `shape`. Otherwise it is the
   * memory itself and must hold at least `span` elements.
   */
  exactShape: boolean;
  access: 'none' | 'read' | 'write' | 'readwrite';
}

export interface KernelInfo {
  name: string;
  grid: number[];
  arguments: ArgumentInfo[];
  /** The signature as text: `add(x: f16[64, 128], y: f16[64, 128], n: i32)`. */
  signature: string;
  range: SourceRange;
}

/** The program after one pass. */
export interface StageInfo {
  /** The pass's command-line name; `input` for the first stage. */
  name: string;
  level: Level;
  /** False when the pass left the program as it was. */
  changed: boolean;
  milliseconds: number;
  /** True when the pass changed the order in which a sum is formed. */
  reassociates: boolean;
  /** Operation name and how often it occurs, most frequent first. */
  opCounts: [name: string, count: number][];
}

export interface CompileOptions {
  /** Shown in diagnostics. Default `kernel.mlir`. */
  fileName?: string;
  /** How far to lower. Default `dataflow`; `ktir` checks what `ktir check` does. */
  to?: Level;
  /**
   * Name of the last pass to run, instead of as many as `to` needs.
   */
  stopAfter?: string;
  /** Name of the only kernel to lower, without others of the text that it does not need. */
  kernel?: string;
  /** Text of a module with one `ktdf_arch.device`. Default: the built-in Spyre. */
  device?: string;
  /** What `source` calls `device` where it imports it. Default `device.mlir`. */
  deviceName?: string;
  /** The files that `source` imports devices from, by path. */
  files?: Record<string, Uint8Array>;
  /** Refuse legacy and lenient forms instead of warning about them. */
  strict?: boolean;
}

/** What compiling a text gave, as plain data. */
export interface CompilationInfo {
  /** No error among the diagnostics and the requested level reached. */
  ok: boolean;
  diagnostics: Diagnostic[];
  kernels: KernelInfo[];
  /** The stages that exist; when a pass failed, those before it. */
  stages: StageInfo[];
  /** Level of the last stage. */
  level: Level;
  /** Level of the text that was compiled. */
  inputLevel: Level;
}

/** A tensor as plain data: row-major, little-endian, `i1` one byte. */
export interface TensorData {
  dtype: DType;
  shape: readonly number[];
  data: Uint8Array;
}

/** Where a tensor is put that is bound to no argument. */
export interface PlacementSpec {
  /** Element address. */
  at?: number | bigint;
  /** `ct_local`: in the scratchpad of `tile`. Default: device memory. */
  space?: 'ct_local';
  /** Default 0; only with `space`. */
  tile?: number | bigint;
}

/** A tensor read from a `.npy` file, which `RunOptions.files` holds by name. */
export interface NpySpec extends PlacementSpec {
  npy: string;
}

export interface FillSpec extends PlacementSpec {
  dtype: DType;
  shape: number[];
  fill: number;
}

export interface RandomSpec extends PlacementSpec {
  dtype: DType;
  shape: number[];
  random: 'normal' | 'uniform' | 'integers';
  /** A whole number from -2^63 to 2^64 - 1, default 0; a `bigint` keeps all its digits. */
  seed?: number | bigint;
  scale?: number;
  /** `uniform`, `integers`: bounds. */
  low?: number;
  high?: number;
}

export interface DataSpec extends PlacementSpec {
  dtype: DType;
  shape: number[];
  /** In row-major order, in one list or nested. */
  data: NestedNumbers;
}

export type NestedNumbers = readonly (number | NestedNumbers)[];

/** One entry of ARGS.json that describes a tensor. */
export type TensorSpec = NpySpec | FillSpec | RandomSpec | DataSpec;

/** A tensor of the host with a place of its own, bound to no argument. */
export interface PlacedTensor extends PlacementSpec {
  tensor: TensorData;
}

/**
 * The value of one argument: a number for a scalar (`bigint` for exact 64-bit
 * integers), a host tensor, or a description as in ARGS.json.
 */
export type ArgumentValue =
  number | bigint | boolean | 'inf' | '-inf' | 'nan' | TensorData | PlacedTensor | TensorSpec;

export type Arguments = Record<string, ArgumentValue>;

/** Instructions run so far; `total` is 0 when it is not known. */
export interface Progress {
  done: number;
  total: number;
}

export interface PrepareOptions {
  /**
   * Level to run. Default: the last level that the compilation reached, which without
   * `to` is `dataflow` where the kernel is lowered. The command line runs the level of
   * the text instead.
   */
  level?: Level;
  /** Run the program as it stands after this stage; wins over `level`. */
  stage?: number;
  /** `device` rounds every 16-bit float to the device's format. Default `ieee`. */
  numerics?: 'ieee' | 'device';
}

/** Asks for the value of an SSA name of the text. */
export interface CaptureRequest {
  /**
   * The name (`%x`, or `%p#1` for one of several results), or a place where it
   * stands: regions beside each other may use one name for several values.
   */
  value: string | Position;
  /** Default 0; only at level `ktir`. */
  tile?: number;
  /** Name of the unit, only at level `dataflow`. Default: the host's side. */
  unit?: string;
  /** Which of the times that the value is defined, from 1. Default: the last. */
  execution?: number;
}

export interface LaunchOptions {
  /** Look for races, uninitialised reads and the like. Default true. */
  checks?: boolean;
  /** An access outside a view reads zero with a warning, or fails. Default `pad`. */
  policy?: 'pad' | 'trap';
  /**
   * Seed of a random fair interleaving of tiles or units, a whole number from 0 to
   * 2^64 - 1; beyond 2^53 a `bigint`. Default: round robin.
   */
  interleaving?: number | bigint;
  /** Depth of every channel at level `dataflow`. Default: the device's. */
  channelDepth?: number;
  /**
   * Stop with an error after so many steps; 0: never. Each instruction is one, and
   * each 64 elements of it one more. Default 10,000,000,000.
   */
  limit?: number;
  /** Record a trace. Default false. */
  trace?: boolean;
  /** Values to keep; they change nothing of the run. Default: none. */
  captures?: readonly CaptureRequest[];
  /** The `.npy` files that specs name. */
  files?: Record<string, Uint8Array>;
  /** Cancels the run, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called between slices of the run. What it throws ends the run, which rejects with it. */
  onProgress?: (progress: Progress) => void;
  /**
   * Tensors that take the results of these names, so that launching again and
   * again needs no fresh memory; nothing else is read back. Their dtypes and
   * shapes are those of the arguments. Default: all are, each into a fresh one.
   * As those of arguments, their arrays are to be kept as they are until the
   * run ends: large ones are read and written piece by piece.
   */
  into?: Record<string, TensorData>;
}

/** Of a run in one go; `into` is for executables. */
export interface RunOptions extends PrepareOptions, Omit<LaunchOptions, 'into'> {}

/** Totals of one compute tile, or of one unit at level `dataflow`. */
export interface InstanceReport {
  name: string;
  instructions: number;
  /** Bytes of device memory. */
  bytesRead: number;
  bytesWritten: number;
  scratchpadRead: number;
  scratchpadWritten: number;
  /** Results of arithmetic. */
  elements: number;
  /** Sends. */
  messages: number;
  /** Most bytes in its scratchpad at once (level `ktir`). */
  scratchpadPeak: number;
}

/** Something that takes room in a scratchpad: a live tensor, or a view on it. */
export interface ScratchpadUse {
  /** The op that made it. */
  op: string;
  bytes: number;
  range: SourceRange;
}

/** Estimated cycles of one tile. */
export interface TileCost {
  name: string;
  compute: number;
  memory: number;
  communication: number;
}

/** Where a program stands below what the machine allows; rates per cycle. */
export interface Roofline {
  /** The unit with most cycles, whose operations these are. */
  unit: 'vector' | 'matrix';
  operations: number;
  /** Of device memory. */
  bytes: number;
  /** Operations per byte, 0 without device memory. */
  intensity: number;
  peak: number;
  memoryBound: number;
  achieved: number;
  /** `achieved / min(peak, memoryBound)`. */
  attainment: number;
}

/** The analytic cost model with the constants of one profile. */
export interface CostEstimate {
  profile: 'interpreter' | 'measured';
  clockGhz: number;
  /**
   * Of the slowest tile: all parts one after the other, compute beside the
   * rest, and all three beside each other.
   */
  cycles: { serial: number; overlapped: number; overlapped3: number };
  /** The largest part of the slowest tile. */
  bottleneck: 'compute' | 'memory' | 'communication';
  /** Index of that tile in `tiles`. */
  slowest: number;
  chip: Roofline;
  /** Of the slowest tile. */
  core: Roofline;
  tiles: TileCost[];
}

export interface Report {
  instances: InstanceReport[];
  instructions: number;
  bytesRead: number;
  bytesWritten: number;
  elements: number;
  /** Highest number of scratchpad bytes in use on any core. */
  scratchpadPeak: number;
  /** Level `ktir`: the tile with that peak; else empty. */
  scratchpadPeakOn: string;
  /** Level `ktir`: what was there at that moment, views before tensors. */
  scratchpadAtPeak: ScratchpadUse[];
  /** Level `ktir`: one per profile. */
  costs: CostEstimate[];
}

/** What a value was on one tile or unit. */
export interface CapturedValue {
  /** `%x`, `%p#1`. */
  name: string;
  /** Of its definition. */
  range: SourceRange;
  /** `tile 3`, `C0-mnilu`, `host`. */
  instance: string;
  /** As printed. */
  type: string;
  /** How often it was defined there. */
  executions: number;
  /** Its numbers; of a scalar one, with an empty shape. */
  tensor?: HostTensor;
  /** Without numbers: a view or an access tile in words, or why there is nothing. */
  text: string;
}

/** An operation that a stepped run has executed. */
export interface SteppedOperation {
  /** Its name, as in `linalg.add`. */
  op: string;
  range: SourceRange;
}

/** An event of the Chrome trace format. */
export interface TraceEvent {
  name: string;
  ph: string;
  [key: string]: unknown;
}

/** What a run that came to its end gave. A run that fails rejects instead. */
export interface RunResult {
  kernel: string;
  level: Level;
  /**
   * Every tensor after the run, by name: those bound to arguments, in argument
   * order, then the others, in the order given.
   */
  outputs: Record<string, HostTensor>;
  /** What the checks found, in order. */
  findings: Diagnostic[];
  report: Report;
  /** Empty unless `trace` was asked for. */
  trace: TraceEvent[];
  /** One for each of `captures`. */
  captured: CapturedValue[];
  milliseconds: number;
}

/** One stage, run on the same arguments as the first and compared with it. */
export interface StageValidation {
  stage: number;
  /** False: there is no engine for that level. */
  executed: boolean;
  /** Same bytes in every tensor argument. */
  matches: boolean;
  /** First difference, or why the stage did not run. */
  message: string;
}

export interface ValidateOptions extends Omit<
  LaunchOptions,
  'onProgress' | 'trace' | 'captures' | 'into'
> {
  numerics?: 'ieee' | 'device';
}

/** A place between two characters, counted as in `SourceRange`. */
export interface Position {
  line: number;
  column: number;
}

/** What is known about the name at a position. */
export interface Hover {
  range: SourceRange;
  /** Markdown. */
  text: string;
}

/** An entry of the outline of a text. */
export interface DocumentSymbol {
  /** As written: `@main`, `%x`, `#map`; else the operation's name. */
  name: string;
  /** Name of the operation. */
  detail: string;
  kind: 'module' | 'function' | 'operation' | 'value' | 'alias';
  /** Everything that belongs to it. */
  range: SourceRange;
  nameRange: SourceRange;
  /** Index of the entry around it, which comes before; -1: none. */
  parent: number;
}

export interface CompletionItem {
  /** What is shown and inserted. */
  label: string;
  kind: 'operation' | 'value' | 'type' | 'attribute' | 'alias' | 'constant' | 'symbol' | 'block';
  /** One line: a type, a summary; may be empty. */
  detail: string;
  /** Markdown; may be empty. */
  documentation: string;
}

export interface CompletionList {
  /** What an item replaces. */
  range: SourceRange;
  /** Best first. */
  items: CompletionItem[];
}

export type SemanticTokenType =
  | 'operation'
  | 'parameter'
  | 'value'
  | 'symbol'
  | 'label'
  | 'alias'
  | 'type'
  | 'keyword'
  | 'number'
  | 'string'
  | 'comment';

/** A word of the text; none spans lines. */
export interface SemanticToken extends Position {
  length: number;
  /** `parameter`: a value that a block gets. */
  type: SemanticTokenType;
  /** The place where a name is given its meaning. */
  isDefinition: boolean;
}

/** How the text of a document is read; fields as in `CompileOptions`. */
export type LanguageOptions = Pick<
  CompileOptions,
  'fileName' | 'device' | 'deviceName' | 'files' | 'strict'
>;

/** What can be asked about the text of a document, and the answers. */
export interface LanguageAnswers {
  /** Null where there is nothing to say. */
  hover: Hover | null;
  /** Where the name at a position is defined; empty for other words. */
  definition: SourceRange[];
  /** All places of the name at a position, its definition among them. */
  references: SourceRange[];
  symbols: DocumentSymbol[];
  completion: CompletionList;
  tokens: SemanticToken[];
}

export type LanguageQuestion = keyof LanguageAnswers;

/** A language service that lives in a worker; methods as those of `LanguageService`. */
export interface RemoteLanguageService {
  update(text: string): Promise<Diagnostic[]>;
  hover(position: Position): Promise<Hover | null>;
  definition(position: Position): Promise<SourceRange[]>;
  references(position: Position): Promise<SourceRange[]>;
  symbols(): Promise<DocumentSymbol[]>;
  completion(position: Position): Promise<CompletionList>;
  tokens(): Promise<SemanticToken[]>;
  /** Frees it; calls from then on reject. */
  delete(): Promise<void>;
}

/** What the methods of a remote compiler take to name a compilation. */
export type CompilationId = number;

/** A compilation that lives in a worker. */
export interface RemoteCompilation extends CompilationInfo {
  id: CompilationId;
}

/**
 * The compiler in a worker. Calls are answered in order, except that `run`
 * lets others pass between its slices.
 */
export interface RemoteCompiler {
  /**
   * Compiles; the worker keeps the result until `release(id)`. Failing to
   * compile is no rejection: see `ok` and `diagnostics`.
   */
  compile(source: string, options?: CompileOptions): Promise<RemoteCompilation>;
  /** Prints a program in canonical strict form, names and comments kept. */
  format(source: string): Promise<FormatResult>;
  /** A language service for one document. */
  createLanguageService(options?: LanguageOptions): Promise<RemoteLanguageService>;
  /** The text of stage `stage`. */
  stageText(id: CompilationId, stage: number): Promise<string>;
  /**
   * `kernel` empty or absent: the only one. Rejects with `KtirError`. All options cross
   * to the worker but `signal` and `onProgress`, which act from this side. Results come in
   * tensors of their own: executables, and so `into`, `begin` and repeated launches of
   * one, are to be had beside the compiler only.
   */
  run(
    id: CompilationId,
    kernel: string | undefined,
    args: Arguments,
    options?: RunOptions,
  ): Promise<RunResult>;
  validate(
    id: CompilationId,
    kernel: string | undefined,
    args: Arguments,
    options?: ValidateOptions,
  ): Promise<StageValidation[]>;
  /** Frees a compilation; its id is invalid from then on. */
  release(id: CompilationId): Promise<void>;
  /** The tensor that a spec of ARGS.json describes. */
  generate(spec: TensorSpec, files?: Record<string, Uint8Array>): Promise<HostTensor>;
  readNpy(bytes: Uint8Array): Promise<HostTensor>;
  writeNpy(tensor: TensorData): Promise<Uint8Array>;
  version(): Promise<string>;
  /** Ends the worker; calls that are still open reject. */
  close(): void;
}
