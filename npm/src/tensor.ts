/** Tensors of the host: dense, row-major, little-endian. */

import type { DType, TensorData } from './api.js';
import { KtirError } from './errors.js';
import { f16ToNumber, bf16ToNumber, numberToBf16, numberToF16 } from './float16.js';
import { counted, describe, isBytes } from './options.js';

interface DTypeInfo {
  bytes: number;
  /** Integer range of the values that `tensor` takes; absent for floats. */
  low?: bigint;
  high?: bigint;
  /** Whether bit 63, 31, … is a sign when read. */
  signed?: boolean;
}

function integer(bits: number): DTypeInfo {
  // Signless: both the signed and the unsigned reading of a value is accepted.
  return {
    bytes: bits / 8,
    low: -(1n << BigInt(bits - 1)),
    high: (1n << BigInt(bits)) - 1n,
    signed: true,
  };
}

function signedInteger(bits: number): DTypeInfo {
  return { ...integer(bits), high: (1n << BigInt(bits - 1)) - 1n };
}

const DTYPES: Record<DType, DTypeInfo> = {
  i1: { bytes: 1, low: 0n, high: 1n, signed: false },
  i8: integer(8),
  si8: signedInteger(8),
  i16: integer(16),
  si16: signedInteger(16),
  i32: integer(32),
  si32: signedInteger(32),
  i64: integer(64),
  si64: signedInteger(64),
  index: integer(64),
  f16: { bytes: 2 },
  bf16: { bytes: 2 },
  f32: { bytes: 4 },
  f64: { bytes: 8 },
};

/** Bytes of one element of `dtype`. Throws `KtirError` for an unknown name. */
export function dtypeBytes(dtype: DType): number {
  return info(dtype).bytes;
}

function info(dtype: DType): DTypeInfo {
  const found = Object.prototype.hasOwnProperty.call(DTYPES, dtype) ? DTYPES[dtype] : undefined;
  if (!found) {
    throw new KtirError(
      `unknown dtype '${dtype as string}'; expected one of ${Object.keys(DTYPES).join(', ')}`,
      'argument',
    );
  }
  return found;
}

/** Number of elements of `shape`. Throws `KtirError` for an impossible shape. */
export function elementCount(shape: readonly number[]): number {
  if (!isArray(shape)) {
    throw new KtirError(
      `expected a shape as an array of extents, found ${describe(shape)}`,
      'argument',
    );
  }
  let count = 1;
  for (const extent of shape) {
    if (!Number.isInteger(extent) || extent < 0) {
      throw new KtirError(
        `expected extents that are whole numbers from 0, found [${shape.join(', ')}]`,
        'argument',
      );
    }
    count *= extent;
  }
  if (count > 2 ** 31) {
    throw new KtirError(`a tensor of shape [${shape.join(', ')}] is too large`, 'argument');
  }
  return count;
}

/** A dense tensor in host memory. */
export class HostTensor implements TensorData {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** The elements, little-endian; `i1` one byte each. Shared, not copied. */
  readonly data: Uint8Array;

  /** Takes over `data`, which must hold exactly the elements of `shape`. */
  constructor(dtype: DType, shape: readonly number[], data: Uint8Array) {
    const expected = elementCount(shape) * dtypeBytes(dtype);
    if (!isBytes(data)) {
      throw new KtirError(`expected a Uint8Array, found ${describe(data)}`, 'argument');
    }
    if (data.byteLength !== expected) {
      throw new KtirError(
        `expected ${counted(expected, 'byte')} for ${dtype}[${shape.join(', ')}], found ${String(data.byteLength)}`,
        'argument',
      );
    }
    this.dtype = dtype;
    this.shape = [...shape];
    this.data = data;
  }

  /** Number of elements. */
  get size(): number {
    return elementCount(this.shape);
  }

  /** Element `index` in row-major order, as a number; 64-bit integers may round. */
  at(index: number): number {
    return Number(this.exactAt(index));
  }

  /** Element `index`: a `bigint` for 64-bit integers, else a number. */
  exactAt(index: number): number | bigint {
    const { bytes } = info(this.dtype);
    if (!Number.isInteger(index) || index < 0 || index >= this.size) {
      throw new KtirError(
        `element ${String(index)} is outside a tensor of ${counted(this.size, 'element')}`,
        'argument',
      );
    }
    return readElement(this.view(), this.dtype, index * bytes);
  }

  /** All elements as f32, rounded where the element type is wider. */
  toFloat32Array(): Float32Array {
    return this.fill(new Float32Array(this.size));
  }

  /** All elements as f64; only 64-bit integers may round. */
  toFloat64Array(): Float64Array {
    return this.fill(new Float64Array(this.size));
  }

  /** All elements of an integer tensor, exactly. Throws for float tensors. */
  toBigInt64Array(): BigInt64Array {
    if (info(this.dtype).low === undefined) {
      throw new KtirError(`a tensor of ${this.dtype} has no integers`, 'argument');
    }
    const result = new BigInt64Array(this.size);
    const view = this.view();
    const { bytes } = info(this.dtype);
    for (let i = 0; i < result.length; ++i) {
      result[i] = BigInt(readElement(view, this.dtype, i * bytes));
    }
    return result;
  }

  /** Bit patterns of an `f16` or `bf16` tensor. Throws for other types. */
  toUint16Array(): Uint16Array {
    if (this.dtype !== 'f16' && this.dtype !== 'bf16') {
      throw new KtirError(`a tensor of ${this.dtype} has no 16-bit patterns`, 'argument');
    }
    const result = new Uint16Array(this.size);
    const view = this.view();
    for (let i = 0; i < result.length; ++i) result[i] = view.getUint16(2 * i, true);
    return result;
  }

  /** All elements, 64-bit integers as `bigint`. */
  toArray(): (number | bigint)[] {
    const { bytes } = info(this.dtype);
    const view = this.view();
    return Array.from({ length: this.size }, (_, i) => readElement(view, this.dtype, i * bytes));
  }

  /** Whether dtype, shape and every byte are the same. */
  equals(other: TensorData): boolean {
    if (this.dtype !== other.dtype || this.shape.length !== other.shape.length) return false;
    if (this.shape.some((extent, i) => extent !== other.shape[i])) return false;
    if (this.data.length !== other.data.length) return false;
    return this.data.every((byte, i) => byte === other.data[i]);
  }

  private view(): DataView {
    return new DataView(this.data.buffer, this.data.byteOffset, this.data.byteLength);
  }

  private fill<T extends Float32Array | Float64Array>(result: T): T {
    const { bytes } = info(this.dtype);
    const view = this.view();
    for (let i = 0; i < result.length; ++i) {
      result[i] = Number(readElement(view, this.dtype, i * bytes));
    }
    return result;
  }
}

function readElement(view: DataView, dtype: DType, offset: number): number | bigint {
  switch (dtype) {
    case 'i1':
      return view.getUint8(offset);
    case 'i8':
    case 'si8':
      return view.getInt8(offset);
    case 'i16':
    case 'si16':
      return view.getInt16(offset, true);
    case 'i32':
    case 'si32':
      return view.getInt32(offset, true);
    case 'i64':
    case 'si64':
    case 'index':
      return view.getBigInt64(offset, true);
    case 'f16':
      return f16ToNumber(view.getUint16(offset, true));
    case 'bf16':
      return bf16ToNumber(view.getUint16(offset, true));
    case 'f32':
      return view.getFloat32(offset, true);
    case 'f64':
      return view.getFloat64(offset, true);
  }
}

/** Elements that `tensor` takes: any array or typed array of numbers. */
export type ElementSource = ArrayLike<number | bigint | boolean>;

/**
 * A tensor of `dtype` and `shape` from elements in row-major order. For `f16`
 * and `bf16` a `Uint16Array` holds bit patterns and, for `f16`, a
 * `Float16Array` (where the host has one) is taken as it is; any other numbers
 * are rounded to nearest even. Integers outside the range of the type, and
 * fractions for an integer type, throw `KtirError`.
 */
export function tensor(dtype: DType, shape: readonly number[], data: ElementSource): HostTensor {
  const { bytes } = info(dtype);
  const count = elementCount(shape);
  if (!isArray(data)) {
    throw new KtirError(
      `expected the elements as an array of numbers, found ${describe(data)}`,
      'argument',
    );
  }
  if (data.length !== count) {
    throw new KtirError(
      `expected ${counted(count, 'element')} for ${dtype}[${shape.join(', ')}], found ${String(data.length)}`,
      'argument',
    );
  }
  const result = new Uint8Array(count * bytes);
  const view = new DataView(result.buffer);
  const isHalf = dtype === 'f16' || dtype === 'bf16';
  if (isHalf && isUint16Array(data)) {
    for (let i = 0; i < count; ++i) view.setUint16(2 * i, data[i] ?? 0, true);
  } else {
    for (let i = 0; i < count; ++i) writeElement(view, dtype, i, data[i]);
  }
  return new HostTensor(dtype, shape, result);
}

/** A tensor of zeros. */
export function zeros(dtype: DType, shape: readonly number[]): HostTensor {
  return new HostTensor(dtype, shape, new Uint8Array(elementCount(shape) * dtypeBytes(dtype)));
}

/** What callers without types pass instead is to be named, not counted. */
function isArray(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'length' in value;
}

/** Unlike `instanceof`, also right for arrays of another realm (test runners, frames). */
function isUint16Array(data: ElementSource): data is Uint16Array {
  return Object.prototype.toString.call(data) === '[object Uint16Array]';
}

function writeElement(
  view: DataView,
  dtype: DType,
  index: number,
  value: number | bigint | boolean | undefined,
): void {
  if (value === undefined) {
    throw new KtirError(`element ${String(index)} is missing`, 'argument');
  }
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw new KtirError(
      `element ${String(index)} is ${describe(value)}; expected a number for ${dtype}`,
      'argument',
    );
  }
  switch (dtype) {
    case 'f16':
      view.setUint16(2 * index, numberToF16(toRoundOnce(value)), true);
      return;
    case 'bf16':
      view.setUint16(2 * index, numberToBf16(toRoundOnce(value)), true);
      return;
    case 'f32':
      view.setFloat32(4 * index, toRoundOnce(value), true);
      return;
    case 'f64':
      view.setFloat64(8 * index, Number(value), true);
      return;
    default:
      writeInteger(view, dtype, index, value);
  }
}

/**
 * A number that rounds to any float narrower than f64 as `value` itself does.
 * The nearest number may not: it can lie half-way between two floats where a
 * bigint lies beside.
 */
function toRoundOnce(value: number | bigint | boolean): number {
  if (typeof value !== 'bigint') return Number(value);
  const magnitude = value < 0n ? -value : value;
  if (magnitude <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  // At least the upper 50 bits, the last of which is set for what was below.
  const below = BigInt(4 * magnitude.toString(16).length - 53);
  const upper = magnitude >> below;
  const isExact = upper << below === magnitude;
  const odd = Number((isExact ? upper : upper | 1n) << below);
  return value < 0n ? -odd : odd;
}

function writeInteger(
  view: DataView,
  dtype: DType,
  index: number,
  value: number | bigint | boolean,
): void {
  const { bytes, low = 0n, high = 0n } = info(dtype);
  const exact =
    typeof value !== 'number' || Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (exact === undefined || exact < low || exact > high) {
    throw new KtirError(
      `element ${String(index)} is ${String(value)}; expected an integer from ${String(low)} to ${String(high)} for ${dtype}`,
      'argument',
    );
  }
  switch (bytes) {
    case 1:
      view.setUint8(index, Number(BigInt.asUintN(8, exact)));
      return;
    case 2:
      view.setUint16(2 * index, Number(BigInt.asUintN(16, exact)), true);
      return;
    case 4:
      view.setUint32(4 * index, Number(BigInt.asUintN(32, exact)), true);
      return;
    default:
      view.setBigUint64(8 * index, BigInt.asUintN(64, exact), true);
  }
}
