import {
  defaultOptions,
  defaultView,
  emptyWorkspace,
  type ArgumentChoice,
  type RunChoices,
  type StageMode,
  type ViewChoices,
  type Workspace,
} from '../model/workspace.ts';

/** The version that this page writes. */
export const currentVersion = 1;

/** What a link or file holds: the workspace with defaults left out. */
export interface Payload {
  v: number;
  source: string;
  device?: string;
  kernel?: string;
  args?: Record<string, ArgumentChoice>;
  options?: Partial<RunChoices>;
  view?: Partial<ViewChoices>;
}

/** Says what in a payload is not as it should be. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

export function toPayload(workspace: Workspace): Payload {
  const payload: Payload = { v: currentVersion, source: workspace.source };
  if (workspace.device) payload.device = workspace.device;
  if (workspace.kernel) payload.kernel = workspace.kernel;
  if (Object.keys(workspace.args).length > 0) payload.args = workspace.args;
  const options = differences(workspace.options, defaultOptions);
  if (options) payload.options = options;
  const view = differences(workspace.view, defaultView);
  if (view) payload.view = view;
  return payload;
}

function differences<T extends object>(value: T, defaults: T): Partial<T> | undefined {
  const entries = Object.entries(value).filter(
    ([name, part]) => part !== undefined && part !== defaults[name as keyof T],
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}

/** One step per version, from `v` to `v + 1`. Empty while there is one version. */
const migrations: Record<number, (old: Record<string, unknown>) => Record<string, unknown>> = {};

/** Reads a payload of any known version. Throws `PayloadError`. */
export function fromPayload(json: unknown): Workspace {
  if (!isRecord(json)) throw new PayloadError('expected a JSON object');
  let payload = json;
  let version = payload.v;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new PayloadError(`expected a version number in 'v', found ${show(version)}`);
  }
  if (version > currentVersion) {
    throw new PayloadError(
      `version ${version} is newer than this page, which reads up to version ${currentVersion}`,
    );
  }
  for (; version < currentVersion; ++version) {
    const migrate = migrations[version];
    if (!migrate) throw new PayloadError(`version ${version} can no longer be read`);
    payload = migrate(payload);
  }
  return readCurrent(payload);
}

function readCurrent(payload: Record<string, unknown>): Workspace {
  const workspace = emptyWorkspace(text(payload, 'source'));
  workspace.device = optional(payload, 'device', text) ?? '';
  workspace.kernel = optional(payload, 'kernel', text) ?? '';
  const args = optional(payload, 'args', record) ?? {};
  for (const [name, choice] of Object.entries(args)) {
    workspace.args[name] = readArgument(name, choice);
  }
  const options = optional(payload, 'options', record) ?? {};
  workspace.options = readOptions(options);
  workspace.view = readView(optional(payload, 'view', record) ?? {});
  return workspace;
}

function readOptions(json: Record<string, unknown>): RunChoices {
  const options: RunChoices = {
    level: optional(json, 'level', oneOf('ktir', 'dataflow')) ?? defaultOptions.level,
    numerics: optional(json, 'numerics', oneOf('ieee', 'device')) ?? defaultOptions.numerics,
    checks: optional(json, 'checks', flag) ?? defaultOptions.checks,
    policy: optional(json, 'policy', oneOf('pad', 'trap')) ?? defaultOptions.policy,
    compare: optional(json, 'compare', flag) ?? defaultOptions.compare,
  };
  const interleaving = optional(json, 'interleaving', whole);
  if (interleaving !== undefined) options.interleaving = interleaving;
  const channelDepth = optional(json, 'channelDepth', whole);
  if (channelDepth !== undefined) options.channelDepth = channelDepth;
  return options;
}

function readView(json: Record<string, unknown>): ViewChoices {
  const mode: StageMode =
    optional(json, 'mode', oneOf('text', 'inline', 'split')) ?? defaultView.mode;
  const view: ViewChoices = {
    pane: optional(json, 'pane', oneOf('stages', 'run')) ?? defaultView.pane,
    mode,
  };
  const stage = optional(json, 'stage', text);
  if (stage !== undefined) view.stage = stage;
  const against = optional(json, 'against', text);
  if (against !== undefined) view.against = against;
  return view;
}

function readArgument(name: string, json: unknown): ArgumentChoice {
  if (typeof json === 'number') return json;
  if (!isRecord(json)) {
    throw new PayloadError(
      `argument '${name}': expected a number or an object, found ${show(json)}`,
    );
  }
  try {
    return { ...readTensorSource(json), ...readTensorType(json) };
  } catch (error) {
    if (error instanceof PayloadError) {
      throw new PayloadError(`argument '${name}': ${error.message}`);
    }
    throw error;
  }
}

function readTensorSource(json: Record<string, unknown>): Exclude<ArgumentChoice, number> {
  if ('npy' in json) return { npy: text(json, 'npy') };
  if ('data' in json) return { data: list(json, 'data') };
  if ('fill' in json) return { fill: number(json, 'fill') };
  const random = oneOf('normal', 'uniform', 'integers')(json, 'random');
  const seed = optional(json, 'seed', whole) ?? 0;
  if (random === 'normal') {
    return { random, seed, scale: optional(json, 'scale', number) ?? 1 };
  }
  return {
    random,
    seed,
    low: optional(json, 'low', number) ?? 0,
    high: optional(json, 'high', number) ?? (random === 'uniform' ? 1 : 10),
  };
}

function readTensorType(json: Record<string, unknown>): { shape?: number[]; dtype?: string } {
  const type: { shape?: number[]; dtype?: string } = {};
  const shape = optional(json, 'shape', list);
  if (shape) type.shape = shape;
  const dtype = optional(json, 'dtype', text);
  if (dtype !== undefined) type.dtype = dtype;
  return type;
}

type Reader<T> = (json: Record<string, unknown>, name: string) => T;

function optional<T>(
  json: Record<string, unknown>,
  name: string,
  reader: Reader<T>,
): T | undefined {
  return json[name] === undefined ? undefined : reader(json, name);
}

function wrong(name: string, expected: string, found: unknown): PayloadError {
  return new PayloadError(`'${name}': expected ${expected}, found ${show(found)}`);
}

function text(json: Record<string, unknown>, name: string): string {
  const value = json[name];
  if (typeof value !== 'string') throw wrong(name, 'a string', value);
  return value;
}

function number(json: Record<string, unknown>, name: string): number {
  const value = json[name];
  if (typeof value !== 'number') throw wrong(name, 'a number', value);
  return value;
}

function whole(json: Record<string, unknown>, name: string): number {
  const value = json[name];
  if (!Number.isSafeInteger(value)) throw wrong(name, 'a whole number', value);
  return value as number;
}

function flag(json: Record<string, unknown>, name: string): boolean {
  const value = json[name];
  if (typeof value !== 'boolean') throw wrong(name, 'true or false', value);
  return value;
}

function list(json: Record<string, unknown>, name: string): number[] {
  const value = json[name];
  if (!Array.isArray(value) || value.some((element) => typeof element !== 'number')) {
    throw wrong(name, 'an array of numbers', value);
  }
  return value as number[];
}

function record(json: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = json[name];
  if (!isRecord(value)) throw wrong(name, 'an object', value);
  return value;
}

function oneOf<T extends string>(...allowed: T[]): Reader<T> {
  return (json, name) => {
    const value = json[name];
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) {
      throw wrong(name, `one of ${allowed.map((candidate) => `'${candidate}'`).join(', ')}`, value);
    }
    return found;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const shown = JSON.stringify(value) as string | undefined;
  if (shown === undefined) return 'nothing';
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}
