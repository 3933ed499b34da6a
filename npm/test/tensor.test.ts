import { describe, expect, test } from '@jest/globals';
import { HostTensor, KtirError, tensor, zeros, type DType } from 'ktir';

/** The value of a half-precision pattern, from the definition of the format. */
function halfValue(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0
    ? sign * 2 ** -14 * (fraction / 1024)
    : sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

/** The value of a bfloat16 pattern: the upper half of an f32. */
function brainValue(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, bits);
  return view.getFloat32(0);
}

function roundTo(dtype: DType, value: number): number {
  return tensor(dtype, [1], [value]).toUint16Array()[0] ?? -1;
}

test('messages count in words', () => {
  const bytes = new Uint8Array(3);
  expect(() => new HostTensor('i8', [1], bytes)).toThrow('expected 1 byte for i8[1], found 3');
  expect(() => new HostTensor('i8', [2], bytes)).toThrow('expected 2 bytes for i8[2]');
  expect(() => tensor('f16', [1], [])).toThrow('expected 1 element for f16[1], found 0');
  expect(() => tensor('f16', [1], [3]).at(1)).toThrow('outside a tensor of 1 element');
});

describe.each([
  ['f16', halfValue, 0x7bff],
  ['bf16', brainValue, 0x7f7f],
] as const)('%s', (dtype, valueOf, largest) => {
  test('reads every pattern as its value', () => {
    const patterns = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const values = tensor(dtype, [65536], patterns).toFloat64Array();
    for (let bits = 0; bits < 65536; ++bits) {
      if (!Object.is(values[bits], valueOf(bits))) {
        throw new Error(`${String(bits)} reads as ${String(values[bits])}`);
      }
    }
  });

  test('rounds to the nearest value, ties to even', () => {
    for (let bits = 0; bits < largest; ++bits) {
      const low = valueOf(bits);
      const high = valueOf(bits + 1);
      const middle = (low + high) / 2;
      const even = bits % 2 === 0 ? bits : bits + 1;
      const expected = [
        [low, bits],
        [middle, even],
        [middle * (1 - 2 ** -40), bits],
        [middle * (1 + 2 ** -40), bits + 1],
      ] as const;
      for (const [value, pattern] of expected) {
        if (roundTo(dtype, value) !== pattern) {
          throw new Error(`${String(value)} rounds to ${String(roundTo(dtype, value))}`);
        }
        const negative = -value;
        if (roundTo(dtype, negative) !== (pattern | 0x8000)) {
          throw new Error(`${String(negative)} rounds wrongly`);
        }
      }
    }
  });

  test('overflows from half a step above the largest value', () => {
    const step = valueOf(largest) - valueOf(largest - 1);
    const limit = valueOf(largest) + step / 2;
    expect(roundTo(dtype, limit * (1 - 2 ** -40))).toBe(largest);
    expect(roundTo(dtype, limit)).toBe(largest + 1);
    expect(roundTo(dtype, -Infinity)).toBe((largest + 1) | 0x8000);
    expect(valueOf(roundTo(dtype, NaN))).toBeNaN();
  });
});

test('takes a Uint16Array as bit patterns and other numbers as values', () => {
  expect(tensor('f16', [2], new Uint16Array([0x3c00, 0xc000])).toArray()).toEqual([1, -2]);
  expect(tensor('f16', [2], new Float32Array([1, -2])).toUint16Array()).toEqual(
    new Uint16Array([0x3c00, 0xc000]),
  );
});

test('keeps integers exactly', () => {
  const values = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
  expect(tensor('i64', [5], values).toArray()).toEqual(values);
  expect(tensor('i64', [5], values).toBigInt64Array()).toEqual(BigInt64Array.from(values));
  // Signless types take the unsigned reading of a value too.
  expect(tensor('i8', [3], [-128, 127, 255]).toArray()).toEqual([-128, 127, -1]);
  expect(tensor('i1', [2], [true, false]).toArray()).toEqual([1, 0]);
});

test('is little-endian and row-major', () => {
  expect(tensor('i32', [2], [1, 0x01020304]).data).toEqual(
    new Uint8Array([1, 0, 0, 0, 4, 3, 2, 1]),
  );
  expect(tensor('f32', [2, 2], [1, 2, 3, 4]).at(2)).toBe(3);
});

test('compares by dtype, shape and bytes', () => {
  const one = tensor('f16', [2], [1, 2]);
  expect(one.equals(tensor('f16', [2], [1, 2]))).toBe(true);
  expect(one.equals(tensor('f16', [2], [1, 3]))).toBe(false);
  expect(one.equals(tensor('f16', [1, 2], [1, 2]))).toBe(false);
  expect(one.equals(tensor('bf16', [2], [1, 2]))).toBe(false);
});

test.each([
  ['an unknown dtype', () => tensor('f8' as DType, [1], [1]), /unknown dtype 'f8'/],
  ['too few elements', () => tensor('f16', [3], [1]), /expected 3 elements for f16\[3\], found 1/],
  ['a fractional extent', () => zeros('f16', [1.5]), /whole numbers from 0, found \[1\.5\]/],
  ['a negative extent', () => zeros('f16', [-1]), /whole numbers from 0/],
  ['an integer out of range', () => tensor('si8', [1], [128]), /from -128 to 127 for si8/],
  ['a fraction as integer', () => tensor('i32', [1], [0.5]), /element 0 is 0\.5/],
  [
    'bytes that do not fit',
    () => new HostTensor('f32', [2], new Uint8Array(7)),
    /expected 8 bytes for f32\[2\], found 7/,
  ],
  ['an element outside', () => zeros('f16', [2]).at(2), /element 2 is outside/],
  [
    'text as an element',
    () => tensor('f16', [2], [1, 'a'] as unknown as number[]),
    /element 1 is 'a'; expected a number for f16/,
  ],
  [
    'text as an integer',
    () => tensor('i32', [1], ['7'] as unknown as number[]),
    /element 0 is '7'; expected a number for i32/,
  ],
  [
    'no element',
    () => tensor('f32', [1], [null] as unknown as number[]),
    /element 0 is null; expected a number for f32/,
  ],
  [
    'text as elements',
    () => tensor('f16', [2], '12' as unknown as number[]),
    /expected the elements as an array of numbers, found '12'/,
  ],
  [
    'no shape',
    () => zeros('f16', undefined as unknown as number[]),
    /expected a shape as an array of extents, found undefined/,
  ],
  [
    'an extent as shape',
    () => tensor('f16', 2 as unknown as number[], [1, 2]),
    /expected a shape as an array of extents, found 2/,
  ],
  [
    'no bytes',
    () => new HostTensor('f16', [2], undefined as unknown as Uint8Array),
    /expected a Uint8Array, found undefined/,
  ],
  ['patterns of f32', () => zeros('f32', [2]).toUint16Array(), /no 16-bit patterns/],
])('refuses %s', (_, action, message) => {
  expect(action).toThrow(KtirError);
  expect(action).toThrow(message);
});
