/** Checks of what callers pass, before anything of it reaches the compiler. */

import type {
  CaptureRequest,
  CompileOptions,
  LanguageOptions,
  LaunchOptions,
  Level,
  PrepareOptions,
  ValidateOptions,
} from './api.js';
import { KtirError } from './errors.js';
import { checkNames } from './names.js';
import type { Positions } from './positions.js';

export const LEVELS: readonly Level[] = ['ktir', 'schedule', 'units', 'dataflow', 'container'];

type Checker = (value: unknown) => boolean;

function oneOf(values: readonly string[]): [Checker, string] {
  return [
    (value) => typeof value === 'string' && values.includes(value),
    `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  ];
}

const STRING: [Checker, string] = [(value) => typeof value === 'string', 'a string'];
const BOOLEAN: [Checker, string] = [(value) => typeof value === 'boolean', 'true or false'];

function wholeNumber(low: number): [Checker, string] {
  return [
    (value) => Number.isSafeInteger(value) && (value as number) >= low,
    `a whole number from ${String(low)}`,
  ];
}

const SEED: [Checker, string] = [
  (value) =>
    (Number.isSafeInteger(value) && (value as number) >= 0) ||
    (typeof value === 'bigint' && value >= 0n && value < 1n << 64n),
  'a whole number from 0 to 2^64 - 1, beyond 2^53 as a bigint',
];

const FILES: [Checker, string] = [
  (value) => isObject(value) && Object.values(value).every(isBytes),
  'an object of Uint8Arrays',
];

const SIGNAL: [Checker, string] = [
  (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value,
  'an AbortSignal',
];

const FUNCTION: [Checker, string] = [(value) => typeof value === 'function', 'a function'];

const COMPILE = {
  fileName: STRING,
  to: oneOf(LEVELS),
  stopAfter: STRING,
  kernel: STRING,
  device: STRING,
  deviceName: STRING,
  files: FILES,
  strict: BOOLEAN,
};

const NUMERICS = oneOf(['ieee', 'device']);

const PREPARE = {
  level: oneOf(LEVELS),
  stage: wholeNumber(0),
  numerics: NUMERICS,
};

const CAPTURE = {
  tile: wholeNumber(0),
  unit: STRING,
  execution: wholeNumber(1),
};

function isCapture(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { value, ...rest } = entry;
  const isPlace =
    isObject(value) && wholeNumber(1)[0](value.line) && wholeNumber(1)[0](value.column);
  if (!isPlace && (typeof value !== 'string' || value === '')) return false;
  return Object.entries(rest).every(
    ([name, part]) =>
      part === undefined || (name in CAPTURE && CAPTURE[name as keyof typeof CAPTURE][0](part)),
  );
}

const CAPTURES: [Checker, string] = [
  (value) => Array.isArray(value) && value.every(isCapture),
  "a list of { value, tile, unit, execution }: 'value' a name such as '%x' or { line, column }, 'tile' a whole number from 0, 'unit' a name, 'execution' a whole number from 1",
];

function isTensor(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.shape) && isBytes(value.data);
}

const RUN = {
  checks: BOOLEAN,
  policy: oneOf(['pad', 'trap']),
  interleaving: SEED,
  channelDepth: wholeNumber(1),
  limit: wholeNumber(0),
  trace: BOOLEAN,
  captures: CAPTURES,
  files: FILES,
  signal: SIGNAL,
  onProgress: FUNCTION,
};

const INTO: [Checker, string] = [
  (value) => isObject(value) && Object.values(value).every(isTensor),
  'an object of tensors',
];

const LAUNCH = { ...RUN, into: INTO };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Right for arrays of another realm too, where `instanceof` is not. */
export function isBytes(value: unknown): value is Uint8Array {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Uint8Array]';
}

function check(options: unknown, fields: Record<string, [Checker, string]>): void {
  if (options === undefined) return;
  if (!isObject(options)) {
    throw new KtirError(`expected an object of options, found ${describe(options)}`, 'argument');
  }
  checkNames('option', Object.keys(options), Object.keys(fields));
  for (const [name, value] of Object.entries(options)) {
    const field = fields[name];
    if (field && value !== undefined && !field[0](value)) {
      throw new KtirError(
        `option '${name}': expected ${field[1]}, found ${describe(value)}`,
        'argument',
      );
    }
  }
}

/** A value as an error message shows it. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (value === null) return 'null';
  switch (typeof value) {
    case 'undefined':
    case 'number':
    case 'boolean':
      return String(value);
    case 'bigint':
      return `${String(value)}n, a bigint`;
    case 'symbol':
    case 'function':
      return `a ${typeof value}`;
    default:
      return describeObject(value);
  }
}

/** By its class where that says more: `a Float32Array`. */
function describeObject(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (!ArrayBuffer.isView(value)) return 'an object';
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return `${tag.startsWith('Int') ? 'an' : 'a'} ${tag}`;
}

/** A number of things in words: `1 byte`, `2 bytes`. */
export function counted(number: number, thing: string): string {
  return `${String(number)} ${thing}${number === 1 ? '' : 's'}`;
}

export function checkSource(source: unknown): asserts source is string {
  if (typeof source !== 'string') {
    throw new KtirError(
      `expected the source text as a string, found ${describe(source)}`,
      'argument',
    );
  }
}

export function checkKernelName(kernel: unknown): void {
  if (kernel !== undefined && typeof kernel !== 'string') {
    throw new KtirError(`expected a kernel's name, found ${describe(kernel)}`, 'argument');
  }
}

/** JSON text of the options that the compiler reads. */
export function encodeCompileOptions(options: CompileOptions = {}): string {
  check(options, COMPILE);
  const { files: _, ...plain } = options;
  return JSON.stringify(plain);
}

/** JSON text of how a document is read. */
export function encodeLanguageOptions(options: LanguageOptions = {}): string {
  const { fileName, device, deviceName, files, strict } = COMPILE;
  check(options, { fileName, device, deviceName, files, strict });
  const { files: _, ...plain } = options;
  return JSON.stringify(plain);
}

export function encodePrepareOptions(
  kernel: string | undefined,
  options: PrepareOptions = {},
): string {
  checkKernelName(kernel);
  check(options, PREPARE);
  return JSON.stringify({ ...options, kernel });
}

export function encodeLaunchOptions(options: LaunchOptions, positions: Positions): string {
  check(options, LAUNCH);
  const { captures, ...launch } = options;
  if (captures === undefined) return stringifyLaunch(launch);
  return stringifyLaunch({
    ...launch,
    ...{ captures: captures.map((capture) => encodeCapture(capture, positions)) },
  });
}

/** The capture as the compiler reads it. */
function encodeCapture(
  { value, tile, unit, execution }: CaptureRequest,
  positions: Positions,
): Record<string, unknown> {
  const instance = unit ?? (tile === undefined ? undefined : String(tile));
  return typeof value === 'string'
    ? { name: value, instance, execution }
    : {
        line: value.line,
        column: positions.byteColumn(value.line, value.column),
        instance,
        execution,
      };
}

/** Executables alone put results into the caller's tensors; a worker could not even reach them. */
function refuseInto(options: unknown, call: string): void {
  if (!isObject(options) || !('into' in options)) return;
  throw new KtirError(
    `option 'into' is for 'launch' and 'begin' of an executable; '${call}' makes tensors of its own`,
    'argument',
  );
}

/** Checks the options of a run and splits them by what they are for. */
export function splitRunOptions(
  options: PrepareOptions & LaunchOptions = {},
): [PrepareOptions, LaunchOptions] {
  refuseInto(options, 'run');
  check(options, { ...PREPARE, ...RUN });
  const prepare: Record<string, unknown> = {};
  const launch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) (name in PREPARE ? prepare : launch)[name] = value;
  }
  return [prepare, launch];
}

export function encodeValidateOptions(
  kernel: string | undefined,
  options: ValidateOptions = {},
): string {
  checkKernelName(kernel);
  refuseInto(options, 'validate');
  const { checks, policy, interleaving, channelDepth, limit, files, signal } = RUN;
  check(options, {
    checks,
    policy,
    interleaving,
    channelDepth,
    limit,
    files,
    signal,
    numerics: NUMERICS,
  });
  const { numerics, ...launch } = options;
  return stringifyLaunch({ ...launch, ...{ kernel, numerics } });
}

function stringifyLaunch(options: Omit<LaunchOptions, 'captures'>): string {
  const { files, signal, onProgress, into, interleaving, ...plain } = options;
  const text = JSON.stringify(plain);
  if (interleaving === undefined) return text;
  // JSON text holds any integer, but `JSON.stringify` takes no bigint.
  const seed = `"interleaving":${String(interleaving)}`;
  return text === '{}' ? `{${seed}}` : `${text.slice(0, -1)},${seed}}`;
}
