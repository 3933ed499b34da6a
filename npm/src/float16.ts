/** 16-bit floats as bit patterns, converted with one rounding to nearest even. */

const scratch = new DataView(new ArrayBuffer(8));

/** The value of an IEEE half-precision bit pattern. */
export function f16ToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The bit pattern of the half-precision value nearest to `value`. */
export function numberToF16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // 65520 lies half-way between the largest value and the next power of two.
  if (magnitude >= 65520) return sign | 0x7c00;
  // Steps of 2^-24 below 2^-14, of 2^(e-10) from 2^e on. Scaling by a power of
  // two is exact, so the only rounding is the one to a whole number of steps.
  scratch.setFloat64(0, magnitude);
  const exponent = Math.max(((scratch.getUint16(0) >> 4) & 0x7ff) - 1023, -14);
  const steps = roundHalfEven(magnitude * 2 ** (10 - exponent));
  // A carry out of the fraction goes into the exponent, as it should.
  return sign | (((exponent + 14) << 10) + steps);
}

/** The value of a bfloat16 bit pattern. */
export function bf16ToNumber(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/** The bit pattern of the bfloat16 value nearest to `value`. */
export function numberToBf16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // Half-way between the largest value, (2 - 2^-7) 2^127, and 2^128.
  if (magnitude >= (2 - 2 ** -8) * 2 ** 127) return sign | 0x7f80;
  scratch.setFloat64(0, magnitude);
  const exponent = Math.max(((scratch.getUint16(0) >> 4) & 0x7ff) - 1023, -126);
  const steps = roundHalfEven(magnitude * 2 ** (7 - exponent));
  return sign | (((exponent + 126) << 7) + steps);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}
