/** Arguments of a launch, split into ARGS.json text and host data. */

import type { Arguments, TensorData, TensorSpec } from './api.js';
import { KtirError } from './errors.js';
import type { GlueHeader, GlueTensor, GlueValue, ReadFile } from './glue.js';
import { checkNames } from './names.js';
import { describe, isBytes, isObject } from './options.js';
import { HostTensor, tensor } from './tensor.js';

export interface EncodedArguments {
  json: string;
  /** A `GlueHeader[]` as JSON, one for each of `values`. */
  headers: string;
  values: GlueValue[];
  /** The names of `values`. */
  names: string[];
}

/**
 * Sorts arguments by how they cross. Specs and whole numbers become ARGS.json
 * text, which the compiler's own parser reads, so that a spec means here what
 * it means in a file; host tensors and fractions cross as they are.
 */
export function encodeArguments(args: Arguments): EncodedArguments {
  if (!isObject(args)) {
    throw new KtirError(
      `expected an object with a value for each argument, found ${describe(args)}`,
      'argument',
    );
  }
  const fields: string[] = [];
  const headers: GlueHeader[] = [];
  const values: GlueValue[] = [];
  for (const [name, given] of Object.entries(args as Record<string, unknown>)) {
    const value = (isObject(given) ? plainTensor(given) : undefined) ?? given;
    const json = encodeJson(name, value);
    if (json !== undefined) {
      fields.push(`${JSON.stringify(name)}:${json}`);
      continue;
    }
    const [header, data] = encodeValue(name, value);
    headers.push({ name, ...header });
    values.push(data);
  }
  return {
    json: `{${fields.join(',')}}`,
    headers: JSON.stringify(headers),
    values,
    names: headers.map(({ name }) => name),
  };
}

/** Most magnitude of the numbers of a dtype that need no parser's care. */
const RANGES: Readonly<Record<string, number>> = {
  f16: Infinity,
  bf16: Infinity,
  f32: Infinity,
  f64: Infinity,
  i8: 2 ** 7 - 1,
  i16: 2 ** 15 - 1,
  i32: 2 ** 31 - 1,
};

/**
 * The tensor that a spec with many plain numbers describes, which takes a
 * fraction of the time of its text; absent for every other spec.
 */
export function plainTensor(spec: object): HostTensor | undefined {
  const { dtype, shape, data, ...rest } = spec as Record<string, unknown>;
  if (!Array.isArray(data) || data.length < 256 || Object.keys(rest).length > 0) return undefined;
  if (typeof dtype !== 'string' || !Array.isArray(shape)) return undefined;
  const most = Object.prototype.hasOwnProperty.call(RANGES, dtype) ? RANGES[dtype] : undefined;
  const count = shape.reduce<unknown>(
    (all, extent) =>
      typeof all === 'number' && Number.isSafeInteger(extent) ? all * Number(extent) : undefined,
    1,
  );
  if (most === undefined || count !== data.length) return undefined;
  const isPlain = (value: unknown) =>
    Number.isFinite(value) &&
    (most === Infinity || (Number.isInteger(value) && Math.abs(Number(value)) <= most));
  if (!data.every(isPlain)) return undefined;
  return tensor(dtype as TensorData['dtype'], shape as number[], data as number[]);
}

/** JSON text of a spec or a whole number; absent for everything else. */
function encodeJson(name: string, value: unknown): string | undefined {
  if (typeof value === 'bigint') {
    if (value < -(1n << 63n) || value >= 1n << 63n) {
      throw new KtirError(
        `argument '${name}': expected a 64-bit integer, found ${String(value)}`,
        'argument',
      );
    }
    return String(value);
  }
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && Math.abs(value) < 2 ** 63 && !Object.is(value, -0);
    return isWhole ? String(BigInt(value)) : undefined;
  }
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
    throw new KtirError(
      `argument '${name}': expected a number, a tensor or a description of one, found ${describe(value)}`,
      'argument',
    );
  }
  // What else is no object, the parser of ARGS.json takes or refuses.
  if (!isObject(value)) return encodeSpec(name, value);
  if (ArrayBuffer.isView(value) || ArrayBuffer.isView(value.data) || 'tensor' in value) {
    return undefined;
  }
  return encodeSpec(name, value);
}

function encodeSpec(name: string, spec: unknown): string {
  try {
    return stringify(spec);
  } catch (error) {
    throw new KtirError(
      `argument '${name}': ${error instanceof Error ? error.message : String(error)}`,
      'argument',
    );
  }
}

/** JSON text in which every number is what it is, as ARGS.json writes it. */
function stringify(spec: unknown): string {
  // What `JSON.stringify` would change, as strings with a mark that no JSON
  // text has otherwise, which is taken away.
  const mark = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return `\u0001${String(value)}`;
    if (typeof value !== 'number') return value;
    if (Number.isNaN(value)) return 'nan';
    if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
    // `-0` would be an integer, and of large ones only the first digits are written.
    if (Object.is(value, -0)) return '\u0001-0.0';
    const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLarge && Math.abs(value) < 2 ** 64 ? `\u0001${String(BigInt(value))}` : value;
  };
  return JSON.stringify(spec, mark).replace(/"\\u0001(-?[\d.]+)"/g, '$1');
}

type Encoded = [Omit<GlueHeader, 'name'>, GlueValue];

function encodeValue(name: string, value: unknown): Encoded {
  if (typeof value === 'number') return [{}, value];
  try {
    if (isObject(value) && 'tensor' in value) return encodePlaced(value);
    const { dtype, shape, data } = hostData(value);
    checkTensorFields(value);
    return [{ dtype, shape }, data];
  } catch (error) {
    if (!(error instanceof KtirError)) throw error;
    throw new KtirError(`argument '${name}': ${error.message}`, 'argument');
  }
}

const TENSOR_FIELDS = ['dtype', 'shape', 'data'];
const PLACE_FIELDS = ['at', 'space', 'tile'];

/** Refuses what stands beside the data of a tensor and would count for nothing. */
function checkTensorFields(value: unknown): void {
  // The class has exactly these fields; those of classes made of it are theirs.
  if (!isObject(value) || value instanceof HostTensor) return;
  const names = Object.keys(value);
  const place = names.find((name) => PLACE_FIELDS.includes(name));
  if (place !== undefined) {
    throw new KtirError(
      `'${place}' stands beside the data of a tensor; expected it beside the tensor, as in { tensor, ${place} }`,
      'argument',
    );
  }
  checkNames('field', names, TENSOR_FIELDS);
}

function encodePlaced(value: Record<string, unknown>): Encoded {
  checkNames('field', Object.keys(value), ['tensor', ...PLACE_FIELDS]);
  const { tensor, space } = value;
  const at = wholeNumber('at', value.at);
  const tile = wholeNumber('tile', value.tile);
  if (space !== undefined && space !== 'ct_local') {
    throw new KtirError(`expected 'ct_local' as 'space', found ${describe(space)}`, 'argument');
  }
  if (tile !== undefined && space === undefined) {
    throw new KtirError(`'tile' needs "space": "ct_local"`, 'argument');
  }
  const { dtype, shape, data } = hostData(tensor);
  checkTensorFields(tensor);
  const header = {
    dtype,
    shape,
    bound: false,
    ...(at !== undefined && { at }),
    ...(space !== undefined && { tile: tile ?? 0 }),
  };
  return [header, data];
}

function wholeNumber(field: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new KtirError(
    `expected a whole number from 0 as '${field}', found ${describe(value)}`,
    'argument',
  );
}

/** Checks that an object is a tensor's data; other typed arrays are converted. */
export function hostData(value: unknown): GlueTensor {
  if (!isObject(value) || !Array.isArray(value.shape) || !ArrayBuffer.isView(value.data)) {
    throw new KtirError(
      `expected a tensor with dtype, shape and data, found ${describe(value)}`,
      'argument',
    );
  }
  const { dtype, shape, data } = value as unknown as TensorData;
  if (isBytes(data)) return new HostTensor(dtype, shape, data);
  return tensor(dtype, shape, data);
}

/** ARGS.json text with the one argument `tensor`. */
export function encodeTensorSpec(spec: TensorSpec): string {
  if (!isObject(spec)) {
    throw new KtirError(`expected a description of a tensor, found ${describe(spec)}`, 'argument');
  }
  return `{"tensor":${encodeSpec('tensor', spec)}}`;
}

/** A reader of the files that a caller passes with the arguments. */
export function fileReader(files: Record<string, Uint8Array> = {}): ReadFile {
  return (path) =>
    Object.prototype.hasOwnProperty.call(files, path) ? (files[path] ?? null) : null;
}
